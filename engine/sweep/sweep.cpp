// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/number.h"
#include "base/random_hex.h"
#include "base/text_file.h"
#include "config/recipe/recipe.h"
#include "sweep/suggest.h"

namespace trainyard::sweep {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kHopeless = 3;  ///< failed trials, and no other, after which no more begin
constexpr int kParts = 8;              ///< of a range, for its importance

fs::path file_of(const fs::path& folder) {
    return folder / "sweep.yaml";
}
fs::path recipe_of(const fs::path& folder) {
    return folder / "recipe.yaml";
}
fs::path begun_of(const fs::path& folder) {
    return folder / "begun.json";
}
fs::path log_of(const fs::path& folder) {
    return folder / "trials.jsonl";
}

struct Begun {
    std::string name, directory;
    std::int64_t trials = 0;  ///< 0: those of sweep.yaml
    void fields(auto& field) const { field("name", name)("directory", directory)("trials", trials); }
};

void write_begun(const fs::path& folder, const SweepFile& sweep, std::int64_t trials) {
    const Begun begun{sweep.name, sweep.directory.string(), trials};
    write_file_atomically(begun_of(folder), fields::to_text(begun));
}

}  // namespace

fs::path Sweep::create(const SweepFile& sweep, const std::string& yaml, const fs::path& place) {
    make_private_folder(place);
    std::string safe;
    for (const char letter : sweep.name)
        safe += std::isalnum(static_cast<unsigned char>(letter)) || letter == '-' || letter == '_' ? letter : '-';
    const fs::path folder = place / fmt::format("{}-{}", safe, random_hex(4));
    make_private_folder(folder);
    if (sweep.program.empty())
        write_file_atomically(recipe_of(folder), config::to_yaml(config::load_recipe(sweep.recipe)));
    write_file_atomically(file_of(folder), yaml);
    write_begun(folder, sweep, 0);
    return folder;
}

SweepFile load_begun(const fs::path& folder) {
    SweepFile sweep = parse_begun_sweep(text::read_text_file(file_of(folder)), file_of(folder));
    std::error_code error;
    if (fs::exists(begun_of(folder), error)) {
        const auto begun = fields::from_text<Begun>(read_file(begun_of(folder)), begun_of(folder).string());
        sweep.name = begun.name;
        sweep.directory = begun.directory;
        if (begun.trials > 0)
            sweep.trials = begun.trials;
    } else if (sweep.name.empty()) {  // of an earlier version
        sweep.name = config::load_recipe(recipe_of(folder)).name;
    }
    return sweep;
}

std::map<std::int64_t, Trial> read_trials(const fs::path& folder, const SweepFile& sweep, bool repair) {
    std::map<std::int64_t, Trial> trials;
    std::error_code error;
    if (!fs::exists(log_of(folder), error))
        return trials;
    std::string text = read_file(log_of(folder));
    if (const std::size_t whole = text.rfind('\n') + 1; whole < text.size()) {  // not written to its end
        text.resize(whole);
        if (repair)
            write_file_atomically(log_of(folder), text);
    }
    std::size_t line = 0;
    for (std::size_t at = 0; at < text.size(); ++line) {
        const std::size_t end = text.find('\n', at);
        const std::string origin = fmt::format("{}:{}", log_of(folder).string(), line + 1);
        Trial trial = fields::from_text<Trial>(text.substr(at, end - at), origin);
        if (trial.number < 0 || trial.number >= sweep.trials || trial.point.size() != sweep.parameters.size())
            throw UserError("{}: this trial is not one of sweep.yaml: do not change a sweep that has begun", origin);
        trials[trial.number] = std::move(trial);
        at = end + 1;
    }
    return trials;
}

void raise_trials(const fs::path& folder, std::int64_t trials) {
    const SweepFile sweep = load_begun(folder);
    if (sweep.method == Method::grid)
        throw UserError("the sweep {} is a grid, which has {} trials and no others", folder.filename().string(),
                        sweep.trials);
    if (trials <= sweep.trials)
        throw UserError("the sweep {} has {} trials: give a larger number", folder.filename().string(), sweep.trials);
    write_begun(folder, sweep, trials);
}

std::optional<std::int64_t> best_trial(const SweepFile& sweep, const std::map<std::int64_t, Trial>& trials) {
    std::optional<std::int64_t> best;
    for (const auto& [number, trial] : trials) {
        if (!trial.value || !std::isfinite(*trial.value) || !is_over(trial.state) || trial.state == TrialState::failed)
            continue;
        const double least = best ? *trials.at(*best).value : 0;
        if (!best || (sweep.direction == Direction::minimize ? *trial.value < least : *trial.value > least))
            best = number;
    }
    return best;
}

