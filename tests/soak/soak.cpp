// SPDX-License-Identifier: GPL-3.0-or-later
// Injects random faults into random runs for TRAINYARD_SOAK_MINUTES (default 5). Every leg of a run must end as its
// fault allows, leave no processes or temporary files behind, and resume from the newest complete checkpoint with
// losses that are bitwise equal to those of an undisturbed run. Scenario i of seed S is scenario 0 of seed S + i, so
// TRAINYARD_SOAK_SEED repeats it. See also README.md of tests/fault.

#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "formats/events/event_file.h"
#include "soak/faults.h"
#include "soak/place.h"

namespace trainyard::soak {
namespace {

constexpr double kLegSeconds = 180;  ///< on a busy machine
constexpr double kGoneSeconds = 15;  ///< from the end of a run until its last process has left
constexpr int kMostFaults = 3;       ///< of one run

using Curve = std::map<std::int64_t, double>;

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoll(text);
}

/// A violated guarantee, described in one sentence.
struct Finding : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Calls `see(step, loss)` for every loss that was ever written, those that a restart went over too.
template <class See>
void each_loss(const run::RunPaths& paths, See see) {
    if (!fs::exists(paths.metrics()))
        return;
    for (const auto& entry : fs::directory_iterator(paths.metrics())) {
        if (!entry.is_regular_file() || entry.path().filename().string().find("tfevents") == std::string::npos)
            continue;
        events::EventFileReader reader(entry.path());
        for (const events::Scalar& scalar : reader.poll())
            if (scalar.tag == "train/loss")
                see(scalar.step, scalar.value);
    }
}

fs::path checkpoint_at(const run::RunPaths& paths, std::int64_t step) {
    return paths.checkpoints() / ("checkpoint_" + std::to_string(step));
}

/// Checkpoints with a manifest, the last thing a save writes; by step.
std::map<std::int64_t, fs::path> whole_checkpoints(const run::RunPaths& paths) {
    std::map<std::int64_t, fs::path> found;
    const std::string prefix = "checkpoint_";
    if (fs::exists(paths.checkpoints()))
        for (const auto& entry : fs::directory_iterator(paths.checkpoints()))
            if (const std::string name = entry.path().filename();
                name.starts_with(prefix) && fs::exists(entry.path() / "manifest.json"))
                found.emplace(std::stoll(name.substr(prefix.size())), entry.path());
    return found;
}

/// The results of an undisturbed run of a shape.
struct Reference {
    Curve losses;
    std::string weights;
    double seconds = 0;
};

class Scenario {
  public:
    Scenario(const Shape& shape, std::uint64_t seed, const Reference* reference)
        : shape_(shape), dice_(seed), reference_(reference), place_(make_place(shape)) {}

    /// The whole run without a fault.
    Reference undisturbed() {
        const double began = monotonic_seconds();
        begin({});
        finish_leg(nullptr, {});
        Reference made;
        made.seconds = monotonic_seconds() - began;
        if (!shape_.program) {
            each_loss(place_->paths(), [&](std::int64_t step, double loss) { made.losses[step] = loss; });
            if (std::ssize(made.losses) != shape_.steps)
                throw Finding("the undisturbed run has " + std::to_string(made.losses.size()) + " losses");
            made.weights = read_file(checkpoint_at(place_->paths(), shape_.steps) / "model.safetensors");
        }
        return made;
    }

    /// Faults, resumes and comparisons until the run has finished.
    void disturbed() {
        std::vector<const Fault*> chosen;
        for (std::int64_t left = roll(dice_, 1, kMostFaults); left > 0; --left)
            chosen.push_back(&some_fault());
        Leg leg;
        std::int64_t done = 0;
        for (std::size_t i = 0;; ++i) {
            const Fault* fault = i < chosen.size() ? chosen[i] : nullptr;
            leg.max_restarts = fault == nullptr ? 0 : static_cast<int>(roll(dice_, 0, 2));
            const std::int64_t at = roll(dice_, done, std::max(done, shape_.steps * 6 / 10));
            story_ << (fault == nullptr ? "no fault" : fault->name) << " at " << (shape_.program ? "line " : "step ")
                   << at << (leg.max_restarts > 0 ? ", may restart" : "")
                   << (leg.resume_from.empty() ? "" : ", resumed") << "; ";
            begin(leg);
            if (fault != nullptr)
                strike(*fault, at);
            const Ending ending = finish_leg(fault, leg);
            story_ << name_of(ending) << ". ";
            compare();
            if (ending == Ending::finished)
                break;
            if (fault == nullptr)
                throw Finding(std::string("without any fault the run ") + name_of(ending) + ": " +
                              place_->state().message.text());
            if (!shape_.program)
                choose_start(leg, done);
        }
        if (!shape_.program &&
            read_file(checkpoint_at(place_->paths(), shape_.steps) / "model.safetensors") != reference_->weights)
            throw Finding("the final weights are not those of an undisturbed run");
    }

