/** Requirements that underlie others: while one of them is contradicted, these parts of replies cannot be judged in checks
 * of these other requirements. The check that decides it reports the flaw, and others rest on it. Without this, a server
 * that drops one kind of name would contradict each row whose check looks at names. Of two that underlie each other, the
 * one that comes earlier in the documents reports the flaw. */
import type { Area, Requirement, Underlying } from '../harness/vocabulary/index.ts'
import { foundationsOfCloud } from './cloud/foundations.ts'
import { inArea, on } from './resting-rows.ts'

const namesOf = (kind: string) => [`${kind} SAN`, 'set of alternative names', 'whole document', 'name', 'name *']
const hosts = namesOf('DNS')
const emails = namesOf('email')
const formats = ['certificate', 'csr', 'private key', 'body', 'Basic Constraints', 'key usage', 'extended key usage']
const subjects = ['subject', '* of the subject', 'whole document', 'name', 'name *']
const lease = ['lease', 'lease_max', 'lease_duration']

const foundations: Readonly<Record<string, readonly string[]>> = {
  'pki.san.alt-names.host': hosts,
  'pki.san.alt-names.email': emails,
  'pki.san.alt-names.comma-list': [...hosts, ...emails],
  'pki.san.ip-sans': namesOf('IP'),
  'pki.san.uri-sans': namesOf('URI'),
  'pki.san.other-sans': namesOf('custom'),
  'pki.san.ip-sans.comma-list': namesOf('IP'),
  'pki.san.uri-sans.comma-list': namesOf('URI'),
  'pki.san.exclude-cn.default': hosts,
  'pki.san.exclude-cn.dns': [...hosts, 'common_name of the subject'],
  'pki.san.exclude-cn.email': emails,
  'pki.sign-intermediate.use-csr-values.off-sans': [...hosts, ...emails, ...namesOf('{IP,URI,custom}')],
  'pki.sign-intermediate.use-csr-values.off-subject': subjects,
  'pki.role.organization.in-subject': ['organization of the subject', 'subject', 'whole document'],
  'pki.role.subject.comma-list': subjects,
  'pki.role.subject.array': subjects,
  'pki.format.pem': formats,
  'pki.format.der': formats,
  'pki.format.pem-bundle': formats,
  'pki.private-key-format.der': ['private key'],
  'pki.private-key-format.pkcs8': ['private key'],
  'pki.root.type.exported': ['private key', 'body'],
  'pki.root.private-key.belongs': ['private key', 'body', 'certificate'],
  'pki.intermediate.type.exported': ['private key', 'body', 'csr'],
  'pki.issue.private-key.belongs': ['private key', 'body', 'certificate'],
  'pki.role.ext-key-usage.used': ['extended key usage', 'extended key usage *'],
  'pki.state.revoke.revoked': ['CRL'],
  'pki.ca.bare': ['body'],
  'policies.acl.read.returns-named': ['policy'],
  'policies.rgp.read.returns-named': ['policy'],
  'policies.egp.read.returns-named': ['policy'],
  'cloud.iam-user.nothing-more': ['new user at the provider', '* of the new user at the provider'],
  'cloud.role.session-tags.map': ['session_tags', 'Tags of AssumeRole at the provider'],
  'cloud.lease.reads': lease,
  'cloud.lease.kept': lease,
}

/** A name that a request does not take is not among the alternative names either. */
const ofCommonNames: Readonly<Record<string, readonly Underlying[]>> = Object.fromEntries(
  ['root', 'intermediate', 'sign-intermediate', 'issue'].map((maker) => [
    `pki.${maker}.common-name.subject`,
    on(
      [`pki.${maker}.*`, 'pki.{san,role}.*', 'pki.spelling.blanks'],
      ['common_name of the subject', 'set of alternative names', ...subjects.slice(2)],
    ),
  ]),
)

const sent = ['POST status']
/** Foundations of TOTP MFA: a field that is not kept shows in secrets and logins, and secrets are looked at by
 * generating again. */
