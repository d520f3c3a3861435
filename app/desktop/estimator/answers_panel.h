// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Right column of the estimator: whether it fits, what would fit, what saves memory. Each answer has a button that changes the scenario to it.

#include <QWidget>

#include "estimate/training_setup.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class MemoryBar;
class Scenario;

class AnswersPanel : public QWidget {
    Q_OBJECT
  public:
    explicit AnswersPanel(Scenario* scenario, QWidget* parent = nullptr);

  private:
    /// A line of "What fits".
    struct Line {
        QLabel* value = nullptr;
        QLabel* more = nullptr;
        QPushButton* apply = nullptr;
        estimate::TrainingSetup setup;
    };
    void addLine(QGridLayout* grid, int row, Line& line, const QString& label);
    void showFit();
    QString shortText() const;
    void showAnswers();

    Scenario* scenario_;
    widgets::StateChip* chip_;
    QLabel* total_;
    MemoryBar* bar_;
    QLabel* limit_;
    QLabel* spare_;
    QLabel* time_;
    QLabel* why_;
    Line batch_, sequence_, fewest_, best_;
    QGridLayout* savings_;
};

}  // namespace trainyard::desktop
