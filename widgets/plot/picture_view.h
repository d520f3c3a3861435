#pragma once
// Encoded pictures (PNG, JPEG, GIF) over steps: one is read and decoded in another thread when its step is chosen, newest wins. Keeps the
// aspect; the wheel zooms (pixels stay pixels), drag moves, double click or F fits. Arrows, Home and End choose the step. Moving GIFs
// show their first picture.

#include <cstdint>
#include <vector>

#include <QImage>
#include <QWidget>

#include "widgets/job.h"

class QSlider;
class QLabel;

namespace trainyard::widgets {

/// Where an encoded picture lies.
struct PictureAt {
    std::int64_t step = 0;
    double wall_time = 0;  ///< seconds
    QString file;
    quint64 offset = 0;  ///< bytes
    quint64 length = 0;
    int width = 0, height = 0;  ///< as the file says; 0: unknown
};

class PictureCanvas;

class PictureView : public QWidget {
    Q_OBJECT
  public:
    static constexpr quint64 kMostBytes = 256u << 20;  ///< of one encoded picture
    static constexpr qint64 kMostPixels = 200'000'000;
    explicit PictureView(const QString& accessibleName, QWidget* parent = nullptr);
    void setPictures(std::vector<PictureAt> pictures);  ///< by ascending step; stays at the last one if it was there
    int current() const;
    void setCurrent(int index);
    const QImage& image() const;  ///< the one on the screen; null until it is read
    QString complaint() const;    ///< one sentence when it could not be read
    bool isLoading() const { return job_.isRunning(); }
    QSize sizeHint() const override { return {320, 260}; }

  signals:
    void shown(int index);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void load();
    std::vector<PictureAt> pictures_;
    PictureCanvas* canvas_;
    QSlider* slider_;
    QLabel* words_;
    Job job_;
    QString complaint_;
};

/// Reads and decodes; throws std::runtime_error with one sentence.
QImage read_picture(const PictureAt& at);

}  // namespace trainyard::widgets
