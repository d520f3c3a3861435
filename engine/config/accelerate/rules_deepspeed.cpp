// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "base/version.h"
#include "config/accelerate/rules.h"

namespace trainyard::settings {

namespace {

constexpr std::string_view kFile = "deepspeed_config.deepspeed_config_file";
constexpr std::string_view kLauncher = "deepspeed_config.deepspeed_multinode_launcher";

bool uses_deepspeed(const Judgement& j) {
    return j.type() == "DEEPSPEED";
}
bool has_file(const Judgement& j) {
    std::string file = j.settings().text(kFile);
    return !file.empty() && file != "none";
}
std::int64_t stage_of(const Judgement& j) {
    return j.integer("deepspeed_config.zero_stage", 2);
}
bool uses_inline_deepspeed(const Judgement& j) {
    return uses_deepspeed(j) && !has_file(j);
}

void configured_twice(Judgement& j) {
    if (!uses_deepspeed(j) || !has_file(j))
        return;
    for (std::string_view name :
         {"gradient_accumulation_steps", "gradient_clipping", "zero_stage", "offload_optimizer_device",
          "offload_param_device", "offload_param_nvme_path", "offload_optimizer_nvme_path", "zero3_save_16bit_model"}) {
        std::string path = fmt::format("deepspeed_config.{}", name);
        if (j.settings().has(path))  // Accelerate also counts a key without a value
            j.error(path,
                    Message("{} cannot be given next to deepspeed_config_file: remove it here and set it in "
                            "DeepSpeed's JSON",
                            name),
                    Value());
    }
    if (j.given("mixed_precision"))
        j.error("mixed_precision",
                "mixed_precision cannot be given next to deepspeed_config_file: remove it here and set fp16 or bf16 in "
                "DeepSpeed's JSON",
                Value());
}

void offload_needs_stage(Judgement& j) {
    constexpr std::string_view kOptimizer = "deepspeed_config.offload_optimizer_device";
    constexpr std::string_view kParameters = "deepspeed_config.offload_param_device";
    if (!uses_inline_deepspeed(j))
        return;
    if (j.settings().text(kOptimizer, "none") != "none" && stage_of(j) < 1)
        j.error(kOptimizer,
                Message("offload_optimizer_device {} needs ZeRO, but zero_stage is 0: use zero_stage 1 to 3, or "
                        "none",
                        j.settings().text(kOptimizer)),
                Value("none"));
    if (j.settings().text(kParameters, "none") != "none" && stage_of(j) != 3)
        j.error(kParameters,
                Message("offload_param_device {} needs zero_stage 3, but it is {}: use zero_stage 3, or none",
                        j.settings().text(kParameters), stage_of(j)),
                Value("none"));
}

void offload_from_cpu(Judgement& j) {
    if (uses_inline_deepspeed(j) && stage_of(j) >= 1 && j.settings().boolean("use_cpu") &&
        j.settings().text("deepspeed_config.offload_optimizer_device") == "cpu")
        j.warning("deepspeed_config.offload_optimizer_device",
                  "offload_optimizer_device cpu has no effect with use_cpu, since the optimizer state is in that "
                  "memory anyway: set it to none",
                  Value("none"));
}

void nvme_folder(Judgement& j) {
    if (!uses_inline_deepspeed(j))
        return;
    for (std::string_view what : {"optimizer", "param"}) {
        std::string device = fmt::format("deepspeed_config.offload_{}_device", what);
        std::string folder = fmt::format("deepspeed_config.offload_{}_nvme_path", what);
        std::string named = j.settings().text(folder);
        if (j.settings().text(device) == "nvme" && (named.empty() || named == "none"))
            j.warning(folder,
                      Message("offload_{0}_device is nvme, but offload_{0}_nvme_path names no folder: /nvme is "
                              "taken, so set the folder of your disk",
                              what),
                      Value("/nvme"));
    }
}

void build_sharded(Judgement& j) {
    if (uses_inline_deepspeed(j) && stage_of(j) != 3 && j.settings().boolean("deepspeed_config.zero3_init_flag"))
        j.warning("deepspeed_config.zero3_init_flag",
                  Message("zero3_init_flag is true, but only zero_stage 3 builds a model sharded and it is {}: set "
                          "it to false",
                          stage_of(j)),
                  Value(false));
}

void library(Judgement& j) {
    if (j.machine() == nullptr || !uses_deepspeed(j))
        return;
    if (!j.machine()->deepspeed)
        j.error("distributed_type",
                "distributed_type DEEPSPEED needs the Python package deepspeed, which this machine does not have: "
                "install it (pip install deepspeed), or use FSDP");
    else if (j.settings().text(kLauncher) == "nossh" && is_older_version(*j.machine()->deepspeed, "0.14.5"))
        j.error(kLauncher,
                Message("deepspeed_multinode_launcher nossh needs DeepSpeed 0.14.5, this machine has {}: "
                        "install a newer one, or use pdsh",
                        *j.machine()->deepspeed),
                Value("pdsh"));
    else if (j.given("deepspeed_config.deepspeed_moe_layer_cls_names") &&
             is_older_version(*j.machine()->deepspeed, "0.14.0"))
        j.error("deepspeed_config.deepspeed_moe_layer_cls_names",
                Message("deepspeed_moe_layer_cls_names needs DeepSpeed 0.14.0, this machine has {}: install a "
                        "newer one, or remove it",
                        *j.machine()->deepspeed),
                Value());
}

void host_file(Judgement& j) {
    bool over_hosts =
        uses_deepspeed(j) && j.integer("num_machines", 1) > 1 && j.settings().text(kLauncher, "pdsh") != "standard";
    if (over_hosts && !j.given("deepspeed_config.deepspeed_hostfile"))
        j.warning("deepspeed_config.deepspeed_hostfile",
                  "deepspeed_hostfile is missing: DeepSpeed then looks for /job/hostfile, so name your own");
    if (over_hosts && j.given("deepspeed_config.deepspeed_exclusion_filter") &&
        j.given("deepspeed_config.deepspeed_inclusion_filter"))
        j.warning("deepspeed_config.deepspeed_inclusion_filter",
                  "deepspeed_inclusion_filter is passed over beside deepspeed_exclusion_filter: remove one of them",
                  Value());
}

void amp_with_stage_three(Judgement& j) {
    if (uses_inline_deepspeed(j) && stage_of(j) == 3 && j.settings().text("mixed_precision") == "fp8" &&
        j.settings().text("fp8_config.backend") == "MSAMP")
        j.error("fp8_config.backend", "backend MSAMP does not work with zero_stage 3: use TE or AO, or zero_stage 2",
                Value("TE"));
}

constexpr std::array kDeepSpeedRules = {
    Rule{"configured_twice", "nothing is set both here and in DeepSpeed's own file", configured_twice},
    Rule{"offload_needs_stage", "what is offloaded is sharded", offload_needs_stage},
    Rule{"offload_from_cpu", "what is offloaded to the CPU comes from another device", offload_from_cpu},
    Rule{"nvme_folder", "offloading to NVMe has a folder", nvme_folder},
    Rule{"build_sharded", "only ZeRO stage 3 builds the model sharded", build_sharded},
    Rule{"deepspeed_library", "DeepSpeed is there, in a version that can do it", library},
    Rule{"host_file", "DeepSpeed's launcher knows its hosts", host_file},
    Rule{"amp_with_stage_three", "MS-AMP is not combined with ZeRO stage 3", amp_with_stage_three},
};

}  // namespace

std::span<const Rule> deepspeed_rules() {
    return kDeepSpeedRules;
}

std::vector<Finding> find_double_configuration(const Settings& settings) {
    std::vector<Finding> findings;
    Judgement judgement(settings, nullptr, findings);
    configured_twice(judgement);
    return findings;
}

void refuse_double_configuration(const Settings& settings) {
    std::vector<Problem> problems;
    for (Finding& finding : find_double_configuration(settings))
        problems.push_back({"", finding.line, finding.column, finding.path, std::move(finding.message)});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
}

}  // namespace trainyard::settings
