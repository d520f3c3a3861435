// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe.h"

#include <cstdlib>
#include <functional>

#include <gmock/gmock.h>

#include "base/file.h"
#include "config/values/value_formats.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::config {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// The problems as a user sees them, one a line; empty when the recipe is good.
std::vector<std::string> problems_of(const std::string& yaml) {
    std::vector<std::string> texts;
    try {
        parse_recipe(yaml, "/r/r.yaml");
    } catch (const InvalidInput& error) {
        for (const Problem& problem : error.problems())
            texts.push_back(problem.text());
    }
    return texts;
}

std::string only_problem_of(const std::string& yaml) {
    std::vector<std::string> texts = problems_of(yaml);
    EXPECT_EQ(texts.size(), 1u) << testing::PrintToString(texts);
    return texts.empty() ? "" : texts[0];
}

TEST(Recipe, ReadsEveryKind) {
    Recipe recipe = parse_recipe(R"(
name: tiny
model: {n_embd: 64, n_head: 2, resid_pdrop: 0.1}
data:
  path: text
  shuffle: no
optimizer:
  lr: 1e-3
  betas: [0.9, .99]
schedule: {name: linear}
training:
  seed: 18446744073709551615
  mixed_precision: bf16
)",
                                 "/r/r.yaml");
    EXPECT_EQ(recipe.name, "tiny");
    EXPECT_EQ(recipe.model.n_embd, 64);
    EXPECT_DOUBLE_EQ(recipe.model.resid_pdrop, 0.1);
    EXPECT_THAT(recipe.data.paths, ElementsAre("/r/text"));
    EXPECT_FALSE(recipe.data.shuffle);
    EXPECT_DOUBLE_EQ(recipe.optimizer.lr, 1e-3);
    EXPECT_DOUBLE_EQ(recipe.optimizer.beta2, 0.99);
    EXPECT_EQ(recipe.schedule.name, "linear");
    EXPECT_EQ(recipe.training.seed, 18446744073709551615ull);
    EXPECT_EQ(recipe.training.mixed_precision, Precision::bf16);
    EXPECT_EQ(recipe.training.steps, 1000);
}

TEST(Recipe, AnEmptyFileIsAllDefaults) {
    EXPECT_EQ(parse_recipe("", "/r/r.yaml"), Recipe{});
    EXPECT_EQ(parse_recipe("# nothing\nmodel:\n", "/r/r.yaml"), Recipe{});
}

TEST(Recipe, AnUnquotedNoIsAPrecision) {
    for (const char* word : {"no", "NO", "No", "false", "off", "'no'", "\"no\""})
        EXPECT_EQ(parse_recipe(std::string("training: {mixed_precision: ") + word + "}", "r").training.mixed_precision,
                  Precision::no)
            << word;
}

TEST(Recipe, NamesUnknownKeysWithPlaceAndNearestName) {
    EXPECT_EQ(only_problem_of("training:\n  stpes: 10\n"),
              "/r/r.yaml:2:3: training.stpes: unknown key 'stpes': did you mean 'steps'?");
    EXPECT_EQ(only_problem_of("trainig: {steps: 1}\n"),
              "/r/r.yaml:1:1: unknown key 'trainig': did you mean 'training'?");
    EXPECT_EQ(only_problem_of("steps: 1\n"), "/r/r.yaml:1:1: unknown key 'steps': it belongs under 'training'");
}

TEST(Recipe, FreezesParametersByPatternsOfTheirNames) {
    Recipe recipe = parse_recipe("model: {n_layer: 3, freeze: [transformer.wte.weight, 'transformer.h.[01].*']}", "/r");
    EXPECT_EQ(recipe.model.freeze, (std::vector<std::string>{"transformer.wte.weight", "transformer.h.[01].*"}));
    EXPECT_EQ(parse_recipe(to_yaml(recipe), "/r"), recipe);
    EXPECT_EQ(parse_recipe("model: {freeze: '*.bias'}", "/r").model.freeze, (std::vector<std::string>{"*.bias"}));
    EXPECT_EQ(only_problem_of("model:\n  freeze: [transformer.h.4.*]\n"),
              "/r/r.yaml:2:3: model.freeze: 'transformer.h.4.*' is the name of no parameter: they are named like "
              "transformer.wte.weight and transformer.h.0.attn.c_attn.weight, and * stands for any part of a name");
    EXPECT_THAT(
        only_problem_of("model: {n_layer: 2, freeze: ['transformer.h.*', 'transformer.w*', 'transformer.ln_f.*']}"),
        says("freezes every parameter: leave some to train").after("model.freeze: "));
}

