// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the question tree with Accelerate's questionnaire: the same questions in the same order, and the same file.
// Where the reference is wrong, a rule over the input computes the right result (see
// engine/config/accelerate/README.md, "Where we differ from Accelerate").

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/truth.h"
#include "config/accelerate/questionnaire.h"
#include "config/accelerate/settings_file.h"
#include "support/golden.h"

namespace trainyard::settings {
namespace {

using Json = nlohmann::json;

/// The outcome of answering the questions with one set of answers.
struct SessionOutcome {
    std::vector<std::string> asked;
    std::string saved;
    bool refused = false;  ///< at the last question that was asked
    bool open = false;     ///< expected only: `asked` is how it begins, the file is judged by `judge`
    std::function<void(const std::string& saved)> judge;
};

/// A file as the reference writes it: entries of two levels, each with its lines.
class Block {
  public:
    explicit Block(const std::string& text) {
        std::size_t start = 0;
        while (start < text.size()) {
            std::size_t end = text.find('\n', start);
            std::string line = text.substr(start, end - start);
            start = end + 1;
            if (line[0] != ' ' && line[0] != '-')
                entries_.push_back({line.substr(0, line.find(':')), line, {}});
            else
                entries_.back().nested.push_back(line);
        }
    }
    std::string text() const {
        std::string all;
        for (const Entry& entry : entries_) {
            all += entry.line + "\n";
            for (const std::string& line : entry.nested)
                all += line + "\n";
        }
        return all;
    }
    /// Value on the line of `table.key` or `key`; empty when absent.
    std::string value(const std::string& table, const std::string& key) const {
        for (const Entry& entry : entries_) {
            if (table.empty() && entry.key == key && entry.line.size() > key.size() + 2)
                return entry.line.substr(key.size() + 2);
            if (entry.key == table)
                for (const std::string& line : entry.nested)
                    if (line.starts_with("  " + key + ": "))
                        return line.substr(key.size() + 4);
        }
        return {};
    }
    void rename(const std::string& table, const std::string& from, const std::string& to) {
        for (Entry& entry : entries_)
            if (entry.key == table) {
                for (std::string& line : entry.nested)
                    if (line.starts_with("  " + from + ":"))
                        line = "  " + to + line.substr(from.size() + 2);
                sort(entry.nested);
            }
    }
    void put(const std::string& key, const std::string& value) {
        for (Entry& entry : entries_)
            if (entry.key == key) {
                entry.line = key + ": " + value;
                entry.nested.clear();
            }
    }
    /// Keys that hold an empty text, and lists of nothing but one.
    void drop_empty() {
        for (Entry& entry : entries_) {
            std::erase_if(entry.nested, [](const std::string& line) { return line.ends_with(": ''"); });
            if (entry.nested == std::vector<std::string>{"- ''"}) {
                entry.nested.clear();
                entry.line = entry.key == "tpu_env" ? "tpu_env: []" : entry.key + ": ''";
            }
        }
        std::erase_if(entries_, [](const Entry& entry) { return entry.line.ends_with(": ''"); });
    }

  private:
    struct Entry {
        std::string key;
        std::string line;
        std::vector<std::string> nested;
    };
    /// List items stay with their key.
    static void sort(std::vector<std::string>& lines) {
        std::vector<std::vector<std::string>> groups;
        for (const std::string& line : lines) {
            if (line.starts_with("  - "))
                groups.back().push_back(line);
            else
                groups.push_back({line});
        }
        std::ranges::sort(groups);
        lines.clear();
        for (const auto& group : groups)
            lines.insert(lines.end(), group.begin(), group.end());
    }
    std::vector<Entry> entries_;
};

using Given = std::map<std::string, std::string>;

struct Session {
    std::string id;
    Given answers;
    Machine machine;
    SessionOutcome expected;
    std::string error;  ///< class of the reference's error; empty: none

