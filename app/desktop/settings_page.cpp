// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/settings_page.h"

#include <QLineEdit>
#include <QSysInfo>

#include <unistd.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/alarm_settings.h"
#include "desktop/appearance_settings.h"
#include "desktop/engine_link.h"
#include "desktop/machine_peaks.h"
#include "desktop/preferences.h"
#include "desktop/ui.h"
#include "run/paths.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::FieldRow;

SettingsPage::SettingsPage(Preferences* preferences, EngineLink* engine, MachinePeaks* peaks, QWidget* parent)
    : Page(tr("Settings"), parent),
      preferences_(preferences),
      engine_(engine),
      appearance_(new AppearanceSettings(preferences)),
      runs_(new QLineEdit),
      program_(new QLineEdit),
      about_(selectable(make_mono_label({}, 12, Tone::Secondary))) {
    setFacts(tr("Changes take effect immediately unless noted"));
    auto* outer = make_column({0, 0, 0, 0}, 8, {});
    QWidget* frame = make_holder(outer);
    frame->setMaximumWidth(820);
    scroll_ = widgets::make_upright_scroll(make_row({0, 4, 0, 12}, {{frame, 100}, stretch(1)}));
    body()->addWidget(scroll_, 1);
    auto section = [outer](const QString& title) {
        add_items(outer, {gap(outer->count() > 0 ? 6 : 0), make_title(title, 14)});
        auto* inside = make_column({16, 14, 16, 12}, 12, {});
        auto* panel = make_frame("panel", inside);
        outer->addWidget(panel);
        return inside;
    };

    section(tr("Appearance"))->addWidget(appearance_);

    QVBoxLayout* runs = section(tr("Runs"));
    runs_->setFont(Theme::instance().mono(12));
    runs_row_ =
        new FieldRow(tr("Folder for runs"), QString::fromLatin1(kEnvRuns), runs_,
                     preferences_->runsFolderIsGiven()
                         ? tr("set by the environment: a change is valid until the program is closed; runs in the old "
                              "folder stay where they are")
                         : tr("runs in the old folder stay where they are"));
    auto* choose = new QPushButton(tr("Folder…"));
    runs_row_->addBeside(choose);
    runs->addWidget(runs_row_);

    QVBoxLayout* engineSection = section(tr("Engine"));
    program_->setFont(Theme::instance().mono(12));
    program_->setReadOnly(true);
    program_row_ = new FieldRow(tr("Program"), QStringLiteral("trainyard"), program_);
    auto* chooseEngine = new QPushButton(tr("Choose…"));
    program_row_->addBeside(chooseEngine);
    add_items(engineSection,
              {program_row_,
               new FieldRow(tr("Peak of this machine"), {}, new PeaksPanel(peaks),
                            tr("The highest rate that runs measured on its processor; MFU is relative to it"))});

    auto* alarms = new AlarmSettings(AlarmService::rules());
    connect(alarms, &AlarmSettings::changed, this, &AlarmService::setRules);
    section(tr("Notifications"))->addWidget(alarms);

    QVBoxLayout* about = section(tr("About"));
    add_items(about, {about_, make_note(tr("Free software under the GNU General Public License, version 3 or later."),
                                        Tone::Muted)});
    auto* copy = with_look(new QPushButton(tr("Copy environment")), {.icon = "copy"});
    about->addLayout(make_row({copy, stretch()}));
    outer->addStretch();

    connect(appearance_, &AppearanceSettings::themeChosen, this, &SettingsPage::themeChosen);
    connect(runs_, &QLineEdit::textEdited, runs_row_, [this] { runs_row_->setProblem({}); });
    connect(runs_, &QLineEdit::editingFinished, this, [this] { takeRunsFolder(runs_->text().trimmed()); });
    connect(choose, &QPushButton::clicked, this, [this] {
        widgets::ask_folder(
            this, tr("Folder for runs"), [this](const QString& folder) { takeRunsFolder(folder); }, runs_->text());
    });
    connect(chooseEngine, &QPushButton::clicked, this, &SettingsPage::engineChooseRequested);
    connect(copy, &QPushButton::clicked, this, [this] { copy_text(environmentText()); });
    connect(engine_, &EngineLink::changed, this, &SettingsPage::refresh);
    refresh();
}

void SettingsPage::activate(const QString& subject) {
    refresh();
    to_runs_ = subject == QLatin1String(kRunsFolder);
    if (to_runs_)
        QTimer::singleShot(0, this, [this] { scroll_->ensureWidgetVisible(runs_row_); });
}

QWidget* SettingsPage::firstFocus() {
    if (to_runs_)
        return runs_;
    return appearance_->theme()->button(appearance_->theme()->current());
}

void SettingsPage::refresh() {
    appearance_->refresh();
    runs_->setText(qt(run::runs_root().string()));
    program_->setText(engine_->program());
    program_row_->setProblem(engine_->problem());
    about_->setText(environmentText());
}

QString SettingsPage::environmentText() const {
    return tr("Trainyard %1\nEngine %2\nQt %3\n%4, %5")
        .arg(QLatin1String(TRAINYARD_VERSION), engine_->isReady() ? engine_->version() : tr("not found"),
             QLatin1String(qVersion()), QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture());
}

void SettingsPage::takeRunsFolder(const QString& folder) {
    if (folder.isEmpty() || folder == qt(run::runs_root().string()))
        return;
    probe_.submit(
        [folder] {
            std::error_code error;
            const std::filesystem::path path = folder.toStdString();
            if (!path.is_absolute())
                return tr("“%1” is not an absolute path: begin it with /.").arg(folder);
            if (!std::filesystem::exists(path, error)) {
                try {
                    make_private_folder(path);
                } catch (const UserError& problem) {
                    return qtSentence(message_of(problem));
                }
            }
            return ::access(path.c_str(), W_OK | X_OK) == 0
                       ? QString()
                       : tr("The folder for runs “%1” is not writable: choose another or change its permissions.")
                             .arg(folder);
        },
        [this, folder](const QString& sentence) {
            runs_row_->setProblem(sentence);
            if (!sentence.isEmpty())
                return;
            runs_->setText(folder);
            preferences_->setRunsFolder(folder);
            emit runsFolderChanged(folder);
        });
}

}  // namespace trainyard::desktop
