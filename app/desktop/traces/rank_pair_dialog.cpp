#include "desktop/traces/rank_pair_dialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/dialogs.h"
#include "widgets/label.h"

namespace trainyard::desktop {

RankPairDialog::RankPairDialog(const QStringList& ranks, int before, int after, const QString& range, QWidget* parent)
    : QDialog(parent), before_(new QComboBox), after_(new QComboBox) {
    setWindowTitle(tr("Compare two ranks"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    auto* form = new QFormLayout;
    before_->setObjectName(QStringLiteral("before"));
    after_->setObjectName(QStringLiteral("after"));
    before_->addItems(ranks);
    after_->addItems(ranks);
    before_->setCurrentIndex(before);
    after_->setCurrentIndex(after);
    form->addRow(tr("From"), before_);
    form->addRow(tr("To"), after_);
    layout->addLayout(form);
    auto* words = widgets::make_label(range, 12, QFont::Normal, widgets::Tone::Secondary);
    words->setWordWrap(true);
    layout->addWidget(words);
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
