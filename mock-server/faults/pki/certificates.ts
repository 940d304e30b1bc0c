/** Faults of the contents of certificates, derived from a table: each part of each kind of certificate is dropped,
 * added, altered or repeated. No fault on the wire can do this, because only the server can sign. Checks that judge
 * certificates as a relying party notice them. */

import { noUrls } from '../../engines/pki/store.ts'
import type { Draft } from '../../engines/pki/x509/certificate.ts'
import { contextTagBytes, sequence } from '../../engines/pki/x509/der.ts'
import {
  authorityKeyId,
  basicConstraints,
  type Extension,
  extension,
  extKeyUsage,
  keyUsage,
  nameConstraints,
  policies,
  urlExtensions,
} from '../../engines/pki/x509/extensions.ts'
import { writeName } from '../../engines/pki/x509/names.ts'
import { oidBytes, extensions as oids } from '../../engines/pki/x509/oids.ts'
import { members, readOne, tags } from '../../engines/pki/x509/reader.ts'
import { adding, changing, dropping, linkedTo, partsOf, replacing } from './drafts.ts'
import { type CertificateKind, drafting, type Forms, fault, type PkiFault, stored } from './pki-operations.ts'

type Operator = 'dropped' | 'added' | 'altered' | 'repeated'
type Change = (draft: Draft) => Draft
/** What is done to the signed certificate. */
interface Altered {
  readonly signed: (der: Buffer) => Buffer
}

interface Part {
  /** A template: `{kind}` and `{operator}` are replaced. */
  readonly id: string
  readonly words: string
  readonly kinds: readonly CertificateKind[]
  readonly operators: Partial<Readonly<Record<Operator, Change | Altered>>>
}

const formsOf = (kind: CertificateKind, change: Change | Altered): Forms =>
  typeof change === 'function'
    ? drafting([kind], change)
    : stored('signing', kind as 'leaf', ([draft, by], next) => {
        const issued = next(draft, by)
        return { ...issued, der: change.signed(issued.der) }
      })

const altName = (name: string): Buffer => contextTagBytes(2, Buffer.from(name, 'latin1'))
const altNamesOf = ({ critical, content }: Extension, name: string, keeps: boolean): Buffer =>
  extension(oids.altNames, critical, sequence(...(keeps ? partsOf(content) : []), altName(name)))
const stranger = extension('1.3.6.1.4.1.99999.66', true, sequence())
const hour = 3_600_000
const unknownName = writeName({ commonName: ['Nobody'] })

/** Adds an organizational unit to the subject. */
const withUnit = (draft: Draft): Draft => {
  const subject = sequence(...partsOf(writeName({ ou: ['Nobody'] })), ...partsOf(draft.subject))
  // The issuer of a self-signed root has to stay equal to its subject.
  return { ...draft, subject, issuer: draft.issuer.equals(draft.subject) ? subject : draft.issuer }
}

/** Changes the signature algorithm that the certificate names, and keeps the signature. */
function underAnotherAlgorithm(der: Buffer): Buffer {
  const [body, , signature] = members(readOne(der, tags.sequence))
  const none = Buffer.alloc(0)
  return sequence(body?.bytes ?? none, sequence(oidBytes('1.2.840.10045.4.3.3')), signature?.bytes ?? none)
}

function lastByteFlipped(der: Buffer): Buffer {
  const flipped = Buffer.from(der)
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
  return flipped
}

const everyKind = ['leaf', 'root', 'intermediate'] as const
const authorities = ['root', 'intermediate'] as const
const withUrl = urlExtensions({
  issuingCertificates: ['http://nobody.example/'],
  crlDistributionPoints: ['http://nobody.example/'],
  ocspServers: ['http://nobody.example/'],
})

