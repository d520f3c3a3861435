// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "observe/track/builtin.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

namespace {

struct Registry {
    std::mutex mutex;
#define TRAINYARD_TRACKER_KIND(NAME) NAME##_kind(),
    std::vector<TrackerKind> kinds = {TRAINYARD_TRACKERS(TRAINYARD_TRACKER_KIND)};
#undef TRAINYARD_TRACKER_KIND
};

Registry& registry() {
    static Registry all;
    return all;
}

std::optional<TrackerKind> find_kind(const std::string& name) {
    std::lock_guard lock(registry().mutex);
    for (const TrackerKind& kind : registry().kinds)
        if (kind.name == name)
            return kind;
    return std::nullopt;
}

std::vector<std::string> known_names() {
    std::lock_guard lock(registry().mutex);
    std::vector<std::string> names;
    for (const TrackerKind& kind : registry().kinds)
        names.push_back(kind.name);
    return names;
}

Message unknown(const std::string& name) {
    std::vector<std::string> names = known_names();
    names.emplace_back("all");
    return Message("unknown tracker '{}'{}", name, text::did_you_mean(name, names));
}

}  // namespace

void Tracker::log_images(const PictureRecord&, const Value&) {
    throw UserError("the tracker '{}' keeps no pictures: log them with tensorboard", name());
}

void Tracker::log_table(const TableRecord&, const Value&) {
    throw UserError("the tracker '{}' keeps no tables: log them with mlflow or wandb", name());
}

void Tracker::log_artifact(const ArtifactRecord&, const Value&) {
    throw UserError("the tracker '{}' keeps no artifacts: log them with mlflow", name());
}

bool register_tracker(TrackerKind kind) {
    if (kind.name.empty())
        throw UserError("a tracker was registered without a name: set TrackerKind::name");
    for (const auto& [is_there, part] : {std::pair{static_cast<bool>(kind.make), "make"},
                                         {static_cast<bool>(kind.available), "available"},
                                         {static_cast<bool>(kind.for_all), "for_all"}})
        if (!is_there)
            throw UserError("the tracker '{}' was registered without its function {}: set it in TrackerKind", kind.name,
                            part);
    std::lock_guard lock(registry().mutex);
    for (TrackerKind& known : registry().kinds)
        if (known.name == kind.name) {
            known = std::move(kind);
            return true;
        }
    registry().kinds.push_back(std::move(kind));
    return false;
}

std::vector<std::string> available_trackers() {
    std::vector<std::string> names;
    for (const std::string& name : known_names())
        if (const auto kind = find_kind(name); kind && kind->available() && kind->for_all())
            names.push_back(name);
    return names;
}

TrackerKind tracker_kind(const std::string& name) {
    if (std::optional<TrackerKind> kind = find_kind(name))
        return *kind;
    throw UserError(unknown(name));
}

std::vector<TrackerChoice> filter_trackers(const std::vector<TrackerChoice>& wanted,
                                           const std::filesystem::path& logging_dir) {
    std::vector<TrackerChoice> chosen;
    std::vector<Message> problems;
    auto own = [](const TrackerChoice& choice) { return std::holds_alternative<std::shared_ptr<Tracker>>(choice); };
    const bool all = std::find(wanted.begin(), wanted.end(), TrackerChoice(std::string("all"))) != wanted.end();
    auto add = [&](const std::string& name) {
        if (std::find(chosen.begin(), chosen.end(), TrackerChoice(name)) != chosen.end())
            return;
        const std::optional<TrackerKind> kind = find_kind(name);
        if (!kind) {
            problems.push_back(unknown(name));
        } else if (kind->available()) {
            if (kind->requires_logging_directory && logging_dir.empty())
                problems.push_back(Message("the tracker '{}' needs a logging directory: give one", name));
            chosen.emplace_back(name);
        }
    };
    for (const TrackerChoice& choice : wanted)
        if (own(choice)) {
            const std::shared_ptr<Tracker>& tracker = std::get<std::shared_ptr<Tracker>>(choice);
            if (tracker == nullptr)
                problems.push_back("a tracker of the program is a null pointer: give an instance");
            else if (tracker->name().empty())
                problems.push_back("a tracker of the program has no name: return one from Tracker::name()");
            else if (std::find(chosen.begin(), chosen.end(), choice) == chosen.end())
                chosen.push_back(choice);
        } else if (!all) {
            add(std::get<std::string>(choice));
        }
    if (all)
        for (const std::string& name : available_trackers())
            add(name);
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
    return chosen;
}

}  // namespace trainyard::track
