// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/answer_panel.h"

#include <utility>

#include <QComboBox>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLocale>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStackedWidget>

#include "base/fields.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/shell/ui.h"
#include "desktop/try_it/model_task.h"
#include "desktop/try_it/prediction_view.h"
#include "models/spec/tasks.h"
#include "widgets/dialogs.h"
#include "widgets/job.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr int kLargestPicture = 1024;  // pixels of either side

struct Notes {
    std::vector<Message> notes;
    void fields(auto& field) const { field("notes", notes); }
};

}  // namespace

AnswerPanel::AnswerPanel(const QString& accessibleName, QWidget* parent)
    : QFrame(parent),
      box_(new QComboBox),
      folder_(with_look(
          new QPushButton(tr("Folder…")),
          {.icon = "folder", .tip = tr("A checkpoint, an adapter or a model of transformers from another folder")})),
      hub_(with_look(new QPushButton(tr("Hub…")), {.tip = tr("A model of the hub, by its name"),
                                                   .name = tr("A model of the hub, %1").arg(accessibleName)})),
      text_(new QPlainTextEdit),
      prediction_(named(new PredictionView, tr("Classes, %1").arg(accessibleName))),
      answers_(new QStackedWidget),
      facts_(new ElidedLabel),
      process_(new PromptProcess(this)),
      looking_(new widgets::Job(this)),
      painting_(new widgets::Job(this)) {
    setProperty("surface", QStringLiteral("panel"));
    box_->setAccessibleName(tr("Checkpoint, %1").arg(accessibleName));
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box_->setMinimumContentsLength(12);
    text_->setReadOnly(true);
    text_->setAccessibleName(tr("Answer, %1").arg(accessibleName));
    text_->setPlaceholderText(tr("The text appears here as it is written."));
    text_->setFont(Theme::instance().mono(13));
    answers_->addWidget(text_);
    answers_->addWidget(prediction_);
    facts_->setMinimumHeight(16_px);
    setLayout(make_column({14, 12, 14, 12}, 8, {make_row(8, {{box_, 1}, folder_, hub_}), {answers_, 1}, facts_}));
    connect(folder_, &QPushButton::clicked, this, [this] {
        widgets::make_path_dialog(this, tr("A model to try"), chosen(), QFileDialog::Directory, this,
                                  [this](const QString& path) { choose(path); })
            ->open();
    });
    connect(hub_, &QPushButton::clicked, this, [this] {
        ask_hub(this, HubItem::Model,
                [this](const QString& name, const QString& folder) { chooseNamed(name, folder); });
    });
    box_->setPlaceholderText(tr("No checkpoint: choose a folder"));
    connect(box_, &QComboBox::currentIndexChanged, this, [this] {
        box_->setToolTip(chosen());
        forget();  // the conversation was with another model
        prediction_->clear();
        look();
        emit stateChanged();
    });
    connect(process_, &PromptProcess::stateChanged, this, &AnswerPanel::tellState);
    connect(process_, &PromptProcess::loaded, this, [this](const PromptProcess::Model& model) {
        context_ = model.context;
        classes_ = model.classes;
    });
    connect(process_, &PromptProcess::predicted, this, &AnswerPanel::showPrediction);
    connect(process_, &PromptProcess::textAdded, this, [this](const QString& text) {
        reply_ += text;
        const bool at_end = text_->verticalScrollBar()->value() == text_->verticalScrollBar()->maximum();
        QTextCursor end(text_->document());
        end.movePosition(QTextCursor::End);
        end.insertText(text);
        if (at_end)
            text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
    });
    connect(process_, &PromptProcess::finished, this, [this](const PromptProcess::Answer& made) {
        if (chatting_)
            conversation_.append(QJsonObject{{QStringLiteral("role"), QStringLiteral("assistant")},
                                             {QStringLiteral("content"), reply_}});
        QString words = tr("%Ln tokens", nullptr, static_cast<int>(made.tokens));
        if (const double rate = made.seconds > 0 ? static_cast<double>(made.tokens) / made.seconds : 0; rate > 0)
            words += tr(", %1 per second").arg(QLocale().toString(rate, 'f', rate < 100 ? 1 : 0));
        if (made.end == QLatin1String("end_token"))
            words += tr(", ended by the model");
        else if (made.end == QLatin1String("context"))
            words += tr(", the context of %1 tokens is full").arg(QLocale().toString(context_));
        else if (made.end == QLatin1String("stopped"))
            words += tr(", stopped");
        say(words);
    });
    connect(process_, &PromptProcess::failed, this, [this](const QString& sentence) {
        if (chatting_ && !conversation_.isEmpty())
            conversation_.removeLast();  // the message was not answered: it may be sent again
        say(sentence, true);
    });
}

void AnswerPanel::setCheckpoints(const QList<std::pair<QString, QString>>& checkpoints) {
    const QString before = chosen();
    const QSignalBlocker quiet(box_);
    box_->clear();
    for (const auto& [words, folder] : checkpoints)
        box_->addItem(words, folder);
    box_->setCurrentIndex(std::max(0, box_->findData(before)));
    box_->setToolTip(chosen());
    look();
}

bool AnswerPanel::isLooking() const {
    return looking_->isRunning();
}

void AnswerPanel::look() {
    const auto tell = [this](const std::string& task) {
        if (std::exchange(task_, task) != task) {
            showWhatComes();
            emit taskChanged();
        }
        emit stateChanged();
    };
    if (chosen().isEmpty())
        return tell({});
    looking_->submit([folder = chosen().toStdString()] { return task_of_model(folder); }, tell);
}

