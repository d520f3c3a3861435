// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/offloaded_arena.h"

#include <algorithm>

#include <ATen/ops/from_blob.h>

#include "base/files/page_size.h"

namespace trainyard::parallel {

OffloadedArena::OffloadedArena(const std::filesystem::path& folder, int rank, std::int64_t values,
                               std::int64_t gradients)
    : gradients_begin_((bytes_before(values) + files::page_size() - 1) / files::page_size() * files::page_size()),
      file_(std::make_shared<files::ScratchFile>(folder, gradients_begin_ + bytes_before(gradients),
                                                 Message("the weights and gradients of rank {}", rank))) {
    const auto buffer = [&](std::size_t begin, std::int64_t elements) {
        return at::from_blob(
            file_->bytes().data() + begin, {elements}, [file = file_](void*) {}, at::TensorOptions().dtype(at::kFloat));
    };
    values_ = buffer(0, values);
    gradients_ = buffer(gradients_begin_, gradients);
}

void OffloadedArena::read_ahead(const Range& values) const {
    file_->read_ahead(bytes_before(values.begin), bytes_before(values.end));
}

void OffloadedArena::release(const Range& values) const {
    file_->let_go(bytes_before(values.begin), bytes_before(values.end));
    if (const std::int64_t begin = std::max<std::int64_t>(values.begin, cached_); begin < values.end)
        file_->finish_write(bytes_before(begin), bytes_before(values.end));
}

void OffloadedArena::release_gradients(const Range& gradients) const {
    const std::size_t begin = gradients_begin_ + bytes_before(gradients.begin),
                      end = gradients_begin_ + bytes_before(gradients.end);
    file_->let_go(begin, end);
    if (gradients.end > cached_)
        file_->begin_write(begin, end);
}

}  // namespace trainyard::parallel
