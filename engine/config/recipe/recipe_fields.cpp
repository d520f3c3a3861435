// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe_fields.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "config/recipe/metric_names.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/schedule_kinds.h"
#include "config/recipe/tracker_names.h"
#include "config/values/value_formats.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "models/spec/activation.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Curves that say how good a checkpoint is.
std::vector<std::string> best_metrics() {
    std::vector<std::string> names{"eval/loss", "eval/loss_average", "eval/accuracy"};
    for (const ClassMetric& metric : class_metrics())
        names.push_back("eval/" + metric.name);
    for (const std::string& curve : seqeval_curves())
        names.push_back("eval/" + curve);
    for (const char* curve : {kMeanIou, kMeanAccuracy})
        names.push_back(std::string("eval/") + curve);
    for (const char* name :
         {"eval/perplexity", "eval/contrastive_loss", "eval/codevector_perplexity", "eval/exact_match", "eval/spearman",
          "train/loss", "train/grad_norm", "train/lr", "train/loss_scale", "train/tokens_per_s", "train/step_time_s"})
        names.emplace_back(name);
    return names;
}

constexpr Range at_least(double least) {
    return {.least = least};
}
constexpr Range between(double least, double most) {
    return {.least = least, .most = most};
}
constexpr Range positive(double most) {
    return {.least = 0, .most = most, .above = true};
}
constexpr Range from_zero_below(double most) {
    return {.least = 0, .most = most, .below = true};
}

// Bounds that no machine reaches, so that products of sizes cannot overflow.
constexpr double kMostSteps = 1e12;
constexpr double kMostWidth = 1 << 20;

std::string number(double value) {
    return std::floor(value) == value && std::fabs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                 : fmt::format("{}", value);
}

