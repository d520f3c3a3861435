// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/flat_group.h"

#include <algorithm>
#include <array>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <sys/mman.h>

#include "base/philox.h"
#include "distributed/parallel/tensor_part.h"
#include "distributed/tensors/memory_meter.h"

namespace trainyard::parallel {

namespace {

constexpr std::int64_t kFlatAlignment = 16;  // elements: 64 bytes of fp32, one cache line and one AVX-512 register

std::int64_t aligned(std::int64_t position, std::int64_t to = kFlatAlignment) {
    return (position + to - 1) / to * to;
}

/// Zeros, on the host in large pages where the system gives them for the asking: every step walks through all of these
/// buffers, and the first one is spared tens of thousands of page faults.
at::Tensor zeros_in_large_pages(MemoryUse use, std::int64_t count, const at::TensorOptions& options) {
    const MemoryUseScope scope(use);
    if (!options.device().is_cpu())
        return at::zeros({count}, options);
    at::Tensor buffer = at::empty({count}, options);
    constexpr std::uintptr_t kLargePage = 2 << 20;
    auto begin = reinterpret_cast<std::uintptr_t>(buffer.data_ptr()), end = begin + buffer.nbytes();
    std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage, last = end / kLargePage * kLargePage;
    if (first < last)
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // advisory: else pages are small
    return buffer.zero_();
}

/// Elements [begin, end) of a parameter. Element i is number i % 4 of counter i / 4 in the stream (seed, name).
void draw(float* out, const Range& part, std::uint64_t seed, const std::string& name, const Initialiser& initialiser) {
    const auto deviation = static_cast<float>(initialiser.deviation);
    const bool positive = initialiser.kind == Initialiser::Kind::positive;
    const bool uniform = initialiser.kind == Initialiser::Kind::uniform || positive;
    const std::uint64_t hash = hash_of_name(name);
    at::parallel_for(part.begin / 4, (part.end + 3) / 4, 8192, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            auto bits = philox(seed, RandomStream::initialisation, static_cast<std::uint32_t>(hash),
                               static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint64_t>(block));
            auto first = normal_pair(bits[0], bits[1]), second = normal_pair(bits[2], bits[3]);
            const auto share = [positive](std::uint32_t word) {
                const auto number = static_cast<float>(word >> 8);
                return positive ? number * 0x1p-24F : number * 0x1p-23F - 1.0F;
            };
            const std::array<float, 4> evenly{share(bits[0]), share(bits[1]), share(bits[2]), share(bits[3])};
            const std::array<float, 4> normally{first[0], first[1], second[0], second[1]};
            const std::array<float, 4>& numbers = uniform ? evenly : normally;
            for (std::int64_t i = std::max(part.begin, 4 * block); i < std::min(part.end, 4 * block + 4); ++i)
                out[i - part.begin] = deviation * numbers[static_cast<std::size_t>(i % 4)];
        }
    });
}

/// `value` has the elements `part` of the parameter, of which this rank may have a part.
void initialise_part(const Parameter& parameter, const Range& part, const at::Tensor& value, std::uint64_t seed) {
    switch (parameter.initialiser().kind) {
        case Initialiser::Kind::zeros:
            value.zero_();
            return;
        case Initialiser::Kind::ones:
            value.fill_(1);
            return;
        case Initialiser::Kind::constant:
            value.fill_(parameter.initialiser().deviation);
            return;
        case Initialiser::Kind::normal:
        case Initialiser::Kind::uniform:
        case Initialiser::Kind::positive:
            break;
    }
    if (part.size() == 0)
        return;
    // Drawn on the host, whatever the device: the same bits everywhere.
    const bool in_place = value.is_cpu() && value.scalar_type() == at::kFloat;
    at::Tensor drawn = in_place ? value : at::empty(value.sizes(), at::TensorOptions().dtype(at::kFloat));
    float* out = drawn.data_ptr<float>();
    if (parameter.part() == nullptr)
        draw(out, part, seed, parameter.name(), parameter.initialiser());
    else  // elements have their numbers in the whole tensor
        parameter.part()->for_runs([&](std::int64_t begin, std::int64_t whole_begin, std::int64_t count) {
            const std::int64_t first = std::max(begin, part.begin), last = std::min(begin + count, part.end);
            if (first < last)
                draw(out + (first - part.begin), {whole_begin + first - begin, whole_begin + last - begin}, seed,
                     parameter.name(), parameter.initialiser());
        });
    if (!in_place)
        value.copy_(drawn);
}

