/** Mutants of secrets, of the URL and of the picture. */
import type { Method, Settings } from '../store.ts'
import type { SecretOperation, SecretTables, UrlTables, VariantTables } from '../tables.ts'
import { type Fault, fault, inGroup } from './cells.ts'

const inSecret = (changed: Partial<SecretTables>) => inGroup('secret', () => changed)
const inDestruction = (changed: Partial<SecretTables['destruction']>) =>
  inGroup('secret', ({ destruction }) => ({ destruction: { ...destruction, ...changed } }))
const inCallers = (changed: Partial<VariantTables['callers']>) => inGroup('callers', () => changed)
const inUrl = (changed: Partial<UrlTables>) => inGroup('url', () => changed)

const makers = ['generate', 'admin-generate'] as const

const ofMaker = (operation: (typeof makers)[number]): readonly Fault[] => [
  fault(
    `${operation}-gives-nothing`,
    `${operation} with no secret present succeeds without a secret, and stores none.`,
    inGroup('secret', ({ absent }) => ({ absent: { ...absent, [operation]: 'nothing' } })),
  ),
  fault(
    `${operation}-makes-no-first-secret`,
    `${operation} with no secret present is refused.`,
    inGroup('secret', ({ absent }) => ({ absent: { ...absent, [operation]: 'refused' } })),
  ),
  fault(
    `${operation}-overwrites`,
    `${operation} with a secret present makes a new one.`,
    inGroup('secret', ({ present }) => ({ present: { ...present, [operation]: 'overwritten' } })),
  ),
  fault(
    `${operation}-overwrites-after-an-update`,
    `${operation} with a secret present makes a new one if the method was updated after the secret was made.`,
    inGroup('secret', ({ present }) => ({ present: { ...present, [operation]: 'kept-until-updated' } })),
  ),
  fault(
    `${operation}-takes-unknown-methods`,
    `${operation} with a method that never existed succeeds and does nothing.`,
    inGroup('unknown', ({ method }) => ({ method: { ...method, [operation]: 'ignored' } })),
  ),
  fault(
    `${operation}-of-an-unknown-method-takes-another`,
    `${operation} with a method that never existed acts on another one.`,
    inGroup('unknown', ({ method }) => ({ method: { ...method, [operation]: 'another' } })),
  ),
]

const withoutEntity = (operation: 'admin-generate' | 'admin-destroy'): Fault =>
  fault(
    `${operation}-entity-optional`,
    `${operation} without entity_id succeeds and does nothing.`,
    inGroup('missing', ({ entity }) => ({ entity: { ...entity, [operation]: 'ignored' } })),
  )

/** These need a method that is named in the body. */
export const methodOptional = (operation: SecretOperation): Fault =>
  fault(
    `${operation}-method-optional`,
    `${operation} without method_id succeeds and does nothing.`,
    inGroup('missing', ({ method }) => ({ method: { ...method, [operation]: 'ignored' } })),
  )

const settingsOfGenerate = ({ settings: { issuer } }: Method): Settings => ({
  ...{ issuer, period: 30, key_size: 20, qr_size: 200, algorithm: 'SHA1', digits: 6, skew: 1 },
  max_validation_attempts: 5,
})

/** These are about what a secret takes from its method. */
const ofSettings: readonly Fault[] = [
  fault(
    'secrets-are-of-the-first-configuration',
    'Secrets are made from what their method was when it was defined.',
    inSecret({ settings: { generate: ({ first }) => first, 'admin-generate': ({ first }) => first } }),
  ),
  fault(
    'generate-ignores-the-configuration',
    'generate makes secrets of the defaults, whatever the method says.',
    inGroup('secret', ({ settings }) => ({ settings: { ...settings, generate: settingsOfGenerate } })),
  ),
  fault(
    'url-does-not-encode-the-issuer',
    'The issuer is in the URL without any encoding.',
    inUrl({ encode: (value) => value }),
  ),
]

const urlOmits = (parameter: UrlTables['parameters'][number]): Fault =>
  fault(
    `url-omits-${parameter}`,
    `The otpauth URL lacks ${parameter}, and the QR code with it.`,
    inGroup('url', ({ parameters }) => ({ parameters: parameters.filter((one) => one !== parameter) })),
  )

/** Returns the greatest multiple of the modules that is smaller than the size. */
const multipleBelow = (size: number, modules: number): number => (Math.ceil(size / modules) - 1) * modules

