/** Converts the state of a mount to JSON for a state file, and back. */
import {
  type Ca,
  type CaCertificate,
  type CaKey,
  caCertificate,
  caKey,
  emptyStore,
  type Issuers,
  type Origin,
  type SignedList,
  type Store,
} from './store.ts'
import type { KeyPair } from './x509/keys.ts'

interface SavedCertificate {
  readonly der: string
  readonly chain: readonly string[]
  readonly origin: Origin
}

interface SavedKey extends Omit<KeyPair, 'spki' | 'traditional'> {
  readonly spki: string
  readonly traditional: string
}

const text = (bytes: Buffer): string => bytes.toString('base64')
const bytes = (kept: string): Buffer => Buffer.from(kept, 'base64')

const savedCertificate = ({ parsed, chain, origin }: CaCertificate): SavedCertificate => ({
  der: text(parsed.der),
  chain: chain.map(text),
  origin,
})
const certificateOf = ({ der, chain, origin }: SavedCertificate): CaCertificate =>
  caCertificate(bytes(der), chain.map(bytes), origin)

export const savedKey = ({ pair }: CaKey): SavedKey => ({
  ...pair,
  spki: text(pair.spki),
  traditional: text(pair.traditional),
})
export const keyOf = (kept: SavedKey): CaKey =>
  caKey({ ...kept, spki: bytes(kept.spki), traditional: bytes(kept.traditional) })

const savedList = ({ der, delta, ...list }: SignedList) => ({
  ...list,
  der: der && text(der),
  delta: delta && { ...delta, der: text(delta.der) },
})
const listOf = ({ der, delta, ...list }: ReturnType<typeof savedList>): SignedList => ({
  ...{ covers: 0, base: 0 },
  ...list,
  der: der === undefined ? undefined : bytes(der),
  due: list.due,
  delta: delta && { ...delta, der: bytes(delta.der) },
})

const savedIssuers = ({ further, keys, names, settings, ofRoles, followsLatest }: Issuers) => ({
  followsLatest,
  further: further.map(({ certificate, key, list }) => ({
    certificate: savedCertificate(certificate),
    key: key && savedKey(key),
    list: savedList(list),
  })),
  keys: keys.map(savedKey),
  names: [...names],
  settings: [...settings],
  ofRoles: [...ofRoles],
})
const issuersOf = ({ further, keys, ...kept }: ReturnType<typeof savedIssuers>): Issuers => ({
  followsLatest: kept.followsLatest,
  further: further.map(({ certificate, key, list }) => ({
    certificate: certificateOf(certificate),
    key: key && keyOf(key),
    list: listOf(list),
  })),
  keys: keys.map(keyOf),
  names: new Map(kept.names),
  settings: new Map(kept.settings),
  ofRoles: new Map(kept.ofRoles),
})

export const savedCa = ({ state, key, certificate, shown, requested }: Ca) => ({
  state,
  key: key && savedKey(key),
  certificate: certificate && savedCertificate(certificate),
  shown: shown && savedCertificate(shown),
  requested: requested.map(savedKey),
})
export const caOf = ({ state, key, certificate, shown, requested }: ReturnType<typeof savedCa>): Ca => ({
  state,
  key: key && keyOf(key),
  certificate: certificate && certificateOf(certificate),
  shown: shown && certificateOf(shown),
  requested: requested.map(keyOf),
})

export type SavedStore = ReturnType<typeof toJson>

export function toJson({ ca, issuers, list, ...store }: Store) {
  return {
    ca: savedCa(ca),
    roles: [...store.roles],
    certificates: [...store.certificates].map(
      ([serial, stored]) => [serial, { ...stored, der: text(Buffer.from(stored.der, 'latin1')) }] as const,
    ),
    revocations: [...store.revocations].map(
      ([serial, revocation]) => [serial, { ...revocation, entry: text(revocation.entry) }] as const,
    ),
    crlConfig: store.crlConfig,
    urls: store.urls,
    list: savedList(list),
    issuers: savedIssuers(issuers),
    rebuilding: store.rebuilding,
  }
}

export function fromJson(state: unknown): Store {
  const { ca, issuers, list, ...kept } = state as SavedStore & { readonly issuers?: SavedStore['issuers'] }
  return {
    ca: caOf(ca),
    roles: new Map(kept.roles),
    certificates: new Map(
      kept.certificates.map(([serial, stored]) => [serial, { ...stored, der: bytes(stored.der).toString('latin1') }]),
    ),
    revocations: new Map(
      kept.revocations.map(([serial, revocation]) => [serial, { ...revocation, entry: bytes(revocation.entry) }]),
    ),
    crlConfig: kept.crlConfig,
    urls: kept.urls,
    list: listOf(list),
    // State files of earlier versions have only one issuer.
    issuers: issuers ? issuersOf(issuers) : emptyStore().issuers,
    rebuilding: kept.rebuilding,
  }
}
