-- The record: events, never changed, never removed.
CREATE SEQUENCE events_gseq;
CREATE TABLE events (
    gseq BIGINT PRIMARY KEY,
    stream TEXT COLLATE "C" NOT NULL,
    ver BIGINT NOT NULL CHECK (ver > 0),
    ts BIGINT NOT NULL,
    type TEXT NOT NULL,
    schema BIGINT NOT NULL,
    body TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    idem TEXT UNIQUE,
    fingerprint TEXT,
    UNIQUE (stream, ver)
);
CREATE FUNCTION events_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an event of the ledger is never changed or removed';
END
$$;
CREATE TRIGGER events_are_not_changed BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION events_refuse();
CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_changed;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_truncated;
-- One row a stream: whoever appends to the stream locks it.
CREATE TABLE streams (
    stream TEXT COLLATE "C" PRIMARY KEY
);
-- What follows is derived from the events and may be dropped.
CREATE TABLE snapshots (
    stream TEXT COLLATE "C" PRIMARY KEY,
    ver BIGINT NOT NULL,
    schema BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE projection (
    name TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    gseq BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (name, key)
);
-- The application's role may add events and read them, nothing else; without the right to make roles, the triggers stand alone.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'twentyone_app') THEN
        CREATE ROLE twentyone_app NOLOGIN;
    END IF;
    REVOKE ALL ON events, streams, snapshots, projection, migrations FROM twentyone_app;
    GRANT SELECT, INSERT ON events, streams TO twentyone_app;
    GRANT SELECT ON migrations TO twentyone_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON snapshots, projection TO twentyone_app;
    GRANT UPDATE ON streams TO twentyone_app;
    GRANT USAGE, SELECT ON SEQUENCE events_gseq TO twentyone_app;
EXCEPTION
    WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
        RAISE NOTICE 'no role of its own for the application: %', SQLERRM;
END
$$;
