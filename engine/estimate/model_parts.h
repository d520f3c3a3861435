// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model as the estimator sees it: its blocks with their numbers of parameters, of multiplications and of values that
// backward needs. Computed from a module tree (architectures.h), thus from a config.json, a recipe or the header of a
// safetensors file, without a tensor. Blocks that are all alike are one entry, so any number of layers costs the same.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "estimate/architectures.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

/// The matrix of a module of a block.
struct BlockMatrix {
    std::string module;   ///< from the block down: "self_attn.q_proj"
    double elements = 0;  ///< of experts all of them
    bool of_experts = false;
    bool of_keys = false;  ///< BlockShape::key_ranks() divide it
};

/// Blocks of the same shape. All numbers are of one block; values (activations) are elements per token.
struct BlockShape {
    std::string name;        ///< of the first: "model.layers.0"
    std::int64_t count = 1;  ///< blocks with weights of their own
    std::int64_t runs = 1;   ///< how often each is used in a forward pass (ALBERT shares its weights)
    double parameters = 0;
    double expert_parameters = 0;  ///< of these, in experts: expert parallelism shares them out
    double split_parameters = 0;   ///< of parameters, those that tensor parallelism divides, with those of experts
    double key_parameters = 0;     ///< of split_parameters, those that key_ranks() divide: of keys and values
    double key_heads = 0;          ///< heads of keys and values. More ranks than heads have copies. 0: not known
    double matrix_inputs = 0;      ///< inputs plus outputs of the matrices: what LoRA adds per rank; without experts
    double expert_inputs = 0;      ///< the same of all experts
    double expert_share = 0;       ///< of the experts, those that a token is sent to
    double expert_products = 0;    ///< of products, those of experts
    double tensors = 0;            ///< number of parameters
    double products = 0;           ///< weights that a token is multiplied with; of experts those it is sent to
    double attention_width = 0;    ///< heads * width of a head, over all attention layers of the block; 0: no attention
    double key_value_width = 0;    ///< outputs of the key and value products
    double norm_inputs = 0;        ///< the residual stream at the norms
    double product_inputs = 0;     ///< outputs of the norms, which are operands of products
    double attention_values = 0;   ///< queries, keys, values and the output of the attention
    double opened = 0;             ///< outputs of the products that widen: inputs of the activation function
    double activated = 0;          ///< its outputs
    double closed = 0;             ///< outputs of the products that return to the residual stream
    double expert_tokens = 0;  ///< width * experts per token: what expert parallelism sends and receives; 0: no experts
    double expert_inner = 0;   ///< of opened and activated, in experts
    std::vector<BlockMatrix> matrices;  ///< those that can be quantized

    /// Returns how many of `tp` tensor parallel ranks divide keys and values: at most one for each head.
    double key_ranks(double tp) const { return key_heads > 0 ? std::min(tp, key_heads) : tp; }
    /// Returns how many of `tp` tensor parallel ranks divide a matrix.
    double ranks_of(const BlockMatrix& matrix, double tp) const { return matrix.of_keys ? key_ranks(tp) : tp; }
    /// Returns the part of split_parameters, without experts, that one of `tp` tensor parallel ranks has.
    double split_on_rank(double tp) const;
    /// Returns the part of all parameters, without experts, that one of `tp` tensor parallel ranks has.
    double dense_on_rank(double tp) const { return parameters - split_parameters + split_on_rank(tp); }
    /// Returns the part of products that one of `tp` tensor parallel ranks multiplies a token with.
    double products_on_rank(double tp) const;
    /// Returns the keys and values of the heads of a rank, in elements per token.
    double keys_on_rank(double tp) const { return key_value_width / key_ranks(tp); }
    /// Returns the attention_values of the heads of a rank.
    double attention_on_rank(double tp) const { return (attention_values - key_value_width) / tp + keys_on_rank(tp); }

    /// The name of a matrix in block `number` of these: "model.layers.7.self_attn.q_proj".
    std::string module_name(const BlockMatrix& matrix, std::int64_t number) const;
};

struct NamedTensor {
    std::string name;  ///< "model.layers.0-31.mlp.up_proj.weight"
    families::Shape shape;
    std::int64_t count = 1;
    double elements = 0;  ///< of all of them
};

/// Returns how many of `all` parameters one of `tp` tensor parallel ranks has: every rank has the `undivided` ones.
inline double on_tensor_rank(double all, double undivided, double tp) {
    return undivided + (all - undivided) / tp;
}

struct ModelParts {
    std::string model_class;                ///< "LlamaForCausalLM"
    double width = 0;                       ///< of the residual stream
    double vocabulary = 0;                  ///< rows of the head; 0: the model has no head over a vocabulary
    double heads = 0, key_value_heads = 0;  ///< 0: not known
    double positions = 0;                   ///< longest sequence; 0: not known, or no limit
    double experts = 0;                     ///< of a block; 0: none
    double embedding_parameters = 0;        ///< on the first stage of a pipeline
    double head_parameters = 0;             ///< on the last one, without a weight shared with the embedding
    double tied_parameters = 0;             ///< the shared weight: a pipeline has it on both
    double whole_embedding = 0;             ///< of the embedding, what each tensor parallel rank has: positions
    double whole_head = 0;                  ///< the same of the head: norms
    double head_products = 0;               ///< multiplications of the head per token
    std::vector<BlockShape> blocks;         ///< in the order of the forward pass
    std::vector<NamedTensor> largest;       ///< ten, the largest first
    std::vector<Message> notes;             ///< on how the weights were read: WeightSource::notes()
    /// Of a model that the engine trains: bytes that its kernels keep, instead of those counted from the tree.
    std::optional<families::ModelConfig> recipe;

    double embedding_on_rank(double tp) const { return on_tensor_rank(embedding_parameters, whole_embedding, tp); }
    double head_on_rank(double tp) const { return on_tensor_rank(head_parameters, whole_head, tp); }
    double parameters() const;
    std::int64_t layers() const;
};

/// Keys that a tree does not show are read from `config_json`. Throws UserError if the model has no blocks with matrix
/// products whose values can be counted (convolutional networks): `where` names it.
ModelParts model_parts(const ModelTree& tree, const std::string& config_json, const std::string& where);
/// From a config.json; the class of its auto_map, else that of a causal language model, else AutoModel.
ModelParts model_parts(const std::string& config_json, const std::string& where);
ModelParts model_parts(const families::ModelConfig& model);
/// Reads the parts from names and shapes alone, of a safetensors file or an index of several. Throws UserError for any
/// other file.
ModelParts model_parts_of_file(const std::filesystem::path& safetensors);
/// A file, a folder with a config.json or safetensors, or a recipe (.yaml). Throws UserError (a sentence with the
/// path).
ModelParts load_model_parts(const std::filesystem::path& path);

}  // namespace trainyard::estimate
