// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/training_memory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "config/recipe/zero_plus_plus.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "estimate/recipe_estimate.h"
#include "estimate/step_operations.h"
#include "formats/weights/quantization/module_choice.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

namespace {

constexpr std::int64_t kMostLayersOfPipeline = 4096;
constexpr double kMebibyte = 1024.0 * 1024;
constexpr double kHalfProducts = 16 * kMebibyte;  ///< of oneDNN and of the engine
constexpr double kConnections = 4 * kMebibyte;    ///< Gloo's threads and buffers
/// A rank's share of the memory in which a group of ranks exchanges tensors (distributed/parallel/shared_region.h), and
/// the buffers of sockets of a pipeline.
constexpr double kGroupMessages = 16 * kMebibyte, kPipelineMessages = 8 * kMebibyte;
/// Elements of two slices of offloaded state (train/flat_optimizer.cpp): one in use, one read ahead.
constexpr double kStateSlices = 2.0 * (1 << 20);
/// FSDP and ZeRO 3 hold the layer in use and the next one, which is fetched ahead.
constexpr double kGatheredLayers = 2;
/// Bytes that a rank of a sequence keeps for each byte of keys and values, or of heads, of all its ranks.
constexpr double kStagingOfSequences = 1.3;
/// Tensors that a block saves: norms, products, attention, activation function.
constexpr double kSavedTensors = 10;

struct PartName {
    std::string_view key, words;
};
constexpr std::array<PartName, kParts> kPartNames{{{"weights", "weights"},
                                                   {"compute_copy", "copies for products"},
                                                   {"gradients", "gradients"},
                                                   {"optimizer", "optimizer"},
                                                   {"activations", "activations"},
                                                   {"logits", "logits and loss"},
                                                   {"buckets", "communication buffers"},
                                                   {"workspace", "temporary"},
                                                   {"averages", "averaged weights"},
                                                   {"snapshot", "checkpoint being written"},
                                                   {"rounding", "allocator"},
                                                   {"base", "program"}}};

/// Rows of the logits that exist at the same time; models/nn/kernels/cross_entropy.cpp uses the same chunks.
double logit_rows(double rows, double row_bytes) {
    const double fitting = std::floor(8 * kMebibyte / row_bytes);
    return fitting >= rows ? rows : std::max({fitting, std::min(std::floor(rows / 4), 512.0), 16.0});
}

std::string count_text(double value) {
    return std::fabs(value) < 9e15 ? text::grouped(static_cast<std::int64_t>(std::llround(value)))
                                   : fmt::format("{:.4g}", value);
}

/// Bytes per token of one block.
struct BlockBytes {
    double input = 0;      ///< of the residual stream
    double kept = 0;       ///< all that backward needs
    double selected = 0;   ///< outputs of products and of the attention alone
    double in_flight = 0;  ///< gradients of activations
};

/// Formats of this setup.
struct Formats {
    explicit Formats(const TrainingSetup& setup)
        : mixed(setup.precision != ProductFormat::no),
          half(setup.half_weights && mixed),
          narrow(half || (setup.bf16_stochastic_round && mixed)),
          product(mixed ? 2 : 4),
          saved_operand(setup.precision == ProductFormat::fp8 ? 1 : product),
          residual(half ? 2 : 4),
          weight(narrow ? 2 : 4),
          gradient(half ? 2 : 4) {}
    bool mixed, half;
    bool narrow;           ///< weights are in the format of products
    double product;        ///< operands of products
    double saved_operand;  ///< operands that products keep: 8 bits in fp8 (Micikevicius et al., 2022)
    double residual;       ///< the residual stream
    double weight;         ///< trained weights
    double gradient;       ///< their gradients
};

class StageEstimate {
  public:
    StageEstimate(const ModelParts& model, const TrainingSetup& setup, const Device& device,
                  std::vector<Explanation>* why)
        : model_(model), setup_(setup), device_(device), formats_(setup), why_(why) {}

