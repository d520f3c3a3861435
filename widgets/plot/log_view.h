// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A log as a table of fixed rows: time, rank, level, words. Follows the newest line until one scrolls up; then a button
// says how many lines have come and leads back. Holds millions of lines. Keys: Ctrl+C copies rows with rank and time,
// End follows, Space opens a line whole, Enter chooses it (the charts go there).

#include <QTableView>

#include "widgets/forward.h"
#include "widgets/pixels.h"
#include "widgets/plot/log_model.h"

namespace trainyard::widgets {

class LogScrollBar;

class LogView : public QTableView {
    Q_OBJECT
  public:
    static inline const int& kRowHeight = live_px(18);  ///< pixels

    explicit LogView(const QString& accessibleName, QWidget* parent = nullptr);

    LogModel* log() const { return model_; }
    bool isFollowing() const { return following_; }
    void setFollowing(bool following);
    /// Lines that came since following ended.
    int newLines() const { return new_lines_; }
    /// Shows and selects a row; following ends.
    void goToRow(int row);
    /// The next row in which was found what is looked for, seen from the current one; false: nowhere.
    bool goToFound(bool down);
    /// A line at this row, and in the scroll bar: where the crosshair of the charts stands. -1: none.
    void setMark(int row);

  signals:
    void followingChanged(bool following);
    void rowChosen(int row);  ///< clicked, or Enter
    void rowOpened(int row);  ///< double clicked, or Space

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void scrolledByUser();
    void rowsCame(int count);
    void placeButton();

    LogModel* model_;
    LogScrollBar* bar_;
    QPushButton* button_;
    bool following_ = true;
    int new_lines_ = 0;
};

}  // namespace trainyard::widgets
