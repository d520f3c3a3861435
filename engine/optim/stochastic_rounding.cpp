// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/stochastic_rounding.h"

#include <algorithm>
#include <bit>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "base/philox.h"
#include "formats/weights/quantization/float8.h"

namespace trainyard::optim {

void round_stochastically(const at::Tensor& values, std::uint64_t key, std::int64_t update, std::int64_t first) {
    const at::NoGradGuard no_grad;
    if (!values.is_cpu()) {  // the same bits on every device
        const at::Tensor here = values.to(at::kCPU);
        round_stochastically(here, key, update, first);
        values.copy_(here);
        return;
    }
    // A counter gives eight numbers of 16 bits.
    constexpr std::int64_t kOfCounter = 8, kGrain = 2048;
    auto* data = values.data_ptr<float>();
    const std::int64_t end = first + values.numel();
    const auto count = static_cast<std::uint64_t>(update);
    at::parallel_for(first / kOfCounter, (end + kOfCounter - 1) / kOfCounter, kGrain, [&](auto begin, auto last) {
        for (std::int64_t counter = begin; counter < last; ++counter) {
            const auto bits = philox(key, RandomStream::rounding, static_cast<std::uint32_t>(count),
                                     static_cast<std::uint32_t>(count >> 32), static_cast<std::uint64_t>(counter));
            const std::int64_t start = counter * kOfCounter;
            for (std::int64_t i = std::max(first, start); i < std::min(end, start + kOfCounter); ++i) {
                const auto number = static_cast<std::size_t>(i - start);
                const auto random = static_cast<std::uint16_t>(bits[number / 2] >> (number % 2 * 16));
                float& value = data[i - first];
                value = std::bit_cast<float>(
                    static_cast<std::uint32_t>(quantization::round_stochastically(value, random)) << 16);
            }
        }
    });
}

}  // namespace trainyard::optim
