/** The rules of `config/root`: document 3, Cloud root configuration. */
import type { Edition } from '../../../kernel/contracts.ts'
import { numberField, textField } from '../../../kernel/http/body-fields.ts'
import { durationField } from '../../../kernel/http/duration.ts'
import type { Body } from '../fields.ts'
import type { RootConfig } from '../store.ts'
import type { Form } from './types.ts'

export interface RootFieldRule<Value> {
  readonly read: (body: Body, name: string) => Value | undefined
  readonly fallback: Value
  readonly forms: readonly Form[]
  readonly editions: readonly Edition[]
  readonly shown: 'always' | 'when-set' | 'never'
}
export type RootFields = { readonly [Name in keyof RootConfig]: RootFieldRule<RootConfig[Name]> }

export interface RootRule {
  readonly forms: readonly Form[]
  readonly message: string
  readonly broken: (config: RootConfig) => boolean
}

const everyForm: readonly Form[] = ['newer', 'older']
const everyEdition: readonly Edition[] = ['community', 'enterprise', 'premium']

const row: RootFieldRule<string> = {
  ...{ read: textField, fallback: '', forms: everyForm, editions: everyEdition, shown: 'always' },
}
/** The fields of plugin workload identity federation. */
const federation = { forms: ['newer'] as const, editions: ['enterprise', 'premium'] as const }

export const rootFields: RootFields = {
  access_key: row,
  secret_key: { ...row, shown: 'never' },
  role_arn: { ...row, ...federation, shown: 'when-set' },
  identity_token_audience: { ...row, ...federation, shown: 'when-set' },
  identity_token_ttl: { ...row, ...federation, read: durationField, fallback: 3600 },
  region: row,
  iam_endpoint: row,
  sts_endpoint: row,
  max_retries: { ...row, read: numberField, fallback: -1 },
  username_template: { ...row, shown: 'when-set' },
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
} satisfies Record<string, RootRule>
