// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hosts as a view model: their names, what is known of each, and which are being probed. Without widgets. Lives in
// the GUI thread; files and connections are used in parallel on other threads, so that 50 hosts need not wait for an
// unreachable one.

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include <QHash>
#include <QObject>
#include <QString>
#include <QVector>

#include "desktop/hosts/host_source.h"
#include "widgets/job.h"
#include "widgets/token.h"

namespace trainyard::desktop {

enum class HostState {
    Unknown,  ///< not probed yet
    Asking,   ///< probed for the first time
    Ready,
    InUse,    ///< has an active run of Trainyard, or its GPUs are busy
    NewKey,   ///< its key has to be confirmed first
    Blocked,  ///< another key than the one accepted, or a revoked one
    Failed,
    NotUsed,  ///< "do not use"
};

inline constexpr double kLoadSpan = 3600;  ///< seconds of a host's load that are kept and shown

/// The load of a host at one time, 0..100; nullopt if the host does not report it.
struct LoadPoint {
    double time = 0;
    std::optional<double> gpu;
    std::optional<double> memory;
    std::optional<double> cpu;
};

struct HostRow {
    remote::KnownHost known;
    bool local = false;
    QString target;                          ///< how it is reached
    QString unusable;                        ///< why its settings cannot be used
    std::optional<HostAnswer> answer;        ///< the last one
    std::optional<remote::HostFacts> facts;  ///< of the last answer that had some
    double facts_time = 0;
    bool asking = false;
    bool fresh = false;  ///< asked since this program started
    std::deque<LoadPoint> hour;
    QStringList runs;  ///< names of live runs with ranks there

    QString name() const { return QString::fromStdString(known.name); }
    /// `This machine`, its label, or its name.
    QString title() const;
    HostState state() const;
};

/// The destructor cancels all pending connections and does not wait for them.
class HostList : public QObject {
    Q_OBJECT
  public:
    explicit HostList(std::unique_ptr<HostSource> source, QObject* parent = nullptr);

    /// Reads the files again. The answers of the hosts are kept.
    void load();
    bool isLoaded() const { return loaded_; }
    const QVector<HostRow>& rows() const { return rows_; }
    const HostRow* find(const QString& name) const;
    const QStringList& problems() const { return problems_; }
    int connected() const;
    /// Shared with the threads that use it, which keep it alive.
    std::shared_ptr<HostSource> source() const { return source_; }

    void setAsker(std::shared_ptr<remote::Asker> asker) { asker_ = std::move(asker); }
    /// Probes a host, unless it is being probed already. `quietly`: questions to the user are not answered.
    void probe(const QString& name, bool quietly = false);
    void probeAll();
    int asking() const;
    void cancel(const QString& name);

    /// Writes the key that was shown to known_hosts, then probes the host again. If the host has presented another key
    /// since, does nothing and complaint() says so.
    void trust(const QString& name, const remote::HostKeyReport& shown);
    /// As trust(), but only until this program ends.
    void acceptOnce(const QString& name, const remote::HostKeyReport& shown);
    const remote::AcceptedKeys& acceptedOnce() const { return accepted_once_; }

    /// Whether a row has no card: a host not to be used, or a host without a GPU if others have one.
    bool isFoldedAway(const HostRow& row) const;
    void move(const QString& name, int by);
    void save(const remote::StoredHost& host, const QString& before);
    void forget(const QString& name);
    /// Active runs by host, "this machine" for this one.
    void setRuns(const QHash<QString, QStringList>& runsByHost);

  signals:
    void loaded();
    void listed(const trainyard::desktop::HostListing& listing);  ///< with loaded(), and with the answer of a host
    void rowChanged(const QString& name);
    /// Error message about a file that could not be written or read.
    void complaint(const QString& words);

  private:
    bool stillShows(const QString& name, const remote::HostKeyReport& shown);
    HostRow* row(const QString& name);
    void take(const HostListing& listing);
    void takeAnswer(const QString& name, const HostAnswer& answer);
    void change(
        const std::function<void(HostSource&)>& write, const std::function<void()>& then = [] {});

    std::shared_ptr<HostSource> source_;
    std::shared_ptr<remote::Asker> asker_;
    widgets::Job listing_work_{nullptr, widgets::Executor::Kind::Waits};
    widgets::Job work_{nullptr, widgets::Executor::Kind::Waits};
    HostListing listing_;
    QVector<HostRow> rows_;
    QStringList problems_;
    QHash<QString, widgets::Operation> asked_;
    QHash<QString, QStringList> runs_;
    remote::AcceptedKeys accepted_once_;
    bool loaded_ = false;
};

}  // namespace trainyard::desktop
