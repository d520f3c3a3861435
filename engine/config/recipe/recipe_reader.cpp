// SPDX-License-Identifier: GPL-3.0-or-later
// Reads recipes from YAML and from assignments. Every wrong value is reported with its position.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/recipe.h"
#include "config/recipe/recipe_checks.h"
#include "config/recipe/recipe_fields.h"
#include "config/values/value_formats.h"
#include "formats/hub/repo_name.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

constexpr const char* kOverrides = "--set";

bool is_word_of(const std::string& text, std::initializer_list<const char*> words) {
    std::string lower = text;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return lower == word; });
}

template <class Number>
bool parse_whole(const std::string& text, Number& number) {
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const char* digits = begin + (*begin == '-' ? 1 : 0);
    // 010 is eight in YAML 1.1 and ten in 1.2.
    if (digits[0] == '0' && digits + 1 < text.data() + text.size())
        return false;
    const auto read = parse_number<Number>({begin, text.data() + text.size()});
    number = read.value_or(number);
    return read.has_value();
}

/// Also 1e-3, which YAML 1.1 takes for text.
bool parse_real(const std::string& text, double& number) {
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const auto read = parse_number<double>({begin, text.data() + text.size()});
    number = read.value_or(number);
    return read.has_value();
}

/// Replaces `~`, `$NAME`, `${NAME}` and `$$`, and makes the path absolute. Empty stays empty.
std::string expand_path(const std::string& text, const fs::path& folder, Message& problem) {
    std::string out;
    std::size_t at = 0;
    if (text == "~" || text.starts_with("~/")) {
        const char* home = std::getenv("HOME");
        if (home == nullptr || *home == '\0')
            problem = "~ cannot be replaced: the variable HOME is not set";
        else
            out = home;
        at = 1;
    }
    while (at < text.size()) {
        if (text[at] != '$') {
            out += text[at++];
            continue;
        }
        if (text.compare(at, 2, "$$") == 0) {
            out += '$';
            at += 2;
            continue;
        }
        bool braces = text.compare(at, 2, "${") == 0;
        std::size_t begin = at + (braces ? 2 : 1), end = begin;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
            ++end;
        std::string name = text.substr(begin, end - begin);
        const char* value = std::getenv(name.c_str());
        if (name.empty() || (braces && (end >= text.size() || text[end] != '}')))
            problem = Message("'{}' has a $ that names no variable: write $NAME, ${{NAME}} or $$", text);
        else if (value == nullptr)
            problem = Message("the environment variable {} is not set", name);
        else
            out += value;
        at = end + (braces ? 1 : 0);
    }
    if (out.empty() || !problem.empty())
        return out;
    return (folder / out).lexically_normal().string();
}

class Reader {
  public:
    Reader(Recipe& recipe, std::string file, fs::path folder)
        : recipe_(recipe), file_(std::move(file)), folder_(std::move(folder)) {}

    std::vector<Problem> problems;

    void read_document(const Value& tree) {
        if (tree.is_null())
            return;
        if (!tree.is_map()) {
            complain(tree, "", Message("expected a recipe (keys with values), got {}", tree.description()));
            return;
        }
        std::vector<std::string> known = keys_of("");
        known.insert(known.end(), recipe_sections().begin(), recipe_sections().end());
        for (const Entry& entry : tree.entries()) {
            const std::string& key = entry.key;
            if (!first_time("", entry))
                continue;
            bool section = std::count(recipe_sections().begin(), recipe_sections().end(), key) > 0;
            if (section)
                read_section(key, entry.value);
            else if (const Field* field = find("", key))
                read_field(*field, entry.value, entry);
            else
                complain(entry, "", unknown(key, "", known));
        }
    }

