// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/gguf_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cores.h"
#include "base/error.h"
#include "base/files/mapped_file.h"
#include "config/recipe/module_targets.h"
#include "formats/weights/elements.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/pack_blocks.h"
#include "formats/weights/packed_blocks.h"
#include "models/exports/exported_tensor.h"
#include "models/exports/gguf_tokenizer.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/stored_tensors.h"
#include "models/spec/tasks.h"

namespace trainyard::exports {

namespace {

using families::Activation;
using families::DecoderOptions;
using Kind = families::DecoderModule;

/// A type that matrices are written in, its name in ggml, and the number of its files (llama.cpp's LLAMA_FTYPE).
struct FileType {
    std::string name;
    std::string_view type;
    int number;
};

const std::vector<FileType>& file_types() {
    static const std::vector<FileType> all{{"f32", "F32", 0},   {"f16", "F16", 1},    {"bf16", "BF16", 32},
                                           {"q8_0", "Q8_0", 7}, {"q6_k", "Q6_K", 18}, {"q5_k", "Q5_K", 16},
                                           {"q5_1", "Q5_1", 9}, {"q5_0", "Q5_0", 8},  {"q4_k", "Q4_K", 14},
                                           {"q4_1", "Q4_1", 3}, {"q4_0", "Q4_0", 2}};
    return all;
}

/// Types for rows that are not whole blocks of a K type, as llama.cpp chooses them.
constexpr std::pair<std::string_view, std::string_view> kSmallerBlocks[] = {
    {"Q4_K", "Q5_0"}, {"Q5_K", "Q5_1"}, {"Q6_K", "Q8_0"}};

struct Architecture {
    std::string_view model_type, name;
    Activation activation = Activation::silu;
    /// The rows of a head's two halves, which are turned together, are next to each other.
    bool pairs_rows = false;
};

constexpr Architecture kArchitectures[] = {{"gpt2", "gpt2", Activation::gelu_tanh},
                                           {"llama", "llama", Activation::silu, true},
                                           {"mistral", "llama", Activation::silu, true},
                                           {"mixtral", "llama", Activation::silu, true},
                                           {"qwen2", "qwen2"},
                                           {"qwen3", "qwen3"},
                                           {"qwen2_moe", "qwen2moe"},
                                           {"phi3", "phi3"},
                                           {"gemma2", "gemma2", Activation::gelu_tanh},
                                           {"gpt_neox", "gptneox", Activation::gelu_tanh},
                                           {"bloom", "bloom", Activation::gelu_tanh},
                                           {"falcon", "falcon", Activation::gelu_tanh},
                                           {"mpt", "mpt", Activation::gelu_tanh}};

const Architecture& architecture_of(const families::ModelConfig& config) {
    const auto* found = std::ranges::find(kArchitectures, config.model_type, &Architecture::model_type);
    if (found != std::end(kArchitectures))
        return *found;
    std::vector<std::string_view> known;
    for (const Architecture& one : kArchitectures)
        known.push_back(one.model_type);
    throw UserError("GGUF has no name for models of type '{}' that Trainyard writes: those are {}", config.model_type,
                    fmt::join(known, ", "));
}

/// A module of the model, by its name in files of transformers, and what it is in the file.
struct ExportedModule {
    std::string stored, name;
    bool transposed = false;
    float added = 0;
    std::vector<std::int64_t> order = {};
};

constexpr std::pair<Kind, std::string_view> kModuleNames[] = {
    {Kind::query, "attn_q"},
    {Kind::key, "attn_k"},
    {Kind::value, "attn_v"},
    {Kind::query_key_value, "attn_qkv"},
    {Kind::query_key_value_by_head, "attn_qkv"},
    {Kind::query_norm, "attn_q_norm"},
    {Kind::key_norm, "attn_k_norm"},
    {Kind::attention_output, "attn_output"},
    {Kind::gate, "ffn_gate"},
    {Kind::up, "ffn_up"},
    {Kind::gate_up, "ffn_up"},
    {Kind::down, "ffn_down"},
    {Kind::router, "ffn_gate_inp"},
    {Kind::expert_gate, "ffn_gate_exps"},
    {Kind::expert_up, "ffn_up_exps"},
    {Kind::expert_down, "ffn_down_exps"},
    {Kind::shared_gate, "ffn_gate_shexp"},
    {Kind::shared_up, "ffn_up_shexp"},
    {Kind::shared_down, "ffn_down_shexp"},
    {Kind::shared_router, "ffn_gate_inp_shexp"},
    {Kind::norm_1, "attn_norm"},
    {Kind::norm_1_after, "post_attention_norm"},
    {Kind::norm_2, "ffn_norm"},
    {Kind::norm_2_after, "post_ffw_norm"},
};

/// Rows 0, half, 1, half + 1 ... of each head.
std::vector<std::int64_t> paired_rows(std::int64_t heads, std::int64_t width) {
    std::vector<std::int64_t> order;
    for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t i = 0; i < width; ++i)
            order.push_back(head * width + i / 2 + i % 2 * (width / 2));
    return order;
}

/// All queries, then keys, then values, of rows that have those of each key head together: its `group` queries, its key
/// and its value.
std::vector<std::int64_t> rows_by_part(std::int64_t key_heads, std::int64_t group, std::int64_t width) {
    std::vector<std::int64_t> order;
    const auto add = [&](std::int64_t first, std::int64_t count) {
        for (std::int64_t head = 0; head < key_heads; ++head)
            for (std::int64_t i = 0; i < count * width; ++i)
                order.push_back((head * (group + 2) + first) * width + i);
    };
    add(0, group);
    add(group, 1);
    add(group + 1, 1);
    return order;
}

std::vector<std::byte> encode_floats(std::span<const float> values, const std::string& type, const std::string& name) {
    const std::span<const std::byte> bytes = std::as_bytes(values);
    const weights::PackBlock pack = weights::packer_of(type);
    if (pack == nullptr) {
        std::vector<std::byte> encoded;
        weights::convert_elements("F32", bytes, type, encoded);
        if (type == "F16")
            for (std::size_t i = 0; i < values.size(); ++i)
                if (std::isfinite(values[i]) && std::fabs(values[i]) >= 65520.0F)
                    throw UserError("{} has numbers that F16 cannot hold: choose bf16 or f32", name);
        return encoded;
    }
    const weights::PackedType& packed = *weights::packed_type(type);
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw UserError("{} has numbers that are not finite, and cannot be quantized", name);
    const std::size_t blocks = values.size() / packed.elements;
    std::vector<std::byte> encoded(blocks * packed.bytes);
    const auto threads = std::min<std::size_t>(blocks, static_cast<std::size_t>(physical_cores()));
    const auto pack_part = [&](std::size_t part) {
        for (std::size_t block = blocks * part / threads; block < blocks * (part + 1) / threads; ++block)
            pack(values.data() + block * packed.elements,
                 reinterpret_cast<std::uint8_t*>(encoded.data()) + block * packed.bytes);
    };
    std::vector<std::jthread> pool;
    for (std::size_t part = 1; part < threads; ++part)
        pool.emplace_back(pack_part, part);
    if (threads > 0)
        pack_part(0);
    pool.clear();
    std::vector<float> unpacked(values.size());
    weights::unpack_blocks(packed, encoded, unpacked);
    if (!std::ranges::all_of(unpacked, [](float value) { return std::isfinite(value); }))
        throw UserError("{} has numbers that are too large for {}: choose bf16 or f32", name, type);
    return encoded;
}

struct GgufContent {
    weights::GgufValues values;
    std::vector<weights::GgufTensorToWrite> tensors;
    std::vector<Message> notes;
    std::uint64_t bytes = 0;  ///< of all tensors
};

void write_content(const GgufContent& content, const std::filesystem::path& file, Progress& progress) {
    std::vector<std::uint32_t> checksums(content.tensors.size(), 0);
    std::vector<weights::GgufTensorToWrite> tensors = content.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        tensors[i].stream = [&, i](const weights::ByteSink& sink) {
            content.tensors[i].stream([&](std::span<const std::byte> bytes) {
                checksums[i] = take_parts(bytes, checksums[i], progress, sink);
            });
        };
    weights::write_gguf(file, content.values, tensors);
    const files::MappedFile written(file);
    const weights::GgufHeader header =
        weights::read_gguf_header(written.bytes(), written.bytes().size(), file.string());
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (take_parts(written.bytes().subspan(header.tensors.at(i).begin, header.tensors[i].bytes), 0, progress,
                       files::release_pages) != checksums[i])
            throw_damaged(tensors[i].name, file);
}

class GgufExport {
  public:
    GgufExport(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
               const std::filesystem::path& folder, const std::string& type)
        : config_(config),
          folder_(folder),
          family_(families::family_of(config)),
          architecture_(architecture_of(config)),
          type_(file_type(type, *source)),
          tensors_(std::move(source), config, folder) {}

