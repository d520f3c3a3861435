// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of bitsandbytes' layout (golden/quantization: load_and_quantize, qlora): written as Accelerate and
// transformers write them, and read by values.

#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/quantization/quantized_source.h"
#include "golden_topic.h"
#include "models/spec/config_file.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/statistics.h"
#include "support/golden.h"
#include "support/sha256.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using test::Json;

fs::path own(const std::string& name) {
    return test::own_golden("quantization") / name;
}

std::vector<std::byte> bytes_of(const weights::WeightSource& source, std::size_t tensor) {
    std::vector<std::byte> bytes;
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

class QuantizedFolders : public ::testing::Test {
  protected:
    fs::path quantize(const fs::path& source, const Quantize& how, const std::string& dtype) {
        const fs::path output = folder_.path() / ("out" + std::to_string(++count_));
        Conversion conversion;
        conversion.sources = {source};
        conversion.output = output;
        conversion.dtype = dtype;
        conversion.hugging_face = true;
        conversion.quantize = how;
        Progress progress;
        convert(conversion, progress);
        return output;
    }

    test::TemporaryFolder folder_;
    int count_ = 0;
};

/// What the cases have that this command does not offer: modules that stay in fp32, models in pieces, a quantized head.
bool is_offered(const Json& one) {
    return one.contains("saved") && !one.at("config").contains("keep_in_fp32_modules") &&
           !(one.at("config").contains("skip_modules") && one.at("config").at("skip_modules").empty());
}

TEST_F(QuantizedFolders, NamesTypesAndBytesAreAcceleratesOwn) {
    std::ifstream file(own("load_and_quantize") / "cases.json");
    std::size_t seen = 0;
    for (const Json& one : Json::parse(file)) {
        if (!is_offered(one))
            continue;
        SCOPED_TRACE(one.at("name").get<std::string>());
        const Json& config = one.at("config");
        const bool eight = config.value("load_in_8bit", false);
        const Quantize how{.weights = {.method = eight ? "int8" : config.value("bnb_4bit_quant_type", "fp4"),
                                       .double_quant = config.value("bnb_4bit_use_double_quant", false)}};
        const std::string usual = eight ? "fp16" : config.value("bnb_4bit_compute_dtype", "fp16");
        const fs::path output = quantize(own("load_and_quantize") / "base", how, config.value("torch_dtype", usual));
        const weights::SafetensorsFile written(output / "model.safetensors");
        EXPECT_EQ(written.tensors().size(), one.at("saved").size());
        for (const auto& [name, expected] : one.at("saved").items()) {
            SCOPED_TRACE(name);
            const weights::TensorInfo* info = written.find(name);
            ASSERT_NE(info, nullptr);
            EXPECT_EQ(info->dtype, test::stored_dtype(expected.at("dtype")));
            // The text of the state has the mean of the magnitudes, whose last bits depend on the order of the sum.
            const bool has_mean = how.weights.double_quant && name.find(".quant_state.") != std::string::npos;
            if (!has_mean) {
                EXPECT_EQ(info->shape, expected.at("shape").get<std::vector<std::int64_t>>());
            }
            const std::string hash = expected.value("sha256_nearest", expected.at("sha256").get<std::string>());
            if (!has_mean && !name.ends_with(".nested_absmax")) {
                EXPECT_EQ(test::sha256(written.bytes(*info)), hash);
            }
        }
        ++seen;
    }
    EXPECT_GE(seen, 3u);
}

TEST_F(QuantizedFolders, TheConfigurationIsTransformersOwn) {
    for (const char* name : {"nf4_double", "nf4_compute_bf16", "fp4_all_linear", "int8"}) {
        SCOPED_TRACE(name);
        const Json theirs = Json::parse(read_file(own("qlora") / name / "quantised" / "config.json"));
        const Json& expected = theirs.at("quantization_config");
        const bool eight = expected.at("load_in_8bit");
        const families::BitsandbytesConfig ours{
            .method = eight ? "int8" : expected.at("bnb_4bit_quant_type").get<std::string>(),
            .double_quant = expected.at("bnb_4bit_use_double_quant"),
            .compute_dtype = expected.at("bnb_4bit_compute_dtype")};
        EXPECT_EQ(Json::parse(families::with_quantization("{}", ours)).at("quantization_config"), expected);
    }
}

/// Their folders are read by the values that their own 4-bit and 8-bit layers decode, which are near those of the base.
TEST_F(QuantizedFolders, TheirFoldersAreReadByValues) {
    const auto base = weights::open_model(own("qlora") / "base");
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < base->tensors().size(); ++i)
        numbers[base->tensors()[i].name] = i;
    for (const char* name : {"nf4_double", "nf4_compute_bf16", "fp4_all_linear", "int8"}) {
        SCOPED_TRACE(name);
        const fs::path folder = own("qlora") / name / "quantised";
        const auto read = weights::open_model(folder);
        EXPECT_EQ(read->tensors().size(), base->tensors().size());
        for (std::size_t i = 0; i < read->tensors().size(); ++i) {
            const weights::SourceTensor& tensor = read->tensors()[i];
            SCOPED_TRACE(tensor.name);
            ASSERT_TRUE(numbers.contains(tensor.name));
            const weights::SourceTensor& of_base = base->tensors()[numbers[tensor.name]];
            EXPECT_EQ(tensor.shape, of_base.shape);
            std::vector<float> ours(tensor.bytes / weights::dtype_size(tensor.dtype)), theirs(ours.size());
            weights::decode_elements(tensor.dtype, bytes_of(*read, i), ours);
            weights::decode_elements(of_base.dtype, bytes_of(*base, numbers[tensor.name]), theirs);
            double distance = 0, size = 0;
            for (std::size_t k = 0; k < ours.size(); ++k) {
                distance += std::pow(static_cast<double>(ours[k] - theirs[k]), 2);
                size += std::pow(static_cast<double>(theirs[k]), 2);
            }
            EXPECT_LE(std::sqrt(distance / size), std::string(name) == "int8" ? 0.01 : 0.15);
        }
        EXPECT_TRUE(families::read_config(read_file(folder / "config.json"), "config.json").refused.empty());
    }
}

