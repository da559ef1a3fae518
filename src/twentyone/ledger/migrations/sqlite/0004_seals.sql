-- The sealed and the revealed seeds of a table are found without reading its other events.
CREATE INDEX events_seals ON events (stream, ver)
    WHERE type IN ('shoe_sealed', 'shoe_revealed', 'wheel_sealed', 'wheel_revealed');
