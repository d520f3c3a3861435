// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Page of a model's architecture: a graph of nested blocks of a checkpoint, a recipe, an ONNX or a torch.export file;
// colours of the change against another checkpoint; details of the selected node. Files are read in other threads.

#include "desktop/architecture/drawn_graph.h"
#include "desktop/page.h"
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

    /// `subject`: a path for open().
    void activate(const QString& subject) override;
    QWidget* firstFocus() override;
    void find() override;
    void refresh() override;

    void open(const QString& path);
    /// The model of a recipe that need not be saved.
    void openRecipe(const QString& yaml, const QString& file);
    /// Colours the weights of the open checkpoint by their change against this one.
    void compareWith(const QString& path);
    /// The same as soon as what was requested is open; empty: with nothing.
    void compareWhenOpened(const QString& path);

    widgets::GraphView* view() const { return view_; }
    QTreeWidget* details() const { return details_; }
    QLineEdit* searchField() const { return search_; }
    widgets::InlineMessage* message() const { return message_; }
    bool isBusy() const;

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
    widgets::Job opening_, comparing_;
};

}  // namespace trainyard::desktop
