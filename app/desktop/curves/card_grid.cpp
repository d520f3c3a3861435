// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/card_grid.h"

#include <algorithm>

#include <QDropEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMimeData>
#include <QScrollBar>
#include <QWheelEvent>

#include "desktop/curves/group_title.h"
#include "desktop/curves/tag_model.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
/// Releases the widgets whose ids are not in `still`. A widget that is released may pass its focus on, and the grid then
/// scrolls and places its cards again.
template <class Widget, class Release>
void keep_only(QHash<QString, Widget*>& widgets, const QSet<QString>& still, Release release) {
    QList<Widget*> gone;
    widgets.removeIf([&](typename QHash<QString, Widget*>::iterator entry) {
        if (still.contains(entry.key()))
            return false;
        gone << entry.value();
        return true;
    });
    for (Widget* widget : gone)
        release(widget);
}

const int& kAround = live_px(240);       // pixels above and below the sight in which cards exist already
constexpr int kSpareTitles = 16;         // kept for the next ones
const int& kUnderSection = live_px(10);  // pixels between the last card and the next title
}  // namespace

CardGrid::CardGrid(CardMaker* maker, QWidget* parent) : QAbstractScrollArea(parent), maker_(maker), tops_{0} {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    viewport()->setProperty("surface", QStringLiteral("clear"));
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", true);
    setAccessibleName(tr("Charts"));
    setAcceptDrops(true);
    viewport()->setAcceptDrops(true);
    verticalScrollBar()->setSingleStep(40);
}

CardGrid::~CardGrid() {
    // Cards are returned to the maker; titles are children of the grid.
    for (QWidget* card : std::as_const(cards_))
        maker_->giveBack(card);
}

void CardGrid::setSections(std::vector<GridSection> sections) {
    const Anchor keep = keptAnchor();
    sections_ = std::move(sections);
    measure();
    // Release removed cards now: the data that they show may be destroyed after this call.
    QSet<QString> still;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        if (sections_[s].folded)
            continue;
        for (int i = 0; i < sections_[s].count && still.size() < cards_.size(); ++i)
            if (const QString id = maker_->cardId(static_cast<int>(s), i); cards_.contains(id))
                still.insert(id);
    }
    keep_only(cards_, still, [this](QWidget* gone) { maker_->giveBack(gone); });
    if (restore(keep))
        wanted_ = {};
    place();
}

void CardGrid::setCardSize(int smallestWidth, int height) {
    if (smallestWidth == card_width_ && height == card_height_)
        return;
    const Anchor keep = keptAnchor();
    card_width_ = smallestWidth;
    card_height_ = height;
    measure();
    restore(keep);
    place();
}

void CardGrid::measure() {
    const int width = viewport()->width();
    columns_ = std::max(1, (width + kGap) / (card_width_ + kGap));
    tops_.assign(1, 0);
    for (const GridSection& section : sections_) {
        const int rows = section.folded ? 0 : (section.count + columns_ - 1) / columns_;
        tops_.push_back(tops_.back() + kTitleHeight + rows * rowHeight() + (rows > 0 ? kUnderSection - kGap : 0));
    }
    placing_ = true;
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, tops_.back() - viewport()->height()));
    placing_ = false;
}

int CardGrid::topOf(const Place& place) const {
    const int top = tops_[static_cast<std::size_t>(place.section)];
    return place.item < 0 ? top : top + kTitleHeight + place.item / columns_ * rowHeight();
}

void CardGrid::place() {
    const int at = verticalScrollBar()->value();
    const int first = at - kAround, last = at + viewport()->height() + kAround;
    const int inner = viewport()->width();
    const double width = static_cast<double>(inner - (columns_ - 1) * kGap) / columns_;
    QSet<QString> cards, titles;
    const auto begin = std::upper_bound(tops_.begin(), tops_.end(), first);
    for (auto s = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, begin - tops_.begin() - 1));
         s < sections_.size() && tops_[s] < last; ++s) {
        const GridSection& section = sections_[s];
        GroupTitle*& title = titles_[section.id];
        if (title == nullptr) {
            title = spare_titles_.isEmpty() ? new GroupTitle(viewport()) : spare_titles_.takeLast();
            disconnect(title, nullptr, this, nullptr);
            connect(title, &GroupTitle::clicked, this, [this, title] { emit foldRequested(title->sectionId()); });
        }
        QString count = QLocale().toString(section.count);
        if (section.foldedCount > section.count)
            count = tr("%1 of %2").arg(count, QLocale().toString(section.foldedCount));
        title->setSection(section.id, section.title, count, section.folded);
        title->setGeometry(0, tops_[s] - at, inner, kTitleHeight);
        title->show();
        titles.insert(section.id);
        if (section.folded)
            continue;
        const int cards_top = tops_[s] + kTitleHeight;
        const int from = std::max(0, (first - cards_top) / rowHeight()) * columns_;
        for (int i = from; i < section.count; ++i) {
            const int top = cards_top + i / columns_ * rowHeight();
            if (top > last)
                break;
            if (top + card_height_ < first)
                continue;
            const QString id = maker_->cardId(static_cast<int>(s), i);
            QWidget*& card = cards_[id];
            if (card == nullptr)
                card = maker_->takeCard(static_cast<int>(s), i, viewport());
            const int column = i % columns_;
            const int left = static_cast<int>(column * (width + kGap));
            const int right = static_cast<int>(column * (width + kGap) + width);
            card->setGeometry(left, top - at, right - left, card_height_);
            card->show();
            cards.insert(id);
        }
    }
    keep_only(cards_, cards, [this](QWidget* gone) { maker_->giveBack(gone); });
    keep_only(titles_, titles, [this](GroupTitle* gone) {
        gone->hide();
        if (spare_titles_.size() < kSpareTitles)
            spare_titles_ << gone;
        else
            gone->deleteLater();
    });
    emit looked();
}

