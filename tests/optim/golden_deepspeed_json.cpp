// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's JSON as Accelerate 1.15 completes it, and DeepSpeed's learning rates (golden/deepspeed_json.json), to
// 1e-12.

#include <cmath>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "base/error.h"
#include "launch/plan/deepspeed_config.h"
#include "optim/plain_optimizer.h"
#include "optim/schedule.h"
#include "support/golden.h"
#include "support/json_tree.h"

namespace trainyard::plan {
namespace {

using test::Json;

Json unordered(const Json& value) {
    if (value.is_array()) {
        Json list = Json::array();
        for (const Json& item : value)
            list.push_back(unordered(item));
        return list;
    }
    if (!value.is_object())
        return value;
    std::map<std::string, Json> sorted;
    for (const auto& [key, item] : value.items())
        sorted[key] = unordered(item);
    Json table = Json::object();
    for (const auto& [key, item] : sorted)
        table[key] = item;
    return table;
}

const Json& value_or(const Json& table, const char* key, const Json& otherwise) {
    return table.contains(key) ? table[key] : otherwise;
}
const Json& value_or(const Json&, const char*, const Json&&) = delete;  // it would not live long enough

/// Arguments of DeepSpeedPlugin, which count over the environment.
DeepspeedPlugin plugin_of(const Json& input) {
    static const Json none = Json::object();
    const Json &arguments = value_or(input, "plugin", none), &env = value_or(input, "env", none);
    const auto text = [&](const char* name, const char* variable, const std::string& otherwise) {
        return arguments.contains(name) ? arguments[name].get<std::string>()
               : env.contains(variable) ? env[variable].get<std::string>()
                                        : otherwise;
    };
    const auto number = [&](const char* name, const char* variable, const Json& otherwise) -> Json {
        if (arguments.contains(name))
            return arguments[name];
        return env.contains(variable) ? Json::parse(env[variable].get<std::string>()) : otherwise;
    };
    DeepspeedPlugin plugin;
    plugin.gradient_accumulation_steps =
        number("gradient_accumulation_steps", "ACCELERATE_GRADIENT_ACCUMULATION_STEPS", "auto");
    plugin.gradient_clipping = number("gradient_clipping", "ACCELERATE_GRADIENT_CLIPPING", "auto");
    plugin.zero_stage = number("zero_stage", "ACCELERATE_DEEPSPEED_ZERO_STAGE", 2);
    plugin.offload_optimizer_device =
        text("offload_optimizer_device", "ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE", "none");
    plugin.offload_param_device = text("offload_param_device", "ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE", "none");
    plugin.offload_optimizer_nvme_path =
        text("offload_optimizer_nvme_path", "ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_NVME_PATH", "none");
    plugin.offload_param_nvme_path =
        text("offload_param_nvme_path", "ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_NVME_PATH", "none");
    if (arguments.contains("zero3_init_flag"))
        plugin.zero3_init_flag = arguments["zero3_init_flag"].get<bool>();
    plugin.zero3_save_16bit_model = arguments.value("zero3_save_16bit_model", false);
    if (arguments.value("enable_msamp", false))
        throw UserError("MS-AMP is not part of this program");
    return plugin;
}

Json fields_of(const DeepspeedPlugin& plugin) {
    return {{"gradient_accumulation_steps", plugin.gradient_accumulation_steps},
            {"gradient_clipping", plugin.gradient_clipping},
            {"zero_stage", plugin.zero_stage},
            {"offload_optimizer_device", plugin.offload_optimizer_device},
            {"offload_param_device", plugin.offload_param_device},
            {"zero3_init_flag", plugin.zero3_init_flag.value_or(false)},
            {"zero3_save_16bit_model", plugin.zero3_save_16bit_model}};
}

DeepspeedRun run_of(const Json& input) {
    static const Json none = Json::object();
    DeepspeedRun run;
    run.ranks = input.value("ranks", 1);
    const Json &sizes = value_or(input, "sizes", none), &env = value_or(input, "env", none);
    if (sizes.value("sp", 1) > 1)
        run.data_ranks = sizes.value("dp_shard", 1) * sizes.value("dp_replicate", 1);
    run.gradient_accumulation_steps = input.value("gradient_accumulation_steps", 1);
    if (env.contains("ACCELERATE_GRADIENT_ACCUMULATION_STEPS"))
        run.gradient_accumulation_steps = std::stoll(env["ACCELERATE_GRADIENT_ACCUMULATION_STEPS"].get<std::string>());
    run.split_batches = input.value("split_batches", false);
    run.takes_smallest_batch = value_or(input, "plugin", none).value("is_train_batch_min", true);
    for (const Json& size : value_or(input, "batch_sizes", none))
        run.batch_sizes.push_back(size.is_null() ? std::nullopt : std::optional(size.get<std::int64_t>()));
    using Part = DeepspeedRun::Part;
    if (input.contains("optimizer") && !input["optimizer"].is_null()) {
        const Json& optimizer = input["optimizer"];
        run.optimizer = optimizer.value("dummy", false) ? Part::of_file : Part::own;
        run.lr = value_or(optimizer, "lr", run.lr);
        run.weight_decay = value_or(optimizer, "weight_decay", run.weight_decay);
    }
    if (input.contains("scheduler") && !input["scheduler"].is_null()) {
        const Json& schedule = input["scheduler"];
        run.schedule = schedule.value("dummy", false) ? Part::of_file : Part::own;
        run.warmup_num_steps = schedule.value("warmup_num_steps", 0);
        if (schedule.contains("total_num_steps"))
            run.total_num_steps = schedule["total_num_steps"].get<std::int64_t>();
        run.makes_schedule = schedule.value("callable", false);
    }
    if (const Json& model = value_or(input, "model", none); input.contains("model")) {
        run.has_model_config = true;
        if (model.contains("hidden_size"))
            run.hidden_sizes = {model["hidden_size"].get<std::int64_t>()};
        else if (model.contains("hidden_sizes"))
            run.hidden_sizes = model["hidden_sizes"].get<std::vector<std::int64_t>>();
    }
    return run;
}

Json batch_json(const DeepspeedConfig& config, std::int64_t ranks) {
    try {
        const DeepspeedBatch batch = batch_of(config, ranks);
        return {{"train_batch_size", batch.train},
                {"train_micro_batch_size_per_gpu", batch.micro},
                {"gradient_accumulation_steps", batch.accumulation}};
    } catch (const UserError&) {
        return "refused";
    }
}

/// Numbers count by their value: 12.0 is 12.
void expect_same(const Json& ours, const Json& wanted, const char* what) {
    if (wanted.is_object() && wanted.contains("error"))
        EXPECT_EQ(ours, Json("refused")) << what;
    else
        EXPECT_EQ(unordered(ours), unordered(wanted)) << what;
}

/// The engine has Ulysses without a model's configuration; what needs transformers there is not a limit of DeepSpeed's
/// JSON.
bool is_of_transformers(const Json& input) {
    return input.contains("sizes") && !input.contains("model");
}

void expect_resolved(const Json& input, const Json& expected) {
    if (is_of_transformers(input))
        return;
    const char* at = "plugin";
    try {
        static const Json none = Json::object();
        if (const Json& env = value_or(input, "env", none);
            input.contains("config") && env.contains("ACCELERATE_CONFIG_DS_FIELDS"))
            refuse_double_configuration(env["ACCELERATE_CONFIG_DS_FIELDS"].get<std::string>(), "ds.json");
        DeepspeedPlugin plugin = plugin_of(input);
        std::optional<DeepspeedConfig> file;
        if (input.contains("config"))
            file.emplace(input["config"]);
        DeepspeedConfig config = plugin.configure(std::move(file));
        const Json fields = fields_of(plugin);
        at = "accelerator";
        config.set_precision(input.contains("mixed_precision") && !input["mixed_precision"].is_null()
                                 ? input["mixed_precision"].get<std::string>()
                                 : "no");
        const Json after = config.root();
        at = "prepare";
        const DeepspeedConfig resolved = prepared(config, run_of(input));
        ASSERT_FALSE(expected.contains("error")) << "accepted, but Accelerate: " << expected.dump();
        expect_same(fields, expected["plugin"], "plugin");
        expect_same(resolved.root(), expected["resolved"], "resolved");
        expect_same(
            after,
            expected["after_accelerator"] == "as resolved" ? expected["resolved"] : expected["after_accelerator"],
            "after_accelerator");
        EXPECT_EQ(resolved.root().at("gradient_accumulation_steps"), expected["gradient_accumulation_steps"]);
        if (expected.contains("batch_relation"))
            expect_same(batch_json(resolved, input.value("ranks", 1)), expected["batch_relation"], "batch_relation");
    } catch (const UserError& error) {
        ASSERT_TRUE(expected.contains("error")) << error.what();
        EXPECT_EQ(expected["at"], at) << error.what();
    }
}

void expect_text(const Json& input, const Json& expected) {
    try {
        const DeepspeedConfig config = DeepspeedConfig::read(input["text"].get<std::string>());
        ASSERT_FALSE(expected.contains("error"));
        expect_same(config.root(), expected["config"], "config");
        if (expected["stage"].is_number()) {
            EXPECT_EQ(config.stage(), expected["stage"].get<std::int64_t>());
        }
        EXPECT_EQ(config.stage() == 2, expected["is_zero2"].get<bool>());
        EXPECT_EQ(config.stage() == 3, expected["is_zero3"].get<bool>());
        EXPECT_EQ(config.offloads(), expected["is_offload"].get<bool>());
    } catch (const UserError& error) {
        EXPECT_TRUE(expected.contains("error")) << error.what();
    }
}

void expect_precision(const Json& input, const Json& expected) {
    DeepspeedConfig config(input["config"]);
    try {
        config.set_precision(input["mixed_precision"].get<std::string>());
        ASSERT_FALSE(expected.contains("error"));
        for (const char* format : {"fp16", "bf16"})
            expect_same(config.root().at(format), expected[format], format);
    } catch (const UserError& error) {
        EXPECT_TRUE(expected.contains("error")) << error.what();
    }
}

std::vector<double> rates_of(const Json& json) {
    if (!json.is_array())
        return {test::number_of(json)};
    std::vector<double> rates;
    for (const Json& item : json)
        rates.push_back(test::number_of(item));
    return rates;
}

/// DeepSpeed takes any other word for a logarithmic warm-up; ours refuses it.
bool has_unknown_warmup(const Json& params) {
    const std::string type = params.value("warmup_type", "log");
    return type != "log" && type != "linear";
}

void expect_rates(const Json& input, const Json& expected) {
    const bool sgd = input.value("optimizer", "") == "SGD";
    test::PlainOptimizer optimizer(rates_of(input.contains("lrs") ? input["lrs"] : input["lr"]), sgd ? 0 : 0.9,
                                   sgd ? "momentum" : "betas");
    std::unique_ptr<optim::Schedule> schedule;
    try {
        schedule =
            optim::make_schedule(input["schedule"].get<std::string>(), test::tree_of(input["params"]), optimizer);
    } catch (const UserError& error) {
        EXPECT_TRUE(expected.contains("error") || has_unknown_warmup(input["params"])) << error.what();
        return;
    }
    ASSERT_TRUE(expected.contains("lrs")) << expected.dump();
    ASSERT_FALSE(has_unknown_warmup(input["params"]));
    for (std::size_t step = 0; step < expected["lrs"].size(); ++step) {
        const std::vector<double> wanted = rates_of(expected["lrs"][step]);
        ASSERT_EQ(optimizer.lrs().size(), wanted.size());
        for (std::size_t group = 0; group < wanted.size(); ++group)
            EXPECT_NEAR(optimizer.lrs()[group], wanted[group], 1e-12 * std::abs(wanted[group]) + 1e-18)
                << "step " << step + 1;
        if (expected.contains("betas")) {
            EXPECT_NEAR(optimizer.momentum(0), expected["betas"][step].get<double>(), 1e-12) << "step " << step + 1;
        }
        schedule->step();
    }
}

TEST(DeepspeedJson, GoldenCases) {
    std::ifstream file(test::golden("deepspeed_json.json"));
    const std::map<std::string, std::function<void(const Json&, const Json&)>> kinds{
        {"resolve", expect_resolved},
        {"text", expect_text},
        {"precision", expect_precision},
        {"rates", expect_rates},
        {"batch", [](const Json& input, const Json& expected) {
             expect_same(batch_json(DeepspeedConfig(input["config"]), input["ranks"].get<std::int64_t>()), expected,
                         "batch");
         }}};
    int seen = 0;
    const Json all = Json::parse(file)["cases"];
    for (const Json& one : all) {
        SCOPED_TRACE(one["id"].get<std::string>());
        kinds.at(one["input"]["kind"].get<std::string>())(one["input"], one["expected"]);
        ++seen;
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace trainyard::plan