bool is_vector(const Parameter& parameter) {
    return parameter.shape().size() < 2;
}

}  // namespace

void FlatGroup::place(Parameter* parameter, std::int64_t& position) {
    parameters_.push_back(parameter);
    places_.push_back({position, position + parameter->numel()});
    position = aligned(position + parameter->numel());
}

void FlatGroup::bind(const at::Tensor& values, const at::Tensor& compute, const ValueRooms* rooms,
                     const at::Tensor& gradients, const at::Tensor& vectors, std::int64_t& vector, bool visited) {
    at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        Parameter& parameter = *parameters_[i];
        auto view = [&](const at::Tensor& buffer) {
            return buffer.narrow(0, places_[i].begin, places_[i].size()).view(parameter.shape());
        };
        parameter.value_ = rooms != nullptr ? rooms->value_view(parameter) : view(values);
        if (vectors.defined() && is_vector(parameter)) {
            parameter.value_ = vectors.narrow(0, vector, parameter.numel()).view(parameter.shape());
            vector += parameter.numel();
        }
        parameter.gradient_buffers_ = nullptr;
        parameter.gradient_ = parameter.trains() && gradients.defined() ? view(gradients) : at::Tensor();
        parameter.compute_ = (rooms != nullptr ? rooms->compute_view(parameter) : view(compute)).detach();
        parameter.compute_.set_requires_grad(visited);
    }
}

void FlatGroup::settle_gradients() {
    for (Parameter* parameter : parameters_)
        parameter->settle_gradient();
}

FlatArena::FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device, bool decay_all,
                     const ArenaOptions& options)
    : options_(options), compute_type_(compute) {
    if (options_.ranks == 1 && options_.offload_folder.empty())
        options_.sharding = Sharding{};
    const Sharding& sharding = options_.sharding;
    if (!sharding.values)
        options_.offload_folder.clear();
    if (!sharding.values || options_.ranks == 1)
        options_.sharding.plus = {};
    // Rooms of weights on a disk are not shared: their memory is given back when they are closed, and of shared memory
    // every rank has to fault in the pages of the next one. Opening 7 MB so took 2.4 ms, and 0.6 ms with rooms of each
    // rank that are gathered.
    if (!sharding.values || !options_.offload_folder.empty() || options_.expert_ranks > 0 || sharding.plus.any())
        options_.room_sharers = nullptr;
    // So that the ranks' shares of a bucket are equal and whole cache lines.
    const auto end_of = [&](const FlatGroup& group, std::int64_t begin, std::int64_t end) {
        const std::int64_t ranks = sharding.any() ? shares(group.of_experts_) : 1;
        return begin + aligned(end - begin, ranks * kFlatAlignment);
    };
    std::int64_t position = 0;
    for (const GroupRequest& request : groups) {
        FlatGroup group;
        group.name_ = request.name;
        group.of_experts_ = request.of_experts;
        group.persistent_ = request.persistent;
        group.range_.begin = position;
        for (bool decayed : {true, false}) {
            for (Parameter* parameter : request.parameters)
                if (parameter->trains() && (decay_all || parameter->decays_by_default()) == decayed)
                    group.place(parameter, position);
            if (decayed)
                group.decayed_ = {group.range_.begin, position};
        }
        position = end_of(group, group.range_.begin, position);
        group.range_.end = position;
        groups_.push_back(std::move(group));
    }
    trainable_ = position;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups_[i].frozen_.begin = position;
        for (Parameter* parameter : groups[i].parameters) {
            if (!parameter->trains())
                groups_[i].place(parameter, position);
            parameter_count_ += parameter->numel();
        }
        if (sharding.values)
            position = end_of(groups_[i], groups_[i].frozen_.begin, position);
        groups_[i].frozen_.end = position;
    }
    cut_buckets();
    share_rooms();
    place_values();
    find_spots();
    make_values(position, at::TensorOptions().device(device).dtype(at::kFloat));
    const bool keeps_all = !sharding.gradients && options_.keeps_gradients;
    bool visited = false;
    std::int64_t vector = 0;
    for (FlatGroup& group : groups_) {
        visited |= group.range().size() > 0;
        group.bind(values_, compute_, value_rooms_.get(), keeps_all ? gradients_ : at::Tensor(), vectors_, vector,
                   visited);
    }
    if (!keeps_all)
        make_gradient_buffers();
}

