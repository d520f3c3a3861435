// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_list.h"

#include <algorithm>

#include "desktop/hosts/hang_up.h"
#include "desktop/runs/run_scanner.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

constexpr double kBusyGpu = 5;                        // percent
constexpr std::uint64_t kGpuIdleMemory = 1ull << 30;  // drivers and displays take less

bool is_busy(const remote::HostFacts& facts) {
    return std::any_of(facts.gpus.begin(), facts.gpus.end(), [](const remote::GpuFacts& gpu) {
        return gpu.busy_percent.value_or(0) > kBusyGpu || gpu.memory_used_bytes > kGpuIdleMemory;
    });
}

LoadPoint load_of(const remote::HostFacts& facts, double time) {
    LoadPoint point{time, {}, {}, {}};
    double busy = 0;
    int known = 0;
    std::uint64_t used = 0, all = 0;
    for (const remote::GpuFacts& gpu : facts.gpus) {
        if (gpu.busy_percent) {
            busy += *gpu.busy_percent;
            ++known;
        }
        used += gpu.memory_used_bytes;
        all += gpu.memory_bytes;
    }
    if (known > 0)
        point.gpu = busy / known;
    if (all == 0 && facts.memory_bytes > 0) {
        all = facts.memory_bytes;
        used = facts.memory_bytes - std::min(facts.memory_bytes, facts.memory_available_bytes);
    }
    if (all > 0)
        point.memory = 100.0 * static_cast<double>(used) / static_cast<double>(all);
    if (facts.load_1m && facts.cores > 0)
        point.cpu = std::min(100.0, 100.0 * *facts.load_1m / facts.cores);
    return point;
}

}  // namespace

QString HostRow::title() const {
    if (!known.stored.label.empty())
        return qt(known.stored.label);
    return local ? HostList::tr("This machine") : name();
}

HostState HostRow::state() const {
    if (!local && !known.stored.use)
        return HostState::NotUsed;
    if (answer && !answer->result.facts) {
        const std::string& cause = answer->result.cause;
        if (cause == remote::name_of(remote::Cause::host_key_unknown))
            return HostState::NewKey;
        if (cause == remote::name_of(remote::Cause::host_key_changed) ||
            cause == remote::name_of(remote::Cause::host_key_revoked))
            return HostState::Blocked;
        return HostState::Failed;
    }
    if (!unusable.isEmpty())
        return HostState::Failed;
    if (!runs.isEmpty())
        return HostState::InUse;
    if (!answer)
        return asking ? HostState::Asking : HostState::Unknown;
    return is_busy(*answer->result.facts) ? HostState::InUse : HostState::Ready;
}

HostList::HostList(std::unique_ptr<HostSource> source, QObject* parent) : QObject(parent), source_(std::move(source)) {
    HostRow local;
    local.known.name = kThisMachine;
    local.local = true;
    local.target = tr("this machine, without SSH");
    rows_ << local;
}

HostRow* HostList::row(const QString& name) {
    const auto found = std::ranges::find(rows_, name, &HostRow::name);
    return found == rows_.end() ? nullptr : &*found;
}

const HostRow* HostList::find(const QString& name) const {
    const auto found = std::ranges::find(rows_, name, &HostRow::name);
    return found == rows_.end() ? nullptr : &*found;
}

void HostList::load() {
    listing_work_.submit([source = source_] { return source->list(); }, [this](const HostListing& read) { take(read); },
                         [this](const QString& words) {
                             problems_ = {words};
                             loaded_ = true;
                             emit loaded();
                         });
}

void HostList::take(const HostListing& listing) {
    QVector<HostRow> rows;
    rows << rows_.first();
    for (const remote::KnownHost& known : listing.hosts) {
        const QString name = qt(known.name);
        const HostRow* old = find(name);
        HostRow row = old == nullptr ? HostRow() : *old;
        row.known = known;
        const auto target = listing.targets.find(known.name);
        row.target = target == listing.targets.end() ? name : qt(target->second);
        const auto unusable = listing.unusable.find(known.name);
        row.unusable = unusable == listing.unusable.end() ? QString() : qtSentence(unusable->second);
        row.runs = runs_.value(name);
        rows << row;
    }
    for (HostRow& row : rows) {
        const auto last = listing.last.find(row.known.name);
        if (!row.answer && last != listing.last.end()) {
            row.answer = last->second;
            row.answer->connected = false;
            row.facts = last->second.result.facts;
            row.facts_time = last->second.time;
        }
    }
    rows_ = rows;
    problems_.clear();
    for (const Message& problem : listing.problems)
        problems_ << qtSentence(problem);
    loaded_ = true;
    listing_ = listing;
    emit loaded();
    emit listed(listing_);
}

int HostList::connected() const {
    return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [](const HostRow& row) {
        return !row.local && row.fresh && row.answer && row.answer->connected;
    }));
}

