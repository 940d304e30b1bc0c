/** What holds for TOTP MFA in both variants alike. */
import type { Level, Source } from '../../harness/vocabulary/index.ts'
import {
  authentication,
  limit,
  type MfaArea,
  methodEndpoint,
  methodField,
  operationEndpoint,
  type Rows,
  secretSource,
  transition,
} from './mfa-sources.ts'

type Row = readonly [says: string, source: Source]

const fieldRows: Readonly<Record<string, Row>> = {
  'issuer.kept': ['What a method shows as `issuer` is what it was given.', methodField('issuer')],
  'period.default': ['Without `period` a method has 30 seconds.', methodField('period', 31)],
  'period.number': ['`period` may be given as a number, in seconds.', methodField('period', 31)],
  'period.duration': ['`period` may be given as a duration string.', methodField('period', 31)],
  'key-size.default': ['Without `key_size` a method has 20.', methodField('key_size', 31)],
  'key-size.kept': ['What a method shows as `key_size` is what it was given.', methodField('key_size', 31)],
  'key-size.bytes': ['A generated key has as many bytes as `key_size` says.', methodField('key_size', 31)],
  'qr-size.default': ['Without `qr_size` a method has 200.', methodField('qr_size', 31)],
  'qr-size.kept': ['What a method shows as `qr_size` is what it was given.', methodField('qr_size', 31)],
  'qr-size.pixels': [
    'The QR code of a generated key is a square of as many pixels as `qr_size` says.',
    methodField('qr_size', 31),
  ],
  'algorithm.default': ['Without `algorithm` a method has `SHA1`.', methodField('algorithm')],
  'algorithm.values': ['`algorithm` takes `SHA1`, `SHA256` and `SHA512`.', methodField('algorithm')],
  'algorithm.closed': ['The `algorithm` of a method is never another than these three.', methodField('algorithm')],
  'digits.default': ['Without `digits` a method has 6.', methodField('digits')],
  'digits.values': ['`digits` takes 6 and 8.', limit('TOTP `digits`')],
  'digits.closed': ['The `digits` of a method are never others than 6 or 8.', limit('TOTP `digits`')],
  'skew.default': ['Without `skew` a method has 1.', methodField('skew', 32)],
  'skew.values': ['`skew` takes 0 and 1.', limit('TOTP `skew`')],
  'skew.closed': ['The `skew` of a method is never another than 0 or 1.', limit('TOTP `skew`')],
  'max-validation-attempts.default': [
    'Without `max_validation_attempts` a method has 5.',
    limit('TOTP `max_validation_attempts` default'),
  ],
  'max-validation-attempts.kept': [
    'What a method shows as `max_validation_attempts` is what it was given.',
    methodField('max_validation_attempts', 32),
  ],
}

const absentRow = 'MFA secret absent, generate or admin-generate'
const presentRow = 'MFA secret present, generate or admin-generate'
const destroyRow = 'MFA secret present, admin-destroy'

const mustRows = (area: MfaArea): Readonly<Record<string, Row>> => ({
  'method.defines': ['POST defines a method that GET then returns.', methodEndpoint(area, 'POST')],
  'method.reads': ['GET returns the method asked for, and not another.', methodEndpoint(area, 'GET')],
  'method.deletes': ['DELETE removes a method: it is no longer returned.', methodEndpoint(area, 'DELETE')],
  'method.needed': ['No secret is generated for a method that does not exist.', transition(absentRow)],
  'issuer.required': ['A POST of a method without `issuer` is refused.', methodEndpoint(area, 'POST')],
  ...fieldRows,
  'generate.creates': [
    'generate makes a secret where the entity of the calling token has none.',
    operationEndpoint(area, 'generate'),
  ],
  'generate.own-entity': [
    'generate acts on the entity of the calling token, and on no other.',
    authentication('rule 1'),
  ],
  'generate.needs-entity': ['generate is refused to a token without an entity.', authentication('rule 1')],
  'generate.no-overwrite': ['generate makes no new secret where there is one.', transition(presentRow, 33)],
  'admin-generate.creates': [
    'admin-generate makes a secret where the given entity has none.',
    operationEndpoint(area, 'admin-generate'),
  ],
  'admin-generate.given-entity': [
    'admin-generate acts on the given entity, and on no other.',
    authentication('rule 2'),
  ],
  'admin-generate.no-overwrite': ['admin-generate makes no new secret where there is one.', transition(presentRow, 33)],
  'admin-generate.entity-required': [
    'admin-generate without `entity_id` is refused.',
    operationEndpoint(area, 'admin-generate'),
  ],
  'admin-destroy.removes': [
    'admin-destroy removes the secret of the given entity, and of no other.',
    operationEndpoint(area, 'admin-destroy'),
  ],
  'admin-destroy.entity-required': [
    'admin-destroy without `entity_id` is refused.',
    operationEndpoint(area, 'admin-destroy'),
  ],
  'admin-destroy.generate-again': ['After admin-destroy, generate makes a new secret.', transition(destroyRow)],
  'admin-destroy.admin-generate-again': [
    'After admin-destroy, admin-generate makes a new secret.',
    transition(destroyRow),
  ],
})

