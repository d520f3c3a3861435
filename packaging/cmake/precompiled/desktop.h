// SPDX-License-Identifier: GPL-3.0-or-later
// For files that use Qt's widgets; see standard.h.
#pragma once

#include <QAbstractButton>
#include <QBoxLayout>
#include <QHash>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVariant>
#include <QVector>
#include <QWidget>

#include "standard.h"
