// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/entity_tags.h"

#include <algorithm>
#include <string_view>

#include "models/spec/labels.h"

namespace trainyard::config {

namespace {

/// Which types two neighbouring tags have.
enum class Types : unsigned char { any, same, different };

/// Two neighbouring tags, by the letters that each may have.
struct TagPair {
    std::string_view before, now;
    Types types = Types::any;
};

/// A scheme by its pairs of tags: where an entity begins, continues, and has ended before the second tag.
struct SchemeRow {
    std::string_view prefixes;
    std::vector<TagPair> begins, continues, ends;
};

/// The tables of seqeval's schemes.
const SchemeRow& row_of(EntityScheme scheme) {
    using enum Types;
    constexpr std::string_view all = "IOBESUL";
    static const SchemeRow iob1{
        "IOB",
        {{"O", "I"}, {"I", "I", different}, {"B", "I"}, {"I", "B", same}, {"B", "B", same}},
        {{"B", "I", same}, {"I", "I", same}},
        {{"I", "I", different}, {"I", "O"}, {"I", "B"}, {"B", "O"}, {"B", "I", different}, {"B", "B", same}}};
    static const SchemeRow iob2{
        "IOB",
        {{all, "B"}},
        {{"B", "I", same}, {"I", "I", same}},
        {{"I", "O"}, {"I", "I", different}, {"I", "B"}, {"B", "O"}, {"B", "I", different}, {"B", "B"}}};
    static const SchemeRow ioe1{
        "IOE",
        {{"O", "I"}, {"I", "I", different}, {"E", "I"}, {"E", "E", same}},
        {{"I", "I", same}, {"I", "E", same}},
        {{"I", "I", different}, {"I", "O"}, {"I", "E", different}, {"E", "I", same}, {"E", "E", same}}};
    static const SchemeRow ioe2{
        "IOE",
        {{"O", "I"}, {"O", "E"}, {"E", "I"}, {"E", "E"}, {"I", "I", different}, {"I", "E", different}},
        {{"I", "E", same}, {"I", "I", same}},
        {{"E", all}}};
    static const SchemeRow iobes{"IOBES", {{all, "B"}, {all, "S"}}, {{"BI", "IE", same}}, {{"S", all}, {"E", all}}};
    static const SchemeRow bilou{"BILOU", {{all, "B"}, {all, "U"}}, {{"BI", "IL", same}}, {{"U", all}, {"L", all}}};
    switch (scheme) {
        case EntityScheme::iob1:
            return iob1;
        case EntityScheme::ioe1:
            return ioe1;
        case EntityScheme::ioe2:
            return ioe2;
        case EntityScheme::iobes:
            return iobes;
        case EntityScheme::bilou:
            return bilou;
        default:
            return iob2;
    }
}

/// The letters of all schemes, and those of them that conlleval knows.
constexpr std::string_view kLenientPrefixes = "IOBES";

std::string_view prefixes_of(EntityScheme scheme) {
    return scheme == EntityScheme::lenient ? kLenientPrefixes : row_of(scheme).prefixes;
}

/// The type after the letter; _ if there is none.
std::string type_of_tag(std::string_view name, EntityScheme scheme) {
    std::string_view type = name.substr(std::min<std::size_t>(1, name.size()));
    if (scheme == EntityScheme::lenient) {
        if (const std::size_t dash = type.find('-'); dash != std::string_view::npos)
            type.remove_prefix(dash + 1);
    } else {
        while (type.starts_with('-'))
            type.remove_prefix(1);
        while (type.ends_with('-'))
            type.remove_suffix(1);
    }
    return type.empty() ? "_" : std::string(type);
}

bool ends_chunk(char before, char now, bool same_type) {
    if (before == 'E' || before == 'S')
        return true;
    if ((before == 'B' || before == 'I') && (now == 'B' || now == 'S' || now == 'O'))
        return true;
    return before != 'O' && !same_type;
}

bool begins_chunk(char before, char now, bool same_type) {
    if (now == 'B' || now == 'S')
        return true;
    if ((before == 'E' || before == 'S' || before == 'O') && (now == 'E' || now == 'I'))
        return true;
    return now != 'O' && !same_type;
}

}  // namespace

TagReader::TagReader(const std::vector<std::string>& classes, EntityScheme scheme) : scheme_(scheme) {
    types_.emplace_back("_");
    for (const std::string& name : classes)
        types_.push_back(type_of_tag(name, scheme));
    std::ranges::sort(types_);
    types_.erase(std::ranges::unique(types_).begin(), types_.end());
    const auto place_of = [&](const std::string& type) {
        return static_cast<std::size_t>(std::ranges::lower_bound(types_, type) - types_.begin());
    };
    outside_ = {'O', place_of("_")};
    for (const std::string& name : classes)
        tags_.push_back({name.empty() ? 'O' : name[0], place_of(type_of_tag(name, scheme))});
}

std::vector<Entity> TagReader::entities(std::span<const std::int64_t> classes) const {
    return scheme_ == EntityScheme::lenient ? lenient_entities(classes) : strict_entities(classes);
}

std::vector<Entity> TagReader::lenient_entities(std::span<const std::int64_t> classes) const {
    std::vector<Entity> found;
    Tag before = outside_;
    std::int64_t first = 0;
    const auto length = std::ssize(classes);
    for (std::int64_t i = 0; i <= length; ++i) {
        const Tag now = i < length ? tag(classes[static_cast<std::size_t>(i)]) : outside_;
        // Nothing precedes the first word, which differs from every type.
        const bool same = i > 0 && before.type == now.type;
        if (ends_chunk(before.prefix, now.prefix, same))
            found.push_back({before.type, first, i - 1});
        if (begins_chunk(before.prefix, now.prefix, same))
            first = i;
        before = now;
    }
    return found;
}

std::vector<Entity> TagReader::strict_entities(std::span<const std::int64_t> classes) const {
    const SchemeRow& row = row_of(scheme_);
    const auto matches = [](const std::vector<TagPair>& pairs, const Tag& before, const Tag& now) {
        return std::ranges::any_of(pairs, [&](const TagPair& pair) {
            return pair.before.find(before.prefix) != std::string_view::npos &&
                   pair.now.find(now.prefix) != std::string_view::npos &&
                   (pair.types == Types::any || (pair.types == Types::same) == (before.type == now.type));
        });
    };
    std::vector<Tag> tags;
    for (const std::int64_t each : classes)
        tags.push_back(tag(each));
    tags.push_back(outside_);
    std::vector<Entity> found;
    Tag before = outside_;
    for (std::size_t i = 0; i < tags.size();) {
        if (!matches(row.begins, before, tags[i])) {
            before = tags[i++];
            continue;
        }
        std::size_t end = i + 1;  // the word outside at the end begins and continues nothing
        while (matches(row.continues, tags[end - 1], tags[end]))
            ++end;
        if (matches(row.ends, tags[end - 1], tags[end]))
            found.push_back({tags[i].type, static_cast<std::int64_t>(i), static_cast<std::int64_t>(end) - 1});
        i = end;
        before = tags[i - 1];
    }
    return found;
}

Message why_no_tags(const families::ModelConfig& model, EntityScheme scheme) {
    const std::string_view prefixes = prefixes_of(scheme);
    for (const std::string& name : families::label_names(model)) {
        const bool known = !name.empty() && prefixes.find(name[0]) != std::string_view::npos &&
                           (name.size() == 1 || name[1] == '-') && (name[0] != 'O' || name.size() == 1);
        if (!known)
            return Message(
                "the class '{}' of model.id2label is not a tag of entities: seqeval needs names such as I-PER and O, "
                "with "
                "the letters {} of training.entity_scheme {}",
                name, prefixes, scheme);
    }
    return {};
}

}  // namespace trainyard::config
