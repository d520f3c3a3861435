// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/state_text.h"

#include <string_view>

#include <fmt/format.h>

#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "base/json_writer.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"
#include "launch/plan/deepspeed_config.h"

namespace trainyard::plan {

namespace {

using StateJson = DeepspeedConfig::Json;

bool launch_uses(const LaunchVariable& variable, const char* name) {
    return truth_of(variable(name).value_or("false")) == Truth::yes;
}

std::string python_quoted(const std::string& text) {
    const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
    std::string out(1, quote);
    for (const char c : text) {
        if (c == '\\' || c == quote)
            out += '\\';
        out += c;
    }
    return out + quote;
}

/// repr() of Python.
std::string python_text(const StateJson& value) {
    if (value.is_null())
        return "None";
    if (value.is_boolean())
        return value.get<bool>() ? "True" : "False";
    if (value.is_string())
        return python_quoted(value.get<std::string>());
    if (value.is_number_float())
        return python_float(value.get<double>());
    if (!value.is_structured())
        return json_text(value);
    std::string out;
    for (const auto& [key, item] : value.items()) {
        const bool infinite = key == "steps_per_print" && item == "inf";  // a number, which JSON does not have
        out += fmt::format("{}{}{}", out.empty() ? "" : ", ", value.is_object() ? python_quoted(key) + ": " : "",
                           infinite ? "inf" : python_text(item));
    }
    return value.is_object() ? "{" + out + "}" : "[" + out + "]";
}

/// A number where the variable has one, else its text.
StateJson number_or_text(const LaunchVariable& variable, const char* name, StateJson missing) {
    const std::optional<std::string> text = variable(name);
    if (!text)
        return missing;
    if (const auto whole = parse_number<std::int64_t>(*text))
        return *whole;
    if (const auto real = parse_number<double>(*text))
        return *real;
    return *text;
}

DeepspeedConfig deepspeed_of_launch(const LaunchVariable& variable) {
    DeepspeedPlugin plugin;
    plugin.gradient_accumulation_steps = number_or_text(variable, kEnvAccumulationSteps, "auto");
    if (const auto clipping = parse_number<double>(variable(kEnvGradientClipping).value_or("")))
        plugin.gradient_clipping = *clipping;
    plugin.zero_stage = number_or_text(variable, kEnvZeroStage, 2);
    plugin.offload_optimizer_device = variable(kEnvOffloadOptimizer).value_or("none");
    plugin.offload_optimizer_nvme_path = variable(kEnvOffloadOptimizerFolder).value_or("none");
    plugin.offload_param_device = variable(kEnvOffloadParameters).value_or("none");
    plugin.offload_param_nvme_path = variable(kEnvOffloadParametersFolder).value_or("none");
    plugin.zero3_save_16bit_model = launch_uses(variable, kEnvSave16bit);
    const std::optional<std::string> file = variable(kEnvDeepspeedFile);
    return plugin.configure(file ? std::optional(DeepspeedConfig::read(*file)) : std::nullopt);
}

}  // namespace

std::string state_text(const ProcessFacts& process, const LaunchVariable& variable) {
    std::string precision = process.mixed_precision;
    std::optional<DeepspeedConfig> config;
    if (launch_uses(variable, kEnvUseDeepspeed)) {
        config = deepspeed_of_launch(variable);
        for (const char* format : {"bf16", "fp16"})
            if (const StateJson* enabled = config->find(std::string(format) + ".enabled");
                precision == "no" && enabled != nullptr && *enabled == true)
                precision = format;
        config->set_precision(precision);
    }
    const std::string kind_of_device = process.device.substr(0, process.device.find(':'));
    const DeviceKind* row = find_device_kind(kind_of_device);
    const bool deepspeed = config.has_value(), distributed = process.ranks > 1;
    const std::string kind = deepspeed                            ? "DEEPSPEED"
                             : !distributed                       ? "NO"
                             : launch_uses(variable, kEnvUseFsdp) ? "FSDP"
                             : row != nullptr && !row->distributed_type.empty()
                                 ? std::string(row->distributed_type)
                                 : "MULTI_" + text::upper(kind_of_device);
    const std::string backend(row == nullptr ? std::string_view() : row->collectives);
    std::string text = fmt::format(
        "Distributed environment: {}{}\nNum processes: {}\nProcess index: {}\nLocal process index: {}\nDevice: {}\n"
        "Mixed precision type: {}\n",
        kind, (distributed || deepspeed) && !backend.empty() ? "  Backend: " + backend : "", process.ranks,
        process.rank, process.local_rank, process.device, precision);
    return deepspeed ? text + "ds_config: " + python_text(config->root()) + "\n" : text;
}

}  // namespace trainyard::plan
