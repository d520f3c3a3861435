// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text whose lines are marked ~ + - and tinted where they differ from another text. Read only, it is a list with
// keyboard navigation and clicks; editable, it is a plain YAML editor that marks the invalid line.

#include <vector>

#include <QPlainTextEdit>

#include "config/accelerate/draft.h"

namespace trainyard::desktop {

class DiffText : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit DiffText(QWidget* parent = nullptr);

    /// Shows read-only lines with change marks. Scroll position and the line of the cursor stay.
    void showLines(std::vector<settings::DraftLine> lines);
    /// Shows plain text without change marks.
    void showText(const QString& text, bool editable);
    const std::vector<settings::DraftLine>& lines() const { return lines_; }
    /// Line number from 1; 0: no line is invalid.
    void setWrongLine(int line);

  signals:
    void lineActivated(int line);  ///< from 0

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    friend class DiffGutter;
    void show(const QString& text, bool editable, Qt::CursorShape cursor);
    void replaceText(const QString& text);
    void paintGutter(QPainter& painter);
    /// Colour of the line's background; invalid: none.
    QColor tintOf(int line) const;

    QWidget* gutter_;
    std::vector<settings::DraftLine> lines_;
    int wrong_line_ = 0;
    QPoint pressed_;
};

}  // namespace trainyard::desktop
