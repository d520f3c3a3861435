// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/moving_picture.h"

namespace trainyard::widgets {

namespace {
// Browsers take a tenth of a second where a file says (almost) nothing; so do we.
constexpr int kLeastDelay = 20;
constexpr int kUsualDelay = 100;
}  // namespace

MovingPicture::MovingPicture(QByteArray bytes) : bytes_(std::move(bytes)), buffer_(&bytes_) {
    rewind();
}

void MovingPicture::rewind() {
    reader_.reset();
    buffer_.close();
    buffer_.open(QIODevice::ReadOnly);
    reader_ = std::make_unique<QImageReader>(&buffer_);
    reader_->setDecideFormatFromContent(true);
}

MovingPicture::Frame MovingPicture::next() {
    const std::lock_guard lock(mutex_);
    Frame frame;
    frame.image = reader_->read();
    if (frame.image.isNull()) {
        rewind();
        frame.image = reader_->read();
    }
    const int delay = reader_->nextImageDelay();
    frame.delay_ms = delay < kLeastDelay ? kUsualDelay : delay;
    return frame;
}

bool MovingPicture::moves(const QByteArray& bytes) {
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    return reader.supportsAnimation() && reader.imageCount() > 1;
}

}  // namespace trainyard::widgets
