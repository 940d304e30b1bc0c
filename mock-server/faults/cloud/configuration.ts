/** Mutants of `config/root`, `config/rotate-root` and `config/lease`, of how the provider is reached, and of names. */

import type { NameUse } from '../../engines/cloud/rules/names.ts'
import { provider } from '../../engines/cloud/rules/provider.ts'
import type { RootFieldRule } from '../../engines/cloud/rules/root.ts'
import type { Role, RootConfig } from '../../engines/cloud/store.ts'
import { durationField, parseDuration } from '../../kernel/http/duration.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
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
  field(name, `root-${kebab(name)}-altered`, `A read of config/root shows another value for ${name}.`, {
    shown: (value) => value.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
  }),
)

const fields: readonly CloudMutant[] = [
  ...altered,
  field('max_retries', 'root-max-retries-default', 'max_retries is 0 by default.', { fallback: 0 }),
  field('max_retries', 'root-max-retries-forgotten', 'max_retries is not stored.', forgotten),
  field('access_key', 'root-access-key-hidden', 'A read of config/root does not show access_key.', hidden),
  field('secret_key', 'root-secret-key-shown', 'A read of config/root shows secret_key.', { shown: (value) => value }),
  field('secret_key', 'root-secret-key-shown-as-other', 'A read of config/root shows secret_key in a field `secret`.', {
    ...{ shown: (value) => value, shownAs: 'secret' },
  }),
  field('identity_token_audience', 'root-audience-forgotten', 'identity_token_audience is not stored.', forgotten),
  field('role_arn', 'root-role-arn-forgotten', 'role_arn is not stored.', forgotten),
  field('identity_token_ttl', 'root-token-ttl-default', 'identity_token_ttl is 7200 by default.', { fallback: 7200 }),
  field('identity_token_ttl', 'root-token-ttl-forgotten', 'identity_token_ttl is not stored.', forgotten),
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
  field('region', 'root-region-forgotten', 'A read of config/root does not show region.', hidden),
  field('iam_endpoint', 'root-iam-endpoint-forgotten', 'A read of config/root does not show iam_endpoint.', hidden),
  field('sts_endpoint', 'root-sts-endpoint-forgotten', 'A read of config/root does not show sts_endpoint.', hidden),
  mutant(
    'root-wif-on-community',
    'The community edition stores and shows role_arn and identity_token_audience.',
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
  mutant(
    'root-rules-of-updates-only',
    'A first root configuration may have access_key without secret_key.',
    inRow('rootRules', 'secretWithKey', {
      broken: ({ access_key, secret_key }, isUpdate) => isUpdate && access_key !== '' && secret_key === '',
    }),
  ),
  mutant(
    'second-root-validated',
    'A second write of config/root with credentials that the provider does not know is refused.',
    inTable('root', { credentials: 'validated-later' }),
  ),
  mutant(
    'root-first-audience-stays',
    'When a workload identity replaces another, the audience of the first one stays in use.',
    inTable('root', { update: 'audience-stays' }),
  ),
  mutant(
    'root-shows-replaced-key',
    'A read of config/root still shows the access key that a workload identity has replaced.',
    inTable('root', { replacedKey: 'shown' }),
  ),
  mutant(
    'root-denied-calls-repeated',
    'A call that the provider denies is repeated once, whatever max_retries says.',
    inTable('provider', { denied: 'repeated' }),
  ),
  mutant('root-read-fails', 'A read of config/root returns 404.', inTable('root', { read: 'not-found' })),
  mutant(
    'root-answers-a-refusal',
    'A second write of config/root takes effect, but the reply is a refusal.',
    (tables) => ({
      ...tables,
      refusedYetDone: ['replacement of the root'],
    }),
  ),
  mutant(
    'root-write-forgets-lease',
    'A second write of config/root deletes config/lease.',
    inTable('root', { lease: 'forgotten' }),
  ),
  mutant(
    'root-write-ends-static-rotations',
    'After a second write of config/root, static roles are no longer rotated.',
    inTable('root', { staticRoles: 'end' }),
  ),
  mutant(
    'root-write-ignored-after-a-rotation',
    'A write of config/root after a rotation succeeds but changes nothing.',
    inTable('root', { update: 'kept-after-rotation' }),
  ),
  mutant(
    'root-keys-stay',
    'When a workload identity replaces keys in config/root, the keys stay in use.',
    inTable('root', { update: 'keys-stay' }),
  ),
  mutant(
    'root-identity-stays',
    'When keys replace a workload identity in config/root, the identity stays in use.',
    inTable('root', { update: 'identity-stays' }),
  ),
  mutant(
    'root-not-replaced',
    'A second write of config/root succeeds but changes nothing.',
    inTable('root', { update: 'kept' }),
  ),
  mutant(
    'root-validated',
    'A write of config/root with credentials that the provider does not know is refused.',
    inTable('root', { credentials: 'validated' }),
  ),
]

const validated = mutant(
  'root-validation-ignored',
  'A write of config/root asks the provider about the credentials and ignores its reply.',
  inTable('root', { credentials: 'asked' }),
)

const federated = (
  id: string,
  does: string,
  cells: Parameters<typeof inRow<'provider', 'federation'>>[2],
): CloudMutant => mutant(id, does, inRow('provider', 'federation', cells))

const reaching: readonly CloudMutant[] = [
  validated,
  mutant(
    'root-region-unused',
    'Calls to the provider are always signed for us-east-1, whatever region says.',
    inTable('provider', { region: [() => 'us-east-1'] }),
  ),
  mutant(
    'root-region-falls-back-elsewhere',
    'Calls to the provider are signed for us-west-2 if neither config/root nor the environment has a region.',
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
      `The ${name} of the first call to the provider stays in use.`,
      inTable('provider', { used: (first, now) => ({ ...now, [name]: first[name] }) }),
    ),
  ),
  mutant(
    'root-first-identity-stays',
    'When a workload identity replaces another, the role of the first one stays in use.',
    inTable('provider', {
      used: (first, now) => (first.role_arn && now.role_arn ? { ...now, role_arn: first.role_arn } : now),
    }),
  ),
  mutant(
    'root-first-secret-of-a-key-is-kept',
    'When config/root is written with the same access_key and another secret_key, the first secret_key stays in use.',
    inTable('provider', {
      used: (first, now) => (first.access_key === now.access_key ? { ...now, secret_key: first.secret_key } : now),
    }),
  ),
  mutant('root-retries-when-zero', 'With max_retries 0, failed calls are still retried twice.', (tables) =>
    inTable('provider', { attempts: (most, service) => (most === 0 ? 3 : tables.provider.attempts(most, service)) })(
      tables,
    ),
  ),
  mutant('root-retries-more', 'Failed calls are retried once more than max_retries says, unless it is 0.', (tables) =>
    inTable('provider', {
      attempts: (most, service) => (most > 0 ? most + 2 : tables.provider.attempts(most, service)),
    })(tables),
  ),
  mutant('root-retries-users', 'IAM calls ignore max_retries and use the default of the SDK.', (tables) =>
    inTable('provider', {
      attempts: (most, service) => (service === 'iam' ? undefined : tables.provider.attempts(most, service)),
    })(tables),
  ),
  mutant('root-retries-never', 'Calls to the provider are never retried.', inTable('provider', { attempts: () => 1 })),
  federated('root-wif-role-ignored', 'Another role than role_arn is assumed with the web identity.', {
    roleArn: (config) => config.role_arn.replace(/[^/]*$/, 'another'),
  }),
  federated('root-wif-audience-ignored', 'Identity tokens always have the audience "default".', {
    audience: () => 'default',
  }),
  federated('root-wif-ttl-ignored', 'Identity tokens are always valid for 3600 seconds.', { ttl: () => 3600 }),
]

