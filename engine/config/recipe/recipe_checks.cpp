// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe_checks.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "base/error.h"
#include "base/regex.h"
#include "base/text.h"
#include "config/recipe/entity_tags.h"
#include "config/recipe/ignored_modules.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/mesh_checks.h"
#include "config/recipe/metric_names.h"
#include "config/recipe/optimizer_conflicts.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe_fields.h"
#include "config/recipe/schedule_kinds.h"
#include "config/recipe/section_checks.h"
#include "config/recipe/tracker_names.h"
#include "config/recipe/zero_plus_plus.h"
#include "config/values/value_formats.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/external/external_family.h"
#include "models/spec/family.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

void check_field(const Field& field, Recipe& recipe, std::vector<Problem>& problems) {
    auto complain = [&](Message message) { problems.push_back({"", 0, 0, field.dotted(), std::move(message)}); };
    auto check_number = [&](auto number) {
        if (!field.range.holds(static_cast<double>(number)))
            complain(Message("must be {}, not {}", field.range.text(), number));
    };
    const bool of_trackers = field.dotted() == "logging.trackers", of_plugins = of_trackers && !recipe.plugins.empty();
    struct Check {
        decltype(check_number)& number;
        decltype(complain)& say;
        const Field& field;
        bool of_trackers;
        bool of_plugins;  ///< plug-ins may add names, which launch/supervisor/plugin_check.h checks
        void operator()(std::int64_t* value) const { number(*value); }
        void operator()(std::uint64_t*) const {}
        void operator()(double* value) const { number(*value); }
        void operator()(bool*) const {}
        void operator()(ChoiceValue) const {}
        void operator()(std::string* value) const {
            if (!field.choices.empty() && !field.path &&
                std::count(field.choices.begin(), field.choices.end(), *value) == 0)
                say(Message("unknown value '{}'{}", *value, text::did_you_mean(*value, field.choices)));
        }
        void operator()(std::vector<std::string>* values) const {
            if (field.path && std::count(values->begin(), values->end(), "") > 0)
                say("holds an empty path: name a file or folder");
            if (!field.choices.empty() && !of_plugins)
                for (const std::string& value : *values)
                    if (std::count(field.choices.begin(), field.choices.end(), value) == 0) {
                        const Message known = text::did_you_mean(value, field.choices);
                        say(of_trackers ? Message("unknown value '{}' (a tracker of a plug-in needs its shared library "
                                                  "in plugins){}",
                                                  value, known)
                                        : Message("unknown value '{}'{}", value, known));
                    }
        }
        void operator()(Table) const {}
        void operator()(Json) const {}
        void operator()(Betas betas) const {
            number(*betas.beta1);
            number(*betas.beta2);
        }
    };
    std::visit(Check{check_number, complain, field, of_trackers, of_plugins}, field.target(recipe));
}

/// Returns the family's name for a size, or an empty string if it does not have that size.
std::string name_of(const ModelRecipe& model, std::int64_t families::ModelConfig::*member) {
    const families::Family* family = families::find_family(model.model_type);
    if (family != nullptr)
        for (const families::ConfigKey& key : family->keys())
            if (const auto* size = std::get_if<std::int64_t families::ModelConfig::*>(&key.member);
                size != nullptr && *size == member)
                return key.name;
    return {};
}

/// A problem of model.freeze; empty when there is none.
Message problem_of_freeze(const ModelRecipe& model) {
    if (!families::family_of(model).lists_tensors())
        return {};
    const std::vector<families::TensorShape> parameters = families::family_of(model).tensors(model);
    auto frozen_by = [&](const std::vector<std::string>& patterns) {
        ModelRecipe one = model;
        one.freeze = patterns;
        return std::count_if(parameters.begin(), parameters.end(),
                             [&](const families::TensorShape& parameter) { return is_frozen(one, parameter.name); });
    };
    for (const std::string& pattern : model.freeze)
        if (frozen_by({pattern}) == 0)
            return Message(
                "'{}' is the name of no parameter: they are named like {} and {}, and * stands "
                "for any part of a name",
                pattern, parameters.front().name, parameters[std::min<std::size_t>(4, parameters.size() - 1)].name);
    if (frozen_by(model.freeze) == std::ssize(parameters))
        return "freezes every parameter: leave some to train";
    return {};
}

/// Keys and tasks of other families. With model.weights their config.json says the family, and
/// config/inputs/start_weights.h compares.
template <class Complain>
void check_model_keys(const ModelRecipe& model, Complain complain) {
    const families::Family& family = families::family_of(model);
    std::vector<std::string> own, tasks;
    for (const families::ConfigKey& key : family.keys())
        own.push_back(key.name);
    for (const families::TaskClass& each : family.tasks())
        tasks.push_back(each.task);
    if (std::ranges::find(tasks, model.task) == tasks.end())
        complain(
            "model.task", {"model.model_type"},
            Message("{} cannot be trained for {}: it has {}", model.model_type, model.task, fmt::join(tasks, ", ")));
    for (const std::string& name : model.written.keys) {
        if (!is_of_another_family(model, name))
            continue;
        const auto known = std::ranges::find(families::all_keys(), name, &families::ConfigKey::name);
        std::string same;
        for (const families::ConfigKey& key : family.keys())
            if (key.member == known->member)
                same = key.name;
        complain("model." + name, {"model.model_type"},
                 same.empty() ? Message("is not a key of {}{}", model.model_type, text::did_you_mean(name, own))
                              : Message("is not a key of {}, which calls it {}", model.model_type, same));
    }
}

