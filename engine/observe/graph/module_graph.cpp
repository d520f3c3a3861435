// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of modules from names and shapes of tensors. Such files store no flow of data, so modules are put into the
// order in which families of transformers use them, as far as their names say it.

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/text_file.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"
#include "observe/graph/graph_builder.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/reader.h"
#include "run/spec.h"

namespace trainyard::graph {

namespace {

/// Where a module is used among its siblings. Those of a stage with `side_by_side` read the same input.
struct Stage {
    int number = 0;
    bool side_by_side = false;
    std::initializer_list<std::string_view> names;
};

const Stage kStages[] = {
    {0,
     true,
     {"embed_tokens", "wte", "wpe", "embeddings", "embed_in", "word_embeddings", "position_embeddings",
      "token_type_embeddings", "patch_embeddings", "shared", "embedder", "feature_extractor", "encoder_embed"}},
    {10, false, {"input_layernorm", "layernorm_before", "ln_1", "norm1", "layer_norm1", "attention_norm"}},
    {20, true, {"q_proj", "k_proj", "v_proj", "query", "key",    "value",           "q",        "k",  "v",  "q_norm",
                "k_norm", "q_lin",  "k_lin",  "v_lin", "c_attn", "query_key_value", "qkv_proj", "wq", "wk", "wv"}},
    {30, false, {"self_attn", "attn", "attention", "self_attention", "SelfAttention", "self"}},
    {40,
     false,
     {"post_attention_layernorm", "layernorm_after", "ln_2", "norm2", "layer_norm2", "ffn_norm", "sa_layer_norm"}},
    {45, false, {"pre_feedforward_layernorm", "router", "gate"}},
    {50, true, {"gate_proj", "up_proj", "gate_up_proj", "wi_0", "wi_1", "wi", "c_fc", "w1", "w3", "fc1", "lin1", "up"}},
    {55, false, {"experts", "shared_expert", "shared_experts"}},
    {60,
     false,
     {"mlp", "intermediate", "block_sparse_moe", "feed_forward", "ffn", "o_proj", "out_proj", "out_lin", "down_proj",
      "c_proj", "dense", "w2", "wo", "o", "fc2", "lin2", "down"}},
    {65, false, {"output"}},
    {70, false, {"post_feedforward_layernorm", "output_layer_norm", "LayerNorm"}},
    {75, false, {"layers", "layer", "h", "blocks", "block", "encoder", "model", "transformer", "stages"}},
    {76, false, {"decoder"}},
    {80, false, {"norm", "ln_f", "final_layer_norm", "final_layernorm", "layernorm", "layer_norm"}},
    {85, false, {"pooler"}},
    {90, false, {"lm_head", "classifier", "score", "head", "cls", "fc", "embed_out", "qa_outputs"}},
};

const Stage* stage_of(const std::string& name) {
    for (const Stage& stage : kStages)
        if (std::find(stage.names.begin(), stage.names.end(), name) != stage.names.end())
            return &stage;
    return nullptr;
}

bool has_part(const std::string& name, std::initializer_list<const char*> parts) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::any_of(parts.begin(), parts.end(),
                       [&](const char* part) { return lower.find(part) != std::string::npos; });
}

/// Kind of layer of a module with these weights.
std::string layer_of(const Node& node) {
    const auto weight =
        std::find_if(node.weights.begin(), node.weights.end(), [](const Weight& one) { return one.name == "weight"; });
    if (weight == node.weights.end())
        return node.weights.empty() ? "" : "Parameters";
    const auto has = [&](const char* name) {
        return std::any_of(node.weights.begin(), node.weights.end(),
                           [&](const Weight& one) { return one.name == name; });
    };
    switch (weight->shape.size()) {
        case 1:
            return has("running_mean") ? "BatchNorm" : has("bias") ? "LayerNorm" : "RMSNorm";
        case 2:
            return has_part(node.label, {"embed", "wte", "wpe", "shared"}) ? "Embedding" : "Linear";
        case 3:
            return "Conv1d";
        case 4:
            return "Conv2d";
        default:
            return "Parameters";
    }
}

/// "h.#" against the end of {"transformer", "h", "0"}.
bool matches_end(const std::vector<std::string>& path, const std::vector<std::string>& pattern) {
    if (pattern.size() > path.size())
        return false;
    return std::equal(
        pattern.rbegin(), pattern.rend(), path.rbegin(), [](const std::string& want, const std::string& has) {
            return want == has || (want == "#" && has.find_first_not_of("0123456789") == std::string::npos);
        });
}

struct NamedWeight {
    std::string name;  ///< full
    Weight weight;
};

class ModuleGraph {
  public:
    ModuleGraph(std::string kind, const std::string& where) : builder_(where) { builder_.graph.kind = std::move(kind); }

