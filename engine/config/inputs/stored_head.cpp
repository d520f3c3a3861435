// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/stored_head.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "config/inputs/model_folder.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::inputs {

namespace {

/// The bytes of a tensor, in `copy` where no mapped file has them in one piece.
std::span<const std::byte> bytes_of(const weights::WeightSource& source, std::size_t tensor,
                                    std::vector<std::byte>& copy) {
    if (const std::span<const std::byte> mapped = source.mapped(tensor, false); !mapped.empty())
        return mapped;
    copy.reserve(source.tensors()[tensor].bytes);
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { copy.insert(copy.end(), piece.begin(), piece.end()); });
    return copy;
}

}  // namespace

bool equal_tensors(const weights::WeightSource& source, std::size_t a, std::size_t b) {
    const weights::SourceTensor &first = source.tensors()[a], &second = source.tensors()[b];
    if (first.dtype != second.dtype || first.shape != second.shape)
        return false;
    std::vector<std::byte> copy_a, copy_b;
    return std::ranges::equal(bytes_of(source, a, copy_a), bytes_of(source, b, copy_b));
}

std::string tied_table(const families::ModelConfig& config) {
    families::ModelConfig tied = config;
    tied.tie_word_embeddings = true;
    for (const families::TensorShape& tensor : families::family_of(config).tensors(tied))
        if (tensor.tied_to_head)
            return tensor.name;
    return {};
}

StoredHead stored_head(const weights::WeightSource& source, const families::ModelConfig& config) {
    StoredHead found;
    const families::Family& family = families::family_of(config);
    found.table = tied_table(config);
    if (found.table.empty() || family.head_name().empty())
        return found;
    const std::vector<std::string> tables = families::stored_names(found.table),
                                   heads = families::stored_names(family.head_name());
    std::optional<std::size_t> table;
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
        const std::string& name = source.tensors()[i].name;
        if (std::ranges::find(heads, name) != heads.end()) {
            found.head = name;
            found.tensor = i;
        } else if (std::ranges::find(tables, name) != tables.end()) {
            table = i;
        }
    }
    found.differs = !found.head.empty() && table && !equal_tensors(source, found.tensor, *table);
    return found;
}

std::optional<StoredHead> head_against_config(const weights::WeightSource& source,
                                              const families::ModelConfig& config) {
    if (!config.tie_word_embeddings || families::family_of(config).head_is_as_stored())
        return std::nullopt;
    StoredHead head = stored_head(source, config);
    return head.differs ? std::optional(std::move(head)) : std::nullopt;
}

Message note_of_head(const weights::WeightSource& source, const std::filesystem::path& weights, bool writes_config) {
    std::filesystem::path file = config_file(weights);
    if (file.empty() && !writes_config)
        file = config_file(std::filesystem::absolute(weights / ".").lexically_normal().parent_path().parent_path());
    families::ModelConfig config;
    try {
        config = families::read_config(config_text(file), file.string()).config;
    } catch (const UserError&) {
        return {};  // a writer of weights needs no model that this version knows
    }
    const std::optional<StoredHead> head = head_against_config(source, config);
    if (!head)
        return {};
    return writes_config ? Message(
                               "{} has tie_word_embeddings: true, and the weights have a head of their "
                               "own, {}, which differs from {}: both are written, and "
                               "tie_word_embeddings as false",
                               file.string(), head->head, head->table)
                         : Message(
                               "{} has tie_word_embeddings: true, and the weights have a head of their "
                               "own, {}, which differs from {}: both are written; set "
                               "tie_word_embeddings to false in the config.json that is used with the "
                               "result",
                               file.string(), head->head, head->table);
}

}  // namespace trainyard::inputs
