// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/window/data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <QApplication>
#include <QElapsedTimer>
#include <QTableView>
#include <QTreeWidget>

#include "desktop/data/data_panel.h"
#include "desktop/data/token_strip.h"
#include "desktop/hub/hub_dialog.h"
#include "support/temporary_folder.h"
#include "widgets/scroll_area.h"

namespace trainyard::bench {

namespace {

using namespace desktop;
namespace fs = std::filesystem;

constexpr int kRounds = 15;
constexpr int kRows = 20;
constexpr int kCachedRepos = 1000;

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

/// 20 rows of texts, with tokens, and with pictures in the first columns.
DataLook look(int columns, int pictures, int number) {
    DataLook made;
    made.files = 3;
    made.bytes = 12'345'678;
    for (int column = 0; column < columns; ++column)
        made.columns << QStringLiteral("column_%1").arg(column);
    made.column_types = QStringList(columns, QStringLiteral("text"));
    made.all_columns = columns;
    for (int row = 0; row < kRows; ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            cells << QStringLiteral("row %1 of %2: words of a text that needs more room than its column has")
                         .arg(row)
                         .arg(number);
        made.rows << cells;
        inputs::SamplePreview sample;
        for (std::size_t token = 0; token < inputs::SamplePreview::kMostTokens; ++token)
            sample.tokens.push_back({"word" + std::to_string(token % 100) + " ", {std::int64_t(token)}, token % 3 > 0});
        sample.used = 256;
        sample.counted = 170;
        made.samples_as_tokens.rows.push_back(std::move(sample));
        if (pictures > 0) {
            QVector<DataPicture> shown(columns);
            for (int i = 0; i < pictures; ++i)
                shown[i] = {DataLook::kPictureSide,
                            DataLook::kPictureSide,
                            QByteArray(DataLook::kPictureSide * DataLook::kPictureSide * 3,
                                       static_cast<char>(row * 11 + number)),
                            {}};
            made.pictures << shown;
        }
    }
    return made;
}

Figure shown(DataPanel& panel, const char* id, const char* what, int columns, int pictures) {
    Figure figure{id, what, "ms", {}, {}, 50, true};
    for (int i = 0; i < kRounds; ++i) {
        const DataLook next = look(columns, pictures, i);
        QElapsedTimer clock;
        clock.start();
        panel.showLook(next, {}, true);
        QApplication::processEvents();
        figure.values.push_back(milliseconds(clock));
    }
    return figure;
}

/// Longest turn of the event loop from the first call until the names are listed.
void hub(Figure& open, Figure& longest) {
    for (int i = 0; i < kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        HubDialog dialog(HubItem::Model);
        dialog.show();
        dialog.repaint();
        open.values.push_back(milliseconds(clock));
        double most = 0;
        while (!dialog.isListed()) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
            clock.start();
            QApplication::processEvents();
            most = std::max(most, milliseconds(clock));
        }
        clock.start();
        QApplication::processEvents();
        longest.values.push_back(std::max(most, milliseconds(clock)));
    }
}

}  // namespace

std::vector<Figure> data_figures() {
    auto* panel = new DataPanel;
    std::unique_ptr<QWidget> scroll(widgets::make_scroll_area(panel));
    scroll->resize(900, 800);
    scroll->show();
    QApplication::processEvents();
    std::vector<Figure> all;
    all.push_back(shown(*panel, "data.show", "20 rows of 8 columns and 256 tokens, painted", 8, 0));
    all.push_back(shown(*panel, "data.wide", "20 rows of 100 columns and 256 tokens, painted", 100, 0));
    all.push_back(shown(*panel, "data.pictures", "20 rows with two pictures each, painted", 8, 2));
    panel->showLook(look(8, 0, 0), {}, true);
    QApplication::processEvents();
    Figure row{"data.row", "another row: its 256 tokens, painted", "ms", {}, {}, 16, true};
    Figure key{"data.again", "the same rows again, after a key in another field, painted", "ms", {}, {}, 16, true};
    for (int i = 0; i < 2 * kRounds; ++i) {
        QElapsedTimer clock;
        clock.start();
        panel->preview()->setCurrentIndex(panel->preview()->model()->index(1 + i % (kRows - 1), 0));
        QApplication::processEvents();
        row.values.push_back(milliseconds(clock));
        const DataLook same = look(8, 0, 0);
        clock.start();
        panel->showLook(same, {}, true);
        QApplication::processEvents();
        key.values.push_back(milliseconds(clock));
    }
    all.push_back(std::move(row));
    all.push_back(std::move(key));

    const test::TemporaryFolder home;
    for (int i = 0; i < kCachedRepos; ++i) {
        const fs::path repo = home.path() / ("models--org--model-" + std::to_string(i));
        fs::create_directories(repo / "refs");
        fs::create_directories(repo / "snapshots" / "abc");
        std::ofstream(repo / "refs" / "main") << "abc";
        std::ofstream(repo / "snapshots" / "abc" / "config.json") << R"({"model_type": "gpt2"})";
        std::ofstream(repo / "snapshots" / "abc" / "model.safetensors") << "weights";
    }
    ::setenv("HF_HUB_CACHE", home.path().c_str(), 1);
    Figure open{"hub.open", "the dialog of the hub, first picture", "ms", {}, {}, 50, true};
    Figure longest{
        "hub.longest", "longest turn of the event loop while 1,000 models of the cache are listed", "ms", {}, {}, 50,
        true};
    hub(open, longest);
    ::unsetenv("HF_HUB_CACHE");
    all.push_back(std::move(open));
    all.push_back(std::move(longest));
    return all;
}

}  // namespace trainyard::bench