/// Checks that the data fits the task.
template <class Complain>
void check_task(const Recipe& recipe, Complain complain) {
    const DataRecipe usual;
    const DataRecipe& data = recipe.data;
    const std::string& task = recipe.model.task;
    const bool classifies_text = task == families::kSequenceClassification || task == families::kTokenClassification;
    const bool images = families::reads_images(task), pairs = task == families::kSeq2SeqLm;
    const bool segments = task == families::kSemanticSegmentation, speech = task == families::kSpeechPretraining;
    const bool embeds = task == families::kSentenceEmbedding;
    const bool answers = task == families::kQuestionAnswering, chooses = task == families::kMultipleChoice;
    const bool files = data.plugin.empty();  // a data set of a plug-in describes its own content
    const bool has_columns =
        is_one_of(data.format, {DataFormat::jsonl, DataFormat::csv, DataFormat::parquet, DataFormat::arrow});
    if (files && (classifies_text || pairs || embeds || answers || chooses) && !has_columns)
        complain("data.format", {"model.task"},
                 Message("{} reads columns of tables, and {} has none: take jsonl, csv, parquet or arrow", task,
                         data.format));
    if (files && segments && data.format != DataFormat::images)
        complain("data.format", {"model.task"},
                 Message("{} reads a folder of images and one of their masks, not {}: take images", task, data.format));
    else if (files && images &&
             !is_one_of(data.format, {DataFormat::images, DataFormat::numpy, DataFormat::parquet, DataFormat::arrow,
                                      DataFormat::safetensors}))
        complain("data.format", {"model.task"},
                 Message("{} reads no images from {}: take images (a folder with a sub-folder for each "
                         "class), numpy, safetensors, parquet or arrow",
                         task, data.format));
    if (files && speech && data.format != DataFormat::audio)
        complain("data.format", {"model.task"}, Message("{} reads recordings, not {}: take audio", task, data.format));
    if (!speech && data.format == DataFormat::audio)
        complain("data.format", {"model.task"}, Message("recordings are not for {}: take another format", task));
    if (!images && data.format == DataFormat::images)
        complain("data.format", {"model.task"}, Message("images are not for {}: take another format", task));
    if (data.chat != ChatFormat::no && (task != families::kCausalLm || !has_columns))
        complain(
            "data.chat", {"model.task", "data.format"},
            "conversations are columns of tables, for causal_lm: take jsonl, csv, parquet or arrow, or leave chat out");
    if (data.chat == ChatFormat::tokenizer && data.tokenizer.empty())
        complain("data.chat", {"data.tokenizer"},
                 "the chat template is a file beside data.tokenizer, which is not given: name a tokenizer, or take "
                 "auto or chatml");
    if (data.on_corrupt == OnCorrupt::keep && data.format != DataFormat::bytes)
        complain("data.on_corrupt", {"data.format"}, "keep is for format bytes: set it to stop or skip");
    auto only_for = [&](bool given, const char* key, bool useful, const Message& tasks) {
        if (given && !useful)
            complain(key, {"model.task"}, Message("has no effect on {}, only on {}: leave it out", task, tasks));
    };
    only_for(!data.second_column.empty(), "data.second_column",
             task == families::kSequenceClassification || embeds || answers || chooses,
             "sequence_classification, sentence_embedding, question_answering and multiple_choice");
    only_for(!data.label_column.empty(), "data.label_column",
             classifies_text || (images && !segments) || answers || chooses ||
                 (embeds && recipe.model.loss == families::kCosineLoss),
             "classification, question_answering, multiple_choice, and on sentence_embedding with model.loss "
             "cosine_similarity");
    only_for(!data.target_column.empty(), "data.target_column", pairs, Message::verbatim(families::kSeq2SeqLm));
    only_for(data.target_length != usual.target_length, "data.target_length", pairs,
             Message::verbatim(families::kSeq2SeqLm));
    only_for(data.mlm_probability != usual.mlm_probability, "data.mlm_probability", task == families::kMaskedLm,
             Message::verbatim(families::kMaskedLm));
    only_for(data.doc_stride != usual.doc_stride, "data.doc_stride", answers,
             Message::verbatim(families::kQuestionAnswering));
    only_for(data.max_answer_length != usual.max_answer_length, "data.max_answer_length", answers,
             Message::verbatim(families::kQuestionAnswering));
    only_for(data.n_best_size != usual.n_best_size, "data.n_best_size", answers,
             Message::verbatim(families::kQuestionAnswering));
    only_for(!data.choice_columns.empty(), "data.choice_columns", chooses,
             Message::verbatim(families::kMultipleChoice));
    if (chooses && data.choice_columns.size() == 1)
        complain("data.choice_columns", {}, "a single choice is always right: name from 2 columns on");
    if (answers && data.doc_stride != usual.doc_stride && data.doc_stride >= data.sequence_length)
        complain("data.doc_stride", {"data.sequence_length"},
                 Message("is {}, and a sample has data.sequence_length ({}) tokens: parts of a text that share all of "
                         "them never end, so give less",
                         data.doc_stride, data.sequence_length));
    only_for(!data.label_pattern.empty(), "data.label_pattern", images && !segments,
             Message::verbatim(families::kImageClassification));
    only_for(!data.mask_path.empty(), "data.mask_path", segments, Message::verbatim(families::kSemanticSegmentation));
    only_for(data.reduce_labels, "data.reduce_labels", segments, Message::verbatim(families::kSemanticSegmentation));
    if (files && segments && data.mask_path.empty())
        complain("data.mask_path", {"model.task"},
                 "missing: name the folder of the images that hold the class of each pixel");
    for (const auto& [given, key] : {std::pair{data.image_size > 0, "data.image_size"},
                                     {!data.image_mean.empty(), "data.image_mean"},
                                     {!data.image_std.empty(), "data.image_std"},
                                     {data.random_resized_crop > 0, "data.random_resized_crop"},
                                     {data.random_horizontal_flip > 0, "data.random_horizontal_flip"}})
        only_for(given, key, images, "image_classification and semantic_segmentation");
    for (const auto& [given, key] :
         {std::pair{data.sampling_rate > 0, "data.sampling_rate"},
          {data.min_duration_in_seconds != usual.min_duration_in_seconds, "data.min_duration_in_seconds"},
          {data.max_duration_in_seconds != usual.max_duration_in_seconds, "data.max_duration_in_seconds"}})
        only_for(given, key, speech, Message::verbatim(families::kSpeechPretraining));
    if (data.min_duration_in_seconds > data.max_duration_in_seconds)
        complain("data.min_duration_in_seconds", {"data.max_duration_in_seconds"},
                 Message("is {}, above data.max_duration_in_seconds ({}): no recording would be used",
                         data.min_duration_in_seconds, data.max_duration_in_seconds));
    if (images && !segments && !data.label_pattern.empty() && data.format != DataFormat::images)
        complain("data.label_pattern", {"data.format"},
                 Message("finds classes in names of image files, and {} has a column of them: leave it out, or take "
                         "images",
                         data.format));
    if (!data.label_pattern.empty())
        try {
            (void)Regex(data.label_pattern);
        } catch (const UserError& error) {
            complain("data.label_pattern", {}, error.message());
        }
    if (files && families::reads_text(task) && data.sequence_length < 2)
        complain("data.sequence_length", {"model.task"},
                 "must be from 2 on, so that a token can be learnt from another");
    if ((embeds || chooses) && recipe.parallel.pp_size > 1)
        complain("parallel.pp_size", {"model.task"},
                 Message("{} is not trained in pipeline stages in this version: set it to 1", task));
    const families::Family* family = families::find_family(recipe.model.model_type);
    if (recipe.parallel.pp_size > 1 && family != nullptr && !family->can_pipeline())
        complain("parallel.pp_size", {"model.model_type"},
                 Message("{} is not cut into pipeline stages: set it to 1", recipe.model.model_type));
}

