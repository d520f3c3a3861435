// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep_file.h"

#include <algorithm>
#include <cctype>
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
#include "config/recipe/metric_names.h"
#include "config/recipe/recipe.h"
#include "config/values/value_formats.h"
#include "launch/plan/flags.h"
#include "launch/plan/probe.h"

namespace trainyard::sweep {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostAtOnce = 1000;

std::string decimal(double number) {
    return fmt::format("{}", number);
}

/// Calls visit(begin, end) for the places of {name} in a word of a program. Other braces, as of JSON, stay as they are.
void visit_names(const std::string& word, const std::function<void(std::size_t, std::size_t)>& visit) {
    const auto is_of_name = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '.' || letter == '-';
    };
    for (std::size_t at = 0; (at = word.find('{', at)) != std::string::npos;) {
        std::size_t end = at + 1;
        while (end < word.size() && is_of_name(word[end]))
            ++end;
        if (end > at + 1 && end < word.size() && word[end] == '}')
            visit(at, end + 1);
        at = end;
    }
}

std::vector<std::string> names_in(const std::string& word) {
    std::vector<std::string> names;
    visit_names(word,
                [&](std::size_t begin, std::size_t end) { names.push_back(word.substr(begin + 1, end - begin - 2)); });
    return names;
}

/// A value as the program gets it: without the quotes of YAML.
std::string plain_text(const std::string& yaml) {
    std::vector<Problem> ignored;
    const Value value = parse_yaml(yaml, "value", ignored);
    return ignored.empty() && value.is_scalar() ? value.spelling() : yaml;
}

