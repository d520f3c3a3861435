// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/text_view.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QSlider>
#include <QTextBrowser>

#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
/// Loads no resources, since a text in a log may refer to any file.
class ClosedPage : public QTextBrowser {
  public:
    ClosedPage() {
        setOpenLinks(false);
        setOpenExternalLinks(false);
        setUndoRedoEnabled(false);
        setFrameShape(QFrame::NoFrame);
    }
    QVariant loadResource(int type, const QUrl&) override {
        if (type != QTextDocument::ImageResource)
            return {};
        // If no image is returned here, the document opens the file itself when it is painted.
        QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
        nothing.fill(Qt::transparent);
        return nothing;
    }
};
}  // namespace

TextView::TextView(const QString& accessibleName, QWidget* parent)
    : QWidget(parent),
      page_(new ClosedPage),
      slider_(named(new QSlider(Qt::Horizontal), tr("Step"))),
      words_(make_mono_label({}, 12, Tone::Secondary)) {
    setAccessibleName(accessibleName);
    page_->setAccessibleName(accessibleName);
    setLayout(make_column({12, 4, 12, 8}, 6, {{page_, 1}, make_row({{slider_, 1}, words_})}));
    slider_->setRange(0, 0);
    page_->setPlaceholderText(tr("No text yet"));
    connect(slider_, &QSlider::valueChanged, this, &TextView::showText);
    connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        QApplication::clipboard()->setText(link.toString());
        words_->setText(tr("link copied"));
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { showText(current()); });
}

void TextView::setTexts(std::vector<TextAt> texts) {
    const bool at_end = texts_.empty() || current() + 1 >= static_cast<int>(texts_.size());
    texts_ = std::move(texts);
    const int last = std::max(0, static_cast<int>(texts_.size()) - 1);
    slider_->setRange(0, last);
    slider_->setVisible(texts_.size() > 1);
    if (at_end)
        slider_->setValue(last);
    showText(current());
}

int TextView::current() const {
    return slider_->value();
}

void TextView::setCurrent(int index) {
    slider_->setValue(index);
}

QString TextView::shownText() const {
    return page_->toPlainText();
}

void TextView::showText(int index) {
    if (index >= static_cast<int>(texts_.size())) {
        page_->clear();
        words_->clear();
        return;
    }
    const TextAt& at = texts_[static_cast<std::size_t>(index)];
    const Theme& theme = Theme::instance();
    page_->setFont(theme.text(13));
    page_->document()->setDefaultFont(theme.text(13));
    QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
    features |= QTextDocument::MarkdownNoHTML;
    page_->document()->setMarkdown(at.text, features);
    const QString step =
        at.step < 0 ? QString() : tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(at.step)));
    words_->setText(at.cut ? tr("%1 · cut").arg(step) : step);
    words_->setToolTip(at.cut ? tr("The text is truncated.") : QString());
}

}  // namespace trainyard::widgets