TEST_F(QuantizedFolders, WhatIsWrittenIsReadAgain) {
    for (const Quantize& how : {Quantize{.weights = {"nf4", true}}, Quantize{.weights = {"fp4", false}},
                                Quantize{.weights = {"int8", false}, .skip = {"v_proj"}}}) {
        const fs::path output = quantize(own("qlora") / "base", how, "");
        const auto read = weights::open_model(output);
        const auto base = weights::open_model(own("qlora") / "base");
        ASSERT_EQ(read->tensors().size(), base->tensors().size());
        const Json config = Json::parse(read_file(output / "config.json")).at("quantization_config");
        EXPECT_EQ(config.at("load_in_8bit").get<bool>(), how.weights.method == "int8");
        const weights::SafetensorsFile file(output / "model.safetensors");
        EXPECT_EQ(file.find("model.layers.0.self_attn.v_proj.weight")->dtype, how.skip.empty() ? "U8" : "BF16");
        EXPECT_EQ(file.find("lm_head.weight")->dtype, "BF16");
        EXPECT_THROW(quantize(output, how, ""), UserError) << "it is quantized already";
    }
}

TEST_F(QuantizedFolders, DamagedFoldersAreRefused) {
    const fs::path output = quantize(own("qlora") / "base", {.weights = {"nf4", false}}, "");
    const weights::SafetensorsFile whole(output / "model.safetensors");
    const auto without = [&](const std::string& ending) {
        std::vector<weights::TensorToWrite> kept;
        for (const weights::TensorInfo& tensor : whole.tensors())
            if (!tensor.name.ends_with(ending))
                kept.push_back({tensor.name, tensor.dtype, tensor.shape, whole.bytes(tensor)});
        const fs::path damaged = folder_.path() / ("without" + ending);
        fs::create_directories(damaged);
        weights::write_safetensors(damaged / "model.safetensors", kept);
        return damaged;
    };
    EXPECT_THROW(weights::open_model(without("0.mlp.up_proj.weight.absmax")), UserError);
    EXPECT_THROW(weights::open_model(without("0.mlp.up_proj.weight.quant_map")), UserError);
}

TEST_F(QuantizedFolders, TheCheckpointBrowserShowsValuesAndMagnitudes) {
    for (const char* name : {"nf4_double", "nf4_compute_bf16", "fp4_all_linear", "int8"}) {
        SCOPED_TRACE(name);
        const fs::path folder = own("qlora") / name / "quantised";
        const auto expected = weights::open_model(folder);
        std::map<std::string, std::size_t> numbers;
        for (std::size_t i = 0; i < expected->tensors().size(); ++i)
            numbers[expected->tensors()[i].name] = i;
        const Contents contents = read_contents(folder);
        const Reader reader(contents);
        ASSERT_EQ(reader.quantized().problem().text(), "");
        const std::string method = std::string(name).substr(0, std::string(name).find('_'));
        std::map<std::size_t, Statistics> figures;
        Progress progress;
        statistics_pass(
            reader, {}, [&](std::size_t tensor, const Statistics& one) { figures[tensor] = one; }, progress);
        std::size_t seen = 0;
        for (std::size_t i = 0; i < contents.tensors.size(); ++i) {
            const Tensor& tensor = contents.tensors[i];
            SCOPED_TRACE(tensor.name);
            EXPECT_EQ(reader.quantized().is_part(i),
                      tensor.section == Section::weights && !numbers.contains(tensor.name));
            if (!reader.quantized().is_quantized(i))
                continue;
            ++seen;
            EXPECT_EQ(reader.quantized().method(i), method);
            const std::size_t number = numbers.at(tensor.name);
            const weights::SourceTensor& info = expected->tensors()[number];
            EXPECT_EQ(reader.quantized().shape(i), info.shape);
            std::vector<float> values(info.bytes / weights::dtype_size(info.dtype));
            weights::decode_elements(info.dtype, bytes_of(*expected, number), values);
            EXPECT_EQ(reader.values(tensor, 0, values.size()), values);
            EXPECT_EQ(reader.values(tensor, 37, 100), std::vector<float>(values.begin() + 37, values.begin() + 137));
            EXPECT_EQ(figures.at(i).elements, values.size());
            EXPECT_EQ(figures.at(i).max, static_cast<double>(*std::ranges::max_element(values)));
            EXPECT_EQ(figures.at(i).min, static_cast<double>(*std::ranges::min_element(values)));
            const std::vector<float> magnitudes = reader.quantized().magnitudes(i);
            EXPECT_EQ(magnitudes.size(),
                      method == "int8" ? static_cast<std::size_t>(info.shape[0]) : (values.size() + 63) / 64);
            EXPECT_GT(*std::ranges::min_element(magnitudes), 0);
        }
        EXPECT_GE(seen, 4u);
    }
}

