// SPDX-License-Identifier: GPL-3.0-or-later
// Event files written by tensorboard and PyTorch (tests/golden/tb_events, created by generate/tb_events.py), compared
// with what tensorboard reads from them: checksums, all scalars of all files, histograms, images, texts and
// hyper-parameters, joined curves, damaged files.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/files/crc32c.h"
#include "formats/events/event_file.h"
#include "formats/events/scalar_folder.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/sha256.h"

namespace trainyard::events {
namespace {

using nlohmann::json;

const json& expected() {
    static const json parsed = json::parse(std::ifstream(test::golden("tb_events") / "expected.json"));
    return parsed;
}

double number(const json& value) {
    if (!value.is_string())
        return value.get<double>();
    return value == "nan" ? std::nan("") : value == "inf" ? HUGE_VAL : -HUGE_VAL;
}

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

using Curves = std::map<std::string, std::vector<CurvePoint>>;

void compare(const Curves& curves, const json& wanted) {
    ASSERT_EQ(curves.size(), wanted.size());
    for (const auto& [tag, points] : wanted.items()) {
        SCOPED_TRACE(tag);
        ASSERT_TRUE(curves.contains(tag));
        const std::vector<CurvePoint>& got = curves.at(tag);
        ASSERT_EQ(got.size(), points.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            EXPECT_EQ(got[i].step, points[i][0].get<std::int64_t>());
            EXPECT_TRUE(same(got[i].wall_time, number(points[i][1]))) << got[i].wall_time;
            EXPECT_TRUE(same(got[i].value, number(points[i][2]))) << i << ": " << got[i].value;
        }
    }
}

Curves read_all(EventFileReader& reader, std::uint64_t limit) {
    Curves curves;
    for (std::uint64_t before = ~0ull; before != reader.position();) {
        before = reader.position();
        for (const Scalar& scalar : reader.poll(limit))
            curves[scalar.tag].push_back({scalar.step, scalar.wall_time, scalar.value});
    }
    return curves;
}

TEST(GoldenTbEvents, Checksums) {
    ASSERT_FALSE(expected()["crc32c"].empty());
    for (const json& row : expected()["crc32c"]) {
        std::string hex = row["hex"], bytes;
        for (std::size_t i = 0; i < hex.size(); i += 2)
            bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        EXPECT_EQ(files::masked_crc32c(bytes), row["masked"].get<std::uint32_t>()) << hex;
    }
}

TEST(GoldenTbEvents, EveryScalarOfEveryFile) {
    ASSERT_FALSE(expected()["runs"].empty());
    for (const auto& [name, wanted] : expected()["runs"].items()) {
        SCOPED_TRACE(name);
        // At once, and in pieces that end inside records.
        for (std::uint64_t limit : {64ull << 20, 100ull}) {
            EventFileReader reader(test::golden("tb_events") / "runs" / name);
            compare(read_all(reader, limit), wanted["scalars"]);
            EXPECT_EQ(reader.records(), wanted["records"].get<std::uint64_t>());
            EXPECT_EQ(reader.problem(), "");
        }
    }
}

void compare_histogram(const Histogram& got, const json& wanted) {
    EXPECT_TRUE(same(got.min, number(wanted["min"])));
    EXPECT_TRUE(same(got.max, number(wanted["max"])));
    EXPECT_TRUE(same(got.num, number(wanted["num"])));
    EXPECT_TRUE(same(got.sum, number(wanted["sum"])));
    EXPECT_TRUE(same(got.sum_squares, number(wanted["sum_squares"])));
    EXPECT_EQ(got.limits, wanted["bucket_limit"].get<std::vector<double>>());
    EXPECT_EQ(got.counts, wanted["bucket"].get<std::vector<double>>());
    // As displayed: every value is in a bucket, and buckets are contiguous.
    const Buckets shown = buckets_of(got);
    ASSERT_EQ(shown.limits.size(), shown.counts.size() + 1);
    EXPECT_TRUE(std::is_sorted(shown.limits.begin(), shown.limits.end()));
    EXPECT_EQ(std::accumulate(shown.counts.begin(), shown.counts.end(), 0.0), got.num);
    EXPECT_LE(shown.limits.front(), got.min);
    EXPECT_GE(shown.limits.back(), got.max);
}

const MediaValue* medium(const EventRecord& record, const std::string& tag) {
    for (const MediaValue& value : record.media)
        if (value.tag == tag)
            return &value;
    return nullptr;
}

void compare_value(const EventRecord& record, const json& wanted, const std::string& bytes_of_file,
                   std::string_view payload, std::uint64_t at) {
    const std::string tag = wanted["tag"];
    if (wanted.contains("scalar")) {
        ASSERT_EQ(record.scalars.size(), 1u);
        EXPECT_EQ(record.scalars[0].first, tag);
        EXPECT_TRUE(same(record.scalars[0].second, number(wanted["scalar"])));
    } else if (wanted.contains("histogram")) {
        const MediaValue* value = medium(record, tag);
        ASSERT_NE(value, nullptr);
        compare_histogram(std::get<Histogram>(value->value), wanted["histogram"]);
    } else if (wanted.contains("image")) {
        const MediaValue* value = medium(record, tag);
        ASSERT_NE(value, nullptr);
        const auto& image = std::get<EncodedImage>(value->value);
        EXPECT_EQ(image.width, wanted["image"]["width"].get<int>());
        EXPECT_EQ(image.height, wanted["image"]["height"].get<int>());
        EXPECT_EQ(image.bytes.size(), wanted["image"]["bytes"].get<std::size_t>());
        // The user interface reads it from this offset of the file.
        const std::string taken = bytes_of_file.substr(
            at + static_cast<std::uint64_t>(image.bytes.data() - payload.data()), image.bytes.size());
        EXPECT_EQ(test::sha256(std::as_bytes(std::span(taken))), wanted["image"]["sha256"].get<std::string>());
    } else if (wanted.contains("text") && wanted["text"].is_array()) {
        const MediaValue* value = medium(record, tag);
        ASSERT_NE(value, nullptr);
        std::string joined;
        for (const json& part : wanted["text"])
            joined += (joined.empty() ? "" : "\n") + part.get<std::string>();
        EXPECT_EQ(std::get<std::string>(value->value), joined);
    } else if (wanted.contains("hparams")) {
        EXPECT_TRUE(record.media.empty());
        EXPECT_EQ(record.skipped, 0u);
        std::map<std::string, json> given;
        for (const auto& [name, parameter] : record.parameters)
            std::visit([&](const auto& known) { given[name] = known; }, parameter);
        EXPECT_EQ(json(given), wanted.contains("values") ? wanted["values"] : json::object());
        EXPECT_EQ(!record.metrics.empty(), wanted["hparams"] == "experiment");
    } else {
        EXPECT_EQ(record.skipped, 1u) << "a plugin's tensor that nobody here shows";
        EXPECT_TRUE(record.scalars.empty());
    }
}

TEST(GoldenTbEvents, EveryKindOfEveryFile) {
    std::map<std::string, int> kinds;
    for (const auto& [name, wanted] : expected()["runs"].items()) {
        SCOPED_TRACE(name);
        const std::filesystem::path path = test::golden("tb_events") / "runs" / name;
        const std::string bytes = read_file(path);
        std::map<std::uint64_t, json> by_offset;
        for (const json& event : wanted["events"])
            by_offset[event["offset"].get<std::uint64_t>()] = event;
        std::size_t met = 0;
        EventFileReader reader(path);
        reader.poll([&](const EventRecord& record, std::string_view payload, std::uint64_t at) {
            const auto event = by_offset.find(at - 12);
            if (event == by_offset.end())
                return;
            ++met;
            SCOPED_TRACE(event->first);
            const json& one = event->second;
            EXPECT_EQ(payload.size(), one["length"].get<std::size_t>());
            EXPECT_EQ(record.step, one["step"].get<std::int64_t>());
            EXPECT_TRUE(same(record.wall_time, number(one["wall_time"])));
            EXPECT_EQ(record.file_version, one.value("file_version", ""));
            EXPECT_EQ(record.restart, one.value("session_status", 0) == 1);
            for (const json& value : one.value("values", json::array())) {
                compare_value(record, value, bytes, payload, at);
                for (const char* kind : {"scalar", "histogram", "image", "text", "hparams", "tensor"})
                    kinds[kind] += value.contains(kind) ? 1 : 0;
            }
        });
        EXPECT_EQ(met, by_offset.size());
    }
    for (const char* kind : {"scalar", "histogram", "image", "text", "hparams", "tensor"})
        EXPECT_GT(kinds[kind], 0) << kind;
}

TEST(GoldenTbEvents, FoldersAsTensorBoardShowsThem) {
    ASSERT_FALSE(expected()["shown"].empty());
    for (const auto& [name, wanted] : expected()["shown"].items()) {
        SCOPED_TRACE(name);
        ScalarFolder folder(test::golden("tb_events") / "runs" / name);
        EXPECT_TRUE(folder.poll());
        compare(folder.curves(), wanted);
        EXPECT_FALSE(folder.poll());
    }
}

TEST(GoldenTbEvents, DamagedFiles) {
    ASSERT_FALSE(expected()["damaged"].empty());
    for (const auto& [name, wanted] : expected()["damaged"].items()) {
        SCOPED_TRACE(name);
        EventFileReader reader(test::golden("tb_events") / "damaged" / name);
        Curves curves = read_all(reader, 64ull << 20);
        EXPECT_EQ(reader.records(), wanted["readable_records"].get<std::uint64_t>());
        EXPECT_EQ(reader.records() - reader.undecodable(), wanted["decodable_records"].get<std::uint64_t>());
        EXPECT_EQ(reader.position(), wanted["stops_at_byte"].get<std::uint64_t>());
        for (const auto& [tag, count] : wanted["scalars"].items())
            EXPECT_EQ(curves[tag].size(), count.get<std::size_t>()) << tag;
        // An incomplete tail may still be completed; a wrong checksum is reported with its offset.
        const json& why = wanted["stops_because"];
        if (why.is_null() || wanted["more_may_come"].get<bool>()) {
            EXPECT_EQ(reader.problem(), "");
        } else {
            EXPECT_NE(reader.problem().text().find(why.get<std::string>()), std::string::npos) << reader.problem();
            EXPECT_THAT(reader.problem().text(),
                        test::says("{} is damaged at byte {} ({}): what follows cannot be read", testing::_,
                                   testing::StartsWith(wanted["stops_at_byte"].dump()), testing::_));
            EXPECT_NE(reader.problem().text().find(name), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace trainyard::events
