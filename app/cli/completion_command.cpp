// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard completion bash|zsh|fish: a script for the shell, made from the commands as they are declared and from the flags of
// the schema.

#include <algorithm>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "config/accelerate/schema.h"

namespace trainyard::cli {

namespace {

struct Item {
    std::string name;  ///< `--num_processes` or a command
    std::string help;
    bool takes_value = false;
    std::vector<std::string> values;  ///< what may follow
};

/// A command with its path: `config default`; empty: the program itself.
struct Command {
    std::string path;
    std::vector<Item> commands;
    std::vector<Item> flags;
};

void add_flag(Command& command, Item item) {
    bool there = std::ranges::any_of(command.flags, [&item](const Item& one) { return one.name == item.name; });
    if (!there)
        command.flags.push_back(std::move(item));
}

std::vector<std::string> values_of(const settings::Key& key) {
    std::vector<std::string> values;
    for (std::string_view choice : key.choices)
        values.emplace_back(choice);
    if (key.type == settings::Type::boolean && key.flag.kind == settings::FlagKind::value)
        values = {"true", "false"};
    return values;
}

/// A flag that the schema knows takes its choices from there, wherever it stands.
void add_values(Item& item) {
    const settings::Key* key = settings::find_flag(item.name);
    if (key != nullptr && item.takes_value && item.values.empty())
        item.values = values_of(*key);
}

void collect(CLI::App& app, const std::string& path, std::vector<Command>& all) {
    Command command;
    command.path = path;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            Item item{"--" + name, option->get_description(), option->get_expected_max() > 0, {}};
            add_values(item);
            add_flag(command, std::move(item));
        }
    }
    std::vector<CLI::App*> parts = app.get_subcommands([](CLI::App*) { return true; });
    for (CLI::App* part : parts)
        command.commands.push_back({part->get_name(), part->get_description(), false, {}});
    if (path == "launch" || path == "test")
        for (const settings::Key& key : settings::schema())
            if (key.flag.kind != settings::FlagKind::none)
                add_flag(command,
                         {std::string(key.flag.name), std::string(key.help),
                          key.flag.kind == settings::FlagKind::value || key.flag.kind == settings::FlagKind::repeated,
                          values_of(key)});
    all.push_back(std::move(command));
    for (CLI::App* part : parts)
        collect(*part, path.empty() ? part->get_name() : path + " " + part->get_name(), all);
}

template <typename Items>
std::string names(const Items& items) {
    std::string all;
    for (const Item& item : items)
        all += (all.empty() ? "" : " ") + item.name;
    return all;
}

std::string spaced(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : " ") + word;
    return all;
}

/// Inside single quotes of any of the shells.
std::string quoted(std::string text, char shell) {
    std::string out;
    for (char c : text) {
        if (c == '\n')
            c = ' ';
        if (c == '\'')
            out += shell == 'f' ? "\\'" : "'\\''";
        else if (c == ':' && shell == 'z')
            out += "\\:";
        else if (c == '\\' && shell == 'f')
            out += "\\\\";
        else
            out += c;
    }
    return "'" + out + "'";
}

std::string bash_script(const std::vector<Command>& all) {
    std::string script =
        "# bash completion of trainyard: source <(trainyard completion bash)\n"
        "_trainyard() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= words= i next\n"
        "    COMPREPLY=()\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        next=\"${command:+$command }${COMP_WORDS[i]}\"\n"
        "        case \"$next\" in\n            ";
    std::string known;
    for (const Command& command : all)
        if (!command.path.empty())
            known += (known.empty() ? "" : " | ") + quoted(command.path, 'b');
    script += known + ") command=$next ;;\n        esac\n    done\n";
    script += "    [[ $prev == --* ]] && next=${prev#--} && prev=--${next//-/_}\n    case \"$command:$prev\" in\n";
    for (const Command& command : all)
        for (const Item& flag : command.flags)
            if (!flag.values.empty())
                script += "        " + quoted(command.path + ":" + flag.name, 'b') +
                          ") words=" + quoted(spaced(flag.values), 'b') + " ;;\n";
            else if (flag.takes_value)
                script += "        " + quoted(command.path + ":" + flag.name, 'b') + ") return ;;\n";
    script +=
        "    esac\n"
        "    if [[ -z $words && $cur == -* ]]; then\n"
        "        case \"$command\" in\n";
    for (const Command& command : all)
        script += "            " + quoted(command.path, 'b') + ") words=" + quoted(names(command.flags), 'b') + " ;;\n";
    script +=
        "        esac\n"
        "        # hyphens are as good as underscores\n"
        "        next=${cur#--}\n"
        "        [[ $next == *-* && $next != *_* ]] && words=${words//_/-}\n"
        "    elif [[ -z $words ]]; then\n"
        "        case \"$command\" in\n";
    for (const Command& command : all)
        if (!command.commands.empty())
            script += "            " + quoted(command.path, 'b') + ") words=" + quoted(names(command.commands), 'b') +
                      " ;;\n";
    script +=
        "        esac\n"
        "    fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
        "}\n"
        "complete -o default -F _trainyard trainyard\n";
    return script;
}