TEST(Recipe, SharesOutByStagesOfZero) {
    EXPECT_EQ(parse_recipe("parallel: {zero_stage: 2}", "/r").parallel.zero_stage, 2);
    EXPECT_EQ(parse_recipe("parallel: {zero_stage: 1, comm_hook: power_sgd}", "/r").parallel.zero_stage, 1);
    const ParallelRecipe shared =
        parse_recipe("parallel: {zero_stage: 3, reshard_after_forward: no, wrap: size, wrap_min_params: 5}", "/r")
            .parallel;
    EXPECT_FALSE(shared.reshard_after_forward);
    EXPECT_EQ(shared.wrap, WrapPolicy::size);
    EXPECT_EQ(shared.wrap_min_params, 5);
    EXPECT_EQ(
        parse_recipe("parallel: {zero_stage: 3, ignored_modules: transformer\\.h\\.0}", "/r").parallel.ignored_modules,
        "transformer\\.h\\.0");
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 3, ignored_modules: h.0}"),
                says("'{}' matches the whole name of no module with parameters: correct the regular expression, or "
                     "leave it out",
                     "h.0"));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 3, ignored_modules: (h}"),
                HasSubstr("parallel.ignored_modules"));
    for (const char* key : {"reshard_after_forward: no", "wrap: none", "ignored_modules: h"})
        EXPECT_THAT(only_problem_of(std::string("parallel: {zero_stage: 2, ") + key + "}"),
                    HasSubstr("says how sharded weights are gathered: set parallel.zero_stage to 3, or leave it out"));
    const ParallelRecipe plus = parse_recipe(
                                    "parallel: {zero_stage: 3, zero_hpz_partition_size: 8, "
                                    "zero_quantized_weights: yes, zero_quantized_gradients: yes}",
                                    "/r")
                                    .parallel;
    EXPECT_EQ(plus.zero_hpz_partition_size, 8);
    EXPECT_TRUE(plus.zero_quantized_weights && plus.zero_quantized_gradients);
    for (const char* key :
         {"zero_hpz_partition_size: 2", "zero_quantized_weights: yes", "zero_quantized_gradients: yes"})
        EXPECT_THAT(only_problem_of(std::string("parallel: {zero_stage: 2, ") + key + "}"),
                    says("says how ranks exchange weights and gradients that ZeRO stage 3 shards, and zero_stage is "
                         "{}: set it to 3, or leave this out",
                         2));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 3, zero_quantized_weights: yes, offload_param_device: nvme, "
                                "offload_param_nvme_path: /tmp}"),
                says("weights on a disk are sent as they are: keep them in memory, or leave this out"));
    EXPECT_THAT(only_problem_of("training: {mixed_precision: fp8}\nfp8: {scaling: tensorwise, "
                                "enable_fsdp_float8_all_gather: yes}\n"
                                "parallel: {zero_stage: 3, zero_quantized_weights: yes}"),
                says("enable_fsdp_float8_all_gather sends weights as fp8 values already: leave one of the two out"));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 3, wrap_min_params: 5}"),
                HasSubstr("is for parallel.wrap size: set wrap to it, or leave this out"));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 3}\nhealth: {divergence_every: 2}"),
                HasSubstr("every weight is on one rank, so there is nothing to compare: set it to 0"));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 4}"),
                says("must be {}, not {}", "from 0 to 3", StartsWith("4")));
    EXPECT_THAT(only_problem_of("parallel: {zero_stage: 2, comm_hook: fp16}"),
                says("{} works on whole gradients, and under ZeRO stage {} no rank keeps them: set comm_hook to no, or "
                     "zero_stage to 1",
                     EndsWith("parallel.comm_hook: fp16"), 2));
}

