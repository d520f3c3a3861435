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
// std::optional, std::vector, std::map with texts as keys, and other described structs. One of several messages has a
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

namespace trainyard::fields {

using Json = nlohmann::json;

inline constexpr std::size_t kMostItems = 65'536;  ///< of a list or table whose field names no other bound

struct Description;

enum class Fault { missing, wrong_type, out_of_range, not_a_time, not_known, not_allowed, too_many };

struct FieldProblem {
    std::string path = {};  ///< "ranks[3].host"; empty: the value as a whole
    Fault fault = Fault::wrong_type;
    std::size_t count = 0, most = 0;  ///< too_many: number of entries, and how many may be there
    std::string value = {};           ///< not_known, not_allowed: the text
};

/// "has the wrong type", where the path is named otherwise.
std::string what_is_wrong(const FieldProblem& problem);
/// "ranks[3].host has the wrong type".
std::string problem_text(const FieldProblem& problem);

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
/// How a text is taken: as it is, or made fit to be shown (HostText of base/untrusted.h).
enum class Taken { as_it_is, label, lines };

struct Rules {
    bool required = false;
    Default unset = Default::written;
    double least = -HUGE_VAL, most = HUGE_VAL;     ///< of numbers
    std::size_t longest = kMostItems;              ///< entries of a list or table
    std::size_t cut = std::string::npos;           ///< bytes of a text that are taken
    bool (*allows)(const std::string&) = nullptr;  ///< of a text; nullptr: every one is allowed
    Taken taken = Taken::as_it_is;
    std::span<const char* const> names = {};  ///< of an enumeration, by its values; none: its numbers
};

/// How values of one C++ type are written, read and compared.
struct Codec {
    virtual ~Codec() = default;
    virtual void write(JsonWriter& out, const void* value, const Rules& rules) const = 0;
    /// `json` is not null. A value that is refused leaves `value` as it is, or partly read.
    virtual void read(Reading& in, const Json& json, void* value, const Rules& rules) const = 0;
    virtual bool equal(const void* one, const void* other) const = 0;
};

struct Field {
    const char* key = nullptr;
    std::size_t offset = 0;  ///< of the member in the struct
    const Codec* codec = nullptr;
    Rules rules = {};
    std::shared_ptr<const Codec> own_codec = {};       ///< of a table of the struct's own members
    std::function<bool(const void*)> is_written = {};  ///< of the struct; empty: always
    const char* constant = nullptr;                    ///< a text that is always the same; no member
};

/// The fields of a struct by their keys.
struct Description {
    std::vector<Field> fields;
    std::shared_ptr<const void> fallback;  ///< a struct with the defaults

    void write(JsonWriter& out, const void* object) const;
    void read(Reading& in, const Json& json, void* object) const;
    bool equal(const void* one, const void* other) const;
};

/// The members of a struct as a table of their own.
struct TableCodec final : Codec {
    Description fields;
    void write(JsonWriter& out, const void* value, const Rules&) const override { fields.write(out, value); }
    void read(Reading& in, const Json& json, void* value, const Rules&) const override { fields.read(in, json, value); }
    bool equal(const void* one, const void* other) const override { return fields.equal(one, other); }
};

/// Wall seconds of a double, as ISO 8601 text.
const Codec& time_codec();
/// A double that may be "nan", "inf" and "-inf", which JSON does not have as numbers.
const Codec& real_codec();
/// The bytes of a std::string in hexadecimal digits.
const Codec& hex_codec();
/// The JSON text in a std::string as the value itself.
const Codec& json_codec();
/// std::map of texts whose values may be of any kind; what is not a text is taken as its JSON text.
const Codec& any_values_codec();

template <typename T>
const Codec& codec_of();
template <typename S>
const Description& description_of();

namespace detail {

bool is_in_range(double value, const Rules& rules);
/// Whether `json` is a list or table with at most `rules.longest` entries; adds a problem if it is not.
bool is_list(Reading& in, const Json& json, const Rules& rules);
bool is_table(Reading& in, const Json& json, const Rules& rules);
void read_text(Reading& in, const Json& json, std::string& text, const Rules& rules);
std::optional<std::size_t> read_name(Reading& in, const Json& json, const Rules& rules);

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
    if (number.is_number_unsigned()) {
        const auto value = number.get<std::uint64_t>();
        return std::in_range<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    }
    const auto value = number.get<std::int64_t>();
    return std::in_range<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
}

template <typename T>
struct TypedCodec : Codec {
    bool equal(const void* one, const void* other) const override {
        return *static_cast<const T*>(one) == *static_cast<const T*>(other);
    }

  protected:
    static const T& from(const void* value) { return *static_cast<const T*>(value); }
    static T& to(void* value) { return *static_cast<T*>(value); }
};

struct BoolCodec final : TypedCodec<bool> {
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.boolean(from(value)); }
    void read(Reading& in, const Json& json, void* value, const Rules&) const override {
        if (json.is_boolean())
            to(value) = json.get<bool>();
        else
            in.add(Fault::wrong_type);
    }
};

