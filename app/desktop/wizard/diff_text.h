#pragma once
// Text with a mark ~ + - and a tinted background on lines that differ from another text. Read only it is a list one can walk through and
// click; editable it is a plain editor of YAML with the wrong line marked.

#include <vector>

#include <QPlainTextEdit>

#include "config/accelerate/draft.h"

namespace trainyard::desktop {

class DiffText : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit DiffText(QWidget* parent = nullptr);

    /// Read only, with marks. Scroll position and the line of the cursor stay.
    void showLines(std::vector<settings::DraftLine> lines);
    /// Without marks.
    void showText(const QString& text, bool editable);
    const std::vector<settings::DraftLine>& lines() const { return lines_; }
    /// From 1; 0: none is wrong.
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
    /// Of the line's background; invalid: none.
    QColor tintOf(int line) const;

    QWidget* gutter_;
    std::vector<settings::DraftLine> lines_;
    int wrong_line_ = 0;
    QPoint pressed_;
};

}  // namespace trainyard::desktop
