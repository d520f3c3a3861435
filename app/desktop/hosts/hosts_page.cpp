// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/hosts_page.h"

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>

#include "base/clock.h"
#include "desktop/hosts/connection_test_dialog.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/host_card.h"
#include "desktop/hosts/host_details.h"
#include "desktop/hosts/host_dialog.h"
#include "desktop/hosts/host_key_dialog.h"
#include "desktop/hosts/host_problem_panel.h"
#include "desktop/hosts/host_words.h"
#include "desktop/hosts/keys_dialog.h"
#include "desktop/hosts/terminal.h"
#include "desktop/launch/engine_link.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

const int& kHostListWidth = live_px(324);
constexpr int kFilterFrom = 9;    // cards; fewer are seen at once
constexpr int kGatherMs = 30;     // many hosts answer at once; the list is arranged once for all of them
constexpr int kWatchMs = 10'000;  // refreshes the selected host once it has answered

}  // namespace

HostsPage::HostsPage(EngineLink* engine, std::unique_ptr<HostSource> source, QWidget* parent)
    : HostsPage(engine, new HostList(std::move(source)), parent) {
    hosts_->setParent(this);
}

HostsPage::HostsPage(EngineLink* engine, HostList* hosts, QWidget* parent)
    : Page(tr("Hosts"), parent),
      engine_(engine),
      hosts_(hosts),
      asker_(DialogAsker::make(this)),
      keys_(with_look(new QPushButton(tr("SSH keys and agent")), {.icon = "key"})),
      reach_(with_look(
          new QPushButton(tr("Connections between hosts")),
          {.icon = "link", .tip = tr("Tries a connection from every host to every other one"), .elides = true})),
      probe_all_(with_look(new QPushButton(tr("Probe all")), {.icon = "resume"})),
      add_(with_look(new QPushButton(tr("Add host")), {.kind = "primary", .icon = "plus"})),
      message_(new InlineMessage),
      filter_(make_search_field(tr("Find a host"), tr("Find a host"), "search")),
      card_column_(new QVBoxLayout),
      none_(wrapped(make_note(tr("No hosts yet. Hosts in ~/.ssh/config appear here.")))),
      folded_(with_look(new QPushButton, {.kind = "link"})),
      details_(new HostDetails),
      chosen_(QLatin1String(kThisMachine)) {
    hosts_->setAsker(asker_);
    makeHeader();
    makeBody();
    makeMenu();
    connect(hosts_, &HostList::loaded, this, &HostsPage::rebuild);
    connect(hosts_, &HostList::rowChanged, this, &HostsPage::update);
    connect(hosts_, &HostList::complaint, this, [this](const QString& words) {
        message_->showMessage(InlineMessage::Kind::Error, tr("The hosts were not changed"), words);
    });
    connect(asker_.get(), &DialogAsker::said, this, [this](const QString& host, const QString& line) {
        message_->showMessage(InlineMessage::Kind::Note, host, line);
    });
    connect(details_, &HostDetails::probeRequested, this, [this] { hosts_->probe(chosen_); });
    connect(details_, &HostDetails::cancelRequested, this, [this] {
        hosts_->cancel(chosen_);
        asker_->dismiss(chosen_);
    });
    connect(details_, &HostDetails::terminalRequested, this, [this] { openTerminal(chosen_); });
    connect(details_->problem(), &HostProblemPanel::keyRequested, this, [this] { showKey(chosen_); });
    connect(details_->problem(), &HostProblemPanel::settingsRequested, this, [this] { editHost(chosen_); });
    connect(details_->problem(), &HostProblemPanel::transcriptRequested, this, [this] { showTranscript(chosen_); });
    act_after(due_, kGatherMs, this, &HostsPage::updateChanged);
    act_every(watch_, kWatchMs, this, &HostsPage::watch);
    rebuild();
}

HostsPage::~HostsPage() {
    // Close open questions, so that the threads that wait for an answer end.
    asker_->close();
    if (hosts_->parent() == this)
        delete hosts_;
}

void HostsPage::makeHeader() {
    add_items(actions(), {keys_, reach_, probe_all_, add_});
    connect(reach_, &QPushButton::clicked, this, &HostsPage::showReach);
    connect(keys_, &QPushButton::clicked, this, [this] { widgets::opened(new KeysDialog(hosts_, this)); });
    connect(probe_all_, &QPushButton::clicked, hosts_, &HostList::probeAll);
    connect(add_, &QPushButton::clicked, this, [this] { editHost({}); });
}

