// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A prompt and what a checkpoint makes of it, or a sample and the classes that it finds; two checkpoints side by side.
// Models run in processes of their own and are given up when the page is left.

#include "desktop/shell/page.h"
#include "desktop/try_it/answer_panel.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ImageField;
class SamplingBar;

class TryItPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "tryit";

    explicit TryItPage(QWidget* parent = nullptr);
    /// `subject`: a run, a folder of checkpoints, or one checkpoint, which is chosen then.
    void activate(const QString& subject) override;
    void takeOver(Page& before) override;
    QWidget* firstFocus() override;
    void primaryAction() override { write(); }
    void refresh() override;

    void write();
    void stop();

    AnswerPanel* first() const { return first_; }
    AnswerPanel* second() const { return second_; }
    bool isBusy() const override;

  protected:
    void hideEvent(QHideEvent* event) override;

  private:
    enum class Mode { Text, ClassesOfText, ClassesOfImage, Answers };
    /// By the task of the first checkpoint.
    Mode mode() const;
    void open(const QString& place);
    void tellState();
    void showMode();
    void classify(int threads);

    QString place_;
    QLabel* heading_;
    QPlainTextEdit* prompt_;
    QLineEdit* pair_;  ///< the second of two texts
    QLabel* passage_heading_;
    QPlainTextEdit* passage_;  ///< the text with the answer of a question
    ImageField* image_;
    QWidget* conversation_;  ///< the row of conversations
    bool is_asked_ = false;  ///< write() waits for the task of the model
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