int HostList::asking() const {
    return static_cast<int>(std::ranges::count(rows_, true, &HostRow::asking));
}

void HostList::probe(const QString& name, bool quietly) {
    HostRow* asked = row(name);
    if (asked == nullptr || asked->asking || !asked->unusable.isEmpty())
        return;
    asked->asking = true;
    const auto ask = [source = source_, host = asked->known.name, asker = quietly ? nullptr : asker_,
                      known = accepted_once_](const widgets::Cancelled& cancelled) {
        const HangUp hang_up(cancelled);
        return source->probe(host, {asker, known, hang_up.cancel()});
    };
    asked_.insert(name, work_.beside(ask, [this, name](const HostAnswer& answer) { takeAnswer(name, answer); }));
    emit rowChanged(name);
}

void HostList::probeAll() {
    for (const HostRow& row : std::as_const(rows_))
        if (row.local || row.known.stored.use)
            probe(row.name());
}

void HostList::cancel(const QString& name) {
    if (!asked_.contains(name))
        return;
    // After cancelling, the previous answer stays visible.
    work_.cancel(asked_.take(name));
    if (HostRow* asked = row(name))
        asked->asking = false;
    emit rowChanged(name);
}

void HostList::takeAnswer(const QString& name, const HostAnswer& answer) {
    asked_.remove(name);
    HostRow* asked = row(name);
    if (asked == nullptr)
        return;
    asked->asking = false;
    asked->answer = answer;
    asked->fresh = true;
    if (answer.result.facts) {
        asked->facts = answer.result.facts;
        asked->facts_time = answer.time;
        asked->hour.push_back(load_of(*answer.result.facts, answer.time));
        while (asked->hour.front().time < answer.time - kLoadSpan)
            asked->hour.pop_front();
    }
    listing_.last[asked->known.name] = answer;
    emit listed(listing_);
    emit rowChanged(name);
}

void HostList::change(const std::function<void(HostSource&)>& write, const std::function<void()>& then) {
    work_.inOrder(
        "hosts", [source = source_, write] { write(*source); }, then,
        [this](const QString& words) { emit complaint(words); });
}

bool HostList::stillShows(const QString& name, const remote::HostKeyReport& shown) {
    const HostRow* asked = find(name);
    if (asked == nullptr)
        return false;
    if (asked->answer && asked->answer->key == shown && asked->state() == HostState::NewKey)
        return true;
    emit complaint(tr("%1 has presented another key since this one was shown: no key was trusted. Check it again.")
                       .arg(asked->title()));
    return false;
}

void HostList::trust(const QString& name, const remote::HostKeyReport& shown) {
    if (stillShows(name, shown))
        change([shown](HostSource& source) { source.trust(shown); }, [this, name] { probe(name); });
}

void HostList::acceptOnce(const QString& name, const remote::HostKeyReport& shown) {
    if (!stillShows(name, shown))
        return;
    accepted_once_.push_back(remote::accepted_for_now(shown));
    probe(name);
}

bool HostList::isFoldedAway(const HostRow& row) const {
    if (row.local)
        return false;
    if (!row.known.stored.use)
        return true;
    if (!row.facts || !row.facts->gpus.empty() || !row.runs.isEmpty())
        return false;
    return std::any_of(rows_.begin(), rows_.end(),
                       [](const HostRow& other) { return !other.local && other.facts && !other.facts->gpus.empty(); });
}

void HostList::move(const QString& name, int by) {
    const int from = static_cast<int>(std::ranges::find(rows_, name, &HostRow::name) - rows_.begin());
    const int to = from + by;
    // This machine stays the first.
    if (from < 1 || from >= rows_.size() || to < 1 || to >= rows_.size())
        return;
    rows_.move(from, to);
    std::vector<std::string> names;
    for (const HostRow& row : std::as_const(rows_))
        if (!row.local)
            names.push_back(row.known.name);
    change([names](HostSource& source) { source.set_order(names); });
    emit loaded();
}

void HostList::save(const remote::StoredHost& host, const QString& before) {
    change([host, before = before.toStdString()](HostSource& source) { source.save(host, before); },
           [this] { load(); });
}

void HostList::forget(const QString& name) {
    cancel(name);
    change([host = name.toStdString()](HostSource& source) { source.forget(host); }, [this] { load(); });
}

void HostList::setRuns(const QHash<QString, QStringList>& runsByHost) {
    if (runsByHost == runs_)
        return;
    runs_ = runsByHost;
    for (HostRow& row : rows_) {
        const QStringList runs = runs_.value(row.local ? RunScanner::thisMachine() : row.name());
        if (runs != row.runs) {
            row.runs = runs;
            emit rowChanged(row.name());
        }
    }
}

}  // namespace trainyard::desktop
