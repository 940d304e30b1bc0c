/** Faults of `config/root` and of how the provider is reached. */
import { rootIn } from '../../engines/cloud/handlers/root.ts'
import { isCode } from '../../engines/cloud/provider/failures.ts'
import type { Provider } from '../../engines/cloud/provider/provider.ts'
import type { CloudRules } from '../../engines/cloud/rules/index.ts'
import { provider } from '../../engines/cloud/rules/provider.ts'
import { type RootFieldRule, rootFields } from '../../engines/cloud/rules/root.ts'
import type { RootConfig } from '../../engines/cloud/store.ts'
import type { Call } from '../../kernel/contracts.ts'
import { durationField } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import {
  after,
  byRules,
  type CloudFault,
  fault,
  faults,
  type Here,
  inRow,
  inTable,
  isSet,
  kebab,
  noting,
  on,
  refusing,
  refusingAfterwards,
  remembering,
  showing,
  stored,
} from './cloud-operations.ts'

const write = ['POST config/root']
const read = ['GET config/root']
export const rotateRoot = ['POST config/rotate-root']

export const hasRoot = (_call: Call, { context }: Here): boolean => context.store.root !== undefined
/** Changes the configuration after it was written. */
const storing = (
  when: (call: Call, here: Here) => boolean,
  change: (root: RootConfig, before: RootConfig | undefined, here: Here) => RootConfig,
) =>
  on(write, when, async (call, next, here) => {
    const { store } = here.context
    const before = store.root
    const reply = await next(call)
    if (store.root) store.root = change(store.root, before, here)
    return reply
  })
const unchanged = (when: (call: Call, here: Here) => boolean) =>
  storing(
    (call, here) => hasRoot(call, here) && when(call, here),
    (root, before) => before ?? root,
  )

type Name = keyof RootConfig
const field = <N extends Name>(name: N, id: string, does: string, cells: Partial<RootFieldRule<RootConfig[N]>>) =>
  fault(id, does, inRow('rootFields', name, cells as never))
const hidden = (name: Name, id: string): CloudFault =>
  field(name, id, `A read of config/root does not show ${name}.`, { shown: 'never' })
const forgotten = (name: Name, id: string): CloudFault =>
  fault(
    id,
    `${name} is not stored.`,
    storing(
      ({ body }) => isSet(body[name]) || body[name] === 0,
      (root) => ({ ...root, [name]: rootFields[name].fallback }),
    ),
  )

const texts = ['access_key', 'region', 'iam_endpoint', 'sts_endpoint', 'role_arn', 'username_template'] as const
const altered = ([...texts, 'identity_token_audience'] as const).map((name) =>
  fault(
    `root-${kebab(name)}-altered`,
    `A read of config/root shows another value for ${name}.`,
    showing(
      read,
      (_call, { context }) => Boolean(context.store.root?.[name]),
      (fields) =>
        typeof fields[name] === 'string'
          ? { ...fields, [name]: fields[name].replace(/.$/, (last) => (last === '1' ? '2' : '1')) }
          : fields,
    ),
  ),
)

