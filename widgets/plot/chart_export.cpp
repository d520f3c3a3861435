// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_export.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QTemporaryDir>

#include "widgets/csv_text.h"
#include "widgets/drag_out.h"
#include "widgets/job.h"
#include "widgets/plot/look.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/translate.h"

namespace trainyard::widgets {

namespace {

constexpr std::size_t kMostCopied = 200'000;  // points
constexpr qsizetype kPiece = 64 << 10;        // bytes
constexpr int kDragsOnDisk = 8;
constexpr qsizetype kLongestName = 60;  // of a file, with at most 3 bytes a character

QByteArray number(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

/// A tab and a line end in the name are blanks where tabs separate the columns.
QByteArray field(QString name, char separator) {
    if (separator == '\t')
        return name.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' ')).toUtf8();
    return csv_cell(name).toUtf8();
}

QString tex(const QString& text) {
    QString out;
    for (const QChar letter : text) {
        if (QStringLiteral("\\{}$&#^_%~").contains(letter))
            out += letter == QLatin1Char('\\')  ? QStringLiteral("\\textbackslash{}")
                   : letter == QLatin1Char('^') ? QStringLiteral("\\textasciicircum{}")
                   : letter == QLatin1Char('~') ? QStringLiteral("\\textasciitilde{}")
                                                : QLatin1Char('\\') + letter;
        else
            out += letter;
    }
    return out;
}

QString tex_dash(Qt::PenStyle dash) {
    return dash == Qt::DashLine      ? QStringLiteral(", dashed")
           : dash == Qt::DotLine     ? QStringLiteral(", dotted")
           : dash == Qt::DashDotLine ? QStringLiteral(", dash dot")
                                     : QString();
}

QString unit_name(XUnit unit) {
    return unit == XUnit::Time     ? tr("time (s)")
           : unit == XUnit::Tokens ? tr("tokens")
           : unit == XUnit::Epoch  ? tr("epoch")
           : unit == XUnit::Wall   ? tr("seconds since 1970")
           : unit == XUnit::Value  ? QStringLiteral("x")
                                   : tr("step");
}

/// Replaces the file when `write` has filled it; returns "" or one sentence.
QString write_file(const QString& path, const std::function<void(QSaveFile&)>& write) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return tr("%1 cannot be written: %2").arg(path, file.errorString());
    write(file);
    return file.commit() ? QString() : tr("%1 was not written: %2").arg(path, file.errorString());
}

void write_picture(CurveChart& chart, ExportKind kind, QSaveFile& file, const ExportOptions& options) {
    const Look look = options.light ? Look{false} : screen_look();
    const QSize size = chart.paperSize();
    if (kind == ExportKind::Png) {
        chart_image(chart, options).save(&file, "PNG");
    } else if (kind == ExportKind::Svg) {
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(0, 0), size));
        svg.setResolution(96);
        svg.setTitle(chart.accessibleName());
        svg.setDescription(chart.accessibleDescription());
        chart.paintOn(svg, size, look, true);
    } else {
        QPdfWriter pdf(&file);
        pdf.setResolution(96);
        pdf.setTitle(chart.accessibleName());
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0));
        pdf.setPageSize(QPageSize(QSizeF(size) * (72.0 / 96), QPageSize::Point, {}, QPageSize::ExactMatch));
        chart.paintOn(pdf, size, look, true);
    }
}

/// The visible values, with a note if there are more than kMostCopied.
QByteArray copied_values(const CurveChart& chart, char separator) {
    QByteArray text;
    if (!write_values(chart_values(chart, true), separator, kMostCopied,
                      [&](const QByteArray& piece) { text += piece; }))
        text += tr("# more than %1 points: export as CSV").arg(kMostCopied).toUtf8() + '\n';
    return text;
}

void add_picture_and_text(CurveChart& chart, QMimeData& data) {
    data.setImageData(chart_image(chart, {chart.devicePixelRatioF(), false, true}));
    data.setText(QString::fromUtf8(copied_values(chart, '\t')));
}

QString file_name_of(const CurveChart& chart) {
    return QString(chart.accessibleName()).replace(QLatin1Char('/'), QLatin1Char('-'));
}

