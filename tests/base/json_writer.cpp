// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_writer.h"

#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;

std::string written_by_library(const Json& value, int indent = -1, bool ascii = false) {
    return value.dump(indent, ' ', ascii, Json::error_handler_t::replace);
}

Json random_value(std::mt19937_64& random, int depth) {
    switch (random() % (depth > 3 ? 7 : 9)) {
        case 0:
            return nullptr;
        case 1:
            return random() % 2 == 0;
        case 2:
            return static_cast<std::int64_t>(random());
        case 3:
            return random();
        case 4: {
            double number = 0;
            const std::uint64_t bits = random();
            std::memcpy(&number, &bits, sizeof number);
            return number;
        }
        case 5:
            return static_cast<double>(static_cast<std::int64_t>(random() % 20001) - 10000) / 100;
        case 6: {
            std::string text(random() % 12, ' ');
            for (char& byte : text)
                byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 128);
            return text;
        }
        case 7: {
            Json list = Json::array();
            for (std::size_t i = random() % 4; i > 0; --i)
                list.push_back(random_value(random, depth + 1));
            return list;
        }
        default: {
            Json table = Json::object();
            for (std::size_t i = random() % 4; i > 0; --i)
                table["k\n" + std::to_string(random() % 100)] = random_value(random, depth + 1);
            return table;
        }
    }
}

TEST(JsonWriter, WritesWhatTheLibraryWrites) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 20'000; ++round) {
        const Json value = random_value(random, 0);
        ASSERT_EQ(json_text(value), written_by_library(value));
        ASSERT_EQ(json_text(value, {.indent = 2}), written_by_library(value, 2));
        ASSERT_EQ(json_text(value, {.indent = 2, .characters = JsonText::ascii}), written_by_library(value, 2, true));
    }
}

TEST(JsonWriter, BytesThatAreNotUtf8AreReplacedAsTheLibraryDoes) {
    std::mt19937_64 random(5);
    constexpr unsigned char kNear[] = {0x00, 0x1f, 0x20, '"',  '\\', 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0,
                                       0xa0, 0xed, 0x9f, 0xef, 0xf0, 0x90, 0xf4, 0x8f, 0xf5, 0xff, 'a',  0xe2};
    for (int round = 0; round < 100'000; ++round) {
        std::string text(random() % 10, ' ');
        for (char& byte : text)
            byte = static_cast<char>(kNear[random() % sizeof kNear]);
        ASSERT_EQ(quoted_json(text), written_by_library(text));
        ASSERT_EQ(quoted_json(text, JsonText::ascii), written_by_library(text, -1, true));
    }
}

TEST(JsonWriter, PiecesAreSeparated) {
    JsonWriter out;
    out.begin_object();
    out.key("a");
    out.begin_array();
    out.number(std::int64_t{-1});
    out.number(0.25);
    out.begin_object();
    out.end_object();
    out.end_array();
    out.key("b");
    out.null();
    out.key("c");
    out.value(Json{{"d", "e"}});
    out.end_object();
    EXPECT_EQ(out.written(), R"({"a":[-1,0.25,{}],"b":null,"c":{"d":"e"}})");
}

TEST(JsonWriter, NumbersThatJsonDoesNotHaveAreNull) {
    EXPECT_EQ(json_text(Json(std::numeric_limits<double>::infinity())), "null");
    EXPECT_EQ(json_text(Json(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(JsonWriter, TheOrderOfATableIsKept) {
    EXPECT_EQ(json_text(parse_ordered_json(R"({"b":1,"a":[]})"), {.indent = 1}), "{\n \"b\": 1,\n \"a\": []\n}");
}

}  // namespace
}  // namespace trainyard
