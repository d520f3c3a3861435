// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/main_metric.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/letter_case.h"

namespace trainyard::desktop {

bool is_training_metric(const TagInfo& info) {
    constexpr std::array<std::string_view, 4> kOfMachines{"system/", "rank/", "machine/", "gpu"};
    return info.kind == TagKind::Scalar && (info.tag.find_first_of("#@") == std::string::npos ||
                                            std::ranges::none_of(kOfMachines, [&](std::string_view beginning) {
                                                return info.tag.starts_with(beginning);
                                            }));
}

bool is_loss_name(const std::string& tag) {
    // The name of the table may follow: `loss (metrics.jsonl)`.
    return text::lower(tag.substr(0, tag.find(" ("))).ends_with("loss");
}

std::vector<std::string> metrics_of(const CurveSource& run) {
    struct Choice {
        std::string tag;
        bool other = false, of_evaluation = false, printed = false;
        std::size_t points = 0;
    };
    std::vector<Choice> choices;
    for (const TagInfo& info : run.tags()) {
        const std::size_t points = is_training_metric(info) ? run.series(info.tag).size() : 0;
        if (points == 0)
            continue;
        const std::string name = text::lower(info.tag);
        const auto says = [&](const char* word) { return name.find(word) != std::string::npos; };
        choices.push_back(
            {info.tag, !is_loss_name(info.tag), says("val") || says("test"), name.starts_with("printed/"), points});
    }
    std::ranges::stable_sort(choices, [](const Choice& a, const Choice& b) {
        const bool loss = !a.other && !b.other;
        return std::tuple(a.other, loss && a.of_evaluation, a.printed && loss, b.points) <
               std::tuple(b.other, loss && b.of_evaluation, b.printed && loss, a.points);
    });
    std::vector<std::string> tags;
    for (Choice& choice : choices)
        tags.push_back(std::move(choice.tag));
    return tags;
}

}  // namespace trainyard::desktop
