// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How an event of the journal is shown: icon, colour, title and a second line.

#include <QString>

#include "run/journal.h"
#include "widgets/token.h"

namespace trainyard::desktop {

struct EventWords {
    QString icon;
    widgets::Token color = widgets::Token::TextSecondary;
    QString title;
    QString more;  ///< may be empty
};

/// All that the journal says, in the language of the window.
QString event_text(const run::Event& event);
EventWords event_words(const run::Event& event);
/// Events that get a mark on the chart (not phases and evaluations: they would fill its edge).
bool is_marked(const run::Event& event);

}  // namespace trainyard::desktop
