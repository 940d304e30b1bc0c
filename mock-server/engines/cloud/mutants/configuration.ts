/** Mutants of `config/root`, `config/rotate-root` and `config/lease`, of how the provider is reached, and of names. The
 * file is long because each field and each rule can be broken on its own. */
import { durationField, parseDuration } from '../../../kernel/http/duration.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import type { Role, RootConfig } from '../store.ts'
import type { NameUse } from '../tables/names.ts'
import { provider } from '../tables/provider.ts'
import type { RootFieldRule } from '../tables/root.ts'
import { type Change, type CloudMutant, inRow, inTable, kebab, mutant } from './cells.ts'

const field = <Name extends keyof RootConfig>(
  name: Name,
  id: string,
  does: string,
  cells: Partial<RootFieldRule<RootConfig[Name]>>,
): CloudMutant => mutant(id, does, inRow('rootFields', name, cells as never))

const hidden = { shown: () => undefined }
const forgotten = { stored: () => undefined }

const texts = ['access_key', 'region', 'iam_endpoint', 'sts_endpoint', 'role_arn', 'username_template'] as const
const altered = ([...texts, 'identity_token_audience'] as const).map((name) =>
  field(name, `root-${kebab(name)}-altered`, `${name} is shown with another value.`, {
    shown: (value) => value.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
  }),
)

const fields: readonly CloudMutant[] = [
  ...altered,
  field('max_retries', 'root-max-retries-default', 'Without max_retries it is 0.', { fallback: 0 }),
  field('max_retries', 'root-max-retries-forgotten', 'max_retries is not kept.', forgotten),
  field('access_key', 'root-access-key-hidden', 'access_key is not shown.', hidden),
  field('secret_key', 'root-secret-key-shown', 'secret_key is shown.', { shown: (value) => value }),
  field('secret_key', 'root-secret-key-shown-as-other', 'The secret key is shown as `secret`.', {
    ...{ shown: (value) => value, shownAs: 'secret' },
  }),
  field('identity_token_audience', 'root-audience-forgotten', 'identity_token_audience is not kept.', forgotten),
  field('role_arn', 'root-role-arn-forgotten', 'role_arn is not kept.', forgotten),
  field('identity_token_ttl', 'root-token-ttl-default', 'identity_token_ttl is 7200 by default.', { fallback: 7200 }),
  field('identity_token_ttl', 'root-token-ttl-forgotten', 'identity_token_ttl is not kept.', forgotten),
  field('identity_token_ttl', 'root-token-ttl-no-strings', 'identity_token_ttl as a duration string is refused.', {
    read(body, name) {
      if (typeof body[name] === 'string' && /[a-z]/.test(body[name])) throw badRequest(`${name} must be a number`)
      return durationField(body, name)
    },
  }),
  field('region', 'root-region-forgotten', 'region is not shown.', hidden),
  field('iam_endpoint', 'root-iam-endpoint-forgotten', 'iam_endpoint is not shown.', hidden),
  field('sts_endpoint', 'root-sts-endpoint-forgotten', 'sts_endpoint is not shown.', hidden),
  mutant(
    'root-wif-on-community',
    'The community edition keeps and shows role_arn and identity_token_audience.',
    (tables) => {
      const editions = ['community', 'enterprise', 'premium'] as const
      const { role_arn, identity_token_audience } = tables.rootFields
      return inTable('rootFields', {
        role_arn: { ...role_arn, editions },
        identity_token_audience: { ...identity_token_audience, editions },
      })(tables)
    },
  ),
]

const unbroken = { broken: () => false }
const requires = (
  name: 'region' | 'iam_endpoint' | 'sts_endpoint',
  rule: `${'region' | 'iamEndpoint' | 'stsEndpoint'}Optional`,
): CloudMutant =>
  mutant(
    `root-requires-${kebab(name)}`,
    `A root configuration without ${name} is refused.`,
    inRow('rootRules', rule, { broken: (config) => config[name] === '' }),
  )

