// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/written_panel.h"

#include <algorithm>

#include "config/accelerate/settings_file.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/diff_text.h"
#include "desktop/wizard/draft_model.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using settings::DraftLine;

namespace {
const int& kWithTitle = live_px(320);  ///< narrower, the tabs need the room

settings::Format formatOf(const DraftModel& draft) {
    const auto& original = draft.draft().original();
    return original ? original->format : settings::Format::yaml;
}

bool isComment(const QString& line) {
    return line.trimmed().startsWith(QLatin1Char('#'));
}
}  // namespace

WrittenPanel::WrittenPanel(DraftModel* draft, QWidget* parent)
    : QFrame(parent),
      draft_(draft),
      title_(make_elided(tr("Preview"), Theme::instance().text(14, QFont::DemiBold))),
      tabs_(new widgets::SegmentedControl({tr("YAML"), tr("Recipe"), tr("Command")})),
      text_(named(new DiffText, tr("What will be written"))),
      problem_(wrapped(make_note({}, Tone::Error))),
      counts_(make_elided({}, Theme::instance().mono(11), Tone::Secondary)),
      edit_(with_look(new QPushButton(tr("Edit")), {.tip = tr("Edit the text. The form follows.")})),
      save_(new QPushButton(tr("Save as…"))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* copy_button = with_look(
        new QPushButton,
        {.kind = "ghost", .icon = "copy", .tip = tr("Copy what is shown"), .name = tr("Copy what will be written")});
    copy_button->setFixedWidth(34_px);
    problem_->setContentsMargins(13, 0, 13, 0);
    problem_->hide();
    for (QPushButton* link : {edit_, save_}) {
        widgets::set_look(link, {.kind = "link"});
        link->setFont(Theme::instance().text(12, QFont::Medium));
    }
    auto* links = make_holder(make_row({0, 0, 0, 0}, 10, {edit_, save_}));
    auto* foot = widgets::make_wrapping_row({13, 0, 10, 0}, 4, {counts_, stretch(), links});
    setLayout(make_column({1, 10, 1, 8}, 6,
                          {make_row({13, 0, 6, 0}, 4, {{title_, 1}, tabs_, copy_button}), problem_, {text_, 1}, foot}));

    act_after(typing_, kTypingMs, this, &WrittenPanel::readEdited);
    connect(tabs_, &widgets::SegmentedControl::currentChanged, this, [this] {
        if (editing_ && tab() != Yaml)
            setEditing(false);
        showNow();
    });
    connect(copy_button, &QPushButton::clicked, this, [this] { copy_text(copyText()); });
    connect(edit_, &QPushButton::clicked, this, [this] { setEditing(!editing_); });
    connect(save_, &QPushButton::clicked, this, [this] {
        if (typing_.isActive())
            readEdited();
        emit saveRequested();
    });
    connect(text_, &DiffText::lineActivated, this, [this](int line) {
        const auto& lines = text_->lines();
        const auto at = static_cast<std::size_t>(line);
        if (line >= 0 && at < lines.size() && !lines[at].path.empty())
            emit keyActivated(qt(lines[at].path));
    });
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        if (editing_ && !showing_)
            typing_.start();
    });
    connect(draft_, &DraftModel::changed, this, [this] {
        if (!reading_)
            showNow();
    });
    setRecipe({});
    showNow();
}

WrittenPanel::Tab WrittenPanel::tab() const {
    return static_cast<Tab>(tabs_->current());
}

void WrittenPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    title_->setVisible(width() >= kWithTitle);
}

void WrittenPanel::setRecipe(const QString& yaml) {
    if (yaml == recipe_ && tabs_->button(Recipe)->isVisibleTo(tabs_) == !yaml.isEmpty())
        return;
    recipe_ = yaml;
    tabs_->button(Recipe)->setVisible(!yaml.isEmpty());
    if (tab() == Recipe && yaml.isEmpty())
        tabs_->setCurrent(Yaml);
    else if (tab() == Recipe)
        showNow();
}