template <std::integral T>
struct IntegerCodec final : TypedCodec<T> {
    void write(JsonWriter& out, const void* value, const Rules&) const override {
        if constexpr (std::is_signed_v<T>)
            out.number(std::int64_t{this->from(value)});
        else
            out.number(std::uint64_t{this->from(value)});
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (!json.is_number())
            return in.add(Fault::wrong_type);
        const std::optional<T> number = whole_number<T>(json);
        if (!number || !is_in_range(static_cast<double>(*number), rules))
            return in.add(Fault::out_of_range);
        this->to(value) = *number;
    }
};

struct DoubleCodec final : TypedCodec<double> {
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.number(from(value)); }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (!json.is_number())
            return in.add(Fault::wrong_type);
        const double number = json.get<double>();
        if (!is_in_range(number, rules))
            return in.add(Fault::out_of_range);
        to(value) = number;
    }
};

struct TextCodec final : TypedCodec<std::string> {
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.text(from(value)); }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        read_text(in, json, to(value), rules);
    }
};

struct PathCodec final : TypedCodec<std::filesystem::path> {
    void write(JsonWriter& out, const void* value, const Rules&) const override { out.text(from(value).native()); }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        std::string text;
        read_text(in, json, text, rules);
        to(value) = std::move(text);
    }
};

template <typename T>
struct EnumCodec final : TypedCodec<T> {
    void write(JsonWriter& out, const void* value, const Rules& rules) const override {
        const auto number = static_cast<std::int64_t>(this->from(value));
        if (rules.names.empty())
            out.number(number);
        else
            out.text(rules.names[static_cast<std::size_t>(number)]);
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (rules.names.empty()) {
            auto number = static_cast<std::int64_t>(this->from(value));
            codec_of<std::int64_t>().read(in, json, &number, rules);
            this->to(value) = static_cast<T>(number);
        } else if (const std::optional<std::size_t> found = read_name(in, json, rules))
            this->to(value) = static_cast<T>(*found);
    }
};

template <typename T>
struct OptionalCodec final : Codec {
    explicit OptionalCodec(const Codec& inner) : inner_(inner) {}
    void write(JsonWriter& out, const void* value, const Rules& rules) const override {
        const auto& held = *static_cast<const std::optional<T>*>(value);
        if (held)
            inner_.write(out, &*held, rules);
        else
            out.null();
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        T held{};
        const std::size_t before = in.problems().size();
        inner_.read(in, json, &held, rules);
        if (in.problems().size() == before)
            *static_cast<std::optional<T>*>(value) = std::move(held);
    }
    bool equal(const void* one, const void* other) const override {
        const auto& a = *static_cast<const std::optional<T>*>(one);
        const auto& b = *static_cast<const std::optional<T>*>(other);
        return a.has_value() == b.has_value() && (!a || inner_.equal(&*a, &*b));
    }

  private:
    const Codec& inner_;
};

template <typename T>
struct ListCodec final : Codec {
    void write(JsonWriter& out, const void* value, const Rules& rules) const override {
        out.begin_array();
        for (const T& item : *static_cast<const std::vector<T>*>(value))
            codec_of<T>().write(out, &item, rules);
        out.end_array();
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (!is_list(in, json, rules))
            return;
        std::vector<T> items(json.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            const Reading::Step step(in, i);
            codec_of<T>().read(in, json[i], &items[i], rules);
        }
        *static_cast<std::vector<T>*>(value) = std::move(items);
    }
    bool equal(const void* one, const void* other) const override {
        const auto& a = *static_cast<const std::vector<T>*>(one);
        const auto& b = *static_cast<const std::vector<T>*>(other);
        return std::ranges::equal(a, b, [](const T& x, const T& y) { return codec_of<T>().equal(&x, &y); });
    }
};

template <typename T>
struct MapCodec final : Codec {
    using Map = std::map<std::string, T>;
    void write(JsonWriter& out, const void* value, const Rules& rules) const override {
        out.begin_object();
        for (const auto& [key, item] : *static_cast<const Map*>(value)) {
            out.key(key);
            codec_of<T>().write(out, &item, rules);
        }
        out.end_object();
    }
    void read(Reading& in, const Json& json, void* value, const Rules& rules) const override {
        if (!is_table(in, json, rules))
            return;
        Map items;
        for (const auto& [key, item] : json.items()) {
            const Reading::Step step(in, key);
            codec_of<T>().read(in, item, &items[key], rules);
        }
        *static_cast<Map*>(value) = std::move(items);
    }
    bool equal(const void* one, const void* other) const override {
        const auto& a = *static_cast<const Map*>(one);
        const auto& b = *static_cast<const Map*>(other);
        return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
            return x.first == y.first && codec_of<T>().equal(&x.second, &y.second);
        });
    }
};

template <typename S>
struct StructCodec final : Codec {
    void write(JsonWriter& out, const void* value, const Rules&) const override {
        description_of<S>().write(out, value);
    }
    void read(Reading& in, const Json& json, void* value, const Rules&) const override {
        description_of<S>().read(in, json, value);
    }
    bool equal(const void* one, const void* other) const override { return description_of<S>().equal(one, other); }
};

