#include "worker/prompt_requests.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "worker/stage_ranks.h"

namespace trainyard::worker {

namespace {

using Json = nlohmann::json;

Json object_of(const std::string& line) {
    Json object = read_json(line);
    if (!object.is_object())
        throw UserError("a line is no request: it is not an object of JSON");
    return object;
}

template <class Wanted>
UserError wrong(const std::string& key, const Wanted& wanted) {
    return UserError(fmt::format("the request's '{}' must be {}", key, wanted));
}

std::string text_of(const std::string& key, const Json& value) {
    if (!value.is_string())
        throw wrong(key, "a text");
    return value.get<std::string>();
}

bool truth_of(const std::string& key, const Json& value) {
    if (!value.is_boolean())
        throw wrong(key, "true or false");
    return value.get<bool>();
}

std::int64_t whole_of(const std::string& key, const Json& value) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMost)))
        throw wrong(key, "a whole number");
    return value.get<std::int64_t>();
}

double finite_number_of(const std::string& key, const Json& value) {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        throw wrong(key, "a number");
    return value.get<double>();
}

std::vector<generate::AdapterSource> adapters_of(const Json& list) {
    if (!list.is_array())
        throw wrong("adapters", "a list");
    std::vector<generate::AdapterSource> adapters;
    for (const Json& one : list) {
        if (!one.is_object() || !one.contains("path"))
            throw wrong("adapters", "a list of objects with a path");
        adapters.push_back(
            {text_of("path", one["path"]), one.contains("weight") ? finite_number_of("weight", one["weight"]) : 1});
    }
    return adapters;
}

std::vector<std::string> names_in(const std::string& key, const Json& list) {
    std::vector<std::string> names;
    if (!list.is_array())
        throw wrong(key, "a list of texts");
    for (const Json& one : list)
        names.push_back(text_of(key, one));
    return names;
}

generate::ModelPlacement placement_of(const Json& given) {
    if (!given.is_object())
        throw wrong("placement", "an object");
    generate::ModelPlacement placement;
    for (const auto& [key, value] : given.items()) {
        if (key == "device_map") {
            placement.device_map = text_of(key, value);
        } else if (key == "max_memory") {
            if (!value.is_object())
                throw wrong(key, "an object of sizes by device");
            for (const auto& [device, size] : value.items())
                placement.max_memory[device] = text_of(key, size);
        } else if (key == "no_split_module_classes") {
            placement.no_split_module_classes = names_in(key, value);
        } else if (key == "offload_folder") {
            placement.offload_folder = text_of(key, value);
        } else if (key == "offload_buffers") {
            placement.offload_buffers = truth_of(key, value);
        } else if (key == "dtype") {
            placement.dtype = text_of(key, value);
        } else if (key == "storage_dtype") {
            placement.storage_dtype = text_of(key, value);
        } else if (key == "accelerator") {
            placement.accelerator = text_of(key, value);
        } else if (key == "device_library") {
            placement.device_library = text_of(key, value);
        } else {
            throw UserError(fmt::format("the placement of the model has the key '{}', which is not known", key));
        }
    }
    return placement;
}

UserError unknown(const std::string& key) {
    return UserError(fmt::format("a request has the key '{}', which is not known", key));
}

}  // namespace

ModelRequest parse_model_request(const std::string& line) {
    const Json object = object_of(line);
    ModelRequest request;
    for (const auto& [key, value] : object.items()) {
        if (key == "model")
            request.source.path = text_of(key, value);
        else if (key == "tokenizer")
            request.source.tokenizer = text_of(key, value);
        else if (key == "adapters")
            request.source.adapters = adapters_of(value);
        else if (key == "placement")
            request.source.placement = placement_of(value);
        else if (key == "plain")
            request.plain = truth_of(key, value);
        else if (key == "output")
            request.output = text_of(key, value);
        else if (key == "max_shard_size")
            request.merge.max_shard_size = text_of(key, value);
        else if (key == "output_dtype")
            request.merge.dtype = text_of(key, value);
        else if (key == "threads") {
            const std::int64_t threads = whole_of(key, value);
            if (threads < 0 || threads > 4096)
                throw wrong(key, "a number of threads, at most 4096; 0 takes all");
            request.threads = static_cast<int>(threads);
        } else if (key == "num_processes") {
            const std::int64_t count = whole_of(key, value);
            if (count < 1 || count > kMostStages)
                throw wrong(key, fmt::format("a number of processes from 1 to {}", kMostStages));
            request.num_processes = static_cast<int>(count);
        } else {
            throw unknown(key);
        }
    }
    if (request.source.path.empty())
        throw UserError("the first line names no model");
    return request;
}

PromptRequest parse_prompt_request(const std::string& line, const generate::GenerationOptions& defaults) {
    const Json object = object_of(line);
    PromptRequest request;
    request.options = defaults;
    if (const auto stop = object.find("stop"); stop != object.end()) {
        request.stop = truth_of("stop", *stop);
        if (request.stop)
            return request;
    }
    generate::GenerationOptions& options = request.options;
    bool prompt = false;
    for (const auto& [key, value] : object.items()) {
        if (key == "prompt") {
            request.prompt = text_of(key, value);
            prompt = true;
        } else if (key == "max_new_tokens") {
            options.max_new_tokens = whole_of(key, value);
            options.max_length = 0;
        } else if (key == "do_sample") {
            options.do_sample = truth_of(key, value);
        } else if (key == "temperature") {
            options.temperature = finite_number_of(key, value);
        } else if (key == "top_k") {
            options.top_k = whole_of(key, value);
        } else if (key == "top_p") {
            options.top_p = finite_number_of(key, value);
        } else if (key == "repetition_penalty") {
            options.repetition_penalty = finite_number_of(key, value);
        } else if (key == "num_beams") {
            options.num_beams = whole_of(key, value);
        } else if (key == "length_penalty") {
            options.length_penalty = finite_number_of(key, value);
        } else if (key == "early_stopping") {
            options.early_stopping = truth_of(key, value);
        } else if (key == "seed") {
            const std::int64_t seed = whole_of(key, value);
            if (seed < 0)
                throw wrong(key, "a whole number that is not negative");
            options.seed = static_cast<std::uint64_t>(seed);
        } else if (key != "stop") {
            throw unknown(key);
        }
    }
    if (!prompt)
        throw UserError("a request has no prompt");
    // Beams draw nothing: of a request and the defaults the request decides which of both is wanted.
    if (options.do_sample && options.num_beams > 1) {
        if (object.contains("num_beams") && !object.contains("do_sample"))
            options.do_sample = false;
        else if (object.contains("do_sample") && !object.contains("num_beams"))
            options.num_beams = 1;
    }
    return request;
}

}  // namespace trainyard::worker
