// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/shared_region.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

namespace {

constexpr std::size_t kPage = 4096;
// Ranks in step are a few microseconds apart. A rank that has spun for as long as going to sleep and being woken costs
// may as well sleep: it then wastes at most as much again, whatever other programs run on the machine.
constexpr double kSpinSeconds = 50e-6;
// Where more ranks train on this machine than it has processors, what a rank waits for needs the processor that it
// spins on: it sleeps at once. The ranks of this machine are those of the largest region of this process.
const int kProcessorsHere = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
std::atomic<int> ranks_here = 1;
constexpr int kPausesPerLook = 32;                  ///< at the clock
constexpr long kLookEveryNanoseconds = 50'000'000;  ///< for lost peers

std::size_t rounded(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

void futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
    static_assert(sizeof word == sizeof value);
    ::syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

/// In a loop that waits for another processor's write: leaves this one's shared units to its sibling and saves power.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    asm volatile("yield" ::: "memory");
#else
    asm volatile("" ::: "memory");
#endif
}

}  // namespace

/// State of a rank that the others read, and, on a separate cache line, the words that they use to wake it.
struct alignas(64) SharedRegion::Line {
    std::atomic<std::uint64_t> published, reduced, done;
    std::atomic<std::uint32_t> left;
    std::atomic<std::int32_t> pid;
    alignas(64) std::atomic<std::uint64_t> awaited;  ///< Awaited::word of what it sleeps for
    std::atomic<std::uint32_t> bell;
};

/// What a sleeping rank waits for, in a word; 0: it does not sleep.
struct SharedRegion::Awaited {
    Phase phase;
    std::uint64_t count;
    static constexpr std::uint64_t kPhases = 3;

    std::uint64_t word() const { return 1 + kPhases * count + static_cast<std::uint64_t>(phase); }
    static Awaited from(std::uint64_t word) { return {static_cast<Phase>((word - 1) % kPhases), (word - 1) / kPhases}; }
};

std::size_t SharedRegion::bytes_needed(int size) {
    auto ranks = static_cast<std::size_t>(size);
    return rounded(ranks * sizeof(Line) + kSlots * ranks * sizeof(Note), kPage) + kSlots * ranks * kSlotBytes;
}

SharedRegion::SharedRegion(SharedMapping memory, int rank, int size, std::chrono::milliseconds timeout)
    : memory_(std::move(memory)),
      rank_(rank),
      size_(size),
      timeout_(timeout),
      processes_(static_cast<std::size_t>(size), -1) {
    for (int known = ranks_here; known < size && !ranks_here.compare_exchange_weak(known, size);)
        ;
}

std::unique_ptr<SharedRegion> SharedRegion::attach(c10d::Store& store, int rank, int size,
                                                   std::chrono::milliseconds timeout) {
    const std::size_t bytes = bytes_needed(size);
    SharedMapping memory;
    SharedPlace place{};
    if (rank == 0) {
        memory = SharedMapping::create(bytes, "trainyard-messages");
        place = memory.place();
        const auto* first = reinterpret_cast<const std::uint8_t*>(place.data());
        store.set("memory", std::vector<std::uint8_t>(first, first + sizeof place));
    } else {
        const std::vector<std::uint8_t> of_first = store.get("memory");
        std::memcpy(place.data(), of_first.data(), std::min(of_first.size(), sizeof place));
        memory = SharedMapping::open(place, bytes);
    }
    std::unique_ptr<SharedRegion> region;
    if (memory)
        region.reset(new SharedRegion(std::move(memory), rank, size, timeout));
    if (region)
        region->line(rank).pid = static_cast<std::int32_t>(::getpid());
    store.set(fmt::format("memory of {}", rank), region ? "yes" : "no");
    bool all = true;
    for (int other = 0; other < size; ++other)
        all = store.get_to_str(fmt::format("memory of {}", other)) == "yes" && all;
    if (!all)
        return nullptr;
    for (int other = 0; other < size; ++other)
        if (int pid = region->line(other).pid; pid != ::getpid())
            region->processes_[static_cast<std::size_t>(other)] = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    return region;
}

SharedRegion::~SharedRegion() {
    line(rank_).left = 1;
    for (int other = 0; other < size_; ++other)
        wake(other);
    for (int process : processes_)
        if (process >= 0)
            ::close(process);
}

