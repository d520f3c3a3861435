// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A readable stack trace when the program dies from an uncaught exception or from a signal: the error, then the calls,
// newest first, with function, file and line, coloured on a terminal. Opt-in, as Accelerate's ACCELERATE_ENABLE_RICH: a
// trace helps those who debug the code; users get the error's one sentence.
//
//     what(): index 7 is out of range (std::out_of_range)
//       0  trainyard::train::Trainer::step(...)    trainer.cpp:212
//       1  main                                    main.cpp:40

#include <filesystem>
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

/// Creates `file` (0600) when the process dies from one of those signals: `heading`, the name of the signal, the type
/// of an uncaught exception, and the calls, newest first, as `module(symbol+offset)`. The file has no text of an
/// exception, because it may name files and hosts. The handler uses only what is allowed in a signal handler; the exit
/// status does not change. An existing file is not replaced. Signals that are handled already, for example by a
/// sanitizer, are left alone.
void install_crash_file(const std::filesystem::path& file, const std::string& heading);

}  // namespace trainyard
