// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What nobody sits there to do: start the sample run by its button, wait until it is over, take a picture, leave with
// an exit code. Serves `packaging/quickstart` without a display, the tests and the screenshots.

#include <QObject>
#include <QTimer>

#include "desktop/shell/options.h"

namespace trainyard::desktop {

class MainWindow;

class Autopilot : public QObject {
    Q_OBJECT
  public:
    Autopilot(MainWindow* window, const Options& options, QObject* parent = nullptr);
    /// Nothing to do when neither --autostart nor --screenshot was given.
    void start();

  private:
    void clickSample();
    void watch();
    void finish(int code);
    bool saveScreenshot();

    MainWindow* window_;
    Options options_;
    QTimer poll_;
    int waited_ms_ = 0;
    bool over_ = false;
};

}  // namespace trainyard::desktop
