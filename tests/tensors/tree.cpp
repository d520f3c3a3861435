// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of nested containers of tensors: kinds, access, visiting, equality.

#include "distributed/tensors/tree.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard {
namespace {

Tree batch() {
    return Tree::dict({{"ids", at::arange(6).view({2, 3})},
                       {"scores", Tree::tuple({at::zeros({2}), Tree(0.5)})},
                       {std::int64_t{7}, Tree::list({"a", true, Tree()})}});
}

TEST(Tree, KeepsTheKindsOfPython) {
    EXPECT_STREQ(Tree().kind(), "None");
    EXPECT_STREQ(Tree(true).kind(), "bool");
    EXPECT_STREQ(Tree(1).kind(), "int");
    EXPECT_STREQ(Tree(1.0).kind(), "float");
    EXPECT_STREQ(Tree("x").kind(), "str");
    EXPECT_STREQ(Tree(at::zeros({1})).kind(), "Tensor");
    EXPECT_STREQ(Tree::list().kind(), "list");
    EXPECT_STREQ(Tree::tuple().kind(), "tuple");
    EXPECT_STREQ(Tree::dict().kind(), "dict");
    EXPECT_EQ(batch().structure(), "{ids: Tensor, scores: (Tensor, float), 7: [str, bool, None]}");
}

TEST(Tree, SaysWhatItFoundInPlaceOfWhatWasAsked) {
    EXPECT_EQ(Tree(3).as_real(), 3.0);
    EXPECT_THROW(Tree(3.0).as_integer(), UserError);
    EXPECT_THROW(Tree(true).as_integer(), UserError);
    EXPECT_THROW(Tree("x").items(), UserError);
    try {
        batch().at("labels");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("'labels'"), std::string::npos);
    }
    EXPECT_EQ(Tree(1).find("x"), nullptr);
    EXPECT_EQ(batch().find("7"), nullptr) << "text is another key than the number";
    EXPECT_NE(batch().find(std::int64_t{7}), nullptr);
}

TEST(Tree, GrowsFromNothing) {
    Tree tree;
    tree.set("a", 1);
    tree.set("b", 2);
    tree.set("a", 3);
    EXPECT_EQ(tree, Tree::dict({{"b", 2}, {"a", 3}}));
    EXPECT_EQ(tree.entries().front().key, TreeKey("a")) << "a replaced value must keep its position";
    Tree list;
    list.append(1);
    list.append("x");
    EXPECT_EQ(list, Tree::list({1, "x"}));
    EXPECT_NE(list, Tree::tuple({1, "x"}));
}

TEST(Tree, VisitsTensorsWithTheirPaths) {
    std::vector<std::string> paths;
    Tree::list({batch(), at::zeros({1})}).for_each_tensor([&](const std::string& path, const at::Tensor&) {
        paths.push_back(path);
    });
    EXPECT_EQ(paths, (std::vector<std::string>{"[0].ids", "[0].scores[0]", "[1]"}));
    paths.clear();
    batch().for_each_leaf(
        [&](const std::string& path, const Tree& leaf) { paths.push_back(path + " " + leaf.kind()); });
    EXPECT_EQ(paths, (std::vector<std::string>{"ids Tensor", "scores[0] Tensor", "scores[1] float", "7[0] str",
                                               "7[1] bool", "7[2] None"}));
}

TEST(Tree, MapsTensorsAndNothingElse) {
    Tree doubled = batch().map_tensors([](const at::Tensor& tensor) { return tensor.mul(2); });
    EXPECT_TRUE(doubled.at("scores").is_tuple());
    EXPECT_EQ(doubled.at("ids"), Tree(at::arange(6).view({2, 3}).mul(2)));
    EXPECT_EQ(doubled.at(std::int64_t{7}), batch().at(std::int64_t{7}));
}

TEST(Tree, EqualMeansEveryBitAndKind) {
    EXPECT_EQ(batch(), batch());
    EXPECT_NE(Tree(1), Tree(1.0));
    EXPECT_NE(Tree(1), Tree(true));
    EXPECT_NE(Tree(at::zeros({2})), Tree(at::zeros({2}, at::kDouble)));
    EXPECT_NE(Tree(at::zeros({2})), Tree(at::zeros({1, 2})));
    EXPECT_EQ(Tree(at::Tensor()), Tree(at::Tensor()));
    EXPECT_NE(Tree(at::Tensor()), Tree(at::zeros({0})));
    EXPECT_NE(Tree::dict({{"a", 1}}), Tree::dict({{"a", 1}, {"b", 1}}));
    EXPECT_NE(Tree::dict({{"a", 1}}), Tree::dict({{"b", 1}}));
    EXPECT_EQ(Tree(std::nan("")), Tree(std::nan(""))) << "the same bits";
    EXPECT_EQ(Tree(at::full({1}, std::nan(""))), Tree(at::full({1}, std::nan(""))));
    EXPECT_NE(Tree(0.0), Tree(-0.0));
    EXPECT_NE(Tree(at::zeros({1})), Tree(at::zeros({1}).neg()));
}

}  // namespace
}  // namespace trainyard
