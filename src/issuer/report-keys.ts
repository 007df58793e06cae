// What the report tells of a recipient in the recipient's own words.

/** Keys of an item that hold what was sent, as far as their names tell, and that the service names for a search. */
export const recipientKeys = [
  'email_',
  'contact_number',
  'batch_name',
  'reg_no',
  'uid',
  'cert_no',
  'unique_no',
  'membership_id',
] as const
