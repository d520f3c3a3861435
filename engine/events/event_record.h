#pragma once
// The payload of one record of an event file: an Event message.
// Fields: tensorboard/compat/proto/{event,summary,tensor,types}.proto, tensorboard/plugins/hparams/plugin_data.proto. Histograms and pictures are read
// as summaries of their own (PyTorch, TensorFlow 1) and as tensors (TensorFlow 2, Keras).

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "events/event_summary.h"

namespace trainyard::events {

/// An encoded picture, where it lies.
struct EncodedImage {
    std::string_view bytes;
    int width = 0, height = 0;
};

/// A value that is no scalar. Views point into the payload.
struct MediaValue {
    std::string_view tag;
    int sample = 0;                                            ///< number of the picture, of several that came together
    std::variant<Histogram, EncodedImage, std::string> value;  ///< the last: text
};

/// What a writer says about a tag.
struct TagNote {
    std::string_view tag, plugin, description;
};

/// Plugins of tags that hold tensors: a writer need name them only with the first value of a tag.
class PluginMemory {
  public:
    std::string_view recall(std::string_view tag, std::string_view plugin);

  private:
    std::unordered_map<std::string, std::string> plugins_;
};

/// Views point into the payload that was decoded last. Used again for the next payload, it keeps its memory.
struct EventRecord {
    std::int64_t step = 0;
    double wall_time = 0;
    std::string_view file_version;  ///< of the first record; empty otherwise
    bool restart = false;           ///< the run began again at `step`: what was there is overtaken
    std::vector<std::pair<std::string_view, double>> scalars;  ///< tag, value
    std::vector<MediaValue> media;
    std::vector<TagNote> notes;        ///< of values that carry a description
    HyperParameters parameters;        ///< of a session's start
    std::vector<std::string> metrics;  ///< tags that the experiment's plugin names as its metrics
    std::size_t skipped = 0;  ///< values of other kinds (sounds, graphs, meshes, tensors of several numbers, ...)
};

/// False when the payload is no Event; `record` is then unspecified. Unknown fields are skipped.
bool decode_event(std::string_view payload, EventRecord& record, PluginMemory* memory = nullptr);

/// Limits between buckets and counts within them, without the empty buckets at both ends: limits has one more, and ascends.
struct Buckets {
    std::vector<double> limits, counts;
};
Buckets buckets_of(const Histogram& histogram);

std::string encode_version(double wall_time);
std::string encode_scalars(std::int64_t step, double wall_time,
                           const std::vector<std::pair<std::string, double>>& scalars);
/// As SummaryWriter.add_text of PyTorch writes it: `<tag>/text_summary`, plugin `text`.
std::string encode_text(std::int64_t step, double wall_time, std::string_view tag, std::string_view text);
std::string encode_restart(std::int64_t step, double wall_time);

}  // namespace trainyard::events
