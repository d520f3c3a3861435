// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/prompt_process.h"

#include <utility>

#include <QJsonArray>
#include <QJsonDocument>

#include "base/message_json.h"
#include "desktop/text/qt_text.h"
#include "launch/supervisor/prepare.h"

namespace trainyard::desktop {

namespace {

QByteArray line_of(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

}  // namespace

PromptProcess::PromptProcess(QObject* parent) : QObject(parent) {}

PromptProcess::~PromptProcess() {
    disconnect();
    release();
}

void PromptProcess::setState(State state) {
    if (state == state_)
        return;
    state_ = state;
    emit stateChanged();
}

void PromptProcess::ask(const QString& model, const QJsonObject& request, int threads, Use use) {
    if (state_ != State::Idle)
        return;
    if (process_ != nullptr && model == model_ && use == use_) {
        process_->write(line_of(request));
        return setState(State::Writing);
    }
    release();
    waiting_ = request;
    model_ = model;
    use_ = use;
    start(threads);
}

void PromptProcess::start(int threads) {
    failure_reported_ = false;
    line_.clear();
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &PromptProcess::read);
    connect(process_, &QProcess::finished, this, &PromptProcess::ended);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
    const QJsonObject first{{QStringLiteral("model"), model_}, {QStringLiteral("threads"), threads}};
    setState(State::Loading);
    process_->start(qt(launch::worker_path().string()),
                    {use_ == Use::Text ? QStringLiteral("generate") : QStringLiteral("predict")});
    process_->write(line_of(first));
}

void PromptProcess::stop() {
    if (state_ == State::Writing && use_ == Use::Text)
        process_->write(line_of({{QStringLiteral("stop"), true}}));
    else if (state_ != State::Idle)
        release();
}

void PromptProcess::release() {
    waiting_ = {};
    if (QProcess* process = std::exchange(process_, nullptr); process != nullptr) {
        process->disconnect(this);
        // Its end is waited for by nobody; it reads its input, which ends here, or is killed where it computes.
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        process->setParent(nullptr);
        process->closeWriteChannel();
        process->kill();
        if (process->state() == QProcess::NotRunning)
            process->deleteLater();
    }
    model_.clear();
    setState(State::Idle);
}

void PromptProcess::read() {
    line_ += process_->readAllStandardOutput();
    for (qsizetype end = line_.indexOf('\n'); end >= 0 && process_ != nullptr; end = line_.indexOf('\n')) {
        const QByteArray one = line_.left(end);
        line_.remove(0, end + 1);
        take(QJsonDocument::fromJson(one).object());
    }
}

void PromptProcess::take(const QJsonObject& event) {
    const QString kind = event.value(QLatin1String("event")).toString();
    if (kind == QLatin1String("ready")) {
        Model model{event.value(QLatin1String("folder")).toString(),
                    event.value(QLatin1String("parameters")).toInteger(),
                    event.value(QLatin1String("context")).toInteger(),
                    {}};
        for (const QJsonValue& name : event.value(QLatin1String("classes")).toArray())
            model.classes << name.toString();
        emit loaded(model);
        process_->write(line_of(std::exchange(waiting_, {})));
        setState(State::Writing);
    } else if (kind == QLatin1String("text")) {
        emit textAdded(event.value(QLatin1String("text")).toString());
    } else if (kind == QLatin1String("done")) {
        setState(State::Idle);
        emit finished({event.value(QLatin1String("tokens")).toInteger(),
                       event.value(QLatin1String("seconds")).toDouble(), event.value(QLatin1String("end")).toString()});
    } else if (kind == QLatin1String("prediction")) {
        setState(State::Idle);
        emit predicted(event);
    } else if (kind == QLatin1String("error")) {
        failure_reported_ = true;
        if (state_ == State::Writing)
            setState(State::Idle);
        emit failed(qtSentence(message_from_json(QJsonDocument(event).toJson().toStdString())));
    }
}

void PromptProcess::ended() {
    if (process_ == nullptr)
        return;
    read();
    const QString program = process_->program();
    const bool started = process_->error() != QProcess::FailedToStart;
    const bool crashed = process_->exitStatus() == QProcess::CrashExit;
    const QString words = QString::fromUtf8(process_->readAllStandardError()).trimmed().section(QLatin1Char('\n'), -1);
    const bool reported = failure_reported_;
    process_->deleteLater();
    process_ = nullptr;
    model_.clear();
    waiting_ = {};
    setState(State::Idle);
    if (reported)
        return;
    if (!started)
        emit failed(tr("%1 could not be started: build or install it").arg(program));
    else if (crashed)
        emit failed(tr("The process that computes the text was killed; the machine may have run out of memory"));
    else
        emit failed(words.isEmpty() ? tr("The process that computes the text has ended without a message") : words);
}

}  // namespace trainyard::desktop
