// The people of the benchmarks, as rows of a list and as the service receives them. It can also run as a program that
// writes the list, so that this does not affect the measured process: node bench/parts/people.ts FILE ROWS

import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const header = 'Email,First Name,Last Name,Birth Date,Contact Number\n'

export function cellsOf(n: number): string[] {
  const day = String(1 + (n % 28)).padStart(2, '0')
  return [`p${n}@example.org`, `Jürgen${n}`, `Müller ${n}`, `1990-01-${day}`, `0170${String(n).padStart(7, '0')}`]
}

export function recordOf(n: number): Record<string, string> {
  const [email = '', first = '', last = '', born = '', phone = ''] = cellsOf(n)
  return {
    Email: email,
    'First Name': first,
    'Last Name': last,
    'Contact Number': phone,
    'Primary Value': 'Email',
    'Birth Date': born,
  }
}

/** Yields the numbers of `rows` people in chunks of a thousand, or of the given size. */
export function* numberChunks(rows: number, size = 1_000): Generator<number[]> {
  for (let from = 0; from < rows; from += size)
    yield Array.from({ length: Math.min(size, rows - from) }, (_, index) => from + index)
}

/** Puts a list into an inbox. Writes it beside the inbox first, so that no worker sees a part of it. */
export async function dropList(
  inbox: string,
  name: string,
  { first, people }: { first: number; people: number },
): Promise<void> {
  const lines = Array.from({ length: people }, (_, n) => `${cellsOf(first + n).join(',')}\n`)
  const draft = `${inbox}.draft`
  await writeFile(draft, header + lines.join(''))
  await rename(draft, join(inbox, name))
}

export function writeList(file: string, rows: number): void {
  execFileSync(process.execPath, [import.meta.filename, file, String(rows)])
}

if (import.meta.main) {
  const [file = '', rows = ''] = process.argv.slice(2)
  appendFileSync(file, header)
  for (const numbers of numberChunks(Number(rows)))
    appendFileSync(file, numbers.map((n) => `${cellsOf(n).join(',')}\n`).join(''))
}
