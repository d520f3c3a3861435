// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Last page of the wizard: what is wrong or doubtful with a way to each field, what was checked, what will change in
// the file, and the ways out: launch, save, copy the command.

#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ReviewPage : public StepPage {
    Q_OBJECT
  public:
    explicit ReviewPage(RunDraft* draft, QWidget* parent = nullptr);
    void setProblems(const QVector<FieldProblem>& problems) { problems_ = problems; }
    void setCommand(const QString& command);

  signals:
    void fieldWanted(const QString& key);
    void saveRequested();
    void dataParallelWanted();
    void ownScriptWanted();

  protected:
    void takeValues() override;

  private:
    enum class State { Pass, Fail, Waiting, Warning };
    struct Check {
        QString name, result;
        State state = State::Pass;
    };
    QVector<Check> checks() const;
    void addLine(QVBoxLayout* into, State state, const QString& title, const QString& words, const QString& key = {});
    void addWaysOut(QVBoxLayout* into);

    QVector<FieldProblem> problems_;
    QVBoxLayout* findings_;
    QVBoxLayout* checks_;
    QLabel* diff_;
    QLabel* command_;
    QPushButton* save_;
    QPushButton* copy_;
    QWidget* shown_findings_ = nullptr;
    QWidget* shown_checks_ = nullptr;
    /// Beside what of the settings the engine does not train; nullptr: it trains all of it.
    QPushButton* data_parallel_ = nullptr;
    QPushButton* own_script_ = nullptr;
};

}  // namespace trainyard::desktop
