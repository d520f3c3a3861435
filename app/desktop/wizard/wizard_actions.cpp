// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the state of the draft in the wizard and opens the page of a field or problem.

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QFileInfo>
#include <QJsonObject>
#include <QScrollArea>
#include <QStackedWidget>

#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/expert_view.h"
#include "desktop/wizard/fit_panel.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/review_page.h"
#include "desktop/wizard/start_page.h"
#include "desktop/wizard/wizard_page.h"
#include "desktop/wizard/written_panel.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

const int& kPageListWidth = live_px(196);
const int& kPageListNarrow = live_px(132);
const int& kPageListFolded = live_px(44);
const int& kFoldedWizard = live_px(700);  ///< width of the page below which the list of pages has marks only
const int& kWizardSideWidth = live_px(364);
const int& kWizardSideNarrow = live_px(270);
const int& kStackedWizard = live_px(820);  ///< width of the page below which the side panels are below the fields
const int &kStackedSideHeight = live_px(260), &kLeastStackedFields = live_px(160);
const int& kFieldsWidth = live_px(580);    ///< room for the fields beside which the list of pages is wider
const int& kNarrowWizard = live_px(1080);  ///< width of the page below which margins and side panels shrink

}  // namespace

bool WizardPage::isChecked() const {
    return draft_.isChecked() && !writing_.isRunning() && !launching_.isRunning() && !probing_.isRunning() &&
           !opener_->isReading();
}

bool WizardPage::isBusy() const {
    return opener_->isReading() || writing_.isRunning() || launching_.isRunning() || question()->isVisibleTo(this);
}

void WizardPage::draftChanged() {
    keepPlace();
    keeper_->changed();
    showAll();
}

void WizardPage::showAll() {
    problems_ = problemsOf(draft_);
    list_->setSteps(stepsOf(draft_, problems_), step_, visited_);
    if (!expert_on_) {
        StepPage* now = page(step_);
        if (auto* review = qobject_cast<ReviewPage*>(now)) {
            review->setProblems(problems_);
            review->setCommand(commandLine());
        }
        if (auto* start = qobject_cast<StartPage*>(now))
            start->setDrafts(keeper_->parked(), opener_->holdsWork());
        now->refresh(problems_);
    }
    const auto errors = std::ranges::count(std::as_const(problems_), true, &FieldProblem::error);
    problem_count_->setText(errors == 1 ? tr("1 field to fix") : tr("%1 fields to fix").arg(errors));
    problem_count_->setVisible(errors > 0);
    undo_->setEnabled(draft_.history()->undoable() > 0);
    redo_->setEnabled(draft_.history()->redoable() > 0);
    const Step next = nextStep(1);
    back_->setEnabled(nextStep(-1) != step_);
    back_->setVisible(!expert_on_);
    next_->setVisible(!expert_on_ && next != step_);
    next_->setText(tr("Next: %1").arg(stepTitle(next)));
    if (launch_->isEnabled())
        launch_->setText(primaryWords());
    sweep_->setVisible(draft_.purpose() != Purpose::SettingsOnly);
    showWritten();
    showFacts();
    if (sweep_when_checked_ && isChecked()) {
        sweep_when_checked_ = false;
        openSweep();
    }
    if (launch_when_checked_ && isChecked()) {
        launch_when_checked_ = false;
        primaryAction();
    }
}

QString WizardPage::commandLine() const {
    return shellLine(draft_.commandWords(draft_.recipeValue(QStringLiteral("name")) + QStringLiteral(".yaml")));
}

void WizardPage::showWritten() {
    const bool engine = draft_.purpose() == Purpose::Engine;
    written_->setRecipe(engine ? qt(draft_.recipeYaml()) : QString());
    written_->setCommand(commandLine());
    if (!engine)
        fit_->setNoModel();
    else
        fit_->setModel(draft_.report().recipe);
}

void WizardPage::showFacts() {
    QStringList parts;
    if (draft_.purpose() == Purpose::Engine)
        parts << draft_.recipeValue(QStringLiteral("name"));
    else if (draft_.purpose() == Purpose::Script && !draft_.script().path.isEmpty())
        parts << QFileInfo(draft_.script().path).fileName();
    if (!opener_->from().isEmpty())
        parts << tr("from %1").arg(opener_->from());
    if (parts.isEmpty())
        parts << tr("Nothing is written until you launch or save");
    setFacts(parts.join(QStringLiteral("  ·  ")));
}

void WizardPage::keepPlace() {
    QJsonObject place = opener_->place();
    place.insert(QStringLiteral("page"), stepName(step_));
    place.insert(QStringLiteral("expert"), expert_on_);
    keeper_->setPlace(place);
}