Sweep::Sweep(fs::path folder, TrialRunner& runner) : Sweep(folder, load_begun(folder), runner) {}

Sweep::Sweep(fs::path folder, SweepFile file, TrialRunner& runner)
    : folder_(std::move(folder)),
      runner_(runner),
      sweep_(std::move(file)),
      trials_(read_trials(folder_, sweep_, true)) {
    for (auto& [number, trial] : trials_) {
        if (trial.state == TrialState::starting)
            if (trial.run = runner_.find(run_name(trial)); !trial.run.empty()) {
                trial.state = TrialState::running;
                record(trial);
            }
        if (is_over(trial.state) && trial.state != TrialState::failed)
            curves_[number] = runner_.look(trial).curve;
    }
}

bool Sweep::advance() {
    for (auto& [number, trial] : trials_)
        if (trial.state == TrialState::running)
            look_at(trial);
    for (auto& [number, trial] : trials_)
        if (trial.state == TrialState::starting && running() < sweep_.at_once)
            start(trial);
    for (stop_if_hopeless(); may_begin(std::ssize(trials_)); stop_if_hopeless())
        begin(std::ssize(trials_));
    return std::ssize(trials_) < sweep_.trials ||
           std::ranges::any_of(trials_, [](const auto& one) { return !is_over(one.second.state); });
}

void Sweep::stop_trials() {
    for (auto& [number, trial] : trials_)
        if (!is_over(trial.state)) {
            if (trial.state == TrialState::running)
                runner_.stop(trial);
            begin_again(trial);
        }
}

void Sweep::retry_failed() {
    for (auto& [number, trial] : trials_)
        if (trial.state == TrialState::failed)
            begin_again(trial);
}

void Sweep::begin_again(Trial& trial) {
    trial.state = TrialState::starting;
    ++trial.attempt;
    trial.run.clear();
    trial.host.clear();
    trial.problem = {};
    record(trial);
}

void Sweep::record(const Trial& trial) {
    append_line(log_of(folder_), fields::to_text(trial));
    sync_path(log_of(folder_));
}

void Sweep::look_at(Trial& trial) {
    const TrialRunner::Look look = runner_.look(trial);
    using State = TrialRunner::Look::State;
    if (look.state == State::unreachable) {
        if (std::ssize(lost_) + 1 >= std::ssize(sweep_.hosts))
            return;  // there is no other place for it: it may be going on
        lost_[trial.host] = look.message;
        runner_.stop(trial);  // it may be going on over there
        begin_again(trial);
        return;
    }
    std::vector<const Curve*> others;
    for (const Trial* other : known_to(trial.number))
        if (other->state == TrialState::finished)
            others.push_back(&curves_.at(other->number));
    const bool is_running = look.state == State::running;
    if (const auto last = step_to_stop(sweep_.early_stopping, sweep_.direction, look.curve, others)) {
        if (is_running)
            runner_.stop(trial);
        end(trial, TrialState::stopped, look.curve, last);
    } else if (look.state == State::finished) {
        end(trial, TrialState::finished, look.curve);
    } else if (look.state == State::failed) {
        trial.state = TrialState::failed;
        trial.problem = look.message;
        record(trial);
    }
}

void Sweep::end(Trial& trial, TrialState state, const Curve& curve, std::optional<std::int64_t> last) {
    curves_[trial.number] = curve;
    trial.state = state;
    if (const std::optional<CurveValue> best = best_of(curve, sweep_.direction, last)) {
        trial.value = best->value;
        trial.step = best->step;
    } else if (!curve.empty()) {
        trial.state = TrialState::diverged;
    } else {
        trial.state = TrialState::failed;
        trial.problem = Message("the run has no curve {}", sweep_.metric);
    }
    record(trial);
}

std::vector<const Trial*> Sweep::known_to(std::int64_t number) const {
    std::vector<const Trial*> known;
    for (const auto& [earlier, trial] : trials_)
        if (earlier + sweep_.at_once <= number)
            known.push_back(&trial);
    return known;
}

std::int64_t Sweep::running() const {
    return std::ranges::count_if(trials_, [](const auto& one) { return one.second.state == TrialState::running; });
}

bool Sweep::may_begin(std::int64_t number) const {
    if (number >= sweep_.trials || free_host().empty() != sweep_.hosts.empty())
        return false;
    const auto live = std::ranges::count_if(trials_, [](const auto& one) { return !is_over(one.second.state); });
    return live < sweep_.at_once &&
           std::ranges::all_of(known_to(number), [](const Trial* one) { return is_over(one->state); });
}

