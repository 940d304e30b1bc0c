/** The rules of `config/root` and `config/rotate-root`: document 3, Cloud root configuration, States and transitions. */

import type { Edition } from '../../../kernel/contracts.ts'
import { numberField, textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import { seam } from '../../../kernel/seam.ts'
import type { Body } from '../fields.ts'
import type { RootConfig } from '../store.ts'
import type { Form } from './types.ts'

export interface RootFieldRule<Value> {
  readonly read: (body: Body, name: string) => Value | undefined
  readonly fallback: Value
  readonly forms: readonly Form[]
  readonly editions: readonly Edition[]
  readonly stored: (value: Value) => Value | undefined
  /** Returns the value that a read shows, or undefined to leave the field out. */
  readonly shown: (value: Value) => unknown
  /** The name under which a read shows the value, if it differs. */
  readonly shownAs?: string
}
export type RootFields = { readonly [Name in keyof RootConfig]: RootFieldRule<RootConfig[Name]> }

export interface RootRule {
  readonly forms: readonly Form[]
  /** The message of the refusal. */
  readonly message: string
  /** `isUpdate`: there is a configuration already. */
  readonly broken: (config: RootConfig, isUpdate: boolean) => boolean
}

const everyForm: readonly Form[] = ['newer', 'older']
const everyEdition: readonly Edition[] = ['community', 'enterprise', 'premium']
/** Seam of each field: its value is stored and shown unchanged. */
const same = seam(<Value>(value: Value): Value => value)
const never = seam((_config: RootConfig) => false)
const whenSet = (value: string): string | undefined => value || undefined

const row: RootFieldRule<string> = {
  ...{ read: textField, fallback: '', forms: everyForm, editions: everyEdition, stored: same, shown: same },
}
/** The fields of plugin workload identity federation. */
const federation = { forms: ['newer'] as const, editions: ['enterprise', 'premium'] as const }

export const rootFields: RootFields = {
  access_key: row,
  secret_key: { ...row, shown: () => undefined },
  role_arn: { ...row, ...federation, shown: whenSet },
  identity_token_audience: { ...row, ...federation, shown: whenSet },
  identity_token_ttl: { ...row, ...federation, read: durationField, fallback: 3600, stored: same, shown: same },
  region: row,
  iam_endpoint: row,
  sts_endpoint: row,
  max_retries: { ...row, read: numberField, fallback: -1, stored: same, shown: same },
  username_template: { ...row, shown: whenSet },
}

const newer: readonly Form[] = ['newer']
const older: readonly Form[] = ['older']

export const rootRules = {
  secretWithKey: {
    ...{ forms: newer, message: 'access_key needs secret_key' },
    broken: (config: RootConfig) => config.access_key !== '' && config.secret_key === '',
  },
  keyWithSecret: {
    ...{ forms: newer, message: 'secret_key needs access_key' },
    broken: (config: RootConfig) => config.secret_key !== '' && config.access_key === '',
  },
  keyOrAudience: {
    ...{ forms: newer, message: 'access_key and identity_token_audience exclude each other' },
    broken: (config: RootConfig) => config.access_key !== '' && config.identity_token_audience !== '',
  },
  roleWithAudience: {
    ...{ forms: newer, message: 'identity_token_audience needs role_arn' },
    broken: (config: RootConfig) => config.identity_token_audience !== '' && config.role_arn === '',
  },
  keyRequired: {
    ...{ forms: older, message: 'missing access_key' },
    broken: (config: RootConfig) => config.access_key === '',
  },
  secretRequired: {
    ...{ forms: older, message: 'missing secret_key' },
    broken: (config: RootConfig) => config.secret_key === '',
  },
  // Seams: these three fields are optional, so no configuration breaks a rule about them.
  regionOptional: { forms: newer, message: 'missing region', broken: never },
  iamEndpointOptional: { forms: newer, message: 'missing iam_endpoint', broken: never },
  stsEndpointOptional: { forms: newer, message: 'missing sts_endpoint', broken: never },
} satisfies Record<string, RootRule>

export const root: {
  /** A write replaces the whole configuration. `keys-stay` and `identity-stays`: the keys stay if the new configuration
   * has a workload identity, and the other way round. `audience-stays`: an identity keeps the first audience. `kept-after-rotation`: a configuration whose key was rotated is
   * not replaced. */
  readonly update: 'replaced' | 'kept' | 'kept-after-rotation' | 'keys-stay' | 'identity-stays' | 'audience-stays'
  /** `validated-later`: only the credentials of updates are validated. `asked`: the provider is asked about the credentials, but its response makes no difference. */
  readonly credentials: 'not-validated' | 'validated' | 'validated-later' | 'asked'
  readonly read: 'shown' | 'not-found'
  /** A read shows the access key only if it is in use, or also after an identity replaced it. */
  readonly replacedKey: 'hidden' | 'shown'
  /** A write keeps the lease configuration and the rotations of static roles, or ends them. */
  readonly lease: 'kept' | 'forgotten'
  readonly staticRoles: 'go-on' | 'end'
} = {
  update: 'replaced',
  credentials: 'not-validated',
  read: 'shown',
  replacedKey: 'hidden',
  lease: 'kept',
  staticRoles: 'go-on',
}

export interface RotationRules {
  /** `once`: a key that a rotation made is not rotated again. */
  readonly rotates: 'always' | 'once' | 'never'
  /** `with-secret`: the reply shows the secret key as well. */
  readonly answers: 'new' | 'old' | 'with-secret'
  /** If the configuration has no key, a rotation is refused, or succeeds. */
  readonly withoutKey: 'refused' | 'done'
  /** What the rotation creates at the provider in addition to the key. */
  readonly beside: 'nothing' | 'user'
  readonly shows: 'new' | 'old'
  /** The key that signs after the rotation. The other one is deleted. */
  readonly signs: 'new' | 'old'
  /** Any other key of the user is kept, or deleted before the new one is made. */
  readonly otherKey: 'kept' | 'deleted'
  /** If the rotation fails, the configuration is kept, or gets an invented key. */
  readonly failed: 'kept' | 'spoilt'
  /** The other fields of the configuration are kept, or all of them, or only the template, are reset to their defaults. */
  readonly rest: 'kept' | 'reset' | 'without-template'
  /** The rotations of static roles continue, or end. */
  readonly staticRoles: 'go-on' | 'end'
  /** The lease configuration is kept, or forgotten. */
  readonly lease: 'kept' | 'forgotten'
}
export const rotation: RotationRules = {
  ...{
    rotates: 'always',
    answers: 'new',
    withoutKey: 'refused',
    beside: 'nothing',
    shows: 'new',
    signs: 'new',
    otherKey: 'kept',
    failed: 'kept',
    rest: 'kept',
    staticRoles: 'go-on',
    lease: 'kept',
  },
}
