// Channel B (section 1.4, captures 10 to 13 and 17): the xAPI plugin's log. Cron sends the waiting events over HTTP;
// only status 200 counts as success. Failed events are parked until an administrator replays them, because the plugin's
// own second attempt sends an empty array.

import { hash } from 'node:crypto'
import { phpJson } from '../http-response.ts'
import type { MoodleJournal } from '../journal.ts'
import type { Site } from '../site.ts'
import { post } from './post.ts'
import type { SiteEvent } from './site-event.ts'
import { type ActorSetting, statementOf } from './statement.ts'

export interface XapiTarget {
  /** Without a trailing /statements. */
  endpoint: string
  user: string
  password: string
  /** Default: Moodle's user id. */
  actor?: ActorSetting
}

/** The default of the plugin. */
const batchSize = 30

export class XapiLog {
  target: XapiTarget | null = null
  readonly #site: Site
  readonly #journal: MoodleJournal
  #waiting: SiteEvent[] = []
  #failed: SiteEvent[] = []
  #requests = 0

  constructor(site: Site, journal: MoodleJournal) {
    this.#site = site
    this.#journal = journal
  }

  /** Logs an event if the plugin is configured. */
  add(event: SiteEvent): void {
    if (this.target) this.#waiting.push(event)
  }

  /** The number of failed events that wait for a replay. */
  get parked(): number {
    return this.#failed.length
  }

  /**
   * Does what cron does every minute: sends the waiting events, and then the empty arrays of the tasks for failed and
   * for historical events (capture 10).
   */
  async cron(): Promise<void> {
    if (!this.target) return
    const waiting = this.#waiting
    this.#waiting = []
    await this.#sendAll(waiting, this.target)
    for (const _task of ['failed', 'historical']) await this.#send([], this.target)
  }

  /** Sends the failed events again with other registrations, as the administrator's replay button does (capture 13). */
  async replay(): Promise<void> {
    if (!this.target) return
    const failed = this.#failed
    this.#failed = []
    await this.#sendAll(failed, this.target)
  }

  async #sendAll(events: readonly SiteEvent[], target: XapiTarget): Promise<void> {
    for (let from = 0; from < events.length; from += batchSize) {
      const batch = events.slice(from, from + batchSize)
      if ((await this.#send(batch, target)) !== 200) this.#failed.push(...batch)
    }
  }

  async #send(batch: readonly SiteEvent[], target: XapiTarget): Promise<number | null> {
    const { endpoint, user, password, actor = 'id' } = target
    const registration = registrationOf(this.#site.url, ++this.#requests)
    const headers = {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'x-experience-api-version': '1.0.3',
    }
    const statements = batch.map((each) => statementOf(each, registration, this.#site, actor))
    const status = await post(`${endpoint}/statements`, headers, phpJson(statements))
    this.#journal.record({ kind: 'sent', channel: 'xapi', events: batch.length, status })
    return status
  }
}

// Returns a version 5 UUID, as captured, derived from the number of the request.
function registrationOf(url: string, request: number): string {
  const bytes = hash('sha1', `${url} ${request}`, 'buffer').subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x50
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
