/** The provider of one mount: it is called with the credentials, region, endpoints and retries of the configuration. */
import type { Clock } from '../../../kernel/contracts.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Variation } from '../../../kernel/variation.ts'
import type { CloudRules } from '../rules/index.ts'
import type { Environment } from '../rules/provider.ts'
import type { RootConfig } from '../store.ts'
import { createCaller, type IamActions, type Keys, type StsActions } from './clients.ts'
import { identityToken } from './identity-token.ts'
import { type Surroundings, sources } from './sources.ts'

export interface Provider {
  iam<A extends keyof IamActions>(action: A, input: IamActions[A][0]): Promise<IamActions[A][1]>
  sts<A extends keyof StsActions>(action: A, input: StsActions[A][0]): Promise<StsActions[A][1]>
}

/** The provider by the configuration with which it is called. */
export interface Providers {
  for(config: RootConfig): Provider
}

interface Setting {
  readonly environment: Environment
  readonly clock: Clock
  /** Distinguishes mounts in identity tokens. */
  readonly subject: string
  readonly variation: () => Variation
}
interface Options extends Setting {
  readonly config: RootConfig
  readonly rules: CloudRules['provider']
}

/** Keeps the provider that was called last, because its credentials and connections can be used again. */
export function createProviders({
  rules,
  ...options
}: Setting & { readonly rules: () => CloudRules['provider'] }): Providers {
  let last: { readonly name: string; readonly rules: object; readonly provider: Provider } | undefined
  return {
    for(config) {
      const [name, present] = [JSON.stringify(config), rules()]
      if (last?.name !== name || last.rules !== present)
        last = { name, rules: present, provider: createProvider({ ...options, config, rules: present }) }
      return last.provider
    },
  }
}

/** How long the credentials of a workload identity are used before new ones are fetched, in milliseconds. */
const federatedFor = 45 * 60_000

type Caller = ReturnType<typeof createCaller>

function createProvider({ config, rules, environment, clock, subject, variation }: Options): Provider {
  const callers = new Map<string, { readonly keys: Keys | undefined; readonly call: Caller }>()
  let federated: { readonly keys: Promise<Keys>; readonly until: number } | undefined

  const region = rules.region.map((of) => of(config, environment)).find(Boolean) ?? ''

  function endpointOf(service: 'iam' | 'sts'): string {
    const endpoint = rules.endpoint[service](config)
    // A reference server must not reach a real provider, so it calls configured endpoints only.
    if (endpoint === '')
      throw badRequest(`config/root has no ${service}_endpoint: this server calls no provider by default`)
    return endpoint
  }

  function callerOf(service: 'iam' | 'sts', keys: Keys | undefined): Caller {
    const name = `${service} ${keys ? '' : 'unsigned'}`
    const known = callers.get(name)
    if (known && known.keys === keys) return known.call
    const attempts = rules.attempts(config.max_retries, service)
    const call = createCaller(service, { keys, region, endpoint: endpointOf(service), attempts })
    callers.set(name, { keys, call })
    return call
  }

  async function askForIdentity(): Promise<Keys> {
    const { audience, roleArn, ttl } = rules.federation
    const answer = (await callerOf('sts', undefined)('AssumeRoleWithWebIdentity', {
      RoleArn: roleArn(config),
      RoleSessionName: `cloud-${Math.floor(clock.now() / 1000)}`,
      WebIdentityToken: identityToken({
        ...{ audience: audience(config), subject, issuedAt: clock.now(), ttl: ttl(config) },
        dated: variation().identityTokens,
      }),
    })) as StsActions['AssumeRoleWithWebIdentity'][1]
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = answer.Credentials ?? {}
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken }
  }

  const around: Surroundings = {
    config,
    environment,
    federated() {
      if (!federated || federated.until <= clock.now()) {
        const keys = askForIdentity()
        const asked = { keys, until: clock.now() + federatedFor }
        federated = asked
        keys.catch(() => {
          if (federated === asked) federated = undefined
        })
      }
      return federated.keys
    },
  }

  let settled: Keys | undefined
  async function keysNow(): Promise<Keys> {
    if (settled) return settled
    for (const name of rules.sources) {
      const keys = await sources[name](around)
      if (!keys) continue
      if (name !== 'federation') settled = keys
      return keys
    }
    throw badRequest('no root credentials: write access_key and secret_key to config/root')
  }

  const call = (service: 'iam' | 'sts') => async (action: string, input: unknown) => {
    endpointOf(service)
    return callerOf(service, await keysNow())(action, input) as Promise<never>
  }
  return { iam: call('iam'), sts: call('sts') }
}
