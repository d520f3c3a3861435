// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/megatron_folder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <regex>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "formats/weights/torch_file.h"
#include "formats/weights/torch_leaves.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kMegatronFiles[] = {"model_optim_rng.pt", "model_rng.pt"};
constexpr const char* kLatestStep = "latest_checkpointed_iteration.txt";

/// mp_rank_00, mp_rank_00_001, mp_rank_00_001_000: tensor, pipeline and expert rank.
struct MegatronRank {
    std::size_t tensor = 0, pipeline = 0, expert = 0;
    fs::path folder;
};

std::vector<MegatronRank> ranks_in(const fs::path& folder) {
    static const std::regex pattern(R"(mp_rank_(\d{2,4})(?:_(\d{3}))?(?:_(\d{3}))?)");
    std::vector<MegatronRank> ranks;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::smatch parts;
        std::error_code ignored;
        if (!std::regex_match(name, parts, pattern) || !entry.is_directory(ignored))
            continue;
        const auto number = [&](int part) {
            return parts[part].matched ? static_cast<std::size_t>(std::stoi(parts[part])) : 0;
        };
        ranks.push_back({number(1), number(2), number(3), entry.path()});
    }
    std::ranges::sort(ranks, {}, [](const MegatronRank& rank) { return std::tuple(rank.pipeline, rank.tensor); });
    return ranks;
}

fs::path file_of(const fs::path& folder) {
    std::error_code error;
    for (const std::string_view name : kMegatronFiles)
        if (fs::is_regular_file(folder / name, error))
            return folder / name;
    return {};
}

/// The part of a model that a tensor of Megatron is.
enum class Role {
    words,
    positions,
    final_norm,
    head,
    input_norm,
    qkv,
    attention_out,
    output_norm,
    up,
    down,
    left_out,
    unknown
};

struct RoleName {
    std::string_view name;  ///< ends with '.': of a module
    Role role;
};

constexpr std::array kRolesOutside{
    RoleName{"embedding.word_embeddings.", Role::words}, RoleName{"embedding.position_embeddings.", Role::positions},
    RoleName{"decoder.final_layernorm.", Role::final_norm}, RoleName{"decoder.final_norm.", Role::final_norm},
    RoleName{"output_layer.", Role::head},
    // The table again, on the last stage of a pipeline.
    RoleName{"word_embeddings_for_head.", Role::left_out}, RoleName{"rotary_pos_emb.", Role::left_out}};
constexpr std::array kRolesInside{RoleName{"input_layernorm.", Role::input_norm},
                                  RoleName{"input_norm.", Role::input_norm},
                                  RoleName{"self_attention.linear_qkv.layer_norm_", Role::input_norm},
                                  RoleName{"attention.query_key_value.", Role::qkv},
                                  RoleName{"self_attention.query_key_value.", Role::qkv},
                                  RoleName{"self_attention.linear_qkv.", Role::qkv},
                                  RoleName{"attention.dense.", Role::attention_out},
                                  RoleName{"self_attention.dense.", Role::attention_out},
                                  RoleName{"self_attention.linear_proj.", Role::attention_out},
                                  RoleName{"post_attention_layernorm.", Role::output_norm},
                                  RoleName{"post_attention_norm.", Role::output_norm},
                                  RoleName{"pre_mlp_layernorm.", Role::output_norm},
                                  RoleName{"mlp.linear_fc1.layer_norm_", Role::output_norm},
                                  RoleName{"mlp.dense_h_to_4h.", Role::up},
                                  RoleName{"mlp.linear_fc1.", Role::up},
                                  RoleName{"mlp.dense_4h_to_h.", Role::down},
                                  RoleName{"mlp.linear_fc2.", Role::down},
                                  RoleName{"attention.masked_bias", Role::left_out},
                                  RoleName{"attention.bias", Role::left_out},
                                  RoleName{"attention.rotary_emb.", Role::left_out}};

