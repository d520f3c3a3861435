// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/image_processor.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"
#include "formats/weights/timm_names.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr const char* kProcessorFile = "preprocessor_config.json";
constexpr std::size_t kMostBytesOfProcessor = 1u << 20;
constexpr std::int64_t kLargestEdge = 1 << 14;

/// Defaults of a class of transformers, for keys that its file lacks.
struct ProcessorClass {
    Json defaults;
    bool square = true;           ///< a size of one number is height and width; false: the shortest edge
    bool crops_by_share = false;  ///< ConvNext: below 384 the image is resized to size / crop_pct and cropped
    bool has_masks = false;       ///< do_reduce_labels is a key
};

/// Defaults that all classes have: a size, a filter (Pillow's number), and the numbers that normalise.
Json resized(const Json& size, int resample, const Json& mean, const Json& deviation) {
    return {{"size", size}, {"resample", resample}, {"image_mean", mean}, {"image_std", deviation}};
}

/// The same, and the square in the middle of the result.
Json cropped(const Json& size, const Json& mean, const Json& deviation) {
    constexpr int kBicubic = 3, kEdge = 224;
    Json defaults = resized(size, kBicubic, mean, deviation);
    defaults["do_center_crop"] = true;
    defaults["crop_size"] = {{"height", kEdge}, {"width", kEdge}};
    return defaults;
}

const std::map<std::string, ProcessorClass>& processor_classes() {
    static const std::map<std::string, ProcessorClass> classes = [] {
        const Json half = {0.5, 0.5, 0.5}, clip_mean = {0.48145466, 0.4578275, 0.40821073},
                   clip_deviation = {0.26862954, 0.26130258, 0.27577711}, mean = {0.485, 0.456, 0.406},
                   deviation = {0.229, 0.224, 0.225};
        const Json clip = cropped({{"shortest_edge", 224}}, clip_mean, clip_deviation);
        Json convnext = resized({{"shortest_edge", 384}}, 3, half, half);
        convnext["crop_pct"] = 224.0 / 256;
        return std::map<std::string, ProcessorClass>{
            {"ViT", {resized({{"height", 224}, {"width", 224}}, 2, half, half)}},
            {"DeiT", {cropped({{"height", 256}, {"width", 256}}, half, half)}},
            {"ConvNext", {convnext, false, true}},
            {"Segformer", {resized({{"height", 512}, {"width", 512}}, 2, mean, deviation), true, false, true}},
            {"Bit", {clip, false}},
            {"CLIP", {clip, false}}};
    }();
    return classes;
}

/// Keys about loading and calling, which do not change pixels of images that are RGB or grey already.
const std::set<std::string>& keys_without_effect() {
    static const std::set<std::string> keys{"image_processor_type",
                                            "feature_extractor_type",
                                            "processor_class",
                                            "_processor_class",
                                            "auto_map",
                                            "data_format",
                                            "input_data_format",
                                            "device",
                                            "return_tensors",
                                            "disable_grouping",
                                            "default_to_square",
                                            "do_convert_rgb",
                                            "transformers_version",
                                            "_valid_processor_keys",
                                            "image_processor_class",
                                            "size_divisor"};
    return keys;
}

/// "ViTImageProcessorFast", "ViTFeatureExtractor" -> "ViT".
std::string class_of(const Json& object, const std::string& model_type) {
    for (const char* key : {"image_processor_type", "feature_extractor_type"})
        if (const auto type = object.find(key); type != object.end() && type->is_string()) {
            std::string name = type->get<std::string>();
            for (const std::string_view ending : {"Fast", "Pil", "ImageProcessor", "FeatureExtractor"})
                if (name.ends_with(ending))
                    name.resize(name.size() - ending.size());
            return name;
        }
    return families::family_of(model_type).image_processor();
}

class ProcessorReader {
  public:
    ProcessorReader(const Json& given, const std::string& where, const std::string& name, std::int64_t channels)
        : object_(given), where_(where), class_(processor_classes().at(name)), channels_(channels) {
        for (const auto& [key, value] : class_.defaults.items())
            if (!object_.contains(key) || object_[key].is_null())
                object_[key] = value;
    }

