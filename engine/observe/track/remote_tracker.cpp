// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/remote_tracker.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/thread_priority.h"
#include "base/truth.h"
#include "observe/track/builtin.h"
#include "observe/track/outbox.h"
#include "observe/track/pictures.h"
#include "observe/track/run_folder.h"

namespace trainyard::track {

namespace {

constexpr double kHopelessPause = 20;  ///< seconds: finish() does not wait for a server that failed for so long
constexpr double kLastSeconds = 25;    ///< that finish() waits for the server
constexpr int kTriesInARow = 4;        ///< of a request, while a server fails
constexpr double kTryPause = 0.05;     ///< seconds after the first of them

class RemoteTracker final : public Tracker {
  public:
    RemoteTracker(ServiceKind kind, const TrackerContext& context)
        : kind_(std::move(kind)),
          context_(context),
          folder_(fs::absolute(context.logging_dir.empty() ? fs::path(".") : context.logging_dir) / kUnsentFolder),
          settings_(kind_.settings(context)) {}
    ~RemoteTracker() override { stop(); }

    std::string name() const override { return kind_.name; }
    bool keeps_every_record() const override { return true; }
    bool keeps_pictures() const override { return kind_.keeps_pictures; }
    bool keeps_tables() const override { return kind_.keeps_tables; }
    bool keeps_artifacts() const override { return kind_.keeps_artifacts; }

    void start() override {
        const std::string prefix = kind_.name + "-";
        std::vector<std::string> earlier = Spool::names(folder_, prefix);
        if (context_.continues)
            while (!own_ && !earlier.empty()) {
                if (std::optional<Spool> spool = Spool::open(folder_, earlier.back()))
                    own_.emplace(std::move(*spool));
                earlier.pop_back();
            }
        if (!own_) {
            std::optional<Spool> spool =
                Spool::open(folder_, fmt::format("{}{}-{}", prefix, compact_time(wall_seconds()), random_hex(6)));
            if (!spool)
                throw UserError("{} is in use by another process", folder_.string());
            own_.emplace(std::move(*spool));
        }
        if (own_->spool.is_new())
            add({{"open",
                  Values{{"project", context_.project}, {"arguments", context_.arguments}, {"settings", settings_}}}});
        own_->spool.flush();
        for (const std::string& other : earlier)
            if (!fs::exists(folder_ / (other + ".jsonl"))) {
                fs::remove(folder_ / (other + ".state.json"));
                fs::remove(folder_ / (other + ".lock"));
            } else if (std::optional<Spool> spool = Spool::open(folder_, other); spool && spool->has_more()) {
                left_over_.push_back(std::make_unique<Outbox>(std::move(*spool)));
            }
        thread_ = std::thread([this] {
            lower_thread_priority();  // of the bridge process, too, which it starts
            send();
        });
    }

    void store_init_configuration(const Values& configuration) override {
        add({{"configuration", configuration}});
        flush();
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments(kind_.name, arguments, {});
        add({{"values", record.values}}, record.step, record.wall_time);
    }

    void log_images(const PictureRecord& record, const Value& arguments) override {
        check_arguments(kind_.name, arguments, {});
        for (const Pictures& pictures : record.pictures) {
            Value::List files;
            for (std::int64_t i = 0; i < pictures.count; ++i) {
                const fs::path file = next_attachment(".png");
                write_file_atomically(file, png_of(pictures, i), false);
                files.emplace_back(file.string());
            }
            add({{"pictures", pictures.name},
                 {"files", std::move(files)},
                 {"width", pictures.width},
                 {"height", pictures.height}},
                record.step, record.wall_time);
        }
    }

    void log_table(const TableRecord& record, const Value& arguments) override {
        check_arguments(kind_.name, arguments, {});
        Value::List columns(record.columns.begin(), record.columns.end());
        Value::List rows(record.rows.begin(), record.rows.end());
        add({{"table", record.name}, {"columns", std::move(columns)}, {"rows", std::move(rows)}}, record.step,
            record.wall_time);
    }

