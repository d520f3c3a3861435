// SPDX-License-Identifier: GPL-3.0-or-later
// Modules with totals, and the filter.

#include "observe/inspect/tensor_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard::inspect {
namespace {

using testing::ElementsAre;

Contents contents_of(const std::vector<std::pair<std::string, std::int64_t>>& tensors,
                     Section section = Section::weights) {
    Contents contents;
    for (const auto& [name, elements] : tensors) {
        Tensor tensor;
        tensor.name = name;
        tensor.section = section;
        tensor.dtype = elements > 100 ? "BF16" : "F32";
        tensor.shape = {elements};
        tensor.bytes = static_cast<std::uint64_t>(elements) * (elements > 100 ? 2 : 4);
        contents.tensors.push_back(tensor);
    }
    return contents;
}

std::vector<std::string> labels(const std::vector<TensorTree::Node>& nodes) {
    std::vector<std::string> all;
    for (const auto& node : nodes)
        all.push_back(node.label);
    return all;
}

TEST(TheTensorTree, HasLayersAsNodesAndSmallModulesFlat) {
    const Contents contents = contents_of({{"model.embed.weight", 64},
                                           {"model.layers.0.attn.q", 8},
                                           {"model.layers.0.mlp.up", 4},
                                           {"model.layers.1.attn.q", 8},
                                           {"model.layers.1.mlp.up", 4},
                                           {"model.norm.weight", 2}});
    const TensorTree tree(contents);
    const auto roots = tree.roots();
    ASSERT_THAT(labels(roots), ElementsAre("weights"));
    EXPECT_EQ(roots[0].bytes, 90u * 4);
    EXPECT_EQ(roots[0].elements, 90u);
    const auto modules = tree.children(roots[0]);
    EXPECT_THAT(labels(modules), ElementsAre("embed.weight", "layers", "norm.weight"))
        << "the name of the whole model says nothing";
    const auto layers = tree.children(modules[1]);
    EXPECT_THAT(labels(layers), ElementsAre("0", "1"));
    EXPECT_EQ(layers[1].bytes, 48u);
    const auto leaves = tree.children(layers[1]);
    EXPECT_THAT(labels(leaves), ElementsAre("attn.q", "mlp.up"));
    EXPECT_TRUE(leaves[0].leaf);
    EXPECT_EQ(contents.tensors[tree.rows()[leaves[1].begin]].name, "model.layers.1.mlp.up");
    EXPECT_EQ(tree.dtype_of(layers[0]), "fp32");
}

TEST(TheTensorTree, EveryTensorIsOnceBelowTheRoots) {
    std::vector<std::pair<std::string, std::int64_t>> names;
    for (int layer = 0; layer < 30; ++layer)
        for (const char* part : {"a.b.c", "a.b.d", "a", "e.f", "g", "g.h.1", "g.h.2"})
            names.emplace_back("m." + std::to_string(layer) + "." + part, 1);
    std::ranges::sort(names, natural_less, &std::pair<std::string, std::int64_t>::first);
    const Contents contents = contents_of(names);
    const TensorTree tree(contents);
    std::vector<bool> seen(names.size(), false);
    const auto walk = [&](auto&& self, const TensorTree::Node& node) -> void {
        if (node.leaf) {
            EXPECT_FALSE(seen[node.begin]);
            seen[node.begin] = true;
        }
        std::uint64_t bytes = 0;
        for (const auto& child : tree.children(node)) {
            bytes += child.bytes;
            self(self, child);
        }
        if (!node.leaf) {
            EXPECT_EQ(bytes, node.bytes) << node.label;
        }
    };
    for (const auto& root : tree.roots())
        walk(walk, root);
    EXPECT_TRUE(std::ranges::all_of(seen, [](bool one) { return one; }));
}

TEST(TheFilter, FindsWordsTypesAndSizes) {
    const Contents contents = contents_of({{"A.weight", 200}, {"a.bias", 2}, {"b.Weight", 3}, {"b.weights", 1000}});
    const NameIndex index(contents);
    const auto find = [&](const char* text) {
        return index.find(
            parse_query(text), [](std::uint32_t row) { return row == 1; }, [](std::uint32_t row) { return row == 2; });
    };
    EXPECT_THAT(find(""), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(find("weight"), ElementsAre(0, 2, 3));
    EXPECT_THAT(find("WEIGHT b"), ElementsAre(2, 3)) << "all words, in any case; 'b' is in 'b.' only";
    EXPECT_THAT(find("bf16"), ElementsAre(0, 3));
    EXPECT_THAT(find("type:fp32 bias"), ElementsAre(1));
    EXPECT_THAT(find("size>400B"), ElementsAre(3));
    EXPECT_THAT(find("size<10B"), ElementsAre(1));
    EXPECT_THAT(find("nan"), ElementsAre(1));
    EXPECT_THAT(find("changed"), ElementsAre(2));
    EXPECT_THAT(find("nothing"), ElementsAre());
    EXPECT_THROW(parse_query("size>many"), UserError);
}

TEST(Layers, AreTheFirstNumberOfAName) {
    EXPECT_EQ(layer_of("model.layers.12.mlp.up.weight")->layer, 12);
    EXPECT_EQ(layer_of("model.layers.12.mlp.up.weight")->kind, "mlp.up.weight");
    EXPECT_FALSE(layer_of("embed.weight"));
    EXPECT_FALSE(layer_of("state.3"));
}

}  // namespace
}  // namespace trainyard::inspect
