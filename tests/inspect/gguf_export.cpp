// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to GGUF: values and tensors are those that llama.cpp's own converter writes (golden/gguf_export.json, by
// generate/gguf_export.py), tokenizers keep every token, and what cannot be written is refused before anything is.

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_file.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/safetensors.h"
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
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class GgufExport : public ::testing::Test {
  protected:
    static Conversion conversion_of(const fs::path& model, const fs::path& output, const std::string& type) {
        Conversion conversion;
        conversion.sources = {model};
        conversion.output = output;
        conversion.program = Conversion::Program::llama_cpp;
        conversion.gguf_type = type;
        return conversion;
    }
    Converted write(const fs::path& model, const std::string& type, const std::string& name = "out.gguf") {
        Progress progress;
        return convert(conversion_of(model, file(name), type), progress);
    }
    fs::path file(const std::string& name = "out.gguf") const { return folder_.path() / name; }

    /// A copy of a golden model that a test changes.
    fs::path copy_of(const std::string& model) const {
        fs::path copy = folder_.path() / "model";
        fs::create_directories(copy);
        for (const char* name : {"config.json", "model.safetensors"})
            fs::copy_file(test::own_golden("models") / model / name, copy / name, fs::copy_options::overwrite_existing);
        return copy;
    }
    static void set(const fs::path& model, const std::string& key, const json& value) {
        json config = json::parse(read_file(model / "config.json"));
        config[key] = value;
        std::ofstream(model / "config.json") << config;
    }
    /// A model of 700 tokens with a golden tokenizer.
    fs::path wide_vocabulary(const std::string& tokenizer) const {
        fs::path model = copy_of("llama_gqa");
        const weights::SafetensorsFile stored(own("llama_gqa") / "model.safetensors");
        std::vector<weights::TensorToWrite> tensors;
        const std::vector<float> table(700 * 64, 0.5F);
        for (const weights::TensorInfo& tensor : stored.tensors())
            tensors.push_back(
                tensor.name == "lm_head.weight" || tensor.name == "model.embed_tokens.weight"
                    ? weights::TensorToWrite{tensor.name, "F32", {700, 64}, std::as_bytes(std::span(table))}
                    : weights::TensorToWrite{tensor.name, tensor.dtype, tensor.shape, stored.bytes(tensor)});
        weights::write_safetensors(model / "model.safetensors", tensors);
        set(model, "vocab_size", 700);
        set(model, "bos_token_id", 0);
        fs::copy_file(test::own_golden("tokenizers") / tokenizer / "tokenizer.json", model / "tokenizer.json",
                      fs::copy_options::overwrite_existing);
        std::ofstream(model / "tokenizer_config.json")
            << (tokenizer == "llama2_bpe_fallback" ? R"({"bos_token": "<s>"})"
                                                   : R"({"chat_template": "{{ messages }}"})");
        return model;
    }
    static fs::path own(const std::string& model) { return test::own_golden("models") / model; }

    /// The message with which an export is refused; nothing is written then.
    std::string refusal(const fs::path& model, const std::string& type = "f32") {
        try {
            write(model, type);
        } catch (const UserError& error) {
            EXPECT_FALSE(fs::exists(file()));
            EXPECT_THAT(leftovers(), IsEmpty());
            return error.what();
        }
        ADD_FAILURE() << "was written";
        return {};
    }
    std::vector<std::string> leftovers() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
            if (entry.path().filename().string().starts_with('.'))
                names.push_back(entry.path().filename().string());
        return names;
    }

    test::TemporaryFolder folder_;
};

struct Read {
    explicit Read(const fs::path& path)
        : file(path), header(weights::read_gguf_header(file.bytes(), file.bytes().size(), path.string())) {
        for (const auto& [key, value] : header.values)
            values.emplace(key, value);
        for (const weights::GgufTensor& tensor : header.tensors)
            tensors.emplace(tensor.name, &tensor);
    }
    std::span<const std::byte> bytes(const weights::GgufTensor& tensor) const {
        return file.bytes().subspan(tensor.begin, tensor.bytes);
    }
    files::MappedFile file;
    weights::GgufHeader header;
    std::map<std::string, std::string> values;
    std::map<std::string, const weights::GgufTensor*> tensors;
};

/// Sizes in front that are 1 make no difference to ggml, which has four of each tensor.
std::vector<std::int64_t> sizes_of(std::vector<std::int64_t> shape) {
    while (shape.size() > 1 && shape.front() == 1)
        shape.erase(shape.begin());
    return shape;
}

