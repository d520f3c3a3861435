// SPDX-License-Identifier: GPL-3.0-or-later
// The window opens what our trackers of other tools write: W&B's file and MLflow's folder of a run.

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
        for (const char* name : {"WANDB_MODE", "MLFLOW_TRACKING_URI"})
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
