// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/spec_text.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace trainyard::run {

namespace {

class TextCheck {
  public:
    void operator()(const std::string& key, const std::string& value) {
        if (!text::is_utf8(value))
            problems.push_back({"", 0, 0, key,
                                Message("'{}' is not text in UTF-8, as run.yaml must be: write it in UTF-8, "
                                        "or rename the file that it names",
                                        text::printable(value, 100))});
    }
    void operator()(const std::string& key, const std::vector<std::string>& words) {
        for (const std::string& word : words)
            (*this)(key, word);
    }

    std::vector<Problem> problems;
};

}  // namespace

std::vector<Problem> text_problems(const RunSpec& spec) {
    TextCheck check;
    if (spec.program) {
        check("name", spec.recipe.name);
        check("program.command", spec.program->command);
        for (const auto& [name, value] : spec.program->environment)
            check("program.environment", name + "=" + value);
        check("program.directory", spec.program->directory);
        check("program.role", spec.program->role);
        check("program.run_id", spec.program->run_id);
    } else {
        const std::string recipe = config::to_yaml(spec.recipe);
        for (std::size_t begin = 0; begin < recipe.size();) {
            const std::size_t end = std::min(recipe.find('\n', begin), recipe.size());
            check("recipe", recipe.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    check("launch.device", spec.launch.device);
    check("launch.device_library", spec.launch.device_library);
    check("launch.main_process_ip", spec.launch.main_process_ip);
    check("launch.output.log_dir", spec.launch.output.log_dir);
    for (const auto& [name, value] : spec.launch.environment)
        check("launch.environment", name + "=" + value);
    for (const MachineSpec& machine : spec.launch.machines)
        check("launch.machines", machine.host + " " + machine.address);
    check("recipe_file", spec.recipe_file);
    // What was wrong above was said on the command line, too: once is enough.
    if (check.problems.empty())
        check("command", spec.command);
    return std::move(check.problems);
}

}  // namespace trainyard::run
