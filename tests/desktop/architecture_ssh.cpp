// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of a checkpoint on a host behind real sshd, in the window.

#include "desktop/architecture/architecture_page.h"
#include "ssh_window.h"
#include "support/golden.h"
#include "support/picture.h"
#include "widgets/graph/graph_view.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class ArchitectureOverSsh : public test::SshWindow {
  protected:
    void takePictures(QWidget* widget, const char* name) {
        for (const auto theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            const char* ending = theme == widgets::ThemeChoice::Dark ? "-dark" : "-light";
            test::take_picture(widget, (std::string(name) + ending).c_str());
        }
    }
};

}  // namespace

TEST_F(ArchitectureOverSsh, ACheckpointIsDrawnAndCompared) {
    ASSERT_NO_FATAL_FAILURE(up(1));
    if (IsSkipped())
        return;
    const std::string name = hosts_->all().front().name;
    const std::filesystem::path model = test::own_golden("models") / "llama_gqa";
    for (const char* folder : {"model", "other"})
        std::filesystem::copy(model, hosts_->home_of(name) / folder);
    window_->open({QLatin1String(ArchitecturePage::kKey), {}});
    auto* page = window_->page<ArchitecturePage>();
    page->open(QString::fromStdString(name + ":model"));
    takePictures(window_.get(), "connecting");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience));
    ASSERT_FALSE(page->view()->data().nodes.empty()) << page->message()->text().toStdString();
    page->compareWith(QString::fromStdString(name + ":other"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience));
    EXPECT_TRUE(page->view()->hasHeat()) << page->message()->text().toStdString();
    takePictures(window_.get(), "graph");
    page->open(QString::fromStdString(name + ":nothing"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience));
    EXPECT_TRUE(page->message()->isVisible());
    EXPECT_TRUE(page->view()->data().nodes.empty());
    takePictures(window_.get(), "failed");
}
