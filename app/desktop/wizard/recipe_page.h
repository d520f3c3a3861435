// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pages whose rows are keys of the recipe (Model, Data, Training, Output), built from recipe_rows.h. Subclasses add
// what only one page has (a choice of sizes, buttons for files, the batch for another number of ranks).

#include <memory>

#include <QHash>
#include <QSet>

#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class BatchPanel;
class DataPanel;
class DialogAsker;
class HubDownload;
struct DataLook;

class RecipePage : public StepPage {
    Q_OBJECT
  public:
    RecipePage(RunDraft* draft, Step step, const QString& title, const QString& subtitle, QWidget* parent = nullptr);

    bool focusField(const QString& key) override;

  protected:
    void takeValues() override;
    /// The block that contains the row of this key.
    QVBoxLayout* blockOf(const QString& key) const;
    /// Whether the key applies to the current choices. If not, its row is still shown when it has a problem or was
    /// searched for.
    virtual bool isRelevant(const QString& /*key*/) const { return true; }
    bool isBeingSolved(const QString& key) const override;
    const QStringList& keys() const { return keys_; }

  private:
    void addChooser(const QString& key);
    QStringList keys_;
    QSet<QString> wanted_;  ///< keys shown because they were searched for, although they do not apply
    QHash<QString, QVBoxLayout*> blocks_;
    QVector<HubDownload*> downloads_;
    QVBoxLayout* folded_block_ = nullptr;
};

class ModelPage : public RecipePage {
    Q_OBJECT
  public:
    explicit ModelPage(RunDraft* draft, QWidget* parent = nullptr);

    /// One line about the model that a draft starts from; empty: unknown.
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
    ~DataPage() override;
    /// Sets a file or folder. For a folder, the sample's pattern is replaced by one that matches every file.
    static void setPath(RunDraft* draft, const QString& path);

  protected:
    void takeValues() override;
    bool isRelevant(const QString& key) const override;

  private:
    void offerColumns(const QString& key);
    /// Whether the files have columns.
    bool hasTables() const;
    void showLook(const DataLook& look);
    DataPanel* panel_;
    std::shared_ptr<DialogAsker> asker_;  ///< of hosts with the data, once one is asked again
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
