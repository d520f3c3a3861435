// SPDX-License-Identifier: GPL-3.0-or-later
// Stages on ranks beside the same network in one piece: every gradient bit for bit, whatever the table.

#include "distributed/parallel/schedule_executor.h"

#include <algorithm>
#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gtest/gtest.h>

#include "distributed/pipeline/simulator.h"
#include "parallel/over_ranks.h"

namespace trainyard::parallel {
namespace {

using pipeline::make_schedule;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kSamples = 3, kFeatures = 5;

/// x @ w, whose gradient of w can be put off.
struct Product : torch::autograd::Function<Product> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& w,
                              at::Tensor* gradient) {
        context->save_for_backward({x, w});
        context->saved_data["gradient"] = reinterpret_cast<std::int64_t>(gradient);
        return at::mm(x, w);
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        variable_list saved = context->get_saved_variables();
        auto* target = reinterpret_cast<at::Tensor*>(context->saved_data["gradient"].toInt());
        DeferredGradients::make(
            [target, x = saved[0].detach(), dy = gradients[0]] { target->add_(at::mm(x.t(), dy)); });
        return {at::mm(gradients[0], saved[1].detach().t()), at::Tensor(), at::Tensor()};
    }
};

at::Tensor numbers(std::int64_t rows, std::int64_t columns, double start) {
    return at::arange(rows * columns, at::kFloat).add(start).mul(0.37).sin().view({rows, columns});
}

/// Two streams and whole numbers flow; the second stream goes past all stages but the last.
class Layer {
  public:
    Layer(int stage, int stages)
        : first_(stage == 0), last_(stage + 1 == stages), weight_(numbers(kFeatures, kFeatures, 7 * stage)) {
        weight_.set_requires_grad(true);
    }
    Tensors forward(int micro_batch, const Tensors& given) {
        Tensors inputs = given;
        if (first_)
            inputs = {numbers(kSamples, kFeatures, 100 + micro_batch), numbers(kSamples, kFeatures, 200 + micro_batch),
                      at::arange(kSamples, at::kLong)};
        EXPECT_EQ(inputs.at(2)[1].item<std::int64_t>(), 1) << "whole numbers travel as they are";
        at::Tensor hidden = at::tanh(Product::apply(inputs[0], weight_, &gradient));
        if (!last_)
            return {hidden.add(inputs[1], 0.1), inputs[1].mul(1.5), inputs[2]};
        at::Tensor loss = hidden.mul(inputs[1]).sum();
        losses[micro_batch] = loss.item<float>();
        return {loss};
    }
    at::Tensor gradient = at::zeros({kFeatures, kFeatures});
    std::map<int, float> losses;

  private:
    bool first_, last_;
    at::Tensor weight_;
};

/// The layers of one rank.
class Layers final : public PipelineStages {
  public:
    Layers(const Schedule& schedule, int rank) {
        for (int stage = 0; stage < schedule.stages; ++stage)
            if (schedule.rank_of_stage[static_cast<std::size_t>(stage)] == rank)
                own.try_emplace(stage, stage, schedule.stages);
    }
    Tensors forward(int stage, int micro_batch, const Tensors& inputs) override {
        return own.at(stage).forward(micro_batch, inputs);
    }
    Tensors empty_inputs(int, int) override {
        return {at::empty({kSamples, kFeatures}), at::empty({kSamples, kFeatures}), at::empty({kSamples}, at::kLong)};
    }
    void before_backward(int, int, bool last) override { last_backwards += last ? 1 : 0; }

    std::map<int, Layer> own;
    int last_backwards = 0;
};

struct Outcome {
    std::vector<at::Tensor> gradients;  ///< by stage
    std::map<int, float> losses;
};

/// The table of one rank for all stages: their forwards, then their backwards from behind.
Schedule together(int stages, int micro_batches) {
    using enum pipeline::ActionKind;
    Schedule schedule{"one rank", stages, micro_batches, std::vector<int>(static_cast<std::size_t>(stages), 0), {{}}};
    RankActions& row = schedule.ranks[0];
    for (int i = 0; i < micro_batches; ++i) {
        for (int stage = 0; stage < stages; ++stage)
            row.push_back({forward, stage, i});
        for (int stage = stages; stage-- > 0;)
            row.push_back({backward, stage, i});
    }
    for (int stage = 0; stage < stages; ++stage)
        row.push_back({reduce, stage});
    return schedule;
}

