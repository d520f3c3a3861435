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

LaterPage* LaterPage::of(Place place) {
    switch (place) {
        case Place::Estimator:
            return new LaterPage(tr("Estimator"), QStringLiteral("estimate"),
                                 tr("Estimates of memory and time come with a later version."),
                                 tr("New run shows parameters and tokens of a recipe today."));
        case Place::Traces:
            return new LaterPage(tr("Traces"), QStringLiteral("trace"),
                                 tr("Profiler traces come with a later version."),
                                 tr("A run's dashboard shows step time and throughput today."));
        default:
            return new LaterPage(
                tr("Checkpoints"), QStringLiteral("ckpt"), tr("Looking into checkpoints comes with a later version."),
                tr("Runs save them today: a run's dashboard lists each one, as safetensors with Hugging "
                   "Face names."));
    }
}

QWidget* LaterPage::firstFocus() {
    return runs_;
}

}  // namespace trainyard::desktop
