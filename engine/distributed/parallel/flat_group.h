// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Flat groups: the parameters of a unit as slices of one aligned buffer each for values, gradients and optimizer state.
// All groups of a model follow each other in one arena per buffer, in the order of the units, so that one norm,
// one clearing and one optimizer call serve them all, and a bucket of neighbouring groups is a slice too. Frozen
// parameters of all groups come after the trainable ones: buffers of gradients and optimizer state end before them.
//
// Neighbouring groups make buckets, whose gradients travel together. Where buffers are sharded (sharding.h) every
// bucket divides evenly among the ranks, and a rank holds its range of each: norm, clipping, optimizer and averages
// walk over owned() and ask nothing else. Where values are sharded, too, a bucket is the trained part of a room
// (value_rooms.h), and frozen ranges are divided in the same way. Groups of experts that not all of these ranks have
// are divided among those that have them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/gradient_buffers.h"
#include "distributed/parallel/offloaded_arena.h"
#include "distributed/parallel/parameter.h"
#include "distributed/parallel/sharding.h"
#include "distributed/parallel/shared_mapping.h"
#include "distributed/parallel/split.h"
#include "distributed/parallel/value_rooms.h"

namespace trainyard::parallel {

/// One group: the decayed parameters first, then the others, each aligned to 64 bytes; the padding stays zero. Ranges
/// are of what is trained.
class FlatGroup {
  public:
    const std::string& name() const { return name_; }
    const std::vector<Parameter*>& parameters() const { return parameters_; }  ///< frozen ones last
    Range range() const { return range_; }                                     ///< decayed and plain
    Range decayed() const { return decayed_; }                                 ///< first part: weight decay applies
    Range plain() const { return {decayed_.end, range_.end}; }
    bool is_of_experts() const { return of_experts_; }  ///< as its request
    bool is_persistent() const { return persistent_; }  ///< as its request
    /// Zeroes the gradients that nothing wrote to.
    void settle_gradients();

  private:
    friend class FlatArena;
    std::string name_;
    std::vector<Parameter*> parameters_;
    std::vector<Range> places_;
    Range range_, decayed_, frozen_;
    bool of_experts_ = false, persistent_ = false;
    void place(Parameter* parameter, std::int64_t& position);
    /// `gradients` may be undefined: they get buffers. So may `values` and `compute`: they are views of `rooms`.
    /// `vectors`, unless undefined, has the fp32 values of parameters with fewer than two dimensions; those of this
    /// group begin at `vector`, which becomes their end. `visited`: autograd has to come by, because something in this
    /// group or below it is trained.
    void bind(const at::Tensor& values, const at::Tensor& compute, const ValueRooms* rooms, const at::Tensor& gradients,
              const at::Tensor& vectors, std::int64_t& vector, bool visited);
};

/// Neighbouring groups [first_group, end_group) whose gradients travel together.
struct ArenaBucket {
    std::string name;  ///< of the group that is complete last
    std::size_t first_group = 0, end_group = 0;
    Range range;
    Range owned;              ///< of sharded buffers, by this rank
    bool of_experts = false;  ///< all of its groups
};

/// A range that this rank owns, and where it begins in a buffer of owned elements alone (optimizer state), in that of
/// the gradients and in that of the values.
struct OwnedSlice {
    Range range;
    std::int64_t state = 0;
    std::int64_t gradient = 0;
    std::int64_t value = 0;
};

struct ArenaOptions {
    std::int64_t bucket_bytes = 4 << 20;  ///< of gradients: the least worth a message of its own
    std::int64_t first_bucket_bytes = 0;  ///< of the one that is sent first; 0: as the others
    Sharding sharding{};                  ///< among `ranks`; one rank shards nothing
    std::int64_t room_elements = 1;       ///< where values are sharded: neighbouring groups are joined up to this size
    int rank = 0;
    int ranks = 1;
    int expert_rank = 0;   ///< as rank and ranks, of groups of experts
    int expert_ranks = 0;  ///< 0: the same
    /// Where values are sharded: a folder for the values and gradients that this rank owns (offloaded_arena.h), also of
    /// one rank alone; empty: they are in memory.
    std::filesystem::path offload_folder{};
    /// Where values are sharded: the ranks, if they are on one machine and shares_memory(): they have one memory for
    /// rooms. The constructor is collective then. Null: each rank has rooms of its own.
    Communicator* room_sharers = nullptr;
    /// False, on one rank: gradients exist for one bucket at a time, in gradient_buffers(), until their user releases
    /// the bucket.
    bool keeps_gradients = true;
    /// In memory, and with a compute dtype other than fp32: values are in that dtype alone, without fp32 masters
    /// (optim/stochastic_rounding.h). Parameters with fewer than two dimensions have fp32 copies for kernels.
    bool values_in_compute_type = false;
};

/// Parameters of one unit, to be laid out.
struct GroupRequest {
    std::string name;
    std::vector<Parameter*> parameters;
    /// Of experts that this rank has and other data ranks have not: its gradients travel in buckets of their own.
    bool of_experts = false;
    /// Where values are sharded: they are whole between two updates, in a room that is never closed.
    bool persistent = false;
};

class FlatArena {
  public:
    /// Lays out the groups and binds every parameter to its slices. With `decay_all` every parameter counts as decayed.
    /// `compute` is the dtype kernels multiply in; when it is not float32 a second copy of the values is kept in it.
    FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device, bool decay_all,
              const ArenaOptions& options = {});

