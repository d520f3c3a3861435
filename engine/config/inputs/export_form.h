// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How an export of a training's checkpoint writes the weights. Checkpoints hold them in fp32, with which a training
// resumes; transformers and PEFT get them as they were before the training. The file export.json of a checkpoint says
// it: {"dtype": "bfloat16", "joined_experts": true}.

#include <filesystem>
#include <string>

#include "config/recipe/recipe.h"

namespace trainyard::inputs {

inline constexpr const char* kExportFile = "export.json";

struct ExportForm {
    std::string dtype;            ///< bfloat16 or float16; empty: as stored
    bool joined_experts = false;  ///< as formats/weights/expert_tensors.h describes
    bool operator==(const ExportForm&) const = default;
};

/// What the export.json of a checkpoint's folder says; without one, or with a damaged one, weights are written as they
/// are stored.
ExportForm read_export_form(const std::filesystem::path& folder);

/// How the weights of a file or folder are to be written again: as they are stored, or as an export of the checkpoint
/// would write them.
ExportForm export_form_of(const std::filesystem::path& weights);

/// Content of the export.json for checkpoints of a training that starts from these weights (empty: random ones); empty:
/// none is needed. checkpoint.export_dtype of the recipe decides over the weights.
std::string export_file(const config::Recipe& recipe, const std::filesystem::path& weights);

}  // namespace trainyard::inputs
