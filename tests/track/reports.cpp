// SPDX-License-Identifier: GPL-3.0-or-later
// What users of Accelerate and of the tools have reported about trackers, tried here with each tracker that it is
// about: huggingface/accelerate#3963, #3818, #3727, #3777, #644, #1619, #361, #675, #2070, #4046, mlflow/mlflow#10512,
// modelscope/ms-swift#8402, SwanHubX/SwanLab#226 and #227, gradio-app/trackio#141, treeverse/dvclive#677,
// wandb/wandb#5632, G-Research/fasttrackml#435, Lightning-AI/pytorch-lightning#12833, huggingface/accelerate#4041 and
// #944, verl-project/verl#119, mlflow/mlflow#6177 and #2441, bghira/SimpleTuner#940, pytorch/pytorch#49076 and
// comet-ml/issue-tracking#493.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "observe/track/sqlite_file.h"
#include "support/says.h"
#include "track/fake_mlflow.h"
#include "track/fake_services.h"
#include "track/stub_aim.h"

namespace trainyard::track::reports_test {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::IsEmpty;
using testing::SizeIs;

class Reports : public testing::Test {
  protected:
    Reports() {
        variables_.set("HOME", folder_.path().string());
        services_.set_variables(variables_);
        variables_.set("MLFLOW_TRACKING_URI", mlflow_.address());
        variables_.set("TRACKIO_DIR", (folder_.path() / "trackio").string());
        variables_.set("SWANLAB_MODE", "offline");
        test::install_stub_aim(folder_.path() / "python", variables_);
    }
    std::unique_ptr<Trackers> start(const std::vector<TrackerChoice>& wanted, Values configuration = {},
                                    bool main = true) {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path() / "run";
        options.configuration = std::move(configuration);
        options.is_main_process = main;
        return Trackers::start(wanted, options);
    }
    std::vector<fs::path> files(const std::string& ending) const {
        std::vector<fs::path> found;
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_.path()))
            if (file.path().string().ends_with(ending))
                found.push_back(file.path());
        return found;
    }

    test::TemporaryFolder folder_;
    test::WorkingFolder working_{folder_.path()};  // of dvclive
    test::FakeMlflow mlflow_;
    test::FakeServices services_;
    test::Variables variables_;
};

/// Each tracker of the project.
std::vector<TrackerChoice> all_trackers() {
    return {"tensorboard", "jsonl",   "csv",      "dvclive", "mlflow", "wandb",
            "trackio",     "swanlab", "comet_ml", "clearml", "aim"};
}

/// accelerate#3963: the step of Trackio was counted instead of taken.
TEST_F(Reports, TheStepIsTheOneThatWasGiven) {
    auto trackers = start({"trackio"});
    for (const std::int64_t step : {10, 20, 15})
        trackers->log({{"loss", 1}}, step);
    trackers->finish();
    std::vector<std::int64_t> steps;
    for (const auto& row : SqliteFile(files("yard.db").at(0)).run("SELECT step FROM metrics ORDER BY id"))
        steps.push_back(std::get<std::int64_t>(row.at(0)));
    EXPECT_THAT(steps, testing::ElementsAre(10, 20, 15));
}

/// accelerate#3818: an offline run of W&B with a configuration was two runs.
TEST_F(Reports, OneRunOfWandb) {
    variables_.set("WANDB_MODE", "offline");
    write_file_atomically(folder_.path() / "figure.svg", "<svg/>", false);
    auto trackers = start({"wandb"}, {{"lr", 0.5}});
    trackers->log({{"loss", 1}}, 0);
    trackers->log_artifact({folder_.path() / "figure.svg", "figures"});
    trackers->finish();
    ASSERT_THAT(files(".wandb"), SizeIs(1));
    EXPECT_THAT(files("files/figures/figure.svg"), SizeIs(1));
    EXPECT_NE(read_file(files(".wandb")[0]).find("figures/figure.svg"), std::string::npos) << "a record names it";
}

