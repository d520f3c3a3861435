// SPDX-License-Identifier: GPL-3.0-or-later
// The window opens what our trackers of other tools write: files of W&B, SwanLab, Trackio and ClearML, and MLflow's
// folder of a run. Aim's repository can be read by its package only.

#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/metrics_tail.h"
#include "observe/track/trackers.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;
using testing::Pair;

class TrackerFiles : public testing::Test {
  protected:
    ~TrackerFiles() override {
        for (const char* name :
             {"WANDB_MODE", "MLFLOW_TRACKING_URI", "SWANLAB_MODE", "TRACKIO_DIR", "CLEARML_OFFLINE_MODE"})
            ::unsetenv(name);
    }
    std::unique_ptr<track::Trackers> start(const std::string& tracker, Value arguments) {
        track::TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path();
        options.configuration = {{"lr", 0.25}, {"model", track::Values{{"layers", 2}}}};
        options.arguments[tracker] = std::move(arguments);
        return track::Trackers::start({tracker}, options);
    }
    /// The file that the window knows as a log.
    fs::path find(const std::string& ending) const {
        for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder_.path()))
            if (const std::string name = file.path().filename().string(); name.ends_with(ending))
                if (const auto kind = kind_of_log_file(name); kind && looks_like_metrics(file.path(), *kind))
                    return file.path();
        return {};
    }
    void poll(MetricsTail& tail) {
        for (bool all = false; !all;) {
            CurveBatch batch;
            all = tail.poll(batch, 1 << 20);
            if (batch.labels)
                labels_ = *batch.labels;
            store_.take(batch);
        }
        EXPECT_THAT(tail.problems(), IsEmpty());
    }
    std::vector<std::pair<std::int64_t, double>> curve(const std::string& tag) {
        std::vector<std::pair<std::int64_t, double>> points;
        const widgets::Series& series = store_.series(tag);
        for (std::size_t i = 0; i < series.size(); ++i)
            points.emplace_back(series.step(i), series.value(i));
        return points;
    }

    test::TemporaryFolder folder_;
    CurveStore store_{widgets::EarlierStep::RepeatOvertakes};
    LogLabels labels_;
};

TEST_F(TrackerFiles, OfWeightsAndBiases) {
    ::setenv("WANDB_MODE", "offline", 1);
    auto trackers = start("wandb", track::Values{{"name", "first run"}, {"tags", Value::List{"a", "b"}}});
    trackers->log({{"loss", 1.5}, {"group", track::Values{{"acc", 0.5}}}}, 0);
    trackers->log({{"loss", 1.25}}, 1);
    trackers->finish();
    const fs::path file = find(".wandb");
    ASSERT_FALSE(file.empty());
    poll(*make_tail(file, LogKind::Wandb));
    EXPECT_THAT(curve("loss"), testing::ElementsAre(Pair(0, 1.5), Pair(1, 1.25)));
    EXPECT_THAT(curve("group/acc"), testing::ElementsAre(Pair(0, 0.5)));
    EXPECT_THAT(store_.parameters(), Contains(Pair("lr", "0.25")));
    EXPECT_THAT(store_.parameters(), Contains(Pair("summary/loss", "1.25")));
    EXPECT_EQ(labels_.name, "first run");
    EXPECT_THAT(labels_.tags, testing::ElementsAre("a", "b"));
}

TEST_F(TrackerFiles, OfSwanlab) {
    ::setenv("SWANLAB_MODE", "offline", 1);
    auto trackers = start("swanlab", track::Values{{"name", "first run"}, {"tags", Value::List{"a", "b"}}});
    for (int step = 0; step < 2000; ++step)  // more than one block
        trackers->log({{"train/loss", 1.0 / (1 + step)}, {"nan", std::nan("")}}, step);
    trackers->log({{"note", "a text"}}, 0);
    trackers->finish();
    const fs::path file = find(".swanlab");
    ASSERT_FALSE(file.empty());
    poll(*make_tail(file, LogKind::Swanlab));
    const auto points = curve("train/loss");
    ASSERT_EQ(points.size(), 2000u);
    EXPECT_THAT(points[1999], Pair(1999, 1.0 / 2000));
    EXPECT_EQ(curve("nan").size(), 2000u);
    EXPECT_THAT(store_.parameters(), Contains(Pair("lr", "0.25")));
    EXPECT_THAT(store_.parameters(), Contains(Pair("model/layers", "2")));
    EXPECT_EQ(labels_.name, "first run");
    EXPECT_THAT(labels_.tags, testing::ElementsAre("a", "b"));
}

