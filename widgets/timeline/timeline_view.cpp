// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include <algorithm>
#include <numeric>

#include <QAccessible>
#include <QScrollBar>

#include "widgets/controls.h"

namespace trainyard::widgets {

namespace {

constexpr double kShortestView = 50;  // ns: no details to see below this

double length_of(const TimeSpan& span) {
    return static_cast<double>(span.end) - static_cast<double>(span.begin);
}

std::int64_t as_time(double value) {
    return static_cast<std::int64_t>(std::clamp(value, -9.2e18, 9.2e18));
}

/// The first number of [low, high) for which `before` is false; `high` if it is true for all.
template <class Before>
std::int64_t first_after(std::int64_t low, std::int64_t high, Before before) {
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (before(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Like first_after(), but with growing steps first, since the next position is usually near.
template <class Before>
std::int64_t first_near(std::int64_t low, std::int64_t end, Before before) {
    std::int64_t stride = 1;
    while (low + stride < end && before(low + stride)) {
        low += stride;
        stride *= 2;
    }
    return first_after(low, std::min(end, low + stride), before);
}

}  // namespace

TimelineView::TimelineView(const QString& accessibleName, QWidget* parent) : QAbstractScrollArea(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(TimelineLayout::kRow);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

void TimelineView::setData(std::shared_ptr<const TimelineData> data, bool keep) {
    const bool whole = !keep || data_ == nullptr || view_ == data_->whole();
    data_ = std::move(data);
    names_.clear();
    whole_names_.clear();
    const auto groups = data_ ? static_cast<int>(data_->groups().size()) : 0;
    chosen_ = {};
    linked_.clear();
    order_.resize(groups);
    std::iota(order_.begin(), order_.end(), 0);
    if (!keep) {
        folded_.clear();
        pinned_.clear();
        marks_.clear();
        selection_.reset();
        selected_group_ = -1;
    }
    layOut();
    if (whole && data_)
        showWhole();
    if (!keep)
        verticalScrollBar()->setValue(0);
    emit chosenChanged();
    emit selectionChanged();
}

double TimelineView::perPixel() const {
    return length_of(view_) / std::max(width(), 1);
}

double TimelineView::xOf(std::int64_t time) const {
    return kGutter + (static_cast<double>(time) - static_cast<double>(view_.begin)) / perPixel();
}

std::int64_t TimelineView::timeAt(double x) const {
    return as_time(static_cast<double>(view_.begin) + (x - kGutter) * perPixel());
}

void TimelineView::setView(const TimeSpan& view) {
    if (!data_)
        return;
    const TimeSpan whole = data_->whole();
    const double all = std::max(length_of(whole), kShortestView);
    const double length = std::clamp(length_of(view), kShortestView, all);
    // Keep the middle of the requested range, within the limits of the trace.
    double begin = (static_cast<double>(view.begin) + static_cast<double>(view.end)) / 2 - length / 2;
    begin = std::clamp(begin, static_cast<double>(whole.begin), static_cast<double>(whole.begin) + all - length);
    const TimeSpan next = length >= all ? TimeSpan{whole.begin, as_time(static_cast<double>(whole.begin) + all)}
                                        : TimeSpan{as_time(begin), as_time(begin + length)};
    if (next == view_)
        return;
    view_ = next;
    viewport()->update();
    emit viewChanged();
}

void TimelineView::showWhole() {
    if (data_)
        setView(data_->whole());
}

void TimelineView::fit() {
    std::optional<TimeSpan> range = selection_;
    if (!range && data_ && chosen_.isValid())
        range = data_->span(chosen_);
    if (!range)
        return;
    const double margin = length_of(*range) * 0.05;
    setView({as_time(static_cast<double>(range->begin) - margin), as_time(static_cast<double>(range->end) + margin)});
}

void TimelineView::zoom(double factor, int x) {
    if (!data_)
        return;
    const double share = std::clamp((x - kGutter) / static_cast<double>(std::max(width(), 1)), 0.0, 1.0);
    const double all = std::max(length_of(data_->whole()), kShortestView);
    const double length = std::clamp(length_of(view_) / factor, kShortestView, all);
    const double at = static_cast<double>(view_.begin) + share * length_of(view_);
    setView({as_time(at - share * length), as_time(at + (1 - share) * length)});
}

void TimelineView::pan(double share) {
    const double by = share * length_of(view_);
    setView({as_time(static_cast<double>(view_.begin) + by), as_time(static_cast<double>(view_.end) + by)});
}

void TimelineView::select(const std::optional<TimeSpan>& range, int group) {
    if (selection_ == range && selected_group_ == group)
        return;
    selection_ = range;
    selected_group_ = range ? group : -1;
    viewport()->update();
    emit selectionChanged();
}

void TimelineView::choose(const TimelinePlace& place, bool reveal) {
    const bool other = !(place == chosen_);
    chosen_ = place;
    linked_ = data_ && place.isValid() ? data_->linked(place) : QVector<TimelinePlace>();
    if (data_ && place.isValid() && reveal) {
        if (folded_.contains(place.group))
            toggleFold(place.group);
        revealLine(layout_.lineOf(place.group, place.lane, place.row));
        const TimeSpan span = data_->span(place);
        const double size = length_of(span) / perPixel();
        if (span.end < view_.begin || span.begin > view_.end || size < 3) {
            // Zoom in until the span is distinguishable from its neighbours; keep the zoom if it already is.
            const double length = size < 3 ? std::max(length_of(span) * 20, kShortestView * 4) : length_of(view_);
            const double middle = (static_cast<double>(span.begin) + static_cast<double>(span.end)) / 2;
            setView({as_time(middle - length / 2), as_time(middle + length / 2)});
        }
    }
    viewport()->update();
    if (!other)
        return;
    setAccessibleDescription(data_ && place.isValid() ? data_->describe(place) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    emit chosenChanged();
}

void TimelineView::chooseSameName(int direction) {
    if (!data_ || !chosen_.isValid())
        return;
    if (const TimelinePlace next = data_->sameName(chosen_, direction); next.isValid())
        choose(next, true);
}

void TimelineView::setOrder(const QVector<int>& groups) {
    order_ = groups;
    layOut();
}

void TimelineView::toggleFold(int group) {
    if (group < 0)
        return;
    if (!folded_.remove(group))
        folded_.insert(group);
    arranged();
}

void TimelineView::togglePin(int group) {
    if (group < 0)
        return;
    if (!pinned_.remove(group))
        pinned_.insert(group);
    arranged();
    verticalScrollBar()->setValue(0);
}

void TimelineView::setPinned(const QSet<int>& groups) {
    pinned_ = groups;
    layOut();
}

void TimelineView::setFolded(const QSet<int>& groups) {
    folded_ = groups;
    layOut();
}

void TimelineView::arranged() {
    layOut();
    emit arrangementChanged();
}

void TimelineView::mark() {
    if (!data_)
        return;
    if (marks_.size() == 2)
        marks_.removeFirst();
    marks_ << (chosen_.isValid() ? data_->span(chosen_).begin
                                 : as_time((static_cast<double>(view_.begin) + static_cast<double>(view_.end)) / 2));
    viewport()->update();
}

void TimelineView::clearMarks() {
    marks_.clear();
    viewport()->update();
}

void TimelineView::layOut() {
    if (data_)
        layout_.layOut(data_->groups(), order_, folded_, pinned_);
    else
        layout_.layOut({}, {}, {}, {});
    setScrollRange();
    viewport()->update();
}

void TimelineView::setScrollRange() {
    const int page = std::max(viewport()->height() - kRuler, 1);
    verticalScrollBar()->setRange(0, std::max(0, layout_.height() - page));
    verticalScrollBar()->setPageStep(page);
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    setScrollRange();
}

void TimelineView::revealLine(int line) {
    if (line < 0)
        return;
    const TimelineLine& at = layout_.lines()[line];
    const int page = viewport()->height() - kRuler;
    QScrollBar* bar = verticalScrollBar();
    if (at.top < bar->value())
        bar->setValue(at.top - TimelineLayout::kHead);
    else if (at.top + at.height > bar->value() + page)
        bar->setValue(at.top + at.height - page);
}

std::int64_t TimelineView::firstEndingAfter(int group, int lane, int row, std::int64_t time) const {
    std::int64_t low = 0, high = data_->count(group, lane, row);
    if (const TimelineBlocks blocks = data_->blocks(group, lane, row); !blocks.isEmpty()) {
        // Spans that end before a block begins are skipped: spans of a row do not overlap.
        const auto next = std::lower_bound(blocks.begins.begin(), blocks.begins.end(), time - blocks.offset);
        const std::int64_t block = std::max<std::int64_t>(0, next - blocks.begins.begin() - 1);
        low = block * TimelineBlocks::kStride;
        high = std::min(high, low + TimelineBlocks::kStride);
    }
    return first_after(low, high, [&](std::int64_t at) { return data_->span({group, lane, row, at}).end < time; });
}

/// Returns the first block from `from` on that begins at or after this time.
std::int64_t TimelineView::firstBlockAt(const TimelineBlocks& blocks, std::int64_t time, std::int64_t from) {
    return first_near(from, std::ssize(blocks.begins), [&](std::int64_t block) {
        return blocks.begins[static_cast<std::size_t>(block)] + blocks.offset < time;
    });
}

std::int64_t TimelineView::firstBeginningAt(int group, int lane, int row, std::int64_t time, std::int64_t from) const {
    std::int64_t count = data_->count(group, lane, row), low = from;
    if (const TimelineBlocks blocks = data_->blocks(group, lane, row); !blocks.isEmpty()) {
        const std::int64_t block = firstBlockAt(blocks, time, from / TimelineBlocks::kStride);
        low = std::max(from, (block - 1) * TimelineBlocks::kStride);
        count = std::min(count, block * TimelineBlocks::kStride);
        if (low >= count)
            return low;
    }
    return first_near(low, count, [&](std::int64_t at) { return data_->span({group, lane, row, at}).begin < time; });
}

TimelinePlace TimelineView::placeAt(const QPoint& at) const {
    if (!data_ || at.x() < kGutter || at.y() < kRuler)
        return {};
    const int found = layout_.lineAt(at.y() - kRuler + verticalScrollBar()->value());
    if (found < 0 || layout_.lines()[found].kind != TimelineLine::Kind::Row)
        return {};
    const TimelineLine& line = layout_.lines()[found];
    // Spans narrower than two pixels are hit anywhere within their pixel.
    const std::int64_t from = timeAt(at.x() - 0.5), to = timeAt(at.x() + 1.0);
    const std::int64_t index = firstEndingAfter(line.group, line.lane, line.row, from);
    if (index >= data_->count(line.group, line.lane, line.row))
        return {};
    const TimelinePlace place{line.group, line.lane, line.row, index};
    return data_->span(place).begin <= to ? place : TimelinePlace{};
}

QRect TimelineView::rectOf(const TimelinePlace& place) const {
    if (!data_ || !place.isValid())
        return {};
    const int found = layout_.lineOf(place.group, place.lane, place.row);
    if (found < 0)
        return {};
    const TimelineLine& line = layout_.lines()[found];
    const TimeSpan span = data_->span(place);
    const double left = std::max<double>(xOf(span.begin), kGutter),
                 right = std::min<double>(xOf(span.end), viewport()->width());
    if (right < left)
        return {};
    const QRect rect(static_cast<int>(left), line.top - verticalScrollBar()->value() + kRuler,
                     std::max(1, static_cast<int>(right - left)), line.height);
    return rect.bottom() < kRuler || rect.top() > viewport()->height() ? QRect() : rect;
}

bool TimelineView::viewportEvent(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        const TimelinePlace place = placeAt(at);
        return place.isValid() ? data_->describe(place) : QString();
    };
    return show_tip(event, viewport(), words) || QAbstractScrollArea::viewportEvent(event);
}

}  // namespace trainyard::widgets
