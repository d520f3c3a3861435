// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line for the name of a model on a hub: asks in another thread, says what is asked for and what went wrong beside the field, and can be cancelled.

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
    void begin();
    void cancel();
    void show(const QString& words, bool problem);
    void arrange();

    QLineEdit* name_;
    QPushButton* look_up_;
    QPushButton* cancel_;
    QLabel* state_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
