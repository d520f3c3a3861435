// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trials of `trainyard sweep` as runs of this program: each is what `trainyard launch --detach` starts, here or
// on a host.

#include <map>
#include <memory>

#include "formats/events/scalar_folder.h"
#include "run/paths.h"
#include "sweep/sweep.h"

namespace trainyard::cli {

class RunsOfSweep : public sweep::TrialRunner {
  public:
    /// `folder`: of the sweep, with recipe.yaml.
    RunsOfSweep(std::filesystem::path folder, const sweep::SweepFile& file) : folder_(std::move(folder)), file_(file) {}

    std::string start(const sweep::Trial& trial, const std::string& name) override;
    std::string find(const std::string& name) override;
    Look look(const sweep::Trial& trial) override;
    void stop(const sweep::Trial& trial) override;

  private:
    std::filesystem::path folder_;
    sweep::SweepFile file_;
    std::map<std::string, std::unique_ptr<events::ScalarFolder>> curves_;  ///< by id of the run
};

}  // namespace trainyard::cli
