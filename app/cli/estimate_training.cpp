// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/estimate_training.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory_size.h"
#include "base/text.h"
#include "config/accelerate/check.h"
#include "config/accelerate/settings_file.h"
#include "config/recipe/recipe.h"
#include "estimate/calibration.h"
#include "estimate/recipe_estimate.h"
#include "launch/plan/deepspeed_config.h"

namespace trainyard::cli {

namespace {

using estimate::Part;
using estimate::Place;

std::string size_text(double bytes) {
    return text::memory_size(static_cast<std::uint64_t>(std::max(0.0, bytes)));
}

estimate::Hardware hardware_of(const TrainingFlags& flags, std::int64_t ranks) {
    estimate::Hardware hardware;
    if (flags.device.empty() || flags.device == "cpu") {
        hardware = estimate::this_machine(flags.devices_per_host > 0 ? flags.devices_per_host
                                                                     : (ranks + flags.hosts - 1) / flags.hosts);
    } else {
        const estimate::Device* device = estimate::find_device(flags.device);
        if (device == nullptr) {
            std::vector<std::string> names{"cpu"};
            for (const estimate::Device& known : estimate::known_devices())
                names.push_back(known.name);
            throw UserError("--device {}: not known; give one of {}, and --memory for another size", flags.device,
                            fmt::join(names, ", "));
        }
        hardware.device = *device;
        hardware.devices_per_host = flags.devices_per_host > 0 ? flags.devices_per_host : 8;
        estimate::calibrate(hardware.device);
    }
    hardware.hosts = flags.hosts;
    if (!flags.host_memory.empty())
        hardware.host_memory = static_cast<double>(parse_memory_size(flags.host_memory));
    hardware.network = flags.network > 0 ? flags.network * 1e9 / 8 : estimate::usual_network(hardware.device);
    if (!flags.memory.empty())
        hardware.device.memory = static_cast<double>(parse_memory_size(flags.memory));
    hardware.device.price_per_hour = flags.price;
    return hardware;
}

std::string setup_text(const estimate::TrainingSetup& setup) {
    const estimate::TrainingSetup usual;
    std::string words;
    for (const estimate::SetupField& field : estimate::setup_fields()) {
        const std::string value = estimate::field_text(setup, field);
        const bool always = field.name == "batch" || field.name == "sequence" || field.name == "precision";
        if (always || value != estimate::field_text(usual, field))
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", field.name, value);
    }
    return words;
}

/// Flags of the mesh next to --num_processes leave the other ranks to the data dimensions that are not given.
void share_ranks(estimate::TrainingSetup& setup, const TrainingFlags& flags) {
    const auto is_given = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(
            flags.fields, [&](const auto& field) { return std::ranges::find(names, field.first) != names.end(); });
    };
    if (flags.num_processes <= 0 || !is_given({"pp", "tp", "cp", "sp", "zero_stage", "dp_replicate", "dp_shard"}))
        return;
    estimate::Layout& layout = setup.layout;
    const bool shards = is_given({"dp_shard"}), copies = is_given({"dp_replicate"});
    if (!shards)
        layout.dp_shard = 1;
    if (!copies)
        layout.dp_replicate = 1;
    const std::int64_t given = layout.ranks(), rest = flags.num_processes / given;
    if (flags.num_processes % given != 0 || (shards && copies && rest != 1))
        throw UserError(
            "--num_processes {}: the mesh of pp {} × dp_replicate {} × dp_shard {} × cp {} × sp {} × tp {} "
            "has {} ranks: give a multiple of them, or other sizes",
            flags.num_processes, layout.pp, layout.dp_replicate, layout.dp_shard, layout.cp, layout.sp, layout.tp,
            given);
    (shards || (setup.zero_stage == 0 && !copies) ? layout.dp_replicate : layout.dp_shard) *= rest;
}

std::string answer_text(const estimate::Answer& answer) {
    return fmt::format("{} a rank, {} tokens/s", size_text(answer.memory),
                       text::quantity(answer.time.tokens_per_second()));
}

void add_answers(const TrainingEstimate& estimated, std::vector<std::string>& lines) {
    const estimate::Search& search = estimated.search;
    if (const std::string why = search.why_not(estimated.setup); !why.empty())
        lines.push_back("Why not: " + why + ".");
    const auto batch = search.largest_batch(estimated.setup);
    lines.push_back(batch ? fmt::format("Largest micro-batch: {} ({})", batch->setup.batch, answer_text(*batch))
                          : "Largest micro-batch: not even one sample fits");
    const auto sequence = search.longest_sequence(estimated.setup);
    lines.push_back(sequence
                        ? fmt::format("Longest sequence: {} ({})", sequence->setup.sequence, answer_text(*sequence))
                        : "Longest sequence: none fits");
    const auto fewest = search.fewest_devices(estimated.setup);
    lines.push_back(fewest ? fmt::format("Fewest devices: {} ({}; {})", fewest->setup.layout.ranks(),
                                         setup_text(fewest->setup), answer_text(*fewest))
                           : "Fewest devices: no layout fits on these");
    const auto layouts = search.best_layouts(estimated.setup, estimated.setup.layout.ranks(), 3);
    for (const estimate::Answer& layout : layouts)
        lines.push_back(fmt::format("{} ({})",
                                    &layout == &layouts.front() ? "Best layout: " + setup_text(layout.setup)
                                                                : "  then: " + setup_text(layout.setup),
                                    answer_text(layout)));
    for (const auto& saving : search.savings(estimated.setup))
        lines.push_back(fmt::format("Saves {}: {} {}, {:+.0f} % time{}", size_text(saving.saved), saving.field,
                                    saving.value, 100 * saving.slower, saving.enough ? "" : " (does not fit yet)"));
}

}  // namespace