void expect_value(const json& expected, const std::string& found) {
    if (expected.is_number_float())
        EXPECT_NEAR(std::stod(found), expected.get<double>(), 1e-6 * std::fabs(expected.get<double>()));
    else
        EXPECT_EQ(found, expected.is_string() ? expected.get<std::string>() : expected.dump());
}

TEST_F(GgufExport, IsWhatTheConverterOfLlamaCppWrites) {
    const json cases = json::parse(read_file(test::own_golden("gguf_export.json")));
    EXPECT_GE(cases.size(), 12u);
    for (const json& one : cases) {
        SCOPED_TRACE(one.at("model").get<std::string>() + " " + one.at("type").get<std::string>());
        write(test::own_golden(one.at("model")), one.at("type"));
        const Read read(file());
        for (const auto& [key, value] : one.at("values").items()) {
            SCOPED_TRACE(key);
            ASSERT_TRUE(read.values.contains(key));
            expect_value(value, read.values.at(key));
        }
        EXPECT_EQ(read.tensors.size(), one.at("tensors").size());
        for (const json& tensor : one.at("tensors")) {
            SCOPED_TRACE(tensor.at("name").get<std::string>());
            ASSERT_TRUE(read.tensors.contains(tensor.at("name")));
            const weights::GgufTensor& found = *read.tensors.at(tensor.at("name"));
            EXPECT_EQ(found.type, tensor.at("type").get<std::string>());
            EXPECT_EQ(sizes_of(found.shape), sizes_of(tensor.at("shape")));
            EXPECT_EQ(test::sha256(read.bytes(found)), tensor.at("sha256").get<std::string>());
        }
    }
}

TEST_F(GgufExport, TheTypeIsThatOfTheWeightsUnlessOneIsChosen) {
    write(own("llama_gqa"), "");
    EXPECT_EQ(Read(file()).values.at("general.file_type"), "0");
    Conversion half;
    half.sources = {own("llama_gqa")};
    half.output = folder_.path() / "half";
    half.dtype = "bf16";
    half.hugging_face = true;
    Progress progress;
    convert(half, progress);
    write(half.output, "");
    const Read read(file());
    EXPECT_EQ(read.tensors.at("blk.0.attn_q.weight")->type, "BF16");
    EXPECT_EQ(read.tensors.at("blk.0.attn_norm.weight")->type, "F32");
    // A training's checkpoint has fp32, and its exports the type that it started from.
    const fs::path checkpoint = copy_of("llama_gqa");
    std::ofstream(checkpoint / "export.json") << R"({"dtype": "float16"})";
    write(checkpoint, "");
    EXPECT_EQ(Read(file()).tensors.at("blk.0.attn_q.weight")->type, "F16");
}

/// A model whose rows are whole blocks of every type.
fs::path wide_model(const fs::path& folder) {
    fs::create_directories(folder);
    std::ofstream(folder / "config.json")
        << R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 64, "hidden_size": 256,
               "intermediate_size": 288, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2,
               "max_position_embeddings": 64, "tie_word_embeddings": false})";
    std::vector<weights::TensorToWrite> tensors;
    std::vector<std::vector<float>> values;
    const std::map<std::string, std::vector<std::int64_t>> shapes{
        {"model.embed_tokens.weight", {64, 256}},
        {"model.layers.0.self_attn.q_proj.weight", {256, 256}},
        {"model.layers.0.self_attn.k_proj.weight", {128, 256}},
        {"model.layers.0.self_attn.v_proj.weight", {128, 256}},
        {"model.layers.0.self_attn.o_proj.weight", {256, 256}},
        {"model.layers.0.mlp.gate_proj.weight", {288, 256}},
        {"model.layers.0.mlp.up_proj.weight", {288, 256}},
        {"model.layers.0.mlp.down_proj.weight", {256, 288}},
        {"model.layers.0.input_layernorm.weight", {256}},
        {"model.layers.0.post_attention_layernorm.weight", {256}},
        {"model.norm.weight", {256}},
        {"lm_head.weight", {64, 256}}};
    values.reserve(shapes.size());
    std::uint32_t state = 44;
    for (const auto& [name, shape] : shapes) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape)
            count *= size;
        std::vector<float>& of_tensor = values.emplace_back();
        for (std::int64_t i = 0; i < count; ++i) {
            state = state * 1664525u + 1013904223u;
            of_tensor.push_back(static_cast<float>(state >> 8) / 16777216.0F - 0.5F);
        }
        tensors.push_back({name, "F32", shape, std::as_bytes(std::span(of_tensor))});
    }
    weights::write_safetensors(folder / "model.safetensors", tensors);
    return folder;
}

