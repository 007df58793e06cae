// Every way in which the sandbox can misbehave, as data. The service's papers are silent on each; a client must bear all.

/** Part of the calls or requests, 0 to 1. */
export type Share = number

/** Milliseconds since the sandbox opened, on its clock. */
export interface Window {
  fromMs: number
  untilMs: number
}

/** Before or after the call was carried out: two shares of the calls. */
export interface BeforeAfter {
  before?: Share
  after?: Share
}

/** How the report hides and shows. */
export interface ReportMischief {
  /** A share of the requests shows later than reportLagMs, by minMs to maxMs, evenly spread. Drawn on arrival. */
  lateVisibility?: { share: Share; minMs: number; maxMs: number } | undefined
  /** The rows of one invitation show one after the other, the last one spanMs after the first. Fixed on arrival. */
  trickle?: { spanMs: number } | undefined
  /** While a window is open nothing new shows; what fell due in it shows when it ends. Keep the past windows in the list. */
  backlog?: readonly Window[] | undefined
  /** A share of the requests shows entity_uuid null for its first forMs in the report. */
  nullEntityUuid?: { share: Share; forMs: number } | undefined
  /** Shares of the requests that show their e-mail, and their names, in another case or with other spaces. */
  spelling?: { emails?: Share; names?: Share } | undefined
  /** A share of the report's pages comes from a list in which rows of equal sort value stand in an order of their own. */
  movingRows?: { share: Share } | undefined
  /** No page holds more than `records`; the pager repeats the caller's wish or tells the truth. */
  cappedPages?: { records: number; pager: 'wish' | 'truth' } | undefined
  /** Which spelling of the search object the report hears; the other one (or both) is read past, so every row comes back. */
  heardSearch?: 'search' | '_search' | 'none' | undefined
  /** At a share of the looks (one request on one page) a completed request shows as still in progress. */
  backwards?: { share: Share } | undefined
  /** The service's clock against the true one, for the dates that it writes: a day is ±86,400,000 ms, a time zone less. */
  clockOffMs?: number | undefined
}

/** How calls are answered. Their shares are parts of one whole: a call suffers one of them at most. */
export interface AnswerMischief {
  /** Whose answers the shares below spoil; partialCommit is of invitations always. Without it: invitations. */
  spoiledCalls?: 'invitations' | 'all' | undefined
  /** A share of the invitations is taken in part only (the first ones, or some here and there), and answered 500 or 400. */
  partialCommit?: { share: Share; take: 'prefix' | 'scattered'; answer: 500 | 400 } | undefined
  /** A share of the calls is carried out and answered 429. */
  throttledAfter?: { share: Share } | undefined
  /** HTTP 200 around an envelope with status 500; the call was carried out, or was not. */
  envelope500?: { applied?: Share; notApplied?: Share } | undefined
  /** HTTP 502 with a page of HTML. */
  html502?: BeforeAfter | undefined
  /** HTTP 200 with half of a body. */
  truncated?: BeforeAfter | undefined
  /** No answer: the connection is destroyed. */
  lost?: BeforeAfter | undefined
}

/** How invitations and tokens are judged. */
export interface DoorMischief {
  /** 413 above this many bytes of body or this many recipients, in words that do not tell the size. */
  tooLarge?: { bytes?: number; recipients?: number } | undefined
  /** What one bad recipient does to its batch. Without it the whole batch is refused with 400. */
  badRecipient?: 'refuse the batch' | 'take the good, answer 400' | 'take the good, answer 200' | undefined
  /** Whether somebody invited to the same course before, or twice in one batch, is a bad recipient. Without it: issue. */
  duplicates?: 'issue' | 'refuse' | undefined
  /** An access token dies after this many calls, or lifeMs after it was given, whichever comes first. */
  tokens?: { uses?: number; lifeMs?: number } | undefined
  /** A refresh token that comes a second time ends its session: every token that descends from the same sign-in. */
  reuseEndsSession?: boolean | undefined
}

/** All of it; what is left out, or undefined, does not happen. */
export interface Mischief extends ReportMischief, AnswerMischief, DoorMischief {}