    RankMemory estimate(const std::vector<pipeline::StageBlocks>& blocks, std::int64_t stage) {
        const Layout& layout = setup_.layout;
        memory_ = {.stage = stage, .ranks = layout.ranks() / layout.pp, .blocks = blocks, .bytes = {}};
        blocks_ = blocks;
        first_ = blocks.front().begin == 0;
        last_ = blocks.back().end == model_.layers();
        count();
        state();
        activations();
        if (setup_.averages > 0)
            add(Part::averages, 4 * parameters_ * static_cast<double>(setup_.averages), "train/loop/weight_average.h",
                [&] {
                    return Message("4 bytes × {} parameters × {} averages", count_text(parameters_), setup_.averages);
                });
        if (setup_.snapshots)
            add(Part::snapshot, memory_.bytes_of(Part::weights) + memory_.bytes_of(Part::optimizer),
                "checkpoint/snapshot.h", [] {
                    return Message(
                        "weights and optimizer state are copied, so that training continues during the save");
                });
        if (formats_.mixed && device_.cpu)
            add(Part::base, kHalfProducts, "measured on the CPU (packaging/bench estimate)",
                [] { return Message("code and buffers of 16-bit products"); });
        if (layout.ranks() > 1 && device_.cpu)
            add(Part::base, kConnections + kGroupMessages * groups() + (layout.pp > 1 ? kPipelineMessages : 0),
                "measured on the CPU (packaging/bench estimate)",
                [] { return Message("connections to the other ranks"); });
        // Ranks of a host have the pages of the program's files once.
        const auto sharing = static_cast<double>(std::max<std::int64_t>(1, device_.sharing_ranks));
        add(Part::base,
            device_.program - std::min(device_.program, device_.cpu ? kCpuProgramFiles : 0) * (1 - 1 / sharing),
            device_.program_runs > 0 ? "measured by runs on this processor" : "measured on the CPU",
            [] { return Message("program, LibTorch, threads"); });
        return memory_;
    }

  private:
    /// Groups of ranks that exchange tensors in memory that they share.
    double groups() const {
        const Layout& layout = setup_.layout;
        const std::int64_t data = layout.data_ranks() * layout.cp * layout.sp;
        double count = layout.tp > 1 ? 1 : 0;
        count += data > 1 ? 1 : 0;
        for (const std::int64_t part : {layout.cp, layout.sp, layout.ep, setup_.zero_stage > 0 ? layout.dp_shard : 1})
            count += part > 1 && part < data ? 1 : 0;
        return count;
    }
    template <class Formula>
    void add(Part part, double bytes, std::string_view source, Formula&& formula, Place place = Place::device) {
        memory_.bytes[static_cast<std::size_t>(place)][static_cast<std::size_t>(part)] += bytes;
        if (why_ != nullptr && bytes > 0)
            why_->push_back({part, place, bytes, formula(), Message::table_text(source)});
    }

    double blocks_here(std::size_t kind) const {
        double count = 0;
        for (const pipeline::StageBlocks& stage : blocks_)
            count += blocks_on(model_, kind, stage);
        return count;
    }

    /// Parameters of the stages on one rank of tensor and expert parallelism.
    void count() {
        const Layout& layout = setup_.layout;
        const RankParameters all = parameters_on_rank(model_, layout, blocks_);
        dense_ = all.dense;
        experts_ = all.experts;
        outside_ = all.outside;
        largest_ = all.largest_block;
        parameters_ = all.total();
        on_stage_ = trained_on_rank(model_, setup_, blocks_);
        lora_ = on_stage_.adapters;
        trained_ = on_stage_.total();
        shards_ = static_cast<double>(layout.dp_shard * layout.cp * layout.sp);
        expert_shards_ = std::max(1.0, shards_ / static_cast<double>(layout.ep));
    }

    /// Divides by the ranks that share it out; experts have fewer ranks left.
    double shared(double dense, double experts) const {
        return std::ceil(dense / shards_) + std::ceil(experts / expert_shards_);
    }
    double shared_trained() const { return shared(on_stage_.dense, on_stage_.experts); }
    Message shared_text(const Message& formula, std::int64_t from) const {
        return setup_.zero_stage >= from && shards_ > 1 ? Message("{} / {:.0f} ranks", formula, shards_) : formula;
    }

    /// Elements of matrices that are not quantized, on one rank.
    struct Kept {
        double in_products = 0, in_fp32 = 0;
    };
    Kept kept_elements() const {
        const std::vector<std::string> skipped = module_names(setup_.skip_modules),
                                       wide = module_names(setup_.keep_in_fp32_modules);
        Kept kept;
        if (skipped.empty() && wide.empty())
            return kept;
        const auto tp = static_cast<double>(setup_.layout.tp), ep = static_cast<double>(setup_.layout.ep);
        for (std::size_t kind = 0; kind < model_.blocks.size(); ++kind) {
            const BlockShape& block = model_.blocks[kind];
            const double share = blocks_here(kind) / static_cast<double>(block.count);
            for (const BlockMatrix& matrix : block.matrices)
                for (std::int64_t number = 0; number < block.count; ++number) {
                    const std::string name = block.module_name(matrix, number);
                    const bool in_fp32 = quantization::is_skipped(name, wide);
                    if (in_fp32 || quantization::is_skipped(name, skipped))
                        (in_fp32 ? kept.in_fp32 : kept.in_products) +=
                            share * matrix.elements / block.ranks_of(matrix, tp) / (matrix.of_experts ? ep : 1);
                }
        }
        return kept;
    }

