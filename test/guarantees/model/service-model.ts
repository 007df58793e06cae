// The hidden truth: what the service really took, when the report shows it, and what becomes of it. The driver never looks in here;
// the judge does. Times are minutes since the course began.

/** What the service does with a call, and what it says about it. */
export interface Fate {
  /** lost: it never heard of it. part: it takes some rows. trickled: one row now, the others days later. */
  takes: 'lost' | 'all' | 'part' | 'trickled'
  says: Says
  /** It takes the rows when the call comes in, rather than just before it answers. */
  early: boolean
  /** Thousandths of the longest lag that the world allows. */
  lag: number
  /** Bits: which rows a part is. */
  which: number
}

export type Says =
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
  /** Of which row's sending it came, and in which of its lives; null where somebody else asked for it. */
  of: { row: number; life: number } | null
  takenAt: number
  shownFrom: number
  /** It comes into the report in the order of all requests, so a stuck index hides it. */
  ordered: boolean
  otherName: boolean
  status: Status
  /** A reading has missed it once, as a row does that moves between two pages; never twice. */
  slipped: boolean
}

/** How bad the service may be. */
export interface World {
  rows: number
  resends: 0 | 1
  /** Its index may get stuck; else somebody else may ask for a credential by hand. Both at once: exceptions.test.ts. */
  sticks: boolean
  /** Minutes until an item is shown at the latest; the two graces are 360 and 60. */
  lag: number
  refusedLag: number
  throttlesAfterTaking: boolean
  /** They say of every held row that it was not sent. */
  personErrs: boolean
}

export class ServiceModel {
  now = 0
  /** The report shows nothing that was taken after this; null when its index keeps up. */
  stuckAt: number | null = null
  readonly items: Item[] = []
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Takes what the fate says of the rows; `from` is when the call was made. */
  serve(fate: Fate, rows: readonly { id: number; person: number; life: number }[]): void {
    const { takes, says } = fate
    const inWords = says === 'refused'
    const lag = Math.floor((fate.lag * (inWords ? this.world.refusedLag : this.world.lag)) / 1_000)
    const taken = takes === 'lost' ? [] : rows.filter((_, at) => takes !== 'part' || (fate.which >> at) & 1)
    taken.forEach(({ id, person, life }, at) => {
      const late = takes === 'trickled' && at > 0 ? 1_800 + fate.lag * 2 : 0
      this.add({ person, of: { row: id, life }, shownFrom: this.now + Math.max(lag, late), ordered: !inWords })
    })
  }

  add(item: Pick<Item, 'person'> & Partial<Item>): void {
    const key = `k${this.items.length}`
    const fresh = { takenAt: this.now, shownFrom: this.now, ordered: true, otherName: false, slipped: false }
    this.items.push({ key, of: null, status: 'requested', ...fresh, ...item })
  }

  /** What the report shows now, if it is `behind` by so many minutes. */
  shown(behind: number): Item[] {
    const at = this.now - behind
    const reached = Math.min(at, this.stuckAt ?? at)
    return this.items.filter((item) => item.shownFrom <= at && (!item.ordered || item.takenAt <= reached))
  }

  /** Requests that the service has of a row's present life. */
  tookOf({ id, life }: { id: number; life: number }): Item[] {
    return this.items.filter(({ of }) => of?.row === id && of.life === life)
  }
}
