// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Returns the keyboard focus to the same control after a window has made its parts again.

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "desktop/shell/part_place.h"

namespace trainyard::desktop {

/// The control with the focus, and in a list, table or tree also the rows and columns that lead to the current item.
struct FocusPlace {
    QVector<PartStep> part;
    QVector<QPoint> item;  ///< x: column, y: row; outermost first
};

/// A control that the new page makes, shows or enables later gets the focus then: within kPatience, and unless the user
/// presses a key or a mouse button before. Until then, and if there is no room for it, one near it has the focus. GUI
/// thread only.
class FocusReturn : public QObject {
    Q_OBJECT
  public:
    static constexpr int kPatience = 10'000;  // ms

    explicit FocusReturn(QObject* parent = nullptr);
    /// Returns the place of the focus of the window inside `root`, or the place that is still awaited there. Empty if
    /// the focus is somewhere else.
    FocusPlace place(const QWidget* root) const;
    /// Replaces what was awaited in the window of `root`.
    void begin(QWidget* root, const FocusPlace& place);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< of the application, while a control is awaited

  private:
    struct Awaited {
        QPointer<QWidget> root;
        FocusPlace place;
        int attempts = 0;
    };
    void attempt();
    void stop();

    QVector<Awaited> awaited_;
    QTimer timer_;
};

}  // namespace trainyard::desktop
