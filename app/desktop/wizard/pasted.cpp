// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/pasted.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"
#include "config/accelerate/schema.h"
#include "desktop/wizard/opened_file.h"
#include "launch/plan/flags.h"

namespace trainyard::desktop {

using settings::Key;
using settings::Section;

namespace {

using Words = std::vector<std::string>;

std::string file_name(const std::string& word) {
    const std::size_t slash = word.rfind('/');
    return slash == std::string::npos ? word : word.substr(slash + 1);
}

/// `NAME=value` before a command.
bool is_assignment(const std::string& word) {
    const std::size_t equals = word.find('=');
    return equals != std::string::npos && equals > 0 && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

struct Launcher {
    Pasted::Kind kind;
    std::size_t at;     ///< index of the launcher's word
    std::size_t flags;  ///< first word after it
};

std::optional<Launcher> find_launcher(const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string name = file_name(words[i]);
        const bool launch_follows = i + 1 < words.size() && words[i + 1] == "launch";
        if ((name == "accelerate" || name == "trainyard") && launch_follows)
            return Launcher{Pasted::Kind::launch_command, i, i + 2};
        if (name == "accelerate-launch" || name == "accelerate.commands.launch")
            return Launcher{Pasted::Kind::launch_command, i, i + 1};
        if (name == "torchrun" || name == "torch.distributed.run" || name == "torch.distributed.launch")
            return Launcher{Pasted::Kind::torchrun_command, i, i + 1};
    }
    return std::nullopt;
}

class CommandReader {
  public:
    CommandReader(const Words& words, const Launcher& launcher, bool has_accelerator)
        : words_(words), launcher_(launcher), has_accelerator_(has_accelerator) {
        pasted_.kind = launcher.kind;
    }

    Pasted read() {
        for (std::size_t i = 0; i < launcher_.at; ++i)
            if (is_assignment(words_[i]))
                read_assignment(words_[i]);
        const Words rest(words_.begin() + static_cast<std::ptrdiff_t>(launcher_.flags), words_.end());
        if (launcher_.kind == Pasted::Kind::launch_command)
            read_launch(rest);
        else
            read_torchrun(rest);
        name_paradigm();
        return std::move(pasted_);
    }

  private:
    void set(const std::string& path, Value value) {
        std::erase_if(pasted_.keys, [&path](const auto& key) { return key.first == path; });
        pasted_.keys.emplace_back(path, std::move(value));
    }
    const Value* find(const std::string& path) const {
        for (const auto& [each, value] : pasted_.keys)
            if (each == path)
                return &value;
        return nullptr;
    }
    void note(Message message) { pasted_.notes.push_back(std::move(message)); }

    void read_assignment(const std::string& word) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        if (name == kEnvVisibleGpus)
            set("gpu_ids", word.substr(equals + 1));
        else
            note(Message("{} is set in front of the command: settings do not hold environment variables", name));
    }

    void read_launch(const Words& rest) {
        const plan::Flags flags = plan::parse_flags(rest);
        pasted_.program = flags.program;
        pasted_.arguments = flags.arguments;
        if (!flags.config_file.empty())
            note(Message("--config_file {} was not read: open that file first, then paste the command",
                         flags.config_file));
        static constexpr std::array<std::pair<const char*, const char*>, 5> kParadigms = {
            {{"multi_gpu", "MULTI_GPU"},
             {"tpu", "XLA"},
             {"use_deepspeed", "DEEPSPEED"},
             {"use_fsdp", "FSDP"},
             {"use_megatron_lm", "MEGATRON_LM"}}};
        for (const auto& [name, value] : flags.typed) {
            const Key* key = settings::find_flag(name);
            const auto paradigm = std::find_if(kParadigms.begin(), kParadigms.end(),
                                               [&name = name](const auto& each) { return name == each.first; });
            if (paradigm != kParadigms.end()) {
                if (flags.is_on(name))
                    set("distributed_type", paradigm->second);
            } else if (name == "cpu") {
                if (flags.is_on(name))
                    set("use_cpu", true);
            } else if (key != nullptr && key->section != Section::launch) {
                set(key->path(), value);
            } else if (name != "config_file" && name != "use_parallelism_config") {
                note(Message("--{} is only a command line flag and cannot be stored in a settings file", name));
            }
        }
    }

