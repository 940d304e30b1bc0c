/** Document 2 on the CA itself: its states, what it publishes, revocation, configuration, roles as resources. */
import type { Applies } from '../../harness/vocabulary/index.ts'
import {
  authentication,
  endpoint,
  kebab,
  limit,
  must,
  otherResource,
  purpose,
  type Rows,
  should,
  transition,
  versioning,
} from './pki-sources.ts'

const gated = (applies: Applies, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([id, row]) => [id, { ...row, applies }]))

const transitions: Rows = {
  ...must(transition('no CA, POST root/generate/:type'), {
    'state.generate.makes-ca':
      'Generating a root on a mount without a CA makes it the CA: its key signs what is issued.',
    'state.generate.self-signed': 'A generated root is self-signed.',
    'state.generate.internal-irretrievable': 'The key of a root of type `internal` cannot be retrieved later.',
    'state.generate.exported-key-signs': 'The private key of type `exported` is the key that signs.',
    'state.generate.signs-own-crl': 'The CA signs its own CRL.',
  }),
  ...gated(
    { since: '0.8.1' },
    must(transition('CA present, POST root/generate/:type'), {
      'state.generate-again.certificate-stays':
        'Generating a root on a mount with a CA leaves its certificate as it is.',
      'state.generate-again.key-stays': 'Generating a root on a mount with a CA leaves its key as it is.',
      'state.generate-again.after-delete': 'After the CA was deleted, a root can be generated again: it is the new CA.',
    }),
  ),
  ...gated(
    // The version of a server of another make says nothing of this.
    { before: '0.8.1' },
    should(versioning('rule 1'), {
      'state.generate-again.overwrote': 'Before 0.8.1, generating a root on a mount with a CA overwrote it.',
    }),
  ),
  ...gated(
    { since: '0.8.1', before: '0.8.2' },
    must(versioning('rule 1'), {
      'state.generate-again.since-0-8-1': 'In 0.8.1 itself, generating a root does not overwrite an existing CA.',
    }),
  ),
  ...must(transition('CA present, DELETE /pki/root'), {
    'state.delete.no-key': 'After DELETE of the root there is no CA key: nothing can be issued.',
    'state.delete.certificate-readable': 'After DELETE of the root, the old CA certificate remains readable.',
    'state.delete.until-generated': 'The old CA certificate is replaced once a new one is generated.',
    'state.delete.until-uploaded': 'The old CA certificate is replaced once a new one is uploaded.',
  }),
  ...should(transition('CA present, DELETE /pki/root'), {
    'state.delete.certificate-in-place': 'After DELETE of the root, the old CA certificate is still shown at `ca/pem`.',
  }),
  ...must(transition('any, POST config/ca'), {
    'state.config-ca.makes-ca': 'A valid bundle on a mount without a CA makes its certificate the CA.',
    'state.config-ca.key-signs': 'The key of the bundle signs what is issued.',
    'state.config-ca.certificate-overridden': 'A valid bundle overrides an existing CA certificate.',
    'state.config-ca.key-overridden': 'A valid bundle overrides an existing CA key.',
    'state.config-ca.invalid-changes-nothing': 'A bundle that is not valid does not become the CA.',
  }),
  ...must(transition('any, POST intermediate/generate/:type'), {
    'state.intermediate.makes-csr': 'Generating an intermediate gives a CSR, signed by the key that it is for.',
    'state.intermediate.overwrites-ca-key':
      'Generating an intermediate overwrites a CA key: it signs nothing any more.',
  }),
  // The document speaks of a previous CA key; that of a CSR is none yet.
  ...should(transition('any, POST intermediate/generate/:type'), {
    'state.intermediate.overwrites-csr-key': 'Generating an intermediate again overwrites the key of the earlier CSR.',
  }),
  ...must(transition('CSR generated, POST intermediate/set-signed'), {
    'state.set-signed.makes-ca': 'A certificate for the generated key, set as signed, is the CA certificate.',
    'state.set-signed.key-signs': 'After set-signed the generated key signs what is issued.',
    'state.set-signed.must-match': 'A certificate that does not match the generated key does not become the CA.',
    'state.set-signed.chain': 'Extra certificates given to set-signed are appended to the chain.',
  }),
  ...must(otherResource('CA certificate and private key'), {
    'state.set-signed.one-at-a-time': 'There is one CA at a time: a certificate that is set replaces an earlier one.',
  }),
  ...must(transition('certificate issued, POST revoke'), {
    'state.revoke.revoked': 'A revoked certificate is in the CRL, whose rotation the revocation causes.',
    'state.revoke.each': 'Each revoked certificate is in the CRL.',
    'state.revoke.known-only': 'A serial that is not known cannot be revoked.',
  }),
  ...must(transition('CRL enabled, POST config/crl with `disable` true', 22), {
    'state.crl-disabled.empty': 'While the CRL is disabled, a CRL without entries is served, as DER and as PEM.',
    'state.crl-disabled.signed': 'While the CRL is disabled, the empty CRL is signed by the CA.',
    'state.crl-disabled.recorded': 'Revoked certificates remain recorded while the CRL is disabled.',
  }),
  ...must(transition('CRL disabled, POST config/crl with `disable` false'), {
    'state.crl-enabled.rebuilt': 'Enabling the CRL rebuilds it with the certificates that were revoked before.',
    'state.crl-enabled.all':
      'Enabling the CRL rebuilds it with the certificates that were revoked while it was disabled, too.',
  }),
  ...must(transition('Role create, update, delete'), {
    'state.role-delete.revokes-nothing': 'Deleting a role revokes no certificate issued under it.',
  }),
}

