// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_text.h"

#include <algorithm>
#include <optional>
#include <typeinfo>
#include <vector>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFontDatabase>
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

/// Returns whether no installed font has the script of a character, of those scripts for which Qt requires a font with
/// OpenType tables: it opens all fonts in search of one, for every font and size again, which takes 80 ms for a script.
bool has_no_font(char32_t character) {
    using Qfdb = QFontDatabase;
    struct Script {
        QChar::Script script;
        Qfdb::WritingSystem system;
    };
    static constexpr Script kScripts[] = {
        {QChar::Script_Syriac, Qfdb::Syriac},         {QChar::Script_Thaana, Qfdb::Thaana},
        {QChar::Script_Devanagari, Qfdb::Devanagari}, {QChar::Script_Bengali, Qfdb::Bengali},
        {QChar::Script_Gurmukhi, Qfdb::Gurmukhi},     {QChar::Script_Gujarati, Qfdb::Gujarati},
        {QChar::Script_Oriya, Qfdb::Oriya},           {QChar::Script_Tamil, Qfdb::Tamil},
        {QChar::Script_Telugu, Qfdb::Telugu},         {QChar::Script_Kannada, Qfdb::Kannada},
        {QChar::Script_Malayalam, Qfdb::Malayalam},   {QChar::Script_Sinhala, Qfdb::Sinhala},
        {QChar::Script_Khmer, Qfdb::Khmer},           {QChar::Script_Nko, Qfdb::Nko}};
    constexpr char32_t kFirstOfThem = 0x0700;
    if (character < kFirstOfThem)
        return false;
    static const std::vector<QChar::Script> missing = [] {
        std::vector<QChar::Script> scripts;
        for (const Script& one : kScripts)
            if (Qfdb::families(one.system).isEmpty())
                scripts.push_back(one.script);
        return scripts;
    }();
    return std::ranges::find(missing, QChar::script(character)) != missing.end();
}

/// Replaces the characters that has_no_font() by escapes like those of text::printable_lines().
QString without_missing_scripts(const QString& text) {
    QString shown;
    for (const char32_t c : text.toUcs4())
        if (has_no_font(c))
            for (const QChar half : QString::fromUcs4(&c, 1))
                shown += QStringLiteral("\\u%1").arg(half.unicode(), 4, 16, QLatin1Char('0'));
        else
            shown += QString::fromUcs4(&c, 1);
    return shown;
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
            case QEvent::LayoutRequest:
                // Before the layout measures the labels, which loads the fonts of their texts.
                for (auto* label : watched->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly))
                    if (label->textFormat() == Qt::PlainText)
                        showVisible(label);
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
    const bool hidden = std::ranges::any_of(text, may_be_hidden);
    if (!hidden && std::ranges::none_of(text, [](QChar character) { return has_no_font(character.unicode()); }))
        return text;
    return without_missing_scripts(hidden ? QString::fromStdString(text::printable_lines(text.toStdString())) : text);
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

QString elided_text(const QFontMetrics& metrics, const QString& text, Qt::TextElideMode mode, int width, int flags) {
    const QString line = visible_text(bounded_line(text, mode));
    // A slash at the end belongs to the last part.
    const qsizetype last = mode == Qt::ElideMiddle ? line.lastIndexOf(QLatin1Char('/'), -2) : -1;
    if (last > 0 && metrics.size(flags, line).width() > width) {
        const QString tail = line.mid(last);
        const int room = width - metrics.size(flags, tail).width();
        if (room >= metrics.horizontalAdvance(QChar(0x2026)))
            return metrics.elidedText(line.left(last), Qt::ElideRight, room, flags) + tail;
    }
    return metrics.elidedText(line, mode, width, flags);
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
