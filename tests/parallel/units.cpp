// Hooks around a unit, forwards and backwards, and the order in which groups are reduced.

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/custom_function.h>

#include <gtest/gtest.h>

#include "parallel/backend.h"
#include "parallel/group_sync.h"
#include "parallel/unit.h"

namespace trainyard::parallel {
namespace {

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
    at::Tensor forward(const at::Tensor& hidden, StepContext&) override {
        return Scale::apply(first_ ? at::ones({2}) : hidden, weight_.compute(), &weight_);
    }

  private:
    bool first_;
    Parameter& weight_;
};

struct Recorder : UnitHook {
    std::vector<std::string> seen;
    std::string name;
    explicit Recorder(std::string n) : name(std::move(n)) {}
    void before(Unit& unit, StepContext&) override { seen.push_back(name + " before " + unit.name()); }
    void after(Unit& unit, StepContext&) override { seen.push_back(name + " after " + unit.name()); }
    void before_backward(Unit& unit) override { seen.push_back(name + " enters " + unit.name()); }
    void after_backward(Unit& unit) override { seen.push_back(name + " leaves " + unit.name()); }
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
        at::Tensor loss = b(a({}, context), context).sum();
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
        void before(Unit&, StepContext&) override { order->push_back(name + "<"); }
        void after(Unit&, StepContext&) override { order->push_back(name + ">"); }
    } first(&order, "1"), second(&order, "2");
    units.a.add_hook(&first);
    units.a.add_hook(&second);
    StepContext context;
    units.a({}, context);
    EXPECT_EQ(order, (std::vector<std::string>{"1<", "2<", "2>", "1>"}));
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

}  // namespace
}  // namespace trainyard::parallel
