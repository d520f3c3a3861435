// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/start_weights.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"
#include "config/inputs/model_folder.h"
#include "config/inputs/stored_head.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "formats/weights/timm_names.h"
#include "formats/weights/weight_source.h"
#include "models/spec/config_file.h"
#include "models/spec/stored_tensors.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWeightsKey = "model.weights";
constexpr std::size_t kMostConfigBytes = 16u << 20;

std::vector<InputProblem> problems_of(const UserError& error) {
    std::vector<InputProblem> problems;
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        for (const Problem& problem : invalid->problems())
            problems.push_back({kWeightsKey, Message("{}: {}: {}", problem.file, problem.key, problem.message)});
    else
        problems.push_back({kWeightsKey, error.message()});
    return problems;
}

void write_all_keys(config::ModelRecipe& model, const families::Family& family) {
    for (const families::ConfigKey& key : family.keys())
        model.written.keys.insert(key.name);
    model.written.keys.insert({"model_type", "task"});
}

/// The head that the weights have besides a table that it may share. Weights that cannot be read are reported by their
/// own check.
StoredHead head_of_weights(const fs::path& path, const families::ModelConfig& model) {
    try {
        return stored_head(*weights::open_model(path), model);
    } catch (const UserError&) {
        return {};
    }
}

/// The same for a head that contradicts the config.json beside the weights.
std::optional<StoredHead> head_against_file(const fs::path& path, const families::ModelConfig& of_file) {
    if (!of_file.tie_word_embeddings)
        return std::nullopt;  // the weights need not be opened
    try {
        return head_against_config(*weights::open_model(path), of_file);
    } catch (const UserError&) {
        return std::nullopt;
    }
}

/// Returns the number format of a folder that bitsandbytes quantized, or nullopt for other folders. Files that cannot
/// be read are reported by the check of the weights.
std::optional<config::Quantization> stored_quantization(const fs::path& weights) {
    std::error_code error;
    if (weights.empty() || !fs::exists(weights, error))
        return std::nullopt;
    try {
        const std::unique_ptr<weights::WeightSource> source = weights::open_model(weights);
        for (std::size_t i = 0; i < source->tensors().size(); ++i)
            if (const auto matrix = source->packed(i))
                return find_choice<config::Quantization>(matrix->method());
    } catch (const UserError&) {
        return std::nullopt;
    }
    return std::nullopt;
}

/// Compares the tensors of a source with those of a model.
class WeightsCheck {
  public:
    WeightsCheck(const config::ModelRecipe& model, const weights::WeightSource& source, bool of_another_task)
        : model_(model),
          family_(families::family_of(model)),
          source_(source),
          of_another_task_(of_another_task),
          stored_(names_of(source), names_of_model(model)) {
        for (std::size_t i = 0; i < source.tensors().size(); ++i)
            left_.emplace(source.tensors()[i].name, i);
    }

    std::vector<InputProblem> run() {
        if (!left_.empty() &&
            std::ranges::all_of(left_, [](const auto& one) { return config::is_adapter(one.first); })) {
            tell(
                Message("is an adapter and not a model: name the model that it was trained on, and the adapter in "
                        "lora.adapter"));
            return std::move(problems_);
        }
        for (const families::TensorShape& expected : family_.tensors(model_))
            check(expected);
        for (const families::TensorShape& expected : family_.buffers(model_))
            check(expected, /*trained=*/false);
        check_format();
        if (misfits_ > 0) {
            const fs::path config = config_file(model_.weights);
            // A name or two may be common to all models: an output layer.
            Message advice = missing_.size() > found_ ? stored_.instead_of(missing_, model_.weights, false) : Message();
            if (advice.empty())
                advice = config.empty() ? Message("give the file's own sizes under model")
                                        : Message("{} is not of these weights", config.string());
            tell(misfits_ == 1 ? Message("{}: {}", first_misfit_, advice)
                               : Message("{} (and {} more do not fit): {}", first_misfit_, misfits_ - 1, advice));
        }
        check_what_is_left();
        return std::move(problems_);
    }

  private:
    static std::vector<std::string> names_of(const weights::WeightSource& source) {
        std::vector<std::string> names;
        for (const weights::SourceTensor& tensor : source.tensors())
            names.push_back(tensor.name);
        return names;
    }

