// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A row of choices of which one is on ("All | Live | Finished"). Checkable buttons inside, so that keys and screen
// readers work: Tab enters, arrows choose.

#include <QFrame>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::widgets {

class SegmentedControl : public QFrame {
    Q_OBJECT
  public:
    explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);
    int current() const { return current_; }
    void setCurrent(int index);  ///< emits currentChanged when it is another one
    void setLabel(int index, const QString& label);
    int count() const;
    QPushButton* button(int index) const;

  signals:
    void currentChanged(int index);

  private:
    QButtonGroup* group_;
    int current_ = 0;
};

}  // namespace trainyard::widgets