export const secretFaults: readonly Fault[] = [
  ...ofSettings,
  fault('key-always-20-bytes', 'Keys have 20 bytes whatever key_size says.', inSecret({ bytes: () => 20 })),
  fault(
    'key-size-in-bits',
    'key_size is taken as bits, rounded up to whole bytes, when a key is made.',
    inSecret({ bytes: (size) => Math.ceil(size / 8) }),
  ),
  fault('key-at-most-32-bytes', 'Keys have at most 32 bytes.', inSecret({ bytes: (size) => Math.min(size, 32) })),
  fault('key-at-most-64-bytes', 'Keys have at most 64 bytes.', inSecret({ bytes: (size) => Math.min(size, 64) })),
  fault('key-at-least-16-bytes', 'Keys have at least 16 bytes.', inSecret({ bytes: (size) => Math.max(size, 16) })),
  fault(
    'qr-code-at-most-512-pixels',
    'A QR code of more than 512 pixels is drawn with 512.',
    inUrl({ qrSize: (size) => ({ width: Math.min(size, 512), height: Math.min(size, 512) }) }),
  ),
  fault(
    'qr-code-of-the-caller-has-200-pixels',
    'generate draws QR codes of 200 pixels, whatever qr_size says.',
    inGroup('secret', ({ settings }) => ({
      settings: { ...settings, generate: (method) => ({ ...settings.generate(method), qr_size: 200 }) },
    })),
  ),
  fault(
    'qr-code-always-200-pixels',
    'QR codes have 200 pixels whatever qr_size says.',
    inUrl({ qrSize: () => ({ width: 200, height: 200 }) }),
  ),
  fault(
    'qr-code-is-not-exact',
    'A QR code has a multiple of its modules in pixels, less than qr_size.',
    inUrl({
      qrSize: (size, modules) => ({ width: multipleBelow(size, modules), height: multipleBelow(size, modules) }),
    }),
  ),
  fault(
    'qr-code-is-not-square',
    'The picture is one pixel higher than wide.',
    inUrl({ qrSize: (size) => ({ width: size, height: size + 1 }) }),
  ),
  fault('qr-code-has-another-secret', 'The QR code holds the URL with another secret.', inUrl({ qrSecret: 'another' })),
  fault(
    'qr-code-tells-default-digits',
    'The QR code holds the URL with 6 digits, whatever the method says.',
    inUrl({ qrSettings: (settings) => ({ ...settings, digits: 6 }) }),
  ),
  ...(['issuer', 'period', 'digits', 'algorithm'] as const).map(urlOmits),
  ...makers.flatMap(ofMaker),
  fault(
    'admin-secrets-stand-apart',
    'Secrets made by generate and by admin-generate are kept apart.',
    inSecret({ origins: 'apart' }),
  ),
  fault(
    'destroy-keeps-the-secret',
    'admin-destroy succeeds and keeps the secret.',
    inDestruction({ takes: 'nothing' }),
  ),
  fault(
    'destroy-keeps-one-of-two-secrets',
    'admin-destroy succeeds and keeps the secret if the entity has one of another method, too.',
    inDestruction({ reaches: ({ methods }) => methods < 2 }),
  ),
  fault(
    'destroy-keeps-secrets-from-before-an-update',
    'admin-destroy succeeds and keeps a secret that was made before an update of the method.',
    inDestruction({ reaches: ({ isOutdated }) => !isOutdated }),
  ),
  fault(
    'update-destroys-secrets',
    'An update destroys the secrets that were made from the method.',
    inSecret({ afterUpdate: 'destroyed' }),
  ),
  fault(
    'secrets-end-with-a-change-of-the-entity',
    'An entity that was changed after a secret was made gets another one.',
    inSecret({ afterEntityChange: 'overwritten' }),
  ),
  fault(
    'secrets-end-with-a-login',
    'A login that needs no code destroys the secrets of its entity.',
    inSecret({ afterLogin: 'destroyed' }),
  ),
  fault(
    'secrets-are-stored-late',
    'Of two requests at the same time each makes a secret.',
    inSecret({ stored: 'a-moment-later' }),
  ),
  fault(
    'generate-repeats-its-reply',
    'generate gives every caller the secret of a method that it gave the first one.',
    inSecret({ given: 'to-every-caller' }),
  ),
  fault(
    'regenerates-the-old-secret',
    'A secret made after admin-destroy is the earlier one.',
    inSecret({ afterDestruction: 'earlier' }),
  ),
  fault(
    'destroy-takes-the-newest-only',
    'admin-destroy succeeds and keeps the secret if another one was made from the method later.',
    inDestruction({ reaches: ({ isNewest }) => isNewest }),
  ),
  fault(
    'destroy-takes-every-entity',
    'admin-destroy removes the secrets of every entity for that method.',
    inDestruction({ entities: 'every' }),
  ),
  fault(
    'destroy-takes-every-method',
    'admin-destroy removes the secrets of that entity for every method.',
    inDestruction({ methods: 'every' }),
  ),
  fault(
    'methods-share-a-secret',
    'An entity that has a secret of one method gets none of another.',
    inSecret({ presentOf: 'any-method' }),
  ),
  fault('two-secrets-at-most', 'The third secret of an entity destroys its first one.', inSecret({ most: 2 })),
  fault(
    'entities-share-a-secret',
    'A secret counts as present for every entity once one has one for that method.',
    inSecret({ presentFor: 'any-entity' }),
  ),
  fault(
    'destroy-for-unknown-entities-takes-every',
    'admin-destroy for an entity that does not exist succeeds, and removes the secrets of every entity for that method.',
    inGroup('unknown', ({ entity }) => ({ entity: { ...entity, 'admin-destroy': 'every' as const } })),
  ),
  fault(
    'destroy-of-unknown-methods-takes-every',
    'admin-destroy with a method that never existed succeeds, and removes every secret of that entity.',
    inGroup('unknown', ({ method }) => ({ method: { ...method, 'admin-destroy': 'every' as const } })),
  ),
  withoutEntity('admin-generate'),
  withoutEntity('admin-destroy'),
  fault(
    'admin-generate-takes-unknown-entities',
    'admin-generate for an entity that does not exist succeeds, with a secret.',
    inGroup('unknown', ({ entity }) => ({ entity: { ...entity, 'admin-generate': 'unstored' as const } })),
  ),
  fault(
    'generate-without-entity',
    'generate by a token without an entity succeeds, with a secret that is stored nowhere.',
    inCallers({ withoutEntity: 'unstored' }),
  ),
  fault(
    'generate-without-token',
    'generate without a token succeeds, with a secret that is stored nowhere.',
    inCallers({ withoutToken: 'unstored' }),
  ),
]
