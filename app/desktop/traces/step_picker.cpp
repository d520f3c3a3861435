// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/step_picker.h"

#include <algorithm>
#include <map>

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/timeline/duration_text.h"
#include "widgets/timeline/timeline_view.h"

namespace trainyard::desktop {

using widgets::TimelineView;

namespace {
constexpr double kSlow = 1.2;      // of the median: marked
const int& kNumber = live_px(64);  // pixels a number needs
const int& kBars = live_px(26);    // pixels
}  // namespace

StepPicker::StepPicker(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Steps"));
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(44_px);
}

void StepPicker::setTrace(const OpenedTrace* trace) {
    steps_.clear();
    chosen_ = -1;
    longest_ = median_ = 0;
    if (trace != nullptr) {
        std::map<std::int64_t, Step> steps;
        for (const traces::RankTrace& rank : trace->set().ranks)
            for (const traces::Step& one : rank.trace->steps) {
                const widgets::TimeSpan range{one.begin + rank.offset, one.end + rank.offset};
                const auto [at, first] = steps.try_emplace(one.number, Step{one.number, range, 0});
                Step& step = at->second;
                step.range = {std::min(step.range.begin, range.begin), std::max(step.range.end, range.end)};
                step.longest = std::max(step.longest, one.end - one.begin);
            }
        QVector<std::int64_t> lengths;
        for (const auto& [number, step] : steps) {
            steps_ << step;
            lengths << step.longest;
        }
        std::sort(lengths.begin(), lengths.end());
        longest_ = lengths.isEmpty() ? 0 : lengths.last();
        median_ = lengths.isEmpty() ? 0 : lengths[lengths.size() / 2];
    }
    setVisible(!steps_.isEmpty());
    update();
}

void StepPicker::setView(const widgets::TimeSpan& view) {
    view_ = view;
    update();
}

QRectF StepPicker::boxOf(int index) const {
    const double left = TimelineView::kGutter,
                 wide = (width() - left - 6.0) / std::max<double>(1, static_cast<double>(steps_.size()));
    const double share = longest_ > 0 ? static_cast<double>(steps_[index].longest) / static_cast<double>(longest_) : 0;
    const double high = std::max(2.0, share * kBars);
    return {left + index * wide, 2 + kBars - high, std::max(1.0, wide - (wide > 4 ? 2 : 0)), high};
}

int StepPicker::stepAt(const QPoint& point) const {
    const double wide =
        (width() - TimelineView::kGutter - 6.0) / std::max<double>(1, static_cast<double>(steps_.size()));
    const int index = static_cast<int>((point.x() - TimelineView::kGutter) / wide);
    return point.x() >= TimelineView::kGutter && index < steps_.size() ? index : -1;
}

QString StepPicker::words(const Step& step) const {
    return tr("step %1, %2").arg(QLocale().toString(qlonglong{step.number}), widgets::nanosecond_words(step.longest));
}

void StepPicker::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    draw_text(painter, theme.text(12), Token::Text, QRect(26_px, 3, TimelineView::kGutter - 34_px, 18_px),
              tr("Step time"), Qt::AlignVCenter);
    draw_text(painter, theme.text(11), Token::TextMuted, QRect(26_px, 21_px, TimelineView::kGutter - 34_px, 18_px),
              tr("%Ln steps", nullptr, static_cast<int>(steps_.size())), Qt::AlignVCenter);
    painter.setFont(theme.mono(11));
    int free_from = 0;
    for (int i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const QRectF box = boxOf(i);
        const bool seen = step.range.begin < view_.end && step.range.end > view_.begin;
        QColor color =
            step.longest > kSlow * static_cast<double>(median_) ? theme.color(Token::Warn) : theme.runColor(1);
        if (!seen)
            color.setAlphaF(0.45F);
        painter.fillRect(box, color);
        if (i == chosen_) {
            painter.setPen(QPen(theme.color(Token::Accent), 2));
            painter.drawRect(QRectF(box.left(), 1, box.width(), kBars + 2));
        }
        if (static_cast<int>(box.left()) >= free_from && box.left() + kNumber <= width()) {
            painter.setPen(theme.color(seen ? Token::Text : Token::TextMuted));
            painter.drawText(QRectF(box.left(), kBars + 2, kNumber, 16_px),
                             Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter,
                             QLocale().toString(qlonglong{step.number}));
            free_from = static_cast<int>(box.left()) + kNumber;
        }
    }
    if (hasFocus())
        draw_ring(painter, rect(), 4);
}

void StepPicker::chooseIndex(int index) {
    if (index < 0 || index >= steps_.size())
        return;
    chosen_ = index;
    setAccessibleDescription(words(steps_[index]));
    update();
    emit stepChosen(steps_[index].range);
}

void StepPicker::step(int by) {
    if (steps_.isEmpty())
        return;
    int from = chosen_;
    if (from < 0) {
        // Start from the first visible step.
        const auto seen = std::find_if(steps_.begin(), steps_.end(),
                                       [this](const Step& step) { return step.range.end > view_.begin; });
        from = static_cast<int>(seen - steps_.begin()) - (by > 0 ? 1 : 0);
    }
    chooseIndex(std::clamp(from + by, 0, static_cast<int>(steps_.size()) - 1));
}

bool StepPicker::choose(std::int64_t number) {
    for (int i = 0; i < steps_.size(); ++i)
        if (steps_[i].number == number) {
            chooseIndex(i);
            return true;
        }
    return false;
}

void StepPicker::mousePressEvent(QMouseEvent* event) {
    chooseIndex(stepAt(event->position().toPoint()));
}

void StepPicker::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            step(-1);
            break;
        case Qt::Key_Right:
            step(1);
            break;
        case Qt::Key_Home:
            chooseIndex(0);
            break;
        case Qt::Key_End:
            chooseIndex(static_cast<int>(steps_.size()) - 1);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

bool StepPicker::event(QEvent* event) {
    const auto words_at = [this](const QPoint& place) {
        const int index = stepAt(place);
        return index >= 0 ? words(steps_[index]) : QString();
    };
    return show_tip(event, this, words_at) || QWidget::event(event);
}

}  // namespace trainyard::desktop
