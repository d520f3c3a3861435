// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/flags.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/accelerate/check.h"
#include "launch/plan/flag_names.h"
#include "launch/plan/hostfile.h"

namespace trainyard::plan {

using settings::FlagKind;
using settings::Key;

bool is_recipe(std::string_view program) {
    return program.ends_with(".yaml") || program.ends_with(".yml");
}

bool names_recipe(const Flags& flags) {
    return !flags.is_on("module") && !flags.is_on("no_python") && is_recipe(flags.program);
}

namespace {

/// What argparse takes for the start of an option: a dash, but neither a lone one nor a negative number.
bool looks_like_flag(std::string_view word) {
    if (word.size() < 2 || word[0] != '-')
        return false;
    return !parse_number<double>(word.substr(1));
}

const Key* find_brief(std::string_view brief) {
    for (const Key& key : settings::schema())
        if (key.flag.brief == brief)
            return &key;
    return nullptr;
}

class Parser {
  public:
    explicit Parser(const std::vector<std::string>& words) : words_(words) {}

    Flags parse() {
        while (at_ < words_.size() && flags_.program.empty()) {
            const std::string& word = words_[at_];
            if (asks_for_help(word))
                return std::move(flags_);
            if (word == "--") {
                ++at_;
                if (at_ < words_.size())
                    flags_.program = words_[at_++];
                break;
            }
            if (word.size() > 1 && word[0] == '-')
                read_flag();
            else
                flags_.program = words_[at_++];
        }
        if (is_recipe(flags_.program) && !flags_.is_on("no_python")) {
            read_behind_recipe();
            if (flags_.is_on("help"))
                return std::move(flags_);
        } else {
            flags_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
        }
        if (flags_.program.empty())
            complain("",
                     "launch needs a program: trainyard launch [flags] RECIPE.yaml, or SCRIPT.py with its arguments");
        read_own();
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return std::move(flags_);
    }

  private:
    void complain(std::string key, const Message& message) { problems_.push_back({"", 0, 0, std::move(key), message}); }

    bool asks_for_help(const std::string& word) {
        if (word != "--help" && word != "-h")
            return false;
        flags_.typed.insert_or_assign("help", Value(true));
        return true;
    }

    void read_behind_recipe() {
        while (at_ < words_.size()) {
            const std::string& word = words_[at_];
            if (asks_for_help(word))
                return;
            if (word.size() > 1 && word[0] == '-') {
                read_flag();
            } else {
                complain("", Message("'{}' comes after the recipe: a recipe takes no arguments", word));
                ++at_;
            }
        }
    }

    void read_flag() {
        const std::string& word = words_[at_++];
        if (word[1] != '-') {
            read_brief(word);
            return;
        }
        std::size_t equals = word.find('=');
        std::string shown = word.substr(0, equals);
        const Key* key = settings::find_flag(shown);
        if (key == nullptr || shown.size() < 4) {  // `--m` is not `-m`
            complain("", unknown(shown));
            return;
        }
        if (equals == std::string::npos)
            take(*key, shown, std::nullopt);
        else
            take(*key, shown, word.substr(equals + 1));
    }

    /// `-m`, `-t 3`, `-t3`, `-qm`
    void read_brief(const std::string& word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            std::string shown = std::string("-") + word[i];
            const Key* key = find_brief(shown);
            if (key == nullptr) {
                complain("", unknown(word));
                return;
            }
            if (takes_value(*key) && i + 1 < word.size()) {
                std::string attached = word.substr(i + 1);
                take(*key, shown, attached.starts_with("=") ? attached.substr(1) : attached);
                return;
            }
            take(*key, shown, std::nullopt);
        }
    }

    Message unknown(const std::string& shown) const {
        std::vector<std::string> known;
        for (const Key& key : settings::schema())
            if (key.flag.kind != FlagKind::none)
                known.push_back("--" + plain_name(key));
        std::string plain = shown.starts_with("--") ? "--" + plain_name(shown) : shown;
        const Message message("unknown flag '{}' of launch", shown);
        if (std::optional<std::string> near = text::nearest(plain, known))
            return Message("{}: did you mean '{}'?", message, *near);
        return Message("{}: trainyard launch --help lists them", message);
    }

