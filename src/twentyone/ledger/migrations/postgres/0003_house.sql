-- Derived from the house's stream, changed only with its events: what is in each purse, in thousandths of a dollar.
CREATE TABLE purses (
    name TEXT COLLATE "C" PRIMARY KEY,
    balance BIGINT NOT NULL CHECK (balance >= 0),
    issues BIGINT NOT NULL CHECK (issues >= 0)
);
-- Likewise: every match-play coupon of the house.
CREATE TABLE coupons (
    number TEXT COLLATE "C" PRIMARY KEY,
    amount BIGINT NOT NULL CHECK (amount > 0),
    issuer TEXT NOT NULL,
    issued BIGINT NOT NULL,
    ends BIGINT NOT NULL CHECK (ends > issued),
    person TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'laid', 'used', 'void')),
    place TEXT NOT NULL
);
DO $$
BEGIN
    GRANT SELECT, INSERT, UPDATE ON purses, coupons TO twentyone_app;
EXCEPTION
    WHEN insufficient_privilege OR undefined_object THEN
        RAISE NOTICE 'no role of its own for the application: %', SQLERRM;
END
$$;
