// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/log_page.h"

#include <QDir>
#include <QJsonArray>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QSplitter>

#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_list.h"
#include "desktop/curves/remote_logs.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "desktop/sources/log_tree.h"
#include "widgets/chip.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {
const int& kLogListWidth = live_px(260);
const int& kLogsStackedBelow = live_px(800);
constexpr int kWarningsInterval = 250;  // ms
constexpr int kMostWarnings = 4;        // lines; the rest under Details
const QString kTicks = QStringLiteral("ticks");
const QString kLogFilter = QStringLiteral("log_filter");
const QString kListSize = QStringLiteral("list_width");

QString shortName(const QString& place) {
    const QString path = place.endsWith(QLatin1Char('/')) ? place.chopped(1) : place;
    const QString name = path.section(QLatin1Char('/'), -1);
    return name.isEmpty() ? place : name;
}
}  // namespace

LogPage::LogPage(const QString& place, QWidget* parent)
    : Page(shortName(place), parent),
      place_(place),
      key_(QStringLiteral("logs/") + place),
      strip_(new InlineMessage),
      key_button_(strip_->addAction(tr("Compare the key…"))),
      retry_button_(strip_->addAction(tr("Try again"))),
      warning_(new InlineMessage),
      state_(new widgets::StateChip),
      list_(new LogList),
      panel_(new CurvesPanel(place, place)),
      splitter_(
          widgets::make_stacking_splitter(kLogsStackedBelow, {list_, make_holder(make_row({0, 0, 0, 0}, {panel_}))})) {
    build();
    act_after(warnings_due_, kWarningsInterval, this, &LogPage::refreshWarnings);
    if (const auto remote = QFileInfo::exists(place) ? std::nullopt : remote_place(place)) {
        asker_ = DialogAsker::make(this);
        remote_ = std::make_unique<RemoteLogs>(*remote, asker_);
        connect(key_button_, &QPushButton::clicked, this, &LogPage::showKey);
        connect(retry_button_, &QPushButton::clicked, this, &LogPage::refresh);
        connect(remote_.get(), &RemoteLogs::changed, this, &LogPage::refreshRemote);
        follow(remote_->folder());
        remote_->start();
        refreshRemote();
    } else {
        follow(place);
    }
    refreshWords();
}

LogPage::~LogPage() {
    if (asker_)
        asker_->close();
    disconnect(list_->model(), nullptr, this, nullptr);
    delete panel_;  // before the tree, whose sources it shows
}

void LogPage::build() {
    titleLine()->insertWidget(1, state_);
    state_->hide();
    auto* window = with_look(new QPushButton, {.icon = "screen", .tip = tr("Open in a new window")});
    connect(window, &QPushButton::clicked, this, &LogPage::windowRequested);
    actions()->addWidget(window);
    if (!remote_place(place_)) {
        auto* folder = with_look(new QPushButton(tr("Open folder")), {.icon = "folder"});
        connect(folder, &QPushButton::clicked, this, [this] {
            emit folderRequested(QFileInfo(place_).isDir() ? place_ : QFileInfo(place_).absolutePath());
        });
        actions()->addWidget(folder);
    }
    add_items(body(), {strip_, warning_});
    list_->setMinimumWidth(180_px);
    list_->hide();  // one log needs none
    splitter_->setStretchFactor(1, 1);
    body()->addWidget(splitter_, 1);
    ViewState& views = ViewState::instance();
    splitter_->setSizes({views.value(key_, kListSize).toInt(kLogListWidth), 1200});
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this](int at) { ViewState::instance().set(key_, kListSize, at); });

    if (const QJsonValue ticks = views.value(key_, kTicks); ticks.isArray())
        list_->model()->setTicks(stringsOf(ticks));
    list_->field()->setText(views.value(key_, kLogFilter).toString());
    connect(list_, &LogList::filterChanged, this, [this](const QString& words) {
        ViewState::instance().set(key_, kLogFilter, words.isEmpty() ? QJsonValue() : QJsonValue(words));
    });
    connect(list_->model(), &LogListModel::ticksChanged, this, &LogPage::showTicked);
    connect(list_->model(), &LogListModel::ticksChosen, this,
            [this] { ViewState::instance().set(key_, kTicks, QJsonArray::fromStringList(list_->model()->ticks())); });
}

void LogPage::follow(const QString& folder) {
    tree_ = std::make_unique<LogTree>(folder);
    connect(tree_.get(), &LogTree::sourcesAdded, this, &LogPage::sourcesAdded);
    for (auto signal : {&LogTree::scanned, &LogTree::caughtUp})
        connect(tree_.get(), signal, this, &LogPage::refreshWords);
    connect(tree_.get(), &LogTree::complaintsChanged, this, [this] { warnings_due_.start(); });
    tree_->start();
}

void LogPage::sourcesAdded(int first, int count) {
    std::vector<LogRecord*> fresh;
    for (int i = first; i < first + count; ++i) {
        LogRecord* record = tree_->sources()[static_cast<std::size_t>(i)];
        fresh.push_back(record);
        connect(record, &CurveSource::complaintsChanged, this, [this] {
            start_unless_active(warnings_due_);
            refreshWords();
        });
        connect(record, &LogRecord::caughtUp, this, &LogPage::refreshWords);
    }
    list_->model()->add(fresh);
    list_->setVisible(list_->model()->total() > 1);
    refreshWords();
}

