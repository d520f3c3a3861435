// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/template_values.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"

namespace trainyard::tokenizers::jinja {

[[noreturn]] void fail(const Message& problem) {
    throw UserError("the chat template: {}", problem);
}

static thread_local std::size_t cost_left = std::numeric_limits<std::size_t>::max();

CostLimit::CostLimit() : before_(std::exchange(cost_left, kMostCost)) {}
CostLimit::~CostLimit() {
    cost_left = before_;
}

void spend(std::size_t bytes) {
    if (bytes > cost_left)
        fail("it needs too much time or memory");
    cost_left -= bytes;
}

constexpr std::size_t kCostOfPart = 256;  // of a value that is written as a part of a list or table

static void check_size(const std::string& text) {
    if (text.size() > kMostText)
        fail("its text is too long");
}

Value::Value(std::string value) {
    check_size(value);
    spend(value.size() + sizeof value);
    held = std::make_shared<const std::string>(std::move(value));
}

/// What is the same for lists and tables: `items` and their values.
template <class Items, class ValueOf>
static void measure(const Items& items, ValueOf value_of, int& depth, bool& has_reference) {
    if (items.size() > kMostItems)
        fail("one of its lists is too long");
    spend((items.size() + 1) * sizeof(typename Items::value_type));
    for (const auto& one : items) {
        depth = std::max(depth, value_of(one).depth + 1);
        has_reference = has_reference || value_of(one).has_reference;
    }
    if (depth > kMostValueDepth)
        fail("one of its lists is nested too deeply");
}

Value::Value(List value) {
    measure(
        value, [](const Value& one) -> const Value& { return one; }, depth, has_reference);
    held = std::make_shared<const List>(std::move(value));
}

Value::Value(Table value) {
    measure(
        value, [](const auto& one) -> const Value& { return one.second; }, depth, has_reference);
    held = std::make_shared<const Table>(std::move(value));
}

const std::string& Value::text() const {
    if (!is_text())
        fail("a text is needed");
    return *std::get<std::shared_ptr<const std::string>>(held);
}

const List& Value::list() const {
    if (!is_list())
        fail("a list is needed");
    return *std::get<std::shared_ptr<const List>>(held);
}

const Table& Value::table() const {
    if (!is_table())
        fail("a dictionary is needed");
    return *std::get<std::shared_ptr<const Table>>(held);
}

Value text_value(std::string_view text) {
    return Value(std::string(text));
}

Value value_of(const Json& json) {
    switch (json.type()) {
        case Json::value_t::boolean:
            return Value(json.get<bool>());
        case Json::value_t::number_unsigned:
            if (json.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
                return Value(json.get<double>());
            [[fallthrough]];
        case Json::value_t::number_integer:
            return Value(json.get<std::int64_t>());
        case Json::value_t::number_float:
            return Value(json.get<double>());
        case Json::value_t::string:
            return Value(json.get<std::string>());
        case Json::value_t::array: {
            List list;
            for (const Json& one : json)
                list.push_back(value_of(one));
            return Value(std::move(list));
        }
        case Json::value_t::object: {
            Table table;
            for (const auto& [key, one] : json.items())
                table.emplace_back(key, value_of(one));
            return Value(std::move(table));
        }
        default:
            return Value(None{});
    }
}

const Value* find(const Table& table, const std::string& key) {
    spend(table.size() * 8);
    const auto found = std::ranges::find(table, key, &Table::value_type::first);
    return found == table.end() ? nullptr : &found->second;
}

void put(Table& table, const std::string& key, Value value) {
    spend(table.size() * 8);
    const auto found = std::ranges::find(table, key, &Table::value_type::first);
    if (found == table.end())
        table.emplace_back(key, std::move(value));
    else
        found->second = std::move(value);
}

double number_of(const Value& value) {
    if (const bool* truth = std::get_if<bool>(&value.held))
        return *truth ? 1 : 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value.held))
        return static_cast<double>(*whole);
    if (const double* real = std::get_if<double>(&value.held))
        return *real;
    fail("a number is needed");
}

std::int64_t whole_of(const Value& value) {
    if (const bool* truth = std::get_if<bool>(&value.held))
        return *truth ? 1 : 0;
    if (const auto* whole = std::get_if<std::int64_t>(&value.held))
        return *whole;
    fail("a whole number is needed");
}

