// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A recipe while it is being typed: every key with the value that the form shows, right or wrong. yaml() is exactly
// what will be written, the values that are not the defaults, and the engine's own reader judges it.

#include <cstdint>
#include <optional>
#include <string>

#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QVector>

#include "config/recipe/recipe.h"
#include "desktop/data/data_look.h"

namespace trainyard::desktop {

class RecipeDraft {
  public:
    explicit RecipeDraft(const config::Recipe& base = {});
    /// `key` dotted, e.g. `training.steps`; a key that no recipe has is a programming error. A new model.model_type
    /// brings the keys of its family: values that mean the same go along (n_embd becomes hidden_size), others are
    /// those of a small model.
    void set(const QString& key, const QString& value);
    /// The value as typed (not quoted); empty where the model's family does not have the key.
    QString value(const QString& key) const;
    /// Whether the model's family has the key; keys outside of the model are always there.
    bool has(const QString& key) const { return index_.contains(key); }
    /// What the model's family calls that which GPT-2 calls so, e.g. model.n_layer; empty where it has no such key.
    QString sameKey(const QString& key) const;
    /// Every key with its value as typed.
    QMap<QString, QString> values() const;
    /// The name, the family, and each value that differs from its default. An empty field is left out, and so are
    /// values of the architecture that the user did not choose if fill() found them beside model.weights.
    std::string yaml() const;
    /// Whether yaml() has the key.
    bool isWritten(const QString& key) const { return has(key) && isWritten(lines_[index_.value(key)]); }
    /// The text without these keys. For a text as yaml() and config::to_yaml() write it: a key per line.
    static std::string without(const std::string& yaml, const QSet<QString>& keys);
    /// The default of the key for the chosen family, task and optimizer.
    QString defaultValue(const QString& key) const;
    /// Sets a value that follows from others, such as the tokenizer of model.weights. It replaces defaults and earlier
    /// proposals only; an empty one restores the default. Returns whether anything changed.
    bool propose(const QString& key, const QString& value);
    QMap<QString, QString> proposed() const { return proposed_; }
    void setProposed(const QMap<QString, QString>& proposed) { proposed_ = proposed; }
    /// Shows the model of model.weights where nobody chose a value, and leaves these values to the weights in the file.
    /// Returns whether anything changed.
    bool fill(const config::ModelRecipe& model);
    /// A model of its own weights, or without `weights` one with these values.
    void setModel(const config::ModelRecipe& model);
    /// Keys whose value the user chose or a file has.
    QStringList chosen() const;
    void setChosen(const QStringList& keys);

  private:
    struct Line {
        QString key;          ///< dotted; empty: a section's head or an empty line
        QString text;         ///< without the value
        QString value;        ///< as in the file, quoted where needed
        bool chosen = false;  ///< see chosen()
    };
    static QVector<Line> lines_of(const std::string& yaml);
    void take(const std::string& yaml);
    void changeFamily(const std::string& model_type);
    void updateDefaults();
    bool isDefault(const Line& line) const { return line.value == defaults_.value(line.key); }
    bool isWritten(const Line& line) const;
    Line& line(const QString& key) { return lines_[index_.value(key)]; }
    QVector<Line> lines_;
    QMap<QString, int> index_;
    QMap<QString, QString> defaults_;  ///< of every key of the family, as in the file
    QMap<QString, QString> proposed_;  ///< see propose(); as typed
    bool filled_ = false;              ///< fill() had the configuration of model.weights
};

/// The recipe with the model that its weights have; only the same keys count as given. Reads config.json.
config::Recipe with_weights(config::Recipe recipe);

struct DraftProblem {
    QString key;  ///< dotted; empty: the file as a whole
    QString message;
    QString fix = {};      ///< the only value that solves it; empty: several do
    bool error = true;     ///< false: the run can start all the same
    QString notHere = {};  ///< name of the hub that the problem is about: it is not in the cache of this machine
};

/// One for each key, with the messages of all its problems, as the row of the key shows one message. Those without a
/// key stay apart.
QVector<DraftProblem> problems_by_key(const std::vector<Problem>& problems);

struct DraftReport {
    std::string yaml;
    QVector<DraftProblem> problems;
    std::optional<config::Recipe> recipe;  ///< with_weights(), when the text can be read; files in place of names
    std::int64_t parameters = 0;           ///< 0 while the recipe cannot be read
    std::int64_t tokensPerStep = 0;        ///< over all ranks
    DataLook data;                         ///< empty where the data is not on this machine
    QMap<QString, QString> notHere;        ///< names of the hub that are not in the cache of this machine, by key
    QMap<QString, QString> keys;           ///< in the words of run::flat_keys(), as those of runs are; empty: no YAML
};

/// Reads the text as the engine would and looks at the data. Does I/O: not for the GUI thread.
/// `here`: this machine is one of those that train, and needs the data.
DraftReport checkDraft(const std::string& yaml, std::int64_t ranks, bool here = true);

/// Writes the recipe to $XDG_DATA_HOME/trainyard/recipes/<name>-<time>.yaml and returns the path. Throws UserError.
QString writeRecipe(const std::string& yaml, const QString& name);

}  // namespace trainyard::desktop