bool TrainingFlags::any() const {
    return !fields.empty() || !config_file.empty() || num_processes > 0 || !device.empty() || hosts > 1 ||
           devices_per_host > 0 || !memory.empty() || !host_memory.empty() || network > 0 || price > 0 || steps > 0 ||
           explain || answers;
}

void add_training_flags(CLI::App& command, TrainingFlags& flags) {
    const std::string group = "Training";
    for (const estimate::SetupField& field : estimate::setup_fields()) {
        const std::string values = field.choices.empty() ? "" : fmt::format(": {}", fmt::join(field.choices, " "));
        command
            .add_option_function<std::string>(
                "--" + field.name,
                [&flags, name = field.name](const std::string& value) { flags.fields.emplace_back(name, value); },
                field.help + values)
            ->group(group);
    }
    command
        .add_option("--config_file", flags.config_file,
                    "A settings file: ranks, precision, sharding, sizes of the mesh")
        ->group(group);
    command.add_option("--num_processes", flags.num_processes, "Ranks that train a recipe")
        ->check(CLI::PositiveNumber)
        ->group(group);
    command.add_option("--device", flags.device, "cpu [this machine's], or a GPU by name: H100, \"A100 40\"")
        ->group(group);
    command.add_option("--hosts", flags.hosts, "Machines")->check(CLI::PositiveNumber)->group(group);
    command.add_option("--devices_per_host", flags.devices_per_host, "Devices of each machine [8]")
        ->check(CLI::PositiveNumber)
        ->group(group);
    command.add_option("--memory", flags.memory, "Memory of a device, if another: 24GiB")->group(group);
    command
        .add_option("--host_memory", flags.host_memory,
                    "Memory of a machine for what its devices offload: 512GiB [not known, so not judged]")
        ->group(group);
    command.add_option("--network", flags.network, "Gbit/s of each machine to the others [by the device]")
        ->check(CLI::PositiveNumber)
        ->group(group);
    command.add_option("--price", flags.price, "Price of a device and hour")->check(CLI::PositiveNumber)->group(group);
    command.add_option("--steps", flags.steps, "Steps, for time and price of the whole training")
        ->check(CLI::PositiveNumber)
        ->group(group);
    command.add_flag("--explain", flags.explain, "Formula and source of every number")->group(group);
    command.add_flag("--answers", flags.answers, "What fits: batch, sequence, devices, layouts, ways to save memory")
        ->group(group);
}

