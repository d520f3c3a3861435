#pragma once
// The Presets button's panel: built-in and own presets, each shown as the list of keys it sets, applied as one undo step. Own ones are
// settings files in $XDG_CONFIG_HOME/trainyard/presets. Takes a launch command, an Accelerate file or a DeepSpeed JSON from the
// clipboard too and shows what it would set before it does.

#include <QFrame>

#include "desktop/wizard/own_presets.h"
#include "desktop/wizard/pasted.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DraftModel;

class PresetsMenu : public QFrame {
    Q_OBJECT
  public:
    /// A popup window of its own (Qt::Popup).
    explicit PresetsMenu(DraftModel* draft, QWidget* parent = nullptr);

    /// Shows itself below the button; reads own presets again (in another thread).
    void popup(QWidget* button);
    /// What stands on the clipboard, or any text; shown in the list and chosen.
    void importText(const QString& text);
    /// The settings as they are now, for another time.
    void saveAsPreset(const QString& name);
    /// The one that is chosen in the list.
    void apply();

    QPushButton* deleteButton() const { return delete_; }
    QLabel* message() const { return message_; }
    bool isReady() const { return !reading_.isRunning() && !writing_.isRunning(); }

  signals:
    void applied(const QString& name);
    /// A pasted command that was applied names a program (script, module) with these arguments.
    void programPasted(const QString& program, const QStringList& arguments);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct Choice {
        settings::Preset preset;
        std::filesystem::path file;    ///< of an own one
        std::optional<Pasted> pasted;  ///< from the clipboard
        /// Of a built-in one in the language of the window; people named the others.
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

    DraftModel* draft_;
    std::vector<OwnPreset> own_;
    std::optional<Choice> pasted_;
    std::vector<Choice> shown_;
    QString wanted_;  ///< id of the choice to stand on after the next fill()
    QListWidget* list_;
    QLabel* title_;
    QLabel* help_;
    QTableWidget* keys_;
    QLabel* notes_;
    QLabel* message_;
    QLineEdit* name_;
    QPushButton* save_;
    QPushButton* clipboard_;
    QPushButton* delete_;
    QPushButton* apply_;
    widgets::Job reading_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
