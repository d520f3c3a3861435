// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer.json that cannot be used is refused in one sentence that names the part; texts that are not UTF-8 are, too.

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "formats/tokenizers/tokenizer.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::tokenizers {
namespace {

using nlohmann::json;
using test::says;
using test::says_only;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;

json usual() {
    return json::parse(read_file(test::own_golden("tokenizers") / "gpt2_bpe" / "tokenizer.json"));
}

std::string refusal(const json& file) {
    try {
        Tokenizer::from_json(file.dump(), "mine.json");
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(TokenizerFiles, WhatIsWrongIsNamed) {
    const auto with = [](const json::json_pointer& place, const json& value) {
        json file = usual();
        file[place] = value;
        return refusal(file);
    };
    using P = json::json_pointer;
    EXPECT_THAT(with(P("/normalizer"), {{"type", "Shout"}}),
                says_only("{}: the normalizer '{}' is not known", "mine.json: normalizer", "Shout"));
    EXPECT_THAT(with(P("/pre_tokenizer"), {{"type", "Guess"}}),
                says_only("{}: the pre-tokenizer '{}' is not known", "mine.json: pre_tokenizer", "Guess"));
    EXPECT_THAT(with(P("/decoder"), {{"type", 3}}),
                says_only("{}: '{}' must be {}", "mine.json: decoder", "type", "text"));
    EXPECT_THAT(with(P("/post_processor"), json::array()),
                says_only("{} must be an object with a 'type'", "mine.json: post_processor"));
    EXPECT_THAT(with(P("/model/type"), "Markov"),
                says("{}.type '{}' is not known: it is BPE, Unigram, WordPiece or WordLevel",
                     EndsWith("mine.json: model"), "Markov"));
    EXPECT_THAT(with(P("/model/dropout"), 0.1),
                says("{}.dropout gives other tokens at each use, which Trainyard does not do: set it to null",
                     EndsWith("mine.json: model")));
    EXPECT_THAT(with(P("/model/merges/0"), {"a", "nowhere"}),
                says("{}: merge {} of '{}' and '{}' needs the token '{}', which the vocabulary lacks", _, 0, "a",
                     "nowhere", _));
    EXPECT_THAT(with(P("/model/merges/0"), "three of them"),
                says("{}.merges: entry {} must be two tokens, as a list or with one blank between them",
                     EndsWith("mine.json: model"), 0));
    EXPECT_THAT(with(P("/model/vocab"), json::array()),
                says("{} must be an object of tokens and their ids", EndsWith("mine.json: model.vocab")));
    EXPECT_THAT(with(P("/model/vocab/new"), -1),
                says("{}: the id of '{}' must be a number from 0 to 268435455", _, "new"));
    EXPECT_THAT(with(P("/added_tokens/0"), "text"),
                says("{} must be an object", EndsWith("mine.json: added_tokens[0]")));
    EXPECT_THAT(with(P("/truncation"), {{"max_length", -1}}),
                HasSubstr("mine.json: truncation: 'max_length' must be a number from 0"));
    EXPECT_THAT(
        with(P("/pre_tokenizer"), {{"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}}),
        says("{}.pattern: {}", EndsWith("mine.json: pre_tokenizer"),
             says("the regular expression '{}' cannot be used: {} (at character {})", "(a", _, _).at_start()));
    EXPECT_THAT(with(P("/normalizer"), {{"type", "Precompiled"}, {"precompiled_charsmap", "/////w=="}}),
                says("{} is damaged: its trie is said to be longer than it is", _));
    EXPECT_THAT(refusal(json::array()),
                says("{} must be an object with a 'model': is this a tokenizer.json?", EndsWith("mine.json")));
    EXPECT_THROW(Tokenizer::from_json("{", "mine.json"), UserError);
}

TEST(TokenizerFiles, EncodingsAndLineEndsOfFiles) {
    test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "tokenizer.json";
    const std::string text = usual().dump(2, ' ', false);
    const std::vector<Id> expected = Tokenizer::from_json(text).encode_ids("a text, gr\xc3\xbc\xc3\x9f");
    const auto with_line_ends = [&](const std::string& end) {
        std::string changed;
        for (const char letter : text)
            changed += letter == '\n' ? end : std::string(1, letter);
        return changed;
    };
    const auto read = [&](const std::string& content) {
        write_file_atomically(path, content);
        return Tokenizer::from_file(path).encode_ids("a text, gr\xc3\xbc\xc3\x9f");
    };
    EXPECT_EQ(read("\xef\xbb\xbf" + text), expected);
    EXPECT_EQ(read(with_line_ends("\r")), expected);
    EXPECT_EQ(read("\xef\xbb\xbf" + with_line_ends("\r\n")), expected);
    std::string wide = "\xff\xfe", latin = text;
    for (const char letter : text)
        wide += {letter, '\0'};
    latin.insert(latin.find('"') + 1, "\xe9");
    for (const auto& [content, reason] : {std::pair(wide, "the text is UTF-16"), {latin, "(0xe9) is not valid UTF-8"}})
        EXPECT_THAT([&] { read(content); },
                    testing::ThrowsMessage<UserError>(testing::AllOf(HasSubstr(path.string()), HasSubstr(reason))));
}

TEST(TokenizerFiles, TextMustBeUtf8) {
    const Tokenizer tokenizer = Tokenizer::from_json(usual().dump());
    for (const std::string bad : {"ab\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "cut \xe2\x82"})
        EXPECT_THROW(tokenizer.encode(bad), UserError) << bad;
    EXPECT_THAT([&] { tokenizer.encode("ab\xff"); },
                testing::ThrowsMessage<UserError>(testing::StrEq("the text is not UTF-8: byte 2 is 0xff")));
}

TEST(TokenizerFiles, AVocabularyWithoutTheUnknownTokenSaysSo) {
    const json model = {{"type", "WordPiece"}, {"vocab", {{"a", 0}}}, {"unk_token", "[UNK]"}};
    const Tokenizer tokenizer = Tokenizer::from_json(json{{"model", model}}.dump());
    EXPECT_EQ(tokenizer.encode_ids("a"), std::vector<Id>{0});
    const json gaps = {{"type", "WordLevel"}, {"vocab", {{"a", 0}, {"b", 9}}}, {"unk_token", "a"}};
    EXPECT_EQ(Tokenizer::from_json(json{{"model", gaps}}.dump()).vocabulary_size(), 2u);
    EXPECT_EQ(Tokenizer::from_json(json{{"model", gaps}}.dump()).id_end(), 10u);
    EXPECT_THROW(tokenizer.encode_ids("b"), UserError);
}

TEST(TokenizerFiles, SeveralThreadsUseOneTokenizer) {
    const Tokenizer tokenizer = Tokenizer::from_json(usual().dump());
    const std::vector<Id> expected = tokenizer.encode_ids("The train leaves the station");
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (int& own : wrong)
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i)
                own += tokenizer.encode_ids("The train leaves the station") == expected ? 0 : 1;
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_THAT(wrong, testing::Each(0));
}

}  // namespace
}  // namespace trainyard::tokenizers
