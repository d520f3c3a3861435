#pragma once
// Where one was in the window, and the way back: values, no widgets.

#include <QJsonObject>
#include <QVector>

#include "desktop/rail.h"

namespace trainyard::desktop {

struct Location {
    Place place = Place::Runs;
    QString runId = {};
    bool launch = false;
    QString logs = {};  ///< a folder or file of logs, `host:path` for one of another machine
    bool operator==(const Location&) const = default;
    QJsonObject toJson() const;
    static Location fromJson(const QJsonObject& json);
};

class History {
  public:
    static constexpr int kMost = 50;

    /// The same place again changes nothing; what lay ahead is forgotten.
    void push(const Location& location);
    /// Nothing: there is no such step.
    const Location* step(int by);
    bool canGoBack() const { return at_ > 0; }
    QJsonObject toJson() const;
    void restore(const QJsonObject& json);
    const Location* current() const { return at_ < 0 ? nullptr : &list_[at_]; }

  private:
    QVector<Location> list_;
    int at_ = -1;
};

}  // namespace trainyard::desktop
