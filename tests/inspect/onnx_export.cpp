// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to ONNX. The files are those that onnxruntime computed, with logits within 1e-5 of transformers' own
// (golden/onnx_export.json, by tests/interop/exports/prove.py --record), so a changed graph has to be proven again.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_file.h"
#include "formats/onnx/onnx_model.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/safetensors.h"
#include "models/exports/network_to_onnx.h"
#include "models/spec/config_file.h"
#include "observe/inspect/conversion.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using nlohmann::json;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;

class OnnxExport : public ::testing::Test {
  protected:
    /// A name of golden/models, or a path in golden.
    static fs::path own(const std::string& model) {
        return model.find('/') == std::string::npos ? test::own_golden("models") / model : test::own_golden(model);
    }
    fs::path file(const std::string& name = "out.onnx") const { return folder_.path() / name; }
    Conversion conversion_of(const fs::path& model) const {
        Conversion conversion;
        conversion.sources = {model};
        conversion.output = file();
        conversion.program = Conversion::Program::onnx;
        return conversion;
    }
    Converted write(const fs::path& model) {
        Progress progress;
        return convert(conversion_of(model), progress);
    }
    std::string refusal(const fs::path& model) {
        try {
            write(model);
        } catch (const UserError& error) {
            EXPECT_TRUE(fs::is_empty(folder_.path()));
            return error.what();
        }
        ADD_FAILURE() << "was written";
        return {};
    }

    test::TemporaryFolder folder_;
};

TEST_F(OnnxExport, FilesAreThoseThatOnnxruntimeComputed) {
    const json hashes = json::parse(read_file(test::own_golden("onnx_export.json")));
    EXPECT_GE(hashes.size(), 30u);
    for (const auto& [model, hash] : hashes.items()) {
        if (model.starts_with("sequential/"))
            continue;  // of programs: tests/accelerator/onnx_export.cpp
        SCOPED_TRACE(model);
        const Expected expected = expect(conversion_of(own(model)));
        const Converted converted = write(own(model));
        const std::string bytes = read_file(file());
        EXPECT_EQ(test::sha256(std::as_bytes(std::span(bytes))), hash.get<std::string>());
        EXPECT_EQ(converted.written.files, std::vector{file()});
        EXPECT_EQ(expected.bytes, converted.written.bytes);
        EXPECT_EQ(expected.tensors, converted.written.tensors);
    }
}

TEST_F(OnnxExport, SamplesAndTokensHaveAnyNumberAndTheOperatorSetIsStated) {
    const Converted converted = write(own("llama_gqa"));
    EXPECT_THAT(
        converted.notes,
        ElementsAre(says("operators of set {}, numbers in fp32; whole texts are computed, without past keys and "
                         "values",
                         "17")));
    const onnx::ModelFile read = onnx::read_model(file());
    ASSERT_EQ(read.model.operator_sets.size(), 1u);
    EXPECT_EQ(read.model.operator_sets.front().version, 17);
    std::vector<std::string> names;
    for (const auto* values : {&read.model.graph.inputs, &read.model.graph.outputs})
        for (const onnx::Value& value : *values) {
            names.push_back(value.name);
            ASSERT_TRUE(value.type.shape);
            EXPECT_EQ(value.type.shape->at(0).name, "batch");
            EXPECT_EQ(value.type.shape->at(1).name, "sequence");
        }
    EXPECT_THAT(names, ElementsAre("input_ids", "attention_mask", "logits"));
}

