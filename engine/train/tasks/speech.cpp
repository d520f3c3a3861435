// SPDX-License-Identifier: GPL-3.0-or-later
// Task speech_pretraining: recordings with masked parts, and the negatives of each masked frame, as
// transformers' example run_wav2vec2_pretraining_no_trainer.py draws them. Recordings are filled up to one length, so
// that batches are the same on every layout of ranks.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "base/philox.h"
#include "config/inputs/sound_processor.h"
#include "formats/tables/sound.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"
#include "train/tasks/changing_samples.h"

namespace trainyard::train {

namespace {

/// Numbers that are a function of seed, epoch and sample.
class SampleDraws {
  public:
    SampleDraws(std::uint64_t seed, const SampleNumber& number)
        : seed_(seed),
          epoch_(static_cast<std::uint32_t>(number.epoch.value_or(-1))),
          sample_(static_cast<std::uint32_t>(number.sample)) {}
    /// From 0 to before `limit`.
    std::int64_t below(std::int64_t limit) {
        return static_cast<std::int64_t>((std::uint64_t{next()} * static_cast<std::uint64_t>(limit)) >> 32);
    }
    double share() { return uniform(next()); }

  private:
    std::uint32_t next() {
        if (position_ % 4 == 0)
            words_ = philox(seed_, RandomStream::masking, epoch_, sample_, position_ / 4);
        return words_[position_++ % 4];
    }

    std::uint64_t seed_;
    std::uint32_t epoch_, sample_;
    std::uint64_t position_ = 0;
    std::array<std::uint32_t, 4> words_{};
};

class Speech final : public ChangingSamples {
  public:
    explicit Speech(const config::Recipe& recipe)
        : model_(recipe.model), processor_(inputs::sound_processor_of(recipe)), seed_(recipe.training.seed) {
        inputs::Recordings found = inputs::find_recordings(recipe, processor_);
        recordings_ = std::move(found.used);
        for (const inputs::Recording& each : recordings_)
            samples_ = std::max(samples_, each.samples);
        if (found.too_short > 0)
            remarks_.push_back(Message("{} of {} recordings are too short and not used", found.too_short,
                                       found.too_short + std::ssize(recordings_)));
        frames_ = families::speech_frames(model_, samples_);
        mix(recordings_.size(), recipe);
    }
    std::int64_t targets_per_sample(std::int64_t) const override { return frames_; }
    std::vector<Message> remarks() const override { return remarks_; }
    std::vector<inputs::FileBeside> files_beside_model() const override {
        return {{"preprocessor_config.json", inputs::write_sound_processor(processor_)}};
    }

  private:
    Tree batch_of(std::span<const SampleNumber> numbers) const override {
        const auto rows = std::ssize(numbers);
        const at::Tensor sound = at::zeros({rows, samples_}), attended = at::zeros({rows, frames_}, at::kLong),
                         labels = at::full({rows, frames_}, models::kIgnoredLabel, at::kLong),
                         negatives = at::zeros({rows, frames_, model_.num_negatives}, at::kLong);
        for (std::int64_t row = 0; row < rows; ++row) {
            const SampleNumber& number = numbers[static_cast<std::size_t>(row)];
            const inputs::Recording& recording = recordings_[static_cast<std::size_t>(number.sample)];
            std::vector<float> samples = formats::read_sound(recording.path, recording.samples);
            if (std::ssize(samples) != recording.samples)
                throw UserError("{} has changed since the start", recording.path.string());
            if (processor_.do_normalize)
                normalise(samples);
            std::ranges::copy(samples, sound[row].data_ptr<float>());
            const std::int64_t frames = families::speech_frames(model_, recording.samples);
            attended[row].narrow(0, 0, frames).fill_(1);
            SampleDraws draws(seed_, number);
            const std::vector<std::int64_t> masked = masked_frames(frames, draws);
            draw_negatives(masked, draws, labels[row].data_ptr<std::int64_t>(),
                           negatives[row].data_ptr<std::int64_t>());
        }
        Tree made = Tree::dict({{"input_values", sound},
                                {"labels", labels},
                                {"sampled_negative_indices", negatives},
                                {"targets", labels.ne(models::kIgnoredLabel).sum(1)}});
        if (processor_.return_attention_mask)
            made.set("attention_mask", attended);
        return made;
    }

    /// To mean 0 and variance 1.
    static void normalise(std::vector<float>& samples) {
        constexpr double kAdded = 1e-7;
        double sum = 0, squares = 0;
        for (const float sample : samples)
            sum += sample;
        const double mean = sum / static_cast<double>(samples.size());
        for (const float sample : samples)
            squares += (sample - mean) * (sample - mean);
        const double deviation = std::sqrt(squares / static_cast<double>(samples.size()) + kAdded);
        for (float& sample : samples)
            sample = static_cast<float>((sample - mean) / deviation);
    }

    /// Frames of spans that may overlap, in order.
    std::vector<std::int64_t> masked_frames(std::int64_t frames, SampleDraws& draws) const {
        const std::int64_t length = model_.mask_time_length, places = frames - length + 1;
        const double wanted =
            model_.mask_time_prob * static_cast<double>(frames) / static_cast<double>(length) + draws.share();
        std::int64_t spans = std::max(static_cast<std::int64_t>(wanted), model_.mask_time_min_masks);
        spans = std::min({spans, frames / length, places});
        std::vector<std::int64_t> starts(static_cast<std::size_t>(std::max<std::int64_t>(0, places)));
        std::iota(starts.begin(), starts.end(), std::int64_t{0});
        std::vector<bool> is_masked(static_cast<std::size_t>(frames));
        for (std::int64_t span = 0; span < spans; ++span) {
            std::swap(starts[static_cast<std::size_t>(span)],
                      starts[static_cast<std::size_t>(span + draws.below(places - span))]);
            const std::int64_t start = starts[static_cast<std::size_t>(span)];
            std::fill_n(is_masked.begin() + start, length, true);
        }
        std::vector<std::int64_t> masked;
        for (std::int64_t frame = 0; frame < frames; ++frame)
            if (is_masked[static_cast<std::size_t>(frame)])
                masked.push_back(frame);
        return masked;
    }

    /// For each masked frame others of the same recording. A single one has none, and is not counted.
    void draw_negatives(const std::vector<std::int64_t>& masked, SampleDraws& draws, std::int64_t* labels,
                        std::int64_t* negatives) const {
        const auto count = std::ssize(masked);
        for (std::int64_t i = 0; i < count && count > 1; ++i) {
            const std::int64_t frame = masked[static_cast<std::size_t>(i)];
            labels[frame] = 0;
            for (std::int64_t k = 0; k < model_.num_negatives; ++k) {
                std::int64_t other = draws.below(count - 1);
                other += other >= i ? 1 : 0;
                negatives[frame * model_.num_negatives + k] = masked[static_cast<std::size_t>(other)];
            }
        }
    }

    families::ModelConfig model_;
    inputs::SoundProcessor processor_;
    std::uint64_t seed_;
    std::vector<inputs::Recording> recordings_;
    std::int64_t samples_ = 0, frames_ = 0;  ///< of every row
    std::vector<Message> remarks_;
};

}  // namespace

std::unique_ptr<SampleSet> open_speech(const config::Recipe& recipe) {
    return std::make_unique<Speech>(recipe);
}

}  // namespace trainyard::train
