#include "remote/launch_checks.h"

#include "base/error.h"
#include "launch/prepare.h"
#include "remote/json_field.h"

namespace trainyard::remote {

using run::json::Json;

namespace {

std::string check_of(const Problem& problem) {
    if (problem.key.starts_with("data.") || problem.key.starts_with("model.") || problem.key.starts_with("checkpoint."))
        return "data";
    if (problem.key == "--run_dir" || problem.message.starts_with("the run cannot be kept"))
        return "output";
    if (problem.message.starts_with("the disk of"))
        return "disk";
    if (problem.message.find("cannot be run") != std::string::npos)
        return "engine";
    return "settings";
}

}  // namespace

std::string check_order(const run::RunSpec& spec, const std::string& run_dir) {
    return run::json::dump(
        {{"versions", launch::build_versions()}, {"spec", run::to_yaml(spec)}, {"run_dir", run_dir}});
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
    if (problems.empty()) {  // another version may not even read the settings
        try {
            launch::check_spec(run::parse_spec(text_field(object, "spec"), "run.yaml"), text_field(object, "run_dir"),
                               false);
        } catch (const InvalidInput& error) {
            for (const Problem& problem : error.problems())
                add(check_of(problem), problem.key.empty() ? problem.message : problem.key + ": " + problem.message);
        } catch (const UserError& error) {
            add("settings", error.what());
        }
    }
    return run::json::dump({{"problems", problems}});
}

std::vector<LaunchProblem> parse_check_answer(const std::string& answer) {
    Json object = run::json::parse_object(answer, "the host's answer");
    std::vector<LaunchProblem> problems;
    for (const Json& one : field<Json>(object, "problems", Json::array()))
        problems.push_back({one.contains("check") ? text_field(one, "check") : "settings", text_field(one, "text")});
    return problems;
}

}  // namespace trainyard::remote
