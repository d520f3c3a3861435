#pragma once
// Where it runs: the hosts by tick with the ranks of each, then what the question tree asks about hardware. With another host than this
// machine, Trainyard sees to addresses, ports and ranks itself.

#include <map>

#include "desktop/hosts/host_source.h"
#include "desktop/wizard/question_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HardwarePage : public QuestionPage {
    Q_OBJECT
  public:
    explicit HardwarePage(RunDraft* draft, QWidget* parent = nullptr);
    /// What is known of the hosts; those not to be used are left out.
    void setListing(const HostListing& listing);
    /// What stands for a host; empty: it is not there.
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
    std::vector<Line> lines_;
    std::map<std::string, int> usual_;  ///< ranks by host: its GPUs, else 1
    bool taking_ = false;
};

}  // namespace trainyard::desktop
