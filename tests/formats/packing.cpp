// SPDX-License-Identifier: GPL-3.0-or-later
// Packing for language models: every token once and in order, documents are mixed only where allowed, and the result is
// the same after any interruption.

#include "data/packing.h"

#include <filesystem>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/source_table.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::data {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using Method = PackingOptions::Method;

std::vector<std::int64_t> packed_numbers(const Tree& value) {
    at::Tensor tensor = value.as_tensor().contiguous();
    const auto* begin = tensor.const_data_ptr<std::int64_t>();
    return {begin, begin + tensor.numel()};
}

/// Documents of ascending token ids, so that each token identifies its document. Two files.
struct Documents {
    explicit Documents(std::uint64_t seed, int count = 60) {
        std::mt19937_64 random(seed);
        std::string text[2];
        std::int64_t token = 0;
        for (int i = 0; i < count; ++i) {
            auto& document = tokens.emplace_back();
            std::string ids;
            for (std::uint64_t k = random() % 30; k-- > 0;) {
                document.push_back(token);
                ids += (ids.empty() ? "" : ", ") + std::to_string(token++);
            }
            text[i < count / 2 ? 0 : 1] += "{\"ids\": [" + ids + "]}\n";
        }
        files = {test::write(folder.path() / "a.jsonl", text[0]), test::write(folder.path() / "b.jsonl", text[1])};
    }
    std::shared_ptr<TableStream> stream() const { return std::make_shared<TableStream>(files); }

    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files;
    std::vector<std::vector<std::int64_t>> tokens;
};

PackingOptions options(Method method, std::int64_t length, std::optional<std::int64_t> separator = {}) {
    PackingOptions made;
    made.column = "ids";
    made.sequence_length = length;
    made.separator = separator;
    made.method = method;
    made.window = 16;
    made.pad_token = -5;
    return made;
}

std::vector<Tree> all_of(IterableDataset& stream) {
    std::vector<Tree> samples;
    stream.begin();
    while (auto sample = stream.next())
        samples.push_back(*sample);
    return samples;
}

TEST(Packing, concatenated_documents_are_the_row_of_all_tokens) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Documents documents(seed);
        std::vector<std::int64_t> row;
        for (const auto& document : documents.tokens) {
            row.insert(row.end(), document.begin(), document.end());
            row.push_back(-1);
        }
        for (std::int64_t length : {1, 7, 64}) {
            PackedStream stream(documents.stream(), options(Method::concatenate, length, -1));
            std::vector<Tree> samples = all_of(stream);
            ASSERT_EQ(std::ssize(samples), std::ssize(row) / length);
            BlockDataset blocks(documents.files, {}, options(Method::concatenate, length, -1));
            ASSERT_EQ(blocks.size(), std::ssize(samples));
            EXPECT_EQ(blocks.tokens(), std::ssize(row));
            for (std::int64_t i = 0; i < blocks.size(); ++i) {
                auto begin = row.begin() + i * length;
                EXPECT_EQ(packed_numbers(samples[static_cast<std::size_t>(i)].at("input_ids")),
                          std::vector<std::int64_t>(begin, begin + length));
                EXPECT_TRUE(blocks.get(i) == samples[static_cast<std::size_t>(i)]);
            }
        }
    }
}

TEST(Packing, best_fit_keeps_documents_whole_and_loses_nothing) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Documents documents(seed);
        PackedStream stream(documents.stream(), options(Method::best_fit, 32));
        std::multiset<std::int64_t> seen;
        for (const Tree& sample : all_of(stream)) {
            auto tokens = packed_numbers(sample.at("input_ids")), labels = packed_numbers(sample.at("labels"));
            auto positions = packed_numbers(sample.at("position_ids")),
                 segments = packed_numbers(sample.at("segment_ids"));
            ASSERT_EQ(tokens.size(), 32u);
            for (std::size_t i = 0; i < 32; ++i) {
                bool padding = segments[i] == 0, first = positions[i] == 0;
                EXPECT_EQ(labels[i], padding || (first && i > 0) ? -100 : tokens[i]);
                EXPECT_EQ(padding, tokens[i] == -5);
                if (padding)
                    continue;
                seen.insert(tokens[i]);
                if (i > 0) {
                    EXPECT_EQ(segments[i], segments[i - 1] + (first ? 1 : 0));
                    if (!first) {
                        EXPECT_EQ(tokens[i], tokens[i - 1] + 1);  // in the same document
                    }
                }
            }
            // Complete documents: those of this test are shorter than a sample.
            for (std::size_t i = 0; i < 32; ++i)
                if (segments[i] != 0 && positions[i] == 0) {
                    auto document =
                        std::find_if(documents.tokens.begin(), documents.tokens.end(),
                                     [&](const auto& one) { return !one.empty() && one.front() == tokens[i]; });
                    ASSERT_NE(document, documents.tokens.end());
                    EXPECT_EQ(std::count(segments.begin(), segments.end(), segments[i]), std::ssize(*document));
                }
        }
        std::int64_t total = 0;
        for (const auto& document : documents.tokens)
            total += std::ssize(document);
        EXPECT_EQ(std::ssize(seen), total);
        EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), seen.size());
    }
}