    GgufContent make() {
        if (config_.task != families::kCausalLm)
            problems_.push_back(
                Message("it is trained for {}, and {} is the only task", config_.task, families::kCausalLm));
        if (family_.network() == families::Network::decoder)
            take_decoder();
        else
            take_gpt2();
        if (!problems_.empty())
            throw UserError("llama.cpp would compute the model of {} differently: {}", folder_.string(),
                            Message::joined(problems_));
        tensors_.check();
        describe();
        add_gguf_tokenizer(model_.values, folder_, config_, model_.notes);
        for (const auto& [type, names] : other_types_)
            model_.notes.push_back(Message("{} tensors whose rows are not whole blocks of {} are written as {}: {}",
                                           names.size(), type_.type, type, names.front()));
        for (const Message& note : tensors_.source()->notes())
            model_.notes.push_back(note);
        return std::move(model_);
    }

    std::vector<GgufCounterpart> counterparts() {
        if (family_.network() == families::Network::decoder)
            take_decoder();
        else
            take_gpt2();
        tensors_.check();
        return std::move(counterparts_);
    }

    /// `file` is the source.
    GgufContent make_adapter(const inputs::AdapterFile& file, const inputs::AdapterConfig& adapter) {
        lists_modules_ = true;
        if (family_.network() == families::Network::decoder)
            take_decoder();
        else
            take_gpt2();
        if (!adapter.lora.target_parameters.empty())
            throw UserError(
                "an adapter in GGUF changes matrices of single modules, and {} changes those of experts: "
                "write the model with it (trainyard merge-adapter)",
                file.path().string());
        std::map<std::string, const ExportedModule*> by_name;
        for (const ExportedModule& module : modules_)
            by_name.emplace(module.stored, &module);
        const config::ModuleTargets targets(adapter.lora.target_modules, adapter.exceptions);
        for (std::size_t i = 0; i < file.source()->tensors().size(); ++i)
            add_low_rank(i, by_name, adapter, targets);
        weights::GgufValues& values = model_.values;
        values.add_text("general.architecture", architecture_.name);
        values.add_text("general.type", "adapter");
        values.add_text("adapter.type", "lora");
        values.add_text("general.name", folder_.filename().string());
        values.add_number("general.file_type", type_.number);
        values.add_number("general.quantization_version", 2);
        values.add_float("adapter.lora.alpha", static_cast<float>(adapter.lora.lora_alpha));
        return std::move(model_);
    }

