// SPDX-License-Identifier: GPL-3.0-or-later
// Optimizer, schedule, number format and export of DeepSpeed's file in a program: DummyOptim and DummyScheduler become
// what the file describes, with `auto` as Accelerate resolves it, and contradictions are refused in one message.

#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/allclose.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "optim/rule_optimizer.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::deepspeed_sections {
namespace {

using test::on_ranks;
using test::says;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kUpdates = 8;

/// DeepSpeed's file as the launch names it, as long as it lives.
class DeepspeedLaunch {
  public:
    explicit DeepspeedLaunch(const std::string& sections, int stage = 2) {
        ::setenv("ACCELERATE_USE_DEEPSPEED", "true", 1);
        ::setenv("ACCELERATE_DEEPSPEED_CONFIG_FILE",
                 fmt::format(R"({{"zero_optimization": {{"stage": {}}}{}{}}})", stage, sections.empty() ? "" : ", ",
                             sections)
                     .c_str(),
                 1);
    }
    ~DeepspeedLaunch() {
        ::unsetenv("ACCELERATE_USE_DEEPSPEED");
        ::unsetenv("ACCELERATE_DEEPSPEED_CONFIG_FILE");
    }
    DeepspeedLaunch(const DeepspeedLaunch&) = delete;
    DeepspeedLaunch& operator=(const DeepspeedLaunch&) = delete;
};

struct Curve {
    std::vector<double> rates, losses;
};

using MakeOptimizer =
    std::function<std::shared_ptr<accelerator::PreparedOptimizer>(Accelerator&, const std::vector<at::Tensor>&)>;
using MakeSchedule = std::function<std::shared_ptr<accelerator::Scheduler>(
    Accelerator&, const std::shared_ptr<accelerator::PreparedOptimizer>&)>;

/// Rates and losses of updates with 12 samples on all ranks together.
Curve curve_of(int ranks, const MakeOptimizer& make_optimizer, const MakeSchedule& make_schedule,
               std::optional<std::int64_t> stage = {}) {
    Curve curve;
    on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
        const bool is_main = process->is_main_process();
        AcceleratorOptions options;
        options.zero_stage = stage;
        Accelerator accelerator(options, std::move(process));
        auto net = std::make_shared<test::Net>();
        auto model = accelerator.prepare(net);
        const auto optimizer = make_optimizer(accelerator, net->parameters());
        const auto schedule = make_schedule(accelerator, optimizer);
        const auto loader = accelerator.prepare(test::loader_over(test::samples(12 * kUpdates), 12 / ranks));
        for (Tree& batch : *loader) {
            auto scope = accelerator.accumulate(model);
            const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch);
            accelerator.backward(loss);
            const double mean =
                accelerator.reduce(loss.detach().reshape({1}), parallel::Reduction::mean).item<double>();
            if (is_main) {
                curve.rates.push_back(optimizer->lr(0));
                curve.losses.push_back(mean);
            }
            optimizer->step();
            schedule->step();
            optimizer->zero_grad();
        }
    });
    return curve;
}

struct Schedule {
    std::string name, params;  ///< of the file
    Tree arguments;            ///< what they become
};

