#include "distributed/parallel/flat_group.h"

#include <algorithm>
#include <array>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <sys/mman.h>

#include "base/philox.h"
#include "distributed/tensors/memory_meter.h"

namespace trainyard::parallel {

namespace {

constexpr std::int64_t kFlatAlignment = 16;  // elements: 64 bytes of fp32, one cache line and one AVX-512 register

std::int64_t aligned(std::int64_t position, std::int64_t to = kFlatAlignment) {
    return (position + to - 1) / to * to;
}

/// Zeros, on the host in large pages where the system gives them for the asking: every step walks through all of these buffers, and the
/// first one is spared tens of thousands of page faults.
at::Tensor zeros_in_large_pages(MemoryUse use, std::int64_t count, const at::TensorOptions& options) {
    const MemoryUseScope scope(use);
    if (!options.device().is_cpu())
        return at::zeros({count}, options);
    at::Tensor buffer = at::empty({count}, options);
    constexpr std::uintptr_t kLargePage = 2 << 20;
    auto begin = reinterpret_cast<std::uintptr_t>(buffer.data_ptr()), end = begin + buffer.nbytes();
    std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage, last = end / kLargePage * kLargePage;
    if (first < last)
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a wish: without it pages are small
    return buffer.zero_();
}

/// FNV-1a, 64 bits: the name's part of the key of its random numbers. It must never change, or the same seed starts another model.
/// Fowler, Noll and Vo, RFC 9923.
std::uint64_t hash_of_name(const std::string& name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

/// Element i is number i % 4 of counter i / 4 in the stream (seed, name).
void draw(float* out, std::int64_t numel, std::uint64_t seed, const std::string& name, const Initialiser& initialiser) {
    const auto deviation = static_cast<float>(initialiser.deviation);
    const bool uniform = initialiser.kind == Initialiser::Kind::uniform;
    const std::uint64_t hash = hash_of_name(name);
    at::parallel_for(0, (numel + 3) / 4, 8192, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            auto bits = philox(seed, RandomStream::initialisation, static_cast<std::uint32_t>(hash),
                               static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint64_t>(block));
            auto first = normal_pair(bits[0], bits[1]), second = normal_pair(bits[2], bits[3]);
            const auto share = [](std::uint32_t word) { return static_cast<float>(word >> 8) * 0x1p-23F - 1.0F; };
            const std::array<float, 4> evenly{share(bits[0]), share(bits[1]), share(bits[2]), share(bits[3])};
            const std::array<float, 4> normally{first[0], first[1], second[0], second[1]};
            const std::array<float, 4>& numbers = uniform ? evenly : normally;
            for (std::int64_t i = 0; i < 4 && 4 * block + i < numel; ++i)
                out[4 * block + i] = deviation * numbers[static_cast<std::size_t>(i)];
        }
    });
}

void initialise_parameter(const Parameter& parameter, std::uint64_t seed) {
    switch (parameter.initialiser().kind) {
        case Initialiser::Kind::zeros:
            parameter.value().zero_();
            return;
        case Initialiser::Kind::ones:
            parameter.value().fill_(1);
            return;
        case Initialiser::Kind::normal:
        case Initialiser::Kind::uniform:
            break;
    }
    // Drawn on the host, whatever the device: the same bits everywhere.
    const at::Tensor& value = parameter.value();
    at::Tensor drawn = value.is_cpu() ? value : at::empty(value.sizes(), value.options().device(at::kCPU));
    draw(drawn.data_ptr<float>(), drawn.numel(), seed, parameter.name(), parameter.initialiser());
    if (!value.is_cpu())
        value.copy_(drawn);
}

}  // namespace

void FlatGroup::place(Parameter* parameter, std::int64_t& position) {
    parameters_.push_back(parameter);
    places_.push_back({position, position + parameter->numel()});
    position = aligned(position + parameter->numel());
}

