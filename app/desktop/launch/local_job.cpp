#include <QFileInfo>
#include <QPointer>

#include "desktop/engine_link.h"
#include "desktop/launch/background_work.h"
#include "desktop/launch/launch_job.h"
#include "remote/preflight.h"

namespace trainyard::desktop {

namespace {

remote::LocalTask taskOf(const LaunchRequest& request, const QString& engine) {
    remote::LocalTask task;
    task.recipe = request.recipe_file.toStdString();
    for (const QString& word : request.program)
        task.program.push_back(word.toStdString());
    task.is_script = request.is_script;
    task.ranks = request.ranks;
    task.zero_stage = request.zero_stage;
    task.port = request.port;
    if (qEnvironmentVariableIsEmpty("TRAINYARD_WORKER") && !engine.isEmpty())
        task.worker = QFileInfo(engine).absolutePath().toStdString() + "/trainyard-worker";
    return task;
}

class LocalJob : public LaunchJob {
  public:
    LocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent)
        : LaunchJob(parent), request_(request), engine_(engine), task_(taskOf(request, engine->program())) {}

    ~LocalJob() override { stop(); }

    std::vector<std::pair<std::string, std::string>> checks() const override { return remote::local_checks(task_); }
    QStringList hosts() const override { return {QStringLiteral("localhost")}; }

    void check() override {
        if (!preflight_) {
            try {
                preflight_ = std::make_shared<remote::Preflight>("localhost", remote::local_steps(task_));
            } catch (const std::exception& error) {
                emit failed(QString::fromUtf8(error.what()));
                return;
            }
            preflight_->on_check = [this](const remote::CheckResult& result) {
                work_.tell([this, result] { emit checkChanged(result); });
            };
        }
        work_.run([this, preflight = preflight_] {
            const bool passed = preflight->run();
            work_.tell([this, passed] { emit checked(passed); });
        });
    }

    void start(bool) override {
        const QStringList words = queued_ ? QStringList{QStringLiteral("--queue")} + request_.words : request_.words;
        engine_->start(words, [self = QPointer<LocalJob>(this)](const QString& path, const QString& error) {
            if (self == nullptr || self->work_.isCancelled())
                return;
            if (path.isEmpty())
                emit self->failed(error);
            else
                emit self->started(path);
        });
    }

    void cancel() override { stop(); }

  private:
    void stop() {
        if (preflight_)
            preflight_->cancel();
        work_.cancel({}, [this] { emit ended({}); });
    }

    LaunchRequest request_;
    EngineLink* engine_;
    remote::LocalTask task_;
    std::shared_ptr<remote::Preflight> preflight_;
    BackgroundWork work_{this};
};

}  // namespace

LaunchJob* makeLocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent) {
    return new LocalJob(request, engine, parent);
}

}  // namespace trainyard::desktop
