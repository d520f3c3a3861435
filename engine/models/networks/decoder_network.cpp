// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_network.h"

#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include <ATen/ops/arange.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "distributed/parallel/sequence_share.h"
#include "distributed/parallel/tensor_part.h"
#include "models/networks/decoder_experts.h"
#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/pack_heads.h"
#include "models/spec/alibi.h"

namespace trainyard::models {

namespace {

using families::DecoderModule;
using families::DecoderOptions;
using families::Part;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

const ModulePlan& decoder_plan(DecoderOptions::Norm norm) {
    auto with = [](const char* kind) {
        return ModulePlan({{"*norm*", kind},
                           {"*.ln_*", kind},
                           {"*embed*", "table"},
                           {"*.wte", "table"},
                           {"*.attention_scores", "fused"},
                           {"*.head_scores", "chunked"},
                           {"*", "linear"}});
    };
    static const ModulePlan layer = with("layer_norm"), rms = with("rms_norm");
    return norm == DecoderOptions::Norm::layer ? layer : rms;
}

/// Number of the first position of a micro-batch's tokens.
std::int64_t first_position(const StepContext& context) {
    return context.cache != nullptr ? context.cache->length : 0;
}

/// Of the tokens of a micro-batch, as attention_mask, which is of all keys. Undefined: all are attended to.
at::Tensor attended_tokens(const StepContext& context) {
    if (!context.attention_mask.defined())
        return {};
    return context.sequence != nullptr
               ? parallel::select_positions(context.attention_mask, 1, context.sequence->positions)
               : context.attention_mask.narrow(1, first_position(context), context.tokens.size(1));
}

class DecoderUnit : public TableUnit {
  protected:
    DecoderUnit(std::string name, const DecoderOptions& options, const std::vector<TensorShape>& tensors)
        : TableUnit(std::move(name), tensors, decoder_plan(options.norm)), options_(options) {}

    Norm norm(const std::string& module) const {
        if (options_.norm == DecoderOptions::Norm::layer)
            return layer_norm(module, options_.epsilon);
        return rms_norm(module, options_.epsilon, options_.norm == DecoderOptions::Norm::rms_plus_one ? 1 : 0);
    }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, double probability, std::uint32_t place) const {
        return context.training ? counter_dropout(x, dropout_key(context, place), probability) : x;
    }

    DecoderOptions options_;
};

class DecoderEmbedding final : public DecoderUnit {
  public:
    DecoderEmbedding(const DecoderOptions& options, const std::vector<TensorShape>& tensors)
        : DecoderUnit(options.names.token_table, options, tensors),
          tokens_(embedding(options.names.token_table, options.padding)),
          project_(find_linear(options.names.project_in)) {
        if (!options.names.token_norm.empty())
            norm_ = norm(options.names.token_norm);
        if (!options.names.position_table.empty())
            positions_ = embedding(options.names.position_table);
    }
    Parameter& table() { return tokens_.table(); }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        at::Tensor hidden;
        if (positions_ && !project_) {
            hidden = tokens_(context.tokens, *positions_, position_rows(context));
        } else {
            hidden = tokens_(context.tokens);
            if (options_.embedding_factor != 1)
                hidden = hidden.mul(options_.embedding_factor);
            if (project_)
                hidden = (*project_)(hidden).to(at::kFloat);
            if (positions_)
                hidden = hidden.add(
                    (*positions_)(context.stream_positions != nullptr
                                      ? parallel::own_positions(position_rows(context), *context.tensor_ranks)
                                      : position_rows(context)));
        }
        if (norm_)
            hidden = (*norm_)(hidden).to(at::kFloat);
        Tensors streams{drop(hidden, context, options_.embedding_dropout, 0)};
        if (options_.router_loss) {
            const auto numbers = hidden.options().requires_grad(false);
            streams.push_back(at::zeros({options_.experts}, numbers));
            streams.push_back(at::zeros({options_.experts_per_token, options_.experts}, numbers));
        }
        return streams;
    }

