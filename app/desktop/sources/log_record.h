// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A log of another program as a source of curves: a folder of TensorBoard files (of any writer), or a file of another
// format. Reading runs in the pool (read_pool.h), and data appended to the files is picked up automatically. GUI
// thread.
//
// Growing files are read incrementally, and an incomplete last line or record is read once the rest is written. A file
// that was replaced or became shorter is read again from its start, and all its curves are replaced. Curves of a
// deleted file stay on the screen with a message. A damaged file is shown up to the damage.

#include <filesystem>

#include "desktop/curves/curve_source.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/sources/read_pool.h"
#include "desktop/sources/step_counters.h"
#include "widgets/mailbox.h"

namespace trainyard::desktop {

class LogRecord : public CurveSource {
    Q_OBJECT
  public:
    /// `place`: absolute path of a folder for Events, else of a file. `name`: display name, such as the path relative
    /// to the opened folder.
    LogRecord(std::filesystem::path place, LogKind kind, QString name, int color, QObject* parent = nullptr);

    /// Starts reading; further calls do nothing. Nothing is read before.
    void start();
    void take(const CurveBatch& batch, bool caught_up);  ///< called by the reader and by tests

    QString key() const override;
    /// The name that its writer gave it, or the display name of its place.
    QString name() const override;
    /// The display name of its place, which does not change.
    QString placeName() const { return name_; }
    /// Labels of its user, as Weights & Biases has them.
    QStringList labels() const;
    QString note() const;
    int colorNumber() const override { return color_; }
    void setColorNumber(int color) { color_ = color; }
    const std::filesystem::path& place() const { return place_; }
    LogKind kind() const { return kind_; }

    const std::vector<TagInfo>& tags() const override { return store_.tags(); }
    const widgets::Series& series(const std::string& tag) const override { return store_.series(tag); }
    const MediaPoints& media(const std::string& tag) const override { return store_.media(tag); }
    std::size_t mediaMet(const std::string& tag) const override { return store_.mediaMet(tag); }
    const ParameterWords& parameters() const override { return store_.parameters(); }
    widgets::XScale scale(widgets::XUnit unit) const override;
    bool isCaughtUp() const override { return caught_up_; }
    QStringList complaints() const override { return complaints_; }

    /// Time of the last data from the disk, seconds since 1970; 0: never. A log that grew in the last minute counts as
    /// active.
    double lastNews() const { return last_news_; }
    const CurveStore& store() const { return store_; }

  signals:
    void labelsChanged();
    void caughtUp();  ///< emitted once, after the data present at the start has been read

  private:
    class Reader;

    std::filesystem::path place_;
    LogKind kind_;
    QString name_;
    int color_ = 1;
    CurveStore store_;
    StepCounters counters_;
    QStringList complaints_;
    bool caught_up_ = false;
    double last_news_ = 0;
    widgets::Mailbox mailbox_;
    PooledWork reading_;
};

}  // namespace trainyard::desktop
