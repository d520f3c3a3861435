// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_text.h"

#include <algorithm>
#include <optional>
#include <typeinfo>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyleOption>
#include <QToolTip>
#include <QWhatsThis>

#include "base/printable.h"

namespace trainyard::widgets {

namespace {

constexpr int kLongestLine = 1000;  // characters: wider than a screen
constexpr int kLongestTip = 2000;   // characters: laying out a megabyte would hold the window

/// True for every character that text::printable_lines() escapes, and for a few others.
bool may_be_hidden(QChar character) {
    const char16_t c = character.unicode();
    if (c < 0x20)
        return c != u'\n' && c != u'\t';
    return (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200B || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c >= 0xFFF9 ||
           QChar::isSurrogate(c);
}

class PlainText : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        switch (event->type()) {
            case QEvent::Polish:
                // Labels are polished before their text is laid out for the first time; Qt's tool tip is a label, too.
                if (auto* label = qobject_cast<QLabel*>(watched);
                    label != nullptr && label->textFormat() == Qt::AutoText)
                    label->setTextFormat(Qt::PlainText);
                else if (auto* view = qobject_cast<QAbstractItemView*>(watched))
                    setPlainDelegate(view);
                return false;
            case QEvent::Paint:
                if (auto* label = qobject_cast<QLabel*>(watched);
                    label != nullptr && label->textFormat() == Qt::PlainText)
                    showVisible(label);
                else if (auto* button = qobject_cast<QAbstractButton*>(watched))
                    showVisible(button);
                else if (auto* choice = qobject_cast<QComboBox*>(watched); choice != nullptr && !choice->isEditable())
                    showVisibleItems(choice);
                return false;
            case QEvent::Show:
                if (auto* menu = qobject_cast<QMenu*>(watched))
                    for (QAction* action : menu->actions())
                        showVisible(action);
                return false;
            case QEvent::ToolTip:
                if (auto* widget = qobject_cast<QWidget*>(watched))
                    return showTip(widget, static_cast<const QHelpEvent*>(event));
                return false;
            case QEvent::WhatsThis:
                if (auto* widget = qobject_cast<QWidget*>(watched))
                    return showHelp(widget, static_cast<const QHelpEvent*>(event));
                return false;
            default:
                return false;
        }
    }

  private:
    template <typename Shown>
    static void showVisible(Shown* shown) {
        if (const QString text = shown->text(), visible = visible_text(text); visible != text)
            shown->setText(visible);
    }
    /// The list that opens paints the same texts.
    static void showVisibleItems(QComboBox* choice) {
        for (int i = 0; i < choice->count(); ++i)
            if (const QString text = choice->itemText(i), visible = visible_text(text); visible != text)
                choice->setItemText(i, visible);
    }
    static void setPlainDelegate(QAbstractItemView* view) {
        // Not by the meta object: delegates that need no Q_OBJECT have that of Qt's own.
        const QAbstractItemDelegate* delegate = view->itemDelegate();
        if (delegate != nullptr && typeid(*delegate) == typeid(QStyledItemDelegate))
            view->setItemDelegate(new PlainDelegate(view));
    }
    /// Returns the text of the item at this place, or that of the widget.
    static QString textAt(QWidget* widget, const QPoint& place, Qt::ItemDataRole role) {
        auto* view = qobject_cast<QAbstractItemView*>(widget->parentWidget());
        if (view != nullptr && view->viewport() == widget)
            return view->indexAt(place).data(role).toString();
        if (role == Qt::WhatsThisRole)
            return widget->whatsThis();
        const auto* button = qobject_cast<QPushButton*>(widget);
        if (button == nullptr || button->text().isEmpty() || button->width() >= button->sizeHint().width())
            return widget->toolTip();
        return widget->toolTip().isEmpty() ? button->text() : button->text() + QLatin1Char('\n') + widget->toolTip();
    }
    static bool showTip(QWidget* widget, const QHelpEvent* event) {
        const QString tip = textAt(widget, event->pos(), Qt::ToolTipRole);
        QString shown = visible_text(tip.left(kLongestTip));
        if (tip.size() > kLongestTip)
            shown += QChar(0x2026);
        if (shown == (qobject_cast<QPushButton*>(widget) != nullptr ? widget->toolTip() : tip))
            return false;
        QToolTip::showText(event->globalPos(), shown, widget);
        return true;
    }
    static bool showHelp(QWidget* widget, const QHelpEvent* event) {
        const QString help = textAt(widget, event->pos(), Qt::WhatsThisRole);
        if (help.isEmpty())
            return false;
        QWhatsThis::showText(event->globalPos(), Qt::convertFromPlainText(visible_text(help)), widget);
        return true;
    }
};

}  // namespace

QString visible_text(const QString& text) {
    if (std::ranges::none_of(text, may_be_hidden))
        return text;
    return QString::fromStdString(text::printable_lines(text.toStdString()));
}

QString bounded_line(const QString& text, Qt::TextElideMode mode) {
    if (text.size() <= kLongestLine)
        return text;
    const QChar cut(0x2026);
    switch (mode) {
        case Qt::ElideLeft:
            return cut + text.right(kLongestLine);
        case Qt::ElideMiddle:
            return text.left(kLongestLine / 2) + cut + text.right(kLongestLine / 2);
        default:
            return text.left(kLongestLine) + cut;
    }
}

QString elided_text(const QFontMetrics& metrics, const QString& text, Qt::TextElideMode mode, int width) {
    return metrics.elidedText(visible_text(bounded_line(text, mode)), mode, width);
}

void install_plain_text(QApplication& application) {
    application.installEventFilter(new PlainText(&application));
}

namespace {

/// Returns the option of a header with visible text; std::nullopt if `option` is another one or needs no change.
std::optional<QStyleOptionHeaderV2> visible_header(const QStyleOption* option) {
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (header == nullptr)
        return std::nullopt;
    const QString shown = visible_text(bounded_line(header->text));
    if (shown == header->text)
        return std::nullopt;
    QStyleOptionHeaderV2 visible;
    if (const auto* whole = qstyleoption_cast<const QStyleOptionHeaderV2*>(option))
        visible = *whole;
    else
        static_cast<QStyleOptionHeader&>(visible) = *header;
    visible.text = shown;
    return visible;
}

}  // namespace

void PlainStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    const auto header = element == CE_HeaderLabel ? visible_header(option) : std::nullopt;
    QProxyStyle::drawControl(element, header ? &*header : option, painter, widget);
}

QSize PlainStyle::visible_size(const QStyleOption* option, const QSize& size) {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (button == nullptr)
        return size;
    const QString shown = visible_text(button->text);
    const auto width = [&](const QString& text) {
        return option->fontMetrics.size(Qt::TextShowMnemonic, text).width();
    };
    return shown == button->text ? size : size + QSize(std::max(0, width(shown) - width(button->text)), 0);
}

QSize PlainStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
    const auto header = type == CT_HeaderSection ? visible_header(option) : std::nullopt;
    return QProxyStyle::sizeFromContents(type, header ? &*header : option, visible_size(option, size), widget);
}

QString PlainDelegate::displayText(const QVariant& value, const QLocale& locale) const {
    // Qt writes the ends of lines as line separators, which would be made visible.
    if (value.userType() == QMetaType::QString)
        return QStyledItemDelegate::displayText(visible_text(value.toString()), locale);
    return visible_text(QStyledItemDelegate::displayText(value, locale));
}

}  // namespace trainyard::widgets