    void state() {
        const Layout& layout = setup_.layout;
        const std::int64_t stage = shards_ > 1 ? setup_.zero_stage : 0;
        const bool frozen_apart = setup_.lora_rank > 0 && setup_.weight_bits > 0;
        // Of 4-bit weights, 64 share a scale (Dettmers et al., "QLoRA", 2023).
        const double frozen_bytes = !frozen_apart ? formats_.weight
                                    : setup_.weight_bits == 4
                                        ? quantization::packed_element_bytes({"nf4", setup_.double_quant})
                                        : static_cast<double>(setup_.weight_bits) / 8;
        const double tables = frozen_apart && setup_.tables_stay ? (formats_.weight - frozen_bytes) * outside_ : 0;
        const Kept kept = frozen_apart ? kept_elements() : Kept();
        const double stays = std::max(0.0, formats_.product - frozen_bytes) * kept.in_products +
                             std::max(0.0, 4 - frozen_bytes) * kept.in_fp32;
        const double stored = frozen_bytes * parameters_ + tables + stays + formats_.weight * lora_;
        // Frozen matrices of 4 and 8 bits are whole on every rank.
        const double weights = stage >= 3 && !setup_.tables_stay ? frozen_bytes * shared(dense_ + outside_, experts_) +
                                                                       formats_.weight * shared(lora_, 0)
                                                                 : stored;
        const auto weights_text = [&] {
            const double packed = parameters_ - kept.in_products - kept.in_fp32;
            Message all = tables > 0
                              ? Message("{:g} bytes × {} parameters + {:g} × {} of embedding and head", frozen_bytes,
                                        count_text(packed - outside_), formats_.weight, count_text(outside_))
                              : shared_text(Message("{:g} bytes × {} parameters", frozen_bytes, count_text(packed)), 3);
            for (const auto& [bytes, elements] : {std::pair{formats_.product, kept.in_products}, {4.0, kept.in_fp32}})
                if (elements > 0)
                    all = Message("{} + {:g} × {} of modules that stay", all, bytes, count_text(elements));
            return lora_ > 0 ? Message("{} + {:g} × {} of LoRA", all, formats_.weight, count_text(lora_)) : all;
        };
        const Place weights_place = place_of(setup_.offload_param), state_place = place_of(setup_.offload_optimizer);
        const double unit = largest_ + outside_;
        if (setup_.frozen_by_map)
            frozen_by_map();
        else
            add(Part::weights, weights, "number format", weights_text, weights_place);
        if (setup_.frozen_by_map) {
            // Nothing is gathered and nothing copied but what is trained.
        } else if (stage >= 3) {
            const double sent = sent_weight_bytes(setup_, formats_.product);
            // Codes become values when their layer is used.
            const double layers = sent < formats_.product ? 1 : kGatheredLayers;
            add(Part::compute_copy, formats_.product * (layers * largest_ + outside_),
                "Rajbhandari et al., \"ZeRO\", 2020; Zhao et al., \"FSDP\", 2023", [&] {
                    return Message("{:g} bytes × ({:g} gathered layers of {} + embedding and head {})",
                                   formats_.product, layers, count_text(largest_), count_text(outside_));
                });
            if (sent < formats_.product)
                add(Part::compute_copy, sent * kGatheredLayers * largest_, "engine/distributed/parallel/value_rooms.h",
                    [&] {
                        return Message("{:g} bytes × {:g} layers of {} as they are sent", sent, kGatheredLayers,
                                       count_text(largest_));
                    });
            if (setup_.ignored_share > 0)
                add(Part::compute_copy, formats_.product * setup_.ignored_share * parameters_,
                    "engine/distributed/parallel/value_rooms.h", [&] {
                        return Message("{:g} bytes × {} parameters of modules that are not sharded", formats_.product,
                                       count_text(setup_.ignored_share * parameters_));
                    });
            if (const auto ranks = static_cast<double>(setup_.zero_hpz_partition_size); ranks > 1) {
                const double bytes = setup_.zero_quantized_weights ? config::kInt8CodeBytes : formats_.product,
                             copied = (dense_ + outside_) * (1 - setup_.ignored_share);
                add(Part::compute_copy, bytes * copied / ranks, "Wang et al., \"ZeRO++\", 2024", [&] {
                    return Message("second copy: {:g} bytes × {} parameters / {:.0f} ranks", bytes, count_text(copied),
                                   ranks);
                });
            }
        } else if (weights_place != Place::device) {
            add(Part::compute_copy, formats_.product * (kGatheredLayers * largest_ + outside_),
                "one layer in use, one fetched ahead", [&] {
                    return Message("{:g} bytes × ({:g} layers of {} + {})", formats_.product, kGatheredLayers,
                                   count_text(largest_), count_text(outside_));
                });
        } else if (formats_.mixed && !formats_.narrow && !frozen_apart) {
            add(Part::compute_copy, formats_.product * parameters_, "mixed precision (Micikevicius et al., 2018)",
                [&] { return Message("{:g} bytes × {} parameters", formats_.product, count_text(parameters_)); });
        } else if (frozen_apart && setup_.weight_bits < 16) {
            add(Part::compute_copy, formats_.product * kGatheredLayers * largest_,
                "quantised weights are restored layer by layer", [&] {
                    return Message("{:g} bytes × {:g} layers of {}", formats_.product, kGatheredLayers,
                                   count_text(largest_));
                });
        }

        const double gradient = formats_.gradient;
        const OptimizerRow& row = optimizer_row(setup_.optimizer);
        if (row.in_backward && setup_.layout.ranks() == 1) {
            const double share = parameters_ > 0 ? trained_ / parameters_ : 0;
            add(Part::buckets, gradient * std::min(trained_, unit * share), "engine/train/loop/backward_update.h", [&] {
                return Message("{:g} bytes × (largest layer {} + embedding and head {}) that are trained", gradient,
                               count_text(largest_ * share), count_text(outside_ * share));
            });
        } else {
            add(
                Part::gradients, gradient * (stage >= 2 ? shared_trained() : trained_),
                "one value per trained parameter",
                [&] {
                    return shared_text(Message("{:g} bytes × {} trained parameters", gradient, count_text(trained_)),
                                       2);
                },
                device_.cpu ? weights_place : Place::device);  // distributed/parallel/offloaded_arena.h
        }
        if (stage >= 2) {
            // distributed/parallel/gradient_buffers.h: of the embedding, which the head writes first, of two buckets in
            // flight and of the one that backward fills.
            const double share = parameters_ > 0 ? trained_ / parameters_ : 0;
            const double bucket = std::max(setup_.bucket_mb * kMebibyte, gradient * largest_ * share);
            const double embedding = model_.embedding_on_rank(static_cast<double>(layout.tp)) * gradient * share;
            add(Part::buckets, std::min(gradient * trained_, embedding + 3 * bucket),
                "engine/distributed/parallel/gradient_buffers.h",
                [&] { return Message("embedding {} + 3 buckets of {}", count_text(embedding), count_text(bucket)); });
        }
        const double master = formats_.half ? 4 : 0;
        const double state = (row.state_bytes + master) * (stage >= 1 ? shared_trained() : trained_);
        add(
            Part::optimizer, state, row.source,
            [&] {
                const std::string count = count_text(trained_);
                return shared_text(master > 0 ? Message("{:.4g} bytes + 4 of the master × {} trained parameters",
                                                        row.state_bytes, count)
                                              : Message("{:.4g} bytes × {} trained parameters", row.state_bytes, count),
                                   1);
            },
            state_place);
        if (const auto data = static_cast<double>(layout.data_ranks()); row.exchanges_signs && data > 1)
            add(Part::optimizer, 4 * trained_ * (1 + 1 / data), "engine/distributed/parallel/one_bit_mean.h", [&] {
                return Message("4 bytes × {} trained parameters of errors to feed back, and 4 × {} as their server",
                               count_text(trained_), count_text(trained_ / data));
            });
        // The memory of a processor is the host's: gradients are there. What activations leave stays with the program,
        // so slices come beside them.
        if (device_.cpu && state_place == Place::disk)
            add(Part::base, std::min(state, kStateSlices * row.state_bytes), "engine/train/offloaded_state.h", [&] {
                return Message("{:.4g} bytes × {} elements of optimizer state in two slices", row.state_bytes,
                               count_text(kStateSlices));
            });
        if (state_place != Place::device && !device_.cpu)
            add(
                Part::gradients, gradient * (stage >= 1 ? shared_trained() : trained_),
                "Ren et al., \"ZeRO-Offload\", 2021",
                [&] { return Message("gradients are copied to where the optimizer is"); }, Place::host);
        if (weights_place == Place::disk && !device_.cpu)
            add(
                Part::weights, formats_.weight * kGatheredLayers * unit, "Rajbhandari et al., \"ZeRO-Infinity\", 2021",
                [&] { return Message("two layers on their way from the disk"); }, Place::host);
        const double of_experts = parameters_ > 0 ? experts_ / parameters_ : 0;
        if (state_place == Place::disk && !device_.cpu)
            add(
                Part::optimizer,
                (row.state_bytes + master) * kGatheredLayers *
                    shared(largest_ * (1 - of_experts), largest_ * of_experts),
                "Rajbhandari et al., \"ZeRO-Infinity\", 2021",
                [&] { return Message("the state of two layers on its way from the disk"); }, Place::host);
    }