  private:
    /// Rows of the position table.
    at::Tensor position_rows(const StepContext& context) const {
        const std::int64_t first = first_position(context), seq = context.tokens.size(1);
        at::Tensor positions = context.position_ids;
        if (!positions.defined() && options_.positions_by_mask && context.attention_mask.defined()) {
            const at::Tensor mask = context.attention_mask.ne(0).to(at::kLong);
            positions = at::cumsum(mask, 1).mul(mask).sub(1).narrow(1, first, seq);
        } else if (!positions.defined()) {
            positions = at::arange(first, first + seq, context.tokens.options()).expand_as(context.tokens);
        }
        return positions.add(options_.first_position);
    }

    Embedding tokens_;
    std::optional<Embedding> positions_;
    std::optional<Linear> project_;
    std::optional<Norm> norm_;
};

/// Frequencies of rotary positions and slopes of ALiBi on the device. They stay there, because a captured step
/// (train/step_graph.h) reads them where they were at its capture, and the host copies nothing while it is captured.
/// Thread-safe.
class FrequencyTables {
  public:
    at::Tensor on(at::Device device, const std::vector<float>& frequencies) {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, table] : tables_)
            if (known == frequencies && table.device() == device)
                return table;
        const at::Tensor table = at::tensor(frequencies, at::kFloat).to(device);
        if (tables_.size() < kMost)  // those of the type dynamic differ with the length of the sequences
            tables_.emplace_back(frequencies, table);
        return table;
    }

  private:
    static constexpr std::size_t kMost = 8;
    std::mutex mutex_;
    std::vector<std::pair<std::vector<float>, at::Tensor>> tables_;
};

class DecoderBlock final : public DecoderUnit {
  public:
    DecoderBlock(const DecoderOptions& options, std::int64_t layer, const std::vector<TensorShape>& tensors)
        : DecoderUnit(fmt::format("{}{}", options.names.blocks, layer), options, tensors),
          layer_(layer),
          attention_(attention(name() + ".attention_scores", options.heads, options.score_scale)),
          output_(*module(DecoderModule::attention_output)),
          norm_1_(norm(full_name(DecoderModule::norm_1))),
          query_(module(DecoderModule::query)),
          key_(module(DecoderModule::key)),
          value_(module(DecoderModule::value)),
          joined_(module(DecoderModule::query_key_value)),
          by_head_(module(DecoderModule::query_key_value_by_head)),
          gate_(module(DecoderModule::gate)),
          up_(module(DecoderModule::up)),
          gate_up_(module(DecoderModule::gate_up)),
          down_(module(DecoderModule::down)),
          shared_gate_(module(DecoderModule::shared_gate)),
          shared_up_(module(DecoderModule::shared_up)),
          shared_down_(module(DecoderModule::shared_down)),
          shared_router_(module(DecoderModule::shared_router)),
          norm_2_(find_norm(DecoderModule::norm_2)),
          query_norm_(find_norm(DecoderModule::query_norm)),
          key_norm_(find_norm(DecoderModule::key_norm)),
          norm_1_after_(find_norm(DecoderModule::norm_1_after)),
          norm_2_after_(find_norm(DecoderModule::norm_2_after)) {
        if (options.has_experts(layer))
            experts_.emplace(*module(DecoderModule::router), make_experts(), options);
    }
    /// The experts of this block, by their parameters.
    void note_experts(std::map<const Parameter*, std::int64_t>& numbers) const {
        for (std::int64_t number = 0; experts_ && number < options_.experts; ++number)
            for (const DecoderModule part :
                 {DecoderModule::expert_gate, DecoderModule::expert_up, DecoderModule::expert_down})
                numbers[&parameter(expert_module(part, number) + ".weight")] = number;
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        Tensors outputs = inputs;
        RouterSums sums;
        if (options_.router_loss)
            sums = {inputs.at(1), inputs.at(2)};
        outputs[0] = run(inputs.at(0), context, options_.router_loss ? &sums : nullptr);
        if (options_.router_loss) {
            outputs[1] = sums.probabilities;
            outputs[2] = sums.choices;
        }
        return outputs;
    }

