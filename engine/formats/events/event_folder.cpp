// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/event_folder.h"

#include <set>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::events {

EventFolder::EventFolder(std::filesystem::path folder, const std::string& prefix)
    : EventFolder(std::move(folder), [prefix](const std::string& name) {
          return name.starts_with(prefix) ? std::optional<std::string>("") : std::nullopt;
      }) {}

std::error_code EventFolder::find_files_in(const std::string& inside) {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_ / inside, error), end;
    const std::error_code opened = error;
    for (; !error && entry != end; entry.increment(error)) {
        std::string name = entry->path().filename().string();
        std::error_code gone;
        if (depth_ == Depth::folders && inside.empty() && !name.starts_with('.') && entry->is_directory(gone) &&
            !entry->is_symlink(gone)) {
            find_files_in(name);
            continue;
        }
        if (!inside.empty())
            name = inside + "/" + name;
        if (files_.contains(name))
            continue;
        if (auto group = group_of_(name))
            files_.emplace(name, File{EventFileReader(entry->path()), *group});
    }
    return opened;
}

void EventFolder::find_files() {
    const std::error_code error = find_files_in({});
    const bool missing = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    problem_ = {};
    if (missing && was_there_)
        problem_ = Message("{} was deleted: the data read so far stays visible", folder_.string());
    else if (error && !missing)
        problem_ = Message("cannot read {}: {}", folder_.string(), error.message());
    was_there_ = was_there_ || !error;
}

int EventFolder::number_of(Group& group, const std::string& name, std::string_view tag) {
    const auto place = static_cast<std::size_t>(group.tags.number(tag));
    if (place == group.numbers.size()) {
        group.numbers.push_back(tags());
        names_.push_back({std::string(tag), name});
    }
    return group.numbers[place];
}

bool EventFolder::poll(EventListener& listener, std::uint64_t limit_bytes) {
    find_files();
    bool all = true;
    std::set<std::string> waiting;  // groups whose earlier file has more data
    for (auto& [name, file] : files_) {
        if (waiting.contains(file.group))
            continue;
        const int beginnings = file.reader.beginnings();
        Group& group = groups_[file.group];
        const bool more = file.reader.poll(
            [&](const EventRecord& record, std::string_view payload, std::uint64_t at) {
                if (record.restart)
                    listener.restart(file.group, record.step);
                for (const auto& [tag, value] : record.scalars)
                    listener.scalar(number_of(group, file.group, tag), record.step, record.wall_time, value);
                if (!record.media.empty() || !record.notes.empty() || !record.parameters.empty())
                    listener.record(file.group, record, payload, file.reader.path(), at);
            },
            limit_bytes);
        if (beginnings > 0 && file.reader.beginnings() > beginnings) {
            files_.clear();
            listener.reset();
            return false;
        }
        if (more) {
            waiting.insert(file.group);
            all = false;
        }
    }
    return all;
}

std::vector<Message> EventFolder::problems() const {
    std::vector<Message> found;
    if (!problem_.empty())
        found.push_back(problem_);
    for (const auto& [name, file] : files_) {
        if (!file.reader.problem().empty())
            found.push_back(file.reader.problem());
        else if (file.reader.is_missing() && problem_.empty())
            found.push_back(Message("{} was deleted: the data read so far stays visible", file.reader.path().string()));
    }
    return found;
}

std::uint64_t EventFolder::skipped() const {
    std::uint64_t count = 0;
    for (const auto& [name, file] : files_)
        count += file.reader.skipped();
    return count;
}

}  // namespace trainyard::events