const rotation = (id: string, does: string, cells: Parameters<typeof inTable<'rotation'>>[1]): CloudMutant =>
  mutant(id, does, inTable('rotation', cells))

const rotations: readonly CloudMutant[] = [
  rotation('rotate-root-same-key', 'A rotation of the root changes nothing and returns the old access key.', {
    rotates: 'never',
  }),
  rotation('rotate-root-once', 'A second rotation of the root changes nothing and returns the key of the first one.', {
    rotates: 'once',
  }),
  rotation('rotate-root-answers-old-key', 'A rotation of the root returns the old access key instead of the new one.', {
    answers: 'old',
  }),
  rotation('rotate-root-answers-secret', 'A rotation of the root also returns the new secret key.', {
    answers: 'with-secret',
  }),
  rotation(
    'rotate-root-without-key',
    'A rotation of a root without an access key succeeds and returns a made-up key.',
    {
      withoutKey: 'done',
    },
  ),
  rotation('rotate-root-makes-user', 'A rotation of the root also creates a user.', { beside: 'user' }),
  rotation('rotate-root-read-old-key', 'A read of config/root shows the old access key after a rotation.', {
    shows: 'old',
  }),
  rotation(
    'rotate-root-resets-the-rest',
    'A rotation of the root resets the other fields of config/root to their defaults.',
    {
      rest: 'reset',
    },
  ),
  rotation('rotate-root-forgets-the-template', 'A rotation of the root deletes username_template.', {
    rest: 'without-template',
  }),
  rotation('rotate-root-ends-static-rotations', 'After a rotation of the root, static roles are no longer rotated.', {
    staticRoles: 'end',
  }),
  rotation('rotate-root-forgets-lease', 'A rotation of the root deletes config/lease.', { lease: 'forgotten' }),
  rotation('rotate-root-uses-old-key', 'After a rotation of the root, calls are still signed with the old key.', {
    signs: 'old',
  }),
  rotation(
    'rotate-root-takes-second-key',
    'A rotation of the root deletes another key of the root user to make room.',
    { otherKey: 'deleted' },
  ),
  rotation('rotate-root-failed-is-kept', 'A failed rotation of the root loses the root credentials.', {
    failed: 'spoilt',
  }),
]