    /// Values for one key given by its dotted name.
    void read_override(const std::string& assignment) {
        std::size_t equals = assignment.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems.push_back({file_, 0, 0, "", Message("'{}' is not of the form key=value", assignment)});
            return;
        }
        std::string key = assignment.substr(0, equals);
        if (std::optional<Message> problem = text::argument_problem(assignment)) {
            problems.push_back({file_, 0, 0, key, std::move(*problem)});
            return;
        }
        std::size_t dot = key.find('.');
        std::string section = dot == std::string::npos ? "" : key.substr(0, dot);
        const Field* field = find(section, dot == std::string::npos ? key : key.substr(dot + 1));
        if (field == nullptr) {
            std::vector<std::string> known;
            for (const Field& row : recipe_fields())
                known.push_back(row.dotted());
            problems.push_back({file_, 0, 0, "", unknown(key, "", known)});
            return;
        }
        std::size_t before = problems.size();
        Value value = parse_yaml(std::string_view(assignment).substr(equals + 1), file_, problems);
        if (problems.size() == before)
            read_field(*field, value, value);
        for (std::size_t i = before; i < problems.size(); ++i) {
            problems[i].line = problems[i].column = 0;  // places inside one argument help nobody
            problems[i].key = key;
        }
    }

    /// Sizes of the model that the recipe leaves out get the values of the family's small model.
    void settle_model() {
        ModelRecipe& model = recipe_.model;
        const families::Family* family = families::find_family(model.model_type);
        if (family == nullptr)
            return;
        families::ModelConfig settled = family->small();
        settled.task = model.task;
        settled.loss = model.loss;
        // Of other families, too: model.weights may be of one of them.
        for (const families::ConfigKey& key : families::all_keys())
            if (model.written.keys.contains(key.name))
                std::visit([&](auto member) { settled.*member = model.*member; }, key.member);
        static_cast<families::ModelConfig&>(model) = std::move(settled);
        if (!model.written.keys.contains("task"))
            model.task = family->tasks().front().task;
        if (!families::reads_text(model.task) && !places_.contains("data.sequence_length"))
            recipe_.data.sequence_length = 1;
    }

    /// Checks that look at more than one value, placed at the keys they concern.
    void check_whole() {
        follow_optimizer(recipe_.optimizer, optimizer_before_, written_of_optimizer_);
        std::set<std::string> unread;
        for (const Problem& problem : problems)
            unread.insert(problem.key);
        for (Problem& problem : check_values(recipe_, unread))
            complain_of_key(std::move(problem));
    }

  private:
    void complain_of_key(Problem problem) {
        problem.file = file_;
        if (auto place = places_.find(problem.key); place != places_.end())
            std::tie(problem.line, problem.column) = place->second;
        problems.push_back(std::move(problem));
    }
    template <class Placed>
    void complain(const Placed& at, std::string key, Message message) {
        problems.push_back({file_, at.line, at.column, std::move(key), std::move(message)});
    }

    static std::vector<std::string> keys_of(const std::string& section) {
        std::vector<std::string> keys;
        for (const Field& field : recipe_fields())
            if (field.section == section)
                keys.push_back(field.key);
        return keys;
    }

    static const Field* find(const std::string& section, const std::string& key) {
        for (const Field& field : recipe_fields())
            if (field.section == section && (field.key == key || (!field.other_key.empty() && field.other_key == key)))
                return &field;
        return nullptr;
    }

    /// The nearest name, or where the key would belong.
    static Message unknown(const std::string& key, const std::string& section, const std::vector<std::string>& known) {
        if (!text::nearest(key, known))
            for (const Field& field : recipe_fields())
                if (field.key == key && field.section != section)
                    return Message("unknown key '{}': it belongs under '{}'", key, field.section);
        const Message message("unknown key '{}'{}", key, text::did_you_mean(key, known));
        if (section.empty() && !text::nearest(key, known))
            return Message("{}; `trainyard launch RECIPE --dry-run` prints every key", message);
        return message;
    }

    bool first_time(const std::string& section, const Entry& entry) {
        const Field* field = find(section, entry.key);
        std::string name = field != nullptr ? field->dotted() : section.empty() ? entry.key : section + "." + entry.key;
        auto [place, made] = places_.try_emplace(name, entry.line, entry.column);
        if (!made)
            complain(entry, name, Message("given twice, first in line {}: keep one", place->second.first));
        return made;
    }

    void read_section(const std::string& name, const Value& tree) {
        if (tree.is_null())
            return;
        if (!tree.is_map()) {
            complain(tree, name, Message("expected a table of keys, got {}", tree.description()));
            return;
        }
        for (const Entry& entry : tree.entries()) {
            const std::string& key = entry.key;
            if (!first_time(name, entry))
                continue;
            if (const Field* field = find(name, key))
                read_field(*field, entry.value, entry);
            else
                complain(entry, name + "." + key, unknown(key, name, keys_of(name)));
        }
    }

    /// A value that is null has the place of its key.
    template <class Placed>
    void read_field(const Field& field, Value value, const Placed& key) {
        if (value.is_null()) {
            value.line = key.line;
            value.column = key.column;
        }
        std::visit([&](auto target) { read_value(field, value, target); }, field.target(recipe_));
        if (field.section == "model")
            recipe_.model.written.keys.insert(field.key);
        if (field.section == "optimizer")
            written_of_optimizer_.push_back(field.key);
    }

    void expected(const Field& field, const Value& value, const Message& what) {
        complain(value, field.dotted(), Message("expected {}, got {}", what, value.description()));
    }

    template <class Number>
    void read_whole(const Field& field, const Value& value, Number* target) {
        Number number{};
        if (!value.plain || !parse_whole(value.spelling(), number)) {
            const std::string text = value.plain && value.is_scalar() ? value.spelling() : std::string();
            if (!text.empty() && text[0] != '0' && text.find_first_not_of("0123456789") == std::string::npos)
                return complain(
                    value, field.dotted(),
                    Message("{} is out of range, use at most {}", text, std::numeric_limits<Number>::max()));
            return expected(field, value, "a whole number");
        }
        *target = number;
    }
    void read_value(const Field& field, const Value& value, std::int64_t* target) { read_whole(field, value, target); }
    void read_value(const Field& field, const Value& value, std::uint64_t* target) { read_whole(field, value, target); }
    void read_value(const Field& field, const Value& value, double* target) {
        double number = 0;
        if (!value.plain || !parse_real(value.spelling(), number))
            return expected(field, value, "a number");
        *target = number;
    }
    void read_value(const Field& field, const Value& value, bool* target) {
        if (value.plain && is_word_of(value.spelling(), {"true", "yes", "on", "y"}))
            *target = true;
        else if (value.plain && is_word_of(value.spelling(), {"false", "no", "off", "n"}))
            *target = false;
        else
            expected(field, value, "true or false");
    }
    void read_value(const Field& field, const Value& value, std::string* target) {
        if (value.is_null() && field.path) {
            target->clear();
            return;
        }
        if (!value.is_scalar())
            return expected(field, value, field.path ? Message("a path") : Message("a text"));
        if (field.path)
            *target = path(field, value);
        else
            *target = value.spelling();
    }
    void read_value(const Field& field, const Value& value, ChoiceValue target) {
        if (!value.is_scalar())
            return expected(field, value, "a text");
        auto found = std::ranges::find(field.choices, value.spelling());
        // YAML 1.1 reads an unquoted `no` as false; here it is the choice.
        if (found == field.choices.end() && value.plain && is_word_of(value.spelling(), {"no", "false", "off", "n"}))
            found = std::ranges::find(field.choices, "no");
        if (found == field.choices.end() && value.plain && is_word_of(value.spelling(), {"yes", "true", "on", "y"}))
            found = std::ranges::find(field.choices, field.yes);
        if (found == field.choices.end())
            return complain_of_key({"", 0, 0, field.dotted(),
                                    Message("unknown value '{}'{}", value.spelling(),
                                            text::did_you_mean(value.spelling(), field.choices))});
        *target.value = static_cast<unsigned char>(found - field.choices.begin());
    }
    void read_value(const Field& field, const Value& value, std::vector<std::string>* target) {
        std::vector<std::string> values;
        auto take = [&](const Value& item) { values.push_back(field.path ? path(field, item) : item.spelling()); };
        if (value.is_scalar()) {
            take(value);
        } else if (value.is_list()) {
            for (const Value& item : value.items()) {
                if (item.is_scalar())
                    take(item);
                else
                    expected(field, item, field.path ? Message("a path") : Message("a word"));
            }
        } else if (!value.is_null() || field.path) {
            return expected(field, value,
                            field.path ? Message("a path or a list of paths") : Message("a word or a list of words"));
        }
        *target = std::move(values);
    }
    void read_value(const Field& field, const Value& value, Table target) {
        if (!value.is_map() && !value.is_null())
            return expected(field, value, "a table of keys, e.g. {key: 1}");
        *target.yaml = value.entries().empty() ? "" : flow_text(value);
    }
    void read_value(const Field& field, const Value& value, Json target) {
        if (value.is_scalar())
            return expected(field, value, "a table or a list, e.g. {key: 1} or [1, 2]");
        const nlohmann::json json = json_of(value);
        *target.text = json.empty() ? "" : json_text(json);
    }
    /// Plain scalars are numbers and truth values where they look like them.
    static nlohmann::json json_of(const Value& value) {
        const std::string text = value.spelling();
        std::int64_t whole = 0;
        double real = 0;
        nlohmann::json made;
        if (value.is_list()) {
            made = nlohmann::json::array();
            for (const Value& item : value.items())
                made.push_back(json_of(item));
        } else if (value.is_map()) {
            made = nlohmann::json::object();
            for (const auto& [key, entry] : value.entries())
                made[key] = json_of(entry);
        } else if (value.plain && parse_whole(text, whole)) {
            made = whole;
        } else if (value.plain && parse_real(text, real)) {
            made = real;
        } else if (value.plain && is_word_of(text, {"true", "false"})) {
            made = is_word_of(text, {"true"});
        } else if (value.is_scalar()) {
            made = text;
        }
        return made;
    }
    void read_value(const Field& field, const Value& value, Betas target) {
        double numbers[2] = {};
        bool good = value.items().size() == 2;
        for (std::size_t i = 0; good && i < 2; ++i)
            good = value.items()[i].plain && parse_real(value.items()[i].spelling(), numbers[i]);
        if (!good)
            return expected(field, value, "a list of two numbers, e.g. [0.9, 0.999]");
        *target.beta1 = numbers[0];
        *target.beta2 = numbers[1];
    }

    /// A name of a hub with its prefix; empty: it is a path. `problem`: the prefix is there, and no name.
    std::string hub_name(const Field& field, const std::string& given, Message& problem) const {
        const std::string text = field.hub == HubNames::none ? given : hub::name_of_address(given);
        if (field.hub == HubNames::none || (!hub::has_hub_prefix(text) && field.hub != HubNames::models))
            return {};
        std::error_code error;
        if (!hub::has_hub_prefix(text))
            return text.find('/') != std::string::npos && hub::parse_model_name(text) &&
                           !fs::exists(folder_ / text, error)
                       ? std::string(hub::kHubPrefix) + text
                       : std::string();
        if (field.hub == HubNames::models && !hub::parse_model_name(text))
            problem = Message("'{}' is not a name of a model: write hub:org/name or hub:org/name@REVISION", text);
        if (field.hub == HubNames::data_sets && !hub::parse_data_name(text))
            problem = Message(
                "'{}' is not a name of a data set: write hub:org/name, with @REVISION, /CONFIG and :SPLIT "
                "where they are needed",
                text);
        return text;
    }
    std::string path(const Field& field, const Value& value) {
        if (std::ranges::find(field.choices, value.spelling()) != field.choices.end())
            return value.spelling();
        Message problem;
        if (const std::string name = hub_name(field, value.spelling(), problem); !name.empty() || !problem.empty()) {
            if (!problem.empty())
                complain(value, field.dotted(), problem);
            return name;
        }
        std::string expanded = expand_path(value.spelling(), folder_, problem);
        if (!problem.empty())
            complain(value, field.dotted(), problem);
        return expanded;
    }

    Recipe& recipe_;
    std::string file_;
    fs::path folder_;
    const std::string optimizer_before_ = recipe_.optimizer.name;
    std::vector<std::string> written_of_optimizer_;
    std::map<std::string, std::pair<int, int>> places_;  // dotted key -> line, column
};

