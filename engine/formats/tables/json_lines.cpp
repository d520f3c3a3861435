// SPDX-License-Identifier: GPL-3.0-or-later
// JSON Lines (https://jsonlines.org): one object per line; or one list of objects, which may be over several lines each.
// The first rows determine the columns:
//
//   integers int64, if any has a fraction float64, true/false bool, strings text, lists of one of these a list;
//   members of nested objects become columns `outer.inner`, up to 8 levels deep;
//   everything else (lists of lists or objects, mixed types) is kept as JSON text without white space.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/tables/cell.h"
#include "formats/tables/json_list.h"
#include "formats/tables/record_table.h"

namespace trainyard::formats {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr int kDeepestObject = 8;
constexpr std::uint64_t kListHead = 4096;  ///< bytes in which a list of objects begins

/// Types of values seen, as bits.
enum Kind : unsigned { kBool = 1, kWhole = 2, kReal = 4, kText = 8, kObject = 16, kList = 32, kOther = 64 };

/// A member as seen in the first rows.
struct Member {
    std::string name;
    unsigned kinds = 0;
    unsigned element_kinds = 0;  ///< inside lists
    std::vector<std::unique_ptr<Member>> members;

    Member& member(std::string_view wanted) {
        for (const auto& one : members)
            if (one->name == wanted)
                return *one;
        members.push_back(std::make_unique<Member>());
        members.back()->name = wanted;
        return *members.back();
    }
};

/// The destination of a member's values.
struct Node {
    std::string name;
    std::size_t column = 0;  ///< index in the schema; leaves only
    bool leaf = false;
    bool raw = false;    ///< kept as JSON text
    bool wanted = true;  ///< it, or a member of it, is among the requested columns
    std::vector<Node> members;
};

std::optional<ElementType> type_of(unsigned kinds) {
    switch (kinds) {
        case kBool:
            return ElementType::boolean;
        case kWhole:
            return ElementType::i64;
        case kReal:
        case kReal | kWhole:
            return ElementType::f64;
        case kText:
            return ElementType::text;
        default:
            return std::nullopt;
    }
}

unsigned kind_of(element value) {
    switch (value.type()) {
        case element_type::BOOL:
            return kBool;
        case element_type::STRING:
            return kText;
        case element_type::OBJECT:
            return kObject;
        case element_type::ARRAY:
            return kList;
        case element_type::INT64:
            return kWhole;
        case element_type::UINT64:  // outside of int64
        case element_type::DOUBLE:
            return kReal;
        default:
            return 0;
    }
}

/// The offset after the '[' of a file that is a list of objects.
std::optional<std::uint64_t> list_begin(const std::filesystem::path& path) {
    const SourceFile file(path);
    std::string head(std::min<std::uint64_t>(file.size(), kListHead), '\0');
    file.read(0, std::as_writable_bytes(std::span(head)));
    const std::size_t mark = text::mark_bytes(head);
    if (const auto begin = json_list_begin(std::string_view(head).substr(mark)))
        return mark + *begin;
    return std::nullopt;
}

class JsonLinesTable : public RecordTable {
  public:
    JsonLinesTable(const std::filesystem::path& path, std::optional<std::uint64_t> list, const ReadOptions& options)
        : RecordTable(path, list ? RecordKind::json_list : RecordKind::filled_lines, options) {
        if (list)
            begin_data(*list);
        Member root;
        first_records(
            [&](std::string_view record, std::uint64_t byte) { observe_members(object_of(record, byte), root, 0); });
        std::vector<std::string> names;
        root_ = make_node(root, "", names);
        choose_columns(names);
    }

  private:
    simdjson::dom::object object_of(std::string_view record, std::uint64_t byte) {
        // The scanner guarantees readable bytes after every record.
        static_assert(simdjson::SIMDJSON_PADDING <= RecordScanner::kPadding);
        element document;
        if (auto error = parser_.parse(record.data(), record.size(), /*realloc_if_needed=*/false).get(document))
            fail(byte, 0,
                 kind_ == RecordKind::json_list
                     ? Message("the element of the list that begins here is not valid JSON: {}",
                               simdjson::error_message(error))
                 : record.find_first_not_of(" \t[") == std::string_view::npos || record.starts_with('[')
                     ? "this line begins a list, and JSON Lines has an object in each line: write one object per line"
                     : Message("this line is not valid JSON: {}", simdjson::error_message(error)));
        simdjson::dom::object object;
        if (document.get(object) != simdjson::SUCCESS)
            fail(byte, 0,
                 kind_ == RecordKind::json_list
                     ? Message("the element of the list that begins here is not a JSON object")
                     : Message("this line is not a JSON object ({...})"));
        return object;
    }

