// SPDX-License-Identifier: GPL-3.0-or-later
// JSONL and CSV logs in all the shapes that trackers write, as they grow.

#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "desktop/sources/curve_store.h"
#include "desktop/sources/log_lines.h"
#include "formats/tables/metrics_columns.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class Lines : public testing::Test {
  protected:
    void write(const std::string& text, std::ios::openmode mode = std::ios::app) {
        std::ofstream(path, std::ios::binary | mode) << text;
    }
    void poll(MetricsTail& tail, std::uint64_t limit = 1 << 20) {
        for (bool all = false; !all;) {
            CurveBatch batch;
            all = tail.poll(batch, limit);
            store.take(batch);
        }
    }
    /// step:value of a curve.
    std::vector<std::pair<std::int64_t, double>> curve(const std::string& tag) {
        std::vector<std::pair<std::int64_t, double>> points;
        const widgets::Series& series = store.series(tag);
        for (std::size_t i = 0; i < series.size(); ++i)
            points.emplace_back(series.step(i), series.value(i));
        return points;
    }
    std::vector<std::string> tags() {
        std::vector<std::string> names;
        for (const TagInfo& info : store.tags())
            names.push_back(info.tag);
        return names;
    }

    test::TemporaryFolder folder;
    std::filesystem::path path = folder.path() / "log";
    CurveStore store{widgets::EarlierStep::RepeatOvertakes};
};

using P = std::pair<std::int64_t, double>;

TEST_F(Lines, JsonObjectsWithNestedKeysAndManyNamesOfSteps) {
    write(
        R"({"_step": 3, "_timestamp": 100.5, "train": {"loss": 2.5, "deep": {"x": 1}}, "note": "words", "flag": true, "list": [1]})"
        "\n"
        R"({"train": {"loss": 2}, "global_step": 4, "epoch": 0.5})"
        "\n"
        R"({"epoch": 2, "loss": 7})"
        "\n\n"
        R"({"loss": 8})"
        "\r\n");
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    EXPECT_THAT(tags(), testing::UnorderedElementsAre("train/loss", "train/deep/x", "epoch", "loss"));
    EXPECT_THAT(curve("train/loss"), ElementsAre(P(3, 2.5), P(4, 2)));
    EXPECT_THAT(curve("train/deep/x"), ElementsAre(P(3, 1)));
    EXPECT_THAT(curve("epoch"), ElementsAre(P(4, 0.5)));
    EXPECT_THAT(curve("loss"), ElementsAre(P(2, 7), P(5, 8))) << "a whole epoch is a step; without any, the line is";
    EXPECT_EQ(store.series("train/loss").wallTime(0), 100.5);
    EXPECT_THAT(tail->problems(), IsEmpty());
}

TEST_F(Lines, WhatIsNotFiniteAsPythonAndStrictWritersSayIt) {
    write(
        "{\"step\": 1, \"loss\": NaN, \"norm\": Infinity, \"low\": -Infinity, \"name\": \"NaN in words\"}\n"
        "{\"step\": 2, \"loss\": \"nan\", \"norm\": \"Infinity\", \"name\": \"inf inity\"}\n");
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    ASSERT_THAT(curve("loss"), SizeIs(2));
    EXPECT_TRUE(std::isnan(curve("loss")[0].second));
    EXPECT_TRUE(std::isnan(curve("loss")[1].second));
    EXPECT_THAT(curve("norm"), ElementsAre(P(1, HUGE_VAL), P(2, HUGE_VAL)));
    EXPECT_THAT(curve("low"), ElementsAre(P(1, -HUGE_VAL)));
    EXPECT_THAT(tags(), SizeIs(3));
}

TEST_F(Lines, OurOwnTrackersLines) {
    write(R"({"configuration": {"lr": 0.001, "model": {"kind": "gpt2"}}})"
          "\n"
          R"({"step": 1, "wall_time": 10.5, "values": {"loss": 2.0, "nest": {"n": 1}}})"
          "\n"
          R"({"step": 2, "wall_time": 11.5, "values": {"loss": 1.0}})"
          "\n"
          R"({"restart": 2, "wall_time": 12})"
          "\n"
          R"({"step": 2, "wall_time": 13, "values": {"loss": 1.5}})"
          "\n");
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.0), P(2, 1.5)));
    EXPECT_THAT(curve("nest/n"), ElementsAre(P(1, 1)));
    EXPECT_THAT(store.parameters(), ElementsAre(std::pair<std::string, std::string>("lr", "0.001"),
                                                std::pair<std::string, std::string>("model/kind", "gpt2")));
}