TrainingEstimate estimate_training(const std::string& model, const TrainingFlags& flags) {
    const bool is_recipe = model.ends_with(".yaml") || model.ends_with(".yml");
    estimate::TrainingSetup setup;
    std::optional<config::Recipe> recipe;
    estimate::ModelParts parts;
    if (is_recipe) {
        recipe = estimate::load_settled_recipe(model);
        const std::int64_t ranks = std::max<std::int64_t>(1, flags.num_processes);
        config::on_ranks(*recipe, ranks);  // says why the ranks cannot share the batch
        estimate::RecipePlan plan = estimate::plan_of(*recipe, ranks);
        setup = plan.setup;
        parts = std::move(plan.model);
    } else if (flags.num_processes > 0) {
        setup.layout.dp_replicate = flags.num_processes;
    }
    if (!flags.config_file.empty()) {
        const settings::Settings said = settings::with_defaults(settings::load_settings(flags.config_file).settings);
        const auto named = [&](const char* path) {
            const std::string text = said.text(path);
            return text == "none" ? std::string() : text;
        };
        settings::refuse_double_configuration(said);
        if (const std::string file = named("deepspeed_config.deepspeed_config_file"); !file.empty())
            (void)plan::DeepspeedConfig::read(file);  // reports a file that cannot be read
        estimate::apply_settings(setup, said);
        if (const std::string ignored = named("fsdp_config.fsdp_ignored_modules"); recipe && !ignored.empty())
            setup.ignored_share = setup.zero_stage == 3 ? estimate::ignored_share(recipe->model, ignored) : 0;
    }
    for (const auto& [name, value] : flags.fields)
        estimate::set_field(setup, name, value);
    share_ranks(setup, flags);
    if (!recipe)
        parts = estimate::load_model_parts(model);
    estimate::Hardware hardware = hardware_of(flags, setup.layout.ranks());
    if (std::vector<Problem> problems = estimate::check_setup(parts, setup); !problems.empty())
        throw InvalidInput(std::move(problems));
    if (const std::int64_t all = hardware.ranks();
        !flags.device.empty() && flags.device != "cpu" && setup.layout.ranks() > all)
        hardware.hosts = (setup.layout.ranks() + hardware.devices_per_host - 1) / hardware.devices_per_host;
    TrainingEstimate estimated{{std::move(parts), std::move(hardware)}, setup, {}, {}};
    estimated.memory =
        estimate::estimate_memory(estimated.search.model(), setup, estimated.search.hardware().device, &estimated.why);
    return estimated;
}

