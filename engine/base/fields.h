// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One description of a struct gives its JSON reader and its JSON writer. The struct names each field once:
//
//     struct RankState {
//         int rank = 0;
//         ProcessId process;
//         double started = 0;
//
//         void fields(auto& field) const {
//             field("rank", rank).required().between(0, 65535);
//             field("pid", process.pid)("start_time", process.start_time);
//             field("started", started).time().null_if_default();
//         }
//     };
//
// The header of such a struct includes nothing of this. Reading is strict about kinds and bounds of values, collects
// what is wrong with the path of its key ("ranks[3].host"), and ignores keys that are not described, so that files of
// newer versions can be read. A missing key or null leaves the member as it is, unless the field is required. Keys are
// written in their alphabetical order.
//
// Members may be bool, numbers, std::string, std::filesystem::path, enumerations (with names() or between()),
// std::optional, std::vector, std::map with texts as keys, and other described structs. A Message (or a list of them)
// is written as its text; next to it, under the key with "_message" after it, are its literal and its values. One of several messages has a
// name, `static constexpr const char* kKind = "join";`, which is the value of its key "kind".

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/message.h"

namespace trainyard::fields {

using Json = nlohmann::json;

inline constexpr std::size_t kMostItems = 65'536;  ///< of a list or table whose field names no other bound

enum class Fault { missing, wrong_type, out_of_range, not_a_time, not_known, not_allowed, too_many, unknown_key };

struct FieldProblem {
    std::string path = {};  ///< "ranks[3].host"; empty: the value as a whole
    Fault fault = Fault::wrong_type;
    std::size_t count = 0, most = 0;  ///< too_many: number of entries, and how many may be there
    std::string value = {};           ///< not_known, not_allowed: the text
};

/// "ranks[3].host has the wrong type", with "<origin>: " in front if it is not empty.
Message problem_text(const FieldProblem& problem, const std::string& origin = {});

/// Collects the problems of a reading and the path of the value that is being read.
class Reading {
  public:
    void add(FieldProblem problem);
    void add(Fault fault) { add(FieldProblem{.fault = fault}); }
    const std::vector<FieldProblem>& problems() const { return problems_; }

    /// Goes to a key or an index for the time of its scope.
    class Step {
      public:
        Step(Reading& reading, std::string_view key) : reading_(reading) { reading.path_.push_back({key, 0}); }
        Step(Reading& reading, std::size_t index) : reading_(reading) { reading.path_.push_back({{}, index}); }
        ~Step() { reading_.path_.pop_back(); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

      private:
        Reading& reading_;
    };

  private:
    struct Place {
        std::string_view key;  ///< without a buffer: an index
        std::size_t index;
    };
    std::vector<Place> path_;
    std::vector<FieldProblem> problems_;
};

/// How a field that has its default value is written.
enum class Default { written, null, omitted };

/// Meaning of a number or a text.
enum class Form {
    plain,
    time,      ///< a double of wall seconds, as ISO 8601 text
    real,      ///< a double that may be "nan", "inf" and "-inf", which JSON does not have as numbers
    json,      ///< the JSON text in a std::string, as the value itself
    any_kind,  ///< texts of a std::map whose values may be of any kind; what is not a text is taken as its JSON text
    label,     ///< a std::string that is made fit to be shown, as one line (HostText of base/untrusted.h)
    lines,     ///< the same as several lines
};

struct Rules {
    bool required = false;
    Default unset = Default::written;
    Form form = Form::plain;
    double least = -HUGE_VAL, most = HUGE_VAL;     ///< of numbers
    std::size_t longest = kMostItems;              ///< entries of a list or table
    std::size_t cut = std::string::npos;           ///< bytes of a text that are taken
    bool (*allows)(const std::string&) = nullptr;  ///< of a text; nullptr: every one is allowed
    std::span<const char* const> names = {};       ///< of an enumeration, by its values; none: its numbers
};

struct Field;

/// The fields of a struct in the order of their keys.
struct Description {
    std::vector<Field> fields;
    std::shared_ptr<const void> fallback;  ///< a struct with the defaults
    bool closed = false;                   ///< other keys are refused

