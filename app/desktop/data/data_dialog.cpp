// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/data_dialog.h"

#include <QScrollArea>

#include "base/error.h"
#include "config/inputs/hub_files.h"
#include "desktop/data/data_panel.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/recipe_draft.h"
#include "run/spec.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

namespace {}  // namespace

DataDialog::DataDialog(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent)
    : QDialog(parent),
      host_(host),
      paths_(selectable(wrapped(make_mono_label({}, 12, Tone::Secondary)))),
      message_(wrapped(make_note({}))),
      panel_(new DataPanel),
      job_(nullptr, widgets::Executor::Kind::Waits) {
    setWindowTitle(tr("Data of the run"));
    resize(840_px, 640_px);
    auto* close = new QPushButton(tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    setLayout(make_column(12, {make_title(name, 16),
                               paths_,
                               message_,
                               {widgets::make_scroll_area(panel_), 1},
                               make_row({stretch(), close})}));
    message_->hide();
    panel_->showReading(host_);
    connect(&remote_, &RemoteData::changed, this, &DataDialog::showRemote);
    connect(panel_, &DataPanel::hostWanted, this, [this] {
        if (!asker_)
            asker_ = DialogAsker::make(this);
        remote_.retry(asker_);
    });
    job_.submit(
        [run, far = !host_.isEmpty()] {
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
            if (far) {
                found.recipe = recipe;
                return found;
            }
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

DataDialog::~DataDialog() {
    if (asker_)
        asker_->close();
}

void DataDialog::showFound(const RunData& found) {
    paths_->setText(found.paths);
    paths_->setVisible(!found.paths.isEmpty());
    message_->setText(found.problem);
    message_->setVisible(!found.problem.isEmpty());
    panel_->setVisible(found.problem.isEmpty());
    if (found.problem.isEmpty() && !host_.isEmpty() && found.hasPath)
        remote_.request({found.recipe, host_});
    else
        panel_->showLook(found.look, {}, found.hasPath, true);
}

void DataDialog::showRemote() {
    if (remote_.state() == RemoteData::State::Reading)
        panel_->showReading(host_);
    else if (remote_.state() == RemoteData::State::Failed)
        panel_->showNotRead(host_, remote_.problem());
    else
        panel_->showLook(remote_.look(), {}, true, true);
}

void show_data_of_run(const run::RunPaths& run, const QString& name, const QString& host, QWidget* parent) {
    widgets::opened(new DataDialog(run, name, host, parent));
}

}  // namespace trainyard::desktop
