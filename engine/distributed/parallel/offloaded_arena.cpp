// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/offloaded_arena.h"

#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include "distributed/tensors/memory_meter.h"
#include "distributed/tensors/square_sum.h"

namespace trainyard::parallel {

namespace {

constexpr std::size_t kMostWrites = 1;  ///< ranges of gradients that are being written

}  // namespace

OffloadedArena::OffloadedArena(const std::filesystem::path& folder, int rank, std::int64_t values,
                               std::int64_t gradients)
    : gradients_begin_(files::ScratchFile::aligned(bytes_before(values))),
      file_(std::make_shared<files::ScratchFile>(folder, gradients_begin_ + bytes_before(gradients),
                                                 Message("the weights and gradients of rank {}", rank))) {
    const auto buffer = [&](std::size_t begin, std::int64_t elements) {
        return at::from_blob(
            file_->bytes().data() + begin, {elements}, [file = file_](void*) {}, at::TensorOptions().dtype(at::kFloat));
    };
    values_ = buffer(0, values);
    gradients_ = buffer(gradients_begin_, gradients);
}

std::future<void> OffloadedArena::read_values(std::vector<Read> reads) {
    return reader_.post([this, reads = std::move(reads)] {
        for (const Read& one : reads)
            file_->read(bytes_before(one.values.begin), bytes_before(one.values.end), one.to);
    });
}

bool OffloadedArena::in_memory(const Range& values) const {
    return file_->in_memory(bytes_before(values.begin), bytes_before(values.end));
}

void OffloadedArena::release(const Range& values) const {
    file_->let_go(bytes_before(values.begin), bytes_before(values.end));
}

at::Tensor OffloadedArena::open_gradients(const Range& gradients, bool accumulate) {
    const std::size_t begin = gradients_begin_ + bytes_before(gradients.begin),
                      end = gradients_begin_ + bytes_before(gradients.end);
    if (file_->in_memory(begin, end)) {
        squares_.erase(gradients.begin);
        return gradients_.narrow(0, gradients.begin, gradients.size());
    }
    const MemoryUseScope scope(MemoryUse::buckets);
    at::Tensor sums = at::empty({gradients.size()}, gradients_.options());
    if (accumulate) {
        finish_gradients();
        file_->read(begin, end, sums.data_ptr());
    }
    open_[gradients.begin] = sums;
    return sums;
}

void OffloadedArena::close_gradients(const Range& gradients) {
    const auto open = open_.find(gradients.begin);
    if (open == open_.end())
        return;
    while (writes_.size() >= kMostWrites)
        finish_oldest();
    Squares& squares = squares_[gradients.begin];  // the map moves no element
    squares.elements = gradients.size();
    writes_.push_back(
        writer_.post([this, &squares, begin = gradients_begin_ + bytes_before(gradients.begin),
                      end = gradients_begin_ + bytes_before(gradients.end), sums = std::move(open->second)] {
            const float* const numbers = sums.const_data_ptr<float>();
            squares.sum = sum_of_squares({numbers, static_cast<std::size_t>(sums.numel())}, false);
            file_->write(begin, end, numbers);
        }));
    open_.erase(open);
}

void OffloadedArena::finish_oldest() {
    std::future<void> oldest = std::move(writes_.front());
    writes_.pop_front();
    oldest.get();
}

void OffloadedArena::finish_gradients() {
    while (!writes_.empty())
        finish_oldest();
    finished_version_ = gradients_._version();
}

std::optional<double> OffloadedArena::squares(const at::Tensor& view) const {
    const auto found = squares_.find(view.storage_offset());
    const bool is_known =
        found != squares_.end() && found->second.elements == view.numel() && gradients_._version() == finished_version_;
    return is_known ? std::optional(found->second.sum) : std::nullopt;
}

}  // namespace trainyard::parallel
