// The people in the sample files. All of them are called Quennell, so that a message that quotes a cell can be
// detected.

export const telltale = /quennell/i

export const header = ['Name', 'Mail']
export const zoe = ['Zoë Quennell', 'zoe@quennell.example']
export const ake = ['Åke Quennell', 'ake@quennell.example']
export const both = { header, rows: [zoe, ake] }

/** The two people as CSV text. Their names contain no delimiter or quotation mark. */
export function peopleText(delimiter = ',', lineEnd = '\r\n'): string {
  return [header, zoe, ake].map((cells) => cells.join(delimiter) + lineEnd).join('')
}

/** Makes a CSV with these lines below the header. */
export function underHeader(...lines: string[]): string {
  return ['Name,Mail', ...lines, ''].join('\n')
}