TEST_F(Lines, ATornLastLineWaitsAndComesOnce) {
    const std::string whole = "{\"step\": 1, \"loss\": 2.125}\n{\"step\": 2, \"loss\": 3.5}\n";
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    for (const char c : whole) {
        write(std::string(1, c));
        poll(*tail);
    }
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.125), P(2, 3.5)));
    EXPECT_THAT(tail->problems(), IsEmpty());
    EXPECT_FALSE(tail->hasOpenEnd());
    write("{\"step\": 3,");
    poll(*tail);
    EXPECT_TRUE(tail->hasOpenEnd());
}

TEST_F(Lines, LinesThatCannotBeReadAreCountedAndNamed) {
    write("{\"step\": 1, \"loss\": 1}\nhello\n[1]\n{\"step\": 2, \"loss\": 2}\n");
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), SizeIs(2));
    EXPECT_THAT(tail->problems(),
                ElementsAre(testing::AllOf(says("{} lines of {} cannot be read and were skipped: the first is line {}",
                                                EndsWith("2"), StartsWith(path.string()), _),
                                           says("{} lines of {} cannot be read and were skipped: the first is line {}",
                                                _, _, StartsWith("2")))));
}

TEST_F(Lines, ALineWithoutEndIsLeftOut) {
    write("{\"step\": 1, \"loss\": 1}\n" + std::string(LineTail::kLongestLine + 100'000, 'x') +
          "\n{\"step\": 2, \"loss\": 2}\n");
    const auto tail = make_jsonl_tail(path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 1), P(2, 2)));
    EXPECT_THAT(tail->problems(), ElementsAre(says("a line of {} cannot be read and was skipped: line {}", _, _)));
}

TEST_F(Lines, FilesThatAreReplacedShortenedOrWrittenOverComeAgain) {
    write("step,loss\n1,1\n2,2\n");
    const auto tail = make_csv_tail(path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 1), P(2, 2)));
    // In place, of the same length and longer; another file of the same name; shorter.
    write("step,loss\n1,5\n2,6\n", std::ios::trunc);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 5), P(2, 6)));
    write("step,loss,new\n1,5,1\n2,6,\n3,7,3\n", std::ios::trunc);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 5), P(2, 6), P(3, 7)));
    EXPECT_THAT(curve("new"), ElementsAre(P(1, 1), P(3, 3)));
    const std::filesystem::path aside = folder.path() / "aside";
    std::ofstream(aside) << "step,loss\n9,9\n";
    std::filesystem::rename(aside, path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(9, 9)));
    EXPECT_THAT(curve("new"), IsEmpty());
    std::filesystem::resize_file(path, 10);
    poll(*tail);
    EXPECT_THAT(curve("loss"), IsEmpty());
    std::filesystem::remove(path);
    poll(*tail);
    EXPECT_THAT(tail->problems(), ElementsAre(says("{} was deleted: the data read so far stays visible", _)));
}

TEST_F(Lines, CsvOfOursOfLightningAndOfKeras) {
    write("step,wall_time,loss,note,\"eval, all\"\n1,10.0,2.0,,\n2,11.5,nan,\"a, \"\"b\"\"\",0.5\n");
    const auto ours = make_csv_tail(path);
    poll(*ours);
    ASSERT_THAT(curve("loss"), SizeIs(2));
    EXPECT_TRUE(std::isnan(curve("loss")[1].second));
    EXPECT_THAT(curve("eval, all"), ElementsAre(P(2, 0.5)));
    EXPECT_EQ(store.series("loss").wallTime(1), 11.5);
    EXPECT_THAT(tags(), SizeIs(2));

    store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
    write("epoch,step,train_loss,val_loss\n0,49,0.5,\n0,99,0.25,\n0,99,,0.75\n", std::ios::trunc);
    const auto lightning = make_csv_tail(path);
    poll(*lightning);
    EXPECT_THAT(curve("train_loss"), ElementsAre(P(49, 0.5), P(99, 0.25)));
    EXPECT_THAT(curve("val_loss"), ElementsAre(P(99, 0.75)));
    EXPECT_THAT(curve("epoch"), SizeIs(3));

    store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
    write("epoch;accuracy;loss\r\n0;0.5;1.5\r\n1;0.75;1.25\r\n", std::ios::trunc);
    const auto keras = make_csv_tail(path);
    poll(*keras);
    EXPECT_THAT(curve("accuracy"), ElementsAre(P(0, 0.5), P(1, 0.75)));
    EXPECT_THAT(tags(), SizeIs(2));
}

