// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What ranks of a run say on the console (run::RunPaths::console_log()): lines that came since the last look, of a run here or of the copy of
// one elsewhere.

#include <cstdint>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "run/paths.h"

namespace trainyard::cli {

class ConsoleTail {
  public:
    explicit ConsoleTail(fs::path log) : log_(std::move(log)) {}

    /// Whole lines; `last`: also one that has no end yet. A log that was truncated is read from its start.
    std::vector<std::string> poll(bool last = false);

  private:
    fs::path log_;
    std::uint64_t read_ = 0;
    std::string pending_;
};

}  // namespace trainyard::cli
