// SPDX-License-Identifier: GPL-3.0-or-later
// Texts become the ids, tokens, offsets and masks that the tokenizers library gives, and ids the same text again: every folder of the topic has a
// tokenizer.json and encodings.json.

#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/tokenizers/tokenizer.h"
#include "support/golden.h"

namespace trainyard::tokenizers {
namespace {

using nlohmann::json;

json offsets_of(const Encoding& encoding) {
    json offsets = json::array();
    for (const auto& [begin, end] : encoding.offsets)
        offsets.push_back({begin, end});
    return offsets;
}

/// Those of the fields that the case has.
void compare(const json& expected, const json& fields, const std::string& what) {
    for (auto field = fields.begin(); field != fields.end(); ++field)
        if (expected.contains(field.key())) {
            EXPECT_EQ(field.value(), expected.at(field.key())) << what << ": " << field.key();
        }
}

json pieces_of(const Encoding& encoding) {
    json pieces = json::array();
    for (const Encoding& piece : encoding.overflowing)
        pieces.push_back({{"ids", piece.ids}, {"attention_mask", piece.attention_mask}});
    return pieces;
}

class GoldenTokenizers : public testing::TestWithParam<std::string> {};

TEST_P(GoldenTokenizers, GiveTheSameTokens) {
    const std::filesystem::path folder = test::golden("tokenizers") / GetParam();
    Tokenizer tokenizer = Tokenizer::from_file(folder / "tokenizer.json");
    const json cases = json::parse(std::ifstream(folder / "encodings.json"));
    if (cases.contains("vocabulary_size")) {
        EXPECT_EQ(tokenizer.vocabulary_size(), cases.at("vocabulary_size").get<std::size_t>());
    }
    for (const json& one : cases.at("encodings")) {
        const std::string text = one.at("text").get<std::string>();
        const bool special = one.value("special", true);
        const Encoding encoding = tokenizer.encode(text, special);
        compare(one,
                {{"ids", encoding.ids},
                 {"tokens", encoding.tokens},
                 {"offsets", offsets_of(encoding)},
                 {"type_ids", encoding.type_ids},
                 {"special_mask", encoding.special_tokens_mask},
                 {"decoded", tokenizer.decode(encoding.ids, false)},
                 {"decoded_skip", tokenizer.decode(encoding.ids, true)}},
                one.at("text").dump());
        EXPECT_EQ(tokenizer.encode_ids(text, special), encoding.ids) << one.at("text").dump();
    }
    if (cases.contains("pair")) {
        const json& pair = cases.at("pair");
        const Encoding encoding =
            tokenizer.encode(pair.at("texts").at(0).get<std::string>(), pair.at("texts").at(1).get<std::string>());
        compare(pair, {{"ids", encoding.ids}, {"type_ids", encoding.type_ids}, {"offsets", offsets_of(encoding)}},
                "pair");
    }
    for (const json& one : cases.value("decode_only", json::array()))
        EXPECT_EQ(tokenizer.decode(one.at("ids").get<std::vector<Id>>(), false), one.at("decoded").get<std::string>())
            << one.at("ids");
    if (const char* key = "truncated_to_7_stride_2_padded_to_9"; cases.contains(key)) {
        Truncation truncation;
        truncation.max_length = 7;
        truncation.stride = 2;
        tokenizer.set_truncation(truncation);
        Padding padding;
        padding.length = 9;
        padding.id = 1;
        padding.token = tokenizer.token_of(1).value_or("");
        tokenizer.set_padding(padding);
        const Encoding encoding = tokenizer.encode(cases.at(key).at("text").get<std::string>());
        compare(
            cases.at(key),
            {{"ids", encoding.ids}, {"attention_mask", encoding.attention_mask}, {"overflowing", pieces_of(encoding)}},
            key);
    }
}

std::vector<std::string> folders() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(test::golden("tokenizers")))
        if (entry.is_directory())
            names.push_back(entry.path().filename().string());
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTokenizers, testing::ValuesIn(folders()), [](const auto& one) {
    std::string name = one.param;
    for (char& c : name)
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
});

}  // namespace
}  // namespace trainyard::tokenizers
