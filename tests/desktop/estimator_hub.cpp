// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of models of a hub on the page of the estimator: the same estimate as for their file, the requested files,
// errors, cancellation, and saved scenarios.

#include <cstdlib>
#include <fstream>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/hub_server.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/saved_scenarios.h"
#include "desktop/estimator/scenario.h"
#include "desktop/estimator/scenario_menu.h"
#include "desktop/hub/hub_field.h"
#include "support/child.h"
#include "support/fake_hub.h"
#include "support/picture.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kSmallLlama = R"({"model_type": "llama", "num_hidden_layers": 3})";

class EstimatorHub : public testing::Test {
  protected:
    Scenario* scenario() const { return test::child<Scenario>(page_); }
    EstimatorHub() : page_(nullptr, QString::fromStdString((folder_.path() / "kept.json").string())) {
        use(server_.address());
        ::setenv("HF_HOME", folder_.path().c_str(), 1);
        ::setenv("no_proxy", "*", 1);
        for (const char* name : {"HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_CACHE", "HF_HUB_OFFLINE"})
            ::unsetenv(name);
        page_.resize(1200, 800);
        page_.show();
        server_.put("/org/name/resolve/main/config.json", kSmallLlama);
    }
    static void use(const std::string& endpoint) { ::setenv("HF_ENDPOINT", endpoint.c_str(), 1); }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    void picture(const char* name) {
        using widgets::ThemeChoice;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light-"), std::pair(ThemeChoice::Dark, "-dark-")}) {
            if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
                return;
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(&page_, (suffix + std::string(name)).c_str());
        }
        widgets::Theme::instance().setChoice(ThemeChoice::System);
    }
    QComboBox* models() { return page_.findChildren<QComboBox*>().at(0); }
    HubField* field() { return test::child<HubField>(page_); }
    QLineEdit* name() { return field()->name(); }
    QString state() { return field()->line()->words(); }
    QPushButton* lookUp() { return test::child<QPushButton>(*field(), QStringLiteral("Look up")); }
    QPushButton* download() { return field()->line()->button(); }
    QPushButton* cancel() { return field()->line()->cancelButton(); }
    bool waitForSentence() {
        return QTest::qWaitFor([this] { return !field()->isAsking(); }, 20'000);
    }

    test::TemporaryFolder folder_;
    test::HubServer server_;
    EstimatorPage page_;
};

TEST_F(EstimatorHub, AModelIsLookedUpByItsName) {
    EXPECT_FALSE(field()->isVisible());
    models()->setCurrentText(QStringLiteral("Look up on the hub…"));
    ASSERT_TRUE(field()->isVisible());
    EXPECT_EQ(models()->currentText(), scenario()->modelName()) << "nothing has changed yet";
    EXPECT_FALSE(lookUp()->isEnabled());
    EXPECT_FALSE(download()->isEnabled());
    picture("empty");
    QTest::keyClicks(name(), QStringLiteral("org/name"));
    QTest::keyClick(name(), Qt::Key_Return);
    EXPECT_TRUE(field()->isAsking());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !field()->isVisible(); }));
    EXPECT_EQ(scenario()->search().model().layers(), 3);
    EXPECT_EQ(scenario()->modelSource(), QStringLiteral("org/name"));
    EXPECT_EQ(models()->currentText(), QStringLiteral("org/name"));
    ASSERT_EQ(server_.requests().size(), 1u);
    // The estimate must be the same as for the file itself.
    std::ofstream(folder_.path() / "config.json") << kSmallLlama;
    const double total = scenario()->memory().total();
    page_.openModel(QString::fromStdString((folder_.path() / "config.json").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->modelSource().endsWith(QStringLiteral(".json")); }));
    EXPECT_EQ(scenario()->memory().total(), total);
}

TEST_F(EstimatorHub, WhatGoesWrongIsSaidBesideTheField) {
    page_.openModel(QStringLiteral("org/other"));
    ASSERT_TRUE(field()->isVisible());
    ASSERT_TRUE(waitForSentence());
    EXPECT_THAT(state().toStdString(),
                says("{} on {} has neither config.json nor safetensors weights, or the model does not exist", _, _));
    EXPECT_TRUE(name()->isEnabled());
    EXPECT_EQ(name()->text(), QStringLiteral("org/other"));
    use("http://127.0.0.1:1");
    QTest::keyClick(name(), Qt::Key_Return);
    ASSERT_TRUE(waitForSentence());
    EXPECT_THAT(state().toStdString(),
                says("{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a "
                     "recipe, a config.json, weights or the folder of a model",
                     _, EndsWith("http://127.0.0.1:1"), _));
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    QTest::keyClick(name(), Qt::Key_Return);
    ASSERT_TRUE(waitForSentence());
    EXPECT_THAT(state().toStdString(),
                says("{} is not a file or folder here, and models are not looked up on a hub while {} is set", _,
                     "HF_HUB_OFFLINE"));
    ::unsetenv("HF_HUB_OFFLINE");
    name()->setText(QStringLiteral("three/parts/here"));
    QTest::keyClick(name(), Qt::Key_Return);
    EXPECT_FALSE(field()->isAsking());
    EXPECT_THAT(state().toStdString(), HasSubstr("three/parts/here is not a valid model name"));
    QTest::keyClick(name(), Qt::Key_Escape);
    EXPECT_FALSE(field()->isVisible());
}