const leaseField =
  (name: 'lease' | 'lease_max', cells: object): Change =>
  (tables) =>
    inRow('lease', 'fields', { [name]: { ...tables.lease.fields[name], ...cells } })(tables)

const leaseMaxInHours = (unit: 'minutes' | 'seconds'): CloudMutant =>
  mutant(`config-lease-max-${unit}-as-hours`, `A lease_max in ${unit} is read as hours.`, (tables) =>
    inTable('lease', {
      parse: (text, name) =>
        tables.lease.parse(
          name === 'lease_max' && text.endsWith(unit.charAt(0)) ? `${text.slice(0, -1)}h` : text,
          name,
        ),
    })(tables),
  )

const leases: readonly CloudMutant[] = [
  mutant(
    'config-lease-optional',
    'A write of config/lease without lease succeeds.',
    leaseField('lease', { absent: 'default' }),
  ),
  mutant(
    'config-lease-partial-at-first',
    'The first write of config/lease succeeds without lease.',
    leaseField('lease', { absent: 'default-at-first' }),
  ),
  mutant(
    'config-lease-numbers-taken',
    'config/lease accepts a lease that is a number of seconds.',
    leaseField('lease', { numbers: 'taken' }),
  ),
  leaseMaxInHours('minutes'),
  leaseMaxInHours('seconds'),
  mutant(
    'config-lease-max-optional',
    'A write of config/lease without lease_max succeeds.',
    leaseField('lease_max', { absent: 'default' }),
  ),
  mutant(
    'config-lease-hidden',
    'The reply to a read of config/lease lacks lease.',
    leaseField('lease', { shown: false }),
  ),
  mutant(
    'config-lease-max-hidden',
    'The reply to a read of config/lease lacks lease_max.',
    leaseField('lease_max', { shown: false }),
  ),
  mutant('config-lease-forgotten', 'lease is not stored.', leaseField('lease', forgotten)),
  mutant('config-lease-max-forgotten', 'lease_max is not stored.', leaseField('lease_max', forgotten)),
  mutant(
    'config-lease-days',
    'config/lease accepts durations with the suffix d.',
    inTable('lease', { parse: parseDuration }),
  ),
  mutant('config-lease-max-days', 'config/lease accepts a lease_max with the suffix d.', (tables) =>
    inTable('lease', {
      parse: (text, name) =>
        name === 'lease_max' && text.endsWith('d') ? parseDuration(text) : tables.lease.parse(text, name),
    })(tables),
  ),
  mutant(
    'config-lease-first-unit-only',
    'Only the first part of a duration with several suffixes in config/lease counts.',
    (tables) =>
      inTable('lease', {
        parse: (text, name) => tables.lease.parse(/^\d+[a-z]+/.exec(text)?.[0] ?? text, name),
      })(tables),
  ),
  mutant(
    'config-lease-resets-the-root',
    'A write of config/lease resets region and max_retries of config/root to their defaults.',
    inTable('lease', { root: 'reset' }),
  ),
  mutant(
    'config-lease-of-the-first-use',
    'The lease of the first credentials stays in effect, whatever config/lease says later.',
    inTable('lease', { used: 'first' }),
  ),
  mutant('config-lease-at-most-a-day', 'A duration above 24 hours in config/lease is stored as 24 hours.', (tables) =>
    inTable('lease', {
      parse(text, name) {
        const seconds = tables.lease.parse(text, name)
        return seconds === undefined ? undefined : Math.min(seconds, 86_400)
      },
    })(tables),
  ),
  mutant(
    'config-lease-unused',
    'lease has no effect on the lifetime of credentials.',
    inTable('lease', { ttl: (_config, systemDefault) => systemDefault }),
  ),
  mutant(
    'config-lease-max-unused',
    'lease_max does not limit the lifetime of credentials.',
    inTable('lease', { longest: (_config, systemMax) => systemMax }),
  ),
  mutant(
    'config-lease-zero',
    'If config/lease was not written, replies with credentials show a lease_duration of 0.',
    inTable('lease', { contradicts: (written) => (written ? {} : { lease_duration: 0 }) }),
  ),
  mutant('config-lease-without-suffix', 'config/lease accepts a number of seconds without a suffix.', (tables) =>
    inTable('lease', { parse: (text, name) => (/^\d+$/.test(text) ? Number(text) : tables.lease.parse(text, name)) })(
      tables,
    ),
  ),
  mutant('config-lease-any', 'config/lease accepts an invalid duration as one hour.', (tables) =>
    inTable('lease', { parse: (text, name) => (/\d/.test(text) ? tables.lease.parse(text, name) : 3600) })(tables),
  ),
  mutant(
    'config-lease-unread',
    'A read of config/lease returns 404 although it was written.',
    inTable('lease', { read: 'not-found' }),
  ),
  mutant(
    'config-lease-answers-a-refusal',
    'A write of config/lease takes effect, but the reply is a refusal.',
    (tables) => ({
      ...tables,
      refusedYetDone: ['lease'],
    }),
  ),
  mutant(
    'config-lease-unset-unread',
    'A read of config/lease returns 404 if nothing was written.',
    inTable('lease', { unset: 'not-found' }),
  ),
  mutant(
    'lease-revocation-takes-all',
    'Revoking one lease deletes the users of all leases.',
    inTable('lease', { revocation: 'removes-all' }),
  ),
  mutant(
    'lease-revocation-leaves-users-of-groups',
    'Revoking a lease does not delete its user if the user is in a group.',
    inTable('lease', { revocation: 'leaves-users-of-groups' }),
  ),
  mutant(
    'lease-revocation-needs-the-role',
    'Revoking a lease does not delete its user if the role was deleted.',
    inTable('lease', { revocation: 'needs-role' }),
  ),
  mutant(
    'lease-revocation-signs-old-root',
    'Revoking a lease uses the root credentials with which its user was created.',
    inTable('lease', { revokedBy: 'first' }),
  ),
  mutant(
    'lease-revocation-leaves-user',
    'Revoking a lease does not delete its user.',
    inTable('lease', { revocation: 'leaves-user' }),
  ),
]

