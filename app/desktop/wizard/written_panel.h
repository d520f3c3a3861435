// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What will be written, live: the settings file with marks (~ + -) on the lines that differ from the file it was opened
// from, the recipe, and the command line. Clicking a line asks for its field. The YAML can be edited in place: 300 ms
// after the last key it is read, the form follows, and a text that cannot be read says where while everything else
// stays as it was.

#include <QFrame>
#include <QTimer>

#include "config/accelerate/draft.h"
#include "widgets/forward.h"
#include "widgets/token.h"

namespace trainyard::desktop {

class DiffText;
class DraftModel;

class WrittenPanel : public QFrame {
    Q_OBJECT
  public:
    explicit WrittenPanel(DraftModel* draft, QWidget* parent = nullptr);

    enum Tab { Yaml, Recipe, Command };
    Tab tab() const;
    /// Empty: there is none, and its tab is hidden.
    void setRecipe(const QString& yaml);
    void setCommand(const QString& command);

    void setEditing(bool on);
    /// What Copy takes: the file, the recipe or the command, without marks and removed lines.
    QString copyText() const;
    /// `~ 1 changed   + 3 added`; empty without a file to compare with.
    widgets::ElidedLabel* counts() const { return counts_; }
    /// The sentence about a text that cannot be read; empty: all right.
    QLabel* problem() const { return problem_; }

  signals:
    /// A line was clicked, or Enter pressed on it.
    void keyActivated(const QString& path);
    void saveRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showNow();
    void showYaml();
    void readEdited();
    void say(const QString& sentence, widgets::Tone tone);

    DraftModel* draft_;
    widgets::ElidedLabel* title_;
    widgets::SegmentedControl* tabs_;
    DiffText* text_;
    QLabel* problem_;
    widgets::ElidedLabel* counts_;
    QPushButton* edit_;
    QPushButton* save_;
    QString recipe_;
    QString command_;
    QTimer typing_;
    bool editing_ = false;
    bool showing_ = false;  ///< the text changes because the draft did
    bool reading_ = false;  ///< the change comes from the text itself
};

}  // namespace trainyard::desktop
