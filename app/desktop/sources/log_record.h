#pragma once
// Somebody else's log as a source of curves: a folder of TensorBoard files (of any writer), or a file of another format. Reading
// happens in the pool (read_pool.h); what is new on the disk comes by itself. GUI thread.
//
// Files that grow are read on, torn last lines and records wait for their rest, a file that was replaced or became shorter is read anew
// (everything comes again), what was deleted stays on the screen with a complaint, damaged files are shown up to the damage.

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
    /// `place`: absolute; a folder for Events, else a file. `name` as shown, e.g. the path below the folder that was opened.
    LogRecord(std::filesystem::path place, LogKind kind, QString name, int color, QObject* parent = nullptr);

    /// Begins to read; again: nothing. Until then it costs nothing.
    void start();
    void take(const CurveBatch& batch, bool caught_up);  ///< the reader's; tests call it too

    QString key() const override;
    QString name() const override { return name_; }
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

    /// When something last came from the disk, seconds since 1970; 0: never. A log that grew in the last minute may be called live.
    double lastNews() const { return last_news_; }
    const CurveStore& store() const { return store_; }

  signals:
    void caughtUp();  ///< once: what lay there has been read

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