const rules: readonly CloudMutant[] = [
  requires('region', 'regionOptional'),
  requires('iam_endpoint', 'iamEndpointOptional'),
  requires('sts_endpoint', 'stsEndpointOptional'),
  mutant(
    'root-access-key-alone',
    'access_key without secret_key is accepted.',
    inRow('rootRules', 'secretWithKey', unbroken),
  ),
  mutant(
    'root-secret-key-alone',
    'secret_key without access_key is accepted.',
    inRow('rootRules', 'keyWithSecret', unbroken),
  ),
  mutant(
    'root-key-with-audience',
    'access_key and identity_token_audience together are accepted.',
    inRow('rootRules', 'keyOrAudience', unbroken),
  ),
  mutant(
    'root-audience-without-role',
    'identity_token_audience without role_arn is accepted.',
    inRow('rootRules', 'roleWithAudience', unbroken),
  ),
  mutant('root-read-fails', 'A read of config/root answers 404.', inTable('root', { read: 'not-found' })),
  mutant('root-answers-a-refusal', 'A second write replaces the first, and is answered with a refusal.', (tables) => ({
    ...tables,
    refusedYetDone: ['replacement of the root'],
  })),
  mutant(
    'root-write-forgets-lease',
    'A second write of config/root forgets config/lease.',
    inTable('root', { lease: 'forgotten' }),
  ),
  mutant(
    'root-write-ends-static-rotations',
    'After a second write of config/root no static role is rotated any more.',
    inTable('root', { staticRoles: 'end' }),
  ),
  mutant(
    'root-write-ignored-after-a-rotation',
    'A write of config/root after a rotation changes nothing.',
    inTable('root', { update: 'kept-after-rotation' }),
  ),
  mutant(
    'root-keys-stay',
    'Where a workload identity replaces keys, the keys stay in use.',
    inTable('root', { update: 'keys-stay' }),
  ),
  mutant(
    'root-identity-stays',
    'Where keys replace a workload identity, the identity stays in use.',
    inTable('root', { update: 'identity-stays' }),
  ),
  mutant('root-not-replaced', 'A second write changes nothing.', inTable('root', { update: 'kept' })),
  mutant(
    'root-validated',
    'Credentials that the provider does not know are refused.',
    inTable('root', { credentials: 'validated' }),
  ),
]

const asked = mutant(
  'root-validation-ignored',
  'The provider is asked about root credentials, and its answer makes no difference.',
  inTable('root', { credentials: 'asked' }),
)

const federated = (
  id: string,
  does: string,
  cells: Parameters<typeof inRow<'provider', 'federation'>>[2],
): CloudMutant => mutant(id, does, inRow('provider', 'federation', cells))

