// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/report.h"

#include <cmath>

#include <QBuffer>
#include <QLocale>

#include "desktop/compare/differences.h"
#include "desktop/compare/influence.h"
#include "desktop/translate.h"
#include "desktop/words.h"
#include "widgets/plot/number_text.h"
#include "widgets/tokens.h"

namespace trainyard::desktop {

namespace {

constexpr const char* kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;color:#1b1f24;background:#fff;margin:32px "
    "auto;max-width:1100px;padding:0 20px}"
    "h1{font-size:22px;margin:0 0 2px}h2{font-size:16px;margin:30px 0 8px}p{margin:4px 0;color:#57606a}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:4px 8px;border-bottom:1px solid #d8dee4}"
    "th:first-child,td:first-child{text-align:left}td{font-family:ui-monospace,monospace;font-size:13px}"
    "th{font-weight:600}.wide{overflow-x:auto}.d{background:#fff4d6}.best{font-weight:700}"
    ".s{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:7px}img{max-width:100%;height:auto}";

/// Cells and heads are HTML.
QString cell(const QString& html, const char* kind = "") {
    return QStringLiteral("<td class=\"%1\">%2</td>").arg(QLatin1String(kind), html);
}

QString text(const QString& words, const char* kind = "") {
    return cell(words.toHtmlEscaped(), kind);
}

class Html {
  public:
    void heading(const QString& words) { out_ += QStringLiteral("<h2>%1</h2>\n").arg(words.toHtmlEscaped()); }
    void words(const QString& words) { out_ += QStringLiteral("<p>%1</p>\n").arg(words.toHtmlEscaped()); }
    void raw(const QString& html) { out_ += html; }
    void table(const QStringList& heads, const QStringList& rows) {
        out_ += QStringLiteral("<div class=\"wide\"><table><tr><th>%1</th></tr>\n")
                    .arg(heads.join(QLatin1String("</th><th>")));
        for (const QString& row : rows)
            out_ += QStringLiteral("<tr>%1</tr>\n").arg(row);
        out_ += QStringLiteral("</table></div>\n");
    }
    QByteArray take() { return out_.toUtf8(); }

  private:
    QString out_;
};

QString nameOf(const RunSummary& run) {
    return QStringLiteral("<span class=\"s\" style=\"background:%1\"></span>%2")
        .arg(widgets::run_color(run.number, false).name(), run.name.toHtmlEscaped());
}

QStringList headsOf(const QString& first, const RunSummaries& runs) {
    QStringList heads{first.toHtmlEscaped()};
    for (const RunSummary& run : runs)
        heads << nameOf(run);
    return heads;
}

void runs(Html& html, const RunSummaries& all) {
    QStringList rows;
    for (const RunSummary& run : all) {
        const std::optional<double> duration = run.duration(run.heartbeat);
        rows << cell(nameOf(run) + (run.baseline ? QStringLiteral(" (%1)").arg(tr("baseline")) : QString())) +
                    text(phaseWord(run.phase) +
                         (run.failure.isEmpty() ? QString() : QStringLiteral(": ") + run.failure)) +
                    text(run.step > 0 ? stepText(run.step) : QString()) + text(lossText(run.loss)) +
                    text(lossText(run.validationLoss)) + text(run.created > 0 ? absoluteTime(run.created) : QString()) +
                    text(duration ? durationText(*duration) : QString()) + text(run.tags.join(QStringLiteral(", "))) +
                    text(run.note);
    }
    html.table({tr("Run"), tr("State"), tr("Steps"), tr("Train loss"), tr("Validation loss"), tr("Started"),
                tr("Duration"), tr("Tags"), tr("Note")},
               rows);
}

void differing(Html& html, const RunSummaries& all) {
    const Differences found = differencesOf(all);
    QStringList rows;
    for (const Differences::Row& row : found.rows) {
        rows << text(row.key);
        for (int i = 0; i < row.values.size(); ++i)
            rows.last() += text(row.values[i], row.differs[i] ? "d" : "");
    }
    html.heading(tr("What differs"));
    html.table(headsOf(tr("Key"), all), rows);
    html.words(tr("%n keys are equal in all of them.", nullptr, found.equal));
}

void metrics(Html& html, const RunSummaries& all, MetricPart part, const QString& title) {
    QStringList rows;
    for (const MetricRows::Row& row : metricRowsOf(all, part).rows) {
        rows << text(row.tag);
        for (int i = 0; i < row.values.size(); ++i)
            rows.last() +=
                text(row.present[i] ? widgets::value_number(row.values[i]) : QString(), i == row.best ? "best" : "");
    }
    if (rows.isEmpty())
        return;
    html.heading(title);
    html.table(headsOf(tr("Metric"), all), rows);
}

void influence(Html& html, const RunSummaries& all, const QString& tag) {
    const Influence found = influenceOf(all, tag, MetricPart::Best);
    if (found.tested == 0)
        return;
    QStringList rows;
    for (const Influence::Row& row : found.rows)
        if (std::isfinite(row.strength))
            rows << text(row.key) +
                        text((row.ofNumbers ? QStringLiteral("ρ ") : QStringLiteral("η ")) +
                             QLocale().toString(row.strength, 'f', 2)) +
                        text(QString::number(row.runs)) + text(QLocale().toString(row.chance, 'g', 2));
    html.heading(tr("Settings of the runs with the best %1").arg(tag));
    html.table({tr("Setting"), tr("Strength"), tr("Runs"), tr("By chance")}, rows);
    html.words(tr("ρ: Spearman's rank correlation, for numbers; η: correlation ratio of ranks, for words. “By chance”: "
                  "share of %1 "
                  "shuffles that are at least as strong. Finished runs only; no proof of a cause.")
                   .arg(found.shuffles));
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
    const QString title = tr("Comparison of %n runs", nullptr, static_cast<int>(input.runs.size()));
    Html html;
    html.raw(
        QStringLiteral(
            "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title><style>%2</style></head><body>\n"
            "<h1>%1</h1>\n")
            .arg(title.toHtmlEscaped(), QLatin1String(kStyle)));
    html.words(tr("Trainyard, %1").arg(absoluteTime(input.made)));
    html.heading(tr("Runs"));
    runs(html, input.runs);
    if (!input.chart.isNull()) {
        html.heading(input.tag.isEmpty() ? tr("Curves") : input.tag);
        html.raw(QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
                     .arg(input.tag.toHtmlEscaped(), QString::fromLatin1(pngOf(input.chart).toBase64())));
        if (!input.remark.isEmpty())
            html.words(input.remark);
    }
    differing(html, input.runs);
    metrics(html, input.runs, MetricPart::Last, tr("Last values"));
    metrics(html, input.runs, MetricPart::Best, tr("Best values"));
    influence(html, input.runs, input.tag);
    html.raw(QStringLiteral("</body></html>\n"));
    return html.take();
}

}  // namespace trainyard::desktop