    /// Frozen weights in memory and on disk, those that are trained beside them.
    void frozen_by_map() {
        const double frozen = parameters_ - (trained_ - lora_);
        const double share = setup_.frozen_on_disk, product = formats_.product;
        const double stored = setup_.stored_bytes > 0 ? setup_.stored_bytes : product;
        add(Part::weights, formats_.weight * trained_ + product * frozen * (1 - share), "train/frozen_base.h", [&] {
            return Message("{:g} bytes × {} trained parameters + {:g} × {} frozen ones in memory", formats_.weight,
                           count_text(trained_), product, count_text(frozen * (1 - share)));
        });
        if (formats_.mixed && !formats_.narrow)
            add(Part::compute_copy, product * trained_, "mixed precision (Micikevicius et al., 2018)",
                [&] { return Message("{:g} bytes × {} trained parameters", product, count_text(trained_)); });
        const double head = last_ ? model_.head_parameters + model_.tied_parameters : 0;
        const double next = std::max(largest_, head);
        // In another format they are copied from pages of the file.
        const double pages = stored == product ? 0 : stored * next;
        add(Part::compute_copy, std::min(stored * frozen * share, product * (largest_ + next) + pages),
            "inference/dispatch/weight_prefetcher.h", [&] {
                return Message(
                    "{:g} bytes × (layer in use {} + layer or head that is read ahead {}) + {} of "
                    "pages",
                    product, count_text(largest_), count_text(next), count_text(pages));
            });
        add(
            Part::weights, stored * frozen * share, "train/frozen_base.h",
            [&] {
                return Message("{:g} bytes × {} parameters that the device map leaves on disk", stored,
                               count_text(frozen * share));
            },
            Place::disk);
    }

