// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/pasted.h"

#include <algorithm>
#include <array>

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

/// Whether any line begins with a key of settings files.
bool looks_like_settings(const settings::Settings& settings) {
    for (const auto& [path, value] : settings.leaves())
        if (settings::find_key(path) != nullptr || settings::find_key(path, true) != nullptr)
            return true;
    return false;
}

}  // namespace

std::vector<std::string> split_command(const std::string& text) {
    Words words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '\'') {
            if (c == '\'')
                quote = 0;
            else
                word += c;
        } else if (c == '\\' && i + 1 < text.size()) {
            const char next = text[++i];
            if (next == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
                ++i;
            else if (next != '\n') {
                if (quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`')
                    word += c;
                word += next;
                inside = true;
            }
        } else if (quote == '"') {
            if (c == '"')
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            inside = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (inside)
                words.push_back(std::move(word));
            word.clear();
            inside = false;
        } else if (c == '#' && !inside) {
            while (i + 1 < text.size() && text[i + 1] != '\n')
                ++i;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quote != 0)
        throw UserError("the command has an unclosed quote {}", quote);
    if (inside)
        words.push_back(std::move(word));
    // Skip a shell prompt that was copied with the command.
    if (!words.empty() && (words.front() == "$" || words.front() == "%"))
        words.erase(words.begin());
    return words;
}

Pasted read_pasted(const std::string& text, bool has_accelerator) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos)
        throw UserError("The clipboard is empty: copy a launch command, a settings file or a DeepSpeed JSON first");
    const bool json = text[first] == '{';
    if (!json) {
        Words words;
        try {
            words = split_command(text);
        } catch (const UserError&) {
            // YAML has its own rules for single quotes. In a command, an unbalanced quote is an error.
            if (text.find(" launch") != std::string::npos || text.find("torchrun") != std::string::npos)
                throw;
        }
        if (const std::optional<Launcher> launcher = find_launcher(words))
            return CommandReader(words, *launcher, has_accelerator).read();
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
