// Dumps as files, in an order that leaves a whole one at every moment.
#include "restart/dump.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "output/file.hpp"
#include "parallel/agreed_error.hpp"
#include "parallel/tags.hpp"
#include "restart/stream_file.hpp"
#include "restart/stream_reader.hpp"
#include "restart/stream_writer.hpp"
#include "state/saved_rows.hpp"

namespace crumple::restart {

namespace fs = std::filesystem;
using parallel::do_together;

namespace {

constexpr const char* kNew = ".new";  ///< ends the names of streams that are not whole yet

/// Names of the files of streams, without the folder.
std::string stream_name(const std::string& path, const Moment& moment, Layout layout, int rank) {
  return fmt::format("{}.{}{}.{}", fs::path(path).filename().string(), moment.relaxing ? "x" : "c",
                     moment.cycle, layout == Layout::shared ? "all" : fmt::format("r{}", rank));
}

/// Throws Error CR-T010 if the folder has less free space than a dump needs.
void check_space(const std::string& folder, std::int64_t bytes) {
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0) return;  // the write will say what is wrong
  const auto free = static_cast<std::int64_t>(space.f_bavail) * static_cast<std::int64_t>(space.f_frsize);
  if (free < bytes)
    throw Error("CR-T010",
                fmt::format("a dump takes {:.1f} MB, and {} has {:.1f} MB left",
                            1e-6 * static_cast<double>(bytes), folder, 1e-6 * static_cast<double>(free)),
                {}, Exit::system);
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw Error("CR-O101", fmt::format("cannot create {}: {}", to, std::strerror(errno)), {}, Exit::system);
}

/// Passes the names in a folder to the disk.
void flush_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::set<std::string> files_of(const Index& index) {
  std::set<std::string> files;
  for (const Stream& stream : index.streams) files.insert(stream.file);
  return files;
}

/// Files of the streams of an index that is there now; none if there is none that can be read.
std::set<std::string> files_at(const std::string& path) {
  try {
    return files_of(read_index(path));
  } catch (const Error&) {
    return {};
  }
}

/// Writes this rank's stream; without a sink only its size is found. @throws Error CR-O1xx
using Source = std::function<Stream(Sink*)>;

/// What one dump is written with.
struct Job {
  const parallel::Communicator& comm;
  std::string path, folder;
  Layout layout;
  const Source& source;
  Stream stream;       ///< of this rank
  std::int64_t bytes;  ///< of all ranks

  std::string file() const { return folder + "/" + stream.file; }
  bool writes_file() const { return layout == Layout::files || comm.root(); }
};

/// Writes this rank's stream under its first name. Collective. @throws AgreedError
void write_stream(Job& job) {
  std::unique_ptr<Sink> sink;
  if (job.layout == Layout::shared) sink = make_shared_sink(job.comm, job.file() + kNew, job.stream.offset);
  do_together(job.comm, [&] {
    if (!sink) sink = make_file_sink(job.file() + kNew);
    const Stream written = job.source(sink.get());
    job.stream.contents_at = written.contents_at;
    job.stream.checksum = written.checksum;
    sink->finish();
  });
}

/// Finds sizes, and the place of this rank's stream. Collective. @throws AgreedError
void measure(Job& job) {
  job.stream.bytes = job.source(nullptr).bytes;
  const std::vector<std::int64_t> all = job.comm.all_gather<std::int64_t>(std::span(&job.stream.bytes, 1));
  job.bytes = 0;
  for (int r = 0; r < job.comm.size(); ++r) {
    if (r == job.comm.rank() && job.layout == Layout::shared) job.stream.offset = job.bytes;
    job.bytes += all[static_cast<std::size_t>(r)];
  }
  do_together(job.comm, [&] {
    if (job.comm.root()) check_space(job.folder, job.bytes);
  });
}

/// Streams of all ranks, on rank 0. Collective.
std::vector<Stream> gather_streams(const parallel::Communicator& comm, const Stream& mine) {
  std::vector<std::vector<std::byte>> send(static_cast<std::size_t>(comm.size()));
  send[0] = pack(mine);
  std::vector<Stream> all;
  for (const auto& message : comm.all_to_all(send, parallel::tag::kDump))
    if (comm.root()) all.push_back(Unpacker(message).take<Stream>());
  return all;
}

/// The steps of a dump, each on all ranks; ends at the first that fails. Collective. @throws AgreedError
void write_steps(Job& job, Index& index) {
  measure(job);
  write_stream(job);
  do_together(job.comm, [&] {
    if (job.writes_file()) rename_file(job.file() + kNew, job.file());
  });
  index.streams = gather_streams(job.comm, job.stream);
  do_together(job.comm, [&] {
    if (!job.comm.root()) return;
    const std::set<std::string> before = files_at(job.path), now = files_of(index);
    flush_folder(job.folder);
    write_index(job.path, index);
    flush_folder(job.folder);
    for (const std::string& file : before)
      if (!now.contains(file)) output::remove_file(job.folder + "/" + file);
  });
}

Written write_from(const Source& source, const parallel::Communicator& comm, const std::string& path,
                   Layout layout, Index index) {
  const auto start = std::chrono::steady_clock::now();
  Job job{comm, path, folder_of(path), layout, source, {}, 0};
  std::vector<std::byte> moment = pack(index.moment);
  comm.broadcast(moment);
  job.stream.file = stream_name(path, Unpacker(moment).take<Moment>(), layout, comm.rank());
  Written written;
  try {
    write_steps(job, index);
  } catch (const parallel::AgreedError& error) {
    if (job.writes_file()) ::unlink((job.file() + kNew).c_str());
    written.failure = fmt::format("{}: {}", error.id(), error.message());
  }
  written.bytes = job.bytes;
  written.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return written;
}

}  // namespace

