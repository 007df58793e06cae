// Writes nested arguments as the form that Moodle's REST server reads: users[0][customfields][0][type]=credurl.

export type Argument = string | number | boolean | readonly Argument[] | { readonly [name: string]: Argument }
export type Arguments = Readonly<Record<string, Argument>>

/** Form-encoded body; booleans become 1 and 0, since PHP reads the word "false" as true. */
export function formBody(fields: Arguments): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) append(form, name, value)
  return form.toString()
}

function append(form: URLSearchParams, name: string, value: Argument): void {
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) append(form, `${name}[${key}]`, inner as Argument)
    return
  }
  form.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
}
