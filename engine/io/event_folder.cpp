#include "io/event_folder.h"

#include <set>

namespace trainyard::io {

EventFolder::EventFolder(std::filesystem::path folder, const std::string& prefix)
    : EventFolder(std::move(folder), [prefix](const std::string& name) {
          return name.starts_with(prefix) ? std::optional<std::string>("") : std::nullopt;
      }) {}

void EventFolder::find_files() {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_, error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (files_.contains(name))
            continue;
        if (auto group = group_of_(name))
            files_.emplace(name, File{EventFileReader(entry->path()), *group});
    }
}

bool EventFolder::has_more(const File& file, bool read_something) {
    if (!read_something || !file.reader.problem().empty())
        return false;
    std::error_code error;
    std::uint64_t size = std::filesystem::file_size(file.reader.path(), error);
    return !error && file.reader.position() < size;
}

bool EventFolder::poll(EventListener& listener, std::uint64_t limit_bytes) {
    find_files();
    bool all = true;
    std::set<std::string> waiting;  // groups whose earlier file has more
    for (auto& [name, file] : files_) {
        if (waiting.contains(file.group))
            continue;
        int beginnings = file.reader.beginnings();
        std::vector<Scalar> scalars = file.reader.poll(limit_bytes);
        if (beginnings > 0 && file.reader.beginnings() > beginnings) {
            files_.clear();
            listener.reset();
            return false;
        }
        auto restart = file.reader.restarts().begin();
        for (std::size_t i = 0; i <= scalars.size(); ++i) {
            for (; restart != file.reader.restarts().end() && restart->scalars_before == i; ++restart)
                listener.restart(file.group, restart->step);
            if (i < scalars.size())
                listener.scalar(file.group, scalars[i]);
        }
        if (has_more(file, !scalars.empty())) {
            waiting.insert(file.group);
            all = false;
        }
    }
    return all;
}

std::vector<std::string> EventFolder::problems() const {
    std::vector<std::string> found;
    for (const auto& [name, file] : files_)
        if (!file.reader.problem().empty())
            found.push_back(file.reader.problem());
    return found;
}

}  // namespace trainyard::io