  private:
    /// A tensor of an adapter: "base_model.model.<module>.lora_A.weight" [rank, in] or lora_B [out, rank].
    void add_low_rank(std::size_t place, const std::map<std::string, const ExportedModule*>& modules,
                      const inputs::AdapterConfig& adapter, const config::ModuleTargets& targets) {
        const weights::SourceTensor& stored = tensors_.source()->tensors()[place];
        std::string name = stored.name;
        if (constexpr std::string_view prefix = "base_model.model."; name.starts_with(prefix))
            name.erase(0, prefix.size());
        const bool is_b = name.find(".lora_B.") != std::string::npos;
        const std::size_t at = name.find(is_b ? ".lora_B." : ".lora_A.");
        const std::string module = name.substr(0, at);
        const auto found = modules.find(module);
        if (at == std::string::npos || found == modules.end() || stored.shape.size() != 2)
            throw UserError(
                "an adapter in GGUF has products for matrices alone, and {} has '{}': write the model with "
                "it (trainyard merge-adapter)",
                folder_.string(), stored.name);
        const std::int64_t rank = stored.shape[is_b ? 1 : 0];
        ExportedTensor tensor{found->second->name + ".weight." + (is_b ? "lora_b" : "lora_a"), stored.shape, {place}};
        if (is_b) {
            tensor.order = found->second->order;
            // llama.cpp multiplies with alpha / rank.
            const double alpha = targets.alpha_of(module, adapter.lora.lora_alpha), width = static_cast<double>(rank);
            const double scale = alpha / (adapter.lora.use_rslora ? std::sqrt(width) : width);
            tensor.factor = static_cast<float>(scale * width / adapter.lora.lora_alpha);
        }
        add(std::move(tensor));
    }

