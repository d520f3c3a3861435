// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/preferences.h"

#include <algorithm>
#include <string_view>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "base/environment_names.h"
#include "base/files/user_folders.h"
#include "desktop/shell/view_state.h"
#include "desktop/text/qt_text.h"
#include "widgets/languages.h"
#include "widgets/local_text.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

using widgets::ThemeChoice;

namespace {
const QString kTheme = QStringLiteral("appearance/theme");
const QString kSize = QStringLiteral("appearance/size");
const QString kRuns = QStringLiteral("runs/folder");
const QString kShortcuts = QStringLiteral("shortcuts");

bool isOfferedSize(int percent) {
    return std::ranges::find(Preferences::kSizes, percent) != Preferences::kSizes.end();
}

/// Checks the syntax, because QSettings accepts any text. The settings file has only sections and key=value lines.
bool looksLikeIni(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray& raw : file.readAll().split('\n')) {
        const QByteArray line = raw.trimmed();
        const bool fine = line.isEmpty() || line.startsWith(';') || line.startsWith('#') ||
                          (line.startsWith('[') && line.endsWith(']')) || line.contains('=');
        if (!fine || line.contains('\0'))
            return false;
    }
    return true;
}
}  // namespace

QString Preferences::configFolder() {
    return QFile::decodeName(files::config_folder().c_str());
}
QString Preferences::stateFolder() {
    return desktop::stateFolder();
}
QString Preferences::dataFolder() {
    return QFile::decodeName(files::data_folder().c_str());
}

Preferences::Preferences(QObject* parent) : QObject(parent) {
    settings_ = open(configFolder() + QStringLiteral("/desktop.ini"));
    state_ = open(stateFolder() + QStringLiteral("/window.ini"));
    if (const QString code = language(); !code.isEmpty() && !widgets::Languages::knows(code))
        complain(tr("%1: there is no language “%2” (appearance/language), so the system's is used. Choose one under "
                    "Settings.")
                     .arg(settings_->fileName(), code));
    if (settings_->contains(kSize) && !isOfferedSize(settings_->value(kSize).toInt())) {
        QStringList sizes;
        for (const int percent : kSizes)
            sizes << QString::number(percent);
        complain(tr("%1: %2 is not a valid text size (appearance/size), so 100 is used. Write one of %3.")
                     .arg(settings_->fileName(), settings_->value(kSize).toString(), widgets::list_text(sizes)));
    }
    runs_given_ = qEnvironmentVariableIsSet(kEnvRuns);
    applyRunsFolder();
    widgets::act_after(checking_, 0, this, &Preferences::checkSaved);
}

void Preferences::store(QSettings* file, const QString& key, const QVariant& value) {
    file->setValue(key, value);
    checking_.start();
}

void Preferences::checkSaved() {
    for (QSettings* file : {settings_.get(), state_.get()}) {
        file->sync();
        const QString name = file->fileName();
        if (file->status() == QSettings::NoError) {
            not_saved_.removeAll(name);
        } else if (!not_saved_.contains(name)) {
            not_saved_ << name;
            emit notSaved(tr("%1 cannot be written: check the free space and the permissions of its folder. Changes "
                             "are valid until Trainyard ends.")
                              .arg(name));
        }
    }
}

std::unique_ptr<QSettings> Preferences::open(const QString& file) {
    auto settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
    if (QFileInfo::exists(file) && (settings->status() != QSettings::NoError || !looksLikeIni(file))) {
        settings.reset();
        const QString bad = file + QStringLiteral(".bad");
        QFile::remove(bad);
        QFile::rename(file, bad);
        complain(tr("%1 could not be read. Defaults are used, and the file was saved as %2.").arg(file, bad));
        settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
    }
    return settings;
}

void Preferences::complain(const QString& sentence) {
    complaint_ += (complaint_.isEmpty() ? QString() : QStringLiteral("\n")) + sentence;
}

void Preferences::applyRunsFolder() {
    if (runs_given_)
        return;
    if (runsFolder().isEmpty())
        qunsetenv(kEnvRuns);
    else
        qputenv(kEnvRuns, QFile::encodeName(runsFolder()));
}

/// In the order of ThemeChoice.
static constexpr std::string_view kThemeWords[] = {"system", "light", "dark"};

ThemeChoice Preferences::theme() const {
    const auto found = std::ranges::find(kThemeWords, settings_->value(kTheme).toString().toStdString());
    return found == std::end(kThemeWords) ? ThemeChoice::System : static_cast<ThemeChoice>(found - kThemeWords);
}

void Preferences::setTheme(ThemeChoice choice) {
    store(settings_.get(), kTheme, qt(kThemeWords[static_cast<int>(choice)]));
}

int Preferences::sizeOfText() const {
    const int percent = settings_->value(kSize, 100).toInt();
    return isOfferedSize(percent) ? percent : 100;
}

void Preferences::setSizeOfText(int percent) {
    const int before = sizeOfText();
    store(settings_.get(), kSize, percent);
    if (sizeOfText() != before)
        emit textSizeChanged(sizeOfText());
}

void Preferences::setLanguage(const QString& code) {
    const QString before = language();
    store(settings_.get(), QStringLiteral("appearance/language"), code);
    if (code != before || (code.isEmpty() ? widgets::Languages::ofSystem() : code) != widgets::Languages::current())
        emit languageChanged(code);
}

QMap<QString, QString> Preferences::shortcuts() const {
    QMap<QString, QString> shortcuts;
    settings_->beginGroup(kShortcuts);
    for (const QString& command : settings_->childKeys())
        shortcuts.insert(command, settings_->value(command).toStringList().join(QLatin1Char(',')));
    settings_->endGroup();
    return shortcuts;
}

void Preferences::setShortcuts(const QMap<QString, QString>& shortcuts) {
    settings_->remove(kShortcuts);
    for (auto each = shortcuts.cbegin(); each != shortcuts.cend(); ++each)
        store(settings_.get(), kShortcuts + QLatin1Char('/') + each.key(), each.value());
}

void Preferences::setRunsFolder(const QString& path) {
    store(settings_.get(), kRuns, path);
    if (runs_given_)
        qputenv(kEnvRuns, QFile::encodeName(path));
    applyRunsFolder();
}

QString Preferences::runsFolder() const {
    return settings_->value(kRuns).toString();
}

}  // namespace trainyard::desktop
