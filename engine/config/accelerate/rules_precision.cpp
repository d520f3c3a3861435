// SPDX-License-Identifier: GPL-3.0-or-later
// Mixed precision, FP8; TPU and SageMaker.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "config/accelerate/rules.h"

namespace trainyard::settings {

namespace {

bool on_cpu(const Judgement& j) {
    return j.type() == "MULTI_CPU" || j.settings().boolean("use_cpu");
}

void bf16_support(Judgement& j) {
    if (j.machine() != nullptr && !j.is_sagemaker() && j.settings().text("mixed_precision") == "bf16" &&
        !j.machine()->bf16 && !on_cpu(j))
        j.error("mixed_precision", "mixed_precision bf16 is not supported by this machine's device: use fp16, or no",
                Value("fp16"));
}

/// fp16 trains on processors, too.
void fp8_on_cpu(Judgement& j) {
    if (on_cpu(j) && !j.is_sagemaker() && j.settings().text("mixed_precision") == "fp8")
        j.warning("mixed_precision",
                  "mixed_precision fp8 needs an accelerator, but it trains on the CPU: use bf16, or no", Value("bf16"));
}

void fp8_backend(Judgement& j) {
    if (j.settings().text("mixed_precision") == "fp8" && !j.is_sagemaker() && !j.given("fp8_config.backend"))
        j.warning(
            "fp8_config.backend",
            "backend of fp8_config is missing: the first FP8 library that is installed is taken, so say AO, TE or "
            "MSAMP",
            Value("AO"));
}

void fp8_library(Judgement& j) {
    if (j.machine() != nullptr && !j.is_sagemaker() && j.settings().text("mixed_precision") == "fp8" &&
        !j.machine()->fp8)
        j.error(
            "mixed_precision",
            "mixed_precision fp8 needs torchao, Transformer Engine or MS-AMP, and this machine has none: install one, "
            "or use bf16",
            Value("bf16"));
}

void tpu_pod(Judgement& j) {
    if (j.type() != "XLA" || !j.settings().boolean("tpu_use_cluster"))
        return;
    for (std::string_view name : {"tpu_name", "tpu_zone"})
        if (j.settings().text(name).empty())
            j.error(name, Message("{} is missing: a launch on a pod goes to it by name and zone, so set it", name));
}

void tpu_environment(Judgement& j) {
    const Value* value = j.settings().find("tpu_env");
    if (value == nullptr || value->list() == nullptr)
        return;
    for (const Value& item : *value->list()) {
        std::string text = item.display();
        std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            j.error("tpu_env", Message("tpu_env: \"{}\" is not a variable: write NAME=value", text));
            return;
        }
    }
}

void tpu_commands(Judgement& j) {
    const Value* commands = j.settings().find("commands");
    if (j.given("command_file") && commands != nullptr && commands->list() != nullptr && !commands->list()->empty())
        j.warning("commands", "commands are passed over beside command_file: remove one of them", Value());
}

void tpu_double(Judgement& j) {
    if (j.type() == "XLA" && j.settings().boolean("downcast_bf16") && j.settings().text("mixed_precision") != "bf16")
        j.warning("downcast_bf16", "downcast_bf16 has no effect without mixed_precision bf16: set it to false",
                  Value(false));
}

void instance_type(Judgement& j) {
    if (!j.is_sagemaker())
        return;
    std::string type = j.settings().text("ec2_instance_type");
    if (!type.empty() && !type.starts_with("ml.") && type != "local" && type != "local_gpu")
        j.warning(
            "ec2_instance_type",
            Message("ec2_instance_type \"{}\" is not a type of SageMaker: these begin with ml., as in ml.p3.2xlarge",
                    type),
            type.find('.') == std::string::npos ? std::nullopt : std::optional<Value>(Value("ml." + type)));
    constexpr std::array<std::string_view, 3> kParallel = {"ml.p3.16xlarge", "ml.p3dn.24xlarge", "ml.p4dn.24xlarge"};
    if (j.type() == "DATA_PARALLEL" && type.starts_with("ml.") && std::ranges::find(kParallel, type) == kParallel.end())
        j.warning("ec2_instance_type",
                  Message("ec2_instance_type {} is not one that Accelerate offers for DATA_PARALLEL: these are {}",
                          type, fmt::join(kParallel, ", ")));
}

void model_parallel(Judgement& j) {
    if (j.is_sagemaker() && j.type() == "MODEL_PARALLEL")
        j.warning("distributed_type",
                  "distributed_type MODEL_PARALLEL asks for SageMaker's model parallelism, which Accelerate does not "
                  "support yet: the job is started without it, so take DATA_PARALLEL or NO");
}

void aws_profile(Judgement& j) {
    if (j.is_sagemaker() && !j.given("profile"))
        j.warning("profile",
                  "profile is missing: a launch then needs AWS keys in the environment, so name a profile of "
                  "~/.aws");
}

constexpr std::array kPrecision = {
    Rule{"bf16_support", "the device computes in bf16", bf16_support},
    Rule{"fp8_on_cpu", "fp8 has an accelerator", fp8_on_cpu},
    Rule{"fp8_backend", "fp8 says which library computes it", fp8_backend},
    Rule{"fp8_library", "a library for fp8 is there", fp8_library},
};
constexpr std::array kCloud = {
    Rule{"tpu_pod", "a TPU pod has name and zone", tpu_pod},
    Rule{"tpu_environment", "variables of a TPU pod are NAME=value", tpu_environment},
    Rule{"tpu_commands", "commands of a TPU pod are given in one place only", tpu_commands},
    Rule{"tpu_double", "double precision in bf16 needs bf16", tpu_double},
    Rule{"instance_type", "SageMaker knows the instance type", instance_type},
    Rule{"model_parallel", "SageMaker is not asked for model parallelism", model_parallel},
    Rule{"aws_profile", "SageMaker has credentials", aws_profile},
};

}  // namespace

std::span<const Rule> precision_rules() {
    return kPrecision;
}

std::span<const Rule> cloud_rules() {
    return kCloud;
}

}  // namespace trainyard::settings
