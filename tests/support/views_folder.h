// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stores a test's views (desktop/shell/view_state.h) in a temporary folder. Must be the first member of a fixture,
// because pages save their views when they are destroyed, and the folder must still exist then.

#include "desktop/shell/view_state.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

class ViewsFolder {
  public:
    ViewsFolder() : former_(desktop::ViewState::instance().folder()) { reread(); }
    ~ViewsFolder() { desktop::ViewState::instance().setFolder(former_); }
    ViewsFolder(const ViewsFolder&) = delete;
    ViewsFolder& operator=(const ViewsFolder&) = delete;
    /// Writes views from memory to the disk and drops them, so that they are read again as in another process.
    void reread() { desktop::ViewState::instance().setFolder(QString::fromStdString(folder_.path().string())); }

  private:
    QString former_;
    TemporaryFolder folder_;
};

}  // namespace trainyard::test
