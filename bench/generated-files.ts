// Generates the large files that bench/read-files.ts reads: people in many scripts, ten columns, about 140 bytes per
// row.

import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { relation, relationships } from '#test/support/written-workbook.ts'

export const columns = ['Name', 'Mail', 'Phone', 'Born', 'Course', 'Grade', 'Points', 'Town', 'Note', 'Number']
const givenNames = ['Zoë', 'Åsa', 'Ελένη', '李娜', 'Jiří', 'Anna', '東', 'Fátima']
const towns = ['Ulm', 'Köln', 'Łódź', 'Αθήνα']

function personOf(row: number): string[] {
  const given = givenNames[row % givenNames.length] as string
  const note = row % 50 === 0 ? 'said "later",\nthen came' : `group ${row % 97}`
  const day = String((row % 28) + 1).padStart(2, '0')
  return [
    `${given} Müller-${row}`,
    `person${row}@example.org`,
    `+49 151 ${10_000_000 + row}`,
    `1990-03-${day}`,
    'Introduction to Surveying',
    row % 3 === 0 ? 'passed' : 'passed with honors',
    String(row % 100),
    towns[row % towns.length] as string,
    note,
    String(row).padStart(10, '0'),
  ]
}

/** Writes a CSV of `rows` people. */
export async function makeCsv(path: string, rows: number): Promise<void> {
  await pipeline(Readable.from(csvPieces(rows)), createWriteStream(path))
}

function* csvPieces(rows: number) {
  let piece = `${columns.join()}\r\n`
  for (let row = 0; row < rows; row++) {
    const cells = personOf(row).map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    piece += `${cells.join()}\r\n`
    if (piece.length < 60_000) continue
    yield piece
    piece = ''
  }
  yield piece
}

export interface Part {
  name: string
  /** Where the compressed bytes of the part begin and end in the file. */
  start: number
  end: number
}

/**
 * Writes a workbook of `rows` people whose first three columns are shared strings. Returns its large parts.
 */
export async function makeWorkbook(path: string, rows: number): Promise<Part[]> {
  const relations =
    relation('s1', 'worksheet', 'worksheets/sheet1.xml') + relation('s2', 'sharedStrings', 'sharedStrings.xml')
  const members: [string, Iterable<string>][] = [
    ['_rels/.rels', [relationships(relation('r', 'officeDocument', 'xl/workbook.xml'))]],
    ['xl/workbook.xml', ['<workbook><sheets><sheet name="S" sheetId="1" r:id="s1"/></sheets></workbook>']],
    ['xl/_rels/workbook.xml.rels', [relationships(relations)]],
    ['xl/sharedStrings.xml', stringPieces(rows)],
    ['xl/worksheets/sheet1.xml', sheetPieces(rows)],
  ]
  const parts: Part[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, pieces] of members) {
    const header = await appendMember(path, offset, name, pieces)
    const start = offset + header.localHeader.length
    parts.push({ name, start, end: start + header.packed })
    directory.push(header.directoryEntry)
    offset = start + header.packed
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, each) => sum + each.length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  await pipeline(Readable.from([...directory, end]), createWriteStream(path, { flags: 'a' }))
  return parts.slice(3)
}

/** Compresses a ZIP member into a temporary file first, because the member's header contains its checksum and sizes. */
async function appendMember(path: string, offset: number, name: string, pieces: Iterable<string>) {
  const partPath = `${path}.part`
  let sum = 0
  let size = 0
  const countedPieces = function* () {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece)
      sum = crc32(bytes, sum)
      size += bytes.length
      yield bytes
    }
  }
  await pipeline(Readable.from(countedPieces()), createDeflateRaw({ level: 1 }), createWriteStream(partPath))
  const packed = (await stat(partPath)).size
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(sum, 10)
  fields.writeUInt32LE(packed, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(name.length, 22)
  const localHeader = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name)])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(offset, 10)
  const directoryEntry = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 3]),
    fields,
    tail,
    Buffer.from(name),
  ])
  await pipeline(Readable.from([localHeader]), createWriteStream(path, { flags: offset === 0 ? 'w' : 'a' }))
  await pipeline(createReadStream(partPath), createWriteStream(path, { flags: 'a' }))
  await rm(partPath)
  return { localHeader, directoryEntry, packed }
}

const encode = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function* stringPieces(rows: number) {
  yield '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
  for (let row = 0; row < rows; row++) {
    const texts = personOf(row).slice(0, 3)
    yield texts.map((text) => `<si><t>${encode(text)}</t></si>`).join('')
  }
  yield '</sst>'
}

function* sheetPieces(rows: number) {
  yield '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
  const letters = 'ABCDEFGHIJ'
  const inline = (cell: string, reference: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${encode(cell)}</t></is></c>`
  yield `<row r="1">${columns.map((name, at) => inline(name, `${letters[at]}1`)).join('')}</row>`
  for (let row = 0; row < rows; row++) {
    const cells = personOf(row).map((cell, at) => {
      const reference = `${letters[at]}${row + 2}`
      return at < 3 ? `<c r="${reference}" t="s"><v>${row * 3 + at}</v></c>` : inline(cell, reference)
    })
    yield `<row r="${row + 2}">${cells.join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

export const filesIn = (folder: string) => ({ csv: join(folder, 'people.csv'), xlsx: join(folder, 'people.xlsx') })
