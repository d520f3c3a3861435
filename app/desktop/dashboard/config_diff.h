#pragma once
// What differs between this run's configuration and another's, as keys of run.yaml: the baseline, or the newest earlier run of the same
// name, or one that is chosen. Equal keys are counted, not shown. Files are read in a thread.

#include <string>
#include <vector>

#include <QFrame>
#include <QVector>

#include "run/paths.h"
#include "run/spec_keys.h"
#include "widgets/job.h"

class QComboBox;
class QLabel;
class QTableWidget;

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
    /// Looks which runs there are, and compares; hidden as long as there is none to compare with.
    void refresh();
    const ConfigDifferences& differences() const { return differences_; }

  private:
    struct Other {
        QString name;
        std::string folder;
    };
    struct Found {
        std::vector<Other> others;
        int first = -1;  ///< of others: to begin with
    };
    static Found find(const run::RunPaths& run);
    void compare();
    void show(const ConfigDifferences& differences);

    run::RunPaths run_;
    std::vector<Other> others_;
    QComboBox* against_;
    QTableWidget* table_;
    QLabel* words_;
    ConfigDifferences differences_;
    widgets::Job finding_, comparing_;
};

}  // namespace trainyard::desktop
