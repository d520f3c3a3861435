// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Below the fields of the data: facts of the files, of tables the first rows with what each column is used for, else
// three places of the text; how a tokenizer cuts the first sample; and where the pattern finds nothing a button with
// the one that does.

#include <QFrame>
#include <QVector>

#include "desktop/wizard/data_look.h"
#include "widgets/forward.h"

class QTableWidget;

namespace trainyard::desktop {

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
    /// `hasPath`: the recipe names files, found or not.
    void showLook(const DataLook& look, const QVector<Role>& roles, bool hasPath);
    QLabel* facts() const { return facts_; }
    QTableWidget* preview() const { return preview_; }
    QLabel* tokens() const { return tokens_; }
    QStringList sampleTexts() const { return look_.samples; }

  signals:
    void patternWanted(const QString& pattern);
    /// An empty column: none is named.
    void columnWanted(const QString& key, const QString& column);

  private:
    void showRows();
    void openRoles(int column);
    QString roleOf(const QString& column) const;

    DataLook look_;
    QVector<Role> roles_;
    QLabel* facts_;
    QPushButton* use_;
    QTableWidget* preview_;
    QLabel* preview_note_;
    QLabel* tokens_;
    QVBoxLayout* samples_;
    QVector<widgets::ElidedLabel*> lines_;
};

}  // namespace trainyard::desktop
