#include "desktop/preferences.h"

#include <algorithm>
#include <utility>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

#include "desktop/view_state.h"
#include "widgets/languages.h"

namespace trainyard::desktop {

using widgets::ThemeChoice;

namespace {
const QString kTheme = QStringLiteral("appearance/theme");
const QString kLanguage = QStringLiteral("appearance/language");
const QString kSize = QStringLiteral("appearance/size");
const QString kContrast = QStringLiteral("appearance/high_contrast");
const QString kRuns = QStringLiteral("runs/folder");
const QString kEngine = QStringLiteral("engine/program");
const QString kWindowGeometry = QStringLiteral("window/geometry");
const QString kRailFolded = QStringLiteral("window/rail_folded");

constexpr const char* kFactor = "QT_SCALE_FACTOR";
bool size_was_applied = false;

bool isOfferedSize(int percent) {
    return std::find(Preferences::kSizes.begin(), Preferences::kSizes.end(), percent) != Preferences::kSizes.end();
}

QString folder(const char* variable, const QString& fallback) {
    const QString base = qEnvironmentVariable(variable);
    return (base.isEmpty() ? QDir::homePath() + fallback : base) + QStringLiteral("/trainyard");
}

/// QSettings accepts any text without complaint; ours holds sections and key=value lines only.
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
    return folder("XDG_CONFIG_HOME", QStringLiteral("/.config"));
}
QString Preferences::stateFolder() {
    return desktop::stateFolder();
}
QString Preferences::dataFolder() {
    return folder("XDG_DATA_HOME", QStringLiteral("/.local/share"));
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
        complain(tr("%1: %2 is no size of text (appearance/size), so 100 is used. Write one of %3.")
                     .arg(settings_->fileName(), settings_->value(kSize).toString(), sizes.join(QStringLiteral(", "))));
    }
    runs_given_ = qEnvironmentVariableIsSet("TRAINYARD_RUNS");
    applyRunsFolder();
}

Preferences::~Preferences() = default;

std::unique_ptr<QSettings> Preferences::open(const QString& file) {
    auto settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
    if (QFileInfo::exists(file) && (settings->status() != QSettings::NoError || !looksLikeIni(file))) {
        settings.reset();
        const QString bad = file + QStringLiteral(".bad");
        QFile::remove(bad);
        QFile::rename(file, bad);
        complain(tr("%1 could not be read. Defaults are used, and the file was kept as %2.").arg(file, bad));
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
        qunsetenv("TRAINYARD_RUNS");
    else
        qputenv("TRAINYARD_RUNS", QFile::encodeName(runsFolder()));
}

ThemeChoice Preferences::theme() const {
    const QString word = settings_->value(kTheme).toString();
    return word == QLatin1String("dark")    ? ThemeChoice::Dark
           : word == QLatin1String("light") ? ThemeChoice::Light
                                            : ThemeChoice::System;
}

void Preferences::setTheme(ThemeChoice choice) {
    static constexpr const char* words[] = {"system", "light", "dark"};
    settings_->setValue(kTheme, QLatin1String(words[static_cast<int>(choice)]));
}

QString Preferences::language() const {
    return settings_->value(kLanguage).toString();
}

void Preferences::setLanguage(const QString& code) {
    settings_->setValue(kLanguage, code);
}

int Preferences::sizeOfText() const {
    const int percent = settings_->value(kSize, 100).toInt();
    return isOfferedSize(percent) ? percent : 100;
}

void Preferences::setSizeOfText(int percent) {
    settings_->setValue(kSize, percent);
}

void Preferences::applySize() {
    const QString file = configFolder() + QStringLiteral("/desktop.ini");
    if (sizeIsGiven() || !looksLikeIni(file))
        return;
    const int percent = QSettings(file, QSettings::IniFormat).value(kSize, 100).toInt();
    if (isOfferedSize(percent) && percent != 100)
        size_was_applied = qputenv(kFactor, QByteArray::number(percent / 100.0));
}

void Preferences::dropSize() {
    if (std::exchange(size_was_applied, false))
        qunsetenv(kFactor);
}

bool Preferences::sizeIsGiven() {
    return !size_was_applied && qEnvironmentVariableIsSet(kFactor);
}

bool Preferences::highContrast() const {
    return settings_->value(kContrast).toBool();
}

void Preferences::setHighContrast(bool high) {
    settings_->setValue(kContrast, high);
}

QString Preferences::runsFolder() const {
    return settings_->value(kRuns).toString();
}

void Preferences::setRunsFolder(const QString& path) {
    settings_->setValue(kRuns, path);
    applyRunsFolder();
}

QString Preferences::enginePath() const {
    return settings_->value(kEngine).toString();
}
void Preferences::setEnginePath(const QString& path) {
    settings_->setValue(kEngine, path);
}

QByteArray Preferences::geometry() const {
    return state_->value(kWindowGeometry).toByteArray();
}
void Preferences::setGeometry(const QByteArray& geometry) {
    state_->setValue(kWindowGeometry, geometry);
}

bool Preferences::railFolded() const {
    return state_->value(kRailFolded).toBool();
}
void Preferences::setRailFolded(bool folded) {
    state_->setValue(kRailFolded, folded);
}

QString Preferences::settingsFile() const {
    return settings_->fileName();
}

}  // namespace trainyard::desktop
