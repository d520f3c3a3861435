// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/try_it_page.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QThread>

#include "desktop/checkpoints/checkpoint_list_model.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "desktop/try_it/image_field.h"
#include "desktop/try_it/sampling_bar.h"
#include "models/spec/tasks.h"
#include "observe/inspect/checkpoint_list.h"
#include "widgets/inline_message.h"
#include "widgets/job.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using inspect::CheckpointEntry;
using inspect::CheckpointList;
using inspect::CheckpointState;
using widgets::InlineMessage;

namespace {
const int& kAnswersStackedBelow = live_px(700);  // pixels
const int& kTextHeight = live_px(96);
const int& kQuestionHeight = live_px(52);
constexpr int kAnswers = 5;  // that are shown, above the text
}  // namespace

TryItPage::TryItPage(QWidget* parent)
    : Page(tr("Try it"), parent),
      heading_(make_note(tr("Prompt"))),
      prompt_(named(new QPlainTextEdit, tr("Prompt"))),
      pair_(named(new QLineEdit, tr("Second text"))),
      passage_heading_(make_note(tr("Text with the answer"))),
      passage_(named(new QPlainTextEdit, tr("Text with the answer"))),
      image_(new ImageField),
      sampling_(new SamplingBar),
      besides_(new QCheckBox(tr("Compare with a second checkpoint"))),
      chats_(new QCheckBox(tr("Conversation"))),
      system_(named(new QLineEdit, tr("System message"))),
      new_chat_(with_look(new QPushButton(tr("New conversation")), {.icon = "plus"})),
      first_(new AnswerPanel(tr("first"))),
      second_(new AnswerPanel(tr("second"))),
      write_(with_look(new QPushButton(tr("Write")), {.kind = "primary", .icon = "play"})),
      stop_(with_look(new QPushButton(tr("Stop")),
                      {.icon = "stop", .tip = tr("Stops generating; the text so far is kept")})),
      message_(new InlineMessage),
      listing_(new widgets::Job(this)) {
    add_items(actions(), {stop_, write_});
    body()->setSpacing(10);
    auto* column = make_column(QMargins(), 10, {heading_});
    body()->addWidget(message_);
    body()->addWidget(widgets::make_panel_scroll(column), 1);
    for (QPlainTextEdit* edit : {prompt_, passage_}) {
        edit->setFont(Theme::instance().mono(13));
        edit->setTabChangesFocus(true);
        edit->setFixedHeight(kTextHeight);
    }
    passage_->setPlaceholderText(tr("Text in which the answer is looked for"));
    chats_->setToolTip(tr("Each text is a message; the chat template of the tokenizer writes what the model sees"));
    system_->setPlaceholderText(tr("System message; empty: none"));
    pair_->setPlaceholderText(tr("Second text, of a model of two texts; empty: none"));
    conversation_ = make_holder(make_row({0, 0, 0, 0}, {chats_, {system_, 1}, new_chat_}));
    add_items(column, {prompt_, pair_, passage_heading_, passage_, image_, conversation_, sampling_, besides_});
    column->addWidget(widgets::make_stacking_splitter(kAnswersStackedBelow, {first_, second_}), 1);
    second_->hide();
    connect(besides_, &QCheckBox::toggled, this, [this](bool on) {
        second_->setVisible(on);
        if (!on)
            second_->process()->release();
        tellState();
    });
    connect(chats_, &QCheckBox::toggled, this, &TryItPage::showMode);
    connect(new_chat_, &QPushButton::clicked, this, [this] {
        first_->forget();
        second_->forget();
        tellState();
    });
    connect(write_, &QPushButton::clicked, this, &TryItPage::write);
    connect(stop_, &QPushButton::clicked, this, &TryItPage::stop);
    for (AnswerPanel* panel : {first_, second_})
        connect(panel, &AnswerPanel::stateChanged, this, &TryItPage::tellState);
    connect(first_, &AnswerPanel::taskChanged, this, &TryItPage::showMode);
    connect(image_, &ImageField::changed, this, &TryItPage::tellState);
    showMode();
}

