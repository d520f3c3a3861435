#include "run/spec.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "config/values/value_formats.h"

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

Value parse(const std::string& text, const fs::path& file, std::vector<Problem>& problems) {
    return parse_yaml(text, file.string(), problems, {.aliases = true, .most_bytes = kLargestSpec});
}

/// Reads what is there and notes, with its place in the file, what is of another type. What is missing or null stays as it is.
class SpecReader {
  public:
    explicit SpecReader(std::string file) : file_(std::move(file)) {}

    std::vector<Problem> problems;

    template <class Number>
    requires std::is_arithmetic_v<Number>
    void read(const Value& value, const std::string& key, Number& target) {
        const auto number = parse_number<Number>(value.spelling());
        if (!value.is_scalar() || !number)
            return wrong(value, key, "a number");
        target = *number;
    }
    void read(const Value& value, const std::string& key, bool& target) {
        if (!value.is_scalar() || (value.spelling() != "true" && value.spelling() != "false"))
            return wrong(value, key, "true or false");
        target = value.spelling() == "true";
    }
    void read(const Value& value, const std::string& key, std::string& target) {
        if (!value.is_scalar())
            return wrong(value, key, "a text");
        target = value.spelling();
    }
    void read(const Value& value, const std::string& key, std::vector<std::string>& target) {
        if (!value.is_list())
            return wrong(value, key, "a list");
        target.clear();
        for (const Value& item : value.items())
            read(item, key, target.emplace_back());
    }
    void read(const Value& value, const std::string& key, std::map<std::string, std::string>& target) {
        if (!value.is_map())
            return wrong(value, key, "a table of keys");
        for (const auto& [name, entry] : value.entries())
            read_if_any(&entry, key + "." + name, target[name]);
    }
    void read(const Value& value, const std::string& key, std::vector<MachineSpec>& target) {
        if (!value.is_list())
            return wrong(value, key, "a list");
        for (const Value& item : value.items()) {
            MachineSpec& machine = target.emplace_back();
            if (!item.is_map())
                wrong(item, key, "a table of keys");
            take(item, key, "host", machine.host);
            take(item, key, "ranks", machine.ranks);
            take(item, key, "address", machine.address);
        }
    }

    void read(const Value& value, const std::string& key, OutputSpec& target) {
        if (!value.is_map())
            return wrong(value, key, "a table of keys");
        take(value, key, "redirects", target.redirects);
        take(value, key, "tee", target.tee);
        take(value, key, "local_ranks_filter", target.local_ranks_filter);
        take(value, key, "log_dir", target.log_dir);
    }

    /// The value of `key` of `map`; `section` is what the map is called.
    template <class Target>
    void take(const Value& map, const std::string& section, const std::string& key, Target& target) {
        read_if_any(map.find(key), section.empty() ? key : section + "." + key, target);
    }

  private:
    template <class Target>
    void read_if_any(const Value* value, const std::string& key, Target& target) {
        if (value != nullptr && !value->is_null())
            read(*value, key, target);
    }
    void wrong(const Value& at, const std::string& key, const Message& expected) {
        problems.push_back(
            {file_, at.line, at.column, key, Message("expected {}, got {}", expected, at.description())});
    }

    std::string file_;
};

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
    if (launch.output != OutputSpec{})
        emit(out, "output",
             {{"redirects", launch.output.redirects},
              {"tee", launch.output.tee},
              {"local_ranks_filter", launch.output.local_ranks_filter},
              {"log_dir", launch.output.log_dir}});
    if (!launch.environment.empty())
        emit(out, "environment", launch.environment);
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
    std::vector<Problem> problems;  // said by whoever reads the file as what it is then taken for
    const Value root = parse(read_regular_file(file, kLargestSpec), file, problems);
    return root.find("launch") != nullptr && (root.find("recipe") != nullptr || root.find("program") != nullptr);
}

namespace {

LaunchSpec read_launch(SpecReader& reader, const Value& map) {
    LaunchSpec launch;
    const auto take = [&](const char* key, auto& target) { reader.take(map, "launch", key, target); };
    take("num_processes", launch.num_processes);
    take("device", launch.device);
    take("device_library", launch.device_library);
    take("main_process_ip", launch.main_process_ip);
    take("main_process_port", launch.main_process_port);
    take("num_cpu_threads_per_process", launch.num_cpu_threads_per_process);
    take("machines", launch.machines);
    take("max_restarts", launch.max_restarts);
    take("min_machines", launch.min_machines);
    take("join_timeout_s", launch.join_timeout_s);
    take("hang_timeout_s", launch.hang_timeout_s);
    take("stop_timeout_s", launch.stop_timeout_s);
    take("cpu_affinity", launch.cpu_affinity);
    take("gpu_ids", launch.gpu_ids);
    take("output", launch.output);
    take("environment", launch.environment);
    take("self_check", launch.self_check);
    // Nothing but this machine is said by num_processes alone, which a launch of this file may change.
    LaunchSpec alone;
    alone.num_processes = launch.num_processes;
    if (launch.machines == machines_of(alone))
        launch.machines.clear();
    return launch;
}

ProgramSpec read_program(SpecReader& reader, const Value& map, const fs::path& file) {
    ProgramSpec program;
    const auto take = [&](const char* key, auto& target) { reader.take(map, "program", key, target); };
    take("command", program.command);
    take("environment", program.environment);
    take("directory", program.directory);
    take("rendezvous", program.rendezvous);
    take("role", program.role);
    take("run_id", program.run_id);
    if (program.command.empty() && reader.problems.empty())
        reader.problems.push_back({file.string(), map.line, map.column, "program.command", "is missing"});
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
    SpecReader reader(file.string());
    const Value root = parse(yaml, file, reader.problems);
    if (!reader.problems.empty())
        throw InvalidInput(std::move(reader.problems));
    const Value *recipe = root.find("recipe"), *program = root.find("program"), *launch = root.find("launch");
    const auto is_map = [](const Value* value) { return value != nullptr && value->is_map(); };
    if (!is_map(launch) || !(is_map(recipe) || is_map(program)))
        throw UserError("{} is not a run.yaml: it needs the sections launch, and recipe or program", file.string());
    RunSpec spec;
    if (is_map(program)) {
        spec.program = read_program(reader, *program, file);
        reader.take(root, "", "name", spec.recipe.name);
    } else {
        spec.recipe = config::read_recipe(*recipe, file);
    }
    spec.launch = read_launch(reader, *launch);
    reader.take(root, "", "versions", spec.versions);
    reader.take(root, "", "git", spec.git);
    reader.take(root, "", "recipe_file", spec.recipe_file);
    reader.take(root, "", "command", spec.command);
    std::string created;
    reader.take(root, "", "created", created);
    std::ranges::stable_sort(reader.problems, {},
                             [](const Problem& problem) { return std::pair(problem.line, problem.column); });
    if (!reader.problems.empty())
        throw InvalidInput(std::move(reader.problems));
    try {
        spec.created = created.empty() ? 0 : parse_iso_time(created);
    } catch (const std::exception& error) {
        throw UserError("{}: created: {}", file.string(), message_of(error));
    }
    return spec;
}

}  // namespace trainyard::run