const bare = {
  ca: ['GET `/pki/ca` and `/pki/ca/pem`', 'the CA certificate in DER'],
  'ca/pem': ['GET `/pki/ca` and `/pki/ca/pem`', 'the CA certificate in PEM'],
  ca_chain: ['GET `/pki/ca_chain`', 'a chain in PEM'],
  crl: ['GET `/pki/crl` and `/pki/crl/pem`', 'the CRL in DER'],
  'crl/pem': ['GET `/pki/crl` and `/pki/crl/pem`', 'the CRL in PEM'],
} as const

const published: Rows = {
  ...Object.assign(
    {},
    ...Object.entries(bare).map(([path, [row, what]]) => ({
      ...must(endpoint(row), {
        [`${kebab(path).replace('/', '-')}.bare`]: `\`${path}\` is bare: its body is ${what}.`,
      }),
      ...must(path.endsWith('/pem') ? endpoint(row) : authentication('rule 1'), {
        [`${kebab(path).replace('/', '-')}.unauthenticated`]: `\`${path}\` needs no token.`,
      }),
    })),
  ),
  ...must(endpoint('GET `/pki/ca_chain`'), {
    'ca-chain.of-root': 'The chain of a generated root includes the root.',
    'ca-chain.of-intermediate': 'The chain of an intermediate includes the intermediate itself.',
  }),
  ...must(authentication('rule 1'), { 'cert.unauthenticated': '`cert/:serial` needs no token.' }),
  ...must(endpoint('GET `/pki/cert/:serial`'), {
    'cert.of-serial': '`cert/:serial` gives the certificate of that serial, in PEM, as `certificate`.',
    'cert.crl': '`cert/crl` gives the CRL in the standard structure.',
  }),
  ...must(endpoint('LIST `/pki/certs`'), {
    'certs.issued': 'LIST of certificates names the serials of issued ones.',
    'certs.serials-only': 'LIST of certificates names serials and nothing else.',
  }),
}

