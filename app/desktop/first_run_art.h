#pragma once
// The small pictures in the first-run cards: a falling curve, the facts a new run starts with, a place to drop files.

#include <QWidget>

namespace trainyard::desktop {

/// A picture of what a loss curve looks like: an illustration, not data, and named so for screen readers.
class CurveArt : public QWidget {
    Q_OBJECT
  public:
    explicit CurveArt(QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Four lines "what: value" with a tick.
class FactsArt : public QWidget {
    Q_OBJECT
  public:
    explicit FactsArt(const QVector<std::pair<QString, QString>>& facts, QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QVector<std::pair<QString, QString>> facts_;
};

/// Dashed frame with the icons of what can be opened.
class DropArt : public QWidget {
    Q_OBJECT
  public:
    explicit DropArt(const QString& words, QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString words_;
};

}  // namespace trainyard::desktop
