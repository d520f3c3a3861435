#pragma once
// A line of a form: label and key at the left, the editor, below it a hint or, when the value is wrong, one sentence
// that names the mend. The sentence is shown by setProblem() and goes at once when the problem goes.

#include <QWidget>

class QLabel;
class QHBoxLayout;

namespace trainyard::widgets {

class FieldRow : public QWidget {
    Q_OBJECT
  public:
    /// `key` is the name in the file (mono, muted); `editor` becomes a child. `hint` may be empty.
    FieldRow(const QString& label, const QString& key, QWidget* editor, const QString& hint = {},
             QWidget* parent = nullptr);
    QWidget* editor() const { return editor_; }
    /// More than the editor: e.g. a "Choose" button right of it.
    void addBeside(QWidget* widget);
    /// Short values get a short field; the note below keeps the whole width.
    void setEditorWidth(int pixels);
    void setHint(const QString& hint);
    void setProblem(const QString& sentence);  ///< empty: all right
    QString problem() const { return problem_; }
    QString key() const { return key_; }

  private:
    QWidget* editor_;
    QString key_;
    QString hint_;
    QString problem_;
    QLabel* note_;
    QHBoxLayout* line_;
};

}  // namespace trainyard::widgets
