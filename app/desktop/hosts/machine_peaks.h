// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The highest speeds that runs have measured of this machine's processor (estimate/known_peaks.h). They are the peak
// FLOP/s of the MFU and the basis of estimated step times. The settings show them with their dates and can delete them,
// so that the next run measures again. The file is read and removed in a worker thread.

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <QWidget>

#include "estimate/known_peaks.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class MachinePeaks : public QObject {
    Q_OBJECT
  public:
    using Known = std::map<std::string, estimate::KnownPeak>;
    explicit MachinePeaks(QObject* parent = nullptr, std::filesystem::path file = estimate::known_peaks_file());
    void refresh();
    /// Deletes the measurements; the next run measures again.
    void forget();
    const Known& known() const { return known_; }
    /// Returns the peak of one of `ranks` ranks that compute at the same time, or nullopt if it was not measured.
    std::optional<estimate::KnownPeak> find(const std::string& format, int ranks, int threads) const;

  signals:
    void changed();
    void failed(const QString& sentence);

  private:
    std::filesystem::path file_;
    Known known_;
    widgets::Job reading_, removing_;
};

/// The measurements as lines, with a button that deletes them.
class PeaksPanel : public QWidget {
    Q_OBJECT
  public:
    explicit PeaksPanel(MachinePeaks* peaks, QWidget* parent = nullptr);
    QLabel* lines() const { return lines_; }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void show();
    MachinePeaks* peaks_;
    QLabel* lines_;
    QPushButton* again_;
    bool forgotten_ = false;
};

}  // namespace trainyard::desktop
