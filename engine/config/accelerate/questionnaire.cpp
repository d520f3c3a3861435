// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/questionnaire.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/accelerate/questions.h"

namespace trainyard::settings {

namespace {

using questions::Context;
using questions::Stored;

/// Accelerate's class defaults of a SageMaker job, which its file always holds.
void write_sagemaker_base(Settings& settings) {
    settings.set("compute_environment", "AMAZON_SAGEMAKER");
    settings.set("base_job_name", "accelerate-sagemaker-1");
    settings.set("debug", false);
    settings.set("enable_cpu_affinity", false);
    settings.set("gpu_ids", "all");
    settings.set("num_machines", 1);
    settings.set("py_version", "py38");
    settings.set("pytorch_version", "1.10.2");
    settings.set("transformers_version", "4.17.0");
    settings.set("use_cpu", false);
}

/// Writes the keys that every local file has, whichever questions are asked.
void write_local_base(const Context& context, Settings& settings) {
    settings.set("compute_environment", "LOCAL_MACHINE");
    settings.set("distributed_type", context.distributed_type());
    settings.set("debug", false);
    settings.set("downcast_bf16", "no");
    settings.set("enable_cpu_affinity", false);
    settings.set("machine_rank", 0);
    settings.set("main_training_function", "main");
    settings.set("num_machines", 1);
    settings.set("num_processes", 1);
    settings.set("rdzv_backend", "static");
    settings.set("same_network", true);
    settings.set("tpu_env", Value(Value::List{}));
    settings.set("tpu_use_cluster", false);
    settings.set("tpu_use_sudo", false);
    settings.set("use_cpu", context.on_cpu());
    if (context.distributed_type() == "XLA")
        settings.set("mixed_precision", "no");
}

Value value_of(const questions::Row& row, const std::string& answer) {
    switch (row.question.kind) {
        case QuestionKind::yes_no:
            if (truth_of(text::trimmed(answer)) != Truth::neither)
                return truth_of(text::trimmed(answer)) == Truth::yes;
            break;
        case QuestionKind::integer:
            if (auto number = questions::whole_number(answer))
                return *number;
            break;
        case QuestionKind::number:
            if (auto number = questions::real_number(answer))
                return *number;
            break;
        case QuestionKind::menu:
            if (auto number = questions::whole_number(answer); number && row.stored == Stored::integer)
                return *number;
            break;
        case QuestionKind::text:
        case QuestionKind::path:
            if (row.stored == Stored::list)
                return questions::list_of(answer, ',');
            break;
    }
    return answer;  // does not fit: stays as it was typed, problem() says so
}

void write(const Context& context, const questions::Row& row, Settings& settings) {
    const std::string& answer = context.answer(row.question.id);
    if (row.write) {
        if (!answer.empty())
            row.write(context, answer, settings);
        return;
    }
    if (row.question.path.empty())
        return;
    if (answer.empty() && row.stored != Stored::list)
        return;  // nothing answered: the key stays out
    Value value = value_of(row, answer);
    bool empty_list = value.list() != nullptr && value.list()->empty();
    if (empty_list && !settings.has(row.question.path))
        return;
    settings.set(row.question.path, std::move(value));
}

std::string number_text(double number) {
    return Value(number).display();
}

std::optional<Message> outside(const questions::Row& row, const std::string& answer) {
    const Message label = Message::table_text(row.question.label);
    std::optional<double> number;
    if (row.question.kind == QuestionKind::integer) {
        if (auto whole = questions::whole_number(answer))
            number = static_cast<double>(*whole);
        else if (!answer.empty() && answer.find_first_not_of("0123456789") == std::string::npos)
            number = HUGE_VAL;  // more digits than a number of 64 bits has
        else
            return Message("{}: {} is not a whole number", label, answer);
    } else {
        number = questions::real_number(answer);
        if (!number)
            return Message("{}: {} is not a number", label, answer);
    }
    if (*number >= row.range.least && *number <= row.range.most)
        return std::nullopt;
    bool whole = row.question.kind == QuestionKind::integer;
    auto text = [whole](double bound) {
        return whole ? std::to_string(static_cast<std::int64_t>(bound)) : number_text(bound);
    };
    return std::isfinite(row.range.most)
               ? Message("{}: {} is out of range, use {} to {}", label, answer, text(row.range.least),
                         text(row.range.most))
               : Message("{}: {} is out of range, use {} or more", label, answer, text(row.range.least));
}

std::optional<Message> find_problem(const Context& context, const questions::Row& row) {
    const Question& question = row.question;
    if (!context.shown(question.id))
        return std::nullopt;
    const std::string& answer = context.answer(question.id);
    if (answer.empty())
        return row.required.empty() ? std::nullopt : std::optional(Message::table_text(row.required));
    switch (question.kind) {
        case QuestionKind::menu: {
            std::vector<Option> options = row.options_of ? row.options_of(context) : question.options;
            if (std::none_of(options.begin(), options.end(), [&](const Option& one) { return one.value == answer; })) {
                std::string known;
                for (std::size_t i = 0; i < options.size() && i < 20; ++i)
                    known += (i == 0 ? "" : ", ") + options[i].value;
                return Message("{}: {} is not one of {}", Message::table_text(question.label), answer, known);
            }
            break;
        }
        case QuestionKind::yes_no:
            if (truth_of(text::trimmed(answer)) == Truth::neither)
                return Message("{}: answer yes or no, not {}", Message::table_text(question.label), answer);
            break;
        case QuestionKind::integer:
        case QuestionKind::number:
            if (auto found = outside(row, answer))
                return found;
            break;
        case QuestionKind::text:
        case QuestionKind::path:
            break;
    }
    return row.problem ? row.problem(context, answer) : std::nullopt;
}

const questions::Row& row_of(const Question& question) {
    return questions::rows()[static_cast<std::size_t>(questions::row_index(question.id))];
}

/// The answer a value stands for; nothing when the question cannot say it.
std::optional<std::string> read_value(const questions::Row& row, const Settings& settings) {
    if (row.read)
        return row.read(settings);
    if (row.question.path.empty())
        return std::nullopt;
    const Value* value = settings.find(row.question.path);
    if (value == nullptr || value->is_null() || value->map() != nullptr)
        return std::nullopt;
    if (row.question.kind == QuestionKind::yes_no) {
        Truth truth = truth_of(value->display());
        if (truth != Truth::neither)
            return truth == Truth::yes ? "yes" : "no";
    }
    return value->display();
}

}  // namespace

Questionnaire::Questionnaire(Machine machine, bool detect) : machine_(std::move(machine)), detect_(detect) {
    questions_.reserve(questions::rows().size());
    for (const questions::Row& row : questions::rows())
        questions_.push_back(row.question);
}

const Question* Questionnaire::find(std::string_view id) const {
    int index = questions::row_index(id);
    return index < 0 ? nullptr : &questions_[static_cast<std::size_t>(index)];
}

bool Questionnaire::shown(const Question& question, const Answers& answers) const {
    return Context(machine_, detect_, answers).shown(question.id);
}

std::string Questionnaire::hidden_because(const Question& question, const Answers& answers) const {
    Context context(machine_, detect_, answers);
    if (context.shown(question.id))
        return {};
    if (question.id.starts_with("sm_") != context.sagemaker())
        return context.sagemaker() ? "not for Amazon SageMaker" : "only for Amazon SageMaker";
    return std::string(row_of(question).hidden);
}

std::vector<Option> Questionnaire::options(const Question& question, const Answers& answers) const {
    const questions::Row& row = row_of(question);
    return row.options_of ? row.options_of(Context(machine_, detect_, answers)) : question.options;
}

std::string Questionnaire::label(const Question& question, const Answers& answers) const {
    const questions::Row& row = row_of(question);
    return row.label_of ? row.label_of(Context(machine_, detect_, answers)) : question.label;
}

std::string Questionnaire::default_answer(const Question& question, const Answers& answers) const {
    Answers others = answers;
    others.erase(question.id);
    return Context(machine_, detect_, others).answer(question.id);
}

std::string Questionnaire::answer(const Question& question, const Answers& answers) const {
    return Context(machine_, detect_, answers).answer(question.id);
}

std::optional<Message> Questionnaire::problem(const Question& question, const Answers& answers) const {
    return find_problem(Context(machine_, detect_, answers), row_of(question));
}

std::vector<std::pair<const Question*, Message>> Questionnaire::problems(const Answers& answers) const {
    Context context(machine_, detect_, answers);
    std::vector<std::pair<const Question*, Message>> found;
    for (std::size_t i = 0; i < questions_.size(); ++i)
        if (auto problem = find_problem(context, questions::rows()[i]))
            found.emplace_back(&questions_[i], std::move(*problem));
    return found;
}

const Question* Questionnaire::next(const Answers& answers) const {
    Context context(machine_, detect_, answers);
    for (const Question& question : questions_)
        if (answers.find(question.id) == answers.end() && context.shown(question.id))
            return &question;
    return nullptr;
}

Settings Questionnaire::settings(const Answers& answers) const {
    Context context(machine_, detect_, answers);
    Settings settings;
    if (context.sagemaker())
        write_sagemaker_base(settings);
    else
        write_local_base(context, settings);
    for (const questions::Row& row : questions::rows())
        if (context.shown(row.question.id))
            write(context, row, settings);
    if (context.is("sm_role", "create"))
        settings.set("iam_role_name", "accelerate_sagemaker_execution_role");
    return settings;
}

Answers Questionnaire::answers(const Settings& settings) const {
    bool sagemaker = settings.text("compute_environment") == "AMAZON_SAGEMAKER";
    Answers answers;
    for (const questions::Row& row : questions::rows()) {
        if (row.question.id != "env" && row.question.id.starts_with("sm_") != sagemaker)
            continue;
        if (auto answer = read_value(row, settings); answer && !answer->empty())
            answers[row.question.id] = std::move(*answer);
    }
    return answers;
}

std::vector<Message> Questionnaire::notices(const Answers& answers) const {
    Context context(machine_, detect_, answers);
    std::vector<Message> notices;
    bool compiled = context.yes("dynamo") || context.yes("sm_dynamo");
    if (compiled && (context.is("mp", "no") || context.is("sm_mp", "no")) && !context.on_cpu())
        notices.emplace_back("torch.compile without mixed precision needs TF32 to be fast: Accelerate switches it on");
    if (context.is("sm_auth", "credentials"))
        notices.emplace_back(
            "access keys are not stored: launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY from the "
            "environment");
    if (context.is("sm_role", "create"))
        notices.emplace_back(
            "the role accelerate_sagemaker_execution_role is named, not created: where the account lacks it, "
            "`trainyard config --create-role` creates it");
    return notices;
}

}  // namespace trainyard::settings