const ofMfa = (area: Area) =>
  inArea(area, {
    'method.defines': ['*', ['{GET,POST} status 2xx']],
    'method.reads': [
      '*',
      ['GET status 2xx', 'GET {issuer,period,key_size,qr_size,algorithm,digits,skew,max_validation_attempts}'],
    ],
    'issuer.kept': ['method.defines method.reads secret.from-configuration'],
    'period.number': ['period.duration login.{as-configured,skew,attempts*} secret.from-configuration'],
    'key-size.kept': ['key-size.bytes secret.from-configuration'],
    'qr-size.kept': ['qr-size.pixels'],
    'algorithm.values': ['secret.from-configuration login.as-configured'],
    'digits.values': ['secret.from-configuration login.as-configured'],
    'method.deletes': ['delete.* list.*', ['DELETE status']],
    'generate.creates': ['admin-destroy.* generate.*', ['{GET,POST} status']],
    'admin-generate.creates': ['admin-destroy.* admin-generate.given-entity', ['POST status 2xx']],
    'generate.no-overwrite': ['secret.outlives-* login.first-secret admin-generate.given-entity', ['secret']],
    'admin-generate.no-overwrite': [
      'admin-destroy.* secret.outlives-* delete.* admin-generate.one-at-once',
      ['secret'],
    ],
  })

/** What an update changes is read in the field that a definition sets. */
const fieldsOfMfa =
  'period.number key-size.kept qr-size.kept algorithm.values digits.values skew.values max-validation-attempts.kept'
const updated: Readonly<Record<string, readonly Underlying[]>> = Object.fromEntries(
  ['mfa-legacy', 'mfa-identity'].flatMap((area) =>
    fieldsOfMfa.split(' ').map((id) => {
      const field = id.replace(/\..*$/, '').replaceAll('-', '_')
      return [`${area}.${id}`, on([`${area}.method.updates`], [`GET ${field}`])]
    }),
  ),
)

const ofLogins = inArea('mfa-identity', {
  'skew.values': ['login.skew login.period'],
  'login.code': ['login.* *generate.no-overwrite', sent],
  'login.as-configured': ['login.skew login.attempts*', sent],
})

/** Foundations of both kinds of replication: what a secondary holds shows whom it follows. */
const ofReplication = (area: Area) =>
  inArea(area, {
    'status.mode': ['secondary-token.*', ['GET mode']],
    // A cluster that is shown as primary before anything was enabled.
    'primary-enable.makes-primary': [
      'disabled.* secondary-enable.{valid-token,token-required}',
      ['GET mode as before: primary*', 'GET reply as before: ?"role":"primary"*'],
    ],
    'secondary-enable.makes-secondary': [
      'secondary-token.* primary-enable.cluster-addr secondary-enable.clears-at-once',
    ],
    'secondary.takes-data': [
      'update-primary.* revoke-secondary.* demote.rejoins-without-wipe secondary.* promote.new-tokens secondary-token.encrypted',
      ['GET status'],
    ],
    // Checks read the status without a token, as clusters that join lose theirs.
    'status.unauthenticated': ['*', ['GET status 2xx']],
    'update-primary.changes-primary': [
      'revoke-secondary.* demote.rejoins-without-wipe promote.new-tokens paths-filter.ends-with-* secondary-token.encrypted update-primary.{token-required,operation-token-*,api-addr}',
      ['GET status', 'value', 'POST connections to *'],
    ],
    'revoke-secondary.cuts': ['revoke-secondary.*', ['value']],
    'secondary-enable.valid-token': [
      'secondary-token.{ttl*,encrypted} secondary-enable.own-kind primary-disable.ends-tokens revoke-secondary.unused-token',
      ['GET mode as before: *', 'GET value nothing *'],
    ],
  })

const ofDisasterRecovery = inArea('dr-replication', {
  'operation-token.authorizes': [
    'operation-token.* attempt.pgp-encrypts promote.* update-primary.* secondary-disable.*',
    ['POST status 2xx'],
  ],
  'promote.makes-primary': ['promote.*', ['mode', 'connections to *']],
  'attempt.read': ['attempt.one-at-a-time', ['GET nonce']],
  'attempt.nonce-issued': [
    'attempt.{pgp-*,key-fixed,one-at-a-time,update-returns,progress,nonce-of-its-own,cancel-clears}',
  ],
  'attempt.progress': ['attempt.!(read)', ['progress']],
  'attempt.pgp-encrypts': ['attempt.{key-fixed,one-at-a-time,cancel-clears}', ['POST encoded token a PGP message *']],
  // The reply is about another attempt.
  'attempt.update-returns': ['attempt.{key-fixed,one-at-a-time}', ['POST encoded token a PGP message *']],
  'attempt.token-on-completion-only': ['attempt.shares-of-the-root-key', ['POST encoded token']],
  'attempt.token-issued': ['attempt.*', ['encoded *']],
})

