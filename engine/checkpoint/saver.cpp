// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/saver.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "base/file.h"
#include "checkpoint/files/staging.h"
#include "checkpoint/snapshot.h"
#include "checkpoint/write_files.h"

namespace trainyard::checkpoint {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLook{10};  ///< between two looks at what other ranks have done

double seconds_since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
}

/// Why weights are not good; empty: they are.
Message weights_problem(const std::string& file, const NotFinite& found, bool may_be_infinite) {
    if (!found.nan.empty())
        return Message("{} in {} holds NaN", found.nan, file);
    return found.infinite.empty() || may_be_infinite ? Message()
                                                     : Message("{} in {} holds infinite numbers", found.infinite, file);
}

/// Writes a file, and writes it again from memory if the disk fails: after a failed flush it is unknown which of its
/// pages are on the disk.
FileRecord write_file_twice(const fs::path& folder, const FileToSave& file, NotFinite& found, SaveResult& result) {
    Message first;
    try {
        return write_file(folder, file, &found);
    } catch (const files::DiskError& failed) {
        first = failed.message();
    }
    try {
        FileRecord record = write_file(folder, file, &found);
        result.notes.push_back(Message("{} was written a second time: {}", file.name, first));
        return record;
    } catch (const files::DiskError& failed) {
        throw UserError("{} (a second attempt as well)", message_of(failed));
    }
}

/// Decision that rank 0 sends to the others at the beginning of a save.
enum class Verdict : std::int64_t { begin, skip, fail };

void check_names(const SaveRequest& request) {
    std::set<std::string> names;
    for (const FileToSave& file : request.files) {
        const fs::path path(file.name);  // a file, or one in a folder
        const bool is_valid = !path.is_absolute() && std::distance(path.begin(), path.end()) <= 2 &&
                              std::none_of(path.begin(), path.end(), [](const fs::path& part) {
                                  return part.empty() || part == "." || part == "..";
                              });
        if (file.name.empty() || !is_valid)
            throw UserError("'{}' is not a valid name for a file of a checkpoint", file.name);
        if (!names.insert(file.name).second)
            throw UserError("the file {} is to be saved twice", file.name);
    }
}

}  // namespace

struct Saver::Impl {
    Impl(SaverOptions the_options, parallel::Communicator* the_ranks)
        : options(std::move(the_options)), ranks(the_ranks) {
        living(this, true);
    }
    ~Impl() {
        join();
        living(this, false);
    }

    int rank() const { return ranks == nullptr ? 0 : ranks->rank(); }
    int size() const { return ranks == nullptr ? 1 : ranks->size(); }

    /// A program that ends by exit() destroys no locals: their saves are waited for all the same.
    static void living(Impl* impl, bool lives) {
        static std::mutex guard;
        static std::set<Impl*>* all = [] {
            std::atexit([] { living(nullptr, false); });
            return new std::set<Impl*>;  // outlives every saver, static ones too
        }();
        std::lock_guard lock(guard);
        if (impl == nullptr)
            std::for_each(all->begin(), all->end(), [](Impl* saver) { saver->join(); });
        else if (lives)
            all->insert(impl);
        else
            all->erase(impl);
    }

    void join() {
        std::thread ended;
        {
            std::lock_guard lock(mutex);
            ended.swap(thread);
        }
        if (ended.joinable())
            ended.join();
    }

    bool is_busy() const {
        std::lock_guard lock(mutex);
        return busy;
    }

    bool is_waited_for(const SaveRequest& request) const { return request.wait || !options.background; }

