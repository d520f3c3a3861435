// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {
constexpr qsizetype kLongestName = 100;  ///< for which a similar name is looked for

bool isTime(const QString& name) {
    return name == QLatin1String("age") || name == QLatin1String("duration");
}

/// `7d` -> seconds; NaN if the text is not a duration.
double seconds(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^([0-9.,]+)([smhd])$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nan("");
    const std::optional<double> value = widgets::typed_number(match.captured(1));
    const QChar unit = match.captured(2).at(0);
    const double factor = unit == u's' ? 1 : unit == u'm' ? 60 : unit == u'h' ? 3600 : 86400;
    return value ? *value * factor : std::nan("");
}
}  // namespace

struct RunFilter::Comparison {
    QLatin1String sign;
    bool ordered;  ///< needs a number
    bool (*holds)(std::partial_ordering order);
};
constexpr RunFilter::Comparison RunFilter::kComparisons[] = {
    {QLatin1String("<"), true, [](std::partial_ordering order) { return order < 0; }},
    {QLatin1String("<="), true, [](std::partial_ordering order) { return order <= 0; }},
    {QLatin1String(">"), true, [](std::partial_ordering order) { return order > 0; }},
    {QLatin1String(">="), true, [](std::partial_ordering order) { return order >= 0; }},
    {QLatin1String("="), false, [](std::partial_ordering order) { return order == 0; }},
    {QLatin1String("=="), false, [](std::partial_ordering order) { return order == 0; }},
    {QLatin1String("!="), false, [](std::partial_ordering order) { return order != 0; }}};

bool inSegment(const RunSummary& run, RunSegment segment) {
    if (segment == RunSegment::Archived || run.archived)
        return run.archived && segment == RunSegment::Archived;
    return segment == RunSegment::All || segment == (run.isLive()      ? RunSegment::Live
                                                     : run.hasFailed() ? RunSegment::Failed
                                                                       : RunSegment::Finished);
}

namespace {
using NamedNumber = std::pair<QLatin1String, std::optional<double>>;

/// The numbers of a run that have names of their own, besides keys and metrics.
std::array<NamedNumber, 9> stateNumbers(const RunSummary& run, double now) {
    return {{
        {QLatin1String("loss"), run.loss},
        {QLatin1String("train"), run.loss},
        {QLatin1String("val"), run.validationLoss},
        {QLatin1String("step"), static_cast<double>(run.step)},
        {QLatin1String("ranks"), run.ranks},
        {QLatin1String("gpus"), run.gpus},
        {QLatin1String("rate"), run.tokensPerSecond},
        {QLatin1String("age"), run.created > 0 ? std::optional(now - run.created) : std::nullopt},
        {QLatin1String("duration"), run.duration(now)},
    }};
}

/// The metric with this name, and which of its statistics; null if the run does not have it.
std::pair<const MetricEntry*, MetricPart> metricOf(const RunSummary& run, const QString& name) {
    if (!run.metrics)
        return {};
    if (const MetricEntry* metric = run.metrics->find(name))
        return {metric, MetricPart::Last};
    if (const qsizetype dot = name.lastIndexOf(QLatin1Char('.')); dot > 0)
        if (const auto part = partOfKey(name.mid(dot + 1)))
            return {run.metrics->find(name.left(dot)), *part};
    return {};
}
}  // namespace

double numberOf(const RunSummary& run, const QString& name, double now) {
    for (const auto& [column, value] : stateNumbers(run, now))
        if (name == column)
            return value.value_or(std::nan(""));
    if (run.config)
        if (const ConfigEntry* entry = run.config->find(name))
            return entry->number;
    const auto [metric, part] = metricOf(run, name);
    return metric == nullptr ? std::nan("") : partOf(*metric, part);
}

QString wordsOf(const RunSummary& run, const QString& name) {
    const ConfigEntry* entry = run.config ? run.config->find(name) : nullptr;
    return entry == nullptr ? QString() : entry->text;
}

QString RunFilter::parseTerm(const QString& word, Term& term) {
    term.text = word;
    if (word.size() > 1 && word.startsWith(QLatin1Char('/'))) {
        if (!word.endsWith(QLatin1Char('/')) || word.size() < 3)
            return tr("“%1” has no end: write %1/.").arg(word);
        term.expression = QRegularExpression(word.mid(1, word.size() - 2), QRegularExpression::CaseInsensitiveOption);
        if (!term.expression.isValid())
            return tr("“%1” is not a valid regular expression: %2.").arg(word, term.expression.errorString());
        return {};
    }
    static const QRegularExpression comparison(QStringLiteral("^([A-Za-z_][A-Za-z0-9_./-]*)([<>=!]+)(.*)$"));
    if (const auto match = comparison.match(word); match.hasMatch()) {
        term.field = Field::Named;
        term.name = match.captured(1);
        const QString sign = match.captured(2);
        const QString value = match.captured(3);
        // Names of columns are lower case; keys and metrics are case-sensitive.
        if (isTime(term.name.toLower()) || term.name.compare(QLatin1String("loss"), Qt::CaseInsensitive) == 0)
            term.name = term.name.toLower();
        const QString sample = isTime(term.name) ? QStringLiteral("7d") : QStringLiteral("1");
        const auto* found = std::ranges::find(kComparisons, sign, &Comparison::sign);
        if (found == std::end(kComparisons))
            return tr("“%1” is not a comparison: write %2>%3.").arg(word, term.name, value.isEmpty() ? sample : value);
        term.comparison = found;
        term.text = value;
        const std::optional<double> number = isTime(term.name) ? seconds(value) : widgets::typed_number(value);
        term.isNumber = number.has_value();
        term.number = number.value_or(0);
        if (isTime(term.name)) {
            if (std::isnan(term.number))
                return tr("“%1” has no unit: write %2<7d (s, m, h or d).").arg(word, term.name);
        }
        if ((found->ordered && !term.isNumber) || value.isEmpty())
            return tr("“%1” needs a number: write %2%3%4.").arg(word, term.name, sign, sample);
        return {};
    }
    static const QRegularExpression field(QStringLiteral("^([A-Za-z_][A-Za-z0-9_.]*):(.+)$"));
    const auto match = field.match(word);
    if (!match.hasMatch())
        return {};
    static const QHash<QString, Field> fields{
        {QStringLiteral("tag"), Field::Tag},     {QStringLiteral("note"), Field::Note},
        {QStringLiteral("state"), Field::State}, {QStringLiteral("host"), Field::Host},
        {QStringLiteral("name"), Field::Name},
    };
    term.field = fields.value(match.captured(1), Field::Named);
    term.name = match.captured(1);
    term.text = match.captured(2);
    return {};
}

