// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/deepspeed_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/letter_case.h"
#include "base/text_file.h"
#include "config/accelerate/check.h"
#include "config/values/value_formats.h"

namespace trainyard::plan {

namespace {

using DsJson = DeepspeedConfig::Json;

constexpr std::size_t kLargestConfig = 1u << 20;
constexpr double kMostSamples = 1e6;  ///< products of them with the ranks are whole numbers of 64 bits

bool says_auto(const DsJson& value) {
    return value.is_string() && value.get<std::string>() == "auto";
}

void find_auto(const DsJson& table, const std::string& prefix) {
    for (const auto& [key, value] : table.items()) {
        if (value.is_object())
            find_auto(value, prefix + key + ".");
        else if (says_auto(value))
            throw UserError("{}{} is auto, but nothing decides its value: set a value in DeepSpeed's file", prefix,
                            key);
    }
}

bool is_enabled(const DeepspeedConfig& config, const char* format) {
    const DsJson* enabled = config.find(std::string(format) + ".enabled");
    return enabled != nullptr &&
           (*enabled == DsJson(true) || (enabled->is_string() && text::lower(enabled->get<std::string>()) == "true"));
}

std::int64_t micro_batch(const DeepspeedRun& run) {
    if (run.batch_sizes.empty())
        throw UserError(
            "train_micro_batch_size_per_gpu is auto, but there is no data loader with a batch size: set a number in "
            "DeepSpeed's file");
    std::vector<std::int64_t> sizes;
    for (const std::optional<std::int64_t>& size : run.batch_sizes) {
        if (!size)
            throw UserError(
                "train_micro_batch_size_per_gpu is auto, but a data loader has a batch sampler and no batch size: set "
                "a number in DeepSpeed's file");
        sizes.push_back(run.split_batches ? *size / run.ranks : *size);
    }
    return run.takes_smallest_batch ? *std::ranges::min_element(sizes) : *std::ranges::max_element(sizes);
}

/// A program and DeepSpeed's file must not both give an optimizer or a schedule.
void refuse_two_sources(const DeepspeedConfig& config, const DeepspeedRun& run) {
    using Part = DeepspeedRun::Part;
    const bool optimizer = config.find("optimizer") != nullptr, schedule = config.find("scheduler") != nullptr;
    if (optimizer && run.optimizer == Part::own)
        throw UserError("both DeepSpeed's file and the program have an optimizer: leave one out");
    if (!optimizer && run.optimizer == Part::of_file)
        throw UserError("the program leaves the optimizer to DeepSpeed's file, which has no section optimizer");
    if (schedule && run.schedule == Part::own)
        throw UserError("both DeepSpeed's file and the program have a learning rate schedule: leave one out");
    if (!schedule && run.schedule == Part::of_file && !run.makes_schedule)
        throw UserError("the program leaves the schedule to DeepSpeed's file, which has no section scheduler");
    if (run.optimizer == Part::of_file && run.schedule == Part::own)
        throw UserError("a schedule of the program cannot change the rates of an optimizer of DeepSpeed's file");
}

void fill_by_hidden_size(DeepspeedConfig& config, const DeepspeedRun& run) {
    const std::string table = "zero_optimization.";
    bool asked = false;
    for (const char* name : {"reduce_bucket_size", "stage3_prefetch_bucket_size", "stage3_param_persistence_threshold"})
        asked = asked || config.is_auto(table + name);
    if (!asked)
        return;
    if (!run.has_model_config || run.hidden_sizes.empty())
        throw UserError(
            "bucket sizes of zero_optimization are auto, which takes the model's hidden size, but its configuration "
            "has no hidden_size: set numbers in DeepSpeed's file");
    const std::int64_t hidden = *std::ranges::max_element(run.hidden_sizes);
    config.fill(table + "reduce_bucket_size", hidden * hidden);
    config.fill(table + "stage3_prefetch_bucket_size",
                static_cast<std::int64_t>(0.9 * static_cast<double>(hidden) * static_cast<double>(hidden)));
    config.fill(table + "stage3_param_persistence_threshold", 10 * hidden);
}

}  // namespace

DeepspeedConfig::DeepspeedConfig(Json root) : root_(std::move(root)) {
    if (!root_.is_object())
        throw UserError("DeepSpeed's configuration holds no table of keys: it is JSON and begins with {{");
}

DeepspeedConfig DeepspeedConfig::read(const std::string& given) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(given, error);
    const std::string text = is_file ? text::read_text_file(given, kLargestConfig) : given;
    Json root = read_json_with_comments(text);
    if (const auto bytes = is_file || !root.is_discarded() ? std::nullopt : from_base64(given, Base64::url))
        root = read_json_with_comments(*bytes);
    if (root.is_discarded() && !is_file)
        throw UserError("deepspeed_config_file {} is not an existing file, JSON text, or JSON text in base64", given);
    if (std::vector<Problem> problems; root.is_discarded()) {
        (void)parse_json_tree(text, given, problems, {});  // knows the place
        if (!problems.empty())
            throw InvalidInput(std::move(problems));
    }
    if (!root.is_object())
        throw UserError("deepspeed_config_file {} holds no table of keys: a DeepSpeed file is JSON and begins with {{",
                        given);
    return DeepspeedConfig(std::move(root));
}

