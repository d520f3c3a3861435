// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line for the name of a model on a hub: looks it up or downloads it in another thread, reports what is requested and
// what went wrong next to the field, and can be cancelled.

#include <QWidget>

#include "desktop/estimator/model_source.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class HubField : public QWidget {
    Q_OBJECT
  public:
    explicit HubField(QWidget* parent = nullptr);

    /// Shows the line, with the name that is in it.
    void ask();
    /// The same with a name, which is looked up at once.
    void lookUp(const QString& name);
    bool isAsking() const { return job_.isRunning(); }

  signals:
    void found(const QString& name, const ReadModel& model);
    /// Nobody wants a model of a hub any more.
    void left();

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// Reads the model from the hub, or downloads its files before.
    void begin(bool download);
    void cancel();
    void show(const QString& words, bool problem);
    void arrange();

    QLineEdit* name_;
    QPushButton* look_up_;
    QPushButton* cancel_;
    QPushButton* download_;
    QLabel* state_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
