/** Faults of secrets, of the otpauth URL and of the QR code. */
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../engines/mfa/context.ts'
import { make, present, shown } from '../../engines/mfa/handlers/secrets.ts'
import type { UrlParameter } from '../../engines/mfa/rules.ts'
import type { Method, Owner, Secret, Settings } from '../../engines/mfa/store.ts'
import { otpauthUrl } from '../../engines/mfa/totp/otpauth.ts'
import { draw, drawQrCode, modulesOf } from '../../engines/mfa/totp/qr-code.ts'
import { base32 } from '../../engines/mfa/totp/totp.ts'
import { type Call, done, type Reply } from '../../kernel/contracts.ts'
import { Refusal, refuse } from '../../kernel/http/refusal.ts'
import { presentedToken } from '../../kernel/http/request-context.ts'
import { during, withMethods } from '../with-methods.ts'
import {
  type Asked,
  firstOf,
  type Here,
  type Kit,
  removeAll,
  type SecretOperation,
  secretsOf,
  secretsOfEntity,
  withBody,
  withCall,
  withData,
} from './variant-operations.ts'

const makers = ['generate', 'admin-generate'] as const
const everyOperation = [...makers, 'admin-destroy'] as const

const isNew = ({ method, isEntity, secret }: Asked): boolean => method !== undefined && isEntity && !secret
const isHeld = ({ secret }: Asked): boolean => secret !== undefined
const isUnknownMethod = ({ key, method }: Asked): boolean => key !== '' && method === undefined
const isUnknownEntity = ({ entity, isEntity, method }: Asked): boolean =>
  method !== undefined && entity !== '' && !isEntity
const isOutdated = ({ method, secret }: Asked): boolean =>
  secret !== undefined && !isDeepStrictEqual(secret.settings, method?.settings)
const ownerOf = ({ method, entity }: Asked): Owner => ({ method: method?.id ?? '', entity })
const keyOf = ({ method, entity }: Owner): string => `${method} ${entity}`

/** Makes another secret in place of the one that there is. */
function anew({ secret }: Asked, next: () => Reply | Promise<Reply>, { context }: Here): Reply | Promise<Reply> {
  if (secret) context.secrets.remove(secret)
  return next()
}
/** Returns a secret that is not stored. */
const unstored = async (method: Method, entity: string, context: Context): Promise<Reply> => ({
  ...{ kind: 'data', data: await shown(make(method, entity, context), context) },
})

/** Authenticates a caller in the way of the pipeline, which does not do so for an endpoint that anyone may call. */
function authenticated(call: Call, { services }: Context): Call {
  const presented = presentedToken(call)
  const token = presented === undefined ? undefined : services.tokens.find(presented)
  const capability = call.verb === 'GET' ? 'read' : 'update'
  const isAllowed =
    token && services.access.aclOf(token).check({ path: call.path, capability, parameters: call.body }).allowed
  if (!isAllowed) throw new Refusal('permission-denied')
  return withCall(call, { token })
}

const ofMaker = ({ faults, finding, on }: Kit, operation: (typeof makers)[number]) =>
  faults({
    [`${operation}-gives-nothing`]: `${operation} without an existing secret succeeds, but returns and stores no secret.`,
    [`${operation}-makes-no-first-secret`]: `${operation} without an existing secret is refused.`,
    [`${operation}-overwrites`]: `${operation} with an existing secret makes a new one.`,
    [`${operation}-overwrites-after-an-update`]: `${operation} with an existing secret makes a new one if the method was updated since the secret was made.`,
    [`${operation}-takes-unknown-methods`]: `${operation} with a method that never existed succeeds but does nothing.`,
    [`${operation}-of-an-unknown-method-takes-another`]: `${operation} with a method that never existed uses another method.`,
  }).by({
    [`${operation}-gives-nothing`]: on([operation], isNew, () => done),
    [`${operation}-makes-no-first-secret`]: on([operation], isNew, () => refuse('no secret is made here')),
    [`${operation}-overwrites`]: on([operation], isHeld, anew),
    [`${operation}-overwrites-after-an-update`]: on([operation], isOutdated, anew),
    [`${operation}-takes-unknown-methods`]: on(
      [operation],
      (what) => isUnknownMethod(what) && what.isEntity,
      () => done,
    ),
    [`${operation}-of-an-unknown-method-takes-another`]: finding(
      [operation],
      (method, { key }, { context }) => method ?? (key === '' ? undefined : context.methods.all()[0]),
    ),
  })

