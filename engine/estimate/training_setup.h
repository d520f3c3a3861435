// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a model is trained, as far as memory and time depend on it: batch, number formats, what is sharded over which
// ranks, what is recomputed, offloaded or quantised. Layouts that the engine cannot train are valid here, for
// planning. Built from a recipe, from a settings file, or by hand.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/choice.h"
#include "base/error.h"
#include "config/accelerate/settings.h"
#include "config/recipe/recipe.h"
#include "distributed/pipeline/pipeline_schedule.h"
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

/// Number format of products.
enum class ProductFormat : unsigned char { no, fp16, bf16, fp8 };
constexpr auto choice_names(ProductFormat) {
    return std::array{"no", "fp16", "bf16", "fp8"};
}

using config::Recomputation;

/// eager keeps the attention probabilities.
enum class Attention : unsigned char { flash, eager };
constexpr auto choice_names(Attention) {
    return std::array{"flash", "eager"};
}

enum class Offload : unsigned char { none, cpu, disk };
constexpr auto choice_names(Offload) {
    return std::array{"none", "cpu", "disk"};
}

/// Shares of a model's own weights that are trained.
struct TrainedWeights {
    double embedding = 1;            ///< of those in front of the blocks
    double blocks = 1;               ///< of those of the blocks from first_block on
    double outputs = 1;              ///< of those after the blocks
    double products = 1;             ///< of the weights that a token is multiplied with in blocks from first_block on
    double head = 1;                 ///< of those of the head
    std::int64_t first_block = 0;    ///< blocks before it have nothing that is trained: backward does not reach them
    double undivided_embedding = 1;  ///< of those in ModelParts::whole_embedding
    double undivided_outputs = 1;    ///< of those in ModelParts::whole_head
    static TrainedWeights none() { return {0, 0, 0, 0, 0, 0, 0, 0}; }
    bool operator==(const TrainedWeights&) const = default;
};

struct TrainingSetup {
    std::int64_t batch = 1;  ///< samples of a micro-batch of one rank
    std::int64_t sequence = 1024;
    std::int64_t accumulation = 1;  ///< micro-batches of a step
    ProductFormat precision = ProductFormat::bf16;
    bool half_weights = false;           ///< weights and gradients in 16 bits, fp32 masters with the optimizer
    bool bf16_stochastic_round = false;  ///< weights in bfloat16 without masters, rounded stochastically
    std::string optimizer = "adamw";     ///< a name of optimizer_rows()
    std::int64_t zero_stage = 0;         ///< 0 | 1 | 2 | 3, over dp_shard * cp * sp ranks
    Recomputation checkpointing = Recomputation::no;
    Attention attention = Attention::flash;
    bool chunked_loss = true;  ///< logits and loss in chunks of rows
    Offload offload_optimizer = Offload::none;
    Offload offload_param = Offload::none;
    std::int64_t zero_hpz_partition_size = 1;  ///< ranks that hold a second copy of the weights together (ZeRO++)
    bool zero_quantized_weights = false;       ///< weights are sent in 8 bits
    bool zero_quantized_gradients = false;     ///< gradients are sent in 4 bits
    bool fp8_all_gather = false;               ///< weights of layers in fp8 are sent in 8 bits
    double ignored_share = 0;                  ///< of the parameters, in modules that stay whole on every rank
    std::int64_t lora_rank = 0;                ///< 0: all weights are trained
    /// Of BlockShape::matrix_inputs, those of matrices with adapters (lora.target_modules), in trained_blocks().
    double adapted_share = 1;
    double adapted_expert_share = 0;  ///< of BlockShape::expert_inputs (lora.target_parameters)
    /// Of the parameters of a block's adapters, the share that every tensor parallel rank has whole. A divided matrix
    /// divides one factor of its adapter.
    double adapted_whole = 0.5;
    /// Of the same parameters, the share that BlockShape::key_ranks() divide: divided factors of keys and values.
    double adapted_keys = 0;
    /// Inputs plus outputs of matrices with adapters in front of the blocks, and after them.
    double adapted_embedding = 0, adapted_outputs = 0;
    TrainedWeights beside_adapters = TrainedWeights::none();  ///< with LoRA (lora.modules_to_save)
    std::int64_t weight_bits = 0;  ///< frozen weights: 4 | 8 (also fp8 of layerwise casting) | 16; 0: as trained ones
    bool double_quant = false;     ///< of weights of 4 bits: their scales have 8 bits
    /// Modules of blocks, joined by commas, that stay in the format of products, and in fp32, besides weights of 4 and
    /// 8 bits. Names as in quantization.skip_modules.
    std::string skip_modules, keep_in_fp32_modules;
    bool tables_stay = false;    ///< weight_bits are of the matrices of blocks, and not of the embedding and the head
    TrainedWeights trained;      ///< without LoRA (model.freeze)
    bool frozen_by_map = false;  ///< frozen weights are placed by a device map, in the format of products
    double frozen_on_disk = 0;   ///< share of them, then
    double stored_bytes = 0;     ///< of an element of them in its file; 0: as in products
    double bucket_mb = 25;       ///< of gradients that travel together
    std::string pipeline_schedule = "1F1B";  ///< a name of pipeline::schedule_names()
    std::int64_t stages_per_rank = 0;        ///< of a pipeline; 0: what the schedule needs, one or two
    std::int64_t averages = 0;               ///< averaged copies of the weights
    bool snapshots = false;                  ///< checkpoints are written while training continues
    bool tp_sequence_parallel = false;       ///< tensor parallel ranks share the positions between the layers, too
    double expert_capacity_factor = 0;       ///< of the experts of a block, for each sample; 0: nothing is dropped
    Layout layout;
    const TrainedWeights& trained_weights() const { return lora_rank > 0 ? beside_adapters : trained; }
    bool operator==(const TrainingSetup&) const = default;
};

