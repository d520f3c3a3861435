// SPDX-License-Identifier: GPL-3.0-or-later
// The bounds of JSON texts: brackets in strings do not count, neither up nor down.

#include "base/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/says.h"

namespace trainyard {
namespace {

std::string nested(int levels, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < levels; ++i)
        text += open;
    text += "1";
    for (int i = 0; i < levels; ++i)
        text += close;
    return text;
}

TEST(BoundedJson, DepthIsThatOfTheValues) {
    EXPECT_FALSE(read_json(nested(kMostJsonDepth, "[", "]")).is_discarded());
    EXPECT_TRUE(read_json(nested(kMostJsonDepth + 1, "[", "]")).is_discarded());
    EXPECT_TRUE(read_ordered_json(nested(kMostJsonDepth + 1, R"({"a":)", "}")).is_discarded());
    EXPECT_THROW(parse_json(nested(kMostJsonDepth + 1, "[", "]")), nlohmann::json::exception);
    EXPECT_THROW(parse_ordered_json(nested(kMostJsonDepth + 1, "[", "]")), nlohmann::json::exception);
}

TEST(BoundedJson, BracketsInStringsNeitherHideNorCount) {
    EXPECT_THAT(json_out_of_bounds(nested(30'000, R"({"}":)", "}")), test::says_only("nested deeper than 64 levels"));
    EXPECT_THAT(json_out_of_bounds(nested(30'000, R"({"\"}":)", "}")), test::says_only("nested deeper than 64 levels"));
    EXPECT_TRUE(read_json(nested(30'000, R"({"]}\\":)", "}")).is_discarded());
    const std::string text = R"(["[[[[)" + std::string(1000, '[') + R"(\"[["])";
    EXPECT_EQ(read_json(text).size(), 1u);
}

TEST(BoundedJson, CommentsHideNoBrackets) {
    EXPECT_EQ(read_json_with_comments("{ // it's \"a\n \"a\": 1 /* \" [[ */ }").at("a"), 1);
    EXPECT_TRUE(read_json_with_comments("// \"\n" + nested(1000, "[", "]")).is_discarded());
    EXPECT_TRUE(read_json("{} // no comments here").is_discarded());
}

TEST(BoundedJson, NumberOfValuesIsBounded) {
    std::string text(kMostJsonValues + 2, ',');
    text.front() = '[';
    EXPECT_THAT(json_out_of_bounds(text), test::says_only("of more than 8 million values"));
}

}  // namespace
}  // namespace trainyard
