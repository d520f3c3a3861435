// SPDX-License-Identifier: GPL-3.0-or-later
// The state as text: the lines that Accelerate prints, with the examples of its DeepSpeed guide (ds_config resolved).

#include "accelerator/describe.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "accelerator/training.h"

namespace trainyard {
namespace {

using LaunchValues = std::map<std::string, std::string>;

class DescribedLaunch {
  public:
    explicit DescribedLaunch(LaunchValues values) : values_(std::move(values)) {
        for (const auto& [name, value] : values_)
            ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~DescribedLaunch() {
        for (const auto& [name, value] : values_)
            ::unsetenv(name.c_str());
    }
    DescribedLaunch(const DescribedLaunch&) = delete;
    DescribedLaunch& operator=(const DescribedLaunch&) = delete;

  private:
    LaunchValues values_;
};

std::string state_lines(const std::string& kind, int ranks, int rank, const std::string& precision,
                        const std::string& more = "") {
    return fmt::format(
        "Distributed environment: {}\nNum processes: {}\nProcess index: {}\nLocal process index: {}\n"
        "Device: cpu\nMixed precision type: {}\n{}",
        kind, ranks, rank, rank, precision, more);
}

TEST(Describe, RanksAndTheirDevice) {
    EXPECT_EQ(Accelerator({}, test::alone()).describe(), state_lines("NO", 1, 0, "no"));
    std::vector<std::string> texts(2);
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const auto rank = static_cast<std::size_t>(process->rank());
        texts[rank] = Accelerator({.mixed_precision = Precision::bf16}, std::move(process)).describe();
    });
    EXPECT_EQ(texts[0], state_lines("MULTI_CPU  Backend: gloo", 2, 0, "bf16"));
    EXPECT_EQ(texts[1], state_lines("MULTI_CPU  Backend: gloo", 2, 1, "bf16"));
    const DescribedLaunch fsdp(LaunchValues{{"ACCELERATE_USE_FSDP", "true"}});
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const auto rank = static_cast<std::size_t>(process->rank());
        texts[rank] = accelerator::describe_state(*process, Precision::no);
    });
    EXPECT_EQ(texts[1], state_lines("FSDP  Backend: gloo", 2, 1, "no"));
}

TEST(Describe, DeepSpeedsFileAsItIs) {
    const DescribedLaunch launch(
        LaunchValues{{"ACCELERATE_USE_DEEPSPEED", "true"}, {"ACCELERATE_DEEPSPEED_CONFIG_FILE", R"({
    "bf16": {"enabled": true},
    "zero_optimization": {
        "stage": 3, "stage3_gather_16bit_weights_on_model_save": false,
        "offload_optimizer": {"device": "none"}, "offload_param": {"device": "none"}},
    "gradient_clipping": 1.0, "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": 10, "steps_per_print": 2000000})"}});
    EXPECT_EQ(
        Accelerator({}, test::alone()).describe(),
        state_lines("DEEPSPEED  Backend: gloo", 1, 0, "bf16",
                    "ds_config: {'bf16': {'enabled': True}, 'zero_optimization': {'stage': 3, "
                    "'stage3_gather_16bit_weights_on_model_save': False, 'offload_optimizer': {'device': 'none'}, "
                    "'offload_param': {'device': 'none'}}, 'gradient_clipping': 1.0, 'train_batch_size': 'auto', "
                    "'train_micro_batch_size_per_gpu': 'auto', 'gradient_accumulation_steps': 10, 'steps_per_print': "
                    "inf, 'fp16': {'enabled': False}}\n"));
}

TEST(Describe, TheLaunchsValuesInPlaceOfAuto) {
    const DescribedLaunch launch(LaunchValues{{"ACCELERATE_USE_DEEPSPEED", "true"},
                                              {"ACCELERATE_DEEPSPEED_ZERO_STAGE", "3"},
                                              {"ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "5"},
                                              {"ACCELERATE_GRADIENT_CLIPPING", "1.0"},
                                              {"ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "cpu"},
                                              {"ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "nvme"},
                                              {"ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL", "true"},
                                              {"ACCELERATE_DEEPSPEED_CONFIG_FILE", R"({
    "bf16": {"enabled": "auto"},
    "zero_optimization": {
        "stage": "auto", "stage3_gather_16bit_weights_on_model_save": "auto",
        "offload_optimizer": {"device": "auto"}, "offload_param": {"device": "auto"}},
    "gradient_clipping": "auto", "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": "auto", "steps_per_print": 2000000})"}});
    EXPECT_EQ(
        accelerator::describe_state(*test::alone(), Precision::fp16),
        state_lines("DEEPSPEED  Backend: gloo", 1, 0, "fp16",
                    "ds_config: {'bf16': {'enabled': False}, 'zero_optimization': {'stage': 3, "
                    "'stage3_gather_16bit_weights_on_model_save': True, 'offload_optimizer': {'device': 'nvme'}, "
                    "'offload_param': {'device': 'cpu'}}, 'gradient_clipping': 1.0, 'train_batch_size': 'auto', "
                    "'train_micro_batch_size_per_gpu': 'auto', 'gradient_accumulation_steps': 5, 'steps_per_print': "
                    "inf, 'fp16': {'enabled': True, 'auto_cast': True}}\n"));
}

}  // namespace
}  // namespace trainyard
