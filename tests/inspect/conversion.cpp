// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the conversion of weights to other layouts, dtypes and names, of averages, and of the files that an
// interrupted conversion leaves.

#include "observe/inspect/conversion.h"

#include <cmath>
#include <csignal>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/stored_head.h"
#include "formats/weights/elements.h"
#include "inspect/saved.h"
#include "models/spec/family.h"
#include "observe/inspect/compare.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class ConvertWeights : public testing::Test {
  protected:
    ConvertWeights() { test::write_floats(source_ / "model.safetensors", tensors_); }

    Converted converted(Conversion conversion) {
        if (conversion.sources.empty())
            conversion.sources = {source_};
        if (conversion.output.empty())
            conversion.output = output_;
        Progress progress;
        return convert(conversion, progress);
    }
    std::string refusal(const Conversion& conversion) {
        try {
            converted(conversion);
            return "";
        } catch (const UserError& error) {
            return error.what();
        }
    }
    static test::Floats read(const fs::path& folder) {
        test::Floats all;
        const auto source = weights::open_weights(folder);
        for (std::size_t i = 0; i < source->tensors().size(); ++i) {
            const auto& tensor = source->tensors()[i];
            std::vector<std::byte> bytes;
            source->stream(
                i, [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
            auto& values = all[tensor.name];
            values.resize(bytes.size() / weights::dtype_size(tensor.dtype));
            weights::decode_elements(tensor.dtype, bytes, values);
        }
        return all;
    }
    std::size_t files_in(const fs::path& folder) const {
        std::error_code error;
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder, error), fs::directory_iterator()));
    }

    test::TemporaryFolder folder_;
    fs::path source_ = folder_.path() / "in", output_ = folder_.path() / "out";
    test::Floats tensors_{{"model.a", {1, 2, 3, 4, 5, 6, 7}}, {"model.b", {0.1f, -0.2f}}, {"model.c", {}}};
};

TEST_F(ConvertWeights, ThereAndBackAreTheSameBytes) {
    Conversion distributed;
    distributed.ranks = 20;
    EXPECT_EQ(converted(distributed).written.files.size(), 21u);
    Conversion back;
    back.sources = {output_};
    back.output = folder_.path() / "back";
    EXPECT_EQ(converted(back).source, "distributed checkpoint");
    EXPECT_EQ(read(back.output), tensors_);
    Conversion again;
    again.output = folder_.path() / "again";
    converted(again);
    EXPECT_EQ(read_file(again.output / "model.safetensors"), read_file(back.output / "model.safetensors"));
}

TEST_F(ConvertWeights, ShardsAndTypes) {
    Conversion conversion;
    conversion.dtype = "bf16";
    conversion.max_shard_bytes = 10;
    const Converted result = converted(conversion);
    EXPECT_EQ(result.written.bytes, 18u);
    EXPECT_TRUE(fs::exists(output_ / "model.safetensors.index.json"));
    EXPECT_NEAR(read(output_)["model.b"][0], 0.1, 0.001);
    EXPECT_NE(read(output_)["model.b"][0], 0.1f);
    EXPECT_THAT(refusal({.dtype = "int4"}), HasSubstr("int4"));
    EXPECT_THAT(refusal({.output = source_}),
                says("{} is inside the checkpoint that it is made from: name another folder", _));
}

TEST_F(ConvertWeights, NumbersThatATypeCannotHoldAreRefused) {
    test::write_floats(source_ / "model.safetensors", {{"w", {1, 65504}}, {"large", {1, 65536}}});
    EXPECT_THAT(refusal({.dtype = "fp16"}),
                AllOf(says("{} has numbers that {} cannot hold: choose {}", EndsWith("large"), "fp16", _),
                      HasSubstr("bf16 or fp32")));
    EXPECT_FALSE(fs::exists(output_));
    EXPECT_EQ(refusal({.dtype = "bf16"}), "");
    const float infinity = std::numeric_limits<float>::infinity();
    test::write_floats(source_ / "model.safetensors", {{"w", {1, infinity, std::nanf("")}}});
    EXPECT_EQ(refusal({.output = folder_.path() / "same", .dtype = "fp16"}), "") << "it was infinite before";
}

