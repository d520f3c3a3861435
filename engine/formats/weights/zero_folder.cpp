// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/zero_folder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/filesystem.h"
#include "base/printable.h"
#include "base/regular_file.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kOptimizerEnding = "_optim_states.pt", kModelEnding = "_model_states.pt";
constexpr std::uint64_t kLongestTag = 4096;

bool ends_zero_file(const fs::path& folder, std::string_view ending) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().filename().string().ends_with(ending))
            return true;
    return false;
}

/// Runs of digits count as numbers, so that rank 10 comes after rank 2.
std::vector<std::pair<std::string, std::uint64_t>> natural_key(const std::string& name) {
    std::vector<std::pair<std::string, std::uint64_t>> key(1);
    bool digits = false;
    for (char letter : name) {
        const bool digit = letter >= '0' && letter <= '9';
        if (digits && !digit)
            key.emplace_back();
        digits = digit;
        if (digit)
            key.back().second = key.back().second * 10 + static_cast<std::uint64_t>(letter - '0');
        else
            key.back().first += letter;
    }
    return key;
}

/// The folder that `latest` names; empty: there is no such file, or it names no folder in this one.
std::string tag_of(const fs::path& folder) {
    std::string tag = read_head(folder / "latest", kLongestTag);
    while (!tag.empty() && (tag.back() == '\n' || tag.back() == ' ' || tag.back() == '\r'))
        tag.pop_back();
    const bool plain =
        tag != "." && tag != ".." && tag.find('/') == std::string::npos && tag.find('\0') == std::string::npos;
    return plain ? tag : "";
}

std::uint64_t count_of(std::span<const std::int64_t> shape) {
    return static_cast<std::uint64_t>(element_count(shape).value_or(0));
}

/// Whether the elements lie one behind the other.
bool is_flat(const TensorPart& part) {
    std::int64_t expected = 1;
    for (std::size_t d = part.shape.size(); d-- > 0;) {
        if (part.shape[d] != 1 && part.strides[d] != expected)
            return false;
        expected *= part.shape[d];
    }
    return true;
}

}  // namespace

bool ZeroFolder::is_one(const fs::path& folder) {
    return ends_zero_file(folder, kOptimizerEnding);
}

fs::path ZeroFolder::states_without_optimizer(const fs::path& folder) {
    static constexpr const char* kModule = "mp_rank_00_model_states.pt";
    const auto is_alone = [](const fs::path& step) {
        std::size_t states = 0;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(step, error)) {
            const std::string name = entry.path().filename().string();
            if (name.ends_with(kOptimizerEnding))
                return false;
            states += name.ends_with(kModelEnding) ? 1 : 0;
        }
        return states == 1 && fs::exists(step / kModule, error);
    };
    if (is_alone(folder))
        return folder / kModule;
    const std::string tag = tag_of(folder);
    return !tag.empty() && is_alone(folder / tag) ? folder / tag / kModule : fs::path();
}

ZeroPlace ZeroFolder::locate(const fs::path& folder) {
    if (ends_zero_file(folder, kOptimizerEnding))
        return {folder, ""};
    const std::string tag = tag_of(folder);
    if (!tag.empty() && ends_zero_file(folder / tag, kOptimizerEnding))
        return {folder / tag, ""};
    std::vector<std::string> steps;
    std::error_code error;
    // Folders of Accelerate's save_state are models and not steps.
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (std::error_code ignored; !entry.path().filename().string().starts_with("pytorch_model") &&
                                     entry.is_directory(ignored) && !entry.is_symlink(ignored) &&
                                     ends_zero_file(entry.path(), kOptimizerEnding) &&
                                     ends_zero_file(entry.path(), kModelEnding))
            steps.push_back(entry.path().filename().string());
    if (steps.empty())
        return {};
    std::ranges::sort(steps, {}, natural_key);
    const auto is_whole = [&](const std::string& step) {
        try {
            const ZeroFolder whole(folder / step);
            return true;
        } catch (const UserError&) {
            return false;
        }
    };
    const auto newest = std::find_if(steps.rbegin(), steps.rend(), is_whole);
    const std::string& taken = newest == steps.rend() ? steps.back() : *newest;
    const Message why =
        tag.empty() ? Message("{} has no file 'latest'", folder.string())
                    : Message("{} names {}, which is missing", (folder / "latest").string(), text::printable(tag, 80));
    return {folder / taken, Message("{}: {}, the newest whole step, is read", why, taken)};
}