Outcome execute(const Schedule& schedule) {
    Outcome outcome;
    outcome.gradients.resize(static_cast<std::size_t>(schedule.stages));
    auto body = [&](Communicator& communicator) {
        Layers layers(schedule, communicator.rank());
        ScheduleExecutor executor(schedule, communicator, layers);
        bool splits = false;
        for (int step = 0; step < 2; ++step) {  // slots of the step before are gone
            for (auto& [stage, layer] : layers.own)
                layer.gradient.zero_();
            std::size_t reduces = 0;
            executor.run([&](const Action& action) {
                reduces += action.kind == pipeline::ActionKind::reduce ? 1 : 0;
                splits = splits || action.kind == pipeline::ActionKind::backward_weight;
            });
            EXPECT_EQ(reduces, layers.own.size());
        }
        EXPECT_EQ(layers.last_backwards, splits ? 0 : 2);
        for (auto& [stage, layer] : layers.own) {
            outcome.gradients[static_cast<std::size_t>(stage)] = layer.gradient;
            if (stage + 1 == schedule.stages)
                outcome.losses = layer.losses;
        }
    };
    test::over_ranks(static_cast<int>(schedule.ranks.size()), body);
    return outcome;
}

/// Bit for bit, unless the gradients of micro-batches are added in another order.
void expect_same(const Outcome& a, const Outcome& b, bool same_order, const std::string& what) {
    EXPECT_EQ(a.losses, b.losses) << what;
    for (std::size_t stage = 0; stage < a.gradients.size(); ++stage)
        EXPECT_TRUE(same_order ? a.gradients[stage].equal(b.gradients[stage])
                               : a.gradients[stage].allclose(b.gradients[stage], 1e-5, 1e-6))
            << what << ", stage " << stage;
}

TEST(ScheduleExecutor, EveryTableMakesTheGradientsOfOneRank) {
    std::map<std::pair<int, int>, Outcome> expected;  // by stages and micro-batches
    for (const std::string& name : pipeline::schedule_names())
        for (const pipeline::PipelineSize& size :
             {pipeline::PipelineSize{2, 0, 1}, {2, 0, 5}, {3, 0, 4}, {4, 0, 2}, {2, 0, 4}, {2, 4, 6}, {4, 0, 8}}) {
            if (pipeline::schedule_refusal(name, size))
                continue;
            const Schedule schedule = make_schedule(name, size.ranks, size.micro_batches, size.stages_per_rank);
            auto [whole, is_new] = expected.try_emplace({schedule.stages, schedule.micro_batches});
            if (is_new)
                whole->second = execute(together(schedule.stages, schedule.micro_batches));
            EXPECT_GT(whole->second.gradients[0].abs().sum().item<float>(), 0);
            EXPECT_EQ(whole->second.losses.size(), static_cast<std::size_t>(size.micro_batches));
            expect_same(execute(schedule), whole->second, name != "LoopedBFS",
                        name + " " + std::to_string(schedule.stages) + " x " + std::to_string(size.micro_batches));
        }
}

/// The time of a rank. What flows between stages is the time at which it was made, forwards and backwards, so that the
/// clocks of an execution depend on its messages alone and not on the load of the machine.
struct Clock {
    double now = 0;
    void wait_until(const at::Tensor& made) { now = std::max(now, made.item<double>()); }
    at::Tensor as_tensor() const { return at::full({1}, now, at::kDouble); }
};

