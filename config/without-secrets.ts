const secretNames = ['token', 'password', 'secret', 'privateKey', 'clientSecret', 'refreshToken']

/** Removes secrets by their names, however deep they are: a weak password could be guessed from a hash. Pure. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!value || typeof value !== 'object') return value
  const publicEntries = Object.entries(value).filter(([name]) => !secretNames.includes(name))
  return Object.fromEntries(publicEntries.map(([name, each]) => [name, withoutSecrets(each)]))
}

/** Returns an object with the same names, each with the result of `of` for its value. Pure. */
export const mapValues = (values: object, of: (value: object) => unknown) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]))
