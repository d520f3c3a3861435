// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/metrics_summary.h"

#include <algorithm>
#include <cmath>

#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {
constexpr std::size_t kMostPoints = 256;
}

MetricsSummary::MetricsSummary(std::filesystem::path metrics, bool of_program)
    : folder_(std::move(metrics)), files_(std::make_unique<events::EventFolder>(folder_)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder_, ignored))
        if (const auto kind = kind_of_log(folder_))
            file_ = make_tail(folder_, *kind);
    if (of_program && !file_)
        hparams_ = std::make_unique<HparamsFolders>(folder_);
}

bool MetricsSummary::poll(std::uint64_t limit_bytes) {
    any_ = false;
    const bool done = file_ ? pollFile(limit_bytes) : files_->poll(*this, limit_bytes);
    any_ = (hparams_ && hparams_->poll()) || any_;
    if (again_) {
        beginAgain();
        return true;
    }
    return !done || any_;
}

bool MetricsSummary::pollFile(std::uint64_t limit_bytes) {
    CurveBatch batch;
    const bool done = file_->poll(batch, limit_bytes);
    if (batch.parameters && *batch.parameters != parameters_) {
        parameters_ = std::move(*batch.parameters);
        any_ = true;
    }
    if (batch.labels && *batch.labels != labels_) {
        labels_ = std::move(*batch.labels);
        any_ = true;
    }
    for (const CurveChange& change : batch.changes) {
        switch (change.kind) {
            case CurveChange::Kind::Reset:
                reset();
                break;
            case CurveChange::Kind::Restart:
                restart(change.tag, change.step);
                break;
            case CurveChange::Kind::Points:
                for (const widgets::SealedChunk& chunk : change.chunks)
                    for (std::size_t i = 0; i < chunk->size(); ++i)
                        point(change.tag, chunk->step(i), chunk->value(i));
                for (const widgets::SeriesPoint& one : change.points)
                    point(change.tag, one.step, one.value);
                break;
            case CurveChange::Kind::Media:
                break;
        }
    }
    return done;
}

QStringList MetricsSummary::problems() const {
    QStringList words;
    for (const Message& problem : file_ ? file_->problems() : files_->problems())
        words << qtSentence(problem);
    return words;
}

void MetricsSummary::beginAgain() {
    if (file_)
        file_ = make_tail(folder_, *kind_of_log(folder_));
    files_ = std::make_unique<events::EventFolder>(folder_);
    clear();
    findLimit();
}

void MetricsSummary::clear() {
    tallies_.clear();
    loss_.clear();
    stride_ = 1;
    seen_ = 0;
    heard_ = 0;
    again_ = false;
}

void MetricsSummary::findLimit() {
    limit_ = INT64_MAX;
    for (std::size_t i = heard_; i < restarts_.size(); ++i)
        limit_ = std::min(limit_, restarts_[i]);
}

void MetricsSummary::scalar(int number, std::int64_t step, double, double value) {
    point(files_->tag_name(number), step, value);
}

void MetricsSummary::record(const std::string&, const events::EventRecord& record, std::string_view,
                            const std::filesystem::path&, std::uint64_t) {
    for (const auto& [name, value] : record.parameters)
        any_ = (hparams_ && set_parameter(parameters_, name, word_of(value))) || any_;
}

std::shared_ptr<const RunConfig> MetricsSummary::config() const {
    ParameterWords all = parameters_;
    if (hparams_)
        for (const auto& [name, word] : hparams_->parameters())
            set_parameter(all, name, word);
    if (all.empty())
        return nullptr;
    QVector<ConfigEntry> entries;
    for (const auto& [name, word] : all) {
        ConfigEntry entry{qt(name), qt(word)};
        bool is_number = false;
        if (const double number = entry.text.toDouble(&is_number); is_number)
            entry.number = number;
        entries << entry;
    }
    return std::make_shared<const RunConfig>(std::move(entries));
}

void MetricsSummary::point(const std::string& tag, std::int64_t step, double value) {
    any_ = true;
    if (step >= limit_)
        return;
    Tally& tally = tallies_[tag];
    ++tally.count;
    if (step >= tally.step) {
        tally.step = step;
        tally.last = value;
    }
    if (std::isfinite(value)) {
        tally.lowest = std::min(tally.lowest, value);
        tally.highest = std::max(tally.highest, value);
        tally.sum += value;
        ++tally.finite;
    }
    // Of our own runs the first; the others are what programs of others write.
    if (tag == "train/loss" || tag == "loss" || tag == "train_loss")
        keepLoss(step, value);
}

void MetricsSummary::keepLoss(std::int64_t step, double value) {
    if (seen_++ % stride_ != 0)
        return;
    loss_.emplace_back(step, value);
    if (loss_.size() <= kMostPoints)
        return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < loss_.size(); i += 2)
        loss_[kept++] = loss_[i];
    loss_.resize(kept);
    stride_ *= 2;
}

void MetricsSummary::restart(const std::string&, std::int64_t step) {
    any_ = true;
    if (heard_ == restarts_.size()) {
        restarts_.push_back(step);
        again_ = true;
    }
    ++heard_;
    findLimit();
}

void MetricsSummary::reset() {
    any_ = true;
    restarts_.clear();
    clear();
    limit_ = INT64_MAX;
}

QVector<QPointF> MetricsSummary::lossPoints(std::int64_t of) const {
    QVector<QPointF> polygon;
    polygon.reserve(static_cast<qsizetype>(loss_.size()));
    if (of <= 0 && !loss_.empty())
        of = std::max<std::int64_t>(1, loss_.back().first);
    for (const auto& [step, loss] : loss_)
        polygon << QPointF(std::clamp(static_cast<double>(step) / static_cast<double>(of), 0.0, 1.0), loss);
    return polygon;
}

std::shared_ptr<const RunMetrics> MetricsSummary::metrics() const {
    QVector<MetricEntry> entries;
    entries.reserve(static_cast<qsizetype>(tallies_.size()));
    for (const auto& [tag, tally] : tallies_) {
        MetricEntry entry;
        entry.tag = qt(tag);
        entry.last = tally.last;
        entry.count = tally.count;
        entry.step = tally.step;
        if (tally.finite > 0) {
            entry.lowest = tally.lowest;
            entry.highest = tally.highest;
            entry.mean = tally.sum / static_cast<double>(tally.finite);
        }
        entries << entry;
    }
    return std::make_shared<const RunMetrics>(std::move(entries));
}

}  // namespace trainyard::desktop
