<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>HardwareChoice</name>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>This machine, %1 ranks</source>
        <translation>Dieser Rechner, %1 Ranks</translation>
    </message>
</context>
<context>
    <name>MemoryGroups</name>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>temporär</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop</name>
    <message>
        <source>A run finished or was stopped</source>
        <translation>Ein Lauf wurde fertig oder gestoppt</translation>
    </message>
    <message>
        <source>A run failed</source>
        <translation>Ein Lauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>A run or its host was lost</source>
        <translation>Ein Lauf oder sein Host ging verloren</translation>
    </message>
    <message>
        <source>Loss or gradient is not a number</source>
        <translation>Loss oder Gradient ist keine Zahl</translation>
    </message>
    <message>
        <source>Loss spike</source>
        <translation>Sprung im Loss</translation>
    </message>
    <message>
        <source>A checkpoint was not saved</source>
        <translation>Ein Checkpoint wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>No step for</source>
        <translation>Kein Schritt seit</translation>
    </message>
    <message>
        <source>Loss above</source>
        <translation>Loss über</translation>
    </message>
    <message>
        <source>Smoothed loss rises for</source>
        <translation>Geglätteter Loss steigt über</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Throughput below</source>
        <translation>Durchsatz unter</translation>
    </message>
    <message>
        <source>% of usual</source>
        <translation>% des Üblichen</translation>
    </message>
    <message>
        <source>Free disk below</source>
        <translation>Freier Plattenplatz unter</translation>
    </message>
    <message>
        <source>Memory above</source>
        <translation>Speicher über</translation>
    </message>
    <message>
        <source>%1 takes a number greater than 0 and at most %2.</source>
        <translation>%1 nimmt eine Zahl größer als 0 und höchstens %2.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>Trainings-Loss</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>Validierungs-Loss</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message numerus="yes">
        <source>%n keys are equal in all of them.</source>
        <translation>
            <numerusform>%n Schlüssel ist in allen gleich.</numerusform>
            <numerusform>%n Schlüssel sind in allen gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Settings of the runs with the best %1</source>
        <translation>Einstellungen der Läufe mit dem besten Wert für %1</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>By chance</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>ρ: Spearman&apos;s rank correlation, for numbers; η: correlation ratio of ranks, for words. “By chance”: share of %1 shuffles that are at least as strong. Finished runs only; no proof of a cause.</source>
        <translation>ρ: Rangkorrelation nach Spearman, für Zahlen; η: Korrelationsverhältnis der Ränge, für Wörter. „Zufällig“: Anteil von %1 zufälligen Vertauschungen, die mindestens so stark sind. Nur fertige Läufe; kein Beweis für eine Ursache.</translation>
    </message>
    <message numerus="yes">
        <source>Comparison of %n runs</source>
        <translation>
            <numerusform>Vergleich von %n Lauf</numerusform>
            <numerusform>Vergleich von %n Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>Trainyard, %1</source>
        <translation>Trainyard, %1</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Last values</source>
        <translation>Letzte Werte</translation>
    </message>
    <message>
        <source>Best values</source>
        <translation>Beste Werte</translation>
    </message>
    <message>
        <source>A learning rate is a number greater than 0 and at most 100, such as 3e-4.</source>
        <translation>Eine Lernrate ist eine Zahl größer als 0 und höchstens 100, zum Beispiel 3e-4.</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>The schedule keeps its shape. The change is recorded as an event.</source>
        <translation>Der Verlauf des Schedules behält seine Form. Die Änderung wird als Ereignis aufgezeichnet.</translation>
    </message>
    <message>
        <source>Now %1, which training.swa_lr decides: the peak counts again when the average has ended.</source>
        <translation>Jetzt %1, was training.swa_lr bestimmt: Der Spitzenwert zählt wieder, wenn die Mittelung beendet ist.</translation>
    </message>
    <message>
        <source>Now %1.</source>
        <translation>Jetzt %1.</translation>
    </message>
    <message>
        <source>Now %1 → %2.</source>
        <translation>Jetzt %1 → %2.</translation>
    </message>
    <message>
        <source>Change the learning rate</source>
        <translation>Lernrate ändern</translation>
    </message>
    <message>
        <source>Peak learning rate from the next step on</source>
        <translation>Spitzenwert der Lernrate ab dem nächsten Schritt</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Note at step %1</source>
        <translation>Notiz bei Schritt %1</translation>
    </message>
    <message>
        <source>The note is shown among the run&apos;s events and on its curves.</source>
        <translation>Die Notiz wird bei den Ereignissen des Laufs und auf seinen Kurven angezeigt.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Write something.</source>
        <translation>Schreiben Sie etwas.</translation>
    </message>
    <message>
        <source>New learning rate requested</source>
        <translation>Neue Lernrate angefordert</translation>
    </message>
    <message>
        <source>Stop requested</source>
        <translation>Stopp angefordert</translation>
    </message>
    <message>
        <source>Kill requested</source>
        <translation>Sofortiges Beenden angefordert</translation>
    </message>
    <message>
        <source>Checkpoint requested</source>
        <translation>Checkpoint angefordert</translation>
    </message>
    <message>
        <source>Evaluation requested</source>
        <translation>Evaluierung angefordert</translation>
    </message>
    <message>
        <source>Pause requested</source>
        <translation>Pause angefordert</translation>
    </message>
    <message>
        <source>Resume requested</source>
        <translation>Fortsetzen angefordert</translation>
    </message>
    <message>
        <source>Profile requested</source>
        <translation>Profil angefordert</translation>
    </message>
    <message>
        <source>Note added</source>
        <translation>Notiz hinzugefügt</translation>
    </message>
    <message>
        <source>Checkpoint %1</source>
        <translation>Checkpoint %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Validation loss %1</source>
        <translation>Validierungs-Loss %1</translation>
    </message>
    <message>
        <source>Resumed from checkpoint %1</source>
        <translation>Fortgesetzt ab Checkpoint %1</translation>
    </message>
    <message>
        <source>Peak learning rate %1</source>
        <translation>Spitzenwert der Lernrate %1</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>ab Schritt %1</translation>
    </message>
    <message>
        <source>from the %1</source>
        <translation>von: %1</translation>
    </message>
    <message>
        <source>Best validation loss %1 · step %2</source>
        <translation>Bester Validierungs-Loss %1 · Schritt %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>copy for computing</source>
        <translation>Kopie zum Rechnen</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>The run needed more memory than there is. A smaller batch, shorter sequences or more ranks need less.</source>
        <translation>Der Lauf brauchte mehr Speicher, als vorhanden ist. Ein kleinerer Batch, kürzere Sequenzen oder mehr Ranks brauchen weniger.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>A rank was estimated to need %1: %2.</source>
        <translation>Der geschätzte Bedarf eines Ranks war %1: %2.</translation>
    </message>
    <message>
        <source>%1 would need %2.</source>
        <translation>%1 würde %2 brauchen.</translation>
    </message>
    <message>
        <source>%1 would need %2 and fit into the %3 it held.</source>
        <translation>%1 würde %2 brauchen und in die belegten %3 passen.</translation>
    </message>
    <message>
        <source>rank %1 on %2</source>
        <translation>Rank %1 auf %2</translation>
    </message>
    <message>
        <source>%1 did not arrive at %2, where the others waited.</source>
        <translation>%1 kam nicht bei %2 an, wo die anderen warteten.</translation>
    </message>
    <message>
        <source>%1 no longer answers: it was switched off, is restarting, or has lost its network. Its ranks ended by themselves.</source>
        <translation>%1 antwortet nicht mehr: Der Host wurde ausgeschaltet, startet gerade neu oder hat sein Netzwerk verloren. Seine Ranks haben sich selbst beendet.</translation>
    </message>
    <message>
        <source>Nothing more could be written. Checkpoints take the most space: keep fewer of them with checkpoint.keep_last, or choose a folder on a larger disk.</source>
        <translation>Es konnte nichts mehr geschrieben werden. Checkpoints belegen den meisten Platz: Behalten Sie mit checkpoint.keep_last weniger davon oder wählen Sie einen Ordner auf einer größeren Platte.</translation>
    </message>
    <message>
        <source>A collective operation waits for every rank, and one of them did not call it in time.</source>
        <translation>Eine Kollektivoperation wartet auf jeden Rank, und einer von ihnen hat sie nicht rechtzeitig aufgerufen.</translation>
    </message>
    <message>
        <source>Before that, at step %1: %2. A lower learning rate, gradient clipping or health.on_non_finite: skip keep a run from it.</source>
        <translation>Davor, bei Schritt %1: %2. Eine niedrigere Lernrate, Gradient-Clipping oder health.on_non_finite: skip bewahren einen Lauf davor.</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>p99 %1</source>
        <translation>p99 %1</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>The peak was measured on this run&apos;s ranks by multiplying matrices.</source>
        <translation>Die Spitzenleistung wurde auf den Ranks dieses Laufs durch Multiplizieren von Matrizen gemessen.</translation>
    </message>
    <message>
        <source>The peak is the maker&apos;s figure for dense products in this number format.</source>
        <translation>Die Spitzenleistung ist die Herstellerangabe für dichte Produkte in diesem Zahlenformat.</translation>
    </message>
    <message>
        <source>peak unknown</source>
        <translation>Spitzenleistung unbekannt</translation>
    </message>
    <message>
        <source>The steps compute %1FLOP/s, more than the %2FLOP/s that were measured as the peak: the machine was busy when that was measured, so no share of it is shown.</source>
        <translation>Die Schritte rechnen mit %1FLOP/s, mehr als die %2FLOP/s, die als Spitzenleistung gemessen wurden: Der Rechner war bei der Messung ausgelastet, deshalb wird kein Anteil daran angezeigt.</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>est. %1</source>
        <translation>gesch. %1</translation>
    </message>
    <message>
        <source>Highest so far (%1); the estimate before the start was %2.</source>
        <translation>Bisheriger Höchstwert (%1); die Schätzung vor dem Start war %2.</translation>
    </message>
    <message>
        <source>Val loss</source>
        <translation>Val.-Loss</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message>
        <source>Grad norm</source>
        <translation>Grad.-Norm</translation>
    </message>
    <message>
        <source>Memory peak</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>Loss scale</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>Tok/s</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>The median of the last %1 steps.</source>
        <translation>Der Median der letzten %1 Schritte.</translation>
    </message>
    <message>
        <source>clip %1</source>
        <translation>Clip %1</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>Queued, number %1</source>
        <translation>Eingereiht, Nummer %1</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Queued, no process waits</source>
        <translation>Eingereiht, verwaist</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>Vorbereitung</translation>
    </message>
    <message>
        <source>Launching</source>
        <translation>Wird gestartet</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Stopping, %1 of %2 ranks gone</source>
        <translation>Wird gestoppt, %1 von %2 Ranks beendet</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird gestoppt</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rank</numerusform>
            <numerusform>%n Ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hosts</source>
        <translation>
            <numerusform>%n Host</numerusform>
            <numerusform>%n Hosts</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>waited %1</source>
        <translation>wartete %1</translation>
    </message>
    <message>
        <source>ended %1</source>
        <translation>beendet %1</translation>
    </message>
    <message>
        <source>queued %1 ago</source>
        <translation>vor %1 eingereiht</translation>
    </message>
    <message>
        <source>started %1 ago</source>
        <translation>vor %1 gestartet</translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%n Neustart</numerusform>
            <numerusform>%n Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>resumed from %1</source>
        <translation>fortgesetzt ab %1</translation>
    </message>
    <message>
        <source>check the recipe and write the run folder</source>
        <translation>Rezept prüfen und Laufordner schreiben</translation>
    </message>
    <message numerus="yes">
        <source>start %n ranks</source>
        <translation>
            <numerusform>%n Rank starten</numerusform>
            <numerusform>%n Ranks starten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>build the model and open the data on %n ranks</source>
        <translation>
            <numerusform>Modell aufbauen und Daten öffnen auf %n Rank</numerusform>
            <numerusform>Modell aufbauen und Daten öffnen auf %n Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>first step</source>
        <translation>erster Schritt</translation>
    </message>
    <message>
        <source>1 core</source>
        <translation>1 Kern</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <source>The settings for this host cannot be used</source>
        <translation>Die Einstellungen für diesen Host sind nicht verwendbar</translation>
    </message>
    <message>
        <source>The name was not found</source>
        <translation>Der Name wurde nicht gefunden</translation>
    </message>
    <message>
        <source>There is no way to this host</source>
        <translation>Es gibt keinen Weg zu diesem Host</translation>
    </message>
    <message>
        <source>Nothing listens on the port</source>
        <translation>Auf dem Port lauscht nichts</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>What answers is no SSH server</source>
        <translation>Was antwortet, ist kein SSH-Server</translation>
    </message>
    <message>
        <source>First contact: its key has to be confirmed</source>
        <translation>Erster Kontakt: Sein Schlüssel muss bestätigt werden</translation>
    </message>
    <message>
        <source>It shows a different host key</source>
        <translation>Er zeigt einen anderen Host-Schlüssel</translation>
    </message>
    <message>
        <source>Its host key is revoked</source>
        <translation>Sein Host-Schlüssel ist widerrufen</translation>
    </message>
    <message>
        <source>Logging in was refused</source>
        <translation>Die Anmeldung wurde abgelehnt</translation>
    </message>
    <message>
        <source>The server closed the connection: too many keys were offered</source>
        <translation>Er hat die Verbindung beendet: Es wurden zu viele Schlüssel angeboten</translation>
    </message>
    <message>
        <source>The jump host does not connect us</source>
        <translation>Der Jump-Host verbindet nicht weiter</translation>
    </message>
    <message>
        <source>The account cannot run commands</source>
        <translation>Das Konto kann keine Befehle ausführen</translation>
    </message>
    <message>
        <source>The login shell prints text before commands run</source>
        <translation>Die Login-Shell gibt Text aus, bevor Befehle laufen</translation>
    </message>
    <message>
        <source>A program is missing there</source>
        <translation>Dort fehlt ein Programm</translation>
    </message>
    <message>
        <source>No space is left there</source>
        <translation>Dort ist kein Platz mehr frei</translation>
    </message>
    <message>
        <source>A file there cannot be used</source>
        <translation>Eine Datei dort ist nicht verwendbar</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>Die Verbindung ging verloren</translation>
    </message>
    <message>
        <source>It was cancelled</source>
        <translation>Es wurde abgebrochen</translation>
    </message>
    <message>
        <source>It could not be asked</source>
        <translation>Er konnte nicht abgefragt werden</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>nicht abgefragt</translation>
    </message>
    <message>
        <source>asking</source>
        <translation>wird abgefragt</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>new key</source>
        <translation>neuer Schlüssel</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>nicht benutzt</translation>
    </message>
    <message>
        <source>its settings cannot be used</source>
        <translation>seine Einstellungen sind nicht verwendbar</translation>
    </message>
    <message>
        <source>its key has to be confirmed once</source>
        <translation>sein Schlüssel muss einmal bestätigt werden</translation>
    </message>
    <message>
        <source>host key is not the one you accepted</source>
        <translation>der Host-Schlüssel ist nicht der, den Sie akzeptiert haben</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>wird verbunden…</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>keine GPU</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <source>OS</source>
        <translation>OS</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von %2 frei</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>against this machine, known to %1 s</source>
        <translation>gegenüber diesem Rechner, auf %1 s genau</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>comes with the engine</source>
        <translation>kommt mit der Engine</translation>
    </message>
    <message>
        <source>copied when needed</source>
        <translation>wird bei Bedarf kopiert</translation>
    </message>
    <message>
        <source>copied</source>
        <translation>kopiert</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>none, not needed</source>
        <translation>keine, nicht nötig</translation>
    </message>
    <message>
        <source>, no torch</source>
        <translation>, kein torch</translation>
    </message>
    <message>
        <source>, torch %1</source>
        <translation>, torch %1</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>libc</source>
        <translation>libc</translation>
    </message>
    <message>
        <source>NVLink %1</source>
        <translation>NVLink %1</translation>
    </message>
    <message>
        <source>, %1 Gb/s</source>
        <translation>, %1 Gb/s</translation>
    </message>
    <message>
        <source>The settings for %1 cannot be used</source>
        <translation>Die Einstellungen für %1 sind nicht verwendbar</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The GPU driver of %1 does not work</source>
        <translation>Der GPU-Treiber von %1 funktioniert nicht</translation>
    </message>
    <message>
        <source> Install the driver again or restart the host; runs on the CPU work.</source>
        <translation> Installieren Sie den Treiber erneut oder starten Sie den Host neu; Läufe auf der CPU funktionieren.</translation>
    </message>
    <message>
        <source>The driver of %1 is too old</source>
        <translation>Der Treiber von %1 ist zu alt</translation>
    </message>
    <message>
        <source>Driver %1 knows CUDA up to %2; the engine&apos;s GPU part wants %3 or newer. Update the driver; runs on the CPU work.</source>
        <translation>Treiber %1 kennt CUDA bis %2; der GPU-Teil der Engine verlangt %3 oder neuer. Aktualisieren Sie den Treiber; Läufe auf der CPU funktionieren.</translation>
    </message>
    <message>
        <source>The clock of %1 is off by %2</source>
        <translation>Die Uhr von %1 weicht um %2 ab</translation>
    </message>
    <message>
        <source>Times in its logs will not fit those of other hosts. Switch on time synchronisation there.</source>
        <translation>Zeiten in seinen Logs passen nicht zu denen anderer Hosts. Schalten Sie dort die Zeitsynchronisierung ein.</translation>
    </message>
    <message>
        <source>Little space is left on %1</source>
        <translation>Auf %1 ist wenig Platz frei</translation>
    </message>
    <message>
        <source>%1 free in %2: make room, or choose another folder for runs in its settings.</source>
        <translation>%1 frei in %2: Schaffen Sie Platz oder wählen Sie in seinen Einstellungen einen anderen Ordner für Läufe.</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA-GPU</translation>
    </message>
    <message>
        <source>Starts and watches training runs. Runs go on when the window is closed.</source>
        <translation>Startet und überwacht Trainingsläufe. Läufe gehen weiter, wenn das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>What to open: a recipe (YAML), a run folder, a folder or file of logs (TensorBoard, JSONL, CSV), host:path or an sftp address.</source>
        <translation>Was geöffnet werden soll: ein Rezept (YAML), ein Laufordner, ein Ordner oder eine Datei mit Logs (TensorBoard, JSONL, CSV), host:pfad oder eine sftp-Adresse.</translation>
    </message>
    <message>
        <source>Show the first-run page, the sample one click away.</source>
        <translation>Die Seite des ersten Starts zeigen; das Beispiel ist nur einen Klick entfernt.</translation>
    </message>
    <message>
        <source>With --sample: start it, wait until it is over, print the final loss, leave.</source>
        <translation>Mit --sample: das Beispiel starten, warten, bis es zu Ende ist, den letzten Loss ausgeben, beenden.</translation>
    </message>
    <message>
        <source>Write a picture of the window and leave.</source>
        <translation>Ein Bild des Fensters schreiben und beenden.</translation>
    </message>
    <message>
        <source>dark, light or system, for this start.</source>
        <translation>dark, light oder system, für diesen Start.</translation>
    </message>
    <message>
        <source>Size of the window, e.g. 1440x900.</source>
        <translation>Größe des Fensters, z. B. 1440x900.</translation>
    </message>
    <message>
        <source>One file or folder can be opened at a time, not %1.</source>
        <translation>Es kann nur eine Datei oder ein Ordner auf einmal geöffnet werden, nicht %1.</translation>
    </message>
    <message>
        <source>--autostart needs --sample.</source>
        <translation>--autostart braucht --sample.</translation>
    </message>
    <message>
        <source>--theme %1 is not known: write dark, light or system.</source>
        <translation>--theme %1 ist nicht bekannt: Schreiben Sie dark, light oder system.</translation>
    </message>
    <message>
        <source>--size %1 is no size: write e.g. 1440x900.</source>
        <translation>--size %1 ist keine Größe: Schreiben Sie z. B. 1440x900.</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>Estimated: a token takes %1FLOP, and each rank computes %2 % of the %3FLOP/s that were measured as the peak (%4). %5</source>
        <translation>Geschätzt: Ein Token braucht %1FLOP, und jeder Rank rechnet mit %2 % der %3FLOP/s, die als Spitzenleistung gemessen wurden (%4). %5</translation>
    </message>
    <message numerus="yes">
        <source>That share is the median of %n runs on this machine.</source>
        <translation>
            <numerusform>Dieser Anteil stammt von %n Lauf auf diesem Rechner.</numerusform>
            <numerusform>Dieser Anteil ist der Median von %n Läufen auf diesem Rechner.</numerusform>
        </translation>
    </message>
    <message>
        <source>That share is a usual one: no run has told its own yet.</source>
        <translation>Dieser Anteil ist ein üblicher Wert: Noch hat kein Lauf seinen eigenen geliefert.</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>Steht still</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>matmul</source>
        <translation>Matmul</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>elementweise</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>Schritte %1–%2</translation>
    </message>
    <message>
        <source>%1 slices, all placed</source>
        <translation>%1 Slices, alle platziert</translation>
    </message>
    <message>
        <source>%1 slices, %2 entries without a place</source>
        <translation>%1 Slices, %2 Einträge ohne Platz</translation>
    </message>
    <message>
        <source>%1 read in %2</source>
        <translation>%1 gelesen in %2</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Slices</translation>
    </message>
    <message numerus="yes">
        <source>%n overlapping slices on an extra row</source>
        <translation>
            <numerusform>%n überlappender Slice in einer zusätzlichen Zeile</numerusform>
            <numerusform>%n überlappende Slices in einer zusätzlichen Zeile</numerusform>
        </translation>
    </message>
    <message>
        <source>all placed</source>
        <translation>alle platziert</translation>
    </message>
    <message>
        <source>clock moved by %1</source>
        <translation>Uhr um %1 verschoben</translation>
    </message>
    <message>
        <source>%1: %2 could not be placed.</source>
        <translation>%1: %2 konnten nicht platziert werden.</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>in Expert</source>
        <translation>unter Experte</translation>
    </message>
    <message>
        <source>this holds neither settings of accelerate, nor a recipe, nor a DeepSpeed file</source>
        <translation>enthält weder Einstellungen von accelerate noch ein Rezept noch eine DeepSpeed-Datei</translation>
    </message>
    <message>
        <source>line %1, column %2: </source>
        <translation>Zeile %1, Spalte %2: </translation>
    </message>
    <message>
        <source>ZeRO with DeepSpeed</source>
        <translation>ZeRO mit DeepSpeed</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>Sharding</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>Mesh</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>Kompilierung</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>MPI</source>
        <translation>MPI</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: a TPU.</source>
        <translation>Ausgefüllt nach dem, was dieser Rechner hat: eine TPU.</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: a CPU with %1 cores, no accelerator.</source>
        <translation>Ausgefüllt nach dem, was dieser Rechner hat: eine CPU mit %1 Kernen, kein Beschleuniger.</translation>
    </message>
    <message>
        <source>Filled in from what this machine has: %1 × %2.</source>
        <translation>Ausgefüllt nach dem, was dieser Rechner hat: %1 × %2.</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>part of the run folder&apos;s name</source>
        <translation>Teil des Namens des Laufordners</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>its keys are those of transformers&apos; config.json</source>
        <translation>ihre Schlüssel sind die der config.json von transformers</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>what the model is trained for</source>
        <translation>wofür das Modell trainiert wird</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>transformer blocks</source>
        <translation>Transformer-Blöcke</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Heads</translation>
    </message>
    <message>
        <source>attention heads of each block</source>
        <translation>Attention-Heads jedes Blocks</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>a multiple of the heads</source>
        <translation>ein Vielfaches der Heads</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>longest sequence, in tokens</source>
        <translation>längste Sequenz, in Tokens</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>number of different tokens; 256 for bytes</source>
        <translation>Anzahl verschiedener Tokens; 256 für Bytes</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>Anfangsgewichte</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>file or folder to go on from, its config.json counts; empty: random weights</source>
        <translation>Datei oder Ordner als Ausgangspunkt, dessen config.json gilt; leer: zufällige Gewichte</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>patterns of names of parameters that stay as they start, e.g. transformer.wte.*</source>
        <translation>Namensmuster der Parameter, die unverändert bleiben, z. B. transformer.wte.*</translation>
    </message>
    <message>
        <source>Adapters (LoRA)</source>
        <translation>Adapter (LoRA)</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>adapters are trained, the model stays; 0: none</source>
        <translation>Adapter werden trainiert, das Modell bleibt; 0: keine</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>what is added counts alpha / rank times</source>
        <translation>das Hinzugefügte zählt Alpha / Rang Mal</translation>
    </message>
    <message>
        <source>Rank-stabilised</source>
        <translation>Rangstabilisiert</translation>
    </message>
    <message>
        <source>alpha / root of the rank</source>
        <translation>Alpha / Wurzel aus dem Rang</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>ends of their names, e.g. c_attn, c_proj, or expressions; all-linear: all but the head</source>
        <translation>Enden ihrer Namen, z. B. c_attn, c_proj, oder Ausdrücke; all-linear: alle außer dem Kopf</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>ends of names in transformers, e.g. mlp.experts.gate_up_proj, mlp.experts.down_proj: experts</source>
        <translation>Enden der Namen in transformers, z. B. mlp.experts.gate_up_proj, mlp.experts.down_proj: Experten</translation>
    </message>
    <message>
        <source>Trained whole</source>
        <translation>Ganz trainiert</translation>
    </message>
    <message>
        <source>ends of modules&apos; names, saved with the adapter; empty: the head of a classification</source>
        <translation>Enden von Modulnamen, mit dem Adapter gespeichert; leer: der Kopf einer Klassifikation</translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>folder in PEFT&apos;s layout to go on from; empty: a fresh one</source>
        <translation>Ordner im Format von PEFT als Ausgangspunkt; leer: ein neuer</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Inner width</source>
        <translation>Innere Breite</translation>
    </message>
    <message>
        <source>0: four times the width</source>
        <translation>0: das Vierfache der Breite</translation>
    </message>
    <message>
        <source>Dropout, residual</source>
        <translation>Dropout, residual</translation>
    </message>
    <message>
        <source>Dropout, embeddings</source>
        <translation>Dropout, Embeddings</translation>
    </message>
    <message>
        <source>Dropout, attention</source>
        <translation>Dropout, Attention</translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation>Norm-Epsilon</translation>
    </message>
    <message>
        <source>Initializer range</source>
        <translation>Initialisierungsbereich</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>between the feed-forward layers</source>
        <translation>zwischen den Feed-Forward-Schichten</translation>
    </message>
    <message>
        <source>Tied output layer</source>
        <translation>Gekoppelte Ausgabeschicht</translation>
    </message>
    <message>
        <source>uses the table of the token embedding</source>
        <translation>benutzt die Tabelle des Token-Embeddings</translation>
    </message>
    <message>
        <source>Scaled attention</source>
        <translation>Skalierte Attention</translation>
    </message>
    <message>
        <source>by the square root of the width of a head</source>
        <translation>mit der Quadratwurzel der Breite eines Heads</translation>
    </message>
    <message>
        <source>Scaled by block</source>
        <translation>Nach Block skaliert</translation>
    </message>
    <message>
        <source>also divides attention scores by the number of the block</source>
        <translation>teilt Attention-Scores zusätzlich durch die Nummer des Blocks</translation>
    </message>
    <message>
        <source>Attention in fp32</source>
        <translation>Attention in fp32</translation>
    </message>
    <message>
        <source>scores, under mixed precision</source>
        <translation>Scores, bei gemischter Präzision</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>Cross-Attention</translation>
    </message>
    <message>
        <source>needs an encoder, which no data set has</source>
        <translation>braucht einen Encoder, den kein Datensatz hat</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Erstes Token</translation>
    </message>
    <message>
        <source>of a text, for config.json; -1: none</source>
        <translation>eines Textes, für config.json; -1: keines</translation>
    </message>
    <message>
        <source>Last token</source>
        <translation>Letztes Token</translation>
    </message>
    <message>
        <source>Padding token</source>
        <translation>Padding-Token</translation>
    </message>
    <message>
        <source>for config.json; -1: none</source>
        <translation>für config.json; -1: keines</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>file or folder; drop one here</source>
        <translation>Datei oder Ordner; hier ablegen</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>Dateinamen</translation>
    </message>
    <message>
        <source>which files of a folder, e.g. *.txt</source>
        <translation>welche Dateien eines Ordners, z. B. *.txt</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>tokens, at most the context</source>
        <translation>Tokens, höchstens der Kontext</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>share of the text, at its end, for evaluation</source>
        <translation>Anteil des Textes, an seinem Ende, für die Evaluierung</translation>
    </message>
    <message>
        <source>Random order</source>
        <translation>Zufällige Reihenfolge</translation>
    </message>
    <message>
        <source>a new order in each epoch</source>
        <translation>eine neue Reihenfolge in jeder Epoche</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>bytes: one token per byte</source>
        <translation>bytes: ein Token pro Byte</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>of tables; empty: the only one, or text</source>
        <translation>von Tabellen; leer: die einzige oder text</translation>
    </message>
    <message>
        <source>Second column</source>
        <translation>Zweite Spalte</translation>
    </message>
    <message>
        <source>of the second text of a pair</source>
        <translation>für den zweiten Text eines Paares</translation>
    </message>
    <message>
        <source>Label column</source>
        <translation>Label-Spalte</translation>
    </message>
    <message>
        <source>of classes, by number or name; empty: label</source>
        <translation>der Klassen, nach Nummer oder Name; leer: label</translation>
    </message>
    <message>
        <source>Target column</source>
        <translation>Zielspalte</translation>
    </message>
    <message>
        <source>of the text to be written; empty: summary</source>
        <translation>des zu schreibenden Textes; leer: summary</translation>
    </message>
    <message>
        <source>Target length</source>
        <translation>Ziellänge</translation>
    </message>
    <message>
        <source>tokens of the text to be written</source>
        <translation>Tokens des zu schreibenden Textes</translation>
    </message>
    <message>
        <source>Masked share</source>
        <translation>Maskierter Anteil</translation>
    </message>
    <message>
        <source>of tokens, for masked_lm</source>
        <translation>der Tokens, für masked_lm</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Konversationen</translation>
    </message>
    <message>
        <source>only replies are learnt</source>
        <translation>nur Antworten werden gelernt</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>tokenizer.json, for text; empty: one token per byte</source>
        <translation>tokenizer.json, für Text; leer: ein Token pro Byte</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>Packen</translation>
    </message>
    <message>
        <source>documents end to end</source>
        <translation>Dokumente lückenlos aneinander</translation>
    </message>
    <message>
        <source>Unreadable records</source>
        <translation>Nicht lesbare Datensätze</translation>
    </message>
    <message>
        <source>stop the run, or skip and count them</source>
        <translation>den Lauf stoppen oder sie überspringen und zählen</translation>
    </message>
    <message>
        <source>Split batches</source>
        <translation>Batches aufteilen</translation>
    </message>
    <message>
        <source>the batch is that of all ranks, which share it</source>
        <translation>der Batch gilt für alle Ranks, die ihn sich teilen</translation>
    </message>
    <message>
        <source>Dispatch batches</source>
        <translation>Batches verteilen</translation>
    </message>
    <message>
        <source>rank 0 reads, and sends every rank its samples</source>
        <translation>Rank 0 liest und sendet jedem Rank seine Samples</translation>
    </message>
    <message>
        <source>Even batches</source>
        <translation>Gleich große Batches</translation>
    </message>
    <message>
        <source>full batches on every rank at the end of an epoch, too</source>
        <translation>volle Batches auf jedem Rank, auch am Ende einer Epoche</translation>
    </message>
    <message>
        <source>Join epochs</source>
        <translation>Epochen verbinden</translation>
    </message>
    <message>
        <source>even batches are completed from the next epoch, not from the same</source>
        <translation>gleich große Batches werden aus der nächsten Epoche ergänzt, nicht aus derselben</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>threads of a rank that read ahead</source>
        <translation>Threads eines Ranks, die vorauslesen</translation>
    </message>
    <message>
        <source>Prefetch factor</source>
        <translation>Prefetch-Faktor</translation>
    </message>
    <message>
        <source>batches of each worker</source>
        <translation>Batches jedes Workers</translation>
    </message>
    <message>
        <source>Steps and batch</source>
        <translation>Schritte und Batch</translation>
    </message>
    <message>
        <source>optimizer updates</source>
        <translation>Aktualisierungen des Optimizers</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>sequences per rank and micro-batch</source>
        <translation>Sequenzen pro Rank und Micro-Batch</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>Akkumulation</translation>
    </message>
    <message>
        <source>micro-batches of one update</source>
        <translation>Micro-Batches einer Aktualisierung</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>sequences of one update on all ranks, whatever their number; 0: not fixed</source>
        <translation>Sequenzen einer Aktualisierung auf allen Ranks, unabhängig von deren Anzahl; 0: nicht festgelegt</translation>
    </message>
    <message>
        <source>Peak learning rate</source>
        <translation>Spitzenwert der Lernrate</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Schedule</translation>
    </message>
    <message>
        <source>after the warm-up</source>
        <translation>nach dem Warm-up</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>steps in which the rate rises from 0</source>
        <translation>Schritte, in denen die Rate von 0 ansteigt</translation>
    </message>
    <message>
        <source>Final rate</source>
        <translation>Endrate</translation>
    </message>
    <message>
        <source>at the end, as a fraction of the peak</source>
        <translation>am Ende, als Bruchteil des Spitzenwerts</translation>
    </message>
    <message>
        <source>Decay ends</source>
        <translation>Abfall endet</translation>
    </message>
    <message>
        <source>at this step; 0: at the last</source>
        <translation>bei diesem Schritt; 0: beim letzten</translation>
    </message>
    <message>
        <source>Schedule arguments</source>
        <translation>Schedule-Argumente</translation>
    </message>
    <message>
        <source>of schedules of transformers and torch, e.g. {num_cycles: 2}</source>
        <translation>der Schedules von transformers und torch, z. B. {num_cycles: 2}</translation>
    </message>
    <message>
        <source>Clip gradients at</source>
        <translation>Gradienten begrenzen auf</translation>
    </message>
    <message>
        <source>norm; 0: never</source>
        <translation>Norm; 0: nie</translation>
    </message>
    <message>
        <source>Seed and evaluation</source>
        <translation>Seed und Evaluierung</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>start of every random number</source>
        <translation>Ausgangspunkt aller Zufallszahlen</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>Evaluieren alle</translation>
    </message>
    <message>
        <source>steps; 0: only at the end</source>
        <translation>Schritte; 0: nur am Ende</translation>
    </message>
    <message>
        <source>Evaluation batches</source>
        <translation>Evaluierungs-Batches</translation>
    </message>
    <message>
        <source>of one evaluation; 0: all that is held out</source>
        <translation>einer Evaluierung; 0: alles Zurückgehaltene</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>Optimizer arguments</source>
        <translation>Optimizer-Argumente</translation>
    </message>
    <message>
        <source>further ones, e.g. {momentum: 0.9, nesterov: true}</source>
        <translation>weitere, z. B. {momentum: 0.9, nesterov: true}</translation>
    </message>
    <message>
        <source>Parameter groups</source>
        <translation>Parametergruppen</translation>
    </message>
    <message>
        <source>by patterns of names, e.g. {&quot;*.wte.weight&quot;: {lr: 1e-4}}</source>
        <translation>nach Namensmustern, z. B. {&quot;*.wte.weight&quot;: {lr: 1e-4}}</translation>
    </message>
    <message>
        <source>Betas</source>
        <translation>Betas</translation>
    </message>
    <message>
        <source>decay rates of the two moments</source>
        <translation>Abklingraten der beiden Momente</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Decay all</source>
        <translation>Decay für alle</translation>
    </message>
    <message>
        <source>biases and norms too</source>
        <translation>auch Biases und Normen</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>Aktivierungen neu berechnen</translation>
    </message>
    <message>
        <source>less memory for a third more time</source>
        <translation>weniger Speicher für ein Drittel mehr Zeit</translation>
    </message>
    <message>
        <source>Average of weights</source>
        <translation>Mittelung der Gewichte</translation>
    </message>
    <message>
        <source>share of the old average, e.g. 0.999; 0: none</source>
        <translation>Anteil des alten Mittelwerts, z. B. 0.999; 0: keine</translation>
    </message>
    <message>
        <source>SWA from step</source>
        <translation>SWA ab Schritt</translation>
    </message>
    <message>
        <source>average of all weights from there on; 0: none</source>
        <translation>Mittelwert aller Gewichte von da an; 0: keiner</translation>
    </message>
    <message>
        <source>SWA every</source>
        <translation>SWA alle</translation>
    </message>
    <message>
        <source>SWA rate</source>
        <translation>SWA-Rate</translation>
    </message>
    <message>
        <source>learning rate of the average; 0: as scheduled</source>
        <translation>Lernrate der Mittelung; 0: nach Schedule</translation>
    </message>
    <message>
        <source>SWA annealing</source>
        <translation>SWA-Annealing</translation>
    </message>
    <message>
        <source>steps to that rate</source>
        <translation>Schritte bis zu dieser Rate</translation>
    </message>
    <message>
        <source>SWA course</source>
        <translation>SWA-Verlauf</translation>
    </message>
    <message>
        <source>to that rate</source>
        <translation>bis zu dieser Rate</translation>
    </message>
    <message>
        <source>Local SGD</source>
        <translation>Local SGD</translation>
    </message>
    <message>
        <source>steps between two averages of the ranks&apos; weights; 0: off</source>
        <translation>Schritte zwischen zwei Mittelungen der Gewichte der Ranks; 0: aus</translation>
    </message>
    <message>
        <source>with fp16: at the start</source>
        <translation>mit fp16: am Anfang</translation>
    </message>
    <message>
        <source>Loss scale doubles after</source>
        <translation>Loss scale verdoppelt nach</translation>
    </message>
    <message>
        <source>with fp16: good steps in a row</source>
        <translation>mit fp16: gute Schritte in Folge</translation>
    </message>
    <message>
        <source>TensorFloat-32</source>
        <translation>TensorFloat-32</translation>
    </message>
    <message>
        <source>on NVIDIA GPUs</source>
        <translation>auf NVIDIA-GPUs</translation>
    </message>
    <message>
        <source>NaN or infinity</source>
        <translation>NaN oder unendlich</translation>
    </message>
    <message>
        <source>what to do when loss or gradients are not finite</source>
        <translation>was geschieht, wenn Loss oder Gradienten nicht endlich sind</translation>
    </message>
    <message>
        <source>Loss spikes</source>
        <translation>Sprünge im Loss</translation>
    </message>
    <message>
        <source>what to do when the loss spikes</source>
        <translation>was geschieht, wenn der Loss sprunghaft steigt</translation>
    </message>
    <message>
        <source>Spike threshold</source>
        <translation>Schwelle für Sprünge</translation>
    </message>
    <message>
        <source>standard deviations above the recent losses</source>
        <translation>Standardabweichungen über den letzten Loss-Werten</translation>
    </message>
    <message>
        <source>Spike window</source>
        <translation>Fenster für Sprünge</translation>
    </message>
    <message>
        <source>Stop after</source>
        <translation>Stoppen nach</translation>
    </message>
    <message>
        <source>non-finite steps in a row; 0: never</source>
        <translation>nicht endliche Schritte in Folge; 0: nie</translation>
    </message>
    <message>
        <source>Slow ranks</source>
        <translation>Langsame Ranks</translation>
    </message>
    <message>
        <source>checked after this many steps; 0: never</source>
        <translation>nach so vielen Schritten geprüft; 0: nie</translation>
    </message>
    <message>
        <source>Weights agree</source>
        <translation>Gewichte gleich</translation>
    </message>
    <message>
        <source>compared across ranks after this many steps; 0: never</source>
        <translation>nach so vielen Schritten zwischen den Ranks verglichen; 0: nie</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO-Stufe</translation>
    </message>
    <message>
        <source>sharded over the ranks: 0 nothing, 1 optimizer state, 2 also gradients</source>
        <translation>über die Ranks aufgeteilt: 0 nichts, 1 Optimizer-Zustand, 2 auch Gradienten</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>ranks that share the model&apos;s layers; 1: none</source>
        <translation>Ranks, die sich die Schichten des Modells teilen; 1: keine</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>the sizes multiply to the number of ranks; 0: as many as the others leave</source>
        <translation>das Produkt der Größen ist die Anzahl der Ranks; 0: so viele, wie die anderen übrig lassen</translation>
    </message>
    <message>
        <source>Ranks of ZeRO</source>
        <translation>Ranks für ZeRO</translation>
    </message>
    <message>
        <source>share out what its stage says; 0: as many as the others leave</source>
        <translation>teilen auf, was die Stufe besagt; 0: so viele, wie die anderen übrig lassen</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Tensor-parallel</translation>
    </message>
    <message>
        <source>1 in this version</source>
        <translation>1 in dieser Version</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>Kontext-parallel</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>Sequenz-parallel</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>Pipeline-Schedule</translation>
    </message>
    <message>
        <source>order of forwards and backwards</source>
        <translation>Reihenfolge von Forward und Backward</translation>
    </message>
    <message>
        <source>Gradient buckets</source>
        <translation>Gradienten-Buckets</translation>
    </message>
    <message>
        <source>MiB, at least</source>
        <translation>MiB, mindestens</translation>
    </message>
    <message>
        <source>First bucket</source>
        <translation>Erster Bucket</translation>
    </message>
    <message>
        <source>MiB, at least; 0: as the others</source>
        <translation>MiB, mindestens; 0: wie die anderen</translation>
    </message>
    <message>
        <source>Unused parameters</source>
        <translation>Unbenutzte Parameter</translation>
    </message>
    <message>
        <source>get zero gradients; off: an error</source>
        <translation>erhalten Null-Gradienten; aus: ein Fehler</translation>
    </message>
    <message>
        <source>Check gradients</source>
        <translation>Gradienten prüfen</translation>
    </message>
    <message>
        <source>ranks compare which parameters have some</source>
        <translation>Ranks vergleichen, welche Parameter welche haben</translation>
    </message>
    <message>
        <source>Check collectives</source>
        <translation>Kollektivoperationen prüfen</translation>
    </message>
    <message>
        <source>ranks compare shapes before each one; slower</source>
        <translation>Ranks vergleichen vor jeder die Shapes; langsamer</translation>
    </message>
    <message>
        <source>Compression</source>
        <translation>Kompression</translation>
    </message>
    <message>
        <source>of gradients between ranks</source>
        <translation>der Gradienten zwischen Ranks</translation>
    </message>
    <message>
        <source>Compression&apos;s format</source>
        <translation>Format der Kompression</translation>
    </message>
    <message>
        <source>PowerSGD options</source>
        <translation>PowerSGD-Optionen</translation>
    </message>
    <message>
        <source>e.g. {matrix_approximation_rank: 2}</source>
        <translation>z. B. {matrix_approximation_rank: 2}</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>Speichern alle</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>newest checkpoints; 0: all</source>
        <translation>neueste Checkpoints; 0: alle</translation>
    </message>
    <message>
        <source>Keep best</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>by the metric below, besides the last</source>
        <translation>nach der Metrik unten, zusätzlich zum letzten</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>Bester nach</translation>
    </message>
    <message>
        <source>curve that says how good one is</source>
        <translation>Kurve, die sagt, wie gut einer ist</translation>
    </message>
    <message>
        <source>Best is</source>
        <translation>Am besten ist</translation>
    </message>
    <message>
        <source>the lowest or the highest value</source>
        <translation>der niedrigste oder der höchste Wert</translation>
    </message>
    <message>
        <source>Type of exports</source>
        <translation>Typ der Exporte</translation>
    </message>
    <message>
        <source>auto: the type of the weights it starts from</source>
        <translation>auto: der Typ der Gewichte, von denen es ausgeht</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>Im Hintergrund</translation>
    </message>
    <message>
        <source>train on while files are written</source>
        <translation>weiter trainieren, während Dateien geschrieben werden</translation>
    </message>
    <message>
        <source>Resume from</source>
        <translation>Fortsetzen ab</translation>
    </message>
    <message>
        <source>checkpoint or run folder to go on from; empty: from the start</source>
        <translation>Checkpoint oder Laufordner als Ausgangspunkt; leer: von Anfang an</translation>
    </message>
    <message>
        <source>Log metrics every</source>
        <translation>Metriken loggen alle</translation>
    </message>
    <message>
        <source>Histograms every</source>
        <translation>Histogramme alle</translation>
    </message>
    <message>
        <source>steps; 0: none</source>
        <translation>Schritte; 0: keine</translation>
    </message>
    <message>
        <source>Trackers</source>
        <translation>Tracker</translation>
    </message>
    <message>
        <source>besides the run&apos;s own: jsonl, csv, ...</source>
        <translation>neben dem des Laufs: jsonl, csv, ...</translation>
    </message>
    <message>
        <source>Samples of the model</source>
        <translation>Textproben des Modells</translation>
    </message>
    <message>
        <source>Write every</source>
        <translation>Schreiben alle</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>what samples begin with; several as [&quot;one&quot;, &quot;two&quot;]</source>
        <translation>womit Textproben beginnen; mehrere als [&quot;eins&quot;, &quot;zwei&quot;]</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>most new tokens</source>
        <translation>Höchstzahl neuer Tokens</translation>
    </message>
    <message>
        <source>Draw tokens</source>
        <translation>Tokens ziehen</translation>
    </message>
    <message>
        <source>off: the most likely ones</source>
        <translation>aus: die wahrscheinlichsten</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>below 1: likely tokens become more likely</source>
        <translation>unter 1: wahrscheinliche Tokens werden noch wahrscheinlicher</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>most likely tokens; 0: all</source>
        <translation>wahrscheinlichste Tokens; 0: alle</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>probability of the tokens drawn from</source>
        <translation>Wahrscheinlichkeit der Tokens, aus denen gezogen wird</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>Profiler</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>steps in a row; 0: none</source>
        <translation>Schritte in Folge; 0: keine</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>steps before each recording</source>
        <translation>Schritte vor jeder Aufzeichnung</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufzeichnungen</translation>
    </message>
    <message>
        <source>0: until the end</source>
        <translation>0: bis zum Ende</translation>
    </message>
    <message>
        <source>Skip first</source>
        <translation>Anfang überspringen</translation>
    </message>
    <message>
        <source>steps at the start</source>
        <translation>Schritte zu Beginn</translation>
    </message>
    <message>
        <source>Activities</source>
        <translation>Aktivitäten</translation>
    </message>
    <message>
        <source>cpu, cuda; empty: all</source>
        <translation>cpu, cuda; leer: alle</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>of the inputs of operators</source>
        <translation>der Eingaben von Operatoren</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>every allocation</source>
        <translation>jede Allokation</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>of matrix products and convolutions</source>
        <translation>von Matrixprodukten und Faltungen</translation>
    </message>
    <message>
        <source>Trace folder</source>
        <translation>Trace-Ordner</translation>
    </message>
    <message>
        <source>empty: traces of the run&apos;s folder</source>
        <translation>leer: traces im Ordner des Laufs</translation>
    </message>
    <message>
        <source>%1 machines</source>
        <translation>%1 Rechner</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>Replicate</source>
        <translation>Replizieren</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>kompiliert</translation>
    </message>
    <message>
        <source>no text yet</source>
        <translation>noch kein Text</translation>
    </message>
    <message>
        <source>several paths</source>
        <translation>mehrere Pfade</translation>
    </message>
    <message>
        <source>saved at the end</source>
        <translation>am Ende gespeichert</translation>
    </message>
    <message>
        <source>saved every %1 steps</source>
        <translation>alle %1 Schritte gespeichert</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>Ein Modell trainieren</translation>
    </message>
    <message>
        <source>Own script</source>
        <translation>Eigenes Skript</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>%1 steps, lr %2</source>
        <translation>%1 Schritte, lr %2</translation>
    </message>
    <message>
        <source>check, save</source>
        <translation>prüfen, speichern</translation>
    </message>
    <message>
        <source>check, launch</source>
        <translation>prüfen, starten</translation>
    </message>
    <message>
        <source>the script decides</source>
        <translation>das Skript entscheidet</translation>
    </message>
    <message>
        <source>only for runs</source>
        <translation>nur für Läufe</translation>
    </message>
    <message>
        <source>only with your own script</source>
        <translation>nur mit eigenem Skript</translation>
    </message>
    <message>
        <source>one copy of the model on this kind of machine</source>
        <translation>eine Kopie des Modells auf dieser Art von Rechner</translation>
    </message>
    <message>
        <source>one rank has nothing to share</source>
        <translation>ein einzelner Rank hat nichts aufzuteilen</translation>
    </message>
    <message>
        <source>asked under Cloud</source>
        <translation>wird unter Cloud abgefragt</translation>
    </message>
    <message>
        <source>only for SageMaker and TPU</source>
        <translation>nur für SageMaker und TPU</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Cloud and TPU</source>
        <translation>Cloud und TPU</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>Gemischte Präzision</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>%1 s ago</source>
        <translation>vor %1 s</translation>
    </message>
    <message>
        <source>%1 m ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 h %2 m ago</source>
        <translation>vor %1 h %2 min</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>vor %1 Tagen</translation>
    </message>
    <message>
        <source>Language of the window for this start: %1.</source>
        <translation>Sprache des Fensters für diesen Start: %1.</translation>
    </message>
    <message>
        <source>--language %1 is not known: write one of %2.</source>
        <translation>--language %1 ist nicht bekannt: Schreiben Sie eines von %2.</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>format of a date</comment>
        <translation>d. MMM HH:mm</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm:ss</source>
        <comment>format of a date</comment>
        <translation>d. MMM yyyy, HH:mm:ss</translation>
    </message>
    <message>
        <source>Open this page: %1. Its subject follows a colon: run:ID, new:PAGE, hosts:NAME, compare:ID,ID.</source>
        <translation>Diese Seite öffnen: %1. Ihr Gegenstand folgt nach einem Doppelpunkt: run:ID, new:PAGE, hosts:NAME, compare:ID,ID.</translation>
    </message>
    <message>
        <source>--page %1 is not known: write one of %2.</source>
        <translation>--page %1 ist nicht bekannt: Schreiben Sie eines von %2.</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>starting</source>
        <comment>state of a rank</comment>
        <translation>startet</translation>
    </message>
    <message>
        <source>running</source>
        <comment>state of a rank</comment>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <comment>state of a rank</comment>
        <translation>beendet</translation>
    </message>
    <message>
        <source>failed</source>
        <comment>state of a rank</comment>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>killed</source>
        <comment>state of a rank</comment>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>lost</source>
        <comment>state of a rank</comment>
        <translation>verloren</translation>
    </message>
    <message>
        <source>init</source>
        <comment>phase of a rank</comment>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>data</source>
        <comment>phase of a rank</comment>
        <translation>Daten</translation>
    </message>
    <message>
        <source>forward</source>
        <comment>phase of a rank</comment>
        <translation>Forward</translation>
    </message>
    <message>
        <source>backward</source>
        <comment>phase of a rank</comment>
        <translation>Backward</translation>
    </message>
    <message>
        <source>reduce</source>
        <comment>phase of a rank</comment>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>optimizer</source>
        <comment>phase of a rank</comment>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>evaluate</source>
        <comment>phase of a rank</comment>
        <translation>Evaluierung</translation>
    </message>
    <message>
        <source>save</source>
        <comment>phase of a rank</comment>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>paused</source>
        <comment>phase of a rank</comment>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>Plug-ins</source>
        <translation>Plug-ins</translation>
    </message>
    <message>
        <source>shared libraries with models, data sets, losses and metrics</source>
        <translation>gemeinsame Bibliotheken mit Modellen, Datensätzen, Verlustfunktionen und Metriken</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>of sentence embeddings or of a plug-in; empty: that of the task</source>
        <translation>von Satzeinbettungen oder eines Plug-ins; leer: die der Aufgabe</translation>
    </message>
    <message>
        <source>TorchScript file</source>
        <translation>TorchScript-Datei</translation>
    </message>
    <message>
        <source>of torch.jit.save, with the family torchscript; its code runs, so it must be trusted</source>
        <translation>von torch.jit.save, mit der Familie torchscript; ihr Code wird ausgeführt, sie muss also vertrauenswürdig sein</translation>
    </message>
    <message>
        <source>Data set of a plug-in</source>
        <translation>Datensatz eines Plug-ins</translation>
    </message>
    <message>
        <source>its name, in the place of files</source>
        <translation>sein Name, anstelle von Dateien</translation>
    </message>
    <message>
        <source>Its arguments</source>
        <translation>Seine Argumente</translation>
    </message>
    <message>
        <source>a table, e.g. {points: 2000}</source>
        <translation>eine Tabelle, z. B. {points: 2000}</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>of plug-ins, by their names</source>
        <translation>von Plug-ins, mit ihren Namen</translation>
    </message>
    <message>
        <source>Keep every</source>
        <translation>Behalten alle</translation>
    </message>
    <message>
        <source>steps, besides the last; 0: no such rule</source>
        <translation>Schritte, neben den letzten; 0: keine solche Regel</translation>
    </message>
    <message>
        <source>from the desktop</source>
        <translation>vom Desktop</translation>
    </message>
    <message>
        <source>from the terminal</source>
        <translation>vom Terminal</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Frozen weights</source>
        <translation>Eingefrorene Gewichte</translation>
    </message>
    <message>
        <source>where those that are not trained lie: auto, disk, or a device map (JSON); empty: in memory</source>
        <translation>wo nicht trainierte Gewichte liegen: auto, disk oder eine Device-Map (JSON); leer: im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Memory for them</source>
        <translation>Speicher dafür</translation>
    </message>
    <message>
        <source>at most, with auto: cpu=2GB</source>
        <translation>höchstens, mit auto: cpu=2GB</translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>Optimizer-Zustand</translation>
    </message>
    <message>
        <source>nvme: in files on a disk, of which a part at a time is in memory (on processors)</source>
        <translation>nvme: in Dateien auf einer Platte, von denen jeweils ein Teil im Arbeitsspeicher ist (auf Prozessoren)</translation>
    </message>
    <message>
        <source>Folder for it</source>
        <translation>Ordner dafür</translation>
    </message>
    <message>
        <source>on a fast local disk</source>
        <translation>auf einer schnellen lokalen Platte</translation>
    </message>
    <message>
        <source>This run is a copy of a run on another machine. Its run.yaml was written there, so it is not executed here.</source>
        <translation>Dieser Lauf ist die Kopie eines Laufs auf einer anderen Maschine. Seine run.yaml wurde dort geschrieben und wird deshalb hier nicht ausgeführt.</translation>
    </message>
    <message>
        <source>This run is a copy of a run on %1. Its run.yaml was written there, so it is not executed here.</source>
        <translation>Dieser Lauf ist die Kopie eines Laufs auf %1. Seine run.yaml wurde dort geschrieben und wird deshalb hier nicht ausgeführt.</translation>
    </message>
    <message>
        <source>This run belongs to another user of this machine, so its run.yaml is not executed with your rights.</source>
        <translation>Dieser Lauf gehört einem anderen Benutzer dieser Maschine; seine run.yaml wird deshalb nicht mit Ihren Rechten ausgeführt.</translation>
    </message>
    <message>
        <source>This run was not started on this machine by you, and it is not in your folder of runs. Its run.yaml may come from anybody, so it is not executed.</source>
        <translation>Dieser Lauf wurde nicht von Ihnen auf dieser Maschine gestartet und liegt nicht in Ihrem Ordner für Läufe. Seine run.yaml kann von irgendjemandem stammen und wird deshalb nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Connect to %1?</source>
        <translation>Mit %1 verbinden?</translation>
    </message>
    <message>
        <source>You are asked once for each folder.</source>
        <translation>Sie werden für jeden Ordner einmal gefragt.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>Der Lauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source>The run was not started: see Notifications.</source>
        <translation>Der Lauf wurde nicht gestartet: siehe Benachrichtigungen.</translation>
    </message>
    <message>
        <source>Start this run on this machine?</source>
        <translation>Diesen Lauf auf dieser Maschine starten?</translation>
    </message>
    <message>
        <source>%1 was not written by a launch of this account, or has changed since. Starting it executes, with your rights:</source>
        <translation>%1 wurde nicht von einem Start dieses Kontos geschrieben oder hat sich seither geändert. Ein Start führt mit Ihren Rechten aus:</translation>
    </message>
    <message>
        <source>You are asked once for each folder, and again if the file changes.</source>
        <translation>Sie werden für jeden Ordner einmal gefragt, und erneut, wenn sich die Datei ändert.</translation>
    </message>
    <message>
        <source>Not started on this machine</source>
        <translation>Nicht auf dieser Maschine gestartet</translation>
    </message>
    <message>
        <source>You can open it as a draft: New run shows all of it, and nothing is executed before you press Launch.</source>
        <translation>Sie können ihn als Entwurf öffnen: „Neuer Lauf“ zeigt alles davon, und nichts wird ausgeführt, bevor Sie „Starten“ drücken.</translation>
    </message>
    <message>
        <source>Open as a draft</source>
        <translation>Als Entwurf öffnen</translation>
    </message>
    <message>
        <source>the engine of Trainyard, with the recipe of this file</source>
        <translation>die Engine von Trainyard mit dem Rezept dieser Datei</translation>
    </message>
    <message>
        <source>%1 says that it is a copy of a run on this host. It was not made by this program on this account, so it may come from anybody. To follow the run, this program logs in to the host and reads:</source>
        <translation>%1 gibt sich als Kopie eines Laufs auf diesem Host aus. Der Ordner wurde nicht von diesem Programm unter diesem Konto angelegt und kann von irgendjemandem stammen. Um dem Lauf zu folgen, meldet sich dieses Programm auf dem Host an und liest:</translation>
    </message>
    <message>
        <source>%1 does not say which host it is a copy from.</source>
        <translation>%1 sagt nicht, von welchem Host es eine Kopie ist.</translation>
    </message>
    <message>
        <source>%1 has no effect: %2.</source>
        <translation>%1 hat keine Wirkung: %2.</translation>
    </message>
    <message>
        <source>%1 has an effect only if the program starts Python.</source>
        <translation>%1 wirkt nur, wenn das Programm Python startet.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AlarmSettings</name>
    <message>
        <source>Alarms of %1</source>
        <translation>Alarme von %1</translation>
    </message>
    <message>
        <source>These settings apply to this run only.</source>
        <translation>Diese Einstellungen gelten nur für diesen Lauf.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>In app</source>
        <translation>Im Programm</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>Desktop</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AlarmWatch</name>
    <message>
        <source>no step for %1, since step %2</source>
        <translation>kein Schritt seit %1, nach Schritt %2</translation>
    </message>
    <message>
        <source>the loss is not a number at step %1</source>
        <translation>der Loss ist bei Schritt %1 keine Zahl</translation>
    </message>
    <message>
        <source>the loss is %1, above %2</source>
        <translation>der Loss ist %1, über %2</translation>
    </message>
    <message>
        <source>the smoothed loss has risen from %1 to %2 since step %3</source>
        <translation>der geglättete Loss ist seit Schritt %3 von %1 auf %2 gestiegen</translation>
    </message>
    <message>
        <source>%1 tok/s, usually %2</source>
        <translation>%1 Tok/s, üblich sind %2</translation>
    </message>
    <message>
        <source>%1 are free beside the run&apos;s folder</source>
        <translation>%1 sind neben dem Ordner des Laufs frei</translation>
    </message>
    <message>
        <source>%1 % of a machine&apos;s memory are in use</source>
        <translation>%1 % des Speichers eines Rechners sind belegt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AnswerPanel</name>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Checkpoint, %1</source>
        <translation>Checkpoint, %1</translation>
    </message>
    <message>
        <source>A checkpoint, an adapter or a model of transformers from another folder</source>
        <translation>Ein Checkpoint, ein Adapter oder ein Modell von transformers aus einem anderen Ordner</translation>
    </message>
    <message>
        <source>Answer, %1</source>
        <translation>Antwort, %1</translation>
    </message>
    <message>
        <source>The text appears here as it is written.</source>
        <translation>Der Text erscheint hier, während er geschrieben wird.</translation>
    </message>
    <message>
        <source>A model to try</source>
        <translation>Modell zum Ausprobieren</translation>
    </message>
    <message>
        <source>No checkpoint: choose a folder</source>
        <translation>Kein Checkpoint: Wählen Sie einen Ordner</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 per second</source>
        <translation>, %1 pro Sekunde</translation>
    </message>
    <message>
        <source>, ended by the model</source>
        <translation>, vom Modell beendet</translation>
    </message>
    <message>
        <source>, the model sees %1 tokens and no more</source>
        <translation>, das Modell sieht %1 Tokens und nicht mehr</translation>
    </message>
    <message>
        <source>, stopped</source>
        <translation>, gestoppt</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>Modell wird geladen…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Wird geschrieben…</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AnswersPanel</name>
    <message>
        <source>%1, %2 tokens/s</source>
        <translation>%1, %2 Tokens/s</translation>
    </message>
    <message>
        <source>Loss in chunks</source>
        <translation>Loss in Chunks</translation>
    </message>
    <message>
        <source>Flash attention</source>
        <translation>Flash-Attention</translation>
    </message>
    <message>
        <source>Products in %1</source>
        <translation>Produkte in %1</translation>
    </message>
    <message>
        <source>8-bit AdamW</source>
        <translation>8-Bit-AdamW</translation>
    </message>
    <message>
        <source>Full checkpointing</source>
        <translation>Volles Checkpointing</translation>
    </message>
    <message>
        <source>Selective checkpointing</source>
        <translation>Selektives Checkpointing</translation>
    </message>
    <message>
        <source>Offload optimizer</source>
        <translation>Optimizer auslagern</translation>
    </message>
    <message>
        <source>ZeRO %1</source>
        <translation>ZeRO %1</translation>
    </message>
    <message>
        <source>Micro-batch %1</source>
        <translation>Micro-Batch %1</translation>
    </message>
    <message>
        <source>Tensor parallel %1</source>
        <translation>Tensor-parallel %1</translation>
    </message>
    <message>
        <source>Pipeline stages %1</source>
        <translation>Pipeline-Stufen %1</translation>
    </message>
    <message>
        <source>Fullest rank</source>
        <translation>Vollster Rank</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>Was passt</translation>
    </message>
    <message>
        <source>Largest micro-batch</source>
        <translation>Größter Micro-Batch</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>Längste Sequenz</translation>
    </message>
    <message>
        <source>Fewest devices</source>
        <translation>Wenigste Geräte</translation>
    </message>
    <message>
        <source>Save memory, cheapest first</source>
        <translation>Speicher sparen, Günstigstes zuerst</translation>
    </message>
    <message>
        <source>Modelled: the memory of layouts that this engine trains was measured, the rest follows published formulas.</source>
        <translation>Modelliert: Der Speicher der Aufteilungen, die diese Engine trainiert, wurde gemessen, der Rest folgt veröffentlichten Formeln.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply: %1</source>
        <translation>Anwenden: %1</translation>
    </message>
    <message>
        <source>%1 x %2</source>
        <translation>%1 x %2</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>of %1, range %2 - %3</source>
        <translation>von %1, Bereich %2 - %3</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>%1 spare</source>
        <translation>%1 übrig</translation>
    </message>
    <message>
        <source>A step takes about %1 (%2 - %3), %4 tokens/s</source>
        <translation>Ein Schritt dauert etwa %1 (%2 - %3), %4 Tokens/s</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 % speed</source>
        <translation>%1 % Tempo</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Versuchen</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuchen: %1</translation>
    </message>
    <message>
        <source>%1 short on this rank</source>
        <translation>%1 zu wenig auf diesem Rank</translation>
    </message>
    <message>
        <source>%1 of host memory short: a host has %2</source>
        <translation>%1 Hauptspeicher zu wenig: ein Host hat %2</translation>
    </message>
    <message>
        <source>Optimizer state on disk</source>
        <translation>Optimizer-Zustand auf der Platte</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AppContext</name>
    <message>
        <source>Launching…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>Der Lauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source>The run was not started: see Notifications.</source>
        <translation>Der Lauf wurde nicht gestartet: siehe Benachrichtigungen.</translation>
    </message>
    <message>
        <source>A run on another host is not followed</source>
        <translation>Ein Lauf auf einem anderen Host wird nicht verfolgt</translation>
    </message>
    <message>
        <source>The program trainyard</source>
        <translation>Das Programm trainyard</translation>
    </message>
    <message>
        <source>%1 says that it is a copy of a run on another machine, and was not made by this program. Open it and press Reconnect to see which host it names.</source>
        <translation>%1 gibt sich als Kopie eines Laufs auf einer anderen Maschine aus und wurde nicht von diesem Programm angelegt. Öffnen Sie den Lauf und drücken Sie „Neu verbinden“, um zu sehen, welchen Host er nennt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::AppearanceSettings</name>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Black and white with strong lines</source>
        <translation>Schwarz und Weiß mit kräftigen Linien</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>System follows the theme of the desktop</source>
        <translation>System folgt dem Design der Arbeitsumgebung</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>System follows the language of the desktop</source>
        <translation>System folgt der Sprache der Arbeitsumgebung</translation>
    </message>
    <message>
        <source>The window has this language when it is started again; runs go on meanwhile.</source>
        <translation>Das Fenster hat diese Sprache nach einem Neustart; Läufe gehen währenddessen weiter.</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>set by QT_SCALE_FACTOR in the environment, so it cannot be changed here</source>
        <translation>durch QT_SCALE_FACTOR in der Umgebung festgelegt, daher hier nicht änderbar</translation>
    </message>
    <message>
        <source>of text and of all that belongs to it</source>
        <translation>von Text und allem, was dazugehört</translation>
    </message>
    <message>
        <source>The window has this size when it is started again; runs go on meanwhile.</source>
        <translation>Das Fenster hat diese Größe nach einem Neustart; Läufe gehen währenddessen weiter.</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>for eyes that tell greys apart with difficulty</source>
        <translation>für Augen, die Grautöne schwer unterscheiden</translation>
    </message>
    <message>
        <source>The window has these colours when it is started again; runs go on meanwhile.</source>
        <translation>Das Fenster hat diese Farben nach einem Neustart; Läufe gehen währenddessen weiter.</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Üblich</translation>
    </message>
    <message>
        <source>Without green</source>
        <translation>Ohne Grün</translation>
    </message>
    <message>
        <source>Preview of colours</source>
        <translation>Vorschau der Farben</translation>
    </message>
    <message>
        <source>The window as people without green cones (deuteranopia) see it; until it is closed</source>
        <translation>Das Fenster, wie Menschen ohne Grünzapfen (Deuteranopie) es sehen; bis es geschlossen wird</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::BatchChart</name>
    <message>
        <source>Memory by micro-batch</source>
        <translation>Speicher nach Micro-Batch</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>checkpointed</source>
        <translation>mit Checkpointing</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::BatchPanel</name>
    <message>
        <source>Keep</source>
        <translation>Beibehalten</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>Quadratwurzel</translation>
    </message>
    <message>
        <source>Effective batch</source>
        <translation>Effektiver Batch</translation>
    </message>
    <message>
        <source>Tuned on</source>
        <translation>Abgestimmt auf</translation>
    </message>
    <message>
        <source>Ranks these numbers were tuned on</source>
        <translation>Ranks, auf die diese Zahlen abgestimmt wurden</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>What becomes of the learning rate when the effective batch changes</source>
        <translation>Was aus der Lernrate wird, wenn sich der effektive Batch ändert</translation>
    </message>
    <message>
        <source>Keep the learning rate</source>
        <translation>Lernrate beibehalten</translation>
    </message>
    <message>
        <source>The step time is known after a first run of this model.</source>
        <translation>Die Schrittdauer ist nach einem ersten Lauf dieses Modells bekannt.</translation>
    </message>
    <message>
        <source>about %1 a step and %2 in all, estimated from this machine&apos;s peak</source>
        <translation>etwa %1 pro Schritt und %2 insgesamt, geschätzt aus der Spitzenleistung dieses Rechners</translation>
    </message>
    <message>
        <source>%1 a step, %2 in all, at the speed of the run %3</source>
        <translation>%1 pro Schritt, %2 insgesamt, im Tempo des Laufs %3</translation>
    </message>
    <message>
        <source>batch and accumulation are not whole numbers yet</source>
        <translation>Batch und Akkumulation sind noch keine ganzen Zahlen</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 = %4 sequences a step, %5 tokens</source>
        <translation>%1 × %2 × %3 = %4 Sequenzen pro Schritt, %5 Tokens</translation>
    </message>
    <message>
        <source>batch %1, accumulation %2, lr %3: %4</source>
        <translation>Batch %1, Akkumulation %2, lr %3: %4</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply %1</source>
        <translation>%1 anwenden</translation>
    </message>
    <message numerus="yes">
        <source>%Ln ranks</source>
        <translation>
            <numerusform>%Ln Rank</numerusform>
            <numerusform>%Ln Ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CalibrationLine</name>
    <message numerus="yes">
        <source>%n runs used %1 of their estimate (%2 to %3).</source>
        <translation>
            <numerusform>%n Lauf brauchte das %1-Fache seiner Schätzung (%2 bis %3).</numerusform>
            <numerusform>%n Läufe brauchten das %1-Fache ihrer Schätzung (%2 bis %3).</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The program takes %1, measured by %n runs.</source>
        <translation>
            <numerusform>Das Programm braucht %1, gemessen von %n Lauf.</numerusform>
            <numerusform>Das Programm braucht %1, gemessen von %n Läufen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>What runs on this device have measured no longer counts; the next runs measure anew</source>
        <translation>Was Läufe auf diesem Gerät gemessen haben, zählt nicht mehr; die nächsten Läufe messen neu</translation>
    </message>
    <message>
        <source>Learnt on %1: %2</source>
        <translation>Gelernt auf %1: %2</translation>
    </message>
    <message>
        <source>Nothing is learnt on %1 yet: runs that end on it from now on count.</source>
        <translation>Auf %1 ist noch nichts gelernt: Läufe, die künftig darauf enden, zählen.</translation>
    </message>
    <message>
        <source>    last by %1, %2</source>
        <translation>    zuletzt von %1, %2</translation>
    </message>
    <message>
        <source>Kept in %1. From three runs of at least 512 MiB on, the factor counts in what fits.</source>
        <translation>Liegt in %1. Ab drei Läufen von mindestens 512 MiB zählt der Faktor beim Urteil, was passt.</translation>
    </message>
    <message>
        <source>Forget what was learnt on %1</source>
        <translation>Vergessen, was auf %1 gelernt wurde</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CardGrid</name>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CardSet</name>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Starred</source>
        <translation>Mit Stern</translation>
    </message>
    <message>
        <source>Without a group</source>
        <translation>Ohne Gruppe</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckTable</name>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>passed on %1 of %2</source>
        <translation>bestanden auf %1 von %2</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 Hosts</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckView</name>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckpointActions</name>
    <message>
        <source>Verifying %1</source>
        <translation>%1 wird verifiziert</translation>
    </message>
    <message>
        <source>%1 is damaged</source>
        <translation>%1 ist beschädigt</translation>
    </message>
    <message>
        <source>%1 has numbers that are not finite</source>
        <translation>%1 enthält Zahlen, die nicht endlich sind</translation>
    </message>
    <message>
        <source>%1 has %2 NaN and %3 infinite elements.</source>
        <translation>%1 enthält %2 NaN und %3 unendliche Elemente.</translation>
    </message>
    <message>
        <source>%1 is whole</source>
        <translation>%1 ist vollständig</translation>
    </message>
    <message>
        <source>Headers and lengths are right; for some files no checksum is known.</source>
        <translation>Header und Längen stimmen; für einige Dateien wurde keine Prüfsumme notiert.</translation>
    </message>
    <message>
        <source>Every byte was read and is the one that was saved.</source>
        <translation>Jedes Byte wurde gelesen und ist das, das gespeichert wurde.</translation>
    </message>
    <message>
        <source>It cannot be verified</source>
        <translation>Verifizieren nicht möglich</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>Written and read back</source>
        <translation>Geschrieben und zurückgelesen</translation>
    </message>
    <message numerus="yes">
        <source>%1 with %n tensors in %2</source>
        <translation>
            <numerusform>%1 mit %n Tensor in %2</numerusform>
            <numerusform>%1 mit %n Tensoren in %2</numerusform>
        </translation>
    </message>
    <message>
        <source>It was not written</source>
        <translation>Es wurde nicht geschrieben</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n checkpoints?</source>
        <translation>
            <numerusform>%n Checkpoint entfernen?</numerusform>
            <numerusform>%n Checkpoints entfernen?</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 go to the trash beside them, from which they can be put back.</source>
        <translation>%1 kommen in den Papierkorb daneben, aus dem sie wiederhergestellt werden können.</translation>
    </message>
    <message>
        <source>It stays</source>
        <translation>Er bleibt</translation>
    </message>
    <message>
        <source>The newest whole checkpoint is never removed.</source>
        <translation>Der neueste vollständige Checkpoint wird nie entfernt.</translation>
    </message>
    <message>
        <source>Remove %1?</source>
        <translation>%1 entfernen?</translation>
    </message>
    <message>
        <source>%1 go to the trash beside it.</source>
        <translation>%1 kommen in den Papierkorb daneben.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Some of them stay</source>
        <translation>Einige davon bleiben</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints removed</source>
        <translation>
            <numerusform>%n Checkpoint entfernt</numerusform>
            <numerusform>%n Checkpoints entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>It cannot be put back</source>
        <translation>Wiederherstellen nicht möglich</translation>
    </message>
    <message>
        <source>It cannot be removed</source>
        <translation>Entfernen nicht möglich</translation>
    </message>
    <message>
        <source>It cannot be pinned</source>
        <translation>Anheften nicht möglich</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CheckpointsPage</name>
    <message>
        <source>Some tensors cannot be read</source>
        <translation>Einige Tensoren sind nicht lesbar</translation>
    </message>
    <message>
        <source>%1 weights · %2 parameters · headers read in %3</source>
        <translation>%1 Gewichte · %2 Parameter · Header gelesen in %3</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Reading values</source>
        <translation>Werte lesen</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>, %1 von %2</translation>
    </message>
    <message>
        <source>, %1 left</source>
        <translation>, noch %1</translation>
    </message>
    <message>
        <source>It cannot be read</source>
        <translation>Lesen nicht möglich</translation>
    </message>
    <message>
        <source>They cannot be compared</source>
        <translation>Vergleichen nicht möglich</translation>
    </message>
    <message>
        <source>Not everything can be compared</source>
        <translation>Nicht alles kann verglichen werden</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verifizieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Files, lengths, hashes, index, NaN (V)</source>
        <translation>Dateien, Längen, Hashes, Index, NaN (V)</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Try it: a prompt, and how this checkpoint continues it</source>
        <translation>Ausprobieren: ein Prompt, und wie dieser Checkpoint ihn fortsetzt</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>On a host, over SSH…</source>
        <translation>Auf einem Host, über SSH…</translation>
    </message>
    <message>
        <source>Checkpoints of your runs appear here.</source>
        <translation>Checkpoints Ihrer Läufe erscheinen hier.</translation>
    </message>
    <message>
        <source>Any folder or file of weights can be opened: safetensors, torch, distributed checkpoints, ZeRO, GGUF.</source>
        <translation>Jeder Ordner und jede Datei mit Gewichten kann geöffnet werden: safetensors, torch, verteilte Checkpoints, ZeRO, GGUF.</translation>
    </message>
    <message>
        <source>Open folder…</source>
        <translation>Ordner öffnen…</translation>
    </message>
    <message>
        <source>Resume from the chosen checkpoint</source>
        <translation>Ab dem gewählten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Verify it</source>
        <translation>Ihn verifizieren</translation>
    </message>
    <message>
        <source>Compare it with the one before</source>
        <translation>Ihn mit dem vorigen vergleichen</translation>
    </message>
    <message>
        <source>Pin it</source>
        <translation>Ihn anheften</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>Ihn entfernen</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>Checkpoint öffnen</translation>
    </message>
    <message>
        <source>Checkpoint on another machine</source>
        <translation>Checkpoint auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>Host and folder, as in gpu-a:runs/today/checkpoints/checkpoint_500.
Only headers and what you look at are brought here.</source>
        <translation>Host und Ordner, zum Beispiel gpu-a:runs/today/checkpoints/checkpoint_500.
Nur Header und das, was Sie ansehen, werden hierher geholt.</translation>
    </message>
    <message>
        <source>It cannot be opened</source>
        <translation>Öffnen nicht möglich</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindung mit %1 wird aufgebaut…</translation>
    </message>
    <message>
        <source>Resume from %1</source>
        <translation>Ab %1 fortsetzen</translation>
    </message>
    <message>
        <source>No checkpoint in %1 yet</source>
        <translation>Noch kein Checkpoint in %1</translation>
    </message>
    <message>
        <source>%1 brought here</source>
        <translation>%1 hierher geholt</translation>
    </message>
    <message numerus="yes">
        <source>%n checkpoints</source>
        <translation>
            <numerusform>%n Checkpoint</numerusform>
            <numerusform>%n Checkpoints</numerusform>
        </translation>
    </message>
    <message>
        <source>disk %1 free</source>
        <translation>Platte: %1 frei</translation>
    </message>
    <message>
        <source>Reading headers…</source>
        <translation>Header werden gelesen…</translation>
    </message>
    <message>
        <source>It is being written</source>
        <translation>Er wird gerade geschrieben</translation>
    </message>
    <message>
        <source>It is not whole</source>
        <translation>Er ist nicht vollständig</translation>
    </message>
    <message>
        <source>Resume from %1 instead.</source>
        <translation>Stattdessen ab %1 fortsetzen.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ChoiceCard</name>
    <message>
        <source>chosen. </source>
        <translation>gewählt. </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ColumnsPopup</name>
    <message>
        <source>Search settings and metrics</source>
        <translation>Einstellungen und Metriken suchen</translation>
    </message>
    <message>
        <source>Find a column</source>
        <translation>Spalte suchen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Unterschiedliche Einstellungen</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Equal settings</source>
        <translation>Gleiche Einstellungen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Command, run or setting;  &gt;  commands   ?  shortcuts   @  hosts   :  step   key=  configuration</source>
        <translation>Befehl, Lauf oder Einstellung;  &gt;  Befehle   ?  Tastenkürzel   @  Hosts   :  Schritt   key=  Konfiguration</translation>
    </message>
    <message>
        <source>This page has no steps</source>
        <translation>Diese Seite hat keine Schritte</translation>
    </message>
    <message>
        <source>A step is a whole number, e.g. :1200</source>
        <translation>Ein Schritt ist eine ganze Zahl, z. B. :1200</translation>
    </message>
    <message>
        <source>Go to step %1</source>
        <translation>Zu Schritt %1 gehen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CompareCurves</name>
    <message numerus="yes">
        <source>%1 = %2 (%n runs)</source>
        <translation>
            <numerusform>%1 = %2 (%n Lauf)</numerusform>
            <numerusform>%1 = %2 (%n Läufe)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CompareDrawer</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>A − B</source>
        <translation>A − B</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Runs across their settings</source>
        <translation>Läufe über ihren Einstellungen</translation>
    </message>
    <message>
        <source>Runs as points</source>
        <translation>Läufe als Punkte</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Group by</source>
        <translation>Gruppieren nach</translation>
    </message>
    <message>
        <source>Runs with the same value of a setting as one line: mean, lowest and highest</source>
        <translation>Läufe mit demselben Wert einer Einstellung als eine Linie: Mittelwert, Minimum und Maximum</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Waagerechte Achse</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Was verglichen wird</translation>
    </message>
    <message>
        <source>Each run minus the baseline, at the steps both have</source>
        <translation>Jeder Lauf minus die Referenz, bei den Schritten, die beide haben</translation>
    </message>
    <message>
        <source>All curves of these runs</source>
        <translation>Alle Kurven dieser Läufe</translation>
    </message>
    <message>
        <source>Settings that differ and the best value, as parallel coordinates and points</source>
        <translation>Unterschiedliche Einstellungen und der beste Wert, als parallele Koordinaten und Punkte</translation>
    </message>
    <message>
        <source>Close the comparison</source>
        <translation>Vergleich schließen</translation>
    </message>
    <message>
        <source>Close the comparison; C opens it again</source>
        <translation>Vergleich schließen; C öffnet ihn wieder</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In einem neuen Fenster öffnen</translation>
    </message>
    <message>
        <source>Setting along the horizontal axis</source>
        <translation>Einstellung auf der waagerechten Achse</translation>
    </message>
    <message numerus="yes">
        <source>Compare %n runs</source>
        <translation>
            <numerusform>%n Lauf vergleichen</numerusform>
            <numerusform>%n Läufe vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>Keine Gruppen</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>Tick a second run to see a difference.</source>
        <translation>Haken Sie einen zweiten Lauf an, um einen Unterschied zu sehen.</translation>
    </message>
    <message>
        <source>Minus %1 (B on a run makes it the baseline).</source>
        <translation>Minus %1 (B auf einem Lauf macht ihn zur Referenz).</translation>
    </message>
    <message numerus="yes">
        <source>%n without %1.</source>
        <translation>
            <numerusform>%n ohne %1.</numerusform>
            <numerusform>%n ohne %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Curves of the first %1 of %2.</source>
        <translation>Kurven der ersten %1 von %2.</translation>
    </message>
    <message>
        <source>highest %1</source>
        <translation>höchstes %1</translation>
    </message>
    <message>
        <source>lowest %1</source>
        <translation>niedrigstes %1</translation>
    </message>
    <message>
        <source>Self-contained report (*.html)</source>
        <translation>Eigenständiger Bericht (*.html)</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>Vergleich speichern</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ComparePanel</name>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End the comparison</source>
        <translation>Vergleich beenden</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Fullest rank</source>
        <translation>Vollster Rank</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>Hauptspeicher</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>A step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>%1, and now</source>
        <translation>%1 und jetzt</translation>
    </message>
    <message>
        <source>%1 %2, now %3</source>
        <translation>%1 %2, jetzt %3</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>it fitted and no longer does</source>
        <translation>es passte und passt nicht mehr</translation>
    </message>
    <message>
        <source>it did not fit and now does</source>
        <translation>es passte nicht und passt jetzt</translation>
    </message>
    <message>
        <source>Nothing is set otherwise.</source>
        <translation>Nichts ist anders eingestellt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ConfigDiffPanel</name>
    <message>
        <source>Config diff</source>
        <translation>Konfigurations-Diff</translation>
    </message>
    <message>
        <source>against</source>
        <translation>gegen</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>Lauf zum Vergleichen</translation>
    </message>
    <message>
        <source>Keys that differ</source>
        <translation>Unterschiedliche Schlüssel</translation>
    </message>
    <message>
        <source>%1: here %2, there %3</source>
        <translation>%1: hier %2, dort %3</translation>
    </message>
    <message>
        <source>no configuration to compare</source>
        <translation>keine Konfiguration zum Vergleichen</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>keine Unterschiede</translation>
    </message>
    <message>
        <source>equal otherwise: %1</source>
        <translation>sonst gleich: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ConsentDialog</name>
    <message>
        <source>What is executed</source>
        <translation>Was ausgeführt wird</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurveArt</name>
    <message>
        <source>Picture of a falling loss curve</source>
        <translation>Bild einer fallenden Loss-Kurve</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurveCard</name>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>No curve of this name here.</source>
        <translation>Hier gibt es keine Kurve dieses Namens.</translation>
    </message>
    <message>
        <source>%1 of %2 curves</source>
        <translation>%1 von %2 Kurven</translation>
    </message>
    <message>
        <source>%1 curves</source>
        <translation>%1 Kurven</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::CurvesPanel</name>
    <message>
        <source>Curves appear here as soon as there are any.</source>
        <translation>Kurven erscheinen hier, sobald es welche gibt.</translation>
    </message>
    <message>
        <source>No tag matches “%1”.</source>
        <translation>Kein Tag passt auf „%1“.</translation>
    </message>
    <message>
        <source>Words must all occur in the name; /…/ is a regular expression.</source>
        <translation>Alle Wörter müssen im Namen vorkommen; /…/ ist ein regulärer Ausdruck.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DataPage</name>
    <message>
        <source>Training data</source>
        <translation>Trainingsdaten</translation>
    </message>
    <message>
        <source>Text, tables or arrays are read in place. Nothing is copied.</source>
        <translation>Texte, Tabellen oder Arrays werden an Ort und Stelle gelesen. Nichts wird kopiert.</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Folder with text files</source>
        <translation>Ordner mit Textdateien</translation>
    </message>
    <message>
        <source>Text file</source>
        <translation>Textdatei</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DataPanel</name>
    <message>
        <source>1 file, %1</source>
        <translation>1 Datei, %1</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 Dateien, %2</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>, %1 tokens</source>
        <translation>, %1 Tokens</translation>
    </message>
    <message>
        <source>No file yet.</source>
        <translation>Noch keine Datei.</translation>
    </message>
    <message>
        <source>No file has a name that the pattern matches.</source>
        <translation>Keine Datei hat einen Namen, auf den das Muster passt.</translation>
    </message>
    <message>
        <source>Use %1: %2</source>
        <translation>%1 verwenden: %2</translation>
    </message>
    <message>
        <source>… %1 …</source>
        <translation>… %1 …</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DesktopNotifier</name>
    <message>
        <source>Open run</source>
        <translation>Lauf öffnen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DifferencesPanel</name>
    <message>
        <source>What differs</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Final</source>
        <translation>Endwerte</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Beste</translation>
    </message>
    <message>
        <source>Influence</source>
        <translation>Einfluss</translation>
    </message>
    <message>
        <source>Table of the comparison</source>
        <translation>Tabelle des Vergleichs</translation>
    </message>
    <message>
        <source>Export the comparison…</source>
        <translation>Vergleich exportieren…</translation>
    </message>
    <message>
        <source>Save the comparison as a report, a table or a picture</source>
        <translation>Den Vergleich als Bericht, Tabelle oder Bild speichern</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>%1, the baseline</source>
        <translation>%1, die Referenz</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message numerus="yes">
        <source>%n settings. Tick another run to see what differs.</source>
        <translation>
            <numerusform>%n Einstellung. Haken Sie einen weiteren Lauf an, um Unterschiede zu sehen.</numerusform>
            <numerusform>%n Einstellungen. Haken Sie einen weiteren Lauf an, um Unterschiede zu sehen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n keys are equal in all %1.</source>
        <translation>
            <numerusform>%n Schlüssel ist in allen %1 gleich.</numerusform>
            <numerusform>%n Schlüssel sind in allen %1 gleich.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No differences: all %n keys are equal.</source>
        <translation>
            <numerusform>Keine Unterschiede: %n Schlüssel ist gleich.</numerusform>
            <numerusform>Keine Unterschiede: Alle %n Schlüssel sind gleich.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without readable settings.</source>
        <translation>
            <numerusform>%n ohne lesbare Einstellungen.</numerusform>
            <numerusform>%n ohne lesbare Einstellungen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>%1: more is better</source>
        <translation>%1: mehr ist besser</translation>
    </message>
    <message>
        <source>%1: less is better</source>
        <translation>%1: weniger ist besser</translation>
    </message>
    <message>
        <source>Click to sort the runs by it</source>
        <translation>Klicken, um die Läufe danach zu sortieren</translation>
    </message>
    <message>
        <source>No metrics have been read yet.</source>
        <translation>Es wurden noch keine Metriken gelesen.</translation>
    </message>
    <message>
        <source>No metric says by its name whether more or less of it is better.</source>
        <translation>Keine Metrik besagt durch ihren Namen, ob mehr oder weniger davon besser ist.</translation>
    </message>
    <message>
        <source>A star marks the best run.</source>
        <translation>Ein Stern markiert den besten Lauf.</translation>
    </message>
    <message numerus="yes">
        <source>%n metrics of which neither more nor less is better are listed under Final.</source>
        <translation>
            <numerusform>%n Metrik, von der weder mehr noch weniger besser ist, steht unter Endwerte.</numerusform>
            <numerusform>%n Metriken, von denen weder mehr noch weniger besser ist, stehen unter Endwerte.</numerusform>
        </translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>By chance</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Fewer than %1 runs are not conclusive</source>
        <translation>Weniger als %1 Läufe sind nicht aussagekräftig</translation>
    </message>
    <message>
        <source>There are no two different values to compare</source>
        <translation>Es gibt keine zwei verschiedenen Werte zum Vergleichen</translation>
    </message>
    <message>
        <source>Rank correlation: a larger value goes with a larger %1</source>
        <translation>Rangkorrelation: Ein größerer Wert geht mit einem größeren Wert von %1 einher</translation>
    </message>
    <message>
        <source>Rank correlation: a larger value goes with a smaller %1</source>
        <translation>Rangkorrelation: Ein größerer Wert geht mit einem kleineren Wert von %1 einher</translation>
    </message>
    <message>
        <source>Correlation ratio: how much of the order of %1 the setting explains</source>
        <translation>Korrelationsverhältnis: wie viel von der Rangfolge nach %1 die Einstellung erklärt</translation>
    </message>
    <message>
        <source>Choose a metric to compare the settings with.</source>
        <translation>Wählen Sie eine Metrik, mit der die Einstellungen verglichen werden.</translation>
    </message>
    <message numerus="yes">
        <source>%n finished runs have %1: at least %2 are needed.</source>
        <translation>
            <numerusform>%n fertiger Lauf hat %1: Mindestens %2 sind nötig.</numerusform>
            <numerusform>%n fertige Läufe haben %1: Mindestens %2 sind nötig.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No setting can be compared with %1: one of the two is the same in all %n finished runs.</source>
        <translation>
            <numerusform>Keine Einstellung lässt sich mit %1 vergleichen: Eines von beiden ist in %n fertigen Lauf gleich.</numerusform>
            <numerusform>Keine Einstellung lässt sich mit %1 vergleichen: Eines von beiden ist in allen %n fertigen Läufen gleich.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not prove a cause.</source>
        <translation>
            <numerusform>Nach dem besten Wert für %1 aus %n fertigen Lauf. Von %2 Einstellungen würden %3 zufällig unter 0,05 fallen. Korrelation beweist keine Ursache.</numerusform>
            <numerusform>Nach dem besten Wert für %1 aus %n fertigen Läufen. Von %2 Einstellungen würden %3 zufällig unter 0,05 fallen. Korrelation beweist keine Ursache.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::DraftKeeper</name>
    <message>
        <source>The draft %1 could not be read; it is kept as %1.bad, and the form begins anew.</source>
        <translation>Der Entwurf %1 konnte nicht gelesen werden; er wird als %1.bad aufbewahrt, und das Formular beginnt neu.</translation>
    </message>
    <message>
        <source>The draft could not be kept: %1</source>
        <translation>Der Entwurf konnte nicht aufbewahrt werden: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EngineLink</name>
    <message>
        <source>The engine was not found: neither %1 nor trainyard in PATH exists. Choose the program.</source>
        <translation>Die Engine wurde nicht gefunden: Es gibt weder %1 noch trainyard in PATH. Wählen Sie das Programm.</translation>
    </message>
    <message>
        <source>, no </source>
        <translation>, noch </translation>
    </message>
    <message>
        <source>%1 does not answer with its version: choose another program, or build it again.</source>
        <translation>%1 antwortet nicht mit seiner Version: Wählen Sie ein anderes Programm oder bauen Sie es neu.</translation>
    </message>
    <message>
        <source>The engine was not found: choose the program in the settings.</source>
        <translation>Die Engine wurde nicht gefunden: Wählen Sie das Programm in den Einstellungen.</translation>
    </message>
    <message>
        <source>The engine ended with code %1 and without a message.</source>
        <translation>Die Engine endete mit Code %1 und ohne Meldung.</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>%1 konnte nicht gestartet werden: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EstimatorPage</name>
    <message>
        <source>Estimator</source>
        <translation>Schätzer</translation>
    </message>
    <message>
        <source>Use in a new run</source>
        <translation>In neuem Lauf verwenden</translation>
    </message>
    <message>
        <source>What a run needs on every rank, before it starts</source>
        <translation>Was ein Lauf auf jedem Rank braucht, bevor er startet</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Open a file or folder...</source>
        <translation>Datei oder Ordner öffnen...</translation>
    </message>
    <message>
        <source>Memory per rank, GiB</source>
        <translation>Speicher pro Rank, GiB</translation>
    </message>
    <message>
        <source>Formula of %1</source>
        <translation>Formel für %1</translation>
    </message>
    <message>
        <source>By micro-batch, GiB</source>
        <translation>Nach Micro-Batch, GiB</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>Micro-Batch</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Take a change back</source>
        <translation>Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>Copy the table of parts</source>
        <translation>Tabelle der Teile kopieren</translation>
    </message>
    <message>
        <source>A config.json, weights or a recipe</source>
        <translation>Eine config.json, Gewichte oder ein Rezept</translation>
    </message>
    <message>
        <source>Models (*.json *.safetensors *.yaml *.yml *.bin);;All files (*)</source>
        <translation>Modelle (*.json *.safetensors *.yaml *.yml *.bin);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>This model cannot be estimated</source>
        <translation>Dieses Modell kann nicht geschätzt werden</translation>
    </message>
    <message>
        <source>How the weights were read</source>
        <translation>Wie die Gewichte gelesen wurden</translation>
    </message>
    <message>
        <source>%1: %2 = %3%4</source>
        <translation>%1: %2 = %3%4</translation>
    </message>
    <message>
        <source>Largest tensors: %1</source>
        <translation>Größte Tensoren: %1</translation>
    </message>
    <message>
        <source>Nothing of %1 on the device.</source>
        <translation>Nichts von %1 auf dem Gerät.</translation>
    </message>
    <message>
        <source>The settings were not written</source>
        <translation>Die Einstellungen wurden nicht geschrieben</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Look up on the hub...</source>
        <translation>Im Hub nachschlagen...</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::EventsPanel</name>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertDelegate</name>
    <message>
        <source>flag of launch</source>
        <translation>Flag von launch</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertModel</name>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>SageMaker</source>
        <translation>SageMaker</translation>
    </message>
    <message>
        <source>Only on the command line</source>
        <translation>Nur auf der Befehlszeile</translation>
    </message>
    <message>
        <source>Not known to this version</source>
        <translation>Dieser Version nicht bekannt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>not known to this version; written back as it is</source>
        <translation>dieser Version nicht bekannt; wird unverändert zurückgeschrieben</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>Only when %1</source>
        <translation>Nur wenn %1</translation>
    </message>
    <message>
        <source>Flag: %1</source>
        <translation>Flag: %1</translation>
    </message>
    <message>
        <source>Environment of a rank: %1</source>
        <translation>Umgebung eines Ranks: %1</translation>
    </message>
    <message>
        <source>Read by: %1</source>
        <translation>Gelesen von: %1</translation>
    </message>
    <message>
        <source>Since Accelerate %1</source>
        <translation>Seit Accelerate %1</translation>
    </message>
    <message>
        <source>Until Accelerate %1</source>
        <translation>Bis Accelerate %1</translation>
    </message>
    <message>
        <source>%1, %2 set</source>
        <translation>%1, %2 gesetzt</translation>
    </message>
    <message>
        <source>a flag of launch</source>
        <translation>ein Flag von launch</translation>
    </message>
    <message>
        <source>not set, default %1</source>
        <translation>nicht gesetzt, Standard %1</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertTree</name>
    <message>
        <source>Every key of the settings</source>
        <translation>Alle Schlüssel der Einstellungen</translation>
    </message>
    <message>
        <source>%1 set</source>
        <translation>%1 gesetzt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln keys</source>
        <translation>
            <numerusform>%Ln Schlüssel</numerusform>
            <numerusform>%Ln Schlüssel</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit the value</source>
        <translation>Wert bearbeiten</translation>
    </message>
    <message>
        <source>Remove it from the file</source>
        <translation>Aus der Datei entfernen</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>Schlüssel kopieren</translation>
    </message>
    <message>
        <source>Copy key and value</source>
        <translation>Schlüssel und Wert kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExpertView</name>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Gesetzt</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Invalid</source>
        <translation>Ungültig</translation>
    </message>
    <message>
        <source>Search key, meaning or flag</source>
        <translation>Schlüssel, Bedeutung oder Flag suchen</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>Gesetzt %1</translation>
    </message>
    <message>
        <source>Changed %1</source>
        <translation>Geändert %1</translation>
    </message>
    <message>
        <source>Invalid %1</source>
        <translation>Ungültig %1</translation>
    </message>
    <message>
        <source>every key, %1 in all</source>
        <translation>alle Schlüssel, insgesamt %1</translation>
    </message>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%1 von %2 Schlüsseln</translation>
    </message>
    <message>
        <source>no key matches</source>
        <translation>kein Schlüssel passt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ExportMenu</name>
    <message>
        <source>Merge into one file…</source>
        <translation>In eine Datei zusammenführen…</translation>
    </message>
    <message>
        <source>Folder for transformers…</source>
        <translation>Ordner für transformers…</translation>
    </message>
    <message>
        <source>Convert to %1…</source>
        <translation>In %1 umwandeln…</translation>
    </message>
    <message>
        <source>Shards of 5 GB with an index…</source>
        <translation>Shards von 5 GB mit einem Index…</translation>
    </message>
    <message>
        <source>torch.distributed.checkpoint for %1 ranks…</source>
        <translation>torch.distributed.checkpoint für %1 Ranks…</translation>
    </message>
    <message>
        <source>Average of all good ones…</source>
        <translation>Mittelwert aller guten…</translation>
    </message>
    <message>
        <source>Types, shards, shares, names…</source>
        <translation>Typen, Shards, Anteile, Namen…</translation>
    </message>
    <message>
        <source>There is nothing to average</source>
        <translation>Es gibt nichts zu mitteln</translation>
    </message>
    <message>
        <source>An average needs two whole checkpoints or more.</source>
        <translation>Ein Mittelwert braucht mindestens zwei vollständige Checkpoints.</translation>
    </message>
    <message>
        <source>Average of %1 checkpoints</source>
        <translation>Mittelwert von %1 Checkpoints</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FailurePanel</name>
    <message>
        <source>ended by signal %1 (%2)</source>
        <translation>durch Signal %1 beendet (%2)</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>Exit-Code %1</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Why the run failed</source>
        <translation>Warum der Lauf fehlgeschlagen ist</translation>
    </message>
    <message>
        <source>Open log</source>
        <translation>Log öffnen</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Last lines of the log</source>
        <translation>Letzte Zeilen des Logs</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Rank %1 failed first</source>
        <translation>Rank %1 ist zuerst fehlgeschlagen</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Der Lauf ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>(%1)</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>Phase %1</translation>
    </message>
    <message>
        <source>last collective %1</source>
        <translation>letzte Kollektivoperation %1</translation>
    </message>
    <message>
        <source>Resume from %1</source>
        <translation>Ab %1 fortsetzen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FetchDialog</name>
    <message>
        <source>Looking for the newest checkpoint…</source>
        <translation>Der neueste Checkpoint wird gesucht…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copying the checkpoint</source>
        <translation>Checkpoint wird kopiert</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 of %2 copied to this machine.</source>
        <translation>%1 von %2 auf diesen Rechner kopiert.</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Finder</name>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FirstRunPage</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Start the sample run</source>
        <translation>Beispiellauf starten</translation>
    </message>
    <message>
        <source>Choose engine…</source>
        <translation>Engine wählen…</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation>Noch ist nichts gelaufen</translation>
    </message>
    <message>
        <source>What would you like to train?</source>
        <translation>Was möchten Sie trainieren?</translation>
    </message>
    <message>
        <source>One click gets you a loss curve. You can close this window at any time; runs continue.</source>
        <translation>Ein Klick bringt Ihnen eine Loss-Kurve. Sie können dieses Fenster jederzeit schließen; Läufe gehen weiter.</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>Jetzt ausprobieren</translation>
    </message>
    <message>
        <source>Trains a small language model on Perl&apos;s manual, which is already on this machine.</source>
        <translation>Trainiert ein kleines Sprachmodell mit dem Handbuch von Perl, das schon auf diesem Rechner liegt.</translation>
    </message>
    <message>
        <source>this machine · about a minute · works offline</source>
        <translation>dieser Rechner · etwa eine Minute · ohne Internet</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Start your own</source>
        <translation>Eigenen Lauf starten</translation>
    </message>
    <message>
        <source>A few short pages, already filled in. Choose your text and change what you like.</source>
        <translation>Wenige kurze Seiten, schon ausgefüllt. Wählen Sie Ihren Text und ändern Sie, was Sie möchten.</translation>
    </message>
    <message>
        <source>on this machine, 1 to N ranks</source>
        <translation>auf diesem Rechner, 1 bis N Ranks</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>GPT-2, 1 M to 10.8 M</source>
        <translation>GPT-2, 1 M bis 10,8 M</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>your folder</source>
        <translation>Ihr Ordner</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>fp32 or bf16</source>
        <translation>fp32 oder bf16</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>A run folder or a folder of logs…</source>
        <translation>Ein Laufordner oder ein Ordner mit Logs…</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei…</translation>
    </message>
    <message>
        <source>Logs of another machine…</source>
        <translation>Logs eines anderen Rechners…</translation>
    </message>
    <message>
        <source>Watch or open</source>
        <translation>Überwachen oder öffnen</translation>
    </message>
    <message>
        <source>A run folder to watch, a TensorBoard folder, or a recipe in YAML to start from.</source>
        <translation>Ein Laufordner zum Überwachen, ein TensorBoard-Ordner oder ein Rezept in YAML als Ausgangspunkt.</translation>
    </message>
    <message>
        <source>nothing is copied or changed</source>
        <translation>nichts wird kopiert oder geändert</translation>
    </message>
    <message>
        <source>drop a file or folder anywhere</source>
        <translation>Datei oder Ordner irgendwo ablegen</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Opened lately</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>engine not ready</source>
        <translation>Engine nicht bereit</translation>
    </message>
    <message>
        <source>engine %1 ready</source>
        <translation>Engine %1 bereit</translation>
    </message>
    <message>
        <source>looking for the engine</source>
        <translation>Engine wird gesucht</translation>
    </message>
    <message>
        <source>The sample run was not started</source>
        <translation>Der Beispiellauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>Erster Lauf</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FitPanel</name>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Does it fit?</source>
        <translation>Passt es?</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>Größter Batch</translation>
    </message>
    <message>
        <source>Use the largest batch that fits</source>
        <translation>Den größten passenden Batch verwenden</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>The memory is estimated when the recipe has no errors.</source>
        <translation>Der Speicher wird geschätzt, sobald das Rezept keine Fehler hat.</translation>
    </message>
    <message>
        <source>Trainyard does not know the model of your own program, so it cannot estimate its memory.</source>
        <translation>Trainyard kennt das Modell Ihres eigenen Programms nicht und kann dessen Speicher deshalb nicht schätzen.</translation>
    </message>
    <message>
        <source>This starts on SageMaker: the memory of its machines is not known here.</source>
        <translation>Dies startet auf SageMaker: Der Speicher der Rechner dort ist hier nicht bekannt.</translation>
    </message>
    <message>
        <source>The engine does not train with %1: no memory is estimated for it.</source>
        <translation>Die Engine trainiert nicht mit %1: Dafür wird kein Speicher geschätzt.</translation>
    </message>
    <message>
        <source>on %1 devices</source>
        <translation>auf %1 Geräten</translation>
    </message>
    <message>
        <source>on one device</source>
        <translation>auf einem Gerät</translation>
    </message>
    <message>
        <source>of %1 on this machine</source>
        <translation>von %1 auf diesem Rechner</translation>
    </message>
    <message>
        <source>on this machine</source>
        <translation>auf diesem Rechner</translation>
    </message>
    <message>
        <source>%1 ranks, %2 each.</source>
        <translation>%1 Ranks, je %2.</translation>
    </message>
    <message>
        <source>The memory of %1 is not known here.</source>
        <translation>Der Speicher von %1 ist hier nicht bekannt.</translation>
    </message>
    <message>
        <source>the devices</source>
        <translation>die Geräte</translation>
    </message>
    <message>
        <source>Other machines are not checked.</source>
        <translation>Andere Rechner werden nicht geprüft.</translation>
    </message>
    <message>
        <source>From the last recipe without errors.</source>
        <translation>Vom letzten Rezept ohne Fehler.</translation>
    </message>
    <message>
        <source>does not fit, %1 short</source>
        <translation>passt nicht, %1 zu wenig</translation>
    </message>
    <message>
        <source>tight, %1 spare</source>
        <translation>knapp, %1 übrig</translation>
    </message>
    <message>
        <source>fits, %1 spare</source>
        <translation>passt, %1 übrig</translation>
    </message>
    <message>
        <source>%1, now %2</source>
        <translation>%1, jetzt %2</translation>
    </message>
    <message>
        <source>Not even one sequence at a time fits: choose a smaller model or fewer ranks.</source>
        <translation>Nicht einmal eine einzelne Sequenz passt: Wählen Sie ein kleineres Modell oder weniger Ranks.</translation>
    </message>
    <message>
        <source>What this model consists of is known when it is loaded: no memory is estimated for it.</source>
        <translation>Woraus dieses Modell besteht, ist erst bekannt, wenn es geladen ist: Sein Speicherbedarf wird nicht geschätzt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::FlameGraph</name>
    <message>
        <source>Flame graph of the calls</source>
        <translation>Flame-Graph der Aufrufe</translation>
    </message>
    <message>
        <source>%1, %2 calls, %3 in all, %4 of its own, %5 %</source>
        <translation>%1, %2 Aufrufe, %3 insgesamt, %4 eigene Zeit, %5 %</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::GpuTile</name>
    <message>
        <source>GPU %1, %2</source>
        <translation>GPU %1, %2</translation>
    </message>
    <message>
        <source>%1 % busy</source>
        <translation>zu %1 % ausgelastet</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>%1 von %2 belegt</translation>
    </message>
    <message>
        <source>%1, process %2 of %3, %4</source>
        <translation>%1, Prozess %2 von %3, %4</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>Last</translation>
    </message>
    <message>
        <source>mem</source>
        <translation>Mem</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::GroupTitle</name>
    <message>
        <source>%1, folded</source>
        <translation>%1, eingeklappt</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Ausklappen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Einklappen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HardwarePage</name>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Open Hosts</source>
        <translation>Hosts öffnen</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Ranks on %1</source>
        <translation>Ranks auf %1</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>noch nicht abgefragt</translation>
    </message>
    <message>
        <source>Hosts of ~/.ssh/config and those you add appear here.</source>
        <translation>Hosts aus ~/.ssh/config und die, die Sie hinzufügen, erscheinen hier.</translation>
    </message>
    <message>
        <source>Tick others to run there, or on several; each gets its own number of ranks.</source>
        <translation>Haken Sie andere an, um dort oder auf mehreren zu rechnen; jeder erhält seine eigene Anzahl von Ranks.</translation>
    </message>
    <message>
        <source>%1 ranks on %2 hosts. Addresses, ports and machine ranks are found out; what is asked about machines below does not count.</source>
        <translation>%1 Ranks auf %2 Hosts. Adressen, Ports und Nummern der Rechner werden ermittelt; was unten zu Rechnern gefragt wird, zählt nicht.</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rank</numerusform>
            <numerusform>%n Ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HealthPanel</name>
    <message>
        <source>parameters differ from the other ranks</source>
        <translation>Parameter weichen von denen der anderen Ranks ab</translation>
    </message>
    <message>
        <source>the same parameters</source>
        <translation>gleiche Parameter</translation>
    </message>
    <message>
        <source>rank %1 on %2 was %3 × slower, steps %4–%5</source>
        <translation>Rank %1 auf %2 war %3 × langsamer, Schritte %4–%5</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Ranks by step</source>
        <translation>Ranks nach Schritt</translation>
    </message>
    <message>
        <source>Phases of a step</source>
        <translation>Phasen eines Schritts</translation>
    </message>
    <message>
        <source>Phases of a step, or ranks</source>
        <translation>Phasen eines Schritts oder Ranks</translation>
    </message>
    <message>
        <source>Own time</source>
        <translation>Eigene Zeit</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>Gewartet</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Grad norm</source>
        <translation>Grad.-Norm</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Cell value</source>
        <translation>Wert der Zellen</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Forward</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>Backward</translation>
    </message>
    <message>
        <source>communicate</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>Evaluierung</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>time of a step on rank 0</source>
        <translation>Dauer eines Schritts auf Rank 0</translation>
    </message>
    <message>
        <source>highlighted where the parameters differ from the other ranks</source>
        <translation>hervorgehoben, wo die Parameter von denen der anderen Ranks abweichen</translation>
    </message>
    <message>
        <source>relative to the median of the step</source>
        <translation>relativ zum Median des Schritts</translation>
    </message>
    <message>
        <source>relative to the highest value shown</source>
        <translation>relativ zum höchsten angezeigten Wert</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HistogramBars</name>
    <message>
        <source>Histogram from %1 to %2</source>
        <translation>Histogramm von %1 bis %2</translation>
    </message>
    <message>
        <source>No histogram yet</source>
        <translation>Noch kein Histogramm</translation>
    </message>
    <message>
        <source>No finite element</source>
        <translation>Kein endliches Element</translation>
    </message>
    <message>
        <source>Not read yet</source>
        <translation>Noch nicht gelesen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostCard</name>
    <message>
        <source>asking…</source>
        <translation>wird abgefragt…</translation>
    </message>
    <message>
        <source>last asked %1</source>
        <translation>zuletzt abgefragt %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostDetails</name>
    <message>
        <source>Terminal</source>
        <translation>Terminal</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>Abfragen</translation>
    </message>
    <message>
        <source>Opens your terminal with ssh (T)</source>
        <translation>Öffnet Ihr Terminal mit ssh (T)</translation>
    </message>
    <message>
        <source>Asks the host what it has, without changing anything (P)</source>
        <translation>Fragt den Host, was er hat, ohne etwas zu ändern (P)</translation>
    </message>
    <message>
        <source>More for this host</source>
        <translation>Mehr zu diesem Host</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>Letzte Stunde</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>host key %1</source>
        <translation>Host-Schlüssel %1</translation>
    </message>
    <message>
        <source>asked just now</source>
        <translation>gerade eben abgefragt</translation>
    </message>
    <message>
        <source>asked %1</source>
        <translation>abgefragt %1</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel asking %1</source>
        <translation>Abfrage von %1 abbrechen</translation>
    </message>
    <message>
        <source>Probe %1</source>
        <translation>%1 abfragen</translation>
    </message>
    <message>
        <source>Connecting. Details of the host appear here in a moment.</source>
        <translation>Verbindung wird aufgebaut. Einzelheiten zum Host erscheinen hier gleich.</translation>
    </message>
    <message>
        <source>This host has not been asked yet. Probe reads what it has: GPUs, memory, disk, versions, clock. Nothing is changed there.</source>
        <translation>Dieser Host wurde noch nicht abgefragt. Abfragen liest, was er hat: GPUs, Speicher, Platte, Versionen, Uhr. Dort wird nichts geändert.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostDialog</name>
    <message>
        <source>Use this host for runs</source>
        <translation>Diesen Host für Läufe verwenden</translation>
    </message>
    <message>
        <source>Copy lines for ~/.ssh/config</source>
        <translation>Zeilen für ~/.ssh/config kopieren</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>Host hinzufügen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Settings of %1</source>
        <translation>Einstellungen von %1</translation>
    </message>
    <message>
        <source>How to reach it is set in %1, which Trainyard only reads.</source>
        <translation>Wie er zu erreichen ist, steht in %1; Trainyard liest diese Datei nur.</translation>
    </message>
    <message>
        <source>Kept in Trainyard&apos;s own list; ~/.ssh/config is not touched.</source>
        <translation>Steht in Trainyards eigener Liste; ~/.ssh/config bleibt unberührt.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>what you call it, e.g. gpu-b</source>
        <translation>wie Sie ihn nennen, z. B. gpu-b</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>name or IP address; empty: the name itself</source>
        <translation>Name oder IP-Adresse; leer: der Name selbst</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>empty: your own</source>
        <translation>leer: Ihr eigener</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>empty: 22</source>
        <translation>leer: 22</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>empty: agent and the usual keys</source>
        <translation>leer: Agent und die üblichen Schlüssel</translation>
    </message>
    <message>
        <source>Jump host</source>
        <translation>Jump-Host</translation>
    </message>
    <message>
        <source>reached through it, e.g. me@bastion</source>
        <translation>darüber erreichbar, z. B. me@bastion</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>shown in place of the name</source>
        <translation>wird anstelle des Namens angezeigt</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>Ordner für Läufe</translation>
    </message>
    <message>
        <source>empty: its own default</source>
        <translation>leer: sein eigener Standard</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>path of trainyard there; empty: copied when needed</source>
        <translation>Pfad von trainyard dort; leer: wird bei Bedarf kopiert</translation>
    </message>
    <message>
        <source>Python for scripts</source>
        <translation>Python für Skripte</translation>
    </message>
    <message>
        <source>empty: python3</source>
        <translation>leer: python3</translation>
    </message>
    <message>
        <source>Most GPUs to use</source>
        <translation>Höchstzahl GPUs</translation>
    </message>
    <message>
        <source>empty: all</source>
        <translation>leer: alle</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>NAME=value, a line each; no secrets: ranks and logs show it</source>
        <translation>NAME=Wert, je eine Zeile; keine Geheimnisse: Ranks und Logs zeigen es</translation>
    </message>
    <message>
        <source>There is a host %1 already: choose another name.</source>
        <translation>Es gibt schon einen Host %1: Wählen Sie einen anderen Namen.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostKeyDialog</name>
    <message>
        <source>Trust and remember</source>
        <translation>Vertrauen und merken</translation>
    </message>
    <message>
        <source>This time only</source>
        <translation>Nur dieses Mal</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1 shows a key of another type</source>
        <translation>%1 zeigt einen Schlüssel eines anderen Typs</translation>
    </message>
    <message>
        <source>First contact with %1</source>
        <translation>Erster Kontakt mit %1</translation>
    </message>
    <message>
        <source>Is this %1?</source>
        <translation>Ist das %1?</translation>
    </message>
    <message>
        <source>Compare the key with what whoever runs it tells you, or with the output of this command on the host itself: if they are the same, nobody stands between you and it.</source>
        <translation>Vergleichen Sie den Schlüssel mit dem, was Ihnen der Betreiber nennt, oder mit der Ausgabe dieses Befehls auf dem Host selbst: Sind sie gleich, steht niemand zwischen Ihnen und ihm.</translation>
    </message>
    <message>
        <source>You know %1%2 by its %3 key (line %4 of %5). The server was asked for that one and shows another. Either it was removed there, or this is not the same host.</source>
        <translation>Sie kennen %1%2 mit seinem %3-Schlüssel (Zeile %4 in %5). Der Server wurde nach diesem gefragt und zeigt einen anderen. Entweder wurde er dort entfernt, oder dies ist nicht derselbe Host.</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>You have not been connected to %1 before%2.</source>
        <translation>Sie waren noch nie mit %1%2 verbunden.</translation>
    </message>
    <message>
        <source>The key as a picture</source>
        <translation>Der Schlüssel als Bild</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>Remembered in</source>
        <translation>Gemerkt in</translation>
    </message>
    <message>
        <source>Copy fingerprint</source>
        <translation>Fingerabdruck kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostList</name>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>this machine, without SSH</source>
        <translation>dieser Rechner, ohne SSH</translation>
    </message>
    <message>
        <source>%1 has given another answer since this key was shown: nothing was trusted. Look at it again.</source>
        <translation>%1 hat eine andere Antwort gegeben, seit dieser Schlüssel angezeigt wurde: Es wurde nichts als vertrauenswürdig übernommen. Sehen Sie ihn sich noch einmal an.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostProblemPanel</name>
    <message>
        <source>Copy for the admin</source>
        <translation>Für den Admin kopieren</translation>
    </message>
    <message>
        <source>Show known_hosts</source>
        <translation>known_hosts zeigen</translation>
    </message>
    <message>
        <source>Show transcript</source>
        <translation>Mitschrift zeigen</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>accepted, line %1 of %2</source>
        <translation>akzeptiert, Zeile %1 in %2</translation>
    </message>
    <message>
        <source>of another type, line %1</source>
        <translation>anderen Typs, Zeile %1</translation>
    </message>
    <message>
        <source>shown now</source>
        <translation>jetzt gezeigt</translation>
    </message>
    <message>
        <source>%1 shows a different host key</source>
        <translation>%1 zeigt einen anderen Host-Schlüssel</translation>
    </message>
    <message>
        <source>Trainyard has not connected. Either %1 was set up anew, or something between you and it answers in its place.</source>
        <translation>Trainyard hat sich nicht verbunden. Entweder wurde %1 neu eingerichtet, oder etwas zwischen Ihnen und dem Host antwortet an seiner Stelle.</translation>
    </message>
    <message>
        <source>The host key of %1 is revoked</source>
        <translation>Der Host-Schlüssel von %1 ist widerrufen</translation>
    </message>
    <message>
        <source>Ask whoever runs %1 to read you its fingerprint. To go on, remove the old key from line %2 of %3, then connect again.</source>
        <translation>Lassen Sie sich vom Betreiber von %1 den Fingerabdruck vorlesen. Um fortzufahren, entfernen Sie den alten Schlüssel aus Zeile %2 in %3 und verbinden Sie sich dann erneut.</translation>
    </message>
    <message>
        <source>Look at the key…</source>
        <translation>Schlüssel ansehen…</translation>
    </message>
    <message>
        <source>Keep blocked</source>
        <translation>Blockiert lassen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostsPage</name>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>SSH keys and agent</source>
        <translation>SSH-Schlüssel und Agent</translation>
    </message>
    <message>
        <source>Connections between hosts</source>
        <translation>Verbindungen zwischen Hosts</translation>
    </message>
    <message>
        <source>Probe all</source>
        <translation>Alle abfragen</translation>
    </message>
    <message>
        <source>Add host</source>
        <translation>Host hinzufügen</translation>
    </message>
    <message>
        <source>No hosts yet. Hosts in ~/.ssh/config appear here.</source>
        <translation>Noch keine Hosts. Hosts aus ~/.ssh/config erscheinen hier.</translation>
    </message>
    <message>
        <source>That did not work</source>
        <translation>Das hat nicht funktioniert</translation>
    </message>
    <message>
        <source>Tries a connection from every host to every other one</source>
        <translation>Versucht eine Verbindung von jedem Host zu jedem anderen</translation>
    </message>
    <message>
        <source>Find a host</source>
        <translation>Host suchen</translation>
    </message>
    <message>
        <source>List of hosts</source>
        <translation>Liste der Hosts</translation>
    </message>
    <message>
        <source>Probe all hosts</source>
        <translation>Alle Hosts abfragen</translation>
    </message>
    <message>
        <source>Add a host</source>
        <translation>Einen Host hinzufügen</translation>
    </message>
    <message>
        <source>Settings of the host…</source>
        <translation>Einstellungen des Hosts…</translation>
    </message>
    <message>
        <source>Show transcript</source>
        <translation>Mitschrift zeigen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Forget the host</source>
        <translation>Host vergessen</translation>
    </message>
    <message>
        <source>Forget its settings</source>
        <translation>Seine Einstellungen vergessen</translation>
    </message>
    <message>
        <source>Not all hosts could be read</source>
        <translation>Nicht alle Hosts konnten gelesen werden</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>Hide those without GPU or not used</source>
        <translation>Ohne GPU oder nicht benutzte ausblenden</translation>
    </message>
    <message>
        <source>%1: no GPU or not used, hidden. Show</source>
        <translation>%1: ohne GPU oder nicht benutzt, ausgeblendet. Zeigen</translation>
    </message>
    <message>
        <source>reading ~/.ssh/config</source>
        <translation>~/.ssh/config wird gelesen</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>%1 from ~/.ssh/config, and this machine</source>
        <translation>%1 aus ~/.ssh/config und dieser Rechner</translation>
    </message>
    <message>
        <source>%1 added, and this machine</source>
        <translation>%1 hinzugefügt und dieser Rechner</translation>
    </message>
    <message>
        <source>%1 from ~/.ssh/config, %2 added, and this machine</source>
        <translation>%1 aus ~/.ssh/config, %2 hinzugefügt und dieser Rechner</translation>
    </message>
    <message>
        <source>asking 1 host</source>
        <translation>1 Host wird abgefragt</translation>
    </message>
    <message>
        <source>asking %1 hosts</source>
        <translation>%1 Hosts werden abgefragt</translation>
    </message>
    <message>
        <source>probed %1</source>
        <translation>abgefragt %1</translation>
    </message>
    <message>
        <source>%1 was forgotten</source>
        <translation>%1 wurde vergessen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>No terminal was opened</source>
        <translation>Es wurde kein Terminal geöffnet</translation>
    </message>
    <message>
        <source>Transcript of %1</source>
        <translation>Mitschrift von %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HostsPanel</name>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GMEM</source>
        <translation>GMEM</translation>
    </message>
    <message>
        <source>MEM</source>
        <translation>MEM</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>disk reads %1, writes %2</source>
        <translation>Platte liest %1, schreibt %2</translation>
    </message>
    <message>
        <source>network in %1, out %2</source>
        <translation>Netzwerk ein %1, aus %2</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>silent for %1</source>
        <translation>stumm seit %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HourChart</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Load of the last hour</source>
        <translation>Last der letzten Stunde</translation>
    </message>
    <message>
        <source>nothing was asked</source>
        <translation>nichts wurde abgefragt</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>−%1 min</source>
        <translation>−%1 min</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::HubField</name>
    <message>
        <source>Name of a model on the hub</source>
        <translation>Name eines Modells im Hub</translation>
    </message>
    <message>
        <source>Look up</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Name on the hub, such as openai-community/gpt2</source>
        <translation>Name im Hub, etwa openai-community/gpt2</translation>
    </message>
    <message>
        <source>Only config.json is brought, or the headers of the weights.</source>
        <translation>Nur config.json oder die Header der Gewichte werden geholt.</translation>
    </message>
    <message>
        <source>%1 is no name of a model on a hub: it has one or two parts, such as org/name</source>
        <translation>%1 ist kein Name eines Modells in einem Hub: Er hat ein oder zwei Teile, etwa org/name</translation>
    </message>
    <message>
        <source>Looking up %1 ...</source>
        <translation>%1 wird nachgeschlagen ...</translation>
    </message>
    <message>
        <source>Asking %1 for %2 ...</source>
        <translation>%2 wird bei %1 angefragt ...</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Inspector</name>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Head</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>First row</source>
        <translation>Erste Zeile</translation>
    </message>
    <message>
        <source>Attention head</source>
        <translation>Attention-Head</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Change by layer</source>
        <translation>Änderung nach Schicht</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Choose a tensor to see its values.</source>
        <translation>Wählen Sie einen Tensor, um seine Werte zu sehen.</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
    <message>
        <source>max</source>
        <translation>max</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>std</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2-Norm</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>NaN, Inf</source>
        <translation>NaN, Inf</translation>
    </message>
    <message>
        <source>change, relative</source>
        <translation>Änderung, relativ</translation>
    </message>
    <message>
        <source>The row is the id of the token.</source>
        <translation>Die Zeile ist die Nummer des Tokens.</translation>
    </message>
    <message>
        <source>head %1: norm %2, std %3</source>
        <translation>Head %1: Norm %2, Std.-Abw. %3</translation>
    </message>
    <message>
        <source>token %1: norm %2</source>
        <translation>Token %1: Norm %2</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>world size</source>
        <translation>World size</translation>
    </message>
    <message>
        <source>mesh</source>
        <translation>Mesh</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>rank of the adapter</source>
        <translation>Rang des Adapters</translation>
    </message>
    <message>
        <source>alpha of the adapter</source>
        <translation>Alpha des Adapters</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>optimizer groups</source>
        <translation>Optimizer-Gruppen</translation>
    </message>
    <message>
        <source>random state</source>
        <translation>Zustand des Zufallsgenerators</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeptMenu</name>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Keep as…</source>
        <translation>Behalten als…</translation>
    </message>
    <message>
        <source>Keep this scenario</source>
        <translation>Dieses Szenario behalten</translation>
    </message>
    <message>
        <source>Write recipe and settings…</source>
        <translation>Rezept und Einstellungen schreiben…</translation>
    </message>
    <message>
        <source>Folder for the recipe and its settings</source>
        <translation>Ordner für das Rezept und seine Einstellungen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Compare with what is shown</source>
        <translation>Mit dem Gezeigten vergleichen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Rename the scenario</source>
        <translation>Szenario umbenennen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Name of the scenario</source>
        <translation>Name des Szenarios</translation>
    </message>
    <message>
        <source>Delete the scenario</source>
        <translation>Szenario löschen</translation>
    </message>
    <message>
        <source>Delete the scenario %1?</source>
        <translation>Szenario %1 löschen?</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Kept as %1.</source>
        <translation>Behalten als %1.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeptScenarios</name>
    <message>
        <source>Written: %1.</source>
        <translation>Geschrieben: %1.</translation>
    </message>
    <message>
        <source>Neither of them can say: %1.</source>
        <translation>Keine der beiden Dateien kann sagen: %1.</translation>
    </message>
    <message>
        <source>it holds no list of scenarios</source>
        <translation>sie enthält keine Liste von Szenarien</translation>
    </message>
    <message>
        <source>%1 is damaged and could not be put aside: %2</source>
        <translation>%1 ist beschädigt und ließ sich nicht beiseitelegen: %2</translation>
    </message>
    <message>
        <source>The kept scenarios in %1 could not be read (%2): the file is kept as %3.</source>
        <translation>Die behaltenen Szenarien in %1 waren nicht lesbar (%2): die Datei bleibt als %3 erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n of the kept scenarios in %1 cannot be read by this version and stay there as they are.</source>
        <translation>
            <numerusform>%n der behaltenen Szenarien in %1 kann diese Version nicht lesen; es bleibt dort, wie es ist.</numerusform>
            <numerusform>%n der behaltenen Szenarien in %1 kann diese Version nicht lesen; sie bleiben dort, wie sie sind.</numerusform>
        </translation>
    </message>
    <message>
        <source>Give the scenario a name.</source>
        <translation>Geben Sie dem Szenario einen Namen.</translation>
    </message>
    <message>
        <source>There is a scenario %1 already: give another name.</source>
        <translation>Es gibt schon ein Szenario %1: wählen Sie einen anderen Namen.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::KeysDialog</name>
    <message>
        <source>SSH keys and agent</source>
        <translation>SSH-Schlüssel und Agent</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Fingerprint</source>
        <translation>Fingerabdruck</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Öffnete</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Erneut nachsehen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Asking the agent…</source>
        <translation>Agent wird gefragt…</translation>
    </message>
    <message>
        <source>The agent answers at %1.</source>
        <translation>Der Agent antwortet unter %1.</translation>
    </message>
    <message>
        <source>No agent: %1. Key files work without one; an agent asks for each passphrase once.</source>
        <translation>Kein Agent: %1. Schlüsseldateien funktionieren auch ohne; ein Agent fragt jede Passphrase nur einmal ab.</translation>
    </message>
    <message>
        <source>Passwords and passphrases are kept in the system&apos;s key ring, only where you tick it.</source>
        <translation>Passwörter und Passphrasen werden im Schlüsselbund des Systems aufbewahrt, und nur dort, wo Sie es ankreuzen.</translation>
    </message>
    <message>
        <source>Passwords cannot be kept: %1.</source>
        <translation>Passwörter können nicht aufbewahrt werden: %1.</translation>
    </message>
    <message>
        <source>agent: %1</source>
        <translation>Agent: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LaunchPage</name>
    <message>
        <source>Launch</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>Jetzt starten</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>As soon as all pass</source>
        <translation>Sobald alle bestanden sind</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Run folder in %1</source>
        <translation>Laufordner in %1</translation>
    </message>
    <message>
        <source>Run folder on %1, with a copy here</source>
        <translation>Laufordner auf %1, mit einer Kopie hier</translation>
    </message>
    <message>
        <source>copying, %1 of %2</source>
        <translation>wird kopiert, %1 von %2</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>Der Lauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source>The engine is missing</source>
        <translation>Die Engine fehlt</translation>
    </message>
    <message>
        <source>%1 is running on this machine</source>
        <translation>%1 läuft auf diesem Rechner</translation>
    </message>
    <message>
        <source>Queue this run to start when that one ends, or start it now beside it.</source>
        <translation>Reihen Sie diesen Lauf ein, damit er startet, wenn jener endet, oder starten Sie ihn jetzt daneben.</translation>
    </message>
    <message>
        <source>Nothing was started, and nothing is left on any host.</source>
        <translation>Es wurde nichts gestartet, und auf keinem Host ist etwas zurückgeblieben.</translation>
    </message>
    <message>
        <source>Nothing was started.</source>
        <translation>Es wurde nichts gestartet.</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen…</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>Fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>Queue although checks failed: %1</source>
        <translation>Einreihen trotz fehlgeschlagener Prüfungen: %1</translation>
    </message>
    <message>
        <source>Start although checks failed: %1</source>
        <translation>Starten trotz fehlgeschlagener Prüfungen: %1</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>Queue it</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Queue anyway</source>
        <translation>Trotzdem einreihen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>%1 of %2 checks done</source>
        <translation>%1 von %2 Prüfungen erledigt</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 of %2 checks done, %3 failed</source>
        <translation>%1 von %2 Prüfungen erledigt, %3 fehlgeschlagen</translation>
    </message>
    <message>
        <source>Choose the engine…</source>
        <translation>Engine wählen…</translation>
    </message>
    <message>
        <source>Choose other data…</source>
        <translation>Andere Daten wählen…</translation>
    </message>
    <message>
        <source>Halve the micro-batch and keep the tokens per step</source>
        <translation>Micro-Batch halbieren und Tokens pro Schritt beibehalten</translation>
    </message>
    <message>
        <source>Choose the script again…</source>
        <translation>Skript neu wählen…</translation>
    </message>
    <message>
        <source>Choose another port…</source>
        <translation>Anderen Port wählen…</translation>
    </message>
    <message>
        <source>Choose another folder for runs…</source>
        <translation>Anderen Ordner für Läufe wählen…</translation>
    </message>
    <message>
        <source>Open %1 in Hosts</source>
        <translation>%1 in Hosts öffnen</translation>
    </message>
    <message>
        <source>Retry until it passes, then start</source>
        <translation>Wiederholen, bis es besteht, dann starten</translation>
    </message>
    <message>
        <source>Leave %1 out: 1 rank</source>
        <translation>%1 weglassen: 1 Rank</translation>
    </message>
    <message>
        <source>Leave %1 out: %2 ranks</source>
        <translation>%1 weglassen: %2 Ranks</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Select a check to read about it.</source>
        <translation>Wählen Sie eine Prüfung aus, um mehr über sie zu lesen.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Runs the failed checks again (R)</source>
        <translation>Führt die fehlgeschlagenen Prüfungen erneut aus (R)</translation>
    </message>
    <message>
        <source>Cancels and leaves nothing behind on any host (Esc)</source>
        <translation>Bricht ab und hinterlässt auf keinem Host etwas (Esc)</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Enter</translation>
    </message>
    <message>
        <source>Start now, or wait for its turn</source>
        <translation>Jetzt starten oder warten, bis er an der Reihe ist</translation>
    </message>
    <message>
        <source>Waits until the runs queued before it have started, and the machine, or the GPUs, are free</source>
        <translation>Wartet, bis die vorher eingereihten Läufe gestartet sind und der Rechner oder die GPUs frei sind</translation>
    </message>
    <message>
        <source>Run the failed checks again</source>
        <translation>Fehlgeschlagene Prüfungen erneut ausführen</translation>
    </message>
    <message>
        <source>Every check is a plain command; its outcome is kept with the run.</source>
        <translation>Jede Prüfung ist ein einfacher Befehl; ihr Ergebnis wird mit dem Lauf aufbewahrt.</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>After start</source>
        <translation>Nach dem Start</translation>
    </message>
    <message>
        <source>Its dashboard opens</source>
        <translation>Sein Dashboard wird geöffnet</translation>
    </message>
    <message>
        <source>Goes on when this window is closed</source>
        <translation>Geht weiter, wenn dieses Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>Notify me when it ends, fails or stalls</source>
        <translation>Benachrichtigen, wenn er endet, fehlschlägt oder stillsteht</translation>
    </message>
    <message>
        <source>What you can do</source>
        <translation>Was Sie tun können</translation>
    </message>
    <message>
        <source>The launch was cancelled</source>
        <translation>Der Start wurde abgebrochen</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LayerGrid</name>
    <message>
        <source>Change of %1 kinds of tensors in %2 layers</source>
        <translation>Änderung von %1 Arten von Tensoren in %2 Schichten</translation>
    </message>
    <message>
        <source>layer %1, %2: %3 %</source>
        <translation>Schicht %1, %2: %3 %</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LinksMatrix</name>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 nach %2: %3</translation>
    </message>
    <message>
        <source>Links between GPUs</source>
        <translation>Verbindungen zwischen GPUs</translation>
    </message>
    <message>
        <source>GPU %1 to GPU %2: %3</source>
        <translation>GPU %1 nach GPU %2: %3</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LiveRow</name>
    <message>
        <source>queued, %1</source>
        <translation>eingereiht, %1</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>Jetzt starten</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>Aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>Nach einem Checkpoint stoppen</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>Checkpoint jetzt</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogList</name>
    <message>
        <source>Filter logs: words or /regex/</source>
        <translation>Logs filtern: Wörter oder /regex/</translation>
    </message>
    <message>
        <source>Filter logs</source>
        <translation>Logs filtern</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Show or hide all that pass the filter</source>
        <translation>Alle zeigen oder ausblenden, die durch den Filter kommen</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogListModel</name>
    <message>
        <source>The figure is the last value of %1.</source>
        <translation>Die Zahl ist der letzte Wert von %1.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogPage</name>
    <message>
        <source>Compare the key…</source>
        <translation>Schlüssel vergleichen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In einem neuen Fenster öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>one log</source>
        <translation>ein Log</translation>
    </message>
    <message>
        <source>%1 logs</source>
        <translation>%1 Logs</translation>
    </message>
    <message>
        <source>reading %1 of %2</source>
        <translation>%1 von %2 gelesen</translation>
    </message>
    <message>
        <source>looking for logs</source>
        <translation>Logs werden gesucht</translation>
    </message>
    <message>
        <source>Looking for logs in %1</source>
        <translation>Logs in %1 werden gesucht</translation>
    </message>
    <message>
        <source>No data from %1 yet.</source>
        <translation>Noch keine Daten von %1.</translation>
    </message>
    <message>
        <source>No logs in %1 yet.</source>
        <translation>Noch keine Logs in %1.</translation>
    </message>
    <message>
        <source>TensorBoard files, JSONL and CSV with a column of steps, trainer_state.json of transformers and runs of Weights &amp; Biases offline appear here as soon as somebody writes them.</source>
        <translation>TensorBoard-Dateien, JSONL und CSV mit einer Spalte für Schritte, trainer_state.json von transformers und Offline-Läufe von Weights &amp; Biases erscheinen hier, sobald jemand sie schreibt.</translation>
    </message>
    <message>
        <source>No log is ticked.</source>
        <translation>Es ist kein Log angehakt.</translation>
    </message>
    <message>
        <source>Tick one at the left to see its curves.</source>
        <translation>Haken Sie links eines an, um seine Kurven zu sehen.</translation>
    </message>
    <message>
        <source>The selected logs have no curves yet.</source>
        <translation>Die ausgewählten Logs haben noch keine Kurven.</translation>
    </message>
    <message>
        <source>Part of the logs cannot be read</source>
        <translation>Ein Teil der Logs ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1 parts of the logs cannot be read</source>
        <translation>%1 Teile der Logs sind nicht lesbar</translation>
    </message>
    <message>
        <source>%1 needs an answer from you</source>
        <translation>%1 braucht eine Antwort von Ihnen</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 antwortet nicht</translation>
    </message>
    <message>
        <source>%1 is shown only in part</source>
        <translation>%1 wird nur teilweise angezeigt</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>The selected logs have no curves that can be read.</source>
        <translation>Die ausgewählten Logs haben keine lesbaren Kurven.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogPanel</name>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ranks</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>Voriger Treffer (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>Nächster Treffer (F3)</translation>
    </message>
    <message>
        <source>Show nothing else</source>
        <translation>Nichts anderes zeigen</translation>
    </message>
    <message>
        <source>Lines shown</source>
        <translation>Angezeigte Zeilen</translation>
    </message>
    <message>
        <source>Ranks whose logs are shown</source>
        <translation>Ranks, deren Logs angezeigt werden</translation>
    </message>
    <message>
        <source>One rank, or several: 0, 3-5</source>
        <translation>Ein Rank oder mehrere: 0, 3-5</translation>
    </message>
    <message>
        <source>Find, or /regex/</source>
        <translation>Suchen, oder /regex/</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>Im Log suchen</translation>
    </message>
    <message>
        <source>The whole line</source>
        <translation>Die ganze Zeile</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Rank 0</source>
        <translation>Rank 0</translation>
    </message>
    <message>
        <source>wrong expression</source>
        <translation>falscher Ausdruck</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>wird gesucht…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>The expression takes too long on %1 lines; they count as not found.</source>
        <translation>Der Ausdruck dauert auf %1 Zeilen zu lange; sie gelten als nicht gefunden.</translation>
    </message>
    <message>
        <source>Show in the charts</source>
        <translation>In den Diagrammen zeigen</translation>
    </message>
    <message>
        <source>Show the whole line</source>
        <translation>Ganze Zeile zeigen</translation>
    </message>
    <message>
        <source>Save these lines…</source>
        <translation>Diese Zeilen speichern…</translation>
    </message>
    <message>
        <source>Save the lines that are shown</source>
        <translation>Die angezeigten Zeilen speichern</translation>
    </message>
    <message>
        <source>saved as %1</source>
        <translation>gespeichert als %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 lines</source>
        <translation>%1 von %2 Zeilen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LogTree</name>
    <message>
        <source>%1 is not there</source>
        <translation>%1 ist nicht vorhanden</translation>
    </message>
    <message>
        <source>%1 is one of the files of a log: open its folder</source>
        <translation>%1 ist eine der Dateien eines Logs: Öffnen Sie dessen Ordner</translation>
    </message>
    <message>
        <source>%1 holds no metrics that can be read: a step, an epoch or a time beside numbers</source>
        <translation>%1 enthält keine lesbaren Metriken: einen Schritt, eine Epoche oder eine Zeit neben Zahlen</translation>
    </message>
    <message>
        <source>Only the first %L1 folders below %2 are looked at</source>
        <translation>Nur die ersten %L1 Ordner unter %2 werden durchsucht</translation>
    </message>
    <message>
        <source>Folders more than %1 levels below %2 are not looked at</source>
        <translation>Ordner mehr als %1 Ebenen unter %2 werden nicht durchsucht</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>Only the first %L1 logs below %2 are shown</source>
        <translation>Nur die ersten %L1 Logs unter %2 werden angezeigt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::LossPanel</name>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Lin</source>
        <translation>Lin</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Overlay another run</source>
        <translation>Anderen Lauf überlagern</translation>
    </message>
    <message>
        <source>Overlay other runs, or show the difference to them (O)</source>
        <translation>Andere Läufe überlagern oder den Unterschied zu ihnen zeigen (O)</translation>
    </message>
    <message>
        <source>Smoothing weight</source>
        <translation>Glättungsgewicht</translation>
    </message>
    <message>
        <source>Exponential moving average, as TensorBoard draws it. S switches it off and on.</source>
        <translation>Exponentieller gleitender Mittelwert, wie TensorBoard ihn zeichnet. S schaltet ihn aus und ein.</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Waagerechte Achse</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>Senkrechte Achse</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>train</source>
        <translation>Train</translation>
    </message>
    <message>
        <source>val</source>
        <translation>Val</translation>
    </message>
    <message>
        <source>train − %1</source>
        <translation>Train − %1</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>Zeit seit dem Start</translation>
    </message>
    <message>
        <source>Time since the start without pauses and restarts; again: with them</source>
        <translation>Zeit seit dem Start ohne Pausen und Neustarts; noch einmal: mit ihnen</translation>
    </message>
    <message>
        <source>Time since the start; again: without pauses and restarts</source>
        <translation>Zeit seit dem Start; noch einmal: ohne Pausen und Neustarts</translation>
    </message>
    <message>
        <source>There is no other run in this folder</source>
        <translation>In diesem Ordner gibt es keinen anderen Lauf</translation>
    </message>
    <message>
        <source>Aligned at resume</source>
        <translation>Beim Fortsetzen ausgerichtet</translation>
    </message>
    <message>
        <source>Shifts the other run so that the step this run was resumed from coincides in both, or else their first points. When off, runs are aligned by step, time or tokens, whichever the axis shows.</source>
        <translation>Verschiebt den anderen Lauf so, dass der Schritt, ab dem dieser Lauf fortgesetzt wurde, in beiden zusammenfällt, sonst ihre ersten Punkte. Wenn aus, werden Läufe nach Schritt, Zeit oder Tokens ausgerichtet, je nachdem, was die Achse zeigt.</translation>
    </message>
    <message>
        <source>Differences: A − B</source>
        <translation>Differenzen: A − B</translation>
    </message>
    <message>
        <source>This run minus each other run, at the steps both have</source>
        <translation>Dieser Lauf minus jeden anderen, bei den Schritten, die beide haben</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Überlagern</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MainWindow</name>
    <message>
        <source>The run starts ahead of the queue.</source>
        <translation>Der Lauf startet vor der Warteschlange.</translation>
    </message>
    <message>
        <source>The run was removed from the queue.</source>
        <translation>Der Lauf wurde aus der Warteschlange entfernt.</translation>
    </message>
    <message>
        <source>The run will stop after a checkpoint.</source>
        <translation>Der Lauf stoppt nach einem Checkpoint.</translation>
    </message>
    <message>
        <source>A checkpoint was requested.</source>
        <translation>Ein Checkpoint wurde angefordert.</translation>
    </message>
    <message>
        <source>Settings were reset</source>
        <translation>Einstellungen wurden zurückgesetzt</translation>
    </message>
    <message>
        <source>A view was reset</source>
        <translation>Eine Ansicht wurde zurückgesetzt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MeasuredTable</name>
    <message>
        <source>%1: %2 estimated, %3 measured</source>
        <translation>%1: %2 geschätzt, %3 gemessen</translation>
    </message>
    <message>
        <source>activations and temporary: %1 estimated, %2 measured</source>
        <translation>Aktivierungen und temporär: %1 geschätzt, %2 gemessen</translation>
    </message>
    <message>
        <source>Estimate against measured</source>
        <translation>Schätzung gegen Messung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>Schätzung</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>When a run has ended, what its ranks used is shown here beside its estimate.</source>
        <translation>Wenn ein Lauf geendet hat, steht hier neben seiner Schätzung, was seine Ranks belegt haben.</translation>
    </message>
    <message numerus="yes">
        <source>Mean error %1 % over %n runs; the median run used %2 of its estimate.</source>
        <translation>
            <numerusform>Mittlerer Fehler %1 % über %n Lauf; er belegte das %2-Fache seiner Schätzung.</numerusform>
            <numerusform>Mittlerer Fehler %1 % über %n Läufe; der mittlere belegte das %2-Fache seiner Schätzung.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MediaCard</name>
    <message>
        <source>Histograms</source>
        <translation>Histogramme</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 of %2 steps · %3</source>
        <translation>%1 von %2 Schritten · %3</translation>
    </message>
    <message>
        <source>As histograms</source>
        <translation>Als Histogramme</translation>
    </message>
    <message>
        <source>As distribution</source>
        <translation>Als Verteilung</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MetricDots</name>
    <message>
        <source>No metric was written down.</source>
        <translation>Es wurde keine Metrik aufgezeichnet.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::MetricTile</name>
    <message>
        <source>Click to open the chart; right-click to choose another figure</source>
        <translation>Klicken, um das Diagramm zu öffnen; Rechtsklick, um eine andere Größe zu wählen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ModelPage</name>
    <message>
        <source>Which model?</source>
        <translation>Welches Modell?</translation>
    </message>
    <message>
        <source>Any of the families, from random weights or from files of transformers.</source>
        <translation>Jede der Familien, mit zufälligen Gewichten oder aus Dateien von transformers.</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>parameters; sets the numbers below</source>
        <translation>Parameter; setzt die Zahlen darunter</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::NamedLayouts</name>
    <message>
        <source>Keep this layout</source>
        <translation>Dieses Layout speichern</translation>
    </message>
    <message>
        <source>Name of the layout</source>
        <translation>Name des Layouts</translation>
    </message>
    <message>
        <source>Keep this layout as…</source>
        <translation>Dieses Layout speichern als…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::NotificationsPage</name>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Runs that ended, and alarms</source>
        <translation>Beendete Läufe und Alarme</translation>
    </message>
    <message>
        <source>No notifications</source>
        <translation>Keine Benachrichtigungen</translation>
    </message>
    <message>
        <source>Runs that finish, fail or are lost, and alarms of live runs, are listed here.</source>
        <translation>Läufe, die fertig werden, fehlschlagen oder verloren gehen, und Alarme laufender Läufe werden hier aufgelistet.</translation>
    </message>
    <message>
        <source>step %1, train loss %2</source>
        <translation>Schritt %1, Trainings-Loss %2</translation>
    </message>
    <message>
        <source>, validation %1</source>
        <translation>, Validierung %1</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>Alarm</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message numerus="yes">
        <source>The newest %1 are shown; %Ln older notifications were dropped.</source>
        <translation>
            <numerusform>Die neuesten %1 werden angezeigt; %Ln ältere Benachrichtigung wurde verworfen.</numerusform>
            <numerusform>Die neuesten %1 werden angezeigt; %Ln ältere Benachrichtigungen wurden verworfen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>Lauf öffnen</translation>
    </message>
    <message>
        <source>Open run %1</source>
        <translation>Lauf %1 öffnen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::OpenedTrace</name>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message numerus="yes">
        <source>%n slices</source>
        <translation>
            <numerusform>%n Slice</numerusform>
            <numerusform>%n Slices</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 overlapping</source>
        <translation>%1 überlappend</translation>
    </message>
    <message>
        <source>%1 at most</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4, %5 after the begin</source>
        <translation>%1, %2, %3, %4, %5 nach Beginn</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Opener</name>
    <message>
        <source>Open settings, a recipe, a log, or a file of a run folder</source>
        <translation>Einstellungen, ein Rezept, ein Log oder eine Datei eines Laufordners öffnen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Settings, recipes, runs (*.yaml *.yml *.json)</source>
        <translation>Einstellungen, Rezepte, Läufe (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>Profiler traces (*.json *.json.gz *.json.zst)</source>
        <translation>Profiler-Traces (*.json *.json.gz *.json.zst)</translation>
    </message>
    <message>
        <source>Logs (*tfevents* *.jsonl *.csv *.wandb trainer_state.json)</source>
        <translation>Logs (*tfevents* *.jsonl *.csv *.wandb trainer_state.json)</translation>
    </message>
    <message>
        <source>Open a run, or a folder of TensorBoard logs</source>
        <translation>Einen Lauf oder einen Ordner mit TensorBoard-Logs öffnen</translation>
    </message>
    <message>
        <source>Logs of another machine</source>
        <translation>Logs eines anderen Rechners</translation>
    </message>
    <message>
        <source>Host and folder, as in gpu-a:runs/today or sftp://gpu-a/data/runs.
The host is one of Hosts, or of ~/.ssh/config.</source>
        <translation>Host und Ordner, zum Beispiel gpu-a:runs/today oder sftp://gpu-a/data/runs.
Der Host ist einer aus Hosts oder aus ~/.ssh/config.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Overlays</name>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PageList</name>
    <message>
        <source>SKIPPED</source>
        <translation>ÜBERSPRUNGEN</translation>
    </message>
    <message>
        <source>Show all pages</source>
        <translation>Alle Seiten zeigen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Hide unneeded</source>
        <translation>Unnötige ausblenden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PanelBar</name>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Wall</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>Achsen</translation>
    </message>
    <message>
        <source>S</source>
        <translation>S</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Show or hide the tags (T)</source>
        <translation>Tags zeigen oder ausblenden (T)</translation>
    </message>
    <message>
        <source>Show or hide the tags</source>
        <translation>Tags zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Search tags: words or /regex/</source>
        <translation>Tags suchen: Wörter oder /regex/</translation>
    </message>
    <message>
        <source>Search tags</source>
        <translation>Tags suchen</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Waagerechte Achse</translation>
    </message>
    <message>
        <source>Time since the start</source>
        <translation>Zeit seit dem Start</translation>
    </message>
    <message>
        <source>Date and time</source>
        <translation>Datum und Uhrzeit</translation>
    </message>
    <message>
        <source>Smoothing weight</source>
        <translation>Glättungsgewicht</translation>
    </message>
    <message>
        <source>Exponential moving average, as TensorBoard draws it. S switches it off and on.</source>
        <translation>Exponentieller gleitender Mittelwert, wie TensorBoard ihn zeichnet. S schaltet ihn aus und ein.</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>Logarithmische senkrechte Achse</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>Logarithmische waagerechte Achse</translation>
    </message>
    <message>
        <source>Leave outliers out</source>
        <translation>Ausreißer weglassen</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Size of the charts</source>
        <translation>Größe der Diagramme</translation>
    </message>
    <message>
        <source>Small charts</source>
        <translation>Kleine Diagramme</translation>
    </message>
    <message>
        <source>Medium charts</source>
        <translation>Mittlere Diagramme</translation>
    </message>
    <message>
        <source>Large charts</source>
        <translation>Große Diagramme</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>clipped</source>
        <translation>beschnitten</translation>
    </message>
    <message>
        <source>Axes: %1</source>
        <translation>Achsen: %1</translation>
    </message>
    <message>
        <source>Hide the tags</source>
        <translation>Tags ausblenden</translation>
    </message>
    <message>
        <source>Show the tags</source>
        <translation>Tags zeigen</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>Layout zurücksetzen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tags</source>
        <translation>
            <numerusform>%Ln Tag</numerusform>
            <numerusform>%Ln Tags</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PanelCard</name>
    <message>
        <source>Star</source>
        <translation>Stern</translation>
    </message>
    <message>
        <source>Enlarge</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>Remove the star</source>
        <translation>Stern entfernen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Back to all (Esc)</source>
        <translation>Zurück zu allen (Esc)</translation>
    </message>
    <message>
        <source>Back to all</source>
        <translation>Zurück zu allen</translation>
    </message>
    <message>
        <source>Add a star</source>
        <translation>Stern hinzufügen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Loslösen</translation>
    </message>
    <message>
        <source>Take out</source>
        <translation>Herausnehmen</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>Namen kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParallelismPage</name>
    <message>
        <source>Replicate</source>
        <translation>Replizieren</translation>
    </message>
    <message>
        <source>DDP: the whole model on every device, gradients averaged</source>
        <translation>DDP: das ganze Modell auf jedem Gerät, Gradienten gemittelt</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>Shard</translation>
    </message>
    <message>
        <source>FSDP: all state split over the ranks</source>
        <translation>FSDP: der gesamte Zustand über die Ranks aufgeteilt</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s names, stage 0 to 3, offload to CPU or NVMe</source>
        <translation>Namen von DeepSpeed, Stufe 0 bis 3, Auslagern auf CPU oder NVMe</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>Mesh</translation>
    </message>
    <message>
        <source>FSDP 2 with tensor and context parallelism</source>
        <translation>FSDP 2 mit Tensor- und Kontext-Parallelität</translation>
    </message>
    <message>
        <source>Train data-parallel</source>
        <translation>Datenparallel trainieren</translation>
    </message>
    <message>
        <source>Use my script</source>
        <translation>Mein Skript verwenden</translation>
    </message>
    <message>
        <source>More ways</source>
        <translation>Weitere Wege</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>tensor and pipeline parallelism of scripts written for it</source>
        <translation>Tensor- und Pipeline-Parallelität von Skripten, die dafür geschrieben sind</translation>
    </message>
    <message>
        <source>Parallelism of %1 ranks</source>
        <translation>Parallelität von %1 Ranks</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Nothing is written until you launch or save.</source>
        <translation>Nichts wird geschrieben, bis Sie starten oder speichern.</translation>
    </message>
    <message>
        <source>The engine does not train this layout</source>
        <translation>Die Engine trainiert diese Aufteilung nicht</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParametersCard</name>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>%1 of %2 differ</source>
        <translation>%1 von %2 verschieden</translation>
    </message>
    <message>
        <source>Copy as a table</source>
        <translation>Als Tabelle kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ParametersModel</name>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PeaksPanel</name>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
    <message>
        <source>The measured peaks are forgotten; the next run measures before its first step</source>
        <translation>Die gemessenen Spitzenleistungen werden vergessen; der nächste Lauf misst vor seinem ersten Schritt</translation>
    </message>
    <message>
        <source>%1FLOP/s, measured %2 (%3)</source>
        <translation>%1FLOP/s, gemessen %2 (%3)</translation>
    </message>
    <message>
        <source>The next run measures it before its first step.</source>
        <translation>Der nächste Lauf misst sie vor seinem ersten Schritt.</translation>
    </message>
    <message>
        <source>Not measured yet: the first run does it before its first step.</source>
        <translation>Noch nicht gemessen: Der erste Lauf tut es vor seinem ersten Schritt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PlaceBar</name>
    <message>
        <source>host memory</source>
        <translation>Hauptspeicher</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>of one host</source>
        <translation>eines Hosts</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Preferences</name>
    <message>
        <source>%1 could not be read. Defaults are used, and the file was kept as %2.</source>
        <translation>%1 konnte nicht gelesen werden. Es gelten die Standardwerte, und die Datei wurde als %2 aufbewahrt.</translation>
    </message>
    <message>
        <source>%1: there is no language “%2” (appearance/language), so the system&apos;s is used. Choose one under Settings.</source>
        <translation>%1: Die Sprache „%2“ (appearance/language) gibt es nicht, daher wird die des Systems verwendet. Wählen Sie eine in den Einstellungen.</translation>
    </message>
    <message>
        <source>%1: %2 is no size of text (appearance/size), so 100 is used. Write one of %3.</source>
        <translation>%1: %2 ist keine Textgröße (appearance/size), daher wird 100 verwendet. Schreiben Sie eines von %3.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PresetsMenu</name>
    <message>
        <source>Launch command</source>
        <translation>launch-Befehl</translation>
    </message>
    <message>
        <source>torchrun command</source>
        <translation>torchrun-Befehl</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>DeepSpeed JSON</source>
        <translation>DeepSpeed-JSON</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>From the clipboard</source>
        <translation>Aus der Zwischenablage</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>An accelerate or torchrun command, a settings file or a DeepSpeed JSON</source>
        <translation>Ein accelerate- oder torchrun-Befehl, eine Einstellungsdatei oder ein DeepSpeed-JSON</translation>
    </message>
    <message>
        <source>Keep the settings as they are now</source>
        <translation>Die Einstellungen speichern, wie sie jetzt sind</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the new preset</source>
        <translation>Name der neuen Vorlage</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>Keys that the preset sets</source>
        <translation>Schlüssel, die die Vorlage setzt</translation>
    </message>
    <message>
        <source>CLIPBOARD</source>
        <translation>ZWISCHENABLAGE</translation>
    </message>
    <message>
        <source>BUILT IN</source>
        <translation>MITGELIEFERT</translation>
    </message>
    <message>
        <source>YOUR OWN</source>
        <translation>EIGENE</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Keys that change: %1</source>
        <translation>Schlüssel, die sich ändern: %1</translation>
    </message>
    <message>
        <source>These settings are already in effect</source>
        <translation>Diese Einstellungen gelten schon</translation>
    </message>
    <message>
        <source>from the clipboard</source>
        <translation>aus der Zwischenablage</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>für %1</translation>
    </message>
    <message>
        <source>Give the preset a name first.</source>
        <translation>Geben Sie der Vorlage zuerst einen Namen.</translation>
    </message>
    <message>
        <source>Kept as “%1”.</source>
        <translation>Gespeichert als „%1“.</translation>
    </message>
    <message>
        <source>Delete “%1”</source>
        <translation>„%1“ löschen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ProfileDialog</name>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Which of the next steps are recorded</source>
        <translation>Welche der nächsten Schritte aufgezeichnet werden</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>steps in a row</source>
        <translation>Schritte hintereinander</translation>
    </message>
    <message>
        <source>Warm up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>steps before them: the start of the profiler is not part of the picture</source>
        <translation>Schritte davor: Der Start des Profilers gehört nicht zum Bild</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>steps before each recording</source>
        <translation>Schritte vor jeder Aufzeichnung</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufzeichnungen</translation>
    </message>
    <message>
        <source>each with its own files</source>
        <translation>jeweils mit eigenen Dateien</translation>
    </message>
    <message>
        <source>Skip first</source>
        <translation>Anfang überspringen</translation>
    </message>
    <message>
        <source>steps, once</source>
        <translation>Schritte, einmal</translation>
    </message>
    <message>
        <source>Shapes and types of inputs</source>
        <translation>Formen und Typen der Eingaben</translation>
    </message>
    <message>
        <source>Of every operator. Steps take longer, files are larger.</source>
        <translation>Von jedem Operator. Schritte dauern länger, Dateien sind größer.</translation>
    </message>
    <message>
        <source>Every allocation of memory</source>
        <translation>Jede Speicherbelegung</translation>
    </message>
    <message>
        <source>The trace shows memory as a curve. Steps take longer, files are larger.</source>
        <translation>Der Trace zeigt den Speicher als Kurve. Schritte dauern länger, Dateien sind größer.</translation>
    </message>
    <message>
        <source>FLOPs of matrix products and convolutions</source>
        <translation>FLOPs von Matrixprodukten und Faltungen</translation>
    </message>
    <message>
        <source>By formula, from the shapes, which are recorded, too.</source>
        <translation>Nach Formel, aus den Formen, die dann auch aufgezeichnet werden.</translation>
    </message>
    <message>
        <source>About step %1 is recorded.</source>
        <translation>Etwa Schritt %1 wird aufgezeichnet.</translation>
    </message>
    <message>
        <source>About steps %1 to %2 are recorded.</source>
        <translation>Etwa die Schritte %1 bis %2 werden aufgezeichnet.</translation>
    </message>
    <message numerus="yes">
        <source>Then again every %Ln steps, %1 times in all.</source>
        <translation>
            <numerusform>Danach wieder bei jedem Schritt, insgesamt %1-mal.</numerusform>
            <numerusform>Danach wieder alle %Ln Schritte, insgesamt %1-mal.</numerusform>
        </translation>
    </message>
    <message>
        <source>Every rank writes a Chrome trace: operators, kernels of its GPU, phases, units and collectives. Steps take longer meanwhile.</source>
        <translation>Jeder Rank schreibt einen Chrome-Trace: Operatoren, Kernel seiner GPU, Phasen, Units und Kollektivoperationen. Die Schritte dauern währenddessen länger.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>· paused, %1 left when it continues</source>
        <translation>· pausiert, noch %1, wenn es weitergeht</translation>
    </message>
    <message>
        <source>· paused</source>
        <translation>· pausiert</translation>
    </message>
    <message>
        <source>· %1 left · ends %2</source>
        <translation>· noch %1 · endet %2</translation>
    </message>
    <message>
        <source>· time left is known after 20 steps</source>
        <translation>· Restzeit nach 20 Schritten bekannt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::PromptProcess</name>
    <message>
        <source>%1 could not be started: build or install it</source>
        <translation>%1 konnte nicht gestartet werden: Bauen oder installieren Sie es</translation>
    </message>
    <message>
        <source>The process that computes the text was ended from outside; too little memory may be the reason</source>
        <translation>Der Prozess, der den Text berechnet, wurde von außen beendet; zu wenig Speicher kann der Grund sein</translation>
    </message>
    <message>
        <source>The process that computes the text has ended without a message</source>
        <translation>Der Prozess, der den Text berechnet, endete ohne Meldung</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::QuestionPage</name>
    <message>
        <source>Where does it run?</source>
        <translation>Wo läuft es?</translation>
    </message>
    <message>
        <source>Filled in from what this machine has.</source>
        <translation>Ausgefüllt nach dem, was dieser Rechner hat.</translation>
    </message>
    <message>
        <source>Number format and compilation</source>
        <translation>Zahlenformat und Kompilierung</translation>
    </message>
    <message>
        <source>A lower precision needs less memory. It is faster only on devices that compute in it.</source>
        <translation>Eine niedrigere Präzision braucht weniger Speicher. Schneller ist sie nur auf Geräten, die in ihr rechnen.</translation>
    </message>
    <message>
        <source>Which cloud?</source>
        <translation>Welche Cloud?</translation>
    </message>
    <message>
        <source>What the jobs of Amazon SageMaker or a TPU pod need.</source>
        <translation>Was die Jobs von Amazon SageMaker oder ein TPU-Pod brauchen.</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose a file for %1</source>
        <translation>Datei für %1 wählen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Rail</name>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Search or command</source>
        <translation>Suche oder Befehl</translation>
    </message>
    <message>
        <source>LIVE</source>
        <translation>LIVE</translation>
    </message>
    <message>
        <source>Collapse the sidebar (Ctrl+B)</source>
        <translation>Seitenleiste einklappen (Strg+B)</translation>
    </message>
    <message>
        <source>Collapse the sidebar</source>
        <translation>Seitenleiste einklappen</translation>
    </message>
    <message>
        <source>New run (Ctrl+N)</source>
        <translation>Neuer Lauf (Strg+N)</translation>
    </message>
    <message>
        <source>Search or command (Ctrl+K)</source>
        <translation>Suche oder Befehl (Strg+K)</translation>
    </message>
    <message>
        <source>Expand the sidebar (Ctrl+B)</source>
        <translation>Seitenleiste ausklappen (Strg+B)</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RankBars</name>
    <message>
        <source>Memory per rank</source>
        <translation>Speicher pro Rank</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rank</numerusform>
            <numerusform>%n Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>stage %1, %2</source>
        <translation>Stufe %1, %2</translation>
    </message>
    <message>
        <source>layers %1-%2</source>
        <translation>Schichten %1-%2</translation>
    </message>
    <message>
        <source>%1 for a rank</source>
        <translation>%1 für einen Rank</translation>
    </message>
    <message>
        <source>%1 usable (CUDA context taken off)</source>
        <translation>%1 nutzbar (CUDA-Kontext abgezogen)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RankPairDialog</name>
    <message>
        <source>Compare two ranks</source>
        <translation>Zwei Ranks vergleichen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Mit</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RanksModel</name>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>Exit %1</translation>
    </message>
    <message>
        <source>%1  ·  %2 of %3 running</source>
        <translation>%1  ·  %2 von %3 laufen</translation>
    </message>
    <message>
        <source>%1  ·  lost</source>
        <translation>%1  ·  verloren</translation>
    </message>
    <message>
        <source>%1  ·  silent for %2 s</source>
        <translation>%1  ·  stumm seit %2 s</translation>
    </message>
    <message>
        <source>%1  ·  awaited</source>
        <translation>%1  ·  wird erwartet</translation>
    </message>
    <message>
        <source>Rank %1 on %2, %3, process %4</source>
        <translation>Rank %1 auf %2, %3, Prozess %4</translation>
    </message>
    <message>
        <source>last collective: %1</source>
        <translation>letzte Kollektivoperation: %1</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RanksPanel</name>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Enter shows the log of a rank</source>
        <translation>Enter zeigt das Log eines Ranks</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 Hosts</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReachDialog</name>
    <message>
        <source>Ask again</source>
        <translation>Erneut abfragen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Connections between hosts</source>
        <translation>Verbindungen zwischen Hosts</translation>
    </message>
    <message>
        <source>Rows reach columns</source>
        <translation>Zeilen erreichen Spalten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Each host opens a port for seconds, the others connect. Asking %1 hosts…</source>
        <translation>Jeder Host öffnet für Sekunden einen Port, die anderen verbinden sich. %1 Hosts werden abgefragt…</translation>
    </message>
    <message>
        <source>That could not be determined.</source>
        <translation>Das ließ sich nicht feststellen.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 reaches %2 at %3, over %4</source>
        <translation>%1 erreicht %2 unter %3, über %4</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>%1 does not reach %2: %3</source>
        <translation>%1 erreicht %2 nicht: %3</translation>
    </message>
    <message>
        <source>Every host reaches every other one.</source>
        <translation>Jeder Host erreicht jeden anderen.</translation>
    </message>
    <message>
        <source>%1 of %2 connections work. A run needs all of them between its hosts: open the ports, or leave a host out.</source>
        <translation>%1 von %2 Verbindungen funktionieren. Ein Lauf braucht alle zwischen seinen Hosts: Öffnen Sie die Ports oder lassen Sie einen Host weg.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReadPanel</name>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>translated</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>repaired</source>
        <translation>repariert</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1 gehen</translation>
    </message>
    <message>
        <source>What was read</source>
        <translation>Was gelesen wurde</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Copy what was read</source>
        <translation>Kopieren, was gelesen wurde</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>Die Datei</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message numerus="yes">
        <source>%n keys kept</source>
        <translation>
            <numerusform>%n Schlüssel behalten</numerusform>
            <numerusform>%n Schlüssel behalten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RecipePage</name>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Everything is kept in the folder of the run.</source>
        <translation>Alles wird im Ordner des Laufs aufbewahrt.</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RemoteLogs</name>
    <message>
        <source>%1
What was copied so far is shown. Asked again in %2 s.</source>
        <translation>%1
Was bisher kopiert wurde, wird angezeigt. Nächste Abfrage in %2 s.</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>wird verbunden</translation>
    </message>
    <message>
        <source>copying %1 %</source>
        <translation>wird kopiert, %1 %</translation>
    </message>
    <message>
        <source>following</source>
        <translation>folgt</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>stumm</translation>
    </message>
    <message>
        <source>needs an answer from you</source>
        <translation>braucht eine Antwort von Ihnen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ReviewPage</name>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Ready?</source>
        <translation>Bereit?</translation>
    </message>
    <message>
        <source>What was checked, and what will be written.</source>
        <translation>Was geprüft wurde und was geschrieben wird.</translation>
    </message>
    <message>
        <source>Problems and notes</source>
        <translation>Probleme und Hinweise</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Changed in the file</source>
        <translation>In der Datei geändert</translation>
    </message>
    <message>
        <source>Changed lines</source>
        <translation>Geänderte Zeilen</translation>
    </message>
    <message>
        <source>The same on the command line</source>
        <translation>Dasselbe auf der Befehlszeile</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>%1 keys, no contradiction</source>
        <translation>%1 Schlüssel, kein Widerspruch</translation>
    </message>
    <message>
        <source>%1 to fix</source>
        <translation>%1 zu beheben</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>the engine trains it</source>
        <translation>die Engine trainiert sie</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>Rezept</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>%1 parameters, %2 tokens a step</source>
        <translation>%1 Parameter, %2 Tokens pro Schritt</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>being looked at</source>
        <translation>wird untersucht</translation>
    </message>
    <message>
        <source>readable, and long enough</source>
        <translation>lesbar und lang genug</translation>
    </message>
    <message>
        <source>Go to field</source>
        <translation>Zum Feld gehen</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1 gehen</translation>
    </message>
    <message>
        <source>Train data-parallel</source>
        <translation>Datenparallel trainieren</translation>
    </message>
    <message>
        <source>Use my script</source>
        <translation>Mein Skript verwenden</translation>
    </message>
    <message>
        <source>The file</source>
        <translation>Die Datei</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>The run can be launched.</source>
        <translation>Der Lauf kann gestartet werden.</translation>
    </message>
    <message>
        <source>The file can be saved.</source>
        <translation>Die Datei kann gespeichert werden.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>No file is open. Everything is new.</source>
        <translation>Es ist keine Datei geöffnet. Alles ist neu.</translation>
    </message>
    <message>
        <source>No changes to %1.</source>
        <translation>Keine Änderungen an %1.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunActions</name>
    <message>
        <source>Rank 0 has not answered “%1” for 10 s</source>
        <translation>Rank 0 hat seit 10 s nicht auf „%1“ geantwortet</translation>
    </message>
    <message>
        <source>Requests are handled between two steps. “Kill now” takes effect at once.</source>
        <translation>Anforderungen werden zwischen zwei Schritten bearbeitet. „Sofort beenden“ wirkt unmittelbar.</translation>
    </message>
    <message>
        <source>“%1” was not done</source>
        <translation>„%1“ wurde nicht ausgeführt</translation>
    </message>
    <message>
        <source>Kill the run</source>
        <translation>Lauf sofort beenden</translation>
    </message>
    <message>
        <source>Kill %1 at step %2?</source>
        <translation>%1 bei Schritt %2 sofort beenden?</translation>
    </message>
    <message numerus="yes">
        <source>The last checkpoint is from step %1: %Ln steps will be lost.</source>
        <translation>
            <numerusform>Der letzte Checkpoint ist von Schritt %1: %Ln Schritt geht verloren.</numerusform>
            <numerusform>Der letzte Checkpoint ist von Schritt %1: %Ln Schritte gehen verloren.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no checkpoint yet: all %Ln steps will be lost.</source>
        <translation>
            <numerusform>Es gibt noch keinen Checkpoint: %Ln Schritt geht verloren.</numerusform>
            <numerusform>Es gibt noch keinen Checkpoint: Alle %Ln Schritte gehen verloren.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunDraft</name>
    <message>
        <source>Choose the script to start.</source>
        <translation>Wählen Sie das Skript, das gestartet werden soll.</translation>
    </message>
    <message>
        <source>%1 is no name of a Python module: write it with dots, such as package.train, or choose Script.</source>
        <translation>%1 ist kein Name eines Python-Moduls: Schreiben Sie ihn mit Punkten, zum Beispiel package.train, oder wählen Sie Skript.</translation>
    </message>
    <message>
        <source>A quotation mark is not closed. Close it, or write three for a literal one.</source>
        <translation>Ein Anführungszeichen ist nicht geschlossen. Schließen Sie es, oder schreiben Sie drei für ein wörtliches.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunEdits</name>
    <message>
        <source>Name reset</source>
        <translation>Name zurückgesetzt</translation>
    </message>
    <message>
        <source>Renamed to %1</source>
        <translation>Umbenannt in %1</translation>
    </message>
    <message>
        <source>Tags changed</source>
        <translation>Tags geändert</translation>
    </message>
    <message>
        <source>Note changed</source>
        <translation>Notiz geändert</translation>
    </message>
    <message>
        <source>Colour changed</source>
        <translation>Farbe geändert</translation>
    </message>
    <message numerus="yes">
        <source>%n archived</source>
        <translation>
            <numerusform>%n archiviert</numerusform>
            <numerusform>%n archiviert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unarchived</source>
        <translation>
            <numerusform>%n aus dem Archiv geholt</numerusform>
            <numerusform>%n aus dem Archiv geholt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is the baseline</source>
        <translation>%1 ist die Referenz</translation>
    </message>
    <message>
        <source>No baseline</source>
        <translation>Keine Referenz</translation>
    </message>
    <message>
        <source>%1 is number %2 in the queue</source>
        <translation>%1 ist Nummer %2 in der Warteschlange</translation>
    </message>
    <message>
        <source>%1 is running. Stop it before deleting it.</source>
        <translation>%1 läuft. Stoppen Sie den Lauf, bevor Sie ihn löschen.</translation>
    </message>
    <message>
        <source>1 run moved to the trash</source>
        <translation>1 Lauf in den Papierkorb verschoben</translation>
    </message>
    <message>
        <source>%1 runs moved to the trash</source>
        <translation>%1 Läufe in den Papierkorb verschoben</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunFilter</name>
    <message>
        <source>“%1” has no end: write %1/.</source>
        <translation>„%1“ hat kein Ende: Schreiben Sie %1/.</translation>
    </message>
    <message>
        <source>“%1” is not an expression: %2.</source>
        <translation>„%1“ ist kein Ausdruck: %2.</translation>
    </message>
    <message>
        <source>“%1” is not a comparison: write %2&gt;%3.</source>
        <translation>„%1“ ist kein Vergleich: Schreiben Sie %2&gt;%3.</translation>
    </message>
    <message>
        <source>“%1” has no unit: write %2&lt;7d (s, m, h or d).</source>
        <translation>„%1“ hat keine Einheit: Schreiben Sie %2&lt;7d (s, m, h oder d).</translation>
    </message>
    <message>
        <source>“%1” needs a number: write %2%3%4.</source>
        <translation>„%1“ braucht eine Zahl: Schreiben Sie %2%3%4.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunHeader</name>
    <message>
        <source>Checkpoint now</source>
        <translation>Checkpoint jetzt</translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation>Profil…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Records where the next steps spend their time (P)</source>
        <translation>Zeichnet auf, womit die nächsten Schritte ihre Zeit verbringen (P)</translation>
    </message>
    <message>
        <source>Pauses after the current step; memory and GPUs stay in use (H)</source>
        <translation>Pausiert nach dem aktuellen Schritt; Speicher und GPUs bleiben belegt (H)</translation>
    </message>
    <message>
        <source>Saves a checkpoint after the current step (K)</source>
        <translation>Speichert nach dem aktuellen Schritt einen Checkpoint (K)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Choose how to stop (X)</source>
        <translation>Wählen, wie gestoppt wird (X)</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>Nach einem Checkpoint stoppen</translation>
    </message>
    <message>
        <source>Stop after this step, without a checkpoint</source>
        <translation>Nach diesem Schritt stoppen, ohne Checkpoint</translation>
    </message>
    <message>
        <source>Kill now…</source>
        <translation>Sofort beenden…</translation>
    </message>
    <message>
        <source>Resume from the last checkpoint</source>
        <translation>Ab dem letzten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Resume from another checkpoint</source>
        <translation>Ab einem anderen Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Resume elsewhere…</source>
        <translation>Anderswo fortsetzen…</translation>
    </message>
    <message>
        <source>Run again from the start</source>
        <translation>Von Anfang an erneut ausführen</translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation>Jetzt evaluieren</translation>
    </message>
    <message>
        <source>Change the learning rate…</source>
        <translation>Lernrate ändern…</translation>
    </message>
    <message>
        <source>All curves</source>
        <translation>Alle Kurven</translation>
    </message>
    <message>
        <source>Every curve, histogram and text of the run, or back to the overview (T)</source>
        <translation>Alle Kurven, Histogramme und Texte des Laufs, oder zurück zur Übersicht (T)</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Add a note…</source>
        <translation>Notiz hinzufügen…</translation>
    </message>
    <message>
        <source>Alarms of this run…</source>
        <translation>Alarme dieses Laufs…</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>Ausprobieren…</translation>
    </message>
    <message>
        <source>A prompt, and how its checkpoints continue it</source>
        <translation>Ein Prompt, und wie die Checkpoints des Laufs ihn fortsetzen</translation>
    </message>
    <message>
        <source>Profiler traces</source>
        <translation>Profiler-Traces</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In einem neuen Fenster öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Checkpoint requested</source>
        <translation>Checkpoint angefordert</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Wird gestoppt</translation>
    </message>
    <message>
        <source>Profiling</source>
        <translation>Profil läuft</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>newest</source>
        <translation>neuester</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>of the run before</source>
        <translation>aus dem vorigen Lauf</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume from step %1 (its checkpoint is on %2)</source>
        <translation>Ab Schritt %1 fortsetzen (sein Checkpoint liegt auf %2)</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>Ab Schritt %1 fortsetzen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunPage</name>
    <message>
        <source>Dashboard</source>
        <translation>Dashboard</translation>
    </message>
    <message>
        <source>Choose your data</source>
        <translation>Eigene Daten wählen</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Throughput, tok/s</source>
        <translation>Durchsatz, Tok/s</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>Loss scale</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>Layout zurücksetzen</translation>
    </message>
    <message>
        <source>Part of the run cannot be read</source>
        <translation>Ein Teil des Laufs ist nicht lesbar</translation>
    </message>
    <message>
        <source>The sample run is complete</source>
        <translation>Der Beispiellauf ist fertig</translation>
    </message>
    <message>
        <source>The same model can be trained on your own text: choose a file or a folder.</source>
        <translation>Dasselbe Modell kann mit Ihrem eigenen Text trainiert werden: Wählen Sie eine Datei oder einen Ordner.</translation>
    </message>
    <message>
        <source>The run may still be going on there. What was received up to then is shown.</source>
        <translation>Der Lauf geht dort vielleicht noch weiter. Was bis dahin empfangen wurde, wird angezeigt.</translation>
    </message>
    <message>
        <source>%1 silent since %2</source>
        <translation>%1 ist stumm seit %2</translation>
    </message>
    <message>
        <source>%1 has not answered yet</source>
        <translation>%1 hat noch nicht geantwortet</translation>
    </message>
    <message>
        <source>The supervisor of this run has not been running since %1</source>
        <translation>Der Supervisor dieses Laufs läuft seit %1 nicht mehr</translation>
    </message>
    <message>
        <source>It ran on %1. What it wrote is shown. Resume the run from its last checkpoint.</source>
        <translation>Er lief auf %1. Was er geschrieben hat, wird angezeigt. Setzen Sie den Lauf ab seinem letzten Checkpoint fort.</translation>
    </message>
    <message>
        <source>No heartbeat for %1. The run may still be going on there.</source>
        <translation>Kein Heartbeat seit %1. Der Lauf geht dort vielleicht noch weiter.</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>Checkpoint jetzt</translation>
    </message>
    <message>
        <source>Pause or continue</source>
        <translation>Pausieren oder weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Profile the next steps</source>
        <translation>Profil der nächsten Schritte aufzeichnen</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Lauf stoppen</translation>
    </message>
    <message>
        <source>Add a note at the crosshair</source>
        <translation>Notiz am Fadenkreuz hinzufügen</translation>
    </message>
    <message>
        <source>All curves, or back to the overview</source>
        <translation>Alle Kurven oder zurück zur Übersicht</translation>
    </message>
    <message>
        <source>Overlay another run</source>
        <translation>Anderen Lauf überlagern</translation>
    </message>
    <message>
        <source>Open the curve of a tile</source>
        <translation>Kurve einer Kachel öffnen</translation>
    </message>
    <message>
        <source>Previous or next event</source>
        <translation>Voriges oder nächstes Ereignis</translation>
    </message>
    <message>
        <source>Fit the curves to the chart</source>
        <translation>Kurven in das Diagramm einpassen</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>Logarithmische senkrechte Achse</translation>
    </message>
    <message>
        <source>Show or hide the bands</source>
        <translation>Bänder zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Move the crosshair of the chart</source>
        <translation>Fadenkreuz des Diagramms bewegen</translation>
    </message>
    <message>
        <source>Next zoom of the chart</source>
        <translation>Nächster Zoom des Diagramms</translation>
    </message>
    <message>
        <source>Previous zoom of the chart</source>
        <translation>Voriger Zoom des Diagramms</translation>
    </message>
    <message>
        <source>Find in the log</source>
        <translation>Im Log suchen</translation>
    </message>
    <message>
        <source>Go to the log</source>
        <translation>Zum Log gehen</translation>
    </message>
    <message>
        <source>Keep the layout under a name</source>
        <translation>Layout unter einem Namen speichern</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunScanner</name>
    <message>
        <source>%1 is not there: it was moved or deleted, or its disk is not connected.</source>
        <translation>%1 ist nicht vorhanden: verschoben oder gelöscht, oder die Platte ist nicht angeschlossen.</translation>
    </message>
    <message>
        <source>Rank %1 failed first</source>
        <translation>Rank %1 ist zuerst fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1, at step %2.</source>
        <translation>%1, bei Schritt %2.</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>This run lost its place in the queue. Queue it again.</source>
        <translation>Dieser Lauf hat seinen Platz in der Warteschlange verloren. Reihen Sie ihn neu ein.</translation>
    </message>
    <message>
        <source>The supervisor of this run ended without a message.</source>
        <translation>Der Supervisor dieses Laufs endete ohne Meldung.</translation>
    </message>
    <message>
        <source>No contact with %1 since %2.</source>
        <translation>Kein Kontakt zu %1 seit %2.</translation>
    </message>
    <message>
        <source>No step for %1 s.</source>
        <translation>Kein Schritt seit %1 s.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunStarter</name>
    <message>
        <source>The sample recipe was not found: set TRAINYARD_SAMPLE to a recipe, or install Trainyard again.</source>
        <translation>Das Beispielrezept wurde nicht gefunden: Setzen Sie TRAINYARD_SAMPLE auf ein Rezept oder installieren Sie Trainyard neu.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunsModel</name>
    <message>
        <source>%1, ticked for comparison</source>
        <translation>%1, zum Vergleich angehakt</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Queued, number %1</source>
        <translation>Eingereiht, Nummer %1</translation>
    </message>
    <message numerus="yes">
        <source>Stopping, %n left</source>
        <translation>
            <numerusform>Wird gestoppt, noch %n</numerusform>
            <numerusform>Wird gestoppt, noch %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>Trainings-Loss</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Train</translation>
    </message>
    <message>
        <source>Val</source>
        <translation>Val</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>%1: click to sort, Shift+click to sort second</source>
        <translation>%1: Klick sortiert, Umschalt+Klick sortiert als Zweites</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>azure</source>
        <translation>Azur</translation>
    </message>
    <message>
        <source>orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>mint</source>
        <translation>Minze</translation>
    </message>
    <message>
        <source>mauve</source>
        <translation>Malve</translation>
    </message>
    <message>
        <source>straw</source>
        <translation>Stroh</translation>
    </message>
    <message>
        <source>violet</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>ice</source>
        <translation>Eis</translation>
    </message>
    <message>
        <source>raspberry</source>
        <translation>Himbeere</translation>
    </message>
    <message>
        <source>olive</source>
        <translation>Olive</translation>
    </message>
    <message>
        <source>mist</source>
        <translation>Nebel</translation>
    </message>
    <message>
        <source>Tick for comparison</source>
        <translation>Zum Vergleich anhaken</translation>
    </message>
    <message>
        <source>Compare the ticked runs</source>
        <translation>Angehakte Läufe vergleichen</translation>
    </message>
    <message>
        <source>Untick all runs</source>
        <translation>Alle Haken entfernen</translation>
    </message>
    <message>
        <source>Rename the run</source>
        <translation>Lauf umbenennen</translation>
    </message>
    <message>
        <source>Tags of the run…</source>
        <translation>Tags des Laufs…</translation>
    </message>
    <message>
        <source>Note on the run…</source>
        <translation>Notiz zum Lauf…</translation>
    </message>
    <message>
        <source>Archive or unarchive the run</source>
        <translation>Lauf archivieren oder aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Baseline: compare others with this run</source>
        <translation>Referenz: andere mit diesem Lauf vergleichen</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Delete the run</source>
        <translation>Lauf löschen</translation>
    </message>
    <message>
        <source>Earlier in the queue</source>
        <translation>In der Warteschlange nach vorn</translation>
    </message>
    <message>
        <source>Later in the queue</source>
        <translation>In der Warteschlange nach hinten</translation>
    </message>
    <message>
        <source>Undo the last change to runs</source>
        <translation>Letzte Änderung an Läufen rückgängig machen</translation>
    </message>
    <message>
        <source>Redo the last undone change</source>
        <translation>Letzte rückgängig gemachte Änderung wiederherstellen</translation>
    </message>
    <message>
        <source>Columns of the run list…</source>
        <translation>Spalten der Liste der Läufe…</translation>
    </message>
    <message>
        <source>Save the list as a table…</source>
        <translation>Liste als Tabelle speichern…</translation>
    </message>
    <message>
        <source>Watch a folder of runs…</source>
        <translation>Ordner mit Läufen überwachen…</translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation>Diesen Filter speichern…</translation>
    </message>
    <message>
        <source>Tags of %1</source>
        <translation>Tags von %1</translation>
    </message>
    <message numerus="yes">
        <source>Tags of %n runs</source>
        <translation>
            <numerusform>Tags von %n Lauf</numerusform>
            <numerusform>Tags von %n Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>Separate tags with spaces</source>
        <translation>Tags mit Leerzeichen trennen</translation>
    </message>
    <message>
        <source>+tag adds a tag to all of them, -tag removes it</source>
        <translation>+tag fügt allen ein Tag hinzu, -tag entfernt es</translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation>Notiz zu %1</translation>
    </message>
    <message>
        <source>Name of the filter</source>
        <translation>Name des Filters</translation>
    </message>
    <message>
        <source>A folder that contains run folders</source>
        <translation>Ein Ordner, der Laufordner enthält</translation>
    </message>
    <message>
        <source>Delete the filter %1</source>
        <translation>Filter %1 löschen</translation>
    </message>
    <message>
        <source>Stop watching %1</source>
        <translation>%1 nicht mehr überwachen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>By itself</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Open dashboard</source>
        <translation>Dashboard öffnen</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In einem neuen Fenster öffnen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Start now</source>
        <translation>Jetzt starten</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>Aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>Queue again</source>
        <translation>Neu einreihen</translation>
    </message>
    <message>
        <source>Checkpoint now</source>
        <translation>Checkpoint jetzt</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stop after a checkpoint</source>
        <translation>Nach einem Checkpoint stoppen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>Tags…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Notiz…</translation>
    </message>
    <message>
        <source>Colour…</source>
        <translation>Farbe…</translation>
    </message>
    <message>
        <source>Stop using as baseline</source>
        <translation>Nicht mehr als Referenz verwenden</translation>
    </message>
    <message>
        <source>Baseline for comparisons</source>
        <translation>Referenz für Vergleiche</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Stop the run first.</source>
        <translation>Stoppen Sie zuerst den Lauf.</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>Ort angeben…</translation>
    </message>
    <message>
        <source>Where is %1 now?</source>
        <translation>Wo ist %1 jetzt?</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>Gespeichert in %1.</translation>
    </message>
    <message>
        <source>Save the list</source>
        <translation>Liste speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Laufend</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Filter   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</source>
        <translation>Filter   tag:lr-sweep  lr&gt;1e-4  host:gpu-a</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>More for the list of runs</source>
        <translation>Mehr zur Liste der Läufe</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Trash %1</source>
        <translation>Papierkorb %1</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 live</source>
        <translation>%1 laufend</translation>
    </message>
    <message numerus="yes">
        <source>%n of %1 ticked runs lie inside the ranges of the sweep.</source>
        <translation>
            <numerusform>%n von %1 angehakten Läufen liegt in den Bereichen des Sweeps.</numerusform>
            <numerusform>%n von %1 angehakten Läufen liegen in den Bereichen des Sweeps.</numerusform>
        </translation>
    </message>
    <message>
        <source>No run matches. Clear the filter or choose All.</source>
        <translation>Kein Lauf passt. Leeren Sie den Filter oder wählen Sie Alle.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SamplesPanel</name>
    <message>
        <source>Samples</source>
        <translation>Textproben</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Prompts of the recipe, in their order</source>
        <translation>Prompts des Rezepts in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>What the model wrote</source>
        <translation>Was das Modell geschrieben hat</translation>
    </message>
    <message>
        <source>Step of the text</source>
        <translation>Schritt des Textes</translation>
    </message>
    <message>
        <source>Prompt %1</source>
        <translation>Prompt %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 · cut</source>
        <translation>%1 · gekürzt</translation>
    </message>
    <message>
        <source>The text is longer than what is kept of it.</source>
        <translation>Der Text ist länger als das, was von ihm aufbewahrt wird.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SamplingBar</name>
    <message>
        <source>Greedy</source>
        <translation>Greedy</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>Beams</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>Nächstes Token</translation>
    </message>
    <message>
        <source>New tokens</source>
        <translation>Neue Tokens</translation>
    </message>
    <message>
        <source>max_new_tokens: most tokens of an answer</source>
        <translation>max_new_tokens: Höchstzahl der Tokens einer Antwort</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Below 1 likely tokens become more likely</source>
        <translation>Unter 1 werden wahrscheinliche Tokens noch wahrscheinlicher</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Draws among so many of the most likely tokens; 0: all</source>
        <translation>Zieht aus so vielen der wahrscheinlichsten Tokens; 0: alle</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Draws among the most likely tokens that together have this probability</source>
        <translation>Zieht aus den wahrscheinlichsten Tokens, die zusammen diese Wahrscheinlichkeit haben</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>The same seed draws the same text</source>
        <translation>Derselbe Seed zieht denselben Text</translation>
    </message>
    <message>
        <source>num_beams: texts that are continued side by side; the likeliest one is shown at the end</source>
        <translation>num_beams: Texte, die nebeneinander fortgesetzt werden; am Ende wird der wahrscheinlichste gezeigt</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>repetition_penalty: above 1 tokens that were there become less likely</source>
        <translation>repetition_penalty: Über 1 werden schon vorhandene Tokens unwahrscheinlicher</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Scenario</name>
    <message>
        <source>the sizes multiply to %1 ranks, there are %2 devices</source>
        <translation>das Produkt der Größen sind %1 Ranks, vorhanden sind %2 Geräte</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ScriptPage</name>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Which script?</source>
        <translation>Welches Skript?</translation>
    </message>
    <message>
        <source>It is started once for each rank, with Accelerate&apos;s variables set.</source>
        <translation>Es wird einmal pro Rank gestartet; die Variablen von Accelerate sind gesetzt.</translation>
    </message>
    <message>
        <source>Started as</source>
        <translation>Gestartet als</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>python FILE</source>
        <translation>python DATEI</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>python -m MODULE</source>
        <translation>python -m MODUL</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>without Python</source>
        <translation>ohne Python</translation>
    </message>
    <message>
        <source>the path as seen on every machine of the run</source>
        <translation>der Pfad, wie ihn jeder Rechner des Laufs sieht</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>as on a command line; quotation marks keep spaces together</source>
        <translation>wie auf einer Befehlszeile; Anführungszeichen halten Leerzeichen zusammen</translation>
    </message>
    <message>
        <source>Choose the script</source>
        <translation>Skript wählen</translation>
    </message>
    <message>
        <source>The script to start</source>
        <translation>Das Skript, das gestartet werden soll</translation>
    </message>
    <message>
        <source>Python scripts (*.py);;All files (*)</source>
        <translation>Python-Skripte (*.py);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>with dots, as Python imports it: package.train</source>
        <translation>mit Punkten, wie Python es importiert: package.train</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SecretDialog</name>
    <message>
        <source>Keep it in the key ring</source>
        <translation>Im Schlüsselbund aufbewahren</translation>
    </message>
    <message>
        <source>Passphrase of a key</source>
        <translation>Passphrase eines Schlüssels</translation>
    </message>
    <message>
        <source>%1 opens %2 and is locked by a passphrase.</source>
        <translation>%1 öffnet %2 und ist durch eine Passphrase geschützt.</translation>
    </message>
    <message>
        <source>Password for %1</source>
        <translation>Passwort für %1</translation>
    </message>
    <message>
        <source>The account %1 on %2 asks for its password.</source>
        <translation>Das Konto %1 auf %2 verlangt sein Passwort.</translation>
    </message>
    <message>
        <source>%1 asks</source>
        <translation>%1 fragt</translation>
    </message>
    <message>
        <source>Wrong password. Try again.</source>
        <translation>Falsches Passwort. Versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SelectionPanel</name>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Slices</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Table of the selection</source>
        <translation>Tabelle der Auswahl</translation>
    </message>
    <message>
        <source>No work on a device in this range.</source>
        <translation>Keine Arbeit auf einem Gerät in diesem Bereich.</translation>
    </message>
    <message>
        <source>Nothing in this range.</source>
        <translation>Nichts in diesem Bereich.</translation>
    </message>
    <message>
        <source>The longest %1 of %2 slices.</source>
        <translation>Die längsten %1 von %2 Slices.</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>Flame-Graph</translation>
    </message>
    <message>
        <source>Both took the same time everywhere.</source>
        <translation>Beide brauchten überall gleich viel Zeit.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SettingsPage</name>
    <message>
        <source>in Settings</source>
        <translation>in den Einstellungen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>Ordner für Läufe</translation>
    </message>
    <message>
        <source>set by the environment, so it cannot be changed here</source>
        <translation>durch die Umgebung gesetzt und deshalb hier nicht änderbar</translation>
    </message>
    <message>
        <source>runs in the old folder stay where they are</source>
        <translation>Läufe im alten Ordner bleiben, wo sie sind</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Peak of this machine</source>
        <translation>Spitzenleistung dieses Rechners</translation>
    </message>
    <message>
        <source>What its processor computes at most, as runs measured it; the share of the peak (MFU) is a share of this</source>
        <translation>Was sein Prozessor höchstens rechnet, wie Läufe es gemessen haben; der Anteil an der Spitzenleistung (MFU) bezieht sich darauf</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder neuer.</translation>
    </message>
    <message>
        <source>Copy environment</source>
        <translation>Umgebung kopieren</translation>
    </message>
    <message>
        <source>Trainyard %1
Engine %2
Qt %3
%4, %5</source>
        <translation>Trainyard %1
Engine %2
Qt %3
%4, %5</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>“%1” is not an absolute path: begin it with /.</source>
        <translation>„%1“ ist kein absoluter Pfad: Beginnen Sie ihn mit /.</translation>
    </message>
    <message>
        <source>The folder for runs “%1” is not writable: choose another or change its permissions.</source>
        <translation>Der Ordner für Läufe „%1“ ist nicht beschreibbar: Wählen Sie einen anderen oder ändern Sie seine Berechtigungen.</translation>
    </message>
    <message>
        <source>Changes apply immediately, or say when</source>
        <translation>Änderungen gelten sofort oder sagen, wann</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SharePanel</name>
    <message>
        <source>Where the time went</source>
        <translation>Wo die Zeit blieb</translation>
    </message>
    <message>
        <source>compute only</source>
        <translation>nur Rechnen</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>overlapped</source>
        <translation>überlappt</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>nicht verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Communication hidden</source>
        <translation>Verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>in all steps</source>
        <translation>in allen Schritten</translation>
    </message>
    <message>
        <source>Waited longest for</source>
        <translation>Am längsten gewartet auf</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>kernels and copies</source>
        <translation>Kernel und Kopien</translation>
    </message>
    <message>
        <source>phases of the step</source>
        <translation>Phasen des Schritts</translation>
    </message>
    <message>
        <source>operators of the host</source>
        <translation>Operatoren des Hosts</translation>
    </message>
    <message>
        <source>No time in this range</source>
        <translation>Keine Zeit in diesem Bereich</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>Pipeline-Leerlauf</translation>
    </message>
    <message>
        <source>%1, planned %2</source>
        <translation>%1, geplant %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ShelfModel</name>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>goes</source>
        <translation>entfällt</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ShelfPanel</name>
    <message>
        <source>Val loss</source>
        <translation>Val.-Loss</translation>
    </message>
    <message>
        <source>Train loss</source>
        <translation>Trainings-Loss</translation>
    </message>
    <message>
        <source>Prune…</source>
        <translation>Ausdünnen…</translation>
    </message>
    <message>
        <source>By step</source>
        <translation>Nach Schritt</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>How many of the best stay</source>
        <translation>Wie viele der besten bleiben</translation>
    </message>
    <message>
        <source>How many of the newest stay</source>
        <translation>Wie viele der neuesten bleiben</translation>
    </message>
    <message>
        <source>One of so many steps stays</source>
        <translation>Einer von so vielen Schritten bleibt</translation>
    </message>
    <message>
        <source>Those whose step is a multiple stay</source>
        <translation>Die, deren Schritt ein Vielfaches ist, bleiben</translation>
    </message>
    <message>
        <source>Validation loss by step, a dot for each checkpoint</source>
        <translation>Validierungs-Loss nach Schritt, ein Punkt pro Checkpoint</translation>
    </message>
    <message>
        <source>Training loss by step, a dot for each checkpoint</source>
        <translation>Trainings-Loss nach Schritt, ein Punkt pro Checkpoint</translation>
    </message>
    <message>
        <source>keep best 0 and last 0 keeps nothing: use 1 or more</source>
        <translation>mit beste 0 und letzte 0 bleibt nichts: Verwenden Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>removes nothing</source>
        <translation>entfernt nichts</translation>
    </message>
    <message>
        <source>removes %1: %2</source>
        <translation>entfernt %1: %2</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>Files, %1</source>
        <translation>Dateien, %1</translation>
    </message>
    <message>
        <source>every byte, against a recorded hash</source>
        <translation>jedes Byte, gegen einen aufgezeichneten Hash</translation>
    </message>
    <message>
        <source>every byte, against the archive&apos;s checksums</source>
        <translation>jedes Byte, gegen die Prüfsummen des Archivs</translation>
    </message>
    <message>
        <source>header and length only: no checksum is known</source>
        <translation>nur Header und Länge: Es wurde keine Prüfsumme notiert</translation>
    </message>
    <message numerus="yes">
        <source>Keep the %n best checkpoints</source>
        <translation>
            <numerusform>Den %n besten Checkpoint behalten</numerusform>
            <numerusform>Die %n besten Checkpoints behalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Keep the %n newest checkpoints</source>
        <translation>
            <numerusform>Den %n neuesten Checkpoint behalten</numerusform>
            <numerusform>Die %n neuesten Checkpoints behalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Keep one every %n steps, and pinned ones</source>
        <translation>
            <numerusform>Einen je %n Schritt behalten und angeheftete</numerusform>
            <numerusform>Einen alle %n Schritte behalten und angeheftete</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SideWindow</name>
    <message>
        <source>Close this window</source>
        <translation>Dieses Fenster schließen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SideWindows</name>
    <message>
        <source> – Trainyard</source>
        <translation> – Trainyard</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SlicePanel</name>
    <message>
        <source>The chosen slice</source>
        <translation>Der gewählte Slice</translation>
    </message>
    <message>
        <source>Click a slice, or press → in the timeline.</source>
        <translation>Klicken Sie auf einen Slice oder drücken Sie → in der Zeitleiste.</translation>
    </message>
    <message>
        <source>Joined with %1</source>
        <translation>Verbunden mit %1</translation>
    </message>
    <message>
        <source>Waited for %1</source>
        <translation>Wartete auf %1</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>none in the file: shown to the end of the trace</source>
        <translation>keines in der Datei: bis zum Ende des Traces gezeigt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::SlicePicture</name>
    <message numerus="yes">
        <source>Picture of %n elements</source>
        <translation>
            <numerusform>Bild von %n Element</numerusform>
            <numerusform>Bild von %n Elementen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartPage</name>
    <message>
        <source>What would you like to start?</source>
        <translation>Was möchten Sie starten?</translation>
    </message>
    <message>
        <source>Every page is filled in already; change what you like. Nothing is written until you launch or save.</source>
        <translation>Jede Seite ist schon ausgefüllt; ändern Sie, was Sie möchten. Nichts wird geschrieben, bis Sie starten oder speichern.</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>Ein Modell trainieren</translation>
    </message>
    <message>
        <source>A GPT-2 on your text, with the engine of Trainyard; no Python</source>
        <translation>Ein GPT-2 mit Ihrem Text, mit der Engine von Trainyard; ohne Python</translation>
    </message>
    <message>
        <source>Own Python script</source>
        <translation>Eigenes Python-Skript</translation>
    </message>
    <message>
        <source>A script, module or program that uses Accelerate</source>
        <translation>Ein Skript, Modul oder Programm, das Accelerate benutzt</translation>
    </message>
    <message>
        <source>Settings file only</source>
        <translation>Nur Einstellungsdatei</translation>
    </message>
    <message>
        <source>What accelerate config writes, for use elsewhere</source>
        <translation>Was accelerate config schreibt, zur Verwendung anderswo</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>Start from a preset</source>
        <translation>Mit einer Vorlage beginnen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartPanel</name>
    <message>
        <source>Start of the run</source>
        <translation>Start des Laufs</translation>
    </message>
    <message>
        <source>Reading the run folder</source>
        <translation>Laufordner wird gelesen</translation>
    </message>
    <message>
        <source>The folder %1 is not there any more</source>
        <translation>Der Ordner %1 ist nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>In the queue: %1</source>
        <translation>In der Warteschlange: %1</translation>
    </message>
    <message>
        <source>This run lost its place in the queue. Queue it again from the list of runs.</source>
        <translation>Dieser Lauf hat seinen Platz in der Warteschlange verloren. Reihen Sie ihn in der Liste der Läufe neu ein.</translation>
    </message>
    <message>
        <source>Waiting for the first step: %1, %2</source>
        <translation>Warten auf den ersten Schritt: %1, %2</translation>
    </message>
    <message>
        <source>The run ended before its first step</source>
        <translation>Der Lauf endete vor seinem ersten Schritt</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StartStage</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StatusLine</name>
    <message>
        <source>commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Engine not found</source>
        <translation>Engine nicht gefunden</translation>
    </message>
    <message>
        <source>Engine %1</source>
        <translation>Engine %1</translation>
    </message>
    <message>
        <source>Engine …</source>
        <translation>Engine …</translation>
    </message>
    <message>
        <source>no run is live</source>
        <translation>kein Lauf aktiv</translation>
    </message>
    <message>
        <source>stale %1 s, %2 is silent</source>
        <translation>seit %1 s veraltet, %2 ist stumm</translation>
    </message>
    <message>
        <source>updated %1 s ago</source>
        <translation>vor %1 s aktualisiert</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepButton</name>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>%n zu beheben</numerusform>
            <numerusform>%n zu beheben</numerusform>
        </translation>
    </message>
    <message>
        <source>skipped: %1</source>
        <translation>übersprungen: %1</translation>
    </message>
    <message>
        <source>Not needed: %1</source>
        <translation>Nicht nötig: %1</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepPage</name>
    <message>
        <source>Remove it</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::StepPicker</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message numerus="yes">
        <source>%n steps</source>
        <translation>
            <numerusform>%n Schritt</numerusform>
            <numerusform>%n Schritte</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TagFilter</name>
    <message>
        <source>%1 is no regular expression: %2.</source>
        <translation>%1 ist kein regulärer Ausdruck: %2.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TagTree</name>
    <message>
        <source>Tags</source>
        <translation>Tags</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Remove the star</source>
        <translation>Stern entfernen</translation>
    </message>
    <message>
        <source>Add a star</source>
        <translation>Stern hinzufügen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Lay over</source>
        <translation>Überlagern</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>Namen kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TensorModel</name>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>renamed</source>
        <translation>umbenannt</translation>
    </message>
    <message>
        <source>reshaped</source>
        <translation>umgeformt</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message numerus="yes">
        <source>%n tensors</source>
        <translation>
            <numerusform>%n Tensor</numerusform>
            <numerusform>%n Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Type, shape</source>
        <translation>Typ, Shape</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TensorPanel</name>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>against</source>
        <translation>gegen</translation>
    </message>
    <message>
        <source>Checkpoint to compare with</source>
        <translation>Checkpoint zum Vergleichen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Words of the name, a type (bf16), size&gt;1GB, nan, changed</source>
        <translation>Wörter des Namens, ein Typ (bf16), size&gt;1GB, nan, changed</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
    <message>
        <source>Tensors %1</source>
        <translation>Tensoren %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::Terminal</name>
    <message>
        <source>No terminal program was found: install one, or name it in TERMINAL.</source>
        <translation>Es wurde kein Terminalprogramm gefunden: Installieren Sie eines oder nennen Sie es in TERMINAL.</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>%1 konnte nicht gestartet werden.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TileRow</name>
    <message>
        <source>Another curve</source>
        <translation>Andere Kurve</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TraceTableModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Total, ms</source>
        <translation>Gesamt, ms</translation>
    </message>
    <message>
        <source>Self, ms</source>
        <translation>Selbst, ms</translation>
    </message>
    <message>
        <source>Mean, µs</source>
        <translation>Mittel, µs</translation>
    </message>
    <message>
        <source>% of busy</source>
        <translation>% aktiv</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Track</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Begin, ms</source>
        <translation>Beginn, ms</translation>
    </message>
    <message>
        <source>Before, ms</source>
        <translation>Vorher, ms</translation>
    </message>
    <message>
        <source>After, ms</source>
        <translation>Nachher, ms</translation>
    </message>
    <message>
        <source>Difference, ms</source>
        <translation>Differenz, ms</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TracesPage</name>
    <message>
        <source>Traces</source>
        <translation>Traces</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Where the time went</source>
        <translation>Wo die Zeit blieb</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Slice</translation>
    </message>
    <message>
        <source>Step %1 is not in this trace</source>
        <translation>Schritt %1 ist nicht in diesem Trace</translation>
    </message>
    <message>
        <source>Traces of %1</source>
        <translation>Traces von %1</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>%1 of %2, %3/s, file %4 of %5</source>
        <translation>%1 von %2, %3/s, Datei %4 von %5</translation>
    </message>
    <message>
        <source>This trace cannot be shown</source>
        <translation>Dieser Trace kann nicht angezeigt werden</translation>
    </message>
    <message>
        <source>Not everything in the file could be shown</source>
        <translation>Nicht alles in der Datei konnte angezeigt werden</translation>
    </message>
    <message>
        <source>whole trace, %1</source>
        <translation>ganzer Trace, %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>alle Ranks</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Slices</translation>
    </message>
    <message>
        <source>searching</source>
        <translation>wird gesucht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Comparing with %1</source>
        <translation>Vergleich mit %1</translation>
    </message>
    <message>
        <source>This trace cannot be compared</source>
        <translation>Dieser Trace kann nicht verglichen werden</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>Gespeichert in %1.</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.json.zst *.gz *.zst);;All files (*)</source>
        <translation>Traces (*.json *.json.gz *.json.zst *.gz *.zst);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Find slices</source>
        <translation>Slices suchen</translation>
    </message>
    <message>
        <source>Parts of names, /regular expressions/, dur&gt;5ms, cat:kernel, family:matmul, track:stream, rank:3, step:120, arg:bytes&gt;4096, !not. Enter goes to the next one.</source>
        <translation>Teile von Namen, /reguläre Ausdrücke/, dur&gt;5ms, cat:kernel, family:matmul, track:stream, rank:3, step:120, arg:bytes&gt;4096, !nicht. Enter geht zum nächsten.</translation>
    </message>
    <message>
        <source>Order of the ranks</source>
        <translation>Reihenfolge der Ranks</translation>
    </message>
    <message>
        <source>By rank</source>
        <translation>Nach Rank</translation>
    </message>
    <message>
        <source>Slowest first</source>
        <translation>Langsamste zuerst</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Open the newest profile of a folder…</source>
        <translation>Neuestes Profil eines Ordners öffnen…</translation>
    </message>
    <message>
        <source>Compare with another trace…</source>
        <translation>Mit einem anderen Trace vergleichen…</translation>
    </message>
    <message>
        <source>Save the table as CSV…</source>
        <translation>Tabelle als CSV speichern…</translation>
    </message>
    <message>
        <source>Colours by name</source>
        <translation>Farben nach Name</translation>
    </message>
    <message>
        <source>Colours by family</source>
        <translation>Farben nach Familie</translation>
    </message>
    <message>
        <source>Fold all ranks</source>
        <translation>Alle Ranks einklappen</translation>
    </message>
    <message>
        <source>Unfold all ranks</source>
        <translation>Alle Ranks ausklappen</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>What has been read is shown.</source>
        <translation>Was gelesen wurde, wird angezeigt.</translation>
    </message>
    <message>
        <source>No trace yet.</source>
        <translation>Noch kein Trace.</translation>
    </message>
    <message>
        <source>Press Profile on a run, or open a Chrome JSON file.</source>
        <translation>Drücken Sie bei einem Lauf auf Profil oder öffnen Sie eine Chrome-JSON-Datei.</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>Ordner öffnen…</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Zoom in, out</source>
        <translation>Vergrößern, verkleinern</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>Früher, später</translation>
    </message>
    <message>
        <source>Walk through slices</source>
        <translation>Durch Slices gehen</translation>
    </message>
    <message>
        <source>Previous, next slice of this name</source>
        <translation>Voriger, nächster Slice dieses Namens</translation>
    </message>
    <message>
        <source>Select the range of the chosen slice</source>
        <translation>Bereich des gewählten Slices auswählen</translation>
    </message>
    <message>
        <source>Fit the selection</source>
        <translation>Auswahl einpassen</translation>
    </message>
    <message>
        <source>The whole trace</source>
        <translation>Der ganze Trace</translation>
    </message>
    <message>
        <source>Previous, next step</source>
        <translation>Voriger, nächster Schritt</translation>
    </message>
    <message>
        <source>Fold or unfold the rank</source>
        <translation>Rank ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Pin the rank to the top</source>
        <translation>Rank oben anheften</translation>
    </message>
    <message>
        <source>Mark; two marks measure</source>
        <translation>Markieren; zwei Marken messen</translation>
    </message>
    <message>
        <source>Next slice that was found</source>
        <translation>Nächster gefundener Slice</translation>
    </message>
    <message>
        <source>A trace, or the traces of all ranks</source>
        <translation>Ein Trace oder die Traces aller Ranks</translation>
    </message>
    <message>
        <source>A run, or a folder with traces</source>
        <translation>Ein Lauf oder ein Ordner mit Traces</translation>
    </message>
    <message>
        <source>The trace to compare with</source>
        <translation>Der Trace zum Vergleichen</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>In the selected range of %1, times per step.</source>
        <translation>Im gewählten Bereich von %1, Zeiten je Schritt.</translation>
    </message>
    <message>
        <source>In the whole trace, times per step.</source>
        <translation>Im ganzen Trace, Zeiten je Schritt.</translation>
    </message>
    <message>
        <source>%1 before, %2 after; a step: %3 before, %4 after</source>
        <translation>%1 vorher, %2 nachher; ein Schritt: %3 vorher, %4 nachher</translation>
    </message>
    <message>
        <source>%1 before, %2 after</source>
        <translation>%1 vorher, %2 nachher</translation>
    </message>
    <message>
        <source>this trace</source>
        <translation>dieser Trace</translation>
    </message>
    <message>
        <source>These ranks cannot be compared</source>
        <translation>Diese Ranks sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Save the selection as a trace</source>
        <translation>Auswahl als Trace speichern</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>Traces (*.json)</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>%1 slices saved to %2.</source>
        <translation>%1 Abschnitte in %2 gespeichert.</translation>
    </message>
    <message>
        <source>Compare two ranks…</source>
        <translation>Zwei Ranks vergleichen…</translation>
    </message>
    <message>
        <source>Save the picture as PNG…</source>
        <translation>Bild als PNG speichern…</translation>
    </message>
    <message>
        <source>Save the selection as a trace…</source>
        <translation>Auswahl als Trace speichern…</translation>
    </message>
    <message>
        <source>The schedule without waits, as outlines</source>
        <translation>Der Ablauf ohne Wartezeiten, als Umrisse</translation>
    </message>
    <message>
        <source>Of pipelines: when each micro-batch would have been computed if nobody had waited.</source>
        <translation>Bei Pipelines: wann jeder Micro-Batch berechnet worden wäre, wenn niemand gewartet hätte.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TrainingPage</name>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Steps, batch and learning rate, and what they add up to on all ranks.</source>
        <translation>Schritte, Batch und Lernrate und was sie auf allen Ranks zusammen ergeben.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TrashView</name>
    <message>
        <source>The trash is empty. Deleted runs are kept here and can be restored.</source>
        <translation>Der Papierkorb ist leer. Gelöschte Läufe werden hier aufbewahrt und können wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Delete permanently…</source>
        <translation>Endgültig löschen…</translation>
    </message>
    <message>
        <source>Empty the trash…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Deleted runs are kept</source>
        <translation>Gelöschte Läufe aufbewahren</translation>
    </message>
    <message>
        <source>forever</source>
        <translation>für immer</translation>
    </message>
    <message>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <source>Days that deleted runs are kept</source>
        <translation>Tage, die gelöschte Läufe aufbewahrt werden</translation>
    </message>
    <message>
        <source>Older runs are deleted permanently when the program starts. 0 keeps all of them.</source>
        <translation>Ältere Läufe werden beim Start des Programms endgültig gelöscht. 0 bewahrt alle auf.</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Restore (Enter)</source>
        <translation>Wiederherstellen (Enter)</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Deleted permanently</source>
        <translation>Endgültig gelöscht</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Id</translation>
    </message>
    <message>
        <source>Deleted runs</source>
        <translation>Gelöschte Läufe</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>at the next start</source>
        <translation>beim nächsten Start</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>%1 zusammen</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Delete %1 permanently?</source>
        <translation>%1 endgültig löschen?</translation>
    </message>
    <message>
        <source>Delete %1 runs permanently?</source>
        <translation>%1 Läufe endgültig löschen?</translation>
    </message>
    <message>
        <source>%1 with all curves, logs and checkpoints. This cannot be undone.</source>
        <translation>%1 mit allen Kurven, Logs und Checkpoints. Dies kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::TryItPage</name>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>A second checkpoint beside it</source>
        <translation>Ein zweiter Checkpoint daneben</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erster</translation>
    </message>
    <message>
        <source>second</source>
        <translation>zweiter</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Continues the text (Ctrl+Enter)</source>
        <translation>Setzt den Text fort (Strg+Enter)</translation>
    </message>
    <message>
        <source>Ends the text; what is written stays</source>
        <translation>Beendet den Text; was geschrieben ist, bleibt</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>A text to go on from</source>
        <translation>Ein Text, der fortgesetzt wird</translation>
    </message>
    <message>
        <source>Continue the text</source>
        <translation>Text fortsetzen</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>There is no whole checkpoint yet</source>
        <translation>Es gibt noch keinen vollständigen Checkpoint</translation>
    </message>
    <message>
        <source>A run saves its first one at step checkpoint.every, or when it is asked to.</source>
        <translation>Ein Lauf speichert seinen ersten bei Schritt checkpoint.every oder auf Anforderung.</translation>
    </message>
    <message>
        <source>It cannot be opened</source>
        <translation>Öffnen nicht möglich</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::ViewState</name>
    <message>
        <source>it is larger than %1 KB</source>
        <translation>sie ist größer als %1 KB</translation>
    </message>
    <message>
        <source>it holds no object</source>
        <translation>sie enthält kein Objekt</translation>
    </message>
    <message>
        <source>The saved view of %1 could not be read (%2). It was reset, and the file was kept as %3.</source>
        <translation>Die gespeicherte Ansicht von %1 konnte nicht gelesen werden (%2). Sie wurde zurückgesetzt, und die Datei wurde als %3 aufbewahrt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WhatIfPanel</name>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>Micro-batch per rank</source>
        <translation>Micro-Batch pro Rank</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Gradient accumulation</source>
        <translation>Gradientenakkumulation</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>fp8</source>
        <translation>fp8</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>Sharding</translation>
    </message>
    <message>
        <source>DDP</source>
        <translation>DDP</translation>
    </message>
    <message>
        <source>ZeRO 1</source>
        <translation>ZeRO 1</translation>
    </message>
    <message>
        <source>ZeRO 2</source>
        <translation>ZeRO 2</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Tensor-parallel</translation>
    </message>
    <message>
        <source>Pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>Kontext-parallel</translation>
    </message>
    <message>
        <source>Activation checkpointing</source>
        <translation>Aktivierungs-Checkpointing</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Selective</source>
        <translation>Selektiv</translation>
    </message>
    <message>
        <source>Offload parameters to host</source>
        <translation>Parameter auf den Host auslagern</translation>
    </message>
    <message>
        <source>Loss in chunks</source>
        <translation>Loss in Chunks</translation>
    </message>
    <message>
        <source>16-bit weights, fp32 masters</source>
        <translation>16-Bit-Gewichte, fp32-Master</translation>
    </message>
    <message>
        <source>%1, powers of two</source>
        <translation>%1, Zweierpotenzen</translation>
    </message>
    <message>
        <source>Memory of a host, GiB</source>
        <translation>Speicher eines Hosts, GiB</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>What is offloaded is judged by it; 0: not known</source>
        <translation>Danach wird beurteilt, was ausgelagert wird; 0: unbekannt</translation>
    </message>
    <message numerus="yes">
        <source>%1 data x %2 tensor x %3 context x %4 stages = %n ranks</source>
        <translation>
            <numerusform>%1 Daten x %2 Tensor x %3 Kontext x %4 Stufen = %n Rank</numerusform>
            <numerusform>%1 Daten x %2 Tensor x %3 Kontext x %4 Stufen = %n Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>Optimizer state</source>
        <translation>Optimizer-Zustand</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WindowCommands</name>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Open a run folder or a folder of logs…</source>
        <translation>Laufordner oder Ordner mit Logs öffnen…</translation>
    </message>
    <message>
        <source>Open logs of another machine…</source>
        <translation>Logs eines anderen Rechners öffnen…</translation>
    </message>
    <message>
        <source>Start the sample run</source>
        <translation>Beispiellauf starten</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Zu %1 gehen</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Collapse or expand the sidebar</source>
        <translation>Seitenleiste ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Main action of this page</source>
        <translation>Hauptaktion dieser Seite</translation>
    </message>
    <message>
        <source>Open in a new window</source>
        <translation>In einem neuen Fenster öffnen</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>Design: dunkel</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>Design: hell</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>Design: wie das System</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WizardPage</name>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>1 field to fix</source>
        <translation>1 Feld zu beheben</translation>
    </message>
    <message>
        <source>%1 fields to fix</source>
        <translation>%1 Felder zu beheben</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Weiter: %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>aus %1</translation>
    </message>
    <message>
        <source>Nothing is written until you launch or save</source>
        <translation>Nichts wird geschrieben, bis Sie starten oder speichern</translation>
    </message>
    <message>
        <source>%1 is not asked now</source>
        <translation>%1 wird jetzt nicht abgefragt</translation>
    </message>
    <message>
        <source>The recipe cannot be run</source>
        <translation>Das Rezept kann nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2 problems</source>
        <translation>%1 ist nicht lesbar: %2 Probleme</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>%1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1 has a problem; the form shows what could be read</source>
        <translation>%1 hat ein Problem; das Formular zeigt, was gelesen werden konnte</translation>
    </message>
    <message>
        <source>%1 has %2 problems; the form shows what could be read</source>
        <translation>%1 hat %2 Probleme; das Formular zeigt, was gelesen werden konnte</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>The settings of accelerate</source>
        <translation>Die Einstellungen von accelerate</translation>
    </message>
    <message>
        <source>Open settings, a recipe or a DeepSpeed file</source>
        <translation>Einstellungen, ein Rezept oder eine DeepSpeed-Datei öffnen</translation>
    </message>
    <message>
        <source>Settings and recipes (*.yaml *.yml *.json);;All files (*)</source>
        <translation>Einstellungen und Rezepte (*.yaml *.yml *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The settings were not saved</source>
        <translation>Die Einstellungen wurden nicht gespeichert</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Gespeichert als %1</translation>
    </message>
    <message>
        <source>Save the settings</source>
        <translation>Einstellungen speichern</translation>
    </message>
    <message>
        <source>Settings (*.yaml *.yml *.json)</source>
        <translation>Einstellungen (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Launching…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>The run was not started</source>
        <translation>Der Lauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source> on this machine</source>
        <translation> auf diesem Rechner</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> auf %1</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 Hosts</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>draft saved</source>
        <translation>Entwurf gespeichert</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>The draft</source>
        <translation>Der Entwurf</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z)</source>
        <translation>Rückgängig (Strg+Z)</translation>
    </message>
    <message>
        <source>Redo (Ctrl+Shift+Z)</source>
        <translation>Wiederherstellen (Strg+Umschalt+Z)</translation>
    </message>
    <message>
        <source>Open YAML…</source>
        <translation>YAML öffnen…</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Guided</source>
        <translation>Geführt</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>preset “%1”</source>
        <translation>Vorlage „%1“</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go to the first</source>
        <translation>Zum ersten gehen</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Links</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Rechts</translation>
    </message>
    <message>
        <source>Undo in the form</source>
        <translation>Im Formular rückgängig machen</translation>
    </message>
    <message>
        <source>Redo in the form</source>
        <translation>Im Formular wiederherstellen</translation>
    </message>
    <message>
        <source>Save the settings as YAML</source>
        <translation>Einstellungen als YAML speichern</translation>
    </message>
    <message>
        <source>Guided or Expert</source>
        <translation>Geführt oder Experte</translation>
    </message>
    <message>
        <source>Go to field…</source>
        <translation>Zum Feld gehen…</translation>
    </message>
    <message>
        <source>Begin a new draft</source>
        <translation>Neuen Entwurf beginnen</translation>
    </message>
    <message>
        <source>Go to field</source>
        <translation>Zum Feld gehen</translation>
    </message>
    <message>
        <source>Field or key, e.g. main_process_port</source>
        <translation>Feld oder Schlüssel, z. B. main_process_port</translation>
    </message>
    <message numerus="yes">
        <source>%n ranks</source>
        <translation>
            <numerusform>%n Rank</numerusform>
            <numerusform>%n Ranks</numerusform>
        </translation>
    </message>
    <message>
        <source>The data of the saved draft was replaced</source>
        <translation>Die Daten des gespeicherten Entwurfs wurden ersetzt</translation>
    </message>
    <message>
        <source>The draft had %1, now it has %2. Everything else of it is as it was saved: Undo takes the data back, Begin a new draft starts from the sample.</source>
        <translation>Der Entwurf hatte %1, jetzt hat er %2. Alles andere ist wie gespeichert: „Rückgängig“ stellt die Daten wieder her, „Neuen Entwurf beginnen“ geht vom Beispiel aus.</translation>
    </message>
    <message>
        <source>The command of this run is in the form</source>
        <translation>Der Befehl dieses Laufs steht im Formular</translation>
    </message>
    <message>
        <source>Its environment variables and its folder are not: set them where you start Trainyard if the program needs them.</source>
        <translation>Seine Umgebungsvariablen und sein Ordner nicht: setzen Sie sie dort, wo Sie Trainyard starten, falls das Programm sie braucht.</translation>
    </message>
    <message>
        <source>Launch with code that a file names?</source>
        <translation>Mit Code starten, den eine Datei nennt?</translation>
    </message>
    <message>
        <source>%1 names programs or libraries. With your rights, this launch executes:</source>
        <translation>%1 nennt Programme oder Bibliotheken. Dieser Start führt mit Ihren Rechten aus:</translation>
    </message>
    <message>
        <source>You are asked once for each file, and again if it names something else.</source>
        <translation>Sie werden für jede Datei einmal gefragt, und erneut, wenn sie etwas anderes nennt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WriteDialog</name>
    <message>
        <source>Write weights</source>
        <translation>Gewichte schreiben</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>%1 allein</translation>
    </message>
    <message>
        <source>Average of all %1, equal shares</source>
        <translation>Mittelwert aller %1, gleiche Anteile</translation>
    </message>
    <message>
        <source>Moving average over all %1</source>
        <translation>Gleitender Mittelwert über alle %1</translation>
    </message>
    <message>
        <source>Average of all %1, own shares</source>
        <translation>Mittelwert aller %1, eigene Anteile</translation>
    </message>
    <message>
        <source>As saved</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>As the run&apos;s base, else as saved</source>
        <translation>Wie die Basis des Laufs, sonst wie gespeichert</translation>
    </message>
    <message>
        <source>One safetensors file</source>
        <translation>Eine safetensors-Datei</translation>
    </message>
    <message>
        <source>Shards with an index</source>
        <translation>Shards mit einem Index</translation>
    </message>
    <message>
        <source>torch.distributed.checkpoint</source>
        <translation>torch.distributed.checkpoint</translation>
    </message>
    <message>
        <source>Folder for transformers</source>
        <translation>Ordner für transformers</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>0.2 0.3 0.5: one for each, oldest first</source>
        <translation>0.2 0.3 0.5: je einer, ältester zuerst</translation>
    </message>
    <message>
        <source>none: names stay; else a file with a line &quot;old -&gt; new&quot; for each</source>
        <translation>keine: Namen bleiben; sonst eine Datei mit je einer Zeile &quot;alt -&gt; neu&quot;</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Decay</source>
        <translation>Decay</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>Largest shard</source>
        <translation>Größter Shard</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ranks</translation>
    </message>
    <message>
        <source>Rename by table</source>
        <translation>Nach Tabelle umbenennen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder to write</source>
        <translation>Zielordner</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Table of names</source>
        <translation>Namenstabelle</translation>
    </message>
    <message>
        <source>Name a folder to write to.</source>
        <translation>Nennen Sie einen Ordner, in den geschrieben wird.</translation>
    </message>
    <message>
        <source>There are %1 checkpoints: give a share for each, as numbers with a space between.</source>
        <translation>Es gibt %1 Checkpoints: Geben Sie für jeden einen Anteil an, als Zahlen mit einem Leerzeichen dazwischen.</translation>
    </message>
    <message>
        <source>Written beside its place, read back and compared, then renamed.</source>
        <translation>Wird neben den Zielort geschrieben, zurückgelesen und verglichen, dann umbenannt.</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::WrittenPanel</name>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>Rezept</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Copy what is shown</source>
        <translation>Kopieren, was angezeigt wird</translation>
    </message>
    <message>
        <source>Copy what will be written</source>
        <translation>Kopieren, was geschrieben wird</translation>
    </message>
    <message>
        <source>What will be written</source>
        <translation>Was geschrieben wird</translation>
    </message>
    <message>
        <source>Edit the text. The form follows.</source>
        <translation>Bearbeiten Sie den Text. Das Formular folgt.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Comments typed here are not kept. Add them to the saved file.</source>
        <translation>Hier eingegebene Kommentare bleiben nicht erhalten. Fügen Sie sie der gespeicherten Datei hinzu.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>~ %1 changed</source>
        <translation>~ %1 geändert</translation>
    </message>
    <message>
        <source>+ %1 added</source>
        <translation>+ %1 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 %2 removed</source>
        <translation>%1 %2 entfernt</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
</context>
<context>
    <name>trainyard::desktop::saveFile</name>
    <message>
        <source>%1 was not written: %2</source>
        <translation>%1 wurde nicht geschrieben: %2</translation>
    </message>
</context>
<context>
    <name>trainyard::engine</name>
    <message>
        <source>0 is the machine that hosts the main process</source>
        <translation>0 ist die Maschine mit dem Hauptprozess</translation>
    </message>
    <message>
        <source>1 shards flat parameters, 2 each parameter for itself</source>
        <translation>1 teilt flache Parameter auf, 2 jeden Parameter für sich</translation>
    </message>
    <message>
        <source>1e8 is the usual value</source>
        <translation>Üblich ist 1e8</translation>
    </message>
    <message>
        <source>2 is the present one</source>
        <translation>2 ist die aktuelle</translation>
    </message>
    <message>
        <source>A DeepSpeed JSON with zero_optimization</source>
        <translation>Eine DeepSpeed-JSON-Datei mit zero_optimization</translation>
    </message>
    <message>
        <source>A copy of the model on each GPU of this machine (DDP), bf16</source>
        <translation>Eine Kopie des Modells auf jeder GPU dieser Maschine (DDP), bf16</translation>
    </message>
    <message>
        <source>A further option of sbatch, as in --sbatch_arg=--exclusive</source>
        <translation>Eine weitere Option von sbatch, z. B. --sbatch_arg=--exclusive</translation>
    </message>
    <message>
        <source>A job that was stopped does not go on later</source>
        <translation>Ein angehaltener Job wird später nicht fortgesetzt</translation>
    </message>
    <message>
        <source>A pod that gcloud reaches</source>
        <translation>Ein Pod, den gcloud erreicht</translation>
    </message>
    <message>
        <source>A section of ~/.aws/config</source>
        <translation>Ein Abschnitt von ~/.aws/config</translation>
    </message>
    <message>
        <source>A table with the columns channel and location</source>
        <translation>Eine Tabelle mit den Spalten channel und location</translation>
    </message>
    <message>
        <source>A table with the columns name and regex</source>
        <translation>Eine Tabelle mit den Spalten name und regex</translation>
    </message>
    <message>
        <source>AO: torchao, TE: Transformer Engine, MSAMP: MS-AMP</source>
        <translation>AO: torchao, TE: Transformer Engine, MSAMP: MS-AMP</translation>
    </message>
    <message>
        <source>AWS Trainium and Inferentia</source>
        <translation>AWS Trainium und Inferentia</translation>
    </message>
    <message>
        <source>AWS profile</source>
        <translation>AWS-Profil</translation>
    </message>
    <message>
        <source>Accelerate&apos;s usual one</source>
        <translation>Das von Accelerate übliche</translation>
    </message>
    <message>
        <source>Accelerators of this machine stay unused</source>
        <translation>Beschleuniger dieser Maschine bleiben ungenutzt</translation>
    </message>
    <message>
        <source>Access key</source>
        <translation>Zugriffsschlüssel</translation>
    </message>
    <message>
        <source>Access key of AWS, where there is no profile; better kept in ~/.aws or in the environment</source>
        <translation>AWS-Zugriffsschlüssel, falls es kein Profil gibt; besser in ~/.aws oder in der Umgebung aufbewahren</translation>
    </message>
    <message>
        <source>Access keys</source>
        <translation>Zugriffsschlüssel</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>Account that the job is charged to</source>
        <translation>Konto, dem der Job berechnet wird</translation>
    </message>
    <message>
        <source>Accumulation</source>
        <translation>Akkumulation</translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation>Akkumulationsschritte</translation>
    </message>
    <message>
        <source>Activation checkpointing</source>
        <translation>Activation Checkpointing</translation>
    </message>
    <message>
        <source>Address of one&apos;s own container image</source>
        <translation>Adresse eines eigenen Container-Images</translation>
    </message>
    <message>
        <source>Address of the main machine</source>
        <translation>Adresse der Hauptmaschine</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>Algorithmus</translation>
    </message>
    <message>
        <source>All at once, or around a ring</source>
        <translation>Alle auf einmal oder im Ring</translation>
    </message>
    <message>
        <source>All machines are in one local network and reach the main machine&apos;s port directly</source>
        <translation>Alle Maschinen sind in einem lokalen Netz und erreichen den Port der Hauptmaschine direkt</translation>
    </message>
    <message>
        <source>Amazon SageMaker</source>
        <translation>Amazon SageMaker</translation>
    </message>
    <message>
        <source>Amazon&apos;s kind of machine, e.g. ml.p3.2xlarge</source>
        <translation>Amazons Maschinentyp, z. B. ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>Amazon&apos;s region, e.g. us-east-1</source>
        <translation>Amazons Region, z. B. us-east-1</translation>
    </message>
    <message>
        <source>As gcloud lists it</source>
        <translation>Wie gcloud sie auflistet</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Average the loss over all tokens of a step instead of over micro batches</source>
        <translation>Loss über alle Token eines Schritts mitteln statt über Micro-Batches</translation>
    </message>
    <message>
        <source>Back end</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Backend of torch.compile; NO leaves the model as it is</source>
        <translation>Backend von torch.compile; NO lässt das Modell, wie es ist</translation>
    </message>
    <message>
        <source>Backward prefetch</source>
        <translation>Backward-Prefetch</translation>
    </message>
    <message>
        <source>Batch job</source>
        <translation>Batch-Job</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Before or after the gradients of the present one</source>
        <translation>Vor oder nach den Gradienten des aktuellen</translation>
    </message>
    <message>
        <source>Beginning of the job&apos;s name in SageMaker</source>
        <translation>Anfang des Jobnamens in SageMaker</translation>
    </message>
    <message>
        <source>Best inside one machine; divides the attention heads</source>
        <translation>Am besten innerhalb einer Maschine; teilt die Attention-Heads auf</translation>
    </message>
    <message>
        <source>Block scaling</source>
        <translation>Blockskalierung</translation>
    </message>
    <message>
        <source>Broadcast at the start</source>
        <translation>Broadcast beim Start</translation>
    </message>
    <message>
        <source>Build sharded</source>
        <translation>Aufgeteilt anlegen</translation>
    </message>
    <message>
        <source>Build the model already sharded (zero.Init), for models larger than one machine&apos;s memory</source>
        <translation>Das Modell gleich aufgeteilt anlegen (zero.Init), für Modelle, die größer sind als der Speicher einer Maschine</translation>
    </message>
    <message>
        <source>By layer class</source>
        <translation>Nach Layer-Klasse</translation>
    </message>
    <message>
        <source>By size</source>
        <translation>Nach Größe</translation>
    </message>
    <message>
        <source>CPU memory</source>
        <translation>CPU-Speicher</translation>
    </message>
    <message>
        <source>CPU offload</source>
        <translation>CPU-Offload</translation>
    </message>
    <message>
        <source>CPU only</source>
        <translation>Nur CPU</translation>
    </message>
    <message>
        <source>CPU smoke test</source>
        <translation>CPU-Funktionstest</translation>
    </message>
    <message>
        <source>Cambricon</source>
        <translation>Cambricon</translation>
    </message>
    <message>
        <source>Changing shapes</source>
        <translation>Wechselnde Formen</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Check everything and print the command and environment of every process; start nothing</source>
        <translation>Alles prüfen und Befehl und Umgebung jedes Prozesses ausgeben; nichts starten</translation>
    </message>
    <message>
        <source>Check operations</source>
        <translation>Operationen prüfen</translation>
    </message>
    <message>
        <source>Check that all processes call the same operations with matching shapes; slower</source>
        <translation>Prüfen, ob alle Prozesse dieselben Operationen mit passenden Formen aufrufen; langsamer</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Checkpoints to the CPU</source>
        <translation>Checkpoints auf die CPU</translation>
    </message>
    <message>
        <source>Choose attention kernels</source>
        <translation>Attention-Kernel wählen</translation>
    </message>
    <message>
        <source>Class names of layers with experts, separated by commas</source>
        <translation>Klassennamen von Layern mit Experten, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Class names of the layers to shard one by one, separated by commas; without it the model&apos;s own list</source>
        <translation>Klassennamen der Layer, die einzeln aufgeteilt werden, durch Kommas getrennt; sonst die Liste des Modells</translation>
    </message>
    <message>
        <source>Clip at</source>
        <translation>Begrenzen auf</translation>
    </message>
    <message>
        <source>Clip gradients</source>
        <translation>Gradienten begrenzen</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Command file</source>
        <translation>Befehlsdatei</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Commands in a script</source>
        <translation>Befehle in einem Skript</translation>
    </message>
    <message>
        <source>Commands that `tpu-config` runs on every worker</source>
        <translation>Befehle, die `tpu-config` auf jedem Worker ausführt</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Compile for shapes that change from step to step</source>
        <translation>Für Formen kompilieren, die sich von Schritt zu Schritt ändern</translation>
    </message>
    <message>
        <source>Compile layers</source>
        <translation>Layer kompilieren</translation>
    </message>
    <message>
        <source>Compile mode</source>
        <translation>Kompiliermodus</translation>
    </message>
    <message>
        <source>Compile the repeated layer once instead of the whole model: much shorter start</source>
        <translation>Den wiederholten Layer einmal statt des ganzen Modells kompilieren: viel kürzerer Start</translation>
    </message>
    <message>
        <source>Compile with</source>
        <translation>Kompilieren mit</translation>
    </message>
    <message>
        <source>Compute activations again in the backward pass instead of keeping them: less memory, slower</source>
        <translation>Aktivierungen im Rückwärtsdurchlauf neu berechnen statt aufbewahren: weniger Speicher, langsamer</translation>
    </message>
    <message>
        <source>Compute the attention&apos;s activations again in the backward pass: less memory</source>
        <translation>Aktivierungen der Attention im Rückwärtsdurchlauf neu berechnen: weniger Speicher</translation>
    </message>
    <message>
        <source>Compute the attention&apos;s softmax in single precision</source>
        <translation>Softmax der Attention in einfacher Genauigkeit berechnen</translation>
    </message>
    <message>
        <source>Container image</source>
        <translation>Container-Image</translation>
    </message>
    <message>
        <source>Context exchange</source>
        <translation>Kontextaustausch</translation>
    </message>
    <message>
        <source>Context parallel</source>
        <translation>Kontextparallel</translation>
    </message>
    <message>
        <source>Context-parallel library</source>
        <translation>Bibliothek für Kontextparallelität</translation>
    </message>
    <message>
        <source>Copies of the sharded model</source>
        <translation>Kopien des aufgeteilten Modells</translation>
    </message>
    <message>
        <source>Cores for each process of the job</source>
        <translation>Kerne für jeden Prozess des Jobs</translation>
    </message>
    <message>
        <source>Cores of a process</source>
        <translation>Kerne je Prozess</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>Datenparallel</translation>
    </message>
    <message>
        <source>Data-parallel copies (HSDP)</source>
        <translation>Datenparallele Kopien (HSDP)</translation>
    </message>
    <message>
        <source>Debug checks</source>
        <translation>Prüfungen zur Fehlersuche</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>DeepSpeed file</source>
        <translation>DeepSpeed-Datei</translation>
    </message>
    <message>
        <source>DeepSpeed shards everything and keeps optimizer states and weights in CPU memory, bf16</source>
        <translation>DeepSpeed teilt alles auf und hält Optimizer-Zustände und Gewichte im CPU-Speicher, bf16</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter, e.g. worker-0:0,2@worker-1</source>
        <translation>Filter von DeepSpeed, z. B. worker-0:0,2@worker-1</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter, e.g. worker-0:1@worker-2</source>
        <translation>Filter von DeepSpeed, z. B. worker-0:1@worker-2</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s filter: gpu-a@gpu-b:0,1</source>
        <translation>Filter von DeepSpeed: gpu-a@gpu-b:0,1</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s multi-node launcher</source>
        <translation>DeepSpeeds Starter für mehrere Maschinen</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s own JSON file; then the keys here that it also has must be left out</source>
        <translation>DeepSpeeds eigene JSON-Datei; Schlüssel, die auch dort stehen, müssen hier entfallen</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>Loslösen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Device library</source>
        <translation>Gerätebibliothek</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Devices of each node, as in gpu:4</source>
        <translation>Geräte jedes Knotens, z. B. gpu:4</translation>
    </message>
    <message>
        <source>Distributed optimizer</source>
        <translation>Verteilter Optimizer</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Do not print a trace when a process fails</source>
        <translation>Keinen Traceback ausgeben, wenn ein Prozess fehlschlägt</translation>
    </message>
    <message>
        <source>Double as bf16 too</source>
        <translation>Auch double als bf16</translation>
    </message>
    <message>
        <source>Dropout in attention</source>
        <translation>Dropout der Attention</translation>
    </message>
    <message>
        <source>Dropout of hidden states</source>
        <translation>Dropout der verborgenen Zustände</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Dynamic shapes</source>
        <translation>Dynamische Formen</translation>
    </message>
    <message>
        <source>EC2 type</source>
        <translation>EC2-Typ</translation>
    </message>
    <message>
        <source>Each process takes over the parameters of the first one when the model is wrapped</source>
        <translation>Beim Umhüllen des Modells übernimmt jeder Prozess die Parameter des ersten</translation>
    </message>
    <message>
        <source>Each unit is gathered and freed by itself</source>
        <translation>Jede Einheit wird für sich gesammelt und freigegeben</translation>
    </message>
    <message>
        <source>Else they are given here</source>
        <translation>Sonst werden sie hier angegeben</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Environment variables for the pod&apos;s machines, each as NAME=value</source>
        <translation>Umgebungsvariablen für die Maschinen des Pods, jeweils als NAME=Wert</translation>
    </message>
    <message>
        <source>Exchange of context</source>
        <translation>Austausch des Kontexts</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Expert parallel</source>
        <translation>Expertenparallel</translation>
    </message>
    <message>
        <source>FP8 in evaluation</source>
        <translation>FP8 bei der Auswertung</translation>
    </message>
    <message>
        <source>FP8 library</source>
        <translation>FP8-Bibliothek</translation>
    </message>
    <message>
        <source>FSDP 2 with recomputed activations and parameters in CPU memory, bf16</source>
        <translation>FSDP 2 mit neu berechneten Aktivierungen und Parametern im CPU-Speicher, bf16</translation>
    </message>
    <message>
        <source>FSDP group size</source>
        <translation>Größe der FSDP-Gruppe</translation>
    </message>
    <message>
        <source>Fails where a graph breaks</source>
        <translation>Schlägt fehl, wo ein Graph abbricht</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Features that the nodes must have</source>
        <translation>Merkmale, die die Knoten haben müssen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File of settings for this launch instead of the default one</source>
        <translation>Datei mit Einstellungen für diesen Start statt der üblichen</translation>
    </message>
    <message>
        <source>File whose lines `tpu-config` runs on every worker</source>
        <translation>Datei, deren Zeilen `tpu-config` auf jedem Worker ausführt</translation>
    </message>
    <message>
        <source>File with lines `host slots=N`</source>
        <translation>Datei mit Zeilen `host slots=N`</translation>
    </message>
    <message>
        <source>Fill matrices up to sizes that FP8 kernels can take</source>
        <translation>Matrizen auf Größen auffüllen, die FP8-Kernel verarbeiten können</translation>
    </message>
    <message>
        <source>Finds shapes that differ between processes; slower</source>
        <translation>Findet Formen, die sich zwischen Prozessen unterscheiden; langsamer</translation>
    </message>
    <message>
        <source>Folder for the output of the processes</source>
        <translation>Ordner für die Ausgaben der Prozesse</translation>
    </message>
    <message>
        <source>Folder on an NVMe disk for the optimizer state</source>
        <translation>Ordner auf einer NVMe-Platte für den Optimizer-Zustand</translation>
    </message>
    <message>
        <source>Folder on an NVMe disk for the parameters</source>
        <translation>Ordner auf einer NVMe-Platte für die Parameter</translation>
    </message>
    <message>
        <source>For example an installation</source>
        <translation>Zum Beispiel eine Installation</translation>
    </message>
    <message>
        <source>For example ml.g5.xlarge</source>
        <translation>Zum Beispiel ml.g5.xlarge</translation>
    </message>
    <message>
        <source>For example us-central1-a</source>
        <translation>Zum Beispiel us-central1-a</translation>
    </message>
    <message>
        <source>For inputs whose length changes</source>
        <translation>Für Eingaben wechselnder Länge</translation>
    </message>
    <message>
        <source>For long sequences</source>
        <translation>Für lange Sequenzen</translation>
    </message>
    <message>
        <source>For models larger than one GPU; stage 3 only</source>
        <translation>Für Modelle, die größer als eine GPU sind; nur Stufe 3</translation>
    </message>
    <message>
        <source>For models of transformers</source>
        <translation>Für Modelle von transformers</translation>
    </message>
    <message>
        <source>For several machines with MPI installed</source>
        <translation>Für mehrere Maschinen, auf denen MPI installiert ist</translation>
    </message>
    <message>
        <source>For the commands on the pod&apos;s machines</source>
        <translation>Für die Befehle auf den Maschinen des Pods</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Forward prefetch</source>
        <translation>Forward-Prefetch</translation>
    </message>
    <message>
        <source>Forward, input gradient or weight gradient</source>
        <translation>Vorwärts, Eingabegradient oder Gewichtsgradient</translation>
    </message>
    <message>
        <source>Free the gathered parameters after the forward pass: less memory, more communication</source>
        <translation>Gesammelte Parameter nach dem Vorwärtsdurchlauf freigeben: weniger Speicher, mehr Kommunikation</translation>
    </message>
    <message>
        <source>Frees GPU memory at the price of time</source>
        <translation>Gibt GPU-Speicher frei, kostet aber Zeit</translation>
    </message>
    <message>
        <source>Frees GPU memory, slower</source>
        <translation>Gibt GPU-Speicher frei, langsamer</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Vollständig</translation>
    </message>
    <message>
        <source>Full graph</source>
        <translation>Ganzer Graph</translation>
    </message>
    <message>
        <source>Function of the script that is started on TPU</source>
        <translation>Funktion des Skripts, die auf der TPU gestartet wird</translation>
    </message>
    <message>
        <source>Further arguments of SageMaker&apos;s estimator, e.g. max_run or use_spot_instances</source>
        <translation>Weitere Argumente von SageMakers Estimator, z. B. max_run oder use_spot_instances</translation>
    </message>
    <message>
        <source>Further option</source>
        <translation>Weitere Option</translation>
    </message>
    <message>
        <source>GPU ids</source>
        <translation>GPU-Nummern</translation>
    </message>
    <message>
        <source>Gather in FP8</source>
        <translation>In FP8 sammeln</translation>
    </message>
    <message>
        <source>Gather the next parameters during the forward pass; only for models whose order never changes</source>
        <translation>Die nächsten Parameter während des Vorwärtsdurchlaufs sammeln; nur für Modelle, deren Reihenfolge sich nie ändert</translation>
    </message>
    <message>
        <source>Gather the weights in 16 bits when the model is saved</source>
        <translation>Gewichte beim Speichern des Modells in 16 Bit sammeln</translation>
    </message>
    <message>
        <source>Gathers the shards when the model is saved</source>
        <translation>Sammelt die Shards, wenn das Modell gespeichert wird</translation>
    </message>
    <message>
        <source>Global L2 norm</source>
        <translation>Globale L2-Norm</translation>
    </message>
    <message>
        <source>Google TPU through XLA</source>
        <translation>Google TPU über XLA</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>Gradientenbegrenzung</translation>
    </message>
    <message>
        <source>Gradients and optimizer</source>
        <translation>Gradienten und Optimizer</translation>
    </message>
    <message>
        <source>Groups of layers that work one behind the other</source>
        <translation>Gruppen von Layern, die hintereinander arbeiten</translation>
    </message>
    <message>
        <source>HPU ids</source>
        <translation>HPU-Nummern</translation>
    </message>
    <message>
        <source>HYBRID: E4M3 forward, E5M2 for gradients</source>
        <translation>HYBRID: E4M3 vorwärts, E5M2 für Gradienten</translation>
    </message>
    <message>
        <source>HYBRID: E4M3 forwards and E5M2 backwards</source>
        <translation>HYBRID: E4M3 vorwärts und E5M2 rückwärts</translation>
    </message>
    <message>
        <source>Half the traffic of bf16</source>
        <translation>Halb so viel Übertragung wie bf16</translation>
    </message>
    <message>
        <source>Hand the run to SLURM as a batch job, and follow it</source>
        <translation>Den Lauf als Batch-Job an SLURM übergeben und verfolgen</translation>
    </message>
    <message>
        <source>Higher precision</source>
        <translation>Höhere Genauigkeit</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>History length</source>
        <translation>Länge des Verlaufs</translation>
    </message>
    <message>
        <source>Host file</source>
        <translation>Host-Datei</translation>
    </message>
    <message>
        <source>Host name or IP address that all machines reach</source>
        <translation>Hostname oder IP-Adresse, die alle Maschinen erreichen</translation>
    </message>
    <message>
        <source>Host name or address of the machine with rank 0</source>
        <translation>Hostname oder Adresse der Maschine mit Rank 0</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Hosts for mpirun; with it the processes are started by mpirun</source>
        <translation>Hosts für mpirun; damit werden die Prozesse von mpirun gestartet</translation>
    </message>
    <message>
        <source>Hosts left out</source>
        <translation>Ausgelassene Hosts</translation>
    </message>
    <message>
        <source>Hosts taken</source>
        <translation>Verwendete Hosts</translation>
    </message>
    <message>
        <source>Hosts to start on over SSH, each with its number of processes if wanted: gpu-a,gpu-b:2</source>
        <translation>Hosts, auf denen über SSH gestartet wird, auf Wunsch mit der Zahl ihrer Prozesse: gpu-a,gpu-b:2</translation>
    </message>
    <message>
        <source>How DeepSpeed starts the other machines</source>
        <translation>Wie DeepSpeed die anderen Maschinen startet</translation>
    </message>
    <message>
        <source>How SageMaker spreads the work over devices</source>
        <translation>Wie SageMaker die Arbeit auf Geräte verteilt</translation>
    </message>
    <message>
        <source>How often all processes are started again when one fails</source>
        <translation>Wie oft alle Prozesse neu gestartet werden, wenn einer fehlschlägt</translation>
    </message>
    <message>
        <source>How often the scaling factor is computed</source>
        <translation>Wie oft der Skalierungsfaktor berechnet wird</translation>
    </message>
    <message>
        <source>How the machines find each other: `static`, `c10d` or another of torchrun&apos;s</source>
        <translation>Wie die Maschinen einander finden: `static`, `c10d` oder ein anderes Verfahren von torchrun</translation>
    </message>
    <message>
        <source>How the machines find each other: static, c10d, etcd</source>
        <translation>Wie die Maschinen einander finden: static, c10d, etcd</translation>
    </message>
    <message>
        <source>How the work is spread over processes and devices</source>
        <translation>Wie die Arbeit auf Prozesse und Geräte verteilt wird</translation>
    </message>
    <message>
        <source>Huawei Ascend</source>
        <translation>Huawei Ascend</translation>
    </message>
    <message>
        <source>Hybrid</source>
        <translation>Hybrid</translation>
    </message>
    <message>
        <source>Hybrid, ZeRO-2</source>
        <translation>Hybrid, ZeRO-2</translation>
    </message>
    <message>
        <source>IAM role</source>
        <translation>IAM-Rolle</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>In ECR, with its tag</source>
        <translation>In ECR, mit Tag</translation>
    </message>
    <message>
        <source>In higher precision than FP8</source>
        <translation>In höherer Genauigkeit als FP8</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Einschließen</translation>
    </message>
    <message>
        <source>Input channels</source>
        <translation>Eingabekanäle</translation>
    </message>
    <message>
        <source>Input gradient</source>
        <translation>Eingabegradient</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Instance type</source>
        <translation>Instanztyp</translation>
    </message>
    <message>
        <source>Intel GPUs</source>
        <translation>Intel-GPUs</translation>
    </message>
    <message>
        <source>Intel Gaudi</source>
        <translation>Intel Gaudi</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>It must be allowed to use SageMaker, S3, ECR and logs</source>
        <translation>Sie muss SageMaker, S3, ECR und Protokolle verwenden dürfen</translation>
    </message>
    <message>
        <source>It must be installed where the training runs</source>
        <translation>Sie muss dort installiert sein, wo das Training läuft</translation>
    </message>
    <message>
        <source>Job name</source>
        <translation>Jobname</translation>
    </message>
    <message>
        <source>Keep each process on the processor cores that are next to its device</source>
        <translation>Jeden Prozess auf den Prozessorkernen halten, die seinem Gerät am nächsten sind</translation>
    </message>
    <message>
        <source>Keep optimizer state and main parameters in formats of fewer bits</source>
        <translation>Optimizer-Zustand und Hauptparameter in Formaten mit weniger Bits halten</translation>
    </message>
    <message>
        <source>Keep parameters and gradients in the main memory; much slower</source>
        <translation>Parameter und Gradienten im Hauptspeicher halten; viel langsamer</translation>
    </message>
    <message>
        <source>Keep the activations that checkpointing saves in the main memory</source>
        <translation>Aktivierungen, die das Checkpointing aufbewahrt, im Hauptspeicher halten</translation>
    </message>
    <message>
        <source>Keep the optimizer state in the main memory and step there</source>
        <translation>Optimizer-Zustand im Hauptspeicher halten und dort aktualisieren</translation>
    </message>
    <message>
        <source>Kind of device to train on: cpu, cuda, or the one that a library brings, e.g. npu</source>
        <translation>Art des Geräts, auf dem trainiert wird: cpu, cuda oder das einer Bibliothek, z. B. npu</translation>
    </message>
    <message>
        <source>Largest model on this machine</source>
        <translation>Größtes Modell auf dieser Maschine</translation>
    </message>
    <message>
        <source>Largest norm of the gradient; 0 is off</source>
        <translation>Größte Norm des Gradienten; 0 ist aus</translation>
    </message>
    <message>
        <source>Largest norm of the gradient; `auto` leaves it to the script</source>
        <translation>Größte Norm des Gradienten; `auto` überlässt sie dem Skript</translation>
    </message>
    <message>
        <source>Largest value of the history, or the newest one</source>
        <translation>Größter Wert des Verlaufs oder der neueste</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>Starter</translation>
    </message>
    <message>
        <source>Layer classes</source>
        <translation>Layer-Klassen</translation>
    </message>
    <message>
        <source>Layers in the last pipeline stage; without it all stages have as many</source>
        <translation>Layer der letzten Pipeline-Stufe; sonst haben alle Stufen gleich viele</translation>
    </message>
    <message>
        <source>Layers of a group (`uniform`) or of a stage (`block`)</source>
        <translation>Layer einer Gruppe (`uniform`) oder einer Stufe (`block`)</translation>
    </message>
    <message>
        <source>Layers of the last stage</source>
        <translation>Layer der letzten Stufe</translation>
    </message>
    <message>
        <source>Least parameters</source>
        <translation>Mindestzahl der Parameter</translation>
    </message>
    <message>
        <source>Leave nothing of a program&apos;s run behind: no logs, no curves</source>
        <translation>Vom Lauf eines Programms nichts hinterlassen: keine Protokolle, keine Kurven</translation>
    </message>
    <message>
        <source>Leave the optimizer state out when a checkpoint is loaded</source>
        <translation>Beim Laden eines Checkpoints den Optimizer-Zustand auslassen</translation>
    </message>
    <message>
        <source>Leave the optimizer state out when a checkpoint is saved</source>
        <translation>Beim Speichern eines Checkpoints den Optimizer-Zustand auslassen</translation>
    </message>
    <message>
        <source>Leave the token that ends a document out of the loss</source>
        <translation>Das Token am Ende eines Dokuments nicht in den Loss einrechnen</translation>
    </message>
    <message>
        <source>Length changes</source>
        <translation>Wechselnde Länge</translation>
    </message>
    <message>
        <source>Length of all sequences, where it does not change; a multiple of the sequence-parallel size</source>
        <translation>Länge aller Sequenzen, wenn sie sich nicht ändert; ein Vielfaches der Sequenzparallelität</translation>
    </message>
    <message>
        <source>Less memory for little time</source>
        <translation>Weniger Speicher für wenig Zeit</translation>
    </message>
    <message>
        <source>Let Megatron choose the attention kernel (flash, fused, unfused)</source>
        <translation>Megatron den Attention-Kernel wählen lassen (flash, fused, unfused)</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Limits the global norm</source>
        <translation>Begrenzt die globale Norm</translation>
    </message>
    <message>
        <source>Linear layers without FP8</source>
        <translation>Lineare Layer ohne FP8</translation>
    </message>
    <message>
        <source>Lines such as `gpu-a slots=8`</source>
        <translation>Zeilen wie `gpu-a slots=8`</translation>
    </message>
    <message>
        <source>Load once</source>
        <translation>Einmal laden</translation>
    </message>
    <message>
        <source>Local</source>
        <translation>Lokal</translation>
    </message>
    <message>
        <source>Log folder</source>
        <translation>Protokollordner</translation>
    </message>
    <message>
        <source>Longer is steadier</source>
        <translation>Länger ist gleichmäßiger</translation>
    </message>
    <message>
        <source>Look at everything on all machines that a start needs, print it as a table, start nothing</source>
        <translation>Alles ansehen, was ein Start auf allen Maschinen braucht, als Tabelle ausgeben, nichts starten</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Beobachtung</translation>
    </message>
    <message>
        <source>Loss per token</source>
        <translation>Loss je Token</translation>
    </message>
    <message>
        <source>MLU ids</source>
        <translation>MLU-Nummern</translation>
    </message>
    <message>
        <source>MUSA ids</source>
        <translation>MUSA-Nummern</translation>
    </message>
    <message>
        <source>Machine rank</source>
        <translation>Rank der Maschine</translation>
    </message>
    <message>
        <source>Machine type</source>
        <translation>Maschinentyp</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Machines that take part</source>
        <translation>Beteiligte Maschinen</translation>
    </message>
    <message>
        <source>Main address</source>
        <translation>Hauptadresse</translation>
    </message>
    <message>
        <source>Main function</source>
        <translation>Hauptfunktion</translation>
    </message>
    <message>
        <source>Main port</source>
        <translation>Hauptport</translation>
    </message>
    <message>
        <source>Many CPUs</source>
        <translation>Mehrere CPUs</translation>
    </message>
    <message>
        <source>Many GPUs</source>
        <translation>Mehrere GPUs</translation>
    </message>
    <message>
        <source>Many HPUs</source>
        <translation>Mehrere HPUs</translation>
    </message>
    <message>
        <source>Many MLUs</source>
        <translation>Mehrere MLUs</translation>
    </message>
    <message>
        <source>Many MUSAs</source>
        <translation>Mehrere MUSAs</translation>
    </message>
    <message>
        <source>Many NPUs</source>
        <translation>Mehrere NPUs</translation>
    </message>
    <message>
        <source>Many Neuron cores</source>
        <translation>Mehrere Neuron-Kerne</translation>
    </message>
    <message>
        <source>Many SDAAs</source>
        <translation>Mehrere SDAAs</translation>
    </message>
    <message>
        <source>Many XPUs</source>
        <translation>Mehrere XPUs</translation>
    </message>
    <message>
        <source>Many hosts</source>
        <translation>Mehrere Hosts</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>Megatron&apos;s FSDP</source>
        <translation>Megatrons FSDP</translation>
    </message>
    <message>
        <source>Megatron-LM</source>
        <translation>Megatron-LM</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>Mesh</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Metrics are usually better without</source>
        <translation>Ohne sind die Metriken meist besser</translation>
    </message>
    <message>
        <source>Micro batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>Micro batches of one optimizer step</source>
        <translation>Micro-Batches eines Optimizer-Schritts</translation>
    </message>
    <message>
        <source>Micro steps whose gradients make one optimizer step; `auto` leaves it to the script</source>
        <translation>Micro-Schritte, deren Gradienten einen Optimizer-Schritt ergeben; `auto` überlässt es dem Skript</translation>
    </message>
    <message>
        <source>Microsoft</source>
        <translation>Microsoft</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>Gemischte Genauigkeit</translation>
    </message>
    <message>
        <source>Mixture-of-experts layers</source>
        <translation>Mixture-of-Experts-Layer</translation>
    </message>
    <message>
        <source>MoE layers</source>
        <translation>MoE-Layer</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Mode, full graph, dynamic shapes, regions</source>
        <translation>Modus, ganzer Graph, dynamische Formen, Regionen</translation>
    </message>
    <message>
        <source>Model&apos;s own layers</source>
        <translation>Layer des Modells</translation>
    </message>
    <message>
        <source>Models of transformers name theirs</source>
        <translation>Modelle von transformers nennen ihre</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Modules left out</source>
        <translation>Ausgelassene Module</translation>
    </message>
    <message>
        <source>Modules with at least so many parameters are units</source>
        <translation>Module mit mindestens so vielen Parametern sind Einheiten</translation>
    </message>
    <message>
        <source>Moore Threads</source>
        <translation>Moore Threads</translation>
    </message>
    <message>
        <source>More arguments</source>
        <translation>Weitere Argumente</translation>
    </message>
    <message>
        <source>More fill the pipeline better</source>
        <translation>Mehr füllen die Pipeline besser</translation>
    </message>
    <message>
        <source>More than 1 for training across hosts</source>
        <translation>Mehr als 1 für Training über Hosts hinweg</translation>
    </message>
    <message>
        <source>Move gradients and parameters while the optimizer on the CPU steps</source>
        <translation>Gradienten und Parameter übertragen, während der Optimizer auf der CPU rechnet</translation>
    </message>
    <message>
        <source>Much shorter compilation for stacked layers</source>
        <translation>Viel kürzeres Kompilieren bei gestapelten Layern</translation>
    </message>
    <message>
        <source>NAME=value, with commas</source>
        <translation>NAME=Wert, mit Kommas</translation>
    </message>
    <message>
        <source>NEURON cores</source>
        <translation>NEURON-Kerne</translation>
    </message>
    <message>
        <source>NPU ids</source>
        <translation>NPU-Nummern</translation>
    </message>
    <message>
        <source>NUMA affinity</source>
        <translation>NUMA-Affinität</translation>
    </message>
    <message>
        <source>NVMe disk</source>
        <translation>NVMe-Platte</translation>
    </message>
    <message>
        <source>NVMe for the optimizer state</source>
        <translation>NVMe für den Optimizer-Zustand</translation>
    </message>
    <message>
        <source>NVMe for the parameters</source>
        <translation>NVMe für die Parameter</translation>
    </message>
    <message>
        <source>Name of a function of the script</source>
        <translation>Name einer Funktion des Skripts</translation>
    </message>
    <message>
        <source>Name of the TPU in Google Cloud</source>
        <translation>Name der TPU in Google Cloud</translation>
    </message>
    <message>
        <source>Name of the profile in ~/.aws; without it, an access key is needed</source>
        <translation>Name des Profils in ~/.aws; ohne es wird ein Zugriffsschlüssel benötigt</translation>
    </message>
    <message>
        <source>Name of the workers in torchrun&apos;s messages</source>
        <translation>Name der Worker in den Meldungen von torchrun</translation>
    </message>
    <message>
        <source>Name under which the machines of a job find each other</source>
        <translation>Name, unter dem die Maschinen eines Jobs einander finden</translation>
    </message>
    <message>
        <source>Named nodes</source>
        <translation>Bestimmte Knoten</translation>
    </message>
    <message>
        <source>Names of the machines of a TPU pod</source>
        <translation>Namen der Maschinen eines TPU-Pods</translation>
    </message>
    <message>
        <source>Names the machines, one a line</source>
        <translation>Nennt die Maschinen, eine je Zeile</translation>
    </message>
    <message>
        <source>Needed for different learning rates and torch.compile</source>
        <translation>Nötig für verschiedene Lernraten und torch.compile</translation>
    </message>
    <message>
        <source>Needed when processes could start with different weights</source>
        <translation>Nötig, wenn Prozesse mit verschiedenen Gewichten beginnen könnten</translation>
    </message>
    <message>
        <source>Neuron core ids</source>
        <translation>Nummern der Neuron-Kerne</translation>
    </message>
    <message>
        <source>No Python</source>
        <translation>Ohne Python</translation>
    </message>
    <message>
        <source>No loss at document ends</source>
        <translation>Kein Loss an Dokumentenden</translation>
    </message>
    <message>
        <source>No pod</source>
        <translation>Kein Pod</translation>
    </message>
    <message>
        <source>No requeue</source>
        <translation>Nicht wieder einreihen</translation>
    </message>
    <message>
        <source>No run folder</source>
        <translation>Kein Laufordner</translation>
    </message>
    <message>
        <source>No when they are in different networks or in a cloud</source>
        <translation>Nein, wenn sie in verschiedenen Netzen oder in einer Cloud sind</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Nodes of the job</source>
        <translation>Knoten des Jobs</translation>
    </message>
    <message>
        <source>Nodes that the job must have</source>
        <translation>Knoten, die der Job haben muss</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Not ahead</source>
        <translation>Nicht im Voraus</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>Gar nicht</translation>
    </message>
    <message>
        <source>Not its ARN</source>
        <translation>Nicht ihr ARN</translation>
    </message>
    <message>
        <source>Not on all workers of a pod: what a pod&apos;s worker is started with</source>
        <translation>Nicht auf allen Workern eines Pods: womit der Worker eines Pods gestartet wird</translation>
    </message>
    <message>
        <source>Nowhere</source>
        <translation>Nirgends</translation>
    </message>
    <message>
        <source>Number format of the computation; weights stay in their own format</source>
        <translation>Zahlenformat der Berechnung; Gewichte bleiben in ihrem eigenen Format</translation>
    </message>
    <message>
        <source>Number format of the matrix products</source>
        <translation>Zahlenformat der Matrixprodukte</translation>
    </message>
    <message>
        <source>Number of this machine</source>
        <translation>Nummer dieser Maschine</translation>
    </message>
    <message>
        <source>O1: FP8 gradients, O2: also FP8 optimizer state</source>
        <translation>O1: Gradienten in FP8, O2: auch Optimizer-Zustand in FP8</translation>
    </message>
    <message>
        <source>O2 keeps optimizer states in 8 bits too</source>
        <translation>O2 hält auch Optimizer-Zustände in 8 Bit</translation>
    </message>
    <message>
        <source>Of that EC2 type</source>
        <translation>Von diesem EC2-Typ</translation>
    </message>
    <message>
        <source>Offload to the CPU</source>
        <translation>Auf die CPU auslagern</translation>
    </message>
    <message>
        <source>On TPU with bf16: also compute double precision in bf16; else double becomes single precision</source>
        <translation>Auf TPU mit bf16: auch doppelte Genauigkeit in bf16 rechnen; sonst wird double zu einfacher Genauigkeit</translation>
    </message>
    <message>
        <source>On a fast local disk</source>
        <translation>Auf einer schnellen lokalen Platte</translation>
    </message>
    <message>
        <source>On machines of one&apos;s own or on Amazon SageMaker</source>
        <translation>Auf eigenen Maschinen oder in Amazon SageMaker</translation>
    </message>
    <message>
        <source>One GPU</source>
        <translation>Eine GPU</translation>
    </message>
    <message>
        <source>One a line</source>
        <translation>Einer je Zeile</translation>
    </message>
    <message>
        <source>One device</source>
        <translation>Ein Gerät</translation>
    </message>
    <message>
        <source>One graph</source>
        <translation>Ein Graph</translation>
    </message>
    <message>
        <source>One network</source>
        <translation>Ein Netz</translation>
    </message>
    <message>
        <source>One process for each accelerator, of any maker</source>
        <translation>Ein Prozess je Beschleuniger, gleich welchen Herstellers</translation>
    </message>
    <message>
        <source>One process for each device, counted over all machines</source>
        <translation>Ein Prozess je Gerät, über alle Maschinen gezählt</translation>
    </message>
    <message>
        <source>One process on one GPU, bf16</source>
        <translation>Ein Prozess auf einer GPU, bf16</translation>
    </message>
    <message>
        <source>One scale per block of 32 values (MXFP8)</source>
        <translation>Eine Skalierung je Block von 32 Werten (MXFP8)</translation>
    </message>
    <message>
        <source>One that exists</source>
        <translation>Eine, die es gibt</translation>
    </message>
    <message>
        <source>Only for models whose order never changes</source>
        <translation>Nur für Modelle, deren Reihenfolge sich nie ändert</translation>
    </message>
    <message>
        <source>Only the first process reads the weights, the others receive them; saves main memory</source>
        <translation>Nur der erste Prozess liest die Gewichte, die anderen erhalten sie; spart Hauptspeicher</translation>
    </message>
    <message>
        <source>Open MPI</source>
        <translation>Open MPI</translation>
    </message>
    <message>
        <source>Optimisation level</source>
        <translation>Optimierungsstufe</translation>
    </message>
    <message>
        <source>Optimizer folder</source>
        <translation>Optimizer-Ordner</translation>
    </message>
    <message>
        <source>Optimizer offload</source>
        <translation>Optimizer-Offload</translation>
    </message>
    <message>
        <source>Optimizer on the CPU</source>
        <translation>Optimizer auf der CPU</translation>
    </message>
    <message>
        <source>Optimizer state in</source>
        <translation>Optimizer-Zustand in</translation>
    </message>
    <message>
        <source>Original parameters</source>
        <translation>Ursprüngliche Parameter</translation>
    </message>
    <message>
        <source>Output that goes to the log folder only: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source>
        <translation>Ausgabe, die nur in den Protokollordner geht: 0 keine, 1 stdout, 2 stderr, 3 beide, oder `Rank:Zahl,...`</translation>
    </message>
    <message>
        <source>Output that is shown as well as logged: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`</source>
        <translation>Ausgabe, die gezeigt und protokolliert wird: 0 keine, 1 stdout, 2 stderr, 3 beide, oder `Rank:Zahl,...`</translation>
    </message>
    <message>
        <source>Overlap transfers</source>
        <translation>Übertragungen überlappen</translation>
    </message>
    <message>
        <source>Own compile options</source>
        <translation>Eigene Kompilieroptionen</translation>
    </message>
    <message>
        <source>Pad</source>
        <translation>Auffüllen</translation>
    </message>
    <message>
        <source>Pad inner dimension</source>
        <translation>Innere Dimension auffüllen</translation>
    </message>
    <message>
        <source>Parameter folder</source>
        <translation>Parameter-Ordner</translation>
    </message>
    <message>
        <source>Parameter offload</source>
        <translation>Parameter-Offload</translation>
    </message>
    <message>
        <source>Parameters in</source>
        <translation>Parameter in</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partition</translation>
    </message>
    <message>
        <source>Partition of the cluster</source>
        <translation>Partition des Clusters</translation>
    </message>
    <message>
        <source>Parts of a batch on their way in the pipeline</source>
        <translation>Teile eines Batches auf ihrem Weg durch die Pipeline</translation>
    </message>
    <message>
        <source>Pins processes to the cores beside their GPU; NVIDIA only</source>
        <translation>Bindet Prozesse an die Kerne neben ihrer GPU; nur NVIDIA</translation>
    </message>
    <message>
        <source>Pipeline parallel</source>
        <translation>Pipeline-parallel</translation>
    </message>
    <message>
        <source>Place of this machine among all, from 0; the machine with 0 hosts the main process</source>
        <translation>Platz dieser Maschine unter allen, ab 0; die Maschine mit 0 hat den Hauptprozess</translation>
    </message>
    <message>
        <source>Port of the main machine</source>
        <translation>Port der Hauptmaschine</translation>
    </message>
    <message>
        <source>Port on which the processes meet; 0 picks a free one</source>
        <translation>Port, an dem sich die Prozesse treffen; 0 wählt einen freien</translation>
    </message>
    <message>
        <source>Powers of two by which the scale stays below the largest value</source>
        <translation>Zweierpotenzen, um die die Skalierung unter dem größten Wert bleibt</translation>
    </message>
    <message>
        <source>Powers of two kept free above the largest value</source>
        <translation>Zweierpotenzen, die über dem größten Wert frei bleiben</translation>
    </message>
    <message>
        <source>Precision-aware optimizer</source>
        <translation>Genauigkeitsbewusster Optimizer</translation>
    </message>
    <message>
        <source>Print for programs</source>
        <translation>Ausgabe für Programme</translation>
    </message>
    <message>
        <source>Processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>Processes of a node</source>
        <translation>Prozesse eines Knotens</translation>
    </message>
    <message>
        <source>Processes of this machine whose output is shown, as in `0,2`; without it all</source>
        <translation>Prozesse dieser Maschine, deren Ausgabe gezeigt wird, z. B. `0,2`; sonst alle</translation>
    </message>
    <message>
        <source>Processes on each node of the job</source>
        <translation>Prozesse auf jedem Knoten des Jobs</translation>
    </message>
    <message>
        <source>Processes over all machines together, one for each device</source>
        <translation>Prozesse aller Maschinen zusammen, einer je Gerät</translation>
    </message>
    <message>
        <source>Processes that parameters are sharded over</source>
        <translation>Prozesse, auf die Parameter aufgeteilt werden</translation>
    </message>
    <message>
        <source>Processes that share a matrix product</source>
        <translation>Prozesse, die sich ein Matrixprodukt teilen</translation>
    </message>
    <message>
        <source>Processes that share each expert</source>
        <translation>Prozesse, die sich jeden Experten teilen</translation>
    </message>
    <message>
        <source>Processes that share each layer</source>
        <translation>Prozesse, die sich jeden Layer teilen</translation>
    </message>
    <message>
        <source>Processes that share each sequence</source>
        <translation>Prozesse, die sich jede Sequenz teilen</translation>
    </message>
    <message>
        <source>Processes that share each sequence by ring attention</source>
        <translation>Prozesse, die sich jede Sequenz mit Ring-Attention teilen</translation>
    </message>
    <message>
        <source>Processes that share each sequence, with attention split by heads (Ulysses)</source>
        <translation>Prozesse, die sich jede Sequenz teilen, Attention nach Heads geteilt (Ulysses)</translation>
    </message>
    <message>
        <source>Processes that the experts are spread over</source>
        <translation>Prozesse, auf die die Experten verteilt werden</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python scripts only; the bundled engine needs no compiler</source>
        <translation>Nur Python-Skripte; die mitgelieferte Engine braucht keinen Compiler</translation>
    </message>
    <message>
        <source>Quality of service</source>
        <translation>Dienstgüte</translation>
    </message>
    <message>
        <source>Quality of service of the job</source>
        <translation>Dienstgüte des Jobs</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Quiet</source>
        <translation>Still</translation>
    </message>
    <message>
        <source>RAM-efficient loading</source>
        <translation>RAM-sparendes Laden</translation>
    </message>
    <message>
        <source>Recipe key</source>
        <translation>Rezeptschlüssel</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>Aktivierungen neu berechnen</translation>
    </message>
    <message>
        <source>Recompute how</source>
        <translation>Wie neu berechnen</translation>
    </message>
    <message>
        <source>Recompute layers</source>
        <translation>Layer neu berechnen</translation>
    </message>
    <message>
        <source>Recompute what</source>
        <translation>Was neu berechnen</translation>
    </message>
    <message>
        <source>Recomputes activations: less memory, a third more time</source>
        <translation>Berechnet Aktivierungen neu: weniger Speicher, ein Drittel mehr Zeit</translation>
    </message>
    <message>
        <source>Redirected output</source>
        <translation>Umgeleitete Ausgabe</translation>
    </message>
    <message>
        <source>Refuse models that do not compile as one graph</source>
        <translation>Modelle ablehnen, die sich nicht als ein Graph kompilieren lassen</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Regional compilation</source>
        <translation>Regionales Kompilieren</translation>
    </message>
    <message>
        <source>Regular expression; modules whose whole name matches are not sharded</source>
        <translation>Regulärer Ausdruck; Module, deren ganzer Name passt, werden nicht aufgeteilt</translation>
    </message>
    <message>
        <source>Rendezvous</source>
        <translation>Rendezvous</translation>
    </message>
    <message>
        <source>Rendezvous name</source>
        <translation>Rendezvous-Name</translation>
    </message>
    <message>
        <source>Rendezvous settings</source>
        <translation>Rendezvous-Einstellungen</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Replicas, shards, tensor and context parallelism together</source>
        <translation>Replikate, Shards, Tensor- und Kontextparallelität zusammen</translation>
    </message>
    <message>
        <source>Reshard after forward</source>
        <translation>Nach dem Vorwärtsdurchlauf wieder aufteilen</translation>
    </message>
    <message>
        <source>Restarts</source>
        <translation>Neustarts</translation>
    </message>
    <message>
        <source>Return as soon as the processes run</source>
        <translation>Zurückkehren, sobald die Prozesse laufen</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Role name</source>
        <translation>Rollenname</translation>
    </message>
    <message>
        <source>Role that SageMaker works with</source>
        <translation>Rolle, mit der SageMaker arbeitet</translation>
    </message>
    <message>
        <source>Rotary positions</source>
        <translation>Rotary-Positionen</translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation>Laufordner</translation>
    </message>
    <message>
        <source>Run the commands on the pod&apos;s workers with sudo</source>
        <translation>Die Befehle auf den Workern des Pods mit sudo ausführen</translation>
    </message>
    <message>
        <source>SDAA ids</source>
        <translation>SDAA-Nummern</translation>
    </message>
    <message>
        <source>SageMaker&apos;s own data parallelism</source>
        <translation>SageMakers eigene Datenparallelität</translation>
    </message>
    <message>
        <source>Same network</source>
        <translation>Gleiches Netz</translation>
    </message>
    <message>
        <source>Save 16-bit weights</source>
        <translation>16-Bit-Gewichte speichern</translation>
    </message>
    <message>
        <source>Scale from</source>
        <translation>Skalierung aus</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>Seconds between two looks at the processes</source>
        <translation>Sekunden zwischen zwei Blicken auf die Prozesse</translation>
    </message>
    <message>
        <source>Secret key</source>
        <translation>Geheimer Schlüssel</translation>
    </message>
    <message>
        <source>Secret key of AWS; everybody on this machine sees it among the processes, so better use a profile</source>
        <translation>Geheimer AWS-Schlüssel; auf dieser Maschine sieht ihn jeder in der Prozessliste, besser ein Profil verwenden</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>Sequenzparallel</translation>
    </message>
    <message>
        <source>Sequence-parallel library</source>
        <translation>Bibliothek für Sequenzparallelität</translation>
    </message>
    <message>
        <source>Sequences differ in length from batch to batch</source>
        <translation>Sequenzen sind von Batch zu Batch verschieden lang</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>Settings of the rendezvous, as in `timeout=900,read=60`</source>
        <translation>Einstellungen des Rendezvous, z. B. `timeout=900,read=60`</translation>
    </message>
    <message>
        <source>Several devices</source>
        <translation>Mehrere Geräte</translation>
    </message>
    <message>
        <source>Shard parameters with Megatron&apos;s own FSDP</source>
        <translation>Parameter mit Megatrons eigenem FSDP aufteilen</translation>
    </message>
    <message>
        <source>Sharded</source>
        <translation>Aufgeteilt</translation>
    </message>
    <message>
        <source>Sharded is faster; full is one file</source>
        <translation>Aufgeteilt ist schneller; vollständig ist eine Datei</translation>
    </message>
    <message>
        <source>Sharding strategy</source>
        <translation>Strategie der Aufteilung</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>Shards optimizer states over data-parallel processes</source>
        <translation>Teilt Optimizer-Zustände auf datenparallele Prozesse auf</translation>
    </message>
    <message>
        <source>Shards optimizer states, gradients and weights; offloads them</source>
        <translation>Teilt Optimizer-Zustände, Gradienten und Gewichte auf; lagert sie aus</translation>
    </message>
    <message>
        <source>Share of attention weights left out</source>
        <translation>Anteil der ausgelassenen Attention-Gewichte</translation>
    </message>
    <message>
        <source>Share of hidden values left out</source>
        <translation>Anteil der ausgelassenen verborgenen Werte</translation>
    </message>
    <message>
        <source>Shared library that brings a device to LibTorch (a PrivateUse1 back end); else TRAINYARD_DEVICE_LIBRARY</source>
        <translation>Bibliothek, die LibTorch ein Gerät bringt (ein Backend PrivateUse1); sonst TRAINYARD_DEVICE_LIBRARY</translation>
    </message>
    <message>
        <source>Show output</source>
        <translation>Ausgabe zeigen</translation>
    </message>
    <message>
        <source>Show the optimizer the model&apos;s own parameters, so that groups and frozen layers work</source>
        <translation>Dem Optimizer die Parameter des Modells selbst zeigen, damit Gruppen und eingefrorene Layer funktionieren</translation>
    </message>
    <message>
        <source>Shown processes</source>
        <translation>Gezeigte Prozesse</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Softmax in fp32</source>
        <translation>Softmax in fp32</translation>
    </message>
    <message>
        <source>Splits norms and dropout along the sequence</source>
        <translation>Teilt Normen und Dropout entlang der Sequenz</translation>
    </message>
    <message>
        <source>Spread norms and dropout over the tensor-parallel processes</source>
        <translation>Normen und Dropout auf die tensorparallelen Prozesse verteilen</translation>
    </message>
    <message>
        <source>Spread the optimizer state over the data-parallel processes</source>
        <translation>Optimizer-Zustand auf die datenparallelen Prozesse verteilen</translation>
    </message>
    <message>
        <source>Stages that the layers are spread over</source>
        <translation>Stufen, auf die die Layer verteilt werden</translation>
    </message>
    <message>
        <source>Start-up commands</source>
        <translation>Befehle beim Start</translation>
    </message>
    <message>
        <source>State dict</source>
        <translation>State-Dict</translation>
    </message>
    <message>
        <source>Steps between two computations of the scale</source>
        <translation>Schritte zwischen zwei Berechnungen der Skalierung</translation>
    </message>
    <message>
        <source>Steps whose largest values decide the scale</source>
        <translation>Schritte, deren größte Werte die Skalierung bestimmen</translation>
    </message>
    <message>
        <source>Stored with its full path</source>
        <translation>Wird mit vollem Pfad gespeichert</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Sync module states</source>
        <translation>Modulzustände abgleichen</translation>
    </message>
    <message>
        <source>TPU cluster</source>
        <translation>TPU-Cluster</translation>
    </message>
    <message>
        <source>TPU environment</source>
        <translation>TPU-Umgebung</translation>
    </message>
    <message>
        <source>TPU machines</source>
        <translation>TPU-Maschinen</translation>
    </message>
    <message>
        <source>TPU name</source>
        <translation>TPU-Name</translation>
    </message>
    <message>
        <source>TPU pod</source>
        <translation>TPU-Pod</translation>
    </message>
    <message>
        <source>TPU zone</source>
        <translation>TPU-Zone</translation>
    </message>
    <message>
        <source>TSV file with a header: channel name and location of the data</source>
        <translation>TSV-Datei mit Kopfzeile: Name des Kanals und Ort der Daten</translation>
    </message>
    <message>
        <source>TSV file with a header: metric name and regular expression</source>
        <translation>TSV-Datei mit Kopfzeile: Name der Metrik und regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Tecorigin</source>
        <translation>Tecorigin</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>Tensorparallel</translation>
    </message>
    <message>
        <source>Tensor parallel of experts</source>
        <translation>Tensorparallel in Experten</translation>
    </message>
    <message>
        <source>Tensor, pipeline and sequence parallelism of Megatron</source>
        <translation>Tensor-, Pipeline- und Sequenzparallelität von Megatron</translation>
    </message>
    <message>
        <source>The TPU is a pod; the launch goes to all its workers</source>
        <translation>Die TPU ist ein Pod; der Start geht an alle seine Worker</translation>
    </message>
    <message>
        <source>The firewalls between the machines must let it through</source>
        <translation>Die Firewalls zwischen den Maschinen müssen ihn durchlassen</translation>
    </message>
    <message>
        <source>The largest or the most recent one</source>
        <translation>Den größten oder den neuesten</translation>
    </message>
    <message>
        <source>The product needs multiples of 16; costs memory</source>
        <translation>Das Produkt braucht Vielfache von 16; kostet Speicher</translation>
    </message>
    <message>
        <source>The program is a Python module, as with python -m</source>
        <translation>Das Programm ist ein Python-Modul, wie bei python -m</translation>
    </message>
    <message>
        <source>The program is executed itself, without Python</source>
        <translation>Das Programm wird selbst ausgeführt, ohne Python</translation>
    </message>
    <message>
        <source>The run&apos;s own folder, new or empty; else a new one in TRAINYARD_RUNS</source>
        <translation>Der eigene Ordner des Laufs, neu oder leer; sonst ein neuer in TRAINYARD_RUNS</translation>
    </message>
    <message>
        <source>The same from a file: one `name slots=4` a line, as DeepSpeed reads it</source>
        <translation>Dasselbe aus einer Datei: je Zeile `name slots=4`, wie DeepSpeed sie liest</translation>
    </message>
    <message>
        <source>Then it says everything and the next questions are skipped</source>
        <translation>Dann sagt sie alles, und die nächsten Fragen entfallen</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Diese Maschine</translation>
    </message>
    <message>
        <source>This machine and others you reach, or jobs in Amazon SageMaker</source>
        <translation>Diese und andere erreichbare Maschinen oder Jobs in Amazon SageMaker</translation>
    </message>
    <message>
        <source>Threads for the processor&apos;s part of the work; without it the cores are shared out</source>
        <translation>Threads für den Teil des Prozessors; sonst werden die Kerne aufgeteilt</translation>
    </message>
    <message>
        <source>Threads of a process</source>
        <translation>Threads eines Prozesses</translation>
    </message>
    <message>
        <source>Threads of oneCCL per process; no longer read</source>
        <translation>Threads von oneCCL je Prozess; wird nicht mehr gelesen</translation>
    </message>
    <message>
        <source>Three truth values: forward, gradient of the input, gradient of the weight in higher precision</source>
        <translation>Drei Wahrheitswerte: Vorwärts, Gradient der Eingabe, Gradient des Gewichts in höherer Genauigkeit</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time limit of the job, as in 1-12:00:00</source>
        <translation>Zeitlimit des Jobs, z. B. 1-12:00:00</translation>
    </message>
    <message>
        <source>Train on a TPU</source>
        <translation>Auf einer TPU trainieren</translation>
    </message>
    <message>
        <source>Train on a mesh of several kinds of parallelism</source>
        <translation>Auf einem Mesh aus mehreren Arten von Parallelität trainieren</translation>
    </message>
    <message>
        <source>Train on the CPU even where an accelerator is</source>
        <translation>Auf der CPU trainieren, auch wenn es einen Beschleuniger gibt</translation>
    </message>
    <message>
        <source>Train on the CPU; the default settings file is not read</source>
        <translation>Auf der CPU trainieren; die übliche Einstellungsdatei wird nicht gelesen</translation>
    </message>
    <message>
        <source>Train with DeepSpeed</source>
        <translation>Mit DeepSpeed trainieren</translation>
    </message>
    <message>
        <source>Train with Megatron-LM</source>
        <translation>Mit Megatron-LM trainieren</translation>
    </message>
    <message>
        <source>Train with fully sharded data parallelism</source>
        <translation>Mit vollständig aufgeteilter Datenparallelität (FSDP) trainieren</translation>
    </message>
    <message>
        <source>Training function</source>
        <translation>Trainingsfunktion</translation>
    </message>
    <message>
        <source>Transformer Engine</source>
        <translation>Transformer Engine</translation>
    </message>
    <message>
        <source>Transformers</source>
        <translation>Transformers</translation>
    </message>
    <message>
        <source>Two machines with GPUs; their number, address and processes are yours to say</source>
        <translation>Zwei Maschinen mit GPUs; Anzahl, Adresse und Prozesse geben Sie an</translation>
    </message>
    <message>
        <source>Two processes on the CPU: finds out whether a script runs distributed, without a GPU</source>
        <translation>Zwei Prozesse auf der CPU: zeigt ohne GPU, ob ein Skript verteilt läuft</translation>
    </message>
    <message>
        <source>Types that SageMaker&apos;s data parallelism runs on</source>
        <translation>Typen, auf denen SageMakers Datenparallelität läuft</translation>
    </message>
    <message>
        <source>Unit size</source>
        <translation>Größe der Einheiten</translation>
    </message>
    <message>
        <source>Use FP8 outside of training, too</source>
        <translation>FP8 auch außerhalb des Trainings verwenden</translation>
    </message>
    <message>
        <source>Use mpirun</source>
        <translation>mpirun verwenden</translation>
    </message>
    <message>
        <source>Use rotary position embeddings</source>
        <translation>Rotary-Positionseinbettungen verwenden</translation>
    </message>
    <message>
        <source>Used by stage 3 only</source>
        <translation>Nur von Stufe 3 verwendet</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Version of PyTorch in the container</source>
        <translation>Version von PyTorch im Container</translation>
    </message>
    <message>
        <source>Version of Python in the container, e.g. py38</source>
        <translation>Version von Python im Container, z. B. py38</translation>
    </message>
    <message>
        <source>Version of Transformers in the container</source>
        <translation>Version von Transformers im Container</translation>
    </message>
    <message>
        <source>Wait until the runs queued before have started and the machine, or the GPUs, are free</source>
        <translation>Warten, bis früher eingereihte Läufe begonnen haben und die Maschine oder die GPUs frei sind</translation>
    </message>
    <message>
        <source>Way of training</source>
        <translation>Art des Trainings</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>Gewichtsgradient</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer states, natively in PyTorch</source>
        <translation>Gewichte, Gradienten und Optimizer-Zustände, von PyTorch selbst</translation>
    </message>
    <message>
        <source>What becomes a unit of sharding: given layer classes, modules above a size, or the whole model</source>
        <translation>Was eine Einheit der Aufteilung wird: genannte Layer-Klassen, Module über einer Größe oder das ganze Modell</translation>
    </message>
    <message>
        <source>What is sharded over the processes</source>
        <translation>Was auf die Prozesse aufgeteilt wird</translation>
    </message>
    <message>
        <source>What is sharded, and over which processes</source>
        <translation>Was aufgeteilt wird und auf welche Prozesse</translation>
    </message>
    <message>
        <source>What is spread over the processes: 0 nothing, 1 optimizer state, 2 also gradients, 3 also parameters (recipes: 0 to 2)</source>
        <translation>Was auf die Prozesse aufgeteilt wird: 0 nichts, 1 Optimizer-Zustand, 2 auch Gradienten, 3 auch Parameter (Rezepte: 0 bis 2)</translation>
    </message>
    <message>
        <source>What is spread over the processes: parameters, gradients and optimizer state, or less</source>
        <translation>Was auf die Prozesse aufgeteilt wird: Parameter, Gradienten und Optimizer-Zustand, oder weniger</translation>
    </message>
    <message>
        <source>What the compiler optimises for</source>
        <translation>Worauf der Compiler optimiert</translation>
    </message>
    <message>
        <source>What the compiler spends its time on</source>
        <translation>Worauf der Compiler Zeit verwendet</translation>
    </message>
    <message>
        <source>What the processes of a run compute on</source>
        <translation>Womit die Prozesse eines Laufs rechnen</translation>
    </message>
    <message>
        <source>When the next parameters are gathered in the backward pass</source>
        <translation>Wann die nächsten Parameter im Rückwärtsdurchlauf gesammelt werden</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>Wo es läuft</translation>
    </message>
    <message>
        <source>Where the jobs run</source>
        <translation>Wo die Jobs laufen</translation>
    </message>
    <message>
        <source>Where the optimizer state is kept: `none` leaves it on the device</source>
        <translation>Wo der Optimizer-Zustand liegt: `none` lässt ihn auf dem Gerät</translation>
    </message>
    <message>
        <source>Where the parameters are kept: `none` leaves them on the device</source>
        <translation>Wo die Parameter liegen: `none` lässt sie auf dem Gerät</translation>
    </message>
    <message>
        <source>Who splits the context</source>
        <translation>Wer den Kontext aufteilt</translation>
    </message>
    <message>
        <source>Who splits the sequence</source>
        <translation>Wer die Sequenz aufteilt</translation>
    </message>
    <message>
        <source>Whole checkpoints of rank 0, or one part of each process</source>
        <translation>Ganze Checkpoints von Rank 0 oder ein Teil von jedem Prozess</translation>
    </message>
    <message>
        <source>With FSDP 2: gather parameters as FP8</source>
        <translation>Mit FSDP 2: Parameter als FP8 sammeln</translation>
    </message>
    <message>
        <source>With commas, upper and lower case as in the model</source>
        <translation>Mit Kommas, Groß- und Kleinschreibung wie im Modell</translation>
    </message>
    <message>
        <source>With commas, upper and lower case as in the model: LlamaDecoderLayer</source>
        <translation>Mit Kommas, Groß- und Kleinschreibung wie im Modell: LlamaDecoderLayer</translation>
    </message>
    <message>
        <source>With commas; nothing for an instance group</source>
        <translation>Mit Kommas; nichts bei einer Instanzgruppe</translation>
    </message>
    <message>
        <source>With keys, launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY</source>
        <translation>Bei Schlüsseln liest launch AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY</translation>
    </message>
    <message>
        <source>With sudo</source>
        <translation>Mit sudo</translation>
    </message>
    <message>
        <source>Without optimizer when loading</source>
        <translation>Beim Laden ohne Optimizer</translation>
    </message>
    <message>
        <source>Without optimizer when saving</source>
        <translation>Beim Speichern ohne Optimizer</translation>
    </message>
    <message>
        <source>Wrap policy</source>
        <translation>Regel der Einheiten</translation>
    </message>
    <message>
        <source>Wrapping</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Write a bash script that starts the same processes where no Trainyard is, as in a notebook; start nothing</source>
        <translation>Ein bash-Skript schreiben, das dieselben Prozesse ohne Trainyard startet, etwa in einem Notebook; nichts starten</translation>
    </message>
    <message>
        <source>XLA devices</source>
        <translation>XLA-Geräte</translation>
    </message>
    <message>
        <source>XPU ids</source>
        <translation>XPU-Nummern</translation>
    </message>
    <message>
        <source>Yes saves memory (ZeRO-3), no saves traffic (ZeRO-2)</source>
        <translation>Ja spart Speicher (ZeRO-3), nein spart Übertragung (ZeRO-2)</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO-Stufe</translation>
    </message>
    <message>
        <source>ZeRO-3 with offload</source>
        <translation>ZeRO-3 mit Offload</translation>
    </message>
    <message>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
    <message>
        <source>Zone of the TPU in Google Cloud</source>
        <translation>Zone der TPU in Google Cloud</translation>
    </message>
    <message>
        <source>`all`, or the numbers of the devices of this machine, as in `0,2,3`</source>
        <translation>`all` oder die Nummern der Geräte dieser Maschine, z. B. `0,2,3`</translation>
    </message>
    <message>
        <source>`all`, or the numbers of the devices, as in `0,2,3`</source>
        <translation>`all` oder die Nummern der Geräte, z. B. `0,2,3`</translation>
    </message>
    <message>
        <source>`full` computes whole layers again, `selective` only the attention</source>
        <translation>`full` berechnet ganze Layer neu, `selective` nur die Attention</translation>
    </message>
    <message>
        <source>`uniform` groups all layers, `block` takes the first layers of each stage</source>
        <translation>`uniform` gruppiert alle Layer, `block` nimmt die ersten Layer jeder Stufe</translation>
    </message>
    <message>
        <source>a balance</source>
        <translation>ein Mittelweg</translation>
    </message>
    <message>
        <source>all, or their numbers with commas: 0,1</source>
        <translation>all oder ihre Nummern mit Kommas: 0,1</translation>
    </message>
    <message>
        <source>allgather collects all keys and values, alltoall passes them around</source>
        <translation>allgather sammelt alle Keys und Values, alltoall reicht sie herum</translation>
    </message>
    <message>
        <source>and machines it works together with</source>
        <translation>und Maschinen, mit denen sie zusammenarbeitet</translation>
    </message>
    <message>
        <source>as it lies on each rank</source>
        <translation>wie es auf jedem Rank liegt</translation>
    </message>
    <message>
        <source>backend is AO</source>
        <translation>backend AO ist</translation>
    </message>
    <message>
        <source>backend is MSAMP</source>
        <translation>backend MSAMP ist</translation>
    </message>
    <message>
        <source>backend is TE</source>
        <translation>backend TE ist</translation>
    </message>
    <message>
        <source>distributed_type is DEEPSPEED</source>
        <translation>distributed_type DEEPSPEED ist</translation>
    </message>
    <message>
        <source>distributed_type is FSDP</source>
        <translation>distributed_type FSDP ist</translation>
    </message>
    <message>
        <source>distributed_type is FSDP with version 2, or DEEPSPEED</source>
        <translation>distributed_type FSDP mit Version 2 oder DEEPSPEED ist</translation>
    </message>
    <message>
        <source>distributed_type is MEGATRON_LM</source>
        <translation>distributed_type MEGATRON_LM ist</translation>
    </message>
    <message>
        <source>distributed_type is MULTI_CPU</source>
        <translation>distributed_type MULTI_CPU ist</translation>
    </message>
    <message>
        <source>distributed_type is XLA</source>
        <translation>distributed_type XLA ist</translation>
    </message>
    <message>
        <source>dynamo_backend is not NO</source>
        <translation>dynamo_backend nicht NO ist</translation>
    </message>
    <message>
        <source>each rank writes its share</source>
        <translation>jeder Rank schreibt seinen Teil</translation>
    </message>
    <message>
        <source>everything in float32</source>
        <translation>alles in float32</translation>
    </message>
    <message>
        <source>fastest code, longest compilation</source>
        <translation>schnellster Code, längstes Kompilieren</translation>
    </message>
    <message>
        <source>fastest, most memory</source>
        <translation>am schnellsten, größter Speicherbedarf</translation>
    </message>
    <message>
        <source>float8 all-gather</source>
        <translation>float8-All-Gather</translation>
    </message>
    <message>
        <source>follows from RAM-efficient loading, and not in FSDP version 2</source>
        <translation>folgt aus dem RAM-sparenden Laden, und nicht mit FSDP-Version 2</translation>
    </message>
    <message>
        <source>follows from the machine type</source>
        <translation>folgt aus dem Maschinentyp</translation>
    </message>
    <message>
        <source>from the environment when launching</source>
        <translation>beim Start aus der Umgebung</translation>
    </message>
    <message>
        <source>fsdp_activation_checkpointing is true</source>
        <translation>fsdp_activation_checkpointing true ist</translation>
    </message>
    <message>
        <source>fsdp_auto_wrap_policy is SIZE_BASED_WRAP</source>
        <translation>fsdp_auto_wrap_policy SIZE_BASED_WRAP ist</translation>
    </message>
    <message>
        <source>fsdp_auto_wrap_policy is TRANSFORMER_BASED_WRAP</source>
        <translation>fsdp_auto_wrap_policy TRANSFORMER_BASED_WRAP ist</translation>
    </message>
    <message>
        <source>fsdp_version is 1</source>
        <translation>fsdp_version 1 ist</translation>
    </message>
    <message>
        <source>fsdp_version is 2</source>
        <translation>fsdp_version 2 ist</translation>
    </message>
    <message>
        <source>full inside a machine, replicas across</source>
        <translation>vollständig innerhalb einer Maschine, Replikate darüber hinaus</translation>
    </message>
    <message>
        <source>give its name</source>
        <translation>den Namen angeben</translation>
    </message>
    <message>
        <source>gradients and optimizer inside a machine</source>
        <translation>Gradienten und Optimizer innerhalb einer Maschine</translation>
    </message>
    <message>
        <source>hosts the main process</source>
        <translation>hat den Hauptprozess</translation>
    </message>
    <message>
        <source>inductor unless you know better</source>
        <translation>inductor, wenn nichts anderes bekannt ist</translation>
    </message>
    <message>
        <source>it does not train on the CPU</source>
        <translation>es trainiert nicht auf der CPU</translation>
    </message>
    <message>
        <source>jobs in the AWS cloud</source>
        <translation>Jobs in der AWS-Cloud</translation>
    </message>
    <message>
        <source>key=value for the recipe, e.g. training.steps=100</source>
        <translation>schlüssel=wert für das Rezept, z. B. training.steps=100</translation>
    </message>
    <message>
        <source>least memory</source>
        <translation>am wenigsten Speicher</translation>
    </message>
    <message>
        <source>less memory, PyTorch 2.6 or newer</source>
        <translation>weniger Speicher, PyTorch 2.6 oder neuer</translation>
    </message>
    <message>
        <source>megatron_lm_pp_degree is above 1</source>
        <translation>megatron_lm_pp_degree über 1 liegt</translation>
    </message>
    <message>
        <source>megatron_lm_tp_degree is above 1</source>
        <translation>megatron_lm_tp_degree über 1 liegt</translation>
    </message>
    <message>
        <source>mixed_precision is fp8</source>
        <translation>mixed_precision fp8 ist</translation>
    </message>
    <message>
        <source>needs a loss scale</source>
        <translation>braucht eine Loss-Skalierung</translation>
    </message>
    <message>
        <source>newest GPUs with an FP8 library</source>
        <translation>neueste GPUs mit einer FP8-Bibliothek</translation>
    </message>
    <message>
        <source>not for Amazon SageMaker</source>
        <translation>nicht für Amazon SageMaker</translation>
    </message>
    <message>
        <source>not for CPUs, TPUs and Apple GPUs</source>
        <translation>nicht für CPUs, TPUs und Apple-GPUs</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>num_machines is above 1</source>
        <translation>num_machines über 1 liegt</translation>
    </message>
    <message>
        <source>of ~/.aws</source>
        <translation>von ~/.aws</translation>
    </message>
    <message>
        <source>offload_optimizer_device is nvme</source>
        <translation>offload_optimizer_device nvme ist</translation>
    </message>
    <message>
        <source>offload_param_device is nvme</source>
        <translation>offload_param_device nvme ist</translation>
    </message>
    <message>
        <source>one device is one process</source>
        <translation>ein Gerät ist ein Prozess</translation>
    </message>
    <message>
        <source>one device needs one machine only</source>
        <translation>ein Gerät braucht nur eine Maschine</translation>
    </message>
    <message>
        <source>one file, gathered on rank 0</source>
        <translation>eine Datei, auf Rank 0 gesammelt</translation>
    </message>
    <message>
        <source>one machine</source>
        <translation>eine Maschine</translation>
    </message>
    <message>
        <source>one process has no distributed operations</source>
        <translation>ein Prozess hat keine verteilten Operationen</translation>
    </message>
    <message>
        <source>one process, nothing distributed</source>
        <translation>ein Prozess, nichts verteilt</translation>
    </message>
    <message>
        <source>one unit</source>
        <translation>eine Einheit</translation>
    </message>
    <message>
        <source>one unit for each transformer layer</source>
        <translation>eine Einheit je Transformer-Layer</translation>
    </message>
    <message>
        <source>oneCCL workers</source>
        <translation>oneCCL-Worker</translation>
    </message>
    <message>
        <source>only for Amazon SageMaker</source>
        <translation>nur für Amazon SageMaker</translation>
    </message>
    <message>
        <source>only for DeepSpeed on several machines</source>
        <translation>nur für DeepSpeed auf mehreren Maschinen</translation>
    </message>
    <message>
        <source>only for DeepSpeed on several machines, not with the standard launcher</source>
        <translation>nur für DeepSpeed auf mehreren Maschinen, nicht mit dem Starter standard</translation>
    </message>
    <message>
        <source>only for FP8 with MS-AMP</source>
        <translation>nur für FP8 mit MS-AMP</translation>
    </message>
    <message>
        <source>only for FP8 with Transformer Engine</source>
        <translation>nur für FP8 mit Transformer Engine</translation>
    </message>
    <message>
        <source>only for FP8 with torchao</source>
        <translation>nur für FP8 mit torchao</translation>
    </message>
    <message>
        <source>only for GPUs without DeepSpeed, FSDP and Megatron-LM</source>
        <translation>nur für GPUs ohne DeepSpeed, FSDP und Megatron-LM</translation>
    </message>
    <message>
        <source>only for TPUs</source>
        <translation>nur für TPUs</translation>
    </message>
    <message>
        <source>only for ZeRO stage 3</source>
        <translation>nur für ZeRO-Stufe 3</translation>
    </message>
    <message>
        <source>only for ZeRO stages 2 and 3</source>
        <translation>nur für die ZeRO-Stufen 2 und 3</translation>
    </message>
    <message>
        <source>only for a TPU cluster</source>
        <translation>nur für einen TPU-Cluster</translation>
    </message>
    <message>
        <source>only for a distributed job</source>
        <translation>nur für einen verteilten Job</translation>
    </message>
    <message>
        <source>only for a job on one machine</source>
        <translation>nur für einen Job auf einer Maschine</translation>
    </message>
    <message>
        <source>only for a role of your own</source>
        <translation>nur für eine eigene Rolle</translation>
    </message>
    <message>
        <source>only for accelerators without DeepSpeed</source>
        <translation>nur für Beschleuniger ohne DeepSpeed</translation>
    </message>
    <message>
        <source>only for accelerators without DeepSpeed, FSDP and Megatron-LM</source>
        <translation>nur für Beschleuniger ohne DeepSpeed, FSDP und Megatron-LM</translation>
    </message>
    <message>
        <source>only for many CPUs</source>
        <translation>nur für mehrere CPUs</translation>
    </message>
    <message>
        <source>only for many GPUs without DeepSpeed and FSDP</source>
        <translation>nur für mehrere GPUs ohne DeepSpeed und FSDP</translation>
    </message>
    <message>
        <source>only when gradients are clipped</source>
        <translation>nur, wenn Gradienten begrenzt werden</translation>
    </message>
    <message>
        <source>only when optimizer states go to NVMe</source>
        <translation>nur, wenn Optimizer-Zustände auf NVMe kommen</translation>
    </message>
    <message>
        <source>only when parameters go to NVMe</source>
        <translation>nur, wenn Parameter auf NVMe kommen</translation>
    </message>
    <message>
        <source>only when signing in with a profile</source>
        <translation>nur bei Anmeldung mit einem Profil</translation>
    </message>
    <message>
        <source>only when some matrix products run in higher precision</source>
        <translation>nur, wenn manche Matrixprodukte in höherer Genauigkeit laufen</translation>
    </message>
    <message>
        <source>only when the layer classes are named</source>
        <translation>nur, wenn die Layer-Klassen genannt werden</translation>
    </message>
    <message>
        <source>only when the machines are in different networks</source>
        <translation>nur, wenn die Maschinen in verschiedenen Netzen sind</translation>
    </message>
    <message>
        <source>only when the model is cut by layer class</source>
        <translation>nur, wenn das Modell nach Layer-Klassen geteilt wird</translation>
    </message>
    <message>
        <source>only when the model is cut by size</source>
        <translation>nur, wenn das Modell nach Größe geteilt wird</translation>
    </message>
    <message>
        <source>only when wanted</source>
        <translation>nur auf Wunsch</translation>
    </message>
    <message>
        <source>only with DeepSpeed</source>
        <translation>nur mit DeepSpeed</translation>
    </message>
    <message>
        <source>only with DeepSpeed and without a DeepSpeed file</source>
        <translation>nur mit DeepSpeed und ohne DeepSpeed-Datei</translation>
    </message>
    <message>
        <source>only with FSDP</source>
        <translation>nur mit FSDP</translation>
    </message>
    <message>
        <source>only with FSDP version 1</source>
        <translation>nur mit FSDP-Version 1</translation>
    </message>
    <message>
        <source>only with FSDP version 2</source>
        <translation>nur mit FSDP-Version 2</translation>
    </message>
    <message>
        <source>only with Megatron-LM</source>
        <translation>nur mit Megatron-LM</translation>
    </message>
    <message>
        <source>only with a DeepSpeed file</source>
        <translation>nur mit einer DeepSpeed-Datei</translation>
    </message>
    <message>
        <source>only with a mesh of parallel dimensions</source>
        <translation>nur mit einem Mesh paralleler Dimensionen</translation>
    </message>
    <message>
        <source>only with compile defaults of your own</source>
        <translation>nur mit eigenen Kompilieroptionen</translation>
    </message>
    <message>
        <source>only with context parallelism</source>
        <translation>nur mit Kontextparallelität</translation>
    </message>
    <message>
        <source>only with mixed precision fp8</source>
        <translation>nur mit gemischter Genauigkeit fp8</translation>
    </message>
    <message>
        <source>only with more than one machine</source>
        <translation>nur mit mehr als einer Maschine</translation>
    </message>
    <message>
        <source>only with mpirun</source>
        <translation>nur mit mpirun</translation>
    </message>
    <message>
        <source>only with pipeline parallelism</source>
        <translation>nur mit Pipeline-Parallelität</translation>
    </message>
    <message>
        <source>only with start-up commands</source>
        <translation>nur mit Befehlen beim Start</translation>
    </message>
    <message>
        <source>only with start-up commands given here</source>
        <translation>nur mit hier angegebenen Befehlen beim Start</translation>
    </message>
    <message>
        <source>only with start-up commands in a script</source>
        <translation>nur mit Befehlen beim Start in einem Skript</translation>
    </message>
    <message>
        <source>only with tensor parallelism</source>
        <translation>nur mit Tensorparallelität</translation>
    </message>
    <message>
        <source>only with torch.compile</source>
        <translation>nur mit torch.compile</translation>
    </message>
    <message>
        <source>optimizer states</source>
        <translation>Optimizer-Zustände</translation>
    </message>
    <message>
        <source>optimizer states and gradients</source>
        <translation>Optimizer-Zustände und Gradienten</translation>
    </message>
    <message>
        <source>optimizer states, gradients and weights</source>
        <translation>Optimizer-Zustände, Gradienten und Gewichte</translation>
    </message>
    <message>
        <source>parallel ssh</source>
        <translation>paralleles ssh</translation>
    </message>
    <message>
        <source>parallelism_config_cp_size is above 1</source>
        <translation>parallelism_config_cp_size über 1 liegt</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size is above 1</source>
        <translation>parallelism_config_sp_size über 1 liegt</translation>
    </message>
    <message>
        <source>range of float32; recent hardware</source>
        <translation>Wertebereich von float32; neuere Hardware</translation>
    </message>
    <message>
        <source>sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source>
        <translation>sdpa, flash_attention_2, flash_attention_3 oder ein flash-attn-Kernel des Hubs</translation>
    </message>
    <message>
        <source>several processes without accelerator</source>
        <translation>mehrere Prozesse ohne Beschleuniger</translation>
    </message>
    <message>
        <source>slower, saves GPU memory</source>
        <translation>langsamer, spart GPU-Speicher</translation>
    </message>
    <message>
        <source>slowest, largest</source>
        <translation>am langsamsten, am größten</translation>
    </message>
    <message>
        <source>small batches</source>
        <translation>kleine Batches</translation>
    </message>
    <message>
        <source>stays on the GPU</source>
        <translation>bleibt auf der GPU</translation>
    </message>
    <message>
        <source>sudo</source>
        <translation>sudo</translation>
    </message>
    <message>
        <source>the DeepSpeed file or the TPU decides</source>
        <translation>die DeepSpeed-Datei oder die TPU entscheidet</translation>
    </message>
    <message>
        <source>the name `accelerate config` gives it</source>
        <translation>der Name, den `accelerate config` ihr gibt</translation>
    </message>
    <message>
        <source>the older one</source>
        <translation>die ältere</translation>
    </message>
    <message>
        <source>the same command on each machine</source>
        <translation>derselbe Befehl auf jeder Maschine</translation>
    </message>
    <message>
        <source>there are several machines and the launcher is not `standard`</source>
        <translation>es mehrere Maschinen gibt und der Starter nicht `standard` ist</translation>
    </message>
    <message>
        <source>there is no deepspeed_config_file</source>
        <translation>es kein deepspeed_config_file gibt</translation>
    </message>
    <message>
        <source>torch.compile&apos;s own default</source>
        <translation>die Vorgabe von torch.compile</translation>
    </message>
    <message>
        <source>torchao</source>
        <translation>torchao</translation>
    </message>
    <message>
        <source>units of so many parameters</source>
        <translation>Einheiten von so vielen Parametern</translation>
    </message>
    <message>
        <source>weights stay whole in between</source>
        <translation>Gewichte bleiben dazwischen ganz</translation>
    </message>
    <message>
        <source>weights, gradients and optimizer states</source>
        <translation>Gewichte, Gradienten und Optimizer-Zustände</translation>
    </message>
    <message>
        <source>without ssh; DeepSpeed 0.14.5 or newer</source>
        <translation>ohne ssh; DeepSpeed 0.14.5 oder neuer</translation>
    </message>
    <message>
        <source>zero.Init</source>
        <translation>zero.Init</translation>
    </message>
    <message>
        <source>zero_stage is 1 to 3</source>
        <translation>zero_stage 1 bis 3 ist</translation>
    </message>
    <message>
        <source>zero_stage is 3</source>
        <translation>zero_stage 3 ist</translation>
    </message>
    <message>
        <source>Added to the denominator of the optimizers that have one.</source>
        <translation>Wird bei Optimizern, die ihn haben, zum Nenner addiert.</translation>
    </message>
    <message>
        <source>Added to the mean square in norms.</source>
        <translation>Wird in Normen zum mittleren Quadrat addiert.</translation>
    </message>
    <message>
        <source>Added to the variance in layer norms.</source>
        <translation>Wird in Layer-Normen zur Varianz addiert.</translation>
    </message>
    <message>
        <source>Adds the loss that keeps the experts equally busy.</source>
        <translation>Fügt den Loss hinzu, der die Experten gleichmäßig auslastet.</translation>
    </message>
    <message>
        <source>Attention and feed-forward read the same stream.</source>
        <translation>Attention und Feed-Forward lesen denselben Strom.</translation>
    </message>
    <message>
        <source>Attention heads of each block.</source>
        <translation>Attention-Heads jedes Blocks.</translation>
    </message>
    <message>
        <source>Attention of each block: a list of full_attention and sliding_attention; empty: the usual one.</source>
        <translation>Attention jedes Blocks: eine Liste aus full_attention und sliding_attention; leer: die übliche.</translation>
    </message>
    <message>
        <source>Attention scores are divided by its square root.</source>
        <translation>Attention-Werte werden durch seine Wurzel geteilt.</translation>
    </message>
    <message>
        <source>Attention scores stay within this number of 0; 0: not limited.</source>
        <translation>Attention-Werte bleiben innerhalb dieses Abstands von 0; 0: unbegrenzt.</translation>
    </message>
    <message>
        <source>Blocks from max_window_layers on have a window.</source>
        <translation>Blöcke ab max_window_layers haben ein Fenster.</translation>
    </message>
    <message>
        <source>Blocks of the decoder; 0: as many as the encoder&apos;s.</source>
        <translation>Blöcke des Decoders; 0: so viele wie im Encoder.</translation>
    </message>
    <message>
        <source>Blocks of the encoder.</source>
        <translation>Blöcke des Encoders.</translation>
    </message>
    <message>
        <source>Channels behind the first convolution.</source>
        <translation>Kanäle hinter der ersten Faltung.</translation>
    </message>
    <message>
        <source>Channels of each stage: a list.</source>
        <translation>Kanäle jeder Stufe: eine Liste.</translation>
    </message>
    <message>
        <source>Classes of distances between positions.</source>
        <translation>Klassen von Abständen zwischen Positionen.</translation>
    </message>
    <message>
        <source>Classes; 1: a number is learnt (regression).</source>
        <translation>Klassen; 1: eine Zahl wird gelernt (Regression).</translation>
    </message>
    <message>
        <source>Colours of an image.</source>
        <translation>Farben eines Bildes.</translation>
    </message>
    <message>
        <source>Distance from which on all are of one class.</source>
        <translation>Abstand, ab dem alle zu einer Klasse gehören.</translation>
    </message>
    <message>
        <source>Dropout before the classifier; -1: as between layers.</source>
        <translation>Dropout vor dem Klassifikator; -1: wie zwischen den Layern.</translation>
    </message>
    <message>
        <source>Dropout behind attention and feed-forward.</source>
        <translation>Dropout hinter Attention und Feed-Forward.</translation>
    </message>
    <message>
        <source>Dropout of all layers and of attention weights.</source>
        <translation>Dropout aller Layer und der Attention-Gewichte.</translation>
    </message>
    <message>
        <source>Dropout of embeddings, and behind attention and feed-forward.</source>
        <translation>Dropout der Embeddings und hinter Attention und Feed-Forward.</translation>
    </message>
    <message>
        <source>Dropout of embeddings, attention&apos;s output and feed-forward.</source>
        <translation>Dropout der Embeddings, der Attention-Ausgabe und des Feed-Forward.</translation>
    </message>
    <message>
        <source>Dropout of the attention weights.</source>
        <translation>Dropout der Attention-Gewichte.</translation>
    </message>
    <message>
        <source>Dropout of the embeddings.</source>
        <translation>Dropout der Embeddings.</translation>
    </message>
    <message>
        <source>Experts of each block.</source>
        <translation>Experten jedes Blocks.</translation>
    </message>
    <message>
        <source>Experts that compute a token.</source>
        <translation>Experten, die ein Token berechnen.</translation>
    </message>
    <message>
        <source>Factor of the initial weights.</source>
        <translation>Faktor der Anfangsgewichte.</translation>
    </message>
    <message>
        <source>Factor of the loss that keeps the experts equally busy.</source>
        <translation>Faktor des Loss, der die Experten gleichmäßig auslastet.</translation>
    </message>
    <message>
        <source>First block with a sliding window.</source>
        <translation>Erster Block mit gleitendem Fenster.</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers, by its name in transformers.</source>
        <translation>Funktion der Feed-Forward-Layer, mit ihrem Namen in transformers.</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers, such as relu; gated-gelu: with a gate, as T5 1.1.</source>
        <translation>Funktion der Feed-Forward-Layer, z. B. relu; gated-gelu: mit Gate, wie T5 1.1.</translation>
    </message>
    <message>
        <source>Function of the feed-forward layers.</source>
        <translation>Funktion der Feed-Forward-Layer.</translation>
    </message>
    <message>
        <source>Heads of keys and values, which groups of attention heads share; 0: as many as heads.</source>
        <translation>Heads der Keys und Values, die sich Gruppen von Attention-Heads teilen; 0: so viele wie Heads.</translation>
    </message>
    <message>
        <source>Hidden states are divided by the square root of d_model before the head.</source>
        <translation>Verborgene Zustände werden vor dem Kopf durch die Wurzel von d_model geteilt.</translation>
    </message>
    <message>
        <source>Highest learning rate.</source>
        <translation>Höchste Lernrate.</translation>
    </message>
    <message>
        <source>Keys that a query can see, its own included; 0: all before it.</source>
        <translation>Keys, die eine Query sieht, den eigenen mitgezählt; 0: alle davor.</translation>
    </message>
    <message>
        <source>Kinds of segments, such as first and second text.</source>
        <translation>Arten von Segmenten, z. B. erster und zweiter Text.</translation>
    </message>
    <message>
        <source>Layers of each stage: a list.</source>
        <translation>Layer jeder Stufe: eine Liste.</translation>
    </message>
    <message>
        <source>Linear layers have biases.</source>
        <translation>Lineare Layer haben Biases.</translation>
    </message>
    <message>
        <source>Logits stay within this number of 0; 0: not limited.</source>
        <translation>Logits bleiben innerhalb dieses Abstands von 0; 0: unbegrenzt.</translation>
    </message>
    <message>
        <source>Longest sequence the model can take, in tokens.</source>
        <translation>Längste Sequenz, die das Modell aufnimmt, in Token.</translation>
    </message>
    <message>
        <source>Losses that a new one is compared with.</source>
        <translation>Loss-Werte, mit denen ein neuer verglichen wird.</translation>
    </message>
    <message>
        <source>Names of the classes, e.g. {0: negative, 1: positive}.</source>
        <translation>Namen der Klassen, z. B. {0: negative, 1: positive}.</translation>
    </message>
    <message>
        <source>Norms are before attention and feed-forward; no: behind the residual sums.</source>
        <translation>Normen stehen vor Attention und Feed-Forward; nein: hinter den Residualsummen.</translation>
    </message>
    <message>
        <source>Number format in which the hook works.</source>
        <translation>Zahlenformat, in dem der Hook arbeitet.</translation>
    </message>
    <message>
        <source>Number of transformer blocks.</source>
        <translation>Anzahl der Transformer-Blöcke.</translation>
    </message>
    <message>
        <source>Optimizer; names of torch and transformers, too.</source>
        <translation>Optimizer; auch Namen von torch und transformers.</translation>
    </message>
    <message>
        <source>Pixels of either side of a patch.</source>
        <translation>Pixel je Seite eines Patches.</translation>
    </message>
    <message>
        <source>Pixels of either side of an image.</source>
        <translation>Pixel je Seite eines Bildes.</translation>
    </message>
    <message>
        <source>Queries, keys and values have biases.</source>
        <translation>Queries, Keys und Values haben Biases.</translation>
    </message>
    <message>
        <source>Rotary positions: {rope_type: default, rope_theta: 10000.0}; other types are linear, dynamic, yarn, llama3 and longrope, with their parameters.</source>
        <translation>Rotary-Positionen: {rope_type: default, rope_theta: 10000.0}; weitere Typen sind linear, dynamic, yarn, llama3 und longrope, mit ihren Parametern.</translation>
    </message>
    <message>
        <source>Standard deviation of the initial weights.</source>
        <translation>Standardabweichung der Anfangsgewichte.</translation>
    </message>
    <message>
        <source>The feed-forward layers have biases.</source>
        <translation>Die Feed-Forward-Layer haben Biases.</translation>
    </message>
    <message>
        <source>The first convolution of a bottleneck halves the image, not the second.</source>
        <translation>Die erste Faltung eines Bottlenecks halbiert das Bild, nicht die zweite.</translation>
    </message>
    <message>
        <source>The first stage halves the image, too.</source>
        <translation>Auch die erste Stufe halbiert das Bild.</translation>
    </message>
    <message>
        <source>The projections of attention have biases.</source>
        <translation>Die Projektionen der Attention haben Biases.</translation>
    </message>
    <message>
        <source>Token that begins what is written.</source>
        <translation>Token, mit dem das Geschriebene beginnt.</translation>
    </message>
    <message>
        <source>Weight decay, the way the optimizer has it: decoupled with adamw, a part of the gradient with sgd.</source>
        <translation>Weight Decay, wie der Optimizer ihn hat: bei adamw entkoppelt, bei sgd Teil des Gradienten.</translation>
    </message>
    <message>
        <source>Width inside the feed-forward layers.</source>
        <translation>Breite innerhalb der Feed-Forward-Layer.</translation>
    </message>
    <message>
        <source>Width of a head.</source>
        <translation>Breite eines Heads.</translation>
    </message>
    <message>
        <source>Width of a head; 0: hidden_size / num_attention_heads.</source>
        <translation>Breite eines Heads; 0: hidden_size / num_attention_heads.</translation>
    </message>
    <message>
        <source>Width of the hidden states.</source>
        <translation>Breite der verborgenen Zustände.</translation>
    </message>
    <message>
        <source>Width of the token table; 0: hidden_size.</source>
        <translation>Breite der Token-Tabelle; 0: hidden_size.</translation>
    </message>
    <message>
        <source>basic: two convolutions a layer; bottleneck: three.</source>
        <translation>basic: zwei Faltungen je Layer; bottleneck: drei.</translation>
    </message>
    <message>
        <source>single_label_classification, multi_label_classification or regression; empty: as num_labels says.</source>
        <translation>single_label_classification, multi_label_classification oder regression; leer: wie num_labels sagt.</translation>
    </message>
    <message>
        <source>Name that a plug-in of `plugins` has for its model.</source>
        <translation>Name, den ein Plug-in aus `plugins` für sein Modell hat.</translation>
    </message>
    <message>
        <source>What the plug-in makes the model with: a table.</source>
        <translation>Womit das Plug-in das Modell erzeugt: eine Tabelle.</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Data readable</source>
        <translation>Daten lesbar</translation>
    </message>
    <message>
        <source>Disk for checkpoints</source>
        <translation>Platz für Checkpoints</translation>
    </message>
    <message>
        <source>Disk for logs</source>
        <translation>Platz für Logs</translation>
    </message>
    <message>
        <source>Driver and CUDA</source>
        <translation>Treiber und CUDA</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Folder for runs</source>
        <translation>Ordner für Läufe</translation>
    </message>
    <message>
        <source>GPUs free</source>
        <translation>GPUs frei</translation>
    </message>
    <message>
        <source>Host key</source>
        <translation>Hostschlüssel</translation>
    </message>
    <message>
        <source>Memory fits</source>
        <translation>Speicher reicht</translation>
    </message>
    <message>
        <source>Network between hosts</source>
        <translation>Netzwerk zwischen Hosts</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>Ausgabeordner</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Reach and log in</source>
        <translation>Erreichen und anmelden</translation>
    </message>
    <message>
        <source>Rendezvous port</source>
        <translation>Rendezvous-Port</translation>
    </message>
    <message>
        <source>Script readable</source>
        <translation>Skript lesbar</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>allocator</source>
        <translation>Allokator</translation>
    </message>
    <message>
        <source>averaged weights</source>
        <translation>gemittelte Gewichte</translation>
    </message>
    <message>
        <source>checkpoint being written</source>
        <translation>Checkpoint, der geschrieben wird</translation>
    </message>
    <message>
        <source>communication buffers</source>
        <translation>Kommunikationspuffer</translation>
    </message>
    <message>
        <source>copies for products</source>
        <translation>Kopien für Produkte</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>Hauptspeicher</translation>
    </message>
    <message>
        <source>import torch</source>
        <translation>import torch</translation>
    </message>
    <message>
        <source>logits and loss</source>
        <translation>Logits und Loss</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>vorübergehend</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets</name>
    <message>
        <source>time (s)</source>
        <translation>Zeit (s)</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>seconds since 1970</source>
        <translation>Sekunden seit 1970</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>%1 was not written: %2</source>
        <translation>%1 wurde nicht geschrieben: %2</translation>
    </message>
    <message>
        <source># more than %1 points: export as CSV</source>
        <translation># mehr als %1 Punkte: als CSV exportieren</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Vector picture (*.svg)</source>
        <translation>Vektorgrafik (*.svg)</translation>
    </message>
    <message>
        <source>Document (*.pdf)</source>
        <translation>Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>All values (*.csv)</source>
        <translation>Alle Werte (*.csv)</translation>
    </message>
    <message>
        <source>pgfplots (*.tex)</source>
        <translation>pgfplots (*.tex)</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>Nicht exportiert</translation>
    </message>
    <message>
        <source>The name %1 has no extension that says which format to write: use .png, .svg, .pdf, .csv or .tex.</source>
        <translation>Der Name %1 hat keine Endung, die das zu schreibende Format angibt: Verwenden Sie .png, .svg, .pdf, .csv oder .tex.</translation>
    </message>
    <message>
        <source>%1 names no ranks: write 0 to %2, as in 0, 3-5.</source>
        <translation>%1 nennt keine Ranks: Schreiben Sie 0 bis %2, zum Beispiel 0, 3-5.</translation>
    </message>
    <message>
        <source>%1 is not a regular expression: %2 at character %3</source>
        <translation>%1 ist kein regulärer Ausdruck: %2 bei Zeichen %3</translation>
    </message>
    <message>
        <source> tok</source>
        <translation> Tok</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>format of a date</comment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>format of a date</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>format of a date</comment>
        <translation>d. MMM HH:mm</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>a share in per cent</comment>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ChartLegend</name>
    <message>
        <source>Curves of %1</source>
        <translation>Kurven von %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, shown</source>
        <translation>%1, sichtbar</translation>
    </message>
    <message>
        <source>%1, hidden</source>
        <translation>%1, ausgeblendet</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ChartOverlay</name>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::CurveChart</name>
    <message>
        <source>Go to</source>
        <translation>Gehe zu</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>place on the axis</source>
        <translation>Stelle auf der Achse</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Previous zoom</source>
        <translation>Voriger Zoom</translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation>Logarithmische senkrechte Achse</translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>Logarithmische waagerechte Achse</translation>
    </message>
    <message>
        <source>Bands of the raw values</source>
        <translation>Bänder der Rohwerte</translation>
    </message>
    <message>
        <source>Leave out outliers</source>
        <translation>Ausreißer weglassen</translation>
    </message>
    <message>
        <source>Moving average</source>
        <translation>Gleitender Mittelwert</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Best so far: lowest</source>
        <translation>Bisher bester: niedrigster</translation>
    </message>
    <message>
        <source>Best so far: highest</source>
        <translation>Bisher bester: höchster</translation>
    </message>
    <message>
        <source>No smoothing</source>
        <translation>Keine Glättung</translation>
    </message>
    <message>
        <source>Copy picture and values</source>
        <translation>Bild und Werte kopieren</translation>
    </message>
    <message>
        <source>Copy as pgfplots</source>
        <translation>Als pgfplots kopieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Add a note here…</source>
        <translation>Hier eine Notiz hinzufügen…</translation>
    </message>
    <message>
        <source>Pin here</source>
        <translation>Hier anheften</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>and %1 more curves</source>
        <translation>und %1 weitere Kurven</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
    <message>
        <source>values %1 to %2</source>
        <translation>Werte %1 bis %2</translation>
    </message>
    <message>
        <source>%1 (at %2)</source>
        <translation>%1 (bei %2)</translation>
    </message>
    <message>
        <source>%1 (Δ %2)</source>
        <translation>%1 (Δ %2)</translation>
    </message>
    <message>
        <source>%1 · best</source>
        <translation>%1 · bester</translation>
    </message>
    <message>
        <source>%1 · smoothed</source>
        <translation>%1 · geglättet</translation>
    </message>
    <message>
        <source>%1 · raw min – max</source>
        <translation>%1 · roh, min – max</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1 · raw</source>
        <translation>%1 · roh</translation>
    </message>
    <message>
        <source>Δ %1 steps</source>
        <translation>Δ %1 Schritte</translation>
    </message>
    <message>
        <source>smoothing, %1 % done</source>
        <translation>Glättung, %1 % fertig</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points above</source>
        <translation>
            <numerusform>%Ln Punkt oberhalb</numerusform>
            <numerusform>%Ln Punkte oberhalb</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points below</source>
        <translation>
            <numerusform>%Ln Punkt unterhalb</numerusform>
            <numerusform>%Ln Punkte unterhalb</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln values not above zero are not on the log axis</source>
        <translation>
            <numerusform>%Ln Wert nicht über null fehlt auf der log-Achse</numerusform>
            <numerusform>%Ln Werte nicht über null fehlen auf der log-Achse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points at or before 0 are not on the log axis</source>
        <translation>
            <numerusform>%Ln Punkt bei oder vor 0 fehlt auf der log-Achse</numerusform>
            <numerusform>%Ln Punkte bei oder vor 0 fehlen auf der log-Achse</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::DistributionView</name>
    <message>
        <source>minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::HeatStrip</name>
    <message>
        <source>%1, %2: lowest %3, median %4, highest %5</source>
        <translation>%1, %2: niedrigster Wert %3, Median %4, höchster Wert %5</translation>
    </message>
    <message>
        <source>%1 on %2, %3: %4</source>
        <translation>%1 auf %2, %3: %4</translation>
    </message>
    <message>
        <source>, %1 × the median</source>
        <translation>, %1 × der Median</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::HistogramView</name>
    <message>
        <source>no histograms</source>
        <translation>keine Histogramme</translation>
    </message>
    <message numerus="yes">
        <source>%n histograms, values %1 to %2</source>
        <translation>
            <numerusform>%n Histogramm, Werte %1 bis %2</numerusform>
            <numerusform>%n Histogramme, Werte %1 bis %2</numerusform>
        </translation>
    </message>
    <message>
        <source>No histograms yet</source>
        <translation>Noch keine Histogramme</translation>
    </message>
    <message>
        <source>%1 of %2 histograms are drawn</source>
        <translation>%1 von %2 Histogrammen werden gezeichnet</translation>
    </message>
    <message>
        <source>%1 · %2 values from %3 to %4 · %5 in all</source>
        <translation>%1 · %2 Werte von %3 bis %4 · insgesamt %5</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::InlineMessage</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::LogView</name>
    <message>
        <source>1 new line ↓</source>
        <translation>1 neue Zeile ↓</translation>
    </message>
    <message>
        <source>%1 new lines ↓</source>
        <translation>%1 neue Zeilen ↓</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::NavButton</name>
    <message numerus="yes">
        <source>, %n unread</source>
        <translation>
            <numerusform>, %n ungelesen</numerusform>
            <numerusform>, %n ungelesen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ParallelCoordinates</name>
    <message numerus="yes">
        <source>%n runs, %1 columns, %2 runs inside all ranges</source>
        <translation>
            <numerusform>%n Lauf, %1 Spalten, %2 Läufe innerhalb aller Bereiche</numerusform>
            <numerusform>%n Läufe, %1 Spalten, %2 Läufe innerhalb aller Bereiche</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::PictureView</name>
    <message>
        <source>The picture of step %1 in %2 cannot be shown: %3.</source>
        <translation>Das Bild von Schritt %1 in %2 kann nicht angezeigt werden: %3.</translation>
    </message>
    <message>
        <source>it has %1 bytes, the limit is %2</source>
        <translation>es hat %1 Bytes, die Grenze ist %2</translation>
    </message>
    <message>
        <source>the file ends inside of it</source>
        <translation>die Datei endet mitten darin</translation>
    </message>
    <message>
        <source>it is no PNG, JPEG, GIF, BMP or WebP</source>
        <translation>es ist kein PNG, JPEG, GIF, BMP oder WebP</translation>
    </message>
    <message>
        <source>it has %1 x %2 pixels</source>
        <translation>es hat %1 x %2 Pixel</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Noch keine Bilder</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1, %2 x %3 pixels</source>
        <translation>Schritt %1, %2 x %3 Pixel</translation>
    </message>
    <message>
        <source>Pause the picture (Space)</source>
        <translation>Bild anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Play the pictures (Space)</source>
        <translation>Bilder abspielen (Leertaste)</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::PlotCanvas</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ScatterPlot</name>
    <message numerus="yes">
        <source>%n runs, %1 against %2</source>
        <translation>
            <numerusform>%n Lauf, %1 gegen %2</numerusform>
            <numerusform>%n Läufe, %1 gegen %2</numerusform>
        </translation>
    </message>
    <message>
        <source>without a place here: %1</source>
        <translation>ohne Platz hier: %1</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 %5</source>
        <translation>%1: %2 %3, %4 %5</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::SweepPlot</name>
    <message>
        <source>No runs with these values</source>
        <translation>Keine Läufe mit diesen Werten</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::TextView</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>No text yet</source>
        <translation>Noch kein Text</translation>
    </message>
    <message>
        <source>link copied</source>
        <translation>Link kopiert</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 · cut</source>
        <translation>%1 · gekürzt</translation>
    </message>
    <message>
        <source>The text is longer than what is kept of it.</source>
        <translation>Der Text ist länger als das, was von ihm aufbewahrt wird.</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::TimelineView</name>
    <message>
        <source>%1 selected</source>
        <translation>%1 ausgewählt</translation>
    </message>
    <message>
        <source>%1 between the marks</source>
        <translation>%1 zwischen den Marken</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ValueTable</name>
    <message>
        <source>%1: values</source>
        <translation>%1: Werte</translation>
    </message>
    <message numerus="yes">
        <source>%n steps in sight</source>
        <translation>
            <numerusform>%n Schritt sichtbar</numerusform>
            <numerusform>%n Schritte sichtbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n steps in sight; the rest is in an export as CSV</source>
        <translation>
            <numerusform>Der erste sichtbare Schritt (%n); der Rest steht in einem Export als CSV</numerusform>
            <numerusform>Die ersten %n sichtbaren Schritte; der Rest steht in einem Export als CSV</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>trainyard::widgets::ValueTableModel</name>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
</context>
</TS>
