#include "run/spec.h"

#include <yaml-cpp/yaml.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

namespace trainyard::run {

namespace {
void emit(YAML::Emitter& out, const char* key, const std::map<std::string, std::string>& values) {
    out << YAML::Key << key << YAML::Value << YAML::BeginMap;
    for (const auto& [name, value] : values)
        out << YAML::Key << name << YAML::Value << YAML::DoubleQuoted << value << YAML::Auto;
    out << YAML::EndMap;
}

YAML::Node load(const fs::path& file) {
    std::string text = read_file(file, 16u << 20);
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception& error) {
        throw InvalidInput({{file.string(), error.mark.line + 1, error.mark.column + 1, "", error.msg}});
    }
}

/// Unlike YAML's own as<T>(otherwise), a value that is there and wrong is an error.
template <typename T>
T value_or(const YAML::Node& map, const char* key, const T& otherwise) {
    YAML::Node node = map[key];
    if (!node.IsDefined() || node.IsNull())
        return otherwise;
    try {
        return node.as<T>();
    } catch (const YAML::Exception&) {
        throw UserError(std::string(key) + " has the wrong type");
    }
}

std::map<std::string, std::string> text_map(const YAML::Node& node) {
    return node.IsMap() ? node.as<std::map<std::string, std::string>>() : std::map<std::string, std::string>{};
}
}  // namespace

std::string to_yaml(const RunSpec& spec) {
    YAML::Emitter out;
    out << YAML::BeginMap;
    out << YAML::Key << "launch" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "num_processes" << YAML::Value << spec.launch.num_processes;
    out << YAML::Key << "device" << YAML::Value << spec.launch.device;
    out << YAML::Key << "main_process_ip" << YAML::Value << spec.launch.main_process_ip;
    out << YAML::Key << "main_process_port" << YAML::Value << spec.launch.main_process_port;
    out << YAML::Key << "num_cpu_threads_per_process" << YAML::Value << spec.launch.num_cpu_threads_per_process;
    out << YAML::Key << "hosts" << YAML::Value << YAML::Flow << spec.launch.hosts;
    out << YAML::EndMap;
    emit(out, "versions", spec.versions);
    emit(out, "git", spec.git);
    out << YAML::Key << "recipe_file" << YAML::Value << YAML::DoubleQuoted << spec.recipe_file << YAML::Auto;
    out << YAML::Key << "command" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const std::string& word : spec.command)
        out << YAML::DoubleQuoted << word;
    out << YAML::EndSeq << YAML::Auto;
    out << YAML::Key << "created" << YAML::Value << YAML::DoubleQuoted << iso_time(spec.created);
    out << YAML::EndMap;
    std::string text = "recipe:\n";
    std::string recipe = config::to_yaml(spec.recipe);
    for (std::size_t begin = 0; begin < recipe.size();) {
        std::size_t end = std::min(recipe.find('\n', begin), recipe.size());
        if (end > begin)
            text += "  " + recipe.substr(begin, end - begin);
        text += '\n';
        begin = end + 1;
    }
    return text + out.c_str() + "\n";
}

void write_spec(const RunPaths& run, const RunSpec& spec, bool durable) {
    write_file_atomically(run.spec(), to_yaml(spec), durable);
}

bool is_spec_file(const fs::path& file) {
    YAML::Node root = load(file);
    return root.IsMap() && root["recipe"].IsDefined() && root["launch"].IsDefined();
}

RunSpec read_spec(const fs::path& file) {
    YAML::Node root = load(file);
    if (!root.IsMap() || !root["recipe"].IsMap() || !root["launch"].IsMap())
        throw UserError(file.string() + " is not a run.yaml: it needs the sections recipe and launch");
    RunSpec spec;
    spec.recipe = config::parse_recipe(YAML::Dump(root["recipe"]), file);
    try {
        YAML::Node launch = root["launch"];
        LaunchSpec defaults;
        spec.launch.num_processes = value_or(launch, "num_processes", defaults.num_processes);
        spec.launch.device = value_or(launch, "device", defaults.device);
        spec.launch.main_process_ip = value_or(launch, "main_process_ip", defaults.main_process_ip);
        spec.launch.main_process_port = value_or(launch, "main_process_port", defaults.main_process_port);
        spec.launch.num_cpu_threads_per_process =
            value_or(launch, "num_cpu_threads_per_process", defaults.num_cpu_threads_per_process);
        spec.launch.hosts = value_or(launch, "hosts", defaults.hosts);
        spec.versions = text_map(root["versions"]);
        spec.git = text_map(root["git"]);
        spec.recipe_file = value_or(root, "recipe_file", std::string());
        spec.command = value_or(root, "command", std::vector<std::string>());
        std::string created = value_or(root, "created", std::string());
        spec.created = created.empty() ? 0 : parse_iso_time(created);
    } catch (const std::exception& error) {
        throw UserError(file.string() + ": " + error.what());
    }
    return spec;
}

}  // namespace trainyard::run
