// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of a rank's memory as charts show them: six groups with fixed colours and names.

#include <array>

#include <QColor>
#include <QString>

#include "estimate/training_memory.h"

namespace trainyard::desktop {

constexpr int kMemoryGroups = 6;
using MemoryGroups = std::array<double, kMemoryGroups>;

MemoryGroups memoryGroups(const estimate::RankMemory& rank, estimate::Place place = estimate::Place::device);
QString memoryGroupName(int group);
/// Returns the colour of a group in the current theme.
QColor memoryGroupColor(int group);
/// `61.3 GiB`
QString memoryText(double bytes);

}  // namespace trainyard::desktop
