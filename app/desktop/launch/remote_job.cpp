#include <mutex>
#include <thread>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "base/error.h"
#include "config/recipe.h"
#include "desktop/engine_link.h"
#include "desktop/launch/launch_job.h"
#include "launch/prepare.h"
#include "remote/local_program.h"
#include "run/spec.h"

namespace trainyard::desktop {

namespace {

constexpr double kPlanSeconds = 30;

/// What the engine would do here with these words, as a specification for hosts.
run::RunSpec planned(const LaunchRequest& request, const std::string& engine) {
    run::RunSpec spec;
    spec.launch.device = launch::default_device();
    if (!request.recipe_file.isEmpty()) {
        // Whether its data can be read is for the hosts to say.
        spec.recipe = config::load_recipe(request.recipe_file.toStdString());
        spec.recipe_file = request.recipe_file.toStdString();
        return spec;
    }
    std::vector<std::string> argv{engine, "launch", "--dry-run", "--json"};
    for (const QString& word : request.words)
        argv.push_back(word.toStdString());
    const remote::ProgramResult said = remote::run_program(argv, {}, kPlanSeconds);
    if (!said.ok())
        throw UserError(said.error.empty() ? "the engine did not say what it would start" : said.error);
    const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(said.output)).object();
    spec.recipe.name = request.name.toStdString();
    run::ProgramSpec program;
    for (const QJsonValue& word : plan.value(QLatin1String("command")).toArray())
        program.command.push_back(word.toString().toStdString());
    const QJsonObject environment = plan.value(QLatin1String("environment")).toObject();
    for (auto it = environment.constBegin(); it != environment.constEnd(); ++it)
        program.environment[it.key().toStdString()] = it.value().toString().toStdString();
    spec.launch.hang_timeout_s = 0;  // nobody knows how long a program may be silent
    spec.command = argv;
    spec.program = std::move(program);
    return spec;
}

class RemoteJob : public LaunchJob {
  public:
    RemoteJob(const LaunchRequest& request, const QString& engine, remote::Asker* asker,
              const std::vector<std::string>& accepted_once, QObject* parent)
        : LaunchJob(parent), request_(request), engine_(engine.toStdString()) {
        options_.asker = asker;
        options_.accepted_once = accepted_once;
    }

    ~RemoteJob() override { end(); }

    std::vector<std::pair<std::string, std::string>> checks() const override { return remote::host_checks(); }
    QStringList hosts() const override {
        QStringList names;
        for (const remote::HostShare& share : request_.hosts)
            names << QString::fromStdString(share.host);
        return names;
    }

    void check() override {
        work([this] {
            if (!launcher_) {
                remote::RemoteLaunch launch;
                launch.hosts.assign(request_.hosts.begin(), request_.hosts.end());
                launch.spec = planned(request_, engine_);
                auto made = std::make_shared<remote::RemoteLauncher>(std::move(launch), options_);
                made->on_check = [this](const remote::CheckResult& result) {
                    post([this, result] { emit checkChanged(result); });
                };
                made->on_copy = [this](const std::string& host, const remote::CopyProgress& progress) {
                    post([this, host = QString::fromStdString(host), progress] {
                        emit copied(host, progress.done, progress.total);
                    });
                };
                const std::lock_guard lock(mutex_);
                launcher_ = std::move(made);
                if (ending_)
                    launcher_->cancel();
            }
            const bool passed = launcher_->check();
            post([this, passed] { emit checked(passed); });
        });
    }

    void start(bool) override {
        work([this] {
            const remote::StartedRun run = launcher_->start();
            post([this, path = QString::fromStdString(run.paths.root().string())] { emit started(path); });
        });
    }

    void cancel() override {
        disconnect();
        end();
    }

  private:
    void post(std::function<void()> say) { QMetaObject::invokeMethod(this, std::move(say), Qt::QueuedConnection); }

    void work(std::function<void()> what) {
        if (thread_.joinable())
            thread_.join();
        thread_ = std::thread([this, what = std::move(what)] {
            try {
                what();
            } catch (const std::exception& error) {
                post([this, words = QString::fromUtf8(error.what())] { emit failed(words); });
            }
        });
    }

    void end() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
            if (launcher_)
                launcher_->cancel();
        }
        if (thread_.joinable())
            thread_.join();
    }

    LaunchRequest request_;
    std::string engine_;
    remote::ConnectOptions options_;
    std::mutex mutex_;
    std::shared_ptr<remote::RemoteLauncher> launcher_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace

LaunchJob* makeRemoteJob(const LaunchRequest& request, EngineLink* engine, remote::Asker* asker,
                         const std::vector<std::string>& accepted_once, QObject* parent) {
    return new RemoteJob(request, engine->program(), asker, accepted_once, parent);
}

}  // namespace trainyard::desktop
