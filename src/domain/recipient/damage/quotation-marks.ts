// Finds quotation marks that are not part of a value. Pure.

// These match a quotation mark before a word, and one after a word.
const opening = /^[\s(–—-]?"\S$/
const closing = /^\S"[\s,.;:!?)–—-]?$/

/**
 * Detects a quoted CSV cell that contains a quotation mark which is not doubled. Such a cell keeps all its marks, so
 * its first and last characters are marks that enclose others. `"Bo" Jensen` and `"Bo" and "Jo"` are correct values.
 */
export function isMisquoted(value: string): boolean {
  if (!value.startsWith('"') || !value.endsWith('"') || !value.slice(1, -1).includes('"')) return false
  const marks = [...value.matchAll(/"/g)].map(({ index }) => index)
  return !marks.every((at, count) =>
    count % 2 === 0
      ? opening.test(value.slice(Math.max(0, at - 1), at + 2))
      : closing.test(value.slice(at - 1, at + 2)),
  )
}

const pairs =
  `"" '' ‘’ ’’ ‚‘ ‚’ “” ”” „“ „” «» »« ‹› ›‹ 「」 『』 《》 〈〉 \`\` ´´ \`´ \`' ** __ () [] {} （） 【】`.split(' ')

/** @returns true if one pair of marks encloses the whole value: 'Ada', „Ada“, (Ada); not “Bo” and “Jo” */
export function isEnclosed(value: string): boolean {
  return pairs.some(([first = '', last = '']) => {
    if (value.length < 2 || !value.startsWith(first) || !value.endsWith(last)) return false
    const inside = value.slice(1, -1)
    return !inside.includes(first) && !inside.includes(last)
  })
}