const configuration: Rows = {
  ...must(endpoint('POST `/pki/config/ca`'), {
    'config-ca.pem-bundle.required': 'A config/ca request without `pem_bundle` is refused.',
    'config-ca.chain': 'Extra CA certificates may follow in the bundle: they are in the chain.',
  }),
  ...should(endpoint('POST `/pki/config/ca`'), {
    'config-ca.mismatch-refused': 'A bundle whose key is not that of the certificate should be refused.',
    'config-ca.leaf-refused': 'A bundle whose certificate is no CA should be refused.',
    'config-ca.garbage-refused': 'A bundle that is no PEM, or cut short, should be refused.',
  }),
  ...must(endpoint('POST `/pki/intermediate/set-signed`'), {
    'set-signed.certificate.required': 'A set-signed request without `certificate` is refused.',
  }),
  ...should(endpoint('POST `/pki/intermediate/set-signed`'), {
    'set-signed.foreign-refused': 'A certificate that does not match the generated key should be refused.',
  }),
  ...must(endpoint('GET `/pki/config/crl`'), {
    'config-crl.reads-expiry': 'Reading the CRL configuration gives the `expiry` that was set.',
  }),
  // Whether `disable` is of the validity that is returned is not said.
  ...should(endpoint('GET `/pki/config/crl`'), {
    'config-crl.reads-disable': 'Reading the CRL configuration should give the `disable` that was set.',
  }),
  ...must(limit('CRL `expiry` default'), { 'crl.expiry.default': 'A CRL is valid for 72 hours by default.' }),
  ...must(endpoint('POST `/pki/config/crl`'), {
    'config-crl.expiry.used': '`expiry` is how long a CRL is valid.',
    'config-crl.expiry.written-default':
      'A write of the CRL configuration without `expiry` leaves 72 hours where nothing else was set.',
    'config-crl.disable.default': 'The CRL is enabled by default.',
    'config-crl.disable.written-default':
      'A write of the CRL configuration without `disable` leaves an enabled CRL enabled.',
  }),
  ...should(endpoint('POST `/pki/config/crl`'), {
    'config-crl.expiry.duration-only': 'An `expiry` that is no duration should be refused.',
  }),
  ...must(endpoint('GET `/pki/crl/rotate`'), { 'crl.rotate': '`crl/rotate` forces a new CRL.' }),
  // What the reply holds is not shown.
  ...should(endpoint('GET `/pki/config/urls`'), {
    'config-urls.reads': 'Reading the URLs configuration should give the values that were set.',
  }),
  ...must(purpose('configuration of URLs encoded into issued certificates'), {
    'config-urls.issuing-certificates': '`issuing_certificates` are encoded into issued certificates.',
    'config-urls.crl-distribution-points': '`crl_distribution_points` are encoded into issued certificates.',
    'config-urls.ocsp-servers': '`ocsp_servers` are encoded into issued certificates.',
  }),
  ...must(endpoint('POST `/pki/config/urls`'), {
    'config-urls.array': 'Each value may be an array: each URL counts.',
    'config-urls.comma-list': 'Each value may be a comma-separated string: each URL counts.',
    'config-urls.default': 'No URLs are set by default.',
    'config-urls.blank': 'A blank string removes a value.',
  }),
  ...must(endpoint('POST `/pki/config/urls`'), {
    'config-urls.independent': 'The three values are independent: writing or blanking one leaves the others.',
    'config-urls.later': 'Certificates carry the URLs that are configured when they are issued.',
  }),
}

const revocation: Rows = {
  ...must(endpoint('POST `/pki/revoke`', 11), {
    'revoke.serial-number.required': 'A revocation without `serial_number` is refused.',
    'revoke.serial-number.colons': '`serial_number` may be separated by colons.',
    'revoke.serial-number.hyphens': '`serial_number` may be separated by hyphens.',
  }),
  // Said of the request only: that it is an alternative to this.
  ...should(endpoint('POST `/pki/revoke`'), {
    'revoke.lease': 'Revoking the lease of a certificate should revoke the certificate: it is in the CRL.',
  }),
}

const roles: Rows = {
  ...must(endpoint('POST `/pki/roles/:name`'), {
    'roles.created': 'POST on an unused name creates a role: certificates are issued under it.',
    'roles.updated': 'POST on a used name updates the role to what the request says.',
  }),
  ...must(endpoint('GET `/pki/roles/:name`'), { 'roles.read': 'GET gives a role that exists, and no other.' }),
  ...must(endpoint('LIST `/pki/roles`'), {
    'roles.listed': 'LIST names every role, and none that was deleted.',
    'roles.names-only': 'LIST of roles gives their names and nothing else.',
  }),
  ...must(endpoint('DELETE `/pki/roles/:name`'), {
    'roles.deleted.unread': 'A deleted role is no longer returned.',
    'roles.deleted.unused': 'Nothing is issued under a deleted role.',
  }),
  ...must(endpoint('POST `/pki/issue/:name`'), {
    'issue.named-role': 'Nothing is issued under a role that does not exist.',
  }),
}

const access: Rows = must(authentication('rule 2'), {
  'root-delete.sudo-needed': 'DELETE of the root is refused to a token without sudo that is no root token.',
})
const accessReading: Rows = must(
  { ...transition('CA present, DELETE /pki/root'), reading: 21 },
  {
    'root-delete.sudo-suffices': 'DELETE of the root is granted to a token with sudo that is no root token.',
  },
)

export const authorityRows: Rows = {
  ...transitions,
  ...published,
  ...configuration,
  ...revocation,
  ...roles,
  ...access,
  ...accessReading,
}