TEST(Recipe, GroupsThatShardAreOfSeveralRanks) {
    const auto problem_on = [](const std::string& parallel, std::int64_t ranks) {
        try {
            on_ranks(parse_recipe("parallel: {" + parallel + "}", "/r"), ranks);
        } catch (const InvalidInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* stage : {"1", "2", "3"})
        EXPECT_EQ(problem_on(std::string("dp_replicate_size: 2, zero_stage: ") + stage, 4), "");
    EXPECT_EQ(problem_on("zero_stage: 3, dp_replicate_size: 2, dp_shard_size: 3", 6), "");
    EXPECT_EQ(parse_recipe("parallel: {zero_stage: 3, dp_replicate_size: 2}", "/r").shard_ranks(6), 3);
    EXPECT_EQ(parse_recipe("parallel: {dp_replicate_size: 2}", "/r").shard_ranks(6), 1);
    for (const char* more : {"", ", dp_shard_size: 1"})
        EXPECT_THAT(problem_on(std::string("zero_stage: 3, dp_replicate_size: 2") + more, 2),
                    HasSubstr("2 ranks cannot be 2 groups of several ranks each that shard the weights"));
    EXPECT_THAT(problem_on("zero_stage: 3, dp_replicate_size: 2", 3), HasSubstr("3 ranks cannot be 2 groups"));
    EXPECT_THAT(problem_on("zero_stage: 3, dp_replicate_size: 2, tp_size: 2", 4),
                HasSubstr("2 data ranks of 4 ranks cannot be 2 groups of several ranks each that shard the weights: "
                          "start a larger multiple of 4 ranks"));
    EXPECT_THAT(problem_on("zero_stage: 3, dp_replicate_size: 2, dp_shard_size: 2", 6),
                HasSubstr("2 replicas and 2 shards needs 4 ranks instead of 6"));
}

TEST(Recipe, NamesDuplicateKeys) {
    EXPECT_EQ(only_problem_of("training:\n  steps: 1\n  steps: 2\n"),
              "/r/r.yaml:3:3: training.steps: given twice, first in line 2: keep one");
    EXPECT_THAT(only_problem_of("model: {}\nmodel: {}\n"),
                says("given twice, first in line {}: keep one", StartsWith("1")));
    EXPECT_THAT(only_problem_of("data: {path: a, paths: [b]}\n"), HasSubstr("data.path: given twice"));
}

TEST(Recipe, NamesWrongTypesWithWhatWasExpected) {
    EXPECT_EQ(only_problem_of("training:\n  steps: many\n"),
              "/r/r.yaml:2:10: training.steps: expected a whole number, got 'many'");
    EXPECT_THAT(only_problem_of("training: {steps: 1.5}"),
                says("expected {}, got {}", says_only("a whole number"), StartsWith("'1.5'")));
    EXPECT_THAT(only_problem_of("training: {steps: \"10\"}"),
                says("expected {}, got {}", says_only("a whole number"), says("the text \"{}\"", 10).at_start()));
    EXPECT_THAT(only_problem_of("training: {steps: 010}"),
                says("expected {}, got {}", says("a whole number").at_start(), _));
    EXPECT_THAT(only_problem_of("training: {steps: 99999999999999999999}"),
                says("{} is out of range, use at most {}", "99999999999999999999", INT64_MAX));
    EXPECT_THAT(only_problem_of("training: {steps: }"),
                says("expected {}, got {}", says_only("a whole number"), StartsWith("nothing")));
    EXPECT_THAT(only_problem_of("training: {seed: -1}"),
                says("expected {}, got {}", says("a whole number").at_start(), _));
    EXPECT_THAT(only_problem_of("optimizer: {lr: fast}"),
                says("expected {}, got {}", "a number", StartsWith("'fast'")));
    EXPECT_THAT(only_problem_of("optimizer: {lr: .nan}"), says("expected {}, got {}", StartsWith("a number"), _));
    EXPECT_THAT(only_problem_of("optimizer: {lr: nan}"), says("expected {}, got {}", StartsWith("a number"), _));
    EXPECT_THAT(only_problem_of("optimizer: {betas: 0.9}"),
                says("expected {}, got {}", says("a list of two numbers, e.g. [0.9, 0.999]").at_start(), _));
    EXPECT_THAT(only_problem_of("optimizer: {betas: [0.9]}"),
                says("expected {}, got {}", says("a list of two numbers, e.g. [0.9, 0.999]").at_start(), _));
    EXPECT_THAT(only_problem_of("data: {shuffle: maybe}"),
                says("expected {}, got {}", says_only("true or false"), StartsWith("'maybe'")));
    EXPECT_THAT(only_problem_of("data: {path: {a: b}}"),
                says("expected {}, got {}", says_only("a path or a list of paths"), StartsWith("a table")));
    EXPECT_THAT(only_problem_of("name: [a]"), says("expected {}, got {}", "a text", StartsWith("a list")));
    EXPECT_THAT(only_problem_of("model: 3"),
                says("expected a table of keys, got {}", StartsWith("'3'")).after("model: "));
    EXPECT_THAT(only_problem_of("- 3"), says("expected a recipe (keys with values), got {}", _));
}

TEST(Recipe, ChecksRangesAndChoices) {
    EXPECT_EQ(only_problem_of("training:\n  steps: 0\n"),
              "/r/r.yaml:2:3: training.steps: must be from 1 to 1000000000000, not 0");
    EXPECT_THAT(only_problem_of("optimizer: {lr: 0}"),
                says("must be {}, not {}", says("greater than {} and at most {}", 0, _).at_start(), _));
    EXPECT_THAT(only_problem_of("optimizer: {betas: [0.9, 1.0]}"),
                HasSubstr("must be at least 0 and less than 1, not 1"));
    EXPECT_THAT(only_problem_of("training: {max_grad_norm: -1}"), HasSubstr("must be at least 0, not -1"));
    EXPECT_THAT(only_problem_of("schedule: {name: cosin}"),
                says("unknown value '{}'{}", "cosin", says(": did you mean '{}'?", "cosine").at_start()));
    EXPECT_THAT(only_problem_of("model: {model_type: lama}"),
                says("unknown value '{}'{}", "lama", says(": did you mean '{}'?", "llama").at_start()));
    EXPECT_THAT(only_problem_of("training: {mixed_precision: fp32}"), says("unknown value '{}'{}", "fp32", _));
    EXPECT_THAT(only_problem_of("name: ''"), says("must not be empty"));
}

TEST(Recipe, ChecksContradictions) {
    EXPECT_THAT(only_problem_of("model: {n_embd: 100, n_head: 3}"),
                says("n_embd ({}) must be a multiple of n_head ({})", 100, 3));
    EXPECT_THAT(
        only_problem_of("data: {sequence_length: 65}"),
        says("{} is more than model.{} ({}): shorten the samples or raise {}", EndsWith("65"), "n_positions", 64, _));
    EXPECT_THAT(only_problem_of("schedule: {warmup_steps: 11}\ntraining: {steps: 10}"),
                says("{} is more than {} ({}): the warm-up would never end", _, _, _));
    EXPECT_THAT(only_problem_of("data: {validation_fraction: 0}\ntraining: {evaluate_every: 5}"),
                says("data.validation_fraction is 0, so nothing is held out to evaluate on: raise it or set "
                     "evaluate_every to 0"));
    EXPECT_THAT(only_problem_of("checkpoint: {every: 500, keep_every: 750}"),
                says("{} is not a multiple of checkpoint.every, {}, so most of these steps have no checkpoint: use {}",
                     EndsWith("750"), 500, StartsWith("1000")));
    EXPECT_THAT(only_problem_of("checkpoint: {every: 500, keep_every: 1000, keep_last: 0}"),
                says("has no effect where checkpoint.keep_last is 0, which keeps all checkpoints: set keep_last to 1 "
                     "or more, or keep_every to 0"));
    EXPECT_THAT(problems_of("checkpoint: {every: 500, keep_every: 1000}"), ::testing::IsEmpty());
}

TEST(Recipe, FindsAllProblemsInOnePassAndNoFalseOnes) {
    // n_embd is unreadable: nothing may be said of its relation to n_head.
    std::vector<std::string> texts =
        problems_of("training: {steps: x, seed: y}\nmodel: {n_embd: wide, n_head: 3}\nnmae: a\n");
    EXPECT_EQ(texts.size(), 4u) << testing::PrintToString(texts);
    EXPECT_THAT(texts.at(0), HasSubstr("training.steps"));
    EXPECT_THAT(texts.at(3), says(": did you mean '{}'?", "name"));
}

TEST(Recipe, TakesPathsFromItsFolderAndReplacesVariables) {
    ::setenv("TRAINYARD_TEST_FOLDER", "/data", 1);
    ::setenv("HOME", "/home/me", 1);
    Recipe recipe = parse_recipe(
        "data: {path: [../a, ~/b, $TRAINYARD_TEST_FOLDER/c, \"${TRAINYARD_TEST_FOLDER}d\", a$$b, /e]}", "/r/s/r.yaml");
    EXPECT_THAT(recipe.data.paths, ElementsAre("/r/a", "/home/me/b", "/data/c", "/datad", "/r/s/a$b", "/e"));
    EXPECT_THAT(only_problem_of("data: {path: $TRAINYARD_NOT_SET/x}"),
                says("the environment variable {} is not set", "TRAINYARD_NOT_SET"));
    EXPECT_THAT(only_problem_of("data: {path: 'a$/x'}"),
                says("'{}' has a $ that names no variable: write $NAME, ${{NAME}} or $$", _));
    EXPECT_EQ(parse_recipe("model: {weights: }", "/r/r.yaml").model.weights, "");
}

TEST(Recipe, WritingAndReadingGivesTheSame) {
    Recipe recipe;
    EXPECT_EQ(parse_recipe(to_yaml(recipe), "/r/r.yaml"), recipe);
    recipe.name = "a \"b\" \\ #c: é no";
    recipe.model.layer_norm_epsilon = 1.0000000000000002e-5;
    recipe.data.paths = {"/a b", "/c$d", "/e'f, g]", "/a \"b\" \\ #c: \n\t\x01 é no"};
    recipe.data.pattern = "*";
    recipe.optimizer.beta2 = 0.1 + 0.2;
    recipe.training.seed = ~0ull;
    recipe.training.mixed_precision = Precision::bf16;
    recipe.checkpoint.resume_from = "/x";
    EXPECT_EQ(parse_recipe(to_yaml(recipe), "/r/r.yaml"), recipe);
    recipe.data.paths = {"/one"};
    recipe.name = "no";
    EXPECT_EQ(parse_recipe(to_yaml(recipe), "/r/r.yaml"), recipe);
}

TEST(Recipe, KnowsItsKeys) {
    std::vector<std::string> names;
    for (const RecipeKey& key : recipe_keys()) {
        names.push_back(key.key);
        EXPECT_FALSE(key.type.empty() || key.help.empty()) << key.key;
    }
    EXPECT_THAT(names,
                testing::IsSupersetOf({"name", "model.n_embd", "data.path", "optimizer.betas", "logging.every"}));
    EXPECT_EQ(recipe_keys().front().default_value, "run");
}

TEST(Recipe, ASyntaxErrorHidesNoOtherProblem) {
    const std::vector<std::string> texts = problems_of(
        "model:\n  n_layer: two\n  n_embd: 130\ntraining:\n  steps: many\n optimizer:\n  lr: 3e-4\n"
        "data: {path: /nowhere\nschedule:\n  warmup_steps: x\n  warmpu: 1\n");
    const auto place = [](const char* where) { return StartsWith(std::string("/r/r.yaml:") + where + ":"); };
    EXPECT_THAT(texts, testing::IsSupersetOf({place("2"), place("5"), place("6"), place("10"), place("11")}))
        << testing::PrintToString(texts);
    EXPECT_EQ(std::ranges::count_if(
                  texts, [](const std::string& text) { return text.find("is not valid YAML") != std::string::npos; }),
              2)
        << testing::PrintToString(texts);
    EXPECT_THAT(texts, testing::Contains(HasSubstr("n_embd"))) << "a check of two keys";
    EXPECT_THAT(problems_of("model: [").front(), HasSubstr("is not valid YAML"));
}

TEST(Recipe, OverridesKeysTogether) {
    Recipe recipe;
    apply_overrides(recipe, {"training.steps=10", "model.n_embd=96", "model.n_head=3", "data.path=[/a, /b]", "name=x"});
    EXPECT_EQ(recipe.training.steps, 10);
    EXPECT_EQ(recipe.model.n_head, 3);
    EXPECT_THAT(recipe.data.paths, ElementsAre("/a", "/b"));
    EXPECT_EQ(recipe.name, "x");
    apply_overrides(recipe, {"optimizer.lr=3e-4"});
    EXPECT_DOUBLE_EQ(recipe.optimizer.lr, 3e-4);
}

TEST(Recipe, ARefusedOverrideChangesNothing) {
    Recipe recipe;
    auto message = [&](const std::string& assignment) -> std::string {
        try {
            apply_overrides(recipe, {"training.seed=7", assignment});
        } catch (const InvalidInput& error) {
            EXPECT_EQ(error.problems().size(), 1u) << error.what();
            EXPECT_EQ(recipe, Recipe{});
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("training.stpes=1"), "--set: unknown key 'training.stpes': did you mean 'training.steps'?");
    EXPECT_EQ(message("training.steps=x"), "--set: training.steps: expected a whole number, got 'x'");
    EXPECT_THAT(message("name=gr\xfcn"), says_only("byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in "
                                                   "UTF-8, as a terminal with a UTF-8 locale does",
                                                   7, "fc")
                                             .after("--set: name: "));
    EXPECT_THAT(message("n\xe4me=x"), says("byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in UTF-8, "
                                           "as a terminal with a UTF-8 locale does",
                                           1, "e4"));
    EXPECT_EQ(message("training.steps"), "--set: 'training.steps' is not of the form key=value");
    EXPECT_THAT(message("model.n_head=3"), says("n_embd ({}) must be a multiple of n_head ({})", _, _));
    EXPECT_THAT(message("training.steps=[1"), says("is not valid YAML here: {}", _));
}

TEST(Recipe, LoadsAFile) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "r.yaml", "data: {path: t}\n");
    EXPECT_THAT(load_recipe(folder.path() / "r.yaml").data.paths, ElementsAre((folder.path() / "t").string()));
    EXPECT_THROW(load_recipe(folder.path() / "none.yaml"), UserError);
}