void FlatGroup::bind(const at::Tensor& values, const at::Tensor& compute, const at::Tensor& gradients, bool visited) {
    at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        Parameter& parameter = *parameters_[i];
        auto view = [&](const at::Tensor& buffer) {
            return buffer.narrow(0, places_[i].begin, places_[i].size()).view(parameter.shape());
        };
        parameter.value_ = view(values);
        parameter.gradient_buffers_ = nullptr;
        parameter.gradient_ = parameter.trains() && gradients.defined() ? view(gradients) : at::Tensor();
        parameter.compute_ = view(compute).detach();
        parameter.compute_.set_requires_grad(visited);
    }
}

void FlatGroup::settle_gradients() {
    for (Parameter* parameter : parameters_)
        parameter->settle_gradient();
}

FlatArena::FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device, bool decay_all,
                     const ArenaOptions& options)
    : options_(options) {
    if (options_.ranks == 1)
        options_.sharding = Sharding{};
    const std::int64_t shares = options_.sharding.any() ? options_.ranks : 1;
    std::int64_t position = 0;
    for (const GroupRequest& request : groups) {
        FlatGroup group;
        group.name_ = request.name;
        group.range_.begin = position;
        for (bool decayed : {true, false}) {
            for (Parameter* parameter : request.parameters)
                if (parameter->trains() && (decay_all || parameter->decays_by_default()) == decayed)
                    group.place(parameter, position);
            if (decayed)
                group.decayed_ = {group.range_.begin, position};
        }
        // So that the ranks' shares of a bucket are equal and begin on a cache line.
        position = aligned(position, shares * kFlatAlignment);
        group.range_.end = position;
        groups_.push_back(std::move(group));
    }
    trainable_ = position;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (Parameter* parameter : groups[i].parameters) {
            if (!parameter->trains())
                groups_[i].place(parameter, position);
            parameter_count_ += parameter->numel();
        }
    cut_buckets();
    auto buffer_options = at::TensorOptions().device(device).dtype(at::kFloat);
    const bool keeps_all = !options_.sharding.gradients && options_.keeps_gradients;
    values_ = zeros_in_large_pages(MemoryUse::weights, position, buffer_options);
    gradients_ = zeros_in_large_pages(MemoryUse::gradients,
                                      keeps_all                  ? trainable_
                                      : options_.keeps_gradients ? owned_elements_
                                                                 : 0,
                                      buffer_options);
    compute_ = compute == at::kFloat
                   ? values_
                   : zeros_in_large_pages(MemoryUse::compute_copy, position, buffer_options.dtype(compute));
    bool visited = false;
    for (FlatGroup& group : groups_) {
        visited |= group.range().size() > 0;
        group.bind(values_, compute_, keeps_all ? gradients_ : at::Tensor(), visited);
    }
    if (!keeps_all)
        make_gradient_buffers();
}

void FlatArena::cut_buckets() {
    const std::int64_t element = sizeof(float);
    std::int64_t end = trainable_;
    std::size_t end_group = groups_.size();
    for (std::size_t i = groups_.size(); i-- > 0;) {
        Range range{groups_[i].range().begin, end};
        const std::int64_t least =
            buckets_.empty() && options_.first_bucket_bytes > 0 ? options_.first_bucket_bytes : options_.bucket_bytes;
        if (range.size() == 0 || (i > 0 && range.size() * element < least))
            continue;
        ArenaBucket bucket;
        bucket.first_group = i;
        while (groups_[bucket.first_group].range().size() == 0)  // nothing of it is trained
            ++bucket.first_group;
        bucket.end_group = end_group;
        bucket.name = groups_[bucket.first_group].name();
        bucket.range = bucket.owned = range;
        if (options_.sharding.any()) {
            const std::int64_t share = range.size() / options_.ranks;
            bucket.owned.begin = range.begin + options_.rank * share;
            bucket.owned.end = bucket.owned.begin + share;
        }
        buckets_.push_back(std::move(bucket));
        end = range.begin;
        end_group = i;
    }
    if (!options_.sharding.any()) {
        owned_.push_back({{0, trainable_}, 0, 0});
        owned_elements_ = trainable_;
        return;
    }
    for (auto bucket = buckets_.rbegin(); bucket != buckets_.rend(); ++bucket) {
        const std::int64_t gradient = options_.sharding.gradients ? owned_elements_ : bucket->owned.begin;
        owned_.push_back({bucket->owned, owned_elements_, gradient});
        owned_elements_ += bucket->owned.size();
    }
}

