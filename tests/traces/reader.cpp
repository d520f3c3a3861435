// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the trace reader: errors for files that are not traces, files that change while open, and cancelled
// readings.

#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "observe/traces/words.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;

class TraceReader : public testing::Test {
  protected:
    std::filesystem::path file(const std::string& text) {
        write_file_atomically(path_, text, false);
        return path_;
    }
    std::string refusal(const std::filesystem::path& path) {
        try {
            read_trace(path);
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr(path.string()));
            return error.what();
        }
        return "read";
    }
    test::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_.path() / "trace.json";
};

TEST_F(TraceReader, SaysWhatIsNoTrace) {
    EXPECT_THAT(refusal(folder_.path() / "none.json"), HasSubstr("none.json"));
    EXPECT_NE(refusal(folder_.path()), "read");
    EXPECT_THAT(refusal(file("")), says("the file is empty: 0 bytes"));
    EXPECT_THAT(refusal(file("step 1 loss 2.3")), says("the text does not begin as JSON"));
    EXPECT_THAT(refusal(file("{\"model\": 1}")), says("it has no traceEvents"));
    EXPECT_THAT(refusal(file("{\"traceEvents\": {}}")), says("traceEvents is not a list"));
    EXPECT_THAT(refusal(file("{\"traceEvents\"")), says("the file ends before the list of events"));
    EXPECT_THAT(refusal(file(std::string("\xff\xfe{\0", 4))), HasSubstr("UTF-16"));
    EXPECT_THAT(refusal(file(std::string("\x1f\x8b\x08\0damaged", 11))),
                says("the compressed data is cut: the file ends before its end mark"));
}

TEST_F(TraceReader, FindsTheEndOfEveryEvent) {
    // More events than one batch has, with quotes, brackets and backslashes at every place of a block of 64 characters.
    std::mt19937 random(7);
    constexpr int kEvents = 10'000;
    const std::vector<std::string> parts{"a",     "{",     "}",        "[",         "]",    R"(\")",
                                         R"(\\)", " : , ", "aten::mm", R"(\u00e9)", R"(\n)"};
    WrittenTrace text;
    std::vector<std::string> names;
    for (int i = 0; i < kEvents; ++i) {
        std::string written = std::to_string(i) + ' ', name = written;
        for (unsigned k = random() % 24; k > 0; --k) {
            const std::string& part = parts[random() % parts.size()];
            written += part;
            name += part == R"(\")"       ? "\""
                    : part == R"(\\)"     ? "\\"
                    : part == R"(\u00e9)" ? "\u00e9"
                    : part == R"(\n)"     ? "\n"
                                          : part;
        }
        text.slice("cpu_op", written, i * 10, 5, 1,
                   fmt::format(R"({{"list":[[{}],{{"x":"}}]"}}]}})", std::string(random() % 90, '1')));
        names.push_back(name);
    }
    const auto trace = text.read(path_);
    ASSERT_EQ(trace->slices.size(), names.size());
    EXPECT_FALSE(trace->reading.ended_early);
    EXPECT_EQ(trace->reading.unplaced(), 0U);
    EXPECT_EQ(trace->reading.count(Entry::repaired), 0U);
    for (std::size_t i = 0; i < names.size(); ++i) {
        ASSERT_EQ(trace->name(trace->slices[i]), names[i]);
        const std::string event = trace->event_text(trace->slices[i]);
        EXPECT_TRUE(event.starts_with("{\"ph\"") && event.ends_with("]}}")) << event;
    }
}

TEST_F(TraceReader, KeepsNanosecondsOfAnEpoch) {
    const auto trace = WrittenTrace().slice("cpu_op", "a", 1'790'857'026'000'000'001, 1'002'003).read(path_);
    ASSERT_EQ(trace->slices.size(), 1U);
    EXPECT_EQ(trace->slices[0].begin, 1'790'857'026'000'000'001);
    EXPECT_EQ(trace->slices[0].duration, 1'002'003);
}

TEST_F(TraceReader, GivesArgumentsFromTheFileAsLongAsItIsThere) {
    const auto trace =
        WrittenTrace().slice("cpu_op", "a", 0, 10, 1, R"({"Input Dims":[[2,3]],"text":"x\"y"})").read(path_);
    const std::vector<std::pair<std::string, std::string>> expected{{"Input Dims", "[[2,3]]"}, {"text", "x\"y"}};
    EXPECT_EQ(trace->arguments(trace->slices[0]), expected);
    std::filesystem::remove(path_);
    EXPECT_EQ(trace->arguments(trace->slices[0]), expected) << "a removed file stays readable while it is open";
}

TEST_F(TraceReader, HasNoArgumentsOfAFileThatShrank) {
    const auto trace = WrittenTrace().slice("cpu_op", "a", 0, 10, 1, R"({"x":1})").read(path_);
    std::filesystem::resize_file(path_, 10);
    EXPECT_TRUE(trace->arguments(trace->slices[0]).empty());
}

TEST_F(TraceReader, EndsWhenNobodyWantsMore) {
    WrittenTrace text;
    for (int i = 0; i < 200'000; ++i)
        text.slice("cpu_op", "a", i * 100, 50);
    write_file_atomically(path_, text.text(), false);
    ReadOptions options;
    std::size_t asked = 0, pictures = 0;
    options.progress = [&](const ReadProgress& progress) {
        EXPECT_LE(progress.consumed, progress.file_bytes);
        return ++asked < 1;
    };
    options.preview_seconds = 0;
    options.preview = [&](const std::shared_ptr<const Trace>& picture) {
        ++pictures;
        EXPECT_FALSE(picture->reading.complete);
        EXPECT_FALSE(picture->slices.empty());
    };
    const auto trace = read_trace(path_, options);
    EXPECT_EQ(pictures, 1U);
    if (asked > 0) {  // a machine that reads all of it within the time between two questions is not asked
        EXPECT_TRUE(trace->reading.ended_early);
        EXPECT_LT(trace->slices.size(), 200'000U);
        EXPECT_THAT(trace->reading.problems.at(0),
                    says("reading was ended at byte {}; {} events before it are shown", _, _));
    }
}

TEST_F(TraceReader, RefusesTimesWhoseSumsDoNotFit) {
    const auto trace = WrittenTrace()
                           .slice("cpu_op", "late", kLargestTime, 0)
                           .slice("cpu_op", "later", kLargestTime + 1, 0)
                           .slice("cpu_op", "long", 1, kLargestTime)
                           .slice("cpu_op", "early", -kLargestTime, 1)
                           .read(path_);
    EXPECT_EQ(trace->slices.size(), 2U);
    EXPECT_EQ(trace->reading.count(Entry::time_out_of_range), 2U);
}

TEST(TimeWords, HaveThreeDigits) {
    const std::vector<std::pair<std::int64_t, std::string>> cases{{0, "0 ns"},
                                                                  {999, "999 ns"},
                                                                  {1000, "1.00 µs"},
                                                                  {12'345, "12.3 µs"},
                                                                  {999'499, "999 µs"},
                                                                  {999'500, "1.00 ms"},
                                                                  {3'070'000, "3.07 ms"},
                                                                  {-41'000'000, "-41.0 ms"},
                                                                  {999'600'000, "1.00 s"},
                                                                  {1'420'000'000, "1.42 s"},
                                                                  {754'000'000'000, "12 min 34 s"}};
    for (const auto& [ns, words] : cases)
        EXPECT_EQ(time_words(ns), words);
}

}  // namespace
}  // namespace trainyard::traces