    /// The memory of a processor is the host's: nothing moves from one to the other.
    Place place_of(Offload offload) const {
        if (offload == Offload::disk)
            return Place::disk;
        return offload == Offload::cpu && !device_.cpu ? Place::host : Place::device;
    }

    /// Elements per token in the experts that it is sent to, on each rank that shares them.
    double expert_rows(const BlockShape& block) const {
        const double inner = (block.opened + block.activated) / static_cast<double>(setup_.layout.tp);
        return block.expert_tokens > 0 ? inner + block.expert_tokens : 0;
    }

    /// The memory that a process on a processor keeps besides its tensors.
    void buffers_of_exchanges(double tokens) {
        if (!device_.cpu)
            return;
        constexpr const char* kMeasured = "measured on the CPU (packaging/bench estimate)";
        if (setup_.layout.tp > 1)
            add(Part::rounding, formats_.weight * parameters_, kMeasured, [&] {
                return Message("{:g} bytes × {} parameters that are divided before they are laid out", formats_.weight,
                               count_text(parameters_));
            });
        double exchanged = 0, rows = 0;
        for (std::size_t kind = 0; kind < model_.blocks.size(); ++kind) {
            const BlockShape& block = model_.blocks[kind];
            exchanged =
                std::max(exchanged, block.key_value_width + (setup_.layout.sp > 1 ? 2 * block.attention_width : 0));
            rows = std::max(rows, expert_rows(block));
        }
        if (const auto ranks = static_cast<double>(setup_.layout.cp * setup_.layout.sp); ranks > 1)
            add(Part::buckets, kStagingOfSequences * ranks * tokens * exchanged * formats_.product, kMeasured, [&] {
                return Message("{:g} × {} tokens × {:g} bytes of a layer's exchange", kStagingOfSequences,
                               count_text(ranks * tokens), exchanged * formats_.product);
            });
        rows *= std::min(1.0, expert_load(setup_));
        if (rows > 0)
            add(Part::rounding, tokens * rows * formats_.product, kMeasured, [&] {
                return Message("{} tokens × {:g} bytes of a block's experts, whose rows change with every step",
                               count_text(tokens), rows * formats_.product);
            });
    }

