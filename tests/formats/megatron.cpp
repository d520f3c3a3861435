// SPDX-License-Identifier: GPL-3.0-or-later
// Indexed sets of every type, and refused files.

#include <cstring>
#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "formats/tables/megatron_gpt.h"
#include "support/megatron_writer.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::formats {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Megatron, every_type_is_read) {
    test::TemporaryFolder folder;
    std::mt19937_64 random(1);
    for (auto [type, low, high] :
         {std::tuple(ElementType::u8, 0, 255), std::tuple(ElementType::i8, -128, 127),
          std::tuple(ElementType::i16, -32768, 32767), std::tuple(ElementType::u16, 0, 65535),
          std::tuple(ElementType::i32, INT32_MIN, INT32_MAX), std::tuple(ElementType::i64, -5, 2000000000)}) {
        std::vector<std::vector<std::int64_t>> sequences(20);
        std::uniform_int_distribution<std::int64_t> token(low, high);
        test::MegatronWriter writer(folder.path() / "set", type);
        for (auto& sequence : sequences) {
            sequence.resize(random() % 50);
            for (std::int64_t& one : sequence)
                one = token(random);
            writer.add_sequence(sequence);
            writer.end_document();
        }
        writer.finish();
        MegatronSet set(folder.path() / "set.idx");
        ASSERT_EQ(set.sequences(), 20);
        EXPECT_EQ(set.type(), type);
        for (std::size_t i = 0; i < sequences.size(); ++i) {
            std::size_t from = sequences[i].size() / 3;
            std::vector<std::int64_t> tokens(sequences[i].size() - from);
            set.read(static_cast<std::int64_t>(i), static_cast<std::int64_t>(from), tokens);
            EXPECT_TRUE(
                std::equal(tokens.begin(), tokens.end(), sequences[i].begin() + static_cast<std::ptrdiff_t>(from)));
        }
        EXPECT_THROW(set.read(20, 0, {}), std::out_of_range);
    }
}

TEST(Megatron, an_index_that_lies_is_refused) {
    test::TemporaryFolder folder;
    std::filesystem::path prefix = folder.path() / "set";
    {
        test::MegatronWriter writer(prefix, ElementType::u16);
        for (int i = 0; i < 3; ++i) {
            writer.add_sequence(std::vector<std::int64_t>{1, 2, 3, 4});
            writer.end_document();
        }
        writer.finish();
    }
    std::string index = read_file(folder.path() / "set.idx");
    auto with = [&](std::size_t at, auto value) {
        std::string changed = index;
        std::memcpy(changed.data() + at, &value, sizeof value);
        test::write(folder.path() / "set.idx", changed);
        return test::refusal([&] { MegatronSet set(prefix); });
    };
    EXPECT_THAT(
        with(0, 'X'),
        says("it begins with neither MMIDIDX nor TNTIDX: write the set again with Megatron-LM's preprocessing"));
    EXPECT_THAT(with(9, std::uint64_t{2}), says("it is of version {}, known is 1", StartsWith("2")));
    EXPECT_THAT(with(17, std::uint8_t{9}), says("its type code is {}, known are 1 to 8", StartsWith("9")));
    EXPECT_THAT(with(18, std::uint64_t{1} << 61),
                says("it claims {} sequences and {} documents, too many for its {} bytes", _, _, _));
    EXPECT_THAT(with(26, ~std::uint64_t{0}),
                says("it claims {} sequences and {} documents, too many for its {} bytes", _, _, _));
    EXPECT_THAT(with(34, std::int32_t{-1}), says("{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of "
                                                 "{}: one of the two files is truncated or belongs to another set",
                                                 _, StartsWith("0"), _, _, _, _));
    EXPECT_THAT(with(38, std::int32_t{1000}), says("{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of "
                                                   "{}: one of the two files is truncated or belongs to another set",
                                                   _, StartsWith("1"), _, _, _, _));
    EXPECT_THAT(with(46, std::int64_t{-2}), says("{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of "
                                                 "{}: one of the two files is truncated or belongs to another set",
                                                 _, StartsWith("0"), _, _, _, _));
    EXPECT_THAT(with(46 + 24 + 8, std::int64_t{77}),
                says("document {} begins at sequence {}, which is not one of its {}", StartsWith("1"), _, _));
    test::write(folder.path() / "set.idx", index.substr(0, index.size() - 1));
    EXPECT_NE(test::refusal([&] { MegatronSet set(prefix); }), "");
    test::write(folder.path() / "set.idx", index);
    std::filesystem::resize_file(folder.path() / "set.bin", 20);
    EXPECT_THAT(test::refusal([&] { MegatronSet set(prefix); }),
                says("{}: sequence {} ({} tokens at byte {}) is outside the {} bytes of {}: one of the two files is "
                     "truncated or belongs to another set",
                     _, StartsWith("2"), _, _, _, _));
    std::filesystem::remove(folder.path() / "set.bin");
    EXPECT_THAT(test::refusal([&] { MegatronSet set(prefix); }), HasSubstr("set.bin"));
}

TEST(Megatron, splits_and_blends_that_make_no_sense) {
    for (const char* split : {"", "a", "1,,1", "-1,2", "0,0,0", "1,2,3,4", "1,2,", "nan", "inf"})
        EXPECT_THAT(
            test::refusal([&] { split_sequences(split, 10); }),
            says("'{}' does not split data: give up to three numbers for training, validation and test, e.g. 969,30,1",
                 _))
            << split;
    EXPECT_NE(test::refusal([] { blend({}, 3); }), "");
    EXPECT_NE(test::refusal([] { blend(std::vector<double>{0, 0}, 3); }), "");
    EXPECT_NE(test::refusal([] { blend(std::vector<double>{1, -1}, 3); }), "");
    EXPECT_THAT(blend_sizes(std::vector<double>{3, 1}, 100), testing::ElementsAre(76, 26));
}

TEST(Megatron, too_little_data_for_a_sample) {
    test::TemporaryFolder folder;
    test::MegatronWriter writer(folder.path() / "set", ElementType::u16);
    writer.add_sequence({});
    writer.add_sequence(std::vector<std::int64_t>{1, 2});
    writer.finish();
    auto set = std::make_shared<MegatronSet>(folder.path() / "set");
    EXPECT_THAT(test::refusal([&] { GptSamples(set, 0, 1, {.sequence_length = 4}); }),
                says("{}: sequences {} to {} have no tokens", _, _, _));
    EXPECT_THAT(
        test::refusal([&] { GptSamples(set, 0, 2, {.sequence_length = 4}); }),
        says("{}: sequences {} to {} have {} tokens, too few for one sample of {}: add data or shorten the samples", _,
             _, _, _, _));
    EXPECT_EQ(GptSamples(set, 0, 2, {.sequence_length = 4, .samples = 3}).size(), 3);  // in several epochs
}

}  // namespace
}  // namespace trainyard::formats
