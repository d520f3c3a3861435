// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on batches: concatenating, slicing, padding, converting.

#include "distributed/tensors/operations.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"

namespace trainyard {
namespace {

at::Tensor rows(std::int64_t count, std::int64_t first = 0) {
    return at::arange(first * 2, (first + count) * 2).view({count, 2});
}

TEST(FindBatchSize, IsThatOfTheFirstTensor) {
    EXPECT_EQ(find_batch_size(Tree::dict({{"id", "x"}, {"ids", rows(3)}, {"other", rows(5)}})), 3);
    EXPECT_THROW(find_batch_size(Tree::list()), UserError);
    EXPECT_THROW(find_batch_size(Tree(5)), UserError);
    EXPECT_THROW(find_batch_size(Tree(at::zeros({}))), UserError);
    EXPECT_EQ(batch_size_or_none(Tree::tuple({Tree(1), "x"})), std::nullopt);
    EXPECT_EQ(batch_size_or_none(Tree(at::empty({0, 4}))), 0);
}

TEST(Concatenate, JoinsLeafByLeaf) {
    Tree a = Tree::dict({{"x", rows(2)}, {"y", Tree::tuple({at::full({}, 1, at::kFloat), "name"})}});
    Tree b = Tree::dict({{"y", Tree::tuple({at::full({}, 2, at::kFloat), "other"})}, {"x", rows(1, 2)}});
    std::vector<Tree> both{a, b};
    Tree joined = concatenate(both);
    EXPECT_EQ(joined.at("x"), Tree(rows(3)));
    EXPECT_EQ(joined.at("y"), Tree::tuple({at::tensor({1.0, 2.0}, at::TensorOptions(at::kFloat)), "name"}));
    std::vector<Tree> wide{Tree(rows(2)), Tree(rows(2))};
    EXPECT_EQ(concatenate(wide, -1).as_tensor().sizes(), (std::vector<std::int64_t>{2, 4}));
}

TEST(Concatenate, NamesWhatDiffers) {
    auto message = [](std::vector<Tree> trees) {
        try {
            concatenate(trees);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_NE(message({Tree::dict({{"a", rows(1)}}), Tree::dict({{"a", Tree(1)}})}).find("a: cannot concatenate"),
              std::string::npos);
    EXPECT_THAT(message({Tree::list({rows(1)}), Tree::list()}),
                test::says("cannot concatenate lists of {} and {} items", testing::EndsWith("1"), 0));
    EXPECT_THAT(message({Tree::dict({{"a", 1}}), Tree::dict({{"b", 1}})}),
                test::says("cannot concatenate dicts with different keys"));
    EXPECT_THAT(message({Tree::dict({{"a", 1}}), Tree::dict({{"a", 1}, {"b", 1}})}),
                test::says("cannot concatenate dicts with different keys"));
    EXPECT_THAT(message({}), test::says("nothing to concatenate: give at least one batch"));
}

TEST(SliceTensors, CutsAsPythonDoes) {
    Tree tree = Tree::list({rows(4), at::zeros({}), "x"});
    EXPECT_EQ(slice_tensors(tree, 1, 3).items()[0], Tree(rows(2, 1)));
    EXPECT_EQ(slice_tensors(tree, 2, 100).items()[0], Tree(rows(2, 2)));
    EXPECT_EQ(slice_tensors(tree, -1, 100).items()[0], Tree(rows(1, 3)));
    EXPECT_EQ(slice_tensors(tree, 0, -3).items()[0], Tree(rows(1)));
    EXPECT_EQ(slice_tensors(tree, 3, 1).items()[0].as_tensor().size(0), 0);
    EXPECT_EQ(slice_tensors(tree, 1, 3).items()[2], Tree("x"));
}

TEST(Listify, MakesNumbersOfTensors) {
    Tree tree = Tree::tuple({rows(2), at::full({}, true, at::kBool), at::full({1}, 0.5, at::kBFloat16), "x"});
    EXPECT_EQ(listify(tree),
              Tree::tuple({Tree::list({Tree::list({0, 1}), Tree::list({2, 3})}), true, Tree::list({0.5}), "x"}));
    EXPECT_EQ(listify(Tree(at::zeros({0, 3}))), Tree::list());
    EXPECT_THROW(listify(Tree(at::zeros({1}, at::kComplexFloat))), UserError);
}

TEST(ConvertToFp32, LeavesEverythingButHalves) {
    Tree tree = Tree::list({at::zeros({1}, at::kHalf), at::zeros({1}, at::kBFloat16), at::zeros({1}, at::kDouble),
                            at::zeros({1}, at::kLong)});
    Tree converted = convert_to_fp32(tree);
    std::vector<at::ScalarType> types;
    for (const Tree& item : converted.items())
        types.push_back(item.as_tensor().scalar_type());
    EXPECT_EQ(types, (std::vector<at::ScalarType>{at::kFloat, at::kFloat, at::kDouble, at::kLong}));
}

TEST(SendToDevice, LeavesSkippedKeysWhereTheyAre) {
    Tree tree = Tree::dict({{"a", rows(1)}, {"b", Tree::dict({{"keep", rows(1)}, {"go", rows(1)}})}});
    std::vector<std::string> skip{"keep"};
    Tree sent = send_to_device(tree, at::Device(at::kMeta), false, skip);
    EXPECT_TRUE(sent.at("a").as_tensor().is_meta());
    EXPECT_TRUE(sent.at("b").at("go").as_tensor().is_meta());
    EXPECT_FALSE(sent.at("b").at("keep").as_tensor().is_meta());
}

TEST(PadInput, RepeatsTheLastRow) {
    Tree padded = pad_input(Tree::dict({{"x", rows(5)}, {"mask", at::zeros({3, 3})}, {"n", 5}}), 5, 4);
    EXPECT_EQ(padded.at("x").as_tensor().sizes(), (std::vector<std::int64_t>{8, 2}));
    for (std::int64_t row = 5; row < 8; ++row)
        EXPECT_EQ(Tree(padded.at("x").as_tensor()[row]), Tree(rows(1, 4)[0]));
    EXPECT_EQ(padded.at("mask").as_tensor().size(0), 3) << "not a tensor of the batch";
    EXPECT_EQ(pad_input(Tree(rows(4)), 4, 4), Tree(rows(4)));
    EXPECT_EQ(pad_input(Tree(rows(1)), 1, 3).as_tensor().size(0), 3);
    EXPECT_EQ(pad_input(Tree(at::zeros({2, 3})), 3, 2, -1).as_tensor().sizes(), (std::vector<std::int64_t>{2, 4}));
    EXPECT_EQ(pad_input(Tree(at::empty({0, 2})), 0, 4).as_tensor().size(0), 0);
}

TEST(PadTo, PutsTheNumbersBehindOrBefore) {
    EXPECT_EQ(Tree(pad_to(at::arange(2), 0, 4, 9)), Tree(at::tensor({0, 1, 9, 9}, at::TensorOptions(at::kLong))));
    EXPECT_EQ(Tree(pad_to(at::arange(2), -1, 4, 9, true)),
              Tree(at::tensor({9, 9, 0, 1}, at::TensorOptions(at::kLong))));
    EXPECT_EQ(Tree(pad_to(at::arange(3), 0, 2, 9)), Tree(at::arange(3)));
    EXPECT_EQ(pad_to(at::zeros({2, 0}, at::kBFloat16), 1, 3, 1).sum().item<double>(), 6);
}

}  // namespace
}  // namespace trainyard
