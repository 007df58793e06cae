// The recipient fields of the sandbox's courses, as descriptors of the API.

export interface FieldDescriptor {
  name: string
  display_name: string
  type: string
  input_type: 'text' | 'drop-down' | 'date-picker'
  required: boolean
  unique: boolean
  regex: string
  sample_value: string
  max_length?: number
  parse?: string
  min?: number | null
  max?: number | null
}

// No field is unique: if the sandbox refused a person whom it already has, sending someone twice would go unnoticed.
const base = { type: 'string', required: false, unique: false, regex: '' }

/** Makes an optional free-text field. */
export const textField = (
  name: string,
  display_name: string,
  max_length: number,
  sample_value: string,
): FieldDescriptor => ({
  ...base,
  name,
  display_name,
  input_type: 'text',
  sample_value,
  max_length,
})

const date = (name: string, display_name: string, sample_value: string): FieldDescriptor => ({
  ...base,
  name,
  display_name,
  type: 'date',
  input_type: 'date-picker',
  sample_value,
  parse: 'date',
  // The documentation does not say what a number would mean here, so there is none.
  min: null,
  max: null,
})

/** The values of Primary Value: the display name of the identifying field. */
export const primaryFields: readonly string[] = ['Email', 'Contact Number']

export const recipientFields: readonly FieldDescriptor[] = [
  {
    ...textField('email_', 'Email', 128, 'ada@example.org'),
    required: true,
    regex: '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$',
  },
  { ...textField('fname', 'First Name', 256, 'Ada'), required: true },
  { ...textField('lname', 'Last Name', 256, 'Lovelace'), required: true },
  { ...textField('contact_number', 'Contact Number', 30, '0301234567'), regex: '^\\+?[0-9 ()/.-]+$' },
  { ...textField('dial_code_country_id', 'Dial code', 10, '+49'), regex: '^\\+?[0-9]+$' },
  {
    ...base,
    name: 'primary_value',
    display_name: 'Primary Value',
    input_type: 'drop-down',
    required: true,
    sample_value: 'Email',
  },
  date('birth_date', 'Birth Date', '1990-12-31'),
  date('program_start_date', 'Program Start Date', '2026-01-12'),
  date('program_end_date', 'Program End Date', '2026-02-20'),
  textField('reg_no', 'Register Number', 64, '000123'),
]
