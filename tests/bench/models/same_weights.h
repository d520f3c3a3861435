// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What we and the peer compute on: the weights of a model, and inputs, as a safetensors file that both have.

#include <filesystem>

#include "formats/weights/safetensors.h"
#include "models/nn/model.h"

namespace trainyard::bench {

/// `inputs` under their names with "input." before.
inline void write_same(const std::filesystem::path& file, const models::Model& model, const NamedTensors& inputs = {}) {
    NamedTensors all;
    for (const parallel::Unit* unit : model.units())
        for (const parallel::Parameter* parameter : unit->parameters())
            all.emplace_back(parameter->name(), parameter->value().contiguous());
    for (const auto& [name, tensor] : inputs)
        all.emplace_back("input." + name, tensor.contiguous());
    std::vector<weights::TensorToWrite> written;
    for (const auto& [name, tensor] : all)
        written.push_back({name,
                           tensor.is_floating_point() ? "F32" : "I64",
                           tensor.sizes().vec(),
                           {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()}});
    weights::write_safetensors(file, written);
}

/// For peer/same_model.py.
inline std::vector<std::string> peer_variables(int threads) {
    return {"OMP_NUM_THREADS=" + std::to_string(threads), "HF_HUB_OFFLINE=1"};
}

}  // namespace trainyard::bench