ZeroFolder::ZeroFolder(const fs::path& folder) : folder_(folder) {
    const std::vector<std::size_t> models = open(std::string(kModelEnding));
    if (models.empty())
        throw UserError("{} has no *{}, which names the parameters: the checkpoint was not saved to its end",
                        folder.string(), kModelEnding);
    read_optimizers(open(std::string(kOptimizerEnding)));
    read_model(models);
}

void ZeroFolder::fail(std::size_t file, const Message& what) const {
    throw UserError("{} is not a file of a whole ZeRO checkpoint: {}", paths_[file].string(), what);
}

std::vector<std::size_t> ZeroFolder::open(const std::string& ending) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
        if (std::string name = entry.path().filename().string(); name.ends_with(ending))
            names.push_back(std::move(name));
    std::ranges::sort(names, {}, natural_key);
    std::vector<std::size_t> opened;
    for (const std::string& name : names) {
        opened.push_back(files_.size());
        paths_.push_back(folder_ / name);
        files_.push_back(std::make_unique<TorchFile>(paths_.back()));
    }
    return opened;
}

void ZeroFolder::read_optimizers(const std::vector<std::size_t>& files) {
    ranks_ = files.size();
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        const std::size_t file = files[rank];
        const Value* state = find(files_[file]->root(), "optimizer_state_dict");
        const Value* stage = state == nullptr ? nullptr : find(*state, "zero_stage");
        // An enum is pickled as a call with its number.
        if (stage != nullptr && stage->kind == Kind::record && !stage->items().empty() &&
            stage->items()[0].items().size() == 1)
            stage = &stage->items()[0].items()[0];
        if (stage == nullptr || stage->kind != Kind::integer || stage->integer < 1 || stage->integer > 3)
            fail(file, "it names no stage of ZeRO from 1 to 3");
        if (rank > 0 && stage->integer != stage_)
            fail(file, Message("it is of stage {}, and the first file of stage {}", stage->integer, stage_));
        stage_ = static_cast<int>(stage->integer);
        if (const Value* count = find(*state, "partition_count"); count != nullptr) {
            std::int64_t wanted = count->kind == Kind::integer ? count->integer : 0;
            for (const Value& item : count->items())
                wanted = std::max(wanted, item.kind == Kind::integer ? item.integer : 0);
            if (wanted != static_cast<std::int64_t>(files.size()))
                throw UserError(missing_ranks(files, wanted));
        }
        const char* key = stage_ == 3 ? "fp32_flat_groups" : "single_partition_of_fp32_groups";
        const Value* groups = find(*state, key);
        if (groups == nullptr || (groups->kind != Kind::list && groups->kind != Kind::tuple))
            fail(file, Message("it has no list '{}'", key));
        const std::size_t count = stage_ == 3 ? 1 : groups->items().size();
        if (rank == 0)
            flat_.assign(count, std::vector<std::vector<ZeroPiece>>(files.size()));
        if (flat_.size() != count)
            fail(file, Message("it has {} groups of parameters, and the first file {}", count, flat_.size()));
        for (std::size_t group = 0; group < groups->items().size(); ++group) {
            const Value& item = groups->items()[group];
            if (item.kind != Kind::tensor || !is_flat(*item.object->tensor) || item.object->tensor->dtype != "float32")
                fail(file, Message("an item of '{}' is not a flat float32 tensor", key));
            flat_[stage_ == 3 ? 0 : group][rank].push_back(
                {file, item.object->tensor.get(), 0, count_of(item.object->tensor->shape)});
        }
    }
}

/// Which files of `wanted` ranks are not there, by the numbers in the names of the others.
Message ZeroFolder::missing_ranks(const std::vector<std::size_t>& files, std::int64_t wanted) const {
    static const std::regex pattern(R"((.*zero_pp_rank_)(\d{1,9})(_.*))");
    std::set<std::int64_t> there;
    std::string before, after;
    for (const std::size_t file : files) {
        const std::string name = paths_[file].filename().string();
        std::smatch parts;
        if (std::regex_match(name, parts, pattern)) {
            there.insert(std::stoll(parts[2]));
            before = parts[1];
            after = parts[3];
        }
    }
    std::vector<std::string> missing;
    constexpr std::size_t kMostNamed = 3;
    for (std::int64_t rank = 0; rank < wanted && there.size() == files.size() && missing.size() < kMostNamed; ++rank)
        if (!there.contains(rank))
            missing.push_back(fmt::format("{}{}{}", before, rank, after));
    if (missing.empty())
        return Message("{} was saved by {}, and there are {} files *{}: copy those of one checkpoint", folder_.string(),
                       text::ranks(wanted), files.size(), kOptimizerEnding);
    return Message("{} was saved by {}, and there are {} files *{}: copy {}", folder_.string(), text::ranks(wanted),
                   files.size(), kOptimizerEnding, fmt::join(missing, ", "));
}