TEST_F(EstimatorHub, AskingCanBeCancelled) {
    // A server that accepts connections and never answers.
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(socket, 4), 0);
    ASSERT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
    const std::string silent = fmt::format("http://127.0.0.1:{}", ntohs(address.sin_port));
    use(silent);
    page_.openModel(QStringLiteral("org/name"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return state() == QStringLiteral("Asking %1 for config.json…").arg(QString::fromStdString(silent)); }));
    EXPECT_FALSE(name()->isEnabled());
    const QString before = scenario()->modelName();
    QTest::mouseClick(cancel(), Qt::LeftButton);
    EXPECT_FALSE(field()->isAsking());
    EXPECT_EQ(state(), QStringLiteral("Cancelled"));
    EXPECT_EQ(scenario()->modelName(), before);
    use(server_.address());
    QTest::mouseClick(lookUp(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->modelName() == QStringLiteral("org/name"); }));
    ::close(socket);
}

TEST_F(EstimatorHub, AModelIsDownloadedByItsName) {
    test::FakeHub hub;
    use(hub.address());
    const std::string weights = std::string("\x02\0\0\0\0\0\0\0", 8) + "{}" + std::string(1'000'000, ' ');
    hub.put("org/name", "config.json", kSmallLlama);
    hub.put("org/name", "model.safetensors", weights, true);
    const std::string etag = test::FakeHub::etag_of(weights, true);
    hub.fail(etag, {.pause_ms = 30});
    models()->setCurrentText(QStringLiteral("Look up on the hub…"));
    QTest::keyClicks(name(), QStringLiteral("org/name"));
    QTest::mouseClick(download(), Qt::LeftButton);
    // The size first, and nothing is downloaded before the button that has it is pressed.
    ASSERT_TRUE(QTest::qWaitFor([&] { return field()->line()->isOffered(); }, 20'000)) << state().toStdString();
    EXPECT_EQ(download()->text(), QStringLiteral("Download 1.0 MB"));
    EXPECT_TRUE(state().startsWith(QStringLiteral("org/name: 2 files to download, 1.0 MB."))) << state().toStdString();
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "hub" / "models--org--name" / "snapshots"));
    picture("size");
    QTest::mouseClick(download(), Qt::LeftButton);
    // There is something to continue once a byte of the weights is on disk.
    const std::filesystem::path blobs = folder_.path() / "hub" / "models--org--name" / "blobs";
    std::error_code none;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const auto written = std::filesystem::file_size(blobs / (etag + ".incomplete"), none);
            return !none && written > 0 && state().startsWith(QStringLiteral("Downloading org/name: "));
        },
        20'000));
    EXPECT_TRUE(field()->isAsking());
    EXPECT_FALSE(download()->isEnabled());
    picture("download");
    QTest::mouseClick(cancel(), Qt::LeftButton);
    EXPECT_EQ(state(), QStringLiteral("The download was cancelled. The next one continues it."));
    // The next one continues it.
    QTest::mouseClick(download(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return field()->line()->isOffered(); }, 20'000)) << state().toStdString();
    QTest::mouseClick(download(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->modelName() == QStringLiteral("org/name"); }, 20'000));
    EXPECT_EQ(scenario()->search().model().layers(), 3);
    EXPECT_TRUE(std::filesystem::exists(blobs / etag));
    int ranges = 0;
    for (const auto& request : hub.requests())
        ranges += request.cdn && !request.range.empty() ? 1 : 0;
    EXPECT_EQ(ranges, 1);
    // A failure is a sentence next to the field.
    models()->setCurrentText(QStringLiteral("Look up on the hub…"));
    name()->setText(QStringLiteral("org/none"));
    QTest::mouseClick(download(), Qt::LeftButton);
    ASSERT_TRUE(waitForSentence());
    EXPECT_THAT(state().toStdString(), says("{} has no public model named {}: {}", _, "org/none", _));
    picture("none");
}

TEST_F(EstimatorHub, AKeptScenarioLooksItsModelUpAgain) {
    page_.openModel(QStringLiteral("org/name"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->modelName() == QStringLiteral("org/name"); }));
    test::child<ScenarioMenu>(page_)->keep(QStringLiteral("small"));
    models()->setCurrentText(QStringLiteral("GPT-2"));
    ASSERT_EQ(scenario()->modelName(), QStringLiteral("GPT-2"));
    test::child<ScenarioMenu>(page_)->open(QStringLiteral("small"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario()->modelName() == QStringLiteral("org/name"); }));
    EXPECT_EQ(scenario()->search().model().layers(), 3);
    EXPECT_EQ(models()->currentText(), QStringLiteral("org/name"));
}

}  // namespace
}  // namespace trainyard::desktop
