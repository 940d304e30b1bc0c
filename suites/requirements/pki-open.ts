/** What document 2 leaves open about the certificate authority engine. */
import type { Source } from '../../harness/vocabulary/index.ts'
import {
  authentication,
  endpoint,
  error,
  limit,
  otherResource,
  type Rows,
  roleField,
  sharedGroup,
  transition,
} from './pki-sources.ts'

const names = 'Sign Self-Issued, Sign Certificate, Sign Verbatim and Tidy'
const operations: Source = { document: 2, section: 'Endpoints, Certificate authority engine', row: names, reading: 26 }

/** Never asserted: what a server does here is its own business. */
const open: Readonly<Record<string, readonly [says: string, source: Source, open: string]>> = {
  'open.status-codes': [
    'Which status a success or a refusal has.',
    error('rule 3'),
    'No status code is shown. Success is any 2xx, refusal any 4xx or 5xx.',
  ],
  'open.response-fields': [
    'Under which names replies hold private key, issuing CA, chain, serial and expiration, and what else they hold.',
    { document: 2, section: 'Endpoints', row: 'Response bodies: not shown except where stated in the notes' },
    'Only `certificate` and `csr` are named, and these not for every reply: what has no name is looked for anywhere in the reply, and a certificate of the CA at `ca/pem`, too.',
  ],
  'open.role-response': [
    'What reading a role shows.',
    { ...roleField('Role response fields of read'), reading: 25 },
    'Role fields and defaults are judged by the certificates they give.',
  ],
  'open.authentication': [
    'Who may call the other endpoints.',
    authentication('rule 5'),
    'Neither the need of a token nor the name of the header is stated.',
  ],
  'open.generate-again-reply': [
    'Whether generating a root on a mount with a CA is refused or succeeds with a warning.',
    { ...transition('CA present, POST root/generate/:type'), reading: 23 },
    'Only that the CA is unchanged.',
  ],
  'open.root-lease': [
    'The lease of a generated root, at whose end it is revoked.',
    { ...endpoint('POST /pki/root/generate/:type'), reading: 24 },
    'No such lease is described.',
  ],
  'open.sign': [
    'Path, fields and reply of Sign Certificate.',
    operations,
    'The role fields that bear on it are judged through the path of the dialect.',
  ],
  'open.sign-verbatim': ['Path, fields, reply and effect of Sign Verbatim.', operations, 'Only the name is given.'],
  'open.sign-self-issued': [
    'Signing a self-issued CA certificate as it is, but for authority key id, issuer and distribution points.',
    operations,
    'Path, parameters and response are not shown.',
  ],
  'open.tidy': [
    'Removing revoked certificates after a safety buffer.',
    operations,
    'Method, path, parameters and response are not shown.',
  ],
  'open.serial-attribute': [
    'Whether `serial_number` of a role or request is the serial number attribute of the subject.',
    { ...sharedGroup('Subject fields'), reading: 12 },
    'Listed among the subject fields, and described as the serial of the certificate.',
  ],
  'open.serial-forms': [
    'Which forms of a serial `cert/:serial` takes, and whether it reads `ca` and `ca_chain`.',
    endpoint('GET `/pki/cert/:serial`'),
    'The set of valid serials is not shown.',
  ],
  'open.cap-or-refuse': [
    'Whether a TTL above a maximum is refused or cut.',
    { ...limit('Certificate TTL'), reading: 14 },
    'Only that no certificate lives longer.',
  ],
  'open.leaf-beyond-ca': [
    'Whether a leaf may be asked for that outlives the CA.',
    endpoint('POST /pki/issue/:name'),
    'Stated for intermediates only.',
  ],
  'open.ttl-days': [
    'What a duration with a suffix above the hour does, and one without suffix.',
    roleField('ttl'),
    'The hour is called the largest suffix.',
  ],
  'open.ec-bits-omitted': [
    'What `key_type` `ec` without `key_bits` gives.',
    { ...roleField('key_bits'), reading: 18 },
    'The default 2048 must be changed for EC.',
  ],
  'open.rsa-sizes': [
    'Which RSA sizes are taken.',
    roleField('key_bits'),
    'Only the default is named; a size that is taken is that of the key.',
  ],
  'open.empty-common-name': [
    'Whether an empty `common_name` is one, and whether a certificate without a common name has an empty one or none.',
    roleField('require_cn'),
    'Judged by requests that do not have the field at all.',
  ],
  'open.bundle-order': [
    'In which order key and certificate stand in a bundle.',
    endpoint('POST /pki/issue/:name'),
    'They are concatenated.',
  ],
  'open.wildcard-sans': [
    'Whether `allow_wildcard_certificates` bears on SANs.',
    { ...roleField('allow_wildcard_certificates'), reading: 20 },
    'It speaks of the common name.',
  ],
  'open.upper-case': ['Whether names are matched regardless of case.', limit('Matching options'), 'Not stated.'],
  'open.email-matching': [
    'How email addresses are matched against `allowed_domains`.',
    roleField('allowed_domains'),
    'Only the host part is spoken of, under `enforce_hostnames`.',
  ],
  'open.subdomains-with-any-name': [
    'What `allow_subdomains` adds to `allow_any_name`.',
    roleField('allow_subdomains'),
    'It is called redundant: there is nothing to see.',
  ],
  'open.usage-names': [
    'All names that `key_usage` and `ext_key_usage` take, and what an unknown one does.',
    roleField('key_usage'),
    'Only the three of the default are named, and no extended key usage: those that the flags stand for are taken for known.',
  ],
  'open.role-update-form': [
    'Whether an update of a role replaces it or keeps fields that are not given.',
    endpoint('POST `/pki/roles/:name`'),
    '"Creates or updates".',
  ],
  'open.role-ttl-above-max': [
    'Whether a role with `ttl` above `max_ttl` is taken.',
    roleField('max_ttl'),
    'Only that no certificate lives longer than `max_ttl`.',
  ],
  'open.root-default-lifetime': [
    'How long a root lives without `ttl`.',
    endpoint('POST /pki/root/generate/:type'),
    'Not above the maximum.',
  ],
  'open.root-bundle': [
    'What a `pem_bundle` of a root or a signed intermediate holds besides the certificate.',
    sharedGroup('`format` values'),
    'Stated for `issue` and for CSRs only.',
  ],
  'open.leading-dot-form': [
    'Whether a leading dot is kept in the name constraint.',
    endpoint('POST /pki/root/sign-intermediate'),
    'Either form permits the subdomains.',
  ],
  'open.path-length-above-ca': [
    'What a `max_path_length` above that of the signing certificate does.',
    endpoint('POST /pki/root/sign-intermediate'),
    'Only -1 is related to the signing certificate.',
  ],
  'open.internal-intermediate-later': [
    'Whether the key of an intermediate of type `internal` can be retrieved later.',
    endpoint('POST /pki/intermediate/generate/:type'),
    'Stated for roots only.',
  ],
  'open.between-csr-and-set-signed': [
    'What is readable as CA certificate between a CSR and set-signed.',
    transition('any, POST intermediate/generate/:type'),
    'Only the key is spoken of.',
  ],
  'open.rotate-shrinks': [
    'Which expired entries a rotation drops.',
    endpoint('GET `/pki/crl/rotate`'),
    '"To shrink it when expired entries remain" says why one rotates, not when an entry may go.',
  ],
  'open.revoked-read': [
    'How `cert/:serial` tells that a certificate is revoked, and what a second revocation does.',
    transition('certificate issued, POST revoke'),
    'Not stated.',
  ],
  'open.invalid-urls': ['Whether a URL that is none is refused.', endpoint('POST `/pki/config/urls`'), 'Not stated.'],
  'open.bundle-without-key': [
    'What config/ca does with certificates without a key.',
    endpoint('POST `/pki/config/ca`'),
    'Key and certificate are asked for; a bundle without a key may serve other ends.',
  ],
  'open.content-types': [
    'The content types of bare endpoints.',
    endpoint('GET `/pki/ca` and `/pki/ca/pem`'),
    'Not stated.',
  ],
  'open.certificate-lifecycle': [
    'Transitions of certificates beyond issue and revoke.',
    transition('Transitions of certificates beyond issue and revoke'),
    'Not shown.',
  ],
  'open.events': ['Events.', { document: 2, section: 'Events', row: 'Events' }, 'Not shown.'],
  'open.rate-limits': ['How many requests are served in what time.', limit('Rate limits'), 'Not shown.'],
  'open.one-at-a-time': [
    'Whether a server may hold further CA certificates that neither sign nor are served as the CA.',
    otherResource('CA certificate and private key'),
    '"One at a time" is judged by what signs and what `ca` serves.',
  ],
  'open.lists': [
    'Order and completeness in pages of lists, and what an empty list looks like.',
    endpoint('LIST `/pki/certs`'),
    'Not stated.',
  ],
}

export const openRows: Rows = Object.fromEntries(
  Object.entries(open).map(([id, [says, source, why]]) => [id, { level: 'info', says, source, open: why }]),
)
