// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Downloads by name into the cache of the hub on this machine, as the engine does before a run, with words for a
// window.

#include <functional>
#include <stop_token>

#include <QString>

namespace trainyard::desktop {

enum class HubItem { Model, Tokenizer, DataSet };

/// Downloads what is missing of a valid name, such as org/name or hub:org/name, and returns its folder in the cache.
/// `report` is called several times a second with how far it is. Throws UserError. For other threads than that of the
/// window.
QString downloadByName(HubItem item, const QString& name, std::stop_token stop,
                       const std::function<void(const QString& words)>& report);

}  // namespace trainyard::desktop
