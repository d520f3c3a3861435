// Every golden case of config_load through read_settings, with_defaults and to_text. Where Accelerate is wrong, a rule over the
// input says so (kRules; in words in engine/settings/README.md), never the name of a case.

#include <algorithm>
#include <fstream>
#include <functional>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

#include "settings/file.h"
#include "settings/schema.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::settings {
namespace {

using nlohmann::json;

// ---- what stands in the input, read by yaml-cpp, not by the code under test

struct Leaf {
    std::string table;
    std::string name;
    YAML::Node node;
    const Key* key = nullptr;

    bool plain() const { return node.IsScalar() && node.Tag() == "?"; }
    std::string text() const { return node.IsScalar() ? node.Scalar() : std::string(); }
};

struct Case {
    std::string text;
    std::string file;
    YAML::Node root;  // undefined when it does not parse
    bool sagemaker = false;
    std::vector<Leaf> leaves;
};

YAML::Node parse(const std::string& text) {
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception&) {
        return YAML::Node(YAML::NodeType::Undefined);
    }
}

Case case_of(const json& input) {
    Case made;
    made.text = input.at("text").get<std::string>();
    made.file = input.value("file", "config.yaml");
    made.root = parse(made.text);
    if (!made.root.IsDefined() || !made.root.IsMap())
        return made;
    made.sagemaker = made.root["compute_environment"] && made.root["compute_environment"].IsScalar() &&
                     made.root["compute_environment"].Scalar() == "AMAZON_SAGEMAKER";
    for (const auto& entry : made.root) {
        auto name = entry.first.as<std::string>();
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

// YAML 1.1 as far as the rules need it.
bool is_false(const std::string& text) {
    return std::regex_match(text, std::regex("no|No|NO|false|False|FALSE|off|Off|OFF"));
}
bool is_true(const std::string& text) {
    return std::regex_match(text, std::regex("yes|Yes|YES|true|True|TRUE|on|On|ON"));
}
bool is_whole(const std::string& text) {
    return std::regex_match(text, std::regex("[-+]?(0|[1-9][0-9_]*|0[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)"));
}
bool is_sixty(const std::string& text) {
    return std::regex_match(text, std::regex("[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"));
}
bool is_fraction(const std::string& text) {
    return std::regex_match(
        text, std::regex("[-+]?([0-9][0-9_]*\\.[0-9_]*|\\.[0-9][0-9_]*)([eE][-+][0-9]+)?|[-+]?\\.(inf|Inf|INF)"));
}
bool is_day(const std::string& text) {
    return std::regex_match(text, std::regex("[0-9]{4}-[0-9]{2}-[0-9]{2}"));
}
bool is_nothing(const std::string& text) {
    return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}
bool is_word_of_truth(const std::string& text) {
    return std::regex_match(text, std::regex("y|yes|t|true|on|1|n|no|f|false|off|0", std::regex::icase));
}
bool says_yes(const std::string& text) {
    return std::regex_match(text, std::regex("y|yes|t|true|on|1", std::regex::icase));
}
/// A number that a person meant, also where YAML 1.1 takes it for text.
std::optional<double> number_in(const std::string& text) {
    if (!std::regex_match(text, std::regex("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")))
        return std::nullopt;
    return std::stod(text);
}
bool is_other_than_text(const Leaf& leaf) {
    return leaf.plain() && !is_nothing(leaf.text()) &&
           (is_false(leaf.text()) || is_true(leaf.text()) || is_whole(leaf.text()) || is_sixty(leaf.text()) ||
            is_fraction(leaf.text()) || is_day(leaf.text()));
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

// ---- what should come of it

struct Outcome {
    bool refused = false;
    std::set<std::string> named;  ///< keys that the problems must name
    json config = json::object();
    std::optional<std::string> saved;  ///< nothing: any text that says `config`
};

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
    if (is_whole(text))
        return std::stoll(text, nullptr, 0);
    if (is_fraction(text))
        return std::stod(text);
    return text;
}

/// What Accelerate would make of the input, were it not for `without`: its keys over the defaults of its class.
Outcome loaded(const Case& c, const std::set<std::string>& without) {
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
        auto name = entry.first.as<std::string>();
        if (!without.contains(name))
            outcome.config[name] = json_of(entry.second);
    }
    return outcome;
}

bool only_key_at_fault(const Case& c, const json& expected, const std::string& key) {
    return expected.contains("error") && c.root.IsDefined() && c.root.IsMap() && c.root[key] &&
           expected["error"]["message"].get<std::string>().find("(['" + key + "'])") != std::string::npos;
}

struct Rule {
    const char* name;
    const char* reason;
    /// Changes the outcome where the input is of this kind.
    std::function<void(const Case&, const json& expected, Outcome&)> judge;
};

void each(const Case& c, const std::function<void(const Leaf&, const Key&)>& visit) {
    for (const Leaf& leaf : c.leaves)
        if (leaf.key != nullptr)
            visit(leaf, *leaf.key);
}

const std::vector<Rule> kRules = {
    {"tables of old versions",
     "ipex_config and tp_config were written by Accelerate itself; a file with them must still open",
     [](const Case& c, const json& expected, Outcome& outcome) {
         for (const char* key : {"ipex_config", "tp_config"})
             if (only_key_at_fault(c, expected, key))
                 outcome = loaded(c, {key});
     }},
    {"TPU", "XLA was called TPU up to 0.27",
     [](const Case& c, const json& expected, Outcome& outcome) {
         if (expected.contains("error") && c.root.IsDefined() && c.root.IsMap() && c.root["distributed_type"] &&
             c.root["distributed_type"].Scalar() == "TPU") {
             outcome = loaded(c, {});
             outcome.config["distributed_type"] = "XLA";
         }
     }},
    {"SageMaker on one device", "Accelerate adds num_processes to its own SageMaker file and then calls it unknown",
     [](const Case& c, const json& expected, Outcome& outcome) {
         if (c.sagemaker && c.root["distributed_type"].Scalar() == "NO" && expected.contains("error") &&
             !c.root["num_processes"] &&
             expected["error"]["message"].get<std::string>().find("(['num_processes'])") != std::string::npos)
             outcome = loaded(c, {});
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
         bool has_old = c.root.IsMap() && c.root["dynamo_backend"] && c.root["dynamo_backend"].Tag() == "?";
         if (has_old && is_false(c.root["dynamo_backend"].Scalar()) && !outcome.refused) {
             outcome.config.erase("dynamo_config");
             outcome.saved.reset();
         }
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
             bool text = leaf.node.IsScalar() && (!leaf.plain() || !is_other_than_text(leaf)) && !leaf.text().empty();
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
         });
     }},
    {"choice by number", "FSDP's strategies were numbers once",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (!key.numbered || !std::regex_match(leaf.text(), std::regex("[1-9]")))
                 return;
             auto number = static_cast<std::size_t>(leaf.text()[0] - '1');
             if (number < key.choices.size())
                 set(outcome, leaf, std::string(key.name), std::string(key.choices[number]));
         });
     }},
    {"choice in other case", "the reader accepts any case; one spelling is kept, that of the questionnaire",
     [](const Case& c, const json&, Outcome& outcome) {
         auto adjust = [&outcome](const Leaf& leaf, const Key& key) {
             if (key.ignore_case && leaf.node.IsScalar())
                 for (std::string_view choice : key.choices)
                     if (lower(leaf.text()) == lower(std::string(choice)) && leaf.text() != choice &&
                         !is_false(leaf.text()))
                         set(outcome, leaf, std::string(key.name), std::string(choice));
         };
         each(c, adjust);
         for (const Leaf& leaf : c.leaves)
             if (leaf.table.empty() && leaf.name == "dynamo_backend")
                 adjust({"dynamo_config", leaf.name, leaf.node, nullptr}, *find_key("dynamo_config.dynamo_backend"));
     }},
    {"list in one text", "where a list of texts is meant, one text is a list of one",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (key.type == Type::texts && leaf.node.IsScalar() && !is_nothing(leaf.text()))
                 set(outcome, leaf, std::string(key.name), json::array({leaf.text()}));
         });
     }},
    {"three truth values", "false, or (false, false, true) as text, crash the launcher or export single characters",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (key.type != Type::booleans || !leaf.node.IsScalar())
                 return;
             std::smatch found;
             std::string text = leaf.text();
             std::regex three(R"(\(?\s*(\w+)\s*,\s*(\w+)\s*,\s*(\w+)\s*\)?)");
             if (is_word_of_truth(text))
                 set(outcome, leaf, std::string(key.name),
                     json::array({says_yes(text), says_yes(text), says_yes(text)}));
             else if (std::regex_match(text, found, three))
                 set(outcome, leaf, std::string(key.name),
                     json::array({says_yes(found[1]), says_yes(found[2]), says_yes(found[3])}));
         });
     }},
    {"one name for a key",
     "prefixes left out and names that Accelerate writes but never reads become the name that is read",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             if (leaf.name != key.name)
                 rename(outcome, leaf, std::string(key.name));
         });
     }},
    {"FSDP 1 strategy", "Accelerate's questionnaire stores it in a key that FSDP 1 never reads",
     [](const Case& c, const json&, Outcome& outcome) {
         each(c, [&](const Leaf& leaf, const Key& key) {
             const Key* strategy = find_key("fsdp_config.fsdp_sharding_strategy");
             if (key.name != "fsdp_reshard_after_forward" || outcome.refused ||
                 std::ranges::find(strategy->choices, leaf.text()) == strategy->choices.end())
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
             auto number = number_in(text);
             bool is_auto = text == "auto" && key.effective == Value("auto");
             bool good = true;
             switch (key.type) {
                 case Type::boolean:
                     good = scalar && (is_word_of_truth(text) || key.name == "fsdp_reshard_after_forward");
                     break;
                 case Type::integer:
                     good = scalar &&
                            (is_auto || is_whole(text) || is_sixty(text) || (number && *number == std::floor(*number)));
                     if (good && number && !(key.name == "num_processes" && *number == -1))
                         good = *number >= key.range.least && *number <= key.range.most;
                     break;
                 case Type::number:
                     good = scalar && (is_auto || is_whole(text) || is_fraction(text) || number.has_value());
                     if (good && number)
                         good = *number >= key.range.least && *number <= key.range.most;
                     break;
                 case Type::choice:
                     good = scalar && (key.numbered || lower(text) == "torhchxla_trace_once" || text == "TPU" ||
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
                 default:
                     break;
             }
             if (!good)
                 refuse(outcome, key.path());
         });
     }},
    {"tables", "a table that is none is copied onto the launcher's arguments and crashes there",
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
     }},
    {"keys given twice", "the first value is lost without a word",
     [](const Case& c, const json&, Outcome& outcome) {
         std::set<std::string> seen;
         if (c.root.IsDefined() && c.root.IsMap())
             for (const auto& entry : c.root)
                 if (!seen.insert(entry.first.as<std::string>()).second)
                     refuse(outcome, entry.first.as<std::string>());
     }},
    {"tags", "a tag can make a loader build anything; settings need none",
     [](const Case& c, const json&, Outcome& outcome) {
         if (std::regex_search(c.text, std::regex("(^|[\\s:,\\[-])!")))
             outcome.refused = true;
     }},
    {"aliases", "what an alias names is written out: one line says what counts",
     [](const Case& c, const json&, Outcome& outcome) {
         if (outcome.saved && std::regex_search(c.text, std::regex("[:\\-\\[,]\\s*\\*[A-Za-z0-9_]+")))
             outcome.saved.reset();
     }},
};

