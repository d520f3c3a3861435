// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two stores of MLflow's runs: a server (REST API 2.0) and a folder. Inside this library.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

using MlflowTags = std::vector<std::pair<std::string, std::string>>;

struct MlflowMetric {
    std::string key;
    double value = 0;
    std::int64_t timestamp = 0;  ///< milliseconds since 1970
    std::int64_t step = 0;
};

enum class MlflowStatus { running, finished };

/// Throws ServiceUnavailable, or UserError for what is refused for ever.
class MlflowStore {
  public:
    virtual ~MlflowStore() = default;
    /// The id of the experiment of that name, which is created if it is missing.
    virtual std::string experiment(const std::string& name, const MlflowTags& tags) = 0;
    /// Returns the id of the run and the address of its artifacts.
    virtual std::pair<std::string, std::string> create_run(const std::string& experiment, const std::string& name,
                                                           std::int64_t start_time, const MlflowTags& tags) = 0;
    /// The same of a run that exists.
    virtual std::pair<std::string, std::string> find_run(const std::string& run) = 0;
    /// At most 1000 of both together, and at most 100 parameters.
    virtual void log_batch(const std::string& run, const std::vector<MlflowMetric>& metrics,
                           const MlflowTags& parameters) = 0;
    virtual void set_tag(const std::string& run, const std::string& key, const std::string& value) = 0;
    virtual void set_status(const std::string& run, MlflowStatus status, std::int64_t time) = 0;
    /// Stores a file under a relative path among the artifacts.
    virtual void add_artifact(const std::string& artifacts, const std::string& path, const fs::path& file) = 0;
};

/// `address`: http or https, without user and password.
std::unique_ptr<MlflowStore> make_mlflow_server(const std::string& address, std::stop_token stop);
std::unique_ptr<MlflowStore> make_mlflow_folder(const fs::path& folder);

/// A name that MLflow accepts for metrics, parameters and tags: other characters are replaced by `_`.
std::string mlflow_name(const std::string& name);
/// Copies an artifact to a path under a folder.
void copy_artifact(const fs::path& folder, const std::string& path, const fs::path& file);

}  // namespace trainyard::track
