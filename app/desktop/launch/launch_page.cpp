// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/launch_page.h"

#include <algorithm>

#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>

#include "base/text.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/launch/check_view.h"
#include "desktop/launch/engine_link.h"
#include "desktop/shell/save_file.h"
#include "desktop/shell/ui.h"
#include "remote/preflight.h"
#include "run/paths.h"
#include "widgets/chip.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

const int& kLaunchSideWidth = live_px(400);
const int& kLaunchSideNarrow = live_px(300);
const int& kNarrowLaunchPage = live_px(1000);
constexpr int kLookAgainMs = 10'000;

}  // namespace

LaunchPage::LaunchPage(EngineLink* engine, QWidget* parent)
    : Page(tr("Launch"), parent),
      engine_(engine),
      name_(make_elided({}, Theme::instance().text(14, QFont::DemiBold))),
      when_(new widgets::SegmentedControl({tr("Start now"), tr("Queue")})),
      auto_start_(new QCheckBox(tr("As soon as all pass"))),
      again_(new QPushButton(tr("Run again"))),
      cancel_(new QPushButton(tr("Cancel"))),
      anyway_(new QPushButton(tr("Start anyway"))),
      anyway_menu_(new QMenu(this)),
      message_(new InlineMessage),
      table_(new CheckTable(this)),
      counts_(make_title({})),
      failed_(new widgets::StateChip),
      warned_(new widgets::StateChip),
      elapsed_(make_mono_label({}, 12, Tone::Muted)),
      bar_(new CheckBar(table_)),
      view_(new CheckView(table_)),
      right_(widgets::make_panel_scroll()) {
    makeHeader();
    makeBody();
    act_every(clock_, 100, this, &LaunchPage::showCounts);
    act_after(look_again_, kLookAgainMs, this, &LaunchPage::begin);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &LaunchPage::showDetails);
    connect(table_, &QAbstractItemModel::dataChanged, this, &LaunchPage::showDetails);
    connect(table_, &QAbstractItemModel::modelReset, this, &LaunchPage::showDetails);
    connect(view_, &QTableView::activated, this, [this] {
        if (!ways_.isEmpty())
            ways_.first()->click();
    });
    connect(view_, &QTableView::pressed, this, [this] { chose_ = true; });
    setStage(Stage::Idle);
}

LaunchPage::~LaunchPage() {
    // The jobs are children; their destructors end what they have started.
    dropJob();
}

QWidget* LaunchPage::firstFocus() {
    return view_;
}

void LaunchPage::primaryAction() {
    if (anyway_->isEnabled())
        anyway_->click();
}

void LaunchPage::open(const LaunchRequest& request) {
    dropJob();
    asker_ = DialogAsker::make(this);
    connect(asker_.get(), &DialogAsker::said, this, [this](const QString& host, const QString& line) {
        message_->showMessage(InlineMessage::Kind::Note, host, line);
    });
    open(request, request.isLocal() ? makeLocalJob(request, engine_, this)
                                    : makeRemoteJob(request, engine_, asker_, accepted_once_, this));
}

void LaunchPage::open(const LaunchRequest& request, LaunchJob* job) {
    if (job_ != nullptr)
        dropJob();
    ++opened_;
    request_ = request;
    job_ = job;
    job_->setParent(this);
    job_->setQueued(queues());
    wait_ = false;
    chose_ = false;
    name_->setFullText(request.name);
    setFacts(request.facts);
    command_->setText(request.command);
    message_->dismiss();
    table_->reset(job_->checks(), job_->hosts());
    view_->setCurrentIndex(table_->index(0, 0));
    connect(job_, &LaunchJob::checkChanged, this, &LaunchPage::take);
    connect(job_, &LaunchJob::checked, this, &LaunchPage::checked);
    connect(job_, &LaunchJob::copied, this, [this](const QString& host, quint64 done, quint64 total) {
        table_->setText(QStringLiteral("engine"), host,
                        tr("copying, %1 of %2").arg(qtNumber(text::file_size(done)), qtNumber(text::file_size(total))));
    });
    connect(job_, &LaunchJob::started, this, [this](const QString& path) {
        setStage(Stage::Started);
        const QString report = table_->report();
        writing_.inOrder(
            path.toStdString(),
            [path, report] { return saveFile(path + QStringLiteral("/logs/preflight.txt"), report.toUtf8()); },
            [](const QString&) {});
        emit launched(path);
    });
    connect(job_, &LaunchJob::failed, this, [this](const QString& words) {
        setStage(Stage::Checked);
        message_->showMessage(InlineMessage::Kind::Error, tr("The run was not started"), words);
    });
    if (!engine_->problem().isEmpty()) {
        setStage(Stage::Checked);
        message_->showMessage(InlineMessage::Kind::Error, tr("The engine is missing"), engine_->problem());
        return;
    }
    begin();
}

