/** Mutants of reads and writes of roles, of reads of certificates and of access. */

import { serialKey } from '../../engines/pki/certificates/serials.ts'
import { formats } from '../../engines/pki/rules/formats.ts'
import { bareReads, certificates, roles } from '../../engines/pki/rules/reads.ts'
import type { Role, Store, Stored } from '../../engines/pki/store.ts'
import { readCertificate } from '../../engines/pki/x509/certificate.ts'
import { type KeyPair, traditionalPem } from '../../engines/pki/x509/keys.ts'
import { readName } from '../../engines/pki/x509/names.ts'
import { pem } from '../../engines/pki/x509/pem.ts'
import { type Change, cell, fresh, mutant, type PkiMutant, part, requestField } from './cells.ts'

const role = (cells: Partial<typeof roles>) => cell('reads', 'roles', cells)
const certificate = (cells: Partial<typeof certificates>) => cell('reads', 'certificates', cells)
const bare = (cells: Partial<typeof bareReads>) => cell('reads', 'bareReads', cells)
const parsed = ({ der }: Stored) => readCertificate(Buffer.from(der, 'latin1'))

/** Remembers deleted roles, so that a cell can still use them. */
const remembering = (use: (deleted: (store: Store) => Map<string, Role>) => Partial<typeof roles>): Change =>
  fresh(() => {
    const byStore = new WeakMap<Store, Map<string, Role>>()
    const deleted = (store: Store): Map<string, Role> => {
      const known = byStore.get(store) ?? new Map<string, Role>()
      byStore.set(store, known)
      return known
    }
    return role({
      remove(store, name) {
        const gone = store.roles.get(name)
        if (gone) deleted(store).set(name, gone)
        roles.remove(store, name)
      },
      ...use(deleted),
    })
  })

const locationFields = ['country', 'locality', 'province', 'street_address']
const namingOptions = [
  'allow_localhost',
  'allow_bare_domains',
  'allow_subdomains',
  'allow_glob_domains',
  'allow_any_name',
  'allow_wildcard_certificates',
]
const duties = ['enforce_hostnames', 'require_cn', 'no_store']
const durationFields = ['ttl', 'max_ttl', 'not_before_duration']

/** Lets `settle` choose what an update stores in each field, from its old and its written value. */
const updating = (settle: (old: unknown, written: unknown, field: string) => unknown): Change =>
  role({
    write(store, name, written) {
      const settled = Object.entries(roles.read(store, name) ?? {}).map(([field, old]) => [
        field,
        settle(old, written[field as keyof Role], field),
      ])
      roles.write(store, name, { ...written, ...Object.fromEntries(settled) })
    },
  })

function omitsFirst(): Change {
  return role({ names: (store) => roles.names(store).slice(store.roles.size > 1 ? 1 : 0) })
}

function omitsLast(): Change {
  const last = new WeakMap<Store, string>()
  return role({
    write(store, name, written) {
      last.set(store, name)
      roles.write(store, name, written)
    },
    names: (store) => roles.names(store).filter((name) => name !== last.get(store)),
  })
}

/** Remembers the private keys that were returned, and shows each in reads of its certificate. */
function revealsKeys(): Change {
  const known = new Map<string, KeyPair>()
  return (rules) => ({
    ...rules,
    returnedKey(key) {
      known.set(key.spki.toString('hex'), key)
      return key
    },
    reads: {
      ...rules.reads,
      certificates: {
        ...certificates,
        extra(stored) {
          const key = known.get(parsed(stored).spki.toString('hex'))
          return key ? { private_key: traditionalPem(key) } : {}
        },
      },
    },
  })
}

/** Shows the private key of a generated root after its certificate, if the key was never returned. */
function revealsInternal(): Change {
  const exported = new WeakSet<KeyPair>()
  const shown: typeof bareReads.caPem = (ca, { store }) => {
    const key = store.ca.key?.pair
    return ca.origin === 'own-root' && key && !exported.has(key) ? `${ca.pem}\n${traditionalPem(key)}` : ca.pem
  }
  return (rules) => ({
    ...rules,
    returnedKey(key) {
      exported.add(key)
      return key
    },
    reads: {
      ...rules.reads,
      bareReads: { ...bareReads, caPem: shown, certCa: shown },
    },
  })
}

const enveloped: Change = part('reads', {
  bareReply: (contentType, bytes) => ({
    kind: 'data',
    data: {
      certificate:
        typeof bytes === 'string' ? bytes : pem(contentType.endsWith('crl') ? 'X509 CRL' : 'CERTIFICATE', bytes),
    },
  }),
} as Partial<Parameters<Change>[0]['reads']>)

