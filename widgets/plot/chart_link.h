#pragma once
// Charts that share crosshair and horizontal range: what one does, the others follow.

#include <QObject>
#include <QVector>

#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

class ChartLink : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    void add(CurveChart* chart);  ///< all live as long as the link

  private:
    QVector<CurveChart*> charts_;
};

}  // namespace trainyard::widgets
