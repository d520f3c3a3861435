// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/picture_view.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QSlider>
#include <QWheelEvent>

#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plot/moving_picture.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

Picture read_picture(const PictureAt& at) {
    const auto fail = [&](const QString& reason) {
        return std::runtime_error(PictureView::tr("The picture of step %1 in %2 cannot be shown: %3.")
                                      .arg(QString::number(at.step), at.file, reason)
                                      .toStdString());
    };
    if (at.length > PictureView::kMostBytes)
        throw fail(PictureView::tr("it has %1 bytes, the limit is %2").arg(at.length).arg(PictureView::kMostBytes));
    QFile file(at.file);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(static_cast<qint64>(at.offset)))
        throw fail(file.errorString());
    QByteArray bytes = file.read(static_cast<qint64>(at.length));
    if (static_cast<quint64>(bytes.size()) != at.length)
        throw fail(PictureView::tr("the file is truncated"));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    const QByteArray format = reader.format();
    if (format != "png" && format != "jpeg" && format != "gif" && format != "bmp" && format != "webp")
        throw fail(PictureView::tr("it is not a PNG, JPEG, GIF, BMP or WebP image"));
    const QSize size = reader.size();
    if (size.isValid() && static_cast<qint64>(size.width()) * size.height() > PictureView::kMostPixels)
        throw fail(PictureView::tr("it has %1 × %2 pixels").arg(size.width()).arg(size.height()));
    Picture picture{reader.read(), nullptr};
    if (picture.image.isNull())
        throw fail(reader.errorString());
    if (reader.supportsAnimation() && MovingPicture::moves(bytes))
        picture.moving = std::make_shared<MovingPicture>(bytes);
    return picture;
}

/// The picture, zoomed and moved.
class PictureCanvas : public QWidget {
  public:
    explicit PictureCanvas(QWidget* parent) : QWidget(parent) {
        setMinimumSize(60_px, 60_px);
        setCursor(Qt::OpenHandCursor);
    }
    void setImage(const QImage& image) {
        const bool other_size = image.size() != image_.size();
        image_ = image;
        if (other_size)
            fit();
        update();
    }
    const QImage& image() const { return image_; }
    void setWords(const QString& words) {
        words_ = words;
        update();
    }
    void fit() {
        zoom_ = 0;
        shift_ = {};
        update();
    }
    /// Screen pixels per picture pixel; an integer from 2 on, so that pixels are equal squares.
    double scale() const {
        if (image_.isNull())
            return 1;
        const double fits =
            std::min(static_cast<double>(width()) / image_.width(), static_cast<double>(height()) / image_.height());
        const double scale = fits * std::pow(1.25, zoom_);
        return scale >= 2 ? std::floor(scale) : scale;
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme& theme = Theme::instance();
        painter.fillRect(rect(), theme.color(Token::BgPanel));
        if (!image_.isNull()) {
            painter.setRenderHint(QPainter::SmoothPixmapTransform, scale() < 1);
            painter.drawImage(target(), image_);
        }
        if (!words_.isEmpty()) {
            draw_text(painter, theme.text(12), Token::TextMuted, rect().adjusted(12, 12, -12, -12), words_,
                      Qt::AlignCenter | Qt::TextWordWrap);
        }
    }
    void wheelEvent(QWheelEvent* event) override {
        if (image_.isNull())
            return;
        const QPointF under = (event->position() - target().topLeft()) / scale();
        zoom_ = std::clamp(zoom_ + event->angleDelta().y() / 120.0, -8.0, 32.0);
        shift_ += event->position() - (target().topLeft() + under * scale());
        update();
        event->accept();
    }
    void mousePressEvent(QMouseEvent* event) override { from_ = event->position() - shift_; }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (event->buttons().testFlag(Qt::LeftButton)) {
            shift_ = event->position() - from_;
            update();
        }
    }
    void mouseDoubleClickEvent(QMouseEvent*) override { fit(); }

  private:
    QRectF target() const {
        const QSizeF size = QSizeF(image_.size()) * scale();
        return {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2) + shift_, size};
    }
    QImage image_;
    QString words_;
    double zoom_ = 0;
    QPointF shift_, from_;
};

