// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ranks as child processes of this one: started without a shell, each with a socket pair (its control channel), a process group of
// its own, and the kernel's promise (PR_SET_PDEATHSIG) that it dies with us. What a rank leaves behind comes to us (sub-reaper) and goes
// with it; a rank that does not even die of SIGKILL is reported and not waited for.
//
// To be made and used in the thread that lives as long as the ranks shall: the death signal follows the thread. Reaps every child
// of the process: not for programs that have other children.

#include <memory>

#include "base/message.h"
#include "launch/supervisor/rank_machine.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::launch {

/// Returns a warning about a kernel of this release (uname -r): processes that train in several threads were seen to
/// hang on kernels before 5.5, as Accelerate warns, too. An empty string for others, and for a release that cannot be
/// read.
Message old_kernel_warning(const std::string& release, const std::string& host);

class OomWatch;

class LocalMachine final : public RankMachine {
  public:
    explicit LocalMachine(std::string host);
    ~LocalMachine() override;

    /// For runs of one rank, before start().
    void attach(const RankStreams& streams) { streams_ = streams; }

    const std::string& host() const override { return host_; }
    void start(const MachineOrder& order) override;
    void add_descriptors(std::vector<pollfd>& descriptors) const override;
    void take(RankListener& listener) override;
    void send(int rank, const std::string& line) override;
    void signal(int number) override;
    bool all_ended() const override;
    Message condition(int rank) const override;

  private:
    struct Child;
    Child* find(int rank) const;
    void read_output(Child& child, RankListener& listener);
    void read_control(Child& child, RankListener& listener);
    void flush(Child& child);
    void reap(RankListener& listener);
    void end(Child& child, int status, RankListener& listener, const Message& reason);
    void give_up_the_undying(RankListener& listener);

    std::string host_;
    RankStreams streams_;
    std::vector<std::unique_ptr<Child>> children_;
    std::unique_ptr<OomWatch> oom_;
    double followed_ = 0;   ///< monotonic, the last look at the groups of the ranks
    double killed_at_ = 0;  ///< monotonic, of SIGKILL; 0: not sent
    int was_reaper_ = 0;    ///< what this process was before
    bool swept_ = false;    ///< what the ranks left behind was ended
};

}  // namespace trainyard::launch
