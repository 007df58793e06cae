// What a page gets, and what it answers. Pages know nothing of HTTP: src/extensions/console/serve-console.ts turns
// requests into visits, and answers into responses.

import type { Readable } from 'node:stream'
import type { App } from '#src/app/app.ts'
import type { ConsoleAct } from '#src/extensions/console/ledger/activity-log.ts'
import type { SignedIn } from '#src/extensions/console/ledger/sessions.ts'
import type { ConsoleSettings } from '#src/extensions/console/settings/console-settings.ts'
import type { PageContent } from './html/layout.ts'
import type { Markup } from './html/markup.ts'
import type { ShownTimes } from './html/times.ts'
import type { OwnAddress } from './security/own-address.ts'
import type { SignInLimits } from './security/sign-in-limits.ts'
import type { Rehearsals } from './uploads/open-rehearsals.ts'
import type { Uploads } from './uploads/open-uploads.ts'
import type { IncomingForm } from './uploads/receive-list.ts'

export interface Console {
  parts: App
  settings: ConsoleSettings
  address: OwnAddress
  times: ShownTimes
  limits: SignInLimits
  /** The lists that were handed in on this machine. */
  uploads: Uploads
  rehearsals: Rehearsals
  /** Queries the database for somebody who is not signed in; only a few such queries run at the same time. */
  lookUp: <Found>(query: () => Promise<Found>) => Promise<Found>
}

/** A request of a person. */
export interface Visit {
  visitor: SignedIn
  path: string
  /** Named parts of the path. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The fields of a form. */
  form: URLSearchParams
  /** A form with a file, which has not been read yet. Only for routes that take files. */
  incoming: IncomingForm | null
  /** The address of the client. */
  from: string
  /** The hash of the session's token; null for a person whom a proxy names. */
  session: Buffer | null
  /** The header with the cookies. */
  cookies: string | undefined
}

/** A visit of anybody. */
export type OpenVisit = Omit<Visit, 'visitor'> & { visitor: SignedIn | null }

export type Answer =
  | ({ kind: 'page'; status?: number; cookie?: string | readonly string[]; wait?: number } & PageContent)
  /** A part of a page that is asked for again and again. `isLast`: it will not change any more. */
  | { kind: 'fragment'; body: Markup; isLast: boolean }
  | { kind: 'redirect'; to: string; cookie?: string | readonly string[] }
  /** To another site, by its whole address. */
  | { kind: 'leave'; to: string; cookie?: string | readonly string[] }
  | { kind: 'download'; name: string; type: string; content: Readable | string }
  | { kind: 'missing' }
  | { kind: 'forbidden'; cookie?: string }

export const page = (content: PageContent, status = 200): Answer => ({ kind: 'page', status, ...content })

/** Records what the visitor does, and at whom the visitor looks. */
export const note = (
  { parts: { ledger, clock } }: Console,
  { visitor }: Pick<Visit, 'visitor'>,
  act: string,
  about: Omit<ConsoleAct, 'by' | 'act'> = {},
): Promise<number> => ledger.consoleActs.note({ by: visitor.name, act, ...about }, clock.now())

/** The pipelines that the visitor sees; null for all. An operator sees all, whatever was recorded before. */
export function scopeOf({ role, pipelines }: Pick<SignedIn, 'role' | 'pipelines'>): readonly string[] | null {
  return role === 'operator' ? null : pipelines
}

/** Whether the visitor may decide about runs and rows of its pipelines. */
export const decides = ({ role }: Pick<SignedIn, 'role'>): boolean => role !== 'viewer'

/** Whether the visitor may revoke and correct credentials. */
export const revokes = ({ role }: Pick<SignedIn, 'role'>): boolean => role === 'operator'

/** Whether the visitor may read the names of people. */
export const seesNames = ({ role }: Pick<SignedIn, 'role'>): boolean => role !== 'viewer'

/** Those of the names that the visitor sees. */
export function visibleOf(names: readonly string[], visitor: SignedIn): string[] {
  const scope = scopeOf(visitor)
  return names.filter((name) => scope === null || scope.includes(name))
}
