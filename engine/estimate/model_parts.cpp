// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/model_parts.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe.h"
#include "estimate/architecture_config.h"
#include "estimate/known_model.h"
#include "estimate/module_roles.h"
#include "formats/weights/weight_source.h"
#include "models/spec/config_file.h"
#include "models/spec/tasks.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::estimate {

namespace {

constexpr std::size_t kLargest = 10;
constexpr double kMostParameters = 1e15;

bool is_layer_number(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::string joined_path(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

/// Adds up one block.
class BlockCounter {
  public:
    /// `chosen`: experts that a token is sent to.
    BlockCounter(BlockShape& shape, double chosen) : shape_(shape), chosen_(chosen) {}

    void count(const Module& module, const std::string& path, double times) {
        if (module.tensors.size() > 0)
            tensors(module, path, times);
        Group group;
        for (const Module& child : module.children) {
            const double repeated = times * static_cast<double>(child.repeat);
            const std::string below = joined_path(path, child.name);
            if (const ModuleTensor* weight = matrix_of(child))
                product(*weight, below, repeated, group);
            count(child, below, repeated);
        }
        shape_.product_inputs += group.attention_input + group.open_input;
    }

    double experts() const { return experts_; }

  private:
    /// Products of the same input: the largest counts.
    struct Group {
        double attention_input = 0, open_input = 0;
    };

    static const ModuleTensor* matrix_of(const Module& module) {
        for (const ModuleTensor& tensor : module.tensors)
            if (!tensor.buffer && tensor.name == "weight" && tensor.shape.size() == 2)
                return &tensor;
        return nullptr;
    }

    void product(const ModuleTensor& weight, const std::string& path, double times, Group& group) {
        auto inputs = static_cast<double>(weight.shape[1]), outputs = static_cast<double>(weight.shape[0]);
        if (is_transposed(path))
            std::swap(inputs, outputs);
        shape_.products += times * inputs * outputs;
        bool of_keys = false;
        switch (role_of(path)) {
            case ModuleRole::attention_input: {
                shape_.attention_values += times * outputs;
                group.attention_input = std::max(group.attention_input, times * inputs);
                const std::string name = path.substr(path.rfind('.') + 1);
                of_keys = name.starts_with('k') || name.starts_with('v');
                if (of_keys) {
                    shape_.key_value_width += times * outputs;
                    shape_.key_parameters += times * inputs * outputs;
                }
                break;
            }
            case ModuleRole::attention_close:
                shape_.attention_values += times * inputs;
                shape_.attention_width += times * inputs;
                shape_.closed += times * outputs;
                break;
            case ModuleRole::open:
                shape_.opened += times * outputs;
                group.open_input = std::max(group.open_input, times * inputs);
                break;
            case ModuleRole::close:
                shape_.activated += times * inputs;
                shape_.closed += times * outputs;
                break;
            default:
                return;  // routers and tables of positions: small, and not divided
        }
        shape_.split_parameters += times * inputs * outputs;
        shape_.matrix_inputs += times * (inputs + outputs);
        shape_.matrices.push_back({path, times * inputs * outputs, false, of_keys});
    }

    void tensors(const Module& module, const std::string& path, double times) {
        for (const ModuleTensor& tensor : module.tensors) {
            if (tensor.buffer)
                continue;
            shape_.parameters += times * tensor.elements();
            shape_.tensors += times;
            if (tensor.shape.size() == 3)
                expert(tensor, path, times);
            else if (tensor.shape.size() == 1 && tensor.name == "weight" && role_of(path) == ModuleRole::norm)
                shape_.norm_inputs += times * tensor.elements();
        }
    }

    /// [experts, outputs, inputs]
    void expert(const ModuleTensor& tensor, const std::string& path, double times) {
        const auto inputs = static_cast<double>(tensor.shape[2]), outputs = static_cast<double>(tensor.shape[1]);
        const ModuleRole role = role_of(joined_path(path, tensor.name));
        if (role != ModuleRole::open && role != ModuleRole::close)
            return;
        experts_ = static_cast<double>(tensor.shape[0]);
        const double chosen = times * std::min(chosen_, experts_);
        shape_.matrices.push_back({joined_path(path, tensor.name), times * tensor.elements(), true});
        shape_.expert_parameters += times * tensor.elements();
        shape_.split_parameters += times * tensor.elements();
        shape_.products += chosen * inputs * outputs;
        shape_.expert_products += chosen * inputs * outputs;
        shape_.expert_inputs += times * experts_ * (inputs + outputs);
        shape_.expert_share = std::min(chosen_, experts_) / experts_;
        if (role == ModuleRole::open) {
            shape_.opened += chosen * outputs;
            shape_.expert_inner += chosen * outputs;
            shape_.product_inputs += chosen * inputs;
            shape_.expert_tokens = chosen * inputs;
        } else {
            shape_.activated += chosen * inputs;
            shape_.expert_inner += chosen * inputs;
            shape_.closed += chosen * outputs;
        }
    }

    BlockShape& shape_;
    double chosen_;
    double experts_ = 0;
};

class PartsCounter {
  public:
    explicit PartsCounter(double chosen) : chosen_(chosen) {}

    ModelParts count(const Module& root) {
        walk(root, "", 1);
        if (parts_.blocks.empty())
            parts_.blocks = std::move(convolutions_);
        for (const BlockShape& each : convolutions_)  // in front of the blocks, as in models of speech
            parts_.embedding_parameters += each.parameters * static_cast<double>(each.count);
        std::ranges::stable_sort(parts_.largest, std::ranges::greater{}, &NamedTensor::elements);
        if (parts_.largest.size() > kLargest)
            parts_.largest.resize(kLargest);
        parts_.width = width_;
        return parts_;
    }

  private:
    void walk(const Module& module, const std::string& path, double times) {
        for (const ModuleTensor& tensor : module.tensors)
            if (!tensor.buffer)
                outside(tensor, joined_path(path, tensor.name), times);
        for (const Module& child : module.children) {
            if (child.repeat == 0)
                continue;
            const std::string below = joined_path(path, child.name);
            if (is_layer_number(child.name) && !child.children.empty())
                block(child, below);
            else
                walk(child, below, times * static_cast<double>(child.repeat));
        }
    }

    void block(const Module& module, const std::string& path) {
        BlockShape shape;
        shape.name = path;
        shape.count = module.repeat;
        BlockCounter counter(shape, chosen_);
        counter.count(module, "", 1);
        // Of a fused projection: what is neither queries nor the output.
        if (shape.key_value_width == 0 && shape.attention_width > 0)
            shape.key_value_width = std::max(0.0, shape.attention_values - 2 * shape.attention_width);
        parts_.experts = std::max(parts_.experts, counter.experts());
        const bool convolves = shape.products == 0;
        if (width_ == 0 && shape.norm_inputs > 0 && !convolves)
            width_ = first_norm(module);
        const std::string last =
            module.repeat > 1 ? fmt::format("{}-{}", path, std::stoll(module.name) + module.repeat - 1) : path;
        list(module, last, static_cast<double>(module.repeat));
        (convolves ? convolutions_ : parts_.blocks).push_back(std::move(shape));
    }

    static double first_norm(const Module& module) {
        for (const Module& child : module.children) {
            if (role_of(child.name) == ModuleRole::norm && !child.tensors.empty())
                return child.tensors.front().elements();
            if (const double below = first_norm(child); below > 0)
                return below;
        }
        return 0;
    }

    void list(const Module& module, const std::string& path, double times) {
        for (const ModuleTensor& tensor : module.tensors)
            if (!tensor.buffer)
                parts_.largest.push_back({joined_path(path, tensor.name), tensor.shape,
                                          static_cast<std::int64_t>(times), times * tensor.elements()});
        for (const Module& child : module.children)
            list(child, joined_path(path, child.name), times * static_cast<double>(child.repeat));
    }

    void outside(const ModuleTensor& tensor, const std::string& path, double times) {
        const double elements = times * tensor.elements();
        const bool matrix = tensor.shape.size() == 2;
        parts_.largest.push_back({path, tensor.shape, static_cast<std::int64_t>(times), elements});
        if (is_embedding(path)) {
            parts_.embedding_parameters += elements;
            if (matrix && width_ == 0 && path.find("osition") == std::string::npos &&
                path.find("wpe") == std::string::npos)
                width_ = static_cast<double>(tensor.shape[1]);
            return;
        }
        parts_.head_parameters += elements;
        if (matrix && tensor.name == "weight") {
            parts_.head_products += elements;
            const double rows = static_cast<double>(tensor.shape[0]);
            if (elements > head_elements_) {
                head_elements_ = elements;
                head_rows_ = rows;
            }
            parts_.vocabulary = head_rows_;
        }
    }

    double chosen_;
    double width_ = 0, head_elements_ = 0, head_rows_ = 0;
    std::vector<BlockShape> convolutions_;  ///< numbered modules without matrices
    ModelParts parts_;
};

ModelParts checked(ModelParts parts, const std::string& where) {
    for (const BlockShape& block : parts.blocks)
        if (block.products == 0)
            throw UserError(
                "{} is a convolutional network: its training memory depends on the size of the "
                "pictures and is not estimated; only loading it is",
                where);
    if (parts.blocks.empty() || parts.width == 0)
        throw UserError("{} has no numbered layers with matrices: its training memory cannot be estimated", where);
    if (!(parts.parameters() < kMostParameters))
        throw UserError("{} describes a model of {:.2g} parameters: check its numbers", where, parts.parameters());
    return parts;
}

/// Counts what tensor parallel ranks of the engine divide of a model that it trains, as its plan does.
void count_divided(ModelParts& parts, const families::ModelConfig& model) {
    const std::vector<families::PlacementRow> plan = families::tensor_plan(model);
    if (plan.empty())
        return;
    std::map<std::int64_t, BlockShape*> first_blocks;
    std::int64_t number = 0;
    for (BlockShape& shape : parts.blocks) {
        first_blocks[number] = &shape;
        number += shape.count;
        shape.split_parameters = shape.key_parameters = shape.key_heads = 0;
    }
    for (const families::TensorShape& tensor : families::family_of(model).tensors(model)) {
        const auto elements = static_cast<double>(tensor.elements());
        const families::TensorCut cut = families::cut_of(plan, tensor.name, tensor.shape);
        const bool divided = !cut.sections.empty();
        if (tensor.part == families::Part::embedding) {
            parts.whole_embedding += divided ? 0 : elements;
        } else if (tensor.part == families::Part::head) {
            parts.whole_head += divided ? 0 : elements;
        } else if (const auto found = first_blocks.find(tensor.block); found != first_blocks.end()) {
            BlockShape& shape = *found->second;
            // A projection with a single head of keys, which every rank has (DecoderOptions::has_whole_projection()).
            const bool has_one_head = cut.placement == families::Placement::summed && tensor.shape.size() == 2;
            if (!divided && !has_one_head)
                continue;
            shape.split_parameters += elements;
            if (cut.heads == 0 && !has_one_head)
                continue;
            shape.key_parameters += elements;
            shape.key_heads = has_one_head ? 1 : static_cast<double>(cut.heads);
            for (BlockMatrix& matrix : shape.matrices)
                if (tensor.name.ends_with("." + matrix.module + ".weight"))
                    matrix.of_keys = true;
        }
    }
}

}  // namespace

double BlockShape::split_on_rank(double tp) const {
    return (split_parameters - expert_parameters - key_parameters) / tp + key_parameters / key_ranks(tp);
}

double BlockShape::products_on_rank(double tp) const {
    double sum = products - expert_products + expert_products / tp;
    for (const BlockMatrix& matrix : matrices)
        if (!matrix.of_experts)
            sum -= matrix.elements * (1 - 1 / ranks_of(matrix, tp));
    return sum;
}

std::string BlockShape::module_name(const BlockMatrix& matrix, std::int64_t number) const {
    const std::size_t last = name.rfind('.') + 1;  // npos + 1 is 0
    return fmt::format("{}{}.{}", name.substr(0, last), std::stoll(name.substr(last)) + number, matrix.module);
}

double ModelParts::parameters() const {
    double sum = embedding_parameters + head_parameters;
    for (const BlockShape& block : blocks)
        sum += block.parameters * static_cast<double>(block.count);
    return sum;
}

std::int64_t ModelParts::layers() const {
    std::int64_t sum = 0;
    for (const BlockShape& block : blocks)
        sum += block.count;
    return sum;
}

ModelParts model_parts(const ModelTree& tree, const std::string& config_json, const std::string& where) {
    const ArchitectureConfig config(parse_json(config_json), where);
    const families::Family* family = families::find_family(config.text("model_type", ""));
    if (family != nullptr && families::reads_images(family->tasks().front().task) &&
        families::find_key(*family, "image_size") == nullptr)
        throw UserError(
            "{} reads images of any size, which its training memory depends on, so that is not estimated; only loading "
            "it is",
            where);
    const double chosen =
        static_cast<double>(config.whole({"num_experts_per_tok", "num_experts_per_token", "moe_topk"}, 2));
    ModelParts parts = PartsCounter(chosen).count(tree.root);
    parts.model_class = tree.model_class;
    parts.heads = static_cast<double>(
        config.whole({"num_attention_heads", "n_head", "n_heads", "encoder_attention_heads", "num_heads"}, 0, 0));
    parts.key_value_heads = static_cast<double>(
        config.whole({"num_key_value_heads", "num_kv_heads"}, static_cast<std::int64_t>(parts.heads), 0));
    parts.positions = static_cast<double>(config.whole({"max_position_embeddings", "n_positions"}, 0, 0));
    for (BlockShape& block : parts.blocks)
        block.key_heads = block.key_parameters > 0 ? parts.key_value_heads : 0;
    if (parts.blocks.size() == 1 && parts.blocks.front().name.find("albert_layer") != std::string::npos)
        parts.blocks.front().runs = config.whole("num_hidden_layers", 12);
    for (const std::vector<std::string>& group : tree.tied) {
        auto kept = std::ranges::find_if(group, is_embedding);  // the head uses the embedding's
        if (kept == group.end())
            kept = group.begin();
        for (auto name = group.begin(); name != group.end(); ++name) {
            const ModuleTensor* tensor = find_parameter(tree.root, *name);
            if (name == kept || tensor == nullptr)
                continue;
            (is_embedding(*name) ? parts.embedding_parameters : parts.head_parameters) -= tensor->elements();
            if (tensor->shape.size() == 2)
                parts.tied_parameters = tensor->elements();
        }
    }
    return checked(std::move(parts), where);
}

ModelParts model_parts(const std::string& config_json, const std::string& where) {
    for (const char* with_head : {"AutoModelForCausalLM", "AutoModelForMaskedLM", "AutoModelForSeq2SeqLM"})
        try {
            return model_parts(model_tree(config_json, where, with_head), config_json, where);
        } catch (const UserError&) {  // no such class of this model: the next
        }
    return model_parts(model_tree(config_json, where, "AutoModel"), config_json, where);
}

ModelParts model_parts(const families::ModelConfig& model) {
    require_listed_tensors(model);
    const std::string json = families::write_config(model);
    ModelParts parts = model_parts(families::model_tree(model, families::auto_class(model.task)), json, "the recipe");
    parts.recipe = model;
    count_divided(parts, model);
    return parts;
}

ModelParts model_parts_of_file(const std::filesystem::path& safetensors) {
    const std::unique_ptr<weights::WeightSource> source = weights::open_weights(safetensors);
    std::vector<ModuleTensor> tensors;
    for (const weights::SourceTensor& tensor : source->tensors())
        tensors.push_back({tensor.name, tensor.shape, false, 4});
    ModelParts parts = PartsCounter(2).count(families::tree_of_names(tensors, true));
    parts.model_class = safetensors.filename().string();
    parts.notes = source->notes();
    return checked(std::move(parts), safetensors.string());
}

ModelParts load_model_parts(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw UserError(
            "{} is not a file or folder here: name a recipe, a config.json, a safetensors file or the folder of a "
            "model",
            path.string());
    if (std::filesystem::is_directory(path, error)) {
        if (std::filesystem::exists(path / "config.json", error))
            return load_model_parts(path / "config.json");
        return model_parts_of_file(path);
    }
    const std::string ending = path.extension().string();
    if (ending == ".yaml" || ending == ".yml")
        return model_parts(inputs::settle_model(config::load_recipe(path).model).model);
    if (ending == ".json")
        return model_parts(text::read_text_file(path), path.string());
    return model_parts_of_file(path);
}

}  // namespace trainyard::estimate
