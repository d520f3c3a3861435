// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/accessibility_checks.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QFocusFrame>
#include <QHash>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QStyleOptionFrame>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "widgets/cell.h"
#include "widgets/pixels.h"
#include "widgets/theme.h"

namespace trainyard::test {

namespace {

QString called(const QWidget* widget) {
    QString words = QLatin1String(widget->metaObject()->className());
    words.remove(QStringLiteral("trainyard::"));
    QString text = widget->accessibleName();
    if (auto* label = qobject_cast<const QLabel*>(widget))
        text = label->text();
    else if (auto* button = qobject_cast<const QAbstractButton*>(widget))
        text = button->text();
    if (text.isEmpty())
        text = widget->toolTip();
    // A panel is known by its title.
    for (const QLabel* label : widget->findChildren<const QLabel*>(QString(), Qt::FindDirectChildrenOnly))
        if (text.isEmpty())
            text = label->text();
    for (const QWidget* at = widget->parentWidget(); text.isEmpty() && at != nullptr; at = at->parentWidget())
        if (!at->accessibleName().isEmpty())
            text = QStringLiteral("in ") + at->accessibleName();
    return QStringLiteral("%1 “%2”").arg(words, text.left(60));
}

QList<QWidget*> shown(const QWidget* window) {
    QList<QWidget*> found;
    for (QWidget* widget : window->findChildren<QWidget*>())
        if (widget->isVisibleTo(window) && widget->window() == window->window() && !widget->size().isEmpty())
            found << widget;
    return found;
}

bool toldBy(const QWidget* widget, const QString& text) {
    return !text.isEmpty() && widget->toolTip().contains(text);
}

/// Empty if the text fits.
QString lackOfRoom(const QLabel* label) {
    if (label->text().isEmpty() || toldBy(label, label->text()))
        return {};
    // An elided text without room for a single letter and the ellipsis.
    if (label->text() == QStringLiteral("…"))
        return QStringLiteral("nothing but dots are left");
    if (!label->toolTip().isEmpty() && label->text().contains(QStringLiteral("…")))
        return {};
    if (label->wordWrap()) {
        const int inside = label->contentsRect().width();
        const int widest = label->fontMetrics()
                               .boundingRect(QRect(0, 0, inside, QWIDGETSIZE_MAX), Qt::TextWordWrap, label->text())
                               .width();
        if (label->textFormat() == Qt::PlainText && widest > inside + 1)
            return QStringLiteral("a word is %1 px wide, there are %2").arg(widest).arg(inside);
        const int needed = label->heightForWidth(label->width());
        return needed > label->height() + 1 ? QStringLiteral("%1 px high, needs %2").arg(label->height()).arg(needed)
                                            : QString();
    }
    const QSize needed = label->minimumSizeHint();
    if (needed.width() > label->width())
        return QStringLiteral("%1 px wide, needs %2").arg(label->width()).arg(needed.width());
    const QFontMetrics metrics = label->fontMetrics();
    if (metrics.tightBoundingRect(label->text().section(QLatin1Char('\n'), 0, 0)).height() > label->height())
        return QStringLiteral("%1 px high").arg(label->height());
    return {};
}

QString lackOfRoom(const QAbstractButton* button) {
    // Widgets that paint themselves elide, and have their own size hints.
    const bool plain = qobject_cast<const QPushButton*>(button) != nullptr ||
                       button->metaObject()->className() == QByteArray("QCheckBox") ||
                       button->metaObject()->className() == QByteArray("QRadioButton") ||
                       button->metaObject()->className() == QByteArray("QToolButton");
    const bool elides = button->property("elides").toBool();  // the tool tip has the whole text then
    if (button->text().isEmpty() || !plain || elides || toldBy(button, button->text()))
        return {};
    const QSize needed = button->sizeHint().boundedTo(button->minimumSizeHint());
    return needed.width() > button->width()
               ? QStringLiteral("%1 px wide, needs %2").arg(button->width()).arg(needed.width())
               : QString();
}

QString lackOfRoom(const QLineEdit* field) {
    if (!field->text().isEmpty() || field->placeholderText().isEmpty() || toldBy(field, field->placeholderText()))
        return {};
    QStyleOptionFrame option;
    option.initFrom(field);
    option.lineWidth = field->hasFrame() ? 1 : 0;
    const QMargins margins = field->textMargins();
    const int room = field->style()->subElementRect(QStyle::SE_LineEditContents, &option, field).width();
    const int inside = room - margins.left() - margins.right() - 4;
    const int needed = field->fontMetrics().horizontalAdvance(field->placeholderText());
    return needed > inside
               ? QStringLiteral("“%1” needs %2 px, there are %3").arg(field->placeholderText()).arg(needed).arg(inside)
               : QString();
}

QString lackOfRoom(const QComboBox* box) {
    if (toldBy(box, box->currentText()))
        return {};
    QStyleOptionComboBox option;
    option.initFrom(box);
    option.editable = box->isEditable();
    const int room =
        box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
    const int needed = box->fontMetrics().horizontalAdvance(box->currentText());
    return needed > room
               ? QStringLiteral("“%1” needs %2 px, there are %3").arg(box->currentText()).arg(needed).arg(room)
               : QString();
}

QString lackOfRoom(const QHeaderView* header) {
    if (header->orientation() != Qt::Horizontal || header->model() == nullptr)
        return {};
    QStringList narrow;
    for (int i = 0; i < header->count(); ++i) {
        const QString text = header->model()->headerData(i, Qt::Horizontal).toString();
        if (header->isSectionHidden(i) || text.isEmpty() || text.startsWith(QChar(0x2026)) ||
            header->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().contains(text))
            continue;
        if (header->fontMetrics().horizontalAdvance(text) > header->sectionSize(i))
            narrow << text;
    }
    return narrow.isEmpty() ? QString() : QStringLiteral("too narrow for ") + narrow.join(QStringLiteral(", "));
}

/// Names and words are elided, figures must not be: 9… may be 900 or 9,000.
QString lackOfRoom(const QTableView* table) {
    constexpr int kRows = 20;
    QStringList cut;
    for (int column = 0; table->model() != nullptr && column < table->model()->columnCount(); ++column)
        for (int row = 0; row < std::min(kRows, table->model()->rowCount()); ++row) {
            const QModelIndex index = table->model()->index(row, column);
            const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
            if (table->isColumnHidden(column) || table->columnSpan(row, column) > 1 || !cell.mono ||
                cell.text.isEmpty() || !cell.text.front().isDigit())
                continue;
            QStyleOptionViewItem option;
            option.initFrom(table);
            if (table->itemDelegateForIndex(index)->sizeHint(option, index).width() > table->columnWidth(column))
                cut << cell.text;
        }
    return cut.isEmpty() ? QString() : QStringLiteral("figures are cut: ") + cut.join(QStringLiteral(", "));
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

/// Whether the child is inside a scroll area.
bool scrolls(const QWidget* parent) {
    auto* area = qobject_cast<const QAbstractScrollArea*>(parent->parentWidget());
    return area != nullptr && area->viewport() == parent;
}

bool isInner(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return qobject_cast<const QComboBox*>(parent) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(parent) != nullptr ||
           qobject_cast<const QLineEdit*>(parent) != nullptr;
}

bool takesTab(const QWidget* widget, const QWidget* window) {
    return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled() && widget->isVisibleTo(window) &&
           widget->focusProxy() == nullptr && !widget->size().isEmpty();
}

/// The widget's ancestors, and finally itself.
QList<const QWidget*> lineage(const QWidget* widget) {
    QList<const QWidget*> line;
    for (; widget != nullptr; widget = widget->parentWidget())
        line.prepend(widget);
    return line;
}

/// Whether the pixel has that colour, approximately.
bool is_near(QRgb pixel, const QColor& color) {
    return std::abs(qRed(pixel) - color.red()) + std::abs(qGreen(pixel) - color.green()) +
               std::abs(qBlue(pixel) - color.blue()) <
           24;
}

/// The number of pixels that have that colour.
int accents(const QImage& image, const QColor& color) {
    const QImage plain = image.convertToFormat(QImage::Format_RGB32);
    int count = 0;
    for (int y = 0; y < plain.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(plain.constScanLine(y));
        for (int x = 0; x < plain.width(); ++x)
            count += is_near(line[x], color) ? 1 : 0;
    }
    return count;
}

}  // namespace

QStringList clipped_texts(const QWidget* window) {
    // A text that has just changed gets its size in the next iteration of the event loop.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        QString lack;
        if (auto* label = qobject_cast<const QLabel*>(widget))
            lack = lackOfRoom(label);
        else if (auto* button = qobject_cast<const QAbstractButton*>(widget))
            lack = lackOfRoom(button);
        else if (auto* field = qobject_cast<const QLineEdit*>(widget))
            lack = lackOfRoom(field);
        else if (auto* box = qobject_cast<const QComboBox*>(widget))
            lack = lackOfRoom(box);
        else if (auto* header = qobject_cast<const QHeaderView*>(widget))
            lack = lackOfRoom(header);
        else if (auto* table = qobject_cast<const QTableView*>(widget))
            lack = lackOfRoom(table);
        if (!lack.isEmpty())
            faults << called(widget) + QStringLiteral(": ") + lack;
        const QWidget* parent = widget->parentWidget();
        const bool matters = isControl(widget) || qobject_cast<const QLabel*>(widget) != nullptr;
        if (matters && parent != nullptr && !scrolls(parent) && !isInner(widget) &&
            !parent->rect().contains(widget->geometry()))
            faults << called(widget) + QStringLiteral(": stands partly outside of ") + called(parent);
    }
    return faults;
}

namespace {

int needed_height(const QWidget* widget) {
    const QLayout* layout = widget->layout();
    return layout == nullptr             ? widget->minimumSizeHint().height()
           : layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(widget->width())
                                         : layout->totalMinimumSize().height();
}

/// Height that stacks in the widget need for hidden pages, beyond that of the visible page.
int asked_for_hidden_pages(const QWidget* widget) {
    QList<const QStackedWidget*> stacks;
    for (const QStackedWidget* stack : widget->findChildren<const QStackedWidget*>())
        stacks << stack;
    if (auto* itself = qobject_cast<const QStackedWidget*>(widget))
        stacks << itself;
    int asked = 0;
    for (const QStackedWidget* stack : stacks)
        if (stack->isVisible() && stack->currentWidget() != nullptr)
            asked += std::max(0, needed_height(stack) - needed_height(stack->currentWidget()));
    return asked;
}

}  // namespace

QStringList squeezed_panels(const QWidget* window) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        QLayout* layout = widget->layout();
        // A size that was set counts as meant. The window's own is the smallest that it may have. A scroll bar that is
        // shorter than the style wants still scrolls.
        if (layout == nullptr || widget->objectName().startsWith(QLatin1String("qt_scrollarea_")) ||
            widget->isWindow() || widget->minimumHeight() > 0)
            continue;
        const int needed = needed_height(widget) - asked_for_hidden_pages(widget);
        if (needed > widget->height())
            faults << called(widget) + QStringLiteral(": %1 px high, needs %2").arg(widget->height()).arg(needed);
    }
    // Qt takes one line for the smallest height of a text that wraps.
    if (window->layout() != nullptr && window->layout()->hasHeightForWidth() &&
        needed_height(window) > window->height())
        faults << QStringLiteral("the window is %1 px high, needs %2").arg(window->height()).arg(needed_height(window));
    return faults;
}

