#include "widgets/field_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QVBoxLayout>

#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr int kLabelWidth = 180;
}

FieldRow::FieldRow(const QString& label, const QString& key, QWidget* editor, const QString& hint, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      key_(key),
      hint_(hint),
      note_(make_label(hint, 12, QFont::Normal, Tone::Muted, this)),
      line_(new QHBoxLayout) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    auto* names = new QVBoxLayout;
    names->setSpacing(1);
    names->setContentsMargins(0, 5, 0, 0);
    QLabel* title = make_label(label, 13, QFont::Medium);
    title->setBuddy(editor);
    title->setFixedWidth(kLabelWidth);
    names->addWidget(title);
    if (!key.isEmpty()) {
        auto* name = new ElidedLabel(key);
        name->setFont(Theme::instance().mono(11));
        set_tone(name, Tone::Muted);
        name->setFixedWidth(kLabelWidth);
        names->addWidget(name);
    }
    names->setAlignment(Qt::AlignTop);
    layout->addLayout(names);
    auto* column = new QVBoxLayout;
    column->setSpacing(3);
    line_->setSpacing(8);
    line_->addWidget(editor, 1);
    column->addLayout(line_);
    note_->setWordWrap(true);
    note_->setVisible(!hint.isEmpty());
    column->addWidget(note_);
    column->setAlignment(Qt::AlignTop);
    layout->addLayout(column, 1);
    editor->setAccessibleName(label);
    editor->setAccessibleDescription(hint);
}

void FieldRow::addBeside(QWidget* widget) {
    line_->addWidget(widget);
}

void FieldRow::setEditorWidth(int pixels) {
    editor_->setFixedWidth(pixels);
    line_->addStretch(1);
}

void FieldRow::setHint(const QString& hint) {
    hint_ = hint;
    if (problem_.isEmpty()) {
        note_->setText(hint);
        note_->setVisible(!hint.isEmpty());
    }
}

void FieldRow::setProblem(const QString& sentence) {
    if (sentence == problem_)
        return;
    problem_ = sentence;
    const bool bad = !sentence.isEmpty();
    note_->setText(bad ? sentence : hint_);
    note_->setVisible(!note_->text().isEmpty());
    set_tone(note_, bad ? Tone::Error : Tone::Muted);
    editor_->setProperty("invalid", bad);
    editor_->setAccessibleDescription(note_->text());
    editor_->style()->unpolish(editor_);
    editor_->style()->polish(editor_);
    editor_->update();
}

}  // namespace trainyard::widgets