TEST(DeepspeedSections, PlaceholdersBecomeWhatTheFileDescribes) {
    const DummyScheduler counted{.total_num_steps = 12, .warmup_num_steps = 3};
    const Tree warmup = Tree::dict({{"warmup_min_lr", 0.0}, {"warmup_max_lr", 0.02}, {"warmup_num_steps", 3}});
    for (const int ranks : {1, 2}) {
        Tree decay = warmup, cosine = Tree::dict({{"warmup_num_steps", 3}});
        for (Tree* arguments : {&decay, &cosine})  // of all ranks, as Accelerate counts
            arguments->set("total_num_steps", 12 / ranks);
        const std::string autos = R"("warmup_min_lr": "auto", "warmup_max_lr": "auto", "warmup_num_steps": "auto")";
        const std::string total = R"("total_num_steps": "auto")";
        for (const Schedule& each : std::vector<Schedule>{
                 {"WarmupLR", autos, warmup},
                 {"WarmupDecayLR", autos + ", " + total, decay},
                 {"WarmupCosineLR", R"("warmup_num_steps": "auto", )" + total, cosine},
                 {"OneCycle", R"("cycle_min_lr": 0.001, "cycle_max_lr": 0.03, "cycle_first_step_size": 3)",
                  Tree::dict({{"cycle_min_lr", 0.001}, {"cycle_max_lr", 0.03}, {"cycle_first_step_size", 3}})}})
            for (const int stage : {0, 2, 3}) {
                SCOPED_TRACE(fmt::format("{}, {} ranks, stage {}", each.name, ranks, stage));
                Curve got;
                {
                    const DeepspeedLaunch launch(
                        fmt::format(R"("optimizer": {{"type": "AdamW", "params": {{"lr": "auto", "betas": [0.8, 0.95],
                                    "eps": 1e-7, "weight_decay": "auto"}}}},
                                    "scheduler": {{"type": "{}", "params": {{{}}}}})",
                                    each.name, each.params),
                        stage);
                    got = curve_of(
                        ranks,
                        [](Accelerator& accelerator, const std::vector<at::Tensor>& parameters) {
                            return accelerator.prepare(
                                DummyOptim{.params = parameters, .lr = 0.02, .weight_decay = 0.1});
                        },
                        [&](Accelerator& accelerator, const auto&) { return accelerator.prepare(counted); });
                }
                const Curve expected = curve_of(
                    ranks,
                    [](Accelerator& accelerator, const std::vector<at::Tensor>& parameters) {
                        return accelerator.prepare(
                            optim::make_optimizer("AdamW", parameters,
                                                  Tree::dict({{"lr", 0.02},
                                                              {"betas", Tree::list({Tree(0.8), Tree(0.95)})},
                                                              {"eps", 1e-7},
                                                              {"weight_decay", 0.1}})));
                    },
                    [&](Accelerator& accelerator, const std::shared_ptr<accelerator::PreparedOptimizer>& optimizer) {
                        return accelerator.prepare(optim::make_schedule(each.name, each.arguments, *optimizer),
                                                   optimizer);
                    },
                    stage);
                ASSERT_EQ(got.rates.size(), static_cast<std::size_t>(kUpdates));
                EXPECT_EQ(got.rates, expected.rates);
                EXPECT_EQ(got.losses, expected.losses);
                EXPECT_NE(got.rates[1], got.rates[6]);
            }
    }
}

/// Of the four combinations, an optimizer of the program with a schedule of the file is the mixed one that is allowed.
TEST(DeepspeedSections, AnOptimizerOfTheProgramFollowsTheScheduleOfTheFile) {
    const MakeOptimizer own = [](Accelerator& accelerator, const std::vector<at::Tensor>& parameters) {
        return accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters, 0.02));
    };
    for (const int ranks : {1, 2}) {
        Curve got;
        {
            const DeepspeedLaunch launch(
                R"("scheduler": {"type": "WarmupDecayLR", "params": {"warmup_min_lr": "auto", "warmup_max_lr": "auto",
                   "warmup_num_steps": "auto", "total_num_steps": "auto"}})");
            got = curve_of(ranks, own, [](Accelerator& accelerator, const auto&) {
                return accelerator.prepare(DummyScheduler{.total_num_steps = 12, .warmup_num_steps = 3});
            });
        }
        const Tree arguments = Tree::dict({{"warmup_min_lr", 0.0},
                                           {"warmup_max_lr", 0.02},
                                           {"warmup_num_steps", 3},
                                           {"total_num_steps", 12 / ranks}});
        const Curve expected = curve_of(
            ranks, own,
            [&](Accelerator& accelerator, const std::shared_ptr<accelerator::PreparedOptimizer>& optimizer) {
                return accelerator.prepare(optim::make_schedule("WarmupDecayLR", arguments, *optimizer), optimizer);
            },
            2);
        EXPECT_EQ(got.rates, expected.rates) << ranks;
        EXPECT_EQ(got.losses, expected.losses) << ranks;
        EXPECT_NE(got.rates[1], got.rates[6]);
    }
}

