// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What starting a run from its folder would execute on this machine, and whether it may: the run.yaml of a mirror was
// written by a host, that of a folder from elsewhere by anybody (run/folder_record.h). Reads files: not for the GUI
// thread.

#include <filesystem>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "config/recipe/recipe.h"
#include "run/spec.h"

namespace trainyard::desktop {

struct StartLook {
    enum class Verdict {
        Trusted,     ///< a launch of this account made the folder, or the user confirmed this run.yaml
        Ask,         ///< in the folder of runs, but not made here, or changed since
        Mirror,      ///< a copy of a run on another machine
        Elsewhere,   ///< not in the folder of runs, and no launch of this account made it
        OtherUser,   ///< the folder or its run.yaml belongs to another user
        Unreadable,  ///< see `problem`
    };
    Verdict verdict = Verdict::Unreadable;
    /// Not even after a question: its run.yaml may only be read as a draft.
    bool is_refused() const {
        return verdict == Verdict::Mirror || verdict == Verdict::Elsewhere || verdict == Verdict::OtherUser;
    }
    QString folder;
    QString host;       ///< of a mirror, as the user calls it
    QString execution;  ///< what is executed, a line for each part of it
    QString problem;    ///< a sentence
    std::string text;   ///< of run.yaml, as it was looked at
};

StartLook look_at_start(const std::filesystem::path& spec_file);

/// Characters of a command that a question shows: its end matters as much as its beginning.
inline constexpr std::size_t kMostOfCommand = 16'000;

/// The parts of a file that lead to execution of what it names, a line each: `plugins: /x/y.so`. Empty: the engine of
/// Trainyard alone.
QStringList code_of(const config::Recipe& recipe);
QStringList code_of(const run::RunSpec& spec);

}  // namespace trainyard::desktop
