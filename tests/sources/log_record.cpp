// SPDX-License-Identifier: GPL-3.0-or-later
// Logs as sources of curves: the golden event files as TensorBoard shows them, logs that grow, go and come again.

#include "desktop/sources/log_record.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <thread>

#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "formats/events/event_file.h"
#include "support/golden.h"
#include "support/patience.h"
#include "support/says.h"
#include "support/settle.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

using nlohmann::json;

bool read_whole(LogRecord& record) {
    record.start();
    return QTest::qWaitFor([&] { return record.isCaughtUp(); }, kPatience);
}

double number(const json& value) {
    if (!value.is_string())
        return value.get<double>();
    return value == "nan" ? std::nan("") : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || a == b;
}

TEST(LogRecord, GoldenFoldersAsTensorBoardShowsThem) {
    const json expected = json::parse(std::ifstream(test::golden("tb_events") / "expected.json"));
    ASSERT_FALSE(expected.at("shown").empty());
    for (const auto& [name, wanted] : expected["shown"].items()) {
        SCOPED_TRACE(name);
        LogRecord record(test::golden("tb_events") / "runs" / name, LogKind::Events, "golden", 1);
        ASSERT_TRUE(read_whole(record));
        EXPECT_TRUE(record.complaints().isEmpty());
        std::size_t curves = 0;
        for (const TagInfo& info : record.tags())
            curves += info.kind == TagKind::Scalar ? 1 : 0;
        EXPECT_EQ(curves, wanted.size());
        for (const auto& [tag, points] : wanted.items()) {
            SCOPED_TRACE(tag);
            // The golden points are those of EventAccumulator, in the order of the files. TensorBoard's data server,
            // from which its pages come, drops what an earlier step overtakes, tag by tag.
            std::vector<json> shown;
            for (const json& point : points) {
                const auto step = point[0].get<std::int64_t>();
                if (!shown.empty() && step < shown.back()[0].get<std::int64_t>())
                    std::erase_if(shown, [step](const json& other) { return other[0].get<std::int64_t>() >= step; });
                shown.push_back(point);
            }
            const widgets::Series& series = record.series(tag);
            ASSERT_EQ(series.size(), shown.size());
            for (std::size_t i = 0; i < shown.size(); ++i) {
                EXPECT_EQ(series.step(i), shown[i][0].get<std::int64_t>());
                EXPECT_NEAR(series.wallTime(i), number(shown[i][1]), 1e-6);
                EXPECT_TRUE(same(series.value(i), number(shown[i][2]))) << i;
            }
        }
    }
}

TEST(LogRecord, HistogramsPicturesTextsAndParameters) {
    LogRecord record(test::own_golden("tb_events") / "runs" / "all_kinds", LogKind::Events, "golden", 1);
    ASSERT_TRUE(read_whole(record));
    std::map<std::string, TagKind> kinds;
    for (const TagInfo& info : record.tags())
        kinds[info.tag] = info.kind;
    EXPECT_EQ(kinds, (std::map<std::string, TagKind>{{"loss", TagKind::Scalar},
                                                     {"weights", TagKind::Histogram},
                                                     {"few", TagKind::Histogram},
                                                     {"notes/text_summary", TagKind::Text},
                                                     {"picture", TagKind::Image}}));
    for (const char* tag : {"weights", "few", "notes/text_summary", "picture"}) {
        ASSERT_EQ(record.media(tag).size(), 4u) << tag;
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(record.media(tag)[i]->step, static_cast<std::int64_t>(i));
    }
    const auto& few = std::get<HistogramPoint>(record.media("few")[0]->value);
    EXPECT_EQ(few.limits, (std::vector<double>{1.0, 13.25, 25.5, 37.75, 50.0}));
    EXPECT_EQ(few.counts, (std::vector<double>{3, 0, 0, 1}));
    const auto& picture = std::get<ImagePoint>(record.media("picture")[1]->value);
    EXPECT_EQ(picture.width, 7);
    EXPECT_EQ(picture.height, 5);
    EXPECT_EQ(read_file(picture.file).substr(picture.offset + 1, 3), "PNG");
    EXPECT_NE(std::get<TextPoint>(record.media("notes/text_summary")[2]->value).text.find("step 2"), std::string::npos);

    LogRecord trial(test::own_golden("tb_events") / "runs" / "hparams" / "trial", LogKind::Events, "trial", 1);
    ASSERT_TRUE(read_whole(trial));
    using Word = std::pair<std::string, std::string>;
    EXPECT_THAT(trial.parameters(), testing::UnorderedElementsAre(Word("amsgrad", "0"), Word("batch_size", "16"),
                                                                  Word("lr", "0.0003"), Word("optimizer", "adamw")));
    EXPECT_EQ(trial.series("hparam/accuracy").size(), 1u);
}

TEST(LogRecord, DamagedFilesAreShownUpToTheDamageWithASentence) {
    const json expected = json::parse(std::ifstream(test::golden("tb_events") / "expected.json"));
    ASSERT_FALSE(expected.at("damaged").empty());
    for (const auto& [name, wanted] : expected["damaged"].items()) {
        SCOPED_TRACE(name);
        const test::TemporaryFolder folder;
        std::filesystem::copy_file(test::golden("tb_events") / "damaged" / name, folder.path() / name);
        LogRecord record(folder.path(), LogKind::Events, "damaged", 1);
        ASSERT_TRUE(read_whole(record));
        for (const auto& [tag, count] : wanted["scalars"].items())
            EXPECT_EQ(record.series(tag).size(), count.get<std::size_t>()) << tag;
        const json& why = wanted["stops_because"];
        if (why.is_null() || wanted["more_may_come"].get<bool>()) {
            EXPECT_TRUE(record.complaints().isEmpty()) << qPrintable(record.complaints().join('\n'));
        } else {
            ASSERT_EQ(record.complaints().size(), 1);
            EXPECT_TRUE(record.complaints()[0].contains(
                QString::fromStdString("is damaged at byte " + wanted["stops_at_byte"].dump())));
        }
    }
}

