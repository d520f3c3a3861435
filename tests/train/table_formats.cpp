// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of recipes with data files written by pyarrow, or safetensors: the samples of the training equal the rows that
// the library reads.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "config/recipe/recipe.h"
#include "formats/weights/safetensors.h"
#include "models/nn/kernels/cross_entropy.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/corpus.h"

namespace trainyard::train {
namespace {

using Json = nlohmann::json;
using Tokens = std::vector<std::int64_t>;

/// Returns the data section of a recipe that is parsed from YAML, as a user writes it.
config::DataRecipe data_of(const std::string& format, const std::filesystem::path& file, const std::string& more,
                           int length = 4) {
    return config::parse_recipe("data: {format: " + format + ", path: \"" + file.string() +
                                    "\", validation_fraction: 0, sequence_length: " + std::to_string(length) + ", " +
                                    more + "}\n",
                                "recipe.yaml")
        .data;
}

Tokens all_tokens(const Corpus& corpus, std::size_t length) {
    Tokens all;
    for (std::int64_t index = 0; index < corpus.training_samples(); ++index) {
        Tokens tokens(length);
        corpus.copy(false, index, tokens, {});
        all.insert(all.end(), tokens.begin(), tokens.end());
    }
    return all;
}

/// Returns the documents of a column: the bytes of each text followed by a newline, or the numbers of each list. Rows
/// without a value are skipped.
std::vector<Tokens> documents_of(const Json& table, const std::string& column) {
    std::size_t at = 0;
    while (table["columns"][at][0] != column)
        ++at;
    std::vector<Tokens> documents;
    for (const Json& row : table["rows"]) {
        if (row[at].is_null())
            continue;
        Tokens& document = documents.emplace_back();
        if (row[at].is_string()) {
            for (char byte : row[at].get<std::string>() + "\n")
                document.push_back(static_cast<unsigned char>(byte));
        } else {
            document = row[at].get<Tokens>();
        }
    }
    return documents;
}

struct GoldenFile {
    const char* format;
    const char* name;
};
class RecipeOfTable : public ::testing::TestWithParam<GoldenFile> {
  protected:
    static constexpr int kLength = 4;
    std::filesystem::path folder_ = test::golden("data_formats");
    Json table_ = Json::parse(std::ifstream(folder_ / "expected.json"))["tables"][GetParam().name];
};

TEST_P(RecipeOfTable, ColumnsArePackedRowAfterRow) {
    for (const char* column : {"text", "large", "tokens"}) {
        Tokens expected;
        for (const Tokens& document : documents_of(table_, column))
            expected.insert(expected.end(), document.begin(), document.end());
        expected.resize(expected.size() / kLength * kLength);
        ASSERT_GT(expected.size(), 20u) << column;
        auto data = data_of(GetParam().format, folder_ / GetParam().name, std::string("column: ") + column);
        EXPECT_EQ(all_tokens(*open_corpus(data, 256), kLength), expected) << column;
    }
}

TEST_P(RecipeOfTable, ADocumentASample) {
    std::vector<Tokens> expected = documents_of(table_, "text");
    auto corpus = open_corpus(data_of(GetParam().format, folder_ / GetParam().name, "column: text, pack: false"), 256);
    ASSERT_EQ(corpus->training_samples(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t index = 0; index < expected.size(); ++index) {
        Tokens tokens(kLength), labels(kLength), wanted = expected[index], counted = expected[index];
        corpus->copy(false, static_cast<std::int64_t>(index), tokens, labels);
        wanted.resize(kLength, 0);
        counted.resize(kLength, models::kIgnoredLabel);
        EXPECT_EQ(tokens, wanted) << index;
        EXPECT_EQ(labels, counted) << index;
    }
}

TEST_P(RecipeOfTable, OtherColumnsAndFormatsAreRefused) {
    auto refusal = [&](const std::string& format, const std::string& column) -> std::string {
        try {
            open_corpus(data_of(format, folder_ / GetParam().name, "column: " + column), 256);
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal(GetParam().format, "double"),
                test::says("data.column: {} in {} is neither text nor whole numbers", testing::_, testing::_));
    EXPECT_THAT(
        refusal(GetParam().format, "small"),
        test::says("data.column: {} holds {} in '{}', which is not a token: tokens are whole numbers from 0 to {}",
                   testing::_, testing::_, testing::_, testing::_));
    EXPECT_THAT(refusal(GetParam().format, "txt"),
                test::says("{} has no column '{}'{}", testing::_, "txt", testing::_));
    const char* other = GetParam().format == std::string("arrow") ? "parquet" : "arrow";
    EXPECT_THAT(refusal(other, "text"), testing::HasSubstr(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(Golden, RecipeOfTable,
                         testing::Values(GoldenFile{"parquet", "snappy.parquet"},
                                         GoldenFile{"parquet", "plain.parquet"}, GoldenFile{"parquet", "zstd.parquet"},
                                         GoldenFile{"parquet", "gzip.parquet"}, GoldenFile{"arrow", "file.arrow"},
                                         GoldenFile{"arrow", "stream.arrow"}, GoldenFile{"arrow", "sliced.feather"}),
                         [](const auto& golden) {
                             std::string name = golden.param.name;
                             name[name.find('.')] = '_';
                             return name;
                         });

TEST(RecipeOfSafetensors, ATensorsRowsAreDocuments) {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "tokens.safetensors";
    std::vector<std::int32_t> ids{5, 6, 7, 8, 300, 10};
    std::vector<std::int64_t> weights{1, 2};
    weights::write_safetensors(file, {{"input_ids", "I32", {2, 3}, std::as_bytes(std::span(ids))},
                                      {"lengths", "I64", {2}, std::as_bytes(std::span(weights))}});
    EXPECT_EQ(all_tokens(*open_corpus(data_of("safetensors", file, "shuffle: false", 2), 301), 2),
              (Tokens{5, 6, 7, 8, 300, 10}));
    auto documents = open_corpus(data_of("safetensors", file, "column: input_ids, pack: false", 4), 301);
    ASSERT_EQ(documents->training_samples(), 2);
    Tokens tokens(4), labels(4);
    documents->copy(false, 1, tokens, labels);
    EXPECT_EQ(tokens, (Tokens{8, 300, 10, 0}));
    EXPECT_EQ(labels, (Tokens{8, 300, 10, models::kIgnoredLabel}));
    EXPECT_EQ(all_tokens(*open_corpus(data_of("safetensors", file, "column: lengths", 2), 301), 2), (Tokens{1, 2}));
    EXPECT_THROW(open_corpus(data_of("safetensors", file, "shuffle: true", 2), 300), UserError) << "300 is not a token";
}

TEST(RecipeOfSafetensors, ALongTensorIsOneDocument) {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "tokens.safetensors";
    std::vector<std::uint8_t> ids{9, 8, 7, 6, 5};
    weights::write_safetensors(file, {{"x", "U8", {5}, std::as_bytes(std::span(ids))}});
    EXPECT_EQ(all_tokens(*open_corpus(data_of("safetensors", file, "pack: true", 2), 256), 2), (Tokens{9, 8, 7, 6}));
}

}  // namespace
}  // namespace trainyard::train
