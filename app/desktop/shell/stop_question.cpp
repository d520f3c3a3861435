// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/stop_question.h"

#include "desktop/runs/run_store.h"
#include "desktop/text/translate.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

void ask_to_stop(QWidget* parent, RunStore* store, const RunSummary& run) {
    widgets::ask_before_loss(parent,
                             {tr("Stop the run"), tr("Stop %1?").arg(run.name),
                              tr("It stops after a checkpoint and can be resumed."), tr("Stop the run")},
                             [store, path = run.path] { store->request(path, QStringLiteral("stop")); });
}

}  // namespace trainyard::desktop