/// A tensor of one rank: "weight" or "bias" of a role, in block `layer` of the rank.
struct RankTensor {
    Role role = Role::unknown;
    std::optional<std::size_t> layer = {};
    std::string kind = {};
    const TensorPart* part = nullptr;
};

/// `name` without the names of the modules around the model.
RankTensor rank_tensor(std::string_view name) {
    const auto drop = [&](std::string_view beginning) {
        if (name.starts_with(beginning))
            name.remove_prefix(beginning.size());
    };
    drop("module.");
    drop("language_model.");
    RankTensor tensor;
    if (name.ends_with("_extra_state") || name.find("._extra_state.") != std::string_view::npos) {
        tensor.role = Role::left_out;
        return tensor;
    }
    // encoder and transformer are what decoder was called before.
    std::string whole(name);
    for (const std::string_view older : {"encoder.", "transformer."})
        if (name.starts_with(older))
            whole = "decoder." + std::string(name.substr(older.size()));
    std::string_view rest = whole;
    std::span<const RoleName> roles = kRolesOutside;
    if (constexpr std::string_view kLayers = "decoder.layers."; rest.starts_with(kLayers)) {
        rest.remove_prefix(kLayers.size());
        tensor.layer = take_number<std::size_t>(rest);
        if (!tensor.layer || !rest.starts_with('.'))
            return {};
        rest.remove_prefix(1);
        roles = kRolesInside;
    }
    for (const RoleName& role : roles)
        if (rest.starts_with(role.name)) {
            tensor.kind = rest.substr(role.name.size());
            tensor.role = role.role == Role::left_out || tensor.kind == "weight" || tensor.kind == "bias"
                              ? role.role
                              : Role::unknown;
            return tensor;
        }
    return {};
}

/// What a rank saved of one chunk of the model: several with an interleaved schedule.
struct RankChunk {
    const TorchFile* file = nullptr;
    std::vector<RankTensor> tensors;
    std::size_t layers = 0;
};

/// The arguments of the run that decide about the model.
class MegatronArguments {
  public:
    MegatronArguments(const Value* arguments, std::string where) : where_(std::move(where)) {
        if (arguments != nullptr && arguments->kind == Kind::record && arguments->items().size() > 1)
            fields_ = &arguments->items()[1];
        if (fields_ == nullptr || fields_->kind != Kind::dict)
            throw UserError(
                "{} has no 'args', which say the number of attention heads: save it with a version of Megatron-LM "
                "that writes them",
                where_);
    }
    bool flag(std::string_view name) const {
        const Value* value = find(*fields_, name);
        return value != nullptr && value->kind == Kind::boolean && value->boolean;
    }
    std::optional<std::int64_t> number(std::string_view name) const {
        const Value* value = find(*fields_, name);
        return value != nullptr && value->kind == Kind::integer ? std::optional(value->integer) : std::nullopt;
    }
    std::int64_t needed(std::string_view name) const {
        const std::optional<std::int64_t> value = number(name);
        constexpr std::int64_t kMost = 1 << 24;
        if (!value || *value < 1 || *value > kMost)
            throw UserError("{}: args.{} is {}: it must be a positive number", where_, name,
                            value ? std::to_string(*value) : "missing");
        return *value;
    }
    double real(std::string_view name, double otherwise) const {
        const Value* value = find(*fields_, name);
        return value == nullptr               ? otherwise
               : value->kind == Kind::real    ? value->real
               : value->kind == Kind::integer ? static_cast<double>(value->integer)
                                              : otherwise;
    }
    std::string text(std::string_view name, std::string_view otherwise) const {
        const Value* value = find(*fields_, name);
        return std::string(value != nullptr && value->kind == Kind::text ? value->text() : otherwise);
    }
    bool has(std::string_view name) const {
        const Value* value = find(*fields_, name);
        return value != nullptr && value->kind != Kind::none;
    }
    const std::string& where() const { return where_; }

  private:
    std::string where_;
    const Value* fields_ = nullptr;
};

