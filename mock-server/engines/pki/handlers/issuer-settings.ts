/** Changes the settings of issuers, deletes and revokes issuers, and chooses the default one. */
import { type Call, done, type Reply } from '../../../kernel/contracts.ts'
import { anyListField, flagField, textField } from '../../../kernel/http/body-fields.ts'
import { badRequest } from '../../../kernel/http/refusal.ts'
import {
  findIssuerAt,
  issuerAt,
  issuersOf,
  type KnownIssuer,
  makeDefault,
  removeIssuer,
  rename,
  settingsOf,
  usages,
  usualSettings,
} from '../certificates/issuers.ts'
import type { Context } from '../context.ts'
import type { IssuerSettings } from '../store.ts'
import type { KeyType } from '../x509/keys.ts'
import { showIssuer } from './issuers.ts'

const behaviors = ['err', 'truncate', 'permit'] as const
function urlsIn(body: Call['body'], name: string): readonly string[] | undefined {
  const urls = anyListField(body, name)
  const bad = urls?.find((url) => !URL.canParse(url))
  if (bad !== undefined) throw badRequest(`${name}: ${JSON.stringify(bad)} is not a URL`)
  return urls
}

/** Reads the algorithm that signs revocation lists; empty for the usual one. */
function algorithmIn(body: Call['body'], old: IssuerSettings, type: KeyType | undefined): string {
  const algorithm = textField(body, 'revocation_signature_algorithm') ?? old.revocation_signature_algorithm
  const form = type === 'ec' ? /^ECDSAWithSHA(256|384|512)$/i : /^SHA(256|384|512)WithRSA$/i
  if (algorithm !== '' && !form.test(algorithm))
    throw badRequest(`revocation_signature_algorithm ${algorithm} is not one that this server signs with by this key`)
  return algorithm
}

/** Reads the settings in a request. A missing one is taken from `old`. */
function readSettings(
  body: Call['body'],
  old: IssuerSettings,
  issuer: KnownIssuer,
  { store }: Context,
): IssuerSettings {
  const behavior = textField(body, 'leaf_not_after_behavior') ?? old.leaf_not_after_behavior
  const known = behaviors.find((one) => one === behavior)
  if (!known) throw badRequest(`leaf_not_after_behavior must be one of ${behaviors.join(', ')}`)
  const usage = anyListField(body, 'usage') ?? old.usage
  const unknown = usage.find((one) => !usages.includes(one))
  if (unknown !== undefined) throw badRequest(`usage: ${unknown} is not one of ${usages.join(', ')}`)
  const chain = anyListField(body, 'manual_chain') ?? old.manual_chain
  return {
    leaf_not_after_behavior: known,
    usage: usage.includes('read-only') ? usage : [...usage, 'read-only'],
    manual_chain: chain.map((ref) => (ref === 'self' ? issuer : issuerAt(store, ref)).id),
    revocation_signature_algorithm: algorithmIn(body, old, issuer.key?.pair.type),
    urls: {
      issuingCertificates: urlsIn(body, 'issuing_certificates') ?? old.urls.issuingCertificates,
      crlDistributionPoints: urlsIn(body, 'crl_distribution_points') ?? old.urls.crlDistributionPoints,
      ocspServers: urlsIn(body, 'ocsp_servers') ?? old.urls.ocspServers,
    },
    revokedAt: old.revokedAt,
  }
}

function change(call: Call, context: Context, keeps: boolean): Reply {
  const { store } = context
  if (flagField(call.body, 'enable_aia_url_templating'))
    throw badRequest('enable_aia_url_templating: this server has no templates of URLs')
  const issuer = issuerAt(store, call.params.ref ?? '')
  const old = settingsOf(store, issuer.id)
  const start = keeps ? old : { ...usualSettings, revokedAt: old.revokedAt }
  const next = readSettings(call.body, start, issuer, context)
  const name = textField(call.body, 'issuer_name') ?? (keeps ? undefined : '')
  if (name !== undefined) rename(store, 'issuer', issuer.id, name)
  store.issuers.settings.set(issuer.id, next)
  return showIssuer(issuer, store)
}

export const writeIssuer = (call: Call, context: Context): Reply => change(call, context, false)
export const patchIssuer = (call: Call, context: Context): Reply => change(call, context, true)

export function deleteIssuer({ params }: Call, { store }: Context): Reply {
  const issuer = findIssuerAt(store, params.ref ?? '')
  if (!issuer) return done
  removeIssuer(store, issuer)
  if (!issuer.isDefault) return done
  return { kind: 'empty', warnings: ['the default issuer was deleted; there is none until another one is chosen'] }
}

/** Revokes an issuer, which then issues no more certificates, but still signs its revocation list. */
export function revokeIssuer({ params }: Call, context: Context): Reply {
  const { store } = context
  const issuer = issuerAt(store, params.ref ?? '')
  const old = settingsOf(store, issuer.id)
  const revokedAt = old.revokedAt ?? context.clock.now()
  const usage = old.usage.filter((one) => one !== 'issuing-certificates')
  store.issuers.settings.set(issuer.id, { ...old, usage, revokedAt })
  return showIssuer(issuer, store)
}

export function readDefault({ store }: Context): Reply {
  const standard = issuersOf(store).find(({ isDefault }) => isDefault)
  return {
    kind: 'data',
    data: { default: standard?.id ?? '', default_follows_latest_issuer: store.issuers.followsLatest },
  }
}

function choose(context: Context, ref: string): Reply {
  const { store } = context
  const issuer = findIssuerAt(store, ref)
  if (!issuer) throw badRequest(`unable to find PKI issuer for reference: ${ref}`)
  if (!issuer.isDefault) makeDefault(store, issuer.id)
  const reply = readDefault(context)
  const warnings = ['the default issuer has no key here, so nothing can be signed with it']
  return issuer.key || reply.kind !== 'data' ? reply : { ...reply, warnings }
}

export function writeDefault({ body }: Call, context: Context): Reply {
  const reply = choose(context, textField(body, 'default') ?? 'default')
  const follows = flagField(body, 'default_follows_latest_issuer')
  if (follows === undefined) return reply
  context.store.issuers.followsLatest = follows
  return readDefault(context)
}

/** Makes an issuer the default: the one that the request names, or else `next`, the name that a rotation gives. */
export const replaceRoot = ({ body }: Call, context: Context): Reply =>
  choose(context, textField(body, 'default') ?? 'next')
