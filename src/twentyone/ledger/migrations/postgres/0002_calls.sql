-- Whoever listens is told of every stored command: its stream, and the version of its first event.
CREATE FUNCTION events_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('twentyone_events', NEW.ver || ' ' || NEW.stream);
    RETURN NULL;
END
$$;
CREATE TRIGGER events_are_called AFTER INSERT ON events
    FOR EACH ROW WHEN (NEW.idem IS NOT NULL) EXECUTE FUNCTION events_call();
