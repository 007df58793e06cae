// The hidden truth: what the service applied, when the report shows it, and how it ends. Only the checks read it, never
// the driver. Times are minutes since the course began.

/** What the service does with a call, and how it answers. */
export interface Fate {
  /**
   * lost: the service never received the call. part: it applies some rows. trickled: it applies one row immediately and
   * the others days later.
   */
  takes: 'lost' | 'all' | 'part' | 'trickled'
  says: AnswerKind
  /** Whether it applies the rows when the call arrives, rather than just before it answers. */
  early: boolean
  /** Thousandths of the longest lag that the world allows. */
  lag: number
  /** Bits: the rows that `part` applies. */
  which: number
}

export type AnswerKind =
  | 'accepted'
  | 'nothing'
  | 'refused'
  | 'refused the call'
  | 'course trouble'
  | 'too large'
  | 'throttled'
  | 'keys refused'
  | 'not sent'

export type Status = 'requested' | 'in_progress' | 'issued' | 'rejected' | 'failed'

export interface Item {
  key: string
  person: number
  /** The row whose call created it and the row's life at the time; null if somebody else requested it. */
  createdBy: { row: number; life: number } | null
  appliedAt: number
  shownFrom: number
  /** Whether it enters the report in the order of all requests, so that a stuck index hides it. */
  ordered: boolean
  otherName: boolean
  status: Status
  /** Whether one scan has missed it, as happens to a row that moves between two pages. Only one scan may miss it. */
  slipped: boolean
}

/** How badly the service may behave. */
export interface World {
  rows: number
  resends: number
  /**
   * Whether its index may get stuck; if not, somebody may request credentials by hand instead. For both together, see
   * exceptions.test.ts.
   */
  sticks: boolean
  /** Maximum minutes until an item is shown; the two grace periods are 360 and 60. */
  lag: number
  refusedLag: number
  throttlesAfterTaking: boolean
  /** Whether operators say of every held row that it was not sent. */
  operatorErrs: boolean
}

export class ServiceModel {
  now = 0
  /** The report shows nothing applied after this time; null while its index is up to date. */
  stuckAt: number | null = null
  readonly items: Item[] = []
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Applies the rows selected by the fate; `from` is the time of the call. */
  serve(fate: Fate, rows: readonly { id: number; person: number; life: number }[]): void {
    const { takes, says } = fate
    const isRefused = says === 'refused'
    const lag = Math.floor((fate.lag * (isRefused ? this.world.refusedLag : this.world.lag)) / 1_000)
    const taken = takes === 'lost' ? [] : rows.filter((_, at) => takes !== 'part' || (fate.which >> at) & 1)
    taken.forEach(({ id, person, life }, at) => {
      const late = takes === 'trickled' && at > 0 ? 1_800 + fate.lag * 2 : 0
      this.add({ person, createdBy: { row: id, life }, shownFrom: this.now + Math.max(lag, late), ordered: !isRefused })
    })
  }

  add(item: Pick<Item, 'person'> & Partial<Item>): void {
    const key = `k${this.items.length}`
    const fresh = { appliedAt: this.now, shownFrom: this.now, ordered: true, otherName: false, slipped: false }
    this.items.push({ key, createdBy: null, status: 'requested', ...fresh, ...item })
  }

  /** What the report shows now, if it is `behind` by that many minutes. */
  shown(behind: number): Item[] {
    const at = this.now - behind
    const reached = Math.min(at, this.stuckAt ?? at)
    return this.items.filter((item) => item.shownFrom <= at && (!item.ordered || item.appliedAt <= reached))
  }

  /** The service's requests for a row's current life. */
  requestsOf({ id, life }: { id: number; life: number }): Item[] {
    return this.items.filter(({ createdBy }) => createdBy?.row === id && createdBy.life === life)
  }
}