TEST_F(ConvertWeights, NamesByATable) {
    write_file_atomically(folder_.path() / "table", "# comment\nmodel.a -> wte\nmodel.* -> m.*\n");
    Conversion conversion;
    conversion.renames = weights::read_rename_table(folder_.path() / "table");
    converted(conversion);
    EXPECT_THAT(read(output_), testing::ElementsAre(testing::Key("m.b"), testing::Key("m.c"), testing::Key("wte")));
    EXPECT_THAT(refusal({.renames = {{"model.a", "model.b"}}}),
                AllOf(HasSubstr("model.a"), says("'{}' and '{}' would both be called '{}'", _, _, _)));
    EXPECT_THAT(refusal({.renames = {{"other.*", "x.*"}}}), HasSubstr("other.*"));
    EXPECT_EQ(refusal({.output = folder_.path() / "less", .renames = {{"*.b", ""}}}), "");
    EXPECT_EQ(read(folder_.path() / "less").size(), 2u);
    write_file_atomically(folder_.path() / "bad", "one two\n");
    EXPECT_THROW(weights::read_rename_table(folder_.path() / "bad"), UserError);
    write_file_atomically(folder_.path() / "json", R"({"*.a": "*.z"})");
    EXPECT_EQ(weights::read_rename_table(folder_.path() / "json").size(), 1u);
    write_file_atomically(folder_.path() / "stars", "a* -> *a\n");
    EXPECT_THROW(weights::read_rename_table(folder_.path() / "stars"), UserError);
}

TEST_F(ConvertWeights, Averages) {
    test::Floats other = tensors_;
    for (float& value : other["model.a"])
        value += 2;
    test::write_floats(folder_.path() / "in2" / "model.safetensors", other);
    Conversion mean;
    mean.sources = {source_, folder_.path() / "in2"};
    converted(mean);
    EXPECT_EQ(read(output_)["model.a"], (std::vector<float>{2, 3, 4, 5, 6, 7, 8}));
    mean.ema_decay = 0.75;
    mean.output = folder_.path() / "ema";
    converted(mean);
    EXPECT_EQ(read(mean.output)["model.a"][0], 1.5f) << "0.75 * 1 + 0.25 * 3";
    mean.ema_decay = 0;
    mean.shares = {1, 3};
    mean.output = folder_.path() / "shares";
    converted(mean);
    EXPECT_EQ(read(mean.output)["model.a"][0], 2.5f);
    other["model.a"].pop_back();
    other["extra"] = {1};
    test::write_floats(folder_.path() / "in3" / "model.safetensors", other);
    EXPECT_THAT(refusal({.sources = {source_, folder_.path() / "in3"}}),
                AllOf(HasSubstr("extra"), HasSubstr("model.a")))
        << "all at once";
}

TEST_F(ConvertWeights, AModelForTransformersNeedsItsConfiguration) {
    EXPECT_THAT(refusal({.hugging_face = true}), HasSubstr("config.json"));
    write_file_atomically(source_ / "config.json", R"({"model_type": "gpt2"})");
    write_file_atomically(source_ / "optimizer.json", "{}");
    EXPECT_EQ(refusal({.hugging_face = true}), "");
    EXPECT_TRUE(fs::exists(output_ / "config.json"));
    EXPECT_EQ(files_in(output_), 2u);
}

// transformers loads weights in the dtype that config.json says.
TEST_F(ConvertWeights, AConfigurationHasTheDtypeOfTheWeights) {
    const std::string given = R"({"model_type": "other", "torch_dtype": "float16", "eos_token_id": [1, 2]})";
    write_file_atomically(source_ / "config.json", given);
    EXPECT_EQ(refusal({.hugging_face = true}), "");
    EXPECT_EQ(read_file(output_ / "config.json"), given) << "nothing was converted";
    EXPECT_EQ(refusal({.output = folder_.path() / "bf16", .dtype = "bf16", .hugging_face = true}), "");
    EXPECT_EQ(nlohmann::json::parse(read_file(folder_.path() / "bf16" / "config.json")),
              nlohmann::json::parse(R"({"model_type": "other", "torch_dtype": "bfloat16", "eos_token_id": [1, 2]})"));
}