struct OptimizerRow {
    std::string_view name;   ///< in recipes, or sgd_momentum
    double state_bytes = 8;  ///< per trained parameter
    std::string_view source;
    bool in_backward = false;           ///< gradients exist for one unit at a time
    bool exchanges_signs = false;       ///< several data ranks have errors to feed back
    std::string_view momentum_of = {};  ///< the optimizer of recipes that is this one if its arguments have a momentum
};
const std::vector<OptimizerRow>& optimizer_rows();
/// Throws UserError with the names.
const OptimizerRow& optimizer_row(const std::string& name);

/// Returns the training setup of a recipe on `ranks` ranks, without what plan_of() (recipe_estimate.h) adds: which
/// weights and adapters are trained.
TrainingSetup setup_of(const config::Recipe& recipe, std::int64_t ranks);
/// The share of a model's parameters that is in modules whose whole names match the expression
/// (config/recipe/ignored_modules.h). Throws UserError.
double ignored_share(const config::ModelRecipe& model, const std::string& expression);
/// Changes what a settings file says: ranks, precision, ZeRO, FSDP, parallelism_config, offloading. Works for layouts
/// that recipes cannot use, too.
void apply_settings(TrainingSetup& setup, const settings::Settings& settings);
/// The settings file of this setup on `machines` machines, as far as such a file can say it: ranks, precision,
/// accumulation, DeepSpeed's ZeRO, FSDP 2 with a mesh for replicas of shards, tensor and context parallelism. Pipelines
/// are said by the recipe (recipe_of).
settings::Settings settings_of(const TrainingSetup& setup, std::int64_t machines);
/// A value of a setup by its name: flags of the command line and rows of the panel are made of this table.
struct SetupField {
    using Target = std::variant<std::int64_t*, double*, bool*, std::string*, ChoiceValue>;
    std::string name;
    Target (*target)(TrainingSetup& setup);
    std::string help;
    std::int64_t least = 1;                 ///< of a number
    std::vector<std::string> choices = {};  ///< of a text or a choice; of a number: the only ones, or none
};
const std::vector<SetupField>& setup_fields();
/// All other values of a setup, which follow from a recipe and its model. Files of setups have them beside the fields.
const std::vector<SetupField>& derived_fields();
/// "zero_stage", "3", of both tables. Throws UserError for an unknown name, or a value that the field cannot have.
void set_field(TrainingSetup& setup, const std::string& name, const std::string& value);
std::string field_text(TrainingSetup setup, const SetupField& field);

/// Ranks, stages of each and micro-batches of the setup's pipeline; without one, of one stage.
pipeline::PipelineSize pipeline_size(const TrainingSetup& setup);

/// Parameters of the adapters of a block of trained_blocks() (step_operations.h); 0 without LoRA.
double adapter_parameters(const TrainingSetup& setup, const BlockShape& block);
/// Of these, those that a token is multiplied with: of experts the adapters of those that it is sent to.
double adapter_products(const TrainingSetup& setup, const BlockShape& block);

/// Rows that the experts of the fullest rank compute, relative to an even share of all rows. Routers do not send every
/// rank as many: the fullest of two ranks has a quarter more, of many half as many more, unless its experts are full.
double expert_load(const TrainingSetup& setup);

/// The share of the parameters that are not in blocks.
double share_outside_blocks(const ModelParts& model);
/// Bytes of an element of sharded weights as the ranks send it; `product`: of an operand of products, `outside`: share
/// of the weights that are not in blocks, and so not in fp8.
double sent_weight_bytes(const TrainingSetup& setup, double product, double outside = 0);
/// Whether the data ranks average momenta as signs instead of gradients, once the optimizer's warm-up is over.
bool sends_signs(const TrainingSetup& setup);
/// Bytes of a sign of each parameter. Ranks exchange them twice: with the servers of the chunks, and back.
inline constexpr double kSignBytes = 1.0 / 8;
/// Bytes that an update reads and writes per trained parameter, in fp32: state and weight twice, the gradient once, and
/// the passes that make signs and add them up.
double update_bytes(const TrainingSetup& setup);

/// The names of skip_modules or keep_in_fp32_modules.
std::vector<std::string> module_names(const std::string& joined);

/// Every contradiction with the model, with the field in `key`: "tp 3 does not divide 32 heads: use 1, 2, 4, 8, 16 or
/// 32".
std::vector<Problem> check_setup(const ModelParts& model, const TrainingSetup& setup);

}  // namespace trainyard::estimate
