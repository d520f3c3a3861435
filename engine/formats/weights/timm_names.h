// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Vision transformers of timm: names of tensors, with queries, keys and values in one matrix, and a config.json that
// names an architecture. They are read as transformers' ViT, which computes the same.

#include <memory>
#include <string>

#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// Whether a config.json is one of timm: it names an `architecture`, and no model_type.
bool is_timm_config(const std::string& config_json);

/// The config.json of transformers of the same model. `where` names the file. Throws UserError for architectures
/// other than a plain vision transformer.
std::string vit_config_of_timm(const std::string& config_json, const std::string& where, const WeightSource& weights);

/// The preprocessor_config.json of transformers that makes timm's inputs of an evaluation; empty if the file does not
/// describe them. Throws UserError for a way to crop that differs.
std::string image_processor_of_timm(const std::string& config_json, const std::string& where);

/// The source with the names of transformers' ViT. Others are returned as they are.
std::unique_ptr<WeightSource> timm_as_vit(std::unique_ptr<WeightSource> source);

}  // namespace trainyard::weights
