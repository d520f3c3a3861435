// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where a task of ClearML is stored: a server, or a folder that Task.import_offline_session() of their client sends.
// Inside this library.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "observe/track/json_server.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

class ClearmlStore {
  public:
    virtual ~ClearmlStore() = default;
    /// Creates a task with `fields` (name, type, tags) and returns its id.
    virtual std::string create(const std::string& project, const Json& fields) = 0;
    virtual void begin(const std::string& task) = 0;
    virtual void edit(const std::string& task, const Json& fields) = 0;
    virtual void complete(const std::string& task) = 0;
    /// Metrics, plots, pictures and lines of text. Throws UserError if some are refused; the others are stored.
    virtual void add_events(const std::string& task, const std::vector<Json>& events) = 0;
    virtual void add_artifact(const std::string& task, const Json& artifact) = 0;
    /// Stores a file under a relative path and returns its address.
    virtual std::string add_file(const std::string& task, const std::string& path, const fs::path& file) = 0;
};

std::unique_ptr<ClearmlStore> make_clearml_server(std::stop_token stop);
/// `root`: has a folder for each task.
std::unique_ptr<ClearmlStore> make_clearml_folder(const fs::path& root);

}  // namespace trainyard::track
