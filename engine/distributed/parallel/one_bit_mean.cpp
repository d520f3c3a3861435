// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/one_bit_mean.h"

#include <algorithm>
#include <cmath>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"

namespace trainyard::parallel {

namespace {

constexpr std::int64_t kSignsOfByte = 8;
constexpr const char *kWorkerError = "worker_error", *kServerError = "server_error";

at::Tensor bits_of_byte(at::Device device) {
    return at::tensor({1, 2, 4, 8, 16, 32, 64, 128}, at::TensorOptions().dtype(at::kByte)).to(device);
}

/// Adds the error to the values; returns their scale, 0-dim, and leaves what the signs lose as the error. `positive`:
/// the signs that are sent.
at::Tensor take_signs(const at::Tensor& values, const at::Tensor& error, const at::Tensor& positive) {
    error.add_(values);
    const at::Tensor scale =
        error.norm().div_(std::sqrt(static_cast<double>(std::max<std::int64_t>(error.numel(), 1))));
    const at::Tensor signs = error.ge(0);
    positive.copy_(signs);
    error.sub_(at::where(signs, scale, scale.neg()));
    return scale;
}

/// [elements] zeros and ones, a multiple of 8, as bytes.
at::Tensor pack_signs(const at::Tensor& positive, const at::Tensor& bits) {
    return positive.view({-1, kSignsOfByte}).mul(bits).sum({1}, false, at::kByte);
}

/// Bytes [ranks, n] as -1 and 1 [ranks, 8 n].
at::Tensor unpack_signs(const at::Tensor& bytes, const at::Tensor& bits) {
    return bytes.unsqueeze(2).bitwise_and(bits).ne(0).to(at::kFloat).mul_(2).sub_(1).view({bytes.size(0), -1});
}

at::Tensor float_at(const at::Tensor& messages, std::int64_t byte) {
    return messages.slice(-1, byte, byte + static_cast<std::int64_t>(sizeof(float))).view(at::kFloat);
}

}  // namespace

OneBitMean::OneBitMean(Communicator& ranks, const std::vector<std::int64_t>& elements) : ranks_(ranks) {
    if (ranks_.size() == 1)
        return;
    std::int64_t worker = 0, server = 0;
    const std::int64_t of_all = ranks_.size() * kSignsOfByte;
    for (const std::int64_t count : elements) {
        Place place{count, (count + of_all - 1) / of_all * kSignsOfByte, worker, server};
        place.own_begin = std::min(count, ranks_.rank() * place.chunk);
        place.own = std::min(count, place.own_begin + place.chunk) - place.own_begin;
        worker += place.elements;
        server += place.own;
        places_.push_back(place);
    }
    const auto options = at::TensorOptions().dtype(at::kFloat).device(ranks_.device());
    worker_errors_ = at::zeros({worker}, options);
    server_errors_ = at::zeros({server}, options);
}

void OneBitMean::average(std::vector<Item> items, const std::string& name) {
    std::erase_if(items, [](const Item& item) { return item.values.numel() == 0; });
    if (ranks_.size() == 1 || items.empty())
        return;
    const at::NoGradGuard no_grad;
    // A message: the scales of all items, then the signs of a chunk of each.
    std::vector<Part> parts;
    auto bytes = static_cast<std::int64_t>(items.size() * sizeof(float));
    for (const Item& item : items) {
        parts.push_back({bytes, static_cast<std::int64_t>(parts.size() * sizeof(float))});
        bytes += places_.at(item.number).chunk / kSignsOfByte;
    }
    bytes = (bytes + 3) / 4 * 4;  // rows begin at floats
    const auto options = at::TensorOptions().dtype(at::kByte).device(ranks_.device());
    const at::Tensor bits = bits_of_byte(ranks_.device());
    const at::Tensor sent = at::zeros({ranks_.size(), bytes}, options), received = at::empty_like(sent);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place& place = places_[items[i].number];
        const at::Tensor error = worker_errors_.narrow(0, place.worker, place.elements);
        if (items[i].forgets_errors) {
            error.zero_();
            server_errors_.narrow(0, place.server, place.own).zero_();
        }
        const at::Tensor positive = at::zeros({ranks_.size() * place.chunk}, options);
        float_at(sent, parts[i].scale)
            .copy_(take_signs(items[i].values, error, positive.narrow(0, 0, place.elements)).view({1, 1}));
        sent.narrow(1, parts[i].signs, place.chunk / kSignsOfByte)
            .copy_(pack_signs(positive, bits).view({ranks_.size(), -1}));
    }
    ranks_.all_to_all(received, sent, name + " to servers").wait();

    const at::Tensor summed = at::zeros({bytes}, options), sums = sent;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place& place = places_[items[i].number];
        const at::Tensor signs = unpack_signs(received.narrow(1, parts[i].signs, place.chunk / kSignsOfByte), bits);
        const at::Tensor mean = signs.mul_(float_at(received, parts[i].scale).div(ranks_.size())).sum(0);
        const at::Tensor positive = at::zeros({place.chunk}, options);
        float_at(summed, parts[i].scale)
            .copy_(take_signs(mean.narrow(0, 0, place.own), server_errors_.narrow(0, place.server, place.own),
                              positive.narrow(0, 0, place.own)));
        summed.narrow(0, parts[i].signs, place.chunk / kSignsOfByte).copy_(pack_signs(positive, bits));
    }
    ranks_.all_gather(sums, summed, name + " of servers");

    for (std::size_t i = 0; i < items.size(); ++i) {
        const Place& place = places_[items[i].number];
        const at::Tensor values = unpack_signs(sums.narrow(1, parts[i].signs, place.chunk / kSignsOfByte), bits)
                                      .mul_(float_at(sums, parts[i].scale));
        items[i].values.copy_(values.view(-1).narrow(0, 0, place.elements));
    }
}

Tree OneBitMean::state_dict() const {
    if (ranks_.size() == 1)
        return Tree::dict();
    return Tree::dict({{kWorkerError, worker_errors_}, {kServerError, server_errors_}});
}

void OneBitMean::load_state_dict(const Tree& state) {
    if (ranks_.size() == 1)
        return;
    const at::Tensor worker = state.at(kWorkerError).as_tensor(), server = state.at(kServerError).as_tensor();
    if (worker.sizes() != worker_errors_.sizes() || server.sizes() != server_errors_.sizes())
        throw UserError(
            "the errors that ranks feed back are of {} and {} elements, and this training has {} and {}: they belong "
            "to another model or number of ranks",
            worker.numel(), server.numel(), worker_errors_.numel(), server_errors_.numel());
    worker_errors_.copy_(worker);
    server_errors_.copy_(server);
}

}  // namespace trainyard::parallel