    static std::set<std::string> names_of_model(const config::ModelRecipe& model) {
        std::set<std::string> names;
        const families::Family& family = families::family_of(model);
        for (const auto& tensors : {family.tensors(model), family.buffers(model)})
            for (const families::TensorShape& tensor : tensors)
                names.insert(tensor.name);
        return names;
    }

    void tell(const Message& message) { problems_.push_back({kWeightsKey, Message("{} {}", model_.weights, message)}); }

    void check(const families::TensorShape& expected, bool trained = true) {
        const std::optional<std::size_t> found = stored_.find(expected.name);
        if (found) {
            left_.erase(source_.tensors()[*found].name);
            ++found_;
        }
        if (!found && expected.of_task && of_another_task_)
            return;  // it is initialized randomly
        if (found && fits(*found, expected))
            return trained ? check_type(source_.tensors()[*found]) : void();
        if (!found)
            missing_.push_back(expected.name);
        if (misfits_++ == 0)
            first_misfit_ =
                found ? Message("has {} of shape [{}], the recipe's model needs [{}]", source_.tensors()[*found].name,
                                fmt::join(source_.tensors()[*found].shape, ", "), fmt::join(expected.shape, ", "))
                      : Message("has no tensor {}", expected.name);
    }

    /// Quantized matrices are [out, in] in files, also those that the model has as [in, out] (Conv1D of transformers).
    bool fits(std::size_t tensor, const families::TensorShape& expected) const {
        const std::vector<std::int64_t>& shape = source_.tensors()[tensor].shape;
        const bool transposed = source_.is_packed(tensor) && family_.network() == families::Network::gpt2;
        return transposed ? std::ranges::equal(shape, std::views::reverse(expected.shape)) : shape == expected.shape;
    }

    /// Codes of 4 and 8 bits are read from where they are; a device map has no folder for new ones.
    void check_format() {
        using enum config::Quantization;
        if (model_.device_map.empty() || !is_one_of(model_.quantization.method, {nf4, fp4, int8}))
            return;
        for (std::size_t i = 0; i < source_.tensors().size(); ++i)
            if (source_.is_packed(i))
                return;
        tell(
            Message("has no matrices in {}, and with model.device_map they have to be there: quantize the folder first "
                    "(trainyard quantize), or leave model.device_map out",
                    choice_name(model_.quantization.method)));
    }

    void check_type(const weights::SourceTensor& tensor) {
        static const std::vector<std::string> numbers{"F32", "F16", "BF16", "F64"};
        if (std::ranges::find(numbers, tensor.dtype) == numbers.end() && wrong_types_++ == 0)
            tell(
                Message("has {} in elements of type {}: quantised weights cannot be trained on, so give "
                        "them as F32, F16 or BF16",
                        tensor.name, tensor.dtype));
    }

    /// Heads of all tasks of the family: they stay behind where the model is trained for another one.
    std::set<std::string> names_of_tasks() const {
        std::set<std::string> names;
        for (const families::TaskClass& each : family_.tasks()) {
            families::ModelConfig config = model_;
            config.task = each.task;
            for (const families::TensorShape& tensor : family_.tensors(config))
                if (tensor.of_task)
                    for (const std::string& name : families::stored_names(tensor.name))
                        names.insert(name);
        }
        return names;
    }

    /// Returns true for heads of transformers' classes that do not belong to a task of the family; transformers ignores
    /// them, too.
    bool is_head_of_another_class(const std::string& name) const {
        std::string own = name;
        if (const std::string prefix = family_.base_prefix(); !prefix.empty() && own.starts_with(prefix))
            own.erase(0, prefix.size());
        static const std::vector<std::string> heads{
            "cls.seq_relationship.", "qa_outputs.",           "score.",    "multiple_choice_head.",
            "pooler.dense.",         "embeddings.mask_token", "decoder.0."};
        return std::ranges::any_of(heads, [&](const std::string& head) { return own.starts_with(head); });
    }

