#pragma once
// The views of a test (desktop/view_state.h) in a folder of its own. A fixture's first member: pages save how they were looked at when they
// go, and that must not land in a folder that is gone already.

#include "desktop/view_state.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

class ViewsFolder {
  public:
    ViewsFolder() : former_(desktop::ViewState::instance().folder()) { reread(); }
    ~ViewsFolder() { desktop::ViewState::instance().setFolder(former_); }
    ViewsFolder(const ViewsFolder&) = delete;
    ViewsFolder& operator=(const ViewsFolder&) = delete;
    /// What is in memory is written and forgotten: as another process would find it.
    void reread() { desktop::ViewState::instance().setFolder(QString::fromStdString(folder_.path().string())); }

  private:
    QString former_;
    TemporaryFolder folder_;
};

}  // namespace trainyard::test
