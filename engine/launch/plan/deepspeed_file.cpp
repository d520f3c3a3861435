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
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"

namespace trainyard::plan {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kLargest = 1u << 20;

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
                                            "optimizer.legacy_fusion"};
    return keys.contains(path) || path.starts_with("zero_optimization.stage3_");
}

/// What a run has instead of a monitor of DeepSpeed; empty: `path` is not of a monitor.
std::string_view instead_of_monitor(const std::string& path) {
    static constexpr std::pair<std::string_view, std::string_view> kMonitors[] = {
        {"tensorboard.",
         "the run writes TensorBoard event files in its own folder; logging.trackers of the recipe "
         "names further places"},
        {"csv_monitor.",
         "DeepSpeed's CSV files are not written: logging.trackers: csv of the recipe writes such files"},
        {"comms_logger.", "DeepSpeed's log of collectives is not written: a profile of the run shows them"},
        {"flops_profiler.", "DeepSpeed's profiler does not run: a profile of the run shows its operations"}};
    for (const auto& [prefix, words] : kMonitors)
        if (path.starts_with(prefix))
            return words;
    return {};
}

class DeepspeedReader {
    using Outcome = RecipeSetting::Outcome;

  public:
    DeepspeedReader(const std::filesystem::path& file, int ranks, bool cpu) : file_(file), ranks_(ranks), cpu_(cpu) {}

    DeepspeedFile read() {
        root_ = read_json_with_comments(text::read_text_file(file_, kLargest));
        if (!root_.is_object())
            throw UserError(
                "deepspeed_config_file {} holds no table of keys: a DeepSpeed file is JSON and begins with {{",
                file_.string());
        for (const auto& [key, value] : root_.items())
            walk(key, value);
        return std::move(made_);
    }

  private:
    void row(const std::string& path, const OrderedJson& value, Outcome outcome, std::string words) {
        const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
        made_.rows.push_back({path, text, file_.string(), outcome, std::move(words), false});
    }
    void apply(const std::string& path, const OrderedJson& value, const std::string& key, const std::string& text) {
        row(path, value, Outcome::applied, key);
        made_.of_recipe.push_back({key, text, path + " of " + file_.string()});
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
        if (is_auto(value))
            return row(path, value, Outcome::applied, "the recipe's value");
        if (path == "zero_optimization.stage" && value == OrderedJson(3))
            return row(path, value, Outcome::refused,
                       "stage 3, which shares out the weights, too, is not there yet: take stage 2");
        if (same != same_in_recipe().end())
            return apply(path, value, same->second, value.is_string() ? value.get<std::string>() : json_text(value));
        if (path == "fp16.enabled" || path == "bf16.enabled" || path == "bfloat16.enabled") {
            if (is_off(value))
                return row(path, value, Outcome::ignored, "it is off");
            return apply(path, value, "training.mixed_precision", path.starts_with("fp16") ? "fp16" : "bf16");
        }
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
        if (const std::string_view words = instead_of_monitor(path); !words.empty())
            return row(path, value, Outcome::ignored,
                       is_on(path.substr(0, path.find('.')).c_str()) ? std::string(words) : "it is off");
        if (is_of_deepspeed_alone(path))
            return row(path, value, Outcome::ignored, "the engine's own ZeRO does not need it");
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
        if (is_off(device))
            return row(path + ".device", device, Outcome::ignored, "nothing is moved off the device");
        if (cpu_ && path.ends_with("offload_optimizer") && device == OrderedJson("cpu"))
            return row(path + ".device", device, Outcome::ignored,
                       "ranks train on the processor, so the optimizer state is in its memory anyway");
        if (!path.ends_with("offload_optimizer") || device != OrderedJson("nvme"))
            return row(path + ".device", device, Outcome::refused,
                       path.ends_with("offload_optimizer")
                           ? "recipes keep optimizer state on the device they train on, or on a disk: set it to none, "
                             "or to nvme"
                           : "weights that are trained stay on the device (those of a base beside adapters may "
                             "lie on disk: model.device_map of the recipe): set it to none");
        apply(path + ".device", device, "parallel.offload_optimizer_device", "nvme");
        OrderedJson folder = value.is_object() ? value.value("nvme_path", OrderedJson()) : OrderedJson();
        if (!folder.is_string())
            folder = "/nvme";  // DeepSpeed's own default
        apply(path + ".nvme_path", folder, "parallel.offload_optimizer_nvme_path", folder.get<std::string>());
        const OrderedJson rest = value.is_object() ? value : OrderedJson::object();
        for (const auto& [key, nested] : rest.items())
            if (key != "device" && key != "nvme_path")
                row(path + "." + key, nested, Outcome::ignored, "the engine's own offloading does not need it");
    }

