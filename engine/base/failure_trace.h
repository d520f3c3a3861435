// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A readable stack trace when the program dies from an uncaught exception or from a signal: the error, then the calls,
// newest first, with function, file and line, coloured on a terminal. Opt-in, as Accelerate's ACCELERATE_ENABLE_RICH: a
// trace helps those who debug the code; users get the error's one sentence.
//
//     what(): index 7 is out of range (std::out_of_range)
//       0  trainyard::train::Trainer::step(...)    trainer.cpp:212
//       1  main                                    main.cpp:40

#include <span>
#include <string>
#include <vector>

namespace trainyard {

struct TraceFrame {
    std::string function;  ///< demangled; "??" if unknown
    std::string file;      ///< empty if unknown
    int line = 0;
};

/// The calls above this one, newest first, without the `skip` newest ones.
std::vector<TraceFrame> capture_trace(int skip = 0);
/// The frames as lines of the format above, without the heading.
std::string trace_text(std::span<const TraceFrame> frames, bool colour);

/// Prints a trace on standard error when the process dies from std::terminate, SIGSEGV, SIGBUS, SIGFPE, SIGILL or
/// SIGABRT; the exit status does not change. Does nothing and returns false unless TRAINYARD_TRACE or
/// ACCELERATE_ENABLE_RICH is 1, true, yes, on or y.
bool install_failure_trace();

}  // namespace trainyard