    /// `number`: of the first block of this shape.
    BlockBytes block_bytes(const BlockShape& block, std::int64_t number) const {
        const auto tp = static_cast<double>(setup_.layout.tp);
        const auto sequence = static_cast<double>(setup_.sequence) / static_cast<double>(setup_.layout.cp);
        const double heads = model_.heads / tp / static_cast<double>(setup_.layout.sp);
        const double operand = formats_.saved_operand, product = formats_.product;
        // Between the layers each rank has its part of the positions; products get all of them.
        const double own = setup_.tp_sequence_parallel ? tp : 1;
        const double whole = formats_.residual * block.norm_inputs / own + operand * block.product_inputs;
        const double undivided = formats_.residual * block.norm_inputs + operand * block.product_inputs;
        const double split =
            product * block.attention_on_rank(tp) + (product * block.opened + operand * block.activated) / tp;
        const double unsplit = product * (block.attention_values + block.opened) + operand * block.activated;
        double attention = 0;
        if (block.attention_width > 0)
            // Softmax, dropout mask and its output: Korthikanti et al., 2022, section 4. Flash attention keeps a sum
            // per row (Dao et al., 2022).
            attention = setup_.attention == Attention::eager ? heads * sequence * (2 * product + 1) : 4 * heads;
        BlockBytes bytes;
        bytes.input = formats_.residual * model_.width / own;
        bytes.kept = whole + split + attention;
        // Ranks that sum their outputs keep the sum beside their own output.
        const double closed = setup_.tp_sequence_parallel ? 1 / own : tp > 1 ? 2 : 1;
        bytes.selected =
            bytes.input + product * (block.closed * closed + block.attention_on_rank(tp) + block.opened / tp);
        bytes.in_flight = 2 * formats_.residual * model_.width / own + product * block.activated / tp;
        if (adapter_products(setup_, block) > 0)  // what an adapter adds, beside the output of its matrix
            bytes.in_flight += product * block.opened / tp;
        if (model_.recipe) {  // what the engine's kernels keep
            const families::ActivationBytes kernels =
                families::family_of(*model_.recipe)
                    .activation_bytes(*model_.recipe, static_cast<std::uint64_t>(product), number);
            const double kept =
                static_cast<double>(kernels.block) + (setup_.attention == Attention::eager || kernels.probabilities > 0
                                                          ? static_cast<double>(kernels.probabilities) * sequence
                                                          : 0);
            const double divided = whole + split > 0 ? (whole + split) / (undivided + unsplit) : 1;
            bytes.input = static_cast<double>(kernels.block_input) / own;
            bytes.kept = kept * (tp > 1 ? divided : 1);
            // Heads are exchanged after the attention (models/nn/kernels); its output is kept on both sides.
            if (setup_.layout.sp > 1)
                bytes.kept += product * block.attention_width / tp;
            // Rows on their way to the experts and back are kept, too.
            bytes.kept += product * expert_rows(block) * std::max(0.0, expert_load(setup_) - 1);
            if (setup_.layout.ep > 1)
                bytes.kept += product * 2 * block.expert_tokens * std::min(1.0, expert_load(setup_));
        }
        // Rows that find their expert full.
        bytes.kept -= product * expert_rows(block) * std::max(0.0, 1 - expert_load(setup_));
        return bytes;
    }