const ofAttempts = inArea('dr-replication', { 'attempt.nonce-issued': ['attempt.read', ['GET nonce']] })

const ofFilters = inArea('performance-replication', {
  'paths-filter.reads': ['paths-filter.*', ['mode', 'paths']],
  'paths-filter.allow': ['paths-filter.{allow-auth,mode-default,replaces}'],
  'paths-filter.deny': ['paths-filter.{deny-namespaces,selected-secondary,replaces}'],
})

const ofCatalog = inArea('plugin-catalog', {
  'register.secret': ['*', ['{GET,POST} status 2xx', 'LIST *', 'GET {reply,the catalog *}']],
  'read.returns-named': ['*', ['GET status 2xx', 'GET {name,type,version,command,args,env,sha256,oci_image,runtime}']],
  'read.by-version': ['*', ['GET status 2xx']],
  'register.auth': [
    'list.* catalog.* register.updates read.{by-version,version-default} version.several addressed-by.type',
  ],
  'register.database': [
    'list.* catalog.* register.updates read.{by-version,version-default} version.several addressed-by.type',
  ],
  'delete.removes': [
    'delete.* list.* catalog.* addressed-by.type use.registered-first',
    ['DELETE status', 'LIST {the list,reply}', 'GET {the catalog *,reply,status}'],
  ],
})

/** Whether a policy governs is looked at as soon as it is written. */
const governing = ['egp', 'rgp'].flatMap((kind): [string, [rows: string, parts?: readonly string[]]][] => [
  [
    `${kind}.write.creates`,
    [
      `${kind}.{write.updates,update.*,create.*,name.*,level.*,policy.*,paths.*,read.*,list.*,delete.*}`,
      ['{GET,POST,PUT,DELETE} status *', 'LIST *', 'GET *'],
    ],
  ],
  [
    `${kind}.level.values`,
    [`${kind}.{read.shows-level,update.immediate,create.immediate,policy.base64,paths.*,list.maps-paths}`],
  ],
  [`${kind}.delete.removes`, [`${kind}.{delete.*,list.*,paths.governed}`]],
])

const ofPolicies = inArea('policies', {
  ...Object.fromEntries(governing),
  'egp.paths.array': ['egp.{update.immediate,paths.governed,write.updates,list.maps-paths}'],
  'acl.read.returns-named': ['*', ['GET status *']],
  'egp.create.immediate': ['egp.{policy.base64,level.*,paths.*}', ['{GET,POST,PUT} status']],
  'rgp.create.immediate': ['rgp.{policy.base64,level.*}', ['{GET,POST,PUT} status']],
  // A server that remembers a denial frees nobody, whatever denied.
  'acl.create.immediate': [
    'acl.{policy.base64,update.immediate} {rgp,egp}.{update.immediate,delete.*,level.*,paths.governed}',
    ['GET status 2xx'],
  ],
})

