#include "models/kernels/dropout.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include "base/philox.h"

namespace trainyard::models {

at::Tensor counter_dropout(const at::Tensor& x, const DropoutKey& key, double probability) {
    if (probability <= 0)
        return x;
    // Numbers are drawn on the host on every device: one definition, one mask.
    at::Tensor mask = at::empty(x.sizes(), at::TensorOptions().dtype(at::kFloat));
    std::int64_t per_sample = x.numel() / x.size(0);
    float* out = mask.data_ptr<float>();
    auto keep = static_cast<float>(1.0 / (1.0 - probability));
    auto limit = static_cast<float>(probability);
    at::parallel_for(0, x.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
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
    return x.mul(mask.to(x.options()));
}

}  // namespace trainyard::models
