// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/recipe_rows.h"

#include <algorithm>

#include "config/recipe/recipe.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "models/spec/family.h"
#include "widgets/languages.h"

namespace trainyard::desktop {

namespace {

/// Keys of model families without a row of their own: they have the names of config.json, which are not translated.
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

/// Keys of recipes without a row of their own: collapsed after the last row of their section.
void addNewKeys(QVector<RecipeRow>& all) {
    for (const config::RecipeKey& key : config::recipe_keys()) {
        const QString name = qt(key.key), section = name.section(QLatin1Char('.'), 0, 0) + QLatin1Char('.');
        const bool known = std::any_of(all.begin(), all.end(), [&](const RecipeRow& row) { return row.key == name; });
        const auto last =
            std::find_if(all.rbegin(), all.rend(), [&](const RecipeRow& row) { return row.key.startsWith(section); });
        if (known || last == all.rend() ||
            name == QLatin1String("training.mixed_precision"))  // asked on the Precision page
            continue;
        RecipeRow row = *last;
        row.key = name;
        row.label = name.section(QLatin1Char('.'), 1);
        row.hint.clear();
        row.usual = false;
        all.insert(last.base(), row);
    }
}

}  // namespace

const QVector<RecipeRow>& recipeRows() {
    using Width = RecipeRow::Width;
    return widgets::once_per_language([] {
        QVector<RecipeRow> all;
        Step step = Step::Start;
        QString block;
        auto under = [&](Step page, const QString& heading) {
            step = page;
            block = heading;
        };
        auto row = [&](const char* key, const QString& label, const QString& hint, bool usual, Width width) {
            all << RecipeRow{QLatin1String(key), label, hint, step, block, usual, width};
        };
        auto add = [&](const char* key, const QString& label, const QString& hint = {}, Width width = Width::Short) {
            row(key, label, hint, true, width);
        };
        auto more = [&](const char* key, const QString& label, const QString& hint = {}, Width width = Width::Short) {
            row(key, label, hint, false, width);
        };
        under(Step::Start, tr("Name of the run"));
        add("name", tr("Name"), tr("part of the run folder's name"), Width::Long);
        under(Step::Model, tr("Architecture"));
        add("model.model_type", tr("Family"), tr("its keys are those of transformers' config.json"));
        add("model.task", tr("Task"), tr("what the model is trained for"));
        more("plugins", tr("Plug-ins"), tr("shared libraries with models, data sets, losses, metrics and trackers"),
             Width::Long);
        more("model.loss", tr("Loss"), tr("of sentence embeddings or of a plug-in; empty: that of the task"));
        under(Step::Model, tr("Size"));
        add("model.n_layer", tr("Layers"), tr("transformer blocks"));
        add("model.n_head", tr("Heads"), tr("attention heads of each block"));
        add("model.n_embd", tr("Width"), tr("a multiple of the heads"));
        add("model.n_positions", tr("Context"), tr("longest sequence, in tokens"));
        add("model.vocab_size", tr("Vocabulary"), tr("number of different tokens; 256 for bytes"));
        under(Step::Model, tr("Model to start from"));
        add("model.weights", tr("Folder or name"),
            tr("folder or file of weights with its config.json, or org/name of the hub; empty: random weights"),
            Width::Long);
        more("model.device_map", tr("Frozen weights"),
             tr("location of weights that are not trained: auto, disk, or a device map (JSON); empty: in memory"));
        more("model.max_memory", tr("Memory limit"), tr("limit per device with auto, e.g. cpu=2GB"));
        more("model.script", tr("TorchScript file"),
             tr("of torch.jit.save, with the family torchscript; its code runs, so it must be trusted"), Width::Long);
        more("model.freeze", tr("Frozen"),
             tr("patterns of parameter names that are not trained, e.g. transformer.wte.*"), Width::Long);
        under(Step::Model, tr("Adapters (LoRA)"));
        more("lora.r", tr("Rank"), tr("only adapters of this rank are trained; 0: no adapters"));
        more("lora.lora_alpha", tr("Alpha"), tr("adapters are scaled by alpha / rank"));
        more("lora.use_rslora", tr("Rank-stabilised"), tr("scaled by alpha / √rank"));
        more("lora.target_modules", tr("Modules"),
             tr("suffixes of module names, e.g. c_attn, c_proj, or expressions; all-linear: all but the head"),
             Width::Long);
        more("lora.target_parameters", tr("Parameters"),
             tr("suffixes of parameter names, e.g. mlp.experts.gate_up_proj, mlp.experts.down_proj: experts"),
             Width::Long);
        more("lora.modules_to_save", tr("Fully trained"),
             tr("suffixes of module names, saved with the adapter; empty: the head of a classifier"), Width::Long);
        more("lora.adapter", tr("Adapter"), tr("folder in PEFT's layout to start from; empty: a new adapter"),
             Width::Long);
        under(Step::Model, tr("Quantized weights"));
        more("quantization.method", tr("Method"), tr("of the frozen weights below adapters; none: not quantized"));
        under(Step::Model, tr("Details"));
        more("model.n_inner", tr("Inner width"), tr("0: four times the width"));
        more("model.resid_pdrop", tr("Dropout, residual"));
        more("model.embd_pdrop", tr("Dropout, embeddings"));
        more("model.attn_pdrop", tr("Dropout, attention"));
        more("model.layer_norm_epsilon", tr("Norm epsilon"));
        more("model.initializer_range", tr("Initializer range"));
        more("model.activation_function", tr("Activation"), tr("between the feed-forward layers"));
        more("model.tie_word_embeddings", tr("Tied output layer"), tr("uses the table of the token embedding"));
        more("model.scale_attn_weights", tr("Scaled attention"), tr("by the square root of the width of a head"));
        more("model.scale_attn_by_inverse_layer_idx", tr("Scaled by block"),
             tr("also divides attention scores by the number of the block"));
        more("model.reorder_and_upcast_attn", tr("Attention in fp32"), tr("scores, under mixed precision"));
        more("model.add_cross_attention", tr("Cross-attention"),
             tr("needs the output of an encoder, which no data set provides"));
        more("model.bos_token_id", tr("First token"), tr("of a text, for config.json; -1: none"));
        more("model.eos_token_id", tr("Last token"), tr("of a text, for config.json; -1: none"));
        more("model.pad_token_id", tr("Padding token"), tr("for config.json; -1: none"));
        addOtherKeys(all, tr("Size"), block);
        under(Step::Data, tr("Files"));
        add("data.path", tr("File or folder"),
            tr("text, tables or images, or a data set of the hub: hub:org/name; drop one here"), Width::Long);
        add("data.pattern", tr("File names"), tr("which files of a folder, e.g. *.txt"));
        add("data.format", tr("Format"), tr("follows the files; bytes: one token per byte"));
        add("data.tokenizer", tr("Tokenizer"), tr("tokenizer.json, for text; empty: one token per byte"), Width::Long);
        under(Step::Data, tr("Columns"));
        add("data.column", tr("Text"), tr("empty: the only one, or one with a usual name"));
        add("data.second_column", tr("Second text"), tr("of a pair; empty: there is one text"));
        add("data.label_column", tr("Label"), tr("column with the class, as number or name; empty: label"));
        add("data.target_column", tr("Target"), tr("column with the target text; empty: summary"));
        add("data.target_length", tr("Target length"), tr("tokens of the target text"));
        add("data.mlm_probability", tr("Masked share"), tr("of tokens, for masked_lm"));
        add("data.choice_columns", tr("Choices"),
            tr("columns of the texts to choose from; empty: ending0, ending1, …"));
        add("data.doc_stride", tr("Overlap"), tr("tokens that two parts of a long text share"));
        add("data.max_answer_length", tr("Longest answer"), tr("tokens"));
        add("data.label_pattern", tr("Class in file name"),
            tr("an expression, e.g. ^(.*)_\\d+; empty: folders are classes"));
        add("data.mask_path", tr("Masks"), tr("folder of images with the class of each pixel, under the same names"),
            Width::Long);
        add("data.reduce_labels", tr("Without background"), tr("mask value 0 is ignored, value 1 becomes class 0"));
        add("data.image_size", tr("Image size"), tr("pixels of either side; 0: that of the model"));
        add("data.random_resized_crop", tr("Random crop"),
            tr("smallest share of the area, e.g. 0.08; 0: whole images"));
        add("data.random_horizontal_flip", tr("Mirrored share"), tr("of training images, e.g. 0.5"));
        add("data.sampling_rate", tr("Sampling rate"), tr("samples a second; 0: of the weights' folder, or 16000"));
        add("data.max_duration_in_seconds", tr("Longest recording"), tr("seconds; longer recordings are cut"));
        add("data.min_duration_in_seconds", tr("Shortest recording"), tr("seconds; shorter recordings are skipped"));
        add("data.chat", tr("Conversations"), tr("template of the conversation; only replies count in the loss"));
        under(Step::Data, tr("Samples"));
        add("data.sequence_length", tr("Sequence length"), tr("tokens, at most the context"));
        add("data.validation_fraction", tr("Held out"), tr("share of the text, at its end, for evaluation"));
        add("data.shuffle", tr("Random order"), tr("a new order in each epoch"));
        under(Step::Data, tr("Details"));
        more("data.plugin", tr("Data set of a plug-in"), tr("its name, instead of files"));
        more("data.arguments", tr("Its arguments"), tr("a table, e.g. {points: 2000}"), Width::Long);
        more("data.pack", tr("Pack"), tr("documents are concatenated"));
        more("data.n_best_size", tr("Candidates"), tr("beginnings and ends of answers that are compared"));
        more("data.image_mean", tr("Mean of channels"),
             tr("e.g. [0.485, 0.456, 0.406]; empty: of the weights' folder"));
        more("data.image_std", tr("Deviation of channels"), tr("e.g. [0.229, 0.224, 0.225]"));
        more("data.on_corrupt", tr("Unreadable records"), tr("stop the run, or skip and count them"));
        more("data.split_batches", tr("Split batches"), tr("the batch size is that of all ranks together"));
        more("data.dispatch_batches", tr("Dispatch batches"), tr("rank 0 reads, and sends every rank its samples"));
        more("data.even_batches", tr("Even batches"), tr("every rank gets full batches, also at the end of an epoch"));
        more("data.join_epochs", tr("Join epochs"),
             tr("even batches are completed from the next epoch, not from the same"));
        more("data.num_workers", tr("Workers"), tr("threads of a rank that read ahead"));
        more("data.prefetch_factor", tr("Prefetch factor"), tr("batches of each worker"));
        under(Step::Training, tr("Steps and batch"));
        add("training.steps", tr("Steps"), tr("optimizer updates"));
        add("training.batch_size", tr("Batch"), tr("sequences per rank and micro-batch"));
        add("training.gradient_accumulation_steps", tr("Accumulation"), tr("micro-batches of one update"));
        add("training.global_batch_size", tr("Global batch"),
            tr("sequences of one update on all ranks, whatever their number; 0: not fixed"));
        add("training.auto_find_batch_size", tr("Find the batch"),
            tr("halves the batch when memory runs out and doubles the accumulation"));
        under(Step::Training, tr("Learning rate"));
        add("optimizer.lr", tr("Peak learning rate"));
        add("schedule.name", tr("Schedule"), tr("after the warm-up"));
        add("schedule.warmup_steps", tr("Warm-up"), tr("steps in which the rate rises from 0"));
        add("schedule.min_lr_ratio", tr("Final rate"), tr("at the end, as a fraction of the peak"));
        add("training.max_grad_norm", tr("Clip gradients at"), tr("norm; 0: never"));
        under(Step::Training, tr("Details"));
        more("schedule.decay_steps", tr("Decay ends"), tr("at this step; 0: at the last"));
        more("schedule.arguments", tr("Schedule arguments"),
             tr("of schedules of transformers and torch, e.g. {num_cycles: 2}"), Width::Long);
        more("optimizer.name", tr("Optimizer"));
        more("optimizer.arguments", tr("Optimizer arguments"), tr("further ones, e.g. {momentum: 0.9, nesterov: true}"),
             Width::Long);
        more("optimizer.groups", tr("Parameter groups"),
             tr("by patterns of names, e.g. {\"*.wte.weight\": {lr: 1e-4}}"), Width::Long);
        more("optimizer.betas", tr("Betas"), tr("decay rates of the two moments"));
        more("optimizer.eps", tr("Epsilon"));
        more("optimizer.weight_decay", tr("Weight decay"));
        more("optimizer.decay_all", tr("Decay all"), tr("biases and norms too"));
        more("training.activation_checkpointing", tr("Recompute activations"),
             tr("selective: less memory for little time; full: least memory, steps take a third longer"));
        more("training.cuda_graph", tr("CUDA graph"), tr("forward and backward passes are captured once and replayed"));
        more("training.ema_decay", tr("Average of weights"), tr("share of the old average, e.g. 0.999; 0: none"));
        more("training.swa_start", tr("SWA from step"), tr("average of all weights from this step on; 0: none"));
        more("training.swa_freq", tr("SWA every"), tr("steps"));
        more("training.swa_lr", tr("SWA rate"), tr("learning rate of the average; 0: as scheduled"));
        more("training.swa_anneal_steps", tr("SWA annealing"), tr("steps until the SWA rate is reached"));
        more("training.swa_anneal_strategy", tr("SWA annealing curve"), tr("shape of the change to the SWA rate"));
        more("training.local_sgd_steps", tr("Local SGD"),
             tr("steps between two averages of the ranks' weights; 0: off"));
        more("training.loss_scale", tr("Loss scale"), tr("with fp16: at the start"));
        more("training.loss_scale_window", tr("Loss scale doubles after"),
             tr("with fp16: consecutive steps without overflow"));
        more("training.tf32", tr("TensorFloat-32"), tr("on NVIDIA GPUs"));
        more("health.on_non_finite", tr("NaN or infinity"), tr("what to do when loss or gradients are not finite"));
        more("health.on_spike", tr("Loss spikes"), tr("what to do when the loss spikes"));
        more("health.spike_threshold", tr("Spike threshold"), tr("standard deviations above the recent losses"));
        more("health.spike_window", tr("Spike window"));
        more("health.stop_after", tr("Stop after"), tr("non-finite steps in a row; 0: never"));
        more("health.straggler_every", tr("Slow ranks"), tr("steps between two checks; 0: never"));
        more("health.divergence_every", tr("Compare weights"),
             tr("across ranks: steps between two comparisons; 0: never"));
        more("parallel.zero_stage", tr("ZeRO stage"),
             tr("sharded over the ranks: 0 nothing, 1 optimizer state, 2 also gradients, 3 also weights"));
        more("parallel.offload_optimizer_device", tr("Optimizer state"),
             tr("nvme: in files on a disk, read in parts (only with ranks on processors)"));
        more("parallel.offload_optimizer_nvme_path", tr("Folder for it"), tr("on a fast local disk"));
        more("parallel.offload_param_device", tr("Weights"),
             tr("nvme: with ZeRO stage 3, in files on a disk, read for one layer at a time (only with ranks on "
                "processors)"));
        more("parallel.offload_param_nvme_path", tr("Folder for weights"), tr("on a fast local disk"));
        more("parallel.zero_hpz_partition_size", tr("Ranks of a second copy"),
             tr("with ZeRO stage 3: ranks, such as those of a host, that gather weights among themselves; 1: off"));
        more("parallel.zero_quantized_weights", tr("Send weights in 8 bits"), tr("with ZeRO stage 3; less exact"));
        more("parallel.zero_quantized_gradients", tr("Send gradients in 4 bits"), tr("with ZeRO stage 3; less exact"));
        more("parallel.cpu_ram_efficient_loading", tr("First rank reads weights"),
             tr("rank 0 reads the files and sends the weights to the other ranks"));
        more("parallel.pp_size", tr("Pipeline stages"), tr("ranks that share the model's layers; 1: none"));
        more("parallel.dp_replicate_size", tr("Replicas"),
             tr("the product of all sizes is the number of ranks; 0: the remaining ranks"));
        more("parallel.dp_shard_size", tr("Ranks of ZeRO"),
             tr("ranks that shard the state of the ZeRO stage; 0: the remaining ranks"));
        more("parallel.tp_size", tr("Tensor parallel"), tr("ranks that share each layer"));
        more("parallel.cp_size", tr("Context parallel"), tr("ranks that share the positions of each sequence"));
        more("parallel.sp_size", tr("Sequence parallel"), tr("as context parallel; ranks also divide attention heads"));
        more("parallel.ep_size", tr("Expert parallel"), tr("ranks that divide the experts of each block"));
        more("parallel.tp_sequence_parallel", tr("Shard activations"),
             tr("tensor-parallel ranks also divide the positions between the layers: less memory"));
        more("parallel.tp_overlap_chunks", tr("Overlapped chunks"),
             tr("of sharded activations: one is sent while another is computed; 1: no overlap"));
        more("training.expert_capacity_factor", tr("Capacity of experts"),
             tr("tokens of a sample, as a multiple of an even share; 0: no limit"));
        more("parallel.cp_rotate_method", tr("Keys of other ranks"),
             tr("how ranks of context parallelism exchange them: all at once, or in a ring with less memory"));
        more("parallel.pipeline_schedule", tr("Pipeline schedule"), tr("order of forwards and backwards"));
        more("parallel.pp_stages_per_rank", tr("Stages per rank"), tr("0: what the schedule needs, one or two"));
        more("parallel.bucket_cap_mb", tr("Gradient buckets"), tr("minimum size in MiB"));
        more("parallel.first_bucket_mb", tr("First bucket"), tr("minimum size in MiB; 0: as the others"));
        more("parallel.find_unused_parameters", tr("Unused parameters"), tr("receive zero gradients; off: an error"));
        more("parallel.check_reduction", tr("Check gradients"), tr("ranks compare which parameters have gradients"));
        more("parallel.debug", tr("Check collectives"), tr("ranks compare shapes before each collective; slower"));
        more("parallel.comm_hook", tr("Compression"), tr("of gradients between ranks"));
        more("parallel.comm_wrapper", tr("Compression's format"));
        more("parallel.comm_state_option", tr("PowerSGD options"), tr("e.g. {matrix_approximation_rank: 2}"),
             Width::Long);
        under(Step::Training, tr("Numbers in fp8"));
        more("fp8.scaling", tr("Scaling"), tr("of fp8 products, with mixed precision fp8"));
        more("fp8.enable_fsdp_float8_all_gather", tr("Gather in fp8"),
             tr("with ZeRO stage 3: weights are sent as 8-bit values"));
        under(Step::Training, tr("Seed and evaluation"));
        add("training.seed", tr("Seed"), tr("start of every random number"));
        add("training.evaluate_every", tr("Evaluate every"), tr("steps; 0: only at the end"));
        add("training.evaluate_batches", tr("Evaluation batches"), tr("of one evaluation; 0: all that is held out"));
        more("training.step_function", tr("Step function of a plug-in"),
             tr("name of the function, which changes batches and may compute the loss"));
        more("training.metrics", tr("Metrics"), tr("f1, precision, recall, seqeval, perplexity, or of plug-ins"));
        more("training.entity_scheme", tr("Scheme of entities"),
             tr("with seqeval: lenient, or only entities that follow a scheme"));
        under(Step::Output, tr("Checkpoints"));
        add("checkpoint.every", tr("Save every"), tr("steps; 0: only at the end"));
        add("checkpoint.keep_last", tr("Keep"), tr("newest checkpoints; 0: all"));
        add("checkpoint.keep_best", tr("Keep best"), tr("by the metric below, besides the last"));
        add("checkpoint.keep_every", tr("Keep every"), tr("steps, in addition to the newest; 0: off"));
        add("checkpoint.best_metric", tr("Best by"), tr("metric that ranks the checkpoints"));
        add("checkpoint.best_mode", tr("Best is"), tr("the lowest or the highest value"));
        add("checkpoint.export_dtype", tr("Type of exports"), tr("auto: the type of the weights it starts from"));
        add("checkpoint.async", tr("In the background"), tr("training continues while files are written"));
        add("checkpoint.resume_from", tr("Resume from"),
            tr("checkpoint or run folder; empty: start from the beginning"), Width::Long);
        under(Step::Output, tr("Curves"));
        add("logging.every", tr("Log metrics every"), tr("steps"));
        add("logging.histograms_every", tr("Histograms every"), tr("steps; 0: none"));
        add("logging.trackers", tr("Trackers"), tr("besides the run's own: mlflow, wandb, csv, …"), Width::Long);
        more("logging.tracker_arguments", tr("Tracker arguments"), tr("e.g. {mlflow: {run_name: first}}"), Width::Long);
        under(Step::Output, tr("Samples of the model"));
        add("generation.every", tr("Write every"), tr("steps; 0: none"));
        add("generation.prompts", tr("Prompts"), tr("what samples begin with; several as [\"one\", \"two\"]"),
            Width::Long);
        add("generation.max_new_tokens", tr("Length"), tr("maximum number of new tokens"));
        more("generation.do_sample", tr("Sample tokens"), tr("off: always the most likely token"));
        more("generation.temperature", tr("Temperature"), tr("below 1: likely tokens become more likely"));
        more("generation.top_k", tr("Top k"), tr("most likely tokens; 0: all"));
        more("generation.top_p", tr("Top p"), tr("total probability of the tokens to sample from"));
        under(Step::Output, tr("Profiler"));
        more("profile.active", tr("Record"), tr("steps in a row; 0: none"));
        more("profile.wait", tr("Wait"), tr("steps before each recording"));
        more("profile.warmup", tr("Warm up"), tr("steps before each recording"));
        more("profile.repeat", tr("Recordings"), tr("0: until the end"));
        more("profile.skip_first", tr("Skip first"), tr("steps at the start"));
        more("profile.activities", tr("Activities"), tr("cpu, cuda; empty: all"));
        more("profile.record_shapes", tr("Shapes"), tr("of the inputs of operators"));
        more("profile.profile_memory", tr("Memory"), tr("every allocation"));
        more("profile.with_flops", tr("FLOPs"), tr("of matrix products and convolutions"));
        more("profile.output_trace_dir", tr("Trace folder"), tr("empty: traces of the run's folder"), Width::Long);
        addNewKeys(all);
        return all;
    });
}

const RecipeRow* findRecipeRow(const QString& key) {
    for (const RecipeRow& row : recipeRows())
        if (row.key == key)
            return &row;
    return nullptr;
}

const config::RecipeKey* find_recipe_key(const QString& key) {
    const auto found = std::ranges::find(config::recipe_keys(), key.toStdString(), &config::RecipeKey::key);
    return found == config::recipe_keys().end() ? nullptr : &*found;
}

bool is_truth_key(const config::RecipeKey& key) {
    return key.type == "true or false";
}

bool is_path_key(const config::RecipeKey& key) {
    return qt(key.type).split(QStringLiteral(" | ")).last().startsWith(QLatin1String("path"));
}

QStringList recipe_options(const config::RecipeKey& key) {
    static const QStringList typed{QStringLiteral("whole number"),
                                   QStringLiteral("number"),
                                   QStringLiteral("text"),
                                   QStringLiteral("true or false"),
                                   QStringLiteral("word or list of words"),
                                   QStringLiteral("table of keys"),
                                   QStringLiteral("table or list"),
                                   QStringLiteral("list of two numbers")};
    const QString type = qt(key.type);
    if (typed.contains(type))
        return {};
    QStringList options = type.split(QStringLiteral(" | "));
    if (is_path_key(key))
        options.removeLast();
    return options;
}

}  // namespace trainyard::desktop
