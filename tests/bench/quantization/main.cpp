// SPDX-License-Identifier: GPL-3.0-or-later
// bench_quantization: products of one row with a matrix that stays in 4 or 8 bits, alternating with fp32 (at::mm, which
// is LibTorch's own), each with its own matrices so that none is in a cache; then generation of a Llama of 0.2 billion
// parameters in bf16 and in 4 and 8 bits, and the bytes of its weights.
//
//   build/release/bin/bench_quantization [--size 4096] [--rounds 21] [--peer PYTHON] [--tokens 16] [--json]
//
// PYTHON has torch and bitsandbytes, whose products are measured in the same rounds. --tokens 0 leaves the generation
// out. TRAINYARD_CPU_ISA=avx2 measures what other processors do. A round visits every format once.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/instruction_set.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "distributed/parallel/matrix_kernel.h"
#include "inference/generate/generate.h"
#include "inference/generate/loaded_model.h"
#include "models/nn/quantization/packed_product.h"
#include "models/nn/quantization/quantized_linear.h"
#include "observe/inspect/conversion.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

constexpr const char* kLlama = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": 2048,
    "hidden_size": 2048, "intermediate_size": 5632, "num_attention_heads": 16, "num_key_value_heads": 4,
    "num_hidden_layers": 5, "max_position_embeddings": 256, "tie_word_embeddings": false})";

/// Tokens per second of a model in turns with the same one in bf16, and bytes of its matrices against fp32's.
void add_generation(std::vector<Figure>& figures, std::int64_t tokens, std::int64_t rounds) {
    const test::TemporaryFolder folder;
    test::RandomModel(kLlama).write(folder.path() / "bf16");
    struct Model {
        const char* name;
        std::unique_ptr<generate::LoadedModel> model;
        std::vector<double> rates;
    };
    std::vector<Model> models;
    for (const char* name : {"bf16", "nf4", "nf4_double", "int8"}) {
        const std::string method = std::string(name).starts_with("nf4") ? "nf4" : name;
        if (method != "bf16") {
            inspect::Conversion conversion;
            conversion.sources = {folder.path() / "bf16"};
            conversion.output = folder.path() / name;
            conversion.hugging_face = true;
            conversion.quantize = inspect::Quantize{.weights = {.method = method, .double_quant = method != name}};
            Progress progress;
            inspect::convert(conversion, progress);
        }
        generate::ModelSource source{folder.path() / name, {}, {}};
        source.placement.dtype = "bfloat16";
        models.push_back({name, std::make_unique<generate::LoadedModel>(source), {}});
    }
    generate::GenerationOptions options;
    options.max_new_tokens = tokens;
    for (std::int64_t round = -1; round < rounds; ++round)
        for (Model& each : models) {
            const double begin = monotonic_seconds();
            generate::generate(each.model->model(), {1, 2, 3, 4}, 256, each.model->dispatched().first_device(),
                               options);
            if (round >= 0)
                each.rates.push_back(static_cast<double>(tokens) / (monotonic_seconds() - begin));
        }
    for (const Model& each : models) {
        const bool is_bf16 = each.name == std::string("bf16"), four_bit = std::string(each.name).starts_with("nf4");
        figures.push_back({.id = fmt::format("generation.{}", each.name),
                           .what = fmt::format("one text, bf16 beside it, {} threads, {}", at::get_num_threads(),
                                               to_string(instruction_set())),
                           .unit = "tokens/s",
                           .values = each.rates,
                           .peer = is_bf16 ? std::vector<double>() : models.front().rates,
                           .target = four_bit ? std::optional(2.0) : std::nullopt});
        if (is_bf16)
            continue;
        double packed = 0, full = 0;
        for (const parallel::Unit* unit : each.model->model().units())
            for (const parallel::Parameter* parameter : unit->parameters())
                if (parameter->is_packed()) {
                    packed += static_cast<double>(parameter->kernel()->bytes());
                    full += 4 * static_cast<double>(parameter->numel());
                }
        figures.push_back({.id = fmt::format("bytes.{}", each.name),
                           .what = "of the matrices, against fp32",
                           .unit = "bytes",
                           .values = {packed},
                           .peer = {full},
                           .target = 1.02 / (four_bit ? 7.5 : 4.0),
                           .lower_is_better = true});
    }
}

int run(int argc, char** argv) {
    CLI::App app("Products of one row with quantized matrices");
    std::int64_t size = 4096, rounds = 21, tokens = 16;
    std::string peer;
    bool json = false;
    app.add_option("--peer", peer, "Interpreter with torch and bitsandbytes");
    app.add_option("--tokens", tokens, "Tokens that each model generates; 0: none [16]");
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
    std::optional<PeerServer> server;
    if (!peer.empty())
        server.emplace(std::vector{peer, std::string(TRAINYARD_TESTS_DIR "/bench/peer/quantization.py"),
                                   std::to_string(size), std::to_string(at::get_num_threads())});
    std::map<std::string, std::vector<double>> of_peer;
    for (std::int64_t round = -2; round < rounds; ++round) {  // the first two warm up
        for (Contestant& each : all) {
            const double begin = monotonic_seconds();
            each.product();
            if (round >= 0)
                each.milliseconds.push_back(1e3 * (monotonic_seconds() - begin));
        }
        if (!server)
            continue;
        const nlohmann::json answer = nlohmann::json::parse(server->ask("round"));
        for (const auto& [name, milliseconds] : answer.items())
            if (round >= 0)
                of_peer[name].push_back(milliseconds);
    }
    server.reset();
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
    for (const Contestant& each : all)
        if (const auto found = of_peer.find(each.name); found != of_peer.end())
            figures.push_back(
                {.id = fmt::format("product.{}.bitsandbytes", each.name),
                 .what = each.name == std::string("fp32") ? "torch's beside it" : "bitsandbytes' beside it",
                 .unit = "ms",
                 .values = each.milliseconds,
                 .peer = found->second,
                 .target = each.name == std::string("fp32") ? std::nullopt : std::optional(1.0),
                 .lower_is_better = true});
    if (tokens > 0)
        add_generation(figures, tokens, std::max<std::int64_t>(1, rounds / 4));
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_quantization", trainyard::bench::run, argc, argv);
}
