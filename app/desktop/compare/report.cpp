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

class Html {
  public:
    void heading(const QString& text) { out_ += QStringLiteral("<h2>%1</h2>\n").arg(text.toHtmlEscaped()); }
    void words(const QString& text) { out_ += QStringLiteral("<p>%1</p>\n").arg(text.toHtmlEscaped()); }
    void raw(const QString& html) { out_ += html; }
    void beginTable(const QStringList& heads) {  // heads: HTML
        out_ += QStringLiteral("<div class=\"wide\"><table><tr>");
        for (const QString& head : heads)
            out_ += QStringLiteral("<th>%1</th>").arg(head);
        out_ += QStringLiteral("</tr>\n");
    }
    void beginRow() { out_ += QStringLiteral("<tr>"); }
    void cell(const QString& text, const char* kind = "") {
        out_ += QStringLiteral("<td class=\"%1\">%2</td>").arg(QLatin1String(kind), text.toHtmlEscaped());
    }
    void rawCell(const QString& html) { out_ += QStringLiteral("<td>%1</td>").arg(html); }
    void endRow() { out_ += QStringLiteral("</tr>\n"); }
    void endTable() { out_ += QStringLiteral("</table></div>\n"); }
    QString take() { return std::move(out_); }

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
    html.beginTable({tr("Run"), tr("State"), tr("Steps"), tr("Train loss"), tr("Validation loss"), tr("Started"),
                     tr("Duration"), tr("Tags"), tr("Note")});
    for (const RunSummary& run : all) {
        html.beginRow();
        html.rawCell(nameOf(run) + (run.baseline ? QStringLiteral(" (%1)").arg(tr("baseline")) : QString()));
        html.cell(phaseWord(run.phase) + (run.failure.isEmpty() ? QString() : QStringLiteral(": ") + run.failure));
        html.cell(run.step > 0 ? stepText(run.step) : QString());
        html.cell(lossText(run.loss));
        html.cell(lossText(run.validationLoss));
        html.cell(run.created > 0 ? absoluteTime(run.created) : QString());
        const std::optional<double> duration = run.duration(run.heartbeat);
        html.cell(duration ? durationText(*duration) : QString());
        html.cell(run.tags.join(QStringLiteral(", ")));
        html.cell(run.note);
        html.endRow();
    }
    html.endTable();
}

void differing(Html& html, const RunSummaries& all) {
    const Differences found = differencesOf(all);
    html.heading(tr("What differs"));
    html.beginTable(headsOf(tr("Key"), all));
    for (const Differences::Row& row : found.rows) {
        html.beginRow();
        html.cell(row.key);
        for (int i = 0; i < row.values.size(); ++i)
            html.cell(row.values[i], row.differs[i] ? "d" : "");
        html.endRow();
    }
    html.endTable();
    html.words(tr("%n keys are equal in all of them.", nullptr, found.equal));
}

void metrics(Html& html, const RunSummaries& all, MetricPart part, const QString& title) {
    const MetricRows found = metricRowsOf(all, part);
    if (found.rows.isEmpty())
        return;
    html.heading(title);
    html.beginTable(headsOf(tr("Metric"), all));
    for (const MetricRows::Row& row : found.rows) {
        html.beginRow();
        html.cell(row.tag);
        for (int i = 0; i < row.values.size(); ++i)
            html.cell(row.present[i] ? widgets::value_number(row.values[i]) : QString(), i == row.best ? "best" : "");
        html.endRow();
    }
    html.endTable();
}

void influence(Html& html, const RunSummaries& all, const QString& tag) {
    const Influence found = influenceOf(all, tag, MetricPart::Best);
    if (found.tested == 0)
        return;
    html.heading(tr("Settings of the runs with the best %1").arg(tag));
    html.beginTable({tr("Setting"), tr("Strength"), tr("Runs"), tr("By chance")});
    for (const Influence::Row& row : found.rows) {
        if (!std::isfinite(row.strength))
            continue;
        html.beginRow();
        html.cell(row.key);
        html.cell((row.ofNumbers ? QStringLiteral("ρ ") : QStringLiteral("η ")) +
                  QLocale().toString(row.strength, 'f', 2));
        html.cell(QString::number(row.runs));
        html.cell(QLocale().toString(row.chance, 'g', 2));
        html.endRow();
    }
    html.endTable();
    html.words(tr("ρ: Spearman's rank correlation, for numbers; η: correlation ratio of ranks, for words. “By chance”: "
                  "share of %1 "
                  "shuffles that are at least as strong. Finished runs only; no proof of a cause.")
                   .arg(found.shuffles));
}

}  // namespace

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
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        input.chart.save(&buffer, "PNG");
        html.heading(input.tag.isEmpty() ? tr("Curves") : input.tag);
        html.raw(QStringLiteral("<img alt=\"%1\" src=\"data:image/png;base64,%2\">\n")
                     .arg(input.tag.toHtmlEscaped(), QString::fromLatin1(png.toBase64())));
        if (!input.remark.isEmpty())
            html.words(input.remark);
    }
    differing(html, input.runs);
    metrics(html, input.runs, MetricPart::Last, tr("Last values"));
    metrics(html, input.runs, MetricPart::Best, tr("Best values"));
    influence(html, input.runs, input.tag);
    html.raw(QStringLiteral("</body></html>\n"));
    return html.take().toUtf8();
}

}  // namespace trainyard::desktop