std::vector<std::string> training_lines(const TrainingEstimate& estimated, const TrainingFlags& flags) {
    const estimate::Search& search = estimated.search;
    const estimate::Hardware& hardware = search.hardware();
    const estimate::MemoryEstimate& memory = estimated.memory;
    const std::int64_t ranks = estimated.setup.layout.ranks();
    std::vector<std::string> lines{fmt::format("Training on {} rank{} ({}): {}", ranks, ranks == 1 ? "" : "s",
                                               hardware.device.name, setup_text(estimated.setup))};
    for (const estimate::RankMemory& stage : memory.stages) {
        const bool fullest = &stage == &memory.fullest();
        if (memory.stages.size() > 1)
            lines.push_back(fmt::format("Stage {}: layers {}, {} rank{}, {}{}", stage.stage,
                                        pipeline::to_text(stage.blocks), stage.ranks, stage.ranks == 1 ? "" : "s",
                                        size_text(stage.total()), fullest ? ", the fullest:" : ""));
        if (!fullest)
            continue;
        for (std::size_t i = 0; i < estimate::kParts; ++i)
            for (std::size_t place = 0; place < estimate::kPlaces; ++place) {
                const double bytes = stage.bytes_of(static_cast<Part>(i), static_cast<Place>(place));
                if (bytes == 0)
                    continue;
                const std::string where =
                    place == 0 ? "" : fmt::format(" ({})", estimate::place_words(static_cast<Place>(place)));
                lines.push_back(fmt::format("  {:<34}{:>12}",
                                            std::string(estimate::part_words(static_cast<Part>(i))) + where,
                                            size_text(bytes)));
                for (const estimate::Explanation& why : estimated.why)
                    if (flags.explain && why.part == static_cast<Part>(i) && why.place == static_cast<Place>(place))
                        lines.push_back(fmt::format("      {}{}", why.formula,
                                                    why.source.empty() ? "" : " [" + why.source.text() + "]"));
            }
    }
    for (const auto place : {Place::host, Place::disk})
        if (const double bytes = search.of_host(memory, place); bytes > 0)
            lines.push_back(fmt::format("  {:<34}{:>12}{}",
                                        fmt::format("{} of a machine", estimate::place_words(place)), size_text(bytes),
                                        place == Place::host && hardware.host_memory > 0
                                            ? fmt::format(" of {}", size_text(hardware.host_memory))
                                            : ""));
    const estimate::Shortage missing = search.shortage(memory);
    std::string verdict = "fits";
    if (missing.any())
        verdict =
            fmt::format("does not fit{}{}",
                        missing.device > 0 ? fmt::format(", {} short on a rank", size_text(missing.device)) : "",
                        missing.host > 0 ? fmt::format(", {} of host memory short", size_text(missing.host)) : "");
    const double limit = search.limit();
    lines.push_back(fmt::format("  {:<34}{:>12}{}", "total per rank", size_text(memory.total()),
                                limit > 0 ? fmt::format(" of {}: {}", size_text(limit), verdict) : ""));
    if (hardware.device.program_runs > 0)
        lines.push_back(fmt::format(
            "  the program itself takes {} on this processor, measured by {}", size_text(hardware.device.program),
            hardware.device.program_runs == 1 ? "a run" : fmt::format("{} runs", hardware.device.program_runs)));
    if (hardware.device.calibration_runs > 0)
        lines.push_back(fmt::format("  {} runs on this device used {:.2f} of their estimate (the middle one): {}",
                                    hardware.device.calibration_runs, hardware.device.calibration,
                                    size_text(hardware.device.calibration * memory.total())));
    const estimate::StepTime time = estimate::step_time(search.model(), estimated.setup, hardware);
    lines.push_back(fmt::format("A step takes about {} ({} to {}), {} tokens/s; {}", text::duration(time.seconds()),
                                text::duration(time.fastest()), text::duration(time.slowest()),
                                text::quantity(time.tokens_per_second()), hardware.device.source));
    if (flags.explain)
        lines.push_back(
            fmt::format("  products {}, pipeline idle {}, waiting for other ranks {}, for offloaded state {}, "
                        "optimizer {}; {} FLOP a step, {:.0f} % of the peak",
                        text::duration(time.compute), text::duration(time.bubble), text::duration(time.exchange),
                        text::duration(time.offload), text::duration(time.update), text::quantity(time.flops),
                        100 * hardware.device.utilisation));
    lines.push_back(fmt::format("A rank sends {} a step; a checkpoint takes {}.",
                                text::file_size(static_cast<std::uint64_t>(time.traffic.total())),
                                text::file_size(static_cast<std::uint64_t>(memory.checkpoint))));
    if (flags.steps > 0)
        lines.push_back(fmt::format(
            "{:.0f} steps take {}{}", flags.steps, text::duration(flags.steps * time.seconds()),
            flags.price > 0 ? fmt::format(" and cost {:.2f}", estimate::price(time, hardware, ranks, flags.steps))
                            : ""));
    else if (flags.price > 0)
        lines.push_back(
            fmt::format("A million tokens cost {:.4g}", 1e6 * estimate::price(time, hardware, ranks, 1) / time.tokens));
    if (flags.answers)
        add_answers(estimated, lines);
    return lines;
}

