/** Requirements that underlie others: while one of them is contradicted, nothing else can be judged by these parts of
 * replies (globs of what a mismatch is `at`). The check that decides it reports the flaw, and others rest on it. Without
 * this, a server that drops one kind of name would contradict each row whose check looks at names. */
import type { Requirement } from '../harness/vocabulary/index.ts'

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
  'pki.issue.common-name.subject': ['common_name of the subject', 'set of alternative names', ...subjects.slice(2)],
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
  'cloud.role.session-tags.map': ['session_tags', 'Tags of AssumeRole at the provider', 'AssumeRole at the provider'],
  'cloud.lease.reads': lease,
  'cloud.lease.kept': lease,
}

export const foundationIds: readonly string[] = Object.keys(foundations)

export const withFoundation = (requirement: Requirement): Requirement => {
  const underlies = foundations[requirement.id]
  return underlies ? { ...requirement, underlies } : requirement
}
