// Stages on ranks beside the same network in one piece: every gradient bit for bit, whatever the table.

#include "distributed/parallel/schedule_executor.h"

#include <map>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gtest/gtest.h>

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
class Layer final : public PipelineStage {
  public:
    Layer(int stage, int stages)
        : first_(stage == 0), last_(stage + 1 == stages), weight_(numbers(kFeatures, kFeatures, 7 * stage)) {
        weight_.set_requires_grad(true);
    }
    Tensors forward(int micro_batch, const Tensors& given) override {
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
    Tensors empty_inputs(int) override {
        return {at::empty({kSamples, kFeatures}), at::empty({kSamples, kFeatures}), at::empty({kSamples}, at::kLong)};
    }
    void before_backward(int, bool last) override { last_backwards += last ? 1 : 0; }

    at::Tensor gradient = at::zeros({kFeatures, kFeatures});
    std::map<int, float> losses;
    int last_backwards = 0;

  private:
    bool first_, last_;
    at::Tensor weight_;
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
    for (pipeline::ActionKind kind : {reduce, update})
        for (int stage = 0; stage < stages; ++stage)
            row.push_back({kind, stage, 0});
    return schedule;
}

Outcome execute(const Schedule& schedule) {
    Outcome outcome;
    outcome.gradients.resize(static_cast<std::size_t>(schedule.stages));
    auto body = [&](Communicator& communicator) {
        std::map<int, std::unique_ptr<Layer>> layers;
        std::map<int, PipelineStage*> own;
        for (int stage = 0; stage < schedule.stages; ++stage)
            if (schedule.rank_of_stage[static_cast<std::size_t>(stage)] == communicator.rank()) {
                layers[stage] = std::make_unique<Layer>(stage, schedule.stages);
                own[stage] = layers[stage].get();
            }
        ScheduleExecutor executor(schedule, communicator, own);
        for (int step = 0; step < 2; ++step) {  // slots of the step before are gone
            for (auto& [stage, layer] : layers)
                layer->gradient.zero_();
            std::vector<Action> others;
            executor.run([&](const Action& action) {
                if (action.kind >= pipeline::ActionKind::reduce)
                    others.push_back(action);
            });
            EXPECT_EQ(others.size(), 2 * layers.size());
        }
        for (auto& [stage, layer] : layers) {
            outcome.gradients[static_cast<std::size_t>(stage)] = layer->gradient;
            EXPECT_EQ(layer->last_backwards, schedule.name == "ZBH1" ? 0 : 2);
            if (stage + 1 == schedule.stages)
                outcome.losses = layer->losses;
        }
    };
    test::over_ranks(static_cast<int>(schedule.ranks.size()), body);
    return outcome;
}

void expect_same(const Outcome& a, const Outcome& b, const std::string& what) {
    EXPECT_EQ(a.losses, b.losses) << what;
    for (std::size_t stage = 0; stage < a.gradients.size(); ++stage)
        EXPECT_TRUE(a.gradients[stage].equal(b.gradients[stage])) << what << ", stage " << stage;
}

TEST(ScheduleExecutor, EveryTableMakesTheGradientsOfOneRank) {
    for (auto [stages, micro_batches] : {std::pair{2, 1}, {2, 5}, {3, 4}, {4, 2}}) {
        Outcome expected = execute(together(stages, micro_batches));
        EXPECT_GT(expected.gradients[0].abs().sum().item<float>(), 0);
        EXPECT_EQ(expected.losses.size(), static_cast<std::size_t>(micro_batches));
        for (const std::string& name : pipeline::schedule_names())
            expect_same(execute(make_schedule(name, stages, micro_batches)), expected,
                        name + " " + std::to_string(stages) + " x " + std::to_string(micro_batches));
    }
}

TEST(ScheduleExecutor, ForwardsAloneNeedNoGraph) {
    Outcome expected = execute(together(2, 3));
    std::map<int, float> losses;
    test::over_ranks(2, [&](Communicator& communicator) {
        at::NoGradGuard no_grad;
        Layer layer(communicator.rank(), 2);
        ScheduleExecutor executor(pipeline::forward_schedule(2, 3), communicator, {{communicator.rank(), &layer}});
        executor.run();
        if (communicator.rank() == 1)
            losses = layer.losses;
    });
    EXPECT_EQ(losses, expected.losses);
}

TEST(ScheduleExecutor, RefusesWhatDoesNotFitItsRanks) {
    Layer layer(0, 1);
    std::unique_ptr<World> world = World::connect({}, "cpu");
    int self = 0;
    auto alone = world->group({&self, 1}, "pp");
    EXPECT_THROW(ScheduleExecutor(make_schedule("GPipe", 2, 2), *alone, {{0, &layer}}), std::invalid_argument);
    EXPECT_THROW(ScheduleExecutor(pipeline::plain_schedule(1), *alone, {}), std::invalid_argument);
    Schedule broken = pipeline::plain_schedule(2);
    std::swap(broken.ranks[0][0], broken.ranks[0][1]);
    EXPECT_THROW(ScheduleExecutor(broken, *alone, {{0, &layer}}), std::invalid_argument);
}

}  // namespace
}  // namespace trainyard::parallel
