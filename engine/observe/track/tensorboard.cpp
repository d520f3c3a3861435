// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "formats/events/event_file.h"
#include "formats/tables/image.h"
#include "observe/track/builtin.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

void check_arguments(const std::string& tracker, const Value& arguments, const std::vector<std::string>& known) {
    if (arguments.is_null())
        return;
    if (arguments.map() == nullptr)
        throw UserError("the arguments of the tracker '{}' are not a dictionary", tracker);
    std::vector<Message> problems;
    for (const auto& [name, value] : *arguments.map())
        if (std::find(known.begin(), known.end(), name) == known.end())
            problems.push_back(
                Message("unknown argument '{}' of the tracker '{}'{}", name, tracker, text::did_you_mean(name, known)));
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
}

namespace {

/// All pictures of a name as one, eight in a row, in colours: SummaryWriter.add_images.
formats::Image sheet_of(const Pictures& pictures) {
    constexpr std::int64_t kColumns = 8, kChannels = 3;
    const std::int64_t columns = std::min(pictures.count, kColumns), rows = (pictures.count + columns - 1) / columns;
    formats::Image sheet{rows * pictures.height, columns * pictures.width, kChannels, {}};
    sheet.pixels.resize(static_cast<std::size_t>(sheet.height * sheet.width * kChannels));
    auto from = pictures.pixels.begin();
    for (std::int64_t picture = 0; picture < pictures.count; ++picture)
        for (std::int64_t y = 0; y < pictures.height; ++y)
            for (std::int64_t x = 0; x < pictures.width; ++x) {
                const std::int64_t row = picture / columns * pictures.height + y;
                const std::int64_t column = picture % columns * pictures.width + x;
                auto to = sheet.pixels.begin() + (row * sheet.width + column) * kChannels;
                for (std::int64_t channel = 0; channel < kChannels; ++channel)
                    *to++ = from[pictures.channels == 1 ? 0 : channel];
                from += pictures.channels;
            }
    return sheet;
}

class TensorBoard final : public Tracker {
  public:
    explicit TensorBoard(const TrackerContext& context) : folder_(context.logging_dir / context.project) {
        check_arguments("tensorboard", context.arguments, tracker_arguments("tensorboard"));
        if (const Value* suffix = context.arguments.find("filename_suffix"); suffix != nullptr && suffix->text())
            suffix_ = *suffix->text();
        if (const Value* step = context.arguments.find("purge_step"); step != nullptr && step->integer())
            purge_step_ = *step->integer();
    }

    std::string name() const override { return "tensorboard"; }

    void start() override {
        make_private_folder(folder_);
        writer_.emplace(folder_, suffix_);
        if (purge_step_)
            writer_->add_restart(*purge_step_, wall_seconds());
        writer_->flush();
    }

    void store_init_configuration(const Values& configuration) override {
        const double now = wall_seconds();
        const fs::path folder = folder_ / python_float(now);
        make_private_folder(folder);
        events::HyperParameters parameters;
        for (const auto& [key, value] : flattened(configuration)) {
            if (value.is_null())
                continue;  // SummaryWriter leaves them out, too
            if (const bool* truth = value.boolean())
                parameters.emplace_back(key, *truth);
            else if (value.is_number())
                parameters.emplace_back(key, value.as_double());
            else
                parameters.emplace_back(key, python_text(value));
        }
        events::EventFileWriter hparams(folder);
        hparams.add_hparams(now, parameters, {});
        hparams.flush();
        write_file_atomically(folder / "hparams.yml", write_yaml(configuration), false);
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("tensorboard", arguments, {"walltime"});
        const Value* given = arguments.find("walltime");
        const double wall_time = given != nullptr && given->is_number() ? given->as_double() : record.wall_time;
        const std::int64_t step = record.step.value_or(0);
        std::vector<std::pair<std::string, double>> scalars;
        std::string unshown;
        for (const auto& [name, value] : record.values) {
            if (value.is_number())
                scalars.emplace_back(name, value.as_double());
            else if (const std::string* words = value.text())
                writer_->add_text(step, wall_time, name, *words);
            else if (const Value::Map* curves = value.map())
                log_curves(name, *curves, step, wall_time, unshown);
            else
                unshown += fmt::format("{}'{}'", unshown.empty() ? "" : ", ", name);
        }
        if (!scalars.empty())
            writer_->add_scalars(step, wall_time, scalars);
        if (!unshown.empty())
            throw UserError("tensorboard shows numbers, words and dictionaries of numbers, not {}", unshown);
    }

    bool keeps_pictures() const override { return true; }

    void log_images(const PictureRecord& record, const Value& arguments) override {
        check_arguments("tensorboard", arguments, {"walltime"});
        const Value* given = arguments.find("walltime");
        const double wall_time = given != nullptr && given->is_number() ? given->as_double() : record.wall_time;
        for (const Pictures& pictures : record.pictures) {
            const formats::Image sheet = sheet_of(pictures);
            writer_->add_image(record.step.value_or(0), wall_time, pictures.name, sheet.height, sheet.width,
                               sheet.channels, formats::encode_png(sheet));
        }
    }

    void restart(std::int64_t step, double wall_time) override {
        writer_->add_restart(step, wall_time);
        for (auto& [folder, writer] : curves_)
            writer.add_restart(step, wall_time);
    }

    void flush() override {
        writer_->flush();
        for (auto& [folder, writer] : curves_)
            writer.flush();
    }

    void finish() override {
        flush();
        writer_.reset();
        curves_.clear();
    }

  private:
    /// Writes each curve into a folder of its own, so that TensorBoard draws them in one chart.
    void log_curves(const std::string& name, const Value::Map& curves, std::int64_t step, double wall_time,
                    std::string& unshown) {
        std::string safe = name;
        std::replace(safe.begin(), safe.end(), '/', '_');
        for (const auto& [curve, value] : curves) {
            if (!value.is_number()) {
                unshown += fmt::format("{}'{}/{}'", unshown.empty() ? "" : ", ", name, curve);
                continue;
            }
            std::string leaf = curve;
            std::replace(leaf.begin(), leaf.end(), '/', '_');
            const std::string folder = safe + "_" + leaf;
            auto found = curves_.find(folder);
            if (found == curves_.end()) {
                make_private_folder(folder_ / folder);
                found = curves_.try_emplace(folder, folder_ / folder, suffix_).first;
            }
            found->second.add_scalars(step, wall_time, {{name, value.as_double()}});
        }
    }

    fs::path folder_;
    std::string suffix_;
    std::optional<std::int64_t> purge_step_;
    std::optional<events::EventFileWriter> writer_;
    std::map<std::string, events::EventFileWriter> curves_;
};

}  // namespace

/// TensorBoard's event files in <logging_dir>/<project>: numbers are scalars, texts texts, a dictionary one curve per
/// key in a folder of its own (SummaryWriter.add_scalars). The configuration goes to <seconds>/ there: for the HParams
/// page, and as hparams.yml. Arguments: filename_suffix; purge_step (a restart); flush_secs, max_queue, comment of
/// SummaryWriter have no meaning here.
TrackerKind tensorboard_kind() {
    return {.name = "tensorboard",
            .requires_logging_directory = true,
            .main_process_only = true,
            .make = [](const TrackerContext& context) { return std::make_unique<TensorBoard>(context); },
            .available = [] { return true; }};
}

}  // namespace trainyard::track
