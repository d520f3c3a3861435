// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files and on the clipboard.

#include <clocale>
#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QMimeData>
#include <QTest>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/plot/value_table.h"
#include "widgets/plot/value_table_model.h"
#include "widgets/tokens.h"

namespace trainyard::widgets {
namespace {

class Export : public ::testing::Test {
  protected:
    Export() : chart(QStringLiteral("Loss & more")) {
        std::vector<SeriesPoint> points;
        for (int i = 1; i <= 5000; ++i)
            points.push_back({i, 1.7e9 + i / 3.0, i == 4321 ? std::nan("") : 1.0 / i});
        first.append(points);
        for (int i = 10; i <= 100; i += 10)
            second.append({i, 1.7e9, -0.1 * i});
        chart.setCurves(
            {{QStringLiteral("a, \"quoted\""), &first, 1, false}, {QStringLiteral("b_2"), &second, 12, false}});
        chart.resize(640, 320);
        chart.show();
        chart.flush();
    }
    QString path(const char* name) const { return QString::fromStdString((folder.path() / name).string()); }
    QByteArray written(ExportKind kind, const char* name, const ExportOptions& options = {}) {
        bool ended = false;
        QString complaint;
        export_chart(chart, kind, path(name), options, [&](const QString& words) {
            ended = true;
            complaint = words;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return ended; }, 20'000));
        EXPECT_EQ(complaint, QString());
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
    test::TemporaryFolder folder;
    Series first, second;
    CurveChart chart;
};

TEST_F(Export, CsvHoldsEveryPointInFullPrecision) {
    const QList<QByteArray> lines = written(ExportKind::Csv, "all.csv").trimmed().split('\n');
    ASSERT_EQ(lines.size(), 1 + 5000 + 10);
    EXPECT_EQ(lines[0], "curve,step,wall_time,value");
    const QByteArray name = "\"a, \"\"quoted\"\"\",";
    EXPECT_TRUE(lines[3].startsWith(name + "3,"));
    const QList<QByteArray> fields = lines[3].mid(name.size()).split(',');
    EXPECT_EQ(fields[1].toDouble(), first.wallTime(2));
    EXPECT_EQ(fields[2].toDouble(), first.value(2));
    EXPECT_TRUE(lines[4321].endsWith(",nan"));
    EXPECT_TRUE(lines.last().startsWith("b_2,100,"));
    EXPECT_TRUE(lines.last().endsWith(",-10")) << lines.last().toStdString();
}

TEST_F(Export, CsvOfWhatIsInSight) {
    chart.setXRange({100, 199});
    chart.setCurveVisible(1, false);
    ExportOptions options;
    options.in_sight = true;
    EXPECT_EQ(written(ExportKind::Csv, "some.csv", options).trimmed().split('\n').size(), 1 + 100);
}

TEST_F(Export, PicturesOfAnySize) {
    ExportOptions options;
    options.scale = 3;
    written(ExportKind::Png, "chart.png", options);
    const QImage image(path("chart.png"));
    EXPECT_EQ(image.width(), 640 * 3);
    EXPECT_GT(image.height(), 320 * 3);
    EXPECT_EQ(image.pixel(5, 5) & 0xffffff, token_color(Token::BgPanel, false).rgb() & 0xffffff);
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            found += (image.pixel(x, y) & 0xffffff) == (run_color(1, false).rgb() & 0xffffff);
    EXPECT_GT(found, 500);
}

TEST_F(Export, OnPaperNamesStandInLinesAndTheRestIsCounted) {
    const int one = chart.paperSize().height();
    QVector<Curve> curves;
    for (int i = 0; i < 60; ++i)
        curves.append({QStringLiteral("a run number %1").arg(i), &first, i + 1, false});
    chart.setCurves(curves);
    EXPECT_EQ(chart.paperSize().height(), one + 2 * 18);
    const QByteArray svg = written(ExportKind::Svg, "many.svg");
    EXPECT_TRUE(svg.contains("a run number 0<"));
    EXPECT_TRUE(svg.contains("a run number 5<"));
    EXPECT_FALSE(svg.contains("a run number 59"));
    EXPECT_TRUE(svg.contains(" more<"));
    // The screen shows what it showed.
    EXPECT_EQ(chart.frame().area.top(), 26);
    chart.flush();
    EXPECT_EQ(chart.frame().area.top(), 26);
}

TEST_F(Export, VectorPicturesAreLines) {
    const QByteArray svg = written(ExportKind::Svg, "chart.svg");
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_FALSE(svg.contains("<image"));
    EXPECT_TRUE(svg.contains(run_color(1, false).name().toLatin1()));
    EXPECT_TRUE(svg.contains("Loss &amp; more"));
    const QByteArray pdf = written(ExportKind::Pdf, "chart.pdf");
    EXPECT_TRUE(pdf.startsWith("%PDF-"));
    EXPECT_TRUE(pdf.contains("%%EOF"));
}

TEST_F(Export, PgfplotsNamesAxesCurvesAndWhatWasReduced) {
    chart.setXRange({1, 5000});
    chart.setLogX(true);
    chart.flush();
    const QString text = chart_pgfplots(chart, 50);
    EXPECT_TRUE(text.contains(QStringLiteral("xmode=log")));
    EXPECT_TRUE(text.contains(QStringLiteral("title={Loss \\& more}")));
    EXPECT_TRUE(text.contains(QStringLiteral("\\addlegendentry{b\\_2}")));
    EXPECT_TRUE(text.contains(QStringLiteral("50 parts")));
    EXPECT_TRUE(text.contains(QStringLiteral("(10,-1)")));
    EXPECT_LE(text.count(QLatin1Char('\n')), 50 * 2 + 40);
    EXPECT_EQ(text.count(QStringLiteral("\\addplot")), 2);
}

TEST_F(Export, CopyPutsPictureAndValues) {
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* data = QApplication::clipboard()->mimeData();
    ASSERT_TRUE(data);
    EXPECT_TRUE(data->hasImage());
    EXPECT_EQ(data->text().trimmed().split(QLatin1Char('\n')).size(), 1 + 5000 + 10);
    EXPECT_TRUE(data->text().startsWith(QStringLiteral("curve\tstep")));
}

TEST_F(Export, TheNumberOfCopiedPointsIsLimited) {
    QByteArray text;
    EXPECT_FALSE(write_values(chart_values(chart, false), '\t', 5005, [&](const QByteArray& piece) { text += piece; }));
    EXPECT_EQ(text.trimmed().split('\n').size(), 1 + 5005);
    EXPECT_TRUE(write_values(chart_values(chart, false), '\t', 5010, [](const QByteArray&) {}));
}

TEST_F(Export, ANameThatCannotBeWrittenIsASentence) {
    QString complaint;
    export_chart(chart, ExportKind::Png, path("no/such/folder.png"), {},
                 [&](const QString& words) { complaint = words; });
    EXPECT_TRUE(complaint.contains(QStringLiteral("folder.png")));
    complaint.clear();
    export_chart(chart, ExportKind::Csv, path("no/such/values.csv"), {},
                 [&](const QString& words) { complaint = words; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return complaint.contains(QStringLiteral("values.csv")); }, 20'000));
}

TEST_F(Export, TheTableHasARowForEachStepOfAnyCurve) {
    chart.setXRange({50, 110});
    ValueTableModel model(chart_values(chart, true));
    EXPECT_EQ(model.rowCount(), 61);
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_TRUE(model.isWhole());
    EXPECT_EQ(model.index(10, 0).data(Qt::UserRole).toLongLong(), 60);
    EXPECT_EQ(model.index(10, 1).data(Qt::UserRole).toDouble(), first.value(59));
    EXPECT_EQ(model.index(10, 2).data(Qt::UserRole).toDouble(), second.value(5));
    EXPECT_FALSE(model.index(11, 2).data().isValid());
    EXPECT_EQ(model.headerData(2, Qt::Horizontal).toString(), QStringLiteral("b_2"));
    QTest::keyClick(&chart, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    auto* table = chart.findChild<ValueTable*>();
    ASSERT_TRUE(table);
    EXPECT_TRUE(table->isVisible());
    table->close();
}

}  // namespace
}  // namespace trainyard::widgets
