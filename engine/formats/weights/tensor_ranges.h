// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensors that are parts of those of another source: matrices that were stored as one, or several that become one.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// Bytes of a tensor of another source.
struct TensorRange {
    std::size_t tensor = 0;
    std::uint64_t offset = 0, bytes = 0;
};

/// A source whose tensors are ranges of another one's, one after the other.
class TensorRanges final : public WeightSource {
  public:
    explicit TensorRanges(std::unique_ptr<WeightSource> source) : source_(std::move(source)) {
        notes_ = source_->notes();
    }

    const WeightSource& source() const { return *source_; }
    void take(std::string name, std::vector<std::int64_t> shape, std::vector<TensorRange> ranges) {
        add(source_->kind(), std::move(name), source_->tensors()[ranges.front().tensor].dtype, std::move(shape));
        ranges_.push_back(std::move(ranges));
    }
    void take_whole(std::size_t tensor, std::string name) {
        const SourceTensor& info = source_->tensors()[tensor];
        take(std::move(name), info.shape, {{tensor, 0, info.bytes}});
    }

    std::shared_ptr<quantization::PackedMatrix> packed(std::size_t tensor) const override {
        return is_whole(tensor) ? source_->packed(ranges_[tensor].front().tensor) : nullptr;
    }
    bool is_packed(std::size_t tensor) const override {
        return is_whole(tensor) && source_->is_packed(ranges_[tensor].front().tensor);
    }
    std::optional<FilePiece> codes_piece(std::size_t tensor) const override {
        return is_whole(tensor) ? source_->codes_piece(ranges_[tensor].front().tensor) : std::nullopt;
    }
    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        for (const TensorRange& range : ranges_[tensor]) {
            std::uint64_t at = 0;
            source_->stream(range.tensor, [&](std::span<const std::byte> piece) {
                const std::uint64_t begin = std::max(at, range.offset),
                                    end = std::min(at + piece.size(), range.offset + range.bytes);
                if (begin < end)
                    sink(piece.subspan(static_cast<std::size_t>(begin - at), static_cast<std::size_t>(end - begin)));
                at += piece.size();
            });
        }
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool trusted) const override {
        if (ranges_[tensor].size() != 1)
            return {};
        const TensorRange& range = ranges_[tensor].front();
        const std::span<const std::byte> all = source_->mapped(range.tensor, trusted);
        return all.empty() ? all
                           : all.subspan(static_cast<std::size_t>(range.offset), static_cast<std::size_t>(range.bytes));
    }
    std::optional<FilePiece> piece(std::size_t tensor) const override {
        if (ranges_[tensor].size() != 1)
            return std::nullopt;
        const TensorRange& range = ranges_[tensor].front();
        std::optional<FilePiece> found = source_->piece(range.tensor);
        if (found)
            found = FilePiece{found->file, found->offset + range.offset, range.bytes};
        return found;
    }
    std::string kind() const override { return source_->kind(); }

  private:
    bool is_whole(std::size_t tensor) const {
        const TensorRange& first = ranges_[tensor].front();
        return ranges_[tensor].size() == 1 && first.bytes == source_->tensors()[first.tensor].bytes;
    }

    std::unique_ptr<WeightSource> source_;
    std::vector<std::vector<TensorRange>> ranges_;
};

}  // namespace trainyard::weights
