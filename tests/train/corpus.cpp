// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of data that a recipe may name, as samples.

#include "train/corpus.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "formats/tokenizers/bpe_trainer.h"
#include "formats/tokenizers/tokenizer.h"
#include "models/nn/kernels/cross_entropy.h"
#include "support/megatron_writer.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/write_npy.h"

namespace trainyard::train {
namespace {

using test::says;
using testing::_;
using testing::StartsWith;

class CorpusOf : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;

    config::DataRecipe recipe(const std::string& format, const std::string& file, std::int64_t length = 4) {
        config::DataRecipe data;
        data.format = find_choice<config::DataFormat>(format).value();
        data.paths = {(folder_.path() / file).string()};
        data.sequence_length = length;
        data.validation_fraction = 0;
        return data;
    }
    void write(const std::string& file, const std::string& text) { std::ofstream(folder_.path() / file) << text; }

    struct Sample {
        std::vector<std::int64_t> tokens, labels;
    };
    static Sample sample(const Corpus& corpus, std::int64_t index, std::size_t length, bool held_out = false) {
        Sample result{std::vector<std::int64_t>(length), std::vector<std::int64_t>(corpus.has_labels() ? length : 0)};
        corpus.copy(held_out, index, result.tokens, result.labels);
        return result;
    }
    static std::string text(const Corpus& corpus, std::int64_t index, std::size_t length) {
        std::string result;
        for (std::int64_t token : sample(corpus, index, length).tokens)
            result += static_cast<char>(token);
        return result;
    }
    static std::string refusal(const config::DataRecipe& data, std::int64_t vocabulary = 256) {
        try {
            open_corpus(data, vocabulary);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(CorpusOf, TextsOfTablesArePackedWithANewlineBetween) {
    write("a.jsonl",
          "{\"id\": 1, \"text\": \"abc\"}\n{\"id\": 2, \"text\": \"defgh\"}\n{\"id\": 3, \"text\": \"i\"}\n");
    write("a.csv", "id,text\n1,abc\n2,defgh\n3,i\n");
    write("a.txt", "abc\ndefgh\ni\n");
    for (auto [format, file] : {std::pair("jsonl", "a.jsonl"), std::pair("csv", "a.csv"), std::pair("text", "a.txt")}) {
        auto corpus = open_corpus(recipe(format, file), 256);
        ASSERT_EQ(corpus->training_samples(), 3) << format;
        EXPECT_EQ(text(*corpus, 0, 4), "abc\n") << format;
        EXPECT_EQ(text(*corpus, 1, 4), "defg") << format;
        EXPECT_EQ(text(*corpus, 2, 4), "h\ni\n") << format;
        EXPECT_FALSE(corpus->has_labels());
    }
}

TEST_F(CorpusOf, OneDocumentASampleIsCutOrFilledUp) {
    write("a.jsonl", "{\"text\": \"abcdefg\"}\n{\"text\": \"x\"}\n{\"text\": \"yz\"}\n");
    config::DataRecipe data = recipe("jsonl", "a.jsonl");
    data.pack = false;
    data.validation_fraction = 0.3;
    auto corpus = open_corpus(data, 256);
    EXPECT_EQ(corpus->training_samples(), 2);
    EXPECT_EQ(corpus->validation_samples(), 1);
    EXPECT_EQ(sample(*corpus, 0, 4).labels, (std::vector<std::int64_t>{'a', 'b', 'c', 'd'}));
    Sample second = sample(*corpus, 1, 4);
    EXPECT_EQ(second.tokens, (std::vector<std::int64_t>{'x', '\n', 0, 0}));
    EXPECT_EQ(second.labels, (std::vector<std::int64_t>{'x', '\n', models::kIgnoredLabel, models::kIgnoredLabel}));
    EXPECT_EQ(sample(*corpus, 0, 4, true).tokens, (std::vector<std::int64_t>{'y', 'z', '\n', 0}));
}

TEST_F(CorpusOf, NumbersAreTokens) {
    std::vector<std::int32_t> tokens{5, 6, 7, 8, 300, 10};
    std::int64_t flat[] = {6}, blocks[] = {2, 3};
    test::write_npy(folder_.path() / "flat.npy", "<i4", flat, std::as_bytes(std::span(tokens)));
    test::write_npy(folder_.path() / "rows.npy", "<i4", blocks, std::as_bytes(std::span(tokens)));
    write("a.jsonl", "{\"input_ids\": [5, 6, 7]}\n{\"input_ids\": [8, 300, 10]}\n");
    {
        test::MegatronWriter set(folder_.path() / "set", formats::ElementType::u16);
        set.add_sequence(std::vector<std::int64_t>{5, 6, 7, 8});
        set.add_sequence(std::vector<std::int64_t>{300, 10});
        set.end_document();
        set.finish();
    }
    for (auto [format, file] : {std::pair("numpy", "flat.npy"), std::pair("numpy", "rows.npy"),
                                std::pair("jsonl", "a.jsonl"), std::pair("megatron", "set")}) {
        auto corpus = open_corpus(recipe(format, file, 3), 301);
        ASSERT_EQ(corpus->training_samples(), 2) << file;
        EXPECT_EQ(sample(*corpus, 0, 3).tokens, (std::vector<std::int64_t>{5, 6, 7})) << file;
        EXPECT_EQ(sample(*corpus, 1, 3).tokens, (std::vector<std::int64_t>{8, 300, 10})) << file;
        EXPECT_THAT(refusal(recipe(format, file, 3)),
                    says("model.vocab_size: the data holds the token {}, so it must be at least {}, not {}", 300,
                         StartsWith("301"), _));
    }
}

TEST_F(CorpusOf, ATokenizerMakesTheTokensOfText) {
    tokenizers::BpeTrainerOptions options;
    options.vocabulary_size = 300;
    tokenizers::BpeTrainer trainer(options);
    trainer.add("the train leaves the station, the train arrives\n");
    const std::string file = trainer.train();
    write("tokenizer.json", file);
    const auto tokenizer = tokenizers::Tokenizer::from_json(file);
    const auto ids_of = [&](const std::string& text, bool ends) {
        std::vector<std::int64_t> ids;
        for (const tokenizers::Id id : tokenizer.encode_ids(text))
            ids.push_back(id);
        if (ends)
            ids.push_back(*tokenizer.id_of("<|endoftext|>"));
        return ids;
    };
    const auto all = [&](config::DataRecipe data) {
        data.tokenizer = folder_.path().string();  // the folder, or the file in it
        const auto corpus = open_corpus(data, 300);
        std::vector<std::int64_t> ids;
        for (std::int64_t i = 0; i < corpus->training_samples(); ++i)
            for (const std::int64_t id : sample(*corpus, i, 2).tokens)
                ids.push_back(id);
        return ids;
    };
    const auto whole = [](std::vector<std::int64_t> one, const std::vector<std::int64_t>& two) {
        one.insert(one.end(), two.begin(), two.end());
        one.resize(one.size() / 2 * 2);  // whole samples
        return one;
    };
    write("a.txt", "the train\nleaves \u00e9\n");
    EXPECT_EQ(all(recipe("text", "a.txt", 2)), whole(ids_of("the train\n", false), ids_of("leaves \u00e9\n", false)));
    write("a.jsonl", "{\"text\": \"the train\"}\n{\"text\": \"arrives <|endoftext|>\"}\n");
    EXPECT_EQ(all(recipe("jsonl", "a.jsonl", 2)),
              whole(ids_of("the train", true), ids_of("arrives <|endoftext|>", true)));
    write("b.csv", "value\n1\n2\n");
    config::DataRecipe numbers = recipe("csv", "b.csv");
    numbers.tokenizer = (folder_.path() / "tokenizer.json").string();
    EXPECT_THAT(refusal(numbers),
                says("data.tokenizer makes tokens of text, and {} in {} holds whole numbers: leave it out", _, _));
    config::DataRecipe small = recipe("text", "a.txt");
    small.tokenizer = numbers.tokenizer;
    EXPECT_THAT(refusal(small, 10),
                says("model.vocab_size: the data holds the token {}, so it must be at least {}, not {}", _, _, _));
}

TEST_F(CorpusOf, WhatCannotBeTrainedOnIsNamed) {
    write("a.csv", "id,words\n1,abc\n2,def\n");
    EXPECT_THAT(refusal(recipe("csv", "a.csv")),
                test::says("{} has the columns {}, none with a usual name ({}): name the one", testing::_, "id, words",
                           testing::_));
    config::DataRecipe data = recipe("csv", "a.csv");
    data.column = "txt";
    EXPECT_THAT(refusal(data), says("{} has no column '{}'{}", _, "txt", _));
    write("b.csv", "value\n-1\n2\n");
    EXPECT_THAT(refusal(recipe("csv", "b.csv")),
                says("data.column: {} holds {} in '{}', which is not a token: tokens are whole numbers from 0 to {}", _,
                     "-1", "value", _));
    write("c.csv", "value\n1.5\n2.5\n");
    EXPECT_THAT(refusal(recipe("csv", "c.csv")), says("data.column: {} in {} is neither text nor whole numbers", _, _));
    write("d.txt", "ab\n");
    EXPECT_THAT(refusal(recipe("text", "d.txt")), says("data.path: the data has {} tokens, less than one sample of "
                                                       "data.sequence_length ({}): add data or shorten the samples",
                                                       3, _));
}

}  // namespace
}  // namespace trainyard::train
