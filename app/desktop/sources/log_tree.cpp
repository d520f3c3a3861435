// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/log_tree.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <sys/stat.h>

#include "base/clock.h"
#include "desktop/sources/event_tail.h"
#include "desktop/sources/hparams_folders.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/sources/trainer_state_tail.h"
#include "desktop/text/qt_text.h"
#include "widgets/token.h"

namespace trainyard::desktop {

namespace {

constexpr int kPause = 2000;    // ms between scans where inotify is silent
constexpr double kShare = 20;   // a scan takes at most one part in so many of a thread
constexpr double kTell = 1;     // seconds into a long scan after which what was found is shown
constexpr double kSettled = 2;  // seconds after which a folder's time of change is trusted
constexpr const char* kRunFile = "run.yaml";

}  // namespace

struct LogTree::Found {
    std::filesystem::path place;
    LogKind kind = LogKind::Events;
    std::string name;
};

/// Lists folders that changed. Holds nothing of the tree but its address.
class LogTree::Scanner : public PooledReader {
  public:
    Scanner(std::filesystem::path root, widgets::Mailbox::Address address, LogTree* tree)
        : root_(std::move(root)), address_(std::move(address)), tree_(tree) {}

    int read() override {
        // A large tree is not gone through all the time, whatever happens in it.
        const double begin = monotonic_seconds();
        if (const double left = ended_ + kShare * took_ - begin; left > 0)
            return 1 + static_cast<int>(left * 1000);
        look();
        ended_ = monotonic_seconds();
        took_ = ended_ - begin;
        return kPause;
    }

    bool hearsWrites() const override { return false; }

    std::vector<std::filesystem::path> watched() const override {
        std::vector<std::filesystem::path> folders;  // half of all watches at most: the logs need some, too
        for (const auto& [path, folder] : folders_)
            if (folders.size() < ReadPool::kMostWatches / 2)
                folders.emplace_back(path);
        return folders;
    }

  private:
    void look() {
        found_.clear();
        complaints_.clear();
        told_at_ = monotonic_seconds();
        struct stat info {};
        if (::stat(root_.c_str(), &info) != 0) {
            complaints_ += tr("%1 does not exist").arg(qt(root_.string()));
        } else if (S_ISREG(info.st_mode)) {
            const std::string name = root_.filename().string();
            if (EventTail::group_of(name))
                complaints_ += tr("%1 is one of the files of a log: open its folder").arg(qt(root_.string()));
            else
                takeFile(root_, name);
            if (found_.empty() && complaints_.isEmpty() && known_.empty())
                complaints_ += tr("%1 has no readable metrics: rows need numbers and a step, an epoch or a time")
                                   .arg(qt(root_.string()));
        } else {
            scan(root_, 0);
            // A log is named by where it lies, not by a link to it (`latest`) that may lead elsewhere tomorrow.
            for (; !links_.empty(); links_.pop_front())
                scan(links_.front().first, links_.front().second);
        }
        if (found_.empty() && complaints_ == reported_ && !first_)
            return;
        first_ = false;
        reported_ = complaints_;
        tell(true);
    }

