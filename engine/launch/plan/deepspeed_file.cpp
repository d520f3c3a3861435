// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/deepspeed_file.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/letter_case.h"
#include "config/recipe/optimizer_kinds.h"
#include "launch/plan/deepspeed_config.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/config_keys.h"
#include "models/spec/family.h"

namespace trainyard::plan {

namespace {

using OrderedJson = nlohmann::ordered_json;

bool is_auto(const OrderedJson& value) {
    return value.is_string() && value.get<std::string>() == "auto";
}
bool is_off(const OrderedJson& value) {
    return value.is_null() || value == OrderedJson(false) || value == OrderedJson(0) || value == OrderedJson("none") ||
           (value.is_structured() && value.empty());
}

/// Keys whose value is a value of the recipe.
const std::map<std::string, std::string>& same_in_recipe() {
    static const std::map<std::string, std::string> keys{
        {"gradient_accumulation_steps", "training.gradient_accumulation_steps"},
        {"gradient_clipping", "training.max_grad_norm"},
        {"train_micro_batch_size_per_gpu", "training.batch_size"},
        {"zero_optimization.stage", "parallel.zero_stage"},
        {"zero_optimization.zero_hpz_partition_size", "parallel.zero_hpz_partition_size"},
        {"zero_optimization.zero_quantized_weights", "parallel.zero_quantized_weights"},
        {"zero_optimization.zero_quantized_gradients", "parallel.zero_quantized_gradients"},
        {"fp16.loss_scale_window", "training.loss_scale_window"},
        {"optimizer.params.lr", "optimizer.lr"},
        {"optimizer.params.betas", "optimizer.betas"},
        {"optimizer.params.eps", "optimizer.eps"},
        {"optimizer.params.weight_decay", "optimizer.weight_decay"}};
    return keys;
}

/// Keys that change how DeepSpeed does something which the engine does in its own way, with the same result.
bool is_of_deepspeed_alone(const std::string& path) {
    static const std::set<std::string> keys{"zero_optimization.allgather_partitions",
                                            "zero_optimization.allgather_bucket_size",
                                            "zero_optimization.overlap_comm",
                                            "zero_optimization.reduce_scatter",
                                            "zero_optimization.reduce_bucket_size",
                                            "zero_optimization.contiguous_gradients",
                                            "zero_optimization.round_robin_gradients",
                                            "zero_optimization.sub_group_size",
                                            "zero_optimization.load_from_fp32_weights",
                                            "zero_optimization.elastic_checkpoint",
                                            "zero_optimization.ignore_unused_parameters",
                                            "zero_optimization.memory_efficient_linear",
                                            "zero_optimization.override_module_apply",
                                            "zero_optimization.pipeline_loading_checkpoint",
                                            "zero_optimization.log_trace_cache_warnings",
                                            "zero_optimization.use_multi_rank_bucket_allreduce",
                                            "zero_optimization.legacy_stage1",
                                            "zero_optimization.max_live_parameters",
                                            "zero_optimization.max_reuse_distance",
                                            "zero_optimization.param_persistence_threshold",
                                            "zero_optimization.model_persistence_threshold",
                                            "zero_optimization.prefetch_bucket_size",
                                            "zero_optimization.gather_16bit_weights_on_model_save",
                                            "bf16.check_grad_overflow",
                                            "bf16.immediate_grad_update",
                                            "zero_optimization.compute_grad_norm",
                                            "zero_optimization.parameter_alignment",
                                            "gradient_predivide_factor",
                                            "fp16.auto_cast",
                                            "fp16.hysteresis",
                                            "fp16.consecutive_hysteresis",
                                            "fp16.min_loss_scale",
                                            "steps_per_print",
                                            "wall_clock_breakdown",
                                            "memory_breakdown",
                                            "dump_state",
                                            "prescale_gradients",
                                            "zero_allow_untested_optimizer",
                                            "zero_force_ds_cpu_optimizer",
                                            "disable_allgather",
                                            "seq_parallel_communication_data_type",
                                            "optimizer.params.adam_w_mode",
                                            "optimizer.params.torch_adam",
                                            "optimizer.params.bias_correction",
                                            "optimizer.params.comm_backend_name",
                                            "optimizer.params.cuda_aware",
                                            "optimizer.legacy_fusion"};
    return keys.contains(path) || path.starts_with("zero_optimization.stage3_") || path.starts_with("checkpoint.");
}

/// Values that say what the engine does in any case.
bool is_as_always(const std::string& path, const OrderedJson& value) {
    static const std::map<std::string, OrderedJson> values{
        {"communication_data_type", "fp32"}, {"data_types.grad_accum_dtype", "fp32"},
        {"gradient_allreduce_op", "mean"},   {"managed_gradient_accumulation", true},
        {"sequence_parallel_size", 1},       {"tensor_parallel.autotp_size", 1}};
    const auto known = values.find(path);
    return known != values.end() && known->second == value;
}

/// Keys of monitors that do not act; empty: `path` is not of a monitor.
std::string_view instead_of_monitor(const std::string& path) {
    static constexpr std::pair<std::string_view, std::string_view> kMonitors[] = {
        {"tensorboard.", "the run's event files are in its own folder, under the run's name"},
        {"csv_monitor.", "the run's CSV files are in its own folder, under the run's name"},
        {"wandb.", "arguments of trackers are in logging.tracker_arguments of the recipe"},
        {"comet.", "arguments of trackers are in logging.tracker_arguments of the recipe"},
        {"comms_logger.", "DeepSpeed's log of collectives is not written: a profile of the run shows them"},
        {"flops_profiler.", "the run's profile shows all operations of the step, in the run's own folder"}};
    for (const auto& [prefix, words] : kMonitors)
        if (path.starts_with(prefix))
            return words;
    return {};
}

/// `auto` where Accelerate has a value for it.
enum class Auto { of_recipe, of_engine, nothing };
Auto auto_of(const std::string& path) {
    static const std::set<std::string> recipe{"train_batch_size",       "train_micro_batch_size_per_gpu",
                                              "gradient_clipping",      "gradient_accumulation_steps",
                                              "fp16.enabled",           "bf16.enabled",
                                              "optimizer.params.lr",    "optimizer.params.weight_decay",
                                              "zero_optimization.stage"};
    static const std::set<std::string> engine{"zero_optimization.reduce_bucket_size",
                                              "zero_optimization.stage3_prefetch_bucket_size",
                                              "zero_optimization.stage3_param_persistence_threshold",
                                              "zero_optimization.stage3_gather_16bit_weights_on_model_save"};
    return recipe.contains(path) ? Auto::of_recipe : engine.contains(path) ? Auto::of_engine : Auto::nothing;
}

constexpr std::string_view kNoAuto = "nothing decides what auto is here: set a value";
constexpr std::string_view kOwnOffload = "the engine's own offloading does not need it";
constexpr std::string_view kOwnZero = "the engine's own ZeRO does not need it";
constexpr std::string_view kOwnMessages = "ranks send signs as they send everything else";
constexpr std::string_view kSmallWeights =
    "small weights travel with all weights of their unit in one message, so that none have to stay whole; "
    "parallel.ignored_modules names modules that stay whole";

/// Why a key acts on DeepSpeed alone.
Message reason_of_own_zero(const std::string& path) {
    static const std::set<std::string> messages{"optimizer.params.comm_backend_name", "optimizer.params.cuda_aware"};
    return Message::table_text(path.ends_with("_persistence_threshold") ? kSmallWeights
                               : messages.contains(path)                ? kOwnMessages
                                                                        : kOwnZero);
}

class DeepspeedReader {
    using Outcome = RecipeSetting::Outcome;

