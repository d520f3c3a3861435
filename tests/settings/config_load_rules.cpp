// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/config_load_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

namespace trainyard::settings::test_rules {

namespace {

YAML::Node parse(const std::string& text) {
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception&) {
        return YAML::Node(YAML::NodeType::Undefined);
    }
}

/// Compiled once: the rules ask for the same few hundreds of thousands of times, and compiling costs a hundred matches.
const std::regex& compiled(const char* pattern, std::regex::flag_type flags = std::regex::ECMAScript) {
    static std::map<std::pair<std::string, std::regex::flag_type>, std::regex> known;
    return known.try_emplace({pattern, flags}, pattern, flags).first->second;
}

// The parts of YAML 1.1 that the rules need.
bool is_false(const std::string& text) {
    return std::regex_match(text, compiled("no|No|NO|false|False|FALSE|off|Off|OFF"));
}
bool is_true(const std::string& text) {
    return std::regex_match(text, compiled("yes|Yes|YES|true|True|TRUE|on|On|ON"));
}
bool is_whole(const std::string& text) {
    return std::regex_match(text, compiled("[-+]?(0|[1-9][0-9_]*|0[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)"));
}
bool is_sixty(const std::string& text) {
    return std::regex_match(text, compiled("[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"));
}
bool is_fraction(const std::string& text) {
    return std::regex_match(
        text, compiled("[-+]?([0-9][0-9_]*\\.[0-9_]*|\\.[0-9][0-9_]*)([eE][-+][0-9]+)?|[-+]?\\.(inf|Inf|INF)"));
}
bool is_day(const std::string& text) {
    return std::regex_match(
        text, compiled("[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:"
                       "[0-9]{2}(\\.[0-9]*)?([ \\t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?"));
}
bool is_nothing(const std::string& text) {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}
bool is_word_of_truth(const std::string& text) {
    return std::regex_match(text, compiled("y|yes|t|true|on|1|n|no|f|false|off|0", std::regex::icase));
}
bool says_yes(const std::string& text) {
    return std::regex_match(text, compiled("y|yes|t|true|on|1", std::regex::icase));
}
/// Parses a number as users write it, including spellings that YAML 1.1 reads as text.
std::optional<double> number_in(const std::string& spelled) {
    std::string text = std::regex_replace(spelled, compiled("^[ \t]+|[ \t]+$"), "");
    if (!std::regex_match(text, compiled("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")))
        return std::nullopt;
    return std::stod(text);
}
bool is_other_than_text(const Leaf& leaf) {
    return leaf.plain() && !is_nothing(leaf.text()) &&
           (is_false(leaf.text()) || is_true(leaf.text()) || is_whole(leaf.text()) || is_sixty(leaf.text()) ||
            is_fraction(leaf.text()) || is_day(leaf.text()));
}
/// A whole number, or a fraction where it has more than 64 bits.
json whole_in(std::string text) {
    std::erase(text, '_');
    bool binary = text.find("0b") != std::string::npos;
    try {
        return binary ? std::stoll(text.substr(text.find("0b") + 2), nullptr, 2) : std::stoll(text, nullptr, 0);
    } catch (const std::out_of_range&) {
        return std::stod(text);
    }
}
/// 0 or 1, however it is spelled: 00, 0x1.
bool is_number_of_truth(const Leaf& leaf) {
    return leaf.node.IsScalar() && leaf.plain() && is_whole(leaf.text()) &&
           (whole_in(leaf.text()) == 0 || whole_in(leaf.text()) == 1);
}
/// `1:30` is 90.
double base_sixty(const std::string& text) {
    double total = 0, part = 0;
    for (char c : text)
        if (c == ':') {
            total = (total + part) * 60;
            part = 0;
        } else if (c >= '0' && c <= '9') {
            part = part * 10 + (c - '0');
        }
    return text.starts_with('-') ? -(total + part) : total + part;
}
/// FSDP 1's strategy in FSDP 2's key.
bool is_strategy(const Key& key, const std::string& text) {
    const std::vector<std::string_view>& names = find_key("fsdp_config.fsdp_sharding_strategy")->choices;
    return key.name == "fsdp_reshard_after_forward" && std::ranges::find(names, text) != names.end();
}
const std::regex& three_words() {
    static const std::string truth = "(y|yes|t|true|on|1|n|no|f|false|off|0)";
    static const std::regex words("[(\\[]?\\s*" + truth + "\\s*,\\s*" + truth + "\\s*,\\s*" + truth + "\\s*[)\\]]?",
                                  std::regex::icase);
    return words;
}
std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}
std::string spelling_of_no(const Key& key) {
    for (std::string_view choice : key.choices)
        if (lower(std::string(choice)) == "no")
            return std::string(choice);
    return {};
}

