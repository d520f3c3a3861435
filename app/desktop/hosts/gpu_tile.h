// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One GPU: how busy, how much memory, temperature and power.

#include <QWidget>

#include "remote/host_facts.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class GpuTile : public QWidget {
    Q_OBJECT
  public:
    explicit GpuTile(QWidget* parent = nullptr);
    /// `stale`: of an earlier time, dimmed.
    void setGpu(const remote::GpuFacts& gpu, bool stale);
    QSize sizeHint() const override { return {196_px, 88_px}; }
    QSize minimumSizeHint() const override { return {148_px, 88_px}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    remote::GpuFacts gpu_;
    bool stale_ = false;
};

/// How two GPUs are joined, as squares: full for NVLink, lighter the longer the way. The words are in the tooltip.
class LinksMatrix : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    void setLinks(const std::vector<std::vector<std::string>>& links);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    std::vector<std::vector<std::string>> links_;
};

}  // namespace trainyard::desktop
