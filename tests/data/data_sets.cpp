// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets and collation.

#include "data_sets.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/rows.h"
#include "support/says.h"

namespace trainyard::data {
namespace {

using test::says;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::Throws;
using testing::ThrowsMessage;

at::Tensor counted(std::int64_t rows, std::int64_t columns) {
    return at::arange(rows * columns, at::kLong).reshape({rows, columns});
}

TEST(Collate, MakesOfEveryKindWhatTorchMakes) {
    auto sample = [](std::int64_t i) {
        return Tree::dict({{"tensor", at::full({2}, i, at::kLong)},
                           {"whole", i},
                           {"real", 0.5 + static_cast<double>(i)},
                           {"truth", i % 2 == 0},
                           {"text", "sample " + std::to_string(i)},
                           {"pair", Tree::tuple({i, Tree::list({i + 1})})},
                           {"nothing", Tree()}});
    };
    Tree batch = collate({sample(0), sample(1), sample(2)});
    EXPECT_EQ(batch.at("tensor").as_tensor().sizes().vec(), (std::vector<std::int64_t>{3, 2}));
    EXPECT_EQ(batch.at("whole").as_tensor().scalar_type(), at::kLong);
    EXPECT_EQ(batch.at("real").as_tensor().scalar_type(), at::kDouble);
    EXPECT_EQ(batch.at("real").as_tensor()[2].item<double>(), 2.5);
    EXPECT_EQ(batch.at("truth").as_tensor().scalar_type(), at::kBool);
    EXPECT_EQ(batch.at("text"), Tree::list({"sample 0", "sample 1", "sample 2"}));
    EXPECT_TRUE(batch.at("pair").is_tuple());
    EXPECT_EQ(test::to_numbers(batch.at("pair").items()[1].items()[0]), (test::Numbers{1, 2, 3}));
    EXPECT_TRUE(batch.at("nothing").is_none());
}

TEST(Collate, NamesWhatDiffers) {
    auto with = [](Tree value) { return Tree::dict({{"outer", Tree::dict({{"x", std::move(value)}})}}); };
    auto both = [&](Tree a, Tree b) { return [=] { collate({with(a), with(b)}); }; };
    EXPECT_THAT(both(at::ones({2}), at::ones({3})), ThrowsMessage<UserError>(HasSubstr("'outer.x'")));
    EXPECT_THAT(both(at::ones({2}), at::ones({2}).to(at::kLong)),
                Throws<UserError>(says(
                    "samples of one batch differ in shape or dtype: pad them, or give the loader a collate function")));
    EXPECT_THAT(
        both("text", 1),
        Throws<UserError>(says("samples of one batch differ in kind ({} and {}): give the loader a collate function",
                               EndsWith("str"), StartsWith("int"))));
    EXPECT_THAT(
        both(true, 1),
        Throws<UserError>(says("samples of one batch differ in kind ({} and {}): give the loader a collate function",
                               EndsWith("bool"), StartsWith("int"))));
    EXPECT_THAT(both(Tree::list({1}), Tree::list({1, 2})),
                Throws<UserError>(
                    says("samples of one batch have lists of different length: give the loader a collate function")));
    EXPECT_THAT(both(Tree::dict({{"a", 1}}), Tree::dict({{"b", 1}})), ThrowsMessage<UserError>(HasSubstr("outer.x.a")));
    EXPECT_THAT([] { collate({}); }, Throws<UserError>());
    EXPECT_EQ(collate({with(1), with(2.5)}).at("outer").at("x").as_tensor().scalar_type(), at::kDouble);
}

TEST(DataSets, TensorsGatherTheSameRowsAsSampleBySample) {
    TensorDataset set(Tree::dict({{"x", counted(10, 3)}, {"y", at::arange(10, at::kLong)}}));
    EXPECT_EQ(set.size(), 10);
    for (const test::Numbers& rows : {test::Numbers{7, 2, 2, 9}, test::Numbers{3, 4, 5}, test::Numbers{6}})
        EXPECT_EQ(set.get_batch(rows), set.Dataset::get_batch(rows));
}

TEST(DataSets, ABatchDoesNotShareMemoryWithTheSet) {
    at::Tensor rows = counted(4, 1);
    TensorDataset set{Tree(rows)};
    for (const test::Numbers& wanted : {test::Numbers{1, 2}, test::Numbers{2, 1}}) {
        Tree batch = set.get_batch(wanted);
        batch.as_tensor().zero_();
        EXPECT_EQ(rows[2][0].item<std::int64_t>(), 2);
    }
}

TEST(DataSets, RefuseWhatDoesNotFit) {
    EXPECT_THAT(
        [] {
            TensorDataset(Tree::dict({{"x", counted(3, 1)}, {"y", counted(4, 1)}}));
        },
        Throws<UserError>(says("'{}' has {}", "y", StartsWith("4"))));
    EXPECT_THAT([] { TensorDataset(Tree(at::full({}, 1.0))); }, Throws<UserError>());
    EXPECT_THAT([] { TensorDataset{Tree::dict()}; }, Throws<UserError>());
    EXPECT_THAT([] { SubsetDataset(test::number_set(3), {0, 3}); }, ThrowsMessage<UserError>(HasSubstr("sample 3")));
    EXPECT_THAT([] { ConcatDataset({test::number_set(3)}).get(3); }, Throws<UserError>());
}

TEST(DataSets, SubsetsAndOneBehindTheOther) {
    auto odd = std::make_shared<SubsetDataset>(test::number_set(6), test::Numbers{1, 3, 5});
    auto none = test::number_set(0);
    ConcatDataset both({odd, none, test::number_set(2)});
    EXPECT_EQ(both.size(), 5);
    EXPECT_EQ(test::to_numbers(both.get_batch(test::Numbers{0, 1, 2, 3, 4})), (test::Numbers{1, 3, 5, 0, 1}));
    EXPECT_EQ(test::to_numbers(odd->get_batch(test::Numbers{2, 0})), (test::Numbers{5, 1}));
}

TEST(Rows, AreCutAndJoinedWithTextsAndAnyNest) {
    auto batch = [](std::int64_t rows) {
        Tree::List texts;
        for (std::int64_t i = 0; i < rows; ++i)
            texts.push_back(std::to_string(i));
        return Tree::dict({{"x", counted(rows, 2)}, {"text", Tree::list(texts)}, {"fixed", 7}});
    };
    EXPECT_EQ(row_count(batch(5)), 5);
    EXPECT_EQ(row_count(Tree::dict({{"fixed", 7}})), std::nullopt);
    std::vector<Tree> pieces{rows_of(batch(5), 0, 2), rows_of(batch(5), 2, 9)};
    EXPECT_EQ(pieces[1].at("text"), Tree::list({"2", "3", "4"}));
    EXPECT_EQ(join_rows(pieces), batch(5));
    pieces[0].set("x", counted(2, 3));
    EXPECT_EQ(join_rows(pieces), std::nullopt);
    EXPECT_EQ(row_count(rows_of(batch(5), 7, 9)), 0);
}

}  // namespace
}  // namespace trainyard::data
