// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard simulate MODEL: one training step on every rank of a mesh, before the start: time, idle time, messages,
// bytes of each link, memory of each rank.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/estimate_training.h"
#include "estimate/step_simulation.h"
#include "run/state.h"

namespace trainyard::cli {

namespace {

constexpr int kMostRankLines = 16;

struct SimulateArguments {
    std::string model;
    bool json = false;
    double product_rate = 0;   ///< GFLOP/s of a rank
    double memory_rate = 0;    ///< GB/s of a rank
    double link_rate = 0;      ///< GB/s between ranks of a host
    double link_latency = -1;  ///< microseconds of a message between them
    TrainingFlags training;
};

estimate::SimulationRates rates_of(const SimulateArguments& arguments, const TrainingEstimate& estimated) {
    estimate::SimulationRates rates = estimate::usual_rates(estimated.setup, estimated.search.hardware());
    if (arguments.product_rate > 0)
        rates.product = arguments.product_rate * 1e9;
    if (arguments.memory_rate > 0)
        rates.memory = arguments.memory_rate * 1e9;
    if (arguments.link_rate > 0)
        rates.link = arguments.link_rate * 1e9;
    if (arguments.link_latency >= 0)
        rates.latency = arguments.link_latency * 1e-6;
    return rates;
}

std::string bytes_words(double bytes) {
    return text::file_size(static_cast<std::uint64_t>(bytes));
}

std::string memory_words(double bytes) {
    return text::memory_size(static_cast<std::uint64_t>(bytes));
}

std::vector<std::string> lines_of(const estimate::SimulatedStep& step, const estimate::SimulationRates& rates,
                                  const std::string& device) {
    const int hosts = step.host_of(step.ranks() - 1) + 1;
    std::vector<std::string> lines{
        fmt::format("One step of {} on {} ({}), {}{}: {}, {} tokens/s", text::ranks(step.ranks()).text(),
                    text::counted(hosts, "host"), device, parallel::describe(step.mesh),
                    step.experts > 1 ? fmt::format(" with ep {}", step.experts) : "", text::duration(step.seconds),
                    text::quantity(step.tokens_per_second())),
        fmt::format("  busiest rank: computing {}, exchanging {}, optimizer {}; all ranks are idle for {:.1f} % of the "
                    "step",
                    text::duration(step.compute), text::duration(step.exchange), text::duration(step.update),
                    100 * step.idle),
        fmt::format("  rates: products {}FLOP/s and memory {}/s a rank, between ranks of a host {}/s and {:.0f} us, "
                    "between hosts {}/s and {:.0f} us",
                    text::quantity(rates.product), bytes_words(rates.memory), bytes_words(rates.link),
                    1e6 * rates.latency, bytes_words(rates.network), 1e6 * rates.network_latency)};
    lines.push_back(
        fmt::format("  {:<24} {:>10} {:>10} {:>8} {:>13}", "stage", "busy", "idle", "kept", "a rank's memory"));
    for (std::size_t i = 0; i < step.stages.size(); ++i) {
        const estimate::SimulatedStage& stage = step.stages[i];
        lines.push_back(fmt::format("  {:<24} {:>10} {:>10} {:>8} {:>13}",
                                    fmt::format("pp {}: blocks {}", i, pipeline::to_text(stage.blocks)),
                                    text::duration(stage.busy), text::duration(stage.idle), stage.kept_micro_batches,
                                    memory_words(stage.memory)));
    }
    for (const estimate::Exchange& exchange : step.exchanges)
        lines.push_back(fmt::format("  {} {} of {}: {:.0f} × {}, a rank sends {} in {}, {}", exchange.dimension,
                                    exchange.operation, text::ranks(exchange.ranks).text(), exchange.count,
                                    bytes_words(exchange.message_bytes), bytes_words(exchange.sent_bytes),
                                    text::duration(exchange.seconds),
                                    exchange.between_hosts ? "between hosts" : "inside a host"));
    lines.push_back(
        fmt::format("  {} messages, {} between ranks of a host, {} between hosts (at most {} from one to "
                    "another)",
                    text::quantity(step.messages), bytes_words(step.sent_inside()), bytes_words(step.sent_between()),
                    bytes_words(step.fullest_link())));
    for (int rank = 0; rank < step.ranks() && step.ranks() <= kMostRankLines; ++rank)
        lines.push_back(fmt::format("  rank {} on host {}: {}",
                                    run::rank_name(rank, parallel::rank_place(step.mesh, rank, step.experts)),
                                    step.host_of(rank), memory_words(step.stage_of(rank).memory)));
    return lines;
}

nlohmann::ordered_json json_of(const estimate::SimulatedStep& step, const estimate::SimulationRates& rates) {
    nlohmann::ordered_json json{{"ranks", step.ranks()}, {"ranks_per_host", step.ranks_per_host}};
    for (std::size_t d = 0; d < parallel::kDimensions; ++d)
        json["mesh"][parallel::to_string(static_cast<parallel::Dimension>(d))] = step.mesh[d];
    json["mesh"]["ep"] = step.experts;
    json["rates"] = {{"product", rates.product},
                     {"memory", rates.memory},
                     {"link", rates.link},
                     {"latency", rates.latency},
                     {"network", rates.network},
                     {"network_latency", rates.network_latency},
                     {"message_rate", rates.message_rate},
                     {"message_latency", rates.message_latency},
                     {"processors", rates.processors}};
    json["seconds"] = step.seconds;
    json["tokens"] = step.tokens;
    json["compute"] = step.compute;
    json["exchange"] = step.exchange;
    json["update"] = step.update;
    json["idle"] = step.idle;
    json["messages"] = step.messages;
    json["sent_inside_hosts"] = step.sent_inside();
    json["sent_between_hosts"] = step.sent_between();
    for (const estimate::SimulatedStage& stage : step.stages)
        json["stages"].push_back({{"layers", layers_json(stage.blocks)},
                                  {"busy", stage.busy},
                                  {"idle", stage.idle},
                                  {"kept_micro_batches", stage.kept_micro_batches},
                                  {"memory", stage.memory}});
    json["exchanges"] = nlohmann::ordered_json::array();
    for (const estimate::Exchange& exchange : step.exchanges)
        json["exchanges"].push_back({{"dimension", exchange.dimension},
                                     {"operation", exchange.operation},
                                     {"ranks", exchange.ranks},
                                     {"count", exchange.count},
                                     {"message_bytes", exchange.message_bytes},
                                     {"sent_bytes", exchange.sent_bytes},
                                     {"seconds", exchange.seconds},
                                     {"between_hosts", exchange.between_hosts}});
    json["links"] = nlohmann::ordered_json::array();
    for (const estimate::LinkTraffic& link : step.links)
        json["links"].push_back({{"from", link.from}, {"to", link.to}, {"bytes", link.bytes}});
    for (int rank = 0; rank < step.ranks(); ++rank)
        json["all_ranks"].push_back({{"rank", rank},
                                     {"host", step.host_of(rank)},
                                     {"place", parallel::rank_place(step.mesh, rank, step.experts)},
                                     {"memory", step.stage_of(rank).memory}});
    return json;
}

int print_simulation(const SimulateArguments& arguments) {
    const TrainingEstimate estimated = estimate_training(arguments.model, arguments.training);
    const estimate::SimulationRates rates = rates_of(arguments, estimated);
    const estimate::SimulatedStep step =
        estimate::simulate_step(estimated.search.model(), estimated.setup, estimated.search.hardware(), rates);
    if (arguments.json) {
        std::printf("%s\n", json_text(json_of(step, rates), {.indent = 2}).c_str());
        return kExitDone;
    }
    for (const std::string& line : lines_of(step, rates, estimated.search.hardware().device.name))
        std::printf("%s\n", line.c_str());
    return kExitDone;
}

}  // namespace

void add_simulate(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<SimulateArguments>();
    CLI::App* command = app.add_subcommand("simulate", "One training step on every rank of a mesh, before the start");
    command->add_option("model_name", arguments->model, "A recipe, a config.json, weights, or the folder of a model")
        ->required();
    command->add_flag("--json", arguments->json, "For programs, with every rank and link");
    const std::string group = "Rates";
    const auto add = [&](const char* name, double& value, const char* help) {
        command->add_option(name, value, help)->check(CLI::PositiveNumber)->group(group);
    };
    add("--product_rate", arguments->product_rate, "GFLOP/s that training reaches on a rank [by the device]");
    add("--memory_rate", arguments->memory_rate, "GB/s of a rank's memory [by the device]");
    add("--link_rate", arguments->link_rate, "GB/s between ranks of a host, as `trainyard test` measures it");
    command
        ->add_option("--link_latency", arguments->link_latency,
                     "Microseconds of a message between them, as `trainyard test` measures it")
        ->check(CLI::NonNegativeNumber)
        ->group(group);
    add_training_flags(*command, arguments->training);
    command->callback([arguments, &chosen] { chosen = [arguments] { return print_simulation(*arguments); }; });
}

}  // namespace trainyard::cli
