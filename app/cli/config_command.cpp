// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard config [default | update | validate | show | keys | batch]

#include "cli/config_command.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/questionnaire_terminal.h"
#include "launch/plan/probe.h"

namespace trainyard::cli {

namespace {

constexpr const char* kFileHelp = "Settings file; .json is JSON, anything else YAML [the default one]";

void add_default(CLI::App& config, Action& chosen) {
    struct Arguments {
        std::string file;
        std::string mixed_precision = "no", preset, deepspeed_file;
        bool list = false, json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command =
        config.add_subcommand("default", "Write settings for this machine's hardware; overwrites nothing");
    command->add_option("--config_file", arguments->file, kFileHelp);
    command->add_option("--mixed_precision", arguments->mixed_precision, "no, fp16, bf16 or fp8 [no]");
    command->add_option("--preset", arguments->preset,
                        "Write this template instead: --list shows them; what it leaves open is this machine's");
    command->add_option("--deepspeed_config_file", arguments->deepspeed_file,
                        "With a template of DeepSpeed: write its configuration to this JSON file, which the settings "
                        "name");
    command->add_flag("--list", arguments->list, "Print the templates and write nothing");
    command->add_flag("--json", arguments->json, "For programs");
    command->callback([arguments, &chosen] {
        chosen = [arguments] {
            if (arguments->list)
                return config_list_presets(arguments->json);
            if (!arguments->preset.empty())
                return config_preset(settings_path(arguments->file), arguments->preset, arguments->deepspeed_file,
                                     arguments->json);
            if (!arguments->deepspeed_file.empty())
                throw UserError("--deepspeed_config_file needs --preset: give a template of DeepSpeed, such as zero-2");
            return config_default(settings_path(arguments->file), arguments->mixed_precision, arguments->json);
        };
    });
}

/// Commands that take one file, named or not.
struct FileArguments {
    std::string file;
    bool here = false;
    bool json = false;
};

CLI::App* add_file_command(CLI::App& config, const char* name, const char* help,
                           const std::shared_ptr<FileArguments>& arguments) {
    CLI::App* command = config.add_subcommand(name, help);
    command->add_option("file,--config_file", arguments->file, kFileHelp);
    command->add_flag("--json", arguments->json, "For programs");
    return command;
}

void add_file_commands(CLI::App& config, Action& chosen) {
    auto update = std::make_shared<FileArguments>();
    add_file_command(config, "update", "Rewrite a file with today's keys and every default; comments stay", update)
        ->callback([update, &chosen] {
            chosen = [update] { return config_update(settings_path(update->file), update->json); };
        });
    auto validate = std::make_shared<FileArguments>();
    CLI::App* checking = add_file_command(
        config, "validate", "All problems of a file with their lines; exit code 2 when there are any", validate);
    checking->add_flag("--here", validate->here, "Also what this machine lacks for it");
    checking->callback([validate, &chosen] {
        chosen = [validate] { return config_validate(settings_path(validate->file), validate->here, validate->json); };
    });
    auto show = std::make_shared<FileArguments>();
    add_file_command(config, "show", "What a launch here would use, and where each value comes from", show)
        ->callback([show, &chosen] { chosen = [show] { return config_show(settings_path(show->file), show->json); }; });
}

void add_keys(CLI::App& config, Action& chosen) {
    struct Arguments {
        std::string search;
        bool json = false;
        bool markdown = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = config.add_subcommand("keys", "Every key and flag there is, or those with a word in them");
    command->add_option("search", arguments->search, "Part of a key, flag or explanation");
    command->add_flag("--json", arguments->json, "For programs");
    command->add_flag("--markdown", arguments->markdown, "The whole reference as Markdown");
    command->callback([arguments, &chosen] {
        chosen = [arguments] { return config_keys(arguments->search, arguments->json, arguments->markdown); };
    });
}

void add_batch(CLI::App& config, Action& chosen) {
    struct Arguments {
        settings::BatchSetup setup;
        std::int64_t on = 0;
        std::string rule = "linear";
        bool json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command =
        config.add_subcommand("batch", "Effective batch and learning rate, here and on another number of ranks");
    command->add_option("--batch_per_rank", arguments->setup.batch_per_rank, "Samples of one rank and micro step")
        ->required();
    command->add_option("--num_processes", arguments->setup.ranks, "Ranks that share the data [1]");
    command->add_option("--gradient_accumulation_steps", arguments->setup.accumulation,
                        "Micro steps of an optimizer step [1]");
    command->add_option("--learning_rate", arguments->setup.learning_rate, "Learning rate of that set-up");
    command->add_option("--samples_per_epoch", arguments->setup.samples_per_epoch, "For the number of optimizer steps");
    command->add_option("--on", arguments->on, "The other number of ranks");
    command->add_option("--rule", arguments->rule,
                        "How the rate follows the batch: linear, square_root or keep [linear]");
    command->add_flag("--json", arguments->json, "For programs");
    command->callback([arguments, &chosen] {
        chosen = [arguments] {
            using settings::LearningRateRule;
            const settings::BatchSetup& setup = arguments->setup;
            if (setup.batch_per_rank < 1 || setup.ranks < 1 || setup.accumulation < 1 || arguments->on < 0)
                throw UserError("batch, ranks and accumulation are counts: use 1 or more");
            LearningRateRule rule = LearningRateRule::linear;
            if (arguments->rule == "keep")
                rule = LearningRateRule::keep;
            else if (arguments->rule == "square_root")
                rule = LearningRateRule::square_root;
            else if (arguments->rule != "linear")
                throw UserError("--rule {} is not known: use linear, square_root or keep", arguments->rule);
            return config_batch(setup, arguments->on, rule, arguments->json);
        };
    });
}

}  // namespace

void add_config(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<QuestionnaireOptions>();
    auto file = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "config",
        "Asks how and where to train and writes the settings file; its own commands write, check and show one");
    command->require_subcommand(0, 1);
    command->add_option("--config_file", *file, kFileHelp);
    command->add_flag("--yes", options->yes, "Defaults where no answer is given; overwrite without asking");
    command->add_flag("--fresh", options->fresh, "Do not start from the answers of the file that is there");
    command->add_flag("--force", options->force, "Write the file although its settings contradict each other");
    command->add_flag("--create-role,--create_role", options->create_role,
                      "Also create the IAM role that the settings name, with the keys of the settings' profile");
    command->add_flag("--json", options->json, "Print the file and its settings for programs");
    command->callback([command, options, file, &chosen] {
        if (!command->get_subcommands().empty())
            return;
        chosen = [options, file] {
            options->file = settings_path(*file);
            return run_questionnaire(*options, plan::probe_machine());
        };
    });
    add_default(*command, chosen);
    add_file_commands(*command, chosen);
    add_keys(*command, chosen);
    add_batch(*command, chosen);
}

}  // namespace trainyard::cli