    void take(const Key& key, const std::string& shown, const std::optional<std::string>& attached) {
        if (key.flag.kind == FlagKind::presence || key.flag.kind == FlagKind::absence) {
            take_switch(key, shown, attached);
            return;
        }
        std::string text;
        if (attached) {
            text = *attached;
        } else if (at_ < words_.size() && words_[at_] != "--" && !looks_like_flag(words_[at_])) {
            text = words_[at_++];
        } else {
            complain(shown, "a value must follow");
            return;
        }
        if (key.flag.kind == FlagKind::repeated)
            append(key, text);
        else
            store(plain_name(key), shown, convert(key, shown, text));
    }

    /// A key may be given by several names, with one value.
    void store(const std::string& name, const std::string& shown, Value value) {
        const auto [spelled, is_new] = spelled_.try_emplace(name, shown);
        if (!is_new && plain_name(spelled->second) != plain_name(shown) && flags_.typed.at(name) != value)
            complain(shown, Message("{} contradicts {} {}: give one of the two", value.display(), spelled->second,
                                    flags_.typed.at(name).display()));
        spelled->second = shown;
        flags_.typed.insert_or_assign(name, std::move(value));
    }

    /// `--same_network`, and `--same_network=false` to overrule a file.
    void take_switch(const Key& key, const std::string& shown, const std::optional<std::string>& attached) {
        bool on = key.flag.kind == FlagKind::presence;
        if (attached) {
            Truth truth = truth_of(*attached);
            if (truth == Truth::neither)
                complain(shown, Message("'{}' is neither true nor false: give the flag alone, or =false", *attached));
            if (truth == Truth::no)
                on = !on;
        }
        flags_.typed.insert_or_assign(plain_name(key), Value(on));
    }

    void append(const Key& key, const std::string& text) {
        Value& list = flags_.typed.try_emplace(plain_name(key), Value(Value::List{})).first->second;
        Value::List grown = *list.list();
        grown.emplace_back(text);
        list = Value(std::move(grown));
    }

    Value convert(const Key& key, const std::string& shown, const std::string& text) {
        if (key.section == settings::Section::launch)
            return convert_own(key, shown, text);
        std::string path = key.path();
        Value value = settings::value_from_text(path, text);
        if (key.type == settings::Type::number && value.integer() != nullptr)
            value = Value(static_cast<double>(*value.integer()));                  // `1` becomes 1.0 in Python, too
        bool is_number = value.integer() != nullptr || value.number() != nullptr;  // its range is resolve()'s
        if (const auto problem = settings::check_value(path, value); problem && !is_number)
            complain(shown, problem->values().back());  // without the name, which the flag says
        return value;
    }

    /// A flag that no file holds.
    Value convert_own(const Key& key, const std::string& shown, const std::string& text) {
        if (key.type != settings::Type::integer && key.type != settings::Type::number)
            return Value(text);
        const auto read = parse_number<double>(text);
        if (!read) {
            complain(shown, Message("'{}' is not a number", text));
            return {};
        }
        const double number = *read;
        if (key.type == settings::Type::integer && (number != std::floor(number) || std::abs(number) > 1e9)) {
            complain(shown, Message("'{}' is not a whole number", text));
            return {};
        }
        if (key.type == settings::Type::integer)
            return Value(static_cast<std::int64_t>(number));
        return Value(number);
    }