  private:
    at::Tensor run(const at::Tensor& stream, StepContext& context, RouterSums* sums) const {
        using Flow = DecoderOptions::Flow;
        if (options_.flow == Flow::post_norm) {
            const at::Tensor middle = norm_1_(stream, attend(stream, context)).normed.to(at::kFloat);
            return (*norm_2_)(middle, feed_forward(middle, context, sums)).normed.to(at::kFloat);
        }
        if (options_.flow == Flow::normed_stream) {
            const at::Tensor input = norm_1_(stream);
            const at::Tensor middle = (*norm_2_)(add_branch(input.to(at::kFloat), attend(input, context)));
            return add_branch(middle.to(at::kFloat), feed_forward(middle, context, sums));
        }
        const NormedStream input = norm_1_(stream, {});
        const at::Tensor mixed = attend(input.normed, context);
        if (options_.flow == Flow::parallel) {
            const at::Tensor inner = feed_forward(norm_2_ ? (*norm_2_)(input.stream) : input.normed, context, sums);
            if (context.training && options_.sum_dropout > 0)
                return add_branch(input.stream, drop(mixed.add(inner), context, options_.sum_dropout, place(1)));
            return add_branch(add_branch(input.stream, mixed), inner);
        }
        const NormedStream middle = (*norm_2_)(input.stream, after(norm_1_after_, mixed));
        return add_branch(middle.stream, after(norm_2_after_, feed_forward(middle.normed, context, sums)));
    }

    static at::Tensor after(const std::optional<Norm>& norm, const at::Tensor& x) {
        return norm ? (*norm)(x.to(at::kFloat)) : x;
    }

    at::Tensor attend(const at::Tensor& x, StepContext& context) const {
        const auto [query, key, value] = heads(x, context);
        PlainAttention what = attention_of(context, *this, place(0), options_.attention_dropout);
        what.window = options_.windows[static_cast<std::size_t>(layer_)];
        what.score_cap = options_.score_cap;
        what.key_heads = options_.key_heads;
        what.key_bias = alibi(context);
        const at::Tensor packed = pack_heads(query, key, value, rotation(context));
        return drop(output_(attention_(packed, what)), context, options_.mixed_dropout, place(1));
    }

    /// Queries [batch, seq, heads, width], keys and values with their own number of heads.
    std::array<at::Tensor, 3> heads(const at::Tensor& x, const StepContext& context) const {
        const std::int64_t width = options_.head_width;
        if (by_head_) {
            const std::int64_t group = options_.heads / options_.key_heads;
            const bool is_whole = context.tensor_ranks != nullptr && options_.has_whole_projection();
            const at::Tensor all =
                (*by_head_)(is_whole ? input_of_all(x, context) : x).unflatten(-1, {-1, group + 2, width});
            at::Tensor query = all.narrow(3, 0, group).flatten(2, 3);
            if (is_whole) {  // the heads of all ranks
                const std::int64_t own = options_.heads / context.tensor_ranks->size();
                query = query.narrow(2, context.tensor_ranks->rank() * own, own);
            }
            return {query, all.select(3, group), all.select(3, group + 1)};
        }
        if (joined_) {
            at::Tensor all = (*joined_)(x).unflatten(-1, {-1, width});
            if (options_.projection_limit > 0)
                all = all.clamp(-options_.projection_limit, options_.projection_limit);
            const std::int64_t keys = all.size(2) * options_.key_heads / (options_.heads + 2 * options_.key_heads);
            const std::int64_t queries = all.size(2) - 2 * keys;
            return {all.narrow(2, 0, queries), all.narrow(2, queries, keys), all.narrow(2, queries + keys, keys)};
        }
        const std::vector<at::Tensor> parts = Linear::each_of(x, {&*query_, &*key_, &*value_});
        at::Tensor query = parts[0].unflatten(-1, {-1, width}), key = parts[1].unflatten(-1, {-1, width});
        if (query_norm_)
            query = (*query_norm_)(query.to(at::kFloat));
        if (key_norm_)
            key = (*key_norm_)(key.to(at::kFloat));
        return {query, key, parts[2].unflatten(-1, {-1, width})};
    }

