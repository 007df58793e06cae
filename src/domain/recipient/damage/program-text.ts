// Recognizes what programs write for other programs, and not for people. Pure.

const utf8InPercent = /%[c-f][\da-f]%[89ab][\da-f]/i

/** Finds letters encoded for program code, a web address or an e-mail. In a name, each backslash is one. */
export function isEscaped(value: string, isName: boolean): boolean {
  if (/\\u\{?[\da-f]{4}|\\x[\da-f]{2}|\\'|_x[\da-f]{4}_|=[c-f][\da-f]=[89ab][\da-f]|=\?[\w-]+\?[bq]\?/i.test(value))
    return true
  if (utf8InPercent.test(value) && !value.includes('://')) return true
  return isName && /\\|%[\da-f]{2}|\p{L}''\p{L}/iu.test(value)
}

const placeholder =
  /\{\{[^{}]*\}\}|[$#@]\{[^{}]*\}|\{[a-z_]\w*\}|<<[^<>]*>>|<%.*%>|%\(\w+\)s|%[A-Z][A-Z_]+%|\[\[[^[\]]*\]\]/i

/** Finds a placeholder of a template that was never filled in. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value)
}

const words =
  /^(?:undefined|Undefined|UNDEFINED|null|NULL|nan|NaN|nil|\\N|\(null\)|<null>|\[null\]|<nil>|\(none\)|\[object \w+\]|<NA>)$/

/** Finds a value, or in a name also a word, that stands for a missing value. `Null` and `None` are names. */
export function isWordForNothing(value: string, isName: boolean): boolean {
  if (/\[object \w+\]/.test(value) || words.test(value)) return true
  if (isName && /^n\/a$/i.test(value)) return true
  const parts = value.split(/\s+/)
  return (
    parts.length > 1 &&
    (parts.every((part) => words.test(part)) || (isName && /(?:^|\s)(?:undefined|null)(?:\s|$)/.test(value)))
  )
}