TEST(DeepspeedSections, GroupsAndFurtherArgumentsAct) {
    const DeepspeedLaunch launch(
        R"("optimizer": {"type": "SGD", "params": {"lr": 0.5, "momentum": 0.25, "weight_decay": "auto"}})");
    Accelerator accelerator({}, test::alone());
    auto net = std::make_shared<test::Net>();
    auto [model, optimizer] = accelerator.prepare(
        net, DummyOptim{.params = {net->first}, .lr = 3, .groups = {{.params = {net->bias}, .lr = 0.125}}});
    ASSERT_EQ(optimizer->group_count(), 2U);
    EXPECT_EQ(optimizer->momentum(0), 0.25);
    EXPECT_EQ(std::min(optimizer->lr(0), optimizer->lr(1)), 0.125);
    EXPECT_EQ(std::max(optimizer->lr(0), optimizer->lr(1)), 0.5) << "the file's number, not the placeholder's";
}

/// DeepSpeed's OneBitAdam and ZeroOneAdam, in any case of letters.
TEST(DeepspeedSections, RanksExchangeSignsAsTheFileSays) {
    for (const auto& [type, params, name] :
         {std::tuple("OneBitAdam", R"("freeze_step": 1, "cuda_aware": false, "comm_backend_name": "nccl")",
                     "OneBitAdam"),
          {"zerooneadam",
           R"("var_freeze_step": 1, "var_update_scaler": 2, "local_step_scaler": 3, "local_step_clipper": 4)",
           "ZeroOneAdam"}}) {
        SCOPED_TRACE(type);
        const DeepspeedLaunch launch(
            fmt::format(R"("optimizer": {{"type": "{}", "params": {{"lr": "auto", "weight_decay": "auto", {}}}}})",
                        type, params),
            0);
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({}, process);
            auto net = std::make_shared<test::Net>();
            auto [model, optimizer] = accelerator.prepare(net, DummyOptim{.params = net->parameters(), .lr = 0.01});
            EXPECT_EQ(optimizer->traits().name, name);
            EXPECT_EQ(optimizer->lr(0), 0.01);
            const at::Tensor x = at::linspace(-1, 1, 8).add(process->rank()).view({2, 4}), y = at::ones({2, 1});
            for (const bool sums : {true, false, false}) {
                EXPECT_EQ(optimizer->sums_gradients(), sums);
                accelerator.backward(at::mse_loss(model(x), y));
                optimizer->step();
                optimizer->zero_grad();
            }
        });
        const DeepspeedLaunch zero(fmt::format(R"("optimizer": {{"type": "{}", "params": {{"lr": 0.1}}}})", type), 1);
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({}, process);
            auto net = std::make_shared<test::Net>();
            EXPECT_THAT(
                [&] { accelerator.prepare(net, DummyOptim{.params = net->parameters()}); },
                ThrowsMessage<UserError>(says("does not go with {}, which exchanges signs of momenta instead of "
                                              "gradients: {}",
                                              name, testing::_)));
        });
    }
}

TEST(DeepspeedSections, ACallableMakesTheScheduleOfAnOptimizerOfTheFile) {
    const DeepspeedLaunch launch(R"("optimizer": {"type": "AdamW", "params": {"lr": "auto"}})");
    Accelerator accelerator({}, test::alone());
    auto net = std::make_shared<test::Net>();
    auto [model, optimizer, schedule] = accelerator.prepare(
        net, DummyOptim{.params = net->parameters(), .lr = 0.5},
        DummyScheduler{.lr_scheduler_callable = [](optim::Optimizer& made) {
            return optim::make_schedule("StepLR", Tree::dict({{"step_size", 1}, {"gamma", 0.5}}), made);
        }});
    optimizer->step();
    schedule->step();
    EXPECT_EQ(optimizer->lr(0), 0.25);
}

