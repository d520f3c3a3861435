// SPDX-License-Identifier: GPL-3.0-or-later
// Sequentials as ONNX files. The files are those that onnxruntime computed, with outputs within 1e-5 of LibTorch's own
// (golden/onnx_export.json, by tests/interop/exports/prove.py --record).

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/onnx_export.h>

#include "accelerator/onnx_models.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/onnx/onnx_model.h"
#include "support/golden.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace nn = torch::nn;
using testing::AllOf;
using testing::HasSubstr;

class OnnxModules : public testing::Test {
  protected:
    std::filesystem::path file() const { return folder_.path() / "model.onnx"; }
    std::string refusal(const nn::Sequential& model, const at::Tensor& example) {
        try {
            export_onnx(model, example, file());
        } catch (const UserError& error) {
            EXPECT_FALSE(std::filesystem::exists(file()));
            return error.what();
        }
        ADD_FAILURE() << "was written";
        return {};
    }
    test::TemporaryFolder folder_;
};

TEST_F(OnnxModules, FilesAreThoseThatOnnxruntimeComputed) {
    const nlohmann::json hashes = nlohmann::json::parse(read_file(test::own_golden("onnx_export.json")));
    for (const auto& [name, one] : test::onnx_models()) {
        SCOPED_TRACE(name);
        export_onnx(one.model, one.input, file());
        const std::string bytes = read_file(file());
        EXPECT_EQ(test::sha256(std::as_bytes(std::span(bytes))), hashes.value("sequential/" + name, ""));
        const onnx::ModelFile read = onnx::read_model(file());
        ASSERT_EQ(read.model.graph.inputs.size(), 1u);
        EXPECT_EQ(read.model.graph.inputs.front().type.shape->front().name, "batch");
        EXPECT_EQ(read.model.graph.outputs.front().name, "output");
    }
}

TEST_F(OnnxModules, ItStaysInTraining) {
    nn::Sequential model(nn::Linear(2, 3), nn::Dropout(0.5));
    model->train();
    export_onnx(model, at::ones({1, 2}), file());
    EXPECT_TRUE(model->is_training());
    for (const auto& parameter : model->parameters())
        EXPECT_TRUE(parameter.requires_grad());
}

TEST_F(OnnxModules, WhatHasNoOperatorsIsNamed) {
    const at::Tensor rows = at::ones({2, 4}), images = at::ones({2, 3, 8, 8});
    EXPECT_THAT(refusal(nn::Sequential(nn::Linear(4, 4), nn::Softmax2d()), rows),
                AllOf(HasSubstr("layer 1 "), HasSubstr("Softmax2d")));
    EXPECT_THAT(
        refusal(nn::Sequential(nn::Upsample(nn::UpsampleOptions().size(std::vector<std::int64_t>{9, 9}))), images),
        HasSubstr("Upsample has operators for a scale_factor alone"));
    EXPECT_THAT(refusal(nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 4, 3).padding(1).padding_mode(torch::kReflect))),
                        images),
                HasSubstr("layer 0 of the Sequential cannot be written as ONNX: its padding repeats or reflects"));
    EXPECT_THAT(refusal(nn::Sequential(nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({2, 2}))), images),
                HasSubstr("another size than 1"));
    EXPECT_THAT(refusal(nn::Sequential(nn::Linear(4, 4)), rows.to(at::kDouble)), HasSubstr("fp32 or int64"));
    nn::Linear empty(4, 4);
    empty->weight.set_data(at::empty({0}));
    EXPECT_THAT(refusal(nn::Sequential(empty), rows), HasSubstr("before it is sharded or offloaded"));
}

}  // namespace
}  // namespace trainyard
