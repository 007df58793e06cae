// Counts the calls of a Canvas site for each person: to find completions, at night and later, and to write two columns of
// the gradebook. The site is the sandbox.
// Run by hand: node bench/canvas.ts [people …]

import { openCanvasSandbox } from '#sandboxes/canvas/open-canvas-sandbox.ts'
import { openCanvas } from '#src/extensions/lms/canvas/open-canvas.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { printTable } from './parts/table.ts'

const sizes = process.argv.slice(2).map(Number)
const rows = [
  ['people', 'concluded', 'found', 'calls per person to find', 'to find nobody new', 'to write 2 columns', 's'],
]
for (const people of sizes.length > 0 ? sizes : [300, 3_000, 20_000]) {
  const began = clock.monotonicMs()
  const site = await openCanvasSandbox({}, clock)
  const http = openLmsHttp(clock)
  const token = new Secret(site.token)
  const canvas = openCanvas({ url: site.url, token, send: http.send, clock, gate: (work) => work() })
  const concluded = people / 10
  for (let n = 0; n < people; n++) {
    const enrollment = n < concluded ? 'completed' : 'active'
    site.complete(site.enroll(`L${n}`, { enrollment }), '2026-11-05T13:38:00Z')
  }
  const perPerson = (calls: number) => (calls / people).toFixed(3)
  const calls = () => site.requests.splice(0).length

  const latest = new Map<string, Date>()
  for await (const found of canvas.completedLearners('7', new Set(), latest))
    if (found.kind === 'completed') latest.set(found.learner.id, found.at)
  const toFind = calls()
  for await (const found of canvas.completedLearners('7', latest)) throw new Error(`${found.kind} although known`)
  const toFindNobody = calls()
  for (const learnerId of latest.keys()) {
    const cells = { Credential: `C-${learnerId}`, 'Credential link': `https://verify.example/C-${learnerId}` }
    const { kind } = await canvas.columns.write({ course: '7', learnerId, cells })
    if (kind !== 'verified') throw new Error(`${learnerId} is not verified.`)
  }
  const toWrite = calls()
  const figures = [toFind, toFindNobody, toWrite].map(perPerson)
  rows.push(
    [people, concluded, latest.size, ...figures, (clock.monotonicMs() - began) / 1_000].map((each) =>
      typeof each === 'number' ? String(Math.round(each)) : each,
    ),
  )
  await http.close()
  await site.close()
}
printTable(rows)
