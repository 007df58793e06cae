-- The token of the last claim, and of the one before it, where claims are counted: a claim that waited for another one cannot see that one's
-- row of `passage` in the same statement, and could not say which claim precedes it.

ALTER TABLE door ADD COLUMN token uuid, ADD COLUMN token_before uuid;
UPDATE door SET token = (SELECT p.token FROM passage p WHERE p.environment = door.environment AND p.number = door.passed);
