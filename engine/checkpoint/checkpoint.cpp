// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/direct_load.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/staging.h"
#include "checkpoint/saver.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kOptimizerFile = "optimizer.bin";
constexpr const char* kAverageFile = "average.safetensors";
constexpr const char* kTrainerFile = "trainer.bin";

constexpr const char* kIndexFile = "model.safetensors.index.json";

/// model.safetensors, or model-00001-of-00002.safetensors: one of several.
bool is_file_of(const std::string& name, std::string_view kind) {
    const std::string text(kind);
    return name == text + ".safetensors" || (name.starts_with(text + "-") && name.ends_with(".safetensors")) ||
           (kind == "optimizer" && name == kOptimizerFile);
}

std::string name_of_weights_file(int number, int files) {
    return files == 1 ? std::string(kWeightsFile) : fmt::format("model-{:05}-of-{:05}.safetensors", number + 1, files);
}

NamedTensors whole_tensors(const std::vector<LogicalTensor>& tensors) {
    NamedTensors result;
    for (const LogicalTensor& tensor : tensors) {
        if (!(tensor.box == whole(tensor.shape)))
            throw std::invalid_argument("'" + tensor.name + "' is a part of a tensor: one file has whole ones");
        result.emplace_back(tensor.name, tensor.local);
    }
    return result;
}

}  // namespace

std::string to_json(const Position& position) {
    return fields::to_text(position, 2);
}

namespace {

/// Whether the files together fill the tensors; a sentence when they do not.
Message misfit(const std::string& where, const std::vector<const DirectLoad*>& loads,
               const std::vector<LogicalTensor>& tensors) {
    std::vector<Message> problems;
    std::string_view last;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const LogicalTensor& tensor = tensors[i];
        std::int64_t found = 0;
        std::optional<std::vector<std::int64_t>> other;
        bool named = false;
        for (const DirectLoad* load : loads) {
            found += load->found()[i];
            named = named || load->knows(tensor.name);
            if (auto shape = load->other_shape(tensor))
                other = std::move(shape);
        }
        if ((found == tensor.local.numel() && !other && named) || tensor.name == last)
            continue;
        last = tensor.name;  // of several boxes one complaint
        problems.push_back(other   ? Message("tensor {} has shape {} instead of {}", tensor.name,
                                             c10::str(at::IntArrayRef(*other)), c10::str(at::IntArrayRef(tensor.shape)))
                           : named ? Message("tensor {} has only a part of its elements", tensor.name)
                                   : Message("tensor {} is missing", tensor.name));
    }
    return problems.empty() ? Message() : Message("{} does not fit this model: {}", where, Message::joined(problems));
}

}  // namespace

namespace {

FileToSave file_of_boxes(const std::string& kind, const std::vector<LogicalTensor>& boxes, const WriterShare& share) {
    WeightsFile file;
    file.tensors = entries_of_boxes(boxes, file.metadata);
    return {fmt::format("{}-{}-of-{}.safetensors", kind, share.state + 1, share.state_files), std::move(file)};
}

std::string index_of_weights(const WriterShare& share) {
    json files = json::object();
    for (const auto& [name, number] : share.file_of_weight)
        files[name] = name_of_weights_file(number, share.weight_files);
    return json_text(json{{"metadata", {{"total_size", share.bytes_of_weights}}}, {"weight_map", std::move(files)}},
                     {.indent = 2}) +
           "\n";
}

}  // namespace

FilesToSave files_of(const Content& content, const WriterShare& share) {
    FilesToSave files;
    if (!content.weights.empty())
        files.push_back(
            {name_of_weights_file(share.weights, share.weight_files), WeightsFile{whole_tensors(content.weights)}});
    if (!content.optimizer_state.is_none())
        files.push_back({kOptimizerFile, content.optimizer_state});
    else if (!content.optimizer.empty())
        files.push_back(file_of_boxes("optimizer", content.optimizer, share));
    if (!content.average.empty() && share.state_files == 1)
        files.push_back({kAverageFile, WeightsFile{whole_tensors(content.average)}});
    else if (!content.average.empty())
        files.push_back(file_of_boxes("average", content.average, share));
    if (share.rank > 0)
        return files;
    if (!content.config_json.empty())
        files.push_back({"config.json", content.config_json});
    files.push_back({"position.json", to_json(content.position) + "\n"});
    if (share.weight_files > 1)
        files.push_back({kIndexFile, index_of_weights(share)});
    if (!content.trainer.is_none())
        files.push_back({kTrainerFile, content.trainer});
    return files;
}

Saved save(const fs::path& checkpoints, const Content& content) {
    SaverOptions options;
    options.background = false;
    Saver saver(std::move(options));
    saver.save(checkpoints, content);
    std::optional<SaveResult> result = saver.last_result();
    return {result->folder, result->bytes};
}

void prune(const fs::path& checkpoints, std::int64_t keep) {
    Retention retention;
    retention.keep_last = std::max<std::int64_t>(keep, 0);
    prune(checkpoints, retention);
}

std::vector<fs::path> list(const fs::path& checkpoints) {
    std::vector<std::pair<std::int64_t, fs::path>> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(checkpoints, error))
        if (std::int64_t step = checkpoint_number(entry.path()); step >= 0 && has_manifest(entry.path()))
            found.emplace_back(step, entry.path());
    std::sort(found.begin(), found.end());
    std::vector<fs::path> result;
    for (auto& [step, path] : found)
        result.push_back(std::move(path));
    return result;
}

