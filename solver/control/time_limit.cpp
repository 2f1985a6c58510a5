// Durations as users and Slurm write them, and the limits of a run.
#include "control/time_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

namespace crumple::control {

namespace {

constexpr double kMinute = 60.0, kHour = 3600.0, kDay = 86400.0;
constexpr double kLongest = 1000.0 * 365.0 * kDay;

/// A number without sign at the beginning of the text, which then loses it. `decimals`: may have a fraction.
std::optional<double> take_number(std::string_view& text, bool decimals) {
  double value = 0.0;
  const auto digits = std::min(text.find_first_not_of(decimals ? "0123456789." : "0123456789"), text.size());
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + digits, value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + digits) return {};
  text.remove_prefix(digits);
  return value;
}

/// "1h30m", or plain seconds.
std::optional<double> duration_in_units(std::string_view text) {
  constexpr std::pair<char, double> kUnits[] = {{'d', kDay}, {'h', kHour}, {'m', kMinute}, {'s', 1.0}};
  double sum = 0.0;
  for (const auto* next = std::begin(kUnits); !text.empty();) {  // each unit once, the largest first
    const auto number = take_number(text, true);
    if (!number) return {};
    if (text.empty() && next == std::begin(kUnits)) return number;
    const auto* const unit = std::find_if(
        next, std::end(kUnits), [&](const auto& u) { return !text.empty() && text.front() == u.first; });
    if (unit == std::end(kUnits)) return {};
    sum += *number * unit->second;
    text.remove_prefix(1);
    next = unit + 1;
  }
  return sum;
}

/// "days-hours:minutes:seconds" and its shorter forms. After days come hours, otherwise seconds are last.
std::optional<double> duration_in_fields(std::string_view text) {
  double days = 0.0;
  const bool with_days = text.find('-') != text.npos;
  if (with_days) {
    const auto number = take_number(text, false);
    if (!number || text.empty() || text.front() != '-') return {};
    text.remove_prefix(1);
    days = *number;
  }
  std::vector<double> fields;
  while (true) {
    const auto number = take_number(text, false);
    if (!number) return {};
    fields.push_back(*number);
    if (text.empty()) break;
    if (text.front() != ':') return {};
    text.remove_prefix(1);
  }
  if (fields.size() > 3 || (!with_days && fields.size() < 2)) return {};
  // The first field may be larger than a clock shows, without days: 90:00.
  constexpr std::array<double, 3> kLimits{24.0, 60.0, 60.0}, kSizes{kHour, kMinute, 1.0};
  const std::size_t first = with_days ? 0 : 3 - fields.size();
  double sum = days * kDay;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if ((with_days || k > 0) && fields[k] >= kLimits[first + k]) return {};
    sum += fields[k] * kSizes[first + k];
  }
  return sum;
}

/// The first line that a command prints. Empty if it fails.
std::string first_line_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 128> line{};
  if (!pipe || !std::fgets(line.data(), static_cast<int>(line.size()), pipe.get())) return {};
  std::string text(line.data());
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

/// Seconds until the time of SLURM_JOB_END_TIME. Empty if it is not a time in the future.
std::optional<double> left_until(std::string_view end_time) {
  std::int64_t end = 0;
  const auto [last, error] = std::from_chars(end_time.data(), end_time.data() + end_time.size(), end);
  if (error != std::errc() || last != end_time.data() + end_time.size()) return {};
  const auto left = static_cast<double>(end - std::int64_t{std::time(nullptr)});
  return left > 0.0 && left < kLongest ? std::optional(left) : std::nullopt;
}

}  // namespace

std::optional<double> duration_of(std::string_view text) {
  const bool fields = text.find_first_of(":-") != text.npos;
  const auto seconds = fields ? duration_in_fields(text) : duration_in_units(text);
  if (!seconds || !(*seconds > 0.0 && *seconds < kLongest)) return {};
  return seconds;
}

std::optional<double> left_of_slurm_job(int patience) {
  const char* const job = std::getenv("SLURM_JOB_ID");
  if (!job || !*job) return {};
  if (const char* const end = std::getenv("SLURM_JOB_END_TIME"))
    if (const auto left = left_until(end)) return left;
  const std::string id = job;
  if (id.find_first_not_of("0123456789") != id.npos) return {};
  // The time that is left, and not the end: it needs neither the same clock nor the same time zone.
  return duration_of(first_line_of(
      fmt::format("timeout {} squeue --noheader --jobs={} --Format=TimeLeft 2>/dev/null", patience, id)));
}

TimeLimit::Moment TimeLimit::now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return {Clock::now(), static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec)};
}

void TimeLimit::Limit::tighten(double to, std::string&& by) {
  if (to >= seconds) return;
  seconds = to;
  name = std::move(by);
}

void TimeLimit::limit_elapsed(double seconds, std::string name) {
  elapsed_.tighten(seconds, std::move(name));
}

void TimeLimit::limit_elapsed(double seconds, std::string name, Clock::time_point from) {
  limit_elapsed(seconds + std::chrono::duration<double>(from - start_).count(), std::move(name));
}

void TimeLimit::limit_processor(double seconds, std::string name) {
  processor_.tighten(seconds, std::move(name));
}

double TimeLimit::reserve(const Limit& limit) const {
  const double margin = margin_.value_or(std::clamp(0.02 * limit.seconds, 1.0, 60.0));
  return kSafety * dump_ + margin;
}

double TimeLimit::elapsed(const Moment& moment) const {
  return std::chrono::duration<double>(moment.time - start_).count();
}

bool TimeLimit::reached(const Moment& moment) const {
  return (elapsed_.any() && left(moment) <= 0.0) ||
         (processor_.any() && moment.processor >= processor_.seconds - reserve(processor_));
}

double TimeLimit::left(const Moment& moment) const {
  return elapsed_.any() ? elapsed_.seconds - reserve(elapsed_) - elapsed(moment) : kNone;
}

const std::string& TimeLimit::name(const Moment& moment) const {
  if (!processor_.any()) return elapsed_.name;
  const double processor_left = processor_.seconds - reserve(processor_) - moment.processor;
  return processor_left < left(moment) ? processor_.name : elapsed_.name;
}

}  // namespace crumple::control