    void log_artifact(const ArtifactRecord& record, const Value& arguments) override {
        check_arguments(kind_.name, arguments, {});
        for (const auto& [file, name] : artifact_files(record))
            add_artifact(file, name, record.wall_time);
    }

    void restart(std::int64_t step, double wall_time) override { add({{"restart", step}}, {}, wall_time); }

    void flush() override {
        own_->spool.flush();
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }

    std::vector<Message> take_notes() override {
        const std::lock_guard lock(mutex_);
        return std::exchange(notes_, {});
    }

    void finish() override {
        add({{"finish", true}});
        flush();
        {
            std::unique_lock lock(mutex_);
            closing_ = true;
            changed_.notify_all();
            changed_.wait_for(lock, std::chrono::duration<double>(kLastSeconds), [&] { return ended_; });
        }
        stop();
        if (const std::size_t left = own_->spool.count_left(); left > 0) {
            const std::lock_guard lock(mutex_);
            notes_.push_back(
                left == 1 ? Message("1 record was not sent and is saved in {}; it is sent when a run with the same "
                                    "folder starts, or by `trainyard runs sync`",
                                    own_->spool.file().string())
                          : Message("{} records were not sent and are saved in {}; they are sent when a run with the "
                                    "same folder starts, or by `trainyard runs sync`",
                                    left, own_->spool.file().string()));
        } else {
            own_->spool.discard_entries();
        }
        own_.reset();
        left_over_.clear();
    }

  private:
    void add(Values entry, std::optional<std::int64_t> step = {}, double wall_time = 0) {
        if (step)
            entry.push_back({"step", *step});
        entry.push_back({"time", wall_time > 0 ? wall_time : wall_seconds()});
        own_->spool.add(entry);
    }

    fs::path next_attachment(const std::string& ending) {
        make_private_folder(own_->spool.attachments());
        return own_->spool.attachments() / (random_hex(16) + ending);
    }

    /// The file is kept until it was sent: by a second name on the same disk, else as a copy.
    void add_artifact(const fs::path& path, const std::string& name, double wall_time) {
        const fs::path saved = next_attachment("");
        link_or_copy(path, saved);
        add({{"artifact", saved.string()}, {"name", name}}, {}, wall_time);
    }

    /// Delivers the outboxes, this run's first.
    void send() {
        std::unique_lock lock(mutex_);
        while (!stop_.stop_requested()) {
            if (closing_ && !std::exchange(was_closing_, true))
                own_->next_try = 0;  // the last try is not put off
            Outbox* due = nullptr;
            double wait = 3600;
            const auto look_at = [&](Outbox& outbox) {
                if (due != nullptr || !outbox.spool.has_more())
                    return;
                const double left = outbox.next_try - monotonic_seconds();
                if (left <= 0)
                    due = &outbox;
                else
                    wait = std::min(wait, left);
            };
            look_at(*own_);
            const bool own_waits = own_->spool.has_more();
            for (const auto& outbox : left_over_)
                look_at(*outbox);
            if (closing_ && !own_waits)
                break;
            if (due == nullptr) {
                changed_.wait_for(lock, std::chrono::duration<double>(wait), [&] {
                    return stop_.stop_requested() || (closing_ && !was_closing_) ||
                           (!own_waits && own_->spool.has_more());  // else `wait` ends at its next try
                });
                continue;
            }
            lock.unlock();
            const bool delivered = deliver(*due);
            lock.lock();
            if (was_closing_ && due == &*own_ && !delivered && (due->denied || due->pause > kHopelessPause))
                break;
        }
        ended_ = true;
        changed_.notify_all();
    }

