// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/failure_panel.h"

#include <algorithm>
#include <vector>

#include <QPlainTextEdit>
#include <QTextBlock>

#include <fmt/format.h>

#include "base/clock.h"
#include "desktop/dashboard/failure_cause.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/log_store.h"

namespace trainyard::desktop {

namespace {

constexpr int kLinesBefore = 5;  // of the log, before the one that tells the error

/// How, where and when the rank ended, as far as the sentence of the supervisor does not say so already.
QStringList facts_of(const run::Failure& failure) {
    const auto is_said = [&](const std::string& words) {
        return failure.message.text().find(words) != std::string::npos;
    };
    QStringList facts;
    if (failure.signal && !is_said(fmt::format("signal {}", *failure.signal)))
        facts << FailurePanel::tr("ended by signal %1 (%2)")
                     .arg(*failure.signal)
                     .arg(QLatin1String(strsignal(*failure.signal)));
    else if (failure.exit_code && !failure.signal && !is_said(fmt::format("exited with code {}", *failure.exit_code)))
        facts << FailurePanel::tr("exit code %1").arg(*failure.exit_code);
    if (failure.step > 0 && !is_said(fmt::format("at step {}", failure.step)))
        facts << FailurePanel::tr("step %1").arg(stepText(failure.step));
    if (!failure.phase.empty() && !is_said(fmt::format("({})", failure.phase)))
        facts << FailurePanel::tr("phase %1").arg(phase_word(failure.phase));
    if (!failure.last_collective.empty())
        facts << FailurePanel::tr("last collective %1").arg(qt(failure.last_collective));
    return facts;
}

}  // namespace

FailurePanel::FailurePanel(QWidget* parent)
    : QFrame(parent),
      picture_(new IconLabel(18, QStringLiteral("error"), Token::Error)),
      title_(make_label({}, 14, QFont::DemiBold, Tone::Error)),
      sentence_(wrapped(make_label({}, 13))),
      facts_(wrapped(make_note({}))),
      cause_(wrapped(make_label({}, 12))),
      lines_(named(new QPlainTextEdit, tr("Last lines of the log"))),
      edit_(with_look(new QPushButton(tr("Edit and run again…")), {.icon = "wand"})),
      again_(with_look(new QPushButton(tr("Run again")), {.icon = "play"})),
      resume_(with_look(new QPushButton, {.icon = "resume"})) {
    setAccessibleName(tr("Why the run failed"));
    setMinimumHeight(124_px);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    cause_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* log = with_look(new QPushButton(tr("Open log")), {.icon = "file"});
    auto* copy = with_look(new QPushButton(tr("Copy report")), {.icon = "copy"});
    lines_->setProperty("surface", QStringLiteral("code"));
    lines_->setReadOnly(true);
    lines_->setFont(Theme::instance().mono(11));
    lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines_->setTabChangesFocus(true);
    const int kLinesBesideFrom = 640_px;
    auto* buttons = widgets::make_wrapping_row(8, {edit_, resume_, again_, log, copy, stretch()});
    auto* words = make_column(4, {make_row(8, {picture_, title_, stretch()}), sentence_, facts_, cause_, stretch()});
    setLayout(make_column({14, 10, 12, 10}, 8,
                          {{widgets::make_stacking_row(kLinesBesideFrom, 16, {{words, 5}, {lines_, 6}}), 1}, buttons}));
    connect(log, &QPushButton::clicked, this, [this] { emit logRequested(rank_); });
    connect(copy, &QPushButton::clicked, this, [this, copy] {
        copy_text(report_);
        copy->setText(tr("Copied"));
        QTimer::singleShot(1500, copy, [copy] { copy->setText(FailurePanel::tr("Copy report")); });
    });
    connect(edit_, &QPushButton::clicked, this, &FailurePanel::editAgainRequested);
    connect(again_, &QPushButton::clicked, this, &FailurePanel::runAgainRequested);
    connect(resume_, &QPushButton::clicked, this, &FailurePanel::resumeRequested);
    const auto draw = [this] {
        markErrorLine();
        update();
    };
    draw();
    connect(&Theme::instance(), &Theme::changed, this, draw);
}

void FailurePanel::showFailure(const RunRecord& run) {
    const run::RunState& state = *run.state();
    run::Failure failure;
    if (state.first_failure)
        failure = *state.first_failure;
    else
        failure.message = state.message;
    rank_ = failure.rank;
    QStringList title;
    if (failure.rank >= 0)
        title << tr("Rank %1 failed first").arg(qt(run::rank_name(failure.rank, failure.place)));
    else
        title << tr("The run failed");
    if (!failure.host.empty())
        title << tr("on %1").arg(qt(failure.host));
    if (failure.time > 0)
        title << tr("at %1").arg(clock_text(failure.time, wall_seconds()));
    title_->setText(title.join(QLatin1Char(' ')));
    sentence_->setText(qtSentence(failure.message));
    const QStringList facts = facts_of(failure);
    facts_->setText(facts.join(QStringLiteral("  ·  ")));
    facts_->setVisible(!facts.isEmpty());
    const Explanation explained = explain_failure(run);
    cause_->setText(explained.words);
    cause_->setVisible(!explained.words.isEmpty());
    std::vector<std::string> plain;
    QStringList lines;
    for (const std::string& raw : failure.log) {
        plain.push_back(widgets::plain_text(raw));
        lines << widgets::visible_text(qt(plain.back()));
    }
    const int error = error_line(plain);
    const int first = std::max(0, (error < 0 ? static_cast<int>(lines.size()) - 1 : error) - kLinesBefore);
    error_line_ = error < 0 ? -1 : error - first;
    if (const QString shown = lines.mid(first).join(QLatin1Char('\n')); shown != lines_->toPlainText()) {
        lines_->setPlainText(shown);
        markErrorLine();
    }
    lines_->setVisible(!lines.isEmpty());
    // As high as its lines, and a bar for long ones.
    const int shown_lines = std::min(static_cast<int>(lines.size()) - first, kLinesBefore + 3);
    lines_->setMaximumHeight(lines_->fontMetrics().lineSpacing() * (shown_lines + 1) + 8_px);
    // The exit code of a program says nothing; its own error does.
    if (run.isProgram() && error >= 0) {
        sentence_->setText(lines[error].trimmed());
        facts_->setText(qtSentence(failure.message));
        facts_->setVisible(true);
    }
    edit_->setVisible(run.facts().has_value());
    again_->setVisible(run.facts().has_value());
    const std::int64_t saved = run.lastCheckpoint();
    resume_->setVisible(run.facts().has_value() && saved >= 0);
    resume_->setText(tr("Resume from %1").arg(stepText(saved)));
    QStringList report{qt(state.name), qt(run.paths().root().string()), title_->text(), sentence_->text(),
                       facts_->text()};
    if (!explained.words.isEmpty())
        report << explained.words;
    report_ = (report << QString() << lines).join(QLatin1Char('\n'));
}

void FailurePanel::markErrorLine() {
    QList<QTextEdit::ExtraSelection> marks;
    if (error_line_ >= 0) {
        QTextEdit::ExtraSelection mark;
        mark.format.setForeground(Theme::instance().color(Token::Error));
        mark.cursor = QTextCursor(lines_->document()->findBlockByNumber(error_line_));
        mark.cursor.select(QTextCursor::LineUnderCursor);
        marks << mark;
    }
    lines_->setExtraSelections(marks);
}

void FailurePanel::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const QColor error = theme.color(Token::Error);
    draw_box(painter, rect(), 8, widgets::mixed(error, theme.color(Token::BgPanel), theme.isDark() ? 0.08 : 0.04),
             error);
}

}  // namespace trainyard::desktop
