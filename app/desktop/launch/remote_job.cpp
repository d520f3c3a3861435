#include <atomic>
#include <mutex>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "base/error.h"
#include "desktop/engine_link.h"
#include "desktop/launch/background_work.h"
#include "desktop/launch/launch_job.h"
#include "remote/local_program.h"
#include "run/spec.h"

namespace trainyard::desktop {

namespace {

constexpr double kPlanSeconds = 30;

std::string launchProblems(const remote::ProgramResult& said, const QJsonObject& answer) {
    QStringList lines;
    for (const QJsonValue& problem : answer.value(QLatin1String("problems")).toArray())
        lines << problem.toObject().value(QLatin1String("text")).toString();
    if (lines.isEmpty())
        lines << QString::fromStdString(said.error).trimmed();
    return lines.first().isEmpty() ? "the engine did not say what it would start"
                                   : lines.join(QLatin1Char('\n')).toStdString();
}

/// What `trainyard launch --hosts ...` would tell the hosts: settings, recipe and flags come together in one place only.
remote::RemoteLaunch planned(const LaunchRequest& request, const std::string& engine) {
    remote::RemoteLaunch launch;
    launch.hosts.assign(request.hosts.begin(), request.hosts.end());
    launch.program = engine;
    std::string hosts;
    for (const remote::HostShare& share : launch.hosts)
        hosts += (hosts.empty() ? "" : ",") + share.host + ":" + std::to_string(share.ranks);
    std::vector<std::string> argv{engine, "launch", "--dry-run", "--json", "--hosts", hosts};
    for (const QString& word : request.words)
        argv.push_back(word.toStdString());
    const remote::ProgramResult said = remote::run_program(argv, {}, kPlanSeconds);
    const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(said.output)).object();
    const QString spec = plan.value(QLatin1String("run_yaml")).toString();
    if (!said.ok() || spec.isEmpty())
        throw UserError(launchProblems(said, plan));
    launch.spec = run::parse_spec(spec.toStdString(), "run.yaml");
    launch.find_device = !request.use_cpu && plan.value(QLatin1String("find_device")).toBool(true);
    return launch;
}

class RemoteJob : public LaunchJob {
  public:
    RemoteJob(const LaunchRequest& request, const QString& engine, remote::Asker* asker,
              const std::vector<std::string>& accepted_once, QObject* parent)
        : LaunchJob(parent), request_(request), engine_(engine.toStdString()) {
        options_.asker = asker;
        options_.accepted_once = accepted_once;
    }

    ~RemoteJob() override { stop(); }

    std::vector<std::pair<std::string, std::string>> checks() const override {
        return remote::host_checks(!request_.program.isEmpty());
    }
    QStringList hosts() const override {
        QStringList names;
        for (const remote::HostShare& share : request_.hosts)
            names << QString::fromStdString(share.host);
        return names;
    }

    void check() override {
        work_.run([this, queued = queued_] {
            guarded([this, queued] {
                if (launcher() == nullptr)
                    makeLauncher();
                launcher()->set_queued(queued);
                const bool passed = launcher()->check();
                work_.tell([this, passed] { emit checked(passed); });
            });
        });
    }

    void start(bool) override {
        work_.run([this, queued = queued_] {
            guarded([this, queued] {
                launcher()->set_queued(queued);
                const remote::StartedRun run = launcher()->start();
                work_.tell([this, path = QString::fromStdString(run.paths.root().string())] {
                    told_ = true;
                    emit started(path);
                });
            });
        });
    }

    void cancel() override { stop(); }

  private:
    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            if (launcher_)
                launcher_->cancel();
        }
        work_.cancel(
            [this] {
                const std::lock_guard lock(mutex_);
                if (launcher_) {
                    if (!told_)
                        launcher_->take_back();  // it has started between the click and here
                    for (const std::string& sentence : launcher_->left_behind())
                        left_ << QString::fromStdString(sentence);
                }
                launcher_.reset();  // its connections, and what answers at their other ends
            },
            [this] { emit ended(left_); });
    }

    remote::RemoteLauncher* launcher() const {
        const std::lock_guard lock(mutex_);
        return launcher_.get();
    }

    void makeLauncher() {
        auto made = std::make_unique<remote::RemoteLauncher>(planned(request_, engine_), options_);
        made->on_check = [this](const remote::CheckResult& result) {
            work_.tell([this, result] { emit checkChanged(result); });
        };
        made->on_copy = [this](const std::string& host, const remote::CopyProgress& progress) {
            work_.tell([this, host = QString::fromStdString(host), progress] {
                emit copied(host, progress.done, progress.total);
            });
        };
        const std::lock_guard lock(mutex_);
        launcher_ = std::move(made);
        if (stopping_)
            launcher_->cancel();
    }

    void guarded(const std::function<void()>& work) {
        try {
            work();
        } catch (const std::exception& error) {
            work_.tell([this, words = QString::fromUtf8(error.what())] { emit failed(words); });
        }
    }

    LaunchRequest request_;
    std::string engine_;
    remote::ConnectOptions options_;
    mutable std::mutex mutex_;
    std::unique_ptr<remote::RemoteLauncher> launcher_;
    bool stopping_ = false;
    std::atomic<bool> told_ = false;  ///< the window knows of the run: it is not ours to end any more
    QStringList left_;
    BackgroundWork work_{this};
};

}  // namespace

LaunchJob* makeRemoteJob(const LaunchRequest& request, EngineLink* engine, remote::Asker* asker,
                         const std::vector<std::string>& accepted_once, QObject* parent) {
    return new RemoteJob(request, engine->program(), asker, accepted_once, parent);
}

}  // namespace trainyard::desktop
