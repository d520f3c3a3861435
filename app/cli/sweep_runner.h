// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trials of `trainyard sweep` as runs of this program: each is what `trainyard launch --detach` starts, of the
// recipe or of a run.yaml with the program, here or on a host.

#include <map>
#include <memory>

#include "formats/events/scalar_folder.h"
#include "run/paths.h"
#include "sweep/sweep.h"

namespace trainyard::cli {

class RunsOfSweep : public sweep::TrialRunner {
  public:
    /// `folder`: of the sweep, with recipe.yaml or the place of the files of programs.
    RunsOfSweep(std::filesystem::path folder, const sweep::SweepFile& file);

    std::string start(const sweep::Trial& trial, const std::string& name) override;
    std::string find(const std::string& name) override;
    Look look(const sweep::Trial& trial) override;
    void stop(const sweep::Trial& trial) override;

  private:
    /// The flags of launch, with the accelerators of the trial.
    std::vector<std::string> flags_of(const sweep::Trial& trial) const;
    std::filesystem::path program_file(const std::string& name) const { return folder_ / (name + ".yaml"); }
    void write_program(const sweep::Trial& trial, const std::string& name) const;

    std::filesystem::path folder_;
    /// This program, by the path that it had when the sweep began: an update replaces the file there.
    std::string program_;
    sweep::SweepFile file_;
    std::map<std::string, std::unique_ptr<events::ScalarFolder>> curves_;  ///< by id of the run
};

}  // namespace trainyard::cli
