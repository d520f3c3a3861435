// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a trace, written and read again: the same slices, arguments, arrows, counters and names.

#include "observe/traces/excerpt.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

class TraceExcerpt : public testing::Test {
  protected:
    RankSet read(const WrittenTrace& text) { return join_ranks({text.read(folder_.path() / "whole.json")}); }
    std::shared_ptr<const Trace> again(const RankSet& set, const Span& range) {
        const auto written = write_excerpt(set, range, std::nullopt, folder_.path() / "part.json");
        EXPECT_EQ(written.size(), 1U);
        const std::string text = read_file(written.at(0).file);
        EXPECT_TRUE(nlohmann::json::accept(text)) << text;
        auto trace = read_trace(written.at(0).file);
        EXPECT_EQ(trace->slices.size(), written.at(0).slices);
        EXPECT_EQ(trace->flows.size(), written.at(0).arrows);
        EXPECT_EQ(trace->reading.unplaced(), 0U) << trace->reading.unplaced_words();
        return trace;
    }
    test::TemporaryFolder folder_;
};

using SliceFacts = std::tuple<std::string, std::string, std::string, std::int64_t, std::int64_t, bool>;
std::vector<SliceFacts> facts_of(const Trace& trace, const Span& range) {
    std::vector<SliceFacts> facts;
    for (const Slice& slice : trace.slices)
        if (slice.begin < range.end && slice.end() >= range.begin)
            facts.emplace_back(trace.tracks[slice.track].title(), std::string(trace.category(slice)),
                               std::string(trace.name(slice)), slice.begin, slice.duration,
                               slice.kind == SliceKind::instant);
    return facts;
}

TEST_F(TraceExcerpt, HasAllOfTheRangeAndNothingElse) {
    WrittenTrace text(
        R"("baseTimeNanoseconds":1700000000000000000,"distributedInfo":{"backend":"gloo","rank":3,"world_size":8})");
    text.event(R"({"ph":"M","name":"process_name","pid":1,"args":{"name":"python \"x\""}})");
    text.event(R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}})");
    for (int i = 0; i < 20; ++i)
        text.slice("cpu_op", fmt::format("op{}", i), i * 1'000 - 5'001, 900, 1,
                   fmt::format(R"({{"Input Dims":[[{},2],[]],"id":18446744073709551615,"text":"12"}})", i));
    text.slice("cpu_op", "around", -6'000, 100'000, 2);
    text.event(R"({"ph":"B","cat":"user_annotation","name":"pair","pid":1,"tid":4,"ts":3,"args":{"a":1}})");
    text.event(R"({"ph":"E","pid":1,"tid":4,"ts":7})");
    text.event(R"({"ph":"i","cat":"note","name":"now","pid":1,"tid":1,"ts":4,"s":"t"})");
    text.event(R"({"ph":"C","name":"queue","pid":1,"ts":4,"args":{"depth":2.5}})");
    text.event(R"({"ph":"C","name":"queue","pid":1,"ts":400,"args":{"depth":3}})");
    const RankSet set = read(text);
    const Trace& whole = *set.ranks[0].trace;
    const Span range{2'000 + set.ranks[0].offset, 8'000 + set.ranks[0].offset}, own{2'000, 8'000};
    const auto part = again(set, range);
    EXPECT_EQ(facts_of(*part, kWhole), facts_of(whole, own));
    EXPECT_EQ(part->rank(), 3);
    EXPECT_EQ(part->base_time_ns, whole.base_time_ns);
    EXPECT_EQ(part->tracks[0].process_name, "python \"x\"");
    ASSERT_EQ(part->counters.size(), 1U);
    ASSERT_EQ(part->counters[0].samples.size(), 1U) << "the other one lies outside";
    EXPECT_DOUBLE_EQ(part->counters[0].samples[0].value, 2.5);
    for (const Slice& slice : part->slices)
        if (part->name(slice).starts_with("op")) {
            const auto arguments = part->arguments(slice);
            ASSERT_EQ(arguments.size(), 3U) << part->name(slice);
            EXPECT_EQ(arguments[1].second, "18446744073709551615") << "no digit is lost";
            EXPECT_EQ(arguments[2].second, "12");
            EXPECT_THAT(part->event_text(slice), testing::HasSubstr(R"("text":"12")")) << "still a text";
        } else if (part->name(slice) == "pair") {
            EXPECT_EQ(slice.duration, 4'000);
            EXPECT_EQ(part->arguments(slice).size(), 1U);
        }
}