const usages = ['extended key usage', 'extended key usage *']
const sansDenied = 'roles.updated roles.update-empties errors.*'
const ofCertificates = inArea('pki', {
  'san.uri-sans': [`${sansDenied} role.allowed-uri-sans.* san.uri-sans.* issue.{sans.lists,whole,ttl.used}`, sent],
  'san.other-sans': [`${sansDenied} role.allowed-other-sans.* san.other-sans.* issue.ttl.used`, sent],
  'san.ip-sans': [`${sansDenied} role.allow-ip-sans.*`, sent],
  'san.alt-names.host': [`${sansDenied} role.enforce-hostnames.* role.allow-bare-domains.*`, sent],
  'san.alt-names.email': [`${sansDenied} role.enforce-hostnames.* role.allow-bare-domains.*`, sent],
  'errors.sans-denied': ['errors.* role.allow-bare-domains.*', sent],
  'role.allowed-other-sans.type-utf8': ['role.allowed-other-sans.* san.other-sans* issue.*', sent],
  'role.allowed-other-sans.star-value': ['san.other-sans* issue.*', sent],
  'san.other-sans.comma-list': ['{root,intermediate,sign-intermediate}.other-sans.comma-list'],
  'san.other-sans.array': ['{root,intermediate,sign-intermediate}.other-sans.array'],
  'root.other-sans.comma-list': ['{root,intermediate,sign-intermediate}.other-sans.*'],
  'issue.sans.lists': ['{root,intermediate,sign-intermediate}.sans.lists'],
  'root.subject.comma-list': ['{root,intermediate,sign-intermediate}.{subject.*,whole}'],
  'root.permitted-dns-domains.comma-list': ['{root,sign-intermediate}.{permitted-dns-domains.*,whole}'],
  'sign-intermediate.permitted-dns-domains.leading-dot': ['sign-intermediate.{permitted-dns-domains.*,whole}'],
  'sign-intermediate.is-ca': ['sign-intermediate.{max-path-length.*,use-csr-values.key-usages,signed-by-ca}'],
  'role.allowed-domains.list': [
    'role.{lists.array,allow-{glob-domains,bare-domains,subdomains}.*,allow-localhost.off-yet-listed,allowed-domains-template.resolved} roles.updated',
    sent,
  ],
  'role.no-store.not-stored': ['role.no-store.{not-enumerated,not-revoked,revocation-refused}'],
  'sign-intermediate.key-of-csr': ['sign-intermediate.use-csr-values.{subject,sans,extensions,key-usages}'],
  'role.enforce-hostnames.cn': ['roles.updated role.allow-wildcards.*', sent],
  'role.ttl.used': ['role.ttl.suffix-* issue.ttl.default-role roles.updated', ['lifetime']],
  'role.key-type.ec': ['role.key-bits.ec-* roles.updated'],
  'role.key-bits.ec-224': ['role.key-bits.ec-* roles.updated'],
  'role.server-flag.flags': ['roles.updated role.ext-key-usage*', usages],
  'role.client-flag.flags': ['roles.updated role.ext-key-usage*', usages],
  'role.ext-key-usage-oids.comma-list': ['roles.updated role.ext-key-usage*', usages],
  'role.policy-identifiers.comma-list': ['roles.updated role.policy-identifiers.list issue.whole'],
})

const ofAuthorities = inArea('pki', {
  'config-urls.issuing-certificates': ['config-urls.* issue.whole {root,sign-intermediate}.{urls.*,whole}'],
  'config-urls.crl-distribution-points': ['config-urls.* issue.whole {root,sign-intermediate}.{urls.*,whole}'],
  'config-urls.ocsp-servers': ['config-urls.* issue.whole {root,sign-intermediate}.{urls.*,whole}'],
  'config-urls.array': ['root.urls.* sign-intermediate.urls.*'],
  'root.urls.others': ['root.urls.* sign-intermediate.urls.* config-urls.blank'],
  'state.generate.makes-ca': ['state.generate* issue.signed-by-ca', ['signature']],
  'state.generate.signs-own-crl': ['state.*.signs-own-crl state.crl-disabled.signed', ['CRL']],
  'state.set-signed.key-signs': ['state.generate-again.key-stays issue.bundle* sign-intermediate.path'],
  'state.config-ca.certificate-overridden': ['state.config-ca.* issue.bundle.submitted-root ca-chain.of-present-ca'],
  'state.revoke.known-only': ['state.revoke.* crl.rotate.shrinks role.no-store.*'],
  'ca-chain.of-intermediate': ['ca-chain.*', ['body']],
  'cert.of-serial': ['cert.* role.no-store.default'],
  'issue.one': ['*', ['{POST,GET,LIST} {signature,CRL,keys,path,body,name}', 'GET status 2xx']],
  'intermediate.type.exported': [
    'intermediate.* format.* private-key-format.*',
    ['POST */intermediate/generate/exported status 2xx'],
  ],
  'root.type.exported': ['root.* format.* private-key-format.*', ['POST */root/generate/exported status 2xx']],
  'issue.bundle.generated-root': ['issue.bundle*', ['certificate']],
})

