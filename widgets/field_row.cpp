// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/field_row.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/pixels.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
const int& kLabelWidth = live_px(168);
const int& kNarrowRow = live_px(500);
const int& kBetweenHalves = live_px(16);

/// A label whose text is never cut: if a line above is wider than the window, layouts request the height for one width
/// and assign another.
class WholeWords : public QLabel {
  public:
    using QLabel::QLabel;

    /// For the words and the width that it has now. heightForWidth() is never less than the minimum that was set
    /// before.
    void fit() {
        const QRect room(0, 0, contentsRect().width(), QWIDGETSIZE_MAX);
        const int lines =
            fontMetrics().boundingRect(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text()).height();
        setMinimumHeight(text().isEmpty() ? 0 : lines + height() - contentsRect().height());
    }

    /// Of the width that it has. Qt's own wraps to a pleasing shape: rows of a fixed height would ask for more lines
    /// than there are, and their page would scroll to a blank end.
    QSize sizeHint() const override {
        const int wide = testAttribute(Qt::WA_Resized) ? width() : QLabel::sizeHint().width();
        return {wide, std::max(minimumHeight(), fontMetrics().height())};
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        fit();
    }
};

/// `key` in lines that end after '_', '.' or '-' and are at most `width` pixels wide, if its parts are.
QString lines_of_key(const QString& key, const QFontMetrics& metrics, int width) {
    QString lines, line;
    for (qsizetype from = 0, to = 0; from < key.size(); from = to) {
        while (to < key.size() && key[to].isLetterOrNumber())
            ++to;
        while (to < key.size() && !key[to].isLetterOrNumber())
            ++to;
        const QString part = key.mid(from, to - from);
        if (!line.isEmpty() && metrics.horizontalAdvance(line + part) > width) {
            lines += line + QLatin1Char('\n');
            line.clear();
        }
        line += part;
    }
    return lines + line;
}

/// A label with line breaks in words that are wider than the column of labels, such as keys.
QString breakable(const QString& label, const QFontMetrics& metrics) {
    const QStringList words = label.split(QLatin1Char(' '));
    const bool has_room =
        std::ranges::all_of(words, [&](const QString& word) { return metrics.horizontalAdvance(word) <= kLabelWidth; });
    return has_room ? label : lines_of_key(label, metrics, kLabelWidth);
}

/// A key, in as many lines as its width needs.
class KeyLabel : public QLabel {
  public:
    explicit KeyLabel(const QString& key) : QLabel(key), key_(key) {
        setTextFormat(Qt::PlainText);
        setFont(Theme::instance().mono(11));
        setForegroundRole(tone_role(Tone::Muted));
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        setAccessibleName(key);
    }
    QSize minimumSizeHint() const override {
        const int few_letters = fontMetrics().horizontalAdvance(QStringLiteral("MMM…"));
        return {std::min(few_letters, sizeHint().width()), QLabel::minimumSizeHint().height()};
    }
    QSize sizeHint() const override { return {fontMetrics().horizontalAdvance(key_) + 2, QLabel::sizeHint().height()}; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        if (const QString lines = lines_of_key(key_, fontMetrics(), width()); lines != text())
            setText(lines);
    }

  private:
    QString key_;
};

WholeWords* makeNote(const QString& words, QWidget* parent) {
    auto* note = new WholeWords(words, parent);
    note->setFont(Theme::instance().text(12));
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    note->setAlignment(Qt::AlignLeft | Qt::AlignTop);  // below the editor, however high the row is
    note->setForegroundRole(tone_role(Tone::Muted));
    return note;
}
}  // namespace

FieldRow::FieldRow(const QString& label, const QString& key, QWidget* editor, const QString& hint, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      label_(label),
      key_(key),
      hint_(hint),
      title_(wrapped(make_label(label, 13, QFont::Medium))),
      note_(makeNote(hint, this)),
      line_(new QHBoxLayout),
      below_(new QHBoxLayout) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    title_->setText(breakable(label, title_->fontMetrics()));
    title_->setBuddy(editor);
    title_->setFixedWidth(kLabelWidth);
    auto* names = make_column({0, 5, 0, 0}, 1, {title_});
    if (!key.isEmpty()) {
        name_ = new KeyLabel(key);
        name_->setFixedWidth(kLabelWidth);
        names->addWidget(name_);
    }
    names->setAlignment(Qt::AlignTop);
    line_->setSpacing(8);
    // Segmented controls and check boxes keep their size and are left-aligned.
    const bool fixed = editor->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed;
    line_->addWidget(editor, fixed ? 0 : 1);
    if (fixed || editor->maximumWidth() < QWIDGETSIZE_MAX)
        line_->addStretch(fixed ? 1 : 0);
    below_->setSpacing(8);
    note_->setVisible(!hint.isEmpty());
    auto* column = make_column(3, {line_, below_, note_});
    column->setAlignment(Qt::AlignTop);
    halves_ = make_row({0, 0, 0, 0}, kBetweenHalves, {names, {column, 1}});
    setLayout(halves_);
    editor->setAccessibleName(label);
    editor->setAccessibleDescription(hint);
}