    void read_torchrun(const Words& rest) {
        static const std::array<std::string_view, 8> kSwitches = {"standalone", "module", "no_python",       "run_path",
                                                                  "use_env",    "help",   "use_agent_store", "m"};
        std::size_t i = 0;
        for (; i < rest.size() && rest[i].size() > 1 && rest[i][0] == '-'; ++i) {
            const std::size_t equals = rest[i].find('=');
            std::string name = rest[i].substr(0, equals);
            name.erase(0, name.find_first_not_of('-'));
            std::replace(name.begin(), name.end(), '-', '_');
            if (std::find(kSwitches.begin(), kSwitches.end(), name) != kSwitches.end()) {
                if (name != "standalone")
                    note(name.size() > 1 ? Message("--{} belongs to the program", name)
                                         : Message("-{} belongs to the program", name));
                continue;
            }
            if (equals == std::string::npos && i + 1 >= rest.size())
                throw UserError("--{} at the end of the command has no value", name);
            const std::string value = equals == std::string::npos ? rest[++i] : rest[i].substr(equals + 1);
            read_torchrun_flag(name, value);
        }
        if (i < rest.size())
            pasted_.program = rest[i++];
        pasted_.arguments.assign(rest.begin() + static_cast<std::ptrdiff_t>(std::min(i, rest.size())), rest.end());
        set("num_machines", machines_);
        if (processes_)
            set("num_processes", *processes_ * machines_);
    }

    void read_torchrun_flag(const std::string& name, const std::string& value) {
        if (name == "nnodes") {
            read_machines(value);
        } else if (name == "nproc_per_node") {
            processes_ = parse_number<std::int64_t>(value);
            if (!processes_)
                note(Message("--nproc_per_node {} is resolved on the host: the number of processes is unchanged",
                             value));
        } else if (name == "node_rank" || name == "master_port") {
            set(name == "node_rank" ? "machine_rank" : "main_process_port", number(name, value));
        } else if (name == "master_addr" || name == "rdzv_backend") {
            set(name == "master_addr" ? "main_process_ip" : name, value);
        } else if (name == "rdzv_endpoint") {
            const std::size_t colon = value.rfind(':');
            set("main_process_ip", value.substr(0, colon));
            if (colon != std::string::npos)
                set("main_process_port", number(name, value.substr(colon + 1)));
        } else if (const Key* key = settings::find_flag(name); key != nullptr) {
            note(Message("--{} {} is only a command line flag and cannot be stored in a settings file", name, value));
        } else {
            note(Message("--{} only applies to torchrun and is ignored", name));
        }
    }

    static Value number(const std::string& name, const std::string& text) {
        const std::optional<std::int64_t> read = parse_number<std::int64_t>(text);
        if (!read)
            throw UserError("--{} '{}' is not a whole number", name, text);
        return *read;
    }

    /// `2`, or `1:4` for a number that may change.
    void read_machines(const std::string& text) {
        const std::size_t colon = text.find(':');
        const std::optional<std::int64_t> most =
            parse_number<std::int64_t>(colon == std::string::npos ? text : text.substr(colon + 1));
        if (!most || *most < 1)
            throw UserError("--nnodes '{}' is not a number of machines", text);
        machines_ = *most;
        if (colon != std::string::npos)
            note(Message("--nnodes {} is an elastic range: the larger number is used", text));
    }

