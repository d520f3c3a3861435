// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of plug-ins with the real programs: a run of the sample plug-in on two ranks, resuming it, and recipes that are
// refused before the start.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "formats/events/scalar_folder.h"
#include "run/listing.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using ::testing::AllOf;
using testing::EndsWith;
using ::testing::HasSubstr;

class PluginRuns : public ::testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::unsetenv("TRAINYARD_CONFIG");
        ::setenv("OMP_NUM_THREADS", "1", 1);
        // The recipe of the template, with the library that the template built.
        recipe_ = (fs::path(TRAINYARD_SOURCE_DIR) / "resources/samples/plugin/recipe.yaml").string();
        library_ = std::string("plugins=") + TRAINYARD_SAMPLE_PLUGIN;
    }
    test::Said launch(const std::vector<std::string>& flags, const std::string& recipe) {
        std::vector<std::string> words{"launch", "--cpu", "--main_process_port", "0"};
        words.insert(words.end(), flags.begin(), flags.end());
        words.push_back(recipe);
        return test::trainyard(words);
    }
    fs::path run_with(std::vector<std::string> flags) {
        flags.insert(flags.end(), {"--set", library_, "--set", "training.steps=40", "--set", "checkpoint.every=20"});
        const test::Said said = launch(flags, recipe_);
        EXPECT_EQ(said.code, 0) << said.err;
        const auto runs = run::list_runs(folder_.path() / "runs");
        return runs.empty() ? fs::path() : runs.front().paths.root();
    }
    test::TemporaryFolder folder_;
    std::string recipe_, library_;
};

TEST_F(PluginRuns, TheTemplateTrainsOnOneAndTwoRanksAndResumes) {
    const fs::path one = run_with({});
    const fs::path two = run_with({"--num_processes", "2"});
    ASSERT_NE(one, two);
    const fs::path resumed = run_with({"--num_processes", "2", "--set",
                                       "checkpoint.resume_from=" + (two / "checkpoints" / "checkpoint_20").string()});
    for (const char* file : {"model.safetensors", "optimizer.bin"})
        EXPECT_EQ(read_file(two / "checkpoints/checkpoint_40" / file),
                  read_file(resumed / "checkpoints/checkpoint_40" / file))
            << file << ": resumed is not the same as uninterrupted";
    const auto config = nlohmann::json::parse(read_file(two / "checkpoints/checkpoint_40/config.json"));
    EXPECT_EQ(config.at("model_type"), "plugin");
    EXPECT_EQ(config.at("plugin"), "mlp");
    EXPECT_EQ(config.at("arguments").at("width"), 32);
    const test::Said shown = test::trainyard({"runs", "show", one.filename().string()});
    EXPECT_EQ(shown.code, 0) << shown.err;
    const test::Said followed = test::trainyard({"runs", "follow", one.filename().string()});
    EXPECT_THAT(followed.out + followed.err, HasSubstr("confidence 0.")) << "the metric must be reported";
    const test::Said tensors =
        test::trainyard({"checkpoints", "show", (one / "checkpoints" / "checkpoint_40").string()});
    EXPECT_THAT(tensors.out, HasSubstr("second")) << tensors.err;
}

TEST_F(PluginRuns, ALossOfAPluginTrainsAFamilyOfTheEngine) {
    const test::Said said =
        launch({"--set", library_, "--set", "model.loss=focal", "--set", "training.metrics=confidence", "--set",
                "training.steps=30"},
               (fs::path(TRAINYARD_SOURCE_DIR) / "resources/samples/sample-classification.yaml").string());
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out + said.err, HasSubstr("confidence"));
}

TEST_F(PluginRuns, AModelOfAPluginReadsTheTasksOfTheEngine) {
    // The batches of this task lack the input `points` of the plug-in's forward(), which throws. The error message must
    // contain that exception and the name of the model.
    std::ofstream(folder_.path() / "rows.jsonl") << R"({"text": "a", "label": 0})"
                                                 << "\n"
                                                 << R"({"text": "b", "label": 1})"
                                                 << "\n";
    std::ofstream(folder_.path() / "recipe.yaml")
        << "plugins: " << TRAINYARD_SAMPLE_PLUGIN
        << "\nmodel: {model_type: plugin, plugin: mlp}\n"
           "data: {format: jsonl, path: rows.jsonl, validation_fraction: 0}\ntraining: {steps: 1, batch_size: 2}\n";
    const test::Said said = launch({}, (folder_.path() / "recipe.yaml").string());
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.out + said.err, HasSubstr("the model 'mlp' of the plug-in spirals: map::at"));
}

TEST_F(PluginRuns, WhatIsMissingIsSaidBeforeTheStart) {
    const test::Said missing = launch({}, recipe_);  // the plug-in was not built next to its recipe
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err,
                AllOf(HasSubstr("plugins"),
                      says("{} does not exist: name the shared library (.so) that the plug-in's build made",
                           EndsWith("build/my_plugin.so"))));
    const test::Said text = launch({"--set", "plugins=" + recipe_}, recipe_);
    EXPECT_EQ(text.code, 2);
    EXPECT_THAT(text.err, says("{} is not a shared library: name the .so file that the plug-in's build made", _));
    const test::Said name = launch({"--set", library_, "--set", "model.plugin=mpl"}, recipe_);
    EXPECT_EQ(name.code, 2);
    EXPECT_THAT(name.err,
                says("{} has no {} named '{}'{}", _, "model", "mpl", says(": did you mean '{}'?", "mlp").at_start()));
    for (const std::string& plugins : {std::string("plugins=[]"), library_}) {
        const test::Said trackers =
            launch({"--set", plugins, "--set", "logging.trackers=[mlflo, csv, ledger]"}, recipe_);
        EXPECT_EQ(trackers.code, 2);
        EXPECT_THAT(trackers.err, AllOf(HasSubstr("'mlflo'"), HasSubstr("'ledger'"))) << plugins;
    }
    EXPECT_THAT(run::list_runs(folder_.path() / "runs"), testing::IsEmpty());
}