    void activations() {
        const Layout& layout = setup_.layout;
        const double tokens = static_cast<double>(setup_.batch) * static_cast<double>(setup_.sequence) /
                              static_cast<double>(layout.cp * layout.sp);
        const double held = kept_micro_batches(setup_, memory_.stage);
        double kept = 0, keeping = 0, widest = 0, in_flight = 0;
        std::int64_t number = 0;
        for (std::size_t kind = 0; kind < model_.blocks.size(); ++kind) {
            const std::int64_t first = std::exchange(number, number + model_.blocks[kind].count);
            if (blocks_here(kind) == 0)
                continue;
            double count = 0;
            for (const pipeline::StageBlocks& stage : blocks_)
                count += blocks_on(model_, kind, blocks_of_backward(setup_, stage)) *
                         static_cast<double>(model_.blocks[kind].runs);
            keeping += count;
            const BlockBytes bytes = block_bytes(model_.blocks[kind], first);
            kept += count * (setup_.checkpointing == Recomputation::full        ? bytes.input
                             : setup_.checkpointing == Recomputation::selective ? std::min(bytes.selected, bytes.kept)
                                                                                : bytes.kept);
            widest = std::max(widest, bytes.kept);
            in_flight = std::max(in_flight, bytes.in_flight);
        }
        const bool again = setup_.checkpointing != Recomputation::no;
        double outside = 2 * model_.width * formats_.residual, head_input = model_.width * formats_.product;
        if (model_.recipe) {
            const families::ActivationBytes own =
                families::family_of(*model_.recipe)
                    .activation_bytes(*model_.recipe, static_cast<std::uint64_t>(formats_.product), 0);
            outside = static_cast<double>(own.outside);
            head_input = static_cast<double>(own.head_input);
        }
        if (setup_.tp_sequence_parallel)
            outside /= static_cast<double>(layout.tp);
        add(Part::activations, tokens * held * kept, "what the operations of a block save, by its matrices and norms",
            [&] {
                return held == 1 ? Message("{} tokens × {} bytes of {:g} blocks", count_text(tokens), count_text(kept),
                                           keeping)
                                 : Message("{} tokens × {:g} micro-batches × {} bytes of {:g} blocks",
                                           count_text(tokens), held, count_text(kept), keeping);
            });
        // The head and its loss are over when backward reaches the blocks, so the larger of both counts. With
        // checkpointing one block at a time has everything.
        const bool has_head = last_ && model_.vocabulary > 0;
        const double columns = model_.vocabulary / static_cast<double>(layout.tp);
        const double row = columns * formats_.product;
        const double rows = has_head ? setup_.chunked_loss ? logit_rows(tokens, row) : tokens : 0;
        // Otherwise logits, their fp32 copy and its gradient are whole.
        const double row_bytes = setup_.chunked_loss ? row : columns * (formats_.product + 8);
        const double head = has_head ? rows * row_bytes + tokens * (outside + head_input) : 0;
        const double block = tokens * (in_flight + (again ? widest : 0));
        if (head > block) {
            add(Part::logits, head,
                setup_.chunked_loss ? "engine/models/nn/kernels/cross_entropy.cpp"
                                    : "transformers computes the loss in fp32",
                [&] {
                    return Message(
                        "{} rows × {:g} bytes + {} tokens × {:g} around the head; the blocks need "
                        "{} after that",
                        count_text(rows), row_bytes, count_text(tokens), outside + head_input,
                        text::memory_size(static_cast<std::uint64_t>(block)));
                });
        } else {
            add(Part::workspace, tokens * in_flight, "gradients of one block's activations during backward", [&] {
                return Message("{} tokens × {:g} bytes; the head needs {} before that", count_text(tokens), in_flight,
                               text::memory_size(static_cast<std::uint64_t>(head)));
            });
            if (again)
                add(Part::activations, tokens * widest, "Chen et al., 2016; Korthikanti et al., 2022", [&] {
                    return Message("{} tokens × {} bytes of one whole block that is computed again", count_text(tokens),
                                   count_text(widest));
                });
        }
        allocator(held * keeping);
        buffers_of_exchanges(tokens);
    }

    /// On a CPU, what a tensor leaves fits the next of its size (distributed/tensors/memory_meter.h), so that nothing
    /// is added.
    /// `blocks`: whose values are kept, of all micro-batches.
    void allocator(double blocks) {
        if (device_.cpu)
            return;
        const double tensors = kSavedTensors * blocks;
        add(Part::rounding, tensors * kMebibyte, "CUDA caching allocator: large blocks are multiples of 2 MiB",
            [&] { return Message("1 MiB on average × {:g} tensors", tensors); });
    }

    const ModelParts& model_;
    const TrainingSetup& setup_;
    const Device& device_;
    Formats formats_;
    std::vector<Explanation>* why_;
    RankMemory memory_;
    std::vector<pipeline::StageBlocks> blocks_;
    bool first_ = true, last_ = true;
    double dense_ = 0, experts_ = 0, outside_ = 0, lora_ = 0, largest_ = 0;
    TrainedParameters on_stage_;
    double parameters_ = 0, trained_ = 0, shards_ = 1, expert_shards_ = 1;
};

}  // namespace

std::string_view part_key(Part part) {
    return kPartNames[static_cast<std::size_t>(part)].key;
}

std::string_view part_words(Part part) {
    return kPartNames[static_cast<std::size_t>(part)].words;
}

std::string_view place_words(Place place) {
    return place == Place::device ? "device" : place == Place::host ? "host memory" : "disk";
}

double RankMemory::total(Place place) const {
    double sum = 0;
    for (double part : bytes[static_cast<std::size_t>(place)])
        sum += part;
    return sum;
}

const RankMemory& MemoryEstimate::fullest() const {
    return *std::ranges::max_element(stages, {}, [](const RankMemory& stage) { return stage.total(); });
}

double blocks_on(const ModelParts& model, std::size_t kind, const pipeline::StageBlocks& stage) {
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < kind; ++i)
        begin += model.blocks[i].count;
    const std::int64_t from = std::max<std::int64_t>(begin, stage.begin),
                       to = std::min<std::int64_t>(begin + model.blocks[kind].count, stage.end);
    return static_cast<double>(std::max<std::int64_t>(0, to - from));
}

