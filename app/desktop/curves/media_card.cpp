// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/media_card.h"

#include <QBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <QWheelEvent>

#include "desktop/curves/shared_axis.h"
#include "desktop/curves/tag_index.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"
#include "widgets/plot/distribution_view.h"
#include "widgets/plot/histogram_view.h"
#include "widgets/plot/picture_view.h"
#include "widgets/plot/text_view.h"

namespace trainyard::desktop {

namespace {

/// Returns make(point, value) for each point that holds a `Value`.
template <class Value, class Make>
auto views_of(const MediaPoints& points, Make make) {
    std::vector<decltype(make(MediaPoint(), Value()))> list;
    list.reserve(points.size());
    for (const auto& point : points)
        if (const auto* value = std::get_if<Value>(&point->value))
            list.push_back(make(*point, *value));
    return list;
}

auto histograms(const MediaPoints& points) {
    return views_of<HistogramPoint>(points, [](const MediaPoint& point, const HistogramPoint& value) {
        return widgets::Histogram{point.step, point.wall_time, value.limits, value.counts};
    });
}

auto pictures(const MediaPoints& points) {
    return views_of<ImagePoint>(points, [](const MediaPoint& point, const ImagePoint& value) {
        return widgets::PictureAt{point.step,   point.wall_time, qt(value.file), value.offset,
                                  value.length, value.width,     value.height};
    });
}

auto texts(const MediaPoints& points) {
    return views_of<TextPoint>(points, [](const MediaPoint& point, const TextPoint& value) {
        return widgets::TextAt{point.step, qt(value.text), value.cut};
    });
}

}  // namespace

MediaCard::MediaCard(CardKind kind, const PanelContext* context, QWidget* parent) : PanelCard(kind, context, parent) {
    switch (kind) {
        case CardKind::Histogram:
            stack_ = new QStackedWidget;
            histograms_ = new widgets::HistogramView(tr("Histograms"));
            distribution_ = new widgets::DistributionView(tr("Distribution"));
            stack_->addWidget(histograms_);
            stack_->addWidget(distribution_);
            body()->addWidget(stack_, 1);
            break;
        case CardKind::Image:
            pictures_ = new widgets::PictureView(tr("Pictures"));
            body()->addWidget(pictures_, 1);
            break;
        default:
            texts_ = new widgets::TextView(tr("Texts"));
            body()->addWidget(texts_, 1);
            break;
    }
    for (QWidget* inner : findChildren<QWidget*>())
        inner->installEventFilter(this);
}

MediaCard::Found MediaCard::found() const {
    const TagEntry* entry = spec().tags.isEmpty() ? nullptr : context().index->find(spec().tags.first());
    const auto holder = static_cast<std::size_t>(std::max(0, spec().holder));
    if (entry == nullptr || holder >= entry->holders.size())
        return {};
    return {(*context().sources)[entry->holders[holder].source], entry->holders[holder].tag};
}

void MediaCard::load(bool anew) {
    const Found at = found();
    static const MediaPoints none;
    const MediaPoints& points = at.source == nullptr ? none : at.source->media(at.tag);
    const std::int64_t last = points.empty() ? -1 : points.back()->step;
    if (!anew && points.size() == shown_ && last == last_)
        return;
    shown_ = points.size();
    last_ = last;
    QString figure = points.empty() ? QString() : tr("step %1").arg(stepText(last));
    if (const std::size_t all = at.source == nullptr ? 0 : at.source->mediaMet(at.tag); all > points.size())
        figure = tr("%1 of %2 steps · %3")
                     .arg(QLocale().toString(static_cast<qulonglong>(points.size())),
                          QLocale().toString(static_cast<qulonglong>(all)), figure);
    setFigure(figure);
    const int color = at.source == nullptr ? 1 : at.source->colorNumber();
    if (histograms_ != nullptr) {
        if (distributes_)
            distribution_->setHistograms(histograms(points), color);
        else
            histograms_->setHistograms(histograms(points), color);
        applyLook();
    } else if (pictures_ != nullptr) {
        pictures_->setPictures(pictures(points));
    } else {
        texts_->setTexts(texts(points));
    }
}

void MediaCard::applyLook() {
    if (histograms_ == nullptr)
        return;
    const widgets::XUnit unit = context().axis->look().unit;
    const Found at = found();
    widgets::XScale scale;
    scale.unit = unit;
    if (at.source != nullptr)
        scale = at.source->scale(unit);
    histograms_->setUnit(unit, scale);
    distribution_->chart()->setScale(scale);
}

void MediaCard::release() {
    shown_ = 0;
    last_ = -1;
    if (histograms_ != nullptr) {
        histograms_->setHistograms({}, 1);
        distribution_->setHistograms({}, 1);
    } else if (pictures_ != nullptr) {
        pictures_->setPictures({});
    } else {
        texts_->setTexts({});
    }
}

void MediaCard::setDistribution(bool on) {
    if (histograms_ == nullptr || on == distributes_)
        return;
    distributes_ = on;
    stack_->setCurrentIndex(on ? 1 : 0);
    load(true);
}

void MediaCard::addToMenu(QMenu& menu) {
    if (histograms_ == nullptr)
        return;
    menu.addSeparator();
    menu.addAction(distributes_ ? tr("As histograms") : tr("As distribution"), this,
                   [this] { setDistribution(!distributes_); });
}

bool MediaCard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Wheel && !isLarge()) {
        auto* wheel = static_cast<QWheelEvent*>(event);
        const auto* inner = qobject_cast<QWidget*>(watched);
        // As for charts, the wheel scrolls the panel until this card has the focus.
        if (!inner->hasFocus() && !wheel->modifiers().testFlag(Qt::ControlModifier)) {
            event->ignore();
            return true;
        }
    }
    return PanelCard::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
