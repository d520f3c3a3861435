// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard tpu-config: commands on the machines of a TPU pod, through gcloud. No shell here; the pod's shell gets one line.

#include <cstdio>
#include <cstring>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/system_call.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "config/accelerate/settings_file.h"

namespace trainyard::cli {

namespace {

struct TpuArguments {
    std::string file;
    std::string name;
    std::string zone;
    std::string command_file;
    std::vector<std::string> commands;
    std::string version = "latest";
    bool alpha = false;
    bool install = false;
    bool debug = false;
    bool json = false;
};

/// Flags win over the file.
void take_from_file(TpuArguments& arguments) {
    std::error_code error;
    fs::path file = arguments.file.empty() ? settings::default_file() : fs::path(arguments.file);
    if (!fs::exists(file, error)) {
        if (!arguments.file.empty())
            throw UserError("{}: there is no such settings file", file.string());
        return;
    }
    settings::Settings settings = settings::load_settings(file).settings;
    if (arguments.command_file.empty() && arguments.commands.empty())
        arguments.command_file = settings.text("command_file");
    if (arguments.commands.empty() && arguments.command_file.empty())
        if (const Value* commands = settings.find("commands"); commands != nullptr && commands->list() != nullptr)
            for (const Value& command : *commands->list())
                arguments.commands.push_back(command.display());
    if (arguments.name.empty())
        arguments.name = settings.text("tpu_name");
    if (arguments.zone.empty())
        arguments.zone = settings.text("tpu_zone");
}

std::string package_of(const std::string& version) {
    if (version == "latest")
        return "accelerate -U";
    if (version == "dev")
        return "git+https://github.com/huggingface/accelerate.git";
    const std::size_t first = version.starts_with('v') ? 1 : 0;
    const bool is_number = version.size() > first && version[first] >= '0' && version[first] <= '9';
    if (!is_number || version.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.+!") != std::string::npos)
        throw UserError("--accelerate_version {} is not a version: use latest, dev or a number such as 1.10.0",
                        version);
    return "accelerate==" + version;
}

std::vector<std::string> gcloud_words(const TpuArguments& arguments) {
    std::vector<Problem> problems;
    auto missing = [&problems](const char* key, const Message& sentence) {
        problems.push_back({"", 0, 0, key, sentence});
    };
    std::vector<std::string> commands = arguments.commands;
    if (!arguments.command_file.empty()) {
        commands.clear();
        std::istringstream lines(text::read_text_file(arguments.command_file));
        // The commands become one line: a comment in it would hide those after it, and ";;" is a syntax error.
        for (std::string line; std::getline(lines, line);)
            if (const std::size_t first = line.find_first_not_of(" \t");
                first != std::string::npos && line[first] != '#')
                commands.push_back(line);
    }
    if (commands.empty())
        missing("--command",
                "there is nothing to run: give --command or --command_file, or name them in the settings file");
    if (arguments.name.empty())
        missing("--tpu_name", "the TPU has no name: give --tpu_name, or tpu_name in the settings file");
    if (arguments.zone.empty())
        missing("--tpu_zone", "the TPU has no zone: give --tpu_zone, or tpu_zone in the settings file");
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    std::string line = "cd /usr/share";
    if (arguments.install)
        line += "; pip install " + package_of(arguments.version);
    for (const std::string& command : commands)
        line += "; " + command;
    std::vector<std::string> words{"gcloud"};
    if (arguments.alpha)
        words.emplace_back("alpha");
    for (const std::string& word : {std::string("compute"), std::string("tpus"), std::string("tpu-vm"),
                                    std::string("ssh"), arguments.name, std::string("--zone"), arguments.zone,
                                    std::string("--command"), line, std::string("--worker"), std::string("all")})
        words.push_back(word);
    return words;
}

std::string for_a_shell(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) {
        bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "-_./=:,@%+") == std::string::npos;
        std::string quoted = word;
        for (std::size_t at = quoted.find('\''); at != std::string::npos; at = quoted.find('\'', at + 4))
            quoted.replace(at, 1, "'\\''");
        all += (all.empty() ? "" : " ") + (plain ? word : "'" + quoted + "'");
    }
    return all;
}

int run_and_wait(const std::vector<std::string>& words) {
    std::vector<std::string> copies = words;
    std::vector<char*> argv;
    for (std::string& word : copies)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    if (int error = ::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ); error != 0)
        throw UserError(
            "{} cannot be started: {}; install the Google Cloud command line, or see the command with --debug",
            words[0], system_message(error));
    int status = 0;
    retry_interrupted([&] { return ::waitpid(child, &status, 0); });
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return kExitDone;
    if (WIFSIGNALED(status))
        std::fprintf(stderr, "trainyard: gcloud ended by signal %d\n", WTERMSIG(status));
    else
        std::fprintf(stderr, "trainyard: gcloud failed with exit code %d\n", WEXITSTATUS(status));
    return kExitFailed;
}

int configure(TpuArguments arguments) {
    take_from_file(arguments);
    std::vector<std::string> words = gcloud_words(arguments);
    if (arguments.json)
        std::printf("%s\n", json_text(nlohmann::json{{"command", words}}, {.indent = 2}).c_str());
    else
        std::printf("%s\n", for_a_shell(words).c_str());
    if (arguments.debug)
        return kExitDone;
    std::fflush(stdout);
    int code = run_and_wait(words);
    if (code == kExitDone && !arguments.json)
        std::printf("The commands ran on all machines of %s\n", arguments.name.c_str());
    return code;
}

}  // namespace

void add_tpu_config(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<TpuArguments>();
    CLI::App* command =
        app.add_subcommand("tpu-config", "Runs set-up commands on the machines of a TPU pod, through gcloud");
    command->add_option("--config_file", arguments->file, "Settings file with tpu_name, tpu_zone and commands");
    command->add_option("--tpu_name", arguments->name, "Name of the TPU [of the settings file]");
    command->add_option("--tpu_zone", arguments->zone, "Its zone [of the settings file]");
    command->add_flag("--use_alpha", arguments->alpha, "gcloud alpha");
    command->add_option("--command_file", arguments->command_file, "File with the commands, one a line");
    command->add_option("--command", arguments->commands, "A command; repeatable")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command->add_flag("--install_accelerate", arguments->install, "Install Accelerate on the machines first");
    command->add_option("--accelerate_version", arguments->version, "latest, dev or a version [latest]");
    command->add_flag("--debug", arguments->debug, "Print the command without running it");
    command->add_flag("--json", arguments->json, "Print the command for programs");
    command->callback([arguments, &chosen] { chosen = [arguments] { return configure(*arguments); }; });
}

}  // namespace trainyard::cli