TEST(Recipe, TablesAndWordsKeepTheirValues) {
    Recipe recipe = parse_recipe(R"(
schedule:
  name: SequentialLR
  arguments:
    schedulers:
      - {name: LinearLR, arguments: {start_factor: 0.1, total_iters: 5}}
      - {name: "ExponentialLR", arguments: {gamma: .9}}
    milestones: [5]
logging: {trackers: [jsonl, csv]}
parallel: {comm_hook: power_sgd, comm_state_option: {matrix_approximation_rank: 2, warm_start: no}}
checkpoint: {async: no}
)",
                                 "r");
    EXPECT_EQ(recipe.schedule.arguments,
              "{schedulers: [{name: LinearLR, arguments: {start_factor: 0.1, total_iters: 5}}, {name: "
              "\"ExponentialLR\", arguments: {gamma: .9}}], milestones: [5]}");
    EXPECT_THAT(recipe.logging.trackers, ElementsAre("jsonl", "csv"));
    EXPECT_EQ(recipe.parallel.comm_state_option, "{matrix_approximation_rank: 2, warm_start: no}");
    EXPECT_FALSE(recipe.checkpoint.background);
    EXPECT_EQ(parse_recipe(to_yaml(recipe), "r"), recipe);
    EXPECT_THAT(parse_recipe("logging: {trackers: csv}", "r").logging.trackers, ElementsAre("csv"));
    EXPECT_EQ(parse_recipe("logging: {trackers: mlflow, tracker_arguments: {mlflow: {run_name: first}}}", "r")
                  .logging.tracker_arguments,
              "{mlflow: {run_name: first}}");
    EXPECT_THAT(only_problem_of("logging: {trackers: [csv], tracker_arguments: {mlflow: {run_name: x}}}\n"),
                HasSubstr("logging.tracker_arguments: has arguments of 'mlflow', which is not among logging.trackers"));
    EXPECT_THAT(only_problem_of("logging: {trackers: [mlflow], tracker_arguments: {mlflow: {run_nam: x}}}\n"),
                HasSubstr("logging.tracker_arguments: unknown argument 'run_nam' of the tracker 'mlflow': did you mean "
                          "'run_name'?"));
    EXPECT_EQ(
        only_problem_of("logging: {trackers: [csv, jsnol]}\n"),
        "/r/r.yaml:1:11: logging.trackers: unknown value 'jsnol' (a tracker of a plug-in needs its shared library "
        "in plugins): did you mean 'jsonl'?");
    EXPECT_EQ(only_problem_of("schedule: {arguments: 3}\n"),
              "/r/r.yaml:1:23: schedule.arguments: expected a table of keys, e.g. {key: 1}, got '3'");
    EXPECT_THAT(only_problem_of("schedule: {name: StepLR, min_lr_ratio: 0.1}\n"),
                says_only("only the plain cosine and linear schedules end at it: give {} its own arguments, or leave "
                          "min_lr_ratio out",
                          "StepLR")
                    .after("/r/r.yaml:1:26: schedule.min_lr_ratio: "));
}

