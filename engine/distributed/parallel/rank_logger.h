// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages of several processes: from the main one, from all, or from all one after the other. As accelerate.logging.get_logger, but
// ranks whose levels differ cannot wait for each other for ever: the turns of `in_order` are taken whether a rank prints or not.

#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "distributed/parallel/process_state.h"

namespace trainyard::parallel {

enum class LogLevel { debug, info, warning, error, critical };
/// "debug", "INFO", ... Throws UserError that lists them.
LogLevel log_level_of(const std::string& text);
const char* to_string(LogLevel level);

struct LogOptions {
    bool main_process_only = true;
    bool in_order = false;  ///< every rank, in rank order; collective; main_process_only does not matter
};

class RankLogger {
  public:
    using Sink = std::function<void(LogLevel level, const std::string& text)>;
    /// `level`: messages below it are left out; empty: $ACCELERATE_LOG_LEVEL, else warning. The sink gets "[RANK 1] name: text";
    /// without one a line goes to standard error.
    RankLogger(ProcessState& state, std::string name, const std::string& level = {}, Sink sink = {});

    void log(LogLevel level, const std::string& text, LogOptions options = {});
    void debug(const std::string& text, LogOptions options = {}) { log(LogLevel::debug, text, options); }
    void info(const std::string& text, LogOptions options = {}) { log(LogLevel::info, text, options); }
    void warning(const std::string& text, LogOptions options = {}) { log(LogLevel::warning, text, options); }
    void error(const std::string& text, LogOptions options = {}) { log(LogLevel::error, text, options); }
    void critical(const std::string& text, LogOptions options = {}) { log(LogLevel::critical, text, options); }
    /// A text that this logger has warned of before is not printed again (nor are turns taken for it: give the same texts on all ranks
    /// when `in_order`).
    void warning_once(const std::string& text, LogOptions options = {});

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