    void observe_members(simdjson::dom::object object, Member& parent, int depth) {
        for (auto [name, value] : object)
            observe(value, parent.member(name), depth + 1);
    }

    void observe(element value, Member& member, int depth) {
        unsigned kind = kind_of(value);
        member.kinds |= kind;
        if (kind == kObject) {
            if (depth >= kDeepestObject)
                member.kinds |= kOther;
            else
                observe_members(simdjson::dom::object(value), member, depth);
        } else if (kind == kList) {
            for (element inner : simdjson::dom::array(value))
                member.element_kinds |= inner.is_null() ? kOther : kind_of(inner);
        }
    }

    Node make_node(const Member& member, const std::string& prefix, std::vector<std::string>& names) {
        Node node;
        node.name = member.name;
        std::string path = prefix.empty() ? member.name : prefix + "." + member.name;
        bool root = names.empty() && prefix.empty() && member.name.empty() && member.kinds == 0;
        if (root || (member.kinds == kObject && !member.members.empty())) {
            for (const auto& inner : member.members)
                node.members.push_back(make_node(*inner, root ? "" : path, names));
            return node;
        }
        node.leaf = true;
        node.column = schema_.size();
        Field field{.name = path, .type = ElementType::text};
        if (member.kinds == kList && member.element_kinds == 0) {
            field.list = true;  // all lists so far are empty
            field.type = ElementType::i64;
            field.is_assumed = true;
        } else if (member.kinds == kList && type_of(member.element_kinds)) {
            field.list = true;
            field.type = *type_of(member.element_kinds);
        } else if (auto type = type_of(member.kinds)) {
            field.type = *type;
        } else if (member.kinds != 0) {
            node.raw = true;
        } else {
            field.is_assumed = true;
        }
        if (auto given = options_.types.find(path); given != options_.types.end()) {
            node.raw = given->second == ElementType::text && field.type != ElementType::text && !field.list;
            field.type = given->second;
            field.is_assumed = false;
        }
        const bool wanted =
            options_.columns.empty() ? !options_.only_readable : std::ranges::count(options_.columns, path) > 0;
        if (wanted && std::find(names.begin(), names.end(), path) != names.end())
            throw UserError(
                "{}: the member '{}' inside of an object has the name of another one: name the "
                "columns that you want",
                this->path().string(), path);
        names.push_back(path);
        schema_.push_back(std::move(field));
        return node;
    }

    void choose_columns(const std::vector<std::string>& names) {
        for (const auto& [name, type] : options_.types)
            if (find_field(schema_, name) == nullptr)
                throw UserError("{} has no member '{}', whose type was given{}", path().string(), name,
                                text::did_you_mean(name, names));
        if (options_.columns.empty())
            return;
        Schema wanted;
        std::vector<std::size_t> place(schema_.size(), schema_.size());
        for (const std::string& name : options_.columns) {
            const Field* field = find_field(schema_, name);
            if (field == nullptr)
                throw UserError("{} has no member '{}' in its first {} rows{}", path().string(), name,
                                options_.infer_rows, text::did_you_mean(name, names));
            place[static_cast<std::size_t>(field - schema_.data())] = wanted.size();
            wanted.push_back(*field);
        }
        auto renumber = [&](auto&& self, Node& node) -> void {
            if (node.leaf) {
                node.wanted = place[node.column] < schema_.size();
                node.column = place[node.column];
            }
            for (Node& inner : node.members)
                self(self, inner);
            if (!node.leaf)
                node.wanted = std::ranges::any_of(node.members, &Node::wanted);
        };
        renumber(renumber, root_);
        schema_ = std::move(wanted);
    }

