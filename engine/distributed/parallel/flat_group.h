#pragma once
// Flat groups: the parameters of a unit as slices of one aligned buffer each for values, gradients and optimizer state. All groups
// of a model lie one behind the other in one arena per buffer, in the order of the units, so that one norm, one clearing and one
// optimizer call serve them all, and a bucket of neighbouring groups is a slice too. Frozen parameters of all groups lie behind the
// trainable ones: buffers of gradients and optimizer state end before them.
//
// Neighbouring groups make buckets, whose gradients travel together. Where buffers are sharded (sharding.h) every bucket divides evenly
// among the ranks, and a rank holds its range of each: norm, clipping, optimizer and averages walk over owned() and ask nothing else.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/gradient_buffers.h"
#include "distributed/parallel/parameter.h"
#include "distributed/parallel/sharding.h"
#include "distributed/parallel/split.h"

namespace trainyard::parallel {

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
    /// `gradients` may be undefined: they get buffers. `visited`: autograd has to come by, because something in this group or below it is
    /// trained.
    void bind(const at::Tensor& values, const at::Tensor& compute, const at::Tensor& gradients, bool visited);
};

/// Neighbouring groups [first_group, end_group) whose gradients travel together.
struct ArenaBucket {
    std::string name;  ///< of the group that is complete last
    std::size_t first_group = 0, end_group = 0;
    Range range;
    Range owned;  ///< of sharded buffers, by this rank
};

/// A range that this rank owns, and where it begins in a buffer of owned elements alone (optimizer state) and in that of the gradients.
struct OwnedSlice {
    Range range;
    std::int64_t state = 0;
    std::int64_t gradient = 0;
};

struct ArenaOptions {
    std::int64_t bucket_bytes = 4 << 20;  ///< of gradients: the least worth a message of its own
    std::int64_t first_bucket_bytes = 0;  ///< of the one that is sent first; 0: as the others
    Sharding sharding{};                  ///< among `ranks`; one rank shares nothing out
    int rank = 0;
    int ranks = 1;
    /// False, on one rank: gradients exist for one bucket at a time, in gradient_buffers(), until whoever uses them releases it.
    bool keeps_gradients = true;
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
    FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device, bool decay_all,
              const ArenaOptions& options = {});

    const std::vector<FlatGroup>& groups() const { return groups_; }
    std::vector<FlatGroup>& groups() { return groups_; }
    const at::Tensor& values() const { return values_; }  ///< fp32 [elements]
    /// fp32 [trainable elements], or where gradients are sharded [owned elements].
    const at::Tensor& gradients() const { return gradients_; }
    const at::Tensor& compute() const { return compute_; }  ///< values() itself, or its copy in the compute dtype
    at::Tensor slice(const at::Tensor& buffer, Range range) const {
        return buffer.narrow(0, range.begin, range.size());
    }
    /// View of one parameter's place in a whole buffer of the arena.
    at::Tensor view(const at::Tensor& buffer, const Parameter& parameter) const;

    const Sharding& sharding() const { return options_.sharding; }
    bool keeps_gradients() const { return options_.keeps_gradients; }
    std::int64_t trainable_elements() const { return trainable_; }
    /// In the order in which they are complete: the last groups' first.
    const std::vector<ArenaBucket>& buckets() const { return buckets_; }
    /// What this rank updates, rising: everything that is trained where nothing is sharded.
    const std::vector<OwnedSlice>& owned() const { return owned_; }
    std::int64_t owned_elements() const { return owned_elements_; }
    /// A new buffer for optimizer state: of the owned elements, zeroed.
    at::Tensor new_state() const;
    /// Of an arena that keeps gradients: those of the owned slices behind the first `begin` elements of the arena, flat.
    std::vector<at::Tensor> owned_gradients(std::int64_t begin = 0) const;
    /// Of one parameter; valid when its bucket is reduced.
    at::Tensor owned_gradient(const Parameter& parameter) const;
    /// The elements of a trainable parameter that this rank owns, counted within it; they are one range, which may be empty.
    Range owned_of(const Parameter& parameter) const;
    /// Their place in a buffer of optimizer state, flat.
    at::Tensor state_view(const at::Tensor& state, const Parameter& parameter) const;
    /// Memory of gradients that are not kept; null where all are.
    GradientBuffers* gradient_buffers() const { return gradient_buffers_.get(); }

    /// Draws every parameter's start from (seed, its name, number of the element) and nothing else: the same in every order of groups, with
    /// every padding and on every device. Salmon et al., SC 2011 (base/philox.h).
    void initialise(std::uint64_t seed);
    /// After the values changed: refreshes the copy in the compute dtype.
    void refresh_compute();
    void forget_gradients();

    std::int64_t parameter_count() const { return parameter_count_; }  ///< without padding, with what is frozen

  private:
    void cut_buckets();
    void make_gradient_buffers();
    const OwnedSlice* slice_with(std::int64_t begin, std::int64_t end) const;
    Range place_of(const Parameter& parameter) const;

    ArenaOptions options_;
    std::vector<FlatGroup> groups_;
    at::Tensor values_, compute_, gradients_;
    std::int64_t parameter_count_ = 0, trainable_ = 0, owned_elements_ = 0;
    std::vector<ArenaBucket> buckets_;
    std::vector<OwnedSlice> owned_;
    std::unique_ptr<GradientBuffers> gradient_buffers_;  ///< parameters point to it
};

}  // namespace trainyard::parallel
