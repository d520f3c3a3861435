// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The panel of the Presets button: built-in and own presets, each shown as the list of keys it sets, applied as one
// undo step. Keys that the engine refuses are left out when it trains, and the panel says why. Own presets are settings
// files in $XDG_CONFIG_HOME/trainyard/presets. A launch command, an Accelerate file or a DeepSpeed JSON can be pasted
// from the clipboard; the panel shows what it would set before it is applied.

#include <QFrame>

#include "desktop/wizard/own_presets.h"
#include "desktop/wizard/pasted.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DraftModel;
class RunDraft;

class PresetsMenu : public QFrame {
    Q_OBJECT
  public:
    /// Creates a popup window (Qt::Popup).
    explicit PresetsMenu(RunDraft* draft, QWidget* parent = nullptr);

    /// Opens the panel below the button and reads the user's presets again (in another thread).
    void popup(QWidget* button);
    /// Reads presets from text such as the clipboard's, adds the result to the list and selects it.
    void importText(const QString& text);
    /// Saves the current settings under this name, for later use.
    void saveAsPreset(const QString& name);
    /// Applies the choice selected in the list.
    void apply();

    QPushButton* deleteButton() const { return delete_; }
    QLabel* message() const { return message_; }
    bool isReady() const { return !reading_.isRunning() && !writing_.isRunning(); }

  signals:
    void applied(const QString& name);
    /// Emitted when an applied command names a program (script, module) with these arguments.
    void programPasted(const QString& program, const QStringList& arguments);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Choice {
        settings::Preset preset;
        std::filesystem::path file;    ///< of a user's preset
        std::optional<Pasted> pasted;  ///< from the clipboard
        /// Translated for built-in presets; the user's presets have the names their authors gave them.
        QString name() const;
        QString help() const;
    };
    QWidget* makeChoices();
    QWidget* makeDetails();
    void fill();
    void readOwn();
    void showChoice();
    void deleteChoice();
    void say(const QString& sentence, bool bad);
    const Choice* current() const;

    RunDraft* run_;
    DraftModel* draft_;
    std::vector<OwnPreset> own_;
    std::optional<Choice> pasted_;
    std::vector<Choice> shown_;
    QString wanted_;  ///< id of the choice that the next fill() selects
    QListWidget* list_;
    QLabel* title_;
    QLabel* help_;
    widgets::CellRows* rows_;
    QTableView* keys_;
    QLabel* notes_;
    QLabel* message_;
    QLineEdit* name_;
    QPushButton* save_;
    QPushButton* clipboard_;
    QPushButton* delete_;
    QPushButton* apply_;
    QWidget* choices_ = nullptr;
    widgets::Job reading_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