const DeepspeedConfig::Json* DeepspeedConfig::find(std::string_view path) const {
    const Json* at = &root_;
    while (true) {
        const std::size_t dot = path.find('.');
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(path.substr(0, dot));
        if (found == at->end())
            return nullptr;
        at = &*found;
        if (dot == std::string_view::npos)
            return at;
        path.remove_prefix(dot + 1);
    }
}

bool DeepspeedConfig::is_auto(std::string_view path) const {
    const Json* value = find(path);
    return value != nullptr && says_auto(*value);
}

std::int64_t DeepspeedConfig::stage() const {
    const Json* stage = find("zero_optimization.stage");
    return stage != nullptr && stage->is_number_integer() ? stage->get<std::int64_t>() : -1;
}

bool DeepspeedConfig::offloads() const {
    if (stage() != 2 && stage() != 3)
        return false;
    return std::ranges::any_of(std::array{"offload_optimizer", "offload_param"}, [this](const char* what) {
        const Json* device = find(fmt::format("zero_optimization.{}.device", what));
        return device != nullptr && (*device == Json("cpu") || *device == Json("nvme"));
    });
}

void DeepspeedConfig::fill(std::string_view path, Json value) {
    if (is_auto(path))
        *const_cast<Json*>(find(path)) = std::move(value);
}

void DeepspeedConfig::set_precision(const std::string& mixed_precision) {
    const bool fp16 = mixed_precision == "fp16", bf16 = mixed_precision == "bf16" || mixed_precision == "fp8";
    if (fp16 && !root_.contains("fp16"))
        root_["fp16"] = {{"enabled", true}, {"auto_cast", true}};
    if (bf16 && !root_.contains("bf16"))
        root_["bf16"] = {{"enabled", true}};
    if (const char* other = fp16 ? "bf16" : "fp16"; mixed_precision != "no" && is_enabled(*this, other))
        throw UserError("mixed_precision is {}, but DeepSpeed's file enables {}: let them agree", mixed_precision,
                        other);
    for (const char* format : {"fp16", "bf16"})
        if (!root_.contains(format))
            root_[format] = {{"enabled", false}};
    fill("fp16.enabled", fp16);
    fill("bf16.enabled", bf16);
}

void DeepspeedConfig::refuse_auto() const {
    find_auto(root_, "");
}

DeepspeedConfig DeepspeedPlugin::configure(std::optional<DeepspeedConfig> file) {
    const auto offloaded = [](const std::string& device, const std::string& folder) {
        return DsJson{{"device", device}, {"nvme_path", device == "nvme" ? DsJson(folder) : DsJson()}};
    };
    if (!file) {
        DsJson root{{"train_batch_size", "auto"},
                    {"train_micro_batch_size_per_gpu", "auto"},
                    {"gradient_accumulation_steps", gradient_accumulation_steps},
                    {"zero_optimization",
                     {{"stage", zero_stage},
                      {"offload_optimizer", offloaded(offload_optimizer_device, offload_optimizer_nvme_path)},
                      {"offload_param", offloaded(offload_param_device, offload_param_nvme_path)},
                      {"stage3_gather_16bit_weights_on_model_save", zero3_save_16bit_model}}}};
        if (gradient_clipping != DsJson(0) && gradient_clipping != DsJson(0.0))
            root["gradient_clipping"] = gradient_clipping;
        file.emplace(std::move(root));
    } else {
        if (file->find("gradient_accumulation_steps") == nullptr)
            file->set("gradient_accumulation_steps", 1);
        if (file->find("zero_optimization") == nullptr)
            throw UserError(
                "zero_optimization is missing in DeepSpeed's file: it needs this table, at least with a stage");
        const std::string table = "zero_optimization.";
        const auto share = [&](const std::string& path, auto& field) {
            file->fill(path, field);
            const DsJson* value = file->find(path);
            if (value == nullptr || value->is_null() || says_auto(*value))
                return;
            try {
                value->get_to(field);
            } catch (const DsJson::exception&) {
                throw UserError("{} of DeepSpeed's file cannot be {}", path, json_text(*value));
            }
        };
        share("gradient_accumulation_steps", gradient_accumulation_steps);
        share("gradient_clipping", gradient_clipping);
        share(table + "stage", zero_stage);
        share(table + "offload_optimizer.device", offload_optimizer_device);
        share(table + "offload_param.device", offload_param_device);
        share(table + "offload_optimizer.nvme_path", offload_optimizer_nvme_path);
        share(table + "offload_param.nvme_path", offload_param_nvme_path);
        share(table + "stage3_gather_16bit_weights_on_model_save", zero3_save_16bit_model);
    }
    file->set("steps_per_print", "inf");
    zero3_init_flag = zero3_init_flag.value_or(true) && file->stage() == 3;
    return std::move(*file);
}

