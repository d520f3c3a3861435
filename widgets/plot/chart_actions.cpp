// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_actions.h"

#include <utility>

#include <QAction>
#include <QActionGroup>

#include "widgets/plot/chart_export.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/value_table.h"

namespace trainyard::widgets {

ChartActions::ChartActions(CurveChart* chart) : QObject(chart) {
    const auto add = [this](const QString& text, const QString& name, auto&& does) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, does);
        actions_.append(action);
        return action;
    };
    const auto check = [this](QAction* action, auto&& is_on) {
        action->setCheckable(true);
        updates_ << [action, is_on] { action->setChecked(is_on()); };
    };
    const auto separate = [this] {
        auto* action = new QAction(this);
        action->setSeparator(true);
        actions_.append(action);
    };
    add(tr("Fit") + QStringLiteral("\tF"), QStringLiteral("fit"), [chart] { chart->fit(); });
    QAction* back_action =
        add(tr("Previous zoom") + QStringLiteral("\t⌫"), QStringLiteral("back"), [chart] { chart->back(); });
    updates_ << [chart, back_action] { back_action->setEnabled(chart->canGoBack()); };
    check(add(tr("Logarithmic vertical axis") + QStringLiteral("\tL"), QStringLiteral("log_y"),
              [chart](bool on) { chart->setLogY(on); }),
          [chart] { return chart->isLogY(); });
    check(add(tr("Logarithmic horizontal axis") + QStringLiteral("\tShift+L"), QStringLiteral("log_x"),
              [chart](bool on) { chart->setLogX(on); }),
          [chart] { return chart->isLogX(); });
    check(add(tr("Bands of the raw values") + QStringLiteral("\tB"), QStringLiteral("bands"),
              [chart](bool on) { chart->setBands(on); }),
          [chart] { return chart->hasBands(); });
    check(add(tr("Hide outliers"), QStringLiteral("outliers"), [chart](bool on) { chart->setOutliersClipped(on); }),
          [chart] { return chart->areOutliersClipped(); });
    auto* trends = new QActionGroup(this);
    const auto is_plain = [chart] {
        return chart->view().smoothing == 0 &&
               (chart->view().trend == Trend::Average || chart->view().trend == Trend::Median);
    };
    separate();
    for (const auto& [trend, text] :
         {std::pair{Trend::Average, tr("Moving average")}, std::pair{Trend::Median, tr("Median")},
          std::pair{Trend::Lowest, tr("Best so far: lowest")}, std::pair{Trend::Highest, tr("Best so far: highest")}}) {
        const Trend which = trend;
        QAction* action = add(text, QStringLiteral("trend%1").arg(static_cast<int>(which)), [chart, which] {
            if (which != Trend::Lowest && which != Trend::Highest && chart->view().smoothing == 0)
                chart->setSmoothed(true);
            chart->setTrend(which);
        });
        check(action, [chart, which, is_plain] { return !is_plain() && chart->view().trend == which; });
        trends->addAction(action);
    }
    QAction* plain = add(tr("No smoothing") + QStringLiteral("\tS"), QStringLiteral("plain"), [chart] {
        chart->setTrend(Trend::Average);
        chart->setSmoothed(false);
    });
    check(plain, is_plain);
    trends->addAction(plain);
    separate();
    add(tr("Copy picture and values") + QStringLiteral("\tCtrl+C"), QStringLiteral("copy"),
        [chart] { copy_chart(*chart); });
    add(tr("Copy as pgfplots"), QStringLiteral("pgfplots"), [chart] { copy_pgfplots(*chart); });
    add(tr("Export…") + QStringLiteral("\tCtrl+E"), QStringLiteral("export"), [chart] { ask_and_export(*chart); });
    add(tr("Show as table") + QStringLiteral("\tCtrl+Shift+T"), QStringLiteral("table"),
        [chart] { (new ValueTable(*chart, chart))->show(); });
}

const QList<QAction*>& ChartActions::current() {
    for (const auto& update : std::as_const(updates_))
        update();
    return actions_;
}

}  // namespace trainyard::widgets
