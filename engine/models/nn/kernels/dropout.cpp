// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/dropout.h"

#include <array>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include "base/philox.h"

namespace trainyard::models {

namespace {

constexpr std::int64_t kWord = 0xffffffff;

using parallel::PositionRun;

std::int64_t elements_of(std::span<const PositionRun> runs) {
    std::int64_t count = 0;
    for (const PositionRun& run : runs)
        count += run.count;
    return count;
}

/// Applies `map` to the uniform number of each element, on the host.
template <class Map>
at::Tensor numbers_of_host(std::int64_t samples, std::span<const PositionRun> runs, const DropoutKey& key, Map map) {
    const std::int64_t per_sample = elements_of(runs);
    at::Tensor numbers = at::empty({samples, per_sample}, at::TensorOptions().dtype(at::kFloat));
    float* all = numbers.data_ptr<float>();
    at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t sample = begin; sample < end; ++sample) {
            auto base = static_cast<std::uint64_t>(key.first_sample + sample) << 32;
            float* out = all + sample * per_sample;
            for (const PositionRun& run : runs)
                for (std::int64_t i = run.first, last = run.first + run.count; i < last;) {
                    auto bits = philox(key.seed, RandomStream::dropout, static_cast<std::uint32_t>(key.step), key.place,
                                       base + static_cast<std::uint64_t>(i / 4));
                    for (std::int64_t j = i % 4; j < 4 && i < last; ++i, ++j)
                        *out++ = map(uniform(bits[static_cast<std::size_t>(j)]));
                }
        }
    });
    return numbers;
}

/// High and low word of `numbers` (each below 2^32) times `factor`, as in base/philox.h.
std::pair<at::Tensor, at::Tensor> words_of_product(const at::Tensor& numbers, std::int64_t factor) {
    const at::Tensor product = numbers.mul(factor);  // modulo 2^64
    return {product.__rshift__(32).bitwise_and(kWord), product.bitwise_and(kWord)};
}

/// The uniform numbers of one run, computed on `device` with its operators: philox() on tensors of 64-bit integers.
at::Tensor numbers_of_device(std::int64_t samples, const PositionRun& run, const DropoutKey& key, at::Device device) {
    const auto integers = at::TensorOptions().dtype(at::kLong).device(device);
    const std::int64_t first = run.first / 4, blocks = (run.first + run.count + 3) / 4 - first;
    const auto one = [&](std::int64_t number) { return at::full({1, 1}, number & kWord, integers); };
    const at::Tensor rows = key.counters.defined() ? at::arange(samples, integers).add(key.counters.narrow(0, 1, 1))
                                                   : at::arange(key.first_sample, key.first_sample + samples, integers);
    const at::Tensor step =
        key.counters.defined() ? key.counters.narrow(0, 0, 1).bitwise_and(kWord).unsqueeze(0) : one(key.step);
    std::array<at::Tensor, 4> c{at::arange(first, first + blocks, integers).unsqueeze(0),
                                rows.bitwise_and(kWord).unsqueeze(1), step, one(key.place)};
    auto k0 = static_cast<std::uint32_t>(key.seed);
    std::uint32_t k1 = philox_second_key(key.seed, RandomStream::dropout);
    for (int round = 0; round < kPhiloxRounds; ++round) {
        const auto [high_0, low_0] = words_of_product(c[0], kPhiloxFactor0);
        const auto [high_1, low_1] = words_of_product(c[2], kPhiloxFactor1);
        c = {high_1.bitwise_xor(c[1]).bitwise_xor(static_cast<std::int64_t>(k0)), low_1,
             high_0.bitwise_xor(c[3]).bitwise_xor(static_cast<std::int64_t>(k1)), low_0};
        k0 += kPhiloxStep0;
        k1 += kPhiloxStep1;
    }
    for (at::Tensor& word : c)
        word = word.expand({samples, blocks});
    const at::Tensor bits = at::stack(c, 2).view({samples, 4 * blocks}).narrow(1, run.first % 4, run.count);
    return bits.__rshift__(9).to(at::kFloat).add(0.5f).mul(0x1p-23f);
}

}  // namespace

at::Tensor dropout_factors(std::int64_t samples, std::span<const PositionRun> elements, const DropoutKey& key,
                           double probability, at::Device device) {
    const auto keep = static_cast<float>(1.0 / (1.0 - probability)), limit = static_cast<float>(probability);
    if (device.is_cpu())
        return numbers_of_host(samples, elements, key, [&](float number) { return number < limit ? 0.0f : keep; });
    std::vector<at::Tensor> parts;
    for (const PositionRun& run : elements)
        parts.push_back(numbers_of_device(samples, run, key, device).ge(limit).to(at::kFloat).mul(keep));
    return at::cat(parts, 1);
}

at::Tensor counter_uniform(std::int64_t samples, std::int64_t elements, const DropoutKey& key, at::Device device) {
    const PositionRun all{0, elements};
    return device.is_cpu() ? numbers_of_host(samples, {&all, 1}, key, [](float number) { return number; })
                           : numbers_of_device(samples, all, key, device);
}

at::Tensor counter_dropout(const at::Tensor& x, const DropoutKey& key, double probability) {
    if (probability <= 0)
        return x;
    parallel::PositionRuns elements{{key.first_element, x.numel() / x.size(0)}};
    if (key.positions != nullptr) {
        const std::int64_t width = x.numel() / (x.size(0) * x.size(1));
        elements = *key.positions;
        for (PositionRun& run : elements)
            run = {run.first * width, run.count * width};
    }
    return x.mul(
        dropout_factors(x.size(0), elements, key, probability, x.device()).view(x.sizes()).to(x.scalar_type()));
}

}  // namespace trainyard::models
