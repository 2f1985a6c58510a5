// What rank 0 asks of the other ranks, and how they do it.
#include "implicit/linear/workers.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>

#include "base/at_work.hpp"
#include "base/error.hpp"
#include "base/packing.hpp"
#include "base/resources_used.hpp"
#include "crumple_phase.h"
#include "implicit/linear/dense.hpp"
#include "implicit/linear/rank_factor.hpp"
#include "implicit/linear/rank_messages.hpp"
#include "implicit/linear/rank_part_members.hpp"
#include "implicit/linear/top_needs.hpp"

namespace crumple::implicit::linear {

namespace {

using parallel::Communicator;
namespace tag = parallel::tag;

enum class Order : std::int32_t { analyse, cholesky, signs, solve, peak_memory, step, end };

/// What rank 0 asks for, at the same time of all.
struct Request {
  Order order = Order::end;
  std::int32_t value_bytes = 0;  ///< of the factor's values
  std::int64_t n = 0;            ///< right hand sides, the step, or the status at the end
  double zero = 0;
};

/// Options of a factor that hold for all ranks.
struct SharedOptions {
  bool out_of_core = false, out_of_core_if_needed = false;
  double memory_limit = 0;  ///< of ranks that have none of their own
  std::string folder;
};
CRUMPLE_MEMBERS(SharedOptions, out_of_core, out_of_core_if_needed, memory_limit, folder)

void ask(const Communicator& comm, const Request& request) {
  std::vector<std::byte> bytes(sizeof request);
  std::memcpy(bytes.data(), &request, sizeof request);
  comm.broadcast(bytes);
}

Request asked(const Communicator& comm) {
  std::vector<std::byte> bytes;
  comm.broadcast(bytes);
  Request request;
  std::memcpy(&request, bytes.data(), sizeof request);
  return request;
}

template <class T>
void send_packed(const Communicator& comm, const T& item, int to) {
  const std::vector<std::byte> bytes = pack(item);
  const auto n = static_cast<std::int64_t>(bytes.size());
  Outbox outbox(comm);
  outbox.send_from(&n, sizeof n, to, tag::kLinear);
  outbox.send_from(bytes.data(), n, to, tag::kLinear);
  outbox.wait();
}

template <class T>
T receive_packed(const Communicator& comm, int from) {
  std::int64_t n = 0;
  receive_bytes(comm, &n, sizeof n, from, tag::kLinear);
  std::vector<std::byte> bytes(static_cast<std::size_t>(n));
  receive_bytes(comm, bytes.data(), n, from, tag::kLinear);
  return Unpacker(bytes).take<T>();
}

std::int64_t pivots_of(const std::vector<TopFront>& tops) {
  return tops.empty() ? 0 : tops.back().scale + tops.back().shape.pivots;
}

/// How a rank keeps its part.
ChosenPlan plan_of(const RankPart& part, const SolverOptions& options, std::size_t value_bytes) {
  const TopNeeds tops = top_needs(part.tops, part.rank);
  return choose_plan(part.own, options, value_bytes, &tops);
}

RankNeeds needs_of(const RankPart& part, const SolverOptions& options, std::size_t value_bytes) {
  const Analysis is = plan_of(part, options, value_bytes).is;
  return {is.flops, is.bytes_in_core, is.bytes_out_of_core, is.bytes_least,
          is.bytes, is.bytes_on_disk, options.memory_limit, is.out_of_core};
}

template <class T>
std::unique_ptr<RankFactor<T>> make_factor(const Communicator& comm, const RankPart& part,
                                           const SolverOptions& options) {
  const ChosenPlan how = plan_of(part, options, sizeof(T));
  check_limit(needs_of(part, options, sizeof(T)), part.rank);
  return std::make_unique<RankFactor<T>>(comm, part, how.plan, how.is.out_of_core ? options.folder : "");
}

/// A rank's work, one request after the other.
class Worker {
 public:
  Worker(const Communicator& comm, const WorkerOptions& options) : comm_(comm), given_(options) {
    prepare_dense(options.threads);
  }