/// Rows of a matrix, or elements of a vector, of one rank's tensor.
struct RowRange {
    const TorchFile* file = nullptr;
    const TensorPart* part = nullptr;
    std::int64_t first = 0, count = 0;
};

/// A tensor of transformers: ranges one below the other, or whole parts side by side; transposed where the module is a
/// Conv1D.
struct JoinedTensor {
    std::vector<RowRange> rows;
    bool side_by_side = false, transposed = false;
};

std::int64_t columns_of(const TensorPart& part) {
    return part.shape.size() == 2 ? part.shape[1] : 1;
}

class MegatronSource final : public WeightSource {
  public:
    explicit MegatronSource(const fs::path& path) : folder_(megatron_folder(path)) {
        open_ranks();
        settle();
        join_all();
        if (left_optimizer_)
            add_note(Message("{}: only the weights are read, not the state of the optimizer", folder_.string()));
    }

    std::string config() const;

    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        const JoinedTensor& joined = joined_[tensor];
        std::vector<std::byte> copy;
        if (!joined.side_by_side && !joined.transposed) {
            for (const RowRange& range : joined.rows)
                sink(bytes_of(range, copy));
            return;
        }
        const std::size_t element = element_size(joined.rows.front().part->dtype);
        const auto out_columns = static_cast<std::size_t>(shape_of(joined)[1]);
        std::vector<std::byte> whole(static_cast<std::size_t>(tensors_[tensor].bytes));
        std::size_t row = 0, column = 0;  // where the next range begins, before the transposition
        for (const RowRange& range : joined.rows) {
            const std::span<const std::byte> bytes = bytes_of(range, copy);
            const auto columns = static_cast<std::size_t>(columns_of(*range.part)),
                       rows = static_cast<std::size_t>(range.count);
            for (std::size_t i = 0; i < rows; ++i) {
                const std::byte* from = bytes.data() + i * columns * element;
                if (!joined.transposed)
                    std::memcpy(whole.data() + ((row + i) * out_columns + column) * element, from, columns * element);
                else
                    for (std::size_t j = 0; j < columns; ++j)
                        std::memcpy(whole.data() + ((column + j) * out_columns + row + i) * element, from + j * element,
                                    element);
            }
            (joined.side_by_side ? column : row) += joined.side_by_side ? columns : rows;
        }
        sink(whole);
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool trusted) const override {
        const JoinedTensor& joined = joined_[tensor];
        if (joined.rows.size() != 1 || joined.transposed)
            return {};
        return rows_in(joined.rows.front(),
                       joined.rows.front().file->contiguous_bytes(*joined.rows.front().part, trusted));
    }
    std::string kind() const override {
        return Message("Megatron-LM, tensor parallel {}, pipeline parallel {}", tensor_ranks_, stages_);
    }

  private:
    static std::span<const std::byte> rows_in(const RowRange& range, std::span<const std::byte> all) {
        const std::size_t row = static_cast<std::size_t>(columns_of(*range.part)) * element_size(range.part->dtype);
        return all.empty() ? all
                           : all.subspan(static_cast<std::size_t>(range.first) * row,
                                         static_cast<std::size_t>(range.count) * row);
    }
    static std::span<const std::byte> bytes_of(const RowRange& range, std::vector<std::byte>& copy) {
        std::span<const std::byte> all = range.file->contiguous_bytes(*range.part);
        if (all.empty()) {
            copy.clear();
            range.file->stream(*range.part, [&](std::span<const std::byte> piece) {
                copy.insert(copy.end(), piece.begin(), piece.end());
            });
            all = copy;
        }
        return rows_in(range, all);
    }
    /// Before the transposition: rows and columns; of a vector its length.
    static std::vector<std::int64_t> size_of(const JoinedTensor& joined) {
        std::int64_t rows = 0, columns = 0;
        for (const RowRange& range : joined.rows) {
            rows = joined.side_by_side ? range.count : rows + range.count;
            columns = joined.side_by_side ? columns + columns_of(*range.part) : columns_of(*range.part);
        }
        return joined.rows.front().part->shape.size() == 2 ? std::vector{rows, columns} : std::vector{rows};
    }
    static std::vector<std::int64_t> shape_of(const JoinedTensor& joined) {
        std::vector<std::int64_t> shape = size_of(joined);
        if (joined.transposed)
            std::ranges::reverse(shape);
        return shape;
    }

    void open_ranks();
    void read_chunks(const TorchFile& file, std::size_t stage, std::size_t tensor_rank);
    void settle();
    void join_all();
    void join_block(std::size_t number, const std::vector<const RankChunk*>& chunks, std::size_t layer);
    void join_attention(const std::string& block, const std::vector<RowRange>& parts, const std::string& kind);
    [[noreturn]] void refuse(const Message& why) const {
        throw UserError("{} cannot be read as a model of transformers: {}", folder_.string(), why);
    }

    std::vector<RowRange> parts_of(const std::vector<const RankChunk*>& chunks, Role role, const std::string& kind,
                                   std::optional<std::size_t> layer) const;
    void join(std::string name, JoinedTensor tensor) {
        const TensorPart& first = *tensor.rows.front().part;
        for (const RowRange& range : tensor.rows)
            if (range.part->shape.size() != first.shape.size() || range.part->shape.size() > 2 ||
                range.part->shape.empty() || range.part->dtype != first.dtype || range.first < 0 ||
                range.first + range.count > range.part->shape[0] ||
                (tensor.side_by_side ? range.count != first.shape[0] : columns_of(*range.part) != columns_of(first)))
                refuse(Message("the parts of {} do not fit each other", name));
        add(folder_.string(), std::move(name), safetensors_dtype(first.dtype), shape_of(tensor));
        joined_.push_back(std::move(tensor));
    }
    /// Every rank has the same of norms and of what is added behind a sum over ranks.
    void join_first(const std::string& name, const std::vector<RowRange>& parts, bool transposed = false) {
        if (!parts.empty())
            join(name, {{parts.front()}, false, transposed});
    }
    void join_rows(const std::string& name, const std::vector<RowRange>& parts, bool transposed = false) {
        if (!parts.empty())
            join(name, {parts, false, transposed && parts.front().part->shape.size() == 2});
    }
    void join_columns(const std::string& name, const std::vector<RowRange>& parts, bool transposed) {
        if (!parts.empty())
            join(name, {parts, true, transposed});
    }

    fs::path folder_;
    std::size_t tensor_ranks_ = 0, stages_ = 0;
    std::vector<std::unique_ptr<TorchFile>> files_;
    std::vector<std::vector<std::vector<RankChunk>>> chunks_;  ///< [stage][tensor rank][chunk]
    std::optional<MegatronArguments> arguments_;
    bool left_optimizer_ = false;
    double version_ = 0;

    bool is_llama_ = false, has_own_head_ = false;
    std::int64_t layers_ = 0, heads_ = 0, groups_ = 0, head_size_ = 0, words_ = 0;
    std::vector<JoinedTensor> joined_;
};

