// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/start_notes.h"

#include <utility>

#include <QDesktopServices>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>
#include <QUrl>

#include "base/clock.h"
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
    : QWidget(parent), preferences_(preferences), asking_(nullptr, widgets::Executor::Kind::Waits) {
    setLayout(make_column({16, 12, 16, 0}, 8, {}));
    renew();
    act_every(daily_, kLookAgain, this, &StartNotes::askForVersion);
}

void StartNotes::renew() {
    delete std::exchange(crash_, new InlineMessage);
    delete std::exchange(version_, new InlineMessage);
    layout()->addWidget(crash_);
    layout()->addWidget(version_);
    connect(crash_->addAction(tr("Show the report…")), &QPushButton::clicked, this, [this] {
        if (!report_)
            return;
        widgets::opened(new ReportDialog(tr("Report of the crash"), report_->text, window()));
        endCrash();
    });
    connect(crash_, &InlineMessage::dismissed, this, &StartNotes::endCrash);
    open_page_ = version_->addAction(tr("Open its page"));
    connect(open_page_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl(qt(newer_ ? newer_->page : std::string()))); });
    connect(version_, &InlineMessage::dismissed, this, [this] {
        newer_.reset();
        fit();
    });
    if (report_)
        showCrash();
    if (newer_)
        showNewer();
    fit();
}

void StartNotes::begin() {
    reading_.submit([] { return unseen_crash(); },
                    [this](const std::optional<CrashReport>& report) {
                        report_ = report;
                        if (report_)
                            showCrash();
                    });
    daily_.start();
    askForVersion();
}

void StartNotes::showCrash() {
    crash_->showMessage(
        InlineMessage::Kind::Note,
        tr("Trainyard ended unexpectedly on %1").arg(QLocale().toString(report_->time, QLocale::ShortFormat)),
        tr("Runs continued. A report was saved in %1; nothing was sent.").arg(QFileInfo(report_->file).path()));
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
    asking_.submit([address = preferences_->versionAddress().toStdString()](
                       const widgets::Operation& operation) { return ask_newest_release(address, operation.token()); },
                   [this](const Release& release) {
                       if (!is_newer(release))
                           return;
                       newer_ = release;
                       showNewer();
                   },
                   [](const QString&) {});  // asked again tomorrow; the settings show the reason
}

void StartNotes::showNewer() {
    open_page_->setVisible(!newer_->page.empty());
    version_->showMessage(InlineMessage::Kind::Note, tr("Trainyard %1 is available").arg(qt(newer_->version)),
                          tr("This is version %1. Runs that are active are not affected by an update.")
                              .arg(QLatin1String(TRAINYARD_VERSION)));
    fit();
}

}  // namespace trainyard::desktop
