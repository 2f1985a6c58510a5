// The search for files of *INCLUDE.
#include "deck/includes.hpp"

#include <algorithm>
#include <filesystem>

#include "deck/numbers.hpp"

namespace crumple::deck {
namespace fs = std::filesystem;
namespace {

// Decks written elsewhere separate directories by backslashes.
std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored) && !fs::is_directory(path, ignored);
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::canonical(path, error);
  return error ? path : out.string();
}

}  // namespace

void Includes::add_path(const std::string& directory, bool relative) {
  const fs::path given = with_slashes(directory);
  if (given.is_absolute()) return paths_.push_back(given.string());
  const fs::path from_file = fs::path(open_.back().path).parent_path() / given;
  std::error_code ignored;
  if (relative || !fs::is_directory(given, ignored))
    paths_.push_back((relative ? from_file : fs::path(open_.front().path).parent_path() / given).string());
  else
    paths_.push_back(given.string());
}

std::optional<std::string> Includes::find(const std::string& name) const {
  const fs::path given = with_slashes(name);
  if (given.is_absolute()) return is_file(given) ? std::optional(given.string()) : std::nullopt;
  std::vector<fs::path> places{fs::path(open_.back().path).parent_path(),
                               fs::path(open_.front().path).parent_path()};
  places.insert(places.end(), paths_.begin(), paths_.end());
  places.emplace_back();
  for (const fs::path& place : places)
    if (is_file(place / given)) return (place / given).string();
  return std::nullopt;
}

bool Includes::enter(const std::string& path) {
  const std::string real = canonical(path);
  for (const Open& open : open_)
    if (open.canonical == real) return false;
  open_.push_back({path, real});
  return true;
}

std::string Includes::chain() const {
  std::string out;
  for (const Open& open : open_) out += (out.empty() ? "" : " -> ") + open.path;
  return out;
}

std::vector<std::pair<std::string, std::size_t>> join_file_names(const std::vector<std::string_view>& lines) {
  std::vector<std::pair<std::string, std::size_t>> out;
  bool continues = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view text = trim(lines[i]);
    const bool more = text.ends_with(" +");
    if (more) text = trim(text.substr(0, text.size() - 2));
    if (continues)
      out.back().first += text;
    else if (!text.empty())
      out.emplace_back(text, i);
    continues = more && !out.empty();
  }
  return out;
}

}  // namespace crumple::deck