  int operator()() {
    for (;;) {
      const Request request = asked(comm_);
      if (request.order == Order::end) return static_cast<int>(request.n);
      if (request.order == Order::step) {
        at_work().cycle = request.n;
        crumple_phase(nullptr, request.n);
        continue;
      }
      crumple_phase(part_of(request.order), at_work().cycle);
      if (request.order == Order::analyse)
        analyse(static_cast<std::size_t>(request.value_bytes));
      else if (request.order == Order::peak_memory)
        tell_memory();
      else if (request.value_bytes == sizeof(float))
        double_.reset(), act(single_, request);
      else
        single_.reset(), act(double_, request);
      crumple_phase(nullptr, at_work().cycle);
    }
  }

 private:
  /// The part of the run that a request belongs to, by the names of rank 0 (implicit/work_clock.hpp).
  static const char* part_of(Order order) {
    switch (order) {
      case Order::analyse:
        return "symbolic";
      case Order::cholesky:
      case Order::signs:
        return "factor";
      case Order::solve:
        return "solve";
      default:
        return nullptr;
    }
  }

  void tell_memory() const {
    const double peak = peak_memory();
    comm_.gather<double>(std::span(&peak, 1));
  }

  void analyse(std::size_t value_bytes) {
    single_.reset(), double_.reset();
    const auto shared = receive_packed<SharedOptions>(comm_, 0);
    options_.threads = given_.threads;
    options_.out_of_core = shared.out_of_core;
    options_.out_of_core_if_needed = shared.out_of_core_if_needed;
    options_.folder = shared.folder;
    options_.memory_limit = given_.memory_limit > 0 ? given_.memory_limit : shared.memory_limit;
    part_ = receive_packed<RankPart>(comm_, 0);
    send_packed(comm_, needs_of(part_, options_, value_bytes), 0);
  }

  template <class T>
  void act(std::unique_ptr<RankFactor<T>>& factor, const Request& request) {
    try {
      if (request.order == Order::solve) return solve(*factor, request.n);
      if (!factor) factor = make_factor<T>(comm_, part_, options_);
      std::vector<double> values(static_cast<std::size_t>(part_.values));
      std::vector<double> scale(static_cast<std::size_t>(part_.own_equations() + pivots_of(part_.tops)));
      receive(comm_, std::span(scale), 0, tag::kLinear);
      for (std::size_t at = 0; at < values.size();) {
        std::int64_t n = 0;
        receive_bytes(comm_, &n, sizeof n, 0, tag::kLinear);
        receive(comm_, std::span(values).subspan(at, static_cast<std::size_t>(n)), 0, tag::kLinear);
        at += static_cast<std::size_t>(n);
      }
      if (request.order == Order::cholesky)
        factor->cholesky(values, scale, request.zero);
      else
        factor->with_signs(values, scale, request.zero);
      factor->most_bytes();
    } catch (const std::bad_alloc&) {
      throw Error("CR-I203", fmt::format("rank {} has no memory for its part of the factor", comm_.rank()),
                  {}, Exit::system);
    }
  }

  template <class T>
  void solve(RankFactor<T>& factor, std::int64_t n_rhs) {
    std::vector<T> x(static_cast<std::size_t>(part_.all_equations() * n_rhs));
    receive(comm_, std::span(x), 0, tag::kSolution);
    factor.solve(x, n_rhs);
    Outbox outbox(comm_);
    outbox.send_from(x.data(), static_cast<std::int64_t>(x.size() * sizeof(T)), 0, tag::kSolution);
    outbox.wait();
  }

