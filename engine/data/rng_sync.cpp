// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rng_sync.h"

#include <algorithm>
#include <array>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/empty.h>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::data {

at::Generator seeded_generator(std::int64_t seed) {
    return at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
}

at::Generator default_generator() {
    return at::detail::getDefaultCPUGenerator();
}

std::int64_t draw_seed(const at::Generator& generator) {
    return at::empty({}, at::kLong).random_(generator).item<std::int64_t>();
}

at::Tensor generator_state(const at::Generator& generator) {
    return generator.get_state();
}

void set_generator_state(at::Generator& generator, const at::Tensor& state) {
    at::Tensor before = generator.get_state();
    try {
        generator.set_state(state.defined() ? state.contiguous() : state);
    } catch (const c10::Error& error) {
        generator.set_state(before);
        throw UserError("the state of a random generator cannot be used: {}", error.what_without_backtrace());
    }
}

void synchronize_rng_states(const std::vector<std::string>& types, at::Generator generator, at::Generator process,
                            at::Device device, parallel::Communicator& communicator) {
    static constexpr std::array<const char*, 7> kDevices{"cuda", "xpu", "npu", "mlu", "musa", "hpu", "sdaa"};
    for (const std::string& type : types) {
        at::Generator target;
        if (type == "generator") {
            target = generator;
        } else if (type == "torch") {
            target = process;
        } else if (std::find(kDevices.begin(), kDevices.end(), type) != kDevices.end()) {
            if (c10::DeviceTypeName(device.type(), true) == type)
                target = at::globalContext().defaultGenerator(device);
        } else {
            throw UserError(
                "rng_types names '{}': it may name generator, torch, cuda, xpu, npu, "
                "mlu, musa, hpu and sdaa",
                type);
        }
        if (!target.defined() || communicator.size() == 1)
            continue;
        at::Tensor state = generator_state(target).contiguous().to(communicator.device());
        communicator.broadcast(state, 0, fmt::format("random state of {}", type));
        set_generator_state(target, state.to(at::kCPU));
    }
}

}  // namespace trainyard::data
