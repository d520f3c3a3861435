// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/launch_rules.h"

#include <algorithm>
#include <regex>
#include <set>

#include "base/truth.h"
#include "config/accelerate/schema.h"
#include "config/values/value.h"

namespace trainyard::test {

namespace {

/// Variables of keys that are truth values: readers take `1`, `true` and `True` alike.
const std::set<std::string>& truth_variables() {
    static const std::set<std::string> names = [] {
        std::set<std::string> made{"ACCELERATE_FP8_OVERRIDE_FPROP", "ACCELERATE_FP8_OVERRIDE_DGRAD",
                                   "ACCELERATE_FP8_OVERRIDE_WGRAD"};
        for (const settings::Key& key : settings::schema())
            if (key.type == settings::Type::boolean && !key.environment.name.empty())
                made.emplace(key.environment.name);
        return made;
    }();
    return names;
}

std::string truth(const std::string& name, const std::string& value) {
    Truth truth = truth_of(value);
    if (!truth_variables().contains(name) || truth == Truth::neither)
        return value;
    return truth == Truth::yes ? "true" : "false";
}

Json with_truth(const Json& environment) {
    Json out = Json::object();
    for (const auto& [name, value] : environment.items())
        out[name] = value.is_string() ? Json(truth(name, value.get<std::string>())) : value;
    return out;
}

Json lines_with_truth(const Json& lines) {
    std::set<std::string> out;
    for (const Json& entry : lines) {
        std::string line = entry.get<std::string>(), name = line.substr(0, line.find('='));
        out.insert(name + "=" + truth(name, line.substr(name.size() + 1)));
    }
    return out;
}

std::string number_text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// `--num_processes` was set to a value of `2` -> {"num_processes": "2"}
Json assumptions(const Json& log) {
    static const std::regex kLine("`--([a-z_0-9]+)` was set to (?:a value of )?`'?([^`']*)'?`");
    Json out = Json::object();
    for (const Json& entry : log) {
        std::string text = entry.get<std::string>();
        for (std::sregex_iterator at(text.begin(), text.end(), kLine), end; at != end; ++at)
            out[(*at)[1].str()] = (*at)[2].str();
    }
    return out;
}

Json own_assumptions(const Json& log) {
    static const std::regex kFlag("--([a-z_0-9]+) ([^, ]+)");
    Json out = Json::object();
    for (const Json& entry : log) {
        std::string text = entry.get<std::string>();
        if (text.rfind("Assumed", 0) != 0)
            continue;
        for (std::sregex_iterator at(text.begin(), text.end(), kFlag), end; at != end; ++at)
            out[(*at)[1].str()] = (*at)[2].str();
    }
    return out;
}

bool mentions(const Json& log, const std::string& words) {
    return std::ranges::any_of(
        log, [&](const Json& entry) { return entry.get<std::string>().find(words) != std::string::npos; });
}

void compare(const char* what, const Json& expected, const Json& answer, std::string& out) {
    if (expected != answer)
        out += std::string(what) + ": expected " + expected.dump() + ", answered " + answer.dump() + "\n";
}

}  // namespace

Json normalised(const LaunchInput& input, Json e) {
    if (e.contains("error"))
        return e;
    std::string launcher = e["launcher"];
    if (launcher == "torchrun") {
        e["launcher"] = "ranks";
        Json& torchrun = e["torchrun"];
        torchrun.erase("module");
        torchrun.erase("no_python");
        torchrun["master_port"] = number_text(torchrun["master_port"]);
        torchrun["nproc_per_node"] = number_text(torchrun["nproc_per_node"]);
        if (torchrun["log_dir"].is_null())
            torchrun["log_dir"] = "";
        if (torchrun["standalone"] == true) {  // torchrun looks for a port itself; the product has one ready
            torchrun["master_port"] = std::to_string(input.machine_value("free_port", 43210));
            bool module = input.typed("module") || std::ranges::count(input.flags, std::string("-m")) > 0;
            std::vector<std::string> words;
            if (!input.typed("no_python"))
                words =
                    module ? std::vector<std::string>{"PYTHON", "-u", "-m"} : std::vector<std::string>{"PYTHON", "-u"};
            for (std::string& word : input.program())
                words.push_back(std::move(word));
            e["worker_command"] = words;
        }
        e["command"] = e["worker_command"];
        e.erase("worker_command");
        e["bad_ranks"] = Json::array();
    } else if (launcher == "process" && e["command"][0] == "deepspeed") {
        e["launcher"] = "deepspeed";
    }
    Json log = e.value("log", Json::array());
    e.erase("log");
    e["assumed"] = assumptions(log);
    e["port_in_use"] = mentions(log, "is already in use");
    e["no_peer_access"] = mentions(log, "RTX 4000");
    return e;
}

Json with_facts(Json answer) {
    if (answer.contains("error"))
        return answer;
    Json log = answer["log"];
    answer.erase("log");
    answer["assumed"] = own_assumptions(log);
    answer["port_in_use"] = mentions(log, "is in use by another program");
    answer["no_peer_access"] = mentions(log, "RTX 40 cards");
    return answer;
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> made;
        for (auto* part : {input_rules, setting_rules, count_rules, cloud_rules})
            for (Rule& rule : part())
                made.push_back(std::move(rule));
        return made;
    }();
    return all;
}

