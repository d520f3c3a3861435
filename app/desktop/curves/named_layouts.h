// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layouts with names, saved by ViewState under one key, and the part of a menu that saves, shows and removes them.

#include <functional>

#include <QJsonObject>
#include <QObject>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::desktop {

class NamedLayouts : public QObject {
    Q_OBJECT
  public:
    /// `current`: the layout as it is now. `parent`: of the dialog that asks for a name.
    NamedLayouts(const QString& key, std::function<QJsonObject()> current, QWidget* parent);

    QStringList names() const { return all().keys(); }
    /// Returns the layout, empty if the name is unknown.
    QJsonObject layout(const QString& name) const { return all().value(name).toObject(); }
    void save(const QString& name);
    void remove(const QString& name);
    /// Asks for a name and saves.
    void ask();
    void fill(QMenu* menu);

  signals:
    void chosen(const QJsonObject& layout);

  private:
    QJsonObject all() const;

    QString key_;
    std::function<QJsonObject()> current_;
    QWidget* parent_;
};

}  // namespace trainyard::desktop
