// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of the dashboard without starting anything: for looking at it and for the documentation.
//   dashboard_picture FILE [dark|light] [WxH]
// [running|failed|starting|paused|lost|finished|corrupt|cluster|many|overlay|samples] [hover|curves|difference]

#include <cstdio>
#include <fstream>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>

#include "base/clock.h"
#include "dashboard/fabricated_run.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_page.h"
#include "run/class_report.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;

namespace {

void corrupt(const std::filesystem::path& file) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) * 2 / 3));
    bytes.write("damaged", 7);
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 2) {
        std::fprintf(stderr, "usage: dashboard_picture FILE [dark|light] [WxH] [kind] [hover]\n");
        return 2;
    }
    const QString kind = arguments.value(4, QStringLiteral("running"));
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.health = true;
    if (kind == QLatin1String("cluster") || kind == QLatin1String("many")) {
        plan.ranks = kind == QLatin1String("many") ? 96 : 16;
        plan.hosts = kind == QLatin1String("many") ? 12 : 2;
        plan.done = kind == QLatin1String("many") ? 600 : plan.done;
        plan.slow_rank = 11;
    }
    if (kind == QLatin1String("finished")) {
        plan.status = run::Status::finished;
        plan.steps = plan.done;
    } else if (kind == QLatin1String("starting")) {
        plan.done = 0;
        plan.status = run::Status::starting;
    }
    if (kind == QLatin1String("overlay")) {
        test::FabricatedPlan other = plan;
        other.name = "baseline-lr6e-4";
        other.seed = 5;
        other.slowness = 1.7;
        other.status = run::Status::finished;
        test::FabricatedRun earlier(folder.path(), other);
    }
    test::FabricatedRun made(folder.path(), plan);
    if (kind == QLatin1String("failed"))
        made.fail();
    if (kind == QLatin1String("samples")) {
        made.metrics().add_text(900, wall_seconds(), "samples/1", "=head1 NAME\n\nperlthe - the a of the st");
        made.metrics().add_text(
            1800, wall_seconds(), "samples/1",
            "=head1 NAME\n\nperlfunc - Perl functions\n\n=head1 DESCRIPTION\n\nThe functions in this "
            "section can serve as terms in an expression. They fall into two major categories: "
            "list operators and named unary operators.");
        made.metrics().add_text(1800, wall_seconds(), "samples/2", "open(my $file");
        made.metrics().flush();
    }
    if (kind == QLatin1String("classes")) {
        run::ClassReport report;
        report.step = 1800;
        report.classes = {"sports", "politics", "science", "weather"};
        report.counts = {{0, 0, 180}, {0, 1, 12}, {0, 3, 8},  {1, 1, 140},
                         {1, 2, 31},  {2, 2, 95}, {2, 1, 44}, {3, 3, 201}};
        report.worst = {{17, "The minister opened the new laboratory", 2, 1, 0.003, 5.8}};
        run::write_class_report(made.paths(), report);
    }
    if (kind == QLatin1String("paused")) {
        for (run::RankState& rank : made.state().ranks)
            rank.phase = "paused";
        made.writeState();
    }
    if (kind == QLatin1String("starting")) {
        made.state().started = wall_seconds() - 3.2;
        for (run::RankState& rank : made.state().ranks)
            rank.phase = "init";
        made.writeState();
    }
    if (kind == QLatin1String("lost")) {
        made.state().supervisor = {1, 1};
        made.writeState();
        // write_state() sets the heartbeat to now; a lost run has an old one.
        std::ifstream in(made.paths().state());
        std::string text((std::istreambuf_iterator<char>(in)), {});
        run::RunState state = run::parse_state(text);
        state.heartbeat = wall_seconds() - 300;
        std::ofstream(made.paths().state()) << run::to_json(state);
    }
    if (kind == QLatin1String("corrupt"))
        corrupt(made.eventFile());

    widgets::Theme& theme = widgets::Theme::instance();
    theme.install(application);
    theme.setChoice(arguments.value(2) == QLatin1String("light") ? widgets::ThemeChoice::Light
                                                                 : widgets::ThemeChoice::Dark);
    const QStringList size = arguments.value(3, QStringLiteral("1228x874")).split(QLatin1Char('x'));
    desktop::RunPage page(made.paths());
    page.resize(size.value(0).toInt(), size.value(1).toInt());
    page.show();
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 1500)
        application.processEvents(QEventLoop::AllEvents, 50);
    if (kind == QLatin1String("overlay")) {
        desktop::Overlays* overlays = test::child<desktop::LossPanel>(page)->overlays();
        for (const desktop::OtherRun& other : overlays->offered())
            overlays->toggle(other.folder);
        overlays->setDifference(arguments.value(5) == QLatin1String("difference"));
        clock.restart();
        while (clock.elapsed() < 800)
            application.processEvents(QEventLoop::AllEvents, 50);
    }
    if (arguments.value(5) == QLatin1String("hover")) {
        widgets::CurveChart* chart = test::child<desktop::LossPanel>(page)->chart();
        const QPointF at(chart->width() * 0.3, chart->height() * 0.5);
        QMouseEvent move(QEvent::MouseMove, at, chart->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(chart, &move);
        application.processEvents();
    }
    if (const QString view = arguments.value(5); view == QLatin1String("curves") || view == QLatin1String("panels")) {
        page.showCurves(true);
        if (view == QLatin1String("panels")) {
            auto* curves = test::child<desktop::CurvesPanel>(page);
            report::Panel panel;
            panel.lines = {"exp(train/loss)", "exp(eval/loss)"};
            panel.right = {"train/lr"};
            panel.title = "Perplexity";
            curves->addPanel(panel);
            panel = {};
            panel.lines = {"train/loss +"};
            curves->addPanel(panel);
            panel = {.kind = report::PanelKind::table, .title = "Losses", .lines = {"train/loss", "eval/loss"}};
            curves->addPanel(panel);
            panel = {.kind = report::PanelKind::histogram, .title = "Gradient norm", .lines = {"train/grad_norm"}};
            curves->addPanel(panel);
            panel = {.title = "Loss by rate", .lines = {"train/loss"}, .x = "train/lr"};
            curves->addPanel(panel);
            panel = {.kind = report::PanelKind::text,
                     .title = "Notes",
                     .text = "# To do\n- a **higher** rate\n- less decay"};
            curves->addPanel(panel);
        }
        clock.restart();
        while (clock.elapsed() < 1000)
            application.processEvents(QEventLoop::AllEvents, 50);
    }
    if (!page.grab().save(arguments.value(1), "PNG")) {
        std::fprintf(stderr, "%s could not be written\n", qPrintable(arguments.value(1)));
        return 1;
    }
    return 0;
}
