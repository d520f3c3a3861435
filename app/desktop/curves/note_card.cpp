// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/note_card.h"

#include <QBoxLayout>

#include "desktop/text/qt_text.h"
#include "widgets/plot/text_view.h"

namespace trainyard::desktop {

NoteCard::NoteCard(const PanelContext* context, QWidget* parent)
    : PanelCard(CardKind::Note, context, parent), text_(new widgets::TextView(tr("Text"))) {
    body()->addWidget(text_, 1);
}

void NoteCard::fill() {
    text_->setTexts({{-1, spec().panel ? qt(spec().panel->text) : QString(), false}});
}

void NoteCard::release() {
    text_->setTexts({});
}

}  // namespace trainyard::desktop
