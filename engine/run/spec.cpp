#include "run/spec.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "run/yaml_depth.h"

namespace trainyard::run {

namespace {
constexpr std::uint64_t kLargestSpec = 16u << 20;  // bytes

void emit(YAML::Emitter& out, const char* key, const std::map<std::string, std::string>& values) {
    out << YAML::Key << key << YAML::Value << YAML::BeginMap;
    for (const auto& [name, value] : values)
        out << YAML::Key << text::to_utf8(name) << YAML::Value << YAML::DoubleQuoted << text::to_utf8(value)
            << YAML::Auto;
    out << YAML::EndMap;
}

YAML::Node parse(const std::string& text, const fs::path& file) {
    try {
        return YAML::Load(text);
    } catch (const YAML::DeepRecursion& error) {
        throw InvalidInput({{file.string(), error.mark.line + 1, 0, "", too_deep_words(error)}});
    } catch (const YAML::Exception& error) {
        throw InvalidInput({{file.string(), error.mark.line + 1, error.mark.column + 1, "", error.msg}});
    }
}

YAML::Node load(const fs::path& file) {
    return parse(read_regular_file(file, kLargestSpec), file);
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

void emit_words(YAML::Emitter& out, const char* key, const std::vector<std::string>& words) {
    out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const std::string& word : words)
        out << YAML::DoubleQuoted << word;
    out << YAML::EndSeq << YAML::Auto;
}

void emit(YAML::Emitter& out, const LaunchSpec& launch) {
    out << YAML::Key << "launch" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "num_processes" << YAML::Value << launch.num_processes;
    out << YAML::Key << "device" << YAML::Value << launch.device;
    if (!launch.device_library.empty())
        out << YAML::Key << "device_library" << YAML::Value << YAML::DoubleQuoted << launch.device_library;
    out << YAML::Key << "main_process_ip" << YAML::Value << launch.main_process_ip;
    out << YAML::Key << "main_process_port" << YAML::Value << launch.main_process_port;
    out << YAML::Key << "num_cpu_threads_per_process" << YAML::Value << launch.num_cpu_threads_per_process;
    out << YAML::Key << "machines" << YAML::Value << YAML::BeginSeq;
    for (const MachineSpec& machine : machines_of(launch))
        out << YAML::Flow << YAML::BeginMap << YAML::Key << "host" << YAML::Value << YAML::DoubleQuoted << machine.host
            << YAML::Key << "ranks" << YAML::Value << machine.ranks << YAML::Key << "address" << YAML::Value
            << YAML::DoubleQuoted << machine.address << YAML::EndMap;
    out << YAML::EndSeq << YAML::Auto;
    out << YAML::Key << "max_restarts" << YAML::Value << launch.max_restarts;
    out << YAML::Key << "min_machines" << YAML::Value << launch.min_machines;
    out << YAML::Key << "join_timeout_s" << YAML::Value << launch.join_timeout_s;
    out << YAML::Key << "hang_timeout_s" << YAML::Value << launch.hang_timeout_s;
    out << YAML::Key << "stop_timeout_s" << YAML::Value << launch.stop_timeout_s;
    out << YAML::Key << "cpu_affinity" << YAML::Value << launch.cpu_affinity;
    if (!launch.gpu_ids.empty())
        out << YAML::Key << "gpu_ids" << YAML::Value << YAML::DoubleQuoted << launch.gpu_ids << YAML::Auto;
    if (launch.self_check)
        out << YAML::Key << "self_check" << YAML::Value << true;
    out << YAML::EndMap;
}

void emit(YAML::Emitter& out, const ProgramSpec& program) {
    out << YAML::Key << "program" << YAML::Value << YAML::BeginMap;
    emit_words(out, "command", program.command);
    emit(out, "environment", program.environment);
    out << YAML::Key << "directory" << YAML::Value << YAML::DoubleQuoted << program.directory << YAML::Auto;
    out << YAML::Key << "rendezvous" << YAML::Value << program.rendezvous;
    out << YAML::Key << "role" << YAML::Value << YAML::DoubleQuoted << program.role << YAML::Auto;
    out << YAML::Key << "run_id" << YAML::Value << YAML::DoubleQuoted << program.run_id << YAML::Auto;
    out << YAML::EndMap;
}

std::map<std::string, std::string> text_map(const YAML::Node& node) {
    return node.IsMap() ? node.as<std::map<std::string, std::string>>() : std::map<std::string, std::string>{};
}
}  // namespace

std::string to_yaml(const RunSpec& spec) {
    YAML::Emitter out;
    out << YAML::BeginMap;
    if (spec.program) {
        out << YAML::Key << "name" << YAML::Value << YAML::DoubleQuoted << spec.recipe.name << YAML::Auto;
        emit(out, *spec.program);
    }
    emit(out, spec.launch);
    emit(out, "versions", spec.versions);
    emit(out, "git", spec.git);
    out << YAML::Key << "recipe_file" << YAML::Value << YAML::DoubleQuoted << spec.recipe_file << YAML::Auto;
    emit_words(out, "command", spec.command);
    out << YAML::Key << "created" << YAML::Value << YAML::DoubleQuoted << iso_time(spec.created);
    out << YAML::EndMap;
    if (spec.program)
        return out.c_str() + std::string("\n");
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
    return root.IsMap() && root["launch"].IsDefined() && (root["recipe"].IsDefined() || root["program"].IsDefined());
}

namespace {

LaunchSpec read_launch(const YAML::Node& node) {
    LaunchSpec launch;
    launch.num_processes = value_or(node, "num_processes", launch.num_processes);
    launch.device = value_or(node, "device", launch.device);
    launch.device_library = value_or(node, "device_library", launch.device_library);
    launch.main_process_ip = value_or(node, "main_process_ip", launch.main_process_ip);
    launch.main_process_port = value_or(node, "main_process_port", launch.main_process_port);
    launch.num_cpu_threads_per_process =
        value_or(node, "num_cpu_threads_per_process", launch.num_cpu_threads_per_process);
    if (YAML::Node machines = node["machines"]; machines.IsDefined()) {
        if (!machines.IsSequence())
            throw UserError("machines has the wrong type");
        for (const YAML::Node& machine : machines) {
            MachineSpec one;
            one.host = value_or(machine, "host", one.host);
            one.ranks = value_or(machine, "ranks", one.ranks);
            one.address = value_or(machine, "address", one.address);
            launch.machines.push_back(one);
        }
        // Nothing but this machine is said by num_processes alone, which a launch of this file may change.
        LaunchSpec alone;
        alone.num_processes = launch.num_processes;
        if (launch.machines == machines_of(alone))
            launch.machines.clear();
    }
    launch.max_restarts = value_or(node, "max_restarts", launch.max_restarts);
    launch.min_machines = value_or(node, "min_machines", launch.min_machines);
    launch.join_timeout_s = value_or(node, "join_timeout_s", launch.join_timeout_s);
    launch.hang_timeout_s = value_or(node, "hang_timeout_s", launch.hang_timeout_s);
    launch.stop_timeout_s = value_or(node, "stop_timeout_s", launch.stop_timeout_s);
    launch.cpu_affinity = value_or(node, "cpu_affinity", launch.cpu_affinity);
    launch.gpu_ids = value_or(node, "gpu_ids", launch.gpu_ids);
    launch.self_check = value_or(node, "self_check", launch.self_check);
    return launch;
}

ProgramSpec read_program(const YAML::Node& node) {
    ProgramSpec program;
    program.command = value_or(node, "command", program.command);
    if (program.command.empty())
        throw UserError("program.command is missing");
    program.environment = text_map(node["environment"]);
    program.directory = value_or(node, "directory", program.directory);
    program.rendezvous = value_or(node, "rendezvous", program.rendezvous);
    program.role = value_or(node, "role", program.role);
    program.run_id = value_or(node, "run_id", program.run_id);
    return program;
}

}  // namespace

std::vector<MachineSpec> machines_of(const LaunchSpec& launch) {
    if (!launch.machines.empty())
        return launch.machines;
    return {{.host = "localhost", .ranks = launch.num_processes, .address = {}}};
}

RunSpec read_spec(const fs::path& file) {
    return parse_spec(read_regular_file(file, kLargestSpec), file);
}

RunSpec parse_spec(const std::string& yaml, const fs::path& file) {
    YAML::Node root = parse(yaml, file);
    if (!root.IsMap() || !(root["recipe"].IsMap() || root["program"].IsMap()) || !root["launch"].IsMap())
        throw UserError(file.string() + " is not a run.yaml: it needs the sections launch, and recipe or program");
    RunSpec spec;
    if (!root["program"].IsMap())
        spec.recipe = config::parse_recipe(YAML::Dump(root["recipe"]), file);
    try {
        if (root["program"].IsMap()) {
            spec.program = read_program(root["program"]);
            spec.recipe.name = value_or(root, "name", spec.recipe.name);
        }
        spec.launch = read_launch(root["launch"]);
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
