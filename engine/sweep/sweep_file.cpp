// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_file.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/recipe/recipe.h"
#include "config/values/value_formats.h"

namespace trainyard::sweep {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostTrials = 100'000, kMostAtOnce = 1000;

std::string decimal(double number) {
    return fmt::format("{}", number);
}

class Reader {
  public:
    Reader(SweepFile& sweep, std::string file, fs::path folder, fs::path recipe)
        : sweep_(sweep), file_(std::move(file)), folder_(std::move(folder)), recipe_(std::move(recipe)) {}

    std::vector<Problem> problems;

    void read(const Value& root) {
        if (!root.is_map()) {
            add(root, "", Message("a table of keys was expected, not {}", root.description()));
            return;
        }
        const Table keys{
            {"name", [this](const Entry& entry) { take_text(entry, entry.key, sweep_.name); }},
            {"recipe",
             [this](const Entry& entry) {
                 std::string text;
                 if (take_text(entry, entry.key, text))
                     sweep_.recipe = recipe_.empty() ? (folder_ / text).lexically_normal() : recipe_;
             }},
            {"method", [this](const Entry& entry) { take_choice(entry, entry.key, sweep_.method); }},
            {"metric", [this](const Entry& entry) { take_text(entry, entry.key, sweep_.metric); }},
            {"direction", [this](const Entry& entry) { take_choice(entry, entry.key, sweep_.direction); }},
            {"trials", [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostTrials, sweep_.trials); }},
            {"at_once", [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostAtOnce, sweep_.at_once); }},
            {"startup_trials",
             [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostTrials, sweep_.startup_trials); }},
            {"seed",
             [this](const Entry& entry) {
                 std::int64_t seed = 0;
                 take_count(entry, entry.key, 0, INT64_MAX, seed);
                 sweep_.seed = static_cast<std::uint64_t>(seed);
             }},
            {"hosts", [this](const Entry& entry) { take_texts(entry, entry.key, sweep_.hosts); }},
            {"launch", [this](const Entry& entry) { take_texts(entry, entry.key, sweep_.launch); }},
            {"early_stopping", [this](const Entry& entry) { read_early_stopping(entry); }},
            {"parameters", [this](const Entry& entry) { read_parameters(entry); }},
        };
        read_table(root, "", keys);
        if (!seen_.contains("recipe"))
            add(root, "recipe", Message("the recipe that is trained is missing: name its file"));
        if (!seen_.contains("parameters"))
            add(root, "parameters", Message("nothing is varied: name keys of the recipe and their values"));
        check_size(root);
        if (problems.empty())
            try_in_recipe(root);
    }

  private:
    using Table = std::map<std::string, std::function<void(const Entry&)>>;

    template <class Placed>
    void add(const Placed& at, const std::string& key, const Message& message) {
        problems.push_back({file_, at.line, at.column, key, message});
    }

    void read_table(const Value& table, const std::string& place, const Table& keys) {
        std::set<std::string> here;
        for (const Entry& entry : table.entries()) {
            const std::string path = place + entry.key;
            const auto known = keys.find(entry.key);
            if (!here.insert(entry.key).second) {
                add(entry, path, Message("the key is given twice"));
            } else if (known == keys.end()) {
                std::vector<std::string> names;
                for (const auto& [name, read] : keys)
                    names.push_back(name);
                add(entry, path, Message("unknown key '{}'{}", entry.key, text::did_you_mean(entry.key, names)));
            } else {
                seen_.insert(path);
                places_[path] = {entry.value.line, entry.value.column};
                known->second(entry);
            }
        }
    }

    bool take_text(const Entry& entry, const std::string& key, std::string& text) {
        if (!entry.value.is_scalar() || entry.value.spelling().empty()) {
            add(entry.value, key, Message("a text was expected, not {}", entry.value.description()));
            return false;
        }
        text = entry.value.spelling();
        return true;
    }

    void take_texts(const Entry& entry, const std::string& key, std::vector<std::string>& texts) {
        if (!entry.value.is_list()) {
            add(entry.value, key, Message("a list was expected, not {}", entry.value.description()));
            return;
        }
        for (const Value& item : entry.value.items()) {
            if (item.is_scalar())
                texts.push_back(item.spelling());
            else
                add(item, key, Message("a text was expected, not {}", item.description()));
        }
    }

    template <Choice E>
    void take_choice(const Entry& entry, const std::string& key, E& choice) {
        if (const auto found = entry.value.is_scalar() ? find_choice<E>(entry.value.spelling()) : std::nullopt)
            choice = *found;
        else
            add(entry.value, key,
                Message("must be one of {}, not {}", fmt::format("{}", fmt::join(kChoiceNames<E>, ", ")),
                        entry.value.description()));
    }

    void take_count(const Entry& entry, const std::string& key, std::int64_t least, std::int64_t most,
                    std::int64_t& count) {
        const auto number = entry.value.is_scalar() ? parse_number<std::int64_t>(entry.value.spelling()) : std::nullopt;
        if (number && *number >= least && *number <= most)
            count = *number;
        else if (most == INT64_MAX)
            add(entry.value, key,
                Message("must be a whole number of at least {}, not {}", least, entry.value.description()));
        else
            add(entry.value, key,
                Message("must be a whole number from {} to {}, not {}", least, most, entry.value.description()));
    }

    std::optional<double> take_number(const Entry& entry, const std::string& key) {
        const auto number = entry.value.is_scalar() ? parse_number<double>(entry.value.spelling()) : std::nullopt;
        if (number && std::isfinite(*number))
            return number;
        add(entry.value, key, Message("must be a number, not {}", entry.value.description()));
        return std::nullopt;
    }

    void read_early_stopping(const Entry& entry) {
        EarlyStopping& rule = sweep_.early_stopping;
        if (!entry.value.is_map()) {
            take_choice(entry, entry.key, rule.method);
            return;
        }
        rule.method = EarlyRule::median;
        read_table(entry.value, "early_stopping.",
                   {{"method", [&](const Entry& inner) { take_choice(inner, "early_stopping.method", rule.method); }},
                    {"startup_trials",
                     [&](const Entry& inner) {
                         take_count(inner, "early_stopping.startup_trials", 1, kMostTrials, rule.startup_trials);
                     }},
                    {"warmup_steps", [&](const Entry& inner) {
                         take_count(inner, "early_stopping.warmup_steps", 0, INT64_MAX, rule.warmup_steps);
                     }}});
    }

    void read_parameters(const Entry& entry) {
        if (!entry.value.is_map() || entry.value.entries().empty()) {
            add(entry.value, entry.key,
                Message("a table of recipe keys was expected, not {}", entry.value.description()));
            return;
        }
        std::set<std::string> here;
        for (const Entry& one : entry.value.entries()) {
            const std::string path = "parameters." + one.key;
            if (!here.insert(one.key).second)
                add(one, path, Message("the key is given twice"));
            else
                read_parameter(one, path);
        }
    }

    void read_parameter(const Entry& entry, const std::string& path) {
        Parameter parameter;
        parameter.key = entry.key;
        places_[path] = {entry.line, entry.column};
        const std::size_t before = problems.size();
        if (entry.value.is_list()) {
            take_values(entry.value, path, parameter);
        } else if (entry.value.is_map()) {
            std::optional<double> least, most;
            bool real = false;
            const auto take_end = [&](const Entry& inner, std::optional<double>& end) {
                end = take_number(inner, path + "." + inner.key);
                real = real || !parse_number<std::int64_t>(inner.value.spelling());
            };
            read_table(
                entry.value, path + ".",
                {{"values", [&](const Entry& inner) { take_values(inner.value, path + ".values", parameter); }},
                 {"min", [&](const Entry& inner) { take_end(inner, least); }},
                 {"max", [&](const Entry& inner) { take_end(inner, most); }},
                 {"step",
                  [&](const Entry& inner) {
                      std::optional<double> step;
                      take_end(inner, step);
                      parameter.step = step.value_or(0);
                      if (step && *step <= 0)
                          add(inner.value, path + ".step", Message("must be greater than 0, not {}", decimal(*step)));
                  }},
                 {"scale", [&](const Entry& inner) { take_choice(inner, path + ".scale", parameter.scale); }},
                 {"count",
                  [&](const Entry& inner) { take_count(inner, path + ".count", 2, kMostTrials, parameter.count); }}});
            const bool has_values = entry.value.find("values") != nullptr;
            if (has_values && entry.value.entries().size() > 1)
                add(entry, path, Message("has values and a range: leave one of them out"));
            else if (!has_values && problems.size() == before)
                check_range(entry, path, parameter, least, most, real);
        } else {
            add(entry.value, path,
                Message("a list of values, or a range with min and max, was expected, not {}",
                        entry.value.description()));
        }
        if (problems.size() == before)
            sweep_.parameters.push_back(std::move(parameter));
    }

    void take_values(const Value& value, const std::string& path, Parameter& parameter) {
        if (!value.is_list() || value.items().empty()) {
            add(value, path, Message("a list of values was expected, not {}", value.description()));
            return;
        }
        for (const Value& item : value.items()) {
            const std::string text = flow_text(item);
            if (std::ranges::find(parameter.values, text) != parameter.values.end())
                add(item, path, Message("the value {} is there twice", text));
            parameter.values.push_back(text);
        }
    }

    void check_range(const Entry& entry, const std::string& path, Parameter& parameter, std::optional<double> least,
                     std::optional<double> most, bool real) {
        if (!least || !most) {
            add(entry, path, Message("a range needs min and max, or write a list of values"));
            return;
        }
        parameter.min = *least;
        parameter.max = *most;
        parameter.whole = !real;
        if (parameter.whole && parameter.step == 0 && parameter.scale == Scale::linear)
            parameter.step = 1;
        if (*least >= *most)
            add(entry, path, Message("min is {} and max {}: min must be smaller", decimal(*least), decimal(*most)));
        else if (parameter.scale == Scale::log && *least <= 0)
            add(entry, path, Message("min is {}: a logarithmic scale begins above 0", decimal(*least)));
        else if (parameter.scale == Scale::log && parameter.step > 0)
            add(entry, path, Message("has a step and a logarithmic scale: leave one of them out"));
        else if (parameter.step > *most - *least)
            add(entry, path, Message("the step {} is longer than the range", decimal(parameter.step)));
        else if (sweep_.method == Method::grid && parameter.step == 0 && parameter.count == 0)
            add(entry, path, Message("a grid needs a step or a count of values of a range"));
    }

    /// Trials of a grid are all, those of others a number that must be given.
    void check_size(const Value& root) {
        if (sweep_.method != Method::grid) {
            if (sweep_.trials == 0 && problems.empty())
                add(root, "trials", Message("the number of trials is missing"));
            return;
        }
        double all = 1;
        for (const Parameter& parameter : sweep_.parameters)
            all *= static_cast<double>(parameter.choices());
        if (!problems.empty())
            return;
        if (all > static_cast<double>(kMostTrials))
            add(root, "parameters", Message("the grid has {} trials, more than {}", all, kMostTrials));
        else if (sweep_.trials > static_cast<std::int64_t>(all))
            add(root, "trials", Message("the grid has {} trials, not {}", all, sweep_.trials));
        else if (sweep_.trials == 0)
            sweep_.trials = static_cast<std::int64_t>(all);
    }

    /// A value that the recipe refuses would be found only when its trial starts. Values are tried one by one: which
    /// of them contradict each other, the launch of a trial finds.
    void try_in_recipe(const Value& root) {
        config::Recipe recipe;
        try {
            recipe = config::load_recipe(sweep_.recipe);
        } catch (const InvalidInput& error) {
            problems = error.problems();
            return;
        } catch (const UserError& error) {
            add_at("recipe", root, error.message());
            return;
        }
        if (sweep_.name.empty())
            sweep_.name = recipe.name;
        for (const Parameter& parameter : sweep_.parameters) {
            const std::string path = "parameters." + parameter.key;
            std::vector<std::string> texts = parameter.values;
            if (parameter.is_range())
                texts = {parameter.text_of(parameter.min), parameter.text_of(parameter.max)};
            for (const std::string& text : texts) {
                config::Recipe changed = recipe;
                try {
                    config::apply_overrides(changed, {parameter.key + "=" + text});
                } catch (const InvalidInput& error) {
                    for (const Problem& problem : error.problems())
                        add_at(path, root,
                               problem.key.empty() || problem.key == parameter.key
                                   ? Message("{}: {}", text, problem.message)
                                   : Message("{}: {}: {}", text, problem.key, problem.message));
                    if (!is_known(parameter.key))
                        break;
                }
            }
        }
        const bool evaluates_at_the_end = recipe.training.evaluate_every == 0 && sweep_.metric.starts_with("eval/");
        if (sweep_.early_stopping.method != EarlyRule::none && evaluates_at_the_end)
            add_at("early_stopping", root,
                   Message("{} is known only at the end of a trial: set training.evaluate_every in the recipe",
                           sweep_.metric));
    }

    static bool is_known(const std::string& key) {
        return std::ranges::find(config::recipe_keys(), key, &config::RecipeKey::key) != config::recipe_keys().end();
    }

    void add_at(const std::string& path, const Value& root, const Message& message) {
        const auto place = places_.find(path);
        problems.push_back({file_, place == places_.end() ? root.line : place->second.first,
                            place == places_.end() ? root.column : place->second.second, path, message});
    }

    SweepFile& sweep_;
    std::string file_;
    fs::path folder_, recipe_;
    std::set<std::string> seen_;
    std::map<std::string, std::pair<int, int>> places_;
};

}  // namespace