/// As Python's int() of a number.
static std::int64_t whole_part(double value) {
    if (!(std::abs(value) < 9.2e18))
        fail("a number is too large to be a whole one");
    return static_cast<std::int64_t>(value);
}

Value negative(const Value& value) {
    if (value.is<double>())
        return Value(-number_of(value));
    if (whole_of(value) == std::numeric_limits<std::int64_t>::min())
        fail("a whole number is too large");
    return Value(-whole_of(value));
}

bool is_true(const Value& value) {
    if (value.is<Undefined>() || value.is<None>())
        return false;
    if (value.is_number())
        return number_of(value) != 0;
    if (value.is_text())
        return !value.text().empty();
    if (value.is_list())
        return !value.list().empty();
    return !value.is_table() || !value.table().empty();  // a namespace or a function
}

static std::string real_text(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", value);  // the shortest that is read back as the same number
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string str(const Value& value) {
    if (value.is<Undefined>())
        return {};
    if (value.is_text())
        return value.text();
    return repr(value);
}

std::string repr(const Value& value) {
    if (value.is<None>())
        return "None";
    if (const bool* truth = std::get_if<bool>(&value.held))
        return *truth ? "True" : "False";
    if (const auto* whole = std::get_if<std::int64_t>(&value.held))
        return std::to_string(*whole);
    if (const double* real = std::get_if<double>(&value.held))
        return real_text(*real);
    if (value.is_text()) {
        const bool doubled =
            value.text().find('\'') != std::string::npos && value.text().find('"') == std::string::npos;
        std::string text(1, doubled ? '"' : '\'');
        for (const char letter : value.text())
            if (letter == '\\' || (letter == '\'' && !doubled))
                text += std::string("\\") + letter;
            else if (letter == '\n')
                text += "\\n";
            else if (letter == '\t')
                text += "\\t";
            else if (letter == '\r')
                text += "\\r";
            else
                text += letter;
        return text + text.front();
    }
    std::string text;
    const auto add = [&](const std::string& part) {
        spend(part.size() + kCostOfPart);
        text += text.empty() ? "" : ", ";
        text += part;
        check_size(text);
    };
    if (value.is_list()) {
        for (const Value& one : value.list())
            add(repr(one));
        return "[" + text + "]";
    }
    if (value.is_table()) {
        for (const auto& [key, one] : value.table())
            add(repr(Value(key)) + ": " + repr(one));
        return "{" + text + "}";
    }
    return value.is<Undefined>() ? "Undefined" : value.is<std::shared_ptr<Namespace>>() ? "<namespace>" : "<function>";
}

/// The arguments of json.dumps that templates give.
struct JsonForm {
    int indent = -1;  // below 0: one line
    std::string item_separator = ", ", key_separator = ": ";
    bool sorts_keys = false;
    JsonText characters = JsonText::utf8;
};

static std::string json_of(const Value& value, const JsonForm& form, int depth = 0) {
    const auto width = static_cast<std::size_t>(std::max(form.indent, 0));
    const std::string line =
        form.indent < 0 ? "" : "\n" + std::string(width * (static_cast<std::size_t>(depth) + 1), ' ');
    const std::string end = form.indent < 0 ? "" : line.substr(0, line.size() - width);
    if (value.is<None>())
        return "null";
    if (const bool* truth = std::get_if<bool>(&value.held))
        return *truth ? "true" : "false";
    if (value.is_text())
        return quoted_json(value.text(), form.characters);
    if (value.is_number())
        return repr(value);
    std::string text;
    const auto add = [&](const std::string& part) {
        spend(line.size() + part.size() + kCostOfPart);
        text += text.empty() ? "" : form.item_separator;
        text += line;
        text += part;
        check_size(text);
    };
    if (value.is_list()) {
        for (const Value& one : value.list())
            add(json_of(one, form, depth + 1));
        return text.empty() ? "[]" : "[" + text + end + "]";
    }
    if (value.is_table()) {
        spend(value.table().size() * sizeof(Value));
        Table entries = value.table();
        if (form.sorts_keys)
            std::ranges::sort(entries, {}, &Table::value_type::first);
        for (const auto& [key, one] : entries)
            add(quoted_json(key, form.characters) + form.key_separator + json_of(one, form, depth + 1));
        return text.empty() ? "{}" : "{" + text + end + "}";
    }
    fail("a value that is not defined, a namespace and a function have no JSON");
}

/// Arguments of the filter tojson: ensure_ascii, indent, separators, sort_keys.
static JsonForm json_form(const Arguments& call) {
    JsonForm form;
    if (const Value* ascii = argument(call, 0, "ensure_ascii"); ascii != nullptr && is_true(*ascii))
        form.characters = JsonText::ascii;
    if (const Value* indent = argument(call, 1, "indent"); indent != nullptr && !indent->is<None>()) {
        const std::int64_t width = whole_of(*indent);
        if (width > 80)
            fail("an indentation is too wide");
        form.indent = static_cast<int>(std::max<std::int64_t>(width, 0));
        form.item_separator = ",";
    }
    if (const Value* both = argument(call, 2, "separators"); both != nullptr && !both->is<None>()) {
        if (both->list().size() != 2)
            fail("separators are two texts");
        form.item_separator = both->list()[0].text();
        form.key_separator = both->list()[1].text();
    }
    const Value* sorts = argument(call, 3, "sort_keys");
    form.sorts_keys = sorts != nullptr && is_true(*sorts);
    return form;
}

bool equal(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number())
        return number_of(a) == number_of(b);
    spend(sizeof a);
    if (a.held.index() != b.held.index())
        return false;
    if (a.is_text()) {
        spend(std::min(a.text().size(), b.text().size()));
        return a.text() == b.text();
    }
    if (a.is_list())
        return std::ranges::equal(a.list(), b.list(), equal);
    if (a.is_table())
        return a.table().size() == b.table().size() && std::ranges::all_of(a.table(), [&](const auto& entry) {
                   const Value* other = find(b.table(), entry.first);
                   return other != nullptr && equal(entry.second, *other);
               });
    return a.is<None>() || a.is<Undefined>();
}

