// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QAbstractItemView>
#include <QApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTextEdit>
#include <QTreeView>

#include "widgets/cell_delegate.h"
#include "widgets/paint.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr int kControl = 30;  ///< height of buttons and fields
constexpr int kControlRadius = 6;
constexpr int kFieldPadding = 9;  ///< from the edge of a field to its text, with the line
constexpr int kArrowRoom = 24;    ///< of a combo box
constexpr int kIndicator = 16;
constexpr int kAroundBox = 5, kAboveBox = 3;  ///< room for the ring of a check box
constexpr int kHandle = 14;                   ///< of a slider
constexpr int kAroundIcon = 9;                // of a button that has only an icon
constexpr int kScrollBar = 14, kScrollMargin = 2, kLeastHandle = 32;
constexpr int kItemPadding = 10;
constexpr int kMenuIcon = 16, kMenuLeft = 10, kMenuRight = 24, kMenuGap = 8, kMenuLine = 9;

QColor ink(Token token) {
    return Theme::instance().color(token);
}

QString surface_of(const QWidget* widget) {
    return widget == nullptr ? QString() : widget->property("surface").toString();
}

bool has_state(const QStyleOption& option, QStyle::StateFlag flag) {
    return option.state.testFlag(flag);
}

/// A drawing of resources/icons in the middle of `area`.
void draw_icon(QPainter& painter, const QRect& area, const QString& name, Token token, int size = 16) {
    Theme::instance()
        .icon(name, token)
        .paint(&painter, QStyle::alignedRect(Qt::LeftToRight, Qt::AlignCenter, {size, size}, area));
}

// ---- buttons ----

struct ButtonKind {
    const char* name;
    int padding;     ///< beside the text, with the line, pixels
    int height;      ///< at least
    Token text;      ///< and of the icon's neighbour
    bool has_frame;  ///< a line and a background while nothing points to it
    int weight = QFont::Medium;
};

constexpr ButtonKind kUsualButton{"", 13, kControl, Token::Text, true};
constexpr ButtonKind kButtonKinds[] = {
    {"primary", 13, kControl, Token::OnAccent, true, QFont::DemiBold},
    {"dangerFill", 13, kControl, Token::OnAccent, true, QFont::DemiBold},
    {"danger", 13, kControl, Token::Error, true},
    {"ghost", 7, kControl, Token::TextSecondary, false},
    {"link", 4, 24, Token::Accent, false},
    {"search", 9, kControl, Token::TextMuted, true, QFont::Normal},
    {"segment", 11, 26, Token::TextSecondary, false},
    {"hint", 4, 18, Token::TextSecondary, false, QFont::Normal},
};

const ButtonKind& kind_of(const QWidget* widget) {
    const QString name = widget == nullptr ? QString() : widget->property("kind").toString();
    const auto* found =
        std::ranges::find_if(kButtonKinds, [&](const ButtonKind& kind) { return name == QLatin1String(kind.name); });
    return found == std::end(kButtonKinds) ? kUsualButton : *found;
}

void draw_button(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget) {
    const QLatin1String kind(kind_of(widget).name);
    const bool enabled = has_state(option, QStyle::State_Enabled), hover = has_state(option, QStyle::State_MouseOver),
               pressed = has_state(option, QStyle::State_Sunken), focus = has_state(option, QStyle::State_HasFocus),
               checked = has_state(option, QStyle::State_On);
    QColor fill = Qt::transparent, line = Qt::transparent;
    if (!enabled) {
        if (kind_of(widget).has_frame)
            line = ink(Token::Line);
    } else if (kind == QLatin1String("primary")) {
        fill = line = ink(hover ? Token::AccentFillHover : Token::AccentFill);
    } else if (kind == QLatin1String("dangerFill")) {
        fill = line = ink(Token::ErrorFill);
    } else if (kind == QLatin1String("ghost")) {
        fill = hover ? ink(Token::BgHover) : QColor(Qt::transparent);
    } else if (kind == QLatin1String("search")) {
        fill = hover ? ink(Token::BgHover) : QColor(Qt::transparent);
        line = ink(Token::Line);
    } else if (kind == QLatin1String("segment")) {
        if (checked) {
            fill = ink(Token::BgRaised);
            line = ink(Token::LineControl);
        }
    } else if (kind_of(widget).has_frame) {
        fill = ink(pressed || checked ? Token::BgSelected : hover ? Token::BgHover : Token::BgRaised);
        line = ink(Token::LineControl);
    }
    if (focus)
        line = ink(kind == QLatin1String("primary") ? Token::Text : Token::Accent);
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = kind == QLatin1String("segment") ? 5 : kind == QLatin1String("hint") ? 4 : kControlRadius;
    draw_box(painter, option.rect, radius, fill, line, focus ? 2 : 1);
    if (option.features.testFlag(QStyleOptionButton::HasMenu) && !option.text.isEmpty())
        draw_icon(painter,
                  QStyle::alignedRect(option.direction, Qt::AlignRight | Qt::AlignVCenter, {kHandle, kHandle},
                                      option.rect.adjusted(4, 0, -4, 0)),
                  QStringLiteral("control/chevron"), Token::TextMuted, kHandle);
}

