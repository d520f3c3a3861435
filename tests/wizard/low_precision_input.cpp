// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input of low precision: each surface refuses it before any rank starts, with the same key and the same sentence.

#include <fstream>
#include <functional>
#include <map>

#include <gmock/gmock.h>

#include "base/error.h"
#include "desktop/wizard/recipe_draft.h"
#include "launch/supervisor/prepare.h"
#include "support/temporary_folder.h"

using namespace trainyard;

namespace {

struct BadInput {
    const char* name;
    std::vector<std::string> values;  ///< key=value
    const char* key;                  ///< that is named
    const char* words;                ///< a part of the sentence
};

const BadInput kBadInputs[] = {
    {"an unknown precision",
     {"training.mixed_precision=fp9"},
     "training.mixed_precision",
     "value 'fp9': did you mean 'fp8'"},
    {"an unknown method", {"quantization.method=nf3"}, "quantization.method", "value 'nf3': did you mean 'nf4'"},
    {"a format that is not computed",
     {"training.mixed_precision=fp8", "fp8.fp8_format=E5M2"},
     "fp8.fp8_format",
     "value 'E5M2': did you mean 'E4M3'"},
    {"fp8 keys without fp8", {"fp8.margin=2"}, "fp8.margin", "no effect without training.mixed_precision fp8"},
    {"fp8 keys with fp16",
     {"training.mixed_precision=fp16", "fp8.interval=2"},
     "fp8.interval",
     "no effect without training.mixed_precision fp8"},
    {"a history of blocks",
     {"training.mixed_precision=fp8", "fp8.scaling=mxfp8", "fp8.amax_history_len=4"},
     "fp8.amax_history_len",
     "no effect with fp8.scaling mxfp8"},
    {"a negative margin", {"training.mixed_precision=fp8", "fp8.margin=-1"}, "fp8.margin", "not -1"},
    {"sizes that are not multiples of 16",
     {"training.mixed_precision=fp8", "model.n_embd=24", "model.n_head=2"},
     "training.mixed_precision",
     "multiples of 16"},
    {"sizes that are not multiples of 32",
     {"training.mixed_precision=fp8", "fp8.scaling=mxfp8", "model.n_embd=48", "model.n_head=2", "model.n_inner=144"},
     "training.mixed_precision",
     "multiples of 32"},
    {"gradients in fp8",
     {"parallel.comm_hook=bf16", "parallel.comm_wrapper=fp8"},
     "parallel.comm_wrapper",
     "travel in fp16 or bf16"},
    {"all of a quantized model is trained",
     {"quantization.method=nf4", "model.weights=base"},
     "quantization.method",
     "a model that is not trained itself"},
    {"random numbers are quantized",
     {"quantization.method=int8", "lora.r=4"},
     "quantization.method",
     "random matrices that are not trained"},
    {"quantized and multiplied in fp8",
     {"quantization.method=nf4", "lora.r=4", "model.weights=base", "training.mixed_precision=fp8"},
     "quantization.method",
     "are not multiplied in fp8"},
    {"8 bits with keys of 4",
     {"quantization.method=int8", "quantization.bnb_4bit_use_double_quant=true", "lora.r=4", "model.weights=base"},
     "quantization.bnb_4bit_use_double_quant",
     "set quantization.method to nf4 or fp4"},
    {"4 bits with keys of 8",
     {"quantization.method=nf4", "quantization.llm_int8_threshold=3", "lora.r=4", "model.weights=base"},
     "quantization.llm_int8_threshold",
     "set quantization.method to int8"},
    {"modules that stay without a method",
     {"quantization.skip_modules=[lm_head]", "lora.r=4"},
     "quantization.skip_modules",
     "no effect without quantization.method"},
    {"blocks that ranks that share layers would divide",
     {"training.mixed_precision=fp8", "fp8.scaling=mxfp8", "parallel.tp_size=2", "model.n_embd=96", "model.n_head=2"},
     "fp8.scaling",
     "scales of blocks of 32 elements"},
};

/// YAML of sections with these values.
std::string recipe_text(const std::string& data, const std::vector<std::string>& values) {
    std::map<std::string, std::string> sections{{"data", "  path: " + data + "\n  sequence_length: 16\n"}};
    for (const std::string& value : values) {
        const std::size_t dot = value.find('.'), equals = value.find('=');
        sections[value.substr(0, dot)] +=
            "  " + value.substr(dot + 1, equals - dot - 1) + ": " + value.substr(equals + 1) + "\n";
    }
    std::string text;
    for (const auto& [section, lines] : sections)
        text.append(section).append(":\n").append(lines);
    return text;
}

/// Sentences by key.
std::map<std::string, std::string> sentences_by_key(const std::function<void()>& read) {
    std::map<std::string, std::string> problems;
    try {
        read();
    } catch (const InvalidInput& error) {
        for (const Problem& problem : error.problems())
            problems[problem.key] = problem.message.text();
    }
    return problems;
}

class LowPrecisionInput : public testing::TestWithParam<BadInput> {};

}  // namespace

TEST_P(LowPrecisionInput, IsRefusedWithOneSentenceOnEverySurface) {
    const BadInput& row = GetParam();
    const test::TemporaryFolder folder;
    for (const char* name : {"XDG_DATA_HOME", "TRAINYARD_RUNS"})
        ::setenv(name, (folder.path() / name).c_str(), 1);
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    std::ofstream(folder.path() / "text.txt") << std::string(20000, 'a');
    const std::string data = (folder.path() / "text.txt").string(), text = recipe_text(data, row.values);
    const std::filesystem::path good = folder.path() / "good.yaml", bad = folder.path() / "bad.yaml";
    std::ofstream(good) << recipe_text(data, {});
    std::ofstream(bad) << text;

    const auto of_recipe = sentences_by_key([&] { config::load_recipe(bad); });
    ASSERT_TRUE(of_recipe.contains(row.key)) << testing::PrintToString(of_recipe);
    EXPECT_THAT(of_recipe.at(row.key), testing::HasSubstr(row.words));
    EXPECT_EQ(of_recipe.size(), 1u) << "one message: " << testing::PrintToString(of_recipe);
    const auto of_flags = sentences_by_key([&] {
        config::Recipe recipe = config::load_recipe(good);
        config::apply_overrides(recipe, row.values);
    });
    EXPECT_EQ(of_flags, of_recipe) << "--set";
    const auto of_launch = sentences_by_key([&] {
        launch::LaunchOptions options;
        options.file = good;
        options.overrides = row.values;
        options.device.cpu = true;
        options.main_process_port = 0;
        launch::check_launch(options);
    });
    EXPECT_EQ(of_launch, of_recipe) << "trainyard launch";
    ::unsetenv("TRAINYARD_WORKER");
    std::map<std::string, std::string> of_wizard;
    for (const desktop::DraftProblem& problem : desktop::checkDraft(text, 2, false).problems)
        of_wizard[problem.key.toStdString()] = problem.message.toStdString();
    ASSERT_TRUE(of_wizard.contains(row.key)) << testing::PrintToString(of_wizard);
    std::string sentence(row.words);
    sentence[0] = static_cast<char>(std::toupper(sentence[0]));
    EXPECT_THAT(of_wizard.at(row.key), testing::AnyOf(testing::HasSubstr(row.words), testing::HasSubstr(sentence)));
}

INSTANTIATE_TEST_SUITE_P(Rows, LowPrecisionInput, testing::ValuesIn(kBadInputs), [](const auto& row) {
    std::string name;
    for (const char letter : std::string(row.param.name))
        name += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    return name;
});
