// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of several models of a program that the ranks divide: teachers and students, models that train against each
// other, and trainings one after the other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/full_sharding.h"
#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "optim/rule_optimizer.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::full_sharding {
namespace {

using test::says;
using testing::HasSubstr;

TEST(FullSharding, ATeacherIsDividedAndTeaches) {
    const test::TemporaryFolder folder;
    const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
        const bool several = process->world_size() > 1;
        Accelerator accelerator({.zero_stage = 3}, std::move(process));
        auto great = std::make_shared<Net>(), small = std::make_shared<Net>();
        {
            const at::NoGradGuard no_grad;
            for (const at::Tensor& parameter : great->parameters())
                parameter.mul_(1.2);
        }
        auto teacher = accelerator.prepare_model(great, {.evaluation_mode = true});
        auto student = accelerator.prepare(small);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters_of(*small), 0.01));
        EXPECT_EQ(teacher.model().divides_weights(), several);
        for (int step = 0; step < 4; ++step) {
            const at::Tensor x = samples_of(accelerator, step), wanted = teacher(x).detach();
            accelerator.backward(student(x).sub(wanted).square().mean());
            optimizer->step();
            optimizer->zero_grad();
            if (several) {
                EXPECT_EQ(teacher.model().flat()->arena().value_rooms()->bytes(), 0);
            }
            if (step == 1)
                accelerator.save_state(folder.path() / std::to_string(accelerator.num_processes()));
        }
        NamedTensors state = accelerator.get_state_dict(student), of_teacher = accelerator.get_state_dict(teacher);
        state.insert(state.end(), of_teacher.begin(), of_teacher.end());
        return state;
    });
    expect_near(states.at(2), states.at(1), "student and teacher");
    for (const char* file : {"model.safetensors", "model_1.safetensors"})
        expect_near(checkpoint::read_weights(folder.path() / "2" / file),
                    checkpoint::read_weights(folder.path() / "1" / file), file);
}

/// A model that was loaded in bf16: with mixed precision parameters, optimizer state and files are fp32, as with FSDP
/// and DeepSpeed; without it nothing is shared out, where FSDP would compute its updates in bf16.
TEST(FullSharding, ModelsLoadedInHalfPrecisionAreTrainedInFp32) {
    for (const std::int64_t stage : {1, 2, 3}) {
        std::map<bool, NamedTensors> states;
        for (const bool loaded_as_bf16 : {true, false}) {
            const test::TemporaryFolder folder;
            on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                const bool is_main = process->is_main_process();
                Accelerator accelerator({.mixed_precision = Precision::bf16, .zero_stage = stage}, std::move(process));
                auto net = std::make_shared<Net>();
                net->to(at::kBFloat16);
                if (!loaded_as_bf16)
                    net->to(at::kFloat);
                auto optimizer = std::make_unique<torch::optim::AdamW>(parameters_of(*net), 0.01);
                auto model = accelerator.prepare(net);
                auto prepared = accelerator.prepare(std::move(optimizer));
                accelerator.backward(model(samples_of(accelerator, 0)).to(at::kFloat).square().mean());
                prepared->step();
                accelerator.save_state(folder.path() / "state");
                for (const auto& [name, tensor] : accelerator.get_state_dict(model)) {
                    EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
                    if (is_main)
                        states[loaded_as_bf16].emplace_back(name, tensor.clone());
                }
            });
            for (const auto& [name, tensor] : checkpoint::read_weights(folder.path() / "state"))
                EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
        }
        ASSERT_FALSE(states[true].empty());
        expect_near(states[true], states[false], "stage " + std::to_string(stage), 0);
    }
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({.zero_stage = 3}, std::move(process));
        auto net = std::make_shared<Net>();
        net->to(at::kBFloat16);
        EXPECT_THAT([&] { accelerator.prepare(net); },
                    testing::ThrowsMessage<UserError>(HasSubstr("keep it in fp32, or set zero_stage to 0")));
    });
}

