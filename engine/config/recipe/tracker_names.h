// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The trackers of the project: EACH(NAME) for each. Every NAME has a file in observe/track with `TrackerKind
/// NAME_kind()`.
#define TRAINYARD_TRACKERS(EACH) EACH(tensorboard) EACH(jsonl) EACH(csv) EACH(dvclive)