bool LaunchPage::queues() const {
    return when_->current() == 1;
}

void LaunchPage::whenChosen() {
    if (job_ == nullptr)
        return;
    job_->setQueued(queues());
    if (stage_ != Stage::Checked)
        return;
    if (table_->count(CheckState::failed) > 0)
        begin();  // check again: busy devices may matter no longer, or again
    else
        setStage(stage_);
}

void LaunchPage::begin() {
    if (job_ == nullptr || stage_ == Stage::Checking || stage_ == Stage::Starting)
        return;
    const bool here = request_.isLocal() || request_.hosts.first().host == "localhost";
    place_->setFullText(here ? tr("Run folder in %1").arg(qt(run::runs_root().string()))
                             : tr("Run folder on %1, with a copy here").arg(qt(request_.hosts.first().host)));
    look_again_.stop();
    message_->dismiss();
    since_.start();
    setStage(Stage::Checking);
    job_->check();
}

void LaunchPage::take(const remote::CheckResult& result) {
    table_->take(result);
    showCounts();
    if (!chose_ && result.state == CheckState::failed && table_->count(CheckState::failed) == 1)
        view_->setCurrentIndex(table_->worst());
}

void LaunchPage::checked(bool passed) {
    setStage(Stage::Checked);
    if (passed) {
        const bool beside = !queues() && !busy_.isEmpty() && request_.isLocal();
        if (beside && !wait_)
            message_->showMessage(InlineMessage::Kind::Note, tr("%1 is running on this machine").arg(busy_),
                                  tr("Queue this run to start when that one ends, or start it now in parallel."));
        else if (table_->count(CheckState::warning) > 0 && !wait_)
            view_->setCurrentIndex(table_->worst());  // it is read before anything starts
        else if (auto_start_->isChecked() || wait_)
            start(false);
        return;
    }
    if (!chose_)
        view_->setCurrentIndex(table_->worst());
    if (wait_)
        look_again_.start();
}

void LaunchPage::start(bool anyway) {
    if (job_ == nullptr || stage_ != Stage::Checked)
        return;
    if (const QModelIndex why = stopping(); why.isValid()) {
        view_->setCurrentIndex(why);
        view_->setFocus();
        return;
    }
    look_again_.stop();
    setStage(Stage::Starting);
    job_->start(anyway);
}

/// Returns the first failed check without which a run cannot be started, even if the user asks for it.
QModelIndex LaunchPage::stopping() const {
    for (int row = 0; row < table_->rowCount(); ++row)
        for (int column = 1; column < table_->columnCount(); ++column) {
            const QModelIndex at = table_->index(row, column);
            const remote::CheckResult* result = table_->resultAt(at);
            // A run in the queue needs its port only when its turn has come.
            if (result != nullptr && result->state == CheckState::failed && remote::stops_launch(result->check) &&
                !(queues() && result->check == "port"))
                return at;
        }
    return {};
}

LaunchJob* LaunchPage::takeJob() {
    look_again_.stop();
    LaunchJob* job = std::exchange(job_, nullptr);
    if (job == nullptr)
        return nullptr;
    disconnect(job, nullptr, this, nullptr);
    // Its questions end with it.
    if (asker_) {
        asker_->close();
        asker_.reset();
    }
    connect(job, &LaunchJob::ended, job, &QObject::deleteLater);
    return job;
}

void LaunchPage::dropJob() {
    if (LaunchJob* job = takeJob())
        job->cancel();
}

void LaunchPage::giveUp(std::function<void(const QStringList&)> then) {
    // A host may answer late, when the page shows another launch. Then only the files of this launch are removed.
    const auto after = [this, files = request_.files(), number = opened_,
                        then = std::move(then)](const QStringList& leftBehind) {
        for (const QString& file : files)
            if (!file.isEmpty())
                QFile::remove(file);
        if (number != opened_)
            return;
        setStage(Stage::Idle);
        then(leftBehind);
    };
    LaunchJob* job = takeJob();
    if (job == nullptr) {
        after({});
        return;
    }
    setStage(Stage::Cancelling);
    connect(job, &LaunchJob::ended, this, after);
    job->cancel();
}

void LaunchPage::cancel() {
    if (stage_ == Stage::Cancelling)
        return;
    if (stage_ == Stage::Idle || stage_ == Stage::Started) {
        emit left({});
        return;
    }
    giveUp([this](const QStringList& leftBehind) {
        emit left(leftBehind.isEmpty()
                      ? tr("Nothing was started, and nothing is left on any host.")
                      : tr("Nothing was started.") + QLatin1Char('\n') + leftBehind.join(QLatin1Char('\n')));
    });
}

