// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_problems.h"

#include <QLabel>

#include "desktop/curves/source_metrics.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

std::vector<std::unique_ptr<report::MetricSource>> metrics_of(const PanelContext& context) {
    std::vector<std::unique_ptr<report::MetricSource>> metrics;
    for (int i = 0; i < context.sources->size(); ++i)
        metrics.push_back(std::make_unique<SourceMetrics>((*context.sources)[i], context.index, i));
    return metrics;
}

std::unique_ptr<report::PanelLines> lines_of_panel(const report::Panel& panel,
                                                   const std::vector<std::unique_ptr<report::MetricSource>>& metrics,
                                                   widgets::XUnit unit) {
    std::vector<const report::MetricSource*> sources;
    for (const auto& source : metrics)
        sources.push_back(source.get());
    return std::make_unique<report::PanelLines>(panel, sources, unit);
}

QLabel* make_problem_label(QWidget* parent) {
    QLabel* label = wrapped(make_label({}, 12, QFont::Normal, Tone::Error, parent));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setContentsMargins(12, 2, 12, 4);
    label->hide();
    return label;
}

void show_problems(QLabel* label, const report::PanelLines& lines) {
    QStringList words;
    for (const Message& problem : lines.problems())
        words << qtSentence(problem);
    const QString text = words.join(QLatin1Char('\n'));
    if (label->text() != text)
        label->setText(text);
    label->setVisible(!text.isEmpty());
}

}  // namespace trainyard::desktop
