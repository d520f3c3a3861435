// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads traces for the page of traces, and shows the progress in a line with a button that stops it.

#include <memory>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "desktop/traces/trace_reading.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ReadingLine : public QWidget {
    Q_OBJECT
  public:
    explicit ReadingLine(QWidget* parent = nullptr);
    ~ReadingLine() override;
    /// Sets the function that downloads files of another machine; called in the reading thread.
    void setFetch(FetchTraces fetch) { fetch_ = std::move(fetch); }
    const FetchTraces& fetch() const { return fetch_; }
    /// Reads these files (readTraces) instead of those that are being read.
    void read(const QStringList& paths);
    /// Ends reading; what has been read is shown.
    void stop();
    bool isReading() const { return reading_ != nullptr; }

  signals:
    /// A preview of what has been read so far.
    void previewed(const std::shared_ptr<trainyard::desktop::OpenedTrace>& trace);
    void finished(const std::shared_ptr<trainyard::desktop::OpenedTrace>& trace);
    void failed(const QString& sentence);

  private:
    void follow();
    void end();

    FetchTraces fetch_;
    std::shared_ptr<TraceReading> reading_;
    QProgressBar* progress_;
    widgets::ElidedLabel* words_;
    QElapsedTimer since_;
    QTimer timer_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
