// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What pages and panels are written with, under short names: labels, controls, lines of widgets, timers and the look.

#include <QFrame>
#include <QPushButton>

#include "desktop/text/qt_text.h"
#include "desktop/text/words.h"
#include "widgets/controls.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/paint.h"
#include "widgets/theme.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

using widgets::act_after;
using widgets::act_every;
using widgets::add_items;
using widgets::copy_text;
using widgets::draw_box;
using widgets::draw_elided;
using widgets::draw_ring;
using widgets::draw_text;
using widgets::ElidedLabel;
using widgets::fill_box;
using widgets::fill_disc;
using widgets::gap;
using widgets::IconLabel;
using widgets::LayoutItems;
using widgets::make_column;
using widgets::make_elided;
using widgets::make_frame;
using widgets::make_holder;
using widgets::make_label;
using widgets::make_menu;
using widgets::make_mono_label;
using widgets::make_note;
using widgets::make_row;
using widgets::make_search_field;
using widgets::make_splitter;
using widgets::make_title;
using widgets::named;
using widgets::selectable;
using widgets::set_invalid;
using widgets::show_tip;
using widgets::SmoothPainter;
using widgets::start_unless_active;
using widgets::stretch;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;
using widgets::tone_role;
using widgets::with_look;
using widgets::wrapped;

}  // namespace trainyard::desktop
