// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where alarms are sent, in the settings: each target with a test message; changes apply at once, also to active runs.

#include <QWidget>

#include "alarms/delivery.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class TargetList : public QWidget {
    Q_OBJECT
  public:
    explicit TargetList(QWidget* parent = nullptr);
    QPushButton* addButton() const { return add_; }
    const alarms::Settings& settings() const { return settings_; }
    /// What the list says below its rows: the result of a test, or what is wrong with the file.
    QLabel* note() const { return note_; }

  signals:
    void shown();  ///< the file was read or written

  private:
    void load();
    void refresh();
    QWidget* row(const alarms::Target& target);
    void edit(const std::string& name);
    void test(const std::string& name);
    /// Changes the settings in a worker thread: another window or the user's editor may have changed them, too.
    void change(std::function<void(alarms::Settings&)> work);
    void say(const QString& words, bool error);

    alarms::Settings settings_;
    QVBoxLayout* rows_;
    QPushButton* add_;
    QLabel* note_;
    widgets::Job job_, test_;
};

}  // namespace trainyard::desktop
