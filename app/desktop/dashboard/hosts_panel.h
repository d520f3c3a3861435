// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The machines of a run, live: bars for GPU, memory and processors, temperature and power, and in words disks, network and room. From
// metrics/host-<host>/ (engine/run/README.md); a machine whose figures are old says so, and one that tells nothing is left out.

#include <optional>

#include <QFrame>
#include <QVector>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

/// What is known of a machine now. Shares are 0..1.
struct HostFigures {
    QString host;
    double time = 0;  ///< wall, of the newest point
    std::optional<double> gpu, gpu_memory, memory, processors;
    std::optional<double> temperature_c, power_w;                             ///< hottest GPU; all together
    std::optional<double> disk_read, disk_write, net_in, net_out, disk_free;  ///< bytes, a second
    int gpus = 0;
};
/// In the order of the ranks; machines that tell nothing are left out.
QVector<HostFigures> host_figures(const RunRecord& run);

class HostsPanel : public QFrame {
    Q_OBJECT
  public:
    static constexpr double kStale = 15;  ///< seconds; machines tell every 2 s
    static constexpr int kMostHosts = 4;  ///< with bars; more get a line each

    explicit HostsPanel(const RunRecord* run, QWidget* parent = nullptr);
    void refresh(double now);
    const QVector<HostFigures>& figures() const { return figures_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Bar {
        QString name;
        double share = 0;
        int color = 1;
    };
    static QVector<Bar> bars(const HostFigures& host);
    QString words(const HostFigures& host) const;
    int heightOf(const HostFigures& host) const;

    const RunRecord* run_;
    QVector<HostFigures> figures_;
    double now_ = 0;
};

}  // namespace trainyard::desktop
