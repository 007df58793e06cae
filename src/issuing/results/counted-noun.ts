// Formats a count with its noun for messages to users. Pure.

/** For example `1 row` or `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
