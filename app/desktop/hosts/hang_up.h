// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ends connections of work that is cancelled, at once: on the thread of the work, for as long as the connections are made and used.

#include <memory>
#include <stop_token>

#include "remote/session.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class HangUp {
  public:
    explicit HangUp(const widgets::Cancelled& cancelled) : callback_(cancelled.token(), Set{cancel_}) {}
    const std::shared_ptr<remote::Cancel>& cancel() const { return cancel_; }

  private:
    struct Set {
        std::shared_ptr<remote::Cancel> cancel;
        void operator()() const { cancel->set(); }
    };
    std::shared_ptr<remote::Cancel> cancel_ = std::make_shared<remote::Cancel>();
    std::stop_callback<Set> callback_;
};

}  // namespace trainyard::desktop
