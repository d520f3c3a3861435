// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hyper-parameters of the sources side by side: a row a name, a column a source. Names whose values differ stand out and come first.

#include "desktop/curves/panel_card.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ParametersModel;

class ParametersCard : public PanelCard {
    Q_OBJECT
  public:
    explicit ParametersCard(const PanelContext* context, QWidget* parent = nullptr);
    void refresh() override;
    void release() override;

  protected:
    void fill() override { refresh(); }
    void addToMenu(QMenu& menu) override;

  private:
    ParametersModel* model_;
    QTableView* table_;
};

}  // namespace trainyard::desktop
