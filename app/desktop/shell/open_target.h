// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Determines the kind of a path or address that the user wants to open, from its content and not from its name alone.

#include <functional>
#include <optional>

#include <QString>

namespace trainyard::desktop {

/// A folder or file of another machine.
struct RemotePlace {
    QString host;  ///< a name of ~/.ssh/config, `user@name`, `name:2222`, ...
    QString path;  ///< absolute, or below the home folder
    /// `host:path`, with a port `[host:2222]:path`; reads back the same.
    QString text() const;
    bool operator==(const RemotePlace&) const = default;
};

/// As remote::far_place(), for the window: an address without a path is the home folder. Returns std::nullopt for a
/// local path.
std::optional<RemotePlace> remote_place(const QString& words);

struct OpenTarget {
    enum class Kind {
        Run,         ///< a run folder of Trainyard
        Settings,    ///< YAML or JSON: settings, recipes; also a missing file, which the wizard reports
        Logs,        ///< folder or file of metrics (sources/metrics_tail.h); also an empty folder, or one to be created
        Trace,       ///< of a profiler: a file, or a folder of some
        Checkpoint,  ///< a file or a folder of weights
        Model,       ///< a file of a model's graph: ONNX, torch.export
        Data,        ///< a data set to train on: a table, text, or a folder of files
        Unknown,     ///< a file of none of these kinds
        Remote,
        Missing,
    };
    Kind kind = Kind::Missing;
    QString path;  ///< absolute; for Remote: RemotePlace::text()
    QString host;  ///< for Remote
};

/// Whether the name is that of a file of weights, or has no ending, as those of folders. Does not look at the disk.
bool is_named_like_weights(const QString& path);

/// Looks at the disk: not for the GUI thread. `words` may be a `file:` address or relative to the working folder. Ends
/// early, as data, when `cancelled` says so.
OpenTarget look_at(const QString& words, const std::function<bool()>& cancelled = {});

}  // namespace trainyard::desktop
