// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A source of curves made of nothing: tests say what it holds.

#include <cmath>
#include <unordered_map>

#include "desktop/curves/curve_source.h"

namespace trainyard::test {

class FakeSource : public desktop::CurveSource {
  public:
    explicit FakeSource(QString name, int color = 1, QObject* parent = nullptr)
        : CurveSource(parent), name_(std::move(name)), color_(color) {}

    void add(const std::string& tag, int points = 0, desktop::TagKind kind = desktop::TagKind::Scalar) {
        tags_.push_back({tag, kind, {}});
        for (int i = 0; i < points; ++i)
            series_[tag].append(widgets::SeriesPoint{i, 1.7e9 + i, std::exp(-i / 40.0) + 0.1 * color_});
    }
    void addText(const std::string& tag, const std::string& words) {
        add(tag, 0, desktop::TagKind::Text);
        media_[tag].push_back(
            std::make_shared<desktop::MediaPoint>(desktop::MediaPoint{0, 1.7e9, desktop::TextPoint{words, false}}));
    }
    void addHistogram(const std::string& tag, int steps) {
        add(tag, 0, desktop::TagKind::Histogram);
        for (int i = 0; i < steps; ++i) {
            desktop::HistogramPoint point;
            for (int b = 0; b <= 30; ++b)
                point.limits.push_back(-3 + 0.2 * b + 0.02 * i);
            for (int b = 0; b < 30; ++b)
                point.counts.push_back(1000 * std::exp(-0.5 * std::pow((b - 15) / (4.0 + i * 0.2), 2)));
            media_[tag].push_back(std::make_shared<desktop::MediaPoint>(desktop::MediaPoint{i * 10, 1.7e9 + i, point}));
        }
    }
    void append(const std::string& tag, std::int64_t step, double value) {
        series_[tag].append(widgets::SeriesPoint{step, 1.7e9 + static_cast<double>(step), value});
        emit curvesChanged();
    }
    void setParameters(desktop::ParameterWords words) { parameters_ = std::move(words); }

    QString key() const override { return QStringLiteral("/fake/") + name_; }
    QString name() const override { return name_; }
    int colorNumber() const override { return color_; }
    const std::vector<desktop::TagInfo>& tags() const override { return tags_; }
    const widgets::Series& series(const std::string& tag) const override { return series_[tag]; }
    const desktop::MediaPoints& media(const std::string& tag) const override { return media_[tag]; }
    /// As if only some of so many had been kept.
    void setMediaMet(const std::string& tag, std::size_t all) { met_[tag] = all; }
    std::size_t mediaMet(const std::string& tag) const override {
        const auto found = met_.find(tag);
        return found == met_.end() ? media_[tag].size() : found->second;
    }
    const desktop::ParameterWords& parameters() const override { return parameters_; }
    widgets::XScale scale(widgets::XUnit unit) const override {
        widgets::XScale scale;
        scale.unit = unit;
        scale.start = 1.7e9;
        return scale;
    }
    bool isCaughtUp() const override { return true; }
    QStringList complaints() const override { return {}; }

  private:
    QString name_;
    int color_;
    std::vector<desktop::TagInfo> tags_;
    mutable std::unordered_map<std::string, widgets::Series> series_;
    mutable std::unordered_map<std::string, desktop::MediaPoints> media_;
    std::unordered_map<std::string, std::size_t> met_;
    desktop::ParameterWords parameters_;
};

}  // namespace trainyard::test
