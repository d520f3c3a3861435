// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/model_export.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "base/json_writer.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/write_files.h"
#include "formats/weights/merge.h"

namespace trainyard::checkpoint {

namespace {

/// "10GB" as Accelerate reads it: a lower-case b at the end of a decimal unit means bits.
std::uint64_t shard_limit(const std::string& text) {
    static const std::regex bits(R"(\s*[0-9.]+\s*[KMGTkmgt]b\s*)");
    std::uint64_t limit = weights::parse_size(text);
    return std::regex_match(text, bits) ? limit / 8 : limit;
}

/// Groups of tensors that reach some of the same bytes, by the number of their first.
std::vector<std::size_t> first_of_same_memory(const NamedTensors& state) {
    struct Span {
        const char* begin;
        const char* end;
        std::size_t index;
    };
    std::vector<Span> spans;
    for (std::size_t i = 0; i < state.size(); ++i) {
        const at::Tensor& tensor = state[i].second;
        if (tensor.numel() == 0)
            continue;
        std::int64_t last = 0;
        for (std::int64_t d = 0; d < tensor.dim(); ++d)
            last += (tensor.size(d) - 1) * tensor.stride(d);
        const auto* begin = static_cast<const char*>(tensor.const_data_ptr());
        spans.push_back({begin, begin + (static_cast<std::size_t>(last) + 1) * tensor.element_size(), i});
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::vector<std::size_t> first(state.size());
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i] = i;
    for (std::size_t i = 0; i < spans.size();) {
        const char* end = spans[i].end;
        std::size_t next = i + 1, lowest = spans[i].index;
        for (; next < spans.size() && spans[next].begin < end; ++next) {
            end = std::max(end, spans[next].end);
            lowest = std::min(lowest, spans[next].index);
        }
        for (; i < next; ++i)
            first[spans[i].index] = lowest;
    }
    return first;
}

struct Family {
    std::string stem, ending;
    std::string whole() const { return stem + ending; }
    std::string index() const { return stem + ending + ".index.json"; }
    std::string shard(std::size_t number, std::size_t count) const {
        return fmt::format("{}-{:05}-of-{:05}{}", stem, number + 1, count, ending);
    }
};

/// Files of an earlier export in this format.
std::vector<fs::path> earlier_files(const fs::path& folder, const Family& family) {
    std::regex shard(family.stem + R"(-\d{5}-of-\d{5}\)" + family.ending);
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        std::string name = entry.path().filename().string();
        if (entry.is_regular_file(error) &&
            (name == family.whole() || name == family.index() || std::regex_match(name, shard)))
            found.push_back(entry.path());
    }
    return found;
}

FileToSave file_of(const std::string& name, NamedTensors tensors, bool safe) {
    if (safe)
        return {name, WeightsFile{std::move(tensors)}};
    Tree::Dict entries;
    for (auto& [key, tensor] : tensors)
        entries.push_back({key, tensor});
    return {name, Tree::dict(std::move(entries))};
}

/// Names that are the same elements of the same memory as an earlier one go; safetensors holds each once.
NamedTensors without_aliases(const NamedTensors& state, std::vector<Message>& warnings) {
    std::vector<at::Tensor> keep;
    std::vector<std::string> dropped;
    to_write(state, keep, &dropped);
    if (dropped.empty())
        return state;
    std::string names;
    for (const std::string& name : dropped)
        names += (names.empty() ? "" : ", ") + name;
    warnings.push_back(dropped.size() == 1
                           ? Message("{} shares its memory with a weight that is saved, and is not written again: "
                                     "tie the weights after loading",
                                     names)
                           : Message("{} share their memory with a weight that is saved, and are not written again: "
                                     "tie the weights after loading",
                                     names));
    NamedTensors result;
    for (const auto& entry : state)
        if (std::find(dropped.begin(), dropped.end(), entry.first) == dropped.end())
            result.push_back(entry);
    return result;
}

void check_has_data(const NamedTensors& state) {
    std::string problems;
    for (const auto& [name, tensor] : state)
        if (!tensor.defined() || tensor.is_meta())
            problems += (problems.empty() ? "" : "', '") + name;
    if (!problems.empty())
        throw UserError("'{}' has no data: load or initialise the model before saving it", problems);
}

}  // namespace

