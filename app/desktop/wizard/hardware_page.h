// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The page of hardware: check boxes for the hosts with the number of ranks of each, then the hardware questions of the
// question tree. If other hosts than this machine are used, Trainyard chooses addresses, ports and ranks itself.

#include <map>

#include "desktop/hosts/host_source.h"
#include "desktop/wizard/question_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HardwarePage : public QuestionPage {
    Q_OBJECT
  public:
    explicit HardwarePage(RunDraft* draft, QWidget* parent = nullptr);
    /// Sets the known hosts; hosts marked as not to be used are left out.
    void setListing(const HostListing& listing);
    /// Widgets of the line of one host; `host` is empty for an unknown host.
    struct Line {
        std::string host;
        QCheckBox* tick = nullptr;
        QSpinBox* ranks = nullptr;
        widgets::ElidedLabel* facts = nullptr;
        QWidget* holder = nullptr;
    };
    Line line(const QString& host) const;

  signals:
    void hostsRequested();  ///< open the Hosts page

  protected:
    void takeValues() override;

  private:
    void addLine(const std::string& host, const QString& title, const QString& facts, int usual, int most);
    void take();
    void setOwnRanks(int ranks);

    QVBoxLayout* lines_layout_;
    QLabel* note_;
    QPushButton* open_hosts_;
    std::vector<Line> lines_;
    std::map<std::string, int> usual_;  ///< ranks by host: its GPUs, else 1
    bool taking_ = false;
};

}  // namespace trainyard::desktop