class Reader {
  public:
    Reader(SweepFile& sweep, std::string file, fs::path folder, bool has_begun)
        : sweep_(sweep), file_(std::move(file)), folder_(std::move(folder)), has_begun_(has_begun) {}

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
                     sweep_.recipe = (folder_ / text).lexically_normal();
             }},
            {"program", [this](const Entry& entry) { take_texts(entry, entry.key, sweep_.program); }},
            {"environment", [this](const Entry& entry) { read_environment(entry); }},
            {"directory",
             [this](const Entry& entry) {
                 std::string text;
                 if (take_text(entry, entry.key, text))
                     sweep_.directory = (folder_ / text).lexically_normal();
             }},
            {"method", [this](const Entry& entry) { knows_method_ = take_choice(entry, entry.key, sweep_.method); }},
            {"metric", [this](const Entry& entry) { take_text(entry, entry.key, sweep_.metric); }},
            {"direction", [this](const Entry& entry) { take_choice(entry, entry.key, sweep_.direction); }},
            {"trials", [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostTrials, sweep_.trials); }},
            {"at_once", [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostAtOnce, sweep_.at_once); }},
            {"devices", [this](const Entry& entry) { take_count(entry, entry.key, 1, kMostAtOnce, sweep_.devices); }},
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
        if (seen_.contains("recipe") && seen_.contains("program"))
            add_at("program", root, Message("has a recipe, too: leave one of them out"));
        else if (!seen_.contains("recipe") && !seen_.contains("program"))
            add(root, "recipe",
                Message("the recipe that is trained is missing: name its file, or the words of a program"));
        if (!seen_.contains("parameters"))
            add(root, "parameters", Message("nothing is varied: name keys of the recipe and their values"));
        check_size(root);
        if (sweep_.directory.empty())
            sweep_.directory = folder_;
        if (has_begun_)
            return;
        check_launch(root);
        if (seen_.contains("program"))
            check_program(root);
        else if (!sweep_.recipe.empty())
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
                knows_method_ = knows_method_ && !place.empty();  // it may be the method, misspelt
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
    bool take_choice(const Entry& entry, const std::string& key, E& choice) {
        if (const auto found = entry.value.is_scalar() ? find_choice<E>(entry.value.spelling()) : std::nullopt) {
            choice = *found;
            return true;
        }
        add(entry.value, key,
            Message("must be one of {}, not {}", fmt::format("{}", fmt::join(kChoiceNames<E>, ", ")),
                    entry.value.description()));
        return false;
    }

    void read_environment(const Entry& entry) {
        if (!entry.value.is_map()) {
            add(entry.value, entry.key,
                Message("a table of variables was expected, not {}", entry.value.description()));
            return;
        }
        for (const Entry& one : entry.value.entries())
            if (one.value.is_scalar())
                sweep_.environment[one.key] = one.value.spelling();
            else
                add(one.value, "environment." + one.key,
                    Message("a text was expected, not {}", one.value.description()));
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
        if (!value.is_list()) {
            add(value, path, Message("a list of values was expected, not {}", value.description()));
            return;
        }
        if (value.items().empty())
            add(value, path, Message("the list of values is empty: name one at least"));
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
        parameter.whole = !real && !is_real(parameter.key);
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
            if (!seen_.contains("trials") && knows_method_)
                add(root, "trials", Message("the number of trials is missing"));
            double points = sweep_.parameters.empty() ? 0 : 1;
            for (const Parameter& parameter : sweep_.parameters)
                points *= static_cast<double>(parameter.choices());  // 0: any number between
            if (points > 0 && problems.empty() && !has_begun_ && static_cast<double>(sweep_.trials) > points)
                add_at("trials", root,
                       Message("the parameters have {} combinations, fewer than {} trials: use a grid", points,
                               sweep_.trials));
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
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
            return;
        } catch (const UserError& error) {
            add_at("recipe", root, error.message());
            return;
        }
        if (sweep_.name.empty())
            sweep_.name = recipe.name;
        check_metric(root, recipe);
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

    /// A curve that no run writes would fail every trial at its end.
    void check_metric(const Value& root, const config::Recipe& recipe) {
        static const std::vector<std::string> kOfTraining{
            "train/loss", "train/lr",         "train/grad_norm",     "train/tokens_per_s",    "train/step_time_s",
            "train/mfu",  "train/loss_scale", "train/skipped_steps", "train/peak_flops_per_s"};
        const bool is_eval = sweep_.metric.starts_with("eval/");
        const auto varies = [&](std::string_view section) {
            return std::ranges::any_of(sweep_.parameters,
                                       [&](const Parameter& one) { return one.key.starts_with(section); });
        };
        // The metrics of plug-ins and of other models are known during training only.
        if (is_eval && (!recipe.plugins.empty() || varies("model.") || varies("training.metrics") || varies("plugins")))
            return;
        std::vector<std::string> known = kOfTraining;
        known.insert(known.end(), {"eval/loss", "eval/loss_average"});
        for (const std::string& name : config::task_metrics(recipe.model))
            known.push_back("eval/" + name);
        for (const std::string& name : recipe.training.metrics) {
            known.push_back("eval/" + name);
            if (name != config::kSeqeval)
                continue;
            for (const std::string& curve : config::seqeval_curves())
                known.push_back("eval/" + curve);
            if (is_eval)
                return;  // it writes a curve for each type of entity
        }
        const bool is_other = !is_eval && !sweep_.metric.starts_with("train/") &&
                              sweep_.metric.find('/') != std::string::npos;  // of the machine, of a phase
        if (!is_other && std::ranges::find(known, sweep_.metric) == known.end())
            add_at("metric", root,
                   Message("no run of this recipe has a curve '{}'{}", sweep_.metric,
                           text::did_you_mean(sweep_.metric, known)));
    }

    /// Problems that every launch of a trial would have, and whether this machine has accelerators for all trials at once.
    void check_launch(const Value& root) {
        std::vector<std::string> words = sweep_.launch;
        words.push_back("recipe.yaml");
        try {
            const plan::Flags flags = plan::parse_flags(words);
            if (sweep_.devices == 0)
                return;
            if (flags.is_on("cpu"))
                add_at("devices", root,
                       Message("trials have accelerators, and --cpu of launch takes none: leave one "
                               "of them out"));
            else if (flags.is_on("queue"))
                add_at("devices", root,
                       Message("the queue of --queue starts one trial after the other: leave devices "
                               "or --queue out"));
            else if (sweep_.hosts.empty() && !flags.has("device_library"))
                check_devices(root);
        } catch (const UserError& error) {
            add_at("launch", root, error.message());
        }
    }

    void check_devices(const Value& root) {
        const std::int64_t wanted = sweep_.devices * sweep_.at_once;
        const std::int64_t there = std::ssize(device_pool(sweep_, plan::probe_machine({}, false).device_count));
        if (wanted > there)
            add_at("devices", root,
                   Message("{} trials at once with {} accelerators each need {}, and this machine has {} for them",
                           sweep_.at_once, sweep_.devices, wanted, there));
    }

    /// Every {name} is a parameter, and every parameter reaches the program.
    void check_program(const Value& root) {
        if (sweep_.program.empty()) {
            add_at("program", root, Message("the words of the program are missing"));
            return;
        }
        if (sweep_.name.empty())
            sweep_.name = fs::path(sweep_.program.front()).stem().string();
        std::set<std::string> used;
        const auto look = [&](const std::string& key, const std::string& word) {
            for (const std::string& name : names_in(word))
                if (std::ranges::find(sweep_.parameters, name, &Parameter::key) != sweep_.parameters.end())
                    used.insert(name);
                else
                    add_at(key, root, Message("{{{}}} is not one of the parameters", name));
        };
        for (const std::string& word : sweep_.program)
            look("program", word);
        for (const auto& [name, value] : sweep_.environment)
            look("environment", value);
        for (const Parameter& parameter : sweep_.parameters)
            if (!used.contains(parameter.key))
                add_at("parameters." + parameter.key, root,
                       Message("the program is not given this value: write {{{}}} in its words or its environment",
                               parameter.key));
        std::error_code error;
        if (!fs::is_directory(sweep_.directory, error))
            add_at("directory", root, Message("{} is not a folder", sweep_.directory.string()));
        const fs::path program = sweep_.directory / sweep_.program.front();
        if (sweep_.program.front().find('/') != std::string::npos && sweep_.hosts.empty() &&
            !fs::exists(program, error))
            add_at("program", root, Message("{} does not exist", program.lexically_normal().string()));
    }

    /// Whether a key of the recipe takes any number, so that 0 and 1 are the ends of a range and not its only values.
    bool is_real(const std::string& key) const {
        const auto found = std::ranges::find(config::recipe_keys(), key, &config::RecipeKey::key);
        return !seen_.contains("program") && found != config::recipe_keys().end() && found->type.starts_with("number");
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
    fs::path folder_;
    bool has_begun_;
    bool knows_method_ = true;
    std::set<std::string> seen_;
    std::map<std::string, std::pair<int, int>> places_;
};

