// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/commands.h"

#include <algorithm>

#include <QHash>

namespace trainyard::desktop {

namespace {

struct Row {
    const char* id;
    const char* text;
    const char* icon = "";
    const char* keys = "";  ///< separated by "; "
    MenuId menu = MenuId::None;
    bool starts_group = false;
    bool fixed = false;
    const char* submenu = nullptr;
};

constexpr const char* kExport = QT_TRANSLATE_NOOP("trainyard::desktop::Commands", "Export");
constexpr const char* kTheme = QT_TRANSLATE_NOOP("trainyard::desktop::Commands", "Theme");
constexpr bool kGroup = true;
constexpr bool kFixed = true;

const QHash<QString, QStringList>& parts() {
    static const QHash<QString, QStringList> known{
        {QStringLiteral("run"), {QStringLiteral("request"), QStringLiteral("curves"), QStringLiteral("chart")}},
        {QStringLiteral("runs"), {QStringLiteral("request")}},
        {QStringLiteral("logs"), {QStringLiteral("curves"), QStringLiteral("chart")}},
        {QStringLiteral("sweeps"), {QStringLiteral("chart")}},
        {QStringLiteral("traces"), {QStringLiteral("timeline")}},
    };
    return known;
}

bool is_everywhere(const QString& scope) {
    return scope == QLatin1String("window") || scope == QLatin1String("edit");
}

}  // namespace

QVector<Command> Commands::standard() {
    static constexpr Row rows[] = {
        {"window.new_run", QT_TR_NOOP("New run"), "plus", "Ctrl+N", MenuId::File},
        {"window.sample", QT_TR_NOOP("Start the sample run"), "play", "", MenuId::File},
        {"window.open", QT_TR_NOOP("Open a file…"), "file", "Ctrl+O", MenuId::File, kGroup},
        {"window.open_folder", QT_TR_NOOP("Open a run folder or a folder of logs…"), "folder", "Ctrl+Shift+O",
         MenuId::File},
        {"window.open_from_hub", QT_TR_NOOP("Open a model of the hub…"), "link", "", MenuId::File},
        {"window.open_on_host", QT_TR_NOOP("Open logs of another machine…"), "hosts", "", MenuId::File},
        {"new.save", QT_TR_NOOP("Save the settings as YAML"), "save", "Ctrl+S", MenuId::File, kGroup},
        {"runs.export", QT_TR_NOOP("Save the list as a table…"), "save", "Ctrl+E", MenuId::File, kGroup, false,
         kExport},
        {"traces.save_table", QT_TR_NOOP("Save the table as CSV…"), "save", "", MenuId::File, kGroup, false, kExport},
        {"traces.save_picture", QT_TR_NOOP("Save the picture as PNG…"), "save", "", MenuId::File, false, false,
         kExport},
        {"traces.save_selection", QT_TR_NOOP("Save the selection as a trace…"), "save", "", MenuId::File, false, false,
         kExport},
        {"window.print", QT_TR_NOOP("Print…"), "file", "Ctrl+P", MenuId::File, kGroup},
        {"window.close", QT_TR_NOOP("Close this window"), "x", "Ctrl+W"},
        {"window.quit", QT_TR_NOOP("Quit"), "x", "Ctrl+Q", MenuId::File, kGroup},

        {"edit.undo", QT_TR_NOOP("Undo"), "undo", "Ctrl+Z", MenuId::Edit},
        {"edit.redo", QT_TR_NOOP("Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y", MenuId::Edit},
        {"window.copy", QT_TR_NOOP("Copy"), "copy", "Ctrl+C", MenuId::Edit, kGroup, kFixed},
        {"window.select_all", QT_TR_NOOP("Select all"), "", "Ctrl+A", MenuId::Edit, false, kFixed},
        {"estimator.copy", QT_TR_NOOP("Copy the table of parts"), "copy", "Ctrl+C", MenuId::Edit},
        {"window.find", QT_TR_NOOP("Find in this page"), "search", "Ctrl+F", MenuId::Edit, kGroup},
        {"new.go_to_field", QT_TR_NOOP("Go to field…"), "target", "Ctrl+G", MenuId::Edit},
        {"traces.next_hit", QT_TR_NOOP("Next slice that was found"), "down", "Ctrl+G", MenuId::Edit},
        {"traces.previous_hit", QT_TR_NOOP("Previous slice that was found"), "up", "Ctrl+Shift+G", MenuId::Edit},

        {"window.primary", QT_TR_NOOP("Main action of this page"), "bolt", "Ctrl+Return", MenuId::Run},
        {"request.checkpoint", QT_TR_NOOP("Checkpoint now"), "save", "Ctrl+Shift+K", MenuId::Run, kGroup},
        {"request.pause", QT_TR_NOOP("Pause or continue"), "pause", "Ctrl+Shift+H", MenuId::Run},
        {"request.profile", QT_TR_NOOP("Profile the next steps…"), "profile", "Ctrl+Shift+P", MenuId::Run},
        {"request.evaluate", QT_TR_NOOP("Evaluate now"), "check", "", MenuId::Run},
        {"request.rate", QT_TR_NOOP("Change the learning rate…"), "wand", "", MenuId::Run},
        {"request.stop", QT_TR_NOOP("Stop the run…"), "stop", "Ctrl+Shift+X", MenuId::Run},
        {"request.edit_again", QT_TR_NOOP("Edit and run again…"), "wand", "R", MenuId::Run, kGroup},
        {"request.again", QT_TR_NOOP("Run again"), "resume", "Ctrl+Shift+R", MenuId::Run},
        {"request.continue", QT_TR_NOOP("Continue with more steps…"), "play", "", MenuId::Run},
        {"run.note", QT_TR_NOOP("Add a note at the crosshair…"), "file", "N", MenuId::Run, kGroup},
        {"runs.rename", QT_TR_NOOP("Rename the run"), "wand", "F2", MenuId::Run, kGroup},
        {"runs.tags", QT_TR_NOOP("Tags of the run…"), "tag", "T", MenuId::Run},
        {"runs.note", QT_TR_NOOP("Note on the run…"), "file", "O", MenuId::Run},
        {"runs.archive", QT_TR_NOOP("Archive or unarchive the run"), "archive", "A", MenuId::Run},
        {"runs.baseline", QT_TR_NOOP("Baseline: compare others with this run"), "target", "B", MenuId::Run},
        {"runs.earlier", QT_TR_NOOP("Earlier in the queue"), "up", "Alt+Up", MenuId::Run},
        {"runs.later", QT_TR_NOOP("Later in the queue"), "down", "Alt+Down", MenuId::Run},
        {"runs.delete", QT_TR_NOOP("Delete the run"), "trash", "Del", MenuId::Run},
        {"runs.select", QT_TR_NOOP("Select for comparison"), "check", "Space", MenuId::Run, kGroup},
        {"runs.select_all", QT_TR_NOOP("Select all rows"), "check", "Ctrl+A", MenuId::Edit},
        {"runs.compare", QT_TR_NOOP("Compare the selected runs"), "compare", "C", MenuId::Run},
        {"runs.deselect", QT_TR_NOOP("Deselect all runs"), "x", "Shift+C", MenuId::Run},
        {"launch.check_again", QT_TR_NOOP("Run the failed checks again"), "resume", "R", MenuId::Run, kGroup},
        {"new.sweep", QT_TR_NOOP("Sweep of the draft…"), "target", "Ctrl+Shift+W", MenuId::Run, kGroup},
        {"sweeps.open", QT_TR_NOOP("Open the run of the trial"), "runs", "", MenuId::Run, kGroup},
        {"sweeps.edit_best", QT_TR_NOOP("Edit the best trial and run again"), "wand", "R", MenuId::Run},
        {"sweeps.pause", QT_TR_NOOP("Pause or continue the sweep"), "pause", "Ctrl+Shift+H", MenuId::Run},
        {"sweeps.delete", QT_TR_NOOP("Delete the sweep…"), "trash", "Del", MenuId::Run},
        {"checkpoints.resume", QT_TR_NOOP("Resume from the chosen checkpoint"), "play", "R", MenuId::Run, kGroup},

        {"window.sidebar", QT_TR_NOOP("Collapse or expand the sidebar"), "panel", "Ctrl+B", MenuId::View, kGroup},
        {"window.menu_bar", QT_TR_NOOP("Menu bar"), "panel", "Ctrl+M", MenuId::View},
        {"window.full_screen", QT_TR_NOOP("Full screen"), "screen", "F11", MenuId::View},
        {"window.theme_dark", QT_TR_NOOP("Theme: dark"), "moon", "", MenuId::View, kGroup, false, kTheme},
        {"window.theme_light", QT_TR_NOOP("Theme: light"), "sun", "", MenuId::View, false, false, kTheme},
        {"window.theme_system", QT_TR_NOOP("Theme: as the system"), "screen", "", MenuId::View, false, false, kTheme},
        {"window.palette", QT_TR_NOOP("Command palette"), "search", "Ctrl+K", MenuId::View, kGroup},
        {"window.back", QT_TR_NOOP("Back"), "left", "Alt+Left", MenuId::View},
        {"window.forward", QT_TR_NOOP("Forward"), "right", "Alt+Right", MenuId::View},
        {"window.next_panel", QT_TR_NOOP("Next panel"), "right", "F6", MenuId::View},
        {"window.previous_panel", QT_TR_NOOP("Previous panel"), "left", "Shift+F6", MenuId::View},
        {"window.refresh", QT_TR_NOOP("Refresh"), "resume", "F5", MenuId::View},
        {"window.new_window", QT_TR_NOOP("Open in a new window"), "screen", "Ctrl+Shift+D", MenuId::View},
        {"run.curves", QT_TR_NOOP("All curves, or back to the overview"), "runs", "T", MenuId::View, kGroup},
        {"run.overlay", QT_TR_NOOP("Overlay another run…"), "plus", "O", MenuId::View},
        {"run.previous_event", QT_TR_NOOP("Previous event"), "left", "[", MenuId::View},
        {"run.next_event", QT_TR_NOOP("Next event"), "right", "]", MenuId::View},
        {"run.log", QT_TR_NOOP("Go to the log"), "file", "Ctrl+L", MenuId::View},
        {"run.tile1", QT_TR_NOOP("Open the curve of tile %1"), "runs", "1"},
        {"run.tile2", QT_TR_NOOP("Open the curve of tile %1"), "runs", "2"},
        {"run.tile3", QT_TR_NOOP("Open the curve of tile %1"), "runs", "3"},
        {"run.tile4", QT_TR_NOOP("Open the curve of tile %1"), "runs", "4"},
        {"run.tile5", QT_TR_NOOP("Open the curve of tile %1"), "runs", "5"},
        {"run.tile6", QT_TR_NOOP("Open the curve of tile %1"), "runs", "6"},
        {"run.tile7", QT_TR_NOOP("Open the curve of tile %1"), "runs", "7"},
        {"run.tile8", QT_TR_NOOP("Open the curve of tile %1"), "runs", "8"},
        {"run.tile9", QT_TR_NOOP("Open the curve of tile %1"), "runs", "9"},
        {"curves.tree", QT_TR_NOOP("Show or hide the tree of curves"), "panel", "Shift+T", MenuId::View},
        {"curves.save_layout", QT_TR_NOOP("Save the layout under a name…"), "save", "Ctrl+Shift+S", MenuId::View},
        {"runs.group", QT_TR_NOOP("Group the runs by…"), "panel", "G", MenuId::View, kGroup},
        {"runs.collapse_groups", QT_TR_NOOP("Collapse all groups"), "up", "", MenuId::View},
        {"runs.expand_groups", QT_TR_NOOP("Expand all groups"), "down", "", MenuId::View},
        {"runs.columns", QT_TR_NOOP("Columns of the run list…"), "panel", "", MenuId::View, kGroup},
        {"runs.save_filter", QT_TR_NOOP("Save this filter…"), "filter", "", MenuId::View},
        {"new.expert", QT_TR_NOOP("Guided or Expert"), "gear", "Ctrl+Shift+E", MenuId::View, kGroup},
        {"traces.previous_step", QT_TR_NOOP("Previous step"), "left", "[", MenuId::View, kGroup},
        {"traces.next_step", QT_TR_NOOP("Next step"), "right", "]", MenuId::View},
        {"traces.fold", QT_TR_NOOP("Fold all ranks"), "", "", MenuId::View},
        {"traces.unfold", QT_TR_NOOP("Unfold all ranks"), "", "", MenuId::View},
        {"estimator.batch", QT_TR_NOOP("Go to the micro-batch"), "target", "B", MenuId::View, kGroup},
        {"estimator.sequence", QT_TR_NOOP("Go to the sequence length"), "target", "Q", MenuId::View},

        {"runs.watch", QT_TR_NOOP("Watch a folder of runs…"), "folder", "", MenuId::Tools},
        {"new.start_over", QT_TR_NOOP("Start over"), "plus", "", MenuId::Tools},
        {"hosts.probe", QT_TR_NOOP("Probe the host"), "resume", "P", MenuId::Tools, kGroup},
        {"hosts.terminal", QT_TR_NOOP("Open a terminal on the host"), "screen", "T", MenuId::Tools},
        {"hosts.probe_all", QT_TR_NOOP("Probe all hosts"), "resume", "", MenuId::Tools},
        {"hosts.add", QT_TR_NOOP("Add a host…"), "plus", "", MenuId::Tools},
        {"hosts.reach", QT_TR_NOOP("Connections between hosts…"), "link", "", MenuId::Tools},
        {"hosts.keys", QT_TR_NOOP("SSH keys and agent…"), "key", "", MenuId::Tools},
        {"hosts.settings", QT_TR_NOOP("Settings of the host…"), "gear", "", MenuId::Tools},
        {"hosts.transcript", QT_TR_NOOP("Show transcript…"), "file", "", MenuId::Tools},
        {"hosts.up", QT_TR_NOOP("Move up"), "up", "Alt+Up", MenuId::Tools},
        {"hosts.down", QT_TR_NOOP("Move down"), "down", "Alt+Down", MenuId::Tools},
        {"hosts.forget", QT_TR_NOOP("Forget the host"), "trash", "", MenuId::Tools},
        {"traces.open_newest", QT_TR_NOOP("Open the newest profile of a folder…"), "folder", "", MenuId::Tools, kGroup},
        {"traces.compare", QT_TR_NOOP("Compare with another trace…"), "compare", "", MenuId::Tools},
        {"traces.compare_ranks", QT_TR_NOOP("Compare two ranks…"), "compare", "", MenuId::Tools},
        {"checkpoints.verify", QT_TR_NOOP("Verify the checkpoint"), "shield", "V", MenuId::Tools, kGroup},
        {"checkpoints.compare", QT_TR_NOOP("Compare the checkpoint with the one before"), "compare", "D",
         MenuId::Tools},
        {"checkpoints.pin", QT_TR_NOOP("Pin or unpin the checkpoint"), "pin", "P", MenuId::Tools},
        {"checkpoints.remove", QT_TR_NOOP("Remove the checkpoint"), "trash", "Del", MenuId::Tools},
        {"window.edit_shortcuts", QT_TR_NOOP("Edit shortcuts…"), "gear", "", MenuId::Tools, kGroup},

        {"window.manual", QT_TR_NOOP("Manual"), "info", "F1", MenuId::Help},
        {"window.start_here", QT_TR_NOOP("Start here: features beside a plain loop"), "info", "", MenuId::Help},
        {"window.shortcuts", QT_TR_NOOP("Shortcuts of this page"), "info", "?; Shift+?; Ctrl+/", MenuId::Help},
        {"window.whats_new", QT_TR_NOOP("What's new"), "star", "", MenuId::Help, kGroup},
        {"window.report_problem", QT_TR_NOOP("Report a problem…"), "warn", "", MenuId::Help},
        {"window.about", QT_TR_NOOP("About Trainyard"), "info", "", MenuId::Help},

        {"chart.fit", QT_TR_NOOP("Fit the curves to the chart"), "", "F", MenuId::None, false, kFixed},
        {"chart.log_y", QT_TR_NOOP("Logarithmic vertical axis"), "", "L", MenuId::None, false, kFixed},
        {"chart.log_x", QT_TR_NOOP("Logarithmic horizontal axis"), "", "Shift+L", MenuId::None, false, kFixed},
        {"chart.smooth", QT_TR_NOOP("Smoothing on or off"), "", "S", MenuId::None, false, kFixed},
        {"chart.bands", QT_TR_NOOP("Show or hide the bands"), "", "B", MenuId::None, false, kFixed},
        {"chart.earlier", QT_TR_NOOP("Move the crosshair to the left"), "", "Left", MenuId::None, false, kFixed},
        {"chart.later", QT_TR_NOOP("Move the crosshair to the right"), "", "Right", MenuId::None, false, kFixed},
        {"chart.back", QT_TR_NOOP("Previous zoom of the chart"), "", "Backspace", MenuId::None, false, kFixed},
        {"chart.forward", QT_TR_NOOP("Next zoom of the chart"), "", "Shift+Backspace", MenuId::None, false, kFixed},
        {"timeline.zoom_in", QT_TR_NOOP("Zoom in"), "", "W", MenuId::None, false, kFixed},
        {"timeline.zoom_out", QT_TR_NOOP("Zoom out"), "", "S", MenuId::None, false, kFixed},
        {"timeline.earlier", QT_TR_NOOP("Earlier"), "", "A", MenuId::None, false, kFixed},
        {"timeline.later", QT_TR_NOOP("Later"), "", "D", MenuId::None, false, kFixed},
        {"timeline.walk", QT_TR_NOOP("Walk through slices"), "", "Left; Right; Up; Down", MenuId::None, false, kFixed},
        {"timeline.previous_name", QT_TR_NOOP("Previous slice of this name"), "", "Q", MenuId::None, false, kFixed},
        {"timeline.next_name", QT_TR_NOOP("Next slice of this name"), "", "E", MenuId::None, false, kFixed},
        {"timeline.select", QT_TR_NOOP("Select the range of the chosen slice"), "", "Return", MenuId::None, false,
         kFixed},
        {"timeline.fit", QT_TR_NOOP("Fit the selection"), "", "F", MenuId::None, false, kFixed},
        {"timeline.whole", QT_TR_NOOP("The whole trace"), "", "0", MenuId::None, false, kFixed},
        {"timeline.fold", QT_TR_NOOP("Fold or unfold the rank"), "", "V", MenuId::None, false, kFixed},
        {"timeline.pin", QT_TR_NOOP("Pin the rank to the top"), "", "P", MenuId::None, false, kFixed},
        {"timeline.mark", QT_TR_NOOP("Set a mark; two marks measure the time between them"), "", "M", MenuId::None,
         false, kFixed},
    };
    QVector<Command> commands;
    for (const Row& row : rows) {
        QList<QKeySequence> keys;
        for (const QString& key : QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
            keys << QKeySequence(key, QKeySequence::PortableText);
        commands << Command{
            .id = QLatin1String(row.id),
            .text =
                [&row] {
                    const QString text = tr(row.text);
                    return text.contains(QLatin1String("%1")) ? text.arg(QLatin1Char(row.id[qstrlen(row.id) - 1]))
                                                              : text;
                },
            .icon = QLatin1String(row.icon),
            .keys = keys,
            .menu = row.menu,
            .starts_group = row.starts_group,
            .submenu = row.submenu == nullptr ? std::function<QString()>{}
                                              : std::function<QString()>{[&row] { return tr(row.submenu); }},
            .fixed = row.fixed};
    }
    return commands;
}

QStringList Commands::partsOfPage(const QString& page) {
    return parts().value(page);
}

QVector<KeyHint> Commands::hintsOf(const QString& page) {
    struct Row {
        const char* page;
        const char* ids;  ///< separated by blanks
        const char* words;
    };
    static constexpr Row rows[] = {
        {"runs", "runs.select", QT_TR_NOOP("select")},
        {"runs", "runs.compare", QT_TR_NOOP("compare")},
        {"runs", "runs.rename", QT_TR_NOOP("rename")},
        {"run", "run.previous_event run.next_event", QT_TR_NOOP("event")},
        {"run", "run.overlay", QT_TR_NOOP("overlay")},
        {"run", "chart.fit", QT_TR_NOOP("fit")},
        {"logs", "chart.fit", QT_TR_NOOP("fit")},
        {"logs", "chart.log_y", QT_TR_NOOP("log axis")},
        {"logs", "chart.smooth", QT_TR_NOOP("smoothing")},
        {"sweeps", "sweeps.edit_best", QT_TR_NOOP("edit the best")},
        {"hosts", "hosts.probe", QT_TR_NOOP("probe")},
        {"hosts", "hosts.terminal", QT_TR_NOOP("terminal")},
        {"estimator", "estimator.batch", QT_TR_NOOP("batch")},
        {"estimator", "estimator.sequence", QT_TR_NOOP("sequence")},
        {"traces", "timeline.zoom_in timeline.earlier timeline.zoom_out timeline.later", QT_TR_NOOP("move and zoom")},
        {"traces", "timeline.fit", QT_TR_NOOP("fit")},
        {"traces", "timeline.mark", QT_TR_NOOP("measure")},
        {"traces", "traces.previous_step traces.next_step", QT_TR_NOOP("step")},
        {"checkpoints", "checkpoints.resume", QT_TR_NOOP("resume")},
        {"checkpoints", "checkpoints.verify", QT_TR_NOOP("verify")},
        {"checkpoints", "checkpoints.compare", QT_TR_NOOP("compare")},
        {"checkpoints", "checkpoints.pin", QT_TR_NOOP("pin")},
        {"launch", "launch.check_again", QT_TR_NOOP("check again")},
        {"new", "new.go_to_field", QT_TR_NOOP("go to field")},
        {"new", "new.expert", QT_TR_NOOP("guided or expert")},
    };
    QVector<KeyHint> hints;
    for (const Row& row : rows)
        if (page == QLatin1String(row.page))
            hints << KeyHint{QString::fromLatin1(row.ids).split(QLatin1Char(' ')), tr(row.words)};
    return hints;
}

bool Commands::overlap(const QString& one, const QString& other) {
    if (one == other || is_everywhere(one) || is_everywhere(other))
        return true;
    for (auto page = parts().cbegin(); page != parts().cend(); ++page) {
        const auto is_shown = [&](const QString& scope) { return scope == page.key() || page->contains(scope); };
        if (is_shown(one) && is_shown(other))
            return true;
    }
    return false;
}

QString Commands::scopeTitle(const QString& scope) {
    static const QHash<QString, const char*> titles{
        {QStringLiteral("window"), QT_TR_NOOP("Everywhere")},
        {QStringLiteral("edit"), QT_TR_NOOP("Everywhere")},
        {QStringLiteral("request"), QT_TR_NOOP("A run, and the list of runs")},
        {QStringLiteral("run"), QT_TR_NOOP("A run")},
        {QStringLiteral("runs"), QT_TR_NOOP("List of runs")},
        {QStringLiteral("new"), QT_TR_NOOP("New run")},
        {QStringLiteral("launch"), QT_TR_NOOP("Launch")},
        {QStringLiteral("hosts"), QT_TR_NOOP("Hosts")},
        {QStringLiteral("estimator"), QT_TR_NOOP("Estimator")},
        {QStringLiteral("sweeps"), QT_TR_NOOP("Sweeps")},
        {QStringLiteral("traces"), QT_TR_NOOP("Traces")},
        {QStringLiteral("checkpoints"), QT_TR_NOOP("Checkpoints")},
        {QStringLiteral("curves"), QT_TR_NOOP("All curves")},
        {QStringLiteral("chart"), QT_TR_NOOP("A chart")},
        {QStringLiteral("timeline"), QT_TR_NOOP("Timeline of a trace")},
    };
    const char* title = titles.value(scope);
    return title == nullptr ? scope : tr(title);
}

QString Commands::menuTitle(MenuId menu) {
    /// In the order of MenuId.
    static constexpr const char* titles[] = {"",
                                             QT_TR_NOOP("&File"),
                                             QT_TR_NOOP("&Edit"),
                                             QT_TR_NOOP("&Run"),
                                             QT_TR_NOOP("&View"),
                                             QT_TR_NOOP("&Tools"),
                                             QT_TR_NOOP("&Help")};
    const auto at = static_cast<std::size_t>(menu);
    return at == 0 ? QString() : tr(titles[at]);
}

}  // namespace trainyard::desktop
