// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/events_panel.h"

#include <algorithm>

#include <QListView>
#include <QStyledItemDelegate>

#include "base/clock.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/two_lines.h"

namespace trainyard::desktop {

namespace {

const int& kEventRowHeight = live_px(40);

QStringList day_and_time(double wall) {
    const QString words = clock_text(wall, wall_seconds());
    const qsizetype at = words.lastIndexOf(QLatin1Char(' '));
    return at < 0 ? QStringList{words} : QStringList{words.left(at), words.mid(at + 1)};
}

class EventDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kEventRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const auto* model = static_cast<const EventsModel*>(index.model());
        const run::Event& event = model->eventAt(index.row());
        const EventWords words = event_words(event);
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.color(Token::BgSelected));
        const QRect area = option.rect.adjusted(12_px, 3, -12_px, -3);
        painter->drawPixmap(area.left(), area.top() + 2,
                            theme.pixmap(words.icon, words.color, 14_px, painter->device()->devicePixelRatioF()));
        // The day of an earlier event is above its time, so that its words keep their room.
        const QFontMetrics digits(theme.mono(11));
        int time_width = 0;
        QRect line = area;
        for (const QString& part : day_and_time(event.time)) {
            draw_text(*painter, theme.mono(11), Token::TextMuted, line, part, Qt::AlignRight | Qt::AlignTop);
            time_width = std::max(time_width, digits.horizontalAdvance(part));
            line.setTop(line.top() + digits.lineSpacing());
        }
        const QRect text = area.adjusted(22_px, 0, -time_width - 8_px, 0);
        if (words.more.isEmpty()) {
            // A sentence alone has both lines.
            const QFont font = theme.text(12, QFont::Medium);
            draw_text(*painter, font, Token::Text, text, widgets::two_lines(words.title, font, text.width()),
                      Qt::AlignLeft | Qt::AlignTop);
        } else {
            draw_elided(*painter, theme.text(12, QFont::DemiBold), Token::Text, text, words.title,
                        Qt::AlignLeft | Qt::AlignTop);
            // Next to its title, not to that of the event below.
            draw_elided(*painter, theme.text(11), Token::TextSecondary,
                        text.adjusted(0, QFontMetrics(theme.text(12, QFont::DemiBold)).lineSpacing() + 1, 0, 0),
                        words.more, Qt::AlignLeft | Qt::AlignTop);
        }
        painter->restore();
    }
};

}  // namespace

EventsPanel::EventsPanel(QWidget* parent)
    : QFrame(parent), model_(new EventsModel(this)), list_(named(new QListView, tr("Events"))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* title = make_title(tr("Events"));
    title->setContentsMargins(12, 0, 12, 0);
    setLayout(make_column({1, 8, 1, 4}, 4, {title, {list_, 1}}));
    list_->setModel(model_);
    list_->setItemDelegate(new EventDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMinimumHeight(100_px);
    const auto choose = [this](const QModelIndex& index) { emit eventChosen(model_->eventAt(index.row()).step); };
    connect(list_, &QListView::clicked, this, choose);
    connect(list_, &QListView::activated, this,
            [this](const QModelIndex& index) { emit eventOpened(model_->number(index.row())); });
}

void EventsPanel::follow(const std::vector<run::Event>& events) {
    model_->follow(events);
}

void EventsPanel::step(int direction) {
    const int rows = model_->rowCount();
    // Newest first: a later one stands higher. From nothing both ways lead to the newest.
    const int current = list_->currentIndex().isValid() ? list_->currentIndex().row() : (direction > 0 ? 1 : -1);
    for (int row = current - direction; row >= 0 && row < rows; row -= direction)
        if (model_->eventAt(row).step >= 0) {
            select(model_->number(row));
            emit eventChosen(model_->eventAt(row).step);
            return;
        }
}

void EventsPanel::select(std::size_t event) {
    if (const int row = model_->rowOf(event); row >= 0) {
        list_->setCurrentIndex(model_->index(row));
        list_->scrollTo(model_->index(row));
    }
}

}  // namespace trainyard::desktop