TEST(LogRecord, GrowsWhileShownInBatchesAndStopsWithItsEnd) {
    const test::TemporaryFolder folder;
    events::EventFileWriter writer(folder.path());
    auto record = std::make_unique<LogRecord>(folder.path(), LogKind::Events, "live", 3);
    QSignalSpy changed(record.get(), &CurveSource::curvesChanged);
    ASSERT_TRUE(read_whole(*record));
    EXPECT_EQ(record->colorNumber(), 3);
    constexpr int kSteps = 400;
    std::thread steps([&] {
        for (int step = 0; step < kSteps; ++step) {
            writer.add_scalars(step, step, {{"loss", 1.0 / (1 + step)}});
            writer.flush();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return record->series("loss").size() == kSteps; }, kPatience));
    steps.join();
    EXPECT_LT(changed.count(), kSteps / 4) << "not one for each step";
    EXPECT_GT(record->lastNews(), 0);
    writer.add_scalars(kSteps, kSteps, {{"loss", 0}});
    writer.flush();
    record.reset();
    test::settle();  // what was on its way finds nobody
}

TEST(LogRecord, AFolderThatGoesLeavesItsCurvesAndComesAgain) {
    const test::TemporaryFolder folder;
    const std::filesystem::path place = folder.path() / "log";
    const auto write = [&](int steps) {
        std::filesystem::create_directory(place);
        events::EventFileWriter writer(place);
        for (int step = 0; step < steps; ++step)
            writer.add_scalars(step, step, {{"loss", 1}});
        writer.flush();
    };
    write(50);
    LogRecord record(place, LogKind::Events, "log", 1);
    ASSERT_TRUE(read_whole(record));
    EXPECT_EQ(record.series("loss").size(), 50u);
    std::filesystem::remove_all(place);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record.complaints().isEmpty(); }, kPatience));
    EXPECT_THAT(record.complaints()[0], test::says("{} was deleted: the data read so far stays visible", testing::_));
    EXPECT_EQ(record.series("loss").size(), 50u);
}

TEST(LogRecord, JsonLinesAndCsv) {
    const test::TemporaryFolder folder;
    const std::filesystem::path jsonl = folder.path() / "run.jsonl", csv = folder.path() / "run.csv";
    std::ofstream(jsonl) << "{\"step\": 1, \"loss\": 2}\n";
    std::ofstream(csv) << "epoch,loss\n1,2\n2,3";  // the last line without its end
    LogRecord one(jsonl, LogKind::Jsonl, "one", 1), other(csv, LogKind::Csv, "other", 2);
    ASSERT_TRUE(read_whole(one));
    ASSERT_TRUE(read_whole(other));
    EXPECT_EQ(one.series("loss").size(), 1u);
    std::ofstream(jsonl, std::ios::app) << "{\"step\": 2, \"loss\": 3}\n";
    EXPECT_TRUE(QTest::qWaitFor([&] { return one.series("loss").size() == 2; }, kPatience));
    // Nobody writes on: then the last line is one after all, until it turns out to be longer.
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.series("loss").size() == 2; }, kPatience));
    EXPECT_EQ(other.series("loss").value(1), 3);
    std::ofstream(csv, std::ios::app) << "5\n3,4\n";
    ASSERT_TRUE(QTest::qWaitFor([&] { return other.series("loss").size() == 3; }, kPatience));
    EXPECT_EQ(other.series("loss").value(1), 35);
    EXPECT_EQ(other.key(), QString::fromStdString(csv.string()));
}

TEST(LogRecord, ACurveThatCountsTokensOrEpochsTellsWhatAStepIs) {
    using widgets::XUnit;
    const test::TemporaryFolder folder;
    const std::filesystem::path place = folder.path() / "run.jsonl";
    std::ofstream(place) << "{\"step\": 10, \"loss\": 3, \"train/epoch\": 0.05, \"num_input_tokens_seen\": 20480}\n"
                         << "{\"step\": 20, \"loss\": 2, \"train/epoch\": 0.1, \"num_input_tokens_seen\": 40960}\n";
    LogRecord record(place, LogKind::Jsonl, "counted", 1);
    EXPECT_EQ(record.scale(XUnit::Tokens).tokens_per_step, 1);
    ASSERT_TRUE(read_whole(record));
    const widgets::Series& loss = record.series("loss");
    ASSERT_EQ(loss.size(), 2u);
    EXPECT_DOUBLE_EQ(loss.x(0, record.scale(XUnit::Tokens)), 20480);
    EXPECT_DOUBLE_EQ(loss.x(1, record.scale(XUnit::Tokens)), 40960);
    EXPECT_NEAR(loss.x(1, record.scale(XUnit::Epoch)), 0.1, 1e-7);
    EXPECT_EQ(loss.x(1, record.scale(XUnit::Step)), 20);
}

}  // namespace
}  // namespace trainyard::desktop