    const std::vector<FlatGroup>& groups() const { return groups_; }
    std::vector<FlatGroup>& groups() { return groups_; }
    /// fp32 [elements], or in the compute dtype (ArenaOptions::values_in_compute_type); where values are sharded the
    /// owned elements of what is trained, then of what is frozen. fp32 rooms that the ranks share: the rooms of all
    /// ranks, of which this rank writes what it owns.
    const at::Tensor& values() const { return values_; }
    /// fp32 [trainable elements], or where gradients are sharded [owned elements].
    const at::Tensor& gradients() const { return gradients_; }
    /// values() itself, or its copy in the compute dtype; undefined where values are sharded.
    const at::Tensor& compute() const { return compute_; }
    at::ScalarType compute_type() const { return compute_type_; }
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
    /// For an arena that keeps gradients: returns those of the owned slices after the first `begin` elements, flat.
    std::vector<at::Tensor> owned_gradients(std::int64_t begin = 0) const;
    /// Returns the owned gradient of one parameter; valid after its bucket was reduced.
    at::Tensor owned_gradient(const Parameter& parameter) const;
    /// The elements of a trainable parameter that this rank owns, counted within it; they are one range, which may be
    /// empty.
    Range owned_of(const Parameter& parameter) const;
    /// Their values as in values(), flat.
    at::Tensor owned_value(const Parameter& parameter) const;
    /// The elements of any parameter of which this rank has the values(): all, unless values are sharded.
    Range held_of(const Parameter& parameter) const;
    /// Those values, flat.
    at::Tensor held_value(const Parameter& parameter) const;
    /// Copies this rank's elements from a tensor of the parameter's whole_shape(). refresh_compute() afterwards.
    void set_value(const Parameter& parameter, const at::Tensor& whole) const;
    /// Their place in a buffer of optimizer state, flat.
    at::Tensor state_view(const at::Tensor& state, const Parameter& parameter) const;
    /// Memory of gradients that are not kept; null where all are.
    GradientBuffers* gradient_buffers() const { return gradient_buffers_.get(); }
    /// The file of values and gradients; null where they are in memory.
    OffloadedArena* offloaded() const { return offloaded_.get(); }
    /// Whether the rooms of all ranks are one memory.
    bool shares_rooms() const { return shared_ != nullptr; }
    /// This rank's part of that memory, in bytes.
    std::int64_t shared_bytes() const;
    /// Bytes of the values, their copies and their gradients that this rank has in memory, without rooms of its own. Of
    /// memory that the ranks share its part.
    std::int64_t own_bytes() const;
    /// Rooms for whole values; null where every rank has them.
    ValueRooms* value_rooms() const { return value_rooms_.get(); }

    /// Draws every parameter's start from (seed, its name, number of the element) and nothing else: the same in every
    /// order of groups, with every padding and on every device. Salmon et al., SC 2011 (base/philox.h).
    void initialise(std::uint64_t seed);
    /// After the values changed: refreshes the copy in the compute dtype, or the fp32 copies of vectors.
    void refresh_compute();
    void forget_gradients();

    std::int64_t parameter_count() const { return parameter_count_; }  ///< without padding, with what is frozen

  private:
    /// Neighbouring groups, and what of them is trained and frozen.
    struct Cut {
        std::size_t first_group = 0, end_group = 0;
        Range trained, frozen;
        bool of_experts = false, persistent = false;
    };
    /// Where a parameter is: its elements in the arena, and the owned slice that may have some of them.
    struct Spot {
        Range range;
        const OwnedSlice* slice = nullptr;
        /// Of the owned elements, in a buffer in which the slice begins at `begin`.
        Range owned() const;
        std::int64_t place_in(std::int64_t begin) const {
            return begin + range.begin + owned().begin - slice->range.begin;
        }
    };
    void cut_buckets();
    void add_owned(std::vector<OwnedSlice>& slices, const Range& range, std::int64_t gradient);
    int shares(bool of_experts) const {
        return of_experts && options_.expert_ranks > 0 ? options_.expert_ranks : options_.ranks;
    }
    int share(bool of_experts) const {
        return of_experts && options_.expert_ranks > 0 ? options_.expert_rank : options_.rank;
    }
    Range share_of(const Range& range, bool of_experts) const;
    void find_spots();
    void share_rooms();
    void place_values();
    void make_values(std::int64_t elements, const at::TensorOptions& options);
    void make_gradient_buffers();
    void make_value_rooms();
    /// Rooms have the masters, each rank's share of them where all ranks see it.
    bool masters_in_rooms() const { return shared_ != nullptr && compute_type_ == at::kFloat; }
    bool has_narrow_values() const {
        return options_.values_in_compute_type && compute_type_ != at::kFloat && options_.offload_folder.empty();
    }
    const Spot& spot_of(const Parameter& parameter) const { return spots_.at(&parameter); }

    ArenaOptions options_;
    std::shared_ptr<SharedMapping> shared_;  ///< of rooms; empty: each rank has its own
    std::unique_ptr<OffloadedArena> offloaded_;
    std::vector<FlatGroup> groups_;
    at::Tensor values_, compute_, gradients_;
    at::Tensor
        vectors_;  ///< fp32 values of parameters with fewer than two dimensions; undefined where value() has them
    at::ScalarType compute_type_;
    std::int64_t parameter_count_ = 0, trainable_ = 0, owned_elements_ = 0, held_elements_ = 0;
    std::vector<ArenaBucket> buckets_;
    std::vector<Cut> cuts_;  ///< last groups first
    std::vector<OwnedSlice> owned_;
    std::vector<OwnedSlice> frozen_;  ///< of what is frozen, where values are sharded; rising
    std::map<const Parameter*, Spot> spots_;
    std::unique_ptr<GradientBuffers> gradient_buffers_;  ///< parameters point to it
    std::unique_ptr<ValueRooms> value_rooms_;
};

}  // namespace trainyard::parallel