/// Files, picture and text. The programs that get the files may read them later, so those of the last few drags stay.
QMimeData* dragged_data(CurveChart& chart) {
    static const QTemporaryDir folder(QDir::tempPath() + QStringLiteral("/trainyard-charts-XXXXXX"));
    static int drags = 0;
    QDir place(folder.filePath(QString::number(drags++ % kDragsOnDisk)));
    place.removeRecursively();
    QStringList files;
    QString name = file_name_of(chart).left(kLongestName).trimmed();
    if (name.isEmpty() || name.startsWith(QLatin1Char('.')))
        name.prepend(QStringLiteral("chart"));
    const auto write = [&](const QString& ending, const std::function<void(QSaveFile&)>& content) {
        const QString path = place.filePath(name + ending);
        if (write_file(path, content).isEmpty())
            files << path;
    };
    if (folder.isValid() && place.mkpath(QStringLiteral("."))) {
        write(QStringLiteral(".png"), [&](QSaveFile& file) { write_picture(chart, ExportKind::Png, file, {}); });
        write(QStringLiteral(".csv"), [&](QSaveFile& file) { file.write(copied_values(chart, ',')); });
    }
    QMimeData* data = make_file_data(files);
    add_picture_and_text(chart, *data);
    return data;
}

}  // namespace

ChartValues chart_values(const CurveChart& chart, bool in_sight) {
    ChartValues values;
    values.range = chart.view().x;
    values.in_sight = in_sight;
    for (const Curve& curve : chart.curves())
        if (curve.visible)
            values.columns.push_back({curve.name, *curve.series, scale_of(curve, chart.view())});
    return values;
}

bool write_values(const ChartValues& values, char separator, std::size_t most,
                  const std::function<void(const QByteArray&)>& write) {
    QByteArray piece;
    for (const char* name : {"curve", "step", "wall_time", "value"}) {
        if (!piece.isEmpty())
            piece += separator;
        piece += name;
    }
    piece += '\n';
    std::size_t written = 0;
    for (const ChartValues::Column& column : values.columns) {
        const QByteArray name = field(column.name, separator);
        std::size_t first = 0, last = column.series.size();
        if (values.in_sight) {
            first = column.series.lowerBound(values.range.lower, column.scale);
            last = column.series.lowerBound(std::nextafter(values.range.upper, HUGE_VAL), column.scale);
        }
        const bool all = most == 0 || written + (last - first) <= most;
        if (!all)
            last = first + (most - written);
        column.series.forEach(first, last, [&](std::size_t, const SeriesPoint& point) {
            piece += name + separator + QByteArray::number(static_cast<qlonglong>(point.step)) + separator +
                     number(point.wall_time) + separator + number(point.value) + '\n';
            if (piece.size() >= kPiece) {
                write(piece);
                piece.clear();
            }
        });
        written += last - first;
        if (!all) {
            write(piece);
            return false;
        }
    }
    write(piece);
    return true;
}

QImage chart_image(CurveChart& chart, const ExportOptions& options) {
    const QSize size = chart.paperSize();
    const double scale = std::clamp(options.scale, 0.1, 20.0);
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    chart.paintOn(image, size, options.light ? Look{false} : screen_look(), true);
    return image;
}

QString chart_pgfplots(const CurveChart& chart, int columns) {
    const ChartView& view = chart.view();
    QString colors, lines;
    qsizetype index = 0;
    for (const Curve& curve : chart.curves()) {
        if (!curve.visible || curve.series->empty())
            continue;
        const QColor color = run_color(curve.color, false);
        const QString name = QStringLiteral("run%1").arg(++index);
        colors += QStringLiteral("\\definecolor{%1}{RGB}{%2,%3,%4}\n")
                      .arg(name)
                      .arg(color.red())
                      .arg(color.green())
                      .arg(color.blue());
        lines +=
            QStringLiteral("\\addplot[%1%2, unbounded coords=jump] coordinates {\n").arg(name, tex_dash(curve.dash));
        for (const QPointF& point : reduced(raw(*curve.series), scale_of(curve, view), view.x, columns))
            if (point.x() >= view.x.lower && point.x() <= view.x.upper)
                lines += QStringLiteral("(%1,%2)\n")
                             .arg(QString::fromLatin1(number(point.x())), QString::fromLatin1(number(point.y())));
        lines += QStringLiteral("};\n\\addlegendentry{%1}\n").arg(tex(curve.name));
    }
    QString mode;
    if (view.log_x)
        mode += QStringLiteral(" xmode=log,");
    if (view.log_y)
        mode += QStringLiteral(" ymode=log,");
    return QStringLiteral(
               "% At most 2 points in each of %1 parts of the axis: the lowest and the highest value of each are "
               "kept.\n"
               "% \\usepackage{pgfplots} \\pgfplotsset{compat=1.17}\n%2"
               "\\begin{tikzpicture}\n\\begin{axis}[title={%3}, xlabel={%4},%5 no markers, grid=major]\n%6"
               "\\end{axis}\n\\end{tikzpicture}\n")
        .arg(columns)
        .arg(colors, tex(chart.accessibleName()), unit_name(view.scale.unit), mode, lines);
}