void LaunchPage::setStage(Stage stage) {
    stage_ = stage;
    if (stage == Stage::Checking || stage == Stage::Starting || stage == Stage::Cancelling)
        clock_.start();
    else
        clock_.stop();
    again_->setEnabled(stage == Stage::Checked);
    cancel_->setEnabled(stage != Stage::Cancelling &&
                        (stage != Stage::Starting || (job_ != nullptr && !request_.isLocal())));
    cancel_->setText(stage == Stage::Cancelling ? tr("Cancelling…") : tr("Cancel"));
    anyway_menu_->clear();
    const int failed = table_->count(CheckState::failed);
    const bool stopped = stage == Stage::Checked && stopping().isValid();
    if (stage == Stage::Checked && failed > 0 && !stopped) {
        for (int row = 0; row < table_->rowCount(); ++row)
            if (const remote::CheckResult* worst = table_->resultAt(table_->index(row, 0));
                worst != nullptr && worst->state == CheckState::failed) {
                QAction* line = anyway_menu_->addAction(tr("Failed: %1").arg(table_->index(row, 0).data().toString()));
                line->setEnabled(false);
            }
        anyway_menu_->addSeparator();
        const QString words =
            queues() ? tr("Queue although checks failed: %1") : tr("Start although checks failed: %1");
        anyway_menu_->addAction(words.arg(failed), this, [this] { start(true); });
    }
    anyway_->setEnabled(stage == Stage::Checked);
    const bool fine = stage == Stage::Checked && failed == 0;
    anyway_->setToolTip(stopped
                            ? tr("The run cannot start with these failed checks: shows the first of them (Ctrl+Enter)")
                            : tr("Ctrl+Enter"));
    anyway_->setText(stage == Stage::Starting ? tr("Starting…")
                     : stopped                ? tr("Cannot be started: show why")
                     : queues()               ? (fine ? tr("Queue it") : tr("Queue anyway"))
                                              : (fine ? tr("Start") : tr("Start anyway")));
    when_->setEnabled(stage == Stage::Idle || stage == Stage::Checking || stage == Stage::Checked);
    showCounts();
    showDetails();
}

void LaunchPage::showCounts() {
    const int failed = table_->count(CheckState::failed);
    const int warned = table_->count(CheckState::warning);
    counts_->setText(tr("%1 of %2 checks done").arg(table_->done()).arg(table_->all()));
    failed_->setChip({tr("%1 failed").arg(failed), QStringLiteral("error"), Token::Error});
    warned_->setChip(
        {warned == 1 ? tr("1 warning") : tr("%1 warnings").arg(warned), QStringLiteral("warn"), Token::Warn});
    failed_->setVisible(failed > 0);
    warned_->setVisible(warned > 0);
    if (stage_ == Stage::Checking || stage_ == Stage::Starting || stage_ == Stage::Cancelling)
        elapsed_->setText(tr("%1 s").arg(QLocale().toString(static_cast<double>(since_.elapsed()) / 1000, 'f', 1)));
    bar_->setAccessibleName(tr("%1 of %2 checks done, %3 failed").arg(table_->done()).arg(table_->all()).arg(failed));
}

void LaunchPage::addWay(const QString& words, std::function<void()> go) {
    auto* button = with_look(new QPushButton(words), {.elides = true});
    if (ways_.isEmpty())
        button->setProperty("kind", QStringLiteral("primary"));
    connect(button, &QPushButton::clicked, this, std::move(go), Qt::QueuedConnection);
    ways_holder_->layout()->addWidget(button);
    ways_ << button;
}

