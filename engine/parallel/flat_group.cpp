#include "parallel/flat_group.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <sys/mman.h>

#include "base/philox.h"

namespace trainyard::parallel {

namespace {

constexpr std::int64_t kFlatAlignment = 16;  // elements: 64 bytes of fp32, one cache line and one AVX-512 register

std::int64_t aligned(std::int64_t position) {
    return (position + kFlatAlignment - 1) / kFlatAlignment * kFlatAlignment;
}

/// Zeros, on the host in large pages where the system gives them for the asking: every step walks through all of these buffers, and the
/// first one is spared tens of thousands of page faults.
at::Tensor zeros_in_large_pages(std::int64_t count, const at::TensorOptions& options) {
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
void draw_normal(float* out, std::int64_t numel, std::uint64_t seed, const std::string& name, float deviation) {
    const std::uint64_t hash = hash_of_name(name);
    at::parallel_for(0, (numel + 3) / 4, 8192, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block) {
            auto bits = philox(seed, RandomStream::initialisation, static_cast<std::uint32_t>(hash),
                               static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint64_t>(block));
            auto first = normal_pair(bits[0], bits[1]), second = normal_pair(bits[2], bits[3]);
            const float numbers[] = {first[0], first[1], second[0], second[1]};
            for (std::int64_t i = 0; i < 4 && 4 * block + i < numel; ++i)
                out[4 * block + i] = deviation * numbers[i];
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
            break;
    }
    // Drawn on the host, whatever the device: the same bits everywhere.
    const at::Tensor& value = parameter.value();
    at::Tensor drawn = value.is_cpu() ? value : at::empty(value.sizes(), value.options().device(at::kCPU));
    draw_normal(drawn.data_ptr<float>(), drawn.numel(), seed, parameter.name(),
                static_cast<float>(parameter.initialiser().deviation));
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
        if (parameter.trains())
            parameter.gradient_ = view(gradients);
        parameter.compute_ = view(compute).detach();
        parameter.compute_.set_requires_grad(visited);
    }
}

void FlatGroup::settle_gradients() {
    for (Parameter* parameter : parameters_)
        parameter->settle_gradient();
}

FlatArena::FlatArena(const std::vector<GroupRequest>& groups, at::ScalarType compute, at::Device device,
                     bool decay_all) {
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
        group.range_.end = position;
        groups_.push_back(std::move(group));
    }
    const std::int64_t trainable = position;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (Parameter* parameter : groups[i].parameters) {
            if (!parameter->trains())
                groups_[i].place(parameter, position);
            parameter_count_ += parameter->numel();
        }
    auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    values_ = zeros_in_large_pages(position, options);
    gradients_ = zeros_in_large_pages(trainable, options);
    compute_ = compute == at::kFloat ? values_ : zeros_in_large_pages(position, options.dtype(compute));
    bool visited = false;
    for (FlatGroup& group : groups_) {
        visited |= group.range().size() > 0;
        group.bind(values_, compute_, gradients_, visited);
    }
}

at::Tensor FlatArena::new_buffer() const {
    return zeros_in_large_pages(gradients_.numel(), gradients_.options());
}

at::Tensor FlatArena::view(const at::Tensor& buffer, const Parameter& parameter) const {
    auto offset = parameter.value().storage_offset() - values_.storage_offset();
    return buffer.narrow(0, offset, parameter.numel()).view(parameter.shape());
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
