#pragma once
// A readable trace when a program of ours dies of an exception that nobody caught or of a signal: what happened, then the calls, newest
// first, with function, file and line, coloured on a terminal. Opt-in (Accelerate's ACCELERATE_ENABLE_RICH): a trace is for those who
// look for the cause in the code; users get the one sentence of the error.
//
//     what(): index 7 is out of range (std::out_of_range)
//       0  trainyard::train::Trainer::step(...)    trainer.cpp:212
//       1  main                                    main.cpp:40

#include <span>
#include <string>
#include <vector>

namespace trainyard {

struct TraceFrame {
    std::string function;  ///< demangled; "??" when not known
    std::string file;      ///< empty when not known
    int line = 0;
};

/// The calls above this one, newest first, without the `skip` newest.
std::vector<TraceFrame> capture_trace(int skip = 0);
/// The lines of the picture above, without the heading.
std::string trace_text(std::span<const TraceFrame> frames, bool colour);

/// Prints a trace on standard error when the process dies of std::terminate or of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT; it still
/// dies of it, with the same status. Returns false, having done nothing, unless TRAINYARD_TRACE or ACCELERATE_ENABLE_RICH is set to
/// 1, true, yes, on or y.
bool install_failure_trace();

}  // namespace trainyard
