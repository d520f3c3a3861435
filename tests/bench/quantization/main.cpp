// SPDX-License-Identifier: GPL-3.0-or-later
// bench_quantization: products of one row with a matrix that stays in 4 or 8 bits, alternating with fp32 (at::mm, which
// is LibTorch's own), each with its own matrices so that none is in a cache.
//
//   build/release/bin/bench_quantization [--size 4096] [--rounds 21] [--json]
//
// TRAINYARD_CPU_ISA=avx2 measures what other processors do. A round visits every format once.

#include <algorithm>
#include <functional>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/instruction_set.h"
#include "bench/engine/figure.h"
#include "models/nn/quantization/packed_product.h"
#include "models/nn/quantization/quantized_linear.h"

namespace trainyard::bench {
namespace {

int run(int argc, char** argv) {
    CLI::App app("Products of one row with quantized matrices");
    std::int64_t size = 4096, rounds = 21;
    bool json = false;
    app.add_option("--size", size, "Rows and columns of the matrix [4096]");
    app.add_option("--rounds", rounds, "Measurements of each format [21]");
    app.add_flag("--json", json, "A JSON list");
    CLI11_PARSE(app, argc, argv);
    const at::NoGradGuard no_grad;
    const at::Tensor weight = at::randn({size, size}), x = at::randn({1, size});
    const std::span<const float> values{weight.const_data_ptr<float>(), static_cast<std::size_t>(weight.numel())};
    const auto packed = [&](const char* method, bool double_quant) {
        return std::make_shared<quantization::PackedMatrix>(
            quantization::PackedMatrix::encode(values, size, {.method = method, .double_quant = double_quant}));
    };
    const auto nf4 = packed("nf4", false), nested = packed("nf4", true), int8 = packed("int8", false);
    const models::Int8Linear llm_int8(int8, 6);
    struct Contestant {
        const char* name;
        std::function<at::Tensor()> product;
        std::vector<double> milliseconds;
    };
    std::vector<Contestant> all{{"fp32", [&] { return at::mm(x, weight.t()); }, {}},
                                {"nf4", [&] { return models::packed_product(x, *nf4, at::kFloat); }, {}},
                                {"nf4_double", [&] { return models::packed_product(x, *nested, at::kFloat); }, {}},
                                {"int8", [&] { return models::packed_product(x, *int8, at::kFloat); }, {}},
                                {"llm_int8", [&] { return llm_int8(x, false); }, {}}};
    for (std::int64_t round = -2; round < rounds; ++round)  // the first two warm up
        for (Contestant& each : all) {
            const double begin = monotonic_seconds();
            each.product();
            if (round >= 0)
                each.milliseconds.push_back(1e3 * (monotonic_seconds() - begin));
        }
    std::vector<Figure> figures;
    for (const Contestant& each : all)
        figures.push_back({.id = fmt::format("product.{}", each.name),
                           .what = fmt::format("{} x {}, one row, {} threads, {}", size, size, at::get_num_threads(),
                                               to_string(instruction_set())),
                           .unit = "ms",
                           .values = each.milliseconds,
                           .peer = each.name == std::string("fp32") ? std::vector<double>() : all[0].milliseconds,
                           .target = each.name == std::string("fp32") ? std::nullopt : std::optional(1 / 1.5),
                           .lower_is_better = true});
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_quantization", trainyard::bench::run, argc, argv);
}