QStringList needlessly_cut_columns(const QWidget* window) {
    constexpr int kRows = 30;
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        const auto* table = qobject_cast<const QTableView*>(widget);
        const auto* tree = qobject_cast<const QTreeView*>(widget);
        const QHeaderView* header = table != nullptr  ? table->horizontalHeader()
                                    : tree != nullptr ? tree->header()
                                                      : nullptr;
        const auto* view = qobject_cast<const QAbstractItemView*>(widget);
        if (header == nullptr || view->model() == nullptr)
            continue;
        QList<QModelIndex> rows;
        for (QModelIndex row = view->model()->index(0, 0, view->rootIndex()); row.isValid() && rows.size() < kRows;
             row = tree != nullptr ? tree->indexBelow(row) : row.siblingAtRow(row.row() + 1))
            rows << row;
        int together = 0;
        QStringList cut;
        for (int column = 0; column < header->count(); ++column) {
            if (header->isSectionHidden(column))
                continue;
            // Columns of pictures have no width of their own.
            int needed = 0;
            for (const QModelIndex& row : std::as_const(rows)) {
                const QModelIndex index = row.siblingAtColumn(column);
                if (index.data().toString().isEmpty() ||
                    (table != nullptr && table->columnSpan(index.row(), column) > 1))
                    continue;
                const int before =
                    tree == nullptr ? 0 : tree->visualRect(index).left() - header->sectionViewportPosition(column);
                needed = std::max(needed, view->sizeHintForIndex(index).width() + std::max(0, before));
            }
            if (needed > header->sectionSize(column))
                cut << view->model()->headerData(column, Qt::Horizontal).toString();
            together += needed == 0 ? header->sectionSize(column)
                                    : std::max(needed, header->isHidden() ? 0 : header->sectionSizeHint(column));
        }
        if (!cut.isEmpty() && together <= view->viewport()->width())
            faults << called(view) + QStringLiteral(": words are cut in %1, all columns need %2 of %3 px")
                                         .arg(cut.join(QStringLiteral(", ")))
                                         .arg(together)
                                         .arg(view->viewport()->width());
    }
    return faults;
}

