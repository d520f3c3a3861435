// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The image of a sample: chosen or dropped, with a small picture of it, or why it cannot be read.

#include <QFrame>
#include <QImage>

#include "widgets/forward.h"

namespace trainyard::desktop {

class ImageField : public QFrame {
    Q_OBJECT
  public:
    explicit ImageField(QWidget* parent = nullptr);
    /// Reads a PNG or JPEG file in the background.
    void setFile(const QString& file);
    /// Empty: none was chosen, or it cannot be read.
    QString file() const { return problem_.isEmpty() ? file_ : QString(); }
    QString problem() const { return problem_; }
    bool isReading() const;
    QPushButton* button() const { return choose_; }

  signals:
    void changed();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void showState(const QImage& picture);

    QString file_, problem_;
    QLabel* picture_;
    widgets::ElidedLabel* words_;
    QPushButton* choose_;
    widgets::Job* reading_;
};

}  // namespace trainyard::desktop