    static const FileType& file_type(const std::string& given, const weights::WeightSource& source) {
        std::string name = given;
        if (name.empty()) {
            const std::string most = weights::main_dtype(source);
            name = most == "BF16" ? "bf16" : most == "F16" ? "f16" : "f32";
        }
        const auto found = std::ranges::find(file_types(), name, &FileType::name);
        if (found == file_types().end())
            throw UserError("'{}' is not a type of GGUF that can be written: choose one of {}", given,
                            fmt::join(gguf_types(), ", "));
        return *found;
    }

    // --- tensors ---

    /// The type of a tensor: vectors, routers and positions stay in fp32, and the head gets more bits than the rest.
    std::string type_of(const std::string& name, const std::vector<std::int64_t>& shape) {
        if (shape.size() < 2 || name.ends_with("_norm.weight") || name.ends_with("ffn_gate_inp.weight") ||
            name == "position_embd.weight")
            return "F32";
        const bool is_head = name == (config_.tie_word_embeddings ? "token_embd.weight" : "output.weight");
        const bool has_few_bits = weights::gguf_block(type_.type).first > 1 && type_.type != "Q8_0";
        std::string_view type = is_head && has_few_bits ? "Q6_K" : type_.type;
        const auto fits = [&] { return shape.back() % weights::gguf_block(type).first == 0; };
        const auto* smaller =
            std::ranges::find(kSmallerBlocks, type, &std::pair<std::string_view, std::string_view>::first);
        if (!fits() && smaller != std::end(kSmallerBlocks))
            type = smaller->second;
        if (!fits())
            type = "F16";
        if (type != type_.type && !(is_head && type == "Q6_K"))
            other_types_[std::string(type)].push_back(name);
        return std::string(type);
    }

    void add(ExportedTensor tensor) {
        const std::string type = type_of(tensor.name, tensor.shape);
        model_.bytes += weights::gguf_bytes(type, tensor.shape);
        GgufCounterpart counterpart{tensor.name, tensor.shape, {}, {}};
        for (std::size_t place : tensor.stored)
            counterpart.stored.push_back(tensors_.source()->tensors()[place].name);
        counterpart.read = [source = tensors_.source(), tensor](const TakeFloats& take) {
            read_floats(*source, tensor, take);
        };
        counterparts_.push_back(std::move(counterpart));
        weights::GgufTensorToWrite written{tensor.name, type, tensor.shape, {}};
        written.stream = [source = tensors_.source(), tensor = std::move(tensor), type](const weights::ByteSink& sink) {
            read_floats(*source, tensor, [&](std::span<const float> values) {
                if (type == "F32")
                    sink(std::as_bytes(values));
                else
                    sink(encode_floats(values, type, tensor.name));
            });
        };
        model_.tensors.push_back(std::move(written));
    }

