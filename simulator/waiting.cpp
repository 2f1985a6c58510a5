#include "waiting.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace crumple::simulator {

Partners::Request Partners::post(const Key& key, bool receives, bool copied, double now) {
  Channel& channel = channels_[key];
  Side& side = receives ? channel.receives : channel.sends;
  side.times.push_back(now);
  return {key, side.posted++, receives, copied};
}

bool Partners::take(std::size_t process, const Key& key, Request& request) {
  auto& requests = open_[process];
  const auto found = std::ranges::find(requests, key, &Request::key);
  if (found == requests.end()) return false;
  request = *found;
  requests.erase(found);
  return true;
}

std::vector<Partners::Request> Partners::take_all(std::size_t process) {
  return std::exchange(open_[process], {});
}

bool Partners::came(const Request& request) const {
  if (request.copied) return true;
  const Channel& channel = channels_.at(request.key);
  return (request.receives ? channel.sends : channel.receives).posted > request.number;
}

bool Partners::all_came(std::size_t process) const {
  return std::ranges::all_of(open_[process], [this](const Request& request) { return came(request); });
}

double Partners::partner_came(const Request& request) {
  Channel& channel = channels_[request.key];
  Side& other = request.receives ? channel.sends : channel.receives;
  const double came = other.take(request.number);
  return request.copied ? -1 : came;
}

double Partners::Side::take(std::size_t number) {
  if (number < first || number - first >= times.size()) return -1;
  // -1 marks what was asked for, until it is at the front
  const double time = std::exchange(times[number - first], -1);
  for (; !times.empty() && times.front() < 0; ++first) times.pop_front();
  return time;
}

std::size_t Collectives::enter(int rank, int what, Kind kind, int root, double now) {
  const std::size_t number = calls_[rank]++;
  if (number - first_ >= open_.size()) {
    Call& call = open_.emplace_back();
    call.kind = kind;
    call.what = what;
    call.root = root;
    call.entered.resize(ranks_);
    call.ended.resize(ranks_);
  }
  Call& call = open_[number - first_];
  if (call.what != what)
    throw std::invalid_argument("collective " + std::to_string(number + 1) + " of rank " +
                                std::to_string(rank) + " is another than that of the ranks before it");
  call.entered[rank] = now;
  call.last_came = std::max(call.last_came, now);
  if (rank == root) call.root_came = now;
  return number;
}

void Collectives::leave(int rank, std::size_t number, double now) {
  Call& call = open_[number - first_];
  call.ended[rank] = now;
  ++call.left;
  for (; !open_.empty() && open_.front().left == ranks_; ++first_) {
    finish(open_.front());
    open_.pop_front();
  }
}

void Collectives::finish(const Call& call) const {
  for (int rank = 0; rank < ranks_; ++rank) {
    const double entered = call.entered[rank], ended = call.ended[rank];
    double until = call.last_came;
    if (call.kind == Kind::one_to_all) until = call.root_came;
    if (call.kind == Kind::all_to_one && rank != call.root) until = entered;
    told_(rank, call.what, entered, std::clamp(until - entered, 0.0, ended - entered), ended);
  }
}

}  // namespace crumple::simulator
