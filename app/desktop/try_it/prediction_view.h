// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a model found in a sample: a bar for each class, words with their classes below them, for classes of pixels the
// image with their colours, and answers of a question above the text in which the chosen one is marked. Scrolls where
// it needs more room.

#include <optional>

#include <QAbstractScrollArea>
#include <QImage>
#include <QJsonObject>
#include <QStringList>
#include <QTextLayout>

namespace trainyard::desktop {

class PredictionView : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit PredictionView(QWidget* parent = nullptr);

    /// `prediction`: an event of worker/answer_samples.h. `classes`: names in the order of their numbers. `passage`:
    /// the text with the answers.
    void setPrediction(const QJsonObject& prediction, const QStringList& classes, const QString& passage = {});
    void setPicture(const QImage& picture);
    void clear();
    /// Sets the sentence that an empty view shows.
    void setHint(const QString& hint);
    /// What is shown, a line for each class or word: for the clipboard and screen readers.
    QString text() const;
    bool hasPicture() const { return !picture_.isNull(); }
    /// The part of the text that is marked: the chosen answer. Empty: none.
    QString marked() const;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Score {
        QString name;
        double value = 0;
        std::optional<int> color = {};  ///< of a class of pixels
        qsizetype begin = 0, end = 0;   ///< of an answer: its place in the text
    };
    struct Word {
        QString text, label;
        double value = 0;
        QRect place;  ///< from the top left of the content
    };
    void layOut();
    void addAnswers(const QJsonObject& prediction);
    void layOutPassage(double top);
    void choose(int row);
    QString valueText(double value) const;
    int heightOfPicture() const;
    QRect scoreRow(int index) const;

    QString kind_, hint_;
    QList<Score> scores_;
    QList<Word> words_;
    QImage picture_;
    QString passage_;      ///< the text with the answers
    qsizetype shown_ = 0;  ///< where what is shown of it begins
    int chosen_ = 0;       ///< row of the answer that is marked
    QTextLayout lines_;    ///< of the passage
};

}  // namespace trainyard::desktop