    /// DeepSpeed's Adam decouples the weight decay unless adam_w_mode is false.
    void take_optimizer(const OrderedJson& value) {
        const OrderedJson params = root_["optimizer"].value("params", OrderedJson::object());
        const bool decoupled = params.value("adam_w_mode", OrderedJson(true)) != OrderedJson(false);
        const bool decays = params.contains("weight_decay") && params["weight_decay"] != OrderedJson(0) &&
                            !is_auto(params["weight_decay"]);
        if (value == OrderedJson("AdamW") || (value == OrderedJson("Adam") && (decoupled || !decays)))
            return apply("optimizer.type", value, "optimizer.name", "adamw");
        for (const auto& [type, name] :
             {std::pair{"Adam", "adam"}, {"Adagrad", "adagrad"}, {"Lion", "lion"}, {"SGD", "sgd"}})
            if (value == OrderedJson(type))
                return apply("optimizer.type", value, "optimizer.name", name);
        row("optimizer.type", value, Outcome::refused,
            "recipes have AdamW, Adam, Adagrad, Lion and SGD of DeepSpeed's: set it to one of them, or leave the "
            "optimizer out here and set the recipe's section optimizer");
    }

    void take_schedule(const OrderedJson& table) {
        for (const auto& [key, value] : table.items())
            if (key != "params" || !value.is_object())
                row("scheduler." + key, value, Outcome::refused,
                    "the recipe names its schedule itself, with shapes that DeepSpeed's lacks: set its section "
                    "schedule, and "
                    "leave the scheduler out here");
    }

    /// micro-batch x accumulation x ranks. Where the file says all three, they must agree; else it fixes the samples of
    /// a step.
    void take_batch(const OrderedJson& value) {
        auto number = [&](const char* key) {
            return root_.contains(key) && root_[key].is_number_integer() ? root_[key].get<std::int64_t>() : 0;
        };
        const std::int64_t micro = number("train_micro_batch_size_per_gpu"),
                           steps = number("gradient_accumulation_steps");
        if (!value.is_number_integer() || micro == 0 || steps == 0) {
            if (steps != 0)
                return row(
                    "train_batch_size", value, Outcome::refused,
                    "with gradient_accumulation_steps it needs train_micro_batch_size_per_gpu, too: leave it out, "
                    "or name the micro-batch");
            return apply("train_batch_size", value, "training.global_batch_size", json_text(value));
        }
        if (value.get<std::int64_t>() != micro * steps * ranks_)
            return row(
                "train_batch_size", value, Outcome::refused,
                fmt::format("train_micro_batch_size_per_gpu {} x gradient_accumulation_steps {} x {} ranks is {}: "
                            "let them agree",
                            micro, steps, ranks_, micro * steps * ranks_));
        row("train_batch_size", value, Outcome::applied, "it follows from micro-batch, accumulation and ranks");
    }

    std::filesystem::path file_;
    int ranks_;
    bool cpu_;  ///< ranks train on the processor
    OrderedJson root_;
    DeepspeedFile made_;
};

}  // namespace

DeepspeedFile read_deepspeed_file(const std::filesystem::path& file, int ranks, bool cpu) {
    return DeepspeedReader(file, ranks, cpu).read();
}

std::optional<DeepspeedFile> deepspeed_file_of(const settings::Settings& settings, Paradigm asked) {
    const std::string name = settings.text("deepspeed_config.deepspeed_config_file");
    if (asked != Paradigm::deepspeed || name.empty() || name == "none")
        return std::nullopt;
    return read_deepspeed_file(name, static_cast<int>(settings.integer("num_processes", 1)),
                               settings.boolean("use_cpu"));
}

}  // namespace trainyard::plan