TryItPage::Mode TryItPage::mode() const {
    const std::string& task = first_->task();
    if (families::reads_images(task))
        return Mode::ClassesOfImage;
    if (task == families::kQuestionAnswering)
        return Mode::Answers;
    const bool has_classes = task == families::kSequenceClassification || task == families::kTokenClassification;
    return has_classes ? Mode::ClassesOfText : Mode::Text;
}

void TryItPage::showMode() {
    const Mode mode = this->mode();
    const bool chat = chats_->isChecked();
    prompt_->setVisible(mode != Mode::ClassesOfImage);
    pair_->setVisible(first_->task() == families::kSequenceClassification);
    image_->setVisible(mode == Mode::ClassesOfImage);
    conversation_->setVisible(mode == Mode::Text);
    sampling_->setVisible(mode == Mode::Text);
    system_->setVisible(chat);
    new_chat_->setVisible(chat);
    passage_heading_->setVisible(mode == Mode::Answers);
    passage_->setVisible(mode == Mode::Answers);
    prompt_->setFixedHeight(mode == Mode::Answers ? kQuestionHeight : kTextHeight);
    const auto show = [this](const QString& heading, const QString& name, const QString& placeholder,
                             const QString& verb, const QString& description) {
        heading_->setText(heading);
        prompt_->setAccessibleName(name);
        prompt_->setPlaceholderText(placeholder);
        write_->setText(verb);
        ActionCollection::instance().describe(write_, "window.primary", description);
    };
    const QString classified = tr("Text to classify"), classes = tr("Shows the classes of the sample");
    switch (mode) {
        case Mode::Text:
            show(tr("Prompt"), tr("Prompt"), chat ? tr("Message to the model") : tr("Text for the model to continue"),
                 chat ? tr("Send") : tr("Write"), tr("Continues the text"));
            break;
        case Mode::ClassesOfText:
            show(tr("Text"), classified, classified, tr("Classify"), classes);
            break;
        case Mode::ClassesOfImage:
            show(tr("Image"), classified, classified, tr("Classify"), classes);
            break;
        case Mode::Answers:
            show(tr("Question"), tr("Question"), tr("Question on the text below"), tr("Answer"),
                 tr("Shows the part of the text that answers the question"));
            break;
    }
    for (AnswerPanel* panel : {first_, second_})
        panel->forget();
    tellState();
}

QWidget* TryItPage::firstFocus() {
    return mode() == Mode::ClassesOfImage ? static_cast<QWidget*>(image_->button()) : prompt_;
}

void TryItPage::refresh() {
    if (!place_.isEmpty())
        open(place_);
}

void TryItPage::activate(const QString& subject) {
    if (!subject.isEmpty())
        open(subject);
}

void TryItPage::takeOver(Page& before) {
    const auto& page = static_cast<TryItPage&>(before);
    activate(page.place_);
    prompt_->setPlainText(page.prompt_->toPlainText());
    pair_->setText(page.pair_->text());
    system_->setText(page.system_->text());
    chats_->setChecked(page.chats_->isChecked());
    besides_->setChecked(page.besides_->isChecked());
}

bool TryItPage::isBusy() const {
    return listing_->isRunning() || first_->isBusy() || second_->isBusy() || first_->isLooking() ||
           second_->isLooking() || image_->isReading();
}

