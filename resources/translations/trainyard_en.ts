<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>trainyard::desktop</name>
    <message numerus="yes"><source>%Ln keys are equal in all of them.</source><translation><numerusform>%Ln key is equal in all of them.</numerusform><numerusform>%Ln keys are equal in all of them.</numerusform></translation></message>
    <message numerus="yes"><source>Comparison of %Ln runs</source><translation><numerusform>Comparison of %Ln run</numerusform><numerusform>Comparison of %Ln runs</numerusform></translation></message>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln rank</numerusform><numerusform>%Ln ranks</numerusform></translation></message>
    <message numerus="yes"><source>%Ln hosts</source><translation><numerusform>%Ln host</numerusform><numerusform>%Ln hosts</numerusform></translation></message>
    <message numerus="yes"><source>%Ln restarts</source><translation><numerusform>%Ln restart</numerusform><numerusform>%Ln restarts</numerusform></translation></message>
    <message numerus="yes"><source>start %Ln ranks</source><translation><numerusform>start %Ln rank</numerusform><numerusform>start %Ln ranks</numerusform></translation></message>
    <message numerus="yes"><source>build the model and open the data on %Ln ranks</source><translation><numerusform>build the model and open the data on %Ln rank</numerusform><numerusform>build the model and open the data on %Ln ranks</numerusform></translation></message>
    <message numerus="yes"><source>That share is the median of %Ln runs on this machine.</source><translation><numerusform>That share is that of %Ln run on this machine.</numerusform><numerusform>That share is the median of %Ln runs on this machine.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln overlapping slices on an extra row</source><translation><numerusform>%Ln overlapping slice on an extra row</numerusform><numerusform>%Ln overlapping slices on an extra row</numerusform></translation></message>
    <message numerus="yes"><source>Tags of %Ln runs</source><translation><numerusform>Tags of %Ln run</numerusform><numerusform>Tags of %Ln runs</numerusform></translation></message>
    <message numerus="yes"><source>Note on %Ln runs</source><translation><numerusform>Note on %Ln run</numerusform><numerusform>Note on %Ln runs</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::AnswerPanel</name>
    <message numerus="yes"><source>%Ln tokens</source><translation><numerusform>%Ln token</numerusform><numerusform>%Ln tokens</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ArchitecturePage</name>
    <message numerus="yes"><source>%Ln nodes</source><translation><numerusform>%Ln node</numerusform><numerusform>%Ln nodes</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::BatchPanel</name>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln rank</numerusform><numerusform>%Ln ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CalibrationLine</name>
    <message numerus="yes"><source>%Ln runs used %1 of their estimate (%2 to %3).</source><translation><numerusform>%Ln run used %1 of its estimate (%2 to %3).</numerusform><numerusform>%Ln runs used %1 of their estimate (%2 to %3).</numerusform></translation></message>
    <message numerus="yes"><source>The program takes %1, measured by %Ln runs.</source><translation><numerusform>The program takes %1, measured by %Ln run.</numerusform><numerusform>The program takes %1, measured by %Ln runs.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointActions</name>
    <message numerus="yes"><source>%1 with %Ln tensors in %2</source><translation><numerusform>%1 with %Ln tensor in %2</numerusform><numerusform>%1 with %Ln tensors in %2</numerusform></translation></message>
    <message numerus="yes"><source>Remove %Ln checkpoints?</source><translation><numerusform>Remove %Ln checkpoint?</numerusform><numerusform>Remove %Ln checkpoints?</numerusform></translation></message>
    <message numerus="yes"><source>%Ln checkpoints removed</source><translation><numerusform>%Ln checkpoint removed</numerusform><numerusform>%Ln checkpoints removed</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointListPanel</name>
    <message numerus="yes"><source>Keep the %Ln best checkpoints</source><translation><numerusform>Keep the %Ln best checkpoint</numerusform><numerusform>Keep the %Ln best checkpoints</numerusform></translation></message>
    <message numerus="yes"><source>Keep the %Ln newest checkpoints</source><translation><numerusform>Keep the %Ln newest checkpoint</numerusform><numerusform>Keep the %Ln newest checkpoints</numerusform></translation></message>
    <message numerus="yes"><source>Keep one every %Ln steps, and pinned ones</source><translation><numerusform>Keep one every %Ln step, and pinned ones</numerusform><numerusform>Keep one every %Ln steps, and pinned ones</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointsPage</name>
    <message numerus="yes"><source>%Ln checkpoints</source><translation><numerusform>%Ln checkpoint</numerusform><numerusform>%Ln checkpoints</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareCurves</name>
    <message numerus="yes"><source>%1 = %2 (%Ln runs)</source><translation><numerusform>%1 = %2 (%Ln run)</numerusform><numerusform>%1 = %2 (%Ln runs)</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareDrawer</name>
    <message numerus="yes"><source>Compare %Ln runs</source><translation><numerusform>Compare %Ln run</numerusform><numerusform>Compare %Ln runs</numerusform></translation></message>
    <message numerus="yes"><source>%Ln without %1.</source><translation><numerusform>%Ln without %1.</numerusform><numerusform>%Ln without %1.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln runs are still being read.</source><translation><numerusform>%Ln run is still being read.</numerusform><numerusform>%Ln runs are still being read.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::DataPanel</name>
    <message numerus="yes"><source>Row %1 as the model sees it: %Ln tokens</source><translation><numerusform>Row %1 as the model sees it: %Ln token</numerusform><numerusform>Row %1 as the model sees it: %Ln tokens</numerusform></translation></message>
    <message numerus="yes"><source>, %Ln more are cut off by data.sequence_length</source><translation><numerusform>, %Ln more is cut off by data.sequence_length</numerusform><numerusform>, %Ln more are cut off by data.sequence_length</numerusform></translation></message>
    <message numerus="yes"><source>%Ln of the first records cannot be read and are left out here: %1</source><translation><numerusform>%Ln of the first records cannot be read and is left out here: %1</numerusform><numerusform>%Ln of the first records cannot be read and are left out here: %1</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::DifferencesPanel</name>
    <message numerus="yes"><source>%Ln keys are equal in all %1.</source><translation><numerusform>%Ln key is equal in all %1.</numerusform><numerusform>%Ln keys are equal in all %1.</numerusform></translation></message>
    <message numerus="yes"><source>No differences: all %Ln keys are equal.</source><translation><numerusform>No differences: the only key is equal.</numerusform><numerusform>No differences: all %Ln keys are equal.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln without readable settings.</source><translation><numerusform>%Ln without readable settings.</numerusform><numerusform>%Ln without readable settings.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln metrics without a known direction are listed under Final.</source><translation><numerusform>%Ln metric without a known direction is listed under Final.</numerusform><numerusform>%Ln metrics without a known direction are listed under Final.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln finished runs have %1: at least %2 are needed.</source><translation><numerusform>%Ln finished run has %1: at least %2 are needed.</numerusform><numerusform>%Ln finished runs have %1: at least %2 are needed.</numerusform></translation></message>
    <message numerus="yes"><source>No setting can be compared with %1: one of the two is the same in all %Ln finished runs.</source><translation><numerusform>No setting can be compared with %1: there is %Ln finished run.</numerusform><numerusform>No setting can be compared with %1: one of the two is the same in all %Ln finished runs.</numerusform></translation></message>
    <message numerus="yes"><source>By the best %1 of %Ln finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</source><translation><numerusform>By the best %1 of %Ln finished run. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</numerusform><numerusform>By the best %1 of %Ln finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln settings. Select another run to see what differs.</source><translation><numerusform>%Ln setting. Select another run to see what differs.</numerusform><numerusform>%Ln settings. Select another run to see what differs.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ExpertTree</name>
    <message numerus="yes"><source>%Ln keys</source><translation><numerusform>%Ln key</numerusform><numerusform>%Ln keys</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::FiguresModel</name>
    <message numerus="yes"><source>of %Ln points</source><translation><numerusform>of %Ln point</numerusform><numerusform>of %Ln points</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HardwarePage</name>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln rank</numerusform><numerusform>%Ln ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HostsPanel</name>
    <message numerus="yes"><source>and %Ln more</source><translation><numerusform>and %Ln more</numerusform><numerusform>and %Ln more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HubLine</name>
    <message numerus="yes"><source>%Ln files to download</source><translation><numerusform>%Ln file to download</numerusform><numerusform>%Ln files to download</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::LogPanel</name>
    <message numerus="yes"><source>%Ln lines</source><translation><numerusform>%Ln line</numerusform><numerusform>%Ln lines</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::MeasuredTable</name>
    <message numerus="yes"><source>Mean error %1 % over %Ln runs; the median run used %2 of its estimate.</source><translation><numerusform>Error %1 %; the run used %2 of its estimate.</numerusform><numerusform>Mean error %1 % over %Ln runs; the median run used %2 of its estimate.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::NotificationsPage</name>
    <message numerus="yes"><source>The newest %1 are shown; %Ln older notifications were dropped.</source><translation><numerusform>The newest %1 are shown; %Ln older notification was dropped.</numerusform><numerusform>The newest %1 are shown; %Ln older notifications were dropped.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::OpenedTrace</name>
    <message numerus="yes"><source>%Ln slices</source><translation><numerusform>%Ln slice</numerusform><numerusform>%Ln slices</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::PanelBar</name>
    <message numerus="yes"><source>%Ln tags</source><translation><numerusform>%Ln tag</numerusform><numerusform>%Ln tags</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ProfileDialog</name>
    <message numerus="yes"><source>Then again every %Ln steps, %1 times in all.</source><translation><numerusform>Then again every step, %1 times in all.</numerusform><numerusform>Then again every %Ln steps, %1 times in all.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RankBars</name>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln rank</numerusform><numerusform>%Ln ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ReadPanel</name>
    <message numerus="yes"><source>%Ln keys kept</source><translation><numerusform>%Ln key kept</numerusform><numerusform>%Ln keys kept</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunActions</name>
    <message numerus="yes"><source>The last checkpoint is from step %1: %Ln steps will be lost.</source><translation><numerusform>The last checkpoint is from step %1: %Ln step will be lost.</numerusform><numerusform>The last checkpoint is from step %1: %Ln steps will be lost.</numerusform></translation></message>
    <message numerus="yes"><source>There is no checkpoint yet: all %Ln steps will be lost.</source><translation><numerusform>There is no checkpoint yet: %Ln step will be lost.</numerusform><numerusform>There is no checkpoint yet: all %Ln steps will be lost.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunEdits</name>
    <message numerus="yes"><source>%Ln archived</source><translation><numerusform>%Ln archived</numerusform><numerusform>%Ln archived</numerusform></translation></message>
    <message numerus="yes"><source>%Ln unarchived</source><translation><numerusform>%Ln unarchived</numerusform><numerusform>%Ln unarchived</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunMessages</name>
    <message numerus="yes"><source>%Ln new runs</source><translation><numerusform>%Ln new run</numerusform><numerusform>%Ln new runs</numerusform></translation></message>
    <message numerus="yes"><source>%Ln of %1 compared runs are inside the ranges of the sweep.</source><translation><numerusform>%Ln of %1 compared runs is inside the ranges of the sweep.</numerusform><numerusform>%Ln of %1 compared runs are inside the ranges of the sweep.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsModel</name>
    <message numerus="yes"><source>Stopping, %Ln left</source><translation><numerusform>Stopping, %Ln left</numerusform><numerusform>Stopping, %Ln left</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsPage</name>
    <message numerus="yes"><source>%Ln runs are selected for comparison.</source><translation><numerusform>%Ln run is selected for comparison.</numerusform><numerusform>%Ln runs are selected for comparison.</numerusform></translation></message>
    <message numerus="yes"><source>%Ln selected runs are not in this list, so they are not compared.</source><translation><numerusform>%Ln selected run is not in this list, so it is not compared.</numerusform><numerusform>%Ln selected runs are not in this list, so they are not compared.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SavedScenarios</name>
    <message numerus="yes"><source>%Ln saved scenarios in %1 cannot be read by this version. The file keeps them unchanged.</source><translation><numerusform>%Ln saved scenario in %1 cannot be read by this version. The file keeps it unchanged.</numerusform><numerusform>%Ln saved scenarios in %1 cannot be read by this version. The file keeps them unchanged.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SlicePicture</name>
    <message numerus="yes"><source>Picture of %Ln elements</source><translation><numerusform>Picture of %Ln element</numerusform><numerusform>Picture of %Ln elements</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::StepButton</name>
    <message numerus="yes"><source>%Ln to fix</source><translation><numerusform>%Ln to fix</numerusform><numerusform>%Ln to fix</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::StepPicker</name>
    <message numerus="yes"><source>%Ln steps</source><translation><numerusform>%Ln step</numerusform><numerusform>%Ln steps</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SweepDialog</name>
    <message numerus="yes"><source>%Ln problems to fix</source><translation><numerusform>%Ln problem to fix</numerusform><numerusform>%Ln problems to fix</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::TensorModel</name>
    <message numerus="yes"><source>%Ln tensors</source><translation><numerusform>%Ln tensor</numerusform><numerusform>%Ln tensors</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::Tray</name>
    <message numerus="yes"><source>Trainyard: %Ln active runs</source><translation><numerusform>Trainyard: %Ln active run</numerusform><numerusform>Trainyard: %Ln active runs</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::UnsentRecords</name>
    <message numerus="yes"><source>%1: %Ln records sent</source><translation><numerusform>%1: %Ln record sent</numerusform><numerusform>%1: %Ln records sent</numerusform></translation></message>
    <message numerus="yes"><source>%Ln left</source><translation><numerusform>%Ln left</numerusform><numerusform>%Ln left</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::WhatIfPanel</name>
    <message numerus="yes"><source>%1 data × %2 tensor × %3 context × %4 pipeline = %Ln ranks</source><translation><numerusform>%1 data × %2 tensor × %3 context × %4 pipeline = %Ln rank</numerusform><numerusform>%1 data × %2 tensor × %3 context × %4 pipeline = %Ln ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartLegend</name>
    <message numerus="yes"><source>and %Ln more</source><translation><numerusform>and %Ln more</numerusform><numerusform>and %Ln more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartOverlay</name>
    <message numerus="yes"><source>and %Ln more</source><translation><numerusform>and %Ln more</numerusform><numerusform>and %Ln more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::CurveChart</name>
    <message numerus="yes"><source>%Ln points above</source><translation><numerusform>%Ln point above</numerusform><numerusform>%Ln points above</numerusform></translation></message>
    <message numerus="yes"><source>%Ln points below</source><translation><numerusform>%Ln point below</numerusform><numerusform>%Ln points below</numerusform></translation></message>
    <message numerus="yes"><source>%Ln values not above zero are not on the log axis</source><translation><numerusform>%Ln value not above zero is not on the log axis</numerusform><numerusform>%Ln values not above zero are not on the log axis</numerusform></translation></message>
    <message numerus="yes"><source>%Ln points at or before 0 are not on the log axis</source><translation><numerusform>%Ln point at or before 0 is not on the log axis</numerusform><numerusform>%Ln points at or before 0 are not on the log axis</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::HistogramView</name>
    <message numerus="yes"><source>%Ln histograms, values %1 to %2</source><translation><numerusform>%Ln histogram, values %1 to %2</numerusform><numerusform>%Ln histograms, values %1 to %2</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::NavButton</name>
    <message numerus="yes"><source>, %Ln unread</source><translation><numerusform>, %Ln unread</numerusform><numerusform>, %Ln unread</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ParallelCoordinates</name>
    <message numerus="yes"><source>%Ln runs, %1 columns, %2 runs inside all ranges</source><translation><numerusform>%Ln run, %1 columns, %2 inside all ranges</numerusform><numerusform>%Ln runs, %1 columns, %2 runs inside all ranges</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::PlotCanvas</name>
    <message numerus="yes"><source>and %Ln more</source><translation><numerusform>and %Ln more</numerusform><numerusform>and %Ln more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ScatterPlot</name>
    <message numerus="yes"><source>%Ln runs, %1 against %2</source><translation><numerusform>%Ln run, %1 against %2</numerusform><numerusform>%Ln runs, %1 against %2</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ValueTable</name>
    <message numerus="yes"><source>%Ln visible steps</source><translation><numerusform>%Ln visible step</numerusform><numerusform>%Ln visible steps</numerusform></translation></message>
    <message numerus="yes"><source>The first %Ln visible steps; an export as CSV has all</source><translation><numerusform>The first %Ln visible step; an export as CSV has all</numerusform><numerusform>The first %Ln visible steps; an export as CSV has all</numerusform></translation></message>
</context>
</TS>