std::map<std::string, std::vector<float>> floats_of(const fs::path& path) {
    std::map<std::string, std::vector<float>> all;
    const auto source = weights::open_weights(path);
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        EXPECT_EQ(source->tensors()[i].dtype, "F32");
        std::vector<float>& values = all[source->tensors()[i].name];
        source->stream(i, [&](std::span<const std::byte> piece) {
            const std::size_t had = values.size();
            values.resize(had + piece.size() / sizeof(float));
            std::memcpy(values.data() + had, piece.data(), piece.size());
        });
    }
    return all;
}

TEST_F(GgufExport, PackedWeightsAreCloseAndRowsThatAreNotWholeBlocksAreNamed) {
    const fs::path model = wide_model(folder_.path() / "wide");
    write(model, "f32", "plain.gguf");
    const auto plain = floats_of(file("plain.gguf"));
    // Of the range of the values, 1: half a step of the type.
    for (const auto& [type, ggml, rest, head, most] :
         {std::tuple("q8_0", "Q8_0", "Q8_0", "Q8_0", 0.003F), std::tuple("q6_k", "Q6_K", "Q8_0", "Q6_K", 0.02F),
          std::tuple("q5_k", "Q5_K", "Q5_1", "Q6_K", 0.035F), std::tuple("q4_k", "Q4_K", "Q5_0", "Q6_K", 0.06F),
          std::tuple("q5_1", "Q5_1", "Q5_1", "Q6_K", 0.025F), std::tuple("q5_0", "Q5_0", "Q5_0", "Q6_K", 0.035F),
          std::tuple("q4_1", "Q4_1", "Q4_1", "Q6_K", 0.04F), std::tuple("q4_0", "Q4_0", "Q4_0", "Q6_K", 0.07F)}) {
        SCOPED_TRACE(type);
        const Converted converted = write(model, type, std::string(type) + ".gguf");
        const Read read(file(std::string(type) + ".gguf"));
        EXPECT_EQ(read.tensors.at("blk.0.attn_q.weight")->type, ggml);
        EXPECT_EQ(read.tensors.at("token_embd.weight")->type, ggml);
        EXPECT_EQ(read.tensors.at("blk.0.ffn_down.weight")->type, rest) << "rows of 288 elements";
        EXPECT_EQ(read.tensors.at("output.weight")->type, head);
        EXPECT_EQ(read.tensors.at("output_norm.weight")->type, "F32");
        if (std::string_view(ggml) != rest) {
            EXPECT_THAT(converted.notes,
                        Contains(says("{} tensors whose rows are not whole blocks of {} are written as {}: {}", "1",
                                      ggml, rest, "blk.0.ffn_down.weight")));
        }
        for (const auto& [name, values] : floats_of(file(std::string(type) + ".gguf")))
            for (std::size_t i = 0; i < values.size(); ++i)
                ASSERT_NEAR(values[i], plain.at(name)[i], most) << name << " " << i;
    }
}

TEST_F(GgufExport, ExpectedBytesAreThoseOfTheFile) {
    const fs::path model = wide_model(folder_.path() / "wide");
    const Expected expected = expect(conversion_of(model, file(), "q4_k"));
    const Converted converted = write(model, "q4_k");
    EXPECT_EQ(expected.bytes, converted.written.bytes);
    EXPECT_EQ(expected.tensors, converted.written.tensors);
    EXPECT_EQ(converted.written.tensors, 12u);
    std::uint64_t stored = 0;
    for (const weights::GgufTensor& tensor : Read(file()).header.tensors)
        stored += tensor.bytes;
    EXPECT_EQ(expected.bytes, stored);
    EXPECT_EQ(converted.written.files, std::vector{file()});
}

TEST_F(GgufExport, AFolderGetsAFileAndAnEarlierFileIsReplaced) {
    write(own("llama_gqa"), "f32", "folder");
    EXPECT_TRUE(fs::exists(file("folder") / "model.gguf"));
    write(own("llama_gqa"), "q8_0", "folder");
    EXPECT_EQ(Read(file("folder") / "model.gguf").values.at("general.file_type"), "7");
    EXPECT_EQ(std::distance(fs::directory_iterator(file("folder")), fs::directory_iterator()), 1);
}

