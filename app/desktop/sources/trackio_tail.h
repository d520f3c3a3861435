// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A project of Trackio: an SQLite file with a row for each logged step. Curves of several runs have the name of their
// run before theirs; the configuration of one run alone is shown.

#include <filesystem>
#include <memory>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

std::unique_ptr<MetricsTail> make_trackio_tail(std::filesystem::path file);
/// Whether it is an SQLite file with the tables of Trackio.
bool looks_like_trackio(const std::filesystem::path& file);

}  // namespace trainyard::desktop
