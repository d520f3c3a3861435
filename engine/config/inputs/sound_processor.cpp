// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/sound_processor.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/image_processor.h"
#include "formats/tables/sound.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"

namespace trainyard::inputs {

namespace {

constexpr double kMostSoundRate = 1e7;
constexpr std::uint64_t kMostBytesOfSoundProcessor = 1u << 20;

class SoundProcessorReader {
  public:
    SoundProcessorReader(const nlohmann::json& object, const std::string& where) : object_(object), where_(where) {}

    SoundProcessor read() {
        SoundProcessor made;
        made.return_attention_mask = false;  // transformers' default
        take("do_normalize", made.do_normalize);
        take("return_attention_mask", made.return_attention_mask);
        if (const auto rate = object_.find("sampling_rate"); rate != object_.end() && !rate->is_null()) {
            if (rate->is_number_integer() && rate->get<double>() >= 1 && rate->get<double>() <= kMostSoundRate)
                made.sampling_rate = rate->get<std::int64_t>();
            else
                fail("sampling_rate", "must be a whole number of samples a second");
        }
        only("feature_size", 1);
        only("padding_value", 0);
        only("padding_side", "right");
        static const std::set<std::string> known{"do_normalize",    "return_attention_mask",  "sampling_rate",
                                                 "feature_size",    "padding_value",          "padding_side",
                                                 "processor_class", "feature_extractor_type", "transformers_version"};
        for (const auto& [key, value] : object_.items())
            if (!known.contains(key) && !value.is_null() && value != false)
                fail(key, Message("this version does not know what {} does with recordings: remove it if it changes "
                                  "nothing of them",
                                  key));
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return made;
    }

  private:
    void fail(const std::string& key, Message message) { problems_.push_back({where_, 0, 0, key, std::move(message)}); }
    void take(const char* key, bool& target) {
        const auto found = object_.find(key);
        if (found == object_.end() || found->is_null())
            return;
        if (!found->is_boolean())
            return fail(key, "must be true or false");
        target = found->get<bool>();
    }
    void only(const char* key, const nlohmann::json& value) {
        const auto found = object_.find(key);
        if (found != object_.end() && !found->is_null() && *found != value)
            fail(key, Message("is {}, and this version has {} alone", json_text(*found), json_text(value)));
    }

    const nlohmann::json& object_;
    const std::string& where_;
    std::vector<Problem> problems_;
};

}  // namespace

SoundProcessor read_sound_processor(const std::string& text, const std::string& where) {
    const nlohmann::json object = read_json(text);
    if (!object.is_object())
        throw UserError("{} does not describe recordings: it is not a JSON object", where);
    return SoundProcessorReader(object, where).read();
}

std::string write_sound_processor(const SoundProcessor& processor) {
    return json_text(nlohmann::ordered_json{{"feature_extractor_type", "Wav2Vec2FeatureExtractor"},
                                            {"do_normalize", processor.do_normalize},
                                            {"feature_size", 1},
                                            {"padding_side", "right"},
                                            {"padding_value", 0.0},
                                            {"return_attention_mask", processor.return_attention_mask},
                                            {"sampling_rate", processor.sampling_rate}},
                     {.indent = 2}) +
           "\n";
}

SoundProcessor sound_processor_of(const config::Recipe& recipe) {
    SoundProcessor made;
    // Padding changes a norm over time, so models with one were not trained with a mask.
    made.return_attention_mask = recipe.model.feat_extract_norm == "layer";
    if (const std::filesystem::path file = image_processor_file(recipe); !file.empty())
        made = read_sound_processor(text::read_text_file(file, kMostBytesOfSoundProcessor), file.string());
    if (recipe.data.sampling_rate > 0)
        made.sampling_rate = recipe.data.sampling_rate;
    return made;
}

std::int64_t most_samples(const config::Recipe& recipe, const SoundProcessor& processor) {
    return std::llround(recipe.data.max_duration_in_seconds * static_cast<double>(processor.sampling_rate));
}

Recordings find_recordings(const config::Recipe& recipe, const SoundProcessor& processor, std::size_t most_files) {
    const std::int64_t most = most_samples(recipe, processor),
                       least = families::samples_of_frames(recipe.model, families::least_speech_frames(recipe.model));
    const auto shortest = std::max<std::int64_t>(
        least, std::llround(recipe.data.min_duration_in_seconds * static_cast<double>(processor.sampling_rate)));
    const auto seconds = [&](std::int64_t samples) {
        return static_cast<double>(samples) / static_cast<double>(processor.sampling_rate);
    };
    if (most < least)
        throw UserError(
            "data.max_duration_in_seconds is {}, and the model makes {} frames, which a mask takes, of {:.3f} seconds "
            "at least: give more",
            recipe.data.max_duration_in_seconds, families::least_speech_frames(recipe.model), seconds(least));
    Recordings made;
    const std::vector<std::filesystem::path> files = formats::sound_files(corpus_files(recipe.data));
    for (std::size_t i = 0; i < std::min(most_files, files.size()); ++i) {
        const formats::SoundInfo info = formats::read_sound_info(files[i]);
        if (info.rate != processor.sampling_rate)
            throw UserError(
                "{} has {} samples a second, and the model takes {}: convert it to that rate, or set "
                "data.sampling_rate "
                "for a model that starts from random weights",
                files[i].string(), info.rate, processor.sampling_rate);
        if (info.samples < shortest)
            ++made.too_short;
        else
            made.used.push_back({files[i], std::min(info.samples, most)});
    }
    if (made.used.empty() && made.too_short > 0)
        throw UserError(
            "all {} recordings are shorter than {:.3f} seconds, which model.mask_time_length and "
            "data.min_duration_in_seconds ask for: give longer ones, or less there",
            made.too_short, seconds(shortest));
    return made;
}

}  // namespace trainyard::inputs
