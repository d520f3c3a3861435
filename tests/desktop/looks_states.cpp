// SPDX-License-Identifier: GPL-3.0-or-later
// How pages look when they are empty, while they load, when they are full, and after a failure (looks_test.h).

#include <fstream>

#include <QCheckBox>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/architecture/architecture_page.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/measured_table.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/launch_job.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/notifications_page.h"
#include "desktop/traces/traces_page.h"
#include "desktop/try_it/try_it_page.h"
#include "estimate/estimate_file.h"
#include "fabricated_runs.h"
#include "fake_hosts.h"
#include "inspect/saved.h"
#include "looks_test.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/settle.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;
using remote::CheckResult;
using test::LooksTest;

namespace {

/// Says what the test wants it to say.
class SaidJob : public LaunchJob {
  public:
    explicit SaidJob(QStringList hosts) : hosts_(std::move(hosts)) {}
    std::vector<std::pair<std::string, std::string>> checks() const override {
        return {{"reach", "Reach and log in"}, {"clock", "Clock"},          {"engine", "Engine"},
                {"gpus_free", "GPUs free"},    {"memory", "Memory fits"},   {"disk", "Disk for checkpoints"},
                {"data", "Data readable"},     {"port", "Rendezvous port"}, {"output", "Folder for runs"}};
    }
    QStringList hosts() const override { return hosts_; }
    void check() override {}
    void start(bool) override {}
    void cancel() override {
        QMetaObject::invokeMethod(
            this, [this] { emit ended({}); }, Qt::QueuedConnection);
    }
    void say(const std::string& check, const QString& host, CheckResult::State state, const std::string& text = {}) {
        CheckResult result;
        result.check = check;
        result.host = host.toStdString();
        result.state = state;
        result.text = Message::verbatim(text);
        emit checkChanged(result);
    }

  private:
    QStringList hosts_;
};

}  // namespace

TEST_F(LooksTest, FirstRunWithoutAnEngine) {
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    data_ << QStringLiteral("/nowhere.*");
    window_->engine()->locate(QStringLiteral("/nowhere/trainyard"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window_->engine()->problem().isEmpty(); }, kPatience));
    lookOver("first-run-no-engine");
}

TEST_F(LooksTest, StatesOfHosts) {
    test::fabricate_gallery(runs());
    auto source = std::make_unique<test::FakeHosts>();
    source->add("gpu-a", 8, 94);
    source->add("gpu-b", 8);
    source->add("a-machine-of-the-laboratory-with-a-long-name", 1);
    test::FakeHosts::Host& silent = source->add("gpu-d", 0);
    silent.cause = "timed_out";
    silent.problem = "bastion did not answer within 5 s: is it switched on, and is this network the right one?";
    silent.command = "ssh -v bastion";
    source->add("gpu-e", 8).seconds = 600;
    data_ << QStringLiteral(".*gpu-[a-e].*") << QStringLiteral("a-machine-of-the.*") << QStringLiteral("NVIDIA.*")
          << QStringLiteral(".*H100.*") << QStringLiteral(".*bastion.*") << QStringLiteral(".*AMD EPYC.*")
          << QStringLiteral("Debian.*") << QStringLiteral(".*SHA256.*") << QStringLiteral("mlx5.*")
          << QStringLiteral("/home/me/.*") << QStringLiteral("glibc.*") << QStringLiteral("X|NV18");
    open();
    window_->context()->setHostSource(std::move(source));
    auto* page = window_->context()->show<HostsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->isLoaded() && page->hosts()->asking() == 0; }, kPatience));
    lookOver("hosts-known");
    for (const char* name : {"gpu-a", "gpu-b", "gpu-d"})
        page->hosts()->probe(QLatin1String(name));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->asking() == 0; }, kPatience));
    page->choose(QStringLiteral("gpu-a"));
    lookOver("hosts-full");
    // The tiles of the GPUs take fewer columns, so that the list stays beside them.
    resize(smallest().boundedTo(kUsual));
    const auto* list = test::child<QScrollArea>(*page, QStringLiteral("List of hosts"));
    if (plain_) {
        EXPECT_GT(list->height(), 400) << "the details are below the list";
    }
    page->choose(QStringLiteral("gpu-d"));
    lookOver("hosts-failing");
    page->choose(QStringLiteral("gpu-e"));
    page->hosts()->probe(QStringLiteral("gpu-e"));
    lookOver("hosts-loading");
    page->hosts()->cancel(QStringLiteral("gpu-e"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->asking() == 0; }, kPatience));
}

