// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/settings_page.h"

#include <QCheckBox>
#include <QLineEdit>

#include <unistd.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/alarm_settings.h"
#include "desktop/alarms/target_list.h"
#include "desktop/hosts/machine_peaks.h"
#include "desktop/launch/engine_link.h"
#include "desktop/shell/about_dialog.h"
#include "desktop/shell/appearance_settings.h"
#include "desktop/shell/newer_version.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/shortcut_editor.h"
#include "desktop/shell/ui.h"
#include "run/paths.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
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
      about_(selectable(make_mono_label({}, 12, Tone::Secondary))),
      asking_(nullptr, widgets::Executor::Kind::Waits) {
    setFacts(tr("Changes take effect immediately unless noted"));
    auto* outer = make_column({0, 0, 0, 0}, 8, {});
    QWidget* frame = make_holder(outer);
    frame->setMaximumWidth(820_px);
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
                         ? tr("Set by the environment: a change is valid until the program is closed; runs in the old "
                              "folder stay where they are")
                         : tr("Runs in the old folder stay where they are"));
    auto* choose = new QPushButton(tr("Folder…"));
    runs_row_->addBeside(choose);
    runs->addWidget(runs_row_);
    auto* awake = new QCheckBox(tr("Do not suspend while a run trains here"));
    awake->setChecked(preferences_->keepsAwake());
    connect(awake, &QCheckBox::toggled, this, [this](bool on) {
        preferences_->setKeepsAwake(on);
        emit keepAwakeChanged();
    });
    runs->addWidget(new FieldRow(tr("Sleep of this computer"), {}, awake,
                                 tr("While the window is open; asks systemd-logind, or the portal of the desktop")));

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
    add_items(section(tr("Notifications")), {alarms, new TargetList});

    addUpdates(section(tr("Newer versions")));

    auto* edit_shortcuts = new QPushButton(tr("Edit shortcuts…"));
    edit_shortcuts->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(edit_shortcuts, &QPushButton::clicked, this, [this] { widgets::opened(new ShortcutEditor(this)); });
    section(tr("Shortcuts"))
        ->addWidget(new FieldRow(tr("Keys of all commands"), {}, edit_shortcuts,
                                 tr("Lists every command with its shortcut, and changes it")));

    QVBoxLayout* about = section(tr("About"));
    add_items(about, {about_, make_note(tr("Free software under the GNU General Public License, version 3 or later."),
                                        Tone::Muted)});
    auto* copy = with_look(new QPushButton(tr("Copy environment")), {.icon = "copy"});
    auto* licences = new QPushButton(tr("Licences of all parts…"));
    connect(licences, &QPushButton::clicked, this, [this] { widgets::opened(new AboutDialog(engine_, this)); });
    about->addLayout(make_row({copy, licences, stretch()}));
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

void SettingsPage::addUpdates(QVBoxLayout* into) {
    auto* look = new QCheckBox(tr("Look for a newer version once a day"));
    look->setChecked(preferences_->looksForVersions());
    auto* address = new QLineEdit(preferences_->versionAddress());
    address->setFont(Theme::instance().mono(12));
    address->setPlaceholderText(QStringLiteral("https://…/releases/latest"));
    version_row_ = new FieldRow(tr("Address to ask"), {}, address,
                                tr("Answers with JSON of the latest release; nothing about you or your runs is sent"));
    auto* ask = new QPushButton(tr("Ask now"));
    version_row_->addBeside(ask);
    version_answer_ = wrapped(make_note({}));
    version_answer_->hide();
    add_items(into, {new FieldRow(tr("Check"), {}, look, tr("Off unless you switch it on; nothing is installed")),
                     version_row_, version_answer_});
    connect(look, &QCheckBox::toggled, this, [this, address](bool on) {
        preferences_->setLooksForVersions(on);
        if (on)
            askForVersion(address->text().trimmed());
    });
    connect(address, &QLineEdit::textEdited, version_row_, [this] { version_row_->setProblem({}); });
    connect(address, &QLineEdit::editingFinished, this,
            [this, address] { preferences_->setVersionAddress(address->text().trimmed()); });
    connect(ask, &QPushButton::clicked, this, [this, address] { askForVersion(address->text().trimmed()); });
}

void SettingsPage::askForVersion(const QString& address) {
    preferences_->setVersionAddress(address);
    version_answer_->hide();
    version_row_->setProblem(address.isEmpty() ? tr("Write the address that is asked, for example "
                                                    "https://example.org/trainyard/latest.json.")
                                               : QString());
    if (address.isEmpty())
        return;
    asking_.submit(
        [address = address.toStdString()](const widgets::Operation& operation) {
            return ask_newest_release(address, operation.token());
        },
        [this](const Release& release) {
            version_answer_->setText(is_newer(release)
                                         ? tr("Trainyard %1 is available.").arg(qt(release.version))
                                         : tr("This is the newest version: %1.").arg(QLatin1String(TRAINYARD_VERSION)));
            version_answer_->show();
        },
        [this](const QString& problem) { version_row_->setProblem(problem); });
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
    if (!runs_->isModified())  // a folder that is typed is not applied yet
        runs_->setText(qt(run::runs_root().string()));
    program_->setText(engine_->program());
    program_row_->setProblem(engine_->problem());
    about_->setText(environmentText());
}

QString SettingsPage::environmentText() const {
    return AboutDialog::environmentText(*engine_);
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
