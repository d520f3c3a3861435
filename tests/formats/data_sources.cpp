// SPDX-License-Identifier: GPL-3.0-or-later
// Data files as data sets of tensors: samples, batches, exact resume, shards; indexed sets and blends.

#include <filesystem>
#include <set>

#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/table_data.h>

#include "data/source_samples.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::data {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::int64_t> numbers(const Tree& value) {
    at::Tensor tensor = value.as_tensor().contiguous();
    const auto* begin = tensor.const_data_ptr<std::int64_t>();
    return {begin, begin + tensor.numel()};
}

std::vector<std::filesystem::path> three_files(const std::filesystem::path& folder, int rows_each = 300) {
    std::vector<std::filesystem::path> files;
    int row = 0;
    for (int file = 0; file < 3; ++file) {
        std::string text;
        for (int i = 0; i < rows_each; ++i, ++row)
            text += "{\"id\": " + std::to_string(row) + ", \"text\": \"t" + std::to_string(row) + "\", \"ids\": [" +
                    std::to_string(row) + ", 7]}\n";
        files.push_back(test::write(folder / ("f" + std::to_string(file) + ".jsonl"), text));
    }
    return files;
}

TEST(DataSources, a_corrupt_record_is_named_or_left_out) {
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files = three_files(folder.path());
    std::string text;
    for (int row = 300; row < 600; ++row)
        text += row == 450 ? "{\"id\": 450, \"te\n"
                           : "{\"id\": " + std::to_string(row) + ", \"text\": \"t\", \"ids\": [1, 7]}\n";
    test::write(files[1], text);
    EXPECT_THAT(test::refusal([&] {
                    TableStream stream(files);
                    while (stream.next()) {
                    }
                }),
                says("this line is not valid JSON: {}", _).after("f1.jsonl:151: "));
    TableOptions options;
    options.read.infer_rows = 10;
    TableDataset set(files, options);
    EXPECT_EQ(set.size(), 900);
    EXPECT_EQ(numbers(set.get(451).at("id")), std::vector<std::int64_t>{451});
    EXPECT_THAT(test::refusal([&] { set.get(450); }), HasSubstr("f1.jsonl:151: "));

    std::vector<formats::CorruptRows> told;
    options.read.on_corrupt = [&](const formats::CorruptRows& rows) { told.push_back(rows); };
    TableStream rest(files, options);
    std::vector<std::int64_t> ids;
    Tree place;
    for (auto sample = rest.next(); sample; sample = rest.next()) {
        ids.push_back(numbers(sample->at("id"))[0]);
        if (ids.size() == 500)
            place = rest.position();
    }
    EXPECT_EQ(ids.size(), 899u);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), 450), 0);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].file, files[1]);
    EXPECT_EQ(told[0].first, 150);
    told.clear();
    TableDataset numbered(files, options);
    ASSERT_EQ(numbered.size(), 899);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(numbers(numbered.get_batch(std::vector<std::int64_t>{449, 450, 898}).at("id")),
              (std::vector<std::int64_t>{449, 451, 899}));
    TableStream on(files, options);
    on.seek(place);
    EXPECT_EQ(numbers(on.next()->at("id")), std::vector<std::int64_t>{ids[500]}) << "resumed at the same sample";
}

TEST(DataSources, samples_and_batches) {
    test::TemporaryFolder folder;
    TableDataset set(three_files(folder.path()));
    ASSERT_EQ(set.size(), 900);
    Tree sample = set.get(450);
    EXPECT_EQ(sample.at("text").as_text(), "t450");
    EXPECT_EQ(sample.at("id").as_tensor().dim(), 0);
    EXPECT_EQ(numbers(sample.at("id")), std::vector<std::int64_t>{450});
    EXPECT_EQ(numbers(sample.at("ids")), (std::vector<std::int64_t>{450, 7}));
    std::vector<std::int64_t> wanted{899, 0, 300, 0};
    Tree batch = set.get_batch(wanted);
    EXPECT_EQ(numbers(batch.at("id")), wanted);
    EXPECT_EQ(batch.at("ids").as_tensor().sizes(), (at::IntArrayRef{4, 2}));
    EXPECT_EQ(batch.at("text").items()[0].as_text(), "t899");
    // Equal to collating the samples one by one.
    std::vector<Tree> samples;
    for (std::int64_t index : wanted)
        samples.push_back(set.get(index));
    EXPECT_TRUE(collate(std::move(samples)) == batch);
}

