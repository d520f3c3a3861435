// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/adapter_file.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "config/inputs/stored_head.h"
#include "models/spec/family.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostNamed = 5;

Message first_of(std::vector<std::string> names) {
    const std::size_t count = names.size();
    names.resize(std::min(count, kMostNamed));
    return count > kMostNamed ? Message("{} and {} more", fmt::join(names, ", "), count - kMostNamed)
                              : Message::verbatim(fmt::format("{}", fmt::join(names, ", ")));
}

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// The name without what models in wrappers have in it: PEFT's "base_model.model.", the adapter's own name
/// (lora_A.default.weight, modules_to_save.default), the base_layer that an adapted module's own weights are in.
std::string unwrapped_name(const std::string& stored) {
    constexpr std::string_view kWrapper = "base_model.model.";
    std::string name = stored;
    while (name.starts_with(kWrapper))
        name.erase(0, kWrapper.size());
    const std::vector<std::string> parts = parts_of(name);
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t left = parts.size() - i - 1;
        if (parts[i] == "modules_to_save" && left > 0) {
            i += left > 1 ? 1 : 0;
            continue;
        }
        if (parts[i] == "base_layer" && left == 1)
            continue;
        kept.push_back(parts[i]);
        if ((parts[i] == "lora_A" || parts[i] == "lora_B") && left == 2)
            ++i;
    }
    return fmt::format("{}", fmt::join(kept, "."));
}

/// The shortest of the names that files have for a tensor: without the prefix of the model in a head's wrapper.
std::string key_of(const std::string& name) {
    std::string shortest = name;
    for (const std::string& other : families::stored_names(name))
        if (other.size() < shortest.size() && name.ends_with(other))
            shortest = other;
    return shortest;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

/// Matches one file. Collects every problem, and throws them together.
class AdapterMatcher {
  public:
    AdapterMatcher(const weights::WeightSource& source, const fs::path& path) : source_(source), path_(path) {
        for (std::size_t i = 0; i < source.tensors().size(); ++i) {
            const std::string& name = source.tensors()[i].name;
            const auto [at, is_first] = by_key_.emplace(key_of(unwrapped_name(name)), i);
            if (is_first)
                continue;
            twice_.insert(i);
            if (!equal_tensors(source, at->second, i))
                problems_.push_back(
                    Message("{} and {} are different values of the same tensor: save one adapter without its "
                            "name",
                            source.tensors()[at->second].name, name));
        }
    }

    void match(const std::vector<AdapterTarget>& wanted, const std::vector<AdapterTarget>& others) {
        for (const AdapterTarget& target : wanted)
            if (const std::optional<std::size_t> found = take(target))
                result_.wanted.push_back(*found);
            else
                missing_.push_back("base_model.model." + target.name);
        for (std::size_t i = 0; i < others.size(); ++i)
            if (const std::optional<std::size_t> found = take(others[i]))
                result_.whole.push_back({*found, i});
        for (const AdapterTarget& target : others)
            modules_.insert(key_of(target.name));
    }

    /// The second name of a tied head is what the table is, too.
    void take_tied_head(const std::string& head, const std::string& table) {
        const auto found = by_key_.find(key_of(head));
        if (head.empty() || found == by_key_.end())
            return;
        used_.insert(found->second);
        const auto beside = by_key_.find(key_of(table));
        if (beside == by_key_.end() || !equal_tensors(source_, found->second, beside->second))
            problems_.push_back(
                Message("{} differs from {}, and the model has one tensor for both (tie_word_embeddings): "
                        "use the adapter with a model that has a head of its own",
                        source_.tensors()[found->second].name, table));
    }

    AdapterFile::Match finish() {
        std::vector<std::string> parts, others;
        for (std::size_t i = 0; i < source_.tensors().size(); ++i) {
            const std::string& name = source_.tensors()[i].name;
            if (used_.contains(i) || twice_.contains(i))
                continue;
            (name.find("lora_") != std::string::npos ? parts : others).push_back(name);
        }
        if (!missing_.empty()) {
            std::vector<std::string> found = parts;
            found.insert(found.end(), others.begin(), others.end());
            problems_.insert(problems_.begin(), found.empty() ? Message("it has no tensor {}", first_of(missing_))
                                                              : Message("it has no tensor {}; of other names it has {}",
                                                                        first_of(missing_), first_of(found)));
        } else if (!parts.empty()) {
            refuse_parts(parts);
        }
        if (!problems_.empty())
            throw UserError("{} does not fit this model: {}", path_.string(), Message::joined(problems_, "; "));
        if (!others.empty())
            result_.warnings.push_back(
                Message("{} has tensors that neither the model nor its adapter has, and they are not used: {}",
                        path_.string(), first_of(others)));
        return std::move(result_);
    }

  private:
    std::optional<std::size_t> take(const AdapterTarget& target) {
        const auto found = by_key_.find(key_of(target.name));
        if (found == by_key_.end())
            return std::nullopt;
        used_.insert(found->second);
        const weights::SourceTensor& tensor = source_.tensors()[found->second];
        if (tensor.shape != target.shape)
            problems_.push_back(Message("{} has the shape {} instead of {}", tensor.name, shape_text(tensor.shape),
                                        shape_text(target.shape)));
        static const std::set<std::string> numbers{"F64", "F32", "F16", "BF16"};
        if (!numbers.contains(tensor.dtype))
            problems_.push_back(
                Message("{} has elements of type {}: give them as F32, F16 or BF16", tensor.name, tensor.dtype));
        return found->second;
    }

    /// Names tensors of adapters that have no place in the model's, by the reason.
    void refuse_parts(const std::vector<std::string>& names) {
        std::vector<std::string> of_method, of_module, of_other_model;
        for (const std::string& name : names) {
            const std::string plain = unwrapped_name(name);
            const std::string module = plain.substr(0, plain.find(".lora_"));
            const bool is_pair = plain.ends_with(".lora_A.weight") || plain.ends_with(".lora_B.weight");
            if (!modules_.contains(key_of(module + ".weight")))
                of_other_model.push_back(name);
            else
                (is_pair ? of_module : of_method).push_back(name);
        }
        const auto refuse = [&](const Message& why, const std::vector<std::string>& all) {
            if (!all.empty())
                problems_.push_back(Message("{}: {}", why, first_of(all)));
        };
        refuse(
            "the adapter was trained in a way that is not computed, such as DoRA (lora_magnitude_vector), with "
            "biases or for an embedding, so merge it with PEFT, or remove these tensors",
            of_method);
        refuse(
            "these modules get no adapter, because target_modules in adapter_config.json does not name them, or "
            "because they are an output layer, so complete it, or remove these tensors",
            of_module);
        refuse("the model has no such modules", of_other_model);
    }

    const weights::WeightSource& source_;
    const fs::path& path_;
    std::map<std::string, std::size_t> by_key_;
    std::set<std::size_t> used_, twice_;
    std::set<std::string> modules_;  ///< weights of the model that are not of the adapter
    std::vector<Message> problems_;
    std::vector<std::string> missing_;
    AdapterFile::Match result_;
};

}  // namespace

