// SPDX-License-Identifier: GPL-3.0-or-later
// The table of optimizers, and the section `optimizer` of recipes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/recipe/optimizer_kinds.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"
#include "support/says.h"

namespace trainyard::config {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::StartsWith;

Recipe recipe_with(const std::string& optimizer) {
    return parse_recipe("data: {path: text}\noptimizer: " + optimizer + "\n", "/r/r.yaml");
}

std::string problem_with(const std::string& more) {
    try {
        parse_recipe("data: {path: text}\n" + more + "\n", "/r/r.yaml");
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "none";
}

TEST(Optimizers, HaveTheirOwnDefaultsUnlessSomethingIsWritten) {
    EXPECT_DOUBLE_EQ(recipe_with("{lr: 0.1}").optimizer.weight_decay, 0.01);
    EXPECT_DOUBLE_EQ(recipe_with("{name: sgd}").optimizer.weight_decay, 0);
    EXPECT_DOUBLE_EQ(recipe_with("{name: Lion}").optimizer.beta2, 0.99);
    EXPECT_EQ(recipe_with("{name: AdamWScheduleFree}").optimizer.name, "schedule_free_adamw");
    EXPECT_DOUBLE_EQ(recipe_with("{name: adagrad}").optimizer.eps, 1e-10);
    EXPECT_DOUBLE_EQ(recipe_with("{name: sgd, weight_decay: 0.01}").optimizer.weight_decay, 0.01);
    Recipe recipe = recipe_with("{betas: [0.8, 0.9], weight_decay: 0.3}");
    apply_overrides(recipe, {"optimizer.name=sgd"});
    EXPECT_DOUBLE_EQ(recipe.optimizer.beta1, OptimizerRecipe().beta1) << "sgd has none: AdamW's go with it";
    EXPECT_DOUBLE_EQ(recipe.optimizer.weight_decay, 0.3) << "what was given stays where it means something";
}

TEST(Optimizers, EveryOneIsWrittenAndReadAgain) {
    for (const std::string& name : optimizer_names()) {
        const Recipe recipe = recipe_with("{name: " + name + "}\ntraining: {max_grad_norm: 0}");
        EXPECT_EQ(recipe.optimizer.name, name);
        EXPECT_EQ(parse_recipe(to_yaml(recipe), "/r/r.yaml"), recipe) << name;
    }
}

TEST(Optimizers, WhatTheyLackOrDoNotTakeIsRefused) {
    EXPECT_THAT(problem_with("optimizer: {name: sgd, betas: [0.8, 0.9]}"),
                HasSubstr("optimizer.betas: sgd has no betas"));
    EXPECT_THAT(problem_with("optimizer: {name: sgd, arguments: {momentm: 0.9}}"),
                says(": did you mean '{}'?", "momentum"));
    EXPECT_THAT(problem_with("optimizer: {name: sgd, arguments: {nesterov: true}}"),
                says("nesterov needs momentum above 0 and no dampening"));
    EXPECT_THAT(problem_with("optimizer: {arguments: {weight_decay: 0.1}}"),
                says("{} has a key of its own: write optimizer.{}", _, StartsWith("weight_decay")));
    EXPECT_THAT(problem_with("optimizer: {name: adafactor, arguments: {eps: 3}}"), says("a list of {} numbers", 2));
    EXPECT_THAT(problem_with("optimizer: {name: rmsprop, arguments: {alpha: -1}}"),
                says("at least {}", StartsWith("0")));
    EXPECT_THAT(problem_with("optimizer: {name: muon}\nparallel: {zero_stage: 1}"),
                says("{} needs whole parameters, and under ZeRO every rank has slices of them: set zero_stage to 0, or "
                     "take another optimizer",
                     _));
    EXPECT_THAT(problem_with("optimizer: {name: schedule_free_sgd}\ntraining: {ema_decay: 0.9}"),
                HasSubstr("training.ema_decay"));
    EXPECT_THAT(problem_with("optimizer: {name: rprop, decay_all: yes}"),
                HasSubstr("optimizer.decay_all: has no effect on rprop"));
}

/// 1-bit and 0/1 Adam.
TEST(Optimizers, WhatAnExchangeOfSignsCannotBeCombinedWithIsRefused) {
    for (const char* name : {"onebit_adam", "zero_one_adam"})
        for (const auto& [section, key] :
             {std::pair("parallel: {zero_stage: 1}", "parallel.zero_stage"),
              {"parallel: {zero_stage: 3}", "parallel.zero_stage"},
              {"parallel: {pp_size: 2}", "parallel.pp_size"},
              {"parallel: {tp_size: 2}", "parallel.tp_size"},
              {"parallel: {cp_size: 2}", "parallel.cp_size"},
              {"parallel: {sp_size: 2}", "parallel.sp_size"},
              {"parallel: {comm_hook: power_sgd}", "parallel.comm_hook"},
              {"training: {local_sgd_steps: 4}", "training.local_sgd_steps"},
              {"parallel: {offload_optimizer_device: nvme}", "parallel.offload_optimizer_device"},
              {"data: {path: text, even_batches: no}", "data.even_batches"}}) {
            const std::string optimizer = std::string("optimizer: {name: ") + name + "}\n" + section;
            std::string problem;
            try {
                parse_recipe(section == std::string_view("data: {path: text, even_batches: no}")
                                 ? optimizer + "\n"
                                 : "data: {path: text}\n" + optimizer + "\n",
                             "/r/r.yaml");
            } catch (const InvalidInput& error) {
                problem = error.what();
            }
            EXPECT_THAT(problem,
                        says("does not go with {}, which exchanges signs of momenta instead of gradients: {}", name, _)
                            .after(std::string(key) + ": "))
                << section;
        }
    for (const char* section : {"training: {ema_decay: 0.9}", "health: {divergence_every: 5}"}) {
        EXPECT_EQ(problem_with(std::string("optimizer: {name: onebit_adam}\n") + section), "none");
        EXPECT_THAT(
            problem_with(std::string("optimizer: {name: zero_one_adam}\n") + section),
            says("does not go with {}, under which the weights of ranks differ between two exchanges: set it to "
                 "0",
                 "zero_one_adam"));
    }
    EXPECT_THAT(problem_with("optimizer: {name: OneBitAdam, arguments: {freeze_step: 0}}"),
                says("at least {}", StartsWith("1")));
}

/// betas, eps and weight_decay of the section, with values that are the default of no optimizer.
TEST(Optimizers, KeysOfTheSectionActOrAreRefused) {
    for (const OptimizerKind& kind : optimizer_kinds()) {
        if (!kind.not_in_recipes.empty())
            continue;
        for (const auto& [key, value] :
             {std::pair("betas", "[0.61, 0.71]"), {"eps", "0.03"}, {"weight_decay", "0.37"}}) {
            const std::string section =
                "optimizer: {name: " + kind.name + ", " + key + ": " + value + "}\ntraining: {max_grad_norm: 0}";
            const std::string problem = problem_with(section);
            if (problem != "none") {
                EXPECT_THAT(problem, HasSubstr(std::string("optimizer.") + key)) << kind.name;
                continue;
            }
            const OptimizerPlan plan = make_optimizer_plan(parse_recipe(section, "r").optimizer);
            EXPECT_NE(plan.groups.back().settings.value(key), kind.find(key)->value) << kind.name << " " << key;
        }
    }
}

TEST(Optimizers, GroupsByPatterns) {
    const Recipe recipe = recipe_with(
        R"({name: muon, lr: 0.02, groups: {"*.wte.weight": {name: adamw, lr: 0.001}, "*.bias": {name: adamw, weight_decay: 0.5}}})");
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer);
    const std::size_t embedding = plan.group_of("transformer.wte.weight", {256, 128});
    EXPECT_EQ(plan.groups[embedding].settings.kind().name, "adamw");
    EXPECT_DOUBLE_EQ(plan.groups[embedding].lr_ratio, 0.05);
    EXPECT_EQ(plan.groups[plan.group_of("transformer.h.0.mlp.c_fc.weight", {128, 512})].settings.kind().name, "muon");
    const std::size_t norm = plan.group_of("transformer.ln_f.weight", {128});
    EXPECT_EQ(plan.groups[norm].settings.kind().name, "adamw") << "no matrix";
    EXPECT_DOUBLE_EQ(plan.settings_of(norm, {128}).number("weight_decay"), 0);
    const std::size_t bias = plan.group_of("transformer.h.0.mlp.c_fc.bias", {512});
    EXPECT_DOUBLE_EQ(plan.settings_of(bias, {512}).number("weight_decay"), 0.5) << "a group's own decay counts";
    EXPECT_THAT(problem_with(R"(optimizer: {groups: {"*.wxyz": {lr: 0.1}}})"), HasSubstr("of no parameter"));
    EXPECT_THAT(problem_with(R"(optimizer: {groups: {"*.wte.*": {name: adamx}}})"),
                says("unknown optimizer '{}'{}", "adamx", _));
}

TEST(Lora, NeedsModulesThatAreThere) {
    EXPECT_EQ(problem_with("lora: {r: 4, target_modules: [c_attn]}"), "none");
    EXPECT_THAT(problem_with("lora: {r: 4, target_modules: [q_proj]}"),
                says("'{}' is the end of no module's name: there are {}", "q_proj", _));
    EXPECT_EQ(problem_with(R"(lora: {r: 4, target_modules: '.*h\.[01]\.(attn\.c_attn|mlp\.c_fc)'})"), "none");
    EXPECT_THAT(problem_with(R"(lora: {r: 4, target_modules: 'h\.[01]\.attn.*'})"),
                says("'{}' matches no module's whole name: there are {}", _, _));
    EXPECT_THAT(problem_with("lora: {r: 4, target_modules: '(c_attn'}"),
                says("the regular expression '{}' cannot be used: {} (at character {})", "(c_attn", _, _));
    EXPECT_THAT(problem_with("lora: {lora_alpha: 4}"), HasSubstr("lora.lora_alpha: has no effect"));
    // PEFT adapts tables of embeddings and output layers in another way, and all-linear leaves them out.
    static constexpr char kOfVocabulary[] =
        "'{}' names {}, which is a table of embeddings or the output layer of a vocabulary, and adapters are beside "
        "other layers alone: leave it out, or train it whole (lora.modules_to_save)";
    const std::string llama = "model: {model_type: llama, tie_word_embeddings: false}\nlora: {r: 4, ";
    for (const char* module : {"wte", "wpe", "lm_head"})
        EXPECT_THAT(problem_with(std::string("lora: {r: 4, target_modules: [c_attn, ") + module + "]}"),
                    says(kOfVocabulary, module, EndsWith(module)));
    EXPECT_THAT(problem_with(llama + "target_modules: '.*'}"), says(kOfVocabulary, ".*", _));
    EXPECT_THAT(problem_with(llama + "target_modules: [q_proj, lm_head]}"), says(kOfVocabulary, "lm_head", "lm_head"));
    EXPECT_THAT(problem_with("model: {model_type: bert, task: sentence_embedding, vocab_size: 257}\nlora: {r: 4, "
                             "target_modules: [dense]}"),
                Not(HasSubstr("lora")))
        << "the pooler is not used";
    EXPECT_EQ(problem_with(llama + "target_modules: [q_proj, lm_head], modules_to_save: [lm_head]}"), "none");
    EXPECT_THAT(problem_with(llama + "target_modules: [lm_head], modules_to_save: [lm_head]}"),
                says("names only modules that are trained whole beside the adapters ({}): name others", "lm_head"));
    EXPECT_EQ(problem_with("lora: {r: 4}\nparallel: {pp_size: 2}"), "none");
    const std::string experts = "model: {model_type: mixtral}\nlora: {r: 4, modules_to_save: [w1]}\n";
    EXPECT_EQ(problem_with(experts), "none");
    EXPECT_THAT(problem_with(experts + "parallel: {ep_size: 2}"),
                says("'{}' is of experts, which parallel.ep_size divides among the ranks, and the file of an adapter "
                     "has all of them: set parallel.ep_size to 1, or adapt them (lora.target_modules)",
                     "w1"));
}

TEST(Lora, ParametersOfTransformersModules) {
    const std::string mixtral = "model: {model_type: mixtral, num_hidden_layers: 2}\n";
    EXPECT_EQ(problem_with(mixtral + "lora: {r: 4, target_parameters: [mlp.experts.gate_up_proj, experts.down_proj]}"),
              "none");
    EXPECT_EQ(problem_with(mixtral + "lora: {r: 4, target_modules: [], target_parameters: [0.mlp.gate.weight]}"),
              "none");
    EXPECT_THAT(problem_with(mixtral + "lora: {r: 4, target_parameters: [q_proj.weight]}"),
                says("{} gets an adapter by lora.target_modules, too ({}): name it in one of them",
                     EndsWith("model.layers.0.self_attn.q_proj.weight"), _));
    EXPECT_THAT(problem_with(mixtral + "lora: {r: 4, target_parameters: [experts.w1]}"),
                says("'{}' is the end of no parameter's name: there are {}", _,
                     StartsWith("model.layers.0.self_attn.q_proj.weight, ")));
    EXPECT_THAT(problem_with(mixtral + "lora: {r: 4, target_parameters: [experts.w1]}"),
                HasSubstr("model.layers.0.mlp.experts.gate_up_proj, model.layers.0.mlp.experts.down_proj"));
    EXPECT_THAT(problem_with("lora: {target_parameters: [c_attn.weight]}"),
                HasSubstr("lora.target_parameters: has no effect"));
    EXPECT_THAT(problem_with("lora: {r: 4, target_modules: []}"), HasSubstr("lora.target_modules: is empty"));
}

TEST(Lora, ModulesThatAreTrainedWhole) {
    EXPECT_EQ(problem_with("lora: {r: 4, modules_to_save: [ln_f]}"), "none");
    EXPECT_THAT(problem_with("lora: {r: 4, modules_to_save: [classifier]}"),
                says("'{}' is the end of no module's name: a parameter is called {}", "classifier", _));
    EXPECT_THAT(problem_with("lora: {r: 4, modules_to_save: [wte]}"),
                says("'{}' is the output layer, too, and PEFT would save it for one of them alone: leave it out, or "
                     "set model.tie_word_embeddings to false",
                     _));
    EXPECT_THAT(problem_with("lora: {r: 4, modules_to_save: [lm_head]}"),
                HasSubstr("'lm_head' is the output layer, too"));
    EXPECT_THAT(problem_with("lora: {modules_to_save: [ln_f]}"), HasSubstr("lora.modules_to_save: has no effect"));
    ModelRecipe model;
    model.lora.r = 4;
    EXPECT_TRUE(is_frozen(model, "transformer.ln_f.weight"));
    EXPECT_FALSE(is_frozen(model, "transformer.h.0.attn.c_attn.lora_A.weight"));
    model.lora.modules_to_save = {"ln_f"};
    EXPECT_FALSE(is_frozen(model, "transformer.ln_f.weight"));
    static_cast<families::ModelConfig&>(model) = families::family_of("bert").small();
    model.task = families::kSequenceClassification;
    model.lora.modules_to_save.clear();
    EXPECT_EQ(modules_to_save(model), std::vector<std::string>{"classifier"}) << "a head starts from random numbers";
    model.lora.modules_to_save = {"pooler.dense"};
    EXPECT_EQ(modules_to_save(model), (std::vector<std::string>{"pooler.dense", "classifier"})) << "as in PEFT";
    model.lora.modules_to_save.clear();
    EXPECT_FALSE(is_frozen(model, "classifier.bias"));
    EXPECT_TRUE(is_frozen(model, "bert.pooler.dense.weight"));
}

}  // namespace
}  // namespace trainyard::config
