<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>app/desktop</name>
    <message>
        <source>alarm of the desktop</source>
        <translation>Alarm des Desktops</translation>
    </message>
    <message>
        <source>alarm: %1</source>
        <translation>Alarm: %1</translation>
    </message>
    <message>
        <source>%1 do not fit: %2 are free in %3</source>
        <translation>%1 passen nicht: in %3 sind %2 frei</translation>
    </message>
    <message>
        <source>resumed from checkpoint %1 of %2</source>
        <translation>fortgesetzt ab Checkpoint %1 von %2</translation>
    </message>
    <message>
        <source>a scenario without a name, a model or devices</source>
        <translation>ein Szenario ohne Namen, Modell oder Geräte</translation>
    </message>
    <message>
        <source>the model %1 is not known to this version: open its file instead</source>
        <translation>das Modell %1 ist dieser Version nicht bekannt: stattdessen seine Datei öffnen</translation>
    </message>
    <message>
        <source>the device %1 of %2 is not known to this version: choose another</source>
        <translation>das Gerät %1 von %2 ist dieser Version nicht bekannt: ein anderes wählen</translation>
    </message>
    <message>
        <source>%1 is there already: choose another folder or name</source>
        <translation>%1 ist schon vorhanden: einen anderen Ordner oder Namen wählen</translation>
    </message>
    <message>
        <source>%1 (touch)</source>
        <translation>%1 (Berührung)</translation>
    </message>
    <message>
        <source>%1 is not the copy of a run on another machine</source>
        <translation>%1 ist nicht die Kopie eines Laufs auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>the engine did not say what it would start</source>
        <translation>die Engine hat nicht gesagt, was sie starten würde</translation>
    </message>
    <message>
        <source>The measured peaks in %1 could not be removed: %2</source>
        <translation>Die gemessenen Spitzenleistungen in %1 konnten nicht entfernt werden: %2</translation>
    </message>
    <message>
        <source>%1 is UTF-16: save it as UTF-8</source>
        <translation>%1 ist UTF-16: als UTF-8 speichern</translation>
    </message>
    <message>
        <source>a line of %1 cannot be read and is left out: line %2</source>
        <translation>eine Zeile von %1 ist nicht lesbar und wird ausgelassen: Zeile %2</translation>
    </message>
    <message>
        <source>%1 lines of %2 cannot be read and are left out: the first is line %3</source>
        <translation>%1 Zeilen von %2 sind nicht lesbar und werden ausgelassen: die erste ist Zeile %3</translation>
    </message>
    <message>
        <source>line %1 of %2 is not UTF-8: save the file as UTF-8</source>
        <translation>Zeile %1 von %2 ist kein UTF-8: die Datei als UTF-8 speichern</translation>
    </message>
    <message>
        <source>%1 has no log_history, where the trainer of transformers writes its curves</source>
        <translation>%1 enthält kein log_history, in das der Trainer von transformers seine Kurven schreibt</translation>
    </message>
    <message>
        <source>%1 is cut off or damaged at byte %2: everything before it is shown</source>
        <translation>%1 ist ab Byte %2 abgeschnitten oder beschädigt: alles davor wird gezeigt</translation>
    </message>
    <message>
        <source>%1 cannot be read: it is not whole, or no JSON</source>
        <translation>%1 kann nicht gelesen werden: die Datei ist nicht vollständig oder kein JSON</translation>
    </message>
    <message>
        <source>%1 has a record of more than %2 MB at byte %3: everything before it is shown</source>
        <translation>%1 enthält bei Byte %3 einen Datensatz von mehr als %2 MB: alles davor wird gezeigt</translation>
    </message>
    <message>
        <source>%1 is no file of Weights &amp; Biases</source>
        <translation>%1 ist keine Datei von Weights &amp; Biases</translation>
    </message>
    <message>
        <source>%1 is damaged at byte %2: everything before it is shown</source>
        <translation>%1 ist bei Byte %2 beschädigt: alles davor wird gezeigt</translation>
    </message>
    <message>
        <source>The preset %1 is left out: %2</source>
        <translation>Die Voreinstellung %1 wird ausgelassen: %2</translation>
    </message>
    <message>
        <source>A preset needs a name with a letter or digit in it</source>
        <translation>Eine Voreinstellung braucht einen Namen mit einem Buchstaben oder einer Ziffer</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: %2</source>
        <translation>%1 kann nicht gelöscht werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: it is not there any more</source>
        <translation>%1 kann nicht gelöscht werden: nicht mehr vorhanden</translation>
    </message>
    <message>
        <source>%1 is set in front of the command: settings do not hold environment variables</source>
        <translation>%1 steht vor dem Befehl: Einstellungen enthalten keine Umgebungsvariablen</translation>
    </message>
    <message>
        <source>--config_file %1 was not read: open that file first, then paste the command</source>
        <translation>--config_file %1 wurde nicht gelesen: zuerst diese Datei öffnen, dann den Befehl einfügen</translation>
    </message>
    <message>
        <source>--%1 stands only on a command line: no settings file holds it</source>
        <translation>--%1 steht nur auf der Befehlszeile: keine Einstellungsdatei enthält es</translation>
    </message>
    <message>
        <source>--%1 belongs to the program</source>
        <translation>--%1 gehört zum Programm</translation>
    </message>
    <message>
        <source>-%1 belongs to the program</source>
        <translation>-%1 gehört zum Programm</translation>
    </message>
    <message>
        <source>--%1 stands at the end of the command: a value must follow</source>
        <translation>--%1 steht am Ende des Befehls: ein Wert muss folgen</translation>
    </message>
    <message>
        <source>--nproc_per_node %1 is counted where it runs: the number of processes stays as it is</source>
        <translation>--nproc_per_node %1 wird dort gezählt, wo es läuft: die Anzahl der Prozesse bleibt, wie sie ist</translation>
    </message>
    <message>
        <source>--%1 %2 stands only on a command line: no settings file holds it</source>
        <translation>--%1 %2 steht nur auf der Befehlszeile: keine Einstellungsdatei enthält es</translation>
    </message>
    <message>
        <source>--%1 is torchrun's own: it is left out</source>
        <translation>--%1 ist nur für torchrun: es wird ausgelassen</translation>
    </message>
    <message>
        <source>--%1 '%2' is not a whole number</source>
        <translation>--%1 '%2' ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>--nnodes '%1' is not a number of machines</source>
        <translation>--nnodes '%1' ist keine Anzahl von Maschinen</translation>
    </message>
    <message>
        <source>--nnodes %1 lets the number of machines change: the larger one is taken</source>
        <translation>--nnodes %1 lässt die Anzahl der Maschinen wechseln: die größere wird genommen</translation>
    </message>
    <message>
        <source>the command has a quote %1 that does not end</source>
        <translation>der Befehl hat ein Anführungszeichen %1, das nicht geschlossen wird</translation>
    </message>
    <message>
        <source>The clipboard is empty: copy a launch command, a settings file or a DeepSpeed JSON first</source>
        <translation>Die Zwischenablage ist leer: zuerst einen Startbefehl, eine Einstellungsdatei oder ein DeepSpeed-JSON kopieren</translation>
    </message>
    <message>
        <source>The clipboard's JSON cannot be read: %1</source>
        <translation>Das JSON der Zwischenablage kann nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>The clipboard holds no launch command, settings file or DeepSpeed JSON: copy one of them and try again</source>
        <translation>Die Zwischenablage enthält weder Startbefehl noch Einstellungsdatei noch DeepSpeed-JSON: eines davon kopieren und erneut versuchen</translation>
    </message>
</context>
<context>
    <name>app/remote</name>
    <message>
        <source>no socket for the agent: %1</source>
        <translation>kein Socket für den Agenten: %1</translation>
    </message>
    <message>
        <source>no agent is used: IdentityAgent is none</source>
        <translation>es wird kein Agent benutzt: IdentityAgent ist none</translation>
    </message>
    <message>
        <source>there is no agent: SSH_AUTH_SOCK is not set</source>
        <translation>es gibt keinen Agenten: SSH_AUTH_SOCK ist nicht gesetzt</translation>
    </message>
    <message>
        <source>the agent's socket %1 has too long a path</source>
        <translation>der Pfad des Agent-Sockets %1 ist zu lang</translation>
    </message>
    <message>
        <source>the agent at %1 does not answer: %2</source>
        <translation>der Agent unter %1 antwortet nicht: %2</translation>
    </message>
    <message>
        <source>the agent at %1 does not tell which keys it has: is it locked?</source>
        <translation>der Agent unter %1 sagt nicht, welche Schlüssel er hat: ist er gesperrt?</translation>
    </message>
    <message>
        <source>nothing (the server asks for nothing)</source>
        <translation>nichts (der Server verlangt nichts)</translation>
    </message>
    <message>
        <source>the server takes: %1</source>
        <translation>der Server nimmt an: %1</translation>
    </message>
    <message>
        <source>one way was taken, the server wants another one, too</source>
        <translation>ein Verfahren wurde angenommen, der Server verlangt noch ein weiteres</translation>
    </message>
    <message>
        <source>%1: the server did not answer within %2 while logging in</source>
        <translation>%1: der Server antwortete während der Anmeldung nicht innerhalb von %2</translation>
    </message>
    <message>
        <source>%1: the server hung up after too many attempts to log in as '%2' (%3): name the one right key with IdentityFile and IdentitiesOnly yes in %4</source>
        <translation>%1: der Server hat nach zu vielen Anmeldeversuchen als '%2' aufgelegt (%3): den einen richtigen Schlüssel mit IdentityFile und IdentitiesOnly yes in %4 angeben</translation>
    </message>
    <message>
        <source>the server hung up: too many attempts</source>
        <translation>der Server hat aufgelegt: zu viele Versuche</translation>
    </message>
    <message>
        <source>logging in ended: %1</source>
        <translation>die Anmeldung endete: %1</translation>
    </message>
    <message>
        <source>%1: '%2' is not let in. The server takes %3; we had nothing of that to offer</source>
        <translation>%1: '%2' wird nicht eingelassen. Der Server nimmt %3 an; davon war nichts anzubieten</translation>
    </message>
    <message>
        <source>%1: '%2' is not let in. The server takes %3; it refused %4</source>
        <translation>%1: '%2' wird nicht eingelassen. Der Server nimmt %3 an; abgelehnt wurde %4</translation>
    </message>
    <message>
        <source>: put a public key of yours into ~/.ssh/authorized_keys of that account, or check the user's name</source>
        <translation>: einen eigenen öffentlichen Schlüssel in ~/.ssh/authorized_keys dieses Kontos eintragen oder den Benutzernamen prüfen</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>public keys</source>
        <translation>öffentliche Schlüssel</translation>
    </message>
    <message>
        <source>Kerberos (not supported here)</source>
        <translation>Kerberos (hier nicht unterstützt)</translation>
    </message>
    <message>
        <source>host-based (not supported here)</source>
        <translation>hostbasiert (hier nicht unterstützt)</translation>
    </message>
    <message>
        <source>nothing we know</source>
        <translation>nichts Bekanntes</translation>
    </message>
    <message>
        <source>%1: taken</source>
        <translation>%1: angenommen</translation>
    </message>
    <message>
        <source>%1: taken, more is wanted</source>
        <translation>%1: angenommen, mehr wird verlangt</translation>
    </message>
    <message>
        <source>%1: refused</source>
        <translation>%1: abgelehnt</translation>
    </message>
    <message>
        <source>it is not there</source>
        <translation>nicht vorhanden</translation>
    </message>
    <message>
        <source>the key %1 is not used: %2</source>
        <translation>der Schlüssel %1 wird nicht benutzt: %2</translation>
    </message>
    <message>
        <source>touch your security key (%1)</source>
        <translation>Sicherheitsschlüssel berühren (%1)</translation>
    </message>
    <message>
        <source>agent: %1 %2</source>
        <translation>Agent: %1 %2</translation>
    </message>
    <message>
        <source>agent: %1 %2 (%3)</source>
        <translation>Agent: %1 %2 (%3)</translation>
    </message>
    <message>
        <source>key: %1</source>
        <translation>Schlüssel: %1</translation>
    </message>
    <message>
        <source>keys of type %1 are not supported from a file: use ssh-agent</source>
        <translation>Schlüssel vom Typ %1 werden aus einer Datei nicht unterstützt: ssh-agent verwenden</translation>
    </message>
    <message>
        <source>with its certificate</source>
        <translation>mit seinem Zertifikat</translation>
    </message>
    <message>
        <source>its format cannot be read</source>
        <translation>sein Format ist nicht lesbar</translation>
    </message>
    <message>
        <source>nobody could be asked for its passphrase: ssh-add %1</source>
        <translation>niemand konnte nach seiner Passphrase gefragt werden: ssh-add %1</translation>
    </message>
    <message>
        <source>the passphrase was wrong three times</source>
        <translation>die Passphrase war dreimal falsch</translation>
    </message>
    <message>
        <source>passwords in memory are not locked (%1), so the system may write them to swap: raise the limit on locked memory (ulimit -l)</source>
        <translation>Kennwörter im Speicher sind nicht gesperrt (%1), das System kann sie daher auslagern: die Grenze für gesperrten Speicher erhöhen (ulimit -l)</translation>
    </message>
    <message>
        <source>%1: cancelled</source>
        <translation>%1: abgebrochen</translation>
    </message>
    <message>
        <source>the %1 is not kept: %2</source>
        <translation>%1 wird nicht aufbewahrt: %2</translation>
    </message>
    <message>
        <source>the password of the key ring</source>
        <translation>das Passwort aus dem Schlüsselbund</translation>
    </message>
    <message>
        <source>logged in as %1 by %2</source>
        <translation>angemeldet als %1 mit %2</translation>
    </message>
    <message>
        <source>libcrypto cannot compute SHA-256 here</source>
        <translation>libcrypto kann hier kein SHA-256 berechnen</translation>
    </message>
    <message>
        <source>%1 is not there: hosts need it beside this program</source>
        <translation>%1 ist nicht vorhanden: Hosts brauchen es neben diesem Programm</translation>
    </message>
    <message>
        <source>%1 needs %2, which is not on this machine</source>
        <translation>%1 braucht %2, das auf diesem Rechner fehlt</translation>
    </message>
    <message>
        <source>%1 needs %2, which is not on this machine: hosts do without it</source>
        <translation>%1 braucht %2, das auf diesem Rechner fehlt: Hosts kommen ohne es aus</translation>
    </message>
    <message>
        <source>%1 could not be asked what it has: %2 (%3)</source>
        <translation>%1 konnte nicht abgefragt werden: %2 (%3)</translation>
    </message>
    <message>
        <source>%1 has an %2 processor, this Trainyard is built for %3: build Trainyard there and name it as the host's engine</source>
        <translation>%1 hat einen Prozessor vom Typ %2, dieses Trainyard ist für %3 gebaut: Trainyard dort bauen und als Engine des Hosts angeben</translation>
    </message>
    <message>
        <source>%1 has no glibc (a musl system?), this Trainyard needs glibc %2 or newer: build Trainyard there and name it as the host's engine</source>
        <translation>%1 hat keine glibc (ein musl-System?), dieses Trainyard braucht glibc %2 oder neuer: Trainyard dort bauen und als Engine des Hosts angeben</translation>
    </message>
    <message>
        <source>%1 has glibc %2, this Trainyard needs %3 or newer: build Trainyard on a system as old as that of %4, or build it there and name it as the host's engine</source>
        <translation>%1 hat glibc %2, dieses Trainyard braucht %3 oder neuer: Trainyard auf einem ebenso alten System wie dem von %4 bauen, oder es dort bauen und als Engine des Hosts angeben</translation>
    </message>
    <message>
        <source>%1 has %2 free for %3, the engine needs %4: make room there, or set XDG_CACHE_HOME in the host's environment</source>
        <translation>%1 hat %2 frei für %3, die Engine braucht %4: dort Platz schaffen oder XDG_CACHE_HOME in der Umgebung des Hosts setzen</translation>
    </message>
    <message>
        <source>%1 has no program for SHA-256 (sha256sum, shasum or openssl): install its coreutils</source>
        <translation>%1 hat kein Programm für SHA-256 (sha256sum, shasum oder openssl): die coreutils dort installieren</translation>
    </message>
    <message>
        <source>the engine could not be put into %1 on %2: %3</source>
        <translation>die Engine konnte nicht in %1 auf %2 abgelegt werden: %3</translation>
    </message>
    <message>
        <source>%1 files of the engine arrived damaged on %2 twice: look at its disk</source>
        <translation>%1 Dateien der Engine kamen auf %2 zweimal beschädigt an: die Platte dort prüfen</translation>
    </message>
    <message>
        <source>%1: the server did not open a channel within %2</source>
        <translation>%1: der Server öffnete innerhalb von %2 keinen Kanal</translation>
    </message>
    <message>
        <source>%1: the server lets no command run: %2: are there too many sessions over one connection (MaxSessions)?</source>
        <translation>%1: der Server lässt keinen Befehl laufen: %2: gibt es zu viele Sitzungen über eine Verbindung (MaxSessions)?</translation>
    </message>
    <message>
        <source>%1: the server did not start a command within %2</source>
        <translation>%1: der Server startete innerhalb von %2 keinen Befehl</translation>
    </message>
    <message>
        <source>%1: its SSH server offers no file transfer: sshd_config needs 'Subsystem sftp internal-sftp'</source>
        <translation>%1: sein SSH-Server bietet keine Dateiübertragung an: sshd_config braucht 'Subsystem sftp internal-sftp'</translation>
    </message>
    <message>
        <source>%1: the server refuses to run commands for '%2'</source>
        <translation>%1: der Server verweigert '%2' das Ausführen von Befehlen</translation>
    </message>
    <message>
        <source>%1: a command printed more than 64 MB</source>
        <translation>%1: ein Befehl hat mehr als 64 MB ausgegeben</translation>
    </message>
    <message>
        <source>%1: a command did not end within %2</source>
        <translation>%1: ein Befehl endete nicht innerhalb von %2</translation>
    </message>
    <message>
        <source>checkpoint.resume_from: %1 is a folder of this machine and cannot be copied to %2: %3: bring it to the same path there, or name a checkpoint that all hosts have</source>
        <translation>checkpoint.resume_from: %1 ist ein Ordner dieses Rechners und kann nicht auf %2 kopiert werden: %3: ihn dort unter demselben Pfad ablegen oder einen Checkpoint angeben, den alle Hosts haben</translation>
    </message>
    <message>
        <source>it has %1, and %2 are free there</source>
        <translation>er hat %1, und dort sind %2 frei</translation>
    </message>
    <message>
        <source>getent hosts %1</source>
        <translation>getent hosts %1</translation>
    </message>
    <message>
        <source>%1: the name service did not answer for '%2' within %3: is the network up?</source>
        <translation>%1: der Namensdienst antwortete für '%2' nicht innerhalb von %3: ist das Netz verfügbar?</translation>
    </message>
    <message>
        <source>%1: the name service cannot look up '%2' at the moment: is the network up?</source>
        <translation>%1: der Namensdienst kann '%2' derzeit nicht nachschlagen: ist das Netz verfügbar?</translation>
    </message>
    <message>
        <source>%1: there is no address for the name '%2': is it spelled right, is it in ~/.ssh/config or DNS?</source>
        <translation>%1: zum Namen '%2' gibt es keine Adresse: ist er richtig geschrieben, steht er in ~/.ssh/config oder im DNS?</translation>
    </message>
    <message>
        <source>%1: nothing listens on port %2: does sshd run there, and is the port right?</source>
        <translation>%1: auf Port %2 lauscht nichts: läuft dort sshd, und stimmt der Port?</translation>
    </message>
    <message>
        <source>%1: no answer within %2: is the host up, and does a firewall let port %3 through?</source>
        <translation>%1: keine Antwort innerhalb von %2: läuft der Host, und lässt eine Firewall Port %3 durch?</translation>
    </message>
    <message>
        <source>%1: there is no way to it through the network (%2): is this machine in the right network or VPN?</source>
        <translation>%1: im Netz führt kein Weg dorthin (%2): ist dieser Rechner im richtigen Netz oder VPN?</translation>
    </message>
    <message>
        <source>ip route get %1</source>
        <translation>ip route get %1</translation>
    </message>
    <message>
        <source>%1: it cannot be reached: %2</source>
        <translation>%1: nicht erreichbar: %2</translation>
    </message>
    <message>
        <source>%1: BindAddress %2 of ssh_config is no address of this machine</source>
        <translation>%1: BindAddress %2 aus ssh_config ist keine Adresse dieses Rechners</translation>
    </message>
    <message>
        <source>connect to %1 port %2: connected</source>
        <translation>Verbindung zu %1 Port %2: verbunden</translation>
    </message>
    <message>
        <source>connect to %1 port %2: %3</source>
        <translation>Verbindung zu %1 Port %2: %3</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended with exit status %2</source>
        <translation>der ProxyCommand '%1' endete mit Exit-Status %2</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended with exit status %2: %3</source>
        <translation>der ProxyCommand '%1' endete mit Exit-Status %2: %3</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended</source>
        <translation>der ProxyCommand '%1' endete</translation>
    </message>
    <message>
        <source>the ProxyCommand '%1' ended: %2</source>
        <translation>der ProxyCommand '%1' endete: %2</translation>
    </message>
    <message>
        <source>%1: no socket for its ProxyCommand: %2</source>
        <translation>%1: kein Socket für seinen ProxyCommand: %2</translation>
    </message>
    <message>
        <source>%1: its ProxyCommand '%2' cannot be started: %3</source>
        <translation>%1: sein ProxyCommand '%2' lässt sich nicht starten: %3</translation>
    </message>
    <message>
        <source>ProxyCommand %1 started</source>
        <translation>ProxyCommand %1 gestartet</translation>
    </message>
    <message>
        <source>%1 is no 64-bit ELF file, or is damaged</source>
        <translation>%1 ist keine 64-Bit-ELF-Datei oder ist beschädigt</translation>
    </message>
    <message>
        <source>ELF machine %1</source>
        <translation>ELF-Maschine %1</translation>
    </message>
    <message>
        <source>%1 more problems like these</source>
        <translation>%1 weitere Probleme dieser Art</translation>
    </message>
    <message>
        <source>%1: files are left out whose names contain control characters or are not UTF-8: %2</source>
        <translation>%1: Dateien, deren Namen Steuerzeichen enthalten oder nicht UTF-8 sind, werden ausgelassen: %2</translation>
    </message>
    <message>
        <source>%1 is not looked into: it is more than %2 folders deep</source>
        <translation>%1 wird nicht durchsucht: Es liegt mehr als %2 Ordner tief</translation>
    </message>
    <message>
        <source>%1 is left out: its path is too long</source>
        <translation>%1 wird ausgelassen: der Pfad ist zu lang</translation>
    </message>
    <message>
        <source>%1 is limited to %2 MB of file names</source>
        <translation>%1 ist auf %2 MB an Dateinamen begrenzt</translation>
    </message>
    <message>
        <source>nvidia-smi did not answer within 4 s: the driver hangs</source>
        <translation>nvidia-smi antwortete nicht innerhalb von 4 s: der Treiber hängt</translation>
    </message>
    <message>
        <source>nvidia-smi failed without a word</source>
        <translation>nvidia-smi schlug ohne Meldung fehl</translation>
    </message>
    <message>
        <source>Intel GPU %1</source>
        <translation>Intel-GPU %1</translation>
    </message>
    <message>
        <source>%1 did not say what it has: the answer of its shell was cut short</source>
        <translation>%1 gab keine vollständige Auskunft: die Antwort seiner Shell war abgeschnitten</translation>
    </message>
    <message>
        <source>this machine cannot be asked: /bin/sh could not be started</source>
        <translation>dieser Rechner kann nicht abgefragt werden: /bin/sh ließ sich nicht starten</translation>
    </message>
    <message>
        <source>this machine did not say what it has within 20 s: `df` or `nvidia-smi` hangs</source>
        <translation>dieser Rechner gab innerhalb von 20 s keine Auskunft: `df` oder `nvidia-smi` hängt</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>%1 answered with a line of more than 8 MB</source>
        <translation>%1 antwortete mit einer Zeile von mehr als 8 MB</translation>
    </message>
    <message>
        <source>`trainyard probe` ended on %1 before it answered</source>
        <translation>`trainyard probe` endete auf %1, bevor es antwortete</translation>
    </message>
    <message>
        <source>%1 did not answer for %2 s</source>
        <translation>%1 antwortete %2 s lang nicht</translation>
    </message>
    <message>
        <source>%1: the key is not remembered, as %2 says something else about this host: when the new key is right, take that line out first</source>
        <translation>%1: der Schlüssel wird nicht gespeichert, da %2 etwas anderes über diesen Host sagt: wenn der neue Schlüssel stimmt, zuerst diese Zeile entfernen</translation>
    </message>
    <message>
        <source>%1 could not be started</source>
        <translation>%1 ließ sich nicht starten</translation>
    </message>
    <message>
        <source>the program on this machine ended</source>
        <translation>das Programm auf diesem Rechner endete</translation>
    </message>
    <message>
        <source>%1 took too long on this machine</source>
        <translation>%1 dauerte auf diesem Rechner zu lange</translation>
    </message>
    <message>
        <source>a table with the key 'hosts' was expected, not %1</source>
        <translation>erwartet wurde eine Tabelle mit dem Schlüssel 'hosts', nicht %1</translation>
    </message>
    <message>
        <source>a list of hosts was expected, not %1</source>
        <translation>erwartet wurde eine Liste von Hosts, nicht %1</translation>
    </message>
    <message>
        <source>a text was expected, not %1</source>
        <translation>erwartet wurde ein Text, nicht %1</translation>
    </message>
    <message>
        <source>a table with the key 'name' was expected, not %1</source>
        <translation>erwartet wurde eine Tabelle mit dem Schlüssel 'name', nicht %1</translation>
    </message>
    <message>
        <source>the host '%1' is there twice</source>
        <translation>der Host '%1' kommt zweimal vor</translation>
    </message>
    <message>
        <source>a whole number was expected, not %1</source>
        <translation>erwartet wurde eine ganze Zahl, nicht %1</translation>
    </message>
    <message>
        <source>true or false was expected, not %1</source>
        <translation>erwartet wurde true oder false, nicht %1</translation>
    </message>
    <message>
        <source>a table of variables was expected, not %1</source>
        <translation>erwartet wurde eine Tabelle von Variablen, nicht %1</translation>
    </message>
    <message>
        <source># Hosts of Trainyard. Those of ~/.ssh/config need not be here.</source>
        <translation># Hosts of Trainyard. Those of ~/.ssh/config need not be here.</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>a host needs a name</source>
        <translation>ein Host braucht einen Namen</translation>
    </message>
    <message>
        <source>host %1...: a host name has at most 253 letters</source>
        <translation>Host %1...: ein Hostname hat höchstens 253 Zeichen</translation>
    </message>
    <message>
        <source>%1a host name begins with a letter or a digit</source>
        <translation>%1ein Hostname beginnt mit einem Buchstaben oder einer Ziffer</translation>
    </message>
    <message>
        <source>%1a host name may not contain `:`: a port is a field of its own</source>
        <translation>%1ein Hostname darf kein `:` enthalten: ein Port ist ein eigenes Feld</translation>
    </message>
    <message>
        <source>%1a host name may not contain `_`: did you mean %2?</source>
        <translation>%1ein Hostname darf kein `_` enthalten: war %2 gemeint?</translation>
    </message>
    <message>
        <source>%1a host name may not contain `@`: the user is a field of its own</source>
        <translation>%1ein Hostname darf kein `@` enthalten: der Benutzer ist ein eigenes Feld</translation>
    </message>
    <message>
        <source>blanks or special letters</source>
        <translation>Leerzeichen oder Sonderzeichen</translation>
    </message>
    <message>
        <source>%1a host name may not contain `%2`</source>
        <translation>%1ein Hostname darf kein `%2` enthalten</translation>
    </message>
    <message>
        <source>%1a host name may not contain %2</source>
        <translation>%1ein Hostname darf keine %2 enthalten</translation>
    </message>
    <message>
        <source>host %1: the name has blanks, slashes, quotes, `@`, `,`, wildcards or characters that a shell interprets in it, or begins with a dash</source>
        <translation>Host %1: der Name enthält Leerzeichen, Schrägstriche, Anführungszeichen, `@`, `,`, Platzhalter oder Zeichen, die eine Shell auswertet, oder beginnt mit einem Bindestrich</translation>
    </message>
    <message>
        <source>host %1: a port is a number from 1 to 65535, not %2</source>
        <translation>Host %1: ein Port ist eine Zahl von 1 bis 65535, nicht %2</translation>
    </message>
    <message>
        <source>host %1: '%2' is not a valid user name</source>
        <translation>Rechner %1: '%2' ist kein gültiger Benutzername</translation>
    </message>
    <message>
        <source>host %1: %2</source>
        <translation>Host %1: %2</translation>
    </message>
    <message>
        <source>host %1: %2 has line ends or control letters in it</source>
        <translation>Host %1: %2 enthält Zeilenenden oder Steuerzeichen</translation>
    </message>
    <message>
        <source>host %1: %2 has to begin with / or ~/, as it means a place on the host</source>
        <translation>Host %1: %2 muss mit / oder ~/ beginnen, da es einen Ort auf dem Host bezeichnet</translation>
    </message>
    <message>
        <source>host %1: max_gpus is a number from 0 to 1024, not %2</source>
        <translation>Host %1: max_gpus ist eine Zahl von 0 bis 1024, nicht %2</translation>
    </message>
    <message>
        <source>host %1: '%2' cannot be the name of an environment variable</source>
        <translation>Host %1: '%2' kann kein Name einer Umgebungsvariablen sein</translation>
    </message>
    <message>
        <source>host %1: the value of %2 has a NUL byte in it</source>
        <translation>Host %1: der Wert von %2 enthält ein NUL-Byte</translation>
    </message>
    <message>
        <source>host %1: %2 is a whole number, not '%3'</source>
        <translation>Host %1: %2 ist eine ganze Zahl, nicht '%3'</translation>
    </message>
    <message>
        <source>host %1: use is true or false, not '%2'</source>
        <translation>Host %1: use ist true oder false, nicht '%2'</translation>
    </message>
    <message>
        <source>host %1: unknown key '%2'%3</source>
        <translation>Host %1: unbekannter Schlüssel '%2'%3</translation>
    </message>
    <message>
        <source>%1 has been changed by another program meanwhile: nothing was saved, try again</source>
        <translation>%1 wurde inzwischen von einem anderen Programm geändert: nichts wurde gespeichert, erneut versuchen</translation>
    </message>
    <message>
        <source>it is no file</source>
        <translation>keine Datei</translation>
    </message>
    <message>
        <source>other users can read it: chmod 600 %1</source>
        <translation>andere Benutzer können sie lesen: chmod 600 %1</translation>
    </message>
    <message>
        <source>it is no private key</source>
        <translation>kein privater Schlüssel</translation>
    </message>
    <message>
        <source>, as seen from the jump host %1</source>
        <translation>, vom Jump-Host %1 aus gesehen</translation>
    </message>
    <message>
        <source>%1: this jump host does not connect us to %2: its sshd_config has to allow TCP forwarding (AllowTcpForwarding, PermitOpen)</source>
        <translation>%1: dieser Jump-Host verbindet nicht weiter zu %2: seine sshd_config muss TCP-Weiterleitung erlauben (AllowTcpForwarding, PermitOpen)</translation>
    </message>
    <message>
        <source>%1: nothing listens on port %2</source>
        <translation>%1: auf Port %2 lauscht nichts</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>timed out</translation>
    </message>
    <message>
        <source>%1: no answer%2</source>
        <translation>%1: keine Antwort%2</translation>
    </message>
    <message>
        <source>%1: there is no way to it through the network%2</source>
        <translation>%1: im Netz führt kein Weg dorthin%2</translation>
    </message>
    <message>
        <source>Name or service</source>
        <translation>Name or service</translation>
    </message>
    <message>
        <source>Unknown host</source>
        <translation>Unknown host</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>not known</translation>
    </message>
    <message>
        <source>name resolution</source>
        <translation>name resolution</translation>
    </message>
    <message>
        <source>%1: there is no address for the name '%2'%3</source>
        <translation>%1: zum Namen '%2' gibt es keine Adresse%3</translation>
    </message>
    <message>
        <source>%1: it cannot be reached%2: %3</source>
        <translation>%1: nicht erreichbar%2: %3</translation>
    </message>
    <message>
        <source>%1: no socket for its jump host: %2</source>
        <translation>%1: kein Socket für seinen Jump-Host: %2</translation>
    </message>
    <message>
        <source>%1: no answer within %2, as seen from the jump host %3: is the host up?</source>
        <translation>%1: keine Antwort innerhalb von %2, vom Jump-Host %3 aus gesehen: läuft der Host?</translation>
    </message>
    <message>
        <source>there is no key ring: no desktop session is under way (DBUS_SESSION_BUS_ADDRESS is not set)</source>
        <translation>es gibt keinen Schlüsselbund: keine Desktop-Sitzung läuft (DBUS_SESSION_BUS_ADDRESS ist nicht gesetzt)</translation>
    </message>
    <message>
        <source>there is no key ring: libsecret is not installed (Debian: libsecret-1-0)</source>
        <translation>es gibt keinen Schlüsselbund: libsecret ist nicht installiert (Debian: libsecret-1-0)</translation>
    </message>
    <message>
        <source>the key ring cannot be used: libsecret has no %1</source>
        <translation>der Schlüsselbund ist nicht verwendbar: libsecret hat kein %1</translation>
    </message>
    <message>
        <source>it did not say why</source>
        <translation>er nannte keinen Grund</translation>
    </message>
    <message>
        <source>the key ring does not answer: %1</source>
        <translation>der Schlüsselbund antwortet nicht: %1</translation>
    </message>
    <message>
        <source>Trainyard: %1 of %2</source>
        <translation>Trainyard: %1 of %2</translation>
    </message>
    <message>
        <source>the key ring did not keep it: %1</source>
        <translation>der Schlüsselbund hat es nicht aufbewahrt: %1</translation>
    </message>
    <message>
        <source>%1 is a key revocation list that ssh-keygen did not read</source>
        <translation>%1 ist eine Sperrliste, die ssh-keygen nicht gelesen hat</translation>
    </message>
    <message>
        <source>%1 is a key revocation list that ssh-keygen did not read: %2</source>
        <translation>%1 ist eine Sperrliste, die ssh-keygen nicht gelesen hat: %2</translation>
    </message>
    <message>
        <source>%1:%2 is not a public key</source>
        <translation>%1:%2 ist kein öffentlicher Schlüssel</translation>
    </message>
    <message>
        <source>the system gives no random numbers, which hashed names of known_hosts need</source>
        <translation>das System liefert keine Zufallszahlen, die gehashte Namen in known_hosts brauchen</translation>
    </message>
    <message>
        <source>the order of a launch</source>
        <translation>der Auftrag eines Starts</translation>
    </message>
    <message>
        <source>has %1 %2, the launching machine has %3: install the same version on both, or leave out the host's engine so that ours is brought along</source>
        <translation>hat %1 %2, der startende Rechner hat %3: auf beiden dieselbe Version installieren oder die Engine des Hosts weglassen, damit unsere mitgebracht wird</translation>
    </message>
    <message>
        <source>the host's answer</source>
        <translation>die Antwort des Hosts</translation>
    </message>
    <message>
        <source>cannot make an event descriptor: %1</source>
        <translation>Event-Deskriptor kann nicht angelegt werden: %1</translation>
    </message>
    <message>
        <source>the other side closed it</source>
        <translation>die Gegenseite hat sie geschlossen</translation>
    </message>
    <message>
        <source>connection lost: %1</source>
        <translation>Verbindung verloren: %1</translation>
    </message>
    <message>
        <source>%1: the connection is lost: %2</source>
        <translation>%1: die Verbindung ist verloren: %2</translation>
    </message>
    <message>
        <source>nothing was heard for %1</source>
        <translation>seit %1 kam keine Nachricht</translation>
    </message>
    <message>
        <source>%1: these settings cannot be used: %2</source>
        <translation>%1: diese Einstellungen sind nicht verwendbar: %2</translation>
    </message>
    <message>
        <source>%1 '%2' of ssh_config is not followed: %3</source>
        <translation>%1 '%2' aus ssh_config wird nicht befolgt: %3</translation>
    </message>
    <message>
        <source>%1: RequiredRSASize %2 of ssh_config cannot be used: %3</source>
        <translation>%1: RequiredRSASize %2 aus ssh_config ist nicht verwendbar: %3</translation>
    </message>
    <message>
        <source>%1: no answer from its SSH server within %2: the connection was taken, but nothing speaks SSH behind it in time</source>
        <translation>%1: keine Antwort seines SSH-Servers innerhalb von %2: die Verbindung wurde angenommen, aber dahinter spricht nichts rechtzeitig SSH</translation>
    </message>
    <message>
        <source>no key exchange: %1</source>
        <translation>kein Schlüsselaustausch: %1</translation>
    </message>
    <message>
        <source>%1: the other side hung up before it said that it speaks SSH: is the port right, and does the server let this machine in?</source>
        <translation>%1: die Gegenseite hat aufgelegt, bevor sie sich als SSH-Server meldete: stimmt der Port, und lässt der Server diesen Rechner zu?</translation>
    </message>
    <message>
        <source>%1: the server hung up while keys were exchanged: %2</source>
        <translation>%1: der Server hat während des Schlüsselaustauschs aufgelegt: %2</translation>
    </message>
    <message>
        <source>%1: no SSH connection can be made to what answers there: %2</source>
        <translation>%1: mit dem, was dort antwortet, ist keine SSH-Verbindung möglich: %2</translation>
    </message>
    <message>
        <source>server: %1</source>
        <translation>Server: %1</translation>
    </message>
    <message>
        <source>key exchange: %1, %2</source>
        <translation>Schlüsselaustausch: %1, %2</translation>
    </message>
    <message>
        <source>did not end within %1</source>
        <translation>ist nicht innerhalb von %1 zu Ende gegangen</translation>
    </message>
    <message>
        <source>cannot be started</source>
        <translation>lässt sich nicht starten</translation>
    </message>
    <message>
        <source>ended with an error</source>
        <translation>endete mit einem Fehler</translation>
    </message>
    <message>
        <source>%1: the KnownHostsCommand '%2' of ssh_config %3, and without it host keys cannot be checked</source>
        <translation>%1: KnownHostsCommand '%2' aus ssh_config %3; ohne ihn lassen sich Hostschlüssel nicht prüfen</translation>
    </message>
    <message>
        <source>%1: the KnownHostsCommand '%2' of ssh_config %3: %4, and without it host keys cannot be checked</source>
        <translation>%1: KnownHostsCommand '%2' aus ssh_config %3: %4; ohne ihn lassen sich Hostschlüssel nicht prüfen</translation>
    </message>
    <message>
        <source>KnownHostsCommand %1 was asked for %2</source>
        <translation>KnownHostsCommand %1 wurde nach %2 gefragt</translation>
    </message>
    <message>
        <source>%1: the server showed no host key</source>
        <translation>%1: der Server zeigte keinen Host-Schlüssel</translation>
    </message>
    <message>
        <source>%1: the server's host key cannot be read</source>
        <translation>%1: der Host-Schlüssel des Servers ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1 key %2</source>
        <translation>%1-Schlüssel %2</translation>
    </message>
    <message>
        <source>host key: %1</source>
        <translation>Host-Schlüssel: %1</translation>
    </message>
    <message>
        <source>%1: RevokedHostKeys of ssh_config cannot be used, so no host key is accepted: %2: repair or create the file, or remove the line from ssh_config</source>
        <translation>%1: RevokedHostKeys aus ssh_config ist nicht verwendbar, daher wird kein Hostschlüssel angenommen: %2: die Datei reparieren oder anlegen oder die Zeile aus ssh_config entfernen</translation>
    </message>
    <message>
        <source>host key is known: %1</source>
        <translation>Host-Schlüssel ist bekannt: %1</translation>
    </message>
    <message>
        <source>%1: its host key is revoked in %2 (%3): somebody said that this key is no longer to be trusted, so no connection is made</source>
        <translation>%1: sein Host-Schlüssel ist in %2 widerrufen (%3): dort steht, dass diesem Schlüssel nicht mehr zu trauen ist, daher keine Verbindung</translation>
    </message>
    <message>
        <source>%1: THE HOST KEY HAS CHANGED. The server now shows the %2, %3 says %4: either the host was set up anew, or somebody listens in. Ask whoever looks after the host; when the new key is right, remove the old line</source>
        <translation>%1: DER HOST-SCHLÜSSEL HAT SICH GEÄNDERT. Der Server zeigt jetzt den %2, in %3 steht %4: entweder wurde der Host neu eingerichtet, oder jemand hört mit. Beim Betreuer des Hosts nachfragen; wenn der neue Schlüssel stimmt, die alte Zeile entfernen</translation>
    </message>
    <message>
        <source>host key is taken for this time only</source>
        <translation>Host-Schlüssel wird nur für dieses Mal angenommen</translation>
    </message>
    <message>
        <source>A certificate authority is named for it, but host certificates are not supported.</source>
        <translation>Für ihn ist eine Zertifizierungsstelle angegeben, aber Host-Zertifikate werden nicht unterstützt.</translation>
    </message>
    <message>
        <source>%1: its host key is not known yet: %2. Compare it with what the host's keeper says, then trust it.%3</source>
        <translation>%1: sein Host-Schlüssel ist noch nicht bekannt: %2. Mit den Angaben des Betreuers vergleichen, dann vertrauen.%3</translation>
    </message>
    <message>
        <source>%1: THE HOST SHOWS A KEY OF ANOTHER TYPE. %2 has its %3 key, which was asked for, and the server shows the %4: either the old key was removed there, or somebody listens in. Ask whoever looks after the host before you trust it.%5</source>
        <translation>%1: DER HOST ZEIGT EINEN SCHLÜSSEL ANDEREN TYPS. In %2 steht sein %3-Schlüssel, der verlangt wurde, und der Server zeigt den %4: entweder wurde der alte Schlüssel dort entfernt, oder jemand hört mit. Vor dem Vertrauen beim Betreuer des Hosts nachfragen.%5</translation>
    </message>
    <message>
        <source>trainyard hosts trust %1</source>
        <translation>trainyard hosts trust %1</translation>
    </message>
    <message>
        <source>%1 of %2 files are not copied: the newest %3 are</source>
        <translation>%1 von %2 Dateien werden nicht kopiert: die neuesten %3 schon</translation>
    </message>
    <message>
        <source>the copy of %1</source>
        <translation>die Kopie von %1</translation>
    </message>
    <message>
        <source>%1 more files cannot be read</source>
        <translation>%1 weitere Dateien sind nicht lesbar</translation>
    </message>
    <message>
        <source>the copy is limited to %1 and %2 files and folders: what exceeds that stays on the host</source>
        <translation>die Kopie ist auf %1 und %2 Dateien und Ordner begrenzt: was darüber hinausgeht, bleibt auf dem Rechner</translation>
    </message>
    <message>
        <source>%1 is a symbolic link: a copy of a run has none, remove it</source>
        <translation>%1 ist ein symbolischer Link: Die Kopie eines Laufs enthält keine, bitte entfernen</translation>
    </message>
    <message>
        <source>%1 is there already and is not the copy of %2: move it away, or attach with another $TRAINYARD_RUNS</source>
        <translation>%1 ist schon vorhanden und nicht die Kopie von %2: verschieben oder mit einem anderen $TRAINYARD_RUNS anhängen</translation>
    </message>
    <message>
        <source>%1 is not a copy of a run on another machine that this account made: `trainyard runs attach HOST:/FOLDER` makes one</source>
        <translation>%1 ist keine von diesem Konto angelegte Kopie eines Laufs auf einer anderen Maschine: `trainyard runs attach HOST:/FOLDER` legt eine an</translation>
    </message>
    <message>
        <source>%1. Passwords are not stored after the login: trainyard runs attach %2:%3 asks for them again</source>
        <translation>%1. Kennwörter werden nach der Anmeldung nicht aufbewahrt: trainyard runs attach %2:%3 fragt erneut danach</translation>
    </message>
    <message>
        <source>the copy of the run could not be kept current: %1 could not be started</source>
        <translation>die Kopie des Laufs konnte nicht aktuell gehalten werden: %1 ließ sich nicht starten</translation>
    </message>
    <message>
        <source>the copy of the run could not be kept current: %1</source>
        <translation>die Kopie des Laufs konnte nicht aktuell gehalten werden: %1</translation>
    </message>
    <message>
        <source>%1 could not list its runs: %2</source>
        <translation>%1 konnte seine Läufe nicht auflisten: %2</translation>
    </message>
    <message>
        <source>%1 did not answer with a list of its runs</source>
        <translation>%1 antwortete nicht mit einer Liste seiner Läufe</translation>
    </message>
    <message>
        <source>the runs of %1</source>
        <translation>die Läufe von %1</translation>
    </message>
    <message>
        <source>%1 is not the copy of a run on another machine: its checkpoints are here</source>
        <translation>%1 ist nicht die Kopie eines Laufs auf einem anderen Rechner: seine Checkpoints sind hier</translation>
    </message>
    <message>
        <source>%1 was not copied by this account: `trainyard runs attach %2:%3` continues the copy</source>
        <translation>%1 wurde nicht von diesem Konto kopiert: `trainyard runs attach %2:%3` setzt die Kopie fort</translation>
    </message>
    <message>
        <source>run %1 on %2 has no checkpoint yet</source>
        <translation>Lauf %1 auf %2 hat noch keinen Checkpoint</translation>
    </message>
    <message>
        <source>the list of checkpoints of %1:%2</source>
        <translation>die Liste der Checkpoints von %1:%2</translation>
    </message>
    <message>
        <source>, ... (%1 more)</source>
        <translation>, ... (%1 weitere)</translation>
    </message>
    <message>
        <source>run %1 on %2 has no whole checkpoint '%3': it has none</source>
        <translation>Lauf %1 auf %2 hat keinen vollständigen Checkpoint '%3': er hat keinen</translation>
    </message>
    <message>
        <source>run %1 on %2 has no whole checkpoint '%3': it has %4</source>
        <translation>Lauf %1 auf %2 hat keinen vollständigen Checkpoint '%3': er hat %4</translation>
    </message>
    <message>
        <source>%1: %2 cannot be copied whole: %3</source>
        <translation>%1: %2 kann nicht vollständig kopiert werden: %3</translation>
    </message>
    <message>
        <source>the copy of %1:%2</source>
        <translation>die Kopie von %1:%2</translation>
    </message>
    <message>
        <source>cannot rename %1: %2</source>
        <translation>%1 kann nicht umbenannt werden: %2</translation>
    </message>
    <message>
        <source>the host sent a file that does not belong to a run's folder: '%1'</source>
        <translation>Der Host sandte eine Datei, die nicht in den Ordner eines Laufs gehört: „%1“</translation>
    </message>
    <message>
        <source>TRAINYARD_MIRROR_LIMIT is '%1': it must be a number of bytes</source>
        <translation>TRAINYARD_MIRROR_LIMIT ist „%1“: Es muss eine Anzahl von Bytes sein</translation>
    </message>
    <message>
        <source>the copy of run %1</source>
        <translation>die Kopie des Laufs %1</translation>
    </message>
    <message>
        <source>the host sent a mark of a file that is too long</source>
        <translation>Der Host sandte eine zu lange Kennung einer Datei</translation>
    </message>
    <message>
        <source>the host moved a file that is not here: %1</source>
        <translation>der Host hat eine Datei verschoben, die hier fehlt: %1</translation>
    </message>
    <message>
        <source>the host sent a part of %1 that does not follow on what is here</source>
        <translation>der Host hat einen Teil von %1 gesendet, der nicht an das Vorhandene anschließt</translation>
    </message>
    <message>
        <source>%1 was changed by another program</source>
        <translation>%1 wurde von einem anderen Programm geändert</translation>
    </message>
    <message>
        <source>the host sent a message that is too long</source>
        <translation>der Rechner hat eine zu lange Nachricht gesendet</translation>
    </message>
    <message>
        <source>what the host sent</source>
        <translation>was der Host gesendet hat</translation>
    </message>
    <message>
        <source>the connection ended</source>
        <translation>die Verbindung endete</translation>
    </message>
    <message>
        <source>what the host said</source>
        <translation>was der Host gesagt hat</translation>
    </message>
    <message>
        <source>the host's Trainyard speaks another version: install the same version on both</source>
        <translation>Das Trainyard des Hosts spricht eine andere Version: auf beiden dieselbe Version installieren</translation>
    </message>
    <message>
        <source>%1 is gone</source>
        <translation>%1 ist nicht mehr da</translation>
    </message>
    <message>
        <source>nothing was heard for %1 s</source>
        <translation>seit %1 s kam keine Nachricht</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 antwortet nicht</translation>
    </message>
    <message>
        <source>can be written</source>
        <translation>beschreibbar</translation>
    </message>
    <message>
        <source>new, can be written</source>
        <translation>neu, beschreibbar</translation>
    </message>
    <message>
        <source>%1 is not a folder</source>
        <translation>%1 ist kein Ordner</translation>
    </message>
    <message>
        <source>choose another folder for runs</source>
        <translation>einen anderen Ordner für Läufe wählen</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 ist nicht beschreibbar: %2</translation>
    </message>
    <message>
        <source>choose another folder for runs, or change its rights</source>
        <translation>einen anderen Ordner für Läufe wählen oder seine Berechtigungen ändern</translation>
    </message>
    <message>
        <source>the free space of %1 is not known: %2</source>
        <translation>der freie Platz von %1 ist nicht bekannt: %2</translation>
    </message>
    <message>
        <source>make sure that checkpoints fit</source>
        <translation>sicherstellen, dass Checkpoints hineinpassen</translation>
    </message>
    <message>
        <source>%1 free, needs %2</source>
        <translation>%1 frei, benötigt %2</translation>
    </message>
    <message>
        <source>the disk of %1 is too full: %2</source>
        <translation>die Platte von %1 ist zu voll: %2</translation>
    </message>
    <message>
        <source>make room, or choose another folder for runs</source>
        <translation>Platz schaffen oder einen anderen Ordner für Läufe wählen</translation>
    </message>
    <message>
        <source>%1 of %2 free</source>
        <translation>%1 von freien %2</translation>
    </message>
    <message>
        <source>take a smaller micro-batch with more accumulation, or fewer ranks</source>
        <translation>kleinere Micro-Batches mit mehr Akkumulation oder weniger Ranks nehmen</translation>
    </message>
    <message>
        <source>needs about %1, the machine has %2</source>
        <translation>braucht etwa %1, der Rechner hat %2</translation>
    </message>
    <message>
        <source>about %1: the machine may swap or end the run</source>
        <translation>etwa %1: der Rechner lagert womöglich aus oder beendet den Lauf</translation>
    </message>
    <message>
        <source>a free one is taken</source>
        <translation>ein freier wird genommen</translation>
    </message>
    <message>
        <source>%1 is free</source>
        <translation>%1 ist frei</translation>
    </message>
    <message>
        <source>take port 0: a free one is found then</source>
        <translation>Port 0 nehmen: dann wird ein freier gefunden</translation>
    </message>
    <message>
        <source>port %1: %2</source>
        <translation>Port %1: %2</translation>
    </message>
    <message>
        <source>; port %1: %2</source>
        <translation>; Port %1: %2</translation>
    </message>
    <message>
        <source>end what uses it, or take port 0: a free one is found then</source>
        <translation>beenden, was ihn benutzt, oder Port 0 nehmen: dann wird ein freier gefunden</translation>
    </message>
    <message>
        <source>mend %1 in the recipe</source>
        <translation>%1 im Rezept korrigieren</translation>
    </message>
    <message>
        <source>needs: %1</source>
        <translation>braucht: %1</translation>
    </message>
    <message>
        <source>waits for: %1</source>
        <translation>wartet auf: %1</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>%1 wurde nicht gefunden</translation>
    </message>
    <message>
        <source>check its name, or give its path</source>
        <translation>den Namen prüfen oder den Pfad angeben</translation>
    </message>
    <message>
        <source>%1 cannot be run</source>
        <translation>%1 kann nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>install Python, or name one in TRAINYARD_PYTHON</source>
        <translation>Python installieren oder eines in TRAINYARD_PYTHON angeben</translation>
    </message>
    <message>
        <source>torch cannot be imported by %1</source>
        <translation>torch lässt sich von %1 nicht importieren</translation>
    </message>
    <message>
        <source>install it there, unless the script does without</source>
        <translation>dort installieren, sofern das Skript es braucht</translation>
    </message>
    <message>
        <source>choose the script again, or copy it there</source>
        <translation>das Skript neu wählen oder dorthin kopieren</translation>
    </message>
    <message>
        <source>build it again, or name it in TRAINYARD_WORKER</source>
        <translation>neu bauen oder in TRAINYARD_WORKER angeben</translation>
    </message>
    <message>
        <source>an argument for a remote command has a NUL byte in it, which no command line can hold</source>
        <translation>ein Argument für einen Befehl auf einem Host enthält ein NUL-Byte, das keine Befehlszeile aufnehmen kann</translation>
    </message>
    <message>
        <source>a remote command has no program</source>
        <translation>ein Befehl für einen Host hat kein Programm</translation>
    </message>
    <message>
        <source>'%1' cannot be the name of an environment variable on a host</source>
        <translation>'%1' kann auf einem Host kein Name einer Umgebungsvariablen sein</translation>
    </message>
    <message>
        <source>%1 has no Trainyard yet: `trainyard launch --check --hosts` brings it, and looks at this too</source>
        <translation>%1 hat noch kein Trainyard: `trainyard launch --check --hosts` bringt es hin und prüft auch dies</translation>
    </message>
    <message>
        <source>it was cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>%1:%2 does not exist: name the folder of a checkpoint, or a file of weights</source>
        <translation>%1:%2 ist nicht vorhanden: den Ordner eines Checkpoints oder eine Datei mit Gewichten angeben</translation>
    </message>
    <message>
        <source>%1:%2 has a name that no file here can have</source>
        <translation>%1:%2 hat einen Namen, den hier keine Datei haben kann</translation>
    </message>
    <message>
        <source>the headers of %1</source>
        <translation>die Kopfdaten von %1</translation>
    </message>
    <message>
        <source>%1/%2 became shorter while it was read</source>
        <translation>%1/%2 wurde kürzer, während es gelesen wurde</translation>
    </message>
    <message>
        <source>it answers</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>the run is on the processor</source>
        <translation>der Lauf nutzt die CPU</translation>
    </message>
    <message>
        <source>%1 has no NVIDIA driver%2</source>
        <translation>%1 hat keinen NVIDIA-Treiber%2</translation>
    </message>
    <message>
        <source>%1 has no NVIDIA driver: %2</source>
        <translation>%1 hat keinen NVIDIA-Treiber: %2</translation>
    </message>
    <message>
        <source>install one of series 580 or newer, or run on the processor</source>
        <translation>einen der Serie 580 oder neuer installieren oder auf der CPU rechnen</translation>
    </message>
    <message>
        <source>the driver %1 of %2 knows CUDA up to %3, the engine needs %4</source>
        <translation>der Treiber %1 von %2 kennt CUDA bis %3, die Engine braucht %4</translation>
    </message>
    <message>
        <source>install a driver of series %1 or newer</source>
        <translation>einen Treiber der Serie %1 oder neuer installieren</translation>
    </message>
    <message>
        <source>GPU %1 is in use by %2 (pid %3, %4, %5, for %6)</source>
        <translation>GPU %1 ist belegt von %2 (PID %3, %4, %5, seit %6)</translation>
    </message>
    <message>
        <source>GPU %1 is in use by %2 (pid %3, %4, %5)</source>
        <translation>GPU %1 ist belegt von %2 (PID %3, %4, %5)</translation>
    </message>
    <message>
        <source>; GPU %1 is in use by %2 (pid %3, %4, %5, for %6)</source>
        <translation>; GPU %1 ist belegt von %2 (PID %3, %4, %5, seit %6)</translation>
    </message>
    <message>
        <source>; GPU %1 is in use by %2 (pid %3, %4, %5)</source>
        <translation>; GPU %1 ist belegt von %2 (PID %3, %4, %5)</translation>
    </message>
    <message>
        <source>%1 has %2 GPU for %3 ranks</source>
        <translation>%1 hat %2 GPU für %3 Ranks</translation>
    </message>
    <message>
        <source>%1 has %2 GPUs for %3 ranks</source>
        <translation>%1 hat %2 GPUs für %3 Ranks</translation>
    </message>
    <message>
        <source>give it fewer ranks</source>
        <translation>ihm weniger Ranks geben</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs of %3 are free: %4</source>
        <translation>%1 von %2 GPUs von %3 sind frei: %4</translation>
    </message>
    <message>
        <source>the queue waits for runs of Trainyard, for other programs it does not</source>
        <translation>die Warteschlange wartet auf Läufe von Trainyard, auf andere Programme nicht</translation>
    </message>
    <message>
        <source>queue the run, end the program, or give the host fewer ranks</source>
        <translation>den Lauf einreihen, das Programm beenden oder dem Host weniger Ranks geben</translation>
    </message>
    <message>
        <source>the memory of its GPUs is not known</source>
        <translation>der Speicher seiner GPUs ist nicht bekannt</translation>
    </message>
    <message>
        <source>a rank needs about %1, a GPU of %2 has %3</source>
        <translation>ein Rank braucht etwa %1, eine GPU von %2 hat %3</translation>
    </message>
    <message>
        <source>take a smaller micro-batch with more accumulation</source>
        <translation>kleinere Micro-Batches mit mehr Akkumulation nehmen</translation>
    </message>
    <message>
        <source>looking for the engine</source>
        <translation>Engine wird gesucht</translation>
    </message>
    <message>
        <source>The engine that was copied to %1 stays there for the next start (%2).</source>
        <translation>Die nach %1 kopierte Engine bleibt dort für den nächsten Start (%2).</translation>
    </message>
    <message>
        <source>it is there</source>
        <translation>vorhanden</translation>
    </message>
    <message>
        <source>%1 copied</source>
        <translation>%1 kopiert</translation>
    </message>
    <message>
        <source>Parts of the engine may be left in the cache folder of %1 (%2).</source>
        <translation>Teile der Engine sind womöglich im Cache-Ordner von %1 verblieben (%2).</translation>
    </message>
    <message>
        <source>The checkpoint that was copied to %1 stays there for the next start (%2).</source>
        <translation>Der nach %1 kopierte Checkpoint bleibt dort für den nächsten Start (%2).</translation>
    </message>
    <message>
        <source>Trainyard %1</source>
        <translation>Trainyard %1</translation>
    </message>
    <message>
        <source>no Python script</source>
        <translation>kein Python-Skript</translation>
    </message>
    <message>
        <source>the clock of %1 is %2 s ahead of this machine's: times in its logs and events are off by so much</source>
        <translation>die Uhr von %1 geht gegenüber diesem Rechner %2 s vor: Zeiten in seinen Logs und Ereignissen weichen entsprechend ab</translation>
    </message>
    <message>
        <source>the clock of %1 is %2 s behind this machine's: times in its logs and events are off by so much</source>
        <translation>die Uhr von %1 geht gegenüber diesem Rechner %2 s nach: Zeiten in seinen Logs und Ereignissen weichen entsprechend ab</translation>
    </message>
    <message>
        <source>within %1 s</source>
        <translation>auf %1 s genau</translation>
    </message>
    <message>
        <source>set it by a time server (timedatectl set-ntp true)</source>
        <translation>sie mit einem Zeitserver stellen (timedatectl set-ntp true)</translation>
    </message>
    <message>
        <source>open the ports between the hosts, or run without one of them</source>
        <translation>die Ports zwischen den Hosts öffnen oder ohne einen von ihnen starten</translation>
    </message>
    <message>
        <source>%1 reached %2 at %3, which is not one of its addresses</source>
        <translation>%1 erreichte %2 unter %3, was keine seiner Adressen ist</translation>
    </message>
    <message>
        <source>look for address translation (NAT) between the hosts</source>
        <translation>nach Adressübersetzung (NAT) zwischen den Hosts suchen</translation>
    </message>
    <message>
        <source>%1 is reached at different addresses (%2)</source>
        <translation>%1 ist unter verschiedenen Adressen erreichbar (%2)</translation>
    </message>
    <message>
        <source>name the one that all reach</source>
        <translation>die angeben, die alle erreichen</translation>
    </message>
    <message>
        <source>one host</source>
        <translation>ein Host</translation>
    </message>
    <message>
        <source>waits until every host has been reached</source>
        <translation>wartet, bis jeder Host erreicht ist</translation>
    </message>
    <message>
        <source>the answer of %1</source>
        <translation>die Antwort von %1</translation>
    </message>
    <message>
        <source>%1 was asked to start the run %2 and answered with another one, in %3: the host does not run this version of Trainyard, or is not to be trusted</source>
        <translation>%1 sollte den Lauf %2 starten und antwortete mit einem anderen, in %3: Auf dem Host läuft nicht diese Version von Trainyard, oder ihm ist nicht zu trauen</translation>
    </message>
    <message>
        <source>the name of the recipe</source>
        <translation>der Name des Rezepts</translation>
    </message>
    <message>
        <source>%1 was lost while it was told to start (%2): look for the run there with `trainyard runs attach %3`.</source>
        <translation>%1 ging während des Startbefehls verloren (%2): dort mit `trainyard runs attach %3` nach dem Lauf suchen.</translation>
    </message>
    <message>
        <source>%1 could not start the run: %2</source>
        <translation>%1 konnte den Lauf nicht starten: %2</translation>
    </message>
    <message>
        <source>could not start its ranks: %1</source>
        <translation>konnte seine Ranks nicht starten: %1</translation>
    </message>
    <message>
        <source>%1 could not be cleaned up (%2): its ranks end by themselves, the folder of %3 may be left.</source>
        <translation>%1 konnte nicht aufgeräumt werden (%2): seine Ranks enden von selbst, der Ordner von %3 bleibt womöglich zurück.</translation>
    </message>
    <message>
        <source>the launch was cancelled: nothing was started</source>
        <translation>der Start wurde abgebrochen: nichts wurde gestartet</translation>
    </message>
    <message>
        <source>waits for what failed before it</source>
        <translation>wartet auf das, was zuvor fehlschlug</translation>
    </message>
    <message>
        <source>the other end does not speak as `trainyard serve-run` does</source>
        <translation>die Gegenseite spricht nicht so, wie `trainyard serve-run` es tut</translation>
    </message>
    <message>
        <source>what the mirror has</source>
        <translation>was die Kopie hat</translation>
    </message>
    <message>
        <source>a request of the mirror</source>
        <translation>eine Anforderung der Kopie</translation>
    </message>
    <message>
        <source>the run's folder %1 is gone from %2</source>
        <translation>der Laufordner %1 ist auf %2 nicht mehr da</translation>
    </message>
    <message>
        <source>%1 on %2 is not a run's folder any more</source>
        <translation>%1 auf %2 ist kein Laufordner mehr</translation>
    </message>
    <message>
        <source>what came on standard input are no secrets</source>
        <translation>was über die Standardeingabe kam, sind keine Geheimnisse</translation>
    </message>
    <message>
        <source>%1: more than %2 jump hosts are on the way: does a ProxyJump of ssh_config lead back to itself?</source>
        <translation>%1: mehr als %2 Jump-Hosts liegen auf dem Weg: führt ein ProxyJump in ssh_config auf sich selbst zurück?</translation>
    </message>
    <message>
        <source>ended by signal %1</source>
        <translation>durch Signal %1 beendet</translation>
    </message>
    <message>
        <source>ended without an exit status</source>
        <translation>ohne Exit-Status beendet</translation>
    </message>
    <message>
        <source>exit status %1</source>
        <translation>Exit-Status %1</translation>
    </message>
    <message>
        <source>jump from %1 to %2 port %3</source>
        <translation>Sprung von %1 zu %2 Port %3</translation>
    </message>
    <message>
        <source>no command can be run: %1</source>
        <translation>kein Befehl ist ausführbar: %1</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but its restricted shell lets no commands run: it needs a login shell, without a forced command</source>
        <translation>%1: das Konto '%2' kann sich anmelden, aber seine eingeschränkte Shell lässt keine Befehle laufen: es braucht eine Login-Shell ohne erzwungenen Befehl</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but its restricted shell lets no commands run: "%3": it needs a login shell, without a forced command</source>
        <translation>%1: das Konto '%2' kann sich anmelden, aber seine eingeschränkte Shell lässt keine Befehle laufen: "%3": es braucht eine Login-Shell ohne erzwungenen Befehl</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but runs no commands (%3): it needs a login shell, without a forced command</source>
        <translation>%1: das Konto '%2' kann sich anmelden, führt aber keine Befehle aus (%3): es braucht eine Login-Shell ohne erzwungenen Befehl</translation>
    </message>
    <message>
        <source>%1: the account '%2' can log in, but runs no commands (%3): "%4": it needs a login shell, without a forced command</source>
        <translation>%1: das Konto '%2' kann sich anmelden, führt aber keine Befehle aus (%3): "%4": es braucht eine Login-Shell ohne erzwungenen Befehl</translation>
    </message>
    <message>
        <source>%1: start-up files of the login shell print text ("%2") before commands run, which garbles what programs say to each other: let ~/.bashrc (or what prints it) do so in interactive shells only</source>
        <translation>%1: Startdateien der Login-Shell geben Text aus ("%2"), bevor Befehle laufen, was die Kommunikation der Programme stört: ~/.bashrc (oder die Quelle des Textes) nur in interaktiven Shells ausgeben lassen</translation>
    </message>
    <message>
        <source>login shell: %1</source>
        <translation>Login-Shell: %1</translation>
    </message>
    <message>
        <source>login shell: %1 (not a POSIX shell: commands go through /bin/sh)</source>
        <translation>Login-Shell: %1 (keine POSIX-Shell: Befehle laufen über /bin/sh)</translation>
    </message>
    <message>
        <source>%1: the transfer was cancelled</source>
        <translation>%1: die Übertragung wurde abgebrochen</translation>
    </message>
    <message>
        <source>cannot look at %1: %2</source>
        <translation>%1 kann nicht abgefragt werden: %2</translation>
    </message>
    <message>
        <source>cannot rename %1 to</source>
        <translation>Fehler beim Umbenennen von %1 in</translation>
    </message>
    <message>
        <source>cannot write</source>
        <translation>Fehler beim Schreiben von</translation>
    </message>
    <message>
        <source>cannot set the permissions of</source>
        <translation>Fehler beim Setzen der Berechtigungen von</translation>
    </message>
    <message>
        <source>no space</source>
        <translation>kein Platz</translation>
    </message>
    <message>
        <source>%1: %2 became shorter while it was read</source>
        <translation>%1: %2 wurde beim Lesen kürzer</translation>
    </message>
    <message>
        <source>cannot read</source>
        <translation>Fehler beim Lesen von</translation>
    </message>
    <message>
        <source>cannot look at</source>
        <translation>Fehler beim Abfragen von</translation>
    </message>
    <message>
        <source>%1: %2 is too large to be read whole</source>
        <translation>%1: %2 ist zu groß, um ganz gelesen zu werden</translation>
    </message>
    <message>
        <source>cannot read the folder</source>
        <translation>Fehler beim Lesen des Ordners</translation>
    </message>
    <message>
        <source>the list of %1:%2</source>
        <translation>die Liste von %1:%2</translation>
    </message>
    <message>
        <source>%1: the SFTP server lists nothing, again and again</source>
        <translation>%1: Der SFTP-Server listet immer wieder nichts auf</translation>
    </message>
    <message>
        <source>cannot make the folder</source>
        <translation>Fehler beim Anlegen des Ordners</translation>
    </message>
    <message>
        <source>cannot remove</source>
        <translation>Fehler beim Löschen von</translation>
    </message>
    <message>
        <source>cannot remove the folder</source>
        <translation>Fehler beim Löschen des Ordners</translation>
    </message>
    <message>
        <source>cannot find</source>
        <translation>Fehler beim Suchen von</translation>
    </message>
    <message>
        <source>the server sent an answer of another kind</source>
        <translation>der Server hat eine Antwort anderer Art gesendet</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>kein Grund angegeben</translation>
    </message>
    <message>
        <source>%1: the SFTP server greets a second time</source>
        <translation>%1: Der SFTP-Server begrüßt ein zweites Mal</translation>
    </message>
    <message>
        <source>%1: the SFTP server names too many extensions</source>
        <translation>%1: Der SFTP-Server nennt zu viele Erweiterungen</translation>
    </message>
    <message>
        <source>%1: the SFTP server sent an answer that was not asked for</source>
        <translation>%1: Der SFTP-Server sandte eine Antwort, nach der nicht gefragt wurde</translation>
    </message>
    <message>
        <source>%1: the SFTP server did not answer for %2</source>
        <translation>%1: Der SFTP-Server antwortete %2 lang nicht</translation>
    </message>
    <message>
        <source>%1: the host did not answer as an SFTP server: do start-up files of the login shell print text?</source>
        <translation>%1: der Rechner hat nicht als SFTP-Server geantwortet: geben Startdateien der Login-Shell Text aus?</translation>
    </message>
    <message>
        <source>%1: the SFTP server ended (%2): is sftp-server installed on the host?</source>
        <translation>%1: der SFTP-Server wurde beendet (%2): ist sftp-server auf dem Rechner installiert?</translation>
    </message>
    <message>
        <source>%1no such file or folder</source>
        <translation>%1Datei oder Ordner nicht vorhanden</translation>
    </message>
    <message>
        <source>%1'%2' may not do that there</source>
        <translation>%1'%2' darf das dort nicht</translation>
    </message>
    <message>
        <source>%1: %2 %3: no space left (needed %4, %5 free): make room, or choose another folder for this host</source>
        <translation>%1: %2 %3: kein Platz mehr frei (benötigt %4, %5 frei): Platz schaffen oder einen anderen Ordner für diesen Host wählen</translation>
    </message>
    <message>
        <source>'%1' is not a valid host: %2</source>
        <translation>'%1' ist kein gültiger Rechner: %2</translation>
    </message>
    <message>
        <source>a host name is not empty, does not begin with a dash and has no blanks, slashes, quotes, control characters or characters that a shell interprets</source>
        <translation>ein Hostname ist nicht leer, beginnt nicht mit einem Bindestrich und enthält keine Leerzeichen, Schrägstriche, Anführungszeichen, Steuerzeichen oder Zeichen, die eine Shell auswertet</translation>
    </message>
    <message>
        <source>a user name does not begin with a dash or end with a backslash and has no quotes, control characters or characters that a shell interprets</source>
        <translation>ein Benutzername beginnt nicht mit einem Bindestrich, endet nicht mit einem Rückstrich und enthält keine Anführungszeichen, Steuerzeichen oder Zeichen, die eine Shell auswertet</translation>
    </message>
    <message>
        <source>nothing stands before the @</source>
        <translation>vor dem @ steht nichts</translation>
    </message>
    <message>
        <source>the ] is missing</source>
        <translation>das ] fehlt</translation>
    </message>
    <message>
        <source>only :port may follow the ]</source>
        <translation>auf das ] darf nur :port folgen</translation>
    </message>
    <message>
        <source>the port is missing</source>
        <translation>der Port fehlt</translation>
    </message>
    <message>
        <source>a port is a number from 1 to 65535, not '%1'</source>
        <translation>ein Port ist eine Zahl von 1 bis 65535, nicht '%1'</translation>
    </message>
    <message>
        <source>%1; Trainyard reads ssh_config by itself</source>
        <translation>%1; Trainyard liest ssh_config selbst</translation>
    </message>
    <message>
        <source>%1: 'Match %2' is not followed: no command of ssh_config's is run to find out what holds</source>
        <translation>%1: 'Match %2' wird nicht befolgt: kein Befehl aus ssh_config wird ausgeführt, um herauszufinden, was gilt</translation>
    </message>
    <message>
        <source>%1: 'Match %2' is not followed: its block is left out</source>
        <translation>%1: 'Match %2' wird nicht befolgt: sein Block wird ausgelassen</translation>
    </message>
    <message>
        <source>'%1' is neither yes nor no</source>
        <translation>'%1' ist weder yes noch no</translation>
    </message>
    <message>
        <source>RequiredRSASize is a number of bits, not '%1'</source>
        <translation>RequiredRSASize ist eine Anzahl Bits, nicht '%1'</translation>
    </message>
    <message>
        <source>AddressFamily is any, inet or inet6, not '%1'</source>
        <translation>AddressFamily ist any, inet oder inet6, nicht '%1'</translation>
    </message>
    <message>
        <source>ConnectTimeout is a number of seconds, not '%1'</source>
        <translation>ConnectTimeout ist eine Anzahl von Sekunden, nicht '%1'</translation>
    </message>
    <message>
        <source>an unknown host key is always asked about, a changed one never taken</source>
        <translation>bei einem unbekannten Host-Schlüssel wird immer gefragt, ein geänderter nie angenommen</translation>
    </message>
    <message>
        <source>the agent is never forwarded</source>
        <translation>der Agent wird nie weitergeleitet</translation>
    </message>
    <message>
        <source>it is for terminals</source>
        <translation>es ist für Terminals</translation>
    </message>
    <message>
        <source>names are looked up as they stand</source>
        <translation>Namen werden so nachgeschlagen, wie sie dastehen</translation>
    </message>
    <message>
        <source>%1: '%2 %3' is not followed: %4</source>
        <translation>%1: '%2 %3' wird nicht befolgt: %4</translation>
    </message>
    <message>
        <source>%1: '%2' of ssh_config names the environment variable '%3', which is not set</source>
        <translation>%1: '%2' aus ssh_config nennt die Umgebungsvariable '%3', die nicht gesetzt ist</translation>
    </message>
    <message>
        <source>%1: '%2' of ssh_config has '%%3', which means nothing here: write %% for %</source>
        <translation>%1: '%2' aus ssh_config enthält '%%3', das hier nichts bedeutet: %% für % schreiben</translation>
    </message>
    <message>
        <source>%1: ssh_config has '%2' for it: %3</source>
        <translation>%1: ssh_config nennt dafür '%2': %3</translation>
    </message>
    <message>
        <source>%1: HostKeyAlias '%2' of ssh_config is not a name: %3</source>
        <translation>%1: HostKeyAlias '%2' aus ssh_config ist kein Name: %3</translation>
    </message>
    <message>
        <source>KnownHostsCommand is the absolute path of a program, with its arguments, not '%1'</source>
        <translation>KnownHostsCommand ist der absolute Pfad eines Programms mit seinen Argumenten, nicht '%1'</translation>
    </message>
    <message>
        <source>this ProxyCommand needs a shell, which is never started with names of hosts in it: use ProxyJump, or put the command into a script of its own</source>
        <translation>dieser ProxyCommand braucht eine Shell, die nie mit Hostnamen darin gestartet wird: ProxyJump verwenden oder den Befehl in ein eigenes Skript schreiben</translation>
    </message>
    <message>
        <source>this ProxyCommand has no program</source>
        <translation>dieser ProxyCommand hat kein Programm</translation>
    </message>
    <message>
        <source>a quote is never closed</source>
        <translation>ein Anführungszeichen wird nie geschlossen</translation>
    </message>
    <message>
        <source>a value is missing</source>
        <translation>ein Wert fehlt</translation>
    </message>
    <message>
        <source>files are included more than 16 deep: does one include itself?</source>
        <translation>Dateien sind mehr als 16-fach ineinander eingebunden: bindet eine sich selbst ein?</translation>
    </message>
    <message>
        <source>%1: it is not there</source>
        <translation>%1: nicht vorhanden</translation>
    </message>
    <message>
        <source>%1: there is no trace in it or in its folder traces</source>
        <translation>%1: weder darin noch im Ordner traces darin gibt es einen Trace</translation>
    </message>
    <message>
        <source>the copy of the traces of %1</source>
        <translation>die Kopie der Traces von %1</translation>
    </message>
</context>
<context>
    <name>engine/accelerator</name>
    <message>
        <source>%1 is for modules whose gradients are whole on every rank: set zero_stage to 0; a model of the engine has its recipe's keys for it</source>
        <translation>%1 ist für Module, deren Gradienten auf jedem Rank vollständig sind: zero_stage auf 0 setzen; ein Modell der Engine hat dafür die Schlüssel seines Rezepts</translation>
    </message>
    <message>
        <source>this model updates while backward runs, which a recipe's run drives: make the FlatModel without updates_in_backward, or train the recipe with trainyard launch</source>
        <translation>dieses Modell aktualisiert während des Rückwärtslaufs, was nur der Lauf eines Rezepts steuert: das FlatModel ohne updates_in_backward erzeugen oder das Rezept mit trainyard launch trainieren</translation>
    </message>
    <message>
        <source>the model has the weights that %1 trains, and is to be evaluated at their average: call the prepared optimizer's eval() before the evaluation, and train() after it</source>
        <translation>das Modell hat die Gewichte, die %1 trainiert, und ist mit ihrem Mittelwert zu bewerten: vor der Bewertung eval() des vorbereiteten Optimizers aufrufen, danach train()</translation>
    </message>
    <message>
        <source>activation checkpointing is asked of the accelerator, but this model has it from its recipe: set the recipe's training.activation_checkpointing, and fsdp_activation_checkpointing to false</source>
        <translation>vom Accelerator ist Activation Checkpointing verlangt, aber dieses Modell hat es aus seinem Rezept: training.activation_checkpointing des Rezepts setzen und fsdp_activation_checkpointing auf false</translation>
    </message>
    <message>
        <source>zero_stage is %1 for the accelerator and %2 in the model's recipe (parallel.zero_stage): give both the same</source>
        <translation>zero_stage ist %1 für den Accelerator und %2 im Rezept des Modells (parallel.zero_stage): beiden denselben Wert geben</translation>
    </message>
    <message>
        <source>the model computes in %1 (its recipe's training.mixed_precision), the accelerator in %2: give both the same mixed_precision</source>
        <translation>das Modell rechnet in %1 (training.mixed_precision seines Rezepts), der Accelerator in %2: beiden dieselbe mixed_precision geben</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>a training on %1 ranks</source>
        <translation>ein Training auf %1 Ranks</translation>
    </message>
    <message>
        <source>%1 shares out the state of optimizers that update each element by itself: Adam, AdamW, SGD, RMSprop and Adagrad of torch::optim, and those of optim::make_optimizer but Muon, Adafactor, AdaLomo and AdamW8bit; this one is another: use one of these, or set zero_stage to 0</source>
        <translation>%1 teilt den Zustand von Optimizern auf, die jedes Element für sich aktualisieren: Adam, AdamW, SGD, RMSprop und Adagrad aus torch::optim sowie die von optim::make_optimizer außer Muon, Adafactor, AdaLomo und AdamW8bit; dieser ist ein anderer: einen von diesen verwenden oder zero_stage auf 0 setzen</translation>
    </message>
    <message>
        <source>%1 needs the model before its optimizer: call prepare(model) first</source>
        <translation>%1 braucht das Modell vor seinem Optimizer: zuerst prepare(model) aufrufen</translation>
    </message>
    <message>
        <source>prepare_average: %1 optimizers are prepared: name the one whose steps the average follows</source>
        <translation>prepare_average: %1 Optimizer sind vorbereitet: den nennen, dessen Schritten der Mittelwert folgt</translation>
    </message>
    <message>
        <source>the health action rollback goes back to the newest checkpoint of project_dir/checkpoints: set project.automatic_checkpoint_naming, and call save_state every so often</source>
        <translation>die Health-Aktion rollback geht auf den neuesten Checkpoint von project_dir/checkpoints zurück: project.automatic_checkpoint_naming setzen und regelmäßig save_state aufrufen</translation>
    </message>
    <message>
        <source>these are the weights that %1 trains, and not their average, which is to be used: call the prepared optimizer's eval() before saving, and train() after it</source>
        <translation>dies sind die Gewichte, die %1 trainiert, und nicht ihr Mittelwert, der zu verwenden ist: vor dem Speichern eval() des vorbereiteten Optimizers aufrufen, danach train()</translation>
    </message>
    <message>
        <source>%1: the gradient of %2 is not .grad of the parameter (a model of the engine, or zero_stage): call clip_grad_norm(model, max_norm)</source>
        <translation>%1: der Gradient von %2 ist nicht .grad des Parameters (ein Modell der Engine oder zero_stage): clip_grad_norm(model, max_norm) aufrufen</translation>
    </message>
    <message>
        <source>data loader %1 reads a stream or dispatches its batches: even_batches does not change it</source>
        <translation>Data-Loader %1 liest einen Strom oder verteilt seine Batches: even_batches ändert ihn nicht</translation>
    </message>
    <message>
        <source>the pictures '%1' have %2 dimensions: give a batch of N x C x H x W</source>
        <translation>die Bilder '%1' haben %2 Dimensionen: einen Batch der Form N x C x H x W angeben</translation>
    </message>
    <message>
        <source>there are no trackers yet: call init_trackers first</source>
        <translation>noch keine Tracker: zuerst init_trackers aufrufen</translation>
    </message>
    <message>
        <source>automatic checkpoint naming needs a project_dir: the folder in which checkpoints/ is made</source>
        <translation>automatische Checkpoint-Namen brauchen ein project_dir: den Ordner, in dem checkpoints/ angelegt wird</translation>
    </message>
    <message>
        <source>project.save_on_each_node: the machines share the disk of %1, and would replace each other's checkpoint: set it to false, or give each machine a folder of its own</source>
        <translation>project.save_on_each_node: die Maschinen teilen sich die Festplatte von %1 und würden sich den Checkpoint gegenseitig ersetzen: auf false setzen oder jeder Maschine einen eigenen Ordner geben</translation>
    </message>
    <message>
        <source>folders of nodes</source>
        <translation>Ordner der Knoten</translation>
    </message>
    <message>
        <source>%1 is there already: load_state() goes on from it, or set project.iteration to the next number</source>
        <translation>%1 ist schon vorhanden: load_state() setzt davon fort, oder project.iteration auf die nächste Nummer setzen</translation>
    </message>
    <message>
        <source>save_state needs a folder, or automatic_checkpoint_naming</source>
        <translation>save_state braucht einen Ordner oder automatic_checkpoint_naming</translation>
    </message>
    <message>
        <source>project.save_on_each_node: ranks share out the optimizer's state (zero_stage), which is put together on the first of them alone: set it to false</source>
        <translation>project.save_on_each_node: die Ranks teilen den Optimizer-Zustand auf (zero_stage), und nur auf dem ersten wird er zusammengesetzt: auf false setzen</translation>
    </message>
    <message>
        <source>the updates before it were not finite</source>
        <translation>die Aktualisierungen davor waren nicht endlich</translation>
    </message>
    <message>
        <source>%1 rank</source>
        <translation>%1 Rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ranks</translation>
    </message>
    <message>
        <source>node of rank %1</source>
        <translation>Knoten von Rank %1</translation>
    </message>
    <message>
        <source>the checkpoint before this one, %1, could not be written: %2</source>
        <translation>der Checkpoint vor diesem, %1, konnte nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>load_state needs a folder, or automatic_checkpoint_naming</source>
        <translation>load_state braucht einen Ordner oder automatic_checkpoint_naming</translation>
    </message>
    <message>
        <source>activation checkpointing is asked for, but the model names no block: give it blocks(), which returns the modules that it wrapped with wrap_block</source>
        <translation>Activation Checkpointing ist verlangt, aber das Modell nennt keinen Block: blocks() ergänzen, das die mit wrap_block umhüllten Module zurückgibt</translation>
    </message>
    <message>
        <source>activation checkpointing is asked for blocks of the class '%1', but the model's blocks are of %2: name one of these, or wrap those modules</source>
        <translation>Activation Checkpointing ist für Blöcke der Klasse '%1' verlangt, aber die Blöcke des Modells sind von %2: eine von diesen nennen oder jene Module umhüllen</translation>
    </message>
    <message>
        <source>activation checkpointing acts on no block: none that is asked for has %1 parameters; lower min_parameters</source>
        <translation>Activation Checkpointing wirkt auf keinen Block: keiner der verlangten hat %1 Parameter; min_parameters senken</translation>
    </message>
    <message>
        <source>parameter %1 is %2, and %3 shares out fp32 parameters alone: keep it in fp32, or set zero_stage to 0</source>
        <translation>Parameter %1 ist %2, und %3 teilt nur fp32-Parameter auf: in fp32 halten oder zero_stage auf 0 setzen</translation>
    </message>
    <message>
        <source>parameter %1 is on %2, others on %3: %4 needs all on one device</source>
        <translation>Parameter %1 liegt auf %2, andere auf %3: %4 braucht alle auf einem Gerät</translation>
    </message>
    <message>
        <source>static_graph: %1 sums gradients as they come, whatever the graph is: take static_graph away</source>
        <translation>static_graph: %1 summiert Gradienten in der Reihenfolge, in der sie entstehen, unabhängig vom Graphen: static_graph entfernen</translation>
    </message>
    <message>
        <source>comm_hook: a communication hook needs whole gradients, which no rank keeps under %1: set zero_stage to 1, or take the hook away</source>
        <translation>comm_hook: ein Kommunikations-Hook braucht vollständige Gradienten, die unter %1 kein Rank behält: zero_stage auf 1 setzen oder den Hook entfernen</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient outside of Accelerator::backward(): where ranks share out optimizer state (zero_stage), call accelerator.backward(loss) instead of loss.backward()</source>
        <translation>Parameter %1 hat einen Gradienten außerhalb von Accelerator::backward() erhalten: wo Ranks den Optimizer-Zustand aufteilen (zero_stage), accelerator.backward(loss) statt loss.backward() aufrufen</translation>
    </message>
    <message>
        <source>a second optimizer of the same model is prepared: where ranks share out optimizer state (zero_stage), give one optimizer all parameters of the model, in parameter groups</source>
        <translation>ein zweiter Optimizer desselben Modells wird vorbereitet: wo Ranks den Optimizer-Zustand aufteilen (zero_stage), einem Optimizer alle Parameter des Modells in Parametergruppen geben</translation>
    </message>
    <message>
        <source>gradient_accumulation_steps is %1: it must be 1 or more</source>
        <translation>gradient_accumulation_steps ist %1: muss mindestens 1 sein</translation>
    </message>
    <message>
        <source>some backward calls of this update have a denominator, others have none: their gradients cannot be added up; give every one a denominator</source>
        <translation>einige backward-Aufrufe dieser Aktualisierung haben einen Nenner, andere keinen: ihre Gradienten lassen sich nicht addieren; jedem einen Nenner geben</translation>
    </message>
    <message>
        <source>loss of the closure</source>
        <translation>Loss der Closure</translation>
    </message>
    <message>
        <source>out of memory.</source>
        <translation>out of memory.</translation>
    </message>
    <message>
        <source>MPS backend out of memory</source>
        <translation>MPS backend out of memory</translation>
    </message>
    <message>
        <source>DefaultCPUAllocator: can't allocate memory</source>
        <translation>DefaultCPUAllocator: can't allocate memory</translation>
    </message>
    <message>
        <source>DefaultCPUAllocator: not enough memory</source>
        <translation>DefaultCPUAllocator: not enough memory</translation>
    </message>
    <message>
        <source>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</source>
        <translation>FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed</translation>
    </message>
    <message>
        <source>no batch size fits into memory, not even 1: use a smaller model, shorter samples or bf16, or accumulate gradients</source>
        <translation>keine Batch-Größe passt in den Speicher, nicht einmal 1: ein kleineres Modell, kürzere Samples oder bf16 verwenden oder Gradienten akkumulieren</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Bytes</translation>
    </message>
    <message>
        <source>device %1: %2</source>
        <translation>Gerät %1: %2</translation>
    </message>
    <message>
        <source>'%1' is no device: use numbers of accelerators, mps, cpu or disk</source>
        <translation>'%1' ist kein Gerät: Nummern von Beschleunigern, mps, cpu oder disk verwenden</translation>
    </message>
    <message>
        <source>there is no accelerator</source>
        <translation>es gibt keinen Beschleuniger</translation>
    </message>
    <message>
        <source>there is only device 0</source>
        <translation>es gibt nur Gerät 0</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there is no accelerator</source>
        <translation>Gerät %1 hat eine Speichergrenze, existiert aber nicht: es gibt keinen Beschleuniger</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there is only device 0</source>
        <translation>Gerät %1 hat eine Speichergrenze, existiert aber nicht: es gibt nur Gerät 0</translation>
    </message>
    <message>
        <source>device %1 has a memory limit but does not exist: there are devices 0 to %2</source>
        <translation>Gerät %1 hat eine Speichergrenze, existiert aber nicht: es gibt die Geräte 0 bis %2</translation>
    </message>
    <message>
        <source>gather_for_metrics got %1 entries of %2 samples together for a last batch of %3 samples: give one entry per sample, or entries that are batches</source>
        <translation>gather_for_metrics erhielt %1 Einträge mit zusammen %2 Samples für einen letzten Batch von %3 Samples: einen Eintrag pro Sample oder Einträge, die Batches sind, übergeben</translation>
    </message>
    <message>
        <source>gather_for_metrics got %1 entries for a last batch of %2 samples: give one entry per sample, or entries that are batches</source>
        <translation>gather_for_metrics erhielt %1 Einträge für einen letzten Batch von %2 Samples: einen Eintrag pro Sample oder Einträge, die Batches sind, übergeben</translation>
    </message>
    <message>
        <source>it must be a number, 0 or more, or auto</source>
        <translation>muss eine Zahl ab 0 oder auto sein</translation>
    </message>
    <message>
        <source>programs on this library do not read DeepSpeed's own file: give zero_stage, gradient_clipping and gradient_accumulation_steps in the settings file</source>
        <translation>Programme auf dieser Bibliothek lesen DeepSpeeds eigene Datei nicht: zero_stage, gradient_clipping und gradient_accumulation_steps in der Einstellungsdatei angeben</translation>
    </message>
    <message>
        <source>this library shares out optimizer state (1) and gradients (2), not parameters: set it to 0, 1 or 2</source>
        <translation>diese Bibliothek teilt Optimizer-Zustand (1) und Gradienten (2) auf, keine Parameter: auf 0, 1 oder 2 setzen</translation>
    </message>
    <message>
        <source>this library keeps everything on the device it trains on: set it to none</source>
        <translation>diese Bibliothek hält alles auf dem Gerät, auf dem sie trainiert: auf none setzen</translation>
    </message>
    <message>
        <source>this library does not divide experts: leave it out</source>
        <translation>diese Bibliothek teilt keine Experten auf: weglassen</translation>
    </message>
    <message>
        <source>this library does not shard parameters: set fsdp_version to 1 and fsdp_sharding_strategy to NO_SHARD, or use DEEPSPEED with zero_stage 1 or 2</source>
        <translation>diese Bibliothek teilt keine Parameter auf: fsdp_version auf 1 und fsdp_sharding_strategy auf NO_SHARD setzen oder DEEPSPEED mit zero_stage 1 oder 2 verwenden</translation>
    </message>
    <message>
        <source>this library keeps everything on the device it trains on: set it to false</source>
        <translation>diese Bibliothek hält alles auf dem Gerät, auf dem sie trainiert: auf false setzen</translation>
    </message>
    <message>
        <source>it must be TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP or NO_WRAP</source>
        <translation>muss TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP oder NO_WRAP sein</translation>
    </message>
    <message>
        <source>this library trains a program's modules as replicas on all ranks: set it to 1</source>
        <translation>diese Bibliothek trainiert die Module eines Programms als Replikate auf allen Ranks: auf 1 setzen</translation>
    </message>
    <message>
        <source>%1 is '%2': it must be a whole number, %3 or more</source>
        <translation>%1 ist '%2': muss eine ganze Zahl ab %3 sein</translation>
    </message>
    <message>
        <source>distributed_type MEGATRON_LM: this library does not have Megatron-LM: launch with replicas on every rank (MULTI_GPU or MULTI_CPU)</source>
        <translation>distributed_type MEGATRON_LM: diese Bibliothek hat kein Megatron-LM: mit Replikaten auf jedem Rank starten (MULTI_GPU oder MULTI_CPU)</translation>
    </message>
    <message>
        <source>the optimizer updates parameters of several models, or of none that is prepared: where ranks share out optimizer state (zero_stage), give each prepared model an optimizer of its own</source>
        <translation>der Optimizer aktualisiert Parameter mehrerer Modelle oder keines vorbereiteten: wo Ranks den Optimizer-Zustand aufteilen (zero_stage), jedem vorbereiteten Modell einen eigenen Optimizer geben</translation>
    </message>
    <message>
        <source>optimizer state %1</source>
        <translation>Optimizer-Zustand %1</translation>
    </message>
    <message>
        <source>the optimizer's state: '%1' of parameter %2 has another shape than the parameter</source>
        <translation>der Optimizer-Zustand: '%1' von Parameter %2 hat eine andere Form als der Parameter</translation>
    </message>
</context>
<context>
    <name>engine/base</name>
    <message>
        <source>line %1:%2: %3</source>
        <translation>Zeile %1:%2: %3</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>std::terminate without an exception</source>
        <translation>std::terminate ohne Ausnahme</translation>
    </message>
    <message>
        <source>unknown exception</source>
        <translation>unbekannte Ausnahme</translation>
    </message>
    <message>
        <source>an exception of type %1</source>
        <translation>eine Ausnahme vom Typ %1</translation>
    </message>
    <message>
        <source>the value</source>
        <translation>der Wert</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 is out of range</source>
        <translation>%1 liegt außerhalb des Wertebereichs</translation>
    </message>
    <message>
        <source>%1 is not a time</source>
        <translation>%1 ist keine Zeitangabe</translation>
    </message>
    <message>
        <source>%1 is '%2', which this version does not know</source>
        <translation>%1 ist '%2', was diese Version nicht kennt</translation>
    </message>
    <message>
        <source>%1 is not a known key</source>
        <translation>%1 ist kein bekannter Schlüssel</translation>
    </message>
    <message>
        <source>%1 cannot be '%2'</source>
        <translation>%1 darf nicht '%2' sein</translation>
    </message>
    <message>
        <source>%1 has %2 entries, more than the %3 allowed</source>
        <translation>%1 hat %2 Einträge, mehr als die erlaubten %3</translation>
    </message>
    <message>
        <source>%1 has the wrong type</source>
        <translation>%1 hat den falschen Typ</translation>
    </message>
    <message>
        <source>%1 is %2: it was written by another program</source>
        <translation>%1 ist %2: ein anderes Programm hat es geschrieben</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: it was cut short or written by another program</source>
        <translation>%1 ist kein JSON-Objekt: abgeschnitten oder von einem anderen Programm geschrieben</translation>
    </message>
    <message>
        <source>%1 (%2 free): make room or choose another folder</source>
        <translation>%1 (%2 frei): Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>cannot flush %1: %2</source>
        <translation>%1 kann nicht auf den Datenträger geschrieben werden: %2</translation>
    </message>
    <message>
        <source>cannot replace %1: %2</source>
        <translation>%1 kann nicht ersetzt werden: %2</translation>
    </message>
    <message>
        <source>cannot make the folder %1: %2</source>
        <translation>der Ordner %1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>%1 has %2 bytes instead of %3: it was cut while it was read</source>
        <translation>%1 hat %2 Bytes statt %3: beim Lesen abgeschnitten</translation>
    </message>
    <message>
        <source>cannot write %1: the disk is full (%2 needed, %3 free): make room or choose another folder</source>
        <translation>%1 kann nicht geschrieben werden: Die Platte ist voll (%2 nötig, %3 frei): Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>cannot %1 %2: %3</source>
        <translation>%2: '%1' nicht möglich: %3</translation>
    </message>
    <message>
        <source>%1 is not a file</source>
        <translation>%1 ist keine Datei</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the file was cut while it was used, or its disk fails; put it back and load it again</source>
        <translation>%1 ist nicht mehr lesbar: Die Datei wurde während der Verwendung abgeschnitten, oder ihre Platte ist defekt; Datei wiederherstellen und neu laden</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the file was cut</source>
        <translation>%1 ist nicht mehr lesbar: Die Datei wurde abgeschnitten</translation>
    </message>
    <message>
        <source>cannot map %1: %2</source>
        <translation>%1 kann nicht in den Speicher abgebildet werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be read any more: the disk fails, or the file was cut</source>
        <translation>%1 ist nicht mehr lesbar: Die Platte ist defekt, oder die Datei wurde abgeschnitten</translation>
    </message>
    <message>
        <source>the folder %1 does not exist: make it, or name another one</source>
        <translation>der Ordner %1 existiert nicht: ihn anlegen oder einen anderen nennen</translation>
    </message>
    <message>
        <source>%1 is no folder: name one</source>
        <translation>%1 ist kein Ordner: einen nennen</translation>
    </message>
    <message>
        <source>no file can be written in %1: %2; name another folder</source>
        <translation>in %1 kann keine Datei geschrieben werden: %2; einen anderen Ordner nennen</translation>
    </message>
    <message>
        <source>%1 in %2 is lost: the disk is full, or fails; make room, or name another folder, and resume from the last checkpoint</source>
        <translation>%1 in %2 ist verloren: Die Platte ist voll oder defekt; Platz schaffen oder einen anderen Ordner nennen und vom letzten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>the disk of %1 has no room for %2: it takes %3, %4 are free; make room, or name another folder</source>
        <translation>die Platte von %1 hat keinen Platz für %2: gebraucht werden %3, frei sind %4; Platz schaffen oder einen anderen Ordner nennen</translation>
    </message>
    <message>
        <source>cannot keep the tokens of the data in memory for %1: %2</source>
        <translation>die Tokens der Daten können nicht im Speicher gehalten werden, für %1: %2</translation>
    </message>
    <message>
        <source>the tokens of %1 cannot be kept in memory: %2</source>
        <translation>die Tokens von %1 können nicht im Speicher gehalten werden: %2</translation>
    </message>
    <message>
        <source>every rank holds the tokens of the data in its own memory, because they cannot be kept in a cache: %1 (set TRAINYARD_CACHE to a folder with room)</source>
        <translation>jeder Rank hält die Tokens der Daten im eigenen Speicher, weil sie nicht in einem Cache aufbewahrt werden können: %1 (TRAINYARD_CACHE auf einen Ordner mit Platz setzen)</translation>
    </message>
    <message>
        <source>every rank holds the tokens of the data in its own memory, because they cannot be kept in %1: %2 (set TRAINYARD_CACHE to a folder with room)</source>
        <translation>jeder Rank hält die Tokens der Daten im eigenen Speicher, weil sie nicht in %1 aufbewahrt werden können: %2 (TRAINYARD_CACHE auf einen Ordner mit Platz setzen)</translation>
    </message>
    <message>
        <source>neither TRAINYARD_CACHE, XDG_CACHE_HOME nor HOME is set</source>
        <translation>weder TRAINYARD_CACHE noch XDG_CACHE_HOME noch HOME ist gesetzt</translation>
    </message>
    <message>
        <source>what was written cannot be read again</source>
        <translation>das Geschriebene ist nicht wieder lesbar</translation>
    </message>
    <message>
        <source>it is cut off</source>
        <translation>die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>it is not a token file of this version</source>
        <translation>es ist keine Token-Datei dieser Version</translation>
    </message>
    <message>
        <source>its size is not the one it was written with</source>
        <translation>ihre Größe ist nicht die, mit der sie geschrieben wurde</translation>
    </message>
    <message>
        <source>its content is not the one it was written with</source>
        <translation>ihr Inhalt ist nicht der, mit dem sie geschrieben wurde</translation>
    </message>
    <message>
        <source>%1 is not a whole torch.save archive</source>
        <translation>%1 ist kein vollständiges torch.save-Archiv</translation>
    </message>
    <message>
        <source>%1: its entry '%2' is compressed, which torch.save never does</source>
        <translation>%1: Der Eintrag '%2' ist komprimiert, was torch.save nie tut</translation>
    </message>
    <message>
        <source>%1: its entries do not lie in one folder</source>
        <translation>%1: Die Einträge liegen nicht in einem gemeinsamen Ordner</translation>
    </message>
    <message>
        <source>%1 is not a whole torch.save archive: it has no '%2'</source>
        <translation>%1 ist kein vollständiges torch.save-Archiv: '%2' fehlt</translation>
    </message>
    <message>
        <source>%1 is damaged: the checksum of its entry '%2' is wrong</source>
        <translation>%1 ist beschädigt: Die Prüfsumme des Eintrags '%2' ist falsch</translation>
    </message>
    <message>
        <source>its directory is longer than its entries</source>
        <translation>das Verzeichnis ist länger als die Einträge</translation>
    </message>
    <message>
        <source>it is cut</source>
        <translation>die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>the directory at its end is missing, so it is cut</source>
        <translation>das Verzeichnis am Ende fehlt, die Datei ist also abgeschnitten</translation>
    </message>
    <message>
        <source>it is one part of several</source>
        <translation>die Datei ist einer von mehreren Teilen</translation>
    </message>
    <message>
        <source>the 64-bit end of its directory is missing</source>
        <translation>das 64-Bit-Ende des Verzeichnisses fehlt</translation>
    </message>
    <message>
        <source>its directory lies outside the file</source>
        <translation>das Verzeichnis liegt außerhalb der Datei</translation>
    </message>
    <message>
        <source>its directory claims more entries than it can hold</source>
        <translation>das Verzeichnis gibt mehr Einträge an, als es enthalten kann</translation>
    </message>
    <message>
        <source>its directory is damaged</source>
        <translation>das Verzeichnis ist beschädigt</translation>
    </message>
    <message>
        <source>its entry '%1' is encrypted</source>
        <translation>der Eintrag '%1' ist verschlüsselt</translation>
    </message>
    <message>
        <source>its entry '%1' is compressed in a way (method %2) that cannot be read</source>
        <translation>der Eintrag '%1' ist auf eine nicht lesbare Art (Methode %2) komprimiert</translation>
    </message>
    <message>
        <source>its entry '%1' has two sizes</source>
        <translation>der Eintrag '%1' hat zwei Größen</translation>
    </message>
    <message>
        <source>the name '%1' leaves the archive</source>
        <translation>der Name '%1' führt aus dem Archiv hinaus</translation>
    </message>
    <message>
        <source>its entry '%1' is not where the directory says</source>
        <translation>der Eintrag '%1' ist nicht dort, wo das Verzeichnis angibt</translation>
    </message>
    <message>
        <source>its entry '%1' ends behind the file's data</source>
        <translation>der Eintrag '%1' endet hinter den Daten der Datei</translation>
    </message>
    <message>
        <source>its entry '%1' is another one in the directory than in its own place</source>
        <translation>der Eintrag '%1' ist im Verzeichnis ein anderer als an seiner eigenen Stelle</translation>
    </message>
    <message>
        <source>its entries '%1' and '%2' overlap</source>
        <translation>die Einträge '%1' und '%2' überlappen sich</translation>
    </message>
    <message>
        <source>%1: the entry '%2' is there twice</source>
        <translation>%1: Der Eintrag '%2' kommt doppelt vor</translation>
    </message>
    <message>
        <source>the text is %1</source>
        <translation>der Text ist %1</translation>
    </message>
    <message>
        <source>larger than 256 MiB</source>
        <translation>größer als 256 MiB</translation>
    </message>
    <message>
        <source>nested deeper than 64 levels</source>
        <translation>tiefer als 64 Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>of more than 8 million values</source>
        <translation>aus mehr als 8 Millionen Werten</translation>
    </message>
    <message>
        <source>%1 is no port: give 1 to 65535, or 0 for a free one</source>
        <translation>%1 ist kein Port: 1 bis 65535 angeben oder 0 für einen freien</translation>
    </message>
    <message>
        <source>the address '%1' is unknown: %2</source>
        <translation>die Adresse '%1' ist unbekannt: %2</translation>
    </message>
    <message>
        <source>port %1 of %2 is in use by another program: give another one, or 0 for a free one</source>
        <translation>Port %1 von %2 wird von einem anderen Programm benutzt: einen anderen angeben oder 0 für einen freien</translation>
    </message>
    <message>
        <source>cannot listen on %1:%2: %3</source>
        <translation>auf %1:%2 kann nicht gelauscht werden: %3</translation>
    </message>
    <message>
        <source>port %1 of this machine is in use by another launch: give another one, or 0 for a free one</source>
        <translation>Port %1 dieser Maschine wird von einem anderen Start benutzt: einen anderen angeben, oder 0 für einen freien</translation>
    </message>
    <message>
        <source>'%1' is not a size of memory: write a number with a unit, such as 5GB or 500MiB</source>
        <translation>'%1' ist keine Speichergröße: eine Zahl mit Einheit schreiben, z. B. 5GB oder 500MiB</translation>
    </message>
    <message>
        <source>'%1' is less than no memory: write a size of 0 or more</source>
        <translation>'%1' ist weniger als gar kein Speicher: eine Größe ab 0 schreiben</translation>
    </message>
    <message>
        <source>'%1' is more memory than can be counted</source>
        <translation>'%1' ist mehr Speicher, als gezählt werden kann</translation>
    </message>
    <message>
        <source>%1... (%2 more)</source>
        <translation>%1... (%2 weitere)</translation>
    </message>
    <message>
        <source>cancelled: nothing was changed</source>
        <translation>abgebrochen: nichts wurde geändert</translation>
    </message>
    <message>
        <source>the regular expression '%1' cannot be used: %2 (at character %3)</source>
        <translation>der reguläre Ausdruck '%1' ist nicht verwendbar: %2 (bei Zeichen %3)</translation>
    </message>
    <message>
        <source>the regular expression '%1' fails on a text of %2 bytes: %3</source>
        <translation>der reguläre Ausdruck '%1' scheitert an einem Text von %2 Byte: %3</translation>
    </message>
    <message>
        <source>a named pipe</source>
        <translation>eine benannte Pipe</translation>
    </message>
    <message>
        <source>a socket</source>
        <translation>ein Socket</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>a folder</source>
        <translation>ein Ordner</translation>
    </message>
    <message>
        <source>something else</source>
        <translation>etwas anderes</translation>
    </message>
    <message>
        <source>cannot read %1: it is %2: put a file in its place</source>
        <translation>%1 kann nicht gelesen werden, es ist %2: eine Datei an diese Stelle legen</translation>
    </message>
    <message>
        <source>cannot read %1: it is %2, more than the %3 allowed here</source>
        <translation>%1 kann nicht gelesen werden: die Größe ist %2, mehr als die hier erlaubten %3</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>%1 does not exist: name the shared library (.so) that the plug-in's build made</source>
        <translation>%1 existiert nicht: die Bibliothek (.so) angeben, die beim Bauen des Plug-ins entstanden ist</translation>
    </message>
    <message>
        <source>%1 cannot be read as a file: name the shared library (.so) that the plug-in's build made</source>
        <translation>%1 kann nicht als Datei gelesen werden: die Bibliothek (.so) angeben, die beim Bauen des Plug-ins entstanden ist</translation>
    </message>
    <message>
        <source>%1 is not a shared library: name the .so file that the plug-in's build made</source>
        <translation>%1 ist keine Bibliothek: die .so-Datei angeben, die beim Bauen des Plug-ins entstanden ist</translation>
    </message>
    <message>
        <source>%1 cannot be loaded (no reason given): build it against the LibTorch of this Trainyard</source>
        <translation>%1 kann nicht geladen werden (kein Grund genannt): gegen die LibTorch dieses Trainyard bauen</translation>
    </message>
    <message>
        <source>%1 cannot be loaded (%2): build it against the LibTorch of this Trainyard</source>
        <translation>%1 kann nicht geladen werden (%2): gegen die LibTorch dieses Trainyard bauen</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>more than 100 years</source>
        <translation>mehr als 100 Jahre</translation>
    </message>
    <message>
        <source>: did you mean '%1'?</source>
        <translation>: war '%1' gemeint?</translation>
    </message>
    <message>
        <source>: known are %1</source>
        <translation>: bekannt sind %1</translation>
    </message>
    <message>
        <source>zero bytes begin at byte %1</source>
        <translation>ab Byte %1 stehen Nullbytes</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) is not valid UTF-8</source>
        <translation>Byte %1 (0x%2) ist kein gültiges UTF-8</translation>
    </message>
    <message>
        <source>zero bytes begin at byte %1: the file is damaged or is not text, so restore it or remove them</source>
        <translation>ab Byte %1 stehen Nullbytes: die Datei ist beschädigt oder kein Text, also wiederherstellen oder die Nullbytes entfernen</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example with iconv -f WINDOWS-1252 -t UTF-8</source>
        <translation>Byte %1 (0x%2) ist kein gültiges UTF-8: die Datei als UTF-8 speichern, Latin-1-Text zum Beispiel mit iconv -f WINDOWS-1252 -t UTF-8</translation>
    </message>
    <message>
        <source>byte %1 (0x%2) of the argument is not valid UTF-8: give it in UTF-8, as a terminal with a UTF-8 locale does</source>
        <translation>Byte %1 (0x%2) des Arguments ist kein gültiges UTF-8: in UTF-8 angeben, wie es ein Terminal mit UTF-8-Locale tut</translation>
    </message>
    <message>
        <source>the text is %1: save it as UTF-8, for example with iconv -f %1 -t UTF-8</source>
        <translation>der Text ist %1: als UTF-8 speichern, zum Beispiel mit iconv -f %1 -t UTF-8</translation>
    </message>
    <message>
        <source>%1: '%2' is not %3</source>
        <translation>%1: '%2' ist nicht %3</translation>
    </message>
    <message>
        <source>%1 is limited to %2 files and folders</source>
        <translation>%1 ist auf %2 Dateien und Ordner begrenzt</translation>
    </message>
    <message>
        <source>%1: listing its files took more than %2</source>
        <translation>%1: Das Auflisten der Dateien dauerte länger als %2</translation>
    </message>
    <message>
        <source>%1 is limited to %2</source>
        <translation>%1 ist auf %2 begrenzt</translation>
    </message>
    <message>
        <source>%1 needs %2 more on the disk of %3: %4 are free there, and %5 of them stay free</source>
        <translation>%1 braucht noch %2 auf dem Datenträger von %3: Dort sind %4 frei, und %5 davon bleiben frei</translation>
    </message>
    <message>
        <source>the id of a run</source>
        <translation>die Kennung eines Laufs</translation>
    </message>
    <message>
        <source>an absolute path</source>
        <translation>ein absoluter Pfad</translation>
    </message>
</context>
<context>
    <name>engine/checkpoint</name>
    <message>
        <source>cannot resume from %1: there is no such folder</source>
        <translation>Fortsetzen ab %1 nicht möglich: es gibt keinen solchen Ordner</translation>
    </message>
    <message>
        <source>%1 has no state of the gradient scaler: it starts anew</source>
        <translation>%1 hat keinen Zustand des Gradienten-Scalers: er beginnt neu</translation>
    </message>
    <message>
        <source>cannot resume from %1: %2</source>
        <translation>Fortsetzen ab %1 nicht möglich: %2</translation>
    </message>
    <message>
        <source>%1 is missing (and %2, too)</source>
        <translation>%1 fehlt (und %2 auch)</translation>
    </message>
    <message>
        <source>%1 holds more models than the %2 of this program: the others are not loaded</source>
        <translation>%1 enthält mehr Modelle als die %2 dieses Programms: die übrigen werden nicht geladen</translation>
    </message>
    <message>
        <source>%1 holds more than the %2 %3 of this program: the others are not loaded</source>
        <translation>%1 enthält mehr als die %2 %3 dieses Programms: die übrigen werden nicht geladen</translation>
    </message>
    <message>
        <source>%1 holds more than the %2 %3s of this program: the others are not loaded</source>
        <translation>%1 enthält mehr als die %2 %3 dieses Programms: die übrigen werden nicht geladen</translation>
    </message>
    <message>
        <source>data loader %1 was saved on %2 ranks and goes on, on %3, from the position of rank 0</source>
        <translation>Data-Loader %1 wurde auf %2 Ranks gespeichert und geht auf %3 ab der Position von Rank 0 weiter</translation>
    </message>
    <message>
        <source>%1 has no random states: the generators go on as they are</source>
        <translation>%1 hat keine Zufallszustände: die Generatoren laufen weiter, wie sie sind</translation>
    </message>
    <message>
        <source>rank %1 has no random state in %2, which is of %3 ranks: its generators begin with a seed derived from that of rank 0 and its own number</source>
        <translation>Rank %1 hat keinen Zufallszustand in %2, das von %3 Ranks stammt: seine Generatoren beginnen mit einem Seed, der aus dem von Rank 0 und seiner eigenen Nummer abgeleitet ist</translation>
    </message>
    <message>
        <source>it holds %1 custom objects, but %2 are registered</source>
        <translation>enthalten sind %1 eigene Objekte, aber %2 sind registriert</translation>
    </message>
    <message>
        <source>%1 is missing, so nothing tells whether its files are whole</source>
        <translation>%1 fehlt, daher sagt nichts, ob die Dateien vollständig sind</translation>
    </message>
    <message>
        <source>%1 was not written to its end</source>
        <translation>%1 wurde nicht zu Ende geschrieben</translation>
    </message>
    <message>
        <source>there is no whole checkpoint in it</source>
        <translation>darin ist kein vollständiger Checkpoint</translation>
    </message>
    <message>
        <source>%1 is passed over: %2 (and %3 more)</source>
        <translation>%1 wird übergangen: %2 (und %3 weitere)</translation>
    </message>
    <message>
        <source>%1 is passed over: %2</source>
        <translation>%1 wird übergangen: %2</translation>
    </message>
    <message>
        <source>%1 has the experts of a block in two tensors, as transformers 5 computes with them, and optimizer state of these is not read: start from the weights alone with model.weights</source>
        <translation>%1 hat die Experten eines Blocks in zwei Tensoren, wie transformers 5 damit rechnet, und deren Optimiererzustand wird nicht gelesen: mit model.weights nur von den Gewichten aus beginnen</translation>
    </message>
    <message>
        <source>%1 has shape [%2] instead of [%3]</source>
        <translation>%1 hat Shape [%2] statt [%3]</translation>
    </message>
    <message>
        <source>%1 is a weight of its own there, the recipe's model ties it to %2: set model.tie_word_embeddings to false</source>
        <translation>%1 ist dort ein eigenes Gewicht, das Modell des Rezepts koppelt es an %2: model.tie_word_embeddings auf false setzen</translation>
    </message>
    <message>
        <source>%1 is no part of the recipe's model</source>
        <translation>%1 gehört nicht zum Modell des Rezepts</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>the weights in %1 do not fit: %2</source>
        <translation>die Gewichte in %1 passen nicht: %2</translation>
    </message>
    <message>
        <source>tensor %1 has shape %2 instead of %3</source>
        <translation>Tensor %1 hat Shape %2 statt %3</translation>
    </message>
    <message>
        <source>tensor %1 has only a part of its elements</source>
        <translation>von Tensor %1 ist nur ein Teil der Elemente vorhanden</translation>
    </message>
    <message>
        <source>tensor %1 is missing</source>
        <translation>Tensor %1 fehlt</translation>
    </message>
    <message>
        <source>%1 does not fit this model: %2</source>
        <translation>%1 passt nicht zu diesem Modell: %2</translation>
    </message>
    <message>
        <source>%1 was marked as not good when it was saved: %2</source>
        <translation>%1 wurde beim Speichern als nicht gut markiert: %2</translation>
    </message>
    <message>
        <source>training goes on from %1: the 1 step from there to %2 is lost</source>
        <translation>das Training geht ab %1 weiter: der 1 Schritt von dort bis %2 ist verloren</translation>
    </message>
    <message>
        <source>training goes on from %1: the %2 steps from there to %3 are lost</source>
        <translation>das Training geht ab %1 weiter: die %2 Schritte von dort bis %3 gehen verloren</translation>
    </message>
    <message>
        <source>cannot resume from %1: its manifest.json is missing, so nothing tells whether its files are whole: name the folder above it to go on from the newest whole checkpoint</source>
        <translation>Fortsetzen ab %1 nicht möglich: seine manifest.json fehlt, daher sagt nichts, ob die Dateien vollständig sind: den Ordner darüber angeben, um ab dem neuesten vollständigen Checkpoint fortzusetzen</translation>
    </message>
    <message>
        <source>cannot resume from %1: there is no whole checkpoint in it</source>
        <translation>Fortsetzen ab %1 nicht möglich: es gibt darin keinen vollständigen Checkpoint</translation>
    </message>
    <message>
        <source>%1 names no file of the weights: resume from an earlier checkpoint</source>
        <translation>%1 nennt keine Datei mit Gewichten: ab einem früheren Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>%1 names no file of the optimizer: resume from an earlier checkpoint</source>
        <translation>%1 nennt keine Datei des Optimizers: ab einem früheren Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>%1: resume from an earlier checkpoint</source>
        <translation>%1: ab einem früheren Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>%1 has no position of a trainer (%2): this checkpoint was saved by another program</source>
        <translation>%1 hat keine Position eines Trainers (%2): dieser Checkpoint wurde von einem anderen Programm gespeichert</translation>
    </message>
    <message>
        <source>'%1' is missing</source>
        <translation>'%1' fehlt</translation>
    </message>
    <message>
        <source>'%1' has shape %2 instead of %3</source>
        <translation>'%1' hat Shape %2 statt %3</translation>
    </message>
    <message>
        <source>'%1' and '%2' are one tensor of this model, and differ in the file</source>
        <translation>„%1“ und „%2“ sind in diesem Modell ein und derselbe Tensor und unterscheiden sich in der Datei</translation>
    </message>
    <message>
        <source>'%1' is no part of this model</source>
        <translation>'%1' gehört nicht zu diesem Modell</translation>
    </message>
    <message>
        <source>%1 says wrongly which parts of tensors it holds (%2)</source>
        <translation>%1 macht falsche Angaben dazu, welche Teile von Tensoren es enthält (%2)</translation>
    </message>
    <message>
        <source>%1 has other dimensions than its tensor</source>
        <translation>%1 hat andere Dimensionen als sein Tensor</translation>
    </message>
    <message>
        <source>%1 reaches out of its tensor</source>
        <translation>%1 reicht über seinen Tensor hinaus</translation>
    </message>
    <message>
        <source>%1 holds a tensor of the unknown type %2</source>
        <translation>%1 enthält einen Tensor des unbekannten Typs %2</translation>
    </message>
    <message>
        <source>%1 has %2 bytes instead of %3</source>
        <translation>%1 hat %2 Bytes statt %3</translation>
    </message>
    <message>
        <source>%1 is damaged (%2): resume from an earlier checkpoint</source>
        <translation>%1 ist beschädigt (%2): ab einem früheren Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>in its header</source>
        <translation>im Header</translation>
    </message>
    <message>
        <source>in tensor %1</source>
        <translation>in Tensor %1</translation>
    </message>
    <message>
        <source>in tensors %1 and %2 more</source>
        <translation>in den Tensoren %1 und %2 weiteren</translation>
    </message>
    <message>
        <source>in tensors %1</source>
        <translation>in den Tensoren %1</translation>
    </message>
    <message>
        <source>it names the file '%1'</source>
        <translation>darin wird die Datei '%1' genannt</translation>
    </message>
    <message>
        <source>it has no checksum of %1</source>
        <translation>die Prüfsumme von %1 fehlt darin</translation>
    </message>
    <message>
        <source>%1 is damaged (its checksum differs)</source>
        <translation>%1 ist beschädigt (die Prüfsumme weicht ab)</translation>
    </message>
    <message>
        <source>%1 shares its memory with a weight that is saved, and is not written again: tie the weights after loading</source>
        <translation>%1 teilt den Speicher mit einem Gewicht, das gespeichert wird, und wird nicht noch einmal geschrieben: Gewichte nach dem Laden koppeln</translation>
    </message>
    <message>
        <source>%1 share their memory with a weight that is saved, and are not written again: tie the weights after loading</source>
        <translation>%1 teilen den Speicher mit einem Gewicht, das gespeichert wird, und werden nicht noch einmal geschrieben: Gewichte nach dem Laden koppeln</translation>
    </message>
    <message>
        <source>'%1' has no data: load or initialise the model before saving it</source>
        <translation>'%1' hat keine Daten: das Modell vor dem Speichern laden oder initialisieren</translation>
    </message>
    <message>
        <source>cannot save in %1: it is a file</source>
        <translation>Speichern in %1 nicht möglich: es ist eine Datei</translation>
    </message>
    <message>
        <source>cannot save in %1: %2</source>
        <translation>Speichern in %1 nicht möglich: %2</translation>
    </message>
    <message>
        <source>%1 is no state of an optimizer: it lacks "state" or "param_groups"</source>
        <translation>%1 ist kein Zustand eines Optimizers: "state" oder "param_groups" fehlt</translation>
    </message>
    <message>
        <source>%1 lacks the names of its parameters: it was not saved by the trainer</source>
        <translation>in %1 fehlen die Namen der Parameter: es wurde nicht vom Trainer gespeichert</translation>
    </message>
    <message>
        <source>%1: '%2' does not lie in one piece</source>
        <translation>%1: '%2' liegt nicht in einem Stück</translation>
    </message>
    <message>
        <source>the random state has no torch_manual_seed</source>
        <translation>dem Zufallszustand fehlt torch_manual_seed</translation>
    </message>
    <message>
        <source>the random state is of another version of torch: it has %1 bytes where this one's has %2</source>
        <translation>der Zufallszustand stammt von einer anderen Version von torch: er hat %1 Bytes, der dieser Version %2</translation>
    </message>
    <message>
        <source>Adafactor of transformers</source>
        <translation>Adafactor von transformers</translation>
    </message>
    <message>
        <source>a schedule-free optimizer</source>
        <translation>einem Schedule-free-Optimizer</translation>
    </message>
    <message>
        <source>an 8-bit optimizer of bitsandbytes</source>
        <translation>einem 8-Bit-Optimizer von bitsandbytes</translation>
    </message>
    <message>
        <source>is no state of an optimizer of torch: it lacks "state" or "param_groups"</source>
        <translation>ist kein Zustand eines Optimizers von torch: "state" oder "param_groups" fehlt</translation>
    </message>
    <message>
        <source>has no group of parameters</source>
        <translation>hat keine Parametergruppe</translation>
    </message>
    <message>
        <source>is the state of one optimizer, the recipe has several (optimizer.groups): start from the folder's weights (model.weights)</source>
        <translation>ist der Zustand eines einzigen Optimizers, das Rezept hat mehrere (optimizer.groups): mit den Gewichten des Ordners beginnen (model.weights)</translation>
    </message>
    <message>
        <source>is the state of %1, the trainer has %2: set optimizer.name to that one where recipes have it, or start from the folder's weights (model.weights) to train on with %3</source>
        <translation>ist der Zustand von %1, der Trainer hat %2: optimizer.name darauf setzen, wenn Rezepte ihn kennen, oder mit den Gewichten des Ordners beginnen (model.weights), um mit %3 weiter zu trainieren</translation>
    </message>
    <message>
        <source>an optimizer whose groups have the settings %1</source>
        <translation>einem Optimizer, dessen Gruppen die Einstellungen %1 haben</translation>
    </message>
    <message>
        <source>%1 with amsgrad</source>
        <translation>%1 mit amsgrad</translation>
    </message>
    <message>
        <source>%1 without amsgrad</source>
        <translation>%1 ohne amsgrad</translation>
    </message>
    <message>
        <source>AdamW without the correction of the moments' bias</source>
        <translation>AdamW ohne Bias-Korrektur der Momente</translation>
    </message>
    <message>
        <source>AdamW with weight_decay %1 beside the gradients</source>
        <translation>AdamW mit weight_decay %1 neben den Gradienten</translation>
    </message>
    <message>
        <source>Adam with weight_decay %1 added to the gradients</source>
        <translation>Adam mit zu den Gradienten addiertem weight_decay %1</translation>
    </message>
    <message>
        <source>has a group without "params"</source>
        <translation>hat eine Gruppe ohne "params"</translation>
    </message>
    <message>
        <source>an optimizer that maximizes</source>
        <translation>einem maximierenden Optimizer</translation>
    </message>
    <message>
        <source>was saved after the eval() of %1: the weights beside it are the average, from which training cannot continue. Save it again after train(), or start from the folder's weights (model.weights)</source>
        <translation>wurde nach eval() von %1 gespeichert: die Gewichte daneben sind der Mittelwert, von dem ein Training nicht fortgesetzt werden kann. Nach train() erneut speichern oder mit den Gewichten des Ordners beginnen (model.weights)</translation>
    </message>
    <message>
        <source>has a group whose %1</source>
        <translation>hat eine fehlerhafte Gruppe: %1</translation>
    </message>
    <message>
        <source>counts its parameters by something else than whole numbers</source>
        <translation>zählt seine Parameter nicht mit ganzen Zahlen</translation>
    </message>
    <message>
        <source>has a group with other numbers of "params" and of "param_names"</source>
        <translation>hat eine Gruppe mit verschiedener Anzahl von "params" und "param_names"</translation>
    </message>
    <message>
        <source>moments of shape [%1]</source>
        <translation>Momente mit Shape [%1]</translation>
    </message>
    <message>
        <source>other moments</source>
        <translation>andere Momente</translation>
    </message>
    <message>
        <source>has %1 parameters, the recipe's model has %2 and trains %3 of them</source>
        <translation>hat %1 Parameter, das Modell des Rezepts hat %2 und trainiert %3 davon</translation>
    </message>
    <message>
        <source>has %1 parameters, the recipe's model has %2</source>
        <translation>hat %1 Parameter, das Modell des Rezepts hat %2</translation>
    </message>
    <message>
        <source>has a parameter '%1', which the recipe's model lacks</source>
        <translation>hat einen Parameter '%1', den das Modell des Rezepts nicht hat</translation>
    </message>
    <message>
        <source>has %1 of %2, the recipe's model needs [%3]</source>
        <translation>hat %1 für %2, das Modell des Rezepts braucht [%3]</translation>
    </message>
    <message>
        <source>has the parameter %1 twice</source>
        <translation>hat den Parameter %1 zweimal</translation>
    </message>
    <message>
        <source>parameters at that place</source>
        <translation>Parameter an dieser Stelle</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>does not fit the recipe's model: none of its parameters at that place has moments of shape [%1] for %2</source>
        <translation>passt nicht zum Modell des Rezepts: keiner seiner Parameter an dieser Stelle hat Momente mit Shape [%1] für %2</translation>
    </message>
    <message>
        <source>does not fit the recipe's model: none of its groups has moments of shape [%1] for %2</source>
        <translation>passt nicht zum Modell des Rezepts: keine seiner Gruppen hat Momente mit Shape [%1] für %2</translation>
    </message>
    <message>
        <source>leaves open which parameters its %1 groups are of: it holds no names, and the shapes fit in several ways. Save it from an optimizer that was made of named parameters (torch 2.6 or newer), or start from the folder's weights (model.weights)</source>
        <translation>lässt offen, zu welchen Parametern seine %1 Gruppen gehören: es enthält keine Namen, und die Shapes passen auf mehrere Arten. Aus einem Optimizer mit benannten Parametern speichern (torch 2.6 oder neuer) oder mit den Gewichten des Ordners beginnen (model.weights)</translation>
    </message>
    <message>
        <source>has no %1 of %2: it is the state of another optimizer than %3</source>
        <translation>hat kein %1 für %2: es ist der Zustand eines anderen Optimizers als %3</translation>
    </message>
    <message>
        <source>has a %1 of %2 that is no number</source>
        <translation>hat ein %1 für %2, das keine Zahl ist</translation>
    </message>
    <message>
        <source>has a %1 of another shape than %2 needs</source>
        <translation>hat ein %1 mit anderer Shape, als %2 braucht</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 is %2 as the recipe says, not %3</source>
        <translation>%1 ist %2 wie im Rezept, nicht %3</translation>
    </message>
    <message>
        <source>the weight decay of %1 is %2 as the recipe says, not %3</source>
        <translation>der Weight Decay von %1 ist %2 wie im Rezept, nicht %3</translation>
    </message>
    <message>
        <source>the weight decay of %1 (and %2 more) is %3 as the recipe says, not %4</source>
        <translation>der Weight Decay von %1 (und %2 weiteren) ist %3 wie im Rezept, nicht %4</translation>
    </message>
    <message>
        <source>%1 in %2 holds NaN</source>
        <translation>%1 in %2 enthält NaN</translation>
    </message>
    <message>
        <source>%1 in %2 holds infinite numbers</source>
        <translation>%1 in %2 enthält unendliche Zahlen</translation>
    </message>
    <message>
        <source>%1 was written a second time: %2</source>
        <translation>%1 wurde ein zweites Mal geschrieben: %2</translation>
    </message>
    <message>
        <source>%1 (a second attempt as well)</source>
        <translation>%1 (auch beim zweiten Versuch)</translation>
    </message>
    <message>
        <source>'%1' is no name for a file of a checkpoint</source>
        <translation>'%1' ist kein Name für eine Datei eines Checkpoints</translation>
    </message>
    <message>
        <source>the file %1 is to be saved twice</source>
        <translation>die Datei %1 soll zweimal gespeichert werden</translation>
    </message>
    <message>
        <source>begin of a save</source>
        <translation>Beginn des Speicherns</translation>
    </message>
    <message>
        <source>rank 0 cannot begin to save %1</source>
        <translation>Rank 0 kann nicht mit dem Speichern von %1 beginnen</translation>
    </message>
    <message>
        <source>copies of a save</source>
        <translation>Kopien zum Speichern</translation>
    </message>
    <message>
        <source>another rank cannot begin to save %1</source>
        <translation>ein anderer Rank kann nicht mit dem Speichern von %1 beginnen</translation>
    </message>
    <message>
        <source>rank %1 has not written its part of %2 within %3 s</source>
        <translation>Rank %1 hat seinen Teil von %2 nicht innerhalb von %3 s geschrieben</translation>
    </message>
    <message>
        <source>rank 0 gave up to save %1</source>
        <translation>Rank 0 hat das Speichern von %1 aufgegeben</translation>
    </message>
    <message>
        <source>rank 0 has not finished %1 within %2 s</source>
        <translation>Rank 0 ist mit %1 nicht innerhalb von %2 s fertig geworden</translation>
    </message>
    <message>
        <source>files of a checkpoint</source>
        <translation>Dateien eines Checkpoints</translation>
    </message>
    <message>
        <source>cannot save in the background: there are no %1 of memory for the copy (%2): save without checkpoint.async, or with less in memory</source>
        <translation>Speichern im Hintergrund nicht möglich: für die Kopie fehlen %1 Speicher (%2): ohne checkpoint.async speichern oder mit weniger im Speicher</translation>
    </message>
    <message>
        <source>cannot save %1: it is no dense tensor with data</source>
        <translation>%1 kann nicht gespeichert werden: es ist kein dichter Tensor mit Daten</translation>
    </message>
    <message>
        <source>%1 holds more than %2 files besides the checkpoint: name another folder</source>
        <translation>%1 enthält außer dem Checkpoint mehr als %2 Dateien: einen anderen Ordner angeben</translation>
    </message>
    <message>
        <source>cannot save in %1: it is no folder</source>
        <translation>Speichern in %1 nicht möglich: es ist kein Ordner</translation>
    </message>
    <message>
        <source>the folder that rank 0 has made for %1 does not exist here: save to a folder that all ranks see (or, where each machine has a disk of its own, set project.save_on_each_node of the Accelerator)</source>
        <translation>der Ordner, den Rank 0 für %1 angelegt hat, ist hier nicht vorhanden: in einen Ordner speichern, den alle Ranks sehen (oder, wo jede Maschine ihre eigene Festplatte hat, project.save_on_each_node des Accelerators setzen)</translation>
    </message>
    <message>
        <source>rank %1 died while %2 was being saved</source>
        <translation>Rank %1 ist ausgefallen, während %2 gespeichert wurde</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 ist beschädigt: %2</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rank %1: %2</translation>
    </message>
    <message>
        <source>two ranks wrote %1</source>
        <translation>zwei Ranks haben %1 geschrieben</translation>
    </message>
    <message>
        <source>cannot save %1: %2</source>
        <translation>%1 kann nicht gespeichert werden: %2</translation>
    </message>
    <message>
        <source>is nested more than %1 deep</source>
        <translation>ist mehr als %1-fach verschachtelt</translation>
    </message>
    <message>
        <source>repeats its objects without end</source>
        <translation>wiederholt seine Objekte ohne Ende</translation>
    </message>
    <message>
        <source>holds a tensor of the unknown type %1</source>
        <translation>enthält einen Tensor des unbekannten Typs %1</translation>
    </message>
    <message>
        <source>%1: '%2' is no dense tensor in the memory of the CPU</source>
        <translation>%1: '%2' ist kein dichter Tensor im Speicher der CPU</translation>
    </message>
    <message>
        <source>%1: two tensors of different types share memory in a way that no file can hold</source>
        <translation>%1: zwei Tensoren verschiedenen Typs teilen Speicher auf eine Weise, die keine Datei aufnehmen kann</translation>
    </message>
    <message>
        <source>%1 has elements of type %2, which torch does not know</source>
        <translation>%1 hat Elemente vom Typ %2, den torch nicht kennt</translation>
    </message>
    <message>
        <source>'%1' has elements of type %2, which safetensors files cannot hold: save with safe_serialization off</source>
        <translation>'%1' hat Elemente vom Typ %2, den safetensors-Dateien nicht aufnehmen können: mit ausgeschaltetem safe_serialization speichern</translation>
    </message>
</context>
<context>
    <name>engine/config</name>
    <message>
        <source>same effective batch with accumulation %1</source>
        <translation>gleicher effektiver Batch mit Akkumulation %1</translation>
    </message>
    <message>
        <source>same effective batch with %1 per rank</source>
        <translation>gleicher effektiver Batch mit %1 je Rank</translation>
    </message>
    <message>
        <source>same effective batch with %1 per rank and accumulation %2</source>
        <translation>gleicher effektiver Batch mit %1 je Rank und Akkumulation %2</translation>
    </message>
    <message>
        <source>the learning rate as it is</source>
        <translation>die Lernrate unverändert</translation>
    </message>
    <message>
        <source>the learning rate in proportion</source>
        <translation>die Lernrate im gleichen Verhältnis</translation>
    </message>
    <message>
        <source>the learning rate with the square root</source>
        <translation>die Lernrate mit der Quadratwurzel</translation>
    </message>
    <message>
        <source>nothing changes</source>
        <translation>nichts ändert sich</translation>
    </message>
    <message>
        <source>effective batch %1, %2</source>
        <translation>effektiver Batch %1, %2</translation>
    </message>
    <message>
        <source>distributed_type is missing: set it, e.g. to DATA_PARALLEL, or to NO for one device</source>
        <translation>distributed_type fehlt: setzen, z. B. auf DATA_PARALLEL, oder auf NO für ein Gerät</translation>
    </message>
    <message>
        <source>distributed_type is missing: set it, e.g. to MULTI_GPU, or to NO for one process</source>
        <translation>distributed_type fehlt: setzen, z. B. auf MULTI_GPU, oder auf NO für einen Prozess</translation>
    </message>
    <message>
        <source>ec2_instance_type is missing: set it, e.g. to ml.p3.2xlarge</source>
        <translation>ec2_instance_type fehlt: setzen, z. B. auf ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>iam_role_name is missing: set the role that SageMaker works with</source>
        <translation>iam_role_name fehlt: die Rolle setzen, mit der SageMaker arbeitet</translation>
    </message>
    <message>
        <source>%1 holds %2, not keys: remove it or give it keys</source>
        <translation>%1 enthält %2, keine Schlüssel: entfernen oder mit Schlüsseln füllen</translation>
    </message>
    <message>
        <source>num_processes is not set: set it, or give --num_processes at each launch</source>
        <translation>num_processes ist nicht gesetzt: setzen oder bei jedem Start --num_processes angeben</translation>
    </message>
    <message>
        <source>%1 was read up to Accelerate %2: remove it</source>
        <translation>%1 wurde bis Accelerate %2 gelesen: entfernen</translation>
    </message>
    <message>
        <source>%1 is not a known key: it is written %2 today</source>
        <translation>%1 ist kein bekannter Schlüssel: er heißt heute %2</translation>
    </message>
    <message>
        <source>%1 is not a known key: did you mean %2?</source>
        <translation>%1 ist kein bekannter Schlüssel: war %2 gemeint?</translation>
    </message>
    <message>
        <source>%1 is not a known key: remove it</source>
        <translation>%1 ist kein bekannter Schlüssel: entfernen</translation>
    </message>
    <message>
        <source>%1 is not a port: use 0 to 65535, 0 picks a free one</source>
        <translation>%1 ist kein Port: 0 bis 65535 verwenden, 0 wählt einen freien</translation>
    </message>
    <message>
        <source>%1 is too small: use %2 or more</source>
        <translation>%1 ist zu klein: mindestens %2 verwenden</translation>
    </message>
    <message>
        <source>%1 is not allowed: use %2</source>
        <translation>%1 ist nicht erlaubt: %2 verwenden</translation>
    </message>
    <message>
        <source>%1 is not allowed: use %2 to %3</source>
        <translation>%1 ist nicht erlaubt: %2 bis %3 verwenden</translation>
    </message>
    <message>
        <source>%1 is not known: did you mean '%2'?</source>
        <translation>%1 ist nicht bekannt: war '%2' gemeint?</translation>
    </message>
    <message>
        <source>%1 is not known: use %2</source>
        <translation>%1 ist nicht bekannt: %2 verwenden</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 is not a truth value: use true or false</source>
        <translation>%1 ist kein Wahrheitswert: true oder false verwenden</translation>
    </message>
    <message>
        <source>%1 is not a whole number or '%2': use one such as %3</source>
        <translation>%1 ist weder eine ganze Zahl noch '%2': eine wie %3 verwenden</translation>
    </message>
    <message>
        <source>%1 is not a whole number: use one such as %2</source>
        <translation>%1 ist keine ganze Zahl: eine wie %2 verwenden</translation>
    </message>
    <message>
        <source>%1 is not a number or '%2': use one such as 1.0</source>
        <translation>%1 ist weder eine Zahl noch '%2': eine wie 1.0 verwenden</translation>
    </message>
    <message>
        <source>%1 is not a number: use one such as 1.0</source>
        <translation>%1 ist keine Zahl: eine wie 1.0 verwenden</translation>
    </message>
    <message>
        <source>%1 is not a text: write it in one line, between quotes</source>
        <translation>%1 ist kein Text: in einer Zeile zwischen Anführungszeichen schreiben</translation>
    </message>
    <message>
        <source>%1 is not one of %2</source>
        <translation>%1 ist keines von %2</translation>
    </message>
    <message>
        <source>%1 is not a list of texts: write one per line, each after '- '</source>
        <translation>%1 ist keine Liste von Texten: einen je Zeile schreiben, jeden nach '- '</translation>
    </message>
    <message>
        <source>%1 is not a list of three truth values: use one such as [false, false, true]</source>
        <translation>%1 ist keine Liste von drei Wahrheitswerten: z. B. [false, false, true] verwenden</translation>
    </message>
    <message>
        <source>%1 is not a table of keys</source>
        <translation>%1 ist keine Tabelle von Schlüsseln</translation>
    </message>
    <message>
        <source>is missing: DeepSpeed needs this table, at least with a stage</source>
        <translation>fehlt: DeepSpeed braucht diese Tabelle, mindestens mit einer Stufe</translation>
    </message>
    <message>
        <source>%1 has no place among Accelerate's keys and stays behind: keep the file as deepspeed_config_file if you need it</source>
        <translation>%1 hat keinen Platz unter den Schlüsseln von Accelerate und bleibt zurück: die Datei bei Bedarf als deepspeed_config_file behalten</translation>
    </message>
    <message>
        <source>%1 is auto and was left out: the script decides</source>
        <translation>%1 ist auto und wurde ausgelassen: das Skript entscheidet</translation>
    </message>
    <message>
        <source>%1 became %2</source>
        <translation>%1 wurde zu %2</translation>
    </message>
    <message>
        <source>fp16 and bf16 are both enabled: keep one</source>
        <translation>fp16 und bf16 sind beide eingeschaltet: nur eines behalten</translation>
    </message>
    <message>
        <source>%1.enabled became mixed_precision: %2</source>
        <translation>%1.enabled wurde zu mixed_precision: %2</translation>
    </message>
    <message>
        <source>holds no table of keys: a DeepSpeed file begins with {</source>
        <translation>enthält keine Tabelle von Schlüsseln: eine DeepSpeed-Datei beginnt mit {</translation>
    </message>
    <message>
        <source>begins with a byte order mark, which JSON does not have: save it as UTF-8 without one</source>
        <translation>beginnt mit einer Byte-Order-Mark, die JSON nicht kennt: als UTF-8 ohne diese speichern</translation>
    </message>
    <message>
        <source>%1 is %2; the last one counts</source>
        <translation>%1 ist %2; der letzte Wert zählt</translation>
    </message>
    <message>
        <source>%1 is a folder: name a file of settings</source>
        <translation>%1 ist ein Ordner: eine Einstellungsdatei angeben</translation>
    </message>
    <message>
        <source>%1 does not exist: name a file of settings, or make one with `trainyard config`</source>
        <translation>%1 existiert nicht: eine Einstellungsdatei angeben oder mit `trainyard config` eine anlegen</translation>
    </message>
    <message>
        <source>%1 was dropped: %2</source>
        <translation>%1 wurde entfernt: %2</translation>
    </message>
    <message>
        <source>NO_SHARD became fsdp_reshard_after_forward: false, but FSDP 2 still shards: for whole copies use distributed_type MULTI_GPU</source>
        <translation>NO_SHARD wurde zu fsdp_reshard_after_forward: false, aber FSDP 2 teilt trotzdem auf: für ganze Kopien distributed_type MULTI_GPU verwenden</translation>
    </message>
    <message>
        <source>%1 became fsdp_reshard_after_forward: %2; to keep a copy on each machine, set parallelism_config_dp_replicate_size to the number of machines and parallelism_config_dp_shard_size to the processes of one</source>
        <translation>%1 wurde zu fsdp_reshard_after_forward: %2; für eine Kopie auf jeder Maschine parallelism_config_dp_replicate_size auf die Anzahl der Maschinen und parallelism_config_dp_shard_size auf die Prozesse einer Maschine setzen</translation>
    </message>
    <message>
        <source>%1 became fsdp_reshard_after_forward: %2</source>
        <translation>%1 wurde zu fsdp_reshard_after_forward: %2</translation>
    </message>
    <message>
        <source>there is no fsdp_config: nothing to convert</source>
        <translation>es gibt kein fsdp_config: nichts umzuwandeln</translation>
    </message>
    <message>
        <source>fsdp_version is 2 already: nothing to convert</source>
        <translation>fsdp_version ist schon 2: nichts umzuwandeln</translation>
    </message>
    <message>
        <source>FSDP 2 always does it</source>
        <translation>FSDP 2 tut es immer</translation>
    </message>
    <message>
        <source>FSDP 2 prefetches by itself</source>
        <translation>FSDP 2 lädt von selbst voraus</translation>
    </message>
    <message>
        <source>FSDP 2 does not have it yet</source>
        <translation>FSDP 2 hat es noch nicht</translation>
    </message>
    <message>
        <source>FSDP 2 has no need of it</source>
        <translation>FSDP 2 braucht es nicht</translation>
    </message>
    <message>
        <source>LOCAL_STATE_DICT became SHARDED_STATE_DICT: FSDP 2 has no local checkpoints</source>
        <translation>LOCAL_STATE_DICT wurde zu SHARDED_STATE_DICT: FSDP 2 hat keine lokalen Checkpoints</translation>
    </message>
    <message>
        <source>given twice, first in line %1: keep one</source>
        <translation>doppelt angegeben, zuerst in Zeile %1: nur eine Angabe behalten</translation>
    </message>
    <message>
        <source>no text in UTF-8</source>
        <translation>kein Text in UTF-8</translation>
    </message>
    <message>
        <source>is not valid JSON here: no text in UTF-8</source>
        <translation>ist hier kein gültiges JSON: kein Text in UTF-8</translation>
    </message>
    <message>
        <source>is not valid JSON here: %1</source>
        <translation>ist hier kein gültiges JSON: %1</translation>
    </message>
    <message>
        <source>holds more than %1 values</source>
        <translation>enthält mehr als %1 Werte</translation>
    </message>
    <message>
        <source>nested deeper than %1 levels</source>
        <translation>tiefer als %1 Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>is %1, more than the %2 allowed for settings</source>
        <translation>ist %1 groß, mehr als die für Einstellungen erlaubten %2</translation>
    </message>
    <message>
        <source>byte %1 is zero: this is not a text file</source>
        <translation>Byte %1 ist null: das ist keine Textdatei</translation>
    </message>
    <message>
        <source>is not valid JSON</source>
        <translation>ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>ipex_config is of Accelerate 0.19 to 1.12 and was dropped: PyTorch itself now does what it asked for</source>
        <translation>ipex_config gehört zu Accelerate 0.19 bis 1.12 und wurde entfernt: PyTorch tut jetzt selbst, was es verlangte</translation>
    </message>
    <message>
        <source>distributed_type: TPU became XLA, its name since 0.28</source>
        <translation>distributed_type: TPU wurde zu XLA, wie es seit 0.28 heißt</translation>
    </message>
    <message>
        <source>TP is of Accelerate 1.4 to 1.6: use FSDP with fsdp_version 2 and set parallelism_config_tp_size</source>
        <translation>TP gehört zu Accelerate 1.4 bis 1.6: FSDP mit fsdp_version 2 verwenden und parallelism_config_tp_size setzen</translation>
    </message>
    <message>
        <source>fp16 was dropped: mixed_precision is given, too, and counts</source>
        <translation>fp16 wurde entfernt: mixed_precision ist auch angegeben und zählt</translation>
    </message>
    <message>
        <source>fp16: true became mixed_precision: fp16</source>
        <translation>fp16: true wurde zu mixed_precision: fp16</translation>
    </message>
    <message>
        <source>fp16: the text '%1' counts as true, as in Accelerate, and became mixed_precision: fp16: write mixed_precision: 'no' if that is meant</source>
        <translation>fp16: der Text '%1' zählt wie in Accelerate als true und wurde zu mixed_precision: fp16: mixed_precision: 'no' schreiben, falls das gemeint ist</translation>
    </message>
    <message>
        <source>fp16: false was dropped: without mixed_precision nothing is mixed</source>
        <translation>fp16: false wurde entfernt: ohne mixed_precision wird nichts gemischt</translation>
    </message>
    <message>
        <source>dynamo_config was replaced: dynamo_backend of Accelerate 0.15 is given, too, and counts there</source>
        <translation>dynamo_config wurde ersetzt: dynamo_backend aus Accelerate 0.15 ist auch angegeben und zählt dort</translation>
    </message>
    <message>
        <source>dynamo_backend: NO was dropped: nothing is compiled</source>
        <translation>dynamo_backend: NO wurde entfernt: nichts wird kompiliert</translation>
    </message>
    <message>
        <source>dynamo_backend moved into dynamo_config</source>
        <translation>dynamo_backend wurde nach dynamo_config verschoben</translation>
    </message>
    <message>
        <source>tp_config is of Accelerate 1.4 to 1.6 and was dropped: parallelism_config has taken its place</source>
        <translation>tp_config gehört zu Accelerate 1.4 bis 1.6 und wurde entfernt: parallelism_config ist an seine Stelle getreten</translation>
    </message>
    <message>
        <source>tp_size moved to parallelism_config.parallelism_config_tp_size</source>
        <translation>tp_size wurde nach parallelism_config.parallelism_config_tp_size verschoben</translation>
    </message>
    <message>
        <source>does not belong to compute_environment AMAZON_SAGEMAKER: remove it</source>
        <translation>gehört nicht zu compute_environment AMAZON_SAGEMAKER: entfernen</translation>
    </message>
    <message>
        <source>does not belong to compute_environment LOCAL_MACHINE: remove it</source>
        <translation>gehört nicht zu compute_environment LOCAL_MACHINE: entfernen</translation>
    </message>
    <message>
        <source>stands at the top level: move it into %1</source>
        <translation>steht auf der obersten Ebene: nach %1 verschieben</translation>
    </message>
    <message>
        <source>is not a known key: remove it</source>
        <translation>ist kein bekannter Schlüssel: entfernen</translation>
    </message>
    <message>
        <source>is not a known key: did you mean '%1'?</source>
        <translation>ist kein bekannter Schlüssel: war '%1' gemeint?</translation>
    </message>
    <message>
        <source>%1 is not a table of keys: write its keys below it, indented by two spaces</source>
        <translation>%1 ist keine Tabelle von Schlüsseln: die Schlüssel darunter schreiben, um zwei Leerzeichen eingerückt</translation>
    </message>
    <message>
        <source>%1 is not a known key of %2 and was kept as it is: did you mean '%3'?</source>
        <translation>%1 ist kein bekannter Schlüssel von %2 und blieb, wie er ist: war '%3' gemeint?</translation>
    </message>
    <message>
        <source>%1 is not a known key of %2 and was kept as it is</source>
        <translation>%1 ist kein bekannter Schlüssel von %2 und blieb, wie er ist</translation>
    </message>
    <message>
        <source>%1 was dropped: %2 is given, too, and counts</source>
        <translation>%1 wurde entfernt: %2 ist auch angegeben und zählt</translation>
    </message>
    <message>
        <source>%1 is written %2 today</source>
        <translation>%1 heißt heute %2</translation>
    </message>
    <message>
        <source>%1 was read up to Accelerate %2; it was kept</source>
        <translation>%1 wurde bis Accelerate %2 gelesen; es blieb</translation>
    </message>
    <message>
        <source>%1 was read as %2</source>
        <translation>%1 wurde als %2 gelesen</translation>
    </message>
    <message>
        <source>%1 was read as the list %2</source>
        <translation>%1 wurde als die Liste %2 gelesen</translation>
    </message>
    <message>
        <source>%1 is a strategy of FSDP 1: with fsdp_version 2 use true</source>
        <translation>%1 ist eine Strategie von FSDP 1: mit fsdp_version 2 true verwenden</translation>
    </message>
    <message>
        <source>%1 is a strategy of FSDP 1: with fsdp_version 2 use false</source>
        <translation>%1 ist eine Strategie von FSDP 1: mit fsdp_version 2 false verwenden</translation>
    </message>
    <message>
        <source>fsdp_reshard_after_forward was dropped: FSDP 1 reads fsdp_sharding_strategy, which is given</source>
        <translation>fsdp_reshard_after_forward wurde entfernt: FSDP 1 liest fsdp_sharding_strategy, das angegeben ist</translation>
    </message>
    <message>
        <source>%1 moved from fsdp_reshard_after_forward to fsdp_sharding_strategy, where FSDP 1 reads it</source>
        <translation>%1 wurde von fsdp_reshard_after_forward nach fsdp_sharding_strategy verschoben, wo FSDP 1 es liest</translation>
    </message>
    <message>
        <source>is missing: add it, e.g. distributed_type: DATA_PARALLEL, or 'NO' for one device</source>
        <translation>fehlt: ergänzen, z. B. distributed_type: DATA_PARALLEL, oder 'NO' für ein Gerät</translation>
    </message>
    <message>
        <source>is missing: add it, e.g. distributed_type: MULTI_GPU, or 'NO' for one process</source>
        <translation>fehlt: ergänzen, z. B. distributed_type: MULTI_GPU, oder 'NO' für einen Prozess</translation>
    </message>
    <message>
        <source>names nothing: write LOCAL_MACHINE or AMAZON_SAGEMAKER, or remove the key</source>
        <translation>nennt nichts: LOCAL_MACHINE oder AMAZON_SAGEMAKER schreiben oder den Schlüssel entfernen</translation>
    </message>
    <message>
        <source>is empty: write settings as `key: value` lines, at least distributed_type</source>
        <translation>ist leer: Einstellungen als Zeilen `key: value` schreiben, mindestens distributed_type</translation>
    </message>
    <message>
        <source>holds %1, not keys: write settings as `key: value` lines, at least distributed_type</source>
        <translation>enthält %1, keine Schlüssel: Einstellungen als Zeilen `key: value` schreiben, mindestens distributed_type</translation>
    </message>
    <message>
        <source>%1: %2 is not a whole number</source>
        <translation>%1: %2 ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>%1: %2 is not a number</source>
        <translation>%1: %2 ist keine Zahl</translation>
    </message>
    <message>
        <source>%1: %2 is out of range, use %3 to %4</source>
        <translation>%1: %2 liegt außerhalb des Bereichs, %3 bis %4 verwenden</translation>
    </message>
    <message>
        <source>%1: %2 is out of range, use %3 or more</source>
        <translation>%1: %2 liegt außerhalb des Bereichs, %3 oder mehr verwenden</translation>
    </message>
    <message>
        <source>%1: %2 is not one of %3</source>
        <translation>%1: %2 ist keines von %3</translation>
    </message>
    <message>
        <source>%1: answer yes or no, not %2</source>
        <translation>%1: mit yes oder no antworten, nicht %2</translation>
    </message>
    <message>
        <source>torch.compile without mixed precision needs TF32 to be fast: Accelerate switches it on</source>
        <translation>torch.compile braucht ohne gemischte Genauigkeit TF32, um schnell zu sein: Accelerate schaltet es ein</translation>
    </message>
    <message>
        <source>access keys are not stored: launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY from the environment</source>
        <translation>Zugangsschlüssel werden nicht gespeichert: launch liest AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY aus der Umgebung</translation>
    </message>
    <message>
        <source>the role accelerate_sagemaker_execution_role is named, not made: where the account lacks it, create it with `aws iam create-role` and let it use SageMaker, S3, ECR and CloudWatch</source>
        <translation>die Rolle accelerate_sagemaker_execution_role wird genannt, nicht angelegt: wo sie dem Konto fehlt, mit `aws iam create-role` anlegen und ihr SageMaker, S3, ECR und CloudWatch erlauben</translation>
    </message>
    <message>
        <source>tpu_name is missing: name the TPU cluster as `gcloud compute tpus tpu-vm list` does</source>
        <translation>tpu_name fehlt: den TPU-Cluster nennen, wie `gcloud compute tpus tpu-vm list` es tut</translation>
    </message>
    <message>
        <source>tpu_zone is missing: name the zone of the TPU cluster, such as us-central1-a</source>
        <translation>tpu_zone fehlt: die Zone des TPU-Clusters nennen, z. B. us-central1-a</translation>
    </message>
    <message>
        <source>command_file is missing: name the script with the start-up commands</source>
        <translation>command_file fehlt: das Skript mit den Startbefehlen angeben</translation>
    </message>
    <message>
        <source>commands are missing: give at least one, or answer that there are none</source>
        <translation>commands fehlt: mindestens einen Befehl angeben oder antworten, dass es keine gibt</translation>
    </message>
    <message>
        <source>iam_role_name is missing: SageMaker starts no job without a role</source>
        <translation>iam_role_name fehlt: SageMaker startet ohne Rolle keinen Job</translation>
    </message>
    <message>
        <source>FSDP does not run on Neuron cores: answer no, or choose another machine type</source>
        <translation>FSDP läuft nicht auf Neuron-Kernen: mit no antworten oder einen anderen Maschinentyp wählen</translation>
    </message>
    <message>
        <source>MULTI_GPU with 1 process on 1 machine uses one GPU only: take 2 or more, or choose the machine type NO</source>
        <translation>MULTI_GPU mit 1 Prozess auf 1 Maschine nutzt nur eine GPU: mindestens 2 nehmen oder den Maschinentyp NO wählen</translation>
    </message>
    <message>
        <source>gpu_ids %1 is not a list of device numbers: use all, or numbers with commas such as 0,1</source>
        <translation>gpu_ids %1 ist keine Liste von Gerätenummern: all oder Zahlen mit Kommas verwenden, z. B. 0,1</translation>
    </message>
    <message>
        <source>main_process_ip is missing: name the host or IP address of the machine with rank 0</source>
        <translation>main_process_ip fehlt: Host oder IP-Adresse der Maschine mit Rank 0 angeben</translation>
    </message>
    <message>
        <source>main_process_port is missing: name a port from 0 to 65535, 29500 is the usual one</source>
        <translation>main_process_port fehlt: einen Port von 0 bis 65535 angeben, üblich ist 29500</translation>
    </message>
    <message>
        <source>%1 does not run on Neuron cores: answer no, or choose another machine type</source>
        <translation>%1 läuft nicht auf Neuron-Kernen: mit no antworten oder einen anderen Maschinentyp wählen</translation>
    </message>
    <message>
        <source>deepspeed_config_file is missing: name the DeepSpeed JSON, or answer that there is none</source>
        <translation>deepspeed_config_file fehlt: das DeepSpeed-JSON angeben oder antworten, dass es keines gibt</translation>
    </message>
    <message>
        <source>%1 is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set it in %2</source>
        <translation>%1 steht neben deepspeed_config_file, was DeepSpeed ablehnt: hier entfernen und in %2 setzen</translation>
    </message>
    <message>
        <source>mixed_precision is given beside deepspeed_config_file, which DeepSpeed refuses: remove it here and set fp16 or bf16 in %1</source>
        <translation>mixed_precision steht neben deepspeed_config_file, was DeepSpeed ablehnt: hier entfernen und fp16 oder bf16 in %1 setzen</translation>
    </message>
    <message>
        <source>offload_optimizer_device %1 needs ZeRO, but zero_stage is 0: use zero_stage 1 to 3, or none</source>
        <translation>offload_optimizer_device %1 braucht ZeRO, aber zero_stage ist 0: zero_stage 1 bis 3 oder none verwenden</translation>
    </message>
    <message>
        <source>offload_param_device %1 needs zero_stage 3, but it is %2: use zero_stage 3, or none</source>
        <translation>offload_param_device %1 braucht zero_stage 3, gesetzt ist %2: zero_stage 3 oder none verwenden</translation>
    </message>
    <message>
        <source>offload_optimizer_device cpu has no effect with use_cpu, since the optimizer state is in that memory anyway: set it to none</source>
        <translation>offload_optimizer_device cpu hat mit use_cpu keine Wirkung, da der Optimizer-Zustand ohnehin in diesem Speicher liegt: auf none setzen</translation>
    </message>
    <message>
        <source>offload_%1_device is nvme, but offload_%1_nvme_path names no folder: /nvme is taken, so set the folder of your disk</source>
        <translation>offload_%1_device ist nvme, aber offload_%1_nvme_path nennt keinen Ordner: /nvme wird genommen, also den Ordner der eigenen Platte setzen</translation>
    </message>
    <message>
        <source>zero3_init_flag is true, but only zero_stage 3 builds a model sharded and it is %1: set it to false</source>
        <translation>zero3_init_flag ist true, aber nur zero_stage 3 baut ein Modell aufgeteilt, und gesetzt ist %1: auf false setzen</translation>
    </message>
    <message>
        <source>distributed_type DEEPSPEED needs the Python package deepspeed, which this machine does not have: install it (pip install deepspeed), or use FSDP</source>
        <translation>distributed_type DEEPSPEED braucht das Python-Paket deepspeed, das auf diesem Rechner fehlt: installieren (pip install deepspeed) oder FSDP verwenden</translation>
    </message>
    <message>
        <source>deepspeed_multinode_launcher nossh needs DeepSpeed 0.14.5, this machine has %1: install a newer one, or use pdsh</source>
        <translation>deepspeed_multinode_launcher nossh braucht DeepSpeed 0.14.5, dieser Rechner hat %1: eine neuere Version installieren oder pdsh verwenden</translation>
    </message>
    <message>
        <source>deepspeed_moe_layer_cls_names needs DeepSpeed 0.14.0, this machine has %1: install a newer one, or remove it</source>
        <translation>deepspeed_moe_layer_cls_names braucht DeepSpeed 0.14.0, dieser Rechner hat %1: eine neuere Version installieren oder den Schlüssel entfernen</translation>
    </message>
    <message>
        <source>deepspeed_hostfile is missing: DeepSpeed then looks for /job/hostfile, so name your own</source>
        <translation>deepspeed_hostfile fehlt: DeepSpeed sucht dann /job/hostfile, also die eigene Datei angeben</translation>
    </message>
    <message>
        <source>deepspeed_inclusion_filter is passed over beside deepspeed_exclusion_filter: remove one of them</source>
        <translation>deepspeed_inclusion_filter wird neben deepspeed_exclusion_filter übergangen: eines von beiden entfernen</translation>
    </message>
    <message>
        <source>backend MSAMP does not work with zero_stage 3: use TE or AO, or zero_stage 2</source>
        <translation>backend MSAMP funktioniert nicht mit zero_stage 3: TE oder AO oder zero_stage 2 verwenden</translation>
    </message>
    <message>
        <source>nothing is set both here and in DeepSpeed's own file</source>
        <translation>nichts ist sowohl hier als auch in der Datei von DeepSpeed gesetzt</translation>
    </message>
    <message>
        <source>what is offloaded is sharded</source>
        <translation>was ausgelagert wird, ist aufgeteilt</translation>
    </message>
    <message>
        <source>what is offloaded to the CPU comes from another device</source>
        <translation>was auf die CPU ausgelagert wird, kommt von einem anderen Gerät</translation>
    </message>
    <message>
        <source>offloading to NVMe has a folder</source>
        <translation>das Auslagern auf NVMe hat einen Ordner</translation>
    </message>
    <message>
        <source>only ZeRO stage 3 builds the model sharded</source>
        <translation>nur ZeRO-Stufe 3 baut das Modell aufgeteilt</translation>
    </message>
    <message>
        <source>DeepSpeed is there, in a version that can do it</source>
        <translation>DeepSpeed ist da, in einer Version, die es kann</translation>
    </message>
    <message>
        <source>DeepSpeed's launcher knows its hosts</source>
        <translation>der Starter von DeepSpeed kennt seine Hosts</translation>
    </message>
    <message>
        <source>MS-AMP is not combined with ZeRO stage 3</source>
        <translation>MS-AMP wird nicht mit ZeRO-Stufe 3 kombiniert</translation>
    </message>
    <message>
        <source>machine_rank %1 is not there with one machine: use 0</source>
        <translation>machine_rank %1 gibt es bei einer Maschine nicht: 0 verwenden</translation>
    </message>
    <message>
        <source>machine_rank %1 is not one of %2 machines: use 0 to %3</source>
        <translation>machine_rank %1 ist keine von %2 Maschinen: 0 bis %3 verwenden</translation>
    </message>
    <message>
        <source>num_processes %1 is less than one for each of %2 machines: it counts all machines together, use %3 or a multiple</source>
        <translation>num_processes %1 ist weniger als einer für jede von %2 Maschinen: gezählt werden alle Maschinen zusammen, %3 oder ein Vielfaches verwenden</translation>
    </message>
    <message>
        <source>num_processes %1 cannot be shared out evenly over %2 machines: use %3 or %4, or say with --hosts how many each machine starts</source>
        <translation>num_processes %1 lässt sich nicht gleichmäßig auf %2 Maschinen verteilen: %3 oder %4 verwenden oder mit --hosts sagen, wie viele jede Maschine startet</translation>
    </message>
    <message>
        <source>main_process_ip "%1" is neither a host name nor an address: leave blanks, slashes, quotes, a leading dash and characters that a shell interprets out</source>
        <translation>main_process_ip "%1" ist weder ein Hostname noch eine Adresse: Leerzeichen, Schrägstriche, Anführungszeichen, einen Bindestrich am Anfang und Zeichen, die eine Shell auswertet, weglassen</translation>
    </message>
    <message>
        <source>main_process_ip is missing: %1 machines meet at the address of the one with machine_rank 0, so name it</source>
        <translation>main_process_ip fehlt: %1 Maschinen treffen sich unter der Adresse derjenigen mit machine_rank 0, also diese angeben</translation>
    </message>
    <message>
        <source>main_process_ip %1 is every machine's own address: name the one by which the others reach the main machine</source>
        <translation>main_process_ip %1 ist die eigene Adresse jeder Maschine: die Adresse angeben, unter der die anderen die Hauptmaschine erreichen</translation>
    </message>
    <message>
        <source>main_process_port is missing: several machines meet at one port, the same on all of them, e.g. 29500</source>
        <translation>main_process_port fehlt: mehrere Maschinen treffen sich an einem Port, auf allen demselben, z. B. 29500</translation>
    </message>
    <message>
        <source>main_process_port 0 picks a free port, which the other machines do not know: use the same number on all, e.g. 29500</source>
        <translation>main_process_port 0 wählt einen freien Port, den die anderen Maschinen nicht kennen: auf allen dieselbe Nummer verwenden, z. B. 29500</translation>
    </message>
    <message>
        <source>main_process_port %1 is open to root only: use 1024 to 65535, or 0 for a free one</source>
        <translation>main_process_port %1 ist nur für root offen: 1024 bis 65535 verwenden oder 0 für einen freien</translation>
    </message>
    <message>
        <source>main_process_port %1 is used by another program: a free one will be taken, as 0 asks for</source>
        <translation>main_process_port %1 wird von einem anderen Programm benutzt: ein freier wird genommen, wie 0 es verlangt</translation>
    </message>
    <message>
        <source>main_process_port %1 is used by another program on this machine: choose another one, the same on all machines</source>
        <translation>main_process_port %1 wird von einem anderen Programm auf diesem Rechner benutzt: einen anderen wählen, auf allen Maschinen denselben</translation>
    </message>
    <message>
        <source>distributed_type NO is for one process, but num_processes is %1: use MULTI_CPU</source>
        <translation>distributed_type NO ist für einen Prozess, aber num_processes ist %1: MULTI_CPU verwenden</translation>
    </message>
    <message>
        <source>distributed_type NO is for one process, but num_processes is %1: use MULTI_GPU or MULTI_CPU</source>
        <translation>distributed_type NO ist für einen Prozess, aber num_processes ist %1: MULTI_GPU oder MULTI_CPU verwenden</translation>
    </message>
    <message>
        <source>num_processes 1 is not several: use 2 or more with %1, or distributed_type NO</source>
        <translation>num_processes 1 sind nicht mehrere: mit %1 mindestens 2 verwenden oder distributed_type NO</translation>
    </message>
    <message>
        <source>use_cpu is true, but %1 trains on accelerators: set it to false, or use MULTI_CPU</source>
        <translation>use_cpu ist true, aber %1 trainiert auf Beschleunigern: auf false setzen oder MULTI_CPU verwenden</translation>
    </message>
    <message>
        <source>gpu_ids: "%1" is not the number of a device: use all, or numbers as in 0,1</source>
        <translation>gpu_ids: "%1" ist nicht die Nummer eines Geräts: all oder Zahlen wie in 0,1 verwenden</translation>
    </message>
    <message>
        <source>gpu_ids names device %1 twice: name each once</source>
        <translation>gpu_ids nennt Gerät %1 zweimal: jedes einmal nennen</translation>
    </message>
    <message>
        <source>gpu_ids names device %1, but this machine has %2: use 0 to %3</source>
        <translation>gpu_ids nennt Gerät %1, aber dieser Rechner hat %2: 0 bis %3 verwenden</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 Gerät</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 Geräte</translation>
    </message>
    <message>
        <source>gpu_ids names one device, but %1 needs two or more: name more, or use distributed_type NO</source>
        <translation>gpu_ids nennt ein Gerät, aber %1 braucht mindestens zwei: mehr nennen oder distributed_type NO verwenden</translation>
    </message>
    <message>
        <source>num_processes asks for %1 processes on each machine, but gpu_ids names %2: each process needs one, so make them equal</source>
        <translation>num_processes verlangt %1 Prozesse auf jeder Maschine, aber gpu_ids nennt %2: jeder Prozess braucht eines, also beide gleich setzen</translation>
    </message>
    <message>
        <source>num_processes asks for %1 processes on this machine, which has %2: use %3</source>
        <translation>num_processes verlangt %1 Prozesse auf diesem Rechner; vorhanden: %2. %3 verwenden</translation>
    </message>
    <message>
        <source>distributed_type %1 is for %2 devices, but this machine has %3: use %4</source>
        <translation>distributed_type %1 ist für %2-Geräte, aber dieser Rechner hat %3: %4 verwenden</translation>
    </message>
    <message>
        <source>rdzv_backend "%1" is none of torchrun's own: did you mean %2?</source>
        <translation>rdzv_backend "%1" ist keines von torchrun: war %2 gemeint?</translation>
    </message>
    <message>
        <source>rdzv_backend "%1" is none of torchrun's own (static, c10d, etcd, etcd-v2): it must be registered on every machine</source>
        <translation>rdzv_backend "%1" ist keines von torchrun (static, c10d, etcd, etcd-v2): es muss auf jeder Maschine registriert sein</translation>
    </message>
    <message>
        <source>mpirun_hostfile asks for MPI, but neither mpirun nor mpiexec is on this machine: install Open MPI, Intel MPI or MVAPICH, or remove mpirun_hostfile</source>
        <translation>mpirun_hostfile verlangt MPI, aber weder mpirun noch mpiexec ist auf diesem Rechner: Open MPI, Intel MPI oder MVAPICH installieren oder mpirun_hostfile entfernen</translation>
    </message>
    <message>
        <source>%1 has no effect: it counts only when %2</source>
        <translation>%1 hat keine Wirkung: es zählt nur, wenn %2</translation>
    </message>
    <message>
        <source>machine_rank is one of the machines</source>
        <translation>machine_rank ist eine der Maschinen</translation>
    </message>
    <message>
        <source>the processes can be shared out evenly over the machines</source>
        <translation>die Prozesse lassen sich gleichmäßig auf die Maschinen verteilen</translation>
    </message>
    <message>
        <source>several machines have an address to meet at</source>
        <translation>mehrere Maschinen haben eine Adresse, unter der sie sich treffen</translation>
    </message>
    <message>
        <source>several machines without a rendezvous have a port to meet at</source>
        <translation>mehrere Maschinen ohne Rendezvous haben einen Port, an dem sie sich treffen</translation>
    </message>
    <message>
        <source>several machines do not meet at a port that only one of them knows</source>
        <translation>mehrere Maschinen treffen sich nicht an einem Port, den nur eine von ihnen kennt</translation>
    </message>
    <message>
        <source>the port is open to everybody</source>
        <translation>der Port ist für alle offen</translation>
    </message>
    <message>
        <source>the port is free on this machine</source>
        <translation>der Port ist auf diesem Rechner frei</translation>
    </message>
    <message>
        <source>NO means one process, MULTI_ more than one</source>
        <translation>NO bedeutet einen Prozess, MULTI_ mehr als einen</translation>
    </message>
    <message>
        <source>use_cpu does not contradict the way of training</source>
        <translation>use_cpu widerspricht der Art des Trainings nicht</translation>
    </message>
    <message>
        <source>gpu_ids names devices, each once, that are there</source>
        <translation>gpu_ids nennt Geräte, jedes einmal, die vorhanden sind</translation>
    </message>
    <message>
        <source>there is one device for each process</source>
        <translation>für jeden Prozess gibt es ein Gerät</translation>
    </message>
    <message>
        <source>the way of training is for this machine's devices</source>
        <translation>die Art des Trainings passt zu den Geräten dieses Rechners</translation>
    </message>
    <message>
        <source>rdzv_backend is one that torchrun has</source>
        <translation>rdzv_backend ist eines, das torchrun hat</translation>
    </message>
    <message>
        <source>mpirun is there when it is asked for</source>
        <translation>mpirun ist da, wenn es verlangt wird</translation>
    </message>
    <message>
        <source>no key stands there that nobody reads</source>
        <translation>kein Schlüssel steht da, den niemand liest</translation>
    </message>
    <message>
        <source>mixed_precision bf16 is not supported by this machine's device: use fp16, or no</source>
        <translation>mixed_precision bf16 wird vom Gerät dieses Rechners nicht unterstützt: fp16 oder no verwenden</translation>
    </message>
    <message>
        <source>mixed_precision fp8 needs an accelerator, but it trains on the CPU: use bf16, or no</source>
        <translation>mixed_precision fp8 braucht einen Beschleuniger, trainiert wird aber auf der CPU: bf16 oder no verwenden</translation>
    </message>
    <message>
        <source>backend of fp8_config is missing: the first FP8 library that is installed is taken, so say AO, TE or MSAMP</source>
        <translation>backend von fp8_config fehlt: die erste installierte FP8-Bibliothek wird genommen, also AO, TE oder MSAMP angeben</translation>
    </message>
    <message>
        <source>mixed_precision fp8 needs torchao, Transformer Engine or MS-AMP, and this machine has none: install one, or use bf16</source>
        <translation>mixed_precision fp8 braucht torchao, Transformer Engine oder MS-AMP, und dieser Rechner hat nichts davon: eines installieren oder bf16 verwenden</translation>
    </message>
    <message>
        <source>%1 is missing: a launch on a pod goes to it by name and zone, so set it</source>
        <translation>%1 fehlt: ein Start auf einem Pod erreicht ihn über Name und Zone, also setzen</translation>
    </message>
    <message>
        <source>tpu_env: "%1" is not a variable: write NAME=value</source>
        <translation>tpu_env: "%1" ist keine Variable: NAME=Wert schreiben</translation>
    </message>
    <message>
        <source>commands are passed over beside command_file: remove one of them</source>
        <translation>commands wird neben command_file übergangen: eines von beiden entfernen</translation>
    </message>
    <message>
        <source>downcast_bf16 has no effect without mixed_precision bf16: set it to false</source>
        <translation>downcast_bf16 hat ohne mixed_precision bf16 keine Wirkung: auf false setzen</translation>
    </message>
    <message>
        <source>ec2_instance_type "%1" is none of SageMaker's: they begin with ml., as in ml.p3.2xlarge</source>
        <translation>ec2_instance_type "%1" ist keiner von SageMaker: sie beginnen mit ml., wie in ml.p3.2xlarge</translation>
    </message>
    <message>
        <source>ec2_instance_type %1 is none that Accelerate offers for DATA_PARALLEL: these are %2</source>
        <translation>ec2_instance_type %1 ist keiner, den Accelerate für DATA_PARALLEL anbietet, das sind: %2</translation>
    </message>
    <message>
        <source>distributed_type MODEL_PARALLEL asks for SageMaker's model parallelism, which Accelerate does not support yet: the job is started without it, so take DATA_PARALLEL or NO</source>
        <translation>distributed_type MODEL_PARALLEL verlangt die Modellparallelität von SageMaker, die Accelerate noch nicht unterstützt: der Job startet ohne sie, also DATA_PARALLEL oder NO nehmen</translation>
    </message>
    <message>
        <source>profile is missing: a launch then needs AWS keys in the environment, so name a profile of ~/.aws</source>
        <translation>profile fehlt: ein Start braucht dann AWS-Schlüssel in der Umgebung, also ein Profil aus ~/.aws nennen</translation>
    </message>
    <message>
        <source>the device computes in bf16</source>
        <translation>das Gerät rechnet in bf16</translation>
    </message>
    <message>
        <source>fp8 has an accelerator</source>
        <translation>fp8 hat einen Beschleuniger</translation>
    </message>
    <message>
        <source>fp8 says which library computes it</source>
        <translation>fp8 sagt, welche Bibliothek es berechnet</translation>
    </message>
    <message>
        <source>a library for fp8 is there</source>
        <translation>eine Bibliothek für fp8 ist da</translation>
    </message>
    <message>
        <source>a TPU pod has name and zone</source>
        <translation>ein TPU-Pod hat Name und Zone</translation>
    </message>
    <message>
        <source>variables of a TPU pod are NAME=value</source>
        <translation>Variablen eines TPU-Pods sind NAME=Wert</translation>
    </message>
    <message>
        <source>commands of a TPU pod stand in one place</source>
        <translation>die Befehle eines TPU-Pods stehen an einer Stelle</translation>
    </message>
    <message>
        <source>double precision in bf16 needs bf16</source>
        <translation>doppelte Genauigkeit in bf16 braucht bf16</translation>
    </message>
    <message>
        <source>SageMaker knows the instance type</source>
        <translation>SageMaker kennt den Maschinentyp</translation>
    </message>
    <message>
        <source>SageMaker is not asked for model parallelism</source>
        <translation>von SageMaker wird keine Modellparallelität verlangt</translation>
    </message>
    <message>
        <source>SageMaker has credentials</source>
        <translation>SageMaker hat Zugangsdaten</translation>
    </message>
    <message>
        <source>fsdp_sync_module_states is false, but fsdp_cpu_ram_efficient_loading leaves the other processes without weights: set it to true</source>
        <translation>fsdp_sync_module_states ist false, aber fsdp_cpu_ram_efficient_loading lässt die anderen Prozesse ohne Gewichte: auf true setzen</translation>
    </message>
    <message>
        <source>fsdp_state_dict_type LOCAL_STATE_DICT is of FSDP 1: use SHARDED_STATE_DICT</source>
        <translation>fsdp_state_dict_type LOCAL_STATE_DICT gehört zu FSDP 1: SHARDED_STATE_DICT verwenden</translation>
    </message>
    <message>
        <source>fsdp_forward_prefetch is of FSDP 1, FSDP 2 refuses it: remove it</source>
        <translation>fsdp_forward_prefetch gehört zu FSDP 1, FSDP 2 lehnt es ab: entfernen</translation>
    </message>
    <message>
        <source>fsdp_transformer_layer_cls_to_wrap has an empty place: name the classes as in LlamaDecoderLayer, or remove it for the model's own list</source>
        <translation>fsdp_transformer_layer_cls_to_wrap hat eine leere Stelle: die Klassen nennen wie in LlamaDecoderLayer oder entfernen, dann gilt die Liste des Modells</translation>
    </message>
    <message>
        <source>fsdp_min_num_params 0 wraps every module for itself: use a size such as 100000000</source>
        <translation>fsdp_min_num_params 0 verpackt jedes Modul für sich: eine Größe wie 100000000 verwenden</translation>
    </message>
    <message>
        <source>fsdp_sharding_strategy %1 keeps a copy on each machine, but there is one: FULL_SHARD does the same</source>
        <translation>fsdp_sharding_strategy %1 behält eine Kopie auf jeder Maschine, aber es gibt nur eine: FULL_SHARD tut dasselbe</translation>
    </message>
    <message>
        <source>fsdp_sharding_strategy %1 keeps a copy on each machine, but there is one: SHARD_GRAD_OP does the same</source>
        <translation>fsdp_sharding_strategy %1 behält eine Kopie auf jeder Maschine, aber es gibt nur eine: SHARD_GRAD_OP tut dasselbe</translation>
    </message>
    <message>
        <source>fsdp_version 1 has no mesh: parallelism_config needs FSDP 2, so use 2</source>
        <translation>fsdp_version 1 hat kein Mesh: parallelism_config braucht FSDP 2, also 2 verwenden</translation>
    </message>
    <message>
        <source>%1 %2 needs FSDP 2, but distributed_type is %3: use FSDP with fsdp_version 2, or remove it</source>
        <translation>%1 %2 braucht FSDP 2, aber distributed_type ist %3: FSDP mit fsdp_version 2 verwenden oder entfernen</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size %1 needs DeepSpeed, but distributed_type is %2: use parallelism_config_cp_size, or DEEPSPEED</source>
        <translation>parallelism_config_sp_size %1 braucht DeepSpeed, aber distributed_type ist %2: parallelism_config_cp_size oder DEEPSPEED verwenden</translation>
    </message>
    <message>
        <source>parallelism_config_sp_size and parallelism_config_cp_size both split the sequence: set one of them to 1</source>
        <translation>parallelism_config_sp_size und parallelism_config_cp_size teilen beide die Sequenz: eines davon auf 1 setzen</translation>
    </message>
    <message>
        <source>%1 %2 does not divide %3 processes: use %4</source>
        <translation>%1 %2 teilt %3 Prozesse nicht: %4 verwenden</translation>
    </message>
    <message>
        <source>too many</source>
        <translation>zu viele</translation>
    </message>
    <message>
        <source>the mesh %1 needs too many processes, num_processes is %2: set parallelism_config_dp_shard_size to %3</source>
        <translation>das Mesh %1 braucht zu viele Prozesse, num_processes ist %2: parallelism_config_dp_shard_size auf %3 setzen</translation>
    </message>
    <message>
        <source>the mesh %1 needs too many processes, num_processes is %2: make the product %3</source>
        <translation>das Mesh %1 braucht zu viele Prozesse, num_processes ist %2: das Produkt auf %3 bringen</translation>
    </message>
    <message>
        <source>the mesh %1 needs %2 processes, num_processes is %3: set parallelism_config_dp_shard_size to %4</source>
        <translation>das Mesh %1 braucht %2 Prozesse, num_processes ist %3: parallelism_config_dp_shard_size auf %4 setzen</translation>
    </message>
    <message>
        <source>the mesh %1 needs %2 processes, num_processes is %3: make the product %4</source>
        <translation>das Mesh %1 braucht %2 Prozesse, num_processes ist %3: das Produkt auf %4 bringen</translation>
    </message>
    <message>
        <source>parallelism_config_dp_replicate_size %1 cannot be combined with tensor or context parallelism unless parallelism_config_dp_shard_size is above 1: set it to 1</source>
        <translation>parallelism_config_dp_replicate_size %1 lässt sich mit Tensor- oder Kontextparallelität nur kombinieren, wenn parallelism_config_dp_shard_size über 1 ist: auf 1 setzen</translation>
    </message>
    <message>
        <source>parallelism_config_sp_attn_implementation "%1" cannot be split by heads: use sdpa, flash_attention_2, flash_attention_3 or a flash-attn kernel of the hub</source>
        <translation>parallelism_config_sp_attn_implementation "%1" lässt sich nicht nach Heads aufteilen: sdpa, flash_attention_2, flash_attention_3 oder einen flash-attn-Kernel vom Hub verwenden</translation>
    </message>
    <message>
        <source>parallelism_config_sp_seq_length is missing: with sequences of one length it is needed, or set parallelism_config_sp_seq_length_is_variable to true</source>
        <translation>parallelism_config_sp_seq_length fehlt: bei Sequenzen einer Länge ist sie nötig, sonst parallelism_config_sp_seq_length_is_variable auf true setzen</translation>
    </message>
    <message>
        <source>parallelism_config_sp_seq_length %1 is not a multiple of parallelism_config_sp_size %2: use %3 or %4</source>
        <translation>parallelism_config_sp_seq_length %1 ist kein Vielfaches von parallelism_config_sp_size %2: %3 oder %4 verwenden</translation>
    </message>
    <message>
        <source>tensor, pipeline and context parallelism together take %1 processes, which does not divide %2: use %3 for %4</source>
        <translation>Tensor-, Pipeline- und Kontextparallelität zusammen brauchen %1 Prozesse, was %2 nicht teilt: %3 für %4 verwenden</translation>
    </message>
    <message>
        <source>megatron_lm_expert_model_parallel_size %1 does not divide the %2 processes of a pipeline stage: use %3</source>
        <translation>megatron_lm_expert_model_parallel_size %1 teilt die %2 Prozesse einer Pipeline-Stufe nicht: %3 verwenden</translation>
    </message>
    <message>
        <source>megatron_lm_overlap_cpu_optimizer_d2h_h2d has no effect: the optimizer is not on the CPU, so set megatron_lm_optimizer_cpu_offload, too</source>
        <translation>megatron_lm_overlap_cpu_optimizer_d2h_h2d hat keine Wirkung: der Optimizer ist nicht auf der CPU, also auch megatron_lm_optimizer_cpu_offload setzen</translation>
    </message>
    <message>
        <source>%1 has no effect with use_cpu, since everything is in that memory anyway: set it to false</source>
        <translation>%1 hat mit use_cpu keine Wirkung, da ohnehin alles in diesem Speicher liegt: auf false setzen</translation>
    </message>
    <message>
        <source>what FSDP offloads to the CPU comes from another device</source>
        <translation>was FSDP auf die CPU auslagert, kommt von einem anderen Gerät</translation>
    </message>
    <message>
        <source>weights that one process loads are broadcast</source>
        <translation>Gewichte, die ein Prozess lädt, werden verteilt</translation>
    </message>
    <message>
        <source>FSDP 2 has no local checkpoints</source>
        <translation>FSDP 2 hat keine lokalen Checkpoints</translation>
    </message>
    <message>
        <source>FSDP 2 has no forward prefetch</source>
        <translation>FSDP 2 lädt vorwärts nicht voraus</translation>
    </message>
    <message>
        <source>the list of layer classes has no empty place</source>
        <translation>die Liste der Layer-Klassen hat keine leere Stelle</translation>
    </message>
    <message>
        <source>wrapping by size has a size</source>
        <translation>das Verpacken nach Größe hat eine Größe</translation>
    </message>
    <message>
        <source>a hybrid strategy has several machines</source>
        <translation>eine hybride Strategie hat mehrere Maschinen</translation>
    </message>
    <message>
        <source>a mesh has FSDP 2</source>
        <translation>ein Mesh hat FSDP 2</translation>
    </message>
    <message>
        <source>sequence parallelism has DeepSpeed</source>
        <translation>Sequenzparallelität hat DeepSpeed</translation>
    </message>
    <message>
        <source>the sequence is split in one way</source>
        <translation>die Sequenz wird auf eine Weise aufgeteilt</translation>
    </message>
    <message>
        <source>the mesh has as many places as there are processes</source>
        <translation>das Mesh hat so viele Plätze, wie es Prozesse gibt</translation>
    </message>
    <message>
        <source>replicas of a tensor- or context-parallel model are sharded</source>
        <translation>Replikate eines tensor- oder kontextparallelen Modells sind aufgeteilt</translation>
    </message>
    <message>
        <source>sequence parallelism has an attention that can be split by heads</source>
        <translation>Sequenzparallelität hat eine Attention, die sich nach Heads aufteilen lässt</translation>
    </message>
    <message>
        <source>the sequence can be split evenly</source>
        <translation>die Sequenz lässt sich gleichmäßig teilen</translation>
    </message>
    <message>
        <source>Megatron-LM's sizes divide the processes</source>
        <translation>die Größen von Megatron-LM teilen die Prozesse</translation>
    </message>
    <message>
        <source>transfers overlap with an optimizer on the CPU</source>
        <translation>Übertragungen überlappen mit einem Optimizer auf der CPU</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a table of keys</source>
        <translation>eine Tabelle von Schlüsseln</translation>
    </message>
    <message>
        <source>the text "%1"</source>
        <translation>der Text "%1"</translation>
    </message>
    <message>
        <source>a bare %1 has a meaning of its own in YAML: write '%1' in quotes where it is a text</source>
        <translation>ein bloßes %1 hat in YAML eine eigene Bedeutung: '%1' in Anführungszeichen schreiben, wo es ein Text ist</translation>
    </message>
    <message>
        <source>%1 is no day or time that there is: write '%1' in quotes where it is a text</source>
        <translation>%1 ist kein Tag und keine Zeit, die es gibt: '%1' in Anführungszeichen schreiben, wo es ein Text ist</translation>
    </message>
    <message>
        <source>takes the keys of other tables: name a table (*name) or a list of tables</source>
        <translation>übernimmt die Schlüssel anderer Tabellen: eine Tabelle (*name) oder eine Liste von Tabellen nennen</translation>
    </message>
    <message>
        <source>byte %1 is not text in UTF-8: save the file as UTF-8</source>
        <translation>Byte %1 ist kein Text in UTF-8: die Datei als UTF-8 speichern</translation>
    </message>
    <message>
        <source>a tab cannot stand here: use spaces</source>
        <translation>ein Tabulator darf hier nicht stehen: Leerzeichen verwenden</translation>
    </message>
    <message>
        <source>the quote that opens here is never closed: add one at the end of the text</source>
        <translation>das hier geöffnete Anführungszeichen wird nie geschlossen: eines am Ende des Textes ergänzen</translation>
    </message>
    <message>
        <source>%1 is not an adapter of the type LORA: this version computes no other</source>
        <translation>%1 ist kein Adapter vom Typ LORA: Diese Version berechnet keine anderen</translation>
    </message>
    <message>
        <source>must be a whole number from 1 to %1</source>
        <translation>muss eine ganze Zahl von 1 bis %1 sein</translation>
    </message>
    <message>
        <source>must be a number</source>
        <translation>muss eine Zahl sein</translation>
    </message>
    <message>
        <source>must be true or false</source>
        <translation>muss true oder false sein</translation>
    </message>
    <message>
        <source>must be a list of names</source>
        <translation>muss eine Liste von Namen sein</translation>
    </message>
    <message>
        <source>names no modules, and target_parameters names no parameters: name what it adapts</source>
        <translation>nennt keine Module, und target_parameters nennt keine Parameter: angeben, was angepasst wird</translation>
    </message>
    <message>
        <source>must be a whole number, or a list of them</source>
        <translation>muss eine ganze Zahl oder eine Liste davon sein</translation>
    </message>
    <message>
        <source>is for a list of target_modules, and they are an expression: leave one out</source>
        <translation>gilt nur für eine Liste von target_modules, und diese sind ein Ausdruck: eines von beiden weglassen</translation>
    </message>
    <message>
        <source>is not computed with exclude_modules, layers_to_transform, rank_pattern or alpha_pattern: merge the adapter with PEFT</source>
        <translation>wird zusammen mit exclude_modules, layers_to_transform, rank_pattern oder alpha_pattern nicht berechnet: den Adapter mit PEFT zusammenführen</translation>
    </message>
    <message>
        <source>must be a table of numbers by the names of modules</source>
        <translation>muss eine Tabelle von Zahlen nach Namen von Modulen sein</translation>
    </message>
    <message>
        <source>'%1' trains beside changed weights, which cannot be computed from the model's: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>„%1“ trainiert neben geänderten Gewichten, die sich aus denen des Modells nicht berechnen lassen: den Adapter mit PEFT umwandeln (path_initial_model_for_weight_conversion von save_pretrained)</translation>
    </message>
    <message>
        <source>'%1' is not known, and it may stand for training beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>„%1“ ist nicht bekannt und kann für ein Training neben geänderten Gewichten stehen: den Adapter mit PEFT umwandeln (path_initial_model_for_weight_conversion von save_pretrained)</translation>
    </message>
    <message>
        <source>'%1' is not computed with target_parameters: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>„%1“ wird zusammen mit target_parameters nicht berechnet: den Adapter mit PEFT umwandeln (path_initial_model_for_weight_conversion von save_pretrained)</translation>
    </message>
    <message>
        <source>trained biases are not computed: merge the adapter with PEFT</source>
        <translation>trainierte Biases werden nicht berechnet: den Adapter mit PEFT zusammenführen</translation>
    </message>
    <message>
        <source>an adapter that counts from certain tokens on (aLoRA) is not computed, and cannot be merged: use it with PEFT</source>
        <translation>ein Adapter, der erst ab bestimmten Tokens zählt (aLoRA), wird nicht berechnet und lässt sich nicht zusammenführen: mit PEFT verwenden</translation>
    </message>
    <message>
        <source>is not computed: merge the adapter with PEFT</source>
        <translation>wird nicht berechnet: den Adapter mit PEFT zusammenführen</translation>
    </message>
    <message>
        <source>this version does not know the field, so it cannot tell what it changes: remove it if it changes nothing of the result</source>
        <translation>diese Version kennt das Feld nicht und weiß nicht, was es ändert: entfernen, wenn es am Ergebnis nichts ändert</translation>
    </message>
    <message>
        <source>%1 is not a configuration of an adapter: it is not JSON</source>
        <translation>%1 ist keine Konfiguration eines Adapters: kein JSON</translation>
    </message>
    <message>
        <source>%1 is not a configuration of an adapter: it is not an object</source>
        <translation>%1 ist keine Konfiguration eines Adapters: kein Objekt</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 and %2 are different values of the same tensor: save one adapter without its name</source>
        <translation>%1 und %2 sind verschiedene Werte desselben Tensors: einen Adapter ohne seinen Namen speichern</translation>
    </message>
    <message>
        <source>%1 differs from %2, and the model has one tensor for both (tie_word_embeddings): use the adapter with a model that has a head of its own</source>
        <translation>%1 unterscheidet sich von %2, und das Modell hat für beide nur einen Tensor (tie_word_embeddings): den Adapter mit einem Modell verwenden, das eine eigene Ausgabeschicht hat</translation>
    </message>
    <message>
        <source>it has no tensor %1</source>
        <translation>ihm fehlt der Tensor %1</translation>
    </message>
    <message>
        <source>it has no tensor %1; of other names it has %2</source>
        <translation>ihm fehlt der Tensor %1; unter anderen Namen enthält es %2</translation>
    </message>
    <message>
        <source>%1 has tensors that neither the model nor its adapter has, and they are not used: %2</source>
        <translation>%1 enthält Tensoren, die weder das Modell noch sein Adapter hat und die nicht verwendet werden: %2</translation>
    </message>
    <message>
        <source>%1 has the shape %2 instead of %3</source>
        <translation>%1 hat die Form %2 statt %3</translation>
    </message>
    <message>
        <source>%1 has elements of type %2: give them as F32, F16 or BF16</source>
        <translation>%1 hat Elemente vom Typ %2: als F32, F16 oder BF16 angeben</translation>
    </message>
    <message>
        <source>the adapter was trained in a way that is not computed, such as DoRA (lora_magnitude_vector), with biases or for an embedding, so merge it with PEFT, or remove these tensors</source>
        <translation>der Adapter wurde auf eine Weise trainiert, die nicht berechnet wird, etwa DoRA (lora_magnitude_vector), mit Biases oder für eine Einbettung; mit PEFT zusammenführen oder diese Tensoren entfernen</translation>
    </message>
    <message>
        <source>these modules get no adapter, because target_modules in adapter_config.json does not name them, or because they are an output layer, so complete it, or remove these tensors</source>
        <translation>diese Module bekommen keinen Adapter, weil target_modules in adapter_config.json sie nicht nennt oder weil sie eine Ausgabeschicht sind; ergänzen oder diese Tensoren entfernen</translation>
    </message>
    <message>
        <source>the model has no such modules</source>
        <translation>solche Module hat das Modell nicht</translation>
    </message>
    <message>
        <source>%1 does not exist: name a folder of PEFT's layout, with adapter_model.safetensors</source>
        <translation>%1 existiert nicht: einen Ordner im Format von PEFT mit adapter_model.safetensors angeben</translation>
    </message>
    <message>
        <source>missing: name the text files or folders to train on</source>
        <translation>fehlt: Textdateien oder Ordner angeben, mit denen trainiert wird</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 existiert nicht</translation>
    </message>
    <message>
        <source>%1 contains no file that matches '%2' and is not empty</source>
        <translation>%1 enthält keine Datei, die zu '%2' passt und nicht leer ist</translation>
    </message>
    <message>
        <source>%1 is neither a file nor a folder</source>
        <translation>%1 ist weder eine Datei noch ein Ordner</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 ist leer</translation>
    </message>
    <message>
        <source>the folders hold no file that matches '%1' and is not empty</source>
        <translation>die Ordner enthalten keine Datei, die zu '%1' passt und nicht leer ist</translation>
    </message>
    <message>
        <source>the text has %1, less than one sample of data.sequence_length (%2) bytes: add text or shorten the samples</source>
        <translation>der Text hat %1, weniger als ein Sample von data.sequence_length (%2) Bytes: Text hinzufügen oder die Samples verkürzen</translation>
    </message>
    <message>
        <source>must be above 0</source>
        <translation>muss über 0 sein</translation>
    </message>
    <message>
        <source>has a shortest_edge alone and nothing is cropped, so images of a batch would differ in size: give height and width, or do_center_crop with a crop_size</source>
        <translation>hat nur shortest_edge und nichts wird zugeschnitten, daher wären Bilder eines Batches verschieden groß: height und width angeben, oder do_center_crop mit crop_size</translation>
    </message>
    <message>
        <source>must be a number above 0</source>
        <translation>muss eine Zahl über 0 sein</translation>
    </message>
    <message>
        <source>must have %1 numbers, one for each channel of the model's images</source>
        <translation>muss %1 Zahlen haben, eine je Kanal der Bilder des Modells</translation>
    </message>
    <message>
        <source>must have whole numbers from 1 to %1</source>
        <translation>muss ganze Zahlen von 1 bis %1 haben</translation>
    </message>
    <message>
        <source>must have height and width</source>
        <translation>muss height und width haben</translation>
    </message>
    <message>
        <source>is %1, and this version has 0 (nearest), 2 (bilinear) and 3 (bicubic)</source>
        <translation>ist %1, und diese Version hat 0 (nächster Nachbar), 2 (bilinear) und 3 (bikubisch)</translation>
    </message>
    <message>
        <source>has a longest_edge, which this version does not compute</source>
        <translation>hat longest_edge, was diese Version nicht berechnet</translation>
    </message>
    <message>
        <source>must have a shortest_edge</source>
        <translation>muss shortest_edge haben</translation>
    </message>
    <message>
        <source>must be a number above 0 and at most 1</source>
        <translation>muss eine Zahl über 0 und höchstens 1 sein</translation>
    </message>
    <message>
        <source>this version does not know what %1 does with images: remove it if it changes nothing of them</source>
        <translation>diese Version weiß nicht, was %1 mit Bildern macht: entfernen, wenn es nichts an ihnen ändert</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: repair or remove it</source>
        <translation>%1 ist kein JSON-Objekt: reparieren oder entfernen</translation>
    </message>
    <message>
        <source>%1: image_processor_type: images of %2 are not computed by this version, which has %3: write the file of one of them that makes the same images</source>
        <translation>%1: image_processor_type: Bilder von %2 berechnet diese Version nicht; sie hat %3: die Datei eines davon schreiben, das dieselben Bilder ergibt</translation>
    </message>
    <message>
        <source>%1 makes images of %2 x %3 pixels, and model.image_size is %4: write the model's size there</source>
        <translation>%1 ergibt Bilder von %2 x %3 Pixeln, und model.image_size ist %4: dort die Größe des Modells eintragen</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 Rank</translation>
    </message>
    <message>
        <source>the text has %1 samples of %2 bytes to train on, too few for one batch of %3 on 1 rank: add text, lower training.batch_size or data.validation_fraction</source>
        <translation>der Text hat zum Trainieren %1 Samples von %2 Bytes, zu wenige für einen Batch von %3 auf 1 Rank: Text hinzufügen, training.batch_size oder data.validation_fraction verringern</translation>
    </message>
    <message>
        <source>the text has %1 samples of %2 bytes to train on, too few for one batch of %3 on %4 ranks: add text, lower training.batch_size or data.validation_fraction</source>
        <translation>der Text hat zum Trainieren %1 Samples von %2 Bytes, zu wenige für einen Batch von %3 auf %4 Ranks: Text hinzufügen, training.batch_size oder data.validation_fraction verringern</translation>
    </message>
    <message>
        <source>the text is too short to hold a sample out for evaluation: add text or set training.evaluate_every to 0</source>
        <translation>der Text ist zu kurz, um ein Sample für die Evaluierung zurückzuhalten: Text hinzufügen oder training.evaluate_every auf 0 setzen</translation>
    </message>
    <message>
        <source>the text holds the byte %1, so vocab_size must be at least %2 (256 takes any text), not %3</source>
        <translation>der Text enthält das Byte %1, daher muss vocab_size mindestens %2 sein (256 nimmt jeden Text), nicht %3</translation>
    </message>
    <message>
        <source>missing: name the sets to train on</source>
        <translation>fehlt: Datensätze angeben, mit denen trainiert wird</translation>
    </message>
    <message>
        <source>it puts %1 on %2, and it is trained: what is trained stays in memory, so put it on cpu, or freeze it</source>
        <translation>sie legt %1 auf %2, und es wird trainiert: Was trainiert wird, bleibt im Arbeitsspeicher; auf cpu legen oder einfrieren</translation>
    </message>
    <message>
        <source>%1 is not there: name a folder of PEFT's layout, with adapter_model.safetensors</source>
        <translation>%1 ist nicht vorhanden: einen Ordner im Format von PEFT mit adapter_model.safetensors angeben</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2', so it was trained beside changed weights: convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>%1 hat init_lora_weights „%2“, wurde also neben geänderten Gewichten trainiert: den Adapter mit PEFT umwandeln (path_initial_model_for_weight_conversion von save_pretrained)</translation>
    </message>
    <message>
        <source>%1 has a rank_pattern or an alpha_pattern, which recipes lack: merge the adapter first (trainyard merge-adapter)</source>
        <translation>%1 enthält ein rank_pattern oder alpha_pattern, das Rezepte nicht haben: den Adapter zuerst zusammenführen (trainyard merge-adapter)</translation>
    </message>
    <message>
        <source>is %1, and %2, which describes lora.adapter, has %3: give the same value</source>
        <translation>ist %1, und in %2, das lora.adapter beschreibt, steht %3: denselben Wert angeben</translation>
    </message>
    <message>
        <source>%1 does not exist or is no file: name the file that torch.jit.save wrote</source>
        <translation>%1 existiert nicht oder ist keine Datei: die von torch.jit.save geschriebene Datei angeben</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, so vocab_size must be at least %3, not %4</source>
        <translation>%1 hat %2 Tokens, daher muss vocab_size mindestens %3 sein, nicht %4</translation>
    </message>
    <message>
        <source>%1 is not a folder: give a checkpoint folder or a run folder</source>
        <translation>%1 ist kein Ordner: einen Checkpoint- oder Laufordner angeben</translation>
    </message>
    <message>
        <source>give the file's own sizes under model</source>
        <translation>unter model die Größen der Datei angeben</translation>
    </message>
    <message>
        <source>%1 is not of these weights</source>
        <translation>%1 gehört nicht zu diesen Gewichten</translation>
    </message>
    <message>
        <source>%1 (and %2 more do not fit): %3</source>
        <translation>%1 (und %2 weitere passen nicht): %3</translation>
    </message>
    <message>
        <source>has %1 of shape [%2], the recipe's model needs [%3]</source>
        <translation>enthält %1 mit der Form [%2], das Modell des Rezepts braucht [%3]</translation>
    </message>
    <message>
        <source>has no tensor %1</source>
        <translation>enthält keinen Tensor %1</translation>
    </message>
    <message>
        <source>has %1 in elements of type %2: quantised weights cannot be trained on, so give them as F32, F16 or BF16</source>
        <translation>enthält %1 in Elementen vom Typ %2: Mit quantisierten Gewichten kann nicht trainiert werden, daher als F32, F16 oder BF16 angeben</translation>
    </message>
    <message>
        <source>has a head of its own, %1, which differs from the table of the embedding, and model.tie_word_embeddings is true: set it to false</source>
        <translation>hat einen eigenen Kopf %1, der sich von der Tabelle des Embeddings unterscheidet, und model.tie_word_embeddings ist true: auf false setzen</translation>
    </message>
    <message>
        <source>has tensors that %1 lacks (%2): remove them from the file, since training would drop them</source>
        <translation>enthält Tensoren, die %1 nicht hat (%2): aus der Datei entfernen, denn beim Training gingen sie verloren</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: the head of the file is used, and tie_word_embeddings counts as false</source>
        <translation>%1 enthält tie_word_embeddings: true, und die Gewichte haben eine eigene Ausgabeschicht, %2, die sich von %3 unterscheidet: Die Ausgabeschicht der Datei wird verwendet, und tie_word_embeddings zählt als false</translation>
    </message>
    <message>
        <source>the recipe says %1, and %2, which describes the weights, says %3: leave the key out, or give the same value</source>
        <translation>im Rezept steht %1, in %2, das die Gewichte beschreibt, aber %3: den Schlüssel weglassen oder denselben Wert angeben</translation>
    </message>
    <message>
        <source>is no key of %1, which the weights in %2 are of: leave it out</source>
        <translation>ist kein Schlüssel von %1, zu dem die Gewichte in %2 gehören: weglassen</translation>
    </message>
    <message>
        <source>is true, and the weights in %1 have a head of their own, %2, which differs from the table of the embedding: leave the key out, or set it to false</source>
        <translation>ist true, und die Gewichte in %1 haben eine eigene Ausgabeschicht, %2, die sich von der Tabelle der Einbettung unterscheidet: den Schlüssel weglassen oder auf false setzen</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: both are written, and tie_word_embeddings as false</source>
        <translation>%1 hat tie_word_embeddings: true, und die Gewichte haben einen eigenen Kopf, %2, der sich von %3 unterscheidet: beide werden geschrieben, und tie_word_embeddings als false</translation>
    </message>
    <message>
        <source>%1 has tie_word_embeddings: true, and the weights have a head of their own, %2, which differs from %3: both are written; set tie_word_embeddings to false in the config.json that is used with the result</source>
        <translation>%1 hat tie_word_embeddings: true, und die Gewichte haben einen eigenen Kopf, %2, der sich von %3 unterscheidet: beide werden geschrieben; in der config.json, die mit dem Ergebnis verwendet wird, tie_word_embeddings auf false setzen</translation>
    </message>
    <message>
        <source>%1 has the columns %2, none with a usual name (%3): name the one</source>
        <translation>%1 hat die Spalten %2, keine mit einem üblichen Namen (%3): die richtige angeben</translation>
    </message>
    <message>
        <source>%1 has no column '%2'%3</source>
        <translation>%1 hat keine Spalte '%2'%3</translation>
    </message>
    <message>
        <source>%1 in %2 is not text</source>
        <translation>%1 in %2 ist kein Text</translation>
    </message>
    <message>
        <source>%1 holds no device map: it should be a JSON object such as {"model.embed_tokens": 0, "model.layers.0": "cpu"}</source>
        <translation>%1 enthält keine Gerätezuordnung: nötig ist ein JSON-Objekt wie {"model.embed_tokens": 0, "model.layers.0": "cpu"}</translation>
    </message>
    <message>
        <source>%1: '%2' is on %3, which is no device: give a number, cpu or disk</source>
        <translation>%1: '%2' liegt auf %3, was kein Gerät ist: eine Nummer, cpu oder disk angeben</translation>
    </message>
    <message>
        <source>'%1' matches no module's whole name: there are %2</source>
        <translation>'%1' passt auf den ganzen Namen keines Moduls: es gibt %2</translation>
    </message>
    <message>
        <source>'%1' is the end of no module's name: there are %2</source>
        <translation>'%1' ist das Ende des Namens keines Moduls: es gibt %2</translation>
    </message>
    <message>
        <source>%1 gets an adapter by lora.target_modules, too (%2): name it in one of them</source>
        <translation>%1 erhält auch durch lora.target_modules einen Adapter (%2): nur in einem von beiden nennen</translation>
    </message>
    <message>
        <source>'%1' is the end of no parameter's name: there are %2</source>
        <translation>'%1' ist das Ende des Namens keines Parameters: es gibt %2</translation>
    </message>
    <message>
        <source>'%1' is the end of no module's name: a parameter is called %2</source>
        <translation>'%1' ist das Ende des Namens keines Moduls: ein Parameter heißt z. B. %2</translation>
    </message>
    <message>
        <source>'%1' is the output layer, too, and PEFT would save it for one of them alone: leave it out, or set model.tie_word_embeddings to false</source>
        <translation>'%1' ist auch der Ausgabe-Layer, und PEFT würde nur eines von beiden speichern: weglassen oder model.tie_word_embeddings auf false setzen</translation>
    </message>
    <message>
        <source>has no effect without adapters: set lora.r to their rank, e.g. 8</source>
        <translation>hat ohne Adapter keine Wirkung: lora.r auf deren Rang setzen, z. B. 8</translation>
    </message>
    <message>
        <source>with adapters (lora.r) everything else is frozen anyway: leave it out</source>
        <translation>mit Adaptern (lora.r) ist alles andere ohnehin eingefroren: weglassen</translation>
    </message>
    <message>
        <source>adapters do not work with pipeline stages in this version: set parallel.pp_size to 1</source>
        <translation>Adapter funktionieren in dieser Version nicht mit Pipeline-Stufen: parallel.pp_size auf 1 setzen</translation>
    </message>
    <message>
        <source>is empty: name modules, or write all-linear</source>
        <translation>ist leer: Module nennen oder all-linear schreiben</translation>
    </message>
    <message>
        <source>nvme needs a folder: set parallel.offload_optimizer_nvme_path to one on a fast local disk</source>
        <translation>nvme braucht einen Ordner: parallel.offload_optimizer_nvme_path auf einen auf einer schnellen lokalen Platte setzen</translation>
    </message>
    <message>
        <source>has no effect without parallel.offload_optimizer_device: set that to nvme, or leave the folder out</source>
        <translation>hat ohne parallel.offload_optimizer_device keine Wirkung: dieses auf nvme setzen oder den Ordner weglassen</translation>
    </message>
    <message>
        <source>the state of %1 is not updated element by element behind backward, and cannot lie on a disk: set it to none, or take an optimizer like adamw</source>
        <translation>der Zustand von %1 wird nach dem Backward nicht Element für Element aktualisiert und kann nicht auf einer Platte liegen: auf none setzen oder einen Optimizer wie adamw nehmen</translation>
    </message>
    <message>
        <source>%1 without momentum has no state that could lie on a disk: set it to none</source>
        <translation>%1 ohne Momentum hat keinen Zustand, der auf einer Platte liegen könnte: auf none setzen</translation>
    </message>
    <message>
        <source>has no effect without model.device_map: set it to auto</source>
        <translation>hat ohne model.device_map keine Wirkung: dieses auf auto setzen</translation>
    </message>
    <message>
        <source>needs a model that the engine computes by itself, not %1: leave it out</source>
        <translation>braucht ein Modell, das die Engine selbst berechnet, nicht %1: weglassen</translation>
    </message>
    <message>
        <source>needs model.weights: weights that stay on disk are read from their files</source>
        <translation>braucht model.weights: Gewichte, die auf der Platte bleiben, werden aus ihren Dateien gelesen</translation>
    </message>
    <message>
        <source>is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8</source>
        <translation>ist für ein Modell, das neben Adaptern selbst nicht trainiert wird: lora.r auf deren Rang setzen, z. B. 8</translation>
    </message>
    <message>
        <source>does not work with pipeline stages in this version: set parallel.pp_size to 1</source>
        <translation>geht in dieser Version nicht mit Pipeline-Stufen: parallel.pp_size auf 1 setzen</translation>
    </message>
    <message>
        <source>the norm of all gradients is known only after it; leave it out (0)</source>
        <translation>die Norm aller Gradienten ist erst danach bekannt; weglassen (0)</translation>
    </message>
    <message>
        <source>no gradient is left to be clipped; leave it out, or set the optimizer's own limit (clip_grad_value of Lomo, clip_threshold of AdaLomo)</source>
        <translation>kein Gradient bleibt zum Begrenzen übrig; weglassen oder die eigene Grenze des Optimizers setzen (clip_grad_value von Lomo, clip_threshold von AdaLomo)</translation>
    </message>
    <message>
        <source>no gradient is kept for the next micro-batch; set it to 1</source>
        <translation>kein Gradient bleibt für den nächsten Micro-Batch; auf 1 setzen</translation>
    </message>
    <message>
        <source>whether the scaled gradients overflow is known only after it; use bf16 or no</source>
        <translation>ob die skalierten Gradienten überlaufen, ist erst danach bekannt; bf16 oder no verwenden</translation>
    </message>
    <message>
        <source>the ranks cannot sum their gradients before; start one process, or use adafactor</source>
        <translation>die Ranks können ihre Gradienten vorher nicht summieren; einen Prozess starten oder adafactor nehmen</translation>
    </message>
    <message>
        <source>it works on one rank; set it to 0</source>
        <translation>es arbeitet auf einem Rank; auf 0 setzen</translation>
    </message>
    <message>
        <source>it works on one rank; set it to 1</source>
        <translation>es arbeitet auf einem Rank; auf 1 setzen</translation>
    </message>
    <message>
        <source>there are no gradients to show; set it to 0</source>
        <translation>es gibt keine Gradienten zu zeigen; auf 0 setzen</translation>
    </message>
    <message>
        <source>a gradient that is not finite is always left out, and what comes after it; use skip, rollback, pause or stop</source>
        <translation>ein nicht endlicher Gradient wird immer ausgelassen, ebenso was danach kommt; skip, rollback, pause oder stop verwenden</translation>
    </message>
    <message>
        <source>the update is done when a jump is noticed; use ignore, warn or rollback</source>
        <translation>das Update ist geschehen, wenn ein Sprung bemerkt wird; ignore, warn oder rollback verwenden</translation>
    </message>
    <message>
        <source>each of these clears the gradients; set it to 1, and add up the micro-batches inside of the closure</source>
        <translation>jede dieser Berechnungen löscht die Gradienten; auf 1 setzen und die Micro-Batches in der Closure aufsummieren</translation>
    </message>
    <message>
        <source>it would compare scaled losses; use bf16 or no</source>
        <translation>er würde skalierte Losses vergleichen; bf16 oder no verwenden</translation>
    </message>
    <message>
        <source>does not go with %1, which updates while backward runs: %2</source>
        <translation>passt nicht zu %1, das während des Rückwärtslaufs aktualisiert: %2</translation>
    </message>
    <message>
        <source>does not go with %1, which computes the loss several times in an update: %2</source>
        <translation>passt nicht zu %1, das den Loss in einem Update mehrmals berechnet: %2</translation>
    </message>
    <message>
        <source>%1 needs whole parameters, and under ZeRO every rank has slices of them: set zero_stage to 0, or take another optimizer</source>
        <translation>%1 braucht ganze Parameter, und unter ZeRO hat jeder Rank Teile davon: zero_stage auf 0 setzen oder einen anderen Optimizer nehmen</translation>
    </message>
    <message>
        <source>%1 keeps an average of the weights of its own: leave it out</source>
        <translation>%1 führt einen eigenen Mittelwert der Gewichte: weglassen</translation>
    </message>
    <message>
        <source>%1 averages over its own steps, which ranks that train separately do not share: leave it out</source>
        <translation>%1 mittelt über die eigenen Schritte, die Ranks bei getrenntem Training nicht teilen: weglassen</translation>
    </message>
    <message>
        <source>nesterov needs momentum above 0 and no dampening</source>
        <translation>nesterov braucht momentum über 0 und kein dampening</translation>
    </message>
    <message>
        <source>etas must be a factor below 1 and one above 1</source>
        <translation>etas muss ein Faktor unter 1 und einer über 1 sein</translation>
    </message>
    <message>
        <source>computes the loss several times in an update, which a recipe's step does once: use it in a program of your own (optim::make_optimizer, step(closure))</source>
        <translation>berechnet den Loss mehrmals je Update, der Schritt eines Rezepts nur einmal: in einem eigenen Programm verwenden (optim::make_optimizer, step(closure))</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>ein Wort</translation>
    </message>
    <message>
        <source>a list of %1 numbers</source>
        <translation>eine Liste von %1 Zahlen</translation>
    </message>
    <message>
        <source>%1 has no argument '%2'%3</source>
        <translation>%1 hat kein Argument '%2'%3</translation>
    </message>
    <message>
        <source>%1 of %2 must be %3</source>
        <translation>%1 von %2 muss %3 sein</translation>
    </message>
    <message>
        <source>%1 of %2 must be %3, not %4</source>
        <translation>%1 von %2 muss %3 sein, nicht %4</translation>
    </message>
    <message>
        <source>%1 of %2: unknown value '%3'%4</source>
        <translation>%1 von %2: unbekannter Wert '%3'%4</translation>
    </message>
    <message>
        <source>%1 has a key of its own: write optimizer.%2</source>
        <translation>%1 hat einen eigenen Schlüssel: optimizer.%2 schreiben</translation>
    </message>
    <message>
        <source>%1 takes several numbers: write optimizer.arguments: {%2: [...]}</source>
        <translation>%1 nimmt mehrere Zahlen: optimizer.arguments: {%2: [...]} schreiben</translation>
    </message>
    <message>
        <source>%1 has no %2: leave it out, or take another optimizer.name</source>
        <translation>%1 hat kein %2: weglassen oder ein anderes optimizer.name nehmen</translation>
    </message>
    <message>
        <source>expected a table of settings, e.g. {lr: 1e-4, weight_decay: 0}</source>
        <translation>erwartet: eine Tabelle von Einstellungen, z. B. {lr: 1e-4, weight_decay: 0}</translation>
    </message>
    <message>
        <source>unknown optimizer '%1'%2</source>
        <translation>unbekannter Optimizer '%1'%2</translation>
    </message>
    <message>
        <source>%1 and %2 do not go together: one of them trains an average</source>
        <translation>%1 und %2 passen nicht zusammen: eines von beiden trainiert einen Mittelwert</translation>
    </message>
    <message>
        <source>unknown value '%1'%2</source>
        <translation>unbekannter Wert '%1'%2</translation>
    </message>
    <message>
        <source>'%1': give a size for a device, such as cpu=2GB</source>
        <translation>'%1': eine Größe für ein Gerät angeben, etwa cpu=2GB</translation>
    </message>
    <message>
        <source>must be %1, not %2</source>
        <translation>muss %1 sein, nicht %2</translation>
    </message>
    <message>
        <source>holds an empty path: name a file or folder</source>
        <translation>enthält einen leeren Pfad: eine Datei oder einen Ordner angeben</translation>
    </message>
    <message>
        <source>'%1' is the name of no parameter: they are named like %2 and %3, and * stands for any part of a name</source>
        <translation>'%1' ist der Name keines Parameters: sie heißen z. B. %2 und %3, und * steht für einen beliebigen Teil eines Namens</translation>
    </message>
    <message>
        <source>freezes every parameter: leave some to train</source>
        <translation>friert jeden Parameter ein: einige zum Trainieren übrig lassen</translation>
    </message>
    <message>
        <source>%1 cannot be trained for %2: it has %3</source>
        <translation>%1 kann nicht für %2 trainiert werden, es gibt: %3</translation>
    </message>
    <message>
        <source>is no key of %1</source>
        <translation>ist kein Schlüssel von %1</translation>
    </message>
    <message>
        <source>is no key of %1, which calls it %2</source>
        <translation>ist kein Schlüssel von %1, dort heißt er %2</translation>
    </message>
    <message>
        <source>%1 reads columns of tables, and %2 has none: take jsonl, csv, parquet or arrow</source>
        <translation>%1 liest Spalten von Tabellen, und %2 hat keine: jsonl, csv, parquet oder arrow nehmen</translation>
    </message>
    <message>
        <source>%1 reads no images from %2: take images (a folder with a sub-folder for each class), numpy, safetensors, parquet or arrow</source>
        <translation>%1 liest keine Bilder aus %2: images (ein Ordner mit je einem Unterordner pro Klasse), numpy, safetensors, parquet oder arrow nehmen</translation>
    </message>
    <message>
        <source>images are not for %1: take another format</source>
        <translation>images ist nicht für %1: ein anderes Format nehmen</translation>
    </message>
    <message>
        <source>conversations are columns of tables, for causal_lm: take jsonl, csv, parquet or arrow, or leave chat out</source>
        <translation>Konversationen sind Spalten von Tabellen, für causal_lm: jsonl, csv, parquet oder arrow nehmen oder chat weglassen</translation>
    </message>
    <message>
        <source>keep is for format bytes: set it to stop or skip</source>
        <translation>keep gilt für das Format bytes: auf stop oder skip setzen</translation>
    </message>
    <message>
        <source>has no effect on %1, only on %2: leave it out</source>
        <translation>hat keine Wirkung auf %1, nur auf %2: weglassen</translation>
    </message>
    <message>
        <source>sequence_classification and sentence_embedding</source>
        <translation>sequence_classification und sentence_embedding</translation>
    </message>
    <message>
        <source>classification, and on sentence_embedding with model.loss cosine_similarity</source>
        <translation>Klassifikation und auf sentence_embedding mit model.loss cosine_similarity</translation>
    </message>
    <message>
        <source>must be from 2 on, so that a token can be learnt from another</source>
        <translation>muss mindestens 2 sein, damit ein Token aus einem anderen gelernt werden kann</translation>
    </message>
    <message>
        <source>sentence embeddings are not trained in pipeline stages in this version: set it to 1</source>
        <translation>Satz-Embeddings werden in dieser Version nicht in Pipeline-Stufen trainiert: auf 1 setzen</translation>
    </message>
    <message>
        <source>%1 is not cut into pipeline stages: set it to 1</source>
        <translation>%1 wird nicht in Pipeline-Stufen zerlegt: auf 1 setzen</translation>
    </message>
    <message>
        <source>is of a plug-in, and the recipe names none: name its shared library in plugins</source>
        <translation>gehört zu einem Plug-in, und das Rezept nennt keines: dessen Bibliothek in plugins angeben</translation>
    </message>
    <message>
        <source>missing: name the file that torch.jit.save wrote</source>
        <translation>fehlt: die Datei angeben, die torch.jit.save geschrieben hat</translation>
    </message>
    <message>
        <source>has an effect on torchscript alone, and model.model_type is %1: leave one out</source>
        <translation>wirkt nur auf torchscript, und model.model_type ist %1: eines von beiden weglassen</translation>
    </message>
    <message>
        <source>has no effect without data.plugin: name the data set</source>
        <translation>hat ohne data.plugin keine Wirkung: den Datensatz nennen</translation>
    </message>
    <message>
        <source>the data set of a plug-in reads no files of the recipe: leave one out, and name its files in data.arguments</source>
        <translation>der Datensatz eines Plug-ins liest keine Dateien des Rezepts: eines weglassen und seine Dateien in data.arguments angeben</translation>
    </message>
    <message>
        <source>adapters need a model that the engine computes by itself, not %1: set it to 0</source>
        <translation>Adapter brauchen ein Modell, das die Engine selbst berechnet, nicht %1: auf 0 setzen</translation>
    </message>
    <message>
        <source>has no effect on %1, whose blocks are not known: leave it out</source>
        <translation>hat keine Wirkung auf %1, dessen Blöcke nicht bekannt sind: weglassen</translation>
    </message>
    <message>
        <source>%1 does not continue texts in this version: set it to 0</source>
        <translation>%1 setzt in dieser Version keine Texte fort: auf 0 setzen</translation>
    </message>
    <message>
        <source>'%1' is no loss of sentence embeddings%2: use %3 or %4</source>
        <translation>'%1' ist kein Loss für Satz-Embeddings%2: %3 oder %4 verwenden</translation>
    </message>
    <message>
        <source>%1 is for sentence_embedding, not %2: leave it out</source>
        <translation>%1 ist für sentence_embedding, nicht für %2: weglassen</translation>
    </message>
    <message>
        <source>has no effect on %1, only on classification and on models of one's own: leave it out</source>
        <translation>hat keine Wirkung auf %1, nur auf Klassifikation und auf eigene Modelle: weglassen</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks (model.depths): give from 1 to %3</source>
        <translation>%1 Pipeline-Stufen lassen sich nicht aus einem Modell mit %2 Blöcken (model.depths) bilden: 1 bis %3 angeben</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks (model.%3): give from 1 to %4</source>
        <translation>%1 Pipeline-Stufen lassen sich nicht aus einem Modell mit %2 Blöcken (model.%3) bilden: 1 bis %4 angeben</translation>
    </message>
    <message>
        <source>does not work with pipeline stages in this version (parallel.pp_size is %1): %2</source>
        <translation>funktioniert in dieser Version nicht mit Pipeline-Stufen (parallel.pp_size ist %1): %2</translation>
    </message>
    <message>
        <source>set it to 0</source>
        <translation>auf 0 setzen</translation>
    </message>
    <message>
        <source>use no, fp16 or bf16</source>
        <translation>no, fp16 oder bf16 verwenden</translation>
    </message>
    <message>
        <source>'%1' is of no parameter, or of none that a pattern before it leaves: they are named like %2</source>
        <translation>'%1' passt auf keinen Parameter oder auf keinen, den ein Muster davor übrig lässt: sie heißen z. B. %2</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no weight_decay: leave it out</source>
        <translation>hat keine Wirkung auf %1, das kein weight_decay hat: weglassen</translation>
    </message>
    <message>
        <source>has no effect where checkpoint.keep_last is 0, which keeps all checkpoints: set keep_last to 1 or more, or keep_every to 0</source>
        <translation>hat keine Wirkung, wo checkpoint.keep_last 0 ist und alle Checkpoints bleiben: keep_last auf mindestens 1 oder keep_every auf 0 setzen</translation>
    </message>
    <message>
        <source>%1 is no multiple of checkpoint.every, %2, so there is no checkpoint at most of these steps: use %3</source>
        <translation>%1 ist kein Vielfaches von checkpoint.every, %2, also gibt es bei den meisten dieser Schritte keinen Checkpoint: %3 verwenden</translation>
    </message>
    <message>
        <source>one average of the weights is kept: set training.ema_decay or swa_start to 0</source>
        <translation>nur ein Mittelwert der Gewichte wird geführt: training.ema_decay oder swa_start auf 0 setzen</translation>
    </message>
    <message>
        <source>the average would begin at step %1 of %2: begin it earlier, or set it to 0</source>
        <translation>der Mittelwert würde bei Schritt %1 von %2 beginnen: früher beginnen oder auf 0 setzen</translation>
    </message>
    <message>
        <source>has no effect without training.swa_lr: set it</source>
        <translation>hat ohne training.swa_lr keine Wirkung: diesen Wert setzen</translation>
    </message>
    <message>
        <source>has no effect without training.swa_start: set it to the step to begin at</source>
        <translation>hat ohne training.swa_start keine Wirkung: auf den Schritt setzen, bei dem begonnen wird</translation>
    </message>
    <message>
        <source>does not go with training.local_sgd_steps: %1</source>
        <translation>passt nicht zu training.local_sgd_steps: %1</translation>
    </message>
    <message>
        <source>ranks that train by themselves share nothing out; set it to 0</source>
        <translation>Ranks, die getrennt trainieren, teilen nichts auf; auf 0 setzen</translation>
    </message>
    <message>
        <source>no gradients travel; set it to no</source>
        <translation>keine Gradienten werden übertragen; auf no setzen</translation>
    </message>
    <message>
        <source>no gradients travel; leave it out</source>
        <translation>keine Gradienten werden übertragen; weglassen</translation>
    </message>
    <message>
        <source>the ranks' weights differ between two averages; set it to 0</source>
        <translation>die Gewichte der Ranks unterscheiden sich zwischen zwei Mittelungen; auf 0 setzen</translation>
    </message>
    <message>
        <source>the ranks' weights differ; set it to 0</source>
        <translation>die Gewichte der Ranks unterscheiden sich; auf 0 setzen</translation>
    </message>
    <message>
        <source>a rank without samples has nothing to train on; leave it out</source>
        <translation>ein Rank ohne Samples hat nichts zu trainieren; weglassen</translation>
    </message>
    <message>
        <source>a model for %1 does not continue texts: set it to 0</source>
        <translation>ein Modell für %1 setzt keine Texte fort: auf 0 setzen</translation>
    </message>
    <message>
        <source>samples need the whole model on one rank, and a pipeline shares it out: set parallel.pp_size to 1, or generation.every to 0 and use trainyard generate</source>
        <translation>Textproben brauchen das ganze Modell auf einem Rank, und eine Pipeline teilt es auf: parallel.pp_size auf 1 setzen, oder generation.every auf 0 und trainyard generate verwenden</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>darf nicht leer sein</translation>
    </message>
    <message>
        <source>has a slash or a control character: use letters, digits, spaces, '-', '_' and '.'</source>
        <translation>enthält einen Schrägstrich oder ein Steuerzeichen: Buchstaben, Ziffern, Leerzeichen, '-', '_' und '.' verwenden</translation>
    </message>
    <message>
        <source>must not be empty: * takes every file</source>
        <translation>darf nicht leer sein: * nimmt jede Datei</translation>
    </message>
    <message>
        <source>makes tokens of text, and the format %1 has none: set data.format to text, jsonl, csv, parquet or arrow, or leave the tokenizer out</source>
        <translation>macht Token aus Text, und das Format %1 hat keinen: data.format auf text, jsonl, csv, parquet oder arrow setzen oder den Tokenizer weglassen</translation>
    </message>
    <message>
        <source>%1 is more than model.%2 (%3): shorten the samples or raise %4</source>
        <translation>%1 ist mehr als model.%2 (%3): die Samples kürzen oder %4 erhöhen</translation>
    </message>
    <message>
        <source>rollback needs checkpoints to go back to: set checkpoint.every, or take skip</source>
        <translation>rollback braucht Checkpoints, zu denen es zurückgeht: checkpoint.every setzen oder skip nehmen</translation>
    </message>
    <message>
        <source>stage 3, which shares out the weights, too, is not there yet: take 2, which shares out optimizer state and gradients</source>
        <translation>Stufe 3, die auch die Gewichte aufteilt, gibt es noch nicht: 2 nehmen, die Optimizer-Zustand und Gradienten aufteilt</translation>
    </message>
    <message>
        <source>tensor parallelism</source>
        <translation>Tensorparallelität</translation>
    </message>
    <message>
        <source>context parallelism</source>
        <translation>Kontextparallelität</translation>
    </message>
    <message>
        <source>sequence parallelism</source>
        <translation>Sequenzparallelität</translation>
    </message>
    <message>
        <source>%1: %2 is not there in this version: set it to 1</source>
        <translation>%1: %2 gibt es in dieser Version nicht: auf 1 setzen</translation>
    </message>
    <message>
        <source>%1 ranks can share out optimizer state and gradients, which needs ZeRO: set zero_stage to 1 or 2, or give dp_replicate_size instead</source>
        <translation>%1 Ranks können Optimizer-Zustand und Gradienten aufteilen, wozu ZeRO nötig ist: zero_stage auf 1 oder 2 setzen oder stattdessen dp_replicate_size angeben</translation>
    </message>
    <message>
        <source>%1: ZeRO shares out over all ranks, replicas of shards are not there in this version: give dp_shard_size instead</source>
        <translation>%1: ZeRO teilt auf alle Ranks auf, Replikate von Shards gibt es in dieser Version nicht: stattdessen dp_shard_size angeben</translation>
    </message>
    <message>
        <source>%1 works on whole gradients, and under ZeRO stage 2 no rank keeps them: set comm_hook to no, or zero_stage to 1</source>
        <translation>%1 arbeitet mit ganzen Gradienten, und unter ZeRO-Stufe 2 behält sie kein Rank: comm_hook auf no oder zero_stage auf 1 setzen</translation>
    </message>
    <message>
        <source>data.validation_fraction is 0, so no checkpoint has a validation loss: raise it or set keep_best to 0</source>
        <translation>data.validation_fraction ist 0, also hat kein Checkpoint einen Validierungs-Loss: erhöhen oder keep_best auf 0 setzen</translation>
    </message>
    <message>
        <source>no average of the weights is kept, so there is no eval/loss_average: set training.ema_decay or swa_start, or take eval/loss</source>
        <translation>kein Mittelwert der Gewichte wird geführt, also gibt es kein eval/loss_average: training.ema_decay oder swa_start setzen oder eval/loss nehmen</translation>
    </message>
    <message>
        <source>there is no train/loss_scale without training.mixed_precision fp16: take another curve</source>
        <translation>ohne training.mixed_precision fp16 gibt es kein train/loss_scale: eine andere Kurve nehmen</translation>
    </message>
    <message>
        <source>%1 is more than %2 (%3): the warm-up would never end</source>
        <translation>%1 ist mehr als %2 (%3): das Warm-up würde nie enden</translation>
    </message>
    <message>
        <source>data.validation_fraction is 0, so nothing is held out to evaluate on: raise it or set evaluate_every to 0</source>
        <translation>data.validation_fraction ist 0, also bleibt nichts zum Auswerten: erhöhen oder evaluate_every auf 0 setzen</translation>
    </message>
    <message>
        <source>rank 0 sends every rank as many samples, so data.even_batches cannot be no: set one of them to its default</source>
        <translation>Rank 0 sendet jedem Rank gleich viele Samples, also kann data.even_batches nicht no sein: eines von beiden auf den Standardwert setzen</translation>
    </message>
    <message>
        <source>greater than %1</source>
        <translation>größer als %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>greater than %1 and at most %2</source>
        <translation>größer als %1 und höchstens %2</translation>
    </message>
    <message>
        <source>at least %1 and less than %2</source>
        <translation>mindestens %1 und kleiner als %2</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
    <message>
        <source>%1 | path</source>
        <translation>%1 | Pfad</translation>
    </message>
    <message>
        <source>%1 ranks cannot be shared among pipelines of %2 stages: start a multiple of %3 ranks, or change pp_size</source>
        <translation>%1 Ranks lassen sich nicht auf Pipelines mit %2 Stufen verteilen: ein Vielfaches von %3 Ranks starten oder pp_size ändern</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 Stufe</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 Stufen</translation>
    </message>
    <message>
        <source>1 replica</source>
        <translation>1 Replikat</translation>
    </message>
    <message>
        <source>%1 shards</source>
        <translation>%1 Shards</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 Replikaten</translation>
    </message>
    <message>
        <source>the mesh of %1 and %2 needs %3 ranks, and %4 are started: start %5 ranks, or make the size %6</source>
        <translation>das Mesh aus %1 und %2 braucht %3 Ranks, gestartet werden %4: %5 Ranks starten oder die Größe auf %6 setzen</translation>
    </message>
    <message>
        <source>a training on %1 ranks %2</source>
        <translation>ein Training auf %1 Ranks %2</translation>
    </message>
    <message>
        <source>data.split_batches shares every batch among %1 ranks, which %2 samples do not allow: make it a multiple of the ranks</source>
        <translation>data.split_batches teilt jeden Batch auf %1 Ranks auf, was mit %2 Samples nicht geht: ein Vielfaches der Ranks angeben</translation>
    </message>
    <message>
        <source>%1 samples cannot be shared evenly by %2 ranks: make it a multiple of the ranks, or start another number of them</source>
        <translation>%1 Samples lassen sich nicht gleichmäßig auf %2 Ranks verteilen: ein Vielfaches der Ranks angeben oder eine andere Anzahl von Ranks starten</translation>
    </message>
    <message>
        <source>%1 keeps no gradients for the next micro-batch: set training.batch_size to %2</source>
        <translation>%1 behält keine Gradienten für den nächsten Micro-Batch: training.batch_size auf %2 setzen</translation>
    </message>
    <message>
        <source>~ cannot be replaced: the variable HOME is not set</source>
        <translation>~ kann nicht ersetzt werden: die Variable HOME ist nicht gesetzt</translation>
    </message>
    <message>
        <source>'%1' has a $ that names no variable: write $NAME, ${NAME} or $$</source>
        <translation>'%1' enthält ein $, das keine Variable nennt: $NAME, ${NAME} oder $$ schreiben</translation>
    </message>
    <message>
        <source>the environment variable %1 is not set</source>
        <translation>die Umgebungsvariable %1 ist nicht gesetzt</translation>
    </message>
    <message>
        <source>expected a recipe (keys with values), got %1</source>
        <translation>ein Rezept (Schlüssel mit Werten) wird erwartet, gefunden: %1</translation>
    </message>
    <message>
        <source>'%1' is not of the form key=value</source>
        <translation>'%1' hat nicht die Form Schlüssel=Wert</translation>
    </message>
    <message>
        <source>unknown key '%1': it belongs under '%2'</source>
        <translation>unbekannter Schlüssel '%1': er gehört unter '%2'</translation>
    </message>
    <message>
        <source>unknown key '%1'%2</source>
        <translation>unbekannter Schlüssel '%1'%2</translation>
    </message>
    <message>
        <source>expected a table of keys, got %1</source>
        <translation>eine Tabelle von Schlüsseln wird erwartet, gefunden: %1</translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation>erwartet: %1, gefunden: %2</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>ein Pfad</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>a path or a list of paths</source>
        <translation>ein Pfad oder eine Liste von Pfaden</translation>
    </message>
    <message>
        <source>a word or a list of words</source>
        <translation>ein Wort oder eine Liste von Wörtern</translation>
    </message>
    <message>
        <source>a table of keys, e.g. {key: 1}</source>
        <translation>eine Tabelle von Schlüsseln, z. B. {key: 1}</translation>
    </message>
    <message>
        <source>a table or a list, e.g. {key: 1} or [1, 2]</source>
        <translation>eine Tabelle oder eine Liste, z. B. {key: 1} oder [1, 2]</translation>
    </message>
    <message>
        <source>a list of two numbers, e.g. [0.9, 0.999]</source>
        <translation>eine Liste von zwei Zahlen, z. B. [0.9, 0.999]</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no warm-up of its own: set it to 0, or take SequentialLR of a LinearLR and %2</source>
        <translation>hat keine Wirkung auf %1, das kein eigenes Warm-up hat: auf 0 setzen oder SequentialLR aus einem LinearLR und %2 nehmen</translation>
    </message>
    <message>
        <source>is given twice: schedule.arguments has num_warmup_steps, too: leave one out</source>
        <translation>ist doppelt angegeben: auch schedule.arguments hat num_warmup_steps: eines weglassen</translation>
    </message>
    <message>
        <source>has no effect on %1, which has no decay that ends at a step: set it to 0</source>
        <translation>hat keine Wirkung auf %1, dessen Rate nicht bis zu einem Schritt sinkt: auf 0 setzen</translation>
    </message>
    <message>
        <source>is given twice: schedule.arguments has num_training_steps, too: leave one out</source>
        <translation>ist doppelt angegeben: auch schedule.arguments hat num_training_steps: eines weglassen</translation>
    </message>
    <message>
        <source>only the plain cosine and linear schedules end at it: give %1 its own arguments, or leave min_lr_ratio out</source>
        <translation>nur die einfachen Zeitpläne cosine und linear enden dort: %1 eigene Argumente geben oder min_lr_ratio weglassen</translation>
    </message>
    <message>
        <source>%1 follows the validation loss, which is computed only at the end, so the learning rate would never change: set training.evaluate_every and data.validation_fraction</source>
        <translation>%1 folgt dem Validierungs-Loss, der nur am Ende berechnet wird, sodass sich die Lernrate nie änderte: training.evaluate_every und data.validation_fraction setzen</translation>
    </message>
    <message>
        <source>an alias (*name) inside of what it names has no end: write the value out</source>
        <translation>ein Alias (*name) innerhalb dessen, was er nennt, hat kein Ende: den Wert ausschreiben</translation>
    </message>
    <message>
        <source>aliases (*name) are not allowed here: write the value out</source>
        <translation>Aliasse (*name) sind hier nicht erlaubt: den Wert ausschreiben</translation>
    </message>
    <message>
        <source>anchors (&amp;name) are not allowed here: write the value out where it is needed</source>
        <translation>Anker (&amp;name) sind hier nicht erlaubt: den Wert dort ausschreiben, wo er gebraucht wird</translation>
    </message>
    <message>
        <source>the tag %1 is not allowed here: leave it out</source>
        <translation>das Tag %1 ist hier nicht erlaubt: weglassen</translation>
    </message>
    <message>
        <source>a key must be a name, not %1</source>
        <translation>ein Schlüssel muss ein Name sein, nicht %1</translation>
    </message>
    <message>
        <source>holds more than one document (---): keep one</source>
        <translation>enthält mehr als ein Dokument (---): nur eines behalten</translation>
    </message>
    <message>
        <source>is not valid YAML here: %1</source>
        <translation>ist hier kein gültiges YAML: %1</translation>
    </message>
    <message>
        <source>ZeRO-%1: nothing is shared out, since there is one rank</source>
        <translation>ZeRO-%1: nichts wird aufgeteilt, da es nur einen Rank gibt</translation>
    </message>
    <message>
        <source>ZeRO-%1: optimizer state is shared out among the %2 ranks</source>
        <translation>ZeRO-%1: der Optimizer-Zustand wird auf die %2 Ranks aufgeteilt</translation>
    </message>
    <message>
        <source>ZeRO-%1: optimizer state and gradients are shared out among the %2 ranks</source>
        <translation>ZeRO-%1: Optimizer-Zustand und Gradienten werden auf die %2 Ranks aufgeteilt</translation>
    </message>
</context>
<context>
    <name>engine/data</name>
    <message>
        <source>split_batches cuts every batch among %1 ranks, which a batch size of %2 does not allow: make it a multiple</source>
        <translation>split_batches teilt jeden Batch auf %1 Ranks auf, was bei Batch-Größe %2 nicht geht: ein Vielfaches angeben</translation>
    </message>
    <message>
        <source>split_batches needs a batch size: give the batch sampler one, or do not split</source>
        <translation>split_batches braucht eine Batch-Größe: dem Batch-Sampler eine geben oder nicht aufteilen</translation>
    </message>
    <message>
        <source>no batch of this epoch ends after %1 samples: the batch sampler gives other batches than when the state was saved</source>
        <translation>kein Batch dieser Epoche endet nach %1 Samples: Der Batch-Sampler liefert andere Batches als beim Speichern des Zustands</translation>
    </message>
    <message>
        <source>at '%1'</source>
        <translation>bei '%1'</translation>
    </message>
    <message>
        <source>samples of one batch differ in shape or dtype%1: pad them, or give the loader a collate function</source>
        <translation>Samples eines Batches haben verschiedene Formen oder dtypes%1: auffüllen oder dem Loader eine Collate-Funktion geben</translation>
    </message>
    <message>
        <source>samples of one batch have lists of different length%1: give the loader a collate function</source>
        <translation>Samples eines Batches haben verschieden lange Listen%1: dem Loader eine Collate-Funktion geben</translation>
    </message>
    <message>
        <source>samples of one batch have different keys%1: give all of them the same, or the loader a collate function</source>
        <translation>Samples eines Batches haben verschiedene Schlüssel%1: allen dieselben geben oder dem Loader eine Collate-Funktion</translation>
    </message>
    <message>
        <source>samples of one batch differ in kind%1 (%2 and %3): give the loader a collate function</source>
        <translation>Samples eines Batches sind verschiedener Art%1 (%2 und %3): dem Loader eine Collate-Funktion geben</translation>
    </message>
    <message>
        <source>a batch of no samples cannot be made</source>
        <translation>aus null Samples lässt sich kein Batch bilden</translation>
    </message>
    <message>
        <source>sample %1 of a data set of %2</source>
        <translation>Sample %1 eines Datensatzes von %2</translation>
    </message>
    <message>
        <source>this data set cannot go to a place that was saved</source>
        <translation>dieser Datensatz kann nicht an eine gespeicherte Stelle springen</translation>
    </message>
    <message>
        <source>this data set has no parts that ranks could read on their own</source>
        <translation>dieser Datensatz hat keine Teile, die Ranks für sich lesen könnten</translation>
    </message>
    <message>
        <source>'%1' has none</source>
        <translation>'%1' hat keine</translation>
    </message>
    <message>
        <source>'%1' has %2</source>
        <translation>'%1' hat %2</translation>
    </message>
    <message>
        <source>tensors of a data set must have the same number of rows: %1, the first %2</source>
        <translation>Tensoren eines Datensatzes müssen gleich viele Zeilen haben: %1, der erste %2</translation>
    </message>
    <message>
        <source>tensors of a data set must have the same number of rows: %1</source>
        <translation>Tensoren eines Datensatzes müssen gleich viele Zeilen haben: %1</translation>
    </message>
    <message>
        <source>a data set of tensors needs at least one tensor</source>
        <translation>ein Datensatz aus Tensoren braucht mindestens einen Tensor</translation>
    </message>
    <message>
        <source>a subset names sample %1 of a data set of %2</source>
        <translation>eine Teilmenge nennt Sample %1 eines Datensatzes von %2</translation>
    </message>
    <message>
        <source>dispatch of a batch</source>
        <translation>Verteilen eines Batches</translation>
    </message>
    <message>
        <source>shards of a dispatching loader</source>
        <translation>Shards eines verteilenden Loaders</translation>
    </message>
    <message>
        <source>rank %1 asks for shard %2 of %3</source>
        <translation>Rank %1 verlangt Shard %2 von %3</translation>
    </message>
    <message>
        <source>a batch without tensors cannot be dispatched: use dispatch_batches: false</source>
        <translation>ein Batch ohne Tensoren kann nicht verteilt werden: dispatch_batches: false verwenden</translation>
    </message>
    <message>
        <source>a slice function needs batches that can be joined along dimension 0: those of one step differ in shape</source>
        <translation>eine Slice-Funktion braucht Batches, die sich entlang Dimension 0 verbinden lassen: die eines Schritts haben verschiedene Formen</translation>
    </message>
    <message>
        <source>unknown error</source>
        <translation>unbekannter Fehler</translation>
    </message>
    <message>
        <source>rank 0 could not read the next batch: %1</source>
        <translation>Rank 0 konnte den nächsten Batch nicht lesen: %1</translation>
    </message>
    <message>
        <source>rank 0 sent a batch that is cut off</source>
        <translation>Rank 0 hat einen abgeschnittenen Batch gesendet</translation>
    </message>
    <message>
        <source>the sampler gave index %1 for a data set of %2 samples</source>
        <translation>der Sampler lieferte Index %1 für einen Datensatz von %2 Samples</translation>
    </message>
    <message>
        <source>batch %1 of the batch sampler has %2 samples in the place of %3: leave batch_size out where batches are of any size</source>
        <translation>Batch %1 des Batch-Samplers hat %2 Samples statt %3: batch_size weglassen, wenn Batches beliebig groß sind</translation>
    </message>
    <message>
        <source>samples of %1 tokens and windows of %2 documents cannot be made: give numbers above 0</source>
        <translation>Samples von %1 Tokens und Fenster von %2 Dokumenten sind nicht möglich: Zahlen über 0 angeben</translation>
    </message>
    <message>
        <source>a document</source>
        <translation>ein Dokument</translation>
    </message>
    <message>
        <source>'%1' of a document is %2, and tokens are made of a text or of a list of whole numbers: name another column</source>
        <translation>'%1' eines Dokuments ist %2, Tokens entstehen aber aus einem Text oder aus einer Liste ganzer Zahlen: eine andere Spalte angeben</translation>
    </message>
    <message>
        <source>the documents are others than when the checkpoint was saved: bring back the old files, or begin the epoch again</source>
        <translation>die Dokumente sind andere als beim Speichern des Checkpoints: die alten Dateien wiederherstellen oder die Epoche neu beginnen</translation>
    </message>
    <message>
        <source>the data have %1 tokens, less than one sample of %2: add data or shorten the samples</source>
        <translation>die Daten haben %1 Tokens, weniger als ein Sample von %2: Daten hinzufügen oder die Samples verkürzen</translation>
    </message>
    <message>
        <source>a file of the data set was changed while it was being read: start again with files that stay as they are</source>
        <translation>eine Datei des Datensatzes wurde beim Lesen geändert: mit Dateien neu beginnen, die unverändert bleiben</translation>
    </message>
    <message>
        <source>cannot skip %1 batches</source>
        <translation>%1 Batches können nicht übersprungen werden</translation>
    </message>
    <message>
        <source>the state of a data loader names a place before the start of its data</source>
        <translation>der Zustand eines Data-Loaders nennt eine Stelle vor dem Anfang seiner Daten</translation>
    </message>
    <message>
        <source>the state of a data loader was saved where %1 ranks read parts of the data on their own, here %2 do: go on with as many ranks, or from the next epoch</source>
        <translation>der Zustand eines Data-Loaders wurde gespeichert, als %1 Ranks Teile der Daten für sich lasen, hier tun das %2: mit ebenso vielen Ranks oder ab der nächsten Epoche fortsetzen</translation>
    </message>
    <message>
        <source>set either dataset or stream</source>
        <translation>entweder dataset oder stream angeben</translation>
    </message>
    <message>
        <source>a stream has an order of its own: leave out shuffle, sampler and batch_sampler</source>
        <translation>ein Stream hat seine eigene Reihenfolge: shuffle, sampler und batch_sampler weglassen</translation>
    </message>
    <message>
        <source>shuffle and sampler exclude each other</source>
        <translation>shuffle und sampler schließen sich gegenseitig aus</translation>
    </message>
    <message>
        <source>batch_sampler takes the place of batch_size, shuffle, sampler and drop_last</source>
        <translation>batch_sampler steht anstelle von batch_size, shuffle, sampler und drop_last</translation>
    </message>
    <message>
        <source>the batch sampler has no function</source>
        <translation>der Batch-Sampler hat keine Funktion</translation>
    </message>
    <message>
        <source>batch_size is %1: make it 1 or more</source>
        <translation>batch_size ist %1: 1 oder mehr angeben</translation>
    </message>
    <message>
        <source>num_workers must be 0 or more, prefetch_factor 1 or more</source>
        <translation>num_workers muss mindestens 0 sein, prefetch_factor mindestens 1</translation>
    </message>
    <message>
        <source>shard %1 of %2</source>
        <translation>Shard %1 von %2</translation>
    </message>
    <message>
        <source>dispatch_batches needs put_on_device</source>
        <translation>dispatch_batches braucht put_on_device</translation>
    </message>
    <message>
        <source>the data loader cannot be made: %1</source>
        <translation>der Data-Loader kann nicht erzeugt werden: %1</translation>
    </message>
    <message>
        <source>seed of a sampler</source>
        <translation>Seed eines Samplers</translation>
    </message>
    <message>
        <source>the state of a random generator cannot be used: %1</source>
        <translation>der Zustand eines Zufallsgenerators ist nicht verwendbar: %1</translation>
    </message>
    <message>
        <source>rng_types names '%1': it may name generator, torch, cuda, xpu, npu, mlu, musa, hpu and sdaa</source>
        <translation>rng_types nennt '%1': möglich sind generator, torch, cuda, xpu, npu, mlu, musa, hpu und sdaa</translation>
    </message>
    <message>
        <source>random state of %1</source>
        <translation>Zufallszustand von %1</translation>
    </message>
    <message>
        <source>num_samples of a sampler is %1: make it 1 or more</source>
        <translation>num_samples eines Samplers ist %1: 1 oder mehr angeben</translation>
    </message>
    <message>
        <source>weights of a sampler must be a list of numbers, one per sample</source>
        <translation>Gewichte eines Samplers müssen eine Liste von Zahlen sein, eine je Sample</translation>
    </message>
    <message>
        <source>weight %1 of a sampler is %2: weights are finite and not negative</source>
        <translation>Gewicht %1 eines Samplers ist %2: Gewichte sind endlich und nicht negativ</translation>
    </message>
    <message>
        <source>a sampler without replacement cannot draw %1 samples of %2 with a positive weight</source>
        <translation>ein Sampler ohne Zurücklegen kann nicht %1 Samples aus %2 mit positivem Gewicht ziehen</translation>
    </message>
    <message>
        <source>the blend asks data set %1 for sample %2, it has %3: make it with more samples (see blend_sizes)</source>
        <translation>die Mischung verlangt von Datensatz %1 Sample %2, er hat %3: mit mehr Samples erzeugen (siehe blend_sizes)</translation>
    </message>
    <message>
        <source>column '%1' is to be filled with '%2', which is no %3</source>
        <translation>Spalte '%1' soll mit '%2' gefüllt werden, was kein %3 ist</translation>
    </message>
    <message>
        <source>%1: column '%2' has no value in a row: fill it (fill: {%3: ...}) or leave such rows out of the file</source>
        <translation>%1: Spalte '%2' hat in einer Zeile keinen Wert: füllen (fill: {%3: ...}) oder solche Zeilen aus der Datei weglassen</translation>
    </message>
    <message>
        <source>%1 and %2 more files</source>
        <translation>%1 und %2 weitere Dateien</translation>
    </message>
    <message>
        <source>%1 has fewer rows than when the checkpoint was saved</source>
        <translation>%1 hat weniger Zeilen als beim Speichern des Checkpoints</translation>
    </message>
</context>
<context>
    <name>engine/distributed</name>
    <message>
        <source>it saved %1 tensors for backward in the forward, and %2 when it ran again</source>
        <translation>im Forward wurden %1 Tensoren für Backward gespeichert, beim erneuten Lauf %2</translation>
    </message>
    <message>
        <source>saved tensor %1 was %2 in the forward, and %3 when it ran again</source>
        <translation>gespeicherter Tensor %1 war %2 im Forward und %3 beim erneuten Lauf</translation>
    </message>
    <message>
        <source>activation checkpointing of %1: %2: a part that is checkpointed must do the same each time, so take out what depends on anything but its inputs</source>
        <translation>Activation Checkpointing von %1: %2: ein solcher Teil muss jedes Mal dasselbe tun, also herausnehmen, was von anderem als seinen Eingaben abhängt</translation>
    </message>
    <message>
        <source>unit %1</source>
        <translation>Einheit %1</translation>
    </message>
    <message>
        <source>the function</source>
        <translation>der Funktion</translation>
    </message>
    <message>
        <source>a rank sent a damaged description of its operation</source>
        <translation>ein Rank hat eine beschädigte Beschreibung seiner Operation gesendet</translation>
    </message>
    <message>
        <source>%1 %2 on %3</source>
        <translation>%1 %2 auf %3</translation>
    </message>
    <message>
        <source>number %1</source>
        <translation>Nummer %1</translation>
    </message>
    <message>
        <source>%1 is not the same on all ranks</source>
        <translation>%1 ist nicht auf allen Ranks gleich</translation>
    </message>
    <message>
        <source>%1 failed, another rank is gone or did not come: %2</source>
        <translation>%1 fehlgeschlagen, ein anderer Rank ist weg oder kam nicht: %2</translation>
    </message>
    <message>
        <source>connecting the ranks of %1</source>
        <translation>Verbinden der Ranks von %1</translation>
    </message>
    <message>
        <source>telling the other ranks</source>
        <translation>Benachrichtigen der anderen Ranks</translation>
    </message>
    <message>
        <source>waiting for a word of another rank (%1)</source>
        <translation>Warten auf Nachricht eines anderen Ranks (%1)</translation>
    </message>
    <message>
        <source>MASTER_ADDR and MASTER_PORT: %1</source>
        <translation>MASTER_ADDR und MASTER_PORT: %1</translation>
    </message>
    <message>
        <source>rendezvous at %1:%2</source>
        <translation>Rendezvous bei %1:%2</translation>
    </message>
    <message>
        <source>Give every rank the same; pad_across_processes makes sizes equal.</source>
        <translation>Jedem Rank dasselbe geben; pad_across_processes gleicht Größen an.</translation>
    </message>
    <message>
        <source>this</source>
        <translation>dies</translation>
    </message>
    <message>
        <source>%1 takes tensors, this is %2: use gather_object or broadcast_object for other objects</source>
        <translation>%1 nimmt Tensoren, dies ist %2: für andere Objekte gather_object oder broadcast_object verwenden</translation>
    </message>
    <message>
        <source>%1 takes tensors, %2 is %3: use gather_object or broadcast_object for other objects</source>
        <translation>%1 nimmt Tensoren, %2 ist %3: für andere Objekte gather_object oder broadcast_object verwenden</translation>
    </message>
    <message>
        <source>this tensor</source>
        <translation>dieser Tensor</translation>
    </message>
    <message>
        <source>reduce has no arithmetic for %1 (%2): convert it first</source>
        <translation>reduce kann mit %1 nicht rechnen (%2): zuerst umwandeln</translation>
    </message>
    <message>
        <source>there is no mean of %1 (%2): take the sum, or convert it to float first</source>
        <translation>einen Mittelwert von %1 gibt es nicht (%2): die Summe nehmen oder zuerst in float umwandeln</translation>
    </message>
    <message>
        <source>there is no largest of complex numbers (%1): take the sum or the mean</source>
        <translation>eine größte unter komplexen Zahlen gibt es nicht (%1): Summe oder Mittelwert nehmen</translation>
    </message>
    <message>
        <source>unknown reduction '%1': choose none, sum, mean or max</source>
        <translation>unbekannte Reduktion '%1': none, sum, mean oder max wählen</translation>
    </message>
    <message>
        <source>reduce (none)</source>
        <translation>reduce (none)</translation>
    </message>
    <message>
        <source>reduce (sum)</source>
        <translation>reduce (sum)</translation>
    </message>
    <message>
        <source>reduce (mean)</source>
        <translation>reduce (mean)</translation>
    </message>
    <message>
        <source>reduce (max)</source>
        <translation>reduce (max)</translation>
    </message>
    <message>
        <source>broadcast from rank %1</source>
        <translation>broadcast von Rank %1</translation>
    </message>
    <message>
        <source>broadcast from rank %1: there are %2 ranks, counted from 0</source>
        <translation>broadcast von Rank %1: es gibt %2 Ranks, gezählt ab 0</translation>
    </message>
    <message>
        <source>%1 of %2 dimensions</source>
        <translation>%1 mit %2 Dimensionen</translation>
    </message>
    <message>
        <source>pad_across_processes along %1</source>
        <translation>pad_across_processes entlang %1</translation>
    </message>
    <message>
        <source>Give every rank the same kinds, dtypes and numbers of dimensions.</source>
        <translation>Jedem Rank dieselben Arten, dtypes und Dimensionszahlen geben.</translation>
    </message>
    <message>
        <source>%1 '%2' is unknown: choose one of %3</source>
        <translation>%1 '%2' ist unbekannt: eines von %3 wählen</translation>
    </message>
    <message>
        <source>the tensor is undefined</source>
        <translation>der Tensor ist undefiniert</translation>
    </message>
    <message>
        <source>the tensor is not contiguous</source>
        <translation>der Tensor ist nicht zusammenhängend</translation>
    </message>
    <message>
        <source>the tensor is not on the communicator's device</source>
        <translation>der Tensor liegt nicht auf dem Gerät des Communicators</translation>
    </message>
    <message>
        <source>the tensor has no dimension to divide</source>
        <translation>der Tensor hat keine Dimension zum Aufteilen</translation>
    </message>
    <message>
        <source>the rows do not divide among the ranks</source>
        <translation>die Zeilen lassen sich nicht gleichmäßig auf die Ranks aufteilen</translation>
    </message>
    <message>
        <source>the rows to or from the ranks are not those of the tensor</source>
        <translation>die Zeilen an oder von den Ranks sind nicht die des Tensors</translation>
    </message>
    <message>
        <source>bool has no arithmetic: convert it, or use distributed/parallel/collectives.h</source>
        <translation>mit bool lässt sich nicht rechnen: umwandeln oder distributed/parallel/collectives.h verwenden</translation>
    </message>
    <message>
        <source>whole numbers have no average</source>
        <translation>ganze Zahlen haben keinen Mittelwert</translation>
    </message>
    <message>
        <source>the root is no rank of this communicator</source>
        <translation>die Wurzel ist kein Rank dieses Communicators</translation>
    </message>
    <message>
        <source>the other rank is none of this communicator, or this one</source>
        <translation>der andere Rank gehört nicht zu diesem Communicator oder ist dieser selbst</translation>
    </message>
    <message>
        <source>the two tensors differ in dtype</source>
        <translation>die beiden Tensoren haben verschiedene dtypes</translation>
    </message>
    <message>
        <source>the target is not [ranks, ...] of the source</source>
        <translation>das Ziel ist nicht [ranks, ...] der Quelle</translation>
    </message>
    <message>
        <source>the source is not [ranks, ...] of the target</source>
        <translation>die Quelle ist nicht [ranks, ...] des Ziels</translation>
    </message>
    <message>
        <source>rows of the two tensors differ in shape</source>
        <translation>Zeilen der beiden Tensoren haben verschiedene Formen</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 an %2</translation>
    </message>
    <message>
        <source>let every rank call the same operation with the same shapes</source>
        <translation>jeden Rank dieselbe Operation mit denselben Formen aufrufen lassen</translation>
    </message>
    <message>
        <source>out of turn</source>
        <translation>außer der Reihe</translation>
    </message>
    <message>
        <source>the last backward of rank %1 ended in an exception after %2 of %3 buckets of gradients were sent: the ranks no longer agree on the step; end the run and start it from its last checkpoint</source>
        <translation>der letzte Backward von Rank %1 endete mit einer Ausnahme, nachdem %2 von %3 Gradienten-Buckets gesendet waren: die Ranks stimmen im Schritt nicht mehr überein; den Lauf beenden und vom letzten Checkpoint starten</translation>
    </message>
    <message>
        <source>static_graph promises that all steps are alike; take it away</source>
        <translation>static_graph verspricht, dass alle Schritte gleich sind; es weglassen</translation>
    </message>
    <message>
        <source>set static_graph, which counts how often each one comes</source>
        <translation>static_graph setzen, das zählt, wie oft jeder kommt</translation>
    </message>
    <message>
        <source>parameter %1 has a gradient and had none in the first step: static_graph promises that all steps are alike; take it away</source>
        <translation>Parameter %1 hat einen Gradienten und hatte im ersten Schritt keinen: static_graph verspricht, dass alle Schritte gleich sind; static_graph weglassen</translation>
    </message>
    <message>
        <source>parameter %1 has a gradient and had none in the first step: set static_graph, which counts how often each one comes</source>
        <translation>Parameter %1 hat einen Gradienten und hatte im ersten Schritt keinen: static_graph setzen, das zählt, wie oft jeder kommt</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient again after it was sent: static_graph promises that all steps are alike; take it away</source>
        <translation>Parameter %1 bekam nach dem Senden erneut einen Gradienten: static_graph verspricht, dass alle Schritte gleich sind; static_graph weglassen</translation>
    </message>
    <message>
        <source>parameter %1 got a gradient again after it was sent: set static_graph, which counts how often each one comes</source>
        <translation>Parameter %1 bekam nach dem Senden erneut einen Gradienten: static_graph setzen, das zählt, wie oft jeder kommt</translation>
    </message>
    <message>
        <source>ranks that used each parameter</source>
        <translation>Ranks, die jeden Parameter benutzt haben</translation>
    </message>
    <message>
        <source>static_graph promises that all steps are alike, but these parameters had a gradient in the first step and none in this one: %1; take static_graph away</source>
        <translation>static_graph verspricht, dass alle Schritte gleich sind, aber diese Parameter hatten im ersten Schritt einen Gradienten und in diesem keinen: %1; static_graph weglassen</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this backward on every rank: %1; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source>
        <translation>diese Parameter bekamen in diesem Backward auf jedem Rank keinen Gradienten: %1; im Loss verwenden oder find_unused_parameters setzen (static_graph, wenn alle Schritte gleich sind)</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this backward: %1; use them in the loss, or set find_unused_parameters (static_graph where all steps are alike)</source>
        <translation>diese Parameter bekamen in diesem Backward keinen Gradienten: %1; im Loss verwenden oder find_unused_parameters setzen (static_graph, wenn alle Schritte gleich sind)</translation>
    </message>
    <message>
        <source>who still has batches</source>
        <translation>wer noch Batches hat</translation>
    </message>
    <message>
        <source>with uneven inputs some ranks reduce their gradients in this step and others accumulate: %1 of %2; accumulate over the same steps on all ranks (sync_with_dataloader off)</source>
        <translation>bei ungleichen Eingaben reduzieren einige Ranks in diesem Schritt ihre Gradienten, andere akkumulieren: %1 von %2; auf allen Ranks über dieselben Schritte akkumulieren (sync_with_dataloader aus)</translation>
    </message>
    <message>
        <source>bucket_cap_mb is %1: it must be more than 0</source>
        <translation>bucket_cap_mb ist %1: der Wert muss größer als 0 sein</translation>
    </message>
    <message>
        <source>gradients to %1</source>
        <translation>Gradienten bis %1</translation>
    </message>
    <message>
        <source>Give every rank the same recipe, the same files and the same code.</source>
        <translation>Jedem Rank dasselbe Rezept, dieselben Dateien und denselben Code geben.</translation>
    </message>
    <message>
        <source>gradients %1</source>
        <translation>Gradienten %1</translation>
    </message>
    <message>
        <source>the parameters of %1 got a gradient twice in one backward, and the first is on its way: set zero_stage to 0</source>
        <translation>die Parameter von %1 bekamen in einem Backward zweimal einen Gradienten, und der erste ist schon unterwegs: zero_stage auf 0 setzen</translation>
    </message>
    <message>
        <source>no gradient</source>
        <translation>kein Gradient</translation>
    </message>
    <message>
        <source>the gradients of a step</source>
        <translation>die Menge der Gradienten eines Schritts</translation>
    </message>
    <message>
        <source>use the same parameters on every rank, or set parallel.check_reduction to no</source>
        <translation>auf jedem Rank dieselben Parameter benutzen oder parallel.check_reduction auf no setzen</translation>
    </message>
    <message>
        <source>these parameters got no gradient in this step: %1; use them in the loss, freeze them, or set find_unused_parameters</source>
        <translation>diese Parameter bekamen in diesem Schritt keinen Gradienten: %1; im Loss verwenden, einfrieren oder find_unused_parameters setzen</translation>
    </message>
    <message>
        <source>values %1</source>
        <translation>Werte %1</translation>
    </message>
    <message>
        <source>rank %1 has no more batches, and throw_on_early_termination is set</source>
        <translation>Rank %1 hat keine weiteren Batches, und throw_on_early_termination ist gesetzt</translation>
    </message>
    <message>
        <source>join_uneven_inputs: give the modules whose gradients the ranks average</source>
        <translation>join_uneven_inputs: die Module angeben, deren Gradienten die Ranks mitteln</translation>
    </message>
    <message>
        <source>join_uneven_inputs: all modules must share one communicator</source>
        <translation>join_uneven_inputs: alle Module müssen denselben Communicator haben</translation>
    </message>
    <message>
        <source>'%1' is no number: give a whole one, or unset it</source>
        <translation>'%1' ist keine Zahl: eine ganze Zahl angeben oder die Variable entfernen</translation>
    </message>
    <message>
        <source>'%1' is neither true nor false: write true or false</source>
        <translation>'%1' ist weder true noch false: true oder false schreiben</translation>
    </message>
    <message>
        <source>there is at least 1 process</source>
        <translation>es gibt mindestens 1 Prozess</translation>
    </message>
    <message>
        <source>%1 is not below the number of processes, %2</source>
        <translation>%1 ist nicht kleiner als die Zahl der Prozesse, %2</translation>
    </message>
    <message>
        <source>%1 is not between 1 and the %2 processes of all machines</source>
        <translation>%1 liegt nicht zwischen 1 und den %2 Prozessen aller Rechner</translation>
    </message>
    <message>
        <source>%1 is beyond the rank or the number of processes of this machine, %2</source>
        <translation>%1 übersteigt den Rank oder die Zahl der Prozesse dieses Rechners, %2</translation>
    </message>
    <message>
        <source>is not set: several machines need the address of rank 0</source>
        <translation>ist nicht gesetzt: mehrere Rechner brauchen die Adresse von Rank 0</translation>
    </message>
    <message>
        <source>%1 is not a port: give 1 to 65535</source>
        <translation>%1 ist kein Port: 1 bis 65535 angeben</translation>
    </message>
    <message>
        <source>training on '%1' needs the library that brings this device to LibTorch: name it with --device_library or in %2, or train with --cpu</source>
        <translation>Training auf '%1' braucht die Bibliothek, die dieses Gerät in LibTorch bringt: mit --device_library oder in %2 angeben, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>unknown reason</source>
        <translation>unbekannter Grund</translation>
    </message>
    <message>
        <source>build it where CUDA's headers are, or train with --cpu</source>
        <translation>dort bauen, wo die Header von CUDA sind, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (%3): build it where CUDA's headers are, or train with --cpu</source>
        <translation>Training auf '%1' braucht %2, und die Datei lässt sich nicht öffnen (%3): dort bauen, wo die Header von CUDA sind, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (%3): give the path of a library for LibTorch %4, or train with --cpu</source>
        <translation>Training auf '%1' braucht %2, und die Datei lässt sich nicht öffnen (%3): den Pfad einer Bibliothek für LibTorch %4 angeben oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (unknown reason): build it where CUDA's headers are, or train with --cpu</source>
        <translation>Training auf '%1' braucht %2, und die Datei lässt sich nicht öffnen (unbekannter Grund): dort bauen, wo die Header von CUDA sind, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>training on '%1' needs %2, which cannot be opened (unknown reason): give the path of a library for LibTorch %3, or train with --cpu</source>
        <translation>Training auf '%1' braucht %2, und die Datei lässt sich nicht öffnen (unbekannter Grund): den Pfad einer Bibliothek für LibTorch %3 angeben oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>it brings '%1'</source>
        <translation>sie bringt '%1'</translation>
    </message>
    <message>
        <source>it brings no device</source>
        <translation>sie bringt kein Gerät</translation>
    </message>
    <message>
        <source>the library of the device '%1' is another device's: %2</source>
        <translation>die Bibliothek des Geräts '%1' ist die eines anderen: %2</translation>
    </message>
    <message>
        <source>there is 1</source>
        <translation>es gibt 1</translation>
    </message>
    <message>
        <source>rank %1 of this machine has no device %2: there is 1: start as many ranks as there are devices, or train with --cpu</source>
        <translation>Rank %1 dieses Rechners hat kein Gerät %2: es gibt 1: so viele Ranks starten, wie es Geräte gibt, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>rank %1 of this machine has no device %2: there are %3: start as many ranks as there are devices, or train with --cpu</source>
        <translation>Rank %1 dieses Rechners hat kein Gerät %2: es gibt %3: so viele Ranks starten, wie es Geräte gibt, oder mit --cpu trainieren</translation>
    </message>
    <message>
        <source>local_sgd_steps is %1: it must be at least 1</source>
        <translation>local_sgd_steps ist %1: der Wert muss mindestens 1 sein</translation>
    </message>
    <message>
        <source>parameters of Local SGD</source>
        <translation>Parameter von Local SGD</translation>
    </message>
    <message>
        <source>optimizer state of Local SGD</source>
        <translation>Optimizer-Zustand von Local SGD</translation>
    </message>
    <message>
        <source>weights of Local SGD</source>
        <translation>Gewichte von Local SGD</translation>
    </message>
    <message>
        <source>targets of the step</source>
        <translation>Ziele des Schritts</translation>
    </message>
    <message>
        <source>the mesh (%1) needs %2 ranks, %3 were started: make the product of its sizes %4</source>
        <translation>das Mesh (%1) braucht %2 Ranks, gestartet wurden %3: das Produkt seiner Größen muss %4 sein</translation>
    </message>
    <message>
        <source>parameter %1 is computed from others: give the leaf it is computed from</source>
        <translation>Parameter %1 wird aus anderen berechnet: das Blatt angeben, aus dem er berechnet wird</translation>
    </message>
    <message>
        <source>parameter %1 is not dense: make it dense</source>
        <translation>Parameter %1 ist nicht dicht: in einen dichten umwandeln</translation>
    </message>
    <message>
        <source>parameter %1 is complex: keep it as two real numbers (view_as_real)</source>
        <translation>Parameter %1 ist komplex: als zwei reelle Zahlen halten (view_as_real)</translation>
    </message>
    <message>
        <source>no parameter requires a gradient: data parallel has nothing to do</source>
        <translation>kein Parameter verlangt einen Gradienten: für Datenparallelität gibt es nichts zu tun</translation>
    </message>
    <message>
        <source>start values of the model</source>
        <translation>Startwerte des Modells</translation>
    </message>
    <message>
        <source>buffers of the model</source>
        <translation>Puffer des Modells</translation>
    </message>
    <message>
        <source>Let every rank call the same operation.</source>
        <translation>Jeden Rank dieselbe Operation aufrufen lassen.</translation>
    </message>
    <message>
        <source>gathering of objects</source>
        <translation>Sammeln von Objekten</translation>
    </message>
    <message>
        <source>gather_object takes a list, rank %1 gave %2: put the object into a list of one</source>
        <translation>gather_object nimmt eine Liste, Rank %1 gab %2: das Objekt in eine Liste mit einem Element setzen</translation>
    </message>
    <message>
        <source>object of rank %1</source>
        <translation>Objekt von Rank %1</translation>
    </message>
    <message>
        <source>broadcast_object from rank %1: there are %2 ranks, counted from 0</source>
        <translation>broadcast_object von Rank %1: es gibt %2 Ranks, gezählt ab 0</translation>
    </message>
    <message>
        <source>PowerSGD's %1 of bucket %2 has %3 elements and needs %4: the state belongs to another model, bucket_cap_mb or rank; start it anew</source>
        <translation>%1 von PowerSGD in Bucket %2 hat %3 Elemente und braucht %4: der Zustand gehört zu einem anderen Modell, bucket_cap_mb oder Rang; neu beginnen</translation>
    </message>
    <message>
        <source>PowerSGD at step %1: %2 gradients sent as %3 numbers, %4 times fewer</source>
        <translation>PowerSGD bei Schritt %1: %2 Gradienten als %3 Zahlen gesendet, %4-mal weniger</translation>
    </message>
    <message>
        <source>PowerSGD's state has '%1' where the number of a bucket belongs</source>
        <translation>der Zustand von PowerSGD hat '%1', wo die Nummer eines Buckets stehen muss</translation>
    </message>
    <message>
        <source>PowerSGD's state has iter %1 and rng_draws %2, which no run can have</source>
        <translation>der Zustand von PowerSGD hat iter %1 und rng_draws %2, was kein Lauf haben kann</translation>
    </message>
    <message>
        <source>%1 is not in %2 to %3</source>
        <translation>%1 liegt nicht in %2 bis %3</translation>
    </message>
    <message>
        <source>it must be a number of at least 0</source>
        <translation>der Wert muss eine Zahl von mindestens 0 sein</translation>
    </message>
    <message>
        <source>comm_state_option is a %1: give a dictionary of options</source>
        <translation>comm_state_option ist %1: ein Dictionary mit Optionen angeben</translation>
    </message>
    <message>
        <source>is unknown: PowerSGD has %1</source>
        <translation>ist unbekannt: PowerSGD hat %1</translation>
    </message>
    <message>
        <source>%1: the first process failed before the others could go on</source>
        <translation>%1: der erste Prozess ist fehlgeschlagen, bevor die anderen weitermachen konnten</translation>
    </message>
    <message>
        <source>process state</source>
        <translation>Prozesszustand</translation>
    </message>
    <message>
        <source>ACCELERATE_TORCH_DEVICE is '%1': it must be a kind of device, or one with a number such as cuda:1</source>
        <translation>ACCELERATE_TORCH_DEVICE ist '%1': der Wert muss eine Geräteart sein oder eine mit Nummer wie cuda:1</translation>
    </message>
    <message>
        <source>split_between_processes: '%1' has %2 items, the first value has %3: all values must be of one length</source>
        <translation>split_between_processes: '%1' hat %2 Elemente, der erste Wert hat %3: alle Werte müssen gleich lang sein</translation>
    </message>
    <message>
        <source>unknown log level '%1': choose debug, info, warning, error or critical</source>
        <translation>unbekannte Protokollstufe '%1': debug, info, warning, error oder critical wählen</translation>
    </message>
    <message>
        <source>turns of the logger %1</source>
        <translation>Reihenfolge des Loggers %1</translation>
    </message>
    <message>
        <source>ZeRO stage %1 is not there: choose 0 (nothing is shared out), 1 (optimizer state) or 2 (gradients, too)</source>
        <translation>ZeRO-Stufe %1 gibt es nicht: 0 (nichts wird aufgeteilt), 1 (Optimizer-Zustand) oder 2 (auch die Gradienten) wählen</translation>
    </message>
    <message>
        <source>Let every rank call the same operation with the same shapes.</source>
        <translation>Jeden Rank dieselbe Operation mit denselben Formen aufrufen lassen.</translation>
    </message>
    <message>
        <source>memory of %1</source>
        <translation>memory of %1</translation>
    </message>
    <message>
        <source>%1 failed: rank %2 is gone</source>
        <translation>%1 fehlgeschlagen: Rank %2 ist weg</translation>
    </message>
    <message>
        <source>%1 failed: rank %2 did not come in %3 ms</source>
        <translation>%1 fehlgeschlagen: Rank %2 kam nicht innerhalb von %3 ms</translation>
    </message>
    <message>
        <source>the table does not say on which rank each of its stages is</source>
        <translation>die Tabelle sagt nicht, auf welchem Rank jede ihrer Stufen liegt</translation>
    </message>
    <message>
        <source>a stage is on rank %1, and the table has %2 ranks</source>
        <translation>eine Stufe liegt auf Rank %1, und die Tabelle hat %2 Ranks</translation>
    </message>
    <message>
        <source>%1 is there twice on rank %2</source>
        <translation>%1 steht zweimal auf Rank %2</translation>
    </message>
    <message>
        <source>stage %1 has no whole backward of micro-batch %2</source>
        <translation>Stufe %1 hat keinen ganzen Backward von Micro-Batch %2</translation>
    </message>
    <message>
        <source>from rank %1 to rank %2</source>
        <translation>von Rank %1 an Rank %2</translation>
    </message>
    <message>
        <source>%1 messages are sent%2 and %3 received</source>
        <translation>%1 Nachrichten werden%2 gesendet und %3 empfangen</translation>
    </message>
    <message>
        <source>message %1 is for %2 and is taken by %3</source>
        <translation>Nachricht %1 ist für %2 und wird von %3 angenommen</translation>
    </message>
    <message>
        <source>rank %1 waits in %2 for %3</source>
        <translation>Rank %1 wartet in %2 auf %3</translation>
    </message>
    <message>
        <source>, rank %1 waits in %2 for %3</source>
        <translation>, Rank %1 wartet in %2 auf %3</translation>
    </message>
    <message>
        <source>the table blocks: %1</source>
        <translation>die Tabelle blockiert: %1</translation>
    </message>
    <message>
        <source>of stage %1</source>
        <translation>von Stufe %1</translation>
    </message>
    <message>
        <source>%1 on rank %2</source>
        <translation>%1 auf Rank %2</translation>
    </message>
    <message>
        <source>%1 is of a stage or micro-batch that the table does not have</source>
        <translation>%1 gehört zu einer Stufe oder einem Micro-Batch, die es in der Tabelle nicht gibt</translation>
    </message>
    <message>
        <source>%1 is of a stage that is on rank %2</source>
        <translation>%1 gehört zu einer Stufe, die auf Rank %2 liegt</translation>
    </message>
    <message>
        <source>%1 has no stage at its other end</source>
        <translation>%1 hat am anderen Ende keine Stufe</translation>
    </message>
    <message>
        <source>%1 is a message of a rank to itself: neighbouring stages of one rank need none</source>
        <translation>%1 ist eine Nachricht eines Ranks an sich selbst: benachbarte Stufen eines Ranks brauchen keine</translation>
    </message>
    <message>
        <source>there is no %1</source>
        <translation>es fehlt %1</translation>
    </message>
    <message>
        <source>%1 comes before %2 on rank %3</source>
        <translation>%1 kommt vor %2 auf Rank %3</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from a model of %2 blocks: give from 1 to %3</source>
        <translation>%1 Pipeline-Stufen lassen sich nicht aus einem Modell mit %2 Blöcken schneiden: 1 bis %3 angeben</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>cannot concatenate %1 and %2</source>
        <translation>%1 und %2 lassen sich nicht verketten</translation>
    </message>
    <message>
        <source>cannot concatenate %1s of %2 and %3 items%4</source>
        <translation>%1 mit %2 und %3 Elementen lassen sich nicht verketten%4</translation>
    </message>
    <message>
        <source>cannot concatenate dicts with different keys%1</source>
        <translation>Dicts mit verschiedenen Schlüsseln lassen sich nicht verketten%1</translation>
    </message>
    <message>
        <source>a batch of %1 has no batch size: its first tensor needs a dimension</source>
        <translation>ein Batch aus %1 hat keine Batch-Größe: sein erster Tensor braucht eine Dimension</translation>
    </message>
    <message>
        <source>nothing to concatenate: give at least one batch</source>
        <translation>nichts zu verketten: mindestens einen Batch angeben</translation>
    </message>
    <message>
        <source>complex numbers have no place in a list: take their real and imaginary parts first</source>
        <translation>komplexe Zahlen haben in einer Liste keinen Platz: zuerst Real- und Imaginärteil nehmen</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>%1 erwartet, %2 gefunden</translation>
    </message>
    <message>
        <source>list or tuple</source>
        <translation>list oder tuple</translation>
    </message>
    <message>
        <source>the key '%1' is missing</source>
        <translation>der Schlüssel '%1' fehlt</translation>
    </message>
    <message>
        <source>tensors of %1 cannot be sent as objects: convert them first</source>
        <translation>Tensoren vom Typ %1 lassen sich nicht als Objekte senden: zuerst umwandeln</translation>
    </message>
    <message>
        <source>a nest deeper than %1 cannot be sent</source>
        <translation>eine Verschachtelung tiefer als %1 lässt sich nicht senden</translation>
    </message>
    <message>
        <source>it does not begin with TYT1</source>
        <translation>es beginnt nicht mit TYT1</translation>
    </message>
    <message>
        <source>something follows its end</source>
        <translation>hinter seinem Ende folgt noch etwas</translation>
    </message>
    <message>
        <source>a received object is damaged at byte %1: %2</source>
        <translation>ein empfangenes Objekt ist bei Byte %1 beschädigt: %2</translation>
    </message>
    <message>
        <source>it claims more items than it has bytes</source>
        <translation>es gibt mehr Elemente an, als es Bytes hat</translation>
    </message>
    <message>
        <source>unknown dtype</source>
        <translation>unbekannter dtype</translation>
    </message>
    <message>
        <source>too many dimensions</source>
        <translation>zu viele Dimensionen</translation>
    </message>
    <message>
        <source>an impossible shape</source>
        <translation>eine unmögliche Form</translation>
    </message>
    <message>
        <source>its bytes are not those of its shape</source>
        <translation>seine Bytes passen nicht zu seiner Form</translation>
    </message>
    <message>
        <source>unknown kind of key</source>
        <translation>unbekannte Schlüsselart</translation>
    </message>
    <message>
        <source>the same key twice</source>
        <translation>zweimal derselbe Schlüssel</translation>
    </message>
    <message>
        <source>nested too deep</source>
        <translation>zu tief verschachtelt</translation>
    </message>
    <message>
        <source>unknown kind of value</source>
        <translation>unbekannte Wertart</translation>
    </message>
</context>
<context>
    <name>engine/estimate</name>
    <message>
        <source>%1 is not an integer of at least %2</source>
        <translation>%1 ist keine ganze Zahl ab %2</translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation>%1 ist keine Zahl</translation>
    </message>
    <message>
        <source>%1 is neither true nor false</source>
        <translation>%1 ist weder true noch false</translation>
    </message>
    <message>
        <source>%1 is not text</source>
        <translation>%1 ist kein Text</translation>
    </message>
    <message>
        <source>%1 is not a list of positive integers</source>
        <translation>%1 ist keine Liste positiver ganzer Zahlen</translation>
    </message>
    <message>
        <source>%1 is not a JSON object</source>
        <translation>%1 ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>%1 is not a JSON object: it should be the config.json of a model</source>
        <translation>%1 ist kein JSON-Objekt: Es sollte die config.json eines Modells sein</translation>
    </message>
    <message>
        <source>%1: model_type '%2' is not known to this version%3</source>
        <translation>%1: model_type '%2' ist dieser Version nicht bekannt%3</translation>
    </message>
    <message>
        <source>%1 is to be loaded with %2, and this version estimates %3 of %4</source>
        <translation>%1 soll mit %2 geladen werden, diese Version schätzt %3 von %4</translation>
    </message>
    <message>
        <source>%1 must be a multiple of n_head, which is %2</source>
        <translation>%1 muss ein Vielfaches von n_head sein, das %2 ist</translation>
    </message>
    <message>
        <source>give one number, or height and width</source>
        <translation>eine Zahl oder Höhe und Breite angeben</translation>
    </message>
    <message>
        <source>needs as many numbers as hidden_sizes</source>
        <translation>braucht ebenso viele Zahlen wie hidden_sizes</translation>
    </message>
    <message>
        <source>the device '%1' is not known: devices are whole numbers (accelerators), mps, cpu and disk</source>
        <translation>das Gerät '%1' ist nicht bekannt: Geräte sind ganze Zahlen (Beschleuniger), mps, cpu und disk</translation>
    </message>
    <message>
        <source>the offloaded layers have buffers of %1 bytes, and no accelerator has room for them: offload the buffers, too (offload_buffers)</source>
        <translation>die ausgelagerten Layer haben Puffer von %1 Bytes, und kein Beschleuniger hat Platz dafür: auch die Puffer auslagern (offload_buffers)</translation>
    </message>
    <message>
        <source>'%1' is not the name of a dtype: float32, bfloat16, int8, bool ...</source>
        <translation>'%1' ist kein Name eines dtype: float32, bfloat16, int8, bool ...</translation>
    </message>
    <message>
        <source>device 0 can be spared only among devices that are numbered from 0 without a gap</source>
        <translation>Gerät 0 kann nur geschont werden, wenn die Geräte von 0 an lückenlos nummeriert sind</translation>
    </message>
    <message>
        <source>data sheet, dense products</source>
        <translation>Datenblatt, dichte Produkte</translation>
    </message>
    <message>
        <source>peak that runs measured on this machine</source>
        <translation>Spitzenleistung, die Läufe auf diesem Rechner gemessen haben</translation>
    </message>
    <message>
        <source>80 GFLOP/s a core, not measured yet</source>
        <translation>80 GFLOP/s pro Kern, noch nicht gemessen</translation>
    </message>
    <message>
        <source>what a model of type %1 consists of is known when it is loaded, so its memory cannot be estimated: start a short run, which reports what it uses</source>
        <translation>woraus ein Modell vom Typ %1 besteht, ist erst bekannt, wenn es geladen ist, daher kann sein Speicherbedarf nicht geschätzt werden: einen kurzen Lauf starten, der seinen Verbrauch meldet</translation>
    </message>
    <message>
        <source>%1, %2 thread, %3, %4 rank</source>
        <translation>%1, %2 Thread, %3, %4 Rank</translation>
    </message>
    <message>
        <source>%1, %2 thread, %3, %4 ranks</source>
        <translation>%1, %2 Thread, %3, %4 Ranks</translation>
    </message>
    <message>
        <source>%1, %2 threads, %3, %4 rank</source>
        <translation>%1, %2 Threads, %3, %4 Rank</translation>
    </message>
    <message>
        <source>%1, %2 threads, %3, %4 ranks</source>
        <translation>%1, %2 Threads, %3, %4 Ranks</translation>
    </message>
    <message>
        <source>%1 describes a model of %2 parameters: check its numbers</source>
        <translation>%1 beschreibt ein Modell mit %2 Parametern: seine Zahlen prüfen</translation>
    </message>
    <message>
        <source>the recipe</source>
        <translation>das Rezept</translation>
    </message>
    <message>
        <source>unknown dtype '%1'%2</source>
        <translation>unbekannter dtype '%1'%2</translation>
    </message>
    <message>
        <source>Largest Layer</source>
        <translation>Größter Layer</translation>
    </message>
    <message>
        <source>Total Size</source>
        <translation>Gesamtgröße</translation>
    </message>
    <message>
        <source>Training using Adam</source>
        <translation>Training mit Adam</translation>
    </message>
    <message>
        <source>Memory Usage for loading `%1`</source>
        <translation>Speicherbedarf beim Laden von `%1`</translation>
    </message>
    <message>
        <source>%1 is a convolutional network: its training memory depends on the size of the pictures and is not estimated; only loading it is</source>
        <translation>%1 ist ein Faltungsnetz: Sein Speicherbedarf beim Training hängt von der Größe der Bilder ab und wird nicht geschätzt, nur der beim Laden</translation>
    </message>
    <message>
        <source>%1 has no numbered layers with matrices: its training memory cannot be estimated</source>
        <translation>%1 hat keine nummerierten Layer mit Matrizen: Der Speicherbedarf beim Training kann nicht geschätzt werden</translation>
    </message>
    <message>
        <source>a model by numbers needs layers, hidden size, heads that divide it, and a vocabulary of at least 1</source>
        <translation>ein Modell aus Zahlen braucht Layer, Hidden Size, Heads, die sie teilen, und ein Vokabular von mindestens 1</translation>
    </message>
    <message>
        <source>%1 parameters do not go with %2 layers of width %3 and a vocabulary of %4: check the numbers</source>
        <translation>%1 Parameter passen nicht zu %2 Layern der Breite %3 und einem Vokabular von %4: die Zahlen prüfen</translation>
    </message>
    <message>
        <source>%1 is no file or folder here: name a recipe, a config.json, a safetensors file or the folder of a model</source>
        <translation>%1 ist hier weder Datei noch Ordner: ein Rezept, eine config.json, eine safetensors-Datei oder den Ordner eines Modells nennen</translation>
    </message>
    <message>
        <source>1 micro-batch</source>
        <translation>1 Micro-Batch</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 Micro-Batches</translation>
    </message>
    <message>
        <source>%1 over %2 stages (blocks %3), %4: idle for %5 % of a step, keeps up to %6</source>
        <translation>%1 über %2 Stufen (Blöcke %3), %4: %5 % eines Schritts im Leerlauf, hält bis zu %6</translation>
    </message>
    <message>
        <source>a host needs %1 for what is offloaded and has %2: %3 short</source>
        <translation>ein Host braucht %1 für das Ausgelagerte und hat %2: %3 zu wenig</translation>
    </message>
    <message>
        <source>a rank needs %1 of %2, most of it for %3 (%4)</source>
        <translation>ein Rank braucht %1 von %2, das meiste davon für %3 (%4)</translation>
    </message>
    <message>
        <source>a rank needs %1 of %2, most of it for %3 (%4), and %5</source>
        <translation>ein Rank braucht %1 von %2, das meiste davon für %3 (%4), und %5</translation>
    </message>
    <message>
        <source>%1; %2 %3 is enough</source>
        <translation>%1; %2 %3 genügt</translation>
    </message>
    <message>
        <source>%1; no single change is enough, %2 devices with zero_stage %3, tp %4 and pp %5 are</source>
        <translation>%1; keine einzelne Änderung genügt, wohl aber %2 Geräte mit zero_stage %3, tp %4 und pp %5</translation>
    </message>
    <message>
        <source>%1; no single change is enough, and no layout of these devices</source>
        <translation>%1; weder eine einzelne Änderung noch eine Aufteilung auf diese Geräte genügt</translation>
    </message>
    <message>
        <source>4 bytes * %1 parameters * %2 averages</source>
        <translation>4 Bytes * %1 Parameter * %2 Mittelwerte</translation>
    </message>
    <message>
        <source>weights and optimizer state are copied, and training goes on</source>
        <translation>Gewichte und Optimizer-Zustand werden kopiert, das Training läuft weiter</translation>
    </message>
    <message>
        <source>measured on the CPU (packaging/bench estimate)</source>
        <translation>gemessen auf der CPU (packaging/bench estimate)</translation>
    </message>
    <message>
        <source>code and buffers of 16-bit products</source>
        <translation>Code und Puffer der 16-Bit-Produkte</translation>
    </message>
    <message>
        <source>connections to the other ranks</source>
        <translation>Verbindungen zu den anderen Ranks</translation>
    </message>
    <message>
        <source>measured by runs on this processor</source>
        <translation>gemessen von Läufen auf diesem Prozessor</translation>
    </message>
    <message>
        <source>measured on the CPU</source>
        <translation>gemessen auf der CPU</translation>
    </message>
    <message>
        <source>program, LibTorch, threads</source>
        <translation>Programm, LibTorch, Threads</translation>
    </message>
    <message>
        <source>/ %1 ranks</source>
        <translation>/ %1 Ranks</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters%3 + %4 * %5 of LoRA</source>
        <translation>%1 Bytes * %2 Parameter%3 + %4 * %5 für LoRA</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters%3</source>
        <translation>%1 Bytes * %2 Parameter%3</translation>
    </message>
    <message>
        <source>number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Rajbhandari et al., "ZeRO", 2020; Zhao et al., "FSDP", 2023</source>
        <translation>Rajbhandari et al., "ZeRO", 2020; Zhao et al., "FSDP", 2023</translation>
    </message>
    <message>
        <source>%1 bytes * (%2 gathered layers of %3 + embedding and head %4)</source>
        <translation>%1 Bytes * (%2 gesammelte Layer von %3 + Embedding und Kopf %4)</translation>
    </message>
    <message>
        <source>one layer in use, one fetched ahead</source>
        <translation>ein Layer in Gebrauch, einer vorab geholt</translation>
    </message>
    <message>
        <source>%1 bytes * (%2 layers of %3 + %4)</source>
        <translation>%1 Bytes * (%2 Layer von %3 + %4)</translation>
    </message>
    <message>
        <source>mixed precision (Micikevicius et al., 2018)</source>
        <translation>gemischte Präzision (Micikevicius et al., 2018)</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters</source>
        <translation>%1 Bytes * %2 Parameter</translation>
    </message>
    <message>
        <source>quantised weights are restored layer by layer</source>
        <translation>quantisierte Gewichte werden Layer für Layer wiederhergestellt</translation>
    </message>
    <message>
        <source>%1 bytes * %2 layers of %3</source>
        <translation>%1 Bytes * %2 Layer von %3</translation>
    </message>
    <message>
        <source>%1 bytes * (largest layer %2 + embedding and head %3) that are trained</source>
        <translation>%1 Bytes * (größter Layer %2 + Embedding und Kopf %3), soweit trainiert</translation>
    </message>
    <message>
        <source>one value per trained parameter</source>
        <translation>ein Wert pro trainiertem Parameter</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters%3</source>
        <translation>%1 Bytes * %2 trainierte Parameter%3</translation>
    </message>
    <message>
        <source>embedding %1 + 3 buckets of %2</source>
        <translation>Embedding %1 + 3 Buckets von %2</translation>
    </message>
    <message>
        <source>+ 4 of the master</source>
        <translation>+ 4 der Master-Kopie</translation>
    </message>
    <message>
        <source>%1 bytes + 4 of the master * %2 trained parameters%3</source>
        <translation>%1 Bytes + 4 des Masters * %2 trainierte Parameter%3</translation>
    </message>
    <message>
        <source>%1 bytes%2 * %3 trained parameters%4</source>
        <translation>%1 Bytes%2 * %3 trainierte Parameter%4</translation>
    </message>
    <message>
        <source>%1 bytes * %2 elements of optimizer state in two slices</source>
        <translation>%1 Bytes * %2 Elemente des Optimizer-Zustands in zwei Abschnitten</translation>
    </message>
    <message>
        <source>Ren et al., "ZeRO-Offload", 2021</source>
        <translation>Ren et al., "ZeRO-Offload", 2021</translation>
    </message>
    <message>
        <source>gradients are copied to where the optimizer is</source>
        <translation>Gradienten werden dorthin kopiert, wo der Optimizer ist</translation>
    </message>
    <message>
        <source>Rajbhandari et al., "ZeRO-Infinity", 2021</source>
        <translation>Rajbhandari et al., "ZeRO-Infinity", 2021</translation>
    </message>
    <message>
        <source>two layers on their way from the disk</source>
        <translation>zwei Layer auf dem Weg von der Platte</translation>
    </message>
    <message>
        <source>the state of two layers on its way from the disk</source>
        <translation>der Zustand zweier Layer auf dem Weg von der Platte</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters + %3 * %4 frozen ones in memory</source>
        <translation>%1 Bytes * %2 trainierte Parameter + %3 * %4 eingefrorene im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>%1 bytes * %2 trained parameters</source>
        <translation>%1 Bytes * %2 trainierte Parameter</translation>
    </message>
    <message>
        <source>%1 bytes * (layer in use %2 + layer or head that is read ahead %3) + %4 of pages</source>
        <translation>%1 Bytes * (Schicht in Gebrauch %2 + vorausgelesene Schicht oder Kopf %3) + %4 an Seiten</translation>
    </message>
    <message>
        <source>%1 bytes * %2 parameters that the device map leaves on disk</source>
        <translation>%1 Bytes * %2 Parameter, die die Device-Map auf der Platte lässt</translation>
    </message>
    <message>
        <source>what the operations of a block save, by its matrices and norms</source>
        <translation>was die Operationen eines Blocks aufbewahren, nach seinen Matrizen und Normen</translation>
    </message>
    <message>
        <source>%1 tokens * %2 micro-batches * %3 bytes of %4 blocks</source>
        <translation>%1 Tokens * %2 Micro-Batches * %3 Bytes von %4 Blöcken</translation>
    </message>
    <message>
        <source>transformers computes the loss in fp32</source>
        <translation>transformers berechnet den Loss in fp32</translation>
    </message>
    <message>
        <source>%1 rows * %2 bytes + %3 tokens * %4 around the head; the blocks need %5 after that</source>
        <translation>%1 Zeilen * %2 Bytes + %3 Tokens * %4 rund um den Kopf; die Blöcke brauchen danach %5</translation>
    </message>
    <message>
        <source>gradients of one block's activations during backward</source>
        <translation>Gradienten der Aktivierungen eines Blocks im Rückwärtsdurchlauf</translation>
    </message>
    <message>
        <source>%1 tokens * %2 bytes; the head needs %3 before that</source>
        <translation>%1 Tokens * %2 Bytes; der Kopf braucht davor %3</translation>
    </message>
    <message>
        <source>Chen et al., 2016; Korthikanti et al., 2022</source>
        <translation>Chen et al., 2016; Korthikanti et al., 2022</translation>
    </message>
    <message>
        <source>%1 tokens * %2 bytes of one whole block that is computed again</source>
        <translation>%1 Tokens * %2 Bytes eines ganzen Blocks, der neu berechnet wird</translation>
    </message>
    <message>
        <source>CUDA caching allocator: large blocks are multiples of 2 MiB</source>
        <translation>CUDA-Caching-Allocator: große Blöcke sind Vielfache von 2 MiB</translation>
    </message>
    <message>
        <source>1 MiB on average * %1 tensors</source>
        <translation>1 MiB im Mittel * %1 Tensoren</translation>
    </message>
    <message>
        <source>a pipeline of %1 layers cannot be planned: at most %2</source>
        <translation>eine Pipeline aus %1 Layern lässt sich nicht planen: höchstens %2</translation>
    </message>
    <message>
        <source>two fp32 moments (Kingma and Ba, 2015; Loshchilov and Hutter, 2019)</source>
        <translation>zwei fp32-Momente (Kingma und Ba, 2015; Loshchilov und Hutter, 2019)</translation>
    </message>
    <message>
        <source>two moments of 8 bits with an fp32 scale per 256 values (Dettmers et al., 2022)</source>
        <translation>zwei 8-Bit-Momente mit einer fp32-Skalierung je 256 Werte (Dettmers et al., 2022)</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>kein Zustand</translation>
    </message>
    <message>
        <source>one fp32 momentum</source>
        <translation>ein fp32-Momentum</translation>
    </message>
    <message>
        <source>one fp32 momentum (Chen et al., 2023)</source>
        <translation>ein fp32-Momentum (Chen et al., 2023)</translation>
    </message>
    <message>
        <source>one fp32 sum of squares (Duchi et al., 2011)</source>
        <translation>eine fp32-Quadratsumme (Duchi et al., 2011)</translation>
    </message>
    <message>
        <source>one fp32 mean of squares</source>
        <translation>ein fp32-Mittel der Quadrate</translation>
    </message>
    <message>
        <source>means of rows and columns, no first moment (Shazeer and Stern, 2018); an upper bound for matrices of at least 160 rows and columns</source>
        <translation>Mittel von Zeilen und Spalten, kein erstes Moment (Shazeer und Stern, 2018); eine Obergrenze für Matrizen mit mindestens 160 Zeilen und Spalten</translation>
    </message>
    <message>
        <source>two fp32 moments</source>
        <translation>zwei fp32-Momente</translation>
    </message>
    <message>
        <source>an fp32 moment and an fp32 maximum</source>
        <translation>ein fp32-Moment und ein fp32-Maximum</translation>
    </message>
    <message>
        <source>fp32 means of squares of gradients and of steps</source>
        <translation>fp32-Mittel der Quadrate von Gradienten und Schritten</translation>
    </message>
    <message>
        <source>the last gradient and a step size, fp32</source>
        <translation>der letzte Gradient und eine Schrittweite, fp32</translation>
    </message>
    <message>
        <source>an fp32 average</source>
        <translation>ein fp32-Mittelwert</translation>
    </message>
    <message>
        <source>one fp32 momentum (Jordan et al., 2024)</source>
        <translation>ein fp32-Momentum (Jordan et al., 2024)</translation>
    </message>
    <message>
        <source>an fp32 sequence and an fp32 moment (Defazio et al., 2024)</source>
        <translation>eine fp32-Folge und ein fp32-Moment (Defazio et al., 2024)</translation>
    </message>
    <message>
        <source>an fp32 sequence (Defazio et al., 2024)</source>
        <translation>eine fp32-Folge (Defazio et al., 2024)</translation>
    </message>
    <message>
        <source>no state (Lv et al., 2024)</source>
        <translation>kein Zustand (Lv et al., 2024)</translation>
    </message>
    <message>
        <source>means of rows and columns (Lv et al., 2024); an upper bound for matrices of at least 160 rows and columns</source>
        <translation>Mittel von Zeilen und Spalten (Lv et al., 2024); eine Obergrenze für Matrizen mit mindestens 160 Zeilen und Spalten</translation>
    </message>
    <message>
        <source>samples of a micro-batch of one rank</source>
        <translation>Samples eines Micro-Batches eines Ranks</translation>
    </message>
    <message>
        <source>tokens of a sample</source>
        <translation>Tokens eines Samples</translation>
    </message>
    <message>
        <source>micro-batches of a step</source>
        <translation>Micro-Batches eines Schritts</translation>
    </message>
    <message>
        <source>number format of products</source>
        <translation>Zahlenformat der Matrixprodukte</translation>
    </message>
    <message>
        <source>weights and gradients in 16 bits, fp32 masters with the optimizer</source>
        <translation>Gewichte und Gradienten in 16 Bit, fp32-Master beim Optimizer</translation>
    </message>
    <message>
        <source>what it keeps per parameter</source>
        <translation>was er pro Parameter aufbewahrt</translation>
    </message>
    <message>
        <source>ranks share out optimizer state (1), gradients (2), weights (3, FSDP)</source>
        <translation>Ranks teilen sich Optimizer-Zustand (1), Gradienten (2), Gewichte (3, FSDP)</translation>
    </message>
    <message>
        <source>activations that backward computes again</source>
        <translation>Aktivierungen, die der Rückwärtsdurchlauf neu berechnet</translation>
    </message>
    <message>
        <source>eager keeps the attention probabilities</source>
        <translation>eager hält die Attention-Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>logits in chunks of rows, as the engine does it</source>
        <translation>Logits in Stücken von Zeilen, wie es die Engine macht</translation>
    </message>
    <message>
        <source>where the optimizer state lies</source>
        <translation>wo der Optimizer-Zustand liegt</translation>
    </message>
    <message>
        <source>where the weights lie</source>
        <translation>wo die Gewichte liegen</translation>
    </message>
    <message>
        <source>LoRA on all matrices of blocks; 0: all weights are trained</source>
        <translation>LoRA auf allen Matrizen der Blöcke; 0: alle Gewichte werden trainiert</translation>
    </message>
    <message>
        <source>frozen weights in 4, 8 or 16 bits; 0: as trained ones</source>
        <translation>eingefrorene Gewichte in 4, 8 oder 16 Bit; 0: wie trainierte</translation>
    </message>
    <message>
        <source>averaged copies of the weights (EMA, SWA)</source>
        <translation>gemittelte Kopien der Gewichte (EMA, SWA)</translation>
    </message>
    <message>
        <source>checkpoints are written while training goes on</source>
        <translation>Checkpoints werden geschrieben, während das Training weiterläuft</translation>
    </message>
    <message>
        <source>order of micro-batches on pipeline stages</source>
        <translation>Reihenfolge der Micro-Batches auf den Pipeline-Stufen</translation>
    </message>
    <message>
        <source>ranks that ZeRO or FSDP shards over</source>
        <translation>Ranks, auf die ZeRO oder FSDP aufteilt</translation>
    </message>
    <message>
        <source>tensor parallel ranks</source>
        <translation>tensorparallele Ranks</translation>
    </message>
    <message>
        <source>context parallel ranks</source>
        <translation>kontextparallele Ranks</translation>
    </message>
    <message>
        <source>sequence parallel ranks (Ulysses)</source>
        <translation>sequenzparallele Ranks (Ulysses)</translation>
    </message>
    <message>
        <source>pipeline stages</source>
        <translation>Pipeline-Stufen</translation>
    </message>
    <message>
        <source>expert parallel ranks, of the data ranks</source>
        <translation>expertenparallele Ranks, von den Daten-Ranks</translation>
    </message>
    <message>
        <source>%1 is no value of a training setup%2</source>
        <translation>%1 ist kein Wert eines Trainings-Setups%2</translation>
    </message>
    <message>
        <source>%1 '%2': give one of %3</source>
        <translation>%1 '%2': eines von %3 angeben</translation>
    </message>
    <message>
        <source>%1 '%2': give a whole number from %3 to %4</source>
        <translation>%1 '%2': eine ganze Zahl von %3 bis %4 angeben</translation>
    </message>
    <message>
        <source>%1 '%2': give true or false</source>
        <translation>%1 '%2': true oder false angeben</translation>
    </message>
    <message>
        <source>tp %1 does not divide %2 heads: use %3</source>
        <translation>tp %1 teilt %2 Heads nicht: %3 verwenden</translation>
    </message>
    <message>
        <source>tp %1 does not divide %2 key and value heads: use %3</source>
        <translation>tp %1 teilt %2 Key- und Value-Heads nicht: %3 verwenden</translation>
    </message>
    <message>
        <source>sp %1 does not divide the %2 heads of a rank: use %3</source>
        <translation>sp %1 teilt die %2 Heads eines Ranks nicht: %3 verwenden</translation>
    </message>
    <message>
        <source>%1 pipeline stages cannot be cut from %2 layers: use at most %3</source>
        <translation>%1 Pipeline-Stufen lassen sich nicht aus %2 Layern bilden: höchstens %3 verwenden</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens cannot be divided among %2 ranks: use a multiple of %3</source>
        <translation>eine Sequenz von %1 Tokens lässt sich nicht auf %2 Ranks aufteilen: ein Vielfaches von %3 verwenden</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens is longer than the %2 positions of the model</source>
        <translation>eine Sequenz von %1 Tokens ist länger als die %2 Positionen des Modells</translation>
    </message>
    <message>
        <source>ep %1: the model has no experts, use 1</source>
        <translation>ep %1: Das Modell hat keine Experten, 1 verwenden</translation>
    </message>
    <message>
        <source>ep %1 does not divide %2 experts and %3 data ranks: use %4</source>
        <translation>ep %1 teilt nicht %2 Experten und %3 Daten-Ranks: %4 verwenden</translation>
    </message>
    <message>
        <source>offload_param: weights are offloaded with zero_stage 3 only</source>
        <translation>offload_param: Gewichte werden nur mit zero_stage 3 ausgelagert</translation>
    </message>
    <message>
        <source>weight_bits %1: weights of %2 bits cannot be trained, give lora_rank, too</source>
        <translation>weight_bits %1: Gewichte von %2 Bit können nicht trainiert werden, auch lora_rank angeben</translation>
    </message>
</context>
<context>
    <name>engine/formats</name>
    <message>
        <source>%1 is damaged at byte %2 (%3): what follows cannot be read</source>
        <translation>%1 ist bei Byte %2 beschädigt (%3): was folgt, ist nicht lesbar</translation>
    </message>
    <message>
        <source>length checksum</source>
        <translation>Prüfsumme der Länge</translation>
    </message>
    <message>
        <source>data checksum</source>
        <translation>Prüfsumme der Daten</translation>
    </message>
    <message>
        <source>%1 is gone: what was read of it stays</source>
        <translation>%1 ist nicht mehr da: was davon gelesen wurde, bleibt</translation>
    </message>
    <message>
        <source>libcurl is not installed (Debian: libcurl4), so models of a hub cannot be looked up</source>
        <translation>libcurl ist nicht installiert (Debian: libcurl4), deshalb können Modelle eines Hubs nicht nachgeschlagen werden</translation>
    </message>
    <message>
        <source>%1 holds no access token: a token is one word of ASCII characters</source>
        <translation>%1 enthält kein Zugriffstoken: ein Token ist ein einzelnes Wort aus ASCII-Zeichen</translation>
    </message>
    <message>
        <source>HF_ENDPOINT must be the address of a hub, such as https://huggingface.co</source>
        <translation>HF_ENDPOINT muss die Adresse eines Hubs sein, z. B. https://huggingface.co</translation>
    </message>
    <message>
        <source>cannot make %1: %2</source>
        <translation>%1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and models are not looked up on a hub while HF_HUB_OFFLINE is set</source>
        <translation>%1 ist hier weder Datei noch Ordner, und Modelle werden nicht auf einem Hub nachgeschlagen, solange HF_HUB_OFFLINE gesetzt ist</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and %2 cannot be asked for a model of that name (%3): name a recipe, a config.json, weights or the folder of a model</source>
        <translation>%1 ist hier weder Datei noch Ordner, und %2 kann nicht nach einem Modell dieses Namens gefragt werden (%3): ein Rezept, eine config.json, Gewichte oder den Ordner eines Modells angeben</translation>
    </message>
    <message>
        <source>%1 is no file or folder here, and %2 has no model of that name for everybody: check the name, or set HF_TOKEN to a token that may read it</source>
        <translation>%1 ist hier weder Datei noch Ordner, und %2 hat kein allgemein zugängliches Modell dieses Namens: Namen prüfen oder HF_TOKEN auf ein Token setzen, das es lesen darf</translation>
    </message>
    <message>
        <source>%1 answered with status %2 when it was asked for %3 of %4: try again later</source>
        <translation>%1 antwortete mit Status %2 auf die Frage nach %3 von %4: später erneut versuchen</translation>
    </message>
    <message>
        <source>%1 of %2 is larger than such a file can be (%3 bytes)</source>
        <translation>%1 von %2 ist größer, als eine solche Datei sein kann (%3 Bytes)</translation>
    </message>
    <message>
        <source>%1 of %2 did not arrive whole from %3: try again</source>
        <translation>%1 von %2 kam nicht vollständig von %3 an: erneut versuchen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>the header of %1 did not arrive whole from %2: try again</source>
        <translation>der Header von %1 kam nicht vollständig von %2 an: erneut versuchen</translation>
    </message>
    <message>
        <source>%1 on %2 has no weights of safetensors</source>
        <translation>%1 auf %2 hat keine Gewichte im Format safetensors</translation>
    </message>
    <message>
        <source>%1 on %2 has no config.json and no weights of safetensors, or there is no model of that name</source>
        <translation>%1 auf %2 hat keine config.json und keine Gewichte im Format safetensors, oder es gibt kein Modell dieses Namens</translation>
    </message>
    <message>
        <source>%1 of %2 names no files of weights, or more than %3</source>
        <translation>%1 von %2 nennt keine Dateien mit Gewichten oder mehr als %3</translation>
    </message>
    <message>
        <source>%1 on %2 lacks %3, which its index names</source>
        <translation>bei %1 auf %2 fehlt %3, das sein Index nennt</translation>
    </message>
    <message>
        <source>%1 holds no array</source>
        <translation>%1 enthält kein Array</translation>
    </message>
    <message>
        <source>%1 has no array '%2'%3</source>
        <translation>%1 enthält kein Array '%2'%3</translation>
    </message>
    <message>
        <source>%1: '%2' is a single number without rows: name the arrays that you want</source>
        <translation>%1: '%2' ist eine einzelne Zahl ohne Zeilen: die gewünschten Arrays angeben</translation>
    </message>
    <message>
        <source>%1: '%2' has %3 rows and '%4' has %5: name the arrays that belong together</source>
        <translation>%1: '%2' hat %3 Zeilen und '%4' hat %5: die zusammengehörigen Arrays angeben</translation>
    </message>
    <message>
        <source>%1 is of type %2, which is not supported for data: name the tensors to read</source>
        <translation>%1 ist vom Typ %2, der für Daten nicht unterstützt wird: die zu lesenden Tensoren angeben</translation>
    </message>
    <message>
        <source>%1: tensor '%2'</source>
        <translation>%1: Tensor '%2'</translation>
    </message>
    <message>
        <source>an unknown error</source>
        <translation>ein unbekannter Fehler</translation>
    </message>
    <message>
        <source>column '%1': %2</source>
        <translation>Spalte '%1': %2</translation>
    </message>
    <message>
        <source>column '%1' is of Arrow's type '%2' inside of a list, which cannot be read: name the columns that you want</source>
        <translation>Spalte '%1' ist innerhalb einer Liste vom Arrow-Typ '%2', der nicht lesbar ist: die gewünschten Spalten angeben</translation>
    </message>
    <message>
        <source>column '%1' is of Arrow's type '%2', which cannot be read: name the columns that you want</source>
        <translation>Spalte '%1' ist vom Arrow-Typ '%2', der nicht lesbar ist: die gewünschten Spalten angeben</translation>
    </message>
    <message>
        <source>column '%1' refers to value %2 of a dictionary of %3: the file is damaged</source>
        <translation>Spalte '%1' verweist auf Wert %2 eines Wörterbuchs von %3: Die Datei ist beschädigt</translation>
    </message>
    <message>
        <source>column '%1' has a list outside of its values: the file is damaged</source>
        <translation>Spalte '%1' hat eine Liste außerhalb ihrer Werte: Die Datei ist beschädigt</translation>
    </message>
    <message>
        <source>it was not built</source>
        <translation>es wurde nicht gebaut</translation>
    </message>
    <message>
        <source>it has no entry</source>
        <translation>es hat keinen Einsprungpunkt</translation>
    </message>
    <message>
        <source>%1 is of another version of Trainyard</source>
        <translation>%1 gehört zu einer anderen Version von Trainyard</translation>
    </message>
    <message>
        <source>%1: Parquet and Arrow files need the Arrow plug-in, which cannot be used here (%2): run packaging/pyarrow and build again, or name its file in TRAINYARD_ARROW_PLUGIN</source>
        <translation>%1: Parquet- und Arrow-Dateien brauchen das Arrow-Plug-in, das hier nicht verwendbar ist (%2): packaging/pyarrow ausführen und neu bauen oder seine Datei in TRAINYARD_ARROW_PLUGIN angeben</translation>
    </message>
    <message>
        <source>%1 claims %2 rows in group %3: it is damaged</source>
        <translation>%1 gibt %2 Zeilen in Gruppe %3 an: beschädigt</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1 was changed while it was being read: start again with a file that stays as it is</source>
        <translation>%1 wurde beim Lesen geändert: mit einer Datei neu beginnen, die unverändert bleibt</translation>
    </message>
    <message>
        <source>%1: its rows %2 to %3 cannot be read: %4</source>
        <translation>%1: Die Zeilen %2 bis %3 sind nicht lesbar: %4</translation>
    </message>
    <message>
        <source>%1: its rows %2 to %3 cannot be read: there are %4 of them</source>
        <translation>%1: Die Zeilen %2 bis %3 sind nicht lesbar: Es sind %4</translation>
    </message>
    <message>
        <source>%1: column '%2', row %3, which is row %4 of row group %5: %6: write the column as UTF-8, or as binary if it is not text</source>
        <translation>%1: Spalte '%2', Zeile %3, das ist Zeile %4 der Zeilengruppe %5: %6: die Spalte als UTF-8 schreiben, oder als Binärdaten, wenn sie kein Text ist</translation>
    </message>
    <message>
        <source>%1: column '%2', row %3, which is row %4 of record batch %5: %6: write the column as UTF-8, or as binary if it is not text</source>
        <translation>%1: Spalte '%2', Zeile %3, das ist Zeile %4 des Record-Batch %5: %6: die Spalte als UTF-8 schreiben, oder als Binärdaten, wenn sie kein Text ist</translation>
    </message>
    <message>
        <source>%1 has %2 rows, and reading was to go on at row %3: it is not the file that the position is of</source>
        <translation>%1 hat %2 Zeilen, das Lesen sollte bei Zeile %3 fortgesetzt werden: Es ist nicht die Datei, zu der die Position gehört</translation>
    </message>
    <message>
        <source>the separator of a CSV file is a quote or a line end: choose a comma, ';', '|' or a tabulator</source>
        <translation>das Trennzeichen einer CSV-Datei ist ein Anführungszeichen oder Zeilenende: Komma, ';', '|' oder Tabulator wählen</translation>
    </message>
    <message>
        <source>%1 fields, the file has %2 columns</source>
        <translation>%1 Felder, die Datei hat %2 Spalten</translation>
    </message>
    <message>
        <source>column '%1' is %2 as was asked for and '%3' is none: mend the value or ask for another type</source>
        <translation>Spalte '%1' ist wie verlangt %2, '%3' aber nicht: den Wert korrigieren oder einen anderen Typ verlangen</translation>
    </message>
    <message>
        <source>column '%1' is %2 by the first %3 rows and '%4' is none: give its type (types: {%5: text}) or infer from more rows</source>
        <translation>Spalte '%1' ist nach den ersten %3 Zeilen %2, '%4' aber nicht: den Typ angeben (types: {%5: text}) oder aus mehr Zeilen ableiten</translation>
    </message>
    <message>
        <source>%1 is empty: a CSV file begins with the names of its columns</source>
        <translation>%1 ist leer: Eine CSV-Datei beginnt mit den Namen ihrer Spalten</translation>
    </message>
    <message>
        <source>Unnamed: %1</source>
        <translation>Unnamed: %1</translation>
    </message>
    <message>
        <source>column '%1' is there twice: give other names</source>
        <translation>Spalte '%1' kommt doppelt vor: andere Namen vergeben</translation>
    </message>
    <message>
        <source>%1 has %2 columns and %3 names were given</source>
        <translation>%1 hat %2 Spalten, angegeben wurden %3 Namen</translation>
    </message>
    <message>
        <source>%1 has no column '%2', whose type was given%3</source>
        <translation>%1 hat keine Spalte '%2', deren Typ angegeben wurde%3</translation>
    </message>
    <message>
        <source>the quote that opens this field is not closed</source>
        <translation>das Anführungszeichen, das dieses Feld öffnet, wird nicht geschlossen</translation>
    </message>
    <message>
        <source>text behind the quote that closes a field: double quotes inside of a field</source>
        <translation>Text hinter dem schließenden Anführungszeichen eines Feldes: Anführungszeichen innerhalb eines Feldes verdoppeln</translation>
    </message>
    <message>
        <source>a quote inside of a field without quotes: put the field in quotes and double this one</source>
        <translation>Anführungszeichen in einem Feld ohne Anführungszeichen: das Feld in Anführungszeichen setzen und dieses verdoppeln</translation>
    </message>
    <message>
        <source>a line end inside of a field without quotes: put the field in quotes, or end all lines in the same way</source>
        <translation>ein Zeilenende in einem Feld ohne Anführungszeichen: das Feld in Anführungszeichen setzen oder alle Zeilen gleich beenden</translation>
    </message>
    <message>
        <source>%1 is more than 32 folders deep: is there a circle of links?</source>
        <translation>%1 ist mehr als 32 Ordner tief: Bilden Links einen Kreis?</translation>
    </message>
    <message>
        <source>%1 cannot be read as an image: %2</source>
        <translation>%1 ist nicht als Bild lesbar: %2</translation>
    </message>
    <message>
        <source>it claims %1 x %2 pixels, more than the %3 that are allowed</source>
        <translation>es gibt %1 x %2 Pixel an, mehr als die erlaubten %3</translation>
    </message>
    <message>
        <source>it is neither PNG nor JPEG</source>
        <translation>es ist weder PNG noch JPEG</translation>
    </message>
    <message>
        <source>it has %1</source>
        <translation>es hat %1</translation>
    </message>
    <message>
        <source>cannot read the images of %1: %2</source>
        <translation>die Bilder in %1 sind nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1 has no sub-folders: put the images of each class in a folder with the class's name</source>
        <translation>%1 hat keine Unterordner: die Bilder jeder Klasse in einen Ordner mit dem Namen der Klasse legen</translation>
    </message>
    <message>
        <source>%1: there is no image (.png .jpg .jpeg) in the class folder %2</source>
        <translation>%1: Im Klassenordner %2 gibt es kein Bild (.png .jpg .jpeg)</translation>
    </message>
    <message>
        <source>%1: there is no image (.png .jpg .jpeg) in the class folders %2</source>
        <translation>%1: In den Klassenordnern %2 gibt es kein Bild (.png .jpg .jpeg)</translation>
    </message>
    <message>
        <source>its colours are of an unknown kind</source>
        <translation>die Farben sind von unbekannter Art</translation>
    </message>
    <message>
        <source>a picture of %1 x %2 pixels and %3 channels cannot be written as PNG: give it 1 or 3 channels, and at least one pixel</source>
        <translation>ein Bild mit %1 x %2 Pixeln und %3 Kanälen kann nicht als PNG geschrieben werden: 1 oder 3 Kanäle und mindestens ein Pixel verwenden</translation>
    </message>
    <message>
        <source>a picture cannot be written as PNG: %1</source>
        <translation>ein Bild kann nicht als PNG geschrieben werden: %1</translation>
    </message>
    <message>
        <source>this line begins a list, and JSON Lines has an object in each line: write one object per line</source>
        <translation>diese Zeile beginnt eine Liste, und JSON Lines hat in jeder Zeile ein Objekt: ein Objekt je Zeile schreiben</translation>
    </message>
    <message>
        <source>this line is not valid JSON: %1</source>
        <translation>diese Zeile ist kein gültiges JSON: %1</translation>
    </message>
    <message>
        <source>this line is not a JSON object ({...})</source>
        <translation>diese Zeile ist kein JSON-Objekt ({...})</translation>
    </message>
    <message>
        <source>%1: the member '%2' inside of an object has the name of another one: name the columns that you want</source>
        <translation>%1: Das Feld '%2' innerhalb eines Objekts hat den Namen eines anderen: die gewünschten Spalten angeben</translation>
    </message>
    <message>
        <source>%1 has no member '%2', whose type was given%3</source>
        <translation>%1 hat kein Feld '%2', dessen Typ angegeben wurde%3</translation>
    </message>
    <message>
        <source>%1 has no member '%2' in its first %3 rows%4</source>
        <translation>%1 hat in den ersten %3 Zeilen kein Feld '%2'%4</translation>
    </message>
    <message>
        <source>the member '%1' is in none of the first %2 rows: name the columns that you want or infer from more rows</source>
        <translation>das Feld '%1' kommt in den ersten %2 Zeilen nicht vor: die gewünschten Spalten angeben oder aus mehr Zeilen ableiten</translation>
    </message>
    <message>
        <source>the member '%1' is an object in the first %2 rows and none here</source>
        <translation>das Feld '%1' ist in den ersten %2 Zeilen ein Objekt und hier keines</translation>
    </message>
    <message>
        <source>the member '%1' is there twice</source>
        <translation>das Feld '%1' kommt doppelt vor</translation>
    </message>
    <message>
        <source>the member '%1' is a list of %2 as was asked for and is not here: mend the value or ask for another type</source>
        <translation>das Feld '%1' ist wie verlangt eine Liste von %2, hier aber nicht: den Wert korrigieren oder einen anderen Typ verlangen</translation>
    </message>
    <message>
        <source>the member '%1' is a list of %2 by the first %3 rows and is not here: give its type (types: {%4: float64}) or infer from more rows</source>
        <translation>das Feld '%1' ist nach den ersten %3 Zeilen eine Liste von %2, hier aber nicht: den Typ angeben (types: {%4: float64}) oder aus mehr Zeilen ableiten</translation>
    </message>
    <message>
        <source>the member '%1' is %2 as was asked for and is not here: mend the value or ask for another type</source>
        <translation>das Feld '%1' ist wie verlangt %2, hier aber nicht: den Wert korrigieren oder einen anderen Typ verlangen</translation>
    </message>
    <message>
        <source>the member '%1' is %2 by the first %3 rows and is not here: give its type (types: {%4: float64}) or infer from more rows</source>
        <translation>das Feld '%1' ist nach den ersten %3 Zeilen %2, hier aber nicht: den Typ angeben (types: {%4: float64}) oder aus mehr Zeilen ableiten</translation>
    </message>
    <message>
        <source>'%1' does not split data: give up to three numbers for training, validation and test, e.g. 969,30,1</source>
        <translation>'%1' teilt keine Daten auf: bis zu drei Zahlen für Training, Validierung und Test angeben, z. B. 969,30,1</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 have no tokens</source>
        <translation>%1: Die Sequenzen %2 bis %3 haben keine Tokens</translation>
    </message>
    <message>
        <source>%1 samples need %2 epochs of %3: ask for fewer</source>
        <translation>%1 Samples brauchen %2 Epochen von %3: weniger verlangen</translation>
    </message>
    <message>
        <source>%1: sequences %2 to %3 have %4 tokens, too few for one sample of %5: add data or shorten the samples</source>
        <translation>%1: Die Sequenzen %2 bis %3 haben %4 Tokens, zu wenige für ein Sample von %5: Daten hinzufügen oder die Samples verkürzen</translation>
    </message>
    <message>
        <source>%1 is not a valid weight of a data set: give numbers of at least 0</source>
        <translation>%1 ist kein gültiges Gewicht eines Datensatzes: Zahlen ab 0 angeben</translation>
    </message>
    <message>
        <source>the weights of a blend of data sets have no sum above 0: give each set a weight</source>
        <translation>die Gewichte einer Mischung von Datensätzen haben keine Summe über 0: jedem Datensatz ein Gewicht geben</translation>
    </message>
    <message>
        <source>%1 is not a valid index of an indexed set: %2</source>
        <translation>%1 ist kein gültiger Index eines indizierten Datensatzes: %2</translation>
    </message>
    <message>
        <source>it does not begin with MMIDIDX (older kinds of indexes cannot be read: write the set again)</source>
        <translation>er beginnt nicht mit MMIDIDX (ältere Arten von Indizes sind nicht lesbar: den Datensatz neu schreiben)</translation>
    </message>
    <message>
        <source>it is of version %1, known is 1</source>
        <translation>er hat Version %1, bekannt ist 1</translation>
    </message>
    <message>
        <source>its type code is %1, known are 1 to 8</source>
        <translation>sein Typcode ist %1, bekannt sind 1 bis 8</translation>
    </message>
    <message>
        <source>it claims %1 sequences and %2 documents, too many for its %3 bytes</source>
        <translation>er gibt %1 Sequenzen und %2 Dokumente an, zu viele für seine %3 Bytes</translation>
    </message>
    <message>
        <source>%1 bytes stand behind its last number</source>
        <translation>%1 Bytes stehen hinter seiner letzten Zahl</translation>
    </message>
    <message>
        <source>%1: sequence %2 (%3 tokens at byte %4) does not lie in the %5 bytes of %6: one of the two files is cut off or belongs to another set</source>
        <translation>%1: Sequenz %2 (%3 Tokens ab Byte %4) liegt nicht in den %5 Bytes von %6: Eine der beiden Dateien ist abgeschnitten oder gehört zu einem anderen Datensatz</translation>
    </message>
    <message>
        <source>document %1 begins at sequence %2, which is none of its %3</source>
        <translation>Dokument %1 beginnt bei Sequenz %2, vorhanden sind nur %3</translation>
    </message>
    <message>
        <source>%1 holds %2 numbers, and tokens are whole ones</source>
        <translation>%1 enthält %2-Zahlen, Tokens sind aber ganze Zahlen</translation>
    </message>
    <message>
        <source>an indexed set of %1 cannot be written: tokens are uint8, int8, int16, uint16, int32 or int64</source>
        <translation>ein indizierter Datensatz aus %1 kann nicht geschrieben werden: Tokens sind uint8, int8, int16, uint16, int32 oder int64</translation>
    </message>
    <message>
        <source>a sequence of %1 tokens is too long for an indexed set</source>
        <translation>eine Sequenz von %1 Tokens ist zu lang für einen indizierten Datensatz</translation>
    </message>
    <message>
        <source>token %1 does not fit %2: choose a wider type for %3</source>
        <translation>Token %1 passt nicht in %2: für %3 einen breiteren Typ wählen</translation>
    </message>
    <message>
        <source>Wall time</source>
        <translation>Wall time</translation>
    </message>
    <message>
        <source>%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n</source>
        <translation>%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n</translation>
    </message>
    <message>
        <source>it holds structures (records with named fields): store each field as an array of its own</source>
        <translation>enthält Strukturen (Datensätze mit benannten Feldern): jedes Feld als eigenes Array speichern</translation>
    </message>
    <message>
        <source>its header has an entry '%1' that does not belong there</source>
        <translation>der Header hat einen Eintrag '%1', der dort nicht hingehört</translation>
    </message>
    <message>
        <source>its header is not a dictionary</source>
        <translation>der Header ist kein Dictionary</translation>
    </message>
    <message>
        <source>there is text behind its header</source>
        <translation>hinter dem Header steht Text</translation>
    </message>
    <message>
        <source>its header lacks one of descr, fortran_order and shape</source>
        <translation>im Header fehlt descr, fortran_order oder shape</translation>
    </message>
    <message>
        <source>%1 is not a valid array file: %2</source>
        <translation>%1 ist keine gültige Array-Datei: %2</translation>
    </message>
    <message>
        <source>its header is not a dictionary with text keys</source>
        <translation>der Header ist kein Dictionary mit Textschlüsseln</translation>
    </message>
    <message>
        <source>a text in its header is not closed</source>
        <translation>ein Text im Header ist nicht geschlossen</translation>
    </message>
    <message>
        <source>a text in its header has an escape</source>
        <translation>ein Text im Header enthält eine Escape-Sequenz</translation>
    </message>
    <message>
        <source>fortran_order is neither True nor False</source>
        <translation>fortran_order ist weder True noch False</translation>
    </message>
    <message>
        <source>a number of its shape is too large</source>
        <translation>eine Zahl der Form ist zu groß</translation>
    </message>
    <message>
        <source>its shape is not a tuple of numbers</source>
        <translation>die Form ist kein Tupel von Zahlen</translation>
    </message>
    <message>
        <source>it has more than 64 dimensions</source>
        <translation>es sind mehr als 64 Dimensionen</translation>
    </message>
    <message>
        <source>it holds Python objects, which cannot be read without running them: store numbers</source>
        <translation>enthält Python-Objekte, die sich nicht lesen lassen, ohne sie auszuführen: Zahlen speichern</translation>
    </message>
    <message>
        <source>its type is '%1': numbers (b1, i1-i8, u1-u8, f2-f8) can be read</source>
        <translation>der Typ ist '%1': Lesbar sind Zahlen (b1, i1-i8, u1-u8, f2-f8)</translation>
    </message>
    <message>
        <source>%1 is not a NumPy array: %2</source>
        <translation>%1 ist kein NumPy-Array: %2</translation>
    </message>
    <message>
        <source>it does not begin as one</source>
        <translation>der Anfang ist nicht der eines Arrays</translation>
    </message>
    <message>
        <source>it is of an unknown version</source>
        <translation>die Version ist unbekannt</translation>
    </message>
    <message>
        <source>its header claims more than a megabyte</source>
        <translation>der Header gibt mehr als ein Megabyte an</translation>
    </message>
    <message>
        <source>%1 is compressed and needs %2 bytes of memory, more than memory_limit: store it with numpy.savez, which is read in pieces</source>
        <translation>%1 ist komprimiert und braucht %2 Bytes Speicher, mehr als memory_limit: mit numpy.savez speichern, das stückweise gelesen wird</translation>
    </message>
    <message>
        <source>its header is cut off</source>
        <translation>der Header ist abgeschnitten</translation>
    </message>
    <message>
        <source>its shape is too large</source>
        <translation>die Form ist zu groß</translation>
    </message>
    <message>
        <source>its shape (%1) needs %2 bytes and the file has %3: it is cut off or lies</source>
        <translation>die Form (%1) braucht %2 Bytes, die Datei hat %3: abgeschnitten oder falsch</translation>
    </message>
    <message>
        <source>%1 cannot be written: NumPy has no type %2</source>
        <translation>%1 kann nicht geschrieben werden: NumPy hat keinen Typ %2</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, and reading was to go on at byte %3: it is not the file that the position is of</source>
        <translation>%1 hat %2 Bytes, das Lesen sollte bei Byte %3 fortgesetzt werden: Es ist nicht die Datei, zu der die Position gehört</translation>
    </message>
    <message>
        <source>%1: the record at byte %2 is longer than %3: raise record_limit unless the file is damaged</source>
        <translation>%1: Der Record bei Byte %2 ist länger als %3: record_limit erhöhen, falls die Datei nicht beschädigt ist</translation>
    </message>
    <message>
        <source>%1 has fewer rows than when it was counted: it was changed while it was read</source>
        <translation>%1 hat weniger Zeilen als beim Zählen: Die Datei wurde beim Lesen geändert</translation>
    </message>
    <message>
        <source>%1 is not a regular file: give a data file</source>
        <translation>%1 ist keine reguläre Datei: eine Datendatei angeben</translation>
    </message>
    <message>
        <source>%1 ends at byte %2, it had %3 bytes when it was opened: it was changed or cut while it was being read, start again with a file that stays as it is</source>
        <translation>%1 endet bei Byte %2, beim Öffnen waren es %3 Bytes: beim Lesen geändert oder abgeschnitten, mit einer Datei neu beginnen, die unverändert bleibt</translation>
    </message>
    <message>
        <source>%1 is cut off: %2 bytes at %3 were to be read, it has %4</source>
        <translation>%1 ist abgeschnitten: %2 Bytes bei %3 waren zu lesen, die Datei hat %4</translation>
    </message>
    <message>
        <source>there is no type '%1'%2</source>
        <translation>es gibt keinen Typ '%1'%2</translation>
    </message>
    <message>
        <source>%1: list of %2</source>
        <translation>%1: Liste von %2</translation>
    </message>
    <message>
        <source>there is no column '%1'%2</source>
        <translation>es gibt keine Spalte '%1'%2</translation>
    </message>
    <message>
        <source>%1 has %2, and a whole file may have %3: raise record_limit or read its lines</source>
        <translation>%1 hat %2, eine ganze Datei darf %3 haben: record_limit erhöhen oder ihre Zeilen lesen</translation>
    </message>
    <message>
        <source>%1: its extension does not identify the data format (known: %2): set the format</source>
        <translation>%1: Die Dateiendung bestimmt das Datenformat nicht (bekannt: %2): das Format angeben</translation>
    </message>
    <message>
        <source>there is no data format '%1'%2</source>
        <translation>es gibt kein Datenformat '%1'%2</translation>
    </message>
    <message>
        <source>has the ending of a data format</source>
        <translation>die Endung eines Datenformats hat</translation>
    </message>
    <message>
        <source>%1 holds no file that has the ending of a data format and is not empty</source>
        <translation>%1 enthält keine Datei, die die Endung eines Datenformats hat und nicht leer ist</translation>
    </message>
    <message>
        <source>%1 holds no file that matches '%2' and is not empty</source>
        <translation>%1 enthält keine Datei, die zu '%2' passt und nicht leer ist</translation>
    </message>
    <message>
        <source>no file that is not empty matches %1</source>
        <translation>keine nicht leere Datei passt zu %1</translation>
    </message>
    <message>
        <source>no data was named: name files or folders</source>
        <translation>es wurden keine Daten angegeben: Dateien oder Ordner angeben</translation>
    </message>
    <message>
        <source>%1 has other columns than %2: %3: give all files the same columns</source>
        <translation>%1 hat andere Spalten als %2: %3: allen Dateien dieselben Spalten geben</translation>
    </message>
    <message>
        <source>no files of data were named</source>
        <translation>es wurden keine Datendateien angegeben</translation>
    </message>
    <message>
        <source>column '%1' is missing</source>
        <translation>Spalte '%1' fehlt</translation>
    </message>
    <message>
        <source>%1 there and %2 here</source>
        <translation>dort %1 und hier %2</translation>
    </message>
    <message>
        <source>column '%1' is not there</source>
        <translation>Spalte '%1' gibt es dort nicht</translation>
    </message>
    <message>
        <source>the data set has %1 files, and reading was to go on in file %2: it is not the set that the position is of</source>
        <translation>der Datensatz hat %1 Dateien, das Lesen sollte in Datei %2 fortgesetzt werden: Es ist nicht der Datensatz, zu dem die Position gehört</translation>
    </message>
    <message>
        <source>%1 was changed since the checkpoint was saved, so that reading cannot go on at its place: bring back the old file, or begin the epoch again</source>
        <translation>%1 wurde seit dem Speichern des Checkpoints geändert, das Lesen kann daher nicht an der alten Stelle fortgesetzt werden: die alte Datei wiederherstellen oder die Epoche neu beginnen</translation>
    </message>
    <message>
        <source>%1 is not a valid ZIP archive</source>
        <translation>%1 ist kein gültiges ZIP-Archiv</translation>
    </message>
    <message>
        <source>'%1' is damaged: %2</source>
        <translation>'%1' ist beschädigt: %2</translation>
    </message>
    <message>
        <source>'%1' is damaged: its bytes are not deflate data</source>
        <translation>'%1' ist beschädigt: Die Bytes sind keine Deflate-Daten</translation>
    </message>
    <message>
        <source>'%1' has %2 bytes, its directory says %3</source>
        <translation>'%1' hat %2 Bytes, laut Verzeichnis %3</translation>
    </message>
    <message>
        <source>the checksum of '%1' differs: the file is damaged</source>
        <translation>die Prüfsumme von '%1' weicht ab: Die Datei ist beschädigt</translation>
    </message>
    <message>
        <source>%1 must be an object of tokens and their ids</source>
        <translation>%1 muss ein Objekt aus Tokens und ihren IDs sein</translation>
    </message>
    <message>
        <source>%1: the id of '%2' must be a number from 0 to 268435455</source>
        <translation>%1: die ID von '%2' muss eine Zahl von 0 bis 268435455 sein</translation>
    </message>
    <message>
        <source>%1: merge %2 of '%3' and '%4' needs the token '%5', which the vocabulary lacks</source>
        <translation>%1: Merge %2 aus '%3' und '%4' braucht das Token '%5', das im Vokabular fehlt</translation>
    </message>
    <message>
        <source>the vocabulary lacks unk_token '%1', which a text needs</source>
        <translation>dem Vokabular fehlt das unk_token '%1', das ein Text braucht</translation>
    </message>
    <message>
        <source>%1: model</source>
        <translation>%1: model</translation>
    </message>
    <message>
        <source>%1.dropout gives other tokens at each use, which Trainyard does not do: set it to null</source>
        <translation>%1.dropout liefert bei jeder Verwendung andere Tokens, was Trainyard nicht unterstützt: auf null setzen</translation>
    </message>
    <message>
        <source>%1.merges: entry %2 must be two tokens, as a list or with one blank between them</source>
        <translation>%1.merges: Eintrag %2 muss aus zwei Tokens bestehen, als Liste oder mit einem Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>an object of tokens and their ids</source>
        <translation>ein Objekt aus Tokens und ihren IDs</translation>
    </message>
    <message>
        <source>a byte-level vocabulary has at least %1 tokens: 256 bytes and %2 special ones</source>
        <translation>ein Vokabular auf Byte-Ebene hat mindestens %1 Tokens: 256 Bytes und %2 besondere</translation>
    </message>
    <message>
        <source>the tokenizer to be trained</source>
        <translation>der zu trainierende Tokenizer</translation>
    </message>
    <message>
        <source>%1 is not base64</source>
        <translation>%1 ist kein base64</translation>
    </message>
    <message>
        <source>%1 is damaged: it is too short</source>
        <translation>%1 ist beschädigt: zu kurz</translation>
    </message>
    <message>
        <source>%1 is damaged: its trie is said to be longer than it is</source>
        <translation>%1 ist beschädigt: der Trie ist angeblich länger als die Daten selbst</translation>
    </message>
    <message>
        <source>do not</source>
        <translation>do not</translation>
    </message>
    <message>
        <source>one character</source>
        <translation>ein Zeichen</translation>
    </message>
    <message>
        <source>%1: the decoder '%2' is not known</source>
        <translation>%1: der Decoder '%2' ist nicht bekannt</translation>
    </message>
    <message>
        <source>%1: decoder</source>
        <translation>%1: decoder</translation>
    </message>
    <message>
        <source>truncation: stride %1 must be less than max_length, of which %2 are left beside special tokens</source>
        <translation>Truncation: stride %1 muss kleiner als max_length sein, wovon neben den besonderen Tokens %2 übrig sind</translation>
    </message>
    <message>
        <source>%1: '%2' must be %3</source>
        <translation>%1: '%2' muss %3 sein</translation>
    </message>
    <message>
        <source>a number from 0 to 2147483647</source>
        <translation>eine Zahl von 0 bis 2147483647</translation>
    </message>
    <message>
        <source>%1 must be an object with a 'type'</source>
        <translation>%1 muss ein Objekt mit einem 'type' sein</translation>
    </message>
    <message>
        <source>%1: the normalizer '%2' is not known</source>
        <translation>%1: der Normalizer '%2' ist nicht bekannt</translation>
    </message>
    <message>
        <source>%1: normalizer</source>
        <translation>%1: normalizer</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>the template of the post-processor needs a second text</source>
        <translation>die Vorlage des Post-Prozessors braucht einen zweiten Text</translation>
    </message>
    <message>
        <source>%1 must be {"Sequence": ...} or {"SpecialToken": ...}</source>
        <translation>%1 muss {"Sequence": ...} oder {"SpecialToken": ...} sein</translation>
    </message>
    <message>
        <source>%1: '%2' is not among special_tokens</source>
        <translation>%1: '%2' kommt in special_tokens nicht vor</translation>
    </message>
    <message>
        <source>%1: ids and tokens of '%2' do not go together</source>
        <translation>%1: IDs und Tokens von '%2' passen nicht zusammen</translation>
    </message>
    <message>
        <source>a list of a token and its id</source>
        <translation>eine Liste aus einem Token und seiner ID</translation>
    </message>
    <message>
        <source>%1: the post-processor '%2' is not known</source>
        <translation>%1: der Post-Prozessor '%2' ist nicht bekannt</translation>
    </message>
    <message>
        <source>Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous</source>
        <translation>Removed, Isolated, MergedWithPrevious, MergedWithNext oder Contiguous</translation>
    </message>
    <message>
        <source>always, first or never</source>
        <translation>always, first oder never</translation>
    </message>
    <message>
        <source>at least 1</source>
        <translation>mindestens 1</translation>
    </message>
    <message>
        <source>%1: the pre-tokenizer '%2' is not known</source>
        <translation>%1: der Pre-Tokenizer '%2' ist nicht bekannt</translation>
    </message>
    <message>
        <source>%1 must be an object</source>
        <translation>%1 muss ein Objekt sein</translation>
    </message>
    <message>
        <source>%1: truncation</source>
        <translation>%1: truncation</translation>
    </message>
    <message>
        <source>%1: padding</source>
        <translation>%1: padding</translation>
    </message>
    <message>
        <source>a text of 4 GiB or more cannot be tokenized at once: divide it</source>
        <translation>ein Text von 4 GiB oder mehr lässt sich nicht auf einmal in Tokens zerlegen: aufteilen</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>der Text</translation>
    </message>
    <message>
        <source>truncation: max_length %1 is less than the %2 special tokens that are added</source>
        <translation>Truncation: max_length %1 ist kleiner als die %2 besonderen Tokens, die hinzukommen</translation>
    </message>
    <message>
        <source>truncation: the strategy OnlySecond needs a second text</source>
        <translation>Truncation: die Strategie OnlySecond braucht einen zweiten Text</translation>
    </message>
    <message>
        <source>truncation: the second text has %1 tokens, and %2 would have to go</source>
        <translation>Truncation: der zweite Text hat %1 Tokens, und %2 müssten entfallen</translation>
    </message>
    <message>
        <source>truncation: the first text has %1 tokens, and %2 would have to go</source>
        <translation>Truncation: der erste Text hat %1 Tokens, und %2 müssten entfallen</translation>
    </message>
    <message>
        <source>%1 is not JSON: %2</source>
        <translation>%1 ist kein JSON: %2</translation>
    </message>
    <message>
        <source>%1 must be an object with a 'model': is this a tokenizer.json?</source>
        <translation>%1 muss ein Objekt mit einem 'model' sein: ist dies eine tokenizer.json?</translation>
    </message>
    <message>
        <source>%1 is not UTF-8: byte %2 is 0x%3</source>
        <translation>%1 ist kein UTF-8: Byte %2 ist 0x%3</translation>
    </message>
    <message>
        <source>%1.vocab: entry %2 must be a list of a piece and its score</source>
        <translation>%1.vocab: Eintrag %2 muss eine Liste aus einem Teilwort und seiner Bewertung sein</translation>
    </message>
    <message>
        <source>%1.unk_id is %2, and the vocabulary has %3 pieces</source>
        <translation>%1.unk_id ist %2, und das Vokabular hat %3 Teilwörter</translation>
    </message>
    <message>
        <source>the vocabulary has no unk_id, which a text needs</source>
        <translation>das Vokabular hat keine unk_id, die ein Text braucht</translation>
    </message>
    <message>
        <source>%1: 'model' must be an object: is this a tokenizer.json?</source>
        <translation>%1: 'model' muss ein Objekt sein: ist dies eine tokenizer.json?</translation>
    </message>
    <message>
        <source>%1.type '%2' is not known: it is BPE, Unigram, WordPiece or WordLevel</source>
        <translation>%1.type '%2' ist nicht bekannt: möglich sind BPE, Unigram, WordPiece oder WordLevel</translation>
    </message>
    <message>
        <source>%1 is cut: a chunk of '%2' ends behind it (at byte %3 of %4)</source>
        <translation>%1 ist abgeschnitten: ein Chunk von '%2' endet hinter dem Dateiende (bei Byte %3 von %4)</translation>
    </message>
    <message>
        <source>%1 ('%2' at byte %3)</source>
        <translation>%1 ('%2' bei Byte %3)</translation>
    </message>
    <message>
        <source>%1 is damaged: there is no tensor</source>
        <translation>%1 ist beschädigt: Es gibt keinen Tensor</translation>
    </message>
    <message>
        <source>%1 is damaged: the tensor there has another shape or dtype than the list says</source>
        <translation>%1 ist beschädigt: der Tensor dort hat eine andere Form oder einen anderen dtype, als die Liste angibt</translation>
    </message>
    <message>
        <source>%1 is damaged: '%2' needs %3 bytes and its chunks have %4</source>
        <translation>%1 ist beschädigt: '%2' braucht %3 Bytes, und seine Chunks haben %4</translation>
    </message>
    <message>
        <source>it lists no tensors or no places of them</source>
        <translation>sie listet keine Tensoren oder deren Orte nicht auf</translation>
    </message>
    <message>
        <source>the name '%1' is there twice</source>
        <translation>der Name '%1' kommt zweimal vor</translation>
    </message>
    <message>
        <source>%1 is not valid metadata of a distributed checkpoint: %2</source>
        <translation>%1 enthält keine gültigen Metadaten eines verteilten Checkpoints: %2</translation>
    </message>
    <message>
        <source>a name is missing, too long, or no text</source>
        <translation>ein Name fehlt, ist zu lang oder kein Text</translation>
    </message>
    <message>
        <source>the place of '%1' is negative or no number</source>
        <translation>der Ort von '%1' ist negativ oder keine Zahl</translation>
    </message>
    <message>
        <source>the file '%1' of '%2' leaves the folder</source>
        <translation>die Datei '%1' von '%2' liegt außerhalb des Ordners</translation>
    </message>
    <message>
        <source>'%1' is stored compressed, which is not read: save the checkpoint without it</source>
        <translation>'%1' ist komprimiert gespeichert und wird nicht gelesen: Checkpoint ohne Komprimierung speichern</translation>
    </message>
    <message>
        <source>a chunk of '%1' is there twice</source>
        <translation>ein Chunk von '%1' kommt zweimal vor</translation>
    </message>
    <message>
        <source>the keys of an entry are nested too deeply</source>
        <translation>die Schlüssel eines Eintrags sind zu tief verschachtelt</translation>
    </message>
    <message>
        <source>'%1' has no sound shape, chunks or properties</source>
        <translation>'%1' hat keine brauchbare Form, Chunks oder Eigenschaften</translation>
    </message>
    <message>
        <source>a chunk of '%1' has no sound offset or size</source>
        <translation>ein Chunk von '%1' hat keinen brauchbaren Offset oder keine brauchbare Größe</translation>
    </message>
    <message>
        <source>the place of a chunk of '%1' is missing</source>
        <translation>der Ort eines Chunks von '%1' fehlt</translation>
    </message>
    <message>
        <source>'%1' has no dtype</source>
        <translation>'%1' hat keinen dtype</translation>
    </message>
    <message>
        <source>the shape of '%1' is too large</source>
        <translation>die Form von '%1' ist zu groß</translation>
    </message>
    <message>
        <source>a chunk of '%1' reaches beyond its shape</source>
        <translation>ein Chunk von '%1' reicht über dessen Form hinaus</translation>
    </message>
    <message>
        <source>the chunks of '%1' overlap</source>
        <translation>die Chunks von '%1' überlappen</translation>
    </message>
    <message>
        <source>the chunks of '%1' do not cover it</source>
        <translation>die Chunks von '%1' decken ihn nicht ab</translation>
    </message>
    <message>
        <source>'%1' is cut in too irregular a way</source>
        <translation>'%1' ist zu unregelmäßig zerteilt</translation>
    </message>
    <message>
        <source>there is no tensor %1experts.%2.%3.weight, so the experts of this block are not complete</source>
        <translation>der Tensor %1experts.%2.%3.weight fehlt, also sind die Experten dieses Blocks nicht vollständig</translation>
    </message>
    <message>
        <source>%1 is %2 [%3] and %4 is %5 [%6]: experts that are written as one tensor must be alike</source>
        <translation>%1 ist %2 [%3] und %4 ist %5 [%6]: Experten, die als ein Tensor geschrieben werden, müssen gleich sein</translation>
    </message>
    <message>
        <source>%1 [%2] and %3 [%4] are not the experts of a block: expected [experts, 2 * inner, hidden] and [experts, hidden, inner]</source>
        <translation>%1 [%2] und %3 [%4] sind nicht die Experten eines Blocks: erwartet werden [experts, 2 * inner, hidden] und [experts, hidden, inner]</translation>
    </message>
    <message>
        <source>it does not begin with GGUF</source>
        <translation>sie beginnt nicht mit GGUF</translation>
    </message>
    <message>
        <source>its numbers have the highest byte first: convert it on a machine of the usual byte order</source>
        <translation>ihre Zahlen haben das höchste Byte zuerst: auf einem Rechner mit üblicher Byte-Reihenfolge konvertieren</translation>
    </message>
    <message>
        <source>it has version %1, and 2 and 3 can be read</source>
        <translation>sie hat Version %1, lesbar sind 2 und 3</translation>
    </message>
    <message>
        <source>the key '%1' is there twice</source>
        <translation>der Schlüssel '%1' kommt zweimal vor</translation>
    </message>
    <message>
        <source>its alignment %1 is no power of two up to 1 MiB</source>
        <translation>ihre Ausrichtung %1 ist keine Zweierpotenz bis 1 MiB</translation>
    </message>
    <message>
        <source>%1 is not a whole GGUF file: %2</source>
        <translation>%1 ist keine vollständige GGUF-Datei: %2</translation>
    </message>
    <message>
        <source>its header ends behind byte %1: the file is cut</source>
        <translation>ihr Header endet hinter Byte %1: die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>a text in its header is longer than 1 GiB</source>
        <translation>ein Text in ihrem Header ist länger als 1 GiB</translation>
    </message>
    <message>
        <source>the value of '%1' has the unknown type %2</source>
        <translation>der Wert von '%1' hat den unbekannten Typ %2</translation>
    </message>
    <message>
        <source>a value in its header has an unknown type</source>
        <translation>ein Wert in ihrem Header hat einen unbekannten Typ</translation>
    </message>
    <message>
        <source>a list in its header is nested too deeply</source>
        <translation>eine Liste in ihrem Header ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>[%1, ...] (%2 items)</source>
        <translation>[%1, ...] (%2 Elemente)</translation>
    </message>
    <message>
        <source>tensor '%1' has %2 dimensions</source>
        <translation>Tensor '%1' hat %2 Dimensionen</translation>
    </message>
    <message>
        <source>tensor '%1' has a shape that is too large</source>
        <translation>die Form von Tensor '%1' ist zu groß</translation>
    </message>
    <message>
        <source>type %1</source>
        <translation>Typ %1</translation>
    </message>
    <message>
        <source>tensor '%1' has rows of %2 elements, no multiple of the %3 of a block of %4</source>
        <translation>Tensor '%1' hat Zeilen von %2 Elementen, kein Vielfaches der %3 eines Blocks von %4</translation>
    </message>
    <message>
        <source>tensor '%1' does not begin at a multiple of %2</source>
        <translation>Tensor '%1' beginnt nicht bei einem Vielfachen von %2</translation>
    </message>
    <message>
        <source>tensor '%1' ends behind the %2 bytes of the file: it is cut</source>
        <translation>Tensor '%1' endet hinter den %2 Bytes der Datei: sie ist abgeschnitten</translation>
    </message>
    <message>
        <source>tensors '%1' and '%2' overlap</source>
        <translation>die Tensoren '%1' und '%2' überlappen</translation>
    </message>
    <message>
        <source>%1 is a file: name a folder for the result</source>
        <translation>%1 ist eine Datei: einen Ordner für das Ergebnis angeben</translation>
    </message>
    <message>
        <source>%1 lies in the checkpoint it is made from: name another folder</source>
        <translation>%1 liegt in dem Checkpoint, aus dem es entsteht: einen anderen Ordner angeben</translation>
    </message>
    <message>
        <source>%1 is a file: name the folder it lies in</source>
        <translation>%1 ist eine Datei: den Ordner angeben, in dem sie liegt</translation>
    </message>
    <message>
        <source>the weights are written to %1, but %2 cannot be removed: %3</source>
        <translation>die Gewichte sind nach %1 geschrieben, aber %2 lässt sich nicht entfernen: %3</translation>
    </message>
    <message>
        <source>'%1' is not a size: give a number and a unit, such as 5GB or 500MiB</source>
        <translation>'%1' ist keine Größe: eine Zahl und eine Einheit angeben, zum Beispiel 5GB oder 500MiB</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read</source>
        <translation>%1 wurde beim Lesen kürzer</translation>
    </message>
    <message>
        <source>%1: the entry '%2' is not one of an offloaded weight: it needs dtype and shape</source>
        <translation>%1: der Eintrag '%2' gehört zu keinem ausgelagerten Gewicht: er braucht dtype und shape</translation>
    </message>
    <message>
        <source>offload folder</source>
        <translation>Offload-Ordner</translation>
    </message>
    <message>
        <source>%1: '%2' is no name of a tensor</source>
        <translation>%1: '%2' ist kein Name eines Tensors</translation>
    </message>
    <message>
        <source>%1 is missing, though %2 names '%3'</source>
        <translation>%1 fehlt, obwohl %2 '%3' nennt</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, and its entry in %3 needs %4</source>
        <translation>%1 hat %2 Bytes, und sein Eintrag in %3 verlangt %4</translation>
    </message>
    <message>
        <source>%1 has no tensor '%2', though %3 says so</source>
        <translation>%1 hat keinen Tensor '%2', obwohl %3 es angibt</translation>
    </message>
    <message>
        <source>%1: '%2' is stored as %3 and asked for as %4</source>
        <translation>%1: '%2' ist als %3 gespeichert und wird als %4 verlangt</translation>
    </message>
    <message>
        <source>%1 is a file: name a folder for offloaded weights</source>
        <translation>%1 ist eine Datei: einen Ordner für ausgelagerte Gewichte angeben</translation>
    </message>
    <message>
        <source>'%1' cannot be a file's name, which offloading to %2 needs</source>
        <translation>'%1' kann kein Dateiname sein, wie ihn das Auslagern nach %2 braucht</translation>
    </message>
    <message>
        <source>it ends without its end mark</source>
        <translation>sie endet ohne Endmarke</translation>
    </message>
    <message>
        <source>it is of protocol %1, and only 2 to 5 are read</source>
        <translation>sie hat Protokoll %1, gelesen werden nur 2 bis 5</translation>
    </message>
    <message>
        <source>it announces a frame of %1 bytes where %2 are left</source>
        <translation>sie kündigt einen Frame von %1 Bytes an, es sind aber nur noch %2 übrig</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>sie ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>it names a global by something other than text</source>
        <translation>sie benennt ein globales Objekt mit etwas anderem als Text</translation>
    </message>
    <message>
        <source>it makes an object in a way that torch.save never does</source>
        <translation>sie erzeugt ein Objekt auf eine Weise, die torch.save nie verwendet</translation>
    </message>
    <message>
        <source>it gives a state to something that has none</source>
        <translation>sie gibt einen Zustand an etwas, das keinen hat</translation>
    </message>
    <message>
        <source>its instruction 0x%1 is unknown or never written by torch.save</source>
        <translation>ihre Anweisung 0x%1 ist unbekannt oder wird von torch.save nie geschrieben</translation>
    </message>
    <message>
        <source>it takes more than it gave</source>
        <translation>sie entnimmt mehr, als sie abgelegt hat</translation>
    </message>
    <message>
        <source>it takes entry %1 of its memory, which is empty</source>
        <translation>sie liest Eintrag %1 ihres Speichers, der leer ist</translation>
    </message>
    <message>
        <source>it holds more than %1 objects</source>
        <translation>sie enthält mehr als %1 Objekte</translation>
    </message>
    <message>
        <source>it holds a text that is not UTF-8</source>
        <translation>sie enthält Text, der kein UTF-8 ist</translation>
    </message>
    <message>
        <source>it fills a container that is none</source>
        <translation>sie füllt einen Container, der keiner ist</translation>
    </message>
    <message>
        <source>it has a key without a value</source>
        <translation>sie hat einen Schlüssel ohne Wert</translation>
    </message>
    <message>
        <source>it asks for %1.%2, which checkpoints of tensors do not need</source>
        <translation>sie verlangt %1.%2, was Checkpoints aus Tensoren nicht brauchen</translation>
    </message>
    <message>
        <source>it calls what cannot be called</source>
        <translation>sie ruft auf, was nicht aufrufbar ist</translation>
    </message>
    <message>
        <source>it calls %1.%2</source>
        <translation>sie ruft %1.%2 auf</translation>
    </message>
    <message>
        <source>it copies the same items again and again</source>
        <translation>sie kopiert dieselben Elemente immer wieder</translation>
    </message>
    <message>
        <source>what it gives to %1.%2 makes no sense</source>
        <translation>ihre Angaben für %1.%2 ergeben keinen Sinn</translation>
    </message>
    <message>
        <source>a tensor has more than 64 dimensions</source>
        <translation>ein Tensor hat mehr als 64 Dimensionen</translation>
    </message>
    <message>
        <source>the shape or the strides of a tensor are not lists</source>
        <translation>Form oder Strides eines Tensors sind keine Listen</translation>
    </message>
    <message>
        <source>the shape or the strides of a tensor are negative or no numbers</source>
        <translation>Form oder Strides eines Tensors sind negativ oder keine Zahlen</translation>
    </message>
    <message>
        <source>it refers to something outside that is no storage of a tensor</source>
        <translation>sie verweist auf etwas Externes, das kein Storage eines Tensors ist</translation>
    </message>
    <message>
        <source>it has a storage of the class %1.%2</source>
        <translation>sie hat einen Storage der Klasse %1.%2</translation>
    </message>
    <message>
        <source>it has a view of a storage, which only torch before 0.4 wrote: save it again with a newer one</source>
        <translation>sie hat eine View eines Storage, wie nur torch vor 0.4 sie schrieb: mit einer neueren Version noch einmal speichern</translation>
    </message>
    <message>
        <source>memory format</source>
        <translation>memory format</translation>
    </message>
    <message>
        <source>%1 is refused: %2 (byte %3 of its pickle)</source>
        <translation>%1 wird abgelehnt: %2 (Byte %3 des Pickle)</translation>
    </message>
    <message>
        <source>it announces %1 bytes where %2 are left</source>
        <translation>sie kündigt %1 Bytes an, es sind aber nur noch %2 übrig</translation>
    </message>
    <message>
        <source>%1 cannot be kept: %2</source>
        <translation>%1 lässt sich nicht aufbewahren: %2</translation>
    </message>
    <message>
        <source>it is nested more than %1 deep</source>
        <translation>mehr als %1 Ebenen tief verschachtelt</translation>
    </message>
    <message>
        <source>it stands for more than 64 MiB</source>
        <translation>steht für mehr als 64 MiB</translation>
    </message>
    <message>
        <source>it holds an integer of more than 2040 bits</source>
        <translation>enthält eine Ganzzahl mit mehr als 2040 Bit</translation>
    </message>
    <message>
        <source>it holds a %1.%2</source>
        <translation>enthält ein %1.%2</translation>
    </message>
    <message>
        <source>it holds a tensor where none can be</source>
        <translation>enthält einen Tensor an einer Stelle, an der keiner sein kann</translation>
    </message>
    <message>
        <source>%1 is not a file: name a safetensors file</source>
        <translation>%1 ist keine Datei: eine safetensors-Datei angeben</translation>
    </message>
    <message>
        <source>the header is a list, not a table of tensors</source>
        <translation>der Header ist eine Liste, keine Tabelle von Tensoren</translation>
    </message>
    <message>
        <source>the header is not a table of tensors</source>
        <translation>der Header ist keine Tabelle von Tensoren</translation>
    </message>
    <message>
        <source>'%1' is not a table</source>
        <translation>'%1' ist keine Tabelle</translation>
    </message>
    <message>
        <source>there is something behind the table of tensors</source>
        <translation>hinter der Tabelle der Tensoren steht noch etwas</translation>
    </message>
    <message>
        <source>is nested too deeply</source>
        <translation>ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>byte %1 of the header: %2</source>
        <translation>Byte %1 des Headers: %2</translation>
    </message>
    <message>
        <source>the header: %1</source>
        <translation>der Header: %1</translation>
    </message>
    <message>
        <source>the metadata has a value for '%1' that is not text</source>
        <translation>die Metadaten haben für '%1' einen Wert, der kein Text ist</translation>
    </message>
    <message>
        <source>the metadata has the key '%1' twice</source>
        <translation>die Metadaten haben den Schlüssel '%1' zweimal</translation>
    </message>
    <message>
        <source>tensor '%1' %2</source>
        <translation>Tensor '%1' %2</translation>
    </message>
    <message>
        <source>has the key '%1' twice</source>
        <translation>hat den Schlüssel '%1' zweimal</translation>
    </message>
    <message>
        <source>has a dtype of the wrong type</source>
        <translation>hat einen dtype vom falschen Typ</translation>
    </message>
    <message>
        <source>has a shape that is too large</source>
        <translation>hat eine zu große Form</translation>
    </message>
    <message>
        <source>has no %1</source>
        <translation>hat kein %1</translation>
    </message>
    <message>
        <source>has %1 data_offsets instead of 2</source>
        <translation>hat %1 data_offsets statt 2</translation>
    </message>
    <message>
        <source>has a %1 of the wrong type</source>
        <translation>hat %1 vom falschen Typ</translation>
    </message>
    <message>
        <source>has something in its %1 that is not a number</source>
        <translation>hat in %1 etwas, das keine Zahl ist</translation>
    </message>
    <message>
        <source>a negative number</source>
        <translation>eine negative Zahl</translation>
    </message>
    <message>
        <source>not a whole number</source>
        <translation>keine ganze Zahl</translation>
    </message>
    <message>
        <source>has a negative number in its %1</source>
        <translation>hat eine negative Zahl in %1</translation>
    </message>
    <message>
        <source>has not a whole number in its %1</source>
        <translation>hat keine ganze Zahl in %1</translation>
    </message>
    <message>
        <source>has the unknown dtype '%1'</source>
        <translation>hat den unbekannten dtype '%1'</translation>
    </message>
    <message>
        <source>ends before it begins</source>
        <translation>endet, bevor er beginnt</translation>
    </message>
    <message>
        <source>overlaps the one before it</source>
        <translation>überlappt den vorhergehenden</translation>
    </message>
    <message>
        <source>begins %1 bytes behind the one before it</source>
        <translation>beginnt %1 Bytes hinter dem vorhergehenden</translation>
    </message>
    <message>
        <source>ends at byte %1 of the data, but there are only %2: the file is cut</source>
        <translation>endet bei Byte %1 der Daten, es gibt aber nur %2: die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>has %1 bytes where its shape and dtype need %2</source>
        <translation>hat %1 Bytes, Form und dtype verlangen aber %2</translation>
    </message>
    <message>
        <source>%1 bytes at the end belong to no tensor</source>
        <translation>%1 Bytes am Ende gehören zu keinem Tensor</translation>
    </message>
    <message>
        <source>it has %1 bytes, too few for a header</source>
        <translation>sie hat %1 Bytes, zu wenige für einen Header</translation>
    </message>
    <message>
        <source>its header claims %1 bytes, more than the 100 MB allowed</source>
        <translation>ihr Header gibt %1 Bytes an, mehr als die erlaubten 100 MB</translation>
    </message>
    <message>
        <source>its header claims %1 bytes, but only %2 follow: the file is cut</source>
        <translation>ihr Header gibt %1 Bytes an, es folgen aber nur %2: die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>%1 is not a whole safetensors file: %2</source>
        <translation>%1 ist keine vollständige safetensors-Datei: %2</translation>
    </message>
    <message>
        <source>its header ends behind byte %1</source>
        <translation>ihr Header endet hinter Byte %1</translation>
    </message>
    <message>
        <source>%1 has numbers that fp16 cannot hold: choose bf16 or fp32</source>
        <translation>%1 hat Zahlen, die fp16 nicht darstellen kann: bf16 oder fp32 wählen</translation>
    </message>
    <message>
        <source>%1 has numbers that bf16 cannot hold: choose a wider type</source>
        <translation>%1 hat Zahlen, die bf16 nicht darstellen kann: einen größeren Typ wählen</translation>
    </message>
    <message>
        <source>%1 has numbers that fp32 cannot hold: choose a wider type</source>
        <translation>%1 hat Zahlen, die fp32 nicht darstellen kann: einen größeren Typ wählen</translation>
    </message>
    <message>
        <source>%1: '%2 -&gt; %3' is no row of names: a '*' stands once, at the beginning or the end, on both sides</source>
        <translation>%1: '%2 -&gt; %3' ist keine Zeile mit Namen: ein '*' steht einmal, am Anfang oder am Ende, auf beiden Seiten</translation>
    </message>
    <message>
        <source>average of %1</source>
        <translation>Mittelwert von %1</translation>
    </message>
    <message>
        <source>checkpoint %1 lacks '%2'</source>
        <translation>Checkpoint %1 fehlt '%2'</translation>
    </message>
    <message>
        <source>'%1' is %2 [%3] in checkpoint %4 and %5 [%6] in the first</source>
        <translation>'%1' ist in Checkpoint %4 %2 [%3] und im ersten %5 [%6]</translation>
    </message>
    <message>
        <source>only checkpoint %1 has '%2'</source>
        <translation>nur Checkpoint %1 hat '%2'</translation>
    </message>
    <message>
        <source>these checkpoints cannot be averaged: %1</source>
        <translation>diese Checkpoints lassen sich nicht mitteln: %1</translation>
    </message>
    <message>
        <source>'%1' is no type for weights: use fp32, bf16, fp16 or fp64</source>
        <translation>'%1' ist kein Typ für Gewichte: fp32, bf16, fp16 oder fp64 verwenden</translation>
    </message>
    <message>
        <source>the table leaves '%1' without a name</source>
        <translation>die Tabelle lässt '%1' ohne Namen</translation>
    </message>
    <message>
        <source>'%1' and '%2' would both be called '%3'</source>
        <translation>'%1' und '%2' hießen beide '%3'</translation>
    </message>
    <message>
        <source>no tensor has a name that fits %1: look at the names with `trainyard checkpoints show`</source>
        <translation>kein Tensor hat einen Namen, der zu %1 passt: Namen mit `trainyard checkpoints show` ansehen</translation>
    </message>
    <message>
        <source>%1: the new name of '%2' is no text</source>
        <translation>%1: der neue Name von '%2' ist kein Text</translation>
    </message>
    <message>
        <source>%1:%2: write 'old name -&gt; new name'</source>
        <translation>%1:%2: 'old name -&gt; new name' schreiben</translation>
    </message>
    <message>
        <source>%1 has no rows: write 'old name -&gt; new name' on each line</source>
        <translation>%1 hat keine Zeilen: in jeder Zeile 'old name -&gt; new name' schreiben</translation>
    </message>
    <message>
        <source>an average needs two checkpoints or more, and a share for each</source>
        <translation>ein Mittelwert braucht mindestens zwei Checkpoints und für jeden einen Anteil</translation>
    </message>
    <message>
        <source>the shares of an average are numbers of 0 or more, and not all 0</source>
        <translation>die Anteile eines Mittelwerts sind Zahlen ab 0 und nicht alle 0</translation>
    </message>
    <message>
        <source>a decay of %1 is no average: use a number between 0 and 1, such as 0.9</source>
        <translation>ein Decay von %1 ist kein Mittelwert: eine Zahl zwischen 0 und 1 verwenden, zum Beispiel 0.9</translation>
    </message>
    <message>
        <source>%1 is empty: copy it again</source>
        <translation>%1 ist leer: noch einmal kopieren</translation>
    </message>
    <message>
        <source>%1 is only a pointer of Git LFS: fetch the file itself with `git lfs pull`</source>
        <translation>%1 ist nur ein Zeiger von Git LFS: die Datei selbst mit `git lfs pull` holen</translation>
    </message>
    <message>
        <source>%1 holds its numbers with the highest byte first: save it again on a machine of the usual byte order</source>
        <translation>%1 enthält Zahlen mit dem höchsten Byte zuerst: auf einem Rechner mit üblicher Byte-Reihenfolge noch einmal speichern</translation>
    </message>
    <message>
        <source>%1 is no weights file: it begins neither as a ZIP archive nor as a pickle, which torch.save writes</source>
        <translation>%1 ist keine Gewichtsdatei: sie beginnt weder als ZIP-Archiv noch als Pickle, wie torch.save sie schreibt</translation>
    </message>
    <message>
        <source>%1 was not written by torch.save: it is some other pickle</source>
        <translation>%1 wurde nicht von torch.save geschrieben: es ist ein anderes Pickle</translation>
    </message>
    <message>
        <source>%1 has a version of torch.save's old format that is unknown</source>
        <translation>%1 hat eine unbekannte Version des alten Formats von torch.save</translation>
    </message>
    <message>
        <source>%1 is damaged: it has a storage that no tensor uses</source>
        <translation>%1 ist beschädigt: die Datei hat einen Storage, den kein Tensor benutzt</translation>
    </message>
    <message>
        <source>%1 is cut: the storages of its tensors are missing</source>
        <translation>%1 ist abgeschnitten: die Storages der Tensoren fehlen</translation>
    </message>
    <message>
        <source>%1 is cut: the storage '%2' ends behind it</source>
        <translation>%1 ist abgeschnitten: der Storage '%2' endet hinter dem Dateiende</translation>
    </message>
    <message>
        <source>the storage '%1' is missing</source>
        <translation>der Storage '%1' fehlt</translation>
    </message>
    <message>
        <source>the storage '%1' has %2 bytes where the pickle says %3 elements</source>
        <translation>der Storage '%1' hat %2 Bytes, das Pickle nennt aber %3 Elemente</translation>
    </message>
    <message>
        <source>the shape of a tensor is too large</source>
        <translation>die Form eines Tensors ist zu groß</translation>
    </message>
    <message>
        <source>the strides of a tensor are too large</source>
        <translation>die Strides eines Tensors sind zu groß</translation>
    </message>
    <message>
        <source>a tensor reaches beyond the end of its storage '%1'</source>
        <translation>ein Tensor reicht über das Ende seines Storage '%1' hinaus</translation>
    </message>
    <message>
        <source>a tensor repeats a few elements without end</source>
        <translation>ein Tensor wiederholt wenige Elemente endlos</translation>
    </message>
    <message>
        <source>%1 has more than %2 values</source>
        <translation>%1 hat mehr als %2 Werte</translation>
    </message>
    <message>
        <source>it is not JSON, or cut</source>
        <translation>sie ist kein JSON oder abgeschnitten</translation>
    </message>
    <message>
        <source>%1 is not a weight index: %2</source>
        <translation>%1 ist kein Gewichtsindex: %2</translation>
    </message>
    <message>
        <source>it has no table 'weight_map'</source>
        <translation>ihr fehlt die Tabelle 'weight_map'</translation>
    </message>
    <message>
        <source>the file of '%1' is not text</source>
        <translation>die Datei von '%1' ist kein Text</translation>
    </message>
    <message>
        <source>%1 lacks %2 of %3 shards, the first one is %4: copy them again</source>
        <translation>%1 fehlen %2 von %3 Shards, der erste ist %4: noch einmal kopieren</translation>
    </message>
    <message>
        <source>%1 contains the state of an optimizer and no weights of a model (%2): give the folder or file of the model</source>
        <translation>%1 enthält den Zustand eines Optimizers und keine Gewichte eines Modells (%2): den Ordner oder die Datei des Modells angeben</translation>
    </message>
    <message>
        <source>%1 contains no tensors</source>
        <translation>%1 enthält keine Tensoren</translation>
    </message>
    <message>
        <source>%1 contains no weights of a model: it has %2</source>
        <translation>%1 enthält keine Gewichte eines Modells, sondern %2</translation>
    </message>
    <message>
        <source>%1: only the weights are read, not %2</source>
        <translation>%1: nur die Gewichte werden gelesen, nicht %2</translation>
    </message>
    <message>
        <source>%1: only the weights in '%2' are read, not %3</source>
        <translation>%1: nur die Gewichte in '%2' werden gelesen, nicht %3</translation>
    </message>
    <message>
        <source>%1 has two tensors that would be called '%2'</source>
        <translation>%1 hat zwei Tensoren, die '%2' hießen</translation>
    </message>
    <message>
        <source>distributed checkpoint</source>
        <translation>verteilter Checkpoint</translation>
    </message>
    <message>
        <source>%1 and %2 both have a tensor '%3'</source>
        <translation>%1 und %2 haben beide einen Tensor '%3'</translation>
    </message>
    <message>
        <source>%1 has no tensor '%2', though the index says so</source>
        <translation>%1 hat keinen Tensor '%2', obwohl der Index es angibt</translation>
    </message>
    <message>
        <source>%1: the index does not fit, %2 tensors are in another file than it says and %3 are not in it, such as '%4'; they are read from where they are</source>
        <translation>%1: der Index passt nicht, %2 Tensoren sind in einer anderen Datei als angegeben und %3 nicht in ihm, zum Beispiel '%4'; sie werden dort gelesen, wo sie sind</translation>
    </message>
    <message>
        <source>%1 contains no dictionary of tensors</source>
        <translation>%1 enthält kein Dictionary von Tensoren</translation>
    </message>
    <message>
        <source>%1 has the tensor '%2', which was there before</source>
        <translation>%1 hat den Tensor '%2', der schon vorkam</translation>
    </message>
    <message>
        <source>ZeRO stage %1 of %2 ranks</source>
        <translation>ZeRO-Stufe %1 von %2 Ranks</translation>
    </message>
    <message>
        <source>%1 has %2 tensors packed in a way that cannot be read, such as %3: convert a file of another type, such as Q8_0 or F16</source>
        <translation>%1 hat %2 Tensoren, deren Packung nicht lesbar ist, zum Beispiel %3: eine Datei anderen Typs konvertieren, zum Beispiel Q8_0 oder F16</translation>
    </message>
    <message>
        <source>%1 does not exist: name the folder of a checkpoint, or a file of weights</source>
        <translation>%1 existiert nicht: den Ordner eines Checkpoints oder eine Datei mit Gewichten angeben</translation>
    </message>
    <message>
        <source>%1 has shards, but its list '.metadata' is missing: the checkpoint was not saved to its end, or was copied without hidden files</source>
        <translation>%1 hat Shards, aber ihre Liste '.metadata' fehlt: der Checkpoint wurde nicht zu Ende gespeichert oder ohne versteckte Dateien kopiert</translation>
    </message>
    <message>
        <source>%1 holds no weights itself: did you mean %2?</source>
        <translation>%1 enthält selbst keine Gewichte: war %2 gemeint?</translation>
    </message>
    <message>
        <source>%1 has several files that may be the weights: give the path of one of them, such as %2</source>
        <translation>%1 hat mehrere Dateien, die die Gewichte sein können: den Pfad einer davon angeben, zum Beispiel %2</translation>
    </message>
    <message>
        <source>%1 holds no weights: expected .metadata with *.distcp, model.safetensors or pytorch_model.bin, or an index of these</source>
        <translation>%1 enthält keine Gewichte: erwartet werden .metadata mit *.distcp, model.safetensors oder pytorch_model.bin oder ein Index davon</translation>
    </message>
    <message>
        <source>%1 names no tensors</source>
        <translation>%1 nennt keine Tensoren</translation>
    </message>
    <message>
        <source>%1: safetensors has no type for the elements of '%2'</source>
        <translation>%1: safetensors hat keinen Typ für die Elemente von '%2'</translation>
    </message>
    <message>
        <source>%1: the shape of '%2' is too large</source>
        <translation>%1: die Form von '%2' ist zu groß</translation>
    </message>
    <message>
        <source>%1 has names of wrapped modules, whose part %2 was left out</source>
        <translation>%1 hat Namen umhüllter Module, deren Teil %2 weggelassen wurde</translation>
    </message>
    <message>
        <source>%1 has no files of DeepSpeed's optimizer, so the weights are those of the module, in its type</source>
        <translation>%1 hat keine Dateien von DeepSpeeds Optimizer, daher sind die Gewichte die des Moduls, in dessen Typ</translation>
    </message>
    <message>
        <source>%1 is read, the only file of weights in its folder</source>
        <translation>Gelesen wird %1, die einzige Datei mit Gewichten in ihrem Ordner</translation>
    </message>
    <message>
        <source>the checkpoint (%1) holds no tensors</source>
        <translation>der Checkpoint (%1) enthält keine Tensoren</translation>
    </message>
    <message>
        <source>%1 ranks: use 1 to 65,536</source>
        <translation>%1 Ranks: 1 bis 65.536 verwenden</translation>
    </message>
    <message>
        <source>torch has no type for the elements of '%1' (%2)</source>
        <translation>torch hat keinen Typ für die Elemente von '%1' (%2)</translation>
    </message>
    <message>
        <source>what was written of '%1' is not what was read: the disk of %2 is not to be trusted, nothing was changed</source>
        <translation>von '%1' wurde etwas anderes geschrieben als gelesen: der Platte von %2 ist nicht zu trauen, nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 holds other weights (%2), which readers would take for these: name another folder, or remove them</source>
        <translation>%1 enthält andere Gewichte (%2), die Leser für diese halten würden: einen anderen Ordner angeben oder sie entfernen</translation>
    </message>
    <message>
        <source>%1 has no file 'latest'</source>
        <translation>%1 hat keine Datei 'latest'</translation>
    </message>
    <message>
        <source>%1 names %2, which is missing</source>
        <translation>%1 nennt %2, das fehlt</translation>
    </message>
    <message>
        <source>%1: %2, the newest whole step, is read</source>
        <translation>%1: gelesen wird %2, der neueste vollständige Schritt</translation>
    </message>
    <message>
        <source>%1 has no *%2, which names the parameters: the checkpoint was not saved to its end</source>
        <translation>%1 hat kein *%2, das die Parameter nennt: der Checkpoint wurde nicht zu Ende gespeichert</translation>
    </message>
    <message>
        <source>%1 is not a file of a whole ZeRO checkpoint: %2</source>
        <translation>%1 ist keine Datei eines vollständigen ZeRO-Checkpoints: %2</translation>
    </message>
    <message>
        <source>it names no stage of ZeRO from 1 to 3</source>
        <translation>sie nennt keine ZeRO-Stufe von 1 bis 3</translation>
    </message>
    <message>
        <source>it is of stage %1, and the first file of stage %2</source>
        <translation>sie ist von Stufe %1 und die erste Datei von Stufe %2</translation>
    </message>
    <message>
        <source>it has no list '%1'</source>
        <translation>ihr fehlt die Liste '%1'</translation>
    </message>
    <message>
        <source>it has %1 groups of parameters, and the first file %2</source>
        <translation>sie hat %1 Parametergruppen und die erste Datei %2</translation>
    </message>
    <message>
        <source>an item of '%1' is no flat tensor of float32</source>
        <translation>ein Element von '%1' ist kein flacher Tensor aus float32</translation>
    </message>
    <message>
        <source>%1 was saved by %2 ranks, and there are %3 files *%4: copy those of one checkpoint</source>
        <translation>%1 wurde von %2 Ranks gespeichert, und es gibt %3 Dateien *%4: die Dateien eines Checkpoints kopieren</translation>
    </message>
    <message>
        <source>%1 was saved by %2 ranks, and there are %3 files *%4: copy %5</source>
        <translation>%1 wurde von %2 Ranks gespeichert, und es gibt %3 Dateien *%4: %5 kopieren</translation>
    </message>
    <message>
        <source>it has no list 'param_shapes'</source>
        <translation>ihr fehlt die Liste 'param_shapes'</translation>
    </message>
    <message>
        <source>an item of 'param_shapes' is no dictionary</source>
        <translation>ein Element von 'param_shapes' ist kein Dictionary</translation>
    </message>
    <message>
        <source>an entry of 'param_shapes' is no name with a shape</source>
        <translation>ein Eintrag von 'param_shapes' ist kein Name mit Form</translation>
    </message>
    <message>
        <source>it has %1 groups of parameters, and the optimizer's files have %2</source>
        <translation>sie hat %1 Parametergruppen und die Dateien des Optimizers %2</translation>
    </message>
    <message>
        <source>the buffer '%1' does not lie in one piece</source>
        <translation>der Buffer '%1' liegt nicht an einem Stück</translation>
    </message>
    <message>
        <source>it has no part of the frozen parameter '%1'</source>
        <translation>ihr fehlt der Teil des eingefrorenen Parameters '%1'</translation>
    </message>
    <message>
        <source>the parts of the frozen parameter '%1' are %2 elements short</source>
        <translation>den Teilen des eingefrorenen Parameters '%1' fehlen %2 Elemente</translation>
    </message>
    <message>
        <source>it is %1 elements short of '%2'</source>
        <translation>ihr fehlen %1 Elemente von '%2'</translation>
    </message>
    <message>
        <source>%1 is %2 elements short of '%3': a file of the checkpoint is from another one</source>
        <translation>%1 fehlen %2 Elemente von '%3': eine Datei des Checkpoints stammt aus einem anderen</translation>
    </message>
    <message>
        <source>%1 holds %2 elements where its parameters need %3: files of different checkpoints are mixed</source>
        <translation>%1 enthält %2 Elemente, die Parameter brauchen aber %3: Dateien verschiedener Checkpoints sind vermischt</translation>
    </message>
</context>
<context>
    <name>engine/inference</name>
    <message>
        <source>max_memory: '%1' is no device: give numbers of accelerators, cpu or disk</source>
        <translation>max_memory: '%1' ist kein Gerät: Nummern von Beschleunigern, cpu oder disk angeben</translation>
    </message>
    <message>
        <source>max_memory: %1=%2 is no size: give one such as 200MB or 10GiB</source>
        <translation>max_memory: %1=%2 ist keine Größe: eine wie 200MB oder 10GiB angeben</translation>
    </message>
    <message>
        <source>how much memory the devices '%1' have is not known: give it with max_memory, such as 0=10GiB</source>
        <translation>wie viel Speicher die Geräte '%1' haben, ist nicht bekannt: mit max_memory angeben, z. B. 0=10GiB</translation>
    </message>
    <message>
        <source>device_map '%1' is neither auto, balanced, balanced_low_0, sequential, a device (cpu, disk, 0, cuda:1), nor a JSON file with a map</source>
        <translation>device_map '%1' ist weder auto, balanced, balanced_low_0, sequential, ein Gerät (cpu, disk, 0, cuda:1) noch eine JSON-Datei mit einer Zuordnung</translation>
    </message>
    <message>
        <source>max_memory has no effect on a device map that is given: it limits auto, balanced, balanced_low_0 and sequential</source>
        <translation>max_memory wirkt nicht auf eine vorgegebene Gerätezuordnung: Es begrenzt auto, balanced, balanced_low_0 und sequential</translation>
    </message>
    <message>
        <source>the device map says of %1 tensors not where they are: %2 ...</source>
        <translation>die Gerätezuordnung gibt für %1 Tensoren nicht an, wo sie liegen: %2 ...</translation>
    </message>
    <message>
        <source>the device map says of %1 tensors not where they are: %2</source>
        <translation>die Gerätezuordnung gibt für %1 Tensoren nicht an, wo sie liegen: %2</translation>
    </message>
    <message>
        <source>the device map names '%1', which the model does not have</source>
        <translation>die Gerätezuordnung nennt '%1', was das Modell nicht hat</translation>
    </message>
    <message>
        <source>the device map names the device '%1': devices are numbers of accelerators, also as cuda:0, cpu and disk</source>
        <translation>die Gerätezuordnung nennt das Gerät '%1': Geräte sind Nummern von Beschleunigern, auch als cuda:0, sowie cpu und disk</translation>
    </message>
    <message>
        <source>weights of this model are offloaded, so it can be used but not trained: train it on devices that hold it</source>
        <translation>Gewichte dieses Modells sind ausgelagert, es kann daher verwendet, aber nicht trainiert werden: auf Geräten trainieren, die es fassen</translation>
    </message>
    <message>
        <source>%1 has no value yet: load a checkpoint into the model before it is dispatched</source>
        <translation>%1 hat noch keinen Wert: einen Checkpoint in das Modell laden, bevor es verteilt wird</translation>
    </message>
    <message>
        <source>the device map puts %1 on disk: name a folder for it (offload_dir)</source>
        <translation>die Gerätezuordnung legt %1 auf die Platte: einen Ordner dafür angeben (offload_dir)</translation>
    </message>
    <message>
        <source>%1: '%2' has another shape than the model's</source>
        <translation>%1: '%2' hat eine andere Form als im Modell</translation>
    </message>
    <message>
        <source>layerwise casting stores and computes floating-point numbers, not %1</source>
        <translation>schichtweise Umwandlung speichert und rechnet mit Gleitkommazahlen, nicht mit %1</translation>
    </message>
    <message>
        <source>skip_modules_pattern: '%1' is no regular expression</source>
        <translation>skip_modules_pattern: '%1' ist kein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>%1 has no value yet: load a checkpoint before its weights are cast</source>
        <translation>%1 hat noch keinen Wert: einen Checkpoint laden, bevor seine Gewichte umgewandelt werden</translation>
    </message>
    <message>
        <source>%1 has the shape [%2] instead of [%3]</source>
        <translation>%1 hat die Form [%2] statt [%3]</translation>
    </message>
    <message>
        <source>%1 has an adapter and not the model that it was trained beside: name that model, and give this folder as its adapter (--adapter)</source>
        <translation>%1 enthält einen Adapter und nicht das Modell, neben dem er trainiert wurde: dieses Modell nennen und diesen Ordner als dessen Adapter angeben (--adapter)</translation>
    </message>
    <message>
        <source>it is of another model</source>
        <translation>er gehört zu einem anderen Modell</translation>
    </message>
    <message>
        <source>%1 has no tensor %2: it is of another model</source>
        <translation>%1 hat keinen Tensor %2: gehört zu einem anderen Modell</translation>
    </message>
    <message>
        <source>%1 has no tensor %2: %3</source>
        <translation>%1 hat keinen Tensor %2: %3</translation>
    </message>
    <message>
        <source>%1 has a head of its own, %2, which differs from %3, and the model has one tensor for both: set tie_word_embeddings to false</source>
        <translation>%1 enthält eine eigene Ausgabeschicht, %2, die sich von %3 unterscheidet, und das Modell hat für beide nur einen Tensor: tie_word_embeddings auf false setzen</translation>
    </message>
    <message>
        <source>%1 has tensors that the model lacks: %2</source>
        <translation>%1 hat Tensoren, die dem Modell fehlen: %2</translation>
    </message>
    <message>
        <source>%1 has tensors that the model does not use: %2</source>
        <translation>%1 hat Tensoren, die das Modell nicht verwendet: %2</translation>
    </message>
    <message>
        <source>%1 has %2 in elements of type %3: give weights as F32, F16 or BF16</source>
        <translation>%1 enthält %2 in Elementen vom Typ %3: Gewichte als F32, F16 oder BF16 angeben</translation>
    </message>
    <message>
        <source>%1 is to be read from disk, and %2 is %3, whose tensors lie in no file as they are: name a folder for them (offload_folder)</source>
        <translation>%1 soll von der Platte gelesen werden, und %2 ist %3, dessen Tensoren in keiner Datei so liegen, wie sie sind: einen Ordner dafür angeben (offload_folder)</translation>
    </message>
    <message>
        <source>split_points names %1 blocks, and %2 ranks need %3: name the block that each rank but the first begins with</source>
        <translation>split_points nennt %1 Blöcke, %2 Ranks brauchen %3: den Block angeben, mit dem jeder Rank außer dem ersten beginnt</translation>
    </message>
    <message>
        <source>split_points: '%1' is not a block of the model: they are %2</source>
        <translation>split_points: '%1' ist kein Block des Modells: Es sind %2</translation>
    </message>
    <message>
        <source>split_points: '%1' would leave a stage without blocks: name blocks behind the first one, in their order</source>
        <translation>split_points: Mit '%1' bliebe eine Stufe ohne Blöcke: Blöcke hinter dem ersten in ihrer Reihenfolge angeben</translation>
    </message>
    <message>
        <source>pipeline inference needs a batch on rank 0: a dictionary of tensors, input_ids and what else the model takes</source>
        <translation>Pipeline-Inferenz braucht einen Batch auf Rank 0: ein Dictionary von Tensoren, input_ids und was das Modell sonst noch nimmt</translation>
    </message>
    <message>
        <source>pipeline inference computes logits and no loss: leave 'labels' out of the batch</source>
        <translation>Pipeline-Inferenz berechnet Logits und keinen Loss: 'labels' im Batch weglassen</translation>
    </message>
    <message>
        <source>'%1' of the batch is not a tensor with rows</source>
        <translation>'%1' des Batches ist kein Tensor mit Zeilen</translation>
    </message>
    <message>
        <source>'%1' of the batch has %2 rows, and '%3' has %4: all tensors need as many</source>
        <translation>'%1' des Batches hat %2 Zeilen, '%3' hat %4: Alle Tensoren brauchen gleich viele</translation>
    </message>
    <message>
        <source>the batch of pipeline inference has no rows</source>
        <translation>der Batch der Pipeline-Inferenz hat keine Zeilen</translation>
    </message>
    <message>
        <source>%1 is not cut into pipeline stages: use one rank</source>
        <translation>%1 wird nicht in Pipeline-Stufen geteilt: einen einzigen Rank verwenden</translation>
    </message>
    <message>
        <source>num_chunks is %1: give 1 or more, or 0 for as many as ranks</source>
        <translation>num_chunks ist %1: 1 oder mehr angeben, oder 0 für so viele wie Ranks</translation>
    </message>
    <message>
        <source>%1 has modules_to_save %2, and the model has none of them: it is of another model or task</source>
        <translation>%1 hat modules_to_save %2, die das Modell nicht hat: Der Adapter gehört zu einem anderen Modell oder einer anderen Aufgabe</translation>
    </message>
    <message>
        <source>%1 brings %2, which is tied to the output layer here: merge it with PEFT</source>
        <translation>%1 bringt %2 mit, das hier an die Ausgabeschicht gekoppelt ist: mit PEFT zusammenführen</translation>
    </message>
    <message>
        <source>%1 brings %2, and so does another adapter: use one of them</source>
        <translation>%1 bringt %2 mit, ein anderer Adapter auch: nur einen davon verwenden</translation>
    </message>
    <message>
        <source>%1 brings whole tensors (%2), which cannot count %3 times: leave the weight out</source>
        <translation>%1 bringt ganze Tensoren mit (%2), die nicht %3-fach zählen können: das Gewicht weglassen</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2': it cannot be taken out of a model, because what it changed follows from the original weights alone</source>
        <translation>%1 hat init_lora_weights „%2“: Er lässt sich nicht aus einem Modell herausnehmen, denn was er geändert hat, folgt allein aus den ursprünglichen Gewichten</translation>
    </message>
    <message>
        <source>%1 has init_lora_weights '%2', a decomposition with random numbers that cannot be repeated: the exact one is subtracted from the weights instead, and the result may differ from the trained model; convert the adapter with PEFT (path_initial_model_for_weight_conversion of save_pretrained)</source>
        <translation>%1 hat init_lora_weights „%2“, eine Zerlegung mit Zufallszahlen, die sich nicht wiederholen lässt: Stattdessen wird die genaue von den Gewichten abgezogen, und das Ergebnis kann vom trainierten Modell abweichen; den Adapter mit PEFT umwandeln (path_initial_model_for_weight_conversion von save_pretrained)</translation>
    </message>
    <message>
        <source>a model that it does not name</source>
        <translation>eines Modells, das er nicht nennt</translation>
    </message>
    <message>
        <source>%1 is an adapter of a model that it does not name, which is no folder with a config.json here: give the model's folder, and this one as --adapter</source>
        <translation>%1 ist ein Adapter eines Modells, das er nicht nennt und das hier kein Ordner mit einer config.json ist: den Ordner des Modells angeben und diesen als --adapter</translation>
    </message>
    <message>
        <source>%1 is an adapter of %2, which is no folder with a config.json here: give the model's folder, and this one as --adapter</source>
        <translation>%1 ist ein Adapter von %2, das hier kein Ordner mit einer config.json ist: den Ordner des Modells angeben und diesen als --adapter</translation>
    </message>
    <message>
        <source>a text to go on from has at least one token: give a prompt</source>
        <translation>ein Text, der fortgesetzt wird, hat mindestens ein Token: einen Prompt angeben</translation>
    </message>
    <message>
        <source>the prompt has %1 tokens, and the model sees %2: shorten it</source>
        <translation>der Prompt hat %1 Tokens, das Modell sieht %2: den Prompt kürzen</translation>
    </message>
    <message>
        <source>%1: %2 is %3 and must be %4</source>
        <translation>%1: %2 ist %3 und muss %4 sein</translation>
    </message>
    <message>
        <source>a token id, a list of token ids, or null</source>
        <translation>eine Token-Nummer, eine Liste davon oder null</translation>
    </message>
    <message>
        <source>beams that are stopped by no estimate are not computed here</source>
        <translation>Strahlen, die keine Schätzung beendet, werden hier nicht berechnet</translation>
    </message>
    <message>
        <source>beams draw nothing here</source>
        <translation>Strahlensuche zieht hier keine Tokens</translation>
    </message>
    <message>
        <source>this version does not compute it</source>
        <translation>diese Version berechnet es nicht</translation>
    </message>
    <message>
        <source>%1: %2 is %3, which is not used: %4</source>
        <translation>%1: %2 ist %3 und wird nicht verwendet: %4</translation>
    </message>
    <message>
        <source>%1 names no eos_token_id, so texts end at no token, as in transformers; the %2 of config.json is not used: write it there, too</source>
        <translation>%1 nennt kein eos_token_id, daher enden Texte wie in transformers an keinem Token; %2 aus config.json wird nicht verwendet: dort ebenfalls eintragen</translation>
    </message>
    <message>
        <source>%1 has no tokenizer.json, and the model has %2 tokens, which are no bytes: name its tokenizer (--tokenizer)</source>
        <translation>%1 hat keine tokenizer.json, und das Modell hat %2 Tokens, die keine Bytes sind: seinen Tokenizer angeben (--tokenizer)</translation>
    </message>
    <message>
        <source>%1 is a model for %2, which does not continue texts</source>
        <translation>%1 ist ein Modell für %2, das keine Texte fortsetzt</translation>
    </message>
    <message>
        <source>the tokenizer has the token %1, the model %2 tokens: it is of another model</source>
        <translation>der Tokenizer hat das Token %1, das Modell %2 Tokens: Er gehört zu einem anderen Modell</translation>
    </message>
    <message>
        <source>the prompt has %1 tokens, and max_length of the model's generation_config.json is %2, prompt included: give max_new_tokens</source>
        <translation>der Prompt hat %1 Tokens, und max_length in generation_config.json des Modells ist einschließlich Prompt %2: max_new_tokens angeben</translation>
    </message>
    <message>
        <source>dtype '%1' is none to compute in: float32, bfloat16, float16 or auto</source>
        <translation>mit dtype '%1' kann nicht gerechnet werden: float32, bfloat16, float16 oder auto</translation>
    </message>
    <message>
        <source>storage_dtype '%1' is none to store weights in: float8_e4m3fn, float8_e5m2, bfloat16 or float16</source>
        <translation>mit storage_dtype '%1' können keine Gewichte gespeichert werden: float8_e4m3fn, float8_e5m2, bfloat16 oder float16</translation>
    </message>
    <message>
        <source>several processes hold a stage of the model each, in the processor's memory: leave the device map, limits of memory and the storage dtype out, or use one process</source>
        <translation>mehrere Prozesse halten je eine Stufe des Modells im Speicher des Prozessors: Device-Map, Speichergrenzen und Speicher-dtype weglassen oder einen Prozess verwenden</translation>
    </message>
    <message>
        <source>%1 changes weights of the model itself, which only one process does: merge it first (trainyard merge-adapter)</source>
        <translation>%1 ändert Gewichte des Modells selbst, was nur ein einzelner Prozess kann: zuerst zusammenführen (trainyard merge-adapter)</translation>
    </message>
    <message>
        <source>%1 changes weights of the model itself, which only a model in the processor's memory takes: merge it first (trainyard merge-adapter)</source>
        <translation>%1 ändert Gewichte des Modells selbst, was nur bei einem Modell im Hauptspeicher geht: zuerst zusammenführen (trainyard merge-adapter)</translation>
    </message>
    <message>
        <source>%1: there is no such folder</source>
        <translation>%1: Diesen Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>dtype '%1' cannot be written: give float32, bfloat16, float16 or auto</source>
        <translation>dtype „%1“ kann nicht geschrieben werden: float32, bfloat16, float16 oder auto angeben</translation>
    </message>
    <message>
        <source>%1 has values after the merge that %2 cannot hold, or that are not finite: check the adapter, or give --dtype float32</source>
        <translation>%1 hat nach dem Zusammenführen Werte, die %2 nicht darstellen kann oder die nicht endlich sind: den Adapter prüfen oder --dtype float32 angeben</translation>
    </message>
    <message>
        <source>%1 has no tensor %2</source>
        <translation>%1 enthält keinen Tensor %2</translation>
    </message>
    <message>
        <source>%1 has no adapter, and none was named: there is nothing to merge</source>
        <translation>%1 hat keinen Adapter, und es wurde keiner angegeben: Es gibt nichts zusammenzuführen</translation>
    </message>
    <message>
        <source>must be at least 1</source>
        <translation>muss mindestens 1 sein</translation>
    </message>
    <message>
        <source>must be above 0: do_sample no takes the most likely token</source>
        <translation>muss über 0 sein: do_sample no nimmt das wahrscheinlichste Token</translation>
    </message>
    <message>
        <source>must be at least 0</source>
        <translation>muss mindestens 0 sein</translation>
    </message>
    <message>
        <source>must be above 0 and at most 1</source>
        <translation>muss über 0 und höchstens 1 sein</translation>
    </message>
    <message>
        <source>must be from 1 to 64</source>
        <translation>muss zwischen 1 und 64 liegen</translation>
    </message>
    <message>
        <source>beams take the most likely texts and draw nothing: set do_sample to no, or num_beams to 1</source>
        <translation>Beams nehmen die wahrscheinlichsten Texte und ziehen nichts: do_sample auf no oder num_beams auf 1 setzen</translation>
    </message>
</context>
<context>
    <name>engine/launch</name>
    <message>
        <source>%1 machines, but --hosts names %2: leave --num_machines out</source>
        <translation>%1 Maschinen, aber --hosts nennt %2: --num_machines weglassen</translation>
    </message>
    <message>
        <source>%1 processes, but --hosts names %2: leave --num_processes out</source>
        <translation>%1 Prozesse, aber --hosts nennt %2: --num_processes weglassen</translation>
    </message>
    <message>
        <source>--hosts gives no number of processes for %1 of its machines: %2 each is assumed, as this machine has devices; write host:number to say another</source>
        <translation>--hosts nennt für %1 der Maschinen keine Anzahl von Prozessen: je %2 werden angenommen, so viele wie dieser Rechner Geräte hat; host:Zahl schreiben, um eine andere zu nennen</translation>
    </message>
    <message>
        <source>num_processes is %1, but %2 in the environment say that an MPI launcher started this command %3 times, and each starts at least one process: give --num_processes %4 or more; if no MPI launcher did, give --num_machines 1, or unset %5</source>
        <translation>num_processes ist %1, aber laut %2 in der Umgebung hat ein MPI-Starter diesen Befehl %3-mal gestartet, und jeder startet mindestens einen Prozess: --num_processes %4 oder mehr angeben; war es kein MPI-Starter, --num_machines 1 angeben oder %5 mit unset entfernen</translation>
    </message>
    <message>
        <source>%1 in the environment say that an MPI launcher started this command %2 times: this is machine %3 of %4; if none did, give --num_machines 1, or unset %5</source>
        <translation>laut %1 in der Umgebung hat ein MPI-Starter diesen Befehl %2-mal gestartet: dies ist Maschine %3 von %4; war es keiner, --num_machines 1 angeben oder %5 mit unset entfernen</translation>
    </message>
    <message>
        <source>main_process_ip is missing: %1 in the environment say that an MPI launcher started this command %2 times, which meet at the address of the first one: give its address; if no MPI launcher did, give --num_machines 1, or unset %3</source>
        <translation>main_process_ip fehlt: laut %1 in der Umgebung hat ein MPI-Starter diesen Befehl %2-mal gestartet, und alle treffen sich an der Adresse des ersten: dessen Adresse angeben; war es kein MPI-Starter, --num_machines 1 angeben oder %3 mit unset entfernen</translation>
    </message>
    <message>
        <source>SLURM's variables are not used: %1</source>
        <translation>die Variablen von SLURM werden nicht verwendet: %1</translation>
    </message>
    <message>
        <source>SLURM's variables are not used: this machine, %1, is not one of the machines of job %2 (SLURM_JOB_NODELIST=%3); start the command there with srun, or unset SLURM_JOB_ID if the job is over</source>
        <translation>SLURMs Variablen werden nicht benutzt: diese Maschine, %1, gehört nicht zu Auftrag %2 (SLURM_JOB_NODELIST=%3); den Befehl dort mit srun starten, oder SLURM_JOB_ID mit unset entfernen, wenn der Auftrag vorbei ist</translation>
    </message>
    <message>
        <source>srun starts this command more than once on this machine (SLURM_LOCALID=%1), and the first one starts all ranks of the machine: give srun --ntasks-per-node=1, or --num_machines if each is a launch of its own</source>
        <translation>srun startet diesen Befehl mehrmals auf dieser Maschine (SLURM_LOCALID=%1), und der erste startet alle Ranks der Maschine: srun --ntasks-per-node=1 angeben, oder --num_machines, wenn jeder ein eigener Start ist</translation>
    </message>
    <message>
        <source>this step of SLURM job %1 has %2 of its %3 machines (SLURM_STEP_NODELIST=%4): the others take no part; start the command with srun --nodes=%5 to use all</source>
        <translation>dieser Schritt von SLURM-Auftrag %1 hat %2 seiner %3 Maschinen (SLURM_STEP_NODELIST=%4): die anderen nehmen nicht teil; den Befehl mit srun --nodes=%5 starten, um alle zu nutzen</translation>
    </message>
    <message>
        <source>SLURM allocation of %1 machines found (SLURM_JOB_ID=%2): this is machine %3 of them, the main one is %4; start the same command on each of them with srun, or give --num_machines 1</source>
        <translation>SLURM-Zuteilung von %1 Maschinen gefunden (SLURM_JOB_ID=%2): dies ist Maschine %3, die Hauptmaschine ist %4; denselben Befehl mit srun auf jeder starten, oder --num_machines 1 angeben</translation>
    </message>
    <message>
        <source>the settings file does not say how many processes there are: give --num_processes</source>
        <translation>die Einstellungsdatei sagt nicht, wie viele Prozesse es sind: --num_processes angeben</translation>
    </message>
    <message>
        <source>%1 does not say how many processes there are: give --num_processes</source>
        <translation>%1 sagt nicht, wie viele Prozesse es sind: --num_processes angeben</translation>
    </message>
    <message>
        <source>launch needs a program: trainyard launch [flags] RECIPE.yaml, or SCRIPT.py with its arguments</source>
        <translation>launch braucht ein Programm: trainyard launch [Optionen] REZEPT.yaml oder SKRIPT.py mit seinen Argumenten</translation>
    </message>
    <message>
        <source>'%1' stands behind the recipe: a recipe takes no arguments</source>
        <translation>'%1' steht hinter dem Rezept: ein Rezept nimmt keine Argumente</translation>
    </message>
    <message>
        <source>unknown flag '%1' of launch</source>
        <translation>unbekannte Option '%1' von launch</translation>
    </message>
    <message>
        <source>%1: did you mean '%2'?</source>
        <translation>%1: war '%2' gemeint?</translation>
    </message>
    <message>
        <source>%1: trainyard launch --help lists them</source>
        <translation>%1: trainyard launch --help zählt sie auf</translation>
    </message>
    <message>
        <source>a value must follow</source>
        <translation>ein Wert muss folgen</translation>
    </message>
    <message>
        <source>'%1' is neither true nor false: give the flag alone, or =false</source>
        <translation>'%1' ist weder true noch false: die Option allein angeben oder =false</translation>
    </message>
    <message>
        <source>'%1' is not a number</source>
        <translation>'%1' ist keine Zahl</translation>
    </message>
    <message>
        <source>'%1' is not a whole number</source>
        <translation>'%1' ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>name a file</source>
        <translation>eine Datei angeben</translation>
    </message>
    <message>
        <source>--hosts names the hosts already: give one of the two</source>
        <translation>--hosts nennt die Hosts schon: eines von beiden angeben</translation>
    </message>
    <message>
        <source>'%1' is not a machine: write name or name:ranks, e.g. gpu-a:4,gpu-b:2</source>
        <translation>'%1' ist keine Maschine: Name oder Name:Ranks schreiben, z. B. gpu-a:4,gpu-b:2</translation>
    </message>
    <message>
        <source>'%1' stands there twice: give its ranks once</source>
        <translation>'%1' steht zweimal da: die Ranks einmal angeben</translation>
    </message>
    <message>
        <source>'%1' is no host: write `name slots=4`</source>
        <translation>'%1' ist kein Host: `name slots=4` schreiben</translation>
    </message>
    <message>
        <source>%1 stands in line %2 already: give its slots once</source>
        <translation>%1 steht schon in Zeile %2: die Slots einmal angeben</translation>
    </message>
    <message>
        <source>no host is named: write one `name slots=4` a line</source>
        <translation>kein Host ist genannt: je Zeile einen `name slots=4` schreiben</translation>
    </message>
    <message>
        <source>Trainyard's library does not shard parameters: every rank has a replica</source>
        <translation>die Bibliothek von Trainyard teilt Parameter nicht auf: jeder Rang hat eine Kopie</translation>
    </message>
    <message>
        <source>Trainyard's own ZeRO does not need it</source>
        <translation>das ZeRO von Trainyard braucht es nicht</translation>
    </message>
    <message>
        <source>Trainyard's library does not read it</source>
        <translation>die Bibliothek von Trainyard liest es nicht</translation>
    </message>
    <message>
        <source>the engine's kernels are compiled already: there is no Python to compile</source>
        <translation>die Kernel der Engine sind bereits übersetzt: es gibt kein Python zu übersetzen</translation>
    </message>
    <message>
        <source>the engine computes in fp32, bf16 or fp16</source>
        <translation>die Engine rechnet in fp32, bf16 oder fp16</translation>
    </message>
    <message>
        <source>%1 %2 of %3 has no effect: %4</source>
        <translation>%1 %2 von %3 hat keine Wirkung: %4</translation>
    </message>
    <message>
        <source>%1 %2 has no effect: %3</source>
        <translation>%1 %2 hat keine Wirkung: %3</translation>
    </message>
    <message>
        <source>neither mpirun nor mpiexec was found: install Open MPI, Intel MPI or MVAPICH, or leave the host file out</source>
        <translation>weder mpirun noch mpiexec wurde gefunden: Open MPI, Intel MPI oder MVAPICH installieren oder die Hostdatei weglassen</translation>
    </message>
    <message>
        <source>a mesh needs FSDP version 2: give --use_fsdp --fsdp_version 2, too</source>
        <translation>ein Mesh braucht FSDP-Version 2: auch --use_fsdp --fsdp_version 2 angeben</translation>
    </message>
    <message>
        <source>a mesh needs FSDP version 2 or DeepSpeed: set fsdp_version to 2 in fsdp_config, or remove parallelism_config</source>
        <translation>ein Mesh braucht FSDP-Version 2 oder DeepSpeed: fsdp_version in fsdp_config auf 2 setzen oder parallelism_config entfernen</translation>
    </message>
    <message>
        <source>the %1 devices of this machine cannot compute in bf16: give fp16 or no</source>
        <translation>die %1-Geräte dieses Rechners können nicht in bf16 rechnen: fp16 oder no angeben</translation>
    </message>
    <message>
        <source>fp8 needs Transformer Engine, MS-AMP or torchao, and none of them is installed: install one, or give bf16</source>
        <translation>fp8 braucht Transformer Engine, MS-AMP oder torchao, und nichts davon ist installiert: eines installieren oder bf16 angeben</translation>
    </message>
    <message>
        <source>which of the %1 machines this is must be known: give --machine_rank, 0 to %2</source>
        <translation>welche der %1 Maschinen dies ist, muss bekannt sein: --machine_rank von 0 bis %2 angeben</translation>
    </message>
    <message>
        <source>DeepSpeed starts as many processes on each machine, but %1 cannot be shared out over %2: give %3, or a deepspeed_inclusion_filter</source>
        <translation>DeepSpeed startet auf jeder Maschine gleich viele Prozesse, aber %1 lassen sich nicht auf %2 verteilen: %3 oder einen deepspeed_inclusion_filter angeben</translation>
    </message>
    <message>
        <source>only the first process reads the weights (fsdp_cpu_ram_efficient_loading), so the others must receive them: set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to false</source>
        <translation>nur der erste Prozess liest die Gewichte (fsdp_cpu_ram_efficient_loading), also müssen die anderen sie erhalten: fsdp_sync_module_states auf true oder fsdp_cpu_ram_efficient_loading auf false setzen</translation>
    </message>
    <message>
        <source>%1 exclude each other: give one of them</source>
        <translation>%1 schließen einander aus: eines davon angeben</translation>
    </message>
    <message>
        <source>--use_megatron_lm and --%1 exclude each other: give one of them</source>
        <translation>--use_megatron_lm und --%1 schließen einander aus: eines davon angeben</translation>
    </message>
    <message>
        <source>--module and --no_python exclude each other: a module needs Python</source>
        <translation>--module und --no_python schließen einander aus: ein Modul braucht Python</translation>
    </message>
    <message>
        <source>--multi_gpu needs 2 processes at least: give more, or leave --multi_gpu out</source>
        <translation>--multi_gpu braucht mindestens 2 Prozesse: mehr angeben oder --multi_gpu weglassen</translation>
    </message>
    <message>
        <source>a mesh needs FSDP 2, and SageMaker has none: leave the flag out</source>
        <translation>ein Mesh braucht FSDP 2, und SageMaker hat keines: die Option weglassen</translation>
    </message>
    <message>
        <source>the settings file is for Amazon SageMaker, this flag starts on this machine: give another file with --config_file, or leave the flag out</source>
        <translation>die Einstellungsdatei ist für Amazon SageMaker, diese Option startet auf diesem Rechner: mit --config_file eine andere Datei angeben oder die Option weglassen</translation>
    </message>
    <message>
        <source>'%1' is one device, but training on several was asked for: name at least two, or all</source>
        <translation>'%1' ist ein Gerät, aber Training auf mehreren wurde verlangt: mindestens zwei oder all nennen</translation>
    </message>
    <message>
        <source>parallelism_config of the file is not used, since a flag chooses the way of training: add --use_parallelism_config to use it</source>
        <translation>parallelism_config der Datei wird nicht verwendet, da eine Option die Art des Trainings wählt: --use_parallelism_config ergänzen, um es zu verwenden</translation>
    </message>
    <message>
        <source>DeepSpeed is not installed for %1: install the Python package deepspeed, or train with FSDP</source>
        <translation>DeepSpeed ist für %1 nicht installiert: das Python-Paket deepspeed installieren oder mit FSDP trainieren</translation>
    </message>
    <message>
        <source>the usual one, as main_process_port is not set</source>
        <translation>der übliche, da main_process_port nicht gesetzt ist</translation>
    </message>
    <message>
        <source>main_process_port of %1</source>
        <translation>main_process_port aus %1</translation>
    </message>
    <message>
        <source>port %1 (%2) is in use by another program or launch: port %3 is taken instead; give another one with --main_process_port, or 0 for a free one</source>
        <translation>Port %1 (%2) wird von einem anderen Programm oder Start benutzt: stattdessen wird Port %3 genommen; mit --main_process_port einen anderen angeben, oder 0 für einen freien</translation>
    </message>
    <message>
        <source>port %1 of this machine is in use by another program: give another one with --main_process_port, the same on all machines</source>
        <translation>Port %1 dieses Rechners wird von einem anderen Programm benutzt: mit --main_process_port einen anderen angeben, auf allen Maschinen denselben</translation>
    </message>
    <message>
        <source>the driver of these RTX 40 cards cannot exchange data directly: NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set; a driver from 550.40.07 on can</source>
        <translation>der Treiber dieser RTX-40-Karten kann Daten nicht direkt austauschen: NCCL_P2P_DISABLE und NCCL_IB_DISABLE werden gesetzt; ein Treiber ab 550.40.07 kann es</translation>
    </message>
    <message>
        <source>%1 processes cannot be shared out over %2 machines as asked: each needs one at least, and --hosts must add up</source>
        <translation>%1 Prozesse lassen sich nicht wie verlangt auf %2 Maschinen verteilen: jede braucht mindestens einen, und --hosts muss die Summe ergeben</translation>
    </message>
    <message>
        <source>--hosts has no effect: DeepSpeed's host file says how many ranks each machine has</source>
        <translation>--hosts hat keine Wirkung: die Hostdatei von DeepSpeed sagt, wie viele Ranks jede Maschine hat</translation>
    </message>
    <message>
        <source>DeepSpeed starts other machines by a host file with lines `name slots=N`: name it with --deepspeed_hostfile, or use --deepspeed_multinode_launcher standard</source>
        <translation>DeepSpeed startet andere Maschinen über eine Hostdatei mit Zeilen `name slots=N`: mit --deepspeed_hostfile angeben oder --deepspeed_multinode_launcher standard verwenden</translation>
    </message>
    <message>
        <source>nossh needs DeepSpeed 0.14.5, %1 is installed: update it, or take pdsh</source>
        <translation>nossh braucht DeepSpeed 0.14.5, installiert ist %1: aktualisieren oder pdsh nehmen</translation>
    </message>
    <message>
        <source>NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set, as the driver of these RTX 40 cards cannot exchange data directly</source>
        <translation>NCCL_P2P_DISABLE und NCCL_IB_DISABLE werden gesetzt, da der Treiber dieser RTX-40-Karten Daten nicht direkt austauschen kann</translation>
    </message>
    <message>
        <source>%1 does not reach the other machines: DeepSpeed's .deepspeed_env cannot hold blanks, `;`, `&lt;` or `&gt;`</source>
        <translation>%1 erreicht die anderen Maschinen nicht: .deepspeed_env von DeepSpeed kann keine Leerzeichen, `;`, `&lt;` oder `&gt;` enthalten</translation>
    </message>
    <message>
        <source>'%1' has no name: SageMaker takes the script's arguments as --name value</source>
        <translation>'%1' hat keinen Namen: SageMaker nimmt die Argumente des Skripts als --name Wert</translation>
    </message>
    <message>
        <source>%1 has no value: SageMaker cannot pass switches, give every argument one</source>
        <translation>%1 hat keinen Wert: SageMaker kann keine Schalter weitergeben, jedem Argument einen Wert geben</translation>
    </message>
    <message>
        <source>--%1 stands there twice: give it once</source>
        <translation>--%1 steht zweimal da: einmal angeben</translation>
    </message>
    <message>
        <source>%1 cannot be read: name a file of two columns between tabs, with a header</source>
        <translation>%1 kann nicht gelesen werden: eine Datei mit zwei durch Tabulator getrennten Spalten und einer Kopfzeile angeben</translation>
    </message>
    <message>
        <source>%1:%2 has one column: put a tab between the two</source>
        <translation>%1:%2 hat nur eine Spalte: einen Tabulator zwischen die beiden setzen</translation>
    </message>
    <message>
        <source>Amazon's access is missing: set profile in the settings file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment</source>
        <translation>der Zugang zu Amazon fehlt: profile in der Einstellungsdatei oder AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY in der Umgebung setzen</translation>
    </message>
    <message>
        <source>SageMaker starts Python scripts, '%1' is none: name a file that ends in .py, without --module and --no_python</source>
        <translation>SageMaker startet Python-Skripte, '%1' ist keines: eine Datei angeben, die auf .py endet, ohne --module und --no_python</translation>
    </message>
    <message>
        <source>if kind == 'file'</source>
        <translation>if kind == 'file'</translation>
    </message>
    <message>
        <source>on TPU a function of a Python script is started: leave --no_python out</source>
        <translation>auf einer TPU wird eine Funktion eines Python-Skripts gestartet: --no_python weglassen</translation>
    </message>
    <message>
        <source>%1 has no function %2: name the one that trains with --main_training_function</source>
        <translation>%1 hat keine Funktion %2: die trainierende Funktion mit --main_training_function nennen</translation>
    </message>
    <message>
        <source>the pod's name is not known: set tpu_name in the settings file</source>
        <translation>der Name des Pods ist nicht bekannt: tpu_name in der Einstellungsdatei setzen</translation>
    </message>
    <message>
        <source>recipes have no tensor parallelism in this version: set it to 1</source>
        <translation>Rezepte haben in dieser Version keine Tensorparallelität: auf 1 setzen</translation>
    </message>
    <message>
        <source>recipes have no context parallelism in this version: set it to 1</source>
        <translation>Rezepte haben in dieser Version keine Kontextparallelität: auf 1 setzen</translation>
    </message>
    <message>
        <source>recipes have no sequence parallelism in this version: set it to 1</source>
        <translation>Rezepte haben in dieser Version keine Sequenzparallelität: auf 1 setzen</translation>
    </message>
    <message>
        <source>recipes share out optimizer state and gradients (DeepSpeed with zero_stage 1 or 2), not the weights: set it to 1 and dp_replicate_size to the number of replicas</source>
        <translation>Rezepte teilen Optimizer-Zustand und Gradienten auf (DeepSpeed mit zero_stage 1 oder 2), nicht die Gewichte: auf 1 und dp_replicate_size auf die Anzahl der Replikate setzen</translation>
    </message>
    <message>
        <source>ZeRO of recipes shares out over all ranks: set it to 1 and dp_shard_size to their number</source>
        <translation>ZeRO von Rezepten teilt auf alle Ranks auf: auf 1 und dp_shard_size auf deren Anzahl setzen</translation>
    </message>
    <message>
        <source>ZeRO stage 3, which shares out the weights, too, is not there yet: take zero_stage 2</source>
        <translation>ZeRO-Stufe 3, die auch die Gewichte aufteilt, gibt es noch nicht: zero_stage 2 nehmen</translation>
    </message>
    <message>
        <source>offload_optimizer_device %1: recipes keep optimizer state on the device they train on, or, of processors, on a disk (nvme): set it to none</source>
        <translation>offload_optimizer_device %1: Rezepte behalten den Optimizer-Zustand auf dem Gerät, auf dem sie trainieren, oder bei Prozessoren auf einer Platte (nvme): auf none setzen</translation>
    </message>
    <message>
        <source>offload_param_device %1: weights that are trained stay on the device (those of a base beside adapters may lie on disk: model.device_map of the recipe): set it to none</source>
        <translation>offload_param_device %1: Gewichte, die trainiert werden, bleiben auf dem Gerät (die einer Basis neben Adaptern dürfen auf der Platte liegen: model.device_map des Rezepts): auf none setzen</translation>
    </message>
    <message>
        <source>deepspeed_moe_layer_cls_names: no recipe has layers of experts: leave it out</source>
        <translation>deepspeed_moe_layer_cls_names: kein Rezept hat Experten-Layer: weglassen</translation>
    </message>
    <message>
        <source>deepspeed_multinode_launcher %1 is DeepSpeed's own: name the machines with --hosts, or set it to standard</source>
        <translation>deepspeed_multinode_launcher %1 gehört zu DeepSpeed: die Maschinen mit --hosts nennen oder auf standard setzen</translation>
    </message>
    <message>
        <source>%1: recipes keep everything on the device they train on: set it to false</source>
        <translation>%1: Rezepte behalten alles auf dem Gerät, auf dem sie trainieren: auf false setzen</translation>
    </message>
    <message>
        <source>with --use_parallelism_config</source>
        <translation>mit --use_parallelism_config</translation>
    </message>
    <message>
        <source>with --use_parallelism_config, since a flag chooses the way of training</source>
        <translation>mit --use_parallelism_config, da eine Option die Art des Trainings wählt</translation>
    </message>
    <message>
        <source>FSDP, unless it is version 1 with fsdp_sharding_strategy NO_SHARD, or version 2 with parallelism_config_dp_replicate_size and one shard</source>
        <translation>FSDP, außer in Version 1 mit fsdp_sharding_strategy NO_SHARD oder in Version 2 mit parallelism_config_dp_replicate_size und einem Shard</translation>
    </message>
    <message>
        <source>this version trains recipes with data parallelism and ZeRO, not with %1</source>
        <translation>diese Version trainiert Rezepte mit Datenparallelität und ZeRO, nicht mit %1</translation>
    </message>
    <message>
        <source>Assumed, since neither a flag nor a file says them: %1</source>
        <translation>Angenommen, da weder eine Option noch eine Datei sie nennt: %1</translation>
    </message>
    <message>
        <source>%1 is out of range: give %2 or more</source>
        <translation>%1 liegt außerhalb des Bereichs: mindestens %2 angeben</translation>
    </message>
    <message>
        <source>--cpu has no effect: the settings file is for Amazon SageMaker</source>
        <translation>--cpu hat keine Wirkung: die Einstellungsdatei ist für Amazon SageMaker</translation>
    </message>
    <message>
        <source>--%1 has no effect: the settings file is for Amazon SageMaker</source>
        <translation>--%1 hat keine Wirkung: die Einstellungsdatei ist für Amazon SageMaker</translation>
    </message>
    <message>
        <source>%1 devices were found: training on %2 of them; --num_processes 1 trains on one</source>
        <translation>%1 Geräte wurden gefunden: trainiert wird auf %2 davon; --num_processes 1 trainiert auf einem</translation>
    </message>
    <message>
        <source>num_processes is %1: %2 processes are started on the devices, although the type is NO; give --num_processes 1 for one</source>
        <translation>num_processes ist %1: %2 Prozesse werden auf den Geräten gestartet, obwohl der Typ NO ist; für einen --num_processes 1 angeben</translation>
    </message>
    <message>
        <source>%1: distributed_type %2 is not used; the processes share the CPU</source>
        <translation>%1: distributed_type %2 wird nicht benutzt; die Prozesse teilen sich die CPU</translation>
    </message>
    <message>
        <source>%1: %2 is not used; the processes share the CPU</source>
        <translation>%1: %2 wird nicht benutzt; die Prozesse teilen sich die CPU</translation>
    </message>
    <message>
        <source>%1 processes share %2 device: give --num_processes %3, or more of them in --gpu_ids</source>
        <translation>%1 Prozesse teilen sich %2 Gerät: --num_processes %3 angeben oder mehr Geräte in --gpu_ids</translation>
    </message>
    <message>
        <source>%1 processes share %2 devices: give --num_processes %3, or more of them in --gpu_ids</source>
        <translation>%1 Prozesse teilen sich %2 Geräte: --num_processes %3 angeben oder mehr Geräte in --gpu_ids</translation>
    </message>
    <message>
        <source>1 process</source>
        <translation>1 Prozess</translation>
    </message>
    <message>
        <source>no accelerator was found on this machine: 1 process are started all the same; --cpu trains without one</source>
        <translation>auf diesem Rechner wurde kein Beschleuniger gefunden: 1 Prozess wird trotzdem gestartet; --cpu trainiert ohne</translation>
    </message>
    <message>
        <source>no accelerator was found on this machine: %1 processes are started all the same; --cpu trains without one</source>
        <translation>auf diesem Rechner wurde kein Beschleuniger gefunden: %1 Prozesse werden trotzdem gestartet; --cpu trainiert ohne</translation>
    </message>
    <message>
        <source>the environment has %1=%2, which is not a whole number</source>
        <translation>in der Umgebung steht %1=%2, was keine ganze Zahl ist</translation>
    </message>
    <message>
        <source>--%1 no</source>
        <translation>--%1 no</translation>
    </message>
    <message>
        <source>'%1' is not a list of hosts as SLURM writes it: %2</source>
        <translation>'%1' ist keine Liste von Hosts, wie SLURM sie schreibt: %2</translation>
    </message>
    <message>
        <source>a number is missing in the brackets</source>
        <translation>in den Klammern fehlt eine Zahl</translation>
    </message>
    <message>
        <source>a range runs backwards or is too long</source>
        <translation>ein Bereich läuft rückwärts oder ist zu lang</translation>
    </message>
    <message>
        <source>too many hosts</source>
        <translation>zu viele Hosts</translation>
    </message>
    <message>
        <source>a bracket is not closed</source>
        <translation>eine Klammer ist nicht geschlossen</translation>
    </message>
    <message>
        <source>a host's name is missing or has characters that no name has</source>
        <translation>ein Hostname fehlt oder hat Zeichen, die kein Name hat</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>the launcher of this machine was killed: its ranks end with it</source>
        <translation>der Starter dieser Maschine wurde beendet: ihre Ranks enden mit ihm</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no head of a run was met at %1:%2 for %3: no answer: start the machine with --machine_rank 0, or check the address and port</source>
        <translation>unter %1:%2 wurde %3 lang kein Kopf eines Laufs gefunden: keine Antwort: die Maschine mit --machine_rank 0 starten oder Adresse und Port prüfen</translation>
    </message>
    <message>
        <source>no head of a run was met at %1:%2 for %3: %4: start the machine with --machine_rank 0, or check the address and port</source>
        <translation>unter %1:%2 wurde %3 lang kein Kopf eines Laufs gefunden: %4: die Maschine mit --machine_rank 0 starten oder Adresse und Port prüfen</translation>
    </message>
    <message>
        <source>the connection was ended: %1</source>
        <translation>die Verbindung wurde beendet: %1</translation>
    </message>
    <message>
        <source>no contact with the head of the run for %1</source>
        <translation>seit %1 kein Kontakt zum Kopf des Laufs</translation>
    </message>
    <message>
        <source>the head of the run at %1 refuses this machine: %2</source>
        <translation>der Kopf des Laufs auf %1 lehnt diese Maschine ab: %2</translation>
    </message>
    <message>
        <source>it does not keep to the order of the handshake</source>
        <translation>die Reihenfolge des Handshakes wird nicht eingehalten</translation>
    </message>
    <message>
        <source>its challenge is none</source>
        <translation>die Challenge ist keine</translation>
    </message>
    <message>
        <source>whoever listens at %1 does not know the run's secret: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source>
        <translation>wer auf %1 lauscht, kennt das Geheimnis des Laufs nicht: auf allen Maschinen dasselbe TRAINYARD_RUN_SECRET (oder --rdzv_conf key=) setzen</translation>
    </message>
    <message>
        <source>the head of the run at %1:%2 is lost: %3: this machine's ranks are ended</source>
        <translation>der Kopf des Laufs auf %1:%2 ist verloren: %3: die Ranks dieser Maschine werden beendet</translation>
    </message>
    <message>
        <source>the head of the run at %1:%2 is gone: nobody listens there any more</source>
        <translation>der Kopf des Laufs auf %1:%2 ist fort: niemand lauscht dort mehr</translation>
    </message>
    <message>
        <source>the agent of %1 was asked to end by signal %2 (%3)</source>
        <translation>der Agent von %1 wurde durch Signal %2 (%3) zum Beenden aufgefordert</translation>
    </message>
    <message>
        <source>%1: the run is asked to stop; a second signal ends this machine's ranks at once</source>
        <translation>%1: der Lauf wird zum Anhalten aufgefordert; ein zweites Signal beendet die Ranks dieser Maschine sofort</translation>
    </message>
    <message>
        <source>ended by signal %1 (%2)</source>
        <translation>durch Signal %1 (%2) beendet</translation>
    </message>
    <message>
        <source>%1 was turned away: %2 connections are waiting already</source>
        <translation>%1 wurde abgewiesen: %2 Verbindungen warten schon</translation>
    </message>
    <message>
        <source>a connection from %1 was closed: %2</source>
        <translation>eine Verbindung von %1 wurde geschlossen: %2</translation>
    </message>
    <message>
        <source>a connection from %1 was closed: it did not prove that it belongs to this run</source>
        <translation>eine Verbindung von %1 wurde geschlossen: sie hat nicht bewiesen, dass sie zu diesem Lauf gehört</translation>
    </message>
    <message>
        <source>%1 (protocol %2)</source>
        <translation>%1 (Protokoll %2)</translation>
    </message>
    <message>
        <source>the head of the run is Trainyard %1, this machine has %2 (protocol %3): install the same version on both</source>
        <translation>der Kopf des Laufs ist Trainyard %1, diese Maschine hat %2 (Protokoll %3): auf beiden dieselbe Version installieren</translation>
    </message>
    <message>
        <source>%1 was turned away: it has Trainyard %2, this is %3: install the same version on both</source>
        <translation>%1 wurde abgewiesen: dort ist Trainyard %2, hier %3: auf beiden dieselbe Version installieren</translation>
    </message>
    <message>
        <source>at %1:%2 another run is waited for than '%3': check address, port and --rdzv_id</source>
        <translation>auf %1:%2 wird auf einen anderen Lauf als '%3' gewartet: Adresse, Port und --rdzv_id prüfen</translation>
    </message>
    <message>
        <source>%1 was turned away: it wants to join '%2', which is not this run</source>
        <translation>%1 wurde abgewiesen: die Maschine will zu '%2', das ist nicht dieser Lauf</translation>
    </message>
    <message>
        <source>this machine was given another secret than the head of the run: set the same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines</source>
        <translation>diese Maschine hat ein anderes Geheimnis als der Kopf des Laufs: auf allen Maschinen dasselbe TRAINYARD_RUN_SECRET (oder --rdzv_conf key=) setzen</translation>
    </message>
    <message>
        <source>%1 was turned away: it does not know the run's secret</source>
        <translation>%1 wurde abgewiesen: das Geheimnis des Laufs ist dort nicht bekannt</translation>
    </message>
    <message>
        <source>it does not say what it brings</source>
        <translation>es fehlt die Angabe, was mitgebracht wird</translation>
    </message>
    <message>
        <source>it sent a message that is not a JSON object</source>
        <translation>eine Nachricht kam, die kein JSON-Objekt ist</translation>
    </message>
    <message>
        <source>it sent a message that is refused: %1</source>
        <translation>eine Nachricht kam, die abgelehnt wird: %1</translation>
    </message>
    <message>
        <source>it sent output of no rank</source>
        <translation>eine Ausgabe kam, die zu keinem Rank gehört</translation>
    </message>
    <message>
        <source>order of trainyard %1</source>
        <translation>Auftrag von trainyard %1</translation>
    </message>
    <message>
        <source>trainyard %1 reads an order as JSON from its standard input, which this is not: it is started by `trainyard launch`, not by hand</source>
        <translation>trainyard %1 liest einen Auftrag als JSON von der Standardeingabe, die keiner ist: es wird von `trainyard launch` gestartet, nicht von Hand</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>must be a text</source>
        <translation>muss ein Text sein</translation>
    </message>
    <message>
        <source>the order is of Trainyard %1, this machine has %2: install the same version on all machines</source>
        <translation>der Auftrag ist von Trainyard %1, diese Maschine hat %2: auf allen Maschinen dieselbe Version installieren</translation>
    </message>
    <message>
        <source>order of trainyard supervise</source>
        <translation>Auftrag von trainyard supervise</translation>
    </message>
    <message>
        <source>must be at least two heartbeats (heartbeat_s) long</source>
        <translation>muss mindestens zwei Herzschläge (heartbeat_s) lang sein</translation>
    </message>
    <message>
        <source>it orders something before it has let this machine in</source>
        <translation>etwas wird verlangt, bevor diese Maschine aufgenommen ist</translation>
    </message>
    <message>
        <source>its run is not the one that was joined before</source>
        <translation>es ist nicht der Lauf, dem vorher beigetreten wurde</translation>
    </message>
    <message>
        <source>the head of the run at %1 trains a recipe, this machine was told to start %2: give all machines the same</source>
        <translation>der Kopf des Laufs auf %1 trainiert ein Rezept, diese Maschine soll %2 starten: allen Maschinen dasselbe geben</translation>
    </message>
    <message>
        <source>run.yaml of the head</source>
        <translation>run.yaml des Kopfs</translation>
    </message>
    <message>
        <source>%1 cannot keep what its ranks write: %2</source>
        <translation>%1 kann nicht aufbewahren, was die Ranks dort schreiben: %2</translation>
    </message>
    <message>
        <source>%1 is back in the run %2 at %3 with %4</source>
        <translation>%1 ist zurück im Lauf %2 auf %3, mit %4</translation>
    </message>
    <message>
        <source>%1 joined the run %2 at %3 with %4</source>
        <translation>%1 ist dem Lauf %2 auf %3 beigetreten, mit %4</translation>
    </message>
    <message>
        <source>ranks of an earlier generation are still ending on %1</source>
        <translation>auf %1 enden noch Ranks einer früheren Generation</translation>
    </message>
    <message>
        <source>%1 cannot start its ranks: %2</source>
        <translation>%1 kann die eigenen Ranks nicht starten: %2</translation>
    </message>
    <message>
        <source>%1 of curves are only on %2: the link is slower than they were written</source>
        <translation>%1 der Kurven sind nur auf %2: die Verbindung ist langsamer, als sie geschrieben wurden</translation>
    </message>
    <message>
        <source>[%1 of this rank's output are only in %2:%3: the link is slower than the rank writes]</source>
        <translation>[%1 der Ausgabe dieses Ranks sind nur in %2:%3: die Verbindung ist langsamer, als der Rank schreibt]</translation>
    </message>
    <message>
        <source>it sent a frame of %1 bytes, which none of Trainyard's is</source>
        <translation>ein Frame von %1 Byte kam, wie Trainyard keinen hat</translation>
    </message>
    <message>
        <source>it sent a frame of kind %1, which nobody expects here</source>
        <translation>ein Frame der Art %1 kam, den hier niemand erwartet</translation>
    </message>
    <message>
        <source>a frame was changed on its way, or is not of this run</source>
        <translation>ein Frame wurde unterwegs verändert oder gehört nicht zu diesem Lauf</translation>
    </message>
    <message>
        <source>a frame is missing or came twice</source>
        <translation>ein Frame fehlt oder kam zweimal</translation>
    </message>
    <message>
        <source>it takes nothing any more</source>
        <translation>die Gegenseite nimmt nichts mehr an</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>die Gegenseite hat die Verbindung geschlossen</translation>
    </message>
    <message>
        <source>cannot start the supervisor: %1</source>
        <translation>der Supervisor kann nicht gestartet werden: %1</translation>
    </message>
    <message>
        <source>the supervisor ended before it started a rank: there may be too many processes or too little memory</source>
        <translation>der Supervisor endete, bevor er einen Rank startete: vielleicht gibt es zu viele Prozesse oder zu wenig Speicher</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>signal %1 (SIG%2)</source>
        <translation>Signal %1 (SIG%2)</translation>
    </message>
    <message>
        <source>at step %1 (%2)</source>
        <translation>bei Schritt %1 (%2)</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed by %3 %4</source>
        <translation>Rank %1 auf %2 wurde durch %3 beendet, %4</translation>
    </message>
    <message>
        <source>rank %1 on %2 failed %3: %4</source>
        <translation>Rank %1 auf %2 ist %3 fehlgeschlagen: %4</translation>
    </message>
    <message>
        <source>rank %1 on %2 exited with code %3 %4</source>
        <translation>Rank %1 auf %2 endete %4 mit Code %3</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed by %3</source>
        <translation>Rank %1 auf %2 wurde durch %3 beendet</translation>
    </message>
    <message>
        <source>rank %1 on %2 failed: %3</source>
        <translation>Rank %1 auf %2 ist fehlgeschlagen: %3</translation>
    </message>
    <message>
        <source>rank %1 on %2 exited with code %3</source>
        <translation>Rank %1 auf %2 endete mit Code %3</translation>
    </message>
    <message>
        <source>%1 ranks cannot be started: give 1 to %2</source>
        <translation>%1 Ranks können nicht gestartet werden: 1 bis %2 angeben</translation>
    </message>
    <message>
        <source>this process is rank %1 of %2 already: ranks cannot be started from within one</source>
        <translation>dieser Prozess ist schon Rank %1 von %2: aus einem Rank lassen sich keine Ranks starten</translation>
    </message>
    <message>
        <source>ranks cannot be forked from this process, which has %1 threads (a process group is there already, or something was computed): start them first</source>
        <translation>aus diesem Prozess mit %1 Threads lassen sich keine Ranks abzweigen (eine Prozessgruppe besteht schon, oder es wurde gerechnet): zuerst die Ranks starten</translation>
    </message>
    <message>
        <source>%1something that is no exception of the standard library</source>
        <translation>%1etwas, das keine Ausnahme der Standardbibliothek ist</translation>
    </message>
    <message>
        <source>was killed by %1</source>
        <translation>wurde durch %1 beendet</translation>
    </message>
    <message>
        <source>ended the process with exit code %1</source>
        <translation>hat den Prozess mit Code %1 beendet</translation>
    </message>
    <message>
        <source>has not ended within %1 s</source>
        <translation>ist nach %1 s noch nicht zu Ende</translation>
    </message>
    <message>
        <source>rank %1 cannot be started: no pipe: %2</source>
        <translation>Rank %1 kann nicht gestartet werden: keine Pipe: %2</translation>
    </message>
    <message>
        <source>rank %1 cannot be started: %2</source>
        <translation>Rank %1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>rank %1 waits in %2</source>
        <translation>Rank %1 wartet in %2</translation>
    </message>
    <message>
        <source>ranks %1 and %2 wait in %3</source>
        <translation>die Ranks %1 und %2 warten in %3</translation>
    </message>
    <message>
        <source>start-up at step %1</source>
        <translation>Start bei Schritt %1</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1, in %2</source>
        <translation>%1, in %2</translation>
    </message>
    <message>
        <source>%1, after %2</source>
        <translation>%1, nach %2</translation>
    </message>
    <message>
        <source>rank %1 is in %2</source>
        <translation>Rank %1 ist in %2</translation>
    </message>
    <message>
        <source>rank %1 on %2 is in %3</source>
        <translation>Rank %1 auf %2 ist in %3</translation>
    </message>
    <message>
        <source>rank %1 on %2 is in %3 and %4</source>
        <translation>Rank %1 auf %2 ist in %3 und %4</translation>
    </message>
    <message>
        <source>%1: these are different collectives, the ranks do not call them in the same order</source>
        <translation>%1: das sind verschiedene Kollektivoperationen, die Ranks rufen sie nicht in derselben Reihenfolge auf</translation>
    </message>
    <message>
        <source>rank %1 holds up the others: it takes %2 for a step, the others %3</source>
        <translation>Rank %1 hält die anderen auf: er braucht %2 für einen Schritt, die anderen %3</translation>
    </message>
    <message>
        <source>%1 has left before the ranks were started</source>
        <translation>%1 ist gegangen, bevor die Ranks gestartet wurden</translation>
    </message>
    <message>
        <source>machine 0 is %1, where the run's head is: give this machine another --machine_rank, 1 to %2</source>
        <translation>Maschine 0 ist %1 mit dem Kopf des Laufs: dieser Maschine einen anderen --machine_rank geben, 1 bis %2</translation>
    </message>
    <message>
        <source>machine %1 does not exist in a run on %2 machines: give this machine a --machine_rank of 1 to %3</source>
        <translation>Maschine %1 gibt es in einem Lauf auf %2 Maschinen nicht: dieser Maschine einen --machine_rank von 1 bis %3 geben</translation>
    </message>
    <message>
        <source>machine %1 is %2 (%3) already: give this machine another --machine_rank</source>
        <translation>Maschine %1 ist schon %2 (%3): dieser Maschine einen anderen --machine_rank geben</translation>
    </message>
    <message>
        <source>all %1 machines of the run are there: start it with more --num_machines</source>
        <translation>alle %1 Maschinen des Laufs sind da: ihn mit mehr --num_machines starten</translation>
    </message>
    <message>
        <source>%1 (%2) was turned away: %3</source>
        <translation>%1 (%2) wurde abgewiesen: %3</translation>
    </message>
    <message>
        <source>its earlier connection is not known to be lost yet</source>
        <translation>dass die frühere Verbindung verloren ist, ist noch nicht bekannt</translation>
    </message>
    <message>
        <source>%1 (%2) is back as machine %3 with %4</source>
        <translation>%1 (%2) ist als Maschine %3 mit %4 zurück</translation>
    </message>
    <message>
        <source>%1 (%2) joined as machine %3 with %4</source>
        <translation>%1 (%2) ist als Maschine %3 mit %4 beigetreten</translation>
    </message>
    <message>
        <source>%1: it waits for the next generation</source>
        <translation>%1: gewartet wird auf die nächste Generation</translation>
    </message>
    <message>
        <source>machine %1</source>
        <translation>Maschine %1</translation>
    </message>
    <message>
        <source>%1 of %2 machines</source>
        <translation>%1 von %2 Maschinen</translation>
    </message>
    <message>
        <source>the run is over: %1</source>
        <translation>der Lauf ist zu Ende: %1</translation>
    </message>
    <message>
        <source>error while loading shared libraries</source>
        <translation>Fehler beim Laden von Bibliotheken</translation>
    </message>
    <message>
        <source>its program could not be loaded: %1</source>
        <translation>das Programm konnte nicht geladen werden: %1</translation>
    </message>
    <message>
        <source>%1; its address space is limited to %2 (ulimit -v): raise the limit</source>
        <translation>%1; der Adressraum ist auf %2 begrenzt (ulimit -v): die Grenze erhöhen</translation>
    </message>
    <message>
        <source>the kernel of %1 is %2: ranks may hang on kernels before 5.5, upgrade it</source>
        <translation>der Kernel von %1 ist %2: auf Kerneln vor 5.5 können Ranks hängen bleiben, ihn aktualisieren</translation>
    </message>
    <message>
        <source>%1 still has ranks of an earlier generation</source>
        <translation>%1 hat noch Ranks einer früheren Generation</translation>
    </message>
    <message>
        <source>but does not end: its process %1 %2</source>
        <translation>endet aber nicht: der Prozess %1 %2</translation>
    </message>
    <message>
        <source>used no CPU for %1 s</source>
        <translation>hat %1 s lang keine CPU benutzt</translation>
    </message>
    <message>
        <source>message of a rank</source>
        <translation>Nachricht eines Ranks</translation>
    </message>
    <message>
        <source>the memory limit was reached</source>
        <translation>die Speichergrenze wurde erreicht</translation>
    </message>
    <message>
        <source>the memory limit of its control group is %1</source>
        <translation>die Speichergrenze der Kontrollgruppe ist %1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: it held %1, %2</source>
        <translation>, vom Kernel wegen Speichermangels: belegt waren %1, %2</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: %1</source>
        <translation>, vom Kernel wegen Speichermangels: %1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory</source>
        <translation>, vom Kernel wegen Speichermangels: dem Rechner ging der Speicher aus</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; it held %1</source>
        <translation>, vom Kernel wegen Speichermangels: dem Rechner ging der Speicher aus; belegt waren %1</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; it held %1 and the machine has %2</source>
        <translation>, vom Kernel wegen Speichermangels: dem Rechner ging der Speicher aus; belegt waren %1, der Rechner hat %2</translation>
    </message>
    <message>
        <source>, by the kernel's out-of-memory killer: the machine ran out of memory; the machine has %1</source>
        <translation>, vom Kernel wegen Speichermangels: dem Rechner ging der Speicher aus; der Rechner hat %1</translation>
    </message>
    <message>
        <source>the recipe says %1 and %2 says %3: let them agree, or leave it out in one of them</source>
        <translation>das Rezept sagt %1 und %2 sagt %3: beides angleichen oder in einem von beiden weglassen</translation>
    </message>
    <message>
        <source>%1 is of a copy of a run on another machine and is not executed on this one: read it, and launch a copy of it outside of that folder</source>
        <translation>%1 gehört zur Kopie eines Laufs auf einer anderen Maschine und wird auf dieser nicht ausgeführt: lesen Sie die Datei und starten Sie eine Kopie davon außerhalb dieses Ordners</translation>
    </message>
    <message>
        <source>'%1' needs the library that brings this device to LibTorch: name it with --device_library or in %2, or take cpu or cuda</source>
        <translation>'%1' braucht die Bibliothek, die LibTorch dieses Gerät bringt: mit --device_library oder in %2 nennen oder cpu oder cuda nehmen</translation>
    </message>
    <message>
        <source>%1 ranks are too many for the %2 cores of %3: give at most %4</source>
        <translation>%1 Ranks sind zu viele für die %2 Kerne von %3: höchstens %4 angeben</translation>
    </message>
    <message>
        <source>%1 ranks cannot train: give 1 or more</source>
        <translation>%1 Ranks können nicht trainieren: mindestens 1 angeben</translation>
    </message>
    <message>
        <source>%1 gets %2 ranks: give 1 or more</source>
        <translation>%1 bekommt %2 Ranks: mindestens 1 angeben</translation>
    </message>
    <message>
        <source>%1 is no number of threads: give 1 to 1024, or 0 for cores / ranks</source>
        <translation>%1 ist keine Anzahl von Threads: 1 bis 1024 angeben oder 0 für Kerne / Ranks</translation>
    </message>
    <message>
        <source>%1 is no number of restarts: give 0 or more</source>
        <translation>%1 ist keine Anzahl von Neustarts: mindestens 0 angeben</translation>
    </message>
    <message>
        <source>%1 is not from 0 to %2, the number of machines</source>
        <translation>%1 liegt nicht zwischen 0 und %2, der Anzahl der Maschinen</translation>
    </message>
    <message>
        <source>%1 cannot be run: %2: build trainyard-worker, or name it in TRAINYARD_WORKER</source>
        <translation>%1 kann nicht ausgeführt werden: %2: trainyard-worker bauen oder in TRAINYARD_WORKER angeben</translation>
    </message>
    <message>
        <source>%1 is not a folder to start the program in</source>
        <translation>%1 ist kein Ordner, in dem das Programm starten kann</translation>
    </message>
    <message>
        <source>%1 cannot be run: %2</source>
        <translation>%1 kann nicht ausgeführt werden: %2</translation>
    </message>
    <message>
        <source>the program '%1' was not found: check its name, or give its path</source>
        <translation>das Programm '%1' wurde nicht gefunden: den Namen prüfen oder den Pfad angeben</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 is not a folder: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>der Lauf kann nicht in %1 aufbewahrt werden: %2 ist kein Ordner: mit --run_dir oder TRAINYARD_RUNS einen anderen Ort wählen</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 cannot be written: %3: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>der Lauf kann nicht in %1 aufbewahrt werden: %2 ist nicht beschreibbar: %3: mit --run_dir oder TRAINYARD_RUNS einen anderen Ort wählen</translation>
    </message>
    <message>
        <source>the run cannot be kept in %1: %2 takes no new folders: %3: choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>der Lauf kann nicht in %1 aufbewahrt werden: %2 nimmt keine neuen Ordner auf: %3: mit --run_dir oder TRAINYARD_RUNS einen anderen Ort wählen</translation>
    </message>
    <message>
        <source>the disk of %1 is full: %2 free, one checkpoint and the logs need %3: make room, or choose another place with --run_dir or TRAINYARD_RUNS</source>
        <translation>die Platte von %1 ist voll: %2 frei, ein Checkpoint und die Logs brauchen %3: Platz schaffen oder mit --run_dir oder TRAINYARD_RUNS einen anderen Ort wählen</translation>
    </message>
    <message>
        <source>pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source>
        <translation>Pipeline-Stufen arbeiten in dieser Version nur auf der CPU: auf 1 setzen oder mit --cpu starten</translation>
    </message>
    <message>
        <source>optimizer state lies on a disk with ranks on processors alone in this version, and these train on %1: set it to none, or start with --cpu</source>
        <translation>Optimizer-Zustand liegt in dieser Version nur bei Ranks auf Prozessoren auf einer Platte, und diese trainieren auf %1: auf none setzen oder mit --cpu starten</translation>
    </message>
    <message>
        <source>weights lie on disk with ranks on processors alone in this version, and these train on %1: leave it out, or start with --cpu</source>
        <translation>Gewichte liegen in dieser Version nur bei Ranks auf Prozessoren auf der Platte, und diese trainieren auf %1: weglassen oder mit --cpu starten</translation>
    </message>
    <message>
        <source>%1 is there already and not empty: name another folder</source>
        <translation>%1 ist schon vorhanden und nicht leer: einen anderen Ordner angeben</translation>
    </message>
    <message>
        <source>%1 names %2 ranks on %3 machines: change launch.machines in it, or leave the flag out</source>
        <translation>%1 nennt %2 Ranks auf %3 Maschinen: dort launch.machines ändern oder die Option weglassen</translation>
    </message>
    <message>
        <source>contradicts --device %1: leave one of them out</source>
        <translation>widerspricht --device %1: eines von beiden weglassen</translation>
    </message>
    <message>
        <source>is gone</source>
        <translation>ist fort</translation>
    </message>
    <message>
        <source>is stopped (SIGSTOP)</source>
        <translation>ist angehalten (SIGSTOP)</translation>
    </message>
    <message>
        <source>is held by a debugger</source>
        <translation>wird von einem Debugger angehalten</translation>
    </message>
    <message>
        <source>waits in the kernel</source>
        <translation>wartet im Kernel</translation>
    </message>
    <message>
        <source>waits in the kernel (%1)</source>
        <translation>wartet im Kernel (%1)</translation>
    </message>
    <message>
        <source>%1 %2: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as in 0:1,1:3</source>
        <translation>%1 %2: 0 (nichts), 1 (stdout), 2 (stderr) oder 3 (beide) angeben oder für einzelne Ranks wie in 0:1,1:3</translation>
    </message>
    <message>
        <source>--local_ranks_filter %1: give the numbers of processes as in 0,2</source>
        <translation>--local_ranks_filter %1: die Nummern von Prozessen angeben wie in 0,2</translation>
    </message>
    <message>
        <source>--log_dir %1 cannot be written: %2: name another folder</source>
        <translation>--log_dir %1 ist nicht beschreibbar: %2: einen anderen Ordner angeben</translation>
    </message>
    <message>
        <source>cannot start a rank: no pipe: %1</source>
        <translation>ein Rank kann nicht gestartet werden: keine Pipe: %1</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2 is not a folder</source>
        <translation>Rank %1 kann nicht gestartet werden: %2 ist kein Ordner</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2: %3</source>
        <translation>Rank %1 kann nicht gestartet werden: %2: %3</translation>
    </message>
    <message>
        <source>cannot start rank %1: it has no command</source>
        <translation>Rank %1 kann nicht gestartet werden: der Befehl fehlt</translation>
    </message>
    <message>
        <source>cannot start rank %1: no socket pair: %2</source>
        <translation>Rank %1 kann nicht gestartet werden: kein Socket-Paar: %2</translation>
    </message>
    <message>
        <source>cannot start rank %1: %2</source>
        <translation>Rank %1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>keine Route</translation>
    </message>
    <message>
        <source>no address</source>
        <translation>keine Adresse</translation>
    </message>
    <message>
        <source>another machine answers at this address</source>
        <translation>unter dieser Adresse antwortet eine andere Maschine</translation>
    </message>
    <message>
        <source>too many files are open</source>
        <translation>zu viele Dateien sind offen</translation>
    </message>
    <message>
        <source>it has no address</source>
        <translation>die Adresse fehlt</translation>
    </message>
    <message>
        <source>%1: no answer for %2 s</source>
        <translation>%1: keine Antwort seit %2 s</translation>
    </message>
    <message>
        <source>what a host said about the network</source>
        <translation>was ein Host über das Netzwerk meldet</translation>
    </message>
    <message>
        <source>it sent a part of no file</source>
        <translation>ein Teil kam, der zu keiner Datei gehört</translation>
    </message>
    <message>
        <source>it sent a file that is no event file</source>
        <translation>eine Datei kam, die keine Event-Datei ist</translation>
    </message>
    <message>
        <source>%1 cannot start its ranks: there is no connection to its agent</source>
        <translation>%1 kann die eigenen Ranks nicht starten: keine Verbindung zum Agenten</translation>
    </message>
    <message>
        <source>the connection to %1 was ended: %2</source>
        <translation>die Verbindung zu %1 wurde beendet: %2</translation>
    </message>
    <message>
        <source>the connection to the agent of %1 is gone: %2</source>
        <translation>die Verbindung zum Agenten von %1 ist fort: %2</translation>
    </message>
    <message>
        <source>no contact with %1 (%2) for %3</source>
        <translation>seit %3 kein Kontakt zu %1 (%2)</translation>
    </message>
    <message>
        <source>%1 left: %2</source>
        <translation>%1 ist gegangen: %2</translation>
    </message>
    <message>
        <source>the link to %1 (%2) is slow: a heartbeat takes %3 there and back; training waits for it at every step</source>
        <translation>die Verbindung zu %1 (%2) ist langsam: ein Herzschlag braucht hin und zurück %3; das Training wartet bei jedem Schritt darauf</translation>
    </message>
    <message>
        <source>'%1' is no key=value: write join_timeout=600,last_call_timeout=30</source>
        <translation>'%1' ist kein Schlüssel=Wert: join_timeout=600,last_call_timeout=30 schreiben</translation>
    </message>
    <message>
        <source>'%1' is said twice: say it once</source>
        <translation>'%1' steht zweimal da: einmal angeben</translation>
    </message>
    <message>
        <source>%1 needs a server beside the run, which Trainyard does not: give static (with --machine_rank) or c10d (without)</source>
        <translation>%1 braucht neben dem Lauf einen Server, Trainyard nicht: static (mit --machine_rank) oder c10d (ohne) angeben</translation>
    </message>
    <message>
        <source>'%1' is unknown%2</source>
        <translation>'%1' ist unbekannt%2</translation>
    </message>
    <message>
        <source>is missing: give the address of the first machine, where the others find it</source>
        <translation>fehlt: die Adresse der ersten Maschine angeben, unter der die anderen sie finden</translation>
    </message>
    <message>
        <source>%1 is no port that machines can agree on: give 1 to 65535</source>
        <translation>%1 ist kein Port, auf den Maschinen sich einigen können: 1 bis 65535 angeben</translation>
    </message>
    <message>
        <source>is missing: give each machine its number, 0 to %1, or leave numbers to the order of arrival with --rdzv_backend c10d</source>
        <translation>fehlt: jeder Maschine ihre Nummer geben, 0 bis %1, oder die Nummern mit --rdzv_backend c10d der Reihenfolge des Eintreffens überlassen</translation>
    </message>
    <message>
        <source>%1 is not below the number of machines, %2</source>
        <translation>%1 ist nicht kleiner als die Anzahl der Maschinen, %2</translation>
    </message>
    <message>
        <source>--rdzv_conf: %1 means nothing here and is passed over</source>
        <translation>--rdzv_conf: %1 hat hier keine Bedeutung und wird übergangen</translation>
    </message>
    <message>
        <source>rendezvous %1</source>
        <translation>Rendezvous %1</translation>
    </message>
    <message>
        <source>the machines have no secret in common: whoever reaches %1:%2 and knows the name '%3' can join; set the same %4 on all machines</source>
        <translation>die Maschinen haben kein gemeinsames Geheimnis: wer %1:%2 erreicht und den Namen '%3' kennt, kann beitreten; auf allen Maschinen dasselbe %4 setzen</translation>
    </message>
    <message>
        <source>%1 is an address of the internet: what ranks send each other is not encrypted; use a private network, or hosts over SSH (--hosts)</source>
        <translation>%1 ist eine Adresse des Internets: was Ranks einander senden, ist nicht verschlüsselt; ein privates Netz oder Hosts über SSH (--hosts) verwenden</translation>
    </message>
    <message>
        <source>the files in the run's folder %1 were deleted while it ran</source>
        <translation>die Dateien im Ordner %1 des Laufs wurden gelöscht, während er lief</translation>
    </message>
    <message>
        <source>the run's folder %1 belongs to another run now</source>
        <translation>der Ordner %1 des Laufs gehört jetzt zu einem anderen Lauf</translation>
    </message>
    <message>
        <source>the run's folder %1 was deleted while it ran</source>
        <translation>der Ordner %1 des Laufs wurde gelöscht, während er lief</translation>
    </message>
    <message>
        <source>the run's folder %1 was moved to %2 while it ran</source>
        <translation>der Ordner %1 des Laufs wurde nach %2 verschoben, während er lief</translation>
    </message>
    <message>
        <source>this machine's libcrypto refuses HMAC-SHA256: runs on several machines need it</source>
        <translation>die libcrypto dieser Maschine lehnt HMAC-SHA256 ab: Läufe auf mehreren Maschinen brauchen es</translation>
    </message>
    <message>
        <source>the kernel gives no random bytes: a run's secret cannot be made</source>
        <translation>der Kernel liefert keine Zufallsbytes: ein Geheimnis für den Lauf ist nicht möglich</translation>
    </message>
    <message>
        <source>the run's secret is empty: give at least a word</source>
        <translation>das Geheimnis des Laufs ist leer: mindestens ein Wort angeben</translation>
    </message>
    <message>
        <source>the run's secret is longer than 1024 bytes: give a shorter one</source>
        <translation>das Geheimnis des Laufs ist länger als 1024 Byte: ein kürzeres angeben</translation>
    </message>
    <message>
        <source>%1 cannot be reached without its agent: start the run on all its machines</source>
        <translation>%1 ist ohne Agenten nicht erreichbar: den Lauf auf allen seinen Maschinen starten</translation>
    </message>
    <message>
        <source>cannot watch the ranks: no descriptor is free for signals</source>
        <translation>die Ranks können nicht überwacht werden: für Signale ist kein Deskriptor frei</translation>
    </message>
    <message>
        <source>the launcher of this run was killed: its ranks end with it</source>
        <translation>der Starter dieses Laufs wurde beendet: seine Ranks enden mit ihm</translation>
    </message>
    <message>
        <source>SIGUSR1 is handed on to the ranks</source>
        <translation>SIGUSR1 wird an die Ranks weitergegeben</translation>
    </message>
    <message>
        <source>kill asked: Ctrl-C was pressed again</source>
        <translation>kill verlangt: Strg-C wurde noch einmal gedrückt</translation>
    </message>
    <message>
        <source>%1 of the log of rank %2 could not be written</source>
        <translation>%1 des Logs von Rank %2 konnten nicht geschrieben werden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>taken out of the queue before it started</source>
        <translation>vor dem Start aus der Warteschlange genommen</translation>
    </message>
    <message>
        <source>finished after %1</source>
        <translation>beendet nach %1</translation>
    </message>
    <message>
        <source>stopped after %1</source>
        <translation>angehalten nach %1</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>stopped at %1 because %2; the newest good checkpoint is checkpoint_%3</source>
        <translation>angehalten bei %1, Grund: %2; der neueste gute Checkpoint ist checkpoint_%3</translation>
    </message>
    <message>
        <source>stopped at %1 because %2; there is no good checkpoint</source>
        <translation>angehalten bei %1, Grund: %2; es gibt keinen guten Checkpoint</translation>
    </message>
    <message>
        <source>stopped at %1 after a checkpoint</source>
        <translation>angehalten bei %1 nach einem Checkpoint</translation>
    </message>
    <message>
        <source>stopped at %1, an earlier checkpoint is kept</source>
        <translation>angehalten bei %1, ein früherer Checkpoint bleibt</translation>
    </message>
    <message>
        <source>stopped at %1, no checkpoint</source>
        <translation>angehalten bei %1, kein Checkpoint</translation>
    </message>
    <message>
        <source>killed at %1, an earlier checkpoint is kept</source>
        <translation>abgebrochen bei %1, ein früherer Checkpoint bleibt</translation>
    </message>
    <message>
        <source>killed at %1, no checkpoint</source>
        <translation>abgebrochen bei %1, kein Checkpoint</translation>
    </message>
    <message>
        <source>finished %1 steps in %2</source>
        <translation>%1 Schritte in %2 beendet</translation>
    </message>
    <message>
        <source>finished at once: the checkpoint that it went on from has all %1 steps</source>
        <translation>sofort beendet: der Checkpoint, von dem aus es weiterging, hat alle %1 Schritte</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>validation loss %1</source>
        <translation>Validierungs-Loss %1</translation>
    </message>
    <message>
        <source>rank %1 on %2 was killed%3</source>
        <translation>Rank %1 auf %2 wurde beendet%3</translation>
    </message>
    <message>
        <source>%1 was lost: %2</source>
        <translation>%1 ging verloren: %2</translation>
    </message>
    <message>
        <source>%1 is taken away: %2</source>
        <translation>%1 wird weggenommen: %2</translation>
    </message>
    <message>
        <source>a rank failed, ending the others</source>
        <translation>ein Rank ist fehlgeschlagen, die anderen werden beendet</translation>
    </message>
    <message>
        <source>%1: it is stopped</source>
        <translation>%1: der Lauf wird angehalten</translation>
    </message>
    <message>
        <source>%1: its ranks were ended, nothing more was written there</source>
        <translation>%1: die Ranks wurden beendet, nichts wurde dort mehr geschrieben</translation>
    </message>
    <message>
        <source>its ranks were asked to end</source>
        <translation>die Ranks wurden zum Beenden aufgefordert</translation>
    </message>
    <message>
        <source>it was stopped at step %1, its checkpoint is in %2</source>
        <translation>der Lauf wurde bei Schritt %1 angehalten, der Checkpoint liegt in %2</translation>
    </message>
    <message>
        <source>it was stopped at step %1 without a checkpoint</source>
        <translation>der Lauf wurde bei Schritt %1 ohne Checkpoint angehalten</translation>
    </message>
    <message>
        <source>%1: %2; what was in the folder before is not there</source>
        <translation>%1: %2; was vorher im Ordner war, ist nicht da</translation>
    </message>
    <message>
        <source>waiting for machines</source>
        <translation>wartet auf Maschinen</translation>
    </message>
    <message>
        <source>starting again</source>
        <translation>startet neu</translation>
    </message>
    <message>
        <source>a machine</source>
        <translation>eine Maschine</translation>
    </message>
    <message>
        <source>a machine did not join within %1</source>
        <translation>eine Maschine ist nicht innerhalb von %1 beigetreten</translation>
    </message>
    <message>
        <source>%1 did not join within %2</source>
        <translation>%1 sind nicht innerhalb von %2 beigetreten</translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>%1, up to %2</source>
        <translation>%1, höchstens %2</translation>
    </message>
    <message>
        <source>starting %1</source>
        <translation>startet %1</translation>
    </message>
    <message>
        <source>started %1 on %2</source>
        <translation>%1 auf %2 gestartet</translation>
    </message>
    <message>
        <source>started %1 on %2 (%3), %4 thread each</source>
        <translation>%1 auf %2 (%3) gestartet, je %4 Thread</translation>
    </message>
    <message>
        <source>started %1 on %2 (%3), %4 threads each</source>
        <translation>%1 auf %2 (%3) gestartet, je %4 Threads</translation>
    </message>
    <message>
        <source>the run was asked to stop</source>
        <translation>der Lauf wurde zum Anhalten aufgefordert</translation>
    </message>
    <message>
        <source>%1 restarts are used up</source>
        <translation>%1 Neustarts sind verbraucht</translation>
    </message>
    <message>
        <source>it would fail again</source>
        <translation>er würde wieder fehlschlagen</translation>
    </message>
    <message>
        <source>%1 times in a row it failed before the first step</source>
        <translation>er ist %1 Mal in Folge vor dem ersten Schritt fehlgeschlagen</translation>
    </message>
    <message>
        <source>a machine has come that the run can use: the ranks are sent SIGTERM and start again with it</source>
        <translation>eine Maschine ist dazugekommen, die der Lauf nutzen kann: die Ranks erhalten SIGTERM und starten mit ihr neu</translation>
    </message>
    <message>
        <source>a machine has come that the run can use: the ranks save a checkpoint and start again with it</source>
        <translation>eine Maschine ist dazugekommen, die der Lauf nutzen kann: die Ranks speichern einen Checkpoint und starten mit ihr neu</translation>
    </message>
    <message>
        <source>all ranks start again, on more machines</source>
        <translation>alle Ranks starten neu, auf mehr Maschinen</translation>
    </message>
    <message>
        <source>all ranks start again from the newest checkpoint, on more machines</source>
        <translation>alle Ranks starten ab dem neuesten Checkpoint neu, auf mehr Maschinen</translation>
    </message>
    <message>
        <source>the ranks are not started again: %1</source>
        <translation>die Ranks werden nicht neu gestartet: %1</translation>
    </message>
    <message>
        <source>all ranks start again</source>
        <translation>alle Ranks starten neu</translation>
    </message>
    <message>
        <source>all ranks start again from the newest checkpoint</source>
        <translation>alle Ranks starten ab dem neuesten Checkpoint neu</translation>
    </message>
    <message>
        <source>all ranks start again from the beginning, there is no checkpoint</source>
        <translation>alle Ranks starten von Anfang an neu, es gibt keinen Checkpoint</translation>
    </message>
    <message>
        <source>restart %1 of %2: %3 in %4</source>
        <translation>Neustart %1 von %2 in %4: %3</translation>
    </message>
    <message>
        <source>restart %1 of %2: %3</source>
        <translation>Neustart %1 von %2: %3</translation>
    </message>
    <message>
        <source>the ranks failed before it was done; they start again</source>
        <translation>die Ranks sind fehlgeschlagen, bevor es fertig war; sie starten neu</translation>
    </message>
    <message>
        <source>queued on %1</source>
        <translation>eingereiht auf %1</translation>
    </message>
    <message>
        <source>its turn has come</source>
        <translation>an der Reihe</translation>
    </message>
    <message>
        <source>the run is not in the queue: it has started</source>
        <translation>der Lauf ist nicht in der Warteschlange: er hat begonnen</translation>
    </message>
    <message>
        <source>starts now, before its turn</source>
        <translation>startet jetzt, vor der Reihe</translation>
    </message>
    <message>
        <source>a run in the queue takes stop, kill, note, move and start, not %1</source>
        <translation>ein Lauf in der Warteschlange nimmt stop, kill, note, move und start an, nicht %1</translation>
    </message>
    <message>
        <source>move needs values.place, a whole number from 1 on</source>
        <translation>move braucht values.place, eine ganze Zahl ab 1</translation>
    </message>
    <message>
        <source>is number %1 in the queue now</source>
        <translation>ist jetzt Nummer %1 in der Warteschlange</translation>
    </message>
    <message>
        <source>unknown request '%1'%2</source>
        <translation>unbekannte Anforderung '%1'%2</translation>
    </message>
    <message>
        <source>a note needs values.text</source>
        <translation>eine Notiz braucht values.text</translation>
    </message>
    <message>
        <source>%1 asked</source>
        <translation>%1 verlangt</translation>
    </message>
    <message>
        <source>%1 asked from the %2</source>
        <translation>%1 verlangt von: %2</translation>
    </message>
    <message>
        <source>a program of one's own takes stop, kill and note, not %1</source>
        <translation>ein eigenes Programm nimmt stop, kill und note an, nicht %1</translation>
    </message>
    <message>
        <source>no ranks run now</source>
        <translation>zurzeit laufen keine Ranks</translation>
    </message>
    <message>
        <source>rank 0 has ended</source>
        <translation>Rank 0 ist zu Ende</translation>
    </message>
    <message>
        <source>stopping: the ranks were sent %1</source>
        <translation>wird angehalten: den Ranks wurde %1 gesendet</translation>
    </message>
    <message>
        <source>stopping: rank 0 was asked to save a checkpoint at the next step</source>
        <translation>wird angehalten: Rank 0 soll beim nächsten Schritt einen Checkpoint speichern</translation>
    </message>
    <message>
        <source>stopping after the step under way, without a checkpoint</source>
        <translation>wird nach dem laufenden Schritt angehalten, ohne Checkpoint</translation>
    </message>
    <message>
        <source>stopping now</source>
        <translation>wird jetzt angehalten</translation>
    </message>
    <message>
        <source>the ranks did not end within %1 after they were asked to and are killed</source>
        <translation>die Ranks endeten nicht innerhalb von %1 nach der Aufforderung und werden abgebrochen</translation>
    </message>
    <message>
        <source>rank %1 on %2 has been silent for %3</source>
        <translation>Rank %1 auf %2 schweigt seit %3</translation>
    </message>
    <message>
        <source>no progress for %1</source>
        <translation>kein Fortschritt seit %1</translation>
    </message>
    <message>
        <source>it hangs, nothing has moved for %1: %2</source>
        <translation>er hängt, seit %1 bewegt sich nichts: %2</translation>
    </message>
    <message>
        <source>rank %1 on %2 may hang: it has written nothing for %3 and %4</source>
        <translation>Rank %1 auf %2 hängt vielleicht: seit %3 ohne Ausgabe und %4</translation>
    </message>
    <message>
        <source>curves of the program: %1</source>
        <translation>Kurven des Programms: %1</translation>
    </message>
    <message>
        <source>curves of the program on %1: %2</source>
        <translation>Kurven des Programms auf %1: %2</translation>
    </message>
    <message>
        <source>curves of %1 are not written any more: %2</source>
        <translation>Kurven von %1 werden nicht mehr geschrieben: %2</translation>
    </message>
    <message>
        <source>rank %1 on %2 is heard again after %3</source>
        <translation>Rank %1 auf %2 meldet sich nach %3 wieder</translation>
    </message>
    <message>
        <source>stopping: %1</source>
        <translation>wird angehalten: %1</translation>
    </message>
</context>
<context>
    <name>engine/models</name>
    <message>
        <source>head of %1</source>
        <translation>Kopf von %1</translation>
    </message>
    <message>
        <source>the model %1</source>
        <translation>das Modell %1</translation>
    </message>
    <message>
        <source>%1 has no parameters, so there is nothing to train</source>
        <translation>%1 hat keine Parameter, es gibt also nichts zu trainieren</translation>
    </message>
    <message>
        <source>%1 has the parameter %2 in %3: parameters must be float32, and training.mixed_precision makes products of 16 bits</source>
        <translation>%1 hat den Parameter %2 in %3: Parameter müssen float32 sein, und training.mixed_precision rechnet Produkte mit 16 Bits</translation>
    </message>
    <message>
        <source>%1 gave no outputs</source>
        <translation>%1 hat keine Ausgaben geliefert</translation>
    </message>
    <message>
        <source>model.script: the module in %1 has no method forward</source>
        <translation>model.script: das Modul in %1 hat keine Methode forward</translation>
    </message>
    <message>
        <source>model.script: %1 is no file of torch.jit.save, or it is damaged (%2): write it with torch.jit.save(torch.jit.script(module), file)</source>
        <translation>model.script: %1 ist keine Datei von torch.jit.save oder ist beschädigt (%2): mit torch.jit.save(torch.jit.script(module), file) schreiben</translation>
    </message>
    <message>
        <source>the module in %1</source>
        <translation>das Modul in %1</translation>
    </message>
    <message>
        <source>%1 wants the input '%2', and a batch has %3: name the arguments of its forward like these</source>
        <translation>%1 verlangt die Eingabe '%2', und ein Batch hat %3: die Argumente von forward ebenso benennen</translation>
    </message>
    <message>
        <source>%1 gives %2, and must give one tensor</source>
        <translation>%1 liefert %2, nötig ist ein einzelner Tensor</translation>
    </message>
    <message>
        <source>%1 stopped: %2</source>
        <translation>%1 brach ab: %2</translation>
    </message>
    <message>
        <source>model.%1: %2</source>
        <translation>model.%1: %2</translation>
    </message>
    <message>
        <source>model_type '%1' has no network in this version</source>
        <translation>für model_type '%1' gibt es in dieser Version kein Netz</translation>
    </message>
    <message>
        <source>lora.target_modules: %1 has its weight as [in, out], which PEFT does not adapt beside lora.target_parameters: name %2.weight there</source>
        <translation>lora.target_modules: %1 hat sein Gewicht als [in, out], was PEFT neben lora.target_parameters nicht anpasst: dort %2.weight nennen</translation>
    </message>
    <message>
        <source>lora.target_modules: none of %1 is the end of a module's name or matches one: there are %2</source>
        <translation>lora.target_modules: keines von %1 ist das Ende eines Modulnamens oder passt auf einen: vorhanden sind %2</translation>
    </message>
    <message>
        <source>lora.target_parameters: %1 is not multiplied with as a matrix, and gets no adapter: leave it out</source>
        <translation>lora.target_parameters: mit %1 wird nicht als Matrix multipliziert, daher gibt es keinen Adapter: weglassen</translation>
    </message>
    <message>
        <source>lora.target_parameters: none of %1 is the end of a parameter's name, such as</source>
        <translation>lora.target_parameters: nichts von %1 ist das Ende eines Parameternamens, wie</translation>
    </message>
    <message>
        <source>lora.target_parameters: none of %1 is the end of a parameter's name, such as %2</source>
        <translation>lora.target_parameters: nichts von %1 ist das Ende eines Parameternamens, wie %2</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>two plug-ins, %1 and %2, have a %3 named '%4': name one of them in plugins, or rename it</source>
        <translation>zwei Plug-ins, %1 und %2, haben beide %3 '%4': nur eines der beiden in plugins angeben oder umbenennen</translation>
    </message>
    <message>
        <source>%1 is a shared library and no plug-in, because it has no entry %2(): write TRAINYARD_PLUGIN(...) in one of its files</source>
        <translation>%1 ist eine gemeinsame Bibliothek und kein Plug-in, denn der Einstieg %2() fehlt: TRAINYARD_PLUGIN(...) in eine ihrer Dateien schreiben</translation>
    </message>
    <message>
        <source>%1 was built for version %2 of the plug-in interface, and this Trainyard has version %3: build it again with this Trainyard's headers</source>
        <translation>%1 wurde für Version %2 der Plug-in-Schnittstelle gebaut, und dieses Trainyard hat Version %3: mit den Headern dieses Trainyard neu bauen</translation>
    </message>
    <message>
        <source>%1 was built against LibTorch %2.%3, and this Trainyard has %4.%5: build it again</source>
        <translation>%1 wurde gegen LibTorch %2.%3 gebaut, und dieses Trainyard hat %4.%5: neu bauen</translation>
    </message>
    <message>
        <source>'%1' is a %2 of a plug-in, and none is loaded: name its shared library in plugins</source>
        <translation>'%1' (%2) stammt aus einem Plug-in, und es ist keines geladen: seine gemeinsame Bibliothek in plugins angeben</translation>
    </message>
    <message>
        <source>%1 has no %2, so none is named '%3'</source>
        <translation>%1 enthält nichts der Art %2, also auch nichts namens '%3'</translation>
    </message>
    <message>
        <source>%1 has no %2 named '%3'%4</source>
        <translation>%1 enthält nichts der Art %2 namens '%3'%4</translation>
    </message>
    <message>
        <source>it made nothing</source>
        <translation>es hat nichts erzeugt</translation>
    </message>
    <message>
        <source>the %1 '%2' of the plug-in %3: %4</source>
        <translation>%1 '%2' des Plug-ins %3: %4</translation>
    </message>
    <message>
        <source>plugins: %1</source>
        <translation>plugins: %1</translation>
    </message>
    <message>
        <source>the loss '%1' gives values of shape [%2], and the labels have the shape [%3]: give a value for each sample, or for each label</source>
        <translation>die Verlustfunktion '%1' liefert Werte der Form [%2], und die Labels haben die Form [%3]: einen Wert je Sample oder je Label liefern</translation>
    </message>
    <message>
        <source>is %1, but %2 is %3, and both are the same: keep one</source>
        <translation>ist %1, %2 aber %3, und beide bedeuten dasselbe: nur einen Wert behalten</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2 or null</source>
        <translation>muss eine ganze Zahl von %1 bis %2 oder null sein</translation>
    </message>
    <message>
        <source>must be a whole number from %1 to %2</source>
        <translation>muss eine ganze Zahl von %1 bis %2 sein</translation>
    </message>
    <message>
        <source>must be a number from %1 to below %2</source>
        <translation>muss eine Zahl von %1 bis unter %2 sein</translation>
    </message>
    <message>
        <source>must be a number from %1 to %2</source>
        <translation>muss eine Zahl von %1 bis %2 sein</translation>
    </message>
    <message>
        <source>must be a table or a list</source>
        <translation>muss eine Tabelle oder eine Liste sein</translation>
    </message>
    <message>
        <source>%1: this version computes %2 only, not %3</source>
        <translation>%1: Diese Version rechnet nur mit %2, nicht mit %3</translation>
    </message>
    <message>
        <source>%1: this version does not know the field, so it cannot tell what it changes (%2 is no field of %3): remove it if it changes nothing of training</source>
        <translation>%1: Diese Version kennt das Feld nicht und weiß daher nicht, was es ändert (%2 ist kein Feld von %3): entfernen, wenn es am Training nichts ändert</translation>
    </message>
    <message>
        <source>%1 is not a model configuration: it is not a JSON object</source>
        <translation>%1 ist keine Modellkonfiguration: kein JSON-Objekt</translation>
    </message>
    <message>
        <source>%1 is not a model configuration: it has no model_type</source>
        <translation>%1 ist keine Modellkonfiguration: model_type fehlt</translation>
    </message>
    <message>
        <source>%1 describes a model of type '%2', and this version knows %3</source>
        <translation>%1 beschreibt ein Modell vom Typ '%2', diese Version kennt %3</translation>
    </message>
    <message>
        <source>%1 (%2) must be a multiple of %3 (%4)</source>
        <translation>%1 (%2) muss ein Vielfaches von %3 (%4) sein</translation>
    </message>
    <message>
        <source>%1 (%2) must be a multiple of num_key_value_heads (%3)</source>
        <translation>%1 (%2) muss ein Vielfaches von num_key_value_heads (%3) sein</translation>
    </message>
    <message>
        <source>%1 experts cannot be chosen of %2</source>
        <translation>%1 Experten lassen sich nicht aus %2 auswählen</translation>
    </message>
    <message>
        <source>must list full_attention or sliding_attention for each of the %1 blocks</source>
        <translation>muss für jeden der %1 Blöcke full_attention oder sliding_attention angeben</translation>
    </message>
    <message>
        <source>image_size (%1) must be a multiple of patch_size (%2)</source>
        <translation>image_size (%1) muss ein Vielfaches von patch_size (%2) sein</translation>
    </message>
    <message>
        <source>Number of classes; 1: a number.</source>
        <translation>Anzahl der Klassen; 1: eine Zahl.</translation>
    </message>
    <message>
        <source>Names of the classes by their numbers.</source>
        <translation>Namen der Klassen nach ihren Nummern.</translation>
    </message>
    <message>
        <source>missing: give the name that a plug-in has for its model</source>
        <translation>fehlt: den Namen angeben, den ein Plug-in für sein Modell hat</translation>
    </message>
    <message>
        <source>model_type '%1' is not known to this version%2: use %3</source>
        <translation>model_type '%1' ist dieser Version nicht bekannt%2: %3 verwenden</translation>
    </message>
    <message>
        <source>n_embd (%1) must be a multiple of n_head (%2)</source>
        <translation>n_embd (%1) muss ein Vielfaches von n_head (%2) sein</translation>
    </message>
    <message>
        <source>blocks with cross-attention need the states of an encoder, which no data set of this version has: set it to false</source>
        <translation>Blöcke mit Cross-Attention brauchen die Zustände eines Encoders, die kein Datensatz dieser Version hat: auf false setzen</translation>
    </message>
    <message>
        <source>%1 has trained parameters of its own, which this version does not have: take another one, e.g. gelu_new</source>
        <translation>%1 hat eigene trainierte Parameter, die es in dieser Version nicht gibt: eine andere wählen, z. B. gelu_new</translation>
    </message>
    <message>
        <source>'%1' is not known%2</source>
        <translation>'%1' ist nicht bekannt%2</translation>
    </message>
    <message>
        <source>'%1' is not known%2: use %3, %4 or %5</source>
        <translation>'%1' ist nicht bekannt%2: %3, %4 oder %5 verwenden</translation>
    </message>
    <message>
        <source>a single class is always right: give num_labels from 2 on</source>
        <translation>eine einzelne Klasse ist immer richtig: num_labels ab 2 angeben</translation>
    </message>
    <message>
        <source>must name the classes 0 to %1, such as {0: negative, 1: positive}</source>
        <translation>muss die Klassen 0 bis %1 benennen, z. B. {0: negative, 1: positive}</translation>
    </message>
    <message>
        <source>must list the channels of each stage, such as [64, 128]</source>
        <translation>muss die Kanäle jeder Stufe angeben, z. B. [64, 128]</translation>
    </message>
    <message>
        <source>must list the layers of each stage, such as [2, 2]</source>
        <translation>muss die Layer jeder Stufe angeben, z. B. [2, 2]</translation>
    </message>
    <message>
        <source>has %1 stages, and hidden_sizes has %2</source>
        <translation>hat %1 Stufen, hidden_sizes aber %2</translation>
    </message>
    <message>
        <source>'%1' is not known: use basic or bottleneck</source>
        <translation>'%1' ist nicht bekannt: basic oder bottleneck verwenden</translation>
    </message>
    <message>
        <source>%1 is no multiple of 4, which bottlenecks need</source>
        <translation>%1 ist kein Vielfaches von 4, das Bottlenecks brauchen</translation>
    </message>
    <message>
        <source>must be a table such as {rope_type: default, rope_theta: 10000.0}</source>
        <translation>muss eine Tabelle sein, z. B. {rope_type: default, rope_theta: 10000.0}</translation>
    </message>
    <message>
        <source>the rope_type 'su' is not known: it is the former name of longrope, which only Phi-3 has under it: write longrope</source>
        <translation>rope_type „su“ ist nicht bekannt: So hieß longrope früher, und nur Phi-3 kennt den Namen: longrope schreiben</translation>
    </message>
    <message>
        <source>the rope_type '%1' is not known%2</source>
        <translation>der rope_type '%1' ist nicht bekannt%2</translation>
    </message>
    <message>
        <source>the rope_type %1 needs %2</source>
        <translation>der rope_type %1 braucht %2</translation>
    </message>
    <message>
        <source>the rope_type %1 has no %2</source>
        <translation>der rope_type %1 hat kein %2</translation>
    </message>
    <message>
        <source>%1 must be a number above 0</source>
        <translation>%1 muss eine Zahl über 0 sein</translation>
    </message>
    <message>
        <source>%1 must be a whole number from 1 on</source>
        <translation>%1 muss eine ganze Zahl ab 1 sein</translation>
    </message>
    <message>
        <source>%1 of %2 elements of a head would be turned, and they go in pairs: change the heads' width or partial_rotary_factor</source>
        <translation>%1 von %2 Elementen eines Heads würden gedreht, das geht nur paarweise: die Breite der Heads oder partial_rotary_factor ändern</translation>
    </message>
    <message>
        <source>%1 has %2 numbers, and a head turns %3 pairs</source>
        <translation>%1 hat %2 Zahlen, ein Head dreht aber %3 Paare</translation>
    </message>
    <message>
        <source>rope_parameters: %1 is %2, which has no effect: transformers does not read it for the rope_type %3 (it reads attention_factor)</source>
        <translation>rope_parameters: %1 ist %2 und hat keine Wirkung: transformers liest es bei rope_type %3 nicht (es liest attention_factor)</translation>
    </message>
    <message>
        <source>rope_parameters: %1 is %2, which has no effect: transformers does not read it for the rope_type %3</source>
        <translation>rope_parameters: %1 ist %2 und hat keine Wirkung: transformers liest es bei rope_type %3 nicht</translation>
    </message>
    <message>
        <source>it has %1 instead, so write it under the model's names with `trainyard checkpoints rename %2 OUT --table T`, where the file T has the line '%3* -&gt; *'</source>
        <translation>stattdessen enthält sie %1; mit `trainyard checkpoints rename %2 OUT --table T` unter den Namen des Modells schreiben, wobei die Datei T die Zeile '%3* -&gt; *' enthält</translation>
    </message>
    <message>
        <source>it has names such as %1, so it is of another model, or `trainyard checkpoints rename %2 OUT --table T` must give its tensors the model's names</source>
        <translation>sie enthält Namen wie %1, gehört also zu einem anderen Modell, oder `trainyard checkpoints rename %2 OUT --table T` muss ihren Tensoren die Namen des Modells geben</translation>
    </message>
    <message>
        <source>'%1' is not known: give an activation function, or gated- and one, such as gated-gelu</source>
        <translation>'%1' ist nicht bekannt: eine Aktivierungsfunktion angeben, auch mit vorangestelltem gated-, z. B. gated-gelu</translation>
    </message>
    <message>
        <source>must be a multiple of 4</source>
        <translation>muss ein Vielfaches von 4 sein</translation>
    </message>
    <message>
        <source>must be more than half of relative_attention_num_buckets (%1)</source>
        <translation>muss mehr als die Hälfte von relative_attention_num_buckets (%1) sein</translation>
    </message>
    <message>
        <source>%1 has trained parameters of its own, which this version does not have: take another one, e.g. gelu</source>
        <translation>%1 hat eigene trainierte Parameter, die es in dieser Version nicht gibt: eine andere wählen, z. B. gelu</translation>
    </message>
</context>
<context>
    <name>engine/observe</name>
    <message>
        <source>'%1' has fewer elements than its shape says</source>
        <translation>'%1' hat weniger Elemente, als seine Form angibt</translation>
    </message>
    <message>
        <source>%1 is missing: %2 looks there for tensors, copy it again</source>
        <translation>%1 fehlt: %2 verweist dort auf Tensoren, die Datei erneut kopieren</translation>
    </message>
    <message>
        <source>%1 names %2 tensors that are not in their files, such as '%3' in %4</source>
        <translation>%1 nennt %2 Tensoren, die nicht in ihren Dateien sind, z. B. '%3' in %4</translation>
    </message>
    <message>
        <source>%1 holds no checkpoint: expected weights (.safetensors, .bin, .gguf), .metadata, or the files of save_state</source>
        <translation>%1 enthält keinen Checkpoint: erwartet werden Gewichte (.safetensors, .bin, .gguf), .metadata oder die Dateien von save_state</translation>
    </message>
    <message>
        <source>world size</source>
        <translation>World size</translation>
    </message>
    <message>
        <source>saved at</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>not good</source>
        <translation>nicht gut</translation>
    </message>
    <message>
        <source>%1, %2 files</source>
        <translation>%1, %2 Dateien</translation>
    </message>
    <message>
        <source>and %1</source>
        <translation>und %1</translation>
    </message>
    <message>
        <source>and %1, %2 files</source>
        <translation>und %1, %2 Dateien</translation>
    </message>
    <message>
        <source>PEFT adapter, %1</source>
        <translation>PEFT-Adapter, %1</translation>
    </message>
    <message>
        <source>%1 has names of wrapped modules, whose part %2 is left out on loading</source>
        <translation>%1 hat Namen umhüllter Module, deren Teil %2 beim Laden weggelassen wird</translation>
    </message>
    <message>
        <source>training state</source>
        <translation>Trainingszustand</translation>
    </message>
    <message>
        <source>an adapter is one file: leave the size of shards out</source>
        <translation>ein Adapter ist eine einzige Datei: die Größe der Shards weglassen</translation>
    </message>
    <message>
        <source>%1 is no configuration of an adapter</source>
        <translation>%1 ist keine Konfiguration eines Adapters</translation>
    </message>
    <message>
        <source>%1 is an adapter of a model that began with random weights, which nothing else could load it on: write the model with it (trainyard merge-adapter %2 -o FOLDER)</source>
        <translation>%1 ist ein Adapter eines Modells, das mit zufälligen Gewichten begann und auf das ihn nichts anderes laden könnte: das Modell mit ihm schreiben (trainyard merge-adapter %2 -o FOLDER)</translation>
    </message>
    <message>
        <source>name a checkpoint</source>
        <translation>einen Checkpoint angeben</translation>
    </message>
    <message>
        <source>there are %1 shares for %2 checkpoints: give one for each</source>
        <translation>%1 Anteile für %2 Checkpoints: für jeden einen angeben</translation>
    </message>
    <message>
        <source>a folder for ranks has a file for each of them: leave the size of shards out</source>
        <translation>ein Ordner für Ranks enthält für jeden eine Datei: die Größe der Shards weglassen</translation>
    </message>
    <message>
        <source>%1 has no config.json, without which transformers cannot load the weights: put it beside them, or use `convert`</source>
        <translation>%1 hat keine config.json, ohne die transformers die Gewichte nicht laden kann: daneben legen oder `convert` verwenden</translation>
    </message>
    <message>
        <source>the weights are written as %1, as the training was given them or its checkpoint.export_dtype says; choose fp32 to have them as they were trained</source>
        <translation>die Gewichte werden als %1 geschrieben, wie das Training sie bekam oder sein checkpoint.export_dtype sagt; fp32 wählen, um sie zu bekommen, wie sie trainiert wurden</translation>
    </message>
    <message>
        <source>%1 items</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 Einträge</translation>
    </message>
    <message>
        <source>an object of %1</source>
        <translation>ein Objekt vom Typ %1</translation>
    </message>
    <message>
        <source>a pickled value</source>
        <translation>ein Pickle-Wert</translation>
    </message>
    <message>
        <source>GGUF version %1</source>
        <translation>GGUF-Version %1</translation>
    </message>
    <message>
        <source>%1 is %2, which no file of a checkpoint is</source>
        <translation>%1 ist %2, was keine Datei eines Checkpoints ist</translation>
    </message>
    <message>
        <source>%1 is not JSON, or cut</source>
        <translation>%1 ist kein JSON oder abgeschnitten</translation>
    </message>
    <message>
        <source>distributed checkpoint, %1 files</source>
        <translation>verteilter Checkpoint, %1 Dateien</translation>
    </message>
    <message>
        <source>ZeRO, not whole</source>
        <translation>ZeRO, unvollständig</translation>
    </message>
    <message>
        <source>rank %1.</source>
        <translation>rank %1.</translation>
    </message>
    <message>
        <source>best %1</source>
        <translation>unter den besten %1</translation>
    </message>
    <message>
        <source>last %1</source>
        <translation>unter den letzten %1</translation>
    </message>
    <message>
        <source>every %1 steps</source>
        <translation>alle %1 Schritte</translation>
    </message>
    <message>
        <source>the policy keeps it</source>
        <translation>die Regel behält ihn</translation>
    </message>
    <message>
        <source>run %1 went on from it</source>
        <translation>Lauf %1 wurde von ihm aus fortgesetzt</translation>
    </message>
    <message>
        <source>a policy counts checkpoints: use 1 or more</source>
        <translation>eine Regel zählt Checkpoints: 1 oder mehr angeben</translation>
    </message>
    <message>
        <source>a policy without a rule keeps nothing: say how many to keep, the best, the last or every so many steps, 1 or more</source>
        <translation>ohne Angabe behält die Regel nichts: angeben, wie viele bleiben, die besten, die letzten oder alle so viele Schritte, 1 oder mehr</translation>
    </message>
    <message>
        <source>no checkpoint has a metric, so none is the best: keep the last ones, or those every so many steps</source>
        <translation>kein Checkpoint hat eine Metrik, daher ist keiner der beste: die letzten behalten oder die alle so viele Schritte</translation>
    </message>
    <message>
        <source>being written</source>
        <translation>wird geschrieben</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>der neueste</translation>
    </message>
    <message>
        <source>broken, and only removed when asked for</source>
        <translation>beschädigt, wird nur auf Verlangen entfernt</translation>
    </message>
    <message>
        <source>no rule keeps it</source>
        <translation>keine Regel behält ihn</translation>
    </message>
    <message>
        <source>%1 stays: %2</source>
        <translation>%1 bleibt: %2</translation>
    </message>
    <message>
        <source>%1 stays: it was pinned meanwhile</source>
        <translation>%1 bleibt: inzwischen angeheftet</translation>
    </message>
    <message>
        <source>%1 stays: it was written anew meanwhile</source>
        <translation>%1 bleibt: inzwischen neu geschrieben</translation>
    </message>
    <message>
        <source>%1 has changed: open the checkpoint again</source>
        <translation>%1 hat sich geändert: den Checkpoint neu öffnen</translation>
    </message>
    <message>
        <source>%1 has more than %2 files to read at once</source>
        <translation>%1 hat mehr als %2 Dateien, die gleichzeitig zu lesen sind</translation>
    </message>
    <message>
        <source>%1 is cut</source>
        <translation>%1 ist abgeschnitten</translation>
    </message>
    <message>
        <source>%1 is damaged: its elements are of another type</source>
        <translation>%1 ist beschädigt: Die Elemente sind von einem anderen Typ</translation>
    </message>
    <message>
        <source>%1 became shorter while it was read: it ends at byte %2</source>
        <translation>%1 wurde beim Lesen kürzer: Die Datei endet bei Byte %2</translation>
    </message>
    <message>
        <source>'%1' lies in boxes, and is too large to put together</source>
        <translation>'%1' liegt in Blöcken verteilt und ist zu groß zum Zusammensetzen</translation>
    </message>
    <message>
        <source>'%1' is packed (%2): its elements have no bytes of their own</source>
        <translation>'%1' ist gepackt (%2): Die Elemente haben keine eigenen Bytes</translation>
    </message>
    <message>
        <source>'%1' is of the type %2, of which elements cannot be read as numbers</source>
        <translation>'%1' ist vom Typ %2, dessen Elemente nicht als Zahlen lesbar sind</translation>
    </message>
    <message>
        <source>distributed, %1</source>
        <translation>verteilt, %1</translation>
    </message>
    <message>
        <source>sharded, %1</source>
        <translation>aufgeteilt, %1</translation>
    </message>
    <message>
        <source>one file</source>
        <translation>eine Datei</translation>
    </message>
    <message>
        <source>%1 does not exist: name a run, a folder of checkpoints, or a checkpoint</source>
        <translation>%1 existiert nicht: einen Lauf, einen Ordner mit Checkpoints oder einen Checkpoint angeben</translation>
    </message>
    <message>
        <source>it is being written</source>
        <translation>er wird gerade geschrieben</translation>
    </message>
    <message>
        <source>%1 is no folder of a checkpoint</source>
        <translation>%1 ist kein Ordner eines Checkpoints</translation>
    </message>
    <message>
        <source>cannot remove %1: %2</source>
        <translation>%1 kann nicht entfernt werden: %2</translation>
    </message>
    <message>
        <source>%1 has no checkpoint of step %2: there are none</source>
        <translation>%1 hat keinen Checkpoint von Schritt %2: Es gibt keine</translation>
    </message>
    <message>
        <source>%1 has no checkpoint of step %2: there is %3</source>
        <translation>%1 hat keinen Checkpoint von Schritt %2: vorhanden: %3</translation>
    </message>
    <message>
        <source>%1 has no whole checkpoint</source>
        <translation>%1 hat keinen vollständigen Checkpoint</translation>
    </message>
    <message>
        <source>'%1' is packed (%2): its elements are no numbers of their own</source>
        <translation>'%1' ist gepackt (%2): Die Elemente sind keine eigenen Zahlen</translation>
    </message>
    <message>
        <source>the names of these tensors take more than 4 GB</source>
        <translation>die Namen dieser Tensoren belegen mehr als 4 GB</translation>
    </message>
    <message>
        <source>%1 is damaged: its SHA-256 is not that of the file that was fetched, fetch it again</source>
        <translation>%1 ist beschädigt: Die SHA-256 ist nicht die der heruntergeladenen Datei, erneut herunterladen</translation>
    </message>
    <message>
        <source>%1 (at byte %2)</source>
        <translation>%1 (bei Byte %2)</translation>
    </message>
    <message>
        <source>header only</source>
        <translation>nur Header</translation>
    </message>
    <message>
        <source>asynchronous %1</source>
        <translation>asynchron %1</translation>
    </message>
    <message>
        <source>Device Type</source>
        <translation>Device Type</translation>
    </message>
    <message>
        <source>Device Id</source>
        <translation>Device Id</translation>
    </message>
    <message>
        <source>Total Allocated</source>
        <translation>Total Allocated</translation>
    </message>
    <message>
        <source>%1: the trace cannot be written: %2</source>
        <translation>%1: der Trace lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>%1: the trace cannot be written: the folder is not there, is not writable, or has no room</source>
        <translation>%1: der Trace lässt sich nicht schreiben: der Ordner fehlt, ist nicht beschreibbar oder hat keinen Platz</translation>
    </message>
    <message>
        <source>%1: the file has changed or gone since it was read, and the arguments of its slices lie there: open it again</source>
        <translation>%1: die Datei wurde seit dem Lesen geändert oder entfernt, und darin liegen die Argumente ihrer Slices: erneut öffnen</translation>
    </message>
    <message>
        <source>there is no slice in this range: select a longer one</source>
        <translation>in diesem Bereich gibt es keinen Slice: einen längeren auswählen</translation>
    </message>
    <message>
        <source>aligned by collectives: %1 of %2 clocks corrected, by at most %3</source>
        <translation>an Kollektivoperationen ausgerichtet: %1 von %2 Uhren korrigiert, um höchstens %3</translation>
    </message>
    <message>
        <source>clocks agree within 5 ms, by the ends of collectives</source>
        <translation>Uhren stimmen auf 5 ms überein, nach den Enden der Kollektivoperationen</translation>
    </message>
    <message>
        <source>aligned by the clocks of the machines</source>
        <translation>an den Uhren der Rechner ausgerichtet</translation>
    </message>
    <message>
        <source>clocks not comparable: the traces name no wall time and share no collective</source>
        <translation>Uhren nicht vergleichbar: die Traces nennen keine Uhrzeit und haben keine gemeinsame Kollektivoperation</translation>
    </message>
    <message>
        <source>%1: there is no trace in it or in its folder traces; `trainyard runs profile` records one of a running run</source>
        <translation>%1: weder dort noch im Ordner traces darin gibt es einen Trace; `trainyard runs profile` zeichnet einen von einem laufenden Lauf auf</translation>
    </message>
    <message>
        <source>the file is empty: 0 bytes</source>
        <translation>die Datei ist leer: 0 Bytes</translation>
    </message>
    <message>
        <source>%1: %2; a trace is JSON with a list of traceEvents, as Chrome and Kineto write it</source>
        <translation>%1: %2; ein Trace ist JSON mit einer Liste traceEvents, wie Chrome und Kineto ihn schreiben</translation>
    </message>
    <message>
        <source>line %1, column %2, byte %3</source>
        <translation>Zeile %1, Spalte %2, Byte %3</translation>
    </message>
    <message>
        <source>%1: %2; %3 events before it are shown</source>
        <translation>%1: %2; %3 Ereignisse davor werden gezeigt</translation>
    </message>
    <message>
        <source>reading was ended at byte %1; %2 events before it are shown</source>
        <translation>Lesen bei Byte %1 beendet; %2 Ereignisse davor werden gezeigt</translation>
    </message>
    <message>
        <source>the text is UTF-16, not UTF-8</source>
        <translation>der Text ist UTF-16, nicht UTF-8</translation>
    </message>
    <message>
        <source>the text does not begin as JSON</source>
        <translation>der Text beginnt nicht wie JSON</translation>
    </message>
    <message>
        <source>the file ends before the list of events</source>
        <translation>die Datei endet vor der Liste der Ereignisse</translation>
    </message>
    <message>
        <source>it is damaged before the list of events, at %1</source>
        <translation>beschädigt vor der Liste der Ereignisse, bei %1</translation>
    </message>
    <message>
        <source>the file ends here, the end of the trace is missing</source>
        <translation>die Datei endet hier, das Ende des Trace fehlt</translation>
    </message>
    <message>
        <source>the text behind the list of events is damaged</source>
        <translation>der Text hinter der Liste der Ereignisse ist beschädigt</translation>
    </message>
    <message>
        <source>traceEvents is not a list</source>
        <translation>traceEvents ist keine Liste</translation>
    </message>
    <message>
        <source>the file ends inside '%1'</source>
        <translation>die Datei endet innerhalb von '%1'</translation>
    </message>
    <message>
        <source>the text is damaged here</source>
        <translation>der Text ist hier beschädigt</translation>
    </message>
    <message>
        <source>it has no traceEvents</source>
        <translation>traceEvents fehlt</translation>
    </message>
    <message>
        <source>the file ends here, the end of the list of events is missing</source>
        <translation>die Datei endet hier, das Ende der Liste der Ereignisse fehlt</translation>
    </message>
    <message>
        <source>the file ends inside an event</source>
        <translation>die Datei endet innerhalb eines Ereignisses</translation>
    </message>
    <message>
        <source>an event is longer than %1, or one of its quotes is missing</source>
        <translation>ein Ereignis ist länger als %1, oder eines seiner Anführungszeichen fehlt</translation>
    </message>
    <message>
        <source>the list of events is damaged</source>
        <translation>die Liste der Ereignisse ist beschädigt</translation>
    </message>
    <message>
        <source>%1: there is text behind the end of the trace, which is not read</source>
        <translation>%1: hinter dem Ende des Trace steht Text, der nicht gelesen wird</translation>
    </message>
    <message>
        <source>`%1` has no unit: write %1ms</source>
        <translation>`%1` hat keine Einheit: %1ms schreiben</translation>
    </message>
    <message>
        <source>`%1` has no duration: write dur&gt;5ms</source>
        <translation>`%1` hat keine Dauer: dur&gt;5ms schreiben</translation>
    </message>
    <message>
        <source>`%1` has no end: a second %2 is missing</source>
        <translation>`%1` hat kein Ende: ein zweites %2 fehlt</translation>
    </message>
    <message>
        <source>`!` stands alone: write !word for slices that do not fit</source>
        <translation>`!` steht allein: !Wort schreiben für Slices, die nicht passen</translation>
    </message>
    <message>
        <source>`%1` names nothing: write %1word</source>
        <translation>`%1` nennt nichts: %1Wort schreiben</translation>
    </message>
    <message>
        <source>`%1` compares with a text: write a number, or ~ for a part of a text</source>
        <translation>`%1` vergleicht mit einem Text: eine Zahl schreiben, oder ~ für einen Teil eines Textes</translation>
    </message>
    <message>
        <source>`%1` compares a duration with ~: write dur&gt;5ms</source>
        <translation>`%1` vergleicht eine Dauer mit ~: dur&gt;5ms schreiben</translation>
    </message>
    <message>
        <source>there is no step %1 in this trace: it marks no steps</source>
        <translation>Schritt %1 gibt es in diesem Trace nicht: er markiert keine Schritte</translation>
    </message>
    <message>
        <source>there is no step %1 in this trace: it has %2 to %3</source>
        <translation>Schritt %1 gibt es in diesem Trace nicht: er hat %2 bis %3</translation>
    </message>
    <message>
        <source>event of an unknown phase</source>
        <translation>Ereignis mit unbekannter Phase</translation>
    </message>
    <message>
        <source>events of unknown phases</source>
        <translation>Ereignisse mit unbekannten Phasen</translation>
    </message>
    <message>
        <source>event without a phase</source>
        <translation>Ereignis ohne Phase</translation>
    </message>
    <message>
        <source>events without a phase</source>
        <translation>Ereignisse ohne Phase</translation>
    </message>
    <message>
        <source>entry that is no event</source>
        <translation>Eintrag, der kein Ereignis ist</translation>
    </message>
    <message>
        <source>entries that are no events</source>
        <translation>Einträge, die keine Ereignisse sind</translation>
    </message>
    <message>
        <source>event without a time</source>
        <translation>Ereignis ohne Zeit</translation>
    </message>
    <message>
        <source>events without a time</source>
        <translation>Ereignisse ohne Zeit</translation>
    </message>
    <message>
        <source>time beyond 64-bit nanoseconds</source>
        <translation>Zeit jenseits von 64-Bit-Nanosekunden</translation>
    </message>
    <message>
        <source>times beyond 64-bit nanoseconds</source>
        <translation>Zeiten jenseits von 64-Bit-Nanosekunden</translation>
    </message>
    <message>
        <source>event that cannot be read</source>
        <translation>nicht lesbares Ereignis</translation>
    </message>
    <message>
        <source>events that cannot be read</source>
        <translation>nicht lesbare Ereignisse</translation>
    </message>
    <message>
        <source>end without a begin</source>
        <translation>Ende ohne Anfang</translation>
    </message>
    <message>
        <source>ends without a begin</source>
        <translation>Enden ohne Anfang</translation>
    </message>
    <message>
        <source>arrow without its other end</source>
        <translation>Pfeil ohne sein anderes Ende</translation>
    </message>
    <message>
        <source>arrows without their other end</source>
        <translation>Pfeile ohne ihr anderes Ende</translation>
    </message>
    <message>
        <source>event with characters that are no JSON, repaired</source>
        <translation>Ereignis mit Zeichen, die kein JSON sind, repariert</translation>
    </message>
    <message>
        <source>events with characters that are no JSON, repaired</source>
        <translation>Ereignisse mit Zeichen, die kein JSON sind, repariert</translation>
    </message>
    <message>
        <source>number in quotes, read as a number</source>
        <translation>Zahl in Anführungszeichen, als Zahl gelesen</translation>
    </message>
    <message>
        <source>numbers in quotes, read as numbers</source>
        <translation>Zahlen in Anführungszeichen, als Zahlen gelesen</translation>
    </message>
    <message>
        <source>negative duration, shown as 0</source>
        <translation>negative Dauer, als 0 gezeigt</translation>
    </message>
    <message>
        <source>negative durations, shown as 0</source>
        <translation>negative Dauern, als 0 gezeigt</translation>
    </message>
    <message>
        <source>event without a duration, shown as 0</source>
        <translation>Ereignis ohne Dauer, als 0 gezeigt</translation>
    </message>
    <message>
        <source>events without a duration, shown as 0</source>
        <translation>Ereignisse ohne Dauer, als 0 gezeigt</translation>
    </message>
    <message>
        <source>begin without an end, shown until the end of the trace</source>
        <translation>Anfang ohne Ende, bis zum Ende des Trace gezeigt</translation>
    </message>
    <message>
        <source>begins without an end, shown until the end of the trace</source>
        <translation>Anfänge ohne Ende, bis zum Ende des Trace gezeigt</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>Stream %1</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>Thread %1</translation>
    </message>
    <message>
        <source>memory of the processor</source>
        <translation>Speicher des Prozessors</translation>
    </message>
    <message>
        <source>memory of GPU %1</source>
        <translation>Speicher von GPU %1</translation>
    </message>
    <message>
        <source>memory of device %1</source>
        <translation>Speicher von Gerät %1</translation>
    </message>
    <message>
        <source>cannot create a temporary file in %1: %2</source>
        <translation>in %1 lässt sich keine temporäre Datei anlegen: %2</translation>
    </message>
    <message>
        <source>cannot unpack into a temporary file: %1: %2</source>
        <translation>Entpacken in eine temporäre Datei nicht möglich: %1: %2</translation>
    </message>
    <message>
        <source>the compressed data cannot be unpacked: no memory</source>
        <translation>die komprimierten Daten lassen sich nicht entpacken: kein Speicher</translation>
    </message>
    <message>
        <source>the compressed data is cut: the file ends before its end mark</source>
        <translation>die komprimierten Daten sind abgeschnitten: die Datei endet vor ihrer Endmarke</translation>
    </message>
    <message>
        <source>the compressed data is damaged</source>
        <translation>die komprimierten Daten sind beschädigt</translation>
    </message>
    <message>
        <source>the compressed data is damaged (%1)</source>
        <translation>die komprimierten Daten sind beschädigt (%1)</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>%1 is no CSV file of ours (its first columns are not step, wall_time): move it away or choose another path</source>
        <translation>%1 ist keine CSV-Datei von Trainyard (ihre ersten Spalten sind nicht step, wall_time): verschieben oder einen anderen Pfad wählen</translation>
    </message>
    <message>
        <source>csv cannot have a column whose name has a line break</source>
        <translation>csv kann keine Spalte haben, deren Name einen Zeilenumbruch enthält</translation>
    </message>
    <message>
        <source>dvclive makes a file of every metric's name, and '%1' would not lie in its folder</source>
        <translation>dvclive macht aus dem Namen jeder Metrik eine Datei, und '%1' läge nicht in seinem Ordner</translation>
    </message>
    <message>
        <source>dvclive has the metric '%1' already, so that '%2' cannot lie below it</source>
        <translation>dvclive hat die Metrik '%1' schon, daher kann '%2' nicht darunter liegen</translation>
    </message>
    <message>
        <source>%1 is no JSON of metrics: the run cannot go on with it</source>
        <translation>%1 ist kein JSON mit Metriken: der Lauf lässt sich damit nicht fortsetzen</translation>
    </message>
    <message>
        <source>dvclive keeps numbers and words, not %1</source>
        <translation>dvclive nimmt Zahlen und Wörter, nicht %1</translation>
    </message>
    <message>
        <source>unknown tracker '%1'%2</source>
        <translation>unbekannter Tracker '%1'%2</translation>
    </message>
    <message>
        <source>the tracker '%1' keeps no pictures: log them with tensorboard</source>
        <translation>der Tracker '%1' nimmt keine Bilder: mit tensorboard loggen</translation>
    </message>
    <message>
        <source>the tracker '%1' needs a logging directory: give one</source>
        <translation>der Tracker '%1' braucht einen Protokollordner: einen angeben</translation>
    </message>
    <message>
        <source>the arguments of the tracker '%1' are no dictionary</source>
        <translation>die Argumente des Trackers '%1' sind kein Dictionary</translation>
    </message>
    <message>
        <source>unknown argument '%1' of the tracker '%2'%3</source>
        <translation>unbekanntes Argument '%1' des Trackers '%2'%3</translation>
    </message>
    <message>
        <source>tensorboard shows numbers, words and dictionaries of numbers, not %1</source>
        <translation>tensorboard zeigt Zahlen, Wörter und Dictionarys mit Zahlen, nicht %1</translation>
    </message>
    <message>
        <source>the tracker '%1' cannot keep up: records are dropped while %2 wait to be written</source>
        <translation>der Tracker '%1' kommt nicht nach: Einträge werden verworfen, während %2 auf das Schreiben warten</translation>
    </message>
    <message>
        <source>an exception that is no std::exception</source>
        <translation>eine Ausnahme, die keine std::exception ist</translation>
    </message>
    <message>
        <source>the tracker '%1' failed: %2</source>
        <translation>der Tracker '%1' ist fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>the tracker '%1' dropped %2 records in all</source>
        <translation>der Tracker '%1' hat insgesamt %2 Einträge verworfen</translation>
    </message>
    <message>
        <source>the tracker '%1' failed %2 times in all</source>
        <translation>der Tracker '%1' ist insgesamt %2-mal fehlgeschlagen</translation>
    </message>
    <message>
        <source>the queue of the trackers must hold at least one record</source>
        <translation>die Warteschlange der Tracker muss mindestens einen Eintrag fassen</translation>
    </message>
    <message>
        <source>there are arguments for the tracker '%1', which is not among those of the run (%2)</source>
        <translation>es gibt Argumente für den Tracker '%1', der nicht unter denen des Laufs ist (%2)</translation>
    </message>
    <message>
        <source>the pictures '%1' are no %2 of %3 x %4 pixels with 1 or 3 channels</source>
        <translation>die Bilder '%1' sind keine %2 mit %3 x %4 Pixeln und 1 oder 3 Kanälen</translation>
    </message>
    <message>
        <source>no tracker of this run keeps pictures (%1): add tensorboard</source>
        <translation>kein Tracker dieses Laufs nimmt Bilder (%1): tensorboard hinzufügen</translation>
    </message>
    <message>
        <source>there is no tracker '%1' in this run; there are: %2</source>
        <translation>in diesem Lauf gibt es keinen Tracker '%1'; vorhanden: %2</translation>
    </message>
</context>
<context>
    <name>engine/optim</name>
    <message>
        <source>growth_factor must be greater than 1.</source>
        <translation>growth_factor muss größer als 1 sein.</translation>
    </message>
    <message>
        <source>backoff_factor must be between 0 and 1.</source>
        <translation>backoff_factor muss zwischen 0 und 1 liegen.</translation>
    </message>
    <message>
        <source>init_scale must be a positive number.</source>
        <translation>init_scale muss eine positive Zahl sein.</translation>
    </message>
    <message>
        <source>growth_interval must be 1 or more.</source>
        <translation>growth_interval muss mindestens 1 sein.</translation>
    </message>
    <message>
        <source>options of the gradient scaler:%1</source>
        <translation>Optionen des Gradienten-Skalierers:%1</translation>
    </message>
    <message>
        <source>fp16 gradients cannot be unscaled: keep the parameters in fp32 and let automatic casting choose fp16 for the forward pass</source>
        <translation>Skalierung von fp16-Gradienten lässt sich nicht zurücknehmen: Parameter in fp32 halten und fp16 im Vorwärtsdurchlauf vom automatischen Casting wählen lassen</translation>
    </message>
    <message>
        <source>the state of the gradient scaler is empty: it was saved by a run without loss scaling; resume with the precision of that run, or leave the scaler's state out</source>
        <translation>der Zustand des Gradienten-Skalierers ist leer: er stammt von einem Lauf ohne Loss-Skalierung; mit der Genauigkeit jenes Laufs fortsetzen oder den Zustand weglassen</translation>
    </message>
    <message>
        <source>the optimizer's state: '%1' has %2 elements, the parameters together %3</source>
        <translation>Optimizer-Zustand: '%1' hat %2 Elemente, die Parameter zusammen %3</translation>
    </message>
    <message>
        <source>the optimizer's state is of another number of parameters or groups: LBFGS has one group, here of %1 parameters</source>
        <translation>der Optimizer-Zustand hat eine andere Zahl von Parametern oder Gruppen: LBFGS hat eine Gruppe, hier mit %1 Parametern</translation>
    </message>
    <message>
        <source>the optimizer's state: old_dirs, old_stps and ro have different lengths</source>
        <translation>Optimizer-Zustand: old_dirs, old_stps und ro haben verschiedene Längen</translation>
    </message>
    <message>
        <source>options must be a dictionary</source>
        <translation>Optionen müssen ein Dictionary sein</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 has no '%2': it is of another optimizer than %3</source>
        <translation>%1 hat kein '%2': gehört zu einem anderen Optimizer als %3</translation>
    </message>
    <message>
        <source>must be a dictionary of patterns of names</source>
        <translation>muss ein Dictionary mit Namensmustern sein</translation>
    </message>
    <message>
        <source>LBFGS takes all parameters as one group</source>
        <translation>LBFGS nimmt alle Parameter als eine einzige Gruppe</translation>
    </message>
    <message>
        <source>groups: '%1' is the name of no parameter</source>
        <translation>groups: '%1' ist der Name keines Parameters</translation>
    </message>
    <message>
        <source>this optimizer</source>
        <translation>dieser Optimizer</translation>
    </message>
    <message>
        <source>%1 updates matrices alone, and there is a parameter with %2 dimensions: give the others a group with another optimizer, e.g. AdamW</source>
        <translation>%1 aktualisiert nur Matrizen, und es gibt einen Parameter mit %2 Dimensionen: den anderen eine Gruppe mit einem anderen Optimizer geben, z. B. AdamW</translation>
    </message>
    <message>
        <source>the parameters are the averaged weights since eval(): call train() before step()</source>
        <translation>die Parameter sind seit eval() die gemittelten Gewichte: train() vor step() aufrufen</translation>
    </message>
    <message>
        <source>%1 updates while backward runs, and a parameter got a second gradient before step(): run one backward of the whole loss for each step(), and use no parameter in several checkpointed blocks</source>
        <translation>%1 aktualisiert während des Rückwärtslaufs, und ein Parameter bekam vor step() einen zweiten Gradienten: für jedes step() einen Rückwärtslauf des ganzen Loss ausführen und keinen Parameter in mehreren Blöcken mit Checkpointing verwenden</translation>
    </message>
    <message>
        <source>the optimizer's state has %1 parameter groups, the optimizer %2</source>
        <translation>der Optimizer-Zustand hat %1 Parametergruppen, der Optimizer %2</translation>
    </message>
    <message>
        <source>parameter group %1 of the optimizer's state</source>
        <translation>Parametergruppe %1 des Optimizer-Zustands</translation>
    </message>
    <message>
        <source>%1 has %2 parameters, the optimizer's %3</source>
        <translation>%1 hat %2 Parameter, die des Optimizers %3</translation>
    </message>
    <message>
        <source>%1: '%2' of parameter %3 has another shape than the parameter needs</source>
        <translation>%1: '%2' von Parameter %3 hat eine andere Form, als der Parameter braucht</translation>
    </message>
    <message>
        <source>%1: at step %2 the schedule has no finite value; check its arguments (a phase of no length, a division by zero)</source>
        <translation>%1: bei Schritt %2 hat der Schedule keinen endlichen Wert; Argumente prüfen (eine Phase ohne Länge, eine Division durch null)</translation>
    </message>
    <message>
        <source>has %1 rates, the optimizer has %2 parameter groups</source>
        <translation>hat %1 Lernraten, der Optimizer hat %2 Parametergruppen</translation>
    </message>
    <message>
        <source>%1 base rates were given, the optimizer has %2 parameter groups</source>
        <translation>angegeben wurden %1 Basis-Lernraten, der Optimizer hat %2 Parametergruppen</translation>
    </message>
    <message>
        <source>unknown schedule '%1'%2</source>
        <translation>unbekannter Schedule '%1'%2</translation>
    </message>
    <message>
        <source>%1: the arguments are a %2, not a dictionary</source>
        <translation>%1: die Argumente sind %2, kein Dictionary</translation>
    </message>
    <message>
        <source>must be finite</source>
        <translation>muss endlich sein</translation>
    </message>
    <message>
        <source>is missing: this schedule cannot do without it</source>
        <translation>fehlt: dieser Schedule kommt nicht ohne aus</translation>
    </message>
    <message>
        <source>is '%1', must be one of %2</source>
        <translation>ist '%1', muss eines von %2 sein</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>eine Liste von Zahlen</translation>
    </message>
    <message>
        <source>has %1 numbers, the optimizer has %2 parameter groups</source>
        <translation>hat %1 Zahlen, der Optimizer hat %2 Parametergruppen</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>eine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>is %1, and %2 has no warm-up: set it to 0, or take a schedule that has one, e.g. constant_with_warmup</source>
        <translation>ist %1, und %2 hat kein Warm-up: auf 0 setzen oder einen Zeitplan mit Warm-up nehmen, z. B. constant_with_warmup</translation>
    </message>
    <message>
        <source>must be -1: load the schedule's state to go on with a run</source>
        <translation>muss -1 sein: zum Fortsetzen eines Laufs den Zustand des Schedules laden</translation>
    </message>
    <message>
        <source>unknown argument%1</source>
        <translation>unbekanntes Argument%1</translation>
    </message>
    <message>
        <source>must be more than 0</source>
        <translation>muss größer als 0 sein</translation>
    </message>
    <message>
        <source>must be between 0 and 1</source>
        <translation>muss zwischen 0 und 1 liegen</translation>
    </message>
    <message>
        <source>must be more than 0 and at most 1</source>
        <translation>muss größer als 0 und höchstens 1 sein</translation>
    </message>
    <message>
        <source>must not be 0</source>
        <translation>darf nicht 0 sein</translation>
    </message>
    <message>
        <source>needs an optimizer with momentum or betas: set it to false</source>
        <translation>braucht einen Optimizer mit momentum oder betas: auf false setzen</translation>
    </message>
    <message>
        <source>%1: step %2 is past the %3 steps of the cycle; give it more total_steps</source>
        <translation>%1: Schritt %2 liegt hinter den %3 Schritten des Zyklus: total_steps erhöhen</translation>
    </message>
    <message>
        <source>are %1 phases, this schedule has %2</source>
        <translation>sind %1 Phasen, dieser Schedule hat %2</translation>
    </message>
    <message>
        <source>must not be negative</source>
        <translation>darf nicht negativ sein</translation>
    </message>
    <message>
        <source>is missing: give it, or epochs and steps_per_epoch</source>
        <translation>fehlt: angeben, oder stattdessen epochs und steps_per_epoch</translation>
    </message>
    <message>
        <source>must be a share between 0.0 and 1.0, written with a point</source>
        <translation>muss ein Anteil zwischen 0.0 und 1.0 sein, mit Dezimalpunkt geschrieben</translation>
    </message>
    <message>
        <source>must be a list of %1 states</source>
        <translation>muss eine Liste von %1 Zuständen sein</translation>
    </message>
    <message>
        <source>[%1] does not fit %2</source>
        <translation>[%1] passt nicht zu %2</translation>
    </message>
    <message>
        <source>are %1, must be one fewer than the %2 schedules</source>
        <translation>sind %1, es muss einer weniger sein als die %2 Schedules</translation>
    </message>
    <message>
        <source>must rise</source>
        <translation>müssen ansteigen</translation>
    </message>
    <message>
        <source>must be a list of at least one {name, arguments}</source>
        <translation>muss eine Liste von mindestens einem {name, arguments} sein</translation>
    </message>
    <message>
        <source>must have a name</source>
        <translation>muss einen Namen haben</translation>
    </message>
    <message>
        <source>follows a metric, which a joined schedule is not given</source>
        <translation>folgt einer Metrik, die ein verbundener Schedule nicht erhält</translation>
    </message>
    <message>
        <source>%1 needs at least one schedule</source>
        <translation>%1 braucht mindestens einen Schedule</translation>
    </message>
    <message>
        <source>%1: schedule %2 cannot be joined with others: it follows a metric, or is none that optim/schedule.h makes</source>
        <translation>%1: Schedule %2 lässt sich nicht mit anderen verbinden: er folgt einer Metrik oder stammt nicht aus optim/schedule.h</translation>
    </message>
    <message>
        <source>%1: %2 functions were given, the optimizer has %3 parameter groups</source>
        <translation>%1: angegeben wurden %2 Funktionen, der Optimizer hat %3 Parametergruppen</translation>
    </message>
    <message>
        <source>is %1, must be lower than the initial rate %2</source>
        <translation>ist %1, muss kleiner als die anfängliche Lernrate %2 sein</translation>
    </message>
    <message>
        <source>and min_lr_rate exclude each other: give one</source>
        <translation>und min_lr_rate schließen einander aus: nur eines angeben</translation>
    </message>
    <message>
        <source>or min_lr_rate is missing: this schedule cannot do without one</source>
        <translation>oder min_lr_rate fehlt: dieser Schedule braucht eines davon</translation>
    </message>
    <message>
        <source>has no meaning for an initial rate of 0</source>
        <translation>hat bei einer anfänglichen Lernrate von 0 keine Bedeutung</translation>
    </message>
    <message>
        <source>or num_training_steps is missing: this schedule cannot do without one</source>
        <translation>oder num_training_steps fehlt: dieser Schedule braucht eines davon</translation>
    </message>
    <message>
        <source>%1 follows a metric: give one to each step, e.g. the loss of the evaluation</source>
        <translation>%1 folgt einer Metrik: jedem Schritt eine geben, z. B. den Loss der Evaluierung</translation>
    </message>
    <message>
        <source>must be lower than 1</source>
        <translation>muss kleiner als 1 sein</translation>
    </message>
    <message>
        <source>must be lower than 1 and not 0</source>
        <translation>muss kleiner als 1 und darf nicht 0 sein</translation>
    </message>
    <message>
        <source>a key is no whole number</source>
        <translation>ein Schlüssel ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>state of the schedule %1: it is a %2, not a dictionary</source>
        <translation>Zustand des Schedules %1: er ist %2, kein Dictionary</translation>
    </message>
    <message>
        <source>does not fit (%1)</source>
        <translation>passt nicht (%1)</translation>
    </message>
    <message>
        <source>state of the schedule %1: %2; was it saved by another kind of schedule?</source>
        <translation>Zustand des Schedules %1: %2; wurde er von einem Schedule anderer Art gespeichert?</translation>
    </message>
    <message>
        <source>the state of this optimizer class cannot be saved or loaded: use Adam, AdamW, SGD, RMSprop, Adagrad or LBFGS of torch::optim, or derive from trainyard::optim::Optimizer</source>
        <translation>der Zustand dieser Optimizer-Klasse lässt sich weder speichern noch laden: Adam, AdamW, SGD, RMSprop, Adagrad oder LBFGS von torch::optim verwenden oder von trainyard::optim::Optimizer ableiten</translation>
    </message>
    <message>
        <source>betas must be two numbers</source>
        <translation>betas müssen zwei Zahlen sein</translation>
    </message>
    <message>
        <source>%1 maximizes, which torch's C++ optimizers cannot: change the sign of the loss</source>
        <translation>%1 maximiert, was die C++-Optimizer von torch nicht können: das Vorzeichen des Loss umkehren</translation>
    </message>
    <message>
        <source>%1: '%2' of parameter %3 has another shape than the parameter</source>
        <translation>%1: '%2' von Parameter %3 hat eine andere Form als der Parameter</translation>
    </message>
</context>
<context>
    <name>engine/profile</name>
    <message>
        <source>steps and phases</source>
        <translation>Schritte und Phasen</translation>
    </message>
    <message>
        <source>checkpoints and evaluation</source>
        <translation>Checkpoints und Evaluierung</translation>
    </message>
    <message>
        <source>activities: cuda has nothing to record, this run does not compute on a CUDA device</source>
        <translation>activities: cuda hat nichts aufzuzeichnen, dieser Lauf rechnet nicht auf einem CUDA-Gerät</translation>
    </message>
    <message>
        <source>activities: this build has no %1: it records cpu and cuda</source>
        <translation>activities: dieser Build hat kein %1: er zeichnet cpu und cuda auf</translation>
    </message>
    <message>
        <source>activities: %1 is none: they are cpu, xpu, mtia, hpu and cuda%2</source>
        <translation>activities: %1 gibt es nicht: möglich sind cpu, xpu, mtia, hpu und cuda%2</translation>
    </message>
    <message>
        <source>another profiler of this process is recording: end it first</source>
        <translation>ein anderer Profiler dieses Prozesses zeichnet auf: zuerst beenden</translation>
    </message>
    <message>
        <source>the profiler has been started already</source>
        <translation>der Profiler wurde bereits gestartet</translation>
    </message>
    <message>
        <source>%1: no trace was recorded: no step of the schedule was an active one</source>
        <translation>%1: es wurde kein Trace aufgezeichnet: kein Schritt des Schedules war aktiv</translation>
    </message>
    <message>
        <source>%1 is %2: it must be %3 or more</source>
        <translation>%1 ist %2: der Wert muss mindestens %3 sein</translation>
    </message>
    <message>
        <source>%1 is %2: at most 1000000000 steps can be named</source>
        <translation>%1 ist %2: höchstens 1000000000 Schritte sind möglich</translation>
    </message>
    <message>
        <source>the trace cannot be written</source>
        <translation>der Trace lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>the profiler's file cannot be read</source>
        <translation>die Datei des Profilers ist nicht lesbar</translation>
    </message>
    <message>
        <source>the profiler wrote no file</source>
        <translation>der Profiler hat keine Datei geschrieben</translation>
    </message>
    <message>
        <source>%1: the profiler of this LibTorch writes another form of trace</source>
        <translation>%1: der Profiler dieses LibTorch schreibt eine andere Form von Trace</translation>
    </message>
</context>
<context>
    <name>engine/run</name>
    <message>
        <source>no place for the program's own state: set XDG_STATE_HOME to a folder (HOME is not set)</source>
        <translation>kein Platz für den eigenen Zustand des Programms: XDG_STATE_HOME auf einen Ordner setzen (HOME ist nicht gesetzt)</translation>
    </message>
    <message>
        <source>%1 is not there yet</source>
        <translation>%1 ist noch nicht vorhanden</translation>
    </message>
    <message>
        <source>the place for runs, %1, is not a folder: set TRAINYARD_RUNS to a folder, or remove what is there</source>
        <translation>der Ort für Läufe, %1, ist kein Ordner: TRAINYARD_RUNS auf einen Ordner setzen oder entfernen, was dort liegt</translation>
    </message>
    <message>
        <source>cannot read the folder of runs %1: %2</source>
        <translation>der Ordner für Läufe %1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1 is not a run's folder: it has neither run.yaml nor state.json</source>
        <translation>%1 ist kein Laufordner: er enthält weder run.yaml noch state.json</translation>
    </message>
    <message>
        <source>'%1' fits more than one run: %2</source>
        <translation>'%1' passt auf mehr als einen Lauf: %2</translation>
    </message>
    <message>
        <source>no run '%1': there are no runs in %2</source>
        <translation>kein Lauf '%1': in %2 gibt es keine Läufe</translation>
    </message>
    <message>
        <source>no run '%1' in %2: did you mean '%3'?</source>
        <translation>kein Lauf '%1' in %2: war '%3' gemeint?</translation>
    </message>
    <message>
        <source>no run '%1' in %2: `trainyard runs list` names them</source>
        <translation>kein Lauf '%1' in %2: `trainyard runs list` nennt sie</translation>
    </message>
    <message>
        <source>no place for runs: set TRAINYARD_RUNS to a folder (HOME is not set)</source>
        <translation>kein Ort für Läufe: TRAINYARD_RUNS auf einen Ordner setzen (HOME ist nicht gesetzt)</translation>
    </message>
    <message>
        <source>cannot make the run's folder %1: %2</source>
        <translation>der Ordner des Laufs %1 lässt sich nicht anlegen: %2</translation>
    </message>
    <message>
        <source>cannot find a free name for the run in %1</source>
        <translation>kein freier Name für den Lauf in %1 zu finden</translation>
    </message>
    <message>
        <source>%1 is there already and not empty: name another folder for the run</source>
        <translation>%1 ist schon vorhanden und nicht leer: einen anderen Ordner für den Lauf angeben</translation>
    </message>
    <message>
        <source>cannot open %1: %2</source>
        <translation>%1 lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>the queue in %1 is in use by another process: try again</source>
        <translation>die Warteschlange in %1 wird von einem anderen Prozess benutzt: noch einmal versuchen</translation>
    </message>
    <message>
        <source>run %1 does not wait in the queue of %2</source>
        <translation>Lauf %1 wartet nicht in der Warteschlange von %2</translation>
    </message>
    <message>
        <source>waits for %1 on %2, %3 before it</source>
        <translation>wartet auf %1 auf %2, %3 davor</translation>
    </message>
    <message>
        <source>waits for %1 on %2</source>
        <translation>wartet auf %1 auf %2</translation>
    </message>
    <message>
        <source>%1: kind is missing</source>
        <translation>%1: kind fehlt</translation>
    </message>
    <message>
        <source>%1: the name of a request is letters, digits, - and _</source>
        <translation>%1: der Name einer Anforderung besteht aus Buchstaben, Ziffern, - und _</translation>
    </message>
    <message>
        <source>%1 is not a run.yaml: it needs the sections launch, and recipe or program</source>
        <translation>%1 ist keine run.yaml: sie braucht die Abschnitte launch und recipe oder program</translation>
    </message>
    <message>
        <source>%1: created: %2</source>
        <translation>%1: created: %2</translation>
    </message>
    <message>
        <source>'%1' is not text in UTF-8, as run.yaml must be: write it in UTF-8, or rename the file that it names</source>
        <translation>'%1' ist kein Text in UTF-8, wie run.yaml ihn braucht: in UTF-8 schreiben oder die Datei umbenennen, die er nennt</translation>
    </message>
    <message>
        <source>the supervisor of %1 (pid %2 on %3)</source>
        <translation>der Supervisor von %1 (PID %2 auf %3)</translation>
    </message>
    <message>
        <source>%1 is gone, as that machine says</source>
        <translation>%1 läuft nicht mehr, wie jener Rechner meldet</translation>
    </message>
    <message>
        <source>%1 is gone, its last word is %2 old</source>
        <translation>%1 läuft nicht mehr, seine letzte Meldung ist %2 alt</translation>
    </message>
    <message>
        <source>goes on from its last checkpoint</source>
        <translation>setzt ihn ab seinem letzten Checkpoint fort</translation>
    </message>
    <message>
        <source>starts it again</source>
        <translation>startet ihn neu</translation>
    </message>
    <message>
        <source>%1 when it is typed on %2</source>
        <translation>%1 bei Eingabe auf %2</translation>
    </message>
    <message>
        <source>trainyard launch --queue --run_dir %1 %2</source>
        <translation>trainyard launch --queue --run_dir %1 %2</translation>
    </message>
    <message>
        <source>queues it again</source>
        <translation>reiht ihn neu ein</translation>
    </message>
    <message>
        <source>nothing was heard of %1 for %2</source>
        <translation>von %1 war seit %2 nichts zu hören</translation>
    </message>
    <message>
        <source>trainyard hosts check %1</source>
        <translation>trainyard hosts check %1</translation>
    </message>
    <message>
        <source>says what is in the way</source>
        <translation>sagt, was im Weg ist</translation>
    </message>
    <message>
        <source>this folder says that it is a copy of a run on %1, but it was not made by this account: nothing follows it</source>
        <translation>Dieser Ordner gibt sich als Kopie eines Laufs auf %1 aus, wurde aber nicht von diesem Konto angelegt: Er wird nicht fortgeführt</translation>
    </message>
    <message>
        <source>trainyard runs attach %1</source>
        <translation>trainyard runs attach %1</translation>
    </message>
    <message>
        <source>logs in to that host and continues the copy</source>
        <translation>meldet sich bei diesem Host an und setzt die Kopie fort</translation>
    </message>
    <message>
        <source>%1 is stopped and has said nothing for %2</source>
        <translation>%1 ist angehalten und hat seit %2 nichts gemeldet</translation>
    </message>
    <message>
        <source>%1 hangs or has no time and has said nothing for %2</source>
        <translation>%1 hängt oder bekommt keine Rechenzeit und hat seit %2 nichts gemeldet</translation>
    </message>
    <message>
        <source>lets it go on</source>
        <translation>lässt ihn weiterlaufen</translation>
    </message>
    <message>
        <source>ends it and its ranks, after which the run can be started again</source>
        <translation>beendet ihn und seine Ranks; danach kann der Lauf neu gestartet werden</translation>
    </message>
    <message>
        <source>%1, as a folder says that was not made by a launch of this account</source>
        <translation>%1, laut einem Ordner, den kein Start dieses Kontos angelegt hat</translation>
    </message>
    <message>
        <source>'%1' is not a status of a run</source>
        <translation>'%1' ist kein Status eines Laufs</translation>
    </message>
    <message>
        <source>queued, but nobody waits for its turn any more: queue it again</source>
        <translation>eingereiht, aber kein Prozess wartet mehr, bis er an der Reihe ist: neu einreihen</translation>
    </message>
    <message>
        <source>cannot move %1 to %2: %3</source>
        <translation>%1 lässt sich nicht nach %2 verschieben: %3</translation>
    </message>
    <message>
        <source>%1 is not a deleted run</source>
        <translation>%1 ist kein gelöschter Lauf</translation>
    </message>
    <message>
        <source>there is no run in %1: it was moved or deleted already</source>
        <translation>in %1 gibt es keinen Lauf: schon verschoben oder gelöscht</translation>
    </message>
    <message>
        <source>run %1 is %2: stop it before it is deleted</source>
        <translation>Lauf %1 ist %2: vor dem Löschen stoppen</translation>
    </message>
    <message>
        <source>%1 is there again: rename it before the deleted one is put back</source>
        <translation>%1 ist wieder vorhanden: umbenennen, bevor der gelöschte Lauf wiederhergestellt wird</translation>
    </message>
    <message>
        <source>%1 is no longer in the trash: it was purged</source>
        <translation>%1 ist nicht mehr im Papierkorb: endgültig gelöscht</translation>
    </message>
    <message>
        <source>cannot delete %1: %2</source>
        <translation>%1 lässt sich nicht löschen: %2</translation>
    </message>
</context>
<context>
    <name>engine/train</name>
    <message>
        <source>data.path: the data has %1 tokens, less than one sample of data.sequence_length (%2): add data or shorten the samples</source>
        <translation>data.path: die Daten haben %1 Tokens, weniger als ein Sample von data.sequence_length (%2): Daten hinzufügen oder die Samples kürzen</translation>
    </message>
    <message>
        <source>model.vocab_size: the data holds the token %1, so it must be at least %2, not %3</source>
        <translation>model.vocab_size: die Daten enthalten das Token %1, der Wert muss also mindestens %2 sein, nicht %3</translation>
    </message>
    <message>
        <source>facts on the data</source>
        <translation>Angaben zu den Daten</translation>
    </message>
    <message>
        <source>data.path: no label of the %1 training samples is counted, so nothing can be learnt: all are -100, masked, or cut off by data.sequence_length (%2). Check the labels, or make data.sequence_length larger</source>
        <translation>data.path: kein Label der %1 Trainings-Samples zählt, also kann nichts gelernt werden: alle sind -100, maskiert oder durch data.sequence_length (%2) abgeschnitten. Die Labels prüfen oder data.sequence_length vergrößern</translation>
    </message>
    <message>
        <source>no label of the %1 samples that are held out is counted, so there is no eval/loss: check their labels, or make data.validation_fraction or data.sequence_length larger</source>
        <translation>kein Label der %1 zurückgehaltenen Samples zählt, also gibt es kein eval/loss: ihre Labels prüfen oder data.validation_fraction oder data.sequence_length vergrößern</translation>
    </message>
    <message>
        <source>the data has %1 samples to train on, and a step takes %2 (1 rank): samples are repeated within a step; add data, or lower training.batch_size</source>
        <translation>die Daten haben %1 Samples zum Trainieren, und ein Schritt braucht %2 (1 Rank): innerhalb eines Schritts werden Samples wiederholt; Daten hinzufügen oder training.batch_size verringern</translation>
    </message>
    <message>
        <source>the data has %1 samples to train on, and a step takes %2 (%3 ranks): samples are repeated within a step; add data, or lower training.batch_size</source>
        <translation>die Daten haben %1 Samples zum Trainieren, und ein Schritt braucht %2 (%3 Ranks): innerhalb eines Schritts werden Samples wiederholt; Daten hinzufügen oder training.batch_size verringern</translation>
    </message>
    <message>
        <source>parameters of %1 bytes an element cannot be compared over the ranks</source>
        <translation>Parameter mit %1 Bytes pro Element lassen sich nicht über die Ranks vergleichen</translation>
    </message>
    <message>
        <source>1 parameter</source>
        <translation>1 Parameter</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>step %1: the parameters of rank %2 differ from those of the others, first in %3 (%4): their training is no longer the same</source>
        <translation>Schritt %1: die Parameter von Rank %2 weichen von denen der anderen ab, zuerst in %3 (%4): ihr Training ist nicht mehr dasselbe</translation>
    </message>
    <message>
        <source>step %1: the parameters of ranks %2 differ from those of the others, first in %3 (%4): their training is no longer the same</source>
        <translation>Schritt %1: die Parameter der Ranks %2 weichen von denen der anderen ab, zuerst in %3 (%4): ihr Training ist nicht mehr dasselbe</translation>
    </message>
    <message>
        <source>parameter hash</source>
        <translation>Hash der Parameter</translation>
    </message>
    <message>
        <source>the number of parameters</source>
        <translation>der Zahl der Parameter</translation>
    </message>
    <message>
        <source>parameter hashes</source>
        <translation>Hashes der Parameter</translation>
    </message>
    <message>
        <source>a backward follows the last one of the update: call accumulate() before each micro-batch, and the optimizer's step() behind the last</source>
        <translation>nach dem letzten Backward der Aktualisierung folgt noch ein weiterer: accumulate() vor jedem Micro-Batch aufrufen und step() des Optimizers nach dem letzten</translation>
    </message>
    <message>
        <source>parallel.pp_size: pipeline stages work on the CPU alone in this version: set it to 1, or start with --cpu</source>
        <translation>parallel.pp_size: Pipeline-Stufen laufen in dieser Version nur auf der CPU: auf 1 setzen oder mit --cpu starten</translation>
    </message>
    <message>
        <source>optimizer.name: %1 updates while backward runs, on one rank alone: start one process</source>
        <translation>optimizer.name: %1 aktualisiert schon während des Backward und nur auf einem Rank: einen einzigen Prozess starten</translation>
    </message>
    <message>
        <source>started from random weights, seed %1</source>
        <translation>mit zufälligen Gewichten gestartet, Seed %1</translation>
    </message>
    <message>
        <source>started from the weights in %1</source>
        <translation>mit den Gewichten in %1 gestartet</translation>
    </message>
    <message>
        <source>%1; they lack %2, which started anew</source>
        <translation>%1; darin fehlt %2, neu initialisiert</translation>
    </message>
    <message>
        <source>%1, with the adapter in %2</source>
        <translation>%1, mit dem Adapter in %2</translation>
    </message>
    <message>
        <source>lora.adapter: %1 brings %2, which checkpoints of an adapter would lack: name its module in lora.modules_to_save, or merge the adapter first (trainyard merge-adapter)</source>
        <translation>lora.adapter: %1 bringt %2 mit, was in Prüfpunkten eines Adapters fehlen würde: das Modul in lora.modules_to_save nennen oder den Adapter zuerst zusammenführen (trainyard merge-adapter)</translation>
    </message>
    <message>
        <source>lora.adapter: %1; remove them from the file</source>
        <translation>lora.adapter: %1; aus der Datei entfernen</translation>
    </message>
    <message>
        <source>%1, frozen</source>
        <translation>%1, eingefroren</translation>
    </message>
    <message>
        <source>mixed precision</source>
        <translation>gemischte Genauigkeit</translation>
    </message>
    <message>
        <source>parallel.pp_size: a model that is called has all its stages; pipelines are trained from a recipe (trainyard launch RECIPE.yaml)</source>
        <translation>parallel.pp_size: ein Modell, das aufgerufen wird, enthält alle seine Stufen; Pipelines werden mit einem Rezept trainiert (trainyard launch RECIPE.yaml)</translation>
    </message>
    <message>
        <source>training.local_sgd_steps: a program averages by itself, with Accelerator::local_sgd(); Local SGD of a recipe is for trainyard launch RECIPE.yaml</source>
        <translation>training.local_sgd_steps: ein Programm mittelt selbst, mit Accelerator::local_sgd(); Local SGD eines Rezepts ist für trainyard launch RECIPE.yaml</translation>
    </message>
    <message>
        <source>optimizer.name: %1 needs whole parameters, and under ZeRO every rank has slices of them: set parallel.zero_stage to 0</source>
        <translation>optimizer.name: %1 braucht ganze Parameter, unter ZeRO hat jeder Rank nur Ausschnitte davon: parallel.zero_stage auf 0 setzen</translation>
    </message>
    <message>
        <source>parallel.offload_optimizer_device: state that is updated element by element behind backward, on a processor, can lie on a disk: set it to none</source>
        <translation>parallel.offload_optimizer_device: Zustand, der nach dem Backward auf einem Prozessor Element für Element aktualisiert wird, kann auf einer Platte liegen: auf none setzen</translation>
    </message>
    <message>
        <source>the parameters are the averaged weights since eval(): call train() before saving the state</source>
        <translation>die Parameter sind seit eval() die gemittelten Gewichte: vor dem Speichern des Zustands train() aufrufen</translation>
    </message>
    <message>
        <source>the ranks share out the optimizer state (parallel.zero_stage), and a state dictionary needs all of it: set parallel.zero_stage to 0, or train from a recipe, whose checkpoints hold shares</source>
        <translation>die Ranks teilen sich den Optimizer-Zustand (parallel.zero_stage), ein State-Dict braucht ihn ganz: parallel.zero_stage auf 0 setzen oder mit einem Rezept trainieren, dessen Checkpoints die Anteile enthalten</translation>
    </message>
    <message>
        <source>%1 has %2 of shape %3 instead of %4</source>
        <translation>%1 hat %2 mit der Form %3 statt %4</translation>
    </message>
    <message>
        <source>the state of %1 does not fit this model: %2</source>
        <translation>der Zustand von %1 passt nicht zu diesem Modell: %2</translation>
    </message>
    <message>
        <source>parameter group 0 of the optimizer's state</source>
        <translation>Parametergruppe 0 des Optimizer-Zustands</translation>
    </message>
    <message>
        <source>model.device_map: weights lie on disk with ranks on processors alone in this version: leave it out, or start with --cpu</source>
        <translation>model.device_map: Gewichte liegen in dieser Version nur bei Ranks auf Prozessoren auf der Platte: weglassen oder mit --cpu starten</translation>
    </message>
    <message>
        <source>model.device_map: '%1' is on %2, and ranks on processors have weights on cpu and disk alone</source>
        <translation>model.device_map: '%1' liegt auf %2, und Ranks auf Prozessoren haben Gewichte nur auf cpu und disk</translation>
    </message>
    <message>
        <source>unknown action '%1'%2</source>
        <translation>unbekannte Aktion '%1'%2</translation>
    </message>
    <message>
        <source>loss spikes: window and warm_up must be at least 2, settle at least 1, the threshold more than 0</source>
        <translation>Sprünge im Loss: window und warm_up müssen mindestens 2 sein, settle mindestens 1, der Schwellenwert größer als 0</translation>
    </message>
    <message>
        <source>%1 (first in %2)</source>
        <translation>%1 (zuerst in %2)</translation>
    </message>
    <message>
        <source>the loss and the gradients are not finite</source>
        <translation>Loss und Gradienten sind nicht endlich</translation>
    </message>
    <message>
        <source>the loss is not finite</source>
        <translation>der Loss ist nicht endlich</translation>
    </message>
    <message>
        <source>the gradients are not finite</source>
        <translation>die Gradienten sind nicht endlich</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>step %1: %2 steps in a row were not finite, the run stops</source>
        <translation>Schritt %1: %2 Schritte in Folge waren nicht endlich, der Lauf stoppt</translation>
    </message>
    <message>
        <source>%1 steps in a row were not finite</source>
        <translation>%1 Schritte in Folge waren nicht endlich</translation>
    </message>
    <message>
        <source>loss %1 is %2 deviations above the median %3 of the last steps</source>
        <translation>Loss %1 liegt %2 Abweichungen über dem Median %3 der letzten Schritte</translation>
    </message>
    <message>
        <source>loss %1 is far above the median %2 of the last steps</source>
        <translation>Loss %1 liegt weit über dem Median %2 der letzten Schritte</translation>
    </message>
    <message>
        <source>first not finite</source>
        <translation>erster nicht endlicher Wert</translation>
    </message>
    <message>
        <source>number of scores</source>
        <translation>Zahl der Scores</translation>
    </message>
    <message>
        <source>comm_hook %1, comm_wrapper %2, bucket_cap_mb %3, comm_state_option empty</source>
        <translation>comm_hook %1, comm_wrapper %2, bucket_cap_mb %3, comm_state_option leer</translation>
    </message>
    <message>
        <source>the communication hook %1 starts anew: %2</source>
        <translation>der Kommunikations-Hook %1 beginnt neu: %2</translation>
    </message>
    <message>
        <source>the checkpoint has no state of it</source>
        <translation>der Checkpoint enthält keinen Zustand davon</translation>
    </message>
    <message>
        <source>its state in the checkpoint is of %1 ranks, here are %2</source>
        <translation>sein Zustand im Checkpoint ist von %1 Ranks, hier sind es %2</translation>
    </message>
    <message>
        <source>its state in the checkpoint was made with %1</source>
        <translation>sein Zustand im Checkpoint entstand mit %1</translation>
    </message>
    <message>
        <source>Local SGD goes on with the optimizer's moments of rank 0 on every rank: %1</source>
        <translation>Local SGD läuft auf jedem Rank mit den Momenten des Optimizers von Rank 0 weiter: %1</translation>
    </message>
    <message>
        <source>the checkpoint has no others</source>
        <translation>der Checkpoint enthält keine anderen</translation>
    </message>
    <message>
        <source>those in the checkpoint are of %1 ranks, here are %2</source>
        <translation>die im Checkpoint sind von %1 Ranks, hier sind es %2</translation>
    </message>
    <message>
        <source>%1 has no '%2' of the shape that the model needs: it belongs to another model</source>
        <translation>%1 hat kein '%2' in der Form, die das Modell braucht: die Datei gehört zu einem anderen Modell</translation>
    </message>
    <message>
        <source>the checkpoint is of Local SGD on %1 ranks: the optimizer goes on with the moments of rank 0, those of the others are left out</source>
        <translation>der Checkpoint stammt von Local SGD auf %1 Ranks: der Optimizer läuft mit den Momenten von Rank 0 weiter, die der anderen entfallen</translation>
    </message>
    <message>
        <source>%1: the tensors have %2 and %3 elements, or other shapes: they must be alike</source>
        <translation>%1: die Tensoren haben %2 und %3 Elemente oder verschiedene Formen: sie müssen übereinstimmen</translation>
    </message>
    <message>
        <source>%1: scores must have the shape of the targets and a last dimension of classes, or be classes of the shape of the targets</source>
        <translation>%1: Scores müssen die Form der Ziele und eine letzte Dimension für die Klassen haben oder Klassen in der Form der Ziele sein</translation>
    </message>
    <message>
        <source>Accuracy: k must be at least 1</source>
        <translation>Accuracy: k muss mindestens 1 sein</translation>
    </message>
    <message>
        <source>Accuracy: the best k need the scores of each class</source>
        <translation>Accuracy: für die besten k sind die Scores jeder Klasse nötig</translation>
    </message>
    <message>
        <source>ConfusionMatrix: there must be at least two classes</source>
        <translation>ConfusionMatrix: es müssen mindestens zwei Klassen sein</translation>
    </message>
    <message>
        <source>ConfusionMatrix: average is '%1', must be macro, micro, weighted or binary</source>
        <translation>ConfusionMatrix: average ist '%1', muss macro, micro, weighted oder binary sein</translation>
    </message>
    <message>
        <source>ConfusionMatrix: the average 'binary' is for two classes, not %1</source>
        <translation>ConfusionMatrix: average 'binary' ist für zwei Klassen, nicht für %1</translation>
    </message>
    <message>
        <source>ConfusionMatrix: class %1 is outside of 0 to %2</source>
        <translation>ConfusionMatrix: Klasse %1 liegt außerhalb von 0 bis %2</translation>
    </message>
    <message>
        <source>the optimizer state of rank %1</source>
        <translation>der Optimizer-Zustand von Rank %1</translation>
    </message>
    <message>
        <source>mixed_precision fp8 is not there yet: use bf16, which has the same range and needs no scaling</source>
        <translation>mixed_precision fp8 gibt es noch nicht: bf16 verwenden, es hat denselben Wertebereich und braucht keine Skalierung</translation>
    </message>
    <message>
        <source>mixed_precision is '%1': choose no, fp16 or bf16</source>
        <translation>mixed_precision ist '%1': no, fp16 oder bf16 wählen</translation>
    </message>
    <message>
        <source>its products are wrong</source>
        <translation>die Produkte sind falsch</translation>
    </message>
    <message>
        <source>mixed_precision %1 does not work on %2 (%3): choose no or bf16</source>
        <translation>mixed_precision %1 funktioniert auf %2 nicht (%3): no oder bf16 wählen</translation>
    </message>
    <message>
        <source>mixed_precision %1 does not work on %2 (%3): choose no or fp16</source>
        <translation>mixed_precision %1 funktioniert auf %2 nicht (%3): no oder fp16 wählen</translation>
    </message>
    <message>
        <source>the checkpoint was made with another schedule: give the same schedule.name and arguments</source>
        <translation>der Checkpoint entstand mit einem anderen Schedule: denselben schedule.name mit denselben Argumenten angeben</translation>
    </message>
    <message>
        <source>step %1 is left out; there is no good checkpoint yet to go back to</source>
        <translation>Schritt %1 wird ausgelassen; es gibt noch keinen guten Checkpoint, zu dem zurückgekehrt werden kann</translation>
    </message>
    <message>
        <source>weights and optimizer are those of %1 again; the batches from there to step %2 are left out</source>
        <translation>Gewichte und Optimizer sind wieder die von %1; die Batches von dort bis Schritt %2 werden ausgelassen</translation>
    </message>
    <message>
        <source>model.task: %1 cannot be trained from a recipe in this version</source>
        <translation>model.task: %1 lässt sich in dieser Version nicht mit einem Rezept trainieren</translation>
    </message>
    <message>
        <source>tied parameters</source>
        <translation>gekoppelte Parameter</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>Gradient von %1</translation>
    </message>
    <message>
        <source>loss and requests</source>
        <translation>Loss und Anforderungen</translation>
    </message>
    <message>
        <source>step %1: rank %2 holds up the others: %3 of its own for a step, the others %4 (median), %5 rounds in a row</source>
        <translation>Schritt %1: Rank %2 hält die anderen auf: %3 eigene Zeit pro Schritt, die anderen %4 (Median), %5 Runden in Folge</translation>
    </message>
    <message>
        <source>step times</source>
        <translation>Schrittzeiten</translation>
    </message>
    <message>
        <source>data.column: %1 holds no conversations: each is a list of tables with role and content</source>
        <translation>data.column: %1 enthält keine Konversationen: jede ist eine Liste von Tabellen mit role und content</translation>
    </message>
    <message>
        <source>data.path: the conversations have %1 tokens, less than one sample of data.sequence_length (%2): add some, or shorten the samples</source>
        <translation>data.path: die Konversationen haben %1 Tokens, weniger als ein Sample von data.sequence_length (%2): weitere hinzufügen oder die Samples kürzen</translation>
    </message>
    <message>
        <source>data.column: the conversation of row %1 %2: it is a list of tables with role and content</source>
        <translation>data.column: die Konversation in Zeile %1 %2: sie ist eine Liste von Tabellen mit role und content</translation>
    </message>
    <message>
        <source>is no list</source>
        <translation>ist keine Liste</translation>
    </message>
    <message>
        <source>has a turn without a text for role or content</source>
        <translation>hat einen Beitrag ohne Text für role oder content</translation>
    </message>
    <message>
        <source>%1 has no preprocessor_config.json: its images are normalised with mean 0.5 and deviation 0.5, so put the file there if the weights were trained with others</source>
        <translation>%1 hat keine preprocessor_config.json: Bilder werden mit Mittelwert 0.5 und Abweichung 0.5 normalisiert; die Datei dort ablegen, wenn die Gewichte mit anderen trainiert wurden</translation>
    </message>
    <message>
        <source>data.path: images of a batch have one size, and this one has %1 x %2 pixels, others %3 x %4: give images of one size, or a size in preprocessor_config.json</source>
        <translation>data.path: Bilder eines Batches haben eine Größe; dieses hat %1 x %2 Pixel, andere %3 x %4: Bilder einer Größe verwenden oder eine Größe in preprocessor_config.json angeben</translation>
    </message>
    <message>
        <source>%1: images of a batch have one size, and this one has %2 x %3 pixels, others %4 x %5: give images of one size, or a size in preprocessor_config.json</source>
        <translation>%1: Bilder eines Batches haben eine Größe; dieses hat %2 x %3 Pixel, andere %4 x %5: Bilder einer Größe verwenden oder eine Größe in preprocessor_config.json angeben</translation>
    </message>
    <message>
        <source>model.num_labels: %1 has %2 classes (sub-folders), and num_labels is %3</source>
        <translation>model.num_labels: %1 hat %2 Klassen (Unterordner), und num_labels ist %3</translation>
    </message>
    <message>
        <source>data.column: %1 are no images: they are uint8 or float32 [height, width], or with colours [height, width, colours] or [colours, height, width]</source>
        <translation>data.column: %1 sind keine Bilder: Bilder sind uint8 oder float32 [height, width] oder mit Farben [height, width, colours] oder [colours, height, width]</translation>
    </message>
    <message>
        <source>model.num_channels: %1 have %2 colours, and num_channels is %3</source>
        <translation>model.num_channels: %1 haben %2 Farben, und num_channels ist %3</translation>
    </message>
    <message>
        <source>an image of data.path</source>
        <translation>ein Bild aus data.path</translation>
    </message>
    <message>
        <source>an image of data.path has %1 x %2 pixels, which preprocessor_config.json leaves as they are, and model.image_size is %3: resize the images</source>
        <translation>ein Bild aus data.path hat %1 x %2 Pixel, die preprocessor_config.json so lässt, und model.image_size ist %3: die Größe der Bilder ändern</translation>
    </message>
    <message>
        <source>%1 has %2 x %3 pixels, which preprocessor_config.json leaves as they are, and model.image_size is %4: resize the images</source>
        <translation>%1 hat %2 x %3 Pixel, die preprocessor_config.json so lässt, und model.image_size ist %4: die Größe der Bilder ändern</translation>
    </message>
    <message>
        <source>data.tokenizer: %1 has no [MASK] or &lt;mask&gt;, which masked_lm needs: take the tokenizer of a masked language model</source>
        <translation>data.tokenizer: %1 hat kein [MASK] oder &lt;mask&gt;, das masked_lm braucht: den Tokenizer eines Masked-Language-Modells nehmen</translation>
    </message>
    <message>
        <source>data.plugin: the data set '%1' has no samples</source>
        <translation>data.plugin: der Datensatz '%1' hat keine Samples</translation>
    </message>
    <message>
        <source>data.plugin: a sample of the data set '%1' must have labels and at least one input of the model</source>
        <translation>data.plugin: ein Sample des Datensatzes '%1' muss Labels und mindestens eine Eingabe des Modells haben</translation>
    </message>
    <message>
        <source>data.plugin: samples of the data set '%1' differ in what they have, or in the shape of '%2': fill them up to one shape</source>
        <translation>data.plugin: Samples des Datensatzes '%1' unterscheiden sich in ihren Einträgen oder in der Form von '%2': auf eine einheitliche Form auffüllen</translation>
    </message>
    <message>
        <source>data.plugin: the data set '%1', sample %2: %3</source>
        <translation>data.plugin: Datensatz '%1', Sample %2: %3</translation>
    </message>
    <message>
        <source>data.column: %1 and %2 must be lists, one entry for each word</source>
        <translation>data.column: %1 und %2 müssen Listen sein, ein Eintrag je Wort</translation>
    </message>
    <message>
        <source>data.label_column: row %1 has %2 words and %3 classes</source>
        <translation>data.label_column: Zeile %1 hat %2 Wörter und %3 Klassen</translation>
    </message>
    <message>
        <source>data.path: the files hold no rows: name others</source>
        <translation>data.path: die Dateien enthalten keine Zeilen: andere angeben</translation>
    </message>
    <message>
        <source>the data</source>
        <translation>die Daten</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds the class '%2', and model.id2label has %3</source>
        <translation>data.label_column: %1 enthält die Klasse '%2', und model.id2label hat %3</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds the class %2, and model.num_labels is %3: classes are whole numbers from 0 to %4</source>
        <translation>data.label_column: %1 enthält die Klasse %2, und model.num_labels ist %3: Klassen sind ganze Zahlen von 0 bis %4</translation>
    </message>
    <message>
        <source>data.label_column: the number '%1' has a comma: write it with a decimal point, and without separators of thousands</source>
        <translation>data.label_column: die Zahl '%1' hat ein Komma: mit Dezimalpunkt und ohne Tausendertrennzeichen schreiben</translation>
    </message>
    <message>
        <source>data.label_column: %1 holds no numbers</source>
        <translation>data.label_column: %1 enthält keine Zahlen</translation>
    </message>
    <message>
        <source>the saved place of the data is batch %1 of a pass that has %2: give the training.steps that it was saved with, or more</source>
        <translation>die gespeicherte Stelle der Daten ist Batch %1 eines Durchgangs, der %2 hat: dieselben training.steps wie beim Speichern angeben oder mehr</translation>
    </message>
    <message>
        <source>the set of %1</source>
        <translation>der Satz mit %1</translation>
    </message>
    <message>
        <source>data.column: %1 in %2 is neither text nor whole numbers</source>
        <translation>data.column: %1 in %2 ist weder Text noch ganze Zahlen</translation>
    </message>
    <message>
        <source>data.tokenizer makes tokens of text, and %1 in %2 holds whole numbers: leave it out</source>
        <translation>data.tokenizer macht Tokens aus Text, und %1 in %2 enthält ganze Zahlen: weglassen</translation>
    </message>
    <message>
        <source>%1 (mend this record, or leave out all that cannot be read: data.on_corrupt: skip)</source>
        <translation>%1 (diesen Datensatz reparieren oder alle nicht lesbaren auslassen: data.on_corrupt: skip)</translation>
    </message>
    <message>
        <source>%1 record of the data cannot be read and is left out (data.on_corrupt: skip): %2; and more</source>
        <translation>%1 Datensatz der Daten ist nicht lesbar und wird ausgelassen (data.on_corrupt: skip): %2; und weitere</translation>
    </message>
    <message>
        <source>%1 record of the data cannot be read and is left out (data.on_corrupt: skip): %2</source>
        <translation>%1 Datensatz der Daten ist nicht lesbar und wird ausgelassen (data.on_corrupt: skip): %2</translation>
    </message>
    <message>
        <source>%1 records of the data cannot be read and are left out (data.on_corrupt: skip): %2; and more</source>
        <translation>%1 Datensätze der Daten sind nicht lesbar und werden ausgelassen (data.on_corrupt: skip): %2; und weitere</translation>
    </message>
    <message>
        <source>%1 records of the data cannot be read and are left out (data.on_corrupt: skip): %2</source>
        <translation>%1 Datensätze der Daten sind nicht lesbar und werden ausgelassen (data.on_corrupt: skip): %2</translation>
    </message>
    <message>
        <source>data.column: %1 holds %2 in '%3', which is no token: tokens are whole numbers from 0 to %4</source>
        <translation>data.column: %1 enthält %2 in '%3', was kein Token ist: Tokens sind ganze Zahlen von 0 bis %4</translation>
    </message>
    <message>
        <source>data.path: %1 holds %2, which is no token</source>
        <translation>data.path: %1 enthält %2, was kein Token ist</translation>
    </message>
    <message>
        <source>data.path: the files hold no tokens: name others</source>
        <translation>data.path: die Dateien enthalten keine Tokens: andere angeben</translation>
    </message>
    <message>
        <source>first gradient not finite</source>
        <translation>erster nicht endlicher Gradient</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>step %1 was skipped: none of its labels is counted</source>
        <translation>Schritt %1 wurde übersprungen: keines seiner Labels zählt</translation>
    </message>
    <message>
        <source>nothing was learnt: no label of the last %1 steps is counted. Check the labels of data.path, data.sequence_length, and for masked_lm data.mlm_probability</source>
        <translation>nichts wurde gelernt: kein Label der letzten %1 Schritte zählt. Die Labels von data.path, data.sequence_length und bei masked_lm data.mlm_probability prüfen</translation>
    </message>
    <message>
        <source>running statistics</source>
        <translation>laufende Statistiken</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>resumed from Accelerate's %1 at step %2: weights, moments and the number of steps are its own; learning rate, its schedule, betas, eps, weight decay and the order of the data are the recipe's</source>
        <translation>fortgesetzt ab %1 von Accelerate bei Schritt %2: Gewichte, Momente und Zahl der Schritte stammen von dort; Lernrate, ihr Schedule, betas, eps, Weight Decay und Reihenfolge der Daten aus dem Rezept</translation>
    </message>
    <message>
        <source>the global batch changes from %1 samples a step, in %2 (%3), to %4 on %5, with the learning rate as it was: to keep it, start with --set training.global_batch_size=%6</source>
        <translation>der globale Batch ändert sich von %1 Samples pro Schritt, in %2 (%3), auf %4 auf %5, bei gleicher Lernrate: um ihn beizubehalten, mit --set training.global_batch_size=%6 starten</translation>
    </message>
    <message>
        <source>cannot resume from %1: its data had %2 training blocks, data.path has %3: give the same data, or start from model.weights</source>
        <translation>Fortsetzen ab %1 nicht möglich: seine Daten hatten %2 Trainingsblöcke, data.path hat %3: dieselben Daten angeben oder mit model.weights starten</translation>
    </message>
    <message>
        <source>cannot resume from %1: it was trained with seed %2: set training.seed to it, or start from model.weights</source>
        <translation>Fortsetzen ab %1 nicht möglich: trainiert wurde mit Seed %2: training.seed darauf setzen oder mit model.weights starten</translation>
    </message>
    <message>
        <source>resumed from %1 at step %2</source>
        <translation>fortgesetzt ab %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>checkpoint read</source>
        <translation>Checkpoint gelesen</translation>
    </message>
    <message>
        <source>the saved average of '%1' has another shape than the weight</source>
        <translation>der gespeicherte Mittelwert von '%1' hat eine andere Form als das Gewicht</translation>
    </message>
    <message>
        <source>samples per step</source>
        <translation>Samples pro Schritt</translation>
    </message>
    <message>
        <source>training samples</source>
        <translation>Trainings-Samples</translation>
    </message>
    <message>
        <source>the model, batch or data set</source>
        <translation>Modell, Batch oder Datensatz</translation>
    </message>
    <message>
        <source>gradients to be looked at</source>
        <translation>zu betrachtende Gradienten</translation>
    </message>
    <message>
        <source>the step before it was not finite</source>
        <translation>der Schritt davor war nicht endlich</translation>
    </message>
    <message>
        <source>the %1 steps before it were not finite</source>
        <translation>die %1 Schritte davor waren nicht endlich</translation>
    </message>
    <message>
        <source>checkpoint saved</source>
        <translation>Checkpoint gespeichert</translation>
    </message>
    <message>
        <source>another rank could not save the checkpoint</source>
        <translation>ein anderer Rank konnte den Checkpoint nicht speichern</translation>
    </message>
    <message>
        <source>norm of the gradients</source>
        <translation>Norm der Gradienten</translation>
    </message>
    <message>
        <source>gradients not finite</source>
        <translation>nicht endliche Gradienten</translation>
    </message>
    <message>
        <source>decay must be between 0 and 1.</source>
        <translation>decay muss zwischen 0 und 1 liegen.</translation>
    </message>
    <message>
        <source>start_step must not be negative.</source>
        <translation>start_step darf nicht negativ sein.</translation>
    </message>
    <message>
        <source>update_every must be 1 or more.</source>
        <translation>update_every muss mindestens 1 sein.</translation>
    </message>
    <message>
        <source>options of the weight average: %1</source>
        <translation>Optionen der Mittelung der Gewichte: %1</translation>
    </message>
</context>
<context>
    <name>engine/worker</name>
    <message>
        <source>the model does not fit into memory: let part of it be read from disk (--device-map auto, with --max-memory cpu=SIZE where less is to be used), or give --dtype bfloat16</source>
        <translation>das Modell passt nicht in den Speicher: einen Teil von der Platte lesen lassen (--device-map auto, mit --max-memory cpu=SIZE, wenn weniger belegt werden soll) oder --dtype bfloat16 angeben</translation>
    </message>
    <message>
        <source>the request names no folder to write</source>
        <translation>die Anforderung nennt keinen Ordner zum Schreiben</translation>
    </message>
    <message>
        <source>no file descriptors are left: raise `ulimit -n`</source>
        <translation>keine Dateideskriptoren mehr frei: `ulimit -n` erhöhen</translation>
    </message>
    <message>
        <source>%1 is not set: start ranks with `trainyard launch`</source>
        <translation>%1 ist nicht gesetzt: Ranks mit `trainyard launch` starten</translation>
    </message>
    <message>
        <source>the ranks of this run were started anew: this one is of generation %1, the run is at %2</source>
        <translation>die Ranks dieses Laufs wurden neu gestartet: dieser gehört zu Generation %1, der Lauf ist bei %2</translation>
    </message>
    <message>
        <source>evaluated at step %1</source>
        <translation>bei Schritt %1 evaluiert</translation>
    </message>
    <message>
        <source>the highest learning rate is %1 from step %2 on; the schedule makes it %3 there</source>
        <translation>die höchste Lernrate ist ab Schritt %2 %1; der Schedule macht daraus dort %3</translation>
    </message>
    <message>
        <source>paused after step %1</source>
        <translation>nach Schritt %1 pausiert</translation>
    </message>
    <message>
        <source>training goes on after step %1</source>
        <translation>das Training geht nach Schritt %1 weiter</translation>
    </message>
    <message>
        <source>stopped after step %1</source>
        <translation>nach Schritt %1 gestoppt</translation>
    </message>
    <message>
        <source>stopped after step %1 because %2</source>
        <translation>nach Schritt %1 gestoppt (Grund: %2)</translation>
    </message>
    <message>
        <source>%1, its checkpoint is saved</source>
        <translation>%1, der Checkpoint ist gespeichert</translation>
    </message>
    <message>
        <source>%1, without a checkpoint as asked</source>
        <translation>%1, wie gewünscht ohne Checkpoint</translation>
    </message>
    <message>
        <source>%1, without a checkpoint: %2</source>
        <translation>%1, ohne Checkpoint: %2</translation>
    </message>
    <message>
        <source>nothing is left to train: the checkpoint is of step %1 of %2; its state is saved here, and training.steps makes the run longer</source>
        <translation>nichts mehr zu trainieren: der Checkpoint ist von Schritt %1 von %2; sein Zustand wird hier gespeichert, und training.steps verlängert den Lauf</translation>
    </message>
    <message>
        <source>connecting %1 ranks</source>
        <translation>%1 Ranks werden verbunden</translation>
    </message>
    <message>
        <source>debug mode: the ranks compare operation and shapes before every collective</source>
        <translation>Debug-Modus: die Ranks vergleichen vor jeder Kollektivoperation Operation und Formen</translation>
    </message>
    <message>
        <source>building the model and reading the data</source>
        <translation>Modell wird aufgebaut, Daten werden gelesen</translation>
    </message>
    <message>
        <source>%1: %2 parameters on %3</source>
        <translation>%1: %2 Parameter auf %3</translation>
    </message>
    <message>
        <source>%1 of a rank on disk</source>
        <translation>%1 je Rank auf der Platte</translation>
    </message>
    <message>
        <source>out of memory: this rank held %1 at most, its address space is limited to %2 (ulimit -v): make training.batch_size or data.sequence_length smaller, or raise the limit</source>
        <translation>Speicher erschöpft: dieser Rank belegte bis zu %1, sein Adressraum ist auf %2 begrenzt (ulimit -v): training.batch_size oder data.sequence_length verkleinern oder die Grenze anheben</translation>
    </message>
    <message>
        <source>out of memory: this rank held %1 at most: make training.batch_size or data.sequence_length smaller</source>
        <translation>Speicher erschöpft: dieser Rank belegte bis zu %1: training.batch_size oder data.sequence_length verkleinern</translation>
    </message>
    <message>
        <source>profile of steps %1 to %2: %3 events of each rank, %4</source>
        <translation>Profil der Schritte %1 bis %2: %3 Ereignisse pro Rank, %4</translation>
    </message>
    <message>
        <source>%1; a recorded step took %2, others %3 (%4 %)</source>
        <translation>%1; ein aufgezeichneter Schritt dauerte %2, die anderen %3 (%4 %)</translation>
    </message>
    <message>
        <source>%1; written in %2</source>
        <translation>%1; in %2 geschrieben</translation>
    </message>
    <message>
        <source>%1; it ended %2 steps early, because it had recorded enough operators to fill the memory: record fewer steps at a time</source>
        <translation>%1; es endete %2 Schritte früher, weil die aufgezeichneten Operatoren den Speicher füllten: weniger Schritte auf einmal aufzeichnen</translation>
    </message>
    <message>
        <source>the run ended before a step was recorded</source>
        <translation>der Lauf endete, bevor ein Schritt aufgezeichnet wurde</translation>
    </message>
    <message>
        <source>a request</source>
        <translation>eine Anfrage</translation>
    </message>
    <message>
        <source>the first line names no model</source>
        <translation>die erste Zeile nennt kein Modell</translation>
    </message>
    <message>
        <source>curves are not written any more: %1</source>
        <translation>Kurven werden nicht mehr geschrieben: %1</translation>
    </message>
    <message>
        <source>validation loss %1 at step %2</source>
        <translation>Validierungs-Loss %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1, %2 with averaged weights</source>
        <translation>%1, %2 mit gemittelten Gewichten</translation>
    </message>
    <message>
        <source>%1, accuracy %2 %</source>
        <translation>%1, Genauigkeit %2 %</translation>
    </message>
    <message>
        <source>measured memory</source>
        <translation>gemessener Speicher</translation>
    </message>
    <message>
        <source>rank %1 got SIGTERM: all ranks save a checkpoint and stop</source>
        <translation>Rank %1 hat SIGTERM erhalten: alle Ranks speichern einen Checkpoint und stoppen</translation>
    </message>
    <message>
        <source>rank %1 got SIGUSR1: all ranks save a checkpoint and stop</source>
        <translation>Rank %1 hat SIGUSR1 erhalten: alle Ranks speichern einen Checkpoint und stoppen</translation>
    </message>
    <message>
        <source>the engine of this version cannot do '%1': it takes stop, checkpoint, evaluate, pause, resume, set and profile</source>
        <translation>die Engine dieser Version kann '%1' nicht: sie nimmt stop, checkpoint, evaluate, pause, resume, set und profile</translation>
    </message>
    <message>
        <source>nothing is held out to evaluate on: data.validation_fraction is 0</source>
        <translation>keine Daten zum Evaluieren zurückgehalten: data.validation_fraction ist 0</translation>
    </message>
    <message>
        <source>paused already</source>
        <translation>bereits pausiert</translation>
    </message>
    <message>
        <source>the run is not paused</source>
        <translation>der Lauf ist nicht pausiert</translation>
    </message>
    <message>
        <source>training goes on</source>
        <translation>das Training geht weiter</translation>
    </message>
    <message>
        <source>set takes lr, a number greater than 0 and at most 100, and nothing else</source>
        <translation>set nimmt nur lr, eine Zahl größer als 0 und höchstens 100</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1, von %2 bis %3</translation>
    </message>
    <message>
        <source>%1, true or false</source>
        <translation>%1, true oder false</translation>
    </message>
    <message>
        <source>profile takes %1</source>
        <translation>profile nimmt %1</translation>
    </message>
    <message>
        <source>profile does not know '%1': it takes %2</source>
        <translation>profile kennt '%1' nicht: es nimmt %2</translation>
    </message>
    <message>
        <source>another profile is being recorded</source>
        <translation>ein anderes Profil wird gerade aufgezeichnet</translation>
    </message>
    <message>
        <source>no sample: %1</source>
        <translation>keine Textprobe: %1</translation>
    </message>
    <message>
        <source>checkpoint %1: %2</source>
        <translation>Checkpoint %1: %2</translation>
    </message>
    <message>
        <source>checkpoint %1, %2 in %3, training paused for %4</source>
        <translation>Checkpoint %1, %2 in %3, Training für %4 pausiert</translation>
    </message>
    <message>
        <source>checkpoint %1, %2 in %3, training paused for %4, is marked as not good: %5; nothing goes on from it by itself, and no earlier one is removed for it</source>
        <translation>Checkpoint %1, %2 in %3, Training für %4 pausiert, ist als nicht gut markiert: %5; nichts setzt von selbst ab ihm fort, und kein früherer wird seinetwegen entfernt</translation>
    </message>
    <message>
        <source>checkpoint_%1 is saved</source>
        <translation>checkpoint_%1 ist gespeichert</translation>
    </message>
    <message>
        <source>checkpoint_%1 is saved, is marked as not good: %2</source>
        <translation>checkpoint_%1 ist gespeichert, ist als nicht gut markiert: %2</translation>
    </message>
    <message>
        <source>checkpoint %1 is the best so far: %2 %3</source>
        <translation>Checkpoint %1 ist der bisher beste: %2 %3</translation>
    </message>
    <message>
        <source>checkpoint %1 was not saved: %2</source>
        <translation>Checkpoint %1 wurde nicht gespeichert: %2</translation>
    </message>
    <message>
        <source>outcome of a stage</source>
        <translation>Ergebnis einer Stufe</translation>
    </message>
    <message>
        <source>check '%1' failed on rank %2</source>
        <translation>Prüfung '%1' auf Rank %2 fehlgeschlagen</translation>
    </message>
    <message>
        <source>check '%1' failed on ranks %2</source>
        <translation>Prüfung '%1' auf den Ranks %2 fehlgeschlagen</translation>
    </message>
    <message>
        <source>check of sums</source>
        <translation>Prüfung der Summen</translation>
    </message>
    <message>
        <source>a sum over the ranks of %1 %2 numbers is %3 instead of %4</source>
        <translation>eine Summe von %1 %2-Zahlen über die Ranks ist %3 statt %4</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 ist nicht beschreibbar</translation>
    </message>
    <message>
        <source>the ranks did not write in their order</source>
        <translation>die Ranks schrieben nicht in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>first ranks of machines</source>
        <translation>erste Ranks der Rechner</translation>
    </message>
    <message>
        <source>process ids</source>
        <translation>Prozess-IDs</translation>
    </message>
    <message>
        <source>two ranks are the same process</source>
        <translation>zwei Ranks sind derselbe Prozess</translation>
    </message>
    <message>
        <source>rank %1 is called otherwise</source>
        <translation>Rank %1 heißt anders</translation>
    </message>
    <message>
        <source>%1 processes take turns</source>
        <translation>%1 Prozesse wechseln sich ab</translation>
    </message>
    <message>
        <source>%1 processes on %2 machines take turns</source>
        <translation>%1 Prozesse auf %2 Rechnern wechseln sich ab</translation>
    </message>
    <message>
        <source>check of broadcast</source>
        <translation>Prüfung des Broadcasts</translation>
    </message>
    <message>
        <source>rank %1 sent numbers to all, and others came</source>
        <translation>Rank %1 hat Zahlen an alle gesendet, und andere kamen an</translation>
    </message>
    <message>
        <source>check of gathering</source>
        <translation>Prüfung des Sammelns</translation>
    </message>
    <message>
        <source>what was gathered from rank %1 is not what it has</source>
        <translation>von Rank %1 Gesammeltes ist nicht das, was er hat</translation>
    </message>
    <message>
        <source>sums in fp32, fp64, bf16 and int64, broadcasts, gathering, barriers</source>
        <translation>Summen in fp32, fp64, bf16 und int64, Broadcasts, Sammeln, Barrieren</translation>
    </message>
    <message>
        <source>begin of a share</source>
        <translation>Anfang eines Anteils</translation>
    </message>
    <message>
        <source>end of a share</source>
        <translation>Ende eines Anteils</translation>
    </message>
    <message>
        <source>the share of rank %1 of %2 items begins at %3 instead of %4</source>
        <translation>der Anteil von Rank %1 an %2 Elementen beginnt bei %3 statt bei %4</translation>
    </message>
    <message>
        <source>%1 of %2 items were given out</source>
        <translation>%1 von %2 Elementen wurden verteilt</translation>
    </message>
    <message>
        <source>shares of %1 items differ by more than one</source>
        <translation>Anteile an %1 Elementen unterscheiden sich um mehr als eins</translation>
    </message>
    <message>
        <source>%1 lengths, every item once</source>
        <translation>%1 Längen, jedes Element einmal</translation>
    </message>
    <message>
        <source>state of rank 0's generator</source>
        <translation>Zustand des Generators von Rank 0</translation>
    </message>
    <message>
        <source>the state of its generator is not that of rank 0</source>
        <translation>der Zustand des Generators ist nicht der von Rank 0</translation>
    </message>
    <message>
        <source>numbers of rank 0</source>
        <translation>Zahlen von Rank 0</translation>
    </message>
    <message>
        <source>it draws other numbers than rank 0</source>
        <translation>zieht andere Zahlen als Rank 0</translation>
    </message>
    <message>
        <source>the same state and the same numbers on every rank</source>
        <translation>derselbe Zustand und dieselben Zahlen auf jedem Rank</translation>
    </message>
    <message>
        <source>measured ball</source>
        <translation>gemessener Ball</translation>
    </message>
    <message>
        <source>what it exchanges with rank %1 is %2 instead of %3</source>
        <translation>der Austausch mit Rank %1 ergibt %2 statt %3</translation>
    </message>
    <message>
        <source>plan of a pair</source>
        <translation>Plan eines Paars</translation>
    </message>
    <message>
        <source>local ranks</source>
        <translation>lokale Ranks</translation>
    </message>
    <message>
        <source>ranks of machines</source>
        <translation>Ranks der Rechner</translation>
    </message>
    <message>
        <source>a sum is wrong</source>
        <translation>eine Summe ist falsch</translation>
    </message>
    <message>
        <source>1 rank, nothing to communicate</source>
        <translation>1 Rank, keine Kommunikation nötig</translation>
    </message>
    <message>
        <source>measured sum</source>
        <translation>gemessene Summe</translation>
    </message>
    <message>
        <source>a sum is wrong after many of them</source>
        <translation>nach vielen Summen ist eine falsch</translation>
    </message>
    <message>
        <source>plan of measured sums</source>
        <translation>Plan der gemessenen Summen</translation>
    </message>
    <message>
        <source>all-reduce: latency %1 us, bandwidth %2 per rank</source>
        <translation>All-Reduce: Latenz %1 µs, Bandbreite %2 pro Rank</translation>
    </message>
    <message>
        <source>1 rank, no pair</source>
        <translation>1 Rank, kein Paar</translation>
    </message>
    <message>
        <source>latency of a pair</source>
        <translation>Latenz eines Paars</translation>
    </message>
    <message>
        <source>sizes of a pair</source>
        <translation>Größen eines Paars</translation>
    </message>
    <message>
        <source>time of a pair</source>
        <translation>Zeit eines Paars</translation>
    </message>
    <message>
        <source>%1 pair: latency at most %2 us, bandwidth %3 to %4</source>
        <translation>%1 Paar: Latenz höchstens %2 µs, Bandbreite %3 bis %4</translation>
    </message>
    <message>
        <source>%1 pairs: latency at most %2 us, bandwidth %3 to %4</source>
        <translation>%1 Paare: Latenz höchstens %2 µs, Bandbreite %3 bis %4</translation>
    </message>
    <message>
        <source>%1 of rank %2</source>
        <translation>%1 von Rank %2</translation>
    </message>
    <message>
        <source>%1 does not reach %2 (%3)</source>
        <translation>%1 erreicht %2 nicht (%3)</translation>
    </message>
    <message>
        <source>%1 (rank %2)</source>
        <translation>%1 (Rank %2)</translation>
    </message>
    <message>
        <source>%1: open the ports between these machines (ranks use any), or name an interface on which they reach each other in TRAINYARD_ADDRESS</source>
        <translation>%1: die Ports zwischen diesen Rechnern öffnen (Ranks benutzen beliebige) oder in TRAINYARD_ADDRESS eine Schnittstelle nennen, über die sie einander erreichen</translation>
    </message>
    <message>
        <source>weights of one process</source>
        <translation>Gewichte eines Prozesses</translation>
    </message>
    <message>
        <source>loss of one process</source>
        <translation>Loss eines Prozesses</translation>
    </message>
    <message>
        <source>%1: after %2 steps a weight differs from one process' by %3, more than %4</source>
        <translation>%1: nach %2 Schritten weicht ein Gewicht um %3 von dem eines einzelnen Prozesses ab, mehr als %4</translation>
    </message>
    <message>
        <source>%1: after %2 steps the loss differs from one process' by %3</source>
        <translation>%1: nach %2 Schritten weicht der Loss um %3 von dem eines einzelnen Prozesses ab</translation>
    </message>
    <message>
        <source>%1 abcde</source>
        <translation>%1 abcde</translation>
    </message>
    <message>
        <source>a sample is none of the data set</source>
        <translation>ein Sample gehört nicht zum Datensatz</translation>
    </message>
    <message>
        <source>samples seen</source>
        <translation>gesehene Samples</translation>
    </message>
    <message>
        <source>some of %1 samples were not seen exactly %2 times in %3 epochs</source>
        <translation>einige von %1 Samples wurden in %3 Epochen nicht genau %2-mal gesehen</translation>
    </message>
    <message>
        <source>the second epoch has the order of the first</source>
        <translation>die zweite Epoche hat die Reihenfolge der ersten</translation>
    </message>
    <message>
        <source>%1 samples, each once per epoch over all ranks, in a new order each epoch</source>
        <translation>%1 Samples, jedes einmal pro Epoche über alle Ranks, in jeder Epoche in neuer Reihenfolge</translation>
    </message>
    <message>
        <source>%1 rank and 2 micro-steps give the weights of one process, fp32 and bf16</source>
        <translation>%1 Rank und 2 Micro-Schritte ergeben die Gewichte eines einzelnen Prozesses, fp32 und bf16</translation>
    </message>
    <message>
        <source>%1 ranks and 2 micro-steps give the weights of one process, fp32 and bf16</source>
        <translation>%1 Ranks und 2 Micro-Schritte ergeben die Gewichte eines einzelnen Prozesses, fp32 und bf16</translation>
    </message>
    <message>
        <source>it resumes at step %1 instead of 3</source>
        <translation>das Fortsetzen beginnt bei Schritt %1 statt bei 3</translation>
    </message>
    <message>
        <source>the weights read back are not those that were saved</source>
        <translation>die gelesenen Gewichte sind nicht die gespeicherten</translation>
    </message>
    <message>
        <source>the step after resuming has the loss %1 instead of %2</source>
        <translation>der Schritt nach dem Fortsetzen hat den Loss %1 statt %2</translation>
    </message>
    <message>
        <source>the step after resuming gives other weights</source>
        <translation>der Schritt nach dem Fortsetzen ergibt andere Gewichte</translation>
    </message>
    <message>
        <source>%1 bytes saved, read back and trained on, bit by bit the same</source>
        <translation>%1 Bytes gespeichert, gelesen und weitertrainiert, bitgenau gleich</translation>
    </message>
    <message>
        <source>cannot start from %1: %2</source>
        <translation>Start von %1 nicht möglich: %2</translation>
    </message>
    <message>
        <source>what is started from, to other machines</source>
        <translation>Ausgangspunkt, an andere Rechner</translation>
    </message>
    <message>
        <source>what is started from</source>
        <translation>Ausgangspunkt</translation>
    </message>
    <message>
        <source>a machine lacks what is started from</source>
        <translation>einem Rechner fehlt der Ausgangspunkt</translation>
    </message>
    <message>
        <source>what is started from is on all machines</source>
        <translation>der Ausgangspunkt ist auf allen Rechnern</translation>
    </message>
    <message>
        <source>another machine could not write what is started from: its log says why</source>
        <translation>ein anderer Rechner konnte den Ausgangspunkt nicht schreiben: sein Log nennt den Grund</translation>
    </message>
    <message>
        <source>%1: what is started from cannot be written here: make room on the disk</source>
        <translation>%1: der Ausgangspunkt lässt sich hier nicht schreiben: Platz auf der Platte schaffen</translation>
    </message>
    <message>
        <source>all have loaded what is started from</source>
        <translation>alle haben den Ausgangspunkt geladen</translation>
    </message>
    <message>
        <source>process %1 cannot be started: %2</source>
        <translation>Prozess %1 kann nicht gestartet werden: %2</translation>
    </message>
    <message>
        <source>the processes cannot meet: %1</source>
        <translation>die Prozesse können nicht zusammenfinden: %1</translation>
    </message>
    <message>
        <source>%1 is started by trainyard-worker generate alone</source>
        <translation>%1 wird nur von trainyard-worker generate gestartet</translation>
    </message>
    <message>
        <source>model loaded</source>
        <translation>Modell geladen</translation>
    </message>
    <message>
        <source>text goes on</source>
        <translation>Text geht weiter</translation>
    </message>
</context>
<context>
    <name>errno</name>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Verzeichnis nicht gefunden</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Keine Berechtigung</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>Vorgang nicht erlaubt</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Auf dem Gerät ist kein Speicherplatz mehr verfügbar</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>Der zugewiesene Plattenplatz (Quota) ist überschritten</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Das Dateisystem ist nur lesbar</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Ein-/Ausgabefehler</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Ist ein Verzeichnis</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Ist kein Verzeichnis</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>Die Datei existiert bereits</translation>
    </message>
    <message>
        <source>Directory not empty</source>
        <translation>Das Verzeichnis ist nicht leer</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>Gerät oder Ressource belegt</translation>
    </message>
    <message>
        <source>Exec format error</source>
        <translation>Falsches Format der Programmdatei</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>Nicht genügend Hauptspeicher verfügbar</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>Zu viele offene Dateien</translation>
    </message>
    <message>
        <source>Too many open files in system</source>
        <translation>Zu viele offene Dateien im System</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>Zu viele Ebenen symbolischer Links</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>Ungültiges Argument</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>Die Datei ist zu groß</translation>
    </message>
    <message>
        <source>Broken pipe</source>
        <translation>Die Pipe ist unterbrochen</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>Verbindungsaufbau abgelehnt</translation>
    </message>
    <message>
        <source>Connection reset by peer</source>
        <translation>Die Verbindung wurde von der Gegenseite zurückgesetzt</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>Zeitüberschreitung der Verbindung</translation>
    </message>
    <message>
        <source>No route to host</source>
        <translation>Keine Route zum Zielrechner</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>Das Netzwerk ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Address already in use</source>
        <translation>Die Adresse wird bereits verwendet</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>Veralteter Dateiverweis (NFS)</translation>
    </message>
    <message>
        <source>No such device</source>
        <translation>Kein passendes Gerät gefunden</translation>
    </message>
    <message>
        <source>Invalid cross-device link</source>
        <translation>Ungültiger Link über Gerätegrenzen hinweg</translation>
    </message>
</context>
</TS>
