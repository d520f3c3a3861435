// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep that is started in the window on two hosts behind real sshd, one of which is lost in the middle, ends with
// the same best run as without the loss.

#include <functional>

#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>

#include <gmock/gmock.h>

#include "desktop/runs/run_store.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/sweeps/trials_model.h"
#include "desktop/wizard/steps.h"
#include "run/listing.h"
#include "ssh_window.h"
#include "support/child.h"
#include "support/picture.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kSweep = 240000;  // ms; a third of the trials, or the rest of them

class SweepsOverSsh : public test::SshWindow {
  protected:
    SweepsPage* page() { return window_->page<SweepsPage>(); }
    const sweep::StoredSweep& shown() {
        page()->refresh();
        return page()->trials()->sweep();
    }
    /// Starts the sweep of the draft under a name, and returns it after its end.
    sweep::StoredSweep finished(const char* name, const std::function<void()>& in_the_middle) {
        window_->open({QStringLiteral("new"), {}});
        QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Sweep…")), Qt::LeftButton);
        SweepDialog* dialog = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                for (auto* one : window_->findChildren<SweepDialog*>())
                    if (one->isVisible())
                        dialog = one;
                return dialog != nullptr;
            },
            kPatience))
            << wizard()->message()->copyText().toStdString() << allProblems();
        if (dialog == nullptr)
            return {};
        auto* hosts = test::child<QLineEdit>(*dialog->field(QStringLiteral("hosts")));
        EXPECT_EQ(hosts->text(), QStringLiteral("host1:1, host2:1")) << "those of the draft";
        test::child<QLineEdit>(*dialog->field(QStringLiteral("name")))->setText(QLatin1String(name));
        test::child<QComboBox>(*dialog->field(QStringLiteral("method")))->setCurrentIndex(1);
        test::child<QComboBox>(*dialog->field(QStringLiteral("metric")))->setEditText(QStringLiteral("train/loss"));
        test::child<QSpinBox>(*dialog->field(QStringLiteral("trials")))->setValue(kTrials);
        test::child<QSpinBox>(*dialog->field(QStringLiteral("at_once")))->setValue(2);
        test::take_picture(dialog, (std::string("dialog-") + name).c_str());
        QTest::mouseClick(dialog->startButton(), Qt::LeftButton);
        EXPECT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == page(); }, kPatience))
            << dialog->message()->copyText().toStdString() << dialog->note()->text().toStdString();
        const auto is_shown = [&] { return shown().file.name == name; };
        EXPECT_TRUE(QTest::qWaitFor(is_shown, kPatience)) << page()->message()->copyText().toStdString();
        EXPECT_TRUE(QTest::qWaitFor([&] { return is_shown() && shown().over() >= kTrials / 3; }, kSweep))
            << shown().problem.text();
        in_the_middle();
        EXPECT_TRUE(QTest::qWaitFor([&] { return is_shown() && !sweep::is_live(shown().state); }, kSweep))
            << shown().problem.text();
        test::take_picture(window_.get(), name);
        return shown();
    }
    std::string allProblems() {
        std::string all;
        for (const FieldProblem& problem : problemsOf(draft()))
            all += problem.key.toStdString() + ": " + problem.sentence.toStdString() + '\n';
        return all;
    }
    static constexpr int kTrials = 16;
};

}  // namespace

TEST_F(SweepsOverSsh, AHostIsLostInTheMiddle) {
    ASSERT_NO_FATAL_FAILURE(up(2));
    if (IsSkipped())
        return;
    window_->store()->start();
    write("recipe.yaml", "name: far\nmodel: {n_layer: 1, n_embd: 16, n_head: 2, n_positions: 16}\ndata: {path: " +
                             hosts_->all().front().home +
                             "/text.txt, sequence_length: 16}\ntraining: {steps: 12, batch_size: 2}\n"
                             "checkpoint: {every: 100000}\n");
    load("recipe.yaml");
    // Data of other machines are missing on this one until the hosts are chosen.
    QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Sweep…")), Qt::LeftButton);
    EXPECT_THAT(wizard()->message()->copyText().toStdString(), testing::HasSubstr("on the page Hardware first"));
    EXPECT_EQ(window_->findChild<SweepDialog*>(), nullptr);
    draft().answer(QStringLiteral("machine_type"), QStringLiteral("MULTI_CPU"));
    draft().setHosts({{"host1", 1}, {"host2", 1}});
    settle();
    const sweep::StoredSweep whole = finished("whole", [] {});
    ASSERT_EQ(whole.state, sweep::SweepState::finished) << whole.problem.text();
    ASSERT_TRUE(whole.best());
    const sweep::StoredSweep loss = finished("loss", [&] { hosts_->cut("host2"); });
    hosts_->mend("host2");
    ASSERT_EQ(loss.state, sweep::SweepState::finished) << loss.problem.text();
    ASSERT_TRUE(loss.best());
    EXPECT_EQ(loss.best(), whole.best());
    EXPECT_EQ(loss.trials.at(*loss.best()).point, whole.trials.at(*whole.best()).point);
    EXPECT_EQ(loss.trials.at(*loss.best()).value, whole.trials.at(*whole.best()).value);
    for (const auto& [number, trial] : loss.trials)
        EXPECT_EQ(trial.state, sweep::TrialState::finished) << number;
}
