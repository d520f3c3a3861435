// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sources of a folder of logs at the left of their curves: filter, ticks, last values. A click on the box ticks, a click on the name
// ticks, too; Ctrl+click (or O) shows that one only. Keys: Space ticks.

#include <QFrame>

#include "desktop/curves/log_list_model.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class LogList : public QFrame {
    Q_OBJECT
  public:
    explicit LogList(QWidget* parent = nullptr);
    LogListModel* model() const { return model_; }
    QListView* view() const { return view_; }
    QLineEdit* field() const { return field_; }

  signals:
    void filterChanged(const QString& words);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void applyFilter();
    void refreshHead();

    LogListModel* model_;
    QLineEdit* field_;
    QCheckBox* all_;
    QLabel* count_;
    QListView* view_;
    QTimer due_;
};

}  // namespace trainyard::desktop
