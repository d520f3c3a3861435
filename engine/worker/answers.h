// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines of requests on standard input and of answers on standard output, of the modes of trainyard-worker that load a
// model once and use it (answer_prompts.h, answer_samples.h).

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/message.h"

namespace trainyard::worker {

/// Lines of standard input.
class RequestLines {
  public:
    /// `wait` false: only a line that is there. Nothing: there is none, or the end.
    std::optional<std::string> line(bool wait);
    /// Puts a line back: it is the next one.
    void put_back(const std::string& line) { buffer_.insert(0, line + "\n"); }

  private:
    std::string buffer_;
    bool ended_ = false;
};

/// JSON events, or with `plain` texts for a terminal, where errors go to standard error.
class Answers {
  public:
    explicit Answers(bool plain) : plain_(plain) {}
    bool is_plain() const { return plain_; }
    /// Text of a person or model, made safe for a terminal. Only if is_plain().
    void print(const std::string& text) const;
    /// Nothing if is_plain().
    void event(const nlohmann::json& event) const;
    void error(const Message& message) const { message_event("error", message); }
    void warning(const Message& message) const { message_event("warning", message); }

  private:
    void message_event(const char* kind, const Message& message) const;
    bool plain_;
};

/// Runs `load`, which makes a model of the request. Returns the problem: of a UserError, or of memory that is not
/// enough; empty: it was loaded.
Message problem_of_loading(int threads, const std::function<void()>& load);

}  // namespace trainyard::worker
