// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sweeps/sweep_commands.h"

#include <QInputDialog>
#include <QLocale>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/printable.h"
#include "config/recipe/recipe.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/start_look.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/opened_file.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {
constexpr int kMoreTrials = 10;
}  // namespace

SweepCommands::SweepCommands(EngineLink* engine, QWidget* page)
    : QObject(page), engine_(engine), page_(page), asking_(this, widgets::Executor::Kind::Waits) {}

void SweepCommands::openFile(const QString& file) {
    emit begun();
    asking_.beside(
        [path = file.toStdString()] {
            const sweep::SweepFile sweep = sweep::load_sweep(path);
            const bool is_program = !sweep.program.empty();
            std::optional<config::Recipe> recipe;
            if (!is_program)
                recipe = config::load_recipe(sweep.recipe);
            QStringList code = code_of_draft(recipe, is_program ? qt(sweep.program.front()) : QString(), {});
            QStringList words;
            for (const std::string& word : sweep.program)
                words << qt(word);
            for (const auto& [name, value] : sweep.environment)
                code << QStringLiteral("%1=%2").arg(qt(name), qt(value));
            if (is_program)
                code << words.join(QLatin1Char(' '));
            for (const std::string& flag : sweep.launch)
                if (flag.find("library") != std::string::npos || flag.find("config_file") != std::string::npos)
                    code << qt(fmt::format("{}", fmt::join(sweep.launch, " ")));
            return code;
        },
        [this, file](const QStringList& code) {
            if (code.isEmpty())
                return start(file);
            QStringList shown;
            for (const QString& part : code)
                shown << qt(text::printable(part.toStdString(), kMostOfCommand));
            ask_for_consent(page_,
                            {tr("Start a sweep with code that its file names?"),
                             tr("%1 names programs or libraries. With your rights, its trials execute:").arg(file),
                             {},
                             shown.join(QLatin1Char('\n')),
                             tr("Start")},
                            [this, file] { start(file); });
        },
        [this](const QString& sentence) { emit failed(tr("The sweep was not started"), sentence); });
}

void SweepCommands::start(const QString& file, std::function<void()> started_it,
                          std::function<void(const QString&)> failed_to) {
    emit begun();
    engine_->sweep({QStringLiteral("--detach"), QStringLiteral("--json"), file},
                   [this, started_it, failed_to](const QString& folder, const QString& error) {
                       if (folder.isEmpty()) {
                           failed_to ? failed_to(error) : emit failed(tr("The sweep was not started"), error);
                           return;
                       }
                       emit started(folder.section(QLatin1Char('/'), -1));
                       if (started_it)
                           started_it();
                   });
}

void SweepCommands::proceed(const sweep::StoredSweep& sweep, const QStringList& flags) {
    emit begun();
    emit proceeding(true);
    engine_->sweep(QStringList{QStringLiteral("--detach"), QStringLiteral("--json")} + flags +
                       QStringList{qt(sweep.folder.string())},
                   [this](const QString& folder, const QString& error) {
                       emit proceeding(false);
                       if (folder.isEmpty())
                           emit failed(tr("The sweep does not continue"), error);
                       emit changed();
                   });
}

void SweepCommands::askForMore(const sweep::StoredSweep& sweep) {
    const auto now = static_cast<int>(sweep.file.trials);
    auto* dialog = new QInputDialog(page_);
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setWindowTitle(tr("Add trials"));
    dialog->setLabelText(tr("Trials in all; the sweep has %1").arg(QLocale().toString(now)));
    dialog->setIntRange(now + 1, static_cast<int>(sweep::kMostTrials));
    dialog->setIntValue(now + kMoreTrials);
    dialog->setOkButtonText(tr("Continue"));
    connect(dialog, &QInputDialog::intValueSelected, this, [this, sweep](int trials) {
        proceed(sweep, {QStringLiteral("--trials"), QString::number(trials)});
    });
    widgets::opened(dialog);
}

void SweepCommands::perform(std::function<void()> work, const QString& title) {
    emit begun();
    asking_.beside(
        std::move(work), [this] { emit changed(); },
        [this, title](const QString& sentence) { emit failed(title, sentence); });
}

void SweepCommands::end(const sweep::StoredSweep& sweep, bool stop_trials) {
    perform([folder = sweep.folder, stop_trials] { sweep::ask_to_end(folder, stop_trials); },
            tr("The sweep was not asked to end"));
}

void SweepCommands::askToStop(const sweep::StoredSweep& sweep) {
    widgets::ask_before_loss(page_,
                             {tr("Stop the sweep"), tr("Stop the trials that run?"),
                              tr("They begin again from their first step when the sweep continues."), tr("Stop")},
                             [this, sweep] { end(sweep, true); });
}

void SweepCommands::askToDelete(const std::string& id) {
    const std::filesystem::path folder = sweep::sweeps_in(run::runs_root()) / id;
    widgets::ask_before_loss(
        page_,
        {tr("Delete the sweep"), tr("Delete %1?").arg(qt(id)),
         tr("The folder %1 is deleted. The runs of its trials stay in the list of runs.").arg(qt(folder.string())),
         tr("Delete")},
        [this, folder] { perform([folder] { sweep::delete_sweep(folder); }, tr("The sweep was not deleted")); });
}

void SweepCommands::editBest(const sweep::StoredSweep& sweep) {
    if (!sweep.best())
        return;
    emit begun();
    asking_.beside(
        [spec = run::RunPaths(run::runs_root() / sweep.trials.at(*sweep.best()).run).spec()] {
            if (!std::filesystem::exists(spec))
                throw UserError("the run of the best trial was deleted: {} is missing", spec.string());
            return qt(spec.string());
        },
        [this](const QString& file) { emit editAgainRequested(file); },
        [this](const QString& sentence) { emit failed(tr("The best trial cannot be edited"), sentence); });
}

}  // namespace trainyard::desktop