    void write(JsonWriter& out, const void* object) const;
    void read(Reading& in, const Json& json, void* object) const;
    bool equal(const void* one, const void* other) const;
};

struct Field {
    std::string key = {};
    std::size_t offset = 0;  ///< of the member in the struct
    Rules rules = {};
    void (*write)(JsonWriter& out, const void* value, const Rules& rules) = nullptr;
    void (*read)(Reading& in, const Json& json, void* value, const Rules& rules) = nullptr;
    bool (*equal)(const void* one, const void* other) = nullptr;
    std::function<bool(const void*)> is_written = {};  ///< of the struct; empty: always
    std::shared_ptr<const Description> table = {};     ///< of members of the struct, instead of one member
    const char* constant = nullptr;                    ///< a text that is always the same, instead of a member
    bool is_companion = false;  ///< literal and values of the message that the next field added has as its text
};

template <typename S>
const Description& description_of();

namespace detail {

void write_number(JsonWriter& out, double number, const Rules& rules);
void write_text(JsonWriter& out, const std::string& text, const Rules& rules);
void write_name(JsonWriter& out, std::int64_t value, const Rules& rules);
// These add a problem and return false if the value is refused.
bool read_number(Reading& in, const Json& json, double& number, const Rules& rules);
bool read_text(Reading& in, const Json& json, std::string& text, const Rules& rules);
bool read_name(Reading& in, const Json& json, std::int64_t& value, const Rules& rules);
bool is_list(Reading& in, const Json& json, const Rules& rules);
bool is_table(Reading& in, const Json& json, const Rules& rules);
bool is_in_range(Reading& in, double value, const Rules& rules);

void write_parts(JsonWriter& out, const Message& message);
void write_parts(JsonWriter& out, const std::vector<Message>& messages);
/// Ignores literal and values that do not give the text of `message`.
void read_parts(const Json& json, Message& message);
void read_parts(const Json& json, std::vector<Message>& messages);
inline bool has_parts(const Message& message) {
    return !message.form().empty();
}
inline bool has_parts(const std::vector<Message>& messages) {
    return std::ranges::any_of(messages, [](const Message& message) { return has_parts(message); });
}

template <typename T>
concept WithParts = std::same_as<T, Message> || std::same_as<T, std::vector<Message>>;
template <typename T>
concept Optional = std::same_as<T, std::optional<typename T::value_type>>;
template <typename T>
concept List = std::same_as<T, std::vector<typename T::value_type>>;
template <typename T>
concept Table = std::same_as<T, std::map<std::string, typename T::mapped_type>>;

/// The whole number in a JSON number, or nothing if it is a fraction or does not fit into T. nlohmann's conversion
/// would cut it: 1e308 would become any number of a process.
template <typename T>
std::optional<T> whole_number(const Json& number) {
    if (number.is_number_float()) {
        const double value = number.get<double>();
        // 2^63 and 2^64 are numbers of double, the largest of std::int64_t and std::uint64_t are not.
        if (value != std::floor(value) || value < static_cast<double>(std::numeric_limits<T>::min()) ||
            value >= std::ldexp(1.0, std::numeric_limits<T>::digits))
            return std::nullopt;
        return static_cast<T>(value);
    }
    auto fitting = [](auto value) {
        return std::in_range<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    };
    return number.is_number_unsigned() ? fitting(number.get<std::uint64_t>()) : fitting(number.get<std::int64_t>());
}

}  // namespace detail

template <typename T>
void write(JsonWriter& out, const T& value, const Rules& rules = {}) {
    if constexpr (std::is_same_v<T, bool>) {
        out.boolean(value);
    } else if constexpr (std::is_enum_v<T>) {
        detail::write_name(out, static_cast<std::int64_t>(value), rules);
    } else if constexpr (std::signed_integral<T>) {
        out.number(std::int64_t{value});
    } else if constexpr (std::unsigned_integral<T>) {
        out.number(std::uint64_t{value});
    } else if constexpr (std::is_same_v<T, double>) {
        detail::write_number(out, value, rules);
    } else if constexpr (std::is_same_v<T, std::string>) {
        detail::write_text(out, value, rules);
    } else if constexpr (std::is_same_v<T, Message>) {
        detail::write_text(out, value.text(), rules);
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        out.text(value.native());
    } else if constexpr (detail::Optional<T>) {
        value ? write(out, *value, rules) : out.null();
    } else if constexpr (detail::List<T>) {
        out.begin_array();
        for (const auto& item : value)
            write(out, item, rules);
        out.end_array();
    } else if constexpr (detail::Table<T>) {
        out.begin_object();
        for (const auto& [key, item] : value) {
            out.key(key);
            write(out, item, rules);
        }
        out.end_object();
    } else {
        description_of<T>().write(out, &value);
    }
}
template <typename... Messages>
void write(JsonWriter& out, const std::variant<Messages...>& message) {
    std::visit([&](const auto& one) { write(out, one); }, message);
}

/// `json` is not null. A value that is refused leaves `value` as it is, or a struct partly read.
template <typename T>
void read(Reading& in, const Json& json, T& value, const Rules& rules = {}) {
    if constexpr (std::is_same_v<T, bool>) {
        if (!json.is_boolean())
            return in.add(Fault::wrong_type);
        value = json.get<bool>();
    } else if constexpr (std::is_enum_v<T>) {
        if (std::int64_t number = 0; detail::read_name(in, json, number, rules))
            value = static_cast<T>(number);
    } else if constexpr (std::is_integral_v<T>) {
        if (!json.is_number())
            return in.add(Fault::wrong_type);
        const std::optional<T> number = detail::whole_number<T>(json);
        if (!number)
            return in.add(Fault::out_of_range);
        if (detail::is_in_range(in, static_cast<double>(*number), rules))
            value = *number;
    } else if constexpr (std::is_same_v<T, double>) {
        detail::read_number(in, json, value, rules);
    } else if constexpr (std::is_same_v<T, std::string>) {
        detail::read_text(in, json, value, rules);
    } else if constexpr (std::is_same_v<T, Message>) {
        if (std::string text; detail::read_text(in, json, text, rules))
            value = Message::verbatim(std::move(text));
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        if (std::string text; detail::read_text(in, json, text, rules))
            value = std::move(text);
    } else if constexpr (detail::Optional<T>) {
        typename T::value_type held{};
        const std::size_t before = in.problems().size();
        read(in, json, held, rules);
        if (in.problems().size() == before)
            value = std::move(held);
    } else if constexpr (detail::List<T>) {
        if (!detail::is_list(in, json, rules))
            return;
        T items(json.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            const Reading::Step step(in, i);
            read(in, json[i], items[i], rules);
        }
        value = std::move(items);
    } else if constexpr (detail::Table<T>) {
        if (!detail::is_table(in, json, rules))
            return;
        T items;
        for (const auto& [key, item] : json.items()) {
            const Reading::Step step(in, key);
            read(in, item, items[key], rules);
        }
        value = std::move(items);
    } else {
        description_of<T>().read(in, json, &value);
    }
}
/// The message whose kKind is the value of the key "kind".
template <typename... Messages>
void read(Reading& in, const Json& json, std::variant<Messages...>& message) {
    std::string kind;
    if (const auto found = json.find("kind"); found != json.end() && found->is_string())
        kind = found->template get_ref<const std::string&>();
    auto read_as = [&]<typename One>(std::type_identity<One>) {
        if (kind != One::kKind)
            return false;
        read(in, json, message.template emplace<One>());
        return true;
    };
    if (!(read_as(std::type_identity<Messages>()) || ...)) {
        const Reading::Step step(in, "kind");
        in.add(FieldProblem{.fault = Fault::not_known, .value = kind});
    }
}

/// NaN equals NaN here.
template <typename T>
bool equal(const T& one, const T& other) {
    if constexpr (std::is_same_v<T, double>)
        return one == other || (std::isnan(one) && std::isnan(other));
    else if constexpr (detail::Optional<T>)
        return one.has_value() == other.has_value() && (!one || equal(*one, *other));
    else if constexpr (detail::List<T>)
        return std::ranges::equal(one, other, [](const auto& a, const auto& b) { return equal(a, b); });
    else if constexpr (detail::Table<T>)
        return std::ranges::equal(
            one, other, [](const auto& a, const auto& b) { return a.first == b.first && equal(a.second, b.second); });
    else if constexpr (requires { one == other; })
        return one == other;
    else
        return description_of<T>().equal(&one, &other);
}

/// Sorts the fields. Throws std::logic_error if two have the same key.
Description make_description(Description described);

template <typename S>
class Describe;

/// The rules of one field, which a description adds after its key and its member.
template <typename S>
class FieldRules {
  public:
    FieldRules(Describe<S>& describe, Field& field) : describe_(describe), field_(field) {}

