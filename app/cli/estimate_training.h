// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The part of `trainyard estimate-memory` that is about training: memory of each rank by part, time of a step, answers.

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "estimate/search.h"

namespace CLI {
class App;
}

namespace trainyard::cli {

/// Flags of the training; without any of them, a recipe is estimated as it is and another model is not trained.
struct TrainingFlags {
    std::vector<std::pair<std::string, std::string>> fields;  ///< of estimate::setup_fields()
    std::string config_file;
    std::int64_t num_processes = 0;
    std::string device;
    std::int64_t hosts = 1;
    std::int64_t devices_per_host = 0;
    std::string memory;       ///< of a device: "24GiB"
    std::string host_memory;  ///< of a machine, for what is offloaded; empty: not known
    double network = 0;       ///< Gbit/s of a machine; 0: usual_network()
    double price = 0;
    double steps = 0;
    bool explain = false;
    bool answers = false;
    bool any() const;
};

void add_training_flags(CLI::App& command, TrainingFlags& flags);

/// Throws UserError with every contradiction of the flags and the model.
struct TrainingEstimate {
    estimate::Search search;
    estimate::TrainingSetup setup;
    estimate::MemoryEstimate memory;
    std::vector<estimate::Explanation> why;
};
TrainingEstimate estimate_training(const std::string& model, const TrainingFlags& flags);

std::vector<std::string> training_lines(const TrainingEstimate& estimated, const TrainingFlags& flags);
nlohmann::ordered_json training_json(const TrainingEstimate& estimated, const TrainingFlags& flags);

/// [begin, end) of the blocks of each stage of a rank.
nlohmann::ordered_json layers_json(const std::vector<pipeline::StageBlocks>& stages);

}  // namespace trainyard::cli
