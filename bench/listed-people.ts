// The people of bench/intake.ts. Run as a program it writes their list, so that the garbage of writing is not in the measured process:
// node bench/listed-people.ts FILE ROWS

import { appendFileSync } from 'node:fs'

export function cellsOf(n: number): string[] {
  const day = String(1 + (n % 28)).padStart(2, '0')
  return [`p${n}@example.org`, `Jürgen${n}`, `Müller ${n}`, `1990-01-${day}`, `0170${String(n).padStart(7, '0')}`]
}

/** The numbers of `rows` people, a thousand at a time. */
export function* thousands(rows: number): Generator<number[]> {
  for (let from = 0; from < rows; from += 1_000)
    yield Array.from({ length: Math.min(1_000, rows - from) }, (_, index) => from + index)
}

if (import.meta.main) {
  const [file = '', rows = ''] = process.argv.slice(2)
  appendFileSync(file, 'Email,First Name,Last Name,Birth Date,Contact Number\n')
  for (const numbers of thousands(Number(rows)))
    appendFileSync(file, numbers.map((n) => `${cellsOf(n).join(',')}\n`).join(''))
}
