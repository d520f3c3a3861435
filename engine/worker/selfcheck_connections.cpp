// SPDX-License-Identifier: GPL-3.0-or-later
// What the self-check does before the ranks connect: does every machine reach every other at the address that its
// ranks use?

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/process.h"
#include "launch/supervisor/connection_test.h"
#include "worker/selfcheck_stage.h"

namespace trainyard::worker {

namespace {

std::string word(const char* what, int rank) {
    return fmt::format("{} of rank {}", what, rank);
}

Message sentence_of(const std::vector<launch::ConnectionTest>& all) {
    std::vector<Message> sentences;
    for (const launch::ConnectionTest& one : all)
        if (!one.ok)
            sentences.push_back(Message("{} does not reach {} ({})", one.from, one.to, one.problem));
    return Message::joined(sentences, "; ");
}

}  // namespace

void check_reach(const parallel::LaunchEnvironment& environment, parallel::World& world) {
    const parallel::ProcessPlace& place = environment.place;
    // Every rank posts the rank that represents its machine; then all representatives are known.
    int mine = place.rank - place.local_rank;
    world.post(word("machine", place.rank), std::to_string(mine));
    std::vector<int> speakers;
    for (int rank = 0; rank < place.world_size; ++rank)
        if (world.posted(word("machine", rank)) == std::to_string(rank))
            speakers.push_back(rank);
    if (place.local_rank == 0) {
        launch::ConnectionTestListener listener(environment.rendezvous.interface_address);
        launch::ConnectionTarget self = listener.target();
        self.host = fmt::format("{} (rank {})", host_name(), place.rank);
        world.post(word("address", place.rank), launch::to_json(self));
        std::vector<launch::ConnectionTarget> others;
        for (int rank : speakers)
            if (rank != place.rank)
                others.push_back(launch::parse_connection_target(world.posted(word("address", rank))));
        if (failpoint_hit(fmt::format("selfcheck.reach.{}", place.rank).c_str(), "damage"))
            for (launch::ConnectionTarget& other : others)
                other.token.assign(other.token.size(), '0');
        std::vector<launch::ConnectionTest> reached = launch::try_targets(others);
        for (launch::ConnectionTest& one : reached)
            one.from = self.host;
        world.post(word("reach", place.rank), launch::to_json(reached));
        for (int rank : speakers)  // the listener stays until all have tried
            world.posted(word("reach", rank));
    }
    std::vector<launch::ConnectionTest> all;
    for (int rank : speakers)
        for (launch::ConnectionTest& one : launch::parse_connection_tests(world.posted(word("reach", rank))))
            all.push_back(std::move(one));
    const Message sentence = sentence_of(all);
    if (!sentence.empty())
        throw UserError(
            "{}: open the ports between these machines (ranks use any), or name an "
            "interface on which they reach each other in TRAINYARD_ADDRESS",
            sentence);
}

}  // namespace trainyard::worker
