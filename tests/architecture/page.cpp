// SPDX-License-Identifier: GPL-3.0-or-later
// The page with real files: ONNX, torch.export, checkpoints and their change, recipes, what cannot be opened.

#include <algorithm>
#include <fstream>

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QUrl>

#include <gtest/gtest.h>

#include "desktop/architecture/architecture_page.h"
#include "support/child.h"
#include "support/picture.h"
#include "widgets/graph/graph_view.h"
#include "widgets/inline_message.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

const QString kModels = QStringLiteral(GRAPH_FILES "/");

class ArchitecturePageTest : public testing::Test {
  protected:
    ArchitecturePageTest() {
        page_.resize(1200, 760);
        page_.show();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_.isBusy(); }, 20'000));
    }
    void open(const QString& path) {
        page_.activate(path);
        wait();
    }
    int node(const QString& search) {
        page_.searchField()->setText(search);
        return page_.view()->selected();
    }
    QString detail(const QString& key) const {
        for (int i = 0; i < test::child<QTreeWidget>(page_)->topLevelItemCount(); ++i)
            if (test::child<QTreeWidget>(page_)->topLevelItem(i)->text(0) == key)
                return test::child<QTreeWidget>(page_)->topLevelItem(i)->text(1);
        return {};
    }
    /// A decoder with `layers` layers, whose weights in layer `changed` are twice as large.
    QString checkpoint(const QString& name, int layers, int changed = -1) {
        const std::string path = (folder_.path() + QLatin1Char('/') + name).toStdString();
        std::string header = "{", data;
        for (int i = 0; i < layers; ++i)
            for (const char* part : {"self_attn.q_proj", "self_attn.o_proj", "mlp.up_proj"}) {
                const std::vector<float> values(64, i == changed ? 2.f : 1.f);
                header += (header.size() > 1 ? "," : "") + ("\"model.layers." + std::to_string(i)) + "." + part +
                          ".weight\":{\"dtype\":\"F32\",\"shape\":[8,8],\"data_offsets\":[" +
                          std::to_string(data.size()) + "," + std::to_string(data.size() + 256) + "]}";
                data.append(reinterpret_cast<const char*>(values.data()), 256);
            }
        header += "}";
        const std::uint64_t size = header.size();
        std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&size), 8) << header << data;
        return QString::fromStdString(path);
    }
    QTemporaryDir folder_;
    ArchitecturePage page_;
};

TEST_F(ArchitecturePageTest, OnnxAndTorchExportOpen) {
    for (const char* file : {"blocks.onnx", "blocks_legacy.onnx", "blocks.pt2"}) {
        SCOPED_TRACE(file);
        open(kModels + QLatin1String(file));
        const auto& nodes = page_.view()->data().nodes;
        const auto first = std::ranges::find_if(nodes, [](const auto& one) { return one.repeat == 3; });
        ASSERT_NE(first, nodes.end());
        EXPECT_FALSE(detail(QStringLiteral("Parameters")).isEmpty());
        node(QStringLiteral("layers.0"));
        EXPECT_EQ(page_.view()->selected(), int(first - nodes.begin()));
        EXPECT_EQ(detail(QStringLiteral("Equal blocks")), QStringLiteral("3"));
        for (const auto theme : {widgets::ThemeChoice::Dark, widgets::ThemeChoice::Light}) {
            widgets::Theme::instance().setChoice(theme);
            test::take_picture(
                &page_, (std::string(file) + (theme == widgets::ThemeChoice::Dark ? "-dark" : "-light")).c_str());
        }
    }
}

TEST_F(ArchitecturePageTest, DetailsAreOfTheSelectedNode) {
    open(kModels + QStringLiteral("blocks.pt2"));
    node(QStringLiteral("embedding"));
    const int found = node(QStringLiteral("layers.1.norm"));
    ASSERT_GE(found, 0);
    EXPECT_EQ(detail(QStringLiteral("Type")), QStringLiteral("LayerNorm"));
    EXPECT_EQ(detail(QStringLiteral("Parameters")), QStringLiteral("16"));
}

TEST_F(ArchitecturePageTest, AChangeIsColouredByItsSize) {
    const QString before = checkpoint(QStringLiteral("before.safetensors"), 4);
    open(checkpoint(QStringLiteral("after.safetensors"), 4, 2));
    EXPECT_FALSE(page_.view()->hasHeat());
    page_.compareWith(before);
    wait();
    ASSERT_TRUE(page_.view()->hasHeat()) << page_.message()->text().toStdString();
    const auto& nodes = page_.view()->data().nodes;
    for (const auto& one : nodes) {
        if (one.search.contains(QLatin1String("layers.2."))) {
            EXPECT_EQ(one.heat, 1);
        } else if (one.search.contains(QLatin1String("layers.1."))) {
            EXPECT_EQ(one.heat, 0);
        }
    }
    node(QStringLiteral("layers.2.mlp.up_proj"));
    EXPECT_TRUE(detail(QStringLiteral("Change")).startsWith(QLatin1String("100")));
    for (const auto theme : {widgets::ThemeChoice::Dark, widgets::ThemeChoice::Light}) {
        widgets::Theme::instance().setChoice(theme);
        test::take_picture(&page_, theme == widgets::ThemeChoice::Dark ? "-dark" : "-light");
    }
}

TEST_F(ArchitecturePageTest, ARecipeIsDrawnWithoutWeights) {
    page_.openRecipe(QStringLiteral("model:\n  model_type: llama\n  num_hidden_layers: 24\n"),
                     QStringLiteral("recipe.yaml"));
    wait();
    const auto& nodes = page_.view()->data().nodes;
    EXPECT_TRUE(std::ranges::any_of(nodes, [](const auto& one) { return one.repeat == 24; }));
    page_.openRecipe(QStringLiteral("model: ["), QStringLiteral("recipe.yaml"));
    wait();
    EXPECT_TRUE(page_.message()->isVisible());
    EXPECT_FALSE(page_.message()->text().isEmpty());
}

TEST_F(ArchitecturePageTest, AFileIsDropped) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(kModels + QStringLiteral("nested.onnx"))});
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page_, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&page_, &drop);
    wait();
    EXPECT_GE(node(QStringLiteral("choice")), 0);
}

TEST_F(ArchitecturePageTest, WhatCannotBeReadIsOneMessage) {
    std::ofstream((folder_.path() + QStringLiteral("/a.onnx")).toStdString()) << "text";
    open(folder_.path() + QStringLiteral("/a.onnx"));
    EXPECT_TRUE(page_.message()->isVisible());
    EXPECT_TRUE(page_.view()->data().nodes.empty());
    open(kModels + QStringLiteral("blocks.onnx"));
    EXPECT_FALSE(page_.message()->isVisible());
    EXPECT_FALSE(page_.view()->data().nodes.empty());
}

}  // namespace
}  // namespace trainyard::desktop
