#include "models/nn/kernels/dropout.h"

#include <array>

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include "base/philox.h"

namespace trainyard::models {

namespace {

constexpr std::int64_t kWord = 0xffffffff;

/// The mask's factors, computed on the host.
at::Tensor mask_of_host(at::IntArrayRef shape, std::int64_t per_sample, const DropoutKey& key, float limit,
                        float keep) {
    at::Tensor mask = at::empty(shape, at::TensorOptions().dtype(at::kFloat));
    float* out = mask.data_ptr<float>();
    at::parallel_for(0, shape[0], 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t sample = begin; sample < end; ++sample) {
            auto base = static_cast<std::uint64_t>(key.first_sample + sample) << 32;
            for (std::int64_t i = 0; i < per_sample; i += 4) {
                auto bits = philox(key.seed, RandomStream::dropout, static_cast<std::uint32_t>(key.step), key.place,
                                   base + static_cast<std::uint64_t>(i / 4));
                for (std::int64_t j = 0; j < 4 && i + j < per_sample; ++j)
                    out[sample * per_sample + i + j] = uniform(bits[static_cast<std::size_t>(j)]) < limit ? 0.0f : keep;
            }
        }
    });
    return mask;
}

/// High and low word of `numbers` (each below 2^32) times `factor`, as in base/philox.h.
std::pair<at::Tensor, at::Tensor> words_of_product(const at::Tensor& numbers, std::int64_t factor) {
    const at::Tensor product = numbers.mul(factor);  // modulo 2^64
    return {product.__rshift__(32).bitwise_and(kWord), product.bitwise_and(kWord)};
}

/// The same factors as mask_of_host, computed on `device` with its operators: philox() on tensors of 64-bit integers.
at::Tensor mask_of_device(at::IntArrayRef shape, std::int64_t per_sample, const DropoutKey& key, float limit,
                          float keep, at::Device device) {
    const auto integers = at::TensorOptions().dtype(at::kLong).device(device);
    const std::int64_t samples = shape[0], blocks = (per_sample + 3) / 4;
    const auto one = [&](std::int64_t number) { return at::full({1, 1}, number & kWord, integers); };
    std::array<at::Tensor, 4> c{
        at::arange(blocks, integers).unsqueeze(0),
        at::arange(key.first_sample, key.first_sample + samples, integers).bitwise_and(kWord).unsqueeze(1),
        one(key.step), one(key.place)};
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
    const at::Tensor bits = at::stack(c, 2).view({samples, 4 * blocks}).narrow(1, 0, per_sample);
    const at::Tensor numbers = bits.__rshift__(9).to(at::kFloat).add(0.5f).mul(0x1p-23f);
    return numbers.ge(limit).to(at::kFloat).mul(keep).reshape(shape);
}

}  // namespace

at::Tensor counter_dropout(const at::Tensor& x, const DropoutKey& key, double probability) {
    if (probability <= 0)
        return x;
    const std::int64_t per_sample = x.numel() / x.size(0);
    const auto keep = static_cast<float>(1.0 / (1.0 - probability)), limit = static_cast<float>(probability);
    const at::Tensor mask = x.is_cpu() ? mask_of_host(x.sizes(), per_sample, key, limit, keep)
                                       : mask_of_device(x.sizes(), per_sample, key, limit, keep, x.device());
    return x.mul(mask.to(x.scalar_type()));
}

}  // namespace trainyard::models