  public:
    DeepspeedReader(OrderedJson root, std::string file, int ranks, bool cpu, std::string mixed_precision)
        : file_(std::move(file)),
          ranks_(ranks),
          cpu_(cpu),
          mixed_precision_(std::move(mixed_precision)),
          root_(std::move(root)) {}

    DeepspeedFile read() {
        for (const auto& [key, value] : root_.items())
            walk(key, value);
        if (!arguments_.empty())
            made_.of_recipe.push_back({"optimizer.arguments", json_text(arguments_), "optimizer.params of " + file_});
        if (!trackers_.empty())
            made_.of_recipe.push_back({"logging.trackers", fmt::format("[{}]", trackers_), "monitors of " + file_});
        return std::move(made_);
    }

  private:
    void row(const std::string& path, const OrderedJson& value, Outcome outcome, Message words) {
        const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
        made_.rows.push_back({path, text, file_, outcome, std::move(words), false});
    }
    void apply(const std::string& path, const OrderedJson& value, const std::string& key, const std::string& text) {
        row(path, value, Outcome::applied, Message::verbatim(key));
        made_.of_recipe.push_back({key, text, path + " of " + file_});
    }
    void walk(const std::string& path, const OrderedJson& value) {
        if (path == "zero_optimization.offload_optimizer" || path == "zero_optimization.offload_param")
            return take_offload(path, value);
        if (path == "scheduler" && value.is_object() && !value.empty())
            return take_schedule(value);
        if (value.is_object() && !value.empty()) {
            for (const auto& [key, nested] : value.items())
                walk(path + "." + key, nested);
            return;
        }
        take(path, value);
    }
    void take(const std::string& path, const OrderedJson& value) {
        const auto same = same_in_recipe().find(path);
        if (is_auto(value) && path == "zero_optimization.stage")
            return apply(path, value, "parallel.zero_stage", "2");  // the plug-in's
        if (is_auto(value))
            return auto_of(path) == Auto::of_recipe ? row(path, value, Outcome::applied, "the recipe's value")
                   : auto_of(path) == Auto::of_engine
                       ? row(path, value, Outcome::ignored, reason_of_own_zero(path))
                       : row(path, value, Outcome::refused, Message::table_text(kNoAuto));
        if (same != same_in_recipe().end())
            return apply(path, value, same->second, value.is_string() ? value.get<std::string>() : json_text(value));
        if (path == "fp16.enabled" || path == "bf16.enabled" || path == "bfloat16.enabled") {
            if (is_off(value))
                return row(path, value, Outcome::ignored, "it is off");
            const std::string format = path.starts_with("fp16") ? "fp16" : "bf16";
            const std::string other = format == "fp16" ? "bf16" : "fp16";
            if (is_on(other.c_str()) || mixed_precision_ == other)
                return row(path, value, Outcome::refused,
                           Message("{} is asked for, too: keep one of the two formats", other));
            return apply(path, value, "training.mixed_precision", format);
        }
        for (const auto& [monitor, tracker] : {std::pair{"tensorboard.enabled", "tensorboard"},
                                               {"csv_monitor.enabled", "csv"},
                                               {"wandb.enabled", "wandb"},
                                               {"comet.enabled", "comet_ml"}}) {
            if (path != monitor)
                continue;
            if (is_off(value))
                return row(path, value, Outcome::ignored, "it is off");
            trackers_ += (trackers_.empty() ? "" : ", ") + std::string(tracker);
            return row(path, value, Outcome::applied, Message::verbatim("logging.trackers"));
        }
        if (path == "flops_profiler.enabled" && !is_off(value)) {
            const OrderedJson step = root_["flops_profiler"].value("profile_step", OrderedJson(1));
            apply(path, value, "profile.active", "1");
            made_.of_recipe.push_back({"profile.skip_first", json_text(step), path + " of " + file_});
            made_.of_recipe.push_back({"profile.with_flops", "true", path + " of " + file_});
            return;
        }
        if (path == "flops_profiler.profile_step" && is_on("flops_profiler"))
            return row(path, value, Outcome::applied, Message::verbatim("profile.skip_first"));
        if (path == "fp16.initial_scale_power" && value.is_number())
            return is_on("fp16")
                       ? apply(path, value, "training.loss_scale", fmt::format("{}", std::exp2(value.get<double>())))
                       : row(path, value, Outcome::ignored, "it counts only when fp16 is enabled");
        if (path == "fp16.loss_scale")
            return is_off(value)
                       ? row(path, value, Outcome::applied, "a loss scale that adapts, as always")
                       : row(path, value, Outcome::refused,
                             "the loss scale of recipes adapts: set it to 0, and initial_scale_power to its start");
        if (path == "train_batch_size")
            return take_batch(value);
        if (path == "optimizer.type")
            return take_optimizer(value);
        if (const std::string argument = argument_of(path); !argument.empty()) {
            arguments_[argument] = value;
            return row(path, value, Outcome::applied, Message::verbatim("optimizer.arguments"));
        }
        if (path == "optimizer.params.max_grad_norm" && !is_off(value))
            return row(path, value, Outcome::refused,
                       "DeepSpeed does not take it there, either: set gradient_clipping");
        if (const std::string_view words = instead_of_monitor(path); !words.empty())
            return row(
                path, value, Outcome::ignored,
                is_on(path.substr(0, path.find('.')).c_str()) ? Message::table_text(words) : Message("it is off"));
        if (path == "zero_optimization.zero_quantized_nontrainable_weights" && !is_off(value))
            return row(path, value, Outcome::refused,
                       "frozen weights are sent as those that are trained: set zero_quantized_weights instead");
        if (path.starts_with("aio."))
            return row(path, value, Outcome::ignored, Message::table_text(kOwnOffload));
        if (is_as_always(path, value))
            return row(path, value, Outcome::applied, "as always");
        if (is_of_deepspeed_alone(path))
            return row(path, value, Outcome::ignored, reason_of_own_zero(path));
        if (is_off(value))
            return row(path, value, Outcome::ignored, "it is off");
        if (path.ends_with(".enabled") || is_disabled(path))
            return value == OrderedJson(true) && path.ends_with(".enabled")
                       ? row(path, value, Outcome::refused, "recipes have nothing of the kind: take it out")
                       : row(path, value, Outcome::ignored, "it is off");
        row(path, value, Outcome::refused,
            "recipes have nothing of the kind: take it out, or set the recipe's own key");
    }

