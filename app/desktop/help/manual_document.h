// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lays out a page of the manual in a QTextDocument: Markdown as Qt reads it, in fonts and colours of the theme, with an
// anchor at each heading. Fenced blocks become panels: added and removed lines of `diff` are coloured, and a block
// of Python with a block of C++ directly after it become two columns.

#include "desktop/help/manual.h"

class QTextDocument;

namespace trainyard::desktop {

void show_manual_page(QTextDocument* document, const ManualPage& page);

}  // namespace trainyard::desktop
