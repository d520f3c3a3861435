// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A recipe: what is to be trained, independent of where. YAML in, checked values out; every problem is found in one
// pass and named with file, line, column, key and, for unknown keys, the nearest name. Launch settings (how many ranks,
// which hosts) are not here: the same recipe runs on any layout.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/training_choices.h"
#include "config/recipe/choices.h"
#include "models/spec/model_config.h"

namespace trainyard {
class Value;
namespace families {
struct SampleSize;
}
}  // namespace trainyard

namespace trainyard::config {

/// Keys that were written, in a recipe or with --set, and not left to a default. What is trained does not depend on it.
struct WrittenKeys {
    std::set<std::string> keys;
    bool operator==(const WrittenKeys&) const { return true; }
};

/// Adapters of low rank beside the model's matrices, which stay as they start; names are PEFT's. Hu et al., "LoRA",
/// ICLR 2022.
struct LoraRecipe {
    std::int64_t r = 0;       ///< rank; 0: no adapters, the model itself is trained
    double lora_alpha = 16;   ///< the product counts alpha / r times
    bool use_rslora = false;  ///< alpha / sqrt(r) times. Kalajdzievski, 2023
    std::vector<std::string> target_modules{
        "all-linear"};  ///< ends of modules' names, expressions or all-linear (config/recipe/module_targets.h)
    /// Ends of names of parameters of transformers' modules: those of experts, which are one parameter for all
    /// (models/spec/module_parameters.h).
    std::vector<std::string> target_parameters;
    /// Last parts of modules' names that are trained whole and saved with the adapter, besides the head of a
    /// classification (modules_to_save() below).
    std::vector<std::string> modules_to_save;
    std::string adapter;  ///< folder or file of PEFT to start from; empty: fresh ones
    bool operator==(const LoraRecipe&) const = default;
};

/// Frozen matrices of Linear layers in 4 or 8 bits; names are those of Accelerate's BnbQuantizationConfig.
struct QuantizationRecipe {
    Quantization method = Quantization::automatic;
    bool bnb_4bit_use_double_quant = false;
    QuantizedCompute bnb_4bit_compute_dtype = QuantizedCompute::automatic;
    double llm_int8_threshold = 6;  ///< magnitude of inputs whose columns are not quantized; 0: none
    std::vector<std::string>
        skip_modules;  ///< that stay, besides the head (formats/weights/quantization/module_choice.h)
    std::vector<std::string> keep_in_fp32_modules;  ///< that stay fp32 and multiply in fp32
    bool operator==(const QuantizationRecipe&) const = default;
};

/// Keys of the architecture are those of Hugging Face's config.json (models/spec/model_config.h).
struct ModelRecipe : families::ModelConfig {
    std::string weights;              ///< file or folder to start from (weight_source.h); empty: initialise
    std::vector<std::string> freeze;  ///< patterns (fnmatch) of names of parameters that stay as they start
    LoraRecipe lora;                  ///< section `lora`
    QuantizationRecipe quantization;  ///< section `quantization`
    std::string script;               ///< of torchscript: the file that torch.jit.save wrote
    /// Where frozen weights lie (inference/dispatch/model_device_map.h): auto, balanced, balanced_low_0, sequential,
    /// cpu, disk, or a JSON file; empty: all in memory.
    std::string device_map;
    std::vector<std::string> max_memory;  ///< cpu=2GB: what a device map that is made may take; empty: what is free
    /// Of the architecture. With `weights`, the config.json next to them has the others
    /// (config/inputs/start_weights.h).
    WrittenKeys written;
    bool operator==(const ModelRecipe&) const = default;
};

/// model.max_memory by device. Throws UserError for an entry without a device or a size.
std::map<std::string, std::string> max_memory_of(const ModelRecipe& model);

/// Whether matrices stay in 4 or 8 bits in memory, and what is trained are adapters beside them.
bool keeps_quantized(const ModelRecipe& model);

/// Whether the value of a key of the architecture is for the config.json of model.weights to say.
bool is_left_to_weights(const ModelRecipe& model, const std::string& key);

/// Whether a key of the architecture is one that other families have, and the model's does not.
bool is_of_another_family(const ModelRecipe& model, const std::string& key);

/// Whether one of the patterns of model.freeze (fnmatch: * and ? match dots, too) is of this parameter. With adapters
/// everything else is frozen.
bool is_frozen(const ModelRecipe& model, const std::string& name);

/// lora.modules_to_save and the head of a classification, which an adapter cannot replace: it starts from random
/// numbers.
std::vector<std::string> modules_to_save(const ModelRecipe& model);

/// Whether a parameter belongs to one of these modules, or to a module inside of it.
bool is_in_module(const std::string& parameter, const std::vector<std::string>& modules);

/// Whether an adapter's file holds this parameter: it is a part of the adapter, or of what is trained whole beside it.
bool is_of_adapter_file(const ModelRecipe& model, const std::string& name);

/// Whether a parameter is a part of an adapter: <module>.lora_A.weight, or another name of PEFT, as .lora_embedding_A.
bool is_adapter(const std::string& name);

/// Tokens of files, in samples of `sequence_length` that do not overlap.
struct DataRecipe {
    DataFormat format = DataFormat::bytes;
    std::string column;         ///< of tables: text or whole numbers; empty: the only one, or one with a usual name
    std::string tokenizer;      ///< of text: a tokenizer.json or a folder with one; empty: a token per byte
    bool pack = true;           ///< documents of tables end to end; false: one a sample, its rest not counted
    std::string second_column;  ///< sequence_classification: the second text; empty: there is one
    std::string label_column;   ///< of classification; empty: label, labels, ...
    std::string target_column;  ///< seq2seq_lm: the text to be written; empty: summary, target, ...
    std::int64_t target_length = 32;          ///< seq2seq_lm: its tokens
    double mlm_probability = 0.15;            ///< masked_lm: share of tokens that are to be found
    std::int64_t doc_stride = 128;            ///< question_answering: tokens that two parts of a long context share
    std::int64_t max_answer_length = 30;      ///< question_answering: tokens of an answer
    std::int64_t n_best_size = 20;            ///< question_answering: starts and ends that are looked at
    std::vector<std::string> choice_columns;  ///< multiple_choice: texts to choose from; empty: ending0, ...
    /// image_classification: expression that finds the class in a file's name; empty: folders are classes.
    std::string label_pattern;
    std::int64_t image_size = 0;        ///< pixels of either side; 0: as the model or its preprocessor_config.json says
    std::string mask_path;              ///< semantic_segmentation: folder of the images with the classes of pixels
    bool reduce_labels = false;         ///< semantic_segmentation: 0 is not a class, and 1 becomes class 0
    std::string image_mean, image_std;  ///< of channels, a list as JSON; empty: of the file, or 0.5
    double random_resized_crop = 0;     ///< smallest share of the area that a random crop has; 0: none
    double random_horizontal_flip = 0;  ///< share of training images that are mirrored
    std::int64_t sampling_rate = 0;     ///< of audio, samples a second; 0: as preprocessor_config.json says, or 16,000
    double min_duration_in_seconds = 0, max_duration_in_seconds = 5;  ///< of audio: shorter files are not used, longer
                                                                      ///< ones are cut
    std::string plugin;     ///< the data set of a plug-in, without files; empty: none
    std::string arguments;  ///< what it is made with: a table as JSON in one line; empty: nothing
    ChatFormat chat = ChatFormat::no;
    std::vector<std::string> paths;     ///< key `path`: files or folders (searched recursively), absolute once parsed
    std::string pattern = "*";          ///< file names taken from folders (fnmatch)
    std::int64_t sequence_length = 64;  ///< tokens of one sample
    double validation_fraction = 0.05;  ///< the last part of the corpus, never trained on
    bool shuffle = true;
    OnCorrupt on_corrupt = OnCorrupt::stop;
    // As accelerate's DataLoaderConfiguration and torch's DataLoader (train/data_loader.h).
    bool split_batches = false;     ///< training.batch_size is that of all ranks together
    bool dispatch_batches = false;  ///< rank 0 reads, and sends every rank its samples
    bool even_batches = true;       ///< at the end of an epoch every rank has full batches; false: it has what is left
    bool join_epochs =
        true;  ///< even batches are completed with the next epoch's first samples; false: with this one's
    std::int64_t num_workers = 1;      ///< threads that read ahead
    std::int64_t prefetch_factor = 2;  ///< batches each of them reads ahead
    bool operator==(const DataRecipe&) const = default;
};

/// One of config/recipe/optimizer_kinds.h. betas, eps and weight_decay that are left out are the optimizer's own.
struct OptimizerRecipe {
    std::string name = "adamw";
    double lr = 1e-3;
    double beta1 = 0.9;  ///< key `betas`: [beta1, beta2]
    double beta2 = 0.999;
    double eps = 1e-8;
    double weight_decay = 0.01;
    bool decay_all =
        false;  ///< true: also biases and norms, as torch's AdamW does; false: only tensors of 2 or more dims
    std::string arguments;  ///< further arguments of the optimizer: a YAML table in flow style; empty: none
    std::string groups;     ///< settings by patterns of names of parameters: a YAML table of tables; empty: none
    bool operator==(const OptimizerRecipe&) const = default;
};

struct ScheduleRecipe {
    std::string name = "cosine";  ///< cosine | linear | constant, or a name of optim/schedule.h
    std::int64_t warmup_steps = 0;
    double min_lr_ratio = 0.0;     ///< end of the decay as a share of lr
    std::int64_t decay_steps = 0;  ///< 0: training.steps
    std::string arguments;         ///< of the named schedule: a YAML table in flow style; empty: none
    bool operator==(const ScheduleRecipe&) const = default;
};

struct TrainingRecipe {
    std::int64_t steps = 1000;     ///< optimizer updates
    std::int64_t batch_size = 12;  ///< samples per rank and micro-step
    std::int64_t gradient_accumulation_steps = 1;
    std::int64_t global_batch_size = 0;  ///< samples per step on all ranks, see on_ranks(); 0: not fixed
    bool auto_find_batch_size = false;   ///< micro-batches that run out of memory are made smaller, and more of them
    double max_grad_norm = 1.0;          ///< 0: no clipping
    Precision mixed_precision = Precision::no;
    double loss_scale = 65536;                                   ///< fp16: factor of the loss at the start
    std::int64_t loss_scale_window = 2000;                       ///< fp16: good steps in a row after which it doubles
    bool tf32 = false;                                           ///< TensorFloat-32 in fp32 products of NVIDIA GPUs
    Recomputation activation_checkpointing = Recomputation::no;  ///< of the blocks, in backward
    bool cuda_graph = false;            ///< forward and backward are captured once and replayed in every step
    double expert_capacity_factor = 0;  ///< of the experts of a block, for each sample; 0: nothing is dropped
    double ema_decay = 0;               ///< share of the old average of the weights; 0: no average is kept
    // Stochastic weight averaging, as torch.optim.swa_utils and torchcontrib.optim.SWA name it.
    std::int64_t swa_start = 0;          ///< step from which on the weights are averaged, all alike; 0: never
    std::int64_t swa_freq = 1;           ///< steps between two weights that count
    double swa_lr = 0;                   ///< constant learning rate from swa_start on; 0: the schedule continues
    std::int64_t swa_anneal_steps = 10;  ///< steps from the schedule's rate to swa_lr
    AnnealStrategy swa_anneal_strategy = AnnealStrategy::cos;
    std::int64_t local_sgd_steps = 0;  ///< steps between two averages of the ranks' weights; 0: gradients are averaged
    std::uint64_t seed = 1234;
    std::int64_t evaluate_every = 0;     ///< steps; 0: only at the end
    std::int64_t evaluate_batches = 20;  ///< global batches of the held-out part, 0: all of it
    std::string step_function;           ///< of a plug-in: changes batches, may have their loss; empty: none
    std::vector<std::string> metrics;    ///< computed in evaluations: of metric_names.h, or of plug-ins
    EntityScheme entity_scheme = EntityScheme::lenient;  ///< of the metric seqeval
    bool operator==(const TrainingRecipe&) const = default;
};

/// Products in 8-bit floating-point formats, with training.mixed_precision fp8; names are those of Accelerate's
/// TERecipeKwargs and AORecipeKwargs.
struct Fp8Recipe {
    Fp8Scaling scaling = Fp8Scaling::delayed;
    Fp8Format fp8_format = Fp8Format::hybrid;
    std::int64_t margin = 0;    ///< scales are divided by 2^margin
    std::int64_t interval = 1;  ///< steps from one computation of the scales to the next
    std::int64_t amax_history_len = 1024;
    AmaxAlgorithm amax_compute_algo = AmaxAlgorithm::most_recent;
    /// Products in full precision: fprop, dgrad, wgrad (override_linear_precision).
    std::vector<std::string> full_precision;
    bool enable_fsdp_float8_all_gather = false;  ///< weights that no rank has whole are sent as 8-bit values
    bool operator==(const Fp8Recipe&) const = default;
};

/// When a step goes wrong (train/loop/health.h, straggler.h, divergence.h).
struct HealthRecipe {
    HealthAction on_non_finite = HealthAction::skip;
    HealthAction on_spike = HealthAction::warn;
    double spike_threshold = 6;         ///< robust deviations above the median of the newest losses
    std::int64_t spike_window = 64;     ///< losses looked back at
    std::int64_t stop_after = 10;       ///< non-finite steps in a row that end the run; 0: never
    std::int64_t straggler_every = 10;  ///< steps of one round of comparing the ranks' own times; 0: never
    std::int64_t divergence_every = 0;  ///< steps between comparisons of the ranks' weights; 0: never
    bool operator==(const HealthRecipe&) const = default;
};

/// How the ranks share the work (distributed/pipeline/pipeline_schedule.h), what they share out among them
/// (distributed/parallel/sharding.h), and how gradients travel (distributed/parallel/group_sync.h, comm_hook.h).
struct ParallelRecipe {
    std::int64_t pp_size = 1;               ///< ranks of a pipeline
    std::int64_t pp_stages_per_rank = 0;    ///< 0: what the schedule needs, one or two
    std::int64_t dp_replicate_size = 0;     ///< copies; 0: as many as the other sizes leave, 1 under ZeRO
    std::int64_t dp_shard_size = 0;         ///< ranks that ZeRO shards over; 0: as many as the others leave
    std::int64_t tp_size = 1;               ///< ranks that share each layer (distributed/parallel/tensor_part.h)
    bool tp_sequence_parallel = false;      ///< these share the positions between the layers, too
    std::int64_t tp_overlap_chunks = 1;     ///< of their positions: one is exchanged while another is multiplied
    std::int64_t cp_size = 1, sp_size = 1;  ///< ranks that share every sequence (distributed/parallel/sequence_share.h)
    RotateMethod cp_rotate_method = RotateMethod::allgather;
    std::int64_t ep_size = 1;                ///< data ranks that divide the experts of each block
    std::string pipeline_schedule = "1F1B";  ///< a name of pipeline::schedule_names()
    std::int64_t zero_stage = 0;             ///< 0 nothing, 1 optimizer state, 2 gradients, too, 3 weights, too
    bool reshard_after_forward = true;       ///< stage 3: weights of a unit are gathered again for its backward
    WrapPolicy wrap = WrapPolicy::block;
    std::int64_t wrap_min_params = 100'000'000;  ///< of what is gathered together, with wrap size
    std::string ignored_modules;                 ///< stage 3: modules that stay whole (config/recipe/ignored_modules.h)
    OffloadDevice offload_optimizer_device = OffloadDevice::none;  ///< where the optimizer state is
    std::string offload_optimizer_nvme_path;                       ///< folder for it
    OffloadDevice offload_param_device = OffloadDevice::none;      ///< stage 3: where the masters of the weights are
    std::string offload_param_nvme_path;                           ///< folder for them
    std::int64_t zero_hpz_partition_size = 1;  ///< stage 3: ranks that hold a second copy of the shards together
    bool zero_quantized_weights = false;       ///< stage 3: matrices are sent as 8-bit codes
    bool zero_quantized_gradients = false;     ///< stage 3: gradients are sent as 4-bit codes
    bool cpu_ram_efficient_loading = false;    ///< the first rank alone reads model.weights and sends them
    double bucket_cap_mb = 4;                  ///< smallest slice of gradients worth a message of its own
    double first_bucket_mb = 0;                ///< the same of the first to be sent; 0: as bucket_cap_mb
    bool find_unused_parameters = true;        ///< false: a parameter without a gradient is an error that names it
    bool check_reduction = false;              ///< ranks compare which parameters have gradients
    bool debug = false;                        ///< ranks compare shapes before every collective
    CommHookType comm_hook = CommHookType::no;
    Precision comm_wrapper = Precision::no;  ///< number format in which the hook works
    std::string comm_state_option;           ///< options of PowerSGD: a YAML table in flow style; empty: none
    /// Ranks that have the same samples, each a part of the positions.
    std::int64_t sequence_ranks() const { return cp_size * sp_size; }
    /// Ranks that have the same samples, besides the stages of a pipeline.
    std::int64_t sample_ranks() const { return sequence_ranks() * tp_size; }
    bool operator==(const ParallelRecipe&) const = default;
};

struct CheckpointRecipe {
    std::int64_t every = 0;                 ///< steps; 0: only at the end
    std::int64_t keep_last = 3;             ///< 0: keep all
    std::int64_t keep_best = 0;             ///< by best_metric, besides the newest; 0: none
    std::int64_t keep_every = 0;            ///< those whose step is a multiple, besides the newest; 0: none
    std::string best_metric = "eval/loss";  ///< a curve of the run, e.g. eval/loss_average, train/loss
    BestMode best_mode = BestMode::min;     ///< which value is the best
    bool background = true;                 ///< key `async`: training continues while the files are written
    ExportDtype export_dtype = ExportDtype::automatic;
    std::string resume_from;  ///< checkpoint folder or run folder (its newest whole one)
    bool operator==(const CheckpointRecipe&) const = default;
};

struct LoggingRecipe {
    std::int64_t every = 1;             ///< steps between two points of the curves
    std::int64_t histograms_every = 0;  ///< steps between two histograms of each weight and gradient; 0: none
    std::vector<std::string> trackers;  ///< besides the run's own curves (config/recipe/tracker_names.h)
    std::string tracker_arguments;      ///< arguments by tracker: a YAML table in flow style; empty: none
    bool operator==(const LoggingRecipe&) const = default;
};

/// Steps that every rank records with LibTorch's profiler (profile/profiler.h); names are those of Accelerate's
/// ProfileKwargs and its schedule_option. The first `skip_first` steps are left out; then `repeat` times: `wait`
/// steps pass, `warmup` warm up, `active` are recorded.
struct ProfileRecipe {
    std::int64_t active = 0;                        ///< 0: nothing is recorded, unless a user requests it
    std::int64_t wait = 0, warmup = 1, repeat = 1;  ///< repeat 0: until the end
    std::int64_t skip_first = 0;
    std::vector<std::string> activities;  ///< cpu | cuda; empty: all that are available
    bool record_shapes = false;
    bool profile_memory = false;
    bool with_flops = false;
    std::string output_trace_dir;  ///< empty: traces/ of the run's folder
    bool operator==(const ProfileRecipe&) const = default;
};

/// Samples that the model writes while it trains (inference/generate/generate.h); names are those of transformers'
/// generate().
struct GenerationRecipe {
    std::int64_t every = 0;            ///< steps between two samples of each prompt; 0: none
    std::vector<std::string> prompts;  ///< that they begin with; empty: one sample that begins with a line end
    std::int64_t max_new_tokens = 64;
    bool do_sample = true;  ///< false: the most likely token each time
    double temperature = 1;
    std::int64_t top_k = 50;  ///< 0: all
    double top_p = 1;
    bool operator==(const GenerationRecipe&) const = default;
};

struct Recipe {
    std::string name = "run";
    std::vector<std::string>
        plugins;  ///< shared libraries with models, data sets, losses and metrics (models/plugins/trainyard/plugin.h)
    ModelRecipe model;
    DataRecipe data;
    OptimizerRecipe optimizer;
    ScheduleRecipe schedule;
    TrainingRecipe training;
    Fp8Recipe fp8;
    HealthRecipe health;
    ParallelRecipe parallel;
    CheckpointRecipe checkpoint;
    LoggingRecipe logging;
    GenerationRecipe generation;
    ProfileRecipe profile;

