// SPDX-License-Identifier: GPL-3.0-or-later
// Hooks around a unit, forwards and backwards, and the order in which groups are reduced.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/backend.h"
#include "distributed/parallel/group_sync.h"
#include "distributed/parallel/unit.h"
#include "over_ranks.h"
#include "support/says.h"

namespace trainyard::parallel {
namespace {

using test::over_ranks;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// y = x * w, whose gradient of w goes into the flat buffer.
struct Scale : torch::autograd::Function<Scale> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              Parameter* weight) {
        context->save_for_backward({x});
        context->saved_data["weight"] = reinterpret_cast<std::int64_t>(weight);
        return x.mul(compute.detach());
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* weight = reinterpret_cast<Parameter*>(context->saved_data["weight"].toInt());
        weight->add_gradient(gradients[0].mul(context->get_saved_variables()[0]));
        return {gradients[0].mul(weight->value()), at::Tensor(), at::Tensor()};
    }
};

class ScaleUnit final : public Unit {
  public:
    ScaleUnit(std::string name, bool first)
        : Unit(std::move(name)),
          first_(first),
          weight_(add_parameter(this->name() + ".weight", {2}, {Initialiser::Kind::ones, 0})) {}
    Parameter& weight() { return weight_; }

  protected:
    Tensors forward(const Tensors& inputs, StepContext&) override {
        return {Scale::apply(first_ ? at::ones({2}) : inputs.at(0), weight_.compute(), &weight_)};
    }

  private:
    bool first_;
    Parameter& weight_;
};

struct Recorder : UnitHook {
    std::vector<std::string> seen;
    std::string name;
    explicit Recorder(std::string n) : name(std::move(n)) {}
    void before(Unit& unit, Tensors&, StepContext&) override { seen.push_back(name + " before " + unit.name()); }
    void after(Unit& unit, Tensors&, StepContext&) override { seen.push_back(name + " after " + unit.name()); }
    void before_backward(Unit& unit, const Tensors&, int) override { seen.push_back(name + " enters " + unit.name()); }
    void after_backward(Unit& unit, const Tensors&, int) override { seen.push_back(name + " leaves " + unit.name()); }
};

struct TwoUnits {
    ScaleUnit a{"a", true}, b{"b", false};
    FlatArena arena;
    explicit TwoUnits(std::int64_t bucket_bytes = 4 << 20)
        : arena({{"a", a.parameters()}, {"b", b.parameters()}}, at::kFloat, at::kCPU, false,
                {.bucket_bytes = bucket_bytes}) {
        arena.initialise(1);
    }
    void run() {
        StepContext context;
        at::Tensor loss = b(a({}, context), context).at(0).sum();
        loss.backward();
        a.finish_backward();
        b.finish_backward();
    }
};

TEST(Unit, HooksRunAroundForwardAndBackward) {
    TwoUnits units;
    Recorder recorder("h");
    units.a.add_hook(&recorder);
    units.b.add_hook(&recorder);
    units.run();
    EXPECT_EQ(recorder.seen, (std::vector<std::string>{"h before a", "h after a", "h before b", "h after b",
                                                       "h enters b", "h leaves b", "h enters a", "h leaves a"}));
}

TEST(Unit, HooksNestLikeBrackets) {
    TwoUnits units;
    std::vector<std::string> order;
    struct Inner : UnitHook {
        std::vector<std::string>* order;
        std::string name;
        Inner(std::vector<std::string>* o, std::string n) : order(o), name(std::move(n)) {}
        void before(Unit&, Tensors&, StepContext&) override { order->push_back(name + "<"); }
        void after(Unit&, Tensors&, StepContext&) override { order->push_back(name + ">"); }
        Tensors around(Unit&, const Tensors& inputs, StepContext& context, const UnitForward& forward) override {
            order->push_back(name + "(");
            Tensors outputs = forward(inputs, context);
            order->push_back(name + ")");
            return outputs;
        }
    } first(&order, "1"), second(&order, "2");
    units.a.add_hook(&first);
    units.a.add_hook(&second);
    StepContext context;
    units.a({}, context);
    EXPECT_EQ(order, (std::vector<std::string>{"1<", "2<", "1(", "2(", "2)", "1)", "2>", "1>"}));
}

