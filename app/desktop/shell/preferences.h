// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings ($XDG_CONFIG_HOME/trainyard/desktop.ini) and the state of the window ($XDG_STATE_HOME/trainyard/window.ini).
// A file that cannot be read is kept as .bad, the defaults are used, and complaint() says so once.

#include <array>
#include <memory>

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVariant>

#include "widgets/token.h"

namespace trainyard::desktop {

class Preferences : public QObject {
    Q_OBJECT
  public:
    explicit Preferences(QObject* parent = nullptr);

    widgets::ThemeChoice theme() const;
    void setTheme(widgets::ThemeChoice choice);
    /// A code of widgets::Languages; empty: as the system says.
    QString language() const { return settings_->value(QStringLiteral("appearance/language")).toString(); }
    void setLanguage(const QString& code);
    /// Per cent of the usual size, one of kSizes.
    static constexpr std::array<int, 8> kSizes{80, 90, 100, 110, 125, 150, 175, 200};
    int sizeOfText() const;
    void setSizeOfText(int percent);
    /// Whether the menu bar is visible without Alt.
    bool menuBarShown() const { return settings_->value(QStringLiteral("appearance/menu_bar"), true).toBool(); }
    void setMenuBarShown(bool shown) { store(settings_.get(), QStringLiteral("appearance/menu_bar"), shown); }
    /// Whether this computer does not suspend while a run trains on it.
    bool keepsAwake() const { return settings_->value(QStringLiteral("runs/keep_awake"), true).toBool(); }
    void setKeepsAwake(bool keeps) { store(settings_.get(), QStringLiteral("runs/keep_awake"), keeps); }
    /// Whether closing the window leaves the program in the tray.
    bool closesToTray() const { return settings_->value(QStringLiteral("appearance/close_to_tray")).toBool(); }
    void setClosesToTray(bool closes) { store(settings_.get(), QStringLiteral("appearance/close_to_tray"), closes); }
    bool closingExplained() const { return state_->value(QStringLiteral("window/closing_explained")).toBool(); }
    void setClosingExplained() { store(state_.get(), QStringLiteral("window/closing_explained"), true); }
    /// Whether the program looks for a newer version of itself once a day, and at which address.
    bool looksForVersions() const { return settings_->value(QStringLiteral("updates/check")).toBool(); }
    void setLooksForVersions(bool looks) { store(settings_.get(), QStringLiteral("updates/check"), looks); }
    QString versionAddress() const { return settings_->value(QStringLiteral("updates/address")).toString(); }
    void setVersionAddress(const QString& address) {
        store(settings_.get(), QStringLiteral("updates/address"), address);
    }
    /// When the address was last asked, in seconds since 1970; 0: never.
    double versionAskedAt() const { return state_->value(QStringLiteral("updates/asked_at")).toDouble(); }
    void setVersionAskedAt(double time) { store(state_.get(), QStringLiteral("updates/asked_at"), time); }
    /// The changed shortcuts: command and keys, as ActionCollection writes them.
    QMap<QString, QString> shortcuts() const;
    void setShortcuts(const QMap<QString, QString>& shortcuts);
    bool highContrast() const { return settings_->value(QStringLiteral("appearance/high_contrast")).toBool(); }
    void setHighContrast(bool high) { store(settings_.get(), QStringLiteral("appearance/high_contrast"), high); }
    /// Empty: the default place. Sets $TRAINYARD_RUNS for the engine unless the user has set it.
    QString runsFolder() const;
    /// Valid for this session even if $TRAINYARD_RUNS was set by the surroundings, which has priority in the next one.
    void setRunsFolder(const QString& folder);
    /// True when $TRAINYARD_RUNS was set by the surroundings: the stored setting has no effect then.
    bool runsFolderIsGiven() const { return runs_given_; }
    QString enginePath() const { return settings_->value(QStringLiteral("engine/program")).toString(); }
    void setEnginePath(const QString& path) { store(settings_.get(), QStringLiteral("engine/program"), path); }

    QByteArray geometry() const { return state_->value(QStringLiteral("window/geometry")).toByteArray(); }
    void setGeometry(const QByteArray& geometry) { store(state_.get(), QStringLiteral("window/geometry"), geometry); }
    bool railFolded() const { return state_->value(QStringLiteral("window/rail_folded")).toBool(); }
    void setRailFolded(bool folded) { store(state_.get(), QStringLiteral("window/rail_folded"), folded); }

    /// Empty, or which file was unreadable and where it is kept.
    QString complaint() const { return complaint_; }
    /// Adds a sentence to complaint().
    void complain(const QString& sentence);
    QString settingsFile() const { return settings_->fileName(); }

    static QString configFolder();
    static QString stateFolder();
    static QString dataFolder();

  signals:
    void textSizeChanged(int percent);
    void languageChanged(const QString& code);  ///< empty: as the system says
    /// What was changed is not in its file, for example because the disk is full or read-only. Sent once for a file.
    void notSaved(const QString& sentence);

  private:
    std::unique_ptr<QSettings> open(const QString& file);
    void store(QSettings* file, const QString& key, const QVariant& value);
    void checkSaved();
    void applyRunsFolder();
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<QSettings> state_;
    QString complaint_;
    QTimer checking_;
    QStringList not_saved_;  ///< files
    bool runs_given_ = false;
};

}  // namespace trainyard::desktop