    /// The next field.
    template <typename Next>
    FieldRules<S> operator()(const char* key, const Next& member);

    FieldRules& required() { return set(&Rules::required, true); }
    FieldRules& optional() { return set(&Rules::required, false); }
    FieldRules& null_if_default() { return set(&Rules::unset, Default::null); }
    FieldRules& omit_if_default() { return set(&Rules::unset, Default::omitted); }
    /// Written for structs of which this is true; read from all.
    FieldRules& written_if(bool (*condition)(const S&)) {
        field_.is_written = [condition](const void* object) { return condition(*static_cast<const S*>(object)); };
        return *this;
    }
    FieldRules& between(double least, double most) { return set(&Rules::least, least).set(&Rules::most, most); }
    FieldRules& at_most(std::size_t entries) { return set(&Rules::longest, entries); }
    FieldRules& cut_at(std::size_t bytes) { return set(&Rules::cut, bytes); }
    FieldRules& names(std::span<const char* const> names) { return set(&Rules::names, names); }
    /// Texts of which this is false are refused.
    FieldRules& allowed_if(bool (*condition)(const std::string&)) { return set(&Rules::allows, condition); }
    FieldRules& label() { return set(&Rules::form, Form::label); }
    FieldRules& lines() { return set(&Rules::form, Form::lines); }
    FieldRules& time() { return set(&Rules::form, Form::time); }
    FieldRules& real() { return set(&Rules::form, Form::real); }
    FieldRules& json() { return set(&Rules::form, Form::json); }
    FieldRules& of_any_kind() { return set(&Rules::form, Form::any_kind); }

