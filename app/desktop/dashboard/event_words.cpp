// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/event_words.h"

#include <algorithm>

#include <QRegularExpression>

#include "desktop/dashboard/stage_words.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Token;

namespace {

/// Of a request's kind; the supervisor writes `set asked from the desktop`.
QString request_words(const std::string& kind) {
    return word_in({{"set", tr("New learning rate requested")},
                    {"stop", tr("Stop requested")},
                    {"kill", tr("Kill requested")},
                    {"checkpoint", tr("Checkpoint requested")},
                    {"evaluate", tr("Evaluation requested")},
                    {"pause", tr("Pause requested")},
                    {"resume", tr("Resume requested")},
                    {"profile", tr("Profile requested")},
                    {"note", tr("Note added")}},
                   kind);
}

struct EventLook {
    std::string_view kind;
    const char* icon;
    Token color;
    bool marked;  ///< on the chart
};
constexpr EventLook kLooks[] = {
    {"checkpoint", "save", Token::TextSecondary, true},
    {"best", "star-on", Token::Ok, false},
    {"evaluation", "target", Token::TextSecondary, false},
    {"resume", "resume", Token::Info, true},
    {"restart", "resume", Token::Info, true},
    {"nan", "warn", Token::Error, true},
    {"oom", "warn", Token::Error, true},
    {"failure", "error", Token::Error, true},
    {"rate", "bolt", Token::Info, true},
    {"profile", "profile", Token::Info, true},
    {"warning", "warn", Token::Warn, true},
    {"straggler", "warn", Token::Warn, true},
    {"spike", "warn", Token::Warn, true},
    {"note", "pin", Token::Info, true},
    {"request", "right", Token::TextSecondary, false},
};
constexpr EventLook kOtherLook{"", "info", Token::TextSecondary, false};

const EventLook& event_look(const run::Event& event) {
    const auto* found = std::ranges::find(kLooks, event.kind, &EventLook::kind);
    return found == std::end(kLooks) ? kOtherLook : *found;
}

}  // namespace

QString event_text(const run::Event& event) {
    return qtSentence(event.text);
}

EventWords event_words(const run::Event& event) {
    const EventLook& look = event_look(event);
    const QString text = event_text(event);
    const QString step = event.step >= 0 ? stepText(event.step) : QString();
    EventWords words{QLatin1String(look.icon), look.color, text, {}};
    if (event.kind == "checkpoint") {
        // `checkpoint 300, 3.1 MB in 12 ms`: what follows the comma is the second line.
        static const QRegularExpression comma(QStringLiteral(", |，"));
        const QRegularExpressionMatch first = comma.match(text);
        words.title = tr("Checkpoint %1").arg(step);
        words.more = first.hasMatch() ? text.mid(first.capturedEnd()) : text;
    } else if (event.kind == "resume") {
        words.title = tr("Resumed from checkpoint %1").arg(step);
        words.more = qt(event.text).section(QStringLiteral(" of "), -1);
    } else if (event.kind == "rate") {
        if (event.value > 0)
            words.title = tr("Peak learning rate %1").arg(widgets::value_number(event.value));
        words.more = tr("from step %1").arg(stepText(event.step + 1));
    } else if (event.kind == "profile") {
        words.title = tr("Profile");
        words.more = text;
    } else if (event.kind == "request") {
        const QString english = qt(event.text);
        const QString from = english.section(QStringLiteral(" from the "), 1);
        words.title = request_words(english.section(QStringLiteral(" asked"), 0, 0).toStdString());
        if (!from.isEmpty())
            words.more = from == QLatin1String("desktop")    ? tr("from the desktop")
                         : from == QLatin1String("terminal") ? tr("from the terminal")
                                                             : tr("from the %1").arg(from);
    } else if (&look != &kOtherLook && event.kind != "restart" && !step.isEmpty()) {
        words.more = tr("step %1").arg(step);
    }
    if (event.kind == "evaluation" && event.value != 0)
        words.title = tr("Validation loss %1").arg(widgets::value_number(event.value));
    if (event.kind == "note")
        words.title = text;
    if (event.kind == "warning" && event.path.find("hang-") != std::string::npos)
        words.icon = QStringLiteral("clock");
    return words;
}

bool is_marked(const run::Event& event) {
    return event.step >= 0 && event_look(event).marked;
}

}  // namespace trainyard::desktop