    /// Weight and bias of a module, where the model has them.
    void add_module(const ExportedModule& module) {
        modules_.push_back(module);
        if (lists_modules_)
            return;
        for (const char* ending : {".weight", ".bias"}) {
            const std::string stored = module.stored + ending;
            if (tensors_.shape_of(stored) == nullptr)
                continue;
            ExportedTensor tensor = tensors_.find(stored);
            tensor.name = module.name + ending;
            const bool is_matrix = tensor.shape.size() == 2;
            tensor.order = module.order;
            tensor.transposed = module.transposed && is_matrix;
            if (tensor.transposed)
                std::swap(tensor.shape[0], tensor.shape[1]);
            if (module.name.ends_with("ffn_gate_inp_shexp"))
                tensor.shape = {tensor.shape.back()};
            if (ending == std::string_view(".weight"))
                tensor.added = module.added;
            add(std::move(tensor));
        }
    }

    /// A matrix of all experts of a block. `name`: with {} for the number of the expert.
    void add_experts(const std::string& name, const std::string& written, std::int64_t experts) {
        if (lists_modules_)
            return;
        ExportedTensor tensor{written + ".weight", {experts}, {}};
        for (std::int64_t expert = 0; expert < experts; ++expert) {
            const ExportedTensor one = tensors_.find(fmt::format(fmt::runtime(name), expert) + ".weight");
            tensor.stored.insert(tensor.stored.end(), one.stored.begin(), one.stored.end());
            if (expert == 0)
                tensor.shape.insert(tensor.shape.end(), one.shape.begin(), one.shape.end());
        }
        add(std::move(tensor));
    }

    void take_decoder() {
        const DecoderOptions options = families::decoder_options(config_);
        check(options);
        const float added = options.norm == DecoderOptions::Norm::rms_plus_one ? 1 : 0;
        add_rotary_factors(options);
        add_module({options.names.token_table, "token_embd"});
        if (!options.names.token_norm.empty())
            add_module({options.names.token_norm, "token_embd_norm"});
        for (std::int64_t block = 0; block < options.layers; ++block)
            for (const auto& [kind, name] : options.names.block) {
                if (!options.has(kind, block))
                    continue;
                const auto* known = std::ranges::find(kModuleNames, kind, &std::pair<Kind, std::string_view>::first);
                ExportedModule module{fmt::format("{}{}.{}", options.names.blocks, block, name),
                                      fmt::format("blk.{}.{}", block, known->second)};
                if (kind == Kind::expert_gate || kind == Kind::expert_up || kind == Kind::expert_down) {
                    add_experts(module.stored, module.name, options.experts);
                    continue;
                }
                if (module.name.ends_with("_norm") && kind != Kind::query_norm && kind != Kind::key_norm)
                    module.added = added;
                if (architecture_.pairs_rows && kind == Kind::query)
                    module.order = paired_rows(options.heads, options.head_width);
                if (architecture_.pairs_rows && kind == Kind::key)
                    module.order = paired_rows(options.key_heads, options.head_width);
                if (kind == Kind::query_key_value_by_head)
                    module.order =
                        rows_by_part(options.key_heads, options.heads / options.key_heads, options.head_width);
                if (options.flow == DecoderOptions::Flow::parallel && architecture_.name == "falcon" &&
                    options.has(Kind::norm_2)) {  // the norm of the feed-forward layers is the first there
                    if (kind == Kind::norm_1)
                        module.name += "_2";
                    if (kind == Kind::norm_2)
                        module.name = fmt::format("blk.{}.attn_norm", block);
                }
                add_module(module);
            }
        add_module({options.names.final_norm, "output_norm", false, added});
        add_module({options.names.head, "output"});
    }

