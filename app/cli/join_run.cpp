// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/join_run.h"

#include <cstdio>

#include "cli/say.h"
#include "launch/supervisor/agent.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::cli {

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
