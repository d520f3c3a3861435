// Event files written by tensorboard and PyTorch (tests/golden/tb_events, made by generate/tb_events.py) against what
// tensorboard itself reads from them: checksums, every scalar of every file, joined curves, damaged files.
// Taken by kind: scalars in all their forms. Values of other kinds (histograms, images, text, hparams) must not disturb and are
// compared when the product shows them.

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/event_file.h"
#include "io/scalar_folder.h"
#include "support/golden.h"

namespace trainyard::io {
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
        EXPECT_EQ(masked_crc32c(bytes), row["masked"].get<std::uint32_t>()) << hex;
    }
}

TEST(GoldenTbEvents, EveryScalarOfEveryFile) {
    ASSERT_FALSE(expected()["runs"].empty());
    for (const auto& [name, wanted] : expected()["runs"].items()) {
        SCOPED_TRACE(name);
        // In one piece, and in pieces that end inside of records.
        for (std::uint64_t limit : {64ull << 20, 100ull}) {
            EventFileReader reader(test::golden("tb_events") / "runs" / name);
            compare(read_all(reader, limit), wanted["scalars"]);
            EXPECT_EQ(reader.records(), wanted["records"].get<std::uint64_t>());
            EXPECT_EQ(reader.problem(), "");
        }
    }
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
        // A tail that may still come is waited for; a wrong checksum is told with its place.
        const json& why = wanted["stops_because"];
        if (why.is_null() || wanted["more_may_come"].get<bool>()) {
            EXPECT_EQ(reader.problem(), "");
        } else {
            EXPECT_NE(reader.problem().find(why.get<std::string>()), std::string::npos) << reader.problem();
            EXPECT_NE(reader.problem().find("at byte " + wanted["stops_at_byte"].dump()), std::string::npos);
            EXPECT_NE(reader.problem().find(name), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace trainyard::io
