// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with malformed traces from a generator that returns the expected content: for every seed, plain or compressed,
// complete or truncated, each entry must be placed or counted.

#include <array>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/file.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

struct Hostile {
    std::vector<std::string> entries;
    std::array<std::uint64_t, kEntryKinds> counts{};
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> slices;  ///< begin and duration by name
    std::size_t placed = 0;                                               ///< slices in all

    void add(std::string text, std::initializer_list<Entry> kinds) {
        entries.push_back(std::move(text));
        for (const Entry kind : kinds)
            ++counts[static_cast<std::size_t>(kind)];
    }
};

Hostile hostile(std::uint64_t seed, std::size_t entries) {
    Hostile made;
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };

    for (std::size_t i = 0; i < entries; ++i) {
        const std::string name = fmt::format("op {}", i);
        const std::int64_t begin = below(5'000'000'000) - 1'000'000'000;
        const std::int64_t took = below(below(3) == 0 ? 2'000'000'000 : 50'000);
        const std::string place = fmt::format(R"("pid":1,"tid":{})", below(4));
        const std::string own = fmt::format(R"("pid":2,"tid":{})", i);  // a thread of its own
        const auto whole = [&](std::string_view named, std::string_view extra = "") {
            return fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"{}",{},"ts":{},"dur":{}{}}})", named, place,
                               written_micros(begin), written_micros(took), extra);
        };
        const auto placed = [&](std::int64_t duration) {
            made.slices[name] = {begin, duration};
            ++made.placed;
        };
        switch (below(24)) {
            case 0:
                made.add(fmt::format(R"({{"ph":"X","name":"a",{},"dur":1}})", place), {Entry::no_time});
                break;
            case 1:
                made.add(fmt::format(R"({{"ph":"X","name":"a",{},"ts":1e300,"dur":1}})", place),
                         {Entry::time_out_of_range});
                break;
            case 2:
                made.add(fmt::format(R"({{"ph":"Q","name":"a",{},"ts":1}})", place), {Entry::unknown_phase});
                break;
            case 3:
                made.add(fmt::format(R"({{"name":"a",{},"ts":1}})", place), {Entry::no_phase});
                break;
            case 4:
                made.add(below(2) == 0 ? R"("a text } , ]")" : "[1,[2,{}]]", {Entry::not_an_object});
                break;
            case 5:
                made.add(fmt::format(R"({{"ph":"X","name":"{}",{},"ts":{},"dur":-{}}})", name, place,
                                     written_micros(begin), written_micros(took + 1)),
                         {Entry::complete, Entry::negative_duration});
                placed(0);
                break;
            case 6:
                made.add(fmt::format(R"({{"ph":"X","name":"{}",{},"ts":{}}})", name, place, written_micros(begin)),
                         {Entry::complete, Entry::no_duration});
                placed(0);
                break;
            case 7:
                made.add(fmt::format(R"({{"ph":"X","name":"{}",{},"ts":"{}","dur":"{}"}})", name, place,
                                     written_micros(begin), written_micros(took)),
                         {Entry::complete, Entry::quoted_number});
                placed(took);
                break;
            case 8:
                made.add(
                    fmt::format(R"({{"ph":"i","name":"{}",{},"ts":{},"s":"t"}})", name, place, written_micros(begin)),
                    {Entry::instant});
                placed(0);
                break;
            case 9:
                made.add(fmt::format(R"({{"ph":"C","name":"c","pid":1,"ts":{},"args":{{"bytes":{}}}}})",
                                     written_micros(begin), took),
                         {Entry::counter});
                break;
            case 10:
                made.add(R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}})",
                         {Entry::metadata});
                break;
            case 11:
                made.add(fmt::format(R"({{"ph":"E","name":"a",{},"ts":{}}})", own, written_micros(begin)),
                         {Entry::end, Entry::end_without_begin});
                break;
            case 12:
                made.add(fmt::format(R"({{"ph":"B","name":"open {}",{},"ts":{}}})", i, own, written_micros(begin)),
                         {Entry::begin, Entry::begin_without_end});
                ++made.placed;
                break;
            case 13:
                made.add(fmt::format(R"({{"ph":"B","name":"{}",{},"ts":{}}})", name, own, written_micros(begin)),
                         {Entry::begin});
                made.add(fmt::format(R"({{"ph":"E",{},"ts":{}}})", own, written_micros(begin + took)), {Entry::end});
                placed(took);
                break;
            case 14:
                made.add(fmt::format(R"({{"ph":"s","cat":"ac2g","name":"a","id":{},{},"ts":{}}})", i, place,
                                     written_micros(begin)),
                         {Entry::flow, Entry::half_flow});
                break;
            case 15:
                made.add(fmt::format(R"({{"ph":"X","ts":1,"name":"first","dur":2,"name":"{}",{},"ts":{},"dur":{}}})",
                                     name, place, written_micros(begin), written_micros(took)),
                         {Entry::complete});
                placed(took);
                break;
            case 16:
                made.add(whole(name + "\x01"), {Entry::complete, Entry::repaired});
                ++made.placed;
                break;
            case 17:
                made.add(whole(name + "\xff\xc3"), {Entry::complete, Entry::repaired});
                ++made.placed;
                break;
            case 18:
                made.add(whole(name, ","), {Entry::complete, Entry::repaired});
                placed(took);
                break;
            case 19:
                made.add(
                    whole(name, R"(,"args":{"Input Dims":[[1,2],[]],"text":"}]\"","deep":{"deep":{"deep":[[[{}]]]}}})"),
                    {Entry::complete});
                placed(took);
                break;
            default:
                made.add(whole(name), {Entry::complete});
                placed(took);
        }
    }
    return made;
}