TEST(FullSharding, AStudentAndItsTeacherHavePluginsOfTheirOwn) {
    AcceleratorOptions options;
    options.deepspeed_plugins = {{"student", {.zero_stage = 2}}, {"teacher", {.zero_stage = 3}}};
    const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
        const bool several = process->world_size() > 1;
        Accelerator accelerator(options, process);
        EXPECT_EQ(accelerator.deepspeed_plugin()->zero_stage, 2) << "the first one is active";
        EXPECT_EQ(&accelerator.deepspeed_plugin("student"), accelerator.deepspeed_plugin());
        auto great = std::make_shared<Net>(), small = std::make_shared<Net>();
        {
            const at::NoGradGuard no_grad;
            for (const at::Tensor& parameter : great->parameters())
                parameter.mul_(1.2);
        }
        auto student = accelerator.prepare(small);
        const std::vector<at::Tensor> parameters = parameters_of(*small);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters, 0.01));
        accelerator.select_deepspeed_plugin("teacher");
        EXPECT_EQ(accelerator.deepspeed_plugin()->zero_stage, 3);
        std::int64_t elements = 0;
        for (const at::Tensor& parameter : parameters)  // of the teacher, too
            elements += parameter.numel();
        auto teacher = accelerator.prepare_model(great, {.evaluation_mode = true});
        EXPECT_EQ(teacher.model().divides_weights(), several);
        EXPECT_FALSE(student.model().divides_weights());
        EXPECT_EQ(student.model().flat() != nullptr, several) << "its optimizer's state is divided";
        const NamedTensors before = copies_of(accelerator.get_state_dict(teacher));
        std::int64_t own = 0;
        for (const auto& [name, values] : teacher.model().held_values())
            own += values.numel();
        const auto all = accelerator.reduce(at::full({1}, own, at::kLong)).item<std::int64_t>();
        if (several) {
            EXPECT_EQ(all, elements) << "no element is on both ranks";
            EXPECT_LE(static_cast<double>(own), 0.7 * static_cast<double>(all));
        }
        std::vector<double> losses;
        for (int step = 0; step < 8; ++step) {
            const at::Tensor x = samples_of(accelerator, 0), wanted = teacher(x).detach();
            const at::Tensor loss = student(x).sub(wanted).square().mean();
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            losses.push_back(accelerator.reduce(loss.detach()).item<double>());
        }
        EXPECT_LT(losses.back(), 0.5 * losses.front());
        expect_near(copies_of(accelerator.get_state_dict(teacher)), before, "the teacher is as it was");
        // Another Accelerator of the program, for models that have nothing to do with these.
        Accelerator second(accelerator.options(), process);
        EXPECT_EQ(second.deepspeed_plugin()->zero_stage, 2);
        second.select_deepspeed_plugin("teacher");
        EXPECT_EQ(accelerator.deepspeed_plugin("teacher").zero_stage, 3);
        return accelerator.get_state_dict(student);
    });
    expect_near(states.at(2), states.at(1), "student");
    const auto refused = [&](const AcceleratorOptions& wrong) {
        try {
            Accelerator accelerator(wrong, test::alone());
            accelerator.select_deepspeed_plugin("techer");
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused(options), says("deepspeed_plugins has no plug-in named '{}'{}", "techer",
                                       says(": did you mean '{}'?", "teacher")));
    AcceleratorOptions wrong = options;
    wrong.deepspeed_plugins[1].first = "student";
    EXPECT_THAT(refused(wrong),
                says("deepspeed_plugins has two entries named '{}': give each its own name", "student"));
    wrong = options;
    wrong.deepspeed_plugin.emplace();
    EXPECT_THAT(refused(wrong), says("deepspeed_plugin and deepspeed_plugins are both given: give one of them"));
    wrong = options;
    wrong.zero_stage = 1;
    EXPECT_THAT(refused(wrong),
                says("zero_stage and sharding say what a plug-in says, too: give either those or the plug-in"));
}

TEST(FullSharding, TwoModelsWithAnOptimizerEachTrainAgainstEachOther) {
    for (const std::int64_t stage : {1, 2, 3}) {
        const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({.zero_stage = stage}, std::move(process));
            auto making = std::make_shared<Generator>(), judging = std::make_shared<Generator>();
            auto generator = accelerator.prepare(making), discriminator = accelerator.prepare(judging);
            auto makes = accelerator.prepare(std::make_unique<torch::optim::AdamW>(making->parameters(), 0.01));
            auto judges = accelerator.prepare(std::make_unique<torch::optim::AdamW>(judging->parameters(), 0.02));
            for (int step = 0; step < 4; ++step) {
                const at::Tensor fake = generator(samples_of(accelerator, step));
                accelerator.backward(discriminator(samples_of(accelerator, step + 9)).sub(1).square().mean() +
                                     discriminator(fake.detach()).square().mean());
                judges->step();
                judges->zero_grad();
                accelerator.backward(discriminator(fake).sub(1).square().mean());
                makes->step();
                makes->zero_grad();
                judges->zero_grad();
                judges->step();  // without gradients it changes nothing
            }
            NamedTensors state = accelerator.get_state_dict(generator),
                         other = accelerator.get_state_dict(discriminator);
            state.insert(state.end(), other.begin(), other.end());
            return state;
        });
        expect_near(states.at(2), states.at(1), "stage " + std::to_string(stage));
    }
}

TEST(FullSharding, TrainingsOfOneProgramDoNotDisturbEachOther) {
    std::map<int, NamedTensors> first, second;
    for (const bool together : {false, true})
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining one({}, process), two({.accumulation = 2, .stage = 2}, process);
            for (int step = 0; step < 6; ++step) {
                if (together || step < 3)
                    one.run(1);
                if (together || step >= 3)
                    two.run(1);
                if (together && step == 2)
                    break;
            }
            const NamedTensors of_one = one.state(), of_two = two.state();
            if (rank == 0) {
                first[together ? 1 : 0] = of_one;
                second[together ? 1 : 0] = of_two;
            }
        });
    expect_near(first.at(1), first.at(0), "stage 3", 0);
    expect_near(second.at(1), second.at(0), "stage 2", 0);
}

}  // namespace
}  // namespace trainyard::full_sharding
