<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>trainyard::desktop</name>
    <message numerus="yes"><source>%n keys are equal in all of them.</source><translation><numerusform>%n key is equal in all of them.</numerusform><numerusform>%n keys are equal in all of them.</numerusform></translation></message>
    <message numerus="yes"><source>Comparison of %n runs</source><translation><numerusform>Comparison of %n run</numerusform><numerusform>Comparison of %n runs</numerusform></translation></message>
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n rank</numerusform><numerusform>%n ranks</numerusform></translation></message>
    <message numerus="yes"><source>%n hosts</source><translation><numerusform>%n host</numerusform><numerusform>%n hosts</numerusform></translation></message>
    <message numerus="yes"><source>%n restarts</source><translation><numerusform>%n restart</numerusform><numerusform>%n restarts</numerusform></translation></message>
    <message numerus="yes"><source>start %n ranks</source><translation><numerusform>start %n rank</numerusform><numerusform>start %n ranks</numerusform></translation></message>
    <message numerus="yes"><source>build the model and open the data on %n ranks</source><translation><numerusform>build the model and open the data on %n rank</numerusform><numerusform>build the model and open the data on %n ranks</numerusform></translation></message>
    <message numerus="yes"><source>That share is the median of %n runs on this machine.</source><translation><numerusform>That share is that of %n run on this machine.</numerusform><numerusform>That share is the median of %n runs on this machine.</numerusform></translation></message>
    <message numerus="yes"><source>%n overlapping slices on an extra row</source><translation><numerusform>%n overlapping slice on an extra row</numerusform><numerusform>%n overlapping slices on an extra row</numerusform></translation></message>
    <message numerus="yes"><source>Tags of %n runs</source><translation><numerusform>Tags of %n run</numerusform><numerusform>Tags of %n runs</numerusform></translation></message>
    <message numerus="yes"><source>Note on %n runs</source><translation><numerusform>Note on %n run</numerusform><numerusform>Note on %n runs</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::AnswerPanel</name>
    <message numerus="yes"><source>%n tokens</source><translation><numerusform>%n token</numerusform><numerusform>%n tokens</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ArchitecturePage</name>
    <message numerus="yes"><source>%n nodes</source><translation><numerusform>%n node</numerusform><numerusform>%n nodes</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::BatchPanel</name>
    <message numerus="yes"><source>%Ln ranks</source><translation><numerusform>%Ln rank</numerusform><numerusform>%Ln ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CalibrationLine</name>
    <message numerus="yes"><source>%n runs used %1 of their estimate (%2 to %3).</source><translation><numerusform>%n run used %1 of its estimate (%2 to %3).</numerusform><numerusform>%n runs used %1 of their estimate (%2 to %3).</numerusform></translation></message>
    <message numerus="yes"><source>The program takes %1, measured by %n runs.</source><translation><numerusform>The program takes %1, measured by %n run.</numerusform><numerusform>The program takes %1, measured by %n runs.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointActions</name>
    <message numerus="yes"><source>%1 with %n tensors in %2</source><translation><numerusform>%1 with %n tensor in %2</numerusform><numerusform>%1 with %n tensors in %2</numerusform></translation></message>
    <message numerus="yes"><source>Remove %n checkpoints?</source><translation><numerusform>Remove %n checkpoint?</numerusform><numerusform>Remove %n checkpoints?</numerusform></translation></message>
    <message numerus="yes"><source>%n checkpoints removed</source><translation><numerusform>%n checkpoint removed</numerusform><numerusform>%n checkpoints removed</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointListPanel</name>
    <message numerus="yes"><source>Keep the %n best checkpoints</source><translation><numerusform>Keep the %n best checkpoint</numerusform><numerusform>Keep the %n best checkpoints</numerusform></translation></message>
    <message numerus="yes"><source>Keep the %n newest checkpoints</source><translation><numerusform>Keep the %n newest checkpoint</numerusform><numerusform>Keep the %n newest checkpoints</numerusform></translation></message>
    <message numerus="yes"><source>Keep one every %n steps, and pinned ones</source><translation><numerusform>Keep one every %n step, and pinned ones</numerusform><numerusform>Keep one every %n steps, and pinned ones</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CheckpointsPage</name>
    <message numerus="yes"><source>%n checkpoints</source><translation><numerusform>%n checkpoint</numerusform><numerusform>%n checkpoints</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareCurves</name>
    <message numerus="yes"><source>%1 = %2 (%n runs)</source><translation><numerusform>%1 = %2 (%n run)</numerusform><numerusform>%1 = %2 (%n runs)</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::CompareDrawer</name>
    <message numerus="yes"><source>Compare %n runs</source><translation><numerusform>Compare %n run</numerusform><numerusform>Compare %n runs</numerusform></translation></message>
    <message numerus="yes"><source>%n without %1.</source><translation><numerusform>%n without %1.</numerusform><numerusform>%n without %1.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::DataPanel</name>
    <message numerus="yes"><source>Row %1 as the model sees it: %n tokens</source><translation><numerusform>Row %1 as the model sees it: %n token</numerusform><numerusform>Row %1 as the model sees it: %n tokens</numerusform></translation></message>
    <message numerus="yes"><source>, %n more are cut off by data.sequence_length</source><translation><numerusform>, %n more is cut off by data.sequence_length</numerusform><numerusform>, %n more are cut off by data.sequence_length</numerusform></translation></message>
    <message numerus="yes"><source>%n of the first records cannot be read and are left out here: %1</source><translation><numerusform>%n of the first records cannot be read and is left out here: %1</numerusform><numerusform>%n of the first records cannot be read and are left out here: %1</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::DifferencesPanel</name>
    <message numerus="yes"><source>%n keys are equal in all %1.</source><translation><numerusform>%n key is equal in all %1.</numerusform><numerusform>%n keys are equal in all %1.</numerusform></translation></message>
    <message numerus="yes"><source>No differences: all %n keys are equal.</source><translation><numerusform>No differences: the only key is equal.</numerusform><numerusform>No differences: all %n keys are equal.</numerusform></translation></message>
    <message numerus="yes"><source>%n without readable settings.</source><translation><numerusform>%n without readable settings.</numerusform><numerusform>%n without readable settings.</numerusform></translation></message>
    <message numerus="yes"><source>%n metrics without a known direction are listed under Final.</source><translation><numerusform>%n metric without a known direction is listed under Final.</numerusform><numerusform>%n metrics without a known direction are listed under Final.</numerusform></translation></message>
    <message numerus="yes"><source>%n finished runs have %1: at least %2 are needed.</source><translation><numerusform>%n finished run has %1: at least %2 are needed.</numerusform><numerusform>%n finished runs have %1: at least %2 are needed.</numerusform></translation></message>
    <message numerus="yes"><source>No setting can be compared with %1: one of the two is the same in all %n finished runs.</source><translation><numerusform>No setting can be compared with %1: there is %n finished run.</numerusform><numerusform>No setting can be compared with %1: one of the two is the same in all %n finished runs.</numerusform></translation></message>
    <message numerus="yes"><source>By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</source><translation><numerusform>By the best %1 of %n finished run. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</numerusform><numerusform>By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</numerusform></translation></message>
    <message numerus="yes"><source>%n settings. Select another run to see what differs.</source><translation><numerusform>%n setting. Select another run to see what differs.</numerusform><numerusform>%n settings. Select another run to see what differs.</numerusform></translation></message>
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
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n rank</numerusform><numerusform>%n ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HostsPanel</name>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::HubLine</name>
    <message numerus="yes"><source>%n files to download</source><translation><numerusform>%n file to download</numerusform><numerusform>%n files to download</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::LogPanel</name>
    <message numerus="yes"><source>%Ln lines</source><translation><numerusform>%Ln line</numerusform><numerusform>%Ln lines</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::MeasuredTable</name>
    <message numerus="yes"><source>Mean error %1 % over %n runs; the median run used %2 of its estimate.</source><translation><numerusform>Error %1 %; the run used %2 of its estimate.</numerusform><numerusform>Mean error %1 % over %n runs; the median run used %2 of its estimate.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::NotificationsPage</name>
    <message numerus="yes"><source>The newest %1 are shown; %Ln older notifications were dropped.</source><translation><numerusform>The newest %1 are shown; %Ln older notification was dropped.</numerusform><numerusform>The newest %1 are shown; %Ln older notifications were dropped.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::OpenedTrace</name>
    <message numerus="yes"><source>%n slices</source><translation><numerusform>%n slice</numerusform><numerusform>%n slices</numerusform></translation></message>
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
    <message numerus="yes"><source>%n ranks</source><translation><numerusform>%n rank</numerusform><numerusform>%n ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::ReadPanel</name>
    <message numerus="yes"><source>%n keys kept</source><translation><numerusform>%n key kept</numerusform><numerusform>%n keys kept</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunActions</name>
    <message numerus="yes"><source>The last checkpoint is from step %1: %Ln steps will be lost.</source><translation><numerusform>The last checkpoint is from step %1: %Ln step will be lost.</numerusform><numerusform>The last checkpoint is from step %1: %Ln steps will be lost.</numerusform></translation></message>
    <message numerus="yes"><source>There is no checkpoint yet: all %Ln steps will be lost.</source><translation><numerusform>There is no checkpoint yet: %Ln step will be lost.</numerusform><numerusform>There is no checkpoint yet: all %Ln steps will be lost.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunEdits</name>
    <message numerus="yes"><source>%n archived</source><translation><numerusform>%n archived</numerusform><numerusform>%n archived</numerusform></translation></message>
    <message numerus="yes"><source>%n unarchived</source><translation><numerusform>%n unarchived</numerusform><numerusform>%n unarchived</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunMessages</name>
    <message numerus="yes"><source>%n new runs</source><translation><numerusform>%n new run</numerusform><numerusform>%n new runs</numerusform></translation></message>
    <message numerus="yes"><source>%n of %1 compared runs are inside the ranges of the sweep.</source><translation><numerusform>%n of %1 compared runs is inside the ranges of the sweep.</numerusform><numerusform>%n of %1 compared runs are inside the ranges of the sweep.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsModel</name>
    <message numerus="yes"><source>Stopping, %n left</source><translation><numerusform>Stopping, %n left</numerusform><numerusform>Stopping, %n left</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::RunsPage</name>
    <message numerus="yes"><source>%n runs are selected for comparison.</source><translation><numerusform>%n run is selected for comparison.</numerusform><numerusform>%n runs are selected for comparison.</numerusform></translation></message>
    <message numerus="yes"><source>%n selected runs are not in this list, so they are not compared.</source><translation><numerusform>%n selected run is not in this list, so it is not compared.</numerusform><numerusform>%n selected runs are not in this list, so they are not compared.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SavedScenarios</name>
    <message numerus="yes"><source>%n saved scenarios in %1 cannot be read by this version. The file keeps them unchanged.</source><translation><numerusform>%n saved scenario in %1 cannot be read by this version. The file keeps it unchanged.</numerusform><numerusform>%n saved scenarios in %1 cannot be read by this version. The file keeps them unchanged.</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SlicePicture</name>
    <message numerus="yes"><source>Picture of %n elements</source><translation><numerusform>Picture of %n element</numerusform><numerusform>Picture of %n elements</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::StepButton</name>
    <message numerus="yes"><source>%n to fix</source><translation><numerusform>%n to fix</numerusform><numerusform>%n to fix</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::StepPicker</name>
    <message numerus="yes"><source>%n steps</source><translation><numerusform>%n step</numerusform><numerusform>%n steps</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::SweepDialog</name>
    <message numerus="yes"><source>%n problems to fix</source><translation><numerusform>%n problem to fix</numerusform><numerusform>%n problems to fix</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::TensorModel</name>
    <message numerus="yes"><source>%n tensors</source><translation><numerusform>%n tensor</numerusform><numerusform>%n tensors</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::Tray</name>
    <message numerus="yes"><source>Trainyard: %n active runs</source><translation><numerusform>Trainyard: %n active run</numerusform><numerusform>Trainyard: %n active runs</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::UnsentRecords</name>
    <message numerus="yes"><source>%1: %Ln records sent</source><translation><numerusform>%1: %Ln record sent</numerusform><numerusform>%1: %Ln records sent</numerusform></translation></message>
    <message numerus="yes"><source>%Ln left</source><translation><numerusform>%Ln left</numerusform><numerusform>%Ln left</numerusform></translation></message>
