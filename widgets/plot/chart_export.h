// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Exports a chart to a file or the clipboard. Pictures show the current view of the chart, with its name, a legend and
// its annotations. Values are written in full precision (17 digits, `-` as minus, wall time in seconds since 1970),
// with every stored point and not only the drawn ones. Values are written by another thread from a snapshot; files are
// replaced when they are complete.

#include <functional>

#include <QImage>
#include <QString>

#include "widgets/plot/chart_values.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

enum class ExportKind { Png, Svg, Pdf, Csv, Pgfplots };

struct ExportOptions {
    double scale = 2;       ///< pixels per device-independent pixel, PNG
    bool light = true;      ///< colours of the light theme, regardless of the current theme
    bool in_sight = false;  ///< CSV: only the points of the visible range
};

/// The values of the visible curves.
ChartValues chart_values(const CurveChart& chart, bool in_sight);

QImage chart_image(CurveChart& chart, const ExportOptions& options);
/// Writes `curve,step,wall_time,value`, one point per line; `separator` may also be '\t'. Stops after `most` lines (0:
/// no limit) and returns whether all were written. `write` receives pieces of about 64 KiB.
bool write_values(const ChartValues& values, char separator, std::size_t most,
                  const std::function<void(const QByteArray&)>& write);
/// Returns an axis environment of pgfplots, with each curve reduced to at most 2 points in each of `columns` parts of
/// the visible range (extremes are kept, and the file says so), with colours, dashes and logarithmic axes.
QString chart_pgfplots(const CurveChart& chart, int columns = 400);

/// Copies a picture and the visible values as text (up to 200,000 points, else a note how to export them).
void copy_chart(CurveChart& chart);
/// Lets the user drag the chart out at `handle`: a PNG and a CSV file with the visible values, and the same as picture
/// and text for programs that take no files. The files are in a temporary folder of the program.
void make_draggable(QWidget* handle, CurveChart* chart);
void copy_pgfplots(const CurveChart& chart);

/// Pictures are written before the function returns, values later. `done` is called in the GUI thread, while the chart
/// exists, with "" or an error message.
void export_chart(CurveChart& chart, ExportKind kind, const QString& file, const ExportOptions& options,
                  std::function<void(const QString&)> done = {});
/// Asks for a file; its extension determines the kind.
void ask_and_export(CurveChart& chart);

}  // namespace trainyard::widgets