const withoutEntity = ({ fault, on }: Kit, operation: 'admin-generate' | 'admin-destroy') =>
  fault(
    `${operation}-entity-optional`,
    `${operation} without entity_id succeeds but does nothing.`,
    ...on(
      [operation],
      ({ entity, method }) => entity === '' && method !== undefined,
      () => done,
    ),
  )

/** Makes faults of operations whose body names the method. */
const methodOptional = ({ fault, on }: Kit, operation: SecretOperation) =>
  fault(
    `${operation}-method-optional`,
    `${operation} without method_id succeeds but does nothing.`,
    ...on(
      [operation],
      ({ isEntity, key }) => key === '' && isEntity,
      () => done,
    ),
  )

/** Faults of how a secret depends on the configuration of its method. */
const ofSettings = ({ faults, remembersFirst, rule, settingsFor }: Kit) =>
  faults({
    'secrets-are-of-the-first-configuration':
      'Secrets are made with the configuration that their method had when it was defined.',
    'generate-ignores-the-configuration':
      'generate makes secrets with the default configuration, whatever the method says.',
    'qr-codes-are-of-the-first-configuration': 'QR codes have the qr_size that their method had when it was defined.',
    'generate-is-of-the-first-configuration':
      'generate makes secrets with the configuration that their method had when it was defined.',
    'generate-makes-32-bytes': 'generate always makes keys of 32 bytes, whatever key_size says.',
    'url-does-not-encode-the-issuer': 'The issuer is not encoded in the otpauth URL.',
  }).by({
    'secrets-are-of-the-first-configuration': [remembersFirst, settingsFor(makers, firstOf)],
    'generate-ignores-the-configuration': settingsFor(['generate'], ({ settings: { issuer } }) => ({
      ...{ issuer, period: 30, key_size: 20, qr_size: 200, algorithm: 'SHA1', digits: 6, skew: 1 },
      max_validation_attempts: 5,
    })),
    'qr-codes-are-of-the-first-configuration': [
      remembersFirst,
      settingsFor(makers, (method, here) => ({ ...method.settings, qr_size: firstOf(method, here).qr_size })),
    ],
    'generate-is-of-the-first-configuration': [remembersFirst, settingsFor(['generate'], firstOf)],
    'generate-makes-32-bytes': settingsFor(['generate'], ({ settings }) => ({ ...settings, key_size: 32 })),
    'url-does-not-encode-the-issuer': rule(({ url }) => ({ url: { ...url, encode: (value) => value } })),
  })

const sizes = (kit: Kit) => {
  const { faults, settingsFor } = kit
  const keys = (change: (size: number) => number) =>
    settingsFor(makers, ({ settings }) => ({ ...settings, key_size: change(settings.key_size) }))
  const pictures = (change: (size: number) => number, operations: typeof makers | ['generate'] = makers) =>
    settingsFor(operations, ({ settings }) => ({
      ...settings,
      qr_size: settings.qr_size === 0 ? 0 : change(settings.qr_size),
    }))
  return faults({
    'key-always-20-bytes': 'Keys always have 20 bytes, whatever key_size says.',
    'key-size-in-bits': 'key_size is interpreted as bits, rounded up to whole bytes.',
    'odd-keys-are-longer': 'Keys of an odd size have one byte more.',
    'key-at-most-32-bytes': 'Keys have at most 32 bytes.',
    'key-at-most-64-bytes': 'Keys have at most 64 bytes.',
    'key-at-least-16-bytes': 'Keys have at least 16 bytes.',
    'odd-qr-codes-are-smaller': 'QR codes of an odd size have one pixel less on each side.',
    'qr-code-at-most-512-pixels': 'QR codes have at most 512 pixels on each side.',
    'qr-code-of-the-caller-has-200-pixels':
      'generate always draws QR codes of 200 pixels on each side, whatever qr_size says.',
    'qr-code-always-200-pixels': 'QR codes always have 200 pixels on each side, whatever qr_size says.',
  }).by({
    'key-always-20-bytes': keys(() => 20),
    'key-size-in-bits': keys((size) => Math.ceil(size / 8)),
    'odd-keys-are-longer': keys((size) => size + (size % 2)),
    'key-at-most-32-bytes': keys((size) => Math.min(size, 32)),
    'key-at-most-64-bytes': keys((size) => Math.min(size, 64)),
    'key-at-least-16-bytes': keys((size) => Math.max(size, 16)),
    'odd-qr-codes-are-smaller': pictures((size) => size - (size % 2)),
    'qr-code-at-most-512-pixels': pictures((size) => Math.min(size, 512)),
    'qr-code-of-the-caller-has-200-pixels': pictures(() => 200, ['generate']),
    'qr-code-always-200-pixels': pictures(() => 200),
  })
}

