// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/open_target.h"

#include <algorithm>

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QUrl>

#include "base/error.h"
#include "desktop/runs/run_scanner.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/text/qt_text.h"
#include "formats/tables/table_reader.h"
#include "observe/graph/graph.h"
#include "observe/inspect/checkpoint_list.h"
#include "observe/traces/rank_set.h"
#include "remote/far_place.h"

namespace trainyard::desktop {

namespace {

constexpr int kMostEntries = 50'000;  // looked at below a folder before it counts as data

bool isEventFile(const QString& name) {
    return name.contains(QLatin1String("tfevents"));
}

bool isMetrics(const QString& path) {
    const std::filesystem::path file(path.toStdString());
    const std::optional<LogKind> kind = kind_of_log_file(file.filename().string());
    return kind && looks_like_metrics(file, *kind);
}

bool holdsWeights(const QString& path) {
    try {
        return std::ranges::any_of(inspect::read_checkpoint_list(path.toStdString()).items,
                                   [](const inspect::CheckpointEntry& item) {
                                       // The page of checkpoints says where the files of a remote one are.
                                       return (item.state == inspect::CheckpointState::whole ||
                                               item.state == inspect::CheckpointState::remote) &&
                                              item.bytes > 0;
                                   });
    } catch (const UserError&) {
        return false;
    }
}

/// Damaged files with endings that only weights have count, too: the page of checkpoints says what is wrong with them.
bool isWeightsFile(const QFileInfo& file) {
    static const QStringList own{QStringLiteral("safetensors"), QStringLiteral("gguf"), QStringLiteral("pt"),
                                 QStringLiteral("pth"), QStringLiteral("ckpt")};
    return own.contains(file.suffix().toLower()) ||
           (!file.suffix().isEmpty() && is_named_like_weights(file.filePath()) && holdsWeights(file.filePath()));
}

/// A table by its ending, or text by what it begins with.
bool isData(const QString& path) {
    if (!formats::format_by_ending(path.toStdString()).empty())
        return true;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray begin = file.read(1 << 16);
    QStringDecoder utf8(QStringDecoder::Utf8);
    [[maybe_unused]] const QString text = utf8(begin);
    return !begin.isEmpty() && !begin.contains('\0') && !utf8.hasError();
}

/// Returns true for an empty folder too: its first file may be about to be written.
bool holdsLogs(const QString& folder, const std::function<bool()>& cancelled) {
    QDirIterator files(folder, QDir::Files | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    int seen = 0;
    for (; files.hasNext() && seen < kMostEntries; ++seen) {
        if (cancelled && cancelled())
            return false;
        const QString path = files.next();
        if (isEventFile(files.fileName()) || isMetrics(path))
            return true;
    }
    return seen == 0 && QDir(folder).isReadable();
}

}  // namespace

QString RemotePlace::text() const {
    return qt(remote::FarPlace{host.toStdString(), path.toStdString()}.text());
}

bool is_named_like_weights(const QString& path) {
    static const QStringList endings{QString(),
                                     QStringLiteral("safetensors"),
                                     QStringLiteral("gguf"),
                                     QStringLiteral("pt"),
                                     QStringLiteral("pth"),
                                     QStringLiteral("bin"),
                                     QStringLiteral("ckpt")};
    return endings.contains(QFileInfo(path).suffix().toLower());
}

std::optional<RemotePlace> remote_place(const QString& words) {
    const auto place = remote::far_place(words.toStdString());
    if (!place)
        return std::nullopt;
    return RemotePlace{qt(place->host), place->path.empty() ? QStringLiteral(".") : qt(place->path)};
}

OpenTarget look_at(const QString& words, const std::function<bool()>& cancelled) {
    QString local = words;
    if (words.startsWith(QLatin1String("file:")))
        local = QUrl(words).toLocalFile();
    QFileInfo info(local);
    // A file that is called like an address is the file.
    if (!info.exists())
        if (const auto remote = remote_place(words))
            return {OpenTarget::Kind::Remote, remote->text(), remote->host};
    if (info.isFile() &&
        (info.fileName() == QLatin1String("state.json") || info.fileName() == QLatin1String("run.yaml")))
        info = QFileInfo(info.absolutePath());
    const QString path = QDir::cleanPath(info.absoluteFilePath());
    if (info.isDir()) {
        if (isRun(path.toStdString()))
            return {OpenTarget::Kind::Run, path, {}};
        if (holdsLogs(path, cancelled))
            return {OpenTarget::Kind::Logs, path, {}};
        if (!traces::profiles_in(path.toStdString()).empty())
            return {OpenTarget::Kind::Trace, path, {}};
        return {holdsWeights(path) ? OpenTarget::Kind::Checkpoint : OpenTarget::Kind::Data, path, {}};
    }
    static const QRegularExpression of_trace(QStringLiteral("\\.json(\\.gz|\\.zst)?$"));
    if (info.isFile() && of_trace.match(path).hasMatch() && traces::is_trace(path.toStdString()))
        return {OpenTarget::Kind::Trace, path, {}};
    // A log without its first line is accepted, as an empty folder is.
    if (info.isFile() && (isMetrics(path) || (info.size() == 0 && kind_of_log_file(info.fileName().toStdString()))))
        return {OpenTarget::Kind::Logs, path, {}};
    static const QStringList readable{QStringLiteral("yaml"), QStringLiteral("yml"), QStringLiteral("json")};
    if (readable.contains(info.suffix().toLower()))
        return {OpenTarget::Kind::Settings, path, {}};
    if (!info.exists()) {
        // A missing path without a file name extension is a folder that a program may create soon.
        const bool awaited = info.suffix().isEmpty() && QFileInfo(info.absolutePath()).isDir();
        return {awaited ? OpenTarget::Kind::Logs : OpenTarget::Kind::Missing, path, {}};
    }
    if (isEventFile(info.fileName()))
        return {OpenTarget::Kind::Logs, path, {}};
    if (graph::is_graph_file(path.toStdString()))
        return {OpenTarget::Kind::Model, path, {}};
    if (isWeightsFile(info))
        return {OpenTarget::Kind::Checkpoint, path, {}};
    return {isData(path) ? OpenTarget::Kind::Data : OpenTarget::Kind::Unknown, path, {}};
}

}  // namespace trainyard::desktop