    /// The table of the key says `enabled: false`.
    bool is_disabled(const std::string& path) const {
        const OrderedJson* table = table_of(path.substr(0, path.find('.')));
        return path.find('.') != std::string::npos && table != nullptr && table->contains("enabled") &&
               is_off(table->at("enabled"));
    }
    bool is_on(const char* name) const {
        const OrderedJson* table = table_of(name);
        return table != nullptr && table->contains("enabled") && !is_off(table->at("enabled"));
    }
    const OrderedJson* table_of(const std::string& name) const {
        auto found = root_.find(name);
        return found != root_.end() && found->is_object() ? &*found : nullptr;
    }

    void take_offload(const std::string& path, const OrderedJson& value) {
        const OrderedJson device = value.is_object() ? value.value("device", OrderedJson("none")) : value;
        if (is_off(device) || is_auto(device))
            return row(path + ".device", device, Outcome::ignored, "nothing is moved off the device");
        if (cpu_ && device == OrderedJson("cpu"))
            return row(path + ".device", device, Outcome::ignored,
                       "ranks train on the processor, so this is in its memory anyway");
        const std::string what(path.substr(path.rfind('.') + 1));  // offload_optimizer or offload_param
        if (device != OrderedJson("nvme"))
            return row(path + ".device", device, Outcome::refused,
                       what == "offload_optimizer"
                           ? Message("recipes keep optimizer state on the device they train on, or on a disk: set it "
                                     "to none, or to nvme")
                           : weights_stay());
        apply(path + ".device", device, "parallel." + what + "_device", "nvme");
        OrderedJson folder = value.is_object() ? value.value("nvme_path", OrderedJson()) : OrderedJson();
        if (!folder.is_string())
            folder = std::string(kUsualOffloadFolder);
        apply(path + ".nvme_path", folder, "parallel." + what + "_nvme_path", folder.get<std::string>());
        const OrderedJson rest = value.is_object() ? value : OrderedJson::object();
        for (const auto& [key, nested] : rest.items())
            if (key != "device" && key != "nvme_path")
                row(path + "." + key, nested, Outcome::ignored, Message::table_text(kOwnOffload));
    }