TEST(Recipe, AGlobalBatchIsSharedByAnyNumberOfRanks) {
    Recipe recipe =
        parse_recipe("training: {batch_size: 3, global_batch_size: 24, gradient_accumulation_steps: 7}", "r");
    EXPECT_EQ(recipe.tokens_per_step(2), 24 * recipe.data.sequence_length);
    struct {
        int ranks;
        std::int64_t batch, micro_steps;
    } expected[] = {{1, 3, 8}, {2, 3, 4}, {3, 2, 4}, {4, 3, 2}, {6, 2, 2}, {8, 3, 1}, {12, 2, 1}, {24, 1, 1}};
    for (const auto& [ranks, batch, micro_steps] : expected) {
        const Recipe made = on_ranks(recipe, ranks);
        EXPECT_EQ(made.training.batch_size, batch) << ranks;
        EXPECT_EQ(made.training.gradient_accumulation_steps, micro_steps) << ranks;
        EXPECT_EQ(on_ranks(made, ranks), made) << "once is enough";
    }
    EXPECT_THROW(on_ranks(recipe, 5), InvalidInput);
    recipe.training.global_batch_size = 0;
    EXPECT_EQ(on_ranks(recipe, 5), recipe);
    EXPECT_EQ(recipe.tokens_per_step(2), 2 * 21 * recipe.data.sequence_length);
}

