#include "desktop/wizard/step_page.h"

#include <QLineEdit>

#include "desktop/ui.h"
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
    setLayout(make_column({0, 2, 8, 12}, 3, {title_, subtitle_, gap(5), column_, stretch(1)}));
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, &StepPage::showProblems);
}

void StepPage::setHeading(const QString& title, const QString& subtitle) {
    title_->setText(title);
    subtitle_->setText(subtitle);
    subtitle_->setVisible(!subtitle.isEmpty());
    setAccessibleName(title);
}

QString StepPage::heading() const {
    return title_->text();
}

QVBoxLayout* StepPage::addBlock(const QString& title) {
    auto* block = new QWidget(this);
    auto* layout = make_column({0, 0, 0, 0}, 10, {});
    block->setLayout(layout);
    if (!title.isEmpty())
        layout->addWidget(make_label(title, 13, QFont::DemiBold, Tone::Secondary));
    column_->addWidget(block);
    return layout;
}

QVBoxLayout* StepPage::addFolded(const QString& title) {
    fold_ = dressed(new QPushButton(title, this), {.kind = "link"});
    fold_->setCheckable(true);
    column_->addLayout(make_row({fold_, stretch()}));
    folded_ = new QWidget(this);
    auto* layout = make_column({0, 0, 0, 0}, 10, {});
    folded_->setLayout(layout);
    column_->addWidget(folded_);
    folded_->hide();
    connect(fold_, &QPushButton::toggled, this, [this](bool open) {
        folded_->setVisible(open);
        if (open)
            emit seen(folded_);
    });
    return layout;
}

bool StepPage::unfold() {
    if (fold_ == nullptr || fold_->isChecked())
        return false;
    fold_->setChecked(true);
    return true;
}

StepPage::Field& StepPage::addField(QVBoxLayout* into, int at, const QString& key, const QString& path,
                                    const QString& shownKey, const QString& label, const QString& hint,
                                    FieldEditor* editor, const std::function<void(const QString&)>& edited) {
    auto* row = new FieldRow(label, shownKey, editor->widget(), hint);
    if (at < 0)
        into->addWidget(row);
    else
        into->insertWidget(at, row);
    Field& field = fields_[key];
    field = {key, path, row, editor, {}};
    editor->setParent(row);
    connect(editor, &FieldEditor::edited, this, [this, key, edited](const QString& value) {
        if (Field* own = find(key); own != nullptr && own->editor->kind() == FieldEditor::Kind::Line)
            own->typed.start();
        edited(value);
    });
    connect(editor, &FieldEditor::left, this, [this, key] {
        if (Field* own = find(key))
            own->typed.invalidate();
        showProblems();
    });
    connect(row, &FieldRow::fixRequested, this, [this, key] {
        for (const FieldProblem& problem : std::as_const(problems_))
            if ((problem.key == key) && problem.finding && problem.finding->fix) {
                const settings::Finding finding = *problem.finding;
                draft_->model()->applyFix(finding);
                if (Field* own = find(key))
                    own->editor->focus();
                return;
            }
    });
    return field;
}

StepPage::Field* StepPage::find(const QString& key) {
    const auto it = fields_.find(key);
    if (it != fields_.end())
        return &*it;
    for (Field& field : fields_)
        if (!field.path.isEmpty() && field.path == key)
            return &field;
    return nullptr;
}

const StepPage::Field* StepPage::find(const QString& key) const {
    return const_cast<StepPage*>(this)->find(key);
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
    for (Field& field : fields_) {
        QString sentence;
        QString warning;
        QString fix;
        for (const FieldProblem& problem : std::as_const(problems_)) {
            if (problem.key != field.key)
                continue;
            if (!problem.error) {
                if (warning.isEmpty())
                    warning = problem.sentence;
            } else if (sentence.isEmpty()) {
                sentence = problem.sentence;
                if (problem.finding && problem.finding->fix) {
                    const QString value = valueText(*problem.finding->fix);
                    fix = value.isEmpty() ? tr("Remove it") : tr("Use %1").arg(value);
                }
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
