// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The differences between this run's configuration and another run's, as keys of run.yaml. The other run is the
// baseline, the newest earlier run of the same name, or one that the user selects here or overlays on the loss. Equal
// keys are counted, not shown. Files are read in a thread.

#include <string>
#include <vector>

#include <QFrame>

#include "desktop/dashboard/other_runs.h"
#include "run/paths.h"
#include "run/spec_keys.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

struct KeyDifference {
    std::string key;
    std::string mine, theirs;  ///< empty: not there
    bool operator==(const KeyDifference&) const = default;
};

struct ConfigDifferences {
    std::vector<KeyDifference> keys;
    int equal = 0;
};
/// Compares all keys but those that differ in every run (creation time, folder).
ConfigDifferences compare_keys(const run::FlatKeys& mine, const run::FlatKeys& theirs);

class ConfigDiffPanel : public QFrame {
    Q_OBJECT
  public:
    explicit ConfigDiffPanel(run::RunPaths run, QWidget* parent = nullptr);
    /// Sets the runs to compare with. Compares with the first, unless another one was selected. Hidden if the list is
    /// empty.
    void offer(const OtherRuns& others);
    /// Compares with this run, if it was offered.
    void choose(const QString& folder);
    QString chosen() const;
    const ConfigDifferences& differences() const { return differences_; }

  private:
    void compare();
    void show(const ConfigDifferences& differences);

    run::RunPaths run_;
    QString wanted_;      ///< folder that the user chose
    QComboBox* against_;  ///< its data are folders
    widgets::CellRows* rows_;
    QTableView* table_;
    QLabel* words_;
    ConfigDifferences differences_;
    widgets::Job comparing_;
};

}  // namespace trainyard::desktop
