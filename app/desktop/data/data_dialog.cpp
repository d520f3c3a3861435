// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/data_dialog.h"

#include <QScrollArea>

#include "base/error.h"
#include "config/inputs/hub_files.h"
#include "desktop/data/data_panel.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/recipe_draft.h"
#include "run/spec.h"
#include "widgets/dialogs.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

namespace {
constexpr QSize kDataDialogSize{860, 640};
}  // namespace

DataDialog::DataDialog(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent)
    : QDialog(parent),
      host_(host),
      paths_(selectable(wrapped(make_mono_label({}, 12, Tone::Secondary)))),
      message_(wrapped(make_note({}))),
      panel_(new DataPanel),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    setWindowTitle(tr("Data of the run"));
    resize(kDataDialogSize);
    auto* close = new QPushButton(tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    setLayout(make_column({20, 18, 20, 16}, 12,
                          {make_title(name, 16),
                           paths_,
                           message_,
                           {widgets::make_scroll_area(panel_), 1},
                           make_row({stretch(), close})}));
    message_->hide();
    panel_->showReading();
    job_.submit(
        [run] {
            RunData found;
            const run::RunSpec spec = run::read_spec(run.spec());
            if (spec.program) {
                found.problem = tr("The run starts a program, which reads its data itself.");
                return found;
            }
            config::Recipe recipe = spec.recipe;
            if (!recipe.data.plugin.empty()) {
                found.problem = tr("The data comes from the plug-in %1, not from files.").arg(qt(recipe.data.plugin));
                return found;
            }
            QStringList paths;
            for (const std::string& path : recipe.data.paths)
                paths << qt(path);
            found.paths = paths.join(QLatin1Char('\n'));
            found.hasPath = !paths.isEmpty();
            (void)inputs::settle_hub_names(recipe, nullptr);  // what is not in the cache is reported as missing
            found.look = look_at_data(with_weights(recipe));
            return found;
        },
        [this](const RunData& found) { showFound(found); },
        [this](const QString& sentence) {
            RunData found;
            found.problem = sentence;
            showFound(found);
        });
}

void DataDialog::showFound(const RunData& found) {
    paths_->setText(found.paths);
    paths_->setVisible(!found.paths.isEmpty());
    QString problem = found.problem;
    // Rows of the same paths on this machine may be others: which ones they are is said, too.
    if (problem.isEmpty() && !host_.isEmpty())
        problem =
            found.look.files > 0
                ? tr("The run trains on %1. These are the files with the same paths on this machine.").arg(host_)
                : tr("The run trains on %1, and its data is there. Rows of other machines are not downloaded: open "
                     "this run in Trainyard on that machine to see them.")
                      .arg(host_);
    message_->setText(problem);
    message_->setVisible(!problem.isEmpty());
    panel_->setVisible(found.problem.isEmpty() && (host_.isEmpty() || found.look.files > 0));
    panel_->showLook(found.look, {}, found.hasPath, true);
}

void show_data_of_run(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent) {
    widgets::opened(new DataDialog(run, name, host, parent));
}

}  // namespace trainyard::desktop