QStringList controls_at_edges(const QWidget* window) {
    constexpr int kLeast = 4;  // pixels
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        const QString kind = widget->property("kind").toString();
        if (!isControl(widget) || isInner(widget) || kind == QLatin1String("link") || kind == QLatin1String("ghost"))
            continue;
        for (const QWidget* around = widget->parentWidget(); around != nullptr && around != window;
             around = around->parentWidget()) {
            if (scrolls(around))
                break;
            if (around->property("surface") != QLatin1String("panel"))
                continue;
            const QRect place(widget->mapTo(around, QPoint()), widget->size());
            if (place.left() < kLeast || around->width() - 1 - place.right() < kLeast)
                faults << called(widget) + QStringLiteral(" touches the edge of ") + called(around);
            break;
        }
    }
    return faults;
}

QStringList stretched_icons(const QWidget* window) {
    QStringList faults;
    for (const QWidget* widget : shown(window))
        if (const auto* button = qobject_cast<const QPushButton*>(widget);
            button != nullptr && button->text().isEmpty() && !button->icon().isNull() &&
            2 * button->width() > 3 * std::max(button->sizeHint().width(), button->height()))
            faults << called(widget) + QStringLiteral(" has %1 pixels").arg(button->width());
    return faults;
}

QStringList wide_parts(const QWidget* page, int width) {
    QStringList parts;
    for (const QWidget* widget : page->findChildren<const QWidget*>())
        if (const int needed = std::max(widget->minimumWidth(), widget->minimumSizeHint().width()); needed > width)
            parts << called(widget) + QStringLiteral(" needs %1").arg(needed);
    return parts;
}

