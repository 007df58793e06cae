// Whose account a statement names: a name means one person within one system only.

import type { XapiSettings } from '#config/system-settings.ts'
import type { Learner } from '#src/xapi/completion.ts'

/** Two addresses that differ in a stroke at the end are one to everybody who writes them down. */
const place = (url: string) => url.replace(/\/$/, '')

/** Whether the learner is on the system whose accounts count, or is named in another way than by an account. */
export function isAccountOf({ homePage }: XapiSettings, learner: Learner): boolean {
  return homePage === undefined || learner.homePage === undefined || place(learner.homePage) === place(homePage)
}

/**
 * The name stands alone where the configuration says which system it is on, or where a Moodle is asked who it is; else behind the address
 * of the system, with a space between, which no address has.
 */
export function accountName({ homePage, confirm }: XapiSettings, learner: Learner): string {
  const isPlain = learner.homePage === undefined || homePage !== undefined || confirm !== undefined
  return isPlain ? learner.value : `${place(learner.homePage ?? '')} ${learner.value}`
}