std::vector<std::string> plugin_fields(const DeepspeedConfig& config, bool left_open) {
    static constexpr std::pair<const char*, const char*> kPlaces[] = {
        {"gradient_accumulation_steps", "gradient_accumulation_steps"},
        {"gradient_clipping", "gradient_clipping"},
        {"zero_stage", "zero_optimization.stage"},
        {"offload_optimizer_device", "zero_optimization.offload_optimizer.device"},
        {"offload_optimizer_nvme_path", "zero_optimization.offload_optimizer.nvme_path"},
        {"offload_param_device", "zero_optimization.offload_param.device"},
        {"offload_param_nvme_path", "zero_optimization.offload_param.nvme_path"},
        {"zero3_save_16bit_model", "zero_optimization.stage3_gather_16bit_weights_on_model_save"}};
    std::vector<std::string> fields;
    for (const auto& [field, place] : kPlaces)
        if (config.is_auto(place) == left_open)
            fields.emplace_back(field);
    return fields;
}

void refuse_double_configuration(std::string_view fields, const std::string& file) {
    settings::Settings given;
    while (!fields.empty()) {
        const std::size_t comma = std::min(fields.find(','), fields.size());
        const std::string field(fields.substr(0, comma));
        if (!field.empty())
            given.set(field == "mixed_precision" ? field : "deepspeed_config." + field, field);
        fields.remove_prefix(std::min(comma + 1, fields.size()));
    }
    given.set("distributed_type", "DEEPSPEED");
    given.set("deepspeed_config.deepspeed_config_file", file);
    settings::refuse_double_configuration(given);
}

DeepspeedConfig prepared(DeepspeedConfig config, const DeepspeedRun& run) {
    using Part = DeepspeedRun::Part;
    const DsJson* given = config.find("train_micro_batch_size_per_gpu");
    std::optional<std::int64_t> micro;
    if (config.is_auto("train_micro_batch_size_per_gpu"))
        micro = micro_batch(run);
    else if (given != nullptr && given->is_number())
        micro = given->get<std::int64_t>();
    config.fill("gradient_accumulation_steps", run.gradient_accumulation_steps);
    config.fill("gradient_clipping", 1.0);
    config.fill("zero_optimization.stage3_gather_16bit_weights_on_model_save", false);
    if (micro) {
        const DsJson* steps = config.find("gradient_accumulation_steps");
        const std::int64_t accumulation =
            steps != nullptr && steps->is_number() ? steps->get<std::int64_t>() : std::int64_t{1};
        config.fill("train_micro_batch_size_per_gpu", *micro);
        config.fill("train_batch_size", *micro * accumulation * (run.data_ranks > 0 ? run.data_ranks : run.ranks));
    }
    refuse_two_sources(config, run);
    if (run.optimizer == Part::own)
        config.set("zero_allow_untested_optimizer", true);
    fill_by_hidden_size(config, run);
    if (run.optimizer == Part::of_file) {
        config.fill("optimizer.params.lr", run.lr);
        config.fill("optimizer.params.weight_decay", run.weight_decay);
    }
    if (run.schedule == Part::of_file && !run.makes_schedule) {
        config.fill("scheduler.params.warmup_min_lr", 0);
        config.fill("scheduler.params.warmup_max_lr", run.lr);
        config.fill("scheduler.params.warmup_num_steps", std::max<std::int64_t>(1, run.warmup_num_steps));
        if (run.total_num_steps)
            config.fill("scheduler.params.total_num_steps",
                        run.split_batches ? *run.total_num_steps : (*run.total_num_steps + run.ranks - 1) / run.ranks);
    }
    config.refuse_auto();
    return config;
}

DeepspeedBatch batch_of(const DeepspeedConfig& config, std::int64_t ranks) {
    const auto number = [&](const char* key) -> std::optional<std::int64_t> {
        const DsJson* value = config.find(key);
        if (value == nullptr || value->is_null())
            return std::nullopt;
        const double given = value->is_number() ? value->get<double>() : 0;
        if (given < 1 || given > kMostSamples || std::trunc(given) != given)
            throw UserError("{} must be a whole number from 1 to {:.0f}", key, kMostSamples);
        return value->get<std::int64_t>();
    };
    const auto train = number("train_batch_size"), micro = number("train_micro_batch_size_per_gpu"),
               steps = number("gradient_accumulation_steps");
    if (!train && !micro)
        throw UserError("DeepSpeed's file needs train_batch_size or train_micro_batch_size_per_gpu");
    DeepspeedBatch batch;
    batch.accumulation = steps ? *steps : train && micro ? *train / *micro / ranks : 1;
    batch.micro = micro ? *micro : *train / ranks / batch.accumulation;
    batch.train = train ? *train : batch.micro * batch.accumulation * ranks;
    if (batch.accumulation < 1 || batch.micro < 1 || batch.micro * batch.accumulation * ranks != batch.train)
        throw UserError(
            "train_batch_size {} is not train_micro_batch_size_per_gpu {} × gradient_accumulation_steps {} × {}: "
            "let them agree",
            batch.train, batch.micro, batch.accumulation, text::ranks(ranks));
    return batch;
}

}  // namespace trainyard::plan
