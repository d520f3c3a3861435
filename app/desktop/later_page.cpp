#include "desktop/later_page.h"

#include <QPushButton>

#include "widgets/empty_state.h"

namespace trainyard::desktop {

LaterPage::LaterPage(const QString& title, const QString& icon, const QString& sentence, const QString& today,
                     QWidget* parent)
    : Page(title, parent) {
    auto* empty = new widgets::EmptyState(icon, sentence, today);
    runs_ = empty->addAction(tr("Go to Runs"), QStringLiteral("runs"));
    connect(runs_, &QPushButton::clicked, this, &LaterPage::runsRequested);
    body()->addWidget(empty, 1);
}

QWidget* LaterPage::firstFocus() {
    return runs_;
}

}  // namespace trainyard::desktop