    /// If only the number of processes is given, the machine decides the kind of parallelism.
    void name_paradigm() {
        const Value* processes = find("num_processes");
        const bool several = processes != nullptr && processes->integer() != nullptr && *processes->integer() > 1;
        if (!several || find("distributed_type") != nullptr)
            return;
        const Value* cpu = find("use_cpu");
        const bool on_cpu = !has_accelerator_ || (cpu != nullptr && *cpu == Value(true));
        set("distributed_type", on_cpu ? "MULTI_CPU" : "MULTI_GPU");
        if (on_cpu)
            set("use_cpu", true);
    }

    const Words& words_;
    const Launcher& launcher_;
    bool has_accelerator_;
    std::int64_t machines_ = 1;
    std::optional<std::int64_t> processes_;
    Pasted pasted_;
};

/// Blanks, quotes and dashes that web pages and word processors write in place of those of a keyboard.
std::string usual_signs(std::string text) {
    const auto replace = [&text](std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    };
    for (const char* blank : {"\u00a0", "\u2007", "\u202f"})
        replace(blank, " ");
    for (const char* nothing : {"\u200b", "\ufeff"})
        replace(nothing, "");
    if (text.find('"') == std::string::npos)
        for (const char* quote : {"\u201c", "\u201d", "\u201e"})
            replace(quote, "\"");
    // One long dash at the beginning of a word was two short ones.
    for (const char* dash : {"\u2013", "\u2014"})
        for (const char* blank : {" ", "\n", "\t"})
            replace(blank + std::string(dash), blank + std::string("--"));
    return text;
}

class CommandSplitter {
  public:
    explicit CommandSplitter(std::string text) : text_(std::move(text)) {}

    std::vector<ShellCommand> split() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\\' && at_ + 1 < text_.size())
                take_escaped();
            else if (c == '\'' || c == '"')
                take_quoted(c);
            else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
                end_word();
            else if (c == '#' && !inside_)
                at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
            else if (c == '<' || c == '>')
                take_redirection();
            else if (c == ';' || c == '&' || c == '|')
                end_command();
            else
                take(c);
            ++at_;
        }
        end_command();
        return std::move(commands_);
    }

  private:
    void take(char c) {
        word_ += c;
        inside_ = true;
    }

    void end_word() {
        if (!inside_)
            return;
        if (redirection_.empty())
            command_.words.push_back(std::move(word_));
        else
            command_.redirections.push_back(std::exchange(redirection_, {}) + " " + word_);
        word_.clear();
        inside_ = false;
    }

    void end_command() {
        end_word();
        redirection_.clear();
        std::vector<std::string>& words = command_.words;
        // Skip a shell prompt that was copied with the command.
        if (commands_.empty() && !words.empty() && (words.front() == "$" || words.front() == "%"))
            words.erase(words.begin());
        if (!words.empty())
            commands_.push_back(std::move(command_));
        command_ = {};
    }

    /// A backslash outside quotes, and the character after it.
    void take_escaped() {
        const char next = text_[++at_];
        if (next == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n')
            ++at_;
        else if (next != '\n')
            take(next);
    }

    void take_quoted(char quote) {
        inside_ = true;
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) {
                const char next = text_[++at_];
                if (next == '\n')
                    continue;
                if (next != '"' && next != '\\' && next != '$' && next != '`')
                    word_ += '\\';
                word_ += next;
            } else {
                word_ += text_[at_];
            }
        }
        if (at_ >= text_.size())
            throw UserError("the command has an unclosed quote {}", quote);
    }

    /// `>`, `>>`, `2>`, `<` with the word that follows, and `2>&1`.
    void take_redirection() {
        std::string sign;
        if (inside_ && std::ranges::all_of(word_, [](char c) { return c >= '0' && c <= '9'; })) {
            sign = std::exchange(word_, {});
            inside_ = false;
        }
        end_word();
        while (at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '>' || text_[at_] == '&'))
            sign += text_[at_++];
        if (sign.ends_with('&')) {
            while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
                sign += text_[at_++];
            command_.redirections.push_back(sign);
        } else {
            redirection_ = sign;
        }
        --at_;
    }

    const std::string text_;
    std::size_t at_ = 0;
    std::vector<ShellCommand> commands_;
    ShellCommand command_;
    std::string word_, redirection_;
    bool inside_ = false;
};

