// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Usability and accessibility checks of a window's widgets: text that is cut off, controls without an accessible name,
// an illogical Tab order, an invisible focus. Each function returns one sentence per problem.

#include <QStringList>

class QWidget;

namespace trainyard::test {

/// Returns texts of labels, buttons, fields, combo boxes and headers that are cut off without a tooltip with the full
/// text, controls that are partly outside of their parent, and figures in tables. Other cells of item views are not
/// checked, because they elide their texts.
QStringList clipped_texts(const QWidget* window);

/// Widgets that are lower than the smallest height of their layouts at their width: their parts are cut or lie over
/// each other. Widgets with a minimum height of their own are not checked.
QStringList squeezed_panels(const QWidget* window);

/// Columns of tables and trees that cut words although the columns together have room for all of them.
QStringList needlessly_cut_columns(const QWidget* window);

/// Buttons and fields that touch the edge of the panel around them.
QStringList controls_at_edges(const QWidget* window);

/// Buttons that show only an icon and are much wider than it.
QStringList stretched_icons(const QWidget* window);

/// Widgets under `page`, also hidden ones, whose layouts need more than `width` pixels.
QStringList wide_parts(const QWidget* page, int width);

/// Labels and controls of one parent that lie over each other.
QStringList overlapping_texts(const QWidget* window);

/// Labels and controls of different parents that lie over each other, because a panel is drawn over its neighbour.
/// Widgets that no layout and no splitter places, such as messages over a list, may lie over others.
QStringList covered_texts(const QWidget* window);

/// Labels and controls that are partly outside of a widget around them that does not scroll.
QStringList unreachable_texts(const QWidget* window);

/// Columns of tables whose titles do not start where their cells do (right-aligned ones: end), as painted. Not for
/// mirrored windows, in which cells are not mirrored.
QStringList misaligned_titles(QWidget* window);

/// Scroll areas whose end is blank: the content is higher than the area and than what is in it.
QStringList blank_ends(const QWidget* window);

/// Links whose words start a few pixels beside those of a label above or below them, as painted. Not for mirrored
/// windows.
QStringList shifted_links(const QWidget* window);

/// Blank lines across a dialog, if it has more than one: the rest of its height is meant to be in one place.
QStringList blank_gaps(const QWidget* dialog);

/// Controls without an accessible name.
QStringList nameless_controls(const QWidget* window);

/// Tab moves from one control to another that precedes it: above it and not in a column further right, or left of it in
/// the same row. Also reported: Tab never returns to the first control, leaves a control out, or gives the focus to one
/// that is not on the screen; Shift+Tab goes another way. The window must be active.
QStringList jumping_focus(QWidget* window);

/// Controls under `page` whose appearance on the screen does not change with the keyboard focus, and rings that are
/// partly covered. The window must be active.
QStringList unseen_focus(QWidget* page);

}  // namespace trainyard::test
