/** Faults of the fields of a method. */

import { settingsIn } from '../../engines/mfa/handlers/methods.ts'
import type { FieldRule, FieldRules } from '../../engines/mfa/rules.ts'
import type { Field, Method, Settings } from '../../engines/mfa/store.ts'
import { textField } from '../../kernel/http/body-fields.ts'
import { badRequest } from '../../kernel/http/refusal.ts'
import type { Asked, Here, Kit } from './variant-operations.ts'

const kebab = (field: Field): string => field.replaceAll('_', '-')

const otherDefaults: Omit<Settings, 'issuer'> = {
  period: 60,
  key_size: 32,
  qr_size: 300,
  algorithm: 'SHA256',
  digits: 8,
  skew: 0,
  max_validation_attempts: 6,
}

const hasUnit = (value: unknown): value is string => typeof value === 'string' && !/^\d+$/.test(value)

const standardOf = <Value>({ absent }: Pick<FieldRule<Value>, 'absent'>, none: Value): Value =>
  absent === 'refused' ? none : absent.value

/** Returns the fields of a request as they were sent, valid or not, with the defaults of those that were not. */
function asSent(body: Asked['call']['body'], fields: FieldRules): Settings {
  const names = Object.keys(fields) as Field[]
  const valueIn = (name: Field) => fields[name].read(body, name) ?? standardOf<unknown>(fields[name], '')
  return Object.fromEntries(names.map((name) => [name, valueIn(name)])) as unknown as Settings
}
function isBroken({ call }: Asked, { context }: Here): boolean {
  try {
    return settingsIn(call.body, context.rules.fields) === undefined
  } catch {
    return true
  }
}

function makersOf({ fault, inField, updating }: Kit) {
  /** Validates a field, and stores the default. */
  const notKept = <Name extends Field>(field: Name) =>
    inField<Name>(field, (rule) => ({
      read(body, name) {
        const value = rule.read(body, name)
        return value !== undefined && rule.fits(value) ? standardOf(rule, '' as Settings[Name]) : value
      },
    }))
  const ofOptional = <Name extends Exclude<Field, 'issuer'>>(field: Name, value: Settings[Name]) => [
    fault(
      `${kebab(field)}-defaults-to-${String(value).toLowerCase()}`,
      `A method that is defined without ${field} gets ${value}.`,
      inField(field, () => ({ absent: { value } })),
    ),
    fault(
      `${kebab(field)}-is-not-kept`,
      `${field} is validated but not stored: the default is in effect.`,
      notKept(field),
    ),
  ]

  const refused = <Name extends Field>(id: string, field: Name, value: Settings[Name]) =>
    fault(
      `refuses-${id}`,
      `${field} ${value} is refused if it is given explicitly.`,
      inField(field, ({ fits }) => ({ fits: (given) => given !== value && fits(given) })),
    )
  const taken = <Name extends Field>(id: string, field: Name, value: Settings[Name]) =>
    fault(
      id,
      `${field} ${value} is accepted and stored.`,
      inField(field, ({ fits }) => ({ fits: (given) => given === value || fits(given) })),
    )
  const becomesDefault = (id: string, field: Field) =>
    fault(
      id,
      `An invalid ${field} is accepted, and the default is stored instead.`,
      inField<Field>(field, ({ read, fits }) => ({
        read(body, name) {
          const value = read(body, name)
          return value === undefined || fits(value) ? value : undefined
        },
      })),
    )

  const readAs = <Name extends Field>(field: Name, change: (given: Settings[Name]) => Settings[Name]) =>
    inField(field, ({ read }) => ({
      read(body, name) {
        const value = read(body, name)
        return value === undefined ? undefined : change(value)
      },
    }))

  const updateKeeps = (field: Field) =>
    fault(
      `update-keeps-${kebab(field)}`,
      `An update does not change ${field}.`,
      updating((method, { settings }) => [{ ...method, settings: { ...method.settings, [field]: settings[field] } }]),
    )
  const anyWord = (field: 'period' | 'key_size' | 'qr_size' | 'digits' | 'skew' | 'max_validation_attempts') =>
    fault(
      `takes-any-word-as-${kebab(field)}`,
      `A word is accepted as ${field}, and the default is in effect.`,
      inField(field, ({ read }) => ({
        read: (body, name) => (/^[a-z]+$/.test(String(body[name])) ? undefined : read(body, name)),
      })),
    )

  return { ofOptional, refused, taken, becomesDefault, readAs, updateKeeps, anyWord, notKept }
}