    void check_what_is_left() {
        std::vector<std::string> unknown;
        const std::set<std::string> of_tasks = names_of_tasks();
        for (const auto& [name, index] : left_)
            if (of_tasks.contains(name) || is_head_of_another_class(name))
                continue;
            else if (model_.tie_word_embeddings && !family_.head_name().empty() &&
                     std::ranges::count(families::stored_names(family_.head_name()), name) > 0) {
                if (stored_head(source_, model_).differs)
                    tell(
                        Message("has a head of its own, {}, which differs from the table of the embedding, "
                                "and model.tie_word_embeddings is true: set it to false",
                                name));
            } else if (!family_.is_constant(name) && !family_.is_constant(family_.base_prefix() + name)) {
                unknown.push_back(name);
            }
        if (unknown.empty() || misfits_ > 0)  // then they belong to another model, which is reported already
            return;
        constexpr std::size_t kMostShown = 5;
        const std::size_t count = unknown.size();
        unknown.resize(std::min(count, kMostShown));
        const Message names = count > kMostShown
                                  ? Message("{} and {} more", fmt::join(unknown, ", "), count - kMostShown)
                                  : Message::verbatim(fmt::format("{}", fmt::join(unknown, ", ")));
        if (std::ranges::all_of(unknown, config::is_adapter))
            return tell(
                Message("has an adapter beside its weights ({}): merge it (trainyard merge-adapter), or start "
                        "from the model that it was trained on, with lora.adapter",
                        names));
        tell(Message("has tensors that {} lacks ({}): remove them from the file, since training would drop them",
                     family_.architecture(model_), names));
    }

    const config::ModelRecipe& model_;
    const families::Family& family_;
    const weights::WeightSource& source_;
    bool of_another_task_;
    std::map<std::string, std::size_t> left_;  ///< of the source, by name: not matched yet
    families::StoredTensors stored_;
    std::vector<std::string> missing_;
    std::size_t misfits_ = 0, found_ = 0;
    int wrong_types_ = 0;
    Message first_misfit_;
    std::vector<InputProblem> problems_;
};

}  // namespace

namespace {

/// What describes the weights: the config.json beside them, or a folder of Megatron-LM. Empty: nothing does.
fs::path description_of(const std::string& weights) {
    const fs::path file = config_file(weights);
    return file.empty() ? weights::megatron_folder(weights) : file;
}

/// The config.json beside the weights; of a model of timm or Megatron-LM, that of the same model of transformers.
std::string config_of_weights(const fs::path& file, const std::string& weights) {
    if (file.filename() != "config.json")
        return weights::megatron_config(file);
    const std::string text = text::read_text_file(file, kMostConfigBytes);
    return weights::is_timm_config(text)
               ? weights::vit_config_of_timm(text, file.string(), *weights::open_first_model(weights))
               : text;
}

/// Options that the recipe leaves at their defaults come from the quantization_config of the weights, which was
/// checked.
void take_options_of_weights(config::QuantizationRecipe& recipe, const std::string& text) {
    const nlohmann::json config = parse_json(text);
    const auto found = config.find("quantization_config");
    if (found == config.end() || !found->is_object())
        return;
    const auto value = [&](const char* flag, const char* key) {
        return found->value(flag, false) ? found->value(key, nlohmann::json()) : nlohmann::json();
    };
    if (const nlohmann::json threshold = value("load_in_8bit", "llm_int8_threshold");
        threshold.is_number() && recipe.llm_int8_threshold == config::QuantizationRecipe().llm_int8_threshold)
        recipe.llm_int8_threshold = threshold.get<double>();
    const nlohmann::json type = value("load_in_4bit", "bnb_4bit_compute_dtype");
    using Compute = config::QuantizedCompute;
    for (const auto& [name, compute] :
         {std::pair{"float32", Compute::fp32}, {"bfloat16", Compute::bf16}, {"float16", Compute::fp16}})
        if (type == name && recipe.bnb_4bit_compute_dtype == Compute::automatic)
            recipe.bnb_4bit_compute_dtype = compute;
}

}  // namespace