const without = (field: string, format?: string): Change =>
  part('leaves', {
    issueReply: (data, asked) =>
      format === undefined || format === asked
        ? Object.fromEntries(Object.entries(data).filter(([name]) => !field.split(' ').includes(name)))
        : data,
  })

/** Distinguishes an explicit format `pem` from the default, as the format `said-pem`. */
const saidPem =
  (operation: 'issue' | 'intermediate'): Change =>
  (rules) =>
    part('formats', { ...formats, ...(formats.pem && { 'said-pem': formats.pem }) })(
      requestField(operation, 'format', {
        read: (given) => (given === 'pem' ? 'said-pem' : given),
        oneOf: ['said-pem', 'der', 'pem_bundle'],
      })(rules),
    )

export const readMutants: readonly PkiMutant[] = [
  mutant(
    'role-delete-revokes',
    'Deleting a role revokes the certificates issued under it.',
    role({ removalRevokes: true }),
  ),
  mutant('role-list-omits', 'LIST roles leaves out the role written last.', fresh(omitsLast)),
  mutant(
    'role-list-omits-the-first',
    'LIST roles leaves out the role written first, if there are several.',
    omitsFirst(),
  ),
  mutant(
    'role-list-ends-after-100',
    'LIST roles names the first 100 roles only.',
    role({ names: (store) => roles.names(store).slice(0, 100) }),
  ),
  mutant(
    'roles-written-at-once-are-lost',
    'Of roles that are written at the same time, only the one whose write ends last is stored.',
    role({ atOnce: 'the last' }),
  ),
  mutant(
    'role-list-names-more',
    'LIST roles also names `default`, which is not a role.',
    role({ names: (store) => [...roles.names(store), 'default'] }),
  ),
  mutant(
    'role-list-keeps-deleted',
    'LIST roles still names deleted roles.',
    remembering((deleted) => ({ names: (store) => [...new Set([...roles.names(store), ...deleted(store).keys()])] })),
  ),
  mutant(
    'role-delete-keeps-reading',
    'GET still returns deleted roles, although they cannot be used.',
    remembering((deleted) => ({ read: (store, name) => roles.read(store, name) ?? deleted(store).get(name) })),
  ),
  mutant(
    'role-delete-keeps-issuing',
    'Deleted roles can still be used to issue certificates, although GET does not return them.',
    remembering((deleted) => ({ used: (store, name) => roles.used(store, name) ?? deleted(store).get(name) })),
  ),
  mutant(
    'role-write-changes-others',
    'POST on a role also writes all other roles of the mount.',
    role({
      write(store, name, written) {
        for (const other of store.roles.keys()) roles.write(store, other, written)
        roles.write(store, name, written)
      },
    }),
  ),
  mutant(
    'role-delete-removes-others',
    'DELETE of a role removes every role of the mount.',
    role({ remove: (store) => store.roles.clear() }),
  ),
  mutant(
    'role-read-gives-another',
    'GET of a role returns another role if there is one.',
    role({
      read: (store, name) =>
        [...store.roles].find(([other]) => store.roles.has(name) && other !== name)?.[1] ?? roles.read(store, name),
    }),
  ),
  mutant(
    'certificates-are-made-twice',
    'LIST certs names a second, nonexistent certificate for each certificate.',
    certificate({
      serials: (store) => certificates.serials(store).flatMap((serial) => [serial, `7f-${serial.slice(0, -2)}7f`]),
    }),
  ),
  mutant(
    'role-update-ignored',
    'POST on an existing role succeeds but changes nothing.',
    role({ write: (store, name, written) => (store.roles.has(name) ? undefined : roles.write(store, name, written)) }),
  ),
  mutant(
    'role-read-takes-a-longer-name',
    'GET of a role that does not exist returns the first role whose name begins with the requested name.',
    role({
      read: (store, name) =>
        roles.read(store, name) ?? [...store.roles].find(([longer]) => longer.startsWith(name))?.[1],
    }),
  ),
  mutant(
    'issue-under-any-role',
    'issue under a role that does not exist uses the first role of the mount.',
    role({ used: (store, name) => roles.used(store, name) ?? [...store.roles.values()][0] }),
  ),
  mutant(
    'certs-list-omits',
    'LIST certs names only the certificate of the CA.',
    certificate({ serials: ({ ca }) => (ca.shown ? [serialKey(ca.shown.parsed.serial)] : []) }),
  ),
  mutant(
    'certs-list-names-subjects',
    'LIST certs names certificates by their common names instead of their serials.',
    certificate({
      serials: (store) =>
        [...store.certificates].map(([serial, stored]) => readName(parsed(stored).subject).commonName?.[0] ?? serial),
    }),
  ),
  mutant(
    'certs-list-has-each-name-once',
    'LIST certs names only the last certificate of each common name.',
    certificate({
      serials: (store) => [
        ...new Map(
          [...store.certificates].map(([serial, one]) => [readName(parsed(one).subject).commonName?.[0], serial]),
        ).values(),
      ],
    }),
  ),
  mutant(
    'certs-list-ends-after-100',
    'LIST certs names the first 100 certificates only.',
    certificate({ serials: (store) => certificates.serials(store).slice(0, 100) }),
  ),
  mutant(
    'ca-chain-is-that-of-its-first-read',
    'GET ca_chain always returns what it returned first.',
    fresh(() => {
      const first = new WeakMap<Store, string>()
      return bare({
        caChain(text, { store }) {
          const known = first.get(store) ?? text
          if (known !== '') first.set(store, known)
          return known
        },
      })
    }),
  ),
  mutant(
    'cert-read-gives-the-ca',
    'GET cert/:serial of an issued certificate returns the CA certificate.',
    certificate({ shown: (stored, context) => context.store.ca.shown?.pem ?? certificates.shown(stored, context) }),
  ),
  mutant(
    'cert-read-gives-der',
    'GET cert/:serial returns base64 DER instead of PEM.',
    certificate({ shown: ({ der }) => Buffer.from(der, 'latin1').toString('base64') }),
  ),
  mutant(
    'cert-crl-is-bare',
    'GET cert/crl returns the bare PEM of the CRL instead of JSON.',
    cell('reads', 'structured', { crl: false }),
  ),
  mutant(
    'cert-read-reveals-key',
    'GET cert/:serial of an issued certificate also returns its private key.',
    fresh(revealsKeys),
  ),
  mutant('cert-crl-absent', 'GET cert/crl returns 404.', part('reads', { namedCertificates: ['ca', 'ca_chain'] })),
  mutant(
    'issue-omits-issuing-ca',
    'The reply to issue lacks the issuing CA and the chain.',
    without('issuing_ca ca_chain'),
  ),
  mutant(
    'issue-omits-certificate',
    'The reply to issue with an explicit format pem lacks the certificate.',
    saidPem('issue'),
    without('certificate', 'said-pem'),
  ),
  mutant(
    'intermediate-omits-csr',
    'The reply to intermediate/generate with an explicit format pem lacks the CSR.',
    saidPem('intermediate'),
    part('authorities', {
      requestReply: ({ csr, ...data }, format) => (format === 'said-pem' ? data : { csr, ...data }),
    }),
  ),
  mutant(
    'issue-omits-private-key',
    'The reply to issue without an explicit format lacks the private key.',
    requestField('issue', 'format', { fallback: 'unsaid' }),
    part('formats', { ...formats, ...(formats.pem && { unsaid: formats.pem }) }),
    without('private_key', 'unsaid'),
  ),
  mutant(
    'ca-reveals-internal-key',
    'ca/pem and cert/ca also return the private key of a root of type internal.',
    fresh(revealsInternal),
  ),
  mutant('ca-needs-a-token', 'GET ca without a token is refused.', part('access', { readCa: 'token' })),
  mutant('ca-pem-needs-a-token', 'GET ca/pem without a token is refused.', part('access', { readCaPem: 'token' })),
  mutant(
    'ca-chain-needs-a-token',
    'GET ca_chain without a token is refused.',
    part('access', { readCaChain: 'token' }),
  ),
  mutant(
    'cert-needs-a-token',
    'GET cert/:serial without a token is refused.',
    part('access', { readCertificate: 'token' }),
  ),
  mutant('crl-needs-a-token', 'GET crl without a token is refused.', part('access', { readCrl: 'token' })),
  mutant('crl-pem-needs-a-token', 'GET crl/pem without a token is refused.', part('access', { readCrlPem: 'token' })),
  mutant(
    'bare-in-an-envelope',
    'ca, ca/pem, ca_chain, crl and crl/pem return JSON with the PEM in data.certificate instead of bare bytes.',
    enveloped,
  ),
  mutant('ca-gives-pem', 'GET ca returns PEM instead of DER.', bare({ ca: ({ pem: text }) => text })),
  mutant('ca-pem-gives-der', 'GET ca/pem returns DER instead of PEM.', bare({ caPem: (ca) => ca.parsed.der })),
  mutant('crl-gives-pem', 'GET crl returns PEM instead of DER.', bare({ crl: (der) => pem('X509 CRL', der) })),
  mutant('crl-pem-gives-der', 'GET crl/pem returns DER instead of PEM.', bare({ crlPem: (der) => der })),
  mutant('root-delete-without-sudo', 'DELETE root does not require sudo.', part('access', { deleteRoot: 'token' })),
  mutant(
    'root-delete-root-token-only',
    'DELETE root is refused for every token except root tokens.',
    part('access', { deleteRoot: 'root' }),
  ),
  mutant(
    'role-name-is-cut-at-a-hyphen',
    'POST of a role whose name has a hyphen stores the role under the part before the hyphen.',
    role({ write: (store, name, written) => roles.write(store, name.split('-')[0] ?? name, written) }),
  ),
  mutant(
    'role-delete-takes-longer-names',
    'DELETE of a role also removes roles whose names begin with its name.',
    role({
      remove(store, name) {
        for (const other of [...store.roles.keys()]) if (other.startsWith(name)) roles.remove(store, other)
      },
    }),
  ),
  mutant(
    'role-update-merges-lists',
    'POST on an existing role adds the given entries to its lists instead of replacing the lists.',
    updating((old, written) =>
      Array.isArray(old) && Array.isArray(written) ? [...new Set([...old, ...written])] : written,
    ),
  ),
  mutant(
    'role-update-keeps-flags',
    'POST on an existing role does not change its flags.',
    updating((old, written) => (typeof old === 'boolean' ? old : written)),
  ),
  mutant(
    'role-update-keeps-basic-constraints',
    'POST on an existing role does not change its basic_constraints_valid_for_non_ca.',
    updating((old, written, field) => (field === 'basic_constraints_valid_for_non_ca' ? old : written)),
  ),
  mutant(
    'role-update-never-grants-names',
    'POST on an existing role can switch an option that allows names off, but not on.',
    updating((old, written, field) => (namingOptions.includes(field) ? old === true && written : written)),
  ),
  mutant(
    'role-update-never-ends-duties',
    'POST on an existing role can switch enforce_hostnames, require_cn and no_store on, but not off.',
    updating((old, written, field) => (duties.includes(field) ? old === true || written : written)),
  ),
  mutant(
    'role-update-never-restores-usages',
    'POST on an existing role cannot switch server_flag and client_flag on, nor the flags of other usages off.',
    updating((old, written, field) => {
      if (['server_flag', 'client_flag'].includes(field)) return old === true && written
      return ['code_signing_flag', 'email_protection_flag'].includes(field) ? old === true || written : written
    }),
  ),
  mutant(
    'role-update-keeps-what-is-emptied',
    'POST on an existing role does not change a list if the request has an empty one.',
    updating((old, written) => (Array.isArray(written) && written.length === 0 ? old : written)),
  ),
  mutant(
    'role-delete-forgets-revocations',
    'DELETE of a role undoes the revocations of the certificates that were issued under it.',
    role({ removalForgets: true }),
  ),
  ...(
    ['no_store', 'require_cn', 'server_flag', 'key_type', 'key_bits', 'ext_key_usage', 'ext_key_usage_oids'] as const
  ).map((field) =>
    mutant(
      `role-update-keeps-${field.replaceAll('_', '-')}`,
      `POST on an existing role does not change its ${field}.`,
      updating((old, written, name) => (name === field ? old : written)),
    ),
  ),
  mutant(
    'role-created-again-has-its-former-domains',
    'A role that is created again without allowed_domains after its deletion gets the allowed_domains from before.',
    fresh(() => {
      const former = new WeakMap<Store, Map<string, Role>>()
      return role({
        write(store, name, written) {
          const deleted = store.roles.has(name) ? undefined : former.get(store)?.get(name)
          const isLeftOut = deleted && written.allowed_domains.length === 0
          roles.write(store, name, isLeftOut ? { ...written, allowed_domains: deleted.allowed_domains } : written)
        },
        remove(store, name) {
          const known = store.roles.get(name)
          if (known) former.set(store, new Map([...(former.get(store) ?? []), [name, known]]))
          roles.remove(store, name)
        },
      })
    }),
  ),
  mutant(
    'certs-list-reveals-keys',
    'LIST certs also returns all private keys that were ever returned.',
    fresh(() => {
      const returned: KeyPair[] = []
      return (rules) => ({
        ...rules,
        returnedKey(key) {
          returned.push(key)
          return key
        },
        reads: {
          ...rules.reads,
          certificates: { ...certificates, listExtra: () => ({ key_info: returned.map(traditionalPem) }) },
        },
      })
    }),
  ),
  mutant(
    'role-update-keeps-where-the-subject-is',
    'POST on an existing role does not change its country, locality, province and street_address.',
    updating((old, written, field) => (locationFields.includes(field) ? old : written)),
  ),
  mutant(
    'role-update-keeps-durations',
    'POST on an existing role does not change its ttl, max_ttl and not_before_duration.',
    updating((old, written, field) => (durationFields.includes(field) ? old : written)),
  ),
]
