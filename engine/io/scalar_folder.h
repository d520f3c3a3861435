#pragma once
// The curves of one log folder as TensorBoard shows them: its event files joined in the order of their names, points that a
// restart went over dropped, files that still grow followed.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "io/event_file.h"

namespace trainyard::io {

struct CurvePoint {
    std::int64_t step = 0;
    double wall_time = 0;
    double value = 0;
};

class ScalarFolder {
  public:
    /// Follows the files of `folder` (not of folders inside) whose name begins with `prefix`.
    explicit ScalarFolder(std::filesystem::path folder, std::string prefix = "events.out.tfevents")
        : folder_(std::move(folder)), prefix_(std::move(prefix)) {}

    /// Reads what is new, at most `limit_bytes` of each file. True when curves changed.
    bool poll(std::uint64_t limit_bytes = 64ull << 20);
    const std::map<std::string, std::vector<CurvePoint>>& curves() const { return curves_; }
    /// What cannot be read, one sentence each.
    std::vector<std::string> problems() const;

  private:
    void find_files();
    void drop_from(std::int64_t step);

    std::filesystem::path folder_;
    std::string prefix_;
    std::map<std::filesystem::path, EventFileReader> files_;
    std::map<std::string, std::vector<CurvePoint>> curves_;
};

}  // namespace trainyard::io
