import { check, type JsonObject, refused, type Step } from '../../harness/vocabulary/index.ts'
import { aclPolicy, login, user } from '../given.ts'
import { issue, noneIssued, role, rooted } from './given/given.ts'
import { allows, denies, strict } from './names.ts'
import { issuedFor } from './then/then.ts'
import { topic } from './topic.ts'

const localhost = [
  allows('localhost-is-allowed-by-default', {
    requirement: 'role.allow-localhost.default',
    role: { allow_localhost: undefined },
    asks: 'localhost',
  }),
  allows('localhost-is-allowed-beside-allowed-domains', {
    requirement: 'role.allow-localhost.default',
    role: { allow_localhost: undefined, allowed_domains: ['example.com'], allow_bare_domains: true },
    asks: 'localhost',
  }),
  allows('localhost-is-allowed', {
    requirement: 'role.allow-localhost.localhost',
    role: { allow_localhost: true },
    asks: 'localhost',
  }),
  allows('localdomain-is-allowed', {
    requirement: 'role.allow-localhost.localdomain',
    role: { allow_localhost: true },
    asks: 'localdomain',
  }),
  ...['localhost', 'localdomain'].flatMap((name) => [
    denies(`${name}-can-be-switched-off`, {
      requirement: 'role.allow-localhost.off',
      role: { allow_localhost: false },
      asks: name,
      but: { role: { allow_localhost: true } },
    }),
    allows(`${name}-switched-off-can-be-an-allowed-domain`, {
      requirement: 'role.allow-localhost.off-yet-listed',
      role: { allow_localhost: false, allowed_domains: [name], allow_bare_domains: true },
      asks: name,
    }),
  ]),
  denies('localhost-among-the-alt-names-can-be-switched-off', {
    requirement: ['role.allow-localhost.off', 'errors.sans-denied'],
    role: { allow_localhost: false, allowed_domains: ['example.com'], allow_bare_domains: true },
    asks: 'example.com',
    and: { alt_names: 'localhost' },
    but: { role: { allow_localhost: true } },
  }),
]

/** Host names are not enforced, because the id of an entity may have characters that host names cannot have. */
const template = {
  ...strict,
  enforce_hostnames: false,
  allowed_domains: ['{{identity.entity.id}}.example.com'],
  allow_bare_domains: true,
}
/** A common name has 64 characters at most, so a name with two ids is an alternative one. */
const twice = {
  role: {
    ...template,
    allowed_domains: ['{{identity.entity.id}}.{{identity.entity.id}}.example', 'plain.example.com'],
  },
  request: { common_name: 'plain.example.com', alt_names: '{callerEntity}.{callerEntity}.example' },
}
/** A caller who has an entity and may issue certificates. */
const caller: readonly Step[] = [
  ...aclPolicy('{policy}', [{ path: '{mount}/issue/*', capabilities: ['create', 'update'] }]),
  user('user', ['{policy}']),
  login('user', 'caller'),
]
/** The caller issues a certificate under another role, because no document says who may. */
const mayIssue: readonly Step[] = [role({}, 'any'), { ...issue({}, 'any'), as: 'caller' }]
const asked = (name = 'leaf', request: JsonObject = { common_name: '{callerEntity}.example.com' }) => ({
  ...issue(request, name),
  as: 'caller',
  words: `POST \`{mount}/issue/${name}\` (token \`caller\`), for the name that the template stands for`,
})

const templates = [
  ...[
    {
      id: 'template-in-a-domain-is-resolved',
      ...{ fields: template, request: undefined, name: '{callerEntity}.example.com' },
    },
    {
      id: 'templates-in-a-domain-are-resolved',
      ...{ fields: twice.role, request: twice.request, name: twice.request.alt_names },
    },
  ].map(({ id, fields, request, name }) =>
    check(id, {
      requirement: 'pki.role.allowed-domains-template.resolved',
      needs: ['entity'],
      given: [...rooted(), ...caller, role({ ...fields, allowed_domains_template: true }), ...mayIssue],
      when: asked('leaf', request),
      then: [issuedFor(name)],
    }),
  ),
  check('domain-beside-a-template-is-allowed', {
    requirement: 'pki.role.allowed-domains.list',
    needs: ['entity'],
    given: [
      ...rooted(),
      ...caller,
      role({
        ...template,
        allowed_domains: [...template.allowed_domains, 'plain.example.com'],
        allowed_domains_template: true,
      }),
      ...mayIssue,
    ],
    when: { ...issue({ common_name: 'plain.example.com' }), as: 'caller' },
    then: [issuedFor('plain.example.com')],
  }),
  check('template-stands-for-nothing-else', {
    requirement: 'pki.role.allowed-domains-template.nothing-else',
    needs: ['entity'],
    given: [...rooted(), ...caller, role({ ...template, allowed_domains_template: true })],
    when: { ...issue({ common_name: 'other.example.com' }), as: 'caller' },
    then: [refused(noneIssued)],
    control: asked(),
  }),
  check('template-is-off-by-default', {
    requirement: 'pki.role.allowed-domains-template.default',
    needs: ['entity'],
    given: [...rooted(), ...caller, role(template), role({ ...template, allowed_domains_template: true }, 'twin')],
    when: asked(),
    then: [refused(noneIssued)],
    control: asked('twin'),
  }),
]

export default topic('pki/fields-names-localhost', {
  about: 'Names of the local machine, and domains that contain the name of the caller.',
  names: ['mount', 'user', 'policy'],
  checks: [...localhost, ...templates],
})