bool less(const Value& a, const Value& b) {
    if (a.is_number() && b.is_number())
        return number_of(a) < number_of(b);
    if (a.is_text() && b.is_text()) {
        spend(std::min(a.text().size(), b.text().size()) + sizeof a);
        return a.text() < b.text();
    }
    fail("two values of different kinds are compared");
}

/// Beginnings of the characters of a text.
static std::vector<std::size_t> characters_of(const std::string& text) {
    spend(text.size() * sizeof(std::size_t));
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80)
            begins.push_back(at);
    begins.push_back(text.size());
    return begins;
}

List items_of(const Value& value) {
    if (value.is_list()) {
        spend(value.list().size() * sizeof(Value));
        return value.list();
    }
    List items;
    if (value.is_table())
        for (const auto& entry : value.table())
            items.push_back(Value(entry.first));
    else if (value.is_text()) {
        const std::vector<std::size_t> begins = characters_of(value.text());
        for (std::size_t i = 0; i + 1 < begins.size(); ++i)
            items.push_back(Value(value.text().substr(begins[i], begins[i + 1] - begins[i])));
    } else if (!value.is<Undefined>())
        fail("a value that is not a list is iterated");
    return items;
}

static bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

static std::int64_t character_count(const std::string& text) {
    spend(text.size());
    return std::ranges::count_if(text, begins_character);
}

/// The character with this number, which the text has.
static std::string character_at(const std::string& text, std::size_t number) {
    spend(text.size());
    std::size_t begin = 0;
    for (std::size_t left = number + 1; begin < text.size(); ++begin)
        if (begins_character(text[begin]) && --left == 0)
            break;
    std::size_t end = std::min(begin + 1, text.size());
    while (end < text.size() && !begins_character(text[end]))
        ++end;
    return text.substr(begin, end - begin);
}

static std::int64_t length_of(const Value& value) {
    if (value.is_text())
        return character_count(value.text());
    if (value.is_list())
        return std::ssize(value.list());
    if (value.is_table())
        return std::ssize(value.table());
    if (value.is<Undefined>())
        return 0;
    fail("a value without a length is counted");
}

bool contains(const Value& all, const Value& one) {
    if (all.is_text()) {
        if (!one.is_text())
            fail("only a text can be in a text");
        spend(all.text().size());
        return all.text().find(one.text()) != std::string::npos;
    }
    if (all.is_table())
        return one.is_text() && find(all.table(), one.text()) != nullptr;
    return std::ranges::any_of(items_of(all), [&](const Value& item) { return equal(item, one); });
}