SharedRegion::Line& SharedRegion::line(int rank) const {
    return reinterpret_cast<Line*>(memory_.data())[rank];
}

Note& SharedRegion::note(std::uint64_t number, int rank) const {
    auto* notes = reinterpret_cast<Note*>(memory_.data() + static_cast<std::size_t>(size_) * sizeof(Line));
    return notes[number % kSlots * static_cast<std::size_t>(size_) + static_cast<std::size_t>(rank)];
}

std::uint8_t* SharedRegion::part(std::uint64_t number, int rank) const {
    auto ranks = static_cast<std::size_t>(size_);
    std::uint8_t* parts = memory_.data() + bytes_needed(size_) - kSlots * ranks * kSlotBytes;
    return parts + (number % kSlots * ranks + static_cast<std::size_t>(rank)) * kSlotBytes;
}

std::atomic<std::uint64_t>& SharedRegion::counter(Line& line, Phase phase) {
    return phase == Phase::published ? line.published : phase == Phase::reduced ? line.reduced : line.done;
}

void SharedRegion::wake(int rank) const {
    line(rank).bell.fetch_add(1);
    futex(line(rank).bell, FUTEX_WAKE, 1, nullptr);
}

void SharedRegion::advance(Phase phase, std::uint64_t count) {
    // In one order with the sleeper's: it says what it waits for before it looks at the counters a last time, this
    // counts before it asks who sleeps. Only the last of those that a rank waits for wakes it: on a busy machine
    // every waking costs it a turn.
    counter(line(rank_), phase).store(count);
    for (int other = 0; other < size_; ++other) {
        std::uint64_t word = line(other).awaited.load();
        if (word == 0 || other == rank_)
            continue;
        Awaited awaited = Awaited::from(word);
        if (awaited.phase == phase && all_at(phase, awaited.count) &&
            line(other).awaited.compare_exchange_strong(word, 0))
            wake(other);
    }
}

bool SharedRegion::all_at(Phase phase, std::uint64_t count) const {
    for (int other = 0; other < size_; ++other)
        if (counter(line(other), phase).load() < count)
            return false;
    return true;
}

bool SharedRegion::gone(int rank) const {
    if (line(rank).left != 0)
        return true;
    pollfd process{.fd = processes_[static_cast<std::size_t>(rank)], .events = POLLIN, .revents = 0};
    return process.fd >= 0 && ::poll(&process, 1, 0) > 0;
}

bool SharedRegion::spin_for(Phase phase, std::uint64_t count) const {
    if (all_at(phase, count))
        return true;
    if (ranks_here.load(std::memory_order_relaxed) > kProcessorsHere)
        return false;
    double end = monotonic_seconds() + kSpinSeconds;
    do {
        for (int pause = 0; pause < kPausesPerLook; ++pause) {
            relax_processor();
            if (all_at(phase, count))
                return true;
        }
    } while (monotonic_seconds() < end);
    return false;
}

void SharedRegion::wait_for(Phase phase, std::uint64_t count, const std::string& what) const {
    // No sched_yield() between spinning and sleeping: each of them moves this thread a whole time slice back in the
    // kernel's order. Measured on Linux 6.18, a core shared with three programs: 20 in a row took 90 ms, where one
    // meeting needs none.
    if (spin_for(phase, count))
        return;
    double deadline = monotonic_seconds() + std::chrono::duration<double>(timeout_).count();
    Line& own = line(rank_);
    struct Sleeping {
        std::atomic<std::uint64_t>& awaited;
        ~Sleeping() { awaited.store(0); }
    } sleeping{own.awaited};
    for (;;) {
        std::uint32_t heard = own.bell.load();
        own.awaited.store(Awaited{phase, count}.word());
        if (all_at(phase, count))
            return;
        timespec look{.tv_sec = 0, .tv_nsec = kLookEveryNanoseconds};
        futex(own.bell, FUTEX_WAIT, heard, &look);
        bool late = monotonic_seconds() > deadline;
        for (int other = 0; other < size_; ++other) {
            // Whether it is gone comes first: what it did before that counts.
            bool lost = gone(other);
            if ((lost || late) && counter(line(other), phase).load() < count)
                throw PeerLost(
                    lost ? Message("{} failed: rank {} is gone", what, other)
                         : Message("{} failed: rank {} did not come in {} ms", what, other, timeout_.count()));
        }
    }
}

}  // namespace trainyard::parallel
