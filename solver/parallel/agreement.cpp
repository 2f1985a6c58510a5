// An MPI operation of our own on whole messages: maxima of the first words, sums of all others.
#include "parallel/agreement.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace crumple::parallel {

namespace {

/// An element of the type is a whole message, so that MPI does not take one apart.
void combine(void* in, void* in_out, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const std::size_t n = static_cast<std::size_t>(bytes) / sizeof(std::int64_t);
  const auto* from = static_cast<const std::int64_t*>(in);
  auto* to = static_cast<std::int64_t*>(in_out);
  for (int message = 0; message < *count; ++message, from += n, to += n) {
    for (std::size_t k = 0; k < Agreement::kMaxima; ++k) {
      const double largest = std::max(std::bit_cast<double>(from[k]), std::bit_cast<double>(to[k]));
      to[k] = std::bit_cast<std::int64_t>(largest);
    }
    for (std::size_t k = Agreement::kMaxima; k < n; ++k) to[k] += from[k];
  }
}

}  // namespace

Agreement::~Agreement() {
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0 || type_ == MPI_DATATYPE_NULL) return;
  finish();
  MPI_Type_free(&type_);
  MPI_Op_free(&combine_);
}

void Agreement::prepare(std::size_t n_sums) {
  words_.resize(kMaxima + n_sums);
  MPI_Type_contiguous(static_cast<int>(words_.size()), MPI_INT64_T, &type_);
  MPI_Type_commit(&type_);
  MPI_Op_create(combine, 1, &combine_);
}

void Agreement::start(const Communicator& comm, const Maxima& maxima, std::span<const std::int64_t> sums) {
  if (type_ == MPI_DATATYPE_NULL) prepare(sums.size());
  assert(words_.size() == kMaxima + sums.size());
  const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
  std::ranges::transform(maxima, words_.begin(), bits);
  std::ranges::copy(sums, words_.begin() + kMaxima);
  MPI_Iallreduce(MPI_IN_PLACE, words_.data(), 1, type_, combine_, comm.mpi(), &request_);
}

Agreement::Maxima Agreement::maxima() {
  finish();
  Maxima values{};
  for (std::size_t k = 0; k < kMaxima; ++k) values[k] = std::bit_cast<double>(words_[k]);
  return values;
}

std::span<const std::int64_t> Agreement::sums() {
  finish();
  return std::span(words_).subspan(kMaxima);
}

}  // namespace crumple::parallel