void TryItPage::open(const QString& place) {
    place_ = place;
    listing_->submit(
        [place = place.toStdString()] { return inspect::read_checkpoint_list(place); },
        [this, place](const CheckpointList& checkpoint_list) {
            message_->dismiss();
            QList<std::pair<QString, QString>> checkpoints;
            for (const CheckpointEntry& item : checkpoint_list.items)
                if (item.state == CheckpointState::whole)
                    checkpoints.append({item.step >= 0 ? tr("Step %1").arg(stepWords(item)) : stepWords(item),
                                        qt(item.folder.string())});
            const int newest = checkpoint_list.newest();
            for (AnswerPanel* panel : {first_, second_})
                panel->setCheckpoints(checkpoints);
            if (const QString path = QFileInfo(place).absoluteFilePath(); first_->box()->findData(path) >= 0)
                first_->choose(path);
            else if (newest >= 0)
                first_->choose(qt(checkpoint_list.items[static_cast<std::size_t>(newest)].folder.string()));
            if (first_->box()->currentIndex() == second_->box()->currentIndex() && second_->box()->count() > 1)
                second_->box()->setCurrentIndex((first_->box()->currentIndex() + 1) % second_->box()->count());
            setFacts(qt((checkpoint_list.run.empty() ? checkpoint_list.folder : checkpoint_list.run).string()));
            const auto remote =
                std::ranges::find(checkpoint_list.items, CheckpointState::remote, &CheckpointEntry::state);
            if (checkpoints.isEmpty() && remote != checkpoint_list.items.end())
                message_->showMessage(InlineMessage::Kind::Note, tr("The checkpoints are on %1").arg(qt(remote->host)),
                                      qtSentence(remote->problem));
            else if (checkpoints.isEmpty())
                message_->showMessage(
                    InlineMessage::Kind::Note, tr("No complete checkpoint yet"),
                    tr("A run saves a checkpoint every checkpoint.every steps, or when you ask for one."));
            tellState();
        },
        [this](const QString& sentence) {
            message_->showMessage(InlineMessage::Kind::Error, tr("It cannot be opened"), sentence);
            tellState();
        });
}

void TryItPage::write() {
    if (!write_->isEnabled())
        return;
    if (first_->isLooking()) {  // what the model is for decides what is asked
        is_asked_ = true;
        return;
    }
    const bool both = besides_->isChecked();
    // Two models at once share the processor.
    const int threads = both ? std::max(1, QThread::idealThreadCount() / 2) : 0;
    if (mode() != Mode::Text)
        return classify(threads);
    const QJsonObject options = sampling_->options();
    if (chats_->isChecked()) {
        const QString message = prompt_->toPlainText().trimmed();
        if (message.isEmpty())
            return prompt_->setFocus();
        first_->chat(message, system_->text().trimmed(), options, threads);
        if (both)
            second_->chat(message, system_->text().trimmed(), options, threads);
        return prompt_->clear();
    }
    first_->ask(prompt_->toPlainText(), options, threads);
    if (both)
        second_->ask(prompt_->toPlainText(), options, threads);
}

void TryItPage::classify(int threads) {
    QJsonObject sample;
    if (mode() == Mode::ClassesOfImage) {
        if (image_->file().isEmpty())
            return image_->button()->setFocus();
        sample[QStringLiteral("image")] = image_->file();
    } else {
        if (prompt_->toPlainText().trimmed().isEmpty())
            return prompt_->setFocus();
        sample[QStringLiteral("text")] = prompt_->toPlainText();
        if (mode() == Mode::Answers) {
            if (passage_->toPlainText().trimmed().isEmpty())
                return passage_->setFocus();
            sample[QStringLiteral("second")] = passage_->toPlainText();
            sample[QStringLiteral("top")] = kAnswers;
        }
        if (first_->task() == families::kSequenceClassification && !pair_->text().isEmpty())
            sample[QStringLiteral("second")] = pair_->text();
    }
    first_->classify(sample, threads);
    if (besides_->isChecked())
        second_->classify(sample, threads);
}

void TryItPage::stop() {
    first_->process()->stop();
    second_->process()->stop();
}

void TryItPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    if (!event->spontaneous())
        for (AnswerPanel* panel : {first_, second_})
            panel->process()->release();
}

void TryItPage::tellState() {
    const bool busy = first_->isBusy() || second_->isBusy();
    const bool has_sample = mode() != Mode::ClassesOfImage || (!image_->file().isEmpty() && !image_->isReading());
    write_->setEnabled(!busy && !first_->chosen().isEmpty() && has_sample);
    stop_->setEnabled(busy);
    besides_->setEnabled(!busy);
    chats_->setEnabled(!busy);
    new_chat_->setEnabled(!busy && !first_->conversation().isEmpty());
    system_->setEnabled(!busy && first_->conversation().isEmpty());
    if (is_asked_ && !first_->isLooking() && !busy) {
        is_asked_ = false;
        write();
    }
}

}  // namespace trainyard::desktop