    /// All ranks agree whether this save begins, and on its number. Returns nothing when it is skipped.
    std::optional<Staging> begin(const SaveRequest& request) {
        bool wait = is_waited_for(request) || options.when_busy == SaverOptions::WhenBusy::wait;
        std::optional<Staging> staging;
        Verdict verdict = Verdict::begin;
        Message error;
        if (rank() == 0) {
            try {
                if (!wait && is_busy()) {
                    verdict = Verdict::skip;
                } else {
                    join();
                    sweep_leftovers(fs::absolute(request.folder).lexically_normal().parent_path());
                    staging = Staging::create(request.folder);
                }
            } catch (const UserError& failed) {
                verdict = Verdict::fail;
                error = message_of(failed);
            }
        }
        if (size() > 1) {
            at::Tensor message = at::zeros({2}, at::TensorOptions().dtype(at::kLong));
            message[0] = static_cast<std::int64_t>(verdict);
            message[1] = staging ? static_cast<std::int64_t>(staging->attempt()) : 0;
            message = message.to(ranks->device());
            ranks->broadcast(message, 0, "begin of a save");
            message = message.cpu();
            verdict = static_cast<Verdict>(message[0].item<std::int64_t>());
            if (rank() > 0 && verdict == Verdict::begin) {
                join();  // rank 0 is done with the one before, so this ends at once
                try {
                    staging = Staging::join(request.folder, static_cast<std::uint64_t>(message[1].item<std::int64_t>()),
                                            rank());
                } catch (const UserError& failed) {
                    error = message_of(failed);  // told to all when the copies are made
                }
            }
        }
        if (verdict == Verdict::fail)
            throw UserError(error.empty() ? Message("rank 0 cannot begin to save {}", request.folder.string()) : error);
        if (verdict == Verdict::skip)
            return std::nullopt;
        begin_error = error;
        return staging;
    }

    /// Copies the tensors; then all ranks hear whether all could.
    void copy(std::optional<Staging>& staging, SaveRequest& request) {
        Message error = begin_error;
        try {
            if (error.empty()) {
                check_names(request);
                if (is_waited_for(request)) {
                    snapshot = {};  // earlier saves have ended: their memory first
                    request.files = snapshot.take_in_place(request.files);
                } else {
                    request.files = snapshot.take(request.files);
                }
            }
        } catch (const std::exception& failed) {
            error = message_of(failed);
        }
        std::int64_t failures = error.empty() ? 0 : 1;
        if (size() > 1) {
            at::Tensor sum = at::full({1}, failures, at::TensorOptions().dtype(at::kLong)).to(ranks->device());
            ranks->all_reduce(sum, "copies of a save").wait();
            failures = sum.cpu().item<std::int64_t>();
        }
        if (failures == 0)
            return;
        if (rank() == 0)
            staging->abandon();
        throw UserError(error.empty() ? Message("another rank cannot begin to save {}", request.folder.string())
                                      : error);
    }

    // The functions below run in the saver's thread.

    void run(Staging staging, SaveRequest request, SaveResult result) {
        auto start = Clock::now();
        std::map<std::string, FileRecord> files;
        try {
            for (const FileToSave& file : request.files) {
                NotFinite found;
                files[file.name] = write_file_twice(staging.folder(), file, found, result);
                if (request.not_good.empty())
                    request.not_good = weights_problem(file.name, found, request.may_be_infinite);
                failpoint("checkpoint.write");
            }
            request.files.clear();
            if (is_waited_for(request))
                snapshot = {};
            if (rank() == 0)
                commit(staging, request, std::move(files), result);
            else
                contribute(staging, std::move(files), request.not_good, result);
        } catch (const std::exception& failed) {
            result.error = message_of(failed);
            if (rank() == 0)
                staging.abandon();
            else
                tell_failure(staging, result.error);
        }
        result.write_seconds = seconds_since(start);
        if (is_waited_for(request))  // the caller stood still for all of it
            result.pause_seconds = result.write_seconds += result.pause_seconds;
        if (rank() == 0 && options.on_result)
            options.on_result(result);
        std::lock_guard lock(mutex);
        last = std::move(result);
        told = false;
        busy = false;
    }

    void commit(Staging& staging, SaveRequest& request, std::map<std::string, FileRecord> files, SaveResult& result) {
        auto deadline = Clock::now() + options.patience;
        for (int other = 1; other < size(); ++other)
            while (!staging.read_part(other, files, request.not_good)) {
                if (Clock::now() > deadline)
                    throw UserError("rank {} has not written its part of {} within {} s", other,
                                    request.folder.string(), options.patience.count());
                std::this_thread::sleep_for(kLook);
            }
        Manifest manifest;
        for (const auto& [name, record] : files)
            result.bytes += record.bytes;
        manifest.files = std::move(files);
        manifest.number = request.number;
        manifest.world_size = request.world_size > 0 ? request.world_size : size();
        manifest.mesh = request.mesh;
        manifest.position = request.position;
        manifest.metric = request.metric;
        manifest.not_good = result.not_good = request.not_good;
        manifest.attempt = staging.attempt_text();
        manifest.saved_at = iso_time(wall_seconds());
        if (options.fence)
            options.fence();
        staging.commit(manifest);
        if (request.prune)
            result.removed =
                prune(fs::absolute(request.folder).lexically_normal().parent_path(), options.retention, request.number);
    }