void copy_chart(CurveChart& chart) {
    auto* data = new QMimeData;
    add_picture_and_text(chart, *data);
    QApplication::clipboard()->setMimeData(data);
}

void make_draggable(QWidget* handle, CurveChart* chart) {
    handle->setCursor(Qt::OpenHandCursor);
    new DragOut(handle, [chart](const QPoint&) { return dragged_data(*chart); });
}

void copy_pgfplots(const CurveChart& chart) {
    QApplication::clipboard()->setText(chart_pgfplots(chart));
}

void export_chart(CurveChart& chart, ExportKind kind, const QString& path, const ExportOptions& options,
                  std::function<void(const QString&)> done) {
    if (!done)
        done = [](const QString&) {};
    if (kind != ExportKind::Csv && kind != ExportKind::Pgfplots) {
        done(write_file(path, [&](QSaveFile& file) { write_picture(chart, kind, file, options); }));
        return;
    }
    const QByteArray tex_text = kind == ExportKind::Pgfplots ? chart_pgfplots(chart).toUtf8() : QByteArray();
    const ChartValues values = kind == ExportKind::Csv ? chart_values(chart, options.in_sight) : ChartValues{};
    auto* job = new Job(&chart);
    job->submit(
        [path, tex_text, values, kind] {
            return write_file(path, [&](QSaveFile& file) {
                if (kind == ExportKind::Pgfplots)
                    file.write(tex_text);
                else
                    write_values(values, ',', 0, [&](const QByteArray& piece) { file.write(piece); });
            });
        },
        [job, done](const QString& complaint) {
            job->deleteLater();
            done(complaint);
        });
}

void ask_and_export(CurveChart& chart) {
    const QString name = file_name_of(chart);
    auto* dialog = new QFileDialog(&chart, tr("Export %1").arg(chart.accessibleName()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    struct Kind {
        ExportKind kind;
        const char* ending;
        QString filter;
    };
    const QVector<Kind> kinds{{ExportKind::Png, "png", tr("Picture (*.png)")},
                              {ExportKind::Svg, "svg", tr("Vector picture (*.svg)")},
                              {ExportKind::Pdf, "pdf", tr("Document (*.pdf)")},
                              {ExportKind::Csv, "csv", tr("All values (*.csv)")},
                              {ExportKind::Pgfplots, "tex", tr("pgfplots (*.tex)")}};
    QStringList filters;
    for (const Kind& kind : kinds)
        filters << kind.filter;
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, kinds](const QString& filter) {
        for (const Kind& kind : kinds)
            if (kind.filter == filter)
                dialog->setDefaultSuffix(QString::fromLatin1(kind.ending));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &chart, [&chart, kinds](const QString& path) {
        const QString ending = path.section(QLatin1Char('.'), -1).toLower();
        const auto tell = [&chart](const QString& complaint) {
            if (complaint.isEmpty())
                return;
            auto* box = new QMessageBox(QMessageBox::Warning, tr("Not exported"), complaint, QMessageBox::Ok, &chart);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
        };
        for (const Kind& kind : kinds)
            if (ending == QLatin1String(kind.ending)) {
                export_chart(chart, kind.kind, path, {}, tell);
                return;
            }
        tell(tr("The name %1 has no extension that says which format to write: use .png, .svg, .pdf, .csv or .tex.")
                 .arg(path));
    });
    dialog->open();
}

}  // namespace trainyard::widgets