QStringList overlapping_texts(const QWidget* window) {
    QStringList faults;
    QHash<const QWidget*, QList<const QWidget*>> children;
    for (const QWidget* widget : shown(window))
        if ((isControl(widget) || qobject_cast<const QLabel*>(widget) != nullptr) && !isInner(widget))
            children[widget->parentWidget()] << widget;
    for (const QList<const QWidget*>& siblings : children)
        for (qsizetype i = 0; i < siblings.size(); ++i)
            for (qsizetype k = i + 1; k < siblings.size(); ++k)
                if (siblings[i]->geometry().intersects(siblings[k]->geometry()))
                    faults << called(siblings[i]) + QStringLiteral(" lies over ") + called(siblings[k]);
    return faults;
}

namespace {

bool has_text(const QWidget* widget) {
    return isControl(widget) || qobject_cast<const QLabel*>(widget) != nullptr;
}

bool places(const QLayout* layout, const QWidget* widget) {
    for (int i = 0; layout != nullptr && i < layout->count(); ++i)
        if (QLayoutItem* item = layout->itemAt(i); item->widget() == widget || places(item->layout(), widget))
            return true;
    return false;
}

/// Whether a layout or a splitter gives the widget its place.
bool is_placed(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return parent != nullptr && (qobject_cast<const QSplitter*>(parent) != nullptr || places(parent->layout(), widget));
}

/// The part of the widget that its ancestors show, in coordinates of the window.
QRect visible_part(const QWidget* widget, const QWidget* window) {
    QRect part(widget->mapTo(window, QPoint()), widget->size());
    for (const QWidget* at = widget->parentWidget(); at != nullptr && at != window; at = at->parentWidget())
        part &= QRect(at->mapTo(window, QPoint()), at->size());
    return part & window->rect();
}

}  // namespace

