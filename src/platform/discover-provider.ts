// Fetches an identity provider's metadata (OpenID Connect Discovery), which is needed to sign in there. Calls the
// provider.

import {
  allowInsecureRequests,
  type Configuration,
  type CustomFetchOptions,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { userAgent } from './version.ts'

export interface ProviderClient {
  issuer: string
  clientId: string
  clientSecret: string
}

/** In seconds. The response is short, and a person is waiting for it. */
const timeout = 10

/** @throws if the provider does not respond, or if its metadata belongs to another issuer */
export function discoverProvider({ issuer, clientId, clientSecret }: ProviderClient): Promise<Configuration> {
  // The settings allow plain HTTP only on this machine, and for hosts in CREDSYNC_ALLOW_PLAIN.
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  // Without enableNonRepudiationChecks, the signature of a token would not be checked, because the token comes directly
  // from the provider.
  const execute = [...insecure, enableNonRepudiationChecks]
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout,
    [customFetch]: fetchAsCredsync,
  })
}

function fetchAsCredsync(url: string, { body, headers, ...options }: CustomFetchOptions): Promise<Response> {
  return fetch(url, { ...options, body: body ?? null, headers: { ...headers, 'user-agent': userAgent } })
}
