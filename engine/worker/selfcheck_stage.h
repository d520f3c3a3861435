#pragma once
// Inside of selfcheck.h: what a stage has at hand.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe.h"
#include "parallel/mesh.h"

namespace trainyard::worker {

/// Of one message between two ranks.
struct PairFigures {
    int first = 0, second = 0;
    double latency_s = 0;
    double bytes_per_s = 0;
};

struct StageContext {
    const config::Recipe& recipe;
    parallel::Mesh& mesh;
    parallel::Communicator& everyone;
    at::Device device;
    std::filesystem::path folder;  ///< the run's, shared by all ranks
    const char* stage = "";
    std::string problem;  ///< first thing this rank found wrong
    int local_rank = 0;
    std::vector<PairFigures> pairs = {};  ///< what was measured

    int rank() const { return everyone.rank(); }
    int ranks() const { return everyone.size(); }
    /// Notes a problem when `good` is false; the stage goes on, so that all ranks reach its end.
    void expect(bool good, const std::string& otherwise);
    /// True when a test wants this rank's part of the stage spoilt.
    bool damaged() const;
    /// `mine` of every rank, in their order.
    std::vector<double> gather(double mine, const std::string& name) const;
    at::TensorOptions options(at::ScalarType type) const { return at::TensorOptions().device(device).dtype(type); }
};

// Each returns what it did, for people. selfcheck_communication.cpp
std::string check_processes(StageContext& context);
std::string check_collectives(StageContext& context);
std::string check_split(StageContext& context);
std::string check_random_numbers(StageContext& context);
std::string check_speed(StageContext& context);
// selfcheck_pairs.cpp
std::string check_pairs(StageContext& context);
// selfcheck_training.cpp
std::string check_data(StageContext& context);
std::string check_parity(StageContext& context);
std::string check_checkpoint(StageContext& context);

}  // namespace trainyard::worker