Written write_dump(const parallel::Communicator& comm, const std::string& path, Layout layout, const Say& say,
                   Index index) {
  const Source source = [&](Sink* sink) {
    StreamWriter writer(sink);
    say(writer);
    return writer.finish();
  };
  return write_from(source, comm, path, layout, std::move(index));
}

Written write_dump(const parallel::Communicator& comm, const std::string& path, Layout layout,
                   const StateCopy& copy, Index index) {
  const Source source = [&](Sink* sink) { return sink == nullptr ? copy.stream() : copy.write(*sink); };
  return write_from(source, comm, path, layout, std::move(index));
}

void verify(const parallel::Communicator& comm, const std::string& path, const Index& index) {
  do_together(comm, [&] {
    for (std::size_t s = static_cast<std::size_t>(comm.rank()); s < index.streams.size();
         s += static_cast<std::size_t>(comm.size()))
      StreamFile(folder_of(path), index.streams[s]).verify();
  });
}

void restore(const parallel::Communicator& comm, const std::string& path, const Index& index,
             const Say& say) {
  std::unique_ptr<StreamReader> reader;
  do_together(comm, [&] {
    reader = std::make_unique<StreamReader>(folder_of(path), index.streams);
    say(*reader);
  });
  const std::vector<std::string> names = reader->names();
  std::vector<std::int64_t> asked(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) asked[k] = reader->asked(names[k]) ? 1 : 0;
  comm.max(asked);
  std::vector<std::string> unread;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (asked[k] == 0) unread.push_back(names[k]);
  do_together(comm, [&] { state::refuse_unread(unread); });
}

void peek(const parallel::Communicator& comm, const std::string& path, const Index& index, const Say& say) {
  do_together(comm, [&] {
    StreamReader reader(folder_of(path), index.streams);
    say(reader);
  });
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_dump_file(std::string_view name) {
  static const std::regex form("(d3dump|runrsf)[0-9]*(\\.[0-9]+|\\.[cx][0-9]+\\.(all|r[0-9]+)(\\.new)?)?");
  return std::regex_match(name.begin(), name.end(), form);
}

std::vector<std::string> dump_files_in(const std::string& folder, const std::string& prefix) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix) && is_dump_file(std::string_view(name).substr(prefix.size())))
      found.push_back(it->path().string());
  }
  std::ranges::sort(found);
  return found;
}

void remove_unfinished(const std::string& folder, const std::string& prefix) {
  for (const std::string& path : dump_files_in(folder, prefix)) {
    const std::string name = fs::path(path).filename().string();
    const std::size_t point = name.find('.', prefix.size());
    if (point == name.npos) continue;
    const std::string index = folder + "/" + name.substr(0, point);
    const std::set<std::string> named = files_at(index);
    std::error_code ignored;
    const bool damaged = named.empty() && fs::exists(index, ignored);  // it may name this file
    const bool first_name = name.ends_with(kNew) || name.find('.', point + 1) == name.npos;
    if (first_name || (!damaged && !named.contains(name))) output::remove_file(path);
  }
}

std::vector<Found> dumps_in(const std::string& folder, const std::string& prefix) {
  std::vector<Found> found;
  for (const std::string& path : dump_files_in(folder, prefix)) {
    if (fs::path(path).filename().string().find('.', prefix.size()) != std::string::npos) continue;
    try {
      found.push_back({path, read_index(path)});
    } catch (const Error&) {  // it is not whole
    }
  }
  std::ranges::sort(found, std::ranges::greater(),
                    [](const Found& f) { return std::tuple(f.index.moment.order(), f.path); });
  return found;
}

std::optional<std::string> dump_before(const std::string& but, const std::string& prefix) {
  for (const Found& found : dumps_in(folder_of(but), prefix)) {
    std::error_code ignored;
    if (!fs::equivalent(found.path, but, ignored)) return found.path;
  }
  return {};
}

void remove_dump(const std::string& path) {
  const std::set<std::string> files = files_at(path);
  output::remove_file(path);
  for (const std::string& file : files) output::remove_file(folder_of(path) + "/" + file);
}

}  // namespace crumple::restart
