// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Page of a model's architecture: a graph of nested blocks of a checkpoint, a recipe, an ONNX or a torch.export file;
// colours of the change against another checkpoint; details of the selected node. Files are read in other threads.

#include "desktop/architecture/drawn_graph.h"
#include "desktop/shell/open_target.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

class QTreeWidget;

namespace trainyard::widgets {
class GraphView;
}

namespace trainyard::desktop {

class ArchitecturePage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "architecture";

    explicit ArchitecturePage(QWidget* parent = nullptr);
    ~ArchitecturePage() override;

    /// `subject`: a path or `host:path` for open().
    void activate(const QString& subject) override;
    void takeOver(Page& before) override { activate(static_cast<ArchitecturePage&>(before).path_); }
    QWidget* firstFocus() override;
    void find() override;
    void refresh() override;

    void open(const QString& path);
    /// The model of a recipe that need not be saved.
    void openRecipe(const QString& yaml, const QString& file);
    /// Connects to a host and reads the headers of a checkpoint there, in another thread. Throws UserError.
    using ReadFar = std::function<OpenCheckpointPointer(const RemotePlace& place, const widgets::Cancelled& cancelled)>;
    /// Until it is set, places on hosts are taken for paths.
    void setFarReader(ReadFar read) { read_far_ = std::move(read); }
    /// Colours the weights of the open checkpoint by their change against this one.
    void compareWith(const QString& path);
    /// The same as soon as what was requested is open; empty: with nothing.
    void compareWhenOpened(const QString& path);

    widgets::GraphView* view() const { return view_; }
    QLineEdit* searchField() const { return search_; }
    widgets::InlineMessage* message() const { return message_; }
    bool isBusy() const override;

  signals:
    /// A model of the hub is to be opened, or compared with the open one.
    void hubRequested(bool compares);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void showArchitecture(const OpenArchitecturePointer& opened);
    void showDetails(int node);
    void search(const QString& words);
    void complain(const QString& sentence);
    void showReading(const QString& words);
    /// The host and the path there, if `path` is not a local file.
    std::optional<RemotePlace> farPlace(const QString& path) const;
    void askAddress(const QString& title, const std::function<void(const QString&)>& then);
    void askFile(const std::function<void(const QString&)>& then);
    void savePicture(bool vector);

    QString path_, recipe_;
    QString other_;  ///< to compare with once it is open
    OpenArchitecturePointer opened_;
    std::vector<double> changes_;
    QPushButton *open_, *compare_, *picture_;
    QLineEdit* search_;
    QLabel* found_;
    widgets::GraphView* view_;
    QTreeWidget* details_;
    QStackedWidget* stack_;
    widgets::InlineMessage* message_;
    widgets::EmptyState* reading_;
    ReadFar read_far_;
    widgets::Job opening_, comparing_;
};

}  // namespace trainyard::desktop