const fields: readonly CloudFault[] = [
  ...altered,
  field('max_retries', 'root-max-retries-default', 'max_retries is 0 by default.', { fallback: 0 }),
  forgotten('max_retries', 'root-max-retries-forgotten'),
  hidden('access_key', 'root-access-key-hidden'),
  field('secret_key', 'root-secret-key-shown', 'A read of config/root shows secret_key.', { shown: 'always' }),
  fault(
    'root-secret-key-shown-as-other',
    'A read of config/root shows secret_key in a field `secret`.',
    showing(read, hasRoot, (fields, { context }) => ({ ...fields, secret: context.store.root?.secret_key })),
  ),
  forgotten('identity_token_audience', 'root-audience-forgotten'),
  forgotten('role_arn', 'root-role-arn-forgotten'),
  field('identity_token_ttl', 'root-token-ttl-default', 'identity_token_ttl is 7200 by default.', { fallback: 7200 }),
  forgotten('identity_token_ttl', 'root-token-ttl-forgotten'),
  field(
    'identity_token_ttl',
    'root-token-ttl-no-strings',
    'identity_token_ttl is refused if it is a duration string.',
    {
      read(body, name) {
        if (typeof body[name] === 'string' && /[a-z]/.test(body[name])) throw badRequest(`${name} must be a number`)
        return durationField(body, name)
      },
    },
  ),
  hidden('region', 'root-region-forgotten'),
  hidden('iam_endpoint', 'root-iam-endpoint-forgotten'),
  hidden('sts_endpoint', 'root-sts-endpoint-forgotten'),
  fault(
    'root-wif-on-community',
    'The community edition stores and shows role_arn and identity_token_audience.',
    inTable('rootFields', ({ role_arn, identity_token_audience }) => {
      const editions = ['community', 'enterprise', 'premium'] as const
      return { role_arn: { ...role_arn, editions }, identity_token_audience: { ...identity_token_audience, editions } }
    }),
  ),
]

const unbroken = { broken: () => false }
const requires = (name: 'region' | 'iam_endpoint' | 'sts_endpoint'): CloudFault =>
  fault(
    `root-requires-${kebab(name)}`,
    `A root configuration without ${name} is refused.`,
    refusing(write, ({ body }, { context }) => !body[name] && context.facts.forms.cloud !== 'older'),
  )
/** Asks the provider about the credentials of a new configuration. */
const asking = (when: (call: Call, here: Here) => boolean, isHeeded: boolean) =>
  on(
    write,
    (call, here) => Boolean(call.body.sts_endpoint) && when(call, here),
    async (call, next, here) => {
      const { store, providers } = here.context
      const before = store.root
      const reply = await next(call)
      const asked = providers.for(rootIn(call, here.context)).sts('GetCallerIdentity', {})
      await asked.catch(() => {
        if (!isHeeded) return
        store.root = before
        throw badRequest('the credentials are not valid')
      })
      return reply
    },
  )