void MegatronSource::open_ranks() {
    const std::vector<MegatronRank> ranks = ranks_in(folder_);
    for (const MegatronRank& rank : ranks) {
        tensor_ranks_ = std::max(tensor_ranks_, rank.tensor + 1);
        stages_ = std::max(stages_, rank.pipeline + 1);
        if (rank.expert > 0)
            refuse(Message("{} has experts of its own, and mixtures of experts are not read",
                           rank.folder.filename().string()));
    }
    const auto require = [&](std::size_t tensor, std::size_t pipeline) {
        if (ranks.size() != tensor * pipeline || tensor_ranks_ != tensor || stages_ != pipeline)
            throw UserError(
                "{} was saved by {} tensor ranks x {} pipeline ranks, and it has {} folders mp_rank_*: copy those of "
                "all ranks",
                folder_.string(), tensor, pipeline, ranks.size());
    };
    require(tensor_ranks_, stages_);
    chunks_.assign(stages_, std::vector<std::vector<RankChunk>>(tensor_ranks_));
    for (const MegatronRank& rank : ranks) {
        const fs::path file = file_of(rank.folder);
        if (file.empty())
            throw UserError("{} has no {}: the checkpoint was not copied to its end", rank.folder.string(),
                            kMegatronFiles[0]);
        files_.push_back(std::make_unique<TorchFile>(file));
        if (!arguments_) {
            arguments_.emplace(find(files_.back()->root(), "args"), file.string());
            const auto saved = [&](const char* name) {
                return static_cast<std::size_t>(std::max<std::int64_t>(1, arguments_->number(name).value_or(1)));
            };
            require(saved("tensor_model_parallel_size"), saved("pipeline_model_parallel_size"));
            const Value* version = find(files_.back()->root(), "checkpoint_version");
            version_ = version == nullptr               ? 0
                       : version->kind == Kind::real    ? version->real
                       : version->kind == Kind::integer ? static_cast<double>(version->integer)
                                                        : 0;
        }
        left_optimizer_ = left_optimizer_ || find(files_.back()->root(), "optimizer") != nullptr;
        read_chunks(*files_.back(), rank.pipeline, rank.tensor);
    }
}

