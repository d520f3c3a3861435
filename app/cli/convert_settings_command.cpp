// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard to-fsdp2, to-deepspeed, to-fsdp: settings of one way of sharding as those of another.

#include <cstdio>
#include <functional>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/filesystem.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "config/accelerate/settings_file.h"
#include "config/values/value_formats.h"

namespace trainyard::cli {

namespace {

struct ConversionArguments {
    std::string file;
    std::string output;
    int version = 2;
    bool overwrite = false;
    bool json = false;
};

using SettingsConversion =
    std::function<settings::Settings(const settings::Settings&, std::vector<settings::ReadNote>&)>;

int convert_settings(const ConversionArguments& arguments, const char* what, const SettingsConversion& conversion) {
    fs::path input(arguments.file);
    fs::path output(arguments.output.empty() ? arguments.file : arguments.output);
    std::vector<Problem> problems;
    std::error_code error;
    if (!fs::exists(input, error))
        problems.push_back({input.string(), 0, 0, "", "there is no such file: name the settings with --config_file"});
    if (arguments.output.empty() && !arguments.overwrite)
        problems.push_back({"", 0, 0, "--output_file", "name where to write, or say --overwrite to replace the input"});
    else if (!arguments.output.empty() && !arguments.overwrite && fs::exists(output, error))
        problems.push_back({output.string(), 0, 0, "", "the file is there already: say --overwrite to replace it"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    settings::Loaded loaded = settings::load_settings(input);
    std::vector<settings::ReadNote> notes;
    settings::Settings converted = conversion(loaded.settings, notes);
    auto format = output.extension() == ".json" ? settings::Format::json : settings::Format::yaml;
    bool same_format = format == loaded.format;
    settings::save_text(output,
                        same_format ? settings::rewrite(loaded, converted) : settings::to_text(converted, format));
    if (arguments.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const settings::ReadNote& note : notes)
            list.push_back({{"key", note.path}, {"message", note.message}});
        nlohmann::ordered_json result{
            {"file", output.string()}, {"notes", list}, {"settings", json_of(converted.saved())}};
        print_json(result);
        return kExitDone;
    }
    for (const settings::ReadNote& note : notes)
        std::printf("%s\n", note.message.text().c_str());
    std::printf("%s settings saved in %s\n", what, output.c_str());
    return kExitDone;
}

}  // namespace

void add_settings_conversions(CLI::App& app, Action& chosen) {
    const auto add = [&](const char* name, const char* what, const char* help, const auto& conversion) {
        auto arguments = std::make_shared<ConversionArguments>();
        CLI::App* command = app.add_subcommand(name, help);
        command->add_option("--config_file", arguments->file, "Settings file")->required();
        command->add_option("--output_file", arguments->output, "Where to write [with --overwrite: the same file]");
        command->add_flag("--overwrite", arguments->overwrite, "Replace a file that is there");
        command->add_flag("--json", arguments->json, "For programs");
        command->callback([arguments, &chosen, what, conversion] {
            chosen = [arguments, what, conversion] {
                return convert_settings(*arguments, what, [&](const auto& from, auto& notes) {
                    return conversion(from, *arguments, notes);
                });
            };
        });
        return std::pair(command, arguments);
    };
    using Notes = std::vector<settings::ReadNote>;
    add("to-fsdp2", "FSDP 2", "Settings of FSDP 1 as settings of FSDP 2",
        [](const settings::Settings& from, const ConversionArguments&, Notes& notes) {
            return settings::to_fsdp2(from, notes);
        });
    add("to-deepspeed", "DeepSpeed", "Settings of FSDP as settings of DeepSpeed",
        [](const settings::Settings& from, const ConversionArguments&, Notes& notes) {
            return settings::to_deepspeed(from, notes);
        });
    auto [command, arguments] = add("to-fsdp", "FSDP", "Settings of DeepSpeed as settings of FSDP",
                                    [](const settings::Settings& from, const ConversionArguments& given, Notes& notes) {
                                        return settings::to_fsdp(from, given.version, notes);
                                    });
    command->add_option("--fsdp_version", arguments->version, "Version of FSDP [2]")->check(CLI::IsMember({1, 2}));
}

}  // namespace trainyard::cli
