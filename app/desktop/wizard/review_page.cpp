// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/review_page.h"

#include <QFileInfo>

#include "base/text.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostDiffLines = 24;

struct StateLook {
    const char* icon;
    Token token;
};
/// In the order of ReviewPage::State.
constexpr StateLook kStateLooks[] = {
    {"check", Token::Ok}, {"error", Token::Error}, {"clock", Token::TextMuted}, {"warn", Token::Warn}};

QVBoxLayout* newList(QVBoxLayout* into, QWidget*& old) {
    delete old;
    auto* list = make_column({12, 8, 8, 8}, 4, {});
    old = make_frame("panel", list);
    into->addWidget(old);
    return list;
}
}  // namespace

ReviewPage::ReviewPage(RunDraft* draft, QWidget* parent)
    : StepPage(draft, Step::Review, parent),
      diff_(named(selectable(make_mono_label({}, 12)), tr("Changed lines"))),
      command_(named(selectable(wrapped(make_mono_label({}, 12))), tr("Command"))),
      save_(with_look(new QPushButton(tr("Save as…")), {.icon = "save"})),
      copy_(with_look(new QPushButton(tr("Copy")), {.icon = "copy", .name = tr("Copy the command")})) {
    setHeading(tr("Ready?"), tr("Results of the checks, and the changes that will be written."));
    findings_ = addBlock(tr("Problems and notes"));
    checks_ = addBlock(tr("Checks"));
    QVBoxLayout* difference = addBlock(tr("Changed in the file"));
    diff_->setTextFormat(Qt::RichText);
    difference->addWidget(diff_);
    difference->addLayout(make_row({save_, stretch()}));
    QVBoxLayout* line = addBlock(tr("The same on the command line"));
    line->addLayout(make_row({{command_, 1}, {copy_, 0, Qt::AlignTop}}));
    connect(save_, &QPushButton::clicked, this, &ReviewPage::saveRequested);
    connect(copy_, &QPushButton::clicked, this, [this] { copy_text(command_->text()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { takeValues(); });
}

void ReviewPage::setCommand(const QString& command) {
    command_->setText(command);
}

QVector<ReviewPage::Check> ReviewPage::checks() const {
    QVector<Check> all;
    const settings::Settings& settings = draft()->draft().settings();
    int wrong = 0, recipe_wrong = 0, data_wrong = 0;
    QString beyond_engine;
    for (const FieldProblem& problem : problems_)
        if (problem.beyond_engine)
            beyond_engine = problem.sentence;
        else if (problem.error)
            ++(problem.finding ? wrong : problem.key.startsWith(QLatin1String("data.")) ? data_wrong : recipe_wrong);
    const auto add = [&](const QString& name, int faults, const QString& passed) {
        all << Check{name, faults == 0 ? passed : tr("%1 to fix").arg(faults), faults == 0 ? State::Pass : State::Fail};
    };
    add(tr("Settings"), wrong, tr("%1 keys, no contradiction").arg(settings.leaves().size()));
    if (draft()->purpose() != Purpose::Engine)
        return all;
    all << Check{tr("Layout"), beyond_engine.isEmpty() ? tr("the engine trains it") : beyond_engine,
                 beyond_engine.isEmpty() ? State::Pass : State::Fail};
    if (!draft()->isChecked()) {
        all << Check{tr("Recipe"), tr("reading…"), State::Waiting}
            << Check{tr("Text"), tr("checking…"), State::Waiting};
        return all;
    }
    const DraftReport& report = draft()->report();
    add(tr("Recipe"), recipe_wrong,
        tr("%1 parameters, %2 tokens a step")
            .arg(qtNumber(text::quantity(static_cast<double>(report.parameters))),
                 qtNumber(text::grouped(report.tokensPerStep))));
    add(tr("Text"), data_wrong, tr("readable, and long enough"));
    return all;
}

void ReviewPage::addLine(QVBoxLayout* into, State state, const QString& title, const QString& words,
                         const QString& key) {
    const StateLook& look = kStateLooks[static_cast<int>(state)];
    auto* picture = new IconLabel(14, QLatin1String(look.icon), look.token);
    QLabel* text = wrapped(make_note(words));
    auto* line = make_row(8, {{picture, 0, Qt::AlignTop}, {make_column(1, {make_title(title, 12), text}), 1}});
    if (!key.isEmpty()) {
        auto* go = with_look(new QPushButton(tr("Go to field")), {.kind = "link", .name = tr("Go to %1").arg(title)});
        line->addWidget(go, 0, Qt::AlignTop);
        connect(
            go, &QPushButton::clicked, this, [this, key] { emit fieldWanted(key); }, Qt::QueuedConnection);
    }
    into->addLayout(line);
}

void ReviewPage::addWaysOut(QVBoxLayout* into) {
    data_parallel_ = new QPushButton(tr("Train data-parallel"));
    own_script_ = new QPushButton(tr("Use my script"));
    into->addLayout(make_row({22, 0, 0, 4}, 8, {data_parallel_, own_script_, stretch()}));
    // Queued, because the line with the button is deleted when the draft changes.
    connect(data_parallel_, &QPushButton::clicked, this, &ReviewPage::dataParallelWanted, Qt::QueuedConnection);
    connect(own_script_, &QPushButton::clicked, this, &ReviewPage::ownScriptWanted, Qt::QueuedConnection);
}

void ReviewPage::takeValues() {
    data_parallel_ = own_script_ = nullptr;
    QVBoxLayout* list = newList(findings_, shown_findings_);
    for (const FieldProblem& problem : std::as_const(problems_)) {
        addLine(list, problem.error ? State::Fail : State::Warning,
                problem.label.isEmpty() ? tr("The file") : problem.label, problem.sentence, problem.key);
        if (problem.beyond_engine)
            addWaysOut(list);
    }
    if (problems_.isEmpty())
        addLine(list, State::Pass, tr("No problems"),
                draft()->purpose() == Purpose::Engine ? tr("The run can be launched.") : tr("The file can be saved."));
    QVBoxLayout* checked = newList(checks_, shown_checks_);
    for (const Check& check : checks())
        addLine(checked, check.state, check.name, check.result);
    const auto& original = draft()->draft().original();
    QStringList changed;
    int more = 0;
    for (const settings::DraftLine& each : draft()->draft().lines()) {
        if (!original || each.change == settings::DraftLine::Change::same)
            continue;
        if (changed.size() >= kMostDiffLines) {
            ++more;
            continue;
        }
        static constexpr const char* marks[] = {" ", "+", "~", "-"};
        static constexpr Token tokens[] = {Token::Text, Token::Ok, Token::Warn, Token::Error};
        const int kind = static_cast<int>(each.change);
        changed << QStringLiteral("<span style='color:%1'>%2&nbsp;</span>%3")
                       .arg(Theme::instance().color(tokens[kind]).name(), QLatin1String(marks[kind]),
                            widgets::visible_text(qt(each.text))
                                .toHtmlEscaped()
                                .replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
    }
    if (more > 0)
        changed << tr("and %1 more").arg(more);
    if (!original)
        diff_->setText(tr("No file is open. Everything is new."));
    else if (changed.isEmpty())
        diff_->setText(tr("No changes to %1.")
                           .arg(widgets::visible_text(QFileInfo(qt(original->file)).fileName()).toHtmlEscaped()));
    else
        diff_->setText(changed.join(QStringLiteral("<br>")));
}

}  // namespace trainyard::desktop
