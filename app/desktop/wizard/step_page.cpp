// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/step_page.h"

#include <algorithm>

#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

using widgets::FieldRow;

namespace {
constexpr int kPatienceMs = 300;
}

StepPage::StepPage(RunDraft* draft, Step step, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      step_(step),
      title_(wrapped(make_title({}, 18))),
      subtitle_(wrapped(make_note({}))),
      column_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("clear"));
    column_->setSpacing(14);
    setLayout(make_column({kBesideFields, 2, 8, 12}, 3, {title_, subtitle_, gap(11), column_, stretch(1)}));
    act_after(later_, kPatienceMs, this, &StepPage::showProblems);
}

void StepPage::setHeading(const QString& title, const QString& subtitle) {
    title_->setText(title);
    subtitle_->setText(subtitle);
    subtitle_->setVisible(!subtitle.isEmpty());
    setAccessibleName(title);
}

QVBoxLayout* StepPage::addBlock(const QString& title) {
    auto* layout = make_column({0, 0, 0, 0}, 10, {});
    column_->addWidget(make_holder(layout));
    addTitle(layout, title);
    return layout;
}

void StepPage::moveBlock(QVBoxLayout* block, int place) {
    QWidget* holder = block->parentWidget();
    if (column_->indexOf(holder) == place)
        return;
    column_->removeWidget(holder);
    column_->insertWidget(place, holder);
}

void StepPage::addTitle(QVBoxLayout* block, const QString& title) {
    if (!title.isEmpty())
        block->addWidget(make_label(title, 13, QFont::DemiBold, Tone::Secondary));
}

QVBoxLayout* StepPage::addFolded(const QString& title) {
    fold_ = with_look(new QPushButton(title), {.kind = "link"});
    fold_->setCheckable(true);
    column_->addLayout(make_row({fold_, stretch()}));
    QVBoxLayout* layout = addBlock({});
    folded_ = layout->parentWidget();
    folded_->hide();
    connect(fold_, &QPushButton::toggled, this, [this](bool open) {
        folded_->setVisible(open);
        if (open)
            emit seen(folded_);
    });
    return layout;
}

void StepPage::unfold() {
    fold_->setChecked(true);
}

StepPage::Field& StepPage::addField(QVBoxLayout* into, int at, const QString& key, const QString& path,
                                    const QString& shownKey, const QString& label, const QString& hint,
                                    FieldEditor* editor, const std::function<void(const QString&)>& edited) {
    auto* row = new FieldRow(label, shownKey, editor->widget(), hint);
    if (at < 0)
        into->addWidget(row);
    else
        into->insertWidget(at, row);
    auto field = std::make_shared<Field>(Field{key, path, row, editor, {}});
    fields_.insert(key, field);
    editor->setParent(row);
    connect(editor, &FieldEditor::edited, this, [field, edited](const QString& value) {
        if (field->editor->kind() == FieldEditor::Kind::Line)
            field->typed.start();
        edited(value);
    });
    connect(editor, &FieldEditor::left, this, [this, field] {
        field->typed.invalidate();
        showProblems();
    });
    connect(row, &FieldRow::fixRequested, this, [this, field] {
        for (const FieldProblem& problem : std::as_const(problems_))
            if (problem.key == field->key && problem.finding && problem.finding->fix) {
                draft_->model()->applyFix(settings::Finding(*problem.finding));
                return field->editor->focus();
            } else if (problem.key == field->key && !problem.fix.isEmpty()) {
                draft_->setRecipeValue(field->key, QString(problem.fix));
                return field->editor->focus();
            }
    });
    return *field;
}

StepPage::Field* StepPage::find(const QString& key) const {
    if (const auto found = fields_.value(key))
        return found.get();
    const auto other =
        std::ranges::find_if(fields_, [&](const auto& field) { return !field->path.isEmpty() && field->path == key; });
    return other == fields_.end() ? nullptr : other->get();
}

FieldRow* StepPage::row(const QString& key) const {
    const Field* field = find(key);
    return field == nullptr ? nullptr : field->row;
}

FieldEditor* StepPage::editor(const QString& key) const {
    const Field* field = find(key);
    return field == nullptr ? nullptr : field->editor;
}

bool StepPage::focusField(const QString& key) {
    Field* field = find(key);
    if (field == nullptr || field->row->isHidden())
        return false;
    if (folded_ != nullptr && folded_->isAncestorOf(field->row))
        unfold();
    field->editor->focus();
    emit seen(field->row);
    return true;
}

void StepPage::focusFirst() {
    for (QWidget* widget = nextInFocusChain(); widget != nullptr && widget != this; widget = widget->nextInFocusChain())
        if (isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isVisibleTo(this)) {
            widget->setFocus(Qt::OtherFocusReason);
            return;
        }
}

void StepPage::refresh(const QVector<FieldProblem>& problems) {
    problems_ = problems;
    takeValues();
    showProblems();
}

void StepPage::showProblems() {
    qint64 wait = -1;
    for (const auto& shared : std::as_const(fields_)) {
        Field& field = *shared;
        QString sentence, warning, fix;
        for (const FieldProblem& problem : std::as_const(problems_)) {
            if (isBeingSolved(field.key))
                break;
            QString& said = problem.error ? sentence : warning;
            if (problem.key != field.key || !said.isEmpty())
                continue;
            said = problem.sentence;
            if (problem.error && problem.finding && problem.finding->fix) {
                const QString value = valueText(*problem.finding->fix);
                fix = value.isEmpty() ? tr("Remove it") : tr("Use %1").arg(value);
            } else if (!problem.fix.isEmpty() && (problem.error || fix.isEmpty())) {
                fix = tr("Use %1").arg(problem.fix);
            }
        }
        if (!sentence.isEmpty() && field.row->problem().isEmpty() && field.typed.isValid() &&
            field.typed.elapsed() < kPatienceMs) {
            wait = std::max(wait, kPatienceMs - field.typed.elapsed());
            continue;
        }
        field.row->setProblem(sentence);
        field.row->setWarning(warning);
        field.row->setFix(fix);
    }
    if (wait >= 0)
        later_.start(static_cast<int>(wait) + 1);
}

}  // namespace trainyard::desktop