static std::string stripped(const std::string& text, const std::string& letters, bool left, bool right) {
    std::size_t begin = 0, end = text.size();
    while (left && begin < end && letters.find(text[begin]) != std::string::npos)
        ++begin;
    while (right && end > begin && letters.find(text[end - 1]) != std::string::npos)
        --end;
    return text.substr(begin, end - begin);
}

std::string with_case(std::string text, int (*change)(int)) {
    for (char& letter : text)
        if (static_cast<unsigned char>(letter) < 0x80)
            letter = static_cast<char>(change(static_cast<unsigned char>(letter)));
    return text;
}

std::string titled(const std::string& text, bool each_word) {
    std::string result;
    bool in_word = false;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool is_letter = byte >= 0x80 || std::isalpha(byte) != 0;
        const bool first = each_word ? is_letter && !in_word : result.empty();
        result += byte >= 0x80 ? letter : static_cast<char>(first ? std::toupper(byte) : std::tolower(byte));
        in_word = is_letter;
    }
    return result;
}

static std::string replaced(const std::string& text, const std::string& from, const std::string& to,
                            std::int64_t most) {
    std::string result;
    std::size_t at = 0;
    if (from.empty())
        return text;
    for (std::size_t found = text.find(from); found != std::string::npos && most != 0;
         found = text.find(from, at), --most) {
        result += text.substr(at, found - at) + to;
        check_size(result);
        at = found + from.size();
    }
    return result + text.substr(at);
}

static List split(const std::string& text, const Value* separator, std::int64_t most) {
    List parts;
    if (separator == nullptr || separator->is<None>()) {
        for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string::npos;) {
            const std::size_t end = most-- == 0 ? text.size() : std::min(text.find_first_of(kBlanks, at), text.size());
            parts.push_back(Value(text.substr(at, end - at)));
            at = text.find_first_not_of(kBlanks, end);
        }
        return parts;
    }
    const std::string& by = separator->text();
    if (by.empty())
        fail("a text is split at an empty text");
    std::size_t at = 0;
    for (std::size_t found = text.find(by); found != std::string::npos && most != 0;
         found = text.find(by, at), --most) {
        parts.push_back(Value(text.substr(at, found - at)));
        at = found + by.size();
    }
    parts.push_back(Value(text.substr(at)));
    return parts;
}

const Value* argument(const Arguments& call, std::size_t place, const char* name) {
    if (place < call.values.size())
        return &call.values[place];
    return find(call.named, name);
}

const std::string& text_argument(const Arguments& call, std::size_t place, const char* name) {
    const Value* value = argument(call, place, name);
    if (value == nullptr || !value->is_text())
        fail(Message("the argument {} is not a text", name));
    return value->text();
}

static bool starts_or_ends(const std::string& text, const Value& with, bool starts) {
    if (with.is_list())
        return std::ranges::any_of(with.list(), [&](const Value& one) { return starts_or_ends(text, one, starts); });
    return starts ? text.starts_with(with.text()) : text.ends_with(with.text());
}

static void append(std::string& text, const std::string& part) {
    spend(part.size());
    text += part;
    check_size(text);
}

/// str.format() with fields such as {}, {0} and {name}.
static std::string formatted(const std::string& text, const Arguments& call) {
    std::string result;
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if ((text[at] == '{' || text[at] == '}') && at + 1 < text.size() && text[at + 1] == text[at]) {
            result += text[at++];
            continue;
        }
        const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
        if (text[at] != '{' && text[at] != '}') {
            result += text[at];
            continue;
        }
        if (end == std::string::npos)
            fail("a field of a format is not closed");
        const std::string name = text.substr(at + 1, end - at - 1);
        const auto place = name.empty() ? std::optional<std::size_t>(next++) : parse_number<std::size_t>(name);
        const Value* value = place ? argument(call, *place, "") : find(call.named, name);
        if (value == nullptr)
            fail(Message("the field {{{}}} of a format has no value, or is of a kind that is not supported", name));
        append(result, str(*value));
        at = end;
    }
    return result;
}

constexpr std::string_view kTextMethods[] = {
    "strip",      "lstrip",   "rstrip", "upper", "lower", "title",        "capitalize",   "split",   "replace",
    "startswith", "endswith", "find",   "join",  "count", "removeprefix", "removesuffix", "isdigit", "format"};

