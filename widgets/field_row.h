// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A row of a form: label and key at the left, the editor, and below it a hint or, if the value is invalid, one sentence
// that says how to fix it. The sentence is set by setProblem() and disappears as soon as the problem is solved. If
// exactly one value solves it, a button next to the editor offers that value. Where the editor has no room next to the
// label, it is below it.

#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::widgets {

class FieldRow : public QWidget {
    Q_OBJECT
  public:
    /// `key` is the name in the file (monospace, muted). `editor` becomes a child. `hint` may be empty.
    FieldRow(const QString& label, const QString& key, QWidget* editor, const QString& hint = {},
             QWidget* parent = nullptr);
    QWidget* editor() const { return editor_; }
    /// Adds a widget next to the editor, such as a "Choose" button. In a narrow row it is placed below, to leave the
    /// room to the field.
    void addBeside(QWidget* widget);
    /// Limits the width of the editor for short values; the note below keeps the full width.
    void setEditorWidth(int pixels);
    void setLabel(const QString& label);
    QString label() const;
    void setHint(const QString& hint);
    QString hint() const { return hint_; }
    void setProblem(const QString& sentence);  ///< empty: valid
    QString problem() const { return problem_; }
    /// Shown instead of the hint while there is no problem; empty: no warning.
    void setWarning(const QString& sentence);
    QString warning() const { return warning_; }
    /// The text of the button that fixes the problem, e.g. "Use 1"; empty: no button.
    void setFix(const QString& words);
    QString key() const { return key_; }
    QSize minimumSizeHint() const override;

  signals:
    void fixRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showNote();
    void arrange();
    void placeBeside();
    QList<int> leastWidths() const;

    QWidget* editor_;
    QString label_;
    QString key_;
    QString hint_;
    QString problem_;
    QString warning_;
    QLabel* title_;
    QLabel* name_ = nullptr;  ///< key_
    QLabel* note_;
    QBoxLayout* halves_;
    QHBoxLayout* line_;
    QHBoxLayout* below_;  ///< layout of the widgets next to the editor in a wide row
    QList<QWidget*> beside_;
    QPushButton* fix_ = nullptr;
};

}  // namespace trainyard::widgets