    std::string answer(const std::string& question) const {
        auto found = answers.find(question);
        return found == answers.end() ? "" : found->second;
    }
    bool asked(const std::string& question) const {
        return std::ranges::find(expected.asked, question) != expected.asked.end();
    }
    /// The product refuses the answer to that question.
    void refuse_at(const std::string& question) {
        auto found = std::ranges::find(expected.asked, question);
        expected.asked.erase(found + 1, expected.asked.end());
        expected.refused = true;
        expected.saved.clear();
    }
    void go_on(std::function<void(const std::string&)> judge) {
        expected.refused = false;
        expected.open = true;
        expected.judge = std::move(judge);
    }
};

bool needs_an_answer(const std::string& question) {
    static const std::set<std::string> kIds{"main_ip",  "main_port",    "ds_file", "tpu_name",
                                            "tpu_zone", "tpu_cmd_file", "tpu_cmd", "sm_role_name"};
    return kIds.contains(question);
}

bool is_yes_no_in_other_words(const std::string& question, const std::string& text) {
    static const Questionnaire kTree{Machine{}, false};
    return kTree.find(question)->kind == QuestionKind::yes_no && truth_of(text) != Truth::neither;
}

bool out_of_range(const std::string& question, const std::string& text) {
    static const std::set<std::string> kFromOne{"num_machines", "num_processes", "ds_gas",     "pc_rep", "pc_shard",
                                                "pc_tp",        "pc_cp",         "mlm_tp",     "mlm_pp", "mlm_micro",
                                                "te_interval",  "te_hist",       "sm_machines"};
    static const std::set<std::string> kFromZero{"main_port", "fsdp_min", "te_margin", "ds_clip", "mlm_clip"};
    char* end = nullptr;
    double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0')
        return false;
    return (kFromOne.contains(question) && number < 1) || (kFromZero.contains(question) && number < 0) ||
           (question == "main_port" && number > 65535);
}

bool is_device_list(const std::string& text) {
    return text.empty() || text == "all" ||
           (text.find_first_not_of("0123456789, ") == std::string::npos &&
            text.find_first_of("0123456789") != std::string::npos);
}

/// The first of the asked questions for which that holds; empty: none.
template <typename Test>
std::string first_asked(const Session& one, Test test) {
    for (const std::string& question : one.expected.asked)
        if (test(question, one.answer(question)))
            return question;
    return {};
}

struct SessionRule {
    const char* name;
    const char* reason;
    bool (*applies)(const Session&);
    void (*change)(Session&);
};

const SessionRule kRules[] = {
    {"keys-of-aws", "a file never holds access keys and no role is created here, so they are not asked for",
     [](const Session& one) { return one.asked("sm_key"); },
     [](Session& one) {
         std::erase_if(one.expected.asked, [](const std::string& id) { return id == "sm_key" || id == "sm_secret"; });
     }},
    {"commands-one-by-one", "the list of commands is one question; `another one?` between its lines is not a question",
     [](const Session& one) { return one.asked("tpu_cmd"); },
     [](Session& one) {
         bool seen = false;
         std::erase_if(one.expected.asked, [&seen](const std::string& id) {
             bool again = id == "tpu_cmd_more" || (id == "tpu_cmd" && seen);
             seen = seen || id == "tpu_cmd";
             return again;
         });
     }},
    {"fsdp1-strategy", "FSDP 1 never reads the key the reference stores the sharding strategy in",
     [](const Session& one) { return one.asked("fsdp_strategy") && one.error.empty(); },
     [](Session& one) {
         Block block(one.expected.saved);
         block.rename("fsdp_config", "fsdp_reshard_after_forward", "fsdp_sharding_strategy");
         one.expected.saved = block.text();
     }},
    {"fp8-names", "three FP8 answers are stored under names that the reference's own reader does not know",
     [](const Session& one) { return (one.asked("te_hist") || one.asked("msamp_opt")) && one.error.empty(); },
     [](Session& one) {
         Block block(one.expected.saved);
         block.rename("fp8_config", "amax_history_length", "amax_history_len");
         block.rename("fp8_config", "amax_compute_algorithm", "amax_compute_algo");
         block.rename("fp8_config", "optimization_level", "opt_level");
         one.expected.saved = block.text();
     }},
    {"nothing-answered", "an empty text is stored and read back as a name or path that is empty; the key stays out",
     [](const Session& one) { return one.error.empty() && one.expected.saved.find("''\n") != std::string::npos; },
     [](Session& one) {
         Block block(one.expected.saved);
         block.drop_empty();
         one.expected.saved = block.text();
     }},
    {"sudo-as-text", "tpu_use_sudo holds the typed text, and any text counts as yes; it is a truth value",
     [](const Session& one) {
         return one.asked("tpu_sudo") && one.error.empty() && truth_of(one.answer("tpu_sudo")) != Truth::neither;
     },
     [](Session& one) {
         Block block(one.expected.saved);
         block.put("tpu_use_sudo", truth_of(one.answer("tpu_sudo")) == Truth::yes ? "true" : "false");
         one.expected.saved = block.text();
     }},
    {"lower-cased-paths", "paths and image tags are put in small letters and then not found",
     [](const Session& one) { return one.asked("sm_docker_yn") && one.error.empty(); },
     [](Session& one) {
         Block block(one.expected.saved);
         for (const auto& [question, key] :
              {std::pair("sm_docker", "image_uri"), std::pair("sm_inputs", "sagemaker_inputs_file"),
               std::pair("sm_metrics", "sagemaker_metrics_file")})
             if (one.asked(question) && !one.answer(question).empty())
                 block.put(key, one.answer(question));
         one.expected.saved = block.text();
     }},
    {"misspelt-back-end",
     "the reference's own list of compiler back ends has a misspelt name and stops when it is chosen",
     [](const Session& one) {
         return one.error == "ValueError" && (one.answer("dynamo_backend") == "TORCHXLA_TRACE_ONCE" ||
                                              one.answer("sm_dynamo_backend") == "TORCHXLA_TRACE_ONCE");
     },
     [](Session& one) {
         one.go_on([](const std::string& saved) {
             EXPECT_EQ(Block(saved).value("dynamo_config", "dynamo_backend"), "TORCHXLA_TRACE_ONCE");
         });
     }},
    {"compile-mode-of-sagemaker", "the reference's menu has a text instead of a row number and raises an exception",
     [](const Session& one) { return one.error == "TypeError" && one.expected.asked.back() == "sm_dynamo_mode"; },
     [](Session& one) {
         one.go_on([](const std::string& saved) {
             EXPECT_EQ(Block(saved).value("dynamo_config", "dynamo_mode"), "default");
         });
     }},
    {"other-words-for-yes", "y, true and 1 are as clear as yes; the reference asks again",
     [](const Session& one) {
         return one.error == "AskedAgain" &&
                is_yes_no_in_other_words(one.expected.asked.back(), one.answer(one.expected.asked.back()));
     },
     [](Session& one) {
         std::string question = one.expected.asked.back();
         Answers plain(one.answers.begin(), one.answers.end());
         plain[question] = truth_of(one.answer(question)) == Truth::yes ? "yes" : "no";
         std::string wanted = to_text(Questionnaire(one.machine, false).settings(plain), Format::yaml);
         one.go_on([wanted](const std::string& saved) { EXPECT_EQ(saved, wanted); });
     }},
    {"whole-number-with-exponent",
     "the reference's own prompt shows 1e8 as the example, but the reference refuses it as an answer",
     [](const Session& one) {
         return one.error == "AskedAgain" && one.expected.asked.back() == "fsdp_min" &&
                one.answer("fsdp_min").find_first_of("eE") != std::string::npos &&
                std::strtod(one.answer("fsdp_min").c_str(), nullptr) >= 0;
     },
     [](Session& one) {
         std::string wanted = std::to_string(std::llround(std::strtod(one.answer("fsdp_min").c_str(), nullptr)));
         one.go_on([wanted](const std::string& saved) {
             EXPECT_EQ(Block(saved).value("fsdp_config", "fsdp_min_num_params"), wanted);
         });
     }},
    {"answer-needed",
     "without that answer the launch fails or reaches nobody (endpoint None:29500, a file called none)",
     [](const Session& one) {
         return !first_asked(one, [](const std::string& id, const std::string& text) {
                     return needs_an_answer(id) && text.empty();
                 }).empty();
     },
     [](Session& one) {
         one.refuse_at(first_asked(
             one, [](const std::string& id, const std::string& text) { return needs_an_answer(id) && text.empty(); }));
     }},
    {"number-out-of-range", "no machine, process, size or port with that number exists; the reference writes it",
     [](const Session& one) { return !first_asked(one, out_of_range).empty(); },
     [](Session& one) { one.refuse_at(first_asked(one, out_of_range)); }},
    {"device-ids", "the reference copies gpu_ids into the device mask unchecked, even if it is not a list of numbers",
     [](const Session& one) { return one.asked("gpu_ids") && !is_device_list(one.answer("gpu_ids")); },
     [](Session& one) { one.refuse_at("gpu_ids"); }},
    {"sudo-in-other-words", "tpu_use_sudo takes any text; what is neither yes nor no is refused",
     [](const Session& one) {
         return one.asked("tpu_sudo") && !one.answer("tpu_sudo").empty() &&
                truth_of(one.answer("tpu_sudo")) == Truth::neither;
     },
     [](Session& one) { one.refuse_at("tpu_sudo"); }},
};

std::vector<Session> read_cases() {
    std::ifstream file(test::golden("questionnaire.json"));
    std::vector<Session> cases;
    const Json document = Json::parse(file);
    for (const Json& json : document.at("cases")) {
        Session one;
        one.id = json.at("id");
        for (const auto& [question, answer] : json.at("input").at("answers").items())
            one.answers[question] = answer;
        if (json.at("input").contains("machine"))
            one.machine.device = json.at("input").at("machine").value("device", "cuda");
        else
            one.machine.device = "cuda";
        one.machine.deepspeed = "0.18.0";
        one.machine.fp8 = true;
        const Json& expected = json.at("expected");
        one.expected.asked = expected.at("asked").get<std::vector<std::string>>();
        one.expected.saved = expected.value("saved", "");
        if (expected.contains("error"))
            one.error = expected.at("error").at("type");
        one.expected.refused = !one.error.empty();
        cases.push_back(std::move(one));
    }
    return cases;
}

/// Asks the questions one by one and checks each answer, as the text questionnaire does.
SessionOutcome ask(const Session& one) {
    Questionnaire questionnaire(one.machine, false);
    SessionOutcome outcome;
    Answers answers;
    while (const Question* question = questionnaire.next(answers)) {
        outcome.asked.push_back(question->id);
        answers[question->id] = one.answer(question->id);
        if (questionnaire.problem(*question, answers)) {
            outcome.refused = true;
            return outcome;
        }
    }
    outcome.saved = to_text(questionnaire.settings(answers), Format::yaml);
    std::string here = std::filesystem::current_path().string();
    for (std::size_t at = outcome.saved.find(here); at != std::string::npos; at = outcome.saved.find(here))
        outcome.saved.replace(at, here.size(), "CWD");
    return outcome;
}

TEST(QuestionnaireGolden, AsksAndWritesWhatTheReferenceDoes) {
    ::setenv("HOME", "/home/user", 1);
    std::map<std::string, int> used;
    std::vector<Session> cases = read_cases();
    ASSERT_GT(cases.size(), 0u);
    for (Session& one : cases) {
        SCOPED_TRACE(one.id);
        for (const SessionRule& rule : kRules)
            if (rule.applies(one)) {
                rule.change(one);
                ++used[rule.name];
            }
        SessionOutcome got = ask(one);
        EXPECT_EQ(got.refused, one.expected.refused);
        if (one.expected.open) {
            ASSERT_GE(got.asked.size(), one.expected.asked.size());
            got.asked.resize(one.expected.asked.size());
            one.expected.judge(got.saved);
        } else {
            EXPECT_EQ(got.saved, one.expected.saved);
        }
        EXPECT_EQ(got.asked, one.expected.asked);
    }
    // Other cases than ours need not use every rule.
    bool ours = std::getenv("TRAINYARD_GOLDEN") == nullptr;
    for (const SessionRule& rule : kRules)
        EXPECT_TRUE(!ours || used.contains(rule.name)) << "no case needs the rule " << rule.name;
}

/// For the cases that end in a file: the answers that are read back from the file must give the same file.
TEST(QuestionnaireGolden, AnswersCanBeReadBackFromTheFile) {
    ::setenv("HOME", "/home/user", 1);
    int files = 0;
    for (const Session& one : read_cases()) {
        SCOPED_TRACE(one.id);
        Questionnaire questionnaire(one.machine, false);
        Answers given(one.answers.begin(), one.answers.end());
        if (!questionnaire.problems(given).empty())
            continue;
        Settings written = questionnaire.settings(given);
        Answers read = questionnaire.answers(written);
        EXPECT_EQ(to_text(questionnaire.settings(read), Format::yaml), to_text(written, Format::yaml));
        ++files;
    }
    EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace trainyard::settings
