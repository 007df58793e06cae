-- Failed and rejected rows, the newest first: the console says on its first page that they need a person, whichever list they are of.
-- Those of people whose data were deleted cannot be sent any more.
CREATE INDEX issuance_without_credential ON issuance (environment, state_since DESC) WHERE state IN ('failed', 'rejected') AND recipient IS NOT NULL;
