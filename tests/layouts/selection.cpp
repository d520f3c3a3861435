// Of the matrix of layouts (matrix.cpp) what the default run has: every kind once, what is refused, and what is not.

#include <gmock/gmock.h>

#include "layouts/layout.h"

namespace trainyard::train::layouts {
namespace {

/// Each value of each dimension is there, and each pair of ZeRO and schedule.
std::vector<Layout> selected() {
    std::vector<Layout> some;
    for (const char* precision : {"no", "bf16", "fp16"})
        for (const Layout& kind : kinds_of_layouts(precision))
            if (kind.ranks > 1)
                some.push_back(kind);
    for (const std::string& schedule : pipeline::schedule_names())
        for (std::int64_t zero_stage : {0, 1, 2})
            some.push_back({4, 2, schedule, 2, false, zero_stage, "no"});
    some.push_back({1, 1, "none", 4, true, 0, "no"});
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

TEST(Layouts, ASelectionGivesTheWeightsOfOneRank) {
    Training training;
    for (const Layout& layout : selected())
        expect_as_one_rank(training, layout);
}

TEST(Layouts, EachKindGoesOnOnTheNext) {
    Training training;
    const std::vector<Layout> kinds = kinds_of_layouts("no");
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        expect_resumes(training, kinds[i], kinds[(i + 1) % kinds.size()]);
        expect_resumes(training, kinds[i], kinds[i]);
    }
}

/// A sample that is not counted, of sixteen, is more than the tolerance in every weight.
TEST(Layouts, TheComparisonNoticesOneMissingSample) {
    Training training;
    for (const char* precision : {"no", "bf16", "fp16"}) {
        Layout one;
        one.precision = precision;
        config::Recipe recipe = training.recipe(one);
        recipe.training.batch_size -= 1;
        const Outcome other = Training::run(recipe, one);
        const Tolerance tolerance = tolerance_of(precision);
        for (const auto& [name, weight] : training.whole(one).weights)
            EXPECT_GT(weight.sub(other.weights.at(name)).abs().mean().item<double>(), tolerance.mean)
                << precision << ": " << name;
    }
}

/// What is no layout today, with its sentence: nothing is passed over in silence.
TEST(Layouts, WhatIsRefusedSaysSo) {
    Training training;
    struct Refused {
        const char* what;
        std::function<void(config::Recipe&)> change;
        const char* sentence;
    };
    const Layout pipeline{2, 2, "1F1B", 2};
    const Refused refused[] = {
        {"ZeRO-3", [](config::Recipe& r) { r.parallel.zero_stage = 3; }, "zero_stage"},
        {"more stages than blocks", [](config::Recipe& r) { r.parallel.pp_size = 5; },
         "5 pipeline stages cannot be cut from a model of 4 blocks"},
        {"PowerSGD in a pipeline", [](config::Recipe& r) { r.parallel.comm_hook = "power_sgd"; },
         "does not work with pipeline stages in this version"},
        {"histograms in a pipeline", [](config::Recipe& r) { r.logging.histograms_every = 1; },
         "does not work with pipeline stages in this version"},
        {"divergence in a pipeline", [](config::Recipe& r) { r.health.divergence_every = 1; },
         "does not work with pipeline stages in this version"},
        {"hooks under ZeRO-2",
         [](config::Recipe& r) {
             r.parallel.zero_stage = 2;
             r.parallel.comm_hook = "bf16";
         },
         "zero_stage"},
    };
    for (const Refused& one : refused) {
        config::Recipe recipe = training.recipe(pipeline);
        one.change(recipe);
        std::string said;
        for (const Problem& problem : config::check_recipe(recipe))
            said += problem.key + " " + problem.message + "\n";
        EXPECT_THAT(said, ::testing::HasSubstr(one.sentence)) << one.what;
    }
    for (const Layout& layout : all_layouts()) {
        std::string said;
        for (const Problem& problem : config::check_recipe(training.recipe(layout)))
            said += problem.key + " " + problem.message + "; ";
        EXPECT_EQ(said, "") << layout;
    }
}

}  // namespace
}  // namespace trainyard::train::layouts
