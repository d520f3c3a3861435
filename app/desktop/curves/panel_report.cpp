// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_report.h"

#include <map>

#include "base/clock.h"
#include "desktop/curves/curve_source.h"
#include "desktop/curves/panel_layout.h"
#include "desktop/curves/source_metrics.h"
#include "desktop/curves/tag_index.h"
#include "desktop/shell/save_file.h"
#include "desktop/text/qt_text.h"
#include "report/run_metrics.h"

namespace trainyard::desktop {

namespace {

class CopiedMetrics final : public report::StoredMetrics {
  public:
    CopiedMetrics(const CurveSource& source, const TagIndex& index, int number) {
        const SourceMetrics now(&source, &index, number);
        for (const TagInfo& info : source.tags()) {
            if (info.kind == TagKind::Scalar)
                curves_.emplace(info.tag, source.series(info.tag));
            else if (info.kind == TagKind::Histogram)
                if (std::optional<report::Bins> bins = now.histogram(info.tag))
                    histograms_.emplace(info.tag, std::move(*bins));
        }
        for (int unit = 0; unit <= static_cast<int>(widgets::XUnit::Wall); ++unit)
            scales_.push_back(source.scale(static_cast<widgets::XUnit>(unit)));
    }
    /// As SourceMetrics: the lowest rank stands for all.
    const widgets::Series* find(const std::string& metric) const override {
        const widgets::Series* found = StoredMetrics::find(metric);
        return found != nullptr ? found : StoredMetrics::find(metric + "#0");
    }
    widgets::XScale scale(widgets::XUnit unit) const override {
        return scales_[std::min(scales_.size() - 1, static_cast<std::size_t>(unit))];
    }

  private:
    std::vector<widgets::XScale> scales_;  ///< by unit
};

}  // namespace

PanelReport report_of_panel(const PanelContext& context) {
    PanelReport made;
    for (int i = 0; i < context.sources->size(); ++i) {
        const CurveSource& source = *(*context.sources)[i];
        auto run = std::make_shared<report::ReportRun>();
        run->id = run->name = source.name().toStdString();
        run->color = source.colorNumber();
        for (const auto& [key, value] : source.parameters())
            run->settings.emplace_back(key, value);
        run->metrics = std::make_shared<CopiedMetrics>(source, *context.index, i);
        made.runs.push_back(std::move(run));
        made.folders.push_back(source.key().toStdString());
    }
    made.report.unit = context.layout->unit;
    made.report.smoothing = context.layout->smoothing;
    for (const PinnedCard& pin : context.layout->pins) {
        if (pin.panel) {
            made.report.panels.push_back(*pin.panel);
            continue;
        }
        report::Panel panel;
        panel.log_x = context.layout->log_x;
        panel.log_y = context.layout->log_y;
        for (const QString& tag : pin.tags)
            if (tag_kind(tag) == TagKind::Scalar)
                panel.lines.push_back(report::Formula::quoted(tag.mid(2).toStdString()));
        if (!panel.lines.empty())
            made.report.panels.push_back(std::move(panel));
    }
    return made;
}

QString write_report(PanelReport made, const QString& file) {
    for (std::size_t i = 0; i < made.runs.size(); ++i) {
        report::ReportRun& run = *made.runs[i];
        std::error_code error;
        if (const run::RunPaths paths(made.folders[i]); std::filesystem::exists(paths.spec(), error)) {
            report::ReportRun facts = std::move(*report::read_run_facts(paths));
            facts.metrics = run.metrics;
            facts.color = run.color;
            facts.name = run.name;
            run = std::move(facts);
        }
        made.report.runs.push_back(&run);
    }
    made.report.time = wall_seconds();
    const std::string html = report::html_of(
        made.report, [](const Message& message) { return widgets::local_message(message).toStdString(); });
    return saveFile(file, QByteArray::fromStdString(html));
}

}  // namespace trainyard::desktop