</context>
<context>
    <name>trainyard::desktop::WhatIfPanel</name>
    <message numerus="yes"><source>%1 data × %2 tensor × %3 context × %4 stages = %n ranks</source><translation><numerusform>%1 data × %2 tensor × %3 context × %4 stages = %n rank</numerusform><numerusform>%1 data × %2 tensor × %3 context × %4 stages = %n ranks</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartLegend</name>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ChartOverlay</name>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation></message>
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
    <message numerus="yes"><source>%n histograms, values %1 to %2</source><translation><numerusform>%n histogram, values %1 to %2</numerusform><numerusform>%n histograms, values %1 to %2</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::NavButton</name>
    <message numerus="yes"><source>, %n unread</source><translation><numerusform>, %n unread</numerusform><numerusform>, %n unread</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ParallelCoordinates</name>
    <message numerus="yes"><source>%n runs, %1 columns, %2 runs inside all ranges</source><translation><numerusform>%n run, %1 columns, %2 inside all ranges</numerusform><numerusform>%n runs, %1 columns, %2 runs inside all ranges</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::PlotCanvas</name>
    <message numerus="yes"><source>and %n more</source><translation><numerusform>and %n more</numerusform><numerusform>and %n more</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ScatterPlot</name>
    <message numerus="yes"><source>%n runs, %1 against %2</source><translation><numerusform>%n run, %1 against %2</numerusform><numerusform>%n runs, %1 against %2</numerusform></translation></message>
</context>
<context>
    <name>trainyard::widgets::ValueTable</name>
    <message numerus="yes"><source>%n visible steps</source><translation><numerusform>%n visible step</numerusform><numerusform>%n visible steps</numerusform></translation></message>
    <message numerus="yes"><source>The first %n visible steps; an export as CSV has all</source><translation><numerusform>The first %n visible step; an export as CSV has all</numerusform><numerusform>The first %n visible steps; an export as CSV has all</numerusform></translation></message>
</context>
</TS>