QStringList covered_texts(const QWidget* window) {
    QStringList faults;
    QList<std::pair<const QWidget*, QRect>> texts;
    for (const QWidget* widget : shown(window))
        if (has_text(widget) && !isInner(widget))
            if (const QRect part = visible_part(widget, window); !part.isEmpty())
                texts << std::pair(widget, part);
    for (qsizetype i = 0; i < texts.size(); ++i)
        for (qsizetype k = i + 1; k < texts.size(); ++k) {
            if (!texts[i].second.intersects(texts[k].second) ||
                texts[i].first->parentWidget() == texts[k].first->parentWidget())
                continue;
            const auto a = lineage(texts[i].first), b = lineage(texts[k].first);
            qsizetype fork = 0;
            while (fork < a.size() && fork < b.size() && a[fork] == b[fork])
                ++fork;
            if (fork < a.size() && fork < b.size() && is_placed(a[fork]) && is_placed(b[fork]))
                faults << called(texts[i].first) + QStringLiteral(" lies over ") + called(texts[k].first);
        }
    return faults;
}

QStringList unreachable_texts(const QWidget* window) {
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        if (!has_text(widget) || isInner(widget))
            continue;
        for (const QWidget* around = widget->parentWidget(); around != nullptr; around = around->parentWidget()) {
            if (scrolls(around))
                break;
            if (!around->rect().contains(QRect(widget->mapTo(around, QPoint()), widget->size()))) {
                faults << called(widget) + QStringLiteral(": stands partly outside of ") + called(around);
                break;
            }
            if (around == window)
                break;
        }
    }
    return faults;
}

namespace {

/// The first and the last column of the image that are not of the colour of its corner; {-1, -1}: none.
std::pair<int, int> painted_columns(const QImage& image) {
    const QImage plain = image.convertToFormat(QImage::Format_RGB32);
    const QColor ground = QColor::fromRgb(plain.pixel(0, 0));
    int first = -1, last = -1;
    for (int x = 0; x < plain.width(); ++x)
        for (int y = 0; y < plain.height(); ++y)
            if (!is_near(plain.pixel(x, y), ground)) {
                first = first < 0 ? x : first;
                last = x;
            }
    return {first, last};
}

}  // namespace

