// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Random number generators: creating them, their state as bytes (as torch.Generator.get_state), and setting the same
// state on all ranks.

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::data {

/// A CPU generator (mt19937).
at::Generator seeded_generator(std::int64_t seed);
/// The generator that torch.manual_seed() seeds.
at::Generator default_generator();
/// int(torch.empty((), dtype=torch.int64).random_(generator=generator)): how torch seeds samplers and workers.
std::int64_t draw_seed(const at::Generator& generator);

at::Tensor generator_state(const at::Generator& generator);
/// Throws UserError if the bytes are not a state of such a generator; then the generator is unchanged.
void set_generator_state(at::Generator& generator, const at::Tensor& state);

/// Collective: sets generators to rank 0's state. "generator" is `generator` (if defined), "torch" is `process`,
/// "cuda", "xpu", "npu", "mlu", "musa", "hpu", "sdaa" are the generator of `device` if it has that type. Throws
/// UserError for an unknown type.
void synchronize_rng_states(const std::vector<std::string>& types, at::Generator generator, at::Generator process,
                            at::Device device, parallel::Communicator& communicator);

}  // namespace trainyard::data