CardGrid::Place CardGrid::placeOf(const QString& id) const {
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        if (sections_[s].id == id)
            return {static_cast<int>(s), -1};
        if (sections_[s].folded)
            continue;
        for (int i = 0; i < sections_[s].count; ++i)
            if (maker_->cardId(static_cast<int>(s), i) == id)
                return {static_cast<int>(s), i};
    }
    return {};
}

CardGrid::Anchor CardGrid::anchor() const {
    const int at = verticalScrollBar()->value();
    if (sections_.empty() || at <= 0)
        return {};
    const auto above = std::upper_bound(tops_.begin(), tops_.end(), at);
    const auto s = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above - tops_.begin() - 1, 0, static_cast<std::ptrdiff_t>(sections_.size()) - 1));
    const int inside = at - tops_[s] - kTitleHeight;
    if (inside < 0 || sections_[s].folded || sections_[s].count == 0)
        return {sections_[s].id, at - tops_[s]};
    const int item = std::min(inside / rowHeight() * columns_, sections_[s].count - 1);
    const Place place{static_cast<int>(s), item};
    return {maker_->cardId(place.section, place.item), at - topOf(place)};
}

bool CardGrid::restore(const Anchor& anchor) {
    if (anchor.card.isEmpty())
        return true;
    const Place place = placeOf(anchor.card);
    if (place.section < 0)
        return false;
    placing_ = true;
    verticalScrollBar()->setValue(topOf(place) + anchor.offset);
    placing_ = false;
    return true;
}

void CardGrid::setAnchor(const Anchor& anchor) {
    wanted_ = anchor;
    if (restore(anchor))
        wanted_ = {};
    place();
}

bool CardGrid::scrollTo(int section, int item) {
    if (section < 0 || section >= static_cast<int>(sections_.size()))
        return false;
    wanted_ = {};
    const int top = topOf({section, item});
    const int at = verticalScrollBar()->value();
    // Do not scroll if the whole card is visible already.
    if (item < 0 || top < at || top + card_height_ > at + viewport()->height())
        verticalScrollBar()->setValue(std::max(0, item < 0 ? top : top - kTitleHeight - kGap));
    place();
    return true;
}

void CardGrid::resizeEvent(QResizeEvent*) {
    const Anchor keep = keptAnchor();
    measure();
    restore(keep);
    place();
}

void CardGrid::scrollContentsBy(int, int) {
    if (placing_)
        return;
    wanted_ = {};
    place();
}

void CardGrid::wheelEvent(QWheelEvent* event) {
    wanted_ = {};
    QAbstractScrollArea::wheelEvent(event);
}

void CardGrid::keyPressEvent(QKeyEvent* event) {
    QScrollBar* bar = verticalScrollBar();
    switch (event->key()) {
        case Qt::Key_Home:
            bar->setValue(0);
            return;
        case Qt::Key_End:
            bar->setValue(bar->maximum());
            return;
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            bar->triggerAction(event->key() == Qt::Key_PageUp ? QScrollBar::SliderPageStepSub
                                                              : QScrollBar::SliderPageStepAdd);
            return;
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void CardGrid::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(kTagMime)))
        event->acceptProposedAction();
}

void CardGrid::dragMoveEvent(QDragMoveEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(kTagMime)))
        event->acceptProposedAction();
}

void CardGrid::dropEvent(QDropEvent* event) {
    emit tagDropped(QString::fromUtf8(event->mimeData()->data(QLatin1String(kTagMime))));
    event->acceptProposedAction();
}

}  // namespace trainyard::desktop