Json judged(const LaunchInput& input, const Json& accelerate, std::vector<std::string>& applied) {
    Json expected = normalised(input, accelerate);
    for (const Rule& rule : rules()) {
        if (!rule.applies(input, expected))
            continue;
        applied.emplace_back(rule.name);
        if (rule.instead)
            expected = with_facts(answer(rule.instead(input)));
        if (rule.adapt && (!rule.instead || !expected.contains("error")))
            rule.adapt(input, expected);
        if (rule.instead)
            return expected;
    }
    return expected;
}

std::string difference(const Json& expected, const Json& answer) {
    std::string out;
    if (expected.contains("error") != answer.contains("error")) {
        compare("outcome", expected, answer, out);
        return out;
    }
    if (expected.contains("error"))
        return answer["error"]["message"].get<std::string>().empty() ? "refused without a word" : "";
    auto without_environment = [](Json estimator) {
        if (estimator.is_object())
            estimator.erase("environment");
        return estimator;
    };
    compare("estimator", without_environment(expected.value("estimator", Json())),
            without_environment(answer.value("estimator", Json())), out);
    for (const char* part : {"launcher", "torchrun", "inputs", "assumed", "port_in_use", "no_peer_access", "bad_ranks"})
        if (expected.contains(part) || answer.contains(part))
            compare(part, expected.value(part, Json()), answer.value(part, Json()), out);
    if (expected.contains("estimator") && answer.contains("estimator"))
        compare("environment of the job", with_truth(expected["estimator"]["environment"]),
                with_truth(answer["estimator"]["environment"]), out);
    bool has_command = expected.contains("command");  // TPU and SageMaker run inside Accelerate's process
    if (has_command)
        compare("command", expected["command"], answer["command"], out);
    compare("env", with_truth(expected["env"]), with_truth(answer["env"]), out);
    if (expected.contains("deepspeed_env_file") || answer.contains("deepspeed_env_file"))
        compare("deepspeed_env_file", lines_with_truth(expected.value("deepspeed_env_file", Json::array())),
                lines_with_truth(answer.value("deepspeed_env_file", Json::array())), out);
    return out;
}

bool is_true(const std::string& text) {
    return truth_of(text) == Truth::yes;
}

std::string setting(const LaunchInput& input, const std::string& flag, const std::string& path) {
    return input.typed(flag) ? input.value_of(flag) : input.config_value(path);
}

bool paradigm_typed(const LaunchInput& input) {
    return std::ranges::any_of(
        std::vector<std::string>{"multi_gpu", "tpu", "tpu_cluster", "use_deepspeed", "use_fsdp", "use_megatron_lm"},
        [&](const std::string& flag) { return input.typed(flag); });
}

std::string type_asked(const LaunchInput& input) {
    if (paradigm_typed(input))
        return input.typed("use_deepspeed")     ? "DEEPSPEED"
               : input.typed("use_fsdp")        ? "FSDP"
               : input.typed("use_megatron_lm") ? "MEGATRON_LM"
               : input.typed("multi_gpu")       ? "MULTI"
                                                : "XLA";
    std::string type = input.config_value("distributed_type");
    if (type == "TPU")
        return "XLA";
    if (type.rfind("MULTI_", 0) == 0 && type != "MULTI_CPU")
        return "MULTI";
    return type.empty() ? "NO" : type;
}

bool is_sagemaker(const LaunchInput& input) {
    return input.config_value("compute_environment") == "AMAZON_SAGEMAKER";
}

bool on_cpu(const LaunchInput& input) {
    return input.typed("cpu") || type_asked(input) == "MULTI_CPU" ||
           (type_asked(input) == "NO" && is_true(input.config_value("use_cpu")));
}

int processes(const LaunchInput& input) {
    std::string said = setting(input, "num_processes", "num_processes");
    if (!said.empty() && said != "-1")
        return std::atoi(said.c_str());
    if (input.file_counts() || input.typed("cpu"))
        return 1;
    return std::max(1, input.machine_value("device_count", 0));
}

int machines(const LaunchInput& input) {
    std::string said = setting(input, "num_machines", "num_machines");
    return said.empty() ? 1 : std::atoi(said.c_str());
}

int machine_rank(const LaunchInput& input) {
    std::string said = setting(input, "machine_rank", "machine_rank");
    if (said.empty())
        return input.file_counts() ? 0 : -1;
    return std::atoi(said.c_str());
}

int ranks_here(const LaunchInput& input) {
    int all = processes(input), over = std::max(1, machines(input)), rank = over > 1 ? machine_rank(input) : 0;
    return all / over + (rank >= 0 && rank < all % over ? 1 : 0);
}

std::string hostfile(const LaunchInput& input) {
    return setting(input, "mpirun_hostfile", "mpirun_config.mpirun_hostfile");
}

}  // namespace trainyard::test
