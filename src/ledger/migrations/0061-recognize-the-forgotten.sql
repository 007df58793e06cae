-- By which fields occasions were told apart when the person was forgotten: if they differ from those of a later list, nobody can say whether
-- the list means the same credential. Null if they are not known, as for everybody who was forgotten before this.
ALTER TABLE erased_issuance ADD COLUMN occurrence_fields text[];