TEST_F(GgufExport, CancelledItLeavesTheEarlierFile) {
    write(own("llama_gqa"), "f32");
    const std::string before = read_file(file());
    for (std::uint64_t stop : {1u, 100'000u, 300'000u}) {
        Progress progress([&](std::uint64_t done, std::uint64_t) { return done < stop; });
        EXPECT_THROW(convert(conversion_of(own("llama_gqa"), file(), "f16"), progress), Cancelled);
        EXPECT_TRUE(read_file(file()) == before);
        EXPECT_THAT(leftovers(), IsEmpty());
    }
}

TEST_F(GgufExport, TokensOfBytesKeepTheirMergesAndTheirDivision) {
    for (const auto& [tokenizer, pre, adds_first] :
         {std::tuple("gpt2_bpe", "gpt-2", "false"), std::tuple("llama3_bpe", "llama-bpe", "true")}) {
        SCOPED_TRACE(tokenizer);
        const fs::path model = wide_vocabulary(tokenizer);
        write(model, "f32");
        const Read read(file());
        const json settings = json::parse(read_file(model / "tokenizer.json"));
        EXPECT_EQ(read.values.at("tokenizer.ggml.model"), "gpt2");
        EXPECT_EQ(read.values.at("tokenizer.ggml.pre"), pre);
        EXPECT_THAT(read.values.at("tokenizer.ggml.tokens"), HasSubstr("(700 items)"));
        EXPECT_THAT(read.values.at("tokenizer.ggml.merges"),
                    HasSubstr("(" + std::to_string(settings["model"]["merges"].size()) + " items)"));
        EXPECT_THAT(read.values.at("tokenizer.ggml.token_type"), HasSubstr("(700 items)"));
        EXPECT_EQ(read.values.at("tokenizer.ggml.add_bos_token"), adds_first);
        EXPECT_EQ(read.values.at("tokenizer.ggml.bos_token_id"), "0");
        EXPECT_EQ(read.values.at("tokenizer.chat_template"), "{{ messages }}");
    }
}

TEST_F(GgufExport, PiecesOfSentencePieceHaveScoresInTheOrderOfMerges) {
    const fs::path model = wide_vocabulary("llama2_bpe_fallback");
    write(model, "f32");
    const Read read(file());
    EXPECT_EQ(read.values.at("tokenizer.ggml.model"), "llama");
    EXPECT_THAT(read.values.at("tokenizer.ggml.tokens"), HasSubstr("<unk>, <s>, </s>, <0x00>"));
    // Unknown, control, control, bytes.
    EXPECT_THAT(read.values.at("tokenizer.ggml.token_type"), HasSubstr("[2, 3, 3, 6, 6, 6, 6, 6"));
    EXPECT_THAT(read.values.at("tokenizer.ggml.scores"), HasSubstr("(700 items)"));
    EXPECT_EQ(read.values.at("tokenizer.ggml.add_space_prefix"), "true");
    EXPECT_EQ(read.values.at("tokenizer.ggml.add_bos_token"), "true");
    EXPECT_FALSE(read.values.contains("tokenizer.ggml.merges"));
}

TEST_F(GgufExport, AnotherModelsTokenizerAndUnknownOnesAreRefused) {
    fs::path model = copy_of("llama_gqa");
    fs::copy_file(test::own_golden("tokenizers") / "gpt2_bpe" / "tokenizer.json", model / "tokenizer.json");
    EXPECT_THAT(refusal(model),
                says("{} has {} tokens, and the model has a table of {}: it is the tokenizer of another model",
                     model / "tokenizer.json", _, "384"));
    model = wide_vocabulary("bert_wordpiece");
    EXPECT_THAT(refusal(model), says("GGUF has no name for the tokenizer of {}: {}", model.string(),
                                     says("its model is {}, and those that can be written are BPE", "WordPiece")));
    model = wide_vocabulary("variant_split_next");
    EXPECT_THAT(refusal(model), says("GGUF has no name for the tokenizer of {}: {}", model.string(), _));
    // Like that of GPT-4o, with one alternative less.
    model = wide_vocabulary("variant_o200k");
    EXPECT_THAT(refusal(model), HasSubstr("it divides texts in a way that llama.cpp does not know"));
}

// --- what public reports about conversions to GGUF say, tried here ---