    void append(std::string_view record, std::uint64_t byte, Table& table) override {
        append_members(object_of(record, byte), root_, byte, table);
        for (Column& column : table.columns) {
            if (column.rows == table.rows)
                column.append_missing();
            else if (!column.missing.empty() && std::ssize(column.missing) < column.rows)
                column.missing.push_back(0);
        }
    }

    void append_members(simdjson::dom::object object, const Node& parent, std::uint64_t byte, Table& table) {
        std::size_t expected = 0;  // usually, members have the same order in all records
        for (auto [name, value] : object) {
            const Node* node = nullptr;
            for (std::size_t i = 0; i < parent.members.size() && node == nullptr; ++i) {
                std::size_t at = (expected + i) % parent.members.size();
                if (parent.members[at].name == name) {
                    node = &parent.members[at];
                    expected = at + 1;
                }
            }
            if (node == nullptr) {
                if (!options_.columns.empty())
                    continue;
                fail(byte, 0,
                     Message("the member '{}' is in none of the first {} rows: name the columns that you want "
                             "or infer from more rows",
                             name, options_.infer_rows));
            }
            if (!node->wanted)
                continue;
            if (node->leaf) {
                append_value(value, *node, byte, table);
            } else if (simdjson::dom::object inner; value.get(inner) == simdjson::SUCCESS) {
                append_members(inner, *node, byte, table);
            } else if (!value.is_null()) {
                fail(byte, 0,
                     Message("the member '{}' is an object in the first {} rows and none here", name,
                             options_.infer_rows));
            }
        }
    }

    void append_value(element value, const Node& node, std::uint64_t byte, Table& table) {
        Column& column = table.columns[node.column];
        if (column.rows > table.rows)
            fail(byte, 0, Message("the member '{}' is there twice", column.field.name));
        if (value.is_null()) {
            column.append_missing();
            return;
        }
        bool fits = true;
        if (node.raw) {
            column.append_text(simdjson::minify(value));
        } else if (column.field.list) {
            simdjson::dom::array list;
            fits = value.get(list) == simdjson::SUCCESS;
            std::int64_t end = column.list_ends.empty() ? 0 : column.list_ends.back();
            if (fits)
                for (element inner : list) {
                    fits = fits && append_element(inner, column);
                    ++end;
                }
            column.list_ends.push_back(end);
        } else {
            fits = append_element(value, column);
        }
        if (!fits)
            fail_type(byte, column.field);
        ++column.rows;
    }

    static bool append_element(element value, Column& column) {
        switch (column.field.type) {
            case ElementType::text: {
                std::string_view text;
                if (value.get(text) != simdjson::SUCCESS)
                    return false;
                column.append_text(text);
                return true;
            }
            case ElementType::boolean: {
                bool truth = false;
                if (value.get(truth) != simdjson::SUCCESS)
                    return false;
                column.append(static_cast<std::uint8_t>(truth));
                return true;
            }
            default:
                break;
        }
        switch (value.type()) {
            case element_type::INT64:
                return append_integer(column, std::int64_t(value));
            case element_type::UINT64:
                return append_unsigned(column, std::uint64_t(value));
            case element_type::DOUBLE:
                return append_real(column, double(value));
            default:
                return false;
        }
    }

    [[noreturn]] void fail_type(std::uint64_t byte, const Field& field) const {
        bool given = options_.types.contains(field.name);
        fail(byte, 0,
             Message("the member '{}' is {} {} and is not here: {}", field.name,
                     field.list ? Message("a list of {}", name_of(field.type))
                                : Message::verbatim(std::string(name_of(field.type))),
                     given ? "as was asked for" : Message("by the first {} rows", options_.infer_rows),
                     given ? "correct the value or choose another type"
                           : Message("give its type (types: {{{}: float64}}) or infer from more rows", field.name)));
    }

    simdjson::dom::parser parser_;
    Node root_;
};

}  // namespace

std::unique_ptr<TableReader> open_json_lines(const std::filesystem::path& path, const ReadOptions& options) {
    return std::make_unique<JsonLinesTable>(path, list_begin(path), options);
}

}  // namespace trainyard::formats
