-- The record: events, never changed, never removed.
CREATE TABLE events (
    gseq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    ver INTEGER NOT NULL CHECK (ver > 0),
    ts INTEGER NOT NULL,
    type TEXT NOT NULL,
    schema INTEGER NOT NULL,
    body TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    idem TEXT UNIQUE,
    fingerprint TEXT,
    UNIQUE (stream, ver)
) STRICT;
CREATE TRIGGER events_are_not_updated BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'an event of the ledger is never changed');
END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'an event of the ledger is never removed');
END;
-- What follows is derived from the events and may be dropped.
CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY,
    ver INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE projection (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    gseq INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (name, key)
) STRICT, WITHOUT ROWID;
