// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and places of controls and of their parts.

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QDialog>
#include <QFocusFrame>
#include <QFontMetrics>
#include <QListView>
#include <QTableView>
#include <QTreeView>

#include "widgets/cell_delegate.h"
#include "widgets/style.h"
#include "widgets/style_parts.h"

namespace trainyard::widgets {

namespace style {

namespace {

const int& kAroundRow = live_px(8);  ///< above and below the words of a row, in all

constexpr ButtonKind kUsualButton{"", 13, 30, Token::Text, true};
constexpr ButtonKind kButtonKinds[] = {
    {"primary", 13, 30, Token::OnAccent, true, QFont::DemiBold},
    {"dangerFill", 13, 30, Token::OnAccent, true, QFont::DemiBold},
    {"danger", 13, 30, Token::Error, true},
    {"ghost", 7, 30, Token::TextSecondary, false},
    {"link", 0, 24, Token::Accent, false},  // its words start where those above and below do
    {"search", 9, 30, Token::TextMuted, true, QFont::Normal},
    {"segment", 11, 26, Token::TextSecondary, false},
    {"hint", 4, 18, Token::TextSecondary, false, QFont::Normal},
};

}  // namespace

ButtonKind kind_of(const QWidget* widget) {
    const QString name = widget == nullptr ? QString() : widget->property("kind").toString();
    const auto* found =
        std::ranges::find_if(kButtonKinds, [&](const ButtonKind& kind) { return name == QLatin1String(kind.name); });
    ButtonKind kind = found == std::end(kButtonKinds) ? kUsualButton : *found;
    kind.padding = TextSize::instance().scaled(kind.padding);
    kind.height = TextSize::instance().scaled(kind.height);
    return kind;
}

bool is_link(const QWidget* widget) {
    return QLatin1String(kind_of(widget).name) == QLatin1String("link");
}

int heavier_text(const QStyleOption* option, const QWidget* widget) {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (button == nullptr || widget == nullptr || QLatin1String(kind_of(widget).name) != QLatin1String("segment"))
        return 0;
    QFont chosen = widget->font();
    chosen.setWeight(kChosenSegment);
    return QFontMetrics(chosen).size(Qt::TextShowMnemonic, button->text).width() -
           button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
}

int narrowest(const QAbstractButton& button) {
    const QFontMetrics metrics(button.font());
    const int few_letters = metrics.horizontalAdvance(QStringLiteral("MMM…"));
    const int text = button.text().isEmpty() ? few_letters : metrics.size(Qt::TextShowMnemonic, button.text()).width();
    const int icon = button.icon().isNull() ? 0 : button.iconSize().width() + 4;
    return 2 * kind_of(&button).padding + icon + std::min(text, few_letters);
}

QRect field_contents(const QRect& rect) {
    return rect.adjusted(kFieldPadding, 1, -kFieldPadding, -1);
}

int header_padding(const QWidget* header) {
    if (header == nullptr)
        return kItemPadding;
    if (const QVariant given = header->property("padding"); given.isValid())
        return given.toInt();
    // Titles of a table start where its cells do.
    if (const auto* table = qobject_cast<const QTableView*>(header->parentWidget())) {
        if (qobject_cast<const CellDelegate*>(table->itemDelegate()) != nullptr)
            return cell_padding();
        if (qobject_cast<const PlainDelegate*>(table->itemDelegate()) != nullptr)
            return kTablePadding + 1;
    }
    return kItemPadding + 1;
}

int menu_icon_room(const QStyleOptionMenuItem& option) {
    return option.menuHasCheckableItems || option.maxIconWidth > 0 ? kMenuIcon + kMenuGap : 0;
}

}  // namespace style

namespace {

/// Qt asks for the margins of a focus frame without the widget.
bool is_focus_frame(const QStyleOption* option) {
    return option != nullptr && qobject_cast<const QFocusFrame*>(option->styleObject) != nullptr;
}

}  // namespace

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight:
            return style::kIndicator;
        case PM_ButtonIconSize:
        case PM_SmallIconSize:
            return 16_px;
        case PM_CheckBoxLabelSpacing:
        case PM_RadioButtonLabelSpacing:
            return 8_px;
        case PM_ButtonMargin:
        case PM_ButtonDefaultIndicator:
        case PM_ButtonShiftHorizontal:
        case PM_ButtonShiftVertical:
        case PM_HeaderMarkSize:
            return 0;
        case PM_MenuButtonIndicator:
        case PM_SliderThickness:
        case PM_SliderControlThickness:
        case PM_SliderLength:
            return style::kHandle;
        case PM_ScrollBarExtent:
            return style::kScrollBar;
        case PM_ScrollBarSliderMin:
            return style::kLeastHandle;
        case PM_ScrollView_ScrollBarSpacing:
            return 0;
        case PM_LayoutLeftMargin:
        case PM_LayoutRightMargin:
            if (qobject_cast<const QDialog*>(widget) != nullptr)
                return 20_px;
            break;
        case PM_LayoutTopMargin:
            if (qobject_cast<const QDialog*>(widget) != nullptr)
                return 18_px;
            break;
        case PM_LayoutBottomMargin:
            if (qobject_cast<const QDialog*>(widget) != nullptr)
                return 16_px;
            break;
        case PM_MenuPanelWidth:
        case PM_MenuBarVMargin:
            return 1;
        case PM_MenuHMargin:
        case PM_MenuVMargin:
            return 4;
        case PM_MenuScrollerHeight:
            return style::kMenuScroller;
        case PM_MenuBarHMargin:
        case PM_ToolTipLabelFrameWidth:
            return 6;
        case PM_FocusFrameVMargin:
            if (is_focus_frame(option))
                return 0;  // a link is higher than its words
            break;
        case PM_FocusFrameHMargin:
            if (is_focus_frame(option))
                return style::kAroundLink;
            if (qobject_cast<const QTreeView*>(widget) != nullptr || qobject_cast<const QListView*>(widget) != nullptr)
                return style::kItemPadding;
            if (qobject_cast<const QTableView*>(widget) != nullptr)
                return style::kTablePadding;
            break;
        default:
            break;
    }
    return PlainStyle::pixelMetric(metric, option, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& raw,
                              const QWidget* widget) const {
    const QSize usual = PlainStyle::sizeFromContents(type, option, raw, widget);
    const QSize size = visible_size(option, raw);
    switch (type) {
        case CT_PushButton: {
            const style::ButtonKind& kind = style::kind_of(widget);
            const int height = std::max(kind.height, size.height() + 2);
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
                button != nullptr && button->text.isEmpty() && !button->icon.isNull())
                return {button->iconSize.width() + 2 * std::min(kind.padding, style::kAroundIcon), height};
            return {size.width() + style::heavier_text(option, widget) + 2 * kind.padding, height};
        }
        case CT_LineEdit:
            // That of a spin box or a cell has no frame.
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0)
                return {size.width() + 2 * style::kFieldPadding, std::max(style::kControl, size.height() + 2)};
            return size;
        case CT_SpinBox:
            return {size.width() + 2 * style::kFieldPadding + 4, std::max(style::kControl, size.height() + 2)};
        case CT_ComboBox:
            return {size.width() + style::kFieldPadding + style::kArrowRoom + 4,
                    std::max(style::kControl, size.height() + 2)};
        case CT_CheckBox:
        case CT_RadioButton:
            return usual + QSize(2 * style::kAroundBox, 2 * style::kAboveBox);
        case CT_HeaderSection:
            return usual + QSize(2 * style::header_padding(widget), 0);
        case CT_ItemViewItem:
            if (widget != nullptr && style::is_combo_list(widget->window()))
                return usual + QSize(0, style::kAroundEntry);
            // Rows of trees end with a line.
            return qobject_cast<const QTreeView*>(widget) != nullptr   ? usual + QSize(0, style::kAroundRow + 1)
                   : qobject_cast<const QListView*>(widget) != nullptr ? usual + QSize(0, style::kAroundRow)
                                                                       : usual;
        case CT_MenuBarItem:
            return size + QSize(18_px, 8_px);
        case CT_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
                if (item->menuItemType == QStyleOptionMenuItem::Separator)
                    return {size.width(), style::kMenuLine};
                const bool has_keys = item->text.contains(QLatin1Char('\t'));
                return {size.width() + style::kMenuLeft + style::menu_icon_room(*item) + style::kMenuRight +
                            (has_keys ? 2 * style::kMenuGap : 0),
                        std::max(size.height(), item->fontMetrics.height()) + style::kAroundEntry};
            }
            break;
        default:
            break;
    }
    return usual;
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    switch (element) {
        case SE_LineEditContents:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0)
                return style::field_contents(option->rect);
            break;
        case SE_ShapedFrameContents:
        case SE_FrameContents:
            if (const style::Surface* surface = style::find_surface(widget))
                return option->rect.marginsRemoved(style::lines_of(*surface, option->direction));
            if (style::is_round_popup(widget) && widget->windowType() == Qt::Popup) {
                constexpr int kRoom = 5;  // as in a menu
                return option->rect.adjusted(kRoom, kRoom, -kRoom, -kRoom);
            }
            if (style::is_text_edit(widget)) {
                const int room = style::surface_of(widget) == QLatin1String("code") ? 2 : 5;
                return option->rect.adjusted(room, room, -room, -room);
            }
            if (style::is_frameless(widget))
                return option->rect;
            break;
        case SE_CheckBoxIndicator:
        case SE_CheckBoxContents:
        case SE_RadioButtonIndicator:
        case SE_RadioButtonContents:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
                QStyleOptionButton inner = *button;
                inner.rect.adjust(style::kAroundBox, style::kAboveBox, -style::kAroundBox, -style::kAboveBox);
                return PlainStyle::subElementRect(element, &inner, widget);
            }
            break;
        case SE_CheckBoxFocusRect:
        case SE_RadioButtonFocusRect:
        case SE_CheckBoxClickRect:
        case SE_RadioButtonClickRect:
        case SE_PushButtonContents:
        case SE_PushButtonBevel:
            return option->rect;
        case SE_HeaderLabel: {
            const int padding = style::header_padding(widget);
            return option->rect.adjusted(padding, 0, -padding, 0);
        }
        default:
            break;
    }
    return PlainStyle::subElementRect(element, option, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
    const QRect& rect = option->rect;
    if (control == CC_SpinBox) {
        if (part == SC_SpinBoxFrame)
            return rect;
        return part == SC_SpinBoxEditField ? style::field_contents(rect) : QRect();
    }
    if (control == CC_ComboBox) {
        const auto placed = [&](const QRect& place) { return visualRect(option->direction, rect, place); };
        if (part == SC_ComboBoxArrow)
            return placed(QRect(rect.right() - style::kArrowRoom, rect.top(), style::kArrowRoom, rect.height()));
        if (part == SC_ComboBoxEditField)
            return placed(rect.adjusted(style::kFieldPadding, 1, -style::kArrowRoom - 1, -1));
        if (part == SC_ComboBoxFrame)
            return rect;
    }
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar != nullptr) {
        const bool lies = bar->orientation == Qt::Horizontal;
        const QRect groove =
            rect.adjusted(style::kScrollMargin, style::kScrollMargin, -style::kScrollMargin, -style::kScrollMargin);
        const int room = lies ? groove.width() : groove.height();
        const qint64 span = static_cast<qint64>(bar->maximum) - bar->minimum;
        const int length = span == 0
                               ? room
                               : std::min(room, std::max(style::kLeastHandle,
                                                         static_cast<int>(static_cast<qint64>(room) * bar->pageStep /
                                                                          (span + bar->pageStep))));
        const int at =
            sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, room - length, bar->upsideDown);
        const auto piece = [&](int from, int to) {
            return visualRect(lies ? bar->direction : Qt::LeftToRight, rect,
                              lies ? QRect(groove.left() + from, groove.top(), to - from, groove.height())
                                   : QRect(groove.left(), groove.top() + from, groove.width(), to - from));
        };
        switch (part) {
            case SC_ScrollBarGroove:
                return groove;
            case SC_ScrollBarSlider:
                return piece(at, at + length);
            case SC_ScrollBarSubPage:
                return piece(0, at);
            case SC_ScrollBarAddPage:
                return piece(at + length, room);
            default:
                return {};
        }
    }
    return PlainStyle::subControlRect(control, option, part, widget);
}

}  // namespace trainyard::widgets