void FlatArena::make_values(std::int64_t elements, const at::TensorOptions& options) {
    const Sharding& sharding = options_.sharding;
    const std::int64_t gradients = !options_.keeps_gradients ? 0 : sharding.gradients ? owned_elements_ : trainable_;
    if (!options_.offload_folder.empty()) {
        offloaded_ =
            std::make_unique<OffloadedArena>(options_.offload_folder, options_.rank, held_elements_, gradients);
        values_ = offloaded_->values();
        gradients_ = offloaded_->gradients();
    } else {
        if (masters_in_rooms())
            values_ = at::from_blob(
                shared_->data(), {elements}, [memory = shared_](void*) {}, options);
        else
            values_ = zeros_in_large_pages(MemoryUse::weights, sharding.values ? held_elements_ : elements,
                                           options.dtype(has_narrow_values() ? compute_type_ : at::kFloat));
        gradients_ = zeros_in_large_pages(MemoryUse::gradients, gradients, options);
    }
    if (sharding.values)
        make_value_rooms();
    else
        compute_ = compute_type_ == at::kFloat || has_narrow_values()
                       ? values_
                       : zeros_in_large_pages(MemoryUse::compute_copy, elements, options.dtype(compute_type_));
    if (has_narrow_values() && !sharding.values) {
        std::int64_t count = 0;
        for (const FlatGroup& group : groups_)
            for (const Parameter* parameter : group.parameters())
                count += is_vector(*parameter) ? parameter->numel() : 0;
        vectors_ = zeros_in_large_pages(MemoryUse::weights, count, options);
    }
}

std::int64_t FlatArena::own_bytes() const {
    const auto bytes = [](const at::Tensor& tensor) {
        return tensor.defined() ? static_cast<std::int64_t>(tensor.nbytes()) : 0;
    };
    return (offloaded_ ? 0 : bytes(gradients_) + (masters_in_rooms() ? 0 : bytes(values_))) +
           (compute_.is_same(values_) ? 0 : bytes(compute_)) + bytes(vectors_) + shared_bytes();
}

std::int64_t FlatArena::shared_bytes() const {
    std::int64_t rooms = 0;  // of all ranks together
    for (const Cut& cut : cuts_)
        if (shared_)
            rooms +=
                (cut.trained.size() + cut.frozen.size()) * static_cast<std::int64_t>(c10::elementSize(compute_type_));
    return rooms / options_.ranks;
}

/// From the last group on. Where values are sharded a cut is a room, else a bucket of gradients.
void FlatArena::cut_buckets() {
    const bool values = options_.sharding.values;
    const std::int64_t element = sizeof(float);
    std::int64_t end = trainable_;
    std::int64_t frozen_end = groups_.empty() ? 0 : groups_.back().frozen_.end;
    std::size_t end_group = groups_.size();
    for (std::size_t i = groups_.size(); i-- > 0;) {
        const Range trained{groups_[i].range().begin, end}, frozen{groups_[i].frozen_.begin, frozen_end};
        const std::int64_t size = trained.size() + (values ? frozen.size() : 0);
        const std::int64_t least = values ? options_.room_elements * element
                                   : buckets_.empty() && options_.first_bucket_bytes > 0 ? options_.first_bucket_bytes
                                                                                         : options_.bucket_bytes;
        const bool ends = i == 0 || groups_[i - 1].is_of_experts() != groups_[i].is_of_experts() ||
                          groups_[i - 1].is_persistent() != groups_[i].is_persistent();
        if (size == 0 || (!ends && size * element < least))
            continue;
        cuts_.push_back({i, end_group, trained, frozen, groups_[i].is_of_experts(), groups_[i].is_persistent()});
        if (trained.size() > 0) {
            ArenaBucket bucket;
            bucket.first_group = i;
            while (groups_[bucket.first_group].range().size() == 0)  // nothing of it is trained
                ++bucket.first_group;
            bucket.end_group = end_group;
            bucket.name = groups_[bucket.first_group].name();
            bucket.of_experts = groups_[bucket.first_group].is_of_experts();
            bucket.range = trained;
            bucket.owned = options_.sharding.any() ? share_of(trained, bucket.of_experts) : trained;
            buckets_.push_back(std::move(bucket));
        }
        end = trained.begin;
        frozen_end = frozen.begin;
        end_group = i;
    }
    if (!options_.sharding.any()) {
        owned_.push_back({{0, trainable_}, 0, 0, 0});
        owned_elements_ = trainable_;
        return;
    }
    for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
        owned_.push_back({bucket->owned, owned_elements_,
                          options_.sharding.gradients ? owned_elements_ : bucket->owned.begin, bucket->owned.begin});
        owned_elements_ += bucket->owned.size();
    }
    for (auto cut = cuts_.rbegin(); values && cut != cuts_.rend(); ++cut)
        if (cut->frozen.size() > 0)
            frozen_.push_back({share_of(cut->frozen, cut->of_experts), 0, 0, 0});
}