SettledModel settle_model(const config::ModelRecipe& model) {
    SettledModel settled{model, {}, {}};
    if (model.quantization.method == config::Quantization::automatic && model.lora.r > 0)
        if (const std::optional<config::Quantization> stored = stored_quantization(model.weights))
            settled.model.quantization.method = *stored;
    std::error_code error;
    if (model.weights.empty() || !fs::exists(model.weights, error))
        return settled;
    const fs::path path = description_of(model.weights);
    if (path.empty()) {
        if (const families::Family* family = families::find_family(model.model_type))
            write_all_keys(settled.model, *family);
        return settled;
    }
    families::ConfigFile file;
    std::string text;
    try {
        text = config_of_weights(path, model.weights);
        file = families::read_config(text, path.string());
    } catch (const UserError& problem) {
        settled.problems = problems_of(problem);
        return settled;
    }
    const families::Family& family = families::family_of(file.config);
    bool has_own_head = false;
    if (file.refused.empty()) {
        if (model.quantization.method == config::Quantization::automatic)
            take_options_of_weights(settled.model.quantization, text);
        families::ModelConfig of_task = file.config;
        if (model.written.keys.contains("task"))
            of_task.task = model.task;
        if (const std::optional<StoredHead> head = head_against_file(model.weights, of_task)) {
            has_own_head = true;
            file.config.tie_word_embeddings = false;
            settled.notes.push_back(
                Message("{} has tie_word_embeddings: true, and the weights have a head "
                        "of their own, {}, which differs from {}: the head of the file "
                        "is used, and tie_word_embeddings counts as false",
                        path.string(), head->head, head->table));
        }
    }
    for (const Message& sentence : file.refused)
        settled.problems.push_back({kWeightsKey, Message("{}: {}", path.string(), sentence)});
    for (const Message& note : file.notes)
        settled.notes.push_back(Message("{}: {}", path.string(), note));
    auto contradict = [&](const std::string& key, const std::string& mine, const std::string& its) {
        settled.problems.push_back(
            {"model." + key,
             Message("the recipe says {}, and {}, which describes the weights, says {}: leave the key out, "
                     "or give the same value",
                     mine, path.string(), its)});
    };
    if (model.model_type != file.config.model_type) {
        if (model.written.keys.contains("model_type"))
            contradict("model_type", model.model_type, file.config.model_type);
    }
    config::ModelRecipe of_file = model;
    of_file.model_type = file.config.model_type;
    for (const std::string& name : model.written.keys)
        if (config::is_of_another_family(of_file, name))
            settled.problems.push_back(
                {"model." + name, Message("is not a key of {}, the model type of the weights in {}: leave it out",
                                          family.model_type(), model.weights)});
    static_cast<families::ModelConfig&>(settled.model) = file.config;
    if (model.written.keys.contains("task"))
        settled.model.task = model.task;
    settled.model.loss = model.loss;
    for (const families::ConfigKey& key : family.keys()) {
        if (!model.written.keys.contains(key.name))
            continue;
        std::visit([&](auto member) { settled.model.*member = model.*member; }, key.member);
        if (key.name == "tie_word_embeddings" && model.tie_word_embeddings && has_own_head)
            settled.problems.push_back(
                {"model.tie_word_embeddings",
                 Message("is true, and the weights in {} have a head of their own, {}, which differs from "
                         "the table of the embedding: leave the key out, or set it to false",
                         model.weights, family.head_name())});
        else if (key.of_weights && !family.same_weights(key, model, file.config))
            contradict(key.name, families::value_text(key, model), families::value_text(key, file.config));
    }
    if (family.head_is_as_stored() && !model.written.keys.contains("tie_word_embeddings") && settled.problems.empty())
        settled.model.tie_word_embeddings = !head_of_weights(model.weights, settled.model).differs;
    write_all_keys(settled.model, family);
    return settled;
}

SettledModel settle_model_of(config::Recipe& recipe) {
    SettledModel settled = settle_model(recipe.model);
    recipe.model = settled.model;
    if (!families::reads_text(recipe.model.task))
        recipe.data.sequence_length = 1;
    return settled;
}

std::vector<Message> notes_of_weights(const config::ModelRecipe& model) {
    std::error_code error;
    if (model.weights.empty() || !fs::exists(model.weights, error))
        return {};
    std::vector<Message> notes = settle_model(model).notes;
    try {
        const auto source = weights::open_model(model.weights);
        notes.insert(notes.end(), source->notes().begin(), source->notes().end());
    } catch (const UserError&) {
        return notes;
    }
    return notes;
}

std::vector<InputProblem> check_start_weights(const config::ModelRecipe& model) {
    if (!families::family_of(model).lists_tensors())
        return {};  // its tensors are known when it is loaded, and compared then
    bool of_another_task = false;
    if (const fs::path path = description_of(model.weights); !path.empty()) {
        const families::ConfigFile file = families::read_config(config_of_weights(path, model.weights), path.string());
        of_another_task = file.config.task != model.task;
    }
    return WeightsCheck(model, *weights::open_model(model.weights), of_another_task).run();
}

}  // namespace trainyard::inputs
