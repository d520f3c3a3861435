// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The data of a recipe: facts of the files, the first rows of any format with small pictures, what each column is used
// for, and the tokens of the selected row as the model sees it, with those that the loss does not count; and where the
// pattern finds nothing a button with the one that does.

#include <QFrame>
#include <QVector>

#include "desktop/data/data_look.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class PreviewModel;
class TokenStrip;

class DataPanel : public QFrame {
    Q_OBJECT
  public:
    /// Uses of a column.
    struct Role {
        QString key;  ///< of the recipe, such as data.label_column
        QString label;
        bool operator==(const Role&) const = default;
    };
    explicit DataPanel(QWidget* parent = nullptr);
    /// `hasPath`: the recipe names files, found or not. `tellsProblem`: shows why there are no rows, which a form shows
    /// next to its fields.
    void showLook(const DataLook& look, const QVector<Role>& roles, bool hasPath, bool tellsProblem = false);
    /// Before there is a look. `host`: where the files are; empty: on this machine.
    void showReading(const QString& host = {});
    /// Files of a host that are not read: with a button that reads them. `problem`: why the last attempt failed.
    void showNotRead(const QString& host, const QString& problem);
    QLabel* facts() const { return facts_; }
    QTableView* preview() const { return preview_; }
    TokenStrip* tokens() const { return tokens_; }

  signals:
    void patternWanted(const QString& pattern);
    /// An empty column: none is named.
    void columnWanted(const QString& key, const QString& column);
    void hostWanted();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void showRows();
    void fitColumns();
    void showTokens();
    static QString countedWords(const inputs::SamplePreviews& all);
    void openRoles(int column);
    QString roleOf(const QString& column) const;

    DataLook look_;
    QVector<Role> roles_;
    bool tells_problem_ = false;  ///< no form does
    QLabel* facts_;
    QPushButton* use_;
    QPushButton* read_host_;
    PreviewModel* rows_;
    QTableView* preview_;
    QVector<int> wanted_;  ///< widths of the columns that show their texts whole
    QLabel* preview_note_;
    QLabel* left_out_;
    QLabel* tokens_title_;
    TokenStrip* tokens_;
    QLabel* tokens_note_;
    QVBoxLayout* samples_;
    QVector<widgets::ElidedLabel*> lines_;
};

}  // namespace trainyard::desktop
