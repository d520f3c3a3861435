// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard estimate-memory`: the table line by line, from a folder called as the golden case calls its model.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class EstimateMemory : public testing::Test {
  protected:
    Said estimate(std::vector<std::string> words) {
        words.insert(words.begin(), {TRAINYARD_BIN_DIR "/trainyard", "estimate-memory"});
        std::string folder = folder_.path().string();
        return Program(words,
                       [folder] {
                           // No model of a hub.
                           ::setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
                           ::setenv("no_proxy", "*", 1);
                           ::setenv("HF_HOME", folder.c_str(), 1);
                           ::setenv("HOME", folder.c_str(), 1);
                           if (::chdir(folder.c_str()) != 0)
                               ::_exit(126);
                       })
            .wait();
    }
    void write(const fs::path& file, const Json& content) {
        fs::create_directories((folder_.path() / file).parent_path());
        std::ofstream(folder_.path() / file) << content;
    }
    test::TemporaryFolder folder_;
};

std::string without_padding(std::string table) {
    std::erase(table, ' ');
    for (std::size_t at; (at = table.find("─")) != std::string::npos;)
        table.erase(at, std::string("─").size());
    return table;
}

// Names without those of wrappers are what is counted, with the note that every reader gives.
TEST_F(EstimateMemory, NamesOfWrappersAreLeftOutWithANote) {
    const std::vector<float> values(12);
    const auto file = [&](const std::string& name, const std::string& wrapper) {
        std::vector<weights::TensorToWrite> tensors;
        for (const char* tensor : {"h.0.w", "h.1.w", "head"})
            tensors.push_back({wrapper + tensor, "F32", {3, 4}, std::as_bytes(std::span(values))});
        weights::write_safetensors(folder_.path() / name, tensors);
    };
    file("plain.safetensors", "");
    file("wrapped.safetensors", "module._orig_mod.");
    const Said plain = estimate({"plain.safetensors", "--json"}), wrapped = estimate({"wrapped.safetensors", "--json"});
    ASSERT_EQ(wrapped.code, 0) << wrapped.err;
    Json expected = Json::parse(plain.out), found = Json::parse(wrapped.out);
    EXPECT_FALSE(expected.contains("notes"));
    EXPECT_THAT(found["notes"].at(0).get<std::string>(),
                testing::AllOf(HasSubstr("wrapped.safetensors"),
                               says("{} has names of wrapped modules, whose part {} was left out", _,
                                    EndsWith("_orig_mod. module."))));
    found.erase("notes");
    found["model"] = expected["model"];
    EXPECT_EQ(found, expected);
    EXPECT_THAT(estimate({"wrapped.safetensors"}).err,
                says("{} has names of wrapped modules, whose part {} was left out", _, _));
    EXPECT_EQ(estimate({"plain.safetensors"}).err, "");
}

