// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The widget of a nested graph. Mouse: drag pans, the wheel zooms, a click selects, a double click opens or closes a
// block. Keys: arrows select the next node in that direction, with Ctrl along an edge, Enter opens or closes, S
// spreads equal blocks, + and - zoom, 0 shows everything, Home goes to the first node, Backspace to the block around.

#include <unordered_map>

#include <QGlyphRun>
#include <QWidget>

#include "widgets/graph/graph_layout.h"
#include "widgets/pixels.h"

namespace trainyard::widgets {

class GraphView : public QWidget {
    Q_OBJECT
  public:
    explicit GraphView(const QString& accessibleName, QWidget* parent = nullptr);

    /// Blocks with few nodes in them are open at first, so that about `wanted` boxes are drawn, or fewer, whose titles
    /// can be read in the room of the view.
    void setData(GraphData data, int wanted = 24);
    const GraphData& data() const { return data_; }
    /// Colours by GraphNode::heat.
    void setHeat(const std::vector<double>& heat);
    bool hasHeat() const;

    /// Selects a node, opens the blocks around it, and brings it into sight. -1: none.
    void select(int node, bool reveal = true);
    int selected() const { return selected_; }
    void toggle(int node);
    void toggleSpread(int node);
    void foldAll();
    void unfoldAll();
    bool isOpen(int node) const { return folds_.open[static_cast<std::size_t>(node)]; }
    const GraphFolds& folds() const { return folds_; }

    /// Nodes whose label, caption or search text has the words; selects the first. Returns their number.
    int search(const QString& words);
    void nextHit(int direction);
    const std::vector<int>& hits() const { return hits_; }

    void zoom(double factor, const QPointF& at);
    void pan(const QPointF& by);
    void showWhole();
    double scale() const { return scale_; }
    QPointF offset() const { return offset_; }
    /// Rectangle of a node in this widget; empty if it is not drawn.
    QRectF rectOf(int node) const;
    /// The node that is painted at a point; -1: none.
    int nodeAt(const QPointF& at) const;
    const GraphLayout& layoutOfNodes() const { return layout_; }
    double lastPaintMilliseconds() const { return paint_milliseconds_; }

    /// The whole graph as it is opened. An error message, or empty.
    QString savePng(const QString& file, double scale = 2);
    QString saveSvg(const QString& file);

    QSize sizeHint() const override { return {720_px, 480_px}; }
    QSize minimumSizeHint() const override { return {240_px, 160_px}; }

  signals:
    void selectionChanged(int node);
    void arranged();  ///< blocks were opened or closed

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void openWhatFits();
    double wholeScale() const;
    void arrange(int anchor);
    void revealBlocksOf(int node);
    void step(int dx, int dy);
    void follow(bool down);
    /// What is drawn: less where much is in sight, so that a frame stays short.
    struct Detail {
        bool curves = true;  ///< smooth lines and round corners
        bool texts = true;
    };
    Detail detailOf(const QRectF& part, double scale) const;
    bool isMarked(int node) const;
    void draw(QPainter& painter, const QRectF& part, double scale, const Detail& detail) const;
    void drawBox(QPainter& painter, const GraphBox& box, double scale, const Detail& detail) const;
    /// The texts of a node as glyphs: shaping them in each frame takes longer than all else.
    struct Labels {
        qreal width = -1;  ///< of the box that they were cut for
        bool open = false;
        QList<QGlyphRun> title = {}, caption = {};
        qreal title_width = 0;
    };
    const Labels& labelsOf(const GraphBox& box) const;
    QColor fillOf(const GraphNode& node) const;

    GraphData data_;
    GraphFolds folds_;
    GraphLayout layout_;
    double scale_ = 1;
    QPointF offset_;  ///< of the picture's origin in the widget
    int selected_ = -1;
    std::vector<int> hits_;
    int hit_ = -1;
    bool fits_ = true;  ///< nothing was moved since everything was shown
    int wanted_ = 0;    ///< boxes that are drawn at first; 0: the user has folded or unfolded blocks
    bool dragged_ = false;
    QPointF pressed_, pressed_offset_;
    double paint_milliseconds_ = 0;
    mutable std::unordered_map<int, Labels> labels_;  ///< by node, of those that were in sight
};

}  // namespace trainyard::widgets