/// accelerate#3727: a list among the configuration ended the training; #361: so did a dictionary of metrics.
TEST_F(Reports, ListsDictionariesAndNothingAreTaken) {
    auto trackers = start(all_trackers(), {{"prompts", Value::List{"a dog", "a cat"}},
                                           {"nothing", Value()},
                                           {"model", Values{{"layers", 2}, {"sizes", Value::List{1, 2}}}},
                                           {"nan", std::nan("")},
                                           {"large", std::int64_t{1} << 60}});
    trackers->log({{"group", Values{{"accuracy", 0.5}, {"f1", 0.25}}}, {"loss", 1.5}}, 3);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(mlflow_.runs().at(0).parameters.at("prompts"), "['a dog', 'a cat']");
    EXPECT_EQ(mlflow_.runs().at(0).metrics.at("group/accuracy").at(0).second, 0.5);
    EXPECT_EQ(services_.points()["group/accuracy"][3], 0.5);
    EXPECT_EQ(test::stub_aim_runs(folder_.path() / "run").at(0).curves.at("group/f1").at(3), 0.25);
}

/// accelerate#3777 and #644: calls of other ranks failed, or made a run for each rank.
TEST_F(Reports, OtherRanksTakeEveryCallAndStoreNothing) {
    auto trackers = start(all_trackers(), {{"lr", 0.5}}, false);
    trackers->log({{"loss", 1}}, 0);
    trackers->log_images({{Pictures{"samples", 1, 2, 2, 1, std::vector<std::uint8_t>(4)}}, 0});
    trackers->log_table({"words", {"word"}, {{"yes"}}, 0});
    trackers->get("wandb").log({{{"loss", 1}}, 0}, {});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_FALSE(fs::exists(folder_.path() / "run"));
    EXPECT_THAT(mlflow_.runs(), IsEmpty());
    EXPECT_THAT(services_.service().requests(), IsEmpty());
}

/// accelerate#1619: the message about a missing folder did not name what needs it.
TEST_F(Reports, AMissingLoggingDirectoryNamesTheTracker) {
    try {
        Trackers::start({"mlflow", "tensorboard"}, {});
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("the tracker '{}' needs a logging directory: give one", "tensorboard"));
    }
}