TEST_F(EstimateMemory, PrintsAcceleratesTable) {
    int compared = 0;
    Json cases = Json::array();
    for (const char* file : {"estimate.json", "estimate_multimodal.json"}) {
        const Json golden = Json::parse(std::ifstream(test::golden(file)));
        cases.insert(cases.end(), golden["cases"].begin(), golden["cases"].end());
    }
    for (const Json& entry : cases) {
        const Json& input = entry["input"];
        const Json& expected = entry["expected"];
        // Only models whose weights nobody shares: Accelerate counts shared ones once for each user.
        if (expected.contains("error") || expected["with_sharing"]["total_bytes"] != expected["total_bytes"])
            continue;
        SCOPED_TRACE(entry["id"].get<std::string>());
        auto name = input["model_name"].get<std::string>();
        Json config = input["config"];
        if (input["auto_class"] != "AutoModel")
            config["auto_map"][input["auto_class"].get<std::string>()] = "of the repository";
        write(fs::path(name) / "config.json", config);
        std::string table;
        for (const Json& line : expected["table"])
            table += line.get<std::string>() + "\n";
        Said said = estimate({name});
        EXPECT_EQ(said.code, 0) << said.err;
        const std::size_t hints = said.out.find("Inference takes up to 20 % more than the total size.\n");
        ASSERT_NE(hints, std::string::npos) << said.out;
        said.out.resize(hints);
        // Accelerate widens the last column by too little where the title is longer than the frame; ours is straight.
        auto width = [](const Json& line) {
            const std::string text = line;
            return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
        };
        const bool crooked = width(expected["table"][0]) != width(expected["table"][1]);
        EXPECT_EQ(crooked ? without_padding(said.out) : said.out, crooked ? without_padding(table) : table);
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

/// The table of Accelerate's guide for timm/resnet50.a1_in1k, from the header of a file that has timm's names and
/// shapes.
TEST_F(EstimateMemory, ModelsOfTimmAreThoseOfTheGuide) {
    nlohmann::ordered_json header;
    std::uint64_t end = 0;
    const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        std::uint64_t bytes = 4;
        for (const std::int64_t size : shape)
            bytes *= static_cast<std::uint64_t>(size);
        header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {end, end + bytes}}};
        end += bytes;
    };
    const auto convolve = [&](const std::string& name, const std::string& norm, std::int64_t in, std::int64_t out,
                              std::int64_t side) {
        add(name + ".weight", {out, in, side, side});
        for (const char* each : {".weight", ".bias", ".running_mean", ".running_var"})
            add(norm + each, {out});
        add(norm + ".num_batches_tracked", {});
    };
    convolve("conv1", "bn1", 3, 64, 7);
    std::int64_t in = 64;
    for (const auto& [stage, blocks, width] : {std::tuple{1, 3, 64}, {2, 4, 128}, {3, 6, 256}, {4, 3, 512}})
        for (int block = 0; block < blocks; ++block) {
            const std::string name = "layer" + std::to_string(stage) + "." + std::to_string(block) + ".";
            convolve(name + "conv1", name + "bn1", in, width, 1);
            convolve(name + "conv2", name + "bn2", width, width, 3);
            convolve(name + "conv3", name + "bn3", width, 4 * width, 1);
            if (block == 0)
                convolve(name + "downsample.0", name + "downsample.1", in, 4 * width, 1);
            in = 4 * width;
        }
    add("fc.weight", {1000, 2048});
    add("fc.bias", {1000});
    write("timm/resnet50.a1_in1k/config.json", {{"architecture", "resnet50"}, {"num_classes", 1000}});
    const fs::path file = folder_.path() / "timm/resnet50.a1_in1k/model.safetensors";
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t size = text.size();
    std::ofstream(file, std::ios::binary) << std::string(reinterpret_cast<const char*>(&size), 8) << text;
    fs::resize_file(file, 8 + size + end);  // no room on the disk
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"timm/resnet50.a1_in1k"}, {"timm/resnet50.a1_in1k", "--library_name", "timm"}}) {
        const Said said = estimate(words);
        ASSERT_EQ(said.code, 0) << said.err;
        const std::string table = without_padding(said.out);
        for (const char* row : {"float32│9.0MB│97.7MB│390.78MB", "float16│4.5MB│48.85MB│195.39MB",
                                "int8│2.25MB│24.42MB│N/A", "int4│1.12MB│12.21MB│N/A"})
            EXPECT_THAT(table, HasSubstr(row));
        EXPECT_THAT(said.out, HasSubstr("(int8: 97.7 MB, int4: 48.85 MB)"));
    }
    const Said json = estimate({"timm/resnet50.a1_in1k", "--dtypes", "float32", "--json"});
    const Json row = Json::parse(json.out)["rows"]["float32"];
    EXPECT_DOUBLE_EQ(row["inference_at_most"], 1.2 * row["total"].get<double>());
    EXPECT_THAT(estimate({"timm/resnet50.a1_in1k", "--library_name", "transformers"}).err, HasSubstr("model_type"));
}

/// Issue 3665 of huggingface/accelerate: a path that no shell has expanded.
TEST_F(EstimateMemory, ATildeIsTheHomeFolder) {
    write("m/config.json", {{"model_type", "gpt2"}});
    const Said here = estimate({"m", "--json"}), home = estimate({"~/m", "--json"});
    ASSERT_EQ(home.code, 0) << home.err;
    EXPECT_EQ(Json::parse(home.out)["rows"], Json::parse(here.out)["rows"]);
}

