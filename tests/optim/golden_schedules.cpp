// SPDX-License-Identifier: GPL-3.0-or-later
// Learning rates of transformers, torch and Accelerate's wrapper (golden/schedules.json), to 1e-12.
//
// Where we differ is a rule over the input; engine/optim/README.md tells why.

#include <cmath>
#include <fstream>
#include <functional>
#include <optional>

#include <gtest/gtest.h>
#include <trainyard/scheduler.h>

#include "base/error.h"
#include "optim/plain_optimizer.h"
#include "optim/schedule.h"
#include "support/golden.h"
#include "support/json_tree.h"

namespace trainyard {
namespace {

using accelerator::SchedulerStepping;
using test::Json;
using Rates = std::vector<double>;

/// Rates at every moment, or the moment at which it was refused; -1: when it was made.
struct Course {
    std::vector<Rates> lrs;
    std::vector<double> momenta;
    std::vector<std::optional<std::int64_t>> step_counts;
    std::int64_t last_epoch = 0;
    std::optional<std::int64_t> refused_at;
    std::string message;
};

Rates rates_of(const Json& json) {
    Rates rates;
    if (json.is_array())
        for (const Json& item : json)
            rates.push_back(test::number_of(item));
    else
        rates.push_back(test::number_of(json));
    return rates;
}

test::PlainOptimizer optimizer_of(const Json& input) {
    const bool adam = input.value("optimizer", "") == "adam";
    const double momentum =
        adam ? (input.contains("betas") ? input["betas"][0].get<double>() : 0.9) : input.value("momentum", 0.0);
    return test::PlainOptimizer(rates_of(input["lr"]), momentum, adam ? "betas" : "momentum");
}

std::shared_ptr<optim::Schedule> schedule_of(const Json& input, test::PlainOptimizer& optimizer) {
    Tree arguments =
        input.contains("kwargs") && input["kwargs"].is_object() ? test::tree_of(input["kwargs"]) : Tree::dict();
    if (input["schedule"] == "transformers")
        for (const char* key : {"num_warmup_steps", "num_training_steps"})
            if (input.contains(key))
                arguments.set(key, test::tree_of(input[key]));
    return optim::make_schedule(input["name"].get<std::string>(), arguments, optimizer);
}

std::optional<double> metric_of(const Json& input, std::size_t step) {
    if (!input.contains("metrics"))
        return std::nullopt;
    return test::number_of(input["metrics"].at(step));
}

Course course_of(const Json& input, SchedulerStepping stepping) {
    Course course;
    test::PlainOptimizer optimizer = optimizer_of(input);
    std::shared_ptr<optim::Schedule> schedule;
    try {
        schedule = schedule_of(input, optimizer);
    } catch (const UserError& error) {
        course.refused_at = -1;
        course.message = error.what();
        return course;
    }
    const std::string events = input.value("events", "");
    char event = 's';
    accelerator::SchedulerLinks links;
    links.sync_gradients = [&] { return event != 'a'; };
    links.optimizer_steps_skipped = {[&] { return event == 'k'; }};
    links.num_processes = input.value("num_processes", 1);
    accelerator::Scheduler wrapper(schedule, links,
                                   {.stepping = stepping,
                                    .step_with_optimizer = input.value("step_with_optimizer", true),
                                    .split_batches = input.value("split_batches", false)});
    auto note = [&] {
        course.lrs.push_back(optimizer.lrs());
        course.momenta.push_back(optimizer.momentum(0));
        course.step_counts.push_back(schedule->step_count());
    };
    note();
    const std::size_t steps = events.empty() ? input["steps"].get<std::size_t>() : events.size();
    for (std::size_t step = 0; step < steps; ++step) {
        try {
            if (events.empty()) {
                schedule->step(metric_of(input, step));
            } else {
                event = events[step];
                wrapper.step(metric_of(input, step));
            }
        } catch (const UserError& error) {
            course.refused_at = static_cast<std::int64_t>(step);
            course.message = error.what();
            break;
        }
        note();
    }
    course.last_epoch = schedule->last_epoch();
    return course;
}

void expect_rates(const std::vector<Rates>& ours, const std::vector<Rates>& wanted) {
    ASSERT_EQ(ours.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        ASSERT_EQ(ours[i].size(), wanted[i].size());
        for (std::size_t group = 0; group < wanted[i].size(); ++group)
            EXPECT_NEAR(ours[i][group], wanted[i][group], 1e-12 * std::abs(wanted[i][group]) + 1e-300)
                << "moment " << i;
    }
}

// --- where we differ ---------------------------------------------------------------------------------------------------------------

struct Difference {
    const char* reason;
    std::function<bool(const Json& input)> applies;
    /// Rates at every moment of our own; nothing: we refuse the arguments.
    std::function<std::optional<std::vector<Rates>>(const Json& input)> ours;
};

double argument(const Json& input, const char* key, double fallback) {
    for (const Json* from : {&input, input.contains("kwargs") ? &input["kwargs"] : &input})
        if (from->contains(key) && (*from)[key].is_number())
            return (*from)[key].get<double>();
    return fallback;
}

bool named(const Json& input, const char* name) {
    return input["name"] == name && !input.contains("events");
}

std::optional<std::vector<Rates>> refused(const Json&) {
    return std::nullopt;
}

std::vector<Rates> by_step(const Json& input, const std::function<double(std::int64_t step, double base)>& rate) {
    std::vector<Rates> lrs;
    for (std::int64_t step = 0; step <= input["steps"].get<std::int64_t>(); ++step) {
        lrs.push_back(rates_of(input["lr"]));
        for (double& lr : lrs.back())
            lr = rate(step, lr);
    }
    return lrs;
}

const std::vector<Difference>& differences() {
    static const std::vector<Difference> table = {
        {"polynomial whose warm-up is the whole training: the reference divides by zero in the last step",
         [](const Json& input) {
             const double training = argument(input, "num_training_steps", -1);
             return named(input, "polynomial") && argument(input, "num_warmup_steps", -2) == training &&
                    input["steps"].get<double>() >= training &&
                    argument(input, "lr_end", 1e-7) < rates_of(input["lr"]).front();
         },
         [](const Json& input) {
             const double warmup = argument(input, "num_warmup_steps", 0), end = argument(input, "lr_end", 1e-7);
             const double initial = rates_of(input["lr"]).front();
             return std::optional(by_step(input, [=](std::int64_t step, double base) {
                 const auto now = static_cast<double>(step);
                 return now < warmup ? base * now / std::max(1.0, warmup) : base * (end / initial);
             }));
         }},
        {"ConstantLR with factor 0: the reference divides by zero when it should give the rate back",
         [](const Json& input) {
             return named(input, "ConstantLR") && argument(input, "factor", 1) == 0 &&
                    argument(input, "total_iters", 5) >= 1 &&
                    input["steps"].get<double>() >= argument(input, "total_iters", 5);
         },
         [](const Json& input) {
             const double total = argument(input, "total_iters", 5);
             return std::optional(by_step(input, [=](std::int64_t step, double base) {
                 return static_cast<double>(step) < total ? 0.0 : base;
             }));
         }},
        {"keyword arguments of schedules that have none: the reference does not look at them",
         [](const Json& input) {
             return (input["name"] == "constant" || input["name"] == "constant_with_warmup") &&
                    input.contains("kwargs") && !input["kwargs"].empty();
         },
         refused},
        {"a warm-up of a schedule that has none: the reference does not look at it",
         [](const Json& input) {
             return (named(input, "constant") || named(input, "greedy") || named(input, "reduce_lr_on_plateau")) &&
                    argument(input, "num_warmup_steps", 0) > 0;
         },
         refused},
        {"arguments that fail in a later step for certain are refused before the first",
         [](const Json& input) {
             return (input["name"] == "StepLR" && argument(input, "step_size", 1) <= 0) ||
                    (input["name"] == "CosineAnnealingLR" && argument(input, "T_max", 1) == 0) ||
                    (input["name"] == "inverse_sqrt" && argument(input, "timescale", 1) <= 0);
         },
         refused},
    };
    return table;
}

Json cases() {
    std::ifstream file(test::golden("schedules.json"));
    return Json::parse(file)["cases"];
}

TEST(Schedules, GoldenCases) {
    int seen = 0;
    for (const Json& one : cases()) {
        SCOPED_TRACE(one["id"].get<std::string>());
        const Json &input = one["input"], &expected = one["expected"];
        const Course course = course_of(input, SchedulerStepping::per_process);
        ++seen;
        const Difference* difference = nullptr;
        for (const Difference& candidate : differences())
            if (difference == nullptr && candidate.applies(input))
                difference = &candidate;
        if (difference != nullptr) {
            SCOPED_TRACE(difference->reason);
            const auto ours = difference->ours(input);
            EXPECT_EQ(course.refused_at.has_value(), !ours.has_value()) << course.message;
            if (ours)
                expect_rates(course.lrs, *ours);
            continue;
        }
        if (!expected.contains("lrs")) {
            EXPECT_EQ(course.refused_at, -1) << expected.dump();
            continue;
        }
        std::vector<Rates> wanted;
        for (const Json& lr : expected["lrs"])
            wanted.push_back(rates_of(lr));
        expect_rates(course.lrs, wanted);
        if (expected.contains("error")) {
            EXPECT_EQ(course.refused_at, expected["error"]["at_step"].get<std::int64_t>());
        } else {
            EXPECT_FALSE(course.refused_at) << course.message;
        }
        for (std::size_t i = 0; expected.contains("momenta") && i < expected["momenta"].size(); ++i)
            EXPECT_NEAR(course.momenta.at(i), expected["momenta"][i].get<double>(), 1e-12) << "moment " << i;
        for (std::size_t i = 0; expected.contains("step_counts") && i < expected["step_counts"].size(); ++i) {
            const Json& count = expected["step_counts"][i];
            EXPECT_EQ(course.step_counts.at(i),
                      count.is_null() ? std::nullopt : std::optional(count.get<std::int64_t>()));
        }
        if (expected.contains("last_epoch")) {
            EXPECT_EQ(course.last_epoch, expected["last_epoch"].get<std::int64_t>());
        }
    }
    EXPECT_GT(seen, 0);
}

/// What we do by default: one step per update whatever the number of processes, an ended cycle rests, patience counts updates.
TEST(Schedules, OneStepPerUpdateByDefault) {
    int seen = 0;
    for (const Json& one : cases()) {
        Json input = one["input"];
        if (!input.contains("events") || !one["expected"].contains("lrs"))
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const std::string events = input["events"].get<std::string>();
        const bool linked = input.value("step_with_optimizer", true);
        // The bare schedule, with the metrics of the updates alone.
        Json bare = input;
        bare.erase("events");
        Json metrics = Json::array();
        std::vector<std::size_t> updates{0};
        for (std::size_t i = 0; i < events.size(); ++i) {
            const bool steps = !linked || events[i] == 's';
            updates.push_back(updates.back() + (steps ? 1 : 0));
            if (steps && input.contains("metrics"))
                metrics.push_back(input["metrics"].at(i));
        }
        if (input.contains("metrics"))
            bare["metrics"] = metrics;
        std::size_t most = updates.back();
        if (linked && input["name"] == "OneCycleLR") {
            const double total =
                argument(input, "total_steps", argument(input, "epochs", 0) * argument(input, "steps_per_epoch", 0));
            most = std::min(most, static_cast<std::size_t>(total) - 1);
        }
        bare["steps"] = most;
        const Course reference = course_of(bare, SchedulerStepping::per_update);
        std::vector<Rates> wanted;
        for (std::size_t update : updates)
            wanted.push_back(reference.lrs.at(std::min(update, most)));
        const Course course = course_of(input, SchedulerStepping::per_update);
        EXPECT_FALSE(course.refused_at) << course.message;
        expect_rates(course.lrs, wanted);
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace trainyard
