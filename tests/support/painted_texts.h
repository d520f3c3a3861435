// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The texts that widgets paint: what reaches the screen, not what a label or a model holds.

#include <QPaintDevice>
#include <QPaintEngine>
#include <QStringList>
#include <QWidget>

namespace trainyard::test {

class TextRecorder final : public QPaintEngine {
  public:
    TextRecorder() : QPaintEngine(AllFeatures) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
    Type type() const override { return User; }

    QStringList texts;
};

class TextRecording final : public QPaintDevice {
  public:
    explicit TextRecording(QSize size) : size_(size) {}
    QPaintEngine* paintEngine() const override { return &recorder; }
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return size_.width();
            case PdmHeight:
                return size_.height();
            case PdmWidthMM:
                return size_.width() / 4;
            case PdmHeightMM:
                return size_.height() / 4;
            case PdmNumColors:
                return 1 << 24;
            case PdmDepth:
                return 32;
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
            default:
                return 96;  // dots per inch
        }
    }

    mutable TextRecorder recorder;

  private:
    QSize size_;
};

/// Paints `widget`, with its visible children or alone. Returns the texts in the order of painting; a text may be in
/// several pieces. What a widget keeps as a picture of itself is missing.
inline QStringList painted_texts(QWidget* widget, bool with_children = true) {
    TextRecording recording(widget->size());
    QWidget::RenderFlags flags = QWidget::DrawWindowBackground;
    flags.setFlag(QWidget::DrawChildren, with_children);
    widget->render(&recording, {}, {}, flags);
    return recording.recorder.texts;
}

}  // namespace trainyard::test
