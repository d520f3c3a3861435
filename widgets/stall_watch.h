// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Says when the GUI thread was held for too long, and where: a second thread looks at a beat of the event loop, and asks the GUI thread
// for its call stack while it is still held. For developers: on in debug builds, and with TRAINYARD_STALL_WATCH=<milliseconds>.

#include <atomic>
#include <thread>

#include <QObject>
#include <QTimer>

namespace trainyard::widgets {

class StallWatch : public QObject {
    Q_OBJECT
  public:
    static constexpr int kLimit = 50;  ///< ms, P16

    /// The limit that this start asks for; 0: nobody does.
    static int wanted();

    /// Made in the GUI thread. Stacks go to standard error, with addresses for addr2line.
    explicit StallWatch(int limit_ms, QObject* parent = nullptr);
    ~StallWatch() override;
    /// Holds seen so far, and the longest of them in milliseconds.
    int holds() const { return holds_; }
    int longest() const { return longest_; }

  private:
    void look();

    int limit_;
    QTimer beat_;
    std::atomic<qint64> last_beat_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<int> holds_{0};
    std::atomic<int> longest_{0};
    pthread_t gui_;
    std::thread thread_;
};

}  // namespace trainyard::widgets