  private:
    template <typename T>
    FieldRules& set(T Rules::*rule, T value) {
        field_.rules.*rule = value;
        return *this;
    }

    Describe<S>& describe_;
    Field& field_;
};

/// What S::fields() is called with: collects the description of S.
template <typename S>
class Describe {
  public:
    /// `fallback` has the defaults.
    explicit Describe(std::shared_ptr<const S> fallback) : fallback_(std::move(fallback)) {}

    /// `member` is one of the fallback, or a member of one.
    template <typename Member>
    FieldRules<S> operator()(const char* key, const Member& member) {
        const auto offset = static_cast<std::size_t>(reinterpret_cast<const char*>(&member) -
                                                     reinterpret_cast<const char*>(fallback_.get()));
        if constexpr (detail::WithParts<Member>)
            add_companion<Member>(key, offset);
        Field& field = fields_.emplace_back();
        field.key = key;
        field.offset = offset;
        field.rules.required = required_;
        field.write = [](JsonWriter& out, const void* value, const Rules& rules) {
            fields::write(out, *static_cast<const Member*>(value), rules);
        };
        field.read = [](Reading& in, const Json& json, void* value, const Rules& rules) {
            fields::read(in, json, *static_cast<Member*>(value), rules);
        };
        field.equal = [](const void* one, const void* other) {
            return fields::equal(*static_cast<const Member*>(one), *static_cast<const Member*>(other));
        };
        return FieldRules<S>(*this, field);
    }
    /// Members of this struct that are a table of their own in the text.
    void table(const char* key, const std::function<void(Describe&)>& describe) {
        Describe inner(fallback_);
        describe(inner);
        fields_.push_back({.key = key, .table = std::make_shared<const Description>(inner.take())});
    }
    /// A key whose value is always the same text. It is not read.
    void constant(const char* key, const char* text) { fields_.push_back({.key = key, .constant = text}); }
    /// Refuses keys that are not described.
    void no_other_keys() { closed_ = true; }
    /// Makes the fields that follow required.
    void all_required() { required_ = true; }

    Description take() { return make_description({std::move(fields_), fallback_, closed_}); }

  private:
    template <typename Member>
    void add_companion(const char* key, std::size_t offset) {
        Field& field = fields_.emplace_back();
        field.is_companion = true;
        field.key = std::string(key) + "_message";
        field.offset = offset;
        field.write = [](JsonWriter& out, const void* value, const Rules&) {
            detail::write_parts(out, *static_cast<const Member*>(value));
        };
        field.read = [](Reading&, const Json& json, void* value, const Rules&) {
            detail::read_parts(json, *static_cast<Member*>(value));
        };
        field.equal = [](const void*, const void*) { return true; };  // the field of the text compares
        field.is_written = [offset](const void* object) {
            return detail::has_parts(*reinterpret_cast<const Member*>(static_cast<const char*>(object) + offset));
        };
    }

    std::shared_ptr<const S> fallback_;
    std::vector<Field> fields_;
    bool required_ = false, closed_ = false;
};

template <typename S>
template <typename Next>
FieldRules<S> FieldRules<S>::operator()(const char* key, const Next& member) {
    return describe_(key, member);
}

template <typename S>
const Description& description_of() {
    static const Description description = [] {
        const auto fallback = std::make_shared<const S>();
        Describe<S> describe(fallback);
        if constexpr (requires { S::kKind; })
            describe.constant("kind", S::kKind);
        fallback->fields(describe);
        return describe.take();
    }();
    return description;
}

/// Throws UserError "<origin> is not a JSON object: ..." if it is not one.
Json parse_object(std::string_view text, const std::string& origin);
/// Throws UserError with the first problem, if there is one.
void require_no_problem(const Reading& in, const std::string& origin);

/// As a JSON text.
template <typename T>
std::string to_text(const T& value, int indent = -1) {
    JsonWriter out({.indent = indent});
    write(out, value);
    return out.take();
}

/// Throws UserError that names `origin` and the key if the value is not as described.
template <typename T>
T from_json(const Json& json, const std::string& origin) {
    T value{};
    Reading in;
    read(in, json, value);
    require_no_problem(in, origin);
    return value;
}
template <typename S>
S from_text(std::string_view text, const std::string& origin) {
    return from_json<S>(parse_object(text, origin), origin);
}

}  // namespace trainyard::fields
