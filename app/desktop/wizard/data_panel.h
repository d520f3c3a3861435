#pragma once
// Below the fields of the data: what stands in the files, three places of them as they are decoded, and where the pattern finds nothing a
// button with the one that does.

#include <QFrame>

#include "desktop/wizard/data_look.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class DataPanel : public QFrame {
    Q_OBJECT
  public:
    explicit DataPanel(QWidget* parent = nullptr);
    void showLook(const DataLook& look);
    QLabel* facts() const { return facts_; }
    QStringList sampleTexts() const { return look_.samples; }

  signals:
    void patternWanted(const QString& pattern);

  private:
    DataLook look_;
    QLabel* facts_;
    QPushButton* use_;
    QVBoxLayout* samples_;
    QVector<widgets::ElidedLabel*> lines_;
};

}  // namespace trainyard::desktop