  const Communicator& comm_;
  const WorkerOptions given_;
  SolverOptions options_;
  RankPart part_;
  std::unique_ptr<RankFactor<float>> single_;
  std::unique_ptr<RankFactor<double>> double_;
};

/// Values of the matrix in one message.
constexpr std::size_t kValuesSent = std::size_t(1) << 22;

}  // namespace

std::vector<double> Workers::peak_memory() const {
  ask(*comm_, {Order::peak_memory, 0, 0, 0});
  const double peak = crumple::peak_memory();
  return comm_->gather<double>(std::span(&peak, 1));
}

void Workers::begin_step(std::int64_t step) const { ask(*comm_, {Order::step, 0, step, 0}); }

void Workers::end(int status) const { ask(*comm_, {Order::end, 0, status, 0}); }

void check_limit(const RankNeeds& is, int rank) {
  if (is.memory_limit <= 0 || is.bytes <= is.memory_limit) return;
  throw Error(
      "CR-I203",
      fmt::format("the factor's part on rank {} needs {:.4g} bytes of memory, and the limit is {:.4g}", rank,
                  is.bytes, is.memory_limit),
      {}, Exit::system);
}

int work(const Communicator& comm, const WorkerOptions& options) { return Worker(comm, options)(); }

std::vector<RankNeeds> predict_ranks(const Symbolic& symbolic, const SolverOptions& options, int ranks,
                                     std::size_t value_bytes) {
  const RankDivision division(symbolic, ranks, options.division);
  std::vector<RankNeeds> all;
  for (int r = 0; r < ranks; ++r) {
    RankPart part = division.part(r, r > 0);
    part.own.matrix_bytes = r == 0 ? symbolic.matrix_bytes : double(part.values) * sizeof(double);
    all.push_back(needs_of(part, options, value_bytes));
    all.back().flops = division.flops()[static_cast<std::size_t>(r)];
  }
  return all;
}

/// A factor of which rank 0 has a part.
template <class T>
class DividedFactors::OnRanks final : public Factor<T> {
 public:
  explicit OnRanks(DividedFactors& of) : of_(of), factor_(make_factor<T>(of.comm(), of.part_, of.options_)) {}

  double cholesky(std::span<const double> values, std::span<const double> scale, double zero) override {
    begin(Order::cholesky, values, scale, zero);
    const double least = factor_->cholesky(values, own_scale_, zero);
    most_ = factor_->most_bytes();
    return least;
  }
  Signs with_signs(std::span<const double> values, std::span<const double> scale, double zero) override {
    begin(Order::signs, values, scale, zero);
    const Signs signs = factor_->with_signs(values, own_scale_, zero);
    most_ = factor_->most_bytes();
    return signs;
  }
  void solve(std::span<T> x, std::int64_t n_rhs) override {
    of_.check_user();
    ask(of_.comm(), {Order::solve, sizeof(T), n_rhs, 0});
    const int ranks = of_.comm().size();
    Outbox outbox(of_.comm());
    std::vector<std::vector<T>> parts;
    for (int r = 0; r < ranks; ++r) {
      parts.push_back(part(x, r, n_rhs));
      if (r > 0) outbox.send_from(parts[at(r)].data(), bytes(parts[at(r)]), r, tag::kSolution);
    }
    factor_->solve(parts[0], n_rhs);
    outbox.wait();
    for (int r = 0; r < ranks; ++r) {
      if (r > 0) receive(of_.comm(), std::span<T>(parts[at(r)]), r, tag::kSolution);
      put(parts[at(r)], r, n_rhs, x);
    }
  }
  std::int64_t most_bytes() const override { return most_; }
  DiskTraffic traffic() const override { return factor_->traffic(); }

 private:
  static std::size_t at(int r) { return static_cast<std::size_t>(r); }
  static std::int64_t bytes(const std::vector<T>& of) {
    return static_cast<std::int64_t>(of.size() * sizeof(T));
  }

