// SPDX-License-Identifier: GPL-3.0-or-later
// bench_experts: forward and backward of the three projections of a block's experts, all together (grouped_linear.h),
// alternating with one expert after the other, for tokens that are spread over them as a router does; of trained
// matrices and of matrices that stay in 4 and 8 bits.
//
//   build/release/bin/bench_experts [--experts 32] [--tokens 1024] [--width 256] [--inner 512] [--rounds 21] [--json]

#include <functional>
#include <memory>
#include <random>

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "distributed/parallel/flat_group.h"
#include "models/nn/kernels/grouped_linear.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/quantization/packed_kernel.h"

namespace trainyard::bench {
namespace {

using parallel::Parameter;

struct Size {
    std::int64_t experts = 32, tokens = 1024, width = 256, inner = 512;
};

/// The matrices of all experts for one projection.
using Matrices = std::vector<Parameter*>;

class Block {
  public:
    /// `method`: a format of quantized matrices; empty: they are trained.
    Block(const Size& size, const std::string& method) {
        std::mt19937 random(5);
        counts_.assign(static_cast<std::size_t>(size.experts), 0);
        std::geometric_distribution<std::int64_t> choose(3.0 / static_cast<double>(size.experts));
        for (std::int64_t token = 0; token < size.tokens; ++token)  // some experts get many, some none
            ++counts_[static_cast<std::size_t>(choose(random) % size.experts)];
        for (Matrices* matrices : {&gate_, &up_})
            add(*matrices, size.experts, {size.inner, size.width});
        add(down_, size.experts, {size.width, size.inner});
        parallel::GroupRequest request{"experts", {}};
        for (const auto& parameter : parameters_)
            if (method.empty())
                request.parameters.push_back(parameter.get());
            else
                pack(*parameter, method);
        arena_ = std::make_unique<parallel::FlatArena>(std::vector{request}, at::kFloat, at::kCPU, false);
        arena_->initialise(3);
        rows_ = at::randn({size.tokens, size.width}).set_requires_grad(true);
    }

    void run_together() { step(models::grouped_linear(inner_together(), counts_, down_)); }
    void run_one_by_one() {
        std::vector<at::Tensor> results;
        std::int64_t begin = 0;
        for (std::size_t expert = 0; expert < counts_.size(); begin += counts_[expert], ++expert) {
            if (counts_[expert] == 0)
                continue;
            const at::Tensor own = rows_.narrow(0, begin, counts_[expert]);
            const at::Tensor inner = at::silu(models::linear_transposed(own, *gate_[expert], nullptr))
                                         .mul(models::linear_transposed(own, *up_[expert], nullptr));
            results.push_back(models::linear_transposed(inner, *down_[expert], nullptr));
        }
        step(at::cat(results));
    }

  private:
    void add(Matrices& matrices, std::int64_t count, const std::vector<std::int64_t>& shape) {
        for (std::int64_t i = 0; i < count; ++i) {
            parameters_.push_back(
                std::make_unique<Parameter>(fmt::format("w{}", parameters_.size()), shape,
                                            parallel::Initialiser{parallel::Initialiser::Kind::normal, 0.02}));
            matrices.push_back(parameters_.back().get());
        }
    }
    static void pack(Parameter& parameter, const std::string& method) {
        const at::Tensor values = at::randn(parameter.shape());
        parameter.pack(std::make_shared<models::PackedKernel>(
                           std::make_shared<quantization::PackedMatrix>(quantization::PackedMatrix::encode(
                               {values.const_data_ptr<float>(), static_cast<std::size_t>(values.numel())},
                               parameter.shape()[1], {.method = method})),
                           models::PackedOptions{}),
                       at::kFloat);
    }
    at::Tensor inner_together() const {
        return at::silu(models::grouped_linear(rows_, counts_, gate_)).mul(models::grouped_linear(rows_, counts_, up_));
    }
    void step(const at::Tensor& result) {
        arena_->forget_gradients();
        rows_.mutable_grad() = at::Tensor();
        result.sum().backward();
    }

    std::vector<std::unique_ptr<Parameter>> parameters_;
    Matrices gate_, up_, down_;
    std::unique_ptr<parallel::FlatArena> arena_;
    std::vector<std::int64_t> counts_;
    at::Tensor rows_;
};

int run(int argc, char** argv) {
    CLI::App app("Products of experts, grouped and one by one");
    Size size;
    std::int64_t rounds = 21;
    bool json = false;
    app.add_option("--experts", size.experts, "Experts of a block [32]");
    app.add_option("--tokens", size.tokens, "Rows of all experts together [1024]");
    app.add_option("--width", size.width, "Width of the hidden states [256]");
    app.add_option("--inner", size.inner, "Inner width of an expert [512]");
    app.add_option("--rounds", rounds, "Measurements of each way [21]");
    app.add_flag("--json", json, "A JSON list");
    CLI11_PARSE(app, argc, argv);
    std::vector<Figure> figures;
    for (const std::string method : {"", "nf4", "int8"}) {
        Block block(size, method);
        std::vector<double> together, one_by_one;
        const auto measure = [&](std::vector<double>& milliseconds, bool counts, const std::function<void()>& work) {
            const double begin = monotonic_seconds();
            work();
            if (counts)
                milliseconds.push_back(1e3 * (monotonic_seconds() - begin));
        };
        for (std::int64_t round = -2; round < rounds; ++round) {  // the first two warm up
            measure(together, round >= 0, [&] { block.run_together(); });
            measure(one_by_one, round >= 0, [&] { block.run_one_by_one(); });
        }
        figures.push_back(
            {.id = "experts.grouped" + (method.empty() ? "" : "." + method),
             .what = fmt::format("{} experts {} x {}, {} rows, forward and backward, {} threads", size.experts,
                                 size.width, size.inner, size.tokens, at::get_num_threads()),
             .unit = "ms",
             .values = together,
             .peer = one_by_one,
             .target = 1.0,
             .lower_is_better = true});
    }
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_experts", trainyard::bench::run, argc, argv);
}
