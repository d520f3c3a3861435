#pragma once
// Calls from any thread in the thread of whoever receives them: in order, not so many at once that the event loop stalls, and dropped when
// the receiver has gone.

#include <functional>
#include <memory>

namespace trainyard::widgets {

class Mailbox {
  public:
    /// Where to write to; may outlive the mailbox. Thread-safe.
    class Address {
      public:
        void post(std::function<void()> call) const;

      private:
        friend class Mailbox;
        std::shared_ptr<class Delivery> delivery_;
        std::weak_ptr<void> alive_;
    };

    /// A member of the receiver, made and ended in the receiver's thread, which is where the calls come.
    Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;
    const Address& address() const { return address_; }

  private:
    std::shared_ptr<void> alive_;
    Address address_;
};

}  // namespace trainyard::widgets
