// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/inspector.h"

#include <algorithm>
#include <map>

#include <QFormLayout>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "base/text.h"
#include "desktop/checkpoints/painted.h"
#include "desktop/shell/ui.h"
#include "widgets/job.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::value_number;

namespace {

constexpr int kSliceRows = 24, kSliceColumns = 24, kShownColumns = 6;

struct Slice {
    std::vector<float> values;
    int columns = 0;
    std::optional<inspect::Statistics> magnitudes;  ///< of a quantized weight
    std::optional<inspect::Statistics> part;        ///< of the rows that mean something together
};

/// An attention head, or the row of a token.
std::optional<inspect::Statistics> figures_of_rows(const OpenCheckpoint& checkpoint, std::uint32_t number,
                                                   std::int64_t first, std::int64_t rows) {
    constexpr std::uint64_t kMostElements = 8u << 20;
    const inspect::Tensor& tensor = checkpoint.contents.tensors[number];
    const std::uint64_t width =
        checkpoint.quantized.elements(number) / static_cast<std::uint64_t>(checkpoint.quantized.shape(number).front());
    if (rows == 0 || width * static_cast<std::uint64_t>(rows) > kMostElements)
        return std::nullopt;
    const std::vector<float> values = checkpoint.reader.values(tensor, static_cast<std::uint64_t>(first) * width,
                                                               static_cast<std::uint64_t>(rows) * width);
    return inspect::statistics_of("F32", std::as_bytes(std::span(values)));
}

/// Elements of some rows: of a vector, of its elements from that place on.
Slice read_slice(const OpenCheckpoint& checkpoint, std::uint32_t number, std::int64_t first_row) {
    const inspect::Tensor& tensor = checkpoint.contents.tensors[number];
    if (!inspect::is_readable(tensor))
        return {};
    const std::vector<std::int64_t>& shape = checkpoint.quantized.shape(number);
    const std::uint64_t all = checkpoint.quantized.elements(number);
    const std::uint64_t width =
        shape.size() < 2 || all == 0 ? kSliceColumns : all / static_cast<std::uint64_t>(shape.front());
    const std::uint64_t columns = std::min<std::uint64_t>(width, kSliceColumns);
    Slice slice;
    if (checkpoint.quantized.is_quantized(number)) {
        const std::vector<float> magnitudes = checkpoint.quantized.magnitudes(number);
        slice.magnitudes = inspect::statistics_of("F32", std::as_bytes(std::span(magnitudes)));
    }
    slice.columns = static_cast<int>(columns);
    for (std::uint64_t row = 0; row < kSliceRows; ++row) {
        const std::uint64_t first = (static_cast<std::uint64_t>(first_row) + row) * width;
        if (first >= all)
            break;
        const std::vector<float> values = checkpoint.reader.values(tensor, first, columns);
        slice.values.insert(slice.values.end(), values.begin(), values.end());
    }
    return slice;
}

QFrame* panel(QVBoxLayout* layout) {
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(6);
    return make_frame("panel", layout);
}

void clear_rows(QFormLayout* form) {
    while (form->rowCount() > 0)
        form->removeRow(0);
}

void add_row(QFormLayout* form, const QString& name, const QString& value, Tone tone = Tone::Text) {
    auto* label = make_mono_label(value, 12, tone);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form->addRow(make_note(name), label);
}

/// Numbers with as many digits as the panel has room for.
QString short_words(const QString& value) {
    bool number = false, whole = false;
    const double real = value.toDouble(&number);
    const qlonglong integer = value.toLongLong(&whole);
    constexpr qsizetype kMostLetters = 14;
    return whole                         ? stepText(integer)
           : number                      ? value_number(real)
           : value.size() > kMostLetters ? value.left(kMostLetters - 1) + QStringLiteral("…")
                                         : value;
}

QFormLayout* make_form() {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(3);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

/// Of an attention projection, by the configuration beside the weights: the rows of a head.
int rows_of_head(const inspect::Contents& contents, const std::string& name, const std::vector<std::int64_t>& shape) {
    const bool query = name.find("q_proj.weight") != std::string::npos || name.ends_with("query.weight");
    const bool key = name.find("k_proj.weight") != std::string::npos ||
                     name.find("v_proj.weight") != std::string::npos || name.ends_with("key.weight") ||
                     name.ends_with("value.weight");
    if ((!query && !key) || shape.size() != 2)
        return 0;
    std::string heads = key ? contents.value("config.num_key_value_heads") : "";
    if (heads.empty())
        heads = contents.value("config.num_attention_heads");
    const int count = QByteArray::fromStdString(heads).toInt();
    return count > 0 && shape.front() % count == 0 ? static_cast<int>(shape.front() / count) : 0;
}

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      name_(wrapped(make_title({}))),
      module_(wrapped(make_mono_label({}, 11, Tone::Muted))),
      bars_(new HistogramBars),
      scale_(new widgets::SegmentedControl({tr("Log"), tr("Linear")})),
      view_(new widgets::SegmentedControl({tr("Picture"), tr("Numbers")})),
      figures_(make_form()),
      row_(named(new widgets::NumberBox, tr("First row"))),
      head_(named(new widgets::NumberBox, tr("Attention head"))),
      head_label_(make_note(tr("Head"))),
      part_(wrapped(make_mono_label({}, 11, Tone::Secondary))),
      magnitudes_(wrapped(make_mono_label({}, 11, Tone::Secondary))),
      numbers_(named(new QPlainTextEdit, tr("Elements"))),
      picture_(new SlicePicture),
      slice_box_(new QWidget),
      grid_(new LayerGrid),
      state_(make_form()),
      reading_(new widgets::Job(this)) {
    numbers_->setReadOnly(true);
    numbers_->setProperty("surface", QStringLiteral("code"));
    numbers_->setFont(Theme::instance().mono(11));
    numbers_->setLineWrapMode(QPlainTextEdit::NoWrap);
    numbers_->setFixedHeight(130_px);
    numbers_->setTabChangesFocus(true);
    slice_box_->setLayout(make_column({0, 4, 0, 0}, 4,
                                      {make_row({make_note(tr("Row")), row_, head_label_, head_, stretch()}),
                                       part_,
                                       magnitudes_,
                                       {view_, 0, Qt::AlignLeft},
                                       picture_,
                                       numbers_}));
    numbers_->hide();
    auto* tensor = make_column({name_, module_, bars_, {scale_, 0, Qt::AlignRight}, figures_, slice_box_});
    auto* changes = make_column({make_title(tr("Change by layer")), grid_});
    grid_panel_ = panel(changes);
    auto* state = make_column({make_title(tr("State")), state_, stretch()});
    setLayout(make_column({0, 0, 0, 0}, 8, {panel(tensor), grid_panel_, {panel(state), 1}}));
    connect(scale_, &widgets::SegmentedControl::currentChanged, bars_,
            [this](int which) { bars_->setLogarithmic(which == 0); });
    connect(view_, &widgets::SegmentedControl::currentChanged, this, [this](int which) {
        picture_->setVisible(which == 0);
        numbers_->setVisible(which == 1);
    });
    connect(row_, &QSpinBox::valueChanged, this, &Inspector::readSlice);
    connect(head_, &QSpinBox::valueChanged, this, [this](int head) { row_->setValue(head * head_rows_); });
    connect(grid_, &LayerGrid::tensorClicked, this, &Inspector::tensorRequested);
    grid_panel_->hide();
    showTensor({}, nullptr, nullptr, nullptr);
}

void Inspector::setCheckpoint(OpenCheckpointPointer checkpoint) {
    checkpoint_ = std::move(checkpoint);
    showTensor({}, nullptr, nullptr, nullptr);
    setComparison(nullptr);
    showState();
}

void Inspector::showTensor(std::optional<std::uint32_t> tensor, const inspect::Statistics* figures,
                           const inspect::Statistics* other, const inspect::TensorChange* change,
                           const OpenCheckpointPointer& from) {
    const OpenCheckpointPointer& owner = from != nullptr ? from : checkpoint_;
    const bool another = tensor != tensor_ || owner != from_;
    tensor_ = tensor;
    from_ = owner;
    clear_rows(figures_);
    bars_->setFigures(figures, other);
    const bool numeric = tensor && inspect::is_readable(from_->contents.tensors[*tensor]);
    for (QWidget* part : std::initializer_list<QWidget*>{bars_, scale_})
        part->setVisible(tensor.has_value());
    slice_box_->setVisible(numeric);
    module_->setVisible(tensor.has_value());
    grid_->setChosen(from == nullptr ? tensor.value_or(UINT32_MAX) : UINT32_MAX);
    if (!tensor) {
        name_->setText(tr("Choose a tensor to see its values."));
        reading_->cancel();
        return;
    }
    const inspect::Tensor& info = from_->contents.tensors[*tensor];
    const QString full = qt(info.name);
    const qsizetype cut = full.lastIndexOf(QLatin1Char('.'), full.lastIndexOf(QLatin1Char('.')) - 1);
    name_->setText(cut > 0 ? full.mid(cut + 1) : full);
    module_->setText(cut > 0 ? full.left(cut) : qt(inspect::name_of(info.section)));
    if (figures != nullptr) {
        for (const auto& [name, value] : {std::pair(tr("min"), figures->min),
                                          {tr("max"), figures->max},
                                          {tr("mean"), figures->mean()},
                                          {tr("std"), figures->deviation()},
                                          {tr("L2 norm"), figures->norm()}})
            add_row(figures_, name, value_number(value));
        add_row(figures_, tr("zeros"), stepText(static_cast<std::int64_t>(figures->zeros)));
        add_row(figures_, tr("NaN, Inf"),
                stepText(static_cast<std::int64_t>(figures->nan)) + QLatin1String(", ") +
                    stepText(static_cast<std::int64_t>(figures->infinite)),
                figures->nan + figures->infinite > 0 ? Tone::Error : Tone::Text);
    }
    if (change != nullptr && change->compared) {
        add_row(figures_, tr("change, relative"), value_number(change->relative * 100, 3) + QStringLiteral(" %"));
        add_row(figures_, tr("change, norm"), value_number(change->norm()));
    }
    if (change != nullptr && change->before != inspect::TensorChange::kNone && comparison_ != nullptr)
        if (const std::string& type = comparison_->before->contents.tensors[change->before].dtype; type != info.dtype)
            add_row(figures_, tr("type before"), qt(inspect::shown_dtype(type)));
    if (!another)
        return;
    const std::vector<std::int64_t>& shape = from_->quantized.shape(*tensor);
    head_rows_ = rows_of_head(from_->contents, info.name, shape);
    head_label_->setVisible(head_rows_ > 0);
    head_->setVisible(head_rows_ > 0);
    const std::int64_t rows = shape.empty()       ? 1
                              : shape.size() == 1 ? (shape[0] + kSliceColumns - 1) / kSliceColumns
                                                  : shape[0];
    const QSignalBlocker row_quiet(row_), head_quiet(head_);
    row_->setRange(0, static_cast<int>(std::clamp<std::int64_t>(rows - 1, 0, INT_MAX)));
    row_->setValue(0);
    if (head_rows_ > 0)
        head_->setRange(0, static_cast<int>(shape.front()) / head_rows_ - 1);
    head_->setValue(0);
    is_tokens_ = shape.size() == 2 &&
                 (info.name.find("embed") != std::string::npos || info.name.find("wte") != std::string::npos);
    row_->setToolTip(is_tokens_ ? tr("The row is the id of the token.") : QString());
    readSlice();
}

void Inspector::readSlice() {
    if (!tensor_ || !inspect::is_readable(from_->contents.tensors[*tensor_]))
        return;
    const int first = row_->value(),
              rows = head_rows_ > 0 ? head_rows_
                     : is_tokens_   ? 1
                                    : 0,
              begin = head_rows_ > 0 ? first / head_rows_ * head_rows_ : first;
    reading_->submit(
        [checkpoint = from_, number = *tensor_, first, begin, rows] {
            Slice slice = read_slice(*checkpoint, number, first);
            if (rows > 0)
                slice.part = figures_of_rows(*checkpoint, number, begin, rows);
            return slice;
        },
        [this, begin, rows](const Slice& slice) {
            magnitudes_->setVisible(slice.magnitudes.has_value());
            if (slice.magnitudes)
                magnitudes_->setText(tr("%1: magnitudes from %2 to %3, mean %4")
                                         .arg(qt(from_->quantized.method(*tensor_)),
                                              value_number(slice.magnitudes->min), value_number(slice.magnitudes->max),
                                              value_number(slice.magnitudes->mean())));
            part_->setVisible(slice.part.has_value());
            part_->setText(!slice.part ? QString()
                           : head_rows_ > 0
                               ? tr("head %1: norm %2, std %3")
                                     .arg(begin / rows)
                                     .arg(value_number(slice.part->norm()), value_number(slice.part->deviation()))
                               : tr("token %1: norm %2").arg(begin).arg(value_number(slice.part->norm())));
            picture_->setValues(slice.values, std::max(slice.columns, 1));
            QString text;
            for (std::size_t i = 0; i < slice.values.size(); ++i) {
                const int column = static_cast<int>(i) % std::max(slice.columns, 1);
                if (column < kShownColumns)
                    text += value_number(static_cast<double>(slice.values[i]), 3).rightJustified(9);
                if (column == slice.columns - 1)
                    text += QLatin1Char('\n');
            }
            numbers_->setPlainText(text);
        },
        [this](const QString& sentence) {
            picture_->setValues({}, 1);
            numbers_->setPlainText(widgets::visible_text(sentence));
        });
}

void Inspector::setComparison(const OpenComparisonPointer& comparison) {
    comparison_ = comparison;
    std::map<std::string, int> rows;
    std::vector<LayerGrid::Square> squares;
    int columns = 0;
    if (comparison != nullptr && checkpoint_ != nullptr)
        for (const inspect::TensorChange& change : comparison->comparison.rows) {
            if (!change.compared || change.after == inspect::TensorChange::kNone)
                continue;
            const inspect::Tensor& tensor = checkpoint_->contents.tensors[change.after];
            const auto place = inspect::layer_of(tensor.name);
            if (tensor.section != inspect::Section::weights || tensor.shape.size() < 2 || !place || place->layer > 500)
                continue;
            const int row = rows.emplace(place->kind, static_cast<int>(rows.size())).first->second;
            squares.push_back({row, static_cast<int>(place->layer), change.relative, change.after});
            columns = std::max(columns, static_cast<int>(place->layer) + 1);
        }
    QStringList names;
    for (std::size_t i = 0; i < rows.size(); ++i)
        names << QString();
    for (const auto& [kind, row] : rows) {
        // "self_attn.q_proj.weight" is "q_proj".
        QStringList parts = qt(kind).split(QLatin1Char('.'));
        if (parts.size() > 1 && parts.last() == QLatin1String("weight"))
            parts.removeLast();
        names[row] = parts.last();
    }
    grid_panel_->setVisible(!squares.empty());
    grid_->setSquares(names, columns, std::move(squares));
}

void Inspector::showState() {
    clear_rows(state_);
    if (checkpoint_ == nullptr)
        return;
    static constexpr std::pair<const char*, const char*> kShown[] = {
        {"step", QT_TR_NOOP("step")},
        {"position.tokens", QT_TR_NOOP("tokens")},
        {"position.samples", QT_TR_NOOP("samples")},
        {"position.epoch", QT_TR_NOOP("epoch")},
        {"world size", QT_TR_NOOP("world size")},
        {"mesh", QT_TR_NOOP("mesh")},
        {"metric", QT_TR_NOOP("metric")},
        {"param_groups.0.lr", QT_TR_NOOP("learning rate")},
        {"param_groups.0.weight_decay", QT_TR_NOOP("weight decay")},
        {"adapter_config.r", QT_TR_NOOP("rank of the adapter")},
        {"adapter_config.lora_alpha", QT_TR_NOOP("alpha of the adapter")},
        {"config.model_type", QT_TR_NOOP("model")},
        {"general.architecture", QT_TR_NOOP("model")},
    };
    int groups = 0, random = 0;
    for (const inspect::Value& value : checkpoint_->contents.values) {
        groups += value.key.find("param_groups.") != std::string::npos && value.key.ends_with(".lr") ? 1 : 0;
        random += value.key.starts_with("random_states_") ? 1 : 0;
    }
    for (const auto& [key, name] : kShown)
        if (const std::string value = checkpoint_->contents.value(key); !value.empty())
            add_row(state_, tr(name), short_words(qt(value)));
    if (groups > 0)
        add_row(state_, tr("optimizer groups"), QString::number(groups));
    if (random > 0)
        add_row(state_, tr("random state"), tr("saved"));
    if (checkpoint_->contents.format.empty())
        return;
    auto* format = wrapped(make_note(qtSentence(checkpoint_->contents.format), Tone::Text));
    format->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    format->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    state_->addRow(make_note(tr("format")), format);
}

}  // namespace trainyard::desktop
