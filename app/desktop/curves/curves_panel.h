// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All curves, histograms, images, texts and parameters of one or several sources: a tree of tags at the left, cards in
// groups at the right. Only visible cards exist, so ten thousand charts cost as little as twelve. All charts share the
// horizontal range and the crosshair; the bar above sets unit, smoothing and axes for all of them.
//
// Saved by ViewState: under `layoutKey` (a project: pins, stars, folded groups, size, unit, smoothing, axes, named
// layouts) and under `viewKey` (zoom, scroll position, search text). Both keys may be equal.
//
//     auto* panel = new CurvesPanel(layoutKey, viewKey);
//     panel->setSources({record});   // they live until the next setSources(); a deleted one is removed
//
// Changes of the layout can be undone, also after the panel was made again under the same view key. The commands
// `curves.…` of shell/commands.h act on it.

#include <functional>

#include <QTimer>
#include <QWidget>

#include "desktop/curves/curve_source.h"
#include "desktop/curves/panel_card.h"
#include "desktop/curves/panel_layout.h"
#include "desktop/curves/shared_axis.h"
#include "desktop/curves/tag_index.h"
#include "widgets/forward.h"
#include "widgets/job.h"
#include "widgets/plot/chart_view.h"

class QUndoStack;

namespace trainyard::desktop {

class CardGrid;
class CardSet;
class NamedLayouts;
class PanelBar;
class TagTree;

class CurvesPanel : public QWidget {
    Q_OBJECT
  public:
    CurvesPanel(const QString& layoutKey, const QString& viewKey, QWidget* parent = nullptr);
    ~CurvesPanel() override;

    void setSources(const QVector<CurveSource*>& sources);
    const QVector<CurveSource*>& sources() const { return sources_; }
    /// Markers for the charts of all curves (events of a run).
    void setMarkers(const QVector<widgets::Marker>& markers);
    /// Charts offer to add a note: noteRequested().
    void setNotesOffered(bool offered);
    /// Sets the text that is shown while no source has a tag.
    void setEmptyWords(const QString& sentence, const QString& more = {});

    /// Ctrl+F.
    void find();
    void setFilter(const QString& words);
    void showTag(const QString& tag);
    void toggleStar(const QString& tag);
    void pin(const QStringList& tags);
    /// Overlays `tag` on the chart of a card, which becomes pinned.
    void overlay(const QString& cardId, const QString& tag);
    void changeLayout(const PanelLayout& layout);  ///< one step of undo
    QUndoStack* history() const;
    /// Opens the editor of a new panel, or of one that is there.
    void askForPanel(report::PanelKind kind);
    void editPanel(const QString& cardId);
    void addPanel(const report::Panel& panel);
    /// Writes what is shown as one HTML file; reportWritten() follows.
    void writeReport(const QString& file);
    widgets::InlineMessage* message() const { return message_; }

    const PanelLayout& panelLayout() const { return layout_; }
    const TagIndex& index() const { return index_; }
    SharedAxis* axis() const { return axis_; }
    /// Shows one card alone; an empty id shows all cards again.
    void enlarge(const QString& cardId);
    PanelCard* enlarged() const { return large_; }
    void toggleTree();

  signals:
    /// A marker of setMarkers() was clicked.
    void markerActivated(int id);
    void noteRequested(double x);
    void reportWritten(const QString& file, const QString& problem);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build();
    void connectCard(PanelCard* card);
    void rebuild();
    class History;
    class LayoutStep;
    void addActions();
    void edit(const std::function<void(PanelLayout&)>& change);
    QList<PanelCard*> shownCards() const;
    void refresh(CurveSource* source);
    void showLook();
    void setLayoutTo(const PanelLayout& layout);
    void openEditor(const report::Panel& panel, std::function<void(const report::Panel&)> then);
    void restoreView();
    void keepView();
    void dropSource(QObject* source);
    void say();

    QString layout_key_;
    QString view_key_;
    QVector<CurveSource*> sources_;
    QVector<widgets::Marker> markers_;
    bool notes_ = false;
    TagIndex index_;
    TagFilter filter_;
    PanelLayout layout_;
    History* history_;
    NamedLayouts* layouts_;
    SharedAxis* axis_;
    PanelContext context_;
    CardSet* cards_;
    PanelBar* bar_;
    widgets::InlineMessage* message_;  ///< of files
    widgets::Job writing_;
    QSplitter* splitter_;
    TagTree* tree_;
    QStackedWidget* stack_;  ///< all cards, one alone, none
    CardGrid* grid_;
    QWidget* alone_;
    PanelCard* large_ = nullptr;
    QWidget* none_;
    widgets::EmptyState* empty_ = nullptr;
    QString empty_sentence_, empty_more_;
    QTimer tags_due_;
    QTimer filter_due_;
    bool restoring_ = true;  ///< changes come from the saved state, not from the user
};

}  // namespace trainyard::desktop
