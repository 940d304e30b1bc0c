/** Finds the root credentials in their sources, in order of precedence: document 3, Endpoints, row config/root. */
import { readFile } from 'node:fs/promises'
import type { Environment, Source } from '../rules/provider.ts'
import type { RootConfig } from '../store.ts'
import type { Keys } from './clients.ts'

export interface Surroundings {
  readonly config: RootConfig
  readonly environment: Environment
  /** Fetches credentials for the workload identity of this mount. */
  federated(): Promise<Keys>
}

const keysOf = (id = '', secret = '', token = ''): Keys | undefined =>
  id && secret ? { accessKeyId: id, secretAccessKey: secret, ...(token ? { sessionToken: token } : {}) } : undefined

/** Reads the section `default` of a shared credentials file. */
export function keysInFile(text: string): Keys | undefined {
  const section = /^\s*\[default\]\s*$([^[]*)/m.exec(text)?.[1] ?? ''
  const value = (name: string): string => new RegExp(`^\\s*\\w+_${name}\\s*=\\s*(\\S+)`, 'm').exec(section)?.[1] ?? ''
  return keysOf(value('access_key_id'), value('secret_access_key'), value('session_token'))
}

/** The credentials file and the address of an assigned role are used only if the environment names them, because a
 * reference server must not find anyone's real credentials by itself. */
export const sources: Readonly<Record<Source, (around: Surroundings) => Promise<Keys | undefined>>> = {
  static: async ({ config }) => keysOf(config.access_key, config.secret_key),
  federation: async ({ config, federated }) => (config.identity_token_audience ? federated() : undefined),
  environment: async ({ environment }) =>
    keysOf(environment.CLOUD_ACCESS_KEY, environment.CLOUD_SECRET_KEY, environment.CLOUD_SESSION_TOKEN),
  async files({ environment }) {
    const path = environment.CLOUD_SHARED_CREDENTIALS_FILE
    return path ? keysInFile(await readFile(path, 'utf8')) : undefined
  },
  async 'assigned-role'({ environment }) {
    const address = environment.CLOUD_CONTAINER_CREDENTIALS_FULL_URI
    if (!address) return undefined
    const answer = (await (await fetch(address)).json()) as Record<string, string | undefined>
    return keysOf(answer.AccessKeyId, answer.SecretAccessKey, answer.Token)
  },
}
