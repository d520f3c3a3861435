// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/order.h"

#include <cstring>

#include <ATen/ops/empty.h>

#include "base/error.h"

namespace trainyard::data {

Order Order::sequential(std::int64_t size) {
    Order order;
    order.size_ = order.bound_ = size;
    return order;
}

Order Order::computed(std::int64_t size, std::int64_t bound, std::function<std::int64_t(std::int64_t)> at) {
    Order order;
    order.size_ = size;
    order.bound_ = bound;
    order.at_ = std::make_shared<const std::function<std::int64_t(std::int64_t)>>(std::move(at));
    return order;
}

Order Order::from(at::Tensor indices) {
    Order order;
    order.keep_ = indices.contiguous();
    order.size_ = order.keep_.numel();
    order.numbers_ = order.keep_.const_data_ptr<std::int64_t>();
    return order;
}

Order Order::from(const std::vector<std::int64_t>& indices) {
    at::Tensor numbers = at::empty({static_cast<std::int64_t>(indices.size())}, at::kLong);
    if (!indices.empty())
        std::memcpy(numbers.mutable_data_ptr<std::int64_t>(), indices.data(), indices.size() * sizeof indices[0]);
    return from(std::move(numbers));
}

std::vector<std::int64_t> Order::to_vector() const {
    std::vector<std::int64_t> result(static_cast<std::size_t>(size_));
    for (std::int64_t i = 0; i < size_; ++i)
        result[static_cast<std::size_t>(i)] = (*this)[i];
    return result;
}

Batches Batches::from(const std::vector<std::vector<std::int64_t>>& batches) {
    Batches result;
    std::vector<std::int64_t> indices;
    for (const auto& batch : batches) {
        indices.insert(indices.end(), batch.begin(), batch.end());
        result.ends.push_back(static_cast<std::int64_t>(indices.size()));
    }
    result.order = Order::from(indices);
    return result;
}

std::int64_t Batches::count() const {
    if (!batch_size)
        return static_cast<std::int64_t>(ends.size());
    return drop_last ? order.size() / *batch_size : (order.size() + *batch_size - 1) / *batch_size;
}

std::int64_t Batches::samples() const {
    return batch_size && drop_last ? order.size() / *batch_size * *batch_size : order.size();
}

std::int64_t Batches::begin_of(std::int64_t batch) const {
    if (batch_size)
        return batch * *batch_size;
    return batch == 0 ? 0 : ends[static_cast<std::size_t>(batch - 1)];
}

std::int64_t Batches::end_of(std::int64_t batch) const {
    return batch_size ? std::min((batch + 1) * *batch_size, samples()) : ends[static_cast<std::size_t>(batch)];
}

std::vector<std::int64_t> Batches::operator[](std::int64_t batch) const {
    std::vector<std::int64_t> result;
    for (std::int64_t i = begin_of(batch); i < end_of(batch); ++i)
        result.push_back(order[i]);
    return result;
}

}  // namespace trainyard::data