void LaunchPage::makeWays(const remote::CheckResult& result) {
    const QString check = qt(result.check);
    const QString host = qt(result.host);
    const bool recipe = !request_.recipe_file.isEmpty();
    const bool remote = host != QLatin1String("localhost");
    auto field = [this](const QString& key) {
        return [this, key] { giveUp([this, key](const QStringList&) { emit fieldRequested(key); }); };
    };
    if (check == QLatin1String("engine") && !remote)
        addWay(tr("Choose the engine…"), [this] { emit engineRequested(); });
    if (check == QLatin1String("data") && recipe)
        addWay(tr("Choose other data…"), field(QStringLiteral("data.path")));
    if (check == QLatin1String("formats") && recipe)
        addWay(tr("Choose another number format…"), field(QStringLiteral("mixed_precision")));
    if (check == QLatin1String("memory") && recipe)
        addWay(tr("Halve the micro-batch and keep the tokens per step"),
               [this] { giveUp([this](const QStringList&) { emit smallerBatchRequested(); }); });
    if (check == QLatin1String("script") || check == QLatin1String("program"))
        addWay(tr("Choose the script again…"), field(QStringLiteral("script")));
    if (check == QLatin1String("port"))
        addWay(tr("Choose another port…"), field(QStringLiteral("main_process_port")));
    if ((check == QLatin1String("output") || check == QLatin1String("disk")) && !remote)
        addWay(tr("Choose another folder for runs…"), [this] { emit runsFolderRequested(); });
    if (remote && (check == QLatin1String("reach") || check == QLatin1String("host_key") ||
                   check == QLatin1String("clock") || check == QLatin1String("disk")))
        addWay(tr("Open %1 in Hosts").arg(host), [this, host] { emit hostRequested(host); });
    addWay(tr("Retry until it passes, then start"), [this] {
        wait_ = true;
        begin();
    });
    if (request_.hosts.size() > 1) {
        QVector<remote::HostShare> rest;
        int ranks = 0;
        for (const remote::HostShare& share : std::as_const(request_.hosts))
            if (share.host != result.host) {
                rest << share;
                ranks += share.ranks;
            }
        addWay(ranks == 1 ? tr("Leave %1 out: 1 rank").arg(table_->hostTitle(host))
                          : tr("Leave %1 out: %2 ranks").arg(table_->hostTitle(host)).arg(ranks),
               [this, rest] { giveUp([this, rest](const QStringList&) { emit hostsChanged(rest); }); });
    }
}

void LaunchPage::showDetails() {
    const remote::CheckResult* result = table_->resultAt(view_->currentIndex());
    const bool wrong = result != nullptr && stage_ == Stage::Checked &&
                       (result->state == CheckState::failed || result->state == CheckState::warning);
    const QWidget* focus = focusWidget();
    const bool had_focus = focus != nullptr && ways_holder_->isAncestorOf(focus);
    for (QPushButton* way : std::as_const(ways_)) {
        way->hide();
        way->deleteLater();
    }
    ways_.clear();
    if (result == nullptr) {
        detail_title_->setText(tr("Checks"));
        detail_chip_->hide();
        detail_text_->setText(tr("Select a check to read about it."));
        for (QWidget* part : {static_cast<QWidget*>(detail_mend_), static_cast<QWidget*>(evidence_),
                              static_cast<QWidget*>(ways_title_), ways_holder_})
            part->hide();
        return;
    }
    const QString check = qt(result->check);
    const QString host = qt(result->host);
    detail_title_->setText(table_->columnCount() > 2
                               ? tr("%1 on %2").arg(table_->checkTitle(check), table_->hostTitle(host))
                               : table_->checkTitle(check));
    detail_chip_->show();
    detail_chip_->setChip(checkChip(result->state));
    const QString words = qtSentence(result->text);
    detail_text_->setText(words.isEmpty() ? checkChip(result->state).text : words);
    const QString mend = qtSentence(result->mend);
    detail_mend_->setText(mend.isEmpty() ? QString() : tr("%1.").arg(mend.left(1).toUpper() + mend.mid(1)));
    detail_mend_->setVisible(!mend.isEmpty());
    evidence_text_->setText(QStringLiteral("$ ") + qt(result->command));
    evidence_->setVisible(!result->command.empty());
    if (wrong)
        makeWays(*result);
    arrange();
    ways_title_->setVisible(wrong);
    ways_holder_->setVisible(wrong);
    if (had_focus)
        view_->setFocus();
}

void LaunchPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && cancel_->isEnabled()) {
        cancel();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() == Qt::NoModifier &&
        !ways_.isEmpty()) {
        ways_.first()->click();
        return;
    }
    Page::keyPressEvent(event);
}

void LaunchPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    // Do not start the run while the page is hidden; the user has to return to it.
    look_again_.stop();
}

/// The side is wide enough for the words of its buttons if the table keeps the larger half.
void LaunchPage::arrange() {
    constexpr int kMargins = 2 * (16 + 2);  // of the panel, with its frame and that of the buttons
    const int usual = width() < kNarrowLaunchPage ? kLaunchSideNarrow : kLaunchSideWidth;
    const int around = kMargins + right_->verticalScrollBar()->sizeHint().width();
    int words = 0;
    for (const QPushButton* way : std::as_const(ways_))
        words = std::max(words, way->sizeHint().width() + around);
    right_->setFixedWidth(std::max(usual, std::min(words, width() * 9 / 20)));
}

void LaunchPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
    name_->setMaximumWidth(std::max(120, width() / 4));
}

}  // namespace trainyard::desktop
