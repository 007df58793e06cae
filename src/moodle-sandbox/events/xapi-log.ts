// Channel B (1.4, captures 10 to 13 and 17): the xAPI plugin's log. Cron sends what waits; only exactly 200 is success;
// what failed is parked until an administrator replays it, and the plugin's own second try sends an empty array.

import { hash } from 'node:crypto'
import type { MoodleJournal } from '../journal.ts'
import type { Site } from '../site.ts'
import { phpJson } from '../written-answer.ts'
import type { Happening } from './happening.ts'
import { post } from './post.ts'
import { type ActorSetting, statementOf } from './statement.ts'

export interface XapiTarget {
  /** Without /statements at its end. */
  endpoint: string
  user: string
  password: string
  /** Moodle's number by default. */
  actor?: ActorSetting
}

/** The plugin's default. */
const batchSize = 30

export class XapiLog {
  target: XapiTarget | null = null
  readonly #site: Site
  readonly #journal: MoodleJournal
  #waiting: Happening[] = []
  #failed: Happening[] = []
  #sendings = 0

  constructor(site: Site, journal: MoodleJournal) {
    this.#site = site
    this.#journal = journal
  }

  /** Nothing is logged for a plugin that is not there. */
  add(happening: Happening): void {
    if (this.target) this.#waiting.push(happening)
  }

  /** How many events failed and wait for an administrator. */
  get parked(): number {
    return this.#failed.length
  }

  /** One minute's run: what waits, then the empty arrays of the tasks for failed and for old events (capture 10). */
  async cron(): Promise<void> {
    if (!this.target) return
    const waiting = this.#waiting
    this.#waiting = []
    await this.#sendAll(waiting, this.target)
    for (const _task of ['failed', 'historical']) await this.#send([], this.target)
  }

  /** The administrator's button: what failed goes out again, with other registrations (capture 13). */
  async replay(): Promise<void> {
    if (!this.target) return
    const failed = this.#failed
    this.#failed = []
    await this.#sendAll(failed, this.target)
  }

  async #sendAll(happenings: readonly Happening[], target: XapiTarget): Promise<void> {
    for (let from = 0; from < happenings.length; from += batchSize) {
      const batch = happenings.slice(from, from + batchSize)
      if ((await this.#send(batch, target)) !== 200) this.#failed.push(...batch)
    }
  }

  async #send(batch: readonly Happening[], target: XapiTarget): Promise<number | null> {
    const { endpoint, user, password, actor = 'id' } = target
    const registration = registrationOf(this.#site.url, ++this.#sendings)
    const headers = {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'x-experience-api-version': '1.0.3',
    }
    const statements = batch.map((each) => statementOf(each, registration, this.#site, actor))
    const status = await post(`${endpoint}/statements`, headers, phpJson(statements))
    this.#journal.did({ kind: 'sent', channel: 'xapi', events: batch.length, status })
    return status
  }
}

// A uuid of version 5, as captured, that follows from the number of the sending.
function registrationOf(url: string, sending: number): string {
  const bytes = hash('sha1', `${url} ${sending}`, 'buffer').subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x50
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
