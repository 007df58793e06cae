// Detects the delimiter of a CSV. csv-parse's own detection is not used, because it throws on quoted cells. Pure.

export interface Delimiter {
  delimiter: string
  /** True if the file begins with a line such as `sep=;`, which spreadsheet programs use but do not show. */
  announced: boolean
}

// The order only breaks ties. A table with a single column contains none of them, and then any delimiter works.
const candidates = [',', ';', '\t', '|']
const maxRecords = 50

/**
 * Counts the candidates outside quotation marks in the first records of `sample`, and chooses the one whose count is
 * the same as in the header in the most records.
 * @param whole whether the sample is the whole file, so that its last record is complete
 */
export function detectDelimiter(sample: string, whole: boolean): Delimiter {
  const announced = /^sep=([^\r\n"])(?:\r|\n|$)/i.exec(sample)?.[1]
  if (announced !== undefined) return { delimiter: announced, announced: true }
  const records = countPerRecord(sample, whole)
  const header = records[0] ?? []
  let best = { delimiter: ',', agreeing: 0, count: 0 }
  for (const [index, delimiter] of candidates.entries()) {
    const count = header[index] ?? 0
    if (count === 0) continue
    const agreeing = records.filter((record) => record[index] === count).length
    if (agreeing > best.agreeing || (agreeing === best.agreeing && count > best.count)) {
      best = { delimiter, agreeing, count }
    }
  }
  return { delimiter: best.delimiter, announced: false }
}

function countPerRecord(sample: string, whole: boolean): number[][] {
  const records: number[][] = []
  let counts = candidates.map(() => 0)
  let quoted = false
  let atCellStart = true
  let filled = false
  for (let at = 0; at < sample.length && records.length < maxRecords; at++) {
    const character = sample.charAt(at)
    if (quoted) {
      if (character !== '"') continue
      if (sample.charAt(at + 1) === '"') at++
      else quoted = false
    } else if (character === '\n' || character === '\r') {
      if (filled) records.push(counts)
      counts = candidates.map(() => 0)
      atCellStart = true
      filled = false
    } else {
      const index = candidates.indexOf(character)
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
      // A quotation mark inside a cell (5" screws) does not start a quoted part.
      quoted = character === '"' && atCellStart
      atCellStart = index >= 0
      filled = true
    }
  }
  if (filled && (whole || records.length === 0)) records.push(counts)
  return records
}
