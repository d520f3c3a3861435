#pragma once
// The event files of a run, followed in the order of their names: a later file is read when the earlier one has nothing more, so
// that its restart record cuts what is already there. Rank r's system metrics get the tag `<tag>#<r>`.
// Runs in the reading thread.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "desktop/dashboard/run_batch.h"
#include "io/event_file.h"

namespace trainyard::desktop {

class MetricsTail {
  public:
    explicit MetricsTail(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Appends what is new to `changes`; at most `limit_bytes` of each file. False: there is more, call again at once.
    bool poll(std::vector<CurveChange>& changes, std::uint64_t limit_bytes);
    std::vector<std::string> problems() const;

  private:
    struct File {
        io::EventFileReader reader;
        std::string group;   ///< files of one group follow each other
        std::string suffix;  ///< of their tags
    };
    void findFiles();
    bool pollFile(File& file, std::vector<CurveChange>& changes, std::uint64_t limit_bytes, bool& replaced);

    std::filesystem::path folder_;
    std::map<std::string, File> files_;
};

}  // namespace trainyard::desktop
