// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The launch settings that all parts of the wizard work on: one settings::Draft, one recomputation and one signal per
// change. Findings are computed once per change and cached. Typing into one field is one undo step until another field
// is changed, two seconds pass or endEdit() is called. GUI thread only; no I/O except save().

#include <QObject>
#include <QString>

#include "config/accelerate/draft.h"
#include "desktop/shell/edit_history.h"

namespace trainyard::desktop {

inline constexpr int kTypingMs = 300;  ///< delay between the last key press and the check of the input

class DraftModel : public QObject {
    Q_OBJECT
  public:
    using Keys = std::vector<std::pair<std::string, Value>>;

    explicit DraftModel(settings::Machine machine = {}, QObject* parent = nullptr);

    /// For reading. A caller that changes it directly must call refresh().
    settings::Draft& draft() { return draft_; }
    const settings::Draft& draft() const { return draft_; }
    const settings::Settings& settings() const { return draft_.settings(); }
    bool isSageMaker() const;

    /// Sets the answer to the wizard question with this id, as typed text.
    void answer(const QString& id, const QString& value);
    /// Sets any key; a null value removes it.
    void set(const QString& path, const Value& value);
    /// Sets a key from typed text, converted to the type of the key; an empty text removes the key.
    void setTyped(const QString& path, const QString& typed);
    void applyPreset(const settings::Preset& preset);
    /// Changes the values that differ from `wanted` and removes keys that it does not have, as one undo step. Does
    /// nothing if nothing differs.
    void replaceWith(const settings::Settings& wanted);
    /// Opens a file, also one with problems. Its lines become the base of the comparison.
    void open(settings::Loaded loaded);
    void setMachine(settings::Machine machine);
    void reset();
    /// Returns false if nothing was readable; the draft is then unchanged.
    bool restore(const std::string& stored);
    /// Throws UserError.
    void save(const std::filesystem::path& file);

    /// The steps of the settings, and of what else its owner adds (RunDraft).
    EditHistory* history() { return &history_; }
    const EditHistory* history() const { return &history_; }

    const std::vector<settings::Finding>& findings() const { return findings_; }
    /// The first error of this key, else its first warning, or nullptr.
    const settings::Finding* finding(const QString& path) const;
    /// Sets the key to the suggested value of the finding. Does nothing if the finding has no suggestion.
    void applyFix(const settings::Finding& finding);

    /// Recomputes and notifies all listeners.
    void refresh();

  signals:
    /// Emitted once after every change, with findings() up to date.
    void changed();
    /// A file was opened, or the draft was reset.
    void opened();

  private:
    void show(const settings::Draft::State& state);
    template <class Change>
    void edit(const QString& field, Change change);
    template <class Change>
    void replace(Change change);

    settings::Draft draft_;
    std::vector<settings::Finding> findings_;
    EditHistory history_;
    settings::Draft::State typed_from_;  ///< before the newest step of history_
};

/// A value as text, as written in the file and typed by the user: `true`, `16`, `a,b`; empty for null.
QString valueText(const Value& value);

}  // namespace trainyard::desktop