/** Stores something of a definition that was refused. */
const refusedWrite = ({ on }: Kit, stored: (settings: Settings, what: Asked, here: Here) => Method | undefined) =>
  on(['create', 'define'], isBroken, async (what, next, here) => {
    try {
      return await next()
    } catch (error) {
      const { methods, rules } = here.context
      const method = stored(asSent(what.call.body, rules.fields), what, here)
      if (method) methods.put(method)
      throw error
    }
  })

export const fieldFaults = (kit: Kit) => {
  const { faults, inField } = kit
  const { anyWord, becomesDefault, notKept, ofOptional, readAs, refused, taken, updateKeeps } = makersOf(kit)
  return [
    ...faults({
      'issuer-is-not-kept': 'issuer is validated but not stored: the issuer of a method is empty.',
      'period-string-refused': 'A duration string is refused as period.',
      'period-string-as-seconds-only': 'Only the leading number of a duration string as period counts, as seconds.',
      'period-of-the-first-unit-only': 'Only the first part of a duration string with several units as period counts.',
      'zero-skew-becomes-default': 'skew 0 is treated as unset.',
      'takes-any-algorithm': 'An unknown algorithm is accepted and stored as given.',
      'refused-write-is-kept': 'A write that is refused because of a field is stored as given.',
      'refused-update-changes-the-issuer':
        'An update that is refused because of another field still changes the issuer.',
      'refused-update-changes-other-fields':
        'An update that is refused because of a field still changes the others, except the issuer.',
      'long-issuer-is-cut': 'Only the first 100 characters of an issuer are stored.',
      'issuer-loses-signs': 'Quotes, brackets and backslashes in an issuer are dropped.',
      'issuer-ends-at-a-slash': 'An issuer is cut at its first slash.',
      'issuer-ends-at-a-colon': 'An issuer is cut at its first colon.',
      'issuer-loses-blanks': 'Several spaces in an issuer become one.',
      'issuer-is-cut': 'Only the first 64 characters of an issuer are stored.',
      'issuer-in-ascii': 'Characters of an issuer that are not ASCII are stored as question marks.',
      'max-validation-attempts-at-most-10': 'max_validation_attempts above 10 is stored as 10.',
      'period-at-least-30': 'A period below 30 s is stored as 30 s.',
      'period-in-tens': 'A period is rounded up to a multiple of 10 s.',
      'key-size-in-twos': 'An odd key_size is stored as the next even number.',
      'qr-size-at-least-200': 'A qr_size below 200 is stored as 200.',
      'max-validation-attempts-at-least-3': 'max_validation_attempts below 3 is stored as 3.',
      'key-size-follows-the-algorithm': 'A method of SHA512 that is defined without key_size gets 64.',
      'digits-follow-the-algorithm': 'A method of SHA512 that is defined without digits gets 8.',
      'digits-beside-sha512-are-6': 'A method of SHA512 that is defined with 8 digits gets 6.',
      'takes-anything-as-issuer': 'An issuer that is an object or array is accepted and stored as JSON text.',
      'issuer-optional': 'A method without issuer is created with an empty issuer.',
    }).by({
      'issuer-is-not-kept': notKept('issuer'),
      'period-string-refused': inField('period', ({ read }) => ({
        read(body, name) {
          if (hasUnit(body[name])) throw badRequest(`${name} must be a whole number`)
          return read(body, name)
        },
      })),
      'period-string-as-seconds-only': inField('period', ({ read }) => ({
        read: (body, name) => (hasUnit(body[name]) ? Number.parseInt(String(body[name]), 10) : read(body, name)),
      })),
      'period-of-the-first-unit-only': inField('period', ({ read }) => ({
        read: (body, name) =>
          read(hasUnit(body[name]) ? { [name]: /^\d+[a-z]+/.exec(body[name])?.[0] ?? body[name] } : body, name),
      })),
      'zero-skew-becomes-default': inField('skew', ({ read }) => ({
        read: (body, name) => read(body, name) || undefined,
      })),
      'takes-any-algorithm': inField('algorithm', () => ({ fits: () => true })),
      'refused-write-is-kept': refusedWrite(kit, (settings, { key, method }, { context }) => {
        const id = method?.id ?? context.services.random.uuid()
        return { id, key: key || id, settings }
      }),
      'refused-update-changes-the-issuer': refusedWrite(kit, ({ issuer }, { method }) =>
        method && issuer !== '' ? { ...method, settings: { ...method.settings, issuer } } : undefined,
      ),
      'refused-update-changes-other-fields': refusedWrite(kit, (settings, { method }, { context }) => {
        const fields: Readonly<Record<string, Pick<FieldRule<never>, 'fits'>>> = context.rules.fields
        const valid = Object.entries(settings).filter(([name, value]) => fields[name]?.fits(value as never))
        const { issuer } = method?.settings ?? settings
        return method && { ...method, settings: { ...method.settings, ...Object.fromEntries(valid), issuer } }
      }),
      'long-issuer-is-cut': readAs('issuer', (given) => given.slice(0, 100)),
      'issuer-loses-signs': readAs('issuer', (given) => given.replaceAll(/["'<>\\]/g, '')),
      'issuer-ends-at-a-slash': readAs('issuer', (given) => given.replace(/\/.*/, '')),
      'issuer-ends-at-a-colon': readAs('issuer', (given) => given.replace(/:.*/, '')),
      'issuer-loses-blanks': readAs('issuer', (given) => given.replaceAll(/ {2,}/g, ' ')),
      'issuer-is-cut': readAs('issuer', (given) => given.slice(0, 64)),
      'issuer-in-ascii': readAs('issuer', (given) => given.replaceAll(/[^ -~]/g, '?')),
      'max-validation-attempts-at-most-10': readAs('max_validation_attempts', (given) => Math.min(given, 10)),
      'period-at-least-30': readAs('period', (given) => Math.max(given, 30)),
      'period-in-tens': readAs('period', (given) => Math.ceil(given / 10) * 10),
      'key-size-in-twos': readAs('key_size', (given) => given + (given % 2)),
      'qr-size-at-least-200': readAs('qr_size', (given) => Math.max(given, 200)),
      'max-validation-attempts-at-least-3': readAs('max_validation_attempts', (given) => Math.max(given, 3)),
      'key-size-follows-the-algorithm': inField('key_size', ({ read }) => ({
        read: (body, name) => read(body, name) ?? (body.algorithm === 'SHA512' ? 64 : undefined),
      })),
      'digits-follow-the-algorithm': inField('digits', ({ read }) => ({
        read: (body, name) => read(body, name) ?? (body.algorithm === 'SHA512' ? 8 : undefined),
      })),
      'digits-beside-sha512-are-6': inField('digits', ({ read }) => ({
        read: (body, name) => (body.algorithm === 'SHA512' ? 6 : read(body, name)),
      })),
      'takes-anything-as-issuer': inField('issuer', ({ read }) => ({
        read: (body, name) => (typeof body[name] === 'object' ? JSON.stringify(body[name]) : read(body, name)),
      })),
      'issuer-optional': inField('issuer', () => ({
        absent: { value: '' },
        read: (body, name) => textField(body, name),
      })),
    }),
    ...ofOptional('period', otherDefaults.period),
    ...ofOptional('key_size', otherDefaults.key_size),
    ...ofOptional('qr_size', otherDefaults.qr_size),
    ...ofOptional('algorithm', otherDefaults.algorithm),
    ...ofOptional('digits', otherDefaults.digits),
    ...ofOptional('skew', otherDefaults.skew),
    ...ofOptional('max_validation_attempts', otherDefaults.max_validation_attempts),
    refused('sha1', 'algorithm', 'SHA1'),
    refused('sha256', 'algorithm', 'SHA256'),
    refused('sha512', 'algorithm', 'SHA512'),
    refused('6-digits', 'digits', 6),
    refused('8-digits', 'digits', 8),
    refused('skew-0', 'skew', 0),
    refused('skew-1', 'skew', 1),
    taken('takes-5-digits', 'digits', 5),
    taken('takes-7-digits', 'digits', 7),
    taken('takes-9-digits', 'digits', 9),
    taken('takes-4-digits', 'digits', 4),
    taken('takes-10-digits', 'digits', 10),
    taken('takes-skew-2', 'skew', 2),
    taken('takes-skew-3', 'skew', 3),
    taken('takes-sha384', 'algorithm', 'SHA384'),
    taken('takes-negative-skew', 'skew', -1),
    becomesDefault('wrong-digits-become-default', 'digits'),
    becomesDefault('wrong-skew-becomes-default', 'skew'),
    becomesDefault('wrong-algorithm-becomes-default', 'algorithm'),
    ...(['issuer', 'period', 'key_size', 'qr_size', 'algorithm', 'digits', 'skew'] as const).map(updateKeeps),
    updateKeeps('max_validation_attempts'),
    ...(['period', 'key_size', 'qr_size', 'digits', 'skew', 'max_validation_attempts'] as const).map(anyWord),
  ]
}