TEST_F(PluginRuns, LibrariesAreLoadedBeforeTheStart) {
    const std::string folder = std::string("plugins=") + TRAINYARD_PLUGINS_FOLDER + "/plugin_";
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
        {{folder + "other_version.so"}, "was built for version 999 of the plug-in interface"},
        {{folder + "no_licence.so"}, "no licence for this plug-in"},
        {{folder + "crashes.so"}, "crashed while it was loaded (signal 9"},
        {{library_, "training.metrics=reach"}, "has no metric named 'reach': known are confidence"},
        {{library_, "model.loss=focus"}, "has no loss named 'focus': did you mean 'focal'?"},
        {{std::string("plugins=[") + TRAINYARD_SAMPLE_PLUGIN + ", " + TRAINYARD_PLUGINS_FOLDER + "/plugin_steps.so]",
          "training.step_function=weigted"},
         "has no step named 'weigted': did you mean 'weighted'?"},
        {{library_, "data.plugin=rings"}, "has no data set named 'rings': known are spirals"},
        {{library_, "logging.trackers=[csv, ledger]"},
         "has no tracker named 'ledger': known are tensorboard, jsonl, csv, dvclive, mlflow, wandb, trackio, swanlab, "
         "comet_ml, clearml, aim, text_log"}};
    for (const auto& [settings, text] : refused) {
        std::vector<std::string> flags;
        for (const std::string& setting : settings)
            flags.insert(flags.end(), {"--set", setting});
        for (const char* mode : {"", "--check", "--dry-run"}) {
            if (*mode != '\0' && text.find("metric") == std::string::npos && text.find("version") == std::string::npos)
                continue;
            std::vector<std::string> words = flags;
            if (*mode != '\0')
                words.emplace_back(mode);
            const test::Said said = launch(words, recipe_);
            EXPECT_EQ(said.code, 2) << text << mode;
            EXPECT_THAT(said.out + said.err, HasSubstr(text)) << mode;
        }
    }
    EXPECT_THAT(run::list_runs(folder_.path() / "runs"), testing::IsEmpty());
}

TEST_F(PluginRuns, TrackersOfAPluginReceiveTheMetrics) {
    const fs::path run = run_with({"--set", "logging.trackers=[text_log, csv]"});
    const std::string steps = read_file(run / "trackers" / "steps.txt");
    EXPECT_THAT(steps, AllOf(testing::StartsWith("1 "), HasSubstr("\n40 "), HasSubstr("train/loss="),
                             HasSubstr("eval/confidence=")));
    EXPECT_TRUE(fs::exists(run / "trackers" / "my-plugin.csv"));
}

TEST_F(PluginRuns, WhatAPartThrowsNamesThePluginAndThePart) {
    const std::string both =
        std::string("plugins=[") + TRAINYARD_SAMPLE_PLUGIN + ", " + TRAINYARD_PLUGINS_FOLDER + "/plugin_throws.so]";
    const std::vector<std::string> short_run{"--set", both, "--set", "training.steps=4"};
    auto with = [&](const std::string& setting) {
        std::vector<std::string> flags = short_run;
        flags.insert(flags.end(), {"--set", setting});
        return launch(flags, recipe_);
    };
    const test::Said metric = with("training.metrics=impatient");
    EXPECT_EQ(metric.code, 1);
    EXPECT_THAT(metric.out + metric.err,
                HasSubstr("the metric 'impatient' of the plug-in throws: the metric has had enough"));
    const test::Said loss = with("model.loss=of_no_type");
    EXPECT_EQ(loss.code, 1);
    EXPECT_THAT(
        loss.out + loss.err,
        test::says("an exception that is not a std::exception").after("the loss 'of_no_type' of the plug-in throws: "));
    const test::Said offline = with("logging.trackers=offline");
    EXPECT_EQ(offline.code, 1);
    EXPECT_THAT(offline.out + offline.err, test::says("the tracker '{}' did not start: {}", "offline",
                                                      testing::StartsWith("plug-in throws: no network")));
    const test::Said unstable = with("logging.trackers=unstable");
    EXPECT_EQ(unstable.code, 0) << "a tracker does not stop training";
    EXPECT_THAT(unstable.out + unstable.err,
                AllOf(HasSubstr("the tracker 'unstable' failed: plug-in throws: an exception that is not"),
                      test::says("the tracker '{}' failed {} times in all", "unstable", "5")));
}

TEST_F(PluginRuns, ItsMemoryIsNotGuessed) {
    const test::Said said = test::trainyard({"estimate-memory", recipe_});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("what a model of type {} consists of is known when it is loaded, so its memory cannot "
                               "be estimated: start a short run, which reports what it uses",
                               "plugin"));
}

}  // namespace
}  // namespace trainyard
