#include "io/scalar_folder.h"

#include <algorithm>

namespace trainyard::io {

void ScalarFolder::find_files() {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder_, error), end;
    for (; !error && entry != end; entry.increment(error))
        if (entry->path().filename().string().starts_with(prefix_))
            files_.try_emplace(entry->path(), entry->path());
}

void ScalarFolder::drop_from(std::int64_t step) {
    for (auto& [tag, points] : curves_)
        std::erase_if(points, [&](const CurvePoint& point) { return point.step >= step; });
}

bool ScalarFolder::poll(std::uint64_t limit_bytes) {
    find_files();
    bool changed = false;
    for (auto& [path, reader] : files_) {
        int beginnings = reader.beginnings();
        std::vector<Scalar> scalars = reader.poll(limit_bytes);
        if (beginnings > 0 && reader.beginnings() > beginnings) {
            // A file was replaced, and which points came from it is not known: everything is read again.
            files_.clear();
            curves_.clear();
            poll(limit_bytes);
            return true;
        }
        auto restart = reader.restarts().begin();
        for (std::size_t i = 0; i <= scalars.size(); ++i) {
            for (; restart != reader.restarts().end() && restart->scalars_before == i; ++restart) {
                drop_from(restart->step);
                changed = true;
            }
            if (i < scalars.size())
                curves_[scalars[i].tag].push_back({scalars[i].step, scalars[i].wall_time, scalars[i].value});
        }
        changed = changed || !scalars.empty();
    }
    return changed;
}

std::vector<std::string> ScalarFolder::problems() const {
    std::vector<std::string> found;
    for (const auto& [path, reader] : files_)
        if (!reader.problem().empty())
            found.push_back(reader.problem());
    return found;
}

}  // namespace trainyard::io