/// One memory for the rooms of all ranks, if they have one machine.
void FlatArena::share_rooms() {
    if (options_.room_sharers == nullptr)
        return;
    std::size_t bytes = 0;
    for (const Cut& cut : cuts_)
        bytes += ValueRooms::shared_bytes(cut.trained.size() + cut.frozen.size(), c10::elementSize(compute_type_));
    for (const FlatGroup& group : groups_)
        for (const Parameter* parameter : group.parameters())
            if (compute_type_ != at::kFloat && parameter->shape().size() < 2)
                bytes += ValueRooms::shared_bytes(parameter->numel(), sizeof(float));
    shared_ = std::make_shared<SharedMapping>(share_mapping(*options_.room_sharers, bytes, "trainyard-rooms"));
    if (!*shared_)
        shared_.reset();
}

/// Sets the places of the values of this rank's shares in values_.
void FlatArena::place_values() {
    held_elements_ = owned_elements_;
    if (!options_.sharding.values)
        return;
    // Masters in rooms: the rooms one after the other, each with what is trained before what is frozen.
    std::int64_t room_begin = 0;
    auto trained = owned_.begin(), frozen = frozen_.begin();
    for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) {
        const std::int64_t room_frozen = room_begin + cut->trained.size();
        if (cut->trained.size() > 0) {
            trained->value =
                masters_in_rooms() ? room_begin + trained->range.begin - cut->trained.begin : trained->state;
            ++trained;
        }
        if (cut->frozen.size() > 0) {
            frozen->value = masters_in_rooms() ? room_frozen + frozen->range.begin - cut->frozen.begin : held_elements_;
            held_elements_ += (frozen++)->range.size();
        }
        room_begin = room_frozen + cut->frozen.size();
    }
}

Range FlatArena::share_of(const Range& range, bool of_experts) const {
    const std::int64_t size = range.size() / shares(of_experts), begin = range.begin + share(of_experts) * size;
    return {begin, begin + size};
}

/// A parameter is in one bucket, of which a rank owns one range.
void FlatArena::find_spots() {
    for (const FlatGroup& group : groups_)
        for (std::size_t i = 0; i < group.parameters_.size(); ++i) {
            Spot spot{group.places_[i], nullptr};
            for (const OwnedSlice& slice : group.parameters_[i]->trains() ? owned_ : frozen_)
                if (slice.range.begin < spot.range.end && spot.range.begin < slice.range.end)
                    spot.slice = &slice;
            spots_.emplace(group.parameters_[i], spot);
        }
}

Range FlatArena::Spot::owned() const {
    return slice == nullptr ? Range{}
                            : Range{std::max(range.begin, slice->range.begin) - range.begin,
                                    std::min(range.end, slice->range.end) - range.begin};
}

void FlatArena::make_gradient_buffers() {
    gradient_buffers_ = std::make_unique<GradientBuffers>(gradients_.options());
    for (const ArenaBucket& bucket : buckets_) {
        std::vector<GradientBuffers::Place> places;
        for (std::size_t g = bucket.first_group; g < bucket.end_group; ++g)
            for (Parameter* parameter : groups_[g].parameters())
                if (parameter->trains())
                    places.push_back({parameter, spot_of(*parameter).range.begin - bucket.range.begin});
        gradient_buffers_->add_bucket(bucket.range.size(), std::move(places));
    }
}

