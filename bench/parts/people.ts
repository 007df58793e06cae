// The people of the benchmarks, as a list has them and as the service gets them. Run as a program it writes their list, so that the
// garbage of writing is not in the measured process: node bench/parts/people.ts FILE ROWS

import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

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

/** The numbers of `rows` people, a thousand at a time, or as many as said. */
export function* thousands(rows: number, size = 1_000): Generator<number[]> {
  for (let from = 0; from < rows; from += size)
    yield Array.from({ length: Math.min(size, rows - from) }, (_, index) => from + index)
}

export function writeList(file: string, rows: number): void {
  execFileSync(process.execPath, [import.meta.filename, file, String(rows)])
}

if (import.meta.main) {
  const [file = '', rows = ''] = process.argv.slice(2)
  appendFileSync(file, 'Email,First Name,Last Name,Birth Date,Contact Number\n')
  for (const numbers of thousands(Number(rows)))
    appendFileSync(file, numbers.map((n) => `${cellsOf(n).join(',')}\n`).join(''))
}