static Value text_method(const std::string& text, const std::string& name, Arguments& call) {
    spend(text.size());
    const auto letters = [&] {
        const Value* given = argument(call, 0, "chars");
        return given != nullptr && given->is_text() ? given->text() : std::string(kBlanks);
    };
    const auto count = [&](std::size_t place, const char* key) {
        const Value* given = argument(call, place, key);
        return given == nullptr ? std::int64_t(-1) : whole_of(*given);
    };
    if (name == "strip")
        return Value(stripped(text, letters(), true, true));
    if (name == "lstrip")
        return Value(stripped(text, letters(), true, false));
    if (name == "rstrip")
        return Value(stripped(text, letters(), false, true));
    if (name == "upper")
        return Value(with_case(text, std::toupper));
    if (name == "lower")
        return Value(with_case(text, std::tolower));
    if (name == "title" || name == "capitalize")
        return Value(titled(text, name == "title"));
    if (name == "split")
        return Value(split(text, argument(call, 0, "sep"), count(1, "maxsplit")));
    if (name == "replace")
        return Value(replaced(text, text_argument(call, 0, "old"), text_argument(call, 1, "new"), count(2, "count")));
    if (name == "startswith" || name == "endswith") {
        const Value* with = argument(call, 0, "prefix");
        if (with == nullptr || !(with->is_text() || with->is_list()))
            fail(Message("{} needs a text", name));
        return Value(starts_or_ends(text, *with, name == "startswith"));
    }
    if (name == "find") {
        const std::size_t found = text.find(text_argument(call, 0, "sub"));
        return Value(found == std::string::npos ? std::int64_t(-1)
                                                : std::ssize(characters_of(text.substr(0, found))) - 1);
    }
    if (name == "join") {
        std::string joined;
        bool first = true;
        for (const Value& one : items_of(call.values.empty() ? Value() : call.values[0]))
            append(joined, (std::exchange(first, false) ? "" : text) + str(one));
        return Value(joined);
    }
    if (name == "count") {
        std::int64_t found = 0;
        const std::string& part = text_argument(call, 0, "sub");
        for (std::size_t at = text.find(part); !part.empty() && at != std::string::npos;
             at = text.find(part, at + part.size()))
            ++found;
        return Value(found);
    }
    if (name == "removeprefix" || name == "removesuffix") {
        const std::string& part = text_argument(call, 0, "part");
        if (name == "removeprefix")
            return Value(text.starts_with(part) ? text.substr(part.size()) : text);
        return Value(text.ends_with(part) ? text.substr(0, text.size() - part.size()) : text);
    }
    if (name == "format")
        return Value(formatted(text, call));
    if (name == "isdigit")
        return Value(!text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; }));
    fail(Message("texts have no method {} here", name));
}

static List entries_of(const Table& table) {
    List entries;
    for (const auto& [key, value] : table)
        entries.push_back(Value(List{Value(key), value}));
    return entries;
}

Value attribute(const Value& value, const std::string& name) {
    if (const auto* space = std::get_if<std::shared_ptr<Namespace>>(&value.held)) {
        const Value* found = find((*space)->entries, name);
        return found != nullptr ? *found : Value(Undefined{name});
    }
    if (value.is<Undefined>())
        fail(Message("'{}' is undefined, so it has no {}", std::get<Undefined>(value.held).name, name));
    if (value.is_table()) {
        // Methods come before entries for .name, as getattr() does.
        if (name == "items" || name == "keys" || name == "values" || name == "get")
            return Value(Function([value, name](Arguments& call) -> Value {
                if (name == "items")
                    return Value(entries_of(value.table()));
                if (name == "keys")
                    return Value(items_of(value));
                if (name == "get") {
                    const Value* key = argument(call, 0, "key");
                    const Value* found = key != nullptr && key->is_text() ? find(value.table(), key->text()) : nullptr;
                    const Value* otherwise = argument(call, 1, "default");
                    return found != nullptr ? *found : otherwise != nullptr ? *otherwise : Value(None{});
                }
                List values;
                for (const auto& entry : value.table())
                    values.push_back(entry.second);
                return Value(std::move(values));
            }));
        const Value* found = find(value.table(), name);
        return found != nullptr ? *found : Value(Undefined{name});
    }
    if (value.is_text() && std::ranges::find(kTextMethods, name) != std::end(kTextMethods))
        return Value(Function([value, name](Arguments& call) { return text_method(value.text(), name, call); }));
    if (value.is_list() && (name == "index" || name == "count"))
        return Value(Function([value, name](Arguments& call) {
            const List& list = value.list();
            const Value* wanted = argument(call, 0, "value");
            std::int64_t found = 0;
            for (std::size_t i = 0; wanted != nullptr && i < list.size(); ++i)
                if (equal(list[i], *wanted)) {
                    if (name == "index")
                        return Value(static_cast<std::int64_t>(i));
                    ++found;
                }
            if (name == "index")
                fail("a value is not in the list");
            return Value(found);
        }));
    return Value(Undefined{name});
}

