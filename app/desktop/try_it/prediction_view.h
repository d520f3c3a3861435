// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a classifier found in a sample: a bar for each class, words with their classes below them, and for classes of
// pixels the image with their colours. Scrolls where it needs more room.

#include <optional>

#include <QAbstractScrollArea>
#include <QImage>
#include <QJsonObject>
#include <QStringList>

namespace trainyard::desktop {

class PredictionView : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit PredictionView(QWidget* parent = nullptr);

    /// `prediction`: an event of worker/answer_samples.h. `classes`: names in the order of their numbers.
    void setPrediction(const QJsonObject& prediction, const QStringList& classes);
    void setPicture(const QImage& picture);
    void clear();
    /// What is shown, a line for each class or word: for the clipboard and screen readers.
    QString text() const;
    bool hasPicture() const { return !picture_.isNull(); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Score {
        QString name;
        double value = 0;
        std::optional<int> color;  ///< of a class of pixels
    };
    struct Word {
        QString text, label;
        double value = 0;
        QRect place;  ///< from the top left of the content
    };
    void layOut();
    QString valueText(double value) const;
    int heightOfPicture() const;
    QRect scoreRow(int index) const;

    QString kind_;
    QList<Score> scores_;
    QList<Word> words_;
    QImage picture_;
};

}  // namespace trainyard::desktop