TEST_F(EstimateMemory, RowsInTheOrderGiven) {
    write("m/config.json", {{"model_type", "gpt2"}});
    Said said = estimate({"m", "--dtypes", "int4", "float32", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    auto rows = nlohmann::ordered_json::parse(said.out)["rows"];
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows.begin().key(), "int4");
    EXPECT_FALSE(rows["int4"].contains("training"));
    EXPECT_TRUE(rows["float32"].contains("training"));
}

TEST_F(EstimateMemory, PackedWeightsHaveTheirMagnitudes) {
    write("m/config.json", {{"model_type", "gpt2"}});
    const Said said = estimate({"m", "--dtypes", "float32", "bfloat16", "fp8", "nf4", "fp4", "nf4_double", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    const Json rows = Json::parse(said.out)["rows"];
    const double whole = rows["float32"]["total"];
    // A magnitude of 4 bytes for 64 elements; with double quantization a byte for 64, and 4 bytes for 64 * 256.
    for (const auto& [dtype, bytes] : std::map<std::string, double>{
             {"bfloat16", 2}, {"fp8", 1}, {"nf4", 0.5625}, {"fp4", 0.5625}, {"nf4_double", 0.515869140625}}) {
        EXPECT_DOUBLE_EQ(rows[dtype]["total"].get<double>(), whole * bytes / 4) << dtype;
        EXPECT_EQ(rows[dtype].contains("training"), dtype == "bfloat16") << dtype;
    }
    EXPECT_NE(estimate({"m", "--dtypes", "nf5"}).err.find("unknown dtype 'nf5'"), std::string::npos);
}

TEST_F(EstimateMemory, ALongNameWidensTheLastColumn) {
    std::string name(60, 'x');
    write(name + "/config.json", {{"model_type", "gpt2"}});
    std::string table = estimate({name}).out;
    table.resize(table.find("Inference takes"));
    // Accelerate's rule: cells of 49 columns and a frame of 54, of which the title's 87 are twice the difference more.
    const std::ptrdiff_t wide = 54 + 2 * (87 - 54);
    int lines = 0;
    for (std::size_t begin = 0; begin < table.size(); begin = table.find('\n', begin) + 1, ++lines) {
        std::string line = table.substr(begin, table.find('\n', begin) - begin);
        auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
        EXPECT_EQ(columns, wide) << line;
    }
    EXPECT_EQ(lines, 10) << "frame, title, head and four rows";
}

TEST_F(EstimateMemory, WhatItCannotDoIsOneSentence) {
    write("bert/config.json", {{"model_type", "bertt"}});
    write("bad/config.json", {{"model_type", "gpt2"}, {"n_layer", "many"}});
    write("heads/config.json", {{"model_type", "gpt2"}, {"n_embd", 10}, {"n_head", 3}});
    write("huge/config.json", {{"model_type", "gpt2"}, {"n_embd", 1000000000}, {"n_head", 1}, {"n_layer", 1000000000}});
    write("head/config.json", {{"model_type", "gpt2"}, {"auto_map", {{"AutoModelForMultipleChoice", "x"}}}});
    fs::create_directories(folder_.path() / "empty");
    EXPECT_THAT(estimate({"bert"}).err, says("{}: model_type '{}' is not known to this version{}", _, "bertt",
                                             says(": did you mean '{}'?", "bert").at_start()));
    EXPECT_THAT(estimate({"bad"}).err, HasSubstr("n_layer: \"many\" is not an integer"));
    EXPECT_THAT(estimate({"heads"}).err, says("n_embd ({}) must be a multiple of n_head ({})", 10, 3));
    EXPECT_THAT(estimate({"huge"}).err, says("{} describes a model of {:.2g} parameters: check its numbers", _, _));
    EXPECT_THAT(estimate({"head"}).err, HasSubstr("AutoModelForMultipleChoice"));
    EXPECT_THAT(estimate({"empty"}).err, says("{} holds no weights: expected .metadata with *.distcp, "
                                              "model.safetensors or pytorch_model.bin, or an index of these",
                                              EndsWith("empty")));
    EXPECT_THAT(estimate({"gpt2"}).err,
                says("{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a "
                     "recipe, a config.json, weights or the folder of a model",
                     _, _, _));
    EXPECT_THAT(estimate({"bert", "--library_name", "timm"}).err, HasSubstr("holds no weights"));
    for (const char* model : {"bert", "bad", "heads", "huge", "head", "empty", "gpt2"}) {
        Said said = estimate({model});
        EXPECT_EQ(said.code, 2) << model;
        EXPECT_EQ(said.out, "") << model;
    }
}

TEST_F(EstimateMemory, ATrainingIsEstimatedAndExplained) {
    write("m/config.json", {{"model_type", "llama"}, {"num_hidden_layers", 4}});
    const Said said =
        estimate({"m", "--device", "H100", "--dp_shard", "8", "--zero_stage", "3", "--explain", "--answers"});
    ASSERT_EQ(said.code, 0) << said.err;
    for (const char* words : {"Training on 8 ranks (H100 80 GB)", "gathered layers", "Largest micro-batch:",
                              "Longest sequence:", "Fewest devices: 1", "Best layout:", "Saves ", "a checkpoint takes"})
        EXPECT_THAT(said.out, HasSubstr(words));
    const Json stage = Json::parse(estimate({"m", "--device", "H100", "--dp_shard", "8", "--zero_stage", "3", "--json"})
                                       .out)["training"]["stages"][0];
    double sum = 0;
    for (const auto& [part, bytes] : stage["device"].items())
        sum += bytes.get<double>();
    EXPECT_DOUBLE_EQ(sum, stage["total"]);
}

TEST_F(EstimateMemory, WhichMemoryIsShortIsSaid) {
    write("m/config.json", {{"model_type", "llama"}});
    const std::vector<std::string> flags{
        "m", "--device", "H100", "--dp_shard", "8", "--zero_stage", "3", "--offload_optimizer", "cpu", "--host_memory"};
    auto with = flags;
    with.emplace_back("32GiB");
    Said said = estimate(with);
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("does not fit, "));
    EXPECT_THAT(said.out, HasSubstr("of host memory short"));
    EXPECT_THAT(said.out, HasSubstr("host memory of a machine"));
    EXPECT_THAT(said.out, testing::Not(says(", {} short on a rank", _)));
    with.emplace_back("--json");
    const Json training = Json::parse(estimate(with).out)["training"];
    EXPECT_EQ(training["short"]["device"], 0.0);
    EXPECT_NEAR(training["short"]["host"].get<double>(), training["host"]["used"].get<double>() - 32.0 * (1ull << 30),
                1);
    with = flags;
    with.emplace_back("2TiB");
    EXPECT_THAT(estimate(with).out, HasSubstr(": fits"));
}

TEST_F(EstimateMemory, WeightsAloneAreEnough) {
    const std::string header =
        R"({"model.embed_tokens.weight":{"dtype":"F32","shape":[10,4],"data_offsets":[0,160]},)"
        R"("model.layers.0.mlp.up_proj.weight":{"dtype":"F32","shape":[8,4],"data_offsets":[160,288]},)"
        R"("model.layers.0.mlp.down_proj.weight":{"dtype":"F32","shape":[4,8],"data_offsets":[288,416]}})";
    const auto save = [&](std::size_t bytes) {
        std::ofstream file(folder_.path() / "m.safetensors", std::ios::binary);
        const std::uint64_t size = header.size();
        file.write(reinterpret_cast<const char*>(&size), sizeof size);
        file << header << std::string(bytes, '\0');
    };
    save(416);
    const Said said = estimate({"m.safetensors", "--batch", "2", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(Json::parse(said.out)["parameter_count"], 104);
    EXPECT_EQ(Json::parse(said.out)["training"]["stages"][0]["device"]["optimizer"], 8 * 104);
    save(100);
    EXPECT_EQ(estimate({"m.safetensors"}).code, 2) << "the header claims more than the file has";
}

TEST_F(EstimateMemory, ContradictionsOfATrainingAreNamedTogether) {
    write("m/config.json", {{"model_type", "llama"}, {"num_attention_heads", 32}});
    const Said said = estimate({"m", "--tp", "3", "--pp", "40", "--device", "H100"});
    EXPECT_EQ(said.code, 2);
    EXPECT_EQ(said.out, "");
    EXPECT_THAT(said.err,
                says("tp {} does not divide the heads ({}): use {}", 3, 32, StartsWith("1, 2, 4, 8, 16 or 32")));
    EXPECT_THAT(said.err, says("{} pipeline stages cannot be cut from {}: use at most {}", EndsWith("40"), _, _));
    EXPECT_THAT(estimate({"m", "--device", "Voodoo"}).err,
                says("--device {}: not known; give one of {}, and --memory for another size", "Voodoo", _));
    EXPECT_THAT(estimate({"m", "--batch", "0"}).err,
                says("{} '{}': give a whole number from {} to {}", EndsWith("batch"), 0, _, _));
    EXPECT_THAT(estimate({"m", "--precision", "fp4"}).err, HasSubstr("no, fp16, bf16, fp8"));
}

}  // namespace
}  // namespace trainyard
