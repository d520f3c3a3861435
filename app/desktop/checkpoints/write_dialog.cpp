// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/write_dialog.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include "desktop/checkpoints/checkpoint_list_model.h"
#include "desktop/shell/ui.h"
#include "models/exports/gguf_model.h"
#include "widgets/dialogs.h"
#include "widgets/local_text.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

/// Shows no more decimals than the number has: "5,000" would be read as five thousand.
class ShortDecimals : public QDoubleSpinBox {
  public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override {
        QLocale plain = locale();
        plain.setNumberOptions(plain.numberOptions() | QLocale::OmitGroupSeparator);
        return plain.toString(value, 'g', QLocale::FloatingPointShortest);
    }
};

QWidget* with_button(QLineEdit* line, QPushButton* button) {
    return make_holder(make_row({0, 0, 0, 0}, {{line, 1}, button}));
}

}  // namespace

WriteDialog::WriteDialog(const inspect::CheckpointList& checkpoint_list, int chosen, QWidget* parent)
    : QDialog(parent),
      checkpoint_list_(checkpoint_list),
      chosen_(chosen),
      source_(new QComboBox),
      type_(new QComboBox),
      layout_(new QComboBox),
      gguf_type_(new QComboBox),
      decay_(new ShortDecimals),
      shard_(new ShortDecimals),
      ranks_(new widgets::NumberBox),
      shares_(new QLineEdit),
      table_(new QLineEdit),
      target_(new QLineEdit),
      words_(wrapped(make_note({}))) {
    setWindowTitle(tr("Write weights"));
    setMinimumWidth(520_px);
    for (std::size_t i = checkpoint_list_.items.size(); i-- > 0;)
        if (checkpoint_list_.items[i].state == inspect::CheckpointState::whole &&
            checkpoint_list_.items[i].not_good.empty())
            good_.push_back(checkpoint_list_.items[i].folder);
    const inspect::CheckpointEntry& item = checkpoint_list_.items[static_cast<std::size_t>(chosen_)];
    source_->addItem(tr("%1 alone").arg(stepWords(item)), One);
    if (good_.size() > 1) {
        source_->addItem(tr("Average of all %1, equal shares").arg(good_.size()), Equal);
        source_->addItem(tr("Moving average over all %1").arg(good_.size()), Ema);
        source_->addItem(tr("Average of all %1, own shares").arg(good_.size()), Shares);
    }
    for (const char* type : {"", "fp32", "bf16", "fp16"})
        type_->addItem(*type == '\0' ? tr("As saved") : QLatin1String(type), QLatin1String(type));
    layout_->addItem(tr("One safetensors file"), File);
    layout_->addItem(tr("Shards with an index"), Shards);
    layout_->addItem(tr("torch.distributed.checkpoint"), Ranks);
    layout_->addItem(tr("Folder for transformers"), HuggingFace);
    layout_->addItem(tr("GGUF file for llama.cpp"), Gguf);
    layout_->addItem(tr("ONNX file"), Onnx);
    gguf_type_->addItem(tr("As the run's base, else as saved"), QString());
    for (const std::string& type : exports::gguf_types())
        gguf_type_->addItem(qt(type), qt(type));
    decay_->setRange(0.001, 0.99999);
    decay_->setDecimals(5);
    decay_->setValue(0.9);
    shard_->setRange(0.001, 1000);
    shard_->setDecimals(3);
    shard_->setValue(5);
    shard_->setSuffix(tr(" GB"));
    ranks_->setRange(1, 65'536);
    ranks_->setValue(2);
    shares_->setPlaceholderText(tr("0.2 0.3 0.5, oldest first"));
    table_->setPlaceholderText(tr("none: names stay"));
    table_->setToolTip(tr("A file with a line \"old -> new\" for each name; without one, names stay"));
    target_->setText(qt((item.folder.parent_path() / (item.name + "-written")).string()));
    auto* choose_table = new QPushButton(tr("Choose…"));
    auto* form = new QFormLayout;
    form->addRow(tr("Weights"), named(source_, tr("Weights")));
    form->addRow(tr("Decay"), named(decay_, tr("Decay")));
    form->addRow(tr("Shares"), named(shares_, tr("Shares")));
    form->addRow(tr("Type"), named(type_, tr("Type")));
    form->addRow(tr("Layout"), named(layout_, tr("Layout")));
    form->addRow(tr("Type of matrices"), named(gguf_type_, tr("Type of matrices")));
    form->addRow(tr("Largest shard"), named(shard_, tr("Largest shard")));
    form->addRow(tr("Ranks"), named(ranks_, tr("Ranks")));
    form->addRow(tr("Rename by table"), with_button(named(table_, tr("Rename by table")), choose_table));
    form->addRow(tr("Folder"), named(target_, tr("Folder to write")));
    setLayout(make_column({form, words_}));
    write_ = widgets::add_dialog_buttons(this, tr("Write"), [this] {
        emit writeRequested(conversion());
        accept();
    });
    connect(choose_table, &QPushButton::clicked, this, [this] {
        widgets::make_path_dialog(this, tr("Table of names"), {}, QFileDialog::AnyFile, table_,
                                  [this](const QString& path) { table_->setText(path); })
            ->open();
    });
    for (QComboBox* box : {source_, layout_})
        connect(box, &QComboBox::currentIndexChanged, this, &WriteDialog::refresh);
    for (QLineEdit* line : {shares_, target_})
        connect(line, &QLineEdit::textChanged, this, &WriteDialog::refresh);
    refresh();
}

/// Returns the weights of the average, or an empty vector if a word is not a non-negative number.
std::vector<double> WriteDialog::shares() const {
    std::vector<double> found;
    for (const QString& word : shares_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const std::optional<double> number = widgets::typed_number(word);
        if (!number || *number < 0)
            return {};
        found.push_back(*number);
    }
    return found;
}

QString WriteDialog::complaint() const {
    if (target_->text().trimmed().isEmpty())
        return tr("Name a folder to write to.");
    if (source_->currentData().toInt() == Shares && shares().size() != good_.size())
        return tr("There are %1 checkpoints: give a share for each, as numbers with a space between.")
            .arg(good_.size());
    return {};
}

void WriteDialog::refresh() {
    auto* form = static_cast<QFormLayout*>(layout()->itemAt(0)->layout());
    form->setRowVisible(decay_, source_->currentData().toInt() == Ema);
    form->setRowVisible(shares_, source_->currentData().toInt() == Shares);
    form->setRowVisible(shard_, layout_->currentData().toInt() == Shards);
    form->setRowVisible(ranks_, layout_->currentData().toInt() == Ranks);
    form->setRowVisible(gguf_type_, layout_->currentData().toInt() == Gguf);
    form->setRowVisible(type_, layout_->currentData().toInt() != Gguf && layout_->currentData().toInt() != Onnx);
    type_->setItemText(
        0, layout_->currentData().toInt() == HuggingFace ? tr("As the run's base, else as saved") : tr("As saved"));
    const QString wrong = complaint();
    words_->setText(wrong.isEmpty() ? tr("Written to a temporary folder, read back and compared, then renamed.")
                                    : wrong);
    write_->setEnabled(wrong.isEmpty());
}

inspect::Conversion WriteDialog::conversion() const {
    inspect::Conversion conversion;
    const int source = source_->currentData().toInt();
    if (source == One)
        conversion.sources = {checkpoint_list_.items[static_cast<std::size_t>(chosen_)].folder};
    else
        conversion.sources = good_;
    if (source == Ema)
        conversion.ema_decay = decay_->value();
    if (source == Shares)
        conversion.shares = shares();
    const int layout = layout_->currentData().toInt();
    if (layout == Gguf) {
        conversion.program = inspect::Conversion::Program::llama_cpp;
        conversion.gguf_type = gguf_type_->currentData().toString().toStdString();
    } else if (layout == Onnx) {
        conversion.program = inspect::Conversion::Program::onnx;
    } else {
        conversion.dtype = type_->currentData().toString().toStdString();
    }
    if (layout == Shards)
        conversion.max_shard_bytes = static_cast<std::uint64_t>(shard_->value() * 1e9);
    else if (layout == Ranks)
        conversion.ranks = ranks_->value();
    else
        conversion.hugging_face = layout == HuggingFace;
    conversion.rename_table = table_->text().trimmed().toStdString();
    conversion.output = target_->text().trimmed().toStdString();
    return conversion;
}

}  // namespace trainyard::desktop
