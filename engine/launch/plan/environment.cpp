// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/environment.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "base/truth.h"
#include "launch/plan/paradigm.h"

namespace trainyard::plan {

using settings::Environment;
using settings::Key;
using settings::Section;
using settings::Settings;

namespace {

std::string changed_case(std::string text, int (*change)(int)) {
    std::ranges::transform(text, text.begin(), [change](unsigned char c) { return static_cast<char>(change(c)); });
    return text;
}

/// As the readers understand it: `true` in a text is a truth value where the key is one.
std::string exported(const Key& key, const Value& value) {
    std::string text = value.display();
    if (key.type == settings::Type::boolean) {
        Truth truth = truth_of(text);
        if (truth != Truth::neither)
            text = truth == Truth::yes ? "True" : "False";
    }
    if (key.environment.lower)
        return changed_case(text, std::tolower);
    return key.environment.upper ? changed_case(text, std::toupper) : text;
}

void add_device_mask(EnvironmentMap& out, const Resolved& resolved, const settings::Machine& machine) {
    std::string ids = resolved.settings.text("gpu_ids", "all");
    if (ids == "all")
        return;
    out[std::string(device_mask(machine.device))] = ids;
}

void add_precision(EnvironmentMap& out, const Settings& settings) {
    std::string precision = changed_case(settings.text("mixed_precision", "no"), std::tolower);
    out[kEnvMixedPrecision] = precision;
    if (precision == "fp8")
        add_section(out, Section::fp8, settings);
}

/// DeepSpeed reads it from its own section; everybody else through the same variable.
void add_accumulation(EnvironmentMap& out, const Settings& settings) {
    const Value* steps = settings.find("deepspeed_config.gradient_accumulation_steps");
    if (steps != nullptr && steps->integer() != nullptr)
        out[kEnvAccumulationSteps] = steps->display();
}

void add_debug(EnvironmentMap& out, const Settings& settings) {
    if (settings.boolean("debug"))
        out[kEnvDebugMode] = "true";
}

void add_affinity(EnvironmentMap& out, const Settings& settings) {
    if (settings.boolean("enable_cpu_affinity"))
        out[kEnvCpuAffinity] = "1";
}

void add_mesh(EnvironmentMap& out, const Flags& flags, const Resolved& resolved) {
    if (!uses_mesh(flags, resolved))
        return;
    const Settings& settings = resolved.settings;
    out[kEnvUseMesh] = "true";
    EnvironmentMap mesh;
    add_section(mesh, Section::parallelism, settings);
    bool context = settings.integer("parallelism_config.parallelism_config_cp_size", 1) > 1;
    bool sequence = settings.integer("parallelism_config.parallelism_config_sp_size", 1) > 1;
    for (const auto& [name, value] : mesh) {
        if (!context && name == "PARALLELISM_CONFIG_CP_COMM_STRATEGY")
            continue;
        if (!sequence && (name.starts_with("PARALLELISM_CONFIG_SP_SEQ_LENGTH") ||
                          name == "PARALLELISM_CONFIG_SP_ATTN_IMPLEMENTATION"))
            continue;
        out[name] = value;
    }
    if (sequence)  // as Python spells a length that was not given
        out.emplace("PARALLELISM_CONFIG_SP_SEQ_LENGTH", "None");
}

/// Adds the variables of every rank that does not use DeepSpeed.
void add_usual(EnvironmentMap& out, const Resolved& resolved, const settings::Machine& machine) {
    const Settings& settings = resolved.settings;
    add_debug(out, settings);
    add_device_mask(out, resolved, machine);
    add_precision(out, settings);
    add_section(out, Section::dynamo, settings);
    add_accumulation(out, settings);
    out[kEnvThreads] = settings.text("num_cpu_threads_per_process", "1");
    add_affinity(out, settings);
}

/// Names of the DeepSpeed keys that the file decides; the plug-in refuses them beside a DeepSpeed file.
std::string fields_from_file(const Resolved& resolved) {
    std::string fields;
    for (const std::string& field : resolved.deepspeed_fields)
        fields += (fields.empty() ? "" : ",") + field;
    if (resolved.is_from_file("mixed_precision") && !resolved.settings.text("mixed_precision").empty())
        fields += fields.empty() ? "mixed_precision" : ",mixed_precision";
    return changed_case(fields, std::tolower);
}

}  // namespace

void add_section(EnvironmentMap& out, Section section, const Settings& settings) {
    for (const Key& key : settings::schema()) {
        if (key.section != section || key.environment.when == Environment::When::never)
            continue;
        const Value* value = settings.find(key.path());
        if (value == nullptr || value->is_null()) {
            if (key.environment.when != Environment::When::always || key.standard().is_null())
                continue;
            value = &key.standard();
        }
        const Value::List* list = value->list();
        if (key.type != settings::Type::booleans) {
            out[std::string(key.environment.name)] = exported(key, *value);
        } else if (list != nullptr && list->size() == 3) {
            constexpr std::array kParts = {"_FPROP", "_DGRAD", "_WGRAD"};
            for (std::size_t i = 0; i < kParts.size(); ++i)
                out[std::string(key.environment.name) + kParts[i]] = (*list)[i].display();
        }
    }
}

EnvironmentMap simple_environment(const Resolved& resolved, const settings::Machine& machine) {
    EnvironmentMap out;
    bool cpu = resolved.settings.boolean("use_cpu");
    out[kEnvUseCpu] = cpu ? "True" : "False";
    if (cpu) {
        out["KMP_AFFINITY"] = "granularity=fine,compact,1,0";
        out["KMP_BLOCKTIME"] = "1";
    }
    add_section(out, Section::mpirun, resolved.settings);
    add_usual(out, resolved, machine);
    return out;
}

EnvironmentMap device_environment(const Flags& flags, const Resolved& resolved, const settings::Machine& machine) {
    EnvironmentMap out;
    add_usual(out, resolved, machine);
    if (resolved.paradigm == Paradigm::fsdp) {
        out[kEnvUseFsdp] = "true";
        add_section(out, Section::fsdp, resolved.settings);
    }
    if (resolved.paradigm == Paradigm::megatron) {
        out[kEnvUseMegatron] = "true";
        out["MEGATRON_LM_CONTEXT_PARALLEL_SIZE"] = "1";  // the plug-in's own default is 2
        add_section(out, Section::megatron, resolved.settings);
    }
    add_mesh(out, flags, resolved);
    return out;
}

EnvironmentMap deepspeed_environment(const Flags& flags, const Resolved& resolved, const settings::Machine& machine,
                                     const std::string& path, const std::string& here) {
    EnvironmentMap out;
    const Settings& settings = resolved.settings;
    add_debug(out, settings);
    add_device_mask(out, resolved, machine);
    add_precision(out, settings);
    std::string extended;
    std::size_t start = 0;
    while (start < path.size()) {
        std::size_t end = std::min(path.find(':', start), path.size());
        if (end > start)
            extended += path.substr(start, end - start) + ":";
        start = end + 1;
    }
    out["PYTHONPATH"] = extended + here;
    out[kEnvUseDeepspeed] = "true";
    out[kEnvDeepspeedFields] = fields_from_file(resolved);
    add_section(out, Section::deepspeed, settings);
    add_affinity(out, settings);
    add_mesh(out, flags, resolved);
    return out;
}

EnvironmentMap tpu_environment(const Resolved& resolved, const settings::Machine& machine) {
    EnvironmentMap out;
    const Settings& settings = resolved.settings;
    if (changed_case(settings.text("mixed_precision"), std::tolower) == "bf16" && machine.tpu)
        out[settings.boolean("downcast_bf16") ? "XLA_DOWNCAST_BF16" : "XLA_USE_BF16"] = "1";
    add_debug(out, settings);
    add_accumulation(out, settings);
    return out;
}

EnvironmentMap sagemaker_environment(const Resolved& resolved) {
    EnvironmentMap out;
    const Settings& settings = resolved.settings;
    out["ACCELERATE_USE_SAGEMAKER"] = "true";
    out["ACCELERATE_SAGEMAKER_DISTRIBUTED_TYPE"] = settings.text("distributed_type", "NO");
    add_precision(out, settings);
    add_section(out, Section::dynamo, settings);
    add_accumulation(out, settings);
    return out;
}

bool add_peer_workaround(EnvironmentMap& out, const settings::Machine& machine, const EnvironmentMap& environment) {
    if (machine.p2p_ok)
        return false;
    bool added = false;
    for (const char* name : {"NCCL_P2P_DISABLE", "NCCL_IB_DISABLE"})
        if (!environment.contains(name)) {
            out[name] = "1";
            added = true;
        }
    return added;
}

}  // namespace trainyard::plan