const reaching: readonly CloudMutant[] = [
  asked,
  mutant('root-region-unused', 'region is not signed for.', inTable('provider', { region: [() => 'us-east-1'] })),
  mutant(
    'root-region-falls-back-elsewhere',
    'Without region, and with none in the environment, calls are signed for us-west-2.',
    inTable('provider', { region: [...provider.region.slice(0, -1), () => 'us-west-2'] }),
  ),
  mutant(
    'root-iam-endpoint-unused',
    'IAM is called at sts_endpoint.',
    inRow('provider', 'endpoint', { iam: (config) => config.sts_endpoint }),
  ),
  mutant(
    'root-sts-endpoint-unused',
    'STS is called at iam_endpoint.',
    inRow('provider', 'endpoint', { sts: (config) => config.iam_endpoint }),
  ),
  ...(['region', 'iam_endpoint', 'sts_endpoint'] as const).map((name) =>
    mutant(
      `root-${kebab(name)}-used-for-ever`,
      `The ${name} with which the provider was called first stays in use.`,
      inTable('provider', { used: (first, now) => ({ ...now, [name]: first[name] }) }),
    ),
  ),
  mutant(
    'root-first-identity-stays',
    'Where a workload identity replaces another, the role of the first one stays in use.',
    inTable('provider', {
      used: (first, now) => (first.role_arn && now.role_arn ? { ...now, role_arn: first.role_arn } : now),
    }),
  ),
  mutant(
    'root-first-secret-of-a-key-is-kept',
    'Where config/root is written with another secret of the same key, the first one stays in use.',
    inTable('provider', {
      used: (first, now) => (first.access_key === now.access_key ? { ...now, secret_key: first.secret_key } : now),
    }),
  ),
  mutant('root-retries-when-zero', 'max_retries 0 retries twice all the same.', (tables) =>
    inTable('provider', { attempts: (most, service) => (most === 0 ? 3 : tables.provider.attempts(most, service)) })(
      tables,
    ),
  ),
  mutant('root-retries-more', 'One retry more than max_retries is made, unless it is 0.', (tables) =>
    inTable('provider', {
      attempts: (most, service) => (most > 0 ? most + 2 : tables.provider.attempts(most, service)),
    })(tables),
  ),
  mutant('root-retries-users', 'IAM calls are retried as often as the SDK does by default.', (tables) =>
    inTable('provider', {
      attempts: (most, service) => (service === 'iam' ? undefined : tables.provider.attempts(most, service)),
    })(tables),
  ),
  mutant('root-retries-never', 'No call is ever retried.', inTable('provider', { attempts: () => 1 })),
  federated('root-wif-role-ignored', 'Another role is assumed by web identity.', {
    roleArn: (config) => config.role_arn.replace(/[^/]*$/, 'another'),
  }),
  federated('root-wif-audience-ignored', 'Identity tokens are for the audience "default".', {
    audience: () => 'default',
  }),
  federated('root-wif-ttl-ignored', 'Identity tokens live for 3600 seconds.', { ttl: () => 3600 }),
]

const rotation = (id: string, does: string, cells: Parameters<typeof inTable<'rotation'>>[1]): CloudMutant =>
  mutant(id, does, inTable('rotation', cells))

const rotations: readonly CloudMutant[] = [
  rotation('rotate-root-same-key', 'Nothing is rotated: the old access key is answered.', { rotates: 'never' }),
  rotation('rotate-root-once', 'A second rotation answers the key that the first one made.', { rotates: 'once' }),
  rotation('rotate-root-answers-old-key', 'The old access key is answered.', { answers: 'old' }),
  rotation('rotate-root-answers-secret', 'The new secret key is answered as well.', { answers: 'with-secret' }),
  rotation('rotate-root-without-key', 'A root without a key of its own is rotated, by a made-up key.', {
    withoutKey: 'done',
  }),
  rotation('rotate-root-makes-user', 'A rotation makes a user as well.', { beside: 'user' }),
  rotation('rotate-root-read-old-key', 'config/root shows the old access key after a rotation.', { shows: 'old' }),
  rotation('rotate-root-resets-the-rest', 'A rotation sets the rest of config/root to its defaults.', {
    rest: 'reset',
  }),
  rotation('rotate-root-forgets-the-template', 'A rotation of the root forgets the template of user names.', {
    rest: 'without-template',
  }),
  rotation('rotate-root-ends-static-rotations', 'After a rotation of the root no static role is rotated any more.', {
    staticRoles: 'end',
  }),
  rotation('rotate-root-forgets-lease', 'A rotation of the root forgets config/lease.', { lease: 'forgotten' }),
  rotation('rotate-root-uses-old-key', 'Calls are signed by the old key after a rotation.', { signs: 'old' }),
  rotation('rotate-root-takes-second-key', 'Another key of the user is deleted to make room.', { otherKey: 'deleted' }),
  rotation('rotate-root-failed-is-kept', 'A rotation that fails loses the root credentials.', { failed: 'spoilt' }),
]

