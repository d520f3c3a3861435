// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The payload of one record of an event file: an Event message. Fields:
// tensorboard/compat/proto/{event,summary,tensor,types}.proto, tensorboard/plugins/hparams/plugin_data.proto.
// Histograms and images are read both as summaries (PyTorch, TensorFlow 1) and as tensors (TensorFlow 2, Keras).

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "formats/events/event_summary.h"

namespace trainyard::events {

/// An encoded image, as a view.
struct EncodedImage {
    std::string_view bytes;
    int width = 0, height = 0;
};

/// A value other than a scalar. Views point into the payload.
struct MediaValue {
    std::string_view tag;
    int sample = 0;  ///< index of the image if there are several with this tag and step
    std::variant<Histogram, EncodedImage, std::string> value;  ///< std::string: text
};

/// Metadata of a tag.
struct TagNote {
    std::string_view tag, plugin, description;
};

/// The plugins of tags that hold tensors. Needed because a writer may name the plugin only with the first value of a
/// tag.
class PluginMemory {
  public:
    std::string_view recall(std::string_view tag, std::string_view plugin);

  private:
    std::unordered_map<std::string, std::string> plugins_;
};

/// Views point into the payload that was decoded last. Reuse the object for the next payload: it keeps its allocations.
struct EventRecord {
    std::int64_t step = 0;
    double wall_time = 0;
    std::string_view file_version;  ///< of the first record, else empty
    bool restart = false;           ///< the run resumed at `step`: later points of earlier files are invalid
    std::vector<std::pair<std::string_view, double>> scalars;  ///< tag, value
    std::vector<MediaValue> media;
    std::vector<TagNote> notes;        ///< of values with a description
    HyperParameters parameters;        ///< of a session start
    std::vector<std::string> metrics;  ///< tags that the experiment's plugin data lists as metrics
    std::size_t skipped = 0;  ///< values of other kinds (audio, graphs, meshes, tensors with several numbers, ...)
};

/// False if the payload is not an Event; `record` is then unspecified. Unknown fields are skipped.
bool decode_event(std::string_view payload, EventRecord& record, PluginMemory* memory = nullptr);

/// Bucket limits and counts, without empty buckets at both ends. `limits` has one more element than `counts` and
/// ascends.
struct Buckets {
    std::vector<double> limits, counts;
};
Buckets buckets_of(const Histogram& histogram);

std::string encode_version(double wall_time);
std::string encode_scalars(std::int64_t step, double wall_time,
                           const std::vector<std::pair<std::string, double>>& scalars);
/// As PyTorch's SummaryWriter.add_text: tag `<tag>/text_summary`, plugin `text`.
std::string encode_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text);
std::string encode_restart(std::int64_t step, double wall_time);

}  // namespace trainyard::events
