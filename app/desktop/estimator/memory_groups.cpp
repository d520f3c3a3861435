// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/memory_groups.h"

#include <algorithm>
#include <initializer_list>

#include <QCoreApplication>

#include "base/text.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

using estimate::Part;

MemoryGroups memoryGroups(const estimate::RankMemory& rank, estimate::Place place) {
    const auto sum = [&](std::initializer_list<Part> parts) {
        double bytes = 0;
        for (Part part : parts)
            bytes += rank.bytes_of(part, place);
        return bytes;
    };
    return {sum({Part::weights, Part::compute_copy, Part::averages}),
            sum({Part::gradients}),
            sum({Part::optimizer}),
            sum({Part::activations}),
            sum({Part::logits, Part::buckets, Part::workspace, Part::snapshot, Part::rounding}),
            sum({Part::base})};
}

QString memoryGroupName(int group) {
    constexpr std::array<const char*, kMemoryGroups> kNames{
        QT_TRANSLATE_NOOP("MemoryGroups", "weights"),   QT_TRANSLATE_NOOP("MemoryGroups", "gradients"),
        QT_TRANSLATE_NOOP("MemoryGroups", "optimizer"), QT_TRANSLATE_NOOP("MemoryGroups", "activations"),
        QT_TRANSLATE_NOOP("MemoryGroups", "temporary"), QT_TRANSLATE_NOOP("MemoryGroups", "program")};
    return QCoreApplication::translate("MemoryGroups", kNames[static_cast<std::size_t>(group)]);
}

QColor memoryGroupColor(int group) {
    constexpr std::array<int, kMemoryGroups> kColors{1, 3, 6,
                                                     2, 7, 0};  // numbers of the palette; 0: the program itself, grey
    Theme& theme = Theme::instance();
    const int color = kColors[static_cast<std::size_t>(group)];
    return color > 0 ? theme.runColor(color) : theme.color(Token::LineControl);
}

QString memoryText(double bytes) {
    return qtNumber(text::memory_size(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

}  // namespace trainyard::desktop
