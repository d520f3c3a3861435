// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel with a text of the user, in Markdown.

#include "desktop/curves/panel_card.h"

namespace trainyard::widgets {
class TextView;
}

namespace trainyard::desktop {

class NoteCard : public PanelCard {
    Q_OBJECT
  public:
    explicit NoteCard(const PanelContext* context, QWidget* parent = nullptr);
    void refresh() override {}
    void release() override;

  protected:
    void fill() override;

  private:
    widgets::TextView* text_;
};

}  // namespace trainyard::desktop