    std::string story() const { return story_.str(); }
    fs::path everything() const { return place_->everything(); }
    std::string last_run() const { return last_run_; }

  private:
    const Fault& some_fault() {
        for (;;) {
            const Fault& fault = faults()[static_cast<std::size_t>(roll(dice_, 0, std::ssize(faults()) - 1))];
            if (fault.fits(shape_))
                return fault;
        }
    }

    void begin(const Leg& leg) {
        if (std::string refused = place_->start(leg); !refused.empty())
            throw Finding("the start was refused: " + refused);
        last_run_ = place_->paths().id();
    }

    void strike(const Fault& fault, std::int64_t at) {
        const double deadline = monotonic_seconds() + kLegSeconds;
        while (place_->progress() < at && !run::is_over(place_->state().status) && monotonic_seconds() < deadline)
            ::usleep(2'000);
        const run::RunState state = place_->state();
        if (!run::is_over(state.status))
            fault.strike({*place_, shape_, dice_, state, reference_->seconds});
    }

    bool failed_in_its_last_save(Ending ending) const {
        const run::RunState state = place_->state();
        return ending == Ending::failed && state.first_failure && state.first_failure->step == shape_.steps &&
               state.first_failure->phase == "save";
    }

    /// Waits for the end of the leg and of all its processes.
    Ending finish_leg(const Fault* fault, const Leg& leg) {
        const double deadline = monotonic_seconds() + kLegSeconds;
        double silent_since = 0;
        std::optional<Ending> ending;
        while (!ending) {
            const run::RunState state = place_->state();
            if (run::is_over(state.status))
                ending = state.status == run::Status::finished  ? Ending::finished
                         : state.status == run::Status::stopped ? Ending::stopped
                                                                : Ending::failed;
            else if (!place_->processes().empty())
                silent_since = 0;
            else if (silent_since == 0)
                silent_since = monotonic_seconds();
            else if (monotonic_seconds() - silent_since > 1)
                ending = Ending::lost;
            if (!ending && monotonic_seconds() > deadline)
                throw Finding("the run does not end: it is " + to_string(state.status) + " at step " +
                              std::to_string(state.progress.step) + ", " + state.message.text());
            ::usleep(20'000);
        }
        const double gone_by = monotonic_seconds() + kGoneSeconds;
        while (!place_->processes().empty() && monotonic_seconds() < gone_by)
            ::usleep(20'000);
        if (std::string left = place_->processes(); !left.empty())
            throw Finding("processes are left over: " + left);
        if (std::string left = place_->files_left(); !left.empty())
            throw Finding("files are left over: " + left);
        const bool allowed =
            *ending == Ending::finished ||
            (fault != nullptr && (leg.max_restarts > 0 ? fault->with_restarts : fault->endings).contains(*ending)) ||
            (fault != nullptr && fault->may_lose_the_last_save && failed_in_its_last_save(*ending));
        if (!allowed)
            throw Finding(std::string("the run ") + name_of(*ending) + ": " + place_->state().message.text());
        if (*ending == Ending::finished && !shape_.program)
            for (const auto& entry : fs::directory_iterator(place_->paths().checkpoints()))
                if (!entry.path().filename().string().starts_with("checkpoint_"))
                    throw Finding("a finished run leaves " + entry.path().filename().string() +
                                  " among its checkpoints");
        return *ending;
    }

    void compare() {
        if (shape_.program)
            return;
        each_loss(place_->paths(), [&](std::int64_t step, double loss) {
            seen_.insert(step);
            auto expected = reference_->losses.find(step);
            if (expected == reference_->losses.end() || expected->second != loss) {
                std::ostringstream sentence;
                sentence.precision(17);
                sentence << "the loss of step " << step << " is " << loss << ", that of an undisturbed run "
                         << (expected == reference_->losses.end() ? 0 : expected->second);
                throw Finding(sentence.str());
            }
        });
    }

    /// Chooses where the next leg resumes: from the run that ended, sometimes after damaging its newest checkpoint, or
    /// from the same checkpoint as this leg.
    void choose_start(Leg& leg, std::int64_t& done) {
        std::map<std::int64_t, fs::path> whole = whole_checkpoints(place_->paths());
        if (!whole.empty() && roll(dice_, 0, 2) == 0) {
            const Damage& damage = damages()[static_cast<std::size_t>(roll(dice_, 0, std::ssize(damages()) - 1))];
            story_ << "Newest checkpoint: " << damage.name << ". ";
            damage.strike(std::prev(whole.end())->second, dice_);
            whole.erase(std::prev(whole.end()));
        }
        if (!whole.empty()) {
            leg.resume_from = place_->path_there();
            done = std::prev(whole.end())->first;
        }
    }

    const Shape& shape_;
    Dice dice_;
    const Reference* reference_;
    std::unique_ptr<Place> place_;
    std::set<std::int64_t> seen_;
    std::ostringstream story_;
    std::string last_run_;
};

/// The run's folder and all around it, where the next build or soak does not touch it.
fs::path keep(const Scenario& scenario, std::uint64_t seed) {
    const fs::path kept = fs::path(TRAINYARD_BUILD_DIR) / "soak" / std::to_string(seed);
    std::error_code ignored;
    fs::remove_all(kept, ignored);
    fs::create_directories(kept, ignored);
    for (const char* part : {"runs", "tmp", ".state"})
        fs::copy(scenario.everything() / part, kept / part,
                 fs::copy_options::recursive | fs::copy_options::skip_symlinks, ignored);
    return kept;
}

TEST(Soak, EveryRunEndsAsItsFaultAllowsAndGoesOnAsIfNothingHadBeen) {
    const auto first = static_cast<std::uint64_t>(
        number_from("TRAINYARD_SOAK_SEED", static_cast<std::int64_t>(wall_seconds()) % 1'000'000));
    const double end = monotonic_seconds() + 60 * static_cast<double>(number_from("TRAINYARD_SOAK_MINUTES", 5));
    std::cout << "TRAINYARD_SOAK_SEED=" << first << std::endl;
    std::map<std::string, Reference> references;
    std::uint64_t seed = first;
    do {
        Dice dice(seed);
        const Shape& shape = shapes()[static_cast<std::size_t>(roll(dice, 0, std::ssize(shapes()) - 1))];
        std::optional<Scenario> scenario;
        try {
            if (!references.contains(shape.name)) {
                scenario.emplace(shape, 0, nullptr);
                references[shape.name] = scenario->undisturbed();
                std::cout << shape.name << ": " << references[shape.name].seconds << " s undisturbed" << std::endl;
            }
            scenario.emplace(shape, seed + 1, &references[shape.name]);
            scenario->disturbed();
            std::cout << seed << ", " << shape.name << ": " << scenario->story() << std::endl;
        } catch (const std::exception& finding) {
            std::string where = scenario ? keep(*scenario, seed).string() : "nowhere";
            ADD_FAILURE() << finding.what() << "\n  run: " << shape.name
                          << (scenario ? ", " + scenario->last_run() : "")
                          << "\n  story: " << (scenario ? scenario->story() : "") << "\n  kept in " << where
                          << "\n  again: TRAINYARD_SOAK_SEED=" << seed
                          << " TRAINYARD_SOAK_MINUTES=0 " TRAINYARD_BUILD_DIR "/tests/test_soak";
        }
        ++seed;
    } while (monotonic_seconds() < end);
    std::cout << seed - first << " runs from seed " << first << " on" << std::endl;
}

}  // namespace
}  // namespace trainyard::soak