TEST_F(Lines, OfRepeatedStepsTheLaterPassageCounts) {
    const auto row = [](int step, double loss, bool csv) {
        return csv ? fmt::format("{},{}\n", step, loss) : fmt::format("{{\"step\": {}, \"loss\": {}}}\n", step, loss);
    };
    for (const bool csv : {true, false})
        for (const std::uint64_t slice : {std::uint64_t{1} << 20, std::uint64_t{10}}) {
            SCOPED_TRACE(fmt::format("{} {}", csv, slice));
            store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
            std::string text = csv ? "step,loss\n" : "";
            for (int step = 0; step <= 3000; ++step)
                text += row(step, 1, csv);
            for (int step = 2000; step <= 2500; ++step)
                text += row(step, 2, csv);
            for (int step = 2400; step <= 4000; ++step)
                text += row(step, 3, csv);
            write(text, std::ios::trunc);
            const auto tail = csv ? make_csv_tail(path) : make_jsonl_tail(path);
            poll(*tail, slice);
            const auto loss = curve("loss");
            ASSERT_THAT(loss, SizeIs(4001));
            for (int step = 0; step <= 4000; ++step)
                ASSERT_EQ(loss[static_cast<std::size_t>(step)], P(step, step < 2000 ? 1 : step < 2400 ? 2 : 3));
            // A third passage begins while the curve is shown.
            write(row(3990, 4, csv));
            poll(*tail, slice);
            EXPECT_THAT(curve("loss"), SizeIs(3991));
            EXPECT_EQ(curve("loss").back(), P(3990, 4));
        }
}

TEST_F(Lines, StepsThatComeLateOrDescendAreKept) {
    write("step,loss\n1,1\n2,2\n4,4\n3,3\n5,5\n");
    poll(*make_csv_tail(path));
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 1), P(2, 2), P(3, 3), P(4, 4), P(5, 5)));

    store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
    std::string newest_first = "step,loss\n";
    for (int step = 3000; step > 0; --step)
        newest_first += fmt::format("{},{}\n", step, step);
    write(newest_first, std::ios::trunc);
    poll(*make_csv_tail(path), 1000);
    ASSERT_THAT(curve("loss"), SizeIs(3000));
    EXPECT_EQ(curve("loss").front(), P(1, 1));
    EXPECT_EQ(curve("loss").back(), P(3000, 3000));
}

TEST_F(Lines, ByteOrderMarksAndCarriageReturnsAlone) {
    const std::string mark = "\xef\xbb\xbf";
    write(mark + "step,loss\n1,2.5\n2,2.25\n3,nan\n4,1.75\n");
    EXPECT_TRUE(looks_like_csv_metrics(path));
    poll(*make_csv_tail(path));
    ASSERT_THAT(curve("loss"), SizeIs(4));
    EXPECT_EQ(curve("loss")[3], P(4, 1.75));
    EXPECT_TRUE(std::isnan(curve("loss")[2].second));
    EXPECT_THAT(tags(), ElementsAre("loss"));

    store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
    write(mark + "{\"step\":1,\"loss\":2.5}\n{\"step\":2,\"loss\":2.0}\n", std::ios::trunc);
    EXPECT_TRUE(looks_like_jsonl_metrics(path));
    poll(*make_jsonl_tail(path));
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.5), P(2, 2)));

    for (const bool csv : {true, false}) {
        store = CurveStore(widgets::EarlierStep::RepeatOvertakes);
        write(csv ? "step,loss\r1,2.5\r2,2\r" : "{\"step\":1,\"loss\":2.5}\r{\"step\":2,\"loss\":2.0}\r",
              std::ios::trunc);
        EXPECT_TRUE(csv ? looks_like_csv_metrics(path) : looks_like_jsonl_metrics(path));
        poll(*(csv ? make_csv_tail(path) : make_jsonl_tail(path)));
        EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.5), P(2, 2)));
    }
}

TEST_F(Lines, AnotherHeaderInTheMiddleNamesTheColumnsFromThereOn) {
    write("step,loss\n1,2.5\n2,2.25\nstep,eval_loss,loss\n2,3.5,2\n3,3.25,1.75\n");
    const auto tail = make_csv_tail(path);
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.5), P(2, 2.25), P(2, 2), P(3, 1.75)));
    EXPECT_THAT(curve("eval_loss"), ElementsAre(P(2, 3.5), P(3, 3.25)));
    EXPECT_THAT(tail->problems(), IsEmpty());
}

