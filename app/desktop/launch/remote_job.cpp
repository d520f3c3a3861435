// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

#include <QJsonDocument>
#include <QJsonObject>

#include "base/error.h"
#include "base/run_program.h"
#include "base/text.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/launch_job.h"
#include "desktop/text/qt_text.h"
#include "remote/launch_checks.h"
#include "run/spec.h"
#include "widgets/job.h"

namespace trainyard::desktop {

namespace {

constexpr double kPlanSeconds = 30;

Message launchProblems(const ProgramResult& said) {
    std::vector<Message> lines;
    try {
        for (const remote::LaunchProblem& problem : remote::parse_check_answer(said.output).problems)
            lines.push_back(problem.text);
    } catch (const UserError&) {  // it ended before it could print any
    }
    if (lines.empty())
        lines.push_back(Message::verbatim(std::string(text::trimmed(said.error))));
    return lines.front().empty() ? Message("the engine did not return a plan") : Message::joined(lines, "\n");
}

/// Returns the plan of `trainyard launch --hosts ...`, so that settings, recipe and flags are combined in one place
/// only.
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
    const ProgramResult said = run_program(argv, {}, kPlanSeconds);
    const QJsonObject plan = QJsonDocument::fromJson(QByteArray::fromStdString(said.output)).object();
    const QString spec = plan.value(QLatin1String("run_yaml")).toString();
    if (!said.ok() || spec.isEmpty())
        throw UserError(launchProblems(said));
    launch.spec = run::parse_spec(spec.toStdString(), "run.yaml");
    put_in_place(launch.spec, request.place, request.is_script);
    launch.find_device = !request.use_cpu && plan.value(QLatin1String("find_device")).toBool(true);
    return launch;
}

/// State that the threads share. The destructor removes what was started on the hosts, unless the run was handed over.
class Launching {
  public:
    Launching(const LaunchRequest& request, const QString& engine, std::shared_ptr<remote::Asker> asker,
              const remote::AcceptedKeys& accepted_once)
        : request_(request), engine_(engine.toStdString()), asker_(std::move(asker)) {
        options_.asker = asker_.get();
        options_.accepted_once = accepted_once;
    }
    ~Launching() { takeBack(); }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        if (launcher_)
            launcher_->cancel();
    }

    /// The window has taken over the run, which takeBack() must no longer end.
    void handOver() { handed_over_ = true; }

    /// Created on first use, because the engine has to be started for the plan.
    remote::RemoteLauncher& launcher() {
        if (!launcher_) {
            auto made = std::make_unique<remote::RemoteLauncher>(planned(request_, engine_), options_);
            const std::lock_guard lock(mutex_);
            launcher_ = std::move(made);
            if (stopping_)
                launcher_->cancel();
        }
        return *launcher_;
    }

    /// Removes what was started and closes the connections with their remote processes. Returns messages about what
    /// could not be removed.
    QStringList takeBack() {
        const std::lock_guard lock(mutex_);
        QStringList left;
        if (launcher_) {
            if (!handed_over_)
                launcher_->take_back();  // it may have started between the click and here
            for (const Message& sentence : launcher_->left_behind())
                left << qtSentence(sentence);
        }
        launcher_.reset();
        return left;
    }

  private:
    LaunchRequest request_;
    std::string engine_;
    std::shared_ptr<remote::Asker> asker_;
    remote::ConnectOptions options_;
    std::mutex mutex_;
    std::unique_ptr<remote::RemoteLauncher> launcher_;  ///< used by one thread at a time, but for cancel()
    bool stopping_ = false;
    std::atomic<bool> handed_over_ = false;
};

class RemoteJob : public LaunchJob {
  public:
    RemoteJob(const LaunchRequest& request, std::shared_ptr<Launching> launching, QObject* parent)
        : LaunchJob(parent), request_(request), launching_(std::move(launching)) {}

    ~RemoteJob() override { RemoteJob::cancel(); }

    std::vector<std::pair<std::string, std::string>> checks() const override {
        return remote::host_checks(!request_.program.isEmpty());
    }
    QStringList hosts() const override {
        QStringList names;
        for (const remote::HostShare& share : request_.hosts)
            names << qt(share.host);
        return names;
    }

    void check() override {
        run([](remote::RemoteLauncher& launcher) { return launcher.check(); },
            [this](bool passed) { emit checked(passed); });
    }

    void start(bool) override {
        run([](remote::RemoteLauncher& launcher) { return launcher.start().paths.root(); },
            [this](const std::filesystem::path& root) {
                launching_->handOver();
                emit started(qt(root.string()));
            });
    }

    void cancel() override {
        if (!launching_)
            return;
        launching_->stop();
        work_.cancel();
        // The connections are closed on the thread of the launcher, not on this one.
        work_.inOrder(
            work_.key(), [launching = std::move(launching_)] { return launching->takeBack(); },
            [this](const QStringList& left) { emit ended(left); });
    }

  private:
    template <class Work, class Done>
    void run(Work work, Done done) {
        if (!launching_)
            return;
        work_.inOrder(
            work_.key(),
            [this, launching = launching_, queued = queued_, work](const widgets::Operation& operation) {
                remote::RemoteLauncher& launcher = launching->launcher();
                launcher.on_check = [this, operation](const remote::CheckResult& result) {
                    operation.tell([this, result] { emit checkChanged(result); });
                };
                launcher.on_copy = [this, operation](const std::string& host, const remote::CopyProgress& progress) {
                    operation.tell(
                        [this, host = qt(host), progress] { emit copied(host, progress.done, progress.total); });
                };
                launcher.set_queued(queued);
                return work(launcher);
            },
            std::move(done), [this](const QString& sentence) { emit failed(sentence); });
    }

    LaunchRequest request_;
    std::shared_ptr<Launching> launching_;  ///< none: it was cancelled
    widgets::Job work_{nullptr, widgets::Executor::Kind::Waits};
};

}  // namespace

LaunchJob* makeRemoteJob(const LaunchRequest& request, EngineLink* engine, std::shared_ptr<remote::Asker> asker,
                         const remote::AcceptedKeys& accepted_once, QObject* parent) {
    return new RemoteJob(
        request, std::make_shared<Launching>(request, engine->program(), std::move(asker), accepted_once), parent);
}

}  // namespace trainyard::desktop
