// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/machine_recorder.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/events/event_file.h"
#include "formats/events/event_layout.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {
constexpr auto kPatience = std::chrono::seconds(1);  // for a driver, at the end
constexpr double kFirstInterval = 0.25;              // seconds: rates need two readings
constexpr double kRetry = 30;                        // seconds until a file is tried again
}  // namespace

struct MachineRecorder::Shared {
    fs::path folder, own;  ///< metrics/ and this host's folder in it
    RecorderLimits limits;
    std::atomic<std::int64_t> step{0};
    std::mutex mutex;
    std::condition_variable changed;
    bool closing = false, closed = false;

    std::optional<events::EventFileWriter> file;
    fs::path before;
    double not_before = 0;

    void write(const MachineReading& reading) {
        const double now = monotonic_seconds();
        if (now < not_before)
            return;
        try {
            std::error_code error;
            if (file && fs::file_size(file->path(), error) >= limits.file_bytes && !error) {
                if (!before.empty())
                    fs::remove(before, error);
                before = file->path();
                file.reset();
            }
            if (!file) {
                if (fs::is_directory(folder))  // a run that was removed does not come back
                    make_private_folder(own);
                file.emplace(own);
            }
            file->add_scalars(step.load(std::memory_order_relaxed), wall_seconds(), reading);
            file->flush();
        } catch (const UserError&) {
            file.reset();
            not_before = now + kRetry;
        }
    }

    void loop() {
        MachineMeter meter(folder);
        meter.read(monotonic_seconds());
        double interval = std::min(kFirstInterval, limits.interval_s);
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, std::chrono::duration<double>(interval), [&] { return closing; })) {
            lock.unlock();
            write(meter.read(monotonic_seconds()));
            interval = limits.interval_s;
            lock.lock();
        }
        closed = true;
        changed.notify_all();
    }
};

MachineRecorder::MachineRecorder(const fs::path& metrics_folder, const std::string& host, RecorderLimits limits)
    : shared_(std::make_shared<Shared>()) {
    shared_->folder = metrics_folder;
    shared_->own = events::host_event_folder(metrics_folder, host);
    shared_->limits = limits;
    // Signals are for the thread that waits for them.
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    std::thread([shared = shared_] { shared->loop(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

MachineRecorder::~MachineRecorder() {
    std::unique_lock lock(shared_->mutex);
    shared_->closing = true;
    shared_->changed.notify_all();
    shared_->changed.wait_for(lock, kPatience, [&] { return shared_->closed; });
}

void MachineRecorder::set_step(std::int64_t step) {
    shared_->step.store(step, std::memory_order_relaxed);
}

}  // namespace trainyard::launch
