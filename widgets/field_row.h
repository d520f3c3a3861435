#pragma once
// A line of a form: label and key at the left, the editor, below it a hint or, when the value is wrong, one sentence
// that names the mend. The sentence is shown by setProblem() and goes at once when the problem goes. When exactly one value
// mends it, a button beside the editor offers it.

#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::widgets {

class FieldRow : public QWidget {
    Q_OBJECT
  public:
    /// `key` is the name in the file (mono, muted); `editor` becomes a child. `hint` may be empty.
    FieldRow(const QString& label, const QString& key, QWidget* editor, const QString& hint = {},
             QWidget* parent = nullptr);
    QWidget* editor() const { return editor_; }
    /// More than the editor: e.g. a "Choose" button right of it. Below it where the row is narrow: the field has more use for the room.
    void addBeside(QWidget* widget);
    /// Short values get a short field; the note below keeps the whole width.
    void setEditorWidth(int pixels);
    void setLabel(const QString& label);
    QString label() const;
    void setHint(const QString& hint);
    void setProblem(const QString& sentence);  ///< empty: all right
    QString problem() const { return problem_; }
    /// Shown in the place of the hint while there is no problem; empty: none.
    void setWarning(const QString& sentence);
    QString warning() const { return warning_; }
    /// The words of the button that mends the problem, e.g. "Use 1"; empty: no button.
    void setFix(const QString& words);
    QString key() const { return key_; }

  signals:
    void fixRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showNote();
    void arrange();

    QWidget* editor_;
    QString key_;
    QString hint_;
    QString problem_;
    QString warning_;
    QLabel* title_;
    QLabel* note_;
    QHBoxLayout* line_;
    QHBoxLayout* below_;  ///< of what stands beside the editor in a wide row
    QList<QWidget*> beside_;
    QPushButton* fix_ = nullptr;
};

}  // namespace trainyard::widgets
