// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings while someone works on them: answers of the question tree, single keys set beside it (expert mode, a loaded
// file's keys that no question covers), the file it came from. What is written = what the answers give, with those keys
// laid over it. Answers of hidden questions are remembered, not written. An editor undoes a change by setting the state
// before it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/accelerate/check.h"
#include "config/accelerate/questionnaire.h"
#include "config/accelerate/settings_file.h"

namespace trainyard::settings {

/// A line of the file that will be written, compared with the file it was opened from.
struct DraftLine {
    enum class Change { same, added, changed, removed };
    Change change = Change::same;
    std::string text;
    std::string path;  ///< of the key on this line; empty: comment
    bool operator==(const DraftLine&) const = default;
};
/// `after` compared with `before`; a key whose line reads differently is one changed line.
std::vector<DraftLine> compare_texts(const std::string& before, const std::string& after);

/// A named set of keys; applied as one change.
struct Preset {
    std::string id;
    std::string name;  ///< "Many GPUs"
    std::string help;
    std::vector<std::pair<std::string, Value>> keys;
};

/// Draft::presets(), and a template for each other way of training: MPI, FSDP 1, FP8, DeepSpeed 1 to 3, SageMaker.
const std::vector<Preset>& configuration_zoo();

class Draft {
  public:
    /// A key laid over what the answers give.
    struct Override {
        std::string path;
        Value value;
        bool removed = false;  ///< the answers would write it, the file does not have it
        bool operator==(const Override&) const = default;
    };
    /// The answers and values that the user gave.
    struct State {
        Answers answers;
        std::vector<Override> overrides;
        /// Of tables that the answers do not write at present (`fsdp_config` while FSDP is off): remembered, not
        /// written.
        std::vector<Override> dormant;
        bool operator==(const State&) const = default;
    };

    explicit Draft(Machine machine = {});

    const Questionnaire& questionnaire() const { return questionnaire_; }
    const Answers& answers() const { return state_.answers; }
    /// The state of this draft, to be set again by set_state(). Opening, saving and resetting do not invalidate it.
    const State& state() const { return state_; }
    void set_state(State state);
    /// Returns the settings that would be written now.
    const Settings& settings() const { return settings_; }
    /// Returns the findings of check() and the problems of the questions. Features that only this machine lacks (a
    /// package, bf16) are warnings. A problem of a question that writes no key has the question's id as its path.
    std::vector<Finding> findings() const;

    void answer(const std::string& id, const std::string& value);
    /// Expert mode: any key; a null value removes it. Questions that the key answers follow.
    void set(const std::string& path, const Value& value);
    /// Several keys as one change.
    void set_all(const std::vector<std::pair<std::string, Value>>& keys);
    void apply(const Preset& preset);
    static const std::vector<Preset>& presets();

    /// Takes a file's settings; it becomes what the lines are compared with. Also for files with problems.
    void open(Loaded loaded);
    const std::optional<Loaded>& original() const { return original_; }
    /// Machine probed later, or another host chosen: detection's defaults change, given answers stay.
    void set_machine(Machine machine);
    /// New with nothing answered.
    void reset();

    std::string text(Format format = Format::yaml) const;  ///< rewrite() of the original, else to_text()
    std::vector<DraftLine> lines() const;
    /// True when the text differs from the file it was opened from (or last saved to).
    bool modified() const;
    /// Saves and takes the file as the new original. Throws UserError.
    void save(const std::filesystem::path& file);
    /// `trainyard launch` flags that give the same without a file, as argv words.
    std::vector<std::string> command_flags() const;

    /// For keeping a draft across restarts (JSON). restore() ignores what it cannot read and returns false.
    std::string store() const;
    bool restore(const std::string& stored);

  private:
    Settings written(const State& state) const;
    State state_of(const Settings& settings) const;
    /// Overrides that the changed answers contradict end; those of tables that went or came back sleep or wake. `named`
    /// stay.
    void settle(State& next, const std::vector<std::string>& named) const;

    Questionnaire questionnaire_;
    State state_;
    Settings settings_;
    std::optional<Loaded> original_;
};

}  // namespace trainyard::settings
