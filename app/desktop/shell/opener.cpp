// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/opener.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QMimeData>
#include <QUrl>

#include "desktop/shell/view_state.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {
const QString kOpened = QStringLiteral("opened");
const QString kOpenedList = QStringLiteral("list");
const QString kOpenedPath = QStringLiteral("path");
const QString kOpenedLogs = QStringLiteral("logs");
}  // namespace

void Opener::open(const QString& words) {
    job_.submit(
        [words](const widgets::Cancelled& cancelled) {
            return look_at(words, [&cancelled] { return static_cast<bool>(cancelled); });
        },
        [this](const OpenTarget& target) {
            if (target.kind != OpenTarget::Kind::Missing && target.kind != OpenTarget::Kind::Unknown)
                remember(target);
            emit found(target);
        });
}

void Opener::choose(QWidget* parent) {
    QFileDialog* dialog =
        widgets::make_path_dialog(parent, tr("Open settings, a recipe, a log, or a file of a run folder"), {},
                                  QFileDialog::ExistingFile, this, [this](const QString& path) { open(path); });
    dialog->setNameFilters({tr("All files (*)"), tr("Settings, recipes, runs (*.yaml *.yml *.json)"),
                            tr("Profiler traces (*.json *.json.gz *.json.zst)"),
                            tr("Logs (*tfevents* *.jsonl *.csv *.wandb trainer_state.json meta.yaml)")});
    dialog->open();
}

void Opener::chooseFolder(QWidget* parent) {
    QFileDialog* dialog =
        widgets::make_path_dialog(parent, tr("Open a run, or a folder of TensorBoard logs"), {}, QFileDialog::Directory,
                                  this, [this](const QString& path) { open(path); });
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->open();
}

void Opener::askAddress(QWidget* parent) {
    widgets::ask_text(parent, tr("Logs of another machine"),
                      tr("Host and folder, as in gpu-a:runs/today or sftp://gpu-a/data/runs.\n"
                         "The host is one of Hosts, or of ~/.ssh/config."),
                      {}, 460, this, [this](const QString& words) {
                          if (!words.trimmed().isEmpty())
                              open(words.trimmed());
                      });
}

Opener::Dropped Opener::dropped(const QMimeData* data) {
    const QList<QUrl> urls = data->urls();
    const QString text = data->text().trimmed();
    if (urls.isEmpty())
        return {remote_place(text) ? text : QString(), {}};
    if (urls.size() > 1)
        return {{},
                tr("Only one file or folder can be opened at a time, not %1. Drop the folder of files that belong "
                   "together.")
                    .arg(urls.size())};
    const QUrl& url = urls.first();
    if (url.isLocalFile() || remote_place(url.toString()))
        return {url.isLocalFile() ? url.toLocalFile() : url.toString(), {}};
    return {{}, tr("%1 cannot be opened. Drop a file, a folder, or an address of a host.").arg(url.toDisplayString())};
}

QStringList Opener::recents() {
    QStringList list;
    for (const QJsonValue value : ViewState::instance().value(kOpened, kOpenedList).toArray())
        list << value.toObject().value(kOpenedPath).toString();
    list.removeAll(QString());
    return list;
}

QStringList Opener::recentLogs() {
    QStringList list;
    for (const QJsonValue value : ViewState::instance().value(kOpened, kOpenedList).toArray())
        if (value.toObject().value(kOpenedLogs).toBool())
            list << value.toObject().value(kOpenedPath).toString();
    return list;
}

void Opener::remember(const OpenTarget& target) {
    QJsonArray list{QJsonObject{
        {kOpenedPath, target.path},
        {kOpenedLogs, target.kind == OpenTarget::Kind::Logs || target.kind == OpenTarget::Kind::Remote},
    }};
    for (const QJsonValue value : ViewState::instance().value(kOpened, kOpenedList).toArray())
        if (value.toObject().value(kOpenedPath).toString() != target.path && list.size() < kMostRecents)
            list << value;
    ViewState::instance().set(kOpened, kOpenedList, list);
    emit recentsChanged();
}

void Opener::forget(const QString& path) {
    QJsonArray list;
    for (const QJsonValue value : ViewState::instance().value(kOpened, kOpenedList).toArray())
        if (value.toObject().value(kOpenedPath).toString() != path)
            list << value;
    ViewState::instance().set(kOpened, kOpenedList, list);
    emit recentsChanged();
}

}  // namespace trainyard::desktop
