// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Filters that the user has named: a row of buttons, each of which puts its filter into the field.

#include <QJsonArray>
#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::desktop {

class SavedFilters : public QWidget {
    Q_OBJECT
  public:
    explicit SavedFilters(QLineEdit* field);

    /// Saves the filter of the field.
    void save(const QString& name);
    /// Asks for the name; without a valid filter it puts the focus into the field.
    void askName();
    /// Adds what saves the filter of the field and what deletes a saved one.
    void fillMenu(QMenu* menu);
    /// Marks the filter that is in the field.
    void refresh();
    void restore(const QJsonArray& filters);

  signals:
    /// The list that restore() takes.
    void changed(const QJsonArray& filters);

  private:
    void rebuild();
    QLineEdit* field_;
    QVector<std::pair<QString, QString>> filters_;  ///< name and text
};

}  // namespace trainyard::desktop