    /// Returns whether the service took something.
    bool deliver(Outbox& outbox) {
        std::optional<Outbox::Failure> failure;
        const bool delivered = outbox.deliver(kind_.make, stop_.get_token(), failure);
        if (delivered && &outbox != &*own_ && !outbox.spool.has_more())
            discard_entries(outbox.spool);  // without the lock, which the training thread takes for notes
        const std::lock_guard lock(mutex_);
        if (delivered) {
            if (closing_)
                outbox.next_try = 0;
        } else if (failure && failure->refused) {
            if (refused_++ == 0)
                notes_.push_back(std::move(failure->message));
        } else if (failure && !stop_.stop_requested() && !std::exchange(outbox.failing, true) &&
                   failures_noted_++ == 0) {
            notes_.push_back(Message("{}; the records wait in {}, and training continues", failure->message,
                                     outbox.spool.file().string()));
        }
        return delivered;
    }

    /// Best effort: what a failing disk leaves has been delivered.
    static void discard_entries(Spool& spool) noexcept {
        try {
            spool.discard_entries();
        } catch (const std::exception&) {
        }
    }

    void stop() {
        stop_.request_stop();
        {
            const std::lock_guard lock(mutex_);
            changed_.notify_all();
        }
        if (thread_.joinable())
            thread_.join();
    }

