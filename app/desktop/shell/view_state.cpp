// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/view_state.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {
const QString kKey = QStringLiteral("key");
const QString kView = QStringLiteral("view");
const QString kEnding = QStringLiteral(".json");

/// The files beyond the newest `kMostKeys` go.
void forgetOld(const QString& folder) {
    const QFileInfoList files = QDir(folder).entryInfoList({QLatin1Char('*') + kEnding}, QDir::Files, QDir::Time);
    for (qsizetype i = ViewState::kMostKeys; i < files.size(); ++i)
        QFile::remove(files[i].absoluteFilePath());
}
}  // namespace

QString stateFolder() {
    return QFile::decodeName(files::state_folder().c_str());
}

QStringList stringsOf(const QJsonValue& array) {
    QStringList list;
    for (const QJsonValue item : array.toArray())
        if (item.isString())
            list << item.toString();
    return list;
}

ViewState& ViewState::instance() {
    static ViewState state(stateFolder() + QStringLiteral("/views"));
    // What is due is written while there is an application: static objects go after everything that main() still tidies
    // away.
    [[maybe_unused]] static const bool atTheEnd = [] {
        qAddPostRoutine([] { state.flush(); });
        return true;
    }();
    return state;
}

ViewState::ViewState(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
    widgets::act_after(timer_, kDelay, this, &ViewState::save);
}

ViewState::~ViewState() {
    flush();
}

QString ViewState::fileOf(const QString& key) const {
    const QByteArray hash = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha256).toHex().left(24);
    return folder_ + QLatin1Char('/') + QString::fromLatin1(hash) + kEnding;
}

QJsonObject ViewState::read(const QString& key) {
    QFile file(fileOf(key));
    if (!file.exists())
        return {};
    QString reason;
    QJsonObject view;
    if (file.size() > kLargestFile)
        reason = tr("it is larger than %1 KB").arg(kLargestFile / 1024);
    else if (!file.open(QIODevice::ReadOnly))
        reason = file.errorString();
    else {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
        if (!document.isObject())
            reason =
                error.error == QJsonParseError::NoError ? tr("it does not contain a JSON object") : error.errorString();
        else if (document.object().value(kKey).toString() == key)
            view = document.object().value(kView).toObject();
        file.close();
    }
    if (!reason.isEmpty()) {
        const QString bad = file.fileName() + QStringLiteral(".bad");
        QFile::remove(bad);
        QFile::rename(file.fileName(), bad);
        complain(tr("The saved view of %1 could not be read (%2). It was reset, and the file was saved as %3.")
                     .arg(key, reason, bad));
    }
    return view;
}

void ViewState::complain(const QString& sentence) {
    if (complaints_.contains(sentence))
        return;
    complaints_ << sentence;
    emit complaint(sentence);
}

QJsonObject ViewState::view(const QString& key) {
    const auto found = views_.constFind(key);
    if (found != views_.cend())
        return *found;
    return *views_.insert(key, read(key));
}

void ViewState::set(const QString& key, const QString& name, const QJsonValue& value) {
    QJsonObject changed = view(key);
    if (value.isUndefined() || value.isNull())
        changed.remove(name);
    else if (changed.value(name) == value)
        return;
    else
        changed.insert(name, value);
    setView(key, changed);
}

void ViewState::setView(const QString& key, const QJsonObject& view) {
    if (this->view(key) == view)
        return;
    views_.insert(key, view);
    changed_.removeOne(key);
    changed_ << key;
    // The first change sets the clock: who drags for minutes is saved all the while.
    widgets::start_unless_active(timer_);
}

void ViewState::save() {
    timer_.stop();
    const std::string order = folder_.toStdString();
    const auto failed = [this](const QString& sentence) { complain(sentence); };
    for (const QString& key : std::as_const(changed_)) {
        const QString file = fileOf(key);
        const QJsonObject view = views_.value(key);
        const QByteArray text = QJsonDocument(QJsonObject{{kKey, key}, {kView, view}}).toJson(QJsonDocument::Compact);
        if (text.size() > kLargestFile)
            continue;  // would not be read again: the last one that fits stays
        writing_.inOrder(
            order,
            [file, text = view.isEmpty() ? QByteArray() : text, folder = order] {
                if (text.isEmpty()) {
                    QFile::remove(file);
                    return;
                }
                make_private_folder(folder);
                write_file_atomically(file.toStdString(), text.toStdString(), false);
            },
            [] {}, failed);
    }
    if (!changed_.isEmpty())
        writing_.inOrder(
            order, [folder = folder_] { forgetOld(folder); }, [] {});
    changed_.clear();
}

void ViewState::flush() {
    save();
    writing_.wait();
}

void ViewState::setFolder(const QString& folder) {
    flush();
    folder_ = folder;
    views_.clear();
    complaints_.clear();
}

}  // namespace trainyard::desktop
