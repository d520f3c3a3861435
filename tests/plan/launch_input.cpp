// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/launch_input.h"

#include <algorithm>
#include <fstream>
#include <map>

#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include "base/error.h"
#include "launch/plan/plan.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

namespace fs = std::filesystem;

std::string flag_name(std::string flag) {
    flag.erase(0, flag.find_first_not_of('-'));
    std::ranges::replace(flag, '-', '_');
    return flag.substr(0, flag.find('='));
}

namespace {

/// Number of the first word that is the program: flags with a value take the next word.
std::size_t program_at(const std::vector<std::string>& flags) {
    static const std::vector<std::string> kAlone = {"cpu",
                                                    "multi_gpu",
                                                    "tpu",
                                                    "use_deepspeed",
                                                    "use_fsdp",
                                                    "use_megatron_lm",
                                                    "use_parallelism_config",
                                                    "module",
                                                    "no_python",
                                                    "debug",
                                                    "quiet",
                                                    "same_network",
                                                    "enable_cpu_affinity",
                                                    "downcast_bf16",
                                                    "tpu_cluster",
                                                    "no_tpu_cluster",
                                                    "tpu_use_sudo",
                                                    "dynamo_use_fullgraph",
                                                    "dynamo_use_dynamic",
                                                    "dynamo_use_regional_compilation",
                                                    "fp8_use_autocast_during_eval",
                                                    "m",
                                                    "q"};
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (!flags[i].starts_with("-"))
            return i;
        bool alone = std::ranges::find(kAlone, flag_name(flags[i])) != kAlone.end();
        if (!alone && flags[i].find('=') == std::string::npos)
            ++i;
    }
    return flags.size();
}

settings::Machine described(const LaunchInput& input) {
    settings::Machine machine;
    machine.device = input.machine_value<std::string>("device", "cuda");
    machine.device_count = input.machine_value("device_count", 0);
    machine.physical_cores = input.machine_value("physical_cores", 8);
    machine.ports_in_use = input.machine_value("ports_in_use", std::vector<int>());
    machine.free_port = input.machine_value("free_port", 43210);
    machine.mpi = "openmpi";
    if (input.machine.contains("mpi"))
        machine.mpi =
            input.machine["mpi"].is_null() ? std::nullopt : std::optional(input.machine["mpi"].get<std::string>());
    machine.deepspeed = "0.18.0";
    if (input.machine.contains("deepspeed"))
        machine.deepspeed = input.machine["deepspeed"].is_null()
                                ? std::nullopt
                                : std::optional(input.machine["deepspeed"].get<std::string>());
    machine.fp8 = input.machine_value("fp8", true);
    machine.bf16 = input.machine_value("bf16", true);
    machine.tpu = input.machine_value("tpu", false);
    machine.p2p_ok = input.machine_value("p2p_ok", true);
    return machine;
}

/// In a folder of its own and back.
class WorkingFolder {
  public:
    WorkingFolder() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
    ~WorkingFolder() { fs::current_path(before_); }
    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;
    std::string hidden(std::string text) const {  ///< CWD for the folder
        std::string path = fs::current_path().string();
        for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at))
            text.replace(at, path.size(), "CWD");
        return text;
    }

  private:
    TemporaryFolder folder_;
    fs::path before_;
};

Json torchrun(const plan::Rendezvous& rendezvous) {
    return {{"nnodes", rendezvous.nnodes},
            {"nproc_per_node", std::to_string(rendezvous.nproc_per_node)},
            {"node_rank", rendezvous.node_rank},
            {"master_addr", rendezvous.master_addr},
            {"master_port", std::to_string(rendezvous.master_port)},
            {"rdzv_backend", rendezvous.rdzv_backend},
            {"rdzv_endpoint", rendezvous.rdzv_endpoint},
            {"rdzv_conf", rendezvous.rdzv_conf},
            {"standalone", rendezvous.standalone},
            {"max_restarts", rendezvous.max_restarts},
            {"monitor_interval", rendezvous.monitor_interval},
            {"role", rendezvous.role},
            {"tee", rendezvous.tee},
            {"log_dir", rendezvous.log_dir}};
}

/// The ranks' own variables must fit the rendezvous; a fault is an entry in "bad_ranks".
Json bad_ranks(const plan::Plan& plan) {
    Json bad = Json::array();
    int local = 0;
    for (const plan::RankPlan& rank : plan.ranks) {
        const auto& env = rank.environment;
        bool fits = rank.local_rank == local++ && env.at("RANK") == std::to_string(rank.rank) &&
                    env.at("LOCAL_RANK") == std::to_string(rank.local_rank) &&
                    env.at("WORLD_SIZE") == std::to_string(plan.world_size) &&
                    env.at("LOCAL_WORLD_SIZE") == std::to_string(plan.ranks.size()) && rank.rank < plan.world_size &&
                    !env.at("MASTER_ADDR").empty() && env.at("MASTER_PORT") != "0";
        if (!fits)
            bad.push_back(rank.rank);
    }
    if (plan.starter == plan::Starter::ranks && static_cast<int>(plan.ranks.size()) != plan.rendezvous->nproc_per_node)
        bad.push_back("their number");
    return bad;
}