struct Tick : torch::autograd::Function<Tick> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& made, Clock* clock,
                              const pipeline::StageTimes* times) {
        context->saved_data["clock"] = reinterpret_cast<std::int64_t>(clock);
        context->saved_data["times"] = reinterpret_cast<std::int64_t>(times);
        clock->wait_until(made);
        clock->now += times->forward;
        return clock->as_tensor();
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto* clock = reinterpret_cast<Clock*>(context->saved_data["clock"].toInt());
        auto* times = reinterpret_cast<const pipeline::StageTimes*>(context->saved_data["times"].toInt());
        clock->wait_until(gradients[0]);  // the root's gradient is 1, when more time has passed
        clock->now += times->backward_input;
        DeferredGradients::make([clock, times] { clock->now += times->backward_weight; });
        return {clock->as_tensor(), at::Tensor(), at::Tensor()};
    }
};

class TimedStages final : public PipelineStages {
  public:
    explicit TimedStages(const std::vector<pipeline::StageTimes>& times) : times_(times) {}
    Tensors forward(int stage, int, const Tensors& inputs) override {
        const at::Tensor made = stage == 0 ? at::zeros({1}, at::kDouble).set_requires_grad(true) : inputs.at(0);
        const auto place = static_cast<std::size_t>(stage);
        const at::Tensor output = Tick::apply(made, &clock, &times_[place]);
        return {place + 1 == times_.size() ? output.sum() : output};
    }
    Tensors empty_inputs(int, int) override { return {at::empty({1}, at::kDouble)}; }

    Clock clock;

  private:
    const std::vector<pipeline::StageTimes>& times_;
};

TEST(ScheduleExecutor, AStepTakesTheTimeThatIsSimulated) {
    for (const std::string& name : pipeline::schedule_names())
        for (const pipeline::PipelineSize& size : {pipeline::PipelineSize{2, 0, 4}, {2, 3, 6}, {3, 0, 6}, {4, 0, 8}}) {
            if (pipeline::schedule_refusal(name, size))
                continue;
            const Schedule schedule = make_schedule(name, size.ranks, size.micro_batches, size.stages_per_rank);
            std::vector<pipeline::StageTimes> times;  // stages that are not equal
            for (int stage = 0; stage < schedule.stages; ++stage)
                times.push_back({1 + 0.25 * (stage % 3), 1.5, 0.75 + 0.5 * (stage % 2)});
            std::vector<double> ends(schedule.ranks.size());
            test::over_ranks(size.ranks, [&](Communicator& communicator) {
                TimedStages stages(times);
                ScheduleExecutor(schedule, communicator, stages).run();
                ends[static_cast<std::size_t>(communicator.rank())] = stages.clock.now;
            });
            const double simulated = pipeline::simulate(schedule, times).seconds;
            const double measured = *std::ranges::max_element(ends);
            const std::string what = name + " on " + std::to_string(size.ranks) + " ranks";
            // Outputs of DualPipeV's pairs are sent after both computations, later than their clock says.
            EXPECT_NEAR(measured, simulated, name == "DualPipeV" ? 0.1 * simulated : 1e-9) << what;
            EXPECT_LE(measured, simulated + 1e-9) << what;
        }
}

TEST(ScheduleExecutor, ForwardsAloneNeedNoGraph) {
    Outcome expected = execute(together(2, 3));
    std::map<int, float> losses;
    test::over_ranks(2, [&](Communicator& communicator) {
        at::NoGradGuard no_grad;
        const Schedule schedule = pipeline::forward_schedule({0, 1}, 3);
        Layers layers(schedule, communicator.rank());
        ScheduleExecutor(schedule, communicator, layers).run();
        if (communicator.rank() == 1)
            losses = layers.own.at(1).losses;
    });
    EXPECT_EQ(losses, expected.losses);
}

TEST(ScheduleExecutor, RefusesWhatDoesNotFitItsRanks) {
    Layers layers(pipeline::plain_schedule(1), 0);
    std::unique_ptr<World> world = World::connect({}, "cpu");
    int self = 0;
    auto alone = world->group({&self, 1}, "pp");
    EXPECT_THROW(ScheduleExecutor(make_schedule("GPipe", 2, 2), *alone, layers), std::invalid_argument);
    Schedule broken = pipeline::plain_schedule(2);
    std::swap(broken.ranks[0][0], broken.ranks[0][1]);
    EXPECT_THROW(ScheduleExecutor(broken, *alone, layers), std::invalid_argument);
}

}  // namespace
}  // namespace trainyard::parallel
