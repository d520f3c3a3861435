// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_card.h"

#include <QContextMenuEvent>
#include <QMenu>

#include "desktop/curves/tag_index.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
QPushButton* toolButton(const char* icon, const QString& words) {
    auto* button = with_look(new QPushButton, {.kind = "hint", .tip = words});
    button->setFixedSize(22_px, 20_px);
    button->setIconSize({14_px, 14_px});
    button->setFocusPolicy(Qt::TabFocus);
    button->setIcon(Theme::instance().icon(QLatin1String(icon), Token::TextMuted));
    return button;
}
}  // namespace

PanelCard::PanelCard(CardKind kind, const PanelContext* context, QWidget* parent)
    : QFrame(parent),
      kind_(kind),
      context_(context),
      body_(new QVBoxLayout(this)),
      title_(make_elided({}, Theme::instance().text(12, QFont::DemiBold), Tone::Text, Qt::ElideMiddle)),
      figure_(make_elided({}, Theme::instance().mono(12), Tone::Secondary)),
      star_(toolButton("star", tr("Star"))),
      enlarge_(toolButton("screen", tr("Enlarge"))),
      more_(toolButton("more", tr("Actions"))) {
    setProperty("surface", QStringLiteral("panel"));
    body_->setContentsMargins(1, 5, 1, 3);
    body_->setSpacing(0);
    body_->addLayout(make_row({12, 0, 6, 0}, 0, {{title_, 1}, gap(6), figure_, gap(2), star_, enlarge_, more_}));
    connect(star_, &QPushButton::clicked, this, [this] {
        if (!spec_.tags.isEmpty())
            emit starRequested(spec_.tags.first());
    });
    connect(enlarge_, &QPushButton::clicked, this, [this] { emit enlargeRequested(spec_.id); });
    connect(more_, &QPushButton::clicked, this, [this] { popUp(more_->mapToGlobal(more_->rect().bottomLeft())); });
}

void PanelCard::drawStar() {
    star_->setIcon(Theme::instance().icon(spec_.starred ? QStringLiteral("star-on") : QStringLiteral("star"),
                                          spec_.starred ? Token::Warn : Token::TextMuted));
}

void PanelCard::bind(const CardSpec& spec) {
    spec_ = spec;
    title_->setFullText(spec.title);
    setAccessibleName(spec.title);
    drawStar();
    star_->setToolTip(spec.starred ? tr("Remove the star") : tr("Pin to the top"));
    star_->setVisible(!spec.tags.isEmpty());
    fill();
}

void PanelCard::setLarge(bool large) {
    large_ = large;
    enlarge_->setToolTip(large ? tr("Back to all (Esc)") : tr("Enlarge"));
    enlarge_->setAccessibleName(enlarge_->toolTip());
}

QWidget* PanelCard::titleLabel() const {
    return title_;
}

void PanelCard::setFigure(const QString& words) {
    figure_->setFullText(words);
}

void PanelCard::popUp(const QPoint& at) {
    QMenu* menu = make_menu(this);
    menu->addAction(isLarge() ? tr("Back to all") : tr("Enlarge"), this, [this] { emit enlargeRequested(spec_.id); });
    if (spec_.panel) {
        menu->addAction(tr("Edit…"), this, [this] { emit editRequested(spec_.id); });
        menu->addAction(tr("Duplicate"), this, [this] { emit duplicateRequested(spec_.id); });
        menu->addAction(tr("Remove"), this, [this] { emit unpinRequested(spec_.id); });
    } else if (kind_ != CardKind::Parameters) {
        menu->addAction(spec_.starred ? tr("Remove the star") : tr("Add a star"), this,
                        [this] { emit starRequested(spec_.tags.first()); });
        if (spec_.pinned)
            menu->addAction(tr("Unpin"), this, [this] { emit unpinRequested(spec_.id); });
        else
            menu->addAction(tr("Pin to the top"), this, [this] { emit pinRequested(spec_.tags); });
    }
    if (spec_.pinned && spec_.tags.size() > 1) {
        QMenu* without = menu->addMenu(tr("Take out"));
        for (const QString& tag : std::as_const(spec_.tags))
            without->addAction(tag.mid(2), this, [this, tag] { emit withoutRequested(spec_.id, tag); });
    }
    addToMenu(*menu);
    menu->addSeparator();
    menu->addAction(tr("Copy the name"), this, [this] { copy_text(spec_.title); });
    menu->popup(at);
}

void PanelCard::contextMenuEvent(QContextMenuEvent* event) {
    popUp(event->globalPos());
}

void PanelCard::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->position().y() < 28)
        emit enlargeRequested(spec_.id);
}

}  // namespace trainyard::desktop
