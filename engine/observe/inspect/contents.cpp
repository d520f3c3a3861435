// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/contents.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <thread>
#include <unordered_map>
#include <unordered_set>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "checkpoint/files/manifest.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/module_wrappers.h"
#include "formats/weights/weight_index.h"
#include "formats/weights/zero_folder.h"
#include "observe/inspect/parts.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kMostFiles = 100'000, kMostThreads = 8;
constexpr double kFreshSeconds = 60;  ///< a broken checkpoint that was written to so shortly ago may be under way

struct Job {
    enum class Kind { safetensors, torch, gguf, json, index, dcp, zero, plain } kind = Kind::plain;
    std::string name;  ///< file or folder, relative
    Section section = Section::state;
    std::string prefix;
};

bool starts(const std::string& name, std::initializer_list<const char*> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](const char* text) { return name.starts_with(text); });
}

Section section_of(const std::string& name) {
    if (starts(name, {"optimizer", "optim"}) || name.ends_with("_optim_states.pt"))
        return Section::optimizer;
    if (starts(name, {"average", "ema"}))
        return Section::average;
    if (name.ends_with(".safetensors") || name.ends_with(".gguf") ||
        starts(name, {"model", "pytorch_model", "adapter_model", "consolidated"}))
        return Section::weights;
    return Section::state;
}

/// Names of the second and later models of a folder begin with the file's: "model_1.".
std::string prefix_of(const std::string& name) {
    static const std::regex pattern(
        R"((?:pytorch_)?model_(\d+)(?:-\d{5}-of-\d{5})?\.(?:safetensors|bin)|pytorch_model_(?:fsdp_)?(\d+))"
        R"(|(?:optimizer|average)_(\d+)(?:\.bin)?)");
    std::smatch parts;
    if (!std::regex_match(name, parts, pattern))
        return "";
    const std::string number = parts[1].str() + parts[2].str() + parts[3].str();
    return number == "0" || number.empty() ? "" : (parts[3].matched ? "optimizer_" : "model_") + number + ".";
}

std::optional<Job> job_of(const fs::path& root, const std::string& name) {
    using Kind = Job::Kind;
    const auto ends = [&](const char* text) { return name.ends_with(text); };
    const Section section = section_of(name);
    if (ends(".safetensors"))
        return Job{Kind::safetensors, name, section, prefix_of(name)};
    if (ends(".gguf"))
        return Job{Kind::gguf, name, Section::weights, ""};
    if (ends(".bin") || ends(".pt") || ends(".pth") || ends(".pkl") || ends(".ckpt"))
        return Job{Kind::torch, name, section,
                   section == Section::state ? fs::path(name).stem().string() + "." : prefix_of(name)};
    if (ends(".h5.index.json") || ends(".msgpack.index.json"))  // TensorFlow's and Flax's files are not read
        return Job{Kind::plain, name, Section::state, ""};
    if (ends(".index.json"))
        return Job{Kind::index, name, section, ""};
    if (ends(".json"))
        return name == "manifest.json" || starts(name, {"tokenizer", "vocab", "special_tokens", "added_tokens"})
                   ? Job{Kind::plain, name, Section::state, ""}
                   : Job{Kind::json, name, Section::state, ""};
    std::error_code error;
    if (fs::is_directory(root / name, error)) {
        if (fs::exists(root / name / ".metadata", error))
            return Job{Kind::dcp, name, section, prefix_of(name)};
        return std::nullopt;
    }
    return Job{Kind::plain, name, Section::state, ""};
}

