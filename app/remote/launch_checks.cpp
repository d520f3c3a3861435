// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch_checks.h"

#include "base/error.h"
#include "base/fields.h"
#include "launch/supervisor/prepare.h"
#include "remote/preflight.h"

namespace trainyard::remote {

namespace {

struct CheckOrder {
    std::map<std::string, std::string> versions;
    std::string spec;  ///< text of run.yaml
    std::string run_dir;
    int ranks = 1;
    std::vector<int> ports;

    void fields(auto& field) const {
        field("versions", versions)("spec", spec)("run_dir", run_dir)("ranks", ranks)("ports", ports);
    }
};

std::string check_of(const Problem& problem) {
    if (problem.key == "training.mixed_precision" || problem.key.starts_with("quantization."))
        return "formats";
    if (problem.key.starts_with("data.") || problem.key.starts_with("model.") || problem.key.starts_with("checkpoint."))
        return "data";
    if (problem.key == "--run_dir" || problem.message.text().starts_with("the run cannot be kept"))
        return "output";
    if (problem.message.text().starts_with("the disk of"))
        return "disk";
    if (problem.message.text().starts_with("the program "))
        return "program";
    if (problem.message.text().find("cannot be run") != std::string::npos)
        return problem.message.text().find("trainyard-worker") != std::string::npos ? "engine" : "program";
    return "settings";
}

}  // namespace

std::string check_order(const run::RunSpec& spec, const std::string& run_dir, const HostPart& part) {
    return fields::to_text(CheckOrder{launch::build_versions(), run::to_yaml(spec), run_dir, part.ranks, part.ports});
}

CheckAnswer answer_check_order(const std::string& text) {
    const auto order = fields::from_text<CheckOrder>(text, "the order of a launch");
    CheckAnswer answer;
    auto add = [&](const std::string& check, const Message& problem) { answer.problems.push_back({check, problem}); };
    std::map<std::string, std::string> here = launch::build_versions();
    for (const auto& [key, name] : {std::pair("trainyard", "Trainyard"), std::pair("libtorch", "LibTorch")}) {
        const auto there = order.versions.find(key);
        const std::string version = there == order.versions.end() ? std::string() : there->second;
        if (version != here[key])
            add("engine", Message("has {} {}, the launching machine has {}: install the same version on both, or leave "
                                  "out the host's engine so that ours is brought along",
                                  name, here[key], version));
    }
    if (!answer.problems.empty())  // another version may not even read the settings
        return answer;
    try {
        const run::RunSpec spec = run::parse_spec(order.spec, "run.yaml");
        Preflight steps("", host_steps(spec, order.run_dir, order.ranks, order.ports));
        steps.run();
        answer.found = steps.results();
        launch::check_spec(spec, order.run_dir, false);
    } catch (const InvalidInput& error) {
        for (const Problem& problem : error.problems())
            add(check_of(problem),
                problem.key.empty() ? problem.message : Message("{}: {}", problem.key, problem.message));
    } catch (const UserError& error) {
        add("settings", error.message());
    }
    return answer;
}

std::string to_json(const CheckAnswer& answer) {
    return fields::to_text(answer);
}

CheckAnswer parse_check_answer(const std::string& answer) {
    return fields::from_text<CheckAnswer>(answer, "the host's answer");
}

}  // namespace trainyard::remote
