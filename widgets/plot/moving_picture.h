// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A GIF or WebP of several pictures. Holds the encoded bytes and decodes one picture at a time, so a long film needs no more memory than a
// short one. next() may take long: call it in another thread; any thread may, one after the other.

#include <memory>
#include <mutex>

#include <QBuffer>
#include <QByteArray>
#include <QImage>
#include <QImageReader>

namespace trainyard::widgets {

class MovingPicture {
  public:
    struct Frame {
        QImage image;      ///< null: it cannot be read
        int delay_ms = 0;  ///< how long it stays
    };
    explicit MovingPicture(QByteArray bytes);
    /// After the last one comes the first.
    Frame next();
    /// Whether there is more than one to see. Looks at the bytes without decoding pictures.
    static bool moves(const QByteArray& bytes);

  private:
    void rewind();
    std::mutex mutex_;
    QByteArray bytes_;
    QBuffer buffer_;
    std::unique_ptr<QImageReader> reader_;
};

}  // namespace trainyard::widgets
