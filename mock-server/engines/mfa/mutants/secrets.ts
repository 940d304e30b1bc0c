/** Faults of secrets, of the otpauth URL and of the QR code. The file is long because each is written out with a
 * sentence. */
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
    `${operation} without an existing secret succeeds, but returns and stores no secret.`,
    inGroup('secret', ({ absent }) => ({ absent: { ...absent, [operation]: 'nothing' } })),
  ),
  fault(
    `${operation}-makes-no-first-secret`,
    `${operation} without an existing secret is refused.`,
    inGroup('secret', ({ absent }) => ({ absent: { ...absent, [operation]: 'refused' } })),
  ),
  fault(
    `${operation}-overwrites`,
    `${operation} with an existing secret makes a new one.`,
    inGroup('secret', ({ present }) => ({ present: { ...present, [operation]: 'overwritten' as const } })),
  ),
  fault(
    `${operation}-overwrites-after-an-update`,
    `${operation} with an existing secret makes a new one if the method was updated since the secret was made.`,
    inGroup('secret', ({ present }) => ({ present: { ...present, [operation]: 'kept-until-updated' } })),
  ),
  fault(
    `${operation}-takes-unknown-methods`,
    `${operation} with a method that never existed succeeds but does nothing.`,
    inGroup('unknown', ({ method }) => ({ method: { ...method, [operation]: 'ignored' } })),
  ),
  fault(
    `${operation}-of-an-unknown-method-takes-another`,
    `${operation} with a method that never existed uses another method.`,
    inGroup('unknown', ({ method }) => ({ method: { ...method, [operation]: 'another' } })),
  ),
]

const withoutEntity = (operation: 'admin-generate' | 'admin-destroy'): Fault =>
  fault(
    `${operation}-entity-optional`,
    `${operation} without entity_id succeeds but does nothing.`,
    inGroup('missing', ({ entity }) => ({ entity: { ...entity, [operation]: 'ignored' } })),
  )

/** Makes faults of operations whose body names the method. */
export const methodOptional = (operation: SecretOperation): Fault =>
  fault(
    `${operation}-method-optional`,
    `${operation} without method_id succeeds but does nothing.`,
    inGroup('missing', ({ method }) => ({ method: { ...method, [operation]: 'ignored' } })),
  )

const settingsOfGenerate = ({ settings: { issuer } }: Method): Settings => ({
  ...{ issuer, period: 30, key_size: 20, qr_size: 200, algorithm: 'SHA1', digits: 6, skew: 1 },
  max_validation_attempts: 5,
})

/** Faults of how a secret depends on the configuration of its method. */
const ofSettings: readonly Fault[] = [
  fault(
    'secrets-are-of-the-first-configuration',
    'Secrets are made with the configuration that their method had when it was defined.',
    inSecret({ settings: { generate: ({ first }) => first, 'admin-generate': ({ first }) => first } }),
  ),
  fault(
    'generate-ignores-the-configuration',
    'generate makes secrets with the default configuration, whatever the method says.',
    inGroup('secret', ({ settings }) => ({ settings: { ...settings, generate: settingsOfGenerate } })),
  ),
  fault(
    'qr-codes-are-of-the-first-configuration',
    'QR codes have the qr_size that their method had when it was defined.',
    inGroup('secret', ({ settings }) => ({
      settings: {
        generate: (method) => ({ ...settings.generate(method), qr_size: method.first.qr_size }),
        'admin-generate': (method) => ({ ...settings['admin-generate'](method), qr_size: method.first.qr_size }),
      },
    })),
  ),
  fault(
    'generate-is-of-the-first-configuration',
    'generate makes secrets with the configuration that their method had when it was defined.',
    inGroup('secret', ({ settings }) => ({ settings: { ...settings, generate: ({ first }) => first } })),
  ),
  fault(
    'generate-makes-32-bytes',
    'generate always makes keys of 32 bytes, whatever key_size says.',
    inGroup('secret', ({ settings }) => ({
      settings: { ...settings, generate: (method) => ({ ...settings.generate(method), key_size: 32 }) },
    })),
  ),
  fault(
    'url-does-not-encode-the-issuer',
    'The issuer is not encoded in the otpauth URL.',
    inUrl({ encode: (value) => value }),
  ),
]

const urlOmits = (parameter: UrlTables['parameters'][number]): Fault =>
  fault(
    `url-omits-${parameter}`,
    `The otpauth URL and the QR code lack ${parameter}.`,
    inGroup('url', ({ parameters }) => ({ parameters: parameters.filter((name) => name !== parameter) })),
  )

