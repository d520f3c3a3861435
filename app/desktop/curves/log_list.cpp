// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/log_list.h"

#include <QCheckBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QStyledItemDelegate>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
const int& kLogRowHeight = live_px(28);
const int& kBox = live_px(14);
constexpr int kFilterInterval = 120;  // ms

class LogPainter : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {160, kLogRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const qreal ratio = painter->device()->devicePixelRatioF();
        const bool ticked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, theme.color(selected ? Token::BgSelected : Token::BgHover));
        QRect room = option.rect.adjusted(10_px, 0, -10_px, 0);
        const int middle = room.center().y() + 1;
        const QRectF box(room.left() + 0.5, middle - kBox / 2 + 0.5, kBox - 1, kBox - 1);
        painter->setPen(ticked ? Qt::NoPen : QPen(theme.color(Token::LineControl), 1));
        painter->setBrush(ticked ? theme.runColor(index.data(LogListModel::ColorRole).toInt())
                                 : theme.color(Token::BgRaised));
        painter->drawRoundedRect(box, 4, 4);
        if (ticked)
            painter->drawPixmap(QPointF(box.left() + 0.5, box.top() + 0.5),
                                theme.pixmap(QStringLiteral("check"), Token::BgPanel, 12_px, ratio));
        room.setLeft(room.left() + kBox + 8);
        if (index.data(LogListModel::WarnRole).toBool()) {
            painter->drawPixmap(QPoint(room.right() - 13_px, middle - 7_px),
                                theme.pixmap(QStringLiteral("warn"), Token::Warn, 14_px, ratio));
            room.setRight(room.right() - 20_px);
        } else if (index.data(LogListModel::LiveRole).toBool()) {
            fill_disc(*painter, QRectF(room.right() - 7.5_px, middle - 3.5_px, 7.0_px, 7.0_px), theme.color(Token::Ok));
            room.setRight(room.right() - 14_px);
        }
        const QString value = index.data(LogListModel::ValueRole).toString();
        draw_text(*painter, theme.mono(12), ticked ? Token::TextSecondary : Token::TextMuted, room, value,
                  Qt::AlignVCenter | Qt::AlignRight);
        room.setRight(room.right() - QFontMetrics(theme.mono(12)).horizontalAdvance(value) - 8);
        const QString name = widgets::elided_text(QFontMetrics(theme.text(13)), index.data(Qt::DisplayRole).toString(),
                                                  Qt::ElideMiddle, room.width());
        draw_text(*painter, theme.text(13), ticked ? Token::Text : Token::TextMuted, room, name);
        if (option.state.testFlag(QStyle::State_HasFocus))
            draw_ring(*painter, option.rect.adjusted(1, 0, -1, 0), 5);
        painter->restore();
    }
};

}  // namespace

LogList::LogList(QWidget* parent)
    : QFrame(parent),
      model_(new LogListModel(this)),
      field_(make_search_field(tr("Filter logs"), tr("Filter logs: words or /regex/"), "search")),
      all_(named(new QCheckBox(tr("All")), tr("All"), tr("Show or hide all that pass the filter"))),
      count_(make_mono_label({}, 11, Tone::Muted)),
      view_(named(new QListView, tr("Logs"))) {
    setProperty("surface", QStringLiteral("panel"));
    view_->setModel(model_);
    view_->setItemDelegate(new LogPainter(view_));
    view_->setUniformItemSizes(true);
    view_->setMouseTracking(true);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    setLayout(make_column(
        {1, 8, 1, 4}, 4,
        {make_row({10, 0, 10, 0}, {field_}), make_row({9, 0, 12, 0}, {all_, stretch(), count_}), {view_, 1}}));
    act_after(due_, kFilterInterval, this, &LogList::applyFilter);
    connect(field_, &QLineEdit::textChanged, this, [this] { due_.start(); });
    connect(all_, &QCheckBox::clicked, this, [this] { model_->tickShown(model_->shownState() != Qt::Checked); });
    connect(model_, &LogListModel::ticksChanged, this, &LogList::refreshHead);
    connect(model_, &QAbstractItemModel::modelReset, this, &LogList::refreshHead);
    refreshHead();
}

void LogList::applyFilter() {
    const QString problem = model_->setFilter(field_->text());
    set_invalid(field_, !problem.isEmpty());
    field_->setToolTip(problem);
    if (problem.isEmpty())
        emit filterChanged(field_->text());
}

void LogList::refreshHead() {
    const QSignalBlocker quiet(all_);
    const Qt::CheckState state = model_->shownState();
    all_->setTristate(state == Qt::PartiallyChecked);
    all_->setCheckState(state);
    const QLocale locale;
    const int shown = model_->rowCount();
    count_->setText(shown < model_->total()
                        ? tr("%1 of %2").arg(locale.toString(shown), locale.toString(model_->total()))
                        : locale.toString(shown));
}

bool LogList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_->viewport() && event->type() == QEvent::MouseButtonRelease) {
        auto* mouse = static_cast<QMouseEvent*>(event);
        const QModelIndex at = view_->indexAt(mouse->pos());
        if (at.isValid() && mouse->button() == Qt::LeftButton) {
            view_->setCurrentIndex(at);
            mouse->modifiers().testFlag(Qt::ControlModifier) ? model_->tickOnly(at.row()) : model_->toggle(at);
            return true;
        }
    }
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex at = view_->currentIndex();
        const bool only = key->key() == Qt::Key_O && key->modifiers() == Qt::NoModifier;
        if (at.isValid() && (only || key->key() == Qt::Key_Space)) {
            only ? model_->tickOnly(at.row()) : model_->toggle(at);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
