#pragma once
// The launch settings that all parts of the wizard work on: one settings::Draft, one recomputation and one signal per change.
// Findings are computed once a change and kept. Typing into one field is one undo step until another field is changed, two
// seconds pass or endEdit() is called. GUI thread only; no I/O besides save().

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include "config/accelerate/draft.h"

namespace trainyard::desktop {

inline constexpr int kTypingMs = 300;  ///< after the last key; then what was typed is judged
inline constexpr int kJoinMs = 2000;   ///< within it, typing into the same field stays one undo step

class DraftModel : public QObject {
    Q_OBJECT
  public:
    using Keys = std::vector<std::pair<std::string, Value>>;

    explicit DraftModel(settings::Machine machine = {}, QObject* parent = nullptr);

    /// To read from. Who changes it directly must call refresh().
    settings::Draft& draft() { return draft_; }
    const settings::Draft& draft() const { return draft_; }
    const settings::Settings& settings() const { return draft_.settings(); }
    bool isSageMaker() const;

    /// Of the wizard's question with this id; typed text of any kind.
    void answer(const QString& id, const QString& value);
    /// Any key; a null value removes it.
    void set(const QString& path, const Value& value);
    /// The text as typed: as the value of that key's type; empty removes the key.
    void setTyped(const QString& path, const QString& typed);
    void applyPreset(const settings::Preset& preset);
    /// Changes what differs from `wanted`, removes what it does not have: one undo step. Nothing happens when nothing differs.
    void replaceWith(const settings::Settings& wanted);
    /// The file becomes what the lines are compared with; also a file with problems.
    void open(settings::Loaded loaded);
    void setMachine(settings::Machine machine);
    void reset();
    /// False: nothing was readable, the draft is as it was.
    bool restore(const std::string& stored);
    /// Throws UserError.
    void save(const std::filesystem::path& file);

    void undo() { step(&settings::Draft::can_undo, &settings::Draft::undo); }
    void redo() { step(&settings::Draft::can_redo, &settings::Draft::redo); }
    bool canUndo() const { return draft_.can_undo(); }
    bool canRedo() const { return draft_.can_redo(); }
    /// The next change of the same field is an undo step of its own.
    void endEdit() { typing_.clear(); }

    const std::vector<settings::Finding>& findings() const { return findings_; }
    /// The first error of this key, else its first warning, else nullptr.
    const settings::Finding* finding(const QString& path) const;
    /// Puts the one good value in its place. A finding without one does nothing.
    void applyFix(const settings::Finding& finding);

    /// Recomputes and tells everybody.
    void refresh();

  signals:
    /// Once after every change, with findings() up to date.
    void changed();
    /// A change made an undo step of its own (not when it was joined to the last one, not by undo and redo).
    void stepMade();
    /// The last step is gone: what was typed is again what stood there before it.
    void stepGone();
    /// A file was opened, or the draft began anew.
    void opened();

  private:
    void step(bool (settings::Draft::*can)() const, void (settings::Draft::*move)());
    template <class Change>
    void edit(const QString& field, Change change);
    template <class Change>
    void replace(Change change);

    settings::Draft draft_;
    std::vector<settings::Finding> findings_;
    QString typing_;  ///< field whose last change may be joined with the next; empty: none
    QElapsedTimer since_typing_;
};

/// A value as it stands in the file and is typed: `true`, `16`, `a,b`; empty for null.
QString valueText(const Value& value);

}  // namespace trainyard::desktop
