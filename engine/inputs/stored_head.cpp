#include "inputs/stored_head.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "families/family.h"

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

}  // namespace trainyard::inputs
