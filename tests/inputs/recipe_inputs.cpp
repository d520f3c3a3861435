// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/recipe_inputs.h"

#include <fstream>

#include <gmock/gmock.h>

#include "base/file.h"
#include "config/recipe/module_targets.h"
#include "formats/weights/safetensors.h"
#include "models/spec/family.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class RecipeInputs : public testing::Test {
  protected:
    void SetUp() override {
        text_ = (folder_.path() / "text").string();
        write_file_atomically(text_, std::string(64 * 100, 'a'));
        recipe_.data.paths = {text_};
        recipe_.model.n_embd = 8;
        recipe_.model.n_layer = 1;
    }

    /// `key: message` of the only problem; empty if there is none.
    std::string problem(std::int64_t world_size = 1) {
        std::vector<InputProblem> problems = check_recipe_inputs(recipe_, world_size);
        EXPECT_LE(problems.size(), 1u);
        return problems.empty() ? "" : problems[0].key + ": " + problems[0].message.text();
    }

    void write_weights(const config::ModelRecipe& model, const fs::path& path) {
        write_tensors(families::family_of(model).tensors(model), path);
    }

    /// The adapter of a recipe's model, as PEFT saves it.
    void write_adapter(const config::ModelRecipe& model) {
        std::vector<families::TensorShape> tensors = config::adapter_tensors(model);
        for (families::TensorShape& tensor : tensors)
            tensor.name = "base_model.model." + tensor.name;
        write_tensors(tensors, folder_.path() / "adapter" / "adapter_model.safetensors");
    }

    void write_tensors(const std::vector<families::TensorShape>& all, const fs::path& path) {
        std::vector<std::vector<float>> storage;
        std::vector<weights::TensorToWrite> tensors;
        for (const families::TensorShape& parameter : all) {
            std::int64_t count = 1;
            for (std::int64_t size : parameter.shape)
                count *= size;
            storage.emplace_back(static_cast<std::size_t>(count));
            tensors.push_back({parameter.name, "F32", parameter.shape, {}});
        }
        for (std::size_t i = 0; i < tensors.size(); ++i)
            tensors[i].bytes = std::as_bytes(std::span(storage[i]));
        weights::write_safetensors(path, tensors);
    }

    test::TemporaryFolder folder_;
    std::string text_;
    config::Recipe recipe_;
};

TEST_F(RecipeInputs, AGoodRecipeHasNoProblem) {
    EXPECT_EQ(problem(), "");
    EXPECT_EQ(problem(7), "");
}

TEST_F(RecipeInputs, TheTextMustGiveEveryRankABatch) {
    EXPECT_THAT(problem(8), says("the text has {} of {} bytes to train on, too few for one batch of {} on {}: "
                                 "add text, lower training.batch_size or data.validation_fraction",
                                 "95 samples", 64, 12, StartsWith("8 ranks"))
                                .after("data.path: "));
    recipe_.data.paths = {"/no/such/text"};
    EXPECT_EQ(problem(), "data.path: /no/such/text does not exist");
    recipe_.data.paths = {};
    EXPECT_THAT(problem(), HasSubstr("data.path: missing"));
}

TEST_F(RecipeInputs, TheVocabularyMustHoldTheBytes) {
    recipe_.model.vocab_size = 'a';
    EXPECT_THAT(problem(),
                says("the text holds the byte {}, so vocab_size must be at least {} (256 takes any text), not {}", 97,
                     StartsWith("98"), _)
                    .after("model.vocab_size: "));
    recipe_.model.vocab_size = 'a' + 1;
    EXPECT_EQ(problem(), "");
}

TEST_F(RecipeInputs, TheTokenizerMustBeUsableAndFitTheModel) {
    recipe_.data.tokenizer = (folder_.path() / "nowhere.json").string();
    recipe_.data.format = config::DataFormat::text;
    std::string lines;
    for (int i = 0; i < 100; ++i)
        lines += "a\n";
    write_file_atomically(text_, lines);
    EXPECT_THAT(problem(), HasSubstr("data.tokenizer: cannot read"));
    std::ofstream(folder_.path() / "tokenizer.json")
        << R"({"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 999}, "unk_token": "a"}})";
    recipe_.data.tokenizer = folder_.path().string();
    recipe_.model.vocab_size = 256;
    EXPECT_THAT(problem(),
                says("{} has {} tokens, so vocab_size must be at least {}, not {}", _, 1000, 1000, StartsWith("256")));
    recipe_.model.vocab_size = 1000;
    EXPECT_EQ(problem(), "");
    std::ofstream(folder_.path() / "tokenizer.json") << "{}";
    EXPECT_THAT(problem(), HasSubstr("data.tokenizer: "));
    recipe_.data.format = config::DataFormat::bytes;
    const std::vector<Problem> refused = config::check_recipe(recipe_);
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_EQ(refused[0].key, "data.tokenizer");
}

