// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/describe.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <trainyard/accelerator.h>

#include "accelerator/plugin_variables.h"
#include "base/environment_names.h"
#include "base/json_writer.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"
#include "launch/plan/deepspeed_config.h"

namespace trainyard::accelerator {

namespace {

using StateJson = plan::DeepspeedConfig::Json;

bool launch_uses(const char* name) {
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
StateJson number_or_text(const char* name, StateJson missing) {
    const std::optional<std::string> text = variable(name);
    if (!text)
        return missing;
    if (const auto whole = parse_number<std::int64_t>(*text))
        return *whole;
    if (const auto real = parse_number<double>(*text))
        return *real;
    return *text;
}

plan::DeepspeedConfig deepspeed_of_launch() {
    plan::DeepspeedPlugin plugin;
    plugin.gradient_accumulation_steps = number_or_text(kEnvAccumulationSteps, "auto");
    if (const auto clipping = parse_number<double>(variable(kEnvGradientClipping).value_or("")))
        plugin.gradient_clipping = *clipping;
    plugin.zero_stage = number_or_text(kEnvZeroStage, 2);
    plugin.offload_optimizer_device = variable(kEnvOffloadOptimizer).value_or("none");
    plugin.offload_optimizer_nvme_path = variable(kEnvOffloadOptimizerFolder).value_or("none");
    plugin.offload_param_device = variable(kEnvOffloadParameters).value_or("none");
    plugin.offload_param_nvme_path = variable(kEnvOffloadParametersFolder).value_or("none");
    plugin.zero3_save_16bit_model = launch_uses(kEnvSave16bit);
    const std::optional<std::string> file = variable(kEnvDeepspeedFile);
    return plugin.configure(file ? std::optional(plan::DeepspeedConfig::read(*file)) : std::nullopt);
}

}  // namespace

std::string describe_state(const parallel::ProcessState& process, Precision precision) {
    const std::string device = c10::DeviceTypeName(process.device().type(), true);
    const bool deepspeed = launch_uses(kEnvUseDeepspeed), distributed = process.use_distributed();
    const std::string kind = deepspeed                    ? "DEEPSPEED"
                             : !distributed               ? "NO"
                             : launch_uses(kEnvUseFsdp)   ? "FSDP"
                             : process.device().is_cuda() ? "MULTI_GPU"
                                                          : "MULTI_" + text::upper(device);
    const std::string backend = device == "cpu"                      ? "gloo"
                                : device == "cuda"                   ? "nccl"
                                : device == "xpu"                    ? "xccl"
                                : device == "hpu" || device == "npu" ? "hccl"
                                                                     : "";
    std::string text = fmt::format(
        "Distributed environment: {}{}\nNum processes: {}\nProcess index: {}\nLocal process index: {}\nDevice: {}\n"
        "Mixed precision type: {}\n",
        kind, (distributed || deepspeed) && !backend.empty() ? "  Backend: " + backend : "", process.world_size(),
        process.rank(), process.local_rank(), process.device().str(), choice_name(precision));
    if (!deepspeed)
        return text;
    plan::DeepspeedConfig config = deepspeed_of_launch();
    config.set_precision(choice_name(precision));
    return text + "ds_config: " + python_text(config.root()) + "\n";
}

std::string Accelerator::describe() const {
    return describe_state(process(), mixed_precision());
}

}  // namespace trainyard::accelerator
