// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the state dictionaries of our schedules with those of torch and transformers (golden/schedule_states.json):
// the keys and values are equal, and a run can resume from theirs.

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "optim/plain_optimizer.h"
#include "optim/schedule.h"
#include "support/golden.h"
#include "support/json_tree.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::Json;

std::vector<double> start_rates_of(const Json& json) {
    return json.is_array() ? json.get<std::vector<double>>() : std::vector<double>{json.get<double>()};
}

Tree arguments_of(const Json& input) {
    Tree arguments = input.contains("kwargs") ? test::tree_of(input["kwargs"]) : Tree::dict();
    if (input["schedule"] == "transformers")
        for (const char* key : {"num_warmup_steps", "num_training_steps"})
            arguments.set(key, test::tree_of(input[key]));
    return arguments;
}

std::unique_ptr<optim::Schedule> make(const Json& input, test::PlainOptimizer& optimizer) {
    if (!input.contains("joined"))
        return optim::make_schedule(input["name"].get<std::string>(), arguments_of(input), optimizer);
    Tree parts = Tree::list();
    for (const Json& part : input["parts"])
        parts.append(Tree::dict({{"name", part["name"].get<std::string>()}, {"arguments", arguments_of(part)}}));
    Tree arguments = Tree::dict({{"schedulers", parts}});
    if (input.contains("milestones"))
        arguments.set("milestones", test::tree_of(input["milestones"]));
    return optim::make_schedule(input["joined"].get<std::string>(), arguments, optimizer);
}

test::PlainOptimizer resumed_optimizer_of(const Json& input) {
    const bool adam = input.value("optimizer", "") == "adam";
    return test::PlainOptimizer(start_rates_of(input["lr"]), adam ? 0.9 : input.value("momentum", 0.0),
                                adam ? "betas" : "momentum");
}

/// Compares integers and floats with a tolerance of 1e-12. The reference's entries for functions are ignored.
void expect_same(const Tree& ours, const Tree& wanted, const std::string& path) {
    SCOPED_TRACE(path);
    if (wanted.is_dict() && wanted.entries().empty() && ours.is_none())
        return;  // the attributes of a function object
    if (wanted.is_dict()) {
        ASSERT_TRUE(ours.is_dict());
        EXPECT_EQ(ours.entries().size(), wanted.entries().size());
        for (const Tree::Entry& entry : wanted.entries()) {
            const Tree* value = ours.find(entry.key);
            ASSERT_NE(value, nullptr) << "no " << to_string(entry.key);
            expect_same(*value, entry.value, path + "." + to_string(entry.key));
        }
    } else if (wanted.is_list()) {
        ASSERT_TRUE(ours.is_list());
        ASSERT_EQ(ours.items().size(), wanted.items().size());
        for (std::size_t i = 0; i < wanted.items().size(); ++i)
            expect_same(ours.items()[i], wanted.items()[i], path + "[" + std::to_string(i) + "]");
    } else if (wanted.is_integer() || wanted.is_real()) {
        ASSERT_TRUE(ours.is_integer() || ours.is_real()) << ours.kind();
        if (std::isinf(wanted.as_real())) {
            EXPECT_EQ(ours.as_real(), wanted.as_real());
        } else {
            EXPECT_NEAR(ours.as_real(), wanted.as_real(), 1e-12 * std::abs(wanted.as_real()) + 1e-300);
        }
    } else {
        EXPECT_TRUE(ours == wanted) << ours.kind() << " " << wanted.kind();
    }
}

TEST(ScheduleStates, GoldenCases) {
    std::ifstream file(test::golden("schedule_states.json"));
    const Json all = Json::parse(file);
    int seen = 0;
    for (const Json& one : all["cases"]) {
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const Json &input = one["input"], &expected = one["expected"];
        const auto at = input["at"].get<std::size_t>(), steps = input["steps"].get<std::size_t>();
        auto metric = [&](std::size_t step) {
            return input.contains("metrics") ? std::optional(input["metrics"].at(step).get<double>()) : std::nullopt;
        };
        auto expect_moment = [&](const test::PlainOptimizer& optimizer, std::size_t moment, bool with_momentum = true) {
            const std::vector<double> wanted = start_rates_of(expected["lrs"][moment]);
            for (std::size_t group = 0; group < wanted.size(); ++group)
                EXPECT_NEAR(optimizer.lr(group), wanted[group], 1e-12 * wanted[group]) << "moment " << moment;
            if (expected.contains("momenta") && with_momentum) {
                EXPECT_NEAR(optimizer.momentum(0), expected["momenta"][moment].get<double>(), 1e-12)
                    << "moment " << moment;
            }
        };
        test::PlainOptimizer optimizer = resumed_optimizer_of(input);
        const auto schedule = make(input, optimizer);
        for (std::size_t step = 0; step < at; ++step) {
            expect_moment(optimizer, step);
            schedule->step(metric(step));
        }
        const Tree theirs = test::tree_of(expected["state"]);
        expect_same(schedule->state_dict(), theirs, "state");

        // Theirs in a new run, whose optimizer has other rates: the state brings its own.
        test::PlainOptimizer other = resumed_optimizer_of(input);
        const auto resumed = make(input, other);
        for (std::size_t group = 0; group < other.group_count(); ++group)
            other.set_lr(group, 123);
        resumed->load_state_dict(theirs);
        expect_moment(other, at, false);  // the optimizer's own state brings the momentum
        for (std::size_t step = at; step < steps; ++step) {
            schedule->step(metric(step));
            resumed->step(metric(step));
            expect_moment(optimizer, step + 1);
            expect_moment(other, step + 1);
        }
    }
    EXPECT_GT(seen, 0);
}