constexpr int kMostBrokenLines = 16;
constexpr std::size_t kMostBytesToMend = 1u << 16;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

/// Empties a line and the lines that are indented more, which belong to it. Line numbers stay.
std::string without_line(const std::string& text, int line) {
    std::vector<std::string> lines = lines_of(text);
    const auto first = static_cast<std::size_t>(line - 1);
    const std::size_t indent = lines[first].find_first_not_of(' ');
    lines[first].clear();
    for (std::size_t i = first + 1; i < lines.size(); ++i) {
        const std::size_t own = lines[i].find_first_not_of(' ');
        if (own != std::string::npos && own <= indent)
            break;
        lines[i].clear();
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// A text as far as it was read.
struct Reading {
    std::string text;
    Value tree = {};
    std::vector<Problem> problems = {};
    int broken_line = 0;  ///< where the parser gave up; 0: it read the text to its end
};

Reading read_text(std::string text, const std::string& file) {
    Reading reading{std::move(text)};
    reading.tree = parse_yaml(reading.text, file, reading.problems);
    if (reading.tree.is_null() && !reading.problems.empty())
        reading.broken_line = reading.problems.back().line;
    return reading;
}

/// The better one of the text without the line and without the line before it: a bracket that is not closed is reported
/// after its own line. Nothing: there is no such line.
std::optional<Reading> read_without(const Reading& broken, const std::string& file) {
    const std::vector<std::string> lines = lines_of(broken.text);
    const int last = static_cast<int>(lines.size());
    int before = std::min(broken.broken_line - 1, last);
    while (before > 0 && lines[static_cast<std::size_t>(before - 1)].find_first_not_of(" \t\r") == std::string::npos)
        --before;
    std::optional<Reading> best;
    for (const int line : {broken.broken_line, before}) {
        if (line < 1 || line > last)
            continue;
        Reading attempt = read_text(without_line(broken.text, line), file);
        const bool further =
            best && best->broken_line > 0 && (attempt.broken_line == 0 || attempt.broken_line > best->broken_line);
        if (!best || further)
            best = std::move(attempt);
    }
    return best;
}

/// Reads the text. Lines whose syntax is wrong are reported and left out, so that they do not hide the problems of the
/// others.
Value read_other_lines(const std::string& yaml, const std::string& file, std::vector<Problem>& problems) {
    Reading reading = read_text(yaml, file);
    problems = reading.problems;
    const auto is_new = [&](const Problem& problem) {
        return std::ranges::none_of(problems, [&](const Problem& other) {
            return other.line == problem.line && other.message == problem.message;
        });
    };
    for (int i = 0; reading.broken_line > 0 && i < kMostBrokenLines && yaml.size() <= kMostBytesToMend; ++i) {
        std::optional<Reading> next = read_without(reading, file);
        if (!next)
            break;
        for (Problem& problem : next->problems)
            if (is_new(problem))
                problems.push_back(problem);
        reading = std::move(*next);
    }
    return std::move(reading.tree);
}

Recipe read_tree(const Value& tree, std::vector<Problem> problems, const fs::path& file) {
    Recipe recipe;
    Reader reader(recipe, file.string(), fs::absolute(file).parent_path());
    reader.problems = std::move(problems);
    reader.read_document(tree);
    reader.settle_model();
    reader.check_whole();
    if (!reader.problems.empty()) {
        std::stable_sort(reader.problems.begin(), reader.problems.end(), [](const Problem& a, const Problem& b) {
            return std::pair(a.line, a.column) < std::pair(b.line, b.column);
        });
        throw InvalidInput(std::move(reader.problems));
    }
    return recipe;
}

}  // namespace

std::vector<Problem> check_recipe(const Recipe& recipe) {
    return check_values(recipe, {});
}

Recipe parse_recipe(const std::string& yaml, const std::filesystem::path& file) {
    std::vector<Problem> problems;
    const Value tree = read_other_lines(yaml, file.string(), problems);
    return read_tree(tree, std::move(problems), file);
}

Recipe read_recipe(const Value& tree, const std::filesystem::path& file) {
    return read_tree(tree, {}, file);
}

Recipe load_recipe(const std::filesystem::path& file) {
    return parse_recipe(text::read_text_file(file, 1u << 20), file);
}

void apply_overrides(Recipe& recipe, const std::vector<std::string>& assignments) {
    Recipe changed = recipe;
    Reader reader(changed, kOverrides, fs::current_path());
    for (const std::string& assignment : assignments)
        reader.read_override(assignment);
    if (changed.model.model_type != recipe.model.model_type)
        reader.settle_model();
    reader.check_whole();
    if (!reader.problems.empty())
        throw InvalidInput(std::move(reader.problems));
    recipe = std::move(changed);
}

}  // namespace trainyard::config
