// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/samples_panel.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"

namespace trainyard::desktop {

namespace {
constexpr std::string_view kTagOfPrompts = "samples/";
const int& kNarrowest = live_px(220);
}  // namespace

SamplesPanel::SamplesPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      prompts_(named(new QComboBox, tr("Prompt"), tr("Prompts of the recipe, in their order"))),
      text_(named(new QPlainTextEdit, tr("What the model wrote"))),
      slider_(named(new QSlider(Qt::Horizontal), tr("Step of the text"))),
      step_(make_mono_label({}, 12, Tone::Secondary)) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Samples"));
    setMinimumWidth(kNarrowest);
    text_->setReadOnly(true);
    text_->setProperty("surface", QStringLiteral("code"));
    text_->setTabChangesFocus(true);
    text_->setUndoRedoEnabled(false);
    slider_->setRange(0, 0);
    setLayout(make_column({12, 6, 12, 8}, 6,
                          {make_row(8, {make_title(tr("Samples")), stretch(), prompts_}),
                           {text_, 1},
                           make_row(8, {{slider_, 1}, step_})}));
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        chosen_ = value == slider_->maximum() ? -1 : value;
        showText();
    });
    connect(prompts_, &QComboBox::currentIndexChanged, this, [this] {
        chosen_ = -1;
        refresh();
    });
}

const MediaPoints& SamplesPanel::points() const {
    return run_->media(prompts_->currentData().toString().toStdString());
}

bool SamplesPanel::refresh() {
    const std::vector<TagInfo>& tags = run_->tags();
    if (tags.size() < tags_seen_)
        tags_seen_ = 0;  // everything was void
    for (; tags_seen_ < tags.size(); ++tags_seen_) {
        const TagInfo& tag = tags[tags_seen_];
        const QString name = qt(tag.tag);  // samples/1/text_summary, by TensorBoard's convention
        if (tag.kind == TagKind::Text && tag.tag.starts_with(kTagOfPrompts) && prompts_->findData(name) < 0) {
            const QSignalBlocker quiet(prompts_);
            prompts_->addItem(tr("Prompt %1").arg(name.section(QLatin1Char('/'), 1, 1)), name);
        }
    }
    if (prompts_->count() == 0)
        return false;
    prompts_->setVisible(prompts_->count() > 1);
    const int last = std::max(0, static_cast<int>(points().size()) - 1);
    {
        const QSignalBlocker quiet(slider_);
        slider_->setRange(0, last);
        if (chosen_ < 0 && !at_a_step_)
            slider_->setValue(last);
    }
    slider_->setEnabled(last > 0);
    showText();
    return true;
}

void SamplesPanel::showStep(double step) {
    const MediaPoints& all = points();
    at_a_step_ = std::isfinite(step);
    int at = chosen_ < 0 ? slider_->maximum() : chosen_;
    if (at_a_step_) {
        const auto after = std::upper_bound(all.begin(), all.end(), step, [](double wanted, const auto& point) {
            return wanted < static_cast<double>(point->step);
        });
        at = std::max<int>(0, static_cast<int>(after - all.begin()) - 1);
    }
    const QSignalBlocker quiet(slider_);
    slider_->setValue(at);
    showText();
}

std::int64_t SamplesPanel::shownStep() const {
    const MediaPoints& all = points();
    const auto at = static_cast<std::size_t>(slider_->value());
    return at < all.size() ? all[at]->step : -1;
}

void SamplesPanel::showText() {
    const MediaPoints& all = points();
    const auto at = static_cast<std::size_t>(slider_->value());
    const auto* point = at < all.size() ? std::get_if<TextPoint>(&all[at]->value) : nullptr;
    const QString text = point == nullptr ? QString() : widgets::visible_text(qt(point->text));
    if (text != text_->toPlainText()) {  // what is selected and scrolled stays while the same text is shown
        text_->setPlainText(text);
        text_->verticalScrollBar()->setValue(0);
    }
    const QString step = point == nullptr ? QString() : tr("step %1").arg(stepText(all[at]->step));
    widgets::set_steady_text(step_, point != nullptr && point->cut ? tr("%1 · cut").arg(step) : step);
    step_->setToolTip(point != nullptr && point->cut ? tr("The text is truncated.") : QString());
}

}  // namespace trainyard::desktop
