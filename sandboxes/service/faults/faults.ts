// The settings of every fault that the sandbox can inject. The service's documentation rules none of them out, so a
// client must handle them all. Types only.

/** A share of the calls or requests, 0 to 1. */
export type Share = number

/** Milliseconds since the sandbox opened, on its clock. */
export interface Window {
  fromMs: number
  untilMs: number
}

/** The shares of the calls with a fault before and after the call is carried out. */
export interface BeforeAfter {
  before?: Share
  after?: Share
}

/** Faults in what the report shows, and when. */
export interface ReportFaults {
  /** A share of the requests appears minMs to maxMs later than reportLagMs, evenly spread. Drawn on arrival. */
  lateVisibility?: { share: Share; minMs: number; maxMs: number } | undefined
  /** The rows of one invitation appear one after another, the last one spanMs after the first. Fixed on arrival. */
  trickle?: { spanMs: number } | undefined
  /**
   * Nothing new appears during a window; what becomes due in it appears when it ends. Past windows must stay in the
   * list.
   */
  backlog?: readonly Window[] | undefined
  /** A share of the requests has entity_uuid null for the first forMs in the report. */
  nullEntityUuid?: { share: Share; forMs: number } | undefined
  /**
   * The shares of the requests whose e-mail addresses, and whose names, appear in another case or with other spaces.
   */
  spelling?: { emails?: Share; names?: Share } | undefined
  /** A share of the report's pages comes from a list in which rows with equal sort values are in a different order. */
  movingRows?: { share: Share } | undefined
  /** No page has more than `records` records; the pager repeats the requested size or reports the actual one. */
  cappedPages?: { records: number; pager: 'requested' | 'actual' } | undefined
  /** Search keys that the report ignores. */
  ignoredSearchKeys?: readonly string[] | undefined
  /**
   * When sorted by revoked_date, the report keeps the order of the requests, or puts requests that are not revoked at
   * the other end. Without this fault they come after the revoked ones if the newest come first.
   */
  revokedOrder?: 'ignored' | 'nulls at the other end' | undefined
  /** Credentials, by credential_id, that the report no longer shows. */
  vanished?: readonly string[] | undefined
  /**
   * The spelling of the search object that the report accepts. It ignores the other spelling (or both), and then
   * returns every row.
   */
  acceptedSearch?: 'search' | '_search' | 'none' | undefined
  /** The share of readings (one request on one page) in which a completed request appears as still in progress. */
  backwards?: { share: Share } | undefined
  /**
   * The offset of the service's clock from the true time, for the dates that it writes: ±86,400,000 ms for a day, less
   * for a time zone.
   */
  clockOffMs?: number | undefined
}

/** Faults in the responses to calls. The shares add up, because each call has at most one of these faults. */
export interface AnswerFaults {
  /** Which calls the shares below affect, by default invitations. partialCommit always affects invitations only. */
  spoiledCalls?: 'invitations' | 'all' | undefined
  /**
   * A share of the invitations is applied only in part (the first recipients, or scattered ones) and answered with 500
   * or 400.
   */
  partialCommit?: { share: Share; take: 'prefix' | 'scattered'; answer: 500 | 400 } | undefined
  /** A share of the calls is carried out, but answered with 429. */
  throttledAfter?: { share: Share } | undefined
  /** HTTP 200 around an envelope with status 500; the call was carried out, or was not. */
  envelope500?: { applied?: Share; notApplied?: Share } | undefined
  /** HTTP 502 with an HTML page. */
  html502?: BeforeAfter | undefined
  /** HTTP 200 with half of the body. */
  truncated?: BeforeAfter | undefined
  /** No response, because the connection is destroyed. */
  lost?: BeforeAfter | undefined
}

/** Faults in the validation of invitations, lists and tokens. */
export interface RefusalFaults {
  /** Answers 400 to list requests for more records per page than this; if 0, to every one that gives a number. */
  maxRecordsPerPage?: number | undefined
  /** 413 above this many bytes of body or this many recipients, with a message that does not name the limit. */
  tooLarge?: { bytes?: number; recipients?: number } | undefined
  /**
   * Whether a person who was already invited to the course, or who is in the batch twice, is a bad recipient. The
   * default is to issue again.
   */
  duplicates?: 'issue' | 'refuse' | undefined
  /** An access token expires after this many calls, or lifeMs after it was issued, whichever comes first. */
  tokens?: { uses?: number; lifeMs?: number } | undefined
  /** A refresh token that is used twice ends its session, which includes every token from the same sign-in. */
  reuseEndsSession?: boolean | undefined
}

/** All faults; those that are missing or undefined do not occur. */
export interface Faults extends ReportFaults, AnswerFaults, RefusalFaults {}
