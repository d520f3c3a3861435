// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/start_notes.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>
#include <QUrl>

#include "base/clock.h"
#include "desktop/shell/newer_version.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/report_dialog.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {
constexpr double kNoteSpacing = 24 * 3600;  // seconds
constexpr int kLookAgain = 3600 * 1000;     // ms
}  // namespace

StartNotes::StartNotes(Preferences* preferences, QWidget* parent)
    : QWidget(parent),
      preferences_(preferences),
      crash_(new InlineMessage),
      version_(new InlineMessage),
      asking_(nullptr, widgets::Executor::Kind::Waits) {
    setLayout(make_column({16, 12, 16, 0}, 8, {crash_, version_}));
    connect(crash_->addAction(tr("Show the report…")), &QPushButton::clicked, this, [this] {
        if (!report_)
            return;
        widgets::opened(new ReportDialog(tr("Report of the crash"), report_->text, window()));
        endCrash();
    });
    connect(crash_, &InlineMessage::dismissed, this, &StartNotes::endCrash);
    open_page_ = version_->addAction(tr("Open its page"));
    connect(open_page_, &QPushButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl(page_)); });
    connect(version_, &InlineMessage::dismissed, this, &StartNotes::fit);
    fit();
    daily_.setInterval(kLookAgain);
    connect(&daily_, &QTimer::timeout, this, &StartNotes::askForVersion);
}

void StartNotes::begin() {
    reading_.submit([] { return unseen_crash(); },
                    [this](const std::optional<CrashReport>& report) {
                        if (report)
                            showCrash(*report);
                    });
    daily_.start();
    askForVersion();
}

void StartNotes::showCrash(const CrashReport& report) {
    report_ = report;
    crash_->showMessage(
        InlineMessage::Kind::Note,
        tr("Trainyard ended unexpectedly on %1").arg(QLocale().toString(report.time, QLocale::ShortFormat)),
        tr("Runs continued. A report was saved in %1; nothing was sent.").arg(QFileInfo(report.file).path()));
    fit();
}

/// Takes no room without a note.
void StartNotes::fit() {
    setHidden(crash_->isHidden() && version_->isHidden());
}

/// The report was shown or dismissed: Help › Report a problem still has it.
void StartNotes::endCrash() {
    crash_->dismiss();
    fit();
    if (!report_)
        return;
    reading_.submit([report = *report_] { mark_crash_seen(report); }, [] {});
    report_.reset();
}

void StartNotes::askForVersion() {
    const double now = wall_seconds();
    const double asked = preferences_->versionAskedAt();
    if (!preferences_->looksForVersions() || preferences_->versionAddress().isEmpty() ||
        (asked <= now && now - asked < kNoteSpacing))
        return;
    preferences_->setVersionAskedAt(now);
    asking_.submit(
        [address = preferences_->versionAddress().toStdString()](const widgets::Operation& operation) {
            return ask_newest_release(address, operation.token());
        },
        [this](const Release& release) {
            if (!is_newer(release))
                return;
            page_ = qt(release.page);
            open_page_->setVisible(!page_.isEmpty());
            version_->showMessage(InlineMessage::Kind::Note, tr("Trainyard %1 is available").arg(qt(release.version)),
                                  tr("This is version %1. Runs that are active are not affected by an update.")
                                      .arg(QLatin1String(TRAINYARD_VERSION)));
            fit();
        },
        [](const QString&) {});  // asked again tomorrow; the settings show the reason
}

}  // namespace trainyard::desktop
