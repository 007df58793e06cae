// A Moodle sandbox for tests and the demo: a real HTTP server on loopback that answers, fails and sends events as
// Moodle 4.5.6 was observed to do. It keeps everything in memory. In the comments of this folder, numbers from 01 to 50
// are captures of that Moodle, most of them stored in test/support/moodle-captures. Numbers such as 1.2 are sections of
// the notes that were taken with the captures.

import type { AddressInfo } from 'node:net'
import type { Clock } from '#sandboxes/clock.ts'
import { openControls, type SiteControls } from './controls.ts'
import { XapiLog } from './events/xapi-log.ts'
import { MoodleJournal, type MoodleJournalEntry } from './journal.ts'
import { LineItems } from './lti/line-items.ts'
import { TokenEndpoint } from './lti/token-endpoint.ts'
import { openRestEndpoint } from './rest-endpoint.ts'
import { Role } from './role.ts'
import { serveSite } from './serve-site.ts'
import { fillMoodleSettings, type MoodleSandboxSettings } from './settings.ts'
import { Site } from './site.ts'

export interface MoodleSandbox extends SiteControls {
  /** Base address without a trailing slash. */
  readonly url: string
  /** The web service token that it accepts. */
  readonly token: string
  journal(): readonly MoodleJournalEntry[]
  close(): Promise<void>
}

/**
 * Opens on 127.0.0.1 and resolves once it listens.
 * @throws the listening error if the port is taken
 */
export async function openMoodleSandbox(
  given: Partial<MoodleSandboxSettings> | undefined,
  clock: Clock,
): Promise<MoodleSandbox> {
  const settings = fillMoodleSettings(given)
  const site = new Site()
  const role = new Role(settings)
  const journal = new MoodleJournal(clock)
  const rest = openRestEndpoint(site, settings, role, journal, clock)
  const tokenEndpoint = new TokenEndpoint(settings.tool, clock)
  const lineItems = new LineItems(site, tokenEndpoint, journal)
  let inMaintenance = false
  const controls = openControls(site, new XapiLog(site, journal), journal, clock, {
    forbid: (capability) => role.forbid(capability),
    allow: (capability) => role.allow(capability),
    maintenance(on) {
      inMaintenance = on
    },
    databaseDown(on) {
      rest.databaseDown = on
    },
    account(problem) {
      rest.account.problem = problem
    },
    expireToken() {
      rest.account.tokenState = 'expired'
    },
    renewToken() {
      rest.account.tokenState = 'valid'
    },
  })
  const app = serveSite({ site, rest, tokenEndpoint, lineItems, journal, inMaintenance: () => inMaintenance })
  await app.listen({ host: '127.0.0.1', port: settings.port })
  site.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    ...controls,
    url: site.url,
    token: settings.token,
    journal: () => journal.entries(),
    close: () => app.close(),
  }
}
