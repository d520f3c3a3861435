#include "desktop/wizard/recipe_rows.h"

#include <algorithm>

#include "desktop/qt_text.h"
#include "desktop/translate.h"
#include "families/family.h"

namespace trainyard::desktop {

namespace {

/// Keys of families that have no row of their own here: their names are those of config.json, which nobody translates.
void addOtherKeys(QVector<RecipeRow>& all, const QString& size, const QString& details) {
    using Config = families::ModelConfig;
    auto isMainSize = [](const families::ConfigKey& key) {
        const auto* member = std::get_if<std::int64_t Config::*>(&key.member);
        return member != nullptr &&
               (*member == &Config::n_layer || *member == &Config::n_head || *member == &Config::n_embd ||
                *member == &Config::n_positions || *member == &Config::num_labels || *member == &Config::image_size);
    };
    for (const families::ConfigKey& key : families::all_keys()) {
        const QString name = QLatin1String("model.") + qt(key.name);
        const bool known = std::any_of(all.begin(), all.end(), [&](const RecipeRow& row) { return row.key == name; });
        if (known)
            continue;
        const bool main = isMainSize(key);
        const bool wide = std::holds_alternative<families::JsonText Config::*>(key.member);
        all << RecipeRow{name,
                         qt(key.name),
                         {},
                         Step::Model,
                         main ? size : details,
                         main,
                         wide ? RecipeRow::Width::Long : RecipeRow::Width::Short};
    }
}

}  // namespace

const QVector<RecipeRow>& recipeRows() {
    using Width = RecipeRow::Width;
    static const QVector<RecipeRow> rows = [] {
        QVector<RecipeRow> all;
        auto add = [&](const char* key, const QString& label, Step step, const QString& block, const QString& hint = {},
                       bool usual = true, Width width = Width::Short) {
            all << RecipeRow{QLatin1String(key), label, hint, step, block, usual, width};
        };
        const QString what = tr("Name of the run");
        add("name", tr("Name"), Step::Start, what, tr("part of the run folder's name"), true, Width::Long);

        const QString kind = tr("Architecture");
        add("model.model_type", tr("Family"), Step::Model, kind, tr("its keys are those of transformers' config.json"));
        add("model.task", tr("Task"), Step::Model, kind, tr("what the model is trained for"));
        add("plugins", tr("Plug-ins"), Step::Model, kind,
            tr("shared libraries with models, data sets, losses and metrics"), false, Width::Long);
        add("model.loss", tr("Loss"), Step::Model, kind,
            tr("of sentence embeddings or of a plug-in; empty: that of the task"), false);
        const QString size = tr("Size");
        add("model.n_layer", tr("Layers"), Step::Model, size, tr("transformer blocks"));
        add("model.n_head", tr("Heads"), Step::Model, size, tr("attention heads of each block"));
        add("model.n_embd", tr("Width"), Step::Model, size, tr("a multiple of the heads"));
        add("model.n_positions", tr("Context"), Step::Model, size, tr("longest sequence, in tokens"));
        add("model.vocab_size", tr("Vocabulary"), Step::Model, size, tr("number of different tokens; 256 for bytes"));
        const QString begin = tr("Initial weights");
        add("model.weights", tr("Weights"), Step::Model, begin,
            tr("file or folder to go on from, its config.json counts; empty: random weights"), true, Width::Long);
        add("model.device_map", tr("Frozen weights"), Step::Model, begin,
            tr("where those that are not trained lie: auto, disk, or a device map (JSON); empty: in memory"), false);
        add("model.max_memory", tr("Memory for them"), Step::Model, begin, tr("at most, with auto: cpu=2GB"), false);
        add("model.script", tr("TorchScript file"), Step::Model, begin,
            tr("of torch.jit.save, with the family torchscript; its code runs, so it must be trusted"), false,
            Width::Long);
        add("model.freeze", tr("Frozen"), Step::Model, begin,
            tr("patterns of names of parameters that stay as they start, e.g. transformer.wte.*"), false, Width::Long);
        const QString adapters = tr("Adapters (LoRA)");
        add("lora.r", tr("Rank"), Step::Model, adapters, tr("adapters are trained, the model stays; 0: none"), false);
        add("lora.lora_alpha", tr("Alpha"), Step::Model, adapters, tr("what is added counts alpha / rank times"),
            false);
        add("lora.use_rslora", tr("Rank-stabilised"), Step::Model, adapters, tr("alpha / root of the rank"), false);
        add("lora.target_modules", tr("Modules"), Step::Model, adapters,
            tr("ends of their names, e.g. c_attn, c_proj, or expressions; all-linear: all but the head"), false,
            Width::Long);
        add("lora.target_parameters", tr("Parameters"), Step::Model, adapters,
            tr("ends of names in transformers, e.g. mlp.experts.gate_up_proj, mlp.experts.down_proj: experts"), false,
            Width::Long);
        add("lora.modules_to_save", tr("Trained whole"), Step::Model, adapters,
            tr("ends of modules' names, saved with the adapter; empty: the head of a classification"), false,
            Width::Long);
        add("lora.adapter", tr("Adapter"), Step::Model, adapters,
            tr("folder in PEFT's layout to go on from; empty: a fresh one"), false, Width::Long);
        const QString details = tr("Details");
        add("model.n_inner", tr("Inner width"), Step::Model, details, tr("0: four times the width"), false);
        add("model.resid_pdrop", tr("Dropout, residual"), Step::Model, details, {}, false);
        add("model.embd_pdrop", tr("Dropout, embeddings"), Step::Model, details, {}, false);
        add("model.attn_pdrop", tr("Dropout, attention"), Step::Model, details, {}, false);
        add("model.layer_norm_epsilon", tr("Norm epsilon"), Step::Model, details, {}, false);
        add("model.initializer_range", tr("Initializer range"), Step::Model, details, {}, false);
        add("model.activation_function", tr("Activation"), Step::Model, details, tr("between the feed-forward layers"),
            false);
        add("model.tie_word_embeddings", tr("Tied output layer"), Step::Model, details,
            tr("uses the table of the token embedding"), false);
        add("model.scale_attn_weights", tr("Scaled attention"), Step::Model, details,
            tr("by the square root of the width of a head"), false);
        add("model.scale_attn_by_inverse_layer_idx", tr("Scaled by block"), Step::Model, details,
            tr("also divides attention scores by the number of the block"), false);
        add("model.reorder_and_upcast_attn", tr("Attention in fp32"), Step::Model, details,
            tr("scores, under mixed precision"), false);
        add("model.add_cross_attention", tr("Cross-attention"), Step::Model, details,
            tr("needs an encoder, which no data set has"), false);
        add("model.bos_token_id", tr("First token"), Step::Model, details, tr("of a text, for config.json; -1: none"),
            false);
        add("model.eos_token_id", tr("Last token"), Step::Model, details, tr("of a text, for config.json; -1: none"),
            false);
        add("model.pad_token_id", tr("Padding token"), Step::Model, details, tr("for config.json; -1: none"), false);
        addOtherKeys(all, size, details);

        const QString text = tr("Text");
        add("data.path", tr("Text"), Step::Data, text, tr("file or folder; drop one here"), true, Width::Long);
        add("data.pattern", tr("File names"), Step::Data, text, tr("which files of a folder, e.g. *.txt"));
        const QString samples = tr("Samples");
        add("data.sequence_length", tr("Sequence length"), Step::Data, samples, tr("tokens, at most the context"));
        add("data.validation_fraction", tr("Held out"), Step::Data, samples,
            tr("share of the text, at its end, for evaluation"));
        add("data.shuffle", tr("Random order"), Step::Data, samples, tr("a new order in each epoch"));
        add("data.format", tr("Format"), Step::Data, details, tr("bytes: one token per byte"), false);
        add("data.column", tr("Column"), Step::Data, details, tr("of tables; empty: the only one, or text"), false);
        add("data.second_column", tr("Second column"), Step::Data, details, tr("of the second text of a pair"), false);
        add("data.label_column", tr("Label column"), Step::Data, details,
            tr("of classes, by number or name; empty: label"), false);
        add("data.target_column", tr("Target column"), Step::Data, details,
            tr("of the text to be written; empty: summary"), false);
        add("data.target_length", tr("Target length"), Step::Data, details, tr("tokens of the text to be written"),
            false);
        add("data.mlm_probability", tr("Masked share"), Step::Data, details, tr("of tokens, for masked_lm"), false);
        add("data.plugin", tr("Data set of a plug-in"), Step::Data, details, tr("its name, in the place of files"),
            false);
        add("data.arguments", tr("Its arguments"), Step::Data, details, tr("a table, e.g. {points: 2000}"), false,
            Width::Long);
        add("data.chat", tr("Conversations"), Step::Data, details, tr("only replies are learnt"), false);
        add("data.tokenizer", tr("Tokenizer"), Step::Data, details,
            tr("tokenizer.json, for text; empty: one token per byte"), false, Width::Long);
        add("data.pack", tr("Pack"), Step::Data, details, tr("documents end to end"), false);
        add("data.on_corrupt", tr("Unreadable records"), Step::Data, details,
            tr("stop the run, or skip and count them"), false);
        add("data.split_batches", tr("Split batches"), Step::Data, details,
            tr("the batch is that of all ranks, which share it"), false);
        add("data.dispatch_batches", tr("Dispatch batches"), Step::Data, details,
            tr("rank 0 reads, and sends every rank its samples"), false);
        add("data.even_batches", tr("Even batches"), Step::Data, details,
            tr("full batches on every rank at the end of an epoch, too"), false);
        add("data.join_epochs", tr("Join epochs"), Step::Data, details,
            tr("even batches are completed from the next epoch, not from the same"), false);
        add("data.num_workers", tr("Workers"), Step::Data, details, tr("threads of a rank that read ahead"), false);
        add("data.prefetch_factor", tr("Prefetch factor"), Step::Data, details, tr("batches of each worker"), false);

        const QString steps = tr("Steps and batch");
        add("training.steps", tr("Steps"), Step::Training, steps, tr("optimizer updates"));
        add("training.batch_size", tr("Batch"), Step::Training, steps, tr("sequences per rank and micro-batch"));
        add("training.gradient_accumulation_steps", tr("Accumulation"), Step::Training, steps,
            tr("micro-batches of one update"));
        add("training.global_batch_size", tr("Global batch"), Step::Training, steps,
            tr("sequences of one update on all ranks, whatever their number; 0: not fixed"));
        const QString rate = tr("Learning rate");
        add("optimizer.lr", tr("Peak learning rate"), Step::Training, rate);
        add("schedule.name", tr("Schedule"), Step::Training, rate, tr("after the warm-up"));
        add("schedule.warmup_steps", tr("Warm-up"), Step::Training, rate, tr("steps in which the rate rises from 0"));
        add("schedule.min_lr_ratio", tr("Final rate"), Step::Training, rate,
            tr("at the end, as a fraction of the peak"));
        add("schedule.decay_steps", tr("Decay ends"), Step::Training, details, tr("at this step; 0: at the last"),
            false);
        add("schedule.arguments", tr("Schedule arguments"), Step::Training, details,
            tr("of schedules of transformers and torch, e.g. {num_cycles: 2}"), false, Width::Long);
        add("training.max_grad_norm", tr("Clip gradients at"), Step::Training, rate, tr("norm; 0: never"));
        const QString seed = tr("Seed and evaluation");
        add("training.seed", tr("Seed"), Step::Training, seed, tr("start of every random number"));
        add("training.evaluate_every", tr("Evaluate every"), Step::Training, seed, tr("steps; 0: only at the end"));
        add("training.evaluate_batches", tr("Evaluation batches"), Step::Training, seed,
            tr("of one evaluation; 0: all that is held out"));
        add("training.metrics", tr("Metrics"), Step::Training, seed, tr("of plug-ins, by their names"), false);
        add("optimizer.name", tr("Optimizer"), Step::Training, details, {}, false);
        add("optimizer.arguments", tr("Optimizer arguments"), Step::Training, details,
            tr("further ones, e.g. {momentum: 0.9, nesterov: true}"), false, Width::Long);
        add("optimizer.groups", tr("Parameter groups"), Step::Training, details,
            tr("by patterns of names, e.g. {\"*.wte.weight\": {lr: 1e-4}}"), false, Width::Long);
        add("optimizer.betas", tr("Betas"), Step::Training, details, tr("decay rates of the two moments"), false);
        add("optimizer.eps", tr("Epsilon"), Step::Training, details, {}, false);
        add("optimizer.weight_decay", tr("Weight decay"), Step::Training, details, {}, false);
        add("optimizer.decay_all", tr("Decay all"), Step::Training, details, tr("biases and norms too"), false);

        add("training.activation_checkpointing", tr("Recompute activations"), Step::Training, details,
            tr("less memory for a third more time"), false);
        add("training.ema_decay", tr("Average of weights"), Step::Training, details,
            tr("share of the old average, e.g. 0.999; 0: none"), false);
        add("training.swa_start", tr("SWA from step"), Step::Training, details,
            tr("average of all weights from there on; 0: none"), false);
        add("training.swa_freq", tr("SWA every"), Step::Training, details, tr("steps"), false);
        add("training.swa_lr", tr("SWA rate"), Step::Training, details,
            tr("learning rate of the average; 0: as scheduled"), false);
        add("training.swa_anneal_steps", tr("SWA annealing"), Step::Training, details, tr("steps to that rate"), false);
        add("training.swa_anneal_strategy", tr("SWA course"), Step::Training, details, tr("to that rate"), false);
        add("training.local_sgd_steps", tr("Local SGD"), Step::Training, details,
            tr("steps between two averages of the ranks' weights; 0: off"), false);
        add("training.loss_scale", tr("Loss scale"), Step::Training, details, tr("with fp16: at the start"), false);
        add("training.loss_scale_window", tr("Loss scale doubles after"), Step::Training, details,
            tr("with fp16: good steps in a row"), false);
        add("training.tf32", tr("TensorFloat-32"), Step::Training, details, tr("on NVIDIA GPUs"), false);
        add("health.on_non_finite", tr("NaN or infinity"), Step::Training, details,
            tr("what to do when loss or gradients are not finite"), false);
        add("health.on_spike", tr("Loss spikes"), Step::Training, details, tr("what to do when the loss spikes"),
            false);
        add("health.spike_threshold", tr("Spike threshold"), Step::Training, details,
            tr("standard deviations above the recent losses"), false);
        add("health.spike_window", tr("Spike window"), Step::Training, details, {}, false);
        add("health.stop_after", tr("Stop after"), Step::Training, details, tr("non-finite steps in a row; 0: never"),
            false);
        add("health.straggler_every", tr("Slow ranks"), Step::Training, details,
            tr("checked after this many steps; 0: never"), false);
        add("health.divergence_every", tr("Weights agree"), Step::Training, details,
            tr("compared across ranks after this many steps; 0: never"), false);
        add("parallel.zero_stage", tr("ZeRO stage"), Step::Training, details,
            tr("sharded over the ranks: 0 nothing, 1 optimizer state, 2 also gradients"), false);
        add("parallel.offload_optimizer_device", tr("Optimizer state"), Step::Training, details,
            tr("nvme: in files on a disk, of which a part at a time is in memory (on processors)"), false);
        add("parallel.offload_optimizer_nvme_path", tr("Folder for it"), Step::Training, details,
            tr("on a fast local disk"), false);
        add("parallel.pp_size", tr("Pipeline stages"), Step::Training, details,
            tr("ranks that share the model's layers; 1: none"), false);
        add("parallel.dp_replicate_size", tr("Replicas"), Step::Training, details,
            tr("the sizes multiply to the number of ranks; 0: as many as the others leave"), false);
        add("parallel.dp_shard_size", tr("Ranks of ZeRO"), Step::Training, details,
            tr("share out what its stage says; 0: as many as the others leave"), false);
        add("parallel.tp_size", tr("Tensor parallel"), Step::Training, details, tr("1 in this version"), false);
        add("parallel.cp_size", tr("Context parallel"), Step::Training, details, tr("1 in this version"), false);
        add("parallel.sp_size", tr("Sequence parallel"), Step::Training, details, tr("1 in this version"), false);
        add("parallel.pipeline_schedule", tr("Pipeline schedule"), Step::Training, details,
            tr("order of forwards and backwards"), false);
        add("parallel.bucket_cap_mb", tr("Gradient buckets"), Step::Training, details, tr("MiB, at least"), false);
        add("parallel.first_bucket_mb", tr("First bucket"), Step::Training, details,
            tr("MiB, at least; 0: as the others"), false);
        add("parallel.find_unused_parameters", tr("Unused parameters"), Step::Training, details,
            tr("get zero gradients; off: an error"), false);
        add("parallel.check_reduction", tr("Check gradients"), Step::Training, details,
            tr("ranks compare which parameters have some"), false);
        add("parallel.debug", tr("Check collectives"), Step::Training, details,
            tr("ranks compare shapes before each one; slower"), false);
        add("parallel.comm_hook", tr("Compression"), Step::Training, details, tr("of gradients between ranks"), false);
        add("parallel.comm_wrapper", tr("Compression's format"), Step::Training, details, {}, false);
        add("parallel.comm_state_option", tr("PowerSGD options"), Step::Training, details,
            tr("e.g. {matrix_approximation_rank: 2}"), false, Width::Long);

        const QString saved = tr("Checkpoints");
        add("checkpoint.every", tr("Save every"), Step::Output, saved, tr("steps; 0: only at the end"));
        add("checkpoint.keep_last", tr("Keep"), Step::Output, saved, tr("newest checkpoints; 0: all"));
        add("checkpoint.keep_best", tr("Keep best"), Step::Output, saved, tr("by the metric below, besides the last"));
        add("checkpoint.keep_every", tr("Keep every"), Step::Output, saved,
            tr("steps, besides the last; 0: no such rule"));
        add("checkpoint.best_metric", tr("Best by"), Step::Output, saved, tr("curve that says how good one is"));
        add("checkpoint.best_mode", tr("Best is"), Step::Output, saved, tr("the lowest or the highest value"));
        add("checkpoint.async", tr("In the background"), Step::Output, saved, tr("train on while files are written"));
        add("checkpoint.resume_from", tr("Resume from"), Step::Output, saved,
            tr("checkpoint or run folder to go on from; empty: from the start"), true, Width::Long);
        const QString curves = tr("Curves");
        add("logging.every", tr("Log metrics every"), Step::Output, curves, tr("steps"));
        add("logging.histograms_every", tr("Histograms every"), Step::Output, curves, tr("steps; 0: none"));
        add("logging.trackers", tr("Trackers"), Step::Output, curves, tr("besides the run's own: jsonl, csv, ..."),
            true, Width::Long);
        const QString samples_of_model = tr("Samples of the model");
        add("generation.every", tr("Write every"), Step::Output, samples_of_model, tr("steps; 0: none"));
        add("generation.prompts", tr("Prompts"), Step::Output, samples_of_model,
            tr("what samples begin with; several as [\"one\", \"two\"]"), true, Width::Long);
        add("generation.max_new_tokens", tr("Length"), Step::Output, samples_of_model, tr("most new tokens"));
        add("generation.do_sample", tr("Draw tokens"), Step::Output, samples_of_model, tr("off: the most likely ones"),
            false);
        add("generation.temperature", tr("Temperature"), Step::Output, samples_of_model,
            tr("below 1: likely tokens become more likely"), false);
        add("generation.top_k", tr("Top k"), Step::Output, samples_of_model, tr("most likely tokens; 0: all"), false);
        add("generation.top_p", tr("Top p"), Step::Output, samples_of_model, tr("probability of the tokens drawn from"),
            false);
        const QString profiler = tr("Profiler");
        add("profile.active", tr("Record"), Step::Output, profiler, tr("steps in a row; 0: none"), false);
        add("profile.wait", tr("Wait"), Step::Output, profiler, tr("steps before each recording"), false);
        add("profile.warmup", tr("Warm up"), Step::Output, profiler, tr("steps before each recording"), false);
        add("profile.repeat", tr("Recordings"), Step::Output, profiler, tr("0: until the end"), false);
        add("profile.skip_first", tr("Skip first"), Step::Output, profiler, tr("steps at the start"), false);
        add("profile.activities", tr("Activities"), Step::Output, profiler, tr("cpu, cuda; empty: all"), false);
        add("profile.record_shapes", tr("Shapes"), Step::Output, profiler, tr("of the inputs of operators"), false);
        add("profile.profile_memory", tr("Memory"), Step::Output, profiler, tr("every allocation"), false);
        add("profile.with_flops", tr("FLOPs"), Step::Output, profiler, tr("of matrix products and convolutions"),
            false);
        add("profile.output_trace_dir", tr("Trace folder"), Step::Output, profiler,
            tr("empty: traces of the run's folder"), false, Width::Long);
        return all;
    }();
    return rows;
}

const RecipeRow* findRecipeRow(const QString& key) {
    for (const RecipeRow& row : recipeRows())
        if (row.key == key)
            return &row;
    return nullptr;
}

}  // namespace trainyard::desktop
