#pragma once
// Errors that a user can mend. One sentence each: what is wrong (with the file, key or host) and what to do.
// Programming errors are assertions, not these.

#include <stdexcept>
#include <string>
#include <vector>

namespace trainyard {

/// A mistake of the user or the surroundings (bad input, no space, a port in use). `what()` is the sentence to print.
class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One thing that is wrong in a file of settings. Line and column count from 1; 0 means unknown.
struct Problem {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;      ///< dotted path, e.g. `training.steps`
    std::string message;  ///< sentence without the place: "unknown key 'stpes': did you mean 'steps'?"

    /// `recipe.yaml:3:5: training.stpes: unknown key ...`
    std::string text() const;
};

/// Everything that is wrong with an input, found in one pass. `what()` joins the problems with newlines.
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
    kExitResumable = 75,  ///< stopped, a checkpoint is there, can be resumed
    kExitInterrupted = 130,
};

}  // namespace trainyard
