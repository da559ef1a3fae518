-- Derived from the house's stream, changed only with its events: what is in each purse, in thousandths of a dollar.
CREATE TABLE purses (
    name TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance >= 0),
    issues INTEGER NOT NULL CHECK (issues >= 0)
) STRICT, WITHOUT ROWID;
-- Likewise: every match-play coupon of the house.
CREATE TABLE coupons (
    number TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount > 0),
    issuer TEXT NOT NULL,
    issued INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > issued),
    person TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'laid', 'used', 'void')),
    place TEXT NOT NULL
) STRICT, WITHOUT ROWID;
