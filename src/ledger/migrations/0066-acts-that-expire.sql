-- What somebody looked at in the console may be deleted after `console.keepDays`, which is a day at least.

DROP TRIGGER console_act_is_kept ON console_act;
CREATE TRIGGER console_act_is_kept BEFORE UPDATE OR TRUNCATE ON console_act FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER console_act_is_kept_for_a_day BEFORE DELETE ON console_act FOR EACH ROW
  WHEN (OLD.at > statement_timestamp() - interval '1 day') EXECUTE FUNCTION refuse_change();
