// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layouts with names, saved by ViewState under one key, and the part of a menu that saves, shows, renames and removes
// them.

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
    /// A layout that has the new name is replaced.
    void rename(const QString& from, const QString& to);
    /// Asks for a name and saves.
    void ask();
    /// Asks for a file: for other machines, and for `trainyard report --layout`.
    void askForFile();
    void askToOpen();
    void fill(QMenu* menu);

  signals:
    void chosen(const QJsonObject& layout);
    void failed(const QString& sentence);

  private:
    QJsonObject all() const;

    QString key_;
    std::function<QJsonObject()> current_;
    QWidget* parent_;
};

}  // namespace trainyard::desktop
