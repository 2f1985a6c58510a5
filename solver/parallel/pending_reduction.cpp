// The MPI operation that takes maxima of the first words and sums of the others.
#include "parallel/pending_reduction.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"

namespace crumple::parallel {

namespace {

/// The first word of an item is the number of maxima that follow it, the same on all ranks.
void combine_item(const std::int64_t* from, std::int64_t* into, std::size_t n_words) {
  const auto n_maxima = static_cast<std::size_t>(from[0]);
  CRUMPLE_ASSERT(from[0] == into[0] && n_maxima < n_words, from[0], into[0], n_words);
  for (std::size_t k = 1; k <= n_maxima; ++k)
    into[k] =
        std::bit_cast<std::int64_t>(std::max(std::bit_cast<double>(from[k]), std::bit_cast<double>(into[k])));
  for (std::size_t k = n_maxima + 1; k < n_words; ++k) into[k] += from[k];
}

void combine(void* from, void* into, int* n_items, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const std::size_t n_words = static_cast<std::size_t>(bytes) / sizeof(std::int64_t);
  for (int i = 0; i < *n_items; ++i)
    combine_item(static_cast<const std::int64_t*>(from) + i * n_words,
                 static_cast<std::int64_t*>(into) + i * n_words, n_words);
}

}  // namespace

PendingReduction::PendingReduction() { MPI_Op_create(combine, /*commute=*/1, &operation_); }

PendingReduction::~PendingReduction() {
  MPI_Wait(&request_, MPI_STATUS_IGNORE);
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  MPI_Op_free(&operation_);
}

std::span<std::int64_t> PendingReduction::sums(std::size_t n_sums) {
  sums_.resize(n_sums);
  return sums_;
}

/// Does nothing unless their number has changed.
void PendingReduction::lay_out(std::size_t n_maxima) {
  const std::size_t n_words = 1 + n_maxima + sums_.size();
  maxima_.resize(n_maxima);
  if (n_words == words_.size()) return;
  words_.resize(n_words);
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  MPI_Type_contiguous(static_cast<int>(n_words), MPI_INT64_T, &type_);
  MPI_Type_commit(&type_);
}

void PendingReduction::start(const Communicator& comm, std::span<const double> maxima) {
  CRUMPLE_ASSERT(request_ == MPI_REQUEST_NULL, maxima.size());
  comm_ = &comm;
  lay_out(maxima.size());
  words_[0] = static_cast<std::int64_t>(maxima.size());
  auto at = words_.begin() + 1;
  for (const double value : maxima) *at++ = std::bit_cast<std::int64_t>(value);
  std::ranges::copy(sums_, at);
  MPI_Iallreduce(MPI_IN_PLACE, words_.data(), 1, type_, operation_, comm.mpi(), &request_);
}

PendingReduction::Result PendingReduction::finish() {
  CRUMPLE_ASSERT(request_ != MPI_REQUEST_NULL, words_.size());
  comm_->wait({&request_, 1});
  auto at = words_.begin() + 1;
  for (double& value : maxima_) value = std::bit_cast<double>(*at++);
  std::copy(at, words_.end(), sums_.begin());
  return {maxima_, sums_};
}

}  // namespace crumple::parallel
