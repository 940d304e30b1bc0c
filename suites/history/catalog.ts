/** The public bugs of plugin catalogs and of TOTP methods, as rules on the wire. */
import { isObject, type Json, type JsonObject } from '../../harness/vocabulary/index.ts'
import { isList, isSuccess, type Opening, placeOf, refusal, remembering, rewritingData } from '../differences/bends.ts'
import { fieldsAt, refusedAs } from './rules.ts'

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
  'plugins-unknown-panic': refusedAs(500, (sent) => sent.method === 'GET' && plugin.test(placeOf(sent))),
  'plugins-stay-registered': () => async (sent, pass) =>
    sent.method === 'DELETE' && plugin.test(placeOf(sent))
      ? { status: 204, headers: {}, body: new Uint8Array() }
      : pass(sent),
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
} satisfies Readonly<Record<string, Opening>>