/// Checks the parts that plug-ins and TorchScript files provide, and settings that they do not support.
template <class Complain>
void check_own_parts(const Recipe& recipe, Complain complain) {
    const ModelRecipe& model = recipe.model;
    const families::Family* family = families::find_family(model.model_type);
    const bool own_model = family != nullptr && !family->lists_tensors();
    const bool scripted = model.model_type == families::kScriptModel;
    auto needs_library = [&](bool given, const char* key) {
        if (given && recipe.plugins.empty())
            complain(key, {"plugins"},
                     "is of a plug-in, and the recipe names none: name its shared library in plugins");
    };
    needs_library(model.model_type == families::kPluginModel, "model.model_type");
    needs_library(!recipe.data.plugin.empty(), "data.plugin");
    needs_library(!recipe.training.step_function.empty(), "training.step_function");
    const std::vector<std::string> built_in = built_in_metrics(model), computed = task_metrics(model);
    for (const std::string& name : recipe.training.metrics)
        if (std::ranges::find(computed, name) != computed.end())
            complain("training.metrics", {"model.task"},
                     Message("evaluations of {} compute {} without being asked: leave it out", model.task, name));
        else if (is_built_in_metric(name) && std::ranges::find(built_in, name) == built_in.end())
            complain(
                "training.metrics", {"model.task"},
                Message("{} is not a metric of {}: {}", name, model.task,
                        built_in.empty() ? Message("leave it out") : Message("take {}", fmt::join(built_in, ", "))));
        else if (!is_built_in_metric(name) && recipe.plugins.empty())
            complain("training.metrics", {"plugins"},
                     Message("'{}' is not known{}: metrics of plug-ins need their shared library in plugins", name,
                             text::did_you_mean(name, built_in)));
    const bool finds_entities = std::ranges::find(recipe.training.metrics, kSeqeval) != recipe.training.metrics.end();
    if (finds_entities && model.task == families::kTokenClassification && !is_left_to_weights(model, "id2label"))
        if (Message problem = why_no_tags(model, recipe.training.entity_scheme); !problem.empty())
            complain("training.metrics", {"model.id2label", "training.entity_scheme"}, std::move(problem));
    if (!finds_entities && recipe.training.entity_scheme != EntityScheme::lenient)
        complain(
            "training.entity_scheme", {"training.metrics"},
            Message("has an effect on the metric {} alone: add it to training.metrics, or leave this out", kSeqeval));
    if (const std::string& best = recipe.checkpoint.best_metric; best.starts_with("eval/")) {
        const std::string curve = best.substr(5), name = metric_of_curve(curve);
        const auto has = [&](const std::vector<std::string>& names) {
            return std::ranges::find(names, name) != names.end();
        };
        if ((is_built_in_metric(name) || name == "exact_match" || name == kMeanIou || name == kMeanAccuracy ||
             name == kContrastiveLoss || name == kCodevectorPerplexity) &&
            !has(computed) && !has(recipe.training.metrics))
            complain("checkpoint.best_metric", {"training.metrics", "model.task"},
                     has(built_in)
                         ? Message("evaluations do not compute {}: add {} to training.metrics", curve, name)
                         : Message("evaluations of {} do not compute {}: take another curve", model.task, curve));
    }
    if (scripted && model.script.empty())
        complain("model.script", {"model.model_type"}, "missing: name the file that torch.jit.save wrote");
    if (!scripted && !model.script.empty())
        complain(
            "model.script", {"model.model_type"},
            Message("has an effect on torchscript alone, and model.model_type is {}: leave one out", model.model_type));
    if (recipe.data.plugin.empty() && !recipe.data.arguments.empty())
        complain("data.arguments", {"data.plugin"}, "has no effect without data.plugin: name the data set");
    if (!recipe.data.plugin.empty() && !recipe.data.paths.empty())
        complain("data.path", {"data.plugin"},
                 "the data set of a plug-in reads no files of the recipe: leave one out, and name its files in "
                 "data.arguments");
    if (own_model && model.lora.r > 0)
        complain("lora.r", {"model.model_type"},
                 Message("adapters need a built-in model, not {}: set it to 0", model.model_type));
    if (own_model && recipe.training.activation_checkpointing != Recomputation::no)
        complain("training.activation_checkpointing", {"model.model_type"},
                 Message("has no effect on {}, whose blocks are not known: leave it out", model.model_type));
    if (own_model && recipe.generation.every > 0)
        complain("generation.every", {"model.model_type"},
                 Message("{} does not continue texts in this version: set it to 0", model.model_type));
    if (model.loss.empty())
        return;
    const std::vector<std::string> known{families::kRankingLoss, families::kCosineLoss};
    const bool of_embeddings = std::ranges::find(known, model.loss) != known.end();
    if (model.task == families::kSentenceEmbedding) {
        if (!of_embeddings)
            complain("model.loss", {"model.task"},
                     Message("'{}' is not a loss of sentence embeddings{}: use {} or {}", model.loss,
                             text::did_you_mean(model.loss, known), known[0], known[1]));
    } else if (of_embeddings) {
        complain("model.loss", {"model.task"},
                 Message("{} is for sentence_embedding, not {}: leave it out", model.loss, model.task));
    } else if (!own_model && model.task != families::kCausalLm && model.task != families::kSequenceClassification &&
               model.task != families::kTokenClassification && model.task != families::kImageClassification) {
        complain("model.loss", {"model.task"},
                 Message("has no effect on {}, only on causal_lm, on classification and on models of one's own: leave "
                         "it out",
                         model.task));
    } else {
        needs_library(true, "model.loss");
    }
}

