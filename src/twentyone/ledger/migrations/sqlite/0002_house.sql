-- Derived from the house's stream, changed only with its events: what is in each purse, in thousandths of a dollar.
CREATE TABLE purses (
    name TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance >= 0),
    issues INTEGER NOT NULL CHECK (issues >= 0)
) STRICT, WITHOUT ROWID;