std::vector<std::vector<std::size_t>> plan_shards(const NamedTensors& state, std::uint64_t limit) {
    std::vector<std::size_t> first = first_of_same_memory(state);
    std::vector<std::vector<std::size_t>> shards;
    std::vector<std::size_t> current;
    std::uint64_t filled = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
        if (first[i] != i)
            continue;
        std::uint64_t bytes = static_cast<std::uint64_t>(state[i].second.numel()) * state[i].second.element_size();
        if (bytes > limit) {
            shards.push_back({i});
            continue;
        }
        if (filled + bytes > limit) {
            shards.push_back(std::move(current));
            current = {};
            filled = 0;
        }
        current.push_back(i);
        filled += bytes;
    }
    if (!current.empty())
        shards.push_back(std::move(current));
    std::map<std::size_t, std::size_t> shard_of;
    for (std::size_t shard = 0; shard < shards.size(); ++shard)
        for (std::size_t i : shards[shard])
            shard_of[i] = shard;
    for (std::size_t i = 0; i < state.size(); ++i)
        if (first[i] != i)
            shards[shard_of[first[i]]].push_back(i);
    return shards;
}

Exported save_model(const NamedTensors& given, const fs::path& folder, const ExportOptions& options) {
    Exported exported;
    check_has_data(given);
    NamedTensors on_cpu;
    std::map<const void*, at::Tensor> copies;  // tied weights stay tied on the way to the CPU
    for (const auto& [name, tensor] : given) {
        if (tensor.device().is_cpu()) {
            on_cpu.emplace_back(name, tensor.detach());
        } else {
            at::Tensor& copy = copies[tensor.const_data_ptr()];
            if (!copy.defined() || copy.sizes() != tensor.sizes())
                copy = tensor.detach().cpu();
            on_cpu.emplace_back(name, copy);
        }
    }
    NamedTensors state = options.safe_serialization ? without_aliases(on_cpu, exported.warnings) : on_cpu;
    std::uint64_t limit = shard_limit(options.max_shard_size);
    if (fs::exists(folder) && !fs::is_directory(folder))
        throw UserError("cannot save in {}: it is a file", folder.string());
    std::error_code ignored, not_made;
    fs::create_directories(folder, not_made);
    if (not_made)
        throw_file_error("cannot make the folder", folder, not_made.value());
    Family family = options.safe_serialization ? Family{"model", ".safetensors"} : Family{"pytorch_model", ".bin"};
    if (options.adapter)
        family.stem = "adapter_model";
    auto shards = plan_shards(state, limit);
    if (shards.empty())
        shards.emplace_back();

    nlohmann::json weight_map = nlohmann::json::object();
    std::uint64_t total = 0;
    std::vector<std::string> names;
    fs::path aside = folder / fmt::format(".export-{}", ::getpid());
    fs::remove_all(aside, ignored);
    try {
        make_private_folder(aside);
        for (std::size_t i = 0; i < shards.size(); ++i) {
            names.push_back(shards.size() == 1 ? family.whole() : family.shard(i, shards.size()));
            NamedTensors tensors;
            for (std::size_t index : shards[i]) {
                weight_map[state[index].first] = names.back();
                tensors.push_back(state[index]);
            }
            write_file(aside, file_of(names.back(), std::move(tensors), options.safe_serialization));
        }
        std::vector<std::size_t> first = first_of_same_memory(state);
        for (std::size_t i = 0; i < state.size(); ++i)
            if (first[i] == i)
                total += static_cast<std::uint64_t>(state[i].second.numel()) * state[i].second.element_size();
        if (shards.size() > 1) {
            nlohmann::json index{{"metadata", {{"total_size", total}}}, {"weight_map", weight_map}};
            write_file_atomically(aside / family.index(),
                                  json_text(index, {.indent = 2, .characters = JsonText::ascii}) + "\n", true,
                                  kUserFileMode);
            names.push_back(family.index());
        }
        std::vector<fs::path> stale = earlier_files(folder, family);
        for (const std::string& name : names) {
            fs::rename(aside / name, folder / name);
            exported.files.push_back(folder / name);
        }
        sync_path(folder);
        for (const fs::path& file : stale)
            if (std::find(names.begin(), names.end(), file.filename().string()) == names.end())
                fs::remove(file, ignored);
        fs::remove_all(aside, ignored);
    } catch (const fs::filesystem_error& error) {
        fs::remove_all(aside, ignored);
        throw_file_error("cannot save in", folder, error.code().value());
    } catch (...) {
        fs::remove_all(aside, ignored);
        throw;
    }
    return exported;
}

NamedTensors unwrapped(const NamedTensors& state) {
    constexpr std::string_view kWrappers[] = {"module.", "_orig_mod."};
    NamedTensors result = state;
    for (auto& [name, tensor] : result)
        for (bool changed = true; changed;) {
            changed = false;
            for (std::string_view wrapper : kWrappers)
                if (name.starts_with(wrapper)) {
                    name.erase(0, wrapper.size());
                    changed = true;
                }
        }
    return result;
}

}  // namespace trainyard::checkpoint