json& place(json& config, const Leaf& leaf) {
    return leaf.table.empty() ? config : config[leaf.table];
}
void set(Outcome& outcome, const Leaf& leaf, const std::string& name, json value) {
    if (outcome.refused)
        return;
    place(outcome.config, leaf)[name] = std::move(value);
    outcome.saved.reset();
}
void rename(Outcome& outcome, const Leaf& leaf, const std::string& name) {
    json& table = place(outcome.config, leaf);
    if (outcome.refused || !table.contains(leaf.name))
        return;
    json value = table[leaf.name];
    table.erase(leaf.name);
    if (!table.contains(name))
        table[name] = value;
    outcome.saved.reset();
}
void refuse(Outcome& outcome, const std::string& key) {
    if (outcome.refused && outcome.named.empty())
        return;  // Accelerate refuses it too, perhaps because it cannot be parsed at all
    outcome.refused = true;
    outcome.named.insert(key);
}

json json_of(const YAML::Node& node) {
    if (node.IsNull())
        return nullptr;
    if (node.IsSequence()) {
        json list = json::array();
        for (const YAML::Node& item : node)
            list.push_back(json_of(item));
        return list;
    }
    if (node.IsMap()) {
        json map = json::object();
        for (const auto& entry : node)
            map[entry.first.as<std::string>()] = json_of(entry.second);
        return map;
    }
    const std::string& text = node.Scalar();
    if (node.Tag() != "?")
        return text;
    if (is_nothing(text))
        return nullptr;
    if (is_false(text) || is_true(text))
        return is_true(text);
    if (std::regex_match(text, compiled("[1-9][0-9]*:[0-5]?[0-9]")))
        return std::stoll(text) * 60 + std::stoll(text.substr(text.find(':') + 1));
    if (is_whole(text))
        return whole_in(text);
    if (is_fraction(text))
        return std::stod(text);
    return text;
}

/// Returns the result that Accelerate would have if it still knew its old keys: the keys of the file on top of the
/// defaults of its class.
Outcome loaded(const Case& c) {
    Outcome outcome;
    outcome.config = c.sagemaker
                         ? json::parse(R"({"region": "us-east-1", "num_machines": 1, "gpu_ids": "all",
            "base_job_name": "accelerate-sagemaker-1", "pytorch_version": "1.10.2", "transformers_version": "4.17.0",
            "py_version": "py38", "enable_cpu_affinity": false, "use_cpu": false, "debug": false})")
                         : json::parse(R"({"compute_environment": "LOCAL_MACHINE", "use_cpu": false, "debug": false,
            "num_processes": -1, "machine_rank": 0, "num_machines": 1, "rdzv_backend": "static", "same_network": false,
            "main_training_function": "main", "enable_cpu_affinity": false, "downcast_bf16": false,
            "tpu_use_cluster": false, "tpu_use_sudo": false})");
    if (!c.sagemaker && c.root["distributed_type"].Scalar() == "NO")
        outcome.config["num_processes"] = 1;
    for (const auto& entry : c.root) {
        if (!entry.first.IsScalar())
            continue;  // refused, by both
        auto name = entry.first.as<std::string>();
        outcome.config[name] = json_of(entry.second);
    }
    json& config = outcome.config;
    if (config["distributed_type"] == json("TPU") && !c.sagemaker)
        config["distributed_type"] = "XLA";
    config.erase("ipex_config");
    if (config.contains("tp_config")) {
        json size = config["tp_config"].is_object() ? config["tp_config"].value("tp_size", json(1)) : json(1);
        if (size != json(1) && !config.contains("parallelism_config"))
            config["parallelism_config"]["parallelism_config_tp_size"] = size;
        config.erase("tp_config");
    }
    if (config.contains("fp16") && !config.contains("mixed_precision") && config["fp16"] == json(true))
        config["mixed_precision"] = "fp16";
    config.erase("fp16");
    if (config.contains("dynamo_backend")) {
        config["dynamo_config"] = json::object();
        if (config["dynamo_backend"] != json("NO"))
            config["dynamo_config"]["dynamo_backend"] = config["dynamo_backend"];
        config.erase("dynamo_backend");
    }
    return outcome;
}

