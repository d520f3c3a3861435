// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text of others (names of runs, hosts, files, tensors, processes, messages of programs) is shown as it is. Qt takes a
// text that looks like HTML for HTML in labels, tool tips, message boxes and What's This: such a text could read a
// device, name files of this machine, or forge a question. Control characters could hide or reorder what is shown.

#include <QProxyStyle>
#include <QString>
#include <QStyledItemDelegate>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// `text` with control characters, bidirectional controls, invisible characters and letters of scripts that no
/// installed font has as escapes (\u202e). Line breaks and tabs are left as they are. Fast for a text without such
/// characters, which is returned unchanged.
QString visible_text(const QString& text);

/// `text` or its beginning (ElideMiddle: its ends, ElideLeft: its end), made visible and elided to `width` pixels.
/// ElideMiddle keeps the last part of a path whole, and as much of its start as fits, if there is room for that part.
/// Only as many characters are laid out as a line can show: a host may send names of megabytes.
QString elided_text(const QFontMetrics& metrics, const QString& text, Qt::TextElideMode mode, int width, int flags = 0);
/// The part of `text` that elided_text() lays out.
QString bounded_line(const QString& text, Qt::TextElideMode mode = Qt::ElideRight);

/// Installs an event filter for the whole application, once. Every label that leaves it to Qt to judge its text shows
/// plain text from then on; so do tool tips and message boxes, which consist of labels, and What's This. A label that
/// sets Qt::RichText itself is left as it is. Labels, buttons, combo boxes, menus, tool tips and item views without a
/// delegate of their own show visible_text(). Long tool tips are cut. The tool tip of a push button that is too narrow
/// for its text begins with that text.
void install_plain_text(QApplication& application);

/// Paints cells as QStyledItemDelegate does, with visible_text().
class PlainDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QString displayText(const QVariant& value, const QLocale& locale) const override;
};

/// Draws headers of tables and trees, which have no delegate, with visible_text(). Takes `base`.
class PlainStyle : public QProxyStyle {
    Q_OBJECT
  public:
    using QProxyStyle::QProxyStyle;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;

  protected:
    /// `size` with the width of the visible text of a button, which is wider than the text itself.
    static QSize visible_size(const QStyleOption* option, const QSize& size);
};

}  // namespace trainyard::widgets
