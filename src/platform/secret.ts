// Wraps a string that must not be shown, so that printing, logging or serializing it yields a placeholder. Also defines
// the account of the service, which contains such strings. Pure.

import { inspect } from 'node:util'

export class Secret {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  /** The string itself. Call this where the string is used, and do not store the result. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** The address of the service, with the key and secret of one account there. */
export interface ServiceAccount {
  /** See parseBaseUrl. */
  baseUrl: string
  key: Secret
  secret: Secret
}
