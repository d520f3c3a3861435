// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Buffers for gradients that no rank keeps whole (ZeRO-2): one buffer per bucket. It is allocated for the first contribution to any gradient of
// the bucket and released once the sums are on the ranks that own them; in between, the parameters' gradients are views of it.

#include <cstddef>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::parallel {

class GradientBuffers {
  public:
    explicit GradientBuffers(at::TensorOptions options) : options_(options) {}
    GradientBuffers(const GradientBuffers&) = delete;
    GradientBuffers& operator=(const GradientBuffers&) = delete;

    /// Offset of a parameter's gradient in its bucket, in elements.
    struct Place {
        Parameter* parameter = nullptr;
        std::int64_t begin = 0;
    };
    /// Buckets are numbered in the order in which they are added. `places` are in ascending order.
    void add_bucket(std::int64_t elements, std::vector<Place> places);

    /// Allocates the bucket's buffer unless it exists. The padding between gradients is zero; the gradients are uninitialised.
    const at::Tensor& allocate(std::size_t bucket);
    /// Frees the buffer: the gradients become undefined, and the next contribution overwrites instead of adding.
    void release(std::size_t bucket);

    std::int64_t bytes() const { return bytes_; }            ///< allocated now
    std::int64_t most_bytes() const { return most_bytes_; }  ///< the peak so far

  private:
    struct Bucket {
        std::int64_t elements = 0;
        std::vector<Place> places;
        at::Tensor buffer;
    };
    at::TensorOptions options_;
    std::vector<Bucket> buckets_;
    std::int64_t bytes_ = 0, most_bytes_ = 0;
};

}  // namespace trainyard::parallel
