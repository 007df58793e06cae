// The people in the sample files. All of them are called Quennell, so that a sentence which quotes a cell gives itself away.

export const telltale = /quennell/i

export const header = ['Name', 'Mail']
export const zoe = ['Zoë Quennell', 'zoe@quennell.example']
export const ake = ['Åke Quennell', 'ake@quennell.example']
export const both = { header, rows: [zoe, ake] }

/** The two people as CSV text. Their names hold no delimiter and no quotation mark. */
export function peopleText(delimiter = ',', lineEnd = '\r\n'): string {
  return [header, zoe, ake].map((cells) => cells.join(delimiter) + lineEnd).join('')
}

/** A CSV whose lines under the header are `lines`. */
export function underHeader(...lines: string[]): string {
  return ['Name,Mail', ...lines, ''].join('\n')
}