/** Faults of the QR code that a reply shows. */
const pictures = ({ after, faults }: Kit) => {
  const drawing = (
    drawn: (secret: Secret, url: string, context: Context) => Promise<Buffer>,
    isMeant: (settings: Settings) => boolean = () => true,
  ) =>
    after(
      makers,
      (what) => isNew(what) && what.method !== undefined && isMeant(what.method.settings),
      async (what, { context }, reply) => {
        const secret = context.secrets.find(ownerOf(what))
        const { url = '' } = (reply.kind === 'data' && reply.data ? reply.data : {}) as { readonly url?: string }
        if (!secret || secret.settings.qr_size === 0) return undefined
        const barcode = (await drawn(secret, url, context)).toString('base64')
        return withData(reply, (data) => ({ ...data, barcode }))
      },
    )
  const telling = (change: (settings: Settings) => Settings) =>
    drawing(
      ({ entity, key, settings }, _url, { rules }) => {
        const url = otpauthUrl(change(settings), entity, base32(Buffer.from(key, 'base64')), rules.url)
        return drawQrCode(url, settings.qr_size)
      },
      (settings) => !isDeepStrictEqual(change(settings), settings),
    )
  return faults({
    'qr-code-is-not-exact':
      'QR codes are smaller than qr_size: their size is a multiple of the number of their modules.',
    'qr-code-is-not-square': 'QR codes are one pixel higher than wide.',
    'qr-code-has-another-secret': 'The URL in the QR code has another secret.',
    'qr-code-tells-default-digits': 'The URL in the QR code always has 6 digits, whatever the method says.',
    'qr-code-tells-default-settings':
      'The URL in the QR code always has a period of 30 seconds and the algorithm SHA1, whatever the method says.',
    'qr-code-tells-another-issuer': 'The URL in the QR code has only the first word of the issuer.',
  }).by({
    'qr-code-is-not-exact': drawing(async ({ settings }, url) => {
      const modules = await modulesOf(url)
      const size = (Math.ceil(settings.qr_size / modules.size) - 1) * modules.size
      return draw(modules, size, size)
    }),
    'qr-code-is-not-square': drawing(async ({ settings }, url) =>
      draw(await modulesOf(url), settings.qr_size, settings.qr_size + 1),
    ),
    'qr-code-has-another-secret': drawing(({ entity, key, settings }, _url, { rules, services }) => {
      const other = base32(services.random.bytes(Buffer.from(key, 'base64').length))
      return drawQrCode(otpauthUrl(settings, entity, other, rules.url), settings.qr_size)
    }),
    'qr-code-tells-default-digits': telling((settings) => ({ ...settings, digits: 6 })),
    'qr-code-tells-default-settings': telling((settings) => ({ ...settings, period: 30, algorithm: 'SHA1' })),
    'qr-code-tells-another-issuer': telling((settings) => ({
      ...settings,
      issuer: settings.issuer.replace(/ .*/, ''),
    })),
  })
}

const urlOmits = ({ fault, rule }: Kit, parameter: UrlParameter) =>
  fault(
    `url-omits-${parameter}`,
    `The otpauth URL and the QR code lack ${parameter}.`,
    rule(({ url }) => ({ url: { ...url, parameters: url.parameters.filter((name) => name !== parameter) } })),
  )