const leaseField =
  (name: 'lease' | 'lease_max', cells: object): Change =>
  (tables) =>
    inRow('lease', 'fields', { [name]: { ...tables.lease.fields[name], ...cells } })(tables)

const leases: readonly CloudMutant[] = [
  mutant('config-lease-optional', 'lease may be missing.', leaseField('lease', { absent: 'default' })),
  mutant('config-lease-max-optional', 'lease_max may be missing.', leaseField('lease_max', { absent: 'default' })),
  mutant('config-lease-hidden', 'A read of config/lease has no lease.', leaseField('lease', { shown: false })),
  mutant(
    'config-lease-max-hidden',
    'A read of config/lease has no lease_max.',
    leaseField('lease_max', { shown: false }),
  ),
  mutant('config-lease-forgotten', 'lease is not kept.', leaseField('lease', forgotten)),
  mutant('config-lease-max-forgotten', 'lease_max is not kept.', leaseField('lease_max', forgotten)),
  mutant('config-lease-days', 'A duration with the suffix d is accepted.', inTable('lease', { parse: parseDuration })),
  mutant('config-lease-max-days', 'A lease_max with the suffix d is accepted.', (tables) =>
    inTable('lease', {
      parse: (text, name) =>
        name === 'lease_max' && text.endsWith('d') ? parseDuration(text) : tables.lease.parse(text, name),
    })(tables),
  ),
  mutant('config-lease-first-unit-only', 'Of a duration with several suffixes only the first part counts.', (tables) =>
    inTable('lease', {
      parse: (text, name) => tables.lease.parse(/^\d+[a-z]+/.exec(text)?.[0] ?? text, name),
    })(tables),
  ),
  mutant(
    'config-lease-resets-the-root',
    'A write of config/lease sets region and max_retries of config/root to their defaults.',
    inTable('lease', { root: 'reset' }),
  ),
  mutant(
    'config-lease-of-the-first-use',
    'The lease with which credentials were first given stays in force.',
    inTable('lease', { used: 'first' }),
  ),
  mutant('config-lease-at-most-a-day', 'A lease of more than 24 hours is kept as 24 hours.', (tables) =>
    inTable('lease', {
      parse(text, name) {
        const seconds = tables.lease.parse(text, name)
        return seconds === undefined ? undefined : Math.min(seconds, 86_400)
      },
    })(tables),
  ),
  mutant(
    'config-lease-unused',
    'lease does not set how long credentials live.',
    inTable('lease', { ttl: (_config, systemDefault) => systemDefault }),
  ),
  mutant(
    'config-lease-max-unused',
    'lease_max does not bound how long credentials live.',
    inTable('lease', { longest: (_config, systemMax) => systemMax }),
  ),
  mutant(
    'config-lease-zero',
    'Without config/lease the lease of credentials is said to last for 0 seconds.',
    inTable('lease', { contradicts: (written) => (written ? {} : { lease_duration: 0 }) }),
  ),
  mutant('config-lease-without-suffix', 'A number of seconds without a suffix is accepted.', (tables) =>
    inTable('lease', { parse: (text, name) => (/^\d+$/.test(text) ? Number(text) : tables.lease.parse(text, name)) })(
      tables,
    ),
  ),
  mutant('config-lease-any', 'An invalid duration counts as an hour.', (tables) =>
    inTable('lease', { parse: (text, name) => (/\d/.test(text) ? tables.lease.parse(text, name) : 3600) })(tables),
  ),
  mutant(
    'config-lease-unread',
    'A read of config/lease answers 404 although it was written.',
    inTable('lease', { read: 'not-found' }),
  ),
  mutant('config-lease-answers-a-refusal', 'A lease is stored, and answered with a refusal.', (tables) => ({
    ...tables,
    refusedYetDone: ['lease'],
  })),
  mutant(
    'config-lease-unset-unread',
    'A read of config/lease answers 404 where nothing was written.',
    inTable('lease', { unset: 'not-found' }),
  ),
  mutant(
    'lease-revocation-takes-all',
    'A lease that is revoked takes the users of all leases back.',
    inTable('lease', { revocation: 'removes-all' }),
  ),
  mutant(
    'lease-revocation-leaves-users-of-groups',
    'A lease that is revoked leaves a user that is in a group.',
    inTable('lease', { revocation: 'leaves-users-of-groups' }),
  ),
  mutant(
    'lease-revocation-needs-the-role',
    'A lease that is revoked leaves its user where the role was deleted.',
    inTable('lease', { revocation: 'needs-role' }),
  ),
  mutant(
    'lease-revocation-signs-old-root',
    'A revocation is signed by the root credentials of the time when the user was made.',
    inTable('lease', { revokedBy: 'first' }),
  ),
  mutant(
    'lease-revocation-leaves-user',
    'A lease that is revoked leaves its user at the provider.',
    inTable('lease', { revocation: 'leaves-user' }),
  ),
]