    void take_gpt2() {
        if (!config_.scale_attn_weights || config_.scale_attn_by_inverse_layer_idx)
            problems_.push_back("the scores of its attention have another scale");
        check_activation(families::activation_of(config_.activation_function).value_or(Activation::gelu_tanh));
        constexpr std::pair<const char*, const char*> kBlock[] = {
            {"ln_1", "attn_norm"}, {"attn.c_attn", "attn_qkv"}, {"attn.c_proj", "attn_output"},
            {"ln_2", "ffn_norm"},  {"mlp.c_fc", "ffn_up"},      {"mlp.c_proj", "ffn_down"}};
        add_module({"transformer.wte", "token_embd"});
        add_module({"transformer.wpe", "position_embd"});
        for (std::int64_t block = 0; block < config_.n_layer; ++block)
            for (const auto& [stored, name] : kBlock)
                add_module(
                    {fmt::format("transformer.h.{}.{}", block, stored), fmt::format("blk.{}.{}", block, name), true});
        add_module({"transformer.ln_f", "output_norm"});
        add_module({"lm_head", "output"});
    }

    // --- what llama.cpp computes ---

    void check_activation(Activation activation) {
        if (activation == architecture_.activation)
            return;
        if (activation == Activation::gelu && architecture_.activation == Activation::gelu_tanh &&
            architecture_.name != "gemma2")
            model_.notes.push_back("llama.cpp computes gelu by its tanh approximation: logits differ slightly");
        else
            problems_.push_back(Message("its activation function is {}, and that of the architecture {} is {}",
                                        config_.activation_function, architecture_.name,
                                        architecture_.activation == Activation::silu ? "silu" : "gelu_pytorch_tanh"));
    }

    void check(const DecoderOptions& options) {
        check_activation(options.activation);
        const std::string_view name = architecture_.name;
        const auto wants = [&](bool good, const Message& problem) {
            if (!good)
                problems_.push_back(problem);
        };
        if (name == "qwen2moe" || name == "qwen2")
            wants(options.query_bias, "its projections of attention have no biases");
        if (name == "qwen3" || name == "phi3" || name == "gemma2")
            wants(!options.query_bias && !options.output_bias, "its projections of attention have biases");
        if (name == "falcon") {
            wants(options.rotates, "it has ALiBi instead of rotary positions");
            wants(options.flow == DecoderOptions::Flow::parallel, "parallel_attn is false");
            wants(!options.query_bias, "its linear layers have biases");
        }
        if (name == "bloom")
            wants(options.flow == DecoderOptions::Flow::pre_norm, "apply_residual_connection_post_layernorm is true");
        if (name == "mpt") {
            const double usual = 1 / std::sqrt(static_cast<double>(options.head_width));
            wants(options.score_scale == 0 || std::fabs(options.score_scale / usual - 1) < 1e-6,
                  Message("softmax_scale is {}, and would have to be {}", options.score_scale, usual));
        }
        if (name == "gptneox")
            wants(options.query_bias && options.output_bias, "its projections of attention have no biases");
        if (options.experts > 0) {
            wants(options.normalises_experts == (name == "llama"), "norm_topk_prob has another value");
            wants(std::ranges::find(options.dense_blocks, true) == options.dense_blocks.end(),
                  "some of its blocks have no experts");
        }
        check_windows(options);
        if (name == "gemma2") {
            // Models of 46 blocks divide by the root of another width.
            const double width = options.layers == 46
                                     ? static_cast<double>(options.width) / static_cast<double>(options.heads)
                                     : static_cast<double>(options.head_width);
            wants(
                std::fabs(options.score_scale * std::sqrt(width) - 1) < 1e-6,
                Message("query_pre_attn_scalar is {}, and would have to be {}", config_.query_pre_attn_scalar, width));
        }
        const std::string& type = options.rotary.type;
        wants(type == "default" || type == "linear" || type == "llama3" || (type == "yarn" && name != "phi3") ||
                  (type == "longrope" && name == "phi3"),
              Message("rope_type is {}", type));
        wants(options.rotary.partial_factor == 1 || name == "gptneox" || name == "phi3",
              "partial_rotary_factor is less than 1");
        if (type == "yarn")
            wants(options.rotary.attention_factor == 0 && options.rotary.mscale == 0 &&
                      options.rotary.mscale_all_dim == 0 && options.rotary.beta_fast == 32 &&
                      options.rotary.beta_slow == 1 && options.rotary.truncate,
                  "yarn has other parameters than a factor and a length");
    }