/// llama.cpp 15842 (tokens that fine-tuning added are lost), 6745 (a chat model never stops), 3442 (the table has more
/// rows than there are tokens).
TEST_F(GgufExport, AddedTokensEndTokensAndRowsWithoutATokenAreKept) {
    const fs::path model = wide_vocabulary("gpt2_bpe");
    json tokenizer = json::parse(read_file(model / "tokenizer.json"));
    const std::size_t end = tokenizer["model"]["vocab"].size() + tokenizer["added_tokens"].size() - 1;
    tokenizer["added_tokens"].push_back({{"id", end},
                                         {"content", "<my tag>"},
                                         {"single_word", false},
                                         {"lstrip", false},
                                         {"rstrip", false},
                                         {"normalized", false},
                                         {"special", false}});
    std::ofstream(model / "tokenizer.json") << tokenizer;
    std::ofstream(model / "tokenizer_config.json") << R"({"eos_token": {"content": "<|im_end|>"}})";
    std::ofstream(model / "generation_config.json") << R"({"eos_token_id": [561, 560]})";
    write(model, "f32");
    const Read read(file());
    EXPECT_EQ(read.values.at("tokenizer.ggml.eos_token_id"), "561");
    EXPECT_EQ(read.values.at("tokenizer.ggml.eot_token_id"), "560");
    // Lists are shown with their first items only, so the bytes are looked at.
    const std::string bytes = read_file(file());
    EXPECT_NE(bytes.find("<my tag>"), std::string::npos);
    EXPECT_NE(bytes.find("[PAD699]"), std::string::npos);
    const std::size_t kinds = bytes.find("tokenizer.ggml.token_type") + 25 + 4 + 4 + 8;
    const auto kind_of = [&](std::size_t id) {
        std::int32_t kind;
        std::memcpy(&kind, bytes.data() + kinds + id * sizeof kind, sizeof kind);
        return kind;
    };
    EXPECT_EQ(kind_of(5), 1);
    EXPECT_EQ(kind_of(561), 3);
    EXPECT_EQ(kind_of(end), 4) << "of a user";
    EXPECT_EQ(kind_of(699), 5) << "not used";
}

/// "Can not map tensor 'model.layers.0.mlp.down_proj.weight.absmax'": weights of bitsandbytes get their values.
TEST_F(GgufExport, QuantizedFoldersAreWrittenByTheirValues) {
    const fs::path model = wide_model(folder_.path() / "wide");
    Conversion quantize;
    quantize.sources = {model};
    quantize.output = folder_.path() / "nf4";
    quantize.hugging_face = true;
    quantize.quantize = Quantize{};
    Progress progress;
    convert(quantize, progress);
    write(model, "f32", "plain.gguf");
    write(quantize.output, "f32");
    const auto plain = floats_of(file("plain.gguf")), found = floats_of(file());
    EXPECT_EQ(found.size(), plain.size());
    for (const auto& [name, values] : found)
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], plain.at(name)[i], 0.09) << name;
}

/// Names that wrappers of modules made, and a head that config.json says is tied although it was trained apart.
TEST_F(GgufExport, WrappedNamesAndAHeadOfItsOwn) {
    const fs::path model = copy_of("qwen2_tied");
    const weights::SafetensorsFile stored(own("qwen2_tied") / "model.safetensors");
    std::vector<weights::TensorToWrite> tensors;
    const std::vector<float> head(300 * 48, 0.25F);
    for (const weights::TensorInfo& tensor : stored.tensors())
        tensors.push_back({"_orig_mod.module." + tensor.name, tensor.dtype, tensor.shape, stored.bytes(tensor)});
    tensors.push_back({"_orig_mod.module.lm_head.weight", "F32", {300, 48}, std::as_bytes(std::span(head))});
    weights::write_safetensors(model / "model.safetensors", tensors);
    write(model, "f32");
    const Read read(file());
    EXPECT_EQ(read.tensors.size(), 27u);
    EXPECT_TRUE(read.tensors.contains("output.weight"));
}

TEST_F(GgufExport, ModelsThatLlamaCppComputesDifferentlyAreRefused) {
    EXPECT_THAT(refusal(own("opt")),
                says("GGUF has no name for models of type '{}' that Trainyard writes: those are {}", "opt", _));
    EXPECT_THAT(refusal(own("bert_classification")), HasSubstr("'bert'"));
    EXPECT_THAT(refusal(own("qwen2_moe_dense_blocks")), HasSubstr("some of its blocks have no experts"));
    fs::path model = copy_of("llama_gqa");
    set(model, "hidden_act", "gelu");
    set(model, "rope_parameters", {{"rope_type", "dynamic"}, {"factor", 2.0}, {"rope_theta", 10000.0}});
    EXPECT_THAT(refusal(model), says("llama.cpp would compute the model of {} differently: {}", model.string(),
                                     says("its activation function is {}, and that of the architecture {} is {}",
                                          "gelu", "llama", "silu")
                                         .before("; rope_type is dynamic")));
    model = copy_of("gpt2");
    set(model, "scale_attn_by_inverse_layer_idx", true);
    EXPECT_THAT(refusal(model), HasSubstr("the scores of its attention have another scale"));
}

