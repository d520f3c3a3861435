// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/image_field.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>

#include "desktop/shell/opener.h"
#include "desktop/shell/ui.h"
#include "desktop/try_it/model_task.h"
#include "widgets/dialogs.h"
#include "widgets/drag_out.h"
#include "widgets/job.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kPictureSize = live_px(88);  // pixels
}

ImageField::ImageField(QWidget* parent)
    : QFrame(parent),
      picture_(new QLabel),
      words_(new ElidedLabel),
      choose_(with_look(new QPushButton(tr("Choose image…")), {.icon = "folder", .tip = tr("A PNG or JPEG file")})),
      reading_(new widgets::Job(this)) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Image"));
    setAcceptDrops(true);
    picture_->setFixedSize(kPictureSize, kPictureSize);
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setAccessibleName(tr("The chosen image"));
    setLayout(make_row({10, 8, 12, 8}, 12, {picture_, {words_, 1}, choose_}));
    connect(choose_, &QPushButton::clicked, this, [this] {
        widgets::ask_file(
            this, tr("An image to classify"), tr("Images (*.png *.jpg *.jpeg)"),
            [this](const QString& path) { setFile(path); }, file_);
    });
    showState({});
}

bool ImageField::isReading() const {
    return reading_->isRunning();
}

void ImageField::setFile(const QString& file) {
    file_ = file;
    problem_.clear();
    showState({});
    reading_->submit([path = file.toStdString(), size = 2 * kPictureSize] { return read_picture(path, size); },
                     [this](const QImage& picture) {
                         showState(picture);
                         emit changed();
                     },
                     [this](const QString& sentence) {
                         problem_ = sentence;
                         showState({});
                         emit changed();
                     });
    emit changed();
}

void ImageField::showState(const QImage& picture) {
    picture_->setPixmap(picture.isNull()
                            ? QPixmap()
                            : QPixmap::fromImage(picture.scaled(kPictureSize, kPictureSize, Qt::KeepAspectRatio,
                                                                Qt::SmoothTransformation)));
    words_->setForegroundRole(tone_role(problem_.isEmpty() ? Tone::Secondary : Tone::Error));
    words_->setFullText(!problem_.isEmpty() ? problem_
                        : file_.isEmpty()   ? tr("Choose an image, or drop one here: PNG or JPEG")
                                            : QFileInfo(file_).fileName());
    words_->setToolTip(problem_.isEmpty() ? file_ : problem_);
}

void ImageField::dragEnterEvent(QDragEnterEvent* event) {
    if (!Opener::dropped(event->mimeData()).words.isEmpty())
        widgets::accept_as_copy(event);
}

void ImageField::dropEvent(QDropEvent* event) {
    setFile(Opener::dropped(event->mimeData()).words);
    widgets::accept_as_copy(event);
}

}  // namespace trainyard::desktop