  /// Sends each rank its part of the matrix.
  void begin(Order order, std::span<const double> values, std::span<const double> scale, double zero) {
    of_.check_user();
    const Communicator& comm = of_.comm();
    ask(comm, {order, sizeof(T), 0, zero});
    for (int r = 0; r < comm.size(); ++r) {
      std::vector<double> of_rank;
      const auto add = [&](std::int64_t first, std::int64_t end) {
        of_rank.insert(of_rank.end(), scale.begin() + first, scale.begin() + end);
      };
      for (const IndexRange& range : of_.division_.own_equations(r)) add(range.begin, range.end);
      for (const TopFront& top : of_.division_.tops()) add(top.equation, top.equation + top.shape.pivots);
      if (r == 0) {
        own_scale_ = std::move(of_rank);
        continue;
      }
      Outbox outbox(comm);
      outbox.send(std::span<const double>(of_rank), r, tag::kLinear);
      of_.division_.pack(r, values, kValuesSent, [&](const std::vector<double>& packed) {
        outbox.wait();
        const auto n = static_cast<std::int64_t>(packed.size());
        outbox.send(std::span<const std::int64_t>(&n, 1), r, tag::kLinear);
        outbox.send(std::span<const double>(packed), r, tag::kLinear);
      });
      outbox.wait();
    }
  }

  std::vector<T> part(std::span<const T> x, int rank, std::int64_t n_rhs) const {
    const std::size_t n = x.size() / static_cast<std::size_t>(n_rhs);
    std::vector<T> of_rank;
    for (std::int64_t r = 0; r < n_rhs; ++r)
      for (const IndexRange& range : of_.division_.equations(rank)) {
        const auto first = x.begin() + static_cast<std::ptrdiff_t>(r * static_cast<std::int64_t>(n));
        of_rank.insert(of_rank.end(), first + range.begin, first + range.end);
      }
    return of_rank;
  }
  void put(const std::vector<T>& of_rank, int rank, std::int64_t n_rhs, std::span<T> x) const {
    const std::int64_t n = std::ssize(x) / n_rhs;
    auto from = of_rank.begin();
    for (std::int64_t r = 0; r < n_rhs; ++r)
      for (const IndexRange& range : of_.division_.equations(rank)) {
        std::copy_n(from, range.end - range.begin, x.begin() + r * n + range.begin);
        from += range.end - range.begin;
      }
  }

  DividedFactors& of_;
  std::unique_ptr<RankFactor<T>> factor_;
  std::vector<double> own_scale_;
  std::int64_t most_ = 0;
};

DividedFactors::DividedFactors(Workers& workers, const Symbolic& symbolic, const SolverOptions& options,
                               std::size_t value_bytes)
    : workers_(workers),
      options_(options),
      division_(symbolic, workers.ranks(), options.division),
      part_(division_.part(0, false)) {
  workers_.user_ = this;
  part_.own.matrix_bytes = symbolic.matrix_bytes;
  ask(comm(), {Order::analyse, static_cast<std::int32_t>(value_bytes), 0, 0});
  const SharedOptions shared{options.out_of_core, options.out_of_core_if_needed, options.memory_limit,
                             options.folder};
  for (int r = 1; r < workers.ranks(); ++r) {
    send_packed(comm(), shared, r);
    RankPart part = division_.part(r, true);
    part.own.matrix_bytes = double(part.values) * sizeof(double);
    send_packed(comm(), part, r);
  }
  needs_.push_back(needs_of(part_, options_, value_bytes));
  for (int r = 1; r < workers.ranks(); ++r) needs_.push_back(receive_packed<RankNeeds>(comm(), r));
  for (std::size_t r = 0; r < needs_.size(); ++r) needs_[r].flops = division_.flops()[r];
}

DividedFactors::~DividedFactors() {
  if (workers_.user_ == this) workers_.user_ = nullptr;
}

void DividedFactors::check_user() const {
  if (workers_.user_ != this) throw std::logic_error("the other ranks work for another linear solver");
}

template <class T>
std::unique_ptr<Factor<T>> DividedFactors::make() {
  return std::make_unique<OnRanks<T>>(*this);
}
template std::unique_ptr<Factor<double>> DividedFactors::make();
template std::unique_ptr<Factor<float>> DividedFactors::make();

}  // namespace crumple::implicit::linear
