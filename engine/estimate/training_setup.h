#pragma once
// How a model is trained, as far as memory and time depend on it: batch, number formats, what is sharded over which ranks, what is recomputed, offloaded or
// quantised. Layouts that the engine cannot train are valid here: people plan with them. Built from a recipe, from a settings file, or by hand.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/accelerate/settings.h"
#include "config/recipe/recipe.h"
#include "estimate/model_parts.h"

namespace trainyard::estimate {

/// Sizes multiply to the number of ranks; experts are shared out over data ranks (dp_replicate * dp_shard * cp * sp).
struct Layout {
    std::int64_t dp_replicate = 1;  ///< replicas
    std::int64_t dp_shard = 1;      ///< ranks that ZeRO or FSDP shards over
    std::int64_t tp = 1;            ///< tensor parallelism
    std::int64_t cp = 1;            ///< context parallelism: ring attention over parts of the sequence
    std::int64_t sp = 1;            ///< sequence parallelism over heads (DeepSpeed-Ulysses)
    std::int64_t pp = 1;            ///< pipeline stages
    std::int64_t ep = 1;            ///< expert parallelism
    std::int64_t ranks() const { return dp_replicate * dp_shard * tp * cp * sp * pp; }
    std::int64_t data_ranks() const { return dp_replicate * dp_shard; }
    bool operator==(const Layout&) const = default;
};

struct TrainingSetup {
    std::int64_t batch = 1;  ///< samples of a micro-batch of one rank
    std::int64_t sequence = 1024;
    std::int64_t accumulation = 1;           ///< micro-batches of a step
    std::string precision = "bf16";          ///< no | fp16 | bf16 | fp8: of products
    bool half_weights = false;               ///< weights and gradients in 16 bits, fp32 masters with the optimizer
    std::string optimizer = "adamw";         ///< a name of optimizer_rows()
    std::int64_t zero_stage = 0;             ///< 0 | 1 | 2 | 3, over dp_shard * cp * sp ranks
    std::string checkpointing = "no";        ///< no | selective | full: activations that backward computes again
    std::string attention = "flash";         ///< flash | eager: eager keeps the probabilities
    bool chunked_loss = true;                ///< logits and loss in chunks of rows
    std::string offload_optimizer = "none";  ///< none | cpu | disk
    std::string offload_param = "none";      ///< none | cpu | disk
    std::int64_t lora_rank = 0;              ///< 0: all weights are trained
    std::int64_t weight_bits = 0;  ///< frozen weights: 4 | 8 (also fp8 of layerwise casting) | 16; 0: as trained ones
    double trained_share = 1;      ///< of the parameters, without LoRA
    bool frozen_by_map = false;    ///< frozen weights lie where a device map says, in the format of products
    double frozen_on_disk = 0;     ///< share of them, then
    double stored_bytes = 0;       ///< of an element of them in its file; 0: as in products
    double bucket_mb = 25;         ///< of gradients that travel together
    std::string pipeline_schedule = "1F1B";  ///< 1F1B | GPipe | ZBH1
    std::int64_t averages = 0;               ///< averaged copies of the weights
    bool snapshots = false;                  ///< checkpoints are written while training goes on
    Layout layout;
    bool operator==(const TrainingSetup&) const = default;
};

struct OptimizerRow {
    std::string_view name;   ///< as in PyTorch or bitsandbytes: "adamw", "adamw_8bit"
    double state_bytes = 8;  ///< per trained parameter
    std::string_view source;
    bool in_backward = false;  ///< gradients exist for one unit at a time
};
const std::vector<OptimizerRow>& optimizer_rows();
/// Throws UserError with the names.
const OptimizerRow& optimizer_row(const std::string& name);

/// What `ranks` ranks do with a recipe.
TrainingSetup setup_of(const config::Recipe& recipe, std::int64_t ranks);
/// Changes what a settings file says: ranks, precision, ZeRO, FSDP, parallelism_config, offloading. Works for layouts that recipes cannot use, too.
void apply_settings(TrainingSetup& setup, const settings::Settings& settings);
/// The settings file of this setup on `machines` machines, as far as such a file can say it: ranks, precision, accumulation, DeepSpeed's ZeRO, FSDP with a mesh for tensor and
/// context parallelism, Megatron-LM for pipelines.
settings::Settings settings_of(const TrainingSetup& setup, std::int64_t machines);
/// A value of a setup by its name: flags of the command line and rows of the panel are made of this table.
struct SetupField {
    using Member = std::variant<std::int64_t TrainingSetup::*, std::int64_t Layout::*, std::string TrainingSetup::*,
                                bool TrainingSetup::*>;
    std::string name;
    Member member;
    std::vector<std::string> choices;  ///< of a text; of a number: the only ones, or none
    std::int64_t least = 1;            ///< of a number
    std::string help;
};
const std::vector<SetupField>& setup_fields();
/// "zero_stage", "3". Throws UserError for an unknown name, or a value that the field cannot have.
void set_field(TrainingSetup& setup, const std::string& name, const std::string& value);
std::string field_text(const TrainingSetup& setup, const SetupField& field);

/// Every contradiction with the model, with the field in `key`: "tp 3 does not divide 32 heads: use 1, 2, 4, 8, 16 or 32".
std::vector<Problem> check_setup(const ModelParts& model, const TrainingSetup& setup);

}  // namespace trainyard::estimate