Value item(const Value& value, const Value& key) {
    if (value.is<std::shared_ptr<Namespace>>())
        return attribute(value, str(key));
    if (value.is<Undefined>())
        fail(Message("'{}' is undefined, so it has no items", std::get<Undefined>(value.held).name));
    if (value.is_table()) {
        const Value* found = key.is_text() ? find(value.table(), key.text()) : nullptr;
        return found != nullptr ? *found : Value(Undefined{str(key)});
    }
    if (!key.is_number() || !(value.is_list() || value.is_text()))
        return Value(Undefined{str(key)});
    const std::int64_t count = length_of(value);
    std::int64_t at = whole_of(key);
    if (at < 0)
        at += count;
    if (at < 0 || at >= count)
        return Value(Undefined{str(key)});
    const auto place = static_cast<std::size_t>(at);
    return value.is_text() ? Value(character_at(value.text(), place)) : value.list()[place];
}

Value slice(const Value& value, const Value& from, const Value& to, const Value& by) {
    const List items = items_of(value);
    const std::int64_t count = std::ssize(items),
                       step = by.is<None>() ? 1 : std::clamp(whole_of(by), -count - 1, count + 1);
    if (step == 0)
        fail("a slice has the step 0");
    const auto bound = [&](const Value& given, std::int64_t otherwise) {
        if (given.is<None>())
            return otherwise;
        std::int64_t at = whole_of(given);
        at += at < 0 ? count : 0;
        return step > 0 ? std::clamp<std::int64_t>(at, 0, count) : std::clamp<std::int64_t>(at, -1, count - 1);
    };
    List chosen;
    const std::int64_t end = bound(to, step > 0 ? count : -1);
    for (std::int64_t at = bound(from, step > 0 ? 0 : count - 1); step > 0 ? at < end : at > end; at += step)
        chosen.push_back(items[static_cast<std::size_t>(at)]);
    if (!value.is_text())
        return Value(std::move(chosen));
    std::string text;
    for (const Value& one : chosen)
        text += one.text();
    return Value(text);
}

bool passes_test(const Value& value, const std::string& name, const Arguments& call) {
    const auto one = [&]() -> const Value& {
        if (call.values.empty())
            fail(Message("the test {} needs an argument", name));
        return call.values[0];
    };
    if (name == "defined")
        return !value.is<Undefined>();
    if (name == "undefined")
        return value.is<Undefined>();
    if (name == "none")
        return value.is<None>();
    if (name == "string")
        return value.is_text();
    if (name == "mapping")
        return value.is_table();
    if (name == "sequence" || name == "iterable")
        return value.is_list() || value.is_table() || value.is_text();
    if (name == "number")
        return value.is_number();
    if (name == "integer")
        return value.is<std::int64_t>();
    if (name == "float")
        return value.is<double>();
    if (name == "boolean")
        return value.is<bool>();
    if (name == "true" || name == "false")
        return value.is<bool>() && std::get<bool>(value.held) == (name == "true");
    if (name == "callable")
        return value.is<std::shared_ptr<Function>>();
    if (name == "odd" || name == "even")
        return (whole_of(value) % 2 == 0) == (name == "even");
    if (name == "divisibleby")
        return whole_of(one()) == -1 || (whole_of(one()) != 0 && whole_of(value) % whole_of(one()) == 0);
    if (name == "eq" || name == "equalto" || name == "==")
        return equal(value, one());
    if (name == "ne" || name == "!=")
        return !equal(value, one());
    if (name == "in")
        return contains(one(), value);
    if (name == "gt" || name == ">")
        return less(one(), value);
    if (name == "lt" || name == "<")
        return less(value, one());
    fail(Message("the test {} is not known", name));
}

/// The names of an attribute `a.b` of a value.
static Value path_of(Value value, const std::string& path) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        value = item(value, text_value(path.substr(begin, end - begin)));
        begin = end + 1;
    }
    return value;
}