QStringList misaligned_titles(QWidget* window) {
    constexpr int kRows = 12, kNear = 3;  // letters have room of their own
    QStringList faults;
    if (QGuiApplication::isRightToLeft())
        return faults;
    for (QWidget* widget : shown(window)) {
        auto* table = qobject_cast<QTableView*>(widget);
        if (table == nullptr || table->model() == nullptr || !table->horizontalHeader()->isVisible())
            continue;
        QHeaderView* header = table->horizontalHeader();
        const QImage titles = header->viewport()->grab().toImage();
        const QImage cells = table->viewport()->grab().toImage();
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
            const int left = header->sectionViewportPosition(column), width = header->sectionSize(column);
            if (header->isSectionHidden(column) || title.isEmpty() || left < 0 || left + width > titles.width())
                continue;
            const QVariant given = table->model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
            const auto alignment = given.isValid() ? Qt::Alignment(given.toInt()) : header->defaultAlignment();
            if (alignment & Qt::AlignHCenter)
                continue;
            const bool at_right = alignment & Qt::AlignRight;
            const auto [title_first, title_last] =
                painted_columns(titles.copy(left + 1, 2, width - 2, titles.height() - 5));
            if (title_first < 0)
                continue;
            int nearest = -1;
            for (int row = 0; row < std::min(kRows, table->model()->rowCount()); ++row) {
                const QModelIndex index = table->model()->index(row, column);
                const QRect place = table->visualRect(index).adjusted(1, 2, -1, -2);
                // The row with the focus and selected ones have other colours at their edges.
                if (!cells.rect().contains(place) || place.isEmpty() || table->columnSpan(row, column) > 1 ||
                    row == table->currentIndex().row() || table->selectionModel()->isSelected(index))
                    continue;
                const auto [first, last] = painted_columns(cells.copy(place));
                if (first >= 0)
                    nearest = nearest < 0 ? (at_right ? last : first)
                              : at_right  ? std::max(nearest, last)
                                          : std::min(nearest, first);
            }
            const int of_title = at_right ? title_last : title_first;
            if (nearest >= 0 && std::abs(of_title - nearest) > kNear)
                faults << QStringLiteral("%1: “%2” is at %3 px, its cells are at %4 (%5)")
                              .arg(called(table), title)
                              .arg(of_title)
                              .arg(nearest)
                              .arg(at_right ? QStringLiteral("right") : QStringLiteral("left"));
        }
    }
    return faults;
}

QStringList blank_ends(const QWidget* window) {
    constexpr int kMargin = 80;  // pixels, of the page and its last panel
    QStringList faults;
    for (const QWidget* widget : shown(window)) {
        const auto* area = qobject_cast<const QScrollArea*>(widget);
        if (area == nullptr || area->widget() == nullptr || area->widget()->layout() == nullptr ||
            area->verticalScrollBar()->maximum() == 0)
            continue;
        const QWidget* content = area->widget();
        int bottom = 0;
        for (const QWidget* part : content->findChildren<const QWidget*>())
            if (part->isVisibleTo(content) &&
                (part->findChild<QWidget*>() == nullptr || part->property("surface").isValid()))
                bottom = std::max(bottom, part->mapTo(content, QPoint(0, part->height())).y());
        if (const int blank = content->height() - bottom; blank > kMargin)
            faults << called(area) + QStringLiteral(": %1 px at the end are blank, and %2 px scroll")
                                         .arg(blank)
                                         .arg(area->verticalScrollBar()->maximum());
    }
    return faults;
}

QStringList shifted_links(const QWidget* window) {
    constexpr int kNear = 2, kFar = 8;  // pixels: letters have room of their own; farther is another column
    QStringList faults;
    if (QGuiApplication::isRightToLeft())
        return faults;
    const auto words_at = [window](QWidget* widget) {
        return widget->mapTo(window, QPoint()).x() + painted_columns(widget->grab().toImage()).first;
    };
    for (QWidget* widget : shown(window)) {
        const auto* link = qobject_cast<const QPushButton*>(widget);
        if (link == nullptr || link->property("kind") != QLatin1String("link") || link->text().isEmpty())
            continue;
        for (QLabel* label : link->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
            const bool same_line = label->y() < link->geometry().bottom() && label->geometry().bottom() > link->y();
            if (same_line || !label->isVisibleTo(window) || label->text().isEmpty() || label->size().isEmpty())
                continue;
            if (const int beside = std::abs(words_at(widget) - words_at(label)); beside > kNear && beside <= kFar)
                faults << called(link) + QStringLiteral(" starts %1 px beside ").arg(beside) + called(label);
        }
    }
    return faults;
}

