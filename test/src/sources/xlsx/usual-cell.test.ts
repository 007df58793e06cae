// Cells and texts that are taken at one step are what they are when saxes reads them. A processing instruction at the head of a
// part brings saxes in for all of it, a comment of the same length does not; neither means anything otherwise.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHere } from '#src/sources/read-here.ts'
import { cases } from '#test/src/sources/corpus/cases.ts'
import { type Outcome, readBytes } from '#test/src/sources/corpus/read-case.ts'
import { anySheet } from '#test/src/sources/fuzz/any-sheet.ts'
import { mutateInside } from '#test/src/sources/fuzz/mutate.ts'
import { unpack } from '#test/src/sources/fuzz/unpack.ts'
import { openDice } from '#test/support/dice.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import { buildZip, type ZipMember } from '#test/support/stored-zip.ts'

const forSaxes = '<?saxes please?>'
const forUs = '<!--for us no-->'
const head = /^(<\?xml[^>]*\?>\s*)?(?=<(\w+:)?(worksheet|sst)\b)/

/** The workbook with `mark` at the head of every sheet and list of texts; undefined when there is none that can have it. */
function headed(bytes: Buffer, mark: string): Buffer | undefined {
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

const told = ({ refusal, header, notices, rows }: Outcome) => ({ refusal: refusal?.message, header, notices, rows })

test('every sample workbook is the same for both', async () => {
  let compared = 0
  for (const { name, build, file = 'results.xlsx', options } of cases) {
    const bytes = Buffer.from(await build())
    const [quickly, slow] = [headed(bytes, forUs), headed(bytes, forSaxes)]
    if (!quickly || !slow) continue
    const quick = await readBytes(quickly, file, readHere, options)
    expect(told(await readBytes(slow, file, readHere, options)), name).toEqual(told(quick))
    compared++
  }
  expect(compared).toBeGreaterThan(100)
}, 60_000)

test(
  'workbooks drawn by chance, and damaged inside, are the same for both',
  async () => {
    const numRuns = sized(80, 5_000)
    const [seed = 1] = seeds(1)
    const counts = { workbooks: 0, refused: 0 }
    const property = fc.asyncProperty(anySheet, fc.nat(), fc.boolean(), async ({ bytes }, chance, whole) => {
      const damaged = whole ? bytes : mutateInside(bytes, openDice(chance), bytes)
      const [quickly, slow] = damaged ? [headed(damaged, forUs), headed(damaged, forSaxes)] : []
      if (!quickly || !slow) return
      const quick = await readBytes(quickly, 'any.xlsx', readHere)
      expect(told(await readBytes(slow, 'any.xlsx', readHere))).toEqual(told(quick))
      counts.workbooks++
      if (quick.refusal) counts.refused++
    })
    await fc.assert(property, { seed, numRuns })
    tally(`workbooks read twice from seed ${seed}`, counts)
  },
  sized(120_000, 600_000),
)
