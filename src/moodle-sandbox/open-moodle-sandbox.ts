// A learning system for tests and the demo: a real HTTP server on loopback that answers, errs and tells as Moodle 4.5.6 was
// seen to do. Its memory is the process's. In this room's comments 01 to 50 are captures of that Moodle, most of them kept in
// test/support/moodle-captures; 1.2 and the like are sections of the notes on learning systems that were taken with them.

import type { AddressInfo } from 'node:net'
import type { Clock } from '#src/time/clock.ts'
import { openControls, type SiteControls } from './controls.ts'
import { XapiLog } from './events/xapi-log.ts'
import { MoodleJournal, type MoodleJournalEntry } from './journal.ts'
import { LineItems } from './lti/line-items.ts'
import { TokenDesk } from './lti/token-desk.ts'
import { openRestDoor } from './rest-door.ts'
import { serveSite } from './serve-site.ts'
import { fillMoodleSettings, type MoodleSandboxSettings } from './settings.ts'
import { Site } from './site.ts'

export interface MoodleSandbox extends SiteControls {
  /** Base address without a trailing slash. */
  readonly url: string
  /** The web service token that it takes. */
  readonly token: string
  journal(): readonly MoodleJournalEntry[]
  close(): Promise<void>
}

/** Opens on 127.0.0.1 and resolves once it listens. @throws the listening error when the port is taken */
export async function openMoodleSandbox(
  given: Partial<MoodleSandboxSettings> | undefined,
  clock: Clock,
): Promise<MoodleSandbox> {
  const settings = fillMoodleSettings(given)
  const site = new Site(settings.siteName)
  const journal = new MoodleJournal(clock)
  const rest = openRestDoor(site, settings, journal, clock)
  const desk = new TokenDesk(settings.tool, clock)
  const lineItems = new LineItems(site, desk, journal)
  let inMaintenance = false
  const controls = openControls(site, new XapiLog(site, journal), journal, clock, {
    maintenance(on) {
      inMaintenance = on
    },
    databaseDown(on) {
      rest.databaseDown = on
    },
  })
  const app = serveSite({ site, rest, desk, lineItems, journal, inMaintenance: () => inMaintenance })
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
