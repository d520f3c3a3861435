// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <QFileInfo>
#include <QPointer>

#include "base/environment_names.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/launch_job.h"
#include "desktop/text/qt_text.h"
#include "remote/preflight.h"
#include "run/paths.h"
#include "widgets/job.h"

namespace trainyard::desktop {

namespace {

remote::LocalTask taskOf(const LaunchRequest& request, const QString& engine) {
    remote::LocalTask task;
    task.recipe = request.recipe_file.toStdString();
    for (const QString& word : request.program)
        task.program.push_back(word.toStdString());
    task.is_script = request.is_script;
    task.directory = request.place.directory.toStdString();
    for (auto each = request.place.environment.begin(); each != request.place.environment.end(); ++each)
        task.environment[each.key().toStdString()] = each.value().toStdString();
    task.ranks = request.ranks;
    task.settings_file = request.settings_file.toStdString();
    task.port = request.port;
    if (qEnvironmentVariableIsEmpty(kEnvWorker) && !engine.isEmpty())
        task.worker = QFileInfo(engine).absolutePath().toStdString() + "/trainyard-worker";
    return task;
}

class LocalJob : public LaunchJob {
  public:
    LocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent)
        : LaunchJob(parent), request_(request), engine_(engine), task_(taskOf(request, engine->program())) {}

    ~LocalJob() override {
        if (preflight_)
            preflight_->cancel();
    }

    std::vector<std::pair<std::string, std::string>> checks() const override { return remote::local_checks(task_); }
    QStringList hosts() const override { return {QStringLiteral("localhost")}; }

    void check() override {
        // The user may have chosen another folder for runs since the last checks.
        if (const std::filesystem::path place = run::runs_root(); !preflight_ || place != task_.place) {
            task_.place = place;
            try {
                preflight_ = std::make_shared<remote::Preflight>("localhost", remote::local_steps(task_));
            } catch (const std::exception& error) {
                emit failed(qtSentence(message_of(error)));
                return;
            }
        }
        work_.inOrder(
            work_.key(),
            [this, preflight = preflight_](const widgets::Operation& operation) {
                preflight->on_check = [this, operation](const remote::CheckResult& result) {
                    operation.tell([this, result] { emit checkChanged(result); });
                };
                return preflight->run();
            },
            [this](bool passed) { emit checked(passed); }, [this](const QString& sentence) { emit failed(sentence); });
    }

    void start(bool) override {
        const QStringList words = queued_ ? QStringList{QStringLiteral("--queue")} + request_.words : request_.words;
        engine_->start(words, [self = QPointer<LocalJob>(this)](const QString& path, const QString& error) {
            if (self == nullptr || self->cancelled_)
                return;
            if (path.isEmpty())
                emit self->failed(error);
            else
                emit self->started(path);
        });
    }

    void cancel() override {
        if (std::exchange(cancelled_, true))
            return;
        if (preflight_)
            preflight_->cancel();
        work_.cancel();
        work_.inOrder(
            work_.key(), [] {}, [this] { emit ended({}); });
    }

  private:
    LaunchRequest request_;
    EngineLink* engine_;
    remote::LocalTask task_;
    std::shared_ptr<remote::Preflight> preflight_;
    bool cancelled_ = false;
    widgets::Job work_{nullptr, widgets::Executor::Kind::Waits};
};

}  // namespace

LaunchJob* makeLocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent) {
    return new LocalJob(request, engine, parent);
}

}  // namespace trainyard::desktop
