// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/diff_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextBlock>

#include "desktop/shell/ui.h"
#include "desktop/wizard/yaml_highlighter.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

using settings::DraftLine;

namespace {
const int& kGutter = live_px(20);

struct ChangeLook {
    Token token;
    QString mark;
};
/// How a changed line is marked.
ChangeLook changeLook(DraftLine::Change change) {
    using Change = DraftLine::Change;
    return change == Change::added     ? ChangeLook{Token::Ok, QStringLiteral("+")}
           : change == Change::changed ? ChangeLook{Token::Warn, QStringLiteral("~")}
           : change == Change::removed ? ChangeLook{Token::Error, QString(QChar(0x2212))}
                                       : ChangeLook{Token::TextMuted, {}};
}
}  // namespace

class DiffGutter : public QWidget {
  public:
    explicit DiffGutter(DiffText* text) : QWidget(text), text_(text) {}

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        text_->paintGutter(painter);
    }

  private:
    DiffText* text_;
};

DiffText::DiffText(QWidget* parent) : QPlainTextEdit(parent), gutter_(new DiffGutter(this)) {
    setProperty("surface", QStringLiteral("code"));
    setFont(Theme::instance().mono(12));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setViewportMargins(kGutter, 0, 0, 0);
    document()->setDocumentMargin(2);
    new YamlHighlighter(document());
    show({}, false, Qt::IBeamCursor);
    connect(this, &QPlainTextEdit::updateRequest, this, [this] { gutter_->update(); });
    connect(this, &QPlainTextEdit::cursorPositionChanged, viewport(), QOverload<>::of(&QWidget::update));
}

void DiffText::replaceText(const QString& text) {
    if (text == toPlainText())
        return;
    const int down = verticalScrollBar()->value();
    const int across = horizontalScrollBar()->value();
    const int line = textCursor().blockNumber();
    const int column = textCursor().positionInBlock();
    setPlainText(text);
    const QTextBlock block = document()->findBlockByNumber(qMin(line, document()->blockCount() - 1));
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + qMin(column, qMax(0, block.length() - 1)));
    setTextCursor(cursor);
    verticalScrollBar()->setValue(down);
    horizontalScrollBar()->setValue(across);
}

void DiffText::showLines(std::vector<DraftLine> lines) {
    lines_ = std::move(lines);
    QStringList text;
    for (const DraftLine& line : lines_)
        text << qt(line.text);
    show(text.join(QLatin1Char('\n')), false, Qt::PointingHandCursor);
}

void DiffText::showText(const QString& text, bool editable) {
    lines_.clear();
    show(text, editable, Qt::IBeamCursor);
}

void DiffText::show(const QString& text, bool editable, Qt::CursorShape cursor) {
    setReadOnly(!editable);
    setTextInteractionFlags(editable ? Qt::TextInteractionFlags(Qt::TextEditorInteraction)
                                     : Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    viewport()->setCursor(cursor);
    replaceText(editable ? text : widgets::visible_text(text));
    setWrongLine(0);
}

void DiffText::setWrongLine(int line) {
    wrong_line_ = line;
    viewport()->update();
    gutter_->update();
}

QColor DiffText::tintOf(int line) const {
    if (line + 1 == wrong_line_)
        return Theme::instance().tint(Token::Error);
    if (line < 0 || static_cast<std::size_t>(line) >= lines_.size() ||
        lines_[static_cast<std::size_t>(line)].change == DraftLine::Change::same)
        return {};
    return Theme::instance().tint(changeLook(lines_[static_cast<std::size_t>(line)].change).token);
}

void DiffText::paintEvent(QPaintEvent* event) {
    {
        QPainter painter(viewport());
        for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
            const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
            if (box.top() > viewport()->height())
                break;
            const QRectF row(0, box.top(), viewport()->width(), box.height());
            const QColor tint = tintOf(block.blockNumber());
            if (tint.isValid())
                painter.fillRect(row, tint);
            if (hasFocus() && isReadOnly() && !lines_.empty() && block == textCursor().block()) {
                painter.setPen(QPen(Theme::instance().color(Token::Accent), 1));
                painter.drawRect(row.adjusted(0, 0, -1, -1));
            }
        }
    }
    QPlainTextEdit::paintEvent(event);
}

void DiffText::paintGutter(QPainter& painter) {
    Theme& theme = Theme::instance();
    painter.setFont(theme.mono(12, QFont::DemiBold));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > gutter_->height())
            break;
        const int line = block.blockNumber();
        const QRectF row(0, box.top(), kGutter, box.height());
        const QColor tint = tintOf(line);
        if (!tint.isValid())
            continue;
        painter.fillRect(row, tint);
        const bool wrong = line + 1 == wrong_line_;
        const DraftLine::Change change =
            wrong ? DraftLine::Change::removed : lines_[static_cast<std::size_t>(line)].change;
        painter.setPen(theme.color(changeLook(change).token));
        painter.drawText(row, Qt::AlignCenter, wrong ? QStringLiteral("!") : changeLook(change).mark);
    }
}

void DiffText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    gutter_->setGeometry(inside.left(), inside.top(), kGutter, inside.height());
}

void DiffText::keyPressEvent(QKeyEvent* event) {
    if (isReadOnly() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
        emit lineActivated(textCursor().blockNumber());
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void DiffText::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position().toPoint();
    QPlainTextEdit::mousePressEvent(event);
}

void DiffText::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    const QPoint at = event->position().toPoint();
    if (isReadOnly() && event->button() == Qt::LeftButton && (at - pressed_).manhattanLength() < 4 &&
        !textCursor().hasSelection())
        emit lineActivated(cursorForPosition(at).blockNumber());
}

void DiffText::focusInEvent(QFocusEvent* event) {
    QPlainTextEdit::focusInEvent(event);
    viewport()->update();
}

void DiffText::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    viewport()->update();
}

}  // namespace trainyard::desktop
