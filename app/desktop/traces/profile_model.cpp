// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/profile_model.h"

#include <algorithm>
#include <filesystem>

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

#include "desktop/text/qt_text.h"
#include "observe/traces/rank_set.h"

namespace trainyard::desktop {

namespace {

constexpr int kMostProfiles = 1000;

/// Takes sizes and times from the files. Returns false if one is missing.
bool look_at_files(RecordedProfile& profile) {
    for (const QString& path : profile.paths) {
        const QFileInfo info(path);
        if (!info.exists())
            return false;
        profile.bytes += info.isFile() ? static_cast<quint64>(info.size()) : 0;
        profile.recorded =
            std::max(profile.recorded, static_cast<double>(info.lastModified().toMSecsSinceEpoch()) / 1000);
    }
    return true;
}

}  // namespace

QVector<RecordedProfile> recordedProfiles(const QVector<ProfilePlace>& places, const QVector<QStringList>& opened,
                                          const std::function<bool()>& cancelled) {
    static const QRegularExpression step(QStringLiteral("^step-(\\d+)-"));
    QVector<RecordedProfile> found;
    QStringList listed;
    for (const ProfilePlace& place : places) {
        if (cancelled())
            return found;
        for (const auto& files : traces::profiles_in(place.path.toStdString())) {
            RecordedProfile profile;
            profile.run = place.name;
            for (const std::filesystem::path& file : files)
                profile.paths << qt(file.string());
            const QString name = QFileInfo(profile.paths.front()).fileName();
            const QRegularExpressionMatch match = step.match(name);
            profile.name = match.hasMatch()
                               ? ProfileModel::tr("step %1").arg(QLocale().toString(match.captured(1).toLongLong()))
                               : name;
            listed << profile.paths << place.path;
            if (look_at_files(profile) && found.size() < kMostProfiles)
                found << profile;
        }
    }
    for (const QStringList& paths : opened) {
        if (std::all_of(paths.begin(), paths.end(), [&](const QString& path) { return listed.contains(path); }))
            continue;
        RecordedProfile profile;
        profile.paths = paths;
        const QFileInfo first(paths.front());
        profile.run = first.isAbsolute() ? first.dir().dirName() : paths.front().section(QLatin1Char(':'), 0, 0);
        profile.name = first.fileName();
        if (!first.isAbsolute() || look_at_files(profile))
            found << profile;
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const RecordedProfile& a, const RecordedProfile& b) { return a.recorded > b.recorded; });
    return found;
}

void ProfileModel::setProfiles(const QVector<RecordedProfile>& profiles) {
    if (profiles == profiles_)
        return;
    beginResetModel();
    profiles_ = profiles;
    endResetModel();
}

QString ProfileModel::title(int column) const {
    static constexpr const char* titles[]{QT_TR_NOOP("Run"), QT_TR_NOOP("Profile"), QT_TR_NOOP("Ranks"),
                                          QT_TR_NOOP("Size"), QT_TR_NOOP("Recorded")};
    return tr(titles[column]);
}

widgets::Cell ProfileModel::cell(int row, int column) const {
    const RecordedProfile& profile = profiles_[row];
    widgets::Cell cell;
    cell.mono = isNumber(column) || column == Recorded;
    const QLocale locale;
    switch (column) {
        case Run:
            cell.text = profile.run;
            cell.strong = true;
            break;
        case Name:
            cell.text = profile.name;
            break;
        case Ranks:
            cell.text = locale.toString(profile.paths.size());
            break;
        case Size:
            if (profile.bytes > 0)
                cell.text = locale.formattedDataSize(static_cast<qint64>(profile.bytes), 1, QLocale::DataSizeSIFormat);
            break;
        default:
            if (profile.recorded > 0)
                cell.text = locale.toString(
                    QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(profile.recorded * 1000)), QLocale::ShortFormat);
            break;
    }
    return cell;
}

QString ProfileModel::tip(int row, int) const {
    return profiles_[row].paths.front();
}

}  // namespace trainyard::desktop