/** An operation of PKI that is refused, or does nothing, shows wherever something is made by it. */
const ofOperations = inArea('pki', {
  'roles.created': ['*', ['POST */{issue,roles}/* status 2xx', 'GET */roles/* status 2xx', 'LIST */roles *']],
  'state.generate.self-signed': ['*', ['POST */root/generate/* status 2xx']],
  'state.intermediate.makes-csr': ['*', ['POST */intermediate/generate/* status 2xx']],
  'sign-intermediate.one': ['*', ['POST */root/sign-intermediate status 2xx']],
  'crl-pem.bare': ['*', ['GET */crl/pem *']],
  'crl.bare': ['*', ['GET */crl *']],
  'ca-pem.bare': ['*', ['GET */ca/pem *']],
  'ca.bare': ['*', ['GET */ca *']],
  'ca-chain.bare': ['*', ['GET */ca_chain *']],
  'certs.issued': [
    'matching.* role.* errors.* roles.{updated,update-empties,deleted.unused} issue.key-not-stored',
    ['LIST {reply,keys}', 'LIST */certs status 2xx'],
  ],
  'roles.write.spares-others': [
    'role.{*.default,*.off,no-store.*}',
    ['POST status 4xx *', 'POST /lease_id', 'LIST keys', 'GET certificate'],
  ],
  'state.generate.makes-ca': ['{ca,cert,cert-crl}.* state.delete.certificate-readable', ['GET {status 2xx,body}']],
  'issue.returns.certificate': ['*', ['POST */issue/* signature']],
  // A name that no certificate gets is not denied either.
  'san.alt-names.host': ['role.allow* matching.*', ['POST */issue/* status 4xx *']],
  'san.alt-names.default': [
    'role.{allowed-domains.list,allow-localhost.*,allowed-domains-template.*} roles.updated',
    ['POST */issue/* status 2xx'],
  ],
  'state.set-signed.makes-ca': [
    'state.{set-signed.*,generate-again.*,delete.*} sign-intermediate.signed-by-ca issue.returns.issuing-ca ca-chain.*',
    ['{GET,POST} status 2xx', 'GET {CRL,certificate,body}'],
  ],
  'state.config-ca.makes-ca': [
    'state.delete.{no-key,certificate-*}',
    ['{GET,POST} status 2xx', 'GET {certificate,body}', 'POST signature'],
  ],
  'state.config-ca.certificate-overridden': [
    'state.{generate-again.*,delete.until-*} config-ca.chain ca-chain.* config-urls.later issue.returns.issuing-ca sign-intermediate.{ttl.used,max-path-length.one-less}',
    ['{GET,POST} status 2xx', 'GET {certificate,body}', 'POST signature'],
  ],
  'state.delete.no-key': [
    'root-delete.sudo-suffices state.delete.until-generated issue.bundle.generated-root ca-chain.of-present-ca',
    ['POST signature', '{GET,POST} certificate', 'GET body'],
  ],
  'config-crl.reads-expiry': ['config-crl.{reads-disable,shows-*}', ['GET */config/crl status 2xx']],
  'format.pem': [
    'format.* private-key-format.* root.{format,private-key*}',
    ['POST */root/generate/exported status 2xx'],
  ],
  'format.pem-bundle': ['issue.bundle* intermediate.{type.internal,bundle*}', ['POST status 2xx']],
  'role.allowed-uri-sans.comma-list': ['role.allowed-uri-sans.{array,globs} issue.sans.lists', sent],
  'role.key-usage.list': ['role.key-usage.* issue.whole roles.updated', ['key usage']],
})

/** Requirements without which some other requirements cannot be met, or by which these are judged. */
const presumed: Readonly<Record<string, readonly Underlying[]>> = {
  ...ofMfa('mfa-legacy'),
  ...ofMfa('mfa-identity'),
  ...ofLogins,
  ...ofReplication('dr-replication'),
  ...ofReplication('performance-replication'),
  ...ofDisasterRecovery,
  ...ofFilters,
  ...ofCatalog,
  ...ofPolicies,
  ...ofCertificates,
  ...ofAuthorities,
}

const tables = [presumed, updated, ofCommonNames, ofAttempts, ofOperations, ...foundationsOfCloud]
export const foundationIds: readonly string[] = [foundations, ...tables].flatMap((table) => Object.keys(table))

export const withFoundation = (requirement: Requirement): Requirement => {
  const parts = foundations[requirement.id]
  const underlies = [...(parts ? [{ parts }] : []), ...tables.flatMap((table) => table[requirement.id] ?? [])]
  return underlies.length > 0 ? { ...requirement, underlies } : requirement
}
