// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/expert_tree.h"

#include <algorithm>

#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>

#include "desktop/shell/ui.h"
#include "desktop/wizard/expert_model.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kNarrowTree = live_px(860);  ///< the last column is hidden below this width
const int& kTightTree = live_px(640);
}  // namespace

ExpertTree::ExpertTree(ExpertFilter* filter, QWidget* parent)
    : QTreeView(parent), filter_(filter), delegate_(new ExpertDelegate(filter, this)) {
    setModel(filter);
    setItemDelegate(delegate_);
    setIndentation(0);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setExpandsOnDoubleClick(false);
    setTabKeyNavigation(false);
    setMouseTracking(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Every key of recipe and settings"));
    setFont(Theme::instance().text(12));
    header()->setFont(Theme::instance().text(12, QFont::Medium));
    header()->setFixedHeight(32_px);
    header()->setSectionsMovable(false);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(60_px);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    verticalScrollBar()->setSingleStep(36);
    // The view collapses groups that reappear after a search.
    connect(filter, &QAbstractItemModel::rowsInserted, this, &ExpertTree::fold);
    fold();
}

QModelIndex ExpertTree::source(const QModelIndex& index) const {
    return filter_->mapToSource(index);
}

const ExpertRow* ExpertTree::rowAt(const QModelIndex& index) const {
    return filter_->model()->at(source(index));
}

bool ExpertTree::isGroup(const QModelIndex& index) const {
    return index.isValid() && filter_->model()->isGroup(source(index));
}

void ExpertTree::fold() {
    for (int g = 0; g < filter_->rowCount(); ++g) {
        const QModelIndex group = filter_->index(g, 0);
        const int number = source(group).row();
        const bool usual = filter_->model()->isUsual(number);
        const bool open = filter_->isNarrowed() || usual != turned_.contains(group.data().toString());
        setExpanded(group, open);
    }
}

void ExpertTree::toggleFold(const QModelIndex& group) {
    setExpanded(group, !isExpanded(group));
    if (filter_->isNarrowed())
        return;
    const QString title = group.data().toString();
    if (!turned_.remove(title))
        turned_.insert(title);
}

void ExpertTree::toggleTick(const QModelIndex& row) {
    const ExpertRow* key = rowAt(row);
    if (key == nullptr)
        return;
    if (!filter_->model()->setTicked(source(row), !key->set))
        editValue(row);
}

void ExpertTree::editValue(const QModelIndex& row) {
    const ExpertRow* key = rowAt(row);
    if (key == nullptr)
        return;
    const ExpertEditor kind = editor_of(*key);
    if (kind == ExpertEditor::truth) {
        filter_->model()->toggle(source(row));
        return;
    }
    if (kind == ExpertEditor::none)
        return;
    const QModelIndex value = row.siblingAtColumn(ExpertModel::ValueColumn);
    setCurrentIndex(value);
    edit(value);
    if (auto* box = qobject_cast<QComboBox*>(indexWidget(value)))
        box->showPopup();
    else if (auto* line = qobject_cast<QLineEdit*>(indexWidget(value)))
        line->selectAll();
}

QRect ExpertTree::meaningRect(const QModelIndex& row) const {
    QRect cell = visualRect(row.siblingAtColumn(ExpertModel::MeaningColumn));
    const ExpertRow* key = rowAt(row);
    if (key == nullptr || key->problem.isEmpty())
        return cell;
    cell.setLeft(columnViewportPosition(ExpertModel::DefaultColumn));
    cell.setRight(viewport()->width() - 1);
    return cell;
}

void ExpertTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    Theme& theme = Theme::instance();
    const QRect row = option.rect;
    const QModelIndex current = currentIndex();
    const bool is_current = current.isValid() && current.row() == index.row() && current.parent() == index.parent();
    const bool group = isGroup(index);
    painter->save();
    const bool under_mouse = row.contains(viewport()->mapFromGlobal(QCursor::pos())) && underMouse();
    if (is_current && hasFocus())
        painter->fillRect(row, theme.color(Token::BgSelected));
    else if (under_mouse)
        painter->fillRect(row, widgets::mixed(theme.color(Token::BgHover), theme.color(Token::BgPanel), 0.5));
    painter->setPen(QPen(theme.color(Token::Line), 1));
    painter->drawLine(row.left(), row.bottom(), row.right(), row.bottom());
    if (group) {
        const QModelIndex first = index.siblingAtColumn(0);
        const QString icon = isExpanded(first) ? QStringLiteral("down") : QStringLiteral("right");
        painter->drawPixmap(QRect(row.left() + 10_px, row.center().y() - 6_px, 14_px, 14_px),
                            theme.pixmap(icon, Token::TextSecondary, 14_px, devicePixelRatioF()));
        const QFont bold = theme.text(12, QFont::DemiBold);
        const QString title = first.data().toString();
        draw_text(*painter, bold, Token::Text, row.adjusted(30_px, 0, 0, 0), title);
        const int number = source(first).row();
        const int set = filter_->model()->setCount(number);
        QString facts = set > 0 ? tr("%1 set").arg(set) : tr("%Ln keys", nullptr, filter_->rowCount(first));
        draw_text(*painter, theme.text(12), Token::TextMuted,
                  row.adjusted(30_px + QFontMetrics(bold).horizontalAdvance(title) + 8_px, 0, -8_px, 0), facts);
    } else {
        QStyleOptionViewItem cell = option;
        const bool problem = !rowAt(index)->problem.isEmpty();
        for (int column = 0; column < filter_->columnCount(); ++column) {
            if (isColumnHidden(column))
                continue;
            cell.rect = QRect(columnViewportPosition(column), row.top(), columnWidth(column), row.height());
            if (problem && (column == ExpertModel::DefaultColumn || column == ExpertModel::ReadByColumn))
                continue;
            if (problem && column == ExpertModel::MeaningColumn)
                cell.rect = meaningRect(index);
            cell.widget = this;
            itemDelegate()->paint(painter, cell, index.siblingAtColumn(column));
        }
    }
    if (is_current && hasFocus())
        draw_ring(*painter, row.adjusted(0, 0, 0, -1), 4);
    painter->restore();
}