TEST_F(Lines, OtherEncodingsAreNamed) {
    const std::string text = "step,loss\n1,2.5\n2,2.25\n";
    for (const bool big_endian : {false, true})
        for (const bool mark : {false, true}) {
            std::string wide = !mark ? "" : big_endian ? "\xfe\xff" : "\xff\xfe";
            for (const char c : text)
                wide += big_endian ? std::string{'\0', c} : std::string{c, '\0'};
            write(wide, std::ios::trunc);
            EXPECT_TRUE(looks_like_csv_metrics(path)) << "the page of logs says what is wrong";
            const auto tail = make_csv_tail(path);
            poll(*tail);
            EXPECT_THAT(tail->problems(), ElementsAre(says("{} is UTF-16: save it as UTF-8", _)));
            poll(*tail);
            EXPECT_THAT(tail->problems(), SizeIs(1)) << "as long as nothing changes";
            EXPECT_THAT(tags(), IsEmpty());
        }
    write(
        "step,pr\xe9"
        "cision\n1,2.5\n",
        std::ios::trunc);
    const auto latin = make_csv_tail(path);
    poll(*latin);
    EXPECT_THAT(latin->problems(), ElementsAre(says("line {} of {} is not UTF-8: save the file as UTF-8", 1, _)));
    EXPECT_THAT(curve("pr\xef\xbf\xbd"
                      "cision"),
                ElementsAre(P(1, 2.5)));
}

TEST_F(Lines, NumbersInQuotesAreNumbersWhereTheFileIsALog) {
    write("{\"step\": \"1\", \"loss\": \"2.5\", \"name\": \"a\"}\n");
    EXPECT_FALSE(looks_like_jsonl_metrics(path)) << "a table of texts has such lines, too";
    poll(*make_jsonl_tail(path));
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.5)));
    EXPECT_THAT(tags(), ElementsAre("loss"));
}

TEST_F(Lines, SmallSlicesGiveWhatOneGives) {
    std::string text;
    for (int step = 0; step < 5000; ++step)
        text += "{\"step\": " + std::to_string(step) + ", \"loss\": " + std::to_string(step % 7) + "}\n";
    write(text);
    const auto tail = make_jsonl_tail(path);
    poll(*tail, 10);
    ASSERT_EQ(store.series("loss").size(), 5000u);
    EXPECT_EQ(store.series("loss").step(4999), 4999);
    EXPECT_EQ(store.series("loss").cuts(), 0);
}

TEST_F(Lines, WhatLooksLikeMetrics) {
    const auto json = [&](const std::string& text) {
        write(text, std::ios::trunc);
        return looks_like_jsonl_metrics(path);
    };
    const auto csv = [&](const std::string& text) {
        write(text, std::ios::trunc);
        return looks_like_csv_metrics(path);
    };
    EXPECT_TRUE(json("{\"step\": 1, \"loss\": 2}\n"));
    EXPECT_TRUE(json("{\"configuration\": {}}\n{\"step\": 1, \"values\": {\"loss\": 2}}\n"));
    EXPECT_TRUE(json("{\"timestamp\": \"2024-05-01T10:00:00Z\", \"loss\": 2}\n"));
    EXPECT_FALSE(json("{\"text\": \"words\", \"label\": 1}\n{\"text\": \"more\", \"label\": 0}\n"));
    EXPECT_FALSE(json("{\"step\": 1, \"event\": \"began\"}\n"));
    EXPECT_FALSE(json("not json\n"));
    EXPECT_FALSE(json(""));
    EXPECT_TRUE(csv("step,loss\n1,2\n"));
    EXPECT_TRUE(csv("step,loss\n"));
    EXPECT_FALSE(csv("time,text\n1,words\n"));
    EXPECT_FALSE(csv("name,age\nx,1\n"));
    EXPECT_FALSE(csv("step\n1\n"));
    EXPECT_FALSE(csv(std::string(100'000, 'x')));
}

TEST(LogColumns, ReadTimesAndNumbers) {
    using formats::number_of, formats::seconds_of, formats::step_of;
    EXPECT_EQ(seconds_of(1.7e9), 1.7e9);
    EXPECT_EQ(seconds_of(1.7e12), 1.7e9);
    EXPECT_EQ(seconds_of("1970-01-02T00:00:01.5Z"), 86401.5);
    EXPECT_EQ(seconds_of("1970-01-02 02:00:00+02:00"), 86400.0);
    EXPECT_EQ(seconds_of("yesterday"), std::nullopt);
    EXPECT_EQ(number_of(" 1.5e3 "), 1500.0);
    EXPECT_EQ(number_of("+2"), 2.0);
    EXPECT_EQ(number_of("1e999"), HUGE_VAL);
    EXPECT_EQ(number_of("2 m"), std::nullopt);
    EXPECT_EQ(number_of(""), std::nullopt);
    EXPECT_EQ(step_of(1.5), std::nullopt);
    EXPECT_EQ(step_of(1e300), std::nullopt);
    EXPECT_EQ(step_of(-3), -3);
}

}  // namespace
}  // namespace trainyard::desktop