QStringList blank_gaps(const QWidget* dialog) {
    constexpr int kMost = 60;  // pixels at the usual text size
    QList<std::pair<int, int>> parts;
    for (const QWidget* part : shown(dialog))
        if (part->findChild<QWidget*>() == nullptr || part->property("surface").isValid()) {
            const int top = part->mapTo(dialog, QPoint()).y();
            parts << std::pair(top, top + part->height());
        }
    std::ranges::sort(parts);
    QStringList gaps;
    int bottom = parts.isEmpty() ? 0 : parts.front().first;
    for (const auto& [top, end] : std::as_const(parts)) {
        if (top - bottom > TextSize::instance().scaled(kMost))
            gaps << QStringLiteral("%1 px below %2").arg(top - bottom).arg(bottom);
        bottom = std::max(bottom, end);
    }
    return gaps.size() > 1 ? QStringList{QStringLiteral("blank: ") + gaps.join(QStringLiteral(", "))} : QStringList();
}

QStringList nameless_controls(const QWidget* window) {
    QStringList faults;
    for (QWidget* widget : shown(window)) {
        const bool asks =
            isControl(widget) || (widget->focusPolicy() & Qt::TabFocus) != 0 ||
            qobject_cast<QAbstractItemView*>(widget) != nullptr ||
            (qobject_cast<QAbstractSlider*>(widget) != nullptr && qobject_cast<QScrollBar*>(widget) == nullptr);
        const bool is_corner = widget->inherits("QTableCornerButton") && !widget->isEnabled();
        if (!asks || isInner(widget) || is_corner || qobject_cast<QHeaderView*>(widget) != nullptr)
            continue;
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget);
        if (spoken == nullptr || spoken->text(QAccessible::Name).trimmed().isEmpty())
            faults << called(widget) + QStringLiteral(" has no accessible name");
    }
    return faults;
}

namespace {

/// Whether the scroll areas around the widget show it whole, or as much as they have room for. Cards of a grid, which are
/// reused while it scrolls, are not checked: it does not follow the focus.
bool is_scrolled_to(const QWidget* widget) {
    for (const QWidget* at = widget->parentWidget(); at != nullptr && !at->isWindow(); at = at->parentWidget()) {
        if (!scrolls(at))
            continue;
        if (qobject_cast<const QScrollArea*>(at->parentWidget()) == nullptr)
            return true;
        const QRect place(widget->mapTo(at, QPoint()), widget->size());
        if (place.height() <= at->height() ? place.top() < 0 || place.bottom() >= at->height()
                                           : !place.intersects(at->rect()))
            return false;
    }
    return true;
}

/// The widgets that the key gives the focus, until one has it again.
QList<QWidget*> walk(QWidget* from, Qt::Key key, QStringList& faults) {
    const Qt::KeyboardModifiers modifiers = key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier;
    QList<QWidget*> chain;
    QTest::keyClick(from, key, modifiers);
    while (QWidget* focus = QApplication::focusWidget()) {
        if (chain.size() > 1 && focus == chain.last())
            faults << called(focus) + QStringLiteral(" does not let Tab out");
        if (chain.contains(focus))
            break;
        if (!is_scrolled_to(focus))
            faults << called(focus) + QStringLiteral(" has the focus but is not on the screen");
        chain << focus;
        QTest::keyClick(focus, key, modifiers);
    }
    return chain;
}

}  // namespace

