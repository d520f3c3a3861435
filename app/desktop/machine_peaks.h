#pragma once
// The highest speeds that runs have measured of this machine's processor (estimate/known_peaks.h), which the share of the peak (MFU) is told of and
// steps are estimated with; shown in the settings with their dates, and forgotten there so that the next run measures anew.
// The file is read and removed in a thread.

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
    /// The next run measures anew.
    void forget();
    const Known& known() const { return known_; }
    /// Of one of `ranks` ranks that compute at the same time; nothing: never measured so.
    std::optional<estimate::KnownPeak> of(const std::string& format, int ranks, int threads) const;

  signals:
    void changed();
    void failed(const QString& sentence);

  private:
    std::filesystem::path file_;
    Known known_;
    widgets::Job reading_, removing_;
};

/// Them as lines, with the button that forgets them.
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