    void check_windows(const DecoderOptions& options) {
        if (architecture_.name == "gemma2") {
            for (std::size_t block = 0; block < options.windows.size(); ++block)
                if (options.windows[block] != (block % 2 == 0 ? config_.sliding_window : 0) ||
                    config_.sliding_window == 0)
                    return problems_.push_back("its windows are not those of every other block");
            return;
        }
        const std::int64_t widest = options.windows.empty() ? 0 : *std::ranges::max_element(options.windows);
        if (widest > 0 && widest < options.positions)
            model_.notes.push_back(
                Message("llama.cpp has no sliding windows for the architecture {}: texts of more than {} tokens are "
                        "computed without the model's",
                        architecture_.name, widest));
    }

    std::int64_t turned(const DecoderOptions& options) const {
        return static_cast<std::int64_t>(static_cast<double>(options.head_width) *
                                         std::clamp(options.rotary.partial_factor, 0.0, 1.0));
    }

    std::int64_t trained_positions(const DecoderOptions& options) const {
        const std::int64_t given = options.rotary.original_max_position_embeddings;
        return given > 0 ? given : options.positions;
    }

    /// Divisors of the frequencies of each pair of a head.
    void add_rotary_factors(const DecoderOptions& options) {
        if (lists_modules_)
            return;
        const families::Rotary& rotary = options.rotary;
        const auto add_factors = [&](const char* name, std::vector<float> factors) {
            const auto count = std::ssize(factors);
            add({.name = name, .shape = {count}, .stored = {}, .values = std::move(factors)});
        };
        const auto as_floats = [](const std::vector<double>& values) {
            return std::vector<float>(values.begin(), values.end());
        };
        if (rotary.type == "longrope") {
            add_factors("rope_factors_long.weight", as_floats(rotary.long_factor));
            add_factors("rope_factors_short.weight", as_floats(rotary.short_factor));
        }
        if (rotary.type != "llama3")
            return;
        const auto trained = static_cast<double>(trained_positions(options));
        std::vector<float> factors;
        for (std::int64_t i = 0; i < options.head_width; i += 2) {
            const double wave =
                2 * std::numbers::pi *
                std::pow(rotary.theta, static_cast<double>(i) / static_cast<double>(options.head_width));
            const double share = std::clamp(
                (trained / wave - rotary.low_freq_factor) / (rotary.high_freq_factor - rotary.low_freq_factor), 0.0,
                1.0);
            factors.push_back(static_cast<float>(1 / ((1 - share) / rotary.factor + share)));
        }
        add_factors("rope_freqs.weight", std::move(factors));
    }

    // --- values ---

    void describe() {
        weights::GgufValues& values = model_.values;
        const auto number = [&](const char* key, std::int64_t value) {
            values.add_number(fmt::format("{}.{}", architecture_.name, key), value);
        };
        const std::string name = folder_.filename().string();
        values.add_text("general.architecture", architecture_.name);
        values.add_text("general.type", "model");
        values.add_text("general.name", name.empty() ? "model" : name);
        values.add_number("general.file_type", type_.number);
        values.add_number("general.quantization_version", 2);
        number("context_length", config_.n_positions);
        number("embedding_length", config_.n_embd);
        number("block_count", config_.n_layer);
        number("attention.head_count", config_.n_head);
        number("vocab_size", config_.vocab_size);
        const bool is_decoder = family_.network() == families::Network::decoder;
        const DecoderOptions options = is_decoder ? families::decoder_options(config_) : DecoderOptions();
        number("feed_forward_length", config_.n_inner > 0 ? config_.n_inner : 4 * config_.n_embd);
        const bool has_layer_norms = !is_decoder || options.norm == DecoderOptions::Norm::layer;
        values.add_float(
            fmt::format("{}.attention.layer_norm{}_epsilon", architecture_.name, has_layer_norms ? "" : "_rms"),
            static_cast<float>(config_.layer_norm_epsilon));
        if (is_decoder)
            describe_decoder(options, number);
    }

