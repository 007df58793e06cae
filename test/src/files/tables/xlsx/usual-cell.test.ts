// Cells and strings that are read on the fast path equal those that saxes reads. A processing instruction at the start
// of a part makes saxes read all of it, whereas a comment of the same length does not. Neither changes the content.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '#test/src/files/tables/corpus/cases.ts'
import { type Outcome, readBytes } from '#test/src/files/tables/corpus/read-case.ts'
import { anySheet } from '#test/src/files/tables/fuzz/any-sheet.ts'
import { mutateInside } from '#test/src/files/tables/fuzz/mutate.ts'
import { unpack } from '#test/src/files/tables/fuzz/unpack.ts'
import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import { readInPlace } from '#test/support/read-source.ts'
import { openDice } from '#test/support/seeded-random.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'

const instruction = '<?saxes please?>'
const comment = '<!--for us no-->'
const head = /^(<\?xml[^>]*\?>\s*)?(?=<(\w+:)?(worksheet|sst)\b)/

/**
 * Puts `mark` at the start of every sheet and string list of the workbook; returns undefined if it has no such part.
 */
function withMark(bytes: Buffer, mark: string): Buffer | undefined {
  const members = unpack(bytes)
  if (!members) return undefined
  let marked = 0
  const changed = members.map((member): ZipMember => {
    const text = Buffer.from(member.content).toString('latin1')
    if (!head.test(text)) return member
    marked++
    return { ...member, content: Buffer.from(text.replace(head, `$1${mark}`), 'latin1') }
  })
  return marked > 0 ? buildZip(changed) : undefined
}

const comparable = ({ refusal, header, notices, rows }: Outcome) => ({
  refusal: refusal?.message,
  header,
  notices,
  rows,
})

test('every sample workbook gives the same result on both paths', async () => {
  let compared = 0
  for (const { name, build, file = 'results.xlsx', options } of cases) {
    const bytes = Buffer.from(await build())
    const [fastBytes, saxesBytes] = [withMark(bytes, comment), withMark(bytes, instruction)]
    if (!fastBytes || !saxesBytes) continue
    const fastOutcome = await readBytes(fastBytes, file, readInPlace, options)
    expect(comparable(await readBytes(saxesBytes, file, readInPlace, options)), name).toEqual(comparable(fastOutcome))
    compared++
  }
  expect(compared).toBeGreaterThan(100)
})

test(
  'random workbooks, damaged inside, give the same result on both paths',
  async () => {
    const numRuns = sized(80, 5_000)
    const [seed = 1] = seeds(1)
    const counts = { workbooks: 0, refused: 0 }
    const property = fc.asyncProperty(anySheet, fc.nat(), fc.boolean(), async ({ bytes }, chance, whole) => {
      const damaged = whole ? bytes : mutateInside(bytes, openDice(chance), bytes)
      const [fastBytes, saxesBytes] = damaged ? [withMark(damaged, comment), withMark(damaged, instruction)] : []
      if (!fastBytes || !saxesBytes) return
      const fastOutcome = await readBytes(fastBytes, 'any.xlsx', readInPlace)
      expect(comparable(await readBytes(saxesBytes, 'any.xlsx', readInPlace))).toEqual(comparable(fastOutcome))
      counts.workbooks++
      if (fastOutcome.refusal) counts.refused++
    })
    await fc.assert(property, { seed, numRuns })
    tally(`workbooks read twice from seed ${seed}`, counts)
  },
  sized(120_000, 600_000),
)
