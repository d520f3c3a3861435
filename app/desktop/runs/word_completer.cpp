// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/word_completer.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QLineEdit>
#include <QStringListModel>

namespace trainyard::desktop {

namespace {
constexpr int kMost = 12;
}

WordCompleter::WordCompleter(QLineEdit* line, Offer offer)
    : QCompleter(line), line_(line), offer_(std::move(offer)), words_(new QStringListModel(this)) {
    setModel(words_);
    setWidget(line);
    setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    setMaxVisibleItems(kMost);
    connect(line_, &QLineEdit::textEdited, this, &WordCompleter::typed);
    connect(this, QOverload<const QString&>::of(&QCompleter::activated), this, &WordCompleter::take);
}

int WordCompleter::wordStart() const {
    int start = line_->cursorPosition();
    const QString text = line_->text();
    while (start > 0 && !text.at(start - 1).isSpace())
        --start;
    // A sign in front is not part of the word.
    if (start < line_->cursorPosition() && (text.at(start) == QLatin1Char('-') || text.at(start) == QLatin1Char('+')))
        ++start;
    return start;
}

void WordCompleter::typed() {
    const int start = wordStart();
    const QString begun = line_->text().mid(start, line_->cursorPosition() - start);
    QStringList fitting;
    if (!begun.isEmpty())
        for (const QString& word : offer_(begun))
            if (word != begun && word.contains(begun, Qt::CaseInsensitive))
                fitting << word;
    // Those that begin so stand first.
    std::stable_partition(fitting.begin(), fitting.end(),
                          [&](const QString& word) { return word.startsWith(begun, Qt::CaseInsensitive); });
    if (fitting.size() > kMost)
        fitting = fitting.mid(0, kMost);
    words_->setStringList(fitting);
    if (fitting.isEmpty()) {
        popup()->hide();
        return;
    }
    QRect place = line_->rect();
    place.setWidth(std::max(260, place.width()));
    complete(place);
}

void WordCompleter::take(const QString& word) {
    const int start = wordStart();
    QString text = line_->text();
    text.replace(start, line_->cursorPosition() - start, word);
    line_->setText(text);
    line_->setCursorPosition(start + static_cast<int>(word.size()));
}

}  // namespace trainyard::desktop
