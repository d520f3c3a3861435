// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The event files of one folder as batches: all files whose name holds "tfevents" as one, but for those of a run's ranks and hosts
// (formats/events/event_layout.h), whose tags become `<tag>#<rank>` and `<tag>@<host>`. For reading threads.

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/message.h"
#include "desktop/sources/hparams_folders.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/sources/point_collector.h"
#include "formats/events/event_folder.h"

namespace trainyard::desktop {

class EventTail : public MetricsTail, private events::EventListener {
  public:
    static constexpr std::size_t kLongestText = 64 * 1024;  // bytes that are kept

    /// Depth::folders for metrics/ of a run. In a tree of logs each folder is a source of its own.
    explicit EventTail(std::filesystem::path folder,
                       events::EventFolder::Depth depth = events::EventFolder::Depth::files);

    /// Some `limit_bytes` of each file.
    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override;
    std::vector<Message> problems() const override { return files_.problems(); }
    std::uint64_t skipped() const { return files_.skipped(); }

    /// Whether a file of that name is taken, and its group.
    static std::optional<std::string> group_of(const std::string& name);

  private:
    void scalar(int tag, std::int64_t step, double wall_time, double value) override;
    void record(const std::string& group, const events::EventRecord& record, std::string_view payload,
                const std::filesystem::path& file, std::uint64_t at) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;

    void flush();
    ParameterWords allParameters() const;
    std::string mediaTag(std::string tag, TagKind kind);
    void addMedia(const std::string& tag, std::shared_ptr<const MediaPoint> point);
    void note(const std::string& tag, std::string_view description);

    events::EventFolder files_;
    PointCollector points_;
    CurveBatch* batch_ = nullptr;                         ///< of the poll under way
    std::unordered_map<std::string, TagInfo> infos_;      ///< tags of media, and of curves with a description
    std::unordered_map<std::string, std::size_t> media_;  ///< tag -> its change in the batch
    ParameterWords parameters_;
    std::unique_ptr<HparamsFolders> hparams_;  ///< of a folder whose subfolders are sources of their own
};

}  // namespace trainyard::desktop
