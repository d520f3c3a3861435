// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How controls are measured and painted: Qt's Fusion, except for what the program's own look (design of the window)
// differs in. Colours come from Theme when something is painted, so a change of theme needs a repaint only. A widget
// chooses a look with one of these properties, set before it is shown:
//
//     kind      of a button: primary, danger, dangerFill, ghost, link, search, segment, hint; else a usual one
//     surface   of a frame or page: page, rail, status, header, panel, well, fact, palette, line, seg, clear; of a text
//               field: code; of a table or list: choices, found; of a splitter: gap
//     tone      of a link: error
//     path      of a button whose text is a path: true, and its last part is shown if there is no room for the whole
//     invalid   of a field (set_invalid())
//     padding   of the sections of a header, in pixels
//     focusRing of a widget without a look of its own: true, and it has a ring while it has the focus

#include <QPointer>

#include "widgets/plain_text.h"
#include "widgets/token.h"

namespace trainyard::widgets {

class Style : public PlainStyle {
    Q_OBJECT
  public:
    Style();
    ~Style() override;
    using PlainStyle::polish;
    /// Follows the keyboard focus with the ring of lists, tables and trees (style_focus.cpp).
    void polish(QApplication* application) override;
    void polish(QWidget* widget) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

  private:
    QPointer<QWidget> ring_;  ///< around what has the focus
};

}  // namespace trainyard::widgets