    /// Sets the flags of Accelerate that torchrun's flags are equal to.
    void read_torchrun() {
        const auto wrong = [&](const char* flag, const char* form) {
            complain(flag, Message("'{}' is not of the form {}", flags_.text(plain_name(flag)), form));
        };
        if (flags_.has("nnodes")) {
            const std::string text = flags_.text("nnodes");
            const std::size_t colon = text.find(':');
            const auto most = parse_number<int>(colon == text.npos ? text : text.substr(colon + 1), 1);
            const auto fewest = parse_number<int>(text.substr(0, colon), 1);
            if (!most || !fewest || *fewest > *most)
                return wrong("--nnodes", "N or FEWEST:MOST");
            store("num_machines", "--nnodes", Value(*most));
            if (const std::string conf = flags_.text("rdzv_conf");
                *fewest < *most && conf.find("min_nodes=") == conf.npos)
                flags_.typed.insert_or_assign(
                    "rdzv_conf", Value(fmt::format("{}{}min_nodes={}", conf, conf.empty() ? "" : ",", *fewest)));
        }
        const int machines = flags_.number("num_machines").value_or(1);
        if (flags_.has("nproc_per_node")) {
            const std::string text = flags_.text("nproc_per_node");
            const bool by_machine = text == "auto" || text == "gpu" || text == "xpu";
            const auto each = text == "cpu"
                                  ? std::optional(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())))
                                  : parse_number<int>(text, 1, 4096);
            if (!each && !by_machine)
                return wrong("--nproc_per_node", "N, auto, gpu or cpu");
            if (text == "cpu")
                flags_.typed.insert_or_assign("cpu", Value(true));
            if (each)
                store("num_processes", "--nproc_per_node", Value(*each * machines));
        }
        if (flags_.has("rdzv_endpoint")) {
            const std::string text = flags_.text("rdzv_endpoint");
            const std::size_t colon = text.rfind(':');
            const bool has_port = colon != text.npos && text.find(']', colon) == text.npos;
            const auto port = has_port ? parse_number<int>(text.substr(colon + 1), 0, 65535) : std::nullopt;
            if (text.empty() || colon == 0 || (has_port && !port))
                return wrong("--rdzv_endpoint", "HOST or HOST:PORT");
            store("main_process_ip", "--rdzv_endpoint", Value(has_port ? text.substr(0, colon) : text));
            if (port)
                store("main_process_port", "--rdzv_endpoint", Value(*port));
        }
        if (flags_.is_on("standalone")) {
            store("num_machines", "--standalone", Value(1));
            if (!flags_.has("main_process_port"))
                store("main_process_port", "--standalone", Value(0));
        }
    }

    /// The program's own flags that have a place of their own in Flags.
    void read_own() {
        read_torchrun();
        if (auto found = flags_.typed.find("config_file"); found != flags_.typed.end()) {
            flags_.config_file = found->second.display();
            if (flags_.config_file.empty())
                complain("--config_file", "name a file");
        }
        if (auto found = flags_.typed.find("hosts"); found != flags_.typed.end())
            read_hosts(found->second.display());
        if (auto found = flags_.typed.find("hostfile"); found != flags_.typed.end())
            read_host_file(found->second.display());
    }

    void read_host_file(const std::string& name) {
        if (!flags_.hosts.empty()) {
            complain("--hostfile", "--hosts names the hosts already: give one of the two");
            return;
        }
        try {
            flags_.hosts = read_hostfile(name);
        } catch (const InvalidInput& error) {
            problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
        } catch (const UserError& error) {
            complain("--hostfile", error.message());
        }
    }

    void read_hosts(const std::string& list) {
        std::size_t start = 0;
        while (start <= list.size()) {
            std::size_t end = std::min(list.find(',', start), list.size());
            read_host(list.substr(start, end - start));
            start = end + 1;
        }
    }

    void read_host(const std::string& word) {
        std::size_t colon = word.rfind(':');
        HostRanks host{word.substr(0, colon), 0};
        bool fits = is_valid_host_name(host.host) && host.host.find(':') == std::string::npos;
        if (fits && colon != std::string::npos) {
            host.ranks = parse_number<int>(std::string_view(word).substr(colon + 1), 1, 1024).value_or(0);
            fits = host.ranks > 0;
        }
        if (!fits)
            complain("--hosts", Message("'{}' is not a machine: write name or name:ranks, e.g. "
                                        "gpu-a:4,gpu-b:2",
                                        word));
        for (const HostRanks& other : flags_.hosts)
            if (other.host == host.host)
                complain("--hosts", Message("'{}' is given more than once: give its ranks once", host.host));
        flags_.hosts.push_back(host);
    }

    const std::vector<std::string>& words_;
    std::size_t at_ = 0;
    Flags flags_;
    std::map<std::string, std::string> spelled_;  ///< the name that was typed, by the flag's own
    std::vector<Problem> problems_;
};

}  // namespace

std::string plain_name(std::string_view flag) {
    flag.remove_prefix(std::min(flag.size(), flag.find_first_not_of('-')));
    std::string name(flag);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

bool Flags::is_on(std::string_view name) const {
    auto found = typed.find(name);
    if (found == typed.end())
        return false;
    const bool* on = found->second.boolean();
    return on != nullptr && *on;
}

std::string Flags::text(std::string_view name, const std::string& otherwise) const {
    const auto found = typed.find(name);
    return found == typed.end() ? otherwise : found->second.display();
}

std::optional<int> Flags::number(std::string_view name) const {
    const auto found = typed.find(name);
    if (found == typed.end() || found->second.integer() == nullptr)
        return std::nullopt;
    return static_cast<int>(*found->second.integer());
}

Flags parse_flags(const std::vector<std::string>& words) {
    return Parser(words).parse();
}

}  // namespace trainyard::plan
