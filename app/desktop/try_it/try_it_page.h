// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A prompt and what a checkpoint makes of it; two checkpoints side by side. Models run in processes of their own and
// are given up when the page is left.

#include "desktop/page.h"
#include "desktop/try_it/answer_panel.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SamplingBar;

class TryItPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "tryit";

    explicit TryItPage(QWidget* parent = nullptr);
    /// `subject`: a run, a folder of checkpoints, or one checkpoint, which is chosen then.
    void activate(const QString& subject) override;
    QWidget* firstFocus() override;
    void primaryAction() override { write(); }
    void refresh() override;

    void write();
    void stop();

    AnswerPanel* first() const { return first_; }
    AnswerPanel* second() const { return second_; }
    bool isBusy() const;

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    void open(const QString& place);
    void tellState();
    void showMode();

    QString place_;
    QPlainTextEdit* prompt_;
    SamplingBar* sampling_;
    QCheckBox *besides_, *chats_;
    QLineEdit* system_;
    QPushButton* new_chat_;
    AnswerPanel *first_, *second_;
    QPushButton *write_, *stop_;
    widgets::InlineMessage* message_;
    widgets::Job* listing_;
};

}  // namespace trainyard::desktop