/// mlflow#10512: a parameter that is too long lost all others; accelerate#675: so did the 101st.
TEST_F(Reports, ALongParameterLosesNoOther) {
    Values configuration{{"long", std::string(10'000, 'x')}};
    for (int i = 0; i < 150; ++i)
        configuration.push_back({fmt::format("p{}", i), i});
    auto trackers = start({"mlflow"}, configuration);
    trackers->log({{"loss", 1}}, 0);
    trackers->finish();
    EXPECT_THAT(mlflow_.runs().at(0).parameters, SizeIs(150));
    EXPECT_EQ(mlflow_.runs().at(0).metrics.count("loss"), 1u);
    EXPECT_THAT(trackers->take_problems(), SizeIs(1));
}

/// ms-swift#8402: values of an earlier step, and of calls without one, were dropped by W&B.
TEST_F(Reports, AnEarlierStepIsKept) {
    auto trackers = start({"wandb"});
    trackers->log({{"loss", 3}}, 3);
    trackers->log({{"seconds", 0.5}});
    trackers->log({{"loss", 1}}, 1);
    trackers->log({{"loss", 4}}, 4);
    trackers->finish();
    auto points = services_.points();
    EXPECT_EQ(points["loss"][1], 1);
    EXPECT_EQ(points["loss"][3], 3);
    EXPECT_EQ(points["loss"][4], 4);
    EXPECT_EQ(points["seconds"].size(), 1u);
}

/// trackio#141, SwanLab#226, dvclive#677, fasttrackml#435: values that are not finite were refused, or hid all others.
TEST_F(Reports, ValuesThatAreNotFiniteLoseNoOther) {
    auto trackers = start(all_trackers(), {{"lr", 0.5}});
    for (const std::int64_t step : {0, 1, 2, 3}) {
        const double norm = step == 1   ? std::numeric_limits<double>::infinity()
                            : step == 2 ? -std::numeric_limits<double>::infinity()
                            : step == 3 ? std::nan("")
                                        : 1.0;
        trackers->log({{"norm", norm}, {"loss", 0.25}}, step);
    }
    trackers->log({{"norm", 2.0}, {"loss", 0.25}}, 4);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    for (const std::string name : {"loss", "norm"}) {
        const auto points = mlflow_.runs().at(0).metrics.at(name);
        EXPECT_EQ(points.size(), 5u) << name;
        EXPECT_EQ(test::stub_aim_runs(folder_.path() / "run").at(0).curves.at(name).size(), 5u) << name;
    }
    for (const char* ending : {"loss.tsv", "norm.tsv"})
        EXPECT_EQ(std::ranges::count(read_file(files(ending).at(0)), '\n'), 6) << ending;
    const auto rows = SqliteFile(files("yard.db").at(0)).run("SELECT step, metrics FROM metrics ORDER BY id");
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_THAT(cell_text(rows[1][1]), testing::HasSubstr("Infinity"));
    EXPECT_EQ(services_.points()["loss"].size(), 5u);
    EXPECT_EQ(services_.points()["norm"][4], 2.0);
}

/// SwanLab#227: a curve that got a text once was not shown any more.
TEST_F(Reports, ATextAmongTheNumbersOfACurveLosesNoNumber) {
    auto trackers = start(all_trackers());
    trackers->log({{"loss", 1.0}}, 0);
    trackers->log({{"loss", "nan"}, {"accuracy", 0.5}}, 1);
    trackers->log({{"loss", 3.0}}, 2);
    trackers->finish();
    EXPECT_EQ(services_.points()["loss"][0], 1.0);
    EXPECT_EQ(services_.points()["loss"][2], 3.0);
    EXPECT_EQ(services_.points()["accuracy"][1], 0.5);
    const auto metrics = mlflow_.runs().at(0).metrics;
    EXPECT_EQ(metrics.at("loss").size(), 2u);
    EXPECT_EQ(metrics.at("accuracy").size(), 1u);
}

/// accelerate#4046: what MLflow cannot take was missing with the trackers after it, too.
TEST_F(Reports, AParameterThatOneTrackerCannotTakeIsStoredByTheOthers) {
    auto trackers = start({"mlflow", "dvclive", "jsonl"}, {{"prompt", std::string(10'000, 'x')}, {"lr", 0.5}});
    trackers->finish();
    EXPECT_EQ(mlflow_.runs().at(0).parameters.count("prompt"), 0u);
    EXPECT_THAT(read_file(files("params.yaml").at(0)), testing::HasSubstr("xxxxxxxx"));
    EXPECT_THAT(read_file(files("yard.jsonl").at(0)), testing::HasSubstr("xxxxxxxx"));
}

/// wandb#5632: a run that was resumed lost what was logged for steps that it had already.
TEST_F(Reports, AResumedRunTakesStepsThatItHas) {
    auto first = start({"wandb"});
    for (std::int64_t step = 0; step < 5; ++step)
        first->log({{"metric_a", step}}, step);
    first->finish();
    TrackersOptions options;
    options.project = "yard";
    options.logging_dir = folder_.path() / "run";
    options.continues = true;
    auto second = Trackers::start({"wandb"}, options);
    for (std::int64_t step = 0; step < 5; ++step)
        second->log({{"metric_b", step + 10}}, step);
    second->finish();
    auto points = services_.points();
    EXPECT_EQ(points["metric_a"].size(), 5u);
    EXPECT_EQ(points["metric_b"].size(), 5u);
    EXPECT_EQ(points["metric_b"][3], 13);
}

/// pytorch-lightning#12833: a server that went away in the middle of a training ended it.
TEST_F(Reports, AServerThatGoesAwayEndsNothing) {
    auto trackers = start({"mlflow"}, {{"lr", 0.5}});
    trackers->log({{"loss", 1}}, 0);
    trackers->flush();
    mlflow_.service().fail(1);
    for (std::int64_t step = 1; step < 50; ++step)
        EXPECT_NO_THROW(trackers->log({{"loss", 1}}, step));
    mlflow_.service().fail(0);
    trackers->finish();
    EXPECT_EQ(mlflow_.runs().at(0).metrics.at("loss").size(), 50u);
}

/// accelerate#2070: figures and files of a run had no place.
TEST_F(Reports, AFigureIsStoredByEachTrackerThatHasFiles) {
    write_file_atomically(folder_.path() / "figure.svg", "<svg/>", false);
    auto trackers = start(all_trackers());
    trackers->log_artifact({folder_.path() / "figure.svg", "figures"});
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(mlflow_.runs().at(0).artifacts.at("figures/figure.svg"), "<svg/>");
    std::size_t stored = 0;
    for (const auto& [name, content] : services_.files())
        stored += name.ends_with("figures/figure.svg") && content == "<svg/>" ? 1 : 0;
    EXPECT_EQ(stored, 2u) << "W&B and Comet have the same name, ClearML another one";
    EXPECT_THAT(files("files/figures/figure.svg"), SizeIs(1)) << "SwanLab";
    EXPECT_EQ(test::stub_aim_runs(folder_.path() / "run").at(0).artifacts.at("figures/figure.svg"), "<svg/>");
}

/// accelerate#4041: a call without a step failed; #944: so did a second end.
TEST_F(Reports, ACallWithoutAStepAndASecondEndAreTaken) {
    auto trackers = start(all_trackers());
    trackers->log({{"loss", 1.5}});
    trackers->get("mlflow").log({{{"loss", 2.5}}, {}}, {});
    trackers->finish();
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(mlflow_.runs().at(0).metrics.at("loss").size(), 2u);
}

/// verl#119: a name with other characters ended the training; mlflow#6177: so did two parameters of one name.
TEST_F(Reports, NamesThatBecomeEqualLoseNothing) {
    auto trackers = start({"mlflow"}, {{"time(s)", 1}, {"time[s]", 2}, {"time_s_", 3}});
    trackers->log({{"timing(s)/gen", 0.5}, {"timing[s]/gen", 0.25}, {"AR@100", 3}}, 0);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    const test::FakeMlflow::Run run = mlflow_.runs().at(0);
    EXPECT_EQ(run.parameters,
              (std::map<std::string, std::string>{{"time_s_", "1"}, {"time_s__2", "2"}, {"time_s__3", "3"}}));
    EXPECT_EQ(run.metrics.at("timing_s_/gen").at(0).second, 0.5);
    EXPECT_EQ(run.metrics.at("timing_s_/gen_2").at(0).second, 0.25);
    EXPECT_EQ(run.metrics.at("AR_100").at(0).second, 3);
}

/// mlflow#2441: a server that takes fewer metrics in a request than MLflow's own lost all of them.
TEST_F(Reports, AServerThatTakesFewMetricsAtATimeGetsAll) {
    mlflow_.most_metrics = 20;
    auto trackers = start({"mlflow"});
    for (std::int64_t step = 0; step < 3; ++step) {
        Values values;
        for (int i = 0; i < 130; ++i)
            values.push_back({fmt::format("m{}", i), i + static_cast<int>(step)});
        trackers->log(std::move(values), step);
    }
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    const auto metrics = mlflow_.runs().at(0).metrics;
    EXPECT_THAT(metrics, SizeIs(130));
    for (const auto& [name, points] : metrics)
        EXPECT_THAT(points, SizeIs(3)) << name;
}

/// SimpleTuner#940 and pytorch#49076: nothing and lists among the configuration ended the training with TensorBoard.
TEST_F(Reports, TensorBoardTakesListsAndNothing) {
    auto trackers = start({"tensorboard"}, {{"resume_from", Value()}, {"layers", Value::List{32, 128}}, {"lr", 0.5}});
    trackers->log({{"loss", 1.5}}, 0);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_THAT(files("hparams.yml"), SizeIs(1));
    EXPECT_THAT(read_file(files("hparams.yml").at(0)),
                testing::AllOf(testing::HasSubstr("128"), testing::HasSubstr("lr")));
}

/// comet-ml/issue-tracking#493: the start waited for the server.
TEST_F(Reports, ASlowServerHoldsUpNeitherTheStartNorACall) {
    services_.service().stall(true);
    auto trackers = start({"comet_ml", "wandb", "clearml"}, {{"lr", 0.5}});
    for (std::int64_t step = 0; step < 100; ++step)
        trackers->log({{"loss", 1}}, step);
    EXPECT_THAT(services_.service().requests(), IsEmpty()) << "no request was answered so far";
    services_.service().stall(false);
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    EXPECT_EQ(trackers->dropped(), 0u);
    EXPECT_EQ(services_.points()["loss"].size(), 100u);
}

}  // namespace
}  // namespace trainyard::track::reports_test