    /// Hands over what was found since the last time.
    void tell(bool is_last) {
        std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.name < b.name; });
        told_at_ = monotonic_seconds();
        // In portions: making a thousand sources at once would stop the window for a moment.
        constexpr std::size_t kPortion = 50;
        for (std::size_t begin = 0; begin == 0 || begin < found_.size(); begin += kPortion) {
            const std::size_t end = std::min(found_.size(), begin + kPortion);
            std::vector<Found> portion(found_.begin() + static_cast<std::ptrdiff_t>(begin),
                                       found_.begin() + static_cast<std::ptrdiff_t>(end));
            address_.post([tree = tree_, portion = std::move(portion), complaints = complaints_,
                           last = is_last && end == found_.size()] { tree->take(portion, complaints, last); });
        }
        found_.clear();
    }

    struct Folder {
        std::int64_t changed = -1;  ///< ns
        double listed = 0;          ///< wall seconds
        std::vector<std::filesystem::path> inside, links;
        bool has_events = false;
        bool has_candidates = false;  ///< files that may come to look like metrics
        QString problem;              ///< why it cannot be read
    };

    void scan(const std::filesystem::path& path, int depth) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0)
            return;
        if (isMet(path, info))
            return;
        if (!folders_.contains(path.string()) && folders_.size() >= kMostFolders) {
            complain(tr("Only the first %L1 folders below %2 are looked at").arg(kMostFolders));
            return;
        }
        Folder& folder = folders_[path.string()];
        const std::int64_t changed =
            static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
        const bool settled = folder.listed - static_cast<double>(changed) / 1e9 > kSettled;
        if (changed != folder.changed || !settled || folder.has_candidates || !folder.problem.isEmpty())
            list(path, folder);
        folder.changed = changed;
        if (!folder.problem.isEmpty())
            complain(folder.problem);
        if (!found_.empty() && monotonic_seconds() - told_at_ > kTell)
            tell(false);
        if (depth >= kDeepest) {
            if (!folder.inside.empty() || !folder.links.empty())
                complain(tr("Folders more than %1 levels below %2 are not looked at").arg(kDeepest));
            return;
        }
        for (const std::filesystem::path& link : folder.links)
            links_.emplace_back(link, depth + 1);
        const std::vector<std::filesystem::path> inside = folder.inside;
        for (const std::filesystem::path& next : inside)
            scan(next, depth + 1);
    }

    /// Whether the folder was reached by another way: links may lead back. Numbers of folders that went are given to
    /// new ones.
    bool isMet(const std::filesystem::path& path, const struct stat& info) {
        const auto [met, is_new] = met_.try_emplace({info.st_dev, info.st_ino}, path);
        if (is_new || met->second == path)
            return false;
        struct stat there {};
        if (::stat(met->second.c_str(), &there) == 0 && there.st_dev == info.st_dev && there.st_ino == info.st_ino)
            return true;
        met->second = path;
        return false;
    }

    void complain(const QString& sentence) {
        const QString whole = sentence.contains(QStringLiteral("%2")) ? sentence.arg(qt(root_.string())) : sentence;
        if (!complaints_.contains(whole))
            complaints_ += whole;
    }

    void list(const std::filesystem::path& path, Folder& folder) {
        folder.listed = wall_seconds();
        folder.inside.clear();
        folder.links.clear();
        folder.has_candidates = false;
        folder.problem.clear();
        std::error_code error;
        std::filesystem::directory_iterator entry(path, error), end;
        if (error && error != std::errc::no_such_file_or_directory)
            folder.problem = tr("cannot read %1: %2").arg(qt(path.string()), qt(error.message()));
        bool events = false, of_a_run = false;
        std::vector<std::string> lines;
        for (; !error && entry != end; entry.increment(error)) {
            std::string name = entry->path().filename().string();
            if (name.starts_with('.'))
                continue;
            std::error_code ignored;
            if (EventTail::group_of(name))
                events = true;
            else if (kind_of_log_file(name))
                lines.push_back(std::move(name));
            else if (name == kRunFile)
                of_a_run = true;
            else if (entry->is_directory(ignored))
                (entry->is_symlink(ignored) ? folder.links : folder.inside).push_back(entry->path());
        }
        std::sort(folder.inside.begin(), folder.inside.end());
        std::sort(folder.links.begin(), folder.links.end());
        folder.has_events = events;
        if (events && !isPartOfParent(path))
            add(path, LogKind::Events, path);
        // Beside run.yaml lie the events of a run of ours, not its metrics.
        for (const std::string& name : lines)
            if (!of_a_run && !takeFile(path / name, name))
                folder.has_candidates = folder.has_candidates || isYoung(path / name);
    }

    /// Hyper-parameters that are shown with the curves of the folder above.
    bool isPartOfParent(const std::filesystem::path& path) const {
        const auto above = folders_.find(path.parent_path().string());
        return above != folders_.end() && above->second.has_events && HparamsFolders::is_name(path.filename().string());
    }

    /// A file that was written lately may say more soon.
    static bool isYoung(const std::filesystem::path& file) {
        constexpr double kYoung = 600;  // seconds
        struct stat info {};
        return ::stat(file.c_str(), &info) == 0 && wall_seconds() - static_cast<double>(info.st_mtim.tv_sec) < kYoung;
    }

    bool takeFile(const std::filesystem::path& file, const std::string& name) {
        if (known_.contains(file.string()))
            return true;
        struct stat info {};
        if (::stat(file.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
            return false;  // nobody waits for a pipe
        const std::optional<LogKind> kind = kind_of_log_file(name);
        if (!kind || !looks_like_metrics(file, *kind))
            return false;
        // Each checkpoint of transformers' Trainer holds the history from the start: together they are one log.
        const std::filesystem::path folder = file.parent_path();
        const bool of_many = *kind == LogKind::TrainerState && folder != root_ && file != root_ &&
                             checkpoint_step(folder.filename().string()) >= 0;
        const std::filesystem::path place = of_many ? folder.parent_path() / kTrainerState : file;
        add(place, *kind, *kind == LogKind::Mlflow ? folder : place);
        return true;
    }

    void add(const std::filesystem::path& place, LogKind kind, const std::filesystem::path& named) {
        if (known_.contains(place.string()))
            return;
        if (known_.size() >= kMostSources) {
            complain(tr("Only the first %L1 logs below %2 are shown").arg(kMostSources));
            return;
        }
        known_.insert(place.string());
        std::string name = named.lexically_relative(root_).string();
        if (name.empty() || name == ".")
            name = root_.filename().string();
        found_.push_back({place, kind, std::move(name)});
    }

    std::filesystem::path root_;
    widgets::Mailbox::Address address_;
    LogTree* tree_;  ///< to be touched while the token lives only
    std::map<std::string, Folder> folders_;
    std::map<std::pair<dev_t, ino_t>, std::filesystem::path> met_;  ///< folders by their number, and the way to them
    std::deque<std::pair<std::filesystem::path, int>> links_;  ///< to folders, with their depth; of the scan under way
    std::set<std::string> known_;
    std::vector<Found> found_;
    QStringList complaints_, reported_;
    bool first_ = true;
    double ended_ = 0, took_ = 0;  ///< of the last scan, seconds
    double told_at_ = 0;           ///< monotonic seconds
};

LogTree::LogTree(const QString& root, QObject* parent) : QObject(parent) {
    root_ = std::filesystem::absolute(root.toStdString()).lexically_normal();
    if (!root_.has_filename() && root_.has_parent_path() && root_ != root_.root_path())
        root_ = root_.parent_path();
}

void LogTree::start() {
    scanning_.start([this] { return std::make_shared<Scanner>(root_, mailbox_.address(), this); });
}

void LogTree::take(const std::vector<Found>& found, const QStringList& complaints, bool is_last) {
    const auto first = static_cast<int>(sources_.size());
    for (const Found& one : found) {
        const int color = static_cast<int>(sources_.size()) % widgets::kRunColors + 1;
        auto* record = new LogRecord(one.place, one.kind, qt(one.name), color, this);
        sources_.push_back(record);
        by_place_[one.place.string()] = record;
        connect(record, &LogRecord::caughtUp, this, [this] {
            ++caught_up_;
            if (isCaughtUp())
                emit caughtUp();
        });
    }
    const bool first_scan = is_last && !scanned_;
    scanned_ = scanned_ || is_last;
    if (!found.empty())
        emit sourcesAdded(first, static_cast<int>(found.size()));
    for (std::size_t i = static_cast<std::size_t>(first); i < sources_.size(); ++i)
        sources_[i]->start();
    if (complaints != complaints_) {
        complaints_ = complaints;
        emit complaintsChanged();
    }
    if (first_scan) {
        emit scanned();
        if (isCaughtUp())
            emit caughtUp();
    }
}

LogRecord* LogTree::source(const QString& key) const {
    const auto found = by_place_.find(key.toStdString());
    return found == by_place_.end() ? nullptr : found->second;
}

bool LogTree::isCaughtUp() const {
    return scanned_ && caught_up_ == sources_.size();
}

}  // namespace trainyard::desktop