/// Reports arguments for trackers that the run does not have, and unknown ones.
template <class Complain>
void check_tracker_arguments(const LoggingRecipe& logging, Complain complain) {
    std::vector<Problem> ignored;  // the reader of the recipe reported them
    const Value arguments = parse_yaml(logging.tracker_arguments, "", ignored);
    for (const auto& [tracker, given] : arguments.entries()) {
        if (std::ranges::find(logging.trackers, tracker) == logging.trackers.end()) {
            complain("logging.tracker_arguments", {"logging.trackers"},
                     Message("has arguments of '{}', which is not among logging.trackers: add it there", tracker));
            continue;
        }
        if (!given.is_map() && !given.is_null())
            complain("logging.tracker_arguments", {},
                     Message("the arguments of '{}' must be a table of keys, not {}", tracker, given.description()));
        const std::vector<std::string> known = tracker_arguments(tracker);
        for (const auto& [name, value] : given.entries())
            if (std::ranges::find(known, name) == known.end())
                complain("logging.tracker_arguments", {},
                         Message("unknown argument '{}' of the tracker '{}'{}", name, tracker,
                                 text::did_you_mean(name, known)));
    }
}

/// Reports settings of the training that the recipe's optimizers do not support.
template <class Complain>
void check_conflicts(const Recipe& recipe, const OptimizerPlan& plan, Complain complain) {
    using enum TrainingFeature;
    const TrainingRecipe& training = recipe.training;
    const HealthRecipe& health = recipe.health;
    const bool keeps = is_one_of(health.on_non_finite, {HealthAction::ignore, HealthAction::warn});
    const bool undoes = !is_one_of(health.on_spike, {HealthAction::ignore, HealthAction::warn, HealthAction::rollback});
    for (const auto& [asked, key, feature] :
         {std::tuple{training.max_grad_norm > 0, "training.max_grad_norm", clipping_by_norm},
          {training.gradient_accumulation_steps > 1, "training.gradient_accumulation_steps", accumulation},
          {training.auto_find_batch_size, "training.auto_find_batch_size", smaller_batches},
          {training.mixed_precision == Precision::fp16, "training.mixed_precision", loss_scaling},
          {training.local_sgd_steps > 0, "training.local_sgd_steps", local_sgd},
          {training.ema_decay > 0, "training.ema_decay", weight_average},
          {training.swa_start > 0, "training.swa_start", weight_average},
          {recipe.parallel.zero_stage > 0, "parallel.zero_stage", zero},
          {recipe.parallel.pp_size > 1, "parallel.pp_size", pipeline},
          {recipe.logging.histograms_every > 0, "logging.histograms_every", gradient_histograms},
          {recipe.parallel.comm_hook != CommHookType::no, "parallel.comm_hook", gradient_hook},
          {recipe.offloads_optimizer(), "parallel.offload_optimizer_device", offloaded_state},
          {recipe.offloads_params(), "parallel.offload_param_device", offloaded_state},
          {recipe.parallel.tp_size > 1, "parallel.tp_size", divided_model},
          {recipe.parallel.cp_size > 1, "parallel.cp_size", divided_model},
          {recipe.parallel.sp_size > 1, "parallel.sp_size", divided_model},
          {recipe.parallel.ep_size > 1, "parallel.ep_size", divided_model},
          {recipe.health.divergence_every > 0, "health.divergence_every", compared_weights},
          {!recipe.data.even_batches, "data.even_batches", uneven_inputs},
          {keeps, "health.on_non_finite", non_finite_updates},
          {undoes, "health.on_spike", skipped_updates}})
        for (const OptimizerPlan::Group& group : plan.groups)
            if (Message problem = asked ? conflict(traits_of(group.settings.kind()), feature) : Message();
                !problem.empty()) {
                complain(key, {"optimizer.name"}, std::move(problem));
                break;
            }
}

