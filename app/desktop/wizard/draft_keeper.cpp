// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/draft_keeper.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
constexpr int kWaitMs = 1000;
constexpr std::uint64_t kMostDraftBytes = 8u << 20;
constexpr qsizetype kMostParked = 20;
const QString kParkedName = QStringLiteral("parked_name");
const QString kParkedTime = QStringLiteral("parked_time");

void writeFile(const QString& file, const QByteArray& content) {
    const std::filesystem::path path = file.toStdString();
    make_private_folder(path.parent_path());
    write_file_atomically(path, content.toStdString(), false);
}
}  // namespace

QString DraftKeeper::file() {
    return Preferences::stateFolder() + QStringLiteral("/drafts/current.json");
}

DraftKeeper::DraftKeeper(RunDraft* draft, QObject* parent) : QObject(parent), draft_(draft) {
    widgets::act_after(wait_, kWaitMs, this, &DraftKeeper::write);
}

DraftKeeper::~DraftKeeper() {
    if (dirty_)
        write();
    writing_.wait();
}

void DraftKeeper::start() {
    if (started_) {
        emit restored(place_);
        return;
    }
    if (reading_.isRunning())
        return;
    struct Read {
        QByteArray text;
        bool found = false;
        QString error;
        QVector<ParkedDraft> parked;
    };
    const QString path = file();
    reading_.submit(
        [path] {
            Read read;
            read.parked = readParked();
            if (!QFileInfo::exists(path))
                return read;
            read.found = true;
            try {
                read.text = QByteArray::fromStdString(read_file(path.toStdString(), kMostDraftBytes));
            } catch (const UserError& error) {
                read.error = qtSentence(message_of(error));
            }
            return read;
        },
        [this, path](const Read& read) {
            started_ = true;
            setParked(read.parked);
            const QJsonObject all = QJsonDocument::fromJson(read.text).object();
            const bool good =
                read.found && draft_->restore(QJsonDocument(all.value(QLatin1String("draft")).toObject()).toJson());
            if (read.found && !good) {
                writing_.inOrder(
                    path.toStdString(),
                    [path] {
                        std::error_code ignored;
                        std::filesystem::rename(path.toStdString(), path.toStdString() + ".bad", ignored);
                    },
                    [] {});
                emit complaint(
                    tr("The draft %1 could not be read. A copy was saved as %1.bad and the form was reset.").arg(path));
            }
            dirty_ = false;
            wait_.stop();
            if (good)
                emit restored(all.value(QLatin1String("place")).toObject());
            else
                emit nothing();
        });
}

QVector<ParkedDraft> DraftKeeper::readParked() {
    QVector<ParkedDraft> found;
    const QDir folder(QFileInfo(file()).path());
    for (const QString& name : folder.entryList({QStringLiteral("parked-*.json")}, QDir::Files)) {
        try {
            const QString path = folder.filePath(name);
            const QJsonObject all =
                QJsonDocument::fromJson(QByteArray::fromStdString(read_file(path.toStdString(), kMostDraftBytes)))
                    .object();
            if (all.contains(QLatin1String("draft")))
                found << ParkedDraft{path, all.value(kParkedName).toString(), all.value(kParkedTime).toDouble()};
        } catch (const UserError&) {
            continue;  // offered again once it can be read
        }
    }
    std::ranges::sort(found, std::ranges::greater(), &ParkedDraft::time);
    return found;
}

void DraftKeeper::setParked(QVector<ParkedDraft> parked) {
    std::ranges::sort(parked, std::ranges::greater(), &ParkedDraft::time);
    while (parked.size() > kMostParked) {
        const QString oldest = parked.takeLast().file;
        writing_.inOrder(
            oldest.toStdString(), [oldest] { QFile::remove(oldest); }, [] {});
    }
    if (parked == parked_)
        return;
    parked_ = std::move(parked);
    emit parkedChanged();
}

void DraftKeeper::park(const QString& name) {
    const double now = wall_seconds();
    QJsonObject all = QJsonDocument::fromJson(content()).object();
    all.insert(kParkedName, name);
    all.insert(kParkedTime, now);
    const QString folder = QFileInfo(file()).path();
    qint64 number = static_cast<qint64>(now * 1000);
    const auto path = [&] { return QStringLiteral("%1/parked-%2.json").arg(folder).arg(number); };
    while (std::ranges::any_of(parked_, [&](const ParkedDraft& each) { return each.file == path(); }))
        ++number;
    const QString target = path();
    const QByteArray text = QJsonDocument(all).toJson();
    writing_.inOrder(
        target.toStdString(), [target, text] { writeFile(target, text); }, [] {},
        [this](const QString& words) { emit complaint(tr("The draft could not be saved: %1").arg(words)); });
    setParked(parked_ + QVector<ParkedDraft>{{target, name, now}});
}

void DraftKeeper::resume(const QString& path) {
    writing_.inOrder(
        path.toStdString(), [path] { return read_file(path.toStdString(), kMostDraftBytes); },
        [this, path](const std::string& text) {
            const QJsonObject all = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
            if (!draft_->restore(QJsonDocument(all.value(QLatin1String("draft")).toObject()).toJson())) {
                emit complaint(tr("The draft %1 could not be read.").arg(path));
                return;
            }
            discard(path);
            emit restored(all.value(QLatin1String("place")).toObject());
        },
        [this](const QString& words) { emit complaint(words); });
}

void DraftKeeper::discard(const QString& path) {
    writing_.inOrder(
        path.toStdString(), [path] { QFile::remove(path); }, [] {});
    QVector<ParkedDraft> left = parked_;
    left.removeIf([&](const ParkedDraft& each) { return each.file == path; });
    setParked(left);
}

void DraftKeeper::setPlace(const QJsonObject& place) {
    if (place == place_)
        return;
    place_ = place;
    changed();
}

void DraftKeeper::changed() {
    if (!started_)
        return;
    if (!dirty_) {
        dirty_ = true;
        emit saved(false);
    }
    wait_.start();
}

QByteArray DraftKeeper::content() const {
    const QJsonObject all{{QStringLiteral("draft"), QJsonDocument::fromJson(draft_->store()).object()},
                          {QStringLiteral("place"), place_}};
    return QJsonDocument(all).toJson();
}

void DraftKeeper::write() {
    const QByteArray text = content();
    const QString path = file();
    writing_.inOrder(
        path.toStdString(), [path, text] { writeFile(path, text); },
        [this] {
            if (wait_.isActive() || writing_.isRunning())
                return;  // a newer text will be written
            dirty_ = false;
            failed_ = false;
            emit saved(true);
        },
        [this](const QString& words) {
            if (!failed_)
                emit complaint(tr("The draft could not be saved: %1").arg(words));
            failed_ = true;
        });
}

}  // namespace trainyard::desktop
