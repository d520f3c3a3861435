#pragma once
// What differs between this run's configuration and another's, as keys of run.yaml: the baseline, or the newest earlier run of the same
// name, or one that is chosen here or laid over the loss. Equal keys are counted, not shown. Files are read in a thread.

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
/// Keys that differ in every run (when it was made, where it lies) are left out.
ConfigDifferences compare_keys(const run::FlatKeys& mine, const run::FlatKeys& theirs);

class ConfigDiffPanel : public QFrame {
    Q_OBJECT
  public:
    explicit ConfigDiffPanel(run::RunPaths run, QWidget* parent = nullptr);
    /// What can be compared with; compares with the first of them, unless another one was chosen. Hidden without any.
    void offer(const OtherRuns& others);
    /// Compares with that one, if it was offered.
    void choose(const QString& folder);
    QString chosen() const;
    const ConfigDifferences& differences() const { return differences_; }

  private:
    void compare();
    void show(const ConfigDifferences& differences);

    run::RunPaths run_;
    QString wanted_;      ///< folder that somebody chose
    QComboBox* against_;  ///< its data are folders
    QTableWidget* table_;
    QLabel* words_;
    ConfigDifferences differences_;
    widgets::Job comparing_;
};

}  // namespace trainyard::desktop
