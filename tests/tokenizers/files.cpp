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
#include "support/temporary_folder.h"

namespace trainyard::tokenizers {
namespace {

using nlohmann::json;
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
    EXPECT_EQ(with(P("/normalizer"), {{"type", "Shout"}}),
              "mine.json: normalizer: the normalizer 'Shout' is not known");
    EXPECT_EQ(with(P("/pre_tokenizer"), {{"type", "Guess"}}),
              "mine.json: pre_tokenizer: the pre-tokenizer 'Guess' is not known");
    EXPECT_EQ(with(P("/decoder"), {{"type", 3}}), "mine.json: decoder: 'type' must be text");
    EXPECT_EQ(with(P("/post_processor"), json::array()), "mine.json: post_processor must be an object with a 'type'");
    EXPECT_THAT(with(P("/model/type"), "Markov"), HasSubstr("mine.json: model.type 'Markov' is not known"));
    EXPECT_THAT(with(P("/model/dropout"), 0.1), HasSubstr("mine.json: model.dropout gives other tokens at each use"));
    EXPECT_THAT(with(P("/model/merges/0"), {"a", "nowhere"}),
                HasSubstr("merge 0 of 'a' and 'nowhere' needs the token"));
    EXPECT_THAT(with(P("/model/merges/0"), "three of them"),
                HasSubstr("mine.json: model.merges: entry 0 must be two tokens"));
    EXPECT_THAT(with(P("/model/vocab"), json::array()), HasSubstr("mine.json: model.vocab must be an object"));
    EXPECT_THAT(with(P("/model/vocab/new"), -1), HasSubstr("the id of 'new' must be a number from 0"));
    EXPECT_THAT(with(P("/added_tokens/0"), "text"), HasSubstr("mine.json: added_tokens[0] must be an object"));
    EXPECT_THAT(with(P("/truncation"), {{"max_length", -1}}),
                HasSubstr("mine.json: truncation: 'max_length' must be a number from 0"));
    EXPECT_THAT(
        with(P("/pre_tokenizer"), {{"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}}),
        HasSubstr("mine.json: pre_tokenizer.pattern: the regular expression '(a' cannot be used"));
    EXPECT_THAT(with(P("/normalizer"), {{"type", "Precompiled"}, {"precompiled_charsmap", "/////w=="}}),
                HasSubstr("is damaged"));
    EXPECT_THAT(refusal(json::array()), HasSubstr("mine.json must be an object with a 'model'"));
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