const writes: readonly CloudFault[] = [
  ...faults({
    'root-access-key-alone': 'access_key without secret_key is accepted.',
    'root-secret-key-alone': 'secret_key without access_key is accepted.',
    'root-key-with-audience': 'access_key and identity_token_audience together are accepted.',
    'root-audience-without-role': 'identity_token_audience without role_arn is accepted.',
    'root-rules-of-updates-only': 'A first root configuration may have access_key without secret_key.',
    'second-root-validated':
      'A second write of config/root with credentials that the provider does not know is refused.',
    'root-first-audience-stays':
      'When a workload identity replaces another, the audience of the first one stays in use.',
    'root-shows-replaced-key':
      'A read of config/root still shows the access key that a workload identity has replaced.',
    'root-denied-calls-repeated': 'A call that the provider denies is repeated once, whatever max_retries says.',
    'root-read-fails': 'A read of config/root returns 404.',
    'root-answers-a-refusal': 'A second write of config/root takes effect, but the reply is a refusal.',
    'root-write-forgets-lease': 'A second write of config/root deletes config/lease.',
    'root-write-ends-static-rotations': 'After a second write of config/root, static roles are no longer rotated.',
    'root-write-ignored-after-a-rotation': 'A write of config/root after a rotation succeeds but changes nothing.',
    'root-keys-stay': 'When a workload identity replaces keys in config/root, the keys stay in use.',
    'root-identity-stays': 'When keys replace a workload identity in config/root, the identity stays in use.',
    'root-not-replaced': 'A second write of config/root succeeds but changes nothing.',
    'root-validated': 'A write of config/root with credentials that the provider does not know is refused.',
  }).by({
    'root-access-key-alone': inRow('rootRules', 'secretWithKey', unbroken),
    'root-secret-key-alone': inRow('rootRules', 'keyWithSecret', unbroken),
    'root-key-with-audience': inRow('rootRules', 'keyOrAudience', unbroken),
    'root-audience-without-role': inRow('rootRules', 'roleWithAudience', unbroken),
    'root-rules-of-updates-only': byRules(
      write,
      (call, here) => !hasRoot(call, here) && isSet(call.body.access_key) && !isSet(call.body.secret_key),
      ({ rootRules }: CloudRules) => ({
        rootRules: { ...rootRules, secretWithKey: { ...rootRules.secretWithKey, ...unbroken } },
      }),
    ),
    'second-root-validated': asking(hasRoot, true),
    'root-first-audience-stays': storing(
      ({ body }, { context }) =>
        isSet(body.identity_token_audience) && isSet(context.store.root?.identity_token_audience),
      (root, before) => ({ ...root, identity_token_audience: before?.identity_token_audience ?? '' }),
    ),
    'root-shows-replaced-key': [
      on(
        write,
        () => true,
        async (call, next, { context, memory }) => {
          const before = context.store.root?.access_key
          const reply = await next(call)
          memory.set('key', context.store.root?.access_key === '' ? before : '')
          return reply
        },
        { remembers: true },
      ),
      showing(
        read,
        (_call, { memory }) => isSet(memory.get('key')),
        (fields, { memory }) => ({ ...fields, access_key: memory.get('key') }),
      ),
    ],
    'root-denied-calls-repeated': stored('providers', 'for', ([config], next) => repeated(next(config))),
    'root-read-fails': refusing(read, hasRoot, 'not-found'),
    'root-answers-a-refusal': refusingAfterwards(write, hasRoot),
    'root-write-forgets-lease': after(
      write,
      (call, here) => hasRoot(call, here) && here.context.store.lease !== undefined,
      (_call, { context }) => {
        context.store.lease = undefined
      },
    ),
    'root-write-ends-static-rotations': after(
      write,
      (call, here) => hasRoot(call, here) && here.context.store.staticRoles.size > 0,
      (_call, { context }) => context.alarms.cancelAll(),
    ),
    'root-write-ignored-after-a-rotation': [
      remembering(rotateRoot, (_call, { context, memory }) => {
        memory.set('rotated', context.store.root?.access_key)
      }),
      unchanged((_call, { context, memory }) => memory.get('rotated') === context.store.root?.access_key),
    ],
    'root-keys-stay': storing(
      ({ body }, { context }) => isSet(body.identity_token_audience) && isSet(context.store.root?.access_key),
      (root, before) => ({ ...root, access_key: before?.access_key ?? '', secret_key: before?.secret_key ?? '' }),
    ),
    'root-identity-stays': storing(
      ({ body }, { context }) => isSet(body.access_key) && isSet(context.store.root?.identity_token_audience),
      (root, before) => {
        const { role_arn = '', identity_token_audience = '' } = before ?? {}
        return { ...root, access_key: '', secret_key: '', role_arn, identity_token_audience }
      },
    ),
    'root-not-replaced': unchanged(() => true),
    'root-validated': asking(() => true, true),
  }),
  requires('region'),
  requires('iam_endpoint'),
  requires('sts_endpoint'),
]

const repeated = (called: Provider): Provider => {
  const twice = <Reply>(call: () => Promise<Reply>): Promise<Reply> =>
    call().catch((error) => {
      if (isCode(error, 'AccessDenied')) return call()
      throw error
    })
  return {
    iam: (action, input) => twice(() => called.iam(action, input)),
    sts: (action, input) => twice(() => called.sts(action, input)),
  }
}

/** Calls the provider with a part of the first configuration with which it was called. */
const first = (change: (first: RootConfig, now: RootConfig) => Partial<RootConfig>) => [
  noting('providers', 'for', ([config], { memory }) => {
    if (!memory.has('first')) memory.set('first', config)
  }),
  stored(
    'providers',
    'for',
    ([config], next, { memory }) =>
      next({ ...config, ...change((memory.get('first') ?? config) as RootConfig, config) }),
    ([config], { memory }) => {
      const kept = memory.get('first') as RootConfig | undefined
      return (
        kept !== undefined &&
        Object.entries(change(kept, config)).some(([name, value]) => config[name as Name] !== value)
      )
    },
  ),
]

