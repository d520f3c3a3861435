// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/step_graph.h"

#include <exception>
#include <string>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include "base/error.h"

namespace trainyard::train {

namespace {

/// "cuda"; the name that its library registered, of others.
std::string kind_of_device(at::Device device) {
    return device.str().substr(0, device.str().find(':'));
}

/// Calls `visit` with the tensors of a batch in the buffers and of a batch to be copied there. False: they have others.
template <class Visit>
bool visit_pairs(Batch& buffer, const Batch& batch, const Visit& visit) {
    if (buffer.tokens.defined() != batch.tokens.defined() || buffer.labels.defined() != batch.labels.defined() ||
        buffer.inputs.size() != batch.inputs.size())
        return false;
    bool same = true;
    const auto pair = [&](at::Tensor& place, const at::Tensor& tensor) {
        if (tensor.defined())
            same = visit(place, tensor) && same;
    };
    pair(buffer.tokens, batch.tokens);
    pair(buffer.labels, batch.labels);
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
        same = same && buffer.inputs[i].first == batch.inputs[i].first;
        pair(buffer.inputs[i].second, batch.inputs[i].second);
    }
    return same;
}

}  // namespace

StepGraph::StepGraph(at::Device device, std::int64_t micro_batches, parallel::FlatArena& arena)
    : device_(device),
      arena_(arena),
      graph_(parallel::make_device_graph(kind_of_device(device), device)),
      counters_(at::zeros({micro_batches, 2}, at::TensorOptions().dtype(at::kLong).device(device))),
      loss_factor_(at::zeros({}, at::TensorOptions().dtype(at::kDouble).device(device))) {
    if (graph_ == nullptr)
        throw UserError(
            "training.cuda_graph: the device {} has no graphs that its library brings to Trainyard: set it to no, or "
            "train on an NVIDIA GPU",
            device.str());
}

void StepGraph::set_inputs(const std::vector<Batch>& batches, std::int64_t step, double loss_factor) {
    const at::NoGradGuard no_grad;
    if (batches_.empty()) {
        batches_ = batches;
        for (Batch& buffer : batches_)
            visit_pairs(buffer, buffer, [](at::Tensor& place, const at::Tensor& tensor) {
                place = tensor.clone(at::MemoryFormat::Contiguous);
                return true;
            });
    }
    std::vector<std::int64_t> counters;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        if (batches[i].attention_mask.defined())
            throw UserError(
                "training.cuda_graph: the batches have an attention mask, which the host reads: set it to no, or pack "
                "the samples (data.pack)");
        const bool fits = visit_pairs(batches_[i], batches[i], [](at::Tensor& place, const at::Tensor& tensor) {
            if (place.sizes() != tensor.sizes() || place.scalar_type() != tensor.scalar_type())
                return false;
            place.copy_(tensor);
            return true;
        });
        if (!fits)
            throw UserError(
                "training.cuda_graph: the batches of step {} have other shapes than those of the captured step: set it "
                "to no, or make all samples one size",
                step + 1);
        counters.insert(counters.end(), {step, batches[i].first_sample});
    }
    counters_.copy_(at::from_blob(counters.data(), counters_.sizes(), at::kLong));
    loss_factor_.fill_(loss_factor);
}

void StepGraph::capture(const std::function<void()>& passes) {
    capturing_ = true;
    try {
        graph_->capture(passes);
    } catch (const UserError&) {
        capturing_ = false;
        throw;
    } catch (const std::exception& error) {
        capturing_ = false;
        const auto* own = dynamic_cast<const c10::Error*>(&error);
        const std::string reason = own != nullptr ? own->what_without_backtrace() : error.what();
        throw UserError("training.cuda_graph: the step cannot be captured on {}: {}; set it to no", device_.str(),
                        Message::verbatim(reason));
    }
    capturing_ = false;
    captured_ = true;
    written_.clear();
    for (const parallel::FlatGroup& group : arena_.groups())
        for (parallel::Parameter* parameter : group.parameters())
            if (parameter->has_gradient())
                written_.push_back(parameter);
}

void StepGraph::replay() {
    graph_->replay();
    bool adds = false;
    for (parallel::Parameter* parameter : written_)
        parameter->gradient_to_write(adds);  // notes that it has a gradient
}

}  // namespace trainyard::train