/// The keys that Accelerate's error calls unknown.
std::set<std::string> unknown_keys(const json& expected) {
    std::string message = expected.contains("error") ? expected["error"]["message"].get<std::string>() : std::string();
    std::set<std::string> keys;
    std::size_t start = message.find("had unknown keys (");
    if (start == std::string::npos)
        return keys;
    std::string list = message.substr(start, message.find(')', start) - start);
    std::regex quoted("'([^']*)'");
    for (std::sregex_iterator found(list.begin(), list.end(), quoted); found != std::sregex_iterator(); ++found)
        keys.insert((*found)[1]);
    return keys;
}

bool was_called_tpu(const Case& c) {
    return !c.sagemaker && c.root["distributed_type"] && c.root["distributed_type"].IsScalar() &&
           c.root["distributed_type"].Scalar() == "TPU";
}

/// Returns whether the keys `forgiven` are the only error in the part of the input that Accelerate has read.
bool is_at_fault_only_for(const Case& c, const json& expected, const std::set<std::string>& forgiven) {
    if (!expected.contains("error") || !c.root.IsDefined() || !c.root.IsMap() || !c.root["distributed_type"])
        return false;
    std::set<std::string> unknown = unknown_keys(expected);
    return (!unknown.empty() || was_called_tpu(c)) && std::ranges::includes(forgiven, unknown);
}

void each(const Case& c, const std::function<void(const Leaf&, const Key&)>& visit) {
    for (const Leaf& leaf : c.leaves) {
        // If both spellings of a key are present, the one that Accelerate reads is used.
        bool hidden =
            leaf.key != nullptr && leaf.name != leaf.key->name && std::ranges::any_of(c.leaves, [&](const Leaf& other) {
                return other.key == leaf.key && other.name == leaf.key->name;
            });
        if (leaf.key != nullptr && !hidden)
            visit(leaf, *leaf.key);
    }
}