// ---- comparison

json json_of(const Value& value) {
    if (value.is_null())
        return nullptr;
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::int64_t* whole = value.integer())
        return *whole;
    if (const double* number = value.number()) {
        if (std::isnan(*number))
            return "nan";
        if (std::isinf(*number))
            return *number < 0 ? "-inf" : "inf";
        return *number;
    }
    if (const std::string* text = value.text())
        return *text;
    if (const auto* date = std::get_if<Date>(&value.data))
        return {{"date", date->text}};
    json made = value.list() != nullptr ? json::array() : json::object();
    if (value.list() != nullptr)
        for (const Value& item : *value.list())
            made.push_back(json_of(item));
    else
        for (const Entry& entry : *value.map())
            made[entry.key] = json_of(entry.value);
    return made;
}

json without_nothing(const json& config) {
    json kept = json::object();
    for (const auto& [key, value] : config.items())
        if (!value.is_null() && !(value.is_object() && value.empty()))
            kept[key] = value;
    return kept;
}

json golden_cases() {
    std::ifstream stream(test::golden("config_load.json"));
    return json::parse(stream).at("cases");
}

std::string problems_of(const Loaded& made) {
    std::string all;
    for (const Problem& problem : made.problems)
        all += problem.text() + "\n";
    return all;
}