TEST_F(TrackerFiles, OfTrackio) {
    ::setenv("TRACKIO_DIR", folder_.path().c_str(), 1);
    auto trackers = start("trackio", track::Values{{"name", "first"}});
    for (int step = 0; step < 3000; ++step)
        trackers->log({{"train/loss", 1.0 / (1 + step)}, {"epoch", 1}, {"group", track::Values{{"acc", 0.5}}}}, step);
    trackers->flush();
    const fs::path file = find(".db");
    ASSERT_FALSE(file.empty());
    const auto tail = make_tail(file, LogKind::Trackio);
    poll(*tail);
    ASSERT_EQ(curve("train/loss").size(), 3000u);
    EXPECT_THAT(curve("train/loss")[2999], Pair(2999, 1.0 / 3000));
    EXPECT_EQ(curve("epoch").size(), 3000u) << "the column has the step";
    EXPECT_EQ(curve("group/acc").size(), 3000u);
    EXPECT_THAT(store_.parameters(), Contains(Pair("model/layers", "2")));
    EXPECT_EQ(labels_.name, "first");
    trackers->finish();
    // Another run of the project.
    auto second = start("trackio", track::Values{{"name", "second"}});
    second->log({{"train/loss", 0.25}}, 0);
    second->finish();
    CurveStore both(widgets::EarlierStep::RepeatOvertakes);
    CurveBatch batch;
    ASSERT_TRUE(make_tail(file, LogKind::Trackio)->poll(batch, 1 << 30));
    both.take(batch);
    EXPECT_EQ(both.series("second/train/loss").size(), 1u);
    EXPECT_EQ(both.series("first/train/loss").size(), 3000u);
    // An SQLite file of another program.
    EXPECT_FALSE(looks_like_metrics(folder_.path() / "missing.db", LogKind::Trackio));
}

TEST_F(TrackerFiles, OfClearml) {
    ::setenv("CLEARML_OFFLINE_MODE", "1", 1);
    auto trackers = start("clearml", track::Values{{"task_name", "first run"}});
    for (int step = 0; step < 100; ++step)
        trackers->log({{"train/loss", 1.0 / (1 + step)}, {"eval_f1", 0.5}}, step);
    trackers->log({{"best", 0.125}});
    trackers->finish();
    const fs::path file = find("metrics.jsonl");
    ASSERT_FALSE(file.empty());
    poll(*make_tail(file, LogKind::Jsonl));
    ASSERT_EQ(curve("train/loss").size(), 100u);
    EXPECT_THAT(curve("train/loss")[99], Pair(99, 0.01));
    EXPECT_EQ(curve("eval/f1").size(), 100u);
    EXPECT_THAT(store_.parameters(), Contains(Pair("summary/best", "0.125")));
}

TEST_F(TrackerFiles, OfMlflow) {
    ::setenv("MLFLOW_TRACKING_URI", (folder_.path() / "mlruns").c_str(), 1);
    auto trackers = start("mlflow", track::Values{{"run_name", "first run"}, {"tags", track::Values{{"team", "a"}}}});
    trackers->log({{"train/loss", 1.5}, {"nan", std::nan("")}}, 0);
    trackers->log({{"train/loss", 1.25}}, 1);
    trackers->finish();
    const fs::path file = find("meta.yaml");
    ASSERT_FALSE(file.empty());
    const auto tail = make_tail(file, LogKind::Mlflow);
    poll(*tail);
    EXPECT_THAT(curve("train/loss"), testing::ElementsAre(Pair(0, 1.5), Pair(1, 1.25)));
    ASSERT_EQ(curve("nan").size(), 1u);
    EXPECT_TRUE(std::isnan(curve("nan")[0].second));
    EXPECT_THAT(store_.parameters(), Contains(Pair("lr", "0.25")));
    EXPECT_EQ(labels_.name, "first run");
    EXPECT_THAT(labels_.tags, testing::ElementsAre("team: a"));
    // It grows.
    write_file_atomically(file.parent_path() / "metrics" / "train" / "loss",
                          read_file(file.parent_path() / "metrics" / "train" / "loss") + "1700000000000 1.0 2\n",
                          false);
    poll(*tail);
    EXPECT_EQ(curve("train/loss").size(), 3u);
    // The file of an experiment is not a run.
    EXPECT_FALSE(looks_like_metrics(file.parent_path().parent_path() / "meta.yaml", LogKind::Mlflow));
}

}  // namespace
}  // namespace trainyard::desktop