TEST(DeepspeedSections, ContradictionsAreOneMessage) {
    const std::string adamw = R"("optimizer": {"type": "AdamW", "params": {"lr": 0.1}})",
                      warmup = R"("scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": "auto"}})",
                      decay = R"("scheduler": {"type": "WarmupDecayLR", "params": {"total_num_steps": "auto"}})";
    using Body = std::function<void(Accelerator&, const std::shared_ptr<test::Net>&)>;
    const auto own_optimizer = [](Accelerator& accelerator, const std::shared_ptr<test::Net>& net) {
        return accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 0.1));
    };
    const auto own_schedule = [](Accelerator& accelerator,
                                 const std::shared_ptr<accelerator::PreparedOptimizer>& optimizer) {
        accelerator.prepare(optim::make_schedule("constant", Tree::dict(), *optimizer), optimizer);
    };
    struct Refused {
        std::string sections;
        Body body;
        std::string words;
    };
    const std::vector<Refused> cases{
        {adamw, [&](Accelerator& accelerator, const auto& net) { own_optimizer(accelerator, net); },
         "both DeepSpeed's file and the program have an optimizer: leave one out"},
        {"",
         [](Accelerator& accelerator, const auto& net) {
             accelerator.prepare(DummyOptim{.params = net->parameters()});
         },
         "the program leaves the optimizer to DeepSpeed's file, which has no section optimizer"},
        {warmup,
         [&](Accelerator& accelerator, const auto& net) { own_schedule(accelerator, own_optimizer(accelerator, net)); },
         "both DeepSpeed's file and the program have a learning rate schedule: leave one out"},
        {adamw,
         [](Accelerator& accelerator, const auto& net) {
             accelerator.prepare(DummyOptim{.params = net->parameters()});
             accelerator.prepare(DummyScheduler{});
         },
         "the program leaves the schedule to DeepSpeed's file, which has no section scheduler"},
        {adamw,
         [&](Accelerator& accelerator, const auto& net) {
             own_schedule(accelerator, accelerator.prepare(DummyOptim{.params = net->parameters()}));
         },
         "a schedule of the program cannot change the rates of an optimizer of DeepSpeed's file"},
        {adamw + ", " + decay,
         [](Accelerator& accelerator, const auto& net) {
             accelerator.prepare(DummyOptim{.params = net->parameters()});
             accelerator.prepare(DummyScheduler{});
         },
         "scheduler.params.total_num_steps is auto, but nothing decides its value"},
        {adamw + ", " + warmup, [](Accelerator& accelerator, const auto&) { accelerator.prepare(DummyScheduler{}); },
         "0 optimizers are prepared: name the one that the DummyScheduler follows"}};
    for (const Refused& each : cases) {
        const DeepspeedLaunch launch(each.sections);
        Accelerator accelerator({}, test::alone());
        const auto net = std::make_shared<test::Net>();
        EXPECT_THAT([&] { each.body(accelerator, net); }, ThrowsMessage<UserError>(HasSubstr(each.words)));
    }
    // A program without DeepSpeed has no file of it.
    Accelerator plain({}, test::alone());
    const auto net = std::make_shared<test::Net>();
    EXPECT_THAT([&] { plain.prepare(DummyOptim{.params = net->parameters()}); },
                ThrowsMessage<UserError>(HasSubstr("which has no section optimizer")));
}

TEST(DeepspeedSections, TheFileDecidesTheNumberFormat) {
    {
        const DeepspeedLaunch launch(R"("bf16": {"enabled": true})");
        EXPECT_EQ(Accelerator({}, test::alone()).mixed_precision(), Precision::bf16);
        AcceleratorOptions fp16;
        fp16.mixed_precision = Precision::fp16;
        EXPECT_THAT([&] { Accelerator(fp16, test::alone()); },
                    ThrowsMessage<UserError>(HasSubstr("mixed_precision is fp16, but DeepSpeed's file enables bf16")));
    }
    {
        const DeepspeedLaunch launch(R"("bf16": {"enabled": "auto"}, "fp16": {"enabled": "auto"})");
        EXPECT_EQ(Accelerator({}, test::alone()).mixed_precision(), Precision::no);
        AcceleratorOptions bf16;
        bf16.mixed_precision = Precision::bf16;
        EXPECT_EQ(Accelerator(bf16, test::alone()).mixed_precision(), Precision::bf16);
    }
    const DeepspeedLaunch launch(R"("fp16": {"enabled": true, "initial_scale_power": 5, "loss_scale_window": 1})");
    Accelerator accelerator({}, test::alone());
    ASSERT_NE(accelerator.scaler(), nullptr);
    const Tree state = accelerator.scaler()->state_dict();
    EXPECT_EQ(state.at("scale").as_real(), 32);
    EXPECT_EQ(state.at("growth_interval").as_integer(), 1);
}

