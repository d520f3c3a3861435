// SPDX-License-Identifier: GPL-3.0-or-later
// config default, update and validate: what is done with a whole file.

#include <algorithm>
#include <cstdio>
#include <iterator>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/config_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "config/accelerate/draft.h"
#include "config/accelerate/questionnaire.h"
#include "config/values/value_formats.h"
#include "launch/plan/deepspeed_config.h"
#include "launch/plan/probe.h"

namespace trainyard::cli {

namespace {

using settings::Finding;
using settings::Format;
using settings::Loaded;
using settings::Settings;
using OrderedJson = nlohmann::ordered_json;

Format format_of(const fs::path& file) {
    return file.extension() == ".json" ? Format::json : Format::yaml;
}

Loaded read_config(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        throw UserError("{}: there is no such file; `trainyard config` writes one", file.string());
    return settings::read_settings(read_file(file), file.string(), format_of(file));
}

OrderedJson note_json(const settings::ReadNote& note) {
    const char* kind = "translated";
    if (note.kind == settings::ReadNote::Kind::repaired)
        kind = "repaired";
    else if (note.kind == settings::ReadNote::Kind::unknown)
        kind = "unknown";
    else if (note.kind == settings::ReadNote::Kind::dropped)
        kind = "dropped";
    return {{"kind", kind}, {"key", note.path}, {"line", note.line}, {"message", note.message}};
}

const char* word_of(Finding::Severity severity) {
    return severity == Finding::Severity::error ? "error" : "warning";
}

std::string count_of(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string place_of(const fs::path& file, int line, int column) {
    std::string place = file.string();
    if (line > 0)
        place += ":" + std::to_string(line) + ":" + std::to_string(std::max(column, 1));
    return place;
}

}  // namespace

fs::path settings_path(const std::string& named) {
    return named.empty() ? settings::default_file() : fs::path(named);
}

std::vector<Finding> findings_of(const Loaded& loaded, const settings::Machine* machine) {
    std::vector<Finding> all;
    for (const Problem& problem : loaded.problems)
        all.push_back(
            {Finding::Severity::error, problem.key, problem.message, std::nullopt, problem.line, problem.column});
    // A file without a table of keys has no keys to judge.
    bool readable = loaded.problems.empty() || !loaded.settings.root().empty();
    if (readable)
        for (Finding& finding : settings::check(loaded.settings, machine)) {
            if (const Value* value = loaded.settings.find(finding.path); value != nullptr && finding.line == 0) {
                finding.line = value->line;
                finding.column = value->column;
            }
            bool told = std::ranges::any_of(all, [&finding](const Finding& other) {
                return other.path == finding.path && other.severity == Finding::Severity::error;
            });
            if (!told || finding.severity == Finding::Severity::warning)
                all.push_back(std::move(finding));
        }
    std::ranges::stable_sort(all, [](const Finding& one, const Finding& other) {
        return std::pair(one.line, one.column) < std::pair(other.line, other.column);
    });
    return all;
}

int config_default(const fs::path& file, const std::string& mixed_precision, bool json) {
    std::string precision = mixed_precision;
    std::ranges::transform(precision, precision.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (precision != "no" && precision != "fp16" && precision != "bf16" && precision != "fp8")
        throw UserError("--mixed_precision {} is not known: use no, fp16, bf16 or fp8", mixed_precision);
    std::error_code error;
    bool there = fs::exists(file, error);
    Settings settings;
    if (!there) {
        settings::Questionnaire tree(plan::probe_machine());
        Settings detected = tree.settings({});
        for (const char* key : {"compute_environment", "distributed_type", "num_processes", "use_cpu"})
            if (const Value* value = detected.find(key))
                settings.set(key, *value);
        settings.set("mixed_precision", precision);
        settings.set("debug", false);
        settings.set("enable_cpu_affinity", false);
        settings = settings::with_defaults(settings);
        settings::save_text(file, settings::to_text(settings, format_of(file)));
    } else {
        settings = read_config(file).settings;
    }
    if (json)
        print_json(OrderedJson{{"file", file.string()}, {"written", !there}, {"settings", json_of(settings.saved())}});
    else if (there)
        say_format(
            stdout,
            "%s is there already and stays as it is; `trainyard config` changes it, --config_file names another\n",
            file.c_str());
    else
        say_format(stdout, "Settings saved in %s\n", file.c_str());
    return kExitDone;
}

int config_list_presets(bool json) {
    if (json) {
        OrderedJson list = OrderedJson::array();
        for (const settings::Preset& preset : settings::configuration_zoo())
            list.push_back({{"id", preset.id}, {"name", preset.name}, {"help", preset.help}});
        print_json(list);
        return kExitDone;
    }
    for (const settings::Preset& preset : settings::configuration_zoo())
        say_format(stdout, "%-16s %s\n", preset.id.c_str(), preset.help.c_str());
    return kExitDone;
}

namespace {

/// Moves the DeepSpeed configuration of the settings to a JSON file that they name instead.
void move_to_deepspeed_file(Settings& settings, const fs::path& file) {
    const std::string table = "deepspeed_config.";
    const auto text = [&](const char* key) { return settings.text(table + key, "none"); };
    plan::DeepspeedPlugin plugin;
    plugin.gradient_accumulation_steps = settings.integer(table + "gradient_accumulation_steps", 1);
    if (const Value* clipping = settings.find(table + "gradient_clipping"))
        plugin.gradient_clipping = json_of(*clipping);
    plugin.zero_stage = settings.integer(table + "zero_stage", 2);
    plugin.offload_optimizer_device = text("offload_optimizer_device");
    plugin.offload_param_device = text("offload_param_device");
    plugin.zero3_save_16bit_model = settings.boolean(table + "zero3_save_16bit_model");
    plan::DeepspeedConfig config = plugin.configure(std::nullopt);
    config.set_precision(settings.text("mixed_precision", "no"));
    const bool zero_init = settings.boolean(table + "zero3_init_flag");
    settings.remove("deepspeed_config");
    settings.remove("mixed_precision");  // that of the JSON file counts
    settings.set(table + "deepspeed_config_file", fs::absolute(file).lexically_normal().string());
    settings.set(table + "zero3_init_flag", zero_init);
    plan::DeepspeedConfig::Json root = config.root();
    root.erase("steps_per_print");  // a number without end, which JSON does not have
    settings::save_text(file, json_text(root, {.indent = 2}) + "\n");
}

}  // namespace

int config_preset(const fs::path& file, const std::string& id, const fs::path& deepspeed_file, bool json) {
    const auto& zoo = settings::configuration_zoo();
    const auto preset = std::ranges::find(zoo, id, &settings::Preset::id);
    if (preset == zoo.end()) {
        std::vector<std::string> ids;
        std::ranges::transform(zoo, std::back_inserter(ids), &settings::Preset::id);
        throw UserError("--preset {} is not known{}", id, text::did_you_mean(id, ids));
    }
    std::error_code error;
    if (fs::exists(file, error))
        throw UserError("{} is there already and is not overwritten: name another file with --config_file",
                        file.string());
    Settings settings;
    for (const auto& [path, value] : preset->keys)
        settings.set(path, value);
    if (!deepspeed_file.empty() && settings.text("distributed_type") != "DEEPSPEED")
        throw UserError("--deepspeed_config_file is for templates of DeepSpeed, and {} is not one: leave it out", id);
    if (!deepspeed_file.empty() && fs::exists(deepspeed_file, error))
        throw UserError("{} is there already and is not overwritten: name another file with --deepspeed_config_file",
                        deepspeed_file.string());
    if (!settings.has("num_processes") && settings.text("compute_environment") == "LOCAL_MACHINE")
        settings.set("num_processes", std::max(2, plan::probe_machine().device_count));
    if (settings.integer("num_machines", 1) > 1 && !settings.has("main_process_ip"))
        settings.set("main_process_ip", host_name());
    if (!deepspeed_file.empty())
        move_to_deepspeed_file(settings, deepspeed_file);
    settings = settings::with_defaults(settings);
    settings::save_text(file, settings::to_text(settings, format_of(file)));
    if (json)
        print_json(OrderedJson{{"file", file.string()}, {"written", true}, {"settings", json_of(settings.saved())}});
    else
        say_format(stdout, "Settings saved in %s\n", file.c_str());
    return kExitDone;
}

int config_update(const fs::path& file, bool json) {
    Loaded loaded = read_config(file);
    if (!loaded.problems.empty())
        throw InvalidInput(loaded.problems);
    Settings settings = settings::with_defaults(loaded.settings);
    std::string text = settings::rewrite(loaded, settings);
    bool changed = text != loaded.text;
    if (changed)
        settings::save_text(file, text);
    if (json) {
        OrderedJson notes = OrderedJson::array();
        for (const settings::ReadNote& note : loaded.notes)
            notes.push_back(note_json(note));
        say_format(stdout, "%s\n",
                   json_text(OrderedJson{{"file", file.string()},
                                         {"written", changed},
                                         {"notes", notes},
                                         {"settings", json_of(settings.saved())}},
                             {.indent = 2})
                       .c_str());
        return kExitDone;
    }
    for (const settings::ReadNote& note : loaded.notes)
        say_format(stdout, "%s: %s\n", place_of(file, note.line, 1).c_str(), note.message.text().c_str());
    say_format(stdout, changed ? "%s is up to date now\n" : "%s is up to date\n", file.c_str());
    return kExitDone;
}

int config_validate(const fs::path& file, bool here, bool json) {
    Loaded loaded = read_config(file);
    settings::Machine machine;
    if (here) {
        // Only ports the file names can be in the way.
        std::vector<int> ports;
        if (std::int64_t port = loaded.settings.integer("main_process_port", 0); port > 0 && port < 65536)
            ports.push_back(static_cast<int>(port));
        machine = plan::probe_machine(ports);
    }
    std::vector<Finding> findings = findings_of(loaded, here ? &machine : nullptr);
    auto errors = static_cast<std::size_t>(std::ranges::count(findings, Finding::Severity::error, &Finding::severity));
    std::size_t warnings = findings.size() - errors;
    if (json) {
        OrderedJson list = OrderedJson::array();
        for (const Finding& finding : findings) {
            OrderedJson one{{"severity", word_of(finding.severity)},
                            {"key", finding.path},
                            {"line", finding.line},
                            {"column", finding.column},
                            {"message", finding.message}};
            if (finding.fix)
                one["fix"] = finding.fix->is_null() ? OrderedJson(nullptr) : OrderedJson(finding.fix->display());
            list.push_back(std::move(one));
        }
        OrderedJson notes = OrderedJson::array();
        for (const settings::ReadNote& note : loaded.notes)
            notes.push_back(note_json(note));
        print_json(OrderedJson{{"file", file.string()}, {"valid", errors == 0}, {"findings", list}, {"notes", notes}});
        return errors == 0 ? kExitDone : kExitUsage;
    }
    for (const Finding& finding : findings)
        say_format(stdout, "%s: %s: %s%s%s\n", place_of(file, finding.line, finding.column).c_str(),
                   word_of(finding.severity), finding.path.c_str(), finding.path.empty() ? "" : ": ",
                   finding.message.text().c_str());
    for (const settings::ReadNote& note : loaded.notes)
        say_format(stdout, "%s: note: %s\n", place_of(file, note.line, 1).c_str(), note.message.text().c_str());
    if (findings.empty())
        say_format(stdout, "%s is valid\n", file.c_str());
    else
        say_format(stdout, "%s: %s, %s\n", file.c_str(), count_of(errors, "error").c_str(),
                   count_of(warnings, "warning").c_str());
    return errors == 0 ? kExitDone : kExitUsage;
}

}  // namespace trainyard::cli