void FieldRow::addBeside(QWidget* widget) {
    beside_ << widget;
    line_->addWidget(widget);
    placeBeside();
}

void FieldRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

QList<int> FieldRow::leastWidths() const {
    return {halves_->itemAt(0)->minimumSize().width(), halves_->itemAt(1)->minimumSize().width()};
}

QSize FieldRow::minimumSizeHint() const {
    const QList<int> least = leastWidths();
    return {std::max(least[0], least[1]), QWidget::minimumSizeHint().height()};
}

void FieldRow::arrange() {
    placeBeside();
    const bool stacked = width() < kLabelWidth + kBetweenHalves + leastWidths()[1];
    if (stacked == (halves_->direction() == QBoxLayout::TopToBottom))
        return;
    halves_->setDirection(stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    halves_->setSpacing(stacked ? 3 : kBetweenHalves);
    for (QLabel* label : {title_, name_})
        if (label != nullptr) {
            label->setMinimumWidth(stacked ? 0 : kLabelWidth);
            label->setMaximumWidth(stacked ? QWIDGETSIZE_MAX : kLabelWidth);
        }
    updateGeometry();
}

void FieldRow::placeBeside() {
    const bool narrow = width() < kNarrowRow;
    if (beside_.isEmpty() || narrow == (below_->indexOf(beside_.first()) >= 0))
        return;
    QHBoxLayout* from = narrow ? line_ : below_;
    QHBoxLayout* to = narrow ? below_ : line_;
    for (QWidget* widget : std::as_const(beside_)) {
        from->removeWidget(widget);
        to->addWidget(widget);
    }
    if (narrow)
        below_->addStretch(1);
    else
        delete below_->takeAt(below_->count() - 1);
    updateGeometry();
}

void FieldRow::setEditorWidth(int pixels) {
    editor_->setFixedWidth(pixels);
    line_->addStretch(1);
}

void FieldRow::setLabel(const QString& label) {
    if (label == label_)
        return;
    label_ = label;
    title_->setText(breakable(label, title_->fontMetrics()));
    editor_->setAccessibleName(label);
}

QString FieldRow::label() const {
    return label_;
}

void FieldRow::showNote() {
    const bool bad = !problem_.isEmpty();
    const QString& words = bad ? problem_ : warning_.isEmpty() ? hint_ : warning_;
    note_->setText(words);
    note_->setVisible(!words.isEmpty());
    note_->setForegroundRole(tone_role(bad ? Tone::Error : warning_.isEmpty() ? Tone::Muted : Tone::Warn));
    // Before the first layout the label has an arbitrary width, at which the text would wrap to many lines.
    if (note_->testAttribute(Qt::WA_Resized))
        static_cast<WholeWords*>(note_)->fit();
    editor_->setAccessibleDescription(words);
}

void FieldRow::setHint(const QString& hint) {
    if (hint == hint_)
        return;
    hint_ = hint;
    showNote();
}

void FieldRow::setProblem(const QString& sentence) {
    if (sentence == problem_)
        return;
    const bool was = !problem_.isEmpty();
    problem_ = sentence;
    showNote();
    if (was == !sentence.isEmpty())
        return;
    set_invalid(editor_, !was);
}

void FieldRow::setWarning(const QString& sentence) {
    if (sentence == warning_)
        return;
    warning_ = sentence;
    showNote();
}

void FieldRow::setFix(const QString& words) {
    if (words.isEmpty() && fix_ == nullptr)
        return;
    if (fix_ == nullptr) {
        fix_ = new QPushButton(this);
        line_->insertWidget(1, fix_);
        connect(fix_, &QPushButton::clicked, this, &FieldRow::fixRequested);
    }
    fix_->setText(words);
    fix_->setAccessibleName(label() + QStringLiteral(": ") + words);
    fix_->setVisible(!words.isEmpty());
}

}  // namespace trainyard::widgets
