#include "desktop/runs/run_filter.h"

#include <algorithm>

#include <QCoreApplication>
#include <QRegularExpression>

namespace trainyard::desktop {

namespace {
QString tr(const char* text) {
    return QCoreApplication::translate("trainyard::desktop::RunFilter", text);
}

/// `7d` -> seconds; -1 when it is no duration.
double seconds(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^([0-9.]+)([smhd])$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return -1;
    bool ok = false;
    const double value = match.captured(1).toDouble(&ok);
    const QChar unit = match.captured(2).at(0);
    const double factor = unit == u's' ? 1 : unit == u'm' ? 60 : unit == u'h' ? 3600 : 86400;
    return ok ? value * factor : -1;
}
}  // namespace

bool inSegment(const RunSummary& run, RunSegment segment) {
    switch (segment) {
        case RunSegment::All:
            return true;
        case RunSegment::Live:
            return run.isLive();
        case RunSegment::Finished:
            return run.phase == RunPhase::Finished || run.phase == RunPhase::Stopped;
        case RunSegment::Failed:
            return run.hasFailed();
    }
    return true;
}

QString RunFilter::parseTerm(const QString& word, bool quoted, Term& term) {
    term.text = word;
    if (quoted)
        return {};
    static const QRegularExpression field(QStringLiteral("^(state|host|name):(.*)$"));
    if (const auto match = field.match(word); match.hasMatch()) {
        term.field = match.captured(1) == QLatin1String("state")  ? Field::State
                     : match.captured(1) == QLatin1String("host") ? Field::Host
                                                                  : Field::Any;
        term.text = match.captured(2);
        return {};
    }
    static const QRegularExpression comparison(QStringLiteral("^(loss|train|val|step|ranks|age)([<>=]+)(.*)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    const auto match = comparison.match(word);
    if (!match.hasMatch())
        return {};
    const QString key = match.captured(1).toLower();
    const QString sign = match.captured(2);
    const QString value = match.captured(3);
    const QString sample = key == QLatin1String("age") ? QStringLiteral("7d") : QStringLiteral("1");
    static const QStringList signs{QStringLiteral("<"), QStringLiteral("<="), QStringLiteral(">"),
                                   QStringLiteral(">=")};
    if (!signs.contains(sign))
        return tr("“%1” is not a comparison: write %2>%3.").arg(word, key, value.isEmpty() ? sample : value);
    static const Compare compares[] = {Compare::Less, Compare::LessEqual, Compare::Greater, Compare::GreaterEqual};
    term.compare = compares[signs.indexOf(sign)];
    term.field = key == QLatin1String("val")     ? Field::Validation
                 : key == QLatin1String("step")  ? Field::Step
                 : key == QLatin1String("ranks") ? Field::Ranks
                 : key == QLatin1String("age")   ? Field::Age
                                                 : Field::Loss;
    bool ok = true;
    if (term.field == Field::Age) {
        term.number = seconds(value);
        ok = term.number >= 0;
    } else {
        term.number = value.toDouble(&ok);
    }
    if (!ok)
        return term.field == Field::Age ? tr("“%1” has no unit: write age<7d (s, m, h or d).").arg(word)
                                        : tr("“%1” needs a number: write %2%3%4.").arg(word, key, sign, sample);
    return {};
}

QString RunFilter::parse(const QString& text, RunFilter& filter) {
    static const QRegularExpression token(QStringLiteral("(-?)(?:\"([^\"]*)\"?|(\\S+))"));
    QVector<Term> terms;
    for (auto it = token.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const bool quoted = !match.captured(2).isNull();
        Term term;
        term.excluded = !match.captured(1).isEmpty();
        const QString sentence = parseTerm(quoted ? match.captured(2) : match.captured(3), quoted, term);
        if (!sentence.isEmpty())
            return sentence;
        terms << term;
    }
    filter.terms_ = terms;
    return {};
}

bool RunFilter::matches(const RunSummary& run, double now) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return matches(term, run, now) != term.excluded; });
}

bool RunFilter::matches(const Term& term, const RunSummary& run, double now) {
    auto compared = [&](std::optional<double> value) {
        if (!value)
            return false;
        switch (term.compare) {
            case Compare::Less:
                return *value < term.number;
            case Compare::LessEqual:
                return *value <= term.number;
            case Compare::Greater:
                return *value > term.number;
            case Compare::GreaterEqual:
                return *value >= term.number;
            case Compare::Contains:
                break;
        }
        return false;
    };
    switch (term.field) {
        case Field::Any:
            return run.name.contains(term.text, Qt::CaseInsensitive) || run.id.contains(term.text, Qt::CaseInsensitive);
        case Field::State:
            return phaseKey(run.phase).startsWith(term.text, Qt::CaseInsensitive) ||
                   phaseWord(run.phase).startsWith(term.text, Qt::CaseInsensitive);
        case Field::Host:
            return run.hosts.join(QLatin1Char('\n')).contains(term.text, Qt::CaseInsensitive);
        case Field::Loss:
            return compared(run.loss);
        case Field::Validation:
            return compared(run.validationLoss);
        case Field::Step:
            return compared(static_cast<double>(run.step));
        case Field::Ranks:
            return compared(run.ranks);
        case Field::Age:
            return run.created > 0 && compared(now - run.created);
    }
    return false;
}

}  // namespace trainyard::desktop