    ImageProcessor read() {
        ImageProcessor made;
        made.from_file = true;
        take("do_resize", made.do_resize);
        take("do_rescale", made.do_rescale);
        take("do_normalize", made.do_normalize);
        if (class_.has_masks) {
            take("reduce_labels", made.reduce_labels);  // the name until version 4.21
            take("do_reduce_labels", made.reduce_labels);
        }
        if (made.do_resize)
            take_size(made);
        bool crops = false;
        take("do_center_crop", crops);
        if (crops)
            take_edges("crop_size", made.crop_height, made.crop_width);
        if (made.do_rescale)
            take_factor(made.rescale_factor);
        if (made.do_normalize) {
            made.image_mean = numbers("image_mean");
            made.image_std = numbers("image_std");
            for (const double each : made.image_std)
                if (!(each > 0))
                    fail("image_std", "must be above 0");
        }
        if (made.do_resize && made.height == 0 && made.crop_height == 0 && problems_.empty())
            fail("size",
                 "has a shortest_edge alone and nothing is cropped, so images of a batch would differ in size: give "
                 "height and width, or do_center_crop with a crop_size");
        refuse_unknown();
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return made;
    }

  private:
    void fail(const std::string& key, Message message) { problems_.push_back({where_, 0, 0, key, std::move(message)}); }

    const Json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }
    void take(const char* key, bool& target) {
        if (const Json* value = find(key)) {
            if (!value->is_boolean())
                return fail(key, "must be true or false");
            target = value->get<bool>();
        }
    }
    void take_factor(double& target) {
        if (const Json* value = find("rescale_factor")) {
            if (!value->is_number() || !(value->get<double>() > 0))
                return fail("rescale_factor", "must be a number above 0");
            target = value->get<double>();
        }
    }
    /// A list with a number for each channel, or one for all.
    std::vector<double> numbers(const char* key) {
        const Json* value = find(key);
        std::vector<double> found;
        if (value != nullptr)
            for (const Json& each : value->is_array() ? *value : Json::array({*value}))
                if (each.is_number() && std::isfinite(each.get<double>()))
                    found.push_back(each.get<double>());
        if (found.size() == 1)
            found.resize(static_cast<std::size_t>(channels_), found.front());
        if (std::cmp_not_equal(found.size(), channels_))
            fail(key, Message("must have {} numbers, one for each channel of the model's images", channels_));
        return found;
    }
    std::int64_t edge(const char* key, const Json& value) {
        if (!value.is_number_integer() || value.get<double>() < 1 || value.get<double>() > kLargestEdge) {
            fail(key, Message("must have whole numbers from 1 to {}", kLargestEdge));
            return 1;
        }
        return value.get<std::int64_t>();
    }
    void take_edges(const char* key, std::int64_t& height, std::int64_t& width) {
        const Json* value = find(key);
        if (value != nullptr && value->is_number()) {
            height = width = edge(key, *value);
        } else if (value != nullptr && value->is_array() && value->size() == 2) {
            height = edge(key, (*value)[0]);
            width = edge(key, (*value)[1]);
        } else if (value != nullptr && value->is_object() && value->contains("height") && value->contains("width")) {
            height = edge(key, value->at("height"));
            width = edge(key, value->at("width"));
        } else {
            fail(key, "must have height and width");
        }
    }
    void take_size(ImageProcessor& made) {
        const Json* size = find("size");
        const int resample = find("resample")->is_number_integer() ? find("resample")->get<int>() : -1;
        if (resample != 0 && resample != 2 && resample != 3)
            fail("resample", Message("is {}, and this version has 0 (nearest), 2 (bilinear) and 3 (bicubic)",
                                     find("resample")->dump()));
        else
            made.resample = static_cast<ImageProcessor::Resample>(resample);
        if (size->is_number() && !class_.square) {
            made.shortest_edge = edge("size", *size);
        } else if (size->is_object() && size->contains("shortest_edge")) {
            if (size->contains("longest_edge"))
                fail("size", "has a longest_edge, which this version does not compute");
            made.shortest_edge = edge("size", size->at("shortest_edge"));
        } else {
            take_edges("size", made.height, made.width);
        }
        if (!class_.crops_by_share)
            return;
        if (made.shortest_edge == 0)
            return fail("size", "must have a shortest_edge");
        constexpr std::int64_t kNotCroppedFrom = 384;
        if (made.shortest_edge >= kNotCroppedFrom) {
            made.height = made.width = std::exchange(made.shortest_edge, 0);
            return;
        }
        const Json* share = find("crop_pct");
        if (!share->is_number() || !(share->get<double>() > 0 && share->get<double>() <= 1))
            return fail("crop_pct", "must be a number above 0 and at most 1");
        made.crop_height = made.crop_width = made.shortest_edge;
        made.shortest_edge = static_cast<std::int64_t>(static_cast<double>(made.shortest_edge) / share->get<double>());
    }
    void refuse_unknown() {
        static const std::set<std::string> known{"do_resize",    "size",       "resample",   "do_center_crop",
                                                 "crop_size",    "do_rescale", "image_mean", "rescale_factor",
                                                 "do_normalize", "image_std",  "crop_pct"};
        for (const auto& [key, value] : object_.items()) {
            const bool asks_for_nothing =
                value.is_null() || value == false || value == 0 || (value.is_structured() && value.empty());
            const bool of_masks = class_.has_masks && (key == "do_reduce_labels" || key == "reduce_labels");
            const bool pads = key == "pad_size" && !object_.value("do_pad", false);
            if (!known.contains(key) && !keys_without_effect().contains(key) && !asks_for_nothing && !pads && !of_masks)
                fail(key, Message("this version does not know what {} does with images: remove it if it "
                                  "changes nothing of them",
                                  key));
        }
    }

    Json object_;
    const std::string& where_;
    const ProcessorClass& class_;
    std::int64_t channels_;
    std::vector<Problem> problems_;
};

