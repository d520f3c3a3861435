// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Entities that the classes of words mark (token_classification), as seqeval finds them: Ramshaw and Marcus, "Text
// chunking using transformation-based learning", 1995 (IOB), and its successors.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/choices.h"
#include "models/spec/model_config.h"

namespace trainyard::config {

struct Entity {
    std::size_t type = 0;              ///< place in TagReader::types()
    std::int64_t first = 0, last = 0;  ///< words
    bool operator==(const Entity&) const = default;
};

/// Names of classes as tags: a letter of a scheme, alone or with the type of the entity after it: B-PER, I-PER, O.
class TagReader {
  public:
    TagReader(const std::vector<std::string>& classes, EntityScheme scheme);
    /// Types of entities, in bytewise order.
    const std::vector<std::string>& types() const { return types_; }
    /// Entities of one sequence of classes, in their order.
    std::vector<Entity> entities(std::span<const std::int64_t> classes) const;

  private:
    struct Tag {
        char prefix = 'O';
        std::size_t type = 0;
        bool operator==(const Tag&) const = default;
    };
    std::vector<Entity> lenient_entities(std::span<const std::int64_t> classes) const;
    std::vector<Entity> strict_entities(std::span<const std::int64_t> classes) const;
    const Tag& tag(std::int64_t number) const { return tags_[static_cast<std::size_t>(number)]; }

    EntityScheme scheme_;
    std::vector<std::string> types_;
    std::vector<Tag> tags_;  ///< of each class
    Tag outside_;
};

/// Why the names of the model's classes are not tags of the scheme; empty if they are.
Message why_no_tags(const families::ModelConfig& model, EntityScheme scheme);

}  // namespace trainyard::config