PictureView::PictureView(const QString& accessibleName, QWidget* parent)
    : QWidget(parent),
      canvas_(new PictureCanvas(this)),
      slider_(named(new QSlider(Qt::Horizontal), tr("Step"))),
      words_(make_mono_label({}, 12, Tone::Secondary)),
      play_(with_look(new QPushButton, {.kind = "ghost"})) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    play_->setFocusPolicy(Qt::TabFocus);
    connect(play_, &QPushButton::clicked, this, [this] { setPlaying(!playing_); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { setPlaying(playing_); });
    frame_due_.setSingleShot(true);
    connect(&frame_due_, &QTimer::timeout, this, &PictureView::showNextFrame);
    setMoving(nullptr);
    setLayout(make_column({12, 4, 12, 8}, 6, {{canvas_, 1}, make_row({play_, {slider_, 1}, words_})}));
    slider_->setRange(0, 0);
    canvas_->setWords(tr("No pictures yet"));
    connect(slider_, &QSlider::valueChanged, this, &PictureView::load);
}

void PictureView::setPictures(std::vector<PictureAt> pictures) {
    const bool at_end = pictures_.empty() || current() + 1 >= static_cast<int>(pictures_.size());
    const bool first = pictures_.empty();
    pictures_ = std::move(pictures);
    const int last = std::max(0, static_cast<int>(pictures_.size()) - 1);
    const int before = current();
    slider_->setRange(0, last);
    slider_->setVisible(pictures_.size() > 1);
    if (at_end)
        slider_->setValue(last);
    if (first || before == current())
        load();
}

int PictureView::current() const {
    return slider_->value();
}

void PictureView::setCurrent(int index) {
    slider_->setValue(index);
}

const QImage& PictureView::image() const {
    return canvas_->image();
}

void PictureView::load() {
    const int index = current();
    if (index >= static_cast<int>(pictures_.size())) {
        job_.cancel();
        setMoving(nullptr);
        canvas_->setImage({});
        canvas_->setWords(tr("No pictures yet"));
        words_->clear();
        return;
    }
    const PictureAt at = pictures_[static_cast<std::size_t>(index)];
    words_->setText(tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(at.step))));
    job_.submit(
        [at] { return read_picture(at); },
        [this, index, at](const Picture& picture) {
            const QImage& image = picture.image;
            complaint_.clear();
            canvas_->setWords({});
            canvas_->setImage(image);
            setMoving(picture.moving);
            setAccessibleDescription(
                tr("step %1, %2 × %3 pixels").arg(QString::number(at.step)).arg(image.width()).arg(image.height()));
            emit shown(index);
        },
        [this](const QString& complaint) {
            complaint_ = complaint;
            setMoving(nullptr);
            canvas_->setImage({});
            canvas_->setWords(complaint);
            setAccessibleDescription(complaint);
        });
}

void PictureView::setMoving(std::shared_ptr<MovingPicture> moving) {
    frame_job_.cancel();
    moving_ = std::move(moving);
    play_->setVisible(moving_ != nullptr);
    // If the previous step's animation was playing, the new one plays too.
    setPlaying(playing_ && moving_ != nullptr);
}

void PictureView::setPlaying(bool on) {
    playing_ = on && moving_ != nullptr;
    const QString words = playing_ ? tr("Pause the picture (Space)") : tr("Play the pictures (Space)");
    play_->setIcon(Theme::instance().icon(playing_ ? QStringLiteral("pause") : QStringLiteral("play")));
    play_->setToolTip(words);
    play_->setAccessibleName(words);
    frame_due_.stop();
    if (playing_ && !frame_job_.isRunning())
        showNextFrame();
}

void PictureView::showNextFrame() {
    // Do not decode frames while the widget is hidden; showEvent() resumes.
    if (!playing_ || !isVisible())
        return;
    frame_job_.submit([moving = moving_] { return moving->next(); },
                      [this](const MovingPicture::Frame& frame) {
                          if (!frame.image.isNull())
                              canvas_->setImage(frame.image);
                          if (playing_)
                              frame_due_.start(frame.delay_ms);
                      });
}

void PictureView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    setPlaying(playing_);
}

void PictureView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Space:
            setPlaying(!playing_);
            break;
        case Qt::Key_Left:
            setCurrent(current() - 1);
            break;
        case Qt::Key_Right:
            setCurrent(current() + 1);
            break;
        case Qt::Key_Home:
            setCurrent(0);
            break;
        case Qt::Key_End:
            setCurrent(slider_->maximum());
            break;
        case Qt::Key_F:
            canvas_->fit();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace trainyard::widgets