    /// The optimizer of recipes for the type of the file; empty: there is none. DeepSpeed's Adam decouples the weight
    /// decay unless adam_w_mode is false.
    std::string optimizer_name() const {
        const OrderedJson* table = table_of("optimizer");
        if (table == nullptr || !table->contains("type"))
            return {};
        const OrderedJson& value = table->at("type");
        const OrderedJson given = table->value("params", OrderedJson()),
                          params = given.is_object() ? given : OrderedJson::object();
        const bool decoupled = params.value("adam_w_mode", OrderedJson(true)) != OrderedJson(false);
        const bool decays = params.contains("weight_decay") && params["weight_decay"] != OrderedJson(0) &&
                            !is_auto(params["weight_decay"]);
        // DeepSpeed ignores the case.
        const std::string written = value.is_string() ? text::lower(value.get<std::string>()) : "";
        if (written == "adamw" || (written == "adam" && (decoupled || !decays)))
            return "adamw";
        for (const auto& [type, name] : {std::pair{"adam", "adam"},
                                         {"adagrad", "adagrad"},
                                         {"lion", "lion"},
                                         {"sgd", "sgd"},
                                         {"onebitadam", "onebit_adam"},
                                         {"zerooneadam", "zero_one_adam"}})
            if (type == written)
                return name;
        return {};
    }
    /// The name of an argument that the optimizer has besides those with keys of their own; empty for any
    /// other path.
    std::string argument_of(const std::string& path) const {
        constexpr std::string_view kParams = "optimizer.params.";
        const config::OptimizerKind* kind =
            path.starts_with(kParams) ? config::find_optimizer(optimizer_name()) : nullptr;
        const std::string argument = kind != nullptr ? path.substr(kParams.size()) : "";
        return kind != nullptr && kind->find(argument) != nullptr ? argument : "";
    }
    void take_optimizer(const OrderedJson& value) {
        if (const std::string name = optimizer_name(); !name.empty())
            return apply("optimizer.type", value, "optimizer.name", name);
        row("optimizer.type", value, Outcome::refused,
            "recipes have AdamW, Adam, Adagrad, Lion, SGD, OneBitAdam and ZeroOneAdam of DeepSpeed's: set it to one of "
            "them, or leave the optimizer out here and set the recipe's section optimizer");
    }

