-- Derived from the house's stream, changed only with its events: every match-play coupon.
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
    GRANT SELECT, INSERT, UPDATE ON coupons TO twentyone_app;
EXCEPTION
    WHEN insufficient_privilege OR undefined_object THEN
        RAISE NOTICE 'no role of its own for the application: %', SQLERRM;
END
$$;
