#include "cli/launch_machines.h"

#include <cstdio>

#include <fmt/format.h>

#include "cli/say.h"
#include "launch/supervisor/agent.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::cli {

bool is_on_several_machines(const plan::Flags& flags, const plan::Resolved& resolved) {
    return flags.hosts.empty() && resolved.settings.integer("num_machines", 1) > 1;
}

launch::RendezvousSettings rendezvous_settings(const plan::Flags& flags, const plan::Resolved& resolved,
                                               const std::vector<int>& ranks) {
    const settings::Settings& settings = resolved.settings;
    launch::RendezvousArguments words;
    words.backend = settings.text("rdzv_backend", "static");
    words.address = settings.text("main_process_ip");
    words.port = static_cast<int>(settings.integer("main_process_port", words.port));
    auto origin = resolved.origins.find("machine_rank");
    bool numbered = origin != resolved.origins.end() && origin->second != plan::Origin::fallback;
    words.machine_rank = numbered ? static_cast<int>(settings.integer("machine_rank", 0)) : -1;
    words.machines = static_cast<int>(settings.integer("num_machines", 1));
    auto here = static_cast<std::size_t>(std::max(0, words.machine_rank));
    words.ranks = here < ranks.size() ? ranks[here] : 1;
    words.conf = settings.text("rdzv_conf");
    if (auto id = flags.typed.find("rdzv_id"); id != flags.typed.end())
        words.id = id->second.display();
    return launch::read_rendezvous(words);
}

void add_rendezvous(run::LaunchSpec& launch, const launch::RendezvousSettings& rendezvous,
                    const std::vector<int>& ranks) {
    launch.num_processes = 0;
    for (std::size_t machine = 0; machine < ranks.size(); ++machine) {
        launch.machines.push_back({fmt::format("machine {}", machine), ranks[machine], ""});
        launch.num_processes += ranks[machine];
    }
    launch.main_process_ip = rendezvous.address;
    // By arrival the machines meet there all the time, so the ranks get another one.
    launch.main_process_port = rendezvous.way == launch::JoinOptions::Way::by_number ? rendezvous.port : 0;
    launch.min_machines = rendezvous.min_machines;
    launch.join_timeout_s = rendezvous.join_timeout_s;
}

int join_run(const launch::RendezvousSettings& rendezvous, std::optional<run::ProgramSpec> own,
             const std::optional<run::OutputSpec>& output) {
    launch::go_on_under_guard();
    launch::AgentOptions options = launch::agent_of(rendezvous);
    launch::RankOutput shown(output.value_or(run::OutputSpec{}),
                             {.role = own ? own->role : "default", .teed_only = !own});
    options.own = std::move(own);
    options.output = output;
    options.show = [&shown](int rank, int local_rank, std::string_view bytes, bool standard_error) {
        shown.write(rank, local_rank, bytes, standard_error);
    };
    options.tell = [](const std::string& sentence) { say_format(stderr, "trainyard: %s\n", sentence.c_str()); };
    const int code = launch::Agent(std::move(options)).run();
    shown.finish();
    return code;
}

}  // namespace trainyard::cli