TEST(ScheduleStates, AStateThatDoesNotFitChangesNothing) {
    test::PlainOptimizer optimizer({0.1});
    auto schedule = optim::make_schedule("StepLR", Tree::dict({{"step_size", 2}}), optimizer);
    schedule->step();
    const Tree before = schedule->state_dict();
    Tree broken = before;
    broken.set("last_epoch", "seven");
    broken.set("gamma", 0.5);
    broken.set("base_lrs", Tree::list({0.1, 0.2}));
    try {
        schedule->load_state_dict(broken);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("'last_epoch'"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("'base_lrs'"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(schedule->state_dict() == before);
    EXPECT_THROW(schedule->load_state_dict(Tree()), UserError);
    EXPECT_THROW(schedule->load_state_dict(Tree::dict()), UserError);
}

TEST(Schedules, AllProblemsOfTheArgumentsAtOnce) {
    test::PlainOptimizer optimizer({0.1, 0.2});
    try {
        optim::make_schedule(
            "OneCycleLR",
            Tree::dict(
                {{"max_lr", Tree::list({0.1})}, {"total_steps", 0}, {"anneal_strategy", "cosine"}, {"pct_strat", 0.1}}),
            optimizer);
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_EQ(error.problems().size(), 4u) << error.what();
        EXPECT_THAT(std::string(error.what()), test::says(": did you mean '{}'?", "pct_start")) << error.what();
    }
    EXPECT_EQ(optimizer.lrs(), (std::vector<double>{0.1, 0.2}));
    EXPECT_THROW(optim::make_schedule("cosin", Tree(), optimizer), InvalidInput);
    EXPECT_THROW(optim::make_schedule("OneCycleLR", Tree::dict({{"max_lr", 0.1}, {"total_steps", 9}}),
                                      *std::make_unique<test::PlainOptimizer>(std::vector<double>{0.1}, 0.0, "")),
                 InvalidInput);
    // Inside a joined schedule they name their place, and nothing has begun.
    try {
        optim::make_schedule("SequentialLR",
                             Tree::dict({{"schedulers", Tree::list({Tree::dict({{"name", "ConstantLR"}}),
                                                                    Tree::dict({{"name", "StepLR"}}),
                                                                    Tree::dict({{"name", "ReduceLROnPlateau"}})})},
                                         {"milestones", Tree::list({9, 4})}}),
                             optimizer);
        FAIL();
    } catch (const InvalidInput& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("schedulers[1].StepLR.step_size"), std::string::npos) << text;
        EXPECT_NE(text.find("schedulers[2]"), std::string::npos) << text;
        EXPECT_THAT(text, test::says("must rise")) << text;
    }
    EXPECT_EQ(optimizer.lrs(), (std::vector<double>{0.1, 0.2}));
}

TEST(Schedules, FunctionsOfTheCaller) {
    test::PlainOptimizer optimizer({1.0, 10.0});
    auto schedule = optim::lambda_schedule({[](std::int64_t step) { return 1.0 / static_cast<double>(1 + step); },
                                            [](std::int64_t step) { return static_cast<double>(step); }},
                                           optimizer);
    EXPECT_EQ(optimizer.lrs(), (std::vector<double>{1.0, 0.0}));
    schedule->step();
    EXPECT_EQ(optimizer.lrs(), (std::vector<double>{0.5, 10.0}));
    EXPECT_TRUE(schedule->state_dict().at("lr_lambdas") == Tree::list({Tree(), Tree()}));

    test::PlainOptimizer other({1.0});
    auto product = optim::multiplicative_schedule({[](std::int64_t) { return 0.5; }}, other);
    EXPECT_EQ(other.lr(0), 1.0);
    product->step();
    product->step();
    EXPECT_EQ(other.lr(0), 0.25);
    EXPECT_THROW(optim::lambda_schedule({}, other), UserError);
}

/// Functions have no name, so only these join them.
TEST(Schedules, FunctionsOfTheCallerAreJoined) {
    const auto of_factor = [](optim::RateFactor factor) -> optim::ScheduleMaker {
        return [factor](optim::Optimizer& optimizer, const std::vector<double>& base) {
            return optim::lambda_schedule({factor}, optimizer, base);
        };
    };
    test::PlainOptimizer optimizer({1.0});
    auto schedule =
        optim::sequential_schedule({of_factor([](std::int64_t) { return 0.5; }),
                                    of_factor([](std::int64_t step) { return 1.0 / static_cast<double>(1 + step); })},
                                   {2}, optimizer);
    std::vector<double> rates{optimizer.lr(0)};
    for (int step = 0; step < 4; ++step) {
        schedule->step();
        rates.push_back(optimizer.lr(0));
    }
    EXPECT_EQ(rates, (std::vector<double>{0.5, 0.5, 1.0, 0.5, 1.0 / 3}));
    EXPECT_THROW(optim::sequential_schedule({of_factor([](std::int64_t) { return 1.0; })}, {2}, optimizer),
                 InvalidInput);

    const auto halves = [](optim::Optimizer& each, const std::vector<double>& base) {
        return optim::multiplicative_schedule({[](std::int64_t) { return 0.5; }}, each, base);
    };
    test::PlainOptimizer other({1.0});
    auto both = optim::chained_schedule({halves, halves}, other);
    EXPECT_EQ(other.lr(0), 1.0);
    both->step();
    EXPECT_EQ(other.lr(0), 0.25);
    EXPECT_THROW(optim::chained_schedule({}, other), UserError);
}

}  // namespace
}  // namespace trainyard