TEST(Unit, HooksDoNotChangeGradients) {
    TwoUnits plain, hooked;
    Recorder recorder("h");
    hooked.a.add_hook(&recorder);
    hooked.b.add_hook(&recorder);
    for (TwoUnits* units : {&plain, &hooked}) {
        units->a.weight().value().fill_(3);
        units->b.weight().value().fill_(5);
        units->run();
        EXPECT_EQ(units->a.weight().gradient().sum().item<float>(), 10.0f);
        EXPECT_EQ(units->b.weight().gradient().sum().item<float>(), 6.0f);
    }
}

/// Takes and gives two streams beside whole numbers, as an encoder-decoder does: the second one goes past it.
class TwoStreams final : public Unit {
  public:
    explicit TwoStreams(std::string name)
        : Unit(std::move(name)), weight_(add_parameter(this->name() + ".weight", {2}, {Initialiser::Kind::ones, 0})) {
        add_buffer(this->name() + ".running_mean", at::zeros({2}));
    }
    Parameter& weight() { return weight_; }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        if (!context.recomputing) {
            at::NoGradGuard no_grad;
            buffers()[0]->value.add_(inputs.at(0).detach());
        }
        at::Tensor decoded = Scale::apply(inputs.at(0), weight_.compute(), &weight_).mul(inputs.at(1));
        return {decoded.mul(context.input("pixel_values")), inputs.at(1), inputs.at(2)};
    }

  private:
    Parameter& weight_;
};

struct SeesTensors final : UnitHook {
    std::vector<std::string> seen;
    static std::string text(const Tensors& tensors) {
        std::string all;
        for (const at::Tensor& tensor : tensors)
            all += tensor.defined() ? std::to_string(tensor.reshape({-1})[0].item<int>()) + " " : "- ";
        return all;
    }
    void before(Unit&, Tensors& inputs, StepContext& context) override {
        seen.push_back(std::to_string(context.micro_batch) + " before " + text(inputs));
    }
    void after(Unit&, Tensors& outputs, StepContext&) override { seen.push_back("after " + text(outputs)); }
    void before_backward(Unit&, const Tensors& gradients, int micro_batch) override {
        seen.push_back(std::to_string(micro_batch) + " enters " + text(gradients));
    }
    void after_backward(Unit&, const Tensors& gradients, int micro_batch) override {
        seen.push_back(std::to_string(micro_batch) + " leaves " + text(gradients));
    }
};

TEST(Unit, SeveralTensorsFlowAndHooksSeeThemAndTheMicroBatch) {
    for (bool checkpointed : {false, true}) {
        TwoStreams unit("decoder");
        FlatArena arena({{"decoder", unit.parameters()}}, at::kFloat, at::kCPU, false);
        arena.initialise(1);
        SeesTensors hook;
        ActivationCheckpointing checkpointing;
        unit.add_hook(&hook);
        if (checkpointed)
            unit.add_hook(&checkpointing);
        StepContext context;
        context.micro_batch = 3;
        context.inputs = {{"pixel_values", at::full({2}, 7.0)}};
        at::Tensor hidden = at::full({2}, 2.0).set_requires_grad(true);
        at::Tensor encoded = at::full({2}, 5.0).set_requires_grad(true);
        at::Tensor ids = at::full({2}, 9, at::kLong);
        Tensors out = unit({hidden, encoded, ids}, context);
        out[0].sum().add(out[1].sum().mul(3)).backward();
        EXPECT_EQ(hook.seen,
                  (std::vector<std::string>{"3 before 2 5 9 ", "after 70 5 9 ", "3 enters 1 3 ", "3 leaves 35 17 "}));
        EXPECT_EQ(hidden.grad()[0].item<float>(), 35);
        EXPECT_EQ(encoded.grad()[0].item<float>(), 17) << "past the unit and through it";
        EXPECT_EQ(unit.weight().gradient()[0].item<float>(), 70);
        EXPECT_EQ(unit.buffers()[0]->value[0].item<float>(), 2) << "running statistics change once";
        EXPECT_THROW(context.input("input_ids"), std::invalid_argument);
    }
}

/// Remembers what is reduced instead of talking to anybody.
class FakeCommunicator final : public Communicator {
  public:
    std::vector<std::pair<std::string, std::int64_t>> reduced;
    int rank() const override { return 0; }
    int size() const override { return 2; }

  protected:
    std::unique_ptr<Pending::Work> start(const Collective& collective) override {
        reduced.emplace_back(collective.name, collective.out.numel());
        return nullptr;
    }
};

