// The built-in sandbox of the credential service: a real HTTP server on loopback that keeps everything in memory.

import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import type { Clock } from '#src/time/clock.ts'
import { addLinkRoutes } from './certificate-links.ts'
import { addCourseRoutes } from './course-routes.ts'
import { type Course, seededCourses } from './courses.ts'
import { type CredentialRequest, statusAt } from './credential-request.ts'
import { refused } from './envelope.ts'
import { openGate } from './gate.ts'
import { addInviteRoute } from './invite-route.ts'
import { Journal, type JournalCounts } from './journal.ts'
import type { Premises } from './premises.ts'
import { type Fields, parseJsonBody } from './read-body.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { addReportRoute } from './report-route.ts'
import { RequestBook } from './request-book.ts'
import { fillSettings, type SandboxSettings } from './settings.ts'
import { TokenBook } from './token-book.ts'
import { addTokenRoutes } from './token-routes.ts'

export interface SandboxCourse {
  uuid: string
  number: string
  templateUuid: string
  badgeTemplateUuid: string
  name: string
  /** Whether invitations to it are taken: approved and enabled. */
  canIssue: boolean
}

/** A credential request as the sandbox holds it now. `course` is its uuid; credentialId is null until it is issued. */
export interface HeldRequest {
  course: string
  student: Fields
  entityUuid: string
  credentialId: string | null
  /** issued_status_id. */
  status: number
  at: Date
}

export interface Sandbox {
  /** Base address without a trailing slash. */
  readonly url: string
  readonly key: string
  readonly secret: string
  readonly courses: readonly SandboxCourse[]
  /** Copies of all requests in order of arrival, whether the report shows them yet or not. */
  requests(): readonly HeldRequest[]
  journal(): JournalCounts
  close(): Promise<void>
}

/**
 * Opens a sandbox on 127.0.0.1 and resolves once it listens.
 * @throws SandboxSettingsError for settings that cannot be; the listening error when the port is taken.
 */
export async function openSandbox(given: Partial<SandboxSettings> | undefined, clock: Clock): Promise<Sandbox> {
  const settings = fillSettings(given)
  const journal = new Journal()
  const tokens = new TokenBook(settings.seed, settings.tokenLife)
  const gate = openGate(settings, clock, tokens, journal)
  const requests = new RequestBook(settings, clock)
  const premises = { settings, clock, journal, tokens, gate, requests, courses: seededCourses }

  const app = buildServer(premises)
  await app.listen({ host: '127.0.0.1', port: settings.port })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    key: settings.key,
    secret: settings.secret,
    courses: premises.courses.map(courseCard),
    requests: () => requests.all().map((each) => heldCopy(each, settings, clock.monotonicMs())),
    journal: () => journal.counts(),
    close: () => app.close(),
  }
}

function buildServer(premises: Premises): FastifyInstance {
  const { maxBodyBytes } = premises.settings
  // Over bodyLimit fastify answers 413 without reading on; undici clients saw that answer, not a reset, 40 times of 40
  // with 11 MB. forceCloseConnections, because clients keep idle connections and close() would wait for them.
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJsonBody(body),
  )
  app.setErrorHandler((error, _request, reply) => {
    const refusal = refusalOf(error)
    return reply.status(refusal.status).send(refused(refusal))
  })
  app.setNotFoundHandler(() => {
    throw new Refusal(404, 'Not found: the sandbox has no such endpoint.')
  })
  addTokenRoutes(app, premises)
  addCourseRoutes(app, premises)
  addInviteRoute(app, premises)
  addReportRoute(app, premises)
  addLinkRoutes(app, premises)
  return app
}

function courseCard(course: Course): SandboxCourse {
  return {
    uuid: course.uuid,
    number: course.number,
    templateUuid: course.templates[0].uuid,
    badgeTemplateUuid: course.badgeTemplates[0].uuid,
    name: course.name,
    canIssue: course.approvalStatus === 2 && course.enabled,
  }
}

function heldCopy(request: CredentialRequest, settings: SandboxSettings, nowMs: number): HeldRequest {
  const status = statusAt(request, settings.pace, nowMs)
  return {
    course: request.course.uuid,
    student: structuredClone(request.student),
    entityUuid: request.fate.entityUuid,
    credentialId: status === 3 ? request.fate.credentialId : null,
    status,
    at: new Date(request.at),
  }
}
