// SPDX-License-Identifier: GPL-3.0-or-later
// The page of checkpoints: statistics of tensors, read in the background while the page is open, and their differences
// from another checkpoint.

#include <QComboBox>
#include <QDir>

#include "base/clock.h"
#include "base/text.h"
#include "desktop/checkpoints/checkpoint_actions.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/checkpoints/inspector.h"
#include "desktop/checkpoints/tensor_panel.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"

namespace trainyard::desktop {

namespace {
constexpr std::uint64_t kLargestDownload =
    64u << 20;  ///< most bytes of a remote tensor that is downloaded for its statistics
}  // namespace

void CheckpointsPage::beginPass() {
    endPass();
    if (remote_ != nullptr)
        return;  // of a remote checkpoint, only the tensors that are viewed are downloaded
    pass_ = std::make_shared<PassFeed>();
    look_.start();
    passing_.submit(
        [feed = pass_, checkpoint = checkpoint_] {
            Progress progress(feed->report());
            return inspect::statistics_pass(
                checkpoint->reader, {},
                [&](std::size_t tensor, const inspect::Statistics& figures) { feed->add(tensor, figures); }, progress);
        },
        [this](const inspect::PassResult& result) {
            takeFigures();
            endPass();
            if (!result.problems.empty())
                complain(tr("Some tensors cannot be read"), qtSentence(result.problems.front()));
        },
        [this](const QString&) {
            takeFigures();
            endPass();
        });
}

void CheckpointsPage::endPass() {
    if (pass_ != nullptr)
        pass_->cancelled = true;
    passing_.cancel();
    pass_.reset();
    takeFigures();
}

void CheckpointsPage::takeFigures() {
    if (pass_ != nullptr) {
        const auto figures = pass_->take();
        tensors_->model()->addFigures(figures);
        const std::optional<std::uint32_t> shown = tensors_->current();
        for (const auto& [tensor, one] : figures)
            if (shown && tensor == *shown)
                showTensor();
    }
    const PassFeed* acts = acting_->feed();
    const PassFeed* feed = acts != nullptr ? acts : compared_ != nullptr ? compared_.get() : pass_.get();
    if (feed == nullptr) {
        look_.stop();
        if (checkpoint_ != nullptr) {
            std::uint64_t elements = 0, bytes = 0;
            for (const inspect::Tensor& tensor : checkpoint_->contents.tensors)
                if (tensor.section == inspect::Section::weights) {
                    const std::size_t number = checkpoint_->reader.number_of(tensor);
                    elements += checkpoint_->quantized.is_part(number) ? 0 : checkpoint_->quantized.elements(number);
                    bytes += tensor.bytes;
                }
            tensors_->setProgress(tr("%1 weights · %2 parameters · headers read in %3")
                                      .arg(qtNumber(text::file_size(bytes)),
                                           elements < 1000 ? stepText(static_cast<std::int64_t>(elements))
                                                           : qtNumber(text::quantity(static_cast<double>(elements))),
                                           qtNumber(text::duration(opened_s_))));
        }
        return;
    }
    const quint64 done = feed->done, total = std::max<quint64>(feed->total, 1);
    QString words = acts != nullptr ? acting_->words() : compared_ != nullptr ? tr("Comparing") : tr("Reading values");
    words += tr(", %1 of %2").arg(qtNumber(text::file_size(done)), qtNumber(text::file_size(total)));
    if (const double spent = monotonic_seconds() - acting_->since(); acts != nullptr && done > 0 && spent > 1)
        words += tr(", %1 left")
                     .arg(qtNumber(text::duration(spent / static_cast<double>(done) *
                                                  static_cast<double>(total - std::min(done, total)))));
    tensors_->setProgress(words, done, total);
}

void CheckpointsPage::showTensor() {
    if (const auto other = tensors_->currentOfOther(); other && comparison_ != nullptr)
        return showTensorOfOther(*other);
    const std::optional<std::uint32_t> tensor = tensors_->current();
    if (!tensor || checkpoint_ == nullptr)
        return inspector_->showTensor({}, nullptr, nullptr, nullptr);
    const inspect::TensorChange* change = tensors_->model()->change(*tensor);
    inspector_->showTensor(tensor, tensors_->model()->figures(*tensor), nullptr, change);
    const inspect::Tensor& info = checkpoint_->contents.tensors[*tensor];
    if (remote_ != nullptr && tensors_->model()->figures(*tensor) == nullptr && inspect::is_readable(info) &&
        info.bytes <= kLargestDownload)
        other_figures_.submit(
            [checkpoint = remote_, number = *tensor](const widgets::Cancelled& cancelled) {
                Progress progress([&](std::uint64_t, std::uint64_t) { return !cancelled; });
                return inspect::statistics_of(checkpoint->reader, checkpoint->contents.tensors[number], progress);
            },
            [this, checkpoint = remote_, number = *tensor](const inspect::Statistics& figures) {
                if (checkpoint != checkpoint_)
                    return;
                tensors_->model()->addFigures({{number, figures}});
                showFacts();
                if (tensors_->current() == number)
                    inspector_->showTensor(number, tensors_->model()->figures(number), nullptr, nullptr);
            },
            [this](const QString& sentence) { complain(tr("The tensor cannot be read"), sentence); });
    if (change == nullptr || change->before == inspect::TensorChange::kNone)
        return;
    other_figures_.submit(
        [comparison = comparison_, before = change->before](const widgets::Cancelled& cancelled) {
            Progress progress([&](std::uint64_t, std::uint64_t) { return !cancelled; });
            return inspect::statistics_of(comparison->before->reader, comparison->before->contents.tensors[before],
                                          progress);
        },
        [this, tensor](const inspect::Statistics& other) {
            if (tensors_->current() == tensor)
                inspector_->showTensor(tensor, tensors_->model()->figures(*tensor), &other,
                                       tensors_->model()->change(*tensor));
        });
}

/// Shows a tensor that only the other checkpoint has.
void CheckpointsPage::showTensorOfOther(std::uint32_t tensor) {
    const OpenCheckpointPointer before = comparison_->before;
    inspector_->showTensor(tensor, nullptr, nullptr, nullptr, before);
    const inspect::Tensor& info = before->contents.tensors[tensor];
    if (!inspect::is_readable(info) || (before->far != nullptr && info.bytes > kLargestDownload))
        return;
    other_figures_.submit(
        [before, tensor](const widgets::Cancelled& cancelled) {
            Progress progress([&](std::uint64_t, std::uint64_t) { return !cancelled; });
            return inspect::statistics_of(before->reader, before->contents.tensors[tensor], progress);
        },
        [this, before, tensor](const inspect::Statistics& figures) {
            if (tensors_->currentOfOther() == tensor)
                inspector_->showTensor(tensor, &figures, nullptr, nullptr, before);
        },
        [this](const QString& sentence) { complain(tr("The tensor cannot be read"), sentence); });
}

void CheckpointsPage::endComparing() {
    reaching_other_.cancel();
    comparing_.cancel();
    if (compared_ != nullptr)
        compared_->cancelled = true;
    compared_.reset();
}

void CheckpointsPage::compareWith(int item) {
    other_ = item == chosen_ ? -1 : item;
    checkpoint_list_->setChosen(chosen_, other_);
    endComparing();
    if (other_ == -1 || checkpoint_ == nullptr) {
        comparison_.reset();
        tensors_->setComparison(nullptr);
        inspector_->setComparison(nullptr);
        showTensor();
        return;
    }
    if (QComboBox* box = tensors_->againstBox(); box->currentData().toInt() != other_)
        box->setCurrentIndex(std::max(0, box->findData(other_)));
    if (other_ == TensorPanel::kOtherPlace)
        return compareWithOtherPlace();
    const inspect::CheckpointEntry& entry = checkpoint_list_->checkpoint_list().items[static_cast<std::size_t>(other_)];
    beginComparing(
        [path = entry.folder.string()]() -> OpenCheckpointPointer {
            return std::make_shared<const OpenCheckpoint>(path);
        },
        stepWords(entry));
}

void CheckpointsPage::compareWithPlace(const QString& place) {
    other_place_ = place.trimmed();
    far_other_.reset();
    showOthers();
    compareWith(TensorPanel::kOtherPlace);
}

void CheckpointsPage::compareWithOtherPlace() {
    const QString name = tensors_->againstBox()->currentText();
    if (far_other_ != nullptr)
        return beginComparing([far = far_other_] { return far; }, name);
    const auto far = QDir::isAbsolutePath(other_place_) ? std::nullopt : remote_place(other_place_);
    if (!far)
        return beginComparing(
            [place = other_place_.toStdString(), root = runs_root_.toStdString()]() -> OpenCheckpointPointer {
                return std::make_shared<const OpenCheckpoint>(inspect::find_checkpoint(root, place).string());
            },
            name);
    tensors_->setProgress(tr("Connecting to %1…").arg(far->host));
    reaching_other_.submit(
        [far = *far, asker = asker_](const widgets::Cancelled& cancelled) {
            return list_far_checkpoint(far, asker, HangUp(cancelled).cancel()).far;
        },
        [this, name](const OpenCheckpointPointer& other) {
            far_other_ = other;
            beginComparing([other] { return other; }, name);
        },
        [this](const QString& sentence) { comparingFailed(sentence); });
}

void CheckpointsPage::comparingFailed(const QString& sentence) {
    const bool cancelled = compared_ != nullptr && compared_->cancelled;
    compared_.reset();
    takeFigures();
    if (cancelled)
        return;
    complain(tr("The checkpoints cannot be compared"), sentence);
    if (other_ == TensorPanel::kOtherPlace) {
        other_place_.clear();
        compareWith(-1);
        showOthers();
    }
}

void CheckpointsPage::beginComparing(const std::function<OpenCheckpointPointer()>& open_other, const QString& name) {
    compared_ = std::make_shared<PassFeed>();
    look_.start();
    comparing_.submit(
        [feed = compared_, after = checkpoint_, open_other, name]() -> OpenComparisonPointer {
            auto result = std::make_shared<OpenComparison>();
            result->before = open_other();
            result->before_name = name;
            Progress progress(feed->report());
            result->comparison = inspect::compare(result->before->reader, after->reader, progress);
            result->row_of.assign(after->contents.tensors.size(), result->comparison.rows.size());
            for (std::size_t row = 0; row < result->comparison.rows.size(); ++row)
                if (const std::uint32_t tensor = result->comparison.rows[row].after;
                    tensor != inspect::TensorChange::kNone)
                    result->row_of[tensor] = row;
            return result;
        },
        [this](const OpenComparisonPointer& comparison) {
            compared_.reset();
            comparison_ = comparison;
            tensors_->setComparison(comparison);
            inspector_->setComparison(comparison);
            showTensor();
            takeFigures();
            if (!comparison->comparison.problems.empty())
                complain(tr("Not everything can be compared"), qtSentence(comparison->comparison.problems.front()));
        },
        [this](const QString& sentence) { comparingFailed(sentence); });
}

}  // namespace trainyard::desktop
