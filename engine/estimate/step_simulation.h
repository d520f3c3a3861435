// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Simulates one training step on every rank of a mesh, from the tables that the engine executes: the mesh
// (distributed/pipeline/mesh_shape.h), the schedule of the pipeline (pipeline_schedule.h), the blocks of each stage and
// the memory of each rank (training_memory.h). Collectives take the time of their rings, links between hosts are shared
// by the ranks of a host. Ranks that do the same at the same time (tensor, sequence and data parallel ones) are
// simulated once, so that thousands of ranks take milliseconds. Optimizers whose ranks send signs (1-bit and 0/1 Adam)
// are simulated as in an update that exchanges them: after the warm-up.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "distributed/pipeline/mesh_shape.h"
#include "estimate/devices.h"
#include "estimate/training_memory.h"

namespace trainyard::estimate {

/// The rate of a link for collectives of one size.
struct LinkRate {
    double bytes = 0;  ///< of the tensor
    double rate = 0;   ///< bytes per second and direction
};

/// Speeds of one rank while all ranks of its host compute, and of its links.
struct SimulationRates {
    double product = 0;  ///< operations per second of matrix products, as training reaches them
    double memory = 0;   ///< bytes per second of operations on single elements and of the optimizer
    double link = 0;     ///< bytes per second and direction between ranks of a host
    double latency = 0;  ///< seconds of a message between them
    /// Seconds that a rank loses by meeting another one in shared memory while all ranks compute: it waits for its
    /// turn, and finds the caches of its processor filled by others. An all-reduce has two meetings. 0: by `latency`.
    double meeting = 0;
    /// Instead of link, by rising sizes: tensors that do not fit into caches are slower. Between two sizes the rate is
    /// interpolated over the logarithm of the size. Empty: link.
    std::vector<LinkRate> links;
    /// The same for messages of a pipeline between ranks of a host; 0: as link. Processors send these through sockets,
    /// and exchange everything else through shared memory.
    double message_rate = 0, message_latency = 0;
    double network = 0;          ///< bytes per second and direction between hosts, of a host
    double network_latency = 0;  ///< seconds of a message between hosts
    /// Ranks of a host that its processors can serve at a time: the others' share is free while some wait. 0: each rank
    /// has a device of its own.
    double processors = 0;
    /// Rows of the rank whose experts have the most, of an even share. 0, or each rank has all experts:
    /// expert_load(setup).
    double expert_load = 0;
};
/// From data sheets, and for processors from what runs measured.
SimulationRates usual_rates(const TrainingSetup& setup, const Hardware& hardware);

/// The exchanges of the ranks along one or several dimensions in a step.
struct Exchange {
    std::string dimension;     ///< "tp", "dp_shard x cp"
    std::string operation;     ///< "all_reduce"
    int ranks = 1;             ///< of a group
    double count = 0;          ///< operations of a rank in a step; of the stage with the most, as the next two
    double message_bytes = 0;  ///< of one of them: the whole tensor
    double sent_bytes = 0;     ///< by a rank in a step
    double seconds = 0;        ///< of a step, without what happens at the same time
    bool between_hosts = false;
};

/// Bytes that one host sends to another in a step; `from` equal to `to`: between ranks of that host.
struct LinkTraffic {
    int from = 0, to = 0;
    double bytes = 0;
};

/// All ranks with the same coordinate pp.
struct SimulatedStage {
    std::vector<pipeline::StageBlocks> blocks;  ///< of each of its stages
    double busy = 0;                            ///< seconds of computing and exchanging
    double idle = 0;                            ///< seconds
    int kept_micro_batches = 0;  ///< forwards whose activations exist at the same time, over all its stages
    double memory = 0;           ///< bytes of each rank
};

struct SimulatedStep {
    parallel::MeshShape mesh{};
    int experts = 1;  ///< ep
    int ranks_per_host = 1;
    double seconds = 0;
    double compute = 0;                  ///< seconds of the busiest stage without exchanges
    double exchange = 0;                 ///< seconds that it waits for exchanges
    double update = 0;                   ///< seconds of the optimizer
    double idle = 0;                     ///< share of all ranks' time: the pipeline's bubble
    double tokens = 0;                   ///< of all ranks
    double messages = 0;                 ///< that all ranks send
    std::vector<SimulatedStage> stages;  ///< by coordinate pp
    std::vector<Exchange> exchanges;
    std::vector<LinkTraffic> links;  ///< sorted by from and to

    int ranks() const { return parallel::rank_count(mesh); }
    int host_of(int rank) const { return rank / ranks_per_host; }
    const SimulatedStage& stage_of(int rank) const {
        return stages[static_cast<std::size_t>(parallel::coordinates_of(mesh, rank).front())];
    }
    double sent_inside() const;   ///< bytes of all links inside hosts
    double sent_between() const;  ///< between hosts
    double fullest_link() const;  ///< between two hosts
    double tokens_per_second() const { return seconds > 0 ? tokens / seconds : 0; }
};

/// The mesh of a setup. Throws UserError for more ranks than kMostSimulatedRanks.
parallel::MeshShape mesh_of(const TrainingSetup& setup);
inline constexpr std::int64_t kMostSimulatedRanks = 1 << 16;

/// Throws InvalidInput with what check_setup() says.
SimulatedStep simulate_step(const ModelParts& model, const TrainingSetup& setup, const Hardware& hardware,
                            const SimulationRates& rates);

/// Layouts of `ranks` ranks with the same samples per step, tensor and sequence parallel ranks inside a host, the
/// fastest that fit into memory first. `accepts`: whether the engine trains with it.
std::vector<TrainingSetup> suggest_layouts(const ModelParts& model, const TrainingSetup& setup,
                                           const Hardware& hardware, std::int64_t ranks,
                                           const std::function<bool(const TrainingSetup&)>& accepts);

}  // namespace trainyard::estimate