    const ServiceKind kind_;
    const TrackerContext context_;
    const fs::path folder_;
    const Values settings_;
    std::optional<Outbox> own_;
    std::vector<std::unique_ptr<Outbox>> left_over_;  ///< of runs that ended before
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Message> notes_;
    int failures_noted_ = 0, refused_ = 0;
    bool closing_ = false, was_closing_ = false, ended_ = false;
    std::stop_source stop_;
    std::thread thread_;
};

}  // namespace

std::unique_ptr<Tracker> make_remote_tracker(ServiceKind kind, const TrackerContext& context) {
    return std::make_unique<RemoteTracker>(std::move(kind), context);
}

TrackerKind remote_kind(ServiceKind service) {
    TrackerKind kind;
    kind.name = service.name;
    kind.make_service = service.make;
    kind.make = [service = std::move(service)](const TrackerContext& context) {
        return make_remote_tracker(service, context);
    };
    return kind;
}

std::unique_ptr<hub::HttpClient> make_client(std::stop_token stop, const hub::HttpCertificates& certificates) {
    if (!hub::HttpClient::is_available())
        throw ServiceUnavailable("libcurl is not installed (Debian: libcurl4)", true);
    auto client = std::make_unique<hub::HttpClient>("", std::move(stop));
    wait_if_refused([&] { client->set_certificates(certificates); });
    return client;
}

hub::HttpCertificates certificates_of(const std::string& setting) {
    const Truth checked = truth_of(setting);
    hub::HttpCertificates certificates{.are_checked = checked != Truth::no};
    if (checked == Truth::neither)
        certificates.issuers = setting;
    return certificates;
}

namespace {

/// Scheme, host and port of an address, and what follows.
std::pair<std::string, std::string> host_and_path(const std::string& address) {
    const std::size_t scheme = address.find("://");
    const std::size_t end = scheme == std::string::npos ? 0 : std::min(address.find('/', scheme + 3), address.size());
    return {address.substr(0, end), address.substr(end)};
}

/// The address to which a redirect that keeps the method leads on the same host, under https or another path; empty
/// for other answers.
std::string moved_within_host(const std::string& address, const hub::HttpAnswer& answer) {
    const std::string to = answer.header("location");
    if ((answer.status != 307 && answer.status != 308) || to.empty())
        return {};
    const std::string from = host_and_path(address).first;
    if (to.starts_with('/') && !to.starts_with("//"))
        return from + to;
    const auto name_of = [](const std::string& host) {
        const std::size_t begin = host.find("://") + 3;
        return host.substr(begin, host.find(':', begin) - begin);
    };
    const std::string host = host_and_path(to).first;
    if (host.find('@') != std::string::npos)  // http://server:x@another is another host
        return {};
    const bool is_upgrade =
        from.starts_with("http://") && host.starts_with("https://") && name_of(from) == name_of(host);
    return host == from || is_upgrade ? to : std::string();
}

/// The address that replaces the server's own, of a redirect of one request.
std::string new_address(const std::string& server, const std::string& request, std::string to) {
    const std::string path = request.starts_with(server) ? request.substr(server.size()) : std::string();
    if (!path.empty() && to.size() > path.size() && to.ends_with(path))
        to.resize(to.size() - path.size());
    return to;
}

}  // namespace

hub::HttpAnswer answer_of(hub::HttpClient& client, const hub::HttpRequest& request, const std::string& server,
                          const Message& credentials) {
    constexpr int kMostRedirects = 5;
    hub::HttpAnswer answer = client.send(request);
    for (int tries = 1; tries < kTriesInARow && (answer.status == 0 || answer.status >= 500) && !answer.unreachable &&
                        answer.header("retry-after").empty();
         ++tries) {
        std::this_thread::sleep_for(std::chrono::duration<double>(kTryPause * tries));
        answer = client.send(request);
    }
    hub::HttpRequest moved;
    for (int redirects = 0; redirects < kMostRedirects; ++redirects) {
        std::string to = moved_within_host(redirects == 0 ? request.address : moved.address, answer);
        if (to.empty())
            break;
        if (redirects == 0)
            moved = request;
        moved.address = std::move(to);
        answer = client.send(moved);
    }
    if (answer.status == 0)
        throw ServiceUnavailable(Message("{} does not answer: {}", server, answer.problem), false);
    if (answer.status == 401 || answer.status == 403)
        throw ServiceUnavailable(
            Message("{} does not accept the credentials ({}): check {}", server, answer.status, credentials), true);
    if (answer.status >= 300 && answer.status < 400)
        throw ServiceUnavailable(
            Message(
                "{} redirects to {}: use that address", server,
                Message::verbatim(text::printable(new_address(server, request.address, answer.header("location"))))),
            true);
    if (answer.status == 407)
        throw ServiceUnavailable(Message("the proxy before {} does not accept the user and password (407): check "
                                         "http_proxy, as in http://user:password@proxy:8080",
                                         server),
                                 true);
    if (answer.status == 413) {
        const std::uint64_t file = request.file.empty() ? 0 : fs::file_size(request.file);
        throw RequestTooLarge("{} takes no request of {} (413)", server,
                              text::file_size(request.body.size() + file + request.file_end.size()));
    }
    if (answer.status == 408 || answer.status == 429 || answer.status >= 500)
        throw ServiceUnavailable(Message("{} does not accept anything now ({})", server, answer.status), false,
                                 std::min(answer.retry_after_s, 600.0));
    return answer;
}

std::string without_credentials(const std::string& address) {
    const std::size_t host = address.find("://");
    if (host == std::string::npos)
        return address;
    const std::size_t end = std::min(address.find('/', host + 3), address.size());
    const std::size_t at = address.rfind('@', end);
    return at == std::string::npos || at < host ? address : address.substr(0, host + 3) + address.substr(at + 1);
}

std::string environment_text(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string text_in(const Value& table, std::string_view key, const std::string& fallback) {
    const Value* found = table.find(key);
    return found == nullptr || !found->is_scalar() ? fallback : found->display();
}

std::int64_t integer_in(const Value& table, std::string_view key, std::int64_t fallback) {
    const Value* found = table.find(key);
    return found == nullptr || found->integer() == nullptr ? fallback : *found->integer();
}

double number_in(const Value& table, std::string_view key, double fallback) {
    const Value* found = table.find(key);
    return found == nullptr || !found->is_number() ? fallback : found->as_double();
}

void set_value(Values& values, const std::string& key, Value value) {
    if (Entry* known = entry_of(values, key))
        known->value = std::move(value);
    else
        values.push_back({key, std::move(value)});
}

TemporaryFolder::TemporaryFolder() : path_(fs::temp_directory_path() / ("trainyard-" + random_hex(16))) {
    make_private_folder(path_);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace trainyard::track