TEST_F(RecipeInputs, AnAdapterToStartFromMustBeThere) {
    recipe_.model.lora.r = 4;
    recipe_.model.lora.adapter = (folder_.path() / "adapter").string();
    EXPECT_THAT(problem(), HasSubstr("lora.adapter: "));
    make_private_folder(recipe_.model.lora.adapter);
    EXPECT_THAT(problem(), says("{} is not there: name a folder of PEFT's layout, with adapter_model.safetensors",
                                EndsWith("adapter/adapter_model.safetensors")));
    write_adapter(recipe_.model);
    EXPECT_EQ(problem(), "");
    recipe_.model.n_embd = 16;
    EXPECT_THAT(problem(), says("{} does not fit this model: {}", EndsWith("adapter/adapter_model.safetensors"),
                                HasSubstr("lora_A.weight has the shape [4, 8] instead of [4, 16]")));
    static_cast<families::ModelConfig&>(recipe_.model) = families::family_of("llama").small();
    EXPECT_THAT(problem(), says("{} does not fit this model: {}", _,
                                HasSubstr("it has no tensor base_model.model.model.layers.0.self_attn.q_proj.lora_A")))
        << "of another family";
}

TEST_F(RecipeInputs, AnAdapterToStartFromIsContinuedAsItWas) {
    recipe_.model.lora.r = 4;
    recipe_.model.lora.lora_alpha = 8;
    recipe_.model.lora.adapter = (folder_.path() / "adapter").string();
    make_private_folder(recipe_.model.lora.adapter);
    write_adapter(recipe_.model);
    const auto with = [&](const std::string& more) {
        write_file_atomically(
            folder_.path() / "adapter" / "adapter_config.json",
            R"({"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": ["c_attn"])" + more + "}");
        return problem();
    };
    EXPECT_EQ(with(""), "");
    EXPECT_THAT(with(R"(, "use_rslora": true)"), HasSubstr("lora.use_rslora: is false, and "));
    EXPECT_THAT(with(R"(, "init_lora_weights": "pissa")"),
                says("{} has init_lora_weights '{}', so it was trained beside changed weights: convert the adapter "
                     "with PEFT (path_initial_model_for_weight_conversion of save_pretrained)",
                     _, "pissa"));
    EXPECT_THAT(with(R"(, "rank_pattern": {"c_attn": 2})"),
                says("{} has a rank_pattern or an alpha_pattern, which recipes lack: merge the adapter first "
                     "(trainyard merge-adapter)",
                     _));
    EXPECT_THAT(with(R"(, "use_dora": true)"), HasSubstr("use_dora"));
    recipe_.model.lora.lora_alpha = 16;
    EXPECT_THAT(with(""), HasSubstr("lora.lora_alpha: is 16, and "));
}

TEST_F(RecipeInputs, WeightsMustFitTheModel) {
    fs::path path = folder_.path() / "model.safetensors";
    recipe_.model.weights = folder_.path().string();
    EXPECT_THAT(problem(), HasSubstr("model.weights: " + folder_.path().string() + " holds no weights"));
    write_weights(recipe_.model, path);
    EXPECT_EQ(problem(), "");
    recipe_.model.weights = path.string();
    recipe_.model.n_layer = 2;
    EXPECT_THAT(problem(), says("{} (and {} more do not fit): {}",
                                says("has no tensor {}", "transformer.h.1.ln_1.weight").at_end(), 11, _));
    recipe_.model.n_layer = 1;
    recipe_.model.vocab_size = 300;
    EXPECT_THAT(problem(), says("has {} of shape [{}], the recipe's model needs [{}]", "transformer.wte.weight",
                                "256, 8", "300, 8"));
    write_file_atomically(path, "not weights");
    EXPECT_THAT(problem(), says("{} is not a whole safetensors file: {}", _, _));
    recipe_.checkpoint.resume_from = folder_.path().string();
    EXPECT_EQ(problem(), "");
}

/// A classifier of texts by bytes, of one CSV file or folder.
class TableInputs : public RecipeInputs {
  protected:
    void SetUp() override {
        recipe_.model.model_type = "bert";
        recipe_.model.task = "sequence_classification";
        recipe_.model.num_labels = 2;
        recipe_.data.format = config::DataFormat::csv;
        recipe_.data.column = "text";
        recipe_.data.label_column = "label";
    }
    std::string problem_of(const std::string& text) {
        write_file_atomically(folder_.path() / "a.csv", text);
        recipe_.data.paths = {(folder_.path() / "a.csv").string()};
        return problems();
    }
    std::string problems() {
        std::string all;
        for (const InputProblem& each : check_recipe_inputs(recipe_, 1))
            all += each.key + ": " + each.message.text() + "\n";
        return all;
    }
    static std::string rows(const std::string& head, const std::string& row, const char* end = "\n") {
        std::string text = head + end;
        for (int i = 0; i < 40; ++i)
            text += row + end;
        return text;
    }
};