bool WizardPage::goToField(const QString& key) {
    const settings::Questionnaire& tree = draft_.questionnaire();
    const settings::Question* question = questionOf(draft_, key.toStdString());
    const bool hidden = question != nullptr && !tree.shown(*question, draft_.draft().answers());
    const QString of_expert = question == nullptr ? key : qt(question->path);
    if (expert_on_ && !of_expert.isEmpty() && expert()->focusKey(of_expert))
        return true;
    for (int i = 0; i < kSteps; ++i) {
        const auto step = static_cast<Step>(i);
        if (question != nullptr ? step != stepOf(question->topic) : step == Step::Review)
            continue;
        StepPage* each = page(step);
        each->refresh(problems_);
        const QString name = question == nullptr ? key : qt(question->id);
        if (question == nullptr && each->row(name) == nullptr)
            continue;
        if (!list_->shownSteps().contains(step))
            list_->setShowsAll(true);
        showStep(step);
        if (hidden) {
            messages_->say(InlineMessage::Kind::Note, tr("%1 does not apply now").arg(engineWords(question->label)),
                           engineWords(tree.hidden_because(*question, draft_.draft().answers())));
            each->focusFirst();
            return false;
        }
        return each->focusField(name);
    }
    setExpert(true);
    return expert()->focusKey(key);
}

void WizardPage::goToFirstProblem() {
    const auto found = std::ranges::find_if(std::as_const(problems_), &FieldProblem::error);
    if (found == problems_.cend())
        return;
    // A copy, since goToField() recomputes the list of problems.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const FieldProblem problem = *found;
    if (problem.key.isEmpty())
        messages_->say(InlineMessage::Kind::Error, tr("The recipe cannot be run"), problem.sentence);
    else if (!goToField(problem.key))
        messages_->say(InlineMessage::Kind::Error, problem.label, problem.sentence);
}

void WizardPage::useOwnScript() {
    draft_.setPurpose(Purpose::Script);
    showStep(Step::Script);
    page(Step::Script)->focusFirst();
}

bool WizardPage::halveBatch() {
    const QString batch = QStringLiteral("training.batch_size");
    const QString accumulation = QStringLiteral("training.gradient_accumulation_steps");
    const int size = draft_.recipeValue(batch).toInt();
    if (size < 2 || size % 2 != 0)
        return false;
    draft_.beginStep();
    draft_.setRecipeValue(batch, QString::number(size / 2));
    draft_.setRecipeValue(accumulation, QString::number(2 * std::max(1, draft_.recipeValue(accumulation).toInt())));
    draft_.endStep();
    return true;
}

/// While the side panels are below, the fields and the buttons below them fill what is visible of the page.
void WizardPage::placeFooter() {
    const int above = middle_->mapTo(this, QPoint()).y();
    const int below = footer_->height() + 2 * kBesideFooter + 1 + body()->contentsMargins().bottom();
    const int fields = widgets::visible_size(this).height() - above - below;
    middle_->setMinimumHeight(stacked_ ? std::max(kLeastStackedFields, fields) : 0);
}

bool WizardPage::eventFilter(QObject* watched, QEvent* event) {
    // The header or a message above has more lines, or the buttons have.
    if ((watched == middle_ && event->type() == QEvent::Move) ||
        (watched == footer_ && event->type() == QEvent::Resize))
        placeFooter();
    return Page::eventFilter(watched, event);
}

void WizardPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    const bool narrow = width() < kNarrowWizard;
    body()->setContentsMargins(narrow ? 10 : 20, 12, narrow ? 10 : 20, 10);
    columns_->setSpacing((narrow ? 12 : 16) - kBesideFields);
    parts_->setSpacing(narrow ? 12 : 16);
    const int visible = widgets::visible_size(this).width();
    const bool folded = visible < kFoldedWizard;
    stacked_ = visible < kStackedWizard;
    const int beside = stacked_ ? 0 : kWizardSideNarrow;
    list_->setFolded(folded);
    list_scroll_->setFixedWidth(folded ? kPageListFolded
                                : !narrow
                                    ? kPageListWidth
                                    : std::clamp(visible - beside - kFieldsWidth, kPageListNarrow, kPageListWidth));
    parts_->setDirection(stacked_ ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    placeFooter();
    right_->setMinimumSize(0, stacked_ ? kStackedSideHeight : 0);
    right_->setMaximumWidth(QWIDGETSIZE_MAX);
    if (!stacked_)
        right_->setFixedWidth(narrow ? kWizardSideNarrow : kWizardSideWidth);
}

}  // namespace trainyard::desktop
