// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of a described struct (base/fields.h) without a list of its fields by hand: what is written is read again, and
// a value of a wrong kind for any field is a problem that names the field.

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/fields.h"

namespace trainyard::test {

/// Makes values of all types that a description may have, within the rules of the description.
class FieldFiller {
  public:
    /// `everything`: no optional member and no list is empty.
    FieldFiller(unsigned seed, bool everything) : random_(seed), everything_(everything) {}

    template <typename S>
    S make() {
        S object{};
        Filling<S> filling(*this, object);
        object.fields(filling);
        filling.finish();
        return object;
    }
    /// Keys whose values may be of any kind, as "request.values".
    const std::set<std::string>& any_kind() const { return any_kind_; }

  private:
    struct Rules {
        double least = -1e15, most = 1e15;
        std::size_t cut = std::string::npos, names = 0;
        bool time = false, real = false, json = false, plain = false;
        bool (*allows)(const std::string&) = nullptr;
    };

    template <typename S>
    class Filling;

    /// Stands for fields::FieldRules; fills the member at the end of the statement.
    template <typename S, typename Member>
    class Rule {
      public:
        Rule(Filling<S>& filling, const char* key, Member& member) : filling_(filling), key_(key), member_(member) {}
        Rule(const Rule&) = delete;
        Rule& operator=(const Rule&) = delete;
        ~Rule() {
            filling_.filler.path_.emplace_back(key_);
            if (any_)
                filling_.filler.any_kind_.insert(filling_.filler.path());
            filling_.filler.fill(member_, rules_);
            filling_.filler.path_.pop_back();
        }
        template <typename Next>
        Rule<S, Next> operator()(const char* key, const Next& member) {
            return filling_(key, member);
        }
        Rule& required() { return *this; }
        Rule& optional() { return *this; }
        Rule& null_if_default() { return *this; }
        Rule& omit_if_default() { return *this; }
        Rule& at_most(std::size_t) { return *this; }
        Rule& written_if(bool (*condition)(const S&)) {
            filling_.at_end.push_back([condition, &member = member_](const S& object) {
                if (!condition(object))
                    member = Member{};
            });
            return *this;
        }
        Rule& between(double least, double most) {
            rules_.least = least;
            rules_.most = most;
            return *this;
        }
        Rule& cut_at(std::size_t bytes) { return set(rules_.cut, bytes); }
        Rule& names(std::span<const char* const> names) { return set(rules_.names, names.size()); }
        Rule& allowed_if(bool (*condition)(const std::string&)) { return set(rules_.allows, condition); }
        Rule& label() { return set(rules_.plain, true); }
        Rule& lines() { return set(rules_.plain, true); }
        Rule& time() { return set(rules_.time, true); }
        Rule& real() { return set(rules_.real, true); }
        Rule& json() {
            any_ = true;
            return set(rules_.json, true);
        }
        Rule& of_any_kind() {
            any_ = true;
            return *this;
        }

      private:
        template <typename T>
        Rule& set(T& rule, T value) {
            rule = value;
            return *this;
        }
        Filling<S>& filling_;
        const char* key_;
        Member& member_;
        Rules rules_;
        bool any_ = false;
    };

    /// Stands for fields::Describe.
    template <typename S>
    class Filling {
      public:
        Filling(FieldFiller& given, S& object) : filler(given), object_(object) {}
        template <typename Member>
        Rule<S, Member> operator()(const char* key, const Member& member) {
            return {*this, key, const_cast<Member&>(member)};  // object_ is not const
        }
        template <typename Fields>
        void table(const char* key, Fields describe) {
            filler.path_.emplace_back(key);
            describe(*this);
            filler.path_.pop_back();
        }
        void constant(const char*, const char*) {}
        void all_required() {}
        void no_other_keys() {}
        void finish() {
            for (const auto& action : at_end)
                action(object_);
        }

        FieldFiller& filler;
        std::vector<std::function<void(const S&)>> at_end;

