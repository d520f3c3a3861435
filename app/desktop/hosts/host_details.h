// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One host in full: how it is reached, its GPUs, system, versions, links, the last hour, and what is wrong with it.

#include <QFrame>

#include "desktop/hosts/host_list.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class GpuTile;
class HostProblemPanel;
class HourChart;
class LinksMatrix;

class HostDetails : public QWidget {
    Q_OBJECT
  public:
    explicit HostDetails(QWidget* parent = nullptr);
    void setRow(const HostRow& row);
    void setEngine(const QString& version) { engine_ = version; }
    HostProblemPanel* problem() const { return problem_; }
    QPushButton* probeButton() const { return probe_; }
    QMenu* menu() const { return menu_; }

  signals:
    void probeRequested();
    void cancelRequested();
    void terminalRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Box {
        QFrame* frame = nullptr;
        QGridLayout* lines = nullptr;
        QList<QLabel*> labels;
        QList<QLabel*> values;
    };
    Box makeBox(const QString& title);
    static void fill(Box& box, const QVector<struct FactLine>& lines, bool stale);
    void arrangeTiles();
    void showReached(const HostRow& row);

    QString engine_;
    QFrame* panel_;
    QLabel* title_;
    widgets::StateChip* chip_;
    widgets::StateChip* runs_;
    QPushButton* terminal_;
    QPushButton* probe_;
    QPushButton* more_;
    QMenu* menu_;
    widgets::ElidedLabel* reached_;
    QLabel* age_;
    QGridLayout* tiles_;
    QWidget* tiles_holder_;
    QList<GpuTile*> gpu_tiles_;
    int columns_ = 0;
    int shown_tiles_ = 0;
    int arranged_ = 0;
    QWidget* boxes_;
    Box system_;
    Box versions_;
    QFrame* links_;
    LinksMatrix* matrix_;
    widgets::ElidedLabel* links_text_;
    QFrame* hour_;
    HourChart* chart_;
    QLabel* empty_label_;
    HostProblemPanel* problem_;
    bool asking_ = false;
};

}  // namespace trainyard::desktop
