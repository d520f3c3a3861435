#include "desktop/wizard/data_panel.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "base/text.h"
#include "desktop/qt_text.h"
#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Tone;

namespace {

constexpr int kSampleLines = 3;

QString files_words(std::size_t files, std::uint64_t bytes) {
    return (files == 1 ? DataPanel::tr("1 file, %1")
                       : DataPanel::tr("%1 files, %2").arg(QLocale().toString(static_cast<qulonglong>(files))))
        .arg(qtNumber(text::file_size(bytes)));
}

}  // namespace

DataPanel::DataPanel(QWidget* parent)
    : QFrame(parent), facts_(widgets::make_mono_label({}, 12)), use_(new QPushButton), samples_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Contents"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(8);
    layout->addWidget(widgets::make_label(tr("Contents"), 13, QFont::DemiBold));
    facts_->setWordWrap(true);
    layout->addWidget(facts_);
    layout->addWidget(use_, 0, Qt::AlignLeft);
    samples_->setSpacing(3);
    layout->addLayout(samples_);
    for (int i = 0; i < kSampleLines; ++i) {
        auto* line = new widgets::ElidedLabel;
        line->setFont(widgets::Theme::instance().mono(11));
        line->setProperty("tone", QStringLiteral("secondary"));
        samples_->addWidget(line);
        lines_ << line;
    }
    connect(use_, &QPushButton::clicked, this, [this] { emit patternWanted(look_.pattern); });
    showLook({});
}

void DataPanel::showLook(const DataLook& look) {
    look_ = look;
    if (look.files > 0)
        facts_->setText(files_words(look.files, look.bytes) +
                        (look.tokens > 0
                             ? tr(", %1 tokens").arg(QLocale().toString(static_cast<qulonglong>(look.tokens)))
                             : QString()));
    else
        facts_->setText(look.pattern.isEmpty() ? tr("No file yet.")
                                               : tr("No file has a name that the pattern matches."));
    use_->setVisible(!look.pattern.isEmpty());
    use_->setText(tr("Use %1: %2").arg(look.pattern, files_words(look.pattern_files, look.pattern_bytes)));
    for (int i = 0; i < lines_.size(); ++i) {
        lines_[i]->setVisible(i < look.samples.size());
        lines_[i]->setFullText(i < look.samples.size() ? tr("… %1 …").arg(look.samples[i]) : QString());
    }
}

QString DataPanel::factsText() const {
    return facts_->text();
}

QStringList DataPanel::sampleTexts() const {
    return look_.samples;
}

}  // namespace trainyard::desktop