    void set_config(const families::ModelConfig& config) {
        const families::Family& family = families::family_of(config);
        for (const auto& [modules, name] : family.modules().no_split)
            classes_.emplace_back(parts_of_path(modules, "."), name);
        builder_.graph.title = family.architecture(config);
        builder_.graph.facts.emplace_back("model_type", config.model_type);
        for (const families::ConfigKey& key : family.keys())
            builder_.graph.facts.emplace_back(key.file_name(), families::value_text(key, config));
    }

    void set_title(std::string title) { builder_.graph.title = std::move(title); }
    void note(Message message) { builder_.graph.notes.push_back(std::move(message)); }

    Graph build(const std::vector<NamedWeight>& weights) {
        for (const NamedWeight& one : weights) {
            std::vector<std::string> path = parts_of_path(one.name, ".");
            if (path.empty())
                continue;
            Weight weight = one.weight;
            weight.name = path.back();
            path.pop_back();
            if (path.empty())
                path = {weight.name};
            const std::uint32_t module = builder_.block(kNone, path);
            builder_.node(module).weights.push_back(std::move(weight));
        }
        order();
        name_layers();
        return builder_.finish();
    }

  private:
    /// Sorts the modules so that a block comes before what is in it and siblings are in the order of their stages, and
    /// connects siblings.
    void order() {
        std::vector<Node> old = std::move(builder_.graph.nodes);
        std::vector<std::vector<std::uint32_t>> children(old.size() + 1);
        for (std::uint32_t i = 0; i < old.size(); ++i)
            children[old[i].parent == kNone ? old.size() : old[i].parent].push_back(i);
        std::vector<Node> sorted;
        sorted.reserve(old.size());
        // Each entry: a list of children and the new number of their parent.
        std::vector<std::pair<std::size_t, std::uint32_t>> open{{old.size(), kNone}};
        while (!open.empty()) {
            const auto [list, parent] = open.back();
            open.pop_back();
            auto& siblings = children[list];
            int last = 0;
            std::map<std::uint32_t, int> stages;
            for (std::uint32_t sibling : siblings) {
                const Stage* stage = stage_of(old[sibling].label);
                last = stage != nullptr ? stage->number : last;
                stages[sibling] = last;
            }
            std::stable_sort(siblings.begin(), siblings.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return stages[a] < stages[b]; });
            std::vector<std::uint32_t> before, current;
            int current_stage = -1;
            const bool is_experts = parent != kNone && sorted[parent].label == "experts";
            for (std::uint32_t sibling : siblings) {
                const auto number = static_cast<std::uint32_t>(sorted.size());
                const Stage* stage = stage_of(old[sibling].label);
                const bool is_beside =
                    is_experts || (stage != nullptr && stage->side_by_side && stage->number == current_stage);
                if (!is_beside) {
                    before = std::move(current);
                    current.clear();
                }
                current_stage = stage != nullptr ? stage->number : -1;
                current.push_back(number);
                for (std::uint32_t from : before)
                    builder_.graph.edges.push_back({from, number, {}});
                sorted.push_back(std::move(old[sibling]));
                sorted.back().parent = parent;
                if (!children[sibling].empty())
                    open.emplace_back(sibling, number);
                else
                    sorted.back().is_block = false;
            }
        }
        builder_.graph.nodes = std::move(sorted);
    }

