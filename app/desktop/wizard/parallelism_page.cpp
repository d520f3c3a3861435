// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/parallelism_page.h"

#include <algorithm>

#include <QPushButton>
#include <QVBoxLayout>

#include "desktop/text/qt_text.h"
#include "desktop/wizard/choice_card.h"
#include "desktop/wizard/mesh_editor.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

/// The question that a card says yes to, in the order of Layout.
constexpr std::string_view kQuestions[] = {"", "fsdp", "ds", "pc", "mlm"};

QString layoutQuestion(Layout layout) {
    return qt(kQuestions[static_cast<int>(layout)]);
}

}  // namespace

ParallelismPage::ParallelismPage(RunDraft* draft, QWidget* parent)
    : QuestionPage(draft, settings::Topic::parallelism, parent) {
    const QVector<ChoiceCard*> ways{
        new ChoiceCard(tr("Replicate"), tr("DDP: the whole model on every device, gradients averaged")),
        new ChoiceCard(tr("Shard"), tr("FSDP: all state split over the ranks")),
        new ChoiceCard(tr("ZeRO"), tr("DeepSpeed's names, stage 0 to 3, offload to CPU or NVMe")),
        new ChoiceCard(tr("Mesh"), tr("FSDP 2 with tensor and context parallelism"))};
    cards_ = new CardRow(ways);
    for (int i = 0; i < ways.size(); ++i) {
        ways[i]->setMinimumHeight(92_px);
        connect(ways[i], &ChoiceCard::activated, this, [this, i] { choose(static_cast<Layout>(i)); });
    }
    QVBoxLayout* block = addBlock({});
    block->addWidget(cards_);
    limit_ = new widgets::InlineMessage;
    connect(limit_->addAction(tr("Train data-parallel")), &QPushButton::clicked, this,
            [this] { choose(Layout::Replicate); });
    connect(limit_->addAction(tr("Use my script")), &QPushButton::clicked, this, &ParallelismPage::ownScriptWanted);
    block->addWidget(limit_);
    addMesh();
    QVBoxLayout* folded = addFolded(tr("More ways"));
    megatron_ = new ChoiceCard(tr("Megatron-LM"), tr("tensor, pipeline and sequence parallelism by its names"));
    folded->addWidget(megatron_);
    connect(megatron_, &ChoiceCard::activated, this, [this] { choose(Layout::Megatron); });
}

void ParallelismPage::addMesh() {
    const int kSizeWidth = 120_px;
    mesh_ = new MeshEditor(draft());
    addBlock({})->addWidget(mesh_);
    sizes_ = addBlock(tr("Sizes of the mesh"));
    for (const QString& key : meshKeys()) {
        const RecipeRow* row = findRecipeRow(key);
        Field& field = addField(sizes_, -1, key, {}, key.section(QLatin1Char('.'), -1), row->label, row->hint,
                                new FieldEditor(FieldEditor::Kind::Line, {}),
                                [this, key](const QString& value) { draft()->setRecipeValue(key, value.trimmed()); });
        field.row->setEditorWidth(kSizeWidth);
    }
}

void ParallelismPage::takeMesh() {
    const bool trains = draft()->purpose() == Purpose::Engine;
    sizes_->parentWidget()->setVisible(trains);
    for (const QString& key : meshKeys()) {
        row(key)->setVisible(meshQuestion(*draft(), key).isEmpty());  // asked by the card Mesh
        if (FieldEditor* field = editor(key); field->value().trimmed() != draft()->recipeValue(key))
            field->setValue(draft()->recipeValue(key));
    }
    mesh_->refresh();
}

ChoiceCard* ParallelismPage::card(Layout layout) const {
    return layout == Layout::Megatron ? megatron_ : cards_->card(static_cast<int>(layout));
}

bool ParallelismPage::isElsewhere(const QString& id) const {
    return !id.isEmpty() && std::ranges::find(kQuestions, id.toStdString()) != std::end(kQuestions);
}

void ParallelismPage::choose(Layout layout) {
    if (card(layout)->isBlocked())
        return;
    auto say = [this](const char* id, bool yes) {
        const QString answer = yes ? QStringLiteral("yes") : QStringLiteral("no");
        if (draft()->answerOf(QLatin1String(id)) != answer)
            draft()->answer(QLatin1String(id), answer);
    };
    draft()->beginStep();
    // What hides the others first: a question is asked only while none before it was answered with yes.
    say("ds", layout == Layout::Zero);
    say("fsdp", layout == Layout::Shard || layout == Layout::Mesh);
    say("mlm", layout == Layout::Megatron);
    if (layout == Layout::Mesh && draft()->answerOf(QStringLiteral("fsdp_version")) != QLatin1String("2"))
        draft()->answer(QStringLiteral("fsdp_version"), QStringLiteral("2"));
    say("pc", layout == Layout::Mesh);
    draft()->endStep();
}

void ParallelismPage::takeValues() {
    const settings::Questionnaire& tree = draft()->questionnaire();
    const settings::Answers& answers = draft()->draft().answers();
    const int ranks = draft()->ranks();
    setHeading(ranks > 1 ? tr("Parallelism of %1 ranks").arg(ranks) : tr("Parallelism"),
               tr("Nothing is written until you launch or save."));
    // Another card would be possible if none were chosen.
    settings::Answers none = answers;
    for (const std::string_view id : kQuestions)
        none[std::string(id)] = "no";
    const Layout now = layoutOf(*draft());
    for (Layout layout : {Layout::Replicate, Layout::Shard, Layout::Zero, Layout::Mesh, Layout::Megatron}) {
        const QString id = layout == Layout::Mesh ? QStringLiteral("fsdp") : layoutQuestion(layout);
        const settings::Question* question = id.isEmpty() ? nullptr : tree.find(id.toStdString());
        QString reason;
        if (question != nullptr && !tree.shown(*question, none))
            reason = engineWords(tree.hidden_because(*question, none));
        card(layout)->setBlocked(reason);
        if (layout == Layout::Megatron)
            megatron_->setCaution(refusedOptions(*draft(), *question));
        card(layout)->setChosen(layout == now);
    }
    if (now == Layout::Megatron)
        unfold();
    sayLimit();
    QuestionPage::takeValues();
    takeMesh();
}

void ParallelismPage::sayLimit() {
    const auto limit = std::ranges::find(problems(), true, &FieldProblem::beyond_engine);
    if (limit == problems().end())
        return limit_->dismiss();
    limit_->showMessage(widgets::InlineMessage::Kind::Error, tr("The engine does not train this layout"),
                        limit->sentence);
}

bool ParallelismPage::focusField(const QString& key) {
    for (Layout layout : {Layout::Shard, Layout::Zero, Layout::Mesh, Layout::Megatron})
        if (key == layoutQuestion(layout)) {
            if (layout == Layout::Megatron)
                unfold();
            card(layout)->setFocus(Qt::OtherFocusReason);
            emit seen(card(layout));
            return true;
        }
    const QString question = meshQuestion(*draft(), key);
    return QuestionPage::focusField(question.isEmpty() ? key : question);
}

void ParallelismPage::focusFirst() {
    const Layout now = layoutOf(*draft());
    card(now == Layout::Megatron && !megatron_->isVisibleTo(this) ? Layout::Replicate : now)
        ->setFocus(Qt::OtherFocusReason);
}

}  // namespace trainyard::desktop
