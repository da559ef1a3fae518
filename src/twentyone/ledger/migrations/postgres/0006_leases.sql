-- The processes that serve this ledger; one is alive until its row ends, by the clock of this database.
CREATE TABLE processes (
    id TEXT COLLATE "C" PRIMARY KEY,
    address TEXT NOT NULL,
    until TIMESTAMPTZ NOT NULL
);
-- Who leads a table, and how often that has changed: nobody else appends to it, and nobody under an earlier number.
ALTER TABLE streams ADD COLUMN leader TEXT COLLATE "C", ADD COLUMN epoch BIGINT NOT NULL DEFAULT 0;
-- A table is changed by its leader alone: nobody else needs to be called.
DROP TRIGGER events_are_called ON events;
DROP FUNCTION events_call();
DO $$
BEGIN
    GRANT SELECT, INSERT, UPDATE, DELETE ON processes TO twentyone_app;
EXCEPTION
    WHEN insufficient_privilege OR undefined_object THEN
        RAISE NOTICE 'no role of its own for the application: %', SQLERRM;
END
$$;
