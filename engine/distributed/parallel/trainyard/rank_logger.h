// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages of several processes: from the main one, from all, or from all one after the other. As
// accelerate.logging.get_logger, but ranks whose levels differ cannot wait for each other forever: the turns of
// `in_order` are taken whether a rank prints or not.

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "distributed/parallel/process_state.h"

namespace trainyard::parallel {

/// How important a message is.
enum class LogLevel { debug, info, warning, error, critical };
/// Returns the level named "debug", "INFO" and so on. Throws UserError listing the names.
LogLevel log_level_of(const std::string& text);
/// Returns the name in lower case.
const char* to_string(LogLevel level);

/// Which processes write a message.
struct LogOptions {
    bool main_process_only = true;  ///< the others write nothing
    bool in_order = false;          ///< every rank, in rank order; collective; main_process_only does not matter
};

/// Writes the messages of a part of a program.
class RankLogger {
  public:
    /// Receives a complete line.
    using Sink = std::function<void(LogLevel level, const std::string& text)>;
    /// `level`: messages below it are left out; empty: $ACCELERATE_LOG_LEVEL, else warning. The sink gets
    /// "[RANK 1] name: text"; without one a line goes to standard error.
    RankLogger(ProcessState& state, std::string name, const std::string& level = {}, Sink sink = {});

    /// Writes a message of this level.
    void log(LogLevel level, const std::string& text, LogOptions options = {});
    /// Writes a message of level debug.
    void debug(const std::string& text, LogOptions options = {}) { log(LogLevel::debug, text, options); }
    /// Writes a message of level info.
    void info(const std::string& text, LogOptions options = {}) { log(LogLevel::info, text, options); }
    /// Writes a message of level warning.
    void warning(const std::string& text, LogOptions options = {}) { log(LogLevel::warning, text, options); }
    /// Writes a message of level error.
    void error(const std::string& text, LogOptions options = {}) { log(LogLevel::error, text, options); }
    /// Writes a message of level critical.
    void critical(const std::string& text, LogOptions options = {}) { log(LogLevel::critical, text, options); }
    /// Writes a warning unless this logger has written the same text before. No turns are taken for one that was: give
    /// the same texts on all ranks when `in_order`.
    void warning_once(const std::string& text, LogOptions options = {});

    /// Returns the lowest level that is written.
    LogLevel level() const { return level_; }

  private:
    ProcessState& state_;
    std::string name_;
    LogLevel level_;
    Sink sink_;
    std::mutex mutex_;
    std::set<std::string> warned_;
};

}  // namespace trainyard::parallel
