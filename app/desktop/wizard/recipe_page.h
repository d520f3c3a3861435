#pragma once
// Pages whose rows are keys of the recipe (Model, Data, Training, Output), made from recipe_rows.h; what only one of them has (sizes
// to choose from, buttons for files, the batch on another number of ranks) is added by its own class here.

#include <QHash>
#include <QSet>

#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class BatchPanel;
class DataPanel;

class RecipePage : public StepPage {
    Q_OBJECT
  public:
    RecipePage(RunDraft* draft, Step step, const QString& title, const QString& subtitle, QWidget* parent = nullptr);

    bool focusField(const QString& key) override;

  protected:
    void takeValues() override;
    /// The block the row of this key stands in.
    QVBoxLayout* blockOf(const QString& key) const;
    /// False: the key means nothing for what is chosen. Its row is shown all the same when it has a problem or was
    /// looked for.
    virtual bool isRelevant(const QString& /*key*/) const { return true; }
    const QStringList& keys() const { return keys_; }

  private:
    void addChooser(const QString& key);
    QStringList keys_;
    QSet<QString> wanted_;  ///< looked for, though they mean nothing now
    QHash<QString, QVBoxLayout*> blocks_;
    QVBoxLayout* folded_block_ = nullptr;
};

class ModelPage : public RecipePage {
    Q_OBJECT
  public:
    explicit ModelPage(RunDraft* draft, QWidget* parent = nullptr);

    /// The facts of the model that a draft starts from, as one line; empty: none is known.
    QString facts() const;

  protected:
    void takeValues() override;
    bool isRelevant(const QString& key) const override;

  private:
    void chooseSize(int index);
    bool hasFacts() const;
    widgets::SegmentedControl* sizes_;
    widgets::FieldRow* size_row_;
    QLabel* facts_;
    QSet<QString> chosen_;
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
    bool isRelevant(const QString& key) const override;

  private:
    void offerColumns(const QString& key);
    DataPanel* panel_;
    QHash<QString, QPushButton*> column_buttons_;
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