/// A checkpoint of the run folder, list of checkpoints or checkpoint that is resumed: the newest with the file.
fs::path file_in_resumed(const fs::path& resumed) {
    std::error_code error;
    if (fs::is_regular_file(resumed / kProcessorFile, error))
        return resumed / kProcessorFile;
    std::pair<long long, fs::path> newest{-1, {}};
    for (const fs::path& folder : {resumed, resumed / "checkpoints"})
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
            const std::string name = entry.path().filename().string();
            constexpr std::string_view kPrefix = "checkpoint_";
            if (name.starts_with(kPrefix) && fs::is_regular_file(entry.path() / kProcessorFile, error))
                newest = std::max(newest, {std::atoll(name.c_str() + kPrefix.size()), entry.path() / kProcessorFile});
        }
    return newest.second;
}

[[noreturn]] void refuse_key(const char* key, Message message) {
    throw InvalidInput({Problem{"", 0, 0, key, std::move(message)}});
}

/// A key of the recipe: a number for each channel, or one for all.
std::vector<double> channel_numbers(const std::string& text, const char* key, std::int64_t channels, bool above_zero) {
    const Json given = read_json(text);
    std::vector<double> numbers;
    if (given.is_array())
        for (const Json& each : given)
            if (each.is_number() && std::isfinite(each.get<double>()) && (!above_zero || each.get<double>() > 0))
                numbers.push_back(each.get<double>());
    if (numbers.size() == 1 && given.size() == 1)
        numbers.resize(static_cast<std::size_t>(channels), numbers.front());
    if (std::cmp_not_equal(numbers.size(), channels) || (given.size() != numbers.size() && given.size() != 1))
        refuse_key(
            key,
            above_zero
                ? Message("must be a list of {} numbers above 0, one for each channel of the model's images", channels)
                : Message("must be a list of {} numbers, one for each channel of the model's images", channels));
    return numbers;
}

/// What the config.json of a model of timm says, as the text of a preprocessor_config.json; else empty.
std::string timm_processor(const config::Recipe& recipe) {
    std::error_code error;
    const fs::path weights = recipe.model.weights;
    const fs::path file = (fs::is_directory(weights, error) ? weights : weights.parent_path()) / "config.json";
    if (weights.empty() || !fs::is_regular_file(file, error))
        return {};
    const std::string text = text::read_text_file(file, kMostBytesOfProcessor);
    return weights::is_timm_config(text) ? weights::image_processor_of_timm(text, file.string()) : std::string();
}

/// Applies the keys of the recipe, which take precedence over the file.
void apply_keys(const config::Recipe& recipe, std::int64_t size_of_model, ImageProcessor& made) {
    const config::DataRecipe& data = recipe.data;
    if (data.image_size > 0) {
        if (size_of_model > 0 && data.image_size != size_of_model)
            refuse_key("data.image_size",
                       Message("is {}, and the model takes images of model.image_size ({}): leave it out",
                               data.image_size, size_of_model));
        made.do_resize = true;
        made.height = made.width = data.image_size;
        made.shortest_edge = made.crop_height = made.crop_width = 0;
    }
    if (!data.image_mean.empty())
        made.image_mean = channel_numbers(data.image_mean, "data.image_mean", recipe.model.num_channels, false);
    if (!data.image_std.empty())
        made.image_std = channel_numbers(data.image_std, "data.image_std", recipe.model.num_channels, true);
    made.segments = recipe.model.task == families::kSemanticSegmentation;
    made.reduce_labels = made.segments && (made.reduce_labels || data.reduce_labels);
    if (made.segments && (made.crop_height > 0 || made.shortest_edge > 0))
        throw UserError(
            "preprocessor_config.json crops images, and semantic_segmentation takes them and their masks whole: give "
            "height and width as size, and set do_center_crop to false");
    if ((!data.image_mean.empty() || !data.image_std.empty()) && !made.do_normalize) {
        made.do_normalize = true;
        for (auto* list : {&made.image_mean, &made.image_std})
            if (std::cmp_not_equal(list->size(), recipe.model.num_channels))
                list->assign(static_cast<std::size_t>(recipe.model.num_channels), 0.5);
    }
}

}  // namespace

