#include "desktop/wizard/data_panel.h"

#include <QLocale>

#include "base/text.h"
#include "desktop/ui.h"

namespace trainyard::desktop {

namespace {

constexpr int kSampleLines = 3;

QString files_words(std::size_t files, std::uint64_t bytes) {
    return (files == 1 ? DataPanel::tr("1 file, %1")
                       : DataPanel::tr("%1 files, %2").arg(QLocale().toString(static_cast<qulonglong>(files))))
        .arg(qtNumber(text::file_size(bytes)));
}

}  // namespace

DataPanel::DataPanel(QWidget* parent)
    : QFrame(parent), facts_(wrapped(make_mono_label({}, 12))), use_(new QPushButton), samples_(new QVBoxLayout) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Contents"));
    samples_->setSpacing(3);
    setLayout(
        make_column({14, 10, 14, 12}, 8, {make_title(tr("Contents")), facts_, {use_, 0, Qt::AlignLeft}, samples_}));
    for (int i = 0; i < kSampleLines; ++i) {
        auto* line = make_elided({}, Theme::instance().mono(11), Tone::Secondary);
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

}  // namespace trainyard::desktop