const making = (kit: Kit) => {
  const { after, fault, faults, noting, on, stored } = kit
  /** Remembers which operation made the secret of a method and an entity last, also after it was destroyed. */
  const remembersMaker = on(
    makers,
    isNew,
    async (what, next, { memory }) => {
      const reply = await next()
      memory.set(`made ${keyOf(ownerOf(what))}`, what.operation)
      return reply
    },
    { remembers: true },
  )
  const apart = (owner: Owner): readonly Owner[] =>
    makers.map((operation) => ({ ...owner, method: `${owner.method} ${operation}` }))
  return [
    ...faults({
      'admin-secrets-stand-apart': 'generate does not find secrets made by admin-generate, and vice versa.',
      'generate-works-once': 'generate is refused if the secret that was destroyed last was made by generate as well.',
      'generating-resets-the-digits': 'Making a secret sets the digits of its method to 6.',
      'generate-drops-the-secret': 'generate with an existing secret says so, and destroys the secret.',
      'secrets-end-with-a-change-of-the-entity':
        'If an entity was changed since its secret was made, it gets a new secret.',
      'secrets-end-with-a-login': 'A login that requires no code destroys the secrets of its entity.',
      'secrets-are-stored-late': 'Two simultaneous requests each make a secret of their own.',
      'generate-repeats-its-reply':
        'generate returns to every caller the secret that it returned to the first caller for the method.',
      'regenerates-the-old-secret': 'After admin-destroy, the destroyed secret is made again instead of a new one.',
      'methods-share-a-secret': 'An entity that has a secret of one method gets no secret of another method.',
      'two-secrets-at-most': 'When an entity gets a third secret, its first one is destroyed.',
      'entities-share-a-secret':
        'Once one entity has a secret of a method, a secret counts as present for every entity.',
      'admin-generate-takes-unknown-entities':
        'admin-generate for an entity that does not exist succeeds and returns a secret that is not stored.',
      'generate-without-entity':
        'generate with a token without an entity succeeds and returns a secret that is not stored.',
      'generate-without-token': 'generate without a token succeeds and returns a secret that is not stored.',
    }).by({
      'admin-secrets-stand-apart': [
        kit.finding(makers, (method, { operation }) => method && { ...method, id: `${method.id} ${operation}` }),
        stored('secrets', 'heldBy', ([owner], next) => [...next(owner), ...apart(owner).flatMap(next)]),
        stored('secrets', 'remove', ([owner], next) => {
          for (const one of [owner, ...apart(owner)]) next(one)
        }),
      ],
      'generate-works-once': [
        on(
          ['generate'],
          (what, { memory }) => isNew(what) && memory.get(`made ${keyOf(ownerOf(what))}`) === 'generate',
          () => refuse('the entity has generated a secret for this MFA method already'),
        ),
        remembersMaker,
      ],
      'generating-resets-the-digits': after(
        makers,
        (what) => isNew(what) && what.method?.settings.digits !== 6,
        ({ method }, { context }) => {
          if (method) context.methods.put({ ...method, settings: { ...method.settings, digits: 6 } })
          return undefined
        },
      ),
      'generate-drops-the-secret': after(['generate'], isHeld, (what, { context }) => {
        context.secrets.remove(ownerOf(what))
        return undefined
      }),
      'secrets-end-with-a-change-of-the-entity': [
        noting('secrets', 'put', ([secret], { context, memory }) => {
          if (!context.secrets.find(secret)) memory.set(keyOf(secret), context.services.clock.now())
        }),
        on(
          makers,
          ({ entity, secret }, { context, memory }) => {
            const changed = context.services.entities.find(entity)
            if (!secret || !changed) return false
            return changed.updatedAt > changed.createdAt && changed.updatedAt >= Number(memory.get(keyOf(secret)) ?? 0)
          },
          anew,
        ),
      ],
      'secrets-end-with-a-login': kit.extended(
        'secondFactor',
        'onLogin',
        ([login, call], next, here) => {
          const reply = next(login, call)
          if (!reply) removeAll(secretsOfEntity(login.token.entityId ?? '', here), here)
          return reply
        },
        ([login, call], here) =>
          call.headers['x-vault-mfa'] === undefined && secretsOfEntity(login.token.entityId ?? '', here).length > 0,
      ),
      'secrets-are-stored-late': on(makers, isNew, async (what, next, { context }) => {
        await wait(200)
        context.secrets.remove(ownerOf(what))
        return next()
      }),
      'generate-repeats-its-reply': on(
        ['generate'],
        ({ method, isEntity }) => method !== undefined && isEntity,
        async ({ method }, next, { memory }) => {
          const reply = (memory.get(`reply ${method?.id}`) as Reply | undefined) ?? (await next())
          memory.set(`reply ${method?.id}`, reply)
          return reply
        },
      ),
      'regenerates-the-old-secret': [
        noting('secrets', 'remove', ([owner], { context, memory }) => {
          memory.set(
            `destroyed ${keyOf(owner)}`,
            context.secrets.find(owner)?.key ?? memory.get(`destroyed ${keyOf(owner)}`),
          )
        }),
        on(
          makers,
          (what, { memory }) => isNew(what) && memory.get(`destroyed ${keyOf(ownerOf(what))}`) !== undefined,
          (what, next, { context, memory }) => {
            const { services } = context
            const bytes = () => Buffer.from(String(memory.get(`destroyed ${keyOf(ownerOf(what))}`)), 'base64')
            return during(
              context,
              { services: withMethods(services, { random: withMethods(services.random, { bytes }) }) },
              next,
            )
          },
        ),
      ],
      'methods-share-a-secret': on(
        makers,
        (what, here) => isNew(what) && secretsOfEntity(what.entity, here).length > 0,
        (_what, _next, { context }) => present(context),
      ),
      'two-secrets-at-most': after(makers, isNew, ({ entity }, here) => {
        removeAll(secretsOfEntity(entity, here).slice(0, -2), here)
        return undefined
      }),
      'entities-share-a-secret': on(
        makers,
        (what, here) => isNew(what) && what.method !== undefined && secretsOf(what.method, here).length > 0,
        (_what, _next, { context }) => present(context),
      ),
      'admin-generate-takes-unknown-entities': on(
        ['admin-generate'],
        isUnknownEntity,
        ({ entity, method }, next, { context }) => (method ? unstored(method, entity, context) : next()),
      ),
      'generate-without-entity': on(
        ['generate'],
        ({ isEntity, method }) => method !== undefined && !isEntity,
        ({ method }, next, { context }) => (method ? unstored(method, '', context) : next()),
      ),
      'generate-without-token': on(
        ['generate'],
        () => true,
        ({ call, method }, next, { context }) =>
          method && !call.token && presentedToken(call) === undefined
            ? unstored(method, '', context)
            : next(authenticated(call, context)),
        { access: 'anyone' },
      ),
    }),
    ...(['admin-generate', 'admin-destroy'] as const).map((operation) =>
      fault(
        `${operation}-without-entity-takes-the-caller`,
        `${operation} without entity_id acts on the entity of the calling token.`,
        ...on(
          [operation],
          ({ call, entity }) => entity === '' && call.body.entity_id === undefined && Boolean(call.token?.entityId),
          ({ call }, next) => next(withBody(call, { entity_id: call.token?.entityId })),
        ),
      ),
    ),
    ...(['admin-generate', 'admin-destroy'] as const).map((operation) =>
      fault(
        `${operation}-acts-on-the-caller`,
        `${operation} acts on the entity of the calling token, if it has one, whatever entity_id says.`,
        ...on(
          [operation],
          ({ call, entity }) => entity !== '' && Boolean(call.token?.entityId),
          ({ call }, next) => next(withBody(call, { entity_id: call.token?.entityId })),
        ),
      ),
    ),
  ]
}