std::int64_t Parameter::choices() const {
    if (!is_range())
        return static_cast<std::int64_t>(values.size());
    return step > 0 ? static_cast<std::int64_t>(std::floor((max - min) / step + 1e-9)) + 1 : count;
}

std::string Parameter::text_of(double number) const {
    if (step > 0) {
        const double last = static_cast<double>(choices() - 1);
        number = min + step * std::clamp(std::round((number - min) / step), 0.0, last);
    }
    if (whole)
        return fmt::format("{}", static_cast<std::int64_t>(std::clamp(std::round(number), min, max)));
    // Six digits are more than any training can tell apart, and people read them.
    const double rounded = parse_number<double>(fmt::format("{:.6g}", number)).value_or(number);
    return decimal(std::clamp(rounded, min, max));
}

std::string Parameter::choice(std::int64_t index) const {
    if (!is_range())
        return values[static_cast<std::size_t>(index)];
    if (step > 0)
        return text_of(min + step * static_cast<double>(index));
    const double share = static_cast<double>(index) / static_cast<double>(count - 1);
    return text_of(scale == Scale::log ? min * std::pow(max / min, share) : min + share * (max - min));
}

SweepFile parse_sweep(const std::string& yaml, const fs::path& file, const fs::path& recipe) {
    SweepFile sweep;
    std::error_code error;
    const fs::path place = fs::absolute(file, error).parent_path();
    Reader reader(sweep, file.string(), place, recipe);
    const Value root = parse_yaml(yaml, file.string(), reader.problems);
    if (reader.problems.empty())
        reader.read(root);
    if (!reader.problems.empty())
        throw InvalidInput(reader.problems);
    return sweep;
}

SweepFile load_sweep(const fs::path& file) {
    return parse_sweep(text::read_text_file(file), file);
}

std::vector<std::string> assignments(const SweepFile& sweep, const Point& point) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < point.size(); ++i)
        all.push_back(sweep.parameters[i].key + "=" + point[i]);
    return all;
}

}  // namespace trainyard::sweep