      private:
        S& object_;
    };

    bool chance() { return everything_ || random_() % 2 == 0; }
    std::string path() const {
        std::string joined;
        for (const std::string& key : path_)
            joined += (joined.empty() || key.starts_with('[') ? "" : ".") + key;
        return joined;
    }

    template <typename T>
    void fill(T& value, const Rules& rules) {
        if constexpr (std::is_same_v<T, bool>) {
            value = everything_ || random_() % 2 == 0;
        } else if constexpr (std::is_enum_v<T>) {
            value =
                static_cast<T>(random_() % (rules.names > 0 ? rules.names : static_cast<std::size_t>(rules.most) + 1));
        } else if constexpr (std::is_integral_v<T>) {
            const double least = std::max(rules.least, std::is_signed_v<T> ? -9.0e9 : 0.0);
            const double most = std::min(rules.most, 9.0e9);
            value = static_cast<T>(std::clamp(static_cast<double>(random_() % 40'000) - 7, least, most));
        } else if constexpr (std::is_same_v<T, double>) {
            fill_double(value, rules);
        } else if constexpr (std::is_same_v<T, std::string>) {
            fill_text(value, rules);
        } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
            value = "/tmp/a folder/" + std::to_string(random_() % 100);
        } else {
            fill_many(value, rules);
        }
    }
    template <typename T>
    void fill_many(std::optional<T>& value, const Rules& rules) {
        if (chance())
            fill(value.emplace(), rules);
    }
    template <typename T>
    void fill_many(std::vector<T>& value, const Rules& rules) {
        for (std::size_t count = everything_ ? 2 : random_() % 4, i = 0; i < count; ++i) {
            path_.push_back('[' + std::to_string(i) + ']');
            fill(value.emplace_back(), rules);
            path_.pop_back();
        }
    }
    template <typename T>
    void fill_many(std::map<std::string, T>& value, const Rules& rules) {
        for (std::size_t count = everything_ ? 2 : random_() % 4, i = 0; i < count; ++i) {
            const std::string key = i == 0 ? "a key" : "key_" + std::to_string(random_() % 1000);
            path_.push_back(key);
            fill(value[key], rules);
            path_.pop_back();
        }
    }
    void fill_many(Message& value, const Rules&) {
        value = Message("step {} of {}", random_() % 1000, Message("rank {}", random_() % 8));
    }
    template <typename S>
    void fill_many(S& value, const Rules&) {
        Filling<S> filling(*this, value);
        value.fields(filling);
        filling.finish();
    }

    void fill_double(double& value, const Rules& rules) {
        const double numbers[] = {0.5, 1e-7, 1.0 / 3, 2.0, 1e9, -2.5, std::nan(""), HUGE_VAL, -HUGE_VAL};
        value = rules.time ? static_cast<double>(1'795'250'000'000 + static_cast<std::int64_t>(random_() % 1000)) / 1000
                : rules.real ? numbers[random_() % (everything_ ? 6 : 9)]
                             : std::clamp(numbers[random_() % 6], rules.least, rules.most);
    }
    void fill_text(std::string& value, const Rules& rules) {
        const std::string texts[] = {"word",
                                     "two words",
                                     "b\xc3\xb6\"\\/\n\t\x01\x7f \xf0\x9f\x9a\x82",
                                     "10.0.0.1",
                                     "",
                                     std::string(2000, 'x'),
                                     "2026-11-21",
                                     "checkpoints/x_1",
                                     "nan"};
        value = rules.json    ? std::string(R"({"a":[1,2.5,{}],"step":12})")
                : rules.plain ? texts[random_() % 2]
                              : texts[random_() % (everything_ ? 4 : 9)];
        value = value.substr(0, rules.cut);
        for (std::size_t i = 0; rules.allows != nullptr && !rules.allows(value) && i < std::size(texts); ++i)
            value = texts[(i + 3) % std::size(texts)];
    }

    std::mt19937 random_;
    bool everything_;
    std::vector<std::string> path_;
    std::set<std::string> any_kind_;
};

/// A random struct that is written and read is the same, and so is the text that is written of it again.
template <typename S>
void check_round_trips() {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const S object = FieldFiller(seed, seed == 0).make<S>();
        const std::string text = fields::to_text(object);
        S read;
        fields::Reading in;
        fields::read(in, parse_json(text), read);
        ASSERT_TRUE(in.problems().empty()) << problem_text(in.problems().front()) << "\n" << text;
        ASSERT_TRUE(fields::equal(object, read)) << text;
        ASSERT_EQ(fields::to_text(read), text);
    }
}

/// Each value of `tree` in turn is replaced by values of other kinds: `read` must report its path.
inline void check_wrong_kinds_of(const fields::Json& tree, const std::set<std::string>& any_kind,
                                 const std::function<std::vector<fields::FieldProblem>(const fields::Json&)>& read) {
    using Json = fields::Json;
    std::size_t checked = 0;
    Json changed = tree;
    const std::function<void(Json&, const std::string&)> visit = [&](Json& value, const std::string& path) {
        // Literal and values of a message are ignored where they do not give the text next to them.
        if (any_kind.contains(path) || path.ends_with("_message"))
            return;
        const Json original = value;
        for (const Json& other : {Json("no such value"), Json(1.5), Json(true), Json::array({1}), Json{{"a", 1}}}) {
            if (path.empty() || other.type() == original.type() ||
                (original.is_number() && other.is_number() && !original.is_number_integer()))
                continue;
            value = other;
            bool named = false;
            for (const fields::FieldProblem& problem : read(changed))
                named = named || problem.path == path;
            EXPECT_TRUE(named) << path << " may be " << other;
            ++checked;
        }
        value = original;
        if (value.is_object())
            for (auto entry = value.begin(); entry != value.end(); ++entry)
                visit(*entry, path.empty() ? entry.key() : path + '.' + entry.key());
        else if (value.is_array())
            for (std::size_t i = 0; i < value.size(); ++i)
                visit(value[i], path + '[' + std::to_string(i) + ']');
    };
    visit(changed, "");
    const auto companions =
        std::ranges::count_if(tree.items(), [](const auto& item) { return item.key().ends_with("_message"); });
    EXPECT_GE(checked, 4 * (tree.size() - static_cast<std::size_t>(companions)) - 4) << tree;
}

template <typename S>
void check_wrong_kinds() {
    FieldFiller filler(1, true);
    const S object = filler.make<S>();
    const fields::Json tree = parse_json(fields::to_text(object));
    std::set<std::string> any_kind = filler.any_kind();
    for (const fields::Field& field : fields::description_of<S>().fields) {
        EXPECT_TRUE(tree.contains(field.key)) << field.key << " is not written, so it is not checked";
        if (field.constant != nullptr)
            any_kind.insert(field.key);
    }
    check_wrong_kinds_of(tree, any_kind, [](const fields::Json& changed) {
        S read;
        fields::Reading in;
        fields::read(in, changed, read);
        return in.problems();
    });
}

/// Nothing that misses a required field is taken, and everything that misses another one is.
template <typename S>
void check_missing_fields() {
    const fields::Json tree = parse_json(fields::to_text(FieldFiller(1, true).make<S>()));
    for (const fields::Field& field : fields::description_of<S>().fields) {
        fields::Json less = tree;
        less.erase(field.key);
        S read;
        fields::Reading in;
        fields::read(in, less, read);
        EXPECT_EQ(in.problems().size(), field.rules.required ? 1u : 0u) << field.key;
        for (const fields::FieldProblem& problem : in.problems())
            EXPECT_EQ(problem_text(problem), std::string(field.key) + " is missing");
    }
}

template <typename... S>
void check_described() {
    (check_round_trips<S>(), ...);
    (check_wrong_kinds<S>(), ...);
    (check_missing_fields<S>(), ...);
}

}  // namespace trainyard::test
