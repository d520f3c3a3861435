// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Completes the word at the cursor of a line, not the whole line: tags, and the keys of a filter.

#include <functional>

#include <QCompleter>
#include <QStringList>

#include "widgets/forward.h"

namespace trainyard::desktop {

class WordCompleter : public QCompleter {
    Q_OBJECT
  public:
    /// Returns the completions of the typed beginning of a word; called at every key.
    using Offer = std::function<QStringList(const QString& begun)>;
    WordCompleter(QLineEdit* line, Offer offer);

  private:
    void typed();
    void take(const QString& word);
    int wordStart() const;
    QLineEdit* line_;
    Offer offer_;
    QStringListModel* words_;
};

}  // namespace trainyard::desktop