TEST_F(ConvertWeights, AModelForTransformersBringsTokenizerAndModules) {
    write_file_atomically(source_ / "config.json", R"({"model_type": "bert"})");
    write_file_atomically(source_ / "tokenizer.json", "{}");
    write_file_atomically(source_ / "modules.json", "[]");
    fs::create_directories(source_ / "1_Pooling");
    write_file_atomically(source_ / "1_Pooling" / "config.json", "{}");
    EXPECT_EQ(refusal({.max_shard_bytes = 16, .hugging_face = true}), "");
    for (const char* name :
         {"config.json", "tokenizer.json", "modules.json", "1_Pooling/config.json", "model.safetensors.index.json"})
        EXPECT_TRUE(fs::exists(output_ / name)) << name;
}

TEST_F(ConvertWeights, OfAnAdapterItsOwnFolder) {
    const test::Floats adapter{{"base_model.model.a.lora_A.weight", {1, 2}}};
    test::write_floats(source_ / "adapter_model.safetensors", adapter);
    write_file_atomically(source_ / "config.json", R"({"model_type": "gpt2"})");
    write_file_atomically(source_ / "tokenizer.json", "{}");
    write_file_atomically(source_ / "adapter_config.json", R"({"r": 1, "base_model_name_or_path": ""})");
    EXPECT_THAT(refusal({.hugging_face = true}),
                says("{} is an adapter of a model that began with random weights, which nothing else could load it on: "
                     "write the model with it (trainyard merge-adapter {} -o FOLDER)",
                     _, _));
    write_file_atomically(source_ / "adapter_config.json", R"({"r": 1, "base_model_name_or_path": "/models/a"})");
    EXPECT_THAT(refusal({.max_shard_bytes = 16, .hugging_face = true}),
                says("an adapter is one file: leave the size of shards out"));
    EXPECT_EQ(refusal({.hugging_face = true}), "");
    EXPECT_EQ(files_in(output_), 3u);
    EXPECT_EQ(read(output_ / "adapter_model.safetensors"), adapter);
    EXPECT_FALSE(fs::exists(output_ / "config.json")) << "that is the model's";
}

// A tied head whose file has another tensor for it, in families with different names: it is the model's head.
class ConvertHead : public ConvertWeights, public testing::WithParamInterface<const char*> {
  protected:
    ConvertHead() {
        const families::Family& family = families::family_of(GetParam());
        head_ = family.head_name();
        table_ = inputs::tied_table(family.small());
        for (const auto& [name, head] :
             {std::pair("same", test::Floats::mapped_type{1, 2}), {"differs", {3, 4}}, {"untied", {3, 4}}}) {
            test::write_floats(folder_.path() / name / "model.safetensors", {{table_, {1, 2}}, {head_, head}});
            write_file_atomically(folder_.path() / name / "config.json",
                                  config(std::string_view(name) != "untied").dump());
        }
    }
    static nlohmann::json config(bool tied) {
        return {{"model_type", GetParam()}, {"tie_word_embeddings", tied}, {"unknown", 3}};
    }
    Converted convert_folder(const std::string& name, Conversion conversion) {
        conversion.sources.insert(conversion.sources.begin(), folder_.path() / name);
        fs::remove_all(output_);
        return converted(std::move(conversion));
    }
    nlohmann::json written_config() const { return nlohmann::json::parse(read_file(output_ / "config.json")); }
    auto names_both(const char* what) const {
        return testing::ElementsAre(AllOf(HasSubstr((folder_.path() / "differs" / "config.json").string()),
                                          HasSubstr(head_), HasSubstr(table_), HasSubstr(what)));
    }

    std::string head_, table_;
};

