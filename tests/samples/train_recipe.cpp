// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the sample program train_recipe, a custom training loop with Accelerator, with `trainyard launch` of the
// same recipe: every loss, norm, learning rate and validation loss, on one and two ranks.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/program.h"
#include "formats/events/scalar_folder.h"
#include "run/paths.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Curve = std::map<std::int64_t, double>;

/// Parses the printed metrics by name and step: "step 3 loss 5.5 norm 1 rate 0.001 seconds 0.1", and "validation loss
/// 5.4" after a step with an evaluation.
std::map<std::string, Curve> printed_curves(const std::string& text) {
    std::map<std::string, Curve> curves;
    std::istringstream lines(text);
    std::int64_t step = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first, name, value;  // a value may be inf
        words >> first;
        if (first == "step") {
            words >> step;
            while (words >> name >> value)
                curves[name][step] = std::strtod(value.c_str(), nullptr);
        } else if (first == "validation" && words >> name >> value) {
            curves["validation"][step] = std::strtod(value.c_str(), nullptr);
        }
    }
    return curves;
}

test::Said launched(std::vector<std::string> words) {
    words.insert(words.begin(), TRAINYARD_BIN_DIR "/trainyard");
    return test::Program(std::move(words)).wait(400);
}

struct RecipeCase {
    const char* name;
    int ranks;
    std::vector<std::string> set;
};

void PrintTo(const RecipeCase& each, std::ostream* out) {
    *out << each.name;
}

class TrainRecipe : public ::testing::TestWithParam<RecipeCase> {};

TEST_P(TrainRecipe, HasTheCurvesOfTheWorker) {
    test::TemporaryFolder folder;
    ::setenv("HF_HOME", (folder.path() / "home").c_str(), 1);  // not the user's default settings
    ::setenv("TRAINYARD_RUNS", (folder.path() / "runs").c_str(), 1);
    ::setenv("OMP_NUM_THREADS", "1", 1);
    ::unsetenv("TRAINYARD_CONFIG");
    std::ofstream text(folder.path() / "text.txt");
    for (int i = 0; i < 6000; ++i)
        text << "line " << i * 7919 % 6000 << " of a text that repeats itself\n";
    text.close();
    const std::string recipe = TRAINYARD_SOURCE_DIR "/resources/samples/sample.yaml";
    std::vector<std::string> set{"data.path=" + (folder.path() / "text.txt").string(), "training.steps=12",
                                 "schedule.warmup_steps=4", "training.evaluate_every=5"};
    set.insert(set.end(), GetParam().set.begin(), GetParam().set.end());
    const std::vector<std::string> ranks{"--cpu", "--num_processes", std::to_string(GetParam().ranks)};

    std::vector<std::string> words{"launch"};
    words.insert(words.end(), ranks.begin(), ranks.end());
    const std::filesystem::path run = folder.path() / "run";
    words.insert(words.end(), {"--run_dir", run.string()});
    for (const std::string& assignment : set)
        words.insert(words.end(), {"--set", assignment});
    words.push_back(recipe);
    const test::Said of_worker = launched(words);
    ASSERT_EQ(of_worker.code, 0) << of_worker.err;
    events::ScalarFolder expected(run::RunPaths(run).metrics());
    expected.poll();

    words = {"launch", "--no_python"};
    words.insert(words.end(), ranks.begin(), ranks.end());
    words.insert(words.end(), {"--main_process_port", "0", TRAINYARD_TRAIN_RECIPE, recipe});
    words.insert(words.end(), set.begin(), set.end());
    const test::Said of_program = launched(words);
    ASSERT_EQ(of_program.code, 0) << of_program.err;
    const std::map<std::string, Curve> printed = printed_curves(of_program.out);

    for (const auto& [tag, name] : {std::pair("train/loss", "loss"), std::pair("train/grad_norm", "norm"),
                                    std::pair("train/lr", "rate"), std::pair("eval/loss", "validation")}) {
        ASSERT_TRUE(expected.curves().contains(tag)) << tag;
        ASSERT_TRUE(printed.contains(name)) << name << " in " << of_program.out;
        const std::vector<events::CurvePoint>& points = expected.curves().at(tag);
        ASSERT_EQ(std::ssize(points), std::ssize(printed.at(name))) << tag;
        for (const events::CurvePoint& point : points) {
            ASSERT_TRUE(printed.at(name).contains(point.step)) << tag << " of step " << point.step;
            const double value = printed.at(name).at(point.step);
            // The run's curves are fp32: a norm of 49 has a last place of 4e-6.
            const double tolerance = std::string(name) == "norm" ? 1e-6 * std::max(1.0, std::abs(value)) : 1e-6;
            if (std::isfinite(point.value))
                EXPECT_NEAR(value, point.value, tolerance) << tag << " of step " << point.step;
            else
                EXPECT_FALSE(std::isfinite(value)) << tag << " of step " << point.step;
        }
    }
    EXPECT_EQ(printed.at("loss").size(), 12u);
    EXPECT_LT(printed.at("loss").at(12), printed.at("loss").at(1)) << "it learns";
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, TrainRecipe,
    ::testing::Values(RecipeCase{"one_rank", 1, {}}, RecipeCase{"two_ranks", 2, {}},
                      RecipeCase{"bf16_dropout_accumulation",
                                 1,
                                 {"training.mixed_precision=bf16", "model.resid_pdrop=0.1", "training.batch_size=6",
                                  "training.gradient_accumulation_steps=2"}},
                      RecipeCase{"fp16_two_ranks", 2, {"training.mixed_precision=fp16"}},
                      RecipeCase{
                          "zero_2_accumulation_linear",
                          2,
                          {"parallel.zero_stage=2", "training.batch_size=6", "training.gradient_accumulation_steps=2",
                           "schedule.name=linear", "training.activation_checkpointing=true"}},
                      RecipeCase{"named_schedule",
                                 1,
                                 {"schedule.name=OneCycleLR", "schedule.min_lr_ratio=0", "schedule.warmup_steps=0",
                                  "schedule.arguments={max_lr: 2.0e-3, total_steps: 12}"}}),
    [](const auto& place) { return std::string(place.param.name); });

}  // namespace
}  // namespace trainyard
