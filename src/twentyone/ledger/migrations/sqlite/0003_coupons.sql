-- Derived from the house's stream, changed only with its events: every match-play coupon.
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
