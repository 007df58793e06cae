// Lists names of files inside a ZIP for messages. The names are untrusted, so they are made safe and shortened. They may
// name people, so they are in the quotation marks by which notices find what they must not contain. Pure.

import { safeName } from '#src/platform/log/safe-name.ts'

const maxNames = 5
const maxLength = 60

/** Returns for example `“a.png”, “b.png” and 3 more`, with at most five names, each cut to 60 characters. */
export function listNames(names: readonly string[]): string {
  const words = names.slice(0, maxNames).map((name) => `“${safeName(name.replace(/[“”]/g, '?'), maxLength)}”`)
  if (names.length > maxNames) return `${words.join(', ')} and ${names.length - maxNames} more`
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')
}
