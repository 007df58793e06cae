// Validates the configured faults, when the sandbox opens and whenever they change. A wrong number could
// otherwise make a simulation test nothing without anyone noticing.

import { SandboxSettingsError } from '#sandboxes/service/settings-error.ts'
import { faultShares } from './choose-fault.ts'
import type { Faults } from './faults.ts'

/** @throws SandboxSettingsError naming the invalid part */
export function checkFaults(faults: Faults): void {
  for (const [name, share] of Object.entries(sharesOf(faults))) {
    if (share !== undefined && !(share >= 0 && share <= 1))
      refuseFault(name, `is ${share}; make it a share from 0 to 1.`)
  }
  for (const [name, min, value] of numbersOf(faults)) {
    if (value !== undefined && !(Number.isFinite(value) && value >= min))
      refuseFault(name, `is ${value}; make it a number from ${min}.`)
  }
  checkSpans(faults)
  const totalShare = faultShares(faults).reduce((sum, [share]) => sum + share, 0)
  // Some tolerance: ten shares of 0.1 add up to a little more than 1.
  if (totalShare > 1 + 1e-9)
    refuseFault(
      'partialCommit to lost',
      `together spoil ${totalShare} of all calls; make their shares add up to 1 at most.`,
    )
}

function checkSpans({ lateVisibility: late, backlog = [] }: Faults): void {
  if (late && late.minMs > late.maxMs) refuseFault('lateVisibility', 'ends before it begins; make minMs at most maxMs.')
  if (backlog.some(({ fromMs, untilMs }) => !(fromMs <= untilMs)))
    refuseFault('backlog', 'has a window that ends before it begins; make fromMs at most untilMs.')
}

function sharesOf(faults: Faults): Record<string, number | undefined> {
  const { lateVisibility, nullEntityUuid, spelling, movingRows, backwards } = faults
  const spoils = faultShares(faults).map(([share, { kind, commit }]) => [`${kind} (${commit})`, share])
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

// Name, minimum, value.
function numbersOf(faults: Faults): [string, number, number | undefined][] {
  const { lateVisibility, trickle, nullEntityUuid, cappedPages, tooLarge, tokens, clockOffMs, maxRecordsPerPage } =
    faults
  return [
    ['lateVisibility.minMs', 0, lateVisibility?.minMs],
    ['lateVisibility.maxMs', 0, lateVisibility?.maxMs],
    ['trickle.spanMs', 0, trickle?.spanMs],
    ['nullEntityUuid.forMs', 0, nullEntityUuid?.forMs],
    ['cappedPages.records', 1, cappedPages?.records],
    ['tooLarge.bytes', 0, tooLarge?.bytes],
    ['tooLarge.recipients', 0, tooLarge?.recipients],
    ['maxRecordsPerPage', 0, maxRecordsPerPage],
    ['tokens.uses', 1, tokens?.uses],
    ['tokens.lifeMs', 0, tokens?.lifeMs],
    ['clockOffMs', -8.64e13, clockOffMs],
  ]
}

function refuseFault(name: string, what: string): never {
  throw new SandboxSettingsError(`Sandbox setting faults: ${name} ${what}`)
}
