#pragma once
// Errors that the user can fix. Each is one sentence: what is wrong (with the file, key or host) and what to do.
// Programming errors are assertions instead.

#include <stdexcept>
#include <string>
#include <vector>

namespace trainyard {

/// A mistake of the user or a fault of the environment (bad input, full disk, port in use). `what()` is the sentence to
/// print.
class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One problem in a settings file. Line and column count from 1; 0 means unknown.
struct Problem {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;      ///< dotted path, e.g. `training.steps`
    std::string message;  ///< without the position: "unknown key 'stpes': did you mean 'steps'?"

    /// `recipe.yaml:3:5: training.stpes: unknown key ...`
    std::string text() const;
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
