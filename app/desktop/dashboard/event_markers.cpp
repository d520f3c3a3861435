// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/event_markers.h"

#include <algorithm>

#include "desktop/dashboard/event_words.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

namespace {
widgets::Marker event_marker(const run::Event& event, std::size_t position) {
    const EventWords words = event_words(event);
    return {static_cast<int>(position),
            static_cast<double>(event.step),
            event.time,
            words.icon,
            words.color,
            words.more.isEmpty() ? words.title : words.title + QStringLiteral(" · ") + words.more};
}

QString best_evaluation(double loss, std::int64_t step) {
    return tr("Best validation loss %1 · step %2").arg(widgets::value_number(loss), stepText(step));
}
}  // namespace

void EventMarkers::follow(const std::vector<run::Event>& events) {
    std::vector<std::size_t> marked;
    std::optional<std::size_t> reported, lowest;
    for (; seen_ < events.size(); ++seen_) {
        const run::Event& event = events[seen_];
        if (is_marked(event))
            marked.push_back(seen_);
        // A run that keeps its best checkpoints reports the best one itself, by the metric of its recipe.
        if (event.kind == "best")
            reported = seen_;
        else if (event.kind == "evaluation" && event.step >= 0 && event.value != 0 &&
                 (lowest_ == 0 || event.value < lowest_)) {
            lowest_ = event.value;
            lowest = seen_;
        }
    }
    for (std::size_t i = marked.size() - std::min(marked.size(), kMost); i < marked.size(); ++i)
        newest_.push_back(event_marker(events[marked[i]], marked[i]));
    while (newest_.size() > kMost)
        newest_.pop_front();
    if (reported) {
        best_ = event_marker(events[*reported], *reported);
        best_is_reported_ = true;
    } else if (lowest && !best_is_reported_) {
        best_ = event_marker(events[*lowest], *lowest);
        best_->icon = QStringLiteral("star-on");
        best_->color = widgets::Token::Ok;
        best_->text = best_evaluation(lowest_, events[*lowest].step);
    }
}

QVector<widgets::Marker> EventMarkers::markers() const {
    QVector<widgets::Marker> all(newest_.begin(), newest_.end());
    if (best_)
        all << *best_;
    return all;
}

}  // namespace trainyard::desktop