TEST(Recipe, SmallerMicroBatchesKeepTheSamplesOfAnUpdate) {
    Recipe recipe = parse_recipe("training: {batch_size: 16, gradient_accumulation_steps: 3}", "r");
    struct {
        std::int64_t most, batch, micro_steps;
    } expected[] = {{0, 16, 3}, {99, 16, 3}, {16, 16, 3}, {15, 12, 4}, {8, 8, 6}, {5, 4, 12}, {1, 1, 48}};
    for (const int ranks : {1, 2, 4})
        for (const auto& [most, batch, micro_steps] : expected) {
            const TrainingRecipe made = on_ranks(recipe, ranks, most).training;
            EXPECT_EQ(made.batch_size, batch) << most << " on " << ranks;
            EXPECT_EQ(made.gradient_accumulation_steps, micro_steps) << most << " on " << ranks;
        }
    recipe.training.global_batch_size = 64;
    EXPECT_EQ(on_ranks(recipe, 2, 8).training.gradient_accumulation_steps, 4);
    recipe.training.global_batch_size = 0;
    recipe.data.split_batches = true;
    EXPECT_EQ(on_ranks(recipe, 4, 2).training.gradient_accumulation_steps, 6) << "16 are of all ranks together";
    // Four stages in an interleaved order take a multiple of four micro-batches.
    recipe = parse_recipe(
        "model: {n_layer: 8}\nparallel: {pp_size: 4, pipeline_schedule: Interleaved1F1B}\n"
        "training: {batch_size: 3, gradient_accumulation_steps: 4}",
        "r");
    EXPECT_EQ(on_ranks(recipe, 4, 1).training.gradient_accumulation_steps, 12);
}

