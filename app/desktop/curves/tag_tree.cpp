// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/tag_tree.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QStyledItemDelegate>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
const int& kRow = live_px(26);
const int& kStarRoom = live_px(24);
constexpr int kOpenedWhenSought = 200;  // tags

class TagPainter : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {120, kRow}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        if (selected || hovered)
            painter->fillRect(option.rect, theme.color(selected ? Token::BgSelected : Token::BgHover));
        QRect room = option.rect.adjusted(4_px, 0, -6_px, 0);
        const qreal ratio = painter->device()->devicePixelRatioF();
        const int middle = option.rect.center().y();
        const QString id = index.data(TagModel::IdRole).toString();
        const int count = index.data(TagModel::CountRole).toInt();
        if (id.isEmpty()) {
            const QString words = QLocale().toString(count);
            draw_text(*painter, theme.mono(11), Token::TextMuted, room, words, Qt::AlignVCenter | Qt::AlignRight);
            room.setRight(room.right() - QFontMetrics(theme.mono(11)).horizontalAdvance(words) - 6);
        } else {
            const bool star = index.data(TagModel::StarRole).toBool();
            if (star || hovered)
                painter->drawPixmap(QPoint(room.right() - 15_px, middle - 7_px),
                                    theme.pixmap(star ? QStringLiteral("star-on") : QStringLiteral("star"),
                                                 star ? Token::Warn : Token::TextMuted, 14_px, ratio));
            room.setRight(room.right() - kStarRoom + 4);
        }
        static const char* const icons[] = {nullptr, "estimate", "eye", "file"};
        if (const char* icon = icons[index.data(TagModel::KindRole).toInt()]; icon != nullptr && !id.isEmpty()) {
            painter->drawPixmap(QPoint(room.left(), middle - 6_px),
                                theme.pixmap(QLatin1String(icon), Token::TextMuted, 14_px, ratio));
            room.setLeft(room.left() + 19_px);
        }
        const QFont font = theme.text(13, id.isEmpty() ? QFont::Medium : QFont::Normal);
        const QString words = widgets::elided_text(QFontMetrics(font), index.data(Qt::DisplayRole).toString(),
                                                   Qt::ElideMiddle, room.width());
        draw_text(*painter, font, id.isEmpty() ? Token::Text : Token::TextSecondary, room, words);
    }
};

}  // namespace

TagTree::TagTree(QWidget* parent) : QTreeView(parent), model_(new TagModel(this)) {
    setModel(model_);
    setItemDelegate(new TagPainter(this));
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(14);
    setMouseTracking(true);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setExpandsOnDoubleClick(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAccessibleName(tr("Tags"));
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (!setting_)
            open_.insert(index.data(TagModel::PathRole).toString());
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!setting_)
            open_.remove(index.data(TagModel::PathRole).toString());
    });
}

void TagTree::setTags(const std::vector<const TagEntry*>& entries, const QStringList& stars, bool sought) {
    const QString current = currentTag();
    setting_ = true;
    model_->setTags(entries, stars);
    if (sought && entries.size() <= kOpenedWhenSought)
        expandAll();
    else if (!open_.isEmpty()) {
        // Only what is open is walked: a branch of ten thousand tags costs nothing while it is shut.
        std::vector<QModelIndex> left{QModelIndex()};
        while (!left.empty()) {
            const QModelIndex at = left.back();
            left.pop_back();
            for (int row = 0; row < model_->rowCount(at); ++row) {
                const QModelIndex child = model_->index(row, 0, at);
                if (model_->rowCount(child) > 0 && open_.contains(child.data(TagModel::PathRole).toString())) {
                    setExpanded(child, true);
                    left.push_back(child);
                }
            }
        }
    }
    if (!current.isEmpty())
        if (const QModelIndex again = model_->indexOf(current); again.isValid())
            setCurrentIndex(again);
    setting_ = false;
}

QString TagTree::currentTag() const {
    return currentIndex().data(TagModel::IdRole).toString();
}

void TagTree::mouseReleaseEvent(QMouseEvent* event) {
    const QModelIndex at = indexAt(event->pos());
    const bool drags = state() == DraggingState;
    QTreeView::mouseReleaseEvent(event);
    if (!at.isValid() || event->button() != Qt::LeftButton || drags || at != currentIndex())
        return;
    const QString id = at.data(TagModel::IdRole).toString();
    if (!id.isEmpty() && event->pos().x() > visualRect(at).right() - kStarRoom)
        emit starRequested(id);
    else if (event->pos().x() >= visualRect(at).left())
        emit tagRequested(model_->firstTag(at));
}

void TagTree::keyPressEvent(QKeyEvent* event) {
    const QString id = currentTag();
    if (event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
            emit tagRequested(model_->firstTag(currentIndex()));
            return;
        }
        if (event->key() == Qt::Key_Space && !id.isEmpty()) {
            emit starRequested(id);
            return;
        }
        if (event->key() == Qt::Key_P && !id.isEmpty()) {
            emit pinRequested(id);
            return;
        }
        if (event->key() == Qt::Key_T) {
            event->ignore();  // the panel's
            return;
        }
    }
    QTreeView::keyPressEvent(event);
}

void TagTree::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex at = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    const QString id = at.data(TagModel::IdRole).toString();
    if (id.isEmpty())
        return;
    const QString path = at.data(TagModel::PathRole).toString();
    QMenu* menu = make_menu(this);
    menu->addAction(tr("Show"), this, [this, id] { emit tagRequested(id); });
    menu->addAction(at.data(TagModel::StarRole).toBool() ? tr("Remove the star") : tr("Add a star"), this,
                    [this, id] { emit starRequested(id); });
    menu->addAction(tr("Pin to the top"), this, [this, id] { emit pinRequested(id); });
    if (tag_kind(id) == TagKind::Scalar && !pins_.isEmpty()) {
        QMenu* over = menu->addMenu(tr("Overlay"));
        for (const PinnedCard& pin : std::as_const(pins_)) {
            QStringList names;
            for (const QString& tag : pin.tags)
                names << tag.mid(2);
            if (pin.panel && pin.panel->kind != report::PanelKind::lines)
                continue;
            if (pin.panel)
                names << qt(pin.panel->heading());
            over->addAction(names.join(QStringLiteral(" + ")), this,
                            [this, card = pin.id, id] { emit overlayRequested(card, id); });
        }
    }
    menu->addSeparator();
    menu->addAction(tr("Copy the name"), this, [path] { copy_text(path); });
    menu->popup(event->globalPos());
}

}  // namespace trainyard::desktop
