// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Errors that the user can fix. Each is one sentence: what is wrong (with the file, key or host) and what to do.
// Programming errors are assertions instead.

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"

namespace trainyard {

/// A mistake of the user or a fault of the environment (bad input, full disk, port in use). `what()` is the message in
/// English.
class UserError : public std::runtime_error {
  public:
    explicit UserError(Message message)
        : std::runtime_error(message.text()), message_(std::make_shared<const Message>(std::move(message))) {}
    template <std::size_t N>
    explicit UserError(const char (&literal)[N]) : UserError(Message(literal)) {}
    template <typename... Values>
    requires(sizeof...(Values) > 0) explicit UserError(fmt::format_string<Values...> form, Values&&... values)
        : UserError(Message(form, std::forward<Values>(values)...)) {}

    const Message& message() const { return *message_; }

  private:
    std::shared_ptr<const Message> message_;  ///< shared, so that copies cannot throw
};

/// The message of a UserError, what() of another exception.
Message message_of(const std::exception& error);
/// The text of the C library for an error number.
Message system_message(int error_number);

/// One problem in a settings file. Line and column count from 1; 0 means unknown.
struct Problem {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;  ///< dotted path, e.g. `training.steps`
    Message message;  ///< without the position: "unknown key 'stpes': did you mean 'steps'?"

    /// `recipe.yaml:3:5: training.stpes: unknown key ...`
    Message text() const;
};

/// All problems of an input, found in one pass. `what()` joins them with newlines.
class InvalidInput : public UserError {
  public:
    explicit InvalidInput(std::vector<Problem> problems);
    const std::vector<Problem>& problems() const { return problems_; }

  private:
    std::vector<Problem> problems_;
};

/// Exit codes of all programs.
enum ExitCode : int {
    kExitDone = 0,
    kExitFailed = 1,
    kExitUsage = 2,       ///< wrong usage or bad input
    kExitResumable = 75,  ///< stopped after a checkpoint, can be resumed
    kExitInterrupted = 130,
};

}  // namespace trainyard