SweepFile parse_file(const std::string& yaml, const fs::path& file, bool has_begun) {
    SweepFile sweep;
    std::error_code error;
    Reader reader(sweep, file.string(), fs::absolute(file, error).parent_path(), has_begun);
    const Value root = parse_yaml(yaml, file.string(), reader.problems);
    if (reader.problems.empty())
        reader.read(root);
    if (!reader.problems.empty())
        throw InvalidInput(reader.problems);
    return sweep;
}

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

SweepFile parse_sweep(const std::string& yaml, const fs::path& file) {
    return parse_file(yaml, file, false);
}

SweepFile parse_begun_sweep(const std::string& yaml, const fs::path& file) {
    return parse_file(yaml, file, true);
}

SweepFile load_sweep(const fs::path& file) {
    return parse_sweep(text::read_text_file(file), file);
}

std::string filled_in(const SweepFile& sweep, const Point& point, const std::string& word) {
    std::string filled;
    std::size_t done = 0;
    visit_names(word, [&](std::size_t begin, std::size_t end) {
        const auto parameter =
            std::ranges::find(sweep.parameters, word.substr(begin + 1, end - begin - 2), &Parameter::key);
        if (parameter == sweep.parameters.end())
            return;
        filled += word.substr(done, begin - done) +
                  plain_text(point[static_cast<std::size_t>(parameter - sweep.parameters.begin())]);
        done = end;
    });
    return filled + word.substr(done);
}

std::vector<std::string> device_pool(const SweepFile& sweep, int machine_devices) {
    std::vector<std::string> words = sweep.launch, pool;
    words.push_back("recipe.yaml");
    const std::string ids = plan::parse_flags(words).text("gpu_ids");
    if (!ids.empty() && ids != "all") {
        for (std::size_t at = 0; at <= ids.size();) {
            const std::size_t end = std::min(ids.find(',', at), ids.size());
            pool.push_back(ids.substr(at, end - at));
            at = end + 1;
        }
        return pool;
    }
    for (int i = 0; i < machine_devices; ++i)
        pool.push_back(std::to_string(i));
    return pool;
}

std::vector<std::string> assignments(const SweepFile& sweep, const Point& point) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < point.size(); ++i)
        all.push_back(sweep.parameters[i].key + "=" + point[i]);
    return all;
}

}  // namespace trainyard::sweep