void HostsPage::makeBody() {
    body()->addWidget(message_);
    filter_->hide();
    card_column_->setSpacing(8);
    none_->setContentsMargins(4, 4, 4, 4);
    card_scroll_ = widgets::make_upright_scroll(
        make_column(QMargins(), 8, {card_column_, none_, {folded_, 0, Qt::AlignLeft}, stretch()}));
    card_scroll_->setAccessibleName(tr("List of hosts"));
    card_scroll_->setMinimumWidth(kHostListWidth);
    const int kHostsStackedBelow = 800_px;
    body()->addWidget(widgets::make_stacking_row(kHostsStackedBelow, 12,
                                                 {make_holder(make_column(QMargins(), 8, {filter_, {card_scroll_, 1}})),
                                                  {widgets::make_upright_scroll(details_), 1}}),
                      1);
    connect(filter_, &QLineEdit::textChanged, this, &HostsPage::filterCards);
    connect(folded_, &QPushButton::clicked, this, [this] {
        shows_folded_ = !shows_folded_;
        filterCards();
    });
}

void HostsPage::makeMenu() {
    addCommand("hosts.probe", [this] { hosts_->probe(chosen_); });
    addCommand("hosts.terminal", [this] { openTerminal(chosen_); });
    addCommand("hosts.probe_all", [this] { hosts_->probeAll(); });
    addCommand("hosts.add", [this] { editHost({}); });
    addCommand("hosts.reach", [this] { showReach(); });
    addCommand("hosts.keys", [this] { keys_->click(); });
    auto* edit = addCommand("hosts.settings", [this] { editHost(chosen_); });
    auto* transcript = addCommand("hosts.transcript", [this] { showTranscript(chosen_); });
    auto* up = addCommand("hosts.up", [this] { hosts_->move(chosen_, -1); });
    auto* down = addCommand("hosts.down", [this] { hosts_->move(chosen_, 1); });
    auto* gone = addCommand("hosts.forget", [this] { forget(chosen_); });
    QMenu* menu = details_->menu();
    menu->addActions({edit, transcript, up, down, gone});
    connect(menu, &QMenu::aboutToShow, this, [this, edit, transcript, up, down, gone] {
        const HostRow* row = hosts_->find(chosen_);
        const bool remote = row != nullptr && !row->local;
        for (QAction* action : {edit, up, down})
            action->setEnabled(remote);
        transcript->setEnabled(row != nullptr && row->answer && !row->answer->result.transcript.empty());
        gone->setEnabled(remote && row->known.in_store);
        gone->setText(remote && !row->known.config_place.empty() ? tr("Forget its settings") : tr("Forget the host"));
    });
}

void HostsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    watch_.start();
    if (first_shown_)
        return;
    first_shown_ = true;
    hosts_->load();
    hosts_->probe(QLatin1String(kThisMachine), true);
}

QWidget* HostsPage::firstFocus() {
    return cards_.value(chosen_);
}