fs::path adapter_file_in(const fs::path& folder) {
    std::error_code error;
    const fs::path safe = folder / "adapter_model.safetensors", torch = folder / "adapter_model.bin";
    return !fs::exists(safe, error) && fs::exists(torch, error) ? torch : safe;
}

AdapterFile::AdapterFile(const fs::path& path) : path_(path) {
    std::error_code error;
    if (fs::is_directory(path, error))
        path_ = adapter_file_in(path);
    if (!fs::is_regular_file(path_, error))
        throw UserError(
            "{} does not exist: name a folder of PEFT's layout, with "
            "adapter_model.safetensors",
            path_.string());
    source_ = weights::open_weights(path_);
}

AdapterFile::Match AdapterFile::match(const std::vector<AdapterTarget>& wanted,
                                      const std::vector<AdapterTarget>& others, const std::string& tied_head,
                                      const std::string& tied_table) const {
    AdapterMatcher matcher(*source_, path_);
    matcher.match(wanted, others);
    matcher.take_tied_head(tied_head, tied_table);
    return matcher.finish();
}

AdapterFile::Match AdapterFile::match_to_train(const std::vector<AdapterTarget>& wanted,
                                               const std::vector<AdapterTarget>& others,
                                               const config::ModelRecipe& model) const {
    const bool tied = model.tie_word_embeddings;
    Match found = match(wanted, others, tied ? families::family_of(model).head_name() : std::string(),
                        tied ? tied_table(model) : std::string());
    if (!found.whole.empty())
        throw UserError(
            "{} brings {}, which checkpoints of an adapter would lack: name its module in "
            "lora.modules_to_save, or merge the adapter first (trainyard merge-adapter)",
            path_.string(), others[found.whole.front().other].name);
    if (!found.warnings.empty())
        throw UserError("{}; remove them from the file", found.warnings.front());
    return found;
}

}  // namespace trainyard::inputs
