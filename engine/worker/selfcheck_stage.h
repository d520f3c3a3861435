// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Inside of selfcheck.h: what a stage has at hand.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/launch_environment.h"
#include "distributed/parallel/mesh.h"
#include "distributed/parallel/process_state.h"
#include "run/journal.h"

namespace trainyard::worker {

struct StageContext {
    const config::Recipe& recipe;
    parallel::Mesh& mesh;
    parallel::Communicator& everyone;
    at::Device device;
    std::filesystem::path folder;  ///< the run's, shared by all ranks of this machine
    parallel::ProcessPlace place;
    std::shared_ptr<parallel::ProcessState> process;  ///< as programs have it
    const char* stage = "";
    Message problem = {};                   ///< first thing this rank found wrong
    std::vector<run::Event> measured = {};  ///< what goes beside the event of the stage

    int rank() const { return everyone.rank(); }
    int ranks() const { return everyone.size(); }
    bool on_several_machines() const { return place.world_size > place.local_world_size; }
    /// Notes a problem when `good` is false; the stage continues, so that all ranks reach its end.
    void expect(bool good, const Message& otherwise);
    /// True when a test wants this rank's part of the stage spoilt. Each part asks once: the n-th hit of the failpoint
    /// spoils the n-th part.
    bool damaged() const;
    /// `mine` of every rank, in their order.
    std::vector<double> gather(double mine, const std::string& name) const;
    at::TensorOptions options(at::ScalarType type) const { return at::TensorOptions().device(device).dtype(type); }
};

// Each returns what it did, for people. selfcheck_communication.cpp
Message check_processes(StageContext& context);
Message check_collectives(StageContext& context);
Message check_split(StageContext& context);
Message check_random_numbers(StageContext& context);
// selfcheck_programs.cpp
Message check_state(StageContext& context);
Message check_order(StageContext& context);
Message check_trigger(StageContext& context);
Message check_loaders(StageContext& context);
Message check_samplers(StageContext& context);
// selfcheck_pairs.cpp
Message check_speed(StageContext& context);
Message check_pairs(StageContext& context);
// selfcheck_training.cpp
Message check_data(StageContext& context);
Message check_parity(StageContext& context);
Message check_checkpoint(StageContext& context);

/// Blocks of 16 bytes that begin with their number; every epoch of `ranks` ranks is a whole number of steps.
void write_numbered_blocks(const std::filesystem::path& file, int ranks);

// selfcheck_connections.cpp
/// Before the ranks are connected. Throws UserError naming every pair of machines that do not reach each other, on all
/// ranks alike.
void check_reach(const parallel::LaunchEnvironment& environment, parallel::World& world);

}  // namespace trainyard::worker