/// Icon and text, in the middle; what has no room is elided.
void draw_button_label(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget) {
    const ButtonKind& kind = kind_of(widget);
    const bool enabled = has_state(option, QStyle::State_Enabled), checked = has_state(option, QStyle::State_On);
    Token color = kind.text;
    if (!enabled)
        color = Token::TextMuted;
    else if (widget != nullptr && widget->property("tone") == QLatin1String("error"))
        color = Token::Error;
    else if (color == Token::TextSecondary && (has_state(option, QStyle::State_MouseOver) || checked))
        color = Token::Text;
    QFont font = painter.font();
    if (checked && QLatin1String(kind.name) == QLatin1String("segment"))
        font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(ink(color));
    const bool has_menu = option.features.testFlag(QStyleOptionButton::HasMenu) && !option.text.isEmpty();
    QRect area = option.rect.adjusted(kind.padding, 0, -(has_menu ? std::max(kind.padding, 13) + 6 : kind.padding), 0);
    if (option.direction == Qt::RightToLeft)
        area = QStyle::visualRect(Qt::RightToLeft, option.rect, area);
    const int icon = option.icon.isNull() ? 0 : option.iconSize.width();
    const int between = icon > 0 && !option.text.isEmpty() ? 4 : 0;
    const QFontMetrics metrics(font);
    QString text = option.text;
    int width = metrics.size(Qt::TextShowMnemonic, text).width();
    if (const int room = area.width() - icon - between + 2; width > room) {
        text = metrics.elidedText(text, Qt::ElideRight, room, Qt::TextShowMnemonic);
        width = metrics.size(Qt::TextShowMnemonic, text).width();
    }
    const auto alignment =
        (QLatin1String(kind.name) == QLatin1String("search") ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter;
    if (icon + between + width > area.width())
        area.adjust(-1, 0, 1, 0);
    const QRect content =
        QStyle::alignedRect(option.direction, alignment, {icon + between + width, area.height()}, area);
    if (icon > 0)
        option.icon.paint(
            &painter, QStyle::alignedRect(option.direction, Qt::AlignLeft | Qt::AlignVCenter, option.iconSize, content),
            Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled, checked ? QIcon::On : QIcon::Off);
    const bool underlined = QApplication::style()->styleHint(QStyle::SH_UnderlineShortcut, &option, widget) != 0;
    painter.drawText(QStyle::visualRect(option.direction, content, content.adjusted(icon + between, 0, 2, 0)),
                     static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignVCenter)) |
                         Qt::TextSingleLine | (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                     text);
}

// ---- fields ----

void draw_field(QPainter& painter, const QStyleOption& option, const QWidget* widget) {
    const bool focus = has_state(option, QStyle::State_HasFocus) && has_state(option, QStyle::State_Enabled);
    const bool invalid = widget != nullptr && widget->property("invalid").toBool();
    const Token line = invalid                                      ? Token::Error
                       : focus                                      ? Token::Accent
                       : !has_state(option, QStyle::State_Enabled)  ? Token::Line
                       : has_state(option, QStyle::State_MouseOver) ? Token::TextSecondary
                                                                    : Token::LineControl;
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, option.rect, kControlRadius, ink(Token::BgRaised), ink(line), focus || invalid ? 2 : 1);
    if (invalid && focus) {
        painter.setPen(QPen(ink(Token::Accent), 2));
        painter.drawLine(option.rect.bottomLeft() + QPoint(kControlRadius, 0),
                         option.rect.bottomRight() + QPoint(1 - kControlRadius, 0));
    }
}