const shouldRows = (area: MfaArea): Readonly<Record<string, Row>> => ({
  'algorithm.other-refused': ['A POST with another `algorithm` is refused.', methodField('algorithm')],
  'digits.other-refused': ['A POST with other `digits` than 6 or 8 is refused.', limit('TOTP `digits`')],
  'skew.other-refused': ['A POST with another `skew` than 0 or 1 is refused.', limit('TOTP `skew`')],
  'generate.needs-token': ['generate is refused without a token.', authentication('rule 1')],
  'admin-generate.known-entity': [
    'admin-generate for an entity that does not exist is refused.',
    operationEndpoint(area, 'admin-generate'),
  ],
  'admin-destroy.other-methods': [
    'admin-destroy leaves the secrets that the entity has of other methods.',
    transition(destroyRow),
  ],
  'secret.from-configuration': [
    'The URL of a secret tells issuer, period, digits and algorithm of its method.',
    secretSource,
  ],
  'qr-code.readable': ['The QR code carries the secret that the URL tells.', methodField('qr_size')],
})

const open: Readonly<Record<string, readonly [says: string, source: Source, open: string]>> = {
  'open.status-codes': [
    'Which status a success or a refusal has, and what the body of a refusal looks like.',
    { document: 3, section: 'Errors', row: 'Other error codes and error body shape' },
    'Success is any 2xx, refusal any 4xx or 5xx.',
  ],
  'open.secret-form': [
    'In which form a reply gives a secret.',
    { document: 3, section: 'Endpoints', row: 'Response bodies: not shown except where stated in the notes' },
    'An `otpauth` URL or a PNG is taken wherever it stands; without either, properties of the key stay unseen.',
  ],
  'open.present-reply': [
    'Whether generating where there is a secret is refused or succeeds with a warning.',
    transition(presentRow, 33),
    'Only that there is no new secret.',
  ],
  'open.bounds': [
    'Bounds of `period`, `key_size`, `qr_size` and `max_validation_attempts`, and fields of a wrong type.',
    methodField('period, key_size, qr_size, max_validation_attempts'),
    'Types and defaults are listed, bounds are not.',
  ],
  'open.existing-secrets': [
    'What a change of a method does to secrets that were generated before.',
    secretSource,
    'Only that a secret is generated from the configuration.',
  ],
  'open.replay': [
    'Whether a code may be used twice.',
    methodField('skew', 32),
    'Not stated: no check uses a code twice.',
  ],
  'open.destroy-absent': [
    'What admin-destroy answers where there is no secret, no such entity or no such method.',
    transition(destroyRow),
    'Only a secret that is present is spoken of.',
  ],
  'open.delete-secrets': [
    'What becomes of secrets whose method is deleted.',
    transition('MFA method defined, DELETE method'),
    'Not stated.',
  ],
  'open.capabilities': [
    'Which capabilities the endpoints need, and the name of the token header.',
    authentication('rule 4'),
    'Not shown.',
  ],
  'open.rate-limits': ['How many requests are served in what time.', limit('Rate limits'), 'Not shown.'],
}

const levelled = (level: Level, rows: Readonly<Record<string, Row>>): Rows =>
  Object.fromEntries(Object.entries(rows).map(([id, [says, source]]) => [id, { level, says, source }]))

export const must = (rows: Readonly<Record<string, Row>>): Rows => levelled('must', rows)
export const should = (rows: Readonly<Record<string, Row>>): Rows => levelled('should', rows)
export const left = (rows: typeof open): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [says, source, why]]) => [id, { level: 'info', says, source, open: why }]),
  )

export const commonRows = (area: MfaArea): Rows => ({
  ...must(mustRows(area)),
  ...should(shouldRows(area)),
  ...left(open),
})
