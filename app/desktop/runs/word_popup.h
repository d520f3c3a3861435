// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A line to type into beside what it is about: tags, a note, the name of a filter. Enter takes it, Esc and a click elsewhere do not.

#include <functional>

#include <QFrame>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::desktop {

class WordPopup : public QFrame {
    Q_OBJECT
  public:
    /// `known`: words that are offered while the last one is typed.
    WordPopup(const QString& title, const QString& text, const QString& hint, const QStringList& known,
              std::function<void(const QString&)> taken, QWidget* parent);
    /// Left upper corner at `place`, on the screen.
    void popup(const QPoint& place);

  private:
    QLineEdit* line_;
    std::function<void(const QString&)> taken_;
};

}  // namespace trainyard::desktop
