/** The rules of activation tokens: document 1, Secondary activation token. */
export interface TokenRules {
  /** The default lifetime in seconds. */
  readonly defaultTtl: number
  /** The first version in which a request can have a public key. */
  readonly publicKeysSince: string
}

export const tokenRules: TokenRules = { defaultTtl: 1800, publicKeysSince: '1.3.0' }