/// The optimizer's arguments and groups, and what does not go with it.
template <class Complain>
void check_stochastic_rounding(const Recipe& recipe, Complain complain) {
    const char* key = recipe.optimizer.arguments.empty() ? "optimizer.groups" : "optimizer.arguments";
    if (!is_one_of(recipe.training.mixed_precision, {Precision::bf16, Precision::fp8}))
        complain(key, {"training.mixed_precision"},
                 Message("{} rounds weights to bfloat16: set training.mixed_precision to bf16, or leave it out",
                         kStochasticRounding));
    if (recipe.offloads_params())
        complain(key, {"parallel.offload_param_device"},
                 Message("{} needs weights in memory: set parallel.offload_param_device to none, or leave it out",
                         kStochasticRounding));
}

template <class Complain>
void check_optimizer(const Recipe& recipe, bool knows_parameters, Complain complain) {
    std::vector<Problem> problems;
    const OptimizerPlan plan = make_optimizer_plan(recipe.optimizer, problems);
    for (Problem& problem : problems)
        complain(problem.key, {"optimizer.name"}, std::move(problem.message));
    if (!problems.empty() || plan.groups.empty())
        return;
    std::vector<std::size_t> parameters(plan.groups.size(), 0);
    if (knows_parameters) {
        const std::vector<families::TensorShape> tensors = families::family_of(recipe.model).tensors(recipe.model);
        for (const families::TensorShape& one : tensors)
            parameters[plan.group_of(one.name, one.shape)] += 1;
        for (std::size_t group = 0; group < plan.groups.size(); ++group)
            if (const std::string& pattern = plan.groups[group].pattern; !pattern.empty() && parameters[group] == 0)
                complain("optimizer.groups", {"optimizer.name"},
                         Message("'{}' is of no parameter, or of none that a pattern before it leaves: they "
                                 "are named like {}",
                                 pattern, tensors.front().name));
    }
    check_conflicts(recipe, plan, complain);
    if (std::ranges::any_of(plan.groups,
                            [](const OptimizerPlan::Group& group) { return group.settings.rounds_stochastically(); }))
        check_stochastic_rounding(recipe, complain);
    if (recipe.offloads_optimizer())
        check_offload(plan, complain);
    const bool decays = std::ranges::any_of(
        plan.groups, [](const OptimizerPlan::Group& group) { return group.settings.has("weight_decay"); });
    if (recipe.optimizer.decay_all && !decays)
        complain("optimizer.decay_all", {"optimizer.name"},
                 Message("has no effect on {}, which has no weight_decay: leave it out", recipe.optimizer.name));
}

bool keeps_average(const OptimizerRecipe& optimizer) {
    const OptimizerKind* kind = find_optimizer(optimizer.name);
    return kind != nullptr && kind->averages;
}

/// checkpoint.keep_every: there are such checkpoints, and something else is removed.
template <class Complain>
void check_keep_every(const CheckpointRecipe& checkpoint, Complain complain) {
    if (checkpoint.keep_every == 0)
        return;
    if (checkpoint.keep_last == 0)
        complain("checkpoint.keep_every", {"checkpoint.keep_last"},
                 "has no effect where checkpoint.keep_last is 0, which keeps all checkpoints: set keep_last to 1 or "
                 "more, or keep_every to 0");
    if (checkpoint.every > 0 && checkpoint.keep_every % checkpoint.every != 0)
        complain(
            "checkpoint.keep_every", {"checkpoint.every"},
            Message("{} is not a multiple of checkpoint.every, {}, so most of these steps have no checkpoint: use {}",
                    checkpoint.keep_every, checkpoint.every,
                    (checkpoint.keep_every / checkpoint.every + 1) * checkpoint.every));
}

