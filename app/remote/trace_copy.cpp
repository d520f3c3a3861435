#include "remote/trace_copy.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "traces/rank_set.h"

namespace trainyard::remote {

namespace {

constexpr int kDeepestTraces = 2;             ///< folders below `traces`, as traces::profiles_in looks
constexpr std::size_t kMostListed = 100'000;  ///< files

class TraceListing {
  public:
    explicit TraceListing(Sftp& sftp) : sftp_(sftp) {}

    void look(const std::string& folder, int depth) {
        for (const RemoteFile& file : sftp_.list(folder)) {
            if (files.size() >= kMostListed)
                return;
            const std::string path = folder + "/" + file.name.text();
            // A link has no kind of its own in a listing: what it leads to has.
            const auto behind = (file.mode & 0170000) == 0120000 ? sftp_.find(path) : std::optional(file);
            if (!behind)
                continue;
            if (behind->is_folder()) {
                if (depth > 0)
                    look(path, depth - 1);
            } else if (traces::looks_like_trace(file.name.text())) {
                sizes[path] = behind->size;
                files.push_back({path, behind->modified});
            }
        }
    }

    std::map<std::string, std::uint64_t> sizes;
    std::vector<traces::ListedTrace> files;

  private:
    Sftp& sftp_;
};

}  // namespace

std::vector<std::filesystem::path> copy_traces(Session& session, const std::string& place,
                                               const std::filesystem::path& to,
                                               const std::function<bool(const TraceCopyProgress&)>& on_progress) {
    Sftp sftp = session.sftp();
    const std::string path = sftp.real_path(place.empty() ? "." : place);
    const auto found = sftp.find(path);
    if (!found)
        throw UserError(fmt::format("{}: it is not there", text::printable(place)));
    TraceListing listing(sftp);
    std::vector<std::filesystem::path> chosen;
    if (found->is_folder()) {
        listing.look(path, 0);
        if (const auto inside = sftp.find(path + "/traces"); inside && inside->is_folder())
            listing.look(path + "/traces", kDeepestTraces);
        auto profiles = traces::profiles_of(listing.files);
        if (profiles.empty())
            throw UserError(fmt::format("{}: there is no trace in it or in its folder traces", text::printable(place)));
        chosen = std::move(profiles.front());
    } else {
        listing.look(std::filesystem::path(path).parent_path().string(), 0);
        listing.sizes[path] = found->size;
        chosen = {path};
        for (auto& profile : traces::profiles_of(listing.files))
            if (std::find(profile.begin(), profile.end(), std::filesystem::path(path)) != profile.end())
                chosen = std::move(profile);
    }
    TraceCopyProgress progress;
    progress.files = static_cast<int>(chosen.size());
    for (const std::filesystem::path& file : chosen)
        progress.total += listing.sizes[file.string()];
    std::vector<std::filesystem::path> brought;
    std::uint64_t before = 0;
    for (const std::filesystem::path& file : chosen) {
        ++progress.file;
        // The last part of what the host's listing told: FarName has checked it, or it is what the caller asked for.
        const std::filesystem::path here = to / file.filename();
        TransferOptions options;
        options.durable = false;
        options.on_progress = [&](const TransferProgress& one) {
            progress.done = before + one.done;
            return !on_progress || on_progress(progress);
        };
        sftp.download(file.string(), here, options);
        before += listing.sizes[file.string()];
        brought.push_back(here);
    }
    return brought;
}

}  // namespace trainyard::remote