TEST(Packing, best_fit_layout) {
    EXPECT_THAT(best_fit({6, 3, 5, 4, 2}, 10), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4)));
    EXPECT_THAT(best_fit({10, 10}, 10), ElementsAre(ElementsAre(0), ElementsAre(1)));
    EXPECT_TRUE(best_fit({}, 10).empty());
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::int64_t> lengths(random() % 200);
        for (std::int64_t& length : lengths)
            length = static_cast<std::int64_t>(1 + random() % 64);
        std::vector<int> used(lengths.size(), 0);
        std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}), samples = 0;
        for (const auto& sample : best_fit(lengths, 64)) {
            ++samples;
            std::int64_t sum = 0;
            for (std::size_t piece : sample) {
                sum += lengths[piece];
                ++used[piece];
            }
            EXPECT_LE(sum, 64);
        }
        EXPECT_EQ(std::count(used.begin(), used.end(), 1), std::ssize(used));
        EXPECT_LE(samples,
                  total * 11 / 9 / 64 + 5);  // the bound of best-fit decreasing, relative to the optimum
    }
}

TEST(Packing, goes_on_after_every_sample) {
    Documents documents(9);
    for (Method method : {Method::concatenate, Method::best_fit})
        for (std::int64_t length : {5, 40}) {
            PackedStream stream(documents.stream(), options(method, length, -1));
            std::vector<Tree> samples = all_of(stream);
            ASSERT_GT(samples.size(), 5u);
            stream.begin();
            for (std::size_t i = 0; i <= samples.size(); ++i) {
                PackedStream other(documents.stream(), options(method, length, -1));
                other.seek(stream.position());
                for (std::size_t k = i; k < std::min(i + 3, samples.size()); ++k)
                    ASSERT_TRUE(other.next().value() == samples[k]) << "sample " << k << " after " << i;
                stream.next();
            }
        }
}

TEST(Packing, texts_are_their_bytes) {
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files{test::write(folder.path() / "t.txt", "ab\n\xc3\xa9\n")};
    PackingOptions made;
    made.sequence_length = 3;
    made.separator = 10;
    PackedStream stream(std::make_shared<TableStream>(files), made);
    std::vector<Tree> samples = all_of(stream);
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_THAT(packed_numbers(samples[0].at("input_ids")), ElementsAre('a', 'b', 10));
    EXPECT_THAT(packed_numbers(samples[1].at("input_ids")), ElementsAre(0xc3, 0xa9, 10));
}

TEST(Packing, what_makes_no_sense) {
    Documents documents(1);
    EXPECT_THAT(test::refusal([&] { PackedStream(documents.stream(), options(Method::best_fit, 0)); }),
                says("samples of {} tokens and windows of {} documents cannot be made: give numbers above 0", _, _));
    EXPECT_THAT(test::refusal([&] { BlockDataset(documents.files, {}, options(Method::concatenate, 1 << 20)); }),
                says("the data have {} tokens, less than one sample of {}: add data or shorten the samples", _, _));
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files{test::write(folder.path() / "x.csv", "ids\n0.5\n")};
    PackedStream stream(std::make_shared<TableStream>(files), options(Method::concatenate, 4));
    stream.begin();
    EXPECT_THAT(test::refusal([&] { stream.next(); }), says("'{}' of a document is {}, and tokens are made of a text "
                                                            "or of a list of whole numbers: name another column",
                                                            _, _));
}

}  // namespace
}  // namespace trainyard::data
