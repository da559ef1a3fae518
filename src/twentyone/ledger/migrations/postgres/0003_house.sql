-- Derived from the house's stream, changed only with its events: what is in each purse, in thousandths of a dollar.
CREATE TABLE purses (
    name TEXT COLLATE "C" PRIMARY KEY,
    balance BIGINT NOT NULL CHECK (balance >= 0),
    issues BIGINT NOT NULL CHECK (issues >= 0)
);
DO $$
BEGIN
    GRANT SELECT, INSERT, UPDATE ON purses TO twentyone_app;
EXCEPTION
    WHEN insufficient_privilege OR undefined_object THEN
        RAISE NOTICE 'no role of its own for the application: %', SQLERRM;
END
$$;