/** Returns the greatest multiple of `modules` that is less than `size`. */
const multipleBelow = (size: number, modules: number): number => (Math.ceil(size / modules) - 1) * modules

export const secretFaults: readonly Fault[] = [
  ...ofSettings,
  fault('key-always-20-bytes', 'Keys always have 20 bytes, whatever key_size says.', inSecret({ bytes: () => 20 })),
  fault(
    'key-size-in-bits',
    'key_size is interpreted as bits, rounded up to whole bytes.',
    inSecret({ bytes: (size) => Math.ceil(size / 8) }),
  ),
  fault(
    'odd-keys-are-longer',
    'Keys of an odd size have one byte more.',
    inSecret({ bytes: (size) => size + (size % 2) }),
  ),
  fault(
    'odd-qr-codes-are-smaller',
    'QR codes of an odd size have one pixel less on each side.',
    inUrl({ qrSize: (size) => ({ width: size - (size % 2), height: size - (size % 2) }) }),
  ),
  fault('key-at-most-32-bytes', 'Keys have at most 32 bytes.', inSecret({ bytes: (size) => Math.min(size, 32) })),
  fault('key-at-most-64-bytes', 'Keys have at most 64 bytes.', inSecret({ bytes: (size) => Math.min(size, 64) })),
  fault('key-at-least-16-bytes', 'Keys have at least 16 bytes.', inSecret({ bytes: (size) => Math.max(size, 16) })),
  fault(
    'qr-code-at-most-512-pixels',
    'QR codes have at most 512 pixels on each side.',
    inUrl({ qrSize: (size) => ({ width: Math.min(size, 512), height: Math.min(size, 512) }) }),
  ),
  fault(
    'qr-code-of-the-caller-has-200-pixels',
    'generate always draws QR codes of 200 pixels on each side, whatever qr_size says.',
    inGroup('secret', ({ settings }) => ({
      settings: { ...settings, generate: (method) => ({ ...settings.generate(method), qr_size: 200 }) },
    })),
  ),
  fault(
    'qr-code-always-200-pixels',
    'QR codes always have 200 pixels on each side, whatever qr_size says.',
    inUrl({ qrSize: () => ({ width: 200, height: 200 }) }),
  ),
  fault(
    'qr-code-is-not-exact',
    'QR codes are smaller than qr_size: their size is a multiple of the number of their modules.',
    inUrl({
      qrSize: (size, modules) => ({ width: multipleBelow(size, modules), height: multipleBelow(size, modules) }),
    }),
  ),
  fault(
    'qr-code-is-not-square',
    'QR codes are one pixel higher than wide.',
    inUrl({ qrSize: (size) => ({ width: size, height: size + 1 }) }),
  ),
  fault('qr-code-has-another-secret', 'The URL in the QR code has another secret.', inUrl({ qrSecret: 'another' })),
  fault(
    'qr-code-tells-default-digits',
    'The URL in the QR code always has 6 digits, whatever the method says.',
    inUrl({ qrSettings: (settings) => ({ ...settings, digits: 6 }) }),
  ),
  fault(
    'qr-code-tells-default-settings',
    'The URL in the QR code always has a period of 30 seconds and the algorithm SHA1, whatever the method says.',
    inUrl({ qrSettings: (settings) => ({ ...settings, period: 30, algorithm: 'SHA1' }) }),
  ),
  fault(
    'qr-code-tells-another-issuer',
    'The URL in the QR code has only the first word of the issuer.',
    inUrl({ qrSettings: (settings) => ({ ...settings, issuer: settings.issuer.replace(/ .*/, '') }) }),
  ),
  ...(['issuer', 'period', 'digits', 'algorithm'] as const).map(urlOmits),
  ...makers.flatMap(ofMaker),
  fault(
    'admin-secrets-stand-apart',
    'generate does not find secrets made by admin-generate, and vice versa.',
    inSecret({ origins: 'apart' }),
  ),
  fault(
    'generate-works-once',
    'generate is refused if the secret that was destroyed last was made by generate as well.',
    inSecret({ generatedAgain: 'refused' }),
  ),
  fault(
    'generating-resets-the-digits',
    'Making a secret sets the digits of its method to 6.',
    inSecret({ methodAfterwards: 'six-digits' }),
  ),
  fault(
    'generate-drops-the-secret',
    'generate with an existing secret says so, and destroys the secret.',
    inGroup('secret', ({ present }) => ({ present: { ...present, generate: 'dropped' as const } })),
  ),
  fault(
    'destroy-keeps-the-secret',
    'admin-destroy succeeds but keeps the secret.',
    inDestruction({ takes: 'nothing' }),
  ),
  fault(
    'destroy-keeps-one-of-two-secrets',
    'admin-destroy succeeds but keeps the secret if the entity also has a secret of another method.',
    inDestruction({ reaches: ({ methods }) => methods < 2 }),
  ),
  fault(
    'destroy-keeps-secrets-from-before-an-update',
    'admin-destroy succeeds but keeps a secret that was made before an update of the method.',
    inDestruction({ reaches: ({ isOutdated }) => !isOutdated }),
  ),
  fault(
    'update-destroys-secrets',
    'An update destroys the secrets that were made from the method.',
    inSecret({ afterUpdate: 'destroyed' }),
  ),
  fault(
    'secrets-end-with-a-change-of-the-entity',
    'If an entity was changed since its secret was made, it gets a new secret.',
    inSecret({ afterEntityChange: 'overwritten' }),
  ),
  fault(
    'secrets-end-with-a-login',
    'A login that requires no code destroys the secrets of its entity.',
    inSecret({ afterLogin: 'destroyed' }),
  ),
  fault(
    'secrets-are-stored-late',
    'Two simultaneous requests each make a secret of their own.',
    inSecret({ stored: 'a-moment-later' }),
  ),
  fault(
    'generate-repeats-its-reply',
    'generate returns to every caller the secret that it returned to the first caller for the method.',
    inSecret({ given: 'to-every-caller' }),
  ),
  fault(
    'regenerates-the-old-secret',
    'After admin-destroy, the destroyed secret is made again instead of a new one.',
    inSecret({ afterDestruction: 'earlier' }),
  ),
  fault(
    'destroy-takes-the-newest-only',
    'admin-destroy succeeds but keeps the secret unless it is the newest that was made from the method.',
    inDestruction({ reaches: ({ isNewest }) => isNewest }),
  ),
  fault(
    'destroy-takes-every-entity',
    'admin-destroy destroys the secrets of every entity for the method.',
    inDestruction({ entities: 'every' }),
  ),
  fault(
    'destroy-takes-every-method',
    'admin-destroy destroys the secrets of the entity for every method.',
    inDestruction({ methods: 'every' }),
  ),
  fault(
    'methods-share-a-secret',
    'An entity that has a secret of one method gets no secret of another method.',
    inSecret({ presentOf: 'any-method' }),
  ),
  fault(
    'two-secrets-at-most',
    'When an entity gets a third secret, its first one is destroyed.',
    inSecret({ most: 2 }),
  ),
  fault(
    'entities-share-a-secret',
    'Once one entity has a secret of a method, a secret counts as present for every entity.',
    inSecret({ presentFor: 'any-entity' }),
  ),
  fault(
    'destroy-for-unknown-entities-takes-every',
    'admin-destroy for an entity that does not exist succeeds and destroys the secrets of every entity for the method.',
    inGroup('unknown', ({ entity }) => ({ entity: { ...entity, 'admin-destroy': 'every' as const } })),
  ),
  fault(
    'destroy-of-unknown-methods-takes-every',
    'admin-destroy with a method that never existed succeeds and destroys every secret of the entity.',
    inGroup('unknown', ({ method }) => ({ method: { ...method, 'admin-destroy': 'every' as const } })),
  ),
  ...(['admin-generate', 'admin-destroy'] as const).map((operation) =>
    fault(
      `${operation}-acts-on-the-caller`,
      `${operation} acts on the entity of the calling token, if it has one, whatever entity_id says.`,
      (tables) => ({ ...tables, actsOn: { ...tables.actsOn, [operation]: 'entity-of-the-caller' as const } }),
    ),
  ),
  withoutEntity('admin-generate'),
  withoutEntity('admin-destroy'),
  fault(
    'admin-generate-takes-unknown-entities',
    'admin-generate for an entity that does not exist succeeds and returns a secret that is not stored.',
    inGroup('unknown', ({ entity }) => ({ entity: { ...entity, 'admin-generate': 'unstored' as const } })),
  ),
  fault(
    'generate-without-entity',
    'generate with a token without an entity succeeds and returns a secret that is not stored.',
    inCallers({ withoutEntity: 'unstored' }),
  ),
  fault(
    'generate-without-token',
    'generate without a token succeeds and returns a secret that is not stored.',
    inCallers({ withoutToken: 'unstored' }),
  ),
]
