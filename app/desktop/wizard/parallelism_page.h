// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How ranks share the model: four ways as cards (Megatron-LM under More), below them the questions of the one that is chosen. A card
// answers the questions ds, fsdp, pc and mlm of the tree in one undo step. With several ranks the sizes of the mesh of a
// recipe follow, with the ranks over the hosts (mesh_editor.h).

#include "desktop/wizard/question_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class CardRow;
class ChoiceCard;
class MeshEditor;

class ParallelismPage : public QuestionPage {
    Q_OBJECT
  public:
    explicit ParallelismPage(RunDraft* draft, QWidget* parent = nullptr);
    /// Replicate, Shard, ZeRO, Mesh, Megatron-LM.
    ChoiceCard* card(Layout layout) const;
    void choose(Layout layout);
    bool focusField(const QString& key) override;
    void focusFirst() override;
    /// Says what the engine does not train; hidden when it trains what is chosen.
    widgets::InlineMessage* limit() const { return limit_; }
    MeshEditor* mesh() const { return mesh_; }

  signals:
    void ownScriptWanted();

  protected:
    void takeValues() override;
    bool isElsewhere(const QString& id) const override;

  private:
    void sayLimit();
    void addMesh();
    void takeMesh();

    CardRow* cards_;
    QVBoxLayout* sizes_ = nullptr;
    MeshEditor* mesh_ = nullptr;
    widgets::InlineMessage* limit_;
    ChoiceCard* megatron_;
};

}  // namespace trainyard::desktop
