// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Notes of the program above the page: that it crashed before, and, if the user wants to know, that a newer version
// exists.

#include <optional>

#include <QTimer>
#include <QWidget>

#include "desktop/shell/crash_reports.h"
#include "desktop/shell/newer_version.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class Preferences;

class StartNotes : public QWidget {
    Q_OBJECT
  public:
    explicit StartNotes(Preferences* preferences, QWidget* parent = nullptr);
    /// Looks for a report of a crash, and asks for a newer version if that was not done within a day.
    void begin();
    /// Shows the notes again, in the language and text size of now.
    void renew();
    widgets::InlineMessage* crashNote() const { return crash_; }
    widgets::InlineMessage* versionNote() const { return version_; }

  private:
    void showCrash();
    void endCrash();
    void fit();
    void askForVersion();
    void showNewer();

    Preferences* preferences_;
    widgets::InlineMessage* crash_ = nullptr;
    widgets::InlineMessage* version_ = nullptr;
    QPushButton* open_page_ = nullptr;
    std::optional<Release> newer_;
    std::optional<CrashReport> report_;
    QTimer daily_;
    widgets::Job reading_;
    widgets::Job asking_;
};

}  // namespace trainyard::desktop