/// A frozen base, of which a head uses the weight, too, and an adapter.
struct Adapted : torch::nn::Module {
    Adapted() {
        base = register_module("base", torch::nn::Linear(4, 6));
        for (at::Tensor& parameter : base->parameters())
            parameter.set_requires_grad(false);
        register_parameter("head", base->weight, false);
        lora = register_module("lora", torch::nn::Linear(torch::nn::LinearOptions(4, 6).bias(false)));
        const at::NoGradGuard no_grad;
        for (const auto& parameter : named_parameters())
            parameter.value().copy_(at::linspace(-0.3, 0.4, parameter.value().numel()).reshape_as(parameter.value()));
        register_buffer("steps", at::zeros({1}));
    }
    at::Tensor forward(const at::Tensor& x) { return (base(x) + lora(x)).sum(1, true); }
    torch::nn::Linear base{nullptr}, lora{nullptr};
};

/// On 1 and 2 ranks, with and without the file's key: whole weights of stage 3 in 16 bits, the adapter alone.
TEST(DeepspeedSections, ExportsAreIn16BitsWhereTheFileSaysIt) {
    for (const int ranks : {1, 2})
        for (const bool gathers : {false, true}) {
            const test::TemporaryFolder folder;
            ::setenv("ACCELERATE_USE_DEEPSPEED", "true", 1);
            ::setenv("ACCELERATE_DEEPSPEED_CONFIG_FILE",
                     fmt::format(R"({{"bf16": {{"enabled": true}}, "zero_optimization": {{"stage": 3,
                                 "stage3_gather_16bit_weights_on_model_save": {}}}}})",
                                 gathers)
                         .c_str(),
                     1);
            NamedTensors whole;
            on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
                const bool is_main = process->is_main_process();
                Accelerator accelerator({}, std::move(process));
                auto net = std::make_shared<Adapted>();
                auto model = accelerator.prepare(net);
                const NamedTensors state = accelerator.get_state_dict(model);
                accelerator.save_model(model, folder.path() / "model");
                accelerator.save_model(model, folder.path() / "adapter", "10GB", true, true);
                accelerator.save_state(folder.path() / "state");
                if (is_main)
                    whole = state;
                else
                    EXPECT_TRUE(state.empty());
            });
            ::unsetenv("ACCELERATE_USE_DEEPSPEED");
            ::unsetenv("ACCELERATE_DEEPSPEED_CONFIG_FILE");
            const auto original = Adapted().named_parameters();
            const NamedTensors saved = checkpoint::read_weights(folder.path() / "model"),
                               state = checkpoint::read_weights(folder.path() / "state");
            ASSERT_EQ(whole.size(), 5U);
            ASSERT_EQ(saved.size(), 4U) << "a tied weight once";
            std::set<const void*> memories;
            for (const auto& [name, tensor] : whole)
                memories.insert(tensor.const_data_ptr());
            EXPECT_EQ(memories.size(), 4U) << "tied weights stay tied";
            for (const NamedTensors* tensors : {&std::as_const(whole), &saved})
                for (const auto& [name, tensor] : *tensors)
                    if (const at::Tensor* parameter = original.find(name)) {
                        EXPECT_EQ(tensor.scalar_type(), gathers ? at::kBFloat16 : at::kFloat) << name;
                        EXPECT_TRUE(tensor.equal(parameter->detach().to(tensor.scalar_type()))) << name;
                    }
            for (const auto& [name, tensor] : state)  // to continue from
                EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
            const NamedTensors adapter = checkpoint::read_weights(folder.path() / "adapter");
            ASSERT_EQ(adapter.size(), 1U);
            EXPECT_EQ(adapter.front().first, "lora.weight");
            EXPECT_EQ(adapter.front().second.scalar_type(), gathers ? at::kBFloat16 : at::kFloat);
            EXPECT_TRUE(std::filesystem::exists(folder.path() / "adapter" / "adapter_model.safetensors"));
        }
}

}  // namespace
}  // namespace trainyard::deepspeed_sections
