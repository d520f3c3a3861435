#include "desktop/dashboard/event_words.h"

#include <QLocale>
#include <QRegularExpression>

#include "desktop/qt_text.h"
#include "desktop/translate.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Token;

namespace {

QString capital(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// Of a request's kind; the supervisor writes `set asked from the desktop`.
QString request_words(const QString& kind) {
    const std::pair<const char*, QString> known[] = {{"set", tr("New learning rate requested")},
                                                     {"stop", tr("Stop requested")},
                                                     {"kill", tr("Kill requested")},
                                                     {"checkpoint", tr("Checkpoint requested")},
                                                     {"evaluate", tr("Evaluation requested")},
                                                     {"pause", tr("Pause requested")},
                                                     {"resume", tr("Resume requested")},
                                                     {"profile", tr("Profile requested")},
                                                     {"note", tr("Note added")}};
    for (const auto& [name, words] : known)
        if (kind == QLatin1String(name))
            return words;
    return capital(kind);
}

}  // namespace

QString event_text(const run::Event& event) {
    // A note is what a person wrote, unless it is an alarm (alarms/alarm_service.cpp).
    return event.kind == "note" && !event.text.starts_with("alarm: ") ? qt(event.text) : qtSentence(event.text);
}

EventWords event_words(const run::Event& event) {
    const QString text = event_text(event);
    const QString step = event.step >= 0 ? QLocale().toString(static_cast<qlonglong>(event.step)) : QString();
    if (event.kind == "checkpoint") {
        // `checkpoint 300, 3.1 MB in 12 ms`: what follows the comma is the second line.
        static const QRegularExpression comma(QStringLiteral(", |，"));
        const QRegularExpressionMatch first = comma.match(text);
        return {QStringLiteral("save"), Token::TextSecondary, tr("Checkpoint %1").arg(step),
                first.hasMatch() ? text.mid(first.capturedEnd()) : text};
    }
    if (event.kind == "best")
        return {QStringLiteral("star-on"), Token::Ok, capital(text), tr("step %1").arg(step)};
    if (event.kind == "evaluation")
        return {QStringLiteral("target"), Token::TextSecondary,
                event.value != 0 ? tr("Validation loss %1").arg(widgets::value_number(event.value)) : capital(text),
                tr("step %1").arg(step)};
    if (event.kind == "resume")
        return {QStringLiteral("resume"), Token::Info, tr("Resumed from checkpoint %1").arg(step),
                qt(event.text).section(QStringLiteral(" of "), -1)};
    if (event.kind == "restart")
        return {QStringLiteral("undo"), Token::Info, capital(text), {}};
    if (event.kind == "nan" || event.kind == "oom")
        return {QStringLiteral("warn"), Token::Error, capital(text),
                step.isEmpty() ? QString() : tr("step %1").arg(step)};
    if (event.kind == "failure")
        return {QStringLiteral("error"), Token::Error, capital(text),
                step.isEmpty() ? QString() : tr("step %1").arg(step)};
    if (event.kind == "warning" && event.path.find("hang-") != std::string::npos)
        return {QStringLiteral("clock"), Token::Warn, capital(text),
                step.isEmpty() ? QString() : tr("step %1").arg(step)};
    if (event.kind == "rate")
        return {QStringLiteral("bolt"), Token::Info,
                event.value > 0 ? tr("Peak learning rate %1").arg(widgets::value_number(event.value)) : capital(text),
                tr("from step %1").arg(QLocale().toString(static_cast<qlonglong>(event.step) + 1))};
    if (event.kind == "profile")
        return {QStringLiteral("profile"), Token::Info, tr("Profile"), text};
    if (event.kind == "warning" || event.kind == "straggler" || event.kind == "spike")
        return {QStringLiteral("warn"), Token::Warn, capital(text),
                step.isEmpty() ? QString() : tr("step %1").arg(step)};
    if (event.kind == "note")
        return {QStringLiteral("pin"), Token::Info, text, step.isEmpty() ? QString() : tr("step %1").arg(step)};
    if (event.kind == "request") {
        const QString english = qt(event.text);
        const QString from = english.section(QStringLiteral(" from the "), 1);
        const QString whence = from == QLatin1String("desktop")    ? tr("from the desktop")
                               : from == QLatin1String("terminal") ? tr("from the terminal")
                                                                   : tr("from the %1").arg(from);
        return {QStringLiteral("right"), Token::TextSecondary,
                request_words(english.section(QStringLiteral(" asked"), 0, 0)), from.isEmpty() ? QString() : whence};
    }
    return {QStringLiteral("info"), Token::TextSecondary, capital(text), {}};
}

bool is_marked(const run::Event& event) {
    static constexpr std::string_view kMarked[] = {"checkpoint", "restart", "nan",  "oom",     "straggler", "warning",
                                                   "note",       "failure", "rate", "profile", "spike",     "resume"};
    if (event.step < 0)
        return false;
    for (std::string_view kind : kMarked)
        if (event.kind == kind)
            return true;
    return false;
}

widgets::Marker event_marker(const run::Event& event, int id) {
    const EventWords words = event_words(event);
    widgets::Marker marker;
    marker.id = id;
    marker.step = static_cast<double>(event.step);
    marker.wall_time = event.time;
    marker.icon = words.icon;
    marker.color = words.color;
    marker.text = words.more.isEmpty() ? words.title : words.title + QStringLiteral(" · ") + words.more;
    return marker;
}

std::optional<widgets::Marker> best_marker(const std::vector<run::Event>& events) {
    std::optional<std::size_t> best;
    // Where the run keeps its best checkpoints it says itself which one that is, by whatever metric.
    for (std::size_t i = events.size(); i-- > 0;)
        if (events[i].kind == "best")
            return event_marker(events[i], static_cast<int>(i));
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i].kind == "evaluation" && events[i].step >= 0 && events[i].value != 0 &&
            (!best || events[i].value < events[*best].value))
            best = i;
    if (!best)
        return std::nullopt;
    widgets::Marker marker = event_marker(events[*best], static_cast<int>(*best));
    marker.icon = QStringLiteral("star-on");
    marker.color = Token::Ok;
    marker.text = tr("Best validation loss %1 · step %2")
                      .arg(widgets::value_number(events[*best].value),
                           QLocale().toString(static_cast<qlonglong>(events[*best].step)));
    return marker;
}

}  // namespace trainyard::desktop