/// Averages of the weights: one of them at a time, and none whose settings have no effect.
template <class Complain>
void check_averages(const TrainingRecipe& training, Complain complain) {
    const TrainingRecipe usual;
    if (training.swa_start > 0) {
        if (training.ema_decay > 0)
            complain("training.swa_start", {"training.ema_decay"},
                     "one average of the weights is kept: set training.ema_decay or swa_start to 0");
        if (training.swa_start >= training.steps)
            complain("training.swa_start", {"training.steps"},
                     Message("the average would begin at step {} of {}: begin it earlier, or set it to 0",
                             training.swa_start, training.steps));
        if (training.swa_lr == 0 && training.swa_anneal_steps != usual.swa_anneal_steps)
            complain("training.swa_anneal_steps", {"training.swa_lr"}, "has no effect without training.swa_lr: set it");
        if (training.swa_lr == 0 && training.swa_anneal_strategy != usual.swa_anneal_strategy)
            complain("training.swa_anneal_strategy", {"training.swa_lr"},
                     "has no effect without training.swa_lr: set it");
        return;
    }
    auto useless = [&](bool given, const char* key) {
        if (given)
            complain(key, {"training.swa_start"},
                     "has no effect without training.swa_start: set it to the step to begin at");
    };
    useless(training.swa_freq != usual.swa_freq, "training.swa_freq");
    useless(training.swa_lr != usual.swa_lr, "training.swa_lr");
    useless(training.swa_anneal_steps != usual.swa_anneal_steps, "training.swa_anneal_steps");
    useless(training.swa_anneal_strategy != usual.swa_anneal_strategy, "training.swa_anneal_strategy");
}

template <class Complain>
void check_sharding(const Recipe& recipe, bool lists_parameters, Complain complain) {
    const ParallelRecipe usual;
    const ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t stage = parallel.zero_stage;
    if (stage == 0 && parallel.dp_shard_size > 1)
        complain("parallel.dp_shard_size", {"parallel.zero_stage"},
                 Message("{} ranks can shard optimizer state, gradients and weights, which needs ZeRO: set zero_stage "
                         "to 1, 2 or 3, or give dp_replicate_size instead",
                         parallel.dp_shard_size));
    if (stage >= 2 && parallel.comm_hook != CommHookType::no)
        complain("parallel.comm_hook", {"parallel.zero_stage"},
                 Message("{} works on whole gradients, and under ZeRO stage {} no rank keeps them: set comm_hook "
                         "to no, or zero_stage to 1",
                         parallel.comm_hook, stage));
    if (stage != 3)
        for (const auto& [key, given] :
             {std::pair{"parallel.reshard_after_forward",
                        parallel.reshard_after_forward != usual.reshard_after_forward},
              {"parallel.wrap", parallel.wrap != usual.wrap},
              {"parallel.wrap_min_params", parallel.wrap_min_params != usual.wrap_min_params},
              {"parallel.ignored_modules", !parallel.ignored_modules.empty()}})
            if (given)
                complain(key, {"parallel.zero_stage"},
                         "says how sharded weights are gathered: set parallel.zero_stage to 3, or leave it out");
    const ZeroPlusPlusUse plus{.hpz_partition_size = parallel.zero_hpz_partition_size,
                               .quantized_weights = parallel.zero_quantized_weights,
                               .quantized_gradients = parallel.zero_quantized_gradients,
                               .zero_stage = stage,
                               .weights_on_disk = parallel.offload_param_device == OffloadDevice::nvme,
                               .float8_gathers = recipe.training.mixed_precision == Precision::fp8 &&
                                                 recipe.fp8.enable_fsdp_float8_all_gather};
    for (ZeroPlusPlusProblem& problem : problems_of(plus))
        complain(fmt::format("parallel.{}", problem.key), {"parallel.zero_stage"}, std::move(problem.message));
    if (stage == 3 && parallel.wrap_min_params != usual.wrap_min_params && parallel.wrap != WrapPolicy::size)
        complain("parallel.wrap_min_params", {"parallel.wrap"},
                 "is for parallel.wrap size: set wrap to it, or leave this out");
    if (stage == 3 && !parallel.ignored_modules.empty())
        try {
            const IgnoredModules modules(parallel.ignored_modules);
            if (lists_parameters)
                if (const auto tensors = families::family_of(recipe.model).tensors(recipe.model);
                    std::ranges::none_of(tensors, [&](const auto& one) { return modules.have(one.name); }))
                    complain("parallel.ignored_modules", {}, modules.no_match());
        } catch (const UserError& error) {
            complain("parallel.ignored_modules", {}, error.message());
        }
    if (stage == 3 && recipe.health.divergence_every > 0 && parallel.dp_replicate_size <= 1)
        complain("health.divergence_every", {"parallel.zero_stage", "parallel.dp_replicate_size"},
                 "under ZeRO stage 3 every weight is on one rank, so there is nothing to compare: set it to 0");
    if (stage == 3 && !lists_parameters && recipe.training.mixed_precision != Precision::no)
        complain(
            "training.mixed_precision", {"parallel.zero_stage"},
            "modules of a plug-in read fp32 weights, and under ZeRO stage 3 those travel in 16 bits: set it to no, "
            "or parallel.zero_stage to 2");
}

