// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Expert mode: one table of every key of the recipe and of the settings, grouped as in the files: tick "set", key, value
// with its editor, default, what it means or what is wrong with it, who reads it. Values are painted like editors and
// become one when they are clicked or Enter is pressed, so that hundreds of keys open at once and scroll smoothly.
// Keys: arrows, Left/Right fold a group, Space ticks, Enter or typing edits, Del takes a key back, Ctrl+. uses the fix.

#include <QFrame>

#include "widgets/forward.h"

namespace trainyard::desktop {

class DraftModel;
class ExpertFilter;
class ExpertModel;
class ExpertTree;
class RunDraft;

class ExpertView : public QFrame {
    Q_OBJECT
  public:
    /// `run`: see ExpertModel.
    explicit ExpertView(DraftModel* draft, RunDraft* run = nullptr, QWidget* parent = nullptr);

    /// Shows the key, opens its group, makes it the current one and gives it the focus. Returns false if there is no
    /// such key, or if it has no meaning now.
    bool focusKey(const QString& path);
    QLineEdit* searchField() const { return search_; }
    /// Paths shown now, top to bottom, folded groups too.
    QStringList shownKeys() const;

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void showCounts();
    void searchChanged();

    DraftModel* draft_;
    ExpertModel* model_;
    ExpertFilter* filter_;
    ExpertTree* tree_;
    QLineEdit* search_;
    QLabel* found_;
    widgets::SegmentedControl* filters_;
};

}  // namespace trainyard::desktop
