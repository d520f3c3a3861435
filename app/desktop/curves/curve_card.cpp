// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/curve_card.h"

#include <algorithm>

#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QWheelEvent>

#include "desktop/curves/panel_layout.h"
#include "desktop/curves/panel_problems.h"
#include "desktop/curves/shared_axis.h"
#include "desktop/curves/tag_index.h"
#include "desktop/curves/tag_model.h"
#include "desktop/shell/ui.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Curve;
using widgets::CurveChart;

namespace {
constexpr int kMostNoisy = 12;  // curves that get band and raw line: more would hide each other
constexpr Qt::PenStyle kTagDashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
}  // namespace

CurveCard::CurveCard(const PanelContext* context, QWidget* parent)
    : PanelCard(CardKind::Curves, context, parent),
      chart_(new CurveChart(QString())),
      none_(wrapped(make_label({}, 12, QFont::Normal, Tone::Muted, chart_))),
      problem_(make_problem_label(this)) {
    body()->addWidget(chart_, 1);
    body()->addWidget(problem_);
    none_->setAlignment(Qt::AlignCenter);
    none_->hide();
    setAcceptDrops(true);
    chart_->installEventFilter(this);
    widgets::make_draggable(titleLabel(), chart_);
    connect(chart_, &CurveChart::redrawn, this, &CurveCard::showFigure);
    connect(chart_, &CurveChart::crosshairMoved, this, &CurveCard::showFigure);
    connect(chart_, &CurveChart::markerActivated, this, &CurveCard::markerActivated);
    connect(chart_, &CurveChart::noteRequested, this, &CurveCard::noteRequested);
}

CurveCard::~CurveCard() = default;

QVector<Curve> CurveCard::curvesOfPanel() const {
    QVector<Curve> list;
    const QVector<CurveSource*>& sources = *context().sources;
    const bool several_sources = sources.size() > 1;
    const std::size_t formulas = lines_->panel().lines.size() + lines_->panel().right.size();
    for (const report::PanelLine& line : lines_->lines()) {
        const CurveSource* source = sources[static_cast<qsizetype>(line.source)];
        Curve curve;
        QStringList words;
        if (several_sources)
            words << source->name();
        if (formulas > 1 || !several_sources)
            words << qt(line.name);
        curve.name = words.join(QStringLiteral(" · "));
        if (line.right)
            curve.name = tr("%1 (right)").arg(curve.name);
        curve.series = line.series;
        curve.scale = line.scale;
        curve.right = line.right;
        curve.color = several_sources ? source->colorNumber() : 0;
        curve.dash =
            several_sources && formulas > 1 ? kTagDashes[line.number % 4] : widgets::run_dash(std::max(1, curve.color));
        list << curve;
    }
    return list;
}

QVector<Curve> CurveCard::curvesOfTags() const {
    QVector<Curve> list;
    const QVector<CurveSource*>& sources = *context().sources;
    const bool several_sources = sources.size() > 1;
    for (int tag_number = 0; tag_number < spec().tags.size(); ++tag_number) {
        const TagEntry* entry = context().index->find(spec().tags[tag_number]);
        if (entry == nullptr || entry->kind != TagKind::Scalar)
            continue;
        for (const TagHolder& holder : entry->holders) {
            const CurveSource* source = sources[holder.source];
            Curve curve;
            QStringList words;
            if (several_sources)
                words << source->name();
            if (spec().tags.size() > 1)
                words << entry->name;
            if (holder.rank >= 0)
                words << tr("rank %1").arg(holder.rank);
            curve.name =
                words.isEmpty() ? entry->name.section(QLatin1Char('/'), -1) : words.join(QStringLiteral(" · "));
            curve.series = &source->series(holder.tag);
            curve.scale = source->scale(context().axis->look().unit);
            curve.color = several_sources ? source->colorNumber() : 0;
            curve.dash = several_sources && spec().tags.size() > 1 ? kTagDashes[tag_number % 4]
                                                                   : widgets::run_dash(std::max(1, curve.color));
            list << curve;
        }
    }
    return list;
}

QVector<Curve> CurveCard::curves() {
    QVector<Curve> list = lines_ ? curvesOfPanel() : curvesOfTags();
    const QVector<CurveSource*>& sources = *context().sources;
    if (sources.size() == 1)
        for (int i = 0; i < list.size(); ++i) {
            list[i].color = list.size() == 1 ? sources.first()->colorNumber() : i + 1;
            list[i].dash = widgets::run_dash(list[i].color);
        }
    left_out_ = static_cast<int>(std::max<qsizetype>(0, list.size() - kMostCurves));
    list.resize(list.size() - left_out_);
    const bool counts = lines_ && lines_->panel().kind == report::PanelKind::histogram;
    for (Curve& curve : list)
        curve.noisy = list.size() <= kMostNoisy && !counts;
    return list;
}

void CurveCard::computePanel() {
    // The chart refers to the curves that were computed until it has others.
    const std::unique_ptr<report::PanelLines> before = std::move(lines_);
    const auto metrics_before = std::exchange(metrics_, {});
    if (spec().panel) {
        metrics_ = metrics_of(context());
        lines_ = lines_of_panel(*spec().panel, metrics_, context().axis->look().unit);
        show_problems(problem_, *lines_);
    } else {
        problem_->hide();
    }
    chart_->setCurves(curves());
}

