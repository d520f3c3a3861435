// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/summary_cache.h"

#include <algorithm>

#include <QDataStream>
#include <QHash>
#include <QIODevice>

#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {
constexpr quint32 kMagic = 0x54524e53;
constexpr quint32 kCacheVersion = 1;
constexpr std::uint64_t kLargest = 512ull << 20;  // bytes

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdull;
}

/// Keys and tags are the same in most runs: each is written once, and read into one string that all share.
class WordTable {
  public:
    void write(QDataStream& out, const QString& word) {
        const auto at = numbers_.constFind(word);
        if (at != numbers_.constEnd()) {
            out << *at;
            return;
        }
        out << static_cast<quint32>(numbers_.size()) << word;
        numbers_.insert(word, static_cast<quint32>(numbers_.size()));
    }
    bool read(QDataStream& in, QString& word) {
        quint32 number = 0;
        in >> number;
        if (number > words_.size())
            return false;
        if (number == words_.size()) {
            QString fresh;
            in >> fresh;
            words_ << fresh;
        }
        word = words_[number];
        return in.status() == QDataStream::Ok;
    }

  private:
    QHash<QString, quint32> numbers_;
    QVector<QString> words_;
};

void write(QDataStream& out, WordTable& words, const CachedRun& run) {
    out << run.order << static_cast<quint64>(run.configMark) << static_cast<quint64>(run.metricsMark);
    out << static_cast<quint32>(run.config ? run.config->entries().size() : 0);
    if (run.config)
        for (const ConfigEntry& entry : run.config->entries()) {
            words.write(out, entry.key);
            words.write(out, entry.text);
            out << entry.number;
        }
    out << static_cast<quint32>(run.metrics ? run.metrics->entries().size() : 0);
    if (run.metrics)
        for (const MetricEntry& entry : run.metrics->entries()) {
            words.write(out, entry.tag);
            out << entry.last << entry.lowest << entry.highest << entry.mean << static_cast<qint64>(entry.count)
                << static_cast<qint64>(entry.step);
        }
    out << run.spark;
}

bool read(QDataStream& in, WordTable& words, CachedRun& run) {
    quint64 config_mark = 0, metrics_mark = 0;
    quint32 count = 0;
    in >> run.order >> config_mark >> metrics_mark >> count;
    QVector<ConfigEntry> config;
    for (quint32 i = 0; i < count; ++i) {
        ConfigEntry entry;
        if (!words.read(in, entry.key) || !words.read(in, entry.text))
            return false;
        in >> entry.number;
        config << entry;
    }
    in >> count;
    QVector<MetricEntry> metrics;
    for (quint32 i = 0; i < count; ++i) {
        MetricEntry entry;
        if (!words.read(in, entry.tag))
            return false;
        qint64 points = 0, step = 0;
        in >> entry.last >> entry.lowest >> entry.highest >> entry.mean >> points >> step;
        entry.count = points;
        entry.step = step;
        metrics << entry;
    }
    in >> run.spark;
    run.configMark = config_mark;
    run.metricsMark = metrics_mark;
    if (config_mark != 0)
        run.config = std::make_shared<const RunConfig>(std::move(config));
    if (metrics_mark != 0)
        run.metrics = std::make_shared<const RunMetrics>(std::move(metrics));
    return in.status() == QDataStream::Ok;
}
}  // namespace

std::uint64_t fileMark(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0)
        return 0;
    // Two versions may have one size and be written in one tick of the clock: a file that was replaced has another
    // number.
    std::uint64_t mark =
        mix(static_cast<std::uint64_t>(status.st_mtim.tv_sec), static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
    mark = mix(mark, static_cast<std::uint64_t>(status.st_ino));
    return std::max<std::uint64_t>(1, mix(mark, static_cast<std::uint64_t>(status.st_size)));
}

std::uint64_t folderMark(const fs::path& folder) {
    std::error_code error;
    std::uint64_t mark = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        // In no order: the sum does not depend on it.
        mark += mix(fileMark(entry->path()), std::hash<std::string>()(name));
    }
    return mark;
}

fs::path SummaryCache::usualFile() {
    const fs::path folder = files::cache_folder();
    return folder.empty() ? folder : folder / "runs.cache";
}

void SummaryCache::load() {
    std::error_code error;
    if (file_.empty() || !fs::exists(file_, error))
        return;
    std::string bytes;
    try {
        bytes = read_file(file_, kLargest);
    } catch (const UserError&) {
        return;
    }
    QDataStream in(QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())));
    in.setVersion(QDataStream::Qt_6_4);
    quint32 magic = 0, version = 0, count = 0;
    in >> magic >> version >> count;
    if (magic != kMagic || version != kCacheVersion)
        return;
    std::unordered_map<std::string, CachedRun> runs;
    WordTable words;
    for (quint32 i = 0; i < count; ++i) {
        QByteArray path;
        CachedRun run;
        in >> path;
        if (!read(in, words, run))
            return;  // torn or of another program: everything is read again
        runs.emplace(path.toStdString(), std::move(run));
    }
    runs_ = std::move(runs);
}

void SummaryCache::save() {
    if (!dirty_ || file_.empty())
        return;
    dirty_ = false;
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << kMagic << kCacheVersion << static_cast<quint32>(runs_.size());
    WordTable words;
    for (const auto& [path, run] : runs_) {
        out << QByteArray::fromStdString(path);
        write(out, words, run);
    }
    try {
        make_private_folder(file_.parent_path());
        write_file_atomically(file_, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())),
                              false);
    } catch (const UserError&) {
        // A cache that cannot be kept costs time at the next start, nothing else.
    }
}

const CachedRun* SummaryCache::find(const std::string& path) const {
    const auto at = runs_.find(path);
    return at == runs_.end() ? nullptr : &at->second;
}

void SummaryCache::forget(const std::string& path) {
    if (runs_.erase(path) > 0)
        dirty_ = true;
}

int SummaryCache::highestOrder() const {
    int highest = 0;
    for (const auto& [path, run] : runs_)
        highest = std::max(highest, run.order);
    return highest;
}

}  // namespace trainyard::desktop
