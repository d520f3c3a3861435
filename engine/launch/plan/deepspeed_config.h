// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// DeepSpeed's JSON as Accelerate's plug-in and Accelerator.prepare complete it: `auto` values, number format, the
// relation of batch sizes. deepspeed_file.h applies such a file to a recipe. Keys:
// https://www.deepspeed.ai/docs/config-json

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace trainyard::plan {

class DeepspeedConfig {
  public:
    using Json = nlohmann::ordered_json;

    /// Throws UserError if `root` is not a table.
    explicit DeepspeedConfig(Json root);
    /// `given` is the name of a file, JSON text (comments are allowed), or JSON text in base64 with the alphabet for
    /// addresses. Throws UserError.
    static DeepspeedConfig read(const std::string& given);

    const Json& root() const { return root_; }
    /// The value of a path such as `zero_optimization.stage`; nullptr if there is none.
    const Json* find(std::string_view path) const;
    bool is_auto(std::string_view path) const;
    /// zero_optimization.stage; -1 if it is missing or not a number.
    std::int64_t stage() const;
    /// Optimizer state or weights of stage 2 or 3 are on processors or disks.
    bool offloads() const;

    void set(const std::string& key, Json value) { root_[key] = std::move(value); }
    /// Replaces the value of a path if it is `auto`.
    void fill(std::string_view path, Json value);
    /// fp16.enabled and bf16.enabled for a mixed_precision of Accelerate. Throws UserError if the file enables the
    /// other format.
    void set_precision(const std::string& mixed_precision);
    /// Throws UserError that names the first path, in the order of the text, whose value is `auto`; lists are not
    /// searched.
    void refuse_auto() const;

  private:
    Json root_;
};

/// Fields of Accelerate's DeepSpeedPlugin; `auto` or a number where the type is JSON.
struct DeepspeedPlugin {
    DeepspeedConfig::Json gradient_accumulation_steps = "auto";
    DeepspeedConfig::Json gradient_clipping = "auto";
    DeepspeedConfig::Json zero_stage = 2;
    std::string offload_optimizer_device = "none", offload_optimizer_nvme_path = "none";
    std::string offload_param_device = "none", offload_param_nvme_path = "none";
    std::optional<bool> zero3_init_flag;  ///< nothing: for stage 3
    bool zero3_save_16bit_model = false;

    /// The configuration of a launch: the file's, with these fields instead of its `auto` values, or one of these
    /// fields alone. Fields that the file fixes are changed to its values. Throws UserError if the file lacks
    /// zero_optimization.
    DeepspeedConfig configure(std::optional<DeepspeedConfig> file);
};

/// Fields of Accelerate's plug-in: those that the file leaves to the launch, because it has `auto` there, or all
/// others, which have no effect next to the file.
std::vector<std::string> plugin_fields(const DeepspeedConfig& config, bool left_open);

/// Throws InvalidInput with each of the comma-separated keys of settings (ACCELERATE_CONFIG_DS_FIELDS) that cannot be
/// given next to `file`, which is deepspeed_config_file.
void refuse_double_configuration(std::string_view fields, const std::string& file);

/// What Accelerator.prepare knows when it completes the configuration.
struct DeepspeedRun {
    enum class Part { missing, own, of_file };  ///< of_file: DummyOptim, DummyScheduler

    std::int64_t ranks = 1;
    std::int64_t data_ranks = 0;  ///< ranks with samples of their own under sequence parallelism; 0: all
    std::int64_t gradient_accumulation_steps = 1;
    bool split_batches = false;
    bool takes_smallest_batch = true;                      ///< of several loaders
    std::vector<std::optional<std::int64_t>> batch_sizes;  ///< of the loaders; nothing: a batch sampler
    Part optimizer = Part::missing, schedule = Part::missing;
    DeepspeedConfig::Json lr = 0.001, weight_decay = 0;  ///< of the optimizer
    std::int64_t warmup_num_steps = 0;
    std::optional<std::int64_t> total_num_steps;  ///< of the schedule
    bool makes_schedule = false;                  ///< the program makes the schedule itself (lr_scheduler_callable)
    bool has_model_config = false;
    std::vector<std::int64_t> hidden_sizes;  ///< the model's config has hidden_size or hidden_sizes
};

/// What deepspeed.initialize receives: no `auto` is left. Throws UserError.
DeepspeedConfig prepared(DeepspeedConfig config, const DeepspeedRun& run);

/// Batch sizes of a step; whole numbers.
struct DeepspeedBatch {
    std::int64_t train = 0, micro = 0, accumulation = 0;
};
/// Completes them as DeepSpeed does. Throws UserError if they contradict each other or the number of ranks.
DeepspeedBatch batch_of(const DeepspeedConfig& config, std::int64_t ranks);

}  // namespace trainyard::plan
