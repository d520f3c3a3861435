// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtral's experts in both spellings.

#include "formats/weights/expert_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/progress.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/write_weights.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "support/umask.h"

namespace trainyard::weights {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Given {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

class ExpertTensors : public testing::Test {
  protected:
    std::unique_ptr<WeightSource> source(const std::vector<Given>& tensors) {
        std::vector<TensorToWrite> all;
        for (const Given& one : tensors)
            all.push_back({one.name, "F32", one.shape, std::as_bytes(std::span(one.values))});
        const fs::path file = folder_.path() / (std::to_string(++files_) + ".safetensors");
        write_safetensors(file, all);
        return open_weights(file);
    }
    static std::vector<float> values(const WeightSource& source, const std::string& name) {
        for (std::size_t i = 0; i < source.tensors().size(); ++i)
            if (source.tensors()[i].name == name) {
                std::vector<std::byte> bytes;
                source.stream(i, [&](auto piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
                std::vector<float> found(bytes.size() / sizeof(float));
                decode_elements("F32", bytes, found);
                if (const auto mapped = source.mapped(i, false); !mapped.empty()) {
                    EXPECT_TRUE(std::ranges::equal(mapped, bytes)) << name;
                }
                return found;
            }
        ADD_FAILURE() << name << " is missing";
        return {};
    }
    static std::vector<std::string> names(const WeightSource& source) {
        std::vector<std::string> all;
        for (const SourceTensor& tensor : source.tensors())
            all.push_back(tensor.name);
        return all;
    }
    template <class F>
    static std::string refusal(F&& f) {
        try {
            f();
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    }

    /// Two experts, inner 1, hidden 2.
    const std::vector<Given> joined_{{"model.layers.0.mlp.gate.weight", {2, 2}, {1, 2, 3, 4}},
                                     {"model.layers.0.mlp.experts.gate_up_proj", {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}},
                                     {"model.layers.0.mlp.experts.down_proj", {2, 2, 1}, {10, 20, 30, 40}},
                                     {"model.norm.weight", {2}, {0, 1}}};
    test::TemporaryFolder folder_;
    int files_ = 0;
};

TEST_F(ExpertTensors, JoinedOnesAreReadAsMatrices) {
    const auto split = split_experts(source(joined_));
    const std::string block = "model.layers.0.block_sparse_moe.";
    EXPECT_EQ(values(*split, block + "gate.weight"), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(values(*split, block + "experts.0.w1.weight"), (std::vector<float>{1, 2}));
    EXPECT_EQ(values(*split, block + "experts.0.w3.weight"), (std::vector<float>{3, 4}));
    EXPECT_EQ(values(*split, block + "experts.1.w1.weight"), (std::vector<float>{5, 6}));
    EXPECT_EQ(values(*split, block + "experts.1.w3.weight"), (std::vector<float>{7, 8}));
    EXPECT_EQ(values(*split, block + "experts.0.w2.weight"), (std::vector<float>{10, 20}));
    EXPECT_EQ(values(*split, block + "experts.1.w2.weight"), (std::vector<float>{30, 40}));
    EXPECT_EQ(split->tensors().size(), 8u);
    for (const SourceTensor& tensor : split->tensors())
        if (tensor.name.ends_with("w2.weight")) {
            EXPECT_THAT(tensor.shape, ElementsAre(2, 1));
        } else if (tensor.name.find("experts") != std::string::npos) {
            EXPECT_THAT(tensor.shape, ElementsAre(1, 2));
        }
}

TEST_F(ExpertTensors, ThereAndBackAreTheSame) {
    const auto again = joined_experts(split_experts(source(joined_)));
    EXPECT_TRUE(has_joined_experts(*again));
    EXPECT_EQ(again->tensors().size(), joined_.size());
    for (const Given& one : joined_)
        EXPECT_EQ(values(*again, one.name), one.values) << one.name;
    for (const SourceTensor& tensor : again->tensors())
        for (const Given& one : joined_)
            if (one.name == tensor.name) {
                EXPECT_EQ(tensor.shape, one.shape) << one.name;
            }
}

TEST_F(ExpertTensors, OfADistributedCheckpointToo) {
    Progress progress;
    const fs::path folder = folder_.path() / "dcp";
    write_weights(*source(joined_), {.output = folder, .layout = WriteOptions::Layout::distributed, .ranks = 2},
                  progress);
    EXPECT_EQ(values(*open_model(folder), "model.layers.0.block_sparse_moe.experts.1.w3.weight"),
              (std::vector<float>{7, 8}));
}

TEST_F(ExpertTensors, WrittenWeightsHaveTheModeThatTheUmaskAllows) {
    Progress progress;
    const test::Umask group_reads(0027);
    const fs::path output = folder_.path() / "written";
    for (const bool exists : {false, true}) {  // a folder as a whole, and files in a folder
        for (const fs::path& file : write_weights(*source(joined_), {.output = output}, progress).files)
            EXPECT_EQ(test::mode_of(output / file), 0640) << file << exists;
        EXPECT_EQ(test::mode_of(output), 0750) << exists;
    }
}

TEST_F(ExpertTensors, OtherFilesStayAsTheyAre) {
    const std::vector<Given> phi{{"model.layers.0.mlp.gate_up_proj.weight", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}},
                                 {"model.layers.0.mlp.gate.weight", {2}, {1, 2}}};
    const std::vector<std::string> as_given{phi[0].name, phi[1].name};
    EXPECT_THAT(names(*split_experts(source(phi))), testing::UnorderedElementsAreArray(as_given));
    EXPECT_THAT(names(*joined_experts(source(phi))), testing::UnorderedElementsAreArray(as_given));
}

TEST_F(ExpertTensors, WhatDoesNotFitTogetherIsNamed) {
    std::vector<Given> wrong = joined_;
    wrong[2] = {"model.layers.0.mlp.experts.down_proj", {1, 4, 1}, {10, 20, 30, 40}};
    EXPECT_THAT(refusal([&] { split_experts(source(wrong)); }),
                AllOf(says("{} [{}] and {} [{}] are not the experts of a block: expected [experts, 2 * inner, hidden] "
                           "and [experts, hidden, inner]",
                           EndsWith("model.layers.0.mlp.experts.gate_up_proj"), "2, 2, 2", _, _),
                      HasSubstr("[1, 4, 1]")));
    const std::string block = "model.layers.0.block_sparse_moe.experts.";
    EXPECT_THAT(
        refusal([&] {
            joined_experts(source({{block + "0.w1.weight", {1, 1}, {1}}, {block + "0.w2.weight", {1, 1}, {1}}}));
        }),
        says("there is no tensor {}, so the experts of this block are not complete",
             StartsWith(block + "0.w3.weight")));
    EXPECT_THAT(refusal([&] {
                    joined_experts(source({{block + "0.w1.weight", {1, 1}, {1}},
                                           {block + "0.w2.weight", {1, 1}, {1}},
                                           {block + "0.w3.weight", {1, 2}, {1, 2}}}));
                }),
                AllOf(HasSubstr(block + "0.w3.weight"),
                      says("{} is {} [{}] and {} is {} [{}]: experts that are written as one tensor must be alike", _,
                           _, _, _, _, _)));
}

}  // namespace
}  // namespace trainyard::weights