/// "model", or "model0", "model1" and so on of an interleaved schedule.
void MegatronSource::read_chunks(const TorchFile& file, std::size_t stage, std::size_t tensor_rank) {
    const TorchLeaves all = leaves_of(file);
    std::map<std::size_t, RankChunk> chunks;
    for (std::size_t i = 0; i < all.leaves.size(); ++i) {
        const std::vector<std::string>& path = all.leaves[i].path;
        constexpr std::string_view kModel = "model";
        if (all.tensors[i] == nullptr || path.size() < 2 || !path.front().starts_with(kModel))
            continue;
        std::string_view digits = std::string_view(path.front()).substr(kModel.size());
        const std::size_t number = digits.empty() ? 0 : take_number<std::size_t>(digits).value_or(0);
        if (!digits.empty())
            continue;
        const std::string name = fmt::format("{}", fmt::join(path.begin() + 1, path.end(), "."));
        RankTensor tensor = rank_tensor(name);
        if (tensor.role == Role::unknown)
            refuse(Message("GPT-2 and Llama have no counterpart of its {}", name));
        if (tensor.role == Role::left_out)
            continue;
        tensor.part = all.tensors[i];
        RankChunk& chunk = chunks[number];
        chunk.file = &file;
        if (tensor.layer)
            chunk.layers = std::max(chunk.layers, *tensor.layer + 1);
        chunk.tensors.push_back(std::move(tensor));
    }
    for (auto& [number, chunk] : chunks)
        chunks_[stage][tensor_rank].push_back(std::move(chunk));
}

std::vector<RowRange> MegatronSource::parts_of(const std::vector<const RankChunk*>& chunks, Role role,
                                               const std::string& kind, std::optional<std::size_t> layer) const {
    std::vector<RowRange> parts;
    for (const RankChunk* chunk : chunks)
        for (const RankTensor& tensor : chunk->tensors)
            if (tensor.role == role && tensor.kind == kind && tensor.layer == layer) {
                if (tensor.part->shape.empty())
                    refuse(Message("one of its tensors has no rows"));
                parts.push_back({chunk->file, tensor.part, 0, tensor.part->shape[0]});
                break;
            }
    if (!parts.empty() && parts.size() != chunks.size())
        refuse(Message("{} of {} tensor ranks have a part of one of its tensors", parts.size(), chunks.size()));
    return parts;
}

