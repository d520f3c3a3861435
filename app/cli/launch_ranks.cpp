#include "cli/launch_ranks.h"

#include <filesystem>

#include <fmt/format.h>

#include "launch/plan/environment.h"
#include "launch/supervisor/network_interface.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::cli {

namespace {

std::string typed_word(const plan::Flags& flags, std::string_view name, const char* otherwise) {
    auto found = flags.typed.find(name);
    return found == flags.typed.end() ? otherwise : found->second.display();
}

}  // namespace

std::string missing_output_flag(const plan::Flags& flags, std::string_view name) {
    const auto given = [&](std::string_view flag) { return typed_word(flags, flag, "0") != "0"; };
    if (name == "local_ranks_filter" && !given("tee"))
        return "with --tee, which shows streams of ranks";
    if (name == "redirects" && !given("log_dir"))
        return "with --log_dir, the folder of the files";
    if (name == "log_dir" && !given("tee") && !given("redirects"))
        return "with --tee or --redirects, which name the streams that are copied there";
    return {};
}

std::optional<run::OutputSpec> typed_output(const plan::Flags& flags, bool recipe) {
    run::OutputSpec output;
    bool any = false;
    const auto take = [&](std::string_view name, std::string& target) {
        if (!flags.typed.contains(name) || (recipe && !missing_output_flag(flags, name).empty()))
            return;
        target = typed_word(flags, name, "");
        any = true;
    };
    take("redirects", output.redirects);
    take("tee", output.tee);
    take("local_ranks_filter", output.local_ranks_filter);
    take("log_dir", output.log_dir);
    if (!any)
        return std::nullopt;
    if (!output.log_dir.empty())
        output.log_dir = std::filesystem::absolute(output.log_dir).lexically_normal().string();
    launch::StreamRules rules(output);  // says what is wrong with them
    return output;
}

std::map<std::string, std::string> carried_variables(const plan::EnvironmentMap& environment,
                                                     const settings::Machine& machine, bool on_cpu) {
    plan::EnvironmentMap carried;
    for (const auto& [name, value] : environment)
        if (name.starts_with("NCCL_"))
            carried[name] = value;
    if (!on_cpu)
        plan::add_peer_workaround(carried, machine, environment);
    return {carried.begin(), carried.end()};
}

std::map<std::string, std::string> words_of_machine_variables(std::size_t machines) {
    std::map<std::string, std::string> words;
    if (machines > 1)
        for (const char* name : launch::interface_variable_names())
            words[name] = "the machine's network interface that reaches the others, unless its environment names one";
    return words;
}

}  // namespace trainyard::cli