void ZeroFolder::read_model(const std::vector<std::size_t>& files) {
    const std::size_t file = files.front();
    const Value& state = files_[file]->root();
    const Value* shapes = find(state, "param_shapes");
    if (shapes == nullptr || (shapes->kind != Kind::list && shapes->kind != Kind::tuple))
        fail(file, "it has no list 'param_shapes'");
    add_buffers(state, file);
    add_frozen(files);
    std::vector<std::vector<std::pair<std::string, std::vector<std::int64_t>>>> groups(
        stage_ == 3 ? 1 : shapes->items().size());
    for (std::size_t group = 0; group < shapes->items().size(); ++group) {
        std::span<const Value> items = shapes->items()[group].items();
        if (shapes->items()[group].kind != Kind::dict)
            fail(file, "an item of 'param_shapes' is not a dictionary");
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::vector<std::int64_t> shape;
            for (const Value& size : items[i + 1].items())
                shape.push_back(size.kind == Kind::integer ? size.integer : -1);
            if (items[i].kind != Kind::text || std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; }) ||
                !element_count(shape))
                fail(file, "an entry of 'param_shapes' is not a name with a shape");
            groups[stage_ == 3 ? 0 : group].emplace_back(std::string(items[i].text()), std::move(shape));
        }
    }
    if (groups.size() != flat_.size())
        fail(file,
             Message("it has {} groups of parameters, and the optimizer's files have {}", groups.size(), flat_.size()));
    for (std::size_t group = 0; group < groups.size(); ++group)
        add_trained(groups[group], group);
    add_shared(state);
    std::set<std::string_view> names;
    for (const ZeroTensor& tensor : tensors_)
        if (!names.insert(tensor.name).second)
            fail(file, Message("the name '{}' is there twice", tensor.name));
}

void ZeroFolder::add_buffers(const Value& state, std::size_t file) {
    const Value *names = find(state, "buffer_names"), *module = find(state, "module");
    if (names == nullptr || module == nullptr)
        return;
    std::set<std::string_view> buffers;
    for (const Value& name : names->items())
        buffers.insert(name.text());
    std::span<const Value> items = module->items();
    for (std::size_t i = 0; module->kind == Kind::dict && i < items.size(); i += 2) {
        if (!buffers.contains(items[i].text()) || items[i + 1].kind != Kind::tensor)
            continue;
        const TensorPart& part = *items[i + 1].object->tensor;
        if (!is_flat(part))
            fail(file, Message("the buffer '{}' is not contiguous", items[i].text()));
        tensors_.push_back({std::string(items[i].text()),
                            std::string(part.dtype),
                            part.shape,
                            {{file, &part, 0, count_of(part.shape)}}});
    }
}

void ZeroFolder::add_frozen(const std::vector<std::size_t>& files) {
    const Value* shapes = find(files_[files.front()]->root(), "frozen_param_shapes");
    if (shapes == nullptr || shapes->kind != Kind::dict)
        return;
    std::span<const Value> items = shapes->items();
    for (std::size_t i = 0; i < items.size(); i += 2) {
        ZeroTensor tensor{std::string(items[i].text()), "", {}, {}};
        for (const Value& size : items[i + 1].items())
            tensor.shape.push_back(size.integer);
        std::uint64_t left = count_of(tensor.shape);
        for (std::size_t rank = 0; rank < (stage_ == 3 ? files.size() : 1); ++rank) {
            const Value* fragments = find(files_[files[rank]]->root(), "frozen_param_fragments");
            const Value* fragment = fragments == nullptr ? nullptr : find(*fragments, tensor.name);
            if (fragment == nullptr || fragment->kind != Kind::tensor || !is_flat(*fragment->object->tensor))
                fail(files[rank], Message("it has no part of the frozen parameter '{}'", tensor.name));
            const TensorPart& part = *fragment->object->tensor;
            tensor.dtype = part.dtype;
            const std::uint64_t count = std::min(left, count_of(part.shape));
            if (count > 0)
                tensor.pieces.push_back({files[rank], &part, 0, count});
            left -= count;
        }
        if (left > 0)
            fail(files.front(),
                 Message("the parts of the frozen parameter '{}' are {} elements short", tensor.name, left));
        tensors_.push_back(std::move(tensor));
    }
}

