#include "checkpoint/checkpoint.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/direct_load.h"
#include "checkpoint/manifest.h"
#include "checkpoint/saver.h"
#include "checkpoint/staging.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/weights.h"

namespace trainyard::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kWeightsFile = "model.safetensors";
constexpr const char* kOptimizerFile = "optimizer.safetensors";
constexpr const char* kTrainerFile = "trainer.bin";

/// optimizer-2-of-4.safetensors: what the second of four ranks holds.
bool is_optimizer_file(const std::string& name) {
    return name == kOptimizerFile || (name.starts_with("optimizer-") && name.ends_with(".safetensors"));
}

Position parse_position(const json& object) {
    Position position;
    position.step = object.at("step").get<std::int64_t>();
    position.samples = object.at("samples").get<std::int64_t>();
    position.tokens = object.at("tokens").get<std::int64_t>();
    position.seed = object.at("seed").get<std::uint64_t>();
    position.training_blocks = object.at("training_blocks").get<std::int64_t>();
    position.best_validation_loss = object.value("best_validation_loss", 0.0);
    position.samples_per_step = object.value("samples_per_step", std::int64_t{0});
    return position;
}

NamedTensors whole_tensors(const std::vector<LogicalTensor>& tensors) {
    NamedTensors result;
    for (const LogicalTensor& tensor : tensors) {
        if (!(tensor.box == whole(tensor.shape)))
            throw std::invalid_argument("'" + tensor.name + "' is a part of a tensor: the saver writes whole ones");
        result.emplace_back(tensor.name, tensor.local);
    }
    return result;
}

/// Fills `tensors`; names of the bare GPT2Model have no "transformer." in front.
void fill(const NamedTensors& stored, const std::string& where, const std::vector<LogicalTensor>& tensors) {
    constexpr std::string_view kModelPrefix = "transformer.";
    std::map<std::string_view, const at::Tensor*> by_name;
    for (const auto& [name, tensor] : stored)
        by_name.emplace(name, &tensor);
    auto find = [&](std::string_view name) {
        auto found = by_name.find(name);
        if (found == by_name.end() && name.starts_with(kModelPrefix))
            found = by_name.find(name.substr(kModelPrefix.size()));
        return found == by_name.end() ? nullptr : found->second;
    };
    std::string problems;
    auto complain = [&](const std::string& text) { problems += (problems.empty() ? "" : "; ") + text; };
    for (const LogicalTensor& tensor : tensors) {
        const at::Tensor* source = find(tensor.name);
        if (source == nullptr)
            complain("tensor " + tensor.name + " is missing");
        else if (source->sizes() != at::IntArrayRef(tensor.shape))
            complain("tensor " + tensor.name + " has shape " + c10::str(source->sizes()) + " instead of " +
                     c10::str(at::IntArrayRef(tensor.shape)));
    }
    if (!problems.empty())
        throw UserError(where + " does not fit this model: " + problems);
    for (const LogicalTensor& tensor : tensors)
        copy_overlap(LogicalTensor::of_whole(tensor.name, *find(tensor.name)), tensor);
}

}  // namespace

std::string to_json(const Position& position) {
    return json{{"step", position.step},
                {"samples", position.samples},
                {"tokens", position.tokens},
                {"seed", position.seed},
                {"training_blocks", position.training_blocks},
                {"best_validation_loss", position.best_validation_loss},
                {"samples_per_step", position.samples_per_step}}
        .dump(2);
}

namespace {

/// Whether the files together fill the tensors; a sentence when they do not.
std::string misfit(const std::string& where, const std::vector<const DirectLoad*>& loads,
                   const std::vector<LogicalTensor>& tensors) {
    std::string problems;
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
        problems += (problems.empty() ? "tensor " : "; tensor ") + tensor.name;
        problems += other ? " has shape " + c10::str(at::IntArrayRef(*other)) + " instead of " +
                                c10::str(at::IntArrayRef(tensor.shape))
                    : named ? " has only a part of its elements"
                            : " is missing";
    }
    return problems.empty() ? "" : where + " does not fit this model: " + problems;
}

}  // namespace