TEST(DataSources, missing_values_are_filled_or_named) {
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files{test::write(folder.path() / "a.csv", "n,x,t\n1,0.5,a\n,,\n3,1.5,c\n")};
    TableDataset strict(files);
    EXPECT_EQ(numbers(strict.get(0).at("n")), std::vector<std::int64_t>{1});
    EXPECT_THAT(
        test::refusal([&] { strict.get(1); }),
        says("{}: column '{}' has no value in a row: fill it (fill: {{{}: ...}}) or leave such rows out of the file", _,
             "n", _));
    TableOptions options;
    options.fill = {{"n", "-1"}, {"t", "none"}};
    TableDataset filled(files, options);
    Tree batch = filled.get_batch(std::vector<std::int64_t>{0, 1, 2});
    EXPECT_EQ(numbers(batch.at("n")), (std::vector<std::int64_t>{1, -1, 3}));
    EXPECT_EQ(batch.at("t").items()[1].as_text(), "none");
    EXPECT_TRUE(std::isnan(batch.at("x").as_tensor().const_data_ptr<double>()[1]));
    options.fill["n"] = "x";
    EXPECT_THAT(test::refusal([&] { TableDataset(files, options).get(1); }),
                says("column '{}' is to be filled with '{}', which is no {}", _, _, StartsWith("int64")));
}

TEST(DataSources, a_stream_goes_on_after_every_sample) {
    test::TemporaryFolder folder;
    auto files = three_files(folder.path());
    TableStream stream(files);
    stream.begin();
    Tree position = stream.position();
    for (std::int64_t row = 0;; ++row) {
        std::optional<Tree> sample = stream.next();
        if (row % 37 == 0 || row % 300 == 299 || row % 256 == 255 || !sample) {
            TableStream other(files);
            other.seek(position);
            std::optional<Tree> again = other.next();
            ASSERT_EQ(again.has_value(), sample.has_value()) << row;
            if (sample) {
                EXPECT_TRUE(*again == *sample) << row;
            }
        }
        if (!sample) {
            EXPECT_EQ(row, 900);
            break;
        }
        EXPECT_EQ(numbers(sample->at("id"))[0], row);
        position = stream.position();
    }
    stream.begin();
    EXPECT_EQ(stream.skip(650), 650);
    EXPECT_EQ(numbers(stream.next()->at("id"))[0], 650);
    EXPECT_EQ(stream.skip(1000), 249);
}

TEST(DataSources, two_ranks_share_the_files_out) {
    test::TemporaryFolder folder;
    TableStream stream(three_files(folder.path(), 10));
    EXPECT_EQ(stream.part_count(), 3);
    std::multiset<std::int64_t> seen;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        auto share = stream.take_parts(2, rank);
        share->begin();
        while (auto sample = share->next())
            seen.insert(numbers(sample->at("id"))[0]);
    }
    EXPECT_EQ(seen.size(), 30u);
    EXPECT_EQ(std::set<std::int64_t>(seen.begin(), seen.end()).size(), 30u);
}

TEST(DataSources, indexed_sets_and_blends) {
    auto set = std::make_shared<formats::MegatronSet>(test::golden("megatron") / "tokens_u16");
    formats::GptOptions options;
    options.sequence_length = 8;
    auto gpt = std::make_shared<MegatronDataset>(formats::GptSamples(set, 0, set->sequences(), options));
    EXPECT_EQ(gpt->get(0).at("input_ids").as_tensor().numel(), 9);
    EXPECT_TRUE(gpt->get(0).at("labels") == gpt->get(0).at("input_ids"));
    BlendedDataset blended({gpt, gpt}, formats::blend(std::vector<double>{2, 1}, 9));
    EXPECT_EQ(blended.size(), 9);
    EXPECT_TRUE(blended.get(1) == gpt->get(0));
    EXPECT_THAT(test::refusal([&] { BlendedDataset({gpt}, formats::blend(std::vector<double>{1}, 10000)); }),
                says("the blend asks data set {} for sample {}, it has {}: make it with more samples (see blend_sizes)",
                     _, _, _));
}

}  // namespace
}  // namespace trainyard::data
