// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The question tree of `accelerate config`, once, for the wizard and for the text questionnaire: which questions there are, when
// each is shown, what it offers, what it writes. Ids are those of the reference (machine_type, fsdp_version, ds_stage ...).
// Answers are texts as typed or the value of the chosen option; an unanswered question counts as answered with its default.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"
#include "config/accelerate/machine.h"
#include "config/accelerate/settings.h"

namespace trainyard::settings {

using Answers = std::map<std::string, std::string, std::less<>>;

struct Option {
    std::string value;  ///< what is stored as the answer: `MULTI_GPU`
    std::string label;  ///< `Many GPUs`
    std::string help;   ///< one line; may be empty
};

enum class QuestionKind { menu, yes_no, integer, number, text, path };

/// The wizard's page of a question.
enum class Topic { hardware, parallelism, precision, cloud };

struct Question {
    std::string id;
    Topic topic = Topic::hardware;
    QuestionKind kind = QuestionKind::text;
    std::string title;  ///< asked in the terminal: "How many machines?"
    std::string label;  ///< short, beside a field: "Machines"
    std::string help;
    std::string path;             ///< the key it writes; empty when it only steers
    std::vector<Option> options;  ///< of a menu
};

class Questionnaire {
  public:
    /// Defaults come from what the machine has only where `detect` is on (else Accelerate's own defaults, for comparison).
    explicit Questionnaire(Machine machine, bool detect = true);

    /// All questions in asking order, shown or not. `commands` (tpu_cmd) holds its list one per line.
    const std::vector<Question>& questions() const { return questions_; }
    const Question* find(std::string_view id) const;
    const Machine& machine() const { return machine_; }

    bool shown(const Question& question, const Answers& answers) const;
    /// In words, why a question is not asked: "only with FSDP version 1"; empty when it is shown.
    std::string hidden_because(const Question& question, const Answers& answers) const;
    /// Options may depend on answers (state-dict types of FSDP 1 and 2, machine ranks).
    std::vector<Option> options(const Question& question, const Answers& answers) const;
    std::string label(const Question& question, const Answers& answers) const;  ///< "How many GPUs?" by machine type
    std::string default_answer(const Question& question, const Answers& answers) const;
    std::string answer(const Question& question, const Answers& answers) const;  ///< given, else default
    /// The sentence when the answer cannot stand; also what stops the reference (one process under MULTI_GPU).
    std::optional<Message> problem(const Question& question, const Answers& answers) const;

    /// Returns the problems of all shown questions, in asking order.
    std::vector<std::pair<const Question*, Message>> problems(const Answers& answers) const;

    /// The shown question that comes next after those answered; nullptr when all are. For asking one by one.
    const Question* next(const Answers& answers) const;

    /// What the answers write. Hidden questions do not count.
    Settings settings(const Answers& answers) const;
    /// Answers that give these settings, as far as the tree can say them.
    Answers answers(const Settings& settings) const;
    /// What the person should know besides: TF32, where access keys come from. (What this machine lacks is found by check().)
    std::vector<Message> notices(const Answers& answers) const;

  private:
    Machine machine_;
    bool detect_;
    std::vector<Question> questions_;
};

}  // namespace trainyard::settings
