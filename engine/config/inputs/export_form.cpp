// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/export_form.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"
#include "formats/weights/expert_tensors.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

/// fp32 has more than any weights need: they are written as they are stored.
std::string half_precision(const std::string& safetensors_dtype) {
    return safetensors_dtype == "BF16" ? "bfloat16" : safetensors_dtype == "F16" ? "float16" : "";
}

}  // namespace

ExportForm read_export_form(const fs::path& folder) {
    const fs::path file = folder / kExportFile;
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return {};
    nlohmann::json json;
    try {
        json = read_json(text::read_text_file(file));
    } catch (const UserError&) {
        return {};
    }
    ExportForm form;
    if (json.is_object() && json.contains("dtype") && (json["dtype"] == "bfloat16" || json["dtype"] == "float16"))
        form.dtype = json["dtype"].get<std::string>();
    form.joined_experts = json.is_object() && json.contains("joined_experts") && json["joined_experts"] == true;
    return form;
}

ExportForm export_form_of(const fs::path& weights) {
    std::error_code error;
    if (weights.empty())
        return {};
    if (const fs::path folder = fs::is_directory(weights, error) ? weights : weights.parent_path();
        fs::exists(folder / kExportFile, error))
        return read_export_form(folder);
    try {
        const auto source = weights::open_first_model(weights);
        return {half_precision(weights::main_dtype(*source)), weights::has_joined_experts(*source)};
    } catch (const UserError&) {
        return {};  // reported where the weights are read
    }
}

std::string export_file(const config::Recipe& recipe, const fs::path& weights) {
    ExportForm form = export_form_of(weights);
    using enum config::ExportDtype;
    if (const config::ExportDtype dtype = recipe.checkpoint.export_dtype; dtype != automatic)
        form.dtype = dtype == bf16 ? "bfloat16" : dtype == fp16 ? "float16" : "";
    if (form == ExportForm())
        return "";
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!form.dtype.empty())
        json["dtype"] = form.dtype;
    if (form.joined_experts)
        json["joined_experts"] = true;
    return json_text(json, {.indent = 2}) + "\n";
}

}  // namespace trainyard::inputs
