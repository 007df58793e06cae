// Encodes nested arguments in the form syntax of Moodle's REST server: users[0][customfields][0][type]=credurl. Pure.

export type Argument = string | number | boolean | readonly Argument[] | { readonly [name: string]: Argument }
export type FunctionArguments = Readonly<Record<string, Argument>>

/** Returns a form-encoded body. Booleans become 1 and 0, since PHP treats the string "false" as true. */
export function encodeArguments(fields: FunctionArguments): string {
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
