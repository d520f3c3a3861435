// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/reading_line.h"

#include <algorithm>

#include <QFileInfo>
#include <QLocale>
#include <QProgressBar>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr int kFollow = 100;  // ms

}  // namespace

ReadingLine::ReadingLine(QWidget* parent) : QWidget(parent), progress_(new QProgressBar), words_(new ElidedLabel) {
    progress_->setAccessibleName(tr("Reading"));
    progress_->setTextVisible(false);
    progress_->setFixedWidth(240_px);
    auto* cancel =
        with_look(new QPushButton(tr("Cancel")), {.tip = tr("Stops reading and shows what has been read so far.")});
    connect(cancel, &QPushButton::clicked, this, &ReadingLine::stop);
    setLayout(make_row({0, 0, 0, 0}, {progress_, {words_, 1}, cancel}));
    act_every(timer_, kFollow, this, &ReadingLine::follow);
    hide();
}

ReadingLine::~ReadingLine() {
    stop();
}

void ReadingLine::read(const QStringList& paths) {
    stop();
    reading_ = std::make_shared<TraceReading>();
    since_.start();
    progress_->setRange(0, 0);
    words_->setFullText(tr("Reading %1").arg(QFileInfo(paths.front()).fileName()));
    show();
    timer_.start();
    job_.submit([paths, reading = reading_, fetch = fetch_](
                    const widgets::Cancelled& cancelled) { return readTraces(paths, *reading, cancelled, fetch); },
                [this](const std::shared_ptr<OpenedTrace>& trace) {
                    end();
                    emit finished(trace);
                },
                [this](const QString& sentence) {
                    end();
                    emit failed(sentence);
                });
}

void ReadingLine::stop() {
    if (reading_)
        reading_->end();
}

void ReadingLine::end() {
    timer_.stop();
    reading_.reset();
    hide();
}

void ReadingLine::follow() {
    if (!reading_)
        return;
    if (const auto picture = reading_->takePicture())
        emit previewed(picture);
    const std::uint64_t all = reading_->all_bytes, now = reading_->bytes;
    if (all == 0)
        return;
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(1000 * now / all));
    const double seconds = std::max(0.001, static_cast<double>(since_.elapsed()) / 1000);
    const QLocale locale;
    const auto size = [&](double bytes) {
        return locale.formattedDataSize(static_cast<qint64>(bytes), 0, QLocale::DataSizeSIFormat);
    };
    words_->setFullText(tr("%1 of %2, %3/s, file %4 of %5")
                            .arg(size(static_cast<double>(now)), size(static_cast<double>(all)),
                                 size(static_cast<double>(now) / seconds))
                            .arg(reading_->file)
                            .arg(reading_->files));
}

}  // namespace trainyard::desktop