const length = (use: NameUse, id: string, does: string, cells: object): CloudMutant =>
  mutant(id, does, (tables) => inRow('names', 'lengths', { [use]: { ...tables.names.lengths[use], ...cells } })(tables))

const names: readonly CloudMutant[] = [
  mutant('root-template-unused', 'username_template is ignored.', inTable('names', { template: 'default' })),
  mutant(
    'root-template-display-name-empty',
    '{{.DisplayName}} is empty in username_template.',
    inRow('names', 'inputs', { DisplayName: () => '' }),
  ),
  mutant(
    'root-template-policy-name-empty',
    '{{.PolicyName}} is empty in username_template.',
    inRow('names', 'inputs', { PolicyName: () => '' }),
  ),
  ...(['DisplayName', 'PolicyName'] as const).map((input) =>
    mutant(
      `sts-template-${input === 'DisplayName' ? 'display' : 'policy'}-name-empty`,
      `{{.${input}}} is empty in username_template for the names of sessions.`,
      (tables) =>
        inRow('names', 'inputs', {
          [input]: (text: string, use: NameUse) => (use === 'STS' ? '' : tables.names.inputs[input](text, use)),
        })(tables),
    ),
  ),
  length('IAM', 'username-64-refused', 'An IAM username of 64 characters is refused.', { longest: 63 }),
  length('IAM', 'username-65-taken', 'An IAM username of more than 64 characters is cut instead of refused.', {
    beyond: 'cut',
  }),
  length('IAM', 'username-65-400', 'An IAM username of more than 64 characters is refused with 400.', {
    beyond: 'bad-request',
  }),
  length(
    'IAM',
    'username-65-taken-with-path',
    'The length of IAM usernames is not limited if the role has a user_path.',
    {
      spares: ({ given }: Role) => Boolean(given.user_path),
    },
  ),
  length('STS', 'sts-username-32-refused', 'An STS username of 32 characters is refused.', { longest: 31 }),
  length('STS', 'sts-username-33-taken', 'An STS username of more than 32 characters is cut instead of refused.', {
    beyond: 'cut',
  }),
  length('STS', 'sts-username-33-400', 'An STS username of more than 32 characters is refused with 400.', {
    beyond: 'bad-request',
  }),
  mutant(
    'default-sts-template-too-long',
    'The default username_template names sessions after the role without limiting the length.',
    (tables) =>
      inTable('names', {
        defaultTemplate: tables.names.defaultTemplate.replace(
          /^\{\{ if[^}]*\}\}.*?\{\{ else \}\}/,
          '{{ if (eq .Type "STS") }}{{ printf "%s-%s" (.PolicyName) (unix_time) }}{{ else }}',
        ),
      })(tables),
  ),
  mutant('default-template-too-long', 'The default username_template does not limit the length of names.', (tables) =>
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
