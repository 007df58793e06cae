// Can this mischief be? Looked at when the sandbox opens and whenever it is changed, because a wrong number would
// otherwise show as a simulation that quietly tests nothing.

import { SandboxSettingsError } from '#src/sandbox/settings-error.ts'
import type { Mischief } from './mischief.ts'
import { spoilShares } from './spoil.ts'

/** @throws SandboxSettingsError naming the part at fault. */
export function checkMischief(mischief: Mischief): void {
  for (const [name, share] of Object.entries(sharesOf(mischief))) {
    if (share !== undefined && !(share >= 0 && share <= 1)) fault(name, `is ${share}; make it a share from 0 to 1.`)
  }
  for (const [name, least, value] of numbersOf(mischief)) {
    if (value !== undefined && !(Number.isFinite(value) && value >= least))
      fault(name, `is ${value}; make it a number from ${least}.`)
  }
  checkSpans(mischief)
  const spoiled = spoilShares(mischief).reduce((sum, [share]) => sum + share, 0)
  // A hair of tolerance: ten shares of 0.1 add up to a little more than 1.
  if (spoiled > 1 + 1e-9)
    fault('partialCommit to lost', `together spoil ${spoiled} of all calls; make their shares at most 1 in sum.`)
}

function checkSpans({ lateVisibility: late, backlog = [] }: Mischief): void {
  if (late && late.minMs > late.maxMs) fault('lateVisibility', 'ends before it begins; make minMs at most maxMs.')
  if (backlog.some(({ fromMs, untilMs }) => !(fromMs <= untilMs)))
    fault('backlog', 'has a window that ends before it begins; make fromMs at most untilMs.')
}

function sharesOf(mischief: Mischief): Record<string, number | undefined> {
  const { lateVisibility, nullEntityUuid, spelling, movingRows, backwards } = mischief
  const spoils = spoilShares(mischief).map(([share, { kind, commit }]) => [`${kind} (${commit})`, share])
  return {
    lateVisibility: lateVisibility?.share,
    nullEntityUuid: nullEntityUuid?.share,
    'spelling.emails': spelling?.emails,
    'spelling.names': spelling?.names,
    movingRows: movingRows?.share,
    backwards: backwards?.share,
    ...Object.fromEntries(spoils),
  }
}

// Name, least value, value.
function numbersOf(mischief: Mischief): [string, number, number | undefined][] {
  const { lateVisibility, trickle, nullEntityUuid, cappedPages, tooLarge, tokens, clockOffMs } = mischief
  return [
    ['lateVisibility.minMs', 0, lateVisibility?.minMs],
    ['lateVisibility.maxMs', 0, lateVisibility?.maxMs],
    ['trickle.spanMs', 0, trickle?.spanMs],
    ['nullEntityUuid.forMs', 0, nullEntityUuid?.forMs],
    ['cappedPages.records', 1, cappedPages?.records],
    ['tooLarge.bytes', 0, tooLarge?.bytes],
    ['tooLarge.recipients', 0, tooLarge?.recipients],
    ['tokens.uses', 1, tokens?.uses],
    ['tokens.lifeMs', 0, tokens?.lifeMs],
    ['clockOffMs', -8.64e13, clockOffMs],
  ]
}

function fault(name: string, what: string): never {
  throw new SandboxSettingsError(`Sandbox setting mischief: ${name} ${what}`)
}