void run_job(const fs::path& root, const Job& job, Part& part) {
    if (job.kind != Job::Kind::dcp && job.kind != Job::Kind::zero)
        part.files.push_back({job.name, size_of_file(root / job.name), job.section, {}});
    try {
        switch (job.kind) {
            case Job::Kind::safetensors:
                return read_safetensors_part(root, job.name, job.section, job.prefix, part);
            case Job::Kind::torch:
                return read_torch_part(root, job.name, job.section, job.prefix, part);
            case Job::Kind::gguf:
                return read_gguf_part(root, job.name, part);
            case Job::Kind::json:
                return read_json_part(root, job.name, part);
            case Job::Kind::dcp:
                read_dcp_part(root, job.name, job.section, part);
                for (Tensor& tensor : part.tensors)
                    tensor.name.insert(0, job.prefix);
                return;
            case Job::Kind::zero:
                return read_zero_part(root, job.name, part);
            case Job::Kind::index:
                part.index.emplace(root / job.name);
                return;
            case Job::Kind::plain:
                return;
        }
    } catch (const UserError& error) {
        part.tensors.clear();
        part.values.clear();
        part.problems.push_back(error.message());
        if (part.files.empty())
            part.files.push_back({job.name.empty() ? "." : job.name, 0, job.section, {}});
        part.files.front().problem = error.message();
    }
}

/// Calls work(i) for each i below `count`, by several threads.
template <class Work>
void side_by_side(std::size_t count, Work&& work) {
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::jthread> pool;
    for (std::size_t i = 1; i < std::min({count, kMostThreads, static_cast<std::size_t>(physical_cores())}); ++i)
        pool.emplace_back(take);
    take();
}