    /// The input of a projection that each of the ranks of a layer has as a whole, with all positions. Its gradient is
    /// the sum of theirs.
    at::Tensor input_of_all(const at::Tensor& x, const StepContext& context) const {
        return context.stream_positions != nullptr
                   ? parallel::gather_positions(x, *context.tensor_ranks, parallel::PositionParts::summed, name())
                   : parallel::share_input(x, *context.tensor_ranks, name());
    }

    /// What ALiBi adds to the scores of each key: fp32 [1 or batch, heads, keys]; undefined without it. Padded tokens
    /// do not count as positions.
    at::Tensor alibi(const StepContext& context) const {
        if (options_.alibi_largest == 0)
            return {};
        const auto device = context.tokens.device();
        const std::int64_t keys =
            context.sequence != nullptr ? context.sequence->length : first_position(context) + context.tokens.size(1);
        at::Tensor positions = at::arange(keys, at::TensorOptions(at::kLong).device(device)).unsqueeze(0);
        if (context.attention_mask.defined()) {
            const at::Tensor mask = context.attention_mask.ne(0).to(at::kLong);
            positions = at::cumsum(mask, 1).sub(1).mul(mask);
        }
        at::Tensor slopes =
            frequencies_.on(device, families::alibi_slopes(options_.heads, options_.alibi_largest)).unsqueeze(1);
        if (options_.rounds_alibi)
            slopes = slopes.to(at::kBFloat16);
        at::Tensor added = slopes.mul(positions.unsqueeze(1)).to(at::kFloat);
        return options_.scales_alibi ? added.div(std::sqrt(static_cast<double>(options_.head_width))) : added;
    }

    Rotation rotation(const StepContext& context) const {
        if (!options_.rotates)
            return {};
        const std::int64_t first = first_position(context), seq = context.tokens.size(1);
        const std::int64_t length = context.sequence != nullptr ? context.sequence->length : first + seq;
        const families::RotaryFrequencies turns =
            families::rotary_frequencies(options_.rotary, options_.head_width, length);
        const at::Tensor frequencies = frequencies_.on(context.tokens.device(), turns.frequencies);
        at::Tensor angles;
        if (context.position_ids.defined())
            angles = context.position_ids.to(at::kFloat).unsqueeze(-1).mul(frequencies);
        else
            angles = at::outer(at::arange(first, first + seq, frequencies.options()), frequencies);
        return {angles.cos().mul_(turns.attention_factor), angles.sin().mul_(turns.attention_factor)};
    }

    at::Tensor feed_forward(const at::Tensor& x, StepContext& context, RouterSums* sums) const {
        at::Tensor out;
        if (experts_) {
            out = mix_experts(x, context, sums);
            if (shared_down_)
                out = out.add(shared_expert(x));
        } else if (gate_up_) {
            const at::Tensor both = (*gate_up_)(x);
            const std::int64_t inner = both.size(-1) / 2;
            out = (*down_)(activate(options_.activation, both.narrow(-1, 0, inner)).mul(both.narrow(-1, inner, inner)));
        } else if (gate_) {
            out = gated(x, *gate_, *up_, *down_);
        } else {
            out = (*down_)(activate(options_.activation, (*up_)(x)));
        }
        return drop(out, context, options_.hidden_dropout, place(2));
    }

