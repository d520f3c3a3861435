#pragma once
// A chart as a file or on the clipboard. Pictures show what the chart shows now, with its name, a legend and its remarks; values are
// written in full precision (17 digits, `-` as minus, ISO is not used: wall time in seconds since 1970), every point that is held, not
// what was drawn. Values are written by another thread from a snapshot; files are replaced at once when they are whole.

#include <functional>

#include <QImage>
#include <QString>

#include "widgets/plot/chart_values.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

enum class ExportKind { Png, Svg, Pdf, Csv, Pgfplots };

struct ExportOptions {
    double scale = 2;       ///< pixels a device-independent one, PNG
    bool light = true;      ///< colours of the light theme, whatever is on the screen
    bool in_sight = false;  ///< CSV: only the points of the visible range
};

/// Of the curves that it shows.
ChartValues chart_values(const CurveChart& chart, bool in_sight);

QImage chart_image(CurveChart& chart, const ExportOptions& options);
/// `curve,step,wall_time,value`, one point a line; `separator` also '\t'. Stops after `most` lines (0: none) and returns whether
/// all were written. `write` gets pieces of some 64 KiB.
bool write_values(const ChartValues& values, char separator, std::size_t most,
                  const std::function<void(const QByteArray&)>& write);
/// An axis environment of pgfplots with each curve reduced to at most 2 points in `columns` parts of the visible range (extremes kept;
/// the file says so), with colours, dashes and log axes.
QString chart_pgfplots(const CurveChart& chart, int columns = 400);

/// Picture, and text of the visible values (up to 200,000 points, else it says where to get them).
void copy_chart(CurveChart& chart);
void copy_pgfplots(const CurveChart& chart);

/// Pictures are written before it returns, values later. `done` (in the GUI thread, while the chart lives) gets "" or one sentence.
void export_chart(CurveChart& chart, ExportKind kind, const QString& file, const ExportOptions& options,
                  std::function<void(const QString&)> done = {});
/// Asks for a file; its ending chooses the kind.
void ask_and_export(CurveChart& chart);

}  // namespace trainyard::widgets
