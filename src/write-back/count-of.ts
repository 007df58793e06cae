// A number with its noun, as the lines for people say it.

/** `1 row`, `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