const federated = (cells: Partial<CloudRules['provider']['federation']>) => inRow('provider', 'federation', cells)
type Attempts = CloudRules['provider']['attempts']
const attempts = (change: (before: Attempts) => Attempts) =>
  inTable('provider', (before) => ({ attempts: change(before.attempts) }))

const reaching: readonly CloudFault[] = [
  ...faults({
    'root-validation-ignored': 'A write of config/root asks the provider about the credentials and ignores its reply.',
    'root-region-unused': 'Calls to the provider are always signed for us-east-1, whatever region says.',
    'root-region-falls-back-elsewhere':
      'Calls to the provider are signed for us-west-2 if neither config/root nor the environment has a region.',
    'root-iam-endpoint-unused': 'IAM is called at sts_endpoint.',
    'root-sts-endpoint-unused': 'STS is called at iam_endpoint.',
    'root-first-identity-stays': 'When a workload identity replaces another, the role of the first one stays in use.',
    'root-first-secret-of-a-key-is-kept':
      'When config/root is written with the same access_key and another secret_key, the first secret_key stays in use.',
    'root-retries-when-zero': 'With max_retries 0, failed calls are still retried twice.',
    'root-retries-more': 'Failed calls are retried once more than max_retries says, unless it is 0.',
    'root-retries-users': 'IAM calls ignore max_retries and use the default of the SDK.',
    'root-retries-never': 'Calls to the provider are never retried.',
    'root-wif-role-ignored': 'Another role than role_arn is assumed with the web identity.',
    'root-wif-audience-ignored': 'Identity tokens always have the audience "default".',
    'root-wif-ttl-ignored': 'Identity tokens are always valid for 3600 seconds.',
  }).by({
    'root-validation-ignored': asking(() => true, false),
    'root-region-unused': inTable('provider', { region: [() => 'us-east-1'] }),
    'root-region-falls-back-elsewhere': inTable('provider', {
      region: [...provider.region.slice(0, -1), () => 'us-west-2'],
    }),
    'root-iam-endpoint-unused': inRow('provider', 'endpoint', { iam: (config) => config.sts_endpoint }),
    'root-sts-endpoint-unused': inRow('provider', 'endpoint', { sts: (config) => config.iam_endpoint }),
    'root-first-identity-stays': first((kept, now) =>
      kept.role_arn && now.role_arn ? { role_arn: kept.role_arn } : {},
    ),
    'root-first-secret-of-a-key-is-kept': first((kept, now) =>
      kept.access_key === now.access_key ? { secret_key: kept.secret_key } : {},
    ),
    'root-retries-when-zero': attempts((before) => (most, service) => (most === 0 ? 3 : before(most, service))),
    'root-retries-more': attempts((before) => (most, service) => (most > 0 ? most + 2 : before(most, service))),
    'root-retries-users': attempts(
      (before) => (most, service) => (service === 'iam' ? undefined : before(most, service)),
    ),
    'root-retries-never': attempts(() => () => 1),
    'root-wif-role-ignored': federated({ roleArn: (config) => config.role_arn.replace(/[^/]*$/, 'another') }),
    'root-wif-audience-ignored': federated({ audience: () => 'default' }),
    'root-wif-ttl-ignored': federated({ ttl: () => 3600 }),
  }),
  ...(['region', 'iam_endpoint', 'sts_endpoint'] as const).map((name) =>
    fault(
      `root-${kebab(name)}-used-for-ever`,
      `The ${name} of the first call to the provider stays in use.`,
      first((kept) => ({ [name]: kept[name] })),
    ),
  ),
]

export const ofRoot: readonly CloudFault[] = [...fields, ...writes, ...reaching]
