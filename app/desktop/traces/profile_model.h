// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The profiles that were recorded: those of runs, and the traces that were opened lately. The newest is first.

#include <functional>

#include <QStringList>
#include <QVector>

#include "widgets/cell_table.h"

namespace trainyard::desktop {

struct RecordedProfile {
    QString run;          ///< name of the run, or the folder of other traces
    QString name;         ///< `step 1,200`, or the file
    QStringList paths;    ///< for TracesPage::openPaths(): the files of all ranks
    quint64 bytes = 0;    ///< 0: not known
    double recorded = 0;  ///< wall seconds; 0: not known
    bool operator==(const RecordedProfile&) const = default;
};

/// A folder that is searched for profiles.
struct ProfilePlace {
    QString path, name;
    bool operator==(const ProfilePlace&) const = default;
};

/// The profiles of these folders, and of `opened` those that are in none of them, the newest first. A file that is
/// missing is left out; a path on another host is not asked for. For another thread.
QVector<RecordedProfile> recordedProfiles(const QVector<ProfilePlace>& places, const QVector<QStringList>& opened,
                                          const std::function<bool()>& cancelled);

class ProfileModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column { Run, Name, Ranks, Size, Recorded, ColumnCount };
    using CellTable::CellTable;
    void setProfiles(const QVector<RecordedProfile>& profiles);
    const RecordedProfile& at(int row) const { return profiles_[row]; }

  protected:
    int rows() const override { return static_cast<int>(profiles_.size()); }
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    bool isNumber(int column) const override { return column == Ranks || column == Size; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    QVector<RecordedProfile> profiles_;
};

}  // namespace trainyard::desktop
