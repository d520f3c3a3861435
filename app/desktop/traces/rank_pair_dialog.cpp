// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/rank_pair_dialog.h"

#include <QComboBox>
#include <QFormLayout>

#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

RankPairDialog::RankPairDialog(const QStringList& ranks, int before, int after, const QString& range, QWidget* parent)
    : QDialog(parent), before_(new QComboBox), after_(new QComboBox) {
    setWindowTitle(tr("Compare two ranks"));
    auto* form = new QFormLayout;
    before_->setObjectName(QStringLiteral("before"));
    after_->setObjectName(QStringLiteral("after"));
    before_->addItems(ranks);
    after_->addItems(ranks);
    before_->setCurrentIndex(before);
    after_->setCurrentIndex(after);
    form->addRow(tr("From"), before_);
    form->addRow(tr("To"), after_);
    auto* words = wrapped(make_note(range));
    setLayout(make_column(8, {form, words}));
    QPushButton* go = widgets::add_dialog_buttons(this, tr("Compare"));
    const auto check = [this, go] { go->setEnabled(before_->currentIndex() != after_->currentIndex()); };
    connect(before_, &QComboBox::currentIndexChanged, this, check);
    connect(after_, &QComboBox::currentIndexChanged, this, check);
    check();
}

int RankPairDialog::before() const {
    return before_->currentIndex();
}

int RankPairDialog::after() const {
    return after_->currentIndex();
}

}  // namespace trainyard::desktop
