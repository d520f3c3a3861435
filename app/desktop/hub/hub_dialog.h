// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Chooses a model, tokenizer or data set of the hub by name: recent names, what the cache of this machine has, and the
// download of others. Opened from every place where the window takes a path of one.

#include <functional>

#include <QDialog>

#include "desktop/hub/hub_items.h"
#include "widgets/forward.h"
#include "widgets/job.h"

class QTreeWidget;

namespace trainyard::desktop {

class HubField;

class HubDialog : public QDialog {
    Q_OBJECT
  public:
    explicit HubDialog(HubItem item, QWidget* parent = nullptr);
    HubField* field() const { return field_; }
    QTableView* list() const { return list_; }
    QLabel* place() const { return place_; }
    QLabel* note() const { return note_; }
    /// The names of the cache have been read.
    bool isListed() const { return !job_.isRunning(); }

  signals:
    /// Its files are in this folder of the cache; the dialog is closed.
    void chosen(const QString& name, const QString& folder);

  private:
    void fill(const QVector<HubChoice>& choices);
    void showPlace(const HubPlace& place);

    const HubItem item_;
    HubField* field_;
    widgets::CellRows* names_;
    QTableView* list_;
    QLabel* note_;   ///< instead of the list while it is read or empty
    QLabel* place_;  ///< which hub and cache
    widgets::Job job_;
};

/// Opens the dialog over `parent`. `then` is called with a name as recipes write it and the folder in the cache, while
/// `parent` exists. Returns the dialog.
HubDialog* ask_hub(QWidget* parent, HubItem item, std::function<void(const QString& name, const QString& folder)> then);

}  // namespace trainyard::desktop
