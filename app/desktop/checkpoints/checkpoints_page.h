// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Page of checkpoints: lists and verifies them, shows their contents and changes, and removes them. All files are read
// in other threads; the window only shows the results.

#include <functional>
#include <memory>

#include <QTimer>

#include "desktop/checkpoints/checkpoint_list_panel.h"
#include "desktop/checkpoints/checkpoint_listing.h"
#include "desktop/shell/page.h"
#include "observe/inspect/conversion.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class CheckpointActions;
class DialogAsker;
class ExportMenu;
class Inspector;
class TensorPanel;

class CheckpointsPage : public Page {
    Q_OBJECT
  public:
    struct Run {
        QString path, name;
        bool operator==(const Run&) const = default;
    };

    static constexpr const char* kKey = "checkpoints";

    explicit CheckpointsPage(const QString& runsRoot, QWidget* parent = nullptr);
    ~CheckpointsPage() override;
    /// `subject`: an argument of open().
    void activate(const QString& subject) override;
    void takeOver(Page& before) override { activate(static_cast<CheckpointsPage&>(before).place_); }
    QWidget* firstFocus() override;
    void primaryAction() override { resumeChosen(); }
    void find() override;
    void refresh() override;

    /// Runs of this machine, newest first; those that have checkpoints are listed. Opens the first of them when nothing
    /// is open.
    void setRuns(const QList<Run>& runs);
    /// Opens a run, a folder of checkpoints, or one checkpoint. For `host:path` it is read over SSH, and only headers
    /// and the viewed tensors are downloaded.
    void open(const QString& path);
    void choose(int item);
    /// Compares with an item of the list, with TensorPanel::kOtherPlace, or, for -1, with nothing.
    void compareWith(int item);
    /// Compares with any checkpoint: a folder or file, a run (`llama`), a step of it (`llama@18000`), or `host:path`.
    void compareWithPlace(const QString& place);
    void verifyChosen();
    void pruneByPolicy();
    void removeChosen();
    void pinChosen();
    void resumeChosen();
    /// Writes the weights of the chosen one into a folder; conversion.sources are set here.
    void write(inspect::Conversion conversion);

    widgets::InlineMessage* message() const { return message_; }
    bool isBusy() const override;

  signals:
    /// `specFile`: run.yaml of the run, or empty if the checkpoint does not belong to a run. `checkpoint`: its folder.
    void resumeRequested(const QString& specFile, const QString& checkpoint);
    /// A checkpoint of a mirror that is on its host is to be copied to this machine; refresh() shows it then.
    void copyRequested(const QString& run, const QString& checkpoint);
    /// Prompts for the chosen checkpoint.
    void tryRequested(const QString& checkpoint);
    /// The graph of a checkpoint; `other`: one to compare it with, or empty.
    void architectureRequested(const QString& checkpoint, const QString& other);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void addActions();
    void makeHeader();
    void makeBody();
    void list(const QString& place);
    void reach(const RemotePlace& place);
    void askFile();
    void askFolder();
    void askHub();
    void askAddress();
    void fillCompareMenu();
    void findRuns();
    void showRemote(const inspect::CheckpointEntry& item);
    void showOthers();
    void compareWithOtherPlace();
    void beginComparing(const std::function<OpenCheckpointPointer()>& open_other, const QString& name);
    void comparingFailed(const QString& sentence);
    void showTensorOfOther(std::uint32_t tensor);
    void showListing(const QString& place, const CheckpointListing& listing);
    void showFacts();
    void showChosen(const OpenCheckpointPointer& checkpoint);
    void beginPass();
    void endPass();
    void endComparing();
    void cancelPasses();
    void takeFigures();
    void showTensor();
    void complain(const QString& title, const QString& sentence);
    void refuse(const QString& sentence);
    const inspect::CheckpointEntry* chosenItem() const;

    QString runs_root_, place_, wanted_;
    QString listed_;       ///< the place whose checkpoints are listed
    QString other_place_;  ///< to compare with, besides the items of the list; empty: none
    QList<Run> runs_, listed_runs_;
    double runs_found_s_ = -1e9;  ///< monotonic_seconds() when the runs were last asked for checkpoints
    int chosen_ = -1, other_ = -1;
    OpenCheckpointPointer checkpoint_, remote_;  ///< the shown checkpoint; the remote checkpoint
    OpenCheckpointPointer far_other_;            ///< the remote checkpoint at other_place_
    std::shared_ptr<DialogAsker> asker_;
    OpenComparisonPointer comparison_;
    std::shared_ptr<PassFeed> pass_, compared_;  ///< of the figures; of the comparison
    bool told_of_contents_ = false;              ///< the message is of the checkpoint that is shown
    double opened_s_ = 0;

    QComboBox* run_box_;
    QPushButton *open_folder_, *verify_, *export_, *resume_, *try_, *architecture_;
    ExportMenu* export_menu_;
    QStackedWidget* stack_;
    widgets::InlineMessage* message_;
    CheckpointActions* acting_;
    CheckpointListPanel* checkpoint_list_;
    TensorPanel* tensors_;
    Inspector* inspector_;
    QTimer look_;
    widgets::Job listing_, finding_, reaching_, reaching_other_, opening_, passing_, comparing_, other_figures_;
};

}  // namespace trainyard::desktop