std::string text_of(const Hostile& made, std::vector<std::size_t>* ends = nullptr) {
    std::string text = R"({"schemaVersion":1,"traceEvents":[)";
    for (std::size_t i = 0; i < made.entries.size(); ++i) {
        text += (i > 0 ? ",\n" : "\n") + made.entries[i];
        if (ends != nullptr)
            ends->push_back(text.size());
    }
    return text + "\n]}";
}

std::string gzipped(const std::string& text, const std::filesystem::path& file) {
    gzFile out = gzopen(file.c_str(), "wb");
    EXPECT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(out);
    return file;
}

std::string zstandard(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), 0);
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

void expect_all(const Trace& trace, const Hostile& made) {
    EXPECT_EQ(trace.reading.entries, made.entries.size());
    EXPECT_EQ(trace.reading.counts, made.counts);
    EXPECT_FALSE(trace.reading.ended_early) << testing::PrintToString(trace.reading.problems);
    EXPECT_EQ(trace.slices.size(), made.placed);
    std::size_t found = 0, of_tracks = 0;
    for (const Track& track : trace.tracks) {
        std::map<std::uint16_t, std::int64_t> ends;  // by row: slices of a row must not overlap
        of_tracks += track.count;
        for (const Slice& slice : trace.slices_of(track)) {
            if (const auto last = ends.find(slice.row); last != ends.end()) {
                EXPECT_GE(slice.begin, last->second) << trace.name(slice);
            }
            EXPECT_LT(slice.row, track.rows);
            ends[slice.row] = slice.end();
            const auto known = made.slices.find(std::string(trace.name(slice)));
            if (known == made.slices.end())
                continue;
            ++found;
            EXPECT_EQ(slice.begin, known->second.first) << known->first;
            EXPECT_EQ(slice.duration, known->second.second) << known->first;
        }
    }
    EXPECT_EQ(found, made.slices.size());
    EXPECT_EQ(of_tracks, trace.slices.size());
}

TEST(HostileTraces, EveryEntryIsPlacedOrCounted) {
    test::TemporaryFolder folder;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        const Hostile made = hostile(seed, 50 * seed * seed);
        const std::string text = text_of(made);
        write_file_atomically(folder.path() / "plain.json", text, false);
        write_file_atomically(folder.path() / "trace.json.zst", zstandard(text), false);
        for (const std::filesystem::path& file :
             {folder.path() / "plain.json", folder.path() / "trace.json.zst",
              std::filesystem::path(gzipped(text, folder.path() / "trace.json.gz"))})
            expect_all(*read_trace(file), made);
    }
}

TEST(HostileTraces, ACutOneIsShownUpToItsEndAndTheEndIsNamed) {
    test::TemporaryFolder folder;
    std::mt19937_64 random(3);
    const Hostile made = hostile(7, 400);
    std::vector<std::size_t> ends;
    const std::string text = text_of(made, &ends);
    const std::size_t first = text.find("[") + 1;
    for (int round = 0; round < 300; ++round) {
        const std::size_t cut = first + random() % (text.size() - first);
        SCOPED_TRACE(cut);
        write_file_atomically(folder.path() / "cut.json", std::string_view(text).substr(0, cut), false);
        const auto trace = read_trace(folder.path() / "cut.json");
        const auto whole = std::count_if(ends.begin(), ends.end(), [cut](std::size_t end) { return end <= cut; });
        EXPECT_EQ(trace->reading.entries, static_cast<std::uint64_t>(whole));
        EXPECT_TRUE(trace->reading.ended_early);
        ASSERT_FALSE(trace->reading.problems.empty());
        EXPECT_THAT(trace->reading.problems[0], testing::HasSubstr("line "));
    }
}

}  // namespace
}  // namespace trainyard::traces
