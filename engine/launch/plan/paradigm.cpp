// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/paradigm.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/device_kinds.h"
#include "base/error.h"
#include "base/letter_case.h"

namespace trainyard::plan {

using settings::Section;
using settings::Settings;

namespace {

constexpr std::array kOneOf = {"cpu", "multi_gpu", "tpu", "use_deepspeed", "use_fsdp"};
constexpr std::array kParadigms = {"multi_gpu", "tpu", "tpu_cluster", "use_deepspeed", "use_fsdp", "use_megatron_lm"};

void add(std::vector<Problem>& problems, std::string key, Message message) {
    problems.push_back({"", 0, 0, std::move(key), std::move(message)});
}

void check_mesh(const Flags& flags, const Resolved& resolved, std::vector<Problem>& problems) {
    if (names_recipe(flags))
        return;
    bool second = resolved.paradigm == Paradigm::fsdp && resolved.settings.integer("fsdp_config.fsdp_version", 1) == 2;
    bool typed = flags.is_on("use_parallelism_config");
    if (second || !uses_mesh(flags, resolved) || (resolved.paradigm == Paradigm::deepspeed && !typed))
        return;
    add(problems, typed ? "--use_parallelism_config" : "parallelism_config",
        typed ? Message("a mesh needs FSDP version 2: give --use_fsdp --fsdp_version 2, too")
              : Message("a mesh needs FSDP version 2 or DeepSpeed: set fsdp_version to 2 in fsdp_config, or remove "
                        "parallelism_config"));
}

void check_precision(const Resolved& resolved, const settings::Machine& machine, std::vector<Problem>& problems) {
    std::string precision = text::lower(resolved.settings.text("mixed_precision", "no"));
    bool here = resolved.paradigm != Paradigm::sagemaker;
    bool on_tpu = resolved.paradigm == Paradigm::tpu;
    if (precision == "bf16" && !machine.bf16 && here && resolved.paradigm != Paradigm::cpu && !(on_tpu && machine.tpu))
        add(problems, "mixed_precision",
            Message("the {} devices of this machine cannot compute in bf16: give fp16 or no", machine.device));
    if (precision == "fp8" && !machine.fp8 && here && !on_tpu)
        add(problems, "mixed_precision",
            "fp8 needs Transformer Engine, MS-AMP or torchao, and none of them is installed: install one, or give "
            "bf16");
}

void check_machines(const Flags& flags, const Resolved& resolved, std::vector<Problem>& problems) {
    const Settings& settings = resolved.settings;
    std::int64_t machines = settings.integer("num_machines", 1);
    std::int64_t processes = settings.integer("num_processes", 1);
    std::int64_t rank = settings.integer("machine_rank", -1);
    if (resolved.paradigm == Paradigm::tpu || machines < 1)
        return;
    if (machines == 1)
        return;
    bool elsewhere = resolved.paradigm == Paradigm::deepspeed &&
                     settings.text("deepspeed_config.deepspeed_multinode_launcher", "pdsh") != "standard";
    bool no_ssh = settings.text("deepspeed_config.deepspeed_multinode_launcher") == "nossh";
    bool over_mpi = (resolved.paradigm == Paradigm::cpu || resolved.paradigm == Paradigm::single) &&
                    !settings.text("mpirun_config.mpirun_hostfile").empty();
    bool by_arrival = settings.text("rdzv_backend", "static") == "c10d" && !elsewhere;
    if (rank < 0 && (!elsewhere || no_ssh) && !over_mpi && !by_arrival)
        add(problems, "machine_rank",
            Message("which of the {} machines this is must be known: give --machine_rank, 0 to {}", machines,
                    machines - 1));
    if (flags.hosts.empty() && elsewhere && processes % machines != 0 &&
        settings.text("deepspeed_config.deepspeed_exclusion_filter").empty() &&
        settings.text("deepspeed_config.deepspeed_inclusion_filter").empty())
        add(problems, "num_processes",
            Message("DeepSpeed starts as many processes on each machine, but {} cannot be shared out over "
                    "{}: give {}, or a deepspeed_inclusion_filter",
                    processes, machines, processes - processes % machines));
}

void check_sharding(const Resolved& resolved, std::vector<Problem>& problems) {
    if (resolved.paradigm != Paradigm::fsdp)
        return;
    if (resolved.settings.boolean("fsdp_config.fsdp_cpu_ram_efficient_loading", true) &&
        !resolved.settings.boolean("fsdp_config.fsdp_sync_module_states", true))
        add(problems, "fsdp_config.fsdp_sync_module_states", Message::table_text(kLoadOnceNeedsSync));
}

}  // namespace

std::string typed_paradigm(const Flags& flags) {
    const auto* typed = std::ranges::find_if(kParadigms, [&](const char* name) { return flags.is_on(name); });
    return typed == kParadigms.end() ? "" : std::string("--") + *typed;
}

std::string typed_cpu(const Flags& flags) {
    if (flags.is_on("cpu"))
        return "--cpu";
    const auto device = flags.typed.find("device");
    return device != flags.typed.end() && device->second.display() == "cpu" ? "--device cpu" : "";
}

Paradigm asked_paradigm(const Flags& flags, const Settings* file) {
    if (!typed_paradigm(flags).empty()) {
        if (flags.is_on("use_deepspeed"))
            return Paradigm::deepspeed;
        if (flags.is_on("use_fsdp"))
            return Paradigm::fsdp;
        if (flags.is_on("use_megatron_lm"))
            return Paradigm::megatron;
        return flags.is_on("multi_gpu") ? Paradigm::multi_device : Paradigm::tpu;
    }
    std::string type = file == nullptr ? "NO" : file->text("distributed_type", "NO");
    if (type == "DEEPSPEED")
        return Paradigm::deepspeed;
    if (type == "FSDP")
        return Paradigm::fsdp;
    if (type == "MEGATRON_LM")
        return Paradigm::megatron;
    if (type == "XLA")
        return Paradigm::tpu;
    if (type == "MULTI_CPU")
        return Paradigm::cpu;
    return type.starts_with("MULTI_") ? Paradigm::multi_device : Paradigm::single;
}

Paradigm asked_paradigm(const Settings& file) {
    return file.text("compute_environment") == "AMAZON_SAGEMAKER" ? Paradigm::sagemaker : asked_paradigm({}, &file);
}

std::string distributed_type(Paradigm paradigm, bool several, const std::string& device, const std::string& now) {
    switch (paradigm) {
        case Paradigm::single:
            return "NO";
        case Paradigm::cpu:
            return several ? "MULTI_CPU" : "NO";
        case Paradigm::deepspeed:
            return "DEEPSPEED";
        case Paradigm::fsdp:
            return "FSDP";
        case Paradigm::megatron:
            return "MEGATRON_LM";
        case Paradigm::tpu:
            return "XLA";
        case Paradigm::sagemaker:
            return now;
        case Paradigm::multi_device:
            break;
    }
    if (now.starts_with("MULTI_") && now != "MULTI_CPU")
        return now;
    const DeviceKind* kind = find_device_kind(device == "cpu" || device == "mps" ? "cuda" : device);
    return kind == nullptr ? "MULTI_" + text::upper(device) : std::string(kind->distributed_type);
}

bool is_used(Section section, const Resolved& resolved) {
    switch (section) {
        case Section::local:
        case Section::launch:
        case Section::dynamo:
            return true;
        case Section::sagemaker:
            return resolved.sagemaker;
        case Section::fsdp:
            return resolved.paradigm == Paradigm::fsdp;
        case Section::deepspeed:
            return resolved.paradigm == Paradigm::deepspeed;
        case Section::megatron:
            return resolved.paradigm == Paradigm::megatron;
        case Section::fp8:
            return text::lower(resolved.settings.text("mixed_precision")) == "fp8";
        case Section::mpirun:
            return resolved.paradigm == Paradigm::cpu || resolved.paradigm == Paradigm::single;
        case Section::parallelism:
            return resolved.paradigm == Paradigm::fsdp || resolved.paradigm == Paradigm::deepspeed;
    }
    return false;
}

bool uses_mesh(const Flags& flags, const Resolved& resolved) {
    if (flags.has("use_parallelism_config"))
        return flags.is_on("use_parallelism_config");
    return resolved.mesh_in_file && typed_paradigm(flags).empty() && typed_cpu(flags).empty();
}

void check_flags(const Flags& flags, bool sagemaker, std::vector<Problem>& problems) {
    std::vector<std::string> on;
    for (const char* name : kOneOf)
        if (flags.is_on(name))
            on.push_back(std::string("--") + name);
    if (on.size() > 1)
        add(problems, "", Message("{} exclude each other: give one of them", fmt::join(on, " and ")));
    if (flags.is_on("use_megatron_lm"))
        for (const char* name : {"use_deepspeed", "use_fsdp", "tpu"})
            if (flags.is_on(name))
                add(problems, "", Message("--use_megatron_lm and --{} exclude each other: give one of them", name));
    if (flags.is_on("module") && flags.is_on("no_python"))
        add(problems, "", "--module and --no_python exclude each other: a module needs Python");
    auto processes = flags.typed.find("num_processes");
    if (flags.is_on("multi_gpu") && processes != flags.typed.end() && processes->second.integer() != nullptr &&
        *processes->second.integer() < 2)
        add(problems, "--num_processes", "--multi_gpu needs 2 processes at least: give more, or leave --multi_gpu out");
    if (sagemaker && flags.is_on("use_parallelism_config"))
        add(problems, "--use_parallelism_config", "a mesh needs FSDP 2, and SageMaker has none: leave the flag out");
    if (sagemaker && !flags.is_on("cpu"))
        for (const char* name : kParadigms)
            if (flags.is_on(name))
                add(problems, std::string("--") + name,
                    "the settings file is for Amazon SageMaker, this flag starts on this machine: give another file "
                    "with --config_file, or leave the flag out");
}

void check_devices(const Resolved& resolved, std::vector<Problem>& problems) {
    std::string ids = resolved.settings.text("gpu_ids", "all");
    if (resolved.paradigm == Paradigm::multi_device && resolved.settings.integer("num_machines", 1) <= 1 &&
        ids != "all" && ids.find(',') == std::string::npos)
        add(problems, "gpu_ids",
            Message("'{}' is one device, but training on several was asked for: name at least two, or all", ids));
}

void check_resolved(const Flags& flags, Resolved& resolved, bool has_file, const settings::Machine& machine,
                    std::vector<Problem>& problems) {
    check_precision(resolved, machine, problems);
    if (resolved.sagemaker)
        return;
    check_mesh(flags, resolved, problems);
    check_machines(flags, resolved, problems);
    check_sharding(resolved, problems);
    if (has_file && typed_cpu(flags).empty() && !typed_paradigm(flags).empty() && resolved.mesh_in_file &&
        !uses_mesh(flags, resolved))
        resolved.warnings.emplace_back(
            "parallelism_config of the file is not used, since a flag chooses the way of training: add "
            "--use_parallelism_config to use it");
}

}  // namespace trainyard::plan