void CurveCard::applyPanel() {
    const AxisLook& look = context().axis->look();
    const report::Panel& panel = lines_->panel();
    if (lines_->panel().x.empty() && lines_->unit() != look.unit && lines_->unit() != widgets::XUnit::Value)
        computePanel();
    widgets::XScale scale;
    scale.unit = lines_->unit();
    if (!chart_->curves().isEmpty())
        scale = chart_->curves().first().scale.value_or(scale);
    // A chart of another unit is not linked, and fits itself when its unit changes.
    widgets::ChartLink* link = context().axis->link();
    if (scale.unit != chart_->view().scale.unit)
        link->remove(chart_);
    chart_->setScale(scale);
    if (scale.unit == look.unit)
        link->add(chart_);
    else
        link->remove(chart_);
    chart_->setLogX(panel.log_x);
    chart_->setLogY(panel.log_y);
    chart_->setLogRight(panel.log_right);
    chart_->setOutliersClipped(look.clip);
    chart_->setSmoothing(panel.smoothing.value_or(look.smoothing));
}

void CurveCard::fill() {
    if (spec().panel)
        context().axis->remove(chart_);
    else if (lines_)
        context().axis->link()->remove(chart_);
    computePanel();
    const QVector<Curve>& list = chart_->curves();
    chart_->setAccessibleName(spec().title);
    none_->setText(tr("No curve of this name here."));
    none_->setVisible(list.isEmpty() && !problem_->isVisibleTo(this));
    chart_->setMarkers(*context().markers);
    chart_->setNotesOffered(context().notes != nullptr && *context().notes);
    applyLook();
    if (!spec().panel)
        context().axis->add(chart_);
    showFigure();
}

void CurveCard::applyLook() {
    chart_->setDense(!isLarge() && context().layout->size == CardSize::Small);
    if (lines_)
        return applyPanel();
    widgets::XScale scale;
    scale.unit = context().axis->look().unit;
    if (!chart_->curves().isEmpty()) {
        // Curves of several sources have each their own start; the ticks are the same for all.
        const QVector<Curve> list = curves();
        if (!std::ranges::equal(list, chart_->curves(), [](const Curve& one, const Curve& other) {
                return one.scale == other.scale && one.series == other.series;
            }))
            chart_->setCurves(list);
        scale = list.first().scale.value_or(scale);
    }
    chart_->setScale(scale);
}

void CurveCard::refresh() {
    if (lines_) {
        lines_->follow();
        show_problems(problem_, *lines_);
        const widgets::XUnit unit = lines_->unit();
        if (unit != widgets::XUnit::Value && std::ranges::any_of(lines_->lines(), [&](const report::PanelLine& line) {
                return metrics_[line.source]->scale(unit) != line.scale;
            })) {
            computePanel();  // the start of time, or what a step is in tokens, is known now
            applyPanel();
        }
    } else if (context().axis->look().unit != widgets::XUnit::Step)
        applyLook();  // the start of time, or what a step is in tokens, may be known now
    chart_->dataChanged();
}

void CurveCard::release() {
    context().axis->remove(chart_);
    context().axis->link()->remove(chart_);
    chart_->setMarkers({});
    chart_->setCurves({});
    lines_.reset();
    metrics_.clear();
}

void CurveCard::showFigure() {
    const qsizetype count = chart_->curves().size();
    const bool counts = lines_ && lines_->panel().kind == report::PanelKind::histogram;  // no value is the last one
    if (count == 1 && counts)
        setFigure({});
    else if (count == 1 && !chart_->curves().first().series->empty())
        setFigure(widgets::value_number(chart_->crosshair().value(0), 4));
    else if (left_out_ > 0)
        setFigure(tr("%1 of %2 curves").arg(count).arg(count + left_out_));
    else
        setFigure(count > 1 ? tr("%1 curves").arg(count) : QString());
}

void CurveCard::addToMenu(QMenu& menu) {
    menu.addSeparator();
    menu.addActions(chart_->menuActions());
}

bool CurveCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == chart_ && event->type() == QEvent::Wheel) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        if (!isLarge() && !chart_->hasFocus() && !wheel->modifiers().testFlag(Qt::ControlModifier)) {
            event->ignore();  // scrolls the cards
            return true;
        }
    }
    return PanelCard::eventFilter(watched, event);
}

void CurveCard::dragEnterEvent(QDragEnterEvent* event) {
    const QByteArray tag = event->mimeData()->data(QLatin1String(kTagMime));
    if (!tag.startsWith("s:") || spec().tags.contains(QString::fromUtf8(tag)))
        return;
    event->acceptProposedAction();
    dropping_ = true;
    update();
}

void CurveCard::dragLeaveEvent(QDragLeaveEvent*) {
    dropping_ = false;
    update();
}

void CurveCard::dropEvent(QDropEvent* event) {
    dropping_ = false;
    update();
    event->acceptProposedAction();
    emit overlayRequested(spec().id, QString::fromUtf8(event->mimeData()->data(QLatin1String(kTagMime))));
}

void CurveCard::paintEvent(QPaintEvent* event) {
    PanelCard::paintEvent(event);
    if (!dropping_)
        return;
    QPainter painter(this);
    draw_ring(painter, rect(), 8);
}

void CurveCard::resizeEvent(QResizeEvent* event) {
    PanelCard::resizeEvent(event);
    none_->setGeometry(0, 0, chart_->width(), chart_->height());
}

}  // namespace trainyard::desktop