/// Names what the shell would have done with the command and settings do not.
void note_the_shells(const std::vector<ShellCommand>& commands, const ShellCommand& chosen, const Launcher& launcher,
                     Pasted& pasted) {
    std::string others, variables;
    for (const ShellCommand& command : commands)
        if (&command != &chosen)
            others += (others.empty() ? "" : "; ") + fmt::format("{}", fmt::join(command.words, " "));
    for (std::size_t i = launcher.flags; i < chosen.words.size(); ++i) {
        const std::size_t sign = chosen.words[i].find('$');
        if (sign == std::string::npos || sign + 1 == chosen.words[i].size())
            continue;
        const char next = chosen.words[i][sign + 1];
        if (std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '_' || next == '{' || next == '(')
            variables += (variables.empty() ? "" : ", ") + chosen.words[i];
    }
    if (!others.empty())
        pasted.notes.push_back(Message("Other commands of the clipboard are left out: {}", others));
    if (!chosen.redirections.empty())
        pasted.notes.push_back(Message("Redirections are left out, as a run has logs of its own: {}",
                                       fmt::format("{}", fmt::join(chosen.redirections, " "))));
    if (!variables.empty())
        pasted.notes.push_back(Message("Variables of the shell are not replaced: write their values ({})", variables));
}

/// Whether any line begins with a key of settings files.
bool looks_like_settings(const settings::Settings& settings) {
    for (const auto& [path, value] : settings.leaves())
        if (settings::find_key(path) != nullptr || settings::find_key(path, true) != nullptr)
            return true;
    return false;
}

}  // namespace

std::vector<ShellCommand> split_commands(const std::string& text) {
    return CommandSplitter(usual_signs(text)).split();
}

Pasted read_pasted(const std::string& text, bool has_accelerator) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        throw UserError("The clipboard is empty: copy a launch command, a settings file or a DeepSpeed JSON first");
    const bool json = text[first] == '{';
    if (!json) {
        std::vector<ShellCommand> commands;
        try {
            commands = split_commands(text);
        } catch (const UserError&) {
            // YAML has its own rules for single quotes. In a command, an unbalanced quote is an error.
            if (text.find(" launch") != std::string::npos || text.find("torchrun") != std::string::npos)
                throw;
        }
        for (const ShellCommand& command : commands)
            if (const std::optional<Launcher> launcher = find_launcher(command.words)) {
                Pasted pasted = CommandReader(command.words, *launcher, has_accelerator).read();
                note_the_shells(commands, command, *launcher, pasted);
                return pasted;
            }
    }
    Pasted pasted;
    if (json && kindOf(text) == OpenedFile::Kind::DeepSpeed) {
        pasted.kind = Pasted::Kind::deepspeed_json;
        pasted.loaded = settings::read_deepspeed_json(text, "clipboard");
        for (auto& [path, value] : pasted.loaded.settings.leaves())
            pasted.keys.emplace_back(path, value);
        for (const settings::ReadNote& each : pasted.loaded.notes)
            pasted.notes.push_back(each.message);
        return pasted;
    }
    pasted.loaded = settings::read_settings(text, "clipboard", json ? settings::Format::json : settings::Format::yaml);
    if (looks_like_settings(pasted.loaded.settings))
        return pasted;
    for (const Problem& problem : pasted.loaded.problems)
        if (json && problem.key.empty())
            throw UserError("The clipboard's JSON cannot be read: {}", problem.text());
    throw UserError(
        "The clipboard holds no launch command, settings file or DeepSpeed JSON: copy one of them and try again");
}

}  // namespace trainyard::desktop
