// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/questionnaire_terminal.h"

#include <cstdio>
#include <set>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "cli/asker.h"
#include "cli/print_json.h"
#include "cli/raw_terminal.h"
#include "cli/terminal.h"
#include "config/accelerate/draft.h"
#include "config/values/value_formats.h"
#include "launch/cloud/sagemaker_role.h"
#include "launch/supervisor/recipe_launch.h"

namespace trainyard::cli {

namespace {

using settings::Draft;
using settings::DraftLine;
using settings::Finding;
using settings::Question;
using settings::Questionnaire;

Message ended_at(const std::string& question) {
    return Message("input ended at the question '{}': give it an answer, or --yes for the defaults of what is left",
                   question);
}

enum class Walk { done, interrupted };

Asked asked_of(const Questionnaire& tree, const Question& question, const settings::Answers& answers) {
    Asked asked;
    asked.id = question.id;
    asked.title = question.title;
    asked.help = question.help;
    if (question.id == "num_processes" || question.id == "gpu_ids")
        asked.title += " (" + tree.label(question, answers) + ")";
    asked.kind = question.kind;
    if (question.kind == settings::QuestionKind::menu)
        asked.options = tree.options(question, answers);
    asked.fallback = tree.answer(question, answers);
    asked.several_lines = question.id == "tpu_cmd";
    return asked;
}

/// The first shown question that was not asked yet.
const Question* next_question(const Draft& draft, const std::vector<std::string>& asked) {
    std::set<std::string_view> done(asked.begin(), asked.end());
    const settings::Answers& known = draft.answers();
    for (const Question& question : draft.questionnaire().questions())
        if (!done.contains(question.id) && draft.questionnaire().shown(question, known))
            return &question;
    return nullptr;
}

/// Asks from the end of `asked` on until nothing is left. `yes`: where input ends the defaults hold.
Walk walk(Draft& draft, Asker& asker, std::vector<std::string>& asked, bool yes) {
    const Questionnaire& tree = draft.questionnaire();
    std::unique_ptr<Asker> defaults;
    while (const Question* question = next_question(draft, asked)) {
        Asked one = asked_of(tree, *question, draft.answers());
        one.can_go_back = !asked.empty();
        one.follows_answer = one.can_go_back;
        bool back = false;
        for (;;) {
            Reply reply = (defaults ? *defaults : asker).ask(one);
            if (reply.kind == Reply::Kind::interrupted)
                return Walk::interrupted;
            if (reply.kind == Reply::Kind::ended) {
                if (defaults)
                    throw UserError(one.problem);  // the default itself cannot stand
                if (!yes)
                    throw UserError(one.problem.empty() ? ended_at(one.title)
                                                        : Message("{} ({})", ended_at(one.title), one.problem));
                defaults = default_asker();
                one.problem = {};
                continue;
            }
            if (reply.kind == Reply::Kind::back) {
                back = true;
                break;
            }
            // Enter on a question of a file that is there leaves the file's line as it is.
            std::string text = reply.text.empty() ? one.fallback : meant(one, reply.text);
            settings::Answers tried = draft.answers();
            tried[question->id] = text;
            if (auto problem = tree.problem(*question, tried)) {
                if (!asker.interactive() && !defaults)
                    throw UserError("answer to '{}': {}", one.title, *problem);
                one.problem = *problem;
                continue;
            }
            if (text != tree.answer(*question, draft.answers()))
                draft.answer(question->id, text);
            break;
        }
        if (back)
            asked.pop_back();
        else
            asked.push_back(question->id);
    }
    return Walk::done;
}

void show_lines(Asker& asker, const Draft& draft) {
    for (const DraftLine& line : draft.lines()) {
        const char* mark = "  ";
        if (line.change == DraftLine::Change::added)
            mark = "+ ";
        else if (line.change == DraftLine::Change::changed)
            mark = "~ ";
        else if (line.change == DraftLine::Change::removed)
            mark = "- ";
        asker.say(mark + line.text);
    }
}

std::vector<std::string> said_by(const std::vector<Finding>& findings, Finding::Severity severity) {
    std::vector<std::string> sentences;
    for (const Finding& finding : findings)
        if (finding.severity == severity)
            sentences.push_back(finding.message);
    return sentences;
}

nlohmann::ordered_json result_of(const Draft& draft, const QuestionnaireOptions& options, bool written,
                                 const std::vector<std::string>& warnings) {
    nlohmann::ordered_json result;
    result["file"] = options.file.string();
    result["written"] = written;
    result["settings"] = json_of(draft.settings().saved());
    result["warnings"] = warnings;
    result["notices"] = draft.questionnaire().notices(draft.answers());
    return result;
}

/// Creates the role of SageMaker that the settings name, if --create-role or an answer asks for it. A failure is a
/// warning: the settings are written.
void offer_role(const settings::Settings& settings, Asker& asker, const QuestionnaireOptions& options, bool wants_role,
                std::vector<std::string>& warnings) {
    const std::string name = settings.text("iam_role_name");
    if (!options.create_role) {
        if (!wants_role || !asker.interactive())
            return;
        Asked question;
        question.id = "create_role";
        question.kind = settings::QuestionKind::yes_no;
        question.title = "Create the role " + name + " in the account now?";
        question.help = "Needs keys that may use IAM; a role of this name that exists is used as it is";
        question.fallback = "no";
        const Reply reply = asker.ask(question);
        if (reply.kind != Reply::Kind::answer || !meant(question, reply.text).starts_with('y'))
            return;
    }
    try {
        cloud::AwsClient client(cloud::find_access(settings.text("profile"), settings.text("region", "us-east-1"),
                                                   launch::this_process_environment()));
        std::fprintf(options.json ? stderr : stdout, "SageMaker: %s\n",
                     cloud::create_role(client, name).text().c_str());
    } catch (const UserError& error) {
        warnings.push_back(Message("the role {} was not created: {}", name, message_of(error)));
        std::fprintf(stderr, "warning: %s\n", warnings.back().c_str());
    }
}

enum class Decision { write, back, leave, interrupted };

Decision decide(Asker& asker, bool there, bool wrong, bool yes) {
    if (yes && !wrong)
        return Decision::write;
    if (!asker.interactive() && !there)
        return Decision::write;
    Asked question;
    question.id = "write";
    question.kind = settings::QuestionKind::menu;
    question.title = wrong ? "Write it all the same?" : there ? "Overwrite the file?" : "Write the file?";
    question.options = {{"yes", "Yes", there ? "the file there is replaced" : ""},
                        {"back", "Back", "to the last question"},
                        {"no", "No", "leave without writing"}};
    question.fallback = wrong ? "back" : "yes";
    for (;;) {
        Reply reply = asker.ask(question);
        if (reply.kind == Reply::Kind::interrupted)
            return Decision::interrupted;
        if (reply.kind == Reply::Kind::ended)
            throw UserError(ended_at(question.title));
        if (reply.kind == Reply::Kind::back)
            return Decision::back;
        std::string answer = meant(question, reply.text.empty() ? question.fallback : reply.text);
        if (answer == "y" || answer == "yes")
            return Decision::write;
        if (answer == "n" || answer == "no")
            return Decision::leave;
        if (answer == "back")
            return Decision::back;
        question.problem = "answer yes, back or no";
    }
}

}  // namespace

int run_questionnaire(const QuestionnaireOptions& options, const settings::Machine& machine) {
    Draft draft(machine);
    std::error_code error;
    bool there = fs::exists(options.file, error);
    if (there && !options.fresh)
        draft.open(settings::load_settings(options.file));
    bool drawn = can_draw() && !options.json;
    bool person = is_terminal(STDIN_FILENO);
    std::unique_ptr<Asker> asker;
    if (options.yes && person)
        asker = default_asker();
    else
        asker = drawn ? terminal_asker() : line_asker(options.json, !person);
    if (drawn)
        asker->say("Enter takes the chosen answer, Esc or < goes back, Ctrl-C leaves without writing.");
    if (there && !options.fresh)
        asker->say("Starting from " + options.file.string() + ".");

    std::vector<std::string> asked;
    std::vector<std::string> warnings;
    bool written = false;
    for (;;) {
        if (walk(draft, *asker, asked, options.yes) == Walk::interrupted) {
            std::fprintf(stderr, "\nInterrupted: nothing was written.\n");
            return kExitInterrupted;
        }
        std::vector<Finding> findings = draft.findings();
        std::vector<std::string> wrong = said_by(findings, Finding::Severity::error);
        if (options.create_role && draft.settings().text("compute_environment") != "AMAZON_SAGEMAKER")
            throw UserError("--create-role is for settings of Amazon SageMaker, and these are of another environment");
        warnings = said_by(findings, Finding::Severity::warning);
        asker->say("\n" + options.file.string() + ":");
        show_lines(*asker, draft);
        for (const std::string& sentence : wrong)
            asker->say("  ! " + sentence);
        for (const std::string& sentence : warnings)
            asker->say("  warning: " + sentence);
        for (const Message& sentence : draft.questionnaire().notices(draft.answers()))
            asker->say("  note: " + sentence.text());
        if (!wrong.empty() && !asker->interactive() && !options.force) {
            std::vector<Problem> problems;
            for (const Finding& finding : findings)
                if (finding.severity == Finding::Severity::error)
                    problems.push_back({options.file.string(), 0, 0, finding.path, finding.message});
            throw InvalidInput(std::move(problems));
        }
        if (there && !options.fresh && !draft.modified() && (wrong.empty() || options.force)) {
            std::fprintf(options.json ? stderr : stdout, "%s stays as it is.\n", options.file.c_str());
            if (options.create_role)
                offer_role(draft.settings(), *asker, options, true, warnings);
            break;
        }
        Decision decision = decide(*asker, there, !wrong.empty() && !options.force, options.yes);
        if (decision == Decision::interrupted) {
            std::fprintf(stderr, "\nInterrupted: nothing was written.\n");
            return kExitInterrupted;
        }
        if (decision == Decision::leave) {
            std::fprintf(stderr, "Nothing was written.\n");
            return kExitFailed;
        }
        if (decision == Decision::back) {
            if (!asked.empty())
                asked.pop_back();
            continue;
        }
        draft.save(options.file);
        written = true;
        std::fprintf(options.json ? stderr : stdout, "Settings saved in %s\n", options.file.c_str());
        const auto role = draft.answers().find("sm_role");
        offer_role(draft.settings(), *asker, options, role != draft.answers().end() && role->second == "create",
                   warnings);
        break;
    }
    if (options.json)
        print_json(result_of(draft, options, written, warnings));
    return kExitDone;
}

}  // namespace trainyard::cli