const destroying = ({ after, faults, on, updating }: Kit) => {
  const keeps = (isKept: (what: Asked, here: Here) => boolean) =>
    on(
      ['admin-destroy'],
      (what, here) => isHeld(what) && isKept(what, here),
      () => done,
    )
  const alsoTakes = (others: (what: Asked, here: Here) => readonly Secret[]) =>
    after(
      ['admin-destroy'],
      (what, here) => what.method !== undefined && what.isEntity && others(what, here).length > 0,
      (what, here) => {
        removeAll(others(what, here), here)
        return undefined
      },
    )
  return faults({
    'destroy-keeps-the-secret': 'admin-destroy succeeds but keeps the secret.',
    'destroy-keeps-one-of-two-secrets':
      'admin-destroy succeeds but keeps the secret if the entity also has a secret of another method.',
    'destroy-keeps-secrets-from-before-an-update':
      'admin-destroy succeeds but keeps a secret that was made before an update of the method.',
    'destroy-takes-the-newest-only':
      'admin-destroy succeeds but keeps the secret unless it is the newest that was made from the method.',
    'destroy-takes-every-entity': 'admin-destroy destroys the secrets of every entity for the method.',
    'destroy-takes-every-method': 'admin-destroy destroys the secrets of the entity for every method.',
    'destroy-for-unknown-entities-takes-every':
      'admin-destroy for an entity that does not exist succeeds and destroys the secrets of every entity for the method.',
    'destroy-of-unknown-methods-takes-every':
      'admin-destroy with a method that never existed succeeds and destroys every secret of the entity.',
    'update-destroys-secrets': 'An update destroys the secrets that were made from the method.',
  }).by({
    'destroy-keeps-the-secret': keeps(() => true),
    'destroy-keeps-one-of-two-secrets': keeps(({ entity }, here) => secretsOfEntity(entity, here).length > 1),
    'destroy-keeps-secrets-from-before-an-update': keeps(isOutdated),
    'destroy-takes-the-newest-only': keeps(
      ({ method, secret }, here) => method !== undefined && secretsOf(method, here).at(-1) !== secret,
    ),
    'destroy-takes-every-entity': alsoTakes(({ method }, here) => (method ? secretsOf(method, here) : [])),
    'destroy-takes-every-method': alsoTakes(({ entity }, here) => secretsOfEntity(entity, here)),
    'destroy-for-unknown-entities-takes-every': on(['admin-destroy'], isUnknownEntity, ({ method }, _next, here) => {
      removeAll(method ? secretsOf(method, here) : [], here)
      return done
    }),
    'destroy-of-unknown-methods-takes-every': on(
      ['admin-destroy'],
      (what) => isUnknownMethod(what) && what.isEntity,
      ({ entity }, _next, here) => {
        removeAll(secretsOfEntity(entity, here), here)
        return done
      },
    ),
    'update-destroys-secrets': updating(
      (method) => [method],
      (method, here) => removeAll(secretsOf(method, here), here),
    ),
  })
}