void AnswerPanel::showWhatComes() {
    const bool answers = task_ == families::kQuestionAnswering;
    const bool has_classes = families::reads_images(task_) || task_ == families::kSequenceClassification ||
                             task_ == families::kTokenClassification;
    prediction_->clear();
    prediction_->setHint(answers ? tr("The answers and their probabilities appear here.")
                                 : tr("The classes and their probabilities appear here."));
    answers_->setCurrentWidget(answers || has_classes ? static_cast<QWidget*>(prediction_) : text_);
}

void AnswerPanel::choose(const QString& folder) {
    chooseNamed(QFileInfo(folder).fileName(), folder);
}

void AnswerPanel::chooseNamed(const QString& name, const QString& folder) {
    int at = box_->findData(folder);
    if (at < 0) {
        box_->addItem(name, folder);
        at = box_->count() - 1;
    }
    box_->setCurrentIndex(at);
}

QString AnswerPanel::chosen() const {
    return box_->currentData().toString();
}

QString AnswerPanel::answer() const {
    return text_->toPlainText();
}

QString AnswerPanel::facts() const {
    return facts_->fullText();
}

void AnswerPanel::ask(const QString& prompt, const QJsonObject& options, int threads) {
    if (isBusy() || chosen().isEmpty())
        return;
    forget();
    answers_->setCurrentWidget(text_);
    text_->setPlainText(prompt);
    QJsonObject request = options;
    request[QStringLiteral("prompt")] = prompt;
    process_->ask(chosen(), request, threads);
}

void AnswerPanel::chat(const QString& message, const QString& system, const QJsonObject& options, int threads) {
    if (isBusy() || chosen().isEmpty())
        return;
    const auto add = [this](const char* role, const QString& content) {
        conversation_.append(
            QJsonObject{{QStringLiteral("role"), QLatin1String(role)}, {QStringLiteral("content"), content}});
    };
    if (conversation_.isEmpty()) {
        text_->clear();
        if (!system.isEmpty())
            add("system", system);
    }
    add("user", message);
    answers_->setCurrentWidget(text_);
    chatting_ = true;
    reply_.clear();
    text_->appendPlainText(tr("You: %1").arg(message) + QStringLiteral("\n\n") + tr("Model:") + QLatin1Char(' '));
    QJsonObject request = options;
    request[QStringLiteral("messages")] = conversation_;
    process_->ask(chosen(), request, threads);
}

QString AnswerPanel::maskFile() const {
    return folder_of_mask_.filePath(QStringLiteral("classes.png"));
}

void AnswerPanel::classify(const QJsonObject& sample, int threads) {
    if (isBusy() || chosen().isEmpty())
        return;
    forget();
    painting_->cancel();
    prediction_->clear();
    answers_->setCurrentWidget(prediction_);
    image_ = sample.value(QLatin1String("image")).toString();
    passage_ = task_ == families::kQuestionAnswering ? sample.value(QLatin1String("second")).toString() : QString();
    QJsonObject request = sample;
    if (task_ == families::kSemanticSegmentation && folder_of_mask_.isValid())
        request[QStringLiteral("mask")] = maskFile();
    process_->ask(chosen(), request, threads, PromptProcess::Use::Classes);
}

void AnswerPanel::showPrediction(const QJsonObject& prediction) {
    prediction_->setPrediction(prediction, classes_, passage_);
    QStringList words;
    if (const qint64 width = prediction.value(QLatin1String("width")).toInteger(); width > 0)
        words << tr("%1 × %2 pixels").arg(width).arg(prediction.value(QLatin1String("height")).toInteger());
    words << tr("%1 s").arg(QLocale().toString(prediction.value(QLatin1String("seconds")).toDouble(), 'g', 2));
    for (const Message& note : fields::from_text<Notes>(QJsonDocument(prediction).toJson().toStdString(), {}).notes)
        words << qtSentence(note);
    say(words.join(QStringLiteral(" · ")));
    if (prediction.value(QLatin1String("kind")) != QLatin1String("pixels") || !folder_of_mask_.isValid())
        return;
    painting_->submit(
        [image = image_.toStdString(), mask = maskFile().toStdString()] {
            return with_classes(read_picture(image, kLargestPicture), mask);
        },
        [this](const QImage& picture) {
            prediction_->setPicture(picture);
            emit stateChanged();
        },
        [this](const QString& sentence) { say(sentence, true); });
}

void AnswerPanel::forget() {
    if (std::exchange(chatting_, false))
        text_->clear();
    conversation_ = {};
    reply_.clear();
}

void AnswerPanel::say(const QString& words, bool error) {
    facts_->setForegroundRole(tone_role(error ? Tone::Error : Tone::Secondary));
    facts_->setFullText(words);
}

void AnswerPanel::tellState() {
    if (process_->state() == PromptProcess::State::Loading)
        say(tr("Loading the model…"));
    else if (process_->state() == PromptProcess::State::Writing)
        say(answers_->currentWidget() == prediction_ ? tr("Computing…") : tr("Writing…"));
    else if (facts() == tr("Loading the model…") || facts() == tr("Computing…"))
        say({});
    for (QWidget* widget : std::initializer_list<QWidget*>{box_, folder_, hub_})
        widget->setEnabled(!isBusy());
    emit stateChanged();
}

}  // namespace trainyard::desktop
