// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A card for data other than curves: histograms over steps (or their distribution), images, or texts of one tag of one
// source.

#include "desktop/curves/panel_card.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class MediaCard : public PanelCard {
    Q_OBJECT
  public:
    MediaCard(CardKind kind, const PanelContext* context, QWidget* parent = nullptr);
    void refresh() override { load(false); }
    void applyLook() override;
    void release() override;
    void setDistribution(bool on);

  protected:
    void fill() override { load(true); }
    void addToMenu(QMenu& menu) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Found {
        CurveSource* source = nullptr;
        std::string tag;
    };
    Found found() const;
    void load(bool anew);

    QStackedWidget* stack_ = nullptr;
    widgets::HistogramView* histograms_ = nullptr;
    widgets::DistributionView* distribution_ = nullptr;
    widgets::PictureView* pictures_ = nullptr;
    widgets::TextView* texts_ = nullptr;
    std::size_t shown_ = 0;   ///< points given to the view
    std::int64_t last_ = -1;  ///< step of the last of them
    bool distributes_ = false;
};

}  // namespace trainyard::desktop
