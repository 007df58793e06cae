/**
 * The keys of a report item that are also documented as search keys, and whose names suggest that they hold values that
 * were sent for a recipient.
 */
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
