// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A module with parameters of its own, for data-parallel tests: two layers, and a head that a loss may leave out.

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include "distributed/tensors/tree.h"

namespace trainyard::test {

inline at::Tensor random_tensor(std::vector<std::int64_t> shape, std::uint64_t seed) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::TensorOptions(at::kFloat));
}

struct SmallModule {
    at::Tensor first, first_bias, second, second_bias, spare;
    at::Tensor running = at::zeros({3});

    explicit SmallModule(std::uint64_t seed)
        : first(leaf({8, 6}, seed)),
          first_bias(leaf({8}, seed + 1)),
          second(leaf({5, 8}, seed + 2)),
          second_bias(leaf({5}, seed + 3)),
          spare(leaf({5, 5}, seed + 4)) {}

    static at::Tensor leaf(std::vector<std::int64_t> shape, std::uint64_t seed) {
        return random_tensor(std::move(shape), seed).set_requires_grad(true);
    }

    NamedTensors parameters() const {
        return {{"first.weight", first},
                {"first.bias", first_bias},
                {"second.weight", second},
                {"second.bias", second_bias},
                {"spare.weight", spare}};
    }
    NamedTensors buffers() const { return {{"running", running}}; }

    /// [batch, 6] -> [batch, 5]
    at::Tensor forward(const at::Tensor& x, bool with_spare = true) const {
        at::Tensor hidden = at::linear(at::tanh(at::linear(x, first, first_bias)), second, second_bias);
        return with_spare ? at::linear(at::tanh(hidden), spare) : hidden;
    }

    /// Mean over the rows of the squared length: the mean over ranks of equal batches is that of the joined batch.
    at::Tensor loss(const at::Tensor& x, bool with_spare = true) const {
        return forward(x, with_spare).pow(2).sum() / static_cast<double>(x.size(0));
    }

    void zero_grad() {
        for (auto& [name, parameter] : parameters())
            parameter.mutable_grad() = at::Tensor();
    }
    void descend(double lr) {
        at::NoGradGuard no_grad;
        for (auto& [name, parameter] : parameters())
            if (parameter.grad().defined())
                parameter.sub_(parameter.grad(), lr);
    }
};

/// Rows of the batch that all ranks train on together in `step`.
inline at::Tensor joined_batch(std::int64_t rows, std::int64_t step) {
    return random_tensor({rows, 6}, 1000 + static_cast<std::uint64_t>(step));
}
inline at::Tensor share(const at::Tensor& joined, int rank, int ranks) {
    std::int64_t rows = joined.size(0) / ranks;
    return joined.narrow(0, rank * rows, rows);
}

}  // namespace trainyard::test
