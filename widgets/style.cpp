// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyleFactory>
#include <QTreeView>

#include "widgets/cell_delegate.h"
#include "widgets/paint.h"
#include "widgets/plain_text.h"
#include "widgets/style_parts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

Style::Style() : PlainStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::polish(QWidget* widget) {
    PlainStyle::polish(widget);
    const QString surface = style::surface_of(widget);
    if (style::find_surface(widget) != nullptr) {
        widget->setAttribute(Qt::WA_StyledBackground);
        if (surface == QLatin1String("line"))
            widget->setFixedHeight(1);
    } else if (surface == QLatin1String("clear")) {
        widget->setAutoFillBackground(false);
    }
    if (style::is_round_popup(widget))
        style::round_corners(widget);
    if (auto* frame = qobject_cast<QFrame*>(widget);
        frame != nullptr && style::is_round_popup(frame) && frame->windowType() == Qt::Popup) {
        frame->setFrameShape(QFrame::StyledPanel);  // a translucent window has no background
    } else if (frame != nullptr && style::is_frameless(frame)) {
        frame->setFrameShape(QFrame::NoFrame);
    } else if (frame != nullptr && (style::find_surface(frame) != nullptr || style::is_text_edit(frame))) {
        QEvent event(QEvent::StyleChange);  // a frame asks for the width of its lines when it is constructed
        QCoreApplication::sendEvent(frame, &event);
    }
    if (auto* button = qobject_cast<QPushButton*>(widget)) {
        QFont font = button->font();
        font.setWeight(static_cast<QFont::Weight>(style::kind_of(button).weight));
        button->setFont(font);
        button->setAttribute(Qt::WA_Hover);
        // Return presses the button with the focus. Dialogs have a default button.
        if (qobject_cast<QDialog*>(button->window()) == nullptr)
            button->setAutoDefault(true);
    } else if (auto* list = qobject_cast<QComboBox*>(widget)) {
        style::set_list_look(list);
    } else if (auto* box = qobject_cast<QAbstractSpinBox*>(widget)) {
        // Numbers are typed, or changed by arrow keys and the wheel.
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAttribute(Qt::WA_Hover);
    } else if (qobject_cast<QLineEdit*>(widget) != nullptr) {
        widget->setAttribute(Qt::WA_Hover);
    } else if (auto* area = qobject_cast<QAbstractScrollArea*>(widget)) {
        if (qobject_cast<QTreeView*>(area) != nullptr || qobject_cast<QHeaderView*>(area) != nullptr)
            area->viewport()->setAttribute(Qt::WA_Hover);
        const bool is_clear = surface == QLatin1String("code") || surface == QLatin1String("choices") ||
                              surface == QLatin1String("found") || qobject_cast<QScrollArea*>(area) != nullptr ||
                              style::is_round_popup(area);
        if (is_clear)
            area->viewport()->setAutoFillBackground(false);
        else if (style::is_text_edit(area))
            area->viewport()->setBackgroundRole(QPalette::Button);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
    // In every dialog: Cancel, then at the right what it does; no icons.
    if (hint == SH_DialogButtonLayout)
        return QDialogButtonBox::GnomeLayout;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    // A list below the field. The menu over it, which Fusion has, is as narrow as the field although its entries are
    // not, and asks for the size of an entry with that of the whole list.
    if (hint == SH_ComboBox_Popup)
        return 0;
    if (hint == SH_Menu_Scrollable)
        return 1;  // a second column may be beyond the screen
    if (hint == SH_Table_GridLineColor)
        return static_cast<int>(style::ink(Token::Line).rgba());
    if (hint == SH_FocusFrame_AboveWidget)
        return 1;  // not below what its parent has beside it
    if (hint == SH_FocusFrame_Mask)
        return 0;
    return PlainStyle::styleHint(hint, option, widget, data);
}

QIcon Style::standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const {
    // Fusion's own is black in both themes.
    return icon == SP_LineEditClearButton ? Theme::instance().icon(QStringLiteral("x"), Token::TextMuted)
                                          : PlainStyle::standardIcon(icon, option, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    painter->save();
    const auto done = [painter] { painter->restore(); };
    switch (element) {
        case PE_Widget:
            if (const style::Surface* surface = style::find_surface(widget))
                style::draw_surface(*painter, *surface, *option);
            return done();
        case PE_PanelLineEdit: {
            const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            if (frame != nullptr && frame->lineWidth > 0)
                style::draw_field(*painter, *option, widget);
            else if (widget != nullptr &&
                     qobject_cast<const QAbstractItemView*>(widget->parentWidget() == nullptr
                                                                ? nullptr
                                                                : widget->parentWidget()->parentWidget()) != nullptr)
                painter->fillRect(option->rect, style::ink(Token::BgRaised));
            return done();
        }
        case PE_FrameLineEdit:
            return done();
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
            paint_tick(
                *painter,
                alignedRect(option->direction, Qt::AlignCenter, {style::kIndicator, style::kIndicator}, option->rect),
                style::has_state(*option, State_On), style::has_state(*option, State_NoChange));
            return done();
        case PE_IndicatorRadioButton: {
            const QRectF disc = option->rect;
            const bool on = style::has_state(*option, State_On);
            painter->setRenderHint(QPainter::Antialiasing);
            if (on)
                draw_box(*painter, disc, disc.width() / 2, style::ink(Token::OnAccent), style::ink(Token::AccentFill),
                         4);
            else
                draw_box(*painter, disc, disc.width() / 2, style::ink(Token::BgRaised), style::ink(Token::LineControl));
            return done();
        }
        case PE_FrameFocusRect:
            // Lists and tables have their ring around a whole row (style_focus.cpp).
            if (qobject_cast<const QAbstractItemView*>(widget) == nullptr)
                draw_ring(*painter, option->rect, style::kControlRadius);
            return done();
        case PE_IndicatorBranch:
            if (style::has_state(*option, State_Children))
                style::draw_icon(*painter, option->rect,
                                 style::has_state(*option, State_Open) ? QStringLiteral("control/expanded")
                                                                       : QStringLiteral("control/collapsed"),
                                 Token::TextMuted);
            return done();
        case PE_PanelItemViewRow:
            if (style::has_state(*option, State_Selected))
                painter->fillRect(option->rect, style::ink(Token::BgSelected));
            return done();
        case PE_PanelItemViewItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
            if (item != nullptr && item->backgroundBrush.style() != Qt::NoBrush)
                painter->fillRect(option->rect, item->backgroundBrush);
            const bool selected = style::has_state(*option, State_Selected);
            const bool in_tree = qobject_cast<const QTreeView*>(widget) != nullptr;
            if (selected || (in_tree && style::has_state(*option, State_MouseOver))) {
                const QColor fill = style::ink(selected ? Token::BgSelected : Token::BgHover);
                if (style::surface_of(widget) == QLatin1String("choices") &&
                    qobject_cast<const QListView*>(widget) != nullptr)
                    fill_box(*painter, option->rect, 5, fill);
                else
                    painter->fillRect(option->rect, fill);
            }
            if (in_tree)
                painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                                  style::ink(Token::Line));
            return done();
        }
        case PE_IndicatorHeaderArrow:
        case PE_PanelScrollAreaCorner:
            return done();
        case PE_PanelTipLabel:
        case PE_PanelMenu:
            if (!style::is_combo_list(widget))  // which has a frame, too
                style::draw_popup(*painter, *option, widget);
            return done();
        case PE_FrameMenu:
            return done();
        case PE_PanelMenuBar:
            painter->fillRect(option->rect, style::ink(Token::BgApp));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              style::ink(Token::Line));
            return done();
        default:
            break;
    }
    painter->restore();
    PlainStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    painter->save();
    const auto done = [painter] { painter->restore(); };
    switch (element) {
        case CE_PushButtonBevel:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
                style::draw_button(*painter, *button, widget);
            return done();
        case CE_PushButtonLabel:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
                style::draw_button_label(*painter, *button, widget);
            return done();
        case CE_PushButton:
            drawControl(CE_PushButtonBevel, option, painter, widget);
            drawControl(CE_PushButtonLabel, option, painter, widget);
            return done();
        case CE_FocusFrame:
            draw_ring(*painter, option->rect, style::kControlRadius);
            return done();
        case CE_ComboBoxLabel:
            // Without it, a name that is longer than the box ends in the middle of a letter.
            if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option); box != nullptr) {
                QStyleOptionComboBox label = *box;
                const int icon = box->currentIcon.isNull() ? 0 : box->iconSize.width() + 4;
                const int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - icon;
                label.currentText = elided_text(box->fontMetrics, box->currentText, Qt::ElideRight, room);
                painter->restore();
                return PlainStyle::drawControl(element, &label, painter, widget);
            }
            break;
        case CE_ShapedFrame:
            if (style::is_round_popup(widget)) {
                style::draw_popup(*painter, *option, widget);
                return done();
            }
            if (style::find_surface(widget) != nullptr || style::is_frameless(widget))
                return done();
            if (style::is_text_edit(widget)) {
                if (style::surface_of(widget) != QLatin1String("code"))
                    style::draw_field(*painter, *option, widget);
                else if (style::has_state(*option, State_HasFocus))
                    draw_ring(*painter, option->rect, 4);
                return done();
            }
            break;
        case CE_HeaderSection: {
            if (style::surface_of(widget == nullptr ? nullptr : widget->parentWidget()) != QLatin1String("choices"))
                painter->fillRect(option->rect, style::ink(Token::BgPanel));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              style::ink(Token::Line));
            return done();
        }
        case CE_HeaderEmptyArea:
            return done();
        case CE_Header:
            // Qt asks its own style for the place of the title.
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
                drawControl(CE_HeaderSection, option, painter, widget);
                QStyleOptionHeaderV2 title;
                if (const auto* whole = qstyleoption_cast<const QStyleOptionHeaderV2*>(option))
                    title = *whole;
                else
                    static_cast<QStyleOptionHeader&>(title) = *header;
                title.rect = subElementRect(SE_HeaderLabel, option, widget);
                title.state.setFlag(State_On, false);
                title.palette.setColor(
                    QPalette::ButtonText,
                    style::ink(style::has_state(*option, State_MouseOver) ? Token::Text : Token::TextMuted));
                drawControl(CE_HeaderLabel, &title, painter, widget);
            }
            return done();
        case CE_Splitter:
            if (style::surface_of(widget) != QLatin1String("gap"))
                painter->fillRect(option->rect, style::ink(Token::Line));
            return done();
        case CE_ProgressBarGroove:
            return done();
        case CE_ProgressBarContents:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
                style::draw_progress(*painter, *bar);
            return done();
        case CE_MenuScroller: {
            const bool downwards = style::has_state(*option, State_DownArrow);
            const QRect arrow = option->rect.adjusted(1, downwards ? 0 : 1, -1, downwards ? -1 : 0);
            style::draw_icon(*painter, arrow, downwards ? QStringLiteral("down") : QStringLiteral("up"),
                             Token::TextMuted);
            return done();
        }
        case CE_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
                style::draw_menu_item(*painter, *item);
            return done();
        case CE_MenuBarEmptyArea:
            painter->fillRect(option->rect, style::ink(Token::BgApp));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              style::ink(Token::Line));
            return done();
        case CE_MenuBarItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
                const bool pressed = style::has_state(*option, State_Sunken);
                painter->fillRect(option->rect, style::ink(Token::BgApp));
                if (pressed || style::has_state(*option, State_Selected))
                    fill_box(*painter, option->rect, 4, style::ink(pressed ? Token::BgSelected : Token::BgHover));
                painter->setPen(style::ink(style::has_state(*option, State_Enabled) ? Token::Text : Token::TextMuted));
                const bool underlined = styleHint(SH_UnderlineShortcut, option, widget, nullptr) != 0;
                painter->drawText(option->rect,
                                  static_cast<int>(Qt::AlignCenter) | Qt::TextSingleLine | Qt::TextDontClip |
                                      (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                                  item->text);
            }
            return done();
        default:
            break;
    }
    painter->restore();
    PlainStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    painter->save();
    switch (control) {
        case CC_ComboBox:
            style::draw_field(*painter, *option, widget);
            style::draw_icon(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget),
                             QStringLiteral("control/chevron"), Token::TextMuted);
            break;
        case CC_SpinBox:
            style::draw_field(*painter, *option, widget);
            break;
        case CC_ScrollBar:
            if (bar != nullptr && bar->maximum > bar->minimum)
                fill_box(*painter, subControlRect(control, option, SC_ScrollBarSlider, widget), 3,
                         style::ink(Token::LineControl));
            break;
        case CC_Slider:
            if (bar != nullptr && bar->orientation == Qt::Horizontal) {
                style::draw_slider(*painter, *bar, subControlRect(control, option, SC_SliderHandle, widget));
                break;
            }
            [[fallthrough]];
        default:
            painter->restore();
            PlainStyle::drawComplexControl(control, option, painter, widget);
            return;
    }
    painter->restore();
}

}  // namespace trainyard::widgets
