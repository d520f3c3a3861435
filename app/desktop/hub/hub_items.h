// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models, tokenizers and data sets of the hub by name: the cache of this machine, sizes and downloads, as the engine
// does before a run, with words for a window. For other threads than that of the window, unless noted.

#include <functional>
#include <optional>
#include <stop_token>

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QVector>

namespace trainyard::desktop {

enum class HubItem { Model, Tokenizer, DataSet };

/// Whether a text can be a name: org/name, hub:org/name, and for data sets also hub:org/name/config:split. An address
/// of a page of the hub is one, too. Reads nothing: for any thread.
bool isHubName(HubItem item, const QString& text);
/// As recipes write a name: hub:org/name; of a model org/name, which its field takes without the prefix. For any
/// thread.
QString recipeName(HubItem item, const QString& text);

/// Files of a name that the cache lacks, known before anything is downloaded.
struct HubPlan {
    qint64 files = 0;
    quint64 bytes = 0;
    std::optional<quint64> room;  ///< free on the disk of the cache
    QString folder;               ///< in the cache, if nothing is missing
    bool isHere() const { return files == 0; }
};

/// Looks into the cache, then asks the hub unless all is there or HF_HUB_OFFLINE forbids it. `report`: as below. Throws
/// UserError.
HubPlan planDownload(HubItem item, const QString& name, std::stop_token stop,
                     const std::function<void(const QString& words)>& report);

/// How far a download is.
struct HubProgress {
    QString words;
    quint64 bytes = 0, of = 0;  ///< 0: unknown
};

/// Downloads what is missing of a name and returns its folder in the cache. `report` is called several times a second.
/// Throws UserError.
QString downloadByName(HubItem item, const QString& name, std::stop_token stop,
                       const std::function<void(const HubProgress& progress)>& report);

/// A name that can be offered.
struct HubChoice {
    QString name;         ///< org/name, of data sets hub:org/name
    quint64 bytes = 0;    ///< in the cache
    bool isHere = false;  ///< whole: can be used without the hub
    bool recent = false;  ///< used in a window before
    bool operator==(const HubChoice&) const = default;
};

/// The recent names, newest first, then those of the cache by name. `recents`: of recentHubNames().
QVector<HubChoice> hubChoices(HubItem item, const QStringList& recents);

/// Which hub and cache are used.
struct HubPlace {
    QString endpoint, cache;
    bool hasToken = false, isOffline = false;
    QString problem;  ///< of HF_ENDPOINT or the token
};
HubPlace hubPlace();

/// Names that were used in this window or an earlier one, newest first. In the GUI thread.
QStringList recentHubNames(HubItem item);
void rememberHubName(HubItem item, const QString& name);

}  // namespace trainyard::desktop