fs::path find(const fs::path& path, std::vector<Message>* notes) {
    if (!fs::exists(path))
        throw UserError("cannot resume from {}: there is no such folder", path.string());
    if (has_manifest(path)) {
        if (const Message why = read_manifest(path).not_good; notes != nullptr && !why.empty())
            notes->push_back(Message("{} was marked as not good when it was saved: {}", path.filename().string(), why));
        return path;
    }
    if (is_save_state_folder(path))
        return path;
    for (const fs::path& folder : {path, path / "checkpoints"}) {
        const std::vector<fs::path> all = numbered_checkpoints(folder);
        if (all.empty())
            continue;
        fs::path chosen = newest_checkpoint(folder, notes);
        const std::int64_t lost = checkpoint_number(all.front()) - checkpoint_number(chosen);
        if (notes != nullptr && lost > 0)
            notes->push_back(lost == 1 ? Message("training continues from {}: the 1 step from there to {} is lost",
                                                 chosen.filename().string(), all.front().filename().string())
                                       : Message("training continues from {}: the {} steps from there to {} are lost",
                                                 chosen.filename().string(), lost, all.front().filename().string()));
        return chosen;
    }
    if (fs::exists(path / "position.json"))
        throw UserError(
            "cannot resume from {}: its manifest.json is missing, so its files cannot be verified: give the folder "
            "that contains it to resume from the newest complete checkpoint",
            path.string());
    throw UserError("cannot resume from {}: there is no whole checkpoint in it", path.string());
}

namespace {

/// The files of one kind, and what they are for.
struct FilesOfKind {
    const char* kind;
    const std::vector<LogicalTensor>& tensors;
    std::map<std::string, DirectLoad> loads{};  ///< by file
};

void open_files(FilesOfKind& files, const fs::path& folder, const Manifest& manifest) {
    for (const auto& [name, record] : manifest.files)
        if (is_file_of(name, files.kind))
            files.loads.emplace(name, DirectLoad(folder / name, files.tensors));
}

Message misfit(const FilesOfKind& files, const fs::path& folder) {
    if (files.loads.empty())
        return std::string_view(files.kind) == "model"
                   ? Message("{} names no file of the weights: resume from an earlier checkpoint",
                             (folder / "manifest.json").string())
                   : Message("{} names no file of the optimizer: resume from an earlier checkpoint",
                             (folder / "manifest.json").string());
    std::vector<const DirectLoad*> loads;
    for (const auto& [name, load] : files.loads)
        loads.push_back(&load);
    return misfit(loads.front()->file().string(), loads, files.tensors);
}

/// Names of `tensors` that no file knows.
std::vector<std::string> unknown_names(const FilesOfKind& files) {
    std::vector<std::string> names;
    for (const LogicalTensor& tensor : files.tensors)
        if (std::ranges::none_of(files.loads, [&](const auto& one) { return one.second.knows(tensor.name); }) &&
            (names.empty() || names.back() != tensor.name))
            names.push_back(tensor.name);
    return names;
}

}  // namespace

Loaded load(const fs::path& folder, const Content& content, const Reader& reader) {
    Manifest manifest = read_manifest(folder);
    auto refuse = [](const std::vector<Message>& problems) {
        if (!problems.empty())
            throw UserError("{}: resume from an earlier checkpoint", Message::joined(problems));
    };
    refuse(check_sizes(folder, manifest));
    Loaded loaded;
    fields::Reading in;
    fields::read(in, read_json(manifest.position), loaded.position);
    if (!in.problems().empty())
        throw UserError(
            "{} has no position of a trainer ({}): this checkpoint was saved by another "
            "program",
            (folder / "manifest.json").string(), problem_text(in.problems().front()));
    FilesOfKind weights{"model", content.weights}, optimizer{"optimizer", content.optimizer},
        average{"average", content.average};
    try {
        for (FilesOfKind* files : {&weights, &optimizer, &average})
            open_files(*files, folder, manifest);
        for (const FilesOfKind* files : {&weights, &optimizer})
            if (const Message problem = misfit(*files, folder); !problem.empty() && !files->tensors.empty())
                throw UserError(problem);
    } catch (const UserError&) {
        refuse(verify(folder, manifest));  // damage explains more than what it leads to
        throw;
    }
    loaded.without_average = unknown_names(average);
    std::vector<Message> problems;
    int number = 0;
    for (const auto& [name, record] : manifest.files) {
        DirectLoad* load = nullptr;
        for (FilesOfKind* files : {&weights, &optimizer, &average})
            if (auto found = files->loads.find(name); found != files->loads.end())
                load = &found->second;
        if (load != nullptr && !load->gives() && number++ % reader.ranks != reader.rank)
            continue;  // another rank reads it
        Message problem =
            load != nullptr ? load->run(record) : check_content(folder / name, record, files::Cache::fill);
        if (!problem.empty())
            problems.push_back(std::move(problem));
    }
    refuse(problems);
    return loaded;
}

Tree load_trainer(const fs::path& folder) {
    fs::path path = folder / kTrainerFile;
    return fs::exists(path) ? read_torch_file(path) : Tree();
}

}  // namespace trainyard::checkpoint