template <typename T>
struct ItemOf {};
template <typename T>
struct ItemOf<std::optional<T>> {
    static const Codec& codec() {
        static const OptionalCodec<T> optional(codec_of<T>());
        return optional;
    }
};
template <typename T>
struct ItemOf<std::vector<T>> {
    static const Codec& codec() {
        static const ListCodec<T> list;
        return list;
    }
};
template <typename T>
struct ItemOf<std::map<std::string, T>> {
    static const Codec& codec() {
        static const MapCodec<T> table;
        return table;
    }
};

}  // namespace detail

template <typename T>
const Codec& codec_of() {
    if constexpr (std::is_same_v<T, bool>) {
        static const detail::BoolCodec codec;
        return codec;
    } else if constexpr (std::is_integral_v<T>) {
        static const detail::IntegerCodec<T> codec;
        return codec;
    } else if constexpr (std::is_same_v<T, double>) {
        static const detail::DoubleCodec codec;
        return codec;
    } else if constexpr (std::is_same_v<T, std::string>) {
        static const detail::TextCodec codec;
        return codec;
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        static const detail::PathCodec codec;
        return codec;
    } else if constexpr (std::is_enum_v<T>) {
        static const detail::EnumCodec<T> codec;
        return codec;
    } else if constexpr (requires { detail::ItemOf<T>::codec(); }) {
        return detail::ItemOf<T>::codec();
    } else {
        static const detail::StructCodec<T> codec;
        return codec;
    }
}

/// Sorts the fields. Throws std::logic_error if two have the same key.
Description make_description(std::vector<Field> fields, std::shared_ptr<const void> fallback);

template <typename S>
class Describe;

/// The rules of one field, which a description adds after its key and its member.
template <typename S, typename Member>
class FieldRules {
  public:
    FieldRules(Describe<S>& describe, Field& field) : describe_(describe), field_(field) {}

    /// The next field.
    template <typename Next>
    FieldRules<S, Next> operator()(const char* key, const Next& member);

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
    /// Made fit to be shown, as one line or as several (HostText).
    FieldRules& label() { return set(&Rules::taken, Taken::label); }
    FieldRules& lines() { return set(&Rules::taken, Taken::lines); }
    FieldRules& time() { return number_as(time_codec()); }
    FieldRules& real() { return number_as(real_codec()); }
    FieldRules& hex() requires std::same_as<Member, std::string> { return as(hex_codec()); }
    FieldRules& json() requires std::same_as<Member, std::string> { return as(json_codec()); }
    FieldRules& of_any_kind() requires std::same_as<Member, std::map<std::string, std::string>> {
        return as(any_values_codec());
    }

  private:
    template <typename T>
    FieldRules& set(T Rules::*rule, T value) {
        field_.rules.*rule = value;
        return *this;
    }
    FieldRules& as(const Codec& codec) {
        field_.codec = &codec;
        return *this;
    }
    FieldRules& number_as(const Codec& codec) {
        if constexpr (std::same_as<Member, double>) {
            return as(codec);
        } else {
            static_assert(std::same_as<Member, std::optional<double>>);
            field_.own_codec = std::make_shared<detail::OptionalCodec<double>>(codec);
            return as(*field_.own_codec);
        }
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
    FieldRules<S, Member> operator()(const char* key, const Member& member) {
        const auto offset = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(fallback_.get());
        fields_.push_back({.key = key,
                           .offset = static_cast<std::size_t>(offset),
                           .codec = &codec_of<Member>(),
                           .rules = {.required = required_}});
        return FieldRules<S, Member>(*this, fields_.back());
    }
    /// Members of this struct that are a table of their own in the text.
    void table(const char* key, const std::function<void(Describe&)>& describe) {
        Describe inner(fallback_);
        describe(inner);
        auto codec = std::make_shared<TableCodec>();
        codec->fields = inner.take();
        fields_.push_back({.key = key, .codec = codec.get(), .own_codec = codec});
    }
    /// A key whose value is always the same text. It is not read.
    void constant(const char* key, const char* text) { fields_.push_back({.key = key, .constant = text}); }
    /// Makes the fields that follow required.
    void all_required() { required_ = true; }

    Description take() { return make_description(std::move(fields_), fallback_); }

  private:
    std::shared_ptr<const S> fallback_;
    std::vector<Field> fields_;
    bool required_ = false;
};

template <typename S, typename Member>
template <typename Next>
FieldRules<S, Next> FieldRules<S, Member>::operator()(const char* key, const Next& member) {
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

/// A described struct, or a list of them.
template <typename T>
void write(JsonWriter& out, const T& value) {
    codec_of<T>().write(out, &value, Rules{});
}
template <typename... Messages>
void write(JsonWriter& out, const std::variant<Messages...>& message) {
    std::visit([&](const auto& one) { write(out, one); }, message);
}

template <typename T>
void read(Reading& in, const Json& json, T& value, const Rules& rules = {}) {
    codec_of<T>().read(in, json, &value, rules);
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
