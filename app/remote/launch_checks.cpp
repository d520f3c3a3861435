#include "remote/launch_checks.h"

#include <algorithm>

#include "base/error.h"
#include "launch/prepare.h"
#include "remote/json_field.h"
#include "remote/preflight.h"

namespace trainyard::remote {

using run::json::Json;

namespace {

constexpr std::size_t kMostAnswers = 1000;  // problems and findings of a host

std::string check_of(const Problem& problem) {
    if (problem.key.starts_with("data.") || problem.key.starts_with("model.") || problem.key.starts_with("checkpoint."))
        return "data";
    if (problem.key == "--run_dir" || problem.message.starts_with("the run cannot be kept"))
        return "output";
    if (problem.message.starts_with("the disk of"))
        return "disk";
    if (problem.message.starts_with("the program "))
        return "program";
    if (problem.message.find("cannot be run") != std::string::npos)
        return problem.message.find("trainyard-worker") != std::string::npos ? "engine" : "program";
    return "settings";
}

}  // namespace

std::string check_order(const run::RunSpec& spec, const std::string& run_dir, const HostPart& part) {
    return run::json::dump({{"versions", launch::build_versions()},
                            {"spec", run::to_yaml(spec)},
                            {"run_dir", run_dir},
                            {"ranks", part.ranks},
                            {"ports", part.ports}});
}

std::string answer_check_order(const std::string& order) {
    Json object = run::json::parse_object(order, "the order of a launch");
    Json problems = Json::array();
    auto add = [&](const std::string& check, const std::string& text) {
        problems.push_back({{"check", check}, {"text", text}});
    };
    std::map<std::string, std::string> here = launch::build_versions();
    Json there = field<Json>(object, "versions", Json::object());
    for (const auto& [key, name] : {std::pair("trainyard", "Trainyard"), std::pair("libtorch", "LibTorch")})
        if (std::string version = text_field(there, key); version != here[key])
            add("engine",
                std::string("has ") + name + ' ' + here[key] + ", the launching machine has " + version +
                    ": install the same version on both, or leave out the host's engine so that ours is brought along");
    Json found = Json::array();
    if (problems.empty()) {  // another version may not even read the settings
        try {
            const run::RunSpec spec = run::parse_spec(text_field(object, "spec"), "run.yaml");
            Preflight steps("", host_steps(spec, text_field(object, "run_dir"), field(object, "ranks", 1),
                                           field<std::vector<int>>(object, "ports", {})));
            steps.run();
            for (const CheckResult& one : steps.results())
                found.push_back({{"check", one.check},
                                 {"state", static_cast<int>(one.state)},
                                 {"text", one.text},
                                 {"mend", one.mend},
                                 {"seconds", one.seconds},
                                 {"command", one.command}});
            launch::check_spec(spec, text_field(object, "run_dir"), false);
        } catch (const InvalidInput& error) {
            for (const Problem& problem : error.problems())
                add(check_of(problem), problem.key.empty() ? problem.message : problem.key + ": " + problem.message);
        } catch (const UserError& error) {
            add("settings", error.what());
        }
    }
    return run::json::dump({{"problems", problems}, {"found", found}});
}

std::vector<LaunchProblem> parse_check_answer(const std::string& answer) {
    Json object = run::json::parse_object(answer, "the host's answer");
    std::vector<LaunchProblem> problems;
    for (const Json& one : list_field(object, "problems", kMostAnswers))
        problems.push_back(
            {one.contains("check") ? label_field(one, "check").text() : "settings", message_field(one, "text")});
    return problems;
}

std::vector<CheckResult> parse_check_findings(const std::string& answer) {
    Json object = run::json::parse_object(answer, "the host's answer");
    std::vector<CheckResult> findings;
    for (const Json& one : list_field(object, "found", kMostAnswers)) {
        CheckResult result;
        result.check = label_field(one, "check");
        result.state = static_cast<CheckResult::State>(
            std::clamp(field(one, "state", 0), 0, static_cast<int>(CheckResult::State::skipped)));
        result.text = message_field(one, "text");
        result.mend = message_field(one, "mend");
        result.seconds = field(one, "seconds", 0.0);
        result.command = label_field(one, "command");
        findings.push_back(std::move(result));
    }
    return findings;
}

}  // namespace trainyard::remote
