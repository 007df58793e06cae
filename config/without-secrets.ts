const secretNames = ['token', 'password', 'secret', 'privateKey', 'clientSecret', 'refreshToken']

/** Removes secrets by their names, however deep they are: a weak password could be guessed from a hash. Pure. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!value || typeof value !== 'object') return value
  const publicEntries = Object.entries(value).filter(([name]) => !secretNames.includes(name))
  return Object.fromEntries(publicEntries.map(([name, each]) => [name, withoutSecrets(each)]))
}

/** The same names, each with what the function makes of its value. Pure. */
export const mapValues = (values: object, of: (value: object) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]))
