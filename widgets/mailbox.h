// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs calls from any thread in the receiver's thread: in order, in limited batches so that the event loop does not
// stall. Calls are dropped if the receiver has been deleted.

#include <functional>
#include <memory>

namespace trainyard::widgets {

class Mailbox {
  public:
    /// The address to send calls to; may outlive the mailbox. Thread-safe.
    class Address {
      public:
        void post(std::function<void()> call) const;

      private:
        friend class Mailbox;
        std::shared_ptr<class Delivery> delivery_;
        std::weak_ptr<void> alive_;
    };

    /// A member of the receiver. Create and destroy it in the receiver's thread, in which the calls run.
    Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;
    const Address& address() const { return address_; }

  private:
    std::shared_ptr<void> alive_;
    Address address_;
};

}  // namespace trainyard::widgets
