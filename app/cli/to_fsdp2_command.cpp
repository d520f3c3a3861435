// trainyard to-fsdp2: FSDP 1 settings as FSDP 2.

#include <cstdio>
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

struct Fsdp2Arguments {
    std::string file;
    std::string output;
    bool overwrite = false;
    bool json = false;
};

int convert(const Fsdp2Arguments& arguments) {
    fs::path input(arguments.file);
    fs::path output(arguments.output.empty() ? arguments.file : arguments.output);
    std::vector<Problem> problems;
    std::error_code error;
    if (!fs::exists(input, error))
        problems.push_back(
            {input.string(), 0, 0, "", "there is no such file: name the FSDP 1 settings with --config_file"});
    if (arguments.output.empty() && !arguments.overwrite)
        problems.push_back({"", 0, 0, "--output_file", "name where to write, or say --overwrite to replace the input"});
    else if (!arguments.output.empty() && !arguments.overwrite && fs::exists(output, error))
        problems.push_back({output.string(), 0, 0, "", "the file is there already: say --overwrite to replace it"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    settings::Loaded loaded = settings::load_settings(input);
    std::vector<settings::ReadNote> notes;
    settings::Settings converted = settings::to_fsdp2(loaded.settings, notes);
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
    std::printf("FSDP 2 settings saved in %s\n", output.c_str());
    return kExitDone;
}

}  // namespace

void add_to_fsdp2(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<Fsdp2Arguments>();
    CLI::App* command = app.add_subcommand("to-fsdp2", "Settings of FSDP 1 as settings of FSDP 2");
    command->add_option("--config_file", arguments->file, "Settings file with FSDP 1")->required();
    command->add_option("--output_file", arguments->output, "Where to write [with --overwrite: the same file]");
    command->add_flag("--overwrite", arguments->overwrite, "Replace a file that is there");
    command->add_flag("--json", arguments->json, "For programs");
    command->callback([arguments, &chosen] { chosen = [arguments] { return convert(*arguments); }; });
}

}  // namespace trainyard::cli