    at::Tensor gated(const at::Tensor& x, const Linear& gate, const Linear& up, const Linear& down) const {
        const std::vector<at::Tensor> both = Linear::each_of(x, {&gate, &up});
        return down(activate(options_.activation, both[0]).mul(both[1]));
    }

    /// The expert of all tokens, weighted with a number for each.
    at::Tensor shared_expert(const at::Tensor& x) const {
        return gated(x, *shared_gate_, *shared_up_, *shared_down_).mul((*shared_router_)(x).sigmoid());
    }

    /// Routers see all positions, which makes their gradients equal on the ranks that share the layers.
    at::Tensor mix_experts(const at::Tensor& x, StepContext& context, RouterSums* sums) const {
        const ExpertStep step{context.experts, context.tensor_ranks,
                              context.training ? context.expert_capacity_factor : 0};
        if (context.stream_positions == nullptr)
            return (*experts_)(x, attended_tokens(context), sums, step);
        using parallel::PositionParts;
        const at::Tensor all = parallel::gather_positions(x, *context.tensor_ranks, PositionParts::equal, name());
        return parallel::scatter_positions((*experts_)(all, attended_tokens(context), sums, step),
                                           *context.tensor_ranks, PositionParts::equal, name());
    }

    std::uint32_t place(std::uint32_t number) const { return static_cast<std::uint32_t>(1 + 3 * layer_) + number; }
    std::string full_name(DecoderModule module) const { return name() + "." + options_.name_of(module); }
    std::optional<Linear> module(DecoderModule module) const {
        return options_.has(module) ? find_linear(full_name(module)) : std::nullopt;
    }
    std::optional<Norm> find_norm(DecoderModule module) const {
        return options_.has(module) ? std::optional(norm(full_name(module))) : std::nullopt;
    }
    std::string expert_module(DecoderModule module, std::int64_t number) const {
        return name() + "." + fmt::format(fmt::runtime(options_.name_of(module)), number);
    }
    std::vector<Expert> make_experts() const {
        auto part = [&](DecoderModule module, std::int64_t number) { return linear(expert_module(module, number)); };
        std::vector<Expert> made;
        for (std::int64_t number = 0; number < options_.experts; ++number)
            made.push_back({part(DecoderModule::expert_gate, number), part(DecoderModule::expert_up, number),
                            part(DecoderModule::expert_down, number)});
        return made;
    }

    std::int64_t layer_;
    CausalAttention attention_;
    mutable FrequencyTables frequencies_;
    Linear output_;
    Norm norm_1_;
    std::optional<Linear> query_, key_, value_, joined_, by_head_, gate_, up_, gate_up_, down_;
    std::optional<Linear> shared_gate_, shared_up_, shared_down_, shared_router_;
    std::optional<Norm> norm_2_, query_norm_, key_norm_, norm_1_after_, norm_2_after_;
    std::optional<Experts> experts_;
};

class DecoderHead final : public DecoderUnit {
  public:
    DecoderHead(const DecoderOptions& options, Parameter& tokens, const std::vector<TensorShape>& tensors)
        : DecoderUnit(options.final_norm ? options.names.final_norm : options.names.head, options, tensors),
          project_(find_linear(options.names.project_out)),
          head_(options.tied_head
                    ? head("tied.head_scores", &tie_parameter(tokens), logit_options(options))
                    : head("own.head_scores", &parameter(options.names.head + ".weight"), logit_options(options))) {
        if (options.final_norm)
            norm_ = norm(options.names.final_norm);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        at::Tensor last = norm_ ? (*norm_)(inputs.at(0)) : inputs.at(0);
        if (project_)
            last = (*project_)(last);
        if (context.logits != nullptr)
            *context.logits = head_.logits(last.detach());
        if (!context.labels.defined())
            return {last};
        const RouterSums sums = options_.router_loss ? RouterSums{inputs.at(1), inputs.at(2)} : RouterSums{};
        if (options_.router_loss && context.router != nullptr && context.router->pass() == RouterStep::Pass::count) {
            context.router->add(sums, count_next_targets(context));
            return {last};
        }
        const at::Tensor root = head_.loss(last, context);
        return {options_.router_loss ? with_router_loss(root, sums, context) : root};
    }

