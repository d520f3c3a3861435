// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/event_tail.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "formats/events/event_layout.h"

namespace trainyard::desktop {

namespace {

/// In the order of TagKind.
constexpr const char* kKindNames[] = {"scalar", "histogram", "image", "text"};

}  // namespace

std::optional<std::string> EventTail::group_of(const std::string& name) {
    const std::optional<events::EventSource> source = events::event_source(name);
    if (!source)
        return std::nullopt;
    if (!source->host.empty())
        return "@" + source->host;
    return source->rank < 0 ? std::string() : "#" + std::to_string(source->rank);
}

EventTail::EventTail(std::filesystem::path folder, events::EventFolder::Depth depth)
    : files_(folder, group_of, depth), points_(widgets::EarlierStep::Overtakes) {
    if (depth == events::EventFolder::Depth::files)
        hparams_ = std::make_unique<HparamsFolders>(std::move(folder));
}

bool EventTail::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    batch_ = &batch;
    media_.clear();
    const bool all = files_.poll(*this, limit_bytes);
    flush();
    if (hparams_ != nullptr && hparams_->poll())
        batch.parameters = allParameters();
    if (all)
        points_.rest();
    batch_ = nullptr;
    return all;
}

void EventTail::flush() {
    points_.flush(*batch_, [this](int tag) { return files_.tag_name(tag) + files_.group(tag); });
}

void EventTail::scalar(int tag, std::int64_t step, double wall_time, double value) {
    points_.add(tag, {step, wall_time, value});
}

/// A tag has one kind of media; another kind under the same name gets a name of its own.
std::string EventTail::mediaTag(std::string tag, TagKind kind) {
    const auto known = infos_.find(tag);
    if (known != infos_.end() && known->second.kind == kind)
        return tag;
    if (known != infos_.end())
        return mediaTag(fmt::format("{} ({})", tag, kKindNames[static_cast<std::size_t>(kind)]), kind);
    const TagInfo info{tag, kind, {}};
    infos_.emplace(tag, info);
    batch_->tags.push_back(info);
    return tag;
}

void EventTail::addMedia(const std::string& tag, std::shared_ptr<const MediaPoint> point) {
    const auto [place, added] = media_.try_emplace(tag, batch_->changes.size());
    if (added) {
        CurveChange change;
        change.kind = CurveChange::Kind::Media;
        change.tag = tag;
        batch_->changes.push_back(std::move(change));
    }
    batch_->changes[place->second].media.push_back(std::move(point));
}

void EventTail::note(const std::string& tag, std::string_view description) {
    TagInfo& info = infos_.try_emplace(tag, TagInfo{tag, TagKind::Scalar, {}}).first->second;
    if (info.description == description)
        return;
    info.description = description;
    batch_->tags.push_back(info);
}

void EventTail::record(const std::string& group, const events::EventRecord& record, std::string_view payload,
                       const std::filesystem::path& file, std::uint64_t at) {
    for (const events::MediaValue& value : record.media) {
        auto point = std::make_shared<MediaPoint>();
        point->step = record.step;
        point->wall_time = record.wall_time;
        std::string tag(value.tag);
        TagKind kind = TagKind::Text;
        if (const auto* histogram = std::get_if<events::Histogram>(&value.value)) {
            events::Buckets buckets = events::buckets_of(*histogram);
            point->value = HistogramPoint{std::move(buckets.limits), std::move(buckets.counts)};
            kind = TagKind::Histogram;
        } else if (const auto* image = std::get_if<events::EncodedImage>(&value.value)) {
            const auto offset = static_cast<std::uint64_t>(image->bytes.data() - payload.data());
            point->value = ImagePoint{file.string(), at + offset, image->bytes.size(), image->width, image->height};
            kind = TagKind::Image;
            if (value.sample > 0)
                tag += fmt::format(" ({})", value.sample + 1);
        } else {
            const auto& text = std::get<std::string>(value.value);
            std::size_t kept = std::min(text.size(), kLongestText);
            while (kept < text.size() && kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80)
                --kept;  // no half letter
            point->value = TextPoint{text.substr(0, kept), kept < text.size()};
        }
        addMedia(mediaTag(tag + group, kind), std::move(point));
    }
    for (const events::TagNote& note_of : record.notes)
        note(std::string(note_of.tag) + group, note_of.description);
    if (record.parameters.empty())
        return;
    for (const auto& [name, value] : record.parameters)
        set_parameter(parameters_, name, word_of(value));
    batch_->parameters = allParameters();
}

ParameterWords EventTail::allParameters() const {
    ParameterWords all = parameters_;
    if (hparams_ != nullptr)
        for (const auto& [name, word] : hparams_->parameters())
            set_parameter(all, name, word);
    return all;
}

void EventTail::restart(const std::string& group, std::int64_t step) {
    flush();
    media_.clear();
    batch_->changes.push_back({CurveChange::Kind::Restart, group, step, {}});
}

void EventTail::reset() {
    points_.drop();
    media_.clear();
    parameters_.clear();
    batch_->changes.clear();
    batch_->changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
    batch_->parameters = allParameters();
}

}  // namespace trainyard::desktop
