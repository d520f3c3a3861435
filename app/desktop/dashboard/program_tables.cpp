// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/program_tables.h"

#include <algorithm>

#include "base/clock.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {
constexpr double kLookEvery = 1;             // seconds
constexpr std::size_t kMostTables = 64;      // files that are read
constexpr std::size_t kMostFilesSeen = 512;  // files that are looked at
}  // namespace

std::string ProgramTables::nameFor(const std::string& tag, const std::string& owner) {
    const auto [known, is_new] = owners_.try_emplace(tag, owner);
    if (is_new || known->second == owner)
        return tag;
    std::string other = tag + " (" + (owner.empty() ? std::string("TensorBoard") : owner) + ")";
    owners_.try_emplace(other, owner);
    return other;
}

void ProgramTables::claim(CurveBatch& batch, std::size_t first_change) {
    for (std::size_t i = first_change; i < batch.changes.size(); ++i)
        if (batch.changes[i].kind == CurveChange::Kind::Points)
            batch.changes[i].tag = nameFor(batch.changes[i].tag, {});
}

void ProgramTables::look() {
    const double now = monotonic_seconds();
    if (now < next_look_)
        return;
    next_look_ = now + kLookEvery;
    std::error_code error;
    fs::directory_iterator entry(folder_, error), end;
    for (std::size_t entries = 0; !error && entry != end && entries < kMostFilesSeen && tables_.size() < kMostTables;
         entry.increment(error), ++entries) {
        const std::string name = entry->path().filename().string();
        std::error_code gone;
        const std::optional<LogKind> kind = kind_of_log_file(name);
        if (!kind || std::ranges::find(tables_, name, &Table::name) != tables_.end() ||
            !fs::is_regular_file(entry->path(), gone))
            continue;
        // The first lines say what a table is; a file that grows is looked at again.
        const std::uint64_t size = fs::file_size(entry->path(), gone);
        if (gone || std::exchange(sizes_[name], size) == size)
            continue;
        if (looks_like_metrics(entry->path(), *kind))
            tables_.push_back({name, make_tail(entry->path(), *kind)});
    }
}

bool ProgramTables::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    look();
    bool all = true;
    for (Table& table : tables_) {
        CurveBatch part;
        all = table.tail->poll(part, limit_bytes) && all;
        for (TagInfo& info : part.tags) {
            info.tag = nameFor(info.tag, table.name);
            batch.tags.push_back(std::move(info));
        }
        for (CurveChange& change : part.changes) {
            replaced_ = replaced_ || change.kind == CurveChange::Kind::Reset;
            // A restart that a table names would cut the curves of other files, too.
            if (change.kind != CurveChange::Kind::Points && change.kind != CurveChange::Kind::Media)
                continue;
            change.tag = nameFor(change.tag, table.name);
            batch.changes.push_back(std::move(change));
        }
        if (part.parameters && !batch.parameters)
            batch.parameters = std::move(part.parameters);
    }
    return all;
}

std::vector<Message> ProgramTables::problems() const {
    std::vector<Message> found;
    for (const Table& table : tables_)
        std::ranges::copy(table.tail->problems(), std::back_inserter(found));
    return found;
}

}  // namespace trainyard::desktop