TEST(Recipe, SmallerMicroBatchesNeedGradientsThatAreKept) {
    const std::string problem =
        only_problem_of("optimizer: {name: lomo}\ntraining: {auto_find_batch_size: yes, max_grad_norm: 0}");
    EXPECT_THAT(problem, HasSubstr("training.auto_find_batch_size: "));
    EXPECT_THAT(problem, says("does not go with {}, which updates while backward runs: {}", "lomo",
                              says("no gradient is kept for the next micro-batch; set it to no, and make "
                                   "training.batch_size smaller")));
}

TEST(Recipe, FlowTextIsReadBackTheSame) {
    for (const char* text : {"{a: 1, b: [x, \"y, z\", null], c: {d: \"1\"}}", "[]", "{}", "\"a \\\"b\\\" \\x01\""}) {
        std::vector<Problem> problems;
        Value value = parse_yaml(text, "t", problems);
        EXPECT_TRUE(problems.empty());
        EXPECT_EQ(flow_text(value), text);
    }
}

TEST(Recipe, PipelinesThatCannotBeCutOrAreNotThereYetAreRefused) {
    auto problems_of = [](const std::function<void(Recipe&)>& change) {
        Recipe recipe;
        recipe.parallel.pp_size = 2;
        change(recipe);
        std::string text;
        for (const Problem& problem : check_recipe(recipe))
            text += problem.key + ": " + problem.message.text() + "\n";
        return text;
    };
    EXPECT_EQ(problems_of([](Recipe&) {}), "");
    EXPECT_THAT(problems_of([](Recipe& r) { r.parallel.pp_size = 5; }),
                says_only("{} pipeline stages cannot be cut from a model of {} ({}): give from 1 to {}",
                          "parallel.pp_size: 5", "4 blocks", "model.n_layer", "4\n"));
    EXPECT_EQ(problems_of([](Recipe& r) { r.training.ema_decay = 0.9; }), "");
    EXPECT_EQ(problems_of([](Recipe& r) { r.parallel.zero_stage = 2; }), "");
    EXPECT_EQ(problems_of([](Recipe& r) { r.parallel.comm_hook = CommHookType::power_sgd; }), "");
    EXPECT_EQ(problems_of([](Recipe& r) { r.training.local_sgd_steps = 5; }),
              "training.local_sgd_steps: does not work with parallel.pp_size 2: set it to 0\n");
    EXPECT_EQ(problems_of([](Recipe& r) {
                  r.logging.histograms_every = 5;
                  r.health.divergence_every = 5;
              }),
              "");
    EXPECT_THAT(problems_of([](Recipe& r) { r.training.cuda_graph = true; }),
                HasSubstr("training.cuda_graph: does not work with this parallel.pp_size: pipeline stages wait for "
                          "messages of other ranks between the passes. Change that, or set training.cuda_graph to no"));
    Recipe recipe;
    recipe.parallel.pp_size = 2;
    EXPECT_THROW(on_ranks(recipe, 3), InvalidInput);
    EXPECT_EQ(recipe.tokens_per_step(4), 2 * recipe.training.batch_size * recipe.data.sequence_length)
        << "the stages of a pipeline see the same samples";
    recipe.training.global_batch_size = 24;
    EXPECT_EQ(on_ranks(recipe, 4).training.batch_size, 12);
}

TEST(Recipe, GraphsSayWhatTheyCannotTake) {
    const auto problems_of = [](void (*change)(Recipe&)) {
        Recipe recipe;
        recipe.training.cuda_graph = true;
        change(recipe);
        std::string text;
        for (const Problem& problem : check_recipe(recipe))
            if (problem.key == "training.cuda_graph")
                text += problem.message.text() + "\n";
        return text;
    };
    EXPECT_EQ(problems_of([](Recipe&) {}), "");
    EXPECT_EQ(problems_of([](Recipe& r) {
                  r.parallel.zero_stage = 1;
                  r.training.mixed_precision = Precision::fp16;
                  r.training.activation_checkpointing = Recomputation::selective;
                  r.training.ema_decay = 0.9;
                  r.model.lora.r = 4;
              }),
              "");
    struct Row {
        void (*change)(Recipe&);
        const char* key;
    };
    for (const Row& row :
         {Row{[](Recipe& r) { r.parallel.tp_size = 2; }, "parallel.tp_size"},
          Row{[](Recipe& r) { r.parallel.cp_size = 2; }, "parallel.cp_size"},
          Row{[](Recipe& r) { r.parallel.sp_size = 2; }, "parallel.sp_size"},
          Row{[](Recipe& r) { r.parallel.zero_stage = 2; }, "parallel.zero_stage"},
          Row{[](Recipe& r) {
                  r.parallel.offload_optimizer_device = OffloadDevice::nvme;
                  r.parallel.offload_optimizer_nvme_path = "/tmp";
              },
              "parallel.offload_optimizer_device"},
          Row{[](Recipe& r) {
                  r.parallel.zero_stage = 3;
                  r.parallel.offload_param_device = OffloadDevice::nvme;
                  r.parallel.offload_param_nvme_path = "/tmp";
              },
              "parallel.offload_param_device"},
          Row{[](Recipe& r) { r.data.pack = false; }, "data.pack"},
          Row{[](Recipe& r) { r.training.mixed_precision = Precision::fp8; }, "training.mixed_precision"},
          Row{[](Recipe& r) { r.training.auto_find_batch_size = true; }, "training.auto_find_batch_size"}})
        EXPECT_THAT(problems_of(row.change), HasSubstr("does not work with this " + std::string(row.key) + ": "));
    try {
        parse_recipe(
            "data: {path: text}\nmodel: {model_type: mixtral, num_hidden_layers: 2}\ntraining: {cuda_graph: true}\n",
            "/r/r.yaml");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("how many tokens an expert gets differs in every step"));
    }
    for (const char* family : {"llama", "mistral", "qwen3", "gpt_neox", "gemma2"})
        EXPECT_NO_THROW(parse_recipe(std::string("data: {path: text}\nmodel: {model_type: ") + family +
                                         ", num_hidden_layers: 2}\ntraining: {cuda_graph: true}\n",
                                     "/r/r.yaml"))
            << family;
}

