// The keys under which the report shows values that were sent for a recipient.

/**
 * Keys of a report item that are also documented as search keys, and whose names suggest that they hold sent values.
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