Json described(const plan::Plan& plan, const LaunchInput& input, const WorkingFolder& here) {
    Json out = Json::object();
    out["launcher"] = plan::starter_name(plan.starter);
    std::vector<std::string> command;
    for (const std::string& word : plan.command)
        command.push_back(here.hidden(word));
    out["command"] = command;
    out["env"] = Json::object();
    for (const auto& [name, value] : plan.environment) {
        std::string before = name == "PATH" ? "/usr/bin" : input.env.value(name, std::string());
        if (here.hidden(value) != before || !(input.env.contains(name) || name == "PATH"))
            out["env"][name] = here.hidden(value);
    }
    if (plan.rendezvous)
        out["torchrun"] = torchrun(*plan.rendezvous);
    if (plan.starter == plan::Starter::ranks)
        out["bad_ranks"] = bad_ranks(plan);
    if (!plan.deepspeed_env_file.empty()) {
        std::vector<std::string> lines;
        for (const std::string& line : plan.deepspeed_env_file)
            if (!input.env.contains(line.substr(0, line.find('='))))
                lines.push_back(here.hidden(line));
        std::ranges::sort(lines);
        out["deepspeed_env_file"] = lines;
    }
    if (plan.sagemaker) {
        out["estimator"] = Json::parse(plan.sagemaker->request);
        out["inputs"] = plan.sagemaker->inputs.empty() ? Json() : Json::parse(plan.sagemaker->inputs);
    }
    out["log"] = plan.warnings;
    return out;
}

}  // namespace

LaunchInput LaunchInput::from(const Json& json) {
    LaunchInput input;
    input.flags = json.at("flags").get<std::vector<std::string>>();
    input.has_config = json.contains("config") && !json["config"].is_null();
    if (input.has_config)
        input.config = json["config"].get<std::string>();
    input.config_is_default = json.value("config_is_default", false);
    input.machine = json.value("machine", Json::object());
    input.env = json.value("env", Json::object());
    input.files = json.value("files", Json::object());
    return input;
}

bool LaunchInput::typed(const std::string& flag) const {
    std::size_t end = program_at(flags);
    return std::any_of(flags.begin(), flags.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const std::string& word) { return word.starts_with("--") && flag_name(word) == flag; });
}

std::string LaunchInput::value_of(const std::string& flag) const {
    std::string value;
    std::size_t end = program_at(flags);
    for (std::size_t i = 0; i < end; ++i) {
        if (!flags[i].starts_with("--") || flag_name(flags[i]) != flag)
            continue;
        std::size_t equals = flags[i].find('=');
        value = equals != std::string::npos ? flags[i].substr(equals + 1) : i + 1 < flags.size() ? flags[i + 1] : "";
    }
    return value;
}

std::vector<std::string> LaunchInput::program() const {
    auto at = flags.begin() + static_cast<std::ptrdiff_t>(program_at(flags));
    return {at, flags.end()};
}

void LaunchInput::add_flags(const std::vector<std::string>& words) {
    flags.insert(flags.begin(), words.begin(), words.end());
}

bool LaunchInput::file_counts() const {
    return has_config && !(config_is_default && typed("cpu"));
}

std::string LaunchInput::config_value(const std::string& path) const {
    if (!file_counts())
        return "";
    try {
        static std::map<std::string, YAML::Node> read;  // the rules ask often
        auto known = read.find(config);
        if (known == read.end())
            known = read.emplace(config, YAML::Load(config)).first;
        YAML::Node node = known->second;
        std::size_t dot = path.find('.');
        if (dot != std::string::npos)
            node.reset(static_cast<const YAML::Node&>(node)[path.substr(0, dot)]);
        if (!node.IsDefined() || !node.IsMap())
            return "";
        YAML::Node value = static_cast<const YAML::Node&>(node)[path.substr(dot == std::string::npos ? 0 : dot + 1)];
        if (!value.IsDefined() || value.IsNull())
            return "";
        return value.IsScalar() ? value.Scalar() : YAML::Dump(value);
    } catch (const YAML::Exception&) {
        return "";
    }
}

Json answer(const LaunchInput& input) {
    WorkingFolder here;
    ::setenv("HF_HOME", (fs::current_path() / "home").c_str(), 1);
    ::unsetenv("TRAINYARD_CONFIG");
    for (const auto& [name, text] : input.files.items())
        std::ofstream(name) << text.get<std::string>();
    std::vector<std::string> words = input.flags;
    if (input.has_config && input.config_is_default) {
        fs::create_directories("home/accelerate");
        std::ofstream("home/accelerate/default_config.yaml") << input.config;
    } else if (input.has_config) {
        std::ofstream("config.yaml") << input.config;
        words.insert(words.begin(), {"--config_file", "config.yaml"});
    }
    plan::EnvironmentMap environment{{"PATH", "/usr/bin"}};
    for (const auto& [name, value] : input.env.items())
        environment[name] = value.get<std::string>();
    try {
        settings::Machine machine = described(input);
        plan::Flags flags = plan::parse_flags(words);
        std::optional<settings::Loaded> file;
        if (std::string name = plan::settings_file(flags); !name.empty())
            file = settings::load_settings(name);
        plan::Resolved resolved = plan::resolve(flags, file, machine, environment);
        return described(plan::make_plan(flags, resolved, machine, environment, "PYTHON"), input, here);
    } catch (const UserError& error) {
        return {{"error", {{"message", here.hidden(error.what())}}}};
    }
}

}  // namespace trainyard::test