/// Which of the two models it is, and its sizes.
void MegatronSource::settle() {
    const MegatronArguments& args = *arguments_;
    layers_ = args.needed("num_layers");
    heads_ = args.needed("num_attention_heads");
    const std::int64_t width = args.needed("hidden_size");
    groups_ = args.flag("group_query_attention") ? args.needed("num_query_groups") : heads_;
    head_size_ = args.has("kv_channels") ? args.needed("kv_channels") : width / heads_;
    has_own_head_ = args.flag("untie_embeddings_and_output_weights");
    const bool is_rope = args.text("position_embedding_type", "learned_absolute") == "rope" ||
                         args.flag("use_rotary_position_embeddings");
    const bool is_rms = args.text("normalization", "LayerNorm") == "RMSNorm", is_gated = args.flag("swiglu");
    const bool has_bias = args.flag("add_bias_linear") || !args.has("add_bias_linear");
    is_llama_ = is_rope && is_rms && is_gated && !has_bias;
    const bool is_gpt2 = args.text("position_embedding_type", "learned_absolute") == "learned_absolute" && !is_rope &&
                         !is_rms && !is_gated && has_bias && groups_ == heads_ && head_size_ * heads_ == width;
    if (!is_llama_ && !is_gpt2)
        refuse(
            Message("it is neither GPT-2 (learned positions, LayerNorm, biases, one pair of keys and values for each "
                    "head) nor Llama (rotary positions, RMSNorm, swiglu, no biases)"));
    if (args.number("num_experts").value_or(0) > 0)
        refuse(Message("args.num_experts is {}, and mixtures of experts are not read", *args.number("num_experts")));
    for (const char* other :
         {"apply_residual_connection_post_layernorm", "apply_layernorm_1p", "squared_relu", "rotary_interleaved",
          "use_rope_scaling", "add_qkv_bias", "qk_layernorm", "multi_latent_attention"})
        if (args.flag(other))
            refuse(Message("args.{} is set, and it computes something else", other));
    if (args.real("rotary_percent", 1) != 1)
        refuse(Message("args.rotary_percent is {:g}, and Llama rotates whole heads", args.real("rotary_percent", 1)));
    const auto ranks = static_cast<std::int64_t>(tensor_ranks_);
    if (heads_ % ranks != 0 || groups_ % ranks != 0 || heads_ % groups_ != 0)
        refuse(Message("{} heads in {} groups do not divide by {} tensor ranks", heads_, groups_, ranks));
    if (version_ < 2 && groups_ != heads_)
        refuse(Message("its version is {:g}, which has no groups of heads", version_));
}

void MegatronSource::join_all() {
    std::vector<const RankChunk*> first, last;
    const std::size_t chunks = chunks_.front().front().size();
    for (const auto& stage : chunks_)
        for (const std::vector<RankChunk>& rank : stage)
            if (rank.size() != chunks || rank.empty())
                refuse(Message("its ranks have different numbers of model chunks"));
    for (std::size_t rank = 0; rank < tensor_ranks_; ++rank) {
        first.push_back(&chunks_.front()[rank].front());
        last.push_back(&chunks_.back()[rank].back());
    }
    const std::string base = is_llama_ ? "model." : "transformer.";
    const std::vector<RowRange> words = parts_of(first, Role::words, "weight", {});
    if (words.empty())
        refuse(Message("its first stage has no embedding.word_embeddings"));
    join_rows(base + (is_llama_ ? "embed_tokens.weight" : "wte.weight"), words);
    words_ = tensors_.back().shape[0];
    if (!is_llama_) {
        join_first(base + "wpe.weight", parts_of(first, Role::positions, "weight", {}));
        if (tensors_.size() != 2)
            refuse(Message("its first stage has no embedding.position_embeddings"));
    }
    // Chunk by chunk, and in each the stages one behind the other.
    std::size_t number = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        for (const auto& stage : chunks_) {
            std::vector<const RankChunk*> ranks;
            for (const std::vector<RankChunk>& rank : stage)
                ranks.push_back(&rank[chunk]);
            for (std::size_t layer = 0; layer < ranks.front()->layers; ++layer)
                join_block(number++, ranks, layer);
        }
    if (static_cast<std::int64_t>(number) != layers_)
        refuse(Message("it has {} blocks, and args.num_layers is {}", number, layers_));
    const std::string norm = base + (is_llama_ ? "norm." : "ln_f.");
    const std::size_t before = tensors_.size();
    for (const char* kind : {"weight", "bias"})
        join_first(norm + kind, parts_of(last, Role::final_norm, kind, {}));
    if (tensors_.size() == before)
        refuse(Message("its last stage has no final_layernorm"));
    const std::vector<RowRange> head = parts_of(last, Role::head, "weight", {});
    if (has_own_head_ && head.empty())
        refuse(Message("its last stage has no output_layer, and args.untie_embeddings_and_output_weights is set"));
    if (has_own_head_)
        join_rows("lm_head.weight", head);
}

