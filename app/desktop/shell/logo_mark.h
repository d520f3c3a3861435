// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mark of the program: two tracks that leave one line, like curves falling from the same start.

#include <QIcon>
#include <QWidget>

namespace trainyard::desktop {

class LogoMark : public QWidget {
    Q_OBJECT
  public:
    explicit LogoMark(QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;
};

QIcon applicationIcon();

}  // namespace trainyard::desktop
