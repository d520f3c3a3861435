// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/coalesced.h"

#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

namespace trainyard::parallel {

namespace {

/// The copy that travels holds no more than this: memory for a second model is not to be had.
constexpr std::int64_t kLargestMessage = 64 << 20;

/// Runs `exchange(flat)` over pieces of one dtype and device, in the order of the tensors, and copies the results back.
template <typename Exchange>
void in_pieces(const std::vector<at::Tensor>& tensors, Exchange exchange) {
    at::NoGradGuard no_grad;
    std::vector<at::Tensor> left;
    for (const at::Tensor& tensor : tensors)
        if (tensor.defined() && tensor.numel() > 0)
            left.push_back(tensor.detach());
    while (!left.empty()) {
        std::vector<at::Tensor> piece, rest;
        std::int64_t bytes = 0;
        for (at::Tensor& tensor : left) {
            bool fits = piece.empty() || (tensor.scalar_type() == piece.front().scalar_type() &&
                                          tensor.device() == piece.front().device() &&
                                          bytes + static_cast<std::int64_t>(tensor.nbytes()) <= kLargestMessage);
            if (fits)
                bytes += static_cast<std::int64_t>(tensor.nbytes());
            (fits ? piece : rest).push_back(std::move(tensor));
        }
        bool as_it_lies = piece.size() == 1 && piece.front().is_contiguous();
        std::vector<at::Tensor> flat;
        for (const at::Tensor& tensor : piece)
            flat.push_back(tensor.reshape({-1}));
        at::Tensor message = as_it_lies ? flat.front() : at::cat(flat);
        exchange(message);
        std::int64_t position = 0;
        for (at::Tensor& tensor : piece) {
            if (!as_it_lies)
                tensor.copy_(message.narrow(0, position, tensor.numel()).view(tensor.sizes()));
            position += tensor.numel();
        }
        left = std::move(rest);
    }
}

}  // namespace

void broadcast_coalesced(const std::vector<at::Tensor>& tensors, int root, Communicator& communicator,
                         const std::string& name) {
    if (communicator.size() > 1)
        in_pieces(tensors, [&](const at::Tensor& message) { communicator.broadcast(message, root, name); });
}

void average_over_ranks(const std::vector<at::Tensor>& tensors, Communicator& communicator, const std::string& name) {
    if (communicator.size() == 1)
        return;
    std::vector<at::Tensor> floating;
    for (const at::Tensor& tensor : tensors)
        if (tensor.defined() && tensor.is_floating_point())
            floating.push_back(tensor);
    in_pieces(floating, [&](const at::Tensor& message) {
        message.div_(communicator.size());
        communicator.all_reduce(message, name).wait();
    });
}

}  // namespace trainyard::parallel