void MegatronSource::join_block(std::size_t number, const std::vector<const RankChunk*>& chunks, std::size_t layer) {
    const std::string block = fmt::format("{}{}.", is_llama_ ? "model.layers." : "transformer.h.", number);
    const std::size_t before = tensors_.size();
    for (const std::string kind : {"weight", "bias"}) {
        const auto parts = [&](Role role) { return parts_of(chunks, role, kind, layer); };
        const bool matrix = kind == "weight";
        join_first(block + (is_llama_ ? "input_layernorm." : "ln_1.") + kind, parts(Role::input_norm));
        join_first(block + (is_llama_ ? "post_attention_layernorm." : "ln_2.") + kind, parts(Role::output_norm));
        if (const std::vector<RowRange> qkv = parts(Role::qkv); !qkv.empty())
            join_attention(block, qkv, kind);
        for (const auto& [role, name] :
             {std::pair{Role::attention_out, is_llama_ ? "self_attn.o_proj." : "attn.c_proj."},
              {Role::down, is_llama_ ? "mlp.down_proj." : "mlp.c_proj."}})
            if (matrix)
                join_columns(block + name + kind, parts(role), !is_llama_);
            else
                join_first(block + name + kind, parts(role));
        std::vector<RowRange> up = parts(Role::up);
        if (!is_llama_) {
            join_rows(block + "mlp.c_fc." + kind, up, true);
            continue;
        }
        std::vector<RowRange> other = up;  // each rank has its rows of both matrices
        for (std::size_t i = 0; i < up.size(); ++i) {
            up[i].count /= 2;
            other[i].count = other[i].first = up[i].count;
        }
        join_rows(block + "mlp.gate_proj." + kind, up);
        join_rows(block + "mlp.up_proj." + kind, other);
    }
    const std::size_t expected = is_llama_ ? 9 : 12;
    if (tensors_.size() - before != expected)
        refuse(
            Message("its block {} gives {} tensors, and the model has {}", number, tensors_.size() - before, expected));
}

/// The rows of queries, keys and values are [matrix, head, element] in version 0, [head, element, matrix] in 1, and
/// from 2 on [group, heads of the group with its key and its value, element].
void MegatronSource::join_attention(const std::string& block, const std::vector<RowRange>& parts,
                                    const std::string& kind) {
    const auto ranks = static_cast<std::int64_t>(tensor_ranks_);
    const std::int64_t heads = heads_ / ranks, groups = groups_ / ranks, queries = heads_ / groups_;
    std::array<std::vector<RowRange>, 3> matrices;
    for (const RowRange& part : parts) {
        if (part.count != (heads + 2 * groups) * head_size_)
            refuse(Message("the queries, keys and values of a rank have {} rows, and {} heads of {} have {}",
                           part.count, heads, head_size_, (heads + 2 * groups) * head_size_));
        const auto take = [&](int matrix, std::int64_t first, std::int64_t count) {
            matrices[static_cast<std::size_t>(matrix)].push_back({part.file, part.part, first, count});
        };
        if (version_ >= 2) {
            for (std::int64_t group = 0; group < groups; ++group) {
                const std::int64_t first = group * (queries + 2) * head_size_;
                take(0, first, queries * head_size_);
                take(1, first + queries * head_size_, head_size_);
                take(2, first + (queries + 1) * head_size_, head_size_);
            }
        } else if (version_ >= 1) {
            for (int matrix = 0; matrix < 3; ++matrix)
                for (std::int64_t element = 0; element < heads * head_size_; ++element)
                    take(matrix, element * 3 + matrix, 1);
        } else {
            for (int matrix = 0; matrix < 3; ++matrix)
                take(matrix, matrix * heads * head_size_, heads * head_size_);
        }
    }
    if (is_llama_) {
        for (const auto& [matrix, name] :
             {std::pair<std::size_t, const char*>{0, "q_proj."}, {1, "k_proj."}, {2, "v_proj."}})
            join_rows(block + "self_attn." + name + kind, matrices[matrix]);
        return;
    }
    std::vector<RowRange> all;
    for (const std::vector<RowRange>& matrix : matrices)
        all.insert(all.end(), matrix.begin(), matrix.end());
    join_rows(block + "attn.c_attn." + kind, all, true);
}