void HostsPage::find() {
    filter_->show();
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

void HostsPage::refresh() {
    hosts_->load();
    hosts_->probe(chosen_);
}

void HostsPage::watch() {
    if (!isVisible()) {
        watch_.stop();
        return;
    }
    const HostRow* row = hosts_->find(chosen_);
    // Refresh only this machine, and hosts that were probed and have answered.
    if (row != nullptr && (row->local || (row->fresh && row->answer && row->answer->connected)))
        hosts_->probe(chosen_, true);
    showFacts();
}

void HostsPage::rebuild() {
    const QWidget* focused = focusWidget();
    const bool had_focus =
        focused != nullptr && qobject_cast<const HostCard*>(focused) != nullptr && focused->hasFocus();
    QSet<QString> names;
    int place = 0;
    QWidget* before = probe_all_;
    for (const HostRow& row : hosts_->rows()) {
        HostCard*& card = cards_[row.name()];
        if (card == nullptr) {
            card = new HostCard;
            const QString name = row.name();
            connect(card, &HostCard::toggled, this, [this, name](bool on) {
                if (on)
                    choose(name);
            });
            connect(card, &HostCard::opened, this, [this] { details_->probeButton()->setFocus(Qt::TabFocusReason); });
        }
        card_column_->removeWidget(card);
        card_column_->insertWidget(place++, card);
        card->setRow(row);
        names.insert(row.name());
        QWidget::setTabOrder(before, card);
        before = card;
    }
    for (const QString& name : cards_.keys())
        if (!names.contains(name))
            delete cards_.take(name);
    if (!names.contains(chosen_))
        chosen_ = QLatin1String(kThisMachine);
    cards_.value(chosen_)->setChecked(true);
    if (had_focus)
        cards_.value(chosen_)->setFocus();
    none_->setVisible(hosts_->isLoaded() && names.size() == 1);
    if (!hosts_->problems().isEmpty())
        message_->showMessage(InlineMessage::Kind::Warning, tr("Not all hosts could be read"),
                              hosts_->problems().join(QLatin1Char('\n')));
    filterCards();
    showChosen();
    showFacts();
}

void HostsPage::filterCards() {
    const QString words = filter_->text().trimmed();
    QStringList folded;
    for (const HostRow& row : hosts_->rows()) {
        HostCard* card = cards_.value(row.name());
        const bool away = hosts_->isFoldedAway(row) && row.name() != chosen_;
        if (away)
            folded << row.title();
        const bool found = words.isEmpty() || row.title().contains(words, Qt::CaseInsensitive) ||
                           row.name().contains(words, Qt::CaseInsensitive) ||
                           cardLine(row).contains(words, Qt::CaseInsensitive);
        card->setVisible(found && (!away || shows_folded_ || !words.isEmpty()));
    }
    if (hosts_->rows().size() >= kFilterFrom)
        filter_->show();
    folded_->setVisible(!folded.isEmpty() && words.isEmpty());
    const QString first = widgets::list_text(folded.mid(0, 3)) +
                          (folded.size() > 3 ? tr(" and %1 more").arg(folded.size() - 3) : QString());
    folded_->setText(shows_folded_ ? tr("Hide those without GPU or not used")
                                   : tr("%1: no GPU or not used, hidden. Show").arg(first));
    const int kLeastCards = 140_px;  // two, where the details are below them
    card_scroll_->setMinimumHeight(std::min(kLeastCards, card_scroll_->widget()->sizeHint().height()));
}

QList<HostCard*> HostsPage::cards() const {
    QList<HostCard*> seen;
    for (const HostRow& row : hosts_->rows())
        if (HostCard* card = cards_.value(row.name()); card != nullptr && card->isVisibleTo(this))
            seen << card;
    return seen;
}

void HostsPage::activate(const QString& host) {
    if (host.isEmpty())
        return;
    if (!hosts_->isLoaded())
        return chooseOnceLoaded(host);
    choose(host);
    hosts_->probe(host);
}

void HostsPage::chooseOnceLoaded(const QString& host) {
    const auto ask = [this, host] {
        choose(host);
        hosts_->probe(host);
    };
    connect(hosts_, &HostList::loaded, this, ask, Qt::SingleShotConnection);
}

void HostsPage::choose(const QString& name) {
    if (hosts_->find(name) == nullptr)
        return;
    chosen_ = name;
    cards_.value(name)->setChecked(true);
    card_scroll_->ensureWidgetVisible(cards_.value(name));
    showChosen();
}

void HostsPage::update(const QString& name) {
    changed_.insert(name);
    if (name == chosen_)
        updateChanged();
    else
        widgets::start_unless_active(due_);
}

void HostsPage::updateChanged() {
    due_.stop();
    const QSet<QString> names = std::exchange(changed_, {});
    for (const QString& name : names)
        if (const HostRow* row = hosts_->find(name); row != nullptr && cards_.contains(name))
            cards_.value(name)->setRow(*row);
    filterCards();
    showFacts();
    if (!names.contains(chosen_))
        return;
    showChosen();
    // Ask about a new host key immediately if the page of that host is visible.
    const HostRow* row = hosts_->find(chosen_);
    if (row != nullptr && isVisible() && !row->asking && row->fresh && row->state() == HostState::NewKey &&
        findChild<HostKeyDialog*>() == nullptr && window()->isActiveWindow())
        showKey(chosen_);
}

void HostsPage::showChosen() {
    details_->setEngine(engine_ == nullptr ? QString() : engine_->version());
    if (const HostRow* row = hosts_->find(chosen_))
        details_->setRow(*row);
}

void HostsPage::showFacts() {
    int config = 0, own = 0;
    double probed = 0;
    for (const HostRow& row : hosts_->rows()) {
        if (row.local)
            continue;
        (row.known.config_place.empty() ? own : config)++;
        if (row.fresh && row.answer)
            probed = std::max(probed, row.answer->time);
    }
    QStringList parts;
    if (!hosts_->isLoaded())
        parts << tr("reading ~/.ssh/config");
    else if (config + own == 0)
        parts << tr("this machine");
    else if (own == 0)
        parts << tr("%1 from ~/.ssh/config, and this machine").arg(config);
    else if (config == 0)
        parts << tr("%1 added, and this machine").arg(own);
    else
        parts << tr("%1 from ~/.ssh/config, %2 added, and this machine").arg(config).arg(own);
    const int asking = hosts_->asking();
    if (asking > 0)
        parts << (asking == 1 ? tr("asking 1 host") : tr("asking %1 hosts").arg(asking));
    else if (probed > 0)
        parts << tr("probed %1").arg(relativeTime(probed, wall_seconds()));
    setFacts(parts.join(QStringLiteral("  ·  ")));
    emit countChanged(hosts_->connected(), config + own);
}

void HostsPage::setRuns(const RunSummaries& runs) {
    QHash<QString, QStringList> by_host;
    for (const RunSummary& run : runs)
        if (run.isLive())
            for (const QString& host : run.hosts)
                by_host[host] << run.name;
    hosts_->setRuns(by_host);
}

HostDialog* HostsPage::editHost(const QString& name) {
    const HostRow* row = hosts_->find(name);
    if (row != nullptr && row->local)
        return nullptr;
    QStringList taken;
    for (const HostRow& each : hosts_->rows())
        taken << each.name();
    auto* dialog =
        new HostDialog(hosts_->source().get(), row == nullptr ? remote::KnownHost() : row->known, taken, this);
    connect(dialog, &QDialog::accepted, this, [this, dialog, name] {
        const remote::StoredHost host = dialog->host();
        hosts_->save(host, name);
        if (name.isEmpty())  // selected once it is in the list
            chooseOnceLoaded(qt(host.name));
    });
    return widgets::opened(dialog);
}

HostKeyDialog* HostsPage::showKey(const QString& name) {
    const HostRow* row = hosts_->find(name);
    if (row == nullptr || row->state() != HostState::NewKey || !row->answer->key)
        return nullptr;
    auto* dialog = new HostKeyDialog(row->title(), *row->answer->key, this);
    connect(dialog, &QDialog::finished, this, [this, dialog, name] {
        if (dialog->choice() == HostKeyDialog::Choice::Trust)
            hosts_->trust(name, dialog->report());
        else if (dialog->choice() == HostKeyDialog::Choice::Once)
            hosts_->acceptOnce(name, dialog->report());
    });
    return widgets::opened(dialog);
}

ConnectionTestDialog* HostsPage::showReach() {
    QStringList connected, all;
    for (const HostRow& row : hosts_->rows()) {
        if (row.local || (row.fresh && row.answer && row.answer->connected))
            connected << row.name();
        if (row.local || (row.known.stored.use && row.unusable.isEmpty()))
            all << row.name();
    }
    return widgets::opened(new ConnectionTestDialog(hosts_, connected.size() > 1 ? connected : all, this));
}

void HostsPage::forget(const QString& name) {
    const HostRow* row = hosts_->find(name);
    if (row == nullptr || row->local || !row->known.in_store)
        return;
    const remote::StoredHost stored = row->known.stored;
    const QString title = row->title();
    hosts_->forget(name);
    auto* back = new InlineMessage;
    body()->insertWidget(0, back);
    back->showMessage(InlineMessage::Kind::Note, tr("%1 was forgotten").arg(title));
    connect(back->addAction(tr("Undo")), &QPushButton::clicked, this, [this, back, stored] {
        hosts_->save(stored, {});
        back->deleteLater();
    });
    connect(back, &InlineMessage::dismissed, back, &QObject::deleteLater);
}

void HostsPage::openTerminal(const QString& name) {
    terminal_.submit(
        [source = hosts_->source(), host = name.toStdString()] {
            QStringList words;
            for (const std::string& word : source->terminal_command(host))
                words << qt(word);
            return words;
        },
        [this](const QStringList& words) {
            const QString problem = open_terminal(words);
            if (!problem.isEmpty())
                message_->showMessage(InlineMessage::Kind::Error, tr("No terminal was opened"), problem,
                                      words.join(QLatin1Char(' ')));
        },
        [this](const QString& words) {
            message_->showMessage(InlineMessage::Kind::Error, tr("No terminal was opened"), words);
        });
}

void HostsPage::showTranscript(const QString& name) {
    const HostRow* row = hosts_->find(name);
    if (row == nullptr || !row->answer)
        return;
    QStringList lines;
    for (const Message& line : row->answer->result.transcript)
        lines << qtClause(line);
    auto* dialog = new QDialog(this);
    dialog->setWindowTitle(tr("Transcript of %1").arg(row->title()));
    dialog->resize(720_px, 420_px);
    auto* text = new QPlainTextEdit(lines.join(QLatin1Char('\n')));
    text->setReadOnly(true);
    text->setFont(Theme::instance().mono(12));
    text->setAccessibleName(dialog->windowTitle());
    dialog->setLayout(make_column({text}));
    widgets::opened(dialog);
}

}  // namespace trainyard::desktop
