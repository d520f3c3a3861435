// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/export_menu.h"

#include "desktop/checkpoints/write_dialog.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

ExportMenu::ExportMenu(QWidget* parent) : QMenu(parent) {
    inspect::Conversion conversion;
    addEntry(tr("Merge into one file…"), QStringLiteral("merged"), conversion);
    conversion.hugging_face = true;
    addEntry(tr("Folder for transformers…"), QStringLiteral("hf"), conversion);
    conversion = {};
    conversion.program = inspect::Conversion::Program::llama_cpp;
    addEntry(tr("GGUF file for llama.cpp…"), QStringLiteral("model.gguf"), conversion);
    for (const char* type : {"q8_0", "q4_k"}) {
        conversion.gguf_type = type;
        addEntry(tr("GGUF file for llama.cpp in %1…").arg(QLatin1String(type)),
                 QLatin1String(type) + QLatin1String(".gguf"), conversion);
    }
    conversion = {};
    conversion.program = inspect::Conversion::Program::onnx;
    addEntry(tr("ONNX file…"), QStringLiteral("model.onnx"), conversion);
    conversion = {};
    for (const char* dtype : {"bf16", "fp16", "fp32"}) {
        conversion.dtype = dtype;
        addEntry(tr("Convert to %1…").arg(QLatin1String(dtype)), QLatin1String(dtype), conversion);
    }
    conversion = {};
    conversion.max_shard_bytes = 5'000'000'000;
    addEntry(tr("Shards of 5 GB with an index…"), QStringLiteral("shards"), conversion);
    for (int ranks : {2, 4, 8, 16}) {
        conversion = {};
        conversion.ranks = ranks;
        addEntry(tr("torch.distributed.checkpoint for %1 ranks…").arg(ranks), QStringLiteral("dcp-%1").arg(ranks),
                 conversion);
    }
    addSeparator();
    addAction(tr("Average of all complete checkpoints…"), this, &ExportMenu::chooseAverage);
    addAction(tr("Types, shards, shares, names…"), this, &ExportMenu::askForAll);
}

void ExportMenu::setShelf(const inspect::CheckpointList& checkpoint_list, int chosen) {
    checkpoint_list_ = checkpoint_list;
    chosen_ = chosen;
}

void ExportMenu::addEntry(const QString& text, const QString& ending, const inspect::Conversion& conversion) {
    connect(addAction(text), &QAction::triggered, this, [=, this] { chooseTarget(text, ending, conversion); });
}

void ExportMenu::chooseAverage() {
    inspect::Conversion average;
    for (std::size_t i = checkpoint_list_.items.size(); i-- > 0;)
        if (checkpoint_list_.items[i].state == inspect::CheckpointState::whole &&
            checkpoint_list_.items[i].not_good.empty())
            average.sources.push_back(checkpoint_list_.items[i].folder);
    if (average.sources.size() < 2) {
        emit refused(tr("Not enough checkpoints to average"),
                     tr("An average needs at least two complete checkpoints."));
        return;
    }
    chooseTarget(tr("Average of %1 checkpoints").arg(average.sources.size()), QStringLiteral("average"), average);
}

void ExportMenu::askForAll() {
    if (chosen_ < 0 || chosen_ >= static_cast<int>(checkpoint_list_.items.size()))
        return;
    auto* dialog = new WriteDialog(checkpoint_list_, chosen_, parentWidget());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &WriteDialog::writeRequested, this, &ExportMenu::writeRequested);
    dialog->open();
}

void ExportMenu::chooseTarget(const QString& title, const QString& ending, inspect::Conversion conversion) {
    if (chosen_ < 0 || chosen_ >= static_cast<int>(checkpoint_list_.items.size()))
        return;
    const inspect::CheckpointEntry& item = checkpoint_list_.items[static_cast<std::size_t>(chosen_)];
    if (conversion.sources.empty())
        conversion.sources = {item.folder};
    auto* dialog =
        widgets::make_path_dialog(parentWidget(), title, qt(item.folder.parent_path().string()), QFileDialog::AnyFile,
                                  this, [this, conversion](const QString& path) mutable {
                                      conversion.output = path.toStdString();
                                      emit writeRequested(conversion);
                                  });
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setLabelText(QFileDialog::Accept, tr("Write"));
    dialog->selectFile(qt(item.name) + QLatin1Char('-') + ending);
    dialog->open();
}

}  // namespace trainyard::desktop
