// A window that is going to be killed: opens the folder it is given, zooms, pins, seeks and ticks as a person does, says so when that has
// been kept, and stays. For the test `curves.returns`.

#include <cstdio>

#include <QApplication>
#include <QLineEdit>
#include <QTest>
#include <QWheelEvent>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/main_window.h"
#include "desktop/preferences.h"
#include "desktop/view_state.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    Preferences preferences;
    MainWindow window(&preferences, {});
    window.show();
    window.begin();
    window.openPath(QString::fromLocal8Bit(argv[1]));
    LogPage* page = nullptr;
    CurveCard* card = nullptr;
    const bool there = QTest::qWaitFor(
        [&] {
            page = qobject_cast<LogPage*>(window.currentPage());
            card = page == nullptr ? nullptr
                                   : qobject_cast<CurveCard*>(page->panel()->grid()->card(QStringLiteral("s:loss")));
            return card != nullptr && !card->chart()->curves().isEmpty() &&
                   card->chart()->curves().first().series->size() == 200;
        },
        30000);
    if (!there)
        return 1;
    card->chart()->flush();
    card->chart()->setFocus();
    const QPointF at(card->chart()->width() / 2.0, card->chart()->height() / 2.0);
    for (int i = 0; i < 4; ++i) {
        QWheelEvent wheel(at, card->chart()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(card->chart(), &wheel);
    }
    page->panel()->pin({QStringLiteral("s:accuracy")});
    QTest::keyClicks(page->panel()->bar()->field(), QStringLiteral("o"));
    QTest::qWait(ViewState::kDelay * 2);
    const widgets::XRange range = page->panel()->axis()->link()->range().value_or(widgets::XRange{0, 0});
    std::printf("%.17g %.17g\n", range.lower, range.upper);
    std::fflush(stdout);
    return QApplication::exec();
}