FileToSave file_of_share(const std::vector<LogicalTensor>& boxes, int rank, int ranks) {
    WeightsFile file;
    file.tensors = entries_of_boxes(boxes, file.metadata);
    return {"optimizer-" + std::to_string(rank + 1) + "-of-" + std::to_string(ranks) + ".safetensors", std::move(file)};
}

FilesToSave files_of(const Content& content) {
    FilesToSave files{{kWeightsFile, WeightsFile{whole_tensors(content.weights)}},
                      {"config.json", content.config_json},
                      {"position.json", to_json(content.position) + "\n"}};
    if (!content.optimizer_is_elsewhere)
        files.push_back({kOptimizerFile, WeightsFile{whole_tensors(content.optimizer)}});
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

fs::path find(const fs::path& path, std::vector<std::string>* notes) {
    if (!fs::exists(path))
        throw UserError("cannot resume from " + path.string() + ": there is no such folder");
    if (has_manifest(path)) {
        if (std::string why = read_manifest(path).not_good; notes != nullptr && !why.empty())
            notes->push_back(path.filename().string() + " was marked as not good when it was saved: " + why);
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
            notes->push_back("training goes on from " + chosen.filename().string() + ": the " + std::to_string(lost) +
                             (lost == 1 ? " step" : " steps") + " from there to " + all.front().filename().string() +
                             (lost == 1 ? " is lost" : " are lost"));
        return chosen;
    }
    if (fs::exists(path / "position.json"))
        throw UserError("cannot resume from " + path.string() +
                        ": its manifest.json is missing, so nothing tells whether its files are whole: name the folder "
                        "above it to go on from the newest whole checkpoint");
    throw UserError("cannot resume from " + path.string() + ": there is no whole checkpoint in it");
}

Position load(const fs::path& folder, const Content& content) {
    Manifest manifest = read_manifest(folder);
    auto refuse = [](const std::vector<std::string>& problems) {
        std::string text;
        for (const std::string& problem : problems)
            text += (text.empty() ? "" : "; ") + problem;
        if (!text.empty())
            throw UserError(text + ": resume from an earlier checkpoint");
    };
    refuse(check_sizes(folder, manifest));
    try {
        Position position = parse_position(json::parse(manifest.position));
        std::map<std::string, DirectLoad> loads;
        try {
            std::vector<const DirectLoad*> optimizer;
            for (const auto& [name, record] : manifest.files)
                if (is_optimizer_file(name))
                    optimizer.push_back(
                        &loads.emplace(name, DirectLoad(folder / name, content.optimizer)).first->second);
            if (optimizer.empty())
                optimizer.push_back(
                    &loads.emplace(kOptimizerFile, DirectLoad(folder / kOptimizerFile, content.optimizer))
                         .first->second);
            const DirectLoad& weights =
                loads.emplace(kWeightsFile, DirectLoad(folder / kWeightsFile, content.weights)).first->second;
            for (std::string problem : {misfit(weights.file().string(), {&weights}, content.weights),
                                        misfit(optimizer.front()->file().string(), optimizer, content.optimizer)})
                if (!problem.empty())
                    throw UserError(problem);
        } catch (const UserError&) {
            refuse(verify(folder, manifest));  // damage explains more than what it leads to
            throw;
        }
        std::vector<std::string> problems;
        for (const auto& [name, record] : manifest.files) {
            auto load = loads.find(name);
            std::string problem =
                load != loads.end() ? load->second.run(record) : check_content(folder / name, record, io::Cache::fill);
            if (!problem.empty())
                problems.push_back(std::move(problem));
            else if (load != loads.end())
                loads.erase(load);
        }
        refuse(problems);
        if (!loads.empty())
            throw UserError((folder / "manifest.json").string() + " does not name " + loads.begin()->first +
                            ": resume from an earlier checkpoint");
        return position;
    } catch (const json::exception& error) {
        throw UserError((folder / "manifest.json").string() + " has no position of a trainer (" + error.what() +
                        "): this checkpoint was saved by another program");
    }
}

Tree load_trainer(const fs::path& folder) {
    fs::path path = folder / kTrainerFile;
    return fs::exists(path) ? read_torch_file(path) : Tree();
}

void load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights) {
    fill(read_weights(path), path.string(), weights);
}

}  // namespace trainyard::checkpoint
