// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The frame of every card of a panel of curves: title, value, star and menu, with the content below. Cards are reused
// for other tags while the user scrolls; bind() sets what a card shows.

#include <optional>

#include <QFrame>
#include <QStringList>
#include <QVector>

#include "report/panel.h"
#include "widgets/forward.h"

namespace trainyard::widgets {
class ElidedLabel;
struct Marker;
}  // namespace trainyard::widgets

namespace trainyard::desktop {

class CurveSource;
class SharedAxis;
class TagIndex;
struct PanelLayout;

enum class CardKind { Curves, Histogram, Image, Text, Parameters, Table, Note };

struct CardSpec {
    QString id;
    CardKind kind = CardKind::Curves;
    QString title;
    QStringList tags;                         ///< ids; several are laid over each other
    std::optional<report::Panel> panel = {};  ///< of a user, instead of tags
    int holder = -1;                          ///< of the tag's holders: cards of one medium; -1: all
    bool pinned = false;
    bool starred = false;
    bool operator==(const CardSpec&) const = default;
};

/// Data of the panel that its cards refer to. Owned by the panel; outlives the cards.
struct PanelContext {
    const QVector<CurveSource*>* sources = nullptr;
    const TagIndex* index = nullptr;
    const PanelLayout* layout = nullptr;
    SharedAxis* axis = nullptr;
    const QVector<widgets::Marker>* markers = nullptr;
    const bool* notes = nullptr;  ///< charts offer to add a note
};

class PanelCard : public QFrame {
    Q_OBJECT
  public:
    PanelCard(CardKind kind, const PanelContext* context, QWidget* parent = nullptr);

    CardKind kind() const { return kind_; }
    const CardSpec& spec() const { return spec_; }
    /// Shows `spec`. Call it again with the same `spec` if the sources changed.
    void bind(const CardSpec& spec);
    /// Updates the card after the sources received new data.
    virtual void refresh() = 0;
    /// Unit, smoothing, axes or size of the panel changed.
    virtual void applyLook() {}
    /// Releases everything that belongs to sources.
    virtual void release() = 0;
    void setLarge(bool large);  ///< alone in the panel
    bool isLarge() const { return large_; }

  signals:
    void starRequested(const QString& tag);
    void pinRequested(const QStringList& tags);
    void unpinRequested(const QString& card);
    void editRequested(const QString& card);       ///< of a user's panel
    void duplicateRequested(const QString& card);  ///< the same
    void overlayRequested(const QString& card, const QString& tag);
    void withoutRequested(const QString& card, const QString& tag);
    void enlargeRequested(const QString& card);

  protected:
    virtual void fill() = 0;  ///< of bind()
    virtual void addToMenu(QMenu&) {}
    QVBoxLayout* body() const { return body_; }
    const PanelContext& context() const { return *context_; }
    QWidget* titleLabel() const;
    void setFigure(const QString& words);
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    void drawStar();
    void popUp(const QPoint& at);

    CardKind kind_;
    const PanelContext* context_;
    CardSpec spec_;
    bool large_ = false;
    QVBoxLayout* body_;
    widgets::ElidedLabel* title_;
    widgets::ElidedLabel* figure_;
    QPushButton* star_;
    QPushButton* enlarge_;
    QPushButton* more_;
};

}  // namespace trainyard::desktop