bool is_word(const std::string& text) {
    static const char* const taken[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    if (text.empty() || !std::isalpha(static_cast<unsigned char>(text[0])))
        return false;
    std::string lower;
    for (char c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-')
            return false;
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    for (const char* word : taken)
        if (lower == word)
            return false;
    return true;
}

std::string written_text(const std::string& text, bool path) {
    if (!path)
        return is_word(text) ? text : flow_text(Value(text));
    std::string escaped;  // `$` begins a variable when the file is read again
    for (char c : text)
        escaped += c == '$' ? "$$" : std::string(1, c);
    return flow_text(Value(escaped));
}

std::vector<std::string> tracker_names() {
#define TRAINYARD_TRACKER_NAME(NAME) #NAME,
    return {TRAINYARD_TRACKERS(TRAINYARD_TRACKER_NAME)};
#undef TRAINYARD_TRACKER_NAME
}

// clang-format off
const std::vector<Field>& table() {
    static const std::vector<Field> fields{
        {"", "name", [](Recipe& r) -> Target { return &r.name; }, "Name of the run; part of its folder's name."},
        {"", "plugins", [](Recipe& r) -> Target { return &r.plugins; },
         "Plug-ins: shared libraries with models, data sets, losses, steps, metrics and trackers of one's own; one "
         "path or a list. They run with the rights of the run: only libraries that are trusted.", {}, {}, true},

        {"model", "model_type", [](Recipe& r) -> Target { return &r.model.model_type; },
         "Architecture.", {}, families::model_types()},
        {"model", "vocab_size", [](Recipe& r) -> Target { return &r.model.vocab_size; },
         "Number of different tokens; 256 for bytes.", between(1, 1 << 24)},
        {"model", "n_positions", [](Recipe& r) -> Target { return &r.model.n_positions; },
         "Longest sequence the model can take, in tokens.", between(1, 1 << 24)},
        {"model", "n_embd", [](Recipe& r) -> Target { return &r.model.n_embd; },
         "Width of the hidden states; a multiple of n_head.", between(1, kMostWidth)},
        {"model", "n_layer", [](Recipe& r) -> Target { return &r.model.n_layer; },
         "Number of transformer blocks.", between(1, 4096)},
        {"model", "n_head", [](Recipe& r) -> Target { return &r.model.n_head; },
         "Attention heads of each block.", between(1, 4096)},
        {"model", "n_inner", [](Recipe& r) -> Target { return &r.model.n_inner; },
         "Width inside the feed-forward layers; 0 means 4 * n_embd.", between(0, 4 * kMostWidth)},
        {"model", "activation_function", [](Recipe& r) -> Target { return &r.model.activation_function; },
         "Function between the feed-forward layers, by its name in transformers.", {}, families::activation_names()},
        {"model", "resid_pdrop", [](Recipe& r) -> Target { return &r.model.resid_pdrop; },
         "Dropout behind attention and feed-forward.", from_zero_below(1)},
        {"model", "embd_pdrop", [](Recipe& r) -> Target { return &r.model.embd_pdrop; },
         "Dropout of the embeddings.", from_zero_below(1)},
        {"model", "attn_pdrop", [](Recipe& r) -> Target { return &r.model.attn_pdrop; },
         "Dropout of the attention weights.", from_zero_below(1)},
        {"model", "layer_norm_epsilon", [](Recipe& r) -> Target { return &r.model.layer_norm_epsilon; },
         "Added to the variance in layer norms.", positive(1)},
        {"model", "initializer_range", [](Recipe& r) -> Target { return &r.model.initializer_range; },
         "Standard deviation of the initial weights.", positive(10)},
        {"model", "scale_attn_weights", [](Recipe& r) -> Target { return &r.model.scale_attn_weights; },
         "Divide attention scores by the square root of the width of a head."},
        {"model", "scale_attn_by_inverse_layer_idx",
         [](Recipe& r) -> Target { return &r.model.scale_attn_by_inverse_layer_idx; },
         "Divide attention scores by the number of the block, from 1 on, too."},
        {"model", "reorder_and_upcast_attn", [](Recipe& r) -> Target { return &r.model.reorder_and_upcast_attn; },
         "Attention scores in fp32 under mixed precision, also where dropout or masks need the plain formula."},
        {"model", "add_cross_attention", [](Recipe& r) -> Target { return &r.model.add_cross_attention; },
         "Blocks that attend to an encoder, too; refused, since no data has one."},
        {"model", "tie_word_embeddings", [](Recipe& r) -> Target { return &r.model.tie_word_embeddings; },
         "The output layer uses the table of the token embedding; no: it has weights of its own, lm_head."},
        {"model", "bos_token_id", [](Recipe& r) -> Target { return &r.model.bos_token_id; },
         "Token that begins a text, for config.json; -1: none.", between(-1, 1 << 24)},
        {"model", "eos_token_id", [](Recipe& r) -> Target { return &r.model.eos_token_id; },
         "Token that ends a text, for config.json; -1: none.", between(-1, 1 << 24)},
        {"model", "pad_token_id", [](Recipe& r) -> Target { return &r.model.pad_token_id; },
         "Token that fills samples up, for config.json; -1: none.", between(-1, 1 << 24)},
        {"model", "task", [](Recipe& r) -> Target { return &r.model.task; },
         "Task that the model is trained for; if left out, the first task of its family.", {}, families::task_names()},
        {"model", "script", [](Recipe& r) -> Target { return &r.model.script; },
         "With torchscript: the file that torch.jit.save wrote. Its code runs in the run: only files that are trusted.",
         {}, {}, true},
        {"model", "device_map", [](Recipe& r) -> Target { return &r.model.device_map; },
         "Where the weights that are not trained lie: disk, or auto for what max_memory does not hold, is read from "
         "the files of model.weights while the block before computes; or a JSON file with a map as Accelerate's. "
         "Empty: all in memory.", {}, {"auto", "balanced", "balanced_low_0", "sequential", "cpu", "disk"}, true},
        {"model", "max_memory", [](Recipe& r) -> Target { return &r.model.max_memory; },
         "Memory limit for weights that are not trained, with an automatic device map (auto, balanced, balanced_low_0, "
         "sequential): cpu=2GB; one word or a list. Empty: the free memory."},
        {"model", "loss", [](Recipe& r) -> Target { return &r.model.loss; },
         "Loss: multiple_negatives_ranking or cosine_similarity with sentence_embedding, else one of a plug-in; empty: "
         "that of the task."},
        {"model", "weights", [](Recipe& r) -> Target { return &r.model.weights; },
         "File or folder of weights to start from: safetensors or torch.save files, in shards or not, or a distributed "
         "checkpoint; or a model of the hub: org/name, hub:org/name@REVISION. A config.json beside them says what the "
         "recipe leaves out. Empty: random weights.", {}, {}, true, {}, HubNames::models},
        {"model", "freeze", [](Recipe& r) -> Target { return &r.model.freeze; },
         "Parameters that stay as they start: patterns of their names, e.g. transformer.wte.* or "
         "transformer.h.[0-3].*."},

        {"lora", "r", [](Recipe& r) -> Target { return &r.model.lora.r; },
         "Rank of adapters (LoRA) that are trained instead of the model, whose weights do not change; 0: none.",
         between(0, 4096)},
        {"lora", "lora_alpha", [](Recipe& r) -> Target { return &r.model.lora.lora_alpha; },
         "An adapter's output is scaled by lora_alpha / r.", positive(1e6)},
        {"lora", "use_rslora", [](Recipe& r) -> Target { return &r.model.lora.use_rslora; },
         "An adapter's output is scaled by lora_alpha / sqrt(r), which larger ranks need."},
        {"lora", "target_modules", [](Recipe& r) -> Target { return &r.model.lora.target_modules; },
         "Modules that get an adapter, by the end of their names, e.g. [c_attn, c_proj], or by a regular expression of "
         "whole names, e.g. .*h\\.[0-3]\\.attn.*; all-linear: all but the head and experts."},
        {"lora", "target_parameters", [](Recipe& r) -> Target { return &r.model.lora.target_parameters; },
         "Parameters that get an adapter beside those modules, by the end of their names in transformers: "
         "[mlp.experts.gate_up_proj, mlp.experts.down_proj] are the experts of Mixtral; with target_modules: [] they "
         "alone."},
        {"lora", "modules_to_save", [](Recipe& r) -> Target { return &r.model.lora.modules_to_save; },
         "Modules that are trained whole and saved with the adapter, by the last part of their names. The head of a "
         "classification always is."},
        {"lora", "adapter", [](Recipe& r) -> Target { return &r.model.lora.adapter; },
         "Adapter of PEFT's layout to start from, a folder with adapter_model.safetensors; empty: a fresh one.", {}, {},
         true, {}, HubNames::models},

        {"quantization", "method", [](Recipe& r) -> Target { return &r.model.quantization.method; },
         "Number format of the matrices beside adapters (lora.r), which stay in it in memory: nf4, fp4 or int8 as "
         "bitsandbytes has them; float8_e4m3fn or float8_e5m2, cast for each product (layer-wise casting); auto: that "
         "of model.weights; no: as other weights."},
        {"quantization", "bnb_4bit_use_double_quant",
         [](Recipe& r) -> Target { return &r.model.quantization.bnb_4bit_use_double_quant; },
         "With nf4 and fp4: the magnitudes of blocks are quantized, too, which saves 0.37 bits a weight."},
        {"quantization", "bnb_4bit_compute_dtype",
         [](Recipe& r) -> Target { return &r.model.quantization.bnb_4bit_compute_dtype; },
         "With 4-bit weights: number format of products; auto: that of the quantization_config of model.weights, else "
         "that of training.mixed_precision."},
        {"quantization", "llm_int8_threshold",
         [](Recipe& r) -> Target { return &r.model.quantization.llm_int8_threshold; },
         "With int8, in evaluation: columns of inputs with an element of at least this magnitude are multiplied in "
         "full precision; 0: none.",
         between(0, 1e6)},
        {"quantization", "skip_modules", [](Recipe& r) -> Target { return &r.model.quantization.skip_modules; },
         "Modules that stay as they are, by their last or whole name, besides the head."},
        {"quantization", "keep_in_fp32_modules",
         [](Recipe& r) -> Target { return &r.model.quantization.keep_in_fp32_modules; },
         "Modules that stay and multiply in fp32, by their last or whole name, as skip_modules."},

        {"data", "format", [](Recipe& r) -> Target { return &r.data.format; },
         "How the files are read; bytes: one token per byte of the whole text; text: lines; others by their columns."},
        {"data", "column", [](Recipe& r) -> Target { return &r.data.column; },
         "Column to train on: text or whole numbers (tokens); empty: the only one, or text, content, input_ids, "
         "tokens."},
        {"data", "second_column", [](Recipe& r) -> Target { return &r.data.second_column; },
         "With sequence_classification: column of the second text of a pair; empty: there is one text. With "
         "sentence_embedding: that of the similar text; empty: sentence2, positive, ... With "
         "question_answering: that of the texts with the answers; empty: context. With multiple_choice: that "
         "of the beginnings of the choices; empty: sent2, or none."},
        {"data", "label_column", [](Recipe& r) -> Target { return &r.data.label_column; },
         "With classification: column of the classes, by number or by their names in model.id2label; empty: "
         "label, labels, class, target, tags or ner_tags. With cosine_similarity: how similar two texts are. "
         "With question_answering: the answers, as SQuAD has them; empty: answers. With multiple_choice: the "
         "number of the right choice; empty: label."},
        {"data", "target_column", [](Recipe& r) -> Target { return &r.data.target_column; },
         "With seq2seq_lm: column of the text to be written; empty: summary, target, highlights or answer."},
        {"data", "target_length", [](Recipe& r) -> Target { return &r.data.target_length; },
         "With seq2seq_lm: tokens of the text to be written.", between(1, 1 << 20)},
        {"data", "mlm_probability", [](Recipe& r) -> Target { return &r.data.mlm_probability; },
         "With masked_lm: share of the tokens that are to be found.", positive(1)},
        {"data", "doc_stride", [](Recipe& r) -> Target { return &r.data.doc_stride; },
         "With question_answering: tokens that two neighbouring parts of a text share, where the text is "
         "longer than a sample; left out: 128, or a third of a shorter sample.", between(0, 1 << 20)},
        {"data", "max_answer_length", [](Recipe& r) -> Target { return &r.data.max_answer_length; },
         "With question_answering: tokens of the longest answer that is given.", between(1, 1 << 20)},
        {"data", "n_best_size", [](Recipe& r) -> Target { return &r.data.n_best_size; },
         "With question_answering: likeliest beginnings and ends of an answer of which all pairs are compared.",
         between(1, 1 << 20)},
        {"data", "choice_columns", [](Recipe& r) -> Target { return &r.data.choice_columns; },
         "With multiple_choice: columns of the texts to choose from; empty: ending0, ending1, ... as SWAG has "
         "them."},
        {"data", "label_pattern", [](Recipe& r) -> Target { return &r.data.label_pattern; },
         "With images: regular expression that finds the class in the name of a file, by its first group or as "
         "a whole, e.g. ^(.*)_\\d+\\.jpg$; empty: the sub-folders are the classes."},
        {"data", "image_size", [](Recipe& r) -> Target { return &r.data.image_size; },
         "With images: height and width that they are resized to; 0: what preprocessor_config.json says, or "
         "the model.", between(0, 1 << 14)},
        {"data", "mask_path", [](Recipe& r) -> Target { return &r.data.mask_path; },
         "With semantic_segmentation: folder of the masks, images whose grey values or palette numbers are the "
         "classes of the pixels. An image and its mask have one name, up to the ending.", {}, {}, true},
        {"data", "reduce_labels", [](Recipe& r) -> Target { return &r.data.reduce_labels; },
         "With semantic_segmentation: value 0 of a mask is not counted, and value 1 is class 0, as in ADE20K; so it "
         "is, too, where preprocessor_config.json says do_reduce_labels."},
        {"data", "image_mean", [](Recipe& r) -> Target { return Json{&r.data.image_mean}; },
         "With images: mean of each channel, subtracted from values of 0 to 1; empty: that of "
         "preprocessor_config.json, or 0.5."},
        {"data", "image_std", [](Recipe& r) -> Target { return Json{&r.data.image_std}; },
         "With images: deviation of each channel, which they are divided by then; empty: that of "
         "preprocessor_config.json, or 0.5."},
        {"data", "random_resized_crop", [](Recipe& r) -> Target { return &r.data.random_resized_crop; },
         "With images, in training: a random part of each image, of at least this share of its area, is "
         "resized to the model's size; usual is 0.08; 0: the whole image.", between(0, 1)},
        {"data", "random_horizontal_flip", [](Recipe& r) -> Target { return &r.data.random_horizontal_flip; },
         "With images, in training: share of the images that are mirrored left to right.", between(0, 1)},
        {"data", "sampling_rate", [](Recipe& r) -> Target { return &r.data.sampling_rate; },
         "With audio: samples a second of all recordings; 0: what preprocessor_config.json says, or 16000.",
         between(0, 1e7)},
        {"data", "min_duration_in_seconds", [](Recipe& r) -> Target { return &r.data.min_duration_in_seconds; },
         "With audio: shorter recordings are not used.", between(0, 1e5)},
        {"data", "max_duration_in_seconds", [](Recipe& r) -> Target { return &r.data.max_duration_in_seconds; },
         "With audio: of longer recordings only the beginning is used.", positive(1e5)},
        {"data", "chat", [](Recipe& r) -> Target { return &r.data.chat; },
         "The column holds conversations (lists of role and content), of which only replies of the assistant are "
         "learnt. tokenizer: written by the chat template of the tokenizer; chatml: as ChatML; auto: by the template "
         "if there is one, else as ChatML."},
        {"data", "plugin", [](Recipe& r) -> Target { return &r.data.plugin; },
         "Name of a plug-in's data set to use instead of files; empty: files are read."},
        {"data", "arguments", [](Recipe& r) -> Target { return Json{&r.data.arguments}; },
         "What the plug-in makes its data set with: a table."},
        {"data", "tokenizer", [](Recipe& r) -> Target { return &r.data.tokenizer; },
         "Makes tokens of text: a tokenizer.json of Hugging Face's format, or a folder that has one; empty: a token "
         "per byte.", {}, {}, true, {}, HubNames::models},
        {"data", "pack", [](Recipe& r) -> Target { return &r.data.pack; },
         "Documents one behind the other; no: one a sample, cut off or filled up with what is not counted."},
        {"data", "path", [](Recipe& r) -> Target { return &r.data.paths; },
         "Text files or folders to train on; one path or a list. ~ and $NAME are replaced. Or Parquet files of a data "
         "set of the hub: hub:org/name, with @REVISION, /CONFIG and :SPLIT (train).", {}, {}, true, "paths",
         HubNames::data_sets},
        {"data", "pattern", [](Recipe& r) -> Target { return &r.data.pattern; },
         "Which files of a folder are taken, e.g. *.pod."},
        {"data", "sequence_length", [](Recipe& r) -> Target { return &r.data.sequence_length; },
         "Tokens of one sample; at most model.n_positions. 1 for images and audio.", between(1, 1 << 24)},
        {"data", "validation_fraction", [](Recipe& r) -> Target { return &r.data.validation_fraction; },
         "Share of the text, at its end, that is kept for evaluation.", from_zero_below(1)},
        {"data", "shuffle", [](Recipe& r) -> Target { return &r.data.shuffle; },
         "Draw samples in random order, another one in each epoch."},
        {"data", "on_corrupt", [](Recipe& r) -> Target { return &r.data.on_corrupt; },
         "What cannot be read: stop, naming the file and the line; skip records of tables, counted; keep bytes that "
         "are not UTF-8 (format bytes)."},
        {"data", "split_batches", [](Recipe& r) -> Target { return &r.data.split_batches; },
         "training.batch_size is that of all ranks together, which share each batch."},
        {"data", "dispatch_batches", [](Recipe& r) -> Target { return &r.data.dispatch_batches; },
         "Rank 0 alone reads the data, and sends every rank its samples."},
        {"data", "even_batches", [](Recipe& r) -> Target { return &r.data.even_batches; },
         "Every rank has full batches at the end of an epoch, too; no: its last step has the samples that are left, "
         "and ranks without any take part without a loss."},
        {"data", "join_epochs", [](Recipe& r) -> Target { return &r.data.join_epochs; },
         "With even_batches: the last batches of an epoch are completed with the first samples of the next one; no: "
         "with its own first samples, as Accelerate does."},
        {"data", "num_workers", [](Recipe& r) -> Target { return &r.data.num_workers; },
         "Threads of each rank that read batches ahead; 0: a batch is read when it is needed.", between(0, 256), {},
         false, "workers"},
        {"data", "prefetch_factor", [](Recipe& r) -> Target { return &r.data.prefetch_factor; },
         "Batches that each of these threads reads ahead.", between(1, 1 << 16)},

        {"optimizer", "name", [](Recipe& r) -> Target { return &r.optimizer.name; },
         "Optimizer; names of torch and transformers, too.", {}, optimizer_names()},
        {"optimizer", "lr", [](Recipe& r) -> Target { return &r.optimizer.lr; },
         "Highest learning rate.", positive(100)},
        {"optimizer", "betas", [](Recipe& r) -> Target { return Betas{&r.optimizer.beta1, &r.optimizer.beta2}; },
         "Decay rates of the two moments of the optimizers that have them.", from_zero_below(1)},
        {"optimizer", "eps", [](Recipe& r) -> Target { return &r.optimizer.eps; },
         "Added to the denominator of the optimizers that have one.", between(0, 1)},
        {"optimizer", "weight_decay", [](Recipe& r) -> Target { return &r.optimizer.weight_decay; },
         "Weight decay, the way the optimizer has it: decoupled with adamw, a part of the gradient with sgd.",
         between(0, 100)},
        {"optimizer", "decay_all", [](Recipe& r) -> Target { return &r.optimizer.decay_all; },
         "Decay biases and norms too, as PyTorch's AdamW does."},
        {"optimizer", "arguments", [](Recipe& r) -> Target { return Table{&r.optimizer.arguments}; },
         "Further arguments of the optimizer, e.g. {momentum: 0.9, nesterov: true}; names as in torch."},
        {"optimizer", "groups", [](Recipe& r) -> Target { return Table{&r.optimizer.groups}; },
         "Settings of parameters by patterns of their names, the first that fits; e.g. {\"*.wte.weight\": {lr: 1e-4, "
         "weight_decay: 0}, \"*.bias\": {name: adamw}}. lr is the highest rate there, of the same course."},

        {"schedule", "name", [](Recipe& r) -> Target { return &r.schedule.name; },
         "Course of the learning rate behind the warm-up; names of transformers and torch, too.", {}, schedule_names()},
        {"schedule", "warmup_steps", [](Recipe& r) -> Target { return &r.schedule.warmup_steps; },
         "Steps over which the learning rate rises from 0.", between(0, kMostSteps)},
        {"schedule", "min_lr_ratio", [](Recipe& r) -> Target { return &r.schedule.min_lr_ratio; },
         "Learning rate at the end of the decay, as a share of optimizer.lr.", between(0, 1)},
        {"schedule", "decay_steps", [](Recipe& r) -> Target { return &r.schedule.decay_steps; },
         "Step at which the decay ends; 0 means training.steps.", between(0, kMostSteps)},
        {"schedule", "arguments", [](Recipe& r) -> Target { return Table{&r.schedule.arguments}; },
         "Arguments of the named schedule, e.g. {num_cycles: 2}; names as in transformers and torch."},

        {"training", "steps", [](Recipe& r) -> Target { return &r.training.steps; },
         "Optimizer updates.", between(1, kMostSteps)},
        {"training", "batch_size", [](Recipe& r) -> Target { return &r.training.batch_size; },
         "Samples per rank and micro-step.", between(1, 1 << 20)},
        {"training", "gradient_accumulation_steps",
         [](Recipe& r) -> Target { return &r.training.gradient_accumulation_steps; },
         "Micro-steps whose gradients make one update.", between(1, 1 << 20)},
        {"training", "global_batch_size", [](Recipe& r) -> Target { return &r.training.global_batch_size; },
         "Samples of one update on all ranks together, whatever their number: batch_size is the most of a micro-step "
         "then; 0: batch_size * gradient_accumulation_steps * ranks.", between(0, 1 << 30)},
        {"training", "auto_find_batch_size", [](Recipe& r) -> Target { return &r.training.auto_find_batch_size; },
         "A micro-step that runs out of memory: all ranks start again with half of batch_size, and accumulate more "
         "micro-steps, so that an update has as many samples as before."},
        {"training", "max_grad_norm", [](Recipe& r) -> Target { return &r.training.max_grad_norm; },
         "Gradients are scaled down to this norm; 0: never.", at_least(0)},
        {"training", "mixed_precision", [](Recipe& r) -> Target { return &r.training.mixed_precision; },
         "Arithmetic of the matrix products; fp16 scales the loss; fp8 has its own section."},
        {"training", "loss_scale", [](Recipe& r) -> Target { return &r.training.loss_scale; },
         "With fp16: factor of the loss at the start; it is halved after a step that overflows.", positive(1e30)},
        {"training", "loss_scale_window", [](Recipe& r) -> Target { return &r.training.loss_scale_window; },
         "With fp16: good steps in a row after which the loss scale doubles.", between(1, kMostSteps)},
        {"training", "tf32", [](Recipe& r) -> Target { return &r.training.tf32; },
         "TensorFloat-32 in products of fp32 numbers on NVIDIA GPUs."},
        {"training", "activation_checkpointing",
         [](Recipe& r) -> Target { return &r.training.activation_checkpointing; },
         "What of each block is computed again in backward: less memory for more time, the same curve. full: all, from "
         "its input, for a third more time; selective: all but the outputs of its products and of its attention, for "
         "a few per cent; yes is full.", {}, {}, false, {}, HubNames::none, "full"},
        {"training", "cuda_graph", [](Recipe& r) -> Target { return &r.training.cuda_graph; },
         "Capture forward and backward of a step as a CUDA graph after the first steps and replay it: less time on the "
         "host for small models and batches, the same curve. On NVIDIA GPUs."},
        {"training", "expert_capacity_factor", [](Recipe& r) -> Target { return &r.training.expert_capacity_factor; },
         "Limit of the tokens of a sample that an expert computes in training, as a multiple of an even share; later "
         "tokens skip that expert. 0: no limit.",
         between(0, 1 << 20)},
        {"training", "ema_decay", [](Recipe& r) -> Target { return &r.training.ema_decay; },
         "Keeps an average of the weights, evaluated and saved beside them: share of the old average in each step, "
         "e.g. 0.999; 0: none.", from_zero_below(1)},
        {"training", "swa_start", [](Recipe& r) -> Target { return &r.training.swa_start; },
         "Stochastic weight averaging: the weights from this step on are averaged, all alike, evaluated and saved "
         "beside the plain ones; 0: never.", between(0, kMostSteps)},
        {"training", "swa_freq", [](Recipe& r) -> Target { return &r.training.swa_freq; },
         "Steps between two weights that count in this average.", between(1, kMostSteps)},
        {"training", "swa_lr", [](Recipe& r) -> Target { return &r.training.swa_lr; },
         "Learning rate from swa_start on; 0: the schedule continues.", between(0, 100)},
        {"training", "swa_anneal_steps", [](Recipe& r) -> Target { return &r.training.swa_anneal_steps; },
         "Steps over which the learning rate goes from the schedule's to swa_lr.", between(0, kMostSteps)},
        {"training", "swa_anneal_strategy", [](Recipe& r) -> Target { return &r.training.swa_anneal_strategy; },
         "Course of the learning rate on its way to swa_lr."},
        {"training", "local_sgd_steps", [](Recipe& r) -> Target { return &r.training.local_sgd_steps; },
         "Local SGD: every rank updates with its own gradients, and so often the ranks average their weights; 0: "
         "gradients are averaged in every step.", between(0, kMostSteps)},
        {"training", "seed", [](Recipe& r) -> Target { return &r.training.seed; },
         "Start of every random number of the run."},
        {"training", "evaluate_every", [](Recipe& r) -> Target { return &r.training.evaluate_every; },
         "Steps between evaluations; 0: only at the end.", between(0, kMostSteps)},
        {"training", "evaluate_batches", [](Recipe& r) -> Target { return &r.training.evaluate_batches; },
         "Batches of one evaluation; 0: the whole held-out part.", between(0, kMostSteps)},
        {"training", "step_function", [](Recipe& r) -> Target { return &r.training.step_function; },
         "Step of a plug-in: changes every batch before the model reads it, and may have a loss that sees all of the "
         "batch; empty: none."},
        {"training", "metrics", [](Recipe& r) -> Target { return &r.training.metrics; },
         "Metrics that every evaluation computes besides those of the task; one name or a list. Of "
         "classification: f1, precision and recall, with _macro, _micro or _weighted for an average over the "
         "classes; of token_classification: seqeval, the same figures of entities; of language models: perplexity; or "
         "those of plug-ins."},
        {"training", "entity_scheme", [](Recipe& r) -> Target { return &r.training.entity_scheme; },
         "With the metric seqeval: how the classes mark entities; lenient: any of IOB1, IOB2 (BIO), IOE1, IOE2 and "
         "IOBES, as conlleval counts them; a scheme: only entities that follow it."},

        {"fp8", "scaling", [](Recipe& r) -> Target { return &r.fp8.scaling; },
         "With training.mixed_precision fp8: scales from earlier steps (delayed, as Transformer Engine), from each "
         "tensor or row (tensorwise, rowwise, rowwise_with_gw_hp, as torchao), or from blocks of 32 (mxfp8)."},
        {"fp8", "fp8_format", [](Recipe& r) -> Target { return &r.fp8.fp8_format; },
         "With delayed and mxfp8: HYBRID has E4M3 for inputs and weights and E5M2 for gradients, E4M3 is for all."},
        {"fp8", "margin", [](Recipe& r) -> Target { return &r.fp8.margin; },
         "With delayed: scales are divided by 2^margin.", between(0, 64)},
        {"fp8", "interval", [](Recipe& r) -> Target { return &r.fp8.interval; },
         "With delayed: steps from one computation of the scales to the next.", between(1, 1 << 20)},
        {"fp8", "amax_history_len", [](Recipe& r) -> Target { return &r.fp8.amax_history_len; },
         "With delayed: steps whose largest magnitudes count.", between(1, 1 << 16)},
        {"fp8", "amax_compute_algo", [](Recipe& r) -> Target { return &r.fp8.amax_compute_algo; },
         "With delayed: the largest magnitude of these steps (max), or that of the last one (most_recent)."},
        {"fp8", "full_precision", [](Recipe& r) -> Target { return &r.fp8.full_precision; },
         "With delayed: products that are not computed in fp8: fprop, dgrad (gradient of inputs), wgrad (gradient of "
         "weights); one word or a list.", {}, {"fprop", "dgrad", "wgrad"}},
        {"fp8", "enable_fsdp_float8_all_gather",
         [](Recipe& r) -> Target { return &r.fp8.enable_fsdp_float8_all_gather; },
         "With tensorwise and parallel.zero_stage 3: weights of layers in fp8 are gathered as 8-bit values with a "
         "scale for each, as torchao does; half the bytes of bf16, with the same results."},

        {"health", "on_non_finite", [](Recipe& r) -> Target { return &r.health.on_non_finite; },
         "What to do when loss or gradients are not finite; rollback: back to the last good checkpoint, without the "
         "batches since."},
        {"health", "on_spike", [](Recipe& r) -> Target { return &r.health.on_spike; },
         "What to do when the loss jumps; rollback: back to the last good checkpoint, without the batches since."},
        {"health", "spike_threshold", [](Recipe& r) -> Target { return &r.health.spike_threshold; },
         "A spike lies so many robust deviations above the median of the newest losses.", positive(1e6)},
        {"health", "spike_window", [](Recipe& r) -> Target { return &r.health.spike_window; },
         "Losses that a new one is compared with.", between(8, 1 << 20)},
        {"health", "stop_after", [](Recipe& r) -> Target { return &r.health.stop_after; },
         "Non-finite steps in a row that end the run; 0: never.", between(0, kMostSteps)},
        {"health", "straggler_every", [](Recipe& r) -> Target { return &r.health.straggler_every; },
         "Steps after which the ranks' own times are compared; 0: never.", between(0, kMostSteps)},
        {"health", "divergence_every", [](Recipe& r) -> Target { return &r.health.divergence_every; },
         "Steps after which the ranks' weights are compared, bit by bit; 0: never.", between(0, kMostSteps)},

        {"parallel", "pp_size", [](Recipe& r) -> Target { return &r.parallel.pp_size; },
         "Ranks of a pipeline, which the model's blocks are divided among; the ranks are so many pipelines as this "
         "divides them into. Micro-batches are training.gradient_accumulation_steps.", between(1, 4096)},
        {"parallel", "pp_stages_per_rank", [](Recipe& r) -> Target { return &r.parallel.pp_stages_per_rank; },
         "Pipeline stages of each rank, with a schedule that has several; 0: what the schedule needs, one or two.",
         between(0, 4096)},
        {"parallel", "dp_replicate_size", [](Recipe& r) -> Target { return &r.parallel.dp_replicate_size; },
         "Copies of the model, or of its pipeline, each on one rank or on the dp_shard_size ranks that shard it: the "
         "sizes of the mesh multiply to the number of ranks; 0: as many as the other sizes leave, one under ZeRO.",
         between(0, kMostSteps)},
        {"parallel", "dp_shard_size", [](Recipe& r) -> Target { return &r.parallel.dp_shard_size; },
         "Ranks that shard what zero_stage says; 0: as many as the other sizes leave.", between(0, kMostSteps)},
        {"parallel", "tp_size", [](Recipe& r) -> Target { return &r.parallel.tp_size; },
         "Ranks that share each layer of a decoder (tensor parallelism): attention heads, the width of feed-forward "
         "layers and the vocabulary are divided among them. Heads and that width divide by it; so do heads of keys, "
         "or it divides by them.",
         between(1, kMostSteps)},
        {"parallel", "tp_sequence_parallel", [](Recipe& r) -> Target { return &r.parallel.tp_sequence_parallel; },
         "The ranks of tp_size also share the positions between the layers (sequence parallelism as in Megatron-LM): "
         "norms, dropout and the residual stream need less memory for the same result. data.sequence_length divides by "
         "them."},
        {"parallel", "tp_overlap_chunks", [](Recipe& r) -> Target { return &r.parallel.tp_overlap_chunks; },
         "Parts of the positions that tp_sequence_parallel exchanges one after the other, while those before them are "
         "multiplied, for links that are slow beside the device; 1: all at once. Matrices in 8 or 4 bits and with "
         "adapters are not multiplied in parts.",
         between(1, 64)},
        {"parallel", "cp_size", [](Recipe& r) -> Target { return &r.parallel.cp_size; },
         "Ranks that share the positions of each sequence, every one with all heads (context parallelism). "
         "data.sequence_length divides by twice as many.", between(1, kMostSteps)},
        {"parallel", "sp_size", [](Recipe& r) -> Target { return &r.parallel.sp_size; },
         "Ranks that share the positions of each sequence, and the heads of attention (sequence parallelism as in "
         "DeepSpeed Ulysses). data.sequence_length and the heads divide by it.", between(1, kMostSteps)},
        {"parallel", "cp_rotate_method", [](Recipe& r) -> Target { return &r.parallel.cp_rotate_method; },
         "How the ranks of cp_size see the keys and values of the others: allgather, all at once; alltoall, one after "
         "the other in a ring, which needs less memory."},
        {"parallel", "ep_size", [](Recipe& r) -> Target { return &r.parallel.ep_size; },
         "Data ranks that divide the experts of each block among themselves (expert parallelism): tokens travel to the "
         "ranks whose experts they need. The experts and the data ranks divide by it.", between(1, kMostSteps)},
        {"parallel", "pipeline_schedule", [](Recipe& r) -> Target { return &r.parallel.pipeline_schedule; },
         "Order of the micro-batches' forwards and backwards. One stage on each rank: GPipe, 1F1B (keeps fewer "
         "activations), ZBH1 (is idle less). Several: Interleaved1F1B, InterleavedZeroBubble, LoopedBFS (is idle less, "
         "sends more). Two, from the first rank to the last and back: ZBVZeroBubble, DualPipeV.", {},
         pipeline::schedule_names()},
        {"parallel", "zero_stage", [](Recipe& r) -> Target { return &r.parallel.zero_stage; },
         "ZeRO stage, what the ranks shard: 0 nothing, 1 optimizer state, 2 gradients, too, 3 weights, too.",
         between(0, 3)},
        {"parallel", "reshard_after_forward", [](Recipe& r) -> Target { return &r.parallel.reshard_after_forward; },
         "Under zero_stage 3: yes frees the gathered weights of a unit after its forward and gathers them again for "
         "its backward; no keeps them until then, which needs more memory and sends less."},
        {"parallel", "wrap", [](Recipe& r) -> Target { return &r.parallel.wrap; },
         "Under zero_stage 3, weights that are gathered together: block, those of a unit of the model; size, of "
         "neighbouring units up to wrap_min_params; none, all."},
        {"parallel", "wrap_min_params", [](Recipe& r) -> Target { return &r.parallel.wrap_min_params; },
         "Parameters that are gathered together at least, with wrap size.", between(1, kMostSteps)},
        {"parallel", "ignored_modules", [](Recipe& r) -> Target { return &r.parallel.ignored_modules; },
         "Under zero_stage 3, modules that are not sharded but whole on every rank at any time: a regular expression "
         "that matches their whole names, such as transformer\\.h\\.0 or lm_head. Their gradients are averaged as "
         "those of the others."},
        {"parallel", "offload_optimizer_device",
         [](Recipe& r) -> Target { return &r.parallel.offload_optimizer_device; },
         "Where the optimizer state lies: none, in memory; nvme, in files on a disk, of which a part at a time is in "
         "memory (ranks on processors). Checkpoints are waited for then."},
        {"parallel", "offload_optimizer_nvme_path",
         [](Recipe& r) -> Target { return &r.parallel.offload_optimizer_nvme_path; },
         "Folder on a fast local disk for the optimizer state; its files have no names, and are gone with the run.", {},
         {}, true},
        {"parallel", "offload_param_device", [](Recipe& r) -> Target { return &r.parallel.offload_param_device; },
         "Under zero_stage 3, where the weights and gradients that a rank owns lie: none, in memory; nvme, in files on "
         "a disk, from which the weights of a unit are read before it computes (ranks on processors). Checkpoints are "
         "waited for then."},
        {"parallel", "offload_param_nvme_path", [](Recipe& r) -> Target { return &r.parallel.offload_param_nvme_path; },
         "Folder on a fast local disk for the weights; its files have no names, and are gone with the run.", {}, {},
         true},
        {"parallel", "zero_hpz_partition_size", [](Recipe& r) -> Target { return &r.parallel.zero_hpz_partition_size; },
         "Under zero_stage 3, ranks that together hold a second copy of the weights in the compute format, such as "
         "those of a machine (ZeRO++): weights are gathered over all ranks once in a step, and over these afterwards. "
         "1: none.", between(1, kMostSteps)},
        {"parallel", "zero_quantized_weights", [](Recipe& r) -> Target { return &r.parallel.zero_quantized_weights; },
         "Under zero_stage 3, matrices are sent as 8-bit integers with a scale for each 128 elements, and computed "
         "with as such (ZeRO++)."},
        {"parallel", "zero_quantized_gradients",
         [](Recipe& r) -> Target { return &r.parallel.zero_quantized_gradients; },
         "Under zero_stage 3, gradients are sent to the ranks that sum them as 4-bit integers with a scale for each "
         "128 elements (ZeRO++)."},
        {"parallel", "cpu_ram_efficient_loading",
         [](Recipe& r) -> Target { return &r.parallel.cpu_ram_efficient_loading; },
         "The first rank alone reads the files of model.weights and sends each tensor to the others, which keep what "
         "they hold of it; no: every rank reads the files. Matrices of 4 and 8 bits are read by every rank in any "
         "case."},
        {"parallel", "bucket_cap_mb", [](Recipe& r) -> Target { return &r.parallel.bucket_cap_mb; },
         "Gradients are sent in pieces of at least so many MiB.", positive(1 << 20)},
        {"parallel", "first_bucket_mb", [](Recipe& r) -> Target { return &r.parallel.first_bucket_mb; },
         "The same of the piece that is sent first, so that sending can begin earlier; 0: as bucket_cap_mb.",
         between(0, 1 << 20)},
        {"parallel", "find_unused_parameters", [](Recipe& r) -> Target { return &r.parallel.find_unused_parameters; },
         "Parameters that a step does not use have gradients of zeros; no: such a step is an error that names them."},
        {"parallel", "check_reduction", [](Recipe& r) -> Target { return &r.parallel.check_reduction; },
         "Ranks compare in every step which parameters have gradients; a difference is an error that names ranks and "
         "parameters."},
        {"parallel", "debug", [](Recipe& r) -> Target { return &r.parallel.debug; },
         "Ranks compare operation and shapes before every collective; a difference is an error that names ranks and "
         "shapes. Slower."},
        {"parallel", "comm_hook", [](Recipe& r) -> Target { return &r.parallel.comm_hook; },
         "Gradients on their way between ranks: as they are, in 16 bits, or of low rank."},
        {"parallel", "comm_wrapper", [](Recipe& r) -> Target { return &r.parallel.comm_wrapper; },
         "Number format in which the hook works."},
        {"parallel", "comm_state_option", [](Recipe& r) -> Target { return Table{&r.parallel.comm_state_option}; },
         "Options of PowerSGD, e.g. {matrix_approximation_rank: 2}."},

        {"checkpoint", "every", [](Recipe& r) -> Target { return &r.checkpoint.every; },
         "Steps between checkpoints; 0: only at the end.", between(0, kMostSteps)},
        {"checkpoint", "keep_last", [](Recipe& r) -> Target { return &r.checkpoint.keep_last; },
         "Checkpoints that are kept; 0: all.", between(0, 1 << 20)},
        {"checkpoint", "keep_best", [](Recipe& r) -> Target { return &r.checkpoint.keep_best; },
         "Checkpoints with the best best_metric that are kept, too.", between(0, 1 << 20)},
        {"checkpoint", "keep_every", [](Recipe& r) -> Target { return &r.checkpoint.keep_every; },
         "Checkpoints whose step is a multiple of this are kept, too; 0: no such rule.", between(0, kMostSteps)},
        {"checkpoint", "best_metric", [](Recipe& r) -> Target { return &r.checkpoint.best_metric; },
         "Curve of the run that says how good a checkpoint is: its newest value counts.", {}, best_metrics()},
        {"checkpoint", "best_mode", [](Recipe& r) -> Target { return &r.checkpoint.best_mode; },
         "Which value of best_metric is the best."},
        {"checkpoint", "async", [](Recipe& r) -> Target { return &r.checkpoint.background; },
         "Train on while a checkpoint is being written."},
        {"checkpoint", "export_dtype", [](Recipe& r) -> Target { return &r.checkpoint.export_dtype; },
         "Type of the weights in exports of a checkpoint, which itself has them in fp32; auto: the type of "
         "model.weights."},
        {"checkpoint", "resume_from", [](Recipe& r) -> Target { return &r.checkpoint.resume_from; },
         "Checkpoint folder, or run folder (its newest whole one).", {}, {}, true},

        {"logging", "every", [](Recipe& r) -> Target { return &r.logging.every; },
         "Steps between two points of the curves.", between(1, kMostSteps)},
        {"logging", "histograms_every", [](Recipe& r) -> Target { return &r.logging.histograms_every; },
         "Steps between two histograms of every weight and gradient; 0: none.", between(0, kMostSteps)},
        {"logging", "trackers", [](Recipe& r) -> Target { return &r.logging.trackers; },
         "Trackers that receive the curves besides the run's own files, with those of plug-ins; one name or a list.",
         {}, tracker_names()},
        {"logging", "tracker_arguments", [](Recipe& r) -> Target { return Table{&r.logging.tracker_arguments}; },
         "Arguments of trackers, by tracker; e.g. {mlflow: {run_name: first}, wandb: {entity: team}}; names as in "
         "Accelerate's init_kwargs. Credentials are not among them: they come from the files and variables of each "
         "tool."},

        {"generation", "every", [](Recipe& r) -> Target { return &r.generation.every; },
         "Steps between samples that the model writes, shown beside the curves; 0: none.", between(0, kMostSteps)},
        {"generation", "prompts", [](Recipe& r) -> Target { return &r.generation.prompts; },
         "Texts that samples begin with; one text or a list; none: a line end."},
        {"generation", "max_new_tokens", [](Recipe& r) -> Target { return &r.generation.max_new_tokens; },
         "Maximum number of tokens of a sample after its prompt.", between(1, 1 << 20)},
        {"generation", "do_sample", [](Recipe& r) -> Target { return &r.generation.do_sample; },
         "Draw tokens by their probabilities; no: the most likely token each time."},
        {"generation", "temperature", [](Recipe& r) -> Target { return &r.generation.temperature; },
         "Divides the logits: below 1 likely tokens become more likely.", positive(1e6)},
        {"generation", "top_k", [](Recipe& r) -> Target { return &r.generation.top_k; },
         "Draw among so many of the most likely tokens; 0: all.", between(0, 1 << 24)},
        {"generation", "top_p", [](Recipe& r) -> Target { return &r.generation.top_p; },
         "Draw among the most likely tokens that together have this probability.",
         {.least = 0, .most = 1, .above = true}},

        {"profile", "active", [](Recipe& r) -> Target { return &r.profile.active; },
         "Steps in a row that every rank's profiler records; 0: none.", between(0, 1000)},
        {"profile", "wait", [](Recipe& r) -> Target { return &r.profile.wait; },
         "Steps that pass before each recording.", between(0, 1e9)},
        {"profile", "warmup", [](Recipe& r) -> Target { return &r.profile.warmup; },
         "Steps before each recording in which the profiler gets ready.", between(0, 1e9)},
        {"profile", "repeat", [](Recipe& r) -> Target { return &r.profile.repeat; },
         "Recordings; 0: until the end.", between(0, 1e9)},
        {"profile", "skip_first", [](Recipe& r) -> Target { return &r.profile.skip_first; },
         "Steps at the start that count for nothing.", between(0, 1e9)},
        {"profile", "activities", [](Recipe& r) -> Target { return &r.profile.activities; },
         "Activities to record; one word or a list; none: all that are available.", {}, {"cpu", "cuda"}},
        {"profile", "record_shapes", [](Recipe& r) -> Target { return &r.profile.record_shapes; },
         "Shapes and dtypes of the inputs of every operator."},
        {"profile", "profile_memory", [](Recipe& r) -> Target { return &r.profile.profile_memory; },
         "Every allocation of memory."},
        {"profile", "with_flops", [](Recipe& r) -> Target { return &r.profile.with_flops; },
         "FLOPs of matrix products and convolutions, by formula; records shapes, too."},
        {"profile", "output_trace_dir", [](Recipe& r) -> Target { return &r.profile.output_trace_dir; },
         "Folder of the traces; empty: traces in the run's folder.", {}, {}, true},
    };
    return fields;
}
// clang-format on

}  // namespace

Message Range::text() const {
    if (std::isinf(most))
        return above ? Message("greater than {}", number(least)) : Message("at least {}", number(least));
    if (above)
        return Message("greater than {} and at most {}", number(least), number(most));
    if (below)
        return Message("at least {} and less than {}", number(least), number(most));
    return Message("from {} to {}", number(least), number(most));
}

std::string Field::type() const {
    Recipe scratch;
    return std::visit(Overloaded{[](std::int64_t*) -> std::string { return "whole number"; },
                                 [](std::uint64_t*) -> std::string { return "whole number"; },
                                 [](double*) -> std::string { return "number"; },
                                 [](bool*) -> std::string { return "true or false"; },
                                 [this](std::string*) -> std::string {
                                     const std::string words = fmt::format("{}", fmt::join(choices, " | "));
                                     if (choices.empty())
                                         return path ? "path" : "text";
                                     return path ? words + " | path" : words;
                                 },
                                 [this](std::vector<std::string>*) -> std::string {
                                     return path ? "path or list of paths" : "word or list of words";
                                 },
                                 [this](ChoiceValue) { return fmt::format("{}", fmt::join(choices, " | ")); },
                                 [](Betas) -> std::string { return "list of two numbers"; },
                                 [](Table) -> std::string { return "table of keys"; },
                                 [](Json) -> std::string { return "table or list"; }},
                      target(scratch));
}

namespace {

/// A key of a family as a field of recipes. 0, or -1, stands for null where that has a meaning.
Field field_of(const families::ConfigKey& key) {
    Field field{"model", key.name, {}, key.help};
    field.target = [member = key.member](Recipe& recipe) -> Target {
        return std::visit(
            [&](auto each) -> Target {
                auto* value = &(recipe.model.*each);
                if constexpr (std::is_same_v<decltype(value), families::JsonText*>)
                    return Json{&value->text};
                else
                    return value;
            },
            member);
    };
    if (std::holds_alternative<std::int64_t families::ModelConfig::*>(key.member) ||
        std::holds_alternative<double families::ModelConfig::*>(key.member))
        field.range = {.least = key.null ? std::min(key.least, static_cast<double>(*key.null)) : key.least,
                       .most = key.most,
                       .below = key.below_most};
    if (const auto* text = std::get_if<std::string families::ModelConfig::*>(&key.member);
        text != nullptr && *text == &families::ModelConfig::activation_function)
        field.choices = families::activation_names();
    return field;
}

/// The rows above, and those of the keys of all families that have none there.
std::vector<Field> whole_table() {
    std::vector<Field> fields = table();
    Recipe scratch;
    for (Field& field : fields)
        if (const auto target = field.target(scratch); const auto* choice = std::get_if<ChoiceValue>(&target))
            field.choices.assign(choice->names.begin(), choice->names.end());
    auto weights = std::ranges::find(fields, "model.weights", &Field::dotted);
    for (const families::ConfigKey& key : families::all_keys())
        if (std::ranges::find(fields, "model." + key.name, &Field::dotted) == fields.end()) {
            weights = fields.insert(weights, field_of(key)) + 1;
        }
    return fields;
}

}  // namespace

const std::vector<Field>& recipe_fields() {
    static const std::vector<Field> fields = whole_table();
    return fields;
}

const std::vector<std::string>& recipe_sections() {
    static const std::vector<std::string> sections = [] {
        std::vector<std::string> found;
        for (const Field& field : recipe_fields())
            if (!field.section.empty() && (found.empty() || found.back() != field.section))
                found.push_back(field.section);
        return found;
    }();
    return sections;
}

std::string field_text(const Field& field, const Recipe& recipe) {
    Recipe copy = recipe;
    return std::visit(Overloaded{[](std::int64_t* value) { return fmt::format("{}", *value); },
                                 [](std::uint64_t* value) { return fmt::format("{}", *value); },
                                 [](double* value) { return fmt::format("{}", *value); },
                                 [](bool* value) { return std::string(*value ? "true" : "false"); },
                                 [&](std::string* value) { return written_text(*value, field.path); },
                                 [&](std::vector<std::string>* values) {
                                     std::string list;
                                     for (const std::string& value : *values)
                                         list += (list.empty() ? "" : ", ") + written_text(value, field.path);
                                     return values->size() == 1 ? list : "[" + list + "]";
                                 },
                                 [](ChoiceValue choice) { return written_text(choice.name(), false); },
                                 [](Betas betas) { return fmt::format("[{}, {}]", *betas.beta1, *betas.beta2); },
                                 [](Table table) { return table.yaml->empty() ? "{}" : *table.yaml; },
                                 [](Json json) { return json.text->empty() ? "{}" : *json.text; }},
                      field.target(copy));
}

}  // namespace trainyard::config
