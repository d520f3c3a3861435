#pragma once
// The payload of one record of an event file: an Event message.
// Fields: tensorboard/compat/proto/{event,summary,tensor,types}.proto.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::io {

struct EventRecord {
    std::int64_t step = 0;
    double wall_time = 0;
    std::string file_version;  ///< of the first record; empty otherwise
    bool restart = false;      ///< the run began again at `step`: what was there is overtaken
    std::vector<std::pair<std::string, double>> scalars;     ///< tag, value
    std::vector<std::pair<std::string, std::string>> texts;  ///< tag, text
    std::size_t skipped = 0;                                 ///< values of other kinds (images, histograms, ...)
};

/// False when the payload is no Event; `record` is then unspecified. Unknown fields are skipped.
bool decode_event(std::string_view payload, EventRecord& record);

std::string encode_version(double wall_time);
std::string encode_scalars(std::int64_t step, double wall_time,
                           const std::vector<std::pair<std::string, double>>& scalars);
/// As SummaryWriter.add_text of PyTorch writes it: `<tag>/text_summary`, plugin `text`.
std::string encode_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text);
std::string encode_restart(std::int64_t step, double wall_time);

}  // namespace trainyard::io
