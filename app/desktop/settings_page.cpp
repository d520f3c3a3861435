#include "desktop/settings_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSysInfo>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/alarm_settings.h"
#include "desktop/appearance_settings.h"
#include "desktop/engine_link.h"
#include "desktop/machine_peaks.h"
#include "desktop/preferences.h"
#include "run/paths.h"
#include "widgets/field_row.h"
#include "widgets/label.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::FieldRow;
using widgets::make_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

SettingsPage::SettingsPage(Preferences* preferences, EngineLink* engine, MachinePeaks* peaks, QWidget* parent)
    : Page(tr("Settings"), parent),
      preferences_(preferences),
      engine_(engine),
      appearance_(new AppearanceSettings(preferences)),
      runs_(new QLineEdit),
      program_(new QLineEdit),
      about_(widgets::make_mono_label({}, 12, Tone::Secondary)) {
    setFacts(tr("Changes apply immediately, or say when"));
    auto* scroll = widgets::make_scroll_area();
    auto* content = new QWidget;
    content->setProperty("surface", QStringLiteral("clear"));
    scroll->setWidget(content);
    body()->addWidget(scroll, 1);
    auto* line = new QHBoxLayout(content);
    line->setContentsMargins(0, 4, 0, 12);
    auto* frame = new QWidget;
    frame->setMaximumWidth(820);
    line->addWidget(frame, 100);
    line->addStretch(1);
    auto* outer = new QVBoxLayout(frame);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(8);
    auto section = [outer](const QString& title) {
        outer->addSpacing(outer->count() > 0 ? 6 : 0);
        outer->addWidget(make_label(title, 14, QFont::DemiBold));
        auto* panel = new QFrame;
        panel->setProperty("surface", QStringLiteral("panel"));
        auto* inside = new QVBoxLayout(panel);
        inside->setContentsMargins(16, 14, 16, 12);
        inside->setSpacing(12);
        outer->addWidget(panel);
        return inside;
    };

    section(tr("Appearance"))->addWidget(appearance_);

    QVBoxLayout* runs = section(tr("Runs"));
    runs_->setFont(Theme::instance().mono(12));
    runs_row_ =
        new FieldRow(tr("Folder for runs"), QStringLiteral("TRAINYARD_RUNS"), runs_,
                     preferences_->runsFolderIsGiven() ? tr("set by the environment, so it cannot be changed here")
                                                       : tr("runs in the old folder stay where they are"));
    auto* choose = new QPushButton(tr("Folder…"));
    runs_row_->addBeside(choose);
    runs->addWidget(runs_row_);
    runs_->setReadOnly(preferences_->runsFolderIsGiven());
    choose->setVisible(!preferences_->runsFolderIsGiven());

    QVBoxLayout* engineSection = section(tr("Engine"));
    program_->setFont(Theme::instance().mono(12));
    program_->setReadOnly(true);
    program_row_ = new FieldRow(tr("Program"), QStringLiteral("trainyard"), program_);
    auto* chooseEngine = new QPushButton(tr("Choose…"));
    program_row_->addBeside(chooseEngine);
    engineSection->addWidget(program_row_);
    engineSection->addWidget(new FieldRow(tr("Peak of this machine"), {}, new PeaksPanel(peaks),
                                          tr("What its processor computes at most, as runs measured it; the share of "
                                             "the peak (MFU) is a share of this")));

    auto* alarms = new AlarmSettings(AlarmService::rules());
    connect(alarms, &AlarmSettings::changed, this, &AlarmService::setRules);
    section(tr("Notifications"))->addWidget(alarms);

    QVBoxLayout* about = section(tr("About"));
    about_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    about->addWidget(about_);
    about->addWidget(make_label(tr("Free software under the GNU General Public License, version 3 or later."), 12,
                                QFont::Normal, Tone::Muted));
    auto* copyLine = new QHBoxLayout;
    auto* copy = new QPushButton(tr("Copy environment"));
    Theme::instance().bindIcon(copy, QStringLiteral("copy"), Token::Text);
    copyLine->addWidget(copy);
    copyLine->addStretch();
    about->addLayout(copyLine);
    outer->addStretch();

    connect(appearance_, &AppearanceSettings::themeChosen, this, &SettingsPage::themeChosen);
    connect(runs_, &QLineEdit::textEdited, runs_row_, [this] { runs_row_->setProblem({}); });
    connect(runs_, &QLineEdit::editingFinished, this, [this] { takeRunsFolder(runs_->text().trimmed()); });
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for runs"), runs_->text());
        if (!folder.isEmpty())
            takeRunsFolder(folder);
    });
    connect(chooseEngine, &QPushButton::clicked, this, &SettingsPage::engineChooseRequested);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(environmentText()); });
    connect(engine_, &EngineLink::changed, this, &SettingsPage::refresh);
    refresh();
}

QWidget* SettingsPage::firstFocus() {
    return appearance_->theme()->button(appearance_->theme()->current());
}

void SettingsPage::refresh() {
    appearance_->refresh();
    runs_->setText(QString::fromStdString(run::runs_root().string()));
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
    if (preferences_->runsFolderIsGiven() || folder.isEmpty() ||
        folder == QString::fromStdString(run::runs_root().string()))
        return;
    probe_.submit(
        [folder](const widgets::Cancelled&) {
            std::error_code error;
            const std::filesystem::path path = folder.toStdString();
            if (!path.is_absolute())
                return tr("“%1” is not an absolute path: begin it with /.").arg(folder);
            if (!std::filesystem::exists(path, error)) {
                try {
                    make_private_folder(path);
                } catch (const UserError& problem) {
                    return QString::fromUtf8(problem.what());
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
