#pragma once
// The threads of all background work. As many works run at a time as the machine has cores, but one that hangs (a dead network disk) does
// not count: its thread is replaced, nobody waits for it, and the program ends without it. Work of one key is done in the order in which it
// was given. widgets/job.h brings answers back to an object; this is what lies below it, and what is done whoever goes meanwhile.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace trainyard::widgets {

class Executor {
  public:
    using Work = std::function<void()>;
    enum class Kind {
        Computes,    ///< reads, writes, calculates: waits for its turn
        Background,  ///< as that, when nothing else waits for its turn
        Waits,       ///< for a network, a process or a person: has a thread of its own at once
    };
    static constexpr std::chrono::milliseconds kPatience{500};  ///< after which work that computes counts as hanging
    static constexpr int kMostHanging = 64;                     ///< whose threads are replaced
    static constexpr int kMostWaiting = 64;                     ///< at a time

    /// Of this process; never destroyed. At the end of the QCoreApplication it is given kLeave to finish.
    static Executor& instance();
    static constexpr std::chrono::milliseconds kLeave{5000};  ///< for connections that were told to hang up
    /// `threads` 0: as many as the machine has cores, at least 2, at most 4.
    explicit Executor(int threads = 0);
    ~Executor();  ///< finish(kLeave); what has not begun by then never does
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// `work` must not throw, and holds whatever it uses: nobody waits for it. With a `key`: after all that was given with that key.
    void run(Work work, Kind kind = Kind::Computes, const std::string& key = {});
    /// Waits until everything is done, or only such work is left that hangs or waits behind what hangs; at most `limit`. Whether all is done.
    bool finish(std::chrono::milliseconds limit);
    int threads() const;  ///< alive now

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace trainyard::widgets
