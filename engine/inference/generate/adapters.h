// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Adapters of PEFT's layout, added to a model side by side. Inside this library.

#include <string>
#include <vector>

#include "inference/generate/loaded_model.h"

namespace trainyard::generate {

/// Adds the adapters to a model that is not laid out yet, and finds their tensors in their files. Throws UserError for
/// a configuration that cannot be computed, and for files whose tensors are missing, do not fit or would be dropped.
std::vector<LoadedAdapter> add_adapters(models::Model& model, const std::vector<AdapterSource>& adapters);
/// Gives the adapters' own parameters their values, in this type.
void load_adapters(const std::vector<LoadedAdapter>& adapters, at::ScalarType type);
/// Whether an adapter replaces or changes weights of the model itself.
bool changes_base(const LoadedAdapter& adapter);
/// Makes these changes to a model in the processor's memory that has its own weights.
void change_base(const models::Model& model, const std::vector<LoadedAdapter>& adapters);

/// A weight of the model with what the adapters add to it, computed in fp32 and rounded once to `type`; undefined if
/// they do not change it. `stored` is what the weights of the model have.
at::Tensor merged_value(const parallel::Parameter& parameter, const at::Tensor& stored, at::ScalarType type,
                        const std::vector<LoadedAdapter>& adapters);

/// The folder of the model that an adapter names. Throws UserError if that is not a folder on this machine.
std::filesystem::path base_of_adapter(const std::filesystem::path& folder);

}  // namespace trainyard::generate
