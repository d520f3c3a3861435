// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Facts of a folder of transformers that a model starts from, and of a name of a hub.

#include <QString>
#include <QStringList>

namespace trainyard::desktop {

struct ModelLook {
    QString family;        ///< model_type; empty: the folder has no config.json that can be read
    QString architecture;  ///< of the file, such as BertForMaskedLM
    qint64 parameters = 0;
    QString dtype;      ///< as PyTorch names it, such as float32; of most elements. Empty: no weights
    QString tokenizer;  ///< the folder, if it has a tokenizer.json; else empty
    QString task;       ///< that the weights have a head for
    int labels = 0;     ///< of a classification
    QString licence;    ///< as README.md has it; empty: not given
    bool operator==(const ModelLook&) const = default;
};

/// Reads config.json and headers of `weights`, a folder or file. Does not throw. I/O: not for the GUI thread.
ModelLook look_at_model(const QString& weights);

/// The folder of `org/name` in the cache of huggingface_hub, or an empty text. I/O: not for the GUI thread.
QString cached_model_folder(const QString& name);
/// Whether a text is a name of a hub, not a path: `org/name`, and nothing on this machine has that path.
bool is_hub_name(const QString& text);

}  // namespace trainyard::desktop
