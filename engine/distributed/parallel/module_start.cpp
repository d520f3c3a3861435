// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/module_start.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "distributed/parallel/coalesced.h"
#include "distributed/parallel/fingerprint.h"

namespace trainyard::parallel {

namespace {

std::vector<at::Tensor> tensors_of_module(const NamedTensors& named) {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : named)
        tensors.push_back(tensor);
    return tensors;
}

}  // namespace

NamedTensors without_repetitions(NamedTensors named) {
    std::set<const void*> seen;
    std::erase_if(named, [&](const auto& entry) {
        return !entry.second.defined() || !seen.insert(entry.second.unsafeGetTensorImpl()).second;
    });
    return named;
}

void check_trained(const NamedTensors& parameters) {
    std::vector<Message> problems;
    auto add = [&](Message problem) { problems.push_back(std::move(problem)); };
    bool any = false;
    for (const auto& [name, tensor] : parameters) {
        if (!tensor.requires_grad())
            continue;
        any = true;
        if (!tensor.is_leaf())
            add(Message("parameter {} is computed from others: give the leaf it is computed from", name));
        if (tensor.layout() != at::kStrided)
            add(Message("parameter {} is not dense: make it dense", name));
        if (tensor.is_complex())
            add(Message("parameter {} is complex: keep it as two real numbers (view_as_real)", name));
    }
    if (!any)
        add("no parameter requires a gradient: data parallel has nothing to do");
    if (!problems.empty())
        throw UserError(Message::joined(problems));
}

void check_same_module(const NamedTensors& parameters, const NamedTensors& buffers, Communicator& communicator) {
    if (communicator.size() == 1)
        return;
    NamedTensors all = parameters;
    all.insert(all.end(), buffers.begin(), buffers.end());
    Description description = describe_tensors(all);
    for (const auto& [name, tensor] : parameters)
        description.emplace_back(name + " requires_grad", tensor.requires_grad() ? "true" : "false");
    check_same_on_all_ranks(communicator, description, "the model");
}

void broadcast_module(const NamedTensors& parameters, const NamedTensors& buffers, int root,
                      Communicator& communicator) {
    std::vector<at::Tensor> all = tensors_of_module(parameters);
    for (const at::Tensor& buffer : tensors_of_module(buffers))
        all.push_back(buffer);
    broadcast_coalesced(all, root, communicator, "start values of the model");
}

void broadcast_buffers(const NamedTensors& buffers, int root, Communicator& communicator) {
    broadcast_coalesced(tensors_of_module(buffers), root, communicator, "buffers of the model");
}

}  // namespace trainyard::parallel