TEST_F(TraceExcerpt, ArrowsLeadToTheSameSlices) {
    WrittenTrace text;
    // The arrow begins in `outer`, behind a child that has the same begin.
    text.slice("cpu_op", "outer", 1'000, 9'000, 1);
    text.slice("cpu_op", "child", 1'000, 2'000, 1);
    text.slice("kernel", "work", 20'000, 5'000, 7, R"({"device":0,"stream":7,"correlation":9})");
    text.slice("kernel", "far", 90'000, 5'000, 7, R"({"device":0,"stream":7,"correlation":10})");
    const auto arrow = [&](const char* phase, const char* id, int thread, int time) {
        text.event(fmt::format(R"({{"ph":"{}","id":{},"pid":1,"tid":{},"ts":{},"cat":"ac2g","name":"ac2g","bp":"e"}})",
                               phase, id, thread, time));
    };
    arrow("s", "7", 1, 5);
    arrow("f", "7", 7, 21);
    arrow("s", R"("0x8")", 1, 6);
    arrow("f", R"("0x8")", 7, 91);
    arrow("s", R"("07")", 1, 6);
    const RankSet set = read(text);
    ASSERT_EQ(set.ranks[0].trace->flows.size(), 2U) << "07 is not 7, and has no end";
    EXPECT_EQ(set.ranks[0].trace->reading.count(Entry::half_flow), 1U);
    const auto part = again(set, {0, 30'000});
    ASSERT_EQ(part->flows.size(), 1U) << "the other one ends outside";
    EXPECT_EQ(part->name(part->slices[part->flows[0].from]), "outer");
    EXPECT_EQ(part->name(part->slices[part->flows[0].to]), "work");
}

TEST_F(TraceExcerpt, WhatIsNoJsonBecomesIt) {
    WrittenTrace text;
    text.event(
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"bad\x01 \xff name\",\"pid\":\"a\\\"b\",\"tid\":\"x\",\"ts\":1,"
        "\"dur\":2,\"args\":{\"loss\":NaN,\"path\":\"C:\\dir\",\"k\":[1,]}}");
    const RankSet set = read(text);
    ASSERT_EQ(set.ranks[0].trace->slices.size(), 1U);
    const auto part = again(set, kWhole);
    ASSERT_EQ(part->slices.size(), 1U);
    EXPECT_EQ(part->reading.count(Entry::repaired), 0U);
    EXPECT_EQ(part->tracks[0].process, set.ranks[0].trace->tracks[0].process);
    const auto before = set.ranks[0].trace->arguments(set.ranks[0].trace->slices[0]);
    const auto after = part->arguments(part->slices[0]);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i)
        EXPECT_EQ(after[i].first, before[i].first);
}

TEST_F(TraceExcerpt, IsNotWrittenWhereItCannotBeWhole) {
    WrittenTrace text;
    for (int i = 0; i < 5'000; ++i)
        text.slice("cpu_op", "op", i * 1'000, 900);
    const RankSet set = read(text);
    const auto part = folder_.path() / "part.json";
    EXPECT_THROW(write_excerpt(set, {900'000'000, 900'000'001}, std::nullopt, part), UserError);
    EXPECT_TRUE(write_excerpt(set, kWhole, 0, part, [](double) { return false; }).empty());
    EXPECT_FALSE(fs::exists(part));
    EXPECT_FALSE(fs::exists(part.string() + ".part"));
    EXPECT_THROW(write_excerpt(set, kWhole, 0, folder_.path() / "no" / "part.json"), UserError);
    // Its text has gone.
    fs::resize_file(folder_.path() / "whole.json", 10);
    EXPECT_THROW(write_excerpt(set, kWhole, 0, part), UserError);
    EXPECT_FALSE(fs::exists(part));
}

TEST(TraceParent, IsFoundHoweverManySlicesLieBetween) {
    WrittenTrace text;
    constexpr int kChildren = 250'000;
    text.slice("cpu_op", "outer", 0, std::int64_t{kChildren} * 1'000 + 1'000);
    for (int i = 0; i < kChildren; ++i)
        text.slice("cpu_op", "child", i * 1'000 + 10, 900);
    test::TemporaryFolder folder;
    const auto trace = text.read(folder.path() / "trace.json");
    ASSERT_EQ(trace->slices.size(), std::size_t{kChildren} + 1);
    const auto parent = trace->parent(kChildren);
    ASSERT_TRUE(parent);
    EXPECT_EQ(trace->name(trace->slices[*parent]), "outer");
}

}  // namespace
}  // namespace trainyard::traces
