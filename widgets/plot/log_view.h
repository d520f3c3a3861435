#pragma once
// A log as a table of fixed rows: time, rank, level, words. Follows the newest line until one scrolls up; then a button says how
// many lines have come and leads back. Holds millions of lines.

#include <QTableView>

#include "widgets/plot/log_model.h"

class QPushButton;

namespace trainyard::widgets {

class LogView : public QTableView {
    Q_OBJECT
  public:
    static constexpr int kRowHeight = 18;  ///< pixels

    explicit LogView(const QString& accessibleName, QWidget* parent = nullptr);

    LogModel* log() const { return model_; }
    bool isFollowing() const { return following_; }
    void setFollowing(bool following);
    /// Lines that came since following ended.
    int newLines() const { return new_lines_; }

  signals:
    void followingChanged(bool following);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

  private:
    void scrolledByUser();
    void rowsCame(int count);
    void placeButton();

    LogModel* model_;
    QPushButton* button_;
    bool following_ = true;
    int new_lines_ = 0;
};

}  // namespace trainyard::widgets