TEST(ConfigLoad, EveryGoldenCase) {
    for (const json& golden : golden_cases()) {
        SCOPED_TRACE(golden.at("id").get<std::string>());
        if (golden.at("input").at("text").is_null()) {
            test::TemporaryFolder folder;
            EXPECT_THROW(load_settings(folder.path() / "config.yaml"), UserError);
            continue;
        }
        Case c = case_of(golden.at("input"));
        const json& expected = golden.at("expected");
        Outcome outcome;
        outcome.refused = expected.contains("error");
        if (!outcome.refused) {
            outcome.config = expected.at("config");
            outcome.saved = expected.at("saved").get<std::string>();
        }
        for (const Rule& rule : kRules)
            rule.judge(c, expected, outcome);

        Format format = c.file.ends_with(".json") ? Format::json : Format::yaml;
        Loaded made = read_settings(c.text, c.file, format);
        EXPECT_EQ(!made.problems.empty(), outcome.refused) << problems_of(made);
        for (const std::string& key : outcome.named)
            EXPECT_TRUE(std::ranges::any_of(made.problems, [&](const Problem& p) { return p.key == key; }))
                << key << " is not named in\n"
                << problems_of(made);
        for (const Problem& problem : made.problems)
            EXPECT_FALSE(problem.message.empty());
        if (outcome.refused || !made.problems.empty())
            continue;
        Settings complete = with_defaults(made.settings);
        EXPECT_EQ(without_nothing(json_of(Value(complete.root()))), without_nothing(outcome.config));
        EXPECT_EQ(complete.text("compute_environment") == "AMAZON_SAGEMAKER", c.sagemaker);
        std::string saved = to_text(complete, format);
        EXPECT_EQ(saved, outcome.saved.value_or(saved));
        // Whatever was saved says the same and needs no further change.
        Loaded again = read_settings(saved, c.file, format);
        EXPECT_TRUE(again.problems.empty()) << problems_of(again);
        EXPECT_TRUE(std::ranges::none_of(again.notes, [](const ReadNote& note) {
            return note.kind == ReadNote::Kind::repaired || note.kind == ReadNote::Kind::translated;
        })) << saved;
        EXPECT_EQ(to_text(again.settings, format), saved);
    }
}

TEST(ConfigLoad, RulesHoldForInputsBeyondTheGoldenFile) {
    auto refused = [](const std::string& text) {
        return !read_settings(text, "c.yaml", Format::yaml).problems.empty();
    };
    EXPECT_TRUE(refused("distributed_type: FSDP\nfsdp_config: {fsdp_version: 3}\n"));
    EXPECT_TRUE(refused("distributed_type: FSDP\nfsdp_config: {fsdp_auto_wrap_policy: SOME_WRAP}\n"));
    EXPECT_TRUE(refused("distributed_type: !!str NO\n"));
    EXPECT_TRUE(refused("distributed_type: 'NO'\nmain_process_port: 99999\n"));
    EXPECT_FALSE(refused("distributed_type: OFF\n"));
    EXPECT_FALSE(refused("distributed_type: TPU\nnum_processes: 8\n"));
    EXPECT_FALSE(refused("distributed_type: 'NO'\ntp_config:\n  tp_size: 1\n"));
}

}  // namespace
}  // namespace trainyard::settings
