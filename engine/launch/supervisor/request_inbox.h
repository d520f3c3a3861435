// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The requests of a run: which have come, and which still wait for their answer.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "run/request.h"
#include "run/state.h"

namespace trainyard::launch {

class RequestInbox {
  public:
    /// `poll_s`: seconds between two looks where inotify reports nothing.
    RequestInbox(run::RunPaths paths, double poll_s) : paths_(std::move(paths)), poll_s_(poll_s) {}

    /// Watches the folder of the requests, which may be a new one.
    void watch_folder();
    int descriptor() const { return inotify_.get(); }
    /// New requests, oldest first. Refuses what is not a request or is not understood (run::request_body()).
    std::vector<run::Request> take(double now);

    /// The request is answered later.
    void expect(const run::Request& request) { unanswered_[request.id] = request; }
    /// The request, if it waits for its answer; no longer then.
    std::optional<run::Request> settle(const std::string& id);
    void answer(run::Request request, const std::string& outcome, const Message& text) const;
    /// Answers all that wait for it, or those of one kind.
    void answer_all(const std::string& outcome, const Message& text, const std::string& kind = {});
    /// The run has ended, as `sentence` says. `stop_failed`: the ranks had to be killed.
    void close(run::Status status, bool stop_failed, const Message& sentence);
    /// The folder belongs to another run: nothing is written there any more.
    void abandon_folder() { has_folder_ = false; }

  private:
    run::RunPaths paths_;
    double poll_s_;
    FileDescriptor inotify_;
    bool has_folder_ = true;
    double looked_ = 0;            ///< monotonic
    std::set<std::string> taken_;  ///< ids
    std::map<std::string, run::Request> unanswered_;
};

}  // namespace trainyard::launch
