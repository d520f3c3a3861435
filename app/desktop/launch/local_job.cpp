#include <thread>

#include <QFileInfo>
#include <QPointer>

#include "desktop/engine_link.h"
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
    task.port = request.port;
    if (qEnvironmentVariableIsEmpty("TRAINYARD_WORKER") && !engine.isEmpty())
        task.worker = QFileInfo(engine).absolutePath().toStdString() + "/trainyard-worker";
    return task;
}

class LocalJob : public LaunchJob {
  public:
    LocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent)
        : LaunchJob(parent), request_(request), engine_(engine), task_(taskOf(request, engine->program())) {}

    ~LocalJob() override { end(); }

    std::vector<std::pair<std::string, std::string>> checks() const override { return remote::local_checks(task_); }
    QStringList hosts() const override { return {QStringLiteral("localhost")}; }

    void check() override {
        if (thread_.joinable())
            thread_.join();
        if (!preflight_) {
            try {
                preflight_ = std::make_shared<remote::Preflight>("localhost", remote::local_steps(task_));
            } catch (const std::exception& error) {
                emit failed(QString::fromUtf8(error.what()));
                return;
            }
            preflight_->on_check = [this](const remote::CheckResult& result) {
                QMetaObject::invokeMethod(
                    this, [this, result] { emit checkChanged(result); }, Qt::QueuedConnection);
            };
        }
        thread_ = std::thread([this, preflight = preflight_] {
            const bool passed = preflight->run();
            QMetaObject::invokeMethod(
                this, [this, passed] { emit checked(passed); }, Qt::QueuedConnection);
        });
    }

    void start(bool) override {
        engine_->start(request_.words, [self = QPointer<LocalJob>(this)](const QString& path, const QString& error) {
            if (self == nullptr)
                return;
            if (path.isEmpty())
                emit self->failed(error);
            else
                emit self->started(path);
        });
    }

    void cancel() override {
        disconnect();
        end();
    }

  private:
    void end() {
        if (preflight_)
            preflight_->cancel();
        if (thread_.joinable())
            thread_.join();
    }

    LaunchRequest request_;
    EngineLink* engine_;
    remote::LocalTask task_;
    std::shared_ptr<remote::Preflight> preflight_;
    std::thread thread_;
};

}  // namespace

LaunchJob* makeLocalJob(const LaunchRequest& request, EngineLink* engine, QObject* parent) {
    return new LocalJob(request, engine, parent);
}

}  // namespace trainyard::desktop