TEST_F(TableInputs, OtherEncodingsAreRefusedBeforeTheStart) {
    EXPECT_EQ(problem_of(rows("text,label", "gr\xc3\xbc\xc3\x9f,1")), "");
    EXPECT_EQ(problem_of(rows("text,label", "some words,1", "\r")), "");
    EXPECT_EQ(problem_of("\xef\xbb\xbf" + rows("\"text\",\"label\"", "some words,1")), "");
    EXPECT_THAT(problem_of(rows("text,label", "gr\xfc\xdf,1")),
                HasSubstr("data.path: " + folder_.path().string() + "/a.csv:2: byte 13 (0xfc) is not valid UTF-8"));
    // After the rows that are read for the types of the columns.
    std::string large = "text,label\n";
    for (int i = 0; i < 300000; ++i)
        large += i == 290000 ? "gr\xfc\xdf,1\n" : "some words,1\n";
    EXPECT_THAT(problem_of(large), HasSubstr("a.csv:290002: byte"));
    recipe_.data.on_corrupt = config::OnCorrupt::skip;
    EXPECT_EQ(problem_of(large), "");
    recipe_.data.on_corrupt = config::OnCorrupt::stop;
    EXPECT_THAT(problem_of(std::string("\xff\xfet\0e\0x\0t\0\n\0", 12)),
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("a.csv: "));
}

TEST_F(TableInputs, OnlyTheColumnsOfTheTaskMatter) {
    const auto write = [&](const char* name, const std::string& text) {
        write_file_atomically(folder_.path() / name, text);
    };
    recipe_.data.paths = {folder_.path().string()};
    write("a.csv", rows("text,label", "some words,1"));
    write("b.csv", rows("label,text", "0,other words"));
    write("c.csv", rows("text,label,note", "some words,1,x"));
    write("d.csv", rows("note,label,text,note", "5,1,123,x"));
    EXPECT_EQ(problems(), "");
    write("e.csv", rows("words,label", "some words,1"));
    write("f.csv", rows("text,label", "caf\xe9,1"));
    const std::string all = problems();
    EXPECT_THAT(all, says("{} has no column '{}', whose type was given{}", EndsWith("e.csv"), "text", _));
    EXPECT_THAT(all, HasSubstr("f.csv:2: byte"));
    recipe_.data.label_column = "lable";
    recipe_.data.column.clear();
    EXPECT_THAT(problems(),
                HasSubstr("data.label_column: " + folder_.path().string() + "/a.csv has no column 'lable'"));
}

TEST_F(RecipeInputs, RowsAreNotTrainedOnAsText) {
    for (const auto& [ending, format] :
         {std::pair{".jsonl", "jsonl"}, {".CSV", "csv"}, {".tsv", "csv"}, {".parquet", "parquet"}}) {
        fs::remove(text_);
        text_ = (folder_.path() / ("data" + std::string(ending))).string();
        write_file_atomically(text_, std::string(64 * 100, 'a'));
        recipe_.data.paths = {text_};
        EXPECT_THAT(problem(), says("{} would train on the syntax of {} instead of on its rows: set data.format to {}, "
                                    "or rename the file to train on its text",
                                    EndsWith("data.format: bytes"), text_, StartsWith(format)));
    }
    recipe_.data.paths = {folder_.path().string()};  // a folder may have files of every kind
    EXPECT_EQ(problem(), "");
}

TEST_F(RecipeInputs, TextInAnotherEncodingIsRefused) {
    write_file_atomically(text_, std::string(64 * 100, 'a') + "\ncaf\xe9\n");
    EXPECT_THAT(problem(), HasSubstr("data.path: " + text_ + ":2: byte 6404 (0xe9) is not valid UTF-8"));
    recipe_.data.on_corrupt = config::OnCorrupt::keep;
    EXPECT_EQ(problem(), "");
}

TEST_F(RecipeInputs, EverythingIsFoundAtOnce) {
    recipe_.data.paths = {"/no/such/text", "/none"};
    recipe_.model.weights = "/no/weights";
    EXPECT_EQ(check_recipe_inputs(recipe_, 1).size(), 3u);
    recipe_.model.weights.clear();
    recipe_.checkpoint.resume_from = "/no/run";
    EXPECT_EQ(check_recipe_inputs(recipe_, 1).size(), 3u);
}

}  // namespace
}  // namespace trainyard::inputs