bool is_text_edit(const QWidget* widget) {
    return qobject_cast<const QPlainTextEdit*>(widget) != nullptr || qobject_cast<const QTextEdit*>(widget) != nullptr;
}

/// Views and scroll areas have no frame: what they are in has one.
bool is_frameless(const QWidget* widget) {
    return qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
           qobject_cast<const QScrollArea*>(widget) != nullptr;
}

QRect field_contents(const QRect& rect) {
    return rect.adjusted(kFieldPadding, 1, -kFieldPadding, -1);
}

/// On both sides of the title of a column.
int header_padding(const QWidget* header) {
    if (header == nullptr)
        return kItemPadding;
    if (const QVariant given = header->property("padding"); given.isValid())
        return given.toInt();
    return surface_of(header->parentWidget()) == QLatin1String("choices") ? 3 : kItemPadding + 1;
}

// ---- surfaces ----

struct Surface {
    const char* name;
    Token fill;
    bool framed;  ///< with a line all around
    Token line;
    int radius;
    Qt::Edge edge = Qt::Edge();  ///< with a line there only
};

constexpr Surface kSurfaces[] = {
    {"page", Token::BgPage, false, Token::Line, 0},
    {"rail", Token::BgApp, false, Token::Line, 0, Qt::RightEdge},
    {"status", Token::BgApp, false, Token::Line, 0, Qt::TopEdge},
    {"header", Token::BgPage, false, Token::Line, 0, Qt::BottomEdge},
    {"panel", Token::BgPanel, true, Token::Line, 8},
    {"well", Token::BgPage, true, Token::Line, 6},
    {"fact", Token::BgPage, false, Token::Line, 4},
    {"palette", Token::BgRaised, true, Token::LineControl, 8},
    {"line", Token::Line, false, Token::Line, 0},
    {"seg", Token::BgHover, false, Token::Line, 6},
};

const Surface* find_surface(const QWidget* widget) {
    const QString name = surface_of(widget);
    const auto* found =
        std::ranges::find_if(kSurfaces, [&](const Surface& one) { return name == QLatin1String(one.name); });
    return found == std::end(kSurfaces) ? nullptr : found;
}

void draw_surface(QPainter& painter, const Surface& surface, const QStyleOption& option) {
    const QRect& rect = option.rect;
    if (surface.framed || surface.radius > 0) {
        painter.setRenderHint(QPainter::Antialiasing);
        if (surface.framed)
            draw_box(painter, rect, surface.radius, ink(surface.fill), ink(surface.line));
        else
            fill_box(painter, rect, surface.radius, ink(surface.fill));
        return;
    }
    painter.fillRect(rect, ink(surface.fill));
    switch (surface.edge) {
        case Qt::RightEdge:
            painter.fillRect(
                QStyle::visualRect(option.direction, rect, QRect(rect.right(), rect.top(), 1, rect.height())),
                ink(surface.line));
            break;
        case Qt::TopEdge:
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), ink(surface.line));
            break;
        case Qt::BottomEdge:
            painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), ink(surface.line));
            break;
        default:
            break;
    }
}

/// The room that the lines of a frame take.
QMargins lines_of(const Surface& surface, Qt::LayoutDirection direction) {
    if (surface.framed)
        return {1, 1, 1, 1};
    const bool mirrored = direction == Qt::RightToLeft;
    return {surface.edge == Qt::RightEdge && mirrored ? 1 : 0, surface.edge == Qt::TopEdge ? 1 : 0,
            surface.edge == Qt::RightEdge && !mirrored ? 1 : 0, surface.edge == Qt::BottomEdge ? 1 : 0};
}

// ---- menus ----

int menu_icon_room(const QStyleOptionMenuItem& option) {
    return option.menuHasCheckableItems || option.maxIconWidth > 0 ? kMenuIcon + kMenuGap : 0;
}