/// Local SGD: ranks whose weights differ between two averages, and whose gradients do not travel.
template <class Complain>
void check_local_sgd(const Recipe& recipe, Complain complain) {
    auto refuse = [&](bool asked, const char* key, const Message& reason) {
        if (asked)
            complain(key, {"training.local_sgd_steps"},
                     Message("does not go with training.local_sgd_steps: {}", reason));
    };
    const ParallelRecipe usual;
    const ParallelRecipe& parallel = recipe.parallel;
    refuse(parallel.zero_stage > 0, "parallel.zero_stage", "each rank keeps its own weights and state; set it to 0");
    refuse(parallel.comm_hook != CommHookType::no, "parallel.comm_hook",
           "the ranks do not exchange gradients; set it to no");
    refuse(parallel.first_bucket_mb != usual.first_bucket_mb, "parallel.first_bucket_mb",
           "the ranks do not exchange gradients; leave it out");
    refuse(parallel.find_unused_parameters != usual.find_unused_parameters, "parallel.find_unused_parameters",
           "the ranks do not exchange gradients; leave it out");
    refuse(parallel.check_reduction, "parallel.check_reduction", "the ranks do not exchange gradients; leave it out");
    refuse(recipe.health.divergence_every > 0, "health.divergence_every",
           "the ranks' weights differ between two averages; set it to 0");
    refuse(recipe.training.ema_decay > 0, "training.ema_decay", "the ranks' weights differ; set it to 0");
    refuse(recipe.training.swa_start > 0, "training.swa_start", "the ranks' weights differ; set it to 0");
    refuse(!recipe.data.even_batches, "data.even_batches",
           "a rank without samples has nothing to train on; leave it out");
}

}  // namespace