/// The shards that an index names are there, and have what it says. `jobs`: the number of the part by the file's name.
void check_index(const fs::path& root, const Job& job, const weights::WeightIndex& index,
                 const std::vector<Part>& parts, const std::unordered_map<std::string_view, std::uint32_t>& jobs,
                 std::vector<Message>& problems) {
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    const auto& entries = index.entries();
    std::vector<std::vector<std::size_t>> entries_of(index.files().size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries_of[entries[i].file].push_back(i);
    std::set<std::string> missing;
    for (std::size_t file = 0; file < entries_of.size(); ++file)
        if (!entries_of[file].empty() && !jobs.contains(index.files()[file]))
            missing.insert(index.files()[file]);
    std::vector<std::size_t> lost(entries_of.size(), 0), example(entries_of.size(), kNone);
    side_by_side(entries_of.size(), [&](std::size_t file) {
        const auto at = jobs.find(index.files()[file]);
        if (at == jobs.end() || !parts[at->second].problems.empty())
            return;
        const Part& part = parts[at->second];
        std::unordered_set<std::string_view> names;
        names.reserve(part.tensors.size());
        for (const Tensor& tensor : part.tensors)
            if (tensor.section == Section::weights)
                names.insert(std::string_view(tensor.name).substr(part.prefix.size()));
        for (std::size_t entry : entries_of[file])
            if (!names.contains(entries[entry].tensor)) {
                ++lost[file];
                example[file] = std::min(example[file], entry);
            }
    });
    for (const std::string& file : missing)
        problems.push_back(
            Message("{} is missing: {} looks there for tensors, copy it again", (root / file).string(), job.name));
    // Readers find a tensor in any of the files, so that one in another file than the index says is not lost.
    if (std::reduce(lost.begin(), lost.end()) > 0) {
        std::unordered_set<std::string_view> everywhere;
        for (const std::string& file : index.files())
            if (const auto at = jobs.find(file); at != jobs.end())
                for (const Tensor& tensor : parts[at->second].tensors)
                    if (tensor.section == Section::weights)
                        everywhere.insert(std::string_view(tensor.name).substr(parts[at->second].prefix.size()));
        std::ranges::fill(example, kNone);
        for (std::size_t file = 0; file < entries_of.size(); ++file)
            if (lost[file] > 0) {
                lost[file] = 0;
                for (const std::size_t entry : entries_of[file])
                    if (!everywhere.contains(entries[entry].tensor)) {
                        ++lost[file];
                        example[file] = std::min(example[file], entry);
                    }
            }
    }
    if (const std::size_t first = entries.empty() ? kNone : *std::ranges::min_element(example); first != kNone)
        problems.push_back(Message("{} names {} tensors that are not in their files, such as '{}' in {}",
                                   (root / job.name).string(), std::reduce(lost.begin(), lost.end()),
                                   entries[first].tensor, index.files()[entries[first].file]));
}

class ContentsReader {
  public:
    explicit ContentsReader(const fs::path& path) {
        std::error_code error;
        if (!fs::exists(path, error))
            throw UserError("{} does not exist: name the folder of a checkpoint, or a file of weights", path.string());
        if (fs::is_directory(path, error)) {
            contents_.root = path;
            plan_folder();
        } else if (path.filename().string().ends_with(".index.json") || path.filename() == ".metadata") {
            contents_.root = path.parent_path().empty() ? "." : path.parent_path();
            plan_folder();
        } else {
            contents_.root = path.parent_path().empty() ? "." : path.parent_path();
            auto job = job_of(contents_.root, path.filename().string());
            // A file of any other name is taken for torch's, or for what it begins with.
            if (!job || job->kind == Job::Kind::plain || job->section == Section::state)
                job = Job{by_content(path), path.filename().string(), Section::weights, ""};
            jobs_.push_back(*job);
        }
    }

    Contents read() {
        run_all();
        join();
        if (!has_saved_state())
            throw UserError(
                "{} holds no checkpoint: expected weights (.safetensors, .bin, .gguf), .metadata, or "
                "the files of save_state",
                contents_.root.string());
        if (!contents_.problems.empty())
            contents_.state = newest_ < kFreshSeconds && !checkpoint::has_manifest(contents_.root)
                                  ? CheckpointState::being_written
                                  : CheckpointState::broken;
        return std::move(contents_);
    }

  private:
    /// Settings, logs and the trainer_state.json of transformers alone are not a checkpoint.
    bool has_saved_state() const {
        return std::ranges::any_of(jobs_, [](const Job& job) {
            return (job.kind != Job::Kind::json && job.kind != Job::Kind::plain) || job.name == "manifest.json";
        });
    }

    static Job::Kind by_content(const fs::path& path) {
        if (path.extension() == ".safetensors")
            return Job::Kind::safetensors;
        if (path.extension() == ".json")
            return Job::Kind::json;
        FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        std::byte head[4]{};
        if (file && ::pread(file.get(), head, sizeof head, 0) == sizeof head && weights::begins_like_gguf(head))
            return Job::Kind::gguf;
        return Job::Kind::torch;
    }

    void plan_folder() {
        const fs::path& root = contents_.root;
        weights::ZeroPlace place = weights::ZeroFolder::locate(root);
        const fs::path& zero = place.folder;
        if (!place.note.empty())
            contents_.notes.push_back(std::move(place.note));
        const std::string zero_folder = zero.empty() || zero == root ? "" : zero.filename().string();
        if (!zero.empty())
            jobs_.push_back({Job::Kind::zero, zero_folder, Section::weights, ""});
        const fs::path states = zero.empty() ? weights::ZeroFolder::states_without_optimizer(root) : fs::path();
        if (!states.empty())
            jobs_.push_back({Job::Kind::torch, states.lexically_relative(root).string(), Section::weights, ""});
        for (const fs::path& file : weights::megatron_files(root))
            jobs_.push_back({Job::Kind::torch, file.lexically_relative(root).string(), Section::weights,
                             file.parent_path().filename().string() + "."});
        std::error_code error;
        if (fs::exists(root / ".metadata", error))
            jobs_.push_back(
                {Job::Kind::dcp, "",
                 section_of(root.filename().string()) == Section::optimizer ? Section::optimizer : Section::weights,
                 ""});
        std::set<std::string> names;
        for (fs::directory_iterator entry(root, error), end; !error && entry != end && names.size() < kMostFiles;
             entry.increment(error)) {
            std::string name = entry->path().filename().string();
            std::error_code ignored;
            if (const auto written = fs::last_write_time(entry->path(), ignored); !ignored)
                newest_ = std::min(newest_,
                                   std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count());
            if (!name.starts_with('.') && !name.ends_with(".distcp") && name != "keep" && name != zero_folder)
                names.insert(std::move(name));
        }
        for (const std::string& name : names) {
            if (!zero.empty() && zero_folder.empty() &&
                (name.ends_with("_optim_states.pt") || name.ends_with("_model_states.pt")))
                continue;
            if (!states.empty() && root / name == states)
                continue;
            // DeepSpeed's folders in one of Accelerate have no file `latest` of their own.
            if (zero.empty() && fs::is_directory(root / name, error) && weights::ZeroFolder::is_one(root / name))
                jobs_.push_back({Job::Kind::zero, name, Section::weights, ""});
            else if (auto job = job_of(root, name))
                jobs_.push_back(*job);
        }
        // Both formats of the same weights: readers take safetensors.
        const auto is_whole_model = [&](const char* name) {
            return names.contains(name) || names.contains(std::string(name) + ".index.json");
        };
        if (is_whole_model("model.safetensors"))
            std::erase_if(jobs_, [](const Job& job) {
                return job.kind == Job::Kind::torch && job.name.starts_with("pytorch_model");
            });
        if (fs::exists(root / "manifest.json", error))
            check_manifest();
    }

    void check_manifest() {
        try {
            const checkpoint::Manifest manifest = checkpoint::read_manifest(contents_.root);
            for (Message& problem : checkpoint::check_sizes(contents_.root, manifest))
                contents_.problems.push_back(std::move(problem));
            contents_.values.push_back({"step", std::to_string(manifest.number)});
            contents_.values.push_back({"world size", std::to_string(manifest.world_size)});
            if (!manifest.mesh.empty())
                contents_.values.push_back({"mesh", manifest.mesh});
            if (!manifest.saved_at.empty())
                contents_.values.push_back({"saved at", manifest.saved_at});
            if (manifest.metric)
                contents_.values.push_back({"metric", fmt::format("{}", *manifest.metric)});
            if (!manifest.not_good.empty())
                contents_.values.push_back({"not good", manifest.not_good});
            if (!manifest.position.empty())
                add_json_values("position", manifest.position, contents_.values);
        } catch (const UserError& error) {
            contents_.problems.push_back(error.message());
        }
    }

    /// Headers of many files are read side by side; an index is the largest of them.
    void run_all() {
        parts_.resize(jobs_.size());
        std::vector<std::size_t> order(jobs_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_partition(order, [&](std::size_t i) { return jobs_[i].kind == Job::Kind::index; });
        side_by_side(order.size(), [&](std::size_t i) {
            const Job& job = jobs_[order[i]];
            Part& part = parts_[order[i]];
            part.prefix = job.prefix;
            run_job(contents_.root, job, part);
            part.sorted = SortedTensors(part.tensors);
        });
    }

    void check_indexes() {
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < jobs_.size(); ++i)
            numbers.emplace(jobs_[i].name, i);
        for (std::size_t i = 0; i < jobs_.size(); ++i)
            if (parts_[i].index)
                check_index(contents_.root, jobs_[i], *parts_[i].index, parts_, numbers, contents_.problems);
        if (!indexed_ && jobs_.size() > 1)
            try {
                weights::shards_without_index(contents_.root);
            } catch (const UserError& error) {
                contents_.problems.push_back(error.message());
            }
    }

    void join() {
        std::map<std::string, std::pair<Message, int>> formats;  // by their text, with the number of files
        indexed_ = std::ranges::any_of(jobs_, [](const Job& job) { return job.kind == Job::Kind::index; });
        check_indexes();
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            Part& part = parts_[i];
            const auto first = static_cast<std::uint32_t>(contents_.files.size());
            if (!part.format.empty() && (jobs_[i].section == Section::weights || jobs_.size() == 1))
                ++formats.try_emplace(part.format.text(), part.format, 0).first->second.second;
            std::ranges::move(part.files, std::back_inserter(contents_.files));
            for (Tensor& tensor : part.tensors)
                for (ByteRange& range : tensor.ranges)
                    range.file += first;
            std::ranges::move(part.values, std::back_inserter(contents_.values));
            std::ranges::move(part.problems, std::back_inserter(contents_.problems));
        }
        std::vector<const SortedTensors*> sorted;
        for (const Part& part : parts_)
            sorted.push_back(&part.sorted);
        const std::vector<PlaceInParts> places = joined_order(sorted);
        contents_.tensors.reserve(places.size());
        for (const PlaceInParts& place : places)
            contents_.tensors.push_back(std::move(parts_[place.part].tensors[place.tensor]));
        unwrap_names();
        std::vector<Message> named;
        for (const auto& [text, format] : formats)
            named.push_back(format.second == 1 ? format.first : Message("{}, {} files", format.first, format.second));
        contents_.format = Message::joined(named, " and ");
        if (std::ranges::any_of(contents_.files, [](const File& file) { return file.name == "adapter_config.json"; }))
            contents_.format = Message("PEFT adapter, {}", contents_.format);
    }

    /// Names of the model's tensors without those of wrappers, where readers of weights leave them out.
    void unwrap_names() {
        std::vector<std::string> names;
        std::vector<std::size_t> tensors;
        bool wrapped = false;
        for (std::size_t i = 0; i < contents_.tensors.size(); ++i) {
            const Tensor& tensor = contents_.tensors[i];
            if (tensor.section != Section::weights)
                continue;
            const std::string& name = tensor.model_name.empty() ? tensor.name : tensor.model_name;
            wrapped = wrapped || weights::may_be_wrapped(name);
            tensors.push_back(i);
        }
        if (!wrapped)
            return;
        for (const std::size_t i : tensors)
            names.push_back(contents_.tensors[i].model_name.empty() ? contents_.tensors[i].name
                                                                    : contents_.tensors[i].model_name);
        const weights::UnwrappedNames unwrapped = weights::unwrapped_names(names);
        if (unwrapped.wrappers.empty())
            return;
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (Tensor& tensor = contents_.tensors[tensors[i]]; tensor.name != unwrapped.names[i])
                tensor.model_name = unwrapped.names[i];
        contents_.notes.push_back(
            Message("{} has names of wrapped modules, whose part {} is left out on "
                    "loading",
                    contents_.root.string(), fmt::join(unwrapped.wrappers, " ")));
    }

    Contents contents_;
    std::vector<Job> jobs_;
    std::vector<Part> parts_;
    bool indexed_ = false;  ///< there is an index
    double newest_ = 1e12;  ///< seconds since the folder was written to
};

}  // namespace

