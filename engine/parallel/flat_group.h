#pragma once
// Flat groups: the parameters of a unit as slices of one aligned buffer each for values, gradients and optimizer state. All groups
// of a model lie one behind the other in one arena per buffer, in the order of the units, so that one norm, one clearing and one
// optimizer call serve them all, and a bucket of neighbouring groups is a slice too. Frozen parameters of all groups lie behind the
// trainable ones: buffers of gradients and optimizer state end before them.
//
// Today every buffer is replicated: each rank holds the whole of it. Sharding (ZeRO 1-3, FSDP) changes which range of a buffer a rank
// holds, `owned`, and nothing else.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::parallel {

/// [begin, end) in elements of the arena.
struct Range {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

/// One group: the decayed parameters first, then the others, each aligned to 64 bytes; the padding stays zero. Ranges are of what is
/// trained.
class FlatGroup {
  public:
    const std::string& name() const { return name_; }
    const std::vector<Parameter*>& parameters() const { return parameters_; }  ///< frozen ones last
    Range range() const { return range_; }                                     ///< decayed and plain
    Range decayed() const { return decayed_; }                                 ///< first part: weight decay applies
    Range plain() const { return {decayed_.end, range_.end}; }
    /// Zeroes the gradients that nothing wrote to.
    void settle_gradients();

  private:
    friend class FlatArena;
    std::string name_;
    std::vector<Parameter*> parameters_;
    std::vector<Range> places_;
    Range range_, decayed_;
    void place(Parameter* parameter, std::int64_t& position);
    /// `visited`: autograd has to come by, because something in this group or below it is trained.
    void bind(const at::Tensor& values, const at::Tensor& compute, const at::Tensor& gradients, bool visited);
};

/// Parameters of one unit, to be laid out.
struct GroupRequest {
    std::string name;
    std::vector<Parameter*> parameters;
};

class FlatArena {
  public:
    /// Lays out the groups and binds every parameter to its slices. With `decay_all` every parameter counts as decayed.
    /// `compute` is the dtype kernels multiply in; when it is not float32 a second copy of the values is kept in it.
    FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device, bool decay_all);

    const std::vector<FlatGroup>& groups() const { return groups_; }
    std::vector<FlatGroup>& groups() { return groups_; }
    const at::Tensor& values() const { return values_; }        ///< fp32 [elements]
    const at::Tensor& gradients() const { return gradients_; }  ///< fp32 [trainable elements]
    const at::Tensor& compute() const { return compute_; }      ///< values() itself, or its copy in the compute dtype
    at::Tensor slice(const at::Tensor& buffer, Range range) const {
        return buffer.narrow(0, range.begin, range.size());
    }
    /// A new buffer for optimizer state, zeroed: as large as that of the gradients.
    at::Tensor new_buffer() const;
    /// View of one parameter's place in a buffer of the arena.
    at::Tensor view(const at::Tensor& buffer, const Parameter& parameter) const;

    /// Draws every parameter's start from (seed, its name, number of the element) and nothing else: the same in every order of groups, with
    /// every padding and on every device. Salmon et al., SC 2011 (base/philox.h).
    void initialise(std::uint64_t seed);
    /// After the values changed: refreshes the copy in the compute dtype.
    void refresh_compute();
    void forget_gradients();

    std::int64_t parameter_count() const { return parameter_count_; }  ///< without padding, with what is frozen

  private:
    std::vector<FlatGroup> groups_;
    at::Tensor values_, compute_, gradients_;
    std::int64_t parameter_count_ = 0;
};

}  // namespace trainyard::parallel