nlohmann::ordered_json training_json(const TrainingEstimate& estimated, const TrainingFlags& flags) {
    using Json = nlohmann::ordered_json;
    const estimate::Search& search = estimated.search;
    Json json;
    for (const estimate::SetupField& field : estimate::setup_fields())
        json["setup"][field.name] = estimate::field_text(estimated.setup, field);
    const estimate::Device& device = search.hardware().device;
    json["device"] = {{"name", device.name}, {"memory", search.limit()}};
    if (device.calibration_runs > 0)
        json["device"]["calibration"] = {{"factor", device.calibration}, {"runs", device.calibration_runs}};
    for (const estimate::RankMemory& stage : estimated.memory.stages) {
        Json entry{{"stage", stage.stage},
                   {"layers", layers_json(stage.blocks)},
                   {"ranks", stage.ranks},
                   {"total", stage.total()}};
        for (std::size_t place = 0; place < estimate::kPlaces; ++place)
            for (std::size_t i = 0; i < estimate::kParts; ++i)
                if (const double bytes = stage.bytes_of(static_cast<Part>(i), static_cast<Place>(place)); bytes > 0)
                    entry[std::string(estimate::place_words(static_cast<Place>(place)))]
                         [std::string(estimate::part_key(static_cast<Part>(i)))] = bytes;
        json["stages"].push_back(std::move(entry));
    }
    json["fits"] = search.fits(estimated.setup);
    const estimate::Shortage missing = search.shortage(estimated.memory);
    json["short"] = {{"device", missing.device}, {"host", missing.host}};
    json["host"] = {{"memory", search.hardware().host_memory},
                    {"used", search.of_host(estimated.memory, Place::host)},
                    {"disk_used", search.of_host(estimated.memory, Place::disk)}};
    const estimate::StepTime time = estimate::step_time(search.model(), estimated.setup, search.hardware());
    json["step"] = {{"seconds", time.seconds()}, {"fastest", time.fastest()}, {"slowest", time.slowest()},
                    {"tokens", time.tokens},     {"flops", time.flops},       {"sent_bytes", time.traffic.total()},
                    {"compute", time.compute},   {"bubble", time.bubble},     {"exchange", time.exchange},
                    {"offload", time.offload},   {"update", time.update}};
    json["checkpoint_bytes"] = estimated.memory.checkpoint;
    if (flags.price > 0)
        json["price_of_step"] = estimate::price(time, search.hardware(), estimated.setup.layout.ranks(), 1);
    if (flags.explain)
        for (const estimate::Explanation& why : estimated.why)
            json["explained"].push_back({{"part", estimate::part_key(why.part)},
                                         {"place", estimate::place_words(why.place)},
                                         {"bytes", why.bytes},
                                         {"formula", why.formula},
                                         {"source", why.source}});
    if (flags.answers) {
        const auto answer = [](const std::optional<estimate::Answer>& found) {
            if (!found)
                return Json(nullptr);
            Json entry{{"memory", found->memory}, {"tokens_per_second", found->time.tokens_per_second()}};
            for (const estimate::SetupField& field : estimate::setup_fields())
                entry["setup"][field.name] = estimate::field_text(found->setup, field);
            return entry;
        };
        json["answers"] = {{"largest_batch", answer(search.largest_batch(estimated.setup))},
                           {"longest_sequence", answer(search.longest_sequence(estimated.setup))},
                           {"fewest_devices", answer(search.fewest_devices(estimated.setup))},
                           {"why_not", search.why_not(estimated.setup)}};
        for (const auto& layout : search.best_layouts(estimated.setup, estimated.setup.layout.ranks()))
            json["answers"]["layouts"].push_back(answer(layout));
        for (const auto& saving : search.savings(estimated.setup))
            json["answers"]["savings"].push_back({{"field", saving.field},
                                                  {"value", saving.value},
                                                  {"saved", saving.saved},
                                                  {"slower", saving.slower},
                                                  {"fits", saving.enough}});
    }
    return json;
}

nlohmann::ordered_json layers_json(const std::vector<pipeline::StageBlocks>& stages) {
    auto json = nlohmann::ordered_json::array();
    for (const pipeline::StageBlocks& stage : stages)
        json.push_back({stage.begin, stage.end});
    return json;
}

}  // namespace trainyard::cli
