// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/pipeline_inference.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "distributed/parallel/collectives.h"
#include "inference/dispatch/stored_weights.h"
#include "models/nn/stages.h"
#include "models/spec/family.h"

namespace trainyard::dispatch {

namespace {

models::StageSplit split_at(const models::Model& model, int stages, const std::vector<std::string>& names) {
    if (names.size() + 1 != static_cast<std::size_t>(stages))
        throw UserError(
            "split_points names {} blocks, and {} ranks need {}: name the block that each rank but "
            "the first begins with",
            names.size(), stages, stages - 1);
    const std::vector<parallel::Unit*> blocks = model.blocks();
    models::StageSplit split;
    for (const std::string& name : names) {
        const auto block = std::ranges::find(blocks, name, &parallel::Unit::name);
        if (block == blocks.end()) {
            std::vector<std::string> known;
            for (const parallel::Unit* one : blocks)
                known.push_back(one->name());
            throw UserError("split_points: '{}' is not a block of the model: they are {}", name,
                            fmt::join(known, ", "));
        }
        const auto number = static_cast<std::size_t>(block - blocks.begin());
        if (number == 0 || (!split.empty() && number <= split.back()))
            throw UserError(
                "split_points: '{}' would leave a stage without blocks: name blocks after the first one, in their "
                "order",
                name);
        split.push_back(number);
    }
    return split;
}

/// Rows of a batch that every rank has. Throws UserError.
std::int64_t rows_of(const Tree& batch) {
    if (!batch.is_dict() || batch.entries().empty())
        throw UserError(
            "pipeline inference needs a batch on rank 0: a dictionary of tensors, input_ids and what else the model "
            "takes");
    std::int64_t rows = -1;
    for (const Tree::Entry& entry : batch.entries()) {
        const std::string name = to_string(entry.key);
        if (name == "labels")
            throw UserError("pipeline inference computes logits and no loss: leave 'labels' out of the batch");
        if (!entry.value.is_tensor() || entry.value.as_tensor().dim() == 0)
            throw UserError("'{}' of the batch is not a tensor with rows", name);
        const std::int64_t own = entry.value.as_tensor().size(0);
        if (rows >= 0 && own != rows)
            throw UserError("'{}' of the batch has {} rows, and '{}' has {}: all tensors need as many", name, own,
                            to_string(batch.entries().front().key), rows);
        rows = own;
    }
    if (rows == 0)
        throw UserError("the batch of pipeline inference has no rows");
    return rows;
}

/// Pads a tensor to `rows` rows by repeating its last row.
at::Tensor padded(const at::Tensor& tensor, std::int64_t rows) {
    const std::int64_t missing = rows - tensor.size(0);
    if (missing == 0)
        return tensor;
    std::vector<std::int64_t> copies = tensor.sizes().vec();
    copies.front() = missing;
    return at::cat({tensor, tensor.narrow(0, tensor.size(0) - 1, 1).expand(copies)});
}

parallel::StepContext context_of(const NamedTensors& inputs) {
    parallel::StepContext context;
    context.training = false;
    for (const auto& [name, tensor] : inputs) {
        if (name == "input_ids")
            context.tokens = tensor;
        else if (name == "attention_mask")
            context.attention_mask = tensor;
        else if (name == "position_ids")
            context.position_ids = tensor;
        else
            context.inputs.emplace_back(name, tensor);
    }
    return context;
}

}  // namespace

PipelinedModel::PipelinedModel(const models::Model& model, parallel::Communicator& ranks, c10::Device device,
                               const PipelineInferenceOptions& options)
    : model_(model), ranks_(ranks), device_(device), gather_output_(options.gather_output) {
    if (ranks.size() > 1 && !families::family_of(model.config()).can_pipeline())
        throw UserError("{} is not cut into pipeline stages: use one rank", model.config().model_type);
    if (options.num_chunks < 0)
        throw UserError("num_chunks is {}: give 1 or more, or 0 for as many as ranks", options.num_chunks);
    const models::StageSplit split = options.split_points.empty()
                                         ? models::balanced_split(model, ranks.size(), options.sequence_length)
                                         : split_at(model, ranks.size(), options.split_points);
    stage_of_ = models::stages_of_units(model, split);
    for (parallel::Unit* unit : model.units())
        if (stage_of_.at(unit) == stage())
            units_.push_back(unit);
    chunks_.resize(static_cast<std::size_t>(options.num_chunks > 0 ? options.num_chunks : ranks.size()));
    std::vector<int> rank_of_stage(static_cast<std::size_t>(ranks.size()));
    std::iota(rank_of_stage.begin(), rank_of_stage.end(), 0);
    parallel::PipelineStages& stages = *this;
    const auto make_executor = [&](int chunks) {
        return std::make_unique<parallel::ScheduleExecutor>(pipeline::forward_schedule(rank_of_stage, chunks), ranks,
                                                            stages);
    };
    executor_ = make_executor(static_cast<int>(chunks_.size()));
    of_pieces_ = make_executor(1);
}

DeviceMap PipelinedModel::device_map(const std::string& place) const {
    std::set<const parallel::Parameter*> used;
    for (const parallel::Unit* unit : units_)
        used.insert(unit->tied_parameters().begin(), unit->tied_parameters().end());
    DeviceMap map;
    for (const ModelTensor& tensor : tensors_of(model_))
        if (!tensor.is_adapter())
            map[tensor.module_name()] =
                stage_of_.at(tensor.unit) == stage() || used.contains(tensor.parameter) ? place : "disk";
    return map;
}

void PipelinedModel::cut_batch(const Tree& batch) {
    rows_ = rows_of(batch);
    const auto chunks = static_cast<std::int64_t>(chunks_.size());
    const std::int64_t each = (rows_ + chunks - 1) / chunks;
    for (Chunk& chunk : chunks_)
        chunk = {};
    for (const Tree::Entry& entry : batch.entries()) {
        const at::Tensor whole = padded(entry.value.as_tensor(), each * chunks).to(device_);
        for (std::int64_t i = 0; i < chunks; ++i)
            chunks_[static_cast<std::size_t>(i)].inputs.emplace_back(to_string(entry.key),
                                                                     whole.narrow(0, i * each, each));
    }
}

at::Tensor PipelinedModel::joined_output() const {
    std::vector<at::Tensor> parts;
    for (const Chunk& chunk : chunks_)
        parts.push_back(chunk.logits);
    return at::cat(parts).narrow(0, 0, rows_);
}

at::Tensor PipelinedModel::shared_output(at::Tensor output) {
    const int last = ranks_.size() - 1;
    Tree shape;
    if (ranks_.rank() == last) {
        output = output.contiguous();
        shape = Tree::list();
        for (const std::int64_t size : output.sizes())
            shape.append(size);
        shape.append(static_cast<std::int64_t>(output.scalar_type()));
    }
    shape = parallel::broadcast_object(ranks_, shape, last, "pipeline_output_shape");
    if (ranks_.rank() != last) {
        std::vector<std::int64_t> sizes;
        for (const Tree& size : shape.items())
            sizes.push_back(size.as_integer());
        const auto type = static_cast<at::ScalarType>(sizes.back());
        sizes.pop_back();
        output = at::empty(sizes, at::TensorOptions().dtype(type).device(device_));
    }
    ranks_.broadcast(output, last, "pipeline_output");
    return output;
}

at::Tensor PipelinedModel::forward(const Tree& batch) {
    const at::NoGradGuard no_grad;
    cut_batch(parallel::broadcast_object(ranks_, batch, 0, "pipeline_input"));
    executor_->run();
    at::Tensor output = stage() + 1 == ranks_.size() ? joined_output() : at::Tensor();
    for (Chunk& chunk : chunks_)
        chunk = {};
    return gather_output_ && ranks_.size() > 1 ? shared_output(std::move(output)) : output;
}

at::Tensor PipelinedModel::next(const at::Tensor& tokens, parallel::KeyValueCache& cache) {
    const at::NoGradGuard no_grad;
    const int last = ranks_.size() - 1;
    std::vector<Chunk> batch = std::exchange(chunks_, std::vector<Chunk>(1));
    chunks_.front().inputs.emplace_back("input_ids", tokens.to(device_));
    cache_ = &cache;
    of_pieces_->run();
    cache_ = nullptr;
    cache.length += tokens.size(1);
    const at::Tensor logits = std::exchange(chunks_, std::move(batch)).front().logits;
    if (stage() == last && last == 0)
        return logits.select(1, tokens.size(1) - 1).to(at::kFloat).contiguous();
    const at::Tensor output = stage() == last ? logits.select(1, tokens.size(1) - 1).to(at::kFloat).contiguous()
                                              : at::empty({tokens.size(0), model_.config().vocab_size},
                                                          at::TensorOptions().dtype(at::kFloat).device(device_));
    ranks_.broadcast(output, last, "pipeline_next");
    return output;
}

parallel::Tensors PipelinedModel::forward(int, int number, const parallel::Tensors& inputs) {
    Chunk& chunk = chunks_[static_cast<std::size_t>(number)];
    parallel::StepContext context = context_of(chunk.inputs);
    context.micro_batch = number;
    context.cache = cache_;
    at::Tensor logits;
    context.logits = &logits;
    parallel::Tensors outputs = parallel::run_units(units_, inputs, context);
    if (stage() + 1 == ranks_.size())
        chunk.logits = logits.defined() ? logits : outputs.at(0);
    return outputs;
}

parallel::Tensors PipelinedModel::empty_inputs(int, int number) {
    return model_.empty_streams(*units_.front(), context_of(chunks_[static_cast<std::size_t>(number)].inputs), device_);
}

std::unique_ptr<PipelinedModel> prepare_pippy(const models::Model& model, parallel::Communicator& ranks,
                                              c10::Device device, const PipelineInferenceOptions& options) {
    return std::make_unique<PipelinedModel>(model, ranks, device, options);
}

}  // namespace trainyard::dispatch