const length = (use: NameUse, id: string, does: string, cells: object): CloudMutant =>
  mutant(id, does, (tables) => inRow('names', 'lengths', { [use]: { ...tables.names.lengths[use], ...cells } })(tables))

const names: readonly CloudMutant[] = [
  mutant('root-template-unused', 'username_template is ignored.', inTable('names', { template: 'default' })),
  mutant(
    'root-template-display-name-empty',
    'DisplayName is empty in templates.',
    inRow('names', 'inputs', { DisplayName: () => '' }),
  ),
  mutant(
    'root-template-policy-name-empty',
    'PolicyName is empty in templates.',
    inRow('names', 'inputs', { PolicyName: () => '' }),
  ),
  ...(['DisplayName', 'PolicyName'] as const).map((input) =>
    mutant(
      `sts-template-${input === 'DisplayName' ? 'display' : 'policy'}-name-empty`,
      `${input} is empty in templates of the names of sessions.`,
      (tables) =>
        inRow('names', 'inputs', {
          [input]: (text: string, use: NameUse) => (use === 'STS' ? '' : tables.names.inputs[input](text, use)),
        })(tables),
    ),
  ),
  length('IAM', 'username-64-refused', 'An IAM username of 64 characters is refused.', { longest: 63 }),
  length('IAM', 'username-65-taken', 'A longer IAM username is cut to 64 characters.', { beyond: 'cut' }),
  length('IAM', 'username-65-400', 'A longer IAM username answers 400.', { beyond: 'bad-request' }),
  length(
    'IAM',
    'username-65-taken-with-path',
    'An IAM username of any length is used where the role has a user_path.',
    {
      spares: ({ given }: Role) => Boolean(given.user_path),
    },
  ),
  length('STS', 'sts-username-32-refused', 'An STS username of 32 characters is refused.', { longest: 31 }),
  length('STS', 'sts-username-33-taken', 'A longer STS username is cut to 32 characters.', { beyond: 'cut' }),
  length('STS', 'sts-username-33-400', 'A longer STS username answers 400.', { beyond: 'bad-request' }),
  mutant(
    'default-sts-template-too-long',
    'The default template names sessions after user and role, and cuts nothing.',
    (tables) =>
      inTable('names', {
        defaultTemplate: tables.names.defaultTemplate.replace(
          /^\{\{ if[^}]*\}\}.*?\{\{ else \}\}/,
          '{{ if (eq .Type "STS") }}{{ printf "%s-%s" (.PolicyName) (unix_time) }}{{ else }}',
        ),
      })(tables),
  ),
  mutant('default-template-too-long', 'The default template cuts no names.', (tables) =>
    inTable('names', { defaultTemplate: tables.names.defaultTemplate.replaceAll(/ \| truncate (36|62)/g, '') })(tables),
  ),
]

export const ofConfiguration: readonly CloudMutant[] = [
  ...fields,
  ...rules,
  ...reaching,
  ...rotations,
  ...leases,
  ...names,
]