TEST(Recipe, SchedulesSayWhatTheyCannotTake) {
    const auto problems_of = [](const char* schedule, std::int64_t stages_per_rank, std::int64_t micro_batches,
                                std::int64_t ranks = 2) {
        Recipe recipe;
        recipe.model.n_layer = 8;
        recipe.parallel.pp_size = ranks;
        recipe.parallel.pipeline_schedule = schedule;
        recipe.parallel.pp_stages_per_rank = stages_per_rank;
        recipe.training.gradient_accumulation_steps = micro_batches;
        std::string text;
        for (const Problem& problem : check_recipe(recipe))
            text += problem.key + ": " + problem.message.text() + "\n";
        return text;
    };
    EXPECT_EQ(problems_of("Interleaved1F1B", 0, 4), "");
    EXPECT_EQ(problems_of("LoopedBFS", 4, 5), "");
    EXPECT_EQ(problems_of("Interleaved1F1B", 0, 5),
              "parallel.pipeline_schedule: Interleaved1F1B over 2 ranks takes 5 micro-batches in 2 rounds: give a "
              "multiple of 2\n");
    EXPECT_EQ(problems_of("ZBVZeroBubble", 3, 4),
              "parallel.pipeline_schedule: ZBVZeroBubble has two stages on each rank, not 3\n");
    EXPECT_EQ(problems_of("ZBVZeroBubble", 0, 4, 5),
              "parallel.pp_size: 5 ranks with 2 pipeline stages each cannot be cut from a model of 8 blocks "
              "(model.n_layer): give at most as many stages as blocks\n");
    EXPECT_NE(problems_of("1F1B", 2, 4), "");
    EXPECT_NE(problems_of("1F1B", 2, 4, 1), "") << "stages without a pipeline";
    // The number of micro-batches is derived from the number of ranks, and must suit the schedule.
    Recipe recipe;
    recipe.parallel.pp_size = 2;
    recipe.parallel.pipeline_schedule = "Interleaved1F1B";
    recipe.training.global_batch_size = 30;
    recipe.training.batch_size = 6;
    const Recipe made = on_ranks(recipe, 2);
    EXPECT_EQ(made.training.gradient_accumulation_steps, 6) << "not 5";
    EXPECT_EQ(made.training.batch_size, 5);
}

TEST(RecipeChecks, PositionsOfThePaddingAreNotForTokens) {
    // As in public reports on RoBERTa (512 tokens, a table of 514 positions): index out of range in training.
    const auto recipe = [](const char* family, int length) {
        return std::string("model: {model_type: ") + family +
               ", task: sequence_classification, max_position_embeddings: 34, vocab_size: 256, hidden_size: 8, "
               "num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 8}\n"
               "data: {format: csv, path: x.csv, sequence_length: " +
               std::to_string(length) + "}\n";
    };
    EXPECT_THAT(problems_of(recipe("bert", 34)), ElementsAre());
    EXPECT_THAT(problems_of(recipe("roberta", 32)), ElementsAre());
    EXPECT_THAT(
        problems_of(recipe("roberta", 33)),
        ElementsAre(says("{} is more than the {} tokens that model.{} ({}) has positions for, as the first ones "
                         "belong to the padding: shorten the samples or raise {}",
                         33, 32, "max_position_embeddings", 34, "max_position_embeddings")
                        .after("data.sequence_length: ")));
}

}  // namespace
}  // namespace trainyard::config
