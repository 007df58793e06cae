// POST /mod/lti/token.php (section 6, capture 50): a bearer token for the registered tool's signed assertion.

import { randomBytes } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import type { Clock } from '#src/time/clock.ts'
import type { MoodleSandboxSettings } from '../settings.ts'
import type { WrittenAnswer } from '../written-answer.ts'

const scopeBase = 'https://purl.imsglobal.org/spec/lti-ags/scope/'
export type Scope = 'lineitem' | 'lineitem.readonly' | 'score' | 'result.readonly'
// All that Moodle has, as for a tool that may manage columns.
const scopes: readonly Scope[] = ['lineitem', 'lineitem.readonly', 'score', 'result.readonly']

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const tokenLifeMs = 3_600_000

export class TokenDesk {
  readonly #tool: MoodleSandboxSettings['tool']
  readonly #clock: Clock
  readonly #tokens = new Map<string, { until: number; scopes: readonly Scope[] }>()

  constructor(tool: MoodleSandboxSettings['tool'], clock: Clock) {
    this.#tool = tool
    this.#clock = clock
  }

  /**
   * `tokenUrl` is this desk's own address. Codes of refusal as in Moodle's source (mod/lti/token.php), all with status 400.
   * Stricter than Moodle, which looks at the signature only: issuer, subject and audience must be right, and an expiry
   * must be there and to come, as RFC 7523 section 3 and the 1EdTech Security Framework want it.
   */
  async give(form: URLSearchParams, contentType: string, tokenUrl: string): Promise<WrittenAnswer> {
    const assertion = form.get('client_assertion') ?? ''
    const wanted = form.get('scope') ?? ''
    const given = [assertion, wanted, form.get('client_assertion_type'), form.get('grant_type')]
    if (!/^application\/x-www-form-urlencoded\b/i.test(contentType) || given.some((value) => !value))
      return refusal('invalid_request')
    if (form.get('client_assertion_type') !== assertionType || form.get('grant_type') !== 'client_credentials')
      return refusal('unsupported_grant_type')
    if (assertion.split('.').length !== 3) return refusal('invalid_request')
    if (!(await this.#isTools(assertion, tokenUrl))) return refusal('invalid_client')
    const granted = wanted.split(' ').flatMap((each) => scopes.find((scope) => each === scopeBase + scope) ?? [])
    if (granted.length === 0) return refusal('invalid_scope')
    const token = randomBytes(16).toString('hex')
    this.#tokens.set(token, { until: this.#clock.now().getTime() + tokenLifeMs, scopes: granted })
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: tokenLifeMs / 1000,
      scope: granted.map((scope) => scopeBase + scope).join(' '),
    })
  }

  /** Whether the Authorization header carries a living token with one of the scopes. */
  admits(authorization: string | undefined, wanted: readonly Scope[]): boolean {
    const held = this.#tokens.get(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? '')
    if (held === undefined || held.until <= this.#clock.now().getTime()) return false
    return held.scopes.some((scope) => wanted.includes(scope))
  }

  async #isTools(assertion: string, tokenUrl: string): Promise<boolean> {
    if (!this.#tool) return false
    const { clientId, publicKey } = this.#tool
    try {
      await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'), {
        algorithms: ['RS256'],
        issuer: clientId,
        subject: clientId,
        audience: tokenUrl,
        requiredClaims: ['exp'],
        currentDate: this.#clock.now(),
      })
      return true
    } catch {
      return false
    }
  }
}

function refusal(error: string): WrittenAnswer {
  return json(400, { error })
}

function json(status: number, value: unknown): WrittenAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(value) }
}