const std::vector<LoadRule> kRules = {
    {"old files", "ipex_config, tp_config and TPU were written by Accelerate itself; a file with them must still open",
     [](const Case& c, const json& expected, Outcome& outcome) {
         if (is_at_fault_only_for(c, expected, {"ipex_config", "tp_config"}))
             outcome = loaded(c);
     }},
    {"SageMaker on one device", "Accelerate adds num_processes to its own SageMaker file and then calls it unknown",
     [](const Case& c, const json& expected, Outcome& outcome) {
         if (c.sagemaker && !c.root["num_processes"] &&
             is_at_fault_only_for(c, expected, {"ipex_config", "num_processes", "tp_config"}))
             outcome = loaded(c);
     }},
    {"no for a name", "an unquoted NO is false in YAML 1.1; where a name is meant, it is that name",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (key.type != Type::choice || !leaf.plain() || !is_false(leaf.text()) || spelling_of_no(key).empty())
                 return;
             set(outcome, leaf, leaf.name, spelling_of_no(key));
             if (leaf.name == "distributed_type" && !c.sagemaker && !c.root["num_processes"])
                 outcome.config["num_processes"] = 1;
         });
         // Old files have the key at the top level, where NO means that the table is absent.
         for (const Leaf& leaf : c.leaves)
             if (!leaf.table.empty() && c.root[leaf.name] && leaf.plain() && is_false(leaf.text()) && !outcome.refused)
                 outcome.config.erase(leaf.table);
     }},
    {"text without quotes", "where a text is meant, an unquoted 0, 1:30 or 2024-01-02 is that text",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if ((key.type == Type::text || key.type == Type::path) && is_other_than_text(leaf))
                 set(outcome, leaf, std::string(key.name), leaf.text());
         });
     }},
    {"number in quotes", "where a number is meant, a text that spells one is that number",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             bool read_as_other = is_other_than_text(leaf) && !(key.type == Type::integer && is_fraction(leaf.text()));
             bool text = leaf.node.IsScalar() && !(leaf.plain() && read_as_other) && !leaf.text().empty();
             auto number = text ? number_in(leaf.text()) : std::nullopt;
             if (!number || (key.type != Type::integer && key.type != Type::number))
                 return;
             bool whole = *number == std::floor(*number);
             if (key.type == Type::integer && whole)
                 set(outcome, leaf, std::string(key.name), static_cast<std::int64_t>(*number));
             else if (key.type == Type::number)
                 set(outcome, leaf, std::string(key.name),
                     is_whole(leaf.text()) ? json(static_cast<std::int64_t>(*number)) : json(*number));
         });
     }},
    {"truth in words",
     "a text such as y or 'false' is a truth value to Accelerate's own parser, but truthy to its launcher",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             bool text = leaf.node.IsScalar() && !(leaf.plain() && (is_true(leaf.text()) || is_false(leaf.text())));
             if (key.type == Type::boolean && text && is_word_of_truth(leaf.text()) &&
                 !(key.keeps_words && !(leaf.plain() && is_whole(leaf.text()))))
                 set(outcome, leaf, std::string(key.name), says_yes(leaf.text()));
             else if (key.type == Type::boolean && is_number_of_truth(leaf))
                 set(outcome, leaf, std::string(key.name), whole_in(leaf.text()) == 1);
         });
     }},
    {"choice by number", "FSDP's strategies were numbers once",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (!key.numbered || !std::regex_match(leaf.text(), compiled("[1-9]")))
                 return;
             auto number = static_cast<std::size_t>(leaf.text()[0] - '1');
             if (number < key.choices.size())
                 set(outcome, leaf, std::string(key.name), std::string(key.choices[number]));
         });
     }},
    {"choice in other case", "the reader accepts any case; one spelling is kept, that of the questionnaire",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (!key.ignore_case || !leaf.node.IsScalar() || (leaf.plain() && is_false(leaf.text())))
                 return;
             for (std::string_view choice : key.choices)
                 if (lower(leaf.text()) == lower(std::string(choice)) && leaf.text() != choice)
                     set(outcome, leaf, std::string(key.name), std::string(choice));
         });
     }},
    {"list in one text", "where a list of texts is meant, one text is a list of one",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (key.type == Type::texts && leaf.node.IsScalar() && !(leaf.plain() && is_nothing(leaf.text())))
                 set(outcome, leaf, std::string(key.name), json::array({leaf.text()}));
             if (key.type != Type::texts || !leaf.node.IsSequence())
                 return;
             json items = json::array();
             for (const YAML::Node& item : leaf.node) {
                 if (!item.IsScalar())
                     return;
                 items.push_back(item.Scalar());
             }
             if (items != json_of(leaf.node))
                 set(outcome, leaf, std::string(key.name), items);
         });
     }},
    {"three truth values", "false, or (false, false, true) as text, crash the launcher or export single characters",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (key.type != Type::booleans || !leaf.node.IsScalar())
                 return;
             std::smatch found;
             std::string text = leaf.text();
             if (is_word_of_truth(text))
                 set(outcome, leaf, std::string(key.name),
                     json::array({says_yes(text), says_yes(text), says_yes(text)}));
             else if (std::regex_match(text, found, three_words()))
                 set(outcome, leaf, std::string(key.name),
                     json::array({says_yes(found[1]), says_yes(found[2]), says_yes(found[3])}));
         });
     }},
    {"one name for a key",
     "prefixes left out and names that Accelerate writes but never reads become the name that is read",
     [](const Case& c, const json&, Outcome& outcome) {
         for (const Leaf& leaf : c.leaves)
             if (leaf.key != nullptr && leaf.name != leaf.key->name)
                 rename(outcome, leaf, std::string(leaf.key->name));
     }},
    {"FSDP 1 strategy", "Accelerate's questionnaire stores it in a key that FSDP 1 never reads",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (!is_strategy(key, leaf.text()) || outcome.refused)
                 return;
             json& table = outcome.config["fsdp_config"];
             if (table.value("fsdp_version", json(1)) == json(2)) {
                 refuse(outcome, key.path());
                 return;
             }
             table.erase("fsdp_reshard_after_forward");
             if (!table.contains("fsdp_sharding_strategy"))
                 table["fsdp_sharding_strategy"] = leaf.text();
             outcome.saved.reset();
         });
     }},
    {"wrong values", "Accelerate checks neither type nor range nor choice when it loads, and fails later, or never",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (leaf.node.IsNull() || (leaf.node.IsScalar() && is_nothing(leaf.text()) && leaf.plain()))
                 return;
             std::string text = leaf.text();
             bool scalar = leaf.node.IsScalar();
             auto number =
                 is_whole(text) && scalar ? std::optional<double>(whole_in(text).get<double>()) : number_in(text);
             bool is_auto = text == "auto" && key.effective == Value("auto");
             bool good = true;
             if (scalar && is_sixty(text) && text.find('.') == std::string::npos)
                 number = base_sixty(text);
             switch (key.type) {
                 case Type::boolean:
                     good = scalar && (is_word_of_truth(text) || is_number_of_truth(leaf) || is_strategy(key, text));
                     break;
                 case Type::integer:
                     good =
                         scalar &&
                         (is_auto || is_whole(text) || is_sixty(text) || (number && *number == std::floor(*number))) &&
                         !(number && std::abs(*number) >= 0x1p63);
                     if (good && number && !(key.name == "num_processes" && *number == -1))
                         good = *number >= key.range.least && *number <= key.range.most;
                     break;
                 case Type::number:
                     good = scalar && (is_auto || is_whole(text) || is_fraction(text) || number.has_value());
                     if (good && number)
                         good = *number >= key.range.least && *number <= key.range.most;
                     break;
                 case Type::choice:
                     good = scalar && ((key.numbered && std::regex_match(text, compiled("[1-9]")) &&
                                        text[0] - '0' <= std::ssize(key.choices)) ||
                                       lower(text) == "torhchxla_trace_once" || text == "TPU" ||
                                       (leaf.plain() && is_false(text) && !spelling_of_no(key).empty()) ||
                                       std::ranges::any_of(key.choices, [&](std::string_view choice) {
                                           return choice == text ||
                                                  (key.ignore_case && lower(std::string(choice)) == lower(text));
                                       }));
                     break;
                 case Type::text:
                 case Type::path:
                     good = scalar;
                     break;
                 case Type::texts:
                     good = !leaf.node.IsMap();
                     for (const YAML::Node& item : leaf.node)
                         good = good && item.IsScalar();
                     break;
                 case Type::booleans:
                     good = scalar ? is_word_of_truth(text) || std::regex_match(text, three_words())
                                   : leaf.node.IsSequence() && leaf.node.size() == 3;
                     for (std::size_t i = 0; good && !scalar && i < 3; ++i)
                         good = leaf.node[i].IsScalar() && is_word_of_truth(leaf.node[i].Scalar());
                     break;
                 case Type::table:
                     good = leaf.node.IsMap();
             }
             if (!good)
                 refuse(outcome, key.path());
         });
     }},
    {"tables", "a value that is not a table is copied onto the launcher's arguments and crashes there",
     [](const Case& c, const json&, Outcome& outcome) {
         for (const Leaf& leaf : c.leaves)
             if (leaf.table.empty() && std::ranges::find(known_tables(), leaf.name) != known_tables().end() &&
                 !leaf.node.IsMap() && !leaf.node.IsNull())
                 refuse(outcome, leaf.name);
     }},
    {"needed but null", "Accelerate loads a null distributed_type and saves a file without it, which it then refuses",
     [](const Case& c, const json&, Outcome& outcome) {
         std::vector<std::string> needed = {"distributed_type"};
         if (c.sagemaker)
             needed.insert(needed.end(), {"ec2_instance_type", "iam_role_name"});
         for (const Leaf& leaf : c.leaves)
             if (leaf.table.empty() && std::ranges::find(needed, leaf.name) != needed.end() && leaf.node.IsNull())
                 refuse(outcome, leaf.name);
         // Accelerate stops at the first fault, which may have been forgiven.
         for (const std::string& name : needed)
             if (!outcome.refused && !c.root[name])
                 refuse(outcome, name);
     }},
    {"old key without a value", "a compiler that is null crashes the launcher",
     [](const Case& c, const json&, Outcome& outcome) {
         for (const Leaf& leaf : c.leaves) {
             if (outcome.refused || leaf.name != "dynamo_backend" || !leaf.node.IsNull() ||
                 !outcome.config.contains("dynamo_config"))
                 continue;
             outcome.config.erase("dynamo_config");
             outcome.saved.reset();
         }
     }},
    {"tags", "a tag can make a loader build anything; settings need none",
     [](const Case& c, const json&, Outcome& outcome) {
         if (std::regex_search(c.text, compiled("(^|[\\s:,\\[-])!"))) {
             outcome.refused = true;
             outcome.named.clear();  // the reader stops at the tag
         }
     }},
    {"aliases", "what an alias names is written out: one line says what counts",
     [](const Case& c, const json&, Outcome& outcome) {
         if (outcome.saved && std::regex_search(c.text, compiled("[:\\-\\[,]\\s*\\*[A-Za-z0-9_]+")))
             outcome.saved.reset();
     }},
};

}  // namespace

