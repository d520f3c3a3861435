// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Launch page: verifies that a run will start, then starts it. A table of checks by host; the selected check is
// explained at the right, with solutions that change the draft. For this machine alone it often closes after a second.
// Cancel leaves no files or processes.

#include <functional>
#include <memory>

#include <QElapsedTimer>
#include <QTimer>

#include "desktop/launch/check_table.h"
#include "desktop/launch/launch_job.h"
#include "desktop/launch/launch_request.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class AppContext;
class CheckBar;
class CheckView;
class DialogAsker;
class EngineLink;

class LaunchPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "launch";  ///< in the registry of pages
    enum class Stage { Idle, Checking, Checked, Starting, Started, Cancelling };

    explicit LaunchPage(EngineLink* engine, QWidget* parent = nullptr);
    ~LaunchPage() override;
    QWidget* firstFocus() override;
    void primaryAction() override;

    void open(const LaunchRequest& request);
    /// Another job than the request's, for tests; the page owns it.
    void open(const LaunchRequest& request, LaunchJob* job);
    /// Name of the active run on this machine, or an empty string. A second run does not start automatically: the user
    /// decides, or queues it.
    void setBusy(const QString& runName) { busy_ = runName; }
    /// Host keys that the user accepted "this time only" on the Hosts page.
    void setAcceptedOnce(const remote::AcceptedKeys& keys) { accepted_once_ = keys; }

    Stage stage() const { return stage_; }
    bool isBusy() const override { return job_ != nullptr; }
    widgets::InlineMessage* message() const { return message_; }

  signals:
    void launched(const QString& runPath);
    /// Cancelled: nothing was started and no files are left; `words` may be empty.
    void left(const QString& words);
    /// Solutions that the user chose: a field of the wizard, other hosts, a smaller batch, a host's page, the folder
    /// for runs, the engine.
    void fieldRequested(const QString& key);
    void hostsChanged(const QVector<trainyard::remote::HostShare>& hosts);
    void smallerBatchRequested();
    void hostRequested(const QString& name);
    void runsFolderRequested();
    void engineRequested();

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    QWidget* makeDetails();
    void begin();
    bool queues() const;
    QModelIndex stopping() const;
    void whenChosen();
    void take(const remote::CheckResult& result);
    void checked(bool passed);
    void start(bool anyway);
    void cancel();
    LaunchJob* takeJob();  ///< deletes itself once it is cancelled
    void dropJob();
    void showCounts();
    void showDetails();
    void addWay(const QString& words, std::function<void()> go);
    void makeWays(const remote::CheckResult& result);
    void arrange();
    /// Cancels the job and removes its files, then calls `then` with messages about what could not be removed.
    void giveUp(std::function<void(const QStringList& leftBehind)> then);
    void setStage(Stage stage);

    EngineLink* engine_;
    LaunchRequest request_;
    int opened_ = 0;  ///< launches, as they were opened
    std::shared_ptr<DialogAsker> asker_;
    LaunchJob* job_ = nullptr;
    remote::AcceptedKeys accepted_once_;
    Stage stage_ = Stage::Idle;
    bool wait_ = false;   ///< look again and again, then start
    bool chose_ = false;  ///< the user has selected a row, which stays selected
    QElapsedTimer since_;
    QTimer clock_;
    QTimer look_again_;
    widgets::Job writing_;

    QString busy_;
    widgets::ElidedLabel* name_;
    widgets::SegmentedControl* when_;
    QCheckBox* auto_start_;
    QPushButton* again_;
    QPushButton* cancel_;
    QPushButton* anyway_;
    QMenu* anyway_menu_;
    widgets::InlineMessage* message_;
    CheckTable* table_;
    QLabel* counts_;
    widgets::StateChip* failed_;
    widgets::StateChip* warned_;
    QLabel* elapsed_;
    CheckBar* bar_;
    CheckView* view_;
    QScrollArea* right_;
    QLabel* detail_title_;
    widgets::StateChip* detail_chip_;
    QLabel* detail_text_;
    QLabel* detail_mend_;
    QFrame* evidence_;
    QLabel* evidence_text_;
    QLabel* ways_title_;
    QWidget* ways_holder_;
    QList<QPushButton*> ways_;
    QLabel* command_;
    widgets::ElidedLabel* place_;
};

/// Shows the launch page, which starts the run.
void open_launch(AppContext* app, const LaunchRequest& request);

}  // namespace trainyard::desktop