TEST_F(LooksTest, StatesOfCheckpoints) {
    const auto run = test::fabricate(runs(), {.name = "books", .step = 900, .of = 1000});
    std::filesystem::remove_all(run / "checkpoints");
    const auto folder = [&](int step) { return run / "checkpoints" / ("checkpoint_" + std::to_string(step)); };
    for (const int step : {300, 600, 900}) {
        test::Floats tensors{{"model.embed.weight", std::vector<float>(64, 0.5f)}, {"model.norm.weight", {1, 2, 3, 4}}};
        for (int layer = 0; layer < 12; ++layer)
            for (const char* part : {"self_attention.query.weight", "mlp.up.weight"})
                tensors["model.layers." + std::to_string(layer) + "." + part] =
                    std::vector<float>(16, layer == 2 ? static_cast<float>(step) : 1.0f);
        test::write_checkpoint(folder(step), step, tensors, 3.0 - step * 0.001);
    }
    data_ << QStringLiteral("(model|layers|self_attention|mlp|embed|norm)(\\..*)?") << QStringLiteral(".*checkpoint_.*")
          << QStringLiteral("F32.*") << QStringLiteral(".*\\.safetensors.*") << QStringLiteral("/.*");
    open();
    auto* page = window_->context()->show<CheckpointsPage>();
    const auto rests = [&] { return QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience); };
    page->open(QString::fromStdString(run.string()));
    ASSERT_TRUE(rests());
    test::settle();
    ASSERT_TRUE(rests());
    lookOver("checkpoints-full");
    may_scroll_ = true;
    // A file that ends too early, and one that is not there.
    for (const auto& entry : std::filesystem::directory_iterator(folder(900)))
        if (entry.path().extension() == ".safetensors")
            std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
    page->refresh();
    ASSERT_TRUE(rests());
    lookOver("checkpoints-damaged");
    page->open(QStringLiteral("/nowhere/at/all"));
    ASSERT_TRUE(rests());
    lookOver("checkpoints-failing");
}

TEST_F(LooksTest, StatesOfALaunch) {
    using State = CheckResult::State;
    test::fabricate(runs(), {.name = "one"});
    open();
    data_ << QStringLiteral(".*gpu-[ab].*") << QStringLiteral("talks-with-a-long-name") << QStringLiteral("fine")
          << QStringLiteral("[0-9].*");
    const QPointer<LaunchPage> page = window_->context()->show<LaunchPage>();
    LaunchRequest request;
    request.name = QStringLiteral("talks-with-a-long-name");
    const QStringList hosts{QStringLiteral("gpu-a"), QStringLiteral("gpu-b")};
    for (const QString& host : hosts)
        request.hosts << remote::HostShare{host.toStdString(), 8};
    request.recipe_file = QString::fromStdString((home_.path() / "talks.yaml").string());
    std::ofstream(request.recipe_file.toStdString()) << "name: talks\n";
    auto* job = new SaidJob(hosts);
    page->open(request, job);
    job->say("reach", hosts[0], State::passed, "0.04 s");
    job->say("reach", hosts[1], State::running);
    lookOver("launch-checking");
    for (const auto& [check, title] : job->checks())
        for (const QString& host : hosts)
            job->say(check, host, State::passed, "fine");
    job->say("clock", hosts[1], State::warning, "the clock of gpu-b is 1.4 s slow: its events are dated wrongly");
    job->say("gpus_free", hosts[1], State::failed, "GPU 3 of gpu-b is in use by process 4003 (python, 61 GiB)");
    job->say("output", hosts[1], State::skipped);
    emit job->checked(false);
    lookOver("launch-failed");
    if (TextSize::instance().factor() <= 1.5) {
        resize(kScreen);
        for (const auto* button : page->findChildren<QPushButton*>())
            EXPECT_TRUE(!button->isVisible() || button->width() >= button->sizeHint().width())
                << button->text().toStdString() << ": " << button->width() << " of " << button->sizeHint().width();
        resize(smallest());
    }
    test::child<QPushButton>(*page, LaunchPage::tr("Cancel"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page == nullptr || !page->isBusy(); }, kPatience));
}

TEST_F(LooksTest, ATraceThatCannotBeRead) {
    test::fabricate(runs(), {.name = "one"});
    data_ << QStringLiteral(".*not_json\\.json.*");
    open();
    may_scroll_ = true;
    auto* traces = window_->context()->show<TracesPage>();
    traces->openPaths({QString::fromStdString((golden().parent_path() / "traces/malformed/not_json.json").string())});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !traces->isReading(); }, kPatience));
    lookOver("traces-failing");
}

