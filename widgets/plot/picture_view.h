// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows encoded pictures (PNG, JPEG, GIF) over steps. A picture is read and decoded in another thread when its step is
// chosen; a new choice replaces the previous one. The aspect ratio is kept; the wheel zooms without interpolation,
// dragging moves, double click or F fits. Arrows, Home and End choose the step. Animations are stopped at first; the
// button or Space starts and stops them, and their frames are decoded one by one in another thread.

#include <cstdint>
#include <memory>
#include <vector>

#include <QImage>
#include <QTimer>
#include <QWidget>

#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/pixels.h"

namespace trainyard::widgets {

/// The location of an encoded picture.
struct PictureAt {
    std::int64_t step = 0;
    double wall_time = 0;  ///< seconds
    QString file;
    quint64 offset = 0;  ///< bytes
    quint64 length = 0;
    int width = 0, height = 0;  ///< according to the file; 0: unknown
};

class MovingPicture;
class PictureCanvas;

class PictureView : public QWidget {
    Q_OBJECT
  public:
    static constexpr quint64 kMostBytes = 256u << 20;  ///< of one encoded picture
    static constexpr qint64 kMostPixels = 200'000'000;
    explicit PictureView(const QString& accessibleName, QWidget* parent = nullptr);
    void setPictures(std::vector<PictureAt> pictures);  ///< by ascending step; the last one stays selected if it was
    int current() const;
    void setCurrent(int index);
    const QImage& image() const;                      ///< the displayed image; null until it is read
    QString complaint() const { return complaint_; }  ///< error message if it could not be read
    bool isLoading() const { return job_.isRunning(); }
    /// Whether the displayed picture is an animation.
    bool canPlay() const { return moving_ != nullptr; }
    bool isPlaying() const { return playing_; }
    void setPlaying(bool on);
    QSize sizeHint() const override { return {320_px, 260_px}; }

  signals:
    void shown(int index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void load();
    void setMoving(std::shared_ptr<MovingPicture> moving);
    void showNextFrame();
    std::vector<PictureAt> pictures_;
    PictureCanvas* canvas_;
    QSlider* slider_;
    QLabel* words_;
    QPushButton* play_;
    Job job_;
    std::shared_ptr<MovingPicture> moving_;
    bool playing_ = false;
    QTimer frame_due_;
    Job frame_job_;
    QString complaint_;
};

struct Picture {
    QImage image;                           ///< the first frame of an animation
    std::shared_ptr<MovingPicture> moving;  ///< null: a single image
};

/// Reads and decodes a picture. Throws std::runtime_error with one sentence.
Picture read_picture(const PictureAt& at);

}  // namespace trainyard::widgets