TEST(GroupSync, ReducesLastUnitFirstAndOnlyInTheLastMicroBatch) {
    TwoUnits units(1);
    FakeCommunicator fake;
    GroupSync sync(units.arena, {&units.a, &units.b}, fake);
    sync.begin_step();
    sync.begin_micro_batch(false);
    units.run();
    sync.end_micro_batch();
    EXPECT_TRUE(fake.reduced.empty()) << "accumulating micro-batches stay local";
    sync.begin_micro_batch(true);
    units.run();
    sync.finish();
    EXPECT_EQ(fake.reduced,
              (std::vector<std::pair<std::string, std::int64_t>>{{"gradients b", 16}, {"gradients a", 16}}));
}

TEST(GroupSync, JoinsSmallGroupsInOneBucket) {
    TwoUnits units(1 << 20);
    FakeCommunicator fake;
    GroupSync sync(units.arena, {&units.a, &units.b}, fake);
    sync.begin_micro_batch(true);
    units.run();
    sync.finish();
    ASSERT_EQ(fake.reduced.size(), 1u);
    EXPECT_EQ(fake.reduced[0].second, 32);
}

TEST(GroupSync, UnitsThatBackwardNeverReachedAreReducedAsZeros) {
    TwoUnits units(1);
    FakeCommunicator fake;
    GroupSync sync(units.arena, {&units.a, &units.b}, fake);
    units.arena.gradients().fill_(9);
    units.arena.forget_gradients();
    sync.begin_micro_batch(true);
    sync.finish();
    EXPECT_EQ(units.arena.slice(units.arena.gradients(), {0, 2}).sum().item<float>(), 0.0f);
    EXPECT_EQ(fake.reduced.size(), 2u);
}

/// Runs both units, or only the last one, with an input that does not depend on a parameter.
void run_some(TwoUnits& units, GroupSync& sync, bool both) {
    sync.begin_step();
    units.arena.forget_gradients();
    sync.begin_micro_batch(true);
    if (both) {
        units.run();
    } else {
        units.b.weight().add_gradient(at::ones({2}));
        sync.after_backward(units.b, {}, 0);
    }
    sync.finish();
}

TEST(GroupSync, AParameterWithoutGradientIsAnErrorWhereUnusedOnesAreNotLookedFor) {
    TwoUnits units(1);
    FakeCommunicator fake;
    GroupSyncOptions options;
    options.find_unused_parameters = false;
    GroupSync sync(units.arena, {&units.a, &units.b}, fake, options);
    run_some(units, sync, true);
    try {
        run_some(units, sync, false);
        FAIL() << "the unused parameter went unnoticed";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), test::says("these parameters got no gradient in this step: {}; use them in the loss, "
                                             "freeze them, or set find_unused_parameters",
                                             "a.weight"));
    }
    run_some(units, sync, true);
}

TEST(GroupSync, RanksCompareWhichParametersHaveGradients) {
    over_ranks(2, [&](Communicator& communicator) {
        TwoUnits units(1);
        GroupSyncOptions options;
        options.check_reduction = true;
        GroupSync sync(units.arena, {&units.a, &units.b}, communicator, options);
        run_some(units, sync, true);
        run_some(units, sync, false);  // on both alike: zeros
        EXPECT_EQ(units.a.weight().gradient().sum().item<float>(), 0);
        try {
            run_some(units, sync, communicator.rank() == 0);
            FAIL() << "the difference went unnoticed on rank " << communicator.rank();
        } catch (const DistributedOperationError& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("a.weight"), HasSubstr("rank 1"), HasSubstr("no gradient")));
        }
    });
}

TEST(GroupSync, TheFirstBucketCanBeSmaller) {
    ScaleUnit a{"a", true}, b{"b", false};
    for (std::int64_t first : {0, 1}) {
        FlatArena arena({{"a", a.parameters()}, {"b", b.parameters()}}, at::kFloat, at::kCPU, false,
                        {.first_bucket_bytes = first});
        EXPECT_EQ(arena.buckets().size(), first == 0 ? 1u : 2u);
        EXPECT_EQ(arena.buckets().front().name, first == 0 ? "a" : "b");
        EXPECT_EQ(arena.buckets().back().range.begin, 0);
    }
}

}  // namespace
}  // namespace trainyard::parallel