void FlatArena::make_value_rooms() {
    ValueRooms::Memory memory;
    memory.masters = offloaded_.get();
    if (shared_)
        memory.shared = {shared_->data(), shared_->bytes()};
    value_rooms_ = std::make_unique<ValueRooms>(values_.options().dtype(compute_type_), memory);
    std::map<std::int64_t, const OwnedSlice*> slice_from;  // by the begin of the share
    for (const std::vector<OwnedSlice>* slices : {&owned_, &frozen_})
        for (const OwnedSlice& slice : *slices)
            slice_from[slice.range.begin] = &slice;
    for (auto cut = cuts_.rbegin(); cut != cuts_.rend(); ++cut) {
        std::vector<ValueRooms::Part> parts;
        std::vector<ValueRooms::Place> places;
        std::int64_t begin = 0;
        for (const Range& range : {cut->trained, cut->frozen}) {
            if (range.size() == 0)
                continue;
            const OwnedSlice& own = *slice_from.at(share_of(range, cut->of_experts).begin);
            parts.push_back({{begin, begin + range.size()}, values_.narrow(0, own.value, own.range.size())});
            for (std::size_t g = cut->first_group; g < cut->end_group; ++g)
                for (const Parameter* parameter : groups_[g].parameters())
                    if (const Spot& spot = spot_of(*parameter);
                        range.begin <= spot.range.begin && spot.range.begin < range.end)
                        places.push_back({parameter, begin + spot.range.begin - range.begin, spot.owned()});
            begin += range.size();
        }
        std::size_t named = cut->first_group;
        while (groups_[named].parameters().empty())
            ++named;
        value_rooms_->add_room(groups_[named].name(), std::move(parts), places, share(cut->of_experts),
                               {cut->of_experts, cut->persistent});
    }
    if (options_.sharding.plus.quantized_weights)
        value_rooms_->send_as_int8();
}

at::Tensor FlatArena::new_state() const {
    return zeros_in_large_pages(MemoryUse::optimizer, owned_elements_, gradients_.options());
}

std::vector<at::Tensor> FlatArena::owned_gradients(std::int64_t begin) const {
    std::vector<at::Tensor> slices;
    for (const OwnedSlice& own : owned_)
        if (const std::int64_t from = std::max(begin, own.range.begin); from < own.range.end)
            slices.push_back(gradients_.narrow(0, own.gradient + from - own.range.begin, own.range.end - from));
    if (slices.empty())  // each rank takes part in what is decided over the gradients
        slices.push_back(gradients_.narrow(0, 0, 0));
    return slices;
}

at::Tensor FlatArena::owned_gradient(const Parameter& parameter) const {
    const Spot& spot = spot_of(parameter);
    return spot.slice == nullptr ? gradients_.narrow(0, 0, 0)
                                 : gradients_.narrow(0, spot.place_in(spot.slice->gradient), spot.owned().size());
}

Range FlatArena::owned_of(const Parameter& parameter) const {
    return spot_of(parameter).owned();
}

at::Tensor FlatArena::state_view(const at::Tensor& state, const Parameter& parameter) const {
    const Spot& spot = spot_of(parameter);
    return spot.slice == nullptr ? state.narrow(0, 0, 0)
                                 : state.narrow(0, spot.place_in(spot.slice->state), spot.owned().size());
}

at::Tensor FlatArena::owned_value(const Parameter& parameter) const {
    const Spot& spot = spot_of(parameter);
    return spot.slice == nullptr ? values_.narrow(0, 0, 0)
                                 : values_.narrow(0, spot.place_in(spot.slice->value), spot.owned().size());
}

Range FlatArena::held_of(const Parameter& parameter) const {
    return value_rooms_ ? owned_of(parameter) : Range{0, parameter.numel()};
}

at::Tensor FlatArena::held_value(const Parameter& parameter) const {
    return value_rooms_ ? owned_value(parameter) : view(values_, parameter).view(-1);
}

void FlatArena::set_value(const Parameter& parameter, const at::Tensor& whole) const {
    at::NoGradGuard no_grad;
    const Range held = held_of(parameter);
    const at::Tensor own = parameter.part() != nullptr ? parameter.part()->select(whole) : whole;
    held_value(parameter).copy_(own.detach().reshape({-1}).narrow(0, held.begin, held.size()));
}

at::Tensor FlatArena::view(const at::Tensor& buffer, const Parameter& parameter) const {
    return buffer.narrow(0, spot_of(parameter).range.begin, parameter.numel()).view(parameter.shape());
}

void FlatArena::initialise(std::uint64_t seed) {
    at::NoGradGuard no_grad;
    for (FlatGroup& group : groups_)
        for (const Parameter* parameter : group.parameters())
            initialise_part(*parameter, held_of(*parameter), held_value(*parameter), seed);
    refresh_compute();
}

void FlatArena::refresh_compute() {
    at::NoGradGuard no_grad;
    if (vectors_.defined())
        for (const FlatGroup& group : groups_)
            for (const Parameter* parameter : group.parameters())
                if (is_vector(*parameter))
                    parameter->value().detach().copy_(view(values_, *parameter));
    if (compute_.defined() && !compute_.is_same(values_))
        compute_.copy_(values_);
}

void FlatArena::forget_gradients() {
    for (FlatGroup& group : groups_)
        for (Parameter* parameter : group.parameters())
            parameter->forget_gradient();
}

}  // namespace trainyard::parallel
