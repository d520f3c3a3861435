// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line above a panel of curves: tags to seek, unit, smoothing, axes, size and layouts. Tells what is chosen; the
// panel does it.

#include <QWidget>

#include "desktop/curves/panel_layout.h"
#include "report/panel.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class NamedLayouts;
class SmoothingControl;

class PanelBar : public QWidget {
    Q_OBJECT
  public:
    /// `layouts`: for its menu; outlives this.
    explicit PanelBar(NamedLayouts* layouts, QWidget* parent = nullptr);

    void setLayoutShown(const PanelLayout& layout);
    /// Which units mean anything for the sources; step and both times always do.
    void setUnits(bool tokens, bool epochs);
    void setCount(int shown, int all);
    void setProblem(const QString& sentence);
    QLineEdit* field() const { return field_; }

  signals:
    void filterChanged(const QString& words);
    /// One step of undo; while a slider is dragged, `undoable` is false.
    void layoutChosen(const trainyard::desktop::PanelLayout& layout, bool undoable);
    void fitRequested();
    void treeToggled();
    void resetRequested();
    void panelRequested(trainyard::report::PanelKind kind);
    void reportRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fillLayoutMenu();

    NamedLayouts* named_;
    PanelLayout layout_;
    QPushButton* tree_;
    QLineEdit* field_;
    QLabel* count_;
    SmoothingControl* smoothing_;
    QHBoxLayout* line_;
    widgets::SegmentedControl* units_;
    QPushButton* axes_;
    QMenu* axes_menu_;
    QAction* log_x_;
    QAction* log_y_;
    QAction* clip_;
    widgets::SegmentedControl* sizes_;
    QPushButton* add_;
    QMenu* kinds_;  ///< of panels
    QPushButton* layouts_;
    QMenu* layout_menu_;
    bool setting_ = false;
};

}  // namespace trainyard::desktop