std::string zsh_items(const std::vector<Item>& items) {
    std::string all;
    for (const Item& item : items)
        all += " " + quoted(item.name, 'z') + ":" + quoted(item.help, 'z');
    return all;
}

std::string zsh_script(const std::vector<Command>& all) {
    std::string script =
        "#compdef trainyard\n"
        "# zsh completion of trainyard: trainyard completion zsh > \"${fpath[1]}/_trainyard\"\n"
        "_trainyard() {\n"
        "    local command= word next prev=${words[CURRENT-1]}\n"
        "    local -a items\n"
        "    for word in ${words[2,CURRENT-1]}; do\n"
        "        next=\"${command:+$command }$word\"\n"
        "        case \"$next\" in\n            (";
    std::string known;
    for (const Command& command : all)
        if (!command.path.empty())
            known += (known.empty() ? "" : "|") + quoted(command.path, 'b');
    script += known + ") command=$next ;;\n        esac\n    done\n";
    script += "    [[ $prev == --* ]] && next=${prev#--} && prev=--${next//-/_}\n    case \"$command:$prev\" in\n";
    for (const Command& command : all)
        for (const Item& flag : command.flags)
            if (!flag.values.empty())
                script += "        (" + quoted(command.path + ":" + flag.name, 'b') + ") compadd -- " +
                          spaced(flag.values) + "; return ;;\n";
            else if (flag.takes_value)
                script += "        (" + quoted(command.path + ":" + flag.name, 'b') + ") _files; return ;;\n";
    script += "    esac\n    case \"$command\" in\n";
    for (const Command& command : all) {
        script += "        (" + quoted(command.path, 'b') +
                  ")\n            if [[ $PREFIX == -* ]]; then\n                items=(" + zsh_items(command.flags) +
                  " )\n                _describe -o option items\n            else\n";
        if (command.commands.empty())
            script += "                _files\n";
        else
            script += "                items=(" + zsh_items(command.commands) +
                      " )\n                _describe command items\n";
        script += "            fi ;;\n";
    }
    script += "    esac\n}\n[[ $funcstack[1] == _trainyard ]] && _trainyard \"$@\" || compdef _trainyard trainyard\n";
    return script;
}

std::string fish_condition(const std::vector<Command>& all, const Command& command) {
    if (command.path.empty())
        return "__fish_use_subcommand";
    std::string condition;
    std::string path = command.path;
    for (std::size_t start = 0; start < path.size();) {
        std::size_t end = std::min(path.find(' ', start), path.size());
        condition +=
            (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + path.substr(start, end - start));
        start = end + 1;
    }
    for (const Command& other : all)
        if (&other == &command && !other.commands.empty())
            condition += "; and not __fish_seen_subcommand_from " + names(other.commands);
    return condition;
}

std::string fish_script(const std::vector<Command>& all) {
    std::string script =
        "# fish completion of trainyard: trainyard completion fish > ~/.config/fish/completions/trainyard.fish\n";
    for (const Command& command : all) {
        std::string start = "complete -c trainyard -n " + quoted(fish_condition(all, command), 'f');
        for (const Item& item : command.commands)
            script += start + " -f -a " + item.name + " -d " + quoted(item.help, 'f') + "\n";
        for (const Item& flag : command.flags) {
            script += start + " -l " + flag.name.substr(2);
            if (!flag.values.empty())
                script += " -x -a " + quoted(spaced(flag.values), 'f');
            else if (flag.takes_value)
                script += " -r";
            script += " -d " + quoted(flag.help, 'f') + "\n";
        }
    }
    return script;
}

}  // namespace

void add_completion(CLI::App& app, Action& chosen) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("completion", "A script that completes trainyard's commands and flags in a shell");
    command->add_option("shell", *shell, "bash, zsh or fish")->required();
    command->callback([&app, shell, &chosen] {
        chosen = [&app, shell] {
            std::vector<Command> all;
            collect(app, "", all);
            std::string script;
            if (*shell == "bash")
                script = bash_script(all);
            else if (*shell == "zsh")
                script = zsh_script(all);
            else if (*shell == "fish")
                script = fish_script(all);
            else
                throw UserError("no completion for the shell {}: use bash, zsh or fish", *shell);
            std::fputs(script.c_str(), stdout);
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