/// Runs beside their estimates, and none.
TEST_F(LooksTest, EstimateAgainstMeasured) {
    const auto folders = test::fabricate_gallery(runs());
    open();
    window_->open({QStringLiteral("estimator"), {}});
    auto* page = qobject_cast<EstimatorPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    test::settle();
    auto* measured_panel = test::child<MeasuredTable>(*page);
    lookOver("measured-none", measured_panel);
    estimate::EstimateFile file = estimate::estimate_file(config::Recipe{}, 1, "cpu");
    QVector<MeasuredTable::Run> measured;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        file.measured = {.peak_resident = file.predicted_total * (98 + 3 * i) / 100, .parts = {}, .step_seconds = 0};
        std::ofstream(folders[i] / "estimate.json") << estimate::to_json(file);
        measured.push_back({QStringLiteral("perldoc"), QString::fromStdString(folders[i].string())});
    }
    page->setRuns(measured);
    const auto* table = measured_panel->findChild<QTableView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == measured.size(); }, 10'000));
    lookOver("measured", measured_panel);
}

/// A page without hosts.
TEST_F(LooksTest, NoHosts) {
    test::fabricate(runs(), {.name = "one"});
    data_ << QStringLiteral(".*AMD EPYC.*") << QStringLiteral("Debian.*") << QStringLiteral("glibc.*")
          << QStringLiteral("/home/me/.*");
    open();
    window_->context()->setHostSource(std::make_unique<test::FakeHosts>());
    auto* page = window_->context()->show<HostsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->isLoaded() && page->hosts()->asking() == 0; }, kPatience));
    lookOver("hosts-empty");
}

/// A run that has not made its first step.
TEST_F(LooksTest, ARunThatStarts) {
    const auto run = test::fabricate(
        runs(), {.name = "books", .status = run::Status::running, .step = 0, .age_s = 20, .metrics = false});
    open();
    showRun(run);
    lookOver("dashboard-starting");
}

TEST_F(LooksTest, StatesOfNotifications) {
    const auto folders = test::fabricate_gallery(runs());
    open();
    auto* page = window_->context()->show<NotificationsPage>();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->runs().size() == 9; }));
    for (const RunSummary& run : window_->store()->runs())
        page->add(run);
    page->addAlarm(QStringLiteral("books"), QStringLiteral("overnight"),
                   QString::fromStdString(folders[0].filename().string()));
    page->addText(QStringLiteral("notes"), QStringLiteral("large"));
    data_ << QStringLiteral(".*");
    lookOver("notifications-full");
}

/// Prompts for a run without a checkpoint, with two, and for a folder that does not exist.
TEST_F(LooksTest, StatesOfTryIt) {
    const auto run = test::fabricate(runs(), {.name = "books", .step = 900, .of = 1000});
    std::filesystem::remove_all(run / "checkpoints");
    data_ << QStringLiteral("/.*") << QStringLiteral(".*checkpoint_.*");
    open();
    window_->open({QLatin1String(TryItPage::kKey), {}});
    auto* page = window_->page<TryItPage>();
    lookOver("try-it-empty");
    const auto show = [&](const std::string& place, const char* name) {
        page->activate(QString::fromStdString(place));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience));
        lookOver(name);
    };
    show(run.string(), "try-it-no-checkpoint");
    for (const int step : {300, 600})
        test::write_checkpoint(run / "checkpoints" / ("checkpoint_" + std::to_string(step)), step,
                               {{"model.norm.weight", {1, 2, 3, 4}}}, 3.0);
    show(run.string(), "try-it-full");
    for (auto* box : page->findChildren<QCheckBox*>())
        box->setChecked(true);
    lookOver("try-it-conversation");
    show("/nowhere/at/all", "try-it-failing");
}

/// Models that cannot be read.
TEST_F(LooksTest, ModelsThatCannotBeRead) {
    test::fabricate(runs(), {.name = "one"});
    data_ << QStringLiteral("/.*") << QStringLiteral(".*model\\.safetensors.*");
    open();
    may_scroll_ = true;
    const QString file = QString::fromStdString((home_.path() / "model.safetensors").string());
    std::ofstream(file.toStdString()) << "not weights";
    window_->open({QLatin1String(ArchitecturePage::kKey), file});
    auto* architecture = window_->page<ArchitecturePage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !architecture->isBusy(); }, kPatience));
    lookOver("architecture-failing");
    window_->open({QStringLiteral("estimator"), file});
    auto* estimator = qobject_cast<EstimatorPage*>(window_->currentPage());
    ASSERT_NE(estimator, nullptr);
    auto* message = test::child<widgets::InlineMessage>(*estimator);
    ASSERT_TRUE(QTest::qWaitFor([&] { return message->isVisible(); }, kPatience));
    lookOver("estimator-failing");
}
