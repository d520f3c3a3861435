// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/spec.h"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

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

Value parse(const std::string& text, const fs::path& file, std::vector<Problem>& problems) {
    return parse_yaml(text, file.string(), problems, {.aliases = true, .most_bytes = kLargestSpec});
}

/// How a field is written: a text in quotes or without, and a field that has its default value perhaps not at all.
enum class Form { quoted, bare, if_set };

// Every field of run.yaml outside of the recipe, in the order of the file.
void visit_fields(auto& machine,
                  auto&& field) requires std::same_as<std::remove_cvref_t<decltype(machine)>, MachineSpec> {
    field("host", machine.host);
    field("ranks", machine.ranks);
    field("address", machine.address);
}

void visit_fields(auto& output, auto&& field) requires std::same_as<std::remove_cvref_t<decltype(output)>, OutputSpec> {
    // In the order of their names, as all tables of texts.
    field("local_ranks_filter", output.local_ranks_filter);
    field("log_dir", output.log_dir);
    field("redirects", output.redirects);
    field("tee", output.tee);
}

void visit_fields(auto& launch, auto&& field) requires std::same_as<std::remove_cvref_t<decltype(launch)>, LaunchSpec> {
    field("num_processes", launch.num_processes);
    field("device", launch.device, Form::bare);
    field("device_library", launch.device_library, Form::if_set);
    field("main_process_ip", launch.main_process_ip, Form::bare);
    field("main_process_port", launch.main_process_port);
    field("num_cpu_threads_per_process", launch.num_cpu_threads_per_process);
    field("machines", launch.machines);
    field("max_restarts", launch.max_restarts);
    field("min_machines", launch.min_machines);
    field("join_timeout_s", launch.join_timeout_s);
    field("hang_timeout_s", launch.hang_timeout_s);
    field("stop_timeout_s", launch.stop_timeout_s);
    field("cpu_affinity", launch.cpu_affinity);
    field("gpu_ids", launch.gpu_ids, Form::if_set);
    field("output", launch.output, Form::if_set);
    field("environment", launch.environment, Form::if_set);
    field("self_check", launch.self_check, Form::if_set);
}

void visit_fields(auto& program,
                  auto&& field) requires std::same_as<std::remove_cvref_t<decltype(program)>, ProgramSpec> {
    field("command", program.command);
    field("environment", program.environment);
    field("directory", program.directory);
    field("rendezvous", program.rendezvous);
    field("role", program.role);
    field("run_id", program.run_id);
}

void visit_fields(auto& spec, auto&& field) requires std::same_as<std::remove_cvref_t<decltype(spec)>, RunSpec> {
    field("versions", spec.versions);
    field("git", spec.git);
    field("recipe_file", spec.recipe_file);
    field("command", spec.command);
}

/// Reads what is there and notes, with its place in the file, what is of another type. What is missing or null stays as it is.
class SpecReader {
  public:
    explicit SpecReader(std::string file) : file_(std::move(file)) {}

    std::vector<Problem> problems;

    /// The value of `key` of `map`; `section` is what the map is called.
    template <class Target>
    void take(const Value& map, const std::string& section, const std::string& key, Target& target) {
        read_if_any(map.find(key), section.empty() ? key : section + "." + key, target);
    }
    /// All fields of a struct; `section` as above.
    template <class Struct>
    void take_all(const Value& map, const std::string& section, Struct& target) {
        visit_fields(target, [&](const char* key, auto& member, Form = {}) { take(map, section, key, member); });
    }

  private:
    template <class Target>
    void read_if_any(const Value* value, const std::string& key, Target& target) {
        if (value != nullptr && !value->is_null())
            read(*value, key, target);
    }
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
    template <class Item>
    void read(const Value& value, const std::string& key, std::vector<Item>& target) {
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
    template <class Struct>
    requires std::is_class_v<Struct>
    void read(const Value& value, const std::string& key, Struct& target) {
        if (!value.is_map())
            return wrong(value, key, "a table of keys");
        take_all(value, key, target);
    }
    void wrong(const Value& at, const std::string& key, const Message& expected) {
        problems.push_back(
            {file_, at.line, at.column, key, Message("expected {}, got {}", expected, at.description())});
    }

    std::string file_;
};

Value value_of(const std::string& text, Form form = {}) {
    Value value(text::to_utf8(text));
    value.plain = form == Form::bare;
    return value;
}
Value value_of(double number, Form = {}) {
    return value_of(fmt::format("{:.17g}", number), Form::bare);
}
template <class Number>
requires std::is_integral_v<Number> Value value_of(Number number, Form = {}) {
    return number;
}
Value value_of(const std::map<std::string, std::string>& texts, Form = {}) {
    Value::Map map;
    for (const auto& [name, text] : texts)
        map.push_back({text::to_utf8(name), value_of(text)});
    return map;
}
template <class Item>
Value value_of(const std::vector<Item>& items, Form = {});
template <class Struct>
requires std::is_class_v<Struct> Value value_of(const Struct& from, Form = {}) {
    Value::Map map;
    visit_fields(from, [&]<class Member>(const char* key, const Member& member, Form form = {}) {
        if (form != Form::if_set || member != Member{})
            map.push_back({key, value_of(member, form)});
    });
    return map;
}
template <class Item>
Value value_of(const std::vector<Item>& items, Form) {
    Value::List list;
    for (const Item& item : items)
        list.push_back(value_of(item));
    return list;
}

}  // namespace

std::string to_yaml(const RunSpec& spec) {
    std::string text;
    if (spec.program) {
        text = block_text({{"name", value_of(spec.recipe.name)}, {"program", value_of(*spec.program)}});
    } else {
        text = "recipe:\n";
        const std::string recipe = config::to_yaml(spec.recipe);
        for (std::size_t begin = 0; begin < recipe.size();) {
            const std::size_t end = std::min(recipe.find('\n', begin), recipe.size());
            if (end > begin)
                text += "  " + recipe.substr(begin, end - begin);
            text += '\n';
            begin = end + 1;
        }
    }
    LaunchSpec launch = spec.launch;
    launch.machines = machines_of(launch);
    const Value rest = value_of(spec);
    return text + block_text({{"launch", value_of(launch)}}) + block_text(rest.entries()) +
           block_text({{"created", value_of(iso_time(spec.created))}});
}

void write_spec(const RunPaths& run, const RunSpec& spec, bool durable) {
    write_file_atomically(run.spec(), to_yaml(spec), durable);
}

bool is_spec_file(const fs::path& file) {
    std::vector<Problem> problems;  // ignored: the caller reports them when it reads the file
    const Value root = parse(read_regular_file(file, kLargestSpec), file, problems);
    return root.find("launch") != nullptr && (root.find("recipe") != nullptr || root.find("program") != nullptr);
}

namespace {

LaunchSpec read_launch(SpecReader& reader, const Value& map) {
    LaunchSpec launch;
    reader.take_all(map, "launch", launch);
    // Nothing but this machine is said by num_processes alone, which a launch of this file may change.
    LaunchSpec alone;
    alone.num_processes = launch.num_processes;
    if (launch.machines == machines_of(alone))
        launch.machines.clear();
    return launch;
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
        reader.take_all(*program, "program", spec.program.emplace());
        if (spec.program->command.empty() && reader.problems.empty())
            reader.problems.push_back({file.string(), program->line, program->column, "program.command", "is missing"});
        reader.take(root, "", "name", spec.recipe.name);
    } else {
        spec.recipe = config::read_recipe(*recipe, file);
    }
    spec.launch = read_launch(reader, *launch);
    reader.take_all(root, "", spec);
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
