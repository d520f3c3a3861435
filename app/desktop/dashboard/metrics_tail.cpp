#include "desktop/dashboard/metrics_tail.h"

#include <set>
#include <unordered_map>

namespace trainyard::desktop {

namespace {

constexpr std::string_view kTraining = "events.out.tfevents";
constexpr std::string_view kSystem = "system-";

/// `system-00003.events...` -> 3; -1 for another name.
int rank_of(const std::string& name) {
    if (!name.starts_with(kSystem) || name.find(kTraining) == std::string::npos)
        return -1;
    int rank = 0;
    std::size_t at = kSystem.size();
    for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && rank < 100000; ++at)
        rank = rank * 10 + (name[at] - '0');
    return at > kSystem.size() ? rank : -1;
}

}  // namespace

void MetricsTail::findFiles() {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (files_.contains(name))
            continue;
        if (name.starts_with(kTraining)) {
            files_.emplace(name, File{io::EventFileReader(entry->path()), {}, {}});
        } else if (const int rank = rank_of(name); rank >= 0) {
            const std::string suffix = "#" + std::to_string(rank);
            files_.emplace(name, File{io::EventFileReader(entry->path()), suffix, suffix});
        }
    }
}

bool MetricsTail::pollFile(File& file, std::vector<CurveChange>& changes, std::uint64_t limit_bytes, bool& replaced) {
    const int beginnings = file.reader.beginnings();
    const std::vector<io::Scalar> scalars = file.reader.poll(limit_bytes);
    replaced = beginnings > 0 && file.reader.beginnings() > beginnings;
    if (replaced)
        return true;
    // One change a tag between restarts: a step has five scalars, and a batch thousands of steps.
    std::unordered_map<std::string, std::size_t> places;
    auto restart = file.reader.restarts().begin();
    for (std::size_t i = 0; i <= scalars.size(); ++i) {
        for (; restart != file.reader.restarts().end() && restart->scalars_before == i; ++restart) {
            places.clear();
            changes.push_back({CurveChange::Kind::Restart, file.suffix, restart->step, {}});
        }
        if (i == scalars.size())
            break;
        const auto [place, added] = places.try_emplace(scalars[i].tag, changes.size());
        if (added)
            changes.push_back({CurveChange::Kind::Points, scalars[i].tag + file.suffix, 0, {}});
        changes[place->second].points.push_back({scalars[i].step, scalars[i].wall_time, scalars[i].value});
    }
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file.reader.path(), error);
    return error || scalars.empty() || !file.reader.problem().empty() || file.reader.position() >= size;
}

bool MetricsTail::poll(std::vector<CurveChange>& changes, std::uint64_t limit_bytes) {
    findFiles();
    bool all = true;
    std::set<std::string> waiting;
    for (auto& [name, file] : files_) {
        if (waiting.contains(file.group))
            continue;
        bool replaced = false;
        if (!pollFile(file, changes, limit_bytes, replaced)) {
            waiting.insert(file.group);
            all = false;
        }
        if (replaced) {
            // Which points came from the file that was there before is not known: everything is read again.
            changes.assign(1, {CurveChange::Kind::Reset, {}, 0, {}});
            files_.clear();
            return false;
        }
    }
    return all;
}

std::vector<std::string> MetricsTail::problems() const {
    std::vector<std::string> found;
    for (const auto& [name, file] : files_)
        if (!file.reader.problem().empty())
            found.push_back(file.reader.problem());
    return found;
}

}  // namespace trainyard::desktop