void FlatArena::make_gradient_buffers() {
    gradient_buffers_ = std::make_unique<GradientBuffers>(gradients_.options());
    for (const ArenaBucket& bucket : buckets_) {
        std::vector<GradientBuffers::Place> places;
        for (std::size_t g = bucket.first_group; g < bucket.end_group; ++g)
            for (Parameter* parameter : groups_[g].parameters())
                if (parameter->trains())
                    places.push_back({parameter, place_of(*parameter).begin - bucket.range.begin});
        gradient_buffers_->add_bucket(bucket.range.size(), std::move(places));
    }
}

Range FlatArena::place_of(const Parameter& parameter) const {
    const std::int64_t begin = parameter.value().storage_offset() - values_.storage_offset();
    return {begin, begin + parameter.numel()};
}

at::Tensor FlatArena::new_state() const {
    return zeros_in_large_pages(MemoryUse::optimizer, owned_elements_, gradients_.options());
}

std::vector<at::Tensor> FlatArena::owned_gradients(std::int64_t begin) const {
    std::vector<at::Tensor> slices;
    if (options_.sharding.gradients && begin == 0)
        slices.push_back(gradients_);  // the slices one behind the other
    else
        for (const OwnedSlice& own : owned_)
            if (const std::int64_t from = std::max(begin, own.range.begin); from < own.range.end)
                slices.push_back(gradients_.narrow(0, own.gradient + from - own.range.begin, own.range.end - from));
    return slices;
}

at::Tensor FlatArena::owned_gradient(const Parameter& parameter) const {
    const Range place = place_of(parameter), part = owned_of(parameter);
    const OwnedSlice* own = slice_with(place.begin, place.end);
    if (own == nullptr)
        return gradients_.narrow(0, 0, 0);
    return gradients_.narrow(0, own->gradient + place.begin + part.begin - own->range.begin, part.size());
}

const OwnedSlice* FlatArena::slice_with(std::int64_t begin, std::int64_t end) const {
    // A parameter lies in one bucket, of which a rank owns one range.
    for (const OwnedSlice& own : owned_)
        if (own.range.begin < end && begin < own.range.end)
            return &own;
    return nullptr;
}

Range FlatArena::owned_of(const Parameter& parameter) const {
    const Range place = place_of(parameter);
    const OwnedSlice* own = slice_with(place.begin, place.end);
    if (own == nullptr)
        return {};
    return {std::max(place.begin, own->range.begin) - place.begin, std::min(place.end, own->range.end) - place.begin};
}

at::Tensor FlatArena::state_view(const at::Tensor& state, const Parameter& parameter) const {
    const Range place = place_of(parameter), part = owned_of(parameter);
    const OwnedSlice* own = slice_with(place.begin, place.end);
    if (own == nullptr)
        return state.narrow(0, 0, 0);
    return state.narrow(0, own->state + place.begin + part.begin - own->range.begin, part.size());
}

at::Tensor FlatArena::view(const at::Tensor& buffer, const Parameter& parameter) const {
    return buffer.narrow(0, place_of(parameter).begin, parameter.numel()).view(parameter.shape());
}

void FlatArena::initialise(std::uint64_t seed) {
    at::NoGradGuard no_grad;
    for (FlatGroup& group : groups_)
        for (Parameter* parameter : group.parameters())
            initialise_parameter(*parameter, seed);
    refresh_compute();
}

void FlatArena::refresh_compute() {
    if (compute_.is_same(values_))
        return;
    at::NoGradGuard no_grad;
    compute_.copy_(values_);
}

void FlatArena::forget_gradients() {
    for (FlatGroup& group : groups_)
        for (Parameter* parameter : group.parameters())
            parameter->forget_gradient();
}

}  // namespace trainyard::parallel