TEST_F(QuantizedFolders, OtherModelsAndMethodsAreRefused) {
    const fs::path source = folder_.path() / "bert";
    fs::create_directories(source);
    std::ofstream(source / "config.json") << R"({"model_type": "bert", "hidden_size": 4, "num_hidden_layers": 1,
        "num_attention_heads": 1, "intermediate_size": 4, "vocab_size": 8, "max_position_embeddings": 8})";
    const std::vector<float> values(16);
    weights::write_safetensors(
        source / "model.safetensors",
        {{"encoder.layer.0.attention.self.query.weight", "F32", {4, 4}, std::as_bytes(std::span(values))}});
    EXPECT_THROW(quantize(source, {}, ""), UserError);
    Json config = Json::parse(read_file(own("qlora") / "base" / "config.json"));
    config["quantization_config"] = {{"quant_method", "gptq"}, {"bits", 4}};
    const auto read = families::read_config(config.dump(), "config.json");
    ASSERT_EQ(read.refused.size(), 1u);
    EXPECT_NE(read.refused[0].text().find("gptq"), std::string::npos);
}

TEST_F(QuantizedFolders, EveryKeyOfAConfigurationIsKnown) {
    const Json config = Json::parse(read_file(own("qlora") / "nf4_double" / "quantised" / "config.json"));
    struct Row {
        const char* key;
        Json value;
        const char* message;
    };
    for (const Row& row :
         {Row{"bnb_4bit_quant_type", "nf3",
              "quantization_config.bnb_4bit_quant_type is \"nf3\": it must be nf4 or fp4"},
          Row{"load_in_4bit", "yes", "quantization_config.load_in_4bit is \"yes\": it must be true or false"},
          Row{"llm_int8_threshold", -1, "quantization_config.llm_int8_threshold is -1: it must be a magnitude"},
          Row{"load_in_8bit", true, "quantization_config asks for 4 and for 8 bits"},
          Row{"bnb_4bit_rotation", true, "quantization_config.bnb_4bit_rotation is not a key of bitsandbytes'"}}) {
        SCOPED_TRACE(row.key);
        Json changed = config;
        changed["quantization_config"][row.key] = row.value;
        const std::vector<Message> refused = families::read_config(changed.dump(), "config.json").refused;
        ASSERT_EQ(refused.size(), 1u);
        EXPECT_TRUE(refused.front().text().starts_with(row.message)) << refused.front().text();
    }
}

TEST_F(QuantizedFolders, NumbersThatAreNotFiniteAreRefused) {
    const fs::path source = folder_.path() / "nan";
    fs::create_directories(source);
    fs::copy(own("qlora") / "base" / "config.json", source / "config.json");
    const weights::SafetensorsFile whole(own("qlora") / "base" / "model.safetensors");
    std::vector<weights::TensorToWrite> tensors;
    std::vector<std::byte> damaged;
    for (const weights::TensorInfo& tensor : whole.tensors()) {
        tensors.push_back({tensor.name, tensor.dtype, tensor.shape, whole.bytes(tensor)});
        if (tensor.name == "model.layers.1.mlp.up_proj.weight") {
            damaged.assign(tensors.back().bytes.begin(), tensors.back().bytes.end());
            damaged[6] = std::byte{0xc0};  // the fourth bfloat16 is NaN
            damaged[7] = std::byte{0x7f};
            tensors.back().bytes = damaged;
        }
    }
    weights::write_safetensors(source / "model.safetensors", tensors);
    EXPECT_THROW(quantize(source, {}, ""), UserError);
}

}  // namespace
}  // namespace trainyard::inspect
