// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where an experiment of Comet is stored: a server, or an archive that `comet upload` of their client sends. Inside
// this library.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "observe/track/json_server.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

struct CometExperiment {
    std::string key, project, workspace;
    std::string mode;  ///< get, create, get_or_create
    bool may_exist = false;
};

/// A metric or a parameter.
struct CometValue {
    std::string name;
    Json value;
    Json step;  ///< null: none
    std::int64_t milliseconds = 0;
};

/// Milliseconds since the epoch, as Comet counts.
std::int64_t comet_milliseconds(double seconds);

class CometStore {
  public:
    virtual ~CometStore() = default;
    /// Begins a delivery. `memory` is the service's, saved after the delivery.
    virtual void begin(Values& memory) = 0;
    virtual void add_metrics(const std::vector<CometValue>& values) = 0;
    virtual void add_parameters(const std::vector<CometValue>& values) = 0;
    virtual void add_other(const std::string& key, const std::string& value) = 0;
    /// A copy of the file is an image, or an asset.
    virtual void add_file(bool is_image, const std::string& name, const Json& step, const fs::path& file) = 0;
    /// Ends a delivery, all of whose values were added.
    virtual void settle(Values&) {}
    /// Ends the experiment. It may continue with another delivery.
    virtual void end(Values& memory) = 0;
};

std::unique_ptr<CometStore> make_comet_server(CometExperiment experiment, std::stop_token stop);
/// `root`: has an archive for each experiment, and a folder for each that has not ended.
std::unique_ptr<CometStore> make_comet_archive(CometExperiment experiment, const fs::path& root);

}  // namespace trainyard::track
