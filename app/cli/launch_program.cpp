#include "cli/launch_program.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/launch_recipe.h"
#include "cli/rank_group.h"
#include "plan/plan.h"

namespace trainyard::cli {

namespace {

std::string interpreter() {
    const char* named = std::getenv("TRAINYARD_PYTHON");
    return named == nullptr || *named == '\0' ? "python3" : named;
}

std::vector<std::string> entries(const plan::EnvironmentMap& environment) {
    std::vector<std::string> all;
    for (const auto& [name, value] : environment)
        all.push_back(name + "=" + value);
    return all;
}

/// This process becomes the program: signals, terminal and exit code are its own.
[[noreturn]] void become(const plan::Plan& made, plan::EnvironmentMap environment) {
    for (const auto& [name, value] : made.environment)
        environment[name] = value;
    std::vector<std::string> words = made.command, variables = entries(environment);
    std::vector<char*> arguments, pointers;
    for (std::string& word : words)
        arguments.push_back(word.data());
    for (std::string& variable : variables)
        pointers.push_back(variable.data());
    arguments.push_back(nullptr);
    pointers.push_back(nullptr);
    std::fflush(nullptr);
    ::execvpe(arguments[0], arguments.data(), pointers.data());
    throw UserError(fmt::format("{} cannot be started: {}: check its name and its rights{}", made.command[0],
                                std::strerror(errno),
                                made.command[0] == interpreter() ? ", or name a Python in TRAINYARD_PYTHON" : ""));
}

/// Where the deepspeed program looks for what the other machines need.
void append_deepspeed_file(const std::vector<std::string>& lines) {
    if (lines.empty())
        return;
    const char* name = ".deepspeed_env";
    FileDescriptor file(::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw UserError(
            fmt::format("{} cannot be written in this folder: {}: start from another one", name, std::strerror(errno)));
}

}  // namespace

int launch_program(const plan::Flags& flags) {
    for (const char* name : {"run_dir", "set", "detach"})
        if (flags.has(name))
            throw UserError(fmt::format("--{} is for recipes: leave it out for {}", name, flags.program));
    LaunchSettings launch = resolve_launch(flags);
    plan::Plan made = plan::make_plan(flags, launch.resolved, launch.machine, launch.environment, interpreter());
    if (flags.is_on("dry_run")) {
        std::string text =
            flags.is_on("json") ? plan::plan_json(made, launch.resolved) : plan::plan_text(made, launch.resolved);
        std::fputs(text.c_str(), stdout);
        return kExitDone;
    }
    if (made.starter == plan::Starter::sagemaker || made.starter == plan::Starter::tpu_pod)
        throw UserError(fmt::format("this version does not start jobs on {}: --dry-run prints what would be started",
                                    made.starter == plan::Starter::sagemaker ? "Amazon SageMaker" : "TPU pods"));
    if (!flags.is_on("quiet"))
        for (const std::string& warning : made.warnings)
            std::fprintf(stderr, "trainyard: note: %s\n", warning.c_str());
    if (made.starter == plan::Starter::ranks)
        return run_ranks(made, launch.environment);
    append_deepspeed_file(made.deepspeed_env_file);
    become(made, launch.environment);
}

}  // namespace trainyard::cli
