/** The public bugs of plugin catalogs and of TOTP methods, as rules on the wire. */
import { isObject, type Json, type JsonObject } from '../../harness/vocabulary/index.ts'
import {
  answering,
  eachValue,
  isList,
  isSuccess,
  jsonOf,
  type Opening,
  placeOf,
  refusal,
  remembering,
  rewritingData,
} from '../differences/bends.ts'
import {
  actingAsAtFirst,
  asking,
  dataOf,
  done,
  fieldsAt,
  refusedAs,
  refusing,
  refusingAs,
  textIn,
  withFields,
  writing,
} from './rules.ts'

const plugin = /^sys\/plugins\/catalog\/(auth|database|secret)\/([^/]+)$/
const catalog = /^sys\/plugins\/catalog(?:\/(?:auth|database|secret))?$/

const namesOf = (entry: Json): string => (isObject(entry) ? String(entry.name) : String(entry))

const withoutNames = (value: Json | undefined, hidden: ReadonlySet<string>): Json | undefined =>
  Array.isArray(value) ? value.filter((entry) => !hidden.has(namesOf(entry as Json))) : value

export const catalogAndMethods = {
  'plugins-with-versions-are-not-listed': remembering(
    () => new Set<string>(),
    (versioned) => async (sent, pass) => {
      const place = placeOf(sent)
      const name = plugin.exec(place)?.[2]
      const answer = await pass(sent)
      if (name !== undefined && fieldsAt(sent, plugin)?.version !== undefined && isSuccess(answer)) versioned.add(name)
      if (!catalog.test(place) || versioned.size === 0) return answer
      const hide: Opening = rewritingData(
        (data) =>
          Object.fromEntries(
            Object.entries(data).map(([key, value]) => [key, withoutNames(value, versioned) ?? null]),
          ) as JsonObject,
      )
      return hide({ now: () => 0, wait: async () => {} })(sent, async () => answer)
    },
  ),
  'plugins-digest-by-its-older-name': refusing(plugin, ({ sha_256 }) => sha_256 === undefined),
  'plugins-unknown-panic': refusedAs(500, (sent) => sent.method === 'GET' && plugin.test(placeOf(sent))),
  'plugins-stay-registered': () => async (sent, pass) =>
    sent.method === 'DELETE' && plugin.test(placeOf(sent)) ? done() : pass(sent),
  'plugins-digest-in-base64': rewritingData((data, sent) =>
    plugin.test(placeOf(sent)) && typeof data.sha256 === 'string'
      ? { ...data, sha256: Buffer.from(data.sha256, 'hex').toString('base64') }
      : data,
  ),
  'plugins-list-fails': () => async (sent, pass) =>
    sent.method === 'GET' && !isList(sent) && placeOf(sent) === 'sys/plugins/catalog' ? refusal(500) : pass(sent),
  'mfa-deleted-through-another-type': () => async (sent, pass) =>
    sent.method === 'DELETE'
      ? pass({ ...sent, path: sent.path.replace(/(\/identity\/mfa\/method\/)(?:duo|okta|pingid)\//, '$1totp/') })
      : pass(sent),
  'plugins-not-read-by-version': refusingAs(
    404,
    (sent) => sent.method === 'GET' && plugin.test(placeOf(sent)) && textIn(sent.query.version) !== '',
  ),
  'plugins-read-without-their-version': remembering(
    () => new Map<string, string>(),
    (versions) => async (sent, pass) => {
      const place = placeOf(sent)
      const version = fieldsAt(sent, plugin)?.version
      const answer = await pass(sent)
      if (version !== undefined && isSuccess(answer)) versions.set(place, textIn(version))
      const isLost = sent.method === 'GET' && answer.status === 404 && textIn(sent.query.version) === ''
      return isLost && versions.has(place) ? pass({ ...sent, query: { version: versions.get(place) ?? '' } }) : answer
    },
  ),
  'plugins-digest-stays': remembering(
    () => new Map<string, Json>(),
    (digests) => async (sent, pass) => {
      const fields = fieldsAt(sent, plugin)
      const key = `${placeOf(sent)}?${textIn(sent.query.version ?? fields?.version)}`
      if (!fields && sent.method === 'DELETE') digests.delete(key)
      if (fields?.sha256 === undefined) return pass(sent)
      const first = digests.get(key) ?? fields.sha256
      digests.set(key, first)
      return pass(withFields(sent, { ...fields, sha256: first }))
    },
  ),
  'plugins-of-other-types': answering((answer, sent) =>
    fieldsAt(sent, /^sys\/plugins\/catalog\/(?!auth\/|database\/|secret\/)[^/]+\/[^/]+$/) ? done() : answer,
  ),
  'mfa-codes-with-blanks': writing(/^sys\/mfa\/validate$/, (fields) =>
    isObject(fields.mfa_payload)
      ? {
          ...fields,
          mfa_payload: eachValue(fields.mfa_payload, (value) => (typeof value === 'string' ? value.trim() : value)),
        }
      : fields,
  ),
  'mfa-secret-is-not-kept': remembering(
    () => new Set<string>(),
    (known) => async (sent, pass) => {
      const fields = fieldsAt(sent, /^identity\/mfa\/method\/totp\/admin-generate$/)
      const key = JSON.stringify(fields)
      const answer = await pass(sent)
      if (fields && isSuccess(answer) && !known.has(key)) {
        known.add(key)
        await asking(sent, pass, 'POST', 'identity/mfa/method/totp/admin-destroy', fields)
      }
      return answer
    },
  ),
  'mfa-secrets-of-deleted-methods': remembering(
    () => new Set<string>(),
    (deleted) => async (sent, pass) => {
      const [, id = ''] = /^identity\/mfa\/method\/totp\/([^/]+)$/.exec(placeOf(sent)) ?? []
      if (sent.method === 'DELETE') deleted.add(id)
      return deleted.has(textIn(fieldsAt(sent, /\/admin-destroy$/)?.method_id)) ? refusal() : pass(sent)
    },
  ),
  'mfa-login-tokens-are-lost': remembering(
    () => new Set<string>(),
    (lost) => async (sent, pass) => {
      if (lost.has(sent.headers['x-vault-token'] ?? '')) return refusal(403)
      const answer = await pass(sent)
      const auth = fieldsAt(sent, /^sys\/mfa\/validate$/) && isSuccess(answer) ? jsonOf(answer)?.auth : undefined
      if (isObject(auth)) lost.add(textIn(auth.client_token))
      return answer
    },
  ),
  'mfa-methods-of-parents-not-listed': remembering(
    () => new Map<string, string>(),
    (homes) => async (sent, pass) => {
      const [path = ''] = placeOf(sent).split('identity/mfa/method/')
      const home = `${sent.headers['x-vault-namespace'] ?? ''}${path}`
      const answer = await pass(sent)
      const id = fieldsAt(sent, /identity\/mfa\/method\/totp/) ? dataOf(jsonOf(answer)).method_id : undefined
      if (typeof id === 'string') homes.set(id, home)
      if (!isList(sent) || !/identity\/mfa\/method\/totp$/.test(placeOf(sent))) return answer
      const isOfAnother = (key: Json) => (homes.get(String(key)) ?? home) !== home
      const hide: Opening = rewritingData((data) => ({
        ...data,
        keys: Array.isArray(data.keys) ? data.keys.filter((key) => !isOfAnother(key as Json)) : [],
      }))
      return hide({ now: () => 0, wait: async () => {} })(sent, async () => answer)
    },
  ),
  'mfa-updates-have-no-effect': actingAsAtFirst(/^sys\/mfa\/method\/totp\/[^/]+$/),
  'plugins-commands-with-their-directory': rewritingData((data, sent) =>
    plugin.test(placeOf(sent)) && typeof data.command === 'string'
      ? { ...data, command: `/opt/vault/plugins/${data.command}` }
      : data,
  ),
  'mfa-secrets-of-namespaces-stay': () => async (sent, pass) => {
    const isInside = sent.headers['x-vault-namespace'] !== undefined || !placeOf(sent).startsWith('identity/')
    return isInside && /identity\/mfa\/method\/totp\/admin-destroy$/.test(placeOf(sent)) ? done() : pass(sent)
  },
} satisfies Readonly<Record<string, Opening>>