void LogPage::showTicked() {
    QVector<CurveSource*> sources;
    for (LogRecord* record : list_->model()->ticked())
        sources << record;
    panel_->setSources(sources);
    refreshWords();
}

void LogPage::refreshWords() {
    const QLocale locale;
    const auto total = static_cast<int>(tree_->sources().size());
    int read = 0;
    for (const LogRecord* record : tree_->sources())
        read += record->isCaughtUp() ? 1 : 0;
    QStringList facts{remote_ ? place_ : QDir::toNativeSeparators(place_)};
    if (total > 0)
        facts << (total == 1 ? tr("one log") : tr("%1 logs").arg(locale.toString(total)));
    if (total > 0 && read < total)
        facts << tr("reading %1 of %2").arg(locale.toString(read), locale.toString(total));
    else if (!tree_->isScanned())
        facts << tr("looking for logs");
    setFacts(facts.join(QStringLiteral(" · ")));
    if (total == 0 && !tree_->isScanned())
        panel_->setEmptyWords(tr("Looking for logs in %1").arg(place_));
    else if (total == 0 && remote_)
        panel_->setEmptyWords(tr("No data from %1 yet.").arg(place_));
    else if (total == 0)
        panel_->setEmptyWords(
            tr("No logs in %1 yet.").arg(place_),
            tr("TensorBoard files, JSONL and CSV with a column of steps, trainer_state.json of transformers, runs of "
               "MLflow and Trackio, and offline runs of Weights & Biases, SwanLab and ClearML appear here as soon as "
               "they are written."));
    else if (panel_->sources().isEmpty())
        panel_->setEmptyWords(tr("No log is selected."), tr("Select one at the left to see its curves."));
    else if (!std::ranges::all_of(panel_->sources(), &CurveSource::isCaughtUp))
        panel_->setEmptyWords(tr("Reading the selected logs…"));
    else if (std::ranges::any_of(panel_->sources(),
                                 [](const CurveSource* source) { return !source->complaints().isEmpty(); }))
        panel_->setEmptyWords(tr("The selected logs have no curves that can be read."));
    else
        panel_->setEmptyWords(tr("The selected logs have no curves yet."));
}

void LogPage::refreshWarnings() {
    QStringList all = tree_->complaints();
    for (const LogRecord* record : tree_->sources())
        for (const QString& words : record->complaints())
            all << words;
    if (all.isEmpty()) {
        warning_->dismiss();
        return;
    }
    const QStringList first = all.mid(0, kMostWarnings);
    warning_->showMessage(InlineMessage::Kind::Warning,
                          all.size() == 1 ? tr("Part of the logs cannot be read")
                                          : tr("%1 parts of the logs cannot be read").arg(all.size()),
                          first.join(QLatin1Char('\n')),
                          all.size() > kMostWarnings ? all.mid(kMostWarnings).join(QLatin1Char('\n')) : QString());
    list_->view()->viewport()->update();
}

void LogPage::refreshRemote() {
    const RemoteLogs::State state = remote_->state();
    const QString title = state == RemoteLogs::State::Blocked   ? tr("%1 needs an answer from you")
                          : state == RemoteLogs::State::Silent  ? tr("%1 does not answer")
                          : state == RemoteLogs::State::Partial ? tr("%1 is shown only in part")
                                                                : QString();
    if (title.isEmpty())
        strip_->dismiss();
    else
        strip_->showMessage(InlineMessage::Kind::Warning, title.arg(remote_->host()), remote_->words());
    const bool stuck = state == RemoteLogs::State::Silent || state == RemoteLogs::State::Blocked;
    retry_button_->setVisible(stuck && !remote_->newKey());
    key_button_->setVisible(remote_->newKey().has_value());
    state_->setChip({remote_->stateWords(), QString(),
                     state == RemoteLogs::State::Following ? Token::Ok
                     : stuck                               ? Token::Warn
                                                           : Token::Info});
    state_->show();
    // Ask about a new host key immediately if the page is visible.
    if (remote_->newKey() && isVisible() && window()->isActiveWindow() && findChild<HostKeyDialog*>() == nullptr)
        showKey();
}

HostKeyDialog* LogPage::showKey() {
    if (!remote_ || !remote_->newKey())
        return nullptr;
    auto* dialog = new HostKeyDialog(remote_->host(), *remote_->newKey(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::finished, this, [this, dialog] {
        if (dialog->choice() == HostKeyDialog::Choice::Trust)
            remote_->trust(dialog->report());
        else if (dialog->choice() == HostKeyDialog::Choice::Once)
            remote_->acceptOnce(dialog->report());
    });
    dialog->open();
    return dialog;
}

QWidget* LogPage::firstFocus() {
    return panel_;
}

void LogPage::find() {
    if (list_->isVisible() && list_->view()->hasFocus())
        list_->field()->setFocus(Qt::ShortcutFocusReason);
    else
        panel_->find();
}

void LogPage::refresh() {
    if (remote_)
        remote_->retry();
}

}  // namespace trainyard::desktop