QString RunFilter::parse(const QString& text, RunFilter& filter) {
    // A quoted phrase may follow a field: note:"two words".
    static const QRegularExpression token(QStringLiteral("(-?)(?:\"([^\"]*)\"?|((?:[^\\s\"]|\"[^\"]*\"?)+))"));
    QVector<Term> terms;
    for (auto it = token.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        Term term;
        term.excluded = !match.captured(1).isEmpty();
        if (!match.captured(2).isNull()) {
            term.text = match.captured(2);
            term.exact = true;
        } else {
            QString word = match.captured(3);
            if (!word.startsWith(QLatin1Char('/')))
                word.remove(QLatin1Char('"'));
            if (const QString sentence = parseTerm(word, term); !sentence.isEmpty())
                return sentence;
        }
        terms << term;
    }
    filter.terms_ = terms;
    return {};
}

QStringList RunFilter::names() const {
    QStringList names;
    for (const Term& term : terms_)
        if (term.field == Field::Named)
            names << term.name;
    return names;
}

QString RunFilter::unknownName(const RunSummaries& runs) const {
    const QStringList wanted = names();
    const auto is_unread = [](const RunSummary& run) { return run.phase != RunPhase::Missing && !run.metrics; };
    if (wanted.isEmpty() || runs.isEmpty() || std::ranges::any_of(runs, is_unread))
        return {};
    for (const QString& name : wanted) {
        const auto has_name = [&name](const RunSummary& run) {
            return (run.config && run.config->find(name) != nullptr) || metricOf(run, name).first != nullptr;
        };
        const auto columns = stateNumbers(runs.first(), 0);
        if (std::ranges::find(columns, name, &NamedNumber::first) != columns.end() ||
            std::ranges::any_of(runs, has_name))
            continue;
        std::vector<std::string> known;
        for (const NamedNumber& column : columns)
            known.emplace_back(column.first.data());
        for (const RunSummary& run : runs) {
            if (run.config)
                for (const ConfigEntry& entry : run.config->entries())
                    known.push_back(entry.key.section(QLatin1Char('.'), -1).toStdString());
            if (run.metrics)
                for (const MetricEntry& metric : run.metrics->entries())
                    known.push_back(metric.tag.toStdString());
        }
        const auto near = name.size() > kLongestName ? std::nullopt : text::nearest(name.toStdString(), known);
        return near ? tr("No run has a key or metric named “%1”. Did you mean %2?").arg(name, qt(*near))
                    : tr("No run has a key or metric named “%1”.").arg(name);
    }
    return {};
}

bool RunFilter::matches(const RunSummary& run, double now) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return matches(term, run, now) != term.excluded; });
}

bool RunFilter::matches(const Term& term, const RunSummary& run, double now) {
    const Qt::CaseSensitivity letters = term.exact ? Qt::CaseSensitive : Qt::CaseInsensitive;
    auto has = [&](const QString& words) {
        return term.expression.pattern().isEmpty() ? words.contains(term.text, letters)
                                                   : term.expression.match(words).hasMatch();
    };
    auto any = [&](const QStringList& list) { return std::any_of(list.begin(), list.end(), has); };
    switch (term.field) {
        case Field::Any:
            return has(run.name) || has(run.id) || any(run.tags) || has(run.note);
        case Field::Name:
            return has(run.name);
        case Field::Tag:
            return any(run.tags);
        case Field::Note:
            return has(run.note);
        case Field::State:
            return phaseKey(run.phase).startsWith(term.text, Qt::CaseInsensitive) ||
                   phaseWord(run.phase).startsWith(term.text, Qt::CaseInsensitive);
        case Field::Host:
            return any(run.hosts);
        case Field::Named:
            break;
    }
    if (term.comparison == nullptr)
        return wordsOf(run, term.name).contains(term.text, Qt::CaseInsensitive);
    const double number = numberOf(run, term.name, now);
    if (!term.comparison->ordered && (!term.isNumber || std::isnan(number))) {
        const QString words = wordsOf(run, term.name);
        const bool same = words.compare(term.text, Qt::CaseInsensitive) == 0;
        return !words.isEmpty() &&
               term.comparison->holds(same ? std::partial_ordering::equivalent : std::partial_ordering::unordered);
    }
    return term.comparison->holds(number <=> term.number);  // what has no number is never less nor more
}

}  // namespace trainyard::desktop