const parts: readonly Part[] = [
  {
    id: '{kind}-issuer-{operator}',
    words: 'the issuer',
    kinds: everyKind,
    operators: { altered: (draft) => ({ ...draft, issuer: unknownName }) },
  },
  { id: '{kind}-subject-{operator}', words: 'the subject', kinds: everyKind, operators: { added: withUnit } },
  {
    id: '{kind}-serial-{operator}',
    words: 'the serial',
    kinds: ['leaf'],
    operators: { repeated: (draft) => ({ ...draft, serial: Buffer.from('41'.repeat(20), 'hex') }) },
  },
  {
    id: '{kind}-not-before-{operator}',
    words: 'NotBefore',
    kinds: everyKind,
    operators: { altered: (draft) => ({ ...draft, notBefore: draft.notBefore + hour / 2 }) },
  },
  {
    id: '{kind}-backdating-{operator}',
    words: 'the backdating of NotBefore',
    kinds: ['leaf'],
    operators: { altered: (draft) => ({ ...draft, notBefore: draft.notBefore - 13_000 }) },
  },
  {
    id: '{kind}-not-after-{operator}',
    words: 'NotAfter',
    kinds: everyKind,
    operators: { altered: (draft) => ({ ...draft, notAfter: draft.notAfter + hour }) },
  },
  {
    id: '{kind}-key-usage-{operator}',
    words: 'the key usage',
    kinds: ['leaf'],
    operators: {
      dropped: dropping(oids.keyUsage),
      added: replacing(oids.keyUsage, keyUsage(new Set([0, 2, 4, 5, 6]))),
      altered: replacing(oids.keyUsage, keyUsage(new Set([3]))),
    },
  },
  {
    id: '{kind}-key-usage-{operator}',
    words: 'the key usage',
    kinds: authorities,
    operators: { altered: replacing(oids.keyUsage, keyUsage(new Set([0, 6]))) },
  },
  {
    id: '{kind}-extended-key-usage-{operator}',
    words: 'the extended key usage',
    kinds: ['leaf'],
    operators: {
      dropped: dropping(oids.extKeyUsage),
      added: adding(extKeyUsage(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.9'])),
      altered: replacing(oids.extKeyUsage, extKeyUsage(['1.3.6.1.5.5.7.3.8'])),
    },
  },
  {
    id: '{kind}-ca-flag-{operator}',
    words: 'the Basic Constraints (CA true)',
    kinds: ['leaf'],
    operators: { added: adding(basicConstraints(true)) },
  },
  {
    id: '{kind}-basic-constraints-{operator}',
    words: 'the Basic Constraints extension',
    kinds: authorities,
    operators: {
      dropped: dropping(oids.basicConstraints),
      altered: replacing(oids.basicConstraints, basicConstraints(false)),
    },
  },
  {
    id: '{kind}-path-length-{operator}',
    words: 'the path length',
    kinds: authorities,
    operators: { altered: replacing(oids.basicConstraints, basicConstraints(true, 7)) },
  },
  {
    id: '{kind}-alternative-names-{operator}',
    words: 'the alternative names',
    kinds: everyKind,
    operators: {
      dropped: dropping(oids.altNames),
      added: changing(oids.altNames, (found) => altNamesOf(found, 'nobody.example', true)),
      altered: changing(oids.altNames, (found) => altNamesOf(found, 'nobody.example', false)),
    },
  },
  {
    id: '{kind}-policies-{operator}',
    words: 'the certificate policies',
    kinds: ['leaf'],
    operators: {
      dropped: dropping(oids.policies),
      added: adding(policies(['2.5.29.32.0'])),
      altered: replacing(oids.policies, policies(['2.5.29.32.0'])),
    },
  },
  {
    id: '{kind}-name-constraints-{operator}',
    words: 'the name constraints',
    kinds: authorities,
    operators: {
      dropped: dropping(oids.nameConstraints),
      added: adding(nameConstraints(['nobody.example'])),
      altered: replacing(oids.nameConstraints, nameConstraints(['nobody.example'])),
    },
  },
  {
    id: '{kind}-urls-{operator}',
    words: 'the URLs',
    kinds: ['leaf'],
    operators: { dropped: linkedTo(noUrls), added: adding(...withUrl) },
  },
  {
    id: '{kind}-authority-key-id-{operator}',
    words: 'the authority key id',
    kinds: ['leaf', 'intermediate'],
    operators: { altered: replacing(oids.authorityKeyId, authorityKeyId(Buffer.alloc(20, 7))) },
  },
  {
    id: '{kind}-critical-extension-{operator}',
    words: 'its extensions (an unknown critical one)',
    kinds: everyKind,
    operators: { added: adding(stranger) },
  },
  {
    id: '{kind}-extension-{operator}',
    words: 'its first extension',
    kinds: everyKind,
    operators: {
      repeated: (draft) => ({ ...draft, extensions: [...draft.extensions, ...draft.extensions.slice(0, 1)] }),
    },
  },
  {
    id: '{kind}-signature-{operator}',
    words: 'the signature',
    kinds: everyKind,
    operators: { altered: { signed: lastByteFlipped } },
  },
  {
    id: '{kind}-algorithm-{operator}',
    words: 'the signature algorithm',
    kinds: everyKind,
    operators: { altered: { signed: underAnotherAlgorithm } },
  },
]

const verbs: Readonly<Record<Operator, string>> = {
  dropped: 'lacks',
  added: 'has an additional part in',
  altered: 'has another value for',
  repeated: 'has a repeated value for',
}
const kindNames: Readonly<Record<CertificateKind, string>> = {
  leaf: 'An issued certificate',
  root: 'A generated root',
  intermediate: 'A signed intermediate',
}

export const ofCertificates: readonly PkiFault[] = parts.flatMap(({ id, words, kinds, operators }) =>
  kinds.flatMap((kind) =>
    (Object.entries(operators) as (readonly [Operator, Change | Altered])[]).map(([operator, change]) => ({
      ...fault(
        id.replace('{kind}', kind).replace('{operator}', operator),
        `${kindNames[kind]} ${verbs[operator]} ${words}.`,
        formsOf(kind, change),
      ),
      shared: true,
    })),
  ),
)
