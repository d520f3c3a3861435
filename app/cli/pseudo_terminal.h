// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A terminal for a program that is watched while it believes to be alone with its user: colours, bars that are drawn again, questions
// and debuggers work as without us, and what it writes still passes through our hands (launch/supervisor/rank_process.h
// reads it).
//
// While it lives, our own terminal passes keys on unseen; its old manner comes back with the destructor and when a signal ends the program.

#include <atomic>
#include <thread>

#include "base/file_descriptor.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::cli {

class PseudoTerminal {
  public:
    /// Throws UserError when there is none to be had.
    PseudoTerminal();
    ~PseudoTerminal();
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    /// For the one rank that is started: streams that are a terminal here are this one there.
    launch::RankStreams streams() const;

  private:
    void pass_keys();
    void take_size();

    FileDescriptor ours_, theirs_, wake_;
    bool raw_ = false;
    std::thread keys_;
};

}  // namespace trainyard::cli