TEST_F(OnnxExport, LargeWeightsAreInAFileBesideItBitForBit) {
    const fs::path model = own("llama_gqa");
    const families::ModelConfig config = families::read_config(read_file(model / "config.json"), "config.json").config;
    const exports::ExportedModel exported = exports::onnx_model(weights::open_model(model), config, model, 100'000);
    Progress progress;
    EXPECT_THAT(exported.write(folder_.path(), "m.onnx", progress), ElementsAre("m.onnx", "m.onnx_data"));
    EXPECT_LT(fs::file_size(file("m.onnx")), 50'000u);
    const onnx::ModelFile read = onnx::read_model(file("m.onnx"));
    const files::MappedFile data(file("m.onnx_data"));
    const weights::SafetensorsFile stored(model / "model.safetensors");
    std::size_t compared = 0;
    for (const onnx::Tensor& tensor : read.model.graph.initializers) {
        const weights::TensorInfo* info = stored.find(tensor.name);
        if (info == nullptr)
            continue;
        ASSERT_TRUE(tensor.external) << tensor.name;
        EXPECT_EQ(tensor.external->location, "m.onnx_data");
        EXPECT_EQ(tensor.external->offset % 4096, 0u);
        EXPECT_EQ(test::sha256(data.bytes().subspan(tensor.external->offset, tensor.external->length.value())),
                  test::sha256(stored.bytes(*info)))
            << tensor.name;
        ++compared;
    }
    EXPECT_EQ(compared, 6u) << "the table and five norms, which are not transposed";
}

TEST_F(OnnxExport, ModelsWithoutOperatorsAreRefusedWithTheirReason) {
    EXPECT_THAT(refusal(own("speech_models/stable")),
                says("the model cannot be written as ONNX: {}",
                     says("speech_pretraining masks its input at random and has no output but its loss")));
    EXPECT_THAT(refusal(own("adapters/llama_gqa")), HasSubstr("is an adapter: write the model with it"));
    test::TemporaryFolder other;
    weights::write_safetensors(other.path() / "model.safetensors", {});
    for (const auto& [type, reason] :
         {std::pair(json{{"model_type", "plugin"}, {"plugin", "mlp"}}, "code of a plug-in computes it"),
          {json{{"model_type", "torchscript"}}, "it is a TorchScript file"}}) {
        std::ofstream(other.path() / "config.json") << type;
        EXPECT_THAT(refusal(other.path()), HasSubstr(reason));
    }
}

/// What onnxruntime computes of them is in golden/onnx_export.json, or proven by tests/interop/exports.
TEST_F(OnnxExport, SegformerChoicesAndDynamicPositionsHaveOperators) {
    const auto shape_of = [&](const fs::path& model) {
        write(model);
        std::string shape;
        for (const onnx::Dimension& size : *onnx::read_model(file()).model.graph.outputs.front().type.shape)
            shape += (size.name.empty() ? std::to_string(size.size.value_or(0)) : std::string(size.name)) + " ";
        return shape;
    };
    EXPECT_EQ(shape_of(own("segmentation_models/segformer")), "batch 5 rows columns ");
    EXPECT_EQ(shape_of(own("segmentation_models/segformer_classification")), "batch 4 ");
    EXPECT_EQ(shape_of(own("choice_models/bert_choices")), "batch choices ");
    test::TemporaryFolder other;
    for (const char* name : {"config.json", "model.safetensors"})
        fs::copy_file(own("llama_gqa") / name, other.path() / name);
    json config = json::parse(read_file(other.path() / "config.json"));
    for (const char* function : {"laplace", "gelu_10"}) {
        config["hidden_act"] = function;
        std::ofstream(other.path() / "config.json") << config;
        EXPECT_NO_THROW(write(other.path()));
    }
    config["rope_parameters"] = {{"rope_type", "dynamic"}, {"factor", 2.0}, {"rope_theta", 10000.0}};
    std::ofstream(other.path() / "config.json") << config;
    EXPECT_NO_THROW(write(other.path()));
}

TEST_F(OnnxExport, CancelledItLeavesTheEarlierFile) {
    write(own("llama_gqa"));
    const std::string before = read_file(file());
    for (std::uint64_t stop : {1u, 100'000u, 450'000u}) {
        Progress progress([&](std::uint64_t done, std::uint64_t) { return done < stop; });
        EXPECT_THROW(convert(conversion_of(own("qwen3")), progress), Cancelled);
        EXPECT_TRUE(read_file(file()) == before);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace trainyard::inspect