    /// Tokens that one optimizer step consumes over `world_size` ranks.
    std::int64_t tokens_per_step(std::int64_t world_size) const {
        const TrainingRecipe& t = training;
        return (t.global_batch_size > 0
                    ? t.global_batch_size
                    : batch_per_rank(world_size) * data_ranks(world_size) * t.gradient_accumulation_steps) *
               data.sequence_length;
    }
    /// Samples of a rank's micro-batch, as far as training.batch_size says it.
    std::int64_t batch_per_rank(std::int64_t world_size) const {
        return data.split_batches ? training.batch_size / data_ranks(world_size) : training.batch_size;
    }
    bool offloads_optimizer() const { return parallel.offload_optimizer_device == OffloadDevice::nvme; }
    bool offloads_params() const { return parallel.offload_param_device == OffloadDevice::nvme; }
    /// Saving in the background needs copies, which would take the memory that offloading frees.
    bool saves_in_background() const { return checkpoint.background && !offloads_optimizer() && !offloads_params(); }
    /// Ranks that see samples of their own: the stages of a pipeline, and ranks that share sequences, see the same.
    std::int64_t data_ranks(std::int64_t world_size) const {
        return std::max<std::int64_t>(1, world_size / (parallel.pp_size * parallel.sample_ranks()));
    }
    /// Ranks with other samples that ZeRO shards over, besides those that share their sequences; 1 without ZeRO.
    std::int64_t shard_ranks(std::int64_t world_size) const {
        return parallel.zero_stage == 0 ? 1
               : parallel.dp_shard_size > 0
                   ? parallel.dp_shard_size
                   : data_ranks(world_size) / std::max<std::int64_t>(1, parallel.dp_replicate_size);
    }
    bool operator==(const Recipe&) const = default;
};

/// What a sample consists of, as far as the recipe says it. Its image is 0 where the model takes any size: that of
/// the data is known when it is read.
families::SampleSize sample_size(const Recipe& recipe);

/// Reads and checks a recipe. Relative paths are taken from the recipe's folder; `~`, `$NAME`
/// and `${NAME}` are replaced in paths (`$$` is a dollar). Throws InvalidInput with
/// every problem: unknown keys, wrong types, values out of range, contradictions (n_embd not a multiple of n_head,
/// sequence_length > n_positions, ...). Does not look at the data: see config/inputs/recipe_inputs.h.
Recipe load_recipe(const std::filesystem::path& file);
/// The same for text; `file` is only named in messages and gives the folder for relative paths.
Recipe parse_recipe(const std::string& yaml, const std::filesystem::path& file);
/// The same for a branch of a file that has been parsed: problems are at the places of that file.
Recipe read_recipe(const Value& tree, const std::filesystem::path& file);

/// Changes keys of a checked recipe from `key=value` (the command line's --set), e.g. `training.steps=10` or
/// `data.path=[a, b]`; values are read as YAML, relative paths from the current folder. The whole recipe is checked
/// again when all are set. Throws InvalidInput with every problem, with "--set" instead of the file; the recipe is
/// unchanged then.
void apply_overrides(Recipe& recipe, const std::vector<std::string>& assignments);

/// The recipe as `world_size` ranks train it. Where data.split_batches is set, batch_size becomes that of one rank,
/// and split_batches is over; where training.global_batch_size is set, batch_size and gradient_accumulation_steps are
/// those that make so many samples of a step: the fewest micro-steps of at most batch_size samples each. Throws
/// InvalidInput when the ranks cannot share batches evenly, or the sizes of the mesh do not multiply to their number.
/// `most_samples` limits the micro-batch of a rank; the samples of a step stay the same. 0: no limit.
Recipe on_ranks(Recipe recipe, std::int64_t world_size, std::int64_t most_samples = 0);

/// Problems of the values themselves (ranges, contradictions), for recipes made by hand; places are empty.
std::vector<Problem> check_recipe(const Recipe& recipe);

/// YAML of every key, defaults included, but those that are left to model.weights; parse_recipe(to_yaml(r)) == r.
std::string to_yaml(const Recipe& recipe);
/// Of every key, also of those: they are written then.
std::string to_whole_yaml(const Recipe& recipe);

/// All dotted keys with their help sentence, for editors and `--help`.
struct RecipeKey {
    std::string key;
    std::string type;
    std::string default_value;
    std::string help;
};
const std::vector<RecipeKey>& recipe_keys();

}  // namespace trainyard::config
