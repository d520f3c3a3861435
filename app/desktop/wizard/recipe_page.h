#pragma once
// Pages whose rows are keys of the recipe (Model, Data, Training, Output), made from recipe_rows.h; what only one of them has (sizes
// to choose from, buttons for files, the batch on another number of ranks) is added by its own class here.

#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class BatchPanel;
class DataPanel;

class RecipePage : public StepPage {
    Q_OBJECT
  public:
    RecipePage(RunDraft* draft, Step step, const QString& title, const QString& subtitle, QWidget* parent = nullptr);

  protected:
    void takeValues() override;
    /// The block the row of this key stands in.
    QVBoxLayout* blockOf(const QString& key) const;

  private:
    QStringList keys_;
    QHash<QString, QVBoxLayout*> blocks_;
};

class ModelPage : public RecipePage {
    Q_OBJECT
  public:
    explicit ModelPage(RunDraft* draft, QWidget* parent = nullptr);

  protected:
    void takeValues() override;

  private:
    void chooseSize(int index);
    widgets::SegmentedControl* sizes_;
    bool filling_ = false;
};

class DataPage : public RecipePage {
    Q_OBJECT
  public:
    explicit DataPage(RunDraft* draft, QWidget* parent = nullptr);
    /// A file or folder; takes every file of a folder where the pattern was the sample's.
    static void setPath(RunDraft* draft, const QString& path);

  protected:
    void takeValues() override;

  private:
    DataPanel* panel_;
};

class TrainingPage : public RecipePage {
    Q_OBJECT
  public:
    explicit TrainingPage(RunDraft* draft, QWidget* parent = nullptr);

  protected:
    void takeValues() override;

  private:
    BatchPanel* batch_;
};

}  // namespace trainyard::desktop
