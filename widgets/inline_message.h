// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An error, warning or note where the content would be: what happened, what it means, what to do (buttons), with
// details folded and a Copy button. Nothing pops up.

#include <QFrame>

#include "widgets/forward.h"

namespace trainyard::widgets {

class InlineMessage : public QFrame {
    Q_OBJECT
  public:
    enum class Kind { Note, Warning, Error };

    explicit InlineMessage(QWidget* parent = nullptr);  ///< hidden until showMessage()
    void showMessage(Kind kind, const QString& title, const QString& text = {}, const QString& details = {});
    void dismiss();
    QPushButton* addAction(const QString& text);
    QString title() const;
    QString text() const;
    /// Title, text and details: what Copy puts on the clipboard.
    QString copyText() const;

  signals:
    void dismissed();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Kind kind_ = Kind::Note;
    IconLabel* picture_;
    QLabel* title_;
    QLabel* text_;
    QPlainTextEdit* details_;
    QPushButton* toggle_;
    QPushButton* copy_;
    QHBoxLayout* buttons_;
};

}  // namespace trainyard::widgets