    /// Values that are left out or `auto` follow from the recipe: its warm-up, steps and learning rate.
    void take_schedule(const OrderedJson& table) {
        const OrderedJson type = table.value("type", OrderedJson());
        static const std::set<std::string> names{"WarmupLR", "WarmupDecayLR", "WarmupCosineLR", "OneCycle",
                                                 "LRRangeTest"};
        if (!type.is_string() || !names.contains(type.get<std::string>()))
            return row("scheduler.type", type, Outcome::refused,
                       "DeepSpeed's schedules are WarmupLR, WarmupDecayLR, WarmupCosineLR, OneCycle and LRRangeTest");
        const std::string name = type.get<std::string>();
        const bool warms_up = name.starts_with("Warmup");
        const std::set<std::string> of_recipe{"warmup_min_lr", "warmup_max_lr", "warmup_num_steps", "total_num_steps"};
        OrderedJson arguments = OrderedJson::object();
        if (const OrderedJson params = table.value("params", OrderedJson::object()); params.is_object())
            for (const auto& [key, value] : params.items()) {
                if (is_auto(value) && !(warms_up && of_recipe.contains(key))) {
                    row("scheduler.params." + key, value, Outcome::refused, Message::table_text(kNoAuto));
                } else if (is_auto(value)) {
                    row("scheduler.params." + key, value, Outcome::applied, "the recipe's value");
                } else {
                    row("scheduler.params." + key, value, Outcome::applied, Message::verbatim("schedule.arguments"));
                    arguments[key] = value;
                }
            }
        if (warms_up && !table.value("params", OrderedJson::object()).contains("warmup_num_steps"))
            arguments["warmup_num_steps"] = 1000;  // DeepSpeed's own default
        apply("scheduler.type", type, "schedule.name", name);
        if (!arguments.empty())
            made_.of_recipe.push_back({"schedule.arguments", json_text(arguments), "scheduler.params of " + file_});
    }