TEST_F(GgufExport, AdaptersHaveTheirScaleAndChangeMatricesOnly) {
    const fs::path adapter = folder_.path() / "adapter";
    fs::copy(test::own_golden("adapters") / "llama_gqa", adapter);
    json config = json::parse(read_file(adapter / "adapter_config.json"));
    config["base_model_name_or_path"] = own("llama_gqa").string();
    const auto values_with = [&](bool rank_stabilised) {
        config["use_rslora"] = rank_stabilised;
        std::ofstream(adapter / "adapter_config.json") << config;
        write(adapter, "f32");
        return floats_of(file()).at("blk.1.attn_q.weight.lora_b");
    };
    const std::vector<float> plain = values_with(false), stabilised = values_with(true);
    ASSERT_EQ(plain.size(), 128u);
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_FLOAT_EQ(stabilised[i], plain[i] * std::sqrt(2.0F)) << "alpha / root of the rank 2";
    fs::remove(file());
    EXPECT_THAT(refusal(test::own_golden("lora_parameters") / "experts"), HasSubstr("changes those of experts"));
    fs::remove(adapter / "adapter_config.json");
    config["base_model_name_or_path"] = "no/such/model";
    std::ofstream(adapter / "adapter_config.json") << config;
    EXPECT_THAT(refusal(adapter), HasSubstr("has no config.json"));
}

TEST_F(GgufExport, BadInputIsOneMessage) {
    EXPECT_THAT(refusal(own("llama_gqa"), "q3"),
                says("'{}' is not a type of GGUF that can be written: choose one of {}", "q3", _));
    fs::path model = copy_of("llama_gqa");
    fs::remove(model / "config.json");
    EXPECT_THAT(refusal(model), says("{} has no config.json, which says what the model computes: put it beside the "
                                     "weights",
                                     model.string()));
    model = copy_of("llama_gqa");
    set(model, "num_hidden_layers", 3);
    EXPECT_THAT(refusal(model), HasSubstr("has no tensor model.layers.2."));
    model = copy_of("llama_gqa");
    set(model, "intermediate_size", 128);
    EXPECT_THAT(refusal(model), says("{} has the shape [{}] in {}, and its config.json gives it [{}]",
                                     "model.layers.0.mlp.gate_proj.weight", "96, 64", model.string(), "128, 64"));
    Conversion conversion = conversion_of(own("llama_gqa"), file(), "f32");
    conversion.dtype = "bf16";
    Progress progress;
    EXPECT_THROW(convert(conversion, progress), UserError);
}

TEST_F(GgufExport, NumbersThatATypeCannotHoldAreNamed) {
    const fs::path model = copy_of("llama_gqa");
    const auto change = [&](float value) {
        const weights::SafetensorsFile stored(own("llama_gqa") / "model.safetensors");
        std::vector<weights::TensorToWrite> tensors;
        std::vector<float> changed;
        for (const weights::TensorInfo& tensor : stored.tensors())
            tensors.push_back({tensor.name, tensor.dtype, tensor.shape, stored.bytes(tensor)});
        for (weights::TensorToWrite& tensor : tensors)
            if (tensor.name == "lm_head.weight") {
                changed.resize(tensor.bytes.size() / sizeof(float));
                std::memcpy(changed.data(), tensor.bytes.data(), tensor.bytes.size());
                changed[7] = value;
                tensor.bytes = std::as_bytes(std::span(changed));
            }
        weights::write_safetensors(model / "model.safetensors", tensors);
    };
    change(1e6F);
    EXPECT_THAT(refusal(model, "f16"),
                says("{} has numbers that F16 cannot hold: choose bf16 or f32", "output.weight"));
    change(1e9F);
    EXPECT_THAT(refusal(model, "q8_0"),
                says("{} has numbers that are too large for {}: choose bf16 or f32", "output.weight", "Q8_0"));
    change(std::numeric_limits<float>::quiet_NaN());
    EXPECT_THAT(refusal(model, "q8_0"),
                says("{} has numbers that are not finite, and cannot be quantized", "output.weight"));
    write(model, "f32");
}

}  // namespace
}  // namespace trainyard::inspect
