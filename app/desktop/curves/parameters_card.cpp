// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/parameters_card.h"

#include <QHeaderView>
#include <QMenu>
#include <QTableView>

#include "desktop/curves/parameters_model.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {

/// The usual cells, in the font and colour that the model names.
class ParameterDelegate : public widgets::PlainDelegate {
  public:
    using PlainDelegate::PlainDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        PlainDelegate::initStyleOption(option, index);
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        const Theme& theme = Theme::instance();
        option->font = theme.mono(12, cell.strong ? QFont::DemiBold : QFont::Normal);
        option->fontMetrics = QFontMetrics(option->font);
        option->palette.setColor(QPalette::Text, theme.color(cell.ink));
    }
};

}  // namespace

ParametersCard::ParametersCard(const PanelContext* context, QWidget* parent)
    : PanelCard(CardKind::Parameters, context, parent),
      model_(new ParametersModel(this)),
      table_(named(new QTableView, tr("Parameters"))) {
    table_->setModel(model_);
    table_->setItemDelegate(new ParameterDelegate(table_));
    table_->setProperty("surface", QStringLiteral("choices"));
    widgets::set_quiet_look(table_, 22_px);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setWordWrap(false);
    body()->addLayout(make_column({8, 2, 8, 4}, {table_}), 1);
}

void ParametersCard::refresh() {
    const int before = model_->columnCount();
    model_->setSources(*context().sources);
    if (model_->columnCount() != before)
        table_->setColumnWidth(0, 150_px);
    const int rows = model_->rowCount();
    setFigure(model_->differing() > 0 ? tr("%1 of %2 differ").arg(model_->differing()).arg(rows)
                                      : QString::number(rows));
}

void ParametersCard::release() {
    model_->setSources({});
}

void ParametersCard::addToMenu(QMenu& menu) {
    menu.addAction(tr("Copy as a table"), this, [this] { copy_text(model_->text()); });
}

}  // namespace trainyard::desktop