  private:
    static LogitOptions logit_options(const DecoderOptions& options) {
        return {.cap = options.logit_cap, .loss = options.loss};
    }

    at::Tensor with_router_loss(const at::Tensor& root, const RouterSums& sums, StepContext& context) const {
        RouterStep* step = context.router;
        if (step == nullptr)
            return add_loss(root, own_router_loss(sums, context), context);
        if (step->pass() == RouterStep::Pass::evaluate) {
            step->add(sums, count_next_targets(context));
            return root;
        }
        if (!step->is_settled()) {  // the only micro-batch of the step
            step->add(sums, count_next_targets(context));
            step->settle();
        }
        return add_loss(root, step->part_of(sums.probabilities), context);
    }
    static at::Tensor add_loss(const at::Tensor& root, const at::Tensor& loss, StepContext& context) {
        if (!context.recomputing)
            context.loss_sum.add_(loss.detach());
        return root.add(loss.mul(context.loss_scale));
    }
    /// Of this micro-batch: the mean over its tokens, weighted like theirs with the number of targets.
    at::Tensor own_router_loss(const RouterSums& sums, const StepContext& context) const {
        RouterSums whole = sums;
        if (context.sequence != nullptr)
            whole = {parallel::sum_over_sequence(sums.probabilities, *context.sequence, "router probabilities"),
                     parallel::sum_over_sequence(sums.choices, *context.sequence, "router choices")};
        return load_balancing_loss(whole)
            .to(at::kDouble)
            .mul(options_.router_loss_factor * count_next_targets(context));
    }

    std::optional<Linear> project_;
    VocabularyHead head_;
    std::optional<Norm> norm_;
};

}  // namespace

Decoder::Decoder(const families::ModelConfig& config) : Model(config), options_(families::decoder_options(config)) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    auto embedding = std::make_unique<DecoderEmbedding>(options_, tensors_of_part(tensors, Part::embedding));
    Parameter& table = embedding->table();
    units_.push_back(std::move(embedding));
    for (std::int64_t layer = 0; layer < options_.layers; ++layer) {
        auto block = std::make_unique<DecoderBlock>(options_, layer, tensors_of_part(tensors, Part::block, layer));
        block->note_experts(expert_numbers_);
        units_.push_back(std::move(block));
    }
    units_.push_back(std::make_unique<DecoderHead>(options_, table, tensors_of_part(tensors, Part::head)));
}

std::vector<parallel::Unit*> Decoder::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

std::int64_t Decoder::expert_of(const Parameter& parameter) const {
    const auto found = expert_numbers_.find(&parameter);
    return found == expert_numbers_.end() ? -1 : found->second;
}

std::shared_ptr<RouterStep> Decoder::make_router_step(parallel::Communicator* data, at::Device device) const {
    if (!options_.router_loss)
        return nullptr;
    return std::make_shared<RouterStep>(data, options_.experts_per_token, options_.experts, options_.router_loss_factor,
                                        device);
}

Tensors Decoder::empty_streams(const parallel::Unit&, const StepContext& context, at::Device device) const {
    const auto numbers = at::TensorOptions().dtype(at::kFloat).device(device);
    Tensors streams{at::empty({context.tokens.size(0), stream_length(context), options_.width}, numbers)};
    if (options_.router_loss) {
        streams.push_back(at::empty({options_.experts}, numbers));
        streams.push_back(at::empty({options_.experts_per_token, options_.experts}, numbers));
    }
    return streams;
}

}  // namespace trainyard::models
