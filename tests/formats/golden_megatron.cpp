// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM's indexed sets and its samples.

#include <filesystem>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "formats/tables/megatron_gpt.h"
#include "support/golden.h"
#include "support/megatron_writer.h"
#include "support/temporary_folder.h"

namespace trainyard::formats {
namespace {

using Json = nlohmann::json;

Json read_json(const char* name) {
    std::ifstream file(test::golden("megatron") / name);
    return Json::parse(file);
}

/// A set with sequences of these lengths; token i of sequence s is 1000 s + i.
std::shared_ptr<MegatronSet> made_set(const std::filesystem::path& folder, const std::vector<std::int64_t>& lengths) {
    test::MegatronWriter writer(folder / "made", ElementType::i32);
    for (std::size_t s = 0; s < lengths.size(); ++s) {
        std::vector<std::int64_t> tokens(static_cast<std::size_t>(lengths[s]));
        std::iota(tokens.begin(), tokens.end(), static_cast<std::int64_t>(1000 * s));
        writer.add_sequence(tokens);
        writer.end_document();
    }
    writer.finish();
    return std::make_shared<MegatronSet>(folder / "made");
}

void check_gpt(const Json& input, const Json& expected) {
    test::TemporaryFolder folder;
    auto set = made_set(folder.path(), input.at("lengths").get<std::vector<std::int64_t>>());
    GptOptions options;
    options.sequence_length = input.at("sequence_length");
    options.samples = input.at("samples").is_null() ? 0 : input.at("samples").get<std::int64_t>();
    options.seed = input.at("seed");
    options.drop_last_partial = input.at("drop_last");
    options.extra_token = input.at("extra");
    options.pad_token = -7;
    GptSamples samples(set, input.at("first"), input.at("last"), options);
    std::vector<std::int64_t> documents(samples.document_index().begin(), samples.document_index().end());
    EXPECT_EQ(documents, expected.at("document_index").get<std::vector<std::int64_t>>());
    auto starts = expected.at("sample_index").get<std::vector<std::array<std::int64_t, 2>>>();
    ASSERT_EQ(samples.sample_index().size(), starts.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
        EXPECT_EQ(samples.sample_index()[i], starts[i]) << i;
    std::vector<std::int64_t> shuffle(samples.shuffle_index().begin(), samples.shuffle_index().end());
    EXPECT_EQ(shuffle, expected.at("shuffle_index").get<std::vector<std::int64_t>>());

    // The tokens are those of the concatenated documents.
    std::vector<std::int64_t> stream;
    for (std::int64_t document : documents)
        for (std::int32_t i = 0; i < set->lengths()[static_cast<std::size_t>(document)]; ++i)
            stream.push_back(1000 * document + i);
    std::vector<std::int64_t> tokens(static_cast<std::size_t>(samples.tokens_of_sample()));
    for (std::int64_t i = 0; i < samples.size(); ++i) {
        samples.read(i, tokens);
        auto begin = static_cast<std::size_t>(shuffle[static_cast<std::size_t>(i)] * options.sequence_length);
        for (std::size_t k = 0; k < tokens.size(); ++k)
            EXPECT_EQ(tokens[k], begin + k < stream.size() ? stream[begin + k] : -7)
                << "sample " << i << " token " << k;
    }
}

TEST(GoldenMegatron, samples_blends_and_splits) {
    Json cases = read_json("samples.json").at("cases");
    ASSERT_FALSE(cases.empty());
    for (const Json& one : cases) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        const Json& input = one.at("input");
        const Json& expected = one.at("expected");
        std::string kind = input.at("kind");
        if (kind == "gpt") {
            check_gpt(input, expected);
        } else if (kind == "split") {
            auto ranges = split_sequences(input.at("text"), input.at("sequences"));
            for (std::size_t i = 0; i < 3; ++i) {
                const Json& part = expected.at("parts")[i];
                if (part.is_null())
                    EXPECT_EQ(ranges[i].first, ranges[i].second);
                else
                    EXPECT_EQ(Json(ranges[i]), part);
            }
        } else {
            Blend made = kind == "blend" ? blend(input.at("weights").get<std::vector<double>>(), input.at("size"))
                                         : blend_all(input.at("sizes").get<std::vector<std::int64_t>>());
            EXPECT_EQ(Json(made.set), expected.at("set"));
            EXPECT_EQ(Json(made.sample), expected.at("sample"));
        }
    }
}

/// Sets of the older implementations `cached` and `lazy` hold the same documents.
TEST(GoldenMegatron, older_indexes_are_read) {
    const Json documents = read_json("documents.json");
    for (const auto& [name, type] : {std::pair("old_u16", ElementType::u16), std::pair("old_i32", ElementType::i32)}) {
        const MegatronSet set(test::own_golden("megatron") / name);
        EXPECT_EQ(set.type(), type);
        std::int64_t sequence = 0, document = 0;
        for (const Json& sequences : documents) {
            EXPECT_EQ(set.document_ends()[static_cast<std::size_t>(document++)], sequence);
            for (const Json& wanted : sequences) {
                std::vector<std::int64_t> tokens(
                    static_cast<std::size_t>(set.lengths()[static_cast<std::size_t>(sequence)]));
                set.read(sequence++, 0, tokens);
                EXPECT_EQ(Json(tokens), wanted);
            }
        }
        EXPECT_EQ(set.document_ends().back(), sequence);
    }
    test::TemporaryFolder folder;
    const std::string index = read_file(test::own_golden("megatron") / "old_u16.idx");
    std::filesystem::copy_file(test::own_golden("megatron") / "old_u16.bin", folder.path() / "set.bin");
    const auto refusal = [&](std::size_t at, std::uint64_t value, std::size_t size) {
        std::string changed = index.substr(0, size);
        if (at < size)
            changed.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
        write_file_atomically(folder.path() / "set.idx", changed);
        try {
            MegatronSet set(folder.path() / "set");
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("is read");
    };
    EXPECT_EQ(refusal(index.size(), 0, index.size()), "is read");
    EXPECT_NE(refusal(index.size(), 0, index.size() - 8), "is read") << "cut off";
    EXPECT_NE(refusal(index.size(), 0, 50), "is read") << "cut off in the header";
    EXPECT_NE(refusal(8, 2, index.size()), "is read") << "version";
    EXPECT_NE(refusal(24, 4, index.size()), "is read") << "bytes of a token";
    EXPECT_NE(refusal(32, ~std::uint64_t{0}, index.size()), "is read") << "sequences";
    EXPECT_NE(refusal(40, 1, index.size()), "is read") << "dimensions";
    const std::size_t second_start =
        56 + 8 * (static_cast<std::size_t>(MegatronSet(test::own_golden("megatron") / "old_u16").sequences()) + 2);
    EXPECT_NE(refusal(second_start, std::uint64_t{1} << 62, index.size()), "is read") << "a start outside of the file";
}

TEST(GoldenMegatron, its_files_are_read_and_written_byte_by_byte) {
    Json documents = read_json("documents.json");
    test::TemporaryFolder folder;
    for (auto [name, type] : {std::pair("tokens_u16", ElementType::u16), std::pair("tokens_i32", ElementType::i32)}) {
        MegatronSet set(test::golden("megatron") / name);
        EXPECT_EQ(set.type(), type);
        test::MegatronWriter writer(folder.path() / name, type);
        std::int64_t sequence = 0, document = 0;
        for (const Json& sequences : documents) {
            EXPECT_EQ(set.document_ends()[static_cast<std::size_t>(document++)], sequence);
            for (const Json& wanted : sequences) {
                std::vector<std::int64_t> tokens(
                    static_cast<std::size_t>(set.lengths()[static_cast<std::size_t>(sequence)]));
                set.read(sequence++, 0, tokens);
                EXPECT_EQ(Json(tokens), wanted);
                writer.add_sequence(tokens);
            }
            writer.end_document();
        }
        writer.finish();
        EXPECT_EQ(set.sequences(), sequence);
        for (const char* ending : {".bin", ".idx"})
            EXPECT_EQ(read_file(folder.path() / (name + std::string(ending))),
                      read_file(test::golden("megatron") / (name + std::string(ending))))
                << name << ending;
    }
}

}  // namespace
}  // namespace trainyard::formats