void draw_menu_item(QPainter& painter, const QStyleOptionMenuItem& option) {
    const QRect& rect = option.rect;
    if (option.menuItemType == QStyleOptionMenuItem::Separator) {
        painter.fillRect(QRect(rect.left() + 6, rect.center().y(), rect.width() - 12, 1), ink(Token::Line));
        return;
    }
    const bool enabled = has_state(option, QStyle::State_Enabled);
    if (enabled && has_state(option, QStyle::State_Selected))
        fill_box(painter, rect, 5, ink(Token::BgSelected));
    const auto placed = [&](const QRect& place) { return QStyle::visualRect(option.direction, rect, place); };
    const int icon_room = menu_icon_room(option);
    const QRect mark(rect.left() + kMenuLeft, rect.top(), kMenuIcon, rect.height());
    const bool is_checkable = option.checkType != QStyleOptionMenuItem::NotCheckable;
    if (is_checkable && option.checked)
        draw_icon(painter, placed(mark), QStringLiteral("check"), enabled ? Token::Accent : Token::TextMuted);
    else if (!option.icon.isNull())
        option.icon.paint(&painter, placed(mark), Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    painter.setFont(option.font);
    painter.setPen(ink(enabled ? Token::Text : Token::TextMuted));
    const QRect area = rect.adjusted(kMenuLeft + icon_room, 0, -kMenuRight, 0);
    const QString text = option.text.section(QLatin1Char('\t'), 0, 0), keys = option.text.section(QLatin1Char('\t'), 1);
    const int flags = Qt::TextShowMnemonic | Qt::TextSingleLine | Qt::TextDontClip;
    painter.drawText(
        placed(area),
        static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft | Qt::AlignVCenter)) | flags, text);
    if (!keys.isEmpty()) {
        painter.setPen(ink(Token::TextMuted));
        painter.drawText(
            placed(area.adjusted(0, 0, kMenuRight - kMenuLeft, 0)),
            static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignRight | Qt::AlignVCenter)) | flags,
            keys);
    }
    if (option.menuItemType == QStyleOptionMenuItem::SubMenu)
        draw_icon(painter, placed(QRect(rect.right() - kMenuRight + 4, rect.top(), kMenuIcon, rect.height())),
                  option.direction == Qt::RightToLeft ? QStringLiteral("left") : QStringLiteral("right"),
                  Token::TextMuted, 14);
}

// ---- bars ----

void draw_slider(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle) {
    const QRect& rect = option.rect;
    const double middle = rect.center().y() + 0.5;
    const QRectF groove(rect.left(), middle - 2, rect.width(), 4);
    fill_box(painter, groove, 2, ink(Token::BgHover));
    QRectF done = groove;
    if (option.upsideDown)
        done.setLeft(handle.center().x());
    else
        done.setRight(handle.center().x());
    fill_box(painter, done, 2, ink(has_state(option, QStyle::State_Enabled) ? Token::AccentFill : Token::Line));
    const bool focus = has_state(option, QStyle::State_HasFocus);
    const QRectF disc(handle.center().x() + 0.5 - kHandle / 2.0, middle - kHandle / 2.0, kHandle, kHandle);
    draw_box(painter, disc, kHandle / 2.0,
             ink(has_state(option, QStyle::State_Enabled) ? Token::Text : Token::TextMuted),
             ink(focus ? Token::Accent : Token::LineControl), focus ? 2 : 1);
}

void draw_progress(QPainter& painter, const QStyleOptionProgressBar& option) {
    fill_box(painter, option.rect, 2, ink(Token::BgHover));
    const double span = option.maximum - option.minimum;
    // If the end is not known, a third of the bar is filled.
    const double share = span <= 0 ? 1.0 / 3 : std::clamp((option.progress - option.minimum) / span, 0.0, 1.0);
    QRectF done = option.rect;
    if (share * done.width() < 1)
        return;
    done.setWidth(share * done.width());
    if (option.direction == Qt::RightToLeft)
        done.moveRight(option.rect.right() + 1);
    fill_box(painter, done, 2, ink(Token::AccentFill));
}

}  // namespace

