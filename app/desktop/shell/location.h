// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where one is in the window, and the way back: values, no widgets.

#include <QJsonObject>
#include <QVector>

namespace trainyard::desktop {

/// A page and what of it: `runs`, `run:ID`, `logs:/folder`, `hosts:gpu-a`, `settings`. Pages are named by the keys of
/// pages/pages.h.
struct Location {
    QString page = QStringLiteral("runs");
    QString subject = {};

    bool operator==(const Location&) const = default;
    /// `page:subject`, or `page` alone; parse() is its inverse.
    QString text() const { return subject.isEmpty() ? page : page + QLatin1Char(':') + subject; }
    static Location parse(const QString& text);
};

/// Locations of this session and of those before it.
class History {
  public:
    static constexpr int kMost = 50;

    /// The same place again changes nothing; what lay ahead is forgotten.
    void push(const Location& location);
    /// Nothing: there is no such step.
    const Location* step(int by);
    /// Drops the current place and those before it, as long as they are of these pages: there is nothing to go back to.
    void leave(const QStringList& pages);
    bool canGoBack() const { return at_ > 0; }
    const Location* current() const { return at_ < 0 ? nullptr : &list_[at_]; }
    /// Without pages of `transient`: they mean nothing when the program starts again.
    QJsonObject toJson(const QStringList& transient = {}) const;
    /// Locations whose page is not one of `known` are left out.
    void restore(const QJsonObject& json, const QStringList& known);

  private:
    QVector<Location> list_;
    int at_ = -1;
};

}  // namespace trainyard::desktop