void WrittenPanel::setCommand(const QString& command) {
    if (command == command_)
        return;
    command_ = command;
    if (tab() == Command)
        showNow();
}

void WrittenPanel::setEditing(bool on) {
    if (on == editing_)
        return;
    if (on) {
        tabs_->setCurrent(Yaml);
        editing_ = true;
        edit_->setText(tr("Done"));
        showNow();
        text_->setFocus();
        return;
    }
    if (typing_.isActive())
        readEdited();
    const QStringList typed = text_->toPlainText().split(QLatin1Char('\n'));
    const bool was_wrong = !problem_->text().isEmpty();
    editing_ = false;
    draft_->history()->endEdit();
    edit_->setText(tr("Edit"));
    showNow();
    const QStringList written = text_->toPlainText().split(QLatin1Char('\n'));
    const bool lost = std::any_of(typed.begin(), typed.end(), [&written](const QString& line) {
        return isComment(line) && !written.contains(line);
    });
    if (!was_wrong && lost)
        say(tr("Comments typed here are not saved. Add them to the saved file."), Tone::Muted);
}

void WrittenPanel::say(const QString& sentence, Tone tone) {
    problem_->setText(sentence);
    problem_->setForegroundRole(tone_role(tone));
    problem_->setVisible(!sentence.isEmpty());
}

void WrittenPanel::showNow() {
    showing_ = true;
    say({}, Tone::Error);
    counts_->setVisible(tab() == Yaml);
    edit_->setVisible(tab() == Yaml);
    save_->setVisible(tab() != Command);
    text_->setLineWrapMode(tab() == Command ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    tabs_->setLabel(Yaml, formatOf(*draft_) == settings::Format::json ? tr("JSON") : tr("YAML"));
    if (tab() == Yaml)
        showYaml();
    else
        text_->showText(tab() == Recipe ? recipe_ : command_, false);
    showing_ = false;
}

void WrittenPanel::showYaml() {
    std::vector<DraftLine> lines = draft_->draft().lines();
    QStringList parts;
    const auto count = [&](DraftLine::Change change, const QString& words) {
        if (const auto number = std::ranges::count(lines, change, &DraftLine::change); number > 0)
            parts << words.arg(number);
    };
    count(DraftLine::Change::changed, tr("~ %1 changed"));
    count(DraftLine::Change::added, tr("+ %1 added"));
    count(DraftLine::Change::removed, tr("%1 %2 removed").arg(QChar(0x2212)));
    const bool opened = draft_->draft().original().has_value();
    counts_->setFullText(parts.isEmpty() && opened ? tr("as in the file") : parts.join(QStringLiteral("  ")));
    if (editing_)
        text_->showText(qt(draft_->draft().text(formatOf(*draft_))), true);
    else
        text_->showLines(std::move(lines));
}

void WrittenPanel::readEdited() {
    typing_.stop();
    settings::Loaded loaded = settings::read_settings(text_->toPlainText().toStdString(), {}, formatOf(*draft_));
    // Problems of single keys are the form's to show; without a key it is the text itself that cannot be read.
    const auto broken = std::find_if(loaded.problems.begin(), loaded.problems.end(),
                                     [](const Problem& problem) { return problem.key.empty(); });
    if (broken != loaded.problems.end()) {
        const QString message = qtSentence(broken->message);
        say(broken->line > 0 ? tr("Line %1, column %2: %3").arg(broken->line).arg(qMax(1, broken->column)).arg(message)
                             : message,
            Tone::Error);
        text_->setWrongLine(broken->line);
        return;
    }
    say({}, Tone::Error);
    text_->setWrongLine(0);
    reading_ = true;
    draft_->replaceWith(loaded.settings);
    reading_ = false;
}

QString WrittenPanel::copyText() const {
    if (tab() == Recipe)
        return recipe_;
    if (tab() == Command)
        return command_;
    return editing_ ? text_->toPlainText() : qt(draft_->draft().text(formatOf(*draft_)));
}

}  // namespace trainyard::desktop