ImageProcessor read_image_processor(const std::string& text, const std::string& where, const std::string& model_type,
                                    std::int64_t channels) {
    const Json object = read_json(text);
    if (!object.is_object())
        throw UserError("{} is not a JSON object: repair or remove it", where);
    const std::string name = class_of(object, model_type);
    if (!processor_classes().contains(name)) {
        std::vector<std::string> known;
        for (const auto& [each, ignored] : processor_classes())
            known.push_back(each + "ImageProcessor");
        throw UserError(
            "{}: image_processor_type: images of {} are not computed by this version, which has {}: "
            "write the file of one of them that makes the same images",
            where, name, fmt::join(known, ", "));
    }
    return ProcessorReader(object, where, name, channels).read();
}

std::string write_image_processor(const ImageProcessor& processor) {
    nlohmann::ordered_json json{{"image_processor_type", processor.segments            ? "SegformerImageProcessor"
                                                         : processor.shortest_edge > 0 ? "CLIPImageProcessor"
                                                                                       : "ViTImageProcessor"},
                                {"do_resize", processor.do_resize}};
    if (processor.segments)
        json["do_reduce_labels"] = processor.reduce_labels;
    if (processor.shortest_edge > 0)
        json["size"] = {{"shortest_edge", processor.shortest_edge}};
    else if (processor.do_resize)
        json["size"] = {{"height", processor.height}, {"width", processor.width}};
    json["resample"] = static_cast<int>(processor.resample);
    json["do_center_crop"] = processor.crop_height > 0;
    if (processor.crop_height > 0)
        json["crop_size"] = {{"height", processor.crop_height}, {"width", processor.crop_width}};
    json["do_rescale"] = processor.do_rescale;
    json["rescale_factor"] = processor.rescale_factor;
    json["do_normalize"] = processor.do_normalize;
    json["image_mean"] = processor.image_mean;
    json["image_std"] = processor.image_std;
    return json_text(json, {.indent = 2}) + "\n";
}

fs::path image_processor_file(const config::Recipe& recipe) {
    std::error_code error;
    const fs::path weights = recipe.model.weights;
    const bool there = !weights.empty() && fs::exists(weights, error);
    if (there) {
        const fs::path file = (fs::is_directory(weights, error) ? weights : weights.parent_path()) / kProcessorFile;
        return fs::is_regular_file(file, error) ? file : fs::path();
    }
    return recipe.checkpoint.resume_from.empty() ? fs::path() : file_in_resumed(recipe.checkpoint.resume_from);
}

ImageProcessor image_processor_of(const config::Recipe& recipe) {
    const std::int64_t size = families::family_of(recipe.model).image_size(recipe.model);
    if (const fs::path file = image_processor_file(recipe); !file.empty()) {
        ImageProcessor made = read_image_processor(text::read_text_file(file, kMostBytesOfProcessor), file.string(),
                                                   recipe.model.model_type, recipe.model.num_channels);
        if (size > 0 && made.output_height() > 0 && (made.output_height() != size || made.output_width() != size))
            throw UserError(
                "{} makes images of {} × {} pixels, and model.image_size is {}: write the model's size there",
                file.string(), made.output_width(), made.output_height(), size);
        apply_keys(recipe, size, made);
        return made;
    }
    if (const std::string text = timm_processor(recipe); !text.empty()) {
        ImageProcessor made =
            read_image_processor(text, recipe.model.weights, recipe.model.model_type, recipe.model.num_channels);
        apply_keys(recipe, size, made);
        return made;
    }
    ImageProcessor made;
    made.height = made.width = size;
    made.image_mean.assign(static_cast<std::size_t>(recipe.model.num_channels), 0.5);
    made.image_std = made.image_mean;
    apply_keys(recipe, size, made);
    return made;
}

}  // namespace trainyard::inputs