void ExpertTree::keyPressEvent(QKeyEvent* event) {
    // The Enter key that ends an edit also arrives here.
    if (state() == EditingState)
        return;
    const QModelIndex index = currentIndex().siblingAtColumn(0);
    if (!index.isValid()) {
        QTreeView::keyPressEvent(event);
        return;
    }
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    const int key = event->key();
    if (isGroup(index)) {
        const bool wanted = key == Qt::Key_Right;
        if (plain && (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter ||
                      ((key == Qt::Key_Left || key == Qt::Key_Right) && isExpanded(index) != wanted))) {
            toggleFold(index);
            return;
        }
        QTreeView::keyPressEvent(event);
        return;
    }
    if (event->modifiers() == Qt::ControlModifier && key == Qt::Key_Period) {
        filter_->model()->useFix(source(index));
        return;
    }
    if (!plain) {
        QTreeView::keyPressEvent(event);
        return;
    }
    switch (key) {
        case Qt::Key_Left:
            setCurrentIndex(index.parent());
            return;
        case Qt::Key_Space:
            toggleTick(index);
            return;
        case Qt::Key_Delete:
            filter_->model()->setTicked(source(index), false);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_F2:
            editValue(index);
            return;
        default:
            break;
    }
    const ExpertRow* row = rowAt(index);
    const bool typed = !event->text().isEmpty() && event->text().front().isPrint();
    if (typed && row != nullptr && editor_of(*row) == ExpertEditor::line) {
        editValue(index);
        if (QWidget* editor = indexWidget(index.siblingAtColumn(ExpertModel::ValueColumn)))
            QApplication::sendEvent(editor, event);
        return;
    }
    QTreeView::keyPressEvent(event);
}

void ExpertTree::pressValue(const QModelIndex& index, const QPoint& at) {
    const ExpertRow* row = rowAt(index);
    const QRect cell = visualRect(index);
    if (!delegate_->valueRect(cell, *row).contains(at))
        return;
    if (editor_of(*row) != ExpertEditor::segments) {
        editValue(index);
        return;
    }
    const QVector<QRect> segments = delegate_->segmentRects(cell, *row);
    for (int i = 0; i < segments.size(); ++i)
        if (segments[i].contains(at))
            filter_->model()->setTyped(source(index), options_of(*row)[i]);
}

void ExpertTree::mouseReleaseEvent(QMouseEvent* event) {
    QTreeView::mouseReleaseEvent(event);
    const QPoint at = event->position().toPoint();
    const QModelIndex index = indexAt(at);
    if (event->button() != Qt::LeftButton || !index.isValid())
        return;
    if (isGroup(index)) {
        toggleFold(index.siblingAtColumn(0));
        return;
    }
    const ExpertRow* row = rowAt(index);
    const QRect cell = visualRect(index);
    if (index.column() == ExpertModel::KeyColumn &&
        ExpertDelegate::tickRect(cell).adjusted(-6_px, -6_px, 6_px, 6_px).contains(at))
        toggleTick(index);
    else if (index.column() == ExpertModel::ValueColumn)
        pressValue(index, at);
    else if (row->has_fix && delegate_->fixRect(meaningRect(index), *row).contains(at))
        filter_->model()->useFix(source(index));
}

