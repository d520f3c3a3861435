// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts over steps as TensorBoard's text dashboard shows them: Markdown with tables. Nothing is fetched: pictures and
// style sheets a text refers to are left out, links are shown and opened by nobody but the user (they are copied, not
// followed).

#include <cstdint>
#include <vector>

#include <QWidget>

#include "widgets/forward.h"
#include "widgets/pixels.h"

namespace trainyard::widgets {

struct TextAt {
    std::int64_t step = 0;  ///< below 0: of no step
    QString text;
    bool cut = false;  ///< longer than what is kept
};

class TextView : public QWidget {
    Q_OBJECT
  public:
    explicit TextView(const QString& accessibleName, QWidget* parent = nullptr);
    void setTexts(std::vector<TextAt> texts);  ///< by ascending step; stays at the last one if it was there
    int current() const;
    void setCurrent(int index);
    QString shownText() const;
    QSize sizeHint() const override { return {420_px, 240_px}; }

  private:
    void showText(int index);
    std::vector<TextAt> texts_;
    QTextBrowser* page_;
    QSlider* slider_;
    QLabel* words_;
};

}  // namespace trainyard::widgets