/// What sort and unique compare: the arguments case_sensitive and attribute from the place `first` on.
static std::function<Value(const Value&)> key_of(const Arguments& call, std::size_t first) {
    const Value* case_sensitive = argument(call, first, "case_sensitive");
    const Value* part = argument(call, first + 1, "attribute");
    return [lower = case_sensitive == nullptr || !is_true(*case_sensitive),
            path = part == nullptr || part->is<None>() ? std::string() : str(*part)](const Value& one) {
        const Value chosen = path.empty() ? one : path_of(one, path);
        return lower && chosen.is_text() ? Value(with_case(chosen.text(), std::tolower)) : chosen;
    };
}

static Value selected(const Value& value, const std::string& name, const Arguments& call) {
    const bool by_attribute = name.ends_with("attr"), keeps = name.starts_with("select");
    const std::size_t test = by_attribute ? 1 : 0;
    Arguments rest;
    if (call.values.size() > test + 1)
        rest.values.assign(call.values.begin() + static_cast<std::ptrdiff_t>(test) + 1, call.values.end());
    List chosen;
    for (const Value& one : is_true(value) ? items_of(value) : List{}) {  // none has no items
        const Value tested = by_attribute ? path_of(one, text_argument(call, 0, "attribute")) : one;
        const bool passes =
            call.values.size() > test ? passes_test(tested, text_argument(call, test, "test"), rest) : is_true(tested);
        if (passes == keeps)
            chosen.push_back(one);
    }
    return Value(std::move(chosen));
}

/// The items in the order of their keys. Numbers are sorted: std::rotate() of values, which a stable sort of them
/// needs, has an empty unlikely part in g++ 12, for which lld 14 drops the unwinding table of the function that
/// follows.
static List sorted(const List& items, const List& keys, bool reverse) {
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return reverse ? less(keys[b], keys[a]) : less(keys[a], keys[b]); });
    List result;
    for (const std::size_t place : order)
        result.push_back(items[place]);
    return result;
}