Case case_of(const json& input) {
    Case made;
    made.text = input.at("text").get<std::string>();
    made.file = input.value("file", "config.yaml");
    // yaml-cpp knows no pairs of escapes for one character, as JSON has them.
    const json whole = made.text.find("\\ud8") == std::string::npos ? json() : json::parse(made.text, nullptr, false);
    made.root = parse(whole.is_object() ? whole.dump() : made.text);
    if (!made.root.IsDefined() || !made.root.IsMap())
        return made;
    made.sagemaker = made.root["compute_environment"] && made.root["compute_environment"].IsScalar() &&
                     made.root["compute_environment"].Scalar() == "AMAZON_SAGEMAKER";
    const YAML::Node& root = made.root;  // looking up a key in a Node that is not const adds it
    for (const auto& entry : root) {
        if (!entry.first.IsScalar())
            continue;  // refused, by both
        auto name = entry.first.as<std::string>();
        // An old dynamo_backend replaces the whole table.
        if (name == "dynamo_config" && root["dynamo_backend"])
            continue;
        if (name == "dynamo_backend") {
            made.leaves.push_back({"dynamo_config", name, entry.second, find_key("dynamo_config.dynamo_backend")});
            continue;
        }
        if (entry.second.IsMap() && section_of_table(name) != Section::launch) {
            for (const auto& nested : entry.second) {
                auto inner = nested.first.as<std::string>();
                made.leaves.push_back({name, inner, nested.second, find_key(name + "." + inner, made.sagemaker)});
            }
        } else {
            made.leaves.push_back({"", name, entry.second, find_key(name, made.sagemaker)});
        }
    }
    return made;
}

const std::vector<LoadRule>& load_rules() {
    return kRules;
}

}  // namespace trainyard::settings::test_rules
