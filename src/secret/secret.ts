// A text that must not be seen: printing, logging or serialising it shows a placeholder.

import { inspect } from 'node:util'

export class Secret {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  /** The text itself. Call it where the text leaves for its purpose, and keep the result in no variable that lives on. */
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
