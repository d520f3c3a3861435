// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/metrics_writer.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <variant>

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process_memory.h"
#include "config/recipe/recipe_fields.h"
#include "formats/events/event_file.h"
#include "formats/events/event_layout.h"

namespace trainyard::worker {

namespace {

constexpr auto kFlushInterval = std::chrono::milliseconds(50);  // a step is on screen within 250 ms
constexpr double kSystemInterval = 1.0;

double processor_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

struct MetricsWriter::Impl {
    std::optional<events::EventFileWriter> training;
    std::optional<events::EventFileWriter> system;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<MetricsPoint> queue;
    bool closing = false;
    Message problem;
    bool problem_told = false;
    std::int64_t last_step = 0;
    ProcessMemory memory{::getpid()};  ///< of the thread
    std::thread thread;

    void write(std::deque<MetricsPoint>& points) {
        bool own = false;
        for (const MetricsPoint& point : points) {
            if (training && !point.scalars.empty())
                training->add_scalars(point.step, point.wall_time, point.scalars);
            if (training) {
                for (const auto& [tag, text] : point.texts)
                    training->add_text(point.step, point.wall_time, tag, text);
                for (const auto& [tag, values] : point.histograms)
                    training->add_histogram(point.step, point.wall_time, tag, events::histogram_of(values));
            }
            if (!point.own.empty())
                system->add_scalars(point.step, point.wall_time, point.own);
            own |= !point.own.empty();
        }
        if (training)
            training->flush();
        if (own)
            system->flush();
    }

    void write_system(double elapsed, double used) {
        system->add_scalars(last_step, wall_seconds(),
                            {{"system/resident_bytes", static_cast<double>(memory.bytes())},
                             {"system/cpu_percent", 100.0 * used / elapsed}});
        system->flush();
    }

    void loop() {
        double last_system = monotonic_seconds(), last_used = processor_seconds();
        std::unique_lock lock(mutex);
        for (bool open = true; open;) {
            changed.wait_for(lock, kFlushInterval, [&] { return closing || queue.size() >= kQueueLimit; });
            open = !closing;
            std::deque<MetricsPoint> points = std::exchange(queue, {});
            if (!points.empty())
                last_step = points.back().step;
            lock.unlock();
            changed.notify_all();
            Message failed;
            try {
                if (!points.empty())
                    write(points);
                double now = monotonic_seconds();
                if (now - last_system >= kSystemInterval || !open) {
                    double used = processor_seconds();
                    write_system(std::max(now - last_system, 1e-3), used - last_used);
                    last_system = now;
                    last_used = used;
                }
            } catch (const UserError& error) {
                failed = error.message();
            }
            lock.lock();
            if (!failed.empty() && problem.empty())
                problem = failed;
        }
    }
};

std::int64_t own_stride(std::int64_t step) {
    std::int64_t stride = 1;
    for (std::int64_t limit = 20'000; step > limit; limit *= 2)
        stride *= 2;
    return stride;
}

NamedNumbers OwnMeans::add(std::int64_t step, const NamedNumbers& figures) {
    if (sums_.empty())
        sums_ = figures;
    else
        for (std::size_t i = 0; i < sums_.size(); ++i)
            sums_[i].second += figures[i].second;
    ++steps_;
    if (step % own_stride(step) != 0)
        return {};
    NamedNumbers means = std::move(sums_);
    for (auto& [name, sum] : means)
        sum /= steps_;
    *this = {};
    return means;
}

events::HyperParameters hyper_parameters(const config::Recipe& recipe, int world_size) {
    events::HyperParameters parameters;
    config::Recipe values = recipe;
    for (const config::Field& field : config::recipe_fields()) {
        const auto add = [&](auto target) {
            using Type = std::remove_reference_t<decltype(*target)>;
            if constexpr (std::is_same_v<Type, bool> || std::is_same_v<Type, std::string>)
                parameters.emplace_back(field.dotted(), *target);
            else if constexpr (std::is_arithmetic_v<Type>)
                parameters.emplace_back(field.dotted(), static_cast<double>(*target));
            else
                parameters.emplace_back(field.dotted(), config::field_text(field, recipe));
        };
        std::visit(
            [&](auto target) {
                if constexpr (std::is_pointer_v<decltype(target)>)
                    add(target);
                else
                    parameters.emplace_back(field.dotted(), config::field_text(field, recipe));
            },
            field.target(values));
    }
    parameters.emplace_back("launch.num_processes", static_cast<double>(world_size));
    return parameters;
}

MetricsWriter::MetricsWriter(const std::filesystem::path& metrics, int rank, const events::HyperParameters* training,
                             std::int64_t first_step)
    : impl_(std::make_unique<Impl>()) {
    if (training != nullptr) {
        impl_->training.emplace(metrics);
        impl_->training->add_hparams(wall_seconds(), *training, {"train/loss", "eval/loss"}, false);
        if (first_step > 0)
            impl_->training->add_restart(first_step, wall_seconds());
        impl_->training->flush();
    }
    const std::filesystem::path own = events::rank_event_folder(metrics, rank);
    make_private_folder(own);
    impl_->system.emplace(own);
    if (first_step > 0)
        impl_->system->add_restart(first_step, wall_seconds());
    impl_->thread = std::thread([this] { impl_->loop(); });
}

MetricsWriter::~MetricsWriter() {
    {
        std::lock_guard lock(impl_->mutex);
        impl_->closing = true;
    }
    impl_->changed.notify_all();
    impl_->thread.join();
}

void MetricsWriter::add(MetricsPoint point) {
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait(lock, [&] { return impl_->queue.size() < kQueueLimit; });
    impl_->queue.push_back(std::move(point));
}

Message MetricsWriter::take_problem() {
    std::lock_guard lock(impl_->mutex);
    if (impl_->problem.empty() || impl_->problem_told)
        return {};
    impl_->problem_told = true;
    return impl_->problem;
}

}  // namespace trainyard::worker