std::string MegatronSource::config() const {
    const MegatronArguments& args = *arguments_;
    const double epsilon = args.real("norm_epsilon", args.real("layernorm_epsilon", 1e-5));
    const std::int64_t width = args.needed("hidden_size"),
                       inner = args.has("ffn_hidden_size") ? args.needed("ffn_hidden_size") : 4 * width,
                       positions = args.needed("max_position_embeddings");
    nlohmann::ordered_json made;
    if (is_llama_)
        made = {{"architectures", {"LlamaForCausalLM"}},
                {"model_type", "llama"},
                {"hidden_size", width},
                {"intermediate_size", inner},
                {"num_hidden_layers", layers_},
                {"num_attention_heads", heads_},
                {"num_key_value_heads", groups_},
                {"head_dim", head_size_},
                {"hidden_act", "silu"},
                {"max_position_embeddings", positions},
                {"rms_norm_eps", epsilon},
                {"rope_theta", args.real("rotary_base", 10000)},
                {"attention_bias", false},
                {"mlp_bias", false}};
    else
        // The fused kernel computes the approximation by tanh.
        made = {
            {"architectures", {"GPT2LMHeadModel"}},
            {"model_type", "gpt2"},
            {"n_embd", width},
            {"n_inner", inner},
            {"n_layer", layers_},
            {"n_head", heads_},
            {"n_positions", positions},
            {"n_ctx", positions},
            {"activation_function", args.flag("bias_gelu_fusion") || args.flag("openai_gelu") ? "gelu_new" : "gelu"},
            {"layer_norm_epsilon", epsilon},
            {"resid_pdrop", args.real("hidden_dropout", 0.1)},
            {"embd_pdrop", args.real("hidden_dropout", 0.1)},
            {"attn_pdrop", args.real("attention_dropout", 0.1)}};
    made["vocab_size"] = words_;
    made["tie_word_embeddings"] = !has_own_head_;
    return json_text(made, {.indent = 2}) + "\n";
}

}  // namespace

fs::path megatron_folder(const fs::path& path) {
    if (!ranks_in(path).empty())
        return path;
    std::string latest = read_head(path / kLatestStep, 32);
    while (!latest.empty() && (latest.back() == '\n' || latest.back() == ' ' || latest.back() == '\r'))
        latest.pop_back();
    const std::optional<std::uint64_t> step = parse_number<std::uint64_t>(latest);
    if (!step && latest != "release")
        return {};
    const fs::path folder = path / (step ? fmt::format("iter_{:07}", *step) : latest);
    return ranks_in(folder).empty() ? fs::path() : folder;
}

std::vector<fs::path> megatron_files(const fs::path& path) {
    std::vector<fs::path> files;
    for (const MegatronRank& rank : ranks_in(megatron_folder(path)))
        if (fs::path file = file_of(rank.folder); !file.empty())
            files.push_back(std::move(file));
    return files;
}

std::unique_ptr<WeightSource> open_megatron(const fs::path& path) {
    return std::make_unique<MegatronSource>(path);
}

std::string megatron_config(const fs::path& path) {
    return megatron_folder(path).empty() ? std::string() : MegatronSource(path).config();
}

}  // namespace trainyard::weights