TEST_P(ConvertHead, OneThatDiffersIsExportedWithItsFlag) {
    EXPECT_THAT(convert_folder("differs", {.hugging_face = true}).notes, names_both("tie_word_embeddings as false"));
    EXPECT_EQ(written_config(), config(false)) << "the other fields as they were";
    EXPECT_EQ(read(output_)[head_], (std::vector<float>{3, 4}));
    EXPECT_THAT(convert_folder("differs", {.dtype = "bf16", .hugging_face = true}).notes, names_both("as false"));
    EXPECT_EQ(written_config()["tie_word_embeddings"], false);
    EXPECT_EQ(written_config()["dtype"], "bfloat16");
    EXPECT_THAT(convert_folder("differs", {.max_shard_bytes = 8, .hugging_face = true}).notes, names_both("as false"));
    for (const char* agrees : {"same", "untied"}) {
        EXPECT_THAT(convert_folder(agrees, {.hugging_face = true}).notes, testing::IsEmpty()) << agrees;
        EXPECT_EQ(written_config(), config(std::string_view(agrees) == "same"));
    }
}

TEST_P(ConvertHead, OneThatDiffersIsReportedWhereNoConfigurationIsWritten) {
    for (const Conversion& conversion : {Conversion{}, Conversion{.dtype = "fp16"}, Conversion{.ranks = 2},
                                         Conversion{.renames = {{table_, table_}}}}) {
        EXPECT_THAT(convert_folder("differs", conversion).notes,
                    names_both("set tie_word_embeddings to false in the config.json"));
        EXPECT_FALSE(fs::exists(output_ / "config.json"));
        EXPECT_EQ(read(output_)[head_], (std::vector<float>{3, 4}));
        EXPECT_THAT(convert_folder("same", conversion).notes, testing::IsEmpty());
        EXPECT_THAT(convert_folder("untied", conversion).notes, testing::IsEmpty());
    }
    Conversion mean;
    mean.sources = {folder_.path() / "differs"};
    EXPECT_THAT(convert_folder("same", mean).notes, names_both("set tie_word_embeddings to false"))
        << "of the mean, which the last configuration describes";
    mean.sources = {folder_.path() / "same"};
    EXPECT_THAT(convert_folder("same", mean).notes, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Families, ConvertHead,
                         testing::Values("gpt2", "llama", "qwen2", "opt", "gemma2", "mixtral", "gpt_neox"));

TEST_F(ConvertWeights, CancelledLeavesNothing) {
    Conversion conversion{.sources = {source_}, .output = output_};
    int calls = 0;
    Progress progress([&](std::uint64_t, std::uint64_t) { return ++calls < 3; });
    EXPECT_THROW(convert(conversion, progress), Cancelled);
    EXPECT_FALSE(fs::exists(output_));
    conversion.ranks = 2;
    calls = 0;
    EXPECT_THROW(convert(conversion, progress), Cancelled);
    EXPECT_FALSE(fs::exists(output_));
}

TEST_F(ConvertWeights, KilledAtAnyTimeTheNextOneCleansUp) {
    fs::create_directories(output_);
    write_file_atomically(output_ / "mine.txt", "stays");
    for (int at = 1; at <= 5; ++at)
        for (int ranks : {0, 2}) {
            const pid_t child = ::fork();
            if (child == 0) {
                int calls = 0;
                Progress progress([&](std::uint64_t, std::uint64_t) {
                    if (++calls == at)
                        ::kill(::getpid(), SIGKILL);
                    return true;
                });
                convert({.sources = {source_}, .output = output_, .ranks = ranks}, progress);
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            EXPECT_TRUE(WIFSIGNALED(status)) << at;
            EXPECT_EQ(read(source_), tensors_);
            EXPECT_FALSE(fs::exists(output_ / "model.safetensors"));
            weights::sweep_unfinished_writes(output_);
            EXPECT_EQ(files_in(output_), 1u) << at;
        }
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(read(output_), tensors_);
}

}  // namespace
}  // namespace trainyard::inspect