Style::Style() : PlainStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::polish(QWidget* widget) {
    PlainStyle::polish(widget);
    const QString surface = surface_of(widget);
    if (find_surface(widget) != nullptr) {
        widget->setAttribute(Qt::WA_StyledBackground);
        if (surface == QLatin1String("line"))
            widget->setFixedHeight(1);
    } else if (surface == QLatin1String("clear")) {
        widget->setAutoFillBackground(false);
    }
    if (auto* frame = qobject_cast<QFrame*>(widget); frame != nullptr && is_frameless(frame)) {
        frame->setFrameShape(QFrame::NoFrame);
    } else if (frame != nullptr && (find_surface(frame) != nullptr || is_text_edit(frame))) {
        QEvent event(QEvent::StyleChange);  // a frame asks for the width of its lines when it is constructed
        QCoreApplication::sendEvent(frame, &event);
    }
    if (auto* button = qobject_cast<QPushButton*>(widget)) {
        QFont font = button->font();
        font.setWeight(static_cast<QFont::Weight>(kind_of(button).weight));
        button->setFont(font);
        button->setAttribute(Qt::WA_Hover);
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
                              surface == QLatin1String("found") || qobject_cast<QScrollArea*>(area) != nullptr;
        if (is_clear)
            area->viewport()->setAutoFillBackground(false);
        else if (is_text_edit(area))
            area->viewport()->setBackgroundRole(QPalette::Button);
    }
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight:
            return kIndicator;
        case PM_CheckBoxLabelSpacing:
        case PM_RadioButtonLabelSpacing:
            return 8;
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
            return kHandle;
        case PM_ScrollBarExtent:
            return kScrollBar;
        case PM_ScrollBarSliderMin:
            return kLeastHandle;
        case PM_ScrollView_ScrollBarSpacing:
            return 0;
        case PM_MenuPanelWidth:
        case PM_MenuBarVMargin:
            return 1;
        case PM_MenuHMargin:
        case PM_MenuVMargin:
            return 4;
        case PM_MenuBarHMargin:
        case PM_ToolTipLabelFrameWidth:
            return 6;
        case PM_FocusFrameHMargin:
            if (qobject_cast<const QTreeView*>(widget) != nullptr ||
                (qobject_cast<const QListView*>(widget) != nullptr && surface_of(widget) == QLatin1String("choices")))
                return kItemPadding;
            break;
        default:
            break;
    }
    return PlainStyle::pixelMetric(metric, option, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
    // In every dialog: Cancel, then at the right what it does; no icons.
    if (hint == SH_DialogButtonLayout)
        return QDialogButtonBox::GnomeLayout;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    return PlainStyle::styleHint(hint, option, widget, data);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
    const QSize usual = PlainStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
        case CT_PushButton: {
            const ButtonKind& kind = kind_of(widget);
            const int height = std::max(kind.height, size.height() + 2);
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
                button != nullptr && button->text.isEmpty() && !button->icon.isNull())
                return {button->iconSize.width() + 2 * std::min(kind.padding, kAroundIcon), height};
            return {size.width() + 2 * kind.padding, height};
        }
        case CT_LineEdit:
            // That of a spin box or a cell has no frame.
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0)
                return {size.width() + 2 * kFieldPadding, std::max(kControl, size.height() + 2)};
            return size;
        case CT_SpinBox:
            return {size.width() + 2 * kFieldPadding + 4, std::max(kControl, size.height() + 2)};
        case CT_ComboBox:
            return {size.width() + kFieldPadding + kArrowRoom + 4, std::max(kControl, size.height() + 2)};
        case CT_CheckBox:
        case CT_RadioButton:
            return usual + QSize(2 * kAroundBox, 2 * kAboveBox);
        case CT_HeaderSection:
            return usual + QSize(2 * header_padding(widget), 0);
        case CT_ItemViewItem:
            return qobject_cast<const QTreeView*>(widget) != nullptr ? usual + QSize(0, 1) : usual;
        case CT_MenuBarItem:
            return size + QSize(18, 8);
        case CT_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
                if (item->menuItemType == QStyleOptionMenuItem::Separator)
                    return {size.width(), kMenuLine};
                const bool has_keys = item->text.contains(QLatin1Char('\t'));
                return {size.width() + kMenuLeft + menu_icon_room(*item) + kMenuRight + (has_keys ? 2 * kMenuGap : 0),
                        std::max(size.height(), item->fontMetrics.height()) + 12};
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
                return field_contents(option->rect);
            break;
        case SE_ShapedFrameContents:
        case SE_FrameContents:
            if (const Surface* surface = find_surface(widget))
                return option->rect.marginsRemoved(lines_of(*surface, option->direction));
            if (is_text_edit(widget)) {
                const int room = surface_of(widget) == QLatin1String("code") ? 2 : 5;
                return option->rect.adjusted(room, room, -room, -room);
            }
            if (is_frameless(widget))
                return option->rect;
            break;
        case SE_CheckBoxIndicator:
        case SE_CheckBoxContents:
        case SE_RadioButtonIndicator:
        case SE_RadioButtonContents:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
                QStyleOptionButton inner = *button;
                inner.rect.adjust(kAroundBox, kAboveBox, -kAroundBox, -kAboveBox);
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
            const int padding = header_padding(widget);
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
        return part == SC_SpinBoxEditField ? field_contents(rect) : QRect();
    }
    if (control == CC_ComboBox) {
        const auto placed = [&](const QRect& place) { return visualRect(option->direction, rect, place); };
        if (part == SC_ComboBoxArrow)
            return placed(QRect(rect.right() - kArrowRoom, rect.top(), kArrowRoom, rect.height()));
        if (part == SC_ComboBoxEditField)
            return placed(rect.adjusted(kFieldPadding, 1, -kArrowRoom - 1, -1));
        if (part == SC_ComboBoxFrame)
            return rect;
    }
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control == CC_ScrollBar && bar != nullptr) {
        const bool lies = bar->orientation == Qt::Horizontal;
        const QRect groove = rect.adjusted(kScrollMargin, kScrollMargin, -kScrollMargin, -kScrollMargin);
        const int room = lies ? groove.width() : groove.height();
        const qint64 span = static_cast<qint64>(bar->maximum) - bar->minimum;
        const int length =
            span == 0
                ? room
                : std::min(room, std::max(kLeastHandle, static_cast<int>(static_cast<qint64>(room) * bar->pageStep /
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

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    painter->save();
    const auto done = [painter] { painter->restore(); };
    switch (element) {
        case PE_Widget:
            if (const Surface* surface = find_surface(widget))
                draw_surface(*painter, *surface, *option);
            return done();
        case PE_PanelLineEdit: {
            const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            if (frame != nullptr && frame->lineWidth > 0)
                draw_field(*painter, *option, widget);
            else if (widget != nullptr &&
                     qobject_cast<const QAbstractItemView*>(widget->parentWidget() == nullptr
                                                                ? nullptr
                                                                : widget->parentWidget()->parentWidget()) != nullptr)
                painter->fillRect(option->rect, ink(Token::BgRaised));
            return done();
        }
        case PE_FrameLineEdit:
            return done();
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
            paint_tick(*painter,
                       alignedRect(option->direction, Qt::AlignCenter, {kIndicator, kIndicator}, option->rect),
                       has_state(*option, State_On), has_state(*option, State_NoChange));
            return done();
        case PE_IndicatorRadioButton: {
            const QRectF disc = option->rect;
            const bool on = has_state(*option, State_On);
            painter->setRenderHint(QPainter::Antialiasing);
            if (on)
                draw_box(*painter, disc, disc.width() / 2, ink(Token::OnAccent), ink(Token::AccentFill), 4);
            else
                draw_box(*painter, disc, disc.width() / 2, ink(Token::BgRaised), ink(Token::LineControl));
            return done();
        }
        case PE_FrameFocusRect:
            // Lists and tables have their ring from focus_ring.h, around a whole row.
            if (qobject_cast<const QAbstractItemView*>(widget) == nullptr)
                draw_ring(*painter, option->rect, kControlRadius);
            return done();
        case PE_IndicatorBranch:
            if (has_state(*option, State_Children))
                draw_icon(*painter, option->rect,
                          has_state(*option, State_Open) ? QStringLiteral("control/expanded")
                                                         : QStringLiteral("control/collapsed"),
                          Token::TextMuted);
            return done();
        case PE_PanelItemViewRow:
            if (has_state(*option, State_Selected))
                painter->fillRect(option->rect, ink(Token::BgSelected));
            return done();
        case PE_PanelItemViewItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
            if (item != nullptr && item->backgroundBrush.style() != Qt::NoBrush)
                painter->fillRect(option->rect, item->backgroundBrush);
            const bool selected = has_state(*option, State_Selected);
            const bool in_tree = qobject_cast<const QTreeView*>(widget) != nullptr;
            if (selected || (in_tree && has_state(*option, State_MouseOver))) {
                const QColor fill = ink(selected ? Token::BgSelected : Token::BgHover);
                if (surface_of(widget) == QLatin1String("choices") && qobject_cast<const QListView*>(widget) != nullptr)
                    fill_box(*painter, option->rect, 5, fill);
                else
                    painter->fillRect(option->rect, fill);
            }
            if (in_tree)
                painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                                  ink(Token::Line));
            return done();
        }
        case PE_IndicatorHeaderArrow:
        case PE_PanelScrollAreaCorner:
            return done();
        case PE_PanelTipLabel:
        case PE_PanelMenu:
            painter->setRenderHint(QPainter::Antialiasing, false);
            painter->fillRect(option->rect, ink(Token::LineControl));
            painter->fillRect(option->rect.adjusted(1, 1, -1, -1), ink(Token::BgRaised));
            return done();
        case PE_FrameMenu:
            return done();
        case PE_PanelMenuBar:
            painter->fillRect(option->rect, ink(Token::BgApp));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              ink(Token::Line));
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
                draw_button(*painter, *button, widget);
            return done();
        case CE_PushButtonLabel:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
                draw_button_label(*painter, *button, widget);
            return done();
        case CE_PushButton:
            drawControl(CE_PushButtonBevel, option, painter, widget);
            drawControl(CE_PushButtonLabel, option, painter, widget);
            return done();
        case CE_ShapedFrame:
            if (find_surface(widget) != nullptr || is_frameless(widget))
                return done();
            if (is_text_edit(widget)) {
                if (surface_of(widget) != QLatin1String("code"))
                    draw_field(*painter, *option, widget);
                else if (has_state(*option, State_HasFocus))
                    draw_ring(*painter, option->rect, 4);
                return done();
            }
            break;
        case CE_HeaderSection: {
            if (surface_of(widget == nullptr ? nullptr : widget->parentWidget()) != QLatin1String("choices"))
                painter->fillRect(option->rect, ink(Token::BgPanel));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              ink(Token::Line));
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
                title.palette.setColor(QPalette::ButtonText,
                                       ink(has_state(*option, State_MouseOver) ? Token::Text : Token::TextMuted));
                drawControl(CE_HeaderLabel, &title, painter, widget);
            }
            return done();
        case CE_Splitter:
            if (surface_of(widget) != QLatin1String("gap"))
                painter->fillRect(option->rect, ink(Token::Line));
            return done();
        case CE_ProgressBarGroove:
            return done();
        case CE_ProgressBarContents:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
                draw_progress(*painter, *bar);
            return done();
        case CE_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
                draw_menu_item(*painter, *item);
            return done();
        case CE_MenuBarEmptyArea:
            painter->fillRect(option->rect, ink(Token::BgApp));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              ink(Token::Line));
            return done();
        case CE_MenuBarItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
                const bool pressed = has_state(*option, State_Sunken);
                painter->fillRect(option->rect, ink(Token::BgApp));
                if (pressed || has_state(*option, State_Selected))
                    fill_box(*painter, option->rect, 4, ink(pressed ? Token::BgSelected : Token::BgHover));
                painter->setPen(ink(has_state(*option, State_Enabled) ? Token::Text : Token::TextMuted));
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
            draw_field(*painter, *option, widget);
            draw_icon(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget),
                      QStringLiteral("control/chevron"), Token::TextMuted);
            break;
        case CC_SpinBox:
            draw_field(*painter, *option, widget);
            break;
        case CC_ScrollBar:
            if (bar != nullptr && bar->maximum > bar->minimum)
                fill_box(*painter, subControlRect(control, option, SC_ScrollBarSlider, widget), 3,
                         ink(Token::LineControl));
            break;
        case CC_Slider:
            if (bar != nullptr && bar->orientation == Qt::Horizontal) {
                draw_slider(*painter, *bar, subControlRect(control, option, SC_SliderHandle, widget));
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
