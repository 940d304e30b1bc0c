/** How the provider is reached: document 3, Cloud root configuration, and the source precedence of `config/root`. */
import type { RootConfig } from '../store.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type Source = 'static' | 'federation' | 'environment' | 'files' | 'assigned-role'

export const provider: {
  /** The sources in order of precedence. */
  readonly sources: readonly Source[]
  /** The first value that is set decides. */
  readonly region: readonly ((config: RootConfig, environment: Environment) => string | undefined)[]
  readonly endpoint: Readonly<Record<'iam' | 'sts', (config: RootConfig) => string>>
  /** Returns the number of attempts, including the first one. If it is undefined, the SDK decides. */
  readonly attempts: (maxRetries: number, service: 'iam' | 'sts') => number | undefined
  readonly federation: {
    readonly roleArn: (config: RootConfig) => string
    readonly audience: (config: RootConfig) => string
    /** Returns the lifetime of identity tokens, in seconds. */
    readonly ttl: (config: RootConfig) => number
  }
} = {
  sources: ['static', 'federation', 'environment', 'files', 'assigned-role'],
  region: [
    (config) => config.region,
    (_, environment) => environment.CLOUD_REGION,
    (_, environment) => environment.CLOUD_DEFAULT_REGION,
    () => 'us-east-1',
  ],
  endpoint: { iam: (config) => config.iam_endpoint, sts: (config) => config.sts_endpoint },
  attempts: (maxRetries) => (maxRetries < 0 ? undefined : maxRetries + 1),
  federation: {
    roleArn: (config) => config.role_arn,
    audience: (config) => config.identity_token_audience,
    ttl: (config) => config.identity_token_ttl,
  },
}