void ExpertTree::mouseDoubleClickEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->position().toPoint());
    if (index.column() == ExpertModel::KeyColumn && !isGroup(index) &&
        !ExpertDelegate::tickRect(visualRect(index))
             .adjusted(-6_px, -6_px, 6_px, 6_px)
             .contains(event->position().toPoint()))
        editValue(index.siblingAtColumn(0));
}

void ExpertTree::mouseMoveEvent(QMouseEvent* event) {
    QTreeView::mouseMoveEvent(event);
    viewport()->update();
}

void ExpertTree::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index =
        (event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos())).siblingAtColumn(0);
    const ExpertRow* row = rowAt(index);
    if (row == nullptr)
        return;
    const QPersistentModelIndex place = index;
    const QString path = row->path;
    const QString value = row->set ? row->value : row->standard;
    QMenu* menu = make_menu(this);
    QAction* change = menu->addAction(tr("Edit the value"), this, [this, place] { editValue(place); });
    change->setEnabled(editor_of(*row) != ExpertEditor::none);
    QAction* back = menu->addAction(tr("Remove it from the file"), this,
                                    [this, place] { filter_->model()->setTicked(source(place), false); });
    back->setEnabled(row->set);
    if (row->has_fix)
        menu->addAction(row->fix, this, [this, place] { filter_->model()->useFix(source(place)); });
    menu->addSeparator();
    menu->addAction(tr("Copy the key"), this, [path] { copy_text(path); });
    menu->addAction(tr("Copy key and value"), this, [path, value] { copy_text(path + QStringLiteral(": ") + value); });
    menu->popup(event->reason() == QContextMenuEvent::Keyboard ? viewport()->mapToGlobal(visualRect(index).bottomLeft())
                                                               : event->globalPos());
}

void ExpertTree::closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) {
    const QModelIndex edited = currentIndex();
    if (hint == QAbstractItemDelegate::RevertModelCache)
        if (const auto* line = qobject_cast<QLineEdit*>(editor); line != nullptr && line->isModified())
            filter_->model()->setTyped(source(edited), editor->property("start").toString());
    filter_->model()->endEdit();
    QTreeView::closeEditor(editor, QAbstractItemDelegate::NoHint);
    if (hint == QAbstractItemDelegate::EditNextItem || hint == QAbstractItemDelegate::EditPreviousItem) {
        const QModelIndex key = edited.siblingAtColumn(0);
        const QModelIndex next = hint == QAbstractItemDelegate::EditNextItem ? indexBelow(key) : indexAbove(key);
        if (next.isValid())
            setCurrentIndex(next);
    }
    setFocus();
    // Last: unpinning may filter out the edited row, and delete its editor.
    filter_->setPinned({});
}

void ExpertTree::focusInEvent(QFocusEvent* event) {
    QTreeView::focusInEvent(event);
    if (!currentIndex().isValid() && filter_->rowCount() > 0)
        setCurrentIndex(filter_->index(0, 0));
}

void ExpertTree::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    arrange();
}

void ExpertTree::arrange() {
    const int width = viewport()->width();
    const bool wide = width >= kNarrowTree;
    setColumnHidden(ExpertModel::ReadByColumn, !wide);
    // In a narrow view, the default column makes room for the meaning. Tool tips of keys also show the default.
    const bool tight = width < kTightTree;
    setColumnHidden(ExpertModel::DefaultColumn, tight);
    const int key = tight ? width * 36 / 100 : qBound(190_px, width * 29 / 100, 320_px);
    const int value = tight ? width * 30 / 100 : qBound(204_px, width * 26 / 100, 272_px);
    const int standard =
        tight ? 0
              : std::max(qBound(76_px, width * 8 / 100, 110_px), header()->sectionSizeHint(ExpertModel::DefaultColumn));
    const int read_by = wide ? std::max(84_px, header()->sectionSizeHint(ExpertModel::ReadByColumn)) : 0;
    setColumnWidth(ExpertModel::KeyColumn, key);
    setColumnWidth(ExpertModel::ValueColumn, value);
    if (!tight)
        setColumnWidth(ExpertModel::DefaultColumn, standard);
    setColumnWidth(ExpertModel::MeaningColumn, qMax(80_px, width - key - value - standard - read_by));
    if (wide)
        setColumnWidth(ExpertModel::ReadByColumn, read_by);
}

}  // namespace trainyard::desktop
