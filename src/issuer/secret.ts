// The shape of a secret that the issuer needs: something that says its value only when asked by name.

export interface Secret {
  /** The value itself. Called where a request body is written, and nowhere else. */
  reveal(): string
}