    void name_layers() {
        for (Node& node : builder_.graph.nodes) {
            const std::vector<std::string> path = parts_of_path(node.name, ".");
            for (const auto& [pattern, name] : classes_)
                if (matches_end(path, pattern))
                    node.op = name;
            if (node.op.empty() && !node.is_block)
                node.op = layer_of(node);
        }
    }

    GraphBuilder builder_;
    std::vector<std::pair<std::vector<std::string>, std::string>> classes_;
};

std::vector<NamedWeight> weights_of(const families::ModelConfig& config, const std::string& dtype,
                                    std::uint64_t bytes) {
    std::vector<NamedWeight> weights;
    for (const families::TensorShape& tensor : families::family_of(config).tensors(config)) {
        NamedWeight one{tensor.name, {}};
        one.weight.dtype = dtype;
        one.weight.shape = tensor.shape;
        one.weight.elements = static_cast<std::uint64_t>(tensor.elements());
        one.weight.bytes = one.weight.elements * bytes;
        weights.push_back(std::move(one));
    }
    return weights;
}

Graph graph_of_config(const families::ModelConfig& config, const char* kind, const std::string& where) {
    if (!families::family_of(config).lists_tensors())
        throw UserError("what a model of type {} consists of is known when it is loaded: open a checkpoint of it",
                        config.model_type);
    ModuleGraph graph(kind, where);
    graph.set_config(config);
    graph.note(
        Message("Modules are in the order in which the model uses them; sums and other operations without weights "
                "are not shown"));
    return graph.build(weights_of(config, "fp32", 4));
}

Graph graph_of_model(const config::Recipe& recipe, const std::filesystem::path& file) {
    return graph_of_config(inputs::settle_model(recipe.model).model, "recipe", file.string());
}

/// The config.json beside a checkpoint, if it is of a family.
std::optional<families::ModelConfig> config_beside(const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::path file = folder / "config.json";
    if (folder.empty() || !std::filesystem::is_regular_file(file, error))
        return std::nullopt;
    try {
        return families::read_config(text::read_text_file(file), file.string()).config;
    } catch (const UserError&) {
        return std::nullopt;  // of another kind of model: its names are enough
    }
}

}  // namespace

Graph graph_of_run(const std::filesystem::path& spec) {
    const run::RunSpec read = run::read_spec(spec);
    if (read.program)
        throw UserError("{} is of a program of its own, whose model is not known: open one of its checkpoints",
                        spec.string());
    return graph_of_model(read.recipe, spec);
}

Graph graph_of_recipe(const std::string& yaml, const std::filesystem::path& file) {
    return graph_of_model(config::parse_recipe(yaml, file), file);
}

Graph graph_of_checkpoint(const inspect::Reader& reader) {
    const inspect::Contents& contents = reader.contents();
    const inspect::QuantizedValues& quantized = reader.quantized();
    ModuleGraph graph("checkpoint", contents.root.string());
    graph.set_title(contents.root.filename().string());
    if (const auto config = config_beside(contents.root))
        graph.set_config(*config);
    std::vector<NamedWeight> weights;
    for (std::uint32_t i = 0; i < contents.tensors.size(); ++i) {
        const inspect::Tensor& tensor = contents.tensors[i];
        if (tensor.section != inspect::Section::weights || quantized.is_part(i))
            continue;
        NamedWeight one{tensor.model_name.empty() ? tensor.name : tensor.model_name, {}};
        one.weight.dtype = quantized.is_quantized(i) ? quantized.method(i) : inspect::shown_dtype(tensor.dtype);
        one.weight.shape = quantized.shape(i);
        one.weight.elements = quantized.elements(i);
        one.weight.bytes = tensor.bytes;
        one.weight.tensor = i;
        weights.push_back(std::move(one));
    }
    if (weights.empty())
        throw UserError("{} has no weights: its graph cannot be shown", contents.root.string());
    graph.note(
        Message("A checkpoint stores no flow of data: modules are in the order in which models of their names "
                "use them"));
    return graph.build(weights);
}

Graph graph_of_config_file(const std::filesystem::path& path) {
    return graph_of_config(families::read_config(text::read_text_file(path), path.string()).config, "config.json",
                           path.string());
}

}  // namespace trainyard::graph