    /// micro-batch x accumulation x ranks. Where the file does not say the micro-batch, the recipe's samples of a step
    /// are fixed.
    void take_batch(const OrderedJson& value) {
        OrderedJson numbers = OrderedJson::object();
        for (const char* key : {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"})
            if (root_.contains(key) && !is_auto(root_[key]))
                numbers[key] = root_[key];
        try {
            const DeepspeedBatch batch = batch_of(DeepspeedConfig(numbers), ranks_);
            const bool has_micro = numbers.contains("train_micro_batch_size_per_gpu"),
                       has_steps = numbers.contains("gradient_accumulation_steps");
            if (!has_steps)
                return apply("train_batch_size", value, "training.global_batch_size", json_text(value));
            if (!has_micro)
                return apply("train_batch_size", value, "training.batch_size", std::to_string(batch.micro));
            row("train_batch_size", value, Outcome::applied, "it follows from micro-batch, accumulation and ranks");
        } catch (const UserError& error) {
            row("train_batch_size", value, Outcome::refused, error.message());
        }
    }

    std::string file_;
    int ranks_;
    bool cpu_;  ///< ranks train on the processor
    std::string mixed_precision_;
    OrderedJson root_;
    std::string trackers_;
    OrderedJson arguments_ = OrderedJson::object();  ///< further ones of the optimizer
    DeepspeedFile made_;
};

}  // namespace

std::optional<DeepspeedFile> deepspeed_file_of(const settings::Settings& settings, Paradigm asked) {
    const std::string name = settings.text("deepspeed_config.deepspeed_config_file");
    if (asked != Paradigm::deepspeed || name.empty() || name == "none")
        return std::nullopt;
    return DeepspeedReader(DeepspeedConfig::read(name).root(), name,
                           static_cast<int>(settings.integer("num_processes", 1)), settings.boolean("use_cpu"),
                           settings.text("mixed_precision"))
        .read();
}

std::vector<config::GivenKey> deepspeed_parts(const DeepspeedConfig& config, const std::string& file) {
    DeepspeedFile read = DeepspeedReader(config.root(), file, 1, true, "no").read();
    std::erase_if(read.of_recipe, [](const config::GivenKey& key) {
        return !key.key.starts_with("optimizer.") && !key.key.starts_with("schedule.");
    });
    return std::move(read.of_recipe);
}

std::string resolved_deepspeed(const settings::Settings& settings, Paradigm asked, const config::Recipe& recipe,
                               std::int64_t ranks) {
    const std::string name = settings.text("deepspeed_config.deepspeed_config_file");
    if (asked != Paradigm::deepspeed || name.empty() || name == "none")
        return {};
    DeepspeedConfig config = DeepspeedPlugin().configure(DeepspeedConfig::read(name));
    config.set_precision(choice_name(recipe.training.mixed_precision));
    using Part = DeepspeedRun::Part;
    DeepspeedRun run;
    run.ranks = ranks;
    run.data_ranks = recipe.data_ranks(ranks);
    run.gradient_accumulation_steps = recipe.training.gradient_accumulation_steps;
    run.batch_sizes = {recipe.training.batch_size};
    run.optimizer = config.find("optimizer") != nullptr ? Part::of_file : Part::own;
    run.schedule = config.find("scheduler") != nullptr ? Part::of_file : Part::missing;
    run.lr = recipe.optimizer.lr;
    run.weight_decay = recipe.optimizer.weight_decay;
    run.warmup_num_steps = recipe.schedule.warmup_steps;
    run.total_num_steps = recipe.training.steps * ranks;  // Accelerate counts the steps of all ranks, a recipe updates
    run.has_model_config = true;
    run.hidden_sizes = {recipe.model.n_embd};
    const families::Family* family = families::find_family(recipe.model.model_type);
    if (family != nullptr && families::find_key(*family, "hidden_sizes") != nullptr)
        run.hidden_sizes = families::keys::sizes_of(recipe.model.hidden_sizes);
    return json_text(prepared(std::move(config), run).root());
}

}  // namespace trainyard::plan
