#pragma once
// The logs of a run: which rank, warnings or errors only, words to find, follow the newest line.

#include <QFrame>
#include <QTimer>

#include "widgets/plot/log_store.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace trainyard::widgets {
class LogView;
class SegmentedControl;
}  // namespace trainyard::widgets

namespace trainyard::desktop {

class LogPanel : public QFrame {
    Q_OBJECT
  public:
    explicit LogPanel(QWidget* parent = nullptr);
    void append(const std::shared_ptr<const widgets::LogBlock>& block);
    void setRanks(int ranks);
    void showRank(int rank);  ///< -2: all
    void focusFind();
    widgets::LogView* view() const { return view_; }

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    enum Choice { All, OneRank, Warnings, Errors };
    void applyFilter();
    void refreshCounts();

    widgets::LogView* view_;
    widgets::SegmentedControl* choice_;
    QComboBox* rank_;
    QLineEdit* find_;
    QCheckBox* follow_;
    QLabel* count_;
    QTimer typing_;
    int ranks_ = 0;
};

}  // namespace trainyard::desktop
