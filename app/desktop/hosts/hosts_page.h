// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Page of hosts: the machines, their hardware, and why one does not answer. No host is contacted before the user asks
// for it; only this machine is probed.

#include <memory>

#include <QHash>
#include <QSet>
#include <QTimer>

#include "desktop/hosts/host_list.h"
#include "desktop/runs/run_summary.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class DialogAsker;
class EngineLink;
class HostCard;
class HostDetails;
class HostDialog;
class HostKeyDialog;
class ConnectionTestDialog;

class HostsPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "hosts";  ///< in the registry of pages
    HostsPage(EngineLink* engine, std::unique_ptr<HostSource> source, QWidget* parent = nullptr);
    /// Shows hosts that outlive the page.
    HostsPage(EngineLink* engine, HostList* hosts, QWidget* parent);
    ~HostsPage() override;
    QWidget* firstFocus() override;
    void primaryAction() override { editHost({}); }
    void find() override;
    /// F5: asks the chosen host.
    void refresh() override;

    HostList* hosts() const { return hosts_; }
    DialogAsker* asker() const { return asker_.get(); }
    widgets::InlineMessage* message() const { return message_; }
    QPushButton* foldedButton() const { return folded_; }
    QList<HostCard*> cards() const;  ///< those that are seen, in order
    QString chosen() const { return chosen_; }
    void choose(const QString& name);
    /// Selects and probes a host.
    void activate(const QString& host) override;
    bool isBusy() const override { return hosts_->asking() > 0; }
    void takeOver(Page& before) override { choose(static_cast<HostsPage&>(before).chosen_); }
    void setRuns(const RunSummaries& runs);

    HostDialog* editHost(const QString& name);  ///< empty: a new one
    HostKeyDialog* showKey(const QString& name);
    /// Opens the dialog of connections between this machine and the connected hosts, or all hosts if none is connected.
    ConnectionTestDialog* showReach();
    void forget(const QString& name);
    void openTerminal(const QString& name);
    void showTranscript(const QString& name);

  signals:
    void countChanged(int connected, int known);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void makeMenu();
    void rebuild();
    void update(const QString& name);
    void updateChanged();
    void showChosen();
    void showFacts();
    void filterCards();
    void watch();
    void chooseOnceLoaded(const QString& host);

    EngineLink* engine_;
    HostList* hosts_;
    std::shared_ptr<DialogAsker> asker_;
    widgets::Job terminal_;
    QPushButton* keys_;
    QPushButton* reach_;
    QPushButton* probe_all_;
    QPushButton* add_;
    widgets::InlineMessage* message_;
    QLineEdit* filter_;
    QVBoxLayout* card_column_;
    QScrollArea* card_scroll_ = nullptr;
    QLabel* none_;
    QPushButton* folded_;
    QHash<QString, HostCard*> cards_;
    HostDetails* details_;
    QString chosen_;
    bool shows_folded_ = false;
    bool first_shown_ = false;
    QTimer watch_;
    QSet<QString> changed_;  ///< rows whose cards are out of date
    QTimer due_;
};

}  // namespace trainyard::desktop
