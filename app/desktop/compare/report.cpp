// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/report.h"

#include <cmath>

#include <QBuffer>
#include <QLocale>

#include "desktop/compare/differences.h"
#include "desktop/compare/influence.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "report/html.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

namespace {

using report::element;
using Html = std::string;

Html text(const QString& words) {
    return report::escaped(words.toStdString());
}

Html marked(const QString& words, const char* css_class) {
    return element("span", css_class, text(words));
}

Html nameOf(const RunSummary& run) {
    return report::swatch(run.number) + text(run.name);
}

std::vector<std::string> headsOf(const QString& first, const RunSummaries& runs) {
    std::vector<std::string> heads{text(first)};
    for (const RunSummary& run : runs)
        heads.push_back(nameOf(run));
    return heads;
}

std::vector<std::string> headsOf(const QStringList& words) {
    std::vector<std::string> heads;
    for (const QString& word : words)
        heads.push_back(text(word));
    return heads;
}

using Rows = std::vector<std::vector<std::string>>;

Html runs(const RunSummaries& all) {
    Rows rows;
    for (const RunSummary& run : all) {
        const std::optional<double> duration = run.duration(run.heartbeat);
        rows.push_back(
            {nameOf(run) + (run.baseline ? text(QStringLiteral(" (%1)").arg(tr("baseline"))) : std::string()),
             text(phaseWord(run.phase) + (run.failure.isEmpty() ? QString() : QStringLiteral(": ") + run.failure)),
             text(run.step > 0 ? stepText(run.step) : QString()), text(lossText(run.loss)),
             text(lossText(run.validationLoss)), text(run.created > 0 ? absoluteTime(run.created) : QString()),
             text(duration ? durationText(*duration) : QString()), text(run.tags.join(QStringLiteral(", "))),
             element("div", "note", report::escaped_lines(run.note.toStdString()))});
    }
    return report::table(headsOf({tr("Run"), tr("State"), tr("Steps"), tr("Train loss"), tr("Validation loss"),
                                  tr("Started"), tr("Duration"), tr("Tags"), tr("Note")}),
                         rows);
}

Html heading(const QString& words) {
    return element("h2", "", text(words));
}

Html differing(const RunSummaries& all) {
    const Differences found = differencesOf(all);
    Rows rows;
    for (const Differences::Row& row : found.rows) {
        std::vector<std::string>& cells = rows.emplace_back(1, text(row.key));
        for (int i = 0; i < row.values.size(); ++i)
            cells.push_back(row.differs[i] ? marked(row.values[i], "d") : text(row.values[i]));
    }
    return heading(tr("What differs")) + report::table(headsOf(tr("Key"), all), rows) +
           element("p", "", text(tr("%Ln keys are equal in all of them.", nullptr, found.equal)));
}

Html metrics(const RunSummaries& all, MetricPart part, const QString& title) {
    Rows rows;
    for (const MetricRows::Row& row : metricRowsOf(all, part).rows) {
        std::vector<std::string>& cells = rows.emplace_back(1, text(row.tag));
        for (int i = 0; i < row.values.size(); ++i) {
            const QString value = row.present[i] ? widgets::value_number(row.values[i]) : QString();
            cells.push_back(i == row.best ? marked(value, "best") : text(value));
        }
    }
    return rows.empty() ? std::string() : heading(title) + report::table(headsOf(tr("Metric"), all), rows);
}

Html influence(const RunSummaries& all, const QString& tag) {
    const Influence found = influenceOf(all, tag, MetricPart::Best);
    if (found.tested == 0)
        return {};
    Rows rows;
    for (const Influence::Row& row : found.rows)
        if (std::isfinite(row.strength))
            rows.push_back({text(row.key),
                            text((row.ofNumbers ? QStringLiteral("ρ ") : QStringLiteral("η ")) +
                                 QLocale().toString(row.strength, 'f', 2)),
                            text(QString::number(row.runs)), text(QLocale().toString(row.chance, 'g', 2))});
    return heading(tr("Settings of the runs with the best %1").arg(tag)) +
           report::table(headsOf({tr("Setting"), tr("Strength"), tr("Runs"), tr("By chance")}), rows) +
           element("p", "",
                   text(tr("ρ: Spearman's rank correlation, for numbers; η: correlation ratio of ranks, for words. "
                           "“By chance”: share of %1 shuffles that are at least as strong. Finished runs only; no "
                           "proof of a cause.")
                            .arg(found.shuffles)));
}

}  // namespace

QByteArray pngOf(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray comparisonReport(const ReportInput& input) {
    std::string body = heading(tr("Runs")) + runs(input.runs);
    if (!input.chart.isNull()) {
        body += heading(input.tag.isEmpty() ? tr("Curves") : input.tag);
        body += "<img alt=\"" + text(input.tag) + "\" src=\"data:image/png;base64," +
                pngOf(input.chart).toBase64().toStdString() + "\">\n";
        if (!input.remark.isEmpty())
            body += element("p", "", text(input.remark));
    }
    body += differing(input.runs);
    body += metrics(input.runs, MetricPart::Last, tr("Last values"));
    body += metrics(input.runs, MetricPart::Best, tr("Best values"));
    body += influence(input.runs, input.tag);
    const QString title = tr("Comparison of %Ln runs", nullptr, static_cast<int>(input.runs.size()));
    return QByteArray::fromStdString(
        report::document(title.toStdString(), tr("Trainyard, %1").arg(absoluteTime(input.made)).toStdString(), body));
}

}  // namespace trainyard::desktop