void ZeroFolder::append(ZeroTensor& tensor, std::size_t rank, std::size_t group, std::uint64_t first,
                        std::uint64_t count) const {
    for (const ZeroPiece& flat : flat_[group][rank]) {
        if (first >= flat.count) {
            first -= flat.count;
            continue;
        }
        const std::uint64_t taken = std::min(count, flat.count - first);
        if (taken > 0)
            tensor.pieces.push_back({flat.file, flat.part, first, taken});
        count -= taken;
        first = 0;
        if (count == 0)
            return;
    }
    if (count > 0)
        fail(flat_[group][rank].empty() ? 0 : flat_[group][rank].front().file,
             Message("it is {} elements short of '{}'", count, tensor.name));
}

void ZeroFolder::add_trained(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes,
                             std::size_t group) {
    std::vector<std::uint64_t> held(ranks_, 0);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        for (const ZeroPiece& flat : flat_[group][rank])
            held[rank] += flat.count;
    std::uint64_t at = 0;
    for (const auto& [name, shape] : shapes) {
        ZeroTensor tensor{name, "float32", shape, {}};
        std::uint64_t left = count_of(shape);
        if (stage_ == 3) {
            // Every rank has an equal part of every parameter; the last ones end with padding.
            const std::uint64_t part = (left + ranks_ - 1) / ranks_;
            for (std::size_t rank = 0; rank < ranks_ && left > 0; ++rank) {
                append(tensor, rank, group, at, std::min(part, left));
                left -= std::min(part, left);
            }
            at += part;
        } else {
            // The ranks' parts one behind the other are all parameters one behind the other.
            std::uint64_t first = at;
            for (std::size_t rank = 0; rank < ranks_ && left > 0; ++rank) {
                if (first >= held[rank]) {
                    first -= held[rank];
                    continue;
                }
                const std::uint64_t taken = std::min(left, held[rank] - first);
                append(tensor, rank, group, first, taken);
                left -= taken;
                first = 0;
            }
            if (left > 0)
                throw UserError("{} is {} elements short of '{}': a file of the checkpoint is from another one",
                                folder_.string(), left, name);
            at += count_of(shape);
        }
        tensors_.push_back(std::move(tensor));
    }
    // The remaining elements must be padding.
    const std::uint64_t all = std::accumulate(held.begin(), held.end(), std::uint64_t{0});
    const std::uint64_t unit = 2 * ranks_;
    const bool fits = stage_ == 3 ? std::ranges::all_of(held, [&](std::uint64_t one) { return one == at; })
                                  : (all + unit - 1) / unit == (at + unit - 1) / unit;
    if (!fits)
        throw UserError(
            "{} holds {} elements where its parameters need {}: files of different checkpoints are "
            "mixed",
            folder_.string(), stage_ == 3 ? held.front() : all, at);
}

void ZeroFolder::add_shared(const Value& state) {
    const Value* shared = find(state, "shared_params");
    if (shared == nullptr || shared->kind != Kind::dict)
        return;
    std::map<std::string, std::size_t, std::less<>> by_name;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        by_name.emplace(tensors_[i].name, i);
    std::span<const Value> items = shared->items();
    for (std::size_t i = 0; i < items.size(); i += 2)
        if (auto found = by_name.find(items[i + 1].text());
            found != by_name.end() && !by_name.contains(items[i].text())) {
            ZeroTensor copy = tensors_[found->second];
            copy.name = std::string(items[i].text());
            tensors_.push_back(std::move(copy));
        }
}

std::span<const std::byte> ZeroFolder::bytes(const ZeroPiece& piece, bool trusted) const {
    const std::size_t element = element_size(piece.part->dtype);
    return files_[piece.file]
        ->contiguous_bytes(*piece.part, trusted)
        .subspan(piece.first * element, piece.count * element);
}

}  // namespace trainyard::weights