void Sweep::begin(std::int64_t number) {
    std::vector<Sample> history;
    for (const Trial* one : known_to(number))
        if (one->value || one->state == TrialState::diverged) {
            const double value = one->value.value_or(std::numeric_limits<double>::infinity());
            history.push_back({one->point, one->value && sweep_.direction == Direction::maximize ? -value : value});
        }
    std::vector<Point> taken;
    for (const auto& [earlier, one] : trials_)
        taken.push_back(one.point);
    Trial& trial = trials_[number];
    trial.number = number;
    trial.point = suggest(sweep_, number, history, taken);
    start(trial);
}

void Sweep::start(Trial& trial) {
    while (true) {
        trial.host = free_host();
        if (trial.host.empty() != sweep_.hosts.empty())
            return;  // all are busy
        trial.slot = free_slot(trial);
        record(trial);
        try {
            trial.run = runner_.start(trial, run_name(trial));
            trial.state = TrialState::running;
        } catch (const TrialRunner::HostLost& lost) {
            lost_[trial.host] = lost.message;
            ++trial.attempt;
            if (lost_.size() == sweep_.hosts.size())
                throw UserError("no host of the sweep can be used: {}; run the same command again when one is back",
                                lost.message);
            continue;
        } catch (const UserError& error) {
            trial.state = TrialState::failed;
            trial.problem = error.message();
        }
        record(trial);
        return;
    }
}

std::string Sweep::free_host() const {
    std::string best;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t usable = std::ssize(sweep_.hosts) - std::ssize(lost_);
    for (const std::string& host : sweep_.hosts) {
        if (lost_.contains(host))
            continue;
        const auto live = std::ranges::count_if(trials_, [&](const auto& one) {
            return one.second.host == host && one.second.state == TrialState::running;
        });
        const std::int64_t places = (sweep_.at_once + usable - 1) / usable;
        if (live < places && live < fewest) {
            fewest = live;
            best = host;
        }
    }
    return best;
}

int Sweep::free_slot(const Trial& trial) const {
    std::set<int> taken;
    for (const auto& [number, other] : trials_)
        if (number != trial.number && other.state == TrialState::running && other.host == trial.host)
            taken.insert(other.slot);
    int slot = 0;
    while (taken.contains(slot))
        ++slot;
    return slot;
}

std::string Sweep::run_name(const Trial& trial) const {
    return fmt::format("{}-{:03}{}", folder_.filename().string(), trial.number,
                       trial.attempt > 1 ? fmt::format("-{}", trial.attempt) : "");
}

void Sweep::stop_if_hopeless() const {
    std::int64_t failed = 0;
    const Trial* last = nullptr;
    for (const auto& [number, trial] : trials_) {
        if (is_over(trial.state) && trial.state != TrialState::failed)
            return;
        if (trial.state == TrialState::failed) {
            ++failed;
            last = &trial;
        }
    }
    if (failed >= std::min(kHopeless, sweep_.trials))
        throw UserError(failed == 1 ? Message("the only trial failed: {}", last->problem)
                                    : Message("the first {} trials failed, and none of the others is over: {}", failed,
                                              last->problem));
}

std::vector<double> importance(const SweepFile& sweep, const std::map<std::int64_t, Trial>& trials) {
    std::vector<const Trial*> used;
    double sum = 0;
    for (const auto& [number, trial] : trials)
        // A trial that diverged to infinity has no share in a variance (optuna/optuna issue 3382).
        if (trial.value && std::isfinite(*trial.value) && trial.state == TrialState::finished) {
            used.push_back(&trial);
            sum += *trial.value;
        }
    std::vector<double> shares(sweep.parameters.size());
    if (used.size() < 2)
        return {};
    const double mean = sum / static_cast<double>(used.size());
    double all = 0;
    for (const Trial* trial : used)
        all += (*trial->value - mean) * (*trial->value - mean);
    for (std::size_t i = 0; i < shares.size() && all > 0; ++i) {
        const Parameter& parameter = sweep.parameters[i];
        std::map<std::string, std::pair<double, double>> groups;  // sum and count
        for (const Trial* trial : used) {
            std::string group = trial->point[i];
            if (const auto number = parse_number<double>(group);
                parameter.is_range() && number && (parameter.choices() == 0 || parameter.choices() > kParts)) {
                const bool log = parameter.scale == Scale::log;
                const double share = log ? std::log(*number / parameter.min) / std::log(parameter.max / parameter.min)
                                         : (*number - parameter.min) / (parameter.max - parameter.min);
                group = std::to_string(std::min(kParts - 1, static_cast<int>(share * kParts)));
            }
            groups[group].first += *trial->value;
            groups[group].second += 1;
        }
        double between = 0;
        for (const auto& [name, group] : groups) {
            const double difference = group.first / group.second - mean;
            between += group.second * difference * difference;
        }
        shares[i] = between / all;
    }
    return shares;
}

}  // namespace trainyard::sweep
