// Serializes equal JSON values to the same string: members sorted by name, no whitespace. The result is hashed into
// stored keys (inbound-key.ts, rules-hash.ts), so the format must never change. Pure.

/** @param value a value from JSON.parse, nested no deeper than parseEventBody allows */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
