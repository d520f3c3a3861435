#pragma once
// Memory of gradients that no rank keeps whole (ZeRO-2). A bucket has a room from the first contribution to one of its gradients until
// their sums are with the ranks that own them; parameters' gradients are views of it meanwhile.

#include <cstddef>
#include <vector>

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::parallel {

class GradientRooms {
  public:
    explicit GradientRooms(at::TensorOptions options) : options_(options) {}
    GradientRooms(const GradientRooms&) = delete;
    GradientRooms& operator=(const GradientRooms&) = delete;

    /// A parameter's place in its bucket, in elements.
    struct Place {
        Parameter* parameter = nullptr;
        std::int64_t begin = 0;
    };
    /// Buckets are numbered in the order added. `places` rise.
    void add_bucket(std::int64_t elements, std::vector<Place> places);

    /// Makes the room unless it is there. What lies between the gradients is zero; they themselves are whatever was there.
    const at::Tensor& provide(std::size_t bucket);
    /// Gives the memory back: the gradients are undefined, and the next contribution is a first one.
    void release(std::size_t bucket);

    std::int64_t bytes() const { return bytes_; }            ///< of the rooms that are there
    std::int64_t most_bytes() const { return most_bytes_; }  ///< at one time, so far

  private:
    struct Bucket {
        std::int64_t elements = 0;
        std::vector<Place> places;
        at::Tensor room;
    };
    at::TensorOptions options_;
    std::vector<Bucket> buckets_;
    std::int64_t bytes_ = 0, most_bytes_ = 0;
};

}  // namespace trainyard::parallel