double kept_micro_batches(const TrainingSetup& setup, std::int64_t rank) {
    const std::int64_t ranks = setup.layout.pp, micro_batches = setup.accumulation;
    const std::string& schedule = setup.pipeline_schedule;
    if (ranks == 1)
        return 1;
    if (schedule == "GPipe" || schedule == "LoopedBFS")
        return static_cast<double>(micro_batches);
    if (schedule == "1F1B" || schedule == "ZBH1")
        return static_cast<double>(std::min(ranks - rank, micro_batches));
    // Two stages on each rank, whose warm-ups are those of pipeline_schedule.cpp.
    const std::int64_t round = micro_batches / std::max<std::int64_t>(1, micro_batches / ranks);
    const std::int64_t forwards = schedule == "Interleaved1F1B"         ? round + 2 * (ranks - 1 - rank) + 1
                                  : schedule == "InterleavedZeroBubble" ? round + ranks
                                                                        : 2 * ranks + (schedule == "DualPipeV" ? 1 : 0);
    return 0.5 * static_cast<double>(std::min(forwards, 2 * micro_batches));
}

std::vector<pipeline::StageBlocks> split_model(const ModelParts& model, std::int64_t stages, std::int64_t sequence) {
    const std::int64_t layers = model.layers();
    if (stages <= 1)
        return {{0, static_cast<int>(std::min<std::int64_t>(layers, 1'000'000'000))}};
    if (layers > kMostLayersOfPipeline)
        throw UserError("a pipeline of {} layers cannot be planned: at most {}", layers, kMostLayersOfPipeline);
    std::vector<double> costs;
    for (const BlockShape& block : model.blocks)
        costs.insert(costs.end(), static_cast<std::size_t>(block.count),
                     block.products + 2 * block.attention_width * static_cast<double>(sequence));
    costs.back() += model.head_products > 0 ? model.head_products : model.tied_parameters;
    return pipeline::split_into_stages(costs,
                                       static_cast<int>(std::min<std::int64_t>(stages, kMostLayersOfPipeline + 1)));
}

std::vector<std::vector<pipeline::StageBlocks>> blocks_of_ranks(const ModelParts& model, const TrainingSetup& setup) {
    const pipeline::PipelineSize size = pipeline_size(setup);
    const std::vector<pipeline::StageBlocks> stages =
        split_model(model, std::int64_t{size.ranks} * size.stages_per_rank, setup.sequence);
    std::vector<std::vector<pipeline::StageBlocks>> ranks(static_cast<std::size_t>(size.ranks));
    const std::vector<int> rank_of_stage =
        size.ranks == 1 ? std::vector<int>(stages.size()) : pipeline::place_stages(setup.pipeline_schedule, size);
    for (std::size_t i = 0; i < stages.size(); ++i)
        ranks[static_cast<std::size_t>(rank_of_stage[i])].push_back(stages[i]);
    return ranks;
}

MemoryEstimate estimate_memory(const ModelParts& model, const TrainingSetup& setup, const Device& device,
                               std::vector<Explanation>* why) {
    MemoryEstimate estimate;
    estimate.parameter_count = model.parameters();
    StageEstimate each(model, setup, device, nullptr);
    const std::vector<std::vector<pipeline::StageBlocks>> stages = blocks_of_ranks(model, setup);
    for (std::size_t i = 0; i < stages.size(); ++i)
        estimate.stages.push_back(each.estimate(stages[i], static_cast<std::int64_t>(i)));
    TrainingSetup undivided = setup;
    undivided.layout = {};
    estimate.trained_count = trained_on_rank(model, undivided, split_model(model, 1, setup.sequence)).total();
    const Formats formats(setup);
    estimate.checkpoint =
        formats.weight * estimate.parameter_count +
        (optimizer_row(setup.optimizer).state_bytes + (formats.half ? 4 : 0)) * estimate.trained_count;
    if (why != nullptr) {
        why->clear();
        const auto fullest = static_cast<std::size_t>(estimate.fullest().stage);
        StageEstimate(model, setup, device, why).estimate(stages[fullest], static_cast<std::int64_t>(fullest));
    }
    return estimate;
}

MemoryEstimate estimate_memory(const config::Recipe& recipe, std::int64_t ranks) {
    return estimate_recipe(recipe, ranks).memory;
}

double memory_of_ranks(const config::Recipe& recipe, std::int64_t ranks) {
    double sum = 0;
    for (const RankMemory& stage : estimate_memory(recipe, ranks).stages)
        sum += stage.total() * static_cast<double>(stage.ranks);
    return sum;
}

}  // namespace trainyard::estimate