Value filtered(const Value& value, const std::string& name, Arguments& call) {
    if (name == "default" || name == "d") {
        const Value* otherwise = argument(call, 0, "default_value");
        const Value* also_false = argument(call, 1, "boolean");
        const bool replaces =
            value.is<Undefined>() || (also_false != nullptr && is_true(*also_false) && !is_true(value));
        return replaces ? otherwise != nullptr ? *otherwise : Value(std::string()) : value;
    }
    if (name == "trim") {
        const Value* letters = argument(call, 0, "chars");
        return Value(stripped(str(value), letters != nullptr ? str(*letters) : kBlanks, true, true));
    }
    if (name == "length" || name == "count")
        return Value(length_of(value));
    if (name == "tojson")
        return Value(json_of(value, json_form(call)));
    if (name == "string")
        return Value(str(value));
    if (name == "safe")
        return value;
    if (name == "int") {
        if (value.is_number())
            return value.is<double>() ? Value(whole_part(number_of(value))) : Value(whole_of(value));
        return Value(parse_number<std::int64_t>(stripped(str(value), kBlanks, true, true)).value_or(0));
    }
    if (name == "float")
        return Value(value.is_number() ? number_of(value) : parse_number<double>(str(value)).value_or(0));
    if (name == "upper" || name == "lower" || name == "title" || name == "capitalize")
        return text_method(str(value), name, call);
    if (name == "replace")
        return text_method(str(value), name, call);
    if (name == "join") {
        const Value* by = argument(call, 0, "d");
        const Value* part = argument(call, 1, "attribute");
        std::string text;
        bool first = true;
        for (const Value& one : items_of(value))
            append(text, (std::exchange(first, false) || by == nullptr ? "" : str(*by)) +
                             str(part != nullptr ? path_of(one, str(*part)) : one));
        return Value(text);
    }
    if (name == "first" || name == "last") {
        const List items = items_of(value);
        return items.empty() ? Value(Undefined{name}) : name == "first" ? items.front() : items.back();
    }
    if (name == "list")
        return Value(items_of(value));
    if (name == "reverse") {
        List items = items_of(value);
        std::ranges::reverse(items);
        if (!value.is_text())
            return Value(std::move(items));
        std::string text;
        for (const Value& one : items)
            text += one.text();
        return Value(text);
    }
    if (name == "items")
        return Value(value.is_table() ? entries_of(value.table()) : List{});
    if (name == "dictsort") {
        const List entries = value.is_table() ? entries_of(value.table()) : List{};
        List keys;
        for (const Value& entry : entries)
            keys.push_back(Value(with_case(entry.list()[0].text(), std::tolower)));
        return Value(sorted(entries, keys, false));
    }
    if (name == "sort") {
        const Value* reverse = argument(call, 0, "reverse");
        const std::function<Value(const Value&)> key = key_of(call, 1);
        const List items = items_of(value);
        List keys;
        for (const Value& one : items)
            keys.push_back(key(one));
        return Value(sorted(items, keys, reverse != nullptr && is_true(*reverse)));
    }
    if (name == "unique") {
        const std::function<Value(const Value&)> key = key_of(call, 0);
        List chosen, keys;
        for (const Value& one : items_of(value))
            if (const Value of_one = key(one);
                std::ranges::none_of(keys, [&](const Value& known) { return equal(known, of_one); })) {
                chosen.push_back(one);
                keys.push_back(of_one);
            }
        return Value(std::move(chosen));
    }
    if (name == "select" || name == "reject" || name == "selectattr" || name == "rejectattr")
        return selected(value, name, call);
    if (name == "map") {
        List mapped;
        const Value* part = find(call.named, "attribute");
        const Value* otherwise = find(call.named, "default");
        const std::string form = part == nullptr ? text_argument(call, 0, "filter") : std::string();
        for (const Value& one : is_true(value) ? items_of(value) : List{}) {
            if (part != nullptr) {
                Value found = path_of(one, str(*part));
                mapped.push_back(found.is<Undefined>() && otherwise != nullptr ? *otherwise : found);
                continue;
            }
            Arguments rest{List(call.values.begin() + 1, call.values.end()), call.named};
            mapped.push_back(filtered(one, form, rest));
        }
        return Value(std::move(mapped));
    }
    if (name == "sum") {
        double sum = 0;
        bool whole = true;
        for (const Value& one : items_of(value)) {
            sum += number_of(one);
            whole = whole && !one.is<double>();
        }
        return whole ? Value(whole_part(sum)) : Value(sum);
    }
    if (name == "min" || name == "max") {
        const std::function<Value(const Value&)> key = key_of(call, 0);
        const List items = items_of(value);
        const auto before = [&](const Value& a, const Value& b) { return less(key(a), key(b)); };
        return items.empty()   ? Value(Undefined{name})
               : name == "min" ? *std::ranges::min_element(items, before)
                               : *std::ranges::max_element(items, before);
    }
    if (name == "round") {
        const Value* digits = argument(call, 0, "precision");
        const Value* method = argument(call, 1, "method");
        const std::string way = method != nullptr ? str(*method) : "common";
        const std::int64_t places = digits != nullptr ? whole_of(*digits) : 0;
        if (places < 0 || places > 15 || !(way == "common" || way == "ceil" || way == "floor"))
            fail("a number is rounded to 0 to 15 places, with the method common, ceil or floor");
        const double factor = std::pow(10.0, places), number = number_of(value);
        if (way == "common" && !value.is<double>())
            return value;
        if (way == "common")  // half to even, of the exact value: as Python
            return Value(parse_number<double>(fmt::format("{:.{}f}", number, places)).value_or(number));
        return Value((way == "ceil" ? std::ceil(number * factor) : std::floor(number * factor)) / factor);
    }
    if (name == "abs")
        return number_of(value) < 0 ? negative(value) : value;
    if (name == "indent") {
        const Value* width = argument(call, 0, "width");
        const Value* first = argument(call, 1, "first");
        const std::string blanks =
            width == nullptr ? std::string(4, ' ')
            : width->is_text()
                ? width->text()
                : std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(whole_of(*width), 0, 80)), ' ');
        std::string text, given = str(value);
        bool begins = first != nullptr && is_true(*first);
        for (std::size_t at = 0; at <= given.size();) {
            const std::size_t end = std::min(given.find('\n', at), given.size());
            const std::string line = given.substr(at, end - at);
            append(text, (begins && !line.empty() ? blanks : "") + line + (end < given.size() ? "\n" : ""));
            begins = true;
            at = end + 1;
        }
        return Value(text);
    }
    fail(Message("the filter {} is not known", name));
}

}  // namespace trainyard::tokenizers::jinja
