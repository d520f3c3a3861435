// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of the style (style.h): sizes of controls (style_metrics.cpp), painting of controls (style_controls.cpp),
// surfaces and palettes (style_surfaces.cpp), popups (style_popups.cpp).
// For style.cpp, theme.cpp and controls.cpp only.

#include <QColor>
#include <QFont>
#include <QMargins>
#include <QRect>
#include <QString>
#include <QStyle>
#include <QStyleOption>

#include "widgets/pixels.h"
#include "widgets/token.h"

class QAbstractButton;
class QComboBox;
class QPainter;
class QWidget;

namespace trainyard::widgets::style {

// ---- sizes ----

inline const int& kControl = live_px(30);  ///< height of buttons and fields
inline constexpr int kControlRadius = 6, kPanelRadius = 8;
inline const int& kFieldPadding = live_px(9);  ///< from the edge of a field to its text, with the line
inline const int& kArrowRoom = live_px(24);    ///< of a combo box
inline const int& kIndicator = live_px(16);
inline const int &kAroundBox = live_px(5), &kAboveBox = live_px(3);  ///< room for the ring of a check box
inline const int& kHandle = live_px(14);                             ///< of a slider
inline const int& kAroundLink = live_px(5);                          ///< room beside its words for the ring
inline const int& kAroundIcon = live_px(9);                          // of a button that has only an icon
inline const int& kAroundEntry = live_px(12);   ///< above and below the words of an entry to choose, in all
inline const int& kMenuScroller = live_px(22);  ///< at the ends of a menu that is higher than the screen
inline const int &kScrollBar = live_px(14), &kScrollMargin = live_px(2), &kLeastHandle = live_px(32);
inline const int& kItemPadding = live_px(10);
inline const int& kTablePadding = live_px(6);  ///< of cells that Qt paints
inline const int &kMenuIcon = live_px(16), &kMenuLeft = live_px(10), &kMenuRight = live_px(24), &kMenuGap = live_px(8),
                 &kMenuLine = live_px(9);

struct ButtonKind {
    const char* name;
    int padding;     ///< beside the text, with the line, pixels
    int height;      ///< at least
    Token text;      ///< and of the icon's neighbour
    bool has_frame;  ///< a line and a background while nothing points to it
    int weight = QFont::Medium;
};

/// The kind of a button by its property, with the sizes of the text size now.
ButtonKind kind_of(const QWidget* widget);
/// Whether it is a button that looks like a link: nothing but its words.
bool is_link(const QWidget* widget);
inline constexpr QFont::Weight kChosenSegment = QFont::DemiBold;
/// The pixels that the text of a segment needs more while it is the chosen one.
int heavier_text(const QStyleOption* option, const QWidget* widget);
/// Returns the width in pixels of a button that may elide its text (ButtonLook::elides): room for a few letters.
int narrowest(const QAbstractButton& button);
QRect field_contents(const QRect& rect);
/// On both sides of the title of a column.
int header_padding(const QWidget* header);
int menu_icon_room(const QStyleOptionMenuItem& option);

// ---- controls ----

QColor ink(Token token);
bool has_state(const QStyleOption& option, QStyle::StateFlag flag);
/// A drawing of resources/icons in the middle of `area`.
void draw_icon(QPainter& painter, const QRect& area, const QString& name, Token token, int size = 16_px);
void draw_button(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget);
/// Icon and text, in the middle; what has no room is elided.
void draw_button_label(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget);
void draw_field(QPainter& painter, const QStyleOption& option, const QWidget* widget);
void draw_menu_item(QPainter& painter, const QStyleOptionMenuItem& option);
void draw_slider(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle);
void draw_progress(QPainter& painter, const QStyleOptionProgressBar& option);

// ---- surfaces ----

struct Surface {
    const char* name;
    Token fill;
    bool framed;  ///< with a line all around
    Token line;
    int radius;
    Qt::Edge edge = Qt::Edge();  ///< with a line there only
};

QString surface_of(const QWidget* widget);
/// Null: the widget has none.
const Surface* find_surface(const QWidget* widget);
void draw_surface(QPainter& painter, const Surface& surface, const QStyleOption& option);
/// The room that the lines of a frame take.
QMargins lines_of(const Surface& surface, Qt::LayoutDirection direction);
bool is_text_edit(const QWidget* widget);
/// Views and scroll areas have no frame: what they are in has one.
bool is_frameless(const QWidget* widget);
/// Sets the palette of all widgets, and those of some classes.
void set_palettes(bool dark);

// ---- popups ----

/// Whether it is the window with the list of a combo box.
bool is_combo_list(const QWidget* widget);
/// Gives the list of a combo box rows as other lists have them, unless it has its own.
void set_list_look(QComboBox* box);
/// Whether it is a window with round corners over others: a menu, a list to choose from, a panel or a tool tip.
bool is_round_popup(const QWidget* widget);
/// Lets what is behind the corners of a popup be seen. Call it before its window is created.
void round_corners(QWidget* popup);
/// Paints the background of a popup and the line around it.
void draw_popup(QPainter& painter, const QStyleOption& option, const QWidget* widget);

}  // namespace trainyard::widgets::style