std::string_view name_of(Section section) {
    switch (section) {
        case Section::weights:
            return "weights";
        case Section::average:
            return "average";
        case Section::optimizer:
            return "optimizer";
        case Section::state:
            return "training state";
    }
    return "";
}

const char* state_name(CheckpointState state) {
    constexpr std::array kNames{"whole", "being_written", "broken", "remote"};
    return kNames[static_cast<std::size_t>(state)];
}

std::uint64_t Contents::file_bytes() const {
    std::uint64_t bytes = 0;
    for (const File& file : files)
        bytes += file.bytes;
    return bytes;
}

std::string Contents::value(std::string_view key) const {
    const auto found = std::ranges::find(values, key, &Value::key);
    return found == values.end() ? "" : found->value;
}

Contents read_contents(const fs::path& path) {
    return ContentsReader(path).read();
}

std::string shown_dtype(const std::string& dtype) {
    static const std::map<std::string, std::string> names{
        {"F64", "fp64"},         {"F32", "fp32"},         {"F16", "fp16"},   {"BF16", "bf16"},  {"F8_E8M0", "fp8 e8m0"},
        {"F8_E4M3", "fp8 e4m3"}, {"F8_E5M2", "fp8 e5m2"}, {"I64", "int64"},  {"I32", "int32"},  {"I16", "int16"},
        {"I8", "int8"},          {"U64", "uint64"},       {"U32", "uint32"}, {"U16", "uint16"}, {"U8", "uint8"},
        {"BOOL", "bool"},        {"C64", "complex64"}};
    const auto found = names.find(dtype);
    return found == names.end() ? dtype : found->second;
}

}  // namespace trainyard::inspect
