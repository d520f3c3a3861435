// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The actions of the program. A window, page or panel adds the commands of the table (commands.h) that it can perform;
// each action has the text, icon and shortcuts of its command, and follows changes of the shortcuts and of the
// language. Undo and redo are one action each: they belong to a QUndoGroup whose active stack follows the keyboard
// focus.
//
// Keys without Ctrl, Alt or Meta never reach an action while the focus is in a widget that types or searches by
// letters, unless the action was added to that widget.

#include <functional>

#include <QHash>
#include <QMap>
#include <QMultiHash>
#include <QObject>
#include <QPointer>

#include "desktop/shell/commands.h"
#include "widgets/forward.h"

class QUndoGroup;
class QUndoStack;

namespace trainyard::desktop {

class ActionCollection : public QObject {
    Q_OBJECT
  public:
    /// The collection of this process. GUI thread only.
    static ActionCollection& instance();

    /// All commands in the order of the menus.
    const QVector<Command>& commands() const { return commands_; }
    const Command* find(const QString& id) const;
    /// Adds a command that is known only at run time, before the command `before`. A second declaration is ignored.
    void declare(const Command& command, const QString& before);

    /// Creates the action of a command. `owner`: the window, page or panel in which its shortcuts are active.
    QAction* add(const char* id, QWidget* owner, const std::function<void()>& run);
    /// Makes an existing action that of a command; it keeps its text.
    void adopt(const char* id, QAction* action, QWidget* owner);
    /// As add(), but a shortcut without Ctrl, Alt or Meta is active only while `area` itself has the focus.
    QAction* addFor(QWidget* area, const char* id, QWidget* owner, const std::function<void()>& run);
    /// Undo and redo act on `stack` while the focus is in `owner`, or `owner` was shown last.
    void addUndo(QWidget* owner, QUndoStack* stack);
    QAction* undoAction() const { return undo_; }
    QAction* redoAction() const { return redo_; }

    /// Returns the action of a command in `page`, in its visible parts, or in the windows; null: it cannot be performed
    /// there.
    QAction* actionIn(const QWidget* page, const QString& id) const;
    /// Returns the identifier of the command of an action, or an empty string.
    static QString idOf(const QAction* action);

    QList<QKeySequence> shortcuts(const QString& id) const;
    /// Returns the first shortcut as the user reads it, or an empty string.
    QString shortcutText(const QString& id) const;
    bool isChanged(const QString& id) const { return changes_.contains(id); }
    void setShortcuts(const QString& id, const QList<QKeySequence>& keys);
    /// As setShortcuts(), and commands that conflict lose these shortcuts.
    void assign(const QString& id, const QList<QKeySequence>& keys);
    /// Restores the default; commands that conflict with it lose the shortcut.
    void reset(const QString& id);
    void resetAll();
    /// Returns the commands that have this shortcut and can be active together with `id`.
    QStringList conflicts(const QString& id, const QKeySequence& keys) const;

    /// The changed shortcuts as text, to be saved: an empty text has no shortcut.
    QMap<QString, QString> changes() const;
    /// Replaces all changes. Returns a sentence for each entry that is not valid and was left out.
    QStringList setChanges(const QMap<QString, QString>& changes);

    /// Shows `tip` and the shortcut of the command as the tool tip of a button; a second call replaces the tip.
    void describe(QWidget* button, const char* id, const QString& tip);

  signals:
    /// The shortcuts of a command were changed; an empty identifier: of several.
    void changed(const QString& id);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< of the application

  private:
    ActionCollection();
    void apply(QAction* action);
    void applyTo(const QString& id);
    void activateStack(const QWidget* focus);
    void retranslate();

    QVector<Command> commands_;
    QHash<QString, qsizetype> places_;  ///< in commands_
    QHash<QString, QList<QKeySequence>> changes_;
    QMultiHash<QString, QAction*> actions_;
    QHash<const QObject*, QPointer<QUndoStack>> stacks_;
    QUndoGroup* group_;
    QAction* undo_;
    QAction* redo_;
};

}  // namespace trainyard::desktop