std::vector<Problem> check_values(const Recipe& recipe, const std::set<std::string>& unread) {
    std::vector<Problem> problems;
    std::set<std::string> bad = unread;
    Recipe copy = recipe;
    const ModelRecipe& model = recipe.model;
    // The family settles the sizes that are left out: of an unknown one they are not known.
    const auto is_settled = [&, is_known = families::find_family(model.model_type) != nullptr](const Field& field) {
        return field.section != "model" ||
               (is_known ? !is_of_another_family(model, field.key)
                         : field.key == "model_type" || model.written.keys.contains(field.key));
    };
    for (const Field& field : recipe_fields())
        if (!unread.contains(field.dotted()) && is_settled(field))
            check_field(field, copy, problems);
    for (const Problem& problem : problems)
        bad.insert(problem.key);
    for (const Field& field : recipe_fields())
        if (field.section == "model" && is_left_to_weights(model, field.key))
            bad.insert(field.dotted());
    auto complain = [&](const std::string& key, const std::vector<std::string>& others, Message message) {
        bool known = !bad.contains(key) &&
                     std::ranges::none_of(others, [&](const std::string& other) { return bad.contains(other); });
        if (known)
            problems.push_back({"", 0, 0, key, std::move(message)});
    };
    check_own_parts(recipe, complain);
    const bool knows_parameters =
        std::ranges::none_of(bad, [](const std::string& key) { return key.starts_with("model."); });
    const bool lists_parameters = knows_parameters && families::family_of(model).lists_tensors();
    check_lora(recipe, lists_parameters, complain);
    check_device_map(recipe, knows_parameters && !lists_parameters, complain);
    check_quantization(recipe, knows_parameters && !lists_parameters, complain);
    check_fp8(recipe, knows_parameters && !lists_parameters, lists_parameters, complain);
    if (recipe.generation.every > 0 && recipe.model.task != families::kCausalLm)
        complain("generation.every", {"model.task"},
                 Message("a model for {} does not continue texts: set it to 0", recipe.model.task));
    check_optimizer(recipe, lists_parameters && !recipe.optimizer.groups.empty() && recipe.model.lora.r == 0, complain);
    const ScheduleRecipe& schedule = recipe.schedule;
    if (recipe.name.empty())
        complain("name", {}, "must not be empty");
    else if (recipe.name.find('/') != std::string::npos ||
             std::ranges::any_of(recipe.name, [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }))
        complain("name", {}, "has a slash or a control character: use letters, digits, spaces, '-', '_' and '.'");
    if (recipe.data.pattern.empty())
        complain("data.pattern", {}, "must not be empty: * takes every file");
    if (!bad.contains("model.model_type"))
        check_model_keys(model, complain);
    if (!bad.contains("model.model_type"))
        for (families::ConfigProblem& problem : families::family_of(model).problems(model)) {
            for (std::string& other : problem.others)
                other = "model." + other;
            complain("model." + problem.key, problem.others, std::move(problem.message));
        }
    if (!model.freeze.empty() && !bad.contains("model.model_type"))
        if (Message problem = problem_of_freeze(model); !problem.empty())
            complain("model.freeze", {"model.n_layer", "model.n_embd", "model.vocab_size", "model.n_positions"},
                     std::move(problem));
    if (!recipe.data.tokenizer.empty() &&
        is_one_of(recipe.data.format,
                  {DataFormat::bytes, DataFormat::numpy, DataFormat::safetensors, DataFormat::megatron}))
        complain("data.tokenizer", {"data.format"},
                 Message("makes tokens of text, and the format {} has none: set data.format to text, jsonl, "
                         "csv, parquet or arrow, or leave the tokenizer out",
                         recipe.data.format));
    if (const std::string positions = name_of(model, &families::ModelConfig::n_positions);
        !positions.empty() && recipe.data.sequence_length > model.n_positions)
        complain("data.sequence_length", {"model." + positions},
                 Message("{} is more than model.{} ({}): shorten the samples or raise {}", recipe.data.sequence_length,
                         positions, model.n_positions, positions));
    else if (!positions.empty() && !bad.contains("model.model_type"))
        if (const std::int64_t most = families::most_tokens(model); recipe.data.sequence_length > most)
            complain("data.sequence_length", {"model." + positions},
                     Message("{} is more than the {} tokens that model.{} ({}) has positions for, as the first ones "
                             "belong to the padding: shorten the samples or raise {}",
                             recipe.data.sequence_length, most, positions, model.n_positions, positions));
    for (const auto& [key, action] : {std::pair("health.on_non_finite", recipe.health.on_non_finite),
                                      std::pair("health.on_spike", recipe.health.on_spike)})
        if (action == HealthAction::rollback && recipe.checkpoint.every == 0)
            complain(key, {"checkpoint.every"},
                     "rollback needs checkpoints to go back to: set checkpoint.every, or take skip");
    check_schedule(recipe, complain);
    check_tracker_arguments(recipe.logging, complain);
    const ParallelRecipe& parallel = recipe.parallel;
    check_offload_folders(parallel, complain);
    check_mesh_conflicts(recipe, complain);
    if (!bad.contains("model.model_type") && !bad.contains("model.task"))
        check_tensor_parallel(recipe, complain);
    if (parallel.sequence_ranks() > 1 && !bad.contains("model.model_type") && !bad.contains("model.task"))
        check_sequence(recipe, complain);
    if (knows_parameters) {
        check_experts(recipe, complain);
        check_graph(recipe, complain);
    }
    check_sharding(recipe, lists_parameters, complain);
    const bool of_evaluation = recipe.checkpoint.best_metric.starts_with("eval/");
    if (recipe.checkpoint.keep_best > 0 && recipe.data.validation_fraction == 0 && of_evaluation)
        complain(
            "checkpoint.keep_best", {"data.validation_fraction", "checkpoint.best_metric"},
            "data.validation_fraction is 0, so no checkpoint has a validation loss: raise it or set keep_best to 0");
    check_keep_every(recipe.checkpoint, complain);
    if (recipe.checkpoint.best_metric == "eval/loss_average" && recipe.training.ema_decay == 0 &&
        recipe.training.swa_start == 0 && !keeps_average(recipe.optimizer))
        complain("checkpoint.best_metric", {"training.ema_decay", "training.swa_start"},
                 "no average of the weights is kept, so there is no eval/loss_average: set training.ema_decay or "
                 "swa_start, or take eval/loss");
    if (recipe.checkpoint.best_metric == "train/loss_scale" && recipe.training.mixed_precision != Precision::fp16)
        complain("checkpoint.best_metric", {"training.mixed_precision"},
                 "there is no train/loss_scale without training.mixed_precision fp16: take another curve");
    check_averages(recipe.training, complain);
    if (recipe.training.local_sgd_steps > 0)
        check_local_sgd(recipe, complain);
    const char* end_key = schedule.decay_steps > 0 ? "schedule.decay_steps" : "training.steps";
    std::int64_t end = schedule.decay_steps > 0 ? schedule.decay_steps : recipe.training.steps;
    if (schedule.warmup_steps > end)
        complain("schedule.warmup_steps", {"schedule.decay_steps", "training.steps"},
                 Message("{} is more than {} ({}): the warm-up would never end", schedule.warmup_steps, end_key, end));
    if (recipe.training.evaluate_every > 0 && recipe.data.validation_fraction == 0)
        complain("training.evaluate_every", {"data.validation_fraction"},
                 "data.validation_fraction is 0, so nothing is held out to evaluate on: raise it or set evaluate_every "
                 "to 0");
    if (recipe.data.dispatch_batches && !recipe.data.even_batches)
        complain("data.dispatch_batches", {"data.even_batches"},
                 "rank 0 sends every rank as many samples, so data.even_batches cannot be no: set one of them to its "
                 "default");
    if (recipe.parallel.pp_size == 1 && recipe.parallel.pp_stages_per_rank > 0)
        complain("parallel.pp_stages_per_rank", {"parallel.pp_size"},
                 "there is no pipeline without parallel.pp_size: set it to the ranks of one, or leave this out");
    if (recipe.parallel.pp_size > 1 && !bad.contains("parallel.pipeline_schedule"))
        check_pipeline(recipe, lists_parameters, complain);
    if (!bad.contains("model.model_type") && !bad.contains("model.task"))
        check_task(recipe, complain);
    return problems;
}

}  // namespace trainyard::config
