// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/slurm_script.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::launch {

namespace {

/// Characters that SLURM's option parser and the comment line take as they are.
bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-.,:;/=+@%[]()*&|!<>#~^{}?").find(c) != std::string_view::npos;
}

void check_option(const char* key, const std::string& value, std::vector<Problem>& problems) {
    if (std::ranges::all_of(value, is_plain))
        return;
    problems.push_back(
        {"", 0, 0, key, Message("'{}' has blanks or characters that an option of sbatch cannot have", value)});
}

/// In double quotes, which sbatch understands in its own lines; `check_path` has seen to what cannot be quoted there.
std::string quoted_path(const std::filesystem::path& path) {
    return "\"" + path.string() + "\"";
}

void check_path(const char* key, const std::filesystem::path& path, std::vector<Problem>& problems) {
    std::string text = path.string();
    bool good =
        std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\' || c == 0x7f; });
    if (!good)
        problems.push_back({"", 0, 0, key,
                            "the path has quotes, backslashes or line ends, which a batch script cannot name: choose "
                            "another folder"});
}

}  // namespace

std::string slurm_script(const SlurmJob& job) {
    std::vector<Problem> problems;
    auto number = [&](const char* key, int value, int least, int most) {
        if (value < least || value > most)
            problems.push_back({"", 0, 0, key, Message("{} is not between {} and {}", value, least, most)});
    };
    number("--nodes", job.nodes, 1, 65536);
    number("--ntasks-per-node", job.tasks_per_node, 1, 1024);
    number("--cpus-per-task", job.cpus_per_task, 0, 4096);
    number("--warning", job.warning_s, 0, 65535);
    std::string name;
    for (char c : job.name)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ? c : '-';
    struct Option {
        const char* name;
        const std::string& value;
    };
    const Option options[] = {
        {"--partition", job.partition}, {"--account", job.account}, {"--qos", job.qos},
        {"--time", job.time},           {"--gres", job.gres},       {"--constraint", job.constraint},
        {"--nodelist", job.nodelist}};
    for (const Option& option : options)
        check_option(option.name, option.value, problems);
    for (const std::string& word : job.more) {
        check_option("--sbatch_arg", word, problems);
        if (!word.starts_with("-"))
            problems.push_back(
                {"", 0, 0, "--sbatch_arg", Message("'{}' is not an sbatch option: write --name=value", word)});
    }
    check_path("--run_dir", job.log, problems);
    check_path("the working folder", job.directory, problems);
    if (job.command.empty())
        problems.push_back({"", 0, 0, "", "there is nothing to start"});
    for (const std::string& word : job.command)
        if (word.find('\0') != std::string::npos || word.find('\n') != std::string::npos)
            problems.push_back({"", 0, 0, "", "an argument has a line end, which a batch script cannot pass on"});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));

    std::string script = "#!/bin/bash\n";
    auto say = [&](const std::string& line) { script += "#SBATCH " + line + "\n"; };
    say("--job-name=" + (name.empty() ? "trainyard" : name));
    say(fmt::format("--nodes={}", job.nodes));
    say(fmt::format("--ntasks-per-node={}", job.tasks_per_node));
    if (job.cpus_per_task > 0)
        say(fmt::format("--cpus-per-task={}", job.cpus_per_task));
    for (const Option& option : options)
        if (!option.value.empty())
            say(fmt::format("{}={}", option.name, option.value));
    if (!job.directory.empty())
        say("--chdir=" + quoted_path(job.directory));
    if (!job.log.empty())
        say("--output=" + quoted_path(job.log));
    say("--open-mode=append");
    say(job.requeue ? "--requeue" : "--no-requeue");
    if (job.warning_s > 0)
        say(fmt::format("--signal=B:USR1@{}", job.warning_s));
    for (const std::string& word : job.more)
        say(word);

    script += fmt::format("# Written by Trainyard {}.\nset -u\n\nrun() {{\n    exec ", TRAINYARD_VERSION);
    // One launcher on each node, which may use all of the node's share of the job: the ranks are its children.
    if (job.nodes > 1)
        script +=
            "srun --kill-on-bad-exit=1 --ntasks=\"$SLURM_JOB_NUM_NODES\" --ntasks-per-node=1 --cpu-bind=none \\\n      "
            "  ";
    script += text::shell_words(job.command) + "\n}\n";
    // A signal ends `wait` early, so it waits until the launcher is gone; the code is that of the last wait.
    script +=
        "\n"
        "run &\n"
        "launcher=$!\n"
        "trap 'kill -USR1 \"$launcher\" 2>/dev/null' USR1\n"
        "trap 'kill -TERM \"$launcher\" 2>/dev/null' TERM\n"
        "while :; do\n"
        "    wait \"$launcher\"\n"
        "    code=$?\n"
        "    kill -0 \"$launcher\" 2>/dev/null || break\n"
        "done\n";
    if (job.requeue)
        script +=
            "if [ \"$code\" -eq 75 ]; then  # stopped with a checkpoint\n"
            "    scontrol requeue \"$SLURM_JOB_ID\" && sleep 60  # SLURM ends the script\n"
            "fi\n";
    return script + "exit \"$code\"\n";
}

}  // namespace trainyard::launch
