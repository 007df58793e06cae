// The shape of a secret that the issuer needs: something that says its value only when asked by name.

export interface Secret {
  /** The value itself. Called where a request body is written, and where it is taken out of what the service said; nowhere else. */
  reveal(): string
}