    template <class Number>
    void describe_decoder(const DecoderOptions& options, const Number& number) {
        weights::GgufValues& values = model_.values;
        const auto real = [&](const char* key, double value) {
            values.add_float(fmt::format("{}.{}", architecture_.name, key), static_cast<float>(value));
        };
        number("attention.head_count_kv", options.key_heads);
        number("attention.key_length", options.head_width);
        number("attention.value_length", options.head_width);
        if (architecture_.name == "mpt") {
            real("attention.max_alibi_bias", options.alibi_largest);
            if (options.projection_limit > 0)
                real("attention.clamp_kqv", options.projection_limit);
        }
        if (architecture_.name == "falcon")  // the projections as they are written here
            values.add_text("falcon.tensor_data_layout", "jploski");
        if (!options.rotates)
            return;
        number("rope.dimension_count", turned(options));
        const families::Rotary& rotary = options.rotary;
        real("rope.freq_base", rotary.theta);
        if (rotary.type == "linear" || rotary.type == "yarn") {
            values.add_text(fmt::format("{}.rope.scaling.type", architecture_.name), rotary.type);
            real("rope.scaling.factor", rotary.factor);
        }
        if (rotary.type == "yarn" || rotary.type == "longrope")
            number("rope.scaling.original_context_length", trained_positions(options));
        if (rotary.type == "longrope")
            real("rope.scaling.attn_factor",
                 families::rotary_frequencies(rotary, options.head_width, options.positions).attention_factor);
        if (options.experts > 0) {
            number("expert_count", options.experts);
            number("expert_used_count", options.experts_per_token);
        }
        if (architecture_.name == "qwen2moe") {
            number("expert_feed_forward_length", options.expert_inner);
            number("expert_shared_feed_forward_length", options.shared_inner);
        }
        if (architecture_.name == "gptneox")
            values.add_bool("gptneox.use_parallel_residual", config_.use_parallel_residual);
        if (architecture_.name == "gemma2" || architecture_.name == "phi3")
            number("attention.sliding_window", config_.sliding_window);
        if (architecture_.name == "gemma2") {
            real("attn_logit_softcapping", options.score_cap);
            real("final_logit_softcapping", options.logit_cap);
        }
    }

    families::ModelConfig config_;
    std::filesystem::path folder_;
    const families::Family& family_;
    const Architecture& architecture_;
    const FileType& type_;
    ModelTensors tensors_;
    std::vector<Message> problems_;
    std::map<std::string, std::vector<std::string>> other_types_;
    GgufContent model_;
    std::vector<GgufCounterpart> counterparts_;
    std::vector<ExportedModule> modules_;
    bool lists_modules_ = false;  ///< of an adapter: they are not written
};

}  // namespace

const std::vector<std::string>& gguf_types() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const FileType& type : file_types())
            all.push_back(type.name);
        return all;
    }();
    return names;
}

namespace {

ExportedModel exported(GgufContent made) {
    const auto content = std::make_shared<const GgufContent>(std::move(made));
    const auto write = [content](const std::filesystem::path& to, const std::string& name, Progress& progress) {
        write_content(*content, to / name, progress);
        return std::vector{name};
    };
    return {content->bytes, content->tensors.size(), content->notes, write};
}

}  // namespace

ExportedModel gguf_model(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                         const std::filesystem::path& folder, const std::string& type) {
    return exported(GgufExport(std::move(source), config, folder, type).make());
}

std::vector<GgufCounterpart> gguf_counterparts(std::shared_ptr<const weights::WeightSource> source,
                                               const families::ModelConfig& config,
                                               const std::filesystem::path& folder) {
    return GgufExport(std::move(source), config, folder, "f32").counterparts();
}

ExportedModel gguf_adapter(const inputs::AdapterFile& file, const inputs::AdapterConfig& adapter,
                           const families::ModelConfig& config, const std::string& type) {
    return exported(GgufExport(file.source(), config, file.path().parent_path(), type).make_adapter(file, adapter));
}

}  // namespace trainyard::exports