/** A request without a known method acts on every method, and one without a known entity acts on every entity. At least
 * one of the two must be known, so that the secrets of other tests are not affected. */
function actAllTheSame({ entity, isEntity, method, operation }: Asked, { context }: Here): void {
  const { methods, secrets, services } = context
  if (!method && !isEntity) return
  const entities = isEntity ? [entity] : services.entities.all().map(({ id }) => id)
  const act = (one: Method, entity: string): void => {
    const owner = { method: one.id, entity }
    if (operation === 'admin-destroy') secrets.remove(owner)
    else if (!secrets.find(owner)) secrets.put(make(one, entity, context))
  }
  for (const one of method ? [method] : methods.all()) for (const each of entities) act(one, each)
}
const refusalsAct = ({ fault, on }: Kit) => {
  const acting = (
    operations: readonly SecretOperation[],
    authenticate: (call: Call, context: Context) => Call,
    more?: object,
  ) =>
    on(
      operations,
      () => true,
      async (what, next, here) => {
        try {
          return await next(authenticate(what.call, here.context))
        } catch (refusal) {
          const token = here.context.services.tokens.find(presentedToken(what.call) ?? '')
          const entity = what.operation === 'generate' ? (token?.entityId ?? '') : what.entity
          const isEntity = here.context.services.entities.find(entity) !== undefined
          actAllTheSame({ ...what, entity, isEntity }, here)
          throw refusal
        }
      },
      more,
    )
  return fault(
    'refusals-act',
    'A refused request makes or destroys secrets: of every method, or for every entity, if it names no existing one.',
    ...acting(['generate'], authenticated, { access: 'anyone' }),
    ...acting(['admin-generate', 'admin-destroy'], (call) => call),
  )
}

export const secretFaults = (kit: Kit) => [
  ...ofSettings(kit),
  ...sizes(kit),
  ...pictures(kit),
  ...(['issuer', 'period', 'digits', 'algorithm'] as const).map((parameter) => urlOmits(kit, parameter)),
  ...makers.flatMap((operation) => ofMaker(kit, operation)),
  ...making(kit),
  ...destroying(kit),
  ...(['admin-generate', 'admin-destroy'] as const).map((operation) => withoutEntity(kit, operation)),
  refusalsAct(kit),
]
export const methodOptionals = (kit: Kit) => everyOperation.map((operation) => methodOptional(kit, operation))