QStringList jumping_focus(QWidget* window) {
    QStringList faults;
    if (QWidget* focus = QApplication::focusWidget())
        focus->clearFocus();
    const auto stops = [window] {
        QList<const QWidget*> found;
        for (const QWidget* widget : shown(window))
            if (takesTab(widget, window) && !isInner(widget))
                found << widget;
        return found;
    };
    // A table selects its first row when it gets the focus, which enables buttons; lists make widgets as they scroll.
    const QList<const QWidget*> before = stops();
    QList<QWidget*> chain = walk(window, Qt::Key_Tab, faults);
    if (chain.isEmpty() && !before.isEmpty())
        faults << QStringLiteral("Tab gives nothing the focus");
    if (!chain.isEmpty() && QApplication::focusWidget() != chain.first() && faults.isEmpty())
        faults << QStringLiteral("Tab never comes back to ") + called(chain.first());
    if (const QList<const QWidget*> now = stops(); !chain.isEmpty() && faults.isEmpty() && now == before) {
        for (const QWidget* widget : now)
            if (!chain.contains(widget))
                faults << QStringLiteral("Tab does not reach ") + called(widget);
        QList<QWidget*> back = walk(chain.first(), Qt::Key_Backtab, faults);
        std::ranges::reverse(back);
        if (back != chain && faults.isEmpty() && stops() == before)
            faults << QStringLiteral("Shift+Tab does not go the way of Tab back, after ") + called(chain.first());
    }
    for (qsizetype i = 0; i + 1 < chain.size(); ++i) {
        const auto from = lineage(chain[i]);
        const auto to = lineage(chain[i + 1]);
        qsizetype fork = 0;
        while (fork < from.size() && fork < to.size() && from[fork] == to[fork])
            ++fork;
        if (fork >= from.size() || fork >= to.size())
            continue;  // one contains the other
        const QRect a = from[fork]->geometry();
        const QRect b = to[fork]->geometry();
        const int shared = std::min(a.bottom(), b.bottom()) - std::max(a.top(), b.top()) + 1;
        const bool sameRow = 2 * shared > std::min(a.height(), b.height());
        const bool mirrored = QApplication::isRightToLeft();
        const bool back = mirrored ? b.left() >= a.right() : b.right() <= a.left();
        const bool under = mirrored ? b.right() >= a.left() : b.left() <= a.right();
        if (sameRow ? back : b.bottom() <= a.top() && under)
            faults << QStringLiteral("Tab goes from %1 back to %2").arg(called(chain[i]), called(chain[i + 1]));
    }
    return faults;
}

QStringList unseen_focus(QWidget* page) {
    QStringList faults;
    QWidget* before = QApplication::focusWidget();
    const QColor accent = widgets::Theme::instance().color(widgets::Token::Accent);
    const QColor text = widgets::Theme::instance().color(widgets::Token::Text);
    // A focus ring may be a separate widget on top of the focused one, or around it.
    constexpr int kAround = 6;  // pixels
    QWidget* window = page->window();
    const auto picture = [window](QWidget* widget) {
        const QRect place(widget->mapTo(window, QPoint()), widget->size());
        if (!visible_part(widget, window).contains(place.center()))  // a card of a grid
            return widget->grab().toImage();
        return window->grab(place.adjusted(-kAround, -kAround, kAround, kAround) & window->rect()).toImage();
    };
    QList<QPointer<QWidget>> all;
    for (QWidget* widget : shown(page))
        all << widget;
    QList<std::pair<QPointer<QScrollBar>, int>> scrolled;
    for (QScrollBar* bar : page->findChildren<QScrollBar*>())
        scrolled << std::pair(bar, bar->value());
    if (QApplication::activeWindow() != window)
        faults << QStringLiteral("the window is not active, but ") + (QApplication::activeWindow() == nullptr
                                                                          ? QStringLiteral("none")
                                                                          : called(QApplication::activeWindow()));
    for (const QPointer<QWidget>& widget : all) {
        if (widget == nullptr || !takesTab(widget, page->window()) || isInner(widget))
            continue;
        if (QWidget* focus = QApplication::focusWidget())
            focus->clearFocus();
        for (QWidget* at = widget->parentWidget(); at != nullptr; at = at->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(at))
                area->ensureWidgetVisible(widget);
        const QImage plain = picture(widget);
        widget->setFocus(Qt::TabFocusReason);
        const QImage ringed = picture(widget);
        // A ring is at least 2 px wide on at least two sides; animations do not have its colour.
        const int side = std::min(widget->width(), widget->height());
        const bool seen = accents(ringed, accent) - accents(plain, accent) >= side ||
                          accents(ringed, text) - accents(plain, text) >= side;
        if (!seen)
            faults << called(widget) + QStringLiteral(" looks the same with the keyboard in it");
        for (const QFocusFrame* frame : window->findChildren<const QFocusFrame*>())
            if (frame->widget() == widget && frame->visibleRegion().boundingRect() != frame->rect())
                faults << QStringLiteral("the ring around %1 is cut").arg(called(widget));
    }
    for (const auto& [bar, value] : std::as_const(scrolled))
        if (bar != nullptr)
            bar->setValue(value);
    if (before != nullptr)
        before->setFocus();
    return faults;
}

}  // namespace trainyard::test
