// Describes in words what a notice is about. Pure.

import { listWords } from './describe-lists.ts'
import { troubleWords } from './describe-troubles.ts'
import type { Description, Words } from './description.ts'
import { type Facts, factsOf } from './facts.ts'

const words: Words = {
  ...listWords,
  ...troubleWords,
  test: () => ({
    title: 'this is a test',
    over: null,
    lines: ['Somebody ran `credsync notify --test`. Nothing has to be done.'],
  }),
}

export interface NoticeDescription extends Description {
  /** When what the title names began. */
  since: Date
}

/** Describes what a notice is about, even if a later version recorded it. */
export function describeNotice(notice: { facts: Record<string, unknown>; since: Date }): NoticeDescription {
  const facts = factsOf(notice)
  const describe = words[facts.about] as ((facts: Facts) => Description) | undefined
  const description = describe?.(facts) ?? { title: String(facts.about), over: null, lines: [] }
  // The notice goes on while one list after another is missing, and its title names the last of them.
  return { ...description, since: facts.about === 'missing' ? new Date(facts.due) : notice.since }
}
