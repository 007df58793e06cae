// The profile fields that credentials are written into, as far as a Moodle lets anybody know: it shows a field only in a profile where the
// field is filled, and answers a short name that does not exist as if all were well.

import type { Moodle } from '#src/moodle/open-moodle.ts'
import { type Check, good } from './check.ts'
import type { CheckedMoodle } from './check-moodle.ts'
import type { Parts } from './open-parts.ts'

/** What is needed of the settings and of the ledger; null where that could not be opened. */
export interface KnownSystems {
  settings: Pick<Parts['settings'], 'file'>
  ledger: { completions: Pick<NonNullable<Parts['ledger']>['completions'], 'known'> } | null
}

/** So many learners of a pipeline are looked at: whoever was told shows the fields. */
const mostLooked = 3

export async function checkProfileFields(
  { settings, ledger }: KnownSystems,
  moodle: Moodle,
  { name }: Pick<CheckedMoodle, 'name'>,
): Promise<Check[]> {
  const checks: Check[] = []
  for (const [pipeline, { writeBack }] of Object.entries(settings.file.pipelines))
    for (const target of writeBack) {
      if (target.to !== 'moodle-profile' || target.system !== name) continue
      const wanted = Object.keys(target.fields)
      const known = ledger ? [...(await ledger.completions.known(name, pipeline)).keys()] : []
      const shown = await shownFields(moodle, known.slice(-mostLooked))
      checks.push(judge({ pipeline, system: name }, wanted, shown))
    }
  return checks
}

async function shownFields(moodle: Moodle, learners: readonly string[]): Promise<ReadonlySet<string>> {
  const shown = new Set<string>()
  for (const learner of learners.filter((id) => /^\d+$/.test(id)))
    for (const [field, value] of (await moodle.readProfile(Number(learner))) ?? []) if (value !== '') shown.add(field)
  return shown
}

function judge(
  more: { pipeline: string; system: string },
  wanted: readonly string[],
  shown: ReadonlySet<string>,
): Check {
  const [seen, unseen] = [wanted.filter((field) => shown.has(field)), wanted.filter((field) => !shown.has(field))]
  const what = seen.length > 0 ? `${seen.join(', ')} show in profiles` : 'its profile fields show in no profile yet'
  if (unseen.length === 0) return good('profile fields', what, more)
  const notice = `nothing can be known of ${unseen.join(', ')}: Moodle shows a profile field only where it is filled. Compare the short names with Moodle's (Users, User profile fields); the first write is read back, and tells of one that is missing`
  return good('profile fields', what, { ...more, notices: [notice] })
}