    void contribute(Staging& staging, std::map<std::string, FileRecord> files, const Message& not_good,
                    SaveResult& result) {
        for (const auto& [name, record] : files)
            result.bytes += record.bytes;
        sync_path(staging.folder());
        staging.finish_part(files, {}, not_good);
        failpoint("checkpoint.part");
        auto deadline = Clock::now() + options.patience;
        for (;;) {
            Staging::Outcome outcome = staging.outcome();
            if (outcome == Staging::Outcome::committed)
                return;
            if (outcome == Staging::Outcome::abandoned)
                throw UserError("rank 0 gave up to save {}", result.folder.string());
            if (Clock::now() > deadline)
                throw UserError("rank 0 has not finished {} within {} s", result.folder.string(),
                                options.patience.count());
            std::this_thread::sleep_for(kLook);
        }
    }

    static void tell_failure(Staging& staging, const Message& error) {
        try {
            if (fs::exists(staging.folder()))
                staging.finish_part({}, error);
        } catch (const UserError&) {  // rank 0 finds out by our lock
        }
    }

    SaverOptions options;
    parallel::Communicator* ranks;
    Snapshot snapshot;
    Message begin_error;

    mutable std::mutex mutex;
    std::thread thread;
    bool busy = false;
    bool told = true;  ///< the caller knows of `last`
    std::optional<SaveResult> last;
};

Saver::Saver(SaverOptions options, parallel::Communicator* ranks)
    : impl_(std::make_unique<Impl>(std::move(options), ranks)) {}

Saver::~Saver() = default;

void Saver::prepare(const FilesToSave& files) {
    if (!impl_->options.background)
        return;
    std::size_t bytes = Snapshot::bytes_for(files);
    impl_->join();
    std::lock_guard lock(impl_->mutex);
    impl_->thread = std::thread([impl = impl_.get(), bytes] {
        try {
            impl->snapshot.prepare(bytes);
        } catch (const std::exception&) {  // the save that lacks the memory tells it
        }
    });
}

std::optional<SaveResult> Saver::save(SaveRequest request) {
    auto start = Clock::now();
    SaveResult result;
    result.folder = request.folder;
    result.number = request.number;
    std::optional<Staging> staging = impl_->begin(request);
    std::optional<SaveResult> earlier;
    {
        std::lock_guard lock(impl_->mutex);
        if (!impl_->told)
            earlier = impl_->last;
        impl_->told = true;
    }
    if (!staging && impl_->begin_error.empty()) {
        result.skipped = true;
        return result;
    }
    impl_->copy(staging, request);
    result.pause_seconds = seconds_since(start);
    {
        std::lock_guard lock(impl_->mutex);
        impl_->busy = true;
    }
    if (impl_->is_waited_for(request)) {
        impl_->run(std::move(*staging), std::move(request), std::move(result));
        flush();
        return earlier;
    }
    std::lock_guard lock(impl_->mutex);
    impl_->thread = std::thread([impl = impl_.get(), staging = std::move(*staging), request = std::move(request),
                                 result = std::move(result)]() mutable {
        impl->run(std::move(staging), std::move(request), std::move(result));
    });
    return earlier;
}

std::optional<SaveResult> Saver::save(const fs::path& checkpoints, const Content& content, std::optional<double> metric,
                                      bool wait) {
    SaveRequest request;
    request.folder = checkpoints / ("checkpoint_" + std::to_string(content.position.step));
    if (impl_->rank() == 0)
        request.files = files_of(content);
    request.number = content.position.step;
    request.metric = metric;
    request.mesh = content.mesh;
    request.position = to_json(content.position);
    request.wait = wait;
    return save(std::move(request));
}

std::optional<SaveResult> Saver::flush() {
    impl_->join();
    std::lock_guard lock(impl_->mutex);
    bool news = !impl_->told;
    impl_->told = true;
    if (news && !impl_->last->error.empty())
        throw UserError(impl_->last->error);
    return impl_->last;
}

bool Saver::busy() const {
    return impl_->is_busy();
}

std::optional<SaveResult> Saver::last_result() const {
    std::lock_guard lock(impl_->mutex);
    return impl_->last;
}

}  // namespace trainyard::checkpoint
